"""What statements may change, told by their words alone: what is known of the rest stays known."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import assert_never

import attrs

from ruledsl.model import core
from ruledsl.model.builtins import Reads, read_by
from ruledsl.model.walk import expressions
from ruledsl.syntax import ast


@attrs.frozen
class Touched:
    """States by their names, whether pieces move, and whether it may be anything at all."""

    states: frozenset[str] = frozenset()
    pieces: bool = False
    anything: bool = False

    def __or__(self, other: Touched) -> Touched:
        return Touched(
            self.states | other.states,
            self.pieces or other.pieces,
            self.anything or other.anything,
        )

    def concerns(self, expression: core.Expr) -> bool:
        """Whether an expression may have another value afterwards."""
        if self == NOTHING:
            return False
        return any(self._reads(part) for part in expressions(expression))

    def _reads(self, part: core.Expr) -> bool:
        """Whether this part itself, not what it is made of, reads what was touched."""
        match part:
            case core.CallDefine() | core.Would() | core.Can():
                return True
            case core.ReadState(state=name) | core.ReadHistory(history=name):
                return self.anything or name.rpartition(".")[2] in self.states
            case core.Contents():
                return self.anything or self.pieces
            case core.ReadFeature(feature=feature):
                return self._feature(read_by(feature))
            case core.Special(word="active" | "playing" as word):
                return self.anything or word in self.states
            case core.Special(word="finished" | "winners"):
                return True
            case _:
                return False

    def _feature(self, reads: Reads) -> bool:
        match reads:
            case "nothing":
                return False
            case "what lies there" | "where it lies":
                return self.anything or self.pieces
            case "who plays":
                return self.anything or "playing" in self.states


NOTHING = Touched()
PIECES = Touched(pieces=True)
ANYTHING = Touched(anything=True)


def touched(statement: ast.Statement, giving: Collection[str]) -> Touched:
    """What a statement may change, with the blocks in it; `giving` are steps that give."""
    match statement:
        case ast.Let(value=ast.Ref(name=name)) if name.text in giving:
            return ANYTHING
        case ast.Let() | ast.Give() | ast.Require() | ast.Skip() | ast.Show() | ast.Tell():
            return NOTHING
        case ast.Win() | ast.End():
            return NOTHING
        case ast.Set(target=target) | ast.Add(target=target) | ast.Take(target=target):
            return _named(target)
        case ast.Roll(target=target):
            return _named(target)
        case ast.Move() | ast.MoveSome() | ast.MoveAll() | ast.Put() | ast.Shuffle():
            return PIECES
        case ast.Record(history=name):
            return Touched(frozenset({name.text}))
        case ast.Eliminate():
            return Touched(frozenset({"playing"}))
        case ast.Call() | ast.ChooseAction():
            return ANYTHING
        case ast.If(branches=branches):
            return touched_by((part for branch in branches for part in branch.body), giving)
        case ast.For(body=body) | ast.Together(body=body) | ast.Repeat(body=body):
            return touched_by(body, giving)
        case ast.ChooseValue(target=target, otherwise=otherwise):
            return _named(target) | touched_by(() if otherwise is None else otherwise.body, giving)
        case _:
            assert_never(statement)


def touched_by(block: Iterable[ast.Statement], giving: Collection[str]) -> Touched:
    found = NOTHING
    for statement in block:
        found |= touched(statement, giving)
    return found


def _named(target: ast.Expr) -> Touched:
    match target:
        case ast.Ref(name=name) | ast.Attribute(name=name):
            return Touched(frozenset({name.text}))
        case _:
            return ANYTHING
