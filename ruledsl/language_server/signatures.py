"""The parameters of what is being called, while its arguments are written."""

from __future__ import annotations

import re

import attrs

from ruledsl.language_server import words
from ruledsl.language_server.analysis import Analysis
from ruledsl.language_server.facts import written
from ruledsl.language_server.texts import Place

_CALLED = re.compile(r"(\.)?\s*([^\W\d]\w*)$")


@attrs.frozen
class Signature:
    """How something is called, its parameters, and which of them the cursor is at."""

    label: str
    parameters: tuple[str, ...]
    active: int
    about: str = ""


def signature(analysis: Analysis, place: Place) -> tuple[Signature, ...]:
    """What the brackets around a place belong to: several where a name has several meanings."""
    before = _before(analysis, place)
    opened = _opening(before)
    if opened is None:
        return ()
    head, inside = before[:opened], before[opened + 1 :]
    called = _CALLED.search(head)
    if called is None:
        return ()
    name, after_dot = called[2], called[1] is not None
    active = _commas(inside)
    found = [
        Signature(f"{name}({', '.join(parameters)})", parameters, active, about)
        for parameters, about in _parameters(analysis, name, after_dot)
        if parameters
    ]
    if not found and name in words.FUNCTIONS and not after_dot:
        form, about = words.FUNCTIONS[name]
        inner = form.partition("(")[2].removesuffix(")")
        found = [Signature(form, tuple(inner.split(", ")), active, about)]
    return tuple(found)


def _before(analysis: Analysis, place: Place) -> str:
    """The text from the last line that begins a declaration: calls may go on over lines."""
    first = place.line
    while first > 1 and place.line - first < 30 and analysis.text.line(first)[:1] in ("", " ", ")"):
        first -= 1
    lines = [analysis.text.line(number) for number in range(first, place.line)]
    return "\n".join([*lines, analysis.text.line(place.line)[: place.column - 1]])


def _opening(before: str) -> int | None:
    """Where the innermost open bracket is."""
    plain = re.sub(r'"[^"\n]*"?|#[^\n]*', lambda match: "_" * len(match[0]), before)
    depth = 0
    for at in range(len(plain) - 1, -1, -1):
        if plain[at] in ")}":
            depth += 1
        elif plain[at] in "({":
            if depth == 0:
                return at if plain[at] == "(" else None
            depth -= 1
    return None


def _commas(inside: str) -> int:
    depth = count = 0
    for sign in re.sub(r'"[^"\n]*"?', "", inside):
        depth += (sign in "({") - (sign in ")}")
        count += sign == "," and depth == 0
    return count


def _parameters(
    analysis: Analysis, name: str, after_dot: bool
) -> list[tuple[tuple[str, ...], str]]:
    known = analysis.familiar
    if known is None:
        return []
    game = known.game
    found: list[tuple[tuple[str, ...], str]] = []
    for symbol in analysis.familiar_names.get(name, ()):
        match symbol.sort:
            case "step" if symbol.key in game.steps and not after_dot:
                params = game.steps[symbol.key].params
                shown = tuple(f"{each.local.name}: {written(each.type)}" for each in params)
                found.append((shown, game.steps[symbol.key].title or ""))
            case "action" if symbol.key in game.actions and not after_dot:
                picks = game.actions[symbol.key].picks
                shown = tuple(f"{each.local.name}: {written(each.local.type)}" for each in picks)
                found.append((shown, game.actions[symbol.key].title or ""))
            case "define" if symbol.key in game.defines:
                params = game.defines[symbol.key].params
                shown = tuple(f"{each.local.name}: {written(each.type)}" for each in params)
                found.append((shown[1:] if after_dot else shown, ""))
            case "kind" if symbol.key in game.kinds:
                indexes = game.kinds[symbol.key].indexes
                shown = tuple(f"{each.name}: {each.kind}" for each in indexes)
                found.append((shown[1:] if after_dot else shown, ""))
            case _:
                pass
    return found
