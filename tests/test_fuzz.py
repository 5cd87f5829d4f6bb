"""Whatever stands in a file, checking it finds mistakes with a place and words, and never fails."""

import re
from collections.abc import Callable
from contextlib import chdir
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import example, given, settings
from hypothesis import strategies as st

from ruledsl.diagnostics.diagnostic import Diagnostic
from ruledsl.diagnostics.explain import all_codes, page
from ruledsl.diagnostics.render import as_records, render_text
from ruledsl.diagnostics.source import Source
from ruledsl.library import SUFFIX, Library
from ruledsl.model.depth import allow_deep_rules
from ruledsl.play.check import check_source

GAMES = Path(__file__).parents[1] / "games"
SHIPPED = sorted(
    (file.stat().st_size, file.read_text("utf-8")) for file in GAMES.rglob(f"*{SUFFIX}")
)
PAGES = [found for code in all_codes() if (found := page(code)) is not None]
SMALL = [text for size, text in SHIPPED if size < 3_000]
LARGE = [text for size, text in SHIPPED if size >= 3_000]
FILE = re.compile(r"# file: (\S+)\n")
EXAMPLES = [found.right for found in PAGES if not FILE.search(found.right)]
VARIANTS = [FILE.split(found.right)[1:] for found in PAGES if FILE.search(found.right)]

PART = re.compile(r'\n *|"[^"\n]*"|§[\w-]+|#[^\n]*|\.\.|[!<>]=|\w+| +|\S')
WORDS = sorted(
    {part for text in (*SMALL, *EXAMPLES) for part in PART.findall(text) if part.strip()}
    | {
        "999999999",
        "-1",
        "none",
        "{}",
        "Player(9)",
        "\n",
        "\n    ",
        "\n        ",
        "\t",
        '"',
        "§X-1",
    }
)
LIBRARY = Library()

# Hypothesis watches the limit of recursion, so it is raised before its tests begin.
allow_deep_rules()


def often(examples: int) -> settings:
    """So many examples in `make test`, more if the profile asks for more than usual."""
    usual = settings.get_profile("default").max_examples
    return settings(max_examples=examples * settings().max_examples // usual)


def examine(text: str, name: str = "fuzz") -> None:
    checked = check_source(Source(name, text), LIBRARY)
    for diagnostic in checked.diagnostics:
        in_place(diagnostic, checked.sources[diagnostic.span.file])
    render_text(checked.diagnostics, checked.sources)
    as_records(checked.diagnostics)


def in_place(diagnostic: Diagnostic, source: Source) -> None:
    """The mistake has words, and lies in the text or just behind the end of a line."""
    span = diagnostic.span
    lines = source.text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    assert diagnostic.message
    assert 1 <= span.line <= span.end_line <= len(lines), diagnostic
    assert 1 <= span.column <= len(lines[span.line - 1]) + 1, diagnostic
    assert 1 <= span.end_column <= len(lines[span.end_line - 1]) + 2, diagnostic
    assert (span.line, span.column) <= (span.end_line, span.end_column), diagnostic


# ---------------------------------------------------------------- arbitrary text


@given(st.text())
@example("\ufeff")
@example("\r\n\r")
@example("#\ud800")
@often(250)
def test_any_text(text: str) -> None:
    examine(text)


@given(st.lists(st.sampled_from(WORDS), max_size=40))
@often(250)
def test_any_words(words: list[str]) -> None:
    examine('game fuzz "Fuzz"\n    players 2\n\nstep play\n    ' + " ".join(words) + "\n")


# ---------------------------------------------------------------- damaged files

Change = Callable[[list[str], int, int, str], list[str]]
"""A list damaged at two places, or with a word."""

TO_WORDS: tuple[Change, ...] = (
    lambda parts, at, other, word: parts[:at] + parts[at + 1 :],
    lambda parts, at, other, word: [*parts[:other], parts[at], *parts[other:]],
    lambda parts, at, other, word: [
        parts[{at: other, other: at}.get(i, i)] for i in indexes(parts)
    ],
    lambda parts, at, other, word: [*parts[:at], parts[other], *parts[at + 1 :]],
    lambda parts, at, other, word: [*parts[:at], word, *parts[at + 1 :]],
)
"""Delete, duplicate, swap, copy, retype."""

TO_LINES: tuple[Change, ...] = (
    *TO_WORDS,
    lambda parts, at, other, word: [*parts[:at], f"    {parts[at]}", *parts[at + 1 :]],
    lambda parts, at, other, word: [*parts[:at], parts[at].lstrip(" "), *parts[at + 1 :]],
)
"""And indent, dedent."""


def indexes(parts: list[str]) -> range:
    return range(len(parts))


@st.composite
def damaged(draw: st.DrawFn, texts: list[str]) -> str:
    """A file with a few changes to its words and lines."""
    text = draw(st.sampled_from(texts))
    for _ in range(draw(st.integers(1, 4))):
        by_line = draw(st.booleans())
        parts = text.split("\n") if by_line else PART.findall(text)
        if parts:
            change = draw(st.sampled_from(TO_LINES if by_line else TO_WORDS))
            places = st.sampled_from(indexes(parts))
            parts = change(parts, draw(places), draw(places), draw(st.sampled_from(WORDS)))
        text = ("\n" if by_line else "").join(parts)
    return text


@given(damaged(EXAMPLES))
@often(1000)
def test_damaged_examples(text: str) -> None:
    examine(text)


@given(damaged(SMALL))
@often(100)
def test_damaged_small_files(text: str) -> None:
    examine(text)


@given(damaged(LARGE))
@often(12)
def test_damaged_large_files(text: str) -> None:
    examine(text)


@given(st.data())
@often(150)
def test_damaged_variants(data: st.DataObject) -> None:
    """One of several files that belong together is damaged; each of them is checked."""
    parts = data.draw(st.sampled_from(VARIANTS))
    files = dict(zip(parts[::2], parts[1::2], strict=True))
    victim = data.draw(st.sampled_from(sorted(files)))
    files[victim] = data.draw(damaged([files[victim]]))
    with TemporaryDirectory() as folder, chdir(folder):
        for name, text in files.items():
            Path(name).write_text(text, "utf-8")
        for name, text in files.items():
            examine(text, name)
