"""Tokens as the parser takes them, with their place in the source."""

from __future__ import annotations

from ruledsl.diagnostics.source import Span


class Token(str):
    """A text with its terminal and a span, like the nodes that are made from it."""

    __slots__ = ("span", "type")

    type: str
    span: Span

    @classmethod
    def at(cls, kind: str, text: str, span: Span) -> Token:
        token = cls(text)
        token.type = kind
        token.span = span
        return token
