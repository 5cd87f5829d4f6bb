"""Words of the language by what they do, and which of them may be names."""

from __future__ import annotations

from collections.abc import Sequence

STATEMENTS = (
    *("let", "set", "add", "take", "move", "put", "shuffle", "roll", "show", "tell", "record"),
    *(
        "eliminate",
        "win",
        "lose",
        "end",
        "skip",
        "require",
        "if",
        "for",
        "together",
        "repeat",
        "choose",
        "give",
    ),
)
"""Each begins a statement."""

EXPRESSIONS = frozenset(
    {"all", "any", "can", "case", "count", "first", "max", "min", "no", "none", "reach"}
    | {"sum", "sure", "the", "trail", "would", "yes"}
)
"""Each begins an expression."""

BLOCK_LINES = frozenset(
    {*STATEMENTS, "else", "players", "rulebook", "limit", "when", "given", "then", "with", "map"}
    | {"aim", "progress"}
    | {"highest", "lowest", "payoff", "team", "refuse"}
)
"""Each begins a line inside a declaration."""

ANSWERS = frozenset({"action", "roll", "refuse"})
"""Each means something else where an action is offered or answered with."""


def unusable(words: Sequence[str], index: int) -> bool:
    """Whether the word there, as a name, could never be read, called, offered or answered."""
    word, before = words[index], words[index - 1]
    if word in EXPRESSIONS:
        return before not in (".", "|") and words[0] != "language"
    if before == "step":
        return word in STATEMENTS
    return before == "action" and word in ANSWERS
