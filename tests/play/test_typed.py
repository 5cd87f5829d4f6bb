"""What people type, and how options are called."""

import pytest

import ruledsl
from ruledsl.diagnostics.source import Source
from ruledsl.library import Library
from ruledsl.play.check import check_source
from ruledsl.play.match import Match
from ruledsl.table.errors import RulesError


@pytest.fixture(scope="module")
def chess() -> Match:
    return ruledsl.load("chess").start(seed=1)


@pytest.fixture(scope="module")
def backgammon() -> Match:
    return ruledsl.load("backgammon").start(seed=5)


@pytest.mark.parametrize("text", ["e2 e4", "E2, E4", "move e2 e4", "mo e2 e4", "Move: e2, e4"])
def test_a_move_in_one_line(chess: Match, text: str) -> None:
    number = chess.read(text).number
    assert number is not None
    assert chess.options[number].label == "Move: e2 → e4"


NAMED = """\
game named
    players 2

state n: 0..9 = 0

step setup
    set active = Player(1)

step play
    choose "What?"
        raise_it
        leave_it
    set n = 4 / n

action raise_it(steps in 1..2) "Push up"
    skip

action leave_it "Let be"
    skip
"""


@pytest.fixture
def named() -> Match:
    checked = check_source(Source("named.rules", NAMED), Library())
    assert checked.game is not None, checked.diagnostics
    return Match(checked.game, 2, None, 1)


@pytest.mark.parametrize("text", ["Push up 2", "raise_it 2", "raise it 2"])
def test_an_action_by_its_label_or_its_name(named: Match, text: str) -> None:
    number = named.read(text).number
    assert number is not None
    assert named.options[number].label == "Push up: 2"


def test_rules_that_go_wrong_say_the_line(named: Match) -> None:
    with pytest.raises(RulesError, match=r"^named\.rules:13: .*zero"):
        named.choose(2)


def test_words_in_order_come_before_words_in_any_order(backgammon: Match) -> None:
    labels = [choice.label for choice in backgammon.options]
    assert "Move: Man (Point 12), Die (5)" in labels
    number = backgammon.read("12 5").number
    assert number == labels.index("Move: Man (Point 12), Die (5)")


def test_options_that_differ_have_different_labels_and_codes(backgammon: Match) -> None:
    for names in (
        [choice.label for choice in backgammon.options],
        [choice.code for choice in backgammon.options],
    ):
        assert len(set(names)) == len(names)


def test_a_number_is_an_option(chess: Match) -> None:
    assert chess.read("1").number == 0
    assert chess.read("20").number == 19
    assert chess.read("21").problem == "unknown"


def test_a_number_of_no_option_is_a_slip_and_no_word_of_one() -> None:
    match = ruledsl.load("ratzentanz").start(3, seed=5)
    while len(match.options) < 3 or not any("13" in each.label for each in match.options):
        match.choose(0)
    assert len(match.options) < 13
    assert match.read("13").problem == "unknown"


@pytest.mark.parametrize(
    ("text", "problem"),
    [("e2", "ambiguous"), ("e2 e5", "illegal"), ("hello", "unknown"), ("", "unknown")],
)
def test_three_ways_to_be_wrong(chess: Match, text: str, problem: str) -> None:
    typed = chess.read(text)
    assert typed.number is None
    assert typed.problem == problem


def test_a_whole_word_is_not_the_beginning_of_another() -> None:
    match = ruledsl.load("go").start(seed=1, options={"size": 13})
    number = match.read("a1").number
    assert number is not None
    assert match.options[number].label == "Play a stone: A1"


def test_where_a_piece_lies_is_not_part_of_its_name() -> None:
    match = ruledsl.load("pied_piper").start(players=4, seed=5)
    assert match.seat == 2
    assert match.read("player 2").problem == "unknown"


def test_what_is_unknown_has_no_name() -> None:
    match = ruledsl.load("hanabi").start(players=2, seed=1)
    assert match.options[0].code == "play_card(1)"


def test_the_log_says_where_a_nameless_piece_stood() -> None:
    match = ruledsl.load("backgammon").start(seed=5)
    match.choose("12 5")
    assert "Player 2: Move: Man (Point 12), Die" in [line.text for line in match.log(1)]


def test_all_that_several_can_be_chosen_from() -> None:
    match = ruledsl.load("hearts").start(seed=7)
    assert match.decision is not None
    assert match.decision.several
    assert len(match.decision.classes) == 13
    assert len(match.options) == 11, "the last two can't be the first of three"


def test_an_illegal_move_is_not_taken_for_a_legal_one_with_the_same_words() -> None:
    match = ruledsl.load("pied_piper").start(players=4, seed=5)
    while match.seat != 1:
        match.choose(0)
    match.choose("forward 1 character card 1")
    assert match.seat == 1
    typed = match.read("forward 2 character card 1")
    assert typed.problem == "illegal"
    assert typed.meant == "Place a card: Forward 2, character card 1"
    assert match.read("character 2 forward 1").number is not None


def test_a_number_stays_with_its_word() -> None:
    """Nothing is chosen by numbers that were typed behind other words."""
    match = ruledsl.load("pied_piper").start(players=4, seed=1)
    while match.seat != 1:
        match.choose(0)
    labels = [option.label for option in match.options]
    assert "Place a card: Backward 1, character card 2" in labels
    assert not any("Backward 2" in label for label in labels)
    assert match.read("backward 2 character card 1").number is None
    assert match.read("back 2 character 1").number is None
    assert match.read("character card 2 backward 1").number is not None


def test_an_illegal_cell_is_not_the_beginning_of_a_legal_one() -> None:
    match = ruledsl.load("go").start(seed=1, options={"size": 13})
    match.choose("a1")
    assert match.read("a1").problem == "illegal"


@pytest.mark.parametrize("text", ["-2", "#2", "+ 2"])
def test_a_sign_before_a_number_is_no_choice(text: str) -> None:
    typed = ruledsl.load("chess").start(seed=1).read(text)
    assert (typed.number, typed.problem) == (None, "unknown")


TWINS = """\
game twins
    players 2

place yard of Cart
place gone of Cart
place stock of Crate
place load per Cart of Crate room 1
piece Cart 2 in yard
piece Crate 2 in stock

step setup
    for c in Cart
        move 1 from stock to c.load
    set active = Player(1)

step play
    choose "What?"
        go

action go(cart in yard) "Go"
    move cart to gone
"""


def test_what_reads_alike_is_taken_and_not_asked_about() -> None:
    checked = check_source(Source("twins.rules", TWINS), Library())
    assert checked.game is not None, checked.diagnostics
    match = Match(checked.game, 2, None, 1)
    label, other = (choice.label for choice in match.options)
    assert label == other
    assert match.read(label).number == 0


BIDS = """\
game bids "Bids"
    players 2

state highest: 0..9 = 2

step setup
    set active = Player(1)

step play
    repeat 3 times
        choose "What do you bid?"
            offer
            action pass "Pass"
                skip
        choose optional n in 4..8 "And at last?"
        set active = active.next
    win none

action offer(amount in 0..9) "Bid {amount}"
    require amount > highest "More than {highest}."
    set highest = amount
"""


def bids(text: str = BIDS) -> Match:
    checked = check_source(Source("bids.rules", text), Library(()))
    assert checked.game is not None, checked.diagnostics
    return Match(checked.game, 2, seed=1)


def test_a_number_is_what_an_action_is_about() -> None:
    match = bids()
    for text, label in {"5": "Bid 5", "bid 7": "Bid 7", "5)": "Bid 7", "9": "Bid 9"}.items():
        number = match.read(text).number
        assert number is not None and match.options[number].label == label, text
    refused = match.read("2")
    assert (refused.problem, refused.meant) == ("illegal", "Bid 2"), "no second option"
    assert match.read("9)").problem == "unknown"
    match.choose("bid 5")
    assert [choice.label for choice in match.options] == ["4", "5", "6", "7", "8", "none"]
    assert match.read("5").number == 1 and match.read("5)").number == 4
    assert match.read("6").number == 2 and match.read("none").number == 5
    match.choose("none")
    assert [choice.label for choice in match.options][4:] == ["Pass"]
    assert match.read("5").number == 4, "nobody can bid five any more"


def test_where_two_actions_are_about_numbers_it_is_asked_which() -> None:
    raising = 'action raising(by_much in 1..3) "Raise by {by_much}"\n    add by_much to highest\n'
    text = f"{BIDS}\n{raising}".replace(
        "            offer\n", "            offer\n            raising\n"
    )
    match = bids(text)
    both = match.read("3")
    assert both.problem == "ambiguous"
    labels = [match.options[number].label for number in both.fitting]
    assert labels == ["Bid 3", "Bid 5", "Raise by 3"]
    assert match.read("3)").number == 2


@pytest.mark.parametrize("text", ["9" * 6000, f"{'9' * 6000})", "²"])
def test_no_number_is_too_long_to_be_refused(chess: Match, text: str) -> None:
    assert chess.read(text).problem in ("unknown", "ambiguous")


def test_a_piece_that_is_called_by_a_number_is_meant_by_it() -> None:
    """And not the piece that stands in this place of the list."""
    match = ruledsl.load("white_elephants").start(3, seed=1)
    while not any(choice.label == "6" for choice in match.options):
        match.choose(0)
    assert match.options[5].label != "6"
    number = match.read("6").number
    assert number is not None and match.options[number].label == "6"
