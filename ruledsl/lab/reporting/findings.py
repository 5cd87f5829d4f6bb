"""What is worth saying about a game, as sentences: faults first, then what else stands out.

A fault is told only if chance alone would show one in fewer than 1 of 1000 reports.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import attrs

from ruledsl.diagnostics.source import Span
from ruledsl.engine.counters import UNLISTED
from ruledsl.lab.reporting.finding import (
    FEW,
    Finding,
    Weight,
    many,
    plain_percent,
)
from ruledsl.lab.reporting.idle_rules import (
    always_so,
    changes_nothing,
    dead_values,
    idle_ranking,
    never,
    never_asked,
    never_chosen,
    out_of_scale,
    rarely_allowed,
    span_of,
)
from ruledsl.lab.reporting.merits import (
    decisive,
    goes_with_winning,
    harmful,
    helpful,
    no_difference,
)
from ruledsl.lab.reporting.naming import about, written
from ruledsl.lab.reporting.other_numbers import to_try
from ruledsl.lab.reporting.seats_and_ends import (
    broken,
    cut,
    drawn,
    first_choice,
    seats,
    told_endings,
)
from ruledsl.lab.reporting.study import Study
from ruledsl.lab.reporting.sureness import CLOSE, more_games, round_up
from ruledsl.lab.statistics import Estimate, proportion
from ruledsl.lab.wording import figure, percent, points
from ruledsl.table.things import Thing

LONG = 200
"""Choices of a player in a game; with more of them it is long."""


def findings_of(study: Study) -> tuple[Finding, ...]:
    """All findings, the weightiest first."""
    found = [
        attrs.evolve(finding, topic=topic)
        for topic, finders in FINDERS.items()
        for find in finders
        for finding in find(study)
    ]
    order: dict[Weight, int] = {"fault": 0, "notable": 1, "note": 2}
    # Two choices of the same name may be told in the same words: once is enough.
    once: dict[str, Finding] = {}
    for each in found:
        once.setdefault(each.text, each)
    return tuple(sorted(once.values(), key=lambda each: order[each.weight]))


# ---------------------------------------------------------------- what stands out


def _unused(study: Study) -> Iterator[Finding]:
    """Faces of pieces that are used in few games; the least used first."""
    labels = study.labels
    games = study.main.tally.games
    faces = {thing.face.name for thing in _pieces(study) if thing.face is not None}
    found: list[tuple[int, str, Span]] = []
    for parameter, values in study.values().items():
        for name, used in values.items():
            share = proportion(games - used.games, games)
            if used.uses and share.low > 0.25 and name in faces:
                text = (
                    f"“{labels.get(name, name)}” ({about(study, parameter)}) in {many(used.games)}"
                )
                found.append((used.games, text, span_of(study, parameter)))
    if found:
        found.sort(key=lambda each: each[0])
        text = f"Of {many(games)} games, somebody used "
        text += ", ".join(told for _, told, _ in found[:FEW])
        yield Finding("note", f"{text} only.", found[0][2])


def _length(study: Study) -> Iterator[Finding]:
    mean = study.main.length.estimate()
    lengths = sorted(study.main.lengths.elements())
    if not lengths:
        return
    low, high = lengths[len(lengths) // 20], lengths[-1 - len(lengths) // 20]
    text = f"A game of {study.players} takes {figure(mean)} choices; nine of ten "
    text += f"games take {low} to {high}."
    if mean.low / study.players > LONG:
        text += f" That is long: {mean.value / study.players:.0f} for each player."
        yield Finding("notable", text)
    else:
        yield Finding("note", text)


def _forced(study: Study) -> Iterator[Finding]:
    widths = {counter.name: used.uses for counter, used in study.main.counts.of_sort("options")}
    forced = widths.pop("1")
    free = sum(uses for width, uses in widths.items() if width != UNLISTED)
    if forced + free:
        share = proportion(forced, forced + free)
        weight: Weight = "notable" if share.value > 0.5 else "note"
        options = study.main.tally.options / max(1, study.main.tally.choices)
        text = f"{percent(share)} of decisions have one option only; the others have {options:.1f}"
        yield Finding(weight, f"{text} on average.")


def _tension(study: Study) -> Iterator[Finding]:
    lead = study.main.counts.lead
    if lead is None:
        return
    halfway = len(lead.held) // 2
    changes = lead.changes.estimate()
    alone = sum(lead.settled)
    text = f"The lead changes {figure(changes)} times in a game."
    if lead.held[halfway].half < 0.1:
        text += f" Whoever leads alone at half-time wins {percent(lead.held[halfway])}: in"
        text += (
            f" {percent(lead.comebacks[halfway])} of all games somebody leads then and does not."
        )
    if lead.ahead[-1]:
        text += f" The lead is {lead.ahead[halfway]:.1f} at half-time and {lead.ahead[-1]:.1f} near"
        text += f" the end, by {_first_key(study)}."
    if alone:
        late = proportion(sum(lead.settled[9:]), alone)
        text += f" {percent(late)} of winners take the lead for good in the last tenth."
    yield Finding("note", text)


def _first_key(study: Study) -> str:
    ranking = study.checked.ranking
    assert ranking is not None
    return written(study, ranking.keys[0].span)


def _out(study: Study) -> Iterator[Finding]:
    """Who is out before the end."""
    out = [used for _, used in study.main.counts.of_sort("out")]
    if out and out[0].uses:
        early = proportion(out[0].thirds[0] + out[0].thirds[1], out[0].uses)
        weight: Weight = "notable" if early.low > 0.3 else "note"
        each = out[0].uses / max(1, study.main.tally.games)
        text = f"{each:.1f} players leave a game before its end; {percent(early)} of them "
        yield Finding(weight, f"{text}before its last third, and look on from then.")


def _skill(study: Study) -> Iterator[Finding]:
    if study.ladder is None:
        if study.setting.skilled is None and study.players > 1 and not study.interrupted:
            seconds = round_up(4 * study.setting.seconds)
            text = f"A game takes {study.main.length.mean:,.0f} choices: too long to seat better "
            text += f"players in the time that was given. `--time {seconds}` gives more."
            yield Finding("note", text)
        return
    for pair in study.ladder.pairs:
        better = proportion(pair.better.value * pair.meetings, pair.meetings)
        if better.low > 0.5 or better.high < 0.5:
            first, last = (
                (pair.player, pair.against)
                if better.low > 0.5
                else (
                    pair.against,
                    pair.player,
                )
            )
            share = (
                better
                if better.low > 0.5
                else Estimate(1 - better.value, 1 - better.high, 1 - better.low)
            )
            text = f"“{first}” stands before “{last}” in {percent(share)} of their meetings"
            stronger = STRENGTH.index(first) > STRENGTH.index(last)
            weight: Weight = "note" if stronger else "notable"
            yield Finding(weight, f"{text}: {'skill pays' if stronger else 'skill hurts'}.")
        else:
            sure = better.half < CLOSE
            why = "so looking ahead pays little" if sure else "too few to tell"
            yield Finding(
                "notable" if sure else "note",
                f"Between “{pair.player}” and “{pair.against}” no difference shows: the first "
                f"stands before in {percent(better)} of {pair.meetings} meetings, {why}.",
            )


def _personas(study: Study) -> Iterator[Finding]:
    fair = 1 / study.players
    for kind in study.personas:
        share = proportion(kind.wins.value * kind.seats, kind.seats)
        beats = kind.player != "greedy" and share.low > 1.3 * fair
        text = f"“{kind.player}” among random players wins {percent(share)}"
        yield Finding(
            "notable" if beats else "note", f"{text}; {plain_percent(fair)} is an equal share."
        )


STRENGTH = ("random", "greedy", "easy", "medium", "hard")


def _agency(study: Study) -> Iterator[Finding]:
    agency = study.agency
    if agency is None or not any(each.total for each in agency.favourite):
        return  # Nobody wins, whatever is chosen.
    gain = agency.gain.estimate()
    matters = proportion(agency.matters, agency.choices)
    weight: Weight = "notable" if gain.high < 0.02 else "note"
    yield Finding(
        weight,
        f"The best option of a choice wins {points(gain)} "
        f"more than the one in the middle; in {percent(matters)} of {agency.choices} sampled "
        "choices the option surely matters.",
    )


def _more(study: Study) -> Iterator[Finding]:
    told = " ".join(more_games(study))
    if told and not study.interrupted:
        yield Finding("note", f"More games would tell more. {told}")


FINDERS: dict[str, tuple[Callable[[Study], Iterator[Finding]], ...]] = {
    "rules": (broken,),
    "seats": (seats, first_choice),
    "endings": (cut, told_endings, drawn),
    "use": (never, dead_values, rarely_allowed),
    "effect": (changes_nothing, never_asked, always_so, idle_ranking),
    "numbers": (out_of_scale,),
    "worth": (decisive, harmful, helpful, no_difference),
    "winning": (goes_with_winning,),
    "skill": (_skill,),
    "aims": (_personas,),
    "choices": (_agency, _forced),
    "tension": (_tension, _out),
    "length": (_length,),
    "seldom": (_unused, never_chosen),
    "more": (_more,),
    "to try": (to_try,),
}
"""What finds something out, by what is asked."""


# ---------------------------------------------------------------- helpers


def _pieces(study: Study) -> Iterator[Thing]:
    for kind in study.checked.kinds.values():
        if kind.piece is not None:
            yield from study.table.things(kind.name)
