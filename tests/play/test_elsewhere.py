"""What somebody names though it can't be chosen gets an answer of its own."""

import pytest

from ruledsl.play.elsewhere import Elsewhere
from ruledsl.play.loading import load_named


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("e7 e5", Elsewhere("e7", "others", "Player 2")),
        ("e4 e5", Elsewhere("e4", "empty")),
    ],
)
def test_fields_of_others_and_empty_ones(text: str, found: Elsewhere) -> None:
    typed = load_named("chess").start(2).read(text)
    assert typed.problem == "elsewhere" and typed.elsewhere == found


def test_a_card_one_does_not_hold() -> None:
    match = load_named("crazy_eights").start(2, seed=3)
    assert match.seat == 2
    hand = next(each for each in match.view(2).places if str(each.place) == "hand(Player(2))")
    held = {match.words.value(view.piece) for view in hand.pieces or ()}
    rank = next(each for each in "23456" if f"{each}♣" not in held)
    found = Elsewhere(f"{rank}♣", "not there", "hand (Player 2)")
    for text in (f"{rank}♣", f"{rank}c", f"{rank}C"):
        assert match.read(text).elsewhere == found, text
    assert match.read("12♠").problem == "unknown"


def test_a_card_one_holds_is_not_said_to_be_elsewhere() -> None:
    """Others of its name are; what is wrong is where it should go."""
    match = load_named("pied_piper").start(4, seed=3)
    card = match.options[0].label.removeprefix("Place a card: ").partition(",")[0]
    typed = match.read(f"{card}, character card 5")
    assert typed.problem == "unknown" and typed.elsewhere is None


def test_a_sign_is_no_ornament() -> None:
    """The seven of one suit is not taken for that of another."""
    match = load_named("crazy_eights").start(2, seed=3)
    eight = next(choice for choice in match.options if choice.label == "Play: 8♦")
    assert match.read("8♦").number == match.read("8 diamonds").number == eight.number
    assert match.read("8♣").number is None


def test_nothing_is_told_of_a_place_one_can_not_look_into() -> None:
    match = load_named("hanabi").start(2, seed=1)
    typed = match.read("red")
    assert typed.elsewhere is None or typed.elsewhere.why != "not there"


def test_the_reason_is_the_one_that_counts() -> None:
    match = load_named("chess").start(2)
    says = [refusal.says for refusal in match.read("a1 a5").refusals]
    assert [match.words.said(each) for each in says if each is not None] == [
        "The pawn on a2 stands in the way."
    ]
    says = [refusal.says for refusal in match.read("Nf6").refusals]
    assert [match.words.said(each) for each in says if each is not None] == [
        "A knight does not move like that."
    ]
    castling = match.read("e1 g1")
    assert [each.meant for each in castling.also] == ["Castle: kingside"]


def test_what_is_offered_at_other_times_is_said_to_be() -> None:
    match = load_named("hameln").start(3, seed=4)
    typed = match.read("sell goods")
    assert (typed.problem, typed.meant) == ("not now", "Sell goods")
    assert match.read("eat goods").problem == "unknown"
    while all(choice.label != "Sell goods" for choice in match.options):
        match.choose(0)
    assert match.read("sell goods").number is not None
