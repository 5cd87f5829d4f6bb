"""What a whole game may take in the interpreter, however short each of its decisions is."""

import pytest

from ruledsl.diagnostics.source import Source
from ruledsl.lab.simulation import RandomGames, play_one
from ruledsl.lab.tally import GameRow
from ruledsl.library import Library
from ruledsl.model import allowance
from ruledsl.play.loading import load_source
from ruledsl.table.table import Table

RULES = """game shuttle "Shuttle"
    players 2

place box of Stone
place bag of Stone
piece Stone 2 in box

step setup
    set active = Player(1)

step play
    repeat
        repeat 10 times
            move 1 from box to bag
            move 1 from bag to box
        choose z in 1..3 "?"
        set active = active.next
"""
LINE = "shuttle:11: "
TOO_LONG = f"{LINE}this game as a whole takes too long to work out"


def table(rules: str = RULES) -> Table:
    return Table(load_source(Source("shuttle", rules), Library()).checked, 2)


def test_a_game_of_short_decisions_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(allowance, "MOST_STATEMENTS", 500)
    row = play_one(table(), seed=1, number=0)
    assert row.failure == TOO_LONG
    assert row.decisions == 30  # 34 statements at each of them, and two times 500 at most


def test_so_is_one_of_many_queries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(allowance, "MOST_QUERIES", 1000)
    asking = RULES.replace(
        "        choose z",
        "        if count(x in 1..200 where x > 3) = 0\n            end game\n        choose z",
    )
    assert play_one(table(asking), seed=1, number=0).failure == TOO_LONG


def test_compiled_games_without_end_are_looked_into_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The interpreter has had enough before it sees that there is no end."""
    monkeypatch.setattr(allowance, "MOST_STATEMENTS", 500)
    games = RandomGames(table(), seed=1)
    assert _failures(games, 0, 3) == [TOO_LONG] * 3
    monkeypatch.setattr("ruledsl.lab.simulation.play_one", None)
    assert _failures(games, 3, 6) == [TOO_LONG] * 3


def _failures(games: RandomGames, first: int, last: int) -> list[str | None]:
    return [row.failure for row in games.play(first, last) if isinstance(row, GameRow)]
