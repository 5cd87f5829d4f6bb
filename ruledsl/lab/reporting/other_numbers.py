"""Which numbers of a game can be tried otherwise, and how."""

from __future__ import annotations

from collections.abc import Iterator

from ruledsl.lab.reporting.finding import Finding
from ruledsl.lab.reporting.study import Study
from ruledsl.model import core

MOST = 8
"""Numbers that are named."""


def to_try(study: Study) -> Iterator[Finding]:
    """What to change, and with which command one sees what that does."""
    found = {**_defined(study), **_options(study)}
    if not found:
        return
    game = study.checked.variant or study.checked.name
    listed = ", ".join(f"{name} = {value}" for name, (value, _) in [*found.items()][:MOST])
    more = f" and {len(found) - MOST} more" if len(found) > MOST else ""
    name, (_, others) = next(iter(found.items()))
    text = f"Numbers that can be tried otherwise without editing: {listed}{more}. "
    text += (
        f'`ruledsl sweep {game} --vary {name}={others[0]}..{others[-1]} --aim "fair"` looks for '
    )
    text += f"those that meet an aim; `ruledsl diff {game} {game}:{name}={others[-1]}` tells what "
    text += "one of them does."
    yield Finding("note", text)


_Found = dict[str, tuple[int, tuple[int, ...]]]


def _defined(study: Study) -> _Found:
    """Definitions that are plain numbers, each with others near it."""
    return {
        each.name: (each.body.value, (max(1, each.body.value - 1), each.body.value + 1))
        for each in study.checked.defines.values()
        if not each.params
        and isinstance(each.body, core.Constant)
        and type(each.body.value) is int
        and each.body.value > 0
    }


def _options(study: Study) -> _Found:
    found: _Found = {}
    for name in study.checked.options:
        value, others = study.table.options[name], study.table.option_values(name)
        numbers = tuple(other for other in others if type(other) is int)
        if type(value) is int and len(numbers) == len(others) > 1:
            found[name] = (value, numbers)
    return found
