"""A suggestion for whoever decides: what a search on the seat's own knowledge thinks best."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import attrs

from ruledsl.play.chance import Generator
from ruledsl.play.decisions import Decision, DoneOption
from ruledsl.play.labels import Labels
from ruledsl.play.match import Choice, Match
from ruledsl.players.budget import Seconds
from ruledsl.players.search import SearchPlayer, Watch
from ruledsl.players.situation import situation_of

SECONDS = 2.0
"""How long to look ahead."""

MOSTLY_CUT = 0.9
"""Where so many games are broken off, winning means being ahead by then."""


@attrs.frozen
class Idea:
    """What could be chosen, the share of games that each seat wins after it, and what they are
    worth to whoever chooses, from 0 to 1: that is what a search goes by.
    """

    moves: tuple[str, ...]
    """several in a choice of several"""
    wins: tuple[float, ...]
    places: tuple[float, ...]
    """of each seat in the mean, from 1"""
    worth: float
    games: int
    """how many were played to learn this"""
    cut: float = 0
    """the share of them that were broken off and judged by who was ahead"""

    @property
    def far(self) -> bool:
        """Whether the end is too far away to try out many whole games."""
        return self.cut >= MOSTLY_CUT


def ideas(
    match: Match, generator: Generator, watch: Watch, seconds: float = SECONDS
) -> tuple[Idea, ...]:
    """The best choice and the runner-up, as far as the search knows any.

    In a choice of several each pick is looked at in turn; the runner-up has another last pick.
    """
    assert match.decision is not None
    picks = match.decision.most - len(match.decision.picked) if match.decision.several else 1
    found: tuple[tuple[Choice, Idea], ...] = ()
    with _trying(match) as taken:
        for pick in range(picks):
            share = _part_of(watch, pick, picks)
            player = SearchPlayer(Seconds(seconds / picks), generator, share)
            found = _two_best(match, player, tuple(taken))
            if not found or pick == picks - 1:
                break
            best, _ = found[0]
            if isinstance(best.option, DoneOption):
                break
            decision = match.decision
            taken.append(best.label)
            match.choose(best)
            if not _goes_on(decision, match.decision):
                # What was left to pick was forced: there is nothing to compare it with.
                return (attrs.evolve(found[0][1], moves=tuple(taken)),)
    return tuple(idea for _, idea in found)


def _two_best(
    match: Match, player: SearchPlayer, taken: tuple[str, ...]
) -> tuple[tuple[Choice, Idea], ...]:
    assert match.decision is not None
    thoughts = player.thoughts(situation_of(match.interpreter, match.decision))
    order = sorted(match.options, key=lambda choice: -thoughts[choice.number].visits)
    found = []
    for choice in order[:2]:
        thought = thoughts[choice.number]
        if thought.visits:
            found.append(
                (
                    choice,
                    Idea(
                        (*taken, choice.label),
                        thought.wins,
                        thought.places,
                        thought.worth[match.decision.seat.index],
                        thought.visits,
                        thought.cut,
                    ),
                )
            )
    return tuple(found)


def _part_of(watch: Watch, part: int, parts: int) -> Watch:
    return lambda share: watch((part + share) / parts)


def _goes_on(before: Decision | None, after: Decision | None) -> bool:
    """Whether this is the next pick of the same choice."""
    assert before is not None
    return (
        after is not None
        and after.statement is before.statement
        and after.seat is before.seat
        and len(after.picked) > len(before.picked)
    )


@contextmanager
def _trying(match: Match) -> Iterator[list[str]]:
    """Picks made here are taken back; the list gets those that are forced."""
    history, first = match.history, match.decision
    assert first is not None
    taken: list[str] = []

    def forced(decision: Decision) -> None:
        option = decision.options[0]
        same = decision.statement is first.statement and decision.seat is first.seat
        if same and decision.picked and not isinstance(option, DoneOption):
            taken.append(Labels(match.words, match.interpreter, decision).label(option))

    match.interpreter.on_forced = forced
    try:
        yield taken
    finally:
        match.interpreter.on_forced = None
        if match.history != history:
            match.replay(history)
