"""A seat's table at one moment, made from the seat's view alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import attrs

from ruledsl.model.game import GridShape, StateInfo
from ruledsl.model.types import SetType, plain
from ruledsl.play.decisions import ActionOption, Decision
from ruledsl.play.events import AnyEvent
from ruledsl.play.match import Choice, Match
from ruledsl.play.typed import amounts_of
from ruledsl.play.views import PieceView, View
from ruledsl.scene.data import (
    Ask,
    Contents,
    Happening,
    Part,
    Piece,
    Progress,
    Scene,
    SceneOption,
    Seat,
    Stage,
    Stat,
)
from ruledsl.scene.ending import ending_of
from ruledsl.scene.happenings import Telling
from ruledsl.scene.looks import is_player, names_player, traits
from ruledsl.scene.notes import Notes
from ruledsl.scene.stage import Set, set_of
from ruledsl.scene.touching import Touching
from ruledsl.table.evaluate import frame_size
from ruledsl.table.queries import Frame
from ruledsl.table.things import Thing, Value

LONG_SET = 4
"""A set with more values than this that is as at the start says nothing."""


def stage_of(match: Match) -> Stage:
    """The bare table of a match, in its language."""
    return set_of(match.table, match.words).stage


def scene_of(match: Match, seat: int | None, since: int = 0, *, remember: bool = True) -> Scene:
    """What a seat sees now, or somebody without one, and what it saw happen `since` then.

    What a seat once saw and can follow is shown, too, where it may `remember`; else only what it
    was shown since then.
    """
    return _Painting(match, seat, since, remember=remember).scene()


def news_of(match: Match, seat: int | None, since: int = 0) -> tuple[int, list[Happening]]:
    """What a seat, or somebody without one, saw happen `since` then, without the table.

    First comes how much it saw happen in all.
    """
    viewer = None if seat is None else match.player(seat)
    viewers = match.table.things("Player") if viewer is None else (viewer,)
    telling = Telling(set_of(match.table, match.words), viewers)
    return telling.happenings(match.interpreter.perspective(viewer).events, since)


def retold(match: Match) -> list[Happening]:
    """What happened, as everybody may know it; when the game is over, all of it."""
    everybody = match.table.things("Player")
    viewers = everybody if match.result is None else ()
    telling = Telling(set_of(match.table, match.words), viewers)
    return telling.happenings(match.interpreter.perspective(None).events, 0)[1]


class _Painting:
    def __init__(self, match: Match, seat: int | None, since: int, *, remember: bool) -> None:
        self.match = match
        self.seat = seat
        self.since = since
        self.set: Set = set_of(match.table, match.words)
        self.looks = self.set.looks
        self.words = match.words
        viewer = None if seat is None else match.player(seat)
        viewers = match.table.things("Player") if viewer is None else (viewer,)
        self.telling = Telling(self.set, viewers)
        self.events: list[AnyEvent] = match.interpreter.perspective(viewer).events
        view = match.view(seat)
        shown = frozenset() if remember else self.telling.shown(self.events, since)
        self.view: View = view if remember else view.lying_open(shown)
        self.at = {each.place: each.pieces for each in self.view.places}
        self.slots = {(key, owner): value for key, owner, value in self.view.slots}

    def scene(self) -> Scene:
        match = self.match
        told, happenings = self.telling.happenings(self.events, self.since)
        contents = tuple(self._contents())
        return Scene(
            seat=self.seat,
            seats=tuple(self._seat(player) for player in match.table.things("Player")),
            contents=contents,
            stats=tuple(self._stats(None, None)) + tuple(self._stats_of_values()),
            told=told,
            happenings=tuple(happenings),
            ask=self._ask(contents),
            prompt=match.prompt_for(self.seat),
            ending=ending_of(match),
        )

    # ------------------------------------------------------------ values

    def _stats(self, kind: str | None, owner: Thing | None) -> Iterator[Stat]:
        """The visible values of a thing, or of the game, that tell something."""
        for info in self.match.game.states.values():
            if info.owner == kind and (info.key, owner) in self.slots:
                stat = self._stat(info, owner, self.slots[info.key, owner])
                if stat is not None:
                    yield stat

    def _stats_of_values(self) -> Iterator[Stat]:
        """The values of things that are nowhere on the table, such as teams."""
        for info in self.match.game.states.values():
            kind = self.match.game.kinds.get(info.owner or "")
            if kind is not None and kind.sort in ("enumeration", "product", "direction"):
                for thing in self.match.table.things(kind.name):
                    if (info.key, thing) in self.slots:
                        stat = self._stat(info, thing, self.slots[info.key, thing])
                        if stat is not None:
                            yield stat

    def _stat(self, info: StateInfo, owner: Thing | None, value: Value) -> Stat | None:
        if value is None or self.looks.is_bookkeeping(info.key):
            return None
        slot = self.match.table.slots[info.key, owner]
        usual = value == self.match.table.start_value(slot)
        if isinstance(value, bool) and usual:
            return None
        if isinstance(plain(info.type), SetType):
            assert isinstance(value, tuple)
            if not value or (usual and len(value) > LONG_SET):
                return None
        look = self.looks.said(info.key)
        shown = self.looks.of_value(value)
        label = self.words.state(info.key)
        kind = None if owner is None else self.match.game.kinds.get(owner.kind)
        if owner is not None and kind is not None and kind.sort in ("enumeration", "product"):
            label = f"{label} ({self.words.value(owner)})"
        is_number = isinstance(value, int) and not isinstance(value, bool)
        return Stat(
            key=info.key,
            label=label,
            text=self.words.value(value),
            number=value if is_number and isinstance(value, int) else None,
            low=slot.low if is_number else None,
            high=slot.high if is_number else None,
            flag=value is True,
            symbol=look.symbol or shown.symbol,
            colour=look.colour or shown.colour,
            usual=usual,
        )

    # ------------------------------------------------------------ players

    def _seat(self, player: Thing) -> Seat:
        colour, symbol = self.looks.seat(player)
        return Seat(
            id=str(player),
            number=player.index + 1,
            label=self.words.thing(player),
            colour=colour,
            symbol=symbol,
            stats=tuple(self._stats("Player", player)),
            progress=self._progress(player),
            you=self.seat == player.index + 1,
            active=player is self.view.active and self.match.result is None,
            out=player not in self.view.playing,
            asked=player.index + 1 == self.match.seat
            and (self.match.asks_openly or self.seat == self.match.seat),
        )

    def _progress(self, player: Thing) -> Progress | None:
        """How far a player is; the rules are checked to tell no secret by it.

        At the end, the ranking says what everybody has reached.
        """
        info = self.match.game.progress
        if info is None or (info.goal is None and self.match.result is not None):
            return None
        table = self.match.table
        viewer = None if self.seat is None else self.match.player(self.seat)
        pos = self.match.interpreter.perspective(viewer).pos
        size = frame_size(info.value, info.goal, info.local)
        frame: Frame = [player, *([None] * size)]
        value, goal = (
            None if node is None else table.evaluator.compiled(node)(pos, frame)
            for node in (info.value, info.goal)
        )
        if not isinstance(value, int) or not isinstance(goal, int | None):
            return None
        return Progress(value, goal, "" if info.unit is None else self.words.text(info.unit))

    # ------------------------------------------------------------ places and pieces

    def _contents(self) -> Iterator[Contents]:
        for place in self.view.places:
            if place.place not in self.set.shown:
                continue
            stats = tuple(self._stats(place.place.kind, place.place))
            if place.pieces is None:
                yield Contents(str(place.place), None, (), stats)
            elif place.pieces or stats:
                pieces = tuple(
                    self._spread(self.piece(view, f"{place.place}/{number}"), view, place.place)
                    for number, view in enumerate(place.pieces)
                )
                if self.looks.said(place.place.kind).shape == "cover":
                    pieces = tuple(map(self._covering, pieces, place.pieces))
                yield Contents(str(place.place), len(pieces), pieces, stats)

    def piece(self, view: PieceView, where: str) -> Piece:
        if view.piece is None:
            return self._back(view, where)
        piece = view.piece
        look = self.looks.piece(piece, view.states)
        label = self.looks.body(piece, view.states)
        owner = self.looks.owner(piece, view.states)
        return Piece(
            id=where,
            kind=view.kind,
            label=label,
            shape=look.shape,
            letters=self.looks.letters[view.kind].get(label, ""),
            colour=look.colour,
            symbols=look.symbols,
            owner=None if owner is None else owner.index + 1,
            stats=tuple(self._piece_stats(piece, view)),
            inside=tuple(self._inside(piece)),
            told=", ".join(self._left_open(view)),
            remembered=not view.seen,
        )

    def _spread(self, piece: Piece, view: PieceView, place: Thing) -> Piece:
        """A piece of a board that has a form lies upon all the cells which that covers."""
        info = self.match.game.kinds[place.kind].place
        if view.piece is None or info is None or not isinstance(info.shape, GridShape):
            return piece
        kinds = self.match.game.kinds
        made_of = traits(view.piece, view.states, self.match.game.states)
        forms = [
            each
            for each in made_of
            if each.kind in kinds
            and kinds[each.kind].forms
            and kinds[each.kind].sixths in (False, info.shape.hexagonal)
        ]
        # States are told last: a form that a piece was given, rather than its shape as drawn.
        cells = self.match.table.forms.cover(place, forms[-1]) if forms else None
        if cells is None:
            return piece
        return attrs.evolve(piece, covers=tuple(map(str, cells)))

    def _covering(self, piece: Piece, view: PieceView) -> Piece:
        """A piece upon the fields of the region that it is named after."""
        if view.piece is None:
            return piece
        named = (value for value in view.piece.indexes.values() if isinstance(value, Thing))
        fields = (field for value in named for field in self.set.of_value.get(value, ()))
        return attrs.evolve(piece, covers=tuple(fields))

    def _back(self, view: PieceView, where: str) -> Piece:
        """A piece that the seat can't identify, with what it was told about it."""
        look = self.looks.back(view.kind)
        label = self.words.kind(view.kind)
        symbols = tuple(self._left_open(view))
        if symbols:
            label = f"{label} ({', '.join(symbols)})"
        return Piece(
            id=where, kind=view.kind, label=label, shape=look.shape, known=False, symbols=symbols
        )

    def _left_open(self, view: PieceView) -> Iterator[str]:
        """What a piece can still be to those who were only told about it, where that is little."""
        for column in zip(*((f, *i) for f, i in view.looks or ()), strict=True):
            values = sorted({self.words.value(value) for value in column if value is not None})
            if 0 < len(values) <= 2:
                yield "/".join(values)

    def _piece_stats(self, piece: Thing, view: PieceView) -> Iterator[Stat]:
        for key, value in view.states:
            info = self.match.game.states[key]
            if names_player(info) or is_player(value):
                continue
            stat = self._stat(info, piece, value)
            if stat is not None:
                yield stat

    def _inside(self, piece: Thing) -> Iterator[Piece]:
        """What lies in the places of a piece."""
        for family in self.set.arrangement.with_piece.get(piece.kind, ()):
            if not family.rest and not self.looks.is_bookkeeping(family.kind):
                place = self.match.table.place_at(family.kind, (piece,))
                for number, view in enumerate(self.at[place] or ()):
                    yield self.piece(view, f"{place}/{number}")

    # ------------------------------------------------------------ the decision

    def _ask(self, contents: tuple[Contents, ...]) -> Ask | None:
        match = self.match
        if match.decision is None or match.seat != self.seat:
            return None
        decision: Decision = match.decision
        touching = Touching(self.set, match.view(self.seat), match.interpreter.pos.place_of)
        notes = Notes(self.set, self.seat, {held.place: held.pieces for held in contents})
        amounts = [*amounts_of(match.options).values()]
        of = {option: amount for amount, option in amounts[0].items()} if len(amounts) == 1 else {}
        options = tuple(
            self._option(choice, touching, notes, of.get(choice.number)) for choice in match.options
        )
        return Ask(
            match.prompt,
            options,
            cites_of(decision.trail),
            decision.several,
            decision.least,
            decision.most,
            tuple(
                Part(match.labels.value(value), touching.value(value)) for value in decision.picked
            ),
        )

    def _option(
        self, choice: Choice, touching: Touching, notes: Notes, amount: int | None
    ) -> SceneOption:
        labels = self.match.labels.parts(choice.option)
        touched = touching.option(choice.option)
        noted = notes.option(choice.option, touched, labels)
        written = ""
        if isinstance(choice.option, ActionOption):
            written = self.match.notation.written(choice.option)
        return SceneOption(
            choice.number,
            choice.label,
            tuple(Part(*each) for each in zip(labels, touched, noted, strict=True)),
            "" if written in choice.label else written,
            amount,
        )


def cites_of(trail: Iterable[object]) -> tuple[str, ...]:
    """The rules that a line cites."""
    return tuple(rule for mark in trail if (rule := getattr(mark, "rule", None)) is not None)
