"""A number that was not bounded never leads to a wrong place, in neither executor."""

from __future__ import annotations

import pytest

from ruledsl.diagnostics.source import Source
from ruledsl.engine import Engine
from ruledsl.engine.played import EngineError
from ruledsl.library import Library
from ruledsl.play.chance import Dice, Generator
from ruledsl.play.check import check_source
from ruledsl.play.interpreter import Interpreter
from ruledsl.table.errors import RulesError
from ruledsl.table.table import Table
from tests.engine.lockstep import play_in_step

HEAD = """\
game x
    players 2
    limit 30 decisions

type Size = 1..3
type Colour = red, green
type Pair per Colour, Size

place box of Chip
place slot per Player, Size of Chip
place Cell grid 2 by 2 of Chip
piece Chip 6 in box
piece Card 1 per Colour, Size in pile
place pile of Card

state before: number = 7
state slot.heat: number = 1
state after: number = 8
state Pair.worth: number = 2
state Card.worn: number = 3
state Cell.wet: number = 4
state numbers: set of 1..3
state last: number = 9
state n: number = 0

define at(p: Player, k: 1..3) = slot(p, k)

step setup
    set active = Player(1)

step play
    repeat 3 times
        choose k in -2..5 "Which?"
        set n = k
        turn(k)

step turn(k: number)
"""


def checked(body: str) -> set[str]:
    """The codes of what is wrong with a body of the turn."""
    text = HEAD + "".join(f"    {line}\n" for line in body.splitlines())
    return {each.code.name for each in check_source(Source("x", text), Library()).diagnostics} - {
        "unused-declaration",
        "unused-name",
        "never-set",
        "unread-state",
    }


def table_of(body: str) -> Table:
    text = HEAD + "".join(f"    {line}\n" for line in body.splitlines())
    found = check_source(Source("x", text), Library())
    assert found.game is not None, found.diagnostics
    return Table(found.game, 2)


@pytest.mark.parametrize(
    "line",
    [
        "set slot(active, k).heat = 9",
        "set active.slot(k).heat = 9",
        "move 1 from box to slot(active, k)",
        "move 1 from box to active.slot(k)",
        "move 1 from box to at(active, k)",
        "set Pair(red, k).worth = 9",
        "set Card(red, k).worn = 9",
        "set Cell(k, 1).wet = 9",
        "for c in slot(active, k)\n    move c to box",
    ],
)
def test_it_must_be_guarded(line: str) -> None:
    assert checked(line) == {"may-be-none"}


@pytest.mark.parametrize(
    "body",
    [
        "if k in Size\n    set slot(active, k).heat = 9",
        "if k >= 1 and k <= 3\n    set slot(active, k).heat = 9",
        "if k < 1 or k > 3\n    skip\nelse\n    set slot(active, k).heat = 9",
        "let s = slot(active, k)\nif s != none\n    set s.heat = 9",
        "set slot(active, clamp(k, 1, 3)).heat = 9",
        "set slot(active, k mod 3 + 1).heat = 9",
        "for j in Size\n    set slot(active, j).heat = 9",
        "for j in 2..3\n    move 1 from box to slot(active, j)",
        "if k in 1..2\n    set Cell(k, 3 - k).wet = k",
        "for c in Colour\n    set Pair(c, c.index).worth = n",
    ],
)
def test_what_is_guarded(body: str) -> None:
    assert checked(body) == set()
    engine = Engine(table_of(body))
    for seed in range(10):
        play_in_step(engine, seed)


READS = """\
let s = slot(active, k)
set before = count(s) + (if s = none then 100 else 0)
set after = if slot(active, k).heat = 1 then 5 else 6
set last = if Pair(red, k).worth = 2 then 1 else 2
"""


def test_what_is_read_outside() -> None:
    for checks in (True, False):
        engine = Engine(table_of(READS), checked=checks)
        for seed in range(10):
            play_in_step(engine, seed)


WRITES = {
    "a place of a family": "set sure(slot(active, k)).heat = 9",
    "a cell": "set sure(Cell(k, k)).wet = 9",
    "a product": "set sure(Pair(red, k)).worth = 9",
    "a piece": "set sure(Card(green, k)).worn = 9",
    "a move": "move 1 from box to sure(slot(active, k))",
    "a move of all": "move all from box to sure(Cell(k, 1))",
    "a move of one": "move sure(Card(green, k)) to pile",
    "a move from": "move all from sure(slot(active, k)) to box",
    "some from": "move 1 from sure(slot(active, k)) to box",
    "a set of numbers": "set numbers = {k}",
    "a large set of numbers": "set numbers = {k * 1000000}",
    "a set of sums": "set numbers = {j + k for j in Size}",
    "nobody": "eliminate sure(Player(k))",
    "a player who wins": "win sure(Player(k))",
    "whose turn": "set active = sure(Player(k))",
    "a long loop": "for j in 1..k * 1000\n    set last = j",
    "a long set": "let js = {j in 1..k * 1000 where j mod 2 = 0}\nset last = count(js)",
    "a long choice": 'choose j in 1..k * 300 + 1 by active "What?"\nset last = j',
    "a large shift": "if k * 40 in {1, 40, 80, 200}\n    set last = 1",
    "a member": "if k * 100000 in numbers\n    set last = 1",
}


@pytest.mark.parametrize("case", WRITES)
def test_what_is_written_outside(case: str) -> None:
    """A checked engine stops where the interpreter does; an unchecked one changes nothing else."""
    table = table_of(WRITES[case])
    safe = Engine(table, checked=True)
    fast = Engine(table, checked=False)
    for seed in range(12):
        play_in_step(safe, seed)
        _nothing_else_changes(fast, table, seed)


def _nothing_else_changes(engine: Engine, table: Table, seed: int) -> None:
    """Follow a game until the rules go wrong, and one decision further."""
    interpreter = Interpreter(table, Dice(Generator(seed)))
    run = interpreter.play()
    mind = Generator(seed)
    decision = next(run)
    going = engine.start(seed)
    while going:
        chosen = mind.below(len(decision.options))
        before = dict(interpreter.pos.slots)
        try:
            decision = run.send(decision.options[chosen])
        except StopIteration:
            return
        except RulesError:
            try:
                engine.choose(chosen)
            except EngineError:
                return
            slots = engine.position()["slots"]
            assert isinstance(slots, dict)
            changed = {key for key, value in slots.items() if before.get(key) != value}
            assert {state for state, _ in changed} <= {"n", "numbers"}
            return
        going = engine.choose(chosen)
