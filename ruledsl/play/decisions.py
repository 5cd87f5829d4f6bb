"""Decisions: who chooses, among which options."""

from __future__ import annotations

from typing import TypeAlias

import attrs

from ruledsl.diagnostics.source import Span
from ruledsl.model import core
from ruledsl.play.sayings import Saying
from ruledsl.syntax import ast
from ruledsl.table.things import Thing, Value


@attrs.frozen
class ActionOption:
    """An action with all its parameters. `key` tells inline actions of one name apart.

    `members` are all the choices of parameters that are alike to the chooser, the first of them
    being `values`.
    """

    key: str
    name: str
    values: tuple[Value, ...]
    members: tuple[tuple[Value, ...], ...]
    written: str = attrs.field(default="", eq=False, kw_only=True)
    """when it is taken: how players of the game write that down"""


@attrs.frozen
class ValueOption:
    """A value, or none of them where the choice is optional.

    `members` are all the values that are alike to the chooser.
    """

    value: Value
    members: tuple[Value, ...]


@attrs.frozen
class DoneOption:
    """No more: the end of a choice of several."""


Option: TypeAlias = ActionOption | ValueOption | DoneOption


@attrs.frozen
class Decision:
    """A choice to be made.

    `picked` is what was taken already in a choice of several; `together` lists all who choose at
    the same time; `least` and `most` bound a choice of several, and `classes` are all that it is
    made from, those alike to the chooser together.
    """

    seat: Thing
    options: tuple[Option, ...]
    prompt: core.Said | None
    span: Span
    trail: ast.Trail
    picked: tuple[Value, ...] = ()
    several: bool = False
    least: int = 0
    most: int = 0
    classes: tuple[tuple[Value, ...], ...] = ()
    together: tuple[Thing, ...] = ()
    statement: core.ChooseValue | core.ChooseAction = attrs.field(kw_only=True, repr=False)
    frame: list[Value] = attrs.field(kw_only=True, repr=False)
    """the locals around it: what explains a refusal needs them"""


@attrs.frozen
class Refusal:
    """A requirement that a choice does not meet; if it says nothing, it is no choice at all."""

    says: Saying | None
    span: Span
    trail: ast.Trail

    @property
    def message(self) -> str | None:
        """What it says as the rules have it; `Words.said` puts the values in words."""
        return None if self.says is None else self.says.text
