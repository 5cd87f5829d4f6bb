"""The scene of every shipped game: whole, plain, and only what its seat may know."""

import json
import random
from typing import Any

import pytest

from ruledsl.play.match import Match
from ruledsl.scene.data import Piece, Scene, as_json
from ruledsl.scene.happenings import Telling
from ruledsl.scene.scene import scene_of, stage_of
from ruledsl.scene.touching import Touching
from ruledsl.table.things import Thing

from ..play.table import loaded, shipped_games
from ..play.test_noninterference import Leak, check_game, started


def played(name: str, choices: int, seed: int = 1, language: str = "en") -> Match:
    """A game after some random choices."""
    game = loaded(name)
    match = Match(game.checked, game.players[-1], seed=seed, language=language)
    rng = random.Random(seed)
    while match.seat is not None and len(match.history) < choices:
        match.choose(rng.randrange(len(match.options)))
    return match


def pieces_of(scene: Scene) -> list[Piece]:
    found = [piece for held in scene.contents for piece in held.pieces]
    return found + [inner for piece in found for inner in piece.inside]


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("name", shipped_games())
def test_scenes_are_plain_data_about_things_on_the_stage(name: str, language: str) -> None:
    match = played(name, 25, language=language)
    stage = stage_of(match)
    ids = [place.id for place in stage.places]
    assert len(ids) == len(set(ids))
    boards = {board.id: board for board in stage.boards}
    for place in stage.places:
        if place.board is not None:
            board = boards[place.board]
            assert 0 <= place.x <= board.width - 1 and 0 <= place.y <= board.height - 1
        assert place.host is None or place.host in ids
    assert all(end in ids for board in stage.boards for edge in board.edges for end in edge)
    for seat in (None, *range(1, match.players + 1)):
        scene = scene_of(match, seat)
        there = {*ids, *(each.id for each in scene.seats), *(p.id for p in pieces_of(scene))}
        assert {held.place for held in scene.contents} <= set(ids)
        if scene.ask is not None:
            assert seat == match.seat
            assert [option.number for option in scene.ask.options] == list(
                range(len(match.options))
            )
            for option in scene.ask.options:
                assert {touched for part in option.parts for touched in part.touches} <= there
        data = as_json(scene)
        assert json.loads(json.dumps(data)) == data
    assert json.loads(json.dumps(as_json(stage))) == as_json(stage)


@pytest.mark.parametrize("name", shipped_games())
def test_happenings_go_on_where_they_were(name: str) -> None:
    match = played(name, 12)
    for seat in (None, 1, match.players):
        first = scene_of(match, seat)
        later = scene_of(match, seat, first.told - 3)
        assert later.told == first.told == len(first.happenings)
        assert later.happenings == first.happenings[-3:]


def test_a_click_can_be_matched_to_options() -> None:
    match = played("chess", 0)
    ask = scene_of(match, 1).ask
    assert ask is not None
    touched = {option.label: [part.touches for part in option.parts] for option in ask.options}
    assert any(
        ("Square(5, 2)",) in parts and ("Square(5, 4)",) in parts for parts in touched.values()
    )


def test_alike_pieces_are_touched_together() -> None:
    match = played("pied_piper", 0)
    assert match.seat is not None
    scene = scene_of(match, match.seat)
    assert scene.ask is not None
    (hand,) = (held for held in scene.contents if held.place == f"hand(Player({match.seat}))")
    for option in scene.ask.options:
        _, card, spot = option.parts
        alike = tuple(piece.id for piece in hand.pieces if piece.label == card.label)
        assert card.touches == alike != ()
        assert len(spot.touches) == 1


def test_only_the_seat_that_is_asked_gets_options() -> None:
    match = played("hearts", 3)
    for seat in range(1, match.players + 1):
        assert (scene_of(match, seat).ask is None) == (seat != match.seat)
    assert scene_of(match, None).ask is None


def test_telling_goes_on_while_all_choose_together() -> None:
    """What is told step by step is what is told at once."""
    match, rng = played("hearts", 0), random.Random(1)
    for choices in range(5):
        for seat in (None, 1, 2):
            at_once = scene_of(played("hearts", choices), seat).happenings
            assert scene_of(match, seat).happenings == at_once
        match.choose(rng.randrange(len(match.options)))


def test_onlookers_see_what_everybody_sees() -> None:
    match = played("crazy_eights", 4)
    onlooker = {held.place: held for held in scene_of(match, None).contents}
    mine = {held.place: held for held in scene_of(match, 1).contents}
    assert all(piece.known for piece in mine["hand(Player(1))"].pieces)
    assert not any(piece.known for piece in onlooker["hand(Player(1))"].pieces)
    assert onlooker["hand(Player(1))"].count == mine["hand(Player(1))"].count
    assert onlooker["faceup"] == mine["faceup"]


# ------------------------------------------------------------ planted leaks


def caught(**parts: str) -> bool:
    for seed in range(12):
        try:
            check_game(started(seed, **parts), random.Random(seed), 4, often=1)
        except Leak:
            return True
    return False


TAKE = 'choose optional card in active.next.hand "Which of theirs?"\n    else skip'


def test_an_option_that_points_at_an_unknown_piece_is_caught(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert not caught(turn=TAKE)

    def exactly(self: Touching, piece: Thing) -> Any:
        yield f"{self.place_of[piece]}/{piece}"

    monkeypatch.setattr(Touching, "_piece", exactly)
    assert caught(turn=TAKE)


def test_a_happening_that_names_an_unknown_piece_is_caught(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    turn = "move all from active.next.hand to pile"
    assert not caught(turn=turn)

    def named(self: Telling, piece: Thing, event: Any) -> Piece:  # noqa: ARG001
        return Piece("", piece.kind, str(piece), "card")

    monkeypatch.setattr(Telling, "_piece", named)
    assert caught(turn=turn)


def test_a_note_names_what_is_just_so() -> None:
    """Of a village with a depot, `depot` is told, not `yes`."""
    match = played("dyke_wardens", 0)
    ask = scene_of(match, match.seat).ask
    assert ask is not None
    notes = {part.label: part.note for option in ask.options for part in option.parts[1:]}
    assert notes["market"] == "depot"


def test_a_face_with_a_pile_of_its_own_is_its_pile() -> None:
    """Buying a card is about the pile, not about the same cards in hands and on other piles."""
    match = loaded("little_realm").start(2, seed=1)
    for _ in range(20):
        ask = scene_of(match, match.seat).ask
        assert ask is not None
        bought = [option for option in ask.options if option.parts[0].label == "Buy"]
        if bought:
            break
        match.choose(len(ask.options) - 1)
    assert bought
    for option in bought:
        assert all(touched.startswith("pile(") for touched in option.parts[1].touches)
        assert option.parts[1].touches


def test_how_far_players_are_with_and_without_a_goal() -> None:
    floors = [seat.progress for seat in scene_of(played("pied_piper", 25), None).seats]
    assert all(way is not None and way.goal == 7 for way in floors)
    match = played("glass_garden", 25)
    points = [seat.progress for seat in scene_of(match, None).seats]
    assert all(way is not None and way.goal is None and way.unit == "points" for way in points)
    assert len({way.value for way in points if way is not None}) > 1
