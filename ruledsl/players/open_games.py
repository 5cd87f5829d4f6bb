"""Open games of players who choose by chance or search, by the engine alone.

Where everybody sees everything, nobody has to keep what a seat knows, and the engine offers what
the interpreter would. So the choices are the same, without the price of interpreting the rules.
"""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from ruledsl.engine import Engine
from ruledsl.engine.played import Row
from ruledsl.engine.unsupported import Unsupported
from ruledsl.play.chance import Generator
from ruledsl.play.views import View
from ruledsl.players.aims import Aim
from ruledsl.players.follower import Follower, follower_of
from ruledsl.players.player import Forecast, Player, Thinking
from ruledsl.table.table import Table


class NeedsMore(Exception):
    """A player asks for what only the interpreter can tell."""


class OpenGames:
    """Games at a table at which nothing is hidden.

    They are played with all checks; searches are made in an engine that needs none.
    """

    def __init__(self, table: Table, follower: Follower) -> None:
        self._engine = Engine(table, checked=True)
        self._follower = follower

    def play(self, seed: int, players: Sequence[Player]) -> Row:
        """A game to its end; raises EngineError where rules go wrong, and NeedsMore."""
        engine = self._engine
        choices = options = 0
        asked = engine.start(seed)
        while asked:
            number = engine.number
            choices += 1
            options += number
            choice = players[engine.seat.index].choose(_InEngine(engine, self._follower, number))
            asked = engine.choose(choice)
        return attrs.evolve(engine.result(), choices=choices, options=options)


def open_games(table: Table) -> OpenGames | None:
    """Those at a table; None if something may be hidden there, or the rules can't be compiled."""
    if "open games" not in table.kept:
        try:
            follower = follower_of(table)
            found = OpenGames(table, follower) if follower.open_game else None
        except Unsupported:
            found = None
        table.kept["open games"] = found
    kept: OpenGames | None = table.kept["open games"]
    return kept


@attrs.frozen
class _InEngine:
    """A decision that the engine asks for."""

    _engine: Engine
    _follower: Follower
    count: int

    def think(self, generator: Generator) -> Thinking:
        engine = self._engine
        return self._follower.think_at(engine.save(), engine.seat, self.count, generator)

    @property
    def view(self) -> View:
        raise NeedsMore

    @property
    def options(self) -> tuple[str, ...]:
        raise NeedsMore

    def forecast(self, generator: Generator, aim: Aim | None = None) -> Forecast:  # noqa: ARG002
        raise NeedsMore
