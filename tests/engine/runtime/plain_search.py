"""The search as plain Python: slow, with lists and tuples where the engine has blocks and marks.

It decides in the tree by itself. How a playout goes on below the tree is the business of quick
games, so that is left to the engine, and only its end is read.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Hashable, Sequence
from math import log, sqrt

import attrs

from ruledsl.engine import Engine
from ruledsl.engine.engine import Candidate, Saved
from ruledsl.engine.memory.control import (
    ACTIVE,
    CUT,
    DECISIONS,
    HEADER,
    MIND,
    PLAYING,
    VECTOR,
    WINNERS,
)
from ruledsl.engine.runtime.dealing import Recipe
from ruledsl.model import core
from ruledsl.play.chance import Generator
from ruledsl.play.knowledge import look
from ruledsl.table.things import Thing, Value

ONE = 1 << 16
"""a reward of 1"""
CURIOSITY = 0.45
WINNING = 3 / 4
"""how much of a reward is for winning, among more than two"""
LOT = 0x9FB21C651E98DF25
MOST_LEAD = 15_000
ENTRY_SIZE, BLOCK_SIZE, MORE = 32, 24, 8
NONE_YET = -1

_WORD = (1 << 64) - 1


@attrs.define(eq=False)
class Entry:
    """An option at a decision, or what was rolled, and what came of it."""

    label: Hashable = None
    seat: int = 0
    sum: int = 0
    visits: int = 0
    offered: int = 0
    below: list[list[Entry]] = attrs.field(factory=list)
    """blocks, each with some room"""
    rooms: list[int] = attrs.field(factory=list)


@attrs.define
class Option:
    """How an option of the decision that is searched has done."""

    visits: int
    sums: list[int]
    wins: list[int]
    places: list[int]
    """twice each, added up"""
    cuts: int = 0


def quotient(one: int, other: int) -> int:
    """Towards zero."""
    return abs(one) // abs(other) * (1 if (one < 0) == (other < 0) else -1)


@attrs.define
class PlainSearch:
    """Searches beside an engine that searches, one iteration at a time."""

    searching: Engine
    beside: Engine
    """of the same table; it goes down the tree again"""
    worlds: list[bytes]
    seat: int
    reach: int
    memory: int
    """bytes of the tree"""
    tabled: int
    """numbers up to which roots are known exactly"""
    script: Sequence[int] | None = None
    recipe: Recipe | None = None
    rolled: Callable[[Engine], Hashable] | None = None
    """what was rolled on the way to this decision, in a game that tells; None for nothing"""
    named: Callable[[Engine], Sequence[Thing]] = lambda _: ()
    """the piece that a name in scope refers to, in a game that tells"""
    options: list[Option] = attrs.field(factory=list)
    number: int = 0
    world: int = 0
    mixed: Sequence[int] = ()
    """the pieces in the order in which they were dealt last"""
    least: int = ONE
    most: int = 0
    cuts: int = 0
    gains: int = 0
    root: Entry = attrs.field(factory=Entry)
    blocks: dict[Hashable, list[Entry]] = attrs.field(factory=dict)
    leads: list[int] = attrs.field(factory=list)
    goes_on: bool = False
    """whether somebody has to decide beside the engine"""

    def __attrs_post_init__(self) -> None:
        self.leads = [0] * self.players
        self.memory -= ENTRY_SIZE

    @property
    def players(self) -> int:
        return self.beside.layout.players

    @property
    def spread(self) -> int:
        """How far rewards lie apart, before the first one as far as can be."""
        return (self.most - self.least if self.most > self.least else 0) or ONE

    # ------------------------------------------------------------ one iteration

    def iterate(self) -> list[Entry]:
        """Predict what the engine does, let it, and learn from the end it came to: the path."""
        mind = Generator(int.from_bytes(self.searching.runner.read(MIND, 8), "little"))
        world = self.worlds[self.world]
        self.world = (self.world + 1) % len(self.worlds)
        if self.recipe is not None:
            world = self._dealt(world, self.recipe, mind)
        self._go(world, mind.next())
        taken, path = self._down(mind)
        self.searching.search(1)
        rewards = self._rewards()
        self.least, self.most = min([self.least, *rewards]), max([self.most, *rewards])
        for entry in path:
            entry.visits += 1
            entry.sum += rewards[entry.seat]
        if taken is not None:
            option = self.options[taken]
            option.visits += 1
            row = self.searching.result()
            option.cuts += row.how == "cut"
            for seat in range(self.players):
                option.sums[seat] += rewards[seat]
                if seat + 1 in row.winners:
                    option.wins[seat] += self._part_of_win(ONE)
                before = sum(rank < row.ranks[seat] for rank in row.ranks)
                alike = row.ranks.count(row.ranks[seat])
                option.places[seat] += 2 * before + alike + 1
        return path

    def _go(self, world: bytes, seed: int) -> None:
        engine = self.beside
        engine.load(Saved(world, {}))
        engine.reseed(seed)
        decisions = engine._cell(DECISIONS)
        engine._put(CUT, decisions + self.reach)
        self.goes_on = engine.choose(NONE_YET)

    def _dealt(self, world: bytes, recipe: Recipe, mind: Generator) -> bytes:
        """The pieces of each kind are mixed once more, and what they are is written."""
        before = self.mixed or recipe.pieces
        pieces: list[int] = []
        for size in recipe.kinds:
            start = len(pieces)
            pieces += mind.shuffled(before[start : start + size])
        self.mixed = pieces
        data = bytearray(world)

        def set_bit(address: int, bit: int) -> None:
            at = address - VECTOR + 8 * (bit // 64)
            (word,) = struct.unpack_from("<Q", data, at)
            struct.pack_into("<Q", data, at, word | 1 << bit % 64)

        for address, role in recipe.names:
            struct.pack_into("<i", data, address - VECTOR, pieces[role])
        for address, low, role in recipe.bits:
            set_bit(address, pieces[role] - low)
        for address, role, value in recipe.values:
            struct.pack_into("<i", data, address - VECTOR + 4 * pieces[role], value)
        for address, table, number, role in recipe.boards:
            read = self.beside.runner.read(table + 4 * pieces[role], 4)
            (value,) = struct.unpack("<i", read)
            set_bit(address + 8 * value, number)
        return bytes(data)

    # ------------------------------------------------------------ going down

    def _down(self, mind: Generator) -> tuple[int | None, list[Entry]]:
        """Down to the first new option: which was taken first, and the path."""
        path: list[Entry] = []
        taken: int | None = None
        current = self.root
        answers = [*self.script] if self.script is not None else None
        while self.goes_on:
            engine = self.beside
            seat, number = engine.seat.index, engine.number
            if answers is not None:
                if seat != self.seat:
                    self.goes_on = engine.choose(mind.below(number))
                    continue
                if answers:
                    self.goes_on = engine.choose(answers.pop(0))
                    continue
                answers = None
            elif self.rolled is not None and path and (roll := self.rolled(engine)) is not None:
                current = self._sought(current, 0, ("rolled", roll)) or current
            luck = mind.next()
            here = self._entries(current, seat, number)
            chosen, entry = self._choice(here, luck)
            if entry is None:
                chosen = mind.below(number)
            new = entry is None or not entry.visits
            if not path:
                self._at_root(number)
                taken = chosen
            if entry is None:
                return taken, path
            path.append(entry)
            if new:
                return taken, path
            current = entry
            self.goes_on = engine.choose(chosen)
        return taken, path

    def _at_root(self, number: int) -> None:
        none = [0] * self.players
        for _ in range(self.number, number):
            fresh = Option(0, [*none], [*none], [*none])
            self.options[self.number : self.number + 1] = [fresh]
            self.number += 1
        self.number = number

    def _choice(self, here: list[Entry | None], luck: int) -> tuple[int, Entry | None]:
        untried: list[tuple[int, int]] = []
        tried: list[tuple[int, int]] = []
        for option, entry in enumerate(here):
            if entry is None:
                continue
            entry.offered += 1
            if entry.visits:
                tried.append((self._score(entry), -option))
            else:
                lot = ((luck ^ option) * LOT & _WORD) >> 1
                untried.append((lot, -option))
        best = max(untried or tried, default=None)
        if best is None:
            return 0, None
        return -best[1], here[-best[1]]

    def _score(self, entry: Entry) -> int:
        offered, visits = entry.offered, entry.visits
        if offered < self.tabled:
            mean = entry.sum * round((1 << 30) / visits) >> 30
            return mean + self._curious(offered, visits)
        mean = entry.sum // visits
        halved = 0
        while visits >= self.tabled:
            visits //= 4
            halved += 1
        return mean + (self._curious(self.tabled - 1, visits) >> halved)

    def _curious(self, offered: int, visits: int) -> int:
        root = round(CURIOSITY * ONE * sqrt(log(offered)))
        part = round(ONE / sqrt(visits)) if visits else ONE
        return (root * part >> 16) * self.spread >> 16

    # ------------------------------------------------------------ decisions that were met before

    def _entries(self, current: Entry, seat: int, number: int) -> list[Entry | None]:
        if self.beside.code.tree.open_game:
            block = self._block_of_position(seat, number)
            return [None] * number if block is None else [*block]
        labels = self._labels(number)
        if not current.below and not self._new_block(current, number):
            return [None] * number
        if not current.below[0]:
            current.below[0] = [Entry(label, seat) for label in labels]
        return [self._sought(current, seat, label) for label in labels]

    def _block_of_position(self, seat: int, number: int) -> list[Entry] | None:
        engine = self.beside
        vector = engine.save().vector

        def word(address: int) -> bytes:
            return vector[address - VECTOR : address - VECTOR + 8]

        site = engine.code.sites.decisions.index(engine.statement)
        mark = (site, *map(word, (ACTIVE, PLAYING, WINNERS)), vector[HEADER:])
        if mark not in self.blocks:
            if not self._taken(number):
                return None
            self.blocks[mark] = [Entry(None, seat) for _ in range(number)]
        return self.blocks[mark]

    def _taken(self, room: int) -> bool:
        size = BLOCK_SIZE + ENTRY_SIZE * room
        if size > self.memory:
            return False
        self.memory -= size
        return True

    def _new_block(self, entry: Entry, room: int) -> bool:
        if not self._taken(room):
            return False
        entry.below.append([])
        entry.rooms.append(room)
        return True

    def _sought(self, current: Entry, seat: int, label: Hashable) -> Entry | None:
        for block in current.below:
            for entry in block:
                if entry.label == label:
                    return entry
        full = not current.below or len(current.below[-1]) == current.rooms[-1]
        if full and not self._new_block(current, MORE):
            return None
        current.below[-1].append(found := Entry(label, seat))
        return found

    # ------------------------------------------------------------ what an option looks like

    def _labels(self, number: int) -> list[Hashable]:
        """The same for pieces that are alike, and for those that the seat does not know."""
        engine = self.beside
        site = engine.code.sites.decisions.index(engine.statement)
        viewer = engine.seat
        statement = engine.statement
        if isinstance(statement, core.ChooseValue) and statement.how_many.word not in (
            "one",
            "optional",
        ):
            return [(site, viewer, option) for option in range(number)]
        position = engine.position()
        named = self.named(engine)
        found: dict[int, Candidate] = {}
        for each in engine.candidates():
            found.setdefault(each.option, each)
        labels: list[Hashable] = []
        for option in range(number):
            each = found[option]
            looks = tuple(
                (value in named, self._looks(value, viewer, position)) for value in each.values
            )
            labels.append((site, viewer, each.offer, *looks))
        assert len(set(labels)) == number, "pieces that only their names tell apart"
        return labels

    def _looks(self, value: Value, viewer: Thing, position: dict[str, object]) -> Hashable:
        table = self.beside.table
        places, contents, known, slots = (
            position[key] for key in ("place_of", "contents", "known", "slots")
        )
        assert isinstance(places, dict)
        assert isinstance(contents, dict)
        assert isinstance(slots, dict)
        if not isinstance(value, Thing) or value not in places:
            return value
        place = places[value]
        info = table.game.kinds[place.kind].place
        assert info is not None
        depth = contents[place].index(value) if info.stack else 0
        if isinstance(known, frozenset) and (viewer, value) not in known:
            return place, depth
        states = tuple(
            slots[key, value]
            for key, state in table.game.states.items()
            if state.owner == value.kind and state.sight == "open"
        )
        return place, depth, value.kind, look(value), states

    # ------------------------------------------------------------ rewards

    def _cells(self, address: int) -> list[int]:
        read = self.searching.runner.read(address, 4 * self.players)
        return list(struct.unpack(f"<{self.players}i", read))

    def _part_of_win(self, whole: int) -> int:
        row = self.searching.result()
        ranking = self.beside.table.game.ranking
        if row.how == "win" or (ranking is not None and ranking.team is not None):
            return whole
        return whole // max(1, len(row.winners))

    def _rewards(self) -> list[int]:
        row = self.searching.result()
        ranking, players = self.beside.table.game.ranking, self.players
        if ranking is not None and ranking.payoff is not None:
            low, high = map(
                self.beside.table.number, (ranking.payoff.bounds.low, ranking.payoff.bounds.high)
            )
            return [(pay - low) * ONE // max(1, high - low) for pay in row.payoffs]
        if row.how == "win" and len(row.winners) == players:
            rewards = [ONE] * players
        elif row.how == "lose" and not row.winners:
            rewards = [0] * players
        else:
            for_winning = round(ONE * WINNING) if players > 2 else 0
            step = (ONE - for_winning) // max(1, 2 * (players - 1))
            rewards = [
                step * (players - 1 + sum((mine < rank) - (rank < mine) for rank in row.ranks))
                for mine in row.ranks
            ]
            winners = row.winners or range(1, players + 1)
            part = self._part_of_win(for_winning) if row.winners else for_winning // players
            for winner in winners:
                rewards[winner - 1] += part
        if row.how == "cut" and ranking is not None and ranking.keys and players > 1:
            return self._judged(rewards)
        return rewards

    def _judged(self, rewards: list[int]) -> list[int]:
        results = self.searching.code.results
        scores, tiers = self._cells(results.scores[0]), self._cells(results.tiers)
        self.cuts += 1
        gains = []
        for seat in range(self.players):
            others = [
                score for other, score in enumerate(scores) if other != seat and tiers[other] <= 1
            ]
            lead = min([MOST_LEAD, *others]) - scores[seat]
            lead = max(-MOST_LEAD, min(MOST_LEAD, lead))
            self.leads[seat] += lead
            gains.append(lead - quotient(self.leads[seat], self.cuts))
        self.gains += sum(map(abs, gains))
        usual = self.gains // (self.players * self.cuts) + 1
        return [
            reward
            + (quotient(gain * (ONE // 2), abs(gain) + usual) + ONE // 2 if tiers[seat] <= 1 else 0)
            >> 1
            for seat, (reward, gain) in enumerate(zip(rewards, gains, strict=True))
        ]
