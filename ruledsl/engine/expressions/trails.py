"""The longest way along edges that takes each of them once at most, found as in `table/trails.py`.

Which edges end in a place, and where they lead, is a table. A function for each kind of edges goes
through the places; what is kept meanwhile is in `trail_fronts.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ruledsl.engine.code.instructions import (
    Code,
    Writer,
    add,
    both,
    cell_at,
    load,
    load64,
    no,
    op,
    sub,
)
from ruledsl.engine.context import Context, Part
from ruledsl.engine.expressions.environment import Env, Expressions
from ruledsl.engine.expressions.number_guards import narrowed
from ruledsl.engine.expressions.trail_fronts import PLACES, Fronts
from ruledsl.model import core
from ruledsl.model.game import EdgesShape
from ruledsl.table import mishaps


class Trails(Part):
    """Lowers `trail`."""

    def __init__(self, context: Context, expressions: Expressions) -> None:
        super().__init__(context)
        self.expressions = expressions
        self._fronts: Fronts | None = None
        self._kinds: set[str] = set()
        """kinds of edges that have a function"""

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
        return narrowed(self.context, w, load64(self._shared().best), node)

    def _ends(self, kind: str) -> str:
        """What edges of a kind lie between."""
        place = self.game.kinds[kind].place
        assert place is not None and isinstance(place.shape, EdgesShape)
        return place.shape.of

    def _shared(self) -> Fronts:
        if self._fronts is None:
            self._fronts = Fronts(self.context)
        return self._fronts

    def _function(self, kind: str) -> str:
        """Goes through all places with free edges; whether there was time and room for it."""
        name = f"trail_along_{kind}"
        if kind in self._kinds:
            return name
        self._kinds.add(kind)
        fronts = self._shared()
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
        slots = self.layout.scratch(4 * len(places))
        w = self.context.function(name, "free", "lengths", "open")

        def goes_on(place: Code) -> Code:
            return load(cell_at("open", place))

        def slot(place: Code) -> Code:
            return load(cell_at(slots, place))

        def is_new(place: Code) -> Code:
            return both(goes_on(place), op("i32.lt_s", slot(place), 0))

        @contextmanager
        def free_ways(place: Code) -> Iterator[tuple[Code, Code]]:
            """Each free edge of a place, and where it leads."""
            stop = load(cell_at(begin, place), 4)
            with w.counting(self.layout.lookup(begin, place), stop) as at:
                edge = w.once(self.layout.lookup(way, at))
                with w.when(load(cell_at("free", edge))):
                    yield edge, w.once(self.layout.lookup(leads, at))

        used = w.variable(0)

        def begin_place(place: Code) -> None:
            with w.when(op("i32.lt_s", slot(place), 0)):
                at = w.once(("i32.ctz", ("i32.xor", used, -1)))
                with w.when(op("i32.ge_s", at, PLACES)):
                    w.give_back(0)
                w.store(cell_at(slots, place), at)
                w.set(used, ("i32.or", used, ("i32.shl", 1, at)))

        fronts.clear(w)
        with w.counting(0, len(places)) as at:
            w.store(cell_at(slots, at), -1)
            with (
                w.when(no(goes_on(at))),
                free_ways(at) as (edge, across),
                w.when(no(goes_on(across))),
            ):
                fronts.note_whole(w, fronts.length("lengths", edge))
        with w.loop() as places_left:
            chosen, least = w.variable(-1), w.variable(len(ways) + 1)
            with w.counting(0, len(places)) as at, w.when(goes_on(at)):
                begun = w.once(op("i32.ge_s", slot(at), 0))
                widening, has_ways = w.variable(sub(0, begun)), w.variable(begun)
                with free_ways(at) as (_, across):
                    w.set(has_ways, 1)
                    w.set(widening, add(widening, is_new(across)))
                with w.when(both(has_ways, op("i32.lt_s", widening, least))):
                    w.set(chosen, at)
                    w.set(least, widening)
            w.leave_if(places_left, op("i32.lt_s", chosen, 0))
            begin_place(chosen)
            here = w.once(slot(chosen))
            with free_ways(chosen) as (edge, across):
                with w.when(goes_on(across)):
                    begin_place(across)
                w.store(cell_at("free", edge), 0)
                w.store64(fronts.edge_length, fronts.length("lengths", edge))
                # where nobody goes on there is no slot: -1
                with w.when(no(("call", "trail_edge", here, slot(across)))):
                    w.give_back(0)
            with w.when(no(("call", "trail_done", here))):
                w.give_back(0)
            w.set(used, ("i32.xor", used, ("i32.shl", 1, here)))
            w.store(cell_at(slots, chosen), -1)
        w.give_back(1)
        return name
