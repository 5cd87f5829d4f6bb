"""What draws charts, as SVG: altair and vl-convert (the extra `lab`)."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import attrs

INK, ACCENT, QUIET, PALE = "#20303c", "#b4552d", "#9fb3bf", "#f3efe4"
PADDING = {"left": 40, "right": 12, "top": 5, "bottom": 5}
"""Fonts differ, so what is left of an axis has room to spare."""


class NoCharts(Exception):
    """What draws charts is not installed."""


@attrs.frozen
class Picture:
    """A chart with its title, and what it shows in a sentence."""

    title: str
    caption: str
    svg: str


class Brush:
    """Charts of altair, made into SVG."""

    def __init__(self) -> None:
        try:
            self.alt: Any = import_module("altair")
            self._convert: Any = import_module("vl_convert")
        except ImportError:
            raise NoCharts from None

    def svg(self, chart: Any) -> str:
        styled = (
            chart.configure(font="system-ui, sans-serif", padding=PADDING)
            .configure_view(stroke=None)
            .configure_axis(labelColor=INK, titleColor=INK, grid=False)
        )
        return str(self._convert.vegalite_to_svg(styled.to_dict()))

    def data(self, rows: list[dict[str, Any]]) -> Any:
        return self.alt.Data(values=rows)
