"""Checks of a resolved game. Each is a plain function; a new check is one function and one line."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ruledsl.diagnostics.diagnostic import Diagnostic
from ruledsl.model.elaborate import Elaborated

Check = Callable[[Elaborated], Iterable[Diagnostic]]

ALL_CHECKS: tuple[Check, ...] = ()
