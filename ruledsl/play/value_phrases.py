"""Values of a game as noun phrases, for the sentences in which rules tell what happened."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

import attrs

from ruledsl.model.game import GridShape
from ruledsl.play.inflection import Phrase, fixed
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
                # What can't be told apart comes last, so that the order tells nothing.
                return self.listed([self.of(item) for item in sorted(value, key=self.unknown)])
            case _:
                return fixed(self.words.value(value))

    def _thing(self, thing: Thing) -> Phrase:
        if self.unknown(thing):
            return self.grammar.a(self.kind_noun(thing.kind))
        if thing.face is not None:
            return self.named(thing.face.name, thing.kind)
        kind = self.game.kinds.get(thing.kind)
        if thing.kind == "Player" or kind is None:
            return fixed(self.words.value(thing))
        if kind.sort == "enumeration" or thing.name in kind.rows:
            return self.named(thing.name, thing.kind)
        if thing.number is not None or thing.ends or self._is_field(thing):
            return fixed(self.words.value(thing))
        return self._belonging(thing)

    def _is_field(self, thing: Thing) -> bool:
        place = self.game.kinds[thing.kind].place
        return place is not None and isinstance(place.shape, GridShape)

    def _belonging(self, thing: Thing) -> Phrase:
        """What there is once, or once for a player or another thing."""
        indexes = list(thing.indexes.values())
        if not indexes:
            return self.grammar.the(self.kind_noun(thing.kind))
        (index, *others) = indexes
        info = self.game.languages.get(self.words.language)
        if others or not isinstance(index, Thing):
            return fixed(self.words.value(thing))
        if info is not None and f"{thing.kind}.{index.name}" in info.labels:
            return self.named(index.name, thing.kind)
        return self.grammar.of(self.grammar.the(self.kind_noun(thing.kind)), self.of(index))
