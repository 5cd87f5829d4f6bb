"""Quick fixes: repairs that were tried out. Each removes its mistake, and makes no new one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ruledsl.diagnostics import ground, syntax
from ruledsl.diagnostics.diagnostic import Code, Diagnostic
from ruledsl.language_server.analysis import Analysis
from ruledsl.language_server.repairs import declarations, layouts, rules, secrets, wording
from ruledsl.language_server.repairs.declarations import did_you_mean
from ruledsl.language_server.repairs.repair import Mend, Patient, Repair
from ruledsl.language_server.workspace import Workspace

MOST_TRIALS = 12
"""Repairs of one mistake that are tried out."""

REPAIRS: dict[str, tuple[Mend, ...]] = {}
for _table in (
    *(layouts.REPAIRS, declarations.REPAIRS, rules.REPAIRS),
    *(secrets.REPAIRS, wording.REPAIRS),
):
    for _code, _mends in _table.items():
        REPAIRS[_code] = (*REPAIRS.get(_code, ()), *_mends)

_OF_TEXT = frozenset(code.name for code in vars(syntax).values() if isinstance(code, Code))
_ON_THE_TABLE = {code.name for code in vars(ground).values() if isinstance(code, Code)}
_ON_THE_TABLE.add("uncited-rule")


def fixes(workspace: Workspace, analysis: Analysis, found: Diagnostic) -> tuple[Repair, ...]:
    """What can be done about a mistake at the press of a key."""
    if found.span.file != analysis.name:
        return ()
    case = Patient(found, analysis)
    tried: dict[str, tuple[Repair, int]] = {}
    for number, repair in enumerate(_proposed(case)):
        if number == MOST_TRIALS:
            break
        if repair.title not in tried:
            shown = shown_after(workspace, case, repair)
            if shown is not None:
                tried[repair.title] = (repair, shown)
    # Where several would do, the one after which the least is wrong was meant.
    fewest = min((shown for _, shown in tried.values()), default=0)
    return tuple(repair for repair, shown in tried.values() if shown == fewest)


def _proposed(case: Patient) -> Iterator[Repair]:
    yield from did_you_mean(case)
    for mend in REPAIRS.get(case.found.code.name, ()):
        yield from mend(case)


def shown_after(workspace: Workspace, case: Patient, repair: Repair) -> int | None:
    """How many other mistakes a repair brings to light where the text could not be read before;
    None unless it removes its mistake, and makes none."""
    before = case.analysis
    mended = before.text.applied(repair.edits)
    if mended == before.text.text:
        return None
    trial = workspace.copy()
    trial.open(before.name, mended)
    after = trial.analysis(before.name)
    if after is None:
        return None
    had, has = _counted(before.diagnostics), _counted(after.diagnostics)
    if has[case.found.code.name] >= had[case.found.code.name]:
        return None
    new = has - had
    reached = _stage_reached(before)
    return None if any(_stage_of(code, after) <= reached for code in new) else new.total()


def _stage_reached(analysis: Analysis) -> int:
    """How far a text was looked at: as long as something is wrong, the next stage has to wait."""
    if analysis.resolved is None:
        return 0
    if any(found.severity == "error" for found in analysis.resolved.diagnostics):
        return 1
    return 2 if any(found.severity == "error" for found in analysis.diagnostics) else 3


def _stage_of(code: str, analysis: Analysis) -> int:
    """Where a mistake is looked for: in the text, in what names stand for, in what happens by the
    rules, or on the table."""
    if code in _OF_TEXT or analysis.resolved is None:
        return 0
    if any(found.code.name == code for found in analysis.resolved.diagnostics):
        return 1
    return 3 if code in _ON_THE_TABLE else 2


def _counted(found: tuple[Diagnostic, ...]) -> Counter[str]:
    return Counter(each.code.name for each in found)
