"""What can be said about a name: its sort and type, its declaration, values, translations."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import assert_never

import attrs

from ruledsl.diagnostics.source import Span
from ruledsl.language_server import words
from ruledsl.language_server.analysis import Analysis
from ruledsl.model.elaborate import Elaborated
from ruledsl.model.game import Bounds, CheckedGame, Kind, PlaceInfo
from ruledsl.model.occurrences import Occurrence, Symbol
from ruledsl.model.types import (
    AnyType,
    FaceType,
    FlagType,
    MaybeType,
    NothingType,
    NumberType,
    SetType,
    TextType,
    ThingType,
    Type,
)
from ruledsl.table.errors import RulesError
from ruledsl.table.table import Table

_RULE = re.compile(r"#\s*[-=]{3,}")
_COMMENT = re.compile(r'(?:[^"#]|"[^"]*")*#\s?(.*)')
_TRAIL = re.compile(r"\s*(?:§[A-Za-z]+-\d+\s*|assumed(?:\s+\"[^\"]*\")?\s*)+$")


@attrs.frozen
class Fact:
    """A name as it could be declared, what it is, and what its author says about it."""

    heading: str
    details: tuple[str, ...] = ()
    remark: str = ""


def written(of: Type) -> str:
    """A type as it is written in a rules file."""
    match of:
        case AnyType():
            return "anything"
        case NothingType():
            return "none"
        case FlagType():
            return "flag"
        case NumberType():
            return "number"
        case TextType():
            return "text"
        case ThingType(kinds):
            return " or ".join(sorted(kinds))
        case FaceType(kind):
            return f"face of {kind}"
        case SetType(element):
            return f"set of {written(element)}"
        case MaybeType(inner):
            return f"{written(inner)} or none"
        case _:
            assert_never(of)


def fact(analysis: Analysis, symbol: Symbol, of: Type | None = None) -> Fact | None:
    """What is known about a symbol; `of` is its type where that depends on the place."""
    known = analysis.known
    if known is None:
        return None
    declared = analysis.declaration(symbol)
    heading, details = _said(analysis, known, symbol, of)
    remark = "" if declared is None else comment_of(analysis, declared)
    return Fact(heading, tuple(details), remark)


def type_of(known: Elaborated, occurrence: Occurrence) -> Type | None:
    """The type of what a name stands for, if it is a value."""
    if occurrence.type is not None:
        return occurrence.type
    game, key = known.game, occurrence.symbol.key
    match occurrence.symbol.sort:
        case "state":
            return game.states[key].type if key in game.states else None
        case "option":
            return game.options[key].type if key in game.options else None
        case "define":
            return game.defines[key].type if key in game.defines else None
        case "column":
            kind, _, name = key.partition(".")
            column = game.kinds[kind].column(name) if kind in game.kinds else None
            return None if column is None else column.type
        case _:
            return None


def _said(
    analysis: Analysis, known: Elaborated, symbol: Symbol, of: Type | None
) -> tuple[str, list[str]]:
    game, key = known.game, symbol.key
    details: list[str] = []
    match symbol.sort:
        case "kind" if key in game.kinds:
            heading, details = _kind(analysis, game.kinds[key])
        case "range" if key in known.symbols.ranges:
            heading = _declared(analysis, symbol, f"type {key}")
        case "value":
            heading = f"{symbol.name}: value of {key.partition('.')[0]}"
            details.extend(_row(game, key))
        case "column":
            kind, _, name = key.partition(".")
            column = game.kinds[kind].column(name) if kind in game.kinds else None
            shown = "" if column is None else f": {written(column.type)}"
            heading = f"{kind}.{name}{shown}"
            details.append(f"a column of `{kind}`")
        case "index":
            kind, _, name = key.partition(".")
            heading = f"{kind}.{name}" + ("" if of is None else f": {written(of)}")
            details.append(f"there is one `{kind}` for each")
        case "state" if key in game.states:
            state = game.states[key]
            heading = _declared(analysis, symbol, f"state {key}: {written(state.type)}")
            details.append(f"a state: {_range(analysis, state.type, state.bounds)}")
            details.extend(_seen(state.sight))
        case "option" if key in game.options:
            heading = _declared(analysis, symbol, f"option {key}")
            details.append("chosen before the game begins")
        case "define" if key in game.defines:
            info = game.defines[key]
            listed = ", ".join(f"{p.local.name}: {written(p.type)}" for p in info.params)
            heading = f"define {info.name}" + (f"({listed})" if listed else "")
            heading += f": {written(info.type)}"
            if not info.params and info.body is not None:
                details.extend(values(analysis, symbol))
        case "step" if key in game.steps:
            step = game.steps[key]
            listed = ", ".join(f"{p.local.name}: {written(p.type)}" for p in step.params)
            heading = f"step {key}" + (f"({listed})" if listed else "")
            details.extend([f"“{step.title}”"] if step.title else [])
        case "action" if key in game.actions:
            action = game.actions[key]
            picks = ", ".join(f"{d.local.name}: {written(d.local.type)}" for d in action.picks)
            heading = f"action {action.name}" + (f"({picks})" if picks else "")
            details.extend([f"“{action.title}”"] if action.title else [])
            reasons = [s.message.text for s in action.requirements if hasattr(s, "message")]
            details.extend(f"refused: “{reason}”" for reason in reasons)
        case "trigger" if key in game.triggers:
            trigger = game.triggers[key]
            after = " after " + ", ".join(trigger.after) if trigger.after else ""
            heading = f"trigger {key}{after}"
            details.extend([f"“{trigger.title}”"] if trigger.title else [])
        case "history":
            heading = _declared(analysis, symbol, f"history {key}")
        case "local":
            heading = key + ("" if of is None else f": {written(of)}")
            details.append("a local name")
        case "word":
            heading, details = _word(key, of)
        case _:
            heading = f"{symbol.sort} {key}"
    return heading, [*details, *translations(game, symbol)]


def _word(key: str, of: Type | None) -> tuple[str, list[str]]:
    shown = "" if of is None else f": {written(of)}"
    if key in words.FUNCTIONS:
        form, meaning = words.FUNCTIONS[key]
        return form, [meaning]
    meaning = words.ATTRIBUTES.get(key) or words.SPECIALS.get(key, "")
    dot = "." if key in words.ATTRIBUTES else ""
    return f"{dot}{key}{shown}", [meaning] if meaning else []


def _declared(analysis: Analysis, symbol: Symbol, otherwise: str) -> str:
    """The first line of a declaration as its author wrote it, without citations and remarks."""
    span = analysis.declaration(symbol)
    text = None if span is None else analysis.text_of(span.file)
    if text is None or span is None:
        return otherwise
    line = text.line(span.line)
    remark = _COMMENT.match(line)
    if remark is not None:
        line = line[: remark.start(1)].rstrip().removesuffix("#").rstrip()
    return _TRAIL.sub("", line).strip() or otherwise


def _kind(analysis: Analysis, kind: Kind) -> tuple[str, list[str]]:
    symbol = Symbol("kind", kind.name)
    heading = _declared(analysis, symbol, f"{kind.sort} {kind.name}")
    details: list[str] = []
    if kind.name in words.SPECIALS:
        details.append(words.SPECIALS[kind.name])
    if kind.place is not None:
        details.append(
            f"a place for {_listed(kind.place.holds)}" if kind.place.holds else "a place"
        )
        details.extend(_place(kind.place))
    elif kind.piece is not None:
        details.append("a piece")
    elif kind.sort == "enumeration":
        details.append(f"values: {_listed(kind.rows)}")
    details.extend(sizes(analysis, kind.name))
    return heading, details


def _place(place: PlaceInfo) -> Iterator[str]:
    yield from _seen(place.sight)
    if place.stack:
        yield "a stack: what lies in it has an order"
    if place.refilled:
        yield f"refilled from `{place.refilled}` when it is empty"


def _seen(sight: object) -> Iterator[str]:
    match sight:
        case "open":
            yield "everybody may look"
        case "hidden":
            yield "nobody may look"
        case "private":
            yield "only its player may look"
        case _:
            yield "who may look depends on `seen when`"


def _listed(names: tuple[str, ...]) -> str:
    shown = [f"`{name}`" for name in names[:8]]
    return ", ".join(shown) + (", …" if len(names) > 8 else "")


def _row(game: CheckedGame, key: str) -> Iterator[str]:
    """What a table says about one of its rows."""
    name, _, row = key.partition(".")
    kind = game.kinds.get(name)
    if kind is None or row not in kind.rows:
        return
    at = kind.rows.index(row)
    for column in kind.columns:
        if not column.by_map and at < len(column.cells):
            shown = getattr(column.cells[at], "value", getattr(column.cells[at], "name", None))
            if shown is not None:
                yield f"{column.name}: `{_value(shown)}`"


def _value(value: object) -> str:
    return ("no", "yes")[value] if isinstance(value, bool) else str(value)


def _range(analysis: Analysis, of: Type, bounds: Bounds | None) -> str:
    if bounds is None:
        return written(of)
    shown = by_players(
        analysis, lambda table: f"{table.number(bounds.low)}..{table.number(bounds.high)}"
    )
    return shown or written(of)


def values(analysis: Analysis, symbol: Symbol) -> Iterator[str]:
    """What a definition without parameters is, where that is fixed before the game begins."""
    game = analysis.game
    if game is None or symbol.key not in game.defines:
        return
    body = game.defines[symbol.key].body
    if body is None:
        return
    shown = by_players(analysis, lambda table: _value(table.evaluator.constant(body)))
    if shown and len(shown) < 200:
        yield f"= {shown}"


def sizes(analysis: Analysis, kind: str) -> Iterator[str]:
    """How many there are of a kind, by the number of players."""
    shown = by_players(analysis, lambda table: str(len(table.things(kind))))
    if shown:
        yield f"how many: {shown}"


def by_players(analysis: Analysis, ask: Callable[[Table], str]) -> str | None:
    """An answer for each number of players: said once where it is the same for all."""
    answers: dict[str, list[int]] = {}
    for players, said in _answers(analysis, ask).items():
        answers.setdefault(said, []).append(players)
    if len(answers) <= 1:
        return next(iter(answers), None)
    return ", ".join(f"{said} ({_players(numbers)})" for said, numbers in answers.items())


def in_turn(analysis: Analysis, ask: Callable[[Table], str]) -> str | None:
    """The same in few words, for where there is little room: one answer after the other."""
    answers = _answers(analysis, ask)
    if len({*answers.values()}) <= 1:
        return next(iter(answers.values()), None)
    return f"{', '.join(answers.values())} ({_players([*answers])})"


def _answers(analysis: Analysis, ask: Callable[[Table], str]) -> dict[int, str]:
    """By the number of players; none if one of them has none."""
    try:
        return {len(table.things("Player")): ask(table) for table in analysis.tables}
    except (RulesError, LookupError, TypeError, AttributeError):
        return {}


def _players(numbers: list[int]) -> str:
    whole = numbers[-1] - numbers[0] == len(numbers) - 1 and len(numbers) > 2
    listed = f"{numbers[0]}–{numbers[-1]}" if whole else ", ".join(map(str, numbers))
    return f"{listed} player{'s' * (numbers != [1])}"


def translations(game: CheckedGame, symbol: Symbol) -> Iterator[str]:
    """What players read instead of the name."""
    for language in game.languages.values():
        text = language.labels.get(symbol.key) or language.labels.get(symbol.name)
        title = _title(game, symbol)
        if text is None and title is not None:
            text = language.texts.get(title)
        if text is not None:
            yield f"{language.code}: “{text}”"


def _title(game: CheckedGame, symbol: Symbol) -> str | None:
    match symbol.sort:
        case "action":
            return game.actions[symbol.key].title if symbol.key in game.actions else None
        case "option":
            return game.options[symbol.key].title if symbol.key in game.options else None
        case "trigger":
            return game.triggers[symbol.key].title if symbol.key in game.triggers else None
        case _:
            return None


def comment_of(analysis: Analysis, declared: Span) -> str:
    """The remark at the end of a declaration's first line, or in the lines right above it."""
    text = analysis.text_of(declared.file)
    if text is None:
        return ""
    remark = _COMMENT.match(text.line(declared.line))
    if remark is not None:
        return remark[1].strip()
    lines: list[str] = []
    number = declared.line - 1
    while (line := text.line(number).strip()).startswith("#") and not _RULE.match(line):
        lines.append(line.lstrip("#").strip())
        number -= 1
    return " ".join(reversed(lines))
