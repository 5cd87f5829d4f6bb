"""What a table looks like, as plain data: frozen, and the same in JSON.

The `Stage` is the bare table: it never changes during a game. A `Scene` is what one seat sees upon
it at one moment. Whoever draws a table, in a terminal or on a page, needs only these two.

Things have ids. A place's id is its name in the rules, `Cell(3, 4)`; a player's is `Player(2)`. A
piece has none of its own, only that of where it lies: `hand(Player(1))/2` is the third piece there
as the seat sees it. So no id tells more than a look does.
"""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import attrs

from ruledsl.structural import Structural

Form: TypeAlias = Literal["grid", "hexes", "ring", "line", "map", "row"]
"""How the places of a board lie: each has its coordinates, whatever the form."""


@attrs.frozen(eq=False, repr=False)
class Fact(Structural):
    """Something that a table of the rules says: `cost: 3`."""

    name: str
    label: str
    text: str
    flag: bool = False
    """it is just so, and there is no more to say than its label"""


@attrs.frozen(eq=False, repr=False)
class Ground(Structural):
    """What a field of a board is like: in which region it lies, or what it is made of."""

    name: str
    label: str
    colour: str | None = None
    symbol: str | None = None


@attrs.frozen(eq=False, repr=False)
class StagePlace(Structural):
    """A place that is always there.

    It lies on a `board` at `x` and `y` (y grows downwards), or belongs to another place, its
    `host`, or to a player, the `owner`, or stands beside everything.
    """

    id: str
    kind: str
    name: str
    """what such places are called: `hand`"""
    label: str
    """what this one is called: `hand (Player 1)`, `e4`"""
    shape: str
    holds: tuple[str, ...]
    colour: str | None = None
    symbol: str | None = None
    board: str | None = None
    x: float = 0
    y: float = 0
    host: str | None = None
    owner: int | None = None
    rest: str = ""
    """what tells it from others of the same host or owner"""
    stack: bool = False
    sight: Literal["open", "hidden", "private", "some"] = "open"
    room: int | None = None
    grounds: tuple[Ground, ...] = ()
    facts: tuple[Fact, ...] = ()
    ends: tuple[str, ...] = ()
    """of an edge: the places it lies between"""
    cell: tuple[int, int] | None = None
    """of a grid or picture: column and row, from 1 in the south-west"""


@attrs.frozen(eq=False, repr=False)
class Board(Structural):
    """Places that lie together. Where `x` and `y` are whole numbers, they fill a grid."""

    id: str
    label: str
    form: Form
    width: float
    height: float
    shape: str
    edges: tuple[tuple[str, str], ...] = ()
    """pairs of places that are joined"""
    wrapped: tuple[int, int] | None = None
    """columns and rows of a board without edges, of which only what is there is drawn"""
    owner: int | None = None
    """the seat whose board it is"""
    sides: bool = False
    """whether each of two players has two opposite sides: the first those of the rows"""
    letters: str = ""
    """of the columns of a grid, if they are others than a, b, c"""


@attrs.frozen(eq=False, repr=False)
class Body(Structural):
    """What pieces of a kind can be: a face or role, a short name, and what the rules say of it."""

    kind: str
    label: str
    letters: str
    facts: tuple[Fact, ...] = ()
    symbol: str | None = None


@attrs.frozen(eq=False, repr=False)
class Stage(Structural):
    """The bare table in one language."""

    game: str
    title: str
    language: str
    boards: tuple[Board, ...]
    places: tuple[StagePlace, ...]
    bodies: tuple[Body, ...]
    """everything that pieces can be"""
    kinds: tuple[tuple[str, str], ...] = ()
    """what the kinds of pieces are called"""
    aim: str = ""
    """what it is all about, in a sentence"""


@attrs.frozen(eq=False, repr=False)
class Stat(Structural):
    """A value of the game, a player, a place or a piece.

    A number has its range where the rules give one. `usual`: it is as at the start of the game.
    """

    key: str
    label: str
    text: str
    number: int | None = None
    low: int | None = None
    high: int | None = None
    flag: bool = False
    symbol: str | None = None
    colour: str | None = None
    usual: bool = False


@attrs.frozen(eq=False, repr=False)
class Piece(Structural):
    """A piece as a seat sees it; of one it can't identify, only the back."""

    id: str
    kind: str
    label: str
    shape: str
    known: bool = True
    letters: str = ""
    colour: str | None = None
    symbols: tuple[str, ...] = ()
    owner: int | None = None
    stats: tuple[Stat, ...] = ()
    inside: tuple[Piece, ...] = ()
    """what it carries"""
    told: str = ""
    """what those were told about it who can't see it"""
    covers: tuple[str, ...] = ()
    """the places it lies upon, apart from the one it lies in"""
    remembered: bool = False
    """the seat has seen it and does not see it now"""


@attrs.frozen(eq=False, repr=False)
class Contents(Structural):
    """What lies in a place, lowest first in a stack; `count` is None where it is secret."""

    place: str
    count: int | None
    pieces: tuple[Piece, ...] = ()
    stats: tuple[Stat, ...] = ()


@attrs.frozen(eq=False, repr=False)
class Progress(Structural):
    """How far a player is: 3 of 7 floors; or 12 points, where nobody has to come anywhere."""

    value: int
    goal: int | None
    unit: str = ""


@attrs.frozen(eq=False, repr=False)
class Seat(Structural):
    id: str
    number: int
    label: str
    colour: str
    symbol: str
    stats: tuple[Stat, ...] = ()
    progress: Progress | None = None
    you: bool = False
    active: bool = False
    out: bool = False
    asked: bool = False
    """whether the game waits for this player"""


@attrs.frozen(eq=False, repr=False)
class Part(Structural):
    """The action, a parameter of it, or a value, with the ids of what it is about.

    `note` says more of it: where it is, what lies there.
    """

    label: str
    touches: tuple[str, ...] = ()
    note: str = ""


@attrs.frozen(eq=False, repr=False)
class SceneOption(Structural):
    """An option; its number is what is chosen."""

    number: int
    label: str
    parts: tuple[Part, ...]
    written: str = ""
    """in the notation of the game, where the label does not say it anyway"""
    amount: int | None = None
    """where a number is chosen, or what one action is about: that number, which is typed alone"""


@attrs.frozen(eq=False, repr=False)
class Ask(Structural):
    """A decision of the seat: in a choice of several, with what was picked already."""

    prompt: str
    options: tuple[SceneOption, ...]
    cites: tuple[str, ...] = ()
    several: bool = False
    least: int = 0
    most: int = 0
    picked: tuple[Part, ...] = ()


Sort: TypeAlias = Literal[
    "chosen", "moved", "set", "rolled", "shuffled", "shown", "told", "happened", "out", "over"
]


@attrs.frozen(eq=False, repr=False)
class Happening(Structural):
    """Something that happened, as the seat may know it; `text` is a sentence for the log."""

    sort: Sort
    text: str | None
    headline: bool = False
    seat: int | None = None
    pieces: tuple[Piece, ...] = ()
    source: str | None = None
    target: str | None = None
    stat: Stat | None = None
    owner: str | None = None
    touches: tuple[str, ...] = ()
    cites: tuple[str, ...] = ()


@attrs.frozen(eq=False, repr=False)
class Placing(Structural):
    """A player's place at the end."""

    seat: int
    rank: int
    payoff: int
    won: bool
    keys: tuple[Fact, ...] = ()
    """what the ranking goes by, the first before those that break ties"""
    apart: str = ""
    """why the ranking is not about this player"""


@attrs.frozen(eq=False, repr=False)
class Ending(Structural):
    how: str
    placings: tuple[Placing, ...]
    drawn: bool
    lost: bool = False
    """all have lost together"""
    paid: bool = False
    """pay-offs are worth telling"""
    because: str = ""
    """a sentence that says what ended the game"""
    cites: tuple[str, ...] = ()
    """the rules that ended it, and those that decided who won"""


@attrs.frozen(eq=False, repr=False)
class Scene(Structural):
    """What a seat sees; without a seat, what everybody does.

    `told` counts what has happened so far in the seat's eyes; `happenings` are those since a scene
    that was asked about.
    """

    seat: int | None
    seats: tuple[Seat, ...]
    contents: tuple[Contents, ...]
    """of every place with anything to tell"""
    stats: tuple[Stat, ...]
    told: int
    happenings: tuple[Happening, ...]
    ask: Ask | None = None
    prompt: str = ""
    """what whoever is asked is asked"""
    ending: Ending | None = None


_PLAIN = (str, int, float, type(None))


def as_json(value: Any) -> Any:
    """The data as JSON has it, without what is as usual."""
    if isinstance(value, _PLAIN):
        return value
    if isinstance(value, tuple):
        return [as_json(item) for item in value]
    return {
        name: as_json(given)
        for name, usual in _fields(type(value))
        if (given := getattr(value, name)) != usual
    }


_FIELDS: dict[type, tuple[tuple[str, object], ...]] = {}


def _fields(of: type) -> tuple[tuple[str, object], ...]:
    """The names and usual values of a class's fields, looked up once."""
    if of not in _FIELDS:
        _FIELDS[of] = tuple((field.name, field.default) for field in attrs.fields(of))
    return _FIELDS[of]
