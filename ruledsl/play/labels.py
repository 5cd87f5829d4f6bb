"""The options of a decision in words, and as codes; both say only what the chooser can tell."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import attrs

from ruledsl.model.game import FamilyShape
from ruledsl.play.decisions import ActionOption, Decision, DoneOption, Option, ValueOption
from ruledsl.play.interpreter import Interpreter
from ruledsl.play.words import Words, is_told
from ruledsl.table.things import Thing, Value, as_written, is_nameless


@attrs.frozen
class Labels:
    """The words for one decision."""

    words: Words
    interpreter: Interpreter
    decision: Decision
    _others: dict[tuple[str | None, int], Mapping[str, _Namesakes]] = attrs.Factory(dict)
    _held: list[dict[Value, list[Thing]]] = attrs.Factory(list)
    """once it was worked out: what lies in the places of each thing"""

    def label(self, option: Option) -> str:
        """An option in words: `Place a card: forward, character 1`."""
        first, *rest = self.parts(option)
        if not isinstance(option, ActionOption):
            return first
        if self.words.action_with(option.key, option.values) is not None:
            return first
        picks = self.words.game.actions[option.key].picks
        title = self.words.game.actions[option.key].title
        left = [
            (value, word)
            for draw, value, word in zip(picks, option.values, rest, strict=True)
            if not is_told(title, draw.local.name)
        ]
        text = ""
        for at, (value, word) in enumerate(left):
            leads = at > 0 and self._leads(left[at - 1][0], value)
            text += f"{' → ' if leads else ', ' if at else ''}{word}"
        return f"{first}: {text}" if left else first

    def _leads(self, start: Value, goal: Value) -> bool:
        """Whether two values are where something stands on a board and where it may go."""
        if isinstance(start, Thing):
            start = self.interpreter.pos.place_of.get(start, start)
        return self._is_field(start) and self._is_field(goal)

    def _is_field(self, value: Value) -> bool:
        kind = self.interpreter.game.kinds.get(value.kind) if isinstance(value, Thing) else None
        place = None if kind is None else kind.place
        return place is not None and not isinstance(place.shape, FamilyShape)

    def parts(self, option: Option) -> tuple[str, ...]:
        """The action and its parameters, or the value, each in words.

        What the label of an action has a place for stands there as well; where it has a label of
        its own with these values, that is all.
        """
        match option:
            case ActionOption(key=key, values=values):
                named = [self._value(value, key, at) for at, value in enumerate(values)]
                picks = self.words.game.actions[key].picks
                told = {draw.local.name: word for draw, word in zip(picks, named, strict=True)}
                own = self.words.action_with(key, values)
                return (own or self.words.action(key, told), *named)
            case ValueOption(value=value):
                return (self._value(value, None, 0),)
            case DoneOption():
                return (self.words.own("done"),)

    def code(self, option: Option) -> str:
        """An option as a line that can be stored and read again."""
        match option:
            case ActionOption(name=name, values=values):
                return f"{name}({', '.join(self._coded(value) for value in values)})"
            case ValueOption(value=value):
                return self._coded(value)
            case DoneOption():
                return "done"

    def value(self, value: Value) -> str:
        """A value that was picked already."""
        return self._value(value, None, 0)

    # ------------------------------------------------------------ pieces

    def _is_piece(self, value: Value) -> bool:
        return isinstance(value, Thing) and value in self.interpreter.pos.place_of

    def _knows(self, piece: Thing) -> bool:
        interpreter = self.interpreter
        return interpreter.knowledge.knows(interpreter.pos, self.decision.seat, piece)

    def _states(self, piece: Thing) -> tuple[tuple[str, Value], ...]:
        """What the chooser sees of a piece's states."""
        pos, knowledge = self.interpreter.pos, self.interpreter.knowledge
        return tuple(
            (state.name, pos.slots[key, piece])
            for key, state in self.interpreter.game.states.items()
            if state.owner == piece.kind
            and knowledge.sees_slot(pos, self.decision.seat, key, piece)
        )

    def _is_bookkeeping(self, key: str) -> bool:
        look = self.words.game.looks.get(key)
        return look is not None and look.bookkeeping

    def _loads(self, piece: Thing) -> tuple[Thing, ...]:
        """What the chooser sees lying in places that belong to a piece."""
        if not self._held:
            self._held.append(self._all_loads())
        return tuple(self._held[0].get(piece, ()))

    def _all_loads(self) -> dict[Value, list[Thing]]:
        pos, kinds = self.interpreter.pos, self.interpreter.game.kinds
        found: dict[Value, list[Thing]] = {}
        for place, contents in pos.contents.items():
            if kinds[place.kind].indexes:
                seen = [held for held in contents if self._knows(held)]
                for owner in dict.fromkeys(place.indexes.values()):
                    found.setdefault(owner, []).extend(seen)
        return found

    def _coded(self, value: Value) -> str:
        if not self._is_piece(value):
            return "none" if value is None else str(value)
        assert isinstance(value, Thing)
        place = self.interpreter.pos.place_of[value]
        if not self._knows(value):
            return f"{value.kind}@{place}"
        states = ", ".join(f"{name} = {as_written(state)}" for name, state in self._states(value))
        return f"{value}[{states}]@{place}" if states else f"{value}@{place}"

    def _value(self, value: Value, key: str | None, at: int) -> str:
        if not self._is_piece(value):
            return self.words.value(value)
        assert isinstance(value, Thing)
        name = self._name(value)
        details = self._details(value, self._beside(key, at).get(name, _NOBODY))
        return f"{name} ({', '.join(details)})" if details else name

    def _name(self, piece: Thing) -> str:
        """A piece without its owner."""
        if not self._knows(piece) or is_nameless(piece):
            return self.words.kind(piece.kind)
        return self.words.piece(piece)

    def _details(self, piece: Thing, others: _Namesakes) -> list[str]:
        """What tells a piece from others of the same name; of a nameless one, where it stands."""
        words, place_of = self.words, self.interpreter.pos.place_of
        details: list[str] = []
        if self._knows(piece):
            owners = tuple(piece.indexes.values())
            if is_nameless(piece) and others.owners - {owners}:
                details += [words.value(owner) for owner in owners]
            loads = self._loads(piece)
            if others.loads - {loads}:
                # What it is says enough: not `card grain`.
                held = [
                    words.piece(each).removeprefix(f"{words.kind(each.kind)} ") for each in loads
                ]
                details.append(
                    words.own("with") + " " + ", ".join(held) if held else words.own("empty")
                )
            states = self._states(piece)
            if others.states - {states}:
                details += [
                    words.name(name) if value is True else words.value(value)
                    for name, value in states
                    if value is not None and value is not False
                    if not self._is_bookkeeping(f"{piece.kind}.{name}")
                ]
        place = place_of[piece]
        info = self.interpreter.game.kinds[place.kind].place
        assert info is not None
        on_board = not isinstance(info.shape, FamilyShape)
        nameless = not self._knows(piece) or is_nameless(piece)
        if (on_board and nameless) or others.places - {place}:
            details.append(words.place(place))
        return details

    def _beside(self, key: str | None, at: int) -> Mapping[str, _Namesakes]:
        """The pieces that the options offer in the same part of a choice, by their names."""
        if (key, at) not in self._others:
            found: dict[str, list[Thing]] = {}
            for piece in dict.fromkeys(self._offered(key, at)):
                found.setdefault(self._name(piece), []).append(piece)
            self._others[key, at] = {name: self._alike(some) for name, some in found.items()}
        return self._others[key, at]

    def _offered(self, key: str | None, at: int) -> Iterator[Thing]:
        for option in self.decision.options:
            value: Value = None
            if isinstance(option, ActionOption) and option.key == key:
                value = option.values[at]
            elif isinstance(option, ValueOption) and key is None:
                value = option.value
            if self._is_piece(value):
                assert isinstance(value, Thing)
                yield value

    def _alike(self, pieces: list[Thing]) -> _Namesakes:
        known = [piece for piece in pieces if self._knows(piece)]
        return _Namesakes(
            owners=frozenset(tuple(piece.indexes.values()) for piece in pieces),
            loads=frozenset(map(self._loads, known)),
            states=frozenset(map(self._states, known)),
            places=frozenset(self.interpreter.pos.place_of[piece] for piece in pieces),
        )


@attrs.frozen
class _Namesakes:
    """How pieces of one name can be told apart: by whose they are, what they carry, their states
    as far as the chooser sees them, and where they lie. Of each, what occurs among them."""

    owners: frozenset[tuple[Value, ...]] = frozenset()
    loads: frozenset[tuple[Thing, ...]] = frozenset()
    states: frozenset[tuple[tuple[str, Value], ...]] = frozenset()
    places: frozenset[Thing] = frozenset()


_NOBODY = _Namesakes()
