"""What players see and know, as code: a mask of seats for each piece.

It is kept only where it can matter for what may be chosen: where somebody may choose among pieces
that nobody shows them. Everywhere else nothing is written at all.
"""

from __future__ import annotations

from ruledsl.engine.code.instructions import (
    Code,
    Function,
    Width,
    Writer,
    add,
    both,
    cell_at,
    eq,
    item,
    load,
    no,
    sub,
)
from ruledsl.engine.context import Context, Part
from ruledsl.engine.expressions.environment import Env, Expressions
from ruledsl.engine.expressions.reading import Reading
from ruledsl.engine.memory.board_plans import words_for
from ruledsl.engine.memory.layout import PlaceLayout
from ruledsl.engine.sets.stored import Words
from ruledsl.model import core
from ruledsl.model.game import Sight
from ruledsl.model.types import SetType, plain
from ruledsl.model.walk import statements
from ruledsl.play.knowledge import look
from ruledsl.table.things import Thing


class Seeing(Part):
    """Lowers seeing, knowing and forgetting."""

    def __init__(self, context: Context, expressions: Expressions, reading: Reading) -> None:
        super().__init__(context)
        self.expressions = expressions
        self.reading = reading
        places = [kind.place for kind in self.game.kinds.values() if kind.place is not None]
        self.secrets = any(place.sight != "open" for place in places)
        self.track = self.secrets and self._chooses_unseen()
        if self.track:
            self.layout.track_knowledge()
        self.everybody = (1 << self.layout.players) - 1
        self.look_numbers = self._look_numbers()
        self.looks = self.layout.numbers(self.look_numbers)
        self.forms: set[str] = {
            name
            for name, at in self.layout.places.items()
            if at.form == "bits" and self._sight(name) != "open"
        }

    def _look_numbers(self) -> list[int]:
        """Pieces that look alike have the same number."""
        numbers: dict[object, int] = {}
        pieces = self.layout.things[: self.layout.pieces]
        return [numbers.setdefault((piece.kind, look(piece)), len(numbers)) for piece in pieces]

    def _sight(self, kind: str) -> Sight:
        info = self.game.kinds[kind].place
        assert info is not None
        return info.sight

    # ------------------------------------------------------------ whether it matters

    def _chooses_unseen(self) -> bool:
        for block in self.game.blocks():
            for part in statements(block):
                match part:
                    case core.ChooseValue(domain=domain, by=by):
                        if not self._sure(domain, by):
                            return True
                    case core.ChooseAction(by=by, offers=offers):
                        for offer in offers:
                            picks = self.game.actions[offer.action].picks
                            if not all(self._sure(pick.domain, None) for pick in picks):
                                return True
                    case _:
                        pass
        return False

    def _sure(self, domain: core.Expr, by: core.Expr | None) -> bool:
        """Whether whoever chooses certainly sees all there is to choose from."""
        of = plain(domain.type)
        if not isinstance(of, SetType):
            return True
        pieces = list(filter(self.layout.is_piece_kind, self.layout.kinds_of(of.element)))
        if not pieces:
            return True
        holding = [
            kind.place
            for kind in self.game.kinds.values()
            if kind.place is not None and set(kind.place.holds) & set(pieces)
        ]
        if all(place.sight == "open" for place in holding):
            return True
        match domain:
            case core.Contents(place=core.PlaceAt(place=name, indexes=indexes)):
                if self._sight(name) == "open":
                    return True
                wanted = core.Special("you") if by is None else by
                return self._sight(name) == "private" and wanted in indexes
            case core.Contents(place=place):
                return all(self._sight(kind) == "open" for kind in self.layout.kinds_of(place.type))
            case core.Query(word="filter", draws=(draw,)):
                return self._sure(draw.domain, by)
            case _:
                return False

    # ------------------------------------------------------------ seeing

    def write_seeing(self) -> None:
        """A function that tells which seats see a piece in a place."""
        if not self.track:
            return
        w = self.context.function("sees", "piece", "place")
        masks = [0] * len(self.layout.things)
        conditional: list[str] = []
        for kind, at in self.layout.places.items():
            sight = self._sight(kind)
            for number, place in enumerate(self.table.things(kind)):
                if sight == "open":
                    masks[at.first + number] = self.everybody
                elif sight == "private":
                    masks[at.first + number] = self._owners(place)
            if not isinstance(sight, str):
                conditional.append(kind)
        for kind in conditional:
            sight = self._sight(kind)
            assert not isinstance(sight, str)
            at = self.layout.places[kind]
            with w.when(("i32.lt_u", sub("place", at.first), at.count)):
                mask = w.variable(0)
                first = self.layout.first_player
                with w.counting(0, self.layout.players) as seat:
                    env: Env = {0: "place", 1: "piece", 2: w.once(add(seat, first))}
                    visible = self.expressions.condition(w, sight, env)
                    w.set(mask, ("i32.or", mask, ("i32.shl", visible, seat)))
                w.give_back(mask)
        w.give_back(self.layout.lookup(self.layout.numbers(masks), "place"))

        w = self.context.function("knows", "seat", "piece")
        seen = ("call", "sees", "piece", self.layout.where("piece"))
        known = ("i32.or", self._known("piece"), seen)
        w.give_back(_has_bit(known, "seat"))

        self._write_know_stop(conditional)
        self._write_moving()

    def _write_know_stop(self, conditional: list[str]) -> None:
        """A function that lets everybody look at what may tell them something new.

        Who sees a place whatever happens has seen what lies there, but for what has moved. In a
        place that is seen on a condition, anything may be new.
        """
        w = self.context.function("know_stop", result=False)
        layout = self.layout

        def look_at(piece: Code) -> None:
            self._know(w, piece, ("call", "sees", piece, layout.where(piece)))

        moved = self._moved()
        moved.each(w, look_at)
        moved.clear(w)
        for kind in conditional:
            at = layout.places[kind]
            with w.counting(at.first, at.first + at.count) as place:
                self.reading.any_held(w, at, place).each(w, look_at)

    def _owners(self, place: Thing) -> int:
        mask = 0
        for value in place.indexes.values():
            if isinstance(value, Thing) and value.kind == "Player":
                mask |= 1 << value.index
        return mask

    def _known_at(self, piece: Code) -> Code:
        return cell_at(self.layout.known, piece)

    def _known(self, piece: Code) -> Code:
        return load(self._known_at(piece))

    def sees_state(self, w: Writer, key: str, owner: Code, seat: Code) -> Code:
        """Whether a seat sees the slot of a piece."""
        info = self.game.states[key]
        match info.sight:
            case "open":
                return 1
            case "hidden":
                return 0
            case "private":
                assert info.owner is not None
                owners = [self._owners(thing) for thing in self.table.things(info.owner)]
                if info.owner == "Player":
                    owners = [1 << number for number in range(self.layout.players)]
                table = self.layout.numbers(owners)
                mask = self.layout.lookup(table, sub(owner, self.layout.first[info.owner]))
                return _has_bit(mask, seat)
            case sight:
                viewer = w.once(add(seat, self.layout.first_player))
                return self.expressions.condition(w, sight, {0: owner, 1: owner, 2: viewer})

    # ------------------------------------------------------------ learning and forgetting

    def know_stop(self, w: Writer) -> None:
        """What lies open is seen when the game stops."""
        if self.track:
            w.emit("do", ("call", "know_stop"))

    def note_moved(self, w: Writer, piece: Code) -> None:
        """A piece was laid somewhere: at the next stop somebody may see what it is."""
        if self.track:
            self._moved().put(w, piece)

    def _moved(self) -> Words:
        return Words(self.layout.moved, 0, words_for(self.layout.pieces))

    def know_one_moving(self, w: Writer, piece: Code, target: Code) -> None:
        if self.track and self.forms:
            w.emit("do", ("call", "know_one_moving", piece, target))

    def know_group_moving(self, w: Writer, group: Code, source: Code, target: Code) -> None:
        if self.track and self.forms:
            w.emit("do", ("call", "know_moving", group, source, target))

    def know_shown(self, w: Writer, piece: Code, mask: Code) -> None:
        if self.track:
            self._know(w, piece, mask)

    def _know(self, w: Writer, piece: Code, mask: Code) -> None:
        address = w.once(self._known_at(piece))
        w.store(address, ("i32.or", load(address), mask))

    def know_shuffled(self, w: Writer, place: Code) -> None:
        if not self.track:
            return

        def forget(piece: Code) -> None:
            address = w.once(self._known_at(piece))
            seen = ("call", "sees", piece, place)
            w.store(address, ("i32.and", load(address), seen))

        def held(at: PlaceLayout) -> None:
            self.reading.any_held(w, at, place).each(w, forget)

        self.reading.for_place(w, place, list(self.layout.places), held)

    def _write_moving(self) -> None:
        """Before some pieces leave a place that somebody can't look into."""
        if not self.forms:
            return
        layout = self.layout
        single = layout.scratch(12)
        w = self.context.function("know_one_moving", "piece", "target", result=False)
        w.store(single, 1)
        w.store(single, "piece", 4)
        w.emit("do", ("call", "know_moving", single, self.layout.where("piece"), "target"))

        params: list[tuple[str, Width]] = [("list", "i32"), ("source", "i32"), ("target", "i32")]
        w = Writer(self.context.program.add(Function("know_moving", params, None)))
        hidden = w.variable(0)
        for kind in sorted(self.forms):
            places = layout.places[kind]
            inside = ("i32.lt_u", sub("source", places.first), places.count)
            w.set(hidden, ("i32.or", hidden, inside))
        with w.when(no(hidden)):
            w.give_back()
        moving = layout.scratch(4 * (layout.pieces + 1))
        unseen = w.variable(0)
        with w.counting(0, load("list")) as at:
            leaving = w.once(item("list", at))
            w.store(cell_at(moving, leaving), 1)
            w.set(unseen, ("i32.or", unseen, ("i32.xor", _seen_moving(leaving), self.everybody)))
        staying = self._staying(w, moving)
        with w.counting(0, load("list")) as at:
            w.store(cell_at(moving, item("list", at)), 0)
        with w.when(no(load(staying))):
            w.give_back()
        # Who misses a piece leaving mixes up all that stay; and forgets the pieces missed.
        with w.counting(0, load("list")) as at:
            leaving = w.once(item("list", at))
            seen = _seen_moving(leaving)
            address = w.once(self._known_at(leaving))
            w.store(address, ("i32.and", load(address), seen))
        with w.counting(0, load(staying)) as at:
            address = w.once(self._known_at(item(staying, at)))
            w.store(address, ("i32.and", load(address), ("i32.xor", unseen, -1)))
        spare = layout.scratch(4 * (layout.pieces + 1))
        with w.counting(0, layout.players) as seat, w.when(no(_has_bit(unseen, seat))):
            self._mistake(w, seat, staying, spare)

    def _staying(self, w: Writer, moving: int) -> int:
        """A list of the pieces in the place that others leave."""
        pieces = self.layout.list_memory(self.layout.pieces)
        number = w.variable(0)

        def note(piece: Code) -> None:
            piece = w.once(piece)
            with w.when(no(load(cell_at(moving, piece)))):
                w.set(number, add(number, 1))
                w.store(cell_at(pieces, number), piece)

        def held(at: PlaceLayout) -> None:
            self.reading.held_in(w, at, "source", None).each(w, note)

        self.reading.for_place(w, "source", sorted(self.forms), held)
        w.store(pieces, number)
        return pieces

    def _mistake(self, w: Writer, seat: Code, staying: int, spare: int) -> None:
        """Who sees pieces come out, but did not know them, may take a known one that stays for one.

        Each known piece that stays is mistaken for one such piece at most: `spare` has the rest.
        """
        look = self.layout.lookup
        with w.counting(0, load(staying)) as at:
            w.store(cell_at(spare, at), _has_bit(self._known(item(staying, at)), seat))
        with w.counting(0, load("list")) as at:
            leaving = w.once(item("list", at))
            told = ("i32.or", self._known(leaving), ("call", "sees", leaving, "source"))
            with (
                w.when(no(_has_bit(told, seat))),
                w.block() as label,
                w.counting(0, load(staying)) as number,
            ):
                other = w.once(item(staying, number))
                same = eq(look(self.looks, leaving), look(self.looks, other))
                with w.when(both(load(cell_at(spare, number)), same)):
                    w.store(cell_at(spare, number), 0)
                    address = w.once(self._known_at(other))
                    bit = ("i32.shl", 1, seat)
                    w.store(address, ("i32.and", load(address), ("i32.xor", bit, -1)))
                    w.leave(label)


def _has_bit(mask: Code, seat: Code) -> Code:
    return ("i32.and", ("i32.shr_u", mask, seat), 1)


def _seen_moving(piece: Code) -> Code:
    """The seats that see a piece where it is, or where it goes."""
    return ("i32.or", ("call", "sees", piece, "source"), ("call", "sees", piece, "target"))
