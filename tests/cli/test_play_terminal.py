"""Playing at a real terminal."""

import re
from pathlib import Path

import pytest

from ruledsl.cli.saves import Save

from .keyboard import ALTERNATE, BACK, CLEAR, Keyboard, plain


def too_long(text: str, columns: int) -> list[str]:
    return [line for line in text.split("\n") if len(line) > columns]


def test_a_full_game_by_typing() -> None:
    with Keyboard("play", "tic-tac-toe", "--seed", "3", "--seats", "human,random") as table:
        table.see("seed 3")
        table.see("Put your mark in a cell.")
        table.see("> ")
        for move in ("b2", "mark a1", "1"):
            table.type(move)
            if "The game is over." in table.see("> ", "The game is over."):
                break
        table.see("Player 2 wins.")
        assert table.leave() == 0


@pytest.mark.parametrize(("columns", "language"), [(80, "en"), (40, "de")])
def test_a_full_game_against_three_computers(columns: int, language: str) -> None:
    over = {"en": "The game is over.", "de": "Das Spiel ist zu Ende."}[language]
    seats = "human,easy,easy,easy"
    args = ("play", "pied_piper", "--seed", "5", "--seats", seats, "--lang", language)
    with Keyboard(*args, columns=columns) as table:
        for _ in range(200):
            if over in table.see("\n> ", over):
                break
            table.type("1")
        assert table.leave() == 0
        assert "seed 5" in table.text or "Startzahl 5" in table.text
        assert too_long(table.text, columns) == []


def test_undo_is_offered_exactly_when_it_is_possible() -> None:
    with Keyboard("play", "pied_piper", "--seed", "5") as table:
        assert "takes the last choice back" not in table.see("\n> ")
        table.type("undo")
        table.see("You have not chosen anything yet.")
        table.see("\n> ")
        table.type("forward 1 character card 1")
        assert "takes the last choice back" in table.see("\n> ")
        table.type("undo")
        table.see("Taken back.")
        again = table.see("\n> ")
        assert "takes the last choice back" not in again
        assert "2 × Forward 1" in again
        table.type("quit")
        assert table.leave() == 0


def test_why() -> None:
    with Keyboard("play", "pied_piper", "--seed", "5") as table:
        table.see("\n> ")
        table.type("1")
        table.see("\n> ")
        table.type("why forward 2 character card 1")
        told = table.see("\n> ")
        assert "Place a card: Forward 2, character card 1 is not allowed:" in told
        assert "Your second card goes to a different character card. [§PP-21 §PP-22]" in told
        table.type("why forward 2 character 2")
        assert "That is allowed" in table.see("\n> ")


def test_two_people_at_one_keyboard() -> None:
    with Keyboard("play", "kuhn_poker", "--seed", "2", "--seats", "human,human") as table:
        table.see("Player 1, press Enter")
        table.type("")
        first = table.see("\n> ")
        (card,) = [line for line in first.splitlines() if line.startswith("Your hand:")]
        table.type("check")
        table.see("Player 2, press Enter")
        table.type("")
        table.see("\n> ")
        shown = table.raw[table.raw.rindex(CLEAR) :]
        assert card not in plain(shown)
        assert "Your hand:" in plain(shown)
        assert "Player 1: Check" in plain(shown)


def test_choosing_at_the_same_time() -> None:
    with Keyboard(
        "play", "sushi_draft", "--seed", "2", "--players", "2", "--seats", "human,human"
    ) as table:
        table.see("Player 1, press Enter")
        table.type("")
        table.see("\n> ")
        table.type("1")
        table.see("Player 2, press Enter")
        table.type("")
        table.see("\n> ")
        shown = plain(table.raw[table.raw.rindex(CLEAR) :])
        assert "Player 1:" not in shown.split("What happened:")[-1]
        assert "Keep one dish." in shown


def test_german() -> None:
    with Keyboard("play", "pied-piper", "--seed", "5", "--lang", "de") as table:
        shown = table.see("\n> ")
        assert "Der Rattenfänger von Hameln, 4 Spieler, Startzahl 5" in shown
        assert "Spieler 1, du bist dran. Spiele eine Aktionskarte unter eine" in shown
        table.type("1 vor fig 1")
        table.see("\n> ")
        table.type("warum 2 vorwärts figurenkarte 1")
        assert "Deine zweite Karte muss unter eine andere Figurenkarte." in table.see("\n> ")
        table.type("zurück")
        table.see("Zurückgenommen.")
        table.see("\n> ")
        table.type("regel Kanal")
        assert "§PP-42" in table.see("\n> ")
        table.type("ende")
        table.see("Auf Wiedersehen.")
        assert table.leave() == 0


def test_an_interrupt_says_how_to_go_on(tmp_path: Path) -> None:
    with Keyboard("play", "pig", "--seed", "5", "--save", "my.game", cwd=tmp_path) as table:
        table.see("\n> ")
        table.interrupt_prompt()
        table.see("ruledsl resume my.game")
        assert table.leave() == 130


def test_thinking_shows_how_far_it_is_and_leaves_no_trace() -> None:
    with Keyboard("play", "connect_four", "--seats", "human,mcts:1s", "--seed", "3") as table:
        table.see("\n> ")
        table.type("4")
        table.see("\n> ")
        assert re.search(r"\rPlayer 2 thinks … \d+ %", table.raw)
        table.type("hint")
        table.see("Perhaps: ")
        table.see("\n> ")
        assert re.search(r"\rLooking ahead … \d+ %", table.raw)
        assert "thinks" not in table.text
        assert "Looking" not in table.text
        assert "\n> hint\n  Perhaps: " in table.text


def test_thinking_can_be_interrupted(tmp_path: Path) -> None:
    args = ("--seats", "human,mcts:500s", "--seed", "5", "--save", "my.game")
    with Keyboard("play", "connect_four", *args, cwd=tmp_path) as table:
        table.see("\n> ")
        table.type("4")
        table.gets("Player 2 thinks")
        table.press("C")
        table.see("Interrupted.")
        table.see("ruledsl resume my.game")
        assert table.leave() == 130
        assert "thinks" not in table.text
        assert "Traceback" not in table.text
    with Keyboard("resume", "my.game", cwd=tmp_path) as table:
        table.gets("Player 2 thinks")
        table.press("C")
        assert table.leave() == 130
    with Save.open(tmp_path / "my.game") as save:
        assert [choice.code for choice in save.choices] == ["drop(Cell(4, 1))"]


def test_a_hint_can_be_interrupted(tmp_path: Path) -> None:
    with Keyboard("play", "hearts", "--seed", "7", "--save", "my.game", cwd=tmp_path) as table:
        table.see("\n> ")
        table.type("hint")
        table.gets("Looking ahead … ")
        table.press("C")
        table.see("No hint, then.")
        table.see("> ")
        table.type("quit")
        table.see("ruledsl resume my.game")
        assert table.leave() == 0
        assert "Traceback" not in table.text
    with Save.open(tmp_path / "my.game") as save:
        assert save.choices == ()


def test_the_end_of_input_at_the_keyboard_is_a_goodbye() -> None:
    with Keyboard("play", "pig", "--seed", "5") as table:
        table.see("\n> ")
        table.press("D")
        table.see("The game is kept as `pig-1`.")
        assert table.leave() == 0
        assert "Traceback" not in table.text


def test_moves_from_a_file_and_then_by_hand(tmp_path: Path) -> None:
    (tmp_path / "moves").write_text("b2\n", encoding="utf-8")
    args = ("play", "tic_tac_toe", "--seed", "3", "--moves", "moves")
    with Keyboard(*args, cwd=tmp_path) as table:
        table.see("> b2")
        table.see("\n> ")
        table.type("a1")
        table.see("Player 1: Mark: a1")
        table.see("\n> ")
        table.type("quit")
        assert table.leave() == 0


def test_colours() -> None:
    with Keyboard("play", "pig", "--seed", "5", color=True) as table:
        table.see("\n> ")
        assert "\x1b[38;2;" in table.raw
    with Keyboard("play", "pig", "--seed", "5") as table:
        table.see("\n> ")
        assert "\x1b[3" not in table.raw


@pytest.mark.parametrize("columns", [40, 80])
@pytest.mark.parametrize("game", ["chess", "burg_appenzell"])
def test_it_fits_the_terminal(game: str, columns: int) -> None:
    with Keyboard("play", game, "--seed", "5", columns=columns) as table:
        table.see("\n> ")
        for line in ("help", "rules move", "why a1 a1", "zzz", "log", "2"):
            table.type(line)
            table.see("\n> ")
        assert too_long(table.text, columns) == []


def test_a_game_that_is_left_is_kept_and_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    with Keyboard("play", "tic_tac_toe", "--seats", "human,human", "--plain") as keyboard:
        keyboard.see("press Enter")
        keyboard.type("")
        keyboard.see("> ")
        keyboard.type("b2")
        keyboard.see("press Enter")
        keyboard.type("quit")
        keyboard.see("ruledsl resume tic_tac_toe-1")
        assert keyboard.leave() == 0
    with Keyboard("resume") as keyboard:
        keyboard.see("tic_tac_toe-1", "no game")
        keyboard.see("(human, human), 1 choice")
        assert keyboard.leave() == 0
    with Keyboard("history", "tic_tac_toe-1") as keyboard:
        keyboard.see("1. Player 1: Mark: b2.")
        assert keyboard.leave() == 0
    with Keyboard("replay", "tic_tac_toe-1") as keyboard:
        keyboard.see("Player 1: Mark: b2")
        assert keyboard.leave() == 0
    with Keyboard("resume", "tic_tac_toe-1", "--plain") as keyboard:
        keyboard.see("press Enter")
        keyboard.type("")
        keyboard.see("> ")
        for move in ("a1", "a2", "a3", "c2"):
            keyboard.type(move)
            keyboard.see("press Enter", "The game is over")
            keyboard.type("")
        keyboard.see("Look back on it with: ruledsl history tic_tac_toe-1")
        assert keyboard.leave() == 0
    with Keyboard("resume") as keyboard:
        keyboard.see("no game was left")
        keyboard.see("Over:")
        keyboard.see("tic_tac_toe-1")
        assert keyboard.leave() == 0
    with Keyboard("history", "tic_tac_toe-1") as keyboard:
        keyboard.see("The game is over.")
        assert keyboard.leave() == 0
    with Keyboard("play", "tic_tac_toe", "--plain") as keyboard:
        keyboard.see("> ")
        keyboard.type("quit")
        keyboard.see("ruledsl resume tic_tac_toe-2")
        assert keyboard.leave() == 0


def test_a_running_game_with_secrets_is_replayed_for_its_player_only(tmp_path: Path) -> None:
    args = ("kuhn_poker", "--seed", "2", "--seats", "human,random", "--save", "my.game")
    with Keyboard("play", *args, cwd=tmp_path) as table:
        shown = table.see("\n> ")
        (hand,) = [line for line in shown.splitlines() if line.startswith("Your hand:")]
        table.type("undo")
        table.see("You have not chosen anything yet.")
        table.type("quit")
        assert table.leave() == 0
    with Keyboard("replay", "my.game", cwd=tmp_path) as own:
        assert own.leave() == 0
        assert hand in own.text
    with Keyboard("replay", "my.game", "--seat", "2", cwd=tmp_path) as other:
        assert other.leave() == 2
        assert "seat 2 sees what is hidden from seat 1" in other.text
        assert "Your hand:" not in other.text
    with Keyboard("replay", "my.game", "--seat", "2", "--open", cwd=tmp_path) as opened:
        assert opened.leave() == 0
        assert "Your hand:" in opened.text
        assert hand not in opened.text


def test_saving_under_a_name_takes_the_game_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    with Keyboard("play", "tic_tac_toe", "--plain", cwd=tmp_path) as keyboard:
        keyboard.see("> ")
        keyboard.type("save one.game")
        keyboard.see("saved in `one.game`")
        keyboard.type("save two words.game")
        keyboard.see("saved in `two words.game`")
        keyboard.type("save one.game")
        keyboard.see("exists already")
        keyboard.type("quit")
        keyboard.see("resume 'two words.game'")
        assert keyboard.leave() == 0
    assert list((tmp_path / "ruledsl" / "games").iterdir()) == []
    assert (tmp_path / "one.game").exists()


def test_a_handover_clears_the_game_and_not_the_scrollback() -> None:
    args = ("kuhn_poker", "--seed", "2", "--seats", "human,human")
    with Keyboard("play", *args, columns=60, lines=24) as table:
        table.see("Player 1, press Enter")
        assert ALTERNATE in table.raw
        table.type("")
        table.see("\n> ")
        table.type("check")
        table.see("Player 2, press Enter")
        table.type("quit")
        table.see("ruledsl resume kuhn_poker-1")
        assert table.leave() == 0
        assert table.raw.rindex(BACK) < table.raw.rindex("ruledsl resume")
        assert "\x1b[3J" not in table.raw


def test_what_is_typed_ahead_is_not_played() -> None:
    with Keyboard("play", "connect_four", "--seats", "human,mcts:1s", "--seed", "3") as table:
        table.see("\n> ")
        table.type("4")
        table.gets("thinks")
        table.type("1")
        table.see("\n> ")
        table.type("log")
        assert table.see("\n> ").count("Player 1: Drop") == 1


def test_a_dumb_terminal_gets_no_codes() -> None:
    with Keyboard("play", "kuhn_poker", "--seats", "human,human", terminal="dumb") as table:
        table.see("Player 1, press Enter")
        table.type("")
        table.see("\n> ")
        table.type("quit")
        assert table.leave() == 0
        assert "\x1b" not in table.raw


def test_plain_lines_have_board_and_question_on_one_screen() -> None:
    with Keyboard("play", "pied_piper", "--seed", "11", columns=80, lines=24) as table:
        screen = table.shows("\n>")
        assert "rat tracker " in screen
        assert "Your hand: " in screen
        assert "Place a card" in screen or "one of each" in screen
