"""How a game ended: ranks, winners, pay-offs."""

from __future__ import annotations

import attrs

from ruledsl.table.errors import RulesError
from ruledsl.table.evaluate import frame_size
from ruledsl.table.position import Position
from ruledsl.table.queries import Frame, as_set
from ruledsl.table.table import Table
from ruledsl.table.things import Thing


@attrs.frozen
class Result:
    """The end of a game: each player's rank (1 is best; equal ranks are shared) and pay-off.

    `how` is `win`, `end`, `the rules` (the last step was over) or `limit`. A draw of all has no
    winners.
    """

    ranks: dict[Thing, int]
    payoffs: dict[Thing, int]
    winners: tuple[Thing, ...]
    how: str


def result_of(
    table: Table, pos: Position, won: tuple[Thing, ...], *, drawn: bool, how: str
) -> Result:
    players = table.things("Player")
    if drawn:
        groups: list[list[Thing]] = [list(players)]
    else:
        groups = _groups(table, pos, won)
    ranks: dict[Thing, int] = {}
    for group in groups:
        rank = len(ranks) + 1
        for player in group:
            ranks[player] = rank
    ranks = {player: ranks[player] for player in players}
    first = tuple(player for player in players if ranks[player] == 1)
    winners = () if len(first) == len(players) and not won else first
    payoffs = {player: -rank for player, rank in ranks.items()}
    ranking = table.game.ranking
    if ranking is not None and ranking.payoff is not None:
        value = table.evaluator.compiled(ranking.payoff.value)
        size = frame_size(ranking.payoff.value, ranking.local)
        for player in players:
            worth = value(pos, [player, *([None] * size)])
            assert isinstance(worth, int)
            bounds = ranking.payoff.bounds
            low, high = table.number(bounds.low), table.number(bounds.high)
            if not low <= worth <= high:
                raise RulesError(
                    "range",
                    f"the payoff of {player} is {worth}, outside {low}..{high}",
                    ranking.payoff.value.span,
                )
            payoffs[player] = worth
    return Result(ranks, payoffs, winners, how)


def _groups(table: Table, pos: Position, won: tuple[Thing, ...]) -> list[list[Thing]]:
    """Players of equal rank, the best first."""
    players = table.things("Player")
    groups: list[list[Thing]] = [[player for player in players if player in won]]
    scores = scores_of(table, pos, won)
    ranked = sorted(scores, key=lambda player: scores[player])
    groups.extend(
        [player for player in ranked if scores[player] == score]
        for score in sorted(set(scores.values()))
    )
    others = [player for player in players if player not in won and player not in ranked]
    staying = [player for player in others if player not in pos.out]
    if staying:
        groups.append(staying)
    groups.extend([player] for player in reversed(pos.out) if player in others)
    return [group for group in groups if group]


def scores_of(
    table: Table, pos: Position, without: tuple[Thing, ...] = ()
) -> dict[Thing, tuple[int, ...]]:
    """The values that the ranking goes by, for each player it is about; less is better."""
    ranking = table.game.ranking
    if ranking is None:
        return {}
    compiled = table.evaluator.compiled
    size = frame_size(ranking.domain, ranking.local, *(key.value for key in ranking.keys))
    keys = [(-1 if key.way == "highest" else 1, compiled(key.value)) for key in ranking.keys]
    scores: dict[Thing, tuple[int, ...]] = {}
    for player in as_set(compiled(ranking.domain)(pos, [None] * (size + 1))):
        if isinstance(player, Thing) and player not in without:
            frame: Frame = [player, *([None] * size)]
            values = [(sign, key(pos, frame)) for sign, key in keys]
            scores[player] = tuple(sign * value for sign, value in values if isinstance(value, int))
    return scores
