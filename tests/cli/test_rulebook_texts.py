"""What a numbered rulebook says is quoted wherever its rules are cited."""

import json
from pathlib import Path

import pytest

from .conftest import Run

BOOK = """\
library coins_book "Coins, rule by rule"

rulebook CO "Components"
    1 "There are three coins."

rulebook CO "The turn"
    2 "Take one coin or two."
    3 "Nobody takes a coin that is not there."

rulebook CO "Der Zug" in de
    2 "Nimm eine Münze oder zwei."
    3 "Niemand nimmt, was nicht da ist."
"""

GAME = """\
game coins "Coins"
    players 2
    rulebook CO 1..3

use coins_book

place bank of Coin
place box of Coin
piece Coin 3 in bank                            §CO-1

step setup
    set active = Player(1)

step play
    repeat while not empty(bank)
        choose "How many?"
            grab
        set active = active.next

action grab(n in 1..3) "Take"                   §CO-2
    require n <= count(bank)    "Too many."     §CO-03
    move n from bank to box

test "one, then two"
    when play
        grab(1)
        refuse grab(3) "Too many."
        grab(2)
"""


@pytest.fixture
def coins(tmp_path: Path) -> str:
    (tmp_path / "coins_book.rules").write_text(BOOK, encoding="utf-8")
    (tmp_path / "coins.rules").write_text(GAME, encoding="utf-8")
    return str(tmp_path / "coins.rules")


def play(run: Run, game: str, *lines: str, lang: str = "en") -> str:
    seats = "human,human"
    text = "".join(f"{line}\n" for line in lines)
    return run("play", game, "--seats", seats, "--lang", lang, "--seed", "1", text=text).stdout


def test_a_refusal_quotes_the_rule(run: Run, coins: str) -> None:
    shown = play(run, coins, "1", "", "why 3")
    assert "Too many. [§CO-03]\n      §CO-3 Nobody takes a coin that is not there." in shown


def test_a_rule_is_quoted_by_number_heading_and_word(run: Run, coins: str) -> None:
    shown = play(run, coins, "rules §CO-1", "rules the turn", "rules nobody", "rules co-9")
    by_number, heading = shown.split("> rules ")[1:3]
    assert "§CO-1 There are three coins." in by_number
    assert "§CO-2 Take one coin or two." in heading and "§CO-3" in heading
    assert "> rules nobody\n  §CO-3 (The turn) Nobody takes" in shown
    assert "don't speak of `co-9`" in shown


def test_a_book_that_does_not_tell_the_end_leaves_it_to_the_file(run: Run, coins: str) -> None:
    end, win = play(run, coins, "rules end", "rules win").split("> rules")[1:3]
    assert "The game ends when its course is over:" in end
    assert "As long as" in end
    assert "There is no ranking" in win


def test_rules_are_quoted_in_the_language_of_the_table(run: Run, coins: str) -> None:
    shown = play(run, coins, "regel §CO-2", "regel §CO-1", lang="de")
    assert "§CO-2 Nimm eine Münze oder zwei." in shown
    assert "§CO-1 There are three coins." in shown, "its own language at worst"


def test_cover_says_what_is_missing(run: Run, coins: str) -> None:
    assert "§CO-3 Nobody takes a coin that is not there." in run("cover", coins).stdout
    texts = json.loads(run("cover", coins, "--json").stdout)["texts"]
    assert texts["CO-1"] == "There are three coins."


def test_the_sheet_tells_the_rules_of_the_book(run: Run, coins: str) -> None:
    shown = run("show", coins, "--lang", "de").stdout
    assert "DER ZUG\n  Nimm eine Münze oder zwei. [§CO-2]\n" in shown
    assert "COMPONENTS\n  There are three coins. [§CO-1]\n" in shown
    assert "ABLAUF" not in shown


def test_a_full_sheet_also_tells_what_the_file_says(run: Run, coins: str) -> None:
    shown = run("show", coins, "--full").stdout
    assert "THE TURN\n  Take one coin or two. [§CO-2]\n" in shown
    assert "As long as the bank is not empty:\n" in shown
    assert shown.count("\nCOMPONENTS\n") == 1
    assert shown.index("There are three coins.") < shown.index("Coins: 3")
