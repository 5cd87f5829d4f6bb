"""What is known of a set before it is written, from what is known of its parts."""

from __future__ import annotations

import pytest

from ruledsl.engine.memory.layout import Span
from ruledsl.engine.sets import shapes
from ruledsl.engine.sets.shapes import NOTHING, Shape

LOW, HIGH = shapes.word((3, 5)), shapes.word((10, 4))
ANY = shapes.numbers(None, None)


@pytest.mark.parametrize(
    ("left", "right", "span"),
    [
        (LOW, HIGH, (3, 11)),
        (HIGH, LOW, (3, 11)),
        (LOW, NOTHING, (3, 5)),
        (NOTHING, HIGH, (10, 4)),
        (NOTHING, NOTHING, None),
        (LOW, ANY, None),
        (ANY, HIGH, None),
    ],
)
def test_the_span_of_both(left: Shape, right: Shape, span: Span | None) -> None:
    assert shapes.hull(left, right) == span


def test_bits_of_both_are_at_hand_if_those_of_each_are() -> None:
    span = (3, 100)
    words, without = shapes.words(span), shapes.listed(7, span)
    assert shapes.union(words, words, span).words == 2
    assert shapes.union(words, without, span).words == 0
    assert shapes.union(without, words, span).words == 0
    assert shapes.union(words, words, (0, 103)).words == 0
    assert shapes.union(words, without, span).most == 100
    assert shapes.union(without, without, span).most == 14


@pytest.mark.parametrize(
    "whole",
    [
        NOTHING,
        shapes.everything(3, 9),
        LOW,
        shapes.straight((3, 5), 4),
        shapes.words((3, 100)),
        shapes.listed(7, (3, 100)),
    ],
    ids=str,
)
def test_what_stays_as_it_is_is_not_written_down_again(whole: Shape) -> None:
    assert shapes.kept(whole) is whole


def test_what_is_written_down() -> None:
    passing = shapes.listed(7, (3, 5), lasting=False, ordered=True)
    assert shapes.kept(passing) == shapes.word((3, 5))
    assert shapes.kept(shapes.listed(7, (3, 5), lasting=False)) == shapes.listed(7, (3, 5))
    far = shapes.filtered(shapes.words((3, 100)))
    assert shapes.kept(far) == shapes.listed(100, (3, 100), ordered=True)
