"""Tables and pictures of named places."""

from ruledsl.diagnostics.source import Source
from ruledsl.library import Library
from ruledsl.model.check import Checked
from ruledsl.play.check import check_source
from ruledsl.table.table import Table

DRAWN = """\
game rats "Rats"
    players 2

place box of Rat
place Circle of Rat room 1
    map
        a2 ~  c2
        ~  b1 ~

piece Rat 3 in box

step play
    set active = Player(1)
    choose circle in Circle where empty(circle) "Where?"
    move 1 from box to circle

ranking p in Player
    highest count(b1)
"""


def checked(text: str) -> Checked:
    return check_source(Source("rats.rules", text), Library(()))


def messages(text: str) -> list[tuple[int, str]]:
    return [(each.span.line, each.message) for each in checked(text).diagnostics]


def test_places_may_be_declared_by_their_picture_alone() -> None:
    game = checked(DRAWN).game
    assert game is not None
    circles = Table(game, 2).things("Circle")
    assert [(c.name, c.col, c.row) for c in circles] == [("a2", 1, 2), ("c2", 3, 2), ("b1", 2, 1)]


def test_a_drawn_place_is_drawn_once() -> None:
    assert messages(DRAWN.replace("~  b1 ~", "a2 b1 ~")) == [(8, "`a2` is drawn twice")]


def test_a_drawn_place_needs_a_name() -> None:
    found = messages(DRAWN.replace("~  b1 ~", "7  b1 ~"))
    assert [line for line, _ in found] == [8]


def test_with_rows_the_picture_shows_just_these() -> None:
    text = DRAWN.replace("    map\n", "    a2\n    b1\n    map\n")
    found = messages(text)
    assert [line for line, _ in found] == [9]
    assert "c2" in found[0][1]


def test_what_is_no_place_is_said_once() -> None:
    """A set where a single place is wanted says nothing about what other places can hold."""
    boxes = "place box per Player of Rat\nplace basket of Cat\npiece Cat 1"
    found = messages(DRAWN.replace("place box of Rat", boxes))
    assert found[0] == (12, "where `Rat` starts must be a place")
    assert [line for line, _ in found] == [12, 17]


def test_a_face_where_a_piece_is_wanted() -> None:
    """The cells of a table may be faces; the piece that bears one has to be said."""
    text = DRAWN.replace("piece Rat 3 in box", "piece Rat in box\n    grey\n    brown")
    text = text.replace("    move 1 from box to circle", "    pick(grey.like, circle)")
    text += "\ndefine like(f: face of Rat) = f\n\nstep pick(rat: Rat, goal: Circle)\n    skip\n"
    said = next(d for d in checked(text).diagnostics if d.code.name == "wrong-type")
    assert said.hint is not None and "`the(x in Rat where x is …)`" in said.hint
