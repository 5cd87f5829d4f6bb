"""The rules that a line of a rules file cites, as they are shown."""

from __future__ import annotations

from collections.abc import Iterator

from ruledsl.model.citations import rule_number
from ruledsl.syntax import ast


def cited(trail: ast.Trail) -> str:
    """The rules a line cites, as they are shown after a text."""
    rules = " ".join(f"§{mark.rule}" for mark in trail if isinstance(mark, ast.Cite))
    return f" [{rules}]" if rules else ""


def cited_rules(trail: ast.Trail) -> Iterator[str]:
    """The same by prefix and number, as the texts of rulebooks are kept: `PP-7`."""
    numbers = (rule_number(mark) for mark in trail if isinstance(mark, ast.Cite))
    return (f"{prefix}-{number}" for prefix, number in filter(None, numbers))
