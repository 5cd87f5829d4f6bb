"""The rules that a line of a rules file cites, as they are shown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ruledsl.model.citations import rule_number
from ruledsl.syntax import ast


def cited(trail: ast.Trail) -> str:
    """The rules a line cites, as they are shown after a text."""
    return citing(mark.rule for mark in trail if isinstance(mark, ast.Cite))


def citing(rules: Iterable[str]) -> str:
    """The same for rules by their names."""
    named = " ".join(f"§{rule}" for rule in rules)
    return f" [{named}]" if named else ""


def cited_rules(trail: ast.Trail) -> Iterator[str]:
    """The same by prefix and number, as the texts of rulebooks are kept: `PP-7`."""
    numbers = (rule_number(mark) for mark in trail if isinstance(mark, ast.Cite))
    return (f"{prefix}-{number}" for prefix, number in filter(None, numbers))
