"""A checked game: everything a rules file declares, resolved.

A `CheckedGame` exists only if the checks found no error.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TypeAlias

import attrs

from ruledsl.diagnostics.source import Source, Span
from ruledsl.model import core
from ruledsl.model.allowance import USUAL, Allowance
from ruledsl.model.forms import Form
from ruledsl.model.types import Type
from ruledsl.structural import Structural
from ruledsl.syntax import ast


@attrs.frozen(eq=False, repr=False)
class IndexInfo(Structural):
    """One index after `per`: `suit` of kind `Suit`, which may be a range.

    With `faces` it runs over a piece's rows; a subset of directions over these.
    """

    name: str
    kind: str
    faces: bool
    subset: str | None = None


@attrs.frozen(eq=False, repr=False)
class ColumnInfo(Structural):
    """A column of a table or map: one cell per row, or per grid cell from the south-west."""

    name: str
    type: Type
    cells: tuple[core.Expr, ...]
    by_map: bool
    """the cells follow a grid's places, not the rows"""


@attrs.frozen(eq=False, repr=False)
class GridShape(Structural):
    """Columns and rows; on a hexagonal one each row lies half a cell further than the one below."""

    width: core.Expr
    height: core.Expr
    hexagonal: bool = False
    wrapped: bool = False
    """the last column is beside the first, and the last row"""
    side: core.Expr | None = None
    """of a hexagon, for which two corners are cut off"""
    holes: frozenset[tuple[int, int]] = frozenset()


@attrs.frozen(eq=False, repr=False)
class RingShape(Structural):
    """Numbered from the first to the last."""

    first: core.Expr
    last: core.Expr


@attrs.frozen(eq=False, repr=False)
class LineShape(Structural):
    """Numbered from the first to the last."""

    first: core.Expr
    last: core.Expr


@attrs.frozen(eq=False, repr=False)
class NetworkShape(Structural):
    paths: tuple[tuple[str, ...], ...]


@attrs.frozen(eq=False, repr=False)
class EdgesShape(Structural):
    """Between neighbours of another kind; named pairs come first, in this order."""

    of: str
    rows: tuple[tuple[str, str], ...]


@attrs.frozen(eq=False, repr=False)
class TableShape(Structural):
    """Named places without a further arrangement."""


@attrs.frozen(eq=False, repr=False)
class FamilyShape(Structural):
    """One place for each combination of the indexes; a single place where there are none."""


Shape: TypeAlias = (
    GridShape | RingShape | LineShape | NetworkShape | EdgesShape | TableShape | FamilyShape
)

Sight: TypeAlias = Literal["open", "hidden", "private"] | core.Expr
"""Who sees what lies there; an expression has the locals `here`, `it` and `viewer`."""


@attrs.frozen(eq=False, repr=False)
class PlaceInfo(Structural):
    shape: Shape
    holds: tuple[str, ...]
    stack: bool
    room: core.Expr | None
    uncounted: bool
    refilled: str | None
    sight: Sight
    layout: tuple[tuple[str | None, ...], ...]
    """the picture of named places, north first; empty without one"""


@attrs.frozen(eq=False, repr=False)
class PieceInfo(Structural):
    count: core.Expr | None
    """copies of each index combination; with rows, the `count` column says it instead"""
    start: core.Expr | None
    """the place where it starts; uses `own`"""


Sort: TypeAlias = Literal["player", "direction", "enumeration", "product", "piece", "place"]


@attrs.frozen(eq=False, repr=False)
class Kind(Structural):
    """A kind of things. `rows` are named values, places or faces; `own` stands for the thing
    itself in the expressions of its declaration."""

    name: str
    sort: Sort
    span: Span
    indexes: tuple[IndexInfo, ...]
    rows: tuple[str, ...]
    columns: tuple[ColumnInfo, ...]
    own: core.Local
    piece: PieceInfo | None
    place: PlaceInfo | None
    trail: ast.Trail = ()
    forms: tuple[Form, ...] = ()
    """how each row is drawn, if they are"""
    sixths: bool = False
    """whether its forms are turned on hexagons"""
    nameless: frozenset[str] = frozenset()
    """rows that are called after the kind because they were given no name"""

    def column(self, name: str) -> ColumnInfo | None:
        return next((column for column in self.columns if column.name == name), None)


@attrs.frozen(eq=False, repr=False)
class Bounds(Structural):
    """The limits of a range, constant once players and options are fixed."""

    low: core.Expr
    high: core.Expr


@attrs.frozen(eq=False, repr=False)
class StateInfo(Structural):
    """`state Owner.name: type = start`; the key is `Owner.name`, or the name alone."""

    key: str
    owner: str | None
    name: str
    type: Type
    bounds: Bounds | None
    start: core.Expr | None
    own: core.Local
    clamped: bool
    sight: Sight
    each: str | None
    span: Span
    trail: ast.Trail


@attrs.frozen(eq=False, repr=False)
class HistoryInfo(Structural):
    """`parts` are names of places and keys of states; `active` and `playing` too."""

    name: str
    parts: tuple[str, ...]
    span: Span


@attrs.frozen(eq=False, repr=False)
class ParamInfo(Structural):
    local: core.Local
    type: Type
    bounds: Bounds | None


@attrs.frozen(eq=False, repr=False)
class Dispatched(Structural):
    """The body that a face or value of the first parameter picks."""

    row: str
    params: tuple[ParamInfo, ...]
    span: Span
    trail: ast.Trail


@attrs.frozen(eq=False, repr=False)
class DefineRow(Dispatched):
    body: core.Expr


@attrs.frozen(eq=False, repr=False)
class StepRow(Dispatched):
    body: core.Block


@attrs.frozen(eq=False, repr=False)
class DefineInfo(Structural):
    """A definition; `body` is None when only rows are defined."""

    key: str
    name: str
    params: tuple[ParamInfo, ...]
    type: Type
    body: core.Expr | None
    rows: tuple[DefineRow, ...]
    span: Span
    trail: ast.Trail


@attrs.frozen(eq=False, repr=False)
class StepInfo(Structural):
    """A step; `body` is None when only rows have one."""

    name: str
    params: tuple[ParamInfo, ...]
    title: str | None
    body: core.Block | None
    rows: tuple[StepRow, ...]
    span: Span
    trail: ast.Trail
    gives: Type | None = None


@attrs.frozen(eq=False, repr=False)
class ActionInfo(Structural):
    """An action. Its requirements (with `let` and `if`) come first, then its effects.

    An action written on the spot (`inline`) sees the locals around it.
    """

    key: str
    name: str
    picks: tuple[core.Draw, ...]
    title: str | None
    requirements: core.Block
    body: core.Block
    inline: bool
    span: Span
    trail: ast.Trail


@attrs.frozen(eq=False, repr=False)
class TriggerInfo(Structural):
    name: str
    picks: tuple[core.Draw, ...]
    after: tuple[str, ...]
    title: str | None
    when: core.Expr | None
    body: core.Block
    span: Span
    trail: ast.Trail


@attrs.frozen(eq=False, repr=False)
class RankKeyInfo(Structural):
    way: Literal["highest", "lowest"]
    value: core.Expr
    span: Span
    trail: ast.Trail


@attrs.frozen(eq=False, repr=False)
class PayoffInfo(Structural):
    value: core.Expr
    bounds: Bounds


@attrs.frozen(eq=False, repr=False)
class RankingInfo(Structural):
    local: core.Local
    domain: core.Expr
    keys: tuple[RankKeyInfo, ...]
    payoff: PayoffInfo | None
    team: core.Expr | None
    """players with the same value share their result"""
    no_tie: bool
    """a tie for the first place is a draw"""
    span: Span
    trail: ast.Trail


@attrs.frozen(eq=False, repr=False)
class ProgressInfo(Structural):
    """`progress p: value of goal "unit"`: how far a player is, and how far one has to come."""

    local: core.Local
    value: core.Expr
    goal: core.Expr | None
    unit: str | None
    span: Span
    trail: ast.Trail


@attrs.frozen(eq=False, repr=False)
class OptionInfo(Structural):
    name: str
    type: Type
    domain: core.Expr
    default: core.Expr
    title: str | None
    span: Span
    trail: ast.Trail


@attrs.frozen(eq=False, repr=False)
class RulebookInfo(Structural):
    prefix: str
    first: int
    last: int
    title: str | None


@attrs.frozen(eq=False, repr=False)
class RuleTextInfo(Structural):
    """What a rule of a numbered rulebook says, and the section it stands in."""

    section: str
    text: str


@attrs.frozen(eq=False, repr=False)
class AnswerInfo(Structural):
    """A choice in a test: an action with its arguments, a value, or several values.

    `arguments` pairs parameter positions with values; a piece may be named by its face.
    """

    action: str | None
    arguments: tuple[tuple[int, core.Expr], ...]
    value: core.Expr | None
    span: Span
    trail: ast.Trail


@attrs.frozen(eq=False, repr=False)
class FateInfo(Structural):
    value: core.Expr
    span: Span
    trail: ast.Trail


@attrs.frozen(eq=False, repr=False)
class StopInfo(Structural):
    """Here a run goes no further."""

    span: Span
    trail: ast.Trail


@attrs.frozen(eq=False, repr=False)
class RefusalInfo(Structural):
    answer: AnswerInfo
    message: str | None
    span: Span
    trail: ast.Trail


@attrs.frozen(eq=False, repr=False)
class FactInfo(Structural):
    condition: core.Expr
    span: Span
    trail: ast.Trail


@attrs.frozen(eq=False, repr=False)
class WhenInfo(Structural):
    step: str
    arguments: tuple[core.Expr, ...]
    answers: tuple[AnswerInfo | FateInfo | RefusalInfo | StopInfo, ...]
    span: Span


@attrs.frozen(eq=False, repr=False)
class ExampleInfo(Structural):
    title: str
    players: core.Expr | None
    options: tuple[tuple[str, core.Expr], ...]
    parts: tuple[core.Block | WhenInfo | tuple[FactInfo, ...], ...]
    """`given` blocks, runs and facts in the order written"""
    span: Span
    trail: ast.Trail


@attrs.frozen(eq=False, repr=False)
class LanguageInfo(Structural):
    code: str
    labels: dict[str, str]
    """by declared name, dotted where it belongs to a table"""
    texts: dict[str, str]
    """by the text in the rules"""
    forms: dict[str, str]
    """article and plural, by declared name"""


@attrs.frozen(eq=False, repr=False)
class LookInfo(Structural):
    """What a line of looks says; `bookkeeping` is shown on no table."""

    colour: str | None = None
    shape: str | None = None
    symbol: str | None = None
    bookkeeping: bool = False


@attrs.frozen(eq=False, repr=False)
class MannerInfo(Structural):
    """A line of notation: ways to write something, the usual one first, if a condition holds."""

    texts: tuple[core.Said, ...]
    where: core.Expr | None
    span: Span
    trail: ast.Trail


@attrs.frozen(eq=False, repr=False)
class NotationInfo(Structural):
    """How things and actions are written."""

    actions: dict[str, tuple[MannerInfo, ...]] = attrs.Factory(dict)
    """by their keys; in the scope of their parameters"""
    things: dict[str, tuple[str, ...]] = attrs.Factory(dict)
    """kinds, with holes for indexes and columns, and values such as `Suit.clubs`"""
    columns: dict[str, str] = attrs.Factory(dict)
    """the letters of a grid's columns"""


@attrs.frozen(eq=False)
class CheckedGame:
    """A game, or a variant of one, that passed the checks; each is only equal to itself."""

    name: str
    title: str
    variant: str | None
    players: tuple[int, ...]
    rulebooks: tuple[RulebookInfo, ...]
    rule_texts: dict[str, dict[str, RuleTextInfo]]
    """by rule, such as `PP-7`, and language"""
    limit: core.Expr | None
    aim: str | None
    progress: ProgressInfo | None
    options: dict[str, OptionInfo]
    ranges: dict[str, Bounds]
    kinds: dict[str, Kind]
    states: dict[str, StateInfo]
    histories: dict[str, HistoryInfo]
    defines: dict[str, DefineInfo]
    steps: dict[str, StepInfo]
    actions: dict[str, ActionInfo]
    triggers: dict[str, TriggerInfo]
    ranking: RankingInfo | None
    languages: dict[str, LanguageInfo]
    looks: dict[str, LookInfo]
    notation: NotationInfo
    """by kind, `Kind.row`, `Player(1)`, or the key of a state"""
    tests: tuple[ExampleInfo, ...]
    sources: dict[str, Source]
    allowance: Allowance = USUAL
    """how much its rules may do"""

    def blocks(self) -> Iterator[core.Block]:
        """Everything that the rules do."""
        for step in self.steps.values():
            if step.body is not None:
                yield step.body
            for row in step.rows:
                yield row.body
        for action in self.actions.values():
            yield action.requirements
            yield action.body
        for trigger in self.triggers.values():
            yield trigger.body


def has_secrets(game: CheckedGame) -> bool:
    """Whether anything can be hidden from anybody."""
    places = (kind.place for kind in game.kinds.values() if kind.place is not None)
    return any(place.sight != "open" for place in places) or any(
        state.sight != "open" for state in game.states.values()
    )
