"""The canonical layout of a file or a part of it, as edits; and the indentation of a new line."""

from __future__ import annotations

from difflib import SequenceMatcher

from ruledsl.language_server.analysis import Analysis
from ruledsl.language_server.texts import Edit, Place, Text
from ruledsl.syntax.format import format_file

OPENS = frozenset(
    {"game", "step", "action", "trigger", "ranking", "language", "test", "looks", "notation"}
    | {"before", "after"}
    | {"if", "else", "for", "together", "repeat", "choose", "given", "then", "map"}
)
"""Each begins a line with a block below it."""

_PARTS = ("given", "when", "then")
"""Of a test: each stands below its first line, whatever stands above."""

_STEP = "    "

_CLOSES = ("skip", "end ", "win ")
"""Nothing goes on in a block after these."""


def formatting(
    analysis: Analysis, first: int | None = None, last: int | None = None
) -> tuple[Edit, ...]:
    """What has to change, of all lines or of those between two; nothing while there are mistakes
    in the text."""
    if not analysis.parsed.is_whole:
        return ()
    text = analysis.text
    before = text.lines
    after = format_file(analysis.parsed).split("\n")
    if "\r\n" in analysis.source.text:
        before = analysis.source.text.removeprefix("\ufeff").split("\n")
    edits: list[Edit] = []
    for tag, old, old_end, new, new_end in SequenceMatcher(
        None, before, after, False
    ).get_opcodes():
        if tag == "equal" or not _touches(old + 1, max(old_end, old + 1), first, last):
            continue
        lines = after[new:new_end]
        if old_end < len(before):
            span = text.span(old + 1, 1, old_end + 1, 1)
            edits.append(Edit(span, "".join(f"{line}\n" for line in lines)))
        else:
            # The last line has no end of its own to be replaced.
            start = (old, len(text.line(old)) + 1) if old else (1, 1)
            end = len(text.lines)
            span = text.span(*start, end, len(text.line(end)) + 1)
            edits.append(Edit(span, "".join(f"\n{line}" for line in lines)[0 if old else 1 :]))
    return tuple(edits)


def _touches(old: int, old_end: int, first: int | None, last: int | None) -> bool:
    return (first is None or old_end >= first) and (last is None or old <= last)


def indentation(analysis: Analysis, place: Place) -> tuple[Edit, ...]:
    """The blanks a line begins with: a new one, or a part of a test whose word was just typed."""
    text = analysis.text
    here = text.line(place.line)
    if here.strip() in _PARTS and place.column == len(here) + 1:
        is_part = _is_in_test(text, place.line - 1)
        wanted = f"{_STEP}{here.strip()}" if is_part else here
    elif here.strip():
        wanted = here
    else:
        wanted = " " * _after(text, place.line - 1)
    return () if here == wanted else (Edit(text.whole_line(place.line), wanted),)


def _after(text: Text, number: int) -> int:
    """How far the line below begins; behind an empty one there is a new declaration."""
    above = text.line(number)
    if not above.strip():
        return 0
    indent = len(above) - len(above.lstrip())
    words = above.split()
    head = words[1] if words[0] in ("replace", "extend") and len(words) > 1 else words[0]
    if head in OPENS or head == _opens_within(text, number, indent):
        return indent + 4
    return indent - 4 if above.lstrip().startswith(_CLOSES) and indent >= 4 else indent


def _opens_within(text: Text, line: int, indent: int) -> str:
    """The word that begins a block here, though not elsewhere: `rulebook` with the texts of its
    rules, `when` in a test."""
    if not indent:
        return "rulebook"
    return "when" if _is_in_test(text, line) else ""


def _is_in_test(text: Text, line: int) -> bool:
    while line > 1 and text.line(line)[:1] in ("", " ", "#"):
        line -= 1
    return text.line(line).removeprefix("replace ").startswith("test ")
