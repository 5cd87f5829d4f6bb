"""The checked rules: names resolved, types known, sugar gone.

This small language is what the table is built from, what the interpreter runs and what the engine
lowers. Nodes compare without spans and types.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

import attrs

from ruledsl.diagnostics.source import NOWHERE, Span
from ruledsl.model.types import ANY, Type
from ruledsl.structural import Structural
from ruledsl.syntax import ast

if TYPE_CHECKING:
    from ruledsl.model.builtins import Feature


@attrs.frozen(eq=False, repr=False)
class Expression(Structural):
    """An expression; its type may say `or none` although a guard around it excludes that."""

    type: Type = attrs.field(default=ANY, eq=False, kw_only=True)
    span: Span = attrs.field(default=NOWHERE, eq=False, repr=False, kw_only=True)


# ---------------------------------------------------------------- values


@attrs.frozen(eq=False, repr=False)
class Constant(Expression):
    """A number, a flag, or none."""

    value: int | bool | None


@attrs.frozen(eq=False, repr=False)
class Value(Expression):
    """A named value of an enumeration, a type's table row, or a named place."""

    kind: str
    name: str


@attrs.frozen(eq=False, repr=False)
class Face(Expression):
    """A row of a piece's table."""

    kind: str
    name: str


@attrs.frozen(eq=False, repr=False)
class Copy(Expression):
    """The piece of a face that has only one copy."""

    kind: str
    name: str


@attrs.frozen(eq=False, repr=False)
class Local(Expression):
    """A name bound in this procedure or expression; the number tells equal names apart."""

    name: str
    number: int


SpecialWord: TypeAlias = Literal["you", "active", "playing", "players", "finished", "winners"]


@attrs.frozen(eq=False, repr=False)
class Special(Expression):
    """A word the language supplies."""

    word: SpecialWord


@attrs.frozen(eq=False, repr=False)
class OptionValue(Expression):
    name: str


@attrs.frozen(eq=False, repr=False)
class AllThings(Expression):
    """Every thing of a kind."""

    kind: str


@attrs.frozen(eq=False, repr=False)
class AllFaces(Expression):
    """`face of Card` as a set."""

    kind: str


@attrs.frozen(eq=False, repr=False)
class PlaceAt(Expression):
    """A single place, or the one of a family with these indexes."""

    place: str
    indexes: tuple[Expr, ...]


@attrs.frozen(eq=False, repr=False)
class PlacesOf(Expression):
    """`wall(p)`, `road(a)`: some places of a shaped family"""

    place: str
    indexes: tuple[Expr, ...]


@attrs.frozen(eq=False, repr=False)
class Nth(Expression):
    """`Player(1)`, `Cell(3, 4)`, `Spot(2)`: the thing with these numbers, or none."""

    kind: str
    numbers: tuple[Expr, ...]


@attrs.frozen(eq=False, repr=False)
class Indexed(Expression):
    """`Card(spades, 12)`, `Stride(a, b)`: the thing with these indexes (one of several alike)."""

    kind: str
    indexes: tuple[Expr, ...]


# ---------------------------------------------------------------- reading things


@attrs.frozen(eq=False, repr=False)
class ReadColumn(Expression):
    subject: Expr
    name: str


@attrs.frozen(eq=False, repr=False)
class ReadIndex(Expression):
    """`mouse.player`, `gap.house`"""

    subject: Expr
    name: str


@attrs.frozen(eq=False, repr=False)
class ReadState(Expression):
    """A slot: of a thing, or of the game where there is no subject."""

    state: str
    subject: Expr | None


@attrs.frozen(eq=False, repr=False)
class ReadHistory(Expression):
    """`board.times`"""

    history: str


@attrs.frozen(eq=False, repr=False)
class ReadFeature(Expression):
    """An attribute that the language supplies."""

    feature: Feature
    subject: Expr
    arguments: tuple[Expr, ...]


@attrs.frozen(eq=False, repr=False)
class ByKind(Expression):
    """An attribute that means different things for different kinds; other kinds have none.

    The subject is bound to `local`, which the arms use.
    """

    subject: Expr
    local: Local
    arms: tuple[tuple[frozenset[str], Expr], ...]


@attrs.frozen(eq=False, repr=False)
class Contents(Expression):
    """A place where a set is wanted: its pieces."""

    place: Expr


@attrs.frozen(eq=False, repr=False)
class CallDefine(Expression):
    """A definition applied; `define` is its key in the checked game."""

    define: str
    arguments: tuple[Expr, ...]


# ---------------------------------------------------------------- operators


@attrs.frozen(eq=False, repr=False)
class Negate(Expression):
    operand: Expr


@attrs.frozen(eq=False, repr=False)
class Arithmetic(Expression):
    sign: ast.ArithmeticSign
    left: Expr
    right: Expr


@attrs.frozen(eq=False, repr=False)
class Combine(Expression):
    """The union or the difference of two sets."""

    sign: Literal["+", "-"]
    left: Expr
    right: Expr


@attrs.frozen(eq=False, repr=False)
class Interval(Expression):
    low: Expr
    high: Expr


@attrs.frozen(eq=False, repr=False)
class Compare(Expression):
    sign: Literal["=", "!=", "<", "<=", ">", ">="]
    left: Expr
    right: Expr


@attrs.frozen(eq=False, repr=False)
class Member(Expression):
    """`x in S`; `not in` is its plain negation."""

    element: Expr
    whole: Expr


@attrs.frozen(eq=False, repr=False)
class IsFace(Expression):
    """`x is melody`, `x is guess`: a piece or face shows this face."""

    subject: Expr
    face: Expr


@attrs.frozen(eq=False, repr=False)
class IsKind(Expression):
    """`x is Rat`"""

    subject: Expr
    kind: str


@attrs.frozen(eq=False, repr=False)
class Not(Expression):
    operand: Expr


@attrs.frozen(eq=False, repr=False)
class Both(Expression):
    left: Expr
    right: Expr


@attrs.frozen(eq=False, repr=False)
class Either(Expression):
    left: Expr
    right: Expr


@attrs.frozen(eq=False, repr=False)
class Conditional(Expression):
    condition: Expr
    yes: Expr
    no: Expr


@attrs.frozen(eq=False, repr=False)
class Case(Expression):
    subject: Expr
    arms: tuple[tuple[Expr, Expr], ...]
    otherwise: Expr | None


@attrs.frozen(eq=False, repr=False)
class SetOf(Expression):
    items: tuple[Expr, ...]


# ---------------------------------------------------------------- queries


@attrs.frozen(eq=False, repr=False)
class Draw(Structural):
    """`x in S`; later draws may use the earlier names."""

    local: Local
    domain: Expr


@attrs.frozen(eq=False, repr=False)
class Order(Structural):
    way: Literal["highest", "lowest"]
    key: Expr


@attrs.frozen(eq=False, repr=False)
class Query(Expression):
    """See `syntax.ast.Query`; a whole-set query draws a name it does not use."""

    word: ast.QueryWord
    draws: tuple[Draw, ...]
    where: Expr | None
    running: Expr | None
    order: tuple[Order, ...]
    body: Expr | None


@attrs.frozen(eq=False, repr=False)
class Sure(Expression):
    """`sure(e)`: of something that may be none, which the rules guarantee to be there."""

    value: Expr


@attrs.frozen(eq=False, repr=False)
class Extreme(Expression):
    word: Literal["max", "min"]
    items: tuple[Expr, ...]


@attrs.frozen(eq=False, repr=False)
class Empty(Expression):
    whole: Expr


@attrs.frozen(eq=False, repr=False)
class Computed(Expression):
    """A function of numbers that the language supplies."""

    function: str
    operands: tuple[Expr, ...]


@attrs.frozen(eq=False, repr=False)
class Reach(Expression):
    local: Local
    start: Expr
    via: Expr
    where: Expr | None
    exactly: Expr | None


@attrs.frozen(eq=False, repr=False)
class LongestTrail(Expression):
    """The greatest length of a way along some edges that meet, each taken once at most.

    It may begin and end anywhere, but goes on only `through` some places. Without a length each
    edge counts as one.
    """

    edges: Expr
    local: Local | None
    length: Expr | None
    through: Expr | None


@attrs.frozen(eq=False, repr=False)
class Would(Expression):
    body: Expr
    step: str
    arguments: tuple[Expr, ...]


@attrs.frozen(eq=False, repr=False)
class Can(Expression):
    """Whether some choice of the open parameters (None) passes the action's requirements."""

    action: str
    arguments: tuple[Expr | None, ...]
    by: Expr | None


@attrs.frozen(eq=False, repr=False)
class Knows(Expression):
    """`knows(p, x)` in a test: the player sees the piece, or knows where it is."""

    player: Expr
    piece: Expr


Expr: TypeAlias = (
    Constant
    | Value
    | Face
    | Copy
    | Local
    | Special
    | OptionValue
    | AllThings
    | PlacesOf
    | AllFaces
    | PlaceAt
    | Nth
    | Indexed
    | ReadColumn
    | ReadIndex
    | ReadState
    | ReadHistory
    | ReadFeature
    | ByKind
    | Contents
    | CallDefine
    | Negate
    | Arithmetic
    | Combine
    | Interval
    | Compare
    | Member
    | IsFace
    | IsKind
    | Not
    | Both
    | Either
    | Conditional
    | Case
    | SetOf
    | Query
    | Sure
    | Extreme
    | Empty
    | Computed
    | Reach
    | LongestTrail
    | Would
    | Can
    | Knows
)


# ---------------------------------------------------------------- statements


@attrs.frozen(eq=False, repr=False)
class Stmt(Structural):
    """A statement, with the marks at the end of its line."""

    span: Span = attrs.field(default=NOWHERE, eq=False, repr=False, kw_only=True)
    trail: ast.Trail = attrs.field(default=(), eq=False, repr=False, kw_only=True)


@attrs.frozen(eq=False, repr=False)
class Slot(Structural):
    """Where a value is stored: a state of a thing or of the game, `active`, or `playing`."""

    state: str
    subject: Expr | None
    type: Type = attrs.field(eq=False, kw_only=True)
    span: Span = attrs.field(default=NOWHERE, eq=False, repr=False, kw_only=True)


@attrs.frozen(eq=False, repr=False)
class Let(Stmt):
    local: Local
    value: Expr


@attrs.frozen(eq=False, repr=False)
class Assign(Stmt):
    slot: Slot
    value: Expr


@attrs.frozen(eq=False, repr=False)
class Move(Stmt):
    """Move a piece or a set of pieces."""

    pieces: Expr
    target: Expr
    bottom: bool


@attrs.frozen(eq=False, repr=False)
class MoveSome(Stmt):
    """Move n from the top of a stack, or n alike pieces of a place or set; fewer if fewer."""

    amount: Expr
    source: Expr
    target: Expr
    bottom: bool


@attrs.frozen(eq=False, repr=False)
class MoveAll(Stmt):
    source: Expr
    target: Expr
    bottom: bool


@attrs.frozen(eq=False, repr=False)
class Put(Stmt):
    """The place then holds just these; each piece is a piece or a face."""

    pieces: tuple[Expr, ...]
    target: Expr


@attrs.frozen(eq=False, repr=False)
class Shuffle(Stmt):
    place: Expr


@attrs.frozen(eq=False, repr=False)
class Roll(Stmt):
    target: Local | Slot
    domain: Expr


@attrs.frozen(eq=False, repr=False)
class Show(Stmt):
    subject: Expr
    viewers: Expr


@attrs.frozen(eq=False, repr=False)
class Tell(Stmt):
    said: Said


@attrs.frozen(eq=False, repr=False)
class Record(Stmt):
    history: str


@attrs.frozen(eq=False, repr=False)
class Eliminate(Stmt):
    player: Expr


@attrs.frozen(eq=False, repr=False)
class Win(Stmt):
    """The winners, or the losers: a set of players. Nobody wins a draw."""

    word: Literal["win", "lose"]
    players: Expr


@attrs.frozen(eq=False, repr=False)
class End(Stmt):
    """`game`, `loop`, or the name of a running step or action."""

    target: str


@attrs.frozen(eq=False, repr=False)
class Skip(Stmt):
    pass


@attrs.frozen(eq=False, repr=False)
class Call(Stmt):
    """`depth` locals are in scope here, as with decisions: they keep what they name apart."""

    step: str
    arguments: tuple[Expr, ...]
    depth: int = 0


@attrs.frozen(eq=False, repr=False)
class Branch(Structural):
    condition: Expr | None
    body: Block
    trail: ast.Trail = attrs.field(default=(), eq=False, repr=False, kw_only=True)
    span: Span = attrs.field(default=NOWHERE, eq=False, repr=False, kw_only=True)


@attrs.frozen(eq=False, repr=False)
class If(Stmt):
    branches: tuple[Branch, ...]


@attrs.frozen(eq=False, repr=False)
class For(Stmt):
    draws: tuple[Draw, ...]
    where: Expr | None
    order: tuple[Order, ...]
    body: Block


@attrs.frozen(eq=False, repr=False)
class Together(Stmt):
    local: Local
    domain: Expr
    body: Block


@attrs.frozen(eq=False, repr=False)
class Repeat(Stmt):
    times: Expr | None
    running: Expr | None
    body: Block


@attrs.frozen(eq=False, repr=False)
class Said(Structural):
    """`"Pay {price} coins."`: a text, and the values in it with how they are written there."""

    text: str
    holes: tuple[str, ...] = ()
    values: tuple[Expr, ...] = ()


@attrs.frozen(eq=False, repr=False)
class Require(Stmt):
    condition: Expr
    message: Said


@attrs.frozen(eq=False, repr=False)
class HowMany(Structural):
    word: Literal["one", "optional", "any", "some", "exactly", "up to"]
    amount: Expr | None


@attrs.frozen(eq=False, repr=False)
class ChooseValue(Stmt):
    how_many: HowMany
    target: Local | Slot
    element: Local
    """The name that `where` and the requirements use for one candidate."""
    domain: Expr
    where: Expr | None
    by: Expr | None
    prompt: Said | None
    requirements: tuple[Require, ...]
    otherwise: Block | None
    depth: int = 0


@attrs.frozen(eq=False, repr=False)
class Offer(Structural):
    """An action with some parameters fixed (None is open), and further requirements.

    The requirements know the action's parameters as `locals` of the procedure around.
    """

    action: str
    arguments: tuple[Expr | None, ...]
    locals: tuple[Local, ...]
    requirements: tuple[Require, ...]
    span: Span = attrs.field(default=NOWHERE, eq=False, repr=False, kw_only=True)
    trail: ast.Trail = attrs.field(default=(), eq=False, repr=False, kw_only=True)


@attrs.frozen(eq=False, repr=False)
class ChooseAction(Stmt):
    by: Expr | None
    prompt: Said | None
    offers: tuple[Offer, ...]
    otherwise: Block | None
    depth: int = 0


Statement: TypeAlias = (
    Let
    | Assign
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
