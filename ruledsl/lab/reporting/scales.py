"""Numbers in the rules that stand beside others of their sort and are far larger."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import attrs

from ruledsl.diagnostics.source import Span
from ruledsl.model import core
from ruledsl.model.game import CheckedGame
from ruledsl.model.walk import children, statements
from ruledsl.play.words import Words

LARGE, TIMES = 10, 5
"""A number that is at least so large, and so many times as large as the next, is far larger."""
TIMES_OF_ONE = 10
"""And so many times, where there is only one other."""


@attrs.frozen
class Outlier:
    """A number that may have a digit too many."""

    what: str
    """what it says, in words"""
    number: int
    following: int
    """the largest of the others"""
    span: Span


def outliers(game: CheckedGame) -> Iterator[Outlier]:
    yield from _in_columns(game)
    yield from _in_changes(game)
    bodies = [each.body for each in game.defines.values() if each.body is not None]
    if game.ranking is not None:
        bodies += [key.value for key in game.ranking.keys]
    for expression in _outermost([*bodies, *game.blocks()]):
        if isinstance(expression, core.Case | core.Conditional):
            yield from _largest("a number here", _alternatives(expression))
        else:
            yield from _largest("a factor of this sum", _weights(game, expression))


_Number = tuple[int, Span]


def _largest(what: str, numbers: Iterable[_Number], least: int = 3) -> Iterator[Outlier]:
    found = sorted(((abs(number), span) for number, span in numbers), key=lambda each: -each[0])
    if len(found) < least:
        return
    (number, span), (following, _), *more = found
    if number >= max(LARGE, (TIMES if more else TIMES_OF_ONE) * max(1, following)):
        yield Outlier(what, number, following, span)


def _in_columns(game: CheckedGame) -> Iterator[Outlier]:
    words = Words(game)
    for kind in game.kinds.values():
        for column in kind.columns:
            numbers = [(n, cell.span) for cell in column.cells if (n := _plain(cell)) is not None]
            for found in _largest("", numbers):
                row = [cell.span for cell in column.cells].index(found.span)
                name = words.name(kind.rows[row], kind.name) if row < len(kind.rows) else ""
                what = f"{words.kind(kind.name)}: “{words.name(column.name)}” of “{name}”"
                yield attrs.evolve(found, what=what)


def _in_changes(game: CheckedGame) -> Iterator[Outlier]:
    """Numbers that are added to the same state, or taken from it."""
    changes: dict[tuple[str, str], list[_Number]] = {}
    for block in game.blocks():
        for statement in statements(block):
            if isinstance(statement, core.Assign) and isinstance(
                change := statement.value, core.Arithmetic
            ):
                amount = _plain(change.right, game)
                before = isinstance(change.left, core.ReadState) and change.left.state
                if amount is not None and before == statement.slot.state and change.sign in "+-":
                    key = (statement.slot.state, change.sign)
                    changes.setdefault(key, []).append((amount, statement.span))
    words = Words(game)
    for (state, sign), numbers in changes.items():
        what = f"what is {'added to' if sign == '+' else 'taken from'} "
        yield from _largest(f"{what}“{words.name(game.states[state].name)}” here", numbers, least=2)


def _outermost(roots: Iterable[object]) -> Iterator[core.Expr]:
    """Sums and alternatives that are no part of larger ones."""
    waiting = [*roots]
    while waiting:
        node = waiting.pop()
        if isinstance(node, core.Arithmetic) and node.sign in "+-":
            yield node
            waiting += _terms(node)
        elif isinstance(node, core.Case | core.Conditional):
            yield node
            waiting += [part for part in _results(node) if not isinstance(part, core.Constant)]
        elif isinstance(node, tuple):
            waiting += node
        else:
            waiting += children(node)


def _terms(node: core.Expr) -> Iterator[core.Expr]:
    """What is added up, or taken off."""
    if isinstance(node, core.Arithmetic) and node.sign in "+-":
        yield from _terms(node.left)
        yield from _terms(node.right)
    else:
        yield node


def _weights(game: CheckedGame, node: core.Expr) -> Iterator[_Number]:
    """With what each part of a sum is multiplied."""
    for part in _terms(node):
        if not isinstance(part, core.Constant):
            yield _weight(game, part)


def _weight(game: CheckedGame, node: core.Expr) -> _Number:
    """Its factor, and where that is written: perhaps in a definition."""
    if isinstance(node, core.CallDefine):
        body = game.defines[node.define].body
        return (1, node.span) if body is None else _weight(game, body)
    if isinstance(node, core.Arithmetic) and node.sign == "*":
        for side in (node.left, node.right):
            if number := _plain(side):
                return number, side.span
    return 1, node.span


def _results(node: core.Case | core.Conditional) -> Iterator[core.Expr]:
    """What it may be, a chain of `else if` as one."""
    if isinstance(node, core.Conditional):
        yield node.yes
        if isinstance(node.no, core.Conditional):
            yield from _results(node.no)
        else:
            yield node.no
        return
    yield from (value for _, value in node.arms)
    if node.otherwise is not None:
        yield node.otherwise


def _alternatives(node: core.Case | core.Conditional) -> list[_Number]:
    """Its numbers, if it has nothing else."""
    results = [*_results(node)]
    numbers = [(n, each.span) for each in results if (n := _plain(each)) is not None]
    return numbers if len(numbers) == len(results) else []


def _plain(node: core.Expr | None, game: CheckedGame | None = None) -> int | None:
    """A number that is written there, or has a name."""
    if isinstance(node, core.CallDefine) and game is not None and not node.arguments:
        return _plain(game.defines[node.define].body)
    if isinstance(node, core.Negate):
        node = node.operand
    value = node.value if isinstance(node, core.Constant) else None
    return value if type(value) is int else None
