"""Mistakes that show when a table is laid: with a number of players and values of the options."""

from __future__ import annotations

from ruledsl.diagnostics.diagnostic import Code, Diagnostic, declare
from ruledsl.diagnostics.flow import OUT_OF_RANGE, OVERFULL_PLACE, RECURSION
from ruledsl.diagnostics.source import Span

TABLE_TOO_LARGE = declare("table-too-large", "error", "more things or slots than a table can have")
WRONG_COUNT = declare("wrong-count", "error", "a number of things below zero")
NO_SUCH_THING = declare("no-such-thing", "error", "a thing outside its kind, such as `Cell(9, 9)`")
SHORT_DEAL = declare("short-deal", "error", "more pieces dealt in set-up than there are")
TAKES_TOO_LONG = declare(
    "takes-too-long", "error", "a table or set-up that would take for ever to work out"
)
BROKEN_SETUP = declare("broken-setup", "error", "a set-up that can't be carried out")

_CODES: dict[str, Code] = {
    "size": TABLE_TOO_LARGE,
    "room": OVERFULL_PLACE,
    "range": OUT_OF_RANGE,
    "option": OUT_OF_RANGE,
    "map": OUT_OF_RANGE,
    "count": WRONG_COUNT,
    "circle": RECURSION,
    "deal": SHORT_DEAL,
    "endless": TAKES_TOO_LONG,
    "large": OUT_OF_RANGE,
}

_HINTS: dict[Code, str] = {
    TABLE_TOO_LARGE: "make the board, the number of copies or the lists of indexes smaller",
    OVERFULL_PLACE: "lay fewer pieces there, or make more room",
    OUT_OF_RANGE: "use another value, or widen the range",
    WRONG_COUNT: "make sure that it is 0 or more, however many play",
    TAKES_TOO_LONG: "go through fewer things, or fewer times",
    SHORT_DEAL: "deal fewer when so many play, or add pieces",
}

_COUNT_IN_MORE = "numbers lie between -999,999,999 and 999,999,999; count in larger units"


def broken_table(span: Span, kind: str, message: str, setting: str) -> Diagnostic:
    """What went wrong in laying or setting up a table."""
    code = _CODES.get(kind, BROKEN_SETUP)
    hint = _COUNT_IN_MORE if kind == "large" else _HINTS.get(code)
    return Diagnostic(code, span, message, f"with {setting}", hint)


def no_such_thing(span: Span, text: str, last: str) -> Diagnostic:
    return Diagnostic(NO_SUCH_THING, span, f"there is no `{text}`", f"the last one is `{last}`")
