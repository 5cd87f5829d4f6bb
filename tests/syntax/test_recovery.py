"""Several mistakes in one declaration: one for each line that has one, and none that follows."""

from __future__ import annotations

import pytest

from ruledsl.diagnostics.source import Source
from ruledsl.syntax.parser import parse
from ruledsl.syntax.recovery import MOST_IN_ONE

CASES = {
    "lines of a step": """\
step turn
    set active Player(1)  # !
    let x 3  # !
    skip
    move 1 from box to  # !
""",
    "what is indented under a line goes with it": """\
step turn
    for p n Player  # !
        skip
    let x 3  # !
""",
    "branches go with the first": """\
step turn
    if x > then  # !
        skip
    else if y
        skip
    else
        let z 3
    let x 3  # !
""",
    "a block that is missing": """\
step turn
    for p in Player  # !
    set active = Player(1)
    let x 3  # !
""",
    "a block of which nothing is left": """\
step turn
    choose "What?"
        action go "Go"
            add 1 box  # !
    if x
        let y 3  # !
    else
        skip
    let x 3  # !
""",
    "rows of a table": """\
type Suit | worth
    clubs | 1
    hearts 2  # !
    spades | 3
    stars | | 4  # !
""",
    "parts of a test": """\
test "all"
    given
        let x 3  # !
        skip
    when turn
        stop here
    then
        active Player(1)  # !
        yes
""",
    "the first line": """\
step turn(
    let x 3
""",
    "signs, numbers and texts that are none": """\
step turn
    set x == 3  # !
    let x 3  # !
    if x := 3  # !
        let y 4
    choose "hi  # !
        let z 4
    let y = 1.5  # !
    let ok = 3
    let z = 1234567890  # !
""",
    "what a broken line goes on with": """\
step turn
    let x = (3 == 4  # !
        and 5)
    let y 3
""",
}


@pytest.mark.parametrize("case", CASES)
def test_each_line_is_told_once(case: str) -> None:
    text = CASES[case]
    wrong = [n for n, line in enumerate(text.split("\n"), 1) if "# !" in line] or [1]
    assert [each.span.line for each in parse(Source("test", text)).diagnostics] == wrong


def test_there_is_an_end_to_it() -> None:
    text = "step turn\n" + "    let x 3\n" * 30
    assert len(parse(Source("test", text)).diagnostics) == MOST_IN_ONE


def test_other_declarations_are_read() -> None:
    parsed = parse(Source("test", f"{CASES['lines of a step']}step other\n    skip\n"))
    assert len(parsed.file.items) == 1
