"""What was shown for a moment is seen on the table until one chooses again."""

from ruledsl.cli.drawing.artist import Artist
from ruledsl.cli.drawing.text import finished
from ruledsl.diagnostics.source import Source
from ruledsl.library import Library
from ruledsl.play.check import check_source
from ruledsl.play.match import Match
from ruledsl.scene.scene import scene_of, stage_of

GLIMPSE = """\
game glimpse
    players 2

type Face = sun, moon
place Spot line 3 of Tile room 1 seen when here.side = up
place box of Tile
piece Tile 1 per Face in box
type Side = up, down
state Spot.side: Side = down

step setup
    set active = Player(1)
    move Tile(moon) to Spot(1)
    move Tile(sun) to Spot(2)

step play
    repeat
        choose "What?"
            look
        set active = active.next

action look(spot in Spot) "Look"
    require not empty(spot)     "Nothing is there."
    set spot.side = up
    show spot.top to Player
    set spot.side = down
"""


def test_what_was_just_shown_is_seen_until_one_chooses_again() -> None:
    """Also where it was hidden again before anybody could look; where one may not remember."""
    checked = check_source(Source("x", GLIMPSE), Library())
    assert checked.game is not None, checked.diagnostics
    match = Match(checked.game, 2, None, 1, "en")

    def seen(seat: int, since: int) -> list[tuple[str, bool]]:
        scene = scene_of(match, seat, since, remember=False)
        return [
            (piece.label, piece.remembered)
            for held in scene.contents
            if held.place.startswith("Spot")
            for piece in held.pieces
            if piece.known
        ]

    before = scene_of(match, 1).told
    assert seen(1, 0) == []
    match.choose(0)
    after = scene_of(match, 1).told
    assert seen(1, before) == [("Tile moon", True)]
    assert seen(1, after) == []
    match.choose(1)
    assert seen(1, before) == [("Tile moon", True), ("Tile sun", True)]
    assert seen(1, after) == [("Tile sun", True)]
    scene = scene_of(match, 1, after, remember=False)
    lines = Artist(stage_of(match), 2).draw(scene, 79)
    text = "\n".join(finished(line, color=False) for line in lines)
    assert "(sun)*" in text and "( ) = was seen, is hidden now" in text
