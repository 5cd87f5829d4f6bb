"""Boards: what lies on many small places, as bits.

Where places have room for one piece each, the position keeps words with a bit for each place: one
word for all that hold a piece, and one for each value of what the rules read from the piece there,
like its owner or a state. Then `squares that hold a man of mine` is one word, and so are the
conditions made from such words. A word has 64 bits; where there are more places of a kind, each 64
of them have boards of their own.

Only what the rules read somewhere has a board; only boards that code was written for are kept up
to date.
"""

from __future__ import annotations

from ruledsl.engine.code.instructions import (
    Code,
    Writer,
    add,
    cell_at,
    load,
    load64,
    mul,
    op,
    sub,
    within,
)
from ruledsl.engine.context import Context, Part
from ruledsl.engine.memory.board_plans import PART, Board
from ruledsl.engine.sets.basic import bit_of
from ruledsl.model.types import Type, may_be_none


class Boards(Part):
    """Lowers what is read from boards, and keeps them."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._boards_read: set[Board] = set()
        self._offsets: dict[Board, int] = {}

    # ------------------------------------------------------------ reading

    def occupied(self, kind: str, part: int) -> Code | None:
        """The places of a kind that hold a piece, as bits."""
        board = self.layout.boards.get((kind, "", part))
        if board is None:
            return None
        self._boards_read.add(board)
        return load64(board.base)

    def showing(
        self, w: Writer, kind: str, part: int, reading: str, value: Code, of: Type
    ) -> Code | None:
        """The places of a kind whose piece has a value, of some type, in what is read from it."""
        board = self.layout.boards.get((kind, reading, part))
        if board is None:
            return None
        self._boards_read.add(board)
        low, count = board.plan.low, board.plan.count
        if isinstance(value, int):
            inside = low <= value < low + count
            return load64(board.base + 8 * (value - low)) if inside else ("i64", 0)
        at = w.once(sub(value, low))
        word = load64(add(mul(at, 8), board.base))
        span = self.layout.span(of)
        if span is not None and not may_be_none(of):
            if low <= span[0] and span[0] + span[1] <= low + count:
                return word
        return ("select", word, ("i64", 0), op("i32.lt_u", at, count))

    def word_of(self, board: Board, value: int) -> Code:
        """The places whose piece has the value of a number, as bits."""
        self._boards_read.add(board)
        return load64(board.base + 8 * value)

    # ------------------------------------------------------------ keeping

    def toggle(self, w: Writer, kind: str, piece: Code, place: Code) -> None:
        """A piece comes to lie on a place of a kind, or is taken from it."""
        if self.boards_of(kind):
            w.emit("do", ("call", f"toggle_{self._number(kind)}", piece, place))

    def toggle_anywhere(self, w: Writer, piece: Code, place: Code) -> None:
        """The same for a place of any kind."""
        if self.layout.boards:
            w.emit("do", ("call", "toggle", piece, place))

    def restate(self, w: Writer, state: str, piece: Code) -> None:
        """The state of a piece is about to change, or has just changed."""
        if any(board.plan.state == state for board in self.layout.boards.values()):
            w.emit("do", ("call", f"restate_{self._state_number(state)}", piece))

    def write_boards(self) -> None:
        """What keeps the boards, when it is known which are used."""
        kinds = list(dict.fromkeys(kind for kind, _, _ in self.layout.boards))
        for kind in kinds:
            w = self.context.function(
                f"toggle_{self._number(kind)}", "piece", "place", result=False
            )
            self._flip(w, self._kept(kind))
        if kinds:
            w = self.context.function("toggle", "piece", "place", result=False)
            for kind in kinds:
                at = self.layout.places[kind]
                if self._kept(kind):
                    with w.when(within("place", at.first, at.count)):
                        self._flip(w, self._kept(kind))
        states = dict.fromkeys(
            b.plan.state for b in self.layout.boards.values() if b.plan.state is not None
        )
        for state in states:
            name = f"restate_{self._state_number(state)}"
            w = self.context.function(name, "piece", result=False)
            for kind in kinds:
                at = self.layout.places[kind]
                boards = [board for board in self._kept(kind) if board.plan.state == state]
                if boards:
                    place = w.once(self.layout.where("piece"))
                    with w.when(within(place, at.first, at.count)):
                        self._flip(w, boards, place)

    def boards_kept(self) -> list[Board]:
        """All boards that are kept up to date."""
        return [board for board in self.layout.boards.values() if board in self._boards_read]

    def boards_of(self, kind: str) -> list[Board]:
        """All boards there can be for places of a kind."""
        return [board for (name, _, _), board in self.layout.boards.items() if name == kind]

    def _kept(self, kind: str) -> list[Board]:
        return [board for board in self.boards_kept() if board.plan.kind == kind]

    def _number(self, kind: str) -> int:
        return list(self.layout.places).index(kind)

    def _state_number(self, state: str) -> int:
        return list(self.layout.states).index(state)

    def _flip(self, w: Writer, boards: list[Board], place: Code = "place") -> None:
        """Boards of one kind change at a place."""
        for part in dict.fromkeys(board.plan.part for board in boards):
            at = self.layout.places[boards[0].plan.kind]
            first = at.first + PART * part
            with w.when(within(place, first, PART) if at.count > PART else 1):
                bit = w.once(bit_of(place, first), "i64")
                for board in boards:
                    if board.plan.part == part:
                        address = w.once(self._toggled_word(board))
                        w.store64(address, ("i64.xor", load64(address), bit))

    def _toggled_word(self, board: Board) -> Code:
        """The address of the word that a piece belongs to."""
        if board.plan.state is not None:
            value = load(self.layout.states[board.plan.state].address("piece"))
            return add(mul(sub(value, board.plan.low), 8), board.base)
        if board.plan.values is None:
            return board.base
        if board not in self._offsets:
            self._offsets[board] = self.layout.numbers(
                board.base + 8 * at for at in board.plan.values
            )
        return load(cell_at(self._offsets[board], "piece"))
