"""Repairs of what the rules say: types, tables, places, and what happens."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ruledsl.diagnostics.source import Span
from ruledsl.language_server.repairs.declarations import repeated_item, repeated_line, unused
from ruledsl.language_server.repairs.repair import Mend, Patient, Repair, last_line
from ruledsl.language_server.texts import Edit, Place
from ruledsl.syntax import ast

_TYPED = re.compile(r":\s*[^=#§]*?(?=\s*(?:clamped|hidden|private|seen|each|§|#|assumed|$))")
"""The type of a state, up to what may follow it."""

# ---------------------------------------------------------------- values


def may_be_none(case: Patient) -> Iterator[Repair]:
    yield case.replace(f"sure({case.marked})", "Write `sure( )` around it")
    if isinstance(case.item, ast.Action):
        # What an action needs is asked before anything happens, behind what is asked already.
        asked = [each for each in case.item.body if isinstance(each, ast.Require)]
        line = last_line(asked[-1]) if asked else case.item.span.line
        require = f'\n    require {case.marked} != none    "This is not allowed."'
        end = len(case.text.line(line)) + 1
        yield case.insert(line, end, require, f"Require `{case.marked} != none`")


def needless_sure(case: Patient) -> Iterator[Repair]:
    inner = re.fullmatch(r"sure\((.*)\)", case.marked)
    if inner is not None:
        yield case.replace(inner[1], "Leave out `sure( )`")


def many_copies(case: Patient) -> Iterator[Repair]:
    kind = re.search(r"`(\w+)`", case.found.label)
    if kind is not None:
        text = f"first(x in {kind[1]} where x is {case.marked})"
        yield case.replace(text)
        yield case.replace(f"sure({text})")


def empty_range(case: Patient) -> Iterator[Repair]:
    low, dots, high = case.marked.partition("..")
    if dots:
        yield case.replace(f"{high.strip()}..{low.strip()}")


def argument_count(case: Patient) -> Iterator[Repair]:
    match = re.fullmatch(r"(.*?)\((.*)\)", case.marked)
    if match is not None:
        name, arguments = match[1], match[2].split(",")
        yield case.replace(name, "Leave out the brackets")
        for count in range(len(arguments) - 1, 0, -1):
            yield case.replace(f"{name}({','.join(arguments[:count])})")
    else:
        rest = re.match(r"\([^()]*\)", case.line[case.span.end_column - 1 :])
        if rest is not None:
            end = case.span.end_column + rest.end()
            span = case.text.span(case.span.line, case.span.end_column, case.span.line, end)
            yield Repair("Leave out the brackets", (Edit(span, ""),))


def wrong_type(case: Patient) -> Iterator[Repair]:
    if "a piece" in case.found.message or "`" in case.found.message:
        yield case.replace(f"the({case.marked})", "Write `the( )` around it")
    yield case.replace(f"count({case.marked})")
    yield case.replace(f"{{{case.marked}}}")
    yield case.replace(f"{case.marked}.face")


def bad_query(case: Patient) -> Iterator[Repair]:
    order = re.search(r"\s+(?:highest|lowest)\s+[^(){}]*(?=[)}])", case.marked)
    if order is not None:
        text = case.marked[: order.start()] + case.marked[order.end() :]
        yield case.replace(text, "Leave out the order")


def word_out_of_place(case: Patient) -> Iterator[Repair]:
    if case.line.split()[:1] == ["end"]:
        yield case.delete_line()


def second_range(case: Patient) -> Iterator[Repair]:
    if case.marked == "while":
        yield case.replace("where")


def lost_order(case: Patient) -> Iterator[Repair]:
    """Each part gets a `while` of its own."""
    parts = case.marked.split(" + ")
    start, end = case.span.column - 1, case.span.end_column - 1
    before = re.search(r"\{(\w+) in $", case.line[:start])
    after = re.match(r"( while .*?)\}", case.line[end:])
    if before is not None and after is not None and len(parts) > 1:
        line = case.span.line
        span = case.text.span(line, before.start() + 1, line, end + after.end() + 1)
        text = " + ".join(f"{{{before[1]} in {part}{after[1]}}}" for part in parts)
        yield Repair("Ask each part with a `while` of its own", (Edit(span, text),))


# ---------------------------------------------------------------- tables and places


def column_type(case: Patient) -> Iterator[Repair]:
    """A cell with its type, where several have a value of this name."""
    for kind in re.findall(r"`(\w+)`", case.found.message.partition(":")[2]):
        yield case.replace(f"{kind}.{case.marked}")


def bad_shape(case: Patient) -> Iterator[Repair]:
    """A sign that means something in a picture; a first cell where nothing is drawn."""
    if "neither a cell" in case.found.message:
        yield case.replace("o")
        yield case.replace("~")
    elif "has no picture" in case.found.message:
        below = f"\n{' ' * (case.indent + 4)}o"
        yield case.insert(case.span.line, len(case.line) + 1, below, "Draw one cell")


def row_length(case: Patient) -> Iterator[Repair]:
    line = case.span.line
    end = case.code_end(line)
    code = case.line[: end - 1]
    cells = code.split("|")
    for count in range(1, 5):
        added = " | none" * count
        yield case.insert(line, end, added)
        yield case.insert(line, end, " | 0" * count)
    for count in range(1, len(cells)):
        kept = "|".join(cells[:-count]).rstrip()
        span = case.text.span(line, 1, line, end)
        yield Repair("Leave out what is too much", (Edit(span, kept),))


def missing_start(case: Patient) -> Iterator[Repair]:
    line = case.span.line
    if case.line.split()[:1] == ["state"]:
        typed = _TYPED.search(case.line)
        column = typed.end() + 1 if typed is not None else case.code_end(line)
        low = re.search(r":\s*(-?\w+)\.\.", case.line)
        values = [low[1]] if low is not None else []
        for value in (*values, "no", "0", "Player(1)", *_first_values(case)):
            yield case.insert(line, column, f" = {value}")
        return
    piece = case.marked
    column = (case.line.find("|") + 1) or case.code_end(line) + 1
    column = len(case.line[: column - 1].rstrip()) + 1
    for place in _places_of(case, piece):
        yield case.insert(line, column, f" in {place}")


def _first_values(case: Patient) -> Iterator[str]:
    known = case.analysis.known
    for kind in () if known is None else known.game.kinds.values():
        if kind.sort == "enumeration" and kind.rows:
            yield kind.rows[0]


def _places_of(case: Patient, piece: str) -> Iterator[str]:
    known = case.analysis.known
    for kind in () if known is None else known.game.kinds.values():
        if kind.place is not None and piece in kind.place.holds:
            if not kind.indexes:
                yield kind.name
            elif [index.kind for index in kind.indexes] == ["Player"]:
                yield f"player.{kind.name}"


def declare_with(case: Patient, *words: str) -> Iterator[Repair]:
    """Words added to the declaration of a place that the mistake is about."""
    for span in (note.span for note in case.found.notes):
        if span.file == case.span.file:
            yield from _with(case, span, words)
            return
    names = re.findall(r"`(\w+)`", case.found.message)
    for item in case.analysis.items:
        if isinstance(item, ast.Place) and item.name.text in names:
            yield from _with(case, item.name.span, words)


def _with(case: Patient, name: Span, words: tuple[str, ...]) -> Iterator[Repair]:
    line = case.text.line(name.line)
    bar = line.find("|")
    column = bar + 1 if bar >= 0 else case.code_end(name.line)
    column = len(line[: column - 1].rstrip()) + 1
    added = "".join(f" {word}" for word in words if f" {word}" not in line)
    at = case.text.at(Place(name.line, column))
    yield Repair(f"Declare it as `{' '.join(words)}`", (Edit(at, added),))


def stack(case: Patient) -> Iterator[Repair]:
    yield from declare_with(case, "stack")
    yield from declare_with(case, "room 1")


def stack_hidden(case: Patient) -> Iterator[Repair]:
    yield from declare_with(case, "stack", "hidden")
    yield from declare_with(case, "stack")


def cannot_hold(case: Patient) -> Iterator[Repair]:
    pieces = re.findall(r"`(\w+)`", case.found.message)
    for note in case.found.notes:
        line = case.text.line(note.span.line)
        holds = re.search(r"\bof\s+\w+(?:,\s*\w+)*", line)
        if note.span.file == case.span.file and holds is not None and pieces:
            at = case.text.at(Place(note.span.line, holds.end() + 1))
            yield Repair(f"Let the place hold `{pieces[-1]}`", (Edit(at, f", {pieces[-1]}"),))


def hidden(case: Patient) -> Iterator[Repair]:
    yield case.replace("hidden")


def bad_refill(case: Patient) -> Iterator[Repair]:
    refilled = re.search(r"\s*refilled from \w+", case.line)
    if refilled is not None:
        start = case.text.at(Place(case.span.line, refilled.start() + 1))
        yield Repair("Write `stack`", (Edit(start, " stack"),))
        line = case.span.line
        span = case.text.span(line, refilled.start() + 1, line, refilled.end() + 1)
        yield Repair("Leave out `refilled`", (Edit(span, ""),))


def bad_trait(case: Patient) -> Iterator[Repair]:
    for word in ("clamped", "hidden", "private"):
        at = case.line.rfind(f" {word}")
        if at >= 0:
            span = case.text.span(case.span.line, at + 1, case.span.line, at + 2 + len(word))
            yield Repair(f"Leave out `{word}`", (Edit(span, ""),))
    if "paths belong" in case.found.message and case.item is not None:
        name = getattr(case.item, "name", None)
        if isinstance(name, ast.Name):
            at_name = case.text.at(Place(name.span.line, name.span.end_column))
            yield Repair("Write `network`", (Edit(at_name, " network"),))
    if case.indent:
        yield case.delete_line()


def bad_line(case: Patient) -> Iterator[Repair]:
    yield case.delete_line()
    if case.line.split()[:1] == ["players"] or "can play" in case.found.message:
        line = case.span.line
        code = case.text.span(line, case.indent + 1, line, case.code_end(line))
        yield Repair("Write `players 2..4`", (Edit(code, "players 2..4"),))


# ---------------------------------------------------------------- what happens


def requirement_late(case: Patient) -> Iterator[Repair]:
    """Up to the beginning of the action."""
    item = case.item
    inner = item.declaration if isinstance(item, ast.Replace | ast.Extend) else item
    if isinstance(inner, ast.Action) and inner.body:
        first = inner.body[0].span.line
        blanks = " " * (len(case.text.line(first)) - len(case.text.line(first).lstrip()))
        line = f"{blanks}{case.line.strip()}\n"
        moved = Edit(case.text.at(Place(first, 1)), line)
        gone = Edit(case.text.full_lines(case.span.line, case.span.line), "")
        yield Repair("Move the requirement up", (moved, gone))
    condition = re.match(r"\s*require\s+(.*?)\s*\"", case.line)
    if condition is not None:
        blanks = " " * case.indent
        text = f"{blanks}if {condition[1]}\n{blanks}    skip"
        yield Repair("Ask with `if`", (Edit(case.text.whole_line(case.span.line), text),))


def endless_trigger(case: Patient) -> Iterator[Repair]:
    """Without a condition it runs once at each checkpoint."""
    if case.line.lstrip().startswith("when "):
        yield case.delete_lines(case.span.line, case.span.line, "Leave out `when`")


def endless_loop(case: Patient) -> Iterator[Repair]:
    repeat = re.match(r"(\s*repeat)\b(?!\s+\d)", case.line)
    if repeat is not None:
        yield case.insert(case.span.line, repeat.end() + 1, " 100 times", "Give it a bound")


def never_ends(case: Patient) -> Iterator[Repair]:
    header = case.analysis.header
    if isinstance(header, ast.Game) and header.lines:
        line = header.lines[-1].span.line
        end = len(case.text.line(line)) + 1
        yield case.insert(line, end, "\n    limit 500 decisions", "Add a limit")


def never_reached(case: Patient) -> Iterator[Repair]:
    yield from case.delete_declaration()
    yield from unused(case)


def unreachable(case: Patient) -> Iterator[Repair]:
    """All that follows in the block."""
    first, last = case.span.line, case.span.line
    while (line := case.text.line(last + 1)).strip():
        if len(line) - len(line.lstrip()) < case.indent:
            break
        last += 1
    yield case.delete_lines(first, last, "Delete what is never reached")


def needless_line(case: Patient) -> Iterator[Repair]:
    """A requirement that says nothing; the whole line where there is nothing else on it."""
    if case.line.lstrip().startswith(("require ", "when ")):
        yield case.delete_line()
    where = re.search(rf"\s+where\s+{re.escape(case.marked)}", case.line)
    if where is not None:
        line = case.span.line
        span = case.text.span(line, where.start() + 1, line, where.end() + 1)
        yield Repair("Leave out the condition", (Edit(span, ""),))
    also = re.search(rf"\s+and\s+{re.escape(case.marked)}", case.line)
    if also is not None:
        line = case.span.line
        span = case.text.span(line, also.start() + 1, line, also.end() + 1)
        yield Repair("Leave out the condition", (Edit(span, ""),))
    condition = re.match(r"(\s*)(?:if|else if)\b", case.line)
    if condition is not None:
        below = case.span.line
        while (
            len(case.text.line(below + 1)) - len(case.text.line(below + 1).lstrip()) > case.indent
        ):
            below += 1
        yield case.delete_lines(case.span.line, below, "Delete it with its block")


def choice_too_large(case: Patient) -> Iterator[Repair]:
    exactly = case.line.find("exactly")
    if exactly >= 0:
        span = case.text.span(case.span.line, exactly + 1, case.span.line, exactly + 8)
        yield Repair("Write `up to`", (Edit(span, "up to"),))
    most = re.search(r"more than (\d+)", case.found.message)
    if most is not None:
        yield case.replace(most[1])


def together_chooser(case: Patient) -> Iterator[Repair]:
    player = re.search(r"`by (\w+)`", case.found.hint or "")
    if player is None:
        return
    prompt = case.line.find(' "')
    column = prompt + 1 if prompt >= 0 else case.code_end(case.span.line)
    yield case.insert(case.span.line, column, f" by {player[1]}")


def late_ending(case: Patient) -> Iterator[Repair]:
    """The trigger that ends the game, moved above the one that eliminates."""
    item = case.item
    cause = case.found.notes[0].span if case.found.notes else None
    other = None if cause is None else case.analysis.item_at(Place(cause.line, cause.column))
    if item is None or other is None or other is item:
        return
    lines = [case.text.line(number) for number in range(item.span.line, last_line(item) + 1)]
    moved = Edit(case.text.at(Place(other.span.line, 1)), "\n".join(lines) + "\n\n")
    gone = Edit(case.text.full_lines(item.span.line, last_line(item)), "")
    yield Repair("Move it up", (moved, gone))


def out_of_range(case: Patient) -> Iterator[Repair]:
    for number in re.findall(r"-?\d+", case.found.message):
        yield case.replace(number)


def nobody_active(case: Patient) -> Iterator[Repair]:
    """Somebody begins, before anything else is done."""
    for item in case.analysis.items:
        if isinstance(item, ast.Step) and item.name.text == "play" and item.body:
            first = item.body[0].span.line
            blanks = " " * (len(case.text.line(first)) - len(case.text.line(first).lstrip()))
            text = f"{blanks}set active = Player(1)\n"
            yield case.insert(first, 1, text, "Let the first player begin")


def missing_body(case: Patient) -> Iterator[Repair]:
    item = case.item
    if isinstance(item, ast.Step) and item.params:
        rows = re.findall(r"`(\w+)`", case.found.message.partition("about")[2])
        name, param = item.name.text, item.params[0].name.text
        blocks = "".join(f"\nstep {name}({param}: {row})\n    skip\n" for row in rows)
        line = last_line(item)
        end = len(case.text.line(line)) + 1
        yield case.insert(line, end, f"\n{blocks.rstrip()}", "Add the missing steps")


def overfull_place(case: Patient) -> Iterator[Repair]:
    pieces = re.match(r"(\d+) pieces", case.found.message)
    for note in case.found.notes:
        room = re.search(r"\broom\s+(\d+)", case.text.line(note.span.line))
        if pieces is not None and room is not None and note.span.file == case.span.file:
            line = note.span.line
            span = case.text.span(line, room.start(1) + 1, line, room.end(1) + 1)
            yield Repair(f"Make room for {pieces[1]}", (Edit(span, pieces[1]),))


REPAIRS: dict[str, tuple[Mend, ...]] = {
    "may-be-none": (may_be_none,),
    "many-copies": (many_copies,),
    "empty-range": (empty_range,),
    "argument-count": (argument_count,),
    "wrong-type": (wrong_type,),
    "bad-query": (bad_query,),
    "several-ranges": (second_range,),
    "lost-order": (lost_order,),
    "column-type": (column_type,),
    "endless-trigger": (endless_trigger,),
    "word-out-of-place": (word_out_of_place,),
    "bad-shape": (bad_shape,),
    "row-length": (row_length,),
    "missing-start": (missing_start,),
    "no-order": (stack,),
    "shuffled-openly": (stack_hidden,),
    "cannot-hold": (cannot_hold,),
    "private-to-nobody": (hidden,),
    "bad-refill": (bad_refill,),
    "bad-trait": (bad_trait,),
    "bad-line": (bad_line,),
    "requirement-late": (requirement_late,),
    "endless-loop": (endless_loop,),
    "never-ends": (never_ends,),
    "never-reached": (never_reached,),
    "unreachable": (unreachable,),
    "needless-sure": (needless_sure,),
    "never-holds": (needless_line,),
    "always-holds": (needless_line,),
    "choice-too-large": (choice_too_large,),
    "together-chooser": (together_chooser,),
    "late-ending": (late_ending,),
    "out-of-range": (out_of_range,),
    "nobody-active": (nobody_active,),
    "missing-body": (missing_body,),
    "overfull-place": (overfull_place,),
    "unknown-label": (repeated_line,),
    "look-of-nothing": (repeated_line,),
    "unknown-parameter": (repeated_item,),
}
