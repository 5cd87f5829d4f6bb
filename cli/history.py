"""`ruledsl history`: what happened in a saved game; until it is over, only what everybody knows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import attrs
import click

from ruledsl.play.events import Chosen
from ruledsl.play.match import Match
from ruledsl.scene.scene import retold, scene_of
from ruledsl.table.things import Thing, Value
from ruledsl.texts.text import Phrases

from .completing import saves
from .documents import print_document, result_of, setting
from .drawing.end import ending_lines
from .drawing.text import coloured, safe, wrap
from .pager import show_paged
from .restore import Restored, look_at_save, restore, rules_option
from .saves import Saved
from .screen import open_screen
from .terminal import Exit, json_option, use_color

UNTOLD = "?"


@attrs.frozen
class MadeChoice:
    """A choice; `option` is its number among the options, as long as that is no secret."""

    seat: int
    code: str
    option: int | None = None


@click.command
@click.argument("file", shell_complete=saves)
@click.option("--lang", metavar="CODE", help="Language of the texts, such as `de`.")
@rules_option
@json_option
def command(file: str, lang: str | None, rules: str | None, as_json: bool) -> int:
    """Tell what happened in a saved game: each choice by its number, and what came of it.

    As long as the game goes on, what is hidden from any seat is left out, the seed included.
    Afterwards everything is told, and how it ended.

    Exit code 0; 1 if a choice is no longer legal; 2 if the file can't be read.
    """
    saved = look_at_save(file)
    restored = restore(saved, lang, rules=rules)
    if as_json:
        print_document("history", _document(restored, saved, list(_choices(restored.match, saved))))
    else:
        screen = open_screen(color=use_color(), moves=None)
        lines = map(screen.finished, _told(restored.match, screen.columns))
        show_paged(lines, color=use_color())
    return Exit.CLEAN


def _told(match: Match, columns: int) -> Iterator[str]:
    """All that happened, the sentences of each choice behind its number."""
    happenings = retold(match)
    wide = len(str(sum(event.sort == "chosen" for event in happenings)))
    number = begun = 0
    for event in happenings:
        number += event.sort == "chosen"
        if event.text is None:
            continue
        mark = f"{number}." if number > begun else ""
        begun = number
        text = f"{'' if event.headline else '  '}{safe(event.text)}"
        yield from wrap(f"{mark:>{wide + 1}} {text}", columns, " " * (wide + 6))
    scene = scene_of(match, None)
    if scene.ending is not None:
        yield ""
        names = [coloured(safe(seat.label), seat.colour) for seat in scene.seats]
        say = Phrases(match.words.language)
        yield from ending_lines(scene.ending, lambda seat: names[seat - 1], say, columns)


def _choices(match: Match, saved: Saved) -> Iterator[MadeChoice]:
    """The choices as they may be told now."""
    if match.result is None:
        yield from public_history(match)
    else:
        yield from (MadeChoice(each.seat, each.code, each.number) for each in saved.choices)


def public_history(match: Match) -> Iterator[MadeChoice]:
    """Every choice so far as everybody may know it."""
    everybody = frozenset(match.table.things("Player"))
    place_of = match.interpreter.pos.place_of
    for event in match.interpreter.public_events():
        if not isinstance(event, Chosen) or not event.is_noticed_by(everybody):
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
