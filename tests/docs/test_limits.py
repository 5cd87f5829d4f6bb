"""The limits that the documents name are those that the program keeps."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ruledsl.cli import savefile, screen
from ruledsl.engine.sets import shapes
from ruledsl.model import allowance, base, depth, elaborate
from ruledsl.play import check, loading
from ruledsl.syntax import parser, scan
from ruledsl.table import limits

DOCS = Path(__file__).parents[2] / "docs"
ROW = re.compile(r"^\| (?P<what>[^|]+) \| (?P<most>[^|]+) \|$", re.MULTILINE)
NUMBER = re.compile(r"\d[\d,]*")

LANGUAGE = {
    "size of a file": parser.MAX_BYTES,
    "mistakes reported in the text of a file": parser.MAX_MISTAKES,
    "errors reported in the rules of a game": base.MOST_MISTAKES,
    "brackets inside brackets": scan.MAX_BRACKETS,
    "blocks inside blocks": scan.MAX_BLOCKS,
    "operators in a line": scan.MAX_OPERATORS,
    "digits of a number": scan.MAX_DIGITS,
    "definitions that build on each other, one inside the other": depth.DEEPEST_DEFINITION,
    "players": elaborate.MOST_PLAYERS,
    "things on a table: players, values, pieces, faces, places, products": limits.MOST_THINGS,
    "slots: values of states": limits.MOST_SLOTS,
    "triggers that fire at one checkpoint": limits.MOST_TRIGGERS,
    "statements between two decisions": allowance.MOST_STATEMENTS,
    "passes of queries between two decisions": allowance.MOST_QUERIES,
    "statements in a whole game that is not compiled": allowance.GAME_STATEMENTS
    * allowance.MOST_STATEMENTS,
    "passes of queries in a whole game that is not compiled": allowance.GAME_QUERIES
    * allowance.MOST_QUERIES,
    "decisions and rolls of a game without `limit`": allowance.MOST_DECISIONS,
    "options at one decision": limits.MOST_OPTIONS,
    "numbers in a set that is kept, where nothing tells how many, when compiled": shapes.MANY,
}
SECURITY = {
    "a rules file": (parser.MAX_BYTES,),
    "brackets, blocks, operators in an expression, digits of a number": (
        scan.MAX_BRACKETS,
        scan.MAX_BLOCKS,
        scan.MAX_OPERATORS,
        scan.MAX_DIGITS,
    ),
    "mistakes that are listed of one file": (parser.MAX_MISTAKES, base.MOST_MISTAKES),
    "a saved game": (
        savefile.MOST_BYTES,
        savefile.MOST_CHOICES,
        savefile.MOST_LETTERS,
        savefile.MOST_LETTERS_TOLD,
    ),
    "a file of moves": (screen.MOST_MOVES,),
}


def told(document: str, after: str) -> dict[str, tuple[int, ...]]:
    """The rows of the table after a headline, each with its numbers."""
    text = (DOCS / document).read_text(encoding="utf-8").split(after, 1)[1].split("\n## ", 1)[0]
    return {
        row["what"]: tuple(int(found.replace(",", "")) for found in NUMBER.findall(row["most"]))
        for row in ROW.finditer(text)
        if row["what"] != "what" and not row["what"].startswith("-")
    }


def test_limits_of_the_language() -> None:
    found = told("language.md", "## 17. Limits")
    assert found == {what: (most,) for what, most in LANGUAGE.items()}


def test_limits_for_files_from_strangers() -> None:
    found = told("security.md", "## Limits")
    assert found.pop("a seed that is drawn") == (2, 53)
    assert loading.MOST_SEED == 2**53
    assert found == SECURITY


@pytest.mark.parametrize(
    ("document", "words"),
    [
        ("language.md", f"up to {check.MOST_SETTINGS} settings"),
        ("language.md", f"counts as {limits.LOOK} passes"),
        ("security.md", f"at most {savefile.MOST_BYTES // 1_000_000} MB"),
        ("security.md", f"ends after {savefile.SECONDS:.0f} seconds"),
    ],
)
def test_limits_in_sentences(document: str, words: str) -> None:
    text = (DOCS / document).read_text(encoding="utf-8")
    assert words in re.sub(r"\s+", " ", text)
