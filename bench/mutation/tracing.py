"""Which lines of the engine run."""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from types import CodeType, FrameType
from typing import Any

import attrs

Lines = dict[str, set[int]]


@attrs.define
class Tracer:
    """Notes the lines of files below a folder; a function whose lines all ran is let be."""

    folder: str
    lines: defaultdict[str, set[int]] = attrs.field(factory=lambda: defaultdict(set), init=False)
    _open: dict[CodeType, set[int]] = attrs.field(factory=dict, init=False)

    @contextmanager
    def noting(self) -> Iterator[None]:
        sys.settrace(self._called)
        try:
            yield
        finally:
            sys.settrace(None)

    def _called(self, frame: FrameType, _event: str, _argument: Any) -> Any:
        code = frame.f_code
        if not code.co_filename.startswith(self.folder):
            return None
        left = self._open.get(code)
        if left is None:
            left = {line for _, _, line in code.co_lines() if line is not None}
            self._open[code] = left
        left.discard(frame.f_lineno)
        self.lines[code.co_filename].add(frame.f_lineno)
        if not left:
            return None
        seen = self.lines[code.co_filename]

        def line(frame: FrameType, _event: str, _argument: Any) -> Any:
            number = frame.f_lineno
            if number in left:
                left.discard(number)
                seen.add(number)
            return line

        return line
