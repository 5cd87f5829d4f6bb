"""The rules against counts and statistics that others have published."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest

from ruledsl.library import Library
from ruledsl.model.check import check_rules
from ruledsl.play.chance import Dice, Generator
from ruledsl.play.decisions import Decision
from ruledsl.play.events import Assigned
from ruledsl.play.interpreter import Interpreter
from ruledsl.table.table import Table


@cache
def table_of(name: str) -> Table:
    game = check_rules(Library().find(name), Library()).game
    assert game is not None
    return Table(game, game.players[0])


class Line:
    """A game played along given options, and how many turns have been completed."""

    def __init__(self, table: Table, line: tuple[int, ...]) -> None:
        self.interpreter = Interpreter(table, Dice(Generator(1)))
        self.interpreter.ask_always = True
        run = self.interpreter.play()
        self.decision: Decision | None = next(run)
        before = self._handed_over()
        for number in line:
            assert self.decision is not None
            try:
                self.decision = run.send(self.decision.options[number])
            except StopIteration:
                self.decision = None
        self.turns = self._handed_over() - before

    def _handed_over(self) -> int:
        events = self.interpreter.hands.events
        return sum(1 for e in events if isinstance(e, Assigned) and e.state == "active")


def leaves(table: Table, depth: int, *, by_turn: bool) -> list[int]:
    """How many lines of play there are of each length; a game that is over goes no further."""
    counts = [0] * (depth + 1)

    def follow(line: tuple[int, ...], reached: int) -> None:
        at = Line(table, line)
        if at.decision is None:
            counts[reached + 1 if by_turn else len(line)] += 1
            return
        now = at.turns if by_turn else len(line)
        if now > reached:
            counts[now] += 1
        if now < depth:
            for number in range(len(at.decision.options)):
                follow((*line, number), now)

    follow((), 0)
    return counts[1:]


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("tic_tac_toe", [9, 72]),
        ("connect_four", [7, 49]),
        ("breakthrough", [22]),
        ("othello", [4, 12, 56]),
        ("hex", [121]),
    ],
)
def test_the_number_of_moves_is_the_published_one(name: str, counts: list[int]) -> None:
    assert leaves(table_of(name), len(counts), by_turn=False) == counts


@pytest.mark.parametrize(
    ("name", "counts"),
    [("checkers", [7, 49]), ("nine_mens_morris", [24]), ("chess", [20])],
)
def test_the_number_of_turns_is_the_published_one(name: str, counts: list[int]) -> None:
    assert leaves(table_of(name), len(counts), by_turn=True) == counts


@pytest.mark.soak
@pytest.mark.parametrize(
    ("name", "counts", "by_turn"),
    [
        ("tic_tac_toe", [9, 72, 504, 3024, 15120], False),
        ("connect_four", [7, 49, 343, 2401, 16807], False),
        ("breakthrough", [22, 484], False),
        ("othello", [4, 12, 56, 244, 1396], False),
        ("checkers", [7, 49, 302, 1469], True),
        ("nine_mens_morris", [24, 552], True),
        ("chess", [20, 400], True),
    ],
)
def test_deeper_counts_are_the_published_ones(name: str, counts: list[int], by_turn: bool) -> None:
    assert leaves(table_of(name), len(counts), by_turn=by_turn) == counts


def random_games(name: str, number: int) -> tuple[list[float], float]:
    """The shares of first player, second player and draws, and the mean length."""
    table = table_of(name)
    won = [0, 0, 0]
    moves = 0
    for seed in range(number):
        interpreter = Interpreter(table, Dice(Generator(seed)))
        interpreter.ask_always = True
        choice = Random(seed)
        run = interpreter.play()
        decision = next(run)
        try:
            while True:
                moves += 1
                decision = run.send(choice.choice(decision.options))
        except StopIteration:
            result = interpreter.result
            assert result is not None
            won[result.winners[0] - 1 if result.winners else 2] += 1
    return [share / number for share in won], moves / number


def check_statistics(name: str, games: int, shares: list[float], length: float) -> None:
    """Within four standard errors of the published values."""
    found, mean = random_games(name, games)
    for share, published in zip(found, shares, strict=True):
        assert abs(share - published) < 4 * (published * (1 - published) / games) ** 0.5 + 0.001
    assert abs(mean - length) < 0.05 * length


def test_random_play_of_tic_tac_toe_is_as_published() -> None:
    check_statistics("tic_tac_toe", 300, [0.585, 0.288, 0.127], 7.627)


@pytest.mark.soak
@pytest.mark.parametrize(
    ("name", "shares", "length"),
    [
        ("tic_tac_toe", [0.585, 0.288, 0.127], 7.627),
        ("connect_four", [0.556, 0.441, 0.003], 21.31),
        ("breakthrough", [0.5095, 0.4905, 0.0], 64.09),
    ],
)
def test_random_play_is_as_published(name: str, shares: list[float], length: float) -> None:
    check_statistics(name, 2_000, shares, length)
