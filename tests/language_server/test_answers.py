"""What an editor is told at a place: completions, hovers, signatures, inlays, lenses, looks."""

import re
from pathlib import Path

import pytest

from ruledsl.language_server import words
from ruledsl.language_server.analysis import Analysis
from ruledsl.language_server.completion import Completion, completions
from ruledsl.language_server.figures import figures
from ruledsl.language_server.hover import hover
from ruledsl.language_server.inlays import inlays
from ruledsl.language_server.layout import OPENS, indentation
from ruledsl.language_server.lenses import Simulated, lenses, run_tests
from ruledsl.language_server.outline import outline
from ruledsl.language_server.signatures import signature
from ruledsl.language_server.structure import folds, selections
from ruledsl.language_server.swatches import VALUES, nearest_colours, swatches
from ruledsl.language_server.texts import Place
from ruledsl.language_server.workspace import Workspace
from ruledsl.model import builtins, symbols
from ruledsl.model.looks import COLOURS
from ruledsl.syntax.colours import keywords
from tests.docs.blocks import blocks

CURSOR = "‸"
GAME = """\
game small "Small"
    players 2..4
    rulebook RB 1..3 "The Book"

option goal in 3..5 = 4 "Goal"
type Suit = clubs, spades
place heap of Stone stack hidden    # Where all begin.
place hand per Player of Stone private
piece Stone in heap | count | suit
    flint | 3 | clubs
    slate | 4 | spades
state Player.score: 0..goal = 0    §RB-1

define twice(n: 0..9) = 2 * n
define start = players + 1

step setup
    set active = Player(1)
    for p in playing
        deal(p, 1)

step deal(p: Player, n: 0..9)
    let all_of_them = count(heap)
    if all_of_them > n
        move n from heap to p.hand

step play
    repeat
        choose "What?"
            score_one
        set active = active.next

action score_one(n in 1..2) "Score"
    require n < twice(2)    "Not so much."
    add 1 to you.score
    if you.score = goal
        win you

looks
    Stone  grey
    Stone.flint    red

test "it begins"
    players 2
    then
        not finished

language de
    small     "Klein"
    score_one "Punkten"
"""


def look(text: str) -> tuple[Analysis, Place]:
    """A text with a cursor in it, after somebody has opened it without mistakes."""
    workspace = Workspace()
    workspace.open("small.rules", GAME)
    workspace.analysis("small.rules")
    at = text.find(CURSOR)
    before = text[: max(at, 0)]
    workspace.open("small.rules", text.replace(CURSOR, ""))
    analysis = workspace.analysis("small.rules")
    assert analysis is not None
    return analysis, Place(before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1)


def offered(text: str) -> dict[str, Completion]:
    return {each.label: each for each in completions(*look(text))}


@pytest.mark.parametrize(
    ("written", "wanted", "unwanted"),
    [
        ("step x\n    move all from ‸\n", {"heap"}, {"deal", "score_one", "require"}),
        ("step x(p: Player)\n    add 1 to p.‸\n", {"score", "hand", "next"}, {"heap", "you"}),
        ("step x\n    ‸\n", {"deal", "move", "choose", "choose value"}, {"score_one", "step"}),
        ("step x\n    choose\n        ‸\n", {"score_one", "action"}, {"deal", "move"}),
        ("define x(s: Stone) = s.suit = ‸\n", {"clubs", "spades"}, {"move"}),
        ("define x(s: Stone) = s is ‸\n", {"flint", "slate"}, set()),
        ("state Player.x: ‸\n", {"Suit", "Stone", "flag", "number"}, {"heap2"}),
        ("step x    §‸\n    skip\n", {"§RB-2", "§RB-1"}, {"skip"}),
        ("‸", {"step", "place", "action", "test", "board"}, {"move", "game"}),
        ("use ‸\n", {"cards", "tricks"}, {"heap"}),
        ('test "x"\n    with ‸\n', {"goal"}, {"heap"}),
        ('test "x"\n    when ‸\n', {"play", "deal"}, {"score_one"}),
        ('test "x"\n    when play\n        ‸\n', {"score_one"}, {"move"}),
        ("trigger x after ‸\n", {"deal", "score_one"}, {"heap"}),
        ("step x\n    let y = 1\n    win ‸\n", {"y", "you", "active"}, {"deal"}),
        ('action x(n in 1..2) "Take {‸', {"n", "heap"}, {"move"}),
        ('action x(n in 1..2) "Take {n}"\n    require n = 1    "Not {‸}."\n', {"n"}, {"move"}),
        ('step x(p: Player)\n    tell "{p} has {p.‸}"\n', {"score", "hand"}, {"heap", "p"}),
        ('language en\n    "Take {n} of {p.hand}" "Nimm {‸}"\n', {"n", "p.hand"}, {"heap"}),
    ],
)
def test_completion_knows_the_place(written: str, wanted: set[str], unwanted: set[str]) -> None:
    labels = set(offered(f"{GAME}\n{written}"))
    assert wanted <= labels
    assert not unwanted & labels


def test_every_word_has_its_meaning() -> None:
    named = (*symbols.SPECIALS, *symbols.SEEN_WHEN_SPECIALS, *symbols.TEST_SPECIALS)
    built_in = {*named, *symbols.DIRECTION_SETS, symbols.PLAYER, symbols.DIRECTION}
    assert built_in <= words.SPECIALS.keys()
    assert {each.name for each in builtins.ATTRIBUTES} <= words.ATTRIBUTES.keys()
    begins = offered(f"{GAME}\nstep x\n    ‸\n").keys()
    statements = begins & {*keywords()}
    assert statements and statements <= words.STATEMENTS.keys()


def test_what_stands_after_a_dot_is_told_for_each_sort_of_things() -> None:
    roads = "place Road line 4 of Stone\n\nstep x(r: Road)\n    win r.‸\n"
    found = offered(f"{GAME}\n{roads}")
    assert "Of lines: the one after it; none at the end." in found["next"].detail
    assert "none at the beginning" in found["previous"].detail


def test_a_file_builds_on_what_fits_what_lies_beside_it_first(tmp_path: Path) -> None:
    (tmp_path / "zebras.rules").write_text('game zebras "Zebras"\n    players 2\n', "utf-8")
    name = str(tmp_path / "quick.rules")
    found = {}
    for text in ("variant quick of ‸\n", 'game quick "Quick"\n    players 2\n\nuse ‸\n'):
        workspace = Workspace()
        workspace.open(name, text.replace(CURSOR, ""))
        analysis = workspace.analysis(name)
        assert analysis is not None
        line = text[: text.index(CURSOR)].split("\n")
        place = Place(len(line), len(line[-1]) + 1)
        found[text.split()[0]] = {each.label: each for each in completions(analysis, place)}
    assert min(found["variant"].values(), key=lambda each: each.order).label == "zebras"
    assert found["variant"]["zebras"].detail == "Zebras"
    assert {"pied_piper", "secret_rugrats"} <= found["variant"].keys()
    assert not {"cards", "pied_piper_rulebook", "quick"} & found["variant"].keys()
    assert "cards" in found["game"] and not {"zebras", "pied_piper"} & found["game"].keys()


def test_what_has_no_translation_yet_comes_first() -> None:
    found = offered(GAME + "    ‸\n")
    assert found["heap"].order < found["score_one"].order


def test_a_rule_that_nothing_cites_comes_first() -> None:
    found = offered(f"{GAME}\nstep x    §‸\n    skip\n")
    assert found["§RB-2"].order < found["§RB-1"].order


def test_a_step_is_offered_with_places_for_its_arguments() -> None:
    step = offered(f"{GAME}\nstep x\n    de‸\n")["deal"]
    assert (step.insert, step.is_snippet) == ("deal(${1:p}, ${2:n})", True)
    assert step.span.column == 5


def test_nothing_is_offered_in_texts_and_comments() -> None:
    assert not offered(f"{GAME}\nstep x    # a‸\n    skip\n")
    assert not offered(f'{GAME}\naction x "a‸"\n    skip\n')
    assert not offered(f'{GAME}\naction x(n in 1..2) "a {{n}} ‸"\n    skip\n')


@pytest.mark.parametrize("broken", ["3‸", "3x‸", "3x + ‸", "1.5 + ‸", "1 ; ‸", '"‸', '"{‸'])
def test_nothing_is_offered_behind_what_cannot_be_read(broken: str) -> None:
    assert not offered(f"{GAME}\nstep x\n    if {broken}")
    assert not offered(f"{GAME}\nstep x\n    if {broken}\n        skip\n")


@pytest.mark.parametrize(
    ("marked", "said"),
    [
        ("place he‸ap", ("nobody may look", "Where all begin.", "a stack")),
        ("place ha‸nd", ("only its player may look", "how many: 2 (2 players)")),
        ("define st‸art", ("number", "= 3 (2 players), 4 (3 players), 5 (4 players)")),
        ("state Player.sc‸ore", ("a state: 0..4",)),
        ("§R‸B-1", ("The Book",)),
        ("action scor‸e_one", ("n: number", "Not so much.", "Punkten")),
        ("all_of_them > ‸n", ("a local name", "number")),
        ("    fl‸int", ("value of Stone", "count: `3`")),
        ("active.ne‸xt", ("Of players: the next one still playing",)),
    ],
)
def test_hovers_say_what_a_name_is(marked: str, said: tuple[str, ...]) -> None:
    text = GAME.replace(marked.replace(CURSOR, ""), marked, 1)
    found = hover(*look(text))
    assert found is not None
    for each in said:
        assert each in found.markdown


def test_signatures_follow_the_commas() -> None:
    (found,) = signature(*look(GAME.replace("deal(p, 1)", "deal(p, ‸1)")))
    assert found.label == "deal(p: Player, n: number)"
    assert found.active == 1
    (function,) = signature(*look(GAME.replace("count(heap)", "clamp(1, ‸")))
    assert function.parameters == ("x", "low", "high") and function.active == 1


def test_inlays_show_types_and_sizes() -> None:
    analysis, _ = look(GAME)
    shown = [each.text for each in inlays(analysis, 1, len(analysis.text.lines))]
    assert ": number" in shown
    assert " × 2, 3, 4 (2–4 players)" in shown


def test_lenses_run_tests_and_show_how_they_went() -> None:
    analysis, _ = look(GAME)
    titles = [each.title for each in lenses(analysis, {}, None)]
    assert titles == ["▶ play", "simulate", "run 1 test", "1 of 3 rules cited", "▶ run test"]
    (run,) = run_tests(analysis)
    assert run.failure is None
    failing, _ = look(GAME.replace("        not finished", "        finished"))
    (failed,) = run_tests(failing, "it begins")
    assert failed.failure is not None and "line" in failed.failure
    figures_of = Simulated("1000 games", failing.all_texts)
    shown = [each.title for each in lenses(failing, {"it begins": failed}, figures_of)]
    assert "simulate: 1000 games" in shown
    assert any(title.startswith("✗ line") for title in shown)
    shown = [each.title for each in lenses(analysis, {"it begins": failed}, figures_of)]
    assert "simulate, before the last changes: 1000 games" in shown
    assert "▶ run test, failed before the last changes" in shown


def test_figures_are_of_random_games() -> None:
    analysis, _ = look(GAME)
    assert analysis.game is not None
    assert figures(analysis.game, 50).startswith("50 games, 2 players: wins ")


def test_looks_have_swatches() -> None:
    analysis, _ = look(GAME)
    assert [each.name for each in swatches(analysis)] == ["grey", "red"]
    assert set(VALUES) == set(COLOURS)
    assert nearest_colours(*VALUES["teal"])[0] == "teal"


def test_the_shape_of_a_text() -> None:
    analysis, place = look(GAME.replace("all_of_them > n", "all_of_them > ‸n"))
    inner = selections(analysis, place)
    assert [analysis.text.text_of(span) for span in inner[:2]] == ["n", "all_of_them > n"]
    assert inner[-1] == analysis.text.all
    lines = {(fold.first, fold.last) for fold in folds(analysis)}
    begins = GAME.split("\n").index("step setup") + 1
    assert (begins, begins + 3) in lines
    entry = next(each for each in outline(analysis) if each.name == "Stone")
    assert [child.name for child in entry.children] == ["flint", "slate"]


@pytest.mark.parametrize(
    ("above", "blanks"),
    [
        ("step x", 4),
        ("    if yes", 8),
        ("    skip", 0),
        ("    move 1 from a to b", 4),
        ('test "x"\n    when play', 8),
        ("trigger x\n    when yes", 4),
        ('rulebook RB "Set-up"', 4),
        ('    rulebook RB 1..3 "The Book"', 4),
        ("    skip\n", 0),
        ("", 0),
    ],
)
def test_a_new_line_is_indented(above: str, blanks: int) -> None:
    analysis, place = look(f"{GAME}\nstep y\n{above}\n‸\n")
    edits = indentation(analysis, place)
    assert [edit.text for edit in edits] == ([" " * blanks] if blanks else [])


@pytest.mark.parametrize(
    ("typed", "blanks"),
    [
        ('test "x"\n    players 2\n    when play\n        take\n        then‸', 4),
        ('test "x"\n    given\n        skip\n        when‸', 4),
        ('test "x"\n    given‸', None),
        ("trigger x\n    if yes\n        when‸", None),
        ('test "x"\n    when play\n        then‸ x', None),
    ],
)
def test_the_parts_of_a_test_stand_below_each_other(typed: str, blanks: int | None) -> None:
    edits = indentation(*look(f"{GAME}\n{typed}\n"))
    shown = [len(edit.text) - len(edit.text.lstrip()) for edit in edits]
    assert shown == ([] if blanks is None else [blanks])


def test_neovim_is_told_which_words_begin_a_block() -> None:
    lines = [block.text for block in blocks("editor.md") if block.kind == "lua"]
    for each in lines:
        told = re.search(r'cinwords = "([^"]*)"\s*\.\. "([^"]*)"', each)
        assert told is not None
        assert {*"".join(told.groups()).split(",")} == OPENS


def test_a_broken_file_is_still_known(tmp_path: Path) -> None:
    workspace = Workspace()
    name = str(tmp_path / "small.rules")
    workspace.open(name, GAME + "\nstep broken(\n")
    analysis = workspace.analysis(name)
    assert analysis is not None and analysis.resolved is None
    found = hover(analysis, Place(7, 8))
    assert found is not None and "nobody may look" in found.markdown
