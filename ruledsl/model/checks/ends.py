"""`end X` needs an X that is running, on every way that leads there."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from ruledsl.diagnostics import flow as found
from ruledsl.diagnostics.diagnostic import Diagnostic
from ruledsl.model import core
from ruledsl.model.checks.graph import (
    PLAY,
    SETUP,
    Edge,
    Graph,
    Node,
    all_blocks,
    callees_first,
    graph_of,
    name_of,
    runs,
)
from ruledsl.model.elaborate import Elaborated
from ruledsl.model.walk import statements


def check_ends(elaborated: Elaborated) -> Iterator[Diagnostic]:
    game = elaborated.game
    graph = graph_of(game)
    around = _Around(graph)
    ways: dict[str, _Ways] = {}
    for node, block in all_blocks(game):
        for statement in statements(block):
            if not isinstance(statement, core.End) or statement.target in ("game", "loop"):
                continue
            target = statement.target
            if around.surely(node, target):
                continue
            if target not in ways:
                ways[target] = _Ways(graph, target)
            path = ways[target].path(node)
            if path is not None:
                yield found.not_running(statement.span, target, path)


class _Around:
    """What surely runs around each step, action and trigger, as bits; callers come first."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.order = callees_first(graph.game)[::-1]
        self.bits = {node: 1 << number for number, node in enumerate(self.order)}
        self.named: dict[str, int] = defaultdict(int)
        for node in self.order:
            self.named[name_of(graph.game, node)] |= self.bits[node]
        in_play = self._spread({PLAY: 0} if PLAY in graph.edges else {})
        closing: dict[str, list[int]] = defaultdict(list)
        for node, running in in_play.items():
            # At the checkpoint that closes a step or action, it does not run any more.
            closing[name_of(graph.game, node)].append(running)
        always = _common(running for each in closing.values() for running in each)
        start = {node: 0 for node in (SETUP, PLAY) if node in graph.edges}
        for key, trigger in graph.game.triggers.items():
            after = (running for name in trigger.after for running in closing[name])
            start[Node("trigger", key)] = _common(after) if trigger.after else always
        self.running = self._spread(start)

    def _spread(self, start: dict[Node, int]) -> dict[Node, int]:
        """What runs around everything that these lead to."""
        running = dict(start)
        for node in (*(each for each in start if each not in self.bits), *self.order):
            if node not in running:
                continue
            for edge in self.graph.edges[node]:
                if runs(edge) and edge.target in self.bits:
                    inside = running[node] | self.bits.get(node, 0)
                    running[edge.target] = running.get(edge.target, -1) & inside
        return running

    def surely(self, node: Node, name: str) -> bool:
        """Whether something of this name runs whenever a node does."""
        running = self.running.get(node, -1) | self.bits.get(node, 0)
        return bool(running & self.named[name])


def _common(sets: Iterable[int]) -> int:
    """What all have in common; all there is where there are none."""
    common = -1
    for each in sets:
        common &= each
    return common


class _Ways:
    """What can run while a step or action does not, and how."""

    def __init__(self, graph: Graph, target: str) -> None:
        self.graph = graph
        game = graph.game
        self.ended = {
            Node("action", key) for key, info in game.actions.items() if info.name == target
        }
        self.ended.add(Node("step", target))
        self.from_start = graph.reached((SETUP, PLAY), self._outside)
        self.in_play = graph.reached((PLAY,), self._outside)
        closing = {name_of(game, node): node for node in self.in_play}
        self.fired: dict[Node, Node] = {}
        for key, trigger in game.triggers.items():
            names = [name for name in trigger.after or closing if name in closing]
            if names:
                self.fired[Node("trigger", key)] = closing[names[0]]
        self.from_triggers = graph.reached(self.fired, self._outside)

    def _outside(self, edge: Edge) -> bool:
        return runs(edge) and edge.source not in self.ended

    def path(self, node: Node) -> list[str] | None:
        """A way to a node past the target, if there is one."""
        if node in self.from_start:
            return self.graph.path(self.from_start, node)
        if node not in self.from_triggers:
            return None
        inside = self.graph.path(self.from_triggers, node)
        checkpoint = self.fired[Node("trigger", inside[0])]
        return [*self.graph.path(self.in_play, checkpoint), *inside]
