"""What is kept from one check of a game to the next, so that little is done twice.

Bodies of rules are resolved against what the game declares: its kinds and histories, and by name
its states and options, the types of its definitions, the parameters of its steps and actions. While
all of this that a body can reach stays as it was, so does what an unchanged body means.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Generic, TypeVar

import attrs

from ruledsl.diagnostics.diagnostic import Diagnostic
from ruledsl.diagnostics.source import Source
from ruledsl.model import citations, languages
from ruledsl.model.examples import Examples
from ruledsl.model.game import ActionInfo, ExampleInfo, StepInfo, TriggerInfo
from ruledsl.model.occurrences import Occurrences
from ruledsl.model.symbols import Symbols
from ruledsl.syntax import ast
from ruledsl.syntax.parser import Parsed, parse

Resolved = TypeVar("Resolved", StepInfo, ActionInfo, TriggerInfo, ExampleInfo)
Fact = TypeVar("Fact")


@attrs.frozen(slots=False)
class _Kept:
    """A resolved rule, from what it was made, and everything that came of it."""

    nodes: Sequence[object]
    result: Any
    diagnostics: list[Diagnostic]
    used: set[tuple[str, str]]
    occurrences: Occurrences
    inline_actions: dict[str, ActionInfo]

    def stays(self, changed: Collection[str]) -> bool:
        """Whether it means the same where other things go by some names now.

        What is said about a mistake may depend on all names there are.
        """
        return not changed or (not self.diagnostics and self._words.isdisjoint(changed))

    @cached_property
    def _words(self) -> frozenset[str]:
        return frozenset(_words(tuple(self.nodes)))


@attrs.frozen
class _Ground:
    """What a game declares: all that the meaning of a rule's body depends on but the body."""

    for_all: list[object] = attrs.field(factory=list)
    by_name: Mapping[str, list[object]] = attrs.field(factory=dict)

    def changed(self, last: _Ground) -> Collection[str] | None:
        """The names that stand for something else than last time; None if anything may."""
        if not same(self.for_all, last.for_all):
            return None
        names = {*self.by_name, *last.by_name}
        return {n for n in names if not same(self.by_name.get(n), last.by_name.get(n))}


class _PerItem(Generic[Fact]):
    """What a declaration holds, looked for once as long as it is there."""

    def __init__(self, find: Callable[[ast.Item], Iterable[Fact]]) -> None:
        self._find = find
        self._last: dict[int, tuple[ast.Item, tuple[Fact, ...]]] = {}
        self._now: dict[int, tuple[ast.Item, tuple[Fact, ...]]] = {}

    def __call__(self, item: ast.Item) -> tuple[Fact, ...]:
        kept = self._now.get(id(item)) or self._last.get(id(item))
        if kept is None or kept[0] is not item:
            kept = (item, tuple(self._find(item)))
        self._now[id(item)] = kept
        return kept[1]

    def begin(self) -> None:
        """What nobody asks for from now on is forgotten the next time."""
        self._last, self._now = self._now, {}

    def copy(self) -> _PerItem[Fact]:
        other = _PerItem(self._find)
        other._last, other._now = self._last, dict(self._now)
        return other


class Memory:
    """Of one game, from one check to the next; `read` parses its files."""

    def __init__(self, read: Callable[[Source], Parsed] = parse) -> None:
        self.read = read
        self._ground = _Ground()
        self._rules: dict[tuple[str, str], _Kept] = {}
        self.marks = _PerItem(citations.marks)
        """the citations and assumptions of a declaration"""
        self.further_names = _PerItem(languages.further_names)

    def copy(self, read: Callable[[Source], Parsed]) -> Memory:
        """The same to begin with, for trying something out."""
        other = Memory(read)
        other._ground, other._rules = self._ground, self._rules
        other.marks, other.further_names = self.marks.copy(), self.further_names.copy()
        return other

    def recall(self, rules: Examples) -> Recall:
        """What is still true of a game whose declarations are resolved but for its rules."""
        ground = _ground(rules)
        changed = ground.changed(self._ground)
        if changed is None:
            self._rules = {}
        elif changed:
            self._rules = {key: kept for key, kept in self._rules.items() if kept.stays(changed)}
        self._ground = ground
        self.marks.begin()
        self.further_names.begin()
        recall = Recall(rules, self._rules)
        self._rules = recall.rules
        return recall


class Recall:
    """One check: it takes from the last one what it can, and hands on only what it used."""

    def __init__(self, resolver: Examples, rules: dict[tuple[str, str], _Kept]) -> None:
        self._resolver = resolver
        self._last = rules
        self.rules: dict[tuple[str, str], _Kept] = {}

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


def _ground(rules: Examples) -> _Ground:
    symbols: Symbols = rules.symbols
    named: dict[str, list[object]] = defaultdict(list)
    for name in tuple(symbols.defines):
        for info in (rules.define(group.key) for group in rules.define_groups(name)):
            heads = (info.key, info.params, info.type, info.body is None, bool(info.rows))
            named[name].append(heads)
    for name, steps in symbols.steps.items():
        for step in steps:
            named[name].extend((p.name.text, p.name.span, p.type) for p in step.params)
        named[name].append(("step", rules.giving.get(name)))
    for name, action in symbols.actions.items():
        draws = ((d.name.text, d.name.span, d.domain) for d in action.picks)
        named[name].append(("action", *draws))
    for name in symbols.triggers:
        named[name].append("trigger")
    for key, state in symbols.states.items():
        named[key.rpartition(".")[2]].append(state)
    for name, option in symbols.options.items():
        named[name].append(option)
    for_all: list[object] = [
        list(symbols.kinds.values()),
        list(symbols.ranges.values()),
        list(symbols.histories.values()),
    ]
    return _Ground(for_all, named)


def _words(part: object) -> Iterator[str]:
    """Every word in some declarations that may be a name."""
    if isinstance(part, str):
        yield part
    elif isinstance(part, tuple):
        for each in part:
            yield from _words(each)
    elif isinstance(part, ast.Node):
        for field in attrs.fields(type(part)):
            yield from _words(getattr(part, field.name))
    elif isinstance(part, ActionInfo):
        yield part.name


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
