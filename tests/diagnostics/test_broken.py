"""Every code has broken files, a snapshot of its wording, a page, and a line in the docs.

A case is a file in `broken/CODE/`, or a folder there whose files belong together; each file of a
case is checked on its own. What is expected stands at the end of the line with the mistake,
`# ! code, code`, or, where no comment can stand, in a line of its own: `# !line:3 code`. A line
with `# … 60 times` in it stands for that many lines.

`UPDATE_SNAPSHOTS=1` writes the snapshots and `docs/errors.md` anew.
"""

import os
import re
from collections.abc import Iterator
from contextlib import chdir
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import pytest

from ruledsl import diagnostics
from ruledsl.diagnostics.diagnostic import Code, Diagnostic
from ruledsl.diagnostics.explain import Page, all_codes, page
from ruledsl.diagnostics.render import render_text
from ruledsl.diagnostics.source import Source
from ruledsl.diagnostics.unreadable import LibraryError
from ruledsl.library import SUFFIX, Library, decode
from ruledsl.play.check import check_source

HERE = Path(__file__).parent
BROKEN = HERE / "broken"
SNAPSHOTS = HERE / "snapshots"
DOCUMENT = HERE.parents[1] / "docs" / "errors.md"
UPDATE = "UPDATE_SNAPSHOTS" in os.environ

CODES = {code.name: code for code in all_codes()}
CASES = sorted(
    case for code in BROKEN.iterdir() for case in code.iterdir() if case.suffix in (SUFFIX, "")
)

MARK = re.compile(r"# ! (?P<codes>[a-z-]+(?:, [a-z-]+)*)$")
MARK_ELSEWHERE = re.compile(r"# !line:(?P<line>\d+) (?P<codes>[a-z-]+(?:, [a-z-]+)*)$")
TIMES = re.compile(r"# … (?P<number>[\d,]+) times")
FILE = re.compile(r"# file: (?P<name>\S+)\n")

Found = tuple[str, int, str]
"""A file, a line and a code."""


def expanded(text: str) -> str:
    """The text with every line as often as it says."""
    lines = text.split("\n")
    times = [TIMES.search(line) for line in lines]
    return "\n".join(
        line
        for line, many in zip(lines, times, strict=True)
        for _ in range(int(many["number"].replace(",", "")) if many else 1)
    )


def expected(source: Source) -> Iterator[Found]:
    for number, line in enumerate(source.text.split("\n"), 1):
        if match := MARK.search(line):
            yield from ((source.name, number, code) for code in match["codes"].split(", "))
        elif match := MARK_ELSEWHERE.search(line):
            place = int(match["line"])
            yield from ((source.name, place, code) for code in match["codes"].split(", "))


def check(name: str, data: bytes) -> tuple[tuple[Diagnostic, ...], dict[str, Source]]:
    """What is found in a file, and the texts it is found in."""
    try:
        source = decode(name, data)
    except LibraryError as error:
        return ((error.diagnostic,) if error.diagnostic else ()), {}
    checked = check_source(source, Library())
    return checked.diagnostics, checked.sources


@cache
def check_case(case: Path) -> tuple[list[Found], dict[Diagnostic, dict[str, Source]]]:
    """What a case expects, and what is found in it; the files are named as seen from `broken`."""
    with chdir(BROKEN):
        return _check_case(case)


def _check_case(case: Path) -> tuple[list[Found], dict[Diagnostic, dict[str, Source]]]:
    wanted: list[Found] = []
    found: dict[Diagnostic, dict[str, Source]] = {}
    for file in sorted(case.glob(f"*{SUFFIX}")) if case.is_dir() else [case]:
        name = str(file.relative_to(BROKEN))
        data = file.read_bytes()
        if b"times" in data:
            data = expanded(data.decode()).encode()
        wanted += expected(Source(name, data.decode(errors="replace")))
        diagnostics, sources = check(name, data)
        found |= dict.fromkeys(diagnostics, sources)
    return wanted, found


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case.relative_to(BROKEN)))
def test_broken_file(case: Path) -> None:
    wanted, found = check_case(case)
    code = case.parent.name
    assert code in {code for *_, code in wanted}, f"the case doesn't expect {code}"
    unmet = list(wanted)
    unexpected = []
    for diagnostic, sources in found.items():
        place = (diagnostic.span.file, diagnostic.span.line, diagnostic.code.name)
        if place in unmet:
            unmet.remove(place)
        else:
            unexpected.append(render_text([diagnostic], sources))
    assert not unexpected, "not expected:\n" + "\n".join(unexpected)
    assert not unmet, f"expected, but not found: {unmet}"


def test_there_are_many_broken_files() -> None:
    assert len(list(BROKEN.rglob(f"*{SUFFIX}"))) >= 100


def test_broken_files_belong_to_codes() -> None:
    assert {folder.name for folder in BROKEN.iterdir()} <= CODES.keys()
    assert {file.stem for file in SNAPSHOTS.iterdir()} <= CODES.keys()


# ---------------------------------------------------------------- wording


MOST_SHOWN = 8
"""What a case shows beyond this many mistakes is more of the same."""


def snapshot(code: str) -> str:
    """Everything its broken files show about a code."""
    shown = []
    for case in sorted(case for case in CASES if case.parent.name == code):
        _, found = check_case(case)
        own = [diagnostic for diagnostic in found if diagnostic.code.name == code]
        texts = [render_text([each], found[each]).rpartition("\n\n")[0] for each in own]
        shown += [f"{case.relative_to(BROKEN)}\n", *(f"{text}\n" for text in texts[:MOST_SHOWN])]
    return "\n".join(shown)


@pytest.mark.parametrize("code", CODES)
def test_wording(code: str) -> None:
    text = snapshot(code)
    assert text, f"no broken file in {BROKEN.name}/{code}"
    file = SNAPSHOTS / f"{code}.txt"
    if UPDATE:
        file.write_text(text, encoding="utf-8")
    assert file.is_file(), "no snapshot: set UPDATE_SNAPSHOTS=1 to write it, and read it"
    assert text == file.read_text("utf-8")


@pytest.mark.parametrize("code", CODES)
def test_style_of_messages(code: str) -> None:
    """A title is a fact in lower case, without a full stop; so are labels and hints."""
    for case in (case for case in CASES if case.parent.name == code):
        for found in check_case(case)[1]:
            assert found.message, found
            for text in filter(None, (found.message, found.label, found.hint)):
                assert not text.endswith("."), found
                assert not text[0].isupper(), found


# ---------------------------------------------------------------- explanations

SAVED_OTHERWISE = {"wrong-encoding": "latin-1"}
"""Codes whose wrong example is saved with another encoding than UTF-8."""

AMONG_OTHERS = {"too-many-mistakes"}
"""Codes that never come alone."""


def example(text: str, folder: Path, encoding: str) -> set[str]:
    """The codes found in an example of a page: one file, or several that name themselves."""
    _, *parts = FILE.split(text)
    files = dict(zip(parts[::2], parts[1::2], strict=True)) or {"example": text}
    for name, content in files.items():
        (folder / name).write_text(expanded(content), encoding)
    return {
        diagnostic.code.name
        for name in files
        for diagnostic in check(name, (folder / name).read_bytes())[0]
    }


@pytest.fixture
def explained(code: Code) -> Page:
    found = page(code)
    assert found is not None, f"no page {code.name}.md"
    return found


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("code", CODES.values(), ids=lambda code: code.name)
def test_wrong_example(code: Code, explained: Page, folder: Path) -> None:
    found = example(explained.wrong, folder, SAVED_OTHERWISE.get(code.name, "utf-8"))
    if code.name in AMONG_OTHERS:
        assert code.name in found
    else:
        assert found == {code.name}


@pytest.mark.parametrize("code", CODES.values(), ids=lambda code: code.name)
def test_right_example(code: Code, explained: Page, folder: Path) -> None:
    assert explained.code == code.name
    assert example(explained.right, folder, "utf-8") == set()


def test_pages_belong_to_codes() -> None:
    pages = Path(diagnostics.__path__[0]) / "pages"
    assert {file.stem for file in pages.iterdir()} == CODES.keys()


# ---------------------------------------------------------------- the list

INTRODUCTION = """\
# Mistakes

Everything `ruledsl check` can find, by its code. `ruledsl explain CODE` shows a page on each with
a wrong and a right example. Codes are stable. An error keeps a file from being used; a warning
does not.
"""


def document() -> str:
    """`docs/errors.md`: the codes of each catalogue."""
    parts = [INTRODUCTION]
    listed: list[Code] = []
    for module in iter_modules(diagnostics.__path__):
        catalogue = import_module(f"{diagnostics.__name__}.{module.name}")
        declared = [value for value in vars(catalogue).values() if isinstance(value, Code)]
        codes = [code for code in declared if code not in listed]
        listed += codes
        if codes:
            assert catalogue.__doc__ is not None
            title = catalogue.__doc__.strip().splitlines()[0].rstrip(".")
            parts += [f"\n## {title}\n", "| code | severity | what it is |", "|---|---|---|"]
            parts += [f"| `{code.name}` | {code.severity} | {code.summary} |" for code in codes]
    return "\n".join(parts).replace("\n\n\n", "\n\n") + "\n"


def test_every_code_is_documented() -> None:
    if UPDATE:
        DOCUMENT.write_text(document(), encoding="utf-8")
    assert document() == DOCUMENT.read_text("utf-8")
    assert all(f"| `{code}` |" in document() for code in CODES)
