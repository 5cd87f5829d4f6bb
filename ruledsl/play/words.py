"""The words of a game in a language: labels of things, actions, places, and translated texts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product

import attrs

from ruledsl.model.game import CheckedGame, GridShape, LanguageInfo, RuleTextInfo
from ruledsl.model.rule_texts import OWN
from ruledsl.play.sayings import Saying, filled
from ruledsl.table.things import Thing, Value
from ruledsl.texts.own_words import LABELS


def plain_name(name: str) -> str:
    """A declared name as a label: blanks for underscores."""
    return name.replace("_", " ")


def column_letters(number: int, declared: str = "") -> str:
    """The letters of a column: those declared, else `a` to `z`, then `aa`."""
    if number <= len(declared):
        return declared[number - 1]
    letters = ""
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(ord("a") + rest) + letters
    return letters


@attrs.frozen
class Words:
    """Labels and texts of a game in one language."""

    game: CheckedGame
    language: str = "en"

    def _info(self) -> LanguageInfo | None:
        return self.game.languages.get(self.language)

    def own(self, word: str) -> str:
        """A word of the tool itself."""
        text = LABELS.get(word)
        return plain_name(word) if text is None else text.within(self.language)

    def text(self, text: str) -> str:
        """A prompt, title or message."""
        info = self._info()
        return text if info is None else info.texts.get(text, text)

    def said(self, saying: Saying, *, translated: bool = True) -> str:
        """A text with words for the values in it."""
        text = self.text(saying.text) if translated else saying.text
        unknown = saying.unknown
        return filled(text, {hole: self._known(value, unknown) for hole, value in saying.values})

    def _known(self, value: Value, unknown: frozenset[Thing]) -> str:
        if isinstance(value, tuple) and value:
            # What can't be told apart comes last, so that the order tells nothing.
            items = sorted(value, key=lambda item: item in unknown)
            return ", ".join(self._known(item, unknown) for item in items)
        if isinstance(value, Thing) and value in unknown:
            return self.kind(value.kind)
        return self.value(value)

    def rule(self, rule: str) -> RuleTextInfo | None:
        """What a rule of the rulebook says, such as `PP-7`; in the file's own language at worst."""
        texts = self.game.rule_texts.get(rule, {})
        return texts.get(self.language) or texts.get(OWN)

    def name(self, name: str, kind: str | None = None, title: str | None = None) -> str:
        """A declared name, perhaps of a kind, perhaps with a title."""
        info = self._info()
        if info is not None:
            if kind is not None and f"{kind}.{name}" in info.labels:
                return info.labels[f"{kind}.{name}"]
            if title is not None and title in info.texts:
                return info.texts[title]
            if name in info.labels:
                return info.labels[name]
        if title is not None:
            return title
        if info is not None and self.key(name) in info.labels:
            return info.labels[self.key(name)]
        return self._derived(name, kind) or self.own(name)

    def state(self, key: str) -> str:
        """A state by its owner and name, as in `Player.coins`: either may have the label."""
        owner, _, name = key.rpartition(".")
        return self.name(name, owner or None)

    def key(self, name: str) -> str:
        """What gives a name its label: `card` is called like the kind `Card`, unless it has one."""
        info = self._info()
        if info is None or name in info.labels:
            return name
        kind = name[:1].upper() + name[1:]
        return kind if kind in self.game.kinds and kind in info.labels else name

    def _derived(self, name: str, of: str | None) -> str | None:
        """A form is called after its shape, a row without a name after its kind."""
        kind = None if of is None else self.game.kinds.get(of)
        if kind is None:
            return None
        if name in kind.nameless:
            return f"{self.name(kind.name)} {name.rpartition('_')[2]}"
        form = next((form for form in kind.forms if form.name == name), None)
        if form is None or form.of == kind.name:
            return None
        degrees = f" {form.degrees}°" if form.degrees else ""
        over = f" {self.own('mirrored')}" if form.mirrored else ""
        return f"{self.name(form.shape, form.of)}{over}{degrees}"

    def title(self) -> str:
        """The game's, or the variant's."""
        return self.name(self.game.variant or self.game.name, None, self.game.title)

    # ------------------------------------------------------------ things

    def value(self, value: Value) -> str:
        match value:
            case None:
                return self.own("none")
            case bool():
                return self.own("yes" if value else "no")
            case int():
                return str(value)
            case Thing():
                return self.thing(value)
            case tuple():
                return ", ".join(self.value(item) for item in value) or self.own("none")

    def thing(self, thing: Thing) -> str:
        if thing.kind == "Player":
            return f"{self.own('Player')} {thing.index + 1}"
        kind = self.game.kinds.get(thing.kind)
        if kind is None or kind.sort in ("direction", "enumeration"):
            return self.name(thing.name, thing.kind.removeprefix("face of "))
        if kind.sort == "piece":
            return self.piece(thing)
        if kind.sort == "place":
            return self.place(thing)
        return " ".join(self.value(index) for index in thing.indexes.values())

    def _one_of(self, thing: Thing) -> str | None:
        """A label for what belongs to a value: `Cube.male "boy"`."""
        info = self._info()
        if info is None or len(thing.indexes) != 1:
            return None
        (index,) = thing.indexes.values()
        return info.labels.get(f"{thing.kind}.{index.name}") if isinstance(index, Thing) else None

    def piece(self, piece: Thing) -> str:
        if piece.face is not None:
            return self.name(piece.face.name, piece.kind)
        own = self._one_of(piece)
        if own is not None:
            return own
        if piece.kind in self.game.notation.things:
            return self.signs(piece)[0]
        label = self.name(piece.kind)
        if not piece.indexes:
            return label
        indexes = " ".join(self.value(index) for index in piece.indexes.values())
        only_player = all(
            isinstance(index, Thing) and index.kind == "Player" for index in piece.indexes.values()
        )
        if only_player:
            return f"{label} ({indexes})"
        return indexes if len(piece.indexes) > 1 else f"{label} {indexes}"

    def place(self, place: Thing) -> str:
        kind = self.game.kinds[place.kind]
        assert kind.place is not None
        label = self._one_of(place)
        if label is not None:
            return label
        label = self.name(place.kind)
        if place.name in kind.rows:
            return self.name(place.name, place.kind)
        if place.ends:
            return "–".join(self.place(end) for end in place.ends)
        if isinstance(kind.place.shape, GridShape):
            assert place.col is not None
            label = f"{self.column(place.kind, place.col)}{place.row}"
        elif place.number is not None:
            label = f"{label} {place.number}"
        if place.indexes:
            indexes = ", ".join(self.value(index) for index in place.indexes.values())
            return f"{label} ({indexes})"
        return label

    def kind(self, kind: str) -> str:
        return self.name(kind)

    # ------------------------------------------------------------ notation

    def column(self, kind: str, number: int) -> str:
        """The letter of a column, as players of the game write it."""
        return column_letters(number, self.game.notation.columns.get(kind, ""))

    def signs(self, value: Value) -> tuple[str, ...]:
        """The ways to write a value, the usual one first."""
        found: list[str] = []
        if isinstance(value, Thing):
            kind = value.kind.removeprefix("face of ")
            things = self.game.notation.things
            name = value.name if value.face is None else value.face.name
            declared = things.get(f"{kind}.{name}", things.get(kind, ()))
            for text in map(self.text, declared):
                found += self._written(text, {**value.indexes, **value.columns})
            look = self.game.looks.get(f"{kind}.{name}")
            if look is not None and look.symbol is not None:
                found.append(look.symbol)
        return tuple(dict.fromkeys((*found, self._long(value))))

    def _written(self, text: str, values: Mapping[str, Value]) -> Iterator[str]:
        """A sign with all ways to write the values in it."""
        holes = [name for name in values if f"{{{name}}}" in text]
        for signs in product(*(self.signs(values[name]) for name in holes)):
            yield filled(text, dict(zip(holes, signs, strict=True)))

    def _long(self, value: Value) -> str:
        """A value in words, where it has a sign as well."""
        if isinstance(value, Thing) and value.indexes and value.kind in self.game.notation.things:
            return " ".join(self.value(index) for index in value.indexes.values())
        return self.value(value)

    # ------------------------------------------------------------ choices

    def action(self, key: str, told: Mapping[str, str] | None = None) -> str:
        """Its label; what stands in it for its parameters is told, or their names."""
        info = self.game.actions[key]
        return self._label(info.name, info.title, [draw.local.name for draw in info.picks], told)

    def action_with(self, key: str, values: tuple[Value, ...]) -> str | None:
        """A label for an action with one value: `use_influence.male "Use male influence"`."""
        info = self._info()
        if info is None or len(values) != 1 or not isinstance(values[0], Thing):
            return None
        return info.labels.get(f"{self.game.actions[key].name}.{values[0].name}")

    def trigger(self, key: str, told: Mapping[str, str] | None = None) -> str:
        info = self.game.triggers[key]
        return self._label(key, info.title, [draw.local.name for draw in info.picks], told)

    def step(self, key: str, told: Mapping[str, str] | None = None) -> str:
        info = self.game.steps[key]
        return self._label(key, info.title, [param.local.name for param in info.params], told)

    def _label(
        self, name: str, title: str | None, params: list[str], told: Mapping[str, str] | None
    ) -> str:
        label = self.name(name, None, title)
        return filled(label, {each: self.name(each) for each in params} if told is None else told)


def is_told(title: str | None, parameter: str) -> bool:
    """Whether a label has a place for a parameter."""
    return title is not None and f"{{{parameter}}}" in title
