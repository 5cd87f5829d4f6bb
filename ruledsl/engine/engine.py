"""A game as a compiled module, and what can be asked of it."""

from __future__ import annotations

import struct
import sys
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from typing import Protocol

import attrs

from ruledsl.engine.code.browser import BrowserRunner
from ruledsl.engine.code.instructions import Program, signed
from ruledsl.engine.code.python import PythonRunner
from ruledsl.engine.code.wasm import WasmRunner
from ruledsl.engine.compiler import NO_CUT, compiled
from ruledsl.engine.context import STOPPED
from ruledsl.engine.effects.histories import ENTRY
from ruledsl.engine.memory.control import (
    ACTIVE,
    ANSWER,
    ASKED,
    CANDIDATES,
    CHOOSER,
    CUT,
    CUTS,
    DECISIONS,
    ERROR,
    FRESH,
    GENERATOR,
    GROUPS_ASKED,
    HOW,
    HOWS,
    MIND,
    MODE,
    OUT,
    PLAYING,
    QUICK,
    RANDOM,
    ROOT_OPTIONS,
    SEAT,
    SITE,
    STOP,
    SUSPECT,
    VECTOR,
    WINNERS,
)
from ruledsl.engine.memory.layout import category, none_of
from ruledsl.engine.played import Batch, Columns, EngineError, Row
from ruledsl.engine.runtime.batches import ONE, ROWS
from ruledsl.engine.runtime.dealing import Recipe
from ruledsl.engine.runtime.search import MOST_WORLDS
from ruledsl.engine.runtime.trials import Trial
from ruledsl.engine.unsupported import Unsupported
from ruledsl.model import core
from ruledsl.model.game import CheckedGame
from ruledsl.model.types import FlagType, NumberType, SetType, Type, plain
from ruledsl.table import mishaps
from ruledsl.table.table import Table
from ruledsl.table.things import Thing, Value


@attrs.frozen
class Saved:
    """A position, and the marks by which histories know those before it."""

    vector: bytes
    marks: dict[str, tuple[int, ...]]


@attrs.frozen
class Found:
    """An option in a search: how often it was tried, and how that went for each seat.

    `worth` is the mean reward from 0 to 1, `wins` the share of playouts won, `places` the mean
    place, from 1, where those who share one stand in its middle. `cut` is the share of playouts
    that did not come to an end: whoever was ahead has won these.
    """

    visits: int
    worth: tuple[float, ...]
    wins: tuple[float, ...]
    places: tuple[float, ...]
    cut: float


@attrs.frozen
class Candidate:
    """One way to choose: what is offered, its values, and the option it belongs to."""

    offer: int
    option: int
    values: tuple[Value, ...]


class Runner(Protocol):
    """A program that can be called, and its memory; `traps` stop it where it must not go on."""

    @property
    def traps(self) -> tuple[type[Exception], ...]: ...
    def call(self, name: str, *arguments: int) -> int: ...
    def read(self, address: int, size: int) -> bytes: ...
    def write(self, address: int, data: bytes) -> None: ...


def _usual_runner(program: Program) -> Runner:
    """WebAssembly, or Python where wasmtime is missing, does not fit the machine, or its memory."""
    if sys.platform == "emscripten":
        return BrowserRunner(program)
    try:
        import_module("wasmtime")
        return WasmRunner(program)
    except (ImportError, OSError, RuntimeError, MemoryError):
        return PythonRunner(program)


class Engine:
    """A compiled game. Like a match it is at one position at a time.

    `checked`, it stops where the rules go wrong, with the error that the interpreter has. If that
    is done `lightly`, it may go on and be `suspicious` instead, also where nothing is wrong; a
    batch stops then, with an error of the kind `suspect`. Somebody has to look more closely.
    """

    def __init__(
        self,
        table: Table,
        *,
        checked: bool = False,
        lightly: bool = False,
        trial: Trial | None = None,
        counted: bool = False,
        runner: Callable[[Program], Runner] | None = None,
    ) -> None:
        self.table = table
        try:
            self.code = compiled(
                table, checked=checked, lightly=lightly, trial=trial, counted=counted
            )
        except RecursionError:
            # Steps are written one inside the other; the interpreter may be deep in calls, too.
            raise Unsupported("steps call each other too many levels deep") from None
        self.layout = self.code.layout
        self.program = self.code.program
        self.runner = _usual_runner(self.program) if runner is None else runner(self.program)

    # ------------------------------------------------------------ one position at a time

    def call(self, name: str, *arguments: int) -> int:
        """Call a function of the module; what stops it is an error in the rules."""
        try:
            return self.runner.call(name, *arguments)
        except self.runner.traps as error:
            site = self._cell(ERROR)
            self._put(ERROR, 0)
            # Whatever was going on is over; decisions are asked again.
            self._put(MODE, STOP)
            self._put(CUT, NO_CUT)
            self._put(FRESH, 0)
            if not site:
                raise EngineError(mishaps.NOT_AT_HAND, None) from error
            failure = self.code.failures[site - 1]
            raise EngineError(failure.mishap, failure.span) from error

    def _ask(self, name: str, form: str, *values: int) -> int:
        """A call whose arguments are written to memory."""
        self.runner.write(ASKED, struct.pack(form, *values))
        return self.call(name)

    def _cell(self, address: int) -> int:
        return int(struct.unpack("<i", self.runner.read(address, 4))[0])

    def _put(self, address: int, value: int) -> None:
        self.runner.write(address, struct.pack("<i", value))

    def start(self, seed: int, *, ask_always: bool = False) -> bool:
        """Set up a game; whether somebody has to decide then."""
        return self._ask("start", "<qi", signed(seed), int(ask_always)) == STOPPED

    @property
    def suspicious(self) -> bool:
        """Whether a light check found since the start that something may be wrong."""
        return self._cell(SUSPECT) != 0

    def choose(self, option: int) -> bool:
        """Answer the decision; whether another follows."""
        self._put(ANSWER, option)
        return self.call("run") == STOPPED

    @property
    def seat(self) -> Thing:
        return self.layout.things[self._cell(SEAT)]

    @property
    def number(self) -> int:
        """How many options there are."""
        return self._cell(GROUPS_ASKED)

    @property
    def statement(self) -> core.ChooseValue | core.ChooseAction:
        return self.code.sites.decisions[self._cell(SITE)]

    def candidates(self) -> Iterator[Candidate]:
        """All ways to choose, those of an option being alike to the chooser."""
        number = self._cell(CANDIDATES)
        stride = self.code.candidates.stride
        data = self.runner.read(self.code.candidates.options, number * stride)
        width = self.code.candidates.width
        types = value_types(self.table.game, self.statement)
        for at in range(number):
            cells = struct.unpack_from(f"<{3 + width}i", data, at * stride)
            of = types[cells[0]]
            values = tuple(map(self.decoded, cells[3 : 3 + len(of)], of))
            yield Candidate(cells[0], cells[1], values)

    def decoded(self, cell: int, of: Type) -> Value:
        """What a cell of this type means."""
        kind = category(of)
        if cell == none_of(kind):
            return None
        if kind == "thing":
            return self.layout.things[cell]
        return bool(cell) if isinstance(plain(of), FlagType) else cell

    def drawn(self) -> Candidate | None:
        """A way to choose as chance would take it in a quick game; None if that fails."""
        name = f"draw_{self._cell(SITE)}"
        if name not in self.program.functions:
            return None
        found = self.call(name)
        self._put(FRESH, 0)  # The list of options is gone.
        entry = self.runner.read(self.code.candidates.options, self.code.candidates.stride)
        cells = struct.unpack(f"<{3 + self.code.candidates.width}i", entry)
        if not found:
            return None
        of = value_types(self.table.game, self.statement)[cells[0]]
        return Candidate(cells[0], -1, tuple(map(self.decoded, cells[3 : 3 + len(of)], of)))

    def save(self) -> Saved:
        """The position, for this engine or another one of the same table."""
        vector = self.runner.read(VECTOR, self.layout.vector_size)
        return Saved(vector, {name: self._marks(name) for name in self.layout.history_lengths})

    def load(self, saved: Saved) -> None:
        for name, marks in saved.marks.items():
            # What is in the log now is taken out; what is written is put in when it is asked for.
            self.call(f"agree_{name}", 0)
            entries = b"".join(struct.pack("<Qii", mark, 0, 0) for mark in marks)
            self.runner.write(self.code.history_logs[name], entries)
        self.runner.write(VECTOR, saved.vector)
        self._put(FRESH, 0)

    def _marks(self, name: str) -> tuple[int, ...]:
        """The marks of the positions in a history."""
        length = self._cell(self.layout.history_lengths[name])
        log = self.runner.read(self.code.history_logs[name], ENTRY * length)
        return tuple(mark for mark, _, _ in struct.iter_unpack("<Qii", log))

    # ------------------------------------------------------------ batches

    def playouts(self, games: int, seed: int, first: int = 0, *, quick: bool = False) -> list[Row]:
        """Play games at random; game n depends on the seed and n alone.

        Quick games are drawn without listing options, so these are not counted.
        """
        rows: list[Row] = []
        while games > 0:
            mode = QUICK if quick else RANDOM
            batch = self.batch(games, seed, first, mode=mode, keep=True)
            if batch.error is not None:
                raise batch.error
            rows.extend(batch.rows())
            games -= len(batch)
            first += len(batch)
        return rows

    def rollouts(self, games: int, seed: int) -> Batch:
        """Play games at random as fast as can be."""
        return self.batch(games, seed, 0, mode=QUICK)

    def batch(
        self, games: int, seed: int, first: int, *, mode: int = RANDOM, keep: bool = False
    ) -> Batch:
        """Games added up; fewer of them if the rules go wrong in one.

        If rows are to be kept, too, there are not more than fit. Which games are `SAMPLED`, and
        count options, depends on their numbers alone.
        """
        error = None
        number = min(games, ROWS) if keep else games
        try:
            self.call("playouts", signed(seed), first, number, mode, int(keep))
        except EngineError as caught:
            error = caught
        looked_wrong = self.suspicious
        batches = self.code.batches
        played = self._cell(batches.played)
        start, end = batches.tallies.room
        sums = batches.tallies.read(self.runner.read(start, end - start))
        columns = None
        if keep:
            data = self.runner.read(batches.rows, 4 * batches.row_cells * played)
            columns = Columns.of(data, self.layout.players)
        if error is not None:
            self.clean_up()
        if looked_wrong:
            error = EngineError(mishaps.SUSPICION, None)
        return Batch(played, sums, columns, error)

    def clean_up(self) -> None:
        """Forget what was being worked on when a game went wrong."""
        for start, end in self.layout.small_parts():
            self.runner.write(start, bytes(end - start))
        for address, first_data in self.program.data:
            self.runner.write(address, first_data)

    # ------------------------------------------------------------ playing on

    def reseed(self, seed: int) -> None:
        """Let chance go on in another way."""
        self.runner.write(GENERATOR, struct.pack("<Q", seed & (2**64 - 1)))

    def play_on(self, seed: int) -> Row:
        """Play on at random to the end."""
        self.runner.write(MIND, struct.pack("<Q", seed & (2**64 - 1)))
        self._put(MODE, RANDOM)
        self.call("run")
        self._put(MODE, STOP)
        return self.result()

    def perft(self, depth: int) -> int:
        """Leaves so many decisions below the position, in which somebody decides."""
        return self.call("perft", depth, 0) if depth else 1

    def perft_turns(self, depth: int) -> int:
        """The same by turns: decisions of one seat in a row are one turn."""
        return self.call("perft_turns", depth, 0) if depth else 1

    # ------------------------------------------------------------ search

    def begin_search(
        self,
        worlds: Sequence[bytes],
        seat: int,
        seed: int,
        *,
        reach: int = 1000,
        script: Sequence[int] | None = None,
        recipe: Recipe | None = None,
    ) -> None:
        """Prepare a search for the seat's decision in positions that all look the same to it.

        With a `recipe` each iteration deals again.
        With a `script` the decision lies ahead: the seat answers so before, others by chance.
        """
        assert 0 < len(worlds) <= MOST_WORLDS
        self._worlds = len(worlds)
        self.runner.write(self.code.search.worlds, b"".join(worlds))
        answers = script or ()
        for at, answer in enumerate(answers):
            self._put(self.code.tree.script + 4 * at, answer)
        ahead = int(script is not None)
        deals = int(recipe is not None)
        if recipe is not None:
            self.runner.write(self.code.dealing.recipe, recipe.packed())
        self._ask("search_begin", "<q5i", signed(seed), seat, reach, ahead, len(answers), deals)

    def add_world(self, world: bytes) -> None:
        """One more position that the search starts from in its turn."""
        assert self._worlds < MOST_WORLDS
        self.runner.write(self.code.search.worlds + self._worlds * self.layout.vector_size, world)
        self._worlds += 1

    def search(self, iterations: int) -> None:
        """Go on with the search."""
        self._ask("search", "<2i", iterations, self._worlds)

    @property
    def cuts(self) -> int:
        """How many playouts of the search were cut and judged by the ranking."""
        return self._cell(CUTS)

    @property
    def tried(self) -> int:
        """How often the search has tried an option so far."""
        return sum(self._visits())

    def _visits(self) -> tuple[int, ...]:
        number = self._cell(ROOT_OPTIONS)
        read = self.runner.read(self.code.tree.root_visits, 4 * number)
        return struct.unpack(f"<{number}i", read)

    def found(self) -> list[Found]:
        """What the search thinks of each option so far."""
        players = self.layout.players
        visits = self._visits()
        number = len(visits)
        cells = number * players
        tree = self.code.tree
        sums, wins, behind = (
            struct.unpack(f"<{cells}q", self.runner.read(address, 8 * cells))
            for address in (tree.root_sums, tree.root_wins, tree.root_behind)
        )
        cuts = struct.unpack(f"<{number}i", self.runner.read(tree.root_cuts, 4 * number))
        found = []
        for option, times in enumerate(visits):
            own = slice(option * players, (option + 1) * players)
            tries = max(1, times)
            found.append(
                Found(
                    times,
                    tuple(each / (ONE * tries) for each in sums[own]),
                    tuple(each / (ONE * tries) for each in wins[own]),
                    tuple(players - each / (2 * tries) for each in behind[own]),
                    cuts[option] / tries,
                )
            )
        return found

    def iterations(self, count: int, seed: int) -> None:
        """Search the first decision of a game: for measuring."""
        self.start(seed)
        self.begin_search([self.save().vector], self.seat.index, seed)
        self.search(count)

    # ------------------------------------------------------------ reading the position

    def position(self) -> dict[str, object]:
        """The position in the terms of the table, for comparing it."""
        layout = self.layout
        vector = self.save().vector

        def cell(address: int) -> int:
            return int(struct.unpack_from("<i", vector, address - VECTOR)[0])

        def word(address: int) -> int:
            return int(struct.unpack_from("<Q", vector, address - VECTOR)[0])

        def thing(number: int) -> Thing | None:
            return None if number < 0 else layout.things[number]

        contents: dict[Thing, tuple[Thing, ...]] = {}
        for name, at in layout.places.items():
            for number, place in enumerate(self.table.things(name)):
                base = at.base + number * at.stride
                held: list[int] = []
                match at.form:
                    case "cell":
                        held = [cell(base)] if cell(base) >= 0 else []
                    case "stack":
                        held = [cell(base + 4 + 4 * step) for step in range(cell(base))]
                    case "bits":
                        for step in range(at.words):
                            bits = word(base + 8 * step)
                            held.extend(
                                at.low + 64 * step + bit for bit in range(64) if bits >> bit & 1
                            )
                contents[place] = tuple(layout.things[each] for each in held)
        place_of = {
            layout.things[number]: thing(cell(layout.place_of + 4 * number))
            for number in range(layout.pieces)
        }
        slots: dict[tuple[str, Thing | None], Value] = {}
        for key, owner in self.table.slots:
            slots[(key, owner)] = self._slot(key, owner, cell, word)
        playing = cell(PLAYING)
        seats = self.table.things("Player")
        return {
            "contents": contents,
            "place_of": place_of,
            "slots": slots,
            "active": thing(cell(ACTIVE)),
            "chooser": thing(cell(CHOOSER)),
            "playing": tuple(p for p in seats if playing >> p.index & 1),
            "out": tuple(seats[cell(layout.out_list + 4 * n)] for n in range(cell(OUT))),
            "generator": word(GENERATOR),
            "decisions": cell(DECISIONS),
            "known": self._known(cell),
            "times": {name: self._times(name) for name in layout.history_lengths},
        }

    def _known(self, cell: Callable[[int], int]) -> frozenset[tuple[Thing, Thing]] | None:
        """Who knows which pieces; None where it can't matter for what may be chosen."""
        if not self.code.track:
            return None
        return frozenset(
            (seat, self.layout.things[number])
            for number in range(self.layout.pieces)
            for seat in self.table.things("Player")
            if cell(self.layout.known + 4 * number) >> seat.index & 1
        )

    def _times(self, name: str) -> int:
        marks = self._marks(name)
        return marks.count(marks[-1]) if marks else 0

    def result(self) -> Row:
        """How the game that is over ended."""
        players = self.layout.players
        winners = self._cell(WINNERS)
        read = self.runner.read
        return Row(
            HOWS[self._cell(HOW)],
            tuple(seat + 1 for seat in range(players) if winners >> seat & 1),
            0,
            0,
            self._cell(DECISIONS),
            struct.unpack(f"<{players}i", read(self.code.results.ranks, 4 * players)),
            struct.unpack(f"<{players}i", read(self.code.results.payoffs, 4 * players)),
        )

    def _slot(
        self,
        key: str,
        owner: Thing | None,
        cell: Callable[[int], int],
        word: Callable[[int], int],
    ) -> Value:
        slot = self.layout.states[key]
        base = slot.base
        if owner is not None:
            base += (self.layout.id(owner) - slot.first) * slot.stride
        of = plain(self.table.game.states[key].type)
        if slot.words:
            assert isinstance(of, SetType)
            found: list[int] = []
            for step in range(slot.words):
                bits = word(base + 8 * step)
                found.extend(slot.low + 64 * step + b for b in range(64) if bits >> b & 1)
            if isinstance(of.element, NumberType):
                return tuple(found)
            return tuple(self.layout.things[each] for each in found)
        return self.decoded(cell(base), of)


def _element(domain: core.Expr) -> Type:
    of = plain(domain.type)
    assert isinstance(of, SetType)
    return of.element


def value_types(
    game: CheckedGame, statement: core.ChooseValue | core.ChooseAction
) -> list[list[Type]]:
    """For each offer of a decision, the types of its values."""
    domains: list[list[core.Expr]] = []
    if isinstance(statement, core.ChooseValue):
        domains = [[statement.domain]]
    else:
        for offer in statement.offers:
            domains.append([draw.domain for draw in game.actions[offer.action].picks])
    return [[_element(domain) for domain in each] for each in domains]
