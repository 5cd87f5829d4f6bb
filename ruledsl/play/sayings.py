"""Texts of the rules with values in them: what is said to a player, before it is put in words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

import attrs

from ruledsl.model import core
from ruledsl.table.errors import RulesError
from ruledsl.table.things import Thing, Value


@attrs.frozen
class Saying:
    """A text as the rules have it, and the values that stand in it, by how they are written.

    `unknown` are the pieces among them that whoever reads it can't tell from others.
    """

    text: str
    values: tuple[tuple[str, Value], ...] = ()
    unknown: frozenset[Thing] = frozenset()


def filled(text: str, words: Mapping[str, str]) -> str:
    """The text with words for its values; what it has no words for stays as it is."""
    if not words:
        return text
    holes = "|".join(re.escape(f"{{{each}}}") for each in words)
    return re.sub(holes, lambda hole: words[hole[0][1:-1]], text)


def saying(
    said: core.Said, value: Callable[[core.Expr], Value], knows: Callable[[Thing], bool]
) -> Saying:
    """What a text says now. A value that can't be worked out is left as it is written."""
    found: list[tuple[str, Value]] = []
    for hole, node in zip(said.holes, said.values, strict=True):
        try:
            found.append((hole, value(node)))
        except RulesError:
            continue
    things = _things(value for _, value in found)
    return Saying(said.text, tuple(found), frozenset(each for each in things if not knows(each)))


def _things(values: Iterable[Value]) -> Iterable[Thing]:
    for value in values:
        if isinstance(value, tuple):
            yield from _things(value)
        elif isinstance(value, Thing):
            yield value
