"""Rules with the expected findings beside the mistakes: a comment `#! code code` on the line."""

import re
from collections.abc import Callable

import pytest

from ruledsl.diagnostics.source import Source
from ruledsl.library import Library
from ruledsl.model.check import check_rules

HEADER = "game x\n    players 2..4\n"
MARK = re.compile(r"#!((?: [a-z-]+)+)")


@pytest.fixture
def judge() -> Callable[[str], None]:
    """Check rules (with a header unless they have one) and compare the findings with the marks."""

    def judged(rules: str) -> None:
        rules = rules.lstrip("\n")
        text = rules if rules.startswith(("game ", "library ")) else HEADER + rules
        expected = {
            (number, code)
            for number, line in enumerate(text.split("\n"), 1)
            for mark in MARK.findall(line)
            for code in mark.split()
        }
        checked = check_rules(Source("x", text), Library())
        found = {(each.span.line, each.code.name) for each in checked.diagnostics}
        assert found == expected, [
            f"{each.span.line}: {each.code.name}: {each.message}" for each in checked.diagnostics
        ]

    return judged
