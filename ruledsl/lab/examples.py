"""Runs the tests in rules files in both executors.

The interpreter carries a test out; the engine follows it from the same positions, and has to agree
at every decision, at the end, and about every fact.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from ruledsl.engine.played import EngineError
from ruledsl.engine.runtime.trials import UNTOLD, Start, Trial
from ruledsl.engine.stage import Stage
from ruledsl.engine.unsupported import Unsupported
from ruledsl.lab.agreement import Difference, same, same_decision, same_position, same_result
from ruledsl.model import core
from ruledsl.model.game import CheckedGame, ExampleInfo, FactInfo, WhenInfo
from ruledsl.model.walk import walk
from ruledsl.play.chance import Dice
from ruledsl.play.decisions import Decision
from ruledsl.play.examples import Disagreement, Outcome, run_tests
from ruledsl.play.interpreter import Interpreter
from ruledsl.play.ranking import Result
from ruledsl.table.queries import Frame
from ruledsl.table.table import Table


def run_in_both(
    game: CheckedGame, unsupported: Callable[[Unsupported], None] | None = None
) -> Iterator[Outcome]:
    """Run all tests of a game, in the interpreter and compiled.

    Rules that can't be compiled run in the interpreter alone; somebody may be told why.
    """

    def summon(table: Table, tests: tuple[ExampleInfo, ...]) -> EngineWitness | None:
        try:
            return EngineWitness(table, tests)
        except Unsupported as error:
            if unsupported is not None:
                unsupported(error)
            return None

    return run_tests(game, summon)


class EngineWitness:
    """An engine beside the interpreter: a witness for the tests on a table."""

    def __init__(self, table: Table, tests: tuple[ExampleInfo, ...]) -> None:
        self._starts: dict[int, int] = {}
        """the numbers of steps to begin with, by the identity of what begins with them"""
        self._facts: dict[int, int] = {}
        starts: list[Start] = []
        if "setup" in table.game.steps:
            self._starts[id(None)] = 0
            starts.append(Start(core.Call("setup", ()), "quiet"))
        facts: list[core.Expr] = []
        given: list[core.Block] = []
        for part in (part for test in tests for part in test.parts):
            if isinstance(part, WhenInfo):
                self._starts[id(part)] = len(starts)
                starts.append(Start(core.Call(part.step, part.arguments), "main"))
            elif part and isinstance(part[0], FactInfo):
                for fact in part:
                    assert isinstance(fact, FactInfo)
                    if _is_about_the_table(fact.condition):
                        self._facts[id(fact)] = len(facts)
                        facts.append(fact.condition)
            else:
                given.append(part)  # type: ignore[arg-type]
        self._stage = Stage(table, Trial(tuple(starts), tuple(facts), tuple(given)))
        self._run: Interpreter
        self._begun = False
        self._answer: int | None = None
        self._fates: list[int] = []
        self._marks: dict[str, tuple[int, ...]] = {}
        """of the positions in histories"""
        self._result: Result | None = None
        """what came out before the step began"""

    def starts(self, interpreter: Interpreter, part: WhenInfo | None, frame: Frame) -> None:
        self._run = interpreter
        if part is None:
            self._marks = dict.fromkeys(interpreter.game.histories, ())
        self._lay()
        self._answer, self._fates, self._result = None, [], interpreter.result
        self._begun = id(part) in self._starts
        if self._begun:
            self._stage.begin(self._starts[id(part)], frame)

    def rolled(self, outcome: int | None) -> None:
        self._fates.append(UNTOLD if outcome is None else outcome)

    def stopped(self, decision: Decision | None) -> None:
        if not self._begun:
            return
        run, engine = self._run, self._stage.engine
        over = run.result is not self._result
        with _agreeing():
            going = self._stage.go_on(self._answer, self._fates)
            same(going, decision is not None, "whether somebody decides")
            same(self._stage.over, over, "whether the game is over")
            same_position(engine, run, self._generator, over=over)
            if decision is not None:
                same_decision(engine, decision)
            if over:
                same_result(engine, run)
        self._fates = []
        self._marks = engine.save().marks

    def chose(self, option: int) -> None:
        self._answer = option

    def noted(self, history: str) -> None:
        engine = self._stage.engine
        running = engine.save()
        self._lay()
        self._stage.note(history)
        self._marks = engine.save().marks
        engine.load(running)

    def settled(self, fact: FactInfo, frame: Frame) -> None:
        if id(fact) in self._facts:
            self._lay()
            with _agreeing():
                holds = self._stage.holds(self._facts[id(fact)], frame)
                same(holds, True, f"whether what line {fact.span.line} says holds")

    @property
    def _generator(self) -> int:
        chance = self._run.chance
        assert isinstance(chance, Dice)
        return chance.generator.state

    def _lay(self) -> None:
        run = self._run
        known = run.knowledge.known
        self._stage.lay(run.pos, known, self._generator, run.decisions, self._marks)


@contextmanager
def _agreeing() -> Iterator[None]:
    try:
        yield
    except Difference as difference:
        raise Disagreement(str(difference)) from difference
    except EngineError as error:
        raise Disagreement(f"the engine stops: {error.placed}") from error


def _is_about_the_table(fact: core.Expr) -> bool:
    """Whether a module can tell: it knows neither results nor, everywhere, who knows what."""
    return not any(
        isinstance(part, core.Knows)
        or (isinstance(part, core.Special) and part.word in ("winners", "finished"))
        for part in walk((fact,))
    )
