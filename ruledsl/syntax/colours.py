"""The words and signs of the language for colouring: one description, from which come a grammar for
editors (TextMate) and a lexer for texts and terminals (Pygments).

The words are taken from the grammar's tables, so a new word is coloured without anybody doing
anything; a test compares the files that are made from this.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import attrs

from ruledsl.syntax.grammar_tables import tables
from ruledsl.syntax.words import EXPRESSIONS, STATEMENTS

DECLARATIONS = (
    *("game", "library", "use", "variant", "replace", "extend", "before", "after", "remove"),
    *("option", "type", "piece", "place", "state", "history", "define", "action", "step"),
    *("trigger", "ranking", "language", "looks", "notation", "rulebook", "test"),
)
"""Each begins a declaration, at the very left."""

CONSTANTS = ("yes", "no", "none")
BUILT_IN = ("you", "active", "playing", "players", "viewer", "it", "here", "finished", "winners")
NAME = r"[^\W\d]\w*"


@attrs.frozen
class Sort:
    """A sort of words or signs: its pattern, and what each of the two calls it."""

    pattern: str
    scope: str
    token: str


def _any(words: Iterator[str] | tuple[str, ...]) -> str:
    return r"\b(?:" + "|".join(sorted(words)) + r")\b"


def keywords() -> tuple[str, ...]:
    """All words of the grammar."""
    return tuple(sorted(word for word in tables().literals if re.fullmatch(NAME, word)))


def sorts() -> tuple[Sort, ...]:
    """In the order in which they are tried."""
    begins = _any(DECLARATIONS)
    statements = _any((*STATEMENTS, "else", "given", "when", "then", "with", "refuse", "map"))
    others = tuple(word for word in keywords() if word not in (*EXPRESSIONS, *CONSTANTS))
    functions = tuple(word for word in EXPRESSIONS if word not in CONSTANTS)
    return (
        Sort(r"#[^\n]*", "comment.line.number-sign.rules", "Comment.Single"),
        Sort(r'"[^"\n]*"?', "string.quoted.double.rules", "String.Double"),
        Sort(r"§[A-Za-z]+-[0-9]+", "constant.other.citation.rules", "Name.Decorator"),
        Sort(r"\b[0-9]+\b", "constant.numeric.rules", "Number.Integer"),
        Sort(rf"(?m)^{begins}", "keyword.declaration.rules", "Keyword.Declaration"),
        Sort(rf"(?m)^\s+{statements}", "keyword.control.rules", "Keyword"),
        Sort(_any(CONSTANTS), "constant.language.rules", "Keyword.Constant"),
        Sort(_any(BUILT_IN), "variable.language.rules", "Name.Builtin.Pseudo"),
        Sort(_any(functions) + r"(?=\s*\()", "support.function.rules", "Name.Builtin"),
        Sort(rf"(?<=\.){NAME}", "variable.other.property.rules", "Name.Attribute"),
        Sort(_any(others), "keyword.other.rules", "Keyword.Reserved"),
        Sort(r"\b[A-Z]\w*", "entity.name.type.rules", "Name.Class"),
        Sort(rf"{NAME}(?=\()", "entity.name.function.rules", "Name.Function"),
        Sort(NAME, "variable.other.rules", "Name"),
        Sort(r"\.\.|!=|<=|>=|[-+*/=<>|:~]", "keyword.operator.rules", "Operator"),
        Sort(r"[(){},.]", "punctuation.rules", "Punctuation"),
    )
