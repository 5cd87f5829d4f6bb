"""Positions of the reference interpreter written into vectors of the engine.

A world is a vector in which the table is as a sample has it, while the rules stand where they
really stand: pieces that changed roles do so in the names in scope, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import attrs

from ruledsl.engine.engine import Engine
from ruledsl.engine.memory.board_plans import PART
from ruledsl.engine.memory.control import VECTOR
from ruledsl.engine.memory.vectors import Vector
from ruledsl.engine.procedures.frames import Frame, Gathering
from ruledsl.engine.runtime.dealing import Recipe
from ruledsl.engine.sets.basic import Bits, SetCode
from ruledsl.engine.sets.stored import Listed
from ruledsl.model.types import SetType, Type, plain
from ruledsl.table.things import Thing


class World(Vector):
    """A vector in which pieces change roles."""

    def __init__(self, engine: Engine, vector: bytes) -> None:
        super().__init__(engine.table, engine.layout, vector)
        self._code = engine.code

    # ------------------------------------------------------------ roles

    def exchange(self, roles: Mapping[Thing, Thing]) -> None:
        """Let pieces on the table change roles: where they lie, their states, who knows them."""
        layout = self.layout
        ids = {layout.id(piece): layout.id(role) for piece, role in roles.items()}
        ids = {piece: role for piece, role in ids.items() if piece != role}
        places = {piece: self.cell(layout.place_of + 4 * piece) for piece in ids}
        touched: dict[int, list[int]] = {}
        for piece, place in places.items():
            touched.setdefault(place, []).append(piece)
        for place, pieces in touched.items():
            self._exchange_in(layout.things[place], pieces, ids)
        for piece, role in ids.items():
            self.put(layout.place_of + 4 * role, places[piece])
        for base, first, count in self._cells_by_piece(roles):
            own = {p: r for p, r in ids.items() if first <= p < first + count}
            before = {piece: self.cell(base + 4 * (piece - first)) for piece in own}
            for piece, role in own.items():
                self.put(base + 4 * (role - first), before[piece])
        self._rename_slots(ids)
        self.lay_boards()

    def _exchange_in(self, place: Thing, pieces: list[int], ids: Mapping[int, int]) -> None:
        layout = self.layout
        at = layout.places[place.kind]
        base = at.base + (layout.id(place) - at.first) * at.stride
        match at.form:
            case "cell":
                self.put(base, ids[pieces[0]])
            case "stack":
                for step in range(self.cell(base)):
                    where = base + 4 + 4 * step
                    held = self.cell(where)
                    self.put(where, ids.get(held, held))
            case "bits":
                bits = sum(self.word(base + 8 * n) << (64 * n) for n in range(at.words))
                for piece in pieces:
                    bits &= ~(1 << (piece - at.low))
                for piece in pieces:
                    bits |= 1 << (ids[piece] - at.low)
                self.put_bits(base, at.words, bits)

    def _cells_by_piece(self, pieces: Iterable[Thing]) -> Iterator[tuple[int, int, int]]:
        """Where something is kept for each of some pieces: the first cell, piece, and how many."""
        layout = self.layout
        if layout.known:
            yield layout.known, 0, layout.pieces
        kinds = {piece.kind for piece in pieces}
        for key, state in self.table.game.states.items():
            if state.owner in kinds:
                slot = layout.states[key]
                yield slot.base, slot.first, slot.count

    def _rename_slots(self, ids: Mapping[int, int]) -> None:
        """Slots that name pieces."""
        layout = self.layout
        for key, state in self.table.game.states.items():
            if not self._names_pieces(state.type):
                continue
            slot = layout.states[key]
            for number in range(slot.count):
                address = slot.base + number * slot.stride
                if slot.words:
                    bits = sum(self.word(address + 8 * n) << (64 * n) for n in range(slot.words))
                    held = [slot.low + n for n in range(64 * slot.words) if bits >> n & 1]
                    renamed = sum(1 << (ids.get(each, each) - slot.low) for each in held)
                    self.put_bits(address, slot.words, renamed)
                else:
                    value = self.cell(address)
                    self.put(address, ids.get(value, value))

    def simple(self, pieces: Iterable[Thing]) -> bool:
        """Whether pieces can change roles in the vector itself."""
        kinds = {piece.kind for piece in pieces}
        states = self.table.game.states
        return all(
            not self.layout.states[key].words
            for key, state in states.items()
            if state.owner in kinds
        )

    def dealable(self, pieces: Iterable[Thing]) -> bool:
        """Whether a recipe can deal pieces again: none of their states names another piece."""
        pieces = [*pieces]
        kinds = {piece.kind for piece in pieces}
        states = self.table.game.states.values()
        return self.simple(pieces) and not any(
            self._names_pieces(state.type) for state in states if state.owner in kinds
        )

    # ------------------------------------------------------------ names

    def rename(self, roles: Mapping[Thing, Thing]) -> None:
        """Let the names in scope follow pieces that changed roles."""
        ids = {self.layout.id(piece): self.layout.id(role) for piece, role in roles.items()}
        for binding in self._live_names():
            self._rename(binding, ids)

    def _names_pieces(self, of: Type) -> bool:
        inner = plain(of)
        kinds = self.layout.kinds_of(inner.element if isinstance(inner, SetType) else inner)
        known = self.table.game.kinds
        return any(kind in known and known[kind].sort == "piece" for kind in kinds)

    def _rename(self, binding: object, ids: Mapping[int, int]) -> None:
        match binding:
            case ("load", 0, int() as address):
                self.put(address, ids.get(self.cell(address), self.cell(address)))
            case Bits(word=("load64", 0, int() as address), low=low):
                word = self.word(address)
                held = [low + bit for bit in range(64) if word >> bit & 1]
                self.put_word(address, sum(1 << (ids.get(each, each) - low) for each in held))
            case Listed(address=int() as address):
                for step in range(self.cell(address)):
                    where = address + 4 + 4 * step
                    self.put(where, ids.get(self.cell(where), self.cell(where)))
            case SetCode() | int() | str() | tuple():
                pass
            case _:
                raise AssertionError("no such binding")

    # ------------------------------------------------------------ dealing again

    def recipe(self, kinds: Sequence[Sequence[Thing]]) -> Recipe:
        """How to deal again the pieces of each kind that may change roles.

        Where they are bits, these are cleared: the world is of use once the recipe was followed.
        """
        layout = self.layout
        pieces = [layout.id(piece) for kind in kinds for piece in kind]
        roles = {piece: role for role, piece in enumerate(pieces)}
        named = {address: self.cell(address) for address in self._naming_cells(pieces)}
        names = [(address, roles[piece]) for address, piece in named.items() if piece in roles]
        bits: list[tuple[int, int, int]] = []
        values: list[tuple[int, int, int]] = []
        for address, words, low in self._naming_bits(pieces):
            held = sum(self.word(address + 8 * n) << (64 * n) for n in range(words))
            for piece, role in roles.items():
                if piece >= low and held >> (piece - low) & 1:
                    bits.append((address, low, role))
                    held &= ~(1 << (piece - low))
            self.put_bits(address, words, held)
        owned = [*self._cells_by_piece(piece for kind in kinds for piece in kind)]
        for base, first, count in (*owned, (layout.place_of, 0, layout.pieces)):
            for piece, role in roles.items():
                if first <= piece < first + count:
                    value = self.cell(base + 4 * (piece - first))
                    values.append((base - 4 * first, role, value))
        boards = self._boards(roles)
        return self._in_copies(Recipe([*map(len, kinds)], pieces, names, bits, values, boards))

    def _boards(self, roles: Mapping[int, int]) -> list[tuple[int, int, int, int]]:
        """Boards that say what the piece in a place is; they are cleared there."""
        layout = self.layout
        found = []
        for key, table in self._code.dealing.board_values.items():
            board, at = layout.boards[key], layout.places[key[0]]
            first = PART * board.plan.part
            for number in range(min(PART, at.count - first)):
                piece = self.cell(at.base + 4 * (first + number))
                if piece in roles:
                    found.append((board.base, table, number, roles[piece]))
                    for value in range(-1, board.plan.count):
                        address = board.base + 8 * value
                        self.put_word(address, self.word(address) & ~(1 << number))
        return found

    def _naming_cells(self, pieces: Sequence[int]) -> Iterator[int]:
        """Cells that may name one of some pieces."""
        layout = self.layout
        for place in {self.cell(layout.place_of + 4 * piece) for piece in pieces}:
            at = layout.places[layout.things[place].kind]
            base = at.base + (place - at.first) * at.stride
            if at.form == "cell":
                yield base
            elif at.form == "stack":
                yield from range(base + 4, base + 4 + 4 * self.cell(base), 4)
        for key, state in self.table.game.states.items():
            slot = layout.states[key]
            if self._names_pieces(state.type) and not slot.words:
                yield from (slot.base + number * slot.stride for number in range(slot.count))
        for binding in self._live_names():
            match binding:
                case ("load", 0, int() as address):
                    yield address
                case Listed(address=int() as address):
                    yield from range(address + 4, address + 4 + 4 * self.cell(address), 4)
                case _:
                    pass

    def _naming_bits(self, pieces: Sequence[int]) -> Iterator[tuple[int, int, int]]:
        """Words whose bits may name one of some pieces: their address, number, and lowest piece."""
        layout = self.layout
        for place in {self.cell(layout.place_of + 4 * piece) for piece in pieces}:
            at = layout.places[layout.things[place].kind]
            if at.form == "bits":
                yield at.base + (place - at.first) * at.stride, at.words, at.low
        for key, state in self.table.game.states.items():
            slot = layout.states[key]
            if self._names_pieces(state.type) and slot.words:
                for number in range(slot.count):
                    yield slot.base + number * slot.stride, slot.words, slot.low
        for binding in self._live_names():
            match binding:
                case Bits(word=("load64", 0, int() as address), low=low):
                    yield address, 1, low
                case _:
                    pass

    def _live_names(self) -> Iterator[object]:
        """Where the names in scope are kept that may name pieces."""
        for frame in self._code.frames.values():
            for of, binding in frame.live.get(self.cell(frame.resume), ()):
                if self._names_pieces(of):
                    yield binding

    def _in_copies(self, recipe: Recipe) -> Recipe:
        """Where all choose together, the table is there a second time."""
        layout = self.layout
        for _, each in self._gatherings():
            shift, end = each.table - VECTOR, layout.table_end
            recipe = attrs.evolve(
                recipe,
                names=[*recipe.names, *((a + shift, r) for a, r in recipe.names if a < end)],
                bits=[*recipe.bits, *((a + shift, n, r) for a, n, r in recipe.bits if a < end)],
                values=[*recipe.values, *((a + shift, r, v) for a, r, v in recipe.values)],
                boards=[*recipe.boards, *((a + shift, t, n, r) for a, t, n, r in recipe.boards)],
            )
        return recipe

    # ------------------------------------------------------------ choosing together

    def gather_anew(self) -> None:
        """Where all choose together, let everybody choose again, from the table as it is now.

        What others have done meanwhile is still there, but nobody will look at it.
        """
        size = self.layout.table_end - VECTOR
        for frame, each in self._gatherings():
            start = each.table - VECTOR
            self.data[start : start + size] = self.data[:size]
            self.put(each.cursor, 0)
            self.put(frame.resume, each.head)

    def _gatherings(self) -> Iterator[tuple[Frame, Gathering]]:
        """Where players choose together right now."""
        for frame in self._code.frames.values():
            resume = self.cell(frame.resume)
            for each in frame.gatherings:
                if each.head <= resume < each.end:
                    yield frame, each
