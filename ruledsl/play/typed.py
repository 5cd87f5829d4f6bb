"""What a person types, understood as a choice: by number, by words, by beginnings of words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import product
from typing import TYPE_CHECKING

import attrs

from ruledsl.model import core
from ruledsl.play.decisions import ActionOption, Decision, Option, Refusal, ValueOption
from ruledsl.play.explain import Verdict, judge_action, judge_value
from ruledsl.table.queries import as_set
from ruledsl.table.things import Thing, Value

if TYPE_CHECKING:
    from ruledsl.play.match import Match

WORST_FIT = 4

MOST_CANDIDATES = 20_000
"""Illegal choices among which a typed one is looked for."""


@attrs.frozen
class Typed:
    """What was understood.

    `number` is the option meant. Otherwise `problem` is `unknown` (not understood), `ambiguous`
    (several options fit: `fitting`) or `illegal` (a move that the rules refuse: `refusals`).
    """

    number: int | None
    problem: str | None = None
    fitting: tuple[int, ...] = ()
    refusals: tuple[Refusal, ...] = ()
    meant: str = ""


def read_choice(match: Match, text: str) -> Typed:
    """Understand a typed line at the current decision; numbers count from 1."""
    wanted = text.strip()
    options = match.options
    if re.fullmatch(r"[0-9]+", wanted):
        number = int(wanted)
        values = {
            each.option.value: each.number
            for each in options
            if isinstance(each.option, ValueOption)
        }
        plain_number = any(isinstance(v, int) and not isinstance(v, bool) for v in values)
        if 1 <= number <= len(options) and not plain_number:
            return Typed(number - 1)
        if plain_number and number in values:
            return Typed(values[number])
    if re.fullmatch(r"[-+#]\s*[0-9]+", wanted) and all(wanted != each.label for each in options):
        return Typed(None, "unknown")
    fit, fitting = _named(wanted, [(each.label, each.code) for each in options])
    words = _words(wanted)
    if words and fit > 0:
        # What was typed may fit a move better that the rules refuse.
        refused = _refused(match, words, fit if fitting else None)
        if refused is not None:
            return refused
    if len(fitting) == 1:
        return Typed(fitting[0])
    return Typed(None, "ambiguous", fitting) if fitting else Typed(None, "unknown")


def named(text: str, names: Sequence[tuple[str, str]]) -> tuple[int, ...]:
    """The numbers, from 0, of what is called so: of the labels and codes that fit best."""
    return _named(text, names)[1]


def _named(text: str, names: Sequence[tuple[str, str]]) -> tuple[int, tuple[int, ...]]:
    """How well the best of the names fit, and their numbers."""
    exact = tuple(number for number, name in enumerate(names) if text in name)
    words = _words(text)
    if len(exact) == 1 or not words:
        return 0, exact
    fits = [
        (fit, number)
        for number, (label, code) in enumerate(names)
        if (fit := _fit(words, label, code)) is not None
    ]
    best = min((fit for fit, _ in fits), default=WORST_FIT)
    return best, tuple(number for fit, number in fits if fit == best)


def _refused(match: Match, words: list[str], than: int | None) -> Typed | None:
    """The move that is not legal, but fits the words best, and better than the legal ones."""
    decision = match.decision
    assert decision is not None
    best: tuple[tuple[int, int], Typed] | None = None
    for fit, label, verdict in _candidates(match, decision, words):
        if verdict.legal or (than is not None and fit >= than):
            continue
        size = (fit, len(label))
        if best is None or size < best[0]:
            best = (size, Typed(None, "illegal", (), verdict.refusals, label))
    return None if best is None else best[1]


def _candidates(
    match: Match, decision: Decision, words: list[str]
) -> Iterator[tuple[int, str, Verdict]]:
    """Moves with these words that can be pointed at, legal or not, with the rules' verdict.

    Before each stands how well the words fit it.
    """
    interpreter = match.interpreter
    statement = decision.statement
    if isinstance(statement, core.ChooseValue):
        values = as_set(interpreter.value(statement.domain, decision.frame))
        for value in interpreter.legality.arranged(interpreter.pos, decision.seat, (), values):
            option: Option = ValueOption(value, (value,))
            label = match.labels.label(option)
            fit = _fit(words, label, match.labels.code(option))
            if fit is not None:
                yield fit, label, judge_value(interpreter, decision, value)
        return
    for offer in statement.offers:
        judged = interpreter.legality.judged(offer.action)
        info = judged.info
        with interpreter.as_chooser(decision.seat):
            columns: list[tuple[Value, ...]] = []
            inline = [*decision.frame] if info.inline else None
            frame = interpreter.legality.frame_for(judged, inline)
            for number, domain in zip(judged.numbers, judged.domains, strict=True):
                column = as_set(domain(interpreter.pos, frame))
                columns.append(_alike_once(match, decision, column))
                frame[number] = column[0] if column else None
        judgements = 0
        for at, values in enumerate(product(*columns)):
            if at == MOST_CANDIDATES or judgements == 40:
                break
            option = ActionOption(info.key, info.name, values, (values,))
            label = match.labels.label(option)
            fit = _fit(words, label, match.labels.code(option))
            if fit is not None:
                judgements += 1
                given: dict[int, tuple[Value, ...]] = {
                    number: (value,) for number, value in enumerate(values)
                }
                yield fit, label, judge_action(interpreter, decision, info.name, given)


def _alike_once(match: Match, decision: Decision, column: tuple[Value, ...]) -> tuple[Value, ...]:
    """Of pieces that are alike to the chooser, one."""
    interpreter = match.interpreter
    found: dict[object, Value] = {}
    for value in interpreter.legality.arranged(interpreter.pos, decision.seat, (), column):
        if isinstance(value, Thing):
            mark = interpreter.legality.signature(interpreter.pos, decision.seat, value, ())
            found.setdefault(mark, value)
        else:
            found.setdefault(value, value)
    return tuple(found.values())


def _words(text: str) -> list[str]:
    """The words of a text, without case, accents and punctuation."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    plain = "".join(letter for letter in plain if not unicodedata.combining(letter))
    return re.findall(r"[^\W_]+|[+×]", plain)


def _fit(typed: list[str], label: str, code: str) -> int | None:
    """How well typed words fit an option, 0 being best; None if they don't.

    Words in order are better than in any order, and whole words better than beginnings of words;
    numbers are never cut short. A code counts without where its pieces are.
    """
    fits = [
        fit
        for words in (_words(label), _words(re.sub(r"(\[[^]]*\])?@[^,]*", "", code)))
        for fit, (ordered, whole) in enumerate(product((True, False), repeat=2))
        if _fits(typed, words, whole=whole, ordered=ordered)
    ]
    return min(fits, default=None)


def _fits(typed: list[str], label: list[str], *, whole: bool, ordered: bool) -> bool:
    left = list(label)
    for word in typed:
        begins = not whole and not word.isdigit()
        found = next((at for at, other in enumerate(left) if other == word), None)
        if found is None and begins:
            found = next((at for at, other in enumerate(left) if other.startswith(word)), None)
        if found is None:
            return False
        left = left[found + 1 :] if ordered else left[:found] + left[found + 1 :]
    return True
