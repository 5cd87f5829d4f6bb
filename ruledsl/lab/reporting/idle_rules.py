"""Rules that never matter: what never happens, never changes anything, or is out of scale."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from statistics import median
from typing import Literal

import attrs

from ruledsl.diagnostics.source import NOWHERE, Span
from ruledsl.engine.counters import Counter, Sort, games_judged
from ruledsl.lab.reporting.finding import (
    ENOUGH,
    FEW,
    Finding,
    Weight,
    hard_to_say,
    many,
    plain_percent,
    rarely,
)
from ruledsl.lab.reporting.naming import about, blocks_of, written
from ruledsl.lab.reporting.scales import outliers
from ruledsl.lab.reporting.study import Study
from ruledsl.lab.reporting.unasked import unasked
from ruledsl.lab.reporting.unfired import by_option, unfired
from ruledsl.lab.statistics import proportion
from ruledsl.lab.wording import percent
from ruledsl.model import core
from ruledsl.model.types import FlagType
from ruledsl.model.walk import statements, walk
from ruledsl.play.words import Words
from ruledsl.syntax import ast

FEW_WATCHED = 30
"""Games in which nothing was refused, before that is news."""
FEW_ALIKE, RARELY = 3, 0.2
"""Pieces that can be compared, and by how much one of them is allowed more seldom than usual."""


def never(study: Study) -> Iterator[Finding]:
    words = Words(study.checked)
    for each in unfired(study.checked, study.line):
        match each.sort:
            case "action":
                text = f"No one ever did “{words.action(each.name)}” {rarely(study.games)}."
            case "trigger":
                text = (
                    f"The trigger “{words.trigger(each.name)}” never fired {rarely(study.games)}."
                )
            case "line":
                text = f"This never happened {rarely(study.games)}: {written(study, each.span)}."
        expected = each.sort == "line" or hard_to_say(study)
        yield Finding("notable" if expected else "fault", text, each.span, each.trail)


@attrs.frozen
class _Unchosen:
    """What nobody chose, where something else was."""

    parameter: str
    cards: list[str]
    """pieces that somebody had to choose, and that the rules refused"""
    others: list[str]
    useless: bool
    """whether the others are pieces that nobody ever used, here or elsewhere"""


def _unchosen(study: Study) -> Iterator[_Unchosen]:
    every = {
        key: {n for n in values if _uses(study, key, n)} for key, values in study.values().items()
    }
    anywhere = {name for used in every.values() for name in used}
    for parameter, values in study.values().items():
        used = every[parameter]
        dead = [name for name in values if name not in used]
        if not used or not dead:
            continue
        met = _looked_at(study, "met", parameter)
        cards = [name for name in dead if met.get(name, 0) >= FEW_WATCHED]
        others = [name for name in dead if name not in cards] if len(values) > 2 else []
        useless = bool(met) and anywhere.isdisjoint(others)
        yield _Unchosen(parameter, cards, others, useless)


def dead_values(study: Study) -> Iterator[Finding]:
    """Pieces that players had and could do nothing with."""
    chosen = {n for key, values in study.values().items() for n in values if _uses(study, key, n)}
    for each in _unchosen(study):
        span = span_of(study, each.parameter)
        if each.cards:
            text = f"No one ever used “{_named(study, each.cards)}” {rarely(study.games)}, though"
            text += f" somebody had {'it' if len(each.cards) == 1 else 'them'} to choose"
            elsewhere = hard_to_say(study) or not chosen.isdisjoint(each.cards)
            weight: Weight = "notable" if elsewhere else "fault"
            yield Finding(weight, f"{text} ({about(study, each.parameter)}).", span)
        if each.useless:
            yield from _never_chosen(study, each, "notable")


def rarely_allowed(study: Study) -> Iterator[Finding]:
    """Pieces that players have and that the rules refuse far oftener than others."""
    for parameter, values in study.values().items():
        met, allowed = _looked_at(study, "met", parameter), _looked_at(study, "allowed", parameter)
        shares = {
            # Where several things are chosen together, a piece may be allowed in many ways.
            name: proportion(min(allowed.get(name, 0), met[name]), met[name])
            for name in values
            if met.get(name, 0) >= FEW_WATCHED
        }
        if len(shares) < FEW_ALIKE:
            continue
        usual = median(share.value for share in shares.values())
        rare = [name for name, share in shares.items() if share.high < RARELY * usual]
        rare = [name for name in rare if _uses(study, parameter, name)]  # Others are dead.
        if rare:
            told = ", ".join(f"“{study.labels.get(n, n)}” {percent(shares[n])}" for n in rare[:FEW])
            text = f"Hardly ever of use to whoever has it ({about(study, parameter)}): {told} of "
            text += f"the times that somebody might choose it; {plain_percent(usual)} is usual."
            yield Finding("notable", text, span_of(study, parameter))


def never_chosen(study: Study) -> Iterator[Finding]:
    """Places, numbers and so on that the rules may well exclude on purpose."""
    for each in _unchosen(study) if study.games >= ENOUGH else ():
        if not each.useless:
            yield from _never_chosen(study, each, "note")


def _never_chosen(study: Study, each: _Unchosen, weight: Weight) -> Iterator[Finding]:
    for how, names in _by_offer(study, each.parameter, each.others).items() if each.others else ():
        text = f"{how} {rarely(study.games)}: {_named(study, names)}"
        text += f" ({about(study, each.parameter)})."
        yield Finding(weight, text, span_of(study, each.parameter))


def _looked_at(study: Study, sort: Literal["met", "allowed"], parameter: str) -> dict[str, int]:
    """How often pieces could have been chosen, whatever requirements say, or were allowed then.

    Empty if nobody looked.
    """
    found: dict[str, int] = {}
    for observed in study.observed.values():
        for counter, used in observed.counts.of_sort(sort):
            if counter.of == parameter:
                found[counter.name] = found.get(counter.name, 0) + used.uses
    return found


def _named(study: Study, names: list[str]) -> str:
    labels = study.labels
    named = ", ".join(labels.get(name, name) for name in names[:FEW])
    return named if len(names) <= FEW else f"{named} and {len(names) - FEW} more"


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


def changes_nothing(study: Study) -> Iterator[Finding]:
    blocks = tuple(block for _, block in blocks_of(study.checked))
    by_place = {part.span: part for block in blocks for part in statements(block)}
    for span in _never_counted(study, "changed"):
        statement = by_place.get(span)
        carried_out = 0 if statement is None else study.line(statement)
        if statement is None or not carried_out:
            continue
        text = f"This was carried out {many(carried_out)} times and never changed anything"
        text += f": {written(study, span)}."
        reason = _undone(study, statement, by_place.values())
        if reason is None:
            yield Finding("fault", text, span, statement.trail)
        else:
            text += f" What it would undo never happened: {written(study, reason.span)}."
            yield Finding("note", text, span, statement.trail)
    judged = sum(games_judged(each.tally.games) for each in study.observed.values())
    for span in _never_counted(study, "refused") if judged >= FEW_WATCHED else ():
        text = f"This requirement refused nothing in the {many(judged)} games it was watched in"
        yield Finding("notable", f"{text}: {written(study, span)}.", span, _trail(study, span))


def never_asked(study: Study) -> Iterator[Finding]:
    """What is changed and makes no difference to anything."""
    words = Words(study.checked)
    for state, change in unasked(study.checked):
        text = f"“{words.name(state.name)}” is changed, but no rule ever asks for it"
        text += f": {written(study, change.span)}."
        yield Finding("notable", text, change.span, change.trail)


def _undone(
    study: Study, idle: core.Statement, all_of_them: Iterable[core.Statement]
) -> core.Assign | None:
    """Another statement that sets the same state, and that no game came to."""
    if not isinstance(idle, core.Assign):
        return None
    for each in all_of_them:
        same = isinstance(each, core.Assign) and each.slot.state == idle.slot.state
        if same and each is not idle and not study.line(each):
            assert isinstance(each, core.Assign)
            return each
    return None


def always_so(study: Study) -> Iterator[Finding]:
    """Conditions that never failed, so that the rule does without them."""
    for name, block in blocks_of(study.checked):
        for statement in statements(block):
            if not isinstance(statement, core.If):
                continue
            (first, *others) = statement.branches
            if others or first.condition is None or not first.body:
                continue
            if by_option(first.condition) or _asks_for_none(first.condition):
                continue
            asked, times = study.line(statement), study.line(first.body[0])
            if asked == times >= ENOUGH and name not in study.checked.triggers:
                text = f"This was so all {many(times)} times it was asked"
                text += f": {written(study, statement.span)}."
                yield Finding("notable", text, statement.span, statement.trail)


def _asks_for_none(condition: core.Expr) -> bool:
    """Whether something may be missing: the language wants that to be asked."""
    return any(
        isinstance(part, core.Constant) and part.value is None for part in walk((condition,))
    )


def idle_ranking(study: Study) -> Iterator[Finding]:
    """Lines of the ranking that never tell players apart, though some were equal until then."""
    ranking = study.checked.ranking
    if ranking is None or hard_to_say(study):
        return
    tied, apart = (_by_span(study, sort) for sort in ("tied", "told apart"))
    for key in ranking.keys:
        whose = (part.number for part in walk((key.value,)) if isinstance(part, core.Local))
        if ranking.local.number not in whose:
            continue  # All have the same, and it is meant so.
        times = tied.get(key.span, 0)
        if times >= FEW_WATCHED and not apart.get(key.span, 0):
            text = "This line of the ranking never told two players apart who were equal until then"
            text += f", in {many(times)} cases: {written(study, key.span)}."
            yield Finding("notable", text, key.span, key.trail)


def out_of_scale(study: Study) -> Iterator[Finding]:
    """Numbers that look too large for what happens."""
    words = Words(study.checked)
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
            text = (
                f"“{words.name(state.name)}” never got above {max(reached)}, although it may reach "
            )
            text += str(most)
            yield Finding("notable", f"{text}: a number far too large?", state.span, state.trail)
    for counter, used, carried_out in _short(study):
        share = proportion(used, carried_out)
        if share.low > 0.5 and carried_out >= ENOUGH:
            text = f"{percent(share)} of the time there is less than this asks for"
            yield Finding("notable", f"{text}: {written(study, counter.span)}.", counter.span)
    for each in outliers(study.checked):
        what = each.what[0].upper() + each.what[1:]
        text = f"{what} is {each.number}, all others at most {each.following}"
        line = f": {written(study, each.span)}: a number far too large?"
        yield Finding("notable", text + line, each.span)


def _never_counted(study: Study, sort: Literal["changed", "refused"]) -> list[Span]:
    """Places that are counted, but never were anything."""
    return [span for span, uses in _by_span(study, sort).items() if not uses]


def _by_span(study: Study, sort: Sort) -> dict[Span, int]:
    total: dict[Span, int] = {}
    for observed in study.observed.values():
        for counter, used in observed.counts.of_sort(sort):
            total[counter.span] = total.get(counter.span, 0) + used.uses
    return total


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


def span_of(study: Study, parameter: str) -> Span:
    found = (c.span for c in study.main.counts.counters if c.of == parameter)
    return next(found, NOWHERE)


def _trail(study: Study, span: Span) -> ast.Trail:
    for action in study.checked.actions.values():
        for part in statements(action.requirements):
            if part.span == span:
                return part.trail
    return ()
