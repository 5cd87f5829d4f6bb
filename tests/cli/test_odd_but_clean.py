"""Odd rules are refused by `check`, or every command has an answer to them."""

from __future__ import annotations

from pathlib import Path

import pytest

from ruledsl.model import allowance

from .conftest import Run

HEAD = 'game odd "Odd"\n    players 2\n\nstate a: number = 0\n'
PLAY = """
step play
    set active = Player(1)
    choose x in 1..3 "What?"
    win Player(1)
"""
ENDS_ITS_CALLER = """
step play
    set active = Player(1)
    repeat
        turn

step turn
    choose x in 1..3 "What?"
    add x to a
    part

step part
    if a > 5
        win active
    end turn

test "a part on its own"
    given
        set a = 1
    when part
    then
        a = 1
"""
NOBODY = """
option pace in 1..3 = 2
{play}
test "nobody"
    with pace = 1
    given
        set active = Player(0)
    then
        a = 0
""".replace("{play}", PLAY)
HUGE = """
step play
    set active = Player(1)
    choose x in 1..3 "What?"
    set a = 999999999
    repeat 20000 times
        set a = a * a
    win Player(1)

test "grows"
    given
        set a = 999999999
    then
        a * a * a = 0
"""
PRODUCT = """
type T = 1..60

step play
    set active = Player(1)
    choose "What?"
        go

action go(a in T, b in T, c in T, d in T, e in T, f in T) "Go"
    require a + b + c + d + e + f = 6 "Only ones."
    win you
"""
MANY = """
step play
    set active = Player(1)
    choose x in 1..100001 "What?"
    win Player(1)
"""

CHAIN = (
    """
step play
    set active = Player(1)
    s0
    choose x in 1..3 "What?"
    win Player(1)
"""
    + "".join(f"\nstep s{number}\n    s{number + 1}\n" for number in range(1500))
    + "\nstep s1500\n    add 1 to a\n"
)

COMMANDS = {
    "check": (),
    "test": (),
    "play": ("--seats", "random,random", "--seed", "1"),
    "simulate": ("--games", "2", "--seed", "1", "--jobs", "1"),
    "perft": ("--depth", "1"),
}
CASES = {
    "a step that ends its caller": (ENDS_ITS_CALLER, {"test": "all passed"}),
    "nobody in a test with an option": (NOBODY, {"check": "there is no `Player(0)`"}),
    "a number of thousands of digits": (
        HUGE,
        dict.fromkeys(("test", "play", "simulate"), "a number of more than nine digits"),
    ),
    "a large product of parameters": (
        PRODUCT,
        dict.fromkeys(("play", "simulate", "perft"), "this takes too long to work out"),
    ),
    "a chain of steps": (CHAIN, {"simulate": "steps call each other too many levels deep"}),
    "very many options": (
        MANY,
        dict.fromkeys(("play", "simulate", "perft"), "there are more than 100,000 options"),
    ),
}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_answers(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, command: str
) -> None:
    monkeypatch.setattr(allowance, "MOST_QUERIES", 200_000)
    rules, expected = CASES[name]
    file = tmp_path / "odd.rules"
    file.write_text(HEAD + rules, encoding="utf-8")
    result = run(command, str(file), *COMMANDS[command])
    assert result.exit_code in (0, 1, 2)
    assert "bug" not in result.output
    assert expected.get(command, "") in result.output
