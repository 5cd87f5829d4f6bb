"""Clauses: somebody does or is something, as a sentence, after “if”, or after a noun."""

from __future__ import annotations

import re
from typing import Literal, TypeAlias

import attrs

from ruledsl.play.inflection import Phrase

Verb: TypeAlias = Literal["be", "have", "lie", "exist", "hold", "say"]
Order: TypeAlias = Literal["main", "dependent"]

_VERBS: dict[str, dict[Verb, tuple[str, str, str, str]]] = {
    "en": {
        "be": ("is", "are", "is not", "are not"),
        "have": ("has", "have", "has", "have"),
        "lie": ("lies", "lie", "does not lie", "do not lie"),
        "exist": ("is", "are", "is not", "are not"),
        "hold": ("holds", "hold", "does not hold", "do not hold"),
        "say": ("", "", "– no", "– no"),
    },
    "de": {
        "be": ("ist", "sind", "ist", "sind"),
        "have": ("hat", "haben", "hat", "haben"),
        "lie": ("liegt", "liegen", "liegt", "liegen"),
        "exist": ("gibt", "gibt", "gibt", "gibt"),
        "hold": ("gilt", "gelten", "gilt", "gelten"),
        "say": ("", "", "– nein", "– nein"),
    },
}
"""one, many, not one, not many; in German “nicht” stands before the rest"""

_NUMBER = re.compile(r"\d|genau |mindestens |höchstens |mehr als |weniger als ")
_A = re.compile("an? |an(?=other )")
_INDEFINITE = re.compile("(?:eine?|einen) ")


@attrs.frozen
class Clause:
    """A subject, what it does, and the rest; `tail` is a relative clause at its end."""

    language: str
    subject: Phrase
    verb: Verb
    rest: str
    negated: bool = False
    tail: str = ""

    def negation(self) -> Clause:
        return attrs.evolve(self, negated=not self.negated)

    def told(self, order: Order) -> str:
        verbs = _VERBS.get(self.language, _VERBS["en"])[self.verb]
        verb = verbs[self.subject.plural + 2 * self.negated]
        rest = self.rest
        if self.language != "de":
            if self.negated and self.verb in ("have", "exist") and _A.match(rest):
                verb, rest = verbs[self.subject.plural], _A.sub("no ", rest, 1)
            return f"{self.subject} {verb} {rest}".rstrip() + self.tail
        if self.subject.owner == "you" or rest == "du":
            verb = {"ist": "bist", "liegt": "liegst", "hat": "hast"}.get(verb, verb)
        if self.negated:
            rest = self._denied(rest)
        words = (self.subject, verb, rest) if order == "main" else (self.subject, rest, verb)
        return " ".join(filter(None, map(format, words))) + self.tail

    def _denied(self, rest: str) -> str:
        if _INDEFINITE.match(rest):
            return f"k{rest}"
        if self.verb == "exist" and not _NUMBER.match(rest):
            return f"{rest} nicht"
        return f"nicht {rest}".rstrip()


@attrs.frozen
class Joined:
    """Several clauses, with “and” or “or” between them."""

    word: str
    parts: tuple[AnyClause, ...]

    def told(self, order: Order) -> str:
        texts = (
            f"({part.told(order)})"
            if isinstance(part, Joined) and part.word != self.word
            else part.told(order)
            for part in self.parts
        )
        return f" {self.word} ".join(texts)


AnyClause: TypeAlias = Clause | Joined
