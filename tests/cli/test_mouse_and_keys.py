"""The mouse, keys that lead back to what was typed, and Ctrl-Z, in a pseudo-terminal."""

from pathlib import Path

import pytest

from .keyboard import PROGRAM, Keyboard

pytest.importorskip("prompt_toolkit")

UP = "\x1b[A"
WHEEL_DOWN = "\x1b[<65;{column};{row}M"
CLICK = "\x1b[<0;{column};{row}M\x1b[<0;{column};{row}m"


def test_a_click_takes_an_option() -> None:
    args = ("play", "tic_tac_toe", "--seed", "3", "--seats", "human,random")
    with Keyboard(*args, lines=24, full=True) as table:
        lines = table.asks().split("\n")
        row = next(row for row, line in enumerate(lines) if "2) b1" in line)
        column = lines[row].index("b1")
        table.send(CLICK.format(column=column + 1, row=row + 1))
        table.shows("Player 1: Mark: b1.")


def test_the_wheel_scrolls_the_table() -> None:
    with Keyboard("play", "ratzentanz", "--seed", "5", lines=24, full=True) as table:
        top, _, below = table.asks().partition("\n")
        third = below.split("\n")[2]
        table.send(WHEEL_DOWN.format(column=5, row=5))
        assert table.differs(top).startswith(third)


def test_an_arrow_leads_back_on_the_full_screen() -> None:
    with Keyboard("play", "tic_tac_toe", lines=24, full=True) as table:
        table.type_keys("zzz")
        table.shows("`zzz` is nothing")
        table.keys(UP)
        table.shows("> zzz")


def test_an_arrow_leads_back_in_plain_lines() -> None:
    with Keyboard("play", "tic_tac_toe") as table:
        table.see("\n> ")
        table.type("zzz")
        table.see("\n> ")
        table.send(UP)
        table.see("zzz")


def test_ctrl_z_and_fg_in_plain_lines() -> None:
    with Keyboard("--norc", "-i", program=Path("/bin/bash")) as shell:
        shell.type(f"{PROGRAM} play chess")
        shell.see("\n> ")
        shell.press("Z")
        shell.see("Stopped")
        shell.type("fg")
        shell.see("play chess")
        shell.type("quit")
        shell.see("ruledsl resume chess-1")
        shell.type("exit")
        assert shell.leave() == 0
