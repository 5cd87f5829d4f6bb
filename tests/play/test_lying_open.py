"""A table shows what lies open; what a seat once saw it knows, but does not see."""

from ruledsl.diagnostics.source import Source
from ruledsl.library import Library
from ruledsl.play.check import check_source
from ruledsl.play.match import Match

RULES = """\
game x
    players 2

type Face = sun, moon
type Side = up, down

place Spot line 3 of Tile room 1 seen when here.side = up
place box of Tile
piece Tile 1 per Face in box
state Spot.side: Side = up

step setup
    set active = Player(1)
    move Tile(moon) to Spot(1)

step play
    choose k in 1..2 "Look?"
    set Spot(1).side = down
    choose j in 1..2 "And now?"
    if k = j
        win active
"""


def test_what_was_seen_is_known_and_not_shown() -> None:
    checked = check_source(Source("x", RULES), Library())
    assert checked.game is not None, checked.diagnostics
    match = Match(checked.game, 2, None, 1, "en")
    spot = match.table.things("Spot")[0]
    (tile,) = match.view(1).lying_open().at(spot)
    assert str(tile.piece) == "Tile(moon)"
    match.choose(match.options[0])
    (tile,) = match.view(1).at(spot)
    assert str(tile.piece) == "Tile(moon)" and not tile.seen
    (tile,) = match.view(1).lying_open().at(spot)
    assert tile.piece is None
