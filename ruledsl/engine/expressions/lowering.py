"""What all of lowering shares: the program, what names stand for, and sets that are kept."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeAlias

import attrs

from ruledsl.engine.code.instructions import (
    Code,
    Function,
    Program,
    Width,
    Writer,
    add,
    cell_at,
    load,
    op,
    sub,
    within,
)
from ruledsl.engine.memory.layout import (
    ACTIVE,
    CHOOSER,
    SUSPECT,
    Category,
    Layout,
)
from ruledsl.engine.sets.basic import WORD, Bits, Chunks, Everything, Nothing, SetCode
from ruledsl.engine.sets.derived import Flooded
from ruledsl.engine.sets.stored import Listed
from ruledsl.model import core
from ruledsl.model.types import (
    Type,
)
from ruledsl.model.walk import walk
from ruledsl.table.limits import LARGEST, TOO_LARGE
from ruledsl.table.ranges import Ranges
from ruledsl.table.table import Table

Binding: TypeAlias = "Code | SetCode | Lazy"
Env: TypeAlias = dict[int, Binding]
"""What the names in scope stand for, by their numbers."""

DONE, STOPPED, OVER, SIGNAL = 0, 1, 2, 3
"""What a procedure gives back: it is done, somebody has to decide, the game is over; and from
`SIGNAL` on a number for each step or action that `end` ends from inside another."""


@attrs.frozen(eq=False)
class Lazy:
    """A value that is worked out when it is first wanted, and then kept."""

    node: core.Expr
    env: Env
    known: str | int
    """the local, or the cell of memory, that tells whether it was worked out"""
    held: str | int
    """the local or the cell that holds it then"""


def lets_players_leave(block: core.Block) -> bool:
    return any(
        isinstance(part, core.Eliminate)
        or (isinstance(part, core.Slot) and part.state == "playing")
        for part in walk(block)
    )


class Lowering(ABC):
    """What all parts of the compiler build on; each part lowers some forms of the rules."""

    def __init__(self, table: Table, layout: Layout, program: Program, checked: bool) -> None:
        self.table = table
        self.game = table.game
        self.layout = layout
        self.program = program
        self.checked = checked
        self.ranges = Ranges(table)
        self.lightly = False
        """whether a check that would cost much only notes that something looks wrong"""
        self.chooser_set = False
        """whether the code being written only runs while somebody has chosen"""
        self.sites: list[tuple[str, str, object]] = []
        """what can go wrong: the guard, its message, and the place in the rules"""
        self.players_leave = any(map(lets_players_leave, self.blocks()))

    def blocks(self) -> Iterator[core.Block]:
        """Everything that the rules do."""
        return self.game.blocks()

    def function(
        self, name: str, *params: str, result: bool = True, exported: bool = False
    ) -> Writer:
        """Begin a function of 32-bit numbers."""
        widths: list[tuple[str, Width]] = [(param, "i32") for param in params]
        function = Function(name, widths, "i32" if result else None, exported=exported)
        return Writer(self.program.add(function))

    def fail(self, w: Writer, kind: str, message: str, span: object) -> None:
        """Stop with an error."""
        self.sites.append((kind, message, span))
        w.emit("do", ("call", "fail", len(self.sites)))
        w.emit("trap")

    def suspect(self, w: Writer, kind: str, message: str, span: object) -> None:
        """Stop with an error, or note that something looks wrong and go on."""
        if self.lightly:
            w.store(SUSPECT, 1)
        else:
            self.fail(w, kind, message, span)

    @contextmanager
    def chosen(self, there: bool) -> Iterator[None]:
        """Whether what is written inside only runs while somebody has chosen."""
        outer, self.chooser_set = self.chooser_set, there
        try:
            yield
        finally:
            self.chooser_set = outer

    def you(self, w: Writer) -> Code:
        """Who chooses, or else whose turn it is."""
        if self.chooser_set:
            return load(CHOOSER)
        return w.once(("select", load(ACTIVE), load(CHOOSER), op("i32.lt_s", load(CHOOSER), 0)))

    # ------------------------------------------------------------ numbers

    def guarded(self, w: Writer, code: Code, node: core.Arithmetic) -> Code:
        """A sum or a difference of two numbers: 32 bits hold it, but it may be too large."""
        if not self.ranges.may_fail(node):
            return code
        code = w.once(code)
        with w.when(op("i32.gt_u", add(code, LARGEST), 2 * LARGEST)):
            self.fail(w, "large", TOO_LARGE, node.span)
        return code

    def narrowed(self, w: Writer, wide: Code, node: core.Expr) -> Code:
        """A number that was computed in 64 bits."""
        wide = w.once(wide, "i64")
        above = ("i64.add", wide, ("i64", LARGEST))
        with w.when(("i64.gt_u", above, ("i64", 2 * LARGEST))):
            self.fail(w, "large", TOO_LARGE, node.span)
        return w.once(("i32.wrap_i64", wide))

    # ------------------------------------------------------------ pieces

    def place_of(self, piece: Code) -> Code:
        """Where a piece lies."""
        return load(self.place_cell(piece))

    def place_cell(self, piece: Code) -> Code:
        return cell_at(self.layout.place_of, piece)

    def is_kind(self, thing: Code, kind: str) -> Code:
        return within(thing, self.layout.first[kind], self.layout.size[kind])

    def is_piece_kind(self, kind: str) -> bool:
        return kind in self.game.kinds and self.game.kinds[kind].sort == "piece"

    def is_piece(self, of: Type) -> bool:
        """Whether whatever has this type is a piece."""
        kinds = self.layout.kinds_of(of)
        return bool(kinds) and all(map(self.is_piece_kind, kinds))

    def may_be_piece(self, of: Type) -> bool:
        return any(map(self.is_piece_kind, self.layout.kinds_of(of)))

    # ------------------------------------------------------------ what other parts lower

    @abstractmethod
    def value(self, w: Writer, node: core.Expr, env: Env, want: Category | None = None) -> Code:
        """A number, a flag or a thing; none as `want` has it where the type does not tell."""

    @abstractmethod
    def set(self, w: Writer, node: core.Expr, env: Env) -> SetCode:
        """A set of things, numbers, or lists."""

    @abstractmethod
    def condition(self, w: Writer, node: core.Expr, env: Env) -> Code:
        """Whether a flag is set; none is not."""

    def number(self, w: Writer, node: core.Expr, env: Env) -> Code:
        return self.value(w, node, env, "number")

    @abstractmethod
    def would(self, w: Writer, node: core.Would, env: Env) -> Code:
        """The value of an expression in the position after a step."""

    @abstractmethod
    def can(self, w: Writer, node: core.Can, env: Env) -> Code:
        """Whether an action could be chosen."""

    # ------------------------------------------------------------ sets that are kept

    def kept(self, w: Writer, whole: SetCode) -> SetCode:
        """A set that may be used several times."""
        if isinstance(whole, Everything | Nothing):
            return whole
        if isinstance(whole, Listed) and not whole.live:
            return whole
        if isinstance(whole, Bits):
            return attrs.evolve(whole, word=w.once(whole.word, "i64"))
        if whole.ordered and whole.span is not None and whole.span[1] <= WORD:
            return Bits(w.once(whole.bits(w), "i64"), *whole.span)
        if isinstance(whole, Chunks):
            return whole
        if isinstance(whole, Flooded):
            return Chunks(whole.words(w), *whole.span)
        return self.listed(w, whole)

    def listed(self, w: Writer, whole: SetCode) -> Listed:
        """A set as a list in scratch memory."""
        if isinstance(whole, Listed) and not whole.live:
            return whole
        capacity = whole.most()
        address = self.layout.list_memory(capacity)
        self.fill_list(w, address, whole, capacity)
        return Listed(address, capacity, whole.ordered, whole.span)

    def fill_list(self, w: Writer, address: int, whole: SetCode, capacity: int) -> None:
        """Write a set to memory as a list."""
        end = w.variable(address + 4)

        def append(x: Code) -> None:
            if self.checked:
                with w.when(op("i32.ge_u", end, address + 4 + 4 * capacity)):
                    self.fail(w, "size", "a set is larger than expected", None)
            w.store(end, x)
            w.set(end, add(end, 4))

        whole.each(w, append)
        w.store(address, ("i32.shr_u", sub(end, address + 4), 2))
