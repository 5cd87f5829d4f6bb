"""The shortest game in which two games differ.

Both are played in lock-step, first all games without a choice, then with one, and so on: the first
difference found is one after as few choices as can be. What a deal decides is tried with several
deals; rolls with few outcomes are tried one by one.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from time import monotonic

import attrs

from ruledsl.lab.comparing.lockstep import (
    Side,
    Undecided,
    Unlike,
    options_differ,
    seated,
    set_up_differences,
    setting,
    table_differs,
)
from ruledsl.play.chance import Generator
from ruledsl.play.log import Line, log_lines
from ruledsl.table.table import Table

DEALS = 12
"""Deals that are tried, where there is anything to deal."""
DEALS_SEEN = 60
"""Deals among which they are chosen."""
LONGEST = 400
"""Choices of a game played at random in search of any difference."""
MORE_SECONDS = 5
MORE_GAMES = 200
"""How long such games are played at most, and how many."""


@attrs.frozen
class Witness:
    """A game that shows the difference, told up to there."""

    choices: tuple[str, ...]
    """who chose what"""
    story: tuple[Line, ...]
    difference: Unlike
    proven: bool
    """whether no game with fewer choices shows one, in the deals tried"""


@attrs.frozen
class Search:
    """What came of looking for a difference."""

    set_up: tuple[Unlike, ...]
    witness: Witness | None
    searched: int
    """all games with fewer choices than this were tried"""
    deals: int
    """so many deals were tried; 1 where nothing is dealt"""
    games: int
    exhausted: bool
    """whether every game was tried to its end"""


@attrs.frozen
class _Node:
    """A way to play: a deal, what was chosen (by code), and what rolls gave."""

    deal: int
    codes: tuple[str, ...] = ()
    rolls: tuple[str, ...] = ()


@attrs.frozen
class _Reached:
    """Both games after these choices."""

    one: Side
    other: Side
    said: tuple[str, ...]


def find_witness(
    one: Table,
    other: Table,
    *,
    seconds: float = 10.0,
    most_games: int | None = None,
    told: Callable[[int, int], None] = lambda choices, games: None,
) -> Search:
    """The shortest difference; searches for some seconds, or through so many games at most."""
    return _Searcher(one, other, seconds, most_games, told).search()


class _Searcher:
    def __init__(
        self,
        one: Table,
        other: Table,
        seconds: float,
        most_games: int | None,
        told: Callable[[int, int], None],
    ) -> None:
        self.tables = (one, other)
        self.seconds = seconds
        self.until = monotonic() + seconds
        self.most_games = most_games
        self.told = told
        self.games = 0
        self.ignored: frozenset[str] = frozenset()

    def search(self) -> Search:
        first = [seated(table, 0, None) for table in self.tables]
        set_up = set_up_differences(*first)
        self.ignored = frozenset(set_up)
        dealt = any(side.chance.asked for side in first)
        deals = self._most_alike() if dealt else (0,)
        found, searched, exhausted = self._shortest(deals)
        if found is None and not exhausted:
            found = self._by_chance()
        return Search(tuple(set_up.values()), found, searched, len(deals), self.games, exhausted)

    def _over(self) -> bool:
        too_many = self.most_games is not None and self.games >= self.most_games
        return too_many or monotonic() > self.until

    def _most_alike(self) -> tuple[int, ...]:
        """Deals after which the tables differ least: what they don't share hides what rules do."""
        apart: dict[int, int] = {}
        for deal in range(DEALS_SEEN):
            if monotonic() > self.until and apart:
                break
            sides = [seated(table, deal, None) for table in self.tables]
            apart[deal] = len(set_up_differences(*sides))
        return tuple(sorted(sorted(apart, key=lambda deal: apart[deal])[:DEALS]))

    def _shortest(self, deals: tuple[int, ...]) -> tuple[Witness | None, int, bool]:
        todo = deque(_Node(deal) for deal in deals)
        seen: set[int] = set()
        level = 0
        while todo:
            node = todo.popleft()
            if len(node.codes) > level:
                level = len(node.codes)
                seen.clear()
                self.told(level, self.games)
            if self._over():
                return None, level, False
            try:
                reached = self._played(node)
            except Undecided as roll:
                # An outcome is no choice: what follows it comes before longer games.
                ways = (attrs.evolve(node, rolls=(*node.rolls, each)) for each in roll.outcomes)
                todo.extendleft(reversed(list(ways)))
                continue
            found = self._difference(reached)
            if found is not None:
                return self._told(reached, found, proven=True), level, False
            key = hash((node.deal, setting(reached.one, reached.other)))
            if reached.one.decision is None or key in seen:
                continue
            seen.add(key)
            todo.extend(
                attrs.evolve(node, codes=(*node.codes, code)) for code in reached.one.codes()
            )
        return None, level, True

    def _difference(self, reached: _Reached) -> Unlike | None:
        return options_differ(reached.one, reached.other) or table_differs(
            reached.one, reached.other, self.ignored
        )

    def _played(self, node: _Node) -> _Reached:
        """Both games from the beginning: rules that run can't be copied."""
        self.games += 1
        one, other = (seated(table, node.deal, node.rolls) for table in self.tables)
        said = [self._choose(one, other, code) for code in node.codes]
        return _Reached(one, other, tuple(said))

    def _choose(self, one: Side, other: Side, code: str) -> str:
        assert one.decision is not None
        option = one.codes()[code]
        said = f"{one.words.value(one.decision.seat)}: {one.label(option)}"
        theirs = other.codes().get(code)
        assert theirs is not None, "both had the same options"
        for side, taken in ((one, option), (other, theirs)):
            side.go_on(taken)
        return said

    def _told(self, reached: _Reached, difference: Unlike, *, proven: bool) -> Witness:
        viewers = self.tables[0].things("Player")
        story = tuple(log_lines(reached.one.events, viewers, reached.one.words))
        return Witness(reached.said, story, difference, proven)

    # ------------------------------------------------------------ by chance

    def _by_chance(self) -> Witness | None:
        """Any difference: of games played at random that show one, the shortest."""
        best: tuple[_Reached, Unlike] | None = None
        until = monotonic() + min(self.seconds, MORE_SECONDS)
        for number in range(MORE_GAMES):
            if self.most_games is None and monotonic() > until:
                break
            longest = LONGEST if best is None else len(best[0].said) - 1
            best = self._at_random(number, longest, until) or best
        return None if best is None else self._told(*best, proven=False)

    def _at_random(self, number: int, longest: int, until: float) -> tuple[_Reached, Unlike] | None:
        self.games += 1
        mind = Generator(number)
        one, other = (seated(table, DEALS_SEEN + number, None) for table in self.tables)
        said: list[str] = []
        while True:
            reached = _Reached(one, other, tuple(said))
            found = self._difference(reached)
            if found is not None:
                return reached, found
            codes = list(one.codes())
            late = self.most_games is None and monotonic() > until
            if not codes or late or len(said) >= longest:
                return None
            said.append(self._choose(one, other, codes[mind.below(len(codes))]))
