"""Things by their indexes and numbers: look-ups in tables of all combinations."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import attrs

from ruledsl.engine.code.instructions import Code, Writer, add, both, eq, mul, select, sub, within
from ruledsl.engine.context import Context, Part
from ruledsl.engine.expressions.environment import Env, Expressions
from ruledsl.engine.expressions.unchanging import Unchanging
from ruledsl.engine.memory.layout import NO_THING
from ruledsl.engine.sets.basic import SetCode
from ruledsl.model import core
from ruledsl.model.game import EdgesShape, Shape
from ruledsl.table.things import Value


class Addressing(Part):
    """Lowers things that are named by indexes and numbers."""

    def __init__(self, context: Context, expressions: Expressions, unchanging: Unchanging) -> None:
        super().__init__(context)
        self.expressions = expressions
        self.unchanging = unchanging
        self._families: dict[str, int] = {}
        """by kind: a table of its things by their indexes"""

    def thing_at(self, w: Writer, name: str, indexes: tuple[core.Expr, ...], env: Env) -> Code:
        """A place of a family, or any thing by its indexes."""
        family = self.table.family(name)
        if not indexes:
            return self.layout.id(family[()])
        if isinstance(self._shape(name), EdgesShape):
            one, other = indexes
            return self._edge(w, name, self.expressions.value(w, one, env), other, env)
        domains = self._domains(name, len(indexes))
        if name not in self._families:
            things = map(family.get, product(*domains))
            self._families[name] = self.layout.numbers(
                [NO_THING if thing is None else self.layout.id(thing) for thing in things]
            )
        return self.layout.lookup(self._families[name], self._address(w, indexes, domains, env))

    def _shape(self, name: str) -> Shape | None:
        place = self.game.kinds[name].place
        return None if place is None else place.shape

    def _domains(self, name: str, many: int) -> list[tuple[Value, ...]]:
        """What the indexes of a family run over, and the numbers behind them."""
        domains = [self.table.domain(index) for index in self.game.kinds[name].indexes]
        return [*domains, *self.table.boards.ranges(name)] if many > len(domains) else domains

    def _address(
        self,
        w: Writer,
        indexes: tuple[core.Expr, ...],
        domains: Sequence[tuple[Value, ...]],
        env: Env,
    ) -> Code:
        """Where a thing stands in a table by all combinations; -1 if there is none."""
        index: Code = 0
        inside: Code = 1
        for node, domain in zip(indexes, domains, strict=True):
            code = w.once(self.expressions.value(w, node, env))
            ids = [self.unchanging.static_value(each, "thing") for each in domain] or [0]
            first = ids[0]
            if ids != list(range(first, first + len(ids))):
                code = self._ordinal(w, code, ids)
                first = 0
            # A thing that should be there may be none all the same: of that nothing is known.
            if not isinstance(code, int) or not first <= code < first + len(domain):
                inside = both(inside, within(code, first, len(domain)))
            index = add(mul(index, len(domain)), sub(code, first))
        return index if inside == 1 else ("select", index, -1, inside)

    def _ordinal(self, w: Writer, code: Code, ids: list[int]) -> Code:
        """Where a thing stands among some of its kind; -1 if it is none of them."""
        low = min(ids)
        places = {number: at for at, number in enumerate(ids)}
        table = self.layout.numbers([places.get(n, -1) for n in range(low, max(ids) + 1)])
        inside = within(code, low, max(ids) + 1 - low)
        return w.once(self.layout.lookup(table, ("select", sub(code, low), -1, inside)))

    def _edge(self, w: Writer, name: str, one: Code, other: core.Expr, env: Env) -> Code:
        """The edge between two places: of the few that end in one, the one with the other end."""
        start = w.once(one)
        end = w.once(self.expressions.value(w, other, env))
        shape = self._shape(name)
        assert isinstance(shape, EdgesShape)
        places = self.table.things(shape.of)
        around = [self.table.boards.places_of(name, (place,)) for place in places]
        first = self.layout.first[shape.of]
        at = ("select", sub(start, first), -1, within(start, first, len(places)))
        found: Code = NO_THING
        for number in range(max(map(len, around), default=0)):
            ends, edges = [], []
            for place, here in zip(places, around, strict=True):
                if number < len(here):
                    edge = here[number]
                    (away,) = (each for each in edge.ends if each is not place)
                    edges.append(self.layout.id(edge))
                    ends.append(self.layout.id(away))
                else:
                    edges.append(NO_THING)
                    ends.append(NO_THING - 1)
            beyond = self.layout.lookup(self.layout.numbers(ends, NO_THING - 1), at)
            met = self.layout.lookup(self.layout.numbers(edges), at)
            found = select(eq(beyond, end), met, found)
        return found

    def places_of(self, w: Writer, node: core.PlacesOf, env: Env) -> SetCode:
        """Some places of a shaped family."""
        shape = self._shape(node.place)
        domains: list[tuple[Value, ...]]
        if isinstance(shape, EdgesShape):
            domains = [self.table.things(shape.of)]
        else:
            domains = [self.table.domain(index) for index in self.game.kinds[node.place].indexes]
        found = [self.table.boards.places_of(node.place, key) for key in product(*domains)]
        lists = [
            self.unchanging.list_of(tuple(self.layout.id(place) for place in each))
            for each in found
        ]
        table = self.layout.numbers(lists, self.unchanging.list_of(()))
        address = w.once(self.layout.lookup(table, self._address(w, node.indexes, domains, env)))
        longest = max(map(len, found), default=0)
        whole = self.unchanging.constant_list(address, node.type, longest)
        return attrs.evolve(whole, ordered=True)

    def nth(self, w: Writer, node: core.Nth, env: Env) -> Code:
        first, size = self.layout.first[node.kind], self.layout.size[node.kind]
        if len(node.numbers) == 1:
            number = w.once(self.expressions.number(w, node.numbers[0], env))
            least = self.table.boards.first_number(node.kind)
            return select(within(number, least, size), add(number, first - least), NO_THING)
        boards = self.table.boards
        if not boards.is_whole(node.kind):
            ranges = boards.ranges(node.kind)
            cells = [boards.cell(node.kind, col, row) for col, row in product(*ranges)]
            table = self.layout.numbers(
                [NO_THING if cell is None else self.layout.id(cell) for cell in cells]
            )
            return self.layout.lookup(table, self._address(w, node.numbers, ranges, env))
        shape = boards.size(node.kind)
        assert shape is not None
        width, height = shape
        col = w.once(self.expressions.number(w, node.numbers[0], env))
        row = w.once(self.expressions.number(w, node.numbers[1], env))
        inside = both(within(col, 1, width), within(row, 1, height))
        return select(inside, add(add(mul(row, width), col), first - width - 1), NO_THING)
