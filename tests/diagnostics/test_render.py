"""How diagnostics look: the text to the last blank, and the JSON by its fields."""

import unicodedata
from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruledsl.diagnostics.diagnostic import Code, Diagnostic, Note
from ruledsl.diagnostics.render import as_records, in_reading_order, render_text, summary
from ruledsl.diagnostics.source import NOWHERE, Source, Span
from ruledsl.diagnostics.wording import printable

UNKNOWN = Code("unknown-place", "error", "a place that is declared nowhere")
UNUSED = Code("unused-name", "warning", "a name that nothing uses")


def at(line: int, column: int, end_line: int, end_column: int, file: str = "a.rules") -> Span:
    return Span(file, line, column, end_line, end_column)


def shown(text: str, *diagnostics: Diagnostic, width: int = 100) -> str:
    """The text for diagnostics about one source, without the summary."""
    rendered = render_text(diagnostics, {"a.rules": Source("a.rules", text)}, width=width)
    return rendered.rsplit("\n\n", 1)[0]


def test_the_example_of_the_style_guide() -> None:
    text = "\n" * 140 + "    move all from spot.under to discrad\n"
    diagnostic = Diagnostic(
        UNKNOWN,
        at(141, 33, 141, 40),
        "no place is called `discrad`",
        "used here",
        "did you mean `discard`?",
    )
    expected = """\
        error[unknown-place]: no place is called `discrad`
         --> a.rules:141:33
            |
        141 |     move all from spot.under to discrad
            |                                 ^^^^^^^ used here
            = hint: did you mean `discard`?"""
    assert shown(text, diagnostic) == dedent(expected)


def test_notes_have_their_own_lines() -> None:
    text = "place deck of Card\n" + "\n" * 10 + "place deck of Coin"
    notes = (Note(at(1, 7, 1, 11), "the first one"), Note(NOWHERE, "names are declared once"))
    diagnostic = Diagnostic(UNUSED, at(12, 7, 12, 11), "`deck` again", "the second", notes=notes)
    expected = """\
        warning[unused-name]: `deck` again
         --> a.rules:12:7
           |
        12 | place deck of Coin
           |       ^^^^ the second
         --> a.rules:1:7
           |
         1 | place deck of Card
           |       ---- the first one
           = note: names are declared once"""
    assert shown(text, diagnostic) == dedent(expected)


def test_a_short_stretch_of_lines_is_shown_whole() -> None:
    expected = """\
        error[unknown-place]: m
         --> a.rules:1:3
          |
        1 | a if b
          |   ^^^^
        3 |   c
          |   ^ all this"""
    elided = dedent(expected).replace("3 |   c", "...\n3 |   c")
    assert shown("a if b\n\n  c\n", Diagnostic(UNKNOWN, at(1, 3, 3, 4), "m", "all this")) == elided


def test_of_a_long_stretch_of_lines_first_and_last_are_shown() -> None:
    expected = """\
        error[unknown-place]: m
         --> a.rules:1:1
          |
        1 | step a
          | ^^^^^^
        ...
        5 |     e f
          |     ^ all this"""
    text = "step a\n    b\n    c\n    d\n    e f\n"
    assert shown(text, Diagnostic(UNKNOWN, at(1, 1, 5, 6), "m", "all this")) == dedent(expected)


def test_a_stretch_ending_at_a_line_start_ends_on_the_line_before() -> None:
    expected = """\
        error[unknown-place]: m
         --> a.rules:1:1
          |
        1 | step a
          | ^^^^^^ here"""
    assert shown("step a\nb\n", Diagnostic(UNKNOWN, at(1, 1, 2, 1), "m", "here")) == dedent(
        expected
    )


@pytest.mark.parametrize(
    ("line", "start", "end", "source_line", "mark_line"),
    [
        ("\tset x = 1", 6, 7, "    set x = 1", "        ^"),
        ("全部 = x", 6, 7, "全部 = x", "       ^"),
        ("全部 = x", 1, 3, "全部 = x", "^^^^"),
        ("e\u0301 = x", 6, 7, "e\u0301 = x", "    ^"),
        ("end", 4, 4, "end", "   ^"),
        ("end", 9, 12, "end", "   ^"),
        ("a\x1b[31mb", 7, 8, "a␛[31mb", "      ^"),
        ("a\u202eb", 3, 4, "a\ufffdb", "  ^"),
        ("end\r", 1, 4, "end", "^^^"),
    ],
)
def test_marks_stand_below_what_they_mark(
    line: str, start: int, end: int, source_line: str, mark_line: str
) -> None:
    out = shown(line, Diagnostic(UNKNOWN, at(1, start, 1, end), "m")).split("\n")
    assert out[3:] == [f"1 | {source_line}", f"  | {mark_line}"]


@pytest.mark.parametrize(
    ("start", "end", "source_line", "mark_line"),
    [
        (1, 3, "0123456789…", "^^"),
        (15, 17, "…8901234567…", "       ^^"),
        (5, 40, "…2345678901…", "   ^^^^^^^^"),
        (39, 41, "…23456789", "       ^^"),
    ],
)
def test_long_lines_are_shown_around_the_mark(
    start: int, end: int, source_line: str, mark_line: str
) -> None:
    line = "0123456789" * 4
    out = shown(line, Diagnostic(UNKNOWN, at(1, start, 1, end), "m"), width=10).split("\n")
    assert out[3:] == [f"1 | {source_line}", f"  | {mark_line}"]


def test_without_the_source_only_the_place_is_given() -> None:
    out = shown("", Diagnostic(UNKNOWN, at(3, 4, 3, 5, "b.rules"), "m", "label"))
    assert out == "error[unknown-place]: m\n --> b.rules:3:4\n  = note: label"


def test_a_finding_about_no_place_is_a_title() -> None:
    assert shown("", Diagnostic(UNKNOWN, NOWHERE, "m")) == "error[unknown-place]: m"


def test_colours_change_nothing_else() -> None:
    source = Source("a.rules", "place deck of Card")
    note = Note(at(1, 1, 1, 6), "note")
    found = [Diagnostic(UNKNOWN, at(1, 7, 1, 11), "m", "label", "hint", (note,))]
    plain = render_text(found, {"a.rules": source})
    colored = render_text(found, {"a.rules": source}, color=True)
    assert "\x1b[" not in plain
    for code in ("1;31", "1;34", "34", "1;36", "1", "0"):
        colored = colored.replace(f"\x1b[{code}m", "")
    assert colored == plain


def test_summary() -> None:
    error = Diagnostic(UNKNOWN, at(1, 1, 1, 2), "m")
    warning = Diagnostic(UNUSED, at(1, 1, 1, 2, "b.rules"), "m")
    assert summary([error] * 3 + [warning]) == "3 errors, 1 warning in 2 files"
    assert summary([warning, warning]) == "2 warnings in 1 file"
    assert summary([Diagnostic(UNKNOWN, NOWHERE, "m")]) == "1 error"
    assert render_text([], {}) == ""


def test_json() -> None:
    found = [Diagnostic(UNKNOWN, at(1, 2, 3, 4), "müde", "label", "hint")]
    assert as_records(found) == [
        {
            "file": "a.rules",
            "line": 1,
            "column": 2,
            "end_line": 3,
            "end_column": 4,
            "code": "unknown-place",
            "severity": "error",
            "message": "müde",
            "hint": "hint",
        }
    ]
    assert as_records([]) == []


def test_reading_order_keeps_files_together_and_drops_repetitions() -> None:
    b2, a9, b1 = (
        Diagnostic(UNKNOWN, at(2, 1, 2, 2, "b.rules"), "m"),
        Diagnostic(UNKNOWN, at(9, 1, 9, 2), "m"),
        Diagnostic(UNKNOWN, at(1, 1, 1, 2, "b.rules"), "m"),
    )
    assert in_reading_order([b2, a9, b1, b2]) == (b1, b2, a9)


@given(
    st.text(max_size=80),
    st.tuples(*[st.integers(min_value=0, max_value=90)] * 4),
    st.integers(min_value=4, max_value=30),
)
def test_any_text_and_any_place_can_be_shown(
    text: str, place: tuple[int, int, int, int], width: int
) -> None:
    out = shown(text, Diagnostic(UNKNOWN, at(*place), text, text, text), width=width)
    assert all(char == "\n" or unicodedata.category(char) not in ("Cc", "Cs") for char in out)


def test_printable_keeps_ordinary_text() -> None:
    assert printable("Käse für §PP-17 “now”") == "Käse für §PP-17 “now”"
