"""Which ways an input takes through the program: from function to function."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FrameType

import ruledsl

OURS = str(Path(ruledsl.__file__).parent)
"""Where the program lies: what else runs now and then, such as whoever watches the collection of
garbage, makes no way."""


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
            caller = frame.f_back
            if event == "call" and caller is not None and _is_ours(frame) and _is_ours(caller):
                met.add((caller.f_code, frame.f_code))

        sys.setprofile(note)
        try:
            yield
        finally:
            sys.setprofile(None)
            before = len(self.known)
            self.known |= met
            self.new = len(self.known) - before


def _is_ours(frame: FrameType) -> bool:
    return frame.f_code.co_filename.startswith(OURS)
