"""The documents that programs read: what `--json` prints. `docs/json.md` describes them.

Each has the number of its format and says what it is; a schema in `docs/schemas/` holds it. The
number grows when a name or its meaning changes, not when something is added.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeAlias

import attrs
import click

if TYPE_CHECKING:
    from ruledsl.lab.arena import ArenaSummary
    from ruledsl.play.ranking import Result
    from ruledsl.table.table import Table
    from ruledsl.table.things import Value

FORMAT = 1

Plain: TypeAlias = int | bool | str | None
"""A value of the rules as JSON has it."""


def print_document(kind: str, content: Mapping[str, object]) -> None:
    """Print one document, called like the command it comes from."""
    click.echo(json.dumps({"format": FORMAT, "document": kind, **content}, indent=2))


def setting(table: Table, seed: int | None) -> dict[str, object]:
    """What is played, said alike in every document."""
    return {
        "game": table.game.name,
        "variant": table.game.variant,
        "players": len(table.things("Player")),
        "options": {name: plain(value) for name, value in table.options.items()},
        "seed": seed,
    }


def from_text(word: str) -> Plain:
    """A value as it is given on a command line."""
    if word in ("yes", "no"):
        return word == "yes"
    return int(word) if word.isdecimal() else word


def rated(summary: ArenaSummary) -> dict[str, object]:
    """How strong kinds of players are."""
    return {
        "games": summary.games,
        "kinds": [attrs.asdict(kind) for kind in summary.players],
        "pairs": [attrs.asdict(pair) for pair in summary.pairs],
        "draws": attrs.asdict(summary.draws),
        "failures": [{"message": text, "games": games} for text, games in summary.failures],
    }


def result_of(result: Result) -> dict[str, object]:
    """How a game ended, by seat."""
    return {
        "how": result.how,
        "winners": list(result.winners),
        "ranks": list(result.ranks.values()),
        "payoffs": list(result.payoffs.values()),
    }


def plain(value: Value) -> Plain:
    """Numbers, yes and no stay what they are; everything else is called by its name."""
    from ruledsl.table.things import as_written  # noqa: PLC0415 - not all documents have values

    return value if value is None or isinstance(value, bool | int) else as_written(value)
