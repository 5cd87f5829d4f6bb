"""What several do at the same time happens one after the other, in both executors."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ruledsl.diagnostics.source import Source
from ruledsl.engine import Engine
from ruledsl.library import Library
from ruledsl.play.chance import Dice, Generator
from ruledsl.play.check import check_source
from ruledsl.play.interpreter import Interpreter
from ruledsl.table.errors import RulesError
from ruledsl.table.position import Position
from ruledsl.table.table import Table
from tests.engine.lockstep import play_in_step

HEAD = """\
game x
    players 3
    limit 50 decisions

state n: number = 0
state low: 0..4 = 0
state most: 0..4 = 1 clamped
state Player.own: number = 0
state wish: 1..2 = 1

step setup
    set active = Player(1)

"""

STEP = """\
step play
    together p in Player
        choose k in 1..2 by p "How many?"
        {}
    choose k in 1..2 "Go on?"
    set wish = k
"""


def table_of(text: str) -> Table:
    checked = check_source(Source("x", HEAD + text), Library())
    assert checked.game is not None, checked.diagnostics
    return Table(checked.game, 3)


def after(table: Table, answers: tuple[int, ...]) -> Position:
    """The position when these options were chosen."""
    interpreter = Interpreter(table, Dice(Generator(1)))
    run = interpreter.play()
    decision = next(run)
    for answer in answers:
        decision = run.send(decision.options[answer - 1])
    return interpreter.pos


def own(pos: Position) -> list[object]:
    return [value for (state, _), value in pos.slots.items() if state == "Player.own"]


CASES: dict[str, tuple[str, Callable[[Position], object], object]] = {
    "additions": ("add k to n", lambda pos: pos.slots["n", None], 4),
    "what is taken": ("take k from n", lambda pos: pos.slots["n", None], -4),
    "several additions": (
        "add k to n\n        add 10 to n",
        lambda pos: pos.slots["n", None],
        34,
    ),
    "within limits": ("add k to most", lambda pos: pos.slots["most", None], 4),
    "the last word": ("set n = k", lambda pos: pos.slots["n", None], 2),
    "set, then added": (
        "if k = 1\n            set n = 10\n        else\n            add k to n",
        lambda pos: pos.slots["n", None],
        12,
    ),
    "to one's own": ("add k to p.own", own, [1, 1, 2]),
    "to the neighbour's": ("add k to p.next.own", own, [2, 1, 1]),
    "to one for all": ("add k to Player(2).own", own, [0, 4, 0]),
    "leaving": (
        "if k = 1\n            eliminate p",
        lambda pos: [str(player) for player in pos.playing],
        ["Player(3)"],
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_merged(case: str) -> None:
    line, read, wanted = CASES[case]
    table = table_of(STEP.format(line))
    assert read(after(table, (1, 1, 2))) == wanted
    for seed in range(6):
        play_in_step(Engine(table), seed)


def test_in_a_step_and_an_action() -> None:
    table = table_of(
        """\
step play
    together p in Player
        choose by p "What?"
            pay
            pay_twice
    choose k in 1..2 "Go on?"
    set wish = k

step put_in(k: 1..2)
    add k to n

action pay "Pay"
    put_in(1)

action pay_twice "Pay twice"
    put_in(1)
    add 1 to n
"""
    )
    assert after(table, (1, 1, 2)).slots["n", None] == 4
    for seed in range(6):
        play_in_step(Engine(table), seed)


def test_one_together_in_another() -> None:
    table = table_of(
        """\
step play
    together p in {Player(1), Player(2)}
        ask(p)
    choose k in 1..2 "Go on?"
    set wish = k

step ask(p: Player)
    add 10 to n
    together q in {p}
        choose k in 1..2 by q "How many?"
        add k to n
"""
    )
    assert after(table, (1, 2)).slots["n", None] == 23
    for seed in range(6):
        play_in_step(Engine(table), seed)


def test_too_much_together() -> None:
    table = table_of(STEP.format("add k to low"))
    with pytest.raises(RulesError, match=r"`low` would be 5, outside 0\.\.4"):
        after(table, (1, 2, 2))
    for seed in range(6):
        play_in_step(Engine(table, checked=True), seed)
