"""What the engine does not compile is played by the interpreter, which says why."""

from __future__ import annotations

import pytest

from ruledsl.diagnostics.source import Source
from ruledsl.engine import Engine
from ruledsl.engine.unsupported import Unsupported
from ruledsl.lab.examples import run_in_both
from ruledsl.library import Library
from ruledsl.model.game import CheckedGame
from ruledsl.play.chance import Dice, Generator
from ruledsl.play.check import check_source
from ruledsl.play.interpreter import Interpreter
from ruledsl.players.budget import Iterations
from ruledsl.players.search import SearchPlayer
from ruledsl.players.situation import situation_of
from ruledsl.table.table import Table

HEAD = """\
game odd "Odd"
    players PLAYERS

place Yard network of Cat
    gate - lawn - shed
    lawn - tree
piece Cat 1 per Player in gate

state n: number = 0
state seen: set of NUMBERS

step setup
    set active = Player(1)

"""
BODY = """\
step play
    choose k in 1..2 "How many?"
    LINE
    if n > 1
        win active
    end game

test "one"
    when play
        1
    then
        finished
"""

UNSUPPORTED = {
    "more than 31 players": ("32", "1..9", "set n = k"),
    "may hold any number": ("2", "number", "set seen = seen + {k}"),
    "`reach` goes through numbers": (
        "2",
        "1..9",
        "set n = count(reach(x from {k} via {x + 2, x + 3} where x < 9))",
    ),
}
COMPILED = {
    "31 players": ("31", "1..9", "set n = active.next.seat"),
    "a loop over paths": (
        "2",
        "1..9",
        "for path in lawn.paths\n        add count(path) * k to n",
    ),
    "a loop over paths with a choice": (
        "2",
        "1..9",
        """for path in lawn.paths
        choose m in 1..2 "And?"
        add count(path) * m to n
        if shed in path
            add k to n""",
    ),
    "a sorted loop over paths": (
        "2",
        "1..9",
        "for path in lawn.paths lowest count(path)\n        set n = n * 5 + count(path)",
    ),
}


def game_of(players: str, numbers: str, line: str) -> CheckedGame:
    head = HEAD.replace("PLAYERS", players).replace("NUMBERS", numbers)
    text = head + BODY.replace("LINE", line)
    checked = check_source(Source("odd.rules", text), Library())
    assert checked.game is not None, [each.message for each in checked.diagnostics]
    return checked.game


@pytest.mark.parametrize("reason", UNSUPPORTED)
def test_it_is_told_why(reason: str) -> None:
    game = game_of(*UNSUPPORTED[reason])
    with pytest.raises(Unsupported) as caught:
        Engine(Table(game, game.players[0]))
    assert reason in caught.value.placed


@pytest.mark.parametrize("reason", UNSUPPORTED)
def test_tests_run_in_the_interpreter_alone(reason: str) -> None:
    told: list[Unsupported] = []
    outcomes = list(run_in_both(game_of(*UNSUPPORTED[reason]), told.append))
    assert [outcome.failure for outcome in outcomes] == [None]
    assert [reason in each.reason for each in told] == [True]


@pytest.mark.parametrize("reason", UNSUPPORTED)
def test_whoever_would_look_ahead_takes_what_looks_best_at_once(reason: str) -> None:
    game = game_of(*UNSUPPORTED[reason])
    interpreter = Interpreter(Table(game, game.players[0]), Dice(Generator(1)))
    situation = situation_of(interpreter, next(interpreter.play()))
    player = SearchPlayer(Iterations(20), Generator(1))
    assert player.choose(situation) in (0, 1)
    assert not any(thought.visits for thought in player.thoughts(situation))


@pytest.mark.parametrize("name", COMPILED)
def test_what_is_compiled_agrees(name: str) -> None:
    told: list[Unsupported] = []
    game = game_of(*COMPILED[name])
    outcomes = list(run_in_both(game, told.append))
    assert not told
    # Where more is asked than the test answers, it breaks off, but agrees so far.
    failures = [each.failure.message for each in outcomes if each.failure is not None]
    assert failures == (["this does not hold"] if "choice" in name else [])


MANY_TRIGGERS = """\
game many "Many"
    players 2

state n: 0..200 = 0

step setup
    set active = Player(1)

step play
    repeat 3 times
        turn

step turn
    choose k in 1..2 "How many?"
    set n = 70 * k

""" + "\n".join(
    f"trigger falls_{at}\n    when n = {at}\n    set n = {at - 1}\n" for at in range(1, 76)
)


def test_there_may_be_more_triggers_than_bits() -> None:
    text = MANY_TRIGGERS + '\ntest "all fire"\n    when turn\n        1\n    then\n        n = 0\n'
    checked = check_source(Source("many.rules", text), Library())
    assert checked.game is not None, [each.message for each in checked.diagnostics]
    told: list[Unsupported] = []
    assert [each.failure for each in run_in_both(checked.game, told.append)] == [None]
    assert not told
