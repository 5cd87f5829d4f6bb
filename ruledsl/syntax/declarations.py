"""Declarations as text: those on one line, the first lines of the others, and tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias, TypeGuard, assert_never

from ruledsl.syntax import ast
from ruledsl.syntax.expressions import (
    POSTFIX,
    SPAN,
    SUM,
    draw,
    expression,
    text,
    type_expression,
    within,
)
from ruledsl.syntax.layout import BLANK, INDENT, Doc, cat, enclosed, flat, joined
from ruledsl.syntax.statements import prompt

Headed: TypeAlias = (
    ast.Game
    | ast.Library
    | ast.Use
    | ast.Variant
    | ast.Hook
    | ast.Remove
    | ast.Option
    | ast.TypeList
    | ast.TypeRange
    | ast.TypeProduct
    | ast.TypeTable
    | ast.TypeForms
    | ast.Piece
    | ast.Place
    | ast.State
    | ast.History
    | ast.Define
    | ast.Action
    | ast.Step
    | ast.Trigger
    | ast.Ranking
    | ast.Language
    | ast.Looks
    | ast.Notation
    | ast.RuleTexts
    | ast.Test
)

LONGEST_CORNER = 24
WIDEST_TABLE = 88
"""If what stands before the first `|` is longer, a table's rows are aligned without it."""


def first_line(node: Headed) -> Doc:
    """The first line of a declaration, without a table's columns."""
    match node:
        case ast.Game():
            return joined((f"game {node.name.text}", *prompt(node.title)), " ")
        case ast.Library():
            return joined((f"library {node.name.text}", *prompt(node.title)), " ")
        case ast.Use():
            return f"use {names(node.names)}"
        case ast.Variant():
            bases = names(node.bases)
            return joined((f"variant {node.name.text} of {bases}", *prompt(node.title)), " ")
        case ast.Hook():
            return f"{node.when} {node.sort} {node.target.text}"
        case ast.Remove():
            return "remove " + ", ".join(dotted(each) for each in node.targets)
        case ast.Option():
            domain = expression(node.domain, SPAN)
            head = cat(f"option {node.name.text} in ", domain, " = ", expression(node.default))
            return joined((head, *prompt(node.title)), " ")
        case ast.TypeList():
            return f"type {node.name.text} = {names(node.values)}"
        case ast.TypeRange():
            return cat(f"type {node.name.text} = ", expression(node.domain))
        case ast.TypeProduct():
            return f"type {node.name.text} {per(node.per)}"
        case ast.TypeTable():
            return f"type {node.name.text}"
        case ast.TypeForms():
            turned = "sixths" if node.sixths else "turns"
            mirrored = " mirrored" if node.mirrored else ""
            return f"type {node.name.text} {turned} of {node.of.text}{mirrored}"
        case ast.Piece():
            return joined(piece_parts(node), " ")
        case ast.Place():
            return joined(place_parts(node), " ")
        case ast.State():
            return joined(state_parts(node), " ")
        case ast.History():
            parts = joined((expression(part, SPAN) for part in node.parts), ", ")
            return cat(f"history {node.name.text} of ", parts)
        case ast.Define():
            head = cat(f"define {node.name.text}", params(node.params))
            return cat(head, " = ", expression(node.body))
        case ast.Action():
            head = cat(f"action {node.name.text}", picks(node.picks))
            return joined((head, *prompt(node.title)), " ")
        case ast.Step():
            head = cat(f"step {node.name.text}", params(node.params))
            gives = () if node.gives is None else (cat("gives ", type_expression(node.gives)),)
            return joined((head, *gives, *prompt(node.title)), " ")
        case ast.Trigger():
            head = cat(f"trigger {node.name.text}", picks(node.picks))
            after = (f"after {names(node.after)}",) if node.after else ()
            return joined((head, *after, *prompt(node.title)), " ")
        case ast.Ranking():
            return cat(f"ranking {node.name.text} in ", expression(node.domain, SPAN))
        case ast.Language():
            return f"language {node.code.text}"
        case ast.Looks():
            return "looks"
        case ast.Notation():
            return "notation"
        case ast.RuleTexts():
            tongue = "" if node.language is None else f" in {node.language.text}"
            return f"rulebook {node.prefix.text} {text(node.section)}{tongue}"
        case ast.Test():
            return f"test {text(node.title)}"
        case _:
            assert_never(node)


def names(nodes: Iterable[ast.Name]) -> str:
    return ", ".join(node.text for node in nodes)


def dotted(node: ast.Dotted) -> str:
    return ".".join(part.text for part in node.parts)


def per(indexes: Iterable[ast.Index]) -> str:
    return "per " + ", ".join(index(each) for each in indexes)


def index(node: ast.Index) -> str:
    match node.kind:
        case ast.FaceOf():
            return f"face of {node.kind.kind.text}"
        case ast.Name() if node.name is None:
            return node.kind.text
        case ast.Name():
            return f"{node.name.text}: {node.kind.text}"
        case _:
            assert_never(node.kind)


def params(nodes: Sequence[ast.Param]) -> Doc:
    if not nodes:
        return ""
    parts = (cat(f"{node.name.text}: ", type_expression(node.type)) for node in nodes)
    return enclosed("(", joined(parts, ",", BLANK), ")")


def picks(nodes: Sequence[ast.Draw]) -> Doc:
    if not nodes:
        return ""
    return enclosed("(", joined((draw(node, within) for node in nodes), ",", BLANK), ")")


def piece_parts(node: ast.Piece) -> list[Doc]:
    parts: list[Doc] = [f"piece {node.name.text}"]
    if node.count is not None:
        parts.append(expression(node.count, SUM))
    if node.per:
        parts.append(per(node.per))
    if node.start is not None:
        parts.append(cat("in ", expression(node.start, POSTFIX)))
    return parts


def place_parts(node: ast.Place) -> list[Doc]:
    parts: list[Doc] = [f"place {node.name.text}"]
    if node.per:
        parts.append(per(node.per))
    if node.shape is not None:
        parts.append(shape(node.shape))
    if node.holds:
        parts.append(f"of {names(node.holds)}")
    return parts + [trait(each) for each in node.traits]


def shape(node: ast.Shape) -> Doc:
    match node:
        case ast.Grid():
            word = "hexgrid " if node.hexagonal else "grid "
            size = (expression(node.width, SUM), " by ", expression(node.height, SUM))
            return cat(word, *size, " wrapped" if node.wrapped else "")
        case ast.Hexagon():
            return cat("hexagon ", expression(node.side, SUM))
        case ast.Ring():
            return cat("ring ", expression(node.numbers, SPAN))
        case ast.Line():
            return cat("line ", expression(node.numbers, SPAN))
        case ast.Network():
            return "network"
        case ast.Edges():
            return f"edges of {node.of.text}"
        case _:
            assert_never(node)


def trait(node: ast.PlaceTrait) -> Doc:
    match node:
        case ast.Stack():
            return "stack"
        case ast.Room():
            return cat("room ", expression(node.amount, SUM))
        case ast.Uncounted():
            return "uncounted"
        case ast.Refilled():
            return f"refilled from {node.source.text}"
        case ast.Hidden():
            return "hidden"
        case ast.Private():
            return "private"
        case ast.SeenWhen():
            return cat("seen when ", expression(node.condition))
        case _:
            assert_never(node)


def state_parts(node: ast.State) -> list[Doc]:
    owner = "" if node.owner is None else f"{node.owner.text}."
    parts: list[Doc] = [cat(f"state {owner}{node.name.text}: ", type_expression(node.type))]
    if node.start is not None:
        parts.append(cat("= ", expression(node.start)))
    if node.clamped:
        parts.append("clamped")
    if node.sight is not None:
        parts.append(trait(node.sight))
    if node.each is not None:
        parts.append(f"each {node.each.text}")
    return parts


def game_line(node: ast.Players | ast.Rulebook | ast.Limit | ast.Aim | ast.Progress) -> Doc:
    match node:
        case ast.Players():
            return cat("players ", expression(node.domain, SPAN))
        case ast.Rulebook():
            head = cat(f"rulebook {node.prefix.text} ", expression(node.domain, SPAN))
            return joined((head, *prompt(node.title)), " ")
        case ast.Limit():
            return cat("limit ", expression(node.amount, SUM), " decisions")
        case ast.Aim():
            return f"aim {text(node.text)}"
        case ast.Progress():
            head = cat(f"progress {node.name.text}: ", expression(node.value, SUM))
            if node.goal is not None:
                head = cat(head, " of ", expression(node.goal, SUM))
            return joined((head, *prompt(node.unit)), " ")
        case _:
            assert_never(node)


def rank_line(node: ast.RankKey | ast.Payoff | ast.Team | ast.NoTie) -> Doc:
    match node:
        case ast.RankKey():
            return cat(f"{node.way} ", expression(node.value))
        case ast.Payoff():
            domain = expression(node.domain, SPAN)
            return cat("payoff ", expression(node.value, SUM), " in ", domain)
        case ast.Team():
            return cat("team ", expression(node.value))
        case ast.NoTie():
            return "else win none"
        case _:
            assert_never(node)


def look_lines(nodes: Sequence[ast.Look]) -> list[str]:
    """Lines of looks: what they are about, and in a second column what it looks like."""
    return in_columns(
        [[looked_at(node.of), " ".join(map(look_part, node.parts))] for node in nodes], " "
    )


def manner_lines(nodes: Sequence[ast.Manner]) -> list[str]:
    """Lines of notation: what they are about, the ways to write it, and when they hold."""
    return in_columns([[dotted(node.of), manner(node)] for node in nodes], " ")


def manner(node: ast.Manner) -> str:
    texts = " ".join(map(text, node.texts))
    return texts if node.where is None else f"{texts} where {flat(expression(node.where))}"


def rule_lines(nodes: Sequence[ast.RuleText]) -> list[str]:
    """Rules of a book: their numbers, and in a second column what they say."""
    return in_columns([[str(node.number.value), text(node.text)] for node in nodes], " ")


def looked_at(node: ast.Dotted | ast.Seat) -> str:
    match node:
        case ast.Dotted():
            return dotted(node)
        case ast.Seat():
            return f"{node.kind.text}({node.number.value})"
        case _:
            assert_never(node)


def look_part(node: ast.Name | ast.Text) -> str:
    return node.text if isinstance(node, ast.Name) else text(node)


def has_cells(line: ast.Row | ast.Path | ast.Map) -> TypeGuard[ast.Row | ast.Path]:
    """Whether a line under a place or piece is a line of its table."""
    return isinstance(line, ast.Row) or (isinstance(line, ast.Path) and bool(line.cells))


def path(node: ast.Path) -> str:
    return " - ".join(stop.text for stop in node.stops)


def table(
    corner: str, columns: Sequence[ast.Name], rows: Sequence[ast.Row | ast.Path]
) -> list[str]:
    """The first line of a table and its rows, with the cells below each other."""
    head = [corner, *(column.text for column in columns)]
    body = [
        [
            " " * INDENT + row_head(row),
            *map(cell, row.cells),
        ]
        for row in rows
    ]
    together = in_columns([head, *body], " | ")
    if columns and (len(corner) <= LONGEST_CORNER or max(map(len, together)) <= WIDEST_TABLE):
        return together
    return [" | ".join(head), *in_columns(body, " | ")]


def row_head(row: ast.Row | ast.Path) -> str:
    """What stands before the first `|` of a row."""
    match row:
        case ast.Path():
            return path(row)
        case ast.Row(nameless=True):
            return "~"
        case ast.Row():
            return row.name.text


def cell(expr: ast.Expr) -> str:
    return flat(expression(expr))


def in_columns(rows: Sequence[Sequence[str]], between: str) -> list[str]:
    """Rows of cells, each as wide as the widest cell of its column."""
    widths: dict[int, int] = {}
    for row in rows:
        for column, entry in enumerate(row):
            widths[column] = max(widths.get(column, 0), len(entry))
    return [
        between.join(entry.ljust(widths[column]) for column, entry in enumerate(row)).rstrip()
        for row in rows
    ]


def picture(rows: Iterable[ast.MapRow]) -> list[str]:
    return in_columns([[picture_cell(entry) for entry in row.cells] for row in rows], " ")


def picture_cell(entry: ast.Name | ast.Number | None) -> str:
    match entry:
        case None:
            return "~"
        case ast.Name():
            return entry.text
        case ast.Number():
            return str(entry.value)
        case _:
            assert_never(entry)
