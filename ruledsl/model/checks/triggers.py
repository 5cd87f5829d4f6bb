"""Triggers that never stop, or come too late."""

from __future__ import annotations

from collections.abc import Iterator

from ruledsl.diagnostics import flow as found
from ruledsl.diagnostics.diagnostic import Diagnostic
from ruledsl.model import core
from ruledsl.model.checks.graph import Graph, Node, graph_of, parts, runs
from ruledsl.model.checks.reads_writes import PLAYING, ReadsWrites
from ruledsl.model.elaborate import Elaborated
from ruledsl.model.game import TriggerInfo
from ruledsl.model.walk import walk


def check_endless_triggers(elaborated: Elaborated) -> Iterator[Diagnostic]:
    """A body that changes nothing its condition or parameters depend on, and ends nothing."""
    game = elaborated.game
    graph = graph_of(game)
    effects = ReadsWrites(game, graph)
    for name, trigger in game.triggers.items():
        if trigger.when is None or _ends_something(graph, name):
            continue
        asked = effects.reads(trigger.when, trigger.picks)
        if not asked & effects.writes(trigger.body, checkpoints=False):
            yield found.endless_trigger(trigger.when.span, name)


def _ends_something(graph: Graph, name: str) -> bool:
    return any(
        isinstance(part, core.Win) or (isinstance(part, core.End) and part.target != "loop")
        for node in graph.reached((Node("trigger", name),), runs)
        for part in walk(parts(graph.game, node))
    )


def check_late_endings(elaborated: Elaborated) -> Iterator[Diagnostic]:
    """The number of players left must be judged before the next of several is eliminated."""
    game = elaborated.game
    effects = ReadsWrites(game, graph_of(game))
    above: list[tuple[str, TriggerInfo]] = []
    for name, trigger in game.triggers.items():
        if trigger.when is not None and any(_ends_game(each) for each in trigger.body):
            for other, cause in above:
                if _meet(trigger, cause) and PLAYING in effects.reads(trigger.when):
                    yield found.late_ending(trigger.span, name, other, cause.span)
                    break
        if trigger.picks and any(isinstance(part, core.Eliminate) for part in walk(trigger.body)):
            above.append((name, trigger))


def _ends_game(statement: core.Statement) -> bool:
    return isinstance(statement, core.Win) or statement == core.End("game")


def _meet(one: TriggerInfo, other: TriggerInfo) -> bool:
    """Whether two triggers are tried at the same checkpoint."""
    return not one.after or not other.after or bool(set(one.after) & set(other.after))
