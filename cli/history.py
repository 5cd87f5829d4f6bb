"""`ruledsl history`: the choices of a saved game; until it is over, only what everybody knows."""

from __future__ import annotations

import json
from typing import Any

import attrs
import click

from ruledsl.diagnostics.render import printable
from ruledsl.model import core
from ruledsl.play.decisions import ActionOption, Decision, DoneOption, ValueOption
from ruledsl.play.match import Choice, Match
from ruledsl.table.things import Thing, Value

from .restore import Restored, choices_again, open_save, restart
from .saves import Save
from .terminal import Exit, json_option

UNTOLD = "?"


@attrs.frozen
class Entry:
    """A choice as everybody may know it."""

    seat: int
    code: str


@click.command
@click.argument("file")
@json_option
def command(file: str, as_json: bool) -> int:
    """List the choices of a saved game.

    As long as the game goes on, what is hidden from any seat is left out, the seed included;
    afterwards everything is told.

    Exit code 0; 1 if a choice is no longer legal; 2 if the file can't be read.
    """
    with open_save(file) as save:
        restored = restart(save)
        entries = public_history(restored, save)
        over = restored.match.result is not None
        if as_json:
            click.echo(json.dumps(_document(restored, save, entries, over), indent=2))
        else:
            for number, entry in enumerate(entries, 1):
                code = save.choices[number - 1].code if over else entry.code
                click.echo(printable(f"{number}. seat {entry.seat}: {code}"))
    return Exit.CLEAN


def public_history(restored: Restored, save: Save) -> list[Entry]:
    """Play a save to its end; each choice as everybody may know it then."""
    match = restored.match
    told: list[Entry] = []
    # Choices the others don't know yet: made together, or part of a choice of several.
    waiting: list[_Made] = []
    for choice in choices_again(restored, save):
        waiting = _tell(match, waiting, told)
        assert match.decision is not None
        waiting.append(_Made(match.decision, choice, _places(match, choice), _is_open(match)))
    still_secret = _tell(match, waiting, told)
    told.extend(Entry(_seat(made), UNTOLD) for made in still_secret)
    return told


@attrs.frozen
class _Made:
    """A choice with what has to be remembered from the position in which it was made."""

    decision: Decision
    choice: Choice
    places: dict[Thing, Thing]
    is_open: bool
    """a value that goes where everybody sees it"""


def _seat(made: _Made) -> int:
    return made.decision.seat.index + 1


def _places(match: Match, choice: Choice) -> dict[Thing, Thing]:
    place_of = match.interpreter.pos.place_of
    return {
        value: place_of[value]
        for value in _values(choice)
        if isinstance(value, Thing) and value in place_of
    }


def _values(choice: Choice) -> tuple[Value, ...]:
    match choice.option:
        case ActionOption(values=values):
            return values
        case ValueOption(value=value):
            return (value,)
        case DoneOption():
            return ()


def _is_open(match: Match) -> bool:
    """Whether everybody sees the value that is being chosen."""
    decision, interpreter = match.decision, match.interpreter
    assert decision is not None
    target = getattr(decision.statement, "target", None)
    if not isinstance(target, core.Slot):
        return True
    subject = target.subject
    owner = None if subject is None else interpreter.thing(subject, decision.frame)
    return all(
        interpreter.knowledge.sees_slot(interpreter.pos, viewer, target.state, owner)
        for viewer in match.table.things("Player")
    )


def _tell(match: Match, waiting: list[_Made], told: list[Entry]) -> list[_Made]:
    """Tell what is known to all by now, in order; returns what has to wait."""
    now = match.decision
    if waiting and now is not None:
        last = waiting[-1].decision
        if now.together and last.together:
            return waiting
        if now.picked and now.statement is last.statement:
            return waiting
    told.extend(Entry(_seat(made), _public_code(match, made)) for made in waiting)
    return []


def _public_code(match: Match, made: _Made) -> str:
    known = match.interpreter.knowledge.known
    players = match.table.things("Player")

    def named(value: Value) -> str:
        if isinstance(value, Thing) and value in made.places:
            sure = all((viewer, value) in known for viewer in players)
            return f"{value if sure else value.kind}@{made.places[value]}"
        return "none" if value is None else str(value)

    match made.choice.option:
        case ActionOption(name=name, values=values):
            return f"{name}({', '.join(named(value) for value in values)})"
        case ValueOption(value=value):
            return named(value) if made.is_open else UNTOLD
        case DoneOption():
            return "done"


def _document(restored: Restored, save: Save, entries: list[Entry], over: bool) -> dict[str, Any]:
    header = save.header
    choices: list[dict[str, Any]] = [
        {"number": number, "seat": entry.seat, "code": entry.code}
        for number, entry in enumerate(entries, 1)
    ]
    if over:
        for shown, saved in zip(choices, save.choices, strict=True):
            shown["code"] = saved.code
            shown["option"] = saved.number
    result = restored.match.result
    ranks = None if result is None else [result.ranks[p] for p in result.ranks]
    payoffs = None if result is None else [result.payoffs[p] for p in result.payoffs]
    return {
        "format": header.format,
        "game": header.game,
        "variant": header.variant,
        "options": header.options,
        "players": header.players,
        "seats": list(header.seats),
        "seed": header.seed if over else None,
        "rules_hash": header.rules_hash,
        "same_rules": restored.same_rules,
        "over": over,
        "choices": choices,
        "ranks": ranks,
        "payoffs": payoffs,
    }
