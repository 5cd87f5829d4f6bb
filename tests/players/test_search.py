"""The player that looks ahead, beside what is known about games: perfect play and forced wins."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import product

import pytest

from ruledsl.lab.tally import share
from ruledsl.play.chance import Generator
from ruledsl.play.match import Match
from ruledsl.players.budget import Iterations
from ruledsl.players.player import Thinking, Thought
from ruledsl.players.search import SearchPlayer, best
from ruledsl.players.situation import situation_of

from ..play.table import loaded

Chooser = Callable[[Match], int]


def thoughts(match: Match, iterations: int, seed: int = 1) -> tuple[Thought, ...]:
    assert match.decision is not None
    player = SearchPlayer(Iterations(iterations), Generator(seed))
    return player.thoughts(situation_of(match.interpreter, match.decision))


def chosen(match: Match, iterations: int, seed: int = 1) -> str:
    """The option that a search takes, as a code."""
    return match.options[best(thoughts(match, iterations, seed))].code


def thinking(match: Match, seed: int = 1) -> Thinking:
    assert match.decision is not None
    return situation_of(match.interpreter, match.decision).think(Generator(seed))


# ---------------------------------------------------------------- tic-tac-toe

LINES = (
    *((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6)),
    *((1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)),
)


@cache
def outcome(board: str, mover: str) -> int:
    """What perfect play leads to: 1 if the mover wins, -1 if it loses."""
    other = "O" if mover == "X" else "X"
    if any(all(board[cell] == other for cell in line) for line in LINES):
        return -1
    free = [cell for cell in range(9) if board[cell] == "."]
    return max((-outcome(marked(board, cell, mover), other) for cell in free), default=0)


def marked(board: str, cell: int, mover: str) -> str:
    return board[:cell] + mover + board[cell + 1 :]


class Board:
    """The board of a match, by its history: the cells that are free are its options."""

    def __init__(self, match: Match) -> None:
        self.text, self.mover = ".........", "X"
        for number in match.history:
            self.text = marked(self.text, self.free[number], self.mover)
            self.mover = "O" if self.mover == "X" else "X"

    @property
    def free(self) -> list[int]:
        return [cell for cell in range(9) if self.text[cell] == "."]


def test_the_perfect_player_of_this_test_is_perfect() -> None:
    assert outcome(".........", "X") == 0
    assert outcome("XX.OO....", "X") == 1
    assert outcome("X...O...X", "O") == 0


def perfectly(mind: Generator) -> Chooser:
    """Any of the best moves."""

    def choose(match: Match) -> int:
        board = Board(match)
        other = "O" if board.mover == "X" else "X"
        worth = [-outcome(marked(board.text, cell, board.mover), other) for cell in board.free]
        equal = [at for at, value in enumerate(worth) if value == max(worth)]
        return equal[mind.below(len(equal))]

    return choose


def randomly(mind: Generator) -> Chooser:
    return lambda match: mind.below(len(match.options))


@pytest.mark.parametrize("seat", [1, 2])
@pytest.mark.parametrize("opponent", [randomly, perfectly])
def test_tic_tac_toe_is_never_lost(opponent: Callable[[Generator], Chooser], seat: int) -> None:
    other = opponent(Generator(seat))
    for seed in range(12):
        match = loaded("tic_tac_toe").start(seed=seed)
        while match.seat is not None:
            if match.seat == seat:
                found = thoughts(match, 2_000, seed)
                match.choose(best(found))
            else:
                match.choose(other(match))
        result = match.result
        assert result is not None
        assert 3 - seat not in result.winners, match.history


# ---------------------------------------------------------------- forced wins


def dropped(columns: str) -> Match:
    """Connect Four after discs were dropped into columns."""
    match = loaded("connect_four").start(seed=1)
    for column in columns:
        codes = [each.code for each in match.options]
        match.choose(next(at for at, code in enumerate(codes) if code[10] == column))
    return match


@pytest.mark.parametrize(
    ("columns", "right"),
    [
        pytest.param("414243", "4", id="four upright"),
        pytest.param("112233", "4", id="four in a row"),
        pytest.param("41424", "4", id="prevent four upright"),
        pytest.param("11223", "4", id="prevent four in a row"),
        pytest.param("3344", "25", id="three that are open at both ends"),
        pytest.param("374", "25", id="prevent three that are open at both ends"),
    ],
)
def test_connect_four(columns: str, right: str) -> None:
    for seed in range(3):
        assert chosen(dropped(columns), 4_000, seed)[10] in right


Square = tuple[int, int]
Men = frozenset[Square]
Step = tuple[Square, Square]


def steps(mine: Men, theirs: Men, ahead: int) -> Iterator[Step]:
    """The legal moves of Breakthrough."""
    for column, row in sorted(mine):
        for aside in (-1, 0, 1):
            goal = (column + aside, row + ahead)
            if 1 <= goal[0] <= 8 and goal not in mine and (aside or goal not in theirs):
                yield (column, row), goal


def stepped(mine: Men, theirs: Men, step: Step) -> tuple[Men, Men]:
    """After a move: first the men of the other side, whose turn it is."""
    return theirs - {step[1]}, mine - {step[0]} | {step[1]}


def at_once(mine: Men, theirs: Men, ahead: int) -> list[Step]:
    """Moves that win."""
    last = 8 if ahead == 1 else 1
    near = frozenset(square for square in mine if square[1] + ahead == last)
    own = mine - near
    return [step for step in steps(near, theirs, ahead) if step[1] not in own]


def wins_at_once(men: tuple[Men, Men], ahead: int) -> bool:
    return bool(at_once(*men, ahead))


def holding(mine: Men, theirs: Men, ahead: int) -> list[Step]:
    """Moves after which the other side can't win at once."""
    return [
        step
        for step in steps(mine, theirs, ahead)
        if not wins_at_once(stepped(mine, theirs, step), -ahead)
    ]


def forcing(mine: Men, theirs: Men, ahead: int) -> list[Step]:
    """Moves that win whatever the other side does, with the next move at the latest."""
    found = []
    for step in holding(mine, theirs, ahead):
        them, us = stepped(mine, theirs, step)
        replies = steps(them, us, -ahead)
        if all(wins_at_once(stepped(them, us, reply), ahead) for reply in replies):
            found.append(step)
    return found


def step_of(code: str) -> Step:
    a, b, c, d = (int(sign) for sign in code if sign.isdigit())
    return (a, b), (c, d)


def random_positions(seeds: int) -> Iterator[tuple[Match, Men, Men, int]]:
    """Positions of random games of Breakthrough."""
    for seed in range(seeds):
        match = loaded("breakthrough").start(seed=seed)
        mind = Generator(seed)
        one, other = (frozenset(product(range(1, 9), rows)) for rows in ((1, 2), (7, 8)))
        ahead = 1
        while match.seat is not None:
            codes = [each.code for each in match.options]
            assert {step_of(code) for code in codes} == {*steps(one, other, ahead)}
            yield match, one, other, ahead
            number = mind.below(len(codes))
            one, other = stepped(one, other, step_of(codes[number]))
            ahead = -ahead
            match.choose(number)


ENOUGH = 4


def test_breakthrough() -> None:
    """Wins at once and by force are found, and wins of the other side are prevented."""
    met = {"won": 0, "forced": 0, "held": 0}
    for match, mine, theirs, ahead in random_positions(40):
        if right := at_once(mine, theirs, ahead):
            sort = "won"
        elif not at_once(theirs, mine, -ahead):
            right = forcing(mine, theirs, ahead)
            sort = "forced"
        else:
            right = forcing(mine, theirs, ahead) or holding(mine, theirs, ahead)
            sort = "held"
        if right and met[sort] < ENOUGH:
            met[sort] += 1
            assert step_of(chosen(match, 4_000)) in right, (sort, match.history)
        if min(met.values()) == ENOUGH:
            return
    raise AssertionError(met)


# ---------------------------------------------------------------- Pig

GOAL = 30


def pig_chances() -> Callable[[int, int, int, bool], float]:
    """The chance to win for whoever throws or holds, by value iteration.

    `win[mine][theirs]` is the chance at the start of a turn, when the first throw is forced.
    """
    win = [[0.5] * GOAL for _ in range(GOAL)]

    def turn(mine: int, theirs: int) -> tuple[list[float], list[float]]:
        """For each number of points in the pot: the chance by holding, and by throwing."""
        size = GOAL - mine
        lost = 1 - win[theirs][mine]
        hold = [1.0 if pot >= size else 1 - win[theirs][mine + pot] for pot in range(size + 7)]
        throw = [0.0] * (size + 7)
        for pot in reversed(range(size)):
            after = [max(hold[pot + pips], throw[pot + pips]) for pips in range(2, 7)]
            throw[pot] = (lost + sum(after)) / 6
        return hold, throw

    change = 1.0
    while change > 1e-9:
        change = 0.0
        for mine, theirs in product(reversed(range(GOAL)), repeat=2):
            now = turn(mine, theirs)[1][0]
            change = max(change, abs(now - win[mine][theirs]))
            win[mine][theirs] = now

    def chance(mine: int, theirs: int, pot: int, throws: bool) -> float:
        hold, throw = turn(mine, theirs)
        return throw[pot] if throws else hold[pot]

    return chance


def scores(match: Match) -> tuple[int, int, int]:
    """Of whoever decides, of the other, and what is in the pot."""
    assert match.seat is not None
    slots = match.interpreter.pos.slots
    me, other = match.player(match.seat), match.player(3 - match.seat)
    found = slots["Player.score", me], slots["Player.score", other], slots["pot", None]
    mine, theirs, pot = (int(str(value)) for value in found)
    return mine, theirs, pot


def test_a_short_game_of_pig_is_played_nearly_as_well_as_possible() -> None:
    """Playing against itself, a search gives away little of its chance to win."""
    chance = pig_chances()
    lost: list[float] = []
    for seed in range(6):
        match = loaded("pig").start(players=2, options={"goal": GOAL}, seed=seed)
        while match.seat is not None:
            code = chosen(match, 4_000, len(lost))
            throw, hold = (chance(*scores(match), throws) for throws in (True, False))
            lost.append(max(throw, hold) - (throw if code == "throw()" else hold))
            match.choose(code)
    assert len(lost) > 40
    assert sum(lost) / len(lost) < 0.015


def test_pig_is_played_as_well_as_by_holding_at_twenty() -> None:
    """Which loses against the best way to play by one game in a hundred."""
    games, won = 30, 0
    for seed in range(games):
        match = loaded("pig").start(players=2, seed=seed)
        own = seed % 2 + 1
        while match.seat is not None:
            mine, _, pot = scores(match)
            if match.seat == own:
                match.choose(chosen(match, 1_500, seed))
            else:
                match.choose("hold()" if pot >= 20 or mine + pot >= 100 else "throw()")
        assert match.result is not None
        won += own in match.result.winners
    assert share(won, games).high > 0.5


# ---------------------------------------------------------------- Kuhn poker

DOMINATED = {
    ("jack", "bet"): "call()",
    ("jack", "check bet"): "call()",
    ("king", "bet"): "fold()",
    ("king", "check bet"): "fold()",
    # Only a better card calls, only a worse one folds: to bet with the queen gains nothing.
    ("queen", "check"): "bet()",
    ("queen", ""): "bet()",
    # A check wins the antes for sure, a bet at least as much.
    ("king", "check"): "check()",
}


def test_kuhn_poker_without_dominated_moves() -> None:
    met: set[tuple[str, str]] = set()
    for seed, moves in product(range(40), ("", "check", "bet", "check bet")):
        match = loaded("kuhn_poker").start(seed=seed)
        for move in moves.split():
            match.choose(f"{move}()")
        assert match.seat is not None
        (held,) = next(
            pieces
            for place, pieces in match.interpreter.pos.contents.items()
            if place.kind == "hand" and place.index == match.seat - 1
        )
        case = (str(held), moves)
        if case in met:
            continue
        met.add(case)
        assert chosen(match, 100_000) != DOMINATED.get(case), case
    assert len(met) == 3 * 4
