"""Numbers that are far larger than those beside them."""

from __future__ import annotations

import pytest

from ruledsl.lab.reporting.scales import outliers
from tests.lab.small_games import game_of

GOODS = """\
game goods "Goods"
    players 2..4

type Fruit  | price
    apple   | 2
    pear    | 3
    plum    | 1

state Player.coins: number = 0
state Player.crates: 0..30 = 0

define goal = case players of (2: 7, 3: 6, else: 5)
define rent(p: Player) = if p.coins > 9 then 3 else if p.coins > 5 then 2 else 1
define bonus(p: Player) = 2 * p.crates
define worth(p: Player) = p.coins + bonus(p) - 3 * p.rent

step play
    set active = Player(1)
    repeat
        choose "What?"
            buy
            sell
        set active = active.next

action buy(fruit in Fruit) "Buy"
    take fruit.price from you.coins
    add 2 to you.crates

action sell "Sell"
    add 4 to you.coins
    take 1 from you.crates
    add 3 to you.crates
    if you.crates = goal
        win you

ranking p in Player
    highest p.worth
"""


def test_numbers_of_one_size() -> None:
    assert [*outliers(game_of(GOODS).checked)] == []


@pytest.mark.parametrize(
    ("before", "after", "what", "number", "following"),
    [
        ("| 3\n", "| 30\n", "Fruit: “price” of “pear”", 30, 2),
        ("else: 5)", "else: 50)", "a number here", 50, 7),
        ("then 3 else", "then 30 else", "a number here", 30, 2),
        ("= 2 * p.crates", "= 20 * p.crates", "a factor of this sum", 20, 3),
        ("- 3 * p.rent", "- 30 * p.rent", "a factor of this sum", 30, 2),
        ("add 3 to you.crates", "add 30 to you.crates", "what is added to “crates” here", 30, 2),
    ],
)
def test_a_digit_too_many(before: str, after: str, what: str, number: int, following: int) -> None:
    text = GOODS.replace(before, after)
    (found,) = outliers(game_of(text).checked)
    assert (found.what, found.number, found.following) == (what, number, following)
    assert after.strip() in text.splitlines()[found.span.line - 1]
