"""The workspace is never out of step with `ruledsl check`, whatever is typed."""

import tracemalloc
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from ruledsl.diagnostics.source import Source
from ruledsl.language_server.colouring import colours
from ruledsl.language_server.completion import completions
from ruledsl.language_server.hover import hover
from ruledsl.language_server.outline import outline
from ruledsl.language_server.signatures import signature
from ruledsl.language_server.structure import folds
from ruledsl.language_server.texts import Place
from ruledsl.language_server.workspace import Workspace
from ruledsl.library import Library
from ruledsl.model.memory import Memory
from ruledsl.play.check import check_source
from ruledsl.syntax.parser import Parsed, parse
from tests.language_server.edits import edits

GAMES = Path(__file__).parents[2] / "games"
SHORT = ("tic_tac_toe", "rugrats", "hearts", "cards", "secret_rugrats")


def path_of(name: str) -> Path:
    (path,) = GAMES.rglob(f"{name}.rules")
    return path


def in_step(workspace: Workspace, name: str, text: str) -> None:
    """What the workspace finds is what a check from nothing finds, word for word."""
    workspace.open(name, text)
    analysis = workspace.analysis(name)
    assert analysis is not None
    fresh = check_source(Source(name, text), Library(), Memory(parsed_once))
    assert analysis.diagnostics == fresh.diagnostics


@lru_cache(maxsize=64)
def parsed_once(source: Source) -> Parsed:
    """Files that do not change are read once, also for checks that know nothing else."""
    return parse(source)


def ask_around(workspace: Workspace, name: str, chance: Random) -> None:
    """Ask for everything at some place: an answer or none, but never a crash."""
    analysis = workspace.analysis(name)
    assert analysis is not None
    line = chance.randrange(len(analysis.text.lines)) + 1
    place = Place(line, chance.randrange(len(analysis.text.line(line)) + 1) + 1)
    completions(analysis, place)
    hover(analysis, place)
    outline(analysis)
    folds(analysis)
    colours(analysis)


def typed(names: tuple[str, ...], count: int) -> None:
    workspace = Workspace()
    for name in names:
        path = path_of(name)
        chance = Random(name)
        history = edits(path.read_text("utf-8"), chance)
        for number in range(count):
            in_step(workspace, str(path), next(history))
            if number % 4 == 0:
                ask_around(workspace, str(path), chance)
        workspace.close(str(path))


def test_random_edits_stay_in_step() -> None:
    typed(SHORT, 30)


@pytest.mark.soak
def test_ten_thousand_random_edits_stay_in_step() -> None:
    """Memory is level, too: what is kept is about the last text, not about all of them."""
    names = tuple(sorted(path.stem for path in GAMES.rglob("*.rules")))
    each = 10_000 // len(names) + 1
    typed(names[:1], 100)
    tracemalloc.start()
    typed(names[1:2], 100)
    before = tracemalloc.get_traced_memory()[0]
    typed(names, each)
    after = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert after < before + 20_000_000


def test_a_base_that_changes_changes_what_is_found_in_a_variant(tmp_path: Path) -> None:
    base = path_of("tic_tac_toe").read_text("utf-8")
    workspace = Workspace()
    names = {}
    texts = {
        "tic_tac_toe": base,
        "quick": 'variant quick of tic_tac_toe "Quick"\n\nbefore step play\n    skip\n',
    }
    for name, text in texts.items():
        names[name] = str(tmp_path / f"{name}.rules")
        workspace.open(names[name], text)
    variant = workspace.analysis(names["quick"])
    assert variant is not None and variant.resolved is not None
    assert workspace.dependents(names["tic_tac_toe"]) == (names["quick"],)
    workspace.open(names["tic_tac_toe"], base.replace("step play", "step plays"))
    again = workspace.analysis(names["quick"])
    assert again is not None
    assert "unknown-target" in {each.code.name for each in again.diagnostics}


def test_the_text_in_the_editor_counts_not_that_on_the_disk(tmp_path: Path) -> None:
    path = tmp_path / "small.rules"
    path.write_text("nothing of use", "utf-8")
    workspace = Workspace()
    workspace.open(str(path), 'library small "Small"\n\ntype Suit = clubs, spades\n')
    found = workspace.analysis(str(path))
    assert found is not None
    assert "unknown-declaration" not in {each.code.name for each in found.diagnostics}
    workspace.close(str(path))
    found = workspace.analysis(str(path))
    assert found is not None
    assert "unknown-declaration" in {each.code.name for each in found.diagnostics}


def test_more_mistakes_than_are_told_leave_the_rest_alone() -> None:
    path = path_of("tic_tac_toe")
    wrong = "".join(f"        set nobody_{number} = 1\n" for number in range(200))
    broken = path.read_text("utf-8").replace("step setup\n", f"step setup\n    if true\n{wrong}", 1)
    workspace = Workspace()
    for text in (broken, broken + "\nstep\n"):
        in_step(workspace, str(path), text)
        analysis = workspace.analysis(str(path))
        assert analysis is not None and analysis.resolved is None
        place = Place(broken[: broken.index("nobody_7")].count("\n") + 1, 14)
        assert hover(analysis, place) is None
        completions(analysis, place)
        outline(analysis)


ROADS = """\
game roads "Roads"
    players 2

place Town network of Wagon
    mill - bridge - spring
place Road edges of Town of Wagon
piece Wagon 2 in mill

step play
    move 1 from mill to Road(mill, bridge)
    end game
"""


def test_what_builds_on_a_broken_declaration_is_still_known(tmp_path: Path) -> None:
    path = tmp_path / "roads.rules"
    text = ROADS
    broken = text.replace("place Town ", "place Town 🎴 ", 1)
    workspace = Workspace()
    in_step(workspace, str(path), broken)
    analysis = workspace.analysis(str(path))
    assert analysis is not None and analysis.known is not None


def between(text: str, seen: set[tuple[str, str, bool]]) -> list[Place]:
    """Places between two sorts of characters that did not meet before."""
    found = []
    for number, line in enumerate(text.split("\n"), 1):
        sorts = ["a" if each.isalpha() else "0" if each.isdigit() else each for each in line]
        for column, pair in enumerate(pairwise(["", *sorts, ""]), 1):
            kind = (*pair, line[: column - 1].count('"') % 2 == 1)
            if kind not in seen:
                seen.add(kind)
                found.append(Place(number, column))
    return found


def test_whatever_the_cursor_stands_between_there_is_an_answer() -> None:
    seen: set[tuple[str, str, bool]] = set()
    for path in map(path_of, (*SHORT, "pied_piper")):
        text = path.read_text("utf-8")
        places = between(text, seen)
        workspace = Workspace()
        workspace.open(str(path), text)
        analysis = workspace.analysis(str(path))
        assert analysis is not None
        for place in places:
            completions(analysis, place)
            hover(analysis, place)
            signature(analysis, place)
    assert len(seen) > 150
