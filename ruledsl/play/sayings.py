"""Texts of the rules with values in them: what is said to a player, before it is put in words."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

import attrs

from ruledsl.model import core
from ruledsl.table.errors import RulesError
from ruledsl.table.things import Thing, Value, things


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
    unknown = frozenset(each for each in things(v for _, v in found) if not knows(each))
    return Saying(said.text, tuple(found), unknown)
