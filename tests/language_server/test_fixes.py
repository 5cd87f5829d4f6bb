"""Every quick fix removes its mistake and makes no new one, over all broken files."""

import re
from collections import Counter
from contextlib import chdir
from functools import cache
from pathlib import Path

import pytest

from ruledsl.diagnostics.explain import all_codes
from ruledsl.diagnostics.source import Source
from ruledsl.language_server.fixes import REPAIRS, fixes
from ruledsl.language_server.texts import Edit, Place
from ruledsl.language_server.workspace import Workspace
from ruledsl.library import Library
from ruledsl.play.check import check_source

BROKEN = Path(__file__).parents[1] / "diagnostics" / "broken"
REPEATED = re.compile(r"# … [\d,]+ times")
WITHOUT = {
    *("bad-citation", "broken-setup", "circular-files", "column-type", "empty-choice"),
    *("endless-trigger", "expression-too-long", "file-too-large", "leak", "map-size"),
    *("mixed-pieces", "never-equal", "no-such-thing", "not-a-slot", "not-constant"),
    *("not-one-type", "not-running", "recursion", "several-ranges", "short-deal"),
    *("table-too-large", "takes-too-long", "together-reads", "too-deep", "too-many-mistakes"),
    *("tuple", "uncited-rule", "unexpected", "word-out-of-place", "would-decides"),
    *("wrong-count", "wrong-encoding", "wrong-file"),
}
"""Mistakes for which nobody but the author knows what is meant."""


ELSEWHERE = {
    "ambiguous-name/two_colours": {"unused-name"},
    "ambiguous-name/two_tables": {"unused-name"},
    "duplicate-label/again": {"nobody-active"},
    "duplicate-name/column_and_state": {"unused-name"},
    "may-be-none/edge_of_the_board": {"always-holds"},
    "misplaced-header/late": {"unused-name"},
    "requirement-late/in_a_trigger": {"always-holds"},
    "unknown-attribute/only_elsewhere": {"unused-name"},
    "unknown-file/no_such_base": {"unknown-name"},
    "unknown-place/edges": {"unused-name"},
    "unknown-step/no_play": {"never-reached"},
}
"""What else is wrong in a file, and only looked for once its mistake is mended."""


def cases(code: str) -> list[Path]:
    folder = BROKEN / code
    files = folder.rglob("*.rules") if folder.is_dir() else ()
    return sorted(file for file in files if file.stat().st_size < 20_000)


def counted(source: Source) -> Counter[str]:
    return Counter(each.code.name for each in check_source(source, Library()).diagnostics)


@cache
def fixed(code: str) -> int:
    """Apply every fix of every mistake of this code, and check the text anew; how many."""
    count = 0
    for path in cases(code):
        try:
            text = path.read_text("utf-8-sig")
        except UnicodeDecodeError:
            continue
        if REPEATED.search(text):
            continue
        with chdir(path.parent):
            workspace = Workspace()
            workspace.open(path.name, text)
            analysis = workspace.analysis(path.name)
            assert analysis is not None
            mistakes = [each for each in analysis.diagnostics if each.code.name == code]
            for mistake in mistakes:
                for repair in fixes(workspace, analysis, mistake):
                    mended = Source(path.name, analysis.text.applied(repair.edits))
                    before, after = counted(analysis.source), counted(mended)
                    assert after[code] < before[code], f"{path}: {repair.title}"
                    shown = set(after - before) - ELSEWHERE.get(f"{code}/{path.stem}", set())
                    assert not shown, f"{path}: {repair.title}"
                    count += 1
    return count


@pytest.mark.parametrize("code", [code.name for code in all_codes()])
def test_fixes_mend(code: str) -> None:
    count = fixed(code)
    if code in WITHOUT:
        assert not count, "there is a fix now: take it off the list"


def test_half_of_the_codes_have_a_fix() -> None:
    codes = {code.name for code in all_codes()}
    assert set(REPAIRS) <= codes
    having = {code for code in codes - WITHOUT if fixed(code)}
    assert len(having) > len(codes) / 2


GAME = """\
game small "Small"
    players 2

place heap of Stone
place box of Stone
piece Stone 5 in heap

step setup
    set active = Player(1)

step play
    repeat
        choose "How many?"
            take_some
        set active = active.next

action take_some(n in 1..2) "Take"
    require n <= count(heap)    "Not so many."
    move n from heap to box
    if empty(heap)
        win you
"""


@pytest.mark.parametrize(
    ("right", "wrong", "title"),
    [
        ("empty(heap)", "empty(hepa)", "Write `heap`"),
        ('n <= count(heap)    "Not so many."', "n <= count(heap)", "Add a message"),
        ("n <= count", "n =< count", "Write `<=`"),
        ("1..2", "2..1", "Write `1..2`"),
        ("    players 2\n", "    limit 9 decisions\n", "Add `players 2..4`"),
        ("move n from heap to box", "mvoe n from heap to box", "Write `move`"),
    ],
)
def test_the_hint_is_one_key_away(tmp_path: Path, right: str, wrong: str, title: str) -> None:
    workspace = Workspace()
    name = str(tmp_path / "small.rules")
    workspace.open(name, GAME.replace(right, wrong))
    analysis = workspace.analysis(name)
    assert analysis is not None and analysis.diagnostics
    titles = [
        repair.title for each in analysis.diagnostics for repair in fixes(workspace, analysis, each)
    ]
    assert title in titles


def test_what_is_wrong_elsewhere_keeps_no_fix_away(tmp_path: Path) -> None:
    """Warnings about what happens wait until all names are known: no fix has made them."""
    text = GAME.replace("        win you\n", "        skip\n").replace("empty(heap)", "empty(hepa)")
    workspace = Workspace()
    name = str(tmp_path / "small.rules")
    workspace.open(name, text)
    analysis = workspace.analysis(name)
    assert analysis is not None
    (mistake,) = analysis.diagnostics
    (repair,) = fixes(workspace, analysis, mistake)
    assert repair.title == "Write `heap`"
    mended = Source(name, analysis.text.applied(repair.edits))
    assert set(counted(mended)) == {"never-ends"}


def test_a_requirement_is_moved_up(tmp_path: Path) -> None:
    late = GAME.replace(
        '    require n <= count(heap)    "Not so many."\n    move n from heap to box\n',
        '    move n from heap to box\n    require n <= count(heap)    "Not so many."\n',
    )
    workspace = Workspace()
    name = str(tmp_path / "small.rules")
    workspace.open(name, late)
    analysis = workspace.analysis(name)
    assert analysis is not None
    (mistake,) = analysis.diagnostics
    first = fixes(workspace, analysis, mistake)[0]
    assert analysis.text.applied(first.edits) == GAME


def test_edits_are_applied_from_the_end(tmp_path: Path) -> None:
    workspace = Workspace()
    name = str(tmp_path / "small.rules")
    workspace.open(name, "one two\nthree\n")
    analysis = workspace.analysis(name)
    assert analysis is not None
    text = analysis.text
    edits = (Edit(text.span(1, 1, 1, 4), "1"), Edit(text.at(Place(2, 1)), "2½ "))
    assert text.applied(edits) == "1 two\n2½ three\n"
