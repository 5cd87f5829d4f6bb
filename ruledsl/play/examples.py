"""Run the tests in a rules file: given, when, then, and refused because."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache, partial
from typing import Protocol

import attrs

from ruledsl.diagnostics.source import Span
from ruledsl.model import core
from ruledsl.model.game import (
    AnswerInfo,
    CheckedGame,
    ExampleInfo,
    FactInfo,
    FateInfo,
    RefusalInfo,
    StopInfo,
    WhenInfo,
)
from ruledsl.play.chance import Dice, Generator, weight
from ruledsl.play.decisions import (
    ActionOption,
    Decision,
    DoneOption,
    Option,
    Refusal,
    ValueOption,
)
from ruledsl.play.events import AnyEvent
from ruledsl.play.explain import Verdict, judge_action, judge_value, pieces_like
from ruledsl.play.interpreter import Interpreter
from ruledsl.play.knowledge import look
from ruledsl.play.running import GameEnded, LoopEnded, Run, StepEnded
from ruledsl.play.words import Words
from ruledsl.table.errors import RulesError
from ruledsl.table.evaluate import frame_size
from ruledsl.table.queries import Frame
from ruledsl.table.table import Table
from ruledsl.table.things import Thing, Value, as_written

SEED = 1
"""Tests are set up with this seed and the first options."""
DISAGREEMENT = "compiled, the rules come to something else; this is a bug of ruledsl"


@attrs.frozen
class Failure:
    """Why a test failed, and where; `details` are lines such as the two sides of a comparison."""

    span: Span
    message: str
    details: tuple[str, ...] = ()
    events: tuple[AnyEvent, ...] = ()


@attrs.frozen
class Outcome:
    """A test that was run."""

    test: ExampleInfo
    players: int
    failure: Failure | None


class _Failed(Exception):
    def __init__(self, span: Span, message: str, details: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.span = span
        self.message = message
        self.details = details


class _Stopped(Exception):
    """The test goes no further than this, where nobody is asked."""


class Disagreement(Exception):
    """Another executor came to something else."""


class Witness(Protocol):
    """Carries out a test beside the interpreter, and disagrees if it comes to something else."""

    def starts(self, interpreter: Interpreter, part: WhenInfo | None, frame: Frame) -> None:
        """A step begins, or set-up, with what the test has bound in its frame."""

    def rolled(self, outcome: int | None) -> None:
        """An outcome was told, by its number among equally likely ones; or chance decided."""

    def stopped(self, decision: Decision | None) -> None:
        """Somebody has to decide, or what began is over."""

    def chose(self, option: int) -> None:
        """The option that the test takes."""

    def noted(self, history: str) -> None:
        """A history notes the position: where no step is running, or the run may stop soon."""

    def settled(self, fact: FactInfo, frame: Frame) -> None:
        """A fact that holds."""


class Summon(Protocol):
    """Finds a witness for the tests on a table, or none."""

    def __call__(self, table: Table, tests: tuple[ExampleInfo, ...], /) -> Witness | None: ...


class Tables:
    """The tables of a game that its tests need; tests with the same one share it."""

    def __init__(self, game: CheckedGame) -> None:
        self.game = game
        self._laid: dict[tuple[int, tuple[tuple[str, Value | str], ...]], Table] = {}

    def table(self, players: int, options: tuple[tuple[str, Value | str], ...] = ()) -> Table:
        key = (players, options)
        if key not in self._laid:
            self._laid[key] = Table(self.game, players, dict(options))
        return self._laid[key]

    def seating(self, test: ExampleInfo) -> int:
        """How many play in a test."""
        players = self.game.players[0]
        if test.players is None:
            return players
        wanted = self.table(players).evaluator.constant(test.players)
        if wanted not in self.game.players:
            raise _Failed(test.players.span, f"the game is not for {wanted} players")
        assert isinstance(wanted, int)
        return wanted

    def table_of(self, test: ExampleInfo) -> Table:
        """The table of a test, with the number of players and the options it names."""
        players = self.seating(test)
        usual = self.table(players)
        options = {name: usual.evaluator.constant(node) for name, node in test.options}
        named = {k: str(v) if isinstance(v, Thing) else v for k, v in options.items()}
        return self.table(players, tuple(named.items()))

    def groups(self) -> dict[Table, list[ExampleInfo]]:
        """The tests on each table; those whose table can't be laid are on none."""
        found: dict[Table, list[ExampleInfo]] = {}
        for test in self.game.tests:
            with suppress(_Failed, RulesError):
                found.setdefault(self.table_of(test), []).append(test)
        return found


def run_tests(game: CheckedGame, summon: Summon | None = None) -> Iterator[Outcome]:
    """Run all tests of a game, one by one, perhaps with a witness for each table."""
    tables = Tables(game)
    witnesses: dict[int, Callable[[], Witness | None]] = {}
    if summon is not None:
        for table, tests in tables.groups().items():
            witness = cache(partial(summon, table, tuple(tests)))
            witnesses.update({id(test): witness for test in tests})
    for test in game.tests:
        called = witnesses.get(id(test))
        yield run_test(tables, test, None if called is None else called())


def run_test(tables: Tables, test: ExampleInfo, witness: Witness | None = None) -> Outcome:
    """Run one test."""
    players = tables.game.players[0]
    runner: _Runner | None = None
    try:
        players = tables.seating(test)
        runner = _Runner(tables.table_of(test), test, witness)
        runner.run()
    except Disagreement as disagreement:
        return Outcome(test, players, Failure(test.span, DISAGREEMENT, (str(disagreement),)))
    except _Failed as failed:
        events = () if runner is None else tuple(runner.interpreter.hands.events[-8:])
        failure = Failure(failed.span, failed.message, failed.details, events)
        return Outcome(test, players, failure)
    except RulesError as error:
        events = () if runner is None else tuple(runner.interpreter.hands.events[-8:])
        failure = Failure(error.span, error.message, (), events)
        return Outcome(test, players, failure)
    return Outcome(test, players, None)


class _Script(Dice):
    """Chance as a test tells it; where it is silent, a generator decides."""

    def __init__(self, runner: _Runner) -> None:
        super().__init__(Generator(SEED))
        self.runner = runner

    def roll(self, outcomes: tuple[Value, ...], span: Span) -> Value:
        told = self.runner.next_fate()
        if told is None:
            self.runner.rolled(None)
            return super().roll(outcomes, span)
        before = 0
        for outcome in outcomes:
            if self.runner.stands_for(told.value, outcome):
                self.runner.rolled(before)
                return outcome
            before += weight(outcome)
        listed = ", ".join(str(outcome) for outcome in outcomes[:12])
        raise _Failed(told.span, "this can't be rolled here", (f"possible: {listed}",))


class _Runner:
    """One test on its table."""

    def __init__(self, table: Table, test: ExampleInfo, witness: Witness | None) -> None:
        self.test = test
        self.witness = witness
        self.interpreter = Interpreter(table, _Script(self))
        self.items: list[AnswerInfo | FateInfo | RefusalInfo | StopInfo] = []
        self.picks: list[core.Expr] | None = None
        """what is left to pick of an answer to a choice of several"""
        self.picks_span: Span | None = None
        self.waiting: Decision | None = None
        """what the last run asks where its answers ran out"""
        parts = [part for part in test.parts if isinstance(part, tuple)]
        self.frame: Frame = [None] * (
            frame_size(
                *(
                    item.condition if isinstance(item, FactInfo) else item
                    for part in parts
                    for item in part
                )
            )
            + 16
        )

    def run(self) -> None:
        interpreter = self.interpreter
        if self.witness is not None:
            self.witness.starts(interpreter, None, self.frame)
        for decision in _driven(interpreter.set_up(), self.witness):
            decision.reply = decision.asked.options[0]
        interpreter.checkpoints_on = False
        interpreter.on_forced = self._forced
        for part in self.test.parts:
            if isinstance(part, WhenInfo):
                self._when(part)
            elif part and isinstance(part[0], FactInfo):
                interpreter.settle()
                for fact in part:
                    assert isinstance(fact, FactInfo)
                    self._fact(fact)
            else:
                self._given(part)  # type: ignore[arg-type]

    def _given(self, block: core.Block) -> None:
        interpreter = self.interpreter
        interpreter.on_forced = None
        interpreter.on_record = None if self.witness is None else self.witness.noted
        try:
            for decision in _driven(interpreter.block(block, self.frame), None):
                decision.reply = decision.asked.options[0]
        except (GameEnded, StepEnded, LoopEnded):
            raise _Failed(self.test.span, "`given` must not end anything") from None
        finally:
            interpreter.on_forced = self._forced
            interpreter.on_record = None

    # ------------------------------------------------------------ when

    def _when(self, part: WhenInfo) -> None:
        interpreter = self.interpreter
        self.items = list(part.answers)
        self.picks = self.waiting = None
        arguments = tuple(interpreter.value(node, self.frame) for node in part.arguments)
        if self.witness is not None:
            self.witness.starts(interpreter, part, self.frame)
        interpreter.checkpoints_on = True
        interpreter.table.evaluator.refuel()
        ends = part.step == "play"
        run = interpreter.finish_with(
            _alone(interpreter.run_step(part.step, arguments)), only_endings=not ends
        )
        if self.witness is not None and any(isinstance(item, StopInfo) for item in self.items):
            interpreter.on_record = self.witness.noted
        try:
            for decision in _driven(run, self.witness):
                reply = self._reply(decision.asked)
                if reply is None:
                    self.waiting = None if self.items else decision.asked
                    del self.items[:1]
                    run.close()
                    break
                decision.reply = reply
        except _Stopped:
            self.items.pop(0)
        finally:
            interpreter.checkpoints_on = False
            interpreter.on_record = None
        self._no_picks_left()
        if self.items:
            raise _Failed(self.items[0].span, "this answer was not asked for")

    def rolled(self, outcome: int | None) -> None:
        if self.witness is not None:
            self.witness.rolled(outcome)

    def next_fate(self) -> FateInfo | None:
        """What is rolled, if the test says so."""
        if self.items and isinstance(self.items[0], StopInfo):
            raise _Stopped
        if self.items and isinstance(self.items[0], FateInfo):
            item = self.items.pop(0)
            assert isinstance(item, FateInfo)
            return item
        return None

    def _forced(self, decision: Decision) -> None:
        """A forced choice takes the answer that fits it, and the refusals before that.

        Of a choice of several that is the whole answer: one with something in common is for another
        choice, and once the first pick was made without it, so are those that follow.
        """
        if self.picks is not None and decision.picked:
            self._picked(decision, decision.options)
            return
        self._no_picks_left()
        at = 0
        while at < len(self.items) and isinstance(self.items[at], RefusalInfo):
            at += 1
        answer = self.items[at] if at < len(self.items) else None
        if isinstance(answer, StopInfo):
            self._reply(decision)
            raise _Stopped
        if isinstance(answer, AnswerInfo) and not decision.picked and self._fits(decision, answer):
            self._reply(decision)

    def _fits(self, decision: Decision, answer: AnswerInfo) -> bool:
        """Whether this can be the answer to a choice."""
        if decision.several:
            if answer.value is None:
                return False
            return self._verdict_of_several(decision, _items(answer.value)).legal
        return bool(self._matching(decision, answer))

    def _reply(self, decision: Decision) -> Option | None:
        """The option the test chooses; None when the answers have run out."""
        if self.picks is not None and decision.several and decision.picked:
            return self._picked(decision, decision.options)
        self._no_picks_left()
        while self.items and isinstance(self.items[0], RefusalInfo):
            refusal = self.items.pop(0)
            assert isinstance(refusal, RefusalInfo)
            self._check_refused(decision, refusal)
        if not self.items or isinstance(self.items[0], StopInfo):
            return None
        answer = self.items[0]
        if isinstance(answer, FateInfo):
            raise _Failed(answer.span, "a choice is asked for here, not a roll")
        assert isinstance(answer, AnswerInfo)
        self.items.pop(0)
        if decision.several and answer.value is not None:
            self.picks = list(_items(answer.value))
            self.picks_span = answer.span
            for value in decision.picked:
                # The first picks were forced, and taken before the answer was asked for.
                self._picked(decision, (ValueOption(value, (value,)),))
            return self._picked(decision, decision.options)
        options = self._matching(decision, answer)
        if not options:
            verdict = self._verdict(decision, answer)
            reasons = tuple(
                f"refused: {self._said(refusal) or 'it is not among what can be chosen here'}"
                for refusal in verdict.refusals
            )
            raise _Failed(
                answer.span, "this choice is not legal here", (*reasons, _asked_at(decision))
            )
        if len(options) > 1:
            raise _Failed(answer.span, "this answer fits several options: say more")
        return options[0]

    def _picked(self, decision: Decision, options: tuple[Option, ...]) -> Option:
        """The next pick of a choice of several."""
        assert self.picks is not None
        for option in options:
            if isinstance(option, ValueOption):
                for number, node in enumerate(self.picks):
                    if any(self.stands_for(node, member) for member in option.members):
                        del self.picks[number]
                        return option
        done = [option for option in options if isinstance(option, DoneOption)]
        if self.picks or not done:
            span = self.picks_span or decision.span
            raise _Failed(span, "these can't be chosen together here", (_asked_at(decision),))
        self.picks = None
        return done[0]

    def _no_picks_left(self) -> None:
        if self.picks:
            raise _Failed(self.picks_span or self.test.span, "not all of these could be chosen")
        self.picks = None

    # ------------------------------------------------------------ matching

    def stands_for(self, node: core.Expr, value: Value) -> bool:
        """Whether an expression in an answer means this value.

        A face means any copy, the name of a kind any piece of it.
        """
        if isinstance(node, core.AllThings) and isinstance(value, Thing):
            return value.kind == node.kind
        told = self.interpreter.value(node, self.frame)
        if isinstance(value, Thing) and isinstance(told, Thing):
            if isinstance(node, core.Face):
                return value is told or value.face is told
            if isinstance(node, core.Indexed):
                return value.kind == told.kind and look(value) == look(told)
        return told == value

    def _matching(self, decision: Decision, answer: AnswerInfo) -> list[Option]:
        found: list[Option] = []
        for option in decision.options:
            match option:
                case ActionOption(name=name, members=members):
                    if name == answer.action and any(
                        all(self.stands_for(node, values[at]) for at, node in answer.arguments)
                        for values in members
                    ):
                        found.append(option)
                case ValueOption(members=members):
                    if answer.value is not None and any(
                        self.stands_for(answer.value, member) for member in members
                    ):
                        found.append(option)
                case DoneOption():
                    pass
        return found

    def _verdict(self, decision: Decision, answer: AnswerInfo) -> Verdict:
        if answer.action is not None:
            given = {at: self._meant(node) for at, node in answer.arguments}
            return judge_action(self.interpreter, decision, answer.action, given)
        assert answer.value is not None
        if decision.several:
            return self._verdict_of_several(decision, _items(answer.value))
        verdicts = [
            judge_value(self.interpreter, decision, value) for value in self._meant(answer.value)
        ]
        legal = any(verdict.legal for verdict in verdicts)
        return Verdict(legal, tuple(r for verdict in verdicts for r in verdict.refusals))

    def _verdict_of_several(self, decision: Decision, nodes: tuple[core.Expr, ...]) -> Verdict:
        """Whether these can be chosen together: each is legal, and their number is."""
        taken: set[Value] = set()
        found: list[Refusal] = []
        # What has fewest meanings takes first: a piece before its face, that before its kind.
        for meant in sorted(map(self._meant, nodes), key=len):
            values = [value for value in meant if value not in taken]
            verdicts = [judge_value(self.interpreter, decision, value) for value in values]
            legal = [v for v, verdict in zip(values, verdicts, strict=True) if verdict.legal]
            taken.update(legal[:1])
            if not legal:
                found.extend(refusal for verdict in verdicts for refusal in verdict.refusals)
        if len(taken) == len(nodes) and decision.least <= len(nodes) <= decision.most:
            return Verdict(True, ())
        return Verdict(False, tuple(found) or (Refusal(None, decision.span, decision.trail),))

    def _meant(self, node: core.Expr) -> tuple[Value, ...]:
        """All the values an expression in an answer can mean."""
        if isinstance(node, core.AllThings):
            return self.interpreter.table.things(node.kind)
        value = self.interpreter.value(node, self.frame)
        if isinstance(node, core.Face) and isinstance(value, Thing):
            return (value, *pieces_like(self.interpreter, value))
        if isinstance(node, core.Indexed) and isinstance(value, Thing):
            things = self.interpreter.table.things(value.kind)
            return tuple(thing for thing in things if look(thing) == look(value))
        return (value,)

    def _check_refused(self, decision: Decision, refusal: RefusalInfo) -> None:
        verdict = self._verdict(decision, refusal.answer)
        if verdict.legal:
            raise _Failed(refusal.span, "this should be refused, but it is legal")
        messages = [said for each in verdict.refusals if (said := self._said(each)) is not None]
        if refusal.message is not None and refusal.message not in messages:
            listed = tuple(f"refused: {message}" for message in dict.fromkeys(messages))
            raise _Failed(
                refusal.span,
                "this is refused for another reason",
                listed or ("refused: it is not among what can be chosen here",),
            )

    def _said(self, refusal: Refusal) -> str | None:
        """A message as the rules say it, with the values in words."""
        words = Words(self.interpreter.game)
        return None if refusal.says is None else words.said(refusal.says, translated=False)

    # ------------------------------------------------------------ then

    def _fact(self, fact: FactInfo) -> None:
        if not self.interpreter.value(fact.condition, self.frame):
            span, details = self._why(fact.condition)
            if self.waiting is not None:
                seat = f"Player {self.waiting.seat.index + 1}"
                details += (f"the answers ran out: {seat} is {_asked_at(self.waiting)}",)
            raise _Failed(span, "this does not hold", details)
        if self.witness is not None:
            self.witness.settled(fact, self.frame)

    def _why(self, node: core.Expr) -> tuple[Span, tuple[str, ...]]:
        """The part of a condition that decides it, and the values it depends on."""
        details: tuple[str, ...] = ()
        match node:
            case core.Both(left=left, right=right):
                return self._why(right if self.interpreter.value(left, self.frame) else left)
            case core.Not(operand=operand):
                details = self._why(operand)[1]
            case core.Compare(left=left, right=right):
                details = (self._shown("left", left), self._shown("right", right))
            case core.Member(element=left, whole=right):
                details = (self._shown("element", left), self._shown("set", right))
            case core.IsFace(subject=left) | core.IsKind(subject=left):
                details = (self._shown("piece", left),)
            case core.Query(word="all", draws=draws, where=where, body=core.Expression() as body):
                details = self._counterexample(draws, where, body)
            case _:
                pass
        return node.span, details

    def _counterexample(
        self, draws: tuple[core.Draw, ...], where: core.Expr | None, body: core.Expr
    ) -> tuple[str, ...]:
        """The first case in which something that should always hold does not."""
        interpreter = self.interpreter
        drawn = interpreter.table.evaluator.drawn(draws, where)
        for values in drawn(interpreter.pos, self.frame):
            for draw, value in zip(draws, values, strict=True):
                self.frame[draw.local.number] = value
            if not interpreter.value(body, self.frame):
                named = zip(draws, values, strict=True)
                case = (f"{draw.local.name}: {as_written(value)}" for draw, value in named)
                return (*case, *self._why(body)[1])
        return ()

    def _shown(self, side: str, node: core.Expr) -> str:
        value = self.interpreter.value(node, self.frame)
        if isinstance(value, tuple):
            return f"{side}: {{{', '.join(str(item) for item in value)}}}"
        return f"{side}: {as_written(value)}"


@attrs.define
class _Asked:
    asked: Decision
    reply: Option | None = None


def _alone(run: Run) -> Run:
    """A step that no other has called: what it ends around it is over with it."""
    with suppress(StepEnded):
        yield from run


def _driven(run: Run, witness: Witness | None) -> Iterator[_Asked]:
    """Drive a run: each decision is handed out and must be given a reply."""
    try:
        decision = next(run)
        while True:
            if witness is not None:
                witness.stopped(decision)
            asked = _Asked(decision)
            yield asked
            if asked.reply is None:
                return
            if witness is not None:
                witness.chose(decision.options.index(asked.reply))
            decision = run.send(asked.reply)
    except StopIteration:
        if witness is not None:
            witness.stopped(None)


def _asked_at(decision: Decision) -> str:
    """Which choice an answer was taken for."""
    prompt = "" if decision.prompt is None else f": “{decision.prompt.text}”"
    return f"asked in line {decision.span.line}{prompt}"


def _items(node: core.Expr) -> tuple[core.Expr, ...]:
    """What an answer to a choice of several lists."""
    return node.items if isinstance(node, core.SetOf) else (node,)
