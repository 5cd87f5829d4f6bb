"""Pieces in words and in a letter or two, as far as a seat can tell what they are."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product

import attrs

from ruledsl.model.game import StateInfo
from ruledsl.model.types import FlagType, SetType, ThingType, plain
from ruledsl.play.views import PieceView, PlaceView
from ruledsl.play.words import Words
from ruledsl.scene.arrangement import Arrangement
from ruledsl.table.table import Table
from ruledsl.table.things import Thing, Value
from ruledsl.texts import terminal
from ruledsl.texts.text import Phrases

from .text import initials, safe, seat_style, styled, together
from .text import plain as plain_text

MOST_CODES = 60
"""Kinds of pieces with more looks than this have no letters of their own."""

_MARKS = ("●", "○")


@attrs.frozen
class PieceNames:
    """How the pieces of a table are called."""

    table: Table
    words: Words
    arrangement: Arrangement

    # ------------------------------------------------------------ things in words

    def thing(self, value: Value) -> str:
        """A value; players in their colours."""
        if isinstance(value, Thing) and value.kind == "Player":
            return self.player(value)
        if isinstance(value, tuple):
            return ", ".join(self.thing(each) for each in value) or self.words.own("none")
        return safe(self.words.value(value))

    def player(self, player: Thing) -> str:
        return styled(safe(self.words.thing(player)), seat_style(player.index))

    def name(self, name: str) -> str:
        """A declared name."""
        return safe(self.words.name(name))

    def state(self, info: StateInfo) -> str:
        return self.name(info.name)

    # ------------------------------------------------------------ pieces in words

    def owner(self, view: PieceView) -> Thing | None:
        """Whose it is: by its index, or by a state that names a player."""
        if view.piece is None:
            return None
        for index in view.piece.indexes.values():
            if isinstance(index, Thing) and index.kind == "Player":
                return index
        for key, value in view.states:
            if _names_player(self.table.game.states[key]) and isinstance(value, Thing):
                return value
        return None

    def text(
        self,
        view: PieceView,
        *,
        alone: bool = False,
        owner: Thing | None = None,
        numbers: bool = True,
    ) -> str:
        """A piece in words.

        `alone`: only this kind lies here, so that its name may be left out; what belongs to
        `owner` need not say so. `numbers`: also states that are numbers, such as the pips of a
        die, but not those by which a player's pieces keep count.
        """
        label = self.name(view.kind)
        if view.piece is None:
            return styled(label, "dim") if view.looks is None else self._possible(view, alone)
        face = view.piece.face
        parts = [self.thing(value) for value in _traits(view.piece)]
        if face is not None:
            parts.insert(0, safe(self.words.name(face.name, view.kind)))
        elif not alone or not parts:
            parts.insert(0, label)
        whose = self.owner(view)
        parts += self._states(view, numbers=numbers and whose is None)
        text = " ".join(parts)
        if view.looks is not None:
            text = f"{text} ({self._possible(view, alone=True)})"
        if whose is None:
            return text
        text = styled(text, seat_style(whose.index))
        if whose is owner:
            return text
        if alone and whose in view.piece.indexes.values() and parts == [label]:
            return self.player(whose)
        return f"{text} ({self.player(whose)})"

    def _possible(self, view: PieceView, alone: bool) -> str:
        """An unknown piece of which something was told: what its traits can still be."""
        assert view.looks is not None
        columns: list[tuple[Value, ...]] = list(
            zip(*[(face, *indexes) for face, indexes in view.looks], strict=True)
        )
        parts = [] if alone else [self.name(view.kind)]
        for column in columns:
            left = list(dict.fromkeys(sorted(column, key=_order)))
            if left != [None]:
                labels = [self.thing(value) for value in left]
                parts.append("/".join(labels) if len(left) <= 2 else "?")
        return styled(" ".join(parts), "dim")

    def _states(self, view: PieceView, *, numbers: bool) -> list[str]:
        """What a piece's states add to its name; the usual value of a trait says nothing."""
        assert view.piece is not None
        nameless = _is_nameless(view.piece)
        told: list[str] = []
        for key, value in view.states:
            info = self.table.game.states[key]
            if value is None or _names_player(info):
                continue
            usual = value == self.table.start_value(self.table.slots[key, view.piece])
            if isinstance(plain(info.type), FlagType):
                if not usual:
                    told.append(
                        self.state(info) if value else f"{self.state(info)}: {self.thing(value)}"
                    )
            elif isinstance(value, Thing) or isinstance(plain(info.type), SetType):
                if not usual or nameless:
                    told.append(self.thing(value))
            elif numbers:
                told.append(f"{self.state(info)} {self.thing(value)}")
        return told

    def carried(self, view: PieceView, at: dict[Thing, PlaceView]) -> tuple[PieceView, ...]:
        """What lies in the places of a piece."""
        if view.piece is None:
            return ()
        found: list[PieceView] = []
        for family in self.arrangement.with_piece.get(view.kind, ()):
            if not family.rest:
                found += at[self.table.place_at(family.kind, (view.piece,))].pieces or ()
        return tuple(found)

    def counted(
        self,
        pieces: Iterable[PieceView],
        at: dict[Thing, PlaceView],
        *,
        alone: bool = False,
        owner: Thing | None = None,
        numbers: bool = True,
    ) -> list[str]:
        """Pieces in words, alike ones counted."""
        counts: dict[str, int] = {}
        for view in pieces:
            text = self.text(view, alone=alone, owner=owner, numbers=numbers)
            inside = self.counted(self.carried(view, at), at)
            if inside:
                text += f" [{', '.join(inside)}]"
            counts[text] = counts.get(text, 0) + 1
        return [
            text if count == 1 else f"{together(f'{count} × ')}{text}"
            for text, count in counts.items()
        ]

    # ------------------------------------------------------------ pieces in letters

    def codes(self, places: Sequence[str]) -> Codes:
        """Short names for whatever can lie in these kinds of places and in what belongs to them."""
        families = [
            family.kind for name in places for family in self.arrangement.with_place.get(name, ())
        ]
        kinds: dict[str, None] = {}
        todo = [*places, *families]
        while todo:
            info = self.table.game.kinds[todo.pop(0)].place
            assert info is not None
            for held in info.holds:
                if held not in kinds:
                    kinds[held] = None
                    todo += [family.kind for family in self.arrangement.with_piece.get(held, ())]
        bodies = {kind: self._bodies(kind) for kind in kinds}
        several = len(kinds) > 1
        labels = [
            label
            for kind, found in bodies.items()
            for label in (found or ([self.name(kind)] if several else []))
        ]
        return Codes(self, initials(labels), several)

    def _bodies(self, kind: str) -> list[str]:
        """The traits that pieces of a kind can show."""
        info = self.table.game.kinds[kind]
        if info.rows:
            return [safe(self.words.name(row, kind)) for row in info.rows]
        traits = [self.table.domain(index) for index in info.indexes if index.kind != "Player"]
        if not traits:
            role = self._role(kind)
            if role is None:
                return []
            (of,) = role.kinds
            traits = [self.table.things(of)]
        labels = [" ".join(self.thing(value) for value in values) for values in product(*traits)]
        return labels if len(labels) <= MOST_CODES else []

    def _role(self, kind: str) -> ThingType | None:
        """The type of the state that tells nameless pieces of a kind apart."""
        for state in self.table.game.states.values():
            of = plain(state.type)
            if state.owner == kind and isinstance(of, ThingType) and not _names_player(state):
                if len(of.kinds) == 1:
                    return of
        return None


@attrs.frozen
class Codes:
    """Short names of the pieces in one picture, and the legend of those that were used."""

    naming: PieceNames
    letters: dict[str, str]
    several: bool
    used: dict[str, dict[str, None]] = attrs.Factory(dict)
    cases: dict[int, str] = attrs.Factory(dict)
    """the players whose pieces are told apart by capital and small letters"""

    def code(self, view: PieceView) -> str:
        """A piece in a letter or two: what it is, whose it is, and its numbers."""
        naming = self.naming
        if view.piece is None:
            return self._note("?", styled(naming.name(view.kind), "dim"))
        label = self._label(view)
        letter = self.letters.get(label, "")
        owner = naming.owner(view)
        flags, numbers = self._extras(view)
        meaning = " ".join([label or naming.name(view.kind), *flags])
        short = [flag[:1].upper() for flag in flags]
        two = len(naming.table.things("Player")) == 2
        if owner is None:
            code = letter or naming.name(view.kind)[:1].upper()
        elif two and (letter or short):
            code = letter or short.pop(0)
            code = code.upper() if owner.index == 0 else code.lower()
            self.cases[owner.index] = naming.player(owner)
        elif two:
            code = _MARKS[owner.index]
            meaning = naming.player(owner)
        else:
            code = f"{letter}{owner.index + 1}"
        code += "".join(short).lower()
        if owner is not None:
            code = styled(code, seat_style(owner.index))
        return self._note(code, meaning) + "".join(numbers)

    def _note(self, code: str, meaning: str) -> str:
        self.used.setdefault(meaning, {})[code] = None
        return code

    def _label(self, view: PieceView) -> str:
        """The piece without its owner: what its letters stand for."""
        assert view.piece is not None
        naming = self.naming
        if view.piece.face is not None:
            return safe(naming.words.name(view.piece.face.name, view.kind))
        traits = [naming.thing(value) for value in _traits(view.piece)]
        for key, value in view.states:
            info = naming.table.game.states[key]
            if not traits and isinstance(value, Thing) and not _names_player(info):
                traits.append(naming.thing(value))
        if traits:
            return " ".join(traits)
        return naming.name(view.kind) if self.several else ""

    def _extras(self, view: PieceView) -> tuple[list[str], list[str]]:
        """The flags that are set, and numbers."""
        assert view.piece is not None
        flags: list[str] = []
        numbers: list[str] = []
        for key, value in view.states:
            info = self.naming.table.game.states[key]
            usual = value == self.naming.table.start_value(self.naming.table.slots[key, view.piece])
            if isinstance(value, bool):
                if not usual:
                    flags.append(self.naming.state(info))
            elif isinstance(value, int):
                numbers.append(str(value))
        return flags, numbers

    def counted(self, pieces: Iterable[PieceView], at: dict[Thing, PlaceView]) -> list[str]:
        """Pieces in letters, alike ones counted."""
        counts: dict[str, int] = {}
        for view in pieces:
            code = self.code(view)
            inside = self.counted(self.naming.carried(view, at), at)
            if inside:
                code += f"+{''.join(inside)}"
            counts[code] = counts.get(code, 0) + 1
        return [code if count == 1 else _times(count, code) for code, count in counts.items()]

    def legend(self, say: Phrases) -> list[str]:
        """What the letters used so far mean."""
        lines = sorted(
            (
                f"{' '.join(sorted(codes))} = {meaning}"
                for meaning, codes in self.used.items()
                if list(codes) != [meaning]
            ),
            key=plain_text,
        )
        if len(self.cases) == 2:
            lines.append(say(terminal.CAPITALS, first=self.cases[0], second=self.cases[1]))
        return [together(line) for line in lines]


def _times(count: int, code: str) -> str:
    return f"{count}×{code}"


def _traits(piece: Thing) -> list[Value]:
    """The indexes of a piece apart from its owner."""
    return [
        value
        for value in piece.indexes.values()
        if not (isinstance(value, Thing) and value.kind == "Player")
    ]


def _is_nameless(piece: Thing) -> bool:
    return piece.face is None and not _traits(piece)


def _names_player(info: StateInfo) -> bool:
    return plain(info.type) == ThingType(frozenset({"Player"}))


def _order(value: Value) -> int:
    if isinstance(value, Thing):
        return value.order
    return value if isinstance(value, int) else -1
