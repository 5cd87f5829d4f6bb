"""Tokens as the parser takes them, with their place in the source."""

from __future__ import annotations

import lark

from ruledsl.diagnostics.source import Span


class Token(lark.Token):
    """A token with a span, like the nodes that are made from it."""

    __slots__ = ("span",)

    span: Span

    @classmethod
    def at(cls, kind: str, text: str, span: Span) -> Token:
        token = cls(kind, text)
        token.span = span
        return token
