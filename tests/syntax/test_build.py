"""What is built from each form of the grammar, and that every node knows its exact place."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attrs
import pytest

from ruledsl.diagnostics.source import Source, Span
from ruledsl.syntax import ast
from ruledsl.syntax.ast import Argument, Attribute, Draw, Name, Number, Ref
from ruledsl.syntax.parser import parse

from .samples import EXAMPLES


def n(text: str) -> Name:
    return Name(text)


def r(text: str) -> Ref:
    return Ref(Name(text), None)


def t(text: str) -> ast.Text:
    return ast.Text(text)


def item(text: str) -> Any:
    parsed = parse(Source("test", text))
    assert parsed.diagnostics == ()
    (only,) = parsed.file.items
    return only


def expr(text: str) -> Any:
    return item(f"define a = {text}\n").body


def statement(text: str) -> Any:
    lines = "\n".join(f"    {line}" for line in text.split("\n"))
    (only,) = item(f"step a\n{lines}\n").body
    return only


one, two, three = Number(1), Number(2), Number(3)
x, y, z, S = r("x"), r("y"), r("z"), r("S")
x_in_s = Draw(n("x"), S)


def query(word: Any, **parts: Any) -> ast.Query:
    given: dict[str, Any] = {"draws": (x_in_s,), "where": None, "running": None, "order": ()}
    return ast.Query(word, **{**given, "body": None, **parts})


@pytest.mark.parametrize(
    ("text", "node"),
    [
        ("7", Number(7)),
        ("yes", ast.Flag(True)),
        ("no", ast.Flag(False)),
        ("none", ast.Nothing()),
        ('"Two cards."', t("Two cards.")),
        ("x", x),
        ("f()", Ref(n("f"), ())),
        ("f(x, y: 1)", Ref(n("f"), (Argument(None, x), Argument(n("y"), one)))),
        ("x.under", Attribute(x, n("under"), None)),
        ("x.go(y).top", Attribute(Attribute(x, n("go"), (Argument(None, y),)), n("top"), None)),
        ("x.count", Attribute(x, n("count"), None)),
        ("face of Card", ast.FaceOf(n("Card"))),
        ("face.pile", Attribute(r("face"), n("pile"), None)),
        ("case face of (up: 1)", ast.Case(r("face"), (ast.Arm(r("up"), one),))),
        ("-x", ast.Negative(x)),
        ("1 - 2 - 3", ast.Arithmetic("-", ast.Arithmetic("-", one, two), three)),
        ("1 + 2 * 3", ast.Arithmetic("+", one, ast.Arithmetic("*", two, three))),
        ("(1 + 2) * 3", ast.Arithmetic("*", ast.Arithmetic("+", one, two), three)),
        ("x mod 2 / 3", ast.Arithmetic("/", ast.Arithmetic("mod", x, two), three)),
        ("1..x + 1", ast.Interval(one, ast.Arithmetic("+", x, one))),
        ("x = y", ast.Comparison("=", x, y)),
        ("x != y", ast.Comparison("!=", x, y)),
        ("x <= 1", ast.Comparison("<=", x, one)),
        ("x in 1..2", ast.Comparison("in", x, ast.Interval(one, two))),
        ("x not in S", ast.Comparison("not in", x, S)),
        ("x is y", ast.Comparison("is", x, y)),
        ("x is not y", ast.Comparison("is not", x, y)),
        ("not x = y", ast.Not(ast.Comparison("=", x, y))),
        ("x and not y", ast.Both(x, ast.Not(y))),
        ("x or y and z", ast.Either(x, ast.Both(y, z))),
        ("if x then 1 else 2", ast.Conditional(x, one, two)),
        (
            "if x then 1 else if y then 2 else 3",
            ast.Conditional(x, one, ast.Conditional(y, two, three)),
        ),
        (
            "case x of (y: 1, else: 2)",
            ast.Case(x, (ast.Arm(y, one), ast.Arm(None, two))),
        ),
        ("{}", ast.SetOf(())),
        ("{x, 1}", ast.SetOf((x, one))),
        ("count(S)", ast.Over("count", S)),
        ("the(x.hand)", ast.Over("the", Attribute(x, n("hand"), None))),
        ("any(S)", ast.Over("any", S)),
        ("first(S)", ast.Over("first", S)),
        ("count(x in S)", query("count")),
        ("any(x in S where y)", query("any", where=y)),
        ("first(x in S highest y lowest z)", query(
            "first", order=(ast.Order("highest", y), ast.Order("lowest", z))
        )),
        ("the(x in S where y)", query("the", where=y)),
        ("{x in S while y}", query("filter", running=y)),
        ("{x in S where y while z}", query("filter", where=y, running=z)),
        ("{y for x in S}", query("image", body=y)),
        ("all(x in S have y)", query("all", body=y)),
        ("all(x in S where z have y)", query("all", where=z, body=y)),
        ("sum(1 for x in S)", query("sum", body=one)),
        ("max(1 for x in S, y in z)", query("max", body=one, draws=(x_in_s, Draw(n("y"), z)))),
        ("min(1 for x in S)", query("min", body=one)),
        ("max(1, 2)", ast.Extreme("max", (one, two))),
        ("min(1, 2, 3)", ast.Extreme("min", (one, two, three))),
        ("reach(x from S via y)", ast.Reach(n("x"), S, y, None, None)),
        ("reach(x from S via y where z exactly 2)", ast.Reach(n("x"), S, y, z, two)),
        ("would(x after f)", ast.Would(x, n("f"), None)),
        ("would(x after f(y))", ast.Would(x, n("f"), (Argument(None, y),))),
        ("can(f)", ast.Can(n("f"), None, None)),
        ("can(f(y) by x)", ast.Can(n("f"), (Argument(None, y),), x)),
    ],
)  # fmt: skip
def test_expression(text: str, node: ast.Expr) -> None:
    assert expr(text) == node


skip = ast.Skip(())


@pytest.mark.parametrize(
    ("text", "node"),
    [
        ("let x = 1", ast.Let(n("x"), one, ())),
        ("set x.y = 1", ast.Set(Attribute(x, n("y"), None), one, ())),
        ("add 1 to x", ast.Add(one, x, ())),
        ("take 1 from x", ast.Take(one, x, ())),
        ("move x to y", ast.Move(x, y, False, ())),
        ("move x to y at bottom", ast.Move(x, y, True, ())),
        ("move 2 from x to y", ast.MoveSome(two, x, y, False, ())),
        ("move all from x to y", ast.MoveAll(x, y, False, ())),
        ("put x, y in z", ast.Put((x, y), z, ())),
        ("shuffle x", ast.Shuffle(x, ())),
        ("roll x in S", ast.Roll(x, S, ())),
        ("show x to y", ast.Show(x, y, ())),
        ("record x", ast.Record(n("x"), ())),
        ("eliminate x", ast.Eliminate(x, ())),
        ("win x", ast.Win("win", x, ())),
        ("lose x", ast.Win("lose", x, ())),
        ("end game", ast.End(n("game"), ())),
        ("skip", skip),
        ("f", ast.Call(n("f"), None, ())),
        ("place(x)", ast.Call(n("place"), (Argument(None, x),), ())),
        ('require x "No."', ast.Require(x, t("No."), ())),
        ("for x in S\n    skip", ast.For((x_in_s,), None, (), (), (skip,))),
        ("for x in S where y highest z\n    skip", ast.For(
            (x_in_s,), y, (ast.Order("highest", z),), (), (skip,)
        )),
        ("together x in S\n    skip", ast.Together(n("x"), S, (), (skip,))),
        ("repeat\n    skip", ast.Repeat(None, None, (), (skip,))),
        ("repeat 2 times while x\n    skip", ast.Repeat(two, x, (), (skip,))),
        ("if x\n    skip", ast.If((ast.Branch(x, (), (skip,)),))),
        ("if x\n    skip\nelse if y\n    skip\nelse\n    skip", ast.If((
            ast.Branch(x, (), (skip,)), ast.Branch(y, (), (skip,)), ast.Branch(None, (), (skip,)),
        ))),
        ("if x\n    skip\nelse skip", ast.If((
            ast.Branch(x, (), (skip,)), ast.Branch(None, (), (skip,), inline=True)
        ))),
        ("choose x in S", ast.ChooseValue(None, x, S, None, None, None, (), (), None)),
        ('choose any x in S where y by z "Now"\n    require y "No."\nelse skip', ast.ChooseValue(
            ast.HowMany("any", None), x, S, y, z, t("Now"), (), (ast.Require(y, t("No."), ()),),
            ast.Branch(None, (), (skip,), inline=True),
        )),
        ("choose exactly 2 x in S", ast.ChooseValue(
            ast.HowMany("exactly", two), x, S, None, None, None, (), (), None
        )),
        ("choose up to 2 x in S", ast.ChooseValue(
            ast.HowMany("up to", two), x, S, None, None, None, (), (), None
        )),
        ('choose by x "N"\n    f\n    action g "G"\n        skip\nelse\n    skip', ast.ChooseAction(
            x, t("N"), (),
            (ast.Offer(n("f"), None, (), ()), ast.Action(n("g"), (), t("G"), (), (skip,))),
            ast.Branch(None, (), (skip,)),
        )),
        ('choose\n    f(x: 1)\n        require y "No."', ast.ChooseAction(
            None, None, (),
            (ast.Offer(
                n("f"), (Argument(n("x"), one),), (), (ast.Require(y, t("No."), ()),)
            ),),
            None,
        )),
    ],
)  # fmt: skip
def test_statement(text: str, node: ast.Statement) -> None:
    assert statement(text) == node


RANKING = """\
ranking x in S
    lowest z
    payoff y in 1..2
    team y
    else win none"""

TEST = """\
test "a"
    players 3
    with b = 1
    given
        skip
    when f(x)
        y
        roll 2
        refuse z "No."
    then
        x = 1"""

row = ast.Row(n("a"), (one,), ())
plain = ast.PlainType


@pytest.mark.parametrize(
    ("text", "node"),
    [
        ('game a "A"\n    players 2\n    rulebook PP 1..2 "B"\n    limit 3 decisions', ast.Game(
            n("a"), t("A"), (), (
                ast.Players(two, ()),
                ast.Rulebook(n("PP"), ast.Interval(one, two), t("B"), ()),
                ast.Limit(three, ()),
            ),
        )),
        ('library a "A"', ast.Library(n("a"), t("A"), ())),
        ("use a, b", ast.Use((n("a"), n("b")), ())),
        ('variant a of b, c "A"', ast.Variant(n("a"), (n("b"), n("c")), t("A"), ())),
        ("replace define a = 1", ast.Replace(ast.Define(n("a"), (), one, ()))),
        ("extend type A = b", ast.Extend(ast.TypeList(n("A"), (n("b"),), ()))),
        ("before step a\n    skip", ast.Hook("before", "step", n("a"), (), (skip,))),
        ("after action a\n    skip", ast.Hook("after", "action", n("a"), (), (skip,))),
        ("remove A.b, c", ast.Remove(
            (ast.Dotted((n("A"), n("b"))), ast.Dotted((n("c"),))), ()
        )),
        ('option a in 1..2 = 1 "A"', ast.Option(
            n("a"), ast.Interval(one, two), one, t("A"), ()
        )),
        ("type A = b, c", ast.TypeList(n("A"), (n("b"), n("c")), ())),
        ("type A = 1..x", ast.TypeRange(n("A"), ast.Interval(one, x), ())),
        ("type A per x: B, C, face of D", ast.TypeProduct(n("A"), (
            ast.Index(n("x"), n("B")),
            ast.Index(None, n("C")),
            ast.Index(None, ast.FaceOf(n("D"))),
        ), ())),
        ("type A | b\n    a | 1", ast.TypeTable(n("A"), (n("b"),), (), (row,))),
        ("type A | b\n    a | 1\n    ~ | x", ast.TypeTable(
            n("A"), (n("b"),), (), (row, ast.Row(n("a_2"), (x,), (), (), True)),
        )),
        ("type A\n    a\n        o ~\n        o o\n    b\n        o", ast.TypeTable(
            n("A"), (), (), (
                ast.Row(n("a"), (), (), (
                    ast.MapRow((n("o"), None)), ast.MapRow((n("o"), n("o"))),
                )),
                ast.Row(n("b"), (), (), (ast.MapRow((n("o"),)),)),
            ),
        )),
        ("type A turns of B", ast.TypeForms(n("A"), n("B"), False, False, ())),
        ("type A sixths of B mirrored", ast.TypeForms(n("A"), n("B"), True, True, ())),
        ("piece A x * 2 per B in c.d | e\n    a | 1", ast.Piece(
            n("A"), ast.Arithmetic("*", x, two), (ast.Index(None, n("B")),),
            Attribute(r("c"), n("d"), None), (n("e"),), (), (row,),
        )),
        ("piece A", ast.Piece(n("A"), None, (), None, (), (), ())),
        ("place a per A of B, C stack room 2 hidden", ast.Place(
            n("a"), (ast.Index(None, n("A")),), None, (n("B"), n("C")),
            (ast.Stack(), ast.Room(two), ast.Hidden()), (), (), (),
        )),
        ("place a grid 1 by 2 uncounted refilled from b seen when x", ast.Place(
            n("a"), (), ast.Grid(one, two), (),
            (ast.Uncounted(), ast.Refilled(n("b")), ast.SeenWhen(x)), (), (), (),
        )),
        ("place a ring x private", ast.Place(
            n("a"), (), ast.Ring(x), (), (ast.Private(),), (), (), ()
        )),
        ("place a line 2", ast.Place(n("a"), (), ast.Line(two), (), (), (), (), ())),
        ("place a per A, b: C grid 1 by 2 wrapped of B", ast.Place(
            n("a"), (ast.Index(None, n("A")), ast.Index(n("b"), n("C"))),
            ast.Grid(one, two, False, True), (n("B"),), (), (), (), (),
        )),
        ("place a hexgrid 1 by x", ast.Place(
            n("a"), (), ast.Grid(one, x, True), (), (), (), (), ()
        )),
        ("place a hexagon 2 of B", ast.Place(
            n("a"), (), ast.Hexagon(two), (n("B"),), (), (), (), ()
        )),
        ("place a edges of B of C | d\n    e - f | 1", ast.Place(
            n("a"), (), ast.Edges(n("B")), (n("C"),), (), (n("d"),), (),
            (ast.Path((n("e"), n("f")), (one,), ()),),
        )),
        ("place a network\n    b - c - d\n    map\n        b ~ c\n        ~ d 1", ast.Place(
            n("a"), (), ast.Network(), (), (), (), (), (
                ast.Path((n("b"), n("c"), n("d")), (), ()),
                ast.Map(None, (), (
                    ast.MapRow((n("b"), None, n("c"))), ast.MapRow((None, n("d"), one)),
                )),
            ),
        )),
        ("place a grid 1 by 1\n    map b\n        c", ast.Place(
            n("a"), (), ast.Grid(one, one), (), (), (), (),
            (ast.Map(n("b"), (), (ast.MapRow((n("c"),)),)),),
        )),
        ("state A.b: 0..x = 0 clamped hidden each c", ast.State(
            n("A"), n("b"), plain(ast.Interval(Number(0), x)), Number(0), True,
            ast.Hidden(), n("c"), (),
        )),
        ("state a: set of B", ast.State(
            None, n("a"), ast.SetType(r("B")), None, False, None, None, ()
        )),
        ("state a: B or none = none", ast.State(
            None, n("a"), ast.OptionalType(r("B")), ast.Nothing(), False, None, None, ()
        )),
        ("history a of x, y", ast.History(n("a"), (x, y), ())),
        ("define a(b: C) = x", ast.Define(
            n("a"), (ast.Param(n("b"), plain(r("C"))),), x, ()
        )),
        ('action a(x in S) "A"\n    skip', ast.Action(n("a"), (x_in_s,), t("A"), (), (skip,))),
        ("step a(b: face of C)\n    skip", ast.Step(
            n("a"), (ast.Param(n("b"), plain(ast.FaceOf(n("C")))),), None, (), (skip,)
        )),
        ('trigger a(x in S) after b, c "A"\n    when y\n    skip', ast.Trigger(
            n("a"), (x_in_s,), (n("b"), n("c")), t("A"), (), ast.When(y, ()), (skip,)
        )),
        ("trigger a\n    skip", ast.Trigger(n("a"), (), (), None, (), None, (skip,))),
        (RANKING, ast.Ranking(
            n("x"), S, (), (
                ast.RankKey("lowest", z, ()),
                ast.Payoff(y, ast.Interval(one, two), ()),
                ast.Team(y, ()),
                ast.NoTie(()),
            ),
        )),
        ('looks\n    A.b red "♥"\n    Player(2) blue', ast.Looks((), (
            ast.Look(ast.Dotted((n("A"), n("b"))), (n("red"), t("♥"))),
            ast.Look(ast.Seat(n("Player"), ast.Number(2)), (n("blue"),)),
        ))),
        ('notation\n    a "{x}" "b" where y\n    A.b ""', ast.Notation((), (
            ast.Manner(
                ast.Dotted((n("a"),)), (ast.Text("{x}", (x,)), t("b")), y, ()
            ),
            ast.Manner(ast.Dotted((n("A"), n("b"))), (t(""),), None, ()),
        ))),
        ('rulebook A "c" in de\n    1 "d"', ast.RuleTexts(n("A"), t("c"), n("de"), (), (
            ast.RuleText(one, t("d")),
        ))),
        ('rulebook A "c"\n    1 "d"', ast.RuleTexts(n("A"), t("c"), None, (), (
            ast.RuleText(one, t("d")),
        ))),
        ('language de\n    a "A"\n    A.b "B" "die, Bs"\n    "c" "C"', ast.Language(n("de"), (), (
            ast.Phrase(ast.Dotted((n("a"),)), t("A"), None),
            ast.Phrase(ast.Dotted((n("A"), n("b"))), t("B"), t("die, Bs")),
            ast.Phrase(t("c"), t("C"), None),
        ))),
        (TEST, ast.Test(
            t("a"), (), (
                ast.TestPlayers(three),
                ast.TestOption(n("b"), one),
                ast.Given((skip,)),
                ast.TestWhen(n("f"), (Argument(None, x),), (
                    ast.Answer(y, ()), ast.Fate(two, ()), ast.Refuse(z, t("No."), ()),
                )),
                ast.Then((ast.Fact(ast.Comparison("=", x, one), ()),)),
            ),
        )),
        ('define a = 1 §PP-17 assumed "x" assumed', ast.Define(n("a"), (), one, (
            ast.Cite("PP-17"), ast.Assumed(t("x")), ast.Assumed(None),
        ))),
    ],
)  # fmt: skip
def test_item(text: str, node: ast.Item) -> None:
    assert item(f"{text}\n") == node


@pytest.mark.parametrize(
    "text",
    [
        "action place(card in you.hand)\n    skip",
        "place face of Card",
        "step stack\n    skip",
        "define hidden = bottom",
        "state Card.first: flag",
        "type A per came: Field, at: Field",
        "piece Card | count | sum\n    a | 1 | 2",
        "step a\n    end turn\n    times\n    game(map: at)",
    ],
)
def test_words_are_only_reserved_where_they_mean_something(text: str) -> None:
    item(f"{text}\n")


def test_lines_wrap_in_brackets() -> None:
    broken = "define a = f(\n  x,   # one\n\ny\n    )\n"
    assert item(broken.replace("\ny", "\n y")) == item("define a = f(x, y)\n")
    assert item("define a = (\n    1\n)\n") == item("define a = 1\n")


def test_comments_are_found() -> None:
    text = "# first\n\nstep a  # second \n    # third\n    skip#fourth\n"
    comments = parse(Source("test", text)).comments
    found = [(c.text, c.alone, c.span.line, c.span.column) for c in comments]
    assert found == [
        ("# first", True, 1, 1),
        ("# second", False, 3, 9),
        ("# third", True, 4, 5),
        ("#fourth", False, 5, 9),
    ]


# ---------------------------------------------------------------- places


def nodes(value: object) -> Iterator[ast.Node]:
    """A node and all below it, the parts before the whole."""
    if isinstance(value, tuple):
        for part in value:
            yield from nodes(part)
    elif isinstance(value, ast.Node):
        for field in attrs.fields(type(value)):
            yield from nodes(getattr(value, field.name))
        yield value


def cut(lines: list[str], span: Span) -> str:
    if span.line == span.end_line:
        return lines[span.line - 1][span.column - 1 : span.end_column - 1]
    first = lines[span.line - 1][span.column - 1 :]
    last = lines[span.end_line - 1][: span.end_column - 1]
    return "\n".join([first, *lines[span.line : span.end_line - 1], last])


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_places(path: Path) -> None:
    """The text at a node's place is the node's text."""
    text = path.read_text("utf-8")
    lines = text.split("\n")
    for node in nodes(parse(Source(path.name, text)).file.items):
        span = node.span
        assert span.file == path.name
        there = cut(lines, span)
        assert there == there.strip()
        assert there
        for part in nodes(tuple(getattr(node, f.name) for f in attrs.fields(type(node)))):
            if not isinstance(part, ast.Cite | ast.Assumed | ast.Text):
                assert (span.line, span.column) <= (part.span.line, part.span.column)
        match node:
            case Name():
                assert there == node.text
            case Number():
                assert int(there.strip("()")) == node.value
            case ast.Text():
                assert there == f'"{node.value}"'
            case ast.Cite():
                assert there == f"§{node.rule}"
            case Ref() | Attribute() | ast.Comparison() | ast.Query() | ast.Arithmetic():
                assert expr(f"({there})") == node
            case ast.Let() | ast.Move() | ast.Require() | ast.Call():
                assert statement(there) == attrs.evolve(node, trail=())
            case _:
                pass
