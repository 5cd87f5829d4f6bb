"""Moves as players write them, typed in a terminal by people who take turns at it."""

from pathlib import Path

import ruledsl
from ruledsl.cli.saves import Save
from ruledsl.play.match import Match

from .keyboard import Keyboard

BACKGAMMON = (
    "24/23 13/8",
    "24/20 24/23",
    "23/21 24/20",
    "20/14 23/22",
    "21/18 20/14",
    "14/9 13/8",
    "9/4 8/3",
    "18/15 14/11",
    "11/8 8/5",
    "13/8 13/8",
)
HEARTS = (
    "6♣, 5♥, J♠",
    "J♣, 8♦, 6♠",
    "9♣, J♥, K♠",
    "9♦, 8♥, 4♠",
    "10♣",
    "5♣",
    "8♦",
    "Q♦",
    "10♦",
    "7♦",
    "A♦",
)
"""Each passes three cards, then one is played at a time."""


def typed(match: Match, args: tuple[str, ...], moves: tuple[str, ...], save: Path) -> None:
    """Each move in one line, as whoever is asked; the game that was saved is that of the match."""
    players = match.players
    seats = ",".join(["human"] * players)
    facing = 0
    with Keyboard("play", *args, "--seats", seats, "--save", str(save)) as table:
        for move in moves:
            assert match.seat is not None
            if match.seat != facing:
                facing = match.seat
                table.see(f"Player {facing}, press Enter")
                table.type("")
            shown = table.see("\n> ")
            assert f"Player {facing}, your turn." in shown
            table.type(move)
            seat = match.seat
            for part in move.split(", "):
                found = match.read(part)
                assert found.number is not None, move
                for number in (found.number, *found.then):
                    assert match.seat == seat
                    match.choose(number)
        table.see("press Enter", "\n> ")
        table.type("quit")
        assert table.leave() == 0
    with Save.open(save) as saved:
        assert [choice.number for choice in saved.choices] == list(match.history)


def test_ten_moves_of_backgammon(tmp_path: Path) -> None:
    match = ruledsl.load("backgammon").start(2, seed=3)
    typed(match, ("backgammon", "--seed", "3"), BACKGAMMON, tmp_path / "backgammon.save")
    assert len(match.history) == 20


def test_ten_moves_of_hearts(tmp_path: Path) -> None:
    match = ruledsl.load("hearts").start(4, seed=21)
    typed(match, ("hearts", "--seed", "21"), HEARTS, tmp_path / "hearts.save")
