"""How much of a numbered rulebook the rules files carry out and test, and what they assume."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import attrs

from ruledsl.model.citations import cited_rules, rule_number
from ruledsl.syntax import ast


@attrs.frozen
class Assumption:
    """Something the rulebook does not say, with the rules it is about."""

    text: str
    file: str
    line: int
    cites: tuple[str, ...]


@attrs.frozen
class Coverage:
    """Rules by name, such as `PP-7`, in the order of the books; what a test cites is cited, too."""

    rules: tuple[str, ...]
    cited: frozenset[str]
    tested: frozenset[str]
    assumptions: tuple[Assumption, ...]

    @property
    def uncited(self) -> tuple[str, ...]:
        return tuple(rule for rule in self.rules if rule not in self.cited)

    @property
    def untested(self) -> tuple[str, ...]:
        return tuple(rule for rule in self.rules if rule not in self.tested)


def coverage(files: Iterable[ast.File]) -> Coverage:
    """What the files of a game and its variants cover of the rulebooks the game declares."""
    items = tuple(item for file in files for item in file.items)
    rules = tuple(_rules(items))
    tests = tuple(item for item in items if isinstance(item, ast.Test))
    return Coverage(
        rules,
        frozenset(_named(items)) & frozenset(rules),
        frozenset(_named(tests)) & frozenset(rules),
        tuple(_assumptions(items)),
    )


def _rules(items: tuple[ast.Item, ...]) -> Iterator[str]:
    """All rules of the declared books."""
    games = (item for item in items if isinstance(item, ast.Game))
    for line in (line for game in games for line in game.lines):
        match line:
            case ast.Rulebook(prefix, ast.Interval(ast.Number(first), ast.Number(last))):
                yield from (f"{prefix.text}-{number}" for number in range(first, last + 1))
            case _:
                pass


def _named(items: tuple[ast.Item, ...]) -> Iterator[str]:
    return (f"{prefix}-{number}" for prefix, number in cited_rules(items))


def _assumptions(node: Any) -> Iterator[Assumption]:
    """Every assumption in a syntax tree, with the citations on its line."""
    if isinstance(node, tuple):
        trail = [mark for mark in node if isinstance(mark, ast.Cite | ast.Assumed)]
        numbers = (rule_number(mark) for mark in trail if isinstance(mark, ast.Cite))
        cites = tuple(f"{prefix}-{number}" for prefix, number in filter(None, numbers))
        for item in node:
            if isinstance(item, ast.Assumed):
                text = "" if item.reason is None else item.reason.value
                yield Assumption(text, item.span.file, item.span.line, cites)
            else:
                yield from _assumptions(item)
    elif isinstance(node, ast.Node):
        for field in attrs.fields(type(node)):
            yield from _assumptions(getattr(node, field.name))
