"""The syntax tree of a rules file.

One frozen class per syntax form; the docstring is the syntax. Trees compare without their spans.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import attrs

from ruledsl.diagnostics.source import NOWHERE, Span


@attrs.frozen
class Node:
    """Anything with a place in the source."""

    span: Span = attrs.field(default=NOWHERE, eq=False, repr=False, kw_only=True)


# ---------------------------------------------------------------- small parts


@attrs.frozen
class Name(Node):
    """`deck`"""

    text: str


@attrs.frozen
class Text(Node):
    """`"Two cards are there already."` (the value, without quotation marks)"""

    value: str


@attrs.frozen
class Dotted(Node):
    """`Card.melody`"""

    parts: tuple[Name, ...]


@attrs.frozen
class Cite(Node):
    """`§PP-17` (the text keeps everything after the sign)"""

    rule: str


@attrs.frozen
class Assumed(Node):
    """`assumed "the rulebook does not say"`"""

    reason: Text | None


@attrs.frozen
class Reveals(Node):
    """`reveals "whoever asks is told"`: what is told here is meant to be"""

    reason: Text | None


Mark: TypeAlias = Cite | Assumed | Reveals
Trail: TypeAlias = tuple[Mark, ...]


# ---------------------------------------------------------------- expressions


@attrs.frozen
class Number(Node):
    """`7`"""

    value: int


@attrs.frozen
class Flag(Node):
    """`yes` or `no`"""

    value: bool


@attrs.frozen
class Nothing(Node):
    """`none`"""


@attrs.frozen
class Argument(Node):
    """`card` or `card: melody` in a list of arguments"""

    name: Name | None
    value: Expr


@attrs.frozen
class Ref(Node):
    """`deck`, `home(p)`, `Cell(3, 4)`; without brackets `arguments` is None"""

    name: Name
    arguments: tuple[Argument, ...] | None


@attrs.frozen
class Attribute(Node):
    """`spot.under`, `c.go(north)`"""

    subject: Expr
    name: Name
    arguments: tuple[Argument, ...] | None


@attrs.frozen
class FaceOf(Node):
    """`face of Card`"""

    kind: Name


@attrs.frozen
class Negative(Node):
    """`-x`"""

    operand: Expr


ArithmeticSign: TypeAlias = Literal["+", "-", "*", "/", "mod"]


@attrs.frozen
class Arithmetic(Node):
    """`a + b`"""

    sign: ArithmeticSign
    left: Expr
    right: Expr


@attrs.frozen
class Interval(Node):
    """`1..6`"""

    low: Expr
    high: Expr


ComparisonSign: TypeAlias = Literal["=", "!=", "<", "<=", ">", ">=", "in", "not in", "is", "is not"]


@attrs.frozen
class Comparison(Node):
    """`a < b`, `x in S`, `x is not melody`"""

    sign: ComparisonSign
    left: Expr
    right: Expr


@attrs.frozen
class Not(Node):
    """`not a`"""

    operand: Expr


@attrs.frozen
class Both(Node):
    """`a and b`"""

    left: Expr
    right: Expr


@attrs.frozen
class Either(Node):
    """`a or b`"""

    left: Expr
    right: Expr


@attrs.frozen
class Conditional(Node):
    """`if a then b else c`"""

    condition: Expr
    yes: Expr
    no: Expr


@attrs.frozen
class Arm(Node):
    """`melody: 3` or, with no key, `else: 0`"""

    key: Expr | None
    value: Expr


@attrs.frozen
class Case(Node):
    """`case x of (k: v, else: w)`"""

    subject: Expr
    arms: tuple[Arm, ...]


@attrs.frozen
class SetOf(Node):
    """`{a, b}` and `{}`"""

    items: tuple[Expr, ...]


@attrs.frozen
class Draw(Node):
    """`x in S`"""

    name: Name
    domain: Expr


@attrs.frozen
class Order(Node):
    """`highest e` or `lowest e`"""

    way: Literal["highest", "lowest"]
    key: Expr


QueryWord: TypeAlias = Literal[
    "count", "any", "all", "first", "the", "filter", "image", "sum", "max", "min"
]


@attrs.frozen
class Query(Node):
    """One of a family, all over `x in S, y in T where c while w highest e`:

    `count(…)`, `any(…)`, `first(…)`, `the(…)`, `{…}` (filter),
    `all(… have e)`, `{e for …}` (image), `sum(e for …)`, `max(e for …)`, `min(e for …)`.
    """

    word: QueryWord
    draws: tuple[Draw, ...]
    where: Expr | None
    running: Expr | None
    """the condition after `while`"""
    order: tuple[Order, ...]
    body: Expr | None
    """the expression after `have` or before `for`"""


@attrs.frozen
class Over(Node):
    """`count(S)`, `any(S)`, `first(S)`, `the(S)`: a query over a whole set or place"""

    word: Literal["count", "any", "first", "the"]
    subject: Expr


@attrs.frozen
class Extreme(Node):
    """`max(a, b)`, `min(a, b, c)`"""

    word: Literal["max", "min"]
    items: tuple[Expr, ...]


@attrs.frozen
class Reach(Node):
    """`reach(x from S via T where c exactly n)`"""

    name: Name
    start: Expr
    via: Expr
    where: Expr | None
    exactly: Expr | None


@attrs.frozen
class Would(Node):
    """`would(e after step(arguments))`"""

    body: Expr
    step: Name
    arguments: tuple[Argument, ...] | None


@attrs.frozen
class Can(Node):
    """`can(action(arguments) by p)`"""

    action: Name
    arguments: tuple[Argument, ...] | None
    by: Expr | None


Expr: TypeAlias = (
    Number
    | Flag
    | Nothing
    | Text
    | Ref
    | Attribute
    | FaceOf
    | Negative
    | Arithmetic
    | Interval
    | Comparison
    | Not
    | Both
    | Either
    | Conditional
    | Case
    | SetOf
    | Query
    | Over
    | Extreme
    | Reach
    | Would
    | Can
)


# ---------------------------------------------------------------- types


@attrs.frozen
class PlainType(Node):
    """`0..roof`, `Card`, `face of Card`, `flag`, `number`, and a row name in a first parameter"""

    domain: Expr


@attrs.frozen
class SetType(Node):
    """`set of Spot`"""

    element: Expr


@attrs.frozen
class OptionalType(Node):
    """`Card or none`"""

    domain: Expr


TypeExpr: TypeAlias = PlainType | SetType | OptionalType


# ---------------------------------------------------------------- statements


@attrs.frozen
class Let(Node):
    """`let x = e`"""

    name: Name
    value: Expr
    trail: Trail


@attrs.frozen
class Set(Node):
    """`set p.score = e`"""

    target: Expr
    value: Expr
    trail: Trail


@attrs.frozen
class Add(Node):
    """`add e to s`"""

    amount: Expr
    target: Expr
    trail: Trail


@attrs.frozen
class Take(Node):
    """`take e from s`"""

    amount: Expr
    target: Expr
    trail: Trail


@attrs.frozen
class Move(Node):
    """`move card to spot.under`, `… at bottom`"""

    pieces: Expr
    target: Expr
    bottom: bool
    trail: Trail


@attrs.frozen
class MoveSome(Node):
    """`move 3 from deck to p.hand`"""

    amount: Expr
    source: Expr
    target: Expr
    bottom: bool
    trail: Trail


@attrs.frozen
class MoveAll(Node):
    """`move all from discard to deck`"""

    source: Expr
    target: Expr
    bottom: bool
    trail: Trail


@attrs.frozen
class Put(Node):
    """`put forward, back in Player(1).hand` (tests only)"""

    pieces: tuple[Expr, ...]
    target: Expr
    trail: Trail


@attrs.frozen
class Shuffle(Node):
    """`shuffle deck`"""

    place: Expr
    trail: Trail


@attrs.frozen
class Roll(Node):
    """`roll x in 1..6`, `roll die.pips in 1..6`"""

    target: Expr
    domain: Expr
    trail: Trail


@attrs.frozen
class Show(Node):
    """`show card to Player`"""

    subject: Expr
    viewers: Expr
    trail: Trail


@attrs.frozen
class Record(Node):
    """`record board`"""

    history: Name
    trail: Trail


@attrs.frozen
class Eliminate(Node):
    """`eliminate p`"""

    player: Expr
    trail: Trail


@attrs.frozen
class Win(Node):
    """`win p`, `lose p`"""

    word: Literal["win", "lose"]
    players: Expr
    trail: Trail


@attrs.frozen
class End(Node):
    """`end game`, `end loop`, `end turn`"""

    target: Name
    trail: Trail


@attrs.frozen
class Skip(Node):
    """`skip`"""

    trail: Trail


@attrs.frozen
class Call(Node):
    """`draw(2)`"""

    step: Name
    arguments: tuple[Argument, ...] | None
    trail: Trail


@attrs.frozen
class Branch(Node):
    """One `if`, `else if` or, with no condition, `else`, and its block.

    `inline` marks the one-line `else skip`.
    """

    condition: Expr | None
    trail: Trail
    body: Block
    inline: bool = attrs.field(default=False, kw_only=True)


@attrs.frozen
class If(Node):
    """`if c … else if d … else …`"""

    branches: tuple[Branch, ...]


@attrs.frozen
class For(Node):
    """`for x in S, y in T where c highest e`"""

    draws: tuple[Draw, ...]
    where: Expr | None
    order: tuple[Order, ...]
    trail: Trail
    body: Block


@attrs.frozen
class Together(Node):
    """`together p in S`"""

    name: Name
    domain: Expr
    trail: Trail
    body: Block


@attrs.frozen
class Repeat(Node):
    """`repeat n times while c`"""

    times: Expr | None
    running: Expr | None
    trail: Trail
    body: Block


@attrs.frozen
class Require(Node):
    """`require c "reason" §PP-1`"""

    condition: Expr
    message: Text
    trail: Trail


@attrs.frozen
class HowMany(Node):
    """`optional`, `any`, `some`, `exactly n`, `up to n`"""

    word: Literal["optional", "any", "some", "exactly", "up to"]
    amount: Expr | None


@attrs.frozen
class ChooseValue(Node):
    """`choose exactly 3 cards in p.hand where c by p "prompt"`, with requirements and `else`"""

    how_many: HowMany | None
    target: Expr
    domain: Expr
    where: Expr | None
    by: Expr | None
    prompt: Text | None
    trail: Trail
    requirements: tuple[Require, ...]
    otherwise: Branch | None


@attrs.frozen
class Offer(Node):
    """`jump(m: runner)` in a `choose`, with further requirements"""

    action: Name
    arguments: tuple[Argument, ...] | None
    trail: Trail
    requirements: tuple[Require, ...]


@attrs.frozen
class ChooseAction(Node):
    """`choose by p "prompt"`, the offers, and `else`"""

    by: Expr | None
    prompt: Text | None
    trail: Trail
    offers: tuple[Offer | Action, ...]
    otherwise: Branch | None


Statement: TypeAlias = (
    Let
    | Set
    | Add
    | Take
    | Move
    | MoveSome
    | MoveAll
    | Put
    | Shuffle
    | Roll
    | Show
    | Record
    | Eliminate
    | Win
    | End
    | Skip
    | Call
    | If
    | For
    | Together
    | Repeat
    | Require
    | ChooseValue
    | ChooseAction
)
Block: TypeAlias = tuple[Statement, ...]


# ---------------------------------------------------------------- things


@attrs.frozen
class Players(Node):
    """`players 2..5`"""

    domain: Expr
    trail: Trail


@attrs.frozen
class Rulebook(Node):
    """`rulebook PP 1..71 "The title"`"""

    prefix: Name
    domain: Expr
    title: Text | None
    trail: Trail


@attrs.frozen
class Limit(Node):
    """`limit 600 decisions`"""

    amount: Expr
    trail: Trail


@attrs.frozen
class Game(Node):
    """`game sticks "Sticks"` and its lines"""

    name: Name
    title: Text | None
    trail: Trail
    lines: tuple[Players | Rulebook | Limit, ...]


@attrs.frozen
class Library(Node):
    """`library cards "French-suited cards"`"""

    name: Name
    title: Text | None
    trail: Trail


@attrs.frozen
class Use(Node):
    """`use cards`"""

    names: tuple[Name, ...]
    trail: Trail


@attrs.frozen
class Variant(Node):
    """`variant quick of sticks "Quick"`; several bases are combined"""

    name: Name
    bases: tuple[Name, ...]
    title: Text | None
    trail: Trail


@attrs.frozen
class Option(Node):
    """`option goal in 4..6 = 4 "Cheeses to win"`"""

    name: Name
    domain: Expr
    default: Expr
    title: Text | None
    trail: Trail


@attrs.frozen
class Index(Node):
    """`Suit`, `came: Field` or `face of Card` after `per`"""

    name: Name | None
    kind: Name | FaceOf


@attrs.frozen
class Row(Node):
    """`forward | 14 | 1`"""

    name: Name
    cells: tuple[Expr, ...]
    trail: Trail


@attrs.frozen
class MapRow(Node):
    """`nest way ~ house`: names, numbers, and None for `~`"""

    cells: tuple[Name | Number | None, ...]


@attrs.frozen
class Map(Node):
    """`map ground` fills a column from a picture; `map` alone lays out places by their names"""

    column: Name | None
    trail: Trail
    rows: tuple[MapRow, ...]


@attrs.frozen
class Path(Node):
    """`a7 - d7 - g7` in a network"""

    stops: tuple[Name, ...]
    trail: Trail


@attrs.frozen
class TypeList(Node):
    """`type Suit = clubs, spades`"""

    name: Name
    values: tuple[Name, ...]
    trail: Trail


@attrs.frozen
class TypeRange(Node):
    """`type Rank = 2..14`"""

    name: Name
    domain: Interval
    trail: Trail


@attrs.frozen
class TypeProduct(Node):
    """`type Stride per came: Field, at: Field`"""

    name: Name
    per: tuple[Index, ...]
    trail: Trail


@attrs.frozen
class TypeTable(Node):
    """`type Number | copies` and its rows"""

    name: Name
    columns: tuple[Name, ...]
    trail: Trail
    rows: tuple[Row, ...]


@attrs.frozen
class Piece(Node):
    """`piece Mouse 4 per Player in player.stock`, `piece Card in deck | count | houses` and rows"""

    name: Name
    count: Expr | None
    per: tuple[Index, ...]
    start: Expr | None
    columns: tuple[Name, ...]
    trail: Trail
    rows: tuple[Row, ...]


@attrs.frozen
class Family(Node):
    """`per Player`"""

    per: tuple[Index, ...]


@attrs.frozen
class Grid(Node):
    """`grid 8 by 8`"""

    width: Expr
    height: Expr


@attrs.frozen
class Ring(Node):
    """`ring houses`"""

    size: Expr


@attrs.frozen
class Line(Node):
    """`line 4`"""

    size: Expr


@attrs.frozen
class Network(Node):
    """`network`"""


Shape: TypeAlias = Family | Grid | Ring | Line | Network


@attrs.frozen
class Hidden(Node):
    """`hidden`"""


@attrs.frozen
class Private(Node):
    """`private`"""


@attrs.frozen
class SeenWhen(Node):
    """`seen when viewer != here.player`"""

    condition: Expr


Sight: TypeAlias = Hidden | Private | SeenWhen


@attrs.frozen
class Stack(Node):
    """`stack`"""


@attrs.frozen
class Room(Node):
    """`room 2`"""

    amount: Expr


@attrs.frozen
class Uncounted(Node):
    """`uncounted`"""


@attrs.frozen
class Refilled(Node):
    """`refilled from discard`"""

    source: Name


PlaceTrait: TypeAlias = Stack | Room | Uncounted | Refilled | Hidden | Private | SeenWhen


@attrs.frozen
class Place(Node):
    """`place hand per Player of Card stack room 2 hidden | column` and rows, maps and paths"""

    name: Name
    shape: Shape | None
    holds: tuple[Name, ...]
    traits: tuple[PlaceTrait, ...]
    columns: tuple[Name, ...]
    trail: Trail
    rows: tuple[Row | Map | Path, ...]


@attrs.frozen
class State(Node):
    """`state Tracker.floor: 0..roof = 0 clamped hidden each turn`"""

    owner: Name | None
    name: Name
    type: TypeExpr
    start: Expr | None
    clamped: bool
    sight: Sight | None
    each: Name | None
    trail: Trail


@attrs.frozen
class History(Node):
    """`history board of Point, active`"""

    name: Name
    parts: tuple[Expr, ...]
    trail: Trail


# ---------------------------------------------------------------- rules


@attrs.frozen
class Param(Node):
    """`card: Card`"""

    name: Name
    type: TypeExpr


@attrs.frozen
class Define(Node):
    """`define home(p: Player) = e`"""

    name: Name
    params: tuple[Param, ...]
    body: Expr
    trail: Trail


@attrs.frozen
class Action(Node):
    """`action place(card in you.hand, spot in Spot) "Place a card"` and its block"""

    name: Name
    picks: tuple[Draw, ...]
    title: Text | None
    trail: Trail
    body: Block


@attrs.frozen
class Step(Node):
    """`step resolve(card: Card)` and its block"""

    name: Name
    params: tuple[Param, ...]
    title: Text | None
    trail: Trail
    body: Block


@attrs.frozen
class When(Node):
    """`when c`"""

    condition: Expr
    trail: Trail


@attrs.frozen
class Trigger(Node):
    """`trigger flee(p in playing) after resolve`, `when`, and its block"""

    name: Name
    picks: tuple[Draw, ...]
    after: tuple[Name, ...]
    title: Text | None
    trail: Trail
    when: When | None
    body: Block


@attrs.frozen
class RankKey(Node):
    """`highest e`, `lowest e`"""

    way: Literal["highest", "lowest"]
    value: Expr
    trail: Trail


@attrs.frozen
class Payoff(Node):
    """`payoff e in 0..25`"""

    value: Expr
    domain: Expr
    trail: Trail


@attrs.frozen
class Team(Node):
    """`team e`: players with the same `e` share their rank"""

    value: Expr
    trail: Trail


@attrs.frozen
class NoTie(Node):
    """`else win none`: a tie for the first place is a draw"""

    trail: Trail


@attrs.frozen
class Ranking(Node):
    """`ranking p in playing` and its keys"""

    name: Name
    domain: Expr
    trail: Trail
    keys: tuple[RankKey | Payoff | Team | NoTie, ...]


# ------------------------------------------- translations, looks, texts of rulebooks, and tests


@attrs.frozen
class Phrase(Node):
    """`forward "Vorwärts"` or `"A message." "Eine Meldung."`"""

    key: Dotted | Text
    text: Text


@attrs.frozen
class Language(Node):
    """`language de` and its phrases"""

    code: Name
    trail: Trail
    phrases: tuple[Phrase, ...]


@attrs.frozen
class Seat(Node):
    """`Player(1)` in a line of looks"""

    kind: Name
    number: Number


@attrs.frozen
class Look(Node):
    """`Suit.coins gold "●"`: what something looks like on a table"""

    of: Dotted | Seat
    parts: tuple[Name | Text, ...]


@attrs.frozen
class Looks(Node):
    """`looks` and a line for each thing"""

    trail: Trail
    lines: tuple[Look, ...]


@attrs.frozen
class RuleText(Node):
    """`7 "Each player takes a house."`: a rule of a numbered rulebook, in our own words"""

    number: Number
    text: Text


@attrs.frozen
class RuleTexts(Node):
    """`rulebook PP "Set-up" in de` and a line for each rule of a section"""

    prefix: Name
    section: Text
    language: Name | None
    trail: Trail
    lines: tuple[RuleText, ...]


@attrs.frozen
class Answer(Node):
    """`place(forward, Spot(1))`: a choice made in a test"""

    value: Expr
    trail: Trail


@attrs.frozen
class Fate(Node):
    """`roll 4`: a chance outcome in a test"""

    value: Expr
    trail: Trail


@attrs.frozen
class Refuse(Node):
    """`refuse place(back, Spot(1)) "message"`"""

    value: Expr
    message: Text | None
    trail: Trail


@attrs.frozen
class TestPlayers(Node):
    """`players 3`"""

    amount: Expr


@attrs.frozen
class TestOption(Node):
    """`with goal = 5`"""

    name: Name
    value: Expr


@attrs.frozen
class Given(Node):
    """`given` and its block"""

    body: Block


@attrs.frozen
class TestWhen(Node):
    """`when turn` and its answers"""

    step: Name
    arguments: tuple[Argument, ...] | None
    answers: tuple[Answer | Fate | Refuse, ...]


@attrs.frozen
class Fact(Node):
    """One line of `then`"""

    condition: Expr
    trail: Trail


@attrs.frozen
class Then(Node):
    """`then` and its facts"""

    facts: tuple[Fact, ...]


@attrs.frozen
class Test(Node):
    """`test "title"` and its parts"""

    title: Text
    trail: Trail
    parts: tuple[TestPlayers | TestOption | Given | TestWhen | Then, ...]


# ---------------------------------------------------------------- files

Declaration: TypeAlias = (
    Option
    | TypeList
    | TypeRange
    | TypeProduct
    | TypeTable
    | Piece
    | Place
    | State
    | History
    | Define
    | Action
    | Step
    | Trigger
    | Ranking
    | Language
    | Test
)


@attrs.frozen
class Replace(Node):
    """`replace` and a declaration of the same sort and name"""

    declaration: Declaration


@attrs.frozen
class Extend(Node):
    """`extend` and a table, list, network or language with what is added to it"""

    declaration: Declaration


@attrs.frozen
class Hook(Node):
    """`before step turn` or `after action place`, and its block; it sees the target's parameters"""

    when: Literal["before", "after"]
    sort: Literal["step", "action"]
    target: Name
    trail: Trail
    body: Block


@attrs.frozen
class Remove(Node):
    """`remove Card.plus_one, draw`"""

    targets: tuple[Dotted, ...]
    trail: Trail


Item: TypeAlias = (
    Game
    | Library
    | Use
    | Variant
    | Replace
    | Extend
    | Hook
    | Remove
    | Looks
    | RuleTexts
    | Declaration
)


@attrs.frozen
class File(Node):
    """A rules file"""

    items: tuple[Item, ...]
