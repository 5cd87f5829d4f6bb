"""Repairs of texts and names as people read them: citations, translations, notations."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ruledsl.language_server.repairs.declarations import repeated_line
from ruledsl.language_server.repairs.repair import Mend, Patient, Repair
from ruledsl.language_server.texts import Edit
from ruledsl.syntax import ast
from ruledsl.syntax.lookalikes import skeleton

# ---------------------------------------------------------------- citations


def bad_citation(case: Patient) -> Iterator[Repair]:
    """The number that is there, as a rule of the book."""
    line, start = case.span.line, case.span.column
    cited = re.match(r"§[^#\n]*", case.line[start - 1 :])
    number = re.search(r"\d+", cited[0]) if cited is not None else None
    if cited is None:
        return
    span = case.text.span(line, start, line, start + len(cited[0].rstrip()))
    header = case.analysis.header
    for book in header.lines if isinstance(header, ast.Game) else ():
        if isinstance(book, ast.Rulebook) and number is not None:
            cite = f"§{book.prefix.text}-{number[0]}"
            yield Repair(f"Write `{cite}`", (Edit(span, cite),))
    yield Repair("Delete the citation", (Edit(span, ""),))


def unknown_citation(case: Patient) -> Iterator[Repair]:
    start = len(case.line[: case.span.column - 1].rstrip()) + 1
    span = case.text.span(case.span.line, start, case.span.line, case.span.end_column)
    yield Repair(f"Delete `{case.marked}`", (Edit(span, ""),))


# ---------------------------------------------------------------- translations


def missing_translation(case: Patient) -> Iterator[Repair]:
    """A line under the language that lacks it, with the text itself to be written over."""
    code = _language(case.found.message)
    if code is None:
        return
    title = f"Add a line for `{code}`"
    yield _added(case, code, [case.marked], title)
    lacking = [
        case.text.text_of(found.span)
        for found in case.analysis.diagnostics
        if found.code is case.found.code
        and found.span.file == case.span.file
        and _language(found.message) == code
    ]
    if len(lacking) > 1:
        yield _added(case, code, lacking, f"Add all lines that `{code}` lacks")


def _language(message: str) -> str | None:
    named = re.search(r"language `(\w+)`", message)
    return None if named is None else named[1]


def _added(case: Patient, code: str, texts: list[str], title: str) -> Repair:
    phrases = [
        f"    {text} {text}" if text.startswith('"') else f'    {text} "{text}"'
        for text in dict.fromkeys(texts)
    ]
    for item in case.analysis.items:
        block = item.declaration if isinstance(item, ast.Replace | ast.Extend) else item
        if isinstance(block, ast.Language) and block.code.text == code and block.phrases:
            line = block.phrases[-1].span.line
            added = "".join(f"\n{phrase}" for phrase in phrases)
            return case.insert(line, len(case.text.line(line)) + 1, added, title)
    end = len(case.text.lines)
    added = "\n".join((f"\nextend language {code}", *phrases, ""))
    return case.insert(end, len(case.text.line(end)) + 1, added, title)


def other_values(case: Patient) -> Iterator[Repair]:
    """The values of the text in its translation."""
    lacks, _, has = case.found.label.partition("the text has no")
    lacking, strange = (re.findall(r"\{[^{}`]*\}", part) for part in (lacks, has))
    text = case.marked
    for old, new in zip(strange, lacking, strict=False):
        text = text.replace(old, new)
    for old in strange[len(lacking) :]:
        text = text.replace(f" {old}", "").replace(old, "")
    added = "".join(f" {new}" for new in lacking[len(strange) :])
    yield case.replace(f'{text.removesuffix(chr(34))}{added}"', "Write the values of the text")


def value_in_text(case: Patient) -> Iterator[Repair]:
    line, start = case.span.line, case.span.column
    rest = case.line[start - 1 :]
    if "not closed" in case.found.message:
        name = re.match(r'"[^"{]*\{[\w.]+', rest)
        if name is not None:
            yield case.insert(line, start + name.end(), "}", "Add `}`")
        return
    whole = re.match(r'("[^"{]*?)\s*\{[^{}"]*\}', rest)
    if whole is not None:
        span = case.text.span(line, start, line, start + whole.end())
        yield Repair("Leave out the value", (Edit(span, whole[1]),))
        return
    known = re.findall(r"`\{(\w+)\}`", case.found.label)
    for name in known:
        yield case.replace(name)
    before = case.line[: start - 1].rstrip("{")
    if not known and case.line[case.span.end_column - 1 : case.span.end_column] == "}":
        span = case.text.span(line, len(before.rstrip()) + 1, line, case.span.end_column + 1)
        yield Repair("Leave out the value", (Edit(span, ""),))


# ---------------------------------------------------------------- notations and names


def alike_notation(case: Patient) -> Iterator[Repair]:
    """The parameter that is not told stands in the last text; a sign that is taken goes."""
    left_out = re.match(r"`(\w+)` is left out", case.found.label)
    if left_out is None:
        yield case.delete()
        return
    last = case.marked.rfind('"')
    if last > 0:
        yield case.replace(
            f'{case.marked[:last]} {{{left_out[1]}}}"{case.marked[last + 1 :]}',
            f"Add `{{{left_out[1]}}}`",
        )


def bad_notation(case: Patient) -> Iterator[Repair]:
    condition = re.search(rf"\s+where\s+{re.escape(case.marked)}", case.line)
    if condition is not None:
        line = case.span.line
        span = case.text.span(line, condition.start() + 1, line, condition.end() + 1)
        yield Repair("Leave out the condition", (Edit(span, ""),))
    yield case.delete_line()


def look_alike(case: Patient) -> Iterator[Repair]:
    """The name in Latin letters, wherever it stands."""
    plain = skeleton(case.marked)
    word = re.compile(rf"\b{re.escape(case.marked)}\b")
    names = {plain, f"{plain}2"} if plain != case.marked else set()
    for name in sorted(names):
        edits = tuple(
            Edit(case.text.span(number, found.start() + 1, number, found.end() + 1), name)
            for number, line in enumerate(case.text.lines, 1)
            for found in word.finditer(line)
        )
        yield Repair(f"Write `{name}` in Latin letters", edits)


REPAIRS: dict[str, tuple[Mend, ...]] = {
    "bad-citation": (bad_citation,),
    "unknown-citation": (unknown_citation,),
    "repeated-rule": (repeated_line,),
    "missing-translation": (missing_translation,),
    "other-values": (other_values,),
    "value-in-text": (value_in_text,),
    "alike-notation": (alike_notation,),
    "bad-notation": (bad_notation,),
    "look-alike": (look_alike,),
}
