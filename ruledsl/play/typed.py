"""What a person types, understood as a choice: by number, by words, by beginnings of words."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise, product
from typing import TYPE_CHECKING

import attrs

from ruledsl.model import core
from ruledsl.play.candidates import candidates
from ruledsl.play.decisions import ActionOption, Refusal, ValueOption
from ruledsl.play.elsewhere import Elsewhere, elsewhere

if TYPE_CHECKING:
    from ruledsl.play.match import Choice, Match

WORST_FIT = 4

PUNCTUATION = re.escape(".,;:!?()[]{}<>\"'`“”„’-–—→/@#*=&%|\\")
"""Signs that mean nothing in what is typed; others, such as those of suits, do."""
MOST_JUDGED = 40
"""Illegal choices of one action that are looked at closely."""
MOST_REFUSED = 3
"""Illegal choices written alike of which it is told what is against them."""


@attrs.frozen
class Typed:
    """What was understood.

    `number` is the option meant. Otherwise `problem` is `unknown` (not understood), `ambiguous`
    (several options fit: `fitting`), `illegal` (a move that the rules refuse: `refusals`),
    `elsewhere` (something that is not there to be chosen), or `not now` (an action that is offered
    at other times: `meant`).
    """

    number: int | None
    problem: str | None = None
    fitting: tuple[int, ...] = ()
    refusals: tuple[Refusal, ...] = ()
    meant: str = ""
    also: tuple[Typed, ...] = ()
    """other moves that the rules refuse and that may be meant as well"""
    elsewhere: Elsewhere | None = None
    """a thing that is named, but can't be chosen"""
    then: tuple[int, ...] = ()
    """the options taken after the first one, at the decisions that follow"""


def read_choice(match: Match, text: str) -> Typed:
    """Understand a typed line at the current decision; numbers count from 1."""
    wanted = text.strip()
    options = match.options
    if re.fullmatch(r"[0-9]{1,18}\)?", wanted):
        numbered = _numbered(match, wanted)
        if numbered is not None:
            return numbered
    if re.fullmatch(r"[-+#]\s*[0-9]+", wanted) and all(wanted != each.label for each in options):
        return Typed(None, "unknown")
    if all(wanted != each.label for each in options):
        noted = _noted(match, wanted)
        if noted is not None:
            return noted
    fit, fitting = _named(wanted, [(each.label, each.code) for each in options])
    words = _words(wanted)
    if words and fit > 0:
        # What was typed may fit a move better that the rules refuse.
        refused = _refused(match, words, fit if fitting else None)
        if refused is not None:
            return refused
    if len({options[number].label for number in fitting}) == 1:
        # Of what reads alike nobody can mean one rather than another.
        return Typed(fitting[0])
    if fitting:
        return Typed(None, "ambiguous", fitting)
    assert match.decision is not None
    found = elsewhere(match.words, match.interpreter, match.decision, wanted)
    if found is not None:
        return Typed(None, "elsewhere", elsewhere=found)
    action = _at_other_times(match, words)
    return Typed(None, "unknown") if action is None else Typed(None, "not now", meant=action)


def amounts_of(options: Sequence[Choice]) -> dict[str, dict[int, int]]:
    """Which option takes a number: of what is called so, and for each action that is about one."""
    amounts: dict[str, dict[int, int]] = {}
    for each in options:
        match each.option:
            case ValueOption() if re.fullmatch(r"-?[0-9]{1,18}", each.label):
                amounts.setdefault("", {})[int(each.label)] = each.number
            case ActionOption(key=key, values=(int(value),)) if not isinstance(value, bool):
                amounts.setdefault(key, {})[value] = each.number
            case _:
                pass
    return amounts


def _numbered(match: Match, text: str) -> Typed | None:
    """The option with a number, or the one that is about this number; `4)` is always the fourth
    option. Where several actions are about numbers, it may be meant either way."""
    options = match.options
    number = int(text.removesuffix(")"))
    listed = number - 1 if 1 <= number <= len(options) else None
    if text.endswith(")"):
        return Typed(listed) if listed is not None else Typed(None, "unknown")
    amounts = [*amounts_of(options).values()]
    meant = {taking[number] for taking in amounts if number in taking}
    if len(amounts) == 1:
        if listed in amounts[0].values():
            listed = None  # its own number is another one
        listed = None if meant else listed
    meant |= {listed} if listed is not None else set()
    match sorted(meant):
        case [option]:
            return Typed(option)
        case [_, *_] as several:
            return Typed(None, "ambiguous", tuple(several))
        case _:
            pass
    if any(text == each.label for each in options):
        return None
    # A number of no option is a slip, whatever else it stands in.
    return _written(match, text) or _refused_number(match, text) or Typed(None, "unknown")


def _refused_number(match: Match, text: str) -> Typed | None:
    """What the rules have against this number, where a number is asked for."""
    return _refused(match, [text], None) if amounts_of(match.options) else None


def _at_other_times(match: Match, words: list[str]) -> str | None:
    """The action whose label or name begins with the first word, where it is not offered."""
    assert match.decision is not None
    statement = match.decision.statement
    offers = statement.offers if isinstance(statement, core.ChooseAction) else ()
    now = {offer.action for offer in offers}
    for key, info in match.game.actions.items():
        label = match.words.action(key)
        begins = {*_words(label)[:1], *_words(info.name)[:1]}
        if key not in now and begins & {*words[:1]}:
            return label
    return None


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
    assert match.decision is not None
    best: tuple[tuple[int, int], Typed] | None = None
    judged: Counter[str] = Counter()
    for candidate in candidates(match.interpreter, match.decision):
        action = candidate.option.key if isinstance(candidate.option, ActionOption) else ""
        label = match.labels.label(candidate.option)
        fit = _fit(words, label, match.labels.code(candidate.option))
        if fit is None or judged[action] == MOST_JUDGED:
            continue
        judged[action] += 1
        verdict = candidate.judge()
        if verdict.legal or (than is not None and fit >= than):
            continue
        size = (fit, len(label))
        if best is None or size < best[0]:
            best = (size, Typed(None, "illegal", (), verdict.refusals, label))
    return None if best is None else best[1]


def _noted(match: Match, text: str) -> Typed | None:
    """A choice in the notation of the game; first to the letter, then as people type."""
    notation = match.notation
    for closely in (True, False):
        fitting = notation.read(text, notation.decision.options, closely=closely)
        if fitting:
            one = len(fitting) == 1
            return Typed(fitting[0]) if one else Typed(None, "ambiguous", tuple(fitting))
        refused = _noted_refused(match, text, closely=closely)
        if refused is not None:
            return refused
    return _in_one_go(match, text)


def _written(match: Match, text: str) -> Typed | None:
    """A choice that is written so to the letter."""
    notation = match.notation
    fitting = notation.read(text, notation.decision.options, closely=True)
    return Typed(fitting[0]) if len(fitting) == 1 else None


def _noted_refused(match: Match, text: str, *, closely: bool) -> Typed | None:
    """What the rules have against a choice that is written so; against each, if several are."""
    everything = [*candidates(match.interpreter, match.notation.decision)]
    options = (candidate.option for candidate in everything)
    found: list[Typed] = []
    for number in match.notation.read(text, options, closely=closely)[:MOST_REFUSED]:
        verdict = everything[number].judge()
        label = match.labels.label(everything[number].option)
        if not verdict.legal:
            found.append(Typed(None, "illegal", (), verdict.refusals, label))
    return attrs.evolve(found[0], also=tuple(found[1:])) if found else None


def _in_one_go(match: Match, text: str) -> Typed | None:
    """Several choices in one line, if between them nothing comes out that their seat did not know:
    `e8=Q`, `13/8 6/5`."""
    for number, rest in match.notation.beginnings(text):
        with match.trying(number):
            if match.decision is None or not match.can_undo():
                continue
            typed = read_choice(match, rest)
        if typed.number is not None:
            return Typed(number, then=(typed.number, *typed.then))
        if typed.problem == "illegal":
            return typed
    return None


def _words(text: str) -> list[str]:
    """The words of a text, without case, accents and punctuation."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    plain = "".join(letter for letter in plain if not unicodedata.combining(letter))
    return re.findall(rf"[^\W_]+|[^\w\s{PUNCTUATION}]", plain)


def _fit(typed: list[str], label: str, code: str) -> int | None:
    """How well typed words fit an option, 0 being best; None if they don't.

    Words in order are better than in any order, and whole words better than beginnings of words;
    numbers are never cut short, and stay with the word before them. A code counts without where its
    pieces are.
    """
    fits = [
        fit
        for words in (_words(label), _words(re.sub(r"(\[[^]]*\])?@[^,]*", "", code)))
        for fit, (ordered, whole) in enumerate(product((True, False), repeat=2))
        if _fits(typed, words, whole=whole, ordered=ordered)
    ]
    return min(fits, default=None)


def _fits(typed: list[str], label: list[str], *, whole: bool, ordered: bool) -> bool:
    if _renumbered(typed, label, whole=whole):
        return False
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


def _renumbered(typed: list[str], label: list[str], *, whole: bool) -> bool:
    """Whether a word has another number behind it in the label: `card 2` is not `card 1`."""
    for word, number in pairwise(typed):
        if number.isdigit() and not word.isdigit():
            numbers = {
                after
                for before, after in pairwise(label)
                if after.isdigit() and (before == word or (not whole and before.startswith(word)))
            }
            if numbers and number not in numbers:
                return True
    return False
