"""Texts that are read again and again: what is kept is what reading from nothing would give."""

from itertools import pairwise
from pathlib import Path
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from ruledsl.diagnostics.source import LineNumbers, Source, Span
from ruledsl.language_server import reading
from ruledsl.language_server.reading import KeptTexts
from ruledsl.model.memory import same
from ruledsl.syntax.parser import Parsed, parse
from tests.language_server.edits import edits

GAME = (Path(__file__).parents[2] / "games" / "classics" / "tic_tac_toe.rules").read_text("utf-8")


def as_read(parsed: Parsed) -> tuple[object, ...]:
    return parsed.diagnostics, parsed.comments, dict(parsed.wrapped)


@settings(max_examples=25)
@given(st.integers(0, 10**6))
def test_what_is_kept_is_what_would_be_read(seed: int) -> None:
    texts, history = KeptTexts(), edits(GAME, Random(seed))
    for _ in range(12):
        source = Source("tic_tac_toe.rules", next(history))
        kept, fresh = texts.in_text(texts.parse(source)), parse(source)
        assert same(kept.file, fresh.file)
        assert as_read(kept) == as_read(fresh)


def test_what_stands_below_a_new_line_stays_the_same() -> None:
    texts = KeptTexts()
    before = texts.parse(Source("a", GAME))
    after = texts.parse(Source("a", GAME.replace("\nstep", "\n# Longer.\n\nstep", 1)))
    assert all(one is other for one, other in zip(before.file.items, after.file.items, strict=True))
    assert before.source.numbers != after.source.numbers


def test_a_declaration_that_is_as_before_gets_its_number_back() -> None:
    texts = KeptTexts()
    before = texts.parse(Source("a", GAME))
    texts.is_sound("a")
    for slip in ("type New = a, b", "    # Much longer."):
        texts.parse(Source("a", GAME.replace("\nstep", f"\n{slip}step")))
        after = texts.parse(Source("a", GAME.replace("\nstep", f"\n{slip}\nstep", 1)))
        known = {id(item) for item in before.file.items}
        assert {*map(id, after.file.items[-4:])} <= known
        assert texts.parse(Source("a", GAME)).source.numbers == before.source.numbers


def test_numbers_begin_anew_where_there_is_no_room_left() -> None:
    texts, middle = KeptTexts(), ""
    for number in range(60):
        # Each stands before the last one: the room there is halved again and again.
        middle = f"type T{number} = a, b\n{middle}"
        text = f'library a "A"\n{middle}type Z = y, z\n'
        kept = texts.parse(Source("a", text))
        starts = kept.source.numbers.starts
        assert all(b - a >= reading.ROOM for a, b in pairwise(starts))
        assert same(texts.in_text(kept).file, parse(Source("a", text)).file)


@given(st.lists(st.tuples(st.integers(1, 9), st.integers(10, 99)), min_size=1, max_size=6))
def test_lines_and_numbers_go_both_ways(stretches: list[tuple[int, int]]) -> None:
    starts, lines, start, line = [], [], 0, 1
    for length, apart in stretches:
        start += apart
        starts.append(start)
        lines.append(line)
        line += length
    numbers = LineNumbers(tuple(starts), tuple(lines))
    for each in range(1, line):
        assert numbers.line(numbers.number(each)) == each
        there = numbers.number(each)
        span = numbers.in_text(Span("a", there, 2, there, 5))
        assert span == Span("a", each, 2, each, 5)
    assert sorted(map(numbers.number, range(1, line))) == [*map(numbers.number, range(1, line))]
