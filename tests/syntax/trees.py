"""Arbitrary valid syntax trees, for Hypothesis: every form of node, in every place it may stand.

A form's strategy is found by its class in `EXPRESSIONS`, `STATEMENTS` and `ITEMS`.
"""

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from hypothesis import strategies as st

from ruledsl.syntax import ast

Trees: TypeAlias = st.SearchStrategy[Any]


def some(strategy: Trees, least: int = 0, most: int = 3) -> Trees:
    return st.lists(strategy, min_size=least, max_size=most).map(tuple)


def maybe(strategy: Trees) -> Trees:
    return st.none() | strategy


@st.composite
def one_from(draw: st.DrawFn, choose: Callable[[], Trees]) -> Any:
    """Hides the strategy in a function: its description would be enormous."""
    return draw(choose())


def one_of(forms: Mapping[type, Trees]) -> Trees:
    together = st.one_of(*forms.values())
    return one_from(lambda: together)


# ---------------------------------------------------------------- small parts

WORDS = ("a", "p", "x1", "deck", "Card", "Player", "red_king", "Größe", "_", "a_rather_long_name")
names: Trees = st.builds(ast.Name, st.sampled_from(WORDS))
letters = st.characters(codec="utf-8", categories=("L", "N", "P", "S"), exclude_characters='"{')
texts: Trees = st.builds(
    ast.Text,
    st.text(letters | st.just(" "), max_size=12)
    | st.sampled_from(
        (
            "",
            "# no §PP-1",
        )
    ),
)
values: Trees = st.builds(ast.Ref, names, st.none())
said: Trees = texts | st.builds(
    lambda text, value: ast.Text(f"{text.value}{{{value.name.text}}}!", (value,)), texts, values
)
rules = st.from_regex(r"[A-Za-z]{1,3}-[0-9]{1,3}", fullmatch=True)
trails: Trees = some(
    st.builds(ast.Cite, rules) | st.builds(ast.Assumed, maybe(texts)), most=2
) | st.just(())
dotted: Trees = st.builds(ast.Dotted, some(names, 1, 2))

# ---------------------------------------------------------------- expressions

simple_exprs: Trees = (
    st.builds(ast.Number, st.integers(0, 10**9 - 1))
    | st.builds(ast.Ref, names, st.none())
    | st.builds(ast.Attribute, st.builds(ast.Ref, names, st.none()), names, st.none())
)


def arguments_of(exprs: Trees) -> Trees:
    return maybe(some(st.builds(ast.Argument, maybe(names), exprs), most=2))


def orders_of(exprs: Trees) -> Trees:
    return some(st.builds(ast.Order, st.sampled_from(("highest", "lowest")), exprs), most=2)


def queries(exprs: Trees, words: tuple[str, ...], several: bool, body: Trees) -> Trees:
    word, where, orders = st.sampled_from(words), maybe(exprs), orders_of(exprs)
    draws = st.builds(ast.Draw, names, exprs)
    one = st.builds(ast.Query, word, some(draws, 1, 1), where, maybe(exprs), orders, body)
    if not several:
        return one
    return one | st.builds(ast.Query, word, some(draws, 2, 2), where, st.none(), orders, body)


def forms(exprs: Trees) -> dict[type, Trees]:
    """All forms of expressions, with these as their parts."""
    arguments = arguments_of(exprs)
    calculating = st.sampled_from(("+", "-", "*", "/", "mod"))
    comparing = st.sampled_from(("=", "!=", "<", "<=", ">", ">=", "in", "not in", "is", "is not"))
    arms = st.builds(ast.Arm, maybe(exprs), exprs)
    return {
        ast.Number: st.builds(ast.Number, st.integers(0, 10**9 - 1)),
        ast.Flag: st.builds(ast.Flag, st.booleans()),
        ast.Nothing: st.builds(ast.Nothing),
        ast.Text: texts,
        ast.Ref: st.builds(ast.Ref, names, arguments),
        ast.Attribute: st.builds(ast.Attribute, exprs, names, arguments),
        ast.FaceOf: st.builds(ast.FaceOf, names),
        ast.Negative: st.builds(ast.Negative, exprs),
        ast.Arithmetic: st.builds(ast.Arithmetic, calculating, exprs, exprs),
        ast.Interval: st.builds(ast.Interval, exprs, exprs),
        ast.Comparison: st.builds(ast.Comparison, comparing, exprs, exprs),
        ast.Not: st.builds(ast.Not, exprs),
        ast.Both: st.builds(ast.Both, exprs, exprs),
        ast.Either: st.builds(ast.Either, exprs, exprs),
        ast.Conditional: st.builds(ast.Conditional, exprs, exprs, exprs),
        ast.Case: st.builds(ast.Case, exprs, some(arms, 1, 3)),
        ast.SetOf: st.builds(ast.SetOf, some(exprs)),
        ast.Query: st.one_of(
            queries(exprs, ("count", "any"), True, st.none()),
            queries(exprs, ("first", "the", "filter"), False, st.none()),
            queries(exprs, ("all", "image", "sum", "max", "min"), True, exprs),
        ),
        ast.Over: st.builds(
            ast.Over, st.sampled_from(("count", "any", "first", "the", "sure")), exprs
        ),
        ast.Extreme: st.builds(ast.Extreme, st.sampled_from(("max", "min")), some(exprs, 2, 3)),
        ast.Reach: st.builds(ast.Reach, names, exprs, exprs, maybe(exprs), maybe(exprs)),
        ast.LongestTrail: st.one_of(
            st.builds(ast.LongestTrail, st.none(), st.none(), exprs, st.none(), maybe(exprs)),
            st.builds(ast.LongestTrail, exprs, names, exprs, maybe(exprs), maybe(exprs)),
        ),
        ast.Would: st.builds(ast.Would, exprs, names, arguments),
        ast.Can: st.builds(ast.Can, names, arguments, maybe(exprs)),
    }


small_exprs: Trees = simple_exprs | one_of(forms(simple_exprs))
exprs: Trees = simple_exprs | one_of(forms(small_exprs))
EXPRESSIONS = forms(exprs)

arguments: Trees = arguments_of(small_exprs)
draws: Trees = st.builds(ast.Draw, names, exprs)
orders: Trees = orders_of(small_exprs)
slots: Trees = st.recursive(
    st.builds(ast.Ref, names, arguments),
    lambda inner: st.builds(ast.Attribute, inner, names, arguments),
    max_leaves=3,
)
types: Trees = st.one_of(
    st.builds(ast.PlainType, exprs),
    st.builds(ast.SetType, exprs),
    st.builds(ast.OptionalType, exprs),
)

# ---------------------------------------------------------------- statements

SIMPLE: dict[type, Trees] = {
    ast.Let: st.builds(ast.Let, names, exprs, trails),
    ast.Set: st.builds(ast.Set, exprs, exprs, trails),
    ast.Add: st.builds(ast.Add, exprs, exprs, trails),
    ast.Take: st.builds(ast.Take, exprs, exprs, trails),
    ast.Move: st.builds(ast.Move, exprs, exprs, st.booleans(), trails),
    ast.MoveSome: st.builds(ast.MoveSome, exprs, exprs, exprs, st.booleans(), trails),
    ast.MoveAll: st.builds(ast.MoveAll, exprs, exprs, st.booleans(), trails),
    ast.Put: st.builds(ast.Put, some(exprs, 1, 3), exprs, trails),
    ast.Shuffle: st.builds(ast.Shuffle, exprs, trails),
    ast.Roll: st.builds(ast.Roll, slots, exprs, trails),
    ast.Show: st.builds(ast.Show, exprs, exprs, trails),
    ast.Tell: st.builds(ast.Tell, said, trails),
    ast.Record: st.builds(ast.Record, names, trails),
    ast.Eliminate: st.builds(ast.Eliminate, exprs, trails),
    ast.Win: st.builds(ast.Win, st.sampled_from(("win", "lose")), exprs, trails),
    ast.End: st.builds(ast.End, names, trails),
    ast.Give: st.builds(ast.Give, exprs, trails),
    ast.Skip: st.builds(ast.Skip, trails),
    ast.Call: st.builds(ast.Call, names, arguments, trails),
}


requires: Trees = st.builds(ast.Require, exprs, said, trails)
requirements: Trees = some(requires, most=2)
picks: Trees = some(draws, most=2)
how_many: Trees = st.one_of(
    st.builds(ast.HowMany, st.sampled_from(("optional", "any", "some")), st.none()),
    st.builds(ast.HowMany, st.sampled_from(("exactly", "up to")), exprs),
)
offers: Trees = st.builds(ast.Offer, names, arguments, trails, requirements)
inline: Trees = st.builds(
    ast.Branch, st.none(), st.just(()), some(one_of(SIMPLE), 1, 1), inline=st.just(True)
)


def actions_of(blocks: Trees) -> Trees:
    return st.builds(ast.Action, names, picks, maybe(said), trails, blocks)


def compound(blocks: Trees) -> dict[type, Trees]:
    """All forms of statements with blocks, and `require`."""
    conditions = some(st.builds(ast.Branch, exprs, trails, blocks), 1, 2)
    others = inline | st.builds(ast.Branch, st.none(), trails, blocks)
    ifs = st.tuples(conditions, some(others, most=1)).map(lambda parts: parts[0] + parts[1])
    choices = some(offers | actions_of(blocks), 1, 2)
    return {
        ast.If: st.builds(ast.If, ifs),
        ast.For: st.builds(ast.For, some(draws, 1, 2), maybe(exprs), orders, trails, blocks),
        ast.Together: st.builds(ast.Together, names, exprs, trails, blocks),
        ast.Repeat: st.builds(ast.Repeat, maybe(exprs), maybe(exprs), trails, blocks),
        ast.Require: requires,
        ast.ChooseValue: st.builds(
            ast.ChooseValue,
            *(maybe(how_many), slots, exprs, maybe(exprs), maybe(exprs), maybe(said), trails),
            *(requirements, maybe(others)),
        ),
        ast.ChooseAction: st.builds(
            ast.ChooseAction, maybe(exprs), maybe(said), trails, choices, maybe(others)
        ),
    }


small_blocks: Trees = some(one_of(SIMPLE), 1, 2)
small_statements: Trees = one_of(SIMPLE) | one_of(compound(small_blocks))
blocks: Trees = one_from(lambda: some(small_statements, 1, 2))
STATEMENTS: dict[type, Trees] = {**SIMPLE, **compound(blocks)}

# ---------------------------------------------------------------- declarations

indexes: Trees = st.builds(ast.Index, maybe(names), names) | st.builds(
    ast.Index, st.none(), st.builds(ast.FaceOf, names)
)
per: Trees = some(indexes, 1, 2)
columns: Trees = some(names, most=3)
rows: Trees = st.builds(ast.Row, names, some(exprs, most=3), trails)
nameless_rows: Trees = st.builds(
    ast.Row, st.just(ast.Name("")), some(exprs, 1, 3), trails, st.just(()), st.just(True)
)
paths: Trees = st.builds(ast.Path, some(names, 2, 4), some(exprs, most=3), trails)
cells: Trees = st.none() | names | st.builds(ast.Number, st.integers(0, 99))
maps: Trees = st.builds(
    ast.Map, maybe(names), trails, some(st.builds(ast.MapRow, some(cells, 1, 4)), 1, 3)
)
drawn_rows: Trees = st.builds(
    ast.Row,
    *(names, some(exprs, most=2), trails),
    some(st.builds(ast.MapRow, some(cells, 1, 4)), most=3),
)


def table_type(
    name: ast.Name, columns: Any, trail: ast.Trail, lines: tuple[ast.Row, ...]
) -> ast.TypeTable:
    """Its rows without a name are called after it."""
    called = (
        ast.called(row, name.text, number) if row.nameless else row
        for number, row in enumerate(lines, 1)
    )
    return ast.TypeTable(name, columns, trail, tuple(called))


shapes: Trees = st.one_of(
    st.builds(ast.Grid, exprs, exprs, st.booleans(), st.booleans()),
    st.builds(ast.Hexagon, exprs),
    st.builds(ast.Ring, exprs),
    st.builds(ast.Line, exprs),
    st.builds(ast.Network),
    st.builds(ast.Edges, names),
)
sights: Trees = st.one_of(
    st.builds(ast.Hidden), st.builds(ast.Private), st.builds(ast.SeenWhen, exprs)
)
traits: Trees = st.one_of(
    st.builds(ast.Stack),
    st.builds(ast.Room, exprs),
    st.builds(ast.Uncounted),
    st.builds(ast.Refilled, names),
    sights,
)
game_lines: Trees = st.one_of(
    st.builds(ast.Players, exprs, trails),
    st.builds(ast.Rulebook, names, exprs, maybe(texts), trails),
    st.builds(ast.Limit, exprs, trails),
)
rank_keys: Trees = st.one_of(
    st.builds(ast.RankKey, st.sampled_from(("highest", "lowest")), exprs, trails),
    st.builds(ast.Payoff, exprs, exprs, trails),
    st.builds(ast.Team, exprs, trails),
    st.builds(ast.NoTie, trails),
)
params: Trees = some(st.builds(ast.Param, names, types), most=2)
answers: Trees = st.one_of(
    st.builds(ast.Answer, exprs, trails),
    st.builds(ast.Fate, exprs, trails),
    st.builds(ast.Refuse, exprs, maybe(texts), trails),
    st.builds(ast.StopHere, trails),
)
facts: Trees = st.builds(ast.Fact, exprs, trails)
test_parts: Trees = st.one_of(
    st.builds(ast.TestPlayers, exprs),
    st.builds(ast.TestOption, names, exprs),
    st.builds(ast.Given, blocks),
    st.builds(ast.TestWhen, names, arguments, some(answers, most=2)),
    st.builds(ast.Then, some(facts, 1, 2)),
)
whens: Trees = st.builds(ast.When, exprs, trails)

look_lines = st.builds(
    ast.Look,
    dotted | st.builds(ast.Seat, names, st.builds(ast.Number, st.integers(0, 99))),
    some(names | texts, 1, 3),
)
manner_lines: Trees = st.builds(ast.Manner, dotted, some(said, 1, 2), maybe(exprs), trails)
rule_lines = st.builds(ast.RuleText, st.builds(ast.Number, st.integers(0, 9999)), texts)
DECLARATIONS: dict[type, Trees] = {
    ast.Option: st.builds(ast.Option, names, exprs, exprs, maybe(texts), trails),
    ast.TypeList: st.builds(ast.TypeList, names, some(names, 1, 3), trails),
    ast.TypeRange: st.builds(ast.TypeRange, names, EXPRESSIONS[ast.Interval], trails),
    ast.TypeProduct: st.builds(ast.TypeProduct, names, per, trails),
    ast.TypeTable: st.builds(
        table_type, names, columns, trails, some(drawn_rows | nameless_rows, 1, 3)
    ),
    ast.TypeForms: st.builds(ast.TypeForms, names, names, st.booleans(), st.booleans(), trails),
    ast.Piece: st.builds(
        ast.Piece,
        *(names, maybe(exprs), per | st.just(()), maybe(exprs), columns, trails, some(rows)),
    ),
    ast.Place: st.builds(
        ast.Place,
        *(names, per | st.just(()), maybe(shapes), some(names, most=2), some(traits, most=2)),
        *(columns, trails, some(rows | maps | paths)),
    ),
    ast.State: st.builds(
        ast.State,
        *(maybe(names), names, types, maybe(exprs), st.booleans(), maybe(sights), maybe(names)),
        trails,
    ),
    ast.History: st.builds(ast.History, names, some(exprs, 1, 2), trails),
    ast.Define: st.builds(ast.Define, names, params, exprs, trails),
    ast.Action: actions_of(blocks),
    ast.Step: st.builds(ast.Step, names, params, maybe(said), trails, blocks, maybe(types)),
    ast.Trigger: st.builds(
        ast.Trigger,
        *(names, picks, some(names, most=2), maybe(said), trails, maybe(whens), blocks),
    ),
    ast.Ranking: st.builds(ast.Ranking, names, exprs, trails, some(rank_keys, 1, 3)),
    ast.Language: st.builds(
        ast.Language,
        names,
        trails,
        some(st.builds(ast.Phrase, dotted | said, said, maybe(texts)), 1, 3),
    ),
    ast.Test: st.builds(ast.Test, texts, trails, some(test_parts, 1, 3)),
}
declarations: Trees = one_of(DECLARATIONS)
ITEMS: dict[type, Trees] = {
    **DECLARATIONS,
    ast.Game: st.builds(ast.Game, names, maybe(texts), trails, some(game_lines, 1, 3)),
    ast.Looks: st.builds(ast.Looks, trails, some(look_lines, 1, 3)),
    ast.Notation: st.builds(ast.Notation, trails, some(manner_lines, 1, 3)),
    ast.RuleTexts: st.builds(
        ast.RuleTexts, names, texts, maybe(names), trails, some(rule_lines, 1, 3)
    ),
    ast.Library: st.builds(ast.Library, names, maybe(texts), trails),
    ast.Use: st.builds(ast.Use, some(names, 1, 2), trails),
    ast.Variant: st.builds(ast.Variant, names, some(names, 1, 2), maybe(texts), trails),
    ast.Replace: st.builds(ast.Replace, declarations),
    ast.Extend: st.builds(ast.Extend, declarations),
    ast.Hook: st.builds(
        ast.Hook,
        *(st.sampled_from(("before", "after")), st.sampled_from(("step", "action"))),
        *(names, trails, blocks),
    ),
    ast.Remove: st.builds(ast.Remove, some(dotted, 1, 2), trails),
}
files: Trees = st.builds(ast.File, some(one_of(ITEMS), 1, 3))
