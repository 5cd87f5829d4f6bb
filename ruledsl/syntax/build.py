"""From parser reductions to the syntax tree: one method per rule of the grammar, each constructs.

Everything on the parser's stack has a span. A statement's span ends before its citations.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count
from typing import Any

import attrs

from ruledsl.diagnostics.source import Span
from ruledsl.syntax import ast
from ruledsl.syntax.automaton import Parts
from ruledsl.syntax.expressions import written
from ruledsl.syntax.tokens import Token


@attrs.frozen
class Several:
    """Parts of a node that stand together: arguments, a block, columns; or none of them."""

    items: tuple[Any, ...]
    span: Span | None


@attrs.frozen
class Table:
    """`| count | houses` and the rows below"""

    columns: tuple[ast.Name, ...]
    trail: ast.Trail
    rows: tuple[Any, ...]
    span: Span | None


@attrs.frozen
class Ranges:
    """`x in S, y in T where c while w highest e`"""

    draws: tuple[ast.Draw, ...]
    where: ast.Expr | None
    running: ast.Expr | None
    order: tuple[ast.Order, ...]


def extent(first: Any, *others: Any) -> Span:
    """From the first part to the last one that is there."""
    start: Span = first.span
    for part in reversed(others):
        if part is not None and part.span is not None:
            return start.to(part.span)
    return start


def text_of(token: Token) -> Any:
    """The plain text; that it is one of a few words the grammar has seen to."""
    return str(token)


def several(parts: Parts) -> Several:
    """`( a , b )`: every other part, between the brackets."""
    return Several(tuple(parts[1:-1:2]), extent(parts[0], parts[-1]))


def items_of(part: Several | None) -> tuple[Any, ...]:
    return () if part is None else part.items


def arguments_of(part: Several | None) -> tuple[ast.Argument, ...] | None:
    return None if part is None else part.items


def called(kind: ast.Name, rows: Iterable[Any]) -> tuple[Any, ...]:
    """The lines of a table; those of its rows without a name are called after their kind."""
    numbers = count(1)
    lines = ((row, next(numbers) if isinstance(row, ast.Row) else 0) for row in rows)
    return tuple(
        ast.called(row, kind.text, number) if number and row.nameless else row
        for row, number in lines
    )


class Builder:
    """Builds the tree while the parser reduces; passed to it, so depth costs no recursion."""

    # ------------------------------------------------------------ tokens

    def NAME(self, token: Token) -> ast.Name:  # noqa: N802  the terminal's name
        return ast.Name(str(token), span=token.span)

    def INT(self, token: Token) -> ast.Number:  # noqa: N802
        return ast.Number(int(token), span=token.span)

    def STRING(self, token: Token) -> ast.Text:  # noqa: N802
        return ast.Text(str(token[1:-1]), span=token.span)

    def CITE(self, token: Token) -> ast.Cite:  # noqa: N802
        return ast.Cite(str(token[1:]), span=token.span)

    # ------------------------------------------------------------ small parts

    def text(self, parts: Parts) -> ast.Text:
        values = tuple(parts[1::2])
        first, *others = (str(piece)[1:-1] for piece in parts[::2])
        shown = (
            f"{{{written(value)}}}{piece}" for value, piece in zip(values, others, strict=True)
        )
        return ast.Text("".join((first, *shown)), values, span=extent(*parts))

    def trail(self, parts: Parts) -> ast.Trail:
        return tuple(parts)

    def assumed(self, parts: Parts) -> ast.Assumed:
        word, reason = parts
        return ast.Assumed(reason, span=extent(word, reason))

    def reveals(self, parts: Parts) -> ast.Reveals:
        word, reason = parts
        return ast.Reveals(reason, span=extent(word, reason))

    def names(self, parts: Parts) -> Several:
        return Several(tuple(parts[::2]), extent(*parts))

    def dotted(self, parts: Parts) -> ast.Dotted:
        return ast.Dotted(tuple(parts[::2]), span=extent(*parts))

    def block(self, parts: Parts) -> Several:
        _, *lines, _ = parts
        return Several(tuple(lines), extent(*(line for line in lines if line is not None)))

    rows = block
    requirements = block
    answers = block
    offers = block

    def columns(self, parts: Parts) -> Several:
        return Several(tuple(parts[1::2]), extent(*parts))

    def per(self, parts: Parts) -> Several:
        return Several(tuple(parts[1::2]), extent(*parts))

    # ------------------------------------------------------------ files and variants

    def game(self, parts: Parts) -> ast.Game:
        word, name, title, trail, _, _, *lines, _ = parts
        return ast.Game(name, title, trail, tuple(lines), span=extent(word, *lines))

    def players(self, parts: Parts) -> ast.Players:
        word, domain, trail, _ = parts
        return ast.Players(domain, trail, span=extent(word, domain))

    def rulebook(self, parts: Parts) -> ast.Rulebook:
        word, prefix, domain, title, trail, _ = parts
        return ast.Rulebook(prefix, domain, title, trail, span=extent(word, domain, title))

    def limit(self, parts: Parts) -> ast.Limit:
        word, amount, decisions, trail, _ = parts
        return ast.Limit(amount, trail, span=extent(word, decisions))

    def aim(self, parts: Parts) -> ast.Aim:
        word, said, trail, _ = parts
        return ast.Aim(said, trail, span=extent(word, said))

    def progress(self, parts: Parts) -> ast.Progress:
        word, name, _, value, _, goal, unit, trail, _ = parts
        return ast.Progress(name, value, goal, unit, trail, span=extent(word, value, goal, unit))

    def library(self, parts: Parts) -> ast.Library:
        word, name, title, trail, _ = parts
        return ast.Library(name, title, trail, span=extent(word, name, title))

    def use(self, parts: Parts) -> ast.Use:
        word, names, trail, _ = parts
        return ast.Use(names.items, trail, span=extent(word, names))

    def variant(self, parts: Parts) -> ast.Variant:
        word, name, _, bases, title, trail, _ = parts
        return ast.Variant(name, bases.items, title, trail, span=extent(word, bases, title))

    def replace(self, parts: Parts) -> ast.Replace:
        return ast.Replace(parts[1], span=extent(*parts))

    def extend(self, parts: Parts) -> ast.Extend:
        return ast.Extend(parts[1], span=extent(*parts))

    def hook(self, parts: Parts) -> ast.Hook:
        when, sort, target, trail, _, body = parts
        span = extent(when, body)
        return ast.Hook(text_of(when), text_of(sort), target, trail, body.items, span=span)

    def remove(self, parts: Parts) -> ast.Remove:
        word, *targets, trail, _ = parts
        return ast.Remove(tuple(targets[::2]), trail, span=extent(word, *targets))

    def option(self, parts: Parts) -> ast.Option:
        word, name, _, domain, _, default, title, trail, _ = parts
        span = extent(word, default, title)
        return ast.Option(name, domain, default, title, trail, span=span)

    # ------------------------------------------------------------ things

    def type_product(self, parts: Parts) -> ast.TypeProduct:
        word, name, per, trail, _ = parts
        return ast.TypeProduct(name, per.items, trail, span=extent(word, per))

    def type_range(self, parts: Parts) -> ast.TypeRange:
        word, name, _, low, _, high, trail, _ = parts
        domain = ast.Interval(low, high, span=extent(low, high))
        return ast.TypeRange(name, domain, trail, span=extent(word, high))

    def type_list(self, parts: Parts) -> ast.TypeList:
        word, name, _, values, trail, _ = parts
        return ast.TypeList(name, values.items, trail, span=extent(word, values))

    def type_table(self, parts: Parts) -> ast.TypeTable:
        word, name, columns, trail, _, _, *rows, _ = parts
        span = extent(word, *rows)
        return ast.TypeTable(name, items_of(columns), trail, called(name, rows), span=span)

    def type_forms(self, parts: Parts) -> ast.TypeForms:
        word, name, turned, _, of, mirrored, trail, _ = parts
        span = extent(word, of, mirrored)
        sixths = text_of(turned) == "sixths"
        return ast.TypeForms(name, of, sixths, mirrored is not None, trail, span=span)

    def piece(self, parts: Parts) -> ast.Piece:
        word, name, count, per, start, table = parts
        return ast.Piece(
            name,
            count,
            items_of(per),
            None if start is None else start.items[0],
            table.columns,
            table.trail,
            called(name, table.rows),
            span=extent(word, name, count, per, start, table),
        )

    def table(self, parts: Parts) -> Table:
        columns, trail, _, rows = parts
        span = self.ending([columns, rows]).span
        return Table(items_of(columns), trail, items_of(rows), span)

    def start_in(self, parts: Parts) -> Several:
        word, place = parts
        return Several((place,), extent(word, place))

    def index(self, parts: Parts) -> ast.Index:
        return ast.Index(None, parts[0], span=extent(*parts))

    def named_index(self, parts: Parts) -> ast.Index:
        name, _, kind = parts
        return ast.Index(name, kind, span=extent(name, kind))

    def face_index(self, parts: Parts) -> ast.Index:
        return ast.Index(None, self.face_of(parts), span=extent(*parts))

    def place(self, parts: Parts) -> ast.Place:
        word, name, per, shape, holds, traits, table = parts
        return ast.Place(
            name,
            items_of(per),
            shape,
            items_of(holds),
            traits.items,
            table.columns,
            table.trail,
            called(name, table.rows),
            span=extent(word, name, per, shape, holds, traits, table),
        )

    def grid(self, parts: Parts) -> ast.Grid:
        _, width, _, height, wrapped = parts
        return ast.Grid(width, height, False, wrapped is not None, span=extent(*parts))

    def hexgrid(self, parts: Parts) -> ast.Grid:
        return attrs.evolve(self.grid(parts), hexagonal=True)

    def hexagon(self, parts: Parts) -> ast.Hexagon:
        return ast.Hexagon(parts[1], span=extent(*parts))

    def edges(self, parts: Parts) -> ast.Edges:
        return ast.Edges(parts[2], span=extent(*parts))

    def ring(self, parts: Parts) -> ast.Ring:
        return ast.Ring(parts[1], span=extent(*parts))

    def line(self, parts: Parts) -> ast.Line:
        return ast.Line(parts[1], span=extent(*parts))

    def network(self, parts: Parts) -> ast.Network:
        return ast.Network(span=extent(*parts))

    def holds(self, parts: Parts) -> Several:
        word, names = parts
        return Several(names.items, extent(word, names))

    def stack(self, parts: Parts) -> ast.Stack:
        return ast.Stack(span=extent(*parts))

    def room(self, parts: Parts) -> ast.Room:
        return ast.Room(parts[1], span=extent(*parts))

    def uncounted(self, parts: Parts) -> ast.Uncounted:
        return ast.Uncounted(span=extent(*parts))

    def refilled(self, parts: Parts) -> ast.Refilled:
        return ast.Refilled(parts[2], span=extent(*parts))

    def hidden(self, parts: Parts) -> ast.Hidden:
        return ast.Hidden(span=extent(*parts))

    def private(self, parts: Parts) -> ast.Private:
        return ast.Private(span=extent(*parts))

    def seen_when(self, parts: Parts) -> ast.SeenWhen:
        return ast.SeenWhen(parts[2], span=extent(*parts))

    def row(self, parts: Parts) -> ast.Row:
        name, *cells, trail, _ = parts
        return ast.Row(name, tuple(cells[1::2]), trail, span=extent(name, *cells))

    def nameless_row(self, parts: Parts) -> ast.Row:
        hole, *cells, trail, _ = parts
        name = ast.Name("", span=hole.span)
        return ast.Row(name, tuple(cells[1::2]), trail, (), True, span=extent(hole, *cells))

    def drawn_row(self, parts: Parts) -> ast.Row:
        row, _, *lines, _ = parts
        drawn: ast.Row = attrs.evolve(row, picture=tuple(lines), span=extent(row, *lines))
        return drawn

    def path(self, parts: Parts) -> ast.Path:
        *line, trail, _ = parts
        bars = [at for at, part in enumerate(line) if isinstance(part, Token) and part == "|"]
        stops, cells = (line, []) if not bars else (line[: bars[0]], line[bars[0] :])
        return ast.Path(tuple(stops[::2]), tuple(cells[1::2]), trail, span=extent(*line))

    def picture(self, parts: Parts) -> ast.Map:
        word, column, trail, _, _, *rows, _ = parts
        return ast.Map(column, trail, tuple(rows), span=extent(word, *rows))

    def picture_row(self, parts: Parts) -> ast.MapRow:
        *cells, _ = parts
        values = tuple(None if isinstance(cell, Token) else cell for cell in cells)
        return ast.MapRow(values, span=extent(*cells))

    def state(self, parts: Parts) -> ast.State:
        word, owner, name, _, kind, start, end, trail, _ = parts
        clamped, sight, each = end.items
        return ast.State(
            owner,
            name,
            kind,
            start,
            clamped is not None,
            sight,
            each,
            trail,
            span=extent(word, kind, start, end),
        )

    def ending(self, parts: Parts) -> Several:
        """Parts that may all be absent."""
        there = [part for part in parts if part is not None]
        return Several(tuple(parts), extent(*there) if there else None)

    state_end = ending
    choice_end = ending
    traits = ending
    orders = ending

    def owner(self, parts: Parts) -> ast.Name:
        name: ast.Name = parts[0]
        return name

    def second(self, parts: Parts) -> Any:
        """A keyword and what it is for."""
        return parts[1]

    start_value = second
    each = second
    after = second
    where = second
    running = second
    exactly = second
    through = second
    by = second

    def history(self, parts: Parts) -> ast.History:
        word, name, _, *contents, trail, _ = parts
        return ast.History(name, tuple(contents[::2]), trail, span=extent(word, *contents))

    def plain_type(self, parts: Parts) -> ast.PlainType:
        return ast.PlainType(parts[0], span=extent(*parts))

    def set_type(self, parts: Parts) -> ast.SetType:
        return ast.SetType(parts[2], span=extent(*parts))

    def optional_type(self, parts: Parts) -> ast.OptionalType:
        return ast.OptionalType(parts[0], span=extent(*parts))

    # ------------------------------------------------------------ rules

    def define(self, parts: Parts) -> ast.Define:
        word, name, params, _, body, trail, _ = parts
        return ast.Define(name, items_of(params), body, trail, span=extent(word, body))

    def params(self, parts: Parts) -> Several:
        return several(parts)

    picks = params

    def param(self, parts: Parts) -> ast.Param:
        name, _, kind = parts
        return ast.Param(name, kind, span=extent(name, kind))

    def action(self, parts: Parts) -> ast.Action:
        word, name, picks, title, trail, _, body = parts
        span = extent(word, body)
        return ast.Action(name, items_of(picks), title, trail, body.items, span=span)

    def step(self, parts: Parts) -> ast.Step:
        word, name, params, gives, title, trail, _, body = parts
        span = extent(word, body)
        return ast.Step(name, items_of(params), title, trail, body.items, gives, span=span)

    def gives(self, parts: Parts) -> ast.TypeExpr:
        given: ast.TypeExpr = parts[1]
        return given

    def trigger(self, parts: Parts) -> ast.Trigger:
        word, name, picks, after, title, trail, _, body = parts
        when, *statements = body.items
        return ast.Trigger(
            name,
            items_of(picks),
            items_of(after),
            title,
            trail,
            when,
            tuple(statements),
            span=extent(word, body),
        )

    trigger_body = block

    def when(self, parts: Parts) -> ast.When:
        word, condition, trail, _ = parts
        return ast.When(condition, trail, span=extent(word, condition))

    def ranking(self, parts: Parts) -> ast.Ranking:
        word, name, _, domain, trail, _, _, *keys, _ = parts
        return ast.Ranking(name, domain, trail, tuple(keys), span=extent(word, *keys))

    def rank_key(self, parts: Parts) -> ast.RankKey:
        word, value, trail, _ = parts
        return ast.RankKey(text_of(word), value, trail, span=extent(word, value))

    def payoff(self, parts: Parts) -> ast.Payoff:
        word, value, _, domain, trail, _ = parts
        return ast.Payoff(value, domain, trail, span=extent(word, domain))

    def team(self, parts: Parts) -> ast.Team:
        word, value, trail, _ = parts
        return ast.Team(value, trail, span=extent(word, value))

    def no_tie(self, parts: Parts) -> ast.NoTie:
        word, _, last, trail, _ = parts
        return ast.NoTie(trail, span=extent(word, last))

    # ------------------------------------------------------------ statements

    def let(self, parts: Parts) -> ast.Let:
        word, name, _, value, trail, _ = parts
        return ast.Let(name, value, trail, span=extent(word, value))

    def assign(self, parts: Parts) -> ast.Set:
        word, target, _, value, trail, _ = parts
        return ast.Set(target, value, trail, span=extent(word, value))

    def add(self, parts: Parts) -> ast.Add:
        word, amount, _, target, trail, _ = parts
        return ast.Add(amount, target, trail, span=extent(word, target))

    def take(self, parts: Parts) -> ast.Take:
        word, amount, _, target, trail, _ = parts
        return ast.Take(amount, target, trail, span=extent(word, target))

    def move(self, parts: Parts) -> ast.Move:
        word, pieces, _, target, bottom, trail, _ = parts
        span = extent(word, target, bottom)
        return ast.Move(pieces, target, bottom is not None, trail, span=span)

    def move_some(self, parts: Parts) -> ast.MoveSome:
        word, amount, _, source, _, target, bottom, trail, _ = parts
        span = extent(word, target, bottom)
        return ast.MoveSome(amount, source, target, bottom is not None, trail, span=span)

    def move_all(self, parts: Parts) -> ast.MoveAll:
        word, _, _, source, _, target, bottom, trail, _ = parts
        span = extent(word, target, bottom)
        return ast.MoveAll(source, target, bottom is not None, trail, span=span)

    def bottom(self, parts: Parts) -> Several:
        return Several((), extent(*parts))

    def put(self, parts: Parts) -> ast.Put:
        word, *pieces, _, target, trail, _ = parts
        return ast.Put(tuple(pieces[::2]), target, trail, span=extent(word, target))

    def shuffle(self, parts: Parts) -> ast.Shuffle:
        word, place, trail, _ = parts
        return ast.Shuffle(place, trail, span=extent(word, place))

    def roll(self, parts: Parts) -> ast.Roll:
        word, target, _, domain, trail, _ = parts
        return ast.Roll(target, domain, trail, span=extent(word, domain))

    def show(self, parts: Parts) -> ast.Show:
        word, subject, _, viewers, trail, _ = parts
        return ast.Show(subject, viewers, trail, span=extent(word, viewers))

    def tell(self, parts: Parts) -> ast.Tell:
        word, text, trail, _ = parts
        return ast.Tell(text, trail, span=extent(word, text))

    def record(self, parts: Parts) -> ast.Record:
        word, history, trail, _ = parts
        return ast.Record(history, trail, span=extent(word, history))

    def give(self, parts: Parts) -> ast.Give:
        word, value, trail, _ = parts
        return ast.Give(value, trail, span=extent(word, value))

    def eliminate(self, parts: Parts) -> ast.Eliminate:
        word, player, trail, _ = parts
        return ast.Eliminate(player, trail, span=extent(word, player))

    def win(self, parts: Parts) -> ast.Win:
        word, players, trail, _ = parts
        return ast.Win(text_of(word), players, trail, span=extent(word, players))

    def end(self, parts: Parts) -> ast.End:
        word, target, trail, _ = parts
        return ast.End(target, trail, span=extent(word, target))

    def skip(self, parts: Parts) -> ast.Skip:
        word, trail, _ = parts
        return ast.Skip(trail, span=extent(word))

    def call(self, parts: Parts) -> ast.Call:
        step, args, trail, _ = parts
        return ast.Call(step, arguments_of(args), trail, span=extent(step, args))

    def require(self, parts: Parts) -> ast.Require:
        word, condition, message, trail, _ = parts
        return ast.Require(condition, message, trail, span=extent(word, message))

    def branches(self, parts: Parts) -> ast.If:
        branches = tuple(branch for branch in parts if branch is not None)
        return ast.If(branches, span=extent(*branches))

    def if_branch(self, parts: Parts) -> ast.Branch:
        *words, condition, trail, _, body = parts
        return ast.Branch(condition, trail, body.items, span=extent(*words, body))

    else_if_branch = if_branch

    def else_block(self, parts: Parts) -> ast.Branch:
        word, trail, _, body = parts
        return ast.Branch(None, trail, body.items, span=extent(word, body))

    def else_line(self, parts: Parts) -> ast.Branch:
        word, statement = parts
        return ast.Branch(None, (), (statement,), inline=True, span=extent(word, statement))

    def for_each(self, parts: Parts) -> ast.For:
        word, draws, where, order, trail, _, body = parts
        span = extent(word, body)
        return ast.For(draws, where, order.items, trail, body.items, span=span)

    def together(self, parts: Parts) -> ast.Together:
        word, name, _, domain, trail, _, body = parts
        return ast.Together(name, domain, trail, body.items, span=extent(word, body))

    def repeat(self, parts: Parts) -> ast.Repeat:
        word, times, running, trail, _, body = parts
        return ast.Repeat(times, running, trail, body.items, span=extent(word, body))

    def times(self, parts: Parts) -> ast.Expr:
        amount: ast.Expr = parts[0]
        return amount

    def choose_value(self, parts: Parts) -> ast.ChooseValue:
        word, how_many, target, _, domain, end, trail, _, needs, otherwise = parts
        where, by, prompt = end.items
        return ast.ChooseValue(
            how_many,
            target,
            domain,
            where,
            by,
            prompt,
            trail,
            items_of(needs),
            otherwise,
            span=extent(word, domain, end, needs, otherwise),
        )

    def choose_action(self, parts: Parts) -> ast.ChooseAction:
        word, by, prompt, trail, _, offers, otherwise = parts
        span = extent(word, offers, otherwise)
        return ast.ChooseAction(by, prompt, trail, offers.items, otherwise, span=span)

    def how_many(self, parts: Parts) -> ast.HowMany:
        return ast.HowMany(text_of(parts[0]), None, span=extent(*parts))

    def exactly_many(self, parts: Parts) -> ast.HowMany:
        return ast.HowMany("exactly", parts[1], span=extent(*parts))

    def up_to(self, parts: Parts) -> ast.HowMany:
        return ast.HowMany("up to", parts[2], span=extent(*parts))

    def offer(self, parts: Parts) -> ast.Offer:
        action, args, trail, _, needs = parts
        span = extent(action, args, needs)
        return ast.Offer(action, arguments_of(args), trail, items_of(needs), span=span)

    # ------------------------------------------------------------ expressions

    def conditional(self, parts: Parts) -> ast.Conditional:
        return ast.Conditional(parts[1], parts[3], parts[5], span=extent(*parts))

    def either(self, parts: Parts) -> ast.Either:
        return ast.Either(parts[0], parts[2], span=extent(*parts))

    def both(self, parts: Parts) -> ast.Both:
        return ast.Both(parts[0], parts[2], span=extent(*parts))

    def negation(self, parts: Parts) -> ast.Not:
        return ast.Not(parts[1], span=extent(*parts))

    def comparison(self, parts: Parts) -> ast.Comparison:
        left, sign, right = parts
        return ast.Comparison(text_of(sign), left, right, span=extent(left, right))

    def wordy_comparison(self, parts: Parts) -> ast.Comparison:
        left, first, second, right = parts
        sign: Any = f"{first} {second}"
        return ast.Comparison(sign, left, right, span=extent(left, right))

    def interval(self, parts: Parts) -> ast.Interval:
        return ast.Interval(parts[0], parts[2], span=extent(*parts))

    def arithmetic(self, parts: Parts) -> ast.Arithmetic:
        left, sign, right = parts
        return ast.Arithmetic(text_of(sign), left, right, span=extent(left, right))

    def negative(self, parts: Parts) -> ast.Negative:
        return ast.Negative(parts[1], span=extent(*parts))

    def attribute(self, parts: Parts) -> ast.Attribute:
        subject, _, name, args = parts
        return ast.Attribute(subject, name, arguments_of(args), span=extent(subject, name, args))

    def yes(self, parts: Parts) -> ast.Flag:
        return ast.Flag(True, span=extent(*parts))

    def no(self, parts: Parts) -> ast.Flag:
        return ast.Flag(False, span=extent(*parts))

    def none(self, parts: Parts) -> ast.Nothing:
        return ast.Nothing(span=extent(*parts))

    def ref(self, parts: Parts) -> ast.Ref:
        name, args = parts
        return ast.Ref(name, arguments_of(args), span=extent(name, args))

    def face_of(self, parts: Parts) -> ast.FaceOf:
        return ast.FaceOf(parts[2], span=extent(*parts))

    def brackets(self, parts: Parts) -> ast.Expr:
        """The brackets belong to the place of what is in them, but leave no trace in the tree."""
        inner: ast.Expr = parts[1]
        return attrs.evolve(inner, span=extent(*parts))

    def empty_set(self, parts: Parts) -> ast.SetOf:
        return ast.SetOf((), span=extent(*parts))

    def set_of(self, parts: Parts) -> ast.SetOf:
        return ast.SetOf(tuple(parts[1:-1:2]), span=extent(*parts))

    def image(self, parts: Parts) -> ast.Query:
        return self._query("image", parts[3], parts[1], parts)

    def filter(self, parts: Parts) -> ast.Query:
        return self._query("filter", parts[1], None, parts)

    def query(self, parts: Parts) -> ast.Query:
        return self._query(text_of(parts[0]), parts[2], None, parts)

    def every(self, parts: Parts) -> ast.Query:
        return self._query("all", parts[2], parts[4], parts)

    def fold(self, parts: Parts) -> ast.Query:
        return self._query(text_of(parts[0]), parts[4], parts[2], parts)

    def _query(
        self, word: ast.QueryWord, ranges: Ranges, body: ast.Expr | None, parts: Parts
    ) -> ast.Query:
        return ast.Query(
            word,
            ranges.draws,
            ranges.where,
            ranges.running,
            ranges.order,
            body,
            span=extent(*parts),
        )

    def over(self, parts: Parts) -> ast.Over:
        return ast.Over(text_of(parts[0]), parts[2], span=extent(*parts))

    def extreme(self, parts: Parts) -> ast.Extreme:
        word, _, *items, _ = parts
        return ast.Extreme(text_of(word), tuple(items[::2]), span=extent(*parts))

    def case(self, parts: Parts) -> ast.Case:
        _, subject, _, _, *arms, _ = parts
        return ast.Case(subject, tuple(arms[::2]), span=extent(*parts))

    def arm(self, parts: Parts) -> ast.Arm:
        key, _, value = parts
        return ast.Arm(None if isinstance(key, Token) else key, value, span=extent(key, value))

    def reach(self, parts: Parts) -> ast.Reach:
        _, _, name, _, start, _, via, where, exactly, _ = parts
        return ast.Reach(name, start, via, where, exactly, span=extent(*parts))

    def trail_of(self, parts: Parts) -> ast.LongestTrail:
        _, _, edges, through, _ = parts
        return ast.LongestTrail(None, None, edges, None, through, span=extent(*parts))

    def trail_along(self, parts: Parts) -> ast.LongestTrail:
        _, _, length, _, draw, where, through, _ = parts
        return ast.LongestTrail(length, draw.name, draw.domain, where, through, span=extent(*parts))

    def would(self, parts: Parts) -> ast.Would:
        _, _, body, _, step, args, _ = parts
        return ast.Would(body, step, arguments_of(args), span=extent(*parts))

    def can(self, parts: Parts) -> ast.Can:
        _, _, action, args, by, _ = parts
        return ast.Can(action, arguments_of(args), by, span=extent(*parts))

    def one_range(self, parts: Parts) -> Ranges:
        draw, where, running, order = parts
        return Ranges((draw,), where, running, order.items)

    def several_ranges(self, parts: Parts) -> Ranges:
        *draws, where, order = parts
        return Ranges(tuple(draws[::2]), where, None, order.items)

    def draws(self, parts: Parts) -> tuple[ast.Draw, ...]:
        return tuple(parts[::2])

    def draw(self, parts: Parts) -> ast.Draw:
        name, _, domain = parts
        return ast.Draw(name, domain, span=extent(name, domain))

    def order(self, parts: Parts) -> ast.Order:
        word, key = parts
        return ast.Order(text_of(word), key, span=extent(*parts))

    def args(self, parts: Parts) -> Several:
        return several(parts)

    def argument(self, parts: Parts) -> ast.Argument:
        return ast.Argument(None, parts[0], span=extent(*parts))

    def named_argument(self, parts: Parts) -> ast.Argument:
        name, _, value = parts
        return ast.Argument(name, value, span=extent(name, value))

    # ------------------------------------------------------------ translations and tests

    def language(self, parts: Parts) -> ast.Language:
        word, code, trail, _, _, *phrases, _ = parts
        return ast.Language(code, trail, tuple(phrases), span=extent(word, *phrases))

    def phrase(self, parts: Parts) -> ast.Phrase:
        key, text, forms, _ = parts
        return ast.Phrase(key, text, forms, span=extent(key, forms or text))

    def looks(self, parts: Parts) -> ast.Looks:
        word, trail, _, _, *lines, _ = parts
        return ast.Looks(trail, tuple(lines), span=extent(word, *lines))

    def look(self, parts: Parts) -> ast.Look:
        of, *words, _ = parts
        return ast.Look(of, tuple(words), span=extent(of, *words))

    def notation(self, parts: Parts) -> ast.Notation:
        word, trail, _, _, *lines, _ = parts
        return ast.Notation(trail, tuple(lines), span=extent(word, *lines))

    def manner(self, parts: Parts) -> ast.Manner:
        of, *texts, where, trail, _ = parts
        return ast.Manner(of, tuple(texts), where, trail, span=extent(of, *texts, where))

    def seat(self, parts: Parts) -> ast.Seat:
        kind, _, number, bracket = parts
        return ast.Seat(kind, number, span=extent(kind, bracket))

    def rule_texts(self, parts: Parts) -> ast.RuleTexts:
        word, prefix, section, _, language, trail, _, _, *lines, _ = parts
        return ast.RuleTexts(
            prefix, section, language, trail, tuple(lines), span=extent(word, *lines)
        )

    def rule_text(self, parts: Parts) -> ast.RuleText:
        number, text, _ = parts
        return ast.RuleText(number, text, span=extent(number, text))

    def test(self, parts: Parts) -> ast.Test:
        word, title, trail, _, _, *lines, _ = parts
        return ast.Test(title, trail, tuple(lines), span=extent(word, *lines))

    def test_players(self, parts: Parts) -> ast.TestPlayers:
        word, amount, _ = parts
        return ast.TestPlayers(amount, span=extent(word, amount))

    def test_option(self, parts: Parts) -> ast.TestOption:
        word, name, _, value, _ = parts
        return ast.TestOption(name, value, span=extent(word, value))

    def given(self, parts: Parts) -> ast.Given:
        word, _, body = parts
        return ast.Given(body.items, span=extent(word, body))

    def test_when(self, parts: Parts) -> ast.TestWhen:
        word, step, args, _, answers = parts
        span = extent(word, step, args, answers)
        return ast.TestWhen(step, arguments_of(args), items_of(answers), span=span)

    def answer(self, parts: Parts) -> ast.Answer:
        value, trail, _ = parts
        return ast.Answer(value, trail, span=extent(value))

    def fate(self, parts: Parts) -> ast.Fate:
        word, value, trail, _ = parts
        return ast.Fate(value, trail, span=extent(word, value))

    def refuse(self, parts: Parts) -> ast.Refuse:
        word, value, message, trail, _ = parts
        return ast.Refuse(value, message, trail, span=extent(word, value, message))

    def stop_here(self, parts: Parts) -> ast.StopHere:
        word, here, trail, _ = parts
        return ast.StopHere(trail, span=extent(word, here))

    def then(self, parts: Parts) -> ast.Then:
        word, _, _, *facts, _ = parts
        return ast.Then(tuple(facts), span=extent(word, *facts))

    def fact(self, parts: Parts) -> ast.Fact:
        condition, trail, _ = parts
        return ast.Fact(condition, trail, span=extent(condition))
