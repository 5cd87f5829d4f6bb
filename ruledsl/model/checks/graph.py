"""Who calls, offers or asks whom, among a game's steps, actions, triggers and definitions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Any, Literal, NamedTuple, TypeAlias, assert_never

import attrs

from ruledsl.diagnostics.source import Span
from ruledsl.model import core
from ruledsl.model.game import CheckedGame, DefineInfo, StepInfo
from ruledsl.model.walk import children, walk

Sort: TypeAlias = Literal["step", "action", "legality", "trigger", "define"]
How: TypeAlias = Literal["calls", "offers", "looks ahead", "asks"]


class Node(NamedTuple):
    """A procedure or definition. An action is two: whether it may be taken, and what it does."""

    sort: Sort
    key: str


SETUP = Node("step", "setup")
PLAY = Node("step", "play")


@attrs.frozen
class Edge:
    source: Node
    target: Node
    how: How
    span: Span


def blocks(step: StepInfo) -> tuple[core.Block, ...]:
    """The bodies of a step: the general one and those of rows."""
    general = () if step.body is None else (step.body,)
    return (*general, *(row.body for row in step.rows))


def values(define: DefineInfo) -> tuple[core.Expr, ...]:
    """The bodies of a definition: the general one and those of rows."""
    general = () if define.body is None else (define.body,)
    return (*general, *(row.body for row in define.rows))


def nodes(game: CheckedGame) -> Iterator[Node]:
    yield from (Node("step", key) for key in game.steps)
    yield from (Node("action", key) for key in game.actions)
    yield from (Node("legality", key) for key in game.actions)
    yield from (Node("trigger", key) for key in game.triggers)
    yield from (Node("define", key) for key in game.defines)


def parts(game: CheckedGame, node: Node) -> tuple[Any, ...]:
    """The statements and expressions of a node."""
    match node.sort:
        case "step":
            return blocks(game.steps[node.key])
        case "action":
            return (game.actions[node.key].body,)
        case "legality":
            action = game.actions[node.key]
            return (action.picks, action.requirements)
        case "trigger":
            trigger = game.triggers[node.key]
            return (trigger.picks, trigger.when, trigger.body)
        case "define":
            return values(game.defines[node.key])
        case _:
            assert_never(node.sort)


def own_expressions(node: Any) -> Iterator[core.Expr]:
    """The expressions directly below a node; not those of statements inside it."""
    for child in children(node):
        if isinstance(child, core.Expression):
            yield child  # type: ignore[misc]
        elif isinstance(child, core.Draw | core.Order | core.Slot | core.HowMany | core.Said):
            yield from own_expressions(child)


def all_blocks(game: CheckedGame) -> Iterator[tuple[Node, core.Block]]:
    """Every block of statements that a game runs, tests apart."""
    for key, step in game.steps.items():
        for block in blocks(step):
            yield Node("step", key), block
    for key, action in game.actions.items():
        yield Node("action", key), action.body
    for key, trigger in game.triggers.items():
        yield Node("trigger", key), trigger.body


def with_calls(game: CheckedGame, block: core.Block) -> tuple[core.Block, ...]:
    """A block and the bodies of everything it calls or offers, each once."""
    found = [block]
    seen: set[Node] = set()
    for each in found:
        for edge in edges_of(PLAY, each):
            if not runs(edge) or edge.target in seen:
                continue
            seen.add(edge.target)
            if edge.target.sort == "step":
                found.extend(blocks(game.steps[edge.target.key]))
            else:
                found.append(game.actions[edge.target.key].body)
    return tuple(found)


def name_of(game: CheckedGame, node: Node) -> str:
    """What the author calls it."""
    match node.sort:
        case "action" | "legality":
            return game.actions[node.key].name
        case "define":
            return game.defines[node.key].name
        case "step" | "trigger":
            return node.key
        case _:
            assert_never(node.sort)


def edges_of(node: Node, contents: Any) -> Iterator[Edge]:
    """What statements and expressions lead to."""
    for part in walk(contents):
        match part:
            case core.Call(step=step):
                yield Edge(node, Node("step", step), "calls", part.span)
            case core.Offer(action=action):
                yield Edge(node, Node("legality", action), "asks", part.span)
                yield Edge(node, Node("action", action), "offers", part.span)
            case core.Would(step=step):
                yield Edge(node, Node("step", step), "looks ahead", part.span)
            case core.Can(action=action):
                yield Edge(node, Node("legality", action), "asks", part.span)
            case core.CallDefine(define=define):
                yield Edge(node, Node("define", define), "asks", part.span)
            case _:
                pass


@attrs.frozen
class Graph:
    """The edges that leave each node, in the order written."""

    game: CheckedGame
    edges: dict[Node, tuple[Edge, ...]]

    def reached(
        self,
        roots: Iterable[Node],
        follow: Callable[[Edge], bool] = lambda edge: True,
    ) -> dict[Node, Edge | None]:
        """Everything the roots lead to, with the edge that first led there."""
        found: dict[Node, Edge | None] = {root: None for root in roots if root in self.edges}
        queue = list(found)
        for node in queue:
            for edge in self.edges[node]:
                if edge.target in self.edges and edge.target not in found and follow(edge):
                    found[edge.target] = edge
                    queue.append(edge.target)
        return found

    def path(self, found: dict[Node, Edge | None], node: Node) -> list[str]:
        """The names on the way to a node that `reached` found."""
        names = [name_of(self.game, node)]
        edge = found[node]
        while edge is not None:
            names.append(name_of(self.game, edge.source))
            edge = found[edge.source]
        return names[::-1]


@lru_cache(maxsize=2)
def graph_of(game: CheckedGame) -> Graph:
    """The graph of a game; one check after the other asks for the same."""
    edges = {node: tuple(edges_of(node, parts(game, node))) for node in nodes(game)}
    return Graph(game, edges)


@lru_cache(maxsize=2)
def callees_first(game: CheckedGame) -> tuple[Node, ...]:
    """Steps and actions, each after what it calls or offers: nothing has to be followed deep."""
    graph = graph_of(game)
    order: dict[Node, None] = {}
    opened: set[Node] = set()
    stack = [node for node in graph.edges if node.sort in ("step", "action")][::-1]
    while stack:
        node = stack[-1]
        inner = [edge.target for edge in graph.edges[node] if runs(edge)]
        waiting = [target for target in inner if target in graph.edges and target not in opened]
        if node not in opened:
            opened.add(node)
            stack.extend(waiting[::-1])
        else:
            order[stack.pop()] = None
    return tuple(order)


def runs(edge: Edge) -> bool:
    """Whether the target really happens, not only in thought."""
    return edge.how in ("calls", "offers")
