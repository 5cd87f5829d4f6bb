"""The longest way along edges that takes each of them once at most: all ways are tried.

Which edges end in a place, and where they lead, is a table. A function for each kind of edges goes
through it; the way it has come is a stack in memory.
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
    no,
    op,
    sub,
)
from ruledsl.engine.context import Context, Part
from ruledsl.engine.expressions.environment import Env, Expressions
from ruledsl.engine.expressions.number_guards import narrowed
from ruledsl.engine.memory.control import PASSES
from ruledsl.model import core
from ruledsl.model.game import EdgesShape
from ruledsl.table import mishaps


class Trails(Part):
    """Lowers `trail`."""

    def __init__(self, context: Context, expressions: Expressions) -> None:
        super().__init__(context)
        self.expressions = expressions
        self._best: dict[str, int] = {}
        """by kind of edges: where its function leaves what it has found"""

    def longest(self, w: Writer, node: core.LongestTrail, env: Env) -> Code:
        kinds = self.layout.kinds_in(node.edges.type)
        if not kinds:
            return 0  # of `{}`
        (kind,) = kinds
        ends = self._ends(kind)
        first, size = self.layout.first[kind], self.layout.size[kind]
        free, lengths = self.layout.scratch(4 * size), self.layout.scratch(4 * size)
        open_ = self.layout.scratch(4 * self.layout.size[ends])
        with w.counting(0, size) as at:
            w.store(cell_at(free, at), 0)

        def note(edge: Code) -> None:
            edge = w.once(edge)
            length: Code = 1
            if node.length is not None:
                bound = env if node.local is None else {**env, node.local.number: edge}
                length = self.expressions.number(w, node.length, bound)
            w.store(cell_at(lengths, sub(edge, first)), length)
            w.store(cell_at(free, sub(edge, first)), 1)

        self.expressions.set(w, node.edges, env).each(w, note)
        with w.counting(0, self.layout.size[ends]) as at:
            w.store(cell_at(open_, at), int(node.through is None))
        if node.through is not None:
            low = self.layout.first[ends]
            passable = self.expressions.set(w, node.through, env)
            passable.each(w, lambda x: w.store(cell_at(open_, sub(x, low)), 1))
        done = ("call", self._function(kind), free, lengths, open_)
        with w.when(no(done)):
            self.context.fail(w, mishaps.TOO_SLOW, node.span)
        return narrowed(self.context, w, load64(self._best[kind]), node)

    def _ends(self, kind: str) -> str:
        """What edges of a kind lie between."""
        place = self.game.kinds[kind].place
        assert place is not None and isinstance(place.shape, EdgesShape)
        return place.shape.of

    def _function(self, kind: str) -> str:
        """Tries all ways along the free edges; whether there was time for all of them."""
        name = f"trail_{kind}"
        if kind in self._best:
            return name
        best_at = self._best[kind] = self.layout.scratch(8, 8)
        places = self.table.things(self._ends(kind))
        first, low = self.layout.first[kind], self.layout.first[self._ends(kind)]
        begins, ways, ends = [0], [], []
        for place in places:
            for joined in self.table.boards.places_of(kind, (place,)):
                (other,) = (each for each in joined.ends if each is not place)
                ways.append(self.layout.id(joined) - first)
                ends.append(self.layout.id(other) - low)
            begins.append(len(ways))
        begin, way, leads = (self.layout.numbers(each) for each in (begins, ways, ends))
        depth = self.layout.size[kind] + 1
        nexts, lasts, taken = (self.layout.scratch(4 * depth) for _ in range(3))
        w = self.context.function(name, "free", "lengths", "open")
        best, total = w.variable(("i64", 0), "i64"), w.variable(("i64", 0), "i64")

        def enter(at: Code, place: Code) -> None:
            w.store(cell_at(nexts, at), self.layout.lookup(begin, place))
            w.store(cell_at(lasts, at), load(cell_at(begin, place), 4))

        def length(edge: Code) -> Code:
            return ("i64.extend_i32_s", load(cell_at("lengths", edge)))

        with w.counting(0, len(places)) as start:
            deep = w.variable(0)
            enter(0, start)
            with w.loop() as ways_left:
                here = w.once(load(cell_at(nexts, deep)))
                with w.block() as going_on:
                    with w.when(eq(here, load(cell_at(lasts, deep)))):
                        w.leave_if(ways_left, no(deep))
                        w.set(deep, sub(deep, 1))
                        back = w.once(load(cell_at(taken, deep)))
                        w.store(cell_at("free", back), 1)
                        w.set(total, ("i64.sub", total, length(back)))
                        w.leave(going_on)
                    w.store(cell_at(nexts, deep), add(here, 1))
                    edge = w.once(self.layout.lookup(way, here))
                    w.leave_if(going_on, no(load(cell_at("free", edge))))
                    left = w.once(sub(load(PASSES), 1))
                    w.store(PASSES, left)
                    with w.when(op("i32.lt_s", left, 0)):
                        w.give_back(0)
                    w.set(total, ("i64.add", total, length(edge)))
                    with w.when(("i64.gt_s", total, best)):
                        w.set(best, total)
                    end = w.once(self.layout.lookup(leads, here))
                    with w.when(load(cell_at("open", end))):
                        w.store(cell_at("free", edge), 0)
                        w.store(cell_at(taken, deep), edge)
                        w.set(deep, add(deep, 1))
                        enter(deep, end)
                        w.leave(going_on)
                    w.set(total, ("i64.sub", total, length(edge)))
        w.store64(best_at, best)
        w.give_back(1)
        return name
