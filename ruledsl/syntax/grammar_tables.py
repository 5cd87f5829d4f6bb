"""The parser's tables as they are shipped: made with the package, read back when it runs.

They are numbers and words in JSON, so a wrong file can give wrong trees but never run anything.
They hold for the grammar whose hash they carry: after an edit of it Lark makes them anew.
"""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any

from ruledsl.packaged import packaged_text
from ruledsl.syntax.automaton import Rule, Tables

FORMAT = 1
GRAMMAR, SHIPPED = "rules.lark", "tables.json"


def grammar_text() -> str:
    return _packaged(GRAMMAR)


def tables() -> Tables:
    """The tables of the grammar."""
    grammar = grammar_text()
    try:
        shipped = read(_packaged(SHIPPED), grammar)
    except FileNotFoundError:
        shipped = None
    if shipped is not None:
        return shipped
    from ruledsl.syntax.lalr import tables_of  # noqa: PLC0415 (Lark takes half a second)

    return tables_of(grammar)


def _packaged(name: str) -> str:
    return packaged_text("ruledsl.grammar", name)


def stamp(grammar: str) -> str:
    """Tells whether tables were made from this grammar, and for this program."""
    return sha256(f"{FORMAT}\n{grammar}".encode()).hexdigest()


def written(tables: Tables, grammar: str) -> str:
    """The tables as text, a line for each rule and state."""
    names = sorted({name for state in tables.states for name in state})
    numbers = {name: number for number, name in enumerate(names)}
    rules = [
        [rule.origin, rule.builds, rule.size, rule.shape, int(rule.single)] for rule in tables.rules
    ]
    states = [
        [number for name, to in state.items() for number in (numbers[name], to)]
        for state in tables.states
    ]
    document: dict[str, Any] = {
        "made for": stamp(grammar),
        "patterns": dict(tables.patterns),
        "literals": dict(tables.literals),
        "names": names,
        "rules": rules,
        "states": states,
    }
    lines = ",\n".join(f"{json.dumps(key)}: {_lines(part)}" for key, part in document.items())
    return f"{{\n{lines}\n}}\n"


def _lines(part: Any) -> str:
    if isinstance(part, list) and part and isinstance(part[0], list):
        rows = ",\n".join(json.dumps(row, separators=(",", ":")) for row in part)
        return f"[\n{rows}\n]"
    return json.dumps(part, ensure_ascii=False)


def read(text: str, grammar: str) -> Tables | None:
    """Tables as they were written, if they are those of this grammar."""
    document = json.loads(text)
    if document["made for"] != stamp(grammar):
        return None
    names: list[str] = document["names"]
    states = tuple(
        dict(zip(map(names.__getitem__, row[::2]), row[1::2], strict=True))
        for row in document["states"]
    )
    rules = tuple(
        Rule(
            origin,
            builds,
            size,
            tuple(tuple(each) if isinstance(each, list) else each for each in shape),
            bool(single),
        )
        for origin, builds, size, shape, single in document["rules"]
    )
    return Tables(document["patterns"], document["literals"], rules, states)
