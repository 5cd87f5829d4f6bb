"""Measures how fast games are played, and searched, beside OpenSpiel.

    python -m bench.run [--games a,b] [--seconds S] [--rounds N] [--search]

All games are played by random players from set-up to the end, on one thread. A run over all games
is kept in bench/RESULTS.md.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence

import attrs

from bench.games import ENTRIES, Entry
from bench.openspiel import OpenSpielGame
from bench.ours import our_game
from bench.results import Column, circumstances, head, keep, line, number
from bench.timing import Work, rates

ITERATIONS = 1000
"""of one search; a tree of this size is grown anew each time"""

GAME = Column("game", max(len(entry.name) for entry in ENTRIES), left=True)


@attrs.frozen
class Effort:
    seconds: float
    rounds: int


@attrs.frozen
class Report:
    """A table: what it is called, what its columns mean, and how a row is measured."""

    title: str
    columns: tuple[Column, ...]
    row: Callable[[Entry, Effort], Sequence[str] | None]
    explained: str


def main() -> None:
    parser = argparse.ArgumentParser(description="How fast games are played, beside OpenSpiel.")
    parser.add_argument("--games", help="names with commas between; all without")
    parser.add_argument("--seconds", type=float, default=1.0, help="for each figure in a round")
    parser.add_argument("--rounds", type=int, default=5, help="of which the median counts")
    parser.add_argument("--search", action="store_true", help="measure search instead of playouts")
    asked = parser.parse_args()
    names = asked.games.split(",") if asked.games else [entry.name for entry in ENTRIES]
    unknown = {*names} - {entry.name for entry in ENTRIES}
    if unknown:
        parser.error(f"not measured: {', '.join(sorted(unknown))}")
    report = SEARCH if asked.search else PLAYOUTS
    effort = Effort(asked.seconds, asked.rounds)
    entries = [entry for entry in ENTRIES if entry.name in names]
    lines = []
    for text in _lines(report, entries, effort):
        print(text, flush=True)
        lines.append(text)
    if len(entries) == len(ENTRIES):
        keep(report.title, "\n".join(lines))


def _lines(report: Report, entries: Sequence[Entry], effort: Effort) -> Iterator[str]:
    yield circumstances()
    rounds = f"{effort.rounds} rounds of {effort.seconds:g} s"
    yield f"Each figure is the median of {rounds} of processor time.\n"
    yield head(report.columns)
    for entry in entries:
        cells = report.row(entry, effort)
        if cells is not None:
            yield line(report.columns, cells)
    yield f"\n{report.explained}"
    differing = [entry for entry in entries if entry.differs]
    if differing:
        yield "\nWhere the rules differ:\n"
        yield from (f"* {entry.name}: {entry.differs}" for entry in differing)


def _playouts(entry: Entry, effort: Effort) -> Sequence[str]:
    ours = our_game(entry)
    theirs = OpenSpielGame(entry.theirs) if entry.theirs else None
    compiled = ours.compiled()
    works: dict[str, Work] = {"reference": ours.reference, "engine": compiled[0].rollouts}
    if theirs is not None:
        works |= {"loop": theirs.loop, "bots": theirs.bots, "rollouts": theirs.rollouts}
    found = rates(works, effort.seconds, effort.rounds)
    return (
        entry.name + "*" * (theirs is not None and theirs.deals),
        str(entry.players),
        f"{ours.choices / ours.games:.1f}",
        f"{theirs.choices / theirs.games:.1f}" if theirs else number(None),
        *(number(found.get(name)) for name in ("reference", "engine", "loop", "bots", "rollouts")),
        number(_ratio(found.get("engine"), found.get("rollouts"))),
        f"{compiled[1] * 1000:,.0f} ms",
    )


def _search(entry: Entry, effort: Effort) -> Sequence[str]:
    theirs = OpenSpielGame(entry.theirs) if entry.theirs else None
    compiled = our_game(entry).compiled()
    works: dict[str, Work] = {"ours": compiled[0].iterations}
    if theirs is not None and theirs.searchable:
        works["theirs"] = theirs.search
    found = rates(works, effort.seconds, effort.rounds, count=ITERATIONS)
    ours, other = found.get("ours"), found.get("theirs")
    return entry.name, str(entry.players), number(ours), number(other), number(_ratio(ours, other))


def _ratio(ours: float | None, theirs: float | None) -> float | None:
    return None if ours is None or theirs is None else ours / theirs


PLAYOUTS = Report(
    "Playouts",
    (
        attrs.evolve(GAME, width=GAME.width + 1),
        Column("players", 2),
        Column("choices, ours", 7),
        Column("theirs", 7),
        Column("reference", 9),
        Column("engine", 9),
        Column("Python loop", 9),
        Column("C++ bots", 9),
        Column("C++ rollouts", 9),
        Column("engine : rollouts", 6),
        Column("compiled in", 8),
    ),
    _playouts,
    "Whole random games in a second; choices are those with more than one option, in a game on "
    "average. `reference` is our interpreter, `engine` our compiled rules. The others are "
    "OpenSpiel: stepped from Python; by its random bots, a call for each game; and by its rollout "
    "evaluator, many games in a call. Games with * begin with a deal or a throw, which the "
    "rollouts of OpenSpiel leave out and everything else includes.",
)

SEARCH = Report(
    "Search",
    (
        GAME,
        Column("players", 2),
        Column("engine", 9),
        Column("C++ MCTS", 9),
        Column("engine : MCTS", 6),
    ),
    _search,
    f"Iterations of search in a second, with one random playout in each, {ITERATIONS} from the "
    "first decision of a game. OpenSpiel's bot looks at hidden cards.",
)


if __name__ == "__main__":
    main()
