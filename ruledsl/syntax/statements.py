"""Statements as text: those on one line, and the headers of those with a block."""

from __future__ import annotations

from typing import TypeAlias, assert_never

from ruledsl.syntax import ast
from ruledsl.syntax.expressions import (
    POSTFIX,
    SPAN,
    SUM,
    arguments,
    draws,
    expression,
    narrowed,
    text,
)
from ruledsl.syntax.layout import Doc, cat, joined

Header: TypeAlias = (
    ast.For | ast.Together | ast.Repeat | ast.ChooseValue | ast.ChooseAction | ast.Offer
)
OneLine: TypeAlias = (
    ast.Let
    | ast.Set
    | ast.Add
    | ast.Take
    | ast.Move
    | ast.MoveSome
    | ast.MoveAll
    | ast.Put
    | ast.Shuffle
    | ast.Roll
    | ast.Show
    | ast.Tell
    | ast.Record
    | ast.Eliminate
    | ast.Give
    | ast.Win
    | ast.End
    | ast.Skip
    | ast.Call
    | ast.Require
)


def one_line(node: OneLine) -> Doc:
    """A statement without a block; the message of a requirement is not included."""
    match node:
        case ast.Let():
            return cat(f"let {node.name.text} = ", expression(node.value))
        case ast.Set():
            return cat("set ", target(node.target), " = ", expression(node.value))
        case ast.Add():
            return cat("add ", expression(node.amount), " to ", target(node.target))
        case ast.Take():
            return cat("take ", expression(node.amount), " from ", target(node.target))
        case ast.Move():
            return cat("move ", expression(node.pieces), destination(node))
        case ast.MoveSome():
            source = cat(" from ", expression(node.source, SUM))
            return cat("move ", expression(node.amount), source, destination(node))
        case ast.MoveAll():
            return cat("move all from ", expression(node.source, SUM), destination(node))
        case ast.Put():
            pieces = joined((expression(piece, SUM) for piece in node.pieces), ", ")
            return cat("put ", pieces, " in ", expression(node.target, SUM))
        case ast.Shuffle():
            return cat("shuffle ", expression(node.place, SUM))
        case ast.Roll():
            return cat("roll ", target(node.target), " in ", expression(node.domain, SPAN))
        case ast.Show():
            return cat("show ", expression(node.subject), " to ", expression(node.viewers, SUM))
        case ast.Tell():
            return f"tell {text(node.text)}"
        case ast.Record():
            return f"record {node.history.text}"
        case ast.Give():
            return cat("give ", expression(node.value))
        case ast.Eliminate():
            return cat("eliminate ", expression(node.player, SUM))
        case ast.Win():
            return cat(f"{node.word} ", expression(node.players, SUM))
        case ast.End():
            return f"end {node.target.text}"
        case ast.Skip():
            return "skip"
        case ast.Call():
            return cat(node.step.text, arguments(node.arguments))
        case ast.Require():
            return cat("require ", expression(node.condition))
        case _:
            assert_never(node)


def target(expr: ast.Expr) -> Doc:
    return expression(expr, POSTFIX)


def destination(node: ast.Move | ast.MoveSome | ast.MoveAll) -> Doc:
    return cat(" to ", expression(node.target, SUM), " at bottom" if node.bottom else "")


def header(node: Header) -> Doc:
    """The first line of a statement with a block."""
    match node:
        case ast.For():
            parts = narrowed(node.where, None, node.order, expression)
            return joined((cat("for ", draws(node.draws, expression)), *parts), " ")
        case ast.Together():
            return cat(f"together {node.name.text} in ", expression(node.domain, SPAN))
        case ast.Repeat():
            times: Doc = ""
            if node.times is not None:
                times = cat(" ", expression(node.times, SUM), " times")
            running: Doc = ""
            if node.running is not None:
                running = cat(" while ", expression(node.running))
            return cat("repeat", times, running)
        case ast.ChooseValue():
            wanted = cat(target(node.target), " in ", expression(node.domain, SPAN))
            parts = narrowed(node.where, None, (), expression)
            ending = (*by(node.by), *prompt(node.prompt))
            return joined(("choose", *how_many(node.how_many), wanted, *parts, *ending), " ")
        case ast.ChooseAction():
            return joined(("choose", *by(node.by), *prompt(node.prompt)), " ")
        case ast.Offer():
            return cat(node.action.text, arguments(node.arguments))
        case _:
            assert_never(node)


def how_many(node: ast.HowMany | None) -> tuple[Doc, ...]:
    if node is None:
        return ()
    amount = () if node.amount is None else (expression(node.amount, SUM),)
    return (node.word, *amount)


def by(chooser: ast.Expr | None) -> tuple[Doc, ...]:
    return () if chooser is None else (cat("by ", expression(chooser, SUM)),)


def prompt(node: ast.Text | None) -> tuple[Doc, ...]:
    return () if node is None else (text(node),)
