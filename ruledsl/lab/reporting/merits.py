"""What actions, cards and places are worth; where that is not known, what goes with winning.

Both are never told of the same thing: who is about to win may use a thing that is worth nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ruledsl.engine.counters import Counter
from ruledsl.lab.reporting.finding import ENOUGH, LEVEL, Finding, Weight, plain_percent
from ruledsl.lab.reporting.naming import about, label_of
from ruledsl.lab.reporting.study import Study
from ruledsl.lab.reporting.sureness import TELLING, UNFAIR
from ruledsl.lab.statistics import Estimate, critical, holm, proportion
from ruledsl.lab.wording import figure, opposite, percent
from ruledsl.lab.worth import Worth

MOST_TOLD = 8
"""Things that one sentence names."""


def decisive(study: Study) -> Iterator[Finding]:
    """Cards and so on, one of which may decide a game: of an action, that is no news."""
    found = [each for each in _sure(study) if _decides(study, each)]
    yield from _told(study, "notable", "Much hangs on", "fewer", found)


def harmful(study: Study) -> Iterator[Finding]:
    found = [each for each in _sure(study) if each.points.value < 0]
    yield from _told(study, "notable", "Players do better without", "more", found)


def helpful(study: Study) -> Iterator[Finding]:
    found = [each for each in _sure(study) if each.points.value > 0 and not _decides(study, each)]
    yield from _told(study, "note", "It costs to do without", "fewer", found)


def _decides(study: Study, each: Worth) -> bool:
    return bool(each.counter.of) and each.points.low > 0.5 / study.players


def _sure(study: Study) -> list[Worth]:
    """What surely makes a difference that matters, the greatest first."""
    adjusted = zip(study.worths, holm([each.p for each in study.worths]), strict=True)
    sure = [each for each, p in adjusted if p < LEVEL and abs(each.points.value) >= UNFAIR]
    actions = {each.counter.name: each.points.value for each in sure if not each.counter.of}
    found = []
    for each in sure:
        whole = actions.get(each.counter.of.rpartition(".")[0], 0.0)
        # Else it is told of the action.
        if each.points.value * whole <= 0 or abs(each.points.value) >= abs(whole):
            found.append(each)
    return sorted(found, key=lambda each: -abs(each.points.value))


def _told(
    study: Study, weight: Weight, begins: str, how: str, found: list[Worth]
) -> Iterator[Finding]:
    if not found:
        return
    this, it = ("this", "it") if len(found) == 1 else ("these", "one of them")
    text = f"{begins} {this}: whoever never uses {it} wins so many {how} of 100 games: "
    names = [(each.counter, _in_hundred(each.points)) for each in found[:MOST_TOLD]]
    more = "" if len(found) <= MOST_TOLD else f"; and {len(found) - MOST_TOLD} more"
    yield Finding(weight, f"{text}{_named(study, names)}{more}.", found[0].counter.span)


def _in_hundred(points: Estimate) -> str:
    size = points if points.value > 0 else opposite(points)
    return figure(Estimate(100 * size.value, 100 * size.low, 100 * size.high))


def _named(study: Study, found: Iterable[tuple[Counter, str]]) -> str:
    """Things with what is told of each, those that are chosen for the same together."""
    groups: dict[str, list[str]] = {}
    for counter, told in found:
        group = about(study, counter.of) if counter.of else ""
        groups.setdefault(group, []).append(f"“{label_of(study, counter)}” {told}".rstrip())
    return "; ".join(
        f"{group} – {', '.join(names)}" if group else ", ".join(names)
        for group, names in groups.items()
    )


def no_difference(study: Study) -> Iterator[Finding]:
    """Cards, places and so on that nobody would miss, where somebody wins at all."""
    wins = [seat.wins.value for seat in study.main.tally.summary().seats]
    if sum(wins) / study.players < 2 * TELLING:
        return
    groups: dict[str, list[Worth]] = {}
    for each in study.worths:
        if each.counter.of:
            groups.setdefault(each.counter.of, []).append(each)
    told, spans = [], []
    for parameter, members in groups.items():
        idle = [each.counter for each in members if each.points.within(TELLING)]
        if len(members) < 2 or not idle:
            continue
        spans.append(idle[0].span)
        if len(idle) == len(members):
            told.append(f"{about(study, parameter)} (all {len(idle)})")
        else:
            told.append(_named(study, [(each, "") for each in idle[:MOST_TOLD]]))
            told[-1] += f" and {len(idle) - MOST_TOLD} more" if len(idle) > MOST_TOLD else ""
    if told:
        text = "Which one is chosen hardly matters here: without any one of these, players win as "
        text += f"often, give or take {100 * TELLING:.0f} of 100 games: {'; '.join(told)}."
        yield Finding("note", text, spans[0])


def goes_with_winning(study: Study) -> Iterator[Finding]:
    """What goes with winning far more often than not, where nobody knows what it is worth."""
    base = 1 / study.players
    counts = study.main.counts
    everything = [*counts.of_sort("action"), *counts.of_sort("value")]
    z = critical(len(everything), LEVEL)
    known = _known(study)
    found: list[tuple[Counter, str]] = []
    whole: dict[str, float] = {}
    for counter, used in everything:
        share = proportion(used.won, used.seats, z)
        if used.seats < ENOUGH or share.low <= min(0.9, 1.6 * base) or counter in known:
            continue
        if not counter.of:
            whole[counter.name] = share.high
        elif share.low <= whole.get(counter.of.rpartition(".")[0], 0.0):
            continue  # It is told of the action.
        found.append((counter, percent(used.win_share)))
    if found:
        text = "These go with winning, or are what winners come to do; what they are worth is not "
        text += f"known. Whoever uses them wins ({plain_percent(base)} is usual): "
        yield Finding("notable", f"{text}{_named(study, found)}.", found[0][0].span)


def _known(study: Study) -> set[Counter]:
    """Of what it is known what it is worth, be it nothing."""
    sure = {each.counter for each in _sure(study)}
    return sure | {each.counter for each in study.worths if each.points.within(TELLING)}
