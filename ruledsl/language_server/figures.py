"""The chances of a game, tried out with random players, in one short line."""

from __future__ import annotations

from ruledsl.lab.simulation import RandomGames
from ruledsl.lab.tally import GameRow, Tally
from ruledsl.model.game import CheckedGame
from ruledsl.table.table import Table

GAMES = 1000
SEED = 1


def figures(game: CheckedGame, games: int = GAMES) -> str:
    """Who wins how often, with as few players as the game allows."""
    players = game.players[0]
    tally = Tally(players)
    for each in RandomGames(Table(game, players), SEED).play(0, games):
        if isinstance(each, GameRow):
            tally.add([each])
        else:
            tally.add_batch(each)
    summary = tally.summary()
    shares = ", ".join(f"{100 * seat.wins.value:.0f}%" for seat in summary.seats)
    failed = sum(failure.games for failure in summary.failures)
    broken = f", rules went wrong in {failed}" if failed else ""
    return (
        f"{games} games, {players} players: wins {shares}, draws {100 * summary.draws.value:.0f}%, "
        f"{summary.mean_length:.0f} choices{broken}"
    )
