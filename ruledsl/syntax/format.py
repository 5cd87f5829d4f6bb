"""A syntax tree as text, in the one canonical layout.

`parse` of the result gives the same tree and the same comments, and formatting it again changes
nothing. Blank lines of the source are kept: at most two between declarations, one in blocks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TypeAlias, assert_never

import attrs

from ruledsl.syntax import ast
from ruledsl.syntax.align import LaidOutLine, aligned
from ruledsl.syntax.declarations import (
    Headed,
    dotted,
    first_line,
    game_line,
    has_cells,
    look_lines,
    manner_lines,
    path,
    picture,
    rank_line,
    rule_lines,
    table,
)
from ruledsl.syntax.expressions import SUM, arguments, expression, text
from ruledsl.syntax.layout import INDENT, Doc, cat, flat, render
from ruledsl.syntax.parser import Parsed
from ruledsl.syntax.scan import Comment
from ruledsl.syntax.statements import OneLine, header, one_line

WIDTH = 100
WIDTH_BEFORE_MESSAGE = 80
END = 10**9
"""A source line after the last."""

TestLine: TypeAlias = (
    ast.TestPlayers
    | ast.TestOption
    | ast.Given
    | ast.TestWhen
    | ast.Then
    | ast.Answer
    | ast.Fate
    | ast.Refuse
    | ast.StopHere
    | ast.Fact
)
Inner: TypeAlias = (
    ast.Statement
    | ast.Offer
    | ast.Action
    | ast.When
    | ast.Players
    | ast.Rulebook
    | ast.Limit
    | ast.Aim
    | ast.Progress
    | ast.RankKey
    | ast.Payoff
    | ast.Team
    | ast.NoTie
    | ast.Phrase
    | TestLine
)
"""What may stand on a line inside a declaration, but for the rows of tables."""


def format_file(parsed: Parsed) -> str:
    """The file in canonical layout. It must have been read without mistakes."""
    if not parsed.is_whole:
        raise ValueError("a file with mistakes in its text can't be formatted")
    writer = Writer(list(reversed(parsed.comments)), parsed.wrapped)
    for item, following in pairwise((*parsed.file.items, None)):
        assert item is not None
        writer.item(item, END if following is None else following.span.line)
    writer.remarks(END, 0)
    return "".join(f"{line}\n" for line in aligned(writer.lines))


def marks(trail: ast.Trail) -> str:
    return " ".join(map(mark, trail))


def mark(node: ast.Mark) -> str:
    match node:
        case ast.Cite():
            return f"§{node.rule}"
        case ast.Assumed():
            return "assumed" if node.reason is None else f"assumed {text(node.reason)}"
        case ast.Reveals():
            return "reveals" if node.reason is None else f"reveals {text(node.reason)}"
        case _:
            assert_never(node)


@attrs.define
class Writer:
    """Writes nodes in order, and each comment at the place nearest to where it stood.

    `until` is the source line of what follows after a node.
    """

    comments: list[Comment]
    """those not yet written, the next one last"""
    wrapped: Mapping[int, int]
    lines: list[LaidOutLine | None] = attrs.field(factory=list)
    last: int = 0
    """the source line of what was written last"""
    in_block: bool = False

    # ------------------------------------------------------------ lines and comments

    def line(self, node: ast.Node, doc: Doc, indent: int, trail: ast.Trail = ()) -> None:
        """Write a node on a logical line."""
        self.put(node, render(doc, indent, WIDTH), trail)

    def head(
        self,
        node: ast.Node,
        doc: Doc,
        trail: ast.Trail,
        block: Sequence[Inner],
        indent: int,
        until: int,
    ) -> None:
        """Write a node's first logical line and its block; where the line is broken, it is
        indented further than the block."""
        hang = INDENT if block else 0
        self.put(node, render(doc, indent, WIDTH, hang), trail)
        self.block(block, indent + INDENT, until)

    def put(
        self, node: ast.Node, texts: list[str], trail: ast.Trail = (), message: str = ""
    ) -> None:
        """Write the lines of a node's text, with the comments before and behind them."""
        line = LaidOutLine(texts, message, marks(trail), in_block=self.in_block)
        start = node.span.line
        end = self.wrapped.get(start, start)
        self.remarks(end, line.indent, start)
        self.gap(start, line.indent)
        if self.comments and self.comments[-1].span.line == end and not self.comments[-1].alone:
            line.comment = self.comments.pop().text
        self.lines.append(line)
        self.last = end

    def remarks(self, before: int, indent: int, start: int = END) -> None:
        """Write the comments before a source line; those inside a broken line go above it."""
        while self.comments and self.comments[-1].span.line < before:
            comment = self.comments.pop()
            line = comment.span.line
            self.gap(min(line, start), indent)
            self.lines.append(LaidOutLine([" " * indent + comment.text], in_block=self.in_block))
            self.last = line

    def gap(self, line: int, indent: int) -> None:
        """Keep blank lines before a source line, but none at the beginning of a block."""
        previous = self.lines[-1] if self.lines else None
        if previous is not None and previous.indent >= indent:
            blanks = min(line - self.last - 1, 1 if indent else 2)
            self.lines.extend([None] * blanks)

    def block(self, nodes: Sequence[Inner], indent: int, until: int) -> None:
        """Write the lines of a block, and the comments at its end."""
        for node, following in pairwise((*nodes, None)):
            assert node is not None
            self.inner(node, indent, until if following is None else following.span.line)
        if nodes:
            self.block_end(nodes[0].span.column, indent, until)

    def block_end(self, column: int, indent: int, until: int) -> None:
        """Comments that are indented like the block belong to it."""
        while self.comments:
            place = self.comments[-1].span
            if place.line >= until or place.column < column:
                return
            self.remarks(place.line + 1, indent)

    # ------------------------------------------------------------ declarations

    def item(self, node: ast.Item, until: int) -> None:
        match node:
            case ast.Replace():
                self.declaration(node, node.declaration, "replace ", until)
            case ast.Extend():
                self.declaration(node, node.declaration, "extend ", until)
            case _:
                self.declaration(node, node, "", until)

    def declaration(self, whole: ast.Node, node: Headed, prefix: str, until: int) -> None:
        """Write a declaration; `whole` includes the word before it."""
        self.in_block = isinstance(
            node, ast.Action | ast.Step | ast.Trigger | ast.Hook | ast.Test | ast.Ranking
        )
        head = cat(prefix, first_line(node))
        if isinstance(node, ast.TypeTable | ast.Piece | ast.Place) and (node.columns or node.rows):
            self.table(whole, node, flat(head), until)
        elif isinstance(node, ast.Looks):
            self.columns(node, head, node.lines, look_lines(node.lines), until)
        elif isinstance(node, ast.Notation):
            self.columns(node, head, node.lines, manner_lines(node.lines), until)
        elif isinstance(node, ast.RuleTexts):
            self.columns(node, head, node.lines, rule_lines(node.lines), until)
        else:
            self.head(whole, head, node.trail, body(node), 0, until)

    def table(
        self, whole: ast.Node, node: ast.TypeTable | ast.Piece | ast.Place, head: str, until: int
    ) -> None:
        first, *texts = table(head, node.columns, [row for row in node.rows if has_cells(row)])
        self.put(whole, [first], node.trail)
        row_texts = iter(texts)
        for row in node.rows:
            match row:
                case ast.Path(cells=()):
                    self.put(row, [" " * INDENT + path(row)], row.trail)
                case ast.Path():
                    self.put(row, [next(row_texts)], row.trail)
                case ast.Row():
                    self.put(row, [next(row_texts)], row.trail)
                    self.lines_of(row.picture)
                case ast.Map():
                    self.picture(row)
                case _:
                    assert_never(row)
        if node.rows:
            self.block_end(node.rows[0].span.column, INDENT, until)

    def columns(
        self,
        node: ast.Looks | ast.Notation | ast.RuleTexts,
        head: Doc,
        lines: Sequence[ast.Look | ast.Manner | ast.RuleText],
        laid_out: list[str],
        until: int,
    ) -> None:
        """A block whose lines have two columns and are never wrapped."""
        self.put(node, [flat(head)], node.trail)
        for line, words in zip(lines, laid_out, strict=True):
            trail = line.trail if isinstance(line, ast.Manner) else ()
            self.put(line, [" " * INDENT + words], trail)
        self.block_end(lines[0].span.column, INDENT, until)

    def picture(self, node: ast.Map) -> None:
        column = "" if node.column is None else f" {node.column.text}"
        self.put(node, [" " * INDENT + f"map{column}"], node.trail)
        self.lines_of(node.rows)

    def lines_of(self, rows: tuple[ast.MapRow, ...]) -> None:
        for row, cells in zip(rows, picture(rows), strict=True):
            self.put(row, [" " * 2 * INDENT + cells])

    # ------------------------------------------------------------ lines in blocks

    def inner(self, node: Inner, indent: int, until: int) -> None:
        """Write a line in a block, and the block under it."""
        match node:
            case ast.If():
                self.branches(node, indent, until)
            case ast.For() | ast.Together() | ast.Repeat():
                self.head(node, header(node), node.trail, node.body, indent, until)
            case ast.ChooseValue():
                before = start_of(node.otherwise, until)
                self.head(node, header(node), node.trail, node.requirements, indent, before)
                self.otherwise(node.otherwise, indent, until)
            case ast.ChooseAction():
                before = start_of(node.otherwise, until)
                self.head(node, header(node), node.trail, node.offers, indent, before)
                self.otherwise(node.otherwise, indent, until)
            case ast.Offer():
                self.head(node, header(node), node.trail, node.requirements, indent, until)
            case ast.Action():
                self.head(node, first_line(node), node.trail, node.body, indent, until)
            case ast.Require():
                texts = render(one_line(node), indent, WIDTH_BEFORE_MESSAGE)
                self.put(node, texts, node.trail, text(node.message))
            case ast.When():
                self.line(node, cat("when ", expression(node.condition)), indent, node.trail)
            case ast.Players() | ast.Rulebook() | ast.Limit() | ast.Aim() | ast.Progress():
                self.line(node, game_line(node), indent, node.trail)
            case ast.RankKey() | ast.Payoff() | ast.Team() | ast.NoTie():
                self.line(node, rank_line(node), indent, node.trail)
            case ast.Phrase():
                key = text(node.key) if isinstance(node.key, ast.Text) else dotted(node.key)
                forms = "" if node.forms is None else f" {text(node.forms)}"
                self.line(node, f"{key} {text(node.text)}{forms}", indent)
            case _ if isinstance(node, TestLine):
                self.test_line(node, indent, until)
            case _:
                self.line(node, one_line(node), indent, node.trail)

    def branches(self, node: ast.If, indent: int, until: int) -> None:
        word = "if"
        for branch, following in pairwise((*node.branches, None)):
            assert branch is not None
            self.branch(branch, word, indent, start_of(following, until))
            word = "else if"

    def branch(self, node: ast.Branch, word: str, indent: int, until: int) -> None:
        if node.inline:
            (statement,) = node.body
            assert isinstance(statement, OneLine)
            self.line(node, cat("else ", one_line(statement)), indent, statement.trail)
            return
        head = "else" if node.condition is None else cat(f"{word} ", expression(node.condition))
        self.head(node, head, node.trail, node.body, indent, until)

    def otherwise(self, node: ast.Branch | None, indent: int, until: int) -> None:
        if node is not None:
            self.branch(node, "else if", indent, until)

    def test_line(self, node: TestLine, indent: int, until: int) -> None:
        match node:
            case ast.TestPlayers():
                self.line(node, cat("players ", expression(node.amount, SUM)), indent)
            case ast.TestOption():
                doc = cat(f"with {node.name.text} = ", expression(node.value))
                self.line(node, doc, indent)
            case ast.Given():
                self.head(node, "given", (), node.body, indent, until)
            case ast.TestWhen():
                doc = cat(f"when {node.step.text}", arguments(node.arguments))
                self.head(node, doc, (), node.answers, indent, until)
            case ast.Then():
                self.head(node, "then", (), node.facts, indent, until)
            case ast.Answer():
                self.line(node, expression(node.value), indent, node.trail)
            case ast.Fate():
                self.line(node, cat("roll ", expression(node.value)), indent, node.trail)
            case ast.Refuse():
                message = "" if node.message is None else f" {text(node.message)}"
                doc = cat("refuse ", expression(node.value), message)
                self.line(node, doc, indent, node.trail)
            case ast.StopHere():
                self.line(node, "stop here", indent, node.trail)
            case ast.Fact():
                self.line(node, expression(node.condition), indent, node.trail)
            case _:
                assert_never(node)


def body(node: Headed) -> Sequence[Inner]:
    """The lines below the first line of a declaration without a table."""
    match node:
        case ast.Game():
            return node.lines
        case ast.Action() | ast.Step() | ast.Hook():
            return node.body
        case ast.Trigger():
            return node.body if node.when is None else (node.when, *node.body)
        case ast.Ranking():
            return node.keys
        case ast.Language():
            return node.phrases
        case ast.Test():
            return node.parts
        case _:
            return ()


def start_of(node: ast.Node | None, until: int) -> int:
    return until if node is None else node.span.line
