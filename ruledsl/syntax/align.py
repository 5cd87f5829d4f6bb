"""Lines of a formatted file, and the columns at which their ends are aligned.

A paragraph is what stands between blank lines at the very left. In it, citations, assumptions
and comments at the ends of lines share a column; messages share one in each run of requirements.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

import attrs

STEP = 4
NEAR, FAR = 48, 72
WIDER = (84, 96)
WIDEST = 96
LONGEST_CONDITION = 60


@attrs.define
class LaidOutLine:
    """A logical line: its text, on several lines if it was broken, and what ends it."""

    texts: list[str]
    message: str = ""
    marks: str = ""
    comment: str = ""
    in_block: bool = False
    """whether it belongs to a block of statements"""

    @property
    def indent(self) -> int:
        return len(self.texts[0]) - len(self.texts[0].lstrip())

    @property
    def tail(self) -> str:
        return "  ".join(filter(None, (self.marks, self.comment)))

    @property
    def width(self) -> int:
        return len(self.texts[-1])

    def append(self, text: str, column: int) -> None:
        """Put something at the end, at a column if that is still free."""
        blanks = max(column - self.width, 2)
        self.texts[-1] += " " * blanks + text


def next_stop(width: int) -> int:
    """The next column for something after a text, at least two blanks away."""
    return -(-(width + 2) // STEP) * STEP


def aligned(lines: Sequence[LaidOutLine | None]) -> Iterator[str]:
    """The physical lines; None is a blank line."""
    for paragraph in paragraphs(lines):
        align([line for line in paragraph if line is not None])
        for line in paragraph:
            yield from [""] if line is None else line.texts


def paragraphs(lines: Sequence[LaidOutLine | None]) -> Iterator[list[LaidOutLine | None]]:
    paragraph: list[LaidOutLine | None] = []
    for line in lines:
        after_blank = bool(paragraph) and paragraph[-1] is None
        if line is not None and after_blank and line.indent == 0:
            yield paragraph
            paragraph = []
        paragraph.append(line)
    if paragraph:
        yield paragraph


def align(paragraph: list[LaidOutLine]) -> None:
    runs = [run for run in requirement_runs(paragraph) if run]
    for run in runs:
        align_messages(run)
    column = tail_column([line for line in paragraph if line.tail])
    columns = {id(line): column for line in paragraph}
    for run in runs:
        ends = [line.width for line in run if line.tail and line.width <= WIDEST]
        shared = max([column, *map(next_stop, ends)])
        columns.update((id(line), shared) for line in run)
    for line in paragraph:
        if line.tail:
            place = columns[id(line)]
            line.append(line.tail, place if line.width + 2 <= place else next_stop(line.width))


def requirement_runs(paragraph: list[LaidOutLine]) -> Iterator[list[LaidOutLine]]:
    for requires, run in groupby(paragraph, key=lambda line: (bool(line.message), line.indent)):
        if requires[0]:
            yield list(run)


def align_messages(run: list[LaidOutLine]) -> None:
    short = [line.width for line in run if line.width <= LONGEST_CONDITION]
    column = max(map(next_stop, short), default=0)
    for line in run:
        line.append(line.message, column)


def tail_column(lines: Sequence[LaidOutLine]) -> int:
    """Blocks with citations keep one margin; other paragraphs take the nearest that is free."""
    if any(line.in_block and line.marks for line in lines):
        return FAR
    widest = max((line.width for line in lines if not line.message), default=0)
    stops = (NEAR, FAR) if any(line.in_block for line in lines) else (NEAR, FAR, *WIDER)
    return next((stop for stop in stops if widest + 2 <= stop), FAR)
