"""Clauses: somebody does or is something, as a sentence, after “if”, or after a noun."""

from __future__ import annotations

from typing import Literal, TypeAlias

import attrs

from ruledsl.play.inflection import Phrase

Verb: TypeAlias = Literal["be", "lie", "exist", "hold", "say"]
Order: TypeAlias = Literal["main", "dependent"]

_VERBS: dict[str, dict[Verb, tuple[str, str, str, str]]] = {
    "en": {
        "be": ("is", "are", "is not", "are not"),
        "lie": ("lies", "lie", "does not lie", "do not lie"),
        "exist": ("is", "are", "is not", "are not"),
        "hold": ("holds", "hold", "does not hold", "do not hold"),
        "say": ("", "", "– no", "– no"),
    },
    "de": {
        "be": ("ist", "sind", "ist", "sind"),
        "lie": ("liegt", "liegen", "liegt", "liegen"),
        "exist": ("gibt", "gibt", "gibt", "gibt"),
        "hold": ("gilt", "gelten", "gilt", "gelten"),
        "say": ("", "", "– nein", "– nein"),
    },
}
"""one, many, not one, not many; in German “nicht” stands before the rest"""


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
        if self.language != "de":
            return f"{self.subject} {verb} {self.rest}".rstrip() + self.tail
        if self.subject.owner == "you":
            verb = {"ist": "bist", "liegt": "liegst"}.get(verb, verb)
        rest = self.rest
        if self.negated:
            indefinite = rest.split(" ", 1)[0] in ("ein", "eine", "einen")
            rest = f"k{rest}" if indefinite else f"nicht {rest}"
        words = (self.subject, verb, rest) if order == "main" else (self.subject, rest, verb)
        return " ".join(filter(None, map(format, words))) + self.tail


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
