"""The syntax tree of a rules file.

One frozen class per syntax form; the docstring is the syntax. Trees compare without their spans.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import attrs

from ruledsl.diagnostics.source import NOWHERE, Span
from ruledsl.structural import Structural


@attrs.frozen(eq=False, repr=False)
class Node(Structural):
    """Anything with a place in the source."""

    span: Span = attrs.field(default=NOWHERE, eq=False, repr=False, kw_only=True)


# ---------------------------------------------------------------- small parts


@attrs.frozen(eq=False, repr=False)
class Name(Node):
    """`deck`"""

    text: str


@attrs.frozen(eq=False, repr=False)
class Text(Node):
    """`"Pay {price} coins."`: without quotation marks, the values in it as they are laid out"""

    value: str
    values: tuple[Expr, ...] = ()


@attrs.frozen(eq=False, repr=False)
class Dotted(Node):
    """`Card.melody`"""

    parts: tuple[Name, ...]


@attrs.frozen(eq=False, repr=False)
class Cite(Node):
    """`§PP-17` (the text keeps everything after the sign)"""

    rule: str


@attrs.frozen(eq=False, repr=False)
class Assumed(Node):
    """`assumed "the rulebook does not say"`"""

    reason: Text | None


@attrs.frozen(eq=False, repr=False)
class Reveals(Node):
    """`reveals "whoever asks is told"`: what is told here is meant to be"""

    reason: Text | None


Mark: TypeAlias = Cite | Assumed | Reveals
Trail: TypeAlias = tuple[Mark, ...]


# ---------------------------------------------------------------- expressions


@attrs.frozen(eq=False, repr=False)
class Number(Node):
    """`7`"""

    value: int


@attrs.frozen(eq=False, repr=False)
class Flag(Node):
    """`yes` or `no`"""

    value: bool


@attrs.frozen(eq=False, repr=False)
class Nothing(Node):
    """`none`"""


@attrs.frozen(eq=False, repr=False)
class Argument(Node):
    """`card` or `card: melody` in a list of arguments"""

    name: Name | None
    value: Expr


@attrs.frozen(eq=False, repr=False)
class Ref(Node):
    """`deck`, `home(p)`, `Cell(3, 4)`; without brackets `arguments` is None"""

    name: Name
    arguments: tuple[Argument, ...] | None


@attrs.frozen(eq=False, repr=False)
class Attribute(Node):
    """`spot.under`, `c.go(north)`"""

    subject: Expr
    name: Name
    arguments: tuple[Argument, ...] | None


@attrs.frozen(eq=False, repr=False)
class FaceOf(Node):
    """`face of Card`"""

    kind: Name


@attrs.frozen(eq=False, repr=False)
class Negative(Node):
    """`-x`"""

    operand: Expr


ArithmeticSign: TypeAlias = Literal["+", "-", "*", "/", "mod"]


@attrs.frozen(eq=False, repr=False)
class Arithmetic(Node):
    """`a + b`"""

    sign: ArithmeticSign
    left: Expr
    right: Expr


@attrs.frozen(eq=False, repr=False)
class Interval(Node):
    """`1..6`"""

    low: Expr
    high: Expr


ComparisonSign: TypeAlias = Literal["=", "!=", "<", "<=", ">", ">=", "in", "not in", "is", "is not"]


@attrs.frozen(eq=False, repr=False)
class Comparison(Node):
    """`a < b`, `x in S`, `x is not melody`"""

    sign: ComparisonSign
    left: Expr
    right: Expr


@attrs.frozen(eq=False, repr=False)
class Not(Node):
    """`not a`"""

    operand: Expr


@attrs.frozen(eq=False, repr=False)
class Both(Node):
    """`a and b`"""

    left: Expr
    right: Expr


@attrs.frozen(eq=False, repr=False)
class Either(Node):
    """`a or b`"""

    left: Expr
    right: Expr


@attrs.frozen(eq=False, repr=False)
class Conditional(Node):
    """`if a then b else c`"""

    condition: Expr
    yes: Expr
    no: Expr


@attrs.frozen(eq=False, repr=False)
class Arm(Node):
    """`melody: 3` or, with no key, `else: 0`"""

    key: Expr | None
    value: Expr


@attrs.frozen(eq=False, repr=False)
class Case(Node):
    """`case x of (k: v, else: w)`"""

    subject: Expr
    arms: tuple[Arm, ...]


@attrs.frozen(eq=False, repr=False)
class SetOf(Node):
    """`{a, b}` and `{}`"""

    items: tuple[Expr, ...]


@attrs.frozen(eq=False, repr=False)
class Draw(Node):
    """`x in S`"""

    name: Name
    domain: Expr


@attrs.frozen(eq=False, repr=False)
class Order(Node):
    """`highest e` or `lowest e`"""

    way: Literal["highest", "lowest"]
    key: Expr


QueryWord: TypeAlias = Literal[
    "count", "any", "all", "first", "the", "filter", "image", "sum", "max", "min"
]


@attrs.frozen(eq=False, repr=False)
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


@attrs.frozen(eq=False, repr=False)
class Over(Node):
    """`count(S)`, `any(S)`, `first(S)`, `the(S)`: a query over a whole set or place; `sure(e)`"""

    word: Literal["count", "any", "first", "the", "sure"]
    subject: Expr


@attrs.frozen(eq=False, repr=False)
class Extreme(Node):
    """`max(a, b)`, `min(a, b, c)`"""

    word: Literal["max", "min"]
    items: tuple[Expr, ...]


@attrs.frozen(eq=False, repr=False)
class Reach(Node):
    """`reach(x from S via T where c exactly n)`"""

    name: Name
    start: Expr
    via: Expr
    where: Expr | None
    exactly: Expr | None


@attrs.frozen(eq=False, repr=False)
class LongestTrail(Node):
    """`trail(S through T)`, `trail(e for r in S where c through T)`"""

    length: Expr | None
    name: Name | None
    edges: Expr
    where: Expr | None
    through: Expr | None


@attrs.frozen(eq=False, repr=False)
class Would(Node):
    """`would(e after step(arguments))`"""

    body: Expr
    step: Name
    arguments: tuple[Argument, ...] | None


@attrs.frozen(eq=False, repr=False)
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
    | LongestTrail
    | Would
    | Can
)


# ---------------------------------------------------------------- types


@attrs.frozen(eq=False, repr=False)
class PlainType(Node):
    """`0..roof`, `Card`, `face of Card`, `flag`, `number`, and a row name in a first parameter"""

    domain: Expr


@attrs.frozen(eq=False, repr=False)
class SetType(Node):
    """`set of Spot`"""

    element: Expr


@attrs.frozen(eq=False, repr=False)
class OptionalType(Node):
    """`Card or none`"""

    domain: Expr


TypeExpr: TypeAlias = PlainType | SetType | OptionalType


# ---------------------------------------------------------------- statements


@attrs.frozen(eq=False, repr=False)
class Let(Node):
    """`let x = e`"""

    name: Name
    value: Expr
    trail: Trail


@attrs.frozen(eq=False, repr=False)
class Set(Node):
    """`set p.score = e`"""

    target: Expr
    value: Expr
    trail: Trail


@attrs.frozen(eq=False, repr=False)
class Add(Node):
    """`add e to s`"""

    amount: Expr
    target: Expr
    trail: Trail


@attrs.frozen(eq=False, repr=False)
class Take(Node):
    """`take e from s`"""

    amount: Expr
    target: Expr
    trail: Trail


@attrs.frozen(eq=False, repr=False)
class Move(Node):
    """`move card to spot.under`, `… at bottom`"""

    pieces: Expr
    target: Expr
    bottom: bool
    trail: Trail


@attrs.frozen(eq=False, repr=False)
class MoveSome(Node):
    """`move 3 from deck to p.hand`"""

    amount: Expr
    source: Expr
    target: Expr
    bottom: bool
    trail: Trail


@attrs.frozen(eq=False, repr=False)
class MoveAll(Node):
    """`move all from discard to deck`"""

    source: Expr
    target: Expr
    bottom: bool
    trail: Trail


@attrs.frozen(eq=False, repr=False)
class Put(Node):
    """`put forward, back in Player(1).hand` (tests only)"""

    pieces: tuple[Expr, ...]
    target: Expr
    trail: Trail


@attrs.frozen(eq=False, repr=False)
class Shuffle(Node):
    """`shuffle deck`"""

    place: Expr
    trail: Trail


@attrs.frozen(eq=False, repr=False)
class Roll(Node):
    """`roll x in 1..6`, `roll die.pips in 1..6`"""

    target: Expr
    domain: Expr
    trail: Trail


@attrs.frozen(eq=False, repr=False)
class Show(Node):
    """`show card to Player`"""

    subject: Expr
    viewers: Expr
    trail: Trail


@attrs.frozen(eq=False, repr=False)
class Tell(Node):
    """`tell "{rat} runs past {house}."`"""

    text: Text
    trail: Trail


@attrs.frozen(eq=False, repr=False)
class Record(Node):
    """`record board`"""

    history: Name
    trail: Trail


@attrs.frozen(eq=False, repr=False)
class Eliminate(Node):
    """`eliminate p`"""

    player: Expr
    trail: Trail


@attrs.frozen(eq=False, repr=False)
class Win(Node):
    """`win p`, `lose p`"""

    word: Literal["win", "lose"]
    players: Expr
    trail: Trail


@attrs.frozen(eq=False, repr=False)
class End(Node):
    """`end game`, `end loop`, `end turn`"""

    target: Name
    trail: Trail


@attrs.frozen(eq=False, repr=False)
class Give(Node):
    """`give e`"""

    value: Expr
    trail: Trail


@attrs.frozen(eq=False, repr=False)
class Skip(Node):
    """`skip`"""

    trail: Trail


@attrs.frozen(eq=False, repr=False)
class Call(Node):
    """`draw(2)`"""

    step: Name
    arguments: tuple[Argument, ...] | None
    trail: Trail


@attrs.frozen(eq=False, repr=False)
class Branch(Node):
    """One `if`, `else if` or, with no condition, `else`, and its block.

    `inline` marks the one-line `else skip`.
    """

    condition: Expr | None
    trail: Trail
    body: Block
    inline: bool = attrs.field(default=False, kw_only=True)


@attrs.frozen(eq=False, repr=False)
class If(Node):
    """`if c … else if d … else …`"""

    branches: tuple[Branch, ...]


@attrs.frozen(eq=False, repr=False)
class For(Node):
    """`for x in S, y in T where c highest e`"""

    draws: tuple[Draw, ...]
    where: Expr | None
    order: tuple[Order, ...]
    trail: Trail
    body: Block


@attrs.frozen(eq=False, repr=False)
class Together(Node):
    """`together p in S`"""

    name: Name
    domain: Expr
    trail: Trail
    body: Block


@attrs.frozen(eq=False, repr=False)
class Repeat(Node):
    """`repeat n times while c`"""

    times: Expr | None
    running: Expr | None
    trail: Trail
    body: Block


@attrs.frozen(eq=False, repr=False)
class Require(Node):
    """`require c "reason" §PP-1`"""

    condition: Expr
    message: Text
    trail: Trail


@attrs.frozen(eq=False, repr=False)
class HowMany(Node):
    """`optional`, `any`, `some`, `exactly n`, `up to n`"""

    word: Literal["optional", "any", "some", "exactly", "up to"]
    amount: Expr | None


@attrs.frozen(eq=False, repr=False)
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


@attrs.frozen(eq=False, repr=False)
class Offer(Node):
    """`jump(m: runner)` in a `choose`, with further requirements"""

    action: Name
    arguments: tuple[Argument, ...] | None
    trail: Trail
    requirements: tuple[Require, ...]


@attrs.frozen(eq=False, repr=False)
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
    | Tell
    | Record
    | Eliminate
    | Win
    | End
    | Give
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


@attrs.frozen(eq=False, repr=False)
class Players(Node):
    """`players 2..5`"""

    domain: Expr
    trail: Trail


@attrs.frozen(eq=False, repr=False)
class Rulebook(Node):
    """`rulebook PP 1..71 "The title"`"""

    prefix: Name
    domain: Expr
    title: Text | None
    trail: Trail


@attrs.frozen(eq=False, repr=False)
class Limit(Node):
    """`limit 600 decisions`"""

    amount: Expr
    trail: Trail


@attrs.frozen(eq=False, repr=False)
class Aim(Node):
    """`aim "Be the first to get rid of all sticks."`"""

    text: Text
    trail: Trail


@attrs.frozen(eq=False, repr=False)
class Progress(Node):
    """`progress p: count(p.larder) of goal "supplies"`, `progress p: p.score "points"`"""

    name: Name
    value: Expr
    goal: Expr | None
    unit: Text | None
    trail: Trail


@attrs.frozen(eq=False, repr=False)
class Game(Node):
    """`game sticks "Sticks"` and its lines"""

    name: Name
    title: Text | None
    trail: Trail
    lines: tuple[Players | Rulebook | Limit | Aim | Progress, ...]


@attrs.frozen(eq=False, repr=False)
class Library(Node):
    """`library cards "French-suited cards"`"""

    name: Name
    title: Text | None
    trail: Trail


@attrs.frozen(eq=False, repr=False)
class Use(Node):
    """`use cards`"""

    names: tuple[Name, ...]
    trail: Trail


@attrs.frozen(eq=False, repr=False)
class Variant(Node):
    """`variant quick of sticks "Quick"`; several bases are combined"""

    name: Name
    bases: tuple[Name, ...]
    title: Text | None
    trail: Trail


@attrs.frozen(eq=False, repr=False)
class Option(Node):
    """`option goal in 4..6 = 4 "Cheeses to win"`"""

    name: Name
    domain: Expr
    default: Expr
    title: Text | None
    trail: Trail


@attrs.frozen(eq=False, repr=False)
class Index(Node):
    """`Suit`, `came: Field` or `face of Card` after `per`"""

    name: Name | None
    kind: Name | FaceOf


@attrs.frozen(eq=False, repr=False)
class Row(Node):
    """`forward | 14 | 1`, with the picture below it; `~ | 14 | 1` is called after its kind"""

    name: Name
    cells: tuple[Expr, ...]
    trail: Trail
    picture: tuple[MapRow, ...] = ()
    nameless: bool = False


def called(row: Row, kind: str, number: int) -> Row:
    """A row without a name, called after its kind and its number in the table."""
    name = Name(f"{kind[:1].lower()}{kind[1:]}_{number}", span=row.name.span)
    return attrs.evolve(row, name=name)


@attrs.frozen(eq=False, repr=False)
class MapRow(Node):
    """`nest way ~ house`: names, numbers, and None for `~`"""

    cells: tuple[Name | Number | None, ...]


@attrs.frozen(eq=False, repr=False)
class Map(Node):
    """`map ground` fills a column from a picture; `map` alone lays out places by their names"""

    column: Name | None
    trail: Trail
    rows: tuple[MapRow, ...]


@attrs.frozen(eq=False, repr=False)
class Path(Node):
    """`a7 - d7 - g7` in a network; `rome - milan | 3 | red` where edges have columns"""

    stops: tuple[Name, ...]
    cells: tuple[Expr, ...]
    trail: Trail


@attrs.frozen(eq=False, repr=False)
class TypeList(Node):
    """`type Suit = clubs, spades`"""

    name: Name
    values: tuple[Name, ...]
    trail: Trail


@attrs.frozen(eq=False, repr=False)
class TypeRange(Node):
    """`type Rank = 2..14`"""

    name: Name
    domain: Interval
    trail: Trail


@attrs.frozen(eq=False, repr=False)
class TypeProduct(Node):
    """`type Stride per came: Field, at: Field`"""

    name: Name
    per: tuple[Index, ...]
    trail: Trail


@attrs.frozen(eq=False, repr=False)
class TypeTable(Node):
    """`type Number | copies` and its rows"""

    name: Name
    columns: tuple[Name, ...]
    trail: Trail
    rows: tuple[Row, ...]


@attrs.frozen(eq=False, repr=False)
class TypeForms(Node):
    """`type Form turns of Shape mirrored`; `sixths of` on boards of hexagons"""

    name: Name
    of: Name
    sixths: bool
    mirrored: bool
    trail: Trail


@attrs.frozen(eq=False, repr=False)
class Piece(Node):
    """`piece Mouse 4 per Player in player.stock`, `piece Card in deck | count | houses` and rows"""

    name: Name
    count: Expr | None
    per: tuple[Index, ...]
    start: Expr | None
    columns: tuple[Name, ...]
    trail: Trail
    rows: tuple[Row, ...]


@attrs.frozen(eq=False, repr=False)
class Grid(Node):
    """`grid 8 by 8`, `hexgrid 11 by 11`, `grid 20 by 20 wrapped`"""

    width: Expr
    height: Expr
    hexagonal: bool = False
    wrapped: bool = False


@attrs.frozen(eq=False, repr=False)
class Hexagon(Node):
    """`hexagon 4`"""

    side: Expr


@attrs.frozen(eq=False, repr=False)
class Ring(Node):
    """`ring houses`, `ring 0..11`"""

    numbers: Expr


@attrs.frozen(eq=False, repr=False)
class Line(Node):
    """`line 4`, `line 0..12`"""

    numbers: Expr


@attrs.frozen(eq=False, repr=False)
class Network(Node):
    """`network`"""


@attrs.frozen(eq=False, repr=False)
class Edges(Node):
    """`edges of City`"""

    of: Name


Shape: TypeAlias = Grid | Hexagon | Ring | Line | Network | Edges


@attrs.frozen(eq=False, repr=False)
class Hidden(Node):
    """`hidden`"""


@attrs.frozen(eq=False, repr=False)
class Private(Node):
    """`private`"""


@attrs.frozen(eq=False, repr=False)
class SeenWhen(Node):
    """`seen when viewer != here.player`"""

    condition: Expr


Sight: TypeAlias = Hidden | Private | SeenWhen


@attrs.frozen(eq=False, repr=False)
class Stack(Node):
    """`stack`"""


@attrs.frozen(eq=False, repr=False)
class Room(Node):
    """`room 2`"""

    amount: Expr


@attrs.frozen(eq=False, repr=False)
class Uncounted(Node):
    """`uncounted`"""


@attrs.frozen(eq=False, repr=False)
class Refilled(Node):
    """`refilled from discard`"""

    source: Name


PlaceTrait: TypeAlias = Stack | Room | Uncounted | Refilled | Hidden | Private | SeenWhen


@attrs.frozen(eq=False, repr=False)
class Place(Node):
    """`place wall per Player grid 5 by 5 of Tile stack room 2 hidden | column` and rows, maps and
    paths"""

    name: Name
    per: tuple[Index, ...]
    shape: Shape | None
    holds: tuple[Name, ...]
    traits: tuple[PlaceTrait, ...]
    columns: tuple[Name, ...]
    trail: Trail
    rows: tuple[Row | Map | Path, ...]


@attrs.frozen(eq=False, repr=False)
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


@attrs.frozen(eq=False, repr=False)
class History(Node):
    """`history board of Point, active`"""

    name: Name
    parts: tuple[Expr, ...]
    trail: Trail


# ---------------------------------------------------------------- rules


@attrs.frozen(eq=False, repr=False)
class Param(Node):
    """`card: Card`"""

    name: Name
    type: TypeExpr


@attrs.frozen(eq=False, repr=False)
class Define(Node):
    """`define home(p: Player) = e`"""

    name: Name
    params: tuple[Param, ...]
    body: Expr
    trail: Trail


@attrs.frozen(eq=False, repr=False)
class Action(Node):
    """`action place(card in you.hand, spot in Spot) "Place a card"` and its block"""

    name: Name
    picks: tuple[Draw, ...]
    title: Text | None
    trail: Trail
    body: Block


@attrs.frozen(eq=False, repr=False)
class Step(Node):
    """`step resolve(card: Card)` and its block, `step believed(who: Player) gives flag`"""

    name: Name
    params: tuple[Param, ...]
    title: Text | None
    trail: Trail
    body: Block
    gives: TypeExpr | None = None


@attrs.frozen(eq=False, repr=False)
class When(Node):
    """`when c`"""

    condition: Expr
    trail: Trail


@attrs.frozen(eq=False, repr=False)
class Trigger(Node):
    """`trigger flee(p in playing) after resolve`, `when`, and its block"""

    name: Name
    picks: tuple[Draw, ...]
    after: tuple[Name, ...]
    title: Text | None
    trail: Trail
    when: When | None
    body: Block


@attrs.frozen(eq=False, repr=False)
class RankKey(Node):
    """`highest e`, `lowest e`"""

    way: Literal["highest", "lowest"]
    value: Expr
    trail: Trail


@attrs.frozen(eq=False, repr=False)
class Payoff(Node):
    """`payoff e in 0..25`"""

    value: Expr
    domain: Expr
    trail: Trail


@attrs.frozen(eq=False, repr=False)
class Team(Node):
    """`team e`: players with the same `e` share their rank"""

    value: Expr
    trail: Trail


@attrs.frozen(eq=False, repr=False)
class NoTie(Node):
    """`else win none`: a tie for the first place is a draw"""

    trail: Trail


@attrs.frozen(eq=False, repr=False)
class Ranking(Node):
    """`ranking p in playing` and its keys"""

    name: Name
    domain: Expr
    trail: Trail
    keys: tuple[RankKey | Payoff | Team | NoTie, ...]


# --------------------------------- translations, looks, notation, texts of rulebooks, and tests


@attrs.frozen(eq=False, repr=False)
class Phrase(Node):
    """`forward "Vorwärts"` or `"A message." "Eine Meldung."`; `House "Haus" "das, Häuser"`"""

    key: Dotted | Text
    text: Text
    forms: Text | None
    """how the word goes in sentences, as a dictionary has it"""


@attrs.frozen(eq=False, repr=False)
class Language(Node):
    """`language de` and its phrases"""

    code: Name
    trail: Trail
    phrases: tuple[Phrase, ...]


@attrs.frozen(eq=False, repr=False)
class Seat(Node):
    """`Player(1)` in a line of looks"""

    kind: Name
    number: Number


@attrs.frozen(eq=False, repr=False)
class Look(Node):
    """`Suit.coins gold "●"`: what something looks like on a table"""

    of: Dotted | Seat
    parts: tuple[Name | Text, ...]


@attrs.frozen(eq=False, repr=False)
class Looks(Node):
    """`looks` and a line for each thing"""

    trail: Trail
    lines: tuple[Look, ...]


@attrs.frozen(eq=False, repr=False)
class Manner(Node):
    """`go "{start}x{goal}" where not empty(goal)`: ways to write something, the usual one first"""

    of: Dotted
    texts: tuple[Text, ...]
    where: Expr | None
    trail: Trail


@attrs.frozen(eq=False, repr=False)
class Notation(Node):
    """`notation` and lines of how things and actions are written"""

    trail: Trail
    lines: tuple[Manner, ...]


@attrs.frozen(eq=False, repr=False)
class RuleText(Node):
    """`7 "Each player takes a house."`: a rule of a numbered rulebook, in our own words"""

    number: Number
    text: Text


@attrs.frozen(eq=False, repr=False)
class RuleTexts(Node):
    """`rulebook PP "Set-up" in de` and a line for each rule of a section"""

    prefix: Name
    section: Text
    language: Name | None
    trail: Trail
    lines: tuple[RuleText, ...]


@attrs.frozen(eq=False, repr=False)
class Answer(Node):
    """`place(forward, Spot(1))`: a choice made in a test"""

    value: Expr
    trail: Trail


@attrs.frozen(eq=False, repr=False)
class Fate(Node):
    """`roll 4`: a chance outcome in a test"""

    value: Expr
    trail: Trail


@attrs.frozen(eq=False, repr=False)
class Refuse(Node):
    """`refuse place(back, Spot(1)) "message"`"""

    value: Expr
    message: Text | None
    trail: Trail


@attrs.frozen(eq=False, repr=False)
class StopHere(Node):
    """`stop here`: the run goes no further"""

    trail: Trail


@attrs.frozen(eq=False, repr=False)
class TestPlayers(Node):
    """`players 3`"""

    amount: Expr


@attrs.frozen(eq=False, repr=False)
class TestOption(Node):
    """`with goal = 5`"""

    name: Name
    value: Expr


@attrs.frozen(eq=False, repr=False)
class Given(Node):
    """`given` and its block"""

    body: Block


@attrs.frozen(eq=False, repr=False)
class TestWhen(Node):
    """`when turn` and its answers"""

    step: Name
    arguments: tuple[Argument, ...] | None
    answers: tuple[Answer | Fate | Refuse | StopHere, ...]


@attrs.frozen(eq=False, repr=False)
class Fact(Node):
    """One line of `then`"""

    condition: Expr
    trail: Trail


@attrs.frozen(eq=False, repr=False)
class Then(Node):
    """`then` and its facts"""

    facts: tuple[Fact, ...]


@attrs.frozen(eq=False, repr=False)
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
    | TypeForms
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


@attrs.frozen(eq=False, repr=False)
class Replace(Node):
    """`replace` and a declaration of the same sort and name"""

    declaration: Declaration


@attrs.frozen(eq=False, repr=False)
class Extend(Node):
    """`extend` and a table, list, network or language with what is added to it"""

    declaration: Declaration


@attrs.frozen(eq=False, repr=False)
class Hook(Node):
    """`before step turn` or `after action place`, and its block; it sees the target's parameters"""

    when: Literal["before", "after"]
    sort: Literal["step", "action"]
    target: Name
    trail: Trail
    body: Block


@attrs.frozen(eq=False, repr=False)
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
    | Notation
    | RuleTexts
    | Declaration
)


@attrs.frozen(eq=False, repr=False)
class File(Node):
    """A rules file"""

    items: tuple[Item, ...]
