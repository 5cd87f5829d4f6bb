"""From the grammar to the parser's tables, by Lark.

`make tables` writes them beside the grammar.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import Any

import lark
from lark.grammar import Rule as LarkRule
from lark.grammar import Symbol
from lark.lexer import PatternStr
from lark.parsers.lalr_analysis import Shift

from ruledsl.syntax.automaton import END, Rule, Tables
from ruledsl.syntax.grammar_tables import grammar_text, written

START = "item"
"""A declaration: each is parsed on its own."""


class NoLexer(lark.lexer.Lexer):
    """Stands in for Lark's lexers, which are slow to make and never used."""

    def __init__(self, conf: object) -> None:
        pass

    def lex(self, *_: object) -> Iterator[lark.Token]:
        raise AssertionError("tokens come from the scanner")


def tables_of(grammar: str, *, strict: bool = False) -> Tables:
    """The tables of a grammar; with `strict` a conflict in it is an error."""
    made = lark.Lark(
        grammar,
        parser="lalr",
        lexer=NoLexer,
        start=START,
        keep_all_tokens=True,
        maybe_placeholders=True,
        strict=strict,
    )
    table = made.parser.parser._parse_table  # noqa: SLF001 (Lark hands it out nowhere else)
    numbers = _numbered(table.states, table.start_states[START])
    rules = {rule: number for number, rule in enumerate(made.rules)}
    states = [
        {
            name: numbers[arg] if action is Shift else ~rules[arg]
            for name, (action, arg) in sorted(table.states[state].items())
        }
        for state in numbers
    ]
    # Lark looks whether the last state is reached; here the end is taken like any token.
    states[numbers[table.end_states[START]]][END] = len(states)
    states.append({})
    return Tables(
        {each.name: each.pattern.to_regexp() for each in made.terminals},
        {
            each.pattern.value: each.name
            for each in made.terminals
            if isinstance(each.pattern, PatternStr)
        },
        tuple(map(_rule, made.rules)),
        tuple(states),
    )


def _numbered(states: dict[Any, dict[str, tuple[Any, Any]]], start: Any) -> dict[Any, int]:
    """Numbers for the states by how they are reached: the same whatever Lark calls them."""
    numbers = {start: 0}
    todo = [start]
    for state in todo:
        for _, (action, arg) in sorted(states[state].items(), key=lambda entry: entry[0]):
            if action is Shift and arg not in numbers:
                numbers[arg] = len(numbers)
                todo.append(arg)
    return numbers


def _rule(rule: LarkRule) -> Rule:
    origin = rule.origin.name
    name = rule.alias or origin
    return Rule(
        origin,
        None if name.startswith("_") else name,
        len(rule.expansion),
        tuple(_shape(rule.expansion, rule.options.empty_indices)),
        bool(rule.options.expand1 and not rule.alias),
    )


def _shape(
    expansion: Sequence[Symbol], absent: tuple[bool, ...]
) -> Iterator[int | tuple[int] | None]:
    """`absent` has, in the order of the parts as written, which are not there."""
    parts: Iterator[int | tuple[int]] = (
        (at,) if not symbol.is_term and symbol.name.startswith("_") else at
        for at, symbol in enumerate(expansion)
    )
    for missing in absent or (False,) * len(expansion):
        yield None if missing else next(parts)


if __name__ == "__main__":
    grammar = grammar_text()
    sys.stdout.write(written(tables_of(grammar, strict=True), grammar))
