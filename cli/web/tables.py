"""Tables on a server: people look and choose, computers think, and every choice is written down."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import attrs

from ruledsl.play.loading import MOST_SEED, LoadError
from ruledsl.players.seats import SeatError, seat_of
from ruledsl.table.errors import RulesError
from ruledsl.texts.text import LANGUAGES

from ..restore import restore
from ..saves import Save, Saved, SavedChoice, SaveError, rules_hash
from ..terminal import Refused
from .desk import Desk, Done, Objection, ids_in, language_in, number_in
from .keeping import Apart, AtHand, Keeper
from .recipe import LONGEST_RULES, Recipe, load_text
from .storage import Kept, Storage
from .thinking import Check, Hint, Think, Thinkers, ThinkingFailed

MOST_TABLES = 400
MOST_APART = 8
"""Tables with rules that were sent: each has a process."""
MOST_VIEWERS = 32
"""of one table"""
IDLE_SECONDS = 600.0
"""A table that nobody looks at is put away after this; it is still there."""
PACE = 0.5
"""Seconds between two choices of computers, so that people can follow."""

log = logging.getLogger(__name__)


class Viewer:
    """A browser at a table; what is to be sent waits in `fresh`, the latest only."""

    def __init__(self, seat: int | None, language: str) -> None:
        self.seat = seat
        self.language = language
        self.told = 0
        self.turn = -1
        self.fresh = asyncio.Event()
        self.answers: asyncio.Queue[dict[str, Any]] = asyncio.Queue(16)


class Table:
    """A match with its save, and whoever looks at it."""

    def __init__(self, kept: Kept, keeper: Keeper, save: Save, thinkers: Thinkers, pace: float):
        self.kept = kept
        self.keeper = keeper
        self.save = save
        self.viewers: set[Viewer] = set()
        self.broken: str | None = None
        self.last_seen = time.monotonic()
        self._thinkers = thinkers
        self._pace = pace
        self._lock = asyncio.Lock()
        self._thinking: asyncio.Task[None] | None = None
        self.wake_computers()

    # ------------------------------------------------------------ messages

    async def obey(self, viewer: Viewer, message: Mapping[str, Any]) -> dict[str, Any] | None:
        """Do what a viewer says; the answer is for this viewer alone."""
        seat, language = viewer.seat, viewer.language
        match message.get("do"):
            case "choose":
                number, turn = number_in(message, "number"), number_in(message, "turn")
                await self._change(seat, "choose", number, turn)
            case "undo":
                await self._change(seat, "undo")
            case "why":
                if seat is None or self.keeper.state.seat != seat:
                    raise Objection("not your turn")
                return await self._ask("why", ids_in(message), language)
            case "rules":
                return await self._ask("rules", language)
            case "past":
                return await self._ask("past", seat, number_in(message, "turn"), language)
            case "hint":
                return await self._hint(viewer)
            case "language":
                viewer.language = language_in(message)
                viewer.told = 0
                viewer.turn = -1
                viewer.fresh.set()
                return await self._ask("stage", viewer.language)
            case _:
                raise Objection("bad message")
        return None

    async def _ask(self, method: str, *given: Any) -> dict[str, Any]:
        async with self._lock:
            found: dict[str, Any] = await self.keeper.ask(method, *given)
            return found

    async def _change(self, seat: int | None, method: str, *given: int) -> None:
        if seat is None:
            raise Objection("not your turn")
        async with self._lock:
            if self.broken is not None:
                raise Objection("broken")
            try:
                done: Done = await self.keeper.ask(method, seat, *given)
            except (RulesError, ThinkingFailed) as error:
                self._break(str(error))
                return
            self._write(done)
        self._changed(seat)

    def _write(self, done: Done) -> None:
        """Nobody hears of a choice before it is safe."""
        try:
            for choice in done.made:
                self.save.add(SavedChoice(choice.number, choice.code, choice.seat))
            for _ in range(done.dropped):
                self.save.drop_last()
        except SaveError as error:
            self._break(str(error))

    def _break(self, why: str) -> None:
        log.warning("table %s: %s", self.kept.id, why)
        self.broken = why
        self._changed()

    def _changed(self, mover: int | None = None) -> None:
        # Whoever made a choice waits for it, so they are told first.
        for viewer in sorted(self.viewers, key=lambda viewer: viewer.seat != mover):
            viewer.fresh.set()
        self.wake_computers()

    async def look(self, viewer: Viewer) -> dict[str, Any] | None:
        """What a viewer has not seen yet."""
        if self.broken is not None:
            return {"problem": "broken", "detail": self.broken}
        async with self._lock:
            turn = len(self.keeper.state.history)
            if turn < viewer.turn:
                viewer.told = 0  # Something was taken back.
            found: dict[str, Any] = await self.keeper.ask(
                "look", viewer.seat, viewer.told, viewer.language
            )
        viewer.told, viewer.turn = found["scene"]["told"], turn
        return found

    async def _hint(self, viewer: Viewer) -> dict[str, Any]:
        history = self.keeper.state.history
        if viewer.seat is None or self.keeper.state.seat != viewer.seat:
            raise Objection("not your turn")
        try:
            task = Hint(self.kept.id, self.kept.recipe, history, viewer.language)
            return {"hint": await self._thinkers.ask(task), "turn": len(history)}
        except ThinkingFailed:
            raise Objection("no hint") from None

    # ------------------------------------------------------------ computers

    def wake_computers(self) -> None:
        """Let a computer think if it is one's turn."""
        seat = self.keeper.state.seat
        idle = self._thinking is None or self._thinking.done()
        if seat is not None and self.kept.sitting[seat - 1] != "human" and idle:
            self._thinking = asyncio.get_running_loop().create_task(self._computers())

    async def _computers(self) -> None:
        while self.broken is None:
            state = self.keeper.state
            if state.seat is None or self.kept.sitting[state.seat - 1] == "human":
                return
            begun = time.monotonic()
            word = self.kept.sitting[state.seat - 1]
            task = Think(self.kept.id, self.kept.recipe, state.history, word)
            try:
                number = await self._thinkers.ask(task)
            except ThinkingFailed as error:
                self._break(str(error))
                return
            if self.viewers and self._pace:
                await asyncio.sleep(max(0.0, self._pace - (time.monotonic() - begun)))
            try:
                await self._change_by_computer(state.seat, number, len(state.history))
            except Objection:
                continue  # Somebody was quicker: an undo.

    async def _change_by_computer(self, seat: int, number: int, turn: int) -> None:
        async with self._lock:
            try:
                done: Done = await self.keeper.ask("choose", seat, number, turn)
            except (RulesError, ThinkingFailed) as error:
                self._break(str(error))
                return
            self._write(done)
        for viewer in self.viewers:
            viewer.fresh.set()

    def close(self) -> None:
        if self._thinking is not None:
            self._thinking.cancel()
        self.keeper.close()
        self.save.close()


@attrs.define
class Tables:
    """All tables of a server; those that nobody looks at rest in the storage."""

    storage: Storage
    thinkers: Thinkers
    pace: float = PACE
    trusted: frozenset[str] = frozenset()
    """paths of rules files that whoever runs the server named"""
    _open: dict[str, Table] = attrs.Factory(dict)
    _opening: asyncio.Lock = attrs.Factory(asyncio.Lock)

    async def create(self, wish: Mapping[str, Any]) -> Kept:
        """A new table, as somebody wishes it."""
        recipe, sitting, language = await self._read(wish)
        self._room_for(recipe)
        if recipe.rules is None:
            try:
                match = recipe.start(language)
            except LoadError as error:
                raise Refused(str(error)) from error
            keeper: Keeper = AtHand(Desk(match, sitting))
            mark = rules_hash(match)
        else:
            keeper = await Apart.begin(recipe, sitting, ())
            mark = rules_hash(load_text(recipe.rules).checked)
        kept, save = self.storage.create(recipe, sitting, language, mark)
        self._open[kept.id] = Table(kept, keeper, save, self.thinkers, self.pace)
        return kept

    def _room_for(self, recipe: Recipe) -> None:
        if len(self._open) >= MOST_TABLES:
            self.tidy(0)
        apart = sum(table.kept.recipe.rules is not None for table in self._open.values())
        if len(self._open) >= MOST_TABLES or (recipe.rules is not None and apart >= MOST_APART):
            raise Refused("too many tables")

    async def _read(self, wish: Mapping[str, Any]) -> tuple[Recipe, tuple[str, ...], str]:
        """What somebody wishes, if it can be."""
        game, rules, variant = wish.get("game"), wish.get("rules"), wish.get("variant")
        options, seats = wish.get("options") or {}, wish.get("seats")
        seed = wish.get("seed")
        language = wish.get("language", "en")
        fine = (
            (isinstance(game, str) or isinstance(rules, str))
            and (variant is None or isinstance(variant, str))
            and isinstance(options, dict)
            and all(isinstance(k, str) and isinstance(v, str) for k, v in options.items())
            and isinstance(seats, list)
            and 1 <= len(seats) <= 16
            and all(isinstance(seat, str) for seat in seats)
            and language in LANGUAGES
            and (seed is None or (isinstance(seed, int) and 0 <= seed < MOST_SEED))
        )
        if not fine:
            raise Refused("bad message")
        assert isinstance(seats, list) and isinstance(language, str)
        _check_seats(seats)
        drawn = secrets.randbelow(MOST_SEED) if seed is None else seed
        if isinstance(rules, str):
            if len(rules) > LONGEST_RULES:
                raise Refused("these rules are too long")
            found = await self.thinkers.ask(Check(rules))
            if found["game"] is None:
                raise Refused("these rules have mistakes")
            game = found["game"]["id"]
        assert isinstance(game, str)
        if rules is None and not _is_name(game) and game not in self.trusted:
            raise Refused(f"no game is called `{game}`")
        sent = rules if isinstance(rules, str) else None
        return Recipe(game, len(seats), drawn, variant, options, sent), tuple(seats), language

    async def get(self, name: str) -> Table | None:
        """A table by its id; one that rests is taken up again."""
        if name in self._open:
            return self._open[name]
        async with self._opening:
            if name in self._open:
                return self._open[name]
            found = self.storage.find(name)
            if found is None:
                return None
            return await self._take_up(*found)

    async def adopt(self, path: Path) -> Table:
        """A table for a save from elsewhere."""
        return await self._take_up(*self.storage.adopt(path))

    async def _take_up(self, kept: Kept, saved: Saved) -> Table:
        save = Save.open(saved.path)
        try:
            history = tuple(choice.number for choice in saved.choices)
            if kept.recipe.rules is None:
                keeper: Keeper = AtHand(Desk(restore(saved).match, kept.sitting))
            else:
                keeper = await Apart.begin(kept.recipe, kept.sitting, history)
        except BaseException:
            save.close()
            raise
        self._open[kept.id] = table = Table(kept, keeper, save, self.thinkers, self.pace)
        return table

    def enter(self, table: Table, viewer: Viewer) -> None:
        if len(table.viewers) >= MOST_VIEWERS:
            raise Refused("too many viewers")
        table.viewers.add(viewer)

    def leave(self, table: Table, viewer: Viewer) -> None:
        table.viewers.discard(viewer)
        table.last_seen = time.monotonic()

    def tidy(self, seconds: float = IDLE_SECONDS) -> None:
        """Put away tables that nobody has looked at for a while."""
        now = time.monotonic()
        for name, table in list(self._open.items()):
            if not table.viewers and now - table.last_seen > seconds:
                del self._open[name]
                table.close()
                self.thinkers.forget(name)

    def close(self) -> None:
        for table in self._open.values():
            table.close()
        self._open.clear()
        self.thinkers.close()


def _is_name(game: str) -> bool:
    return game.replace("-", "_").isidentifier()


def _check_seats(seats: list[str]) -> None:
    try:
        for word in seats:
            seat_of(word)
            if word.startswith("mcts"):
                raise Refused("on a server computers are easy, medium or hard")
    except SeatError as error:
        raise Refused(str(error)) from error
