"""Histories: positions are noted by marks, and those that were there before are counted.

A log has, for each position, its mark, how often it has been there, and which position of those
whose marks end alike came before it. It lies outside the vector: who goes back to an earlier
position takes the later ones out again, who goes forward puts them in.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from ruledsl.engine.code.instructions import (
    GOLDEN,
    Code,
    Width,
    Writer,
    add,
    cell_at,
    eq,
    load,
    load64,
    mul,
    op,
    sub,
)
from ruledsl.engine.context import Context, Part
from ruledsl.engine.effects.seeing import Seeing
from ruledsl.engine.expressions.boards import Boards
from ruledsl.engine.expressions.reading import Reading
from ruledsl.engine.memory.board_plans import Board
from ruledsl.engine.memory.control import ACTIVE, PLAYING
from ruledsl.engine.memory.layout import PlaceLayout, StateLayout
from ruledsl.table import mishaps

Mix: TypeAlias = Callable[[Code, Width], None]
"""Mixes a number into the mark of a position."""
NEXT_PLACE = -2
"""What is mixed in before the contents of a place; no piece looks like it."""
MOST_POSITIONS = 1 << 16
"""Positions that a history keeps; how many are recorded between two decisions, nobody knows."""
FEW_LOOKS = 8
"""Looks of pieces that are counted one by one in each place."""
ENDS = 1 << 10
"""Ways in which marks end."""

TIMES, BEFORE, ENTRY = 8, 12, 16
"""Behind its mark: how often a position has been there, and the one before it, from 1 on."""


class Histories(Part):
    """Lowers noting positions."""

    def __init__(self, context: Context, reading: Reading, boards: Boards, seeing: Seeing) -> None:
        super().__init__(context)
        self.reading = reading
        self.boards = boards
        self.seeing = seeing

    def write_histories(self) -> None:
        """For each history a function that notes the position, and one that counts the last."""
        self.history_logs: dict[str, int] = {}
        for name in self.game.histories:
            log = self.history_logs[name] = self.layout.scratch(ENTRY * MOST_POSITIONS, 8)
            length = self.layout.history_lengths[name]
            self._write_agree(name, log)
            w = self.context.function(f"record_{name}", result=False)
            mark = self._position_mark(w, name)
            number = w.once(load(length))
            with w.when(op("i32.ge_s", number, MOST_POSITIONS)):
                self.context.fail(w, mishaps.TOO_MANY_POSITIONS, None)
            w.emit("do", ("call", f"agree_{name}", number))
            w.store64(add(mul(number, ENTRY), log), mark)
            w.store(length, add(number, 1))
            w = self.context.function(f"times_{name}")
            number = w.once(load(length))
            with w.when(eq(number, 0)):
                w.give_back(0)
            w.emit("do", ("call", f"agree_{name}", number))
            w.give_back(load(add(mul(sub(number, 1), ENTRY), log), TIMES))

    def _write_agree(self, name: str, log: int) -> None:
        """Let the log have just so many positions."""
        there = self.layout.scratch(4)
        lasts = self.layout.scratch(4 * ENDS)
        w = self.context.function(f"agree_{name}", "length", result=False, exported=True)
        number = w.variable(load(there))
        with w.loop() as label:
            w.leave_if(label, op("i32.le_s", number, "length"))
            w.set(number, sub(number, 1))
            entry = w.once(add(mul(number, ENTRY), log))
            w.store(_last(entry, lasts), load(entry, BEFORE))
        with w.loop() as label:
            w.leave_if(label, op("i32.ge_s", number, "length"))
            entry = w.once(add(mul(number, ENTRY), log))
            mark = w.once(load64(entry), "i64")
            last = w.once(_last(entry, lasts))
            before = w.variable(load(last))
            w.store(entry, before, BEFORE)
            w.store(entry, 1, TIMES)
            with w.loop() as found:
                w.leave_if(found, eq(before, 0))
                other = w.once(add(mul(before, ENTRY), log - ENTRY))
                with w.when(("i64.eq", load64(other), mark)):
                    w.store(entry, add(load(other, TIMES), 1), TIMES)
                    w.leave(found)
                w.set(before, load(other, BEFORE))
            w.set(number, add(number, 1))
            w.store(last, number)
        w.store(there, number)

    # ------------------------------------------------------------ marks

    def _position_mark(self, w: Writer, name: str) -> Code:
        """A number that is the same for equal positions, and hardly ever for others."""
        mark = w.variable(("i64", 0x1234567), "i64")

        def mix(code: Code, width: Width) -> None:
            word = code if width == "i64" else ("i64.extend_i32_s", code)
            mixed = w.once(("i64.mul", ("i64.xor", mark, word), ("i64", GOLDEN)), "i64")
            w.set(mark, ("i64.xor", mixed, ("i64.shr_u", mixed, ("i64", 29))))

        for part in self.game.histories[name].parts:
            if part == "active":
                mix(load(ACTIVE), "i32")
            elif part == "playing":
                mix(load(PLAYING), "i32")
            elif part in self.layout.states:
                state = self.layout.states[part]
                with w.counting(0, state.count) as at:
                    address = w.once(add(mul(at, state.stride), state.base))
                    _mix_slot(address, state, mix)
            else:
                boards = self._telling(part)
                if boards is None:
                    self._mix_places(w, part, mix)
                for board in boards or ():
                    for value in range(board.plan.count):
                        mix(self.boards.word_of(board, value), "i64")
        return mark

    def _telling(self, kind: str) -> list[Board] | None:
        """Boards that tell all that can be seen of the pieces on the places of a kind."""
        boards = self.boards.boards_of(kind)
        info = self.game.kinds[kind].place
        assert info is not None
        states = {key for key, state in self.game.states.items() if state.owner in info.holds}
        if not boards or states - {board.plan.state for board in boards}:
            return None
        looks: dict[tuple[int, ...], int] = {}
        columns = [board.plan.values for board in boards if board.plan.values is not None]
        for number, piece in enumerate(self.layout.things[: self.layout.pieces]):
            if piece.kind in info.holds:
                value = tuple(column[number] for column in columns)
                if (
                    looks.setdefault(value, self.seeing.look_numbers[number])
                    != self.seeing.look_numbers[number]
                ):
                    return None
        return boards

    def _mix_places(self, w: Writer, kind: str, mix: Mix) -> None:
        at = self.layout.places[kind]
        info = self.game.kinds[kind].place
        assert info is not None
        masks = self._masks(at)
        if masks is not None:
            self._mix_counts(w, at, masks, mix)
            return
        with w.counting(at.first, at.first + at.count) as place:
            mix(NEXT_PLACE, "i32")

            def piece(x: Code) -> None:
                x = w.once(x)
                mix(self.layout.lookup(self.seeing.looks, x), "i32")
                for key, state in self.game.states.items():
                    if state.owner is not None and state.owner in info.holds:
                        slot = self.layout.states[key]
                        with w.when(self.layout.of_kind(x, state.owner)):
                            _mix_slot(w.once(slot.address(x)), slot, mix)

            self.reading.any_held(w, at, place).each(w, piece)

    def _masks(self, at: PlaceLayout) -> list[int] | None:
        """The bits of pieces that look the same, if nothing but their number can be told.

        Others are noted in their order, and so must be those that lie between them.
        """
        info = self.game.kinds[at.kind].place
        assert info is not None
        states = any(state.owner in info.holds for state in self.game.states.values())
        if at.form != "bits" or states:
            return None
        masks: dict[int, int] = {}
        for kind in info.holds:
            first = self.layout.first[kind]
            for number in range(first, first + self.layout.size[kind]):
                look = self.seeing.look_numbers[number]
                masks[look] = masks.get(look, 0) | 1 << (number - at.low)
        if len(masks) > FEW_LOOKS or not all(map(_in_a_row, masks.values())):
            return None
        return [*masks.values()]

    def _mix_counts(self, w: Writer, at: PlaceLayout, masks: list[int], mix: Mix) -> None:
        """How many pieces of each look lie in each place."""
        every = sum(masks)
        with w.counting(at.first, at.first + at.count) as place:
            address = w.once(at.address(place))
            for mask in masks:
                count: Code = ("i64", 0)
                for step in range(at.words):
                    part, rest = (each >> 64 * step & (1 << 64) - 1 for each in (mask, every))
                    if part:
                        word: Code = load64(address, 8 * step)
                        if part != rest:
                            word = ("i64.and", word, ("i64", part))
                        count = ("i64.add", count, ("i64.popcnt", word))
                mix(count, "i64")


def _in_a_row(mask: int) -> bool:
    return mask // (mask & -mask) + 1 & mask // (mask & -mask) == 0


def _last(entry: Code, lasts: int) -> Code:
    """The cell that has the last position whose mark ends like that of an entry."""
    return cell_at(lasts, ("i32.and", load(entry), ENDS - 1))


def _mix_slot(address: Code, slot: StateLayout, mix: Mix) -> None:
    for number in range(slot.words):
        mix(load64(address, 8 * number), "i64")
    if not slot.words:
        mix(load(address), "i32")
