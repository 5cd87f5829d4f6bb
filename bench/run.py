"""Measures how fast games are played, and searched, beside OpenSpiel.

    python -m bench.run [--only SECTION] [--games a,b] [--seconds S] [--rounds N]

All games are played by random players from set-up to the end, on one thread. A run over everything
writes bench/RESULTS.md anew, but for what `bench.jobs` measures; one over all games of a section
writes that section. What was measured first stays in bench/first.json, beside what is measured now.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path

import attrs

from bench import by_hand
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
    compares: bool = True
    """whether OpenSpiel's games stand beside ours"""


def main() -> None:
    parser = argparse.ArgumentParser(description="How fast games are played, beside OpenSpiel.")
    sections = ("playouts", "untuned", "checked", "search", "by_hand")
    parser.add_argument("--only", choices=sections, help="one section; all without")
    parser.add_argument("--games", help="names with commas between; all without")
    parser.add_argument("--seconds", type=float, default=0.3, help="for each figure in a round")
    parser.add_argument("--rounds", type=int, default=3, help="of which the median counts")
    asked = parser.parse_args()
    known = {entry.name for entry in (*ENTRIES, *UNTUNED)}
    names = {*asked.games.split(",")} if asked.games else known
    if names - known:
        parser.error(f"not measured: {', '.join(sorted(names - known))}")
    effort = Effort(asked.seconds, asked.rounds)
    found: dict[str, str] = {}
    for section in (asked.only,) if asked.only else sections:
        title = BY_HAND if section == "by_hand" else REPORTS[section].title
        print(f"\n## {title}\n", flush=True)
        found[title] = _printed(_section(section, names, effort))
    if names == known:
        keep(found, whole=asked.only is None)


def _printed(lines: Iterator[str]) -> str:
    found = []
    for text in lines:
        print(text, flush=True)
        found.append(text)
    return "\n".join(found)


def _section(section: str, names: Collection[str], effort: Effort) -> Iterator[str]:
    yield circumstances()
    rounds = f"{effort.rounds} rounds of {effort.seconds:g} s"
    yield f"Each figure is the median of {rounds} of processor time.\n"
    if section == "by_hand":
        yield from by_hand.lines(
            effort.seconds, effort.rounds, lambda theirs: OpenSpielGame(theirs).rollouts
        )
    else:
        yield from _table(REPORTS[section], names, effort)


def _table(report: Report, names: Collection[str], effort: Effort) -> Iterator[str]:
    entries = [entry for entry in report.entries if entry.name in names]
    yield head(report.columns)
    for entry in entries:
        cells = report.row(entry, effort)
        if cells is not None:
            yield line(report.columns, cells)
    yield f"\n{report.explained}"
    differing = [entry for entry in entries if entry.differs and report.compares]
    if differing:
        yield "\nWhere the rules differ:\n"
        yield from (f"* {entry.name}: {entry.differs}" for entry in differing)


def _playouts(entry: Entry, effort: Effort) -> Sequence[str]:
    ours = our_game(entry)
    theirs = OpenSpielGame(entry.theirs) if entry.theirs else None
    compiled = ours.compiled()
    works: dict[str, Work] = {"engine": compiled[0].rollouts}
    if theirs is not None:
        works |= {"loop": theirs.loop, "bots": theirs.bots, "rollouts": theirs.rollouts}
    found = rates(works, effort.seconds, effort.rounds)
    found |= rates({"reference": ours.reference}, effort.seconds, 1)
    found["simulate"] = _simulated(entry, found["engine"], effort)
    ratio = _ratio(found["simulate"], found.get("rollouts"))
    return (
        entry.name + "*" * (theirs is not None and theirs.deals),
        str(entry.players),
        f"{ours.choices / ours.games:.1f}",
        f"{theirs.choices / theirs.games:.1f}" if theirs else number(None),
        *(
            number(found.get(name))
            for name in ("reference", "engine", "simulate", "loop", "bots", "rollouts")
        ),
        number(found["simulate"] / found["engine"]),
        number(None if ratio is None else _first(entry, ratio)),
        number(ratio),
        f"{compiled[1] * 1000:,.0f} ms",
    )


def _simulated(entry: Entry, usual: float, effort: Effort) -> float:
    return Command(entry).rate(usual, effort.seconds * effort.rounds, effort.rounds)


def _untuned(entry: Entry, effort: Effort) -> Sequence[str]:
    assert entry.theirs is not None
    ours, theirs = our_game(entry), OpenSpielGame(entry.theirs)
    engine, made = ours.compiled()
    works: dict[str, Work] = {"engine": engine.rollouts, "rollouts": theirs.rollouts}
    found = rates(works, effort.seconds, effort.rounds)
    simulated = _simulated(entry, found["engine"], effort)
    ratio = simulated / found["rollouts"]
    ours.reference(20, 1)
    theirs.loop(200, 1)
    return (
        entry.title + "*" * theirs.deals,
        f"{ours.choices / ours.games:.1f}",
        f"{theirs.choices / theirs.games:.1f}",
        *(number(each) for each in (found["engine"], simulated, found["rollouts"])),
        number(simulated / found["engine"]),
        number(_first(entry, ratio)),
        number(ratio),
        f"{made * 1000:,.0f} ms",
    )


def _first(entry: Entry, ratio: float) -> float:
    """What was measured first is kept for ever."""
    first: dict[str, float] = json.loads(FIRST.read_text())
    if entry.title not in first:
        first[entry.title] = round(ratio, 3)
        FIRST.write_text(json.dumps(first, indent=2) + "\n")
    return first[entry.title]


def _checked(entry: Entry, effort: Effort) -> Sequence[str]:
    ours = our_game(entry)
    works = {"trusting": ours.compiled()[0].rollouts, "checked": ours.checked().rollouts}
    found = rates(works, effort.seconds, effort.rounds)
    ratio = found["checked"] / found["trusting"]
    return entry.title, number(found["trusting"]), number(found["checked"]), number(ratio)


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
        Column("simulate : engine", 6),
        Column("first", 6),
        Column("simulate : rollouts", 6),
        Column("compiled in", 8),
    ),
    _playouts,
    "Whole random games in a second; choices are those with more than one option, in a game on "
    "average. `reference` is our interpreter, `engine` our compiled rules, `simulate` the command "
    "as users call it, with all checks: processor seconds of many games less those of a few. The "
    "others are OpenSpiel: stepped from Python; by its random bots, a call for each game; and by "
    "its rollout evaluator, many games in a call. Games with * begin with a deal or a throw, "
    "which the rollouts of OpenSpiel leave out and everything else includes. `first` is the ratio "
    "to rollouts that was measured when the command was first measured, the one beside it today's.",
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
        Column("simulate : engine", 6),
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

CHECKED = Report(
    "What checks cost",
    (*ENTRIES, *UNTUNED),
    (GAME, Column("--unchecked", 9), Column("checked", 9), Column("checked : unchecked", 6)),
    _checked,
    "Random games in a second by the engine, without checks and with those that `simulate` makes.",
    compares=False,
)

REPORTS = {"playouts": PLAYOUTS, "untuned": OTHERS, "checked": CHECKED, "search": SEARCH}
BY_HAND = "Beside C written by hand"


if __name__ == "__main__":
    main()
