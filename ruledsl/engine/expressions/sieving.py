"""Sets made smaller by conditions that bits answer for all elements at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from ruledsl.engine.code.instructions import Code, Function, Width, Writer, add, op, sub
from ruledsl.engine.code.masks import ALL_OF_THEM, NONE_OF_THEM, and_, before, not_
from ruledsl.engine.context import Context, Part
from ruledsl.engine.expressions.environment import Env, Expressions, scope_of
from ruledsl.engine.expressions.sieves import Sieve, Siever
from ruledsl.engine.expressions.subjects import Subject
from ruledsl.engine.expressions.word_conditions import WordConditions
from ruledsl.engine.sets.basic import Bits, Chunks, SetCode, Single, Straight
from ruledsl.engine.sets.shapes import WORD
from ruledsl.engine.sets.stored import Listed
from ruledsl.model import core


class Sieving(Part):
    """Lowers sets that bits make smaller."""

    def __init__(
        self, context: Context, expressions: Expressions, words: WordConditions, siever: Siever
    ) -> None:
        super().__init__(context)
        self.expressions = expressions
        self.words = words
        self.siever = siever

    def planned(
        self,
        whole: SetCode,
        number: int,
        tests: list[core.Expr],
        running: core.Expr | None,
        env: Env,
        *,
        loosely: bool = False,
    ) -> Sieve:
        """How a set is made smaller by what bits can answer."""
        return self.siever.planned(
            whole.shape, number, tests, running, scope_of(env), loosely=loosely
        )

    def sieved(self, w: Writer, whole: SetCode, sieve: Sieve, env: Env) -> SetCode:
        """A set made smaller as planned."""
        match sieve.way:
            case "as it is":
                return whole
            case "single":
                assert sieve.single is not None and whole.span is not None
                return Single(self.words.at_once(w, sieve.single, env), *whole.span)
            case "words":
                return self._by_words(w, whole, sieve, env)
            case "word":
                return self._by_word(w, whole, sieve, env)
            case _:
                assert_never(sieve.way)

    def _by_word(self, w: Writer, whole: SetCode, sieve: Sieve, env: Env) -> SetCode:
        (subject,) = sieve.subjects
        word = whole.at_hand(w)
        assert word is not None
        met: Code = ALL_OF_THEM
        for each in sieve.met:
            (plan,) = each.plans
            met = and_(met, self.words.mask(w, plan, subject, env, and_(word, met)))
        if sieve.going_on is not None:
            assert isinstance(whole, Listed)
            goes_on = self.words.mask(w, sieve.going_on, subject, env, and_(word, met))
            met = w.once(and_(word, met), "i64")
            stops = w.once(and_(met, not_(goes_on)), "i64")
            met = and_(met, before(w, stops, w.once(whole.downward())))
        else:
            met = and_(word, met)
        met = w.once(met, "i64")
        if sieve.shape.form == "straight":
            assert isinstance(whole, Listed)
            return Straight(met, *subject.span, w.once(whole.downward()), sieve.shape.most)
        return Bits(met, *subject.span)

    def _by_words(self, w: Writer, whole: SetCode, sieve: Sieve, env: Env) -> SetCode:
        """The same for a set of several words."""
        words = whole.words_at_hand(w)
        assert words is not None and whole.span is not None
        for each in sieve.met:
            if each.other is not None:
                masks = self._other_words(w, each.other, sieve.subjects, env)
            else:
                masks = [
                    self.words.mask(w, plan, subject, env, word)
                    for plan, subject, word in zip(each.plans, sieve.subjects, words, strict=True)
                ]
            words = tuple(and_(one, other) for one, other in zip(words, masks, strict=True))
        return Chunks(tuple(w.once(word, "i64") for word in words), *whole.span)

    def _other_words(
        self, w: Writer, other: core.Expr, subjects: Sequence[Subject], env: Env
    ) -> list[Code]:
        """All that is in another set, too, which is gone through once."""
        words = [w.variable(NONE_OF_THEM, "i64") for _ in subjects]

        def put(x: Code) -> None:
            x = w.once(x)
            for word, subject in zip(words, subjects, strict=True):
                w.set(word, ("i64.or", word, subject.bit(x)))

        self.expressions.set(w, other, env).each_loosely(w, put)
        return list(words)

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
