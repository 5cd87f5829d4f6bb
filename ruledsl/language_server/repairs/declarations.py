"""Repairs of names, of declarations, and of how files fit together."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ruledsl.diagnostics.suggest import nearest
from ruledsl.language_server.repairs.repair import Mend, Patient, Repair, last_line
from ruledsl.language_server.texts import Edit, Place
from ruledsl.language_server.workspace import declared
from ruledsl.model.occurrences import Symbol
from ruledsl.syntax import ast


def did_you_mean(case: Patient) -> Iterator[Repair]:
    """The known name most like the one that is there, for every mistake that knows some."""
    word = case.marked.strip('"')
    other = nearest(word, case.found.known)
    if other is not None:
        quoted = f'"{other}"' if case.marked.startswith('"') else other
        yield case.replace(quoted)


def any_known(case: Patient) -> Iterator[Repair]:
    for name in case.found.known:
        yield case.replace(name)


def missing_step(case: Patient) -> Iterator[Repair]:
    if "has no step" in case.found.message:
        end = len(case.text.lines)
        play = "\nstep play\n    end game\n"
        yield case.insert(end, len(case.text.line(end)) + 1, play, "Add `step play`")


def named_argument(case: Patient) -> Iterator[Repair]:
    rest = re.match(r"\s*:\s*", case.line[case.span.end_column - 1 :])
    if rest is not None:
        end = case.span.end_column + rest.end()
        span = case.text.span(case.span.line, case.span.column, case.span.line, end)
        yield Repair("Leave the name out", (Edit(span, ""),))


def repeated_line(case: Patient) -> Iterator[Repair]:
    yield case.delete_line()


def repeated_item(case: Patient) -> Iterator[Repair]:
    """Something in a list with commas."""
    before = re.search(r",\s*$", case.line[: case.span.column - 1])
    if before is not None:
        start = before.start() + 1
        span = case.text.span(case.span.line, start, case.span.line, case.span.end_column)
        yield Repair(f"Delete `{case.marked}`", (Edit(span, ""),))


def repeated_word(case: Patient) -> Iterator[Repair]:
    yield case.delete()


def other_local_name(case: Patient) -> Iterator[Repair]:
    """A local that is visible already gets another name, with all its uses."""
    name = case.marked
    symbol = Symbol("local", name, case.span)
    uses = [each.span for each in case.analysis.by_symbol.get(symbol, ())]
    taken = {each.name for each in case.analysis.by_symbol}
    other = next(f"{name}{number}" for number in range(2, 100) if f"{name}{number}" not in taken)
    edits = tuple(Edit(span, other) for span in dict.fromkeys((case.span, *uses)))
    yield Repair(f"Call it `{other}`", edits)


def other_name(case: Patient) -> Iterator[Repair]:
    yield case.replace(f"{case.marked}_")
    yield case.replace(f"the_{case.marked}")
    yield case.replace(f"{case.marked}2")


def unused(case: Patient) -> Iterator[Repair]:
    if case.line.lstrip().startswith("let "):
        yield case.delete_line()
    item = case.item
    names = (getattr(item, "name", None), getattr(item, "owner", None))
    if any(isinstance(name, ast.Name) and name.span == case.span for name in names):
        yield from case.delete_declaration()
    yield from repeated_item(case)
    if case.indent:
        yield case.delete_line()


# ---------------------------------------------------------------- files


def header(case: Patient) -> Iterator[Repair]:
    name = declared(case.analysis.source)
    name = name if name.isidentifier() else "new_game"
    title = name.replace("_", " ").title()
    game = f'game {name} "{title}"\n    players 2..4\n\n'
    play = "step play\n    end game\n" if not case.analysis.items else ""
    yield case.insert(1, 1, game + play, f"Begin with `game {name}`")
    yield case.insert(1, 1, f'library {name} "{title}"\n\n', f"Begin with `library {name}`")


def header_first(case: Patient) -> Iterator[Repair]:
    item = case.item
    if item is None or case.found.notes:
        return
    lines = [case.text.line(number) for number in range(item.span.line, last_line(item) + 1)]
    moved = Edit(case.text.at(Place(1, 1)), "\n".join(lines) + "\n\n")
    gone = Edit(case.text.full_lines(item.span.line, last_line(item)), "")
    yield Repair("Move it to the top", (moved, gone))


def second_header(case: Patient) -> Iterator[Repair]:
    if case.found.notes:
        yield from case.delete_declaration()


def file_name(case: Patient) -> Iterator[Repair]:
    yield case.replace(declared(case.analysis.source))


def missing_players(case: Patient) -> Iterator[Repair]:
    end = len(case.line) + 1
    yield case.insert(case.span.line, end, "\n    players 2..4", "Add `players 2..4`")


def again_declared(case: Patient) -> Iterator[Repair]:
    item = case.item
    if item is not None and case.found.notes and case.found.notes[0].span.file != case.span.file:
        yield case.insert(item.span.line, 1, "replace ", "Write `replace`")
    yield from case.delete_declaration()


def changed_twice(case: Patient) -> Iterator[Repair]:
    yield from case.delete_declaration("Delete this change")
    yield from repeated_item(case)


def changed_parameters(case: Patient) -> Iterator[Repair]:
    """The parameters as in the base."""
    first = case.found.notes[0].span
    base = case.analysis.text_of(first.file)
    if base is None:
        return
    parameters = re.match(r"\s*(\([^)]*\))?", base.line(first.line)[first.end_column - 1 :])
    here = re.match(r"\s*(\([^)]*\))?", case.line[case.span.end_column - 1 :])
    if parameters is not None and here is not None:
        end = case.span.end_column + len(here[1] or "")
        span = case.text.span(case.span.line, case.span.end_column, case.span.line, end)
        yield Repair("Keep the parameters of the base", (Edit(span, parameters[1] or ""),))


def cannot_extend(case: Patient) -> Iterator[Repair]:
    item = case.item
    if item is not None and case.text.line(item.span.line).startswith("extend"):
        span = case.text.span(item.span.line, 1, item.span.line, len("extend") + 1)
        yield Repair("Write `replace`", (Edit(span, "replace"),))
    yield from same_columns(case)


def same_columns(case: Patient) -> Iterator[Repair]:
    """The columns as in the base."""
    if not case.found.notes:
        return
    first = case.found.notes[0].span
    base = case.analysis.text_of(first.file)
    if base is None:
        return
    columns = re.search(r"\|[^#§]*", base.line(first.line))
    here = re.search(r"\|[^#§]*", case.line)
    if columns is not None and here is not None:
        start, end = here.start() + 1, here.start() + 1 + len(here[0].rstrip())
        span = case.text.span(case.span.line, start, case.span.line, end)
        yield Repair("Write the columns of the base", (Edit(span, columns[0].rstrip()),))


def without_base(case: Patient) -> Iterator[Repair]:
    rest = case.line[case.span.end_column - 1 :]
    if case.marked in ("replace", "extend"):
        blanks = len(rest) - len(rest.lstrip())
        end = case.span.end_column + blanks
        span = case.text.span(case.span.line, case.span.column, case.span.line, end)
        yield Repair(f"Delete `{case.marked}`", (Edit(span, ""),))
    yield from case.delete_declaration()


REPAIRS: dict[str, tuple[Mend, ...]] = {
    "unknown-step": (missing_step,),
    "ambiguous-name": (any_known,),
    "named-argument": (named_argument,),
    "duplicate-row": (repeated_item, repeated_line),
    "duplicate-parameter": (repeated_item,),
    "duplicate-label": (repeated_line,),
    "repeated-look": (repeated_line, repeated_word),
    "shadowed-name": (other_local_name,),
    "hidden-name": (other_local_name,),
    "built-in-name": (other_name,),
    "duplicate-name": (other_name, Patient.delete_declaration),
    "unused-name": (unused,),
    "empty-file": (header,),
    "missing-header": (header,),
    "misplaced-header": (header_first, second_header),
    "name-mismatch": (file_name,),
    "missing-players": (missing_players,),
    "duplicate-declaration": (again_declared,),
    "changed-twice": (changed_twice,),
    "changed-parameters": (changed_parameters,),
    "cannot-extend": (cannot_extend,),
    "change-without-base": (without_base,),
}
