"""Sets made smaller by conditions that bits answer for all elements at once."""

from __future__ import annotations

from ruledsl.engine.code.instructions import Code, Function, Statement, Width, Writer, add, op, sub
from ruledsl.engine.code.masks import ALL_OF_THEM, NONE_OF_THEM, and_, before, not_
from ruledsl.engine.context import Context, Part
from ruledsl.engine.expressions.environment import Env, Expressions
from ruledsl.engine.expressions.subjects import Subject
from ruledsl.engine.expressions.words import WordConditions
from ruledsl.engine.sets.basic import WORD, Bits, Chunks, Everything, SetCode, Single, Straight
from ruledsl.engine.sets.stored import Listed
from ruledsl.model import core
from ruledsl.model.names import free_in, names_in


class Sieving(Part):
    """Lowers sets that bits make smaller."""

    def __init__(self, context: Context, expressions: Expressions, words: WordConditions) -> None:
        super().__init__(context)
        self.expressions = expressions
        self.words = words

    def sieved(
        self,
        w: Writer,
        whole: SetCode,
        number: int,
        tests: list[core.Expr],
        running: core.Expr | None,
        env: Env,
        *,
        loosely: bool = False,
    ) -> tuple[SetCode, list[core.Expr], core.Expr | None]:
        """A set made smaller by what bits can answer; what is left to be tested and to go on by."""
        if isinstance(whole, Everything) and whole.size > WORD and running is None:
            whole, tests = self._singled_out(w, whole, number, tests, env)
        if whole.span is not None and whole.span[1] > WORD:
            if running is None and (whole.ordered or loosely):
                whole, tests = self._sieved_words(w, whole, number, tests, env)
            return whole, tests, running
        subject = self._subject(whole, number)
        straight = isinstance(whole, Listed) and whole.straight
        if subject is None or not (whole.ordered or loosely or straight):
            return whole, tests, running
        if running is not None and not straight:
            return whole, tests, running
        code: list[Statement] = []
        with w.into(code):
            word = whole.at_hand(w)
        if word is None:
            return whole, tests, running
        left: list[core.Expr] = []
        met: Code = ALL_OF_THEM
        with w.into(code):
            for test in tests:
                mask = self.words.mask(w, test, subject.of(and_(word, met)), env)
                if mask is None:
                    left.append(test)
                else:
                    met = and_(met, mask)
            goes_on = None
            if running is not None:
                goes_on = self.words.mask(w, running, subject.of(and_(word, met)), env)
        if running is not None and (goes_on is None or left):
            return whole, tests, running
        if running is None and len(left) == len(tests):
            return whole, tests, running
        w.out.extend(code)
        if running is not None:
            assert isinstance(whole, Listed) and goes_on is not None
            met = w.once(and_(word, met), "i64")
            stops = w.once(and_(met, not_(goes_on)), "i64")
            met = and_(met, before(w, stops, w.once(whole.downward())))
        else:
            met = and_(word, met)
        met = w.once(met, "i64")
        if straight and not loosely:
            assert isinstance(whole, Listed)
            return Straight(met, *subject.span, w.once(whole.downward())), left, None
        return Bits(met, *subject.span), left, None

    def _singled_out(
        self, w: Writer, whole: Everything, number: int, tests: list[core.Expr], env: Env
    ) -> tuple[SetCode, list[core.Expr]]:
        """The one of many things that a test names."""
        for test in tests:
            if not isinstance(test, core.Compare) or test.sign != "=":
                continue
            for side, other in ((test.left, test.right), (test.right, test.left)):
                if not isinstance(side, core.Local) or side.number != number:
                    continue
                if number not in names_in(other):
                    value = self.words.at_once(w, other, env, value=True)
                    if value is not None:
                        found = Single(w.once(value), whole.low, whole.size)
                        return found, [each for each in tests if each is not test]
        return whole, tests

    def _sieved_words(
        self, w: Writer, whole: SetCode, number: int, tests: list[core.Expr], env: Env
    ) -> tuple[SetCode, list[core.Expr]]:
        """The same for a set of several words."""
        assert whole.span is not None
        code: list[Statement] = []
        with w.into(code):
            words = whole.words_at_hand(w)
        subjects = None if words is None else self.words.subjects(whole.span, number)
        if words is None or subjects is None:
            return whole, tests
        left: list[core.Expr] = []
        with w.into(code):
            for test in tests:
                asked = [each.of(word) for each, word in zip(subjects, words, strict=True)]
                masks = self.words.masks(w, test, asked, env)
                if masks is None:
                    masks = self._other_words(w, test, subjects, env)
                if masks is None:
                    left.append(test)
                else:
                    words = tuple(and_(one, other) for one, other in zip(words, masks, strict=True))
        if len(left) == len(tests):
            return whole, tests
        w.out.extend(code)
        return Chunks(tuple(w.once(word, "i64") for word in words), *whole.span), left

    def _other_words(
        self, w: Writer, test: core.Expr, subjects: list[Subject], env: Env
    ) -> list[Code] | None:
        """All that is in another set, too, which is gone through once."""
        number = subjects[0].number
        match test:
            case core.Member(element=core.Local(number=name), whole=whole) if name == number:
                if number in names_in(whole) or not free_in(whole) <= env.keys():
                    return None
                if not self.words.harmless(whole):
                    return None
            case _:
                return None
        words = [w.variable(NONE_OF_THEM, "i64") for _ in subjects]

        def put(x: Code) -> None:
            x = w.once(x)
            for word, subject in zip(words, subjects, strict=True):
                w.set(word, ("i64.or", word, subject.bit(x)))

        self.expressions.set(w, whole, env).each_loosely(w, put)
        return list(words)

    def _subject(self, whole: SetCode, number: int) -> Subject | None:
        if whole.span is None or not 0 < whole.span[1] <= WORD:
            return None
        found = self.words.subjects(whole.span, number)
        return None if found is None else found[0]

    def nth_bit(self, word: Code, number: Code, size: int) -> Code:
        """Where the set bit of a number, from 0 on, stands among so many bits."""
        return ("call", f"nth_bit_{max(1, (size - 1).bit_length())}", word, number)

    def write_nth_bits(self) -> None:
        """For each number of halvings a function that finds a set bit by its number."""
        for halvings in range(1, WORD.bit_length()):
            params: list[tuple[str, Width]] = [("word", "i64"), ("number", "i32")]
            w = Writer(self.context.program.add(Function(f"nth_bit_{halvings}", params)))
            found = w.variable(0)
            for half in reversed([1 << at for at in range(halvings)]):
                lower = ("i64.and", "word", ("i64", (1 << half) - 1))
                held = w.once(("i32.wrap_i64", ("i64.popcnt", lower)))
                above = w.once(op("i32.ge_u", "number", held))
                w.set("number", sub("number", ("select", held, 0, above)))
                w.set("word", ("i64.shr_u", "word", ("select", ("i64", half), ("i64", 0), above)))
                w.set(found, add(found, ("select", half, 0, above)))
            w.give_back(found)
