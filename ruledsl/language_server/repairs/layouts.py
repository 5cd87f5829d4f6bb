"""Repairs of the text as such: signs, words, brackets, blanks."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ruledsl.language_server.repairs.repair import Mend, Patient, Repair
from ruledsl.language_server.texts import Edit
from ruledsl.syntax.continuing import unfinished

SIGNS = {
    "==": "=",
    "<>": "!=",
    "=<": "<=",
    "=>": ">=",
    "&&": "and",
    "&": "and",
    "||": "or",
    "!": "not ",
    "->": ":",
    "//": "/",
    "%": "mod",
    ";": "",
}
CHARACTERS = {
    "“": '"',
    "”": '"',
    "„": '"',
    "’": '"',
    "\N{NO-BREAK SPACE}": " ",
    "–": "-",
    "−": "-",
    "≤": "<=",
    "≥": ">=",
    "≠": "!=",
    "…": "..",
    "×": "*",
    "[": "{",
    "]": "}",
}
WORDS = {
    "elif": "else if",
    "elsif": "else if",
    "elseif": "else if",
    "while": "repeat while",
    "foreach": "for",
    "def": "define",
    "function": "define",
    "var": "state",
    "const": "define",
    "enum": "type",
    "import": "use",
    "include": "use",
}
CLOSING = {"(": ")", "{": "}"}


def tab(case: Patient) -> Iterator[Repair]:
    blanks = case.line.replace("\t", "    ")
    yield Repair("Write blanks", (Edit(case.text.whole_line(case.span.line), blanks),))


def all_tabs(case: Patient) -> Iterator[Repair]:
    edits = tuple(
        Edit(case.text.whole_line(number), line.replace("\t", "    "))
        for number, line in enumerate(case.text.lines, 1)
        if "\t" in line
    )
    yield Repair("Write blanks for all tabs", edits)


def deletion(case: Patient) -> Iterator[Repair]:
    yield case.delete("Delete it" if not case.marked.strip() else None)


def invisible(case: Patient) -> Iterator[Repair]:
    yield case.delete("Delete the invisible character")


def stray_character(case: Patient) -> Iterator[Repair]:
    if case.marked in "“”„’":
        quotes = str.maketrans(dict.fromkeys("“”„’", '"'))
        straight = case.line.translate(quotes)
        yield Repair(
            "Write straight quotation marks",
            (Edit(case.text.whole_line(case.span.line), straight),),
        )
    elif case.marked in "[]":
        curly = case.line.replace("[", "{").replace("]", "}")
        yield Repair("Write `{ }`", (Edit(case.text.whole_line(case.span.line), curly),))
    elif case.marked in CHARACTERS:
        yield case.replace(CHARACTERS[case.marked])
    yield case.delete()


def foreign_sign(case: Patient) -> Iterator[Repair]:
    sign = case.marked
    whole = case.text.whole_line(case.span.line)
    left = case.line[: case.span.column - 1].strip()
    right = case.line[case.span.end_column - 1 :].strip()
    blanks = " " * case.indent
    if sign in SIGNS:
        yield case.replace(SIGNS[sign], None if SIGNS[sign] else f"Delete `{sign}`")
    elif sign == ":=":
        yield Repair(f"Write `set {left} = …`", (Edit(whole, f"{blanks}set {left} = {right}"),))
        yield Repair(f"Write `let {left} = …`", (Edit(whole, f"{blanks}let {left} = {right}"),))
    elif sign == "+=":
        yield Repair(f"Write `add … to {left}`", (Edit(whole, f"{blanks}add {right} to {left}"),))
    elif sign == "-=":
        line = f"{blanks}take {right} from {left}"
        yield Repair(f"Write `take … from {left}`", (Edit(whole, line),))


def bad_number(case: Patient) -> Iterator[Repair]:
    if re.fullmatch(r"\d+\.\d+", case.marked):
        yield case.replace(case.marked.replace(".", ".."))
    elif re.fullmatch(r"\d+[^\W\d]\w*", case.marked):
        digits = re.match(r"\d+", case.marked)
        assert digits is not None
        rest = case.marked[digits.end() :]
        yield case.replace(f"{digits[0]} {rest}")
        yield case.replace(f"{rest}{digits[0]}")


def unclosed_text(case: Patient) -> Iterator[Repair]:
    end = len(case.line.rstrip()) + 1
    yield case.insert(case.span.line, end, '"', 'Add `"`')


def unclosed_bracket(case: Patient) -> Iterator[Repair]:
    if case.found.notes:
        opened = case.text.text_of(case.found.notes[0].span)
        if opened in CLOSING:
            yield case.replace(CLOSING[opened])
    elif case.marked in CLOSING:
        closing = CLOSING[case.marked]
        yield case.insert(case.span.line, case.code_end(case.span.line), closing)
        body = re.search(r"\s+=\s|\s+\"", case.line[case.span.column - 1 :])
        if body is not None:
            yield case.insert(case.span.line, case.span.column + body.start(), closing)
        yield case.delete()


def indentation(case: Patient) -> Iterator[Repair]:
    """Any of the indentations around, the nearest first."""
    levels = {0}
    for line in case.text.lines[: case.span.line - 1]:
        if line.strip():
            levels.add(len(line) - len(line.lstrip()))
    for level in sorted(levels, key=lambda level: abs(level - case.indent)):
        if level != case.indent:
            edit = Edit(case.text.whole_line(case.span.line), " " * level + case.line.lstrip())
            yield Repair(f"Indent by {level} blanks" if level else "Remove the blanks", (edit,))


def deeper(case: Patient) -> Iterator[Repair]:
    """The line and what belongs to it, indented below the declaration above."""
    last = case.span.line
    while case.text.line(last + 1)[:1] == " ":
        last += 1
    edits = tuple(
        Edit(case.text.whole_line(number), f"    {case.text.line(number)}")
        for number in range(case.span.line, last + 1)
    )
    yield Repair("Indent the line", edits)


def at_the_left(case: Patient) -> Iterator[Repair]:
    """A declaration that was begun in the block of another, with its own block."""
    begun = unfinished(case.span.file, "_", 1, "_")
    if begun is None or case.line.split()[0] not in begun.expected:
        return
    last = case.span.line
    while case.text.line(last + 1).startswith(" " * (case.indent + 1)):
        last += 1
    edits = tuple(
        Edit(case.text.whole_line(number), case.text.line(number)[case.indent :])
        for number in range(case.span.line, last + 1)
    )
    yield Repair("Move it to the left", edits)


def missing_word(case: Patient) -> Iterator[Repair]:
    """A word that is expected where another thing stands, if few would do."""
    expected = re.match(r"expected ((?:`[^`]*`(?: or |, )?)+) after", case.found.message)
    words = re.findall(r"`([a-z]+)`", expected[1]) if expected is not None else []
    for word in words:
        at_end = not case.marked.strip()
        end = len(case.line[: case.span.column - 1].rstrip()) + 1
        yield case.insert(case.span.line, end, f" {word}") if at_end else case.before(f"{word} ")


def dot_only(case: Patient) -> Iterator[Repair]:
    before = case.line[: case.span.column - 2]
    subject = re.search(r"[\w.]+(?:\([^()]*\))?$", before)
    if subject is not None:
        start = subject.start() + 1
        span = case.text.span(case.span.line, start, case.span.line, case.span.end_column)
        yield Repair(f"Write `the({subject[0]})`", (Edit(span, f"the({subject[0]})"),))


def foreign_word(case: Patient) -> Iterator[Repair]:
    if case.marked in WORDS:
        yield case.replace(WORDS[case.marked])


def missing_block(case: Patient) -> Iterator[Repair]:
    head = case.line.split()[0] if case.line.split() else ""
    line = {"game": "players 2..4", "choose": "skip"}.get(head, "skip")
    end = len(case.line) + 1
    below = f"\n{' ' * (case.indent + 4)}{line}"
    yield case.insert(case.span.line, end, below, f"Add a block with `{line}`")


def crowded_header(case: Patient) -> Iterator[Repair]:
    rest = case.line[case.span.column - 1 :]
    blanks = " " * (case.indent + 4)
    if rest.strip() == case.marked:
        yield case.delete()
    without = case.line[case.span.end_column - 1 :].lstrip()
    start = len(case.line[: case.span.column - 1].rstrip()) + 1
    whole = case.text.span(case.span.line, start, case.span.line, len(case.line) + 1)
    if without:
        yield Repair(f"Delete `{case.marked}`, and go on in the next line",
                     (Edit(whole, f"\n{blanks}{without}"),))  # fmt: skip
    yield Repair("Go on in the next line", (Edit(whole, f"\n{blanks}{rest.strip()}"),))


def missing_have(case: Patient) -> Iterator[Repair]:
    before = case.line[: case.span.column - 1]
    where = before.rfind(" where ")
    if where >= 0:
        span = case.text.span(case.span.line, where + 2, case.span.line, where + 7)
        yield Repair("Write `have` for `where`", (Edit(span, "have"),))
    yield case.before(" have yes", "Add `have`")


def missing_message(case: Patient) -> Iterator[Repair]:
    end = case.code_end(case.span.line)
    text = '    "This is not allowed."'
    yield case.insert(case.span.line, end, text, "Add a message")


def missing_type(case: Patient) -> Iterator[Repair]:
    for of in (": flag = no", ": number", ": flag", ": Player"):
        end = case.span.column
        stripped = len(case.line[: end - 1].rstrip()) + 1
        yield case.insert(case.span.line, stripped, of, f"Add `{of}`")


def wrong_parameter(case: Patient) -> Iterator[Repair]:
    before = case.line[: case.span.column - 1]
    start = len(before.rstrip()) + 1
    span = case.text.span(case.span.line, start, case.span.end_line, case.span.end_column)
    if case.marked == ":":
        yield Repair("Write `in`", (Edit(span, " in"),))
    elif case.marked == "in":
        yield Repair("Write `:`", (Edit(span, ":"),))
    else:
        yield case.insert(case.span.line, start, " in Player")
        yield case.insert(case.span.line, start, ": Player")


def assignment_without_set(case: Patient) -> Iterator[Repair]:
    if case.marked == "to":
        yield case.replace("=")
    yield case.insert(case.span.line, case.indent + 1, "set ", "Write `set`")
    yield case.insert(case.span.line, case.indent + 1, "let ", "Write `let`")


def dotted_call(case: Patient) -> Iterator[Repair]:
    match = re.fullmatch(r"(\s*)([\w.]+)\.(\w+)(?:\((.*)\))?(.*)", case.line)
    if match is not None:
        blanks, subject, name, arguments, rest = match.groups()
        given = ", ".join(filter(None, (subject, arguments)))
        line = f"{blanks}{name}({given}){rest}"
        yield Repair(
            f"Write `{name}({given})`", (Edit(case.text.whole_line(case.span.line), line),)
        )


def row_without_bar(case: Patient) -> Iterator[Repair]:
    if case.marked in (",", ":", ";", "="):
        yield case.replace("|")
        yield case.replace(" -")
        name, _, rest = case.line.lstrip().partition(case.marked)
        bars = f"{' ' * case.indent}{name.strip()} | {rest.strip().replace(',', ' |')}"
        yield Repair("Write `|`", (Edit(case.text.whole_line(case.span.line), bars),))
    yield case.before("| ", "Add `|`")
    cells = " | ".join(case.line.split())
    whole = case.text.whole_line(case.span.line)
    yield Repair("Write `|` between all cells", (Edit(whole, f"{' ' * case.indent}{cells}"),))
    yield case.before("- ", "Add `-`")


def empty_cell(case: Patient) -> Iterator[Repair]:
    yield case.before("none ", "Write `none`")
    yield case.before(" none", "Write `none`")


def reserved_word(case: Patient) -> Iterator[Repair]:
    yield case.replace(f"{case.marked}_")


def chained_comparison(case: Patient) -> Iterator[Repair]:
    before = case.line[: case.span.column - 1].rstrip()
    middle = re.search(r"[\w.]+(?:\([^()]*\))?$", before)
    if middle is not None:
        yield case.before(f"and {middle[0]} ", f"Write `… {middle[0]} and {middle[0]} …`")


def empty_brackets(case: Patient) -> Iterator[Repair]:
    match = re.search(r"\(\s*\)", case.line[max(0, case.span.column - 3) :])
    if match is not None:
        start = max(0, case.span.column - 3) + match.start() + 1
        span = case.text.span(case.span.line, start, case.span.line, start + len(match[0]))
        yield Repair("Leave out the brackets", (Edit(span, ""),))


def missing_comma(case: Patient) -> Iterator[Repair]:
    start = len(case.line[: case.span.column - 1].rstrip()) + 1
    yield case.insert(case.span.line, start, ",", "Add `,`")


def incomplete_if(case: Patient) -> Iterator[Repair]:
    start = len(case.line[: case.span.column - 1].rstrip()) + 1
    for text in (" else 0", " else no", " else none", " then"):
        yield case.insert(case.span.line, start, text)


REPAIRS: dict[str, tuple[Mend, ...]] = {
    "tab": (tab, all_tabs),
    "control-character": (invisible,),
    "stray-character": (stray_character,),
    "foreign-sign": (foreign_sign,),
    "bad-number": (bad_number,),
    "unclosed-text": (unclosed_text,),
    "unclosed-bracket": (unclosed_bracket,),
    "unopened-bracket": (deletion,),
    "uneven-indentation": (indentation,),
    "unexpected-indentation": (at_the_left, indentation),
    "misplaced-line": (deeper,),
    "else-without-if": (indentation,),
    "dot-only": (dot_only,),
    "foreign-word": (foreign_word,),
    "missing-block": (missing_block,),
    "crowded-header": (crowded_header,),
    "missing-have": (missing_have,),
    "missing-message": (missing_message,),
    "missing-type": (missing_type,),
    "wrong-parameter": (wrong_parameter,),
    "assignment-without-set": (assignment_without_set,),
    "dotted-call": (dotted_call,),
    "row-without-bar": (row_without_bar,),
    "empty-cell": (empty_cell,),
    "chained-comparison": (chained_comparison,),
    "empty-brackets": (empty_brackets,),
    "trailing-comma": (deletion,),
    "missing-comma": (missing_comma,),
    "incomplete-if": (incomplete_if,),
    "unknown-line": (at_the_left,),
    "unknown-statement": (at_the_left,),
    "reserved-word": (reserved_word, at_the_left),
    "unexpected": (missing_word, at_the_left),
    "unknown-declaration": (deeper,),
}
