"""What players write is understood, and written where it tells a choice from the others."""

from pathlib import Path

import pytest

from ruledsl.play.decisions import ActionOption
from ruledsl.play.loading import load, load_named
from ruledsl.play.match import IllegalChoice, Match
from tests.docs.blocks import rules_blocks


def match_of(game: str, *moves: str, players: int | None = None, seed: int = 1) -> Match:
    match = load_named(game).start(players, seed=seed)
    for move in moves:
        match.choose(move)
    return match


def written(match: Match) -> set[str]:
    options = (choice.option for choice in match.options)
    return {
        text
        for option in options
        if isinstance(option, ActionOption) and (text := match.notation.written(option))
    }


RUY_LOPEZ = ("e4", "e5", "Nf3", "Nc6", "Bb5", "a6")


@pytest.mark.parametrize(
    "moves",
    [
        RUY_LOPEZ,
        ("e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6"),
        ("e2-e4", "e7-e5", "Ng1-f3", "Nb8-c6", "Bf1-b5", "a7-a6"),
        ("e4!", "e5?", "nf3", "nc6", "Bb5!?", "a6"),
    ],
)
def test_one_game_in_many_hands(moves: tuple[str, ...]) -> None:
    assert match_of("chess", *moves).history == match_of("chess", *RUY_LOPEZ).history


def test_a_way_that_tells_an_option_apart() -> None:
    match = match_of("chess", "d4", "d5", "Nf3", "Nf6")
    assert {"Nbd2", "Nfd2", "Nc3", "Bd2", "e3"} <= written(match)
    assert "Nd2" not in written(match)
    assert match.read("Nd2").problem == "ambiguous"


def test_three_answers() -> None:
    match = match_of("chess", *RUY_LOPEZ)
    assert match.read("Bxc6").number is not None
    assert match.read("Nd8").problem == "illegal"
    assert match.read("Zz9").problem == "unknown"
    with pytest.raises(IllegalChoice, match=r"refuse `Nd8`; .*chess\.rules:\d+: .+\."):
        match.choose("Nd8")
    with pytest.raises(IllegalChoice, match="`Zz9` is none of the options"):
        match.choose("Zz9")


def test_a_choice_with_several_meanings_names_them() -> None:
    match = match_of("chess", "d4", "d5", "Nf3", "Nf6")
    with pytest.raises(IllegalChoice, match=r"`Nd2` may mean .+, .+"):
        match.choose("Nd2")


def test_castling_is_meant_by_where_the_king_goes() -> None:
    match = match_of("chess", *RUY_LOPEZ)
    number = match.read("O-O").number
    assert number is not None
    assert {match.read(text).number for text in ("0-0", "e1g1", "Kg1")} == {number}
    typed = match.read("O-O-O")
    assert typed.problem == "illegal" and typed.meant == "Castle: queenside"


def test_case_tells_a_bishop_from_a_pawn() -> None:
    match = match_of("chess", "d4", "Nf6", "Bd2", "Ne4", "a3", "Nc3")
    numbers = [match.read(text).number for text in ("bxc3", "Bxc3", "Nxc3", "nxc3")]
    assert None not in numbers
    assert numbers[2] == numbers[3] and len({*numbers}) == 3


def test_promotion_in_one_go() -> None:
    moves = ("h4", "g5", "hxg5", "h6", "gxh6", "Nf6", "h7", "Ne4", "hxg8=Q")
    with pytest.raises(IllegalChoice):
        match_of("chess", *moves)  # the rook's pawn does not take ahead
    match = match_of("chess", *moves[:6], "h7", "Rg8")
    typed = match.read("hxg8=N")
    assert typed.number is not None and len(typed.then) == 1
    before = match.history
    match.choose("hxg8=N")
    assert len(match.history) == len(before) + 2
    assert match.seat == 2


def test_what_is_read_ahead_is_taken_back() -> None:
    match = match_of("chess", "h4", "g5", "hxg5", "h6", "gxh6", "Nf6", "h7", "Rg8")
    history, labels = match.history, [choice.label for choice in match.options]
    match.read("hxg8=N")
    match.read("hxg8=Z")
    assert match.history == history
    assert [choice.label for choice in match.options] == labels


def test_backgammon() -> None:
    match = match_of("backgammon", seed=3)
    moves = written(match)
    assert moves and all("/" in move for move in moves)
    first = next(iter(moves))
    assert match.read(first).number is not None
    second = match.read(f"{first} {first}")
    assert second.number is None or second.then


def test_cards_by_their_signs() -> None:
    match = load_named("hearts").start(4, seed=21)
    labels = [choice.label for choice in match.options]
    assert "3♣" in labels
    for text in ("3♣", "3C", "3c", "clubs three", "three clubs"):
        number = match.read(text).number
        assert number is not None and labels[number] == "3♣", text


def test_letters_of_a_board() -> None:
    match = match_of("go")
    number = match.read("j9").number
    assert number is not None
    assert match.options[number].label == "Play a stone: J9"
    assert match.read("i9").problem == "unknown"


def test_jumps_follow_each_other() -> None:
    match = load_named("nine_mens_morris").start(2)
    for move in ("a1", "b2", "a4", "b4"):
        match.choose(move)
    typed = match.read("a7xb2")
    assert typed.number is not None and typed.then
    match.choose("a7xb2")
    assert match.seat == 2


def test_a_choice_of_two_kinds_is_ambiguous(tmp_path: Path) -> None:
    blocks = [block.text for block in rules_blocks("language.md")]
    text = next(block for block in blocks if "noted_orchard" in block)
    base = next(block for block in blocks if block.startswith("game orchard"))
    (tmp_path / "orchard.rules").write_text(base, encoding="utf-8")
    (tmp_path / "noted_orchard.rules").write_text(text, encoding="utf-8")
    match = load(str(tmp_path / "noted_orchard.rules")).start(2, seed=1)
    labels = [choice.label for choice in match.options]
    fruit = next(sign for sign in "APU" if match.read(f"+{sign}").number is not None)
    assert match.read(fruit).problem == "ambiguous"
    lay, swap = match.read(f"+{fruit}").number, match.read(f"-{fruit}").number
    assert lay is not None and swap is not None
    assert labels[lay].startswith("Lay") and labels[swap].startswith("Throw")
