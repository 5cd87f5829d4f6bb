"""`ruledsl history`: the choices of a saved game; until it is over, only what everybody knows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import attrs
import click

from ruledsl.diagnostics.wording import printable
from ruledsl.play.events import Chosen
from ruledsl.play.match import Match
from ruledsl.table.things import Thing, Value

from .completing import saves
from .documents import print_document, result_of, setting
from .restore import Restored, look_at_save, restore, rules_option
from .saves import Saved
from .terminal import Exit, json_option

UNTOLD = "?"


@attrs.frozen
class MadeChoice:
    """A choice; `option` is its number among the options, as long as that is no secret."""

    seat: int
    code: str
    option: int | None = None


@click.command
@click.argument("file", shell_complete=saves)
@rules_option
@json_option
def command(file: str, rules: str | None, as_json: bool) -> int:
    """List the choices of a saved game.

    As long as the game goes on, what is hidden from any seat is left out, the seed included, and
    choices that somebody had to make are listed like any others. Afterwards everything is told.

    Exit code 0; 1 if a choice is no longer legal; 2 if the file can't be read.
    """
    saved = look_at_save(file)
    restored = restore(saved, rules=rules)
    if restored.match.result is None:
        entries = list(public_history(restored.match))
    else:
        entries = [MadeChoice(each.seat, each.code, each.number) for each in saved.choices]
    if as_json:
        print_document("history", _document(restored, saved, entries))
    else:
        for number, entry in enumerate(entries, 1):
            click.echo(printable(f"{number}. seat {entry.seat}: {entry.code}"))
    return Exit.CLEAN


def public_history(match: Match) -> Iterator[MadeChoice]:
    """Every choice so far as everybody may know it."""
    everybody = frozenset(match.table.things("Player"))
    place_of = match.interpreter.pos.place_of
    for event in match.interpreter.public_events():
        if not isinstance(event, Chosen):
            continue

        def named(value: Value, event: Chosen = event) -> str:
            if isinstance(value, Thing) and value in place_of:
                sure = all((player, value) in event.seen for player in everybody)
                return str(value) if sure else value.kind
            return "none" if value is None else str(value)

        # In a set, unknown pieces come last: their place could tell what they are.
        names = [named(value) for value in event.values]
        if event.action is None:
            kinds = {value.kind for value in event.values if isinstance(value, Thing)}
            names.sort(key=lambda name: name in kinds)
        values = ", ".join(names)
        if not everybody <= event.viewers:
            values = UNTOLD
        code = values
        if event.action is not None:
            code = f"{match.game.actions[event.action].name}({values})"
        yield MadeChoice(event.seat.index + 1, code)


def _document(restored: Restored, saved: Saved, entries: list[MadeChoice]) -> dict[str, Any]:
    header, match = saved.header, restored.match
    return {
        **setting(match.table, None if match.result is None else header.seed),
        "rules": header.game,
        "save_format": header.format,
        "seats": list(header.seats),
        "rules_hash": header.rules_hash,
        "same_rules": restored.same_rules,
        "over": match.result is not None,
        "choices": [
            {"number": number, **attrs.asdict(entry)} for number, entry in enumerate(entries, 1)
        ],
        "result": None if match.result is None else result_of(match.result),
    }
