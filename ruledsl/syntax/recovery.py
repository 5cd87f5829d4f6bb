"""Where reading goes on after a mistake in a declaration: behind the line that has it.

What is indented under that line goes with it, and so do the `else` branches that follow it. Where
nothing sensible can be read any more, the first mistakes have to do.
"""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from ruledsl.syntax.automaton import END, Machine
from ruledsl.syntax.tokens import Token

NEWLINE, INDENT, DEDENT = "_NL", "_INDENT", "_DEDENT"

MOST_IN_ONE = 10
"""Mistakes in one declaration after which no more are looked for."""


@attrs.define
class Lines:
    """The lines of a declaration that were begun, each with the parse as it was there."""

    tokens: Sequence[Token]
    begun: list[tuple[int, Machine]] = attrs.Factory(list)
    """the last two"""
    around: dict[int, Machine] = attrs.Factory(dict)
    """by how deep they are indented: the last ones that go on or may have a block"""
    deep: int = 0

    def note(self, index: int, machine: Machine) -> None:
        """A token is next: keep the parse if it begins a line, or a block."""
        before = self.tokens[index - 1].type if index else ""
        kind = self.tokens[index].type
        if before in (NEWLINE, INDENT, DEDENT) and kind not in (DEDENT, END):
            kept = machine.copy()
            del self.begun[:-1]
            self.begun.append((index, kept))
            if kind != INDENT:
                self.around[self.deep] = kept
        self.deep += {INDENT: 1, DEDENT: -1}.get(kind, 0)

    def after(self, index: int, *, wants_block: bool) -> tuple[int, Machine] | None:
        """Where to go on after a mistake at a token; None if there is no more to read."""
        if self.tokens[index].type == END:
            return None
        begun = [line for line in self.begun if line[0] < index + (not wants_block)]
        if not begun:
            return None
        start, machine = begun[-1]
        at = index if wants_block else self._behind(start)
        self.deep = self._depth(at)
        at = self._behind_branches(at)
        while self.tokens[at].type == DEDENT and DEDENT not in machine.accepts:
            # Nothing is left of a block: the line above it goes, too.
            self.deep -= 1
            if self.deep not in self.around:
                return None
            machine = self.around[self.deep]
            at = self._behind_branches(at + 1)
        return None if self.tokens[at].type == END else (at, machine.copy())

    def _depth(self, index: int) -> int:
        kinds = [token.type for token in self.tokens[:index]]
        return kinds.count(INDENT) - kinds.count(DEDENT)

    def _behind_branches(self, index: int) -> int:
        """The token behind the `else` branches of something that was passed over."""
        while self.tokens[index] == "else":
            index = self._behind(index)
        return index

    def _behind(self, index: int) -> int:
        """The token behind a line, and behind the block under it."""
        if self.tokens[index].type != INDENT:
            while self.tokens[index].type not in (NEWLINE, END):
                index += 1
            index += self.tokens[index].type == NEWLINE
        deep = 0
        while self.tokens[index].type == INDENT or deep:
            deep += {INDENT: 1, DEDENT: -1, END: -deep}.get(self.tokens[index].type, 0)
            index += self.tokens[index].type != END
        return index
