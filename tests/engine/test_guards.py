"""A checked engine stops where the reference does, and says what went wrong and where."""

from __future__ import annotations

import pytest

from ruledsl.diagnostics.source import Source, Span
from ruledsl.engine import Engine, EngineError
from ruledsl.lab.simulation import play_one
from ruledsl.library import Library
from ruledsl.model.check import check_rules
from ruledsl.play.chance import Dice, Generator
from ruledsl.play.interpreter import Interpreter
from ruledsl.table.errors import RulesError
from ruledsl.table.table import Table

HEAD = """\
game guarded "Guarded"
    players 2

type Colour = red, green

place box of Stone
place heap of Stone room 2
place pile of Stone stack
place shelf of Stone stack room 2
place slot of Stone room 1
place deck of Card stack
place row of Card
place top of Card room 1
place Cell grid 2 by 2 of Stone room 1
piece Stone 5 in box
piece Card in deck | worth
    ace            | 1
    two            | 2
    ten            | 9
state Stone.turned: flag = no

state down: 0..3 = 3
state bounded: 0..3 = 3 clamped
state two: 0..5 = 2
state three: 0..5 = 3
state zero: number = 0
state large: number = 1000000
state numbers: set of 1..5
state favourite: Colour or none
state Player.score: number = 0
state Player.lives: 0..2 = 1

step setup
    set active = Player(1)

"""


def table_of(rules: list[str]) -> Table:
    text = HEAD + "\n".join(rules) + "\n"
    checked = check_rules(Source("guarded.rules", text), Library())
    assert checked.game is not None, checked.diagnostics
    return Table(checked.game, 2)


def reference(table: Table) -> None:
    """Always with the first option."""
    run = Interpreter(table, Dice(Generator(1))).play()
    try:
        decision = next(run)
        while True:
            decision = run.send(decision.options[0])
    except StopIteration:
        return


def engine(table: Table) -> None:
    compiled = Engine(table, checked=True)
    going = compiled.start(1)
    while going:
        going = compiled.choose(0)


GUARDS = {
    "room": ("room", ["step play", "    move three from box to heap"]),
    "room of a cell": ("room", ["step play", "    move two from box to Cell(1, 1)"]),
    "room by a set": ("room", ["step play", "    move {s in box} to heap"]),
    "room of one place, from a stack": (
        "room",
        ["step play", "    move two from deck to top"],
    ),
    "room of one place, all from a stack": (
        "room",
        ["step play", "    move all from deck to top"],
    ),
    "room of one place that is taken": (
        "room",
        ["step play", "    move 1 from deck to top", "    move 1 from deck to top"],
    ),
    "room of one place that is taken, by a piece": (
        "room",
        ["step play", "    move 1 from deck to top", "    move sure(deck.top) to top"],
    ),
    "room of one place, at the bottom": (
        "room",
        ["step play", "    move two from deck to top at bottom"],
    ),
    "room of one place, by a set in order": (
        "room",
        ["step play", "    move {c in deck where c.worth > 1} to top"],
    ),
    "room of one place, alike pieces": ("room", ["step play", "    move two from box to slot"]),
    "room of one place by a name": (
        "room",
        [
            "step play",
            "    for c in Cell",
            "        move two from box to c",
        ],
    ),
    "room of a stack": ("room", ["step play", "    move three from box to shelf"]),
    "room of a stack, at the bottom": (
        "room",
        ["step play", "    move three from box to shelf at bottom"],
    ),
    "room of a stack, by all": ("room", ["step play", "    move all from box to shelf"]),
    "room of a stack, from a stack": (
        "room",
        ["step play", "    move all from box to pile", "    move all from pile to shelf"],
    ),
    "room of a stack, piece by piece": (
        "room",
        ["step play", "    for s in box", "        move s to shelf"],
    ),
    "room in looking ahead": (
        "room",
        [
            "step play",
            "    if would(empty(box) after fill)",
            "        set zero = 1",
            "step fill",
            "    move all from box to shelf",
        ],
    ),
    "room when all choose together": (
        "room",
        [
            "place hand per Player of Card",
            "",
            "step play",
            "    for p in Player",
            "        move 1 from deck to p.hand",
            "    together p in Player",
            '        choose n in 1..2 by p "How many?"',
            "        if n = 1",
            "            move all from p.hand to top",
        ],
    ),
    "some of a set of unlike cards": (
        "mixed",
        [
            "step play",
            "    move all from deck to row",
            "    move 1 from {c in row where c.worth > 1} to deck",
        ],
    ),
    "some of stones in unlike states": (
        "mixed",
        [
            "step play",
            "    for s in box",
            "        set s.turned = yes",
            "        end loop",
            "    move two from box to heap",
        ],
    ),
    "one of stones in several places": (
        "mixed",
        [
            "step play",
            "    move 1 from box to heap",
            "    move 1 from {s in Stone} to pile",
        ],
    ),
    "a trigger that leaves its condition true once": (
        "endless",
        [
            "step play",
            "    turn",
            "step turn",
            "    set zero = 2",
            "trigger falls",
            "    when zero > 0",
            "    take 1 from zero",
        ],
    ),
    "a trigger that leaves its condition true for the same player": (
        "endless",
        [
            "step play",
            "    turn",
            "step turn",
            "    set Player(2).score = 2",
            "trigger falls(p in Player)",
            "    when p.score > 0",
            "    take 1 from p.score",
        ],
    ),
    "a trigger with a decision that leaves its condition true": (
        "endless",
        [
            "step play",
            "    turn",
            "step turn",
            "    set Player(2).score = 3",
            "trigger falls(p in Player)",
            "    when p.score > 0",
            '    choose n in 1..2 "How far?"',
            "    take n from p.score",
        ],
    ),
    "room from a stack": (
        "room",
        ["step play", "    move all from box to pile", "    move three from pile to heap"],
    ),
    "room by all": ("room", ["step play", "    move all from box to heap"]),
    "a state below its range": (
        "range",
        ["step play", "    repeat 5 times", "        take 1 from down"],
    ),
    "a state above its range": ("range", ["step play", "    set down = count(box)"]),
    "a state of a player": ("range", ["step play", "    add count(box) to active.lives"]),
    "a parameter": (
        "range",
        [
            "step play",
            "    show_off(count(box))",
            "step show_off(n: 1..3)",
            "    set Player(1).score = n",
        ],
    ),
    "a pay-off": (
        "range",
        [
            "step play",
            "    set Player(1).score = 9",
            "ranking p in Player",
            "    highest p.score",
            "    payoff p.score in 0..5",
        ],
    ),
    "the of many": ("the", ["step play", "    move the(s in box) to heap"]),
    "the of two": (
        "the",
        ["step play", "    move two from box to heap", "    move the(s in heap) to box"],
    ),
    "the of two values": (
        "the",
        ["step play", "    set numbers = {2, 4}", "    set zero = the(n in numbers where n > 1)"],
    ),
    "the of none": ("the", ["step play", "    move the(s in heap) to box"]),
    "the of what may be none": ("the", ["step play", "    move sure(first(heap)) to box"]),
    "the of a state": ("the", ["step play", "    set zero = sure(favourite).index"]),
    "a value": ("stuck", ["step play", '    choose s in heap "One."', "    move s to box"]),
    "an action": (
        "stuck",
        [
            "step play",
            '    choose "What?"',
            "        grab",
            'action grab(s in heap) "Grab"',
            "    move s to box",
        ],
    ),
    "several": (
        "stuck",
        ["step play", '    choose some xs in heap "Some."', "    move xs to box"],
    ),
    "a roll": ("stuck", ["step play", "    roll s in heap", "    move s to box"]),
    "a division": ("division", ["step play", "    set Player(1).score = 4 / zero"]),
    "a remainder": ("division", ["step play", "    set Player(1).score = 4 mod zero"]),
    "a trigger again": (
        "endless",
        [
            "step play",
            "    turn",
            "step turn",
            "    set Player(1).score = 1",
            "trigger again(p in Player)",
            "    when p.score > 0",
            "    add 1 to p.score",
        ],
    ),
    "triggers in turn": (
        "endless",
        [
            "step play",
            "    turn",
            "step turn",
            "    set zero = 1",
            "trigger ping",
            "    when zero = 1",
            "    set zero = 2",
            "trigger pong",
            "    when zero = 2",
            "    set zero = 1",
        ],
    ),
    "a loop": (
        "endless",
        [
            "step play",
            "    repeat",
            "        if zero = 1",
            "            end loop",
            "        if zero = 2",
            "            add 1 to zero",
        ],
    ),
    "a number beyond all measure": (
        "large",
        ["step play", "    repeat 9 times", "        set large = large * large"],
    ),
}
"""What is stopped: the guard, and the rules."""


@pytest.mark.parametrize("name", GUARDS)
def test_the_guards_agree(name: str) -> None:
    kind, rules = GUARDS[name]
    table = table_of(rules)
    with pytest.raises(RulesError) as theirs:
        reference(table)
    assert theirs.value.kind == kind
    with pytest.raises(EngineError) as ours:
        engine(table)
    assert ours.value.kind == kind
    assert ours.value.message
    assert str(ours.value) == ours.value.message
    assert ours.value.span == theirs.value.span
    assert isinstance(ours.value.span, Span)
    assert ours.value.span.file == "guarded.rules"


def test_what_stays_within_its_limits_is_not_stopped() -> None:
    table = table_of(
        [
            "step play",
            "    move two from box to heap",
            "    take 3 from down",
            "    add 9 to bounded",
            "    show_off(2)",
            "step show_off(n: 1..3)",
            "    set Player(1).score = n",
        ]
    )
    reference(table)
    engine(table)


def test_an_engine_goes_on_after_an_error() -> None:
    """What went wrong in one game says nothing about the next."""
    compiled = Engine(
        table_of(["step play", '    choose n in 3..5 "How many?"', "    set down = n"]),
        checked=True,
    )
    for option, wrong in ((1, True), (0, False), (2, True), (2, True), (0, False)):
        assert compiled.start(1)
        if wrong:
            with pytest.raises(EngineError):
                compiled.choose(option)
        else:
            assert not compiled.choose(option)


def test_a_batch_names_the_guard_too() -> None:
    compiled = Engine(table_of(GUARDS["a state below its range"][1]), checked=True)
    with pytest.raises(EngineError) as caught:
        compiled.playouts(3, seed=1)
    assert caught.value.kind == "range"


UNCERTAIN = HEAD.replace(
    "    set active = Player(1)", "    if zero = 1\n        set active = Player(1)"
)


@pytest.mark.parametrize(
    "line", ['choose n in 1..2 "How many?"', "set active.score = 1", "set zero = active.next.seat"]
)
def test_nobody_is_active(line: str) -> None:
    """Where set-up may or may not say whose turn it is."""
    text = f"{UNCERTAIN}step play\n    {line}\n"
    checked = check_rules(Source("guarded.rules", text), Library())
    assert checked.game is not None, checked.diagnostics
    table = Table(checked.game, 2)
    with pytest.raises(RulesError) as theirs:
        reference(table)
    with pytest.raises(EngineError) as ours:
        engine(table)
    assert (ours.value.kind, ours.value.span) == (theirs.value.kind, theirs.value.span)
    assert ours.value.kind == "active"


CUPS = """
game cups "Cups"
    players 2

place cup per Player of Stone
place box of Stone
place tray of Stone room {ROOM}
piece Stone 40 per Player in player.cup

step setup
    move 3 from Player(1).cup to box
    move {OTHERS} from Player(2).cup to box
    set active = Player(1)

step play
    choose n in 1..2 "How many?"
    move n from box to tray
    move 1 from box to tray
    end game
"""


def cups(others: int, room: int = 80) -> Table:
    text = CUPS.replace("{OTHERS}", str(others)).replace("{ROOM}", str(room))
    game = check_rules(Source("cups.rules", text), Library()).game
    assert game is not None
    return Table(game, 2)


def guards_of(table: Table) -> list[str]:
    return [failure.mishap.guard for failure in Engine(table, checked=True).code.failures]


def test_what_can_never_be_full_is_not_guarded() -> None:
    assert "room" not in guards_of(cups(0))
    assert "room" in guards_of(cups(0, room=2))


def test_unlike_pieces_are_told_apart_by_words() -> None:
    assert Engine(cups(0), checked=True).batch(50, 1, 0).error is None
    for others in (1, 40):
        error = Engine(cups(others), checked=True).batch(50, 1, 0).error
        assert error is not None and error.kind == "mixed"
        assert play_one(cups(others), 1, 0).failure is not None
