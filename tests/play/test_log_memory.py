"""A line of the log says what its reader knew when it happened, for ever."""

from random import Random

import pytest

from ruledsl.diagnostics.source import Source
from ruledsl.library import Library
from ruledsl.play.check import check_source
from ruledsl.play.match import Match
from ruledsl.scene.data import Scene
from ruledsl.scene.scene import scene_of

from .table import loaded

GAME = """\
game fan "Fan"
    players 2

place deck of Card stack hidden
place hand per Player of Card private
place table of Card
place pile of Card hidden
place down of Card seen when it.side = face_up

piece Card in deck
    one
    two
    three
    four
    five
    six

type Side = face_up, face_down
state Card.side: Side = face_up

step setup
    shuffle deck
    set active = Player(1)

step play
    repeat 3 times
        for p in Player
            move 3 from deck to p.hand
        for p in Player
            choose by p
                lay
                hide
                place
        for p in Player
            move all from p.hand to deck
        move all from table to deck
        move all from pile to deck
        move all from down to deck
        shuffle deck

action lay(card in you.hand) "Lay"
    move card to table

action hide(card in you.hand) "Hide"
    move card to pile

action place(card in you.hand) "Place"
    choose side in Side "How?"
    set card.side = side
    move card to down

ranking p in playing
    highest p.seat
"""


@pytest.fixture(scope="module")
def game() -> object:
    checked = check_source(Source("fan.rules", GAME), Library(()))
    assert checked.game is not None, checked.diagnostics
    return checked.game


def played(game: object, *words: str) -> tuple[Match, list[str]]:
    """Play choices that begin so; the cards that were chosen."""
    match = Match(game, 2, seed=5)  # type: ignore[arg-type]
    cards = []
    for word in words:
        choice = next(each for each in match.options if each.label.startswith(word))
        if ": " in choice.label:
            cards.append(choice.label.partition(": ")[2])
        match.choose(choice)
    return match, cards


def lines(match: Match, seat: int, part: str) -> list[str]:
    return [line.text for line in match.log(seat) if line.headline and part in line.text]


def test_what_was_laid_openly_is_remembered(game: object) -> None:
    match, (first, last) = played(game, "Lay", "Lay")
    for seat in (1, 2):
        assert lines(match, seat, "Lay") == [f"Player 1: Lay: {first}", f"Player 2: Lay: {last}"]


def test_what_one_hid_oneself_is_remembered(game: object) -> None:
    match, (first, last) = played(game, "Hide", "Hide")
    assert lines(match, 1, "Hide") == [f"Player 1: Hide: {first}", "Player 2: Hide: Card"]
    assert lines(match, 2, "Hide") == ["Player 1: Hide: Card", f"Player 2: Hide: {last}"]


def test_a_card_that_turns_out_to_be_open_while_it_is_played(game: object) -> None:
    match, (card,) = played(game, "Place", "face up")
    for seat in (1, 2):
        assert lines(match, seat, "Place") == [f"Player 1: Place: {card}"]


def test_a_card_that_stays_secret_is_not_told(game: object) -> None:
    match, (first, _) = played(game, "Place", "face down", "Lay")
    assert lines(match, 1, "Place") == [f"Player 1: Place: {first}"]
    assert lines(match, 2, "Place") == ["Player 1: Place: Card"]


def test_what_is_dealt_afterwards_is_not_told(game: object) -> None:
    """The same pieces are dealt again, unseen: what was seen of them before tells nothing."""
    match, _ = played(game, "Lay", "Lay")
    dealt = [line.text for line in match.log(1) if "deck → hand (Player 2)" in line.text]
    assert dealt == ["3 × Card: deck → hand (Player 2)"] * 2


def test_own_cards_of_a_trick_taking_game() -> None:
    match = loaded("hearts").start(4, seed=21)
    while match.seat is not None and len(match.history) < 90:
        match.choose(0)
        own = [line.text for line in match.log(1) if line.text.startswith("Player 1: Play")]
        assert "Player 1: Play: Card" not in own


def test_open_dishes_are_never_unknown() -> None:
    match = loaded("sushi_draft").start(2, seed=3)
    while match.seat is not None:
        match.choose(0)
    for seat in (1, 2):
        assert [line.text for line in match.log(seat) if line.text.endswith(": Dish")] == []


def settled(match: Match) -> dict[int, list[str]]:
    """What each seat was told up to the last choice, which may still be going on."""
    told = {}
    for seat in range(1, match.players + 1):
        log = match.log(seat)
        last = max((at for at, line in enumerate(log) if line.headline), default=0)
        told[seat] = [line.text for line in log[:last]]
    return told


@pytest.mark.parametrize(
    ("name", "players"),
    [("hearts", 4), ("love_letter", 2), ("little_realm", 2), ("secret_life", 3)],
)
def test_what_was_told_stays_so_through_shuffles_and_replays(name: str, players: int) -> None:
    match, random = loaded(name).start(players, seed=7), Random(name)
    kept = []
    while match.seat is not None and len(match.history) < 110:
        match.choose(random.randrange(len(match.options)))
        if match.decision is not None and not match.decision.together and random.random() < 0.1:
            kept.append(settled(match))
    shuffles = sum("shuffle" in line.text for line in match.log(1))
    assert shuffles > 1 and len(kept) > 2
    for seat in range(1, players + 1):
        log = [line.text for line in match.log(seat)]
        for before in kept:
            assert log[: len(before[seat])] == before[seat]
        match.replay(match.history)
        assert [line.text for line in match.log(seat)] == log


TWINS = """\
game twins "Twins"
    players 2

place deck of Card stack hidden
place hand per Player of Card private
place table of Card
type Face = star, moon
piece Card 2 per Face in deck

step setup
    shuffle deck
    set active = Player(1)
    move 1 from deck to Player(1).hand

step play
    repeat 2 times
        move 1 from deck to you.hand
        choose "Lay a card."
            lay
        set active = active.next
        move 1 from deck to you.hand
        choose "Lay a card."
            lay

action lay(card in you.hand) "Lay"
    move card to table
"""


def test_that_there_was_no_choice_is_told_by_nothing() -> None:
    """Whoever holds two alike lays one unasked: what was drawn stays as unknown as elsewhere."""
    checked = check_source(Source("twins.rules", TWINS), Library(()))
    assert checked.game is not None, checked.diagnostics
    asked = set()
    for seed in range(12):
        match = Match(checked.game, 2, seed=seed)
        asked.add(bool(match.seat == 1))
        while match.seat == 1:
            match.choose(0)
        drawn = [line.text for line in match.log(2) if "deck → hand (Player 1)" in line.text]
        assert drawn == ["Card: deck → hand (Player 1)"] * 2
    assert asked == {True, False}


ASKING = """\
game asking "Asking"
    players 3

place box of Card stack hidden
place hand per Player of Card private
place table of Card

piece Card in box
    one
    two
    three
    four
    five
    six

step setup
    shuffle box
    for p in Player
        move 2 from box to p.hand

step play
    for q in Player
        choose card in Player(2).hand by Player(2) "Which one does {q} see?"
        show card to q
        tell "Player 2 shows {q} {card}."
    choose card in Player(2).hand by Player(2) "Which one do all see?"
    move card to table
    tell "Player 2 lays {card}."
"""


def test_who_knows_a_hand_is_not_told_which_of_it_another_is_shown() -> None:
    checked = check_source(Source("asking.rules", ASKING), Library(()))
    game = checked.game
    assert game is not None, checked.diagnostics

    def logs(picks: str) -> tuple[list[str], str, str]:
        match = Match(game, 3, seed=5)
        cards = [choice.label for choice in match.options]
        for pick in picks:
            match.choose(match.options[int(pick)])
        told = ["\n".join(line.text for line in match.log(seat)) for seat in (1, 2, 3)]
        public = "\n".join(line.text for line in match.log(None))
        for text in (told[0], told[2]):
            # Everybody sees in the end which one is laid, and each what is shown to him.
            assert f"Player 2 lays {cards[int(picks[-1])]}." in text
        assert f"Player 2 shows Player 3 {cards[int(picks[2])]}." in told[2]
        return cards, told[0], public

    # Player 1 has seen the first card. Player 3 is shown this one, or the other.
    _, same, public = logs("0000")
    cards, other, public_too = logs("0010")
    assert f"Player 2 shows Player 1 {cards[0]}." in same
    assert same == other
    assert public == public_too


# ------------------------------------------------------------ who knows a whole hand

KNOWN_HAND = """\
game clues "Clues"
    players 3
    limit 20 decisions

place hand per Player of Card private
place aside of Card hidden

piece Card in Player(2).hand
    sun
    moon
    star

state Player.pick: Card or none = none private

step setup
    show {c in Player(2).hand} to Player(3)
    set active = Player(2)

step play
    choose card in active.hand "Which one?"
    BODY
    choose by Player(3) "Well?"
        action well "Well"
            skip
        action bad "Bad"
            skip
"""
TOLD = 'tell "It is {card}."'


def heard_of(body: str, card: str, seat: int | None) -> tuple[list[str], Scene]:
    """What a seat is told after Player 2 has chosen a card that Player 3 knows, as all of them."""
    text = KNOWN_HAND.replace("BODY", body.replace("\n", "\n    "))
    checked = check_source(Source("clues.rules", text), Library(()))
    assert checked.game is not None, checked.diagnostics
    match = Match(checked.game, 3, seed=1)
    match.choose(next(choice for choice in match.options if choice.label == card))
    return [line.text for line in match.log(seat)], scene_of(match, seat)


@pytest.mark.parametrize(
    "body",
    [
        f"move all from active.hand to aside\n{TOLD}",
        f"move all from active.hand to aside\nshow card to Player(1)\n{TOLD}",
        f"set active.pick = card\n{TOLD}",
        f"set active.pick = card\nshow card to Player(1)\n{TOLD}",
        f"show {{c in active.hand}} to Player(3)\nshow card to Player(1)\n{TOLD}",
    ],
)
def test_what_happens_to_all_of_a_hand_or_in_secret_tells_not_which_of_it_was_chosen(
    body: str,
) -> None:
    sun, moon = (heard_of(body, card, 3) for card in ("sun", "moon"))
    assert sun == moon
    assert "It is sun." in heard_of(body, "sun", 2)[0]


def test_whoever_is_shown_what_was_chosen_can_tell_it_from_all_that_is_moved_then() -> None:
    body = f"show card to Player(3)\nmove all from active.hand to aside\n{TOLD}"
    for card in ("sun", "moon"):
        assert f"It is {card}." in heard_of(body, card, 3)[0]


def test_an_onlooker_does_not_see_what_was_shown_to_each_apart() -> None:
    """Player 3 knows the hand, Player 1 one of it: an onlooker's table must not tell which."""
    body = "show card to Player(1)"
    assert heard_of(body, "sun", None) == heard_of(body, "moon", None)
    body = "show card to Player"
    assert heard_of(body, "sun", None) != heard_of(body, "moon", None)
