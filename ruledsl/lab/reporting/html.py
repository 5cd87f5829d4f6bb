"""Pages of HTML that need nothing else: what all of them have in common."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape

from ruledsl.lab.reporting.painting import Picture

STYLE = """
:root{color-scheme:light}
body{font:16px/1.5 system-ui,sans-serif;color:#20303c;background:#fbfaf7;margin:0 auto;
max-width:60rem;padding:2rem 1.2rem}
h1{margin:0 0 .2rem}h2{margin:2.2rem 0 .6rem;border-bottom:1px solid #d9d4c7}
.sub{color:#5c6b75;margin:0 0 1.5rem}
a{color:#1d5f8a}figure{margin:1.2rem 0;background:#fff;padding:.8rem;overflow-x:auto}
figcaption b{display:block}figcaption{margin-bottom:.5rem}
svg{max-width:100%;height:auto}
"""


def page(title: str, subtitle: str, style: str, body: Iterable[str]) -> str:
    """A whole page."""
    return "\n".join([*_head(title, subtitle, style), *body, "</body></html>"]) + "\n"


def _head(title: str, subtitle: str, style: str) -> Iterator[str]:
    yield "<!doctype html>"
    yield '<html lang="en"><head><meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>{escape(title)}</title><style>{STYLE}{style}</style></head><body>"
    yield f"<h1>{escape(title)}</h1>"
    yield f'<p class="sub">{escape(subtitle)}</p>'


def figure(picture: Picture) -> str:
    """A chart as part of the page, with a name for those who can't see it."""
    caption = f"<b>{escape(picture.title)}</b>{escape(picture.caption)}"
    label = escape(f"{picture.title} {picture.caption}", quote=True)
    start = picture.svg.index("<svg")
    svg = picture.svg[start:].replace("<svg", f'<svg role="img" aria-label="{label}"', 1)
    return f"<figure><figcaption>{caption}</figcaption>{svg}</figure>"
