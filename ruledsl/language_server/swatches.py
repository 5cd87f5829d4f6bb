"""The colours that a file gives to its things, to be shown beside their names."""

from __future__ import annotations

import attrs

from ruledsl.diagnostics.source import Span
from ruledsl.language_server.analysis import Analysis
from ruledsl.model.looks import COLOURS
from ruledsl.syntax import ast

VALUES: dict[str, tuple[int, int, int]] = {
    "red": (200, 50, 47),
    "orange": (224, 122, 31),
    "yellow": (232, 200, 48),
    "green": (70, 140, 60),
    "teal": (38, 140, 140),
    "blue": (47, 98, 180),
    "violet": (124, 72, 160),
    "pink": (226, 128, 160),
    "brown": (124, 84, 52),
    "beige": (222, 204, 170),
    "gold": (206, 164, 50),
    "silver": (180, 184, 188),
    "white": (250, 250, 248),
    "grey": (128, 128, 128),
    "black": (32, 32, 32),
}
"""Red, green and blue of each colour's name."""


@attrs.frozen
class Swatch:
    span: Span
    name: str

    @property
    def value(self) -> tuple[int, int, int]:
        return VALUES[self.name]


def swatches(analysis: Analysis) -> tuple[Swatch, ...]:
    """Every colour that a look names."""
    blocks = (
        item.declaration if isinstance(item, ast.Replace | ast.Extend) else item
        for item in analysis.items
    )
    parts = (
        part
        for block in blocks
        if isinstance(block, ast.Looks)
        for line in block.lines
        for part in line.parts
    )
    return tuple(
        Swatch(part.span, part.text)
        for part in parts
        if isinstance(part, ast.Name) and part.text in VALUES
    )


def nearest_colours(red: int, green: int, blue: int) -> tuple[str, ...]:
    """The names of the colours, those most like this one first."""

    def distance(name: str) -> int:
        other = VALUES[name]
        return sum((a - b) ** 2 for a, b in zip((red, green, blue), other, strict=True))

    return tuple(sorted(COLOURS, key=distance))
