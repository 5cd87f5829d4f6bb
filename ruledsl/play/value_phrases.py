"""Values of a game as noun phrases, for the sentences in which rules tell what happened."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

import attrs

from ruledsl.model.game import GridShape
from ruledsl.play.inflection import Noun, Phrase, fixed
from ruledsl.play.naming import Naming
from ruledsl.table.things import Thing, Value


@attrs.frozen
class ValuePhrases(Naming):
    """Things with their articles, where they are known; `unknown` pieces are any of their kind."""

    unknown: Callable[[Value], bool] = attrs.field(kw_only=True)

    def filled(self, text: str, values: Mapping[str, Value]) -> str:
        """A text with its values: the word before each tells its case, or is its article."""
        phrases = {f"{{{hole}}}": self.of(value) for hole, value in values.items()}
        if not phrases:
            return text

        def told(found: re.Match[str]) -> str:
            phrase = phrases[found[2]]
            return self.grammar.after(found[1], phrase) if found[1] else str(phrase)

        holes = "|".join(map(re.escape, phrases))
        return self.grammar.polished(re.sub(rf"(?:(\w+) )?({holes})", told, text))

    def of(self, value: Value) -> Phrase:
        match value:
            case Thing():
                return self._thing(value)
            case tuple() if value:
                return self._several(value)
            case _:
                return fixed(self.words.value(value))

    def _several(self, values: Sequence[Value]) -> Phrase:
        """One after the other, those that are called alike counted."""
        alike: dict[Phrase, list[Value]] = {}
        # What can't be told apart comes last, so that the order tells nothing.
        for value in sorted(values, key=self.unknown):
            alike.setdefault(self.of(value), []).append(value)
        return self.listed(
            [
                self._thing(first, 1 + len(others)) if isinstance(first, Thing) else phrase
                for phrase, (first, *others) in alike.items()
            ]
        )

    def _thing(self, thing: Thing, number: int = 1) -> Phrase:
        """A thing, or so many that are called like it."""
        noun = self._noun(thing)
        if noun is None:
            name = self.words.value(thing)
            return fixed(name if number == 1 else f"{number} × {name}")
        if number > 1:
            phrase = self.grammar.some(noun, str(number))
        else:
            phrase = self.grammar.a(noun) if self.unknown(thing) else self.grammar.the(noun)
        owner = self._owner(thing)
        return phrase if owner is None else self.grammar.of(phrase, self.of(owner))

    def _noun(self, thing: Thing) -> Noun | None:
        """The noun that a thing is called by, unless it has a name of its own."""
        if self.unknown(thing):
            return self.kind_noun(thing.kind)
        kind = self.game.kinds.get(thing.kind)
        if thing.face is not None:
            return self._inflected(thing.face.name, thing.kind)
        if thing.kind == "Player" or kind is None:
            return None
        if kind.sort == "enumeration" or thing.name in kind.rows:
            return self._inflected(thing.name, thing.kind)
        if thing.number is not None or thing.ends or self._is_field(thing):
            return None
        match tuple(thing.indexes.values()):
            case ():
                return self.kind_noun(thing.kind)
            case (Thing() as index,) if self._is_labelled(thing, index):
                return self._inflected(index.name, thing.kind)
            case (Thing(),):
                return self.kind_noun(thing.kind)
            case _:
                return None

    def _owner(self, thing: Thing) -> Thing | None:
        """Whom or what a thing is called after: the only index of it."""
        if thing.face is not None or self.unknown(thing):
            return None
        match tuple(thing.indexes.values()):
            case (Thing() as index,) if not self._is_labelled(thing, index):
                return index
            case _:
                return None

    def _inflected(self, name: str, kind: str) -> Noun | None:
        """The noun of a row, if its forms are known."""
        return self.noun(name, kind) if self.has_forms(name, kind) else None

    def _is_labelled(self, thing: Thing, index: Thing) -> bool:
        """Whether what belongs to a value has a label: `Cube.male "boy"`."""
        info = self.game.languages.get(self.words.language)
        return info is not None and f"{thing.kind}.{index.name}" in info.labels

    def _is_field(self, thing: Thing) -> bool:
        place = self.game.kinds[thing.kind].place
        return place is not None and isinstance(place.shape, GridShape)
