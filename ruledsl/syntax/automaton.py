"""The parser's machine: it follows tables made from the grammar, and builds while it reduces.

The tables are plain numbers and words, shipped with the package. Lark makes them, in `lalr.py`;
nothing else needs it, so that nobody waits for it who only reads a file.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from operator import itemgetter
from typing import Any, TypeAlias

import attrs

from ruledsl.syntax.tokens import Token

Parts: TypeAlias = list[Any]
"""What the parts of a rule were built into, its tokens included; an absent part is None."""

Shape: TypeAlias = tuple[int | tuple[int] | None, ...]
"""What a rule hands on: a part by its number, nothing where one is absent, or, by a number in
brackets, all that a part consists of."""

END = "$END"
"""The terminal behind the last token."""


@attrs.frozen
class Rule:
    """One alternative of a rule of the grammar."""

    origin: str
    builds: str | None
    """the method that builds something of the parts; without one they go to the rule above"""
    size: int
    shape: Shape
    single: bool
    """whether one part alone stands for itself"""


@attrs.frozen
class Tables:
    """What a grammar comes to. An action is the state after a shift, or `~rule` for a reduction."""

    patterns: Mapping[str, str]
    """of every terminal, as a regular expression"""
    literals: Mapping[str, str]
    """keywords and signs, with their terminals"""
    rules: tuple[Rule, ...]
    states: tuple[Mapping[str, int], ...]
    """of every state the actions by terminal, and by rule the state after a reduction"""


class Unexpected(Exception):
    """A token that can't stand here."""


class Automaton:
    """The tables of a grammar, together with what builds the tree."""

    def __init__(self, tables: Tables, builder: object) -> None:
        """The builder has a method for each rule that builds, and for terminals as it likes."""
        self.tables = tables
        self.reductions = [
            (rule.size, rule.origin, _reduction(rule, builder)) for rule in tables.rules
        ]
        self.tokens: dict[str, Callable[[Token], Any]] = {
            name: getattr(builder, name) for name in tables.patterns if hasattr(builder, name)
        }

    def start(self) -> Machine:
        return Machine(self)


class Machine:
    """Where one parse is: takes token after token, `END` last."""

    def __init__(self, automaton: Automaton) -> None:
        self._automaton = automaton
        self._states = [0]
        self._values: list[Any] = []

    def copy(self) -> Machine:
        """The same parse, to be gone on with in another way."""
        other = Machine(self._automaton)
        other._states, other._values = list(self._states), list(self._values)
        return other

    @property
    def situation(self) -> tuple[int, ...]:
        """Where the parse is: from equal situations the same can follow."""
        return tuple(self._states)

    @property
    def choices(self) -> Mapping[str, int]:
        """The terminals that do not fail at once, though maybe after a reduction; and rules."""
        return self._automaton.tables.states[self._states[-1]]

    @property
    def accepts(self) -> frozenset[str]:
        """The terminals that can really come next."""
        return frozenset(kind for kind in self.choices if kind.isupper() and self._takes(kind))

    @property
    def result(self) -> Any:
        """What was built, once the end is taken."""
        value, _ = self._values
        return value

    def feed(self, token: Token) -> None:
        """Take a token, or raise `Unexpected`."""
        table, reductions = self._automaton.tables.states, self._automaton.reductions
        states, values = self._states, self._values
        kind = token.type
        while True:
            action = table[states[-1]].get(kind)
            if action is None:
                raise Unexpected
            if action >= 0:
                convert = self._automaton.tokens.get(kind)
                states.append(action)
                values.append(token if convert is None else convert(token))
                return
            size, origin, build = reductions[~action]
            if build is None:
                states.pop()
                states.append(table[states[-1]][origin])
                continue
            parts: Parts = []
            if size:
                parts = values[-size:]
                del states[-size:], values[-size:]
            states.append(table[states[-1]][origin])
            values.append(build(parts))

    def _takes(self, kind: str) -> bool:
        tables = self._automaton.tables
        states = list(self._states)
        while (action := tables.states[states[-1]].get(kind)) is not None:
            if action >= 0:
                return True
            rule = tables.rules[~action]
            if rule.size:
                del states[-rule.size :]
            states.append(tables.states[states[-1]][rule.origin])
        return False


def _reduction(rule: Rule, builder: object) -> Callable[[Parts], Any] | None:
    """What makes one value of the parts of a rule; None if its only part stays what it is."""
    if rule.size == 1 and rule.single and rule.shape == (0,):
        return None
    build = _whole if rule.builds is None else getattr(builder, rule.builds)
    shape = rule.shape
    if shape != tuple(range(rule.size)):
        inner, shaped = build, _shaper(shape)

        def build(parts: Parts) -> Any:
            return inner(shaped(parts))

    if rule.single:
        several = build

        def build(parts: Parts) -> Any:
            return parts[0] if len(parts) == 1 else several(parts)

    return build


def _whole(parts: Parts) -> Parts:
    return parts


def _shaper(shape: Shape) -> Callable[[Parts], Parts]:
    """What makes the parts that a rule hands on from all its parts."""
    match shape:
        case ():
            return lambda _: []
        case (int(only),):
            return lambda parts: [parts[only]]
        case _ if all(isinstance(each, int) for each in shape):
            taken = itemgetter(*shape)
            return lambda parts: list(taken(parts))
        case _:
            return partial(_shaped, shape)


def _shaped(shape: Shape, parts: Parts) -> Parts:
    shaped: Parts = []
    for each in shape:
        if each is None:
            shaped.append(None)
        elif isinstance(each, int):
            shaped.append(parts[each])
        elif shaped:
            shaped += parts[each[0]]
        else:
            # A long list grows by one part at a time; copying it each time would take too long.
            shaped = parts[each[0]]
    return shaped
