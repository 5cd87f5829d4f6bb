"""Playing shipped games without people: settings, random play, and what must always hold."""

import random
import re
from collections.abc import Callable, Iterator
from functools import cache

import attrs

import ruledsl
from ruledsl.library import Library
from ruledsl.play.chance import Dice, Generator
from ruledsl.play.decisions import Decision
from ruledsl.play.events import AnyEvent
from ruledsl.play.interpreter import Interpreter
from ruledsl.table.position import Position
from ruledsl.table.table import Table
from ruledsl.table.things import as_written

_HEADER = re.compile(r"^(game|variant|library) (\w+)(?: of ([\w, ]+))?", re.MULTILINE)
_USED = re.compile(r"^use (\w+)", re.MULTILINE)
_PLAYERS = re.compile(r"^ +players (\d+)(?:\.\.(\d+))?", re.MULTILINE)


@cache
def _texts() -> dict[str, str]:
    """The rules of every shipped game and variant, after those they build on.

    Nothing is parsed: tests are collected quickly.
    """
    texts: dict[str, str] = {}
    bases: dict[str, list[str]] = {}
    games: list[str] = []
    for source in Library().sources():
        header = _HEADER.search(source.text)
        assert header is not None
        sort, name, built_on = header.groups()
        texts[name] = source.text
        bases[name] = [base.strip() for base in (built_on or "").split(",") if base]
        bases[name] += _USED.findall(source.text)
        games += [name] if sort != "library" else []
    assert games, "no games are shipped"

    def whole(name: str) -> str:
        return "\n".join((*map(whole, bases[name]), texts[name]))

    return {name: whole(name) for name in games}


def shipped_games() -> list[str]:
    """Every shipped game and variant."""
    return list(_texts())


def players_of(game: str) -> range:
    """The numbers of players a game is for."""
    found = _PLAYERS.search(_texts()[game])
    assert found
    low, high = found.groups()
    return range(int(low), int(high or low) + 1)


def games_with_secrets() -> list[str]:
    """Games in which not everybody sees everything."""
    secret = re.compile(r"^(?:place|state) .*\b(?:hidden|private|seen when)\b", re.MULTILINE)
    return [game for game, text in _texts().items() if secret.search(text)]


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
        for name in checked.options:
            for value in usual.option_values(name):
                if value != usual.options[name]:
                    yield Setting(game, players, ((name, as_written(value)),))


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
