"""What is worth saying about a game, as sentences: faults first, then what else stands out.

A fault is told only if chance alone would show one in fewer than 1 of 1000 reports.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import sqrt
from typing import Literal

import attrs

from ruledsl.diagnostics.source import NOWHERE, Span
from ruledsl.engine.counters import UNLISTED, Counter, endings, games_judged
from ruledsl.lab.counting import Observed
from ruledsl.lab.reporting.naming import about, blocks_of, used_in, written
from ruledsl.lab.reporting.study import RANDOM, Study, cut_games
from ruledsl.lab.reporting.sureness import CLOSE, UNFAIR, more_games
from ruledsl.lab.reporting.unfired import unfired
from ruledsl.lab.statistics import (
    Estimate,
    critical,
    holm,
    proportion,
    seldomer_than,
)
from ruledsl.lab.wording import figure, opposite, percent, points
from ruledsl.model import core
from ruledsl.model.types import FlagType
from ruledsl.model.walk import statements
from ruledsl.play.words import Words
from ruledsl.syntax import ast
from ruledsl.table.things import Thing

LEVEL = 0.001
ENOUGH = 100
"""Games or uses below which nothing is said about what goes with winning."""
FEW_WATCHED = 30
"""Games in which nothing was refused, before that is news."""
MOST_TOLD = 8
"""Things whose worth is told."""
FEW = 5
"""Things of one sort that are named one by one."""

Weight = Literal["fault", "notable", "note"]


@attrs.frozen
class Finding:
    """A sentence, how much it weighs, and the place in the rules that it is about."""

    weight: Weight
    text: str
    span: Span = NOWHERE
    trail: ast.Trail = ()
    topic: str = ""
    """what was asked, in a word"""


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


# ---------------------------------------------------------------- words for numbers


def plain_percent(value: float) -> str:
    return f"{value:.1%}".replace("%", " %")


def many(number: int) -> str:
    return f"{number:,}"


def rarely(games: int) -> str:
    most = f"{100 * seldomer_than(games):.2g} %"
    return f"in {many(games)} games (so in at most {most} of them)"


# ---------------------------------------------------------------- faults


def _broken(study: Study) -> Iterator[Finding]:
    for players, observed in study.observed.items():
        for failure in observed.tally.summary().failures:
            share = proportion(failure.games, observed.tally.games)
            text = f"With {players} players the rules go wrong in {percent(share)} of games"
            yield Finding("fault", f"{text}: {failure.message}")


def _seats(study: Study) -> Iterator[Finding]:
    tests = sum(study.observed)
    z = critical(tests, LEVEL)
    fair, won = True, False
    for players, observed in study.observed.items():
        if players < 2 or observed.tally.teams:
            continue
        summary = observed.tally.summary()
        games = summary.finished
        total = sum(seat.wins.value for seat in summary.seats)
        if not games or not total:
            continue
        expected, won = total / players, True
        for seat in summary.seats:
            share = proportion(seat.wins.value * games, games)
            error = sqrt(expected * (1 - expected) / games)
            if abs(share.value - expected) > max(z * error, UNFAIR):
                fair = False
                yield Finding(
                    "fault",
                    f"With {players} players, seat {seat.seat} wins {percent(share)} of games "
                    f"instead of {plain_percent(expected)}.",
                )
    if fair and won:
        games = study.main.tally.games
        yield Finding(
            "note",
            f"No seat is better than another, as far as {many(games)} games for each number of "
            "players tell.",
        )


def _endings(study: Study) -> Iterator[Finding]:
    never: list[core.Win | core.End] = []
    for _, block in blocks_of(study.checked):
        never += [each for each in endings(block) if not study.line(each)]
    weight: Weight = "notable" if _hard_to_say(study) else "fault"
    for each in _once_per_line(never):
        text = f"No game ended by this: {written(study, each.span)}, {rarely(study.games)}."
        yield Finding(weight, text, each.span, each.trail)


def _cut(study: Study) -> Iterator[Finding]:
    """Games that do not end by the rules, and what that means for all that is said."""
    for players, observed in study.observed.items():
        share = _cut_share(observed)
        if share.low <= 0.01:
            continue
        text = f"With {players} players, {percent(share)} of games by {study.of_whom} never end by "
        text += "the rules: they are cut at the limit of decisions."
        if players == study.players:
            text += _better_players_finish(study)
        yield Finding("fault", text)
    if _unfinished(study):
        text = (
            "Random players hardly ever come to an end here, so seats, length and what goes with "
        )
        text += "winning tell little, and what never happened may just be out of their reach."
        yield Finding("notable", text)


def _drawn(study: Study) -> Iterator[Finding]:
    """Wins of all seats add up to less than all games: where the rest went."""
    shares = []
    for players, observed in study.observed.items():
        summary = observed.tally.summary()
        drawn = proportion(observed.tally.drawn, summary.finished)
        if players > 1 and _cut_share(observed).value < drawn.low:
            shares.append(f"{percent(drawn)} with {players} players")
    if shares:
        yield Finding("note", f"Games without a winner: {', '.join(shares)}.")


def _better_players_finish(study: Study) -> str:
    if study.who != RANDOM:
        return ""
    if study.tried:
        words = " and ".join(f"“{who.word}”" for who in study.tried)
        return f" Players who look ahead, {words}, do not finish either."
    ladder = study.ladder
    if ladder is None:
        more = "--skilled 8" if study.setting.skilled == 0 else "--time 900 --jobs 2"
        return (
            f" Do better players finish? `ruledsl report {study.checked.name} {more}` seats some."
        )
    among = ", ".join(f"“{kind.player}”" for kind in ladder.players)
    ended = ladder.games - ladder.cut
    return f" Of {many(ladder.games)} games among {among}, {many(ended)} ended by the rules."


def who_plays(study: Study) -> str | None:
    """Whose games all is about, where it is not random players."""
    if study.unfinished is None or study.who == RANDOM:
        return None
    cut, games = cut_games(study.unfinished), study.unfinished.tally.games
    return (
        f"Random players hardly ever come to an end here ({many(cut)} of {many(games)} games were "
        f"cut at the limit of decisions). So {study.of_whom}, who look ahead, play the games that "
        f"this is about: {many(study.games)}, as many as there was time for."
    )


def _cut_share(observed: Observed) -> Estimate:
    return proportion(cut_games(observed), observed.tally.games)


def _unfinished(study: Study) -> bool:
    """Whether most games are cut, so that they tell little."""
    return all(_cut_share(observed).value > 0.5 for observed in study.observed.values())


def _hard_to_say(study: Study) -> bool:
    """Whether it is no wonder that something never happened."""
    return _unfinished(study) or study.games < ENOUGH


def _never(study: Study) -> Iterator[Finding]:
    words = Words(study.checked)
    for each in unfired(study.checked, study.line):
        match each.sort:
            case "action":
                text = f"No one ever did “{words.action(each.name)}” {rarely(study.games)}."
            case "trigger":
                text = f"The trigger “{words.name(each.name)}” never fired {rarely(study.games)}."
            case "line":
                text = f"This never happened {rarely(study.games)}: {written(study, each.span)}."
        expected = each.sort == "line" or _hard_to_say(study)
        yield Finding("notable" if expected else "fault", text, each.span, each.trail)


def _dead_values(study: Study) -> Iterator[Finding]:
    labels = study.labels()
    pieces = {thing.face.name for thing in _pieces(study) if thing.face is not None}
    for parameter, values in study.values().items():
        used = {name for name, each in values.items() if _uses(study, parameter, name)}
        dead = [name for name in values if name not in used]
        if not used or not dead:
            continue
        span = _span_of(study, parameter)
        faces = [name for name in dead if name in pieces]
        for name in faces[:FEW]:
            text = f"No one ever used “{labels.get(name, name)}” {rarely(study.games)}"
            weight: Weight = "notable" if _hard_to_say(study) else "fault"
            yield Finding(weight, f"{text} ({about(study, parameter)}).", span)
        others = [name for name in dead if name not in faces]
        if others and len(values) > 2:
            for how, names in _by_offer(study, parameter, others).items():
                named = ", ".join(labels.get(name, name) for name in names[:FEW])
                more = "" if len(names) <= FEW else f" and {len(names) - FEW} more"
                text = f"{how} {rarely(study.games)}: {named}{more}"
                yield Finding("note", f"{text} ({about(study, parameter)}).", span)


def _by_offer(study: Study, parameter: str, names: list[str]) -> dict[str, list[str]]:
    """What was never chosen, apart from what the rules did not even offer."""
    if study.offered is None:
        return {"Never chosen": names}
    found: dict[str, list[str]] = {}
    for name in names:
        there = (parameter, name) in study.offered
        told = "Never chosen, though offered," if there else "Never chosen, nor seen to be offered,"
        found.setdefault(told, []).append(name)
    return found


def _changes_nothing(study: Study) -> Iterator[Finding]:
    blocks = tuple(block for _, block in blocks_of(study.checked))
    by_place = {part.span: part for block in blocks for part in statements(block)}
    for span in _never_counted(study, "changed"):
        statement = by_place.get(span)
        carried_out = 0 if statement is None else study.line(statement)
        if statement is not None and carried_out:
            text = f"This was carried out {many(carried_out)} times and never changed anything"
            yield Finding("fault", f"{text}: {written(study, span)}.", span, statement.trail)
    judged = sum(games_judged(each.tally.games) for each in study.observed.values())
    for span in _never_counted(study, "refused") if judged >= FEW_WATCHED else ():
        text = f"This requirement refused nothing in the {many(judged)} games it was watched in"
        yield Finding("notable", f"{text}: {written(study, span)}.", span, _trail(study, span))


def _out_of_scale(study: Study) -> Iterator[Finding]:
    """Numbers that look too large for what happens."""
    for key, state in study.checked.states.items():
        reached = [
            each.counts.highest[key]
            for each in study.observed.values()
            if key in each.counts.highest
        ]
        if state.bounds is None or not reached or isinstance(state.type, FlagType):
            continue
        most = study.table.number(state.bounds.high)
        if most >= 20 and max(reached) * 4 < most:
            text = f"“{state.name}” never got above {max(reached)}, although it may reach {most}"
            yield Finding("notable", f"{text}: a number far too large?", state.span, state.trail)
    for counter, used, carried_out in _short(study):
        share = proportion(used, carried_out)
        if share.low > 0.5 and carried_out >= ENOUGH:
            text = f"{percent(share)} of the time there is less than this asks for"
            yield Finding("notable", f"{text}: {written(study, counter.span)}.", counter.span)
    for kind in study.checked.kinds.values():
        for column in kind.columns:
            numbers = [c.value for c in column.cells if isinstance(c, core.Constant)]
            plain = sorted(abs(n) for n in numbers if type(n) is int)
            if len(plain) > 2 and plain[-1] >= 10 and plain[-1] >= 5 * max(1, plain[-2]):
                row = numbers.index(plain[-1]) if plain[-1] in numbers else 0
                name = kind.rows[row] if row < len(kind.rows) else ""
                text = f"In {kind.name}, {column.name} of {name} is {plain[-1]}, all others at most"
                span = column.cells[row].span if row < len(column.cells) else kind.span
                yield Finding("notable", f"{text} {plain[-2]}: a number far too large?", span)


# ---------------------------------------------------------------- what stands out


def _winning(study: Study) -> Iterator[Finding]:
    """What goes with winning far more often than not."""
    base = 1 / study.players
    labels, words = study.labels(), Words(study.checked)
    counts = study.main.counts
    everything = [(counter, used) for counter, used in counts.of_sort("action")]
    everything += counts.of_sort("value")
    z = critical(len(everything), LEVEL)
    told: dict[str, list[tuple[str, Counter]]] = {}
    for counter, used in everything:
        share = proportion(used.won, used.seats, z)
        if used.seats < ENOUGH or share.low <= min(0.9, 1.6 * base):
            continue
        value = counter.sort == "value"
        name = labels.get(counter.name, counter.name) if value else words.action(counter.name)
        group = about(study, counter.of) if value else ""
        told.setdefault(group, []).append((f"“{name}” {percent(used.win_share)}", counter))
    if told:
        parts = []
        for group, members in told.items():
            names = ", ".join(name for name, _ in members)
            parts.append(f"{group}: {names}" if group else names)
        text = f"These go with winning, or are what winners come to do ({plain_percent(base)} is "
        (_, first), *_ = next(iter(told.values()))
        yield Finding("notable", f"{text}usual): {'; '.join(parts)}.", first.span)


def _unused(study: Study) -> Iterator[Finding]:
    """Faces of pieces that are used in few games; the least used first."""
    labels = study.labels()
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
                found.append((used.games, text, _span_of(study, parameter)))
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
    yield Finding(
        "note",
        f"A game of {study.players} takes {figure(mean)} choices; nine of ten "
        f"games take {low} to {high}.",
    )


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
            text = f"A game takes {study.main.length.mean:,.0f} choices: too long to seat better "
            text += "players in the time that was given. `--time 600` gives more."
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


def _worth(study: Study) -> Iterator[Finding]:
    """What it costs to do without something, where that is sure."""
    told: list[tuple[float, Finding]] = []
    adjusted = zip(study.worths, holm([each.p for each in study.worths]), strict=True)
    sure = [each for each, p in adjusted if p < LEVEL]
    actions = {each.counter.name: each.points.value for each in sure if not each.counter.of}
    for each in sure:
        counter = each.counter
        whole = actions.get(counter.of.rpartition(".")[0], 0.0)
        if each.points.value * whole > 0 and abs(each.points.value) < abs(whole):
            continue  # It is told of the action.
        name = used_in(study, counter)
        if each.points.value > 0:
            text = f"Doing without “{name}” costs {points(each.points)} of wins."
        else:
            more = points(opposite(each.points))
            text = f"Whoever never uses “{name}” wins {more} more: it hurts its user."
        weight: Weight = "note" if each.points.value > 0 else "notable"
        told.append((abs(each.points.value), Finding(weight, text, counter.span)))
    yield from (finding for _, finding in sorted(told, key=lambda pair: -pair[0])[:MOST_TOLD])


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
    "rules": (_broken,),
    "seats": (_seats,),
    "endings": (_cut, _endings, _drawn),
    "use": (_never, _dead_values),
    "effect": (_changes_nothing,),
    "numbers": (_out_of_scale,),
    "worth": (_worth,),
    "winning": (_winning,),
    "skill": (_skill,),
    "aims": (_personas,),
    "choices": (_agency, _forced),
    "tension": (_tension, _out),
    "length": (_length,),
    "seldom": (_unused,),
    "more": (_more,),
}
"""What finds something out, by what is asked."""


# ---------------------------------------------------------------- helpers


def _once_per_line(nodes: list[core.Win | core.End]) -> list[core.Win | core.End]:
    return list({(each.span.file, each.span.line): each for each in nodes}.values())


def _never_counted(study: Study, sort: Literal["changed", "refused"]) -> list[Span]:
    """Places that are counted, but never were anything."""
    total: dict[Span, int] = {}
    for observed in study.observed.values():
        for counter, used in observed.counts.of_sort(sort):
            total[counter.span] = total.get(counter.span, 0) + used.uses
    return [span for span, uses in total.items() if not uses]


def _short(study: Study) -> Iterator[tuple[Counter, int, int]]:
    counts = study.main.counts
    for counter, used in counts.of_sort("short"):
        line = counts.line(counter.span)
        if line is not None:
            yield counter, used.uses, line.uses


def _uses(study: Study, parameter: str, name: str) -> int:
    return sum(
        used.uses
        for observed in study.observed.values()
        for counter, used in observed.counts.of_sort("value")
        if counter.of == parameter and counter.name == name
    )


def _span_of(study: Study, parameter: str) -> Span:
    found = (c.span for c in study.main.counts.counters if c.of == parameter)
    return next(found, NOWHERE)


def _trail(study: Study, span: Span) -> ast.Trail:
    for action in study.checked.actions.values():
        for part in statements(action.requirements):
            if part.span == span:
                return part.trail
    return ()


def _pieces(study: Study) -> Iterator[Thing]:
    for kind in study.checked.kinds.values():
        if kind.piece is not None:
            yield from study.table.things(kind.name)
