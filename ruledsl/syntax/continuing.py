"""Declarations that are not finished: what may come next, and one way to finish them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from heapq import heappop, heappush

import attrs

from ruledsl.diagnostics.source import Span
from ruledsl.syntax import ast
from ruledsl.syntax.automaton import END, Machine, Unexpected
from ruledsl.syntax.parser import Reader, reader
from ruledsl.syntax.tokens import Token

MOST_TRIALS = 400
"""Ways to go on that are tried before a declaration is given up."""

FILLERS = {
    **dict.fromkeys(("_NL", "_DEDENT", ")", "}", "TEXT_CLOSE"), 1),
    **dict.fromkeys(("_INDENT", "NAME", "STRING", "then", "else", "to", "have"), 2),
    **dict.fromkeys(("in", "=", "of", "from", "via", "after", "INT", "players"), 3),
    **dict.fromkeys((":", "|", "highest", "require", "times", "decisions", "for", "-", ".."), 5),
}
"""Tokens to finish with, and how much each adds that was not meant."""

_TEXTS = {"NAME": "unfinished", "INT": "1", "STRING": '""', "TEXT_CLOSE": '}"'}


@attrs.frozen
class Unfinished:
    """The tokens of a declaration up to a place in it, and what could stand there.

    `expected` has words and signs as they are written, and terminals for open classes.
    """

    tokens: tuple[Token, ...]
    expected: frozenset[str]


def unfinished(file: str, text: str, line: int, word: str) -> Unfinished | None:
    """What may follow a text that begins with a declaration, in place of the word at its end."""
    scanned = reader().scanner.scan(file, text, line)
    if not scanned.chunks:
        return None
    tokens = list(scanned.chunks[-1].tokens)
    while tokens and tokens[-1].type == "_DEDENT" and tokens[-1] != word:
        tokens.pop()
    if not tokens or tokens[-1] != word:
        return None
    machine = _fed(reader(), tokens[:-1])
    if machine is None:
        return None
    written = reader().written
    expected = frozenset(written.get(kind, kind) for kind in machine.accepts)
    return Unfinished(tuple(tokens), expected)


def finished(begun: Unfinished) -> ast.Item | None:
    """The declaration with something simple put where it breaks off; None if nothing fits."""
    read = reader()
    machine = _fed(read, begun.tokens)
    if machine is None:
        return None
    end = begun.tokens[-1].span
    beyond = Span(end.file, end.line, end.end_column + 1, end.line, end.end_column + 2)
    trials: list[tuple[int, int, Machine]] = [(0, 0, machine)]
    tried: set[tuple[int, ...]] = set()
    count = 0
    while trials and count < MOST_TRIALS:
        cost, _, state = heappop(trials)
        if state.situation in tried:
            continue
        tried.add(state.situation)
        done = _ended(state, beyond)
        if done is not None:
            return done
        for extra, token in _fillers(read, state, beyond):
            following = state.copy()
            try:
                following.feed(token)
            except Unexpected:
                continue
            count += 1
            heappush(trials, (cost + extra, count, following))
    return None


def _ended(state: Machine, at: Span) -> ast.Item | None:
    if END not in state.choices:
        return None
    ended = state.copy()
    try:
        ended.feed(Token.at(END, "", at))
    except Unexpected:
        return None
    item: ast.Item = ended.result
    return item


def _fillers(read: Reader, state: Machine, at: Span) -> Iterator[tuple[int, Token]]:
    choices = state.choices
    for filler, cost in FILLERS.items():
        kind = read.scanner.literals.get(filler, filler)
        if kind in choices:
            yield cost, Token.at(kind, _TEXTS.get(filler, filler), at)


def _fed(read: Reader, tokens: Sequence[Token]) -> Machine | None:
    """The parser after these tokens, or None where they don't fit."""
    machine = read.automaton.start()
    for token in tokens:
        fed = Token.at(read.kind_of(token, machine), str(token), token.span)
        try:
            machine.feed(fed)
        except Unexpected:
            return None
    return machine
