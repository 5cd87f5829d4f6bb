"""Queries: counting, finding, filtering, adding up, reaching; all bounded."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import TypeAlias, assert_never

from ruledsl.diagnostics.source import Span
from ruledsl.model import core
from ruledsl.model.allowance import USUAL
from ruledsl.table import mishaps
from ruledsl.table.costs import KEPT, SIMPLE, weight
from ruledsl.table.errors import RulesError
from ruledsl.table.limits import is_number
from ruledsl.table.position import Position
from ruledsl.table.things import Thing, Value, in_order
from ruledsl.table.trails import longest_trail

Frame: TypeAlias = list[Value]
Evaluate: TypeAlias = Callable[[Position, Frame], Value]

ENOUGH_FOR_TABLE = 300_000
"""Passes of queries in laying a table."""


class Queries(ABC):
    """Queries as functions. `fuel` is how many passes they may still make.

    `work` is how many statements may still be carried out by whoever runs rules on the table.
    """

    fuel = ENOUGH_FOR_TABLE
    work = 0
    allowance = USUAL

    @abstractmethod
    def compile(self, node: core.Expr) -> Evaluate:
        """The function of an expression."""

    def refuel(self) -> None:
        """Somebody decides: what follows has time of its own."""
        self.fuel = self.allowance.queries
        self.work = self.allowance.statements

    def spend(self, statements: int, span: Span) -> None:
        """Rules that go on and on are stopped."""
        self.work -= statements
        if self.work < 0:
            raise RulesError(mishaps.TOO_LONG, span)

    def burn(self, passes: int, span: Span) -> None:
        """Queries that go through too much are stopped, not waited for."""
        self.fuel -= passes
        if self.fuel < 0:
            raise RulesError(mishaps.TOO_LONG, span)

    def _number(self, node: core.Expr) -> Callable[[Position, Frame], int]:
        value_of = self.compile(node)
        if isinstance(node, core.Constant) and isinstance(node.value, int):
            number = node.value
            return lambda pos, frame: number
        span = node.span

        def number_of(pos: Position, frame: Frame) -> int:
            value = value_of(pos, frame)
            if value is None:
                raise RulesError(mishaps.NO_NUMBER, span)
            return value  # type: ignore[return-value]

        return number_of

    def drawn(
        self,
        draws: tuple[core.Draw, ...],
        where: core.Expr | None,
        running: core.Expr | None = None,
    ) -> Callable[[Position, Frame], Iterator[tuple[Value, ...]]]:
        """All draws that pass, each as the values of its names, in order, as they are found."""
        domains = [(draw.local.number, self.compile(draw.domain)) for draw in draws]
        span = draws[0].domain.span
        passes = None if where is None else self.compile(where)
        goes_on = None if running is None else self.compile(running)
        cost = weight(where, running)

        if len(domains) == 1:
            ((number, domain),) = domains

            def single(pos: Position, frame: Frame) -> Iterator[tuple[Value, ...]]:
                values = as_set(domain(pos, frame))
                self.burn(len(values) * cost, span)
                for value in values:
                    frame[number] = value
                    if passes is None or passes(pos, frame):
                        if goes_on is not None and not goes_on(pos, frame):
                            break
                        yield (value,)

            return single

        last = len(domains) - 1

        def nested(pos: Position, frame: Frame) -> Iterator[tuple[Value, ...]]:
            def draw(at: int, values: tuple[Value, ...]) -> Iterator[tuple[Value, ...]]:
                if at == len(domains):
                    if passes is None or passes(pos, frame):
                        self.burn(KEPT, span)
                        yield values
                    return
                number, domain = domains[at]
                further = as_set(domain(pos, frame))
                self.burn(len(further) * (cost if at == last else 1), span)
                for value in further:
                    frame[number] = value
                    yield from draw(at + 1, (*values, value))

            return draw(0, ())

        return nested

    def ordered(
        self, draws: tuple[core.Draw, ...], order: tuple[core.Order, ...]
    ) -> Callable[[Position, Frame, Iterator[tuple[Value, ...]]], list[tuple[Value, ...]]]:
        """Draws sorted by keys in turn, equal ones as they were; none comes last."""
        numbers = [draw.local.number for draw in draws]
        keys = [(each.way == "highest", self.compile(each.key)) for each in order]
        cost = weight(*(each.key for each in order))

        def arrange(
            pos: Position, frame: Frame, draws: Iterator[tuple[Value, ...]]
        ) -> list[tuple[Value, ...]]:
            found = list(draws)
            if not keys:
                return found
            self.burn(len(found) * cost, order[0].key.span)

            def key_of(values: tuple[Value, ...]) -> tuple[tuple[bool, int], ...]:
                for number, value in zip(numbers, values, strict=True):
                    frame[number] = value
                ranks: list[tuple[bool, int]] = []
                for highest, key in keys:
                    rank = key(pos, frame)
                    if rank is None:
                        ranks.append((True, 0))
                    else:
                        assert isinstance(rank, int)
                        ranks.append((False, -rank if highest else rank))
                return tuple(ranks)

            return sorted(found, key=key_of)

        return arrange

    def _query(self, node: core.Query) -> Evaluate:
        if not node.order and node.running is None and node.word in ("any", "all"):
            return self._quantifier(node)
        draws = self.drawn(node.draws, node.where, node.running)
        if not node.draws[0].local.name and node.where is None:
            draws = self._whole(node.draws[0].domain)
        if node.word == "first" and not node.order:
            return lambda pos, frame: next(draws(pos, frame), _NOTHING)[0]
        arrange = self.ordered(node.draws, node.order)
        span = node.span
        match node.word:
            case "count":
                return lambda pos, frame: len(list(draws(pos, frame)))
            case "any":
                return lambda pos, frame: next(draws(pos, frame), None) is not None
            case "first":
                return lambda pos, frame: _first(arrange(pos, frame, draws(pos, frame)))
            case "the":
                return lambda pos, frame: _only(list(draws(pos, frame)), span)
            case "filter":
                return lambda pos, frame: tuple(
                    [values[0] for values in arrange(pos, frame, draws(pos, frame))]
                )
            case "all" | "image" | "sum" | "max" | "min":
                return self._folded(node, draws, arrange)
            case _:
                assert_never(node.word)

    def _whole(self, domain: core.Expr) -> Callable[[Position, Frame], Iterator[tuple[Value, ...]]]:
        of = self.compile(domain)

        def whole(pos: Position, frame: Frame) -> Iterator[tuple[Value, ...]]:
            values = as_set(of(pos, frame))
            self.burn(len(values) // SIMPLE, domain.span)
            return ((value,) for value in values)

        return whole

    def _quantifier(self, node: core.Query) -> Evaluate:
        """`any` and `all` stop as soon as they know."""
        domains = [(draw.local.number, self.compile(draw.domain)) for draw in node.draws]
        named = bool(node.draws[0].local.name)
        span = node.span
        where = None if node.where is None else self.compile(node.where)
        have = None if node.body is None else self.compile(node.body)
        cost = weight(node.where, node.body)
        last = len(domains) - 1

        def exists(pos: Position, frame: Frame, at: int) -> bool:
            if at == len(domains):
                if where is not None and not where(pos, frame):
                    return False
                return have is None or not have(pos, frame)
            number, domain = domains[at]
            values = as_set(domain(pos, frame))
            self.burn(len(values) * (cost if at == last else 1), span)
            for value in values:
                if named:
                    frame[number] = value
                if exists(pos, frame, at + 1):
                    return True
            return False

        if node.word == "any":
            return lambda pos, frame: exists(pos, frame, 0)
        return lambda pos, frame: not exists(pos, frame, 0)

    def _folded(
        self,
        node: core.Query,
        draws: Callable[[Position, Frame], Iterator[tuple[Value, ...]]],
        arrange: Callable[[Position, Frame, Iterator[tuple[Value, ...]]], list[tuple[Value, ...]]],
    ) -> Evaluate:
        """Queries that work out a value for each draw."""
        assert node.body is not None
        numbers = [draw.local.number for draw in node.draws]
        body = self.compile(node.body)
        cost, span = weight(node.body) - 1, node.span

        def values(pos: Position, frame: Frame) -> list[Value]:
            results = []
            found = arrange(pos, frame, draws(pos, frame))
            self.burn(len(found) * cost, span)
            for drawn in found:
                for number, value in zip(numbers, drawn, strict=True):
                    frame[number] = value
                results.append(body(pos, frame))
            return results

        match node.word:
            case "all":
                return lambda pos, frame: all(values(pos, frame))
            case "image":
                return lambda pos, frame: tuple(
                    value for value in dict.fromkeys(values(pos, frame)) if value is not None
                )
            case "sum":
                return lambda pos, frame: within(sum(values(pos, frame)), span)  # type: ignore[arg-type]
            case "max":
                return lambda pos, frame: max(values(pos, frame), default=None)  # type: ignore[type-var]
            case _:
                return lambda pos, frame: min(values(pos, frame), default=None)  # type: ignore[type-var]

    def _reach(self, node: core.Reach) -> Evaluate:
        start, via = self.compile(node.start), self.compile(node.via)
        where = None if node.where is None else self.compile(node.where)
        exactly = None if node.exactly is None else self._number(node.exactly)
        number = node.local.number
        span = node.span
        going, judging = weight(node.via), weight(node.where)

        def onward(pos: Position, frame: Frame, layer: list[Value]) -> list[Value]:
            following: dict[Value, None] = {}
            self.burn(len(layer) * going, span)
            for value in layer:
                frame[number] = value
                following.update(dict.fromkeys(as_set(via(pos, frame))))
            if where is None:
                return list(following)
            kept = []
            self.burn(len(following) * judging, span)
            for value in following:
                frame[number] = value
                if where(pos, frame):
                    kept.append(value)
            return kept

        def reach(pos: Position, frame: Frame) -> Value:
            layer = list(as_set(start(pos, frame)))
            if exactly is not None:
                for _ in range(exactly(pos, frame)):
                    layer = onward(pos, frame, layer)
                return in_order(set(layer))
            met = set(layer)
            while layer:
                layer = [value for value in onward(pos, frame, layer) if value not in met]
                met.update(layer)
            return in_order(met)

        return reach

    def _trail(self, node: core.LongestTrail) -> Evaluate:
        edges = self.compile(node.edges)
        length = None if node.length is None else self._number(node.length)
        through = None if node.through is None else self.compile(node.through)
        number = None if node.local is None else node.local.number
        span = node.span

        def trail(pos: Position, frame: Frame) -> Value:
            lengths: dict[Thing, int] = {}
            for edge in as_set(edges(pos, frame)):
                assert isinstance(edge, Thing)
                if number is not None:
                    frame[number] = edge
                lengths[edge] = 1 if length is None else length(pos, frame)
            passable = None if through is None else set(as_set(through(pos, frame)))
            self.burn(len(lengths), span)
            found = longest_trail(lengths, passable, lambda passes: self.burn(passes, span))
            return within(found, span)

        return trail


def within(number: int, span: Span) -> int:
    """A number that was computed, if it has not too many digits."""
    if not is_number(number):
        raise RulesError(mishaps.TOO_LARGE, span)
    return number


def as_set(value: Value) -> tuple[Value, ...]:
    """The elements of a set; none has no elements."""
    if value is None:
        return ()
    assert isinstance(value, tuple)
    return value


_NOTHING: tuple[Value, ...] = (None,)


def _first(found: list[tuple[Value, ...]]) -> Value:
    return found[0][0] if found else None


def _only(found: list[tuple[Value, ...]], span: Span) -> Value:
    if len(found) != 1:
        raise RulesError(mishaps.not_the_only(len(found)), span)
    return found[0][0]
