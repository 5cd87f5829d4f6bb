"""The tree of a search: what seats do at decisions they have met before.

The options of a decision lie side by side in a block, each with what came of it. In a game in
which nothing is hidden, a block is found by the position: there may be several ways to it. Where
something is hidden, each option leads to a block of its own. In it options are known by labels that
do not depend on which of several alike or unknown pieces they are about, so that one tree serves
all worlds; an option counts as offered only where a world allows it. Rolls lead to blocks of their
own, too: what is rolled is there for all to see.

All numbers are whole: a reward of 1 is `ONE`.
"""

from __future__ import annotations

from functools import cache
from math import log, sqrt

from ruledsl.engine.choices.candidates import (
    MASKS,
    MOST_CANDIDATES,
    OPTION,
    VALUES,
    Candidates,
    DecisionSites,
)
from ruledsl.engine.choices.listing import takes_several
from ruledsl.engine.code.instructions import (
    Code,
    Function,
    Width,
    Writer,
    add,
    both,
    cell_at,
    eq,
    load,
    load64,
    mul,
    ne,
    no,
    op,
    signed,
    sub,
)
from ruledsl.engine.context import Context, Part
from ruledsl.engine.effects.seeing import Seeing
from ruledsl.engine.memory.control import (
    ACTIVE,
    CANDIDATES,
    CUR,
    HEADER,
    MODE,
    PATH,
    PLAYING,
    PREFIX,
    QUICK,
    ROOT_OPTION,
    ROOT_OPTIONS,
    ROOT_SEAT,
    SCRIPT_AT,
    SCRIPT_SIZE,
    SPREAD,
    TREE_END,
    VECTOR,
    WINNERS,
)
from ruledsl.engine.runtime.batches import ONE
from ruledsl.model import core
from ruledsl.model.walk import statements

CURIOSITY = 0.45
"""Of several that were tried, the best in most games."""
MOST_BYTES = 1 << 24
"""Memory of the tree; beyond it, it no longer grows."""
MOST_DEPTH = 4096
MOST_SCRIPT = 64
TABLED = 1 << 12
SLOTS = 1 << 18
"""Of the table in which blocks are found; more than there is room for."""

# A block: the mark of its position, its slot in the table, room, entries, the block that goes on.
_SLOT, ROOM, USED, _NEXT, HEAD = 8, 12, 16, 20, 24
MORE_ROOM = 8
"""Entries of a block that goes on where worlds offer more."""

# An entry: its label, the sum of rewards of the seat that chooses it, how often it was taken and
# offered, the block below.
_SUM, _VISITS, _OFFERED, _BELOW, _SEAT, ENTRY = 8, 16, 20, 24, 28, 32

_FACTOR = signed(0x9FB21C651E98DF25)
_INVERSE = 30
"""Bits of one over a number of visits."""


@cache
def _tabled() -> tuple[tuple[int, ...], ...]:
    """Roots of logarithms, one over roots, and one over numbers, as whole numbers."""
    numbers = range(1, TABLED)
    return (
        (0, *(round(CURIOSITY * ONE * sqrt(log(n))) for n in numbers)),
        (ONE, *(round(ONE / sqrt(n)) for n in numbers)),
        (0, *(round((1 << _INVERSE) / n) for n in numbers)),
    )


def _mix(w: Writer, mark: str, word: Code) -> None:
    w.set(mark, ("i64.mul", ("i64.xor", mark, word), ("i64", _FACTOR)))
    w.set(mark, ("i64.xor", mark, ("i64.shr_u", mark, ("i64", 29))))


def _mixed(w: Writer, mark: str, code: Code) -> None:
    _mix(w, mark, ("i64.extend_i32_s", code))


class TreeCode(Part):
    """Writes the tree."""

    def __init__(
        self, context: Context, seeing: Seeing, candidates: Candidates, sites: DecisionSites
    ) -> None:
        super().__init__(context)
        self.seeing = seeing
        self.candidates = candidates
        self.sites = sites

    def write_tree(self) -> None:
        """What decisions and rolls ask of the tree."""
        players = self.layout.players
        self.labels = self.layout.scratch(8 * (MOST_CANDIDATES + 1), 8)
        self.root_visits = self.layout.scratch(4 * (MOST_CANDIDATES + 1))
        self.root_sums = self.layout.scratch(8 * players * (MOST_CANDIDATES + 1), 8)
        self.root_wins = self.layout.scratch(8 * players * (MOST_CANDIDATES + 1), 8)
        self.root_behind = self.layout.scratch(8 * players * (MOST_CANDIDATES + 1), 8)
        self.root_cuts = self.layout.scratch(4 * (MOST_CANDIDATES + 1))
        self.path = self.layout.scratch(4 * (MOST_DEPTH + 1))
        self.script = self.layout.scratch(4 * MOST_SCRIPT)
        self._several = self.layout.scratch(4 * self.sites.most)
        self.tree = self.layout.scratch(MOST_BYTES, 8)
        self.open_game = self._all_is_open()
        self._new_block()
        if self.open_game:
            self._slots = self.layout.scratch(4 * SLOTS)
        else:
            self._piece_mark()
            self._label()
            self._block_below()
            self._seek()
        self._curiosity()
        self._tree_decide()
        self._tree_chance()

    def _all_is_open(self) -> bool:
        """Whether everybody always sees everything."""
        states = self.game.states.values()
        if self.seeing.secrets or any(state.sight != "open" for state in states):
            return False
        parts = (part for block in self.game.blocks() for part in statements(block))
        return not any(isinstance(part, core.Together) for part in parts)

    def several_sites(self) -> bytes:
        """For each decision whether it is one of several picks."""
        flags = map(takes_several, self.sites.decisions)
        return b"".join(int(flag).to_bytes(4, "little") for flag in flags)

    @property
    def several_address(self) -> int:
        return self._several

    # ------------------------------------------------------------ labels

    def _piece_mark(self) -> None:
        """What a piece looks like where it lies: the same for alike pieces."""
        params: list[tuple[str, Width]] = [("viewer", "i32"), ("piece", "i32")]
        w = Writer(self.context.program.add(Function("piece_mark", params, "i64")))
        mark = w.variable(("i64", 77), "i64")
        _mixed(w, mark, load(cell_at(self.candidates.apart, "piece")))
        _mixed(w, mark, self.layout.where("piece"))
        _mixed(w, mark, ("call", "depth", "piece"))
        if self.seeing.track:
            with w.when(no(("call", "knows", "viewer", "piece"))):
                w.give_back(mark)
        _mixed(w, mark, self.layout.lookup(self.seeing.looks, "piece"))
        for key, state in self.game.states.items():
            if state.owner is None or self.game.kinds[state.owner].sort != "piece":
                continue
            if state.sight != "open":
                continue
            slot = self.layout.states[key]
            if not slot.words:
                with w.when(self.layout.of_kind("piece", state.owner)):
                    _mixed(w, mark, load(slot.address("piece")))
        w.give_back(mark)

    def _label(self) -> None:
        """Give each option of a decision its label."""
        params: list[tuple[str, Width]] = [("viewer", "i32"), ("site", "i32"), ("number", "i32")]
        w = Writer(self.context.program.add(Function("label", params, None)))
        start = w.variable(("i64", 3), "i64")
        _mixed(w, start, add(mul("site", self.layout.players), "viewer"))
        with w.when(load(cell_at(self._several, "site"))):
            with w.counting(0, "number") as at:
                mark = w.variable(start, "i64")
                _mixed(w, mark, at)
                w.store64(add(mul(at, 8), self.labels), mark)
            w.give_back()
        # A name may refer to one of two pieces that look alike.
        w.emit("do", ("call", "mark_apart", "viewer"))
        entry = w.variable(self.candidates.options)
        end = w.once(add(mul(load(CANDIDATES), self.candidates.stride), self.candidates.options))
        wanted = w.variable(0)
        with w.loop() as label:
            w.leave_if(label, op("i32.ge_u", entry, end))
            with w.when(eq(load(entry, OPTION), wanted)):
                mark = w.variable(start, "i64")
                _mixed(w, mark, load(entry))
                pieces = w.once(("i32.shr_u", load(entry, MASKS), 16))
                for number in range(self.candidates.width):
                    value = w.once(load(entry, VALUES + 4 * number))
                    marked = ("i32.and", ("i32.shr_u", pieces, number), 1)
                    is_piece = both(marked, op("i32.ge_s", value, 0))
                    with w.when(is_piece):
                        mixed = ("call", "piece_mark", "viewer", value)
                        w.set(mark, ("i64.mul", ("i64.xor", mark, mixed), ("i64", _FACTOR)))
                    with w.otherwise():
                        _mixed(w, mark, value)
                w.store64(add(mul(wanted, 8), self.labels), mark)
                w.set(wanted, add(wanted, 1))
            w.set(entry, add(entry, self.candidates.stride))

    # ------------------------------------------------------------ blocks

    def _new_block(self) -> None:
        """A block with room for so many entries; 0 if there is no more memory."""
        w = self.context.function("new_block", "room")
        block = w.once(load(TREE_END))
        end = w.once(add(add(block, mul("room", ENTRY)), HEAD))
        with w.when(op("i32.gt_u", end, self.tree + MOST_BYTES)):
            w.give_back(0)
        w.store(TREE_END, end)
        w.store(block, "room", ROOM)
        w.store(block, 0, USED)
        w.store(block, 0, _NEXT)
        w.give_back(block)

    def _new_entry(self, w: Writer, block: Code, seat: Code, mark: Code) -> Code:
        used = w.once(load(block, USED))
        w.store(block, add(used, 1), USED)
        entry = w.once(add(add(block, mul(used, ENTRY)), HEAD))
        w.store64(entry, mark)
        w.store64(entry, ("i64", 0), _SUM)
        w.store64(entry, ("i64", 0), _VISITS)
        w.store(entry, 0, _BELOW)
        w.store(entry, seat, _SEAT)
        return entry

    def write_block_of_position(self) -> None:
        """The block of the options in this position; 0 if there is no room for it.

        It is written when it is known of which cells a position consists.
        """
        if not self.open_game:
            return
        w = self.context.function("block_here", "seat", "site", "number")
        mark = w.variable(("i64.extend_i32_u", "site"), "i64")
        # How long the game has lasted, and chance ahead, make no other position.
        for address in (ACTIVE, PLAYING, WINNERS):
            _mix(w, mark, load64(address))
        at = w.variable(VECTOR + HEADER)
        with w.loop() as label:
            w.leave_if(label, op("i32.ge_u", at, VECTOR + self.layout.vector_size))
            _mix(w, mark, load64(at))
            w.set(at, add(at, 8))
        slot = w.variable(("i32.wrap_i64", ("i64.shr_u", mark, ("i64", 40))))
        block = w.temp()
        with w.loop() as label:
            w.set(slot, ("i32.and", slot, SLOTS - 1))
            w.set(block, load(cell_at(self._slots, slot)))
            w.leave_if(label, no(block))
            with w.when(("i64.eq", load64(block), mark)):
                w.give_back(block)
            w.set(slot, add(slot, 1))
        w.set(block, ("call", "new_block", "number"))
        with w.when(block):
            w.store(cell_at(self._slots, slot), block)
            w.store64(block, mark)
            w.store(block, slot, _SLOT)
            with w.counting(0, "number"):
                self._new_entry(w, block, "seat", ("i64", 0))
        w.give_back(block)

    def _block_below(self) -> None:
        """The first block below an entry, with all options if it is new; 0 without room."""
        w = self.context.function("block_below", "parent", "seat", "number")
        block = w.variable(load("parent", _BELOW))
        with w.when(no(block)):
            w.set(block, ("call", "new_block", "number"))
            with w.when(block):
                w.store("parent", block, _BELOW)
                with w.counting(0, "number") as option:
                    mark = load64(add(mul(option, 8), self.labels))
                    self._new_entry(w, block, "seat", mark)
        w.give_back(block)

    def _seek(self) -> None:
        """The entry with a label below another, a new one if there is none; 0 without room."""
        params: list[tuple[str, Width]] = [("parent", "i32"), ("seat", "i32")]
        params += [("mark", "i64")]
        w = Writer(self.context.program.add(Function("seek", params)))
        block = w.variable(load("parent", _BELOW))
        before = w.variable(0)
        with w.loop() as label:
            w.leave_if(label, no(block))
            entry = w.variable(add(block, HEAD))
            end = w.once(add(entry, mul(load(block, USED), ENTRY)))
            with w.loop() as found:
                w.leave_if(found, op("i32.ge_u", entry, end))
                with w.when(("i64.eq", load64(entry), "mark")):
                    w.give_back(entry)
                w.set(entry, add(entry, ENTRY))
            w.set(before, block)
            w.set(block, load(block, _NEXT))
        full = w.variable(1)
        with w.when(before):
            w.set(full, eq(load(before, USED), load(before, ROOM)))
        with w.when(full):
            w.set(block, ("call", "new_block", MORE_ROOM))
            with w.when(no(block)):
                w.give_back(0)
            with w.when(before):
                w.store(before, block, _NEXT)
            with w.otherwise():
                w.store("parent", block, _BELOW)
            w.set(before, block)
        w.give_back(self._new_entry(w, before, "seat", "mark"))

    def write_back_up(self, w: Writer, rewards: int) -> None:
        """Let the seats on the path remember what they got."""
        with w.counting(0, load(PATH)) as step:
            entry = w.once(load(cell_at(self.path, step)))
            w.store(entry, add(load(entry, _VISITS), 1), _VISITS)
            reward = ("i64.extend_i32_u", load(cell_at(rewards, load(entry, _SEAT))))
            w.store64(entry, ("i64.add", load64(entry, _SUM), reward), _SUM)

    def write_forget(self, w: Writer) -> None:
        """Empty the tree."""
        if self.open_game:
            block = w.variable(self.tree + ENTRY)
            with w.loop() as label:
                w.leave_if(label, op("i32.ge_u", block, load(TREE_END)))
                w.store(cell_at(self._slots, load(block, _SLOT)), 0)
                w.set(block, add(add(block, mul(load(block, ROOM), ENTRY)), HEAD))
        # The first entry stands for the game so far.
        for offset in range(0, ENTRY, 8):
            w.store64(self.tree, ("i64", 0), offset)
        w.store(TREE_END, self.tree + ENTRY)

    # ------------------------------------------------------------ going down

    def _curiosity(self) -> None:
        """The square root of the logarithm, and one over the square root, as whole numbers."""
        self._roots, self._inverse, self._exact = map(self.layout.numbers, _tabled())
        params: list[tuple[str, Width]] = [("total", "i64"), ("offered", "i32"), ("visits", "i32")]
        w = Writer(self.context.program.add(Function("score", params, "i64")))
        mean = w.once(("i64.div_u", "total", ("i64.extend_i32_u", "visits")), "i64")
        # Beyond the table, a logarithm hardly grows, and a root halves with every fourth part.
        with w.when(op("i32.ge_u", "offered", TABLED)):
            w.set("offered", TABLED - 1)
        halved = w.variable(0)
        with w.loop() as label:
            w.leave_if(label, op("i32.lt_u", "visits", TABLED))
            w.set("visits", ("i32.shr_u", "visits", 2))
            w.set(halved, add(halved, 1))
        curious = ("i64.shr_u", self._curious("offered", "visits"), ("i64.extend_i32_u", halved))
        w.give_back(("i64.add", mean, curious))

    def _curious(self, offered: Code, visits: Code) -> Code:
        """How much is hoped for beyond the mean, in a game whose rewards lie so far apart."""
        root = ("i64.extend_i32_u", self.layout.lookup(self._roots, offered))
        part = ("i64.extend_i32_u", self.layout.lookup(self._inverse, visits))
        whole = ("i64.shr_u", ("i64.mul", root, part), ("i64", 16))
        return ("i64.shr_u", ("i64.mul", whole, ("i64.extend_i32_u", load(SPREAD))), ("i64", 16))

    def _score(self, w: Writer, entry: Code, offered: Code, visits: Code) -> str:
        """What a seat expects of an option that was tried, tempered by curiosity."""
        score = w.temp("i64")
        total = load64(entry, _SUM)
        with w.when(op("i32.lt_u", offered, TABLED)):
            part = ("i64.extend_i32_u", self.layout.lookup(self._exact, visits))
            mean = ("i64.shr_u", ("i64.mul", total, part), ("i64", _INVERSE))
            w.set(score, ("i64.add", mean, self._curious(offered, visits)))
        with w.otherwise():
            w.set(score, ("call", "score", total, offered, visits))
        return score

    def _enter(self, w: Writer, entry: Code) -> None:
        w.store(CUR, entry)
        with w.when(op("i32.lt_s", load(PATH), MOST_DEPTH)):
            w.store(cell_at(self.path, load(PATH)), entry)
            w.store(PATH, add(load(PATH), 1))

    def _tree_decide(self) -> None:
        """The option that a seat takes in the tree, or by chance below it."""
        params: list[tuple[str, Width]] = [("seat", "i32"), ("site", "i32"), ("number", "i32")]
        w = Writer(self.context.program.add(Function("tree_decide", params)))
        seat = w.once(sub("seat", self.layout.first_player))
        with w.when(load(PREFIX)):
            with w.when(ne(seat, load(ROOT_SEAT))):
                w.give_back(("call", "mind_below", "number"))
            at = w.once(load(SCRIPT_AT))
            with w.when(op("i32.lt_s", at, load(SCRIPT_SIZE))):
                w.store(SCRIPT_AT, add(at, 1))
                w.give_back(load(cell_at(self.script, at)))
            w.store(PREFIX, 0)
        at_root = w.once(no(load(PATH)))
        chosen, taken = w.variable(0), w.variable(0)
        fresh, untried = w.variable(0), w.variable(0)
        best, first = w.variable(("i64", -1), "i64"), w.variable(("i64", -1), "i64")
        luck = w.once(("call", "mind_next"), "i64")
        entry, end = w.variable(0), w.variable(0)
        if self.open_game:
            block = w.once(("call", "block_here", seat, "site", "number"))
            w.set(entry, add(block, HEAD))
        else:
            w.emit("do", ("call", "label", seat, "site", "number"))
            block = w.once(("call", "block_below", load(CUR), seat, "number"))
            w.set(entry, add(block, HEAD))
            w.set(end, add(entry, mul(load(block, USED), ENTRY)))
        with w.when(block), w.counting(0, "number") as option:
            if not self.open_game:
                mark = w.once(load64(add(mul(option, 8), self.labels)), "i64")
                # Worlds mostly offer the same in the same order.
                here = w.variable(op("i32.lt_u", entry, end))
                with w.when(here):
                    w.set(here, ("i64.eq", load64(entry), mark))
                with w.when(no(here)):
                    w.set(entry, ("call", "seek", load(CUR), seat, mark))
            with w.when(entry if not self.open_game else 1):
                offered = w.once(add(load(entry, _OFFERED), 1))
                w.store(entry, offered, _OFFERED)
                visits = w.once(load(entry, _VISITS))
                with w.when(visits):
                    score = self._score(w, entry, offered, visits)
                    with w.when(("i64.gt_s", score, best)):
                        w.set(best, score)
                        w.set(chosen, option)
                        w.set(taken, entry)
                with w.otherwise():
                    # Any of those never tried, by luck.
                    own = ("i64.xor", luck, ("i64.extend_i32_u", option))
                    mixed = ("i64.mul", own, ("i64", _FACTOR))
                    lot = w.once(("i64.shr_u", mixed, ("i64", 1)), "i64")
                    with w.when(("i64.gt_s", lot, first)):
                        w.set(first, lot)
                        w.set(fresh, option)
                        w.set(untried, entry)
                w.set(entry, add(entry, ENTRY))
        with w.when(untried):
            w.set(chosen, fresh)
            w.set(taken, untried)
            w.store(MODE, QUICK)
        with w.when(taken):
            self._enter(w, taken)
        with w.otherwise():
            w.set(chosen, ("call", "mind_below", "number"))
            w.store(MODE, QUICK)
        with w.when(at_root):
            with w.counting(load(ROOT_OPTIONS), "number") as option:
                w.store(cell_at(self.root_visits, option), 0)
                w.store(cell_at(self.root_cuts, option), 0)
                with w.counting(0, self.layout.players) as other:
                    place = w.once(mul(add(mul(option, self.layout.players), other), 8))
                    w.store64(add(place, self.root_sums), ("i64", 0))
                    w.store64(add(place, self.root_wins), ("i64", 0))
                    w.store64(add(place, self.root_behind), ("i64", 0))
            w.store(ROOT_OPTION, chosen)
            w.store(ROOT_OPTIONS, "number")
        w.give_back(chosen)

    def _tree_chance(self) -> None:
        """What is rolled in the tree leads to an entry of its own."""
        w = self.context.function("tree_chance", "outcome", result=False)
        if self.open_game:
            return
        with w.when(load(PREFIX)):
            w.give_back()
        mark = w.variable(("i64", 11), "i64")
        _mixed(w, mark, "outcome")
        entry = w.once(("call", "seek", load(CUR), 0, mark))
        with w.when(entry):
            w.store(CUR, entry)
