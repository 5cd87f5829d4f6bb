"""`would` looks through steps that only move and set."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ruledsl.diagnostics import flow as found
from ruledsl.diagnostics.diagnostic import Diagnostic
from ruledsl.model import core
from ruledsl.model.checks.graph import Graph, Node, graph_of, nodes, parts, runs
from ruledsl.model.checks.lines import first_line
from ruledsl.model.elaborate import Elaborated
from ruledsl.model.walk import walk


def check_lookahead(elaborated: Elaborated) -> Iterator[Diagnostic]:
    game = elaborated.game
    graph = graph_of(game)
    for node in nodes(game):
        for part in walk(parts(game, node)):
            if isinstance(part, core.Would):
                yield from _through(graph, part)


def _through(graph: Graph, ahead: core.Would) -> Iterator[Diagnostic]:
    for node in graph.reached((Node("step", ahead.step),), runs):
        for part in walk(parts(graph.game, node)):
            what = _open(part)
            if what is not None:
                yield found.would_decides(
                    ahead.span, ahead.step, what, first_line(graph.game, part.span)
                )
                return


def _open(part: Any) -> str | None:
    """What a statement leaves open, or ends."""
    match part:
        case core.ChooseValue() | core.ChooseAction():
            return "a decision"
        case core.Roll():
            return "a roll"
        case core.Shuffle():
            return "a shuffle"
        case core.Win() | core.End(target="game"):
            return "the end of the game"
        case core.End(target=target) if target != "loop":
            return f"the end of `{target}`"
        case _:
            return None
