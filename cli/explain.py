"""`ruledsl explain`: what a code means, with a wrong and a right example."""

from __future__ import annotations

import click

from ruledsl.diagnostics.explain import all_codes, page

from .completing import codes
from .pager import show_paged
from .terminal import Exit, unknown, use_color


@click.command
@click.argument("code", shell_complete=codes, required=False)
def command(code: str | None) -> int:
    """Explain the mistake called CODE; without CODE, list them all."""
    codes = {known.name: known for known in all_codes()}
    if code is None:
        wide = max(map(len, codes))
        lines = (
            f"{each.name:{wide}}  {each.severity:7}  {each.summary}" for each in codes.values()
        )
        show_paged(lines, color=use_color())
        return Exit.CLEAN
    if code not in codes:
        raise unknown("mistake", code, codes, "`ruledsl explain` lists all codes")
    found = page(codes[code])
    text = f"{code}: {codes[code].summary}" if found is None else found.text.rstrip()
    show_paged(text.split("\n"), color=use_color())
    return Exit.CLEAN
