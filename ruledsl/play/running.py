"""What running rules share: the position, its frames, values, and stops."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from typing import TypeAlias

import attrs

from ruledsl.diagnostics.source import NOWHERE, Span
from ruledsl.model import core
from ruledsl.model.game import has_secrets
from ruledsl.play.chance import Chance
from ruledsl.play.changes import Hands
from ruledsl.play.decisions import Decision, Option
from ruledsl.play.events import (
    AnyEvent,
    Assigned,
    Chosen,
    Moved,
    Narrated,
    Rolled,
    Shown,
    Triggered,
    pieces_of,
)
from ruledsl.play.knowledge import Knowledge, Look, look
from ruledsl.play.legality import Legality
from ruledsl.play.ranking import How, Result
from ruledsl.table import mishaps
from ruledsl.table.errors import RulesError
from ruledsl.table.position import Position
from ruledsl.table.queries import Frame
from ruledsl.table.table import Table
from ruledsl.table.things import Thing, Value

Run: TypeAlias = Generator[Decision, Option, None]
Draws: TypeAlias = Callable[[Position, Frame], Iterator[tuple[Value, ...]]]
Arrange: TypeAlias = Callable[
    [Position, Frame, Iterator[tuple[Value, ...]]], list[tuple[Value, ...]]
]


def take_first_options(run: Run, most: int) -> None:
    """Answer each decision with its first option, to the end or until there were too many."""
    with suppress(StopIteration):
        decision = next(run)
        for _ in range(most):
            decision = run.send(decision.options[0])


class StepEnded(Exception):
    """`end step`: unwinds to the running step or action of this name."""

    def __init__(self, target: str) -> None:
        super().__init__(target)
        self.target = target


class LoopEnded(Exception):
    """`end loop`"""


class GameEnded(Exception):
    """`end game`, `win`, `lose`, or the limit; `named` are those who win or lose."""

    def __init__(self, how: How, named: tuple[Thing, ...] = (), span: Span = NOWHERE) -> None:
        super().__init__(how)
        self.how = how
        self.named = named
        self.span = span


@attrs.frozen
class Answer:
    """A decision that was made: the number of the option, who chose, and in which simultaneous
    choice (0 in none)."""

    number: int
    seat: Thing
    block: int


@attrs.frozen
class Perspective:
    """A position, what is known in it, and what happened on the way.

    What happened is the very list that grows with the game, unless it is `kept`.
    """

    pos: Position
    known: frozenset[tuple[Thing, Thing]]
    narrowed: dict[tuple[Thing, Thing], frozenset[Look]]
    events: list[AnyEvent]

    @property
    def kept(self) -> Perspective:
        """As it is now, whatever happens later."""
        return attrs.evolve(self, events=list(self.events))


@attrs.define
class Prepared:
    """What is worked out once per table: sizes of frames, queries of triggers and loops."""

    sizes: dict[int, int] = attrs.Factory(dict)
    trigger_queries: dict[int, Draws] = attrs.Factory(dict)
    loops: dict[int, tuple[Draws, Arrange]] = attrs.Factory(dict)
    costs: dict[int, int] = attrs.Factory(dict)


class Running(ABC):
    """Rules in progress on a table.

    `pos` is the position; within `together` each player acts on a copy of it, so that nobody's
    choice shows before all have chosen.
    """

    def __init__(self, table: Table, chance: Chance) -> None:
        self.table = table
        self.game = table.game
        self.chance = chance
        self.knowledge = Knowledge(table)
        self.hands = Hands(table, chance, self.knowledge)
        self.legality = Legality(table, self.knowledge)
        self.pos: Position = table.start()
        self.result: Result | None = None
        self.decisions = 0
        self.most_decisions = table.limit
        self.refuels = True
        """whether each stop grants new work to queries and loops; a trial has to do with once"""
        self.statements = self.passes = 0
        """in the whole game, up to the last choice"""
        self.ask_always = False
        """whether a choice with a single option is asked too: for counting moves"""
        self.on_forced: Callable[[Decision], None] | None = None
        """told of every choice that is taken without asking"""
        self.on_record: Callable[[str], None] | None = None
        """told of every position that a history notes"""
        self.frames: list[tuple[Frame, int]] = []
        """frames of running procedures, with the number of locals in scope"""
        self.calls: list[core.Call | core.ChooseAction] = []
        """the statement that is being carried out in each of these frames"""
        self.checkpoints_on = False
        """triggers sleep during set-up, in looking ahead, and while a test is prepared"""
        self._in_trigger = False
        self._asked = 0
        self._forced = False
        self.has_secrets = has_secrets(self.game)
        """whether the choice that was made last had no other option"""
        self.answers: list[Answer] = []
        """every decision that was asked: with the seed, the whole game"""
        self._blocks = 0
        """simultaneous choices so far"""
        self._together: tuple[Thing, ...] = ()
        self._acting: Thing | None = None
        self._outside: Perspective | None = None
        """while all choose together: as it was before"""
        self._apart: dict[Thing, Perspective] = {}
        self._settled = 0
        self._resets: dict[str, list[str]] = {}
        for key, state in self.game.states.items():
            if state.each is not None:
                self._resets.setdefault(state.each, []).append(key)
        self.prepared: Prepared = table.kept.setdefault("prepared", Prepared())
        self.put_pieces: set[Thing] = set()
        """what a test has put somewhere"""
        self._starts: dict[Thing, Thing] = {}

    def perspective(self, viewer: Thing | None) -> Perspective:
        """What a viewer's sight is based on: while all choose together, not what others did.

        Without a viewer: what the sight of somebody is based on who has no seat.
        """
        if viewer is None:
            return self._outside or self._perspective()
        if viewer in self._apart and viewer is not self._acting:
            return self._apart[viewer]
        return self._perspective()

    @property
    def together_number(self) -> int:
        """The number of the simultaneous choice that is going on; 0 if there is none."""
        return self._blocks if self._together else 0

    @property
    def common_ground(self) -> Perspective | None:
        """While all choose together: as it was before."""
        return self._outside

    def public_events(self) -> list[AnyEvent]:
        """What happened so far, without what is being chosen together."""
        outside = self._outside
        return self.hands.events if outside is None else outside.events

    def _perspective(self) -> Perspective:
        knowledge = self.knowledge
        return Perspective(self.pos, knowledge.known, knowledge.narrowed, self.hands.events)

    def settle(self, *, seal: bool = True) -> None:
        """A stop: what lies open is seen, and the events since the last one are sealed."""
        self.knowledge.at_stop(self.pos)
        self._tell_who_saw()
        if seal:
            self._settled = len(self.hands.events)
            self.knowledge.sealed()

    def settle_unasked(self) -> None:
        """Where somebody has one choice only, others are told no more than where there are more."""
        if self.has_secrets:
            with self.knowledge.as_at_stop(self.pos):
                self._tell_who_saw()
            self._settled = len(self.hands.events)

    def _tell_who_saw(self) -> None:
        events = self.hands.events
        for at in range(self._settled, len(events)):
            event = events[at]
            pieces = pieces_of(event)
            if pieces:
                told = self.knowledge.seen_in(at, pieces)
                if isinstance(event, Chosen | Shown | Narrated | Triggered):
                    told = (pair for pair in told if self.can_tell_which(*pair, pieces))
                events[at] = attrs.evolve(event, seen=event.seen.union(told))

    def can_tell_which(self, viewer: Thing, piece: Thing, about: frozenset[Thing]) -> bool:
        """Whether somebody who knows where a piece lies can tell when it is this one that is meant.

        Who only knows that it is one of those in somebody's hand can't, as long as it stays there
        and nothing has told him which it is, of all that an event is `about`.
        """
        return not self.knowledge.hides_among_others(self.pos, viewer, piece) or any(
            piece in pieces_of(event) and self._tells_which(event, viewer, piece, about)
            for event in self.hands.events[self._settled :]
        )

    def _tells_which(
        self, event: AnyEvent, viewer: Thing, piece: Thing, about: frozenset[Thing]
    ) -> bool:
        """Whether what happened to a piece sets it apart; not if it happened to others, too."""
        match event:
            case Moved(pieces=pieces, source=source):
                alone = about.issuperset(pieces)
                return alone or self.knowledge.sees(self.pos, viewer, piece, source)
            case Shown(pieces=pieces):
                return about.issuperset(pieces) and (viewer, piece) in event.seen
            case Chosen(viewers=viewers) | Assigned(viewers=viewers) | Rolled(viewers=viewers):
                return viewer in viewers and (viewer, piece) in event.seen
            case _:
                return (viewer, piece) in event.seen

    def value(self, node: core.Expr, frame: Frame) -> Value:
        return self.legality.compiled(node)(self.pos, frame)

    def number(self, node: core.Expr, frame: Frame) -> int:
        value = self.value(node, frame)
        if not isinstance(value, int):
            raise RulesError(mishaps.NO_NUMBER, node.span)
        return value

    def thing(self, node: core.Expr, frame: Frame) -> Thing:
        value = self.value(node, frame)
        if not isinstance(value, Thing):
            raise RulesError(mishaps.NO_THING, node.span)
        return value

    def _seat(self, node: core.Expr | None, frame: Frame, span: Span) -> Thing:
        if node is not None:
            return self.thing(node, frame)
        you = self.pos.you
        if you is None:
            raise RulesError(mishaps.NOBODY_ACTIVE, span)
        return you

    @contextmanager
    def as_chooser(self, seat: Thing) -> Iterator[None]:
        """Judge what is legal for this player."""
        before = self.pos.chooser
        if before is seat:
            yield
            return
        self._choosing(seat)
        try:
            yield
        finally:
            self._choosing(before)

    def _choosing(self, seat: Thing | None) -> None:
        self.pos.chooser = seat
        self.pos.changed()

    def _count(self) -> None:
        self.decisions += 1
        if self.most_decisions is not None and self.decisions > self.most_decisions:
            raise GameEnded("limit")

    def _count_decision(self) -> None:
        """Somebody decides; where the rules know no limit, not for ever."""
        self._count()
        if self.most_decisions is None and self.decisions > self.game.allowance.decisions:
            raise RulesError(mishaps.NO_END, self.game.steps["play"].span)

    def fingerprint(self) -> int:
        """A number that is equal for equal positions."""
        pos = self.pos
        return hash(
            (tuple(pos.contents.values()), tuple(pos.slots.values()), pos.active, pos.playing)
        )

    def _look(self, piece: Thing) -> tuple[object, ...]:
        states = tuple(
            self.pos.slots[(key, piece)]
            for key, state in self.game.states.items()
            if state.owner == piece.kind
        )
        return (piece.kind, look(piece), states)

    @abstractmethod
    def block(self, statements: core.Block, frame: Frame) -> Run:
        """Carry out statements one after the other."""
