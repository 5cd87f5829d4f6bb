"""How games go at random, whatever things are called: whole positions at each decision.

Things go by their number on the table, states, histories and actions by their place among all.
"""

from collections.abc import Iterator
from functools import cache

from ruledsl.library import Library
from ruledsl.model.game import CheckedGame
from ruledsl.play.chance import Dice, Generator
from ruledsl.play.check import check_source
from ruledsl.play.decisions import ActionOption, Decision, DoneOption, Option, ValueOption
from ruledsl.play.examples import run_tests
from ruledsl.play.interpreter import Interpreter
from ruledsl.table.position import Position
from ruledsl.table.table import Table
from ruledsl.table.things import Thing, Value

DECISIONS = 40
SEEDS = range(2)


def courses(game: CheckedGame | None) -> tuple[object, ...]:
    """Some games from their beginning, and what is wrong with the tests."""
    assert game is not None
    tests = [outcome.failure is None for outcome in run_tests(game)]
    return [tuple(_course(game, seed)) for seed in SEEDS], tests


@cache
def shipped_courses(name: str) -> tuple[object, ...]:
    """Of a game as it is on the disk."""
    library = Library()
    return courses(check_source(library.find(name), library).game)


def _course(game: CheckedGame, seed: int) -> Iterator[object]:
    table = Table(game, game.players[seed % len(game.players)])
    interpreter = Interpreter(table, Dice(generator := Generator(seed)))
    names = _Numbers(game)
    mind = Generator(seed + 1)
    run = interpreter.play()
    try:
        decision = next(run)
        for _ in range(DECISIONS):
            yield generator.state, names.position(interpreter.pos), names.decision(decision)
            decision = run.send(decision.options[mind.below(len(decision.options))])
    except StopIteration:
        result = interpreter.result
        assert result is not None
        ranks = [(player.order, rank) for player, rank in result.ranks.items()]
        yield generator.state, names.position(interpreter.pos), ranks


class _Numbers:
    """Says what there is by numbers."""

    def __init__(self, game: CheckedGame) -> None:
        self._states = {key: number for number, key in enumerate(game.states)}
        self._histories = {key: number for number, key in enumerate(game.histories)}
        self._actions = {key: number for number, key in enumerate(game.actions)}

    def position(self, pos: Position) -> object:
        slots = {
            (self._states[key], _number(owner)): _number(value)
            for (key, owner), value in pos.slots.items()
        }
        # What a history holds is told by which of its entries are alike.
        histories = {
            self._histories[key]: [seen.index(each) for each in seen]
            for key, seen in pos.histories.items()
        }
        return (
            {_number(piece): _number(place) for piece, place in pos.place_of.items()},
            {_number(place): _number(pieces) for place, pieces in pos.contents.items()},
            slots,
            histories,
            [_number(each) for each in (pos.active, pos.playing, pos.out, pos.chooser)],
            (pos.finished, _number(pos.winners)),
        )

    def decision(self, decision: Decision) -> object:
        options = [self._option(option) for option in decision.options]
        return _number(decision.seat), options, decision.least, decision.most

    def _option(self, option: Option) -> object:
        match option:
            case ActionOption():
                return self._actions[option.key], _number(option.values)
            case ValueOption():
                return _number(option.value)
            case DoneOption():
                return "done"


def _number(value: Value) -> object:
    if isinstance(value, Thing):
        return ("thing", value.order)
    return tuple(map(_number, value)) if isinstance(value, tuple) else value
