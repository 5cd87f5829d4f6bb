"""Nothing may lead back to itself: procedures, definitions and sizes."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Any, TypeVar

from ruledsl.diagnostics import flow as found
from ruledsl.diagnostics.diagnostic import Diagnostic
from ruledsl.model import core
from ruledsl.model.checks.graph import Edge, Graph, Node, graph_of, name_of, values
from ruledsl.model.elaborate import Elaborated
from ruledsl.model.game import CheckedGame, GridShape, Kind, LineShape, RingShape
from ruledsl.model.types import ThingType, plain
from ruledsl.model.walk import expressions

Item = TypeVar("Item", bound=Hashable)


def circles(
    items: Iterable[Item], following: Callable[[Item], Iterable[Item]]
) -> Iterator[list[Item]]:
    """One circle, its first item repeated at the end, for each knot of items.

    Without recursion of our own: a game may have long chains.
    """
    done: set[Item] = set()
    for root in items:
        if root in done:
            continue
        path: list[Item] = [root]
        on_path = {root}
        branches = [iter(tuple(following(root)))]
        while branches:
            step = next(branches[-1], None)
            if step is None:
                branches.pop()
                on_path.discard(path[-1])
                done.add(path.pop())
            elif step in on_path:
                yield [*path[path.index(step) :], step]
                # One report for what hangs together is enough.
                done.update(path)
                branches.clear()
            elif step not in done:
                path.append(step)
                on_path.add(step)
                branches.append(iter(tuple(following(step))))


def check_recursion(elaborated: Elaborated) -> Iterator[Diagnostic]:
    """Steps that call themselves, actions that offer themselves, and questions that lead back."""
    game = elaborated.game
    graph = graph_of(game)

    def following(node: Node) -> Iterator[Node]:
        return (edge.target for edge in graph.edges[node] if edge.target in graph.edges)

    for circle in circles(graph.edges, following):
        first = _edge(graph, circle[0], circle[1])
        yield found.recursion(first.span, [name_of(game, node) for node in circle])


def _edge(graph: Graph, source: Node, target: Node) -> Edge:
    return next(edge for edge in graph.edges[source] if edge.target == target)


def check_sizes(elaborated: Elaborated) -> Iterator[Diagnostic]:
    """The number of things of a kind must not depend on itself."""
    game = elaborated.game
    sizes = _Sizes(game)
    for circle in circles(sizes.names(), sizes.needs):
        span = sizes.span(circle[0])
        if span is not None:
            yield found.circular_size(span, circle)


class _Sizes:
    """What must be known before the things of a kind, a range or an option can be counted."""

    def __init__(self, game: CheckedGame) -> None:
        self.game = game

    def names(self) -> Iterator[str]:
        yield from self.game.kinds
        yield from self.game.ranges
        yield from self.game.options

    def span(self, name: str) -> Any:
        if name in self.game.kinds:
            return self.game.kinds[name].span
        if name in self.game.options:
            return self.game.options[name].span
        return self.game.ranges[name].low.span if name in self.game.ranges else None

    def needs(self, name: str) -> Iterator[str]:
        game = self.game
        if name in game.kinds:
            kind = game.kinds[name]
            yield from (index.kind for index in kind.indexes if not index.faces)
            for size in _sizes(kind):
                yield from self._named(size, set())
        elif name in game.ranges:
            bounds = game.ranges[name]
            yield from self._named((bounds.low, bounds.high), set())
        elif name in game.options:
            yield from self._named((game.options[name].domain,), set())

    def _named(self, size: Any, seen: set[str]) -> Iterator[str]:
        """The names whose things a size counts or picks."""
        for part in expressions(size):
            match part:
                case core.AllThings(kind=kind) | core.Nth(kind=kind) | core.Indexed(kind=kind):
                    yield kind
                case core.PlaceAt(place=kind) | core.PlacesOf(place=kind):
                    yield kind
                case core.OptionValue(name=name):
                    yield name
                case core.ReadColumn(subject=subject, name=name):
                    yield from self._column(subject, name, seen)
                case core.CallDefine(define=key) if key not in seen:
                    seen.add(key)
                    yield from self._named(values(self.game.defines[key]), seen)
                case _:
                    pass

    def _column(self, subject: core.Expr, name: str, seen: set[str]) -> Iterator[str]:
        of = plain(subject.type)
        for kind in sorted(of.kinds) if isinstance(of, ThingType) else ():
            column = self.game.kinds[kind].column(name)
            mark = f"{kind}.{name}"
            if column is not None and mark not in seen:
                seen.add(mark)
                yield from self._named(column.cells, seen)


def _sizes(kind: Kind) -> Iterator[Any]:
    if kind.piece is not None:
        count = kind.column("count")
        yield (kind.piece.count, () if count is None else count.cells)
    if kind.place is not None:
        match kind.place.shape:
            case GridShape(width=width, height=height):
                yield (width, height)
            case RingShape(first=first, last=last) | LineShape(first=first, last=last):
                yield (first, last)
            case _:
                pass
