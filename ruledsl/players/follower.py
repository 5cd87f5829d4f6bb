"""A compiled game that follows a real one, and searches from what a seat knows of it.

The engine makes the same choices as the interpreter made. When a seat wants to think, the engine
gets worlds: positions sampled from what the seat knows, in which the rules stand where they really
stand. What the search returns depends on nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ruledsl.engine import Engine
from ruledsl.engine.engine import Saved
from ruledsl.engine.played import EngineError
from ruledsl.engine.runtime.dealing import Recipe
from ruledsl.engine.runtime.search import MOST_WORLDS
from ruledsl.play.chance import Generator
from ruledsl.play.decisions import Decision
from ruledsl.play.interpreter import Interpreter
from ruledsl.play.knowledge import Knowledge
from ruledsl.play.running import Answer
from ruledsl.players.player import Thinking, Thought
from ruledsl.players.sampler import Sampler
from ruledsl.players.worlds import OneWorld, Worlds
from ruledsl.table.queries import Frame
from ruledsl.table.table import Table
from ruledsl.table.things import Thing

FEWEST_WORLDS = 16
"""Positions that a search begins with where something is hidden; later there are more."""
WORTH_A_WORLD = 8
"""Iterations for each world before there are twice as many."""
_NEVER = 1 << 62
REACH = 400
"""Decisions after which a playout is judged by the game's own ranking."""
EARLY_LOOK = 16
"""Iterations after which a search looks whether any of them came to an end."""
SHORT = 80
"""How far it goes if none did: what chance does later tells nothing."""
NEAR = 12
"""The same where games played on by chance all come out alike: then the standing soon counts."""
LOOK = 64
"""Iterations after which a search looks whether they do."""
MOST_TROUBLE = 50
"""Playouts that may go wrong in a row: a sample may be one that the rules could not lead to."""


def follower_of(table: Table) -> Follower:
    """The follower of games at a table; it is compiled once."""
    if "follower" not in table.kept:
        table.kept["follower"] = Follower(Engine(table))
    follower: Follower = table.kept["follower"]
    return follower


def named_in(frames: Sequence[Frame]) -> list[Thing]:
    """The things that locals of the running rules name."""
    return [value for frame in frames for value in frame if isinstance(value, Thing)]


class Follower:
    """An engine at the position of an interpreter."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._seed: int | None = None
        self._answers: list[Answer] = []
        self._saved = Saved(b"", {})

    def think(self, interpreter: Interpreter, decision: Decision, generator: Generator) -> Thinking:
        """A search for whoever decides."""
        self._follow(interpreter)
        seat = decision.seat
        common = interpreter.common_ground if decision.together else None
        if common is None:
            pos, knowledge = interpreter.pos, interpreter.knowledge
            script = None
        else:
            table = interpreter.table
            pos, knowledge = common.pos, Knowledge(table, common.known, common.narrowed)
            script = self._answered(interpreter, seat)
        frames = [*(frame for frame, _ in interpreter.frames), decision.frame]
        sampler = Sampler(interpreter.table, pos, knowledge, seat, named_in(frames))

        together = script is not None
        worlds = Worlds(self._engine, self._saved.vector, sampler, generator, together)
        return self._search(worlds, seat, len(decision.options), generator, script)

    @property
    def open_game(self) -> bool:
        """Whether everybody always knows everything."""
        return self._engine.code.tree.open_game

    def think_at(self, saved: Saved, seat: Thing, options: int, generator: Generator) -> Thinking:
        """The same from a position of an open game, wherever it was reached."""
        self._engine.load(saved)
        return self._search(OneWorld(saved.vector), seat, options, generator, None)

    def _search(
        self,
        worlds: Worlds | OneWorld,
        seat: Thing,
        options: int,
        generator: Generator,
        script: Sequence[int] | None,
    ) -> Thinking:
        def begin(known: Sequence[bytes], recipe: Recipe | None, reach: int) -> None:
            seed = generator.next()
            self._engine.begin_search(
                known, seat.index, seed, reach=reach, script=script, recipe=recipe
            )

        judged = self._engine.table.game.ranking is not None
        return _Search(self._engine, options, worlds, begin, judged)

    # ------------------------------------------------------------ following

    def _follow(self, interpreter: Interpreter) -> None:
        """Go where the interpreter is."""
        assert interpreter.seed is not None, "only a game with its own chance can be followed"
        answers = interpreter.answers
        known = len(self._answers)
        if self._seed != interpreter.seed or self._answers != answers[:known]:
            self._engine.start(interpreter.seed)
            self._seed, self._answers, known = interpreter.seed, [], 0
            self._saved = self._engine.save()
        self._engine.load(self._saved)
        for answer in answers[known:]:
            self._engine.choose(answer.number)
            self._answers.append(answer)
            self._saved = self._engine.save()

    def _answered(self, interpreter: Interpreter, seat: Thing) -> list[int]:
        """What the seat has answered in the simultaneous choice that is going on."""
        block = interpreter.together_number
        return [a.number for a in self._answers if a.block == block and a.seat is seat]


class _Search:
    """Goes on with the search that the engine has begun."""

    def __init__(
        self,
        engine: Engine,
        options: int,
        worlds: Worlds | OneWorld,
        begin: Callable[[Sequence[bytes], Recipe | None, int], None],
        judged: bool,
    ) -> None:
        self._engine = engine
        self._options = options
        self._worlds = worlds
        self._begin = begin
        self._done = 0
        self._reach = REACH
        self._looks = [EARLY_LOOK, LOOK, 2 * LOOK] if judged else []
        """after so many iterations, look whether to go another way"""
        first, self._recipe = worlds.first()
        self._known = [first]
        """the worlds that were made"""
        self._all = worlds.certain or self._recipe is not None
        """whether there is no need for more"""
        while not self._all and len(self._known) < FEWEST_WORLDS:
            self._known.append(worlds.another())
        begin(self._known, self._recipe, self._reach)

    def go_on(self, iterations: int) -> None:
        """What changes on the way does so at fixed points, in however many pieces one searches."""
        while iterations > 0:
            if self._done == self._next_worlds():
                self._more_worlds()
            points = [*self._looks, self._next_worlds()]
            piece = min(iterations, *(at - self._done for at in points if at > self._done))
            self._search(piece)
            self._done += piece
            iterations -= piece
            if self._done in self._looks:
                self._look()

    def _next_worlds(self) -> int:
        """The iterations after which there are more worlds."""
        number = len(self._known)
        return _NEVER if self._all or number == MOST_WORLDS else WORTH_A_WORLD * number

    def _more_worlds(self) -> None:
        more = [self._worlds.another() for _ in self._known]
        for world in more:
            self._engine.add_world(world)
        self._known += more

    def _look(self) -> None:
        """Begin anew with another reach if all playouts are cut, or all options seem alike."""
        self._looks.remove(self._done)
        if self._done == EARLY_LOOK:
            if self._engine.cuts >= EARLY_LOOK:
                self._reach = SHORT
                self._begin(self._known, self._recipe, SHORT)
        elif len({each.worth for each in self.thoughts() if each.visits}) == 1:
            self._begin(self._known, self._recipe, NEAR if self._done == LOOK else self._reach)
        else:
            self._looks = []

    def _search(self, iterations: int) -> None:
        trouble = 0
        while iterations > 0:
            before = self._engine.tried
            try:
                self._engine.search(iterations)
                return
            except EngineError:
                done = self._engine.tried - before
                trouble = trouble + 1 if not done else 0
                iterations -= done + 1
                if trouble > MOST_TROUBLE:
                    return

    def thoughts(self) -> tuple[Thought, ...]:
        found = self._engine.found()
        nothing = (0.0,) * self._engine.layout.players
        known = [
            Thought(each.visits, each.worth, each.wins, each.places, each.cut) for each in found
        ]
        untried = Thought(0, nothing, nothing, nothing, 0.0)
        known.extend(untried for _ in range(self._options - len(known)))
        return tuple(known[: self._options])
