"""What the language supplies: functions `f(x)` and attributes `x.f`, one entry for each.

Names, references, the checks of ranges, the words an editor shows, the tables in the reference and
the made-up programs of the tests follow from it. What a function of numbers means is said in
`ruledsl/table/number_functions.py`, and how it is compiled in
`ruledsl/engine/expressions/number_functions.py`. What an attribute means is said in
`ruledsl/table/features.py`; how it is compiled, where it is more than a look-up in a table of what
never changes, in `ruledsl/engine/expressions/reading.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal, TypeAlias

import attrs

from ruledsl.model import core, intervals
from ruledsl.model.forms import Forms, is_drawn
from ruledsl.model.intervals import Numbers
from ruledsl.model.limits import clamped
from ruledsl.model.types import (
    ANY,
    FLAG,
    NUMBER,
    FaceType,
    NumberType,
    SetType,
    ThingType,
    Type,
    maybe,
    plain,
    thing,
)
from ruledsl.syntax import ast

if TYPE_CHECKING:
    from ruledsl.model.base import Base
    from ruledsl.model.heads import Head

# ---------------------------------------------------------------- functions

Parameter: TypeAlias = Literal["number", "whole", "player", "piece"]
"""A `whole` is a set, or a place for its pieces."""


@attrs.frozen
class Function:
    """A function; of numbers if it says between which ends its result lies."""

    name: str
    form: str
    about: str
    takes: tuple[Parameter, ...]
    gives: Callable[..., Type]
    """its type, of the arguments"""
    ends: Callable[..., Numbers] | None = None
    in_tests: bool = False
    """whether it may stand in tests only"""

    def role(self, at: int) -> str:
        """What an argument is, in words."""
        match self.takes[at]:
            case "number":
                return f"the argument of `{self.name}`"
            case "whole":
                return f"what `{self.name}` asks about"
            case "player":
                return "who knows"
            case "piece":
                return "what is known"


def _flag(*_: core.Expr) -> Type:
    return FLAG


FUNCTIONS = {
    function.name: function
    for function in (
        Function(
            "empty",
            "empty(S)",
            "whether a place or set has nothing in it",
            takes=("whole",),
            gives=_flag,
        ),
        Function(
            "clamp",
            "clamp(x, low, high)",
            "`x`, but at least `low` and at most `high`",
            takes=("number", "number", "number"),
            gives=lambda _, low, high: clamped(low, high),
            ends=intervals.clamped,
        ),
        Function(
            "abs",
            "abs(x)",
            "`x` without its sign",
            takes=("number",),
            gives=lambda _: NumberType(0, None),
            ends=intervals.absolute,
        ),
        Function(
            "knows",
            "knows(p, x)",
            "in tests: whether the player sees the piece, or knows where it is",
            takes=("player", "piece"),
            gives=_flag,
            in_tests=True,
        ),
    )
}

NUMBER_FUNCTIONS = tuple(each for each in FUNCTIONS.values() if each.ends is not None)

# ---------------------------------------------------------------- attributes

Feature: TypeAlias = Literal[
    "place",
    "face",
    "top",
    "lowest",
    "index",
    "col",
    "row",
    "go",
    "ray",
    "beside",
    "ends",
    "around",
    "onward",
    "backward",
    "paths",
    "after",
    "before",
    "opposite",
    "left",
    "right",
    "turned",
    "sixths",
    "mirrored",
    "cover",
    "size",
    "seat",
    "next",
    "round",
    "others",
    "reversed",
]
"""What an attribute means; one name may mean several."""

Reads: TypeAlias = Literal["nothing", "what lies there", "where it lies", "who plays"]
"""What of a position an attribute depends on."""

Argument: TypeAlias = Literal["direction", "number", "form"]


@attrs.frozen
class Attribute:
    """An attribute of some things. A number it gives counts things."""

    form: str
    of: str
    """whose it is, in words"""
    about: str
    feature: Feature
    applies: Callable[[Head], bool]
    gives: Callable[[Base, Head], Type]
    takes: tuple[Argument, ...] = ()
    reads: Reads = "nothing"
    in_order: bool = False
    """whether a set comes in the order of the table"""

    @property
    def name(self) -> str:
        return self.form.partition("(")[0].removeprefix(".")


_GRIDS = (ast.Grid, ast.Hexagon)


def _shape(*shapes: type) -> Callable[[Head], bool]:
    def applies(head: Head) -> bool:
        place = head.declaration
        return isinstance(place, ast.Place) and isinstance(place.shape, shapes)

    return applies


def _sort(*sorts: str) -> Callable[[Head], bool]:
    return lambda head: head.sort in sorts


def _pictured(head: Head) -> bool:
    place = head.declaration
    if not isinstance(place, ast.Place):
        return False
    pictures = (line for line in place.rows if isinstance(line, ast.Map))
    return any(line.column is None for line in pictures)


def _numbered(head: Head) -> bool:
    return head.sort in ("enumeration", "direction", "product") or _shape(ast.Line, ast.Ring)(head)


def _drawn(head: Head) -> bool:
    return isinstance(head.declaration, Forms) or is_drawn(head.declaration)


def _forms(*, sixths: bool | None = None, mirrored: bool = False) -> Callable[[Head], bool]:
    """Forms of squares, of hexagons, or of either; perhaps only those that are turned over."""

    def applies(head: Head) -> bool:
        if not isinstance(head.declaration, Forms):
            return False
        node = head.declaration.node
        return (sixths is None or node.sixths == sixths) and (node.mirrored or not mirrored)

    return applies


def _of_squares(head: Head) -> bool:
    place = head.declaration
    shape = place.shape if isinstance(place, ast.Place) else None
    return isinstance(shape, ast.Grid) and not shape.hexagonal


def _next_cell(base: Base, head: Head) -> Type:
    """On a wrapped grid of squares without holes there is always one."""
    place = head.declaration
    shape = place.shape if isinstance(place, ast.Place) else None
    endless = isinstance(shape, ast.Grid) and shape.wrapped and not shape.hexagonal
    cell = thing(head.name)
    return cell if endless and not base.has_holes(head) else maybe(cell)


def _covered(base: Base, head: Head) -> Type:
    cell = _next_cell(base, head)
    return SetType(cell) if cell == plain(cell) else maybe(SetType(plain(cell)))


def _joined(_: Base, head: Head) -> Type:
    place = head.declaration
    assert isinstance(place, ast.Place) and isinstance(place.shape, ast.Edges)
    return SetType(thing(place.shape.of.text))


def _same(_: Base, head: Head) -> Type:
    return thing(head.name)


def _perhaps(_: Base, head: Head) -> Type:
    return maybe(thing(head.name))


def _same_set(_: Base, head: Head) -> Type:
    return SetType(thing(head.name))


def _sets_of_same(_: Base, head: Head) -> Type:
    return SetType(SetType(thing(head.name)))


def _number(_: Base, __: Head) -> Type:
    return NUMBER


def _counting(_: Base, __: Head) -> Type:
    return NumberType(1, None)


def _face(_: Base, head: Head) -> Type:
    return FaceType(head.name)


def _counted(base: Base, head: Head) -> Type:
    return NumberType(*base.numbered(head)[0])


def _row(base: Base, head: Head) -> Type:
    return NumberType(*base.numbered(head)[-1])


def _held(base: Base, head: Head) -> Type:
    contents = base.contents_type(thing(head.name))
    return maybe(contents.element) if isinstance(contents, SetType) else ANY


def _places(base: Base, head: Head) -> Type:
    return ThingType(base.places_of({head.name}))


ATTRIBUTES = (
    Attribute(
        ".place",
        "pieces",
        "where it lies",
        feature="place",
        applies=_sort("piece"),
        gives=_places,
        reads="where it lies",
    ),
    Attribute(
        ".face",
        "pieces",
        "the row of its table",
        feature="face",
        applies=_sort("piece"),
        gives=_face,
    ),
    Attribute(
        ".top",
        "places",
        "the highest piece, or none",
        feature="top",
        applies=_sort("place"),
        gives=_held,
        reads="what lies there",
    ),
    Attribute(
        ".lowest",
        "places",
        "the lowest piece, or none",
        feature="lowest",
        applies=_sort("place"),
        gives=_held,
        reads="what lies there",
    ),
    Attribute(
        ".index",
        "lines, rings, values of types, products, directions",
        "its number, from 1, or from where a line or ring begins",
        feature="index",
        applies=_numbered,
        gives=_counted,
    ),
    Attribute(
        ".col",
        "grids",
        "its column, from 1 in the west",
        feature="col",
        applies=_shape(*_GRIDS),
        gives=_counted,
    ),
    Attribute(
        ".col",
        "places with a picture",
        "its column, from 1 in the west",
        feature="col",
        applies=_pictured,
        gives=_number,
    ),
    Attribute(
        ".row",
        "grids",
        "its row, from 1 in the south",
        feature="row",
        applies=_shape(*_GRIDS),
        gives=_row,
    ),
    Attribute(
        ".row",
        "places with a picture",
        "its row, from 1 in the south",
        feature="row",
        applies=_pictured,
        gives=_number,
    ),
    Attribute(
        ".go(d)",
        "grids",
        "the next cell in a direction, or none",
        feature="go",
        applies=_shape(*_GRIDS),
        gives=_next_cell,
        takes=("direction",),
    ),
    Attribute(
        ".ray(d)",
        "grids",
        "all cells in a direction, the nearest first, without itself",
        feature="ray",
        applies=_shape(*_GRIDS),
        gives=_same_set,
        takes=("direction",),
    ),
    Attribute(
        ".beside",
        "grids",
        "the up to four cells at its sides; of hexagons up to six",
        feature="beside",
        applies=_shape(*_GRIDS),
        gives=_same_set,
        in_order=True,
    ),
    Attribute(
        ".beside",
        "networks, rings, lines, edges",
        "its neighbours",
        feature="beside",
        applies=_shape(ast.Network, ast.Ring, ast.Line, ast.Edges),
        gives=_same_set,
        in_order=True,
    ),
    Attribute(
        ".ends",
        "edges",
        "the two places it lies between",
        feature="ends",
        applies=_shape(ast.Edges),
        gives=_joined,
        in_order=True,
    ),
    Attribute(
        ".around",
        "grids of squares",
        "the up to eight cells around it",
        feature="around",
        applies=_of_squares,
        gives=_same_set,
        in_order=True,
    ),
    Attribute(
        ".paths",
        "networks",
        "the paths it lies on, each a set of places",
        feature="paths",
        applies=_shape(ast.Network),
        gives=_sets_of_same,
    ),
    Attribute(
        ".next",
        "rings",
        "the one after it",
        feature="after",
        applies=_shape(ast.Ring),
        gives=_same,
    ),
    Attribute(
        ".next",
        "lines",
        "the one after it; none at the end",
        feature="after",
        applies=_shape(ast.Line),
        gives=_perhaps,
    ),
    Attribute(
        ".previous",
        "rings",
        "the one before it",
        feature="before",
        applies=_shape(ast.Ring),
        gives=_same,
    ),
    Attribute(
        ".previous",
        "lines",
        "the one before it; none at the beginning",
        feature="before",
        applies=_shape(ast.Line),
        gives=_perhaps,
    ),
    Attribute(
        ".onward",
        "rings",
        "all from the next one on, itself last",
        feature="onward",
        applies=_shape(ast.Ring),
        gives=_same_set,
        reads="who plays",
    ),
    Attribute(
        ".backward",
        "rings",
        "all from the one before it on, against the order, itself last",
        feature="backward",
        applies=_shape(ast.Ring),
        gives=_same_set,
    ),
    Attribute(
        ".round",
        "rings",
        "itself first, then onward",
        feature="round",
        applies=_shape(ast.Ring),
        gives=_same_set,
        reads="who plays",
    ),
    Attribute(
        ".left",
        "directions",
        "a quarter turn to the left",
        feature="left",
        applies=_sort("direction"),
        gives=_same,
    ),
    Attribute(
        ".right",
        "directions",
        "a quarter turn to the right",
        feature="right",
        applies=_sort("direction"),
        gives=_same,
    ),
    Attribute(
        ".opposite",
        "directions",
        "half a turn further",
        feature="opposite",
        applies=_sort("direction"),
        gives=_same,
    ),
    Attribute(
        ".turned(n)",
        "directions",
        "`n` eighths of a turn further to the right",
        feature="turned",
        applies=_sort("direction"),
        gives=_same,
        takes=("number",),
    ),
    Attribute(
        ".sixths(n)",
        "directions",
        "`n` sixths of a turn further to the right, on hexagons; none for `north` and `south`",
        feature="sixths",
        applies=_sort("direction"),
        gives=_perhaps,
        takes=("number",),
    ),
    Attribute(
        ".left",
        "forms",
        "a quarter turn to the left",
        feature="left",
        applies=_forms(sixths=False),
        gives=_same,
    ),
    Attribute(
        ".right",
        "forms",
        "a quarter turn to the right",
        feature="right",
        applies=_forms(sixths=False),
        gives=_same,
    ),
    Attribute(
        ".opposite",
        "forms",
        "half a turn further",
        feature="opposite",
        applies=_forms(),
        gives=_same,
    ),
    Attribute(
        ".sixths(n)",
        "forms of hexagons",
        "`n` sixths of a turn further to the right",
        feature="sixths",
        applies=_forms(sixths=True),
        gives=_same,
        takes=("number",),
    ),
    Attribute(
        ".mirrored",
        "forms of a type that is `mirrored`",
        "turned over, east to west",
        feature="mirrored",
        applies=_forms(mirrored=True),
        gives=_same,
    ),
    Attribute(
        ".size",
        "shapes, forms",
        "how many cells it has",
        feature="size",
        applies=_drawn,
        gives=_counting,
    ),
    Attribute(
        ".cover(f)",
        "grids",
        "the cells that a form covers which lies with its first cell there, or none",
        feature="cover",
        applies=_shape(*_GRIDS),
        gives=_covered,
        takes=("form",),
        in_order=True,
    ),
    Attribute(
        ".seat",
        "players",
        "the number of the seat",
        feature="seat",
        applies=_sort("player"),
        gives=_counted,
    ),
    Attribute(
        ".next",
        "players",
        "the next one still playing; the player, if there is no other",
        feature="next",
        applies=_sort("player"),
        gives=_same,
        reads="who plays",
    ),
    Attribute(
        ".others",
        "players",
        "all others still playing, from the next one on",
        feature="others",
        applies=_sort("player"),
        gives=_same_set,
        reads="who plays",
    ),
    Attribute(
        ".round",
        "players",
        "those still playing, this one first (if still playing)",
        feature="round",
        applies=_sort("player"),
        gives=_same_set,
        reads="who plays",
    ),
    Attribute(
        ".onward",
        "players",
        "those still playing from the next one on, this one last (if still playing)",
        feature="onward",
        applies=_sort("player"),
        gives=_same_set,
        reads="who plays",
    ),
)
"""The first that applies is meant; `.owner`, `.reversed` and `.times` are of other sorts."""


def whose(name: str) -> tuple[str, ...]:
    """What has an attribute of this name: `grids`, `players`."""
    found = (each.of.split(", ") for each in ATTRIBUTES if each.name == name)
    return tuple(dict.fromkeys(one for those in found for one in those))


_READS: dict[str, Reads] = {each.feature: each.reads for each in ATTRIBUTES}

IN_ORDER = frozenset(each.feature for each in ATTRIBUTES if each.in_order)


def read_by(feature: Feature) -> Reads:
    """What of a position a feature depends on, whoever has it."""
    return _READS.get(feature, "nothing")
