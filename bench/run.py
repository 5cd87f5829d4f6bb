"""Measures how fast games are played, and searched, beside OpenSpiel.

    python -m bench.run [--games a,b] [--seconds S] [--rounds N] [--search | --untuned]

All games are played by random players from set-up to the end, on one thread. A run over all games
is kept in bench/RESULTS.md. Those of `--untuned` were written for this comparison alone; what was
measured when they were new stays in bench/first.json, beside what is measured now.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import attrs

from bench.entries import ENTRIES, UNTUNED, Entry
from bench.openspiel import OpenSpielGame
from bench.ours import Command, our_game
from bench.results import Column, circumstances, head, keep, line, number
from bench.timing import Work, rates

ITERATIONS = 1000
"""of one search; a tree of this size is grown anew each time"""

GAME = Column("game", max(len(entry.title) for entry in ENTRIES), left=True)
FIRST = Path(__file__).with_name("first.json")


@attrs.frozen
class Effort:
    seconds: float
    rounds: int


@attrs.frozen
class Report:
    """A table: what it is called, what its columns mean, and how a row is measured."""

    title: str
    entries: tuple[Entry, ...]
    columns: tuple[Column, ...]
    row: Callable[[Entry, Effort], Sequence[str] | None]
    explained: str


def main() -> None:
    parser = argparse.ArgumentParser(description="How fast games are played, beside OpenSpiel.")
    parser.add_argument("--games", help="names with commas between; all without")
    parser.add_argument("--seconds", type=float, default=1.0, help="for each figure in a round")
    parser.add_argument("--rounds", type=int, default=5, help="of which the median counts")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--search", action="store_true", help="measure search instead of playouts")
    what.add_argument("--untuned", action="store_true", help="games nobody has tuned for")
    asked = parser.parse_args()
    report = SEARCH if asked.search else OTHERS if asked.untuned else PLAYOUTS
    known = [entry.name for entry in report.entries]
    names = asked.games.split(",") if asked.games else known
    unknown = {*names} - {*known}
    if unknown:
        parser.error(f"not measured: {', '.join(sorted(unknown))}")
    effort = Effort(asked.seconds, asked.rounds)
    entries = [entry for entry in report.entries if entry.name in names]
    lines = []
    for text in _lines(report, entries, effort):
        print(text, flush=True)
        lines.append(text)
    if len(entries) == len(report.entries):
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
    found["simulate"] = Command(entry).rate(found["engine"], effort.seconds * effort.rounds, 1)
    return (
        entry.name + "*" * (theirs is not None and theirs.deals),
        str(entry.players),
        f"{ours.choices / ours.games:.1f}",
        f"{theirs.choices / theirs.games:.1f}" if theirs else number(None),
        *(
            number(found.get(name))
            for name in ("reference", "engine", "simulate", "loop", "bots", "rollouts")
        ),
        number(_ratio(found.get("simulate"), found.get("rollouts"))),
        f"{compiled[1] * 1000:,.0f} ms",
    )


def _untuned(entry: Entry, effort: Effort) -> Sequence[str]:
    """What was measured first is kept for ever."""
    assert entry.theirs is not None
    ours, theirs = our_game(entry), OpenSpielGame(entry.theirs)
    engine, made = ours.compiled()
    works: dict[str, Work] = {"engine": engine.rollouts, "rollouts": theirs.rollouts}
    found = rates(works, effort.seconds, effort.rounds)
    simulated = Command(entry).rate(found["engine"], effort.seconds * effort.rounds, 1)
    ratio = simulated / found["rollouts"]
    first: dict[str, float] = json.loads(FIRST.read_text()) if FIRST.exists() else {}
    first.setdefault(entry.title, round(ratio, 3))
    FIRST.write_text(json.dumps(first, indent=2) + "\n")
    ours.reference(20, 1)
    theirs.loop(200, 1)
    return (
        entry.title + "*" * theirs.deals,
        f"{ours.choices / ours.games:.1f}",
        f"{theirs.choices / theirs.games:.1f}",
        *(number(each) for each in (found["engine"], simulated, found["rollouts"])),
        number(first[entry.title]),
        number(ratio),
        f"{made * 1000:,.0f} ms",
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
    ENTRIES,
    (
        attrs.evolve(GAME, width=GAME.width + 1),
        Column("players", 2),
        Column("choices, ours", 7),
        Column("theirs", 7),
        Column("reference", 9),
        Column("engine", 9),
        Column("simulate", 9),
        Column("Python loop", 9),
        Column("C++ bots", 9),
        Column("C++ rollouts", 9),
        Column("simulate : rollouts", 6),
        Column("compiled in", 8),
    ),
    _playouts,
    "Whole random games in a second; choices are those with more than one option, in a game on "
    "average. `reference` is our interpreter, `engine` our compiled rules, `simulate` the command "
    "as users call it, with all checks: processor seconds of many games less those of a few. The "
    "others are OpenSpiel: stepped from Python; by its random bots, a call for each game; and by "
    "its rollout evaluator, many games in a call. Games with * begin with a deal or a throw, "
    "which the rollouts of OpenSpiel leave out and everything else includes.",
)

OTHERS = Report(
    "Games nobody has tuned for",
    UNTUNED,
    (
        attrs.evolve(GAME, width=GAME.width + 1),
        Column("choices, ours", 7),
        Column("theirs", 7),
        Column("engine", 9),
        Column("simulate", 9),
        Column("C++ rollouts", 9),
        Column("first", 6),
        Column("simulate : rollouts", 6),
        Column("compiled in", 8),
    ),
    _untuned,
    "Games that OpenSpiel has and we don't ship, written in bench/games/ from their rules before "
    "anybody looked at their speed. `first` is the ratio that was measured then, the one beside it "
    "today's.",
)

SEARCH = Report(
    "Search",
    ENTRIES,
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
