"""What it costs to do without something."""

from __future__ import annotations

from functools import partial
from itertools import count

from ruledsl.engine import Engine
from ruledsl.engine.counted import counters_of, do_without
from ruledsl.lab.counting import Counts
from ruledsl.lab.worth import Worth, worths
from ruledsl.table.table import Table
from tests.lab.small_games import DICE, DRAFT, FAIR, table_of


def found_in(table: Table, games: int = 2000) -> dict[str, Worth]:
    counters = {c for c in counters_of(Engine(table, counted=True)).found if c.sort != "line"}
    chosen = {c for c in counters if c.sort in ("action", "value")}
    *_, last = worths(table, 1, games, chosen)
    return {each.counter.name: each for each in last}


def test_a_seat_that_does_without_never_uses_it() -> None:
    engine = Engine(table_of(DICE), counted=True)
    counters = counters_of(engine).found
    (throw,) = [at for at, c in enumerate(counters) if (c.sort, c.name) == ("action", "throw")]
    do_without(engine, throw, 2)
    engine.batch(300, 1, 0)
    counts = Counts.of(engine)
    counts.take(engine)
    assert counts.used(throw, 2).uses == 0
    assert counts.used(throw, 1).uses > 200


def test_throwing_is_worth_much_and_resting_costs() -> None:
    found = found_in(table_of(DICE))
    assert found["throw"].points.low > 0.2
    assert found["throw"].p < 1e-6
    assert found["rest"].points.high < -0.1


def test_what_all_have_to_use_is_worth_nothing() -> None:
    found = found_in(table_of(FAIR))
    # All three cards of a hand are played, whatever comes first.
    assert abs(found["bee"].points.value) < 0.03


def test_what_is_chosen_without_an_action_is_worth_something_too() -> None:
    found = found_in(table_of(DRAFT), 500)
    assert found["gem"].points.low > 0.2
    assert found["pebble"].points.high < -0.2


def test_what_made_no_difference_in_few_games_may_make_one() -> None:
    # A rest costs nothing where nobody can roll: not one of these games differs.
    found = found_in(table_of(DICE.replace("pips in 1..6", "pips in 0..0")), 25)
    assert found["rest"].points.value == 0
    assert 0.05 < found["rest"].points.high < 0.07
    assert not found["rest"].points.within(0.02)


def test_it_ends_with_the_time_after_a_whole_round() -> None:
    table = table_of(DICE)
    chosen = {c for c in counters_of(Engine(table, counted=True)).found if c.sort == "action"}
    clock = count(200, -1)  # Each look at it takes a second.
    *_, last = worths(table, 1, 10_000, chosen, partial(next, clock))
    assert 0 < next(clock) < 200
    assert {each.counter for each in last} == chosen
    hurried = count(2, -1)
    assert [*worths(table, 1, 10_000, chosen, partial(next, hurried))] == []
