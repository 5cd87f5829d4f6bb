"""Each mistake in the text of a file: its code and its place, and that it costs nothing else."""

import re
from pathlib import Path

import pytest

from ruledsl.diagnostics import syntax
from ruledsl.diagnostics.diagnostic import Code, Diagnostic
from ruledsl.diagnostics.source import Source
from ruledsl.syntax.format import format_file
from ruledsl.syntax.parser import MAX_BYTES, MAX_MISTAKES, parse, reader

MISTAKES = (Path(__file__).parent / "mistakes.txt").read_text("utf-8")
CASES = [case.split("\n", 1) for case in re.split(r"^== ", MISTAKES, flags=re.MULTILINE)[1:]]
ALONE = [marked for _, marked in CASES if not marked.startswith(" ")]
"""Those that are not about the beginning of a file."""


def unmarked(marked: str) -> str:
    return re.sub(r"^ *\^+\n", "", marked, flags=re.MULTILINE)


def found(text: str) -> list[Diagnostic]:
    return list(parse(Source("test", text)).diagnostics)


def found_one(text: str) -> Diagnostic:
    (diagnostic,) = found(text)
    return diagnostic


def place(diagnostic: Diagnostic) -> tuple[int, int, int]:
    span = diagnostic.span
    assert span.line == span.end_line
    return span.line, span.column, span.end_column


@pytest.mark.parametrize(("code", "marked"), CASES)
def test_mistake(code: str, marked: str) -> None:
    """The marked place lies in the line above the marks."""
    lines = marked.rstrip("\n").split("\n")
    (row,) = (row for row, line in enumerate(lines) if re.fullmatch(r" *\^+", line))
    marks = lines.pop(row)
    diagnostic = found_one("\n".join(lines) + "\n")
    assert diagnostic.code.name == code
    assert place(diagnostic) == (row, marks.index("^") + 1, len(marks) + 1)


def test_every_code_has_a_case() -> None:
    declared = {code.name for code in vars(syntax).values() if isinstance(code, Code)}
    elsewhere = {"empty-file", "file-too-large", "too-many-mistakes", "control-character"}
    elsewhere |= {"look-alike"}
    deep = {"too-deep", "expression-too-long"}
    assert declared == {code for code, _ in CASES} | elsewhere | deep


@pytest.mark.parametrize("marked", ALONE)
def test_words_of_the_tools_are_never_shown(marked: str) -> None:
    diagnostic = found_one(unmarked(marked))
    notes = [note.text for note in diagnostic.notes]
    shown = " ".join([diagnostic.message, diagnostic.label, diagnostic.hint or "", *notes])
    words = set(re.findall(r"[A-Z_$]{2,}\w*", re.sub(r"U\+[0-9A-F]+|§PP-17|`[^`]*`", "", shown)))
    assert not words & {*reader().automaton.tables.patterns, "_NL", "_INDENT", "_DEDENT", "$END"}
    assert diagnostic.message[0] not in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    assert "Token" not in shown


@pytest.mark.parametrize("marked", ALONE)
def test_the_other_declarations_are_read(marked: str) -> None:
    text = f"define before = 1\n\n{unmarked(marked)}\ndefine behind = 2\n"
    parsed = parse(Source("test", text))
    names = [getattr(item, "name", None) for item in parsed.file.items]
    known = [name.text for name in names if name is not None]
    assert len(parsed.diagnostics) == 1
    assert known[0] == "before"
    assert known[-1] == "behind"


def test_each_broken_line_is_reported_once() -> None:
    text = "step a\n    mvoe x\n    x = 3\n\ndefine b = 1\n\nstep c\n    elif\n    == ==\n"
    assert [(d.code.name, d.span.line) for d in found(text)] == [
        ("unknown-statement", 2),
        ("assignment-without-set", 3),
        ("foreign-sign", 9),
    ]


def test_the_list_is_cut_off() -> None:
    diagnostics = found("foo\n" * 1000)
    assert len(diagnostics) == MAX_MISTAKES + 1
    assert diagnostics[-1].code is syntax.TOO_MANY_MISTAKES
    assert diagnostics[-1].span.line == MAX_MISTAKES + 1


@pytest.mark.parametrize("text", ["", "\n\n", "# nothing\n", "\ufeff", "    \n"])
def test_empty_file(text: str) -> None:
    assert found_one(text).code is syntax.EMPTY_FILE


def test_file_too_large() -> None:
    line = "define a = 1\n"
    text = line * (MAX_BYTES // len(line) + 1)
    assert found_one(text).code is syntax.FILE_TOO_LARGE
    assert found_one("ü" * (MAX_BYTES // 2 + 1)).code is syntax.FILE_TOO_LARGE


@pytest.mark.parametrize("character", ["\x00", "\x07", "\x85", "\u200b", "\u202e", "\ud800"])
@pytest.mark.parametrize("where", ["define a{} = 1", 'test "{}"', "define a = 1 # {}", "{}"])
def test_control_character(character: str, where: str) -> None:
    diagnostic = found_one(where.format(character) + "\n")
    assert diagnostic.code is syntax.CONTROL_CHARACTER
    assert diagnostic.span.column == where.index("{") + 1


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("define a = " + "(" * 41 + "1" + ")" * 41, syntax.TOO_DEEP, 1),
        ("define a = " + "{" * 100_000, syntax.TOO_DEEP, 1),
        ("define a = " + "f(" * 100_000 + ")" * 100_000, syntax.TOO_DEEP, 1),
        ("step a\n" + "".join(" " * n + "if x\n" for n in range(1, 400)), syntax.TOO_DEEP, 22),
        ("define a = 1" + " + 1" * 201, syntax.EXPRESSION_TOO_LONG, 1),
        ("define a = " + "not " * 100_000 + "x", syntax.EXPRESSION_TOO_LONG, 1),
        ("define a = " + "-" * 100_000 + "x", syntax.EXPRESSION_TOO_LONG, 1),
        ("define a = x" + ".x" * 100_000, syntax.EXPRESSION_TOO_LONG, 1),
        ("define a = " + "if x then " * 50_000, syntax.EXPRESSION_TOO_LONG, 1),
        ("define a = (\n" + " 1\n +" * 50_000 + "1)", syntax.EXPRESSION_TOO_LONG, 202),
        ('define a = "' + "x" * 900_000, syntax.UNCLOSED_TEXT, 1),
        ("define a = " + "9" * 900_000, syntax.BAD_NUMBER, 1),
        ("define a = " + "9" * 900_000 + "x", syntax.BAD_NUMBER, 1),
        ("define a = " + "\t" * 900_000, syntax.TAB, 1),
        ("define a = " + "x" * 900_000 + " y", syntax.UNEXPECTED, 1),
        ("define a = " + " " * 900_000 + "!", syntax.FOREIGN_SIGN, 1),
        ("§" * 400_000, syntax.BAD_CITATION, 1),
        ("f" * 900_000, syntax.UNKNOWN_DECLARATION, 1),
    ],
)
def test_excess_is_an_error_and_no_hang(text: str, code: Code, line: int) -> None:
    diagnostic = found_one(text)
    assert diagnostic.code is code
    assert diagnostic.span.line == line
    assert len(diagnostic.message) < 200


@pytest.mark.parametrize(
    "expression",
    [
        "(" * 40 + "1" + ")" * 40,
        "1" + " + 1" * 199,
        "not " * 199 + "x",
        "x" + ".x" * 199,
        "if x then 1 else " * 99 + "2",
        "{" * 20 + "f(" * 20 + ")" * 20 + "}" * 20,
    ],
)
def test_what_is_just_allowed_can_be_used(expression: str) -> None:
    parsed = parse(Source("test", f"define a = {expression}\n"))
    again = parse(Source("test", f"define a = {expression}\n"))
    assert parsed.diagnostics == ()
    assert parsed.file == again.file
    assert hash(parsed.file) == hash(again.file)
    assert repr(parsed.file)
    assert parse(Source("test", format_file(parsed))).file == parsed.file
