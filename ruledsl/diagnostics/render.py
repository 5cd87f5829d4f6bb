"""Diagnostics as text for people and as JSON for programs.

Pure: sources are passed in, strings are returned. Whatever a source contains, the text holds no
control characters but line feeds and the colours asked for.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, TypeAlias

import attrs

from ruledsl.diagnostics.causes import by_cause
from ruledsl.diagnostics.diagnostic import Diagnostic, Severity
from ruledsl.diagnostics.source import Source, Span
from ruledsl.diagnostics.wording import TAB, amount, cell_of, printable

WIDTH = 100
"""Source lines longer than this are shown in part."""

FAR = 400
"""Letters before and behind a mark that are looked at."""

Style: TypeAlias = Literal["error", "warning", "note", "frame", "hint", "title"]

_ANSI: dict[Style, str] = {
    "error": "\x1b[1;31m",
    "warning": "\x1b[1;33m",
    "note": "\x1b[1;34m",
    "frame": "\x1b[34m",
    "hint": "\x1b[1;36m",
    "title": "\x1b[1m",
}
_RESET = "\x1b[0m"


def render_text(
    diagnostics: Iterable[Diagnostic],
    sources: Mapping[str, Source],
    *,
    color: bool = False,
    width: int = WIDTH,
) -> str:
    """Each cause with the lines it is about, and a summary; nothing if there are none."""
    found = by_cause(diagnostics, sources)
    if not found:
        return ""
    parts = render_each(found, sources, color=color, width=width)
    return "\n\n".join([*parts, summary(found)]) + "\n"


def render_each(
    diagnostics: Iterable[Diagnostic],
    sources: Mapping[str, Source],
    *,
    color: bool = False,
    width: int = WIDTH,
) -> list[str]:
    """Every diagnostic with the lines it is about."""
    page = _Page({name: source.text.split("\n") for name, source in sources.items()}, color, width)
    return [page.diagnostic(diagnostic) for diagnostic in diagnostics]


def summary(diagnostics: Iterable[Diagnostic]) -> str:
    """`3 errors, 1 warning in 2 files`"""
    found = tuple(diagnostics)
    severities: tuple[Severity, ...] = ("error", "warning")
    counts = [(sum(d.severity == severity for d in found), severity) for severity in severities]
    amounts = [amount(number, noun) for number, noun in counts if number]
    files = len({d.span.file for d in found if d.span.file})
    where = f" in {amount(files, 'file')}" if files else ""
    return (", ".join(amounts) or "no mistakes") + where


def as_records(diagnostics: Iterable[Diagnostic]) -> list[dict[str, str | int | None]]:
    """An object for each diagnostic, as JSON has them."""
    return [
        {
            "file": d.span.file,
            "line": d.span.line,
            "column": d.span.column,
            "end_line": d.span.end_line,
            "end_column": d.span.end_column,
            "code": d.code.name,
            "severity": d.severity,
            "message": d.message,
            "hint": d.hint,
        }
        for d in diagnostics
    ]


def in_reading_order(diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Each diagnostic once, file by file as they first appear, from the top of each file."""
    found = tuple(dict.fromkeys(diagnostics))
    files = {name: place for place, name in enumerate(dict.fromkeys(d.span.file for d in found))}
    return tuple(sorted(found, key=lambda d: (files[d.span.file], d.span)))


@attrs.frozen
class _Page:
    """What all diagnostics of one text share."""

    lines: Mapping[str, Sequence[str]]
    color: bool
    width: int

    def diagnostic(self, diagnostic: Diagnostic) -> str:
        severity = diagnostic.severity
        head = self.paint(severity, f"{severity}[{diagnostic.code.name}]")
        out = [head + self.paint("title", f": {printable(diagnostic.message)}")]
        spans = (diagnostic.span, *(note.span for note in diagnostic.notes))
        gutter = max(len(str(span.end_line)) for span in spans)
        out += self.snippet(diagnostic.span, gutter, "^", severity, diagnostic.label)
        for note in diagnostic.notes:
            snippet = self.snippet(note.span, gutter, "-", "note", note.text)
            out += snippet or [self.remark(gutter, "note", "note", note.text)]
        if diagnostic.hint is not None:
            out.append(self.remark(gutter, "hint", "hint", diagnostic.hint))
        return "\n".join(out)

    def remark(self, gutter: int, style: Style, word: str, text: str) -> str:
        head = self.paint("frame", f"{' ' * gutter} = ") + self.paint(style, f"{word}: ")
        return head + printable(text)

    def snippet(self, span: Span, gutter: int, mark: str, style: Style, label: str) -> list[str]:
        """Where the span is and, if its source is known, its lines with the span marked."""
        if not span.file:
            return []
        place = f":{span.line}:{span.column}" if span.line else ""
        out = [self.paint("frame", " --> ") + printable(span.file) + place]
        marked = _marked_lines(span, self.lines.get(span.file, ()))
        if not marked:
            return out + ([self.remark(gutter, "note", "note", label)] if label else [])
        bar = self.paint("frame", f"{' ' * gutter} |")
        out.append(bar)
        for position, (number, text, start, end) in enumerate(marked):
            if position and number > marked[position - 1][0] + 1:
                out.append(self.paint("frame", "..."))
            shown, indent, length = _window(text, start, end, self.width)
            number_bar = self.paint("frame", f"{number:>{gutter}} |")
            out.append(f"{number_bar} {shown}" if shown else number_bar)
            last = position == len(marked) - 1
            tag = f"{mark * length} {printable(label)}".rstrip() if last else mark * length
            out.append(f"{bar} {' ' * indent}{self.paint(style, tag)}")
        return out

    def paint(self, style: Style, text: str) -> str:
        return f"{_ANSI[style]}{text}{_RESET}" if self.color else text


def _marked_lines(span: Span, lines: Sequence[str]) -> list[tuple[int, str, int, int]]:
    """Number, text, and marked stretch (from 0, end exclusive) of the lines to show.

    Of a long span only the first and the last line are shown.
    """
    if not 1 <= span.line <= len(lines):
        return []
    last = max(span.line, min(span.end_line, len(lines)))
    if last > span.line and span.end_column <= 1:
        last -= 1
    numbers = [
        n for n in range(span.line, last + 1) if n in (span.line, last) or last - span.line < 3
    ]
    marked = []
    for number in numbers:
        text = lines[number - 1].rstrip("\r")
        blank = len(text) - len(text.lstrip())
        start = min(span.column - 1, len(text)) if number == span.line else blank
        ends_here = number == span.end_line
        end = min(span.end_column - 1, len(text)) if ends_here else len(text.rstrip())
        if number in (span.line, last) or text.strip():
            marked.append((number, text, start, max(end, start)))
    return marked


def _window(text: str, start: int, end: int, width: int) -> tuple[str, int, int]:
    """The part of the line to show, and the indent and length of the mark below it.

    Of a very long line only what is near the mark is looked at.
    """
    first = max(0, start - FAR)
    is_cut = first > 0, start + FAR < len(text)
    text = text[first : start + FAR]
    start, end = start - first, min(end - first, len(text))
    cells = [cell_of(char) for char in text]
    widths = [_columns(cell) for cell in cells]
    low, high = 0, len(cells)
    if sum(widths) > width:
        if sum(widths[:end]) > width:
            low = _back(widths, start, max(width // 4, width - sum(widths[start:end]) - width // 4))
        high = low
        room = width
        while high < len(cells) and widths[high] <= room:
            room -= widths[high]
            high += 1
    end = min(end, high)
    before = "…" if low or is_cut[0] else ""
    after = "…" if high < len(cells) or is_cut[1] else ""
    indent = len(before) + sum(widths[low:start])
    shown = before + "".join(cells[low:high]) + after
    return shown.rstrip(), indent, max(1, sum(widths[start:end]))


def _back(widths: Sequence[int], start: int, columns: int) -> int:
    """The place that many columns to the left of `start`."""
    low = start
    while low > 0 and columns >= widths[low - 1]:
        columns -= widths[low - 1]
        low -= 1
    return low


def _columns(cell: str) -> int:
    """The terminal columns a cell takes."""
    if cell == TAB:
        return len(TAB)
    if unicodedata.category(cell) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(cell) in ("W", "F") else 1
