"""What never happens or is never used."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from ruledsl.diagnostics import flow as found
from ruledsl.diagnostics import names
from ruledsl.diagnostics.diagnostic import Diagnostic
from ruledsl.model import core
from ruledsl.model.checks.graph import PLAY, SETUP, Edge, Node, Sort, all_blocks, graph_of, runs
from ruledsl.model.checks.lines import first_line
from ruledsl.model.checks.paths import ON, Paths
from ruledsl.model.elaborate import Elaborated
from ruledsl.model.game import CheckedGame
from ruledsl.model.walk import walk
from ruledsl.syntax import ast

CLOSING: tuple[Sort, ...] = ("step", "action")
"""What has a checkpoint at its end."""


def check_reached(elaborated: Elaborated) -> Iterator[Diagnostic]:
    """Steps, actions and triggers that play never comes to; a library's are for others to use."""
    game = elaborated.game
    if isinstance(elaborated.header, ast.Library):
        return
    happening = _happening(game)
    for key, step in game.steps.items():
        node = Node("step", key)
        if node not in happening and node not in (SETUP, PLAY):
            why = "never runs"
            hint = "call it from a step that runs, or remove it"
            yield found.never_reached(step.span, f"the step `{key}`", why, hint)
    for key, action in game.actions.items():
        if Node("action", key) not in happening and not action.inline:
            why = "is never offered"
            hint = "offer it in a `choose`, or remove it"
            yield found.never_reached(action.span, f"the action `{key}`", why, hint)
    for key, trigger in game.triggers.items():
        if Node("trigger", key) not in happening:
            why = "waits for something that never runs"
            hint = "name a step or action after `after` that runs during play"
            yield found.never_reached(trigger.span, f"the trigger `{key}`", why, hint)


def _happening(game: CheckedGame) -> set[Node]:
    """Everything that set-up, play and triggers come to.

    Triggers wait for what runs in play; inside set-up and other triggers there are no checkpoints.
    """
    graph = graph_of(game)
    closed = graph.reached((PLAY,), runs)
    due = (
        Node("trigger", key)
        for key, trigger in game.triggers.items()
        if not trigger.after
        or any(Node(sort, name) in closed for name in trigger.after for sort in CLOSING)
    )
    return set(graph.reached((SETUP, PLAY, *due), _comes_to))


def _comes_to(edge: Edge) -> bool:
    """A step that only serves to look ahead is of use; an action nobody offers is not."""
    return edge.target.sort != "action" or edge.how == "offers"


def check_unused(elaborated: Elaborated) -> Iterator[Diagnostic]:
    """Declarations that nothing refers to; a library's are for others to use."""
    game, used = elaborated.game, elaborated.used
    if isinstance(elaborated.header, ast.Library):
        return
    for name, kind in game.kinds.items():
        if _is_unused(elaborated, name):
            word = {"enumeration": "type", "product": "type"}.get(kind.sort, kind.sort)
            yield names.unused_name(kind.span, f"the {word} `{name}`")
    for name, range_ in elaborated.symbols.ranges.items():
        if ("range", name) not in used:
            yield names.unused_name(range_.name.span, f"the type `{name}`")
    for key, state in game.states.items():
        if ("state", key) not in used:
            yield names.unused_name(state.span, f"the state `{state.name}`")
    for key, define in game.defines.items():
        if ("define", key) not in used:
            yield names.unused_name(define.span, f"the definition `{define.name}`")
    for name, option in game.options.items():
        if ("option", name) not in used:
            yield names.unused_name(option.span, f"the option `{name}`")
    for name, history in game.histories.items():
        if ("history", name) not in used:
            yield names.unused_name(history.span, f"the history `{name}`")
    yield from _unused_columns(elaborated)


def _is_unused(elaborated: Elaborated, kind: str) -> bool:
    every_game_has = elaborated.game.kinds[kind].sort in ("player", "direction")
    return ("kind", kind) not in elaborated.used and not every_game_has


def _unused_columns(elaborated: Elaborated) -> Iterator[Diagnostic]:
    for name, declaration in elaborated.symbols.kinds.items():
        if _is_unused(elaborated, name):
            continue  # which is told already
        columns: tuple[ast.Name, ...] = ()
        if isinstance(declaration, ast.TypeTable | ast.Piece | ast.Place):
            columns = declaration.columns
        if isinstance(declaration, ast.Place):
            maps = (line.column for line in declaration.rows if isinstance(line, ast.Map))
            columns = (*columns, *(column for column in maps if column is not None))
        for column in columns:
            # The column `count` says how many copies there are, or how often a value comes up.
            weighs = isinstance(declaration, ast.Piece | ast.TypeTable)
            counts = column.text == "count" and weighs
            if ("column", f"{name}.{column.text}") not in elaborated.used and not counts:
                yield names.unused_name(column.span, f"the column `{column.text}`")


def check_unreachable(elaborated: Elaborated) -> Iterator[Diagnostic]:
    """Statements after one that never lets the block go on."""
    game = elaborated.game
    paths = Paths(game)
    for _, block in all_blocks(game):
        for inner in _blocks_in(block):
            for statement, following in pairwise(inner):
                if ON not in paths.of(statement):
                    yield found.unreachable(
                        first_line(game, following.span), first_line(game, statement.span)
                    )
                    break


def _blocks_in(block: core.Block) -> Iterator[core.Block]:
    """A block and those nested in it."""
    yield block
    for part in walk(block):
        match part:
            case core.Branch(body=body) | core.For(body=body) | core.Together(body=body):
                yield body
            case core.Repeat(body=body):
                yield body
            case core.ChooseValue(otherwise=otherwise) | core.ChooseAction(otherwise=otherwise):
                if otherwise is not None:
                    yield otherwise
            case _:
                pass
