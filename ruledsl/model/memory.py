"""What is kept from one check of a game to the next, so that little is done twice.

Bodies of rules are resolved against what the game declares: its kinds, histories, states and
options, the types of its definitions, the parameters of its steps and actions. While all of this
that a body names or asks for stays as it was, so does what an unchanged body means.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Generic, TypeAlias, TypeVar

import attrs

from ruledsl.diagnostics.diagnostic import Diagnostic
from ruledsl.diagnostics.source import Source
from ruledsl.model import citations, languages
from ruledsl.model.addressed import addressed
from ruledsl.model.examples import Examples
from ruledsl.model.game import ActionInfo, ExampleInfo, StepInfo, TriggerInfo
from ruledsl.model.heads import ALL_KINDS, states_of
from ruledsl.model.occurrences import Occurrences
from ruledsl.model.symbols import Symbols
from ruledsl.syntax import ast
from ruledsl.syntax.parser import Parsed, parse
from ruledsl.syntax.walk import nodes

Resolved = TypeVar("Resolved", StepInfo, ActionInfo, TriggerInfo, ExampleInfo)
Item = TypeVar("Item")
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
    asked: set[str]
    """the kinds that it asked for, also those it does not name"""

    def stays(self, changed: Collection[str]) -> bool:
        """Whether it means the same where other things go by some names now.

        What is said about a mistake may depend on all names there are.
        """
        return not changed or (not self.diagnostics and self._words.isdisjoint(changed))

    @cached_property
    def _words(self) -> set[str]:
        return self.asked.union(_words(tuple(self.nodes)))


_Told: TypeAlias = tuple[tuple[str, ...], object]
"""Something that is declared, and the names whose meaning it is about."""


@attrs.frozen(slots=False)
class _Ground:
    """What a game declares: all that the meaning of a rule's body depends on but the body."""

    kinds: tuple[str, ...] = ()
    told: tuple[_Told, ...] = ()

    @cached_property
    def by_name(self) -> Mapping[str, list[object]]:
        found: dict[str, list[object]] = defaultdict(list)
        for names, fact in self.told:
            for name in names:
                found[name].append(fact)
        return found

    def changed(self, last: _Ground) -> Collection[str] | None:
        """The names that stand for something else than last time; None if anything may."""
        kept = {*self.kinds}.intersection(last.kinds)
        if [k for k in self.kinds if k in kept] != [k for k in last.kinds if k in kept]:
            return None
        names = {*self.by_name, *last.by_name}
        found = {n for n in names if not same(self.by_name.get(n), last.by_name.get(n))}
        return self._built_on(found) if found else found

    def _built_on(self, changed: set[str]) -> set[str]:
        """Some names, and those whose declarations name them, and so on."""
        told = [(names, {*_words(fact)}) for names, fact in self.told]
        count = 0
        while count < len(changed):
            count = len(changed)
            changed.update(*(names for names, words in told if words & changed))
        return changed


_Rules: TypeAlias = dict[tuple[str, str], _Kept]
"""By their sort and name."""


@attrs.frozen(eq=False)
class _Check:
    """One check of a game: what was declared, and the rules as they were resolved by that."""

    ground: _Ground = attrs.Factory(_Ground)
    rules: _Rules = attrs.Factory(dict)

    def is_clean(self) -> bool:
        return bool(self.rules) and not any(kept.diagnostics for kept in self.rules.values())

    def still_true(self, ground: _Ground) -> _Rules:
        """The rules whose meaning is the same by what is declared now."""
        changed = ground.changed(self.ground)
        if changed is None:
            return {}
        return {key: kept for key, kept in self.rules.items() if kept.stays(changed)}


class _PerItem(Generic[Item, Fact]):
    """What a declaration or a resolved rule holds, looked for once as long as it is there."""

    def __init__(self, find: Callable[[Item], Iterable[Fact]]) -> None:
        self._find = find
        self._last: dict[int, tuple[Item, tuple[Fact, ...]]] = {}
        self._now: dict[int, tuple[Item, tuple[Fact, ...]]] = {}

    def __call__(self, item: Item) -> tuple[Fact, ...]:
        kept = self._now.get(id(item)) or self._last.get(id(item))
        if kept is None or kept[0] is not item:
            kept = (item, tuple(self._find(item)))
        self._now[id(item)] = kept
        return kept[1]

    def begin(self) -> None:
        """What nobody asks for from now on is forgotten the next time."""
        self._last, self._now = self._now, {}

    def copy(self) -> _PerItem[Item, Fact]:
        other = _PerItem(self._find)
        other._last, other._now = self._last, dict(self._now)
        return other


_NOTED = frozenset((*citations.MARKS, *languages.TELLING))


def _noted(declaration: ast.Item) -> Iterator[ast.Node]:
    """The parts of a declaration that are looked at by themselves."""
    return (part for part in nodes(declaration) if type(part) in _NOTED)


class Memory:
    """Of one game, from one check to the next; `read` parses its files."""

    def __init__(self, read: Callable[[Source], Parsed] = parse) -> None:
        self.read = read
        self._last = _Check()
        self._clean = self._last
        """the last in whose rules nothing was wrong: who types breaks things, and mends them"""
        self._noted = _PerItem(_noted)
        self.addressed = _PerItem(addressed)
        """what a rule names by numbers"""

    def copy(self, read: Callable[[Source], Parsed]) -> Memory:
        """The same to begin with, for trying something out."""
        other = Memory(read)
        other._last, other._clean = self._last, self._clean
        other._noted, other.addressed = self._noted.copy(), self.addressed.copy()
        return other

    def marks(self, declaration: ast.Item) -> Iterator[ast.Mark]:
        """The citations and assumptions of a declaration."""
        return (part for part in self._noted(declaration) if isinstance(part, citations.MARKS))

    def further_names(self, declaration: ast.Item) -> Iterator[str]:
        return languages.further_names(self._noted(declaration))

    def recall(self, rules: Examples) -> Recall:
        """What is still true of a game whose declarations are resolved but for its rules."""
        ground = _ground(rules)
        if self._last.is_clean():
            self._clean = self._last
        known = [check.still_true(ground) for check in dict.fromkeys((self._last, self._clean))]
        self._noted.begin()
        self.addressed.begin()
        recall = Recall(rules, known)
        self._last = _Check(ground, recall.rules)
        return recall


class Recall:
    """One check: it takes from earlier ones what it can, and hands on only what it used."""

    def __init__(self, resolver: Examples, known: Sequence[_Rules]) -> None:
        self._resolver = resolver
        self._known = known
        self.rules: _Rules = {}

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
        earlier = (rules.get((sort, name)) for rules in self._known)
        kept = next((kept for kept in earlier if kept and same(kept.nodes, nodes)), None)
        if kept is None:
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
        resolver.heads.asked = set()
        result = resolve()
        offered = {key: info for key, info in resolver.inline_actions.items() if key not in known}
        kept = _Kept(
            nodes,
            result,
            resolver.diagnostics,
            resolver.used,
            resolver.occurrences,
            offered,
            resolver.heads.asked,
        )
        resolver.diagnostics, resolver.used, resolver.occurrences = before
        return kept


def _ground(rules: Examples) -> _Ground:
    symbols = rules.symbols
    told = (*_called(rules), *_kept_in_play(symbols), *_kinds(rules))
    return _Ground(tuple(symbols.kinds), told)


def _called(rules: Examples) -> Iterator[_Told]:
    """What is called by name: what it takes, and of which type it is."""
    symbols = rules.symbols
    for name in tuple(symbols.defines):
        for info in (rules.define(group.key) for group in rules.define_groups(name)):
            heads = (info.key, info.params, info.type, info.body is None, bool(info.rows))
            yield (name,), heads
    for name, steps in symbols.steps.items():
        for step in steps:
            yield (name,), tuple((p.name.text, p.name.span, p.type) for p in step.params)
        yield (name,), ("step", rules.giving.get(name))
    for name, action in symbols.actions.items():
        draws = ((d.name.text, d.name.span, d.domain) for d in action.picks)
        yield (name,), ("action", *draws)
    for name in symbols.triggers:
        yield (name,), "trigger"


def _kept_in_play(symbols: Symbols) -> Iterator[_Told]:
    for key, state in symbols.states.items():
        owner, _, name = key.rpartition(".")
        each = () if state.each is None else (state.each.text,)
        yield (name, states_of(owner), *each), state
    declared: tuple[Mapping[str, object], ...]
    declared = (symbols.options, symbols.ranges, symbols.histories)
    for declarations in declared:
        for name, declaration in declarations.items():
            yield (name,), declaration


def _kinds(rules: Examples) -> Iterator[_Told]:
    for name, kind in rules.symbols.kinds.items():
        yield (ALL_KINDS, *dict.fromkeys(rules.heads[name].names())), kind


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
