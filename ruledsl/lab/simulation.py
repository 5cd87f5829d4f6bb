"""Simulation: many games by computer players, and what they add up to.

Game number n of a simulation depends on the seed and n alone, so the numbers are the same however
the games are shared out among processes. Games of random players are played by the engine, and
added up where they are played. Where it costs nothing to count options, they are, move by move, the
games that the interpreter would play. Elsewhere these are the first games and a small share of the
others; in the rest options are drawn without being listed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from math import inf
from statistics import fmean
from time import monotonic

import attrs

from ruledsl.engine import Engine
from ruledsl.engine.following import Notes, followed, noted, option_noted
from ruledsl.engine.memory.control import HOWS, RANDOM, SAMPLED
from ruledsl.engine.played import Batch, EngineError, Row
from ruledsl.lab.tally import GameColumns, GameRow, ending
from ruledsl.play.chance import Dice, Generator
from ruledsl.play.decisions import Decision
from ruledsl.play.interpreter import Interpreter
from ruledsl.players.open_games import NeedsMore, open_games
from ruledsl.players.player import Player
from ruledsl.players.seats import Computer, Random, Search, player_for
from ruledsl.players.situation import situation_of
from ruledsl.table import mishaps
from ruledsl.table.errors import RulesError
from ruledsl.table.table import Table
from ruledsl.table.things import Thing

_STREAMS = 0xD1342543DE82EF95
"""Keeps the generators of different games, and of players and dice, apart."""

MOST_FALSE_ALARMS = 5
"""Games that only looked wrong, before checks are made that take longer but do not mistake it."""

MOST_CONFIRMED = {"endless": 1, "slow": 3, "size": 3}
"""Games that both executors stop at one place in the rules, before nobody waits for the interpreter
there again. Of games without end both know the same; what is too long or too large for one may not
be for the other, so more of them are looked into unless both say the very same."""

CHOICES_TIMED = 4
"""Choices that tell how long somebody thinks."""

Make = Callable[[Computer, Generator], Player]


def dice_of(seed: int, number: int) -> int:
    """What all chance of a game comes from."""
    return Generator((seed * _STREAMS + 2 * number) & (2**64 - 1)).next()


def play_one(
    table: Table,
    seed: int,
    number: int,
    sitting: Sequence[Computer] | None = None,
    make: Make = player_for,
) -> GameRow:
    """Play one game, with random players unless others are named seat by seat."""
    dice = dice_of(seed, number)
    players = Generator((seed * _STREAMS + 2 * number + 1) & (2**64 - 1)).next()
    seated = [Random() for _ in table.things("Player")] if sitting is None else sitting

    def sat_down() -> list[Player]:
        mind = Generator(players)
        return [make(seat, mind) for seat in seated]

    quick = open_games(table) if _search_by_chance(seated) else None
    if quick is not None:
        with suppress(EngineError, NeedsMore):  # Then the interpreter plays it from the beginning.
            return _row(number, quick.play(dice, sat_down()))
    interpreter = Interpreter(table, Dice(Generator(dice)))
    minds = sat_down()

    def choose(decision: Decision) -> int:
        return minds[decision.seat.index].choose(situation_of(interpreter, decision))

    return _interpreted(interpreter, number, choose)


def _search_by_chance(seated: Sequence[Computer]) -> bool:
    """Whether players need no more than the number of options, and some of them look ahead."""
    return all(isinstance(seat, Random | Search) for seat in seated) and any(
        isinstance(seat, Search) for seat in seated
    )


def seconds_of_choice(
    table: Table, seed: int, who: Computer, now: Callable[[], float] = monotonic
) -> float:
    """How long somebody thinks about a choice when a game begins, where most is ahead."""
    interpreter = Interpreter(table, Dice(Generator(dice_of(seed, 0))))
    mind = player_for(who, Generator(seed))
    took: list[float] = []
    run = interpreter.play()
    with suppress(StopIteration, RulesError):
        decision = next(run)
        while len(took) < CHOICES_TIMED:
            begun = now()
            choice = mind.choose(situation_of(interpreter, decision))
            took.append(now() - begun)
            decision = run.send(decision.options[choice])
    # The first one has to make ready.
    return fmean(took[1:] or took or [0.0])


def play_noted(engine: Engine, notes: Notes, seed: int, number: int) -> GameRow:
    """The interpreter's game in which the engine's choices are made, then any."""
    interpreter = Interpreter(engine.table, Dice(Generator(dice_of(seed, number))))
    mind = Generator(seed + number)
    left = iter(range(notes.number))

    def choose(decision: Decision) -> int:
        at = next(left, None)
        if at is None:
            return mind.below(len(decision.options))
        return option_noted(engine, notes, at, decision)

    def forced(decision: Decision) -> None:  # noqa: ARG001 - it is known what is chosen
        next(left, None)  # noted as well

    interpreter.on_forced = forced
    return _interpreted(interpreter, number, choose)


def _interpreted(
    interpreter: Interpreter, number: int, choose: Callable[[Decision], int]
) -> GameRow:
    choices = options = 0
    run = interpreter.play()
    try:
        decision = next(run)
        while True:
            choices += 1
            options += len(decision.options)
            decision = run.send(decision.options[choose(decision)])
    except StopIteration:
        pass
    except RulesError as error:
        what = f"{error.span.file}:{error.span.line}: {error.message}"
        made = interpreter.decisions
        return GameRow(number, "failed", (), (), (), made, choices, options, what)
    result = interpreter.result
    assert result is not None
    seats = interpreter.table.things("Player")
    return GameRow(
        number,
        ending(result.how, result.winners),
        tuple(result.ranks[seat] for seat in seats),
        tuple(result.payoffs[seat] for seat in seats),
        result.winners,
        interpreter.decisions,
        choices,
        options,
    )


def _seat(player: Thing) -> int:
    return player.index + 1


class RandomGames:
    """Games of random players, by the engine.

    If all are to be `listed`, they are the interpreter's, and every one counts its options.
    """

    def __init__(
        self, table: Table, seed: int, *, checked: bool = True, listed: bool = False
    ) -> None:
        self.table = table
        self.seed = seed
        self.engine = Engine(table, checked=checked, lightly=True)
        self.close: Engine | None = None
        """looks closely where something looks wrong, from the first few false alarms on"""
        self._mode = RANDOM if listed else SAMPLED
        self._false_alarms = 0
        self._confirmed: dict[str, list[str]] = {}
        """what the interpreter said of games that it stops too, by where the engine did"""
        self._too_long = RulesError(mishaps.GAME_TOO_LONG, table.game.steps["play"].span).placed
        self._doubtful: set[str] = set()
        """where the interpreter did not stop, or elsewhere"""

    def play(self, first: int, last: int, *, keep: bool = False) -> Iterator[Batch | GameRow]:
        """Games from one number up to, not including, another; those that fail stand alone.

        Batches have the rows of their games if these are to be kept.
        """
        while first < last:
            batch = self.engine.batch(last - first, self.seed, first, mode=self._mode, keep=keep)
            if batch:
                yield batch
            first += len(batch)
            if batch.error is not None:
                yield self._looked_into(first, batch.error)
                first += 1

    def is_listed(self, number: int) -> bool:
        """Whether a game is that of the interpreter, in which every choice is made from a list."""
        return self._mode == RANDOM or self.engine.code.batches.is_listed(number)

    def _looked_into(self, number: int, error: EngineError) -> GameRow:
        """The interpreter says more exactly what went wrong, and after how many choices."""
        failed = GameRow(number, "failed", (), (), (), 0, None, None, error.placed)
        said = self._confirmed.setdefault(error.placed, [])
        enough = 1 if error.placed in said else MOST_CONFIRMED.get(error.kind, inf)
        if error.placed not in self._doubtful and len(said) >= enough:
            return attrs.evolve(failed, failure=said[-1])
        notes = None if self.is_listed(number) else noted(self.engine, self.seed, number)
        if error.kind == "suspect" and self.close is not None:
            row = self._closely(self.close, number, notes)
            if row is not None:
                return row
        if notes is None:
            row = play_one(self.table, self.seed, number)
        else:
            row = play_noted(self.engine, notes, self.seed, number)
        elsewhere = error.kind == "endless" and row.failure not in (error.placed, self._too_long)
        if row.failure is None or elsewhere:
            self._doubtful.add(error.placed)
        elif error.kind in MOST_CONFIRMED:
            said.append(row.failure)
        if error.kind == "suspect":
            self._false_alarms += row.failure is None
            if self._false_alarms == MOST_FALSE_ALARMS:
                self.close = Engine(self.table, checked=True)
            return row
        # What is too much for the engine need not be for the interpreter.
        if row.failure is not None or error.kind in ("size", "slow"):
            return row
        return failed

    def _closely(self, engine: Engine, number: int, notes: Notes | None) -> GameRow | None:
        """The game by an engine that makes all checks; None if they say that something is wrong."""
        if notes is None:
            batch = engine.batch(1, self.seed, number, mode=RANDOM, keep=True)
        else:
            batch = followed(engine, notes, self.seed, number)
        return next(rows_of(batch, number), None)


def columns_of(batch: Batch, first: int) -> GameColumns:
    """The games of a batch by columns, numbered from `first` on."""
    found = batch.columns
    assert found is not None, "no rows were kept"
    ends = list(zip(found.hows, found.winners, strict=True))
    words = {end: ending(HOWS[end[0]], end[1]) for end in set(ends)}
    return (
        range(first, first + len(batch)),
        [words[end] for end in ends],
        *found.ranks,
        *found.payoffs,
        found.decisions,
        found.choices,
        found.options,
    )


def rows_of(batch: Batch, first: int) -> Iterator[GameRow]:
    """The games of a batch one by one, numbered from `first` on."""
    for number, row in enumerate(batch.rows(), first):
        yield _row(number, row)


def _row(number: int, row: Row) -> GameRow:
    how = ending(row.how, row.winners)
    counts = (row.decisions, row.choices, row.options)
    return GameRow(number, how, row.ranks, row.payoffs, row.winners, *counts)
