"""Who won, the ranks, and the pay-offs of a game that is over."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from ruledsl.engine.code.instructions import (
    Code,
    Writer,
    add,
    both,
    cell_at,
    either,
    eq,
    load,
    ne,
    no,
    op,
    select,
    sub,
)
from ruledsl.engine.context import Context, Part
from ruledsl.engine.counters import Counter
from ruledsl.engine.effects.seeing import Seeing
from ruledsl.engine.expressions.environment import Env, Expressions
from ruledsl.engine.memory.control import CHOOSER, HOW, HOWS, OUT, WINNERS, WON
from ruledsl.engine.memory.layout import NO_NUMBER, category, none_of
from ruledsl.table import mishaps

FEW_PLAYERS = 4
"""So few are ranked without a loop."""

MOST_AHEAD = 10_000
"""A lead that counts no further: many games are added up in one cell."""


@attrs.frozen
class Teams:
    """Where it is noted, by seat, what a team has in common, and which of its seats is best."""

    team: int
    best: int


class Results(Part):
    """Writes what is done when a game ends."""

    def __init__(self, context: Context, expressions: Expressions, seeing: Seeing) -> None:
        super().__init__(context)
        self.expressions = expressions
        self.seeing = seeing
        players = self.layout.players
        self.ranks = self.layout.scratch(4 * players)
        self.payoffs = self.layout.scratch(4 * players)
        self.tiers = self.layout.scratch(4 * players)
        ranking = self.game.ranking
        keys = () if ranking is None else ranking.keys
        self.scores = [self.layout.scratch(4 * players) for _ in keys]
        """for each line of the ranking, what each seat has; the lowest is best"""
        self.ahead = self.layout.scratch(4)
        """by how much the seat leads that was last found to"""

    def write(self) -> None:
        """Ranks, pay-offs and winners of a game that is over."""
        players = self.layout.players
        first = self.layout.first_player
        tiers, scores = self.tiers, self.scores
        ranking = self.game.ranking
        w = self.context.function("finish", result=False)
        w.store(CHOOSER, -1)
        self.seeing.know_stop(w)
        drawn = w.once(self._ended("limit", "draw"))
        teams = self._teams(w)
        self._score(w)
        self._count_ties(w, drawn)
        last = w.once(select(self._ended("lose"), 4 + 2 * players, 0))
        for seat in self._seats(w):
            with w.when(("i32.and", ("i32.shr_u", load(WON), seat), 1)):
                w.store(cell_at(tiers, seat), last)
                for base in scores:
                    w.store(cell_at(base, seat), 0)
        if teams is not None:
            self._best_of_teams(w, teams)
        winners = w.variable(0)

        def best(seat: Code) -> Code:
            """Who stands for a seat: the best of its team."""
            return seat if teams is None else load(cell_at(teams.best, seat))

        for seat in self._seats(w):
            rank_of = w.variable(1)
            with w.when(no(drawn)):
                for other in self._seats(w):
                    if other == seat:
                        continue
                    w.set(rank_of, add(rank_of, self._better(best(other), best(seat))))
            w.store(cell_at(self.ranks, seat), rank_of)
            w.store(cell_at(self.payoffs, seat), sub(0, rank_of))
            with w.when(eq(rank_of, 1)):
                w.set(winners, ("i32.or", winners, ("i32.shl", 1, seat)))
        self._without_winners(w, winners, teams)
        if ranking is not None and ranking.payoff is not None:
            payoff = ranking.payoff
            low, high = self.table.number(payoff.bounds.low), self.table.number(payoff.bounds.high)
            for seat in self._seats(w):
                around: Env = {ranking.local.number: w.once(add(seat, first))}
                worth = w.once(self.expressions.number(w, payoff.value, around))
                if self.context.checked:
                    with w.when(("i32.gt_u", sub(worth, low), high - low)):
                        self.context.fail(
                            w, mishaps.outside("a payoff", low, high), payoff.value.span
                        )
                w.store(cell_at(self.payoffs, seat), worth)
        w.store(WINNERS, winners)

    def _count_ties(self, w: Writer, drawn: Code) -> None:
        """Which lines of the ranking are needed: how many are tied up to each, and told apart."""
        counters, ranking = self.context.counters, self.game.ranking
        if counters is None or ranking is None:
            return
        pairs = w.counting(0, self.layout.players)
        with w.when(both(load(counters.watching), no(drawn))), pairs as one:
            ranked = w.once(eq(load(cell_at(self.tiers, one)), 1))
            with w.counting(0, one) as other:
                tied = w.variable(both(ranked, eq(load(cell_at(self.tiers, other)), 1)))
                for key, base in zip(ranking.keys, self.scores, strict=True):
                    same = eq(load(cell_at(base, one)), load(cell_at(base, other)))
                    counters.note_if(w, Counter("tied", "", key.span), tied)
                    counters.note_if(w, Counter("told apart", "", key.span), both(tied, no(same)))
                    w.set(tied, both(tied, same))

    def _score(self, w: Writer) -> None:
        """How each seat stands: those who are ranked, those who stayed, those who left."""
        ranking = self.game.ranking
        first, tiers, scores = self.layout.first_player, self.tiers, self.scores
        # Before all of them come those who won.
        for seat in self._seats(w):
            w.store(cell_at(tiers, seat), 2)
            for base in scores:
                w.store(cell_at(base, seat), 0)
        with w.counting(0, load(OUT)) as at:
            seat_out = w.once(load(cell_at(self.layout.out_list, at)))
            w.store(cell_at(tiers, seat_out), sub(3 + self.layout.players, at))
        if ranking is None:
            return

        def rank(player: Code) -> None:
            player = w.once(player)
            seat = w.once(sub(player, first))
            env: Env = {ranking.local.number: player}
            w.store(cell_at(tiers, seat), 1)
            for key, base in zip(ranking.keys, scores, strict=True):
                value = w.once(self.expressions.number(w, key.value, env))
                if key.way == "highest":
                    value = w.once(sub(0, value))
                w.store(cell_at(base, seat), value)

        self.expressions.set(w, ranking.domain, {}).each(w, rank)

    def write_leader(self) -> None:
        """A function that tells which seat would be first alone if the game ended now, or -1.

        How far it is ahead of the next by the first key, it leaves in `ahead`.
        """
        w = self.context.function("leader")
        before = w.variable(load(CHOOSER))
        w.store(CHOOSER, -1)
        self._score(w)
        w.store(CHOOSER, before)
        best = w.variable(0)
        with w.counting(1, self.layout.players) as seat, w.when(self._better(seat, best)):
            w.set(best, seat)
        behind = w.variable(0)
        with w.counting(0, self.layout.players) as seat:
            w.set(behind, add(behind, self._better(best, seat)))
        self._measure_lead(w, best)
        w.give_back(select(eq(behind, self.layout.players - 1), best, -1))

    def _measure_lead(self, w: Writer, best: Code) -> None:
        if not self.scores:
            return
        first, mine = self.scores[0], w.once(load(cell_at(self.scores[0], best)))
        nearest = w.variable(MOST_AHEAD)
        for seat in self._seats(w):
            with w.when(ne(seat, best)):
                off = w.once(sub(load(cell_at(first, seat)), mine))
                with w.when(op("i32.lt_s", off, nearest)):
                    w.set(nearest, off)
        w.store(self.ahead, select(op("i32.lt_s", nearest, 0), 0, nearest))

    def _ended(self, *hows: str) -> Code:
        """Whether the game ended in one of these ways."""
        found: Code = 0
        for how in hows:
            found = either(found, eq(load(HOW), HOWS.index(how)))
        return found

    def _better(self, one: Code, other: Code) -> Code:
        """Whether one seat stands before another one, teams apart."""
        better: Code = 0
        for base in reversed([self.tiers, *self.scores]):
            left, right = load(cell_at(base, one)), load(cell_at(base, other))
            better = either(op("i32.lt_s", left, right), both(eq(left, right), better))
        return better

    def _teams(self, w: Writer) -> Teams | None:
        """What the players of a team have in common; who was named, was named for all of it."""
        ranking = self.game.ranking
        if ranking is None or ranking.team is None:
            return None
        players = self.layout.players
        teams = Teams(self.layout.scratch(4 * players), self.layout.scratch(4 * players))
        none = none_of(category(ranking.team.type))
        for seat in self._seats(w):
            env: Env = {ranking.local.number: w.once(add(seat, self.layout.first_player))}
            value = w.once(self.expressions.value(w, ranking.team, env))
            # Who has no team is one; no number of a thing or in a game is so low.
            alone = add(seat, NO_NUMBER + 1)
            w.store(cell_at(teams.team, seat), select(eq(value, none), alone, value))
        named = w.once(load(WON))
        for seat in self._seats(w):
            with w.when(("i32.and", ("i32.shr_u", named, seat), 1)):
                for mate in self._mates(w, teams, seat):
                    w.store(WON, ("i32.or", load(WON), ("i32.shl", 1, mate)))
        return teams

    def _mates(self, w: Writer, teams: Teams, seat: Code) -> Iterator[Code]:
        """All of the team of a seat."""
        mine = w.once(load(cell_at(teams.team, seat)))
        count = w.counting(0, self.layout.players)
        with count as other, w.when(eq(load(cell_at(teams.team, other)), mine)):
            yield other

    def _best_of_teams(self, w: Writer, teams: Teams) -> None:
        for seat in self._seats(w):
            best = w.variable(seat)
            for mate in self._mates(w, teams, seat):
                with w.when(self._better(mate, best)):
                    w.set(best, mate)
            w.store(cell_at(teams.best, seat), best)

    def _without_winners(self, w: Writer, winners: str, teams: Teams | None) -> None:
        """Where all share the first rank, or several do who must not, nobody has won."""
        players = self.layout.players
        everybody = eq(winners, (1 << players) - 1)
        ranking = self.game.ranking
        if ranking is not None and ranking.no_tie:
            decided = either(
                self._ended("win", "limit", "draw", "cut"), both(everybody, self._ended("lose"))
            )
            with w.when(both(self._tied(w, winners, teams), no(decided))):
                w.store(HOW, HOWS.index("draw"))
                w.set(winners, 0)
                self._all_rank(w, 1)
        with w.when(both(everybody, no(self._ended("win")))):
            w.set(winners, 0)
            with w.when(self._ended("lose")):
                self._all_rank(w, players)

    def _tied(self, w: Writer, winners: str, teams: Teams | None) -> Code:
        """Whether several share the first rank, who are not of one team."""
        if teams is None:
            return op("i32.gt_u", ("i32.popcnt", winners), 1)
        first = w.once(load(cell_at(teams.team, ("i32.ctz", winners))))
        apart = w.variable(0)
        for seat in self._seats(w):
            won = ("i32.and", ("i32.shr_u", winners, seat), 1)
            with w.when(both(won, ne(load(cell_at(teams.team, seat)), first))):
                w.set(apart, 1)
        return apart

    def part_of_win(self, w: Writer, whole: int) -> Code:
        """What a winner gets: all of it, or a part where the ranking left a tie."""
        ranking = self.game.ranking
        if ranking is not None and ranking.team is not None:
            return whole
        number = w.once(("i32.popcnt", load(WINNERS)))
        part = ("i32.div_u", whole, add(number, no(number)))
        return select(self._ended("win"), whole, part)

    def _all_rank(self, w: Writer, rank: int) -> None:
        for seat in self._seats(w):
            w.store(cell_at(self.ranks, seat), rank)
            w.store(cell_at(self.payoffs, seat), -rank)

    def _seats(self, w: Writer) -> Iterator[Code]:
        """Every seat: written out for a few, in a loop for more."""
        if self.layout.players <= FEW_PLAYERS:
            yield from range(self.layout.players)
        else:
            with w.counting(0, self.layout.players) as seat:
                yield seat
