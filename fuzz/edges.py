"""Which ways an input takes through the program: from function to function."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import CodeType, FrameType


class Edges:
    """What was ever called from where; an input that adds to it is worth keeping."""

    def __init__(self) -> None:
        self.known: set[tuple[CodeType, CodeType]] = set()
        self.new = 0

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Count what is new in here."""
        met: set[tuple[CodeType, CodeType]] = set()

        def note(frame: FrameType, event: str, _: object) -> None:
            if event == "call" and frame.f_back is not None:
                met.add((frame.f_back.f_code, frame.f_code))

        sys.setprofile(note)
        try:
            yield
        finally:
            sys.setprofile(None)
            before = len(self.known)
            self.known |= met
            self.new = len(self.known) - before
