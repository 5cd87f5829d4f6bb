"""The full screen in a pseudo-terminal, and the panes it is made of."""

from pathlib import Path

import pytest

import ruledsl
from ruledsl.cli.drawing.panes import Told, framed
from ruledsl.cli.drawing.text import finished, width

from .keyboard import ALTERNATE, BACK, PROGRAM, Keyboard
from .test_screens import panes_of

pytest.importorskip("prompt_toolkit")


def shell() -> Keyboard:
    """A shell with job control, on a terminal that is large enough for the full screen."""
    return Keyboard("--norc", "-i", columns=80, lines=24, full=True, program=Path("/bin/bash"))


def table(*args: str, columns: int = 80, lines: int = 24) -> Keyboard:
    return Keyboard("play", *args, columns=columns, lines=lines, full=True)


def test_a_game_on_the_full_screen_gives_the_terminal_back() -> None:
    with table("tic_tac_toe", "--seed", "3", "--seats", "human,random") as keyboard:
        keyboard.shows("Put your mark")
        assert ALTERNATE in keyboard.raw
        while (asked := keyboard.asks()) and "leave" not in asked:
            first = asked.partition("  1) ")[2].split()[0]
            keyboard.type_keys("1")
            keyboard.shows(f"Player 1: Mark: {first}.")
        keyboard.type_keys("")
        assert keyboard.leave() == 0
        assert keyboard.raw.rindex(BACK) < keyboard.raw.rindex("The game is over.")


def test_tab_completes_a_move() -> None:
    with table("chess", "--seats", "human,human") as keyboard:
        keyboard.shows("press Enter")
        keyboard.type_keys("")
        keyboard.shows("d2 (pawn)")
        keyboard.keys("g1\t")
        keyboard.shows("Move: g1")


def test_an_interrupt_leaves_the_game_and_tells_how_to_go_on() -> None:
    with table("chess") as keyboard:
        keyboard.shows("go on")
        keyboard.press("C")
        assert keyboard.leave() == 130
        assert "ruledsl resume chess-1" in keyboard.text
        assert BACK in keyboard.raw


def test_what_was_asked_stands_above_its_answer() -> None:
    with table("chess", "--seats", "human,random") as keyboard:
        keyboard.shows("go on")
        keyboard.type_keys("why e2 e5")
        assert "> why e2 e5\nMove: e2 → e5 is not allowed:" in keyboard.shows("is not allowed:")


def test_an_interrupt_ends_a_hint_only() -> None:
    with table("chess") as keyboard:
        keyboard.shows("go on")
        keyboard.type_keys("hint")
        keyboard.shows("Looking ahead")
        keyboard.press("C")
        keyboard.shows("No hint, then.")
        keyboard.type_keys("quit")
        assert keyboard.leave() == 0


def test_news_that_do_not_fit_are_read_before_the_menu() -> None:
    with table("chess") as keyboard:
        assert "Checkmate the king" in keyboard.shows("Enter: go on")
        keyboard.type_keys("")
        keyboard.shows("d2 (pawn)")
        keyboard.type_keys("try e2e4")
        keyboard.shows("Nothing of it has happened.")
        imagined = keyboard.shows("4 · · · ·[P]· · · 4")
        assert "Enter: go on" in imagined, "not the menu of the table as it is"
        assert "d2 (pawn)" not in imagined
        keyboard.type_keys("")
        assert "d2 (pawn)" in keyboard.shows("4 + + + + + + + + 4")
        keyboard.type_keys("quit")
        assert keyboard.leave() == 0


def test_news_below_news_need_no_title() -> None:
    with table("tic_tac_toe", "--seats", "human,random", "--seed", "3") as keyboard:
        keyboard.type_keys("b2")
        keyboard.shows("Player 1: Mark: b2.")
        keyboard.type_keys("a1")
        assert keyboard.shows("Player 1: Mark: a1.").count("What happened:") == 1


def test_ctrl_z_and_fg() -> None:
    """A shell stands in for the one that people have: it gets the terminal back, and gives it."""
    with shell() as keyboard:
        keyboard.send(f"{PROGRAM} play chess\r")
        keyboard.gets(ALTERNATE)
        keyboard.shows("go on")
        keyboard.press("Z")
        keyboard.gets(BACK)
        keyboard.gets("Stopped")
        keyboard.send("fg\r")
        keyboard.gets(ALTERNATE)
        keyboard.gets("go on")
        keyboard.type_keys("quit")
        keyboard.shows("ruledsl resume chess-1")
        keyboard.send("exit\r")
        assert keyboard.leave() == 0


def test_another_size_is_drawn_anew() -> None:
    with table("pied_piper", "--seed", "5", columns=80) as keyboard:
        assert "│" not in keyboard.asks()
        keyboard.resize(120, 40)
        keyboard.shows("│")
        keyboard.type_keys("quit")
        assert keyboard.leave() == 0


def test_a_handover_shows_nothing_of_the_other_hand() -> None:
    with table("hearts", "--seats", "human,human,human,human", "--seed", "7") as keyboard:
        keyboard.shows("press Enter")
        keyboard.type_keys("")
        keyboard.shows("Pass three cards.")
        keyboard.shows("2♣")
        keyboard.type_keys("1,2,3")
        assert "♣" not in keyboard.shows("Player 2, press Enter")
        keyboard.type_keys("quit")
        assert keyboard.leave() == 0
        assert "\x1b[3J" not in keyboard.raw


def test_a_small_terminal_gets_plain_lines() -> None:
    with table("tic_tac_toe", columns=60) as keyboard:
        keyboard.see("> ")
        assert ALTERNATE not in keyboard.raw


@pytest.mark.parametrize("size", [(80, 24), (100, 40)])
@pytest.mark.parametrize("name", ["pied_piper", "hameln", "ratzentanz", "burg_appenzell", "chess"])
def test_a_frame_fills_the_screen_exactly(name: str, size: tuple[int, int]) -> None:
    panes = panes_of(ruledsl.load(name).start(seed=5))
    panes.told = [Told("What happened:"), Told("  something")]
    columns, rows = size
    frame = framed(panes, columns, rows)
    assert len(frame.lines) == rows
    assert max(map(width, frame.lines)) <= columns
    text = "\n".join(finished(line, color=False) for line in frame.lines)
    assert "something" in text
    if not any("1) " in found for _, found in frame.options.values()):
        return  # what can be chosen is typed
    row, (start, line) = next(
        (row, found) for row, found in frame.options.items() if "1) " in found[1]
    )
    assert frame.option_at(start + line.index("1) "), row) == 1
