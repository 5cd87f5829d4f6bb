"""`ruledsl history`: the choices of a saved game; until it is over, only what everybody knows."""

from __future__ import annotations

import json
from typing import Any

import attrs
import click

from ruledsl.diagnostics.render import printable
from ruledsl.play.decisions import ActionOption, Decision, DoneOption, ValueOption
from ruledsl.play.events import Chosen
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
        events = len(match.interpreter.hands.events)
        waiting.append(_Made(match.decision, choice, dict(match.interpreter.pos.place_of), events))
    still_secret = _tell(match, waiting, told)
    told.extend(Entry(_seat(made), UNTOLD) for made in still_secret)
    return told


@attrs.frozen
class _Made:
    """A choice, where all pieces lay when it was made, and how much had happened before."""

    decision: Decision
    choice: Choice
    places: dict[Thing, Thing]
    events: int


def _seat(made: _Made) -> int:
    return made.decision.seat.index + 1


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
    """The code of a choice, with what its event does not tell everybody left out."""
    option = made.choice.option
    if isinstance(option, DoneOption):
        return made.choice.code
    event = _event(match, made)
    players = frozenset(match.table.things("Player"))
    if event is None or not players <= event.viewers:
        return UNTOLD

    def named(value: Value) -> str:
        if isinstance(value, Thing) and value in made.places:
            sure = all((player, value) in event.seen for player in players)
            return f"{value if sure else value.kind}@{made.places[value]}"
        return "none" if value is None else str(value)

    match option:
        case ActionOption(name=name):
            return f"{name}({', '.join(named(value) for value in event.values)})"
        case ValueOption(members=members):
            return named(next(value for value in event.values if value in members))


def _event(match: Match, made: _Made) -> Chosen | None:
    """What happened when the choice was made: the first event that fits."""
    for event in match.interpreter.hands.events[made.events :]:
        if isinstance(event, Chosen) and event.seat is made.decision.seat:
            match made.choice.option:
                case ActionOption(key=key, members=members):
                    if event.action == key and event.values in members:
                        return event
                case ValueOption(members=members):
                    if event.action is None and any(v in members for v in event.values):
                        return event
                case DoneOption():
                    pass
    return None


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
