"""How a set is made smaller by conditions that bits answer, decided before code is written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

import attrs

from ruledsl.engine.context import Context, Part
from ruledsl.engine.expressions.environment import Scope
from ruledsl.engine.expressions.going_wrong import GoingWrong
from ruledsl.engine.expressions.subjects import Subject
from ruledsl.engine.expressions.word_planner import WordPlanner
from ruledsl.engine.expressions.word_plans import (
    WordPlan,
    plan_goes_far,
    plan_lines,
)
from ruledsl.engine.sets import shapes
from ruledsl.engine.sets.shapes import WORD, Shape
from ruledsl.model import core
from ruledsl.model.names import free_in, names_in
from ruledsl.model.outline import outline


@attrs.frozen
class Answered:
    """A test that bits answer: a plan for each word, or all that is in another set, too."""

    test: core.Expr
    plans: tuple[WordPlan, ...]
    other: core.Expr | None = None
    """the other set, which is gone through once"""


@attrs.frozen
class Sieve:
    """What becomes of a set: what bits answer, and what is left to be tested one by one."""

    way: Literal["as it is", "single", "word", "words"]
    shape: Shape
    """of what is left"""
    subjects: tuple[Subject, ...]
    met: tuple[Answered, ...]
    left: tuple[core.Expr, ...]
    single: core.Expr | None = None
    """the one thing that a test names"""
    going_on: WordPlan | None = None
    """how bits tell as long as what it goes on"""
    running: core.Expr | None = None
    """what is left to go on by"""

    def lines(self, indent: str = "") -> Iterator[str]:
        yield f"{indent}{self.shape}"
        if self.single is not None:
            yield f"{indent}    only {outline(self.single)}"
        for each in self.met:
            if each.other is not None:
                yield f"{indent}    also in {outline(each.other)}"
            for plan in each.plans[:1]:
                yield from plan_lines(plan, f"{indent}    ")
        if self.going_on is not None:
            yield f"{indent}    as long as"
            yield from plan_lines(self.going_on, f"{indent}        ")
        for test in self.left:
            yield f"{indent}    each by itself: {outline(test)}"
        if self.running is not None:
            yield f"{indent}    each by itself, as long as: {outline(self.running)}"

    @property
    def answers_all(self) -> bool:
        """Whether nothing is left to be tested."""
        return not self.left and self.running is None

    @property
    def far(self) -> bool:
        """Whether another set is gone through for the bits."""
        plans = [plan for each in self.met for plan in each.plans]
        plans += [] if self.going_on is None else [self.going_on]
        return any(each.other is not None for each in self.met) or any(map(plan_goes_far, plans))


class Siever(Part):
    """Decides by which bits a set is made smaller."""

    def __init__(self, context: Context, words: WordPlanner, wrong: GoingWrong) -> None:
        super().__init__(context)
        self.words = words
        self.wrong = wrong

    def planned(
        self,
        shape: Shape,
        number: int,
        tests: Sequence[core.Expr],
        running: core.Expr | None,
        scope: Scope,
        *,
        loosely: bool = False,
    ) -> Sieve:
        """What bits can answer about the elements of a set, whose name has a number."""
        as_it_is = Sieve("as it is", shape, (), (), tuple(tests), running=running)
        if shape.form == "everything" and not shape.one_word and running is None:
            single = self._singled_out(shape, number, tests, scope)
            if single is not None:
                return single
        if shape.span is not None and not shape.one_word:
            if running is None and (shape.ordered or loosely):
                return self._by_words(shape, number, tests, scope) or as_it_is
            return as_it_is
        subject = self._subject(shape, number)
        if subject is None or not (shape.ordered or loosely or shape.straight):
            return as_it_is
        if (running is not None and not shape.straight) or shape.words != 1:
            return as_it_is
        met: list[Answered] = []
        left: list[core.Expr] = []
        for at, test in enumerate(tests):
            plan = self.words.planned(test, subject, scope, asked=True)
            if plan is None and self.wrong.may(test):
                left += tests[at:]  # It is judged for all that gets there.
                break
            if plan is None:
                left.append(test)
                plan = self.words.needed(test, subject, scope)
            if plan is not None:
                met.append(Answered(test, (plan,)))
        going_on = None
        if running is not None:
            going_on = self.words.planned(running, subject, scope, asked=True)
            if going_on is None or left:
                return as_it_is
        elif not met:
            return as_it_is
        found = shapes.word(subject.span)
        if shape.straight and not loosely:
            found = shapes.straight(subject.span, shape.most)
        return Sieve("word", found, (subject,), tuple(met), tuple(left), None, going_on, None)

    def _singled_out(
        self, shape: Shape, number: int, tests: Sequence[core.Expr], scope: Scope
    ) -> Sieve | None:
        """The one of many things that a test names."""
        assert shape.span is not None
        for test in tests:
            if self.wrong.may(test):
                return None
            if not isinstance(test, core.Compare) or test.sign != "=":
                continue
            for side, other in ((test.left, test.right), (test.right, test.left)):
                if not isinstance(side, core.Local) or side.number != number:
                    continue
                if number not in names_in(other) and self.words.at_once(other, scope):
                    left = tuple(each for each in tests if each is not test)
                    return Sieve("single", shapes.single(shape.span), (), (), left, other)
        return None

    def _by_words(
        self, shape: Shape, number: int, tests: Sequence[core.Expr], scope: Scope
    ) -> Sieve | None:
        """The same for a set of several words."""
        assert shape.span is not None
        subjects = None if not shape.words else self.words.subjects(shape.span, number)
        if subjects is None:
            return None
        met: list[Answered] = []
        left: list[core.Expr] = []
        for at, test in enumerate(tests):
            answered = self._answered(test, subjects, scope)
            if answered is None and self.wrong.may(test):
                left += tests[at:]
                break
            if answered is None:
                left.append(test)
            else:
                met.append(answered)
        if not met:
            return None
        found = shapes.words(shape.span)
        return Sieve("words", found, tuple(subjects), tuple(met), tuple(left))

    def _answered(
        self, test: core.Expr, subjects: Sequence[Subject], scope: Scope
    ) -> Answered | None:
        plans: list[WordPlan] = []
        for subject in subjects:
            plan = self.words.planned(test, subject, scope, asked=True)
            if plan is None:
                break
            plans.append(plan)
        else:
            return Answered(test, tuple(plans))
        number = subjects[0].number
        match test:
            case core.Member(element=core.Local(number=name), whole=whole) if name == number:
                if number in names_in(whole) or not free_in(whole) <= scope.keys():
                    return None
                return Answered(test, (), whole) if self.words.harmless(whole) else None
            case _:
                return None

    def _subject(self, shape: Shape, number: int) -> Subject | None:
        if shape.span is None or not 0 < shape.span[1] <= WORD:
            return None
        found = self.words.subjects(shape.span, number)
        return None if found is None else found[0]
