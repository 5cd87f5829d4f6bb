"""`resume`, `replay` and `history`: saved games go on, are shown again, and keep their secrets."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

import ruledsl
from ruledsl.cli.saves import FORMAT, Header, Save, SavedChoice, rules_hash

from .conftest import Run

DUEL = """\
game duel "Duel"
    players 2

place deck of Card stack hidden
place hand per Player of Card private
place table of Card
place pile of Card hidden

piece Card in deck | count
    low            | 6
    high           | 6

state Player.secret: 0..3 = 0 private

step setup
    shuffle deck
    for p in Player
        move 4 from deck to p.hand
    set active = Player(1)

step play
    repeat 2 times
        turn
        set active = active.next
    together p in Player
        choose c in p.hand by p "Keep one."
        move c to pile
    repeat 2 times
        turn
        set active = active.next

step turn
    choose active.secret in 1..3 "Think of a number."
    choose "Lay a card."
        lay
        hide

action lay(card in you.hand) "Lay"
    move card to table

action hide(card in you.hand) "Hide"
    require count(pile) < 9     "The pile is full."
    move card to pile
"""


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    file = tmp_path / "duel.rules"
    file.write_text(DUEL, encoding="utf-8")
    return file


def saved(choices: int, seats: tuple[str, ...] = ("human", "random")) -> Path:
    """A save with the first choices of a game: each player thinks of 2 and hides the first card."""
    file = Path("game.save")
    match = ruledsl.load("duel.rules").start(2, seed=4)
    header = Header(FORMAT, "duel.rules", None, {}, 2, seats, 4, "en", rules_hash(match))
    with Save.create(file, header) as save:
        while match.seat is not None and len(match.history) < choices:
            hide = [choice for choice in match.options if "hide" in choice.code]
            choice = (hide or match.options[-2:])[0]
            save.add(SavedChoice(choice.number, choice.code, match.seat))
            match.choose(choice)
    return file


def history(run: Run, file: Path) -> dict[str, Any]:
    result = run("history", str(file), "--json")
    assert result.exit_code == 0, result.output
    document: dict[str, Any] = json.loads(result.stdout)
    return document


def codes(document: dict[str, Any]) -> list[str]:
    return [choice["code"] for choice in document["choices"]]


# ------------------------------------------------------------ history


@pytest.mark.usefixtures("game")
def test_a_running_game_keeps_its_secrets(run: Run) -> None:
    document = history(run, saved(4))
    assert document["over"] is False
    assert document["seed"] is None
    assert document["result"] is None
    assert codes(document) == ["?", "hide(Card)", "?", "hide(Card)"]
    assert [choice["seat"] for choice in document["choices"]] == [1, 1, 2, 2]
    assert {choice["option"] for choice in document["choices"]} == {None}


@pytest.mark.usefixtures("game")
def test_what_is_chosen_together_is_told_together(run: Run) -> None:
    assert codes(history(run, saved(5)))[4:] == []
    assert codes(history(run, saved_again(6)))[4:] == ["Card", "Card"]


def saved_again(choices: int) -> Path:
    Path("game.save").unlink()
    return saved(choices)


@pytest.mark.usefixtures("game")
def test_a_finished_game_tells_everything(run: Run) -> None:
    document = history(run, saved(99))
    assert document["over"] is True
    assert document["seed"] == 4
    assert document["result"]["ranks"] == [1, 1]
    assert codes(document)[0] == "2"
    assert codes(document)[1] in ("hide(low@hand(Player(1)))", "hide(high@hand(Player(1)))")
    assert document["choices"][0]["option"] == 1


@pytest.mark.usefixtures("game")
def test_history_tells_what_everybody_knows_until_the_game_is_over(run: Run) -> None:
    assert run("history", str(saved(2))).stdout.splitlines() == [
        "     Deck is shuffled.",
        "     Player 1 draws 4 cards.",
        "     Player 2 draws 4 cards.",
        "1. Player 1 has chosen.",
        "2. Player 1: Hide: Card.",
        "     Card: hand (Player 1) → pile.",
    ]
    over = run("history", str(saved_again(99))).stdout
    assert " 1. Player 1: Think of a number: 2.\n" in over
    assert re.search(r"^ 2\. Player 1: Hide: (low|high)\.$", over, re.MULTILINE)
    assert over.endswith("\nThe game is over.\nA draw.\n")


@pytest.mark.usefixtures("game")
def test_history_in_another_language(run: Run) -> None:
    told = run("history", str(saved(2)), "--lang", "de").stdout
    assert "1. Spieler 1 hat gewählt.\n" in told


# ------------------------------------------------------------ replay


@pytest.mark.usefixtures("game")
def test_replay_to_a_choice(run: Run) -> None:
    file = str(saved(4))
    one = run("replay", file, "--to", "2")
    assert one.exit_code == 0
    assert "Player 1: Hide: " in one.stdout
    assert "Player 2: Hide" not in one.stdout
    assert "Player 2: Hide: Card" in run("replay", file).stdout
    assert "Player 1: Hide: Card" in run("replay", file, "--seat", "2", "--open").stdout
    assert "Spieler 1: Hide" in run("replay", file, "--lang", "de").stdout


@pytest.mark.usefixtures("game")
def test_replay_of_a_finished_game_has_its_result(run: Run) -> None:
    assert run("replay", str(saved(99))).stdout.endswith("1. Player 1\n1. Player 2\n")


@pytest.mark.usefixtures("game")
def test_replay_does_not_show_one_hand_to_another(run: Run) -> None:
    file = str(saved(4, ("human", "human")))
    for seat in ((), ("--seat", "1"), ("--seat", "2"), ("--seat", "2", "--to", "1")):
        result = run("replay", file, *seat)
        assert result.exit_code == 2
        assert result.stdout == ""
        assert "several people play, and the game is not over" in result.stderr
    assert run("replay", file, "--seat", "2", "--open").exit_code == 0
    assert run("replay", file, "--seat", "3").exit_code == 2


@pytest.mark.usefixtures("game")
def test_replay_keeps_a_computers_hand_from_the_one_who_plays(run: Run) -> None:
    file = str(saved(4))
    assert run("replay", file, "--seat", "1").exit_code == 0
    result = run("replay", file, "--seat", "2")
    assert result.exit_code == 2
    assert result.stdout == ""
    assert "seat 2 sees what is hidden from seat 1" in result.stderr


@pytest.mark.usefixtures("game")
def test_replay_of_a_finished_game_shows_every_seat_at_every_point(run: Run) -> None:
    file = str(saved(99, ("human", "human")))
    assert "Player 1: Hide: Card" in run("replay", file, "--to", "2", "--seat", "2").stdout


def test_replay_of_a_game_without_secrets_shows_every_seat(run: Run, game: Path) -> None:
    text = (
        DUEL.replace(" hidden", "")
        .replace(" private", "")
        .replace("    shuffle deck\n", "")
        .replace("together", "for")
    )
    game.write_text(text, encoding="utf-8")
    assert run("replay", str(saved(4, ("human", "human"))), "--seat", "2").exit_code == 0


@pytest.mark.usefixtures("game")
def test_replay_beyond_the_end(run: Run) -> None:
    result = run("replay", str(saved(4)), "--to", "5")
    assert result.exit_code == 2
    assert result.stderr == "error: the save has 4 choices, not 5\n"


# ------------------------------------------------------------ resume


@pytest.mark.usefixtures("game")
def test_resume_goes_on_and_saves(run: Run) -> None:
    file = saved(2)
    result = run("resume", str(file), text="1\n")
    assert "The input ended before the game did" in result.stderr + result.stdout
    with Save.open(file) as save:
        # The computer's two choices, and one of those made together.
        assert [choice.seat for choice in save.choices][:5] == [1, 1, 2, 2, 1]


@pytest.mark.usefixtures("game")
def test_a_player_that_is_no_more(run: Run) -> None:
    result = run("resume", str(saved(2, ("human", "oracle"))))
    assert result.exit_code == 2
    assert "nobody called `oracle` can sit there" in result.stderr


# ------------------------------------------------------------ rules that have changed

COMMANDS = ["resume", "replay", "history"]


@pytest.mark.parametrize("command", COMMANDS)
def test_the_first_choice_no_longer_legal_is_named(run: Run, game: Path, command: str) -> None:
    file = saved(4)
    before = file.read_bytes()
    game.write_text(DUEL.replace("count(pile) < 9", "count(pile) < 1"), encoding="utf-8")
    result = run(command, str(file))
    assert result.exit_code == 1
    assert "choice 4, `hide(" in result.stderr
    assert "of seat 2, is no longer legal: The pile is full. (duel.rules:42)" in result.stderr
    assert "nothing was changed in the save" in result.stderr
    assert file.read_bytes() == before


def test_choices_are_found_by_what_they_are(run: Run, game: Path) -> None:
    file = saved(4)
    game.write_text(DUEL.replace("        lay\n        hide\n", "        hide\n        lay\n"))
    assert "Player 1: Hide" in run("replay", str(file)).stdout
    result = run("resume", str(file), text="1\n")
    assert "the rules have changed since" in result.stderr
    assert codes(history(run, file))[1] == "hide(Card)"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("set active = Player(1)", "set active = Player(2)", "seat 2 decides there"),
        ("        hide\n\n", "\n", "it is not among what can be chosen there"),
        ("of Card hidden\n\n", "of Card hidden room 1\n\n", "after choice 4 the rules go wrong: "),
        ("\n    move card to pile", "\n    end game", "the game is over before it"),
    ],
)
def test_other_changes(run: Run, game: Path, old: str, new: str, message: str) -> None:
    file = saved(4)
    assert old in DUEL
    game.write_text(DUEL.replace(old, new), encoding="utf-8")
    result = run("replay", str(file))
    assert result.exit_code == 1
    assert message in result.stderr


@pytest.mark.parametrize("command", COMMANDS)
def test_rules_that_are_broken_or_gone(run: Run, game: Path, command: str) -> None:
    file = saved(4)
    game.write_text("game duel\n    players 2\n", encoding="utf-8")
    broken = run(command, str(file))
    assert broken.exit_code == 2
    assert "error[" in broken.stderr
    game.unlink()
    gone = run(command, str(file))
    assert gone.exit_code == 2
    assert "there is no file or folder `duel.rules`" in gone.stderr


@pytest.mark.parametrize("command", COMMANDS)
def test_files_that_are_no_saves(run: Run, game: Path, command: str) -> None:
    for name in ("nothing", game.name):
        result = run(command, name)
        assert result.exit_code == 2
        assert result.stdout == ""
        assert result.stderr.startswith("error: ")
    assert game.read_text("utf-8") == DUEL
