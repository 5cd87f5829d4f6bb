"""Changes that keep the meaning: a step of its own for some lines, a definition written out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ruledsl.diagnostics.source import Span
from ruledsl.language_server.analysis import Analysis
from ruledsl.language_server.facts import written
from ruledsl.language_server.repairs.repair import Repair, last_line
from ruledsl.language_server.texts import Edit, Place
from ruledsl.language_server.workspace import Workspace
from ruledsl.model.occurrences import Occurrence, Symbol
from ruledsl.syntax import ast

NEW_STEP = "new_step"


def refactorings(workspace: Workspace, analysis: Analysis, span: Span) -> tuple[Repair, ...]:
    """What can be done with the selected lines, or with the name at the cursor."""
    if analysis.resolved is None:
        return ()
    # Lines that are selected as a whole end where the next one begins.
    whole = span.end_column == 1 and span.end_line > span.line
    proposed = (
        *extracted_step(analysis, span.line, span.end_line - whole),
        *inlined_definition(analysis, Place(span.line, span.column)),
        *assumption(analysis, span.line),
    )
    return tuple(repair for repair in proposed if _keeps(workspace, analysis, repair))


def _keeps(workspace: Workspace, analysis: Analysis, repair: Repair) -> bool:
    """Whether nothing more is wrong afterwards."""
    trial = workspace.copy()
    trial.open(analysis.name, analysis.text.applied(repair.edits))
    after = trial.analysis(analysis.name)
    if after is None:
        return False
    before, now = (sorted(each.code.name for each in of.diagnostics) for of in (analysis, after))
    return before == now


# ---------------------------------------------------------------- a step of its own


def extracted_step(analysis: Analysis, first: int, last: int) -> Iterator[Repair]:
    """Whole statements of one block become a step, given the locals that they need."""
    item = analysis.item_at(Place(first, 1)) or analysis.item_at(Place(first, 5))
    if not isinstance(item, ast.Step | ast.Action | ast.Trigger) or last < first:
        return
    chosen = _chosen(item, first, last)
    if not chosen:
        return
    used = (each for each in _locals(analysis, first, last) if each.type is not None)
    given = {each.symbol: each for each in used if not _inside(each.symbol, first, last)}
    leaking = [
        each
        for line in range(last + 1, last_line(item) + 1)
        for each in analysis.occurrences.get(line, ())
        if each.symbol.sort == "local" and _inside(each.symbol, first, last)
    ]
    if leaking:
        return
    name = _free_name(analysis)
    params = ", ".join(f"{s.name}: {written(o.type)}" for s, o in given.items() if o.type)
    arguments = ", ".join(symbol.name for symbol in given)
    text = analysis.text
    indent = len(text.line(first)) - len(text.line(first).lstrip())
    body = [text.line(number)[indent - 4 :] for number in range(first, last + 1)]
    header = f"step {name}" + (f"({params})" if params else "")
    call = " " * indent + name + (f"({arguments})" if arguments else "") + "\n"
    end = last_line(item)
    after = text.at(Place(end, len(text.line(end)) + 1))
    yield Repair(
        "Make it a step",
        (
            Edit(text.full_lines(first, last), call),
            Edit(after, "\n\n" + "\n".join((header, *body))),
        ),
    )


def _chosen(node: Any, first: int, last: int) -> bool:
    """Whether the lines are some statements of one block, one after the other."""
    body = getattr(node, "body", ())
    blocks = [body if isinstance(body, tuple) else ()]
    blocks += [branch.body for branch in getattr(node, "branches", ())]
    for block in blocks:
        inside = [each for each in block if first <= each.span.line and _last(each) <= last]
        touching = [each for each in block if each.span.line <= last and _last(each) >= first]
        if inside and inside == touching:
            starts, ends = inside[0].span.line, _last(inside[-1])
            return (starts, ends) == (first, last) and not _is_requirement(inside)
        if any(_chosen(each, first, last) for each in touching):
            return True
    return False


def _is_requirement(block: list[ast.Statement]) -> bool:
    return any(isinstance(each, ast.Require) for each in block)


def _last(node: ast.Node) -> int:
    return last_line(node)


def _locals(analysis: Analysis, first: int, last: int) -> Iterator[Occurrence]:
    for line in range(first, last + 1):
        for each in analysis.occurrences.get(line, ()):
            if each.symbol.sort == "local":
                yield each


def _inside(symbol: Symbol, first: int, last: int) -> bool:
    return symbol.bound is not None and first <= symbol.bound.line <= last


def _free_name(analysis: Analysis) -> str:
    names = (NEW_STEP, *(f"{NEW_STEP}_{number}" for number in range(2, 100)))
    return next(name for name in names if name not in analysis.by_name)


# ---------------------------------------------------------------- a definition written out


def inlined_definition(analysis: Analysis, place: Place) -> Iterator[Repair]:
    """A definition without parameters takes the place of its name, and is gone."""
    symbols = [each.symbol for each in analysis.at(place) if each.symbol.sort == "define"]
    items = [item for item in analysis.items if isinstance(item, ast.Define)]
    for symbol in symbols:
        declared = analysis.declaration(symbol)
        item = next((each for each in items if each.name.span == declared), None)
        if item is None or item.params or item.trail:
            continue
        text = analysis.text
        body = text.text_of(item.body.span)
        shown = body if isinstance(item.body, ast.Number | ast.Ref) else f"({body})"
        uses = [each for each in analysis.by_symbol[symbol] if not each.declares]
        if any(each.span.file != analysis.name for each in uses) or "\n" in body:
            continue
        gone = Edit(text.full_lines(item.span.line, last_line(item)), "")
        yield Repair(
            f"Write `{symbol.name}` out",
            (gone, *(Edit(each.span, shown) for each in uses)),
        )


# ---------------------------------------------------------------- an assumption


def assumption(analysis: Analysis, line: int) -> Iterator[Repair]:
    """What the rulebook does not say is marked at the end of its line."""
    known = analysis.resolved
    text = analysis.text.line(line)
    if known is None or not known.game.rulebooks or not text.strip() or "assumed" in text:
        return
    code, _, remark = text.partition("#")
    if not code.strip() or code.count('"') % 2:
        return
    marked = code.rstrip() + ' assumed "the rulebook does not say"'
    shown = marked + (f"  #{remark}" if remark else "")
    yield Repair("Mark it as assumed", (Edit(analysis.text.whole_line(line), shown),))
