"""What happens in a game: each thing an event, with the rule that made it happen."""

from __future__ import annotations

from typing import TypeAlias

import attrs

from ruledsl.diagnostics.source import NOWHERE, Span
from ruledsl.structural import Structural
from ruledsl.syntax import ast
from ruledsl.table.things import Thing, Value, things


@attrs.frozen(eq=False, repr=False)
class Event(Structural):
    """Something that happened, where the rules say it, and with which marks."""

    span: Span = attrs.field(default=NOWHERE, kw_only=True)
    trail: ast.Trail = attrs.field(default=(), kw_only=True)
    seen: frozenset[tuple[Thing, Thing]] = attrs.field(default=frozenset(), kw_only=True)
    """(viewer, piece): who can tell which piece it was"""


@attrs.frozen(eq=False, repr=False)
class Chosen(Event):
    """A player chose: an action with its parameters, or a value."""

    seat: Thing
    action: str | None
    values: tuple[Value, ...]
    viewers: frozenset[Thing]
    """who may see a value that was chosen for a slot"""
    places: tuple[tuple[Thing, Thing], ...] = ()
    """where on a board the chosen pieces stood that have no names of their own"""
    openly: bool = attrs.field(default=True, kw_only=True)
    """whether others may know that this player was asked"""

    prompt: str | None = None
    forced: bool = False
    """there was nothing else to choose"""
    written: str = ""
    """in the notation of the game, as far as it has one; made for the one who chose"""

    def is_noticed_by(self, viewers: frozenset[Thing]) -> bool:
        """Whether all of them may know that there was a choice."""
        return self.openly or viewers <= {self.seat}


@attrs.frozen(eq=False, repr=False)
class Moved(Event):
    pieces: tuple[Thing, ...]
    source: Thing
    target: Thing


@attrs.frozen(eq=False, repr=False)
class Assigned(Event):
    state: str
    owner: Thing | None
    value: Value
    viewers: frozenset[Thing]
    """who may see the value"""
    before: Value = None
    saw: frozenset[Thing] = frozenset()
    """who could see the value before"""
    place: Thing | None = None
    """where the owner lies, if it is a piece that only its place tells from others"""


@attrs.frozen(eq=False, repr=False)
class Rolled(Event):
    state: str | None
    owner: Thing | None
    value: Value
    viewers: frozenset[Thing]


@attrs.frozen(eq=False, repr=False)
class Shuffled(Event):
    place: Thing


@attrs.frozen(eq=False, repr=False)
class Shown(Event):
    """Pieces, or a value, shown to some players; `subject` is what the rules say is shown."""

    value: Value
    viewers: frozenset[Thing]
    pieces: tuple[Thing, ...]


@attrs.frozen(eq=False, repr=False)
class Narrated(Event):
    """The rules tell something in a sentence of their own; its values by how they are written."""

    text: str
    values: tuple[tuple[str, Value], ...]


@attrs.frozen(eq=False, repr=False)
class Triggered(Event):
    trigger: str
    values: tuple[Value, ...]


@attrs.frozen(eq=False, repr=False)
class Eliminated(Event):
    player: Thing


@attrs.frozen(eq=False, repr=False)
class Ended(Event):
    """The game is over; `how` is that of its result."""

    how: str
    winners: tuple[Thing, ...]


AnyEvent: TypeAlias = (
    Chosen
    | Moved
    | Assigned
    | Rolled
    | Shuffled
    | Shown
    | Narrated
    | Triggered
    | Eliminated
    | Ended
)


def pieces_of(event: AnyEvent) -> frozenset[Thing]:
    """The pieces whose identity an event could tell."""
    match event:
        case Chosen(values=values) | Triggered(values=values):
            return frozenset(value for value in values if isinstance(value, Thing))
        case Narrated(values=told):
            return frozenset(things(value for _, value in told))
        case Moved(pieces=pieces) | Shown(pieces=pieces):
            return frozenset(pieces)
        case Assigned(value=value, owner=owner) | Rolled(value=value, owner=owner):
            items = (*value, owner) if isinstance(value, tuple) else (value, owner)
            return frozenset(item for item in items if isinstance(item, Thing))
        case Shuffled() | Eliminated() | Ended():
            return frozenset()
