"""What players do at the same time must not depend on what the others do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias

import attrs

from ruledsl.diagnostics import flow as found
from ruledsl.diagnostics import typing as mistyped
from ruledsl.diagnostics.diagnostic import Diagnostic
from ruledsl.diagnostics.source import Span
from ruledsl.model import core
from ruledsl.model.additions import added
from ruledsl.model.checks.graph import all_blocks, own_expressions, values
from ruledsl.model.checks.lines import first_line
from ruledsl.model.elaborate import Elaborated
from ruledsl.model.game import CheckedGame
from ruledsl.model.giving import is_given
from ruledsl.model.walk import statements

Part: TypeAlias = tuple[str, str]
"""The places of a kind, or a state."""
Env: TypeAlias = dict[core.Expr, bool]
"""Which names stand for the player himself."""

YOU = core.Special("you")


def check_together(elaborated: Elaborated) -> Iterator[Diagnostic]:
    for _, block in all_blocks(elaborated.game):
        for statement in statements(block):
            if isinstance(statement, core.Together):
                yield from _dependent(elaborated.game, statement)


def _dependent(game: CheckedGame, together: core.Together) -> Iterator[Diagnostic]:
    touched = _Touched(game)
    touched.block(together.body, {together.local: True})
    for span in touched.asks_others:
        yield found.together_chooser(first_line(game, span), together.local.name)
    for span in touched.records:
        yield mistyped.word_out_of_place(span, "record", "outside of `together`")
    for (part, own), span in touched.reads.items():
        for (other, others_own), written in touched.writes.items():
            if part == other and not (own and others_own):
                name = part[1].rpartition(".")[2]
                yield found.together_reads(span, f"`{name}`", together.local.name, written)
                return


@attrs.define
class _Touched:
    """What one player's part of a `together` reads and writes, and whether it is his own.

    Only what is plain from the words: a place or state that is named.
    """

    game: CheckedGame
    reads: dict[tuple[Part, bool], Span] = attrs.Factory(dict)
    writes: dict[tuple[Part, bool], Span] = attrs.Factory(dict)
    records: list[Span] = attrs.Factory(list)
    asks_others: list[Span] = attrs.Factory(list)
    """decisions that somebody else makes"""
    _called: set[tuple[str, tuple[bool, ...]]] = attrs.Factory(set)

    def block(self, block: core.Block, env: Env) -> None:
        lying: dict[core.Local, core.Expr] = {}
        for statement in statements(block):
            match statement:
                case core.Let(local=local, value=value):
                    lying[local] = value
                    self._read((value,), env)
                    env = {**env, local: _is_own(value, env)}
                case core.Together(local=local, domain=core.SetOf(items=(only,))):
                    self._read((only,), env)
                    env = {**env, local: _is_own(only, env)}
                case core.Assign(slot=slot, value=value):
                    self._slot(slot, env)
                    # Adding to a slot is the same in any order.
                    self._read((added(statement) or value,), env)
                case core.Record():
                    self.records.append(statement.span)
                case core.Roll(target=core.Slot() as slot):
                    self._slot(slot, env)
                case core.ChooseValue(target=target, domain=domain, by=by):
                    self._asked(by, statement.span, env)
                    if isinstance(target, core.Slot):
                        self._slot(target, env)
                    else:
                        lying[target] = domain
                    self._read(own_expressions(statement), env)
                case core.Move(pieces=pieces, target=target):
                    self._write(target, env, statement.span)
                    self._read((pieces, target), env)
                    self._write(_origin(pieces, lying), env, statement.span)
                case core.MoveSome(source=source, target=target, amount=amount):
                    self._taken(_origin(source, lying), env)
                    self._read((source,), env)
                    self._write(target, env, statement.span)
                    self._read((amount, target), env)
                case core.MoveAll(source=source, target=target):
                    self._taken(_origin(source, lying), env)
                    self._read((source,), env)
                    self._write(target, env, statement.span)
                    self._read((target,), env)
                case core.Shuffle(place=place):
                    self._taken(place, env)
                case core.Call(step=step, arguments=arguments):
                    self._read(arguments, env)
                    self._call(step, arguments, env)
                case core.ChooseAction(by=by, offers=offers):
                    self._asked(by, statement.span, env)
                    for offer in offers:
                        self._read((each for each in offer.arguments if each is not None), env)
                        self._action(offer.action, env)
                case core.If(branches=branches):
                    conditions = (branch.condition for branch in branches)
                    self._read((each for each in conditions if each is not None), env)
                case _:
                    self._read(own_expressions(statement), env)

    def _asked(self, by: core.Expr | None, span: Span, env: Env) -> None:
        """Without a word about it, `you` are asked: in an action who took it."""
        if not _is_own(YOU if by is None else by, env):
            self.asks_others.append(span)

    def _call(self, step: str, arguments: tuple[core.Expr, ...], env: Env) -> None:
        own = tuple(_is_own(argument, env) for argument in arguments)
        if (step, own) in self._called:
            return
        self._called.add((step, own))
        info = self.game.steps[step]
        for params, body in (
            (info.params, info.body),
            *((row.params, row.body) for row in info.rows),
        ):
            if body is not None:
                locals_ = (param.local for param in params)
                self.block(body, _named(locals_, own, env))

    def _action(self, key: str, env: Env) -> None:
        """Whoever takes an action is `you` in it; one on the spot also sees the locals."""
        if (key, ()) in self._called:
            return
        self._called.add((key, ()))
        action = self.game.actions[key]
        inner = {**(env if action.inline else {}), YOU: True}
        self._read((draw.domain for draw in action.picks), inner)
        self.block((*action.requirements, *action.body), inner)

    def _slot(self, slot: core.Slot, env: Env) -> None:
        if is_given(slot.state):  # each takes what was just given
            return
        own = slot.subject is not None and _is_own(slot.subject, env)
        self.writes.setdefault((("state", slot.state), own), slot.span)

    def _write(self, place: core.Expr, env: Env, span: Span) -> None:
        if isinstance(place, core.PlaceAt):
            own = any(_is_own(index, env) for index in place.indexes)
            self.writes.setdefault((("place", place.place), own), span)

    def _taken(self, source: core.Expr, env: Env) -> None:
        """What is taken from a place is what lies there: others must not take it, too."""
        self._write(source, env, source.span)
        if isinstance(source, core.PlaceAt):
            own = any(_is_own(index, env) for index in source.indexes)
            self.reads.setdefault((("place", source.place), own), source.span)

    def _read(self, nodes: Any, env: Env) -> None:
        stack: list[tuple[core.Expr, Env, Span]] = [(node, env, node.span) for node in nodes]
        called: set[tuple[str, tuple[bool, ...]]] = set()
        while stack:
            node, here, span = stack.pop()
            match node:
                case core.Contents(place=core.PlaceAt() as place):
                    own = any(_is_own(index, here) for index in place.indexes)
                    self.reads.setdefault((("place", place.place), own), span)
                case core.ReadFeature(feature="top" | "lowest", subject=core.PlaceAt() as place):
                    own = any(_is_own(index, here) for index in place.indexes)
                    self.reads.setdefault((("place", place.place), own), span)
                case core.ReadState(state=state, subject=subject) if not is_given(state):
                    own = subject is not None and _is_own(subject, here)
                    self.reads.setdefault((("state", state), own), span)
                case core.CallDefine(define=key, arguments=arguments):
                    given = tuple(_is_own(argument, here) for argument in arguments)
                    if (key, given) not in called:
                        called.add((key, given))
                        info = self.game.defines[key]
                        locals_ = (param.local for param in info.params)
                        inner = _named(locals_, given, here)
                        stack.extend((body, inner, span) for body in values(info))
                case _:
                    pass
            below = own_expressions(node)
            stack.extend((child, here, child.span if here is env else span) for child in below)


def _origin(pieces: core.Expr, lying: dict[core.Local, core.Expr]) -> core.Expr:
    """The place that pieces lie in, if the words tell."""
    match pieces:
        case core.Local() if pieces in lying:
            return _origin(lying[pieces], lying)
        case core.Query(word="filter" | "first" | "the", draws=draws):
            return _origin(draws[-1].domain, lying)
        case core.ReadFeature(feature="top" | "lowest" | "reversed", subject=inner):
            return _origin(inner, lying)
        case core.Contents(place=inner) | core.Sure(value=inner):
            return _origin(inner, lying)
        case _:
            return pieces


def _is_own(node: core.Expr, env: Env) -> bool:
    return isinstance(node, core.Local | core.Special) and env.get(node, False)


def _named(locals_: Iterable[core.Local], own: tuple[bool, ...], env: Env) -> Env:
    """The names inside something called; `you` stays who it is."""
    inner: Env = dict(zip(locals_, own, strict=False))
    return {**inner, YOU: env.get(YOU, False)}
