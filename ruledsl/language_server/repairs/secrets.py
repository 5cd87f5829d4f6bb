"""Repairs of what tells a secret, or asks for what nobody knows."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ruledsl.language_server.repairs.repair import Mend, Patient, Repair
from ruledsl.language_server.texts import Edit


def reveals(case: Patient) -> Iterator[Repair]:
    """What tells a secret on purpose says so."""
    line = case.span.line
    mark = ' reveals "It is meant to be known."'
    yield case.insert(line, case.code_end(line), mark, "Mark it with `reveals`")


def by_chance(case: Patient) -> Iterator[Repair]:
    """Nobody knows what is chosen: then chance may decide."""
    choice = re.match(r'(\s*)choose (\w+ in .*?)(?: by [\w.]+)?\s*(?:"[^"]*")?$', _code(case))
    if choice is not None:
        line = case.span.line
        span = case.text.span(line, 1, line, case.code_end(line))
        yield Repair("Let chance decide", (Edit(span, f"{choice[1]}roll {choice[2]}"),))


def chosen_in_secret(case: Patient) -> Iterator[Repair]:
    """What is chosen goes right where only its owner sees it: `choose p.bid in …`."""
    name = case.marked
    kept = re.fullmatch(rf"\s*set (\S+) = {re.escape(name)}", _code(case))
    above = case.span.line - 1
    while kept is not None and above > 0 and case.text.line(above).strip():
        choice = re.match(rf"(\s*choose ){re.escape(name)} in ", case.text.line(above))
        if choice is not None:
            start = len(choice[1]) + 1
            span = case.text.span(above, start, above, start + len(name))
            gone = Edit(case.text.full_lines(case.span.line, case.span.line), "")
            yield Repair(f"Choose `{kept[1]}` itself", (Edit(span, kept[1]), gone))
            return
        above -= 1


def _code(case: Patient) -> str:
    """The line without citations and remarks."""
    return case.line[: case.code_end(case.span.line) - 1].rstrip()


REPAIRS: dict[str, tuple[Mend, ...]] = {
    "asked-openly": (reveals,),
    "leak": (reveals,),
    "blind-choice": (by_chance,),
    "told-before": (chosen_in_secret,),
}
