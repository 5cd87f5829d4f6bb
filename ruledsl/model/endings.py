"""Where the rules end a game: the marks that say why, and what the same procedure tells."""

from __future__ import annotations

import attrs

from ruledsl.diagnostics.source import Span
from ruledsl.model import core
from ruledsl.model.game import CheckedGame
from ruledsl.model.procedures import procedures
from ruledsl.model.walk import children, walk
from ruledsl.syntax import ast


@attrs.frozen
class EndingLine:
    """A line that ends the game, in the procedure `within`, which tells something at `tells`."""

    within: Span
    trail: ast.Trail
    """the marks of the line, or, if it cites nothing, of the nearest around it that do"""
    tells: frozenset[Span]


def where_it_ends(game: CheckedGame, span: Span) -> EndingLine | None:
    """The line that ends the game and is written there, if it is one of the rules."""
    for _, within, trail, body in procedures(game):
        found = next((found for each in body if (found := _marks(each, span, trail))), None)
        if found is not None:
            tells = (part.span for part in walk(body) if isinstance(part, core.Tell))
            return EndingLine(within, *found, frozenset(tells))
    return None


def _marks(node: object, span: Span, around: ast.Trail) -> tuple[ast.Trail] | None:
    """The marks of an ending below a node, if it is there."""
    own = getattr(node, "trail", ())
    trail = own if any(isinstance(mark, ast.Cite) for mark in own) else around
    if isinstance(node, core.Win | core.End) and node.span == span:
        return (trail,)
    return next((found for part in children(node) if (found := _marks(part, span, trail))), None)
