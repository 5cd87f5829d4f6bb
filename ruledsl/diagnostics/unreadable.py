"""What is raised for a file that can't be found or read."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ruledsl.diagnostics.diagnostic import Diagnostic


class LibraryError(Exception):
    """A file can't be found or read; the text says why.

    Where the content of the file is to blame there is a diagnostic.
    """

    def __init__(
        self, message: str, hint: str | None = None, diagnostic: Diagnostic | None = None
    ) -> None:
        super().__init__(message)
        self.hint = hint
        self.diagnostic = diagnostic
