"""Playing shipped games without people: settings, random play, and what must always hold."""

import random
from collections.abc import Callable, Iterator
from functools import cache

import attrs

import ruledsl
from ruledsl.library import Library
from ruledsl.play.chance import Dice, Generator
from ruledsl.play.decisions import Decision
from ruledsl.play.events import AnyEvent
from ruledsl.play.interpreter import Interpreter
from ruledsl.syntax import ast
from ruledsl.syntax.parser import parse
from ruledsl.table.position import Position
from ruledsl.table.table import Table


def shipped_games() -> list[str]:
    """Every shipped game and variant, but no libraries."""
    found = []
    for source in Library().sources():
        header = parse(source).file.items[0]
        if isinstance(header, ast.Game | ast.Variant):
            found.append(header.name.text)
    assert found, "no games are shipped"
    return found


@cache
def loaded(name: str) -> ruledsl.Game:
    return ruledsl.load(name)


@attrs.frozen
class Setting:
    """A way to play a game; options that are not named have their usual values."""

    game: str
    players: int
    options: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        named = "".join(f" {name}={value}" for name, value in self.options)
        return f"{self.game} {self.players}{named}"

    def table(self) -> Table:
        return _table(self)


@cache
def _table(setting: Setting) -> Table:
    return Table(loaded(setting.game).checked, setting.players, dict(setting.options))


def settings(game: str) -> Iterator[Setting]:
    """Each number of players with the usual options, then each other value of each option."""
    checked = loaded(game).checked
    for players in checked.players:
        yield Setting(game, players)
        usual = Setting(game, players).table()
        for name, info in checked.options.items():
            values = usual.evaluator.constant(info.domain)
            assert isinstance(values, tuple)
            for value in values:
                if value != usual.options[name]:
                    yield Setting(game, players, ((name, str(value)),))


def play_out(setting: Setting, seed: int) -> Interpreter:
    """Play a game to its end with random players, with a look at every piece at every event."""
    interpreter = Interpreter(setting.table(), Dice(Generator(seed)))
    record = interpreter.hands.record

    def recorded(event: AnyEvent) -> None:
        record(event)
        conserved(interpreter.pos)

    interpreter.hands.record = recorded  # type: ignore[method-assign]
    rng = random.Random(seed)
    for decision, answer in decisions(interpreter):
        assert decision.options
        answer(rng.randrange(len(decision.options)))
    assert interpreter.result is not None
    conserved(interpreter.pos)
    return interpreter


def decisions(interpreter: Interpreter) -> Iterator[tuple[Decision, Callable[[int], None]]]:
    """Each decision of a game, with the function that answers it by number."""
    run = interpreter.play()
    try:
        decision = next(run)
        while True:
            answers: list[int] = []
            yield decision, answers.append
            decision = run.send(decision.options[answers[0]])
    except StopIteration:
        return


def conserved(pos: Position) -> None:
    """Every piece is in exactly one place, and the place has it."""
    for place, pieces in pos.contents.items():
        for piece in pieces:
            assert pos.place_of[piece] is place, f"{piece} lies in {place}, too"
    number = sum(map(len, pos.contents.values()))
    assert number == len(pos.place_of), f"{number} pieces instead of {len(pos.place_of)}"
