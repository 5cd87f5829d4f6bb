"""Indexes are read by their names, so these must differ."""

from collections.abc import Callable

REST = """
step play
    end game
"""


def test_two_indexes_of_one_kind_need_names(judge: Callable[[str], None]) -> None:
    judge(
        """
type Level = low, high
type Pair per Level, Level          #! duplicate-name
type Stride per came: Level, at: Level
"""
        + REST
    )


def test_a_column_named_like_an_index(judge: Callable[[str], None]) -> None:
    judge(
        """
type Level = low, high
place box of Chip
piece Chip per Level in box | level #! duplicate-name
    red | 1
"""
        + REST
    )
