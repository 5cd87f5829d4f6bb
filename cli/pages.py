"""Pages with pictures, written to files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from ruledsl.lab.reporting.painting import NoCharts

from .terminal import Refused


def check_out(out: str, *kinds: str) -> None:
    """Refuse names of files that nothing can be written to, before anything is played."""
    if Path(out).suffix not in kinds:
        raise Refused(
            f"`{out}` is nothing that is written here", f"write `--out` with {_or(kinds)}"
        )
    if Path(out).exists() and not Path(out).is_file():
        raise Refused(f"`{out}` is no file")
    if not Path(out).absolute().parent.is_dir():
        raise Refused(f"there is no folder for `{out}`")


def _or(kinds: tuple[str, ...]) -> str:
    return " or ".join(f"a name in `{kind}`" for kind in kinds)


def write_page(out: str, page: Callable[[], str]) -> None:
    try:
        text = page()
    except NoCharts:
        raise Refused(
            "pictures need altair and vl-convert, which are not installed",
            "`pip install 'tabletop-rules[lab]'` does it; without `--out` all is shown here",
        ) from None
    Path(out).write_text(text, encoding="utf-8")
