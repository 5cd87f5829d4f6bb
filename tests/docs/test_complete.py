"""The reference is complete: whatever the code knows is named in it, and used in an example."""

import re
from importlib import resources
from typing import Any

import attrs
import pytest

from ruledsl.diagnostics.explain import all_codes, page
from ruledsl.diagnostics.names import BUILT_IN_NAME
from ruledsl.diagnostics.source import Source
from ruledsl.engine.sets import shapes
from ruledsl.model import allowance, base, depth, elaborate, symbols
from ruledsl.model.builtins import ATTRIBUTES as SUPPLIED
from ruledsl.model.builtins import FUNCTIONS
from ruledsl.syntax import ast, parser, scan
from ruledsl.syntax.parser import parse
from ruledsl.table import limits

from .blocks import DOCS, FENCE, rules_blocks

TEXT = (DOCS / "language.md").read_text(encoding="utf-8")
PROSE = FENCE.sub("", TEXT)
EXAMPLES = "\n".join(block.text for block in rules_blocks("language.md"))

GRAMMAR = resources.files("ruledsl.grammar").joinpath("rules.lark").read_text(encoding="utf-8")
KEYWORDS = sorted({*re.findall(r'"([a-z]+)"', GRAMMAR), "face"})
WORDS = sorted(
    {symbols.PLAYER, symbols.DIRECTION, *symbols.DIRECTIONS, *symbols.DIRECTION_SETS}
    | {*symbols.SPECIALS, *symbols.SEEN_WHEN_SPECIALS, *symbols.TEST_SPECIALS}
    | {*FUNCTIONS, "flag", "number"}
)
ATTRIBUTES = sorted({*(each.name for each in SUPPLIED), "owner", "reversed", "times"})


def quoted() -> set[str]:
    """All words in code spans of the prose."""
    return set(re.findall(r"\w+", " ".join(re.findall(r"`([^`]+)`", PROSE))))


@pytest.mark.parametrize("word", [*KEYWORDS, *WORDS])
def test_words(word: str) -> None:
    assert word in quoted()
    assert re.search(rf"\b{word}\b", EXAMPLES), "no example uses it"


def test_names_that_are_taken() -> None:
    explained = page(BUILT_IN_NAME)
    assert explained is not None
    listed, _, _ = explained.text.partition("Choose")
    assert set(re.findall(r"`(\w+)`", listed)) == symbols.BUILT_IN


@pytest.mark.parametrize("attribute", ATTRIBUTES)
def test_attributes(attribute: str) -> None:
    rows = re.findall(r"^\| (`\..*?) \|", TEXT, re.MULTILINE)
    named = re.findall(r"`\.(\w+)", " ".join(rows))
    assert attribute in named
    assert f".{attribute}" in EXAMPLES, "no example uses it"


def test_no_other_attributes() -> None:
    rows = re.findall(r"^\| (`\..*?) \|", TEXT, re.MULTILINE)
    assert set(re.findall(r"`\.(\w+)", " ".join(rows))) == set(ATTRIBUTES)


def nodes(node: Any) -> set[type]:
    """The classes of all nodes in a tree."""
    if isinstance(node, tuple):
        return set().union(*map(nodes, node)) if node else set()
    if not isinstance(node, ast.Node):
        return set()
    fields = (field.name for field in attrs.fields(type(node)) if field.name != "span")
    return {type(node)}.union(*(nodes(getattr(node, name)) for name in fields))


def test_every_form_of_syntax_has_an_example() -> None:
    shown = nodes(parse(Source("examples", EXAMPLES)).file)
    forms = {
        form
        for form in vars(ast).values()
        if isinstance(form, type) and issubclass(form, ast.Node) and form is not ast.Node
    }
    assert forms - shown == set()


def test_codes() -> None:
    """Every code the text names exists."""
    named = set(re.findall(r"[(:] ?`([a-z]+(?:-[a-z]+)+)`\)", PROSE))
    assert len(named) > 20
    assert named - {code.name for code in all_codes()} == set()


def test_limits() -> None:
    section = TEXT[TEXT.index("## 17. Limits") :]
    numbers = re.findall(r"\| ([\d,]+)(?: bytes)? \|$", section, re.MULTILINE)
    assert [int(number.replace(",", "")) for number in numbers] == [
        parser.MAX_BYTES,
        parser.MAX_MISTAKES,
        base.MOST_MISTAKES,
        scan.MAX_BRACKETS,
        scan.MAX_BLOCKS,
        scan.MAX_OPERATORS,
        scan.MAX_DIGITS,
        depth.DEEPEST_DEFINITION,
        elaborate.MOST_PLAYERS,
        limits.MOST_THINGS,
        limits.MOST_SLOTS,
        limits.MOST_TRIGGERS,
        allowance.MOST_STATEMENTS,
        allowance.MOST_QUERIES,
        allowance.GAME_STATEMENTS * allowance.MOST_STATEMENTS,
        allowance.GAME_QUERIES * allowance.MOST_QUERIES,
        allowance.MOST_DECISIONS,
        limits.MOST_OPTIONS,
        shapes.MANY,
    ]


def test_links() -> None:
    """Every link within the document leads to a heading."""
    headings = re.findall(r"^#+ (.*)$", PROSE, re.MULTILINE)
    anchors = {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}
    assert {link for link in re.findall(r"\]\(#([^)]*)\)", PROSE) if link not in anchors} == set()
