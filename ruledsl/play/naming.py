"""The words of a game in sentences: nouns for its names, and for what is bound in its rules."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Literal, Self

import attrs

from ruledsl.diagnostics.source import Span
from ruledsl.model import core
from ruledsl.model.game import CheckedGame, FamilyShape
from ruledsl.model.symbols import DIRECTION
from ruledsl.model.types import FaceType, MaybeType, NumberType, SetType, ThingType, Type
from ruledsl.play.inflection import CASES, GRAMMARS, Grammar, Noun, Phrase, filled, fixed
from ruledsl.play.words import Words
from ruledsl.texts.sentences import PARTS, SENTENCES
from ruledsl.texts.text import LANGUAGES

_PLAYER_FORMS = {"de": "der, Spieler"}
_OWN_FORMS = {
    "de": {
        "place": "der",
        "ends": "plural",
        "seat": "die",
        "index": "die",
        "times": "die",
        "number": "die, Zahlen",
        "direction": "die, Richtungen",
        "col": "die",
        "row": "die",
        "face": "das",
        "opposite": "die",
        "piece": "der, Spielsteine",
        "thing": "das, Dinge",
        "viewer": "der, Betrachter",
        "remainder": "der, Reste",
        "difference": "der, Unterschiede",
        "amount": "der, Beträge",
    }
}
_TOKEN = re.compile(r'"[^"]*"|[^\W\d]\w*|\s+|.')


@attrs.frozen
class Naming:
    """Nouns of one game in one language, with words for the locals in scope."""

    words: Words
    names: Mapping[core.Local, Phrase] = attrs.Factory(dict)

    @property
    def game(self) -> CheckedGame:
        return self.words.game

    @property
    def language(self) -> str:
        return self.words.language if self.words.language in LANGUAGES else LANGUAGES[0]

    @property
    def grammar(self) -> Grammar:
        return GRAMMARS[self.language]

    def part(self, name: str, **parts: Phrase | str) -> str:
        return PARTS[name].within(self.language).format(**parts)

    def quoted(self, text: str) -> str:
        return SENTENCES["quote"].within(self.language).format(a=text)

    def calling(self, local: core.Local, phrase: Phrase) -> Self:
        """The same with a word for a local."""
        return attrs.evolve(self, names={**self.names, local: phrase})

    # ------------------------------------------------------------ nouns

    def noun(self, name: str, kind: str | None = None) -> Noun:
        """The noun for a declared name; a kind's own name is no proper name."""
        label = self.words.name(name, kind)
        info = self.game.languages.get(self.words.language)
        key = self.words.key(name)
        labelled = info is not None and key in info.labels
        if not labelled and self.language == "en" and name in self.game.kinds:
            label = label[:1].lower() + label[1:]
        if not labelled and self.language == "en":
            label = label.removesuffix(" of")  # `suit_of(card)`: the suit of the card
        forms = None if info is None else info.forms.get(f"{kind}.{name}", info.forms.get(key))
        if forms is None and self.language == "en" and self._are_many(name, label):
            forms = "plural"
        noun = self.grammar.noun(label, forms)
        if not labelled and name not in self.game.kinds:
            noun = attrs.evolve(noun, many=noun.one)
        return attrs.evolve(noun, onto=self._onto(name))

    def _are_many(self, name: str, label: str) -> bool:
        """Whether an English word for a number or a set reads like several: points, coins."""
        if not re.search("[^aious]s$", label.partition(" of ")[0]):
            return False
        states = (each.type for each in self.game.states.values() if each.name == name)
        defined = (each.type for each in self.game.defines.values() if each.name == name)
        return any(isinstance(each, NumberType | SetType) for each in (*states, *defined))

    def _onto(self, name: str) -> bool:
        kind = self.game.kinds.get(name)
        return (
            kind is not None
            and kind.place is not None
            and (kind.place.stack or not isinstance(kind.place.shape, FamilyShape))
        )

    def own_noun(self, name: str) -> Noun:
        """A noun of the language itself."""
        forms = _OWN_FORMS.get(self.language, {}).get(name)
        return self.grammar.noun(self.part(name), forms)

    def feature(self, name: str) -> str:
        """What an attribute of the language itself is called."""
        found = PARTS.get(name)
        text = "{" if found is None else found.within(self.language)
        return self.words.own(name) if "{" in text else text

    def kind_noun(self, kind: str) -> Noun:
        if kind == "Player":
            return self.grammar.noun(self.part("player"), _PLAYER_FORMS.get(self.language))
        if kind == DIRECTION:
            return self.own_noun("direction")
        return self.noun(kind)

    def noun_of(self, type_: Type) -> Noun:
        """The noun for a thing of this type."""
        match type_:
            case MaybeType(of=inner):
                return self.noun_of(inner)
            case SetType(element=element):
                return self.noun_of(element)
            case FaceType(kind=kind):
                return self.kind_noun(kind)
            case ThingType(kinds=kinds) if len(kinds) == 1:
                return self.kind_noun(next(iter(kinds)))
            case ThingType(kinds=kinds) if len(nouns := {self.kind_noun(k) for k in kinds}) == 1:
                return nouns.pop()
            case ThingType(kinds=kinds) if all(self._is_piece(kind) for kind in kinds):
                return self.own_noun("piece")
            case NumberType():
                return self.own_noun("number")
            case _:
                return self.own_noun("thing")

    def _is_piece(self, kind: str) -> bool:
        return kind in self.game.kinds and self.game.kinds[kind].piece is not None

    def has_forms(self, name: str, kind: str) -> bool:
        """Whether it is known how the label of a row goes in sentences."""
        info = self.game.languages.get(self.words.language)
        return info is not None and (name in info.forms or f"{kind}.{name}" in info.forms)

    def named(self, name: str, kind: str) -> Phrase:
        """A row of a table: with its article if it is known, else as a name."""
        if self.has_forms(name, kind):
            return self.grammar.the(self.noun(name, kind))
        return attrs.evolve(fixed(self.words.name(name, kind)), onto=self._onto(kind))

    def listed(self, phrases: Sequence[Phrase], last_by: str = "and") -> Phrase:
        """Several of them: “a, b and c”, or “a, b or c”."""
        if len(phrases) == 1:
            return phrases[0]
        *others, last = phrases
        both = f" {self.part(last_by)} "
        nom, acc, dat = (
            ", ".join(format(each, case) for each in others) + both + format(last, case)
            for case in CASES
        )
        return Phrase(nom, acc, dat, plural=True)

    # ------------------------------------------------------------ locals

    def local_noun(self, local: core.Local, type_: Type) -> Noun:
        """A local with a label has a noun of its own, else it is called like its kind."""
        info = self.game.languages.get(self.words.language)
        if info is not None and local.name in info.labels and local.name not in self.game.kinds:
            return self.noun(local.name)
        return self.noun_of(type_)

    def action(self, key: str) -> str:
        """An action where it is spoken of, with what it is about."""
        info = self.game.actions[key]
        nouns = {
            draw.local.name: self.local_noun(draw.local, draw.domain.type) for draw in info.picks
        }
        told = {name: self.grammar.the(noun) for name, noun in nouns.items()}
        label = self.words.name(info.name, None, info.title)
        return self.grammar.polished(filled(label, told, self.grammar.resting))

    def binding(self, local: core.Local, type_: Type, article: Literal["the", "this"]) -> Self:
        """The same, where a local is told by its noun."""
        noun = self.local_noun(local, type_)
        if isinstance(type_, NumberType) and noun == self.own_noun("number"):
            return self.calling(local, fixed(self.words.own(local.name)))
        if isinstance(type_, SetType) and noun.gender:
            noun = attrs.evolve(noun, one=noun.one if noun.gender == "p" else noun.many, gender="p")
        phrase = self.told_apart(local, noun, article)
        several = isinstance(type_.of if isinstance(type_, MaybeType) else type_, SetType)
        return self.calling(local, attrs.evolve(phrase, plural=several))

    def told_apart(
        self, local: core.Local, noun: Noun, article: Literal["the", "this"] = "this"
    ) -> Phrase:
        """What a local is called: where two are alike the second is the other one, and a further
        one has its name."""
        phrase = self.grammar.the(noun) if article == "the" else self.grammar.this(noun)
        others = {str(other.bare) for key, other in self.names.items() if key != local}
        if str(phrase) in others:
            phrase = self.grammar.the(noun, self.part("other"))
        if str(phrase) in others:
            phrase = fixed(f"{noun.one} {self.words.own(local.name)}")
        return phrase

    def owning(self, local: core.Local) -> Self:
        """The same where a local is the thing itself that is told of: “its player”."""
        return self.calling(local, Phrase("?", "?", "?", owner="own"))

    # ------------------------------------------------------------ as it is written

    def written(self, span: Span) -> str:
        """What stands in the rules file, on one line."""
        source = self.game.sources.get(span.file)
        if source is None or not span.line:
            return ""
        lines = (line.partition("#")[0] for line in source.lines(span))
        text = " ".join(" ".join(lines).split())
        return text.replace("( ", "(").replace("{ ", "{")

    def labelled(self, text: str) -> str:
        """A piece of rules text with labels for the names in it."""
        return "".join(
            self.words.name(token) if token[0].isalpha() or token[0] == "_" else token
            for token in _TOKEN.findall(text)
        )
