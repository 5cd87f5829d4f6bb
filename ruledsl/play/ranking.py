"""How a game ended: ranks, winners, pay-offs."""

from __future__ import annotations

from typing import Literal, TypeAlias

import attrs

from ruledsl.table import mishaps
from ruledsl.table.errors import RulesError
from ruledsl.table.evaluate import frame_size
from ruledsl.table.position import Position
from ruledsl.table.queries import Frame, as_set
from ruledsl.table.table import Table
from ruledsl.table.things import Thing, Value

How: TypeAlias = Literal["win", "lose", "draw", "end", "the rules", "limit"]
"""How a game ended; `the rules`: the last step was over."""


@attrs.frozen
class Result:
    """The end of a game: each player's rank (1 is best; equal ranks are shared) and pay-off.

    A draw has no winners. Where all have lost, all have the last rank.
    """

    ranks: dict[Thing, int]
    payoffs: dict[Thing, int]
    won: tuple[Thing, ...]
    how: How
    keys: dict[Thing, tuple[Value, ...]] = attrs.field(factory=dict, eq=False)
    """What the ranking went by, told with the result whatever it was worked out from."""

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats of those who have won."""
        return tuple(player.index + 1 for player in self.won)

    @property
    def all_lost(self) -> bool:
        return self.how == "lose" and not self.winners

    def ahead(self, player: Thing) -> int:
        """How many more are behind a player than before; what all win or lose counts most."""
        if len(self.winners) == len(self.ranks):
            return len(self.ranks)
        if self.all_lost:
            return -len(self.ranks)
        mine = self.ranks[player]
        return sum((mine < rank) - (rank < mine) for rank in self.ranks.values())


def result_of(table: Table, pos: Position, how: How, named: tuple[Thing, ...]) -> Result:
    """The result of a game that ended so; `named` are those who win, or lose."""
    players = table.things("Player")
    ranking = table.game.ranking
    teams = teams_of(table, pos)
    named = tuple(each for each in players if teams[each] in {teams[who] for who in named})
    groups = _by_team(teams, _groups(table, pos, how, named))
    decided = set(named).intersection(groups[0])
    if how in ("limit", "draw") or (not decided and _tied(table, teams, groups[0])):
        how = "limit" if how == "limit" else "draw"
        groups = [list(players)]
    alone = len(groups) == 1
    ranks: dict[Thing, int] = {}
    for group in groups:
        rank = len(ranks) + 1
        for player in group:
            ranks[player] = rank
    ranks = {player: ranks[player] for player in players}
    winners = tuple(player for player in players if ranks[player] == 1)
    if alone and how != "win":
        winners = ()
        if how == "lose":
            ranks = dict.fromkeys(players, len(players))
    payoffs = {player: -rank for player, rank in ranks.items()}
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
                    mishaps.outside(f"the payoff of {player}", low, high, worth),
                    ranking.payoff.value.span,
                )
            payoffs[player] = worth
    return Result(ranks, payoffs, winners, how)


def keys_of(table: Table, pos: Position) -> dict[Thing, tuple[Value, ...]]:
    """What the ranking goes by for each player, the first before those that break ties."""
    ranking = table.game.ranking
    if ranking is None:
        return {}
    nodes = [key.value for key in ranking.keys]
    size = frame_size(ranking.domain, ranking.local, *nodes)
    return {
        player: tuple(
            table.evaluator.compiled(node)(pos, [player, *([None] * size)]) for node in nodes
        )
        for player in table.things("Player")
    }


def _groups(table: Table, pos: Position, how: How, named: tuple[Thing, ...]) -> list[list[Thing]]:
    """Players of equal rank, the best first."""
    players = table.things("Player")
    won, lost = (named, ()) if how == "win" else ((), named)
    groups: list[list[Thing]] = [[player for player in players if player in won]]
    scores = scores_of(table, pos, named)
    ranked = sorted(scores, key=lambda player: scores[player])
    groups.extend(
        [player for player in ranked if scores[player] == score]
        for score in sorted(set(scores.values()))
    )
    others = [player for player in players if player not in named and player not in ranked]
    staying = [player for player in others if player not in pos.out]
    if staying:
        groups.append(staying)
    groups.extend([player] for player in reversed(pos.out) if player in others)
    groups.append([player for player in players if player in lost])
    return [group for group in groups if group]


def _by_team(teams: dict[Thing, Value], groups: list[list[Thing]]) -> list[list[Thing]]:
    """The same by teams: all of one have the rank of the best of them."""
    places: dict[Thing, int] = {}
    for player, team in teams.items():
        mates = {other for other, theirs in teams.items() if theirs == team}
        places[player] = next(at for at, group in enumerate(groups) if mates.intersection(group))
    return [
        [player for player in teams if places[player] == place]
        for place in sorted(set(places.values()))
    ]


def _tied(table: Table, teams: dict[Thing, Value], first: list[Thing]) -> bool:
    """Whether several teams, or players without one, share a first place that must be alone."""
    ranking = table.game.ranking
    alone = ranking is not None and ranking.no_tie
    return alone and len({teams[player] for player in first}) > 1


def teams_of(table: Table, pos: Position) -> dict[Thing, Value]:
    """What players of a team have in common; who has no team is one."""
    players = table.things("Player")
    ranking = table.game.ranking
    if ranking is None or ranking.team is None:
        return {player: player for player in players}
    team = table.evaluator.compiled(ranking.team)
    size = frame_size(ranking.team, ranking.local)
    found = {player: team(pos, [player, *([None] * size)]) for player in players}
    return {player: player if value is None else value for player, value in found.items()}


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
