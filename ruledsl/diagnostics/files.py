"""Mistakes in files as such, before anything in them is read."""

from __future__ import annotations

from ruledsl.diagnostics.diagnostic import Diagnostic, declare
from ruledsl.diagnostics.source import Span

WRONG_ENCODING = declare("wrong-encoding", "error", "a file that is not text in UTF-8")


def wrong_encoding(span: Span) -> Diagnostic:
    return Diagnostic(
        WRONG_ENCODING,
        span,
        "the file is not text in UTF-8",
        "the first byte that can't be read",
        "save it with the encoding UTF-8",
    )
