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
    "broken-setup": "what the rules do is wrong for some players, and the text does not say how",
    "circular-files": "what the files share has to be told apart, and put into a third one",
    "empty-choice": "only the author knows from what is to be chosen",
    "expression-too-long": "where to cut it, and what the parts are called, is the author's",
    "file-too-large": "an editor would not want to read it either",
    "map-size": "the cells that lack are a part of the board that nobody has drawn yet",
    "missing-give": "only the author knows which value is given there",
    "mixed-pieces": "only the author knows which of the pieces are meant",
    "never-equal": "only the author knows which of the two sides is the wrong one",
    "no-such-thing": "only the author knows which of those that are there is meant",
    "not-a-slot": "whether it should be a state, or another is meant, is the author's",
    "not-constant": "what changes in play has to be given up, or known in another way",
    "not-one-type": "only the author knows which of the values is the wrong one",
    "not-running": "the ways through the game have to change",
    "recursion": "it has to be said without leading back to itself: there is no one way to do so",
    "short-deal": "fewer cards, or more pieces: that is another game",
    "table-too-large": "how large the board may be is the author's",
    "takes-too-long": "what could be gone through instead is the author's",
    "together-reads": "reading it later is another rule",
    "too-deep": "where to cut it, and what the parts are called, is the author's",
    "too-many-mistakes": "it says that there are more; each of the others has its own fix",
    "tuple": "the values have to become a type with a name",
    "uncited-rule": "only the author knows which line carries out the rule",
    "word-out-of-place": "the word means nothing there: what was meant, it does not tell",
    "would-decides": "the step that is looked through has to change",
    "wrong-count": "how many there are for so many players is the author's",
    "wrong-encoding": "an editor has read the bytes already: what it sends is never wrong so",
    "wrong-file": "another file is wanted, or the other one has to change",
}
"""Why there is no fix: nobody but the author knows what is meant, or it is not in the text."""


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
                    assert not after - before, f"{path}: {repair.title}"
                    count += 1
    return count


@pytest.mark.parametrize("code", [code.name for code in all_codes()])
def test_fixes_mend(code: str) -> None:
    """A mistake of each sort can be mended at the press of a key, or it is said why not."""
    count = fixed(code)
    assert bool(count) != (code in WITHOUT), "either a fix or a reason"


def test_three_of_four_sorts_of_mistakes_have_a_fix() -> None:
    codes = {code.name for code in all_codes()}
    assert set(REPAIRS) <= codes and WITHOUT.keys() <= codes
    assert len(codes - WITHOUT.keys()) > 3 * len(codes) / 4


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


def test_edits_are_applied_from_the_end(tmp_path: Path) -> None:
    workspace = Workspace()
    name = str(tmp_path / "small.rules")
    workspace.open(name, "one two\nthree\n")
    analysis = workspace.analysis(name)
    assert analysis is not None
    text = analysis.text
    edits = (Edit(text.span(1, 1, 1, 4), "1"), Edit(text.at(Place(2, 1)), "2½ "))
    assert text.applied(edits) == "1 two\n2½ three\n"
