"""Equality, hash, text and going through by fields, written once for all forms of rules.

attrs would write and compile them for each class anew whenever the program starts; of hundreds of
classes that takes longer than many a command does. Such a class says `eq=False, repr=False`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from operator import attrgetter
from typing import Any

import attrs


class Structural:
    """Equal if of the same class with equal fields, those with `eq=False` aside."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        if other.__class__ is not self.__class__:
            return NotImplemented
        compared = _compared(type(self))
        return bool(compared(self) == compared(other))

    def __hash__(self) -> int:
        return hash((type(self), _compared(type(self))(self)))

    def __repr__(self) -> str:
        cls: Any = type(self)
        names = (field.name for field in attrs.fields(cls) if field.repr)
        shown = (f"{name}={getattr(self, name)!r}" for name in names)
        return f"{cls.__qualname__}({', '.join(shown)})"


_GETTERS: dict[Any, Callable[[object], Any]] = {}


def _compared(cls: Any) -> Callable[[object], Any]:
    """What gives the fields of an object that are compared."""
    getter = _GETTERS.get(cls)
    if getter is None:
        names = [field.name for field in attrs.fields(cls) if field.eq]
        getter = _GETTERS[cls] = attrgetter(*names) if names else lambda _: ()
    return getter


_PLAIN = ("str", "int", "bool", str, int, bool)
"""Types of fields in which there can be no node, as they are or as they are written."""

Below = Callable[[Any], Iterable[Any]]


class Walk:
    """Goes through nodes: each, then all that it consists of, in the order written."""

    def __init__(self, nodes: type | tuple[type, ...], *besides: str) -> None:
        """What is a node, and the names of fields that are passed over."""
        self._nodes = nodes
        self._besides = besides
        self._fields: dict[type, tuple[str, ...]] = {}
        self._below: dict[type, Below | None] = {}

    def __call__(self, node: Any) -> Iterator[Any]:
        """Of a node, or of each of a tuple of nodes."""
        known = self._below
        stack: list[Any] = [node]
        while stack:
            top = stack.pop()
            kind = type(top)
            if kind is tuple:
                stack.extend(top[::-1])
                continue
            below = known[kind] if kind in known else self._look_below(kind)
            if below is not None:
                yield top
                stack.extend(below(top))

    def fields(self, kind: Any) -> tuple[str, ...]:
        """The names of what nodes of a type consist of."""
        if kind not in self._fields:
            parts = (field for field in attrs.fields(kind) if field.type not in _PLAIN)
            self._fields[kind] = tuple(
                field.name for field in parts if field.name not in self._besides
            )
        return self._fields[kind]

    def _look_below(self, kind: type) -> Below | None:
        """How to get at the parts of values of a type, the last first; None if they have none."""
        below: Below | None = None
        if issubclass(kind, self._nodes):
            below = _getter(self.fields(kind)[::-1])
        self._below[kind] = below
        return below


def _getter(names: tuple[str, ...]) -> Below:
    """What reads some fields of a node."""
    match names:
        case ():
            return lambda _: ()
        case (name,):
            return lambda node: (getattr(node, name),)
        case _:
            return attrgetter(*names)
