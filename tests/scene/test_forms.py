"""A piece with a form is drawn upon all the cells that it covers."""

from ruledsl import load
from ruledsl.diagnostics.source import Source
from ruledsl.library import Library
from ruledsl.model.check import check_rules
from ruledsl.play.words import Words
from ruledsl.scene.scene import scene_of


def test_a_pentomino_lies_upon_five_cells() -> None:
    match = load("pentominoes").start(seed=1)
    match.choose(0)
    covering = [
        (held.place, piece.covers)
        for held in scene_of(match, 1).contents
        for piece in held.pieces
        if piece.covers
    ]
    ((place, cells),) = covering
    assert place == cells[0]
    assert len(cells) == 5


def test_forms_are_called_after_their_shapes() -> None:
    text = (
        "game x\n    players 2\n\ntype Shape\n    ell\n        o ~\n        o ~\n        o o\n"
        "type Form turns of Shape mirrored\n\nplace Cell grid 3 by 3 of Peg\n"
        "piece Peg 1 in Cell(1, 1)\n\n"
        "step play\n    if all(f in Form have Cell(1, 1).cover(f) = none)\n"
        "        win Player(1)\n\n"
        'language de\n    x "X"\n    Shape "Gestalt"\n    ell "Winkel"\n    Form "Lage"\n'
        '    Cell "Feld"\n    Peg "Stift"\n'
    )
    checked = check_rules(Source("x.rules", text), Library())
    assert checked.diagnostics == ()
    assert checked.game is not None
    rows = checked.game.kinds["Form"].rows
    assert len(rows) == 8
    assert Words(checked.game, "de").name("ell_mirrored_90", "Form") == "Winkel gespiegelt 90°"
    assert [Words(checked.game).name(row, "Form") for row in rows[:5]] == [
        "ell",
        "ell 90°",
        "ell 180°",
        "ell 270°",
        "ell mirrored",
    ]
