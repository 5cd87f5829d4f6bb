"""Choosing together: everybody acts on a copy of the position, then the changes are merged."""

from __future__ import annotations

from collections.abc import Callable

from ruledsl.engine.code.instructions import (
    Code,
    Writer,
    add,
    cell_at,
    item,
    load,
    load64,
    mul,
    ne,
    op,
    sub,
)
from ruledsl.engine.context import STOPPED, Context, Part
from ruledsl.engine.effects.effects import Effects
from ruledsl.engine.expressions.boards import Boards
from ruledsl.engine.expressions.environment import Env, Expressions
from ruledsl.engine.memory.control import (
    ACTIVE,
    DECISIONS,
    GENERATOR,
    HOW,
    OUT,
    PLAYING,
    STOPS,
    VECTOR,
    WON,
)
from ruledsl.engine.memory.layout import element_of
from ruledsl.engine.procedures.frames import (
    Frames,
    Gathering,
    Machine,
    Scope,
)
from ruledsl.engine.procedures.resumable import ResumableStatements
from ruledsl.engine.sets.keeping import KeptSets
from ruledsl.engine.sets.stored import Listed, Words
from ruledsl.model import core
from ruledsl.model.additions import only_added_to


class Together(Part):
    """Lowers `together`."""

    def __init__(
        self,
        context: Context,
        expressions: Expressions,
        keeping: KeptSets,
        boards: Boards,
        effects: Effects,
        frames: Frames,
        resumable: ResumableStatements,
    ) -> None:
        super().__init__(context)
        self.expressions = expressions
        self.keeping = keeping
        self.boards = boards
        self.effects = effects
        self.frames = frames
        self.resumable = resumable

    def act_together(self, m: Machine, node: core.Together, env: Env, scope: Scope) -> None:
        """Everybody acts on a copy of the same position; then all of it happens."""
        w = m.w
        size = self.layout.table_end - VECTOR
        cells = -(-size // 8)
        copies = self.layout.players + 1
        base = self.frames.own_cell(m.frame, node, "tables", cells * copies, width=8)
        players = self.frames.own_cell(m.frame, node, "players", self.layout.players + 2)
        cursor = self.frames.own_cell(m.frame, node, "cursor")
        whole = self.keeping.listed(w, self.expressions.set(w, node.domain, env))
        w.emit("copy", players, whole.address, mul(add(load(whole.address), 1), 4))
        self.effects.seeing.know_stop(w)
        w.emit("copy", base, VECTOR, size)
        w.store(cursor, 0)
        head, after, done = m.block(), m.block(), m.block()
        m.goto(head)
        m.start(head)
        m.go_if(op("i32.ge_s", load(cursor), load(players)), after)
        player = load(cell_at(players + 4, load(cursor)))
        self._restore_table(w, base, size)
        self.context.spend(w, node.body, node.span)
        for slot in self.layout.states.values():
            if slot.fixed:
                with w.counting(0, slot.count) as at:
                    w.store(cell_at(slot.fixed, at), 0)
        inner = dict(env)
        of = element_of(node.domain.type)
        inner[node.local.number] = self.frames.keep_local(w, m.frame, node.local, of, player)
        finish = m.block()

        def leave(status: Code) -> None:
            # Whoever ends the game takes back what was done together so far.
            with w.when(ne(status, STOPPED)):
                how, won = w.variable(load(HOW)), w.variable(load(WON))
                self._restore_table(w, base, size)
                w.store(HOW, how)
                w.store(WON, won)
            scope.leave(status)

        def back(out: Callable[[], None]) -> Callable[[], None]:
            def restore() -> None:
                self._restore_table(w, base, size)
                out()

            return restore

        ends = {name: back(out) for name, out in scope.ends.items()}
        inner_scope = Scope(scope.setting, {**ends, "loop": lambda: m.goto(finish)}, leave)
        self.resumable.block(m, node.body, inner, inner_scope)
        m.goto(finish)
        m.start(finish)
        w.store(cursor, add(load(cursor), 1))
        mine = w.once(add(mul(load(cursor), cells * 8), base))
        w.emit("copy", mine, VECTOR, size)
        m.goto(head)
        m.start(after)
        self._restore_table(w, base, size)
        with w.counting(1, add(load(players), 1)) as at:
            self._merge(w, base, w.once(add(mul(at, cells * 8), base)), node)
        self.effects.seeing.know_stop(w)
        m.frame.gatherings.append(Gathering(base, cursor, head, len(m.blocks)))
        m.goto(done)
        m.start(done)

    def _restore_table(self, w: Writer, base: Code, size: int) -> None:
        """Go back to the common position; chance and the number of decisions go on."""
        generator = w.variable(load64(GENERATOR), "i64")
        decisions = w.variable(load(DECISIONS))
        stops = w.variable(load(STOPS))
        w.emit("copy", VECTOR, base, size)
        w.store64(GENERATOR, generator)
        w.store(DECISIONS, decisions)
        w.store(STOPS, stops)

    def _merge(self, w: Writer, start: Code, mine: Code, node: core.Together) -> None:
        """Bring into the position what one of several players changed."""
        layout = self.layout

        def in_copy(address: int, copy: Code) -> Code:
            return add(copy, address - VECTOR)

        moved = layout.list_memory(layout.pieces)
        for kind, at in layout.places.items():
            with w.counting(at.first, at.first + at.count) as place:
                count = w.variable(0)

                def note(piece: Code, place: Code = place, count: str = count) -> None:
                    piece = w.once(piece)
                    before = load(add(mul(piece, 4), in_copy(layout.place_of, start)))
                    with w.when(ne(before, place)):
                        w.set(count, add(count, 1))
                        w.store(cell_at(moved, count), piece)

                self._in_copy(kind, mine, place, w, note)
                w.store(moved, count)
                with w.when(count):
                    self.effects.dirty.touched(
                        w, ("place", kind), *self.effects.dirty.wherever(self._holds(kind))
                    )
                    self._know_merged(w, moved, place)
                    self.effects.moving.guards.note_room(w, self.game.kinds[kind].span)
                    w.emit("do", ("call", "move_quietly", moved, place))
        for key in layout.states:
            self._merge_state(w, key, start, mine, node)
        self._merge_players(w, start, mine)

    def _merge_state(
        self, w: Writer, key: str, start: Code, mine: Code, node: core.Together
    ) -> None:
        """What was only added to a number is added to what the others made of it."""
        slot = self.layout.states[key]
        owned = self.game.states[key].owner is not None
        self.effects.dirty.touched(w, ("state", key))
        with w.counting(0, (slot.count * slot.stride) // 4) as cell:
            at = w.once(add(mul(cell, 4), slot.base))
            new = w.once(load(add(at, sub(mine, VECTOR))))
            before = w.once(load(add(at, sub(start, VECTOR))))
            with w.when(ne(new, before)):
                value = w.variable(new)
                if slot.fixed:
                    note = w.once(add(mul(cell, 4), slot.fixed))
                    with w.when(load(add(note, sub(mine, VECTOR)))):
                        w.store(note, 1)
                    with w.otherwise():
                        self._add_up(w, key, value, at, sub(new, before), node)
                elif key in only_added_to(self.game):
                    self._add_up(w, key, value, at, sub(new, before), node)
                if owned and not slot.words:
                    self.boards.restate(w, key, add(cell, slot.first))
                w.store(at, value)
                if owned and not slot.words:
                    self.boards.restate(w, key, add(cell, slot.first))

    def _add_up(
        self, w: Writer, key: str, value: str, at: Code, more: Code, node: core.Together
    ) -> None:
        w.set(value, self.effects.slots.kept_within(w, key, add(load(at), more), node.span))

    def _merge_players(self, w: Writer, start: Code, mine: Code) -> None:
        """Who left, who still plays, and whose turn it is."""

        def in_copy(address: Code, copy: Code) -> Code:
            return load(add(address, sub(copy, VECTOR)))

        if self.context.players_leave:
            left = w.variable(0)
            with w.counting(in_copy(OUT, start), in_copy(OUT, mine)) as at:
                seat = w.once(in_copy(cell_at(self.layout.out_list, at), mine))
                w.set(left, ("i32.or", left, ("i32.shl", 1, seat)))
                self.effects.slots.eliminate(w, w.once(add(seat, self.layout.first_player)), None)
            playing = w.once(in_copy(PLAYING, mine))
            with w.when(ne(("i32.or", playing, left), in_copy(PLAYING, start))):
                w.store(PLAYING, playing)
                self.effects.dirty.touched(w, "playing")
        active = w.once(in_copy(ACTIVE, mine))
        with w.when(ne(active, in_copy(ACTIVE, start))):
            w.store(ACTIVE, active)
            self.effects.dirty.touched(w, "active")

    def _holds(self, kind: str) -> list[str]:
        info = self.game.kinds[kind].place
        assert info is not None
        return list(info.holds)

    def _know_merged(self, w: Writer, moved: int, place: Code) -> None:
        with w.counting(0, load(moved)) as at:
            piece = w.once(load(cell_at(moved + 4, at)))
            self.effects.seeing.know_one_moving(w, piece, place)

    def _in_copy(
        self, kind: str, copy: Code, place: Code, w: Writer, body: Callable[[Code], None]
    ) -> None:
        """Go through what a place holds in a copy of the position."""
        at = self.layout.places[kind]
        address = w.once(add(at.address(place), sub(copy, VECTOR)))
        match at.form:
            case "cell":
                held = w.once(load(address))
                with w.when(op("i32.ge_s", held, 0)):
                    body(held)
            case "stack":
                Listed(address, at.capacity).each(w, body)
            case "bits":
                Words(address, at.low, at.words).each(w, body)

    def write_move_quietly(self) -> None:
        """Move pieces without anybody learning or forgetting more."""
        w = self.context.function("move_quietly", "list", "place", result=False)
        with w.counting(0, load("list")) as at:
            piece = w.once(item("list", at))
            w.emit("do", ("call", "move", piece, "place", 0))
