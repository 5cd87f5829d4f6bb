"""How a set looks as code: what is known about it before any is written.

A shape says of which form a set is, how many elements it can have, whether bits are at hand for
them, and for which uses it has to be gone through.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import attrs

from ruledsl.engine.memory.board_plans import MOST_PLACES
from ruledsl.engine.memory.layout import Span

WORD = 64
"""Elements that one word has bits for."""
MANY = 8192
"""Numbers that a set holds at most, where nothing says how many."""

Form: TypeAlias = Literal[
    "nothing",
    "everything",
    "single",
    "numbers",
    "word",
    "words",
    "straight",
    "in turn",
    "stored words",
    "list",
    "backward",
    "cell",
    "guarded",
    "filtered",
    "union",
    "one of",
    "reached",
    "stepped",
    "flooded",
    "image",
]
Use: TypeAlias = Literal[
    "each", "loosely", "member", "count", "count to", "filled", "first", "bits"
]
"""What can be asked of a set; see `SetCode`."""

EVERY_USE: frozenset[Use] = frozenset(
    {"each", "loosely", "member", "count", "count to", "filled", "first", "bits"}
)
_BY_EACH: frozenset[Use] = frozenset({"each", "count", "count to", "first"})
_BY_ANY: frozenset[Use] = frozenset({"loosely", "member", "filled", "bits"})
"""Uses that go through all elements unless a set knows better: in order, or in any order."""


@attrs.frozen
class Shape:
    """What is known about a set beforehand."""

    form: Form
    span: Span | None
    """the least element there can be, and how many from there on"""
    most: int
    """how many elements there can be"""
    ordered: bool = True
    """whether elements come in the table's order"""
    words: int = 0
    """words of bits that are at hand without a loop"""
    loops: frozenset[Use] = EVERY_USE
    """uses that go through its elements"""
    straight: bool = False
    """whether a list goes through its bits upward or downward"""
    sized: bool = False
    """whether the number of candidates is known when code is written"""
    lasting: bool = True
    """whether a list stays as it is"""
    inside: Shape | None = None
    """what a guarded or filtered set is made of"""

    def __str__(self) -> str:
        bits = "" if not self.words else ", bits at hand"
        order = "" if self.ordered else ", in an order of its own"
        return f"{self.form} of at most {self.most}{bits}{order}"

    @property
    def one_word(self) -> bool:
        """Whether all elements there can be have a bit in one word."""
        return self.span is not None and self.span[1] <= WORD


NOTHING = Shape("nothing", None, 0, loops=frozenset())


def everything(low: int, size: int) -> Shape:
    loops: frozenset[Use] = frozenset({"each", "loosely", "filled", "first"})
    return Shape(
        "everything",
        (low, size),
        size,
        words=_words(size),
        loops=frozenset() if size == 1 else loops,
        sized=True,
    )


def _words(size: int) -> int:
    return max(1, -(-size // WORD)) if size <= MOST_PLACES else 0


def single(span: Span) -> Shape:
    return Shape("single", span, 1, loops=frozenset())


def numbers(low: int | None, high: int | None) -> Shape:
    known = low is not None and high is not None
    most = max(0, high - low + 1) if low is not None and high is not None else MANY
    loops: frozenset[Use] = frozenset({"each", "loosely", "filled", "first", "count to", "bits"})
    return Shape("numbers", None, most, loops=loops, sized=known)


def word(span: Span) -> Shape:
    return Shape("word", span, span[1], words=1, loops=frozenset({"each", "loosely"}))


def straight(span: Span, most: int) -> Shape:
    loops: frozenset[Use] = frozenset({"each", "loosely"})
    return Shape("straight", span, most, ordered=False, words=1, loops=loops)


def words(span: Span) -> Shape:
    loops: frozenset[Use] = frozenset({"each", "loosely", "first", "bits"})
    return Shape("words", span, span[1], words=-(-span[1] // WORD), loops=loops)


def in_turn(span: Span, steps: int) -> Shape:
    return Shape("in turn", span, steps, ordered=False)


def stored_words(low: int, number: int) -> Shape:
    loops: frozenset[Use] = frozenset({"each", "loosely", "first", "bits"})
    return Shape("stored words", (low, number * WORD), number * WORD, loops=loops)


def listed(
    capacity: int,
    span: Span | None,
    *,
    ordered: bool = False,
    lasting: bool = True,
    has_bits: bool = False,
    straight: bool = False,
) -> Shape:
    loops: set[Use] = {"each", "loosely"}
    if not has_bits:
        loops.add("member")
    one = has_bits and span is not None and span[1] <= WORD
    if not one:
        loops.add("bits")
    at_hand = 0 if not has_bits or span is None else _words(span[1])
    return Shape(
        "list",
        span,
        capacity,
        ordered,
        at_hand,
        frozenset(loops),
        straight=straight,
        lasting=lasting,
    )


def stepped(met: Shape) -> Shape:
    return attrs.evolve(met, form="stepped", loops=met.loops | {"count to"})


def backward(whole: Shape) -> Shape:
    loops = EVERY_USE - {"member", "count"} | (whole.loops & {"member", "count"})
    return Shape("backward", None, whole.most, ordered=False, loops=loops)


def cell(span: Span | None) -> Shape:
    return Shape("cell", span, 1, loops=frozenset(), sized=True)


def guarded(whole: Shape) -> Shape:
    return Shape(
        "guarded",
        whole.span,
        whole.most,
        whole.ordered,
        whole.words,
        _by_default(whole) - (frozenset({"bits"}) if whole.words == 1 else frozenset()),
        inside=whole,
    )


def filtered(whole: Shape, *, runs: bool = False, far: bool = True) -> Shape:
    """The elements that pass; `runs` where there may be an end before, `far` if a test loops."""
    loops = EVERY_USE if far else _by_default(whole)
    if not far and not runs and "member" not in whole.loops:
        loops -= {"member"}
    form: Form = "filtered"
    return Shape(
        form, whole.span, whole.most, whole.ordered, loops=loops, inside=None if runs else whole
    )


def union(left: Shape, right: Shape, span: Span) -> Shape:
    at_hand = 0
    if left.span == span and right.span == span:
        at_hand = left.words if left.words == right.words else 0
    loops = set(EVERY_USE)
    if not (left.loops | right.loops) & {"loosely"}:
        loops -= {"loosely", "member", "filled"}
    if span[1] <= WORD and not any(ors_far(each, span[0]) for each in (left, right)):
        loops -= {"bits", "count"}
    most = min(left.most + right.most, span[1])
    return Shape("union", span, most, words=at_hand, loops=frozenset(loops))


def ors_far(whole: Shape, low: int) -> bool:
    """Whether adding a set to a word goes through it."""
    at_hand = whole.words == 1 and whole.span is not None and whole.span[0] == low
    return not at_hand and "loosely" in whole.loops


def one_of(shapes: tuple[Shape, ...], span: Span | None) -> Shape:
    return Shape(
        "one of",
        span,
        max((each.most for each in shapes), default=0),
        all(each.ordered for each in shapes),
    )


def kept(whole: Shape) -> Shape:
    """What a set is once it is written down."""
    if whole.form in ("everything", "nothing", "word", "straight", "words"):
        return whole
    if whole.form == "list" and whole.lasting:
        return whole
    if whole.ordered and whole.span is not None and whole.one_word:
        return word(whole.span)
    if whole.form == "flooded":
        assert whole.span is not None
        return words(whole.span)
    return written(whole)


def written(whole: Shape) -> Shape:
    """What a set is as a list."""
    if whole.form == "list" and whole.lasting:
        return whole
    return listed(whole.most, whole.span, ordered=whole.ordered)


def keeps_far(whole: Shape) -> bool:
    """Whether a set is gone through to be written down."""
    found = kept(whole)
    if found is whole:
        return False
    return "bits" in whole.loops if found.form == "word" else True


def hull(left: Shape, right: Shape) -> Span | None:
    """The span of two sets together."""
    if left.form == "nothing":
        return right.span
    if right.form == "nothing":
        return left.span
    if left.span is None or right.span is None:
        return None
    low = min(left.span[0], right.span[0])
    return low, max(left.span[0] + left.span[1], right.span[0] + right.span[1]) - low


def _by_default(whole: Shape) -> frozenset[Use]:
    """What has to go through a set that knows no better than its parts."""
    loops: set[Use] = set()
    if "each" in whole.loops:
        loops |= _BY_EACH
    if "loosely" in whole.loops:
        loops |= _BY_ANY
    return frozenset(loops)
