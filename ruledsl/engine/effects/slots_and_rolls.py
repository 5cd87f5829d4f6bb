"""Single effects: setting, rolling, leaving the game, recording."""

from __future__ import annotations

from collections.abc import Callable

from ruledsl.diagnostics.source import NOWHERE
from ruledsl.engine.code.instructions import (
    Code,
    Writer,
    add,
    both,
    cell_at,
    either,
    eq,
    load,
    mul,
    ne,
    no,
    op,
    sub,
    within,
)
from ruledsl.engine.context import OVER, Context, Part
from ruledsl.engine.counters import Counter
from ruledsl.engine.effects.dirty_triggers import DirtyTriggers
from ruledsl.engine.effects.seeing import Seeing
from ruledsl.engine.expressions.boards import Boards
from ruledsl.engine.expressions.environment import Env, Expressions
from ruledsl.engine.memory.control import (
    ACTIVE,
    CUT,
    DECISIONS,
    HOW,
    HOWS,
    MODE,
    OUT,
    PLAYING,
    STOPS,
    TREE,
)
from ruledsl.engine.memory.layout import NO_NUMBER, NO_THING, StateLayout, category, element_of
from ruledsl.engine.sets.basic import Bits, Everything, SetCode
from ruledsl.engine.sets.derived import or_into
from ruledsl.engine.sets.keeping import KeptSets
from ruledsl.engine.sets.stored import Words
from ruledsl.model import core
from ruledsl.model.additions import added
from ruledsl.model.walk import walk
from ruledsl.play.chance import weight
from ruledsl.table import mishaps
from ruledsl.table.limits import FEW


class SlotsAndRolls(Part):
    """Lowers effects."""

    def __init__(
        self,
        context: Context,
        expressions: Expressions,
        keeping: KeptSets,
        boards: Boards,
        seeing: Seeing,
        dirty: DirtyTriggers,
        fate: str,
    ) -> None:
        super().__init__(context)
        self.expressions = expressions
        self.keeping = keeping
        self.boards = boards
        self.seeing = seeing
        self.dirty = dirty
        self.fate = fate
        """the function that gives outcomes of rolls"""

    # ------------------------------------------------------------ slots

    def assign(self, w: Writer, slot: core.Slot, value: Code, env: Env, node: core.Stmt) -> None:
        """Set a slot to a number or thing."""
        if slot.state == "active":
            self.dirty.touched(w, "active")
            if self.context.counters is not None:
                value = w.once(value)
                self.context.counters.changes(w, node, ne(load(ACTIVE), value))
            w.store(ACTIVE, value)
            return
        at = self.layout.states[slot.state]
        owner = self._owner(w, slot, at, env)
        value = self.kept_within(w, slot.state, value, node.span)
        self.dirty.touched(w, ("state", slot.state))
        value = w.once(value)
        if self.context.counters is not None:
            self.context.counters.changes(w, node, ne(load(at.address(owner)), value))
            if at.category == "number":
                self.context.counters.reached(w, slot.state, value)
        if at.fixed and added(node) is None:
            w.store(at.note(owner), 1)
        if owner is not None:
            self.boards.restate(w, slot.state, owner)
        w.store(at.address(owner), value)
        if owner is not None:
            self.boards.restate(w, slot.state, owner)

    def _owner(self, w: Writer, slot: core.Slot, at: StateLayout, env: Env) -> Code | None:
        """Whose slot is written; whatever the rules say, nothing else is."""
        if slot.subject is None:
            return None
        owner = w.once(self.expressions.value(w, slot.subject, env))
        self.context.must_be(w, owner, at.first, at.count, slot.subject.span)
        return owner

    def _all_within(self, w: Writer, at: StateLayout, whole: SetCode, span: object) -> None:
        """Stop where a set of numbers would have one that its state can't hold."""
        if at.least is None or at.most is None:
            return
        outside = w.variable(0)
        inside = (at.least, at.most - at.least + 1)
        whole.each(w, lambda x: w.set(outside, either(outside, no(within(x, *inside)))))
        with w.when(outside):
            number = f"a number in `{at.key}`"
            self.context.fail(w, mishaps.outside(number, at.least, at.most), span)

    def kept_within(self, w: Writer, state: str, value: Code, span: object) -> Code:
        """A number as a state can hold it: at its limit, or with an error outside."""
        at = self.layout.states[state]
        if at.least is None or at.most is None or at.category != "number":
            return value
        value = w.once(value)
        none = eq(value, NO_NUMBER)
        if self.game.states[state].clamped:
            value = w.once(("select", at.most, value, op("i32.gt_s", value, at.most)))
            value = w.once(("select", at.least, value, op("i32.lt_s", value, at.least)))
        elif self.context.checked:
            outside = either(op("i32.lt_s", value, at.least), op("i32.gt_s", value, at.most))
            with w.when(both(outside, no(none))):
                self.context.fail(w, mishaps.outside(f"`{state}`", at.least, at.most), span)
        return value

    def assign_set(
        self, w: Writer, slot: core.Slot, whole: SetCode, env: Env, node: core.Stmt
    ) -> None:
        """Set a slot to a set."""
        if slot.state == "playing":
            self.dirty.touched(w, "playing")
            mask = self.seat_mask(w, whole)
            w.store(PLAYING, mask)
            return
        at = self.layout.states[slot.state]
        owner = self._owner(w, slot, at, env)
        if at.least is not None:
            whole = self.keeping.kept(w, whole)
            self._all_within(w, at, whole, node.span)
        self.dirty.touched(w, ("state", slot.state))
        address = w.once(at.address(owner))
        if at.words == 1:
            if isinstance(whole, Bits) and whole.low == at.low:
                word = whole.word
            else:
                word = w.variable(("i64", 0), "i64")
                or_into(w, word, whole, at.low)
            w.store64(address, word)
        else:
            fresh = Words(self.layout.scratch(8 * at.words, 8), at.low, at.words)
            fresh.clear(w)
            whole.each(w, lambda x: fresh.put(w, x))
            w.emit("copy", address, fresh.address, 8 * at.words)
        if at.capacity > FEW:
            # The interpreter pays for each `+` and `-` as well. Rather too much than too little:
            # where this is stopped, the interpreter has the last word.
            joins = sum(isinstance(part, core.Combine) for part in walk(node))
            count = Words(address, at.low, at.words).count(w)
            self.context.burn(w, node.span, mul(add(count, FEW), 1 + joins))

    def seat_mask(self, w: Writer, whole: SetCode) -> Code:
        """A set of players as a bit for each seat."""
        mask = w.variable(0)
        first = self.layout.first_player
        whole.each(w, lambda x: w.set(mask, ("i32.or", mask, ("i32.shl", 1, sub(x, first)))))
        return mask

    # ------------------------------------------------------------ chance

    def count_decision(self, w: Writer, leave: Callable[[Code], None]) -> None:
        """A decision or a roll: too many end the game."""
        w.store(DECISIONS, add(load(DECISIONS), 1))
        with w.when(op("i32.gt_s", load(DECISIONS), load(CUT))):
            w.store(HOW, HOWS.index("cut"))
            leave(OVER)
        limit = self.table.limit
        if limit is not None:
            with w.when(op("i32.gt_s", load(DECISIONS), limit)):
                w.store(HOW, HOWS.index("limit"))
                leave(OVER)

    def stop_endless(self, w: Writer) -> None:
        """Where the rules know no limit, nobody decides for ever."""
        if self.table.limit is None:
            with w.when(op("i32.gt_s", load(DECISIONS), self.game.allowance.decisions)):
                self.context.fail(w, mishaps.NO_END, self.game.steps["play"].span)

    def roll(self, w: Writer, node: core.Roll, env: Env, leave: Callable[[Code], None]) -> Code:
        """The outcome of a roll; the search tree is told of it."""
        self.count_decision(w, leave)
        outcome = w.once(self._outcome(w, node, env))
        if self.context.counters is not None:
            self.context.counters.rolled(w, node, outcome)
        with w.when(eq(load(MODE), TREE)):
            w.emit("do", ("call", "tree_chance", outcome))
        return outcome

    def _outcome(self, w: Writer, node: core.Roll, env: Env) -> Code:
        whole = self.expressions.set(w, node.domain, env)
        weights = [weight(thing) for thing in self.layout.things]
        self.seeing.know_stop(w)
        w.store(STOPS, add(load(STOPS), 1))
        if isinstance(whole, Everything) and all(
            weights[number] == 1
            for number in range(whole.low, whole.low + whole.size)
            if number < len(weights)
        ):
            if whole.size > FEW:
                self.context.burn(w, node.span, whole.size)  # The interpreter lists them all.
            return w.once(add(("call", self.fate, whole.size), whole.low))
        pieces = self.keeping.listed(w, whole)
        if pieces.capacity > FEW:
            self.context.burn(w, node.span, load(pieces.address))
        things = category(element_of(node.domain.type)) == "thing"
        if not things or all(each == 1 for each in weights):
            if self.context.checked:
                with w.when(no(load(pieces.address))):
                    self.context.fail(w, mishaps.NOTHING_TO_ROLL, node.span)
            at = ("call", self.fate, load(pieces.address))
            return w.once(load(add(add(pieces.address, 4), mul(at, 4))))
        table = self.layout.numbers(weights)
        total = w.variable(0)
        pieces.each(w, lambda x: w.set(total, add(total, self.layout.lookup(table, x))))
        if self.context.checked:
            with w.when(no(total)):
                self.context.fail(w, mishaps.NOTHING_TO_ROLL, node.span)
        left = w.variable(("call", self.fate, total))
        found = w.variable(NO_THING)
        with w.block() as label:

            def step(x: Code) -> None:
                w.set(left, sub(left, self.layout.lookup(table, x)))
                with w.when(op("i32.lt_s", left, 0)):
                    w.set(found, x)
                    w.leave(label)

            pieces.each(w, step)
        return found

    # ------------------------------------------------------------ players

    def eliminate(self, w: Writer, player: Code, span: object) -> None:
        """Let a player leave the game."""
        self.context.must_be(w, player, self.layout.first_player, self.layout.players, span)
        seat = w.once(sub(player, self.layout.first_player))
        bit = w.once(("i32.shl", 1, seat))
        with w.when(("i32.and", load(PLAYING), bit)):
            w.store(PLAYING, ("i32.xor", load(PLAYING), bit))
            w.store(cell_at(self.layout.out_list, load(OUT)), seat)
            w.store(OUT, add(load(OUT), 1))
            counters = self.context.counters
            if counters is not None:
                left = counters.number(Counter("out", "", NOWHERE))
                counters.note_seat(w, left, player)
        self.dirty.touched(w, "playing")
