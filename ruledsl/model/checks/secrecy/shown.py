"""What the rules themselves make known before a decision."""

from __future__ import annotations

from ruledsl.model import core
from ruledsl.model.checks.graph import Edge, Node, graph_of, own_expressions, parts, runs, values
from ruledsl.model.game import CheckedGame
from ruledsl.model.walk import walk


class Shown:
    """What may have been shown to everybody on the way to a decision: places and states."""

    def __init__(self, game: CheckedGame) -> None:
        self.game = game
        self.graph = graph_of(game)
        self._shown = {
            node: {
                source
                for part in walk(parts(game, node))
                if isinstance(part, core.Show) and isinstance(part.viewers, core.AllThings)
                for source in sources(game, part.subject)
            }
            for node in self.graph.edges
        }
        self._before: dict[Node, set[str]] = {}

    def before(self, node: Node) -> set[str]:
        """Shown in what leads to a node, or in what that calls on the way."""
        if node not in self._before:
            callers = {node}
            waiting = [node]
            while waiting:
                target = waiting.pop()
                for source, edges in self.graph.edges.items():
                    if source not in callers and any(_leads(edge, target) for edge in edges):
                        callers.add(source)
                        waiting.append(source)
            near = self.graph.reached(callers, lambda edge: edge.how == "calls")
            self._before[node] = {source for each in near for source in self._shown[each]}
        return self._before[node]


def _leads(edge: Edge, target: Node) -> bool:
    return runs(edge) and edge.target == target


def sources(game: CheckedGame, shown: core.Expr) -> set[str]:
    """The places and states that an expression may look into."""
    found: set[str] = set()
    stack = [shown]
    seen: set[str] = set()
    while stack:
        node = stack.pop()
        match node:
            case core.PlaceAt(place=name) | core.Value(kind=name) | core.AllThings(kind=name):
                found.add(name)
            case core.PlacesOf(place=name) | core.ReadState(state=name):
                found.add(name)
            case core.Local():
                # A piece that was taken from somewhere: it may be any.
                found.update(game.kinds)
            case core.CallDefine(define=key) if key not in seen:
                seen.add(key)
                stack.extend(values(game.defines[key]))
            case _:
                pass
        stack.extend(own_expressions(node))
    return found
