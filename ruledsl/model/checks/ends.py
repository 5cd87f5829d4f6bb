"""`end X` needs an X that is running, on every way that leads there."""

from __future__ import annotations

from collections.abc import Iterator

from ruledsl.diagnostics import flow as found
from ruledsl.diagnostics.diagnostic import Diagnostic
from ruledsl.model import core
from ruledsl.model.checks.graph import PLAY, SETUP, Edge, Graph, Node, all_blocks, runs
from ruledsl.model.elaborate import Elaborated
from ruledsl.model.walk import statements


def check_ends(elaborated: Elaborated) -> Iterator[Diagnostic]:
    game = elaborated.game
    graph = Graph.of(game)
    without: dict[str, dict[Node, list[str]]] = {}
    for node, block in all_blocks(game):
        for statement in statements(block):
            if not isinstance(statement, core.End) or statement.target in ("game", "loop"):
                continue
            target = statement.target
            if target not in without:
                without[target] = _without(graph, target)
            path = without[target].get(node)
            if path is not None:
                yield found.not_running(statement.span, target, path)


def _without(graph: Graph, target: str) -> dict[Node, list[str]]:
    """What can run while the target does not, each with a way to it."""
    ended = {Node("step", target), Node("action", target)}
    ended |= {
        Node("action", key) for key, info in graph.game.actions.items() if info.name == target
    }

    def outside(edge: Edge) -> bool:
        return runs(edge) and edge.source not in ended

    ways: dict[Node, list[str]] = {}
    found_before = graph.reached((SETUP, PLAY), outside)
    for node in found_before:
        if node not in ended:
            ways[node] = graph.path(found_before, node)
    # At the checkpoint that closes a step or action, it does not run any more.
    played = graph.reached((PLAY,), outside)
    closing = {node: graph.path(played, node) for node in played if node != PLAY}
    for key, trigger in graph.game.triggers.items():
        start = next(
            (path for node, path in closing.items() if _fires(graph, node, trigger.after)), None
        )
        if start is None:
            continue
        inside = graph.reached((Node("trigger", key),), outside)
        for node in inside:
            if node not in ended and node not in ways:
                ways[node] = [*start, *graph.path(inside, node)]
    return ways


def _fires(graph: Graph, node: Node, after: tuple[str, ...]) -> bool:
    name = graph.game.actions[node.key].name if node.sort == "action" else node.key
    return not after or name in after
