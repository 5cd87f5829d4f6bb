"""The functions there are, to put other code into them."""

from __future__ import annotations

import gc
from types import FunctionType
from typing import TypeAlias

Held: TypeAlias = dict[tuple[str, str, int], list[FunctionType]]
"""Functions by file, name and line, whoever holds them."""


def functions_held() -> Held:
    found: Held = {}
    for each in gc.get_objects():
        if isinstance(each, FunctionType):
            code = each.__code__
            key = (code.co_filename, code.co_qualname, code.co_firstlineno)
            found.setdefault(key, []).append(each)
    return found
