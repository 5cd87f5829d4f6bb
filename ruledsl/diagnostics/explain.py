"""The pages that explain each code at length: a mistake, why it is one, and how to write it.

A page is `pages/CODE.md` beside this module: a title `# CODE`, paragraphs, a section `## Wrong`
with one example and a section `## Right` with one.
"""

from __future__ import annotations

import re
from importlib import import_module
from pkgutil import iter_modules

import attrs

from ruledsl import diagnostics
from ruledsl.diagnostics.diagnostic import CODES, Code
from ruledsl.packaged import packaged_text

_PAGE = re.compile(
    r"# (?P<code>[a-z0-9-]+)\n\n(?P<prose>.+?)\n\n"
    r"## Wrong\n.*?```rules\n(?P<wrong>.+?)```\n.*?"
    r"## Right\n.*?```rules\n(?P<right>.+?)```\n.*",
    re.DOTALL,
)


@attrs.frozen
class Page:
    """What is to be said about a code."""

    code: str
    text: str
    wrong: str
    right: str


def all_codes() -> tuple[Code, ...]:
    """Every code, by name. The modules beside this one declare them."""
    for module in iter_modules(diagnostics.__path__):
        import_module(f"{diagnostics.__name__}.{module.name}")
    return tuple(CODES[name] for name in sorted(CODES))


def page(code: Code) -> Page | None:
    """The page of a code, if it has been written."""
    try:
        return parse_page(packaged_text(diagnostics.__name__, f"pages/{code.name}.md"))
    except FileNotFoundError:
        return None


def parse_page(text: str) -> Page:
    """A page from its text; one that lacks a part is a mistake of ours."""
    match = _PAGE.fullmatch(text)
    if match is None:
        raise ValueError("a page needs a title, prose, a wrong and a right example")
    return Page(match["code"], text, match["wrong"], match["right"])
