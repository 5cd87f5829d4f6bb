"""Counting ways to play on, against counts that others have published."""

from __future__ import annotations

import pytest

from ruledsl.diagnostics.source import Source
from ruledsl.engine import EngineError
from ruledsl.lab.perft import By, Perft
from ruledsl.library import Library
from ruledsl.model.check import check_rules
from ruledsl.table.table import Table


def counted(name: str, by: By, depth: int) -> list[int]:
    game = check_rules(Library().find(name), Library()).game
    assert game is not None
    perft = Perft(Table(game, game.players[0]), 0, by)
    return [sum(each.count for each in perft.divide(below)) for below in range(1, depth + 1)]


PUBLISHED: list[tuple[str, By, list[int]]] = [
    (
        "tic_tac_toe",
        "decision",
        [9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872, 0],
    ),
    ("connect_four", "decision", [7, 49, 343, 2401, 16807, 117649]),
    ("breakthrough", "decision", [22, 484, 11132, 256036]),
    ("othello", "decision", [4, 12, 56, 244, 1396, 8200, 55092]),
    ("hex", "decision", [121, 14520]),
    ("checkers", "turn", [7, 49, 302, 1469, 7361, 36768, 179740]),
    ("nine_mens_morris", "turn", [24, 552, 12144, 255024]),
    ("chess", "turn", [20, 400, 8902]),
]


@pytest.mark.parametrize(("name", "by", "counts"), PUBLISHED)
def test_published_counts(name: str, by: By, counts: list[int]) -> None:
    assert counted(name, by, len(counts)) == counts


@pytest.mark.soak
@pytest.mark.parametrize(
    ("name", "by", "counts"),
    [
        ("connect_four", "decision", [7, 49, 343, 2401, 16807, 117649, 823536, 5673234]),
        ("breakthrough", "decision", [22, 484, 11132, 256036, 6182818]),
        ("othello", "decision", [4, 12, 56, 244, 1396, 8200, 55092, 390216]),
        ("hex", "decision", [121, 14520, 1727880]),
        ("checkers", "turn", [7, 49, 302, 1469, 7361, 36768, 179740, 845931]),
        ("nine_mens_morris", "turn", [24, 552, 12144, 255024, 5140800]),
        ("chess", "turn", [20, 400, 8902, 197281]),
    ],
)
def test_deeper_published_counts(name: str, by: By, counts: list[int]) -> None:
    assert counted(name, by, len(counts)) == counts


def table(text: str, players: int = 2) -> Table:
    game = check_rules(Source("pairs.rules", text), Library()).game
    assert game is not None
    return Table(game, players)


PAIRS = """\
game pairs "Pairs"
    players 2

place heap of Stone
place box of Stone
piece Stone 9 in heap

step setup
    set active = Player(1)

step play
    repeat
        choose "Take."
            take
        choose "Take."
            take
        if count(box) >= 8
            win you
        set active = active.next

action take(n in 1..2) "Take"
    move n from heap to box
"""


def test_decisions_of_one_seat_are_one_turn() -> None:
    by_turn = Perft(table(PAIRS), 0, "turn")
    by_decision = Perft(table(PAIRS), 0, "decision")
    turns = [[each.count for each in by_turn.divide(depth)] for depth in (1, 2)]
    decisions = [[each.count for each in by_decision.divide(depth)] for depth in (2, 4)]
    assert turns == decisions == [[2, 2], [8, 8]]


def test_a_turn_that_ends_the_game_counts() -> None:
    perft = Perft(table(PAIRS.replace(">= 8", ">= 2")), 0, "turn")
    assert [each.count for each in perft.divide(1)] == [2, 2]
    assert [each.count for each in perft.divide(2)] == [0, 0]


def test_turns_without_end_are_refused() -> None:
    endless = PAIRS.replace("        set active = active.next\n", "").replace(
        "    move n from heap to box\n",
        "    move n from heap to box\n    move n from box to heap\n",
    )
    with pytest.raises(EngineError, match="more than 64 decisions"):
        Perft(table(endless), 0, "turn").divide(1)
