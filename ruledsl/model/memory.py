"""What is kept from one check of a game to the next, so that little is done twice.

Bodies of rules are resolved against what the game declares: its kinds, states, options and
histories, the types of its definitions, and the parameters of its steps and actions. While all of
this stays as it was, so does what an unchanged body means.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import attrs

from ruledsl.diagnostics.diagnostic import Diagnostic
from ruledsl.diagnostics.source import Source
from ruledsl.model import citations
from ruledsl.model.examples import Examples
from ruledsl.model.game import ActionInfo, ExampleInfo, StepInfo, TriggerInfo
from ruledsl.model.occurrences import Occurrences
from ruledsl.model.symbols import Symbols
from ruledsl.syntax import ast
from ruledsl.syntax.parser import Parsed, parse

Resolved = TypeVar("Resolved", StepInfo, ActionInfo, TriggerInfo, ExampleInfo)


@attrs.frozen
class _Kept:
    """A resolved rule, from what it was made, and everything that came of it."""

    nodes: Sequence[object]
    result: Any
    diagnostics: list[Diagnostic]
    used: set[tuple[str, str]]
    occurrences: Occurrences
    inline_actions: dict[str, ActionInfo]


class Memory:
    """Of one game, from one check to the next; `read` parses its files."""

    def __init__(self, read: Callable[[Source], Parsed] = parse) -> None:
        self.read = read
        self._ground: list[object] = []
        self._rules: dict[tuple[str, str], _Kept] = {}
        self._marks: dict[int, tuple[ast.Item, tuple[ast.Mark, ...]]] = {}

    def copy(self, read: Callable[[Source], Parsed]) -> Memory:
        """The same to begin with, for trying something out."""
        other = Memory(read)
        other._ground, other._rules, other._marks = self._ground, self._rules, dict(self._marks)
        return other

    def recall(self, rules: Examples) -> Recall:
        """What is still true of a game whose declarations are resolved but for its rules."""
        ground = _ground(rules)
        if not same(ground, self._ground):
            self._rules = {}
        self._ground = ground
        recall = Recall(rules, self._rules, self._marks)
        self._rules, self._marks = recall.rules, recall.citations
        return recall

    def marks(self, item: ast.Item) -> tuple[ast.Mark, ...]:
        """The citations and assumptions of a declaration."""
        kept = self._marks.get(id(item))
        if kept is None or kept[0] is not item:
            kept = self._marks[id(item)] = (item, tuple(citations.marks(item)))
        return kept[1]


class Recall:
    """One check: it takes from the last one what it can, and hands on only what it used."""

    def __init__(
        self,
        resolver: Examples,
        rules: dict[tuple[str, str], _Kept],
        marks: dict[int, tuple[ast.Item, tuple[ast.Mark, ...]]],
    ) -> None:
        self._resolver = resolver
        self._last = rules
        self._last_marks = marks
        self.rules: dict[tuple[str, str], _Kept] = {}
        self.citations: dict[int, tuple[ast.Item, tuple[ast.Mark, ...]]] = {}

    def step(self, name: str) -> StepInfo:
        nodes = self._resolver.symbols.steps[name]
        return self._taken("step", name, nodes, lambda: self._resolver.step(name))

    def action(self, name: str) -> ActionInfo:
        nodes = [self._resolver.symbols.actions[name]]
        return self._taken("action", name, nodes, lambda: self._resolver.action(name))

    def trigger(self, node: ast.Trigger) -> TriggerInfo:
        return self._taken("trigger", node.name.text, [node], lambda: self._resolver.trigger(node))

    def example(self, node: ast.Test) -> ExampleInfo:
        """A test may also name the actions that steps offer on the spot."""
        nodes = [node, *self._resolver.inline_actions.values()]
        return self._taken("test", node.title.value, nodes, lambda: self._resolver.example(node))

    def marks(self, item: ast.Item) -> tuple[ast.Mark, ...]:
        kept = self._last_marks.get(id(item))
        if kept is None or kept[0] is not item:
            kept = (item, tuple(citations.marks(item)))
        self.citations[id(item)] = kept
        return kept[1]

    def _taken(
        self, sort: str, name: str, nodes: Sequence[object], resolve: Callable[[], Resolved]
    ) -> Resolved:
        kept = self._last.get((sort, name))
        if kept is None or not same(kept.nodes, nodes):
            kept = self._resolved(list(nodes), resolve)
        else:
            for diagnostic in kept.diagnostics:
                self._resolver.count(diagnostic)
        self.rules[sort, name] = kept
        resolver = self._resolver
        resolver.diagnostics.extend(kept.diagnostics)
        resolver.used |= kept.used
        resolver.occurrences.update(kept.occurrences)
        resolver.inline_actions |= kept.inline_actions
        result: Resolved = kept.result
        return result

    def _resolved(self, nodes: Sequence[object], resolve: Callable[[], Resolved]) -> _Kept:
        """Resolve a rule, and note apart what comes of it."""
        resolver = self._resolver
        before = (resolver.diagnostics, resolver.used, resolver.occurrences)
        known = set(resolver.inline_actions)
        resolver.diagnostics, resolver.used, resolver.occurrences = [], set(), Occurrences()
        result = resolve()
        offered = {key: info for key, info in resolver.inline_actions.items() if key not in known}
        kept = _Kept(
            nodes, result, resolver.diagnostics, resolver.used, resolver.occurrences, offered
        )
        resolver.diagnostics, resolver.used, resolver.occurrences = before
        return kept


def _ground(rules: Examples) -> list[object]:
    """All that the meaning of a rule's body depends on but the body."""
    symbols: Symbols = rules.symbols
    definitions = [
        (info.key, info.params, info.type, info.body is None, bool(info.rows))
        for name in tuple(symbols.defines)
        for info in (rules.define(group.key) for group in rules.define_groups(name))
    ]
    steps = [
        (node.name.text, *((p.name.text, p.name.span, p.type) for p in node.params))
        for nodes in symbols.steps.values()
        for node in nodes
    ]
    actions = [
        (node.name.text, *((d.name.text, d.name.span, d.domain) for d in node.picks))
        for node in symbols.actions.values()
    ]
    return [
        list(symbols.kinds.values()),
        list(symbols.ranges.values()),
        list(symbols.options.values()),
        list(symbols.states.values()),
        list(symbols.histories.values()),
        definitions,
        sorted(rules.giving),
        [of for _, of in sorted(rules.giving.items())],
        steps,
        actions,
        list(symbols.triggers),
    ]


def same(one: Any, other: Any) -> bool:
    """Whether two declarations, or lists of them, are the same to the last place in the text."""
    if one is other:
        return True
    if type(one) is not type(other):
        return False
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, ast.Node):
        fields = attrs.fields(type(one))
        return all(same(getattr(one, f.name), getattr(other, f.name)) for f in fields)
    return bool(one == other)
