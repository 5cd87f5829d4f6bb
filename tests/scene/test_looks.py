"""What things look like: as the rules say, and what follows where they don't."""

import ruledsl
from ruledsl.diagnostics.source import Source
from ruledsl.library import Library
from ruledsl.model.assemble import Assembly, assemble
from ruledsl.model.elaborate import elaborate
from ruledsl.play.loading import load_source
from ruledsl.play.match import Match
from ruledsl.scene.data import Piece
from ruledsl.scene.scene import scene_of, stage_of

RULES = """\
game painted "Painted"
    players 2

type Suit = hearts, spades
type Rank = seven, ace
type Role = king, pawn

place Square grid 2 by 2 of Man room 1
place deck of Card stack hidden
place box of Man, red_cube
place tally of Chip
piece Man 2 per Player in box
state Man.role: Role = pawn
piece Card 1 per Suit, Rank in deck
piece Chip 3 in tally
piece red_cube 1 in box
state wanted: 0..9 = 3
state noted: 0..9 = 0

step setup
    for p in Player
        let man = sure(first(m in Man where m.owner = p))
        move man to Square(p.seat, 1)
        set man.role = king

step play
    set active = Player(1)
    choose number in 1..wanted
    set noted = number

{looks}
"""


def started(looks: str = "") -> Match:
    source = Source("painted.rules", RULES.format(looks=looks))
    assembly = assemble(source, Library(()))
    assert isinstance(assembly, Assembly)
    result = elaborate(assembly)
    assert result.game is not None, result
    return Match(result.game, 2)


def pieces(match: Match, place: str) -> tuple[Piece, ...]:
    held = {held.place: held for held in scene_of(match, 1).contents}
    return held[place].pieces


def test_looks_follow_from_the_rules() -> None:
    match = started()
    seats = scene_of(match, 1).seats
    assert [seat.colour for seat in seats] == ["red", "blue"]
    assert seats[0].symbol != seats[1].symbol
    (king,) = pieces(match, "Square(2, 1)")
    assert (king.label, king.shape, king.colour, king.owner) == ("king", "disc", "blue", 2)
    assert king.letters == "K"
    assert {piece.shape for piece in pieces(match, "deck")} == {"card"}
    assert all(not piece.known and not piece.symbols for piece in pieces(match, "deck"))


def test_looks_are_as_the_rules_say() -> None:
    match = started(
        """looks
    Player(1) black "♔"
    Man pawn
    Role.king "♚"
    Man.role bookkeeping
    noted bookkeeping
    tally bookkeeping
    Square chequered beige
"""
    )
    scene = scene_of(match, 1)
    assert [(seat.colour, seat.symbol) for seat in scene.seats] == [("black", "♔"), ("red", "▲")]
    (king,) = pieces(match, "Square(1, 1)")
    assert (king.shape, king.colour, king.symbols, king.stats) == ("pawn", "black", ("♚",), ())
    assert [stat.key for stat in scene.stats] == ["wanted"]
    stage = stage_of(match)
    assert "tally" not in {place.id for place in stage.places}
    squares = [place for place in stage.places if place.kind == "Square"]
    assert {(place.shape, place.colour) for place in squares} == {("chequered", "beige")}


def test_a_later_look_adds_to_an_earlier_one() -> None:
    looks = 'looks\n    Man pawn green\nlooks\n    Man "M" blue\n'
    (man,) = pieces(started(looks), "Square(1, 1)")
    assert (man.shape, man.colour, man.symbols) == ("pawn", "blue", ("M",))


def test_bookkeeping_is_not_told() -> None:
    told = started("looks\n    noted bookkeeping\n")
    plain = started()
    for match in (told, plain):
        match.choose(0)
    assert "noted" not in changed(told)
    assert "noted" in changed(plain)


def changed(match: Match) -> list[str]:
    return [each.stat.key for each in scene_of(match, 1).happenings if each.stat is not None]


def test_a_look_may_outlive_what_it_was_for() -> None:
    """Euchre plays without the lower ranks, of which the cards have looks."""
    match = Match(ruledsl.load("euchre").checked, 4)
    assert {piece.shape for piece in pieces(match, "hand(Player(1))")} == {"card"}


def test_two_players_have_sides_where_the_looks_say_so() -> None:
    for looks, sides in (("", False), ("looks\n    Square sided\n", True)):
        (board,) = (each for each in stage_of(started(looks)).boards if each.id == "Square")
        assert (board.sides, board.shape) == (sides, "square")


def test_letters_are_those_of_what_tells_pieces_apart() -> None:
    """Of `Card hearts` and `Card spades` not the letters of their common name."""
    rules = (
        'game suited "Suited"\n    players 2\n\ntype Suit = hearts, spades\n\n'
        "place row of Card\npiece Card 1 per Suit in row\n\n"
        "step play\n    set active = Player(1)\n    choose n in 1..2\n"
    )
    match = load_source(Source("suited.rules", rules), Library(())).start(2)
    letters = {piece.label: piece.letters for piece in pieces(match, "row")}
    assert letters == {"Card hearts": "H", "Card spades": "S"}
