"""The options of a decision, grouped by action and by first parameter, in columns."""

from __future__ import annotations

from collections.abc import Iterable

from ruledsl.play.decisions import ActionOption, ValueOption
from ruledsl.play.match import Choice, Match
from ruledsl.table.things import Thing, Value

from .text import flow, in_columns, safe, styled, wrap


def menu_lines(match: Match, columns: int) -> list[str]:
    """What can be chosen now; what stands before a bracket may be typed instead of the words."""
    actions: dict[str, list[Choice]] = {}
    single: list[Choice] = []
    for choice in match.options:
        if isinstance(choice.option, ActionOption) and choice.option.values:
            actions.setdefault(match.labels.parts(choice.option)[0], []).append(choice)
        else:
            single.append(choice)
    lines: list[str] = []
    for label, choices in actions.items():
        lines += _action(match, safe(label), choices, columns)
    return lines + _single(match, single, columns)


def _numbered(choice: Choice, text: str) -> str:
    return f"{styled(f'{choice.number + 1})', 'dim')} {text}"


def _action(match: Match, label: str, choices: list[Choice], columns: int) -> list[str]:
    heading = wrap(styled(f"{label}:", "bold"), columns)
    telling = _telling(match, choices)
    if len(telling) == 1:
        items = [_numbered(choice, _part(match, choice, telling[0])) for choice in choices]
        return [*heading, *in_columns(items, columns, "  ")]
    by_first: dict[str, list[Choice]] = {}
    for choice in choices:
        by_first.setdefault(_part(match, choice, telling[0]), []).append(choice)
    lines = heading
    few: list[str] = []
    for first, group in by_first.items():
        rest = [
            _numbered(choice, ", ".join(_part(match, choice, at) for at in telling[1:]))
            for choice in group
        ]
        if len(rest) > 3:
            lines += flow([f"  {first}:", *rest], columns, "      ")
        else:
            few.append(f"{first}: {'  '.join(rest)}")
    return lines + in_columns(few, columns, "  ")


def _telling(match: Match, choices: list[Choice]) -> list[int]:
    """The parts in which choices of an action differ; the first where they don't differ at all."""
    parts = [match.labels.parts(choice.option) for choice in choices]
    telling = [at for at in range(1, len(parts[0])) if len({part[at] for part in parts}) > 1]
    return telling or [1]


def _single(match: Match, choices: list[Choice], columns: int) -> list[str]:
    """Values, and actions without parameters."""
    if not choices:
        return []
    numbers = [_number(choice) for choice in choices]
    if any(number is not None for number in numbers):
        items = [
            _numbered(choice, _part(match, choice, 0)) if number is None else str(number)
            for choice, number in zip(choices, numbers, strict=True)
        ]
        return flow([f"  {items[0]}", *items[1:]], columns, "  ")
    return in_columns([_numbered(c, _part(match, c, 0)) for c in choices], columns, "  ")


def _number(choice: Choice) -> int | None:
    """The value, where numbers are chosen: then it is typed itself."""
    option = choice.option
    if isinstance(option, ValueOption) and isinstance(option.value, int):
        return None if isinstance(option.value, bool) else option.value
    return None


def _part(match: Match, choice: Choice, at: int) -> str:
    """A part of an option, with what its table says about it."""
    option = choice.option
    text = safe(match.labels.parts(option)[at])
    value: Value = None
    if isinstance(option, ActionOption) and at:
        value = option.values[at - 1]
    elif isinstance(option, ValueOption):
        value = option.value
    notes = [safe(note) for note in _notes(match, value)]
    return f"{text} ({', '.join(notes)})" if notes else text


def _notes(match: Match, value: Value) -> Iterable[str]:
    """Where on the board a value is; of a place in a picture, all that its table says."""
    info = match.game.kinds.get(value.kind) if isinstance(value, Thing) else None
    if info is None or info.place is None or not info.place.layout:
        return (match.words.place(place) for place in _places(match, value))
    assert isinstance(value, Thing)
    return (
        match.words.value(cell)
        if isinstance(cell, Thing)
        else f"{match.words.name(name)} {match.words.value(cell)}"
        for name, cell in value.columns.items()
        if cell
    )


def _places(match: Match, value: Value) -> Iterable[Thing]:
    """The places in the columns of a value: where on the board it is."""
    if not isinstance(value, Thing):
        return
    for cell in value.columns.values():
        if isinstance(cell, Thing) and cell in match.table.rooms:
            yield cell


def offered_places(match: Match) -> frozenset[Thing]:
    """The places that the options speak of; none if that is nearly all of them."""
    values: set[Value] = set()
    for choice in match.options:
        match choice.option:
            case ActionOption(values=parts):
                values.update(parts)
            case ValueOption(value=value):
                values.add(value)
            case _:
                pass
    place_of = match.interpreter.pos.place_of
    places = set()
    for value in values:
        if isinstance(value, Thing):
            places.add(place_of.get(value, value))
            places.update(_places(match, value))
    return frozenset(places)
