"""What the language supplies: one table, and the same in every spelling and executor."""

import re
from itertools import product
from pathlib import Path
from typing import get_args

import pytest

from ruledsl.diagnostics.source import Source
from ruledsl.engine.expressions.number_functions import LOWERINGS
from ruledsl.lab.examples import run_in_both
from ruledsl.library import Library
from ruledsl.model.builtins import ATTRIBUTES, FUNCTIONS, NUMBER_FUNCTIONS, Feature
from ruledsl.play.check import check_source
from ruledsl.table.features import FEATURES
from ruledsl.table.number_functions import MEANINGS

DOCS = Path(__file__).parents[2] / "docs"

GAME = """\
game spelling "Spelling"
    players 2

place pile

state level: -9..9 = 0

{declared}
step play
    end game

ranking p in Player
    highest 0

test "spelled both ways"
    players 2
    given
        set level = -3
    then
{facts}
"""


def test_every_function_of_numbers_has_a_meaning_and_a_lowering() -> None:
    names = {function.name for function in NUMBER_FUNCTIONS}
    assert names == MEANINGS.keys() == LOWERINGS.keys()


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_reference_has_a_line_for_each(name: str) -> None:
    entry = FUNCTIONS[name]
    text = (DOCS / "language.md").read_text("utf-8")
    assert f"| `{entry.form}` | {entry.about} |" in text


def test_every_attribute_has_a_meaning() -> None:
    """Those that never change are compiled by it; what else there is, mypy names."""
    features = {attribute.feature for attribute in ATTRIBUTES}
    assert features | {"reversed"} == FEATURES.keys() == set(get_args(Feature))


def test_a_feature_depends_on_the_same_whoever_has_it() -> None:
    for one, other in product(ATTRIBUTES, repeat=2):
        if one.feature == other.feature:
            assert (one.reads, one.in_order) == (other.reads, other.in_order)


def test_the_reference_lists_the_attributes() -> None:
    text = (DOCS / "language.md").read_text("utf-8")
    rows = re.findall(r"^\| `\.(?!owner|reversed|times).*$", text, re.MULTILINE)
    had: dict[tuple[str, str], list[str]] = {}
    for each in ATTRIBUTES:
        had.setdefault((each.form, each.about), []).append(each.of)
    entries = [f"| `{form}` | {', '.join(of)} | {about} |" for (form, about), of in had.items()]
    assert sorted(rows) == sorted(entries)


def facts(*lines: str) -> str:
    return "".join(f"        {line}\n" for line in lines)


@pytest.mark.parametrize(
    ("declared", "lines"),
    [
        (
            "",
            ("abs(level) = 3", "level.abs = 3", "level.clamp(0, 5) = 0", "clamp(level, 0, 5) = 0"),
        ),
        ("", ("pile.empty", "empty(pile)")),
        ("define abs(n: -9..9) = n + 1\n", ("abs(level) = -2", "level.abs = -2")),
        ("define abs(p: Player) = 7\n", ("abs(level) = 3", "level.abs = 3", "Player(1).abs = 7")),
    ],
)
def test_both_spellings_mean_the_same(declared: str, lines: tuple[str, ...]) -> None:
    source = Source("spelling.rules", GAME.format(declared=declared, facts=facts(*lines)))
    checked = check_source(source, Library(()))
    assert [d for d in checked.diagnostics if d.severity == "error"] == []
    assert checked.game is not None
    outcomes = list(run_in_both(checked.game))
    assert outcomes
    assert all(outcome.failure is None for outcome in outcomes)
