"""No text whatsoever makes the parser raise; what it reads without mistakes can be formatted."""

import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ruledsl.diagnostics.source import Source
from ruledsl.syntax.format import format_file
from ruledsl.syntax.parser import Parsed, parse, reader

from .samples import FILES

TEXTS = [path.read_text("utf-8") for path in FILES]
PIECE = re.compile(r'\n *|"[^"\n]*"|§[\w-]+|#[^\n]*|\.\.|[!<>]=|\w+|\S')
PIECES = [PIECE.findall(text) for text in TEXTS]
WORDS = sorted({*reader().scanner.literals, "a", "Card", "3", '"text"', "§PP-1", "\n", "\n    "})


def check(text: str) -> Parsed:
    parsed = parse(Source("test", text))
    lines = text.removeprefix("\ufeff").count("\n") + 1
    for diagnostic in parsed.diagnostics:
        span = diagnostic.span
        assert 1 <= span.line <= span.end_line <= lines
        assert span.column >= 1
        assert (span.end_line, span.end_column) >= (span.line, span.column)
    if not parsed.diagnostics:
        check_format(parsed)
    return parsed


def check_format(parsed: Parsed) -> None:
    text = format_file(parsed)
    again = parse(Source("test", text))
    assert again.diagnostics == ()
    assert again.file == parsed.file
    assert sorted(c.text for c in again.comments) == sorted(c.text for c in parsed.comments)
    assert format_file(again) == text


@given(st.text())
@example("\\\n")
@example("a\x00")
@example("#\ud800")
@example('define a = "\n')
@example("(\n)")
@example(")\n(")
@example("|\n ~")
def test_any_text(text: str) -> None:
    check(text)


@given(st.lists(st.sampled_from(WORDS), max_size=40).map(" ".join))
def test_any_words(text: str) -> None:
    check(text)


@given(st.lists(st.sampled_from(WORDS), max_size=15))
def test_any_words_in_a_block(words: list[str]) -> None:
    check("step a\n    " + " ".join(words).replace("\n    ", "\n        "))


@st.composite
def mutated(draw: st.DrawFn) -> str:
    """A stretch of a rules file with words deleted, doubled, swapped and replaced."""
    pieces = draw(st.sampled_from(PIECES))
    start = draw(st.integers(0, len(pieces)))
    words = ["\n", *pieces[start : start + 300]]
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, max(len(words) - 1, 0)))
        match draw(st.sampled_from(("delete", "double", "swap", "retype", "line"))):
            case "delete":
                del words[at : at + 1]
            case "double":
                words[at:at] = words[at : at + 1]
            case "swap":
                words[at : at + 2] = reversed(words[at : at + 2])
            case "retype":
                words[at : at + 1] = [draw(st.sampled_from(WORDS))]
            case _:
                words[at:at] = [draw(st.sampled_from(("\n", "\n    ", "\n  ", "\n            ")))]
    return "".join(word if word.startswith("\n") else f"{word} " for word in words)


@settings(max_examples=3 * settings().max_examples)
@given(mutated())
def test_mutated_files(text: str) -> None:
    check(text)


@given(st.sampled_from(TEXTS), st.data())
def test_comments_anywhere(text: str, data: st.DataObject) -> None:
    lines = text.split("\n")
    start = data.draw(st.integers(0, len(lines)))
    part = lines[start : start + 40]
    for _ in range(3):
        at = data.draw(st.integers(0, max(len(part) - 1, 0)))
        indent = data.draw(st.sampled_from(("", "    ", "        ", "  ")))
        part[at:at] = data.draw(st.sampled_from(([f"{indent}# a remark"], [""], ["", "", ""])))
        end = data.draw(st.integers(0, len(part) - 1))
        if '"' not in part[end] and "#" not in part[end]:
            part[end] += "  # behind"
    check("\n".join(part) + "\n")


@pytest.mark.parametrize("rest", ['} leaves"', "}", '}, {q} "', "})"])
def test_a_text_that_goes_on_at_the_left(rest: str) -> None:
    check(f'step leave "{{p\n{rest}\n    skip\n')


def test_line_ends_and_byte_order_marks_are_no_difference() -> None:
    for text in TEXTS[::8]:
        plain = parse(Source("test", text))
        windows = parse(Source("test", "\ufeff" + text.replace("\n", "\r\n")))
        assert windows == plain
        assert [item.span for item in windows.file.items] == [
            item.span for item in plain.file.items
        ]
