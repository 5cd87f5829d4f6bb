"""What things look like on a table, as the rules say; whatever they leave open is derived later."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ruledsl.diagnostics import looks as found
from ruledsl.diagnostics.diagnostic import Diagnostic
from ruledsl.diagnostics.source import Span
from ruledsl.model.game import LookInfo
from ruledsl.model.symbols import PLAYER, Symbols, row_names
from ruledsl.syntax import ast

COLOURS = (
    *("red", "orange", "yellow", "green", "teal", "blue", "violet", "pink"),
    *("brown", "beige", "gold", "silver", "white", "grey", "black"),
)
PIECE_SHAPES = (
    *("card", "tile", "disc", "stone", "coin", "cube", "die", "meeple", "pawn", "figure"),
    *("house", "hexagon", "wedge", "roof"),
)
PLACE_SHAPES = (
    *("square", "chequered", "crossing", "circle", "hexagon", "house", "spike", "street"),
    *("ladder", "cover", "sided", "plain"),
)
SHAPES = tuple(dict.fromkeys((*PIECE_SHAPES, *PLACE_SHAPES)))
BOOKKEEPING = "bookkeeping"
LONGEST_SYMBOL = 8
"""Characters: an emoji may be made of several."""


def looks(
    symbols: Symbols, blocks: Iterable[ast.Looks], most_players: int, file: str
) -> tuple[dict[str, LookInfo], list[Diagnostic]]:
    """The look of each thing that has a line; of two blocks, the later one counts.

    What a file below gives a look may be removed by the `file` that is read: that is no mistake.
    """
    diagnostics: list[Diagnostic] = []
    known = frozenset(_known(symbols, most_players))
    result: dict[str, LookInfo] = {}
    for block in blocks:
        seen: dict[str, Span] = {}
        for line in block.lines:
            key = _key(line.of)
            if key in seen:
                diagnostics.append(found.repeated_look(line.of.span, key, seen[key]))
                continue
            seen[key] = line.of.span
            info, problems = _info(line)
            untold = info.bookkeeping and any(
                key in told for told in (symbols.steps, symbols.actions, symbols.triggers)
            )
            if key not in known and not untold and line.span.file == file:
                diagnostics.append(found.look_of_nothing(line.of.span, key, known))
            diagnostics += problems
            result[key] = over(result.get(key, LookInfo()), info)
    return result, diagnostics


def over(below: LookInfo, info: LookInfo) -> LookInfo:
    """A look upon another: what it leaves open is as below."""
    return LookInfo(
        info.colour or below.colour,
        info.shape or below.shape,
        info.symbol or below.symbol,
        info.bookkeeping or below.bookkeeping,
    )


def _key(of: ast.Dotted | ast.Seat) -> str:
    if isinstance(of, ast.Seat):
        return f"{of.kind.text}({of.number.value})"
    return ".".join(part.text for part in of.parts)


def _known(symbols: Symbols, most_players: int) -> Iterator[str]:
    """Everything that can be seen on a table: kinds, their values, places and faces, states."""
    for kind in symbols.kinds.values():
        yield kind.name.text
        yield from (f"{kind.name.text}.{row.text}" for row in row_names(kind))
    yield from symbols.states
    yield from (f"{PLAYER}({seat + 1})" for seat in range(most_players))


def _info(line: ast.Look) -> tuple[LookInfo, list[Diagnostic]]:
    diagnostics: list[Diagnostic] = []
    said: dict[str, str] = {}
    for part in line.parts:
        what, value, problem = _part(part)
        if problem is not None:
            diagnostics.append(problem)
        elif what in said:
            diagnostics.append(found.second_look(part.span, what))
        else:
            said[what] = value
    info = LookInfo(
        said.get("colour"), said.get("shape"), said.get("symbol"), BOOKKEEPING in said.values()
    )
    return info, diagnostics


def _part(part: ast.Name | ast.Text) -> tuple[str, str, Diagnostic | None]:
    """What a word of a line is about, its value, and what is wrong with it."""
    if isinstance(part, ast.Text):
        text = part.value.strip()
        if not text or len(text) > LONGEST_SYMBOL:
            return "symbol", "", found.bad_symbol(part.span, LONGEST_SYMBOL)
        return "symbol", text, None
    if part.text == BOOKKEEPING:
        return "mark", BOOKKEEPING, None
    if part.text in COLOURS:
        return "colour", part.text, None
    if part.text in SHAPES:
        return "shape", part.text, None
    words = (*COLOURS, *SHAPES, BOOKKEEPING)
    return "shape", "", found.unknown_look(part.span, part.text, words)
