"""Who sits in a seat: the words for it, what they stand for, and the players they make.

human  random  greedy  easy  medium  hard  mcts:ITERATIONS  mcts:2s
in the lab also  spoiler  hurried  hoard:NAME  aim:DEFINITION  avoid:NAME
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TypeAlias, assert_never

import attrs

from ruledsl.diagnostics.suggest import did_you_mean
from ruledsl.play.chance import Generator
from ruledsl.players.aims import Aim, is_aim
from ruledsl.players.budget import Budget, Iterations, Seconds
from ruledsl.players.player import Player
from ruledsl.players.search import SearchPlayer, Watch
from ruledsl.players.simple import AvoidingPlayer, GreedyPlayer, RandomPlayer


@attrs.frozen
class Human:
    """A person at the keyboard."""

    word: str = "human"


@attrs.frozen
class Random:
    """Any option, each equally likely."""

    word: str = "random"


@attrs.frozen
class Greedy:
    """What looks best at once."""

    word: str = "greedy"


@attrs.frozen
class Aiming:
    """Wants something else than to win, see `ruledsl/players/aims.py`."""

    word: str

    @property
    def aim(self) -> Aim:
        return Aim(self.word)


@attrs.frozen
class Avoiding:
    """Any option without this thing or action, as long as there is one."""

    word: str

    @property
    def name(self) -> str:
        return self.word.partition(":")[2]


@attrs.frozen
class Search:
    """Looks ahead as far as its budget goes."""

    word: str
    budget: Budget


Computer: TypeAlias = Random | Greedy | Search | Aiming | Avoiding
Seat: TypeAlias = Human | Computer

LEVELS: Mapping[str, Budget] = {
    "easy": Iterations(40),
    "medium": Iterations(400),
    "hard": Iterations(10_000),
}
"""How far each level looks ahead."""

OPPONENT: Computer = Search("medium", LEVELS["medium"])
"""Who sits where nobody is named."""

MOST_ITERATIONS = 1_000_000_000
MOST_SECONDS = 3_600

BUDGETS = ("mcts:ITERATIONS", "mcts:2s")
"""Stand for all words with a budget of their own."""
WORDS = ("human", "random", "greedy", *LEVELS, *BUDGETS)

_HOW = "write `mcts:1000` for iterations or `mcts:2s` for seconds"


class SeatError(Exception):
    """A word that stands for nobody; `hint` says what to write."""

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.hint = hint


# ---------------------------------------------------------------- reading


def seat_of(word: str) -> Seat:
    """Who is meant by a word."""
    if word in LEVELS:
        return Search(word, LEVELS[word])
    if re.match("mcts(:|$)", word):
        return Search(word, _budget(word))
    for seat in (Human(), Random(), Greedy()):
        if seat.word == word:
            return seat
    plain = [known for known in WORDS if known not in BUDGETS]
    hint = did_you_mean(word, (*plain, "mcts")) or f"there are: {', '.join(WORDS)}"
    raise SeatError(f"nobody called `{word}` can sit there", hint)


def computer_of(word: str) -> Computer:
    """Which computer player is meant by a word; in the lab they may have aims of their own."""
    if is_aim(word):
        return Aiming(word)
    if re.fullmatch(r"avoid:\w+", word):
        return Avoiding(word)
    seat = seat_of(word)
    if isinstance(seat, Human):
        raise SeatError("only computers can play here, no `human`")
    return seat


def _budget(word: str) -> Budget:
    _, _, text = word.partition(":")
    if not re.fullmatch(r"-?[0-9]+|-?[0-9]+(\.[0-9]+)?s", text):
        raise SeatError(f"`{word}` does not say how long to search", _HOW)
    if text.endswith("s"):
        seconds = float(text[:-1])
        if not 0 < seconds <= MOST_SECONDS:
            raise SeatError(
                f"`{word}`: a search takes more than 0 and at most {MOST_SECONDS} seconds", _HOW
            )
        return Seconds(seconds)
    if len(text) > len(str(MOST_ITERATIONS)) or not 1 <= int(text) <= MOST_ITERATIONS:
        raise SeatError(f"`{word}`: a search has 1 to {MOST_ITERATIONS} iterations", _HOW)
    return Iterations(int(text))


# ---------------------------------------------------------------- players


def player_for(seat: Computer, generator: Generator, watch: Watch | None = None) -> Player:
    """The player who sits there; all its chance comes from the generator.

    Whoever wants to `watch` is told how far a search is.
    """
    match seat:
        case Random():
            return RandomPlayer(generator)
        case Greedy():
            return GreedyPlayer(generator)
        case Search(budget=budget):
            return SearchPlayer(budget, generator, watch)
        case Aiming(aim=aim):
            return GreedyPlayer(generator, aim)
        case Avoiding(name=name):
            return AvoidingPlayer(generator, name)
        case _:
            assert_never(seat)
