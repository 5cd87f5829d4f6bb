"""Equality, hash and text by fields, written once for all syntax forms.

attrs would write and compile them for each class anew whenever the program starts; of hundreds of
classes that takes longer than many a command does. Such a class says `eq=False, repr=False`.
"""

from __future__ import annotations

from collections.abc import Callable
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
