"""States, definitions, steps, actions, triggers, ranking and options."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from ruledsl.diagnostics import flow
from ruledsl.diagnostics import names as found
from ruledsl.diagnostics import tables as declared
from ruledsl.diagnostics import typing as mistyped
from ruledsl.diagnostics.source import Span
from ruledsl.diagnostics.syntax import definitions_too_deep
from ruledsl.model import core
from ruledsl.model.base import DefineGroup, Rows
from ruledsl.model.depth import DEEPEST_DEFINITION, DEEPEST_EXPRESSION
from ruledsl.model.game import (
    ActionInfo,
    Bounds,
    DefineInfo,
    DefineRow,
    HistoryInfo,
    OptionInfo,
    ParamInfo,
    PayoffInfo,
    RankingInfo,
    RankKeyInfo,
    Sight,
    StateInfo,
    StepInfo,
    StepRow,
    TriggerInfo,
)
from ruledsl.model.giving import always_gives, given_by, lying
from ruledsl.model.scope import Scope
from ruledsl.model.symbols import PLAYER, Symbols
from ruledsl.model.tables import Tables
from ruledsl.model.types import (
    ANY,
    NUMBER,
    AnyType,
    SetType,
    ThingType,
    Type,
    describe,
    join,
    maybe,
    plain,
    thing,
    widened,
)
from ruledsl.model.walk import expressions, height
from ruledsl.syntax import ast


class Rules(Tables):
    """Resolution of everything that happens."""

    def __init__(self, symbols: Symbols) -> None:
        super().__init__(symbols)
        self._state_types: dict[str, tuple[Type, Bounds | None]] = {}
        self._option_types: dict[str, Type] = {}
        self._groups: dict[str, tuple[DefineGroup, ...]] = {}
        self._defines: dict[str, DefineInfo] = {}
        self._open_defines: list[str] = []
        self._depths: dict[str, tuple[int, int]] = {}
        """definitions below each, and the height of their expressions on top of each other"""
        self._params: dict[str, tuple[ParamInfo, ...]] = {}
        self._picks: dict[str, tuple[core.Draw, ...]] = {}

    # ------------------------------------------------------------ options and states

    def option_type(self, name: str) -> Type:
        if name not in self._option_types:
            self._option_types[name] = ANY
            whole = self.whole(self.symbols.options[name].domain, Scope(), "what an option allows")
            self._option_types[name] = self.element(whole)
        return self._option_types[name]

    def option(self, node: ast.Option) -> OptionInfo:
        scope = Scope()
        domain = self.whole(node.domain, scope, "what an option allows")
        self.must_be_constant(domain, "what an option allows")
        of = self.element(domain)
        default = self.wanted(node.default, scope, of, "the usual value of an option")
        self.must_be_constant(default, "the usual value of an option")
        title = None if node.title is None else node.title.value
        return OptionInfo(node.name.text, of, domain, default, title, node.name.span, node.trail)

    def range_bounds(self, node: ast.TypeRange) -> Bounds:
        what = "the limit of a range"
        low = self.constant(node.domain.low, Scope(), what)
        return Bounds(low, self.constant(node.domain.high, Scope(), what))

    def state_type(self, key: str) -> tuple[Type, Bounds | None]:
        if key not in self._state_types:
            self._state_types[key] = (ANY, None)
            self._state_types[key] = self.resolve_type(self.symbols.states[key].type, Scope())
        return self._state_types[key]

    def given_states(self, sight: Sight) -> Iterator[StateInfo]:
        """Where what steps give lies until it is taken."""
        for name, nodes in self.symbols.steps.items():
            giving = [(node.name.span, node.gives) for node in nodes if node.gives is not None]
            for span, given in giving[:1]:
                of, bounds = self.giving[name] = self.resolve_type(given, Scope())
                key = given_by(name)
                self.use("state", key)
                yield StateInfo(
                    key=key,
                    owner=None,
                    name=key,
                    type=lying(of),
                    bounds=bounds,
                    start=None,
                    own=core.Local("", 0),
                    clamped=False,
                    sight=sight,
                    each=None,
                    span=span,
                    trail=(),
                )

    def state(self, key: str, node: ast.State) -> StateInfo:
        of, bounds = self.state_type(key)
        owner = None if node.owner is None else node.owner.text
        scope, own = Scope(), core.Local("", 0)
        if owner is not None:
            if owner in self.heads:
                self.use("kind", owner)
                assert node.owner is not None
                self.occurrences.meet(node.owner.span, "kind", owner)
                scope, own = self.own_scope(owner)
            elif node.owner is not None:
                known = tuple(self.heads)
                self.report(found.unknown_kind(node.owner.span, owner, "kind of things", known))
        start = None
        if node.start is not None:
            start = self.wanted(node.start, scope, of, "the start of a state")
            self.must_be_constant(start, "the start of a state")
        elif not isinstance(plain(of), SetType) and plain(of) == of:
            if not isinstance(of, AnyType):
                self.report(
                    declared.missing_start(
                        node.name.span, f"`{node.name.text}`", "give it a value: `= …`"
                    )
                )
        if node.clamped and plain(of) != NUMBER:
            self.report(
                declared.bad_trait(node.span, "only a range can be clamped", "leave out `clamped`")
            )
        if node.each is not None:
            self.meet_rule(node.each)
        beginning = (*self.symbols.steps, *self.symbols.actions)
        if node.each is not None and node.each.text not in beginning:
            self.report(found.unknown_step(node.each.span, node.each.text, beginning, False))
        sight_of = owner if owner in self.heads else None
        pieces = () if owner not in self.pieces else (owner,)
        return StateInfo(
            key=key,
            owner=owner,
            name=node.name.text,
            type=of,
            bounds=bounds,
            start=start,
            own=own,
            clamped=node.clamped,
            sight=self.sight(node.sight, sight_of, pieces, node.name.span),
            each=None if node.each is None else node.each.text,
            span=node.name.span,
            trail=node.trail,
        )

    def history(self, node: ast.History) -> HistoryInfo:
        """What is recorded: the contents of places, and states, all by name."""
        parts: list[str] = []
        for part in node.parts:
            keys: list[str] = []
            if isinstance(part, ast.Ref) and part.arguments is None:
                name = part.name.text
                if name in ("active", "playing"):
                    keys = [name]
                elif name in self.heads and self.heads[name].sort == "place":
                    self.use("kind", name)
                    self.occurrences.meet(part.span, "kind", name)
                    keys = [name]
                else:
                    keys = [key for key in self.symbols.states if key.rpartition(".")[2] == name]
                    for key in keys:
                        self.use("state", key)
                        self.occurrences.meet(part.span, "state", key)
            if not keys:
                role = "what a history records"
                self.report(
                    mistyped.wrong_type(part.span, "the name of a place or state", "neither", role)
                )
            parts.extend(keys)
        return HistoryInfo(node.name.text, tuple(parts), node.name.span)

    # ------------------------------------------------------------ definitions

    def define_groups(self, name: str) -> tuple[DefineGroup, ...]:
        if name not in self._groups:
            self._groups[name] = self._grouped(name)
        return self._groups[name]

    def _grouped(self, name: str) -> tuple[DefineGroup, ...]:
        generals: dict[str, tuple[Type | None, ast.Define]] = {}
        rows: dict[str, list[tuple[str, ast.Define]]] = {}
        for node in self.symbols.defines.get(name, ()):
            if not node.params:
                generals[""] = (None, node)
                continue
            row = self.dispatch_row(node.params[0].type)
            if row is not None:
                rows.setdefault(row.kind, []).append((row.row, node))
                continue
            of, _ = self.resolve_type(node.params[0].type, Scope())
            generals[_label(plain(of))] = (of, node)
        groups = []
        for label, (first, node) in generals.items():
            inner = None if first is None else plain(first)
            kinds = inner.kinds if isinstance(inner, ThingType) else frozenset()
            dispatched = [pair for kind in kinds for pair in rows.pop(kind, ())]
            key = name if not label else f"{name} of {label}"
            groups.append(DefineGroup(key, name, first, node, tuple(dispatched)))
        for kind, pairs in rows.items():
            groups.append(DefineGroup(f"{name} of {kind}", name, thing(kind), None, tuple(pairs)))
        return tuple(groups)

    def define(self, key: str) -> DefineInfo:
        if key in self._defines:
            return self._defines[key]
        group = next(
            group
            for name in (key.partition(" of ")[0],)
            for group in self.define_groups(name)
            if group.key == key
        )
        nodes = [node for node in (group.general, *(n for _, n in group.rows)) if node is not None]
        for node in nodes:
            self.occurrences.declare(node.name.span, "define", key)
        span = nodes[0].name.span
        if key in self._open_defines:
            circle = [*self._open_defines[self._open_defines.index(key) :], key]
            self.report(flow.recursion(span, [each.partition(" of ")[0] for each in circle]))
            return DefineInfo(key, group.name, (), ANY, None, (), span, ())
        if len(self._open_defines) == DEEPEST_DEFINITION:
            self.report(definitions_too_deep(span))
            return DefineInfo(key, group.name, (), ANY, None, (), span, ())
        self._open_defines.append(key)
        info = self._define(group, span)
        self._open_defines.pop()
        self._defines[key] = info
        self._check_depth(info)
        return info

    def _check_depth(self, info: DefineInfo) -> None:
        """How deep definitions go counts whatever their order in the file."""
        bodies = [body for body in (info.body, *(row.body for row in info.rows)) if body]
        parts = (part for body in bodies for part in expressions(body))
        called = {part.define for part in parts if isinstance(part, core.CallDefine)}
        below = [self._depths[key] for key in called if key in self._depths]
        levels = 1 + max((depth[0] for depth in below), default=0)
        total = max(map(height, bodies), default=0) + max((depth[1] for depth in below), default=0)
        if _is_too_deep(levels, total) and not any(_is_too_deep(*depth) for depth in below):
            self.report(definitions_too_deep(info.span))
        self._depths[info.key] = (levels, total)

    def _define(self, group: DefineGroup, span: Span) -> DefineInfo:
        of: Type | None = None
        body: core.Expr | None = None
        params: tuple[ParamInfo, ...] = ()
        rows: list[DefineRow] = []
        if group.general is not None:
            scope = Scope()
            params = self._bind_params(
                group.general.params, scope, warn=not group.rows, trusted=False
            )
            body = self.expression(group.general.body, scope)
            self.warn_unused(scope, None)
            of = body.type
        for row, node in group.rows:
            scope = Scope()
            bound = self._bind_params(node.params, scope, warn=False, trusted=False)
            value = self.expression(node.body, scope, of)
            joined = value.type if of is None else join(of, value.type)
            if joined is None:
                self.report(
                    mistyped.not_one_type(
                        value.span,
                        describe(of or ANY),
                        describe(value.type),
                        f"the bodies of `{group.name}`",
                    )
                )
            of = joined
            rows.append(DefineRow(row, bound, node.name.span, node.trail, value))
            params = params or bound
        if group.general is None:
            self._check_rows(span, group.name, [row.row for row in rows], group.first)
        trail = () if group.general is None else group.general.trail
        return DefineInfo(group.key, group.name, params, of or ANY, body, tuple(rows), span, trail)

    def _check_rows(self, span: Span, name: str, rows: list[str], first: Type | None) -> None:
        """Every row needs a body where there is no general one."""
        inner = None if first is None else plain(first)
        if isinstance(inner, ThingType):
            known = [row for kind in inner.kinds for row in self.heads[kind].rows]
            missing = [row for row in known if row not in rows]
            # A row that doesn't exist was reported: it is one of the missing ones, misspelt.
            if missing and set(rows) <= set(known):
                self.report(declared.missing_body(span, f"`{name}`", missing))

    def _bind_params(
        self, nodes: tuple[ast.Param, ...], scope: Scope, *, warn: bool, trusted: bool = True
    ) -> tuple[ParamInfo, ...]:
        """Parameters; only of a step is it looked after that numbers lie in their ranges."""
        params = []
        for number, node in enumerate(nodes):
            row = self.dispatch_row(node.type) if number == 0 else None
            if row is not None:
                self._check_row(row, node)
                of: Type = thing(row.kind)
                bounds = None
            else:
                of, bounds = self.resolve_type(node.type, Scope())
                of = of if trusted else widened(of)
            local = self.bind(node.name, of, scope, warn_unused=warn)
            params.append(ParamInfo(local, of, bounds))
        return tuple(params)

    def _check_row(self, row: Rows, node: ast.Param) -> None:
        self.use("kind", row.kind)
        self._meet_row(row, node.type)
        if row.row not in self.heads[row.kind].rows:
            self.report(
                found.unknown_kind(node.type.span, row.row, "row", self.heads[row.kind].rows)
            )

    def _meet_row(self, row: Rows, of: ast.TypeExpr) -> None:
        """Note the row, and the kind before its dot, that a first parameter is for."""
        value = f"{row.kind}.{row.row}"
        match of:
            case ast.PlainType(domain=ast.Attribute(subject=ast.Ref(name=kind), name=name)):
                self.occurrences.meet(kind.span, "kind", row.kind)
                self.occurrences.meet(name.span, "value", value)
            case _:
                self.occurrences.meet(of.span, "value", value)

    # ------------------------------------------------------------ steps

    def step_params(self, name: str) -> tuple[ParamInfo, ...]:
        """The parameters of a step, from its general body or the first for a row."""
        if name not in self._params:
            nodes = self.symbols.steps[name]
            general = [n for n in nodes if not n.params or not self.dispatch_row(n.params[0].type)]
            before = len(self.diagnostics)
            self._params[name] = self._bind_params(
                (general or nodes)[0].params, Scope(), warn=False
            )
            del self.diagnostics[before:]  # reported once, with the step itself
        return self._params[name]

    def step(self, name: str) -> StepInfo:
        nodes = self.symbols.steps[name]
        general: ast.Step | None = None
        body: core.Block | None = None
        params: tuple[ParamInfo, ...] = ()
        rows: list[StepRow] = []
        dispatched: Rows | None = None
        title: str | None = None
        for node in nodes:
            row = self.dispatch_row(node.params[0].type) if node.params else None
            scope = Scope(giving=name if name in self.giving else None)
            warn = row is None and len(nodes) == 1
            bound = self._bind_params(node.params, scope, warn=warn)
            label = self.label(node.title, scope, bound, f"the step `{name}`")
            title = label if row is None else title or label
            statements = self.sequence(node.body, scope)
            self.warn_unused(scope, None)
            if name in self.giving and not always_gives(statements, name, self.inline_actions):
                self.report(flow.gives_nothing(node.name.span, name))
            if row is None:
                general, body, params = node, statements, bound
            else:
                dispatched = row
                rows.append(StepRow(row.row, bound, node.name.span, node.trail, statements))
        shown = general or nodes[0]
        if general is None and dispatched is not None:
            params = rows[0].params
            named = [row.row for row in rows]
            self._check_rows(shown.name.span, name, named, thing(dispatched.kind))
        return StepInfo(
            name=name,
            params=params,
            title=title,
            body=body,
            rows=tuple(rows),
            span=shown.name.span,
            trail=shown.trail,
            gives=self.giving[name][0] if name in self.giving else None,
        )

    def step_arguments(
        self, name: ast.Name, arguments: tuple[ast.Argument, ...], scope: Scope, span: Span
    ) -> tuple[core.Expr, ...] | None:
        if name.text not in self.symbols.steps:
            is_action = name.text in self.symbols.actions
            known = tuple(self.symbols.steps)
            self.report(found.unknown_step(name.span, name.text, known, is_action))
            return None
        self.use("step", name.text)
        self.meet_rule(name)
        params = self.step_params(name.text)
        locals_ = [param.local for param in params]
        placed = self._placed(f"`{name.text}`", locals_, arguments, span)
        if placed is None:
            return None
        values: list[core.Expr] = []
        for param, node in zip(params, placed, strict=True):
            if node is None:
                self.report(mistyped.missing_argument(span, f"`{name.text}`", param.local.name))
                return None
            role = f"`{param.local.name}` of `{name.text}`"
            values.append(self.wanted(node, scope, param.type, role))
        return tuple(values)

    def _placed(
        self, what: str, locals_: list[core.Local], arguments: tuple[ast.Argument, ...], span: Span
    ) -> list[ast.Expr | None] | None:
        """Arguments by position or name, in the order of the parameters."""
        names = [local.name for local in locals_]
        placed: list[ast.Expr | None] = [None] * len(names)
        position = 0
        for argument in arguments:
            if argument.name is None:
                if position >= len(names):
                    takes = f"{len(names)} argument" + "s" * (len(names) != 1)
                    self.report(mistyped.argument_count(span, what, takes, len(arguments)))
                    return None
                at = position
                position += 1
            elif argument.name.text not in names:
                label = argument.name
                self.report(found.unknown_parameter(label.span, label.text, what, names))
                return None
            else:
                at = names.index(argument.name.text)
                label, local = argument.name, locals_[at]
                self.occurrences.meet_local(label.span, label.text, local.span, local.type)
            if placed[at] is not None:
                self.report(found.duplicate_parameter(argument.span, names[at]))
                return None
            placed[at] = argument.value
        return placed

    # ------------------------------------------------------------ actions

    def action_picks(self, name: str) -> tuple[core.Draw, ...]:
        if name not in self._picks:
            self._picks[name] = ()
            before = len(self.diagnostics)
            node = self.symbols.actions[name]
            self._picks[name] = self.picks(node.picks, Scope(), f"the action `{name}`")
            del self.diagnostics[before:]  # reported once, with the action itself
        return self._picks[name]

    def action(self, name: str) -> ActionInfo:
        return self.action_body(self.symbols.actions[name], Scope(), name, inline=False)

    def action_arguments(
        self, name: ast.Name, arguments: tuple[ast.Argument, ...], scope: Scope, span: Span
    ) -> tuple[core.Expr | None, ...] | None:
        if name.text not in self.symbols.actions:
            is_step = name.text in self.symbols.steps
            known = tuple(self.symbols.actions)
            self.report(found.unknown_action(name.span, name.text, known, is_step))
            return None
        self.use("action", name.text)
        self.meet_rule(name)
        picks = self.action_picks(name.text)
        locals_ = [draw.local for draw in picks]
        placed = self._placed(f"`{name.text}`", locals_, arguments, span)
        if placed is None:
            return None
        values: list[core.Expr | None] = []
        for draw, node in zip(picks, placed, strict=True):
            role = f"`{draw.local.name}` of `{name.text}`"
            # A fixed parameter outside its domain, or none, leaves nothing to choose.
            wanted = maybe(draw.local.type)
            values.append(None if node is None else self.wanted(node, scope, wanted, role))
        return tuple(values)

    # ------------------------------------------------------------ triggers and ranking

    def trigger(self, node: ast.Trigger) -> TriggerInfo:
        scope = Scope()
        picks = self.draws(node.picks, scope, f"the trigger `{node.name.text}`")
        title = self.label(node.title, scope, picks, f"the trigger `{node.name.text}`")
        for name in node.after:
            known = (*self.symbols.steps, *self.symbols.actions)
            self.meet_rule(name)
            if name.text not in known:
                self.report(found.unknown_step(name.span, name.text, known, False))
        when = None
        if node.when is not None:
            when = self.flag(node.when.condition, scope, "`when`")
            scope.learn(when)
        body = self.sequence(node.body, scope)
        self.warn_unused(scope, None)
        return TriggerInfo(
            name=node.name.text,
            picks=picks,
            after=tuple(name.text for name in node.after),
            title=title,
            when=when,
            body=body,
            span=node.name.span,
            trail=(*node.trail, *(node.when.trail if node.when else ())),
        )

    def ranking(self, node: ast.Ranking | None) -> RankingInfo | None:
        if node is None:
            return None
        scope = Scope()
        domain = self.whole(node.domain, scope, "who is ranked")
        of = self.element(domain)
        if plain(of) != thing(PLAYER) and not isinstance(of, AnyType):
            self.report(
                mistyped.wrong_type(
                    domain.span, "a set of players", describe(domain.type), "who is ranked"
                )
            )
        local = self.bind(node.name, of, scope)
        keys: list[RankKeyInfo] = []
        payoff: PayoffInfo | None = None
        team: core.Expr | None = None
        no_tie = False
        for key in node.keys:
            match key:
                case ast.Payoff():
                    value = self.wanted(key.value, scope, NUMBER, "the payoff")
                    payoff = PayoffInfo(value, self._payoff_bounds(key, scope))
                case ast.RankKey():
                    value = self.wanted(key.value, scope, NUMBER, f"`{key.way}`")
                    keys.append(RankKeyInfo(key.way, value, key.span, key.trail))
                case ast.Team():
                    team = self._team(key, scope)
                case ast.NoTie():
                    no_tie = True
                case _:
                    assert_never(key)
        return RankingInfo(local, domain, tuple(keys), payoff, team, no_tie, node.span, node.trail)

    def _team(self, node: ast.Team, scope: Scope) -> core.Expr:
        """What those who share their result have in common: a single value."""
        team = self.expression(node.value, scope)
        if isinstance(plain(team.type), SetType):
            self.report(
                mistyped.wrong_type(
                    team.span, "a single value", describe(team.type), "what a team has in common"
                )
            )
        return team

    def _payoff_bounds(self, node: ast.Payoff, scope: Scope) -> Bounds:
        if isinstance(node.domain, ast.Interval):
            what = "the limit of a payoff"
            return Bounds(
                self.constant(node.domain.low, scope, what),
                self.constant(node.domain.high, scope, what),
            )
        self.report(
            mistyped.wrong_type(
                node.domain.span, "a range", "something else", "the limits of a payoff"
            )
        )
        zero = core.Constant(0, type=NUMBER)
        return Bounds(zero, zero)


def _is_too_deep(levels: int, total: int) -> bool:
    return levels > DEEPEST_DEFINITION or total > DEEPEST_EXPRESSION


def _label(of: Type) -> str:
    """A type as part of the key of a definition."""
    return " or ".join(sorted(of.kinds)) if isinstance(of, ThingType) else describe(of)
