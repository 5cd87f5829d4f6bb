"""Loops and games that would never come to an end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ruledsl.diagnostics import flow as found
from ruledsl.diagnostics.diagnostic import Diagnostic
from ruledsl.model import core
from ruledsl.model.checks.graph import PLAY, Node, all_blocks, graph_of, runs, with_calls
from ruledsl.model.checks.lines import first_line
from ruledsl.model.checks.paths import GAME, ON, Paths
from ruledsl.model.checks.reads_writes import ReadsWrites
from ruledsl.model.elaborate import Elaborated
from ruledsl.model.game import CheckedGame
from ruledsl.model.walk import statements, walk


def check_loops(elaborated: Elaborated) -> Iterator[Diagnostic]:
    """A `repeat` without a number must not be able to pass for ever without a decision or a roll.

    Whether it does is certain when a pass can go without them, and nothing that decides over the
    way through the loop is ever changed in it.
    """
    game = elaborated.game
    effects = ReadsWrites(game, graph_of(game))
    paths = Paths(game, quiet=effects)
    for _, block in all_blocks(game):
        for loop in statements(block):
            if not isinstance(loop, core.Repeat) or loop.times is not None:
                continue
            if ON in paths.exits(loop.body):
                asked = effects.reads(loop.running, *_guards(game, loop.body))
                if not asked & effects.writes(loop.body):
                    yield found.endless_loop(first_line(game, loop.span), loop.running is not None)


def _guards(game: CheckedGame, block: core.Block) -> Iterator[Any]:
    """The expressions that decide over the way through a block, and through what it calls.

    A name may carry a value into a condition, so what names stand for counts too.
    """
    for each in with_calls(game, block):
        for part in walk(each):
            match part:
                case core.Let(value=value):
                    yield value
                case core.Call(arguments=arguments):
                    yield arguments
                case core.Branch(condition=condition):
                    yield condition
                case core.For(draws=draws, where=where):
                    yield (draws, where)
                case core.Together(domain=domain):
                    yield domain
                case core.Repeat(times=times, running=running):
                    yield (times, running)
                case _:
                    pass


def check_ending(elaborated: Elaborated) -> Iterator[Diagnostic]:
    """A game without a limit must have some end."""
    game = elaborated.game
    if PLAY.key not in game.steps or game.limit is not None:
        return
    paths = Paths(game)
    graph = graph_of(game)
    happening = graph.reached((PLAY, *(Node("trigger", key) for key in game.triggers)), runs)
    if paths.called(PLAY.key):
        return
    for node, block in all_blocks(game):
        if node in happening and any(_ends_game(each) for each in statements(block)):
            return
    yield found.never_ends(game.steps[PLAY.key].span)


def _ends_game(statement: core.Statement) -> bool:
    return isinstance(statement, core.Win) or statement == core.End(GAME[1])
