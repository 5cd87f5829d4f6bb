"""Groups of elements that are joined, kept from one question to the next.

Where pieces only arrive, what was joined stays so: when it is asked which elements can be reached
from one, only those that have come since the last question are joined to their neighbours, by
union and find. At the root of each group stand its elements as words, ready for use.

Which elements are grouped at a time stands beside them, and says all about them. So they need not
be part of a position: if one is gone when it is asked again, because another game or another branch
of a search goes on, all are grouped anew.
"""

from __future__ import annotations

from ruledsl.engine.code.instructions import (
    Code,
    Writer,
    add,
    cell_at,
    eq,
    load,
    load64,
    mul,
    ne,
    op,
    select,
    signed,
    sub,
)
from ruledsl.engine.code.masks import NONE_OF_THEM, and_, not_
from ruledsl.engine.context import Context, Part
from ruledsl.engine.expressions.environment import Env, Expressions
from ruledsl.engine.expressions.floods import FloodPlan
from ruledsl.engine.expressions.word_conditions import WordConditions
from ruledsl.engine.sets.basic import Body, Chunks, bit_of, each_bit
from ruledsl.engine.sets.shapes import WORD
from ruledsl.model import core


class Groups(Part):
    """Lowers what can be reached where it is kept what is joined."""

    def __init__(self, context: Context, expressions: Expressions, words: WordConditions) -> None:
        super().__init__(context)
        self.expressions = expressions
        self.words = words
        self._functions: dict[tuple[core.Reach, tuple[int, ...]], str] = {}

    def group(self, w: Writer, node: core.Reach, start: Code, plan: FloodPlan, env: Env) -> Chunks:
        """Everything that can be reached from an element."""
        name = self._function(node, plan)
        key: Code = 0
        if plan.kept_by is not None:
            key = self.expressions.value(w, plan.kept_by, env)
        address = w.once(("call", name, start, key))
        parts = range(len(plan.subjects))
        words = tuple(w.once(load64(address, 8 * part), "i64") for part in parts)
        return Chunks(words, plan.subjects[0].span[0], len(plan.rows))

    def _function(self, node: core.Reach, plan: FloodPlan) -> str:
        key = (node, plan.rows)
        if key not in self._functions:
            name = self._functions[key] = f"group_{len(self._functions)}"
            _Kept(self, plan).write(name)
        return self._functions[key]


class _Kept:
    """Writes the function that keeps groups: a number for each element, one more for none."""

    def __init__(self, groups: Groups, plan: FloodPlan) -> None:
        self.groups = groups
        self.plan = plan
        self.size = len(plan.rows)
        self.parts = len(plan.subjects)
        layout = groups.layout
        # Grouped elements as words; for each element the number of the one above it, from 1 on, or
        # 0 if it is not grouped; for each root its group as words.
        self.parents = 8 * self.parts
        self.words = self.parents + 8 * -(-(self.size + 1) // 2)
        self.room = self.words + 8 * self.parts * self.size
        span = None if plan.kept_by is None else layout.span(plan.kept_by.type)
        self.low, self.keys = (0, 1) if span is None else span
        self.memory = layout.scratch(self.room * self.keys, 8)
        self.nothing = layout.scratch(4 * (self.size + 1), 8)
        """never written"""
        self.alone = layout.scratch(8 * self.parts, 8)
        """for what is reached from an element that is not grouped"""
        followers = [[at for at in range(self.size) if row >> at & 1] for row in plan.rows]
        self.degree = max(map(len, followers))
        self.followers = layout.numbers(
            each
            for row in [*followers, []]
            for each in [*row, *[self.size] * (self.degree - len(row))]
        )

    def write(self, name: str) -> None:
        self._write_join(f"{name}_join")
        w = self.groups.context.function(name, "start", "key")
        base: Code = self.memory
        env: Env = {}
        if self.plan.kept_by is not None:
            # What looks wrong may go on for a while, with nobody for somebody.
            at = w.once(sub("key", self.low))
            known = select(op("i32.lt_u", at, self.keys), at, 0)
            base = w.once(add(mul(known, self.room), self.memory))
            if isinstance(self.plan.kept_by, core.Local):
                env = {self.plan.kept_by.number: "key"}
        self._follow(w, base, self._admitted(w, env), f"{name}_join")
        start = w.variable(sub("start", self.plan.subjects[0].span[0]))
        w.set(start, select(op("i32.lt_u", start, self.size), start, self.size))
        with w.when(load(self._parent(base, start))):
            w.give_back(self._of(base, self._root(w, base, start)))
        for part in range(self.parts):
            w.store64(self.alone, NONE_OF_THEM, 8 * part)
        with w.when(op("i32.lt_u", start, self.size)):
            word = w.once(add(mul(("i32.shr_u", start, 6), 8), self.alone))
            w.store64(word, bit_of(("i32.and", start, WORD - 1), 0))

        def joined(root: Code) -> None:
            self._add_group(w, self.alone, self._of(base, root))

        self._neighbours(w, base, start, joined)
        w.give_back(self.alone)

    def _admitted(self, w: Writer, env: Env) -> list[Code]:
        masks = self.groups.words.masks(w, self.plan.admitted, self.plan.subjects, env)
        found = []
        for mask, subject in zip(masks, self.plan.subjects, strict=True):
            every = (1 << subject.span[1]) - 1
            found.append(w.once(and_(mask, ("i64", signed(every))), "i64"))
        return found

    def _follow(self, w: Writer, base: Code, may: list[Code], join: str) -> None:
        """Group what has come; all anew where something is gone."""
        gone: Code = NONE_OF_THEM
        for part, word in enumerate(may):
            gone = ("i64.or", gone, and_(load64(base, 8 * part), not_(word)))
        with w.when(("i64.ne", gone, NONE_OF_THEM)):
            for part in range(self.parts):
                w.store64(base, NONE_OF_THEM, 8 * part)
            w.emit("copy", add(base, self.parents), self.nothing, 4 * (self.size + 1))
        for part, word in enumerate(may):
            fresh = w.once(and_(word, not_(load64(base, 8 * part))), "i64")
            w.store64(base, word, 8 * part)
            each_bit(w, fresh, WORD * part, lambda x: w.emit("do", ("call", join, base, x)))

    def _write_join(self, name: str) -> None:
        """An element has come: it belongs to a group beside it, and joins the others to this."""
        w = self.groups.context.function(name, "base", "x", result=False)
        base, x = "base", "x"
        own = w.variable(x)

        def joined(root: Code) -> None:
            with w.when(eq(own, x)):
                w.set(own, root)
            with w.otherwise(), w.when(ne(own, root)):
                w.store(self._parent(base, root), add(own, 1))
                self._add_group(w, self._of(base, own), self._of(base, root))

        self._neighbours(w, base, x, joined)
        w.store(self._parent(base, x), add(own, 1))
        words = w.once(self._of(base, own))
        with w.when(eq(own, x)):
            for step in range(self.parts):
                w.store64(words, NONE_OF_THEM, 8 * step)
        word = w.once(add(words, mul(("i32.shr_u", x, 6), 8)))
        w.store64(word, ("i64.or", load64(word), bit_of(("i32.and", x, WORD - 1), 0)))

    def _neighbours(self, w: Writer, base: Code, x: Code, joined: Body) -> None:
        """The roots of the groups beside an element."""
        row = w.once(cell_at(self.followers, mul(x, self.degree)))
        with w.counting(0, self.degree) as at:
            y = w.once(load(add(row, mul(at, 4))))
            with w.when(load(self._parent(base, y))):
                joined(self._root(w, base, y))

    def _root(self, w: Writer, base: Code, x: Code) -> Code:
        """The element at the root of a group; ways there become shorter when they are gone."""
        root = w.variable(x)
        with w.loop() as label:
            cell = w.once(self._parent(base, root))
            above = w.once(sub(load(cell), 1))
            w.leave_if(label, eq(above, root))
            further = w.once(load(self._parent(base, above)))
            w.store(cell, further)
            w.set(root, sub(further, 1))
        return root

    def _parent(self, base: Code, x: Code) -> Code:
        return add(add(base, self.parents), mul(x, 4))

    def _of(self, base: Code, root: Code) -> Code:
        """The address of the words of a group."""
        return add(add(base, self.words), mul(root, 8 * self.parts))

    def _add_group(self, w: Writer, to: Code, group: Code) -> None:
        to, group = w.once(to), w.once(group)
        for step in range(self.parts):
            both = ("i64.or", load64(to, 8 * step), load64(group, 8 * step))
            w.store64(to, both, 8 * step)
