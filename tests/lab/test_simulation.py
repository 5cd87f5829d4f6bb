"""Simulations: reproducible, and added up rightly."""

from __future__ import annotations

from random import Random as Random_

import attrs
import pytest

from ruledsl.diagnostics.source import Source
from ruledsl.engine import Engine
from ruledsl.engine.following import followed, noted
from ruledsl.engine.memory.control import QUICK, RANDOM
from ruledsl.engine.played import Batch
from ruledsl.engine.runtime.batches import COUNTED_SHARE, FIRST_COUNTED
from ruledsl.lab.simulation import RandomGames, play_noted, play_one, rows_of
from ruledsl.lab.tally import Failure, GameRow, Tally, share
from ruledsl.library import Library
from ruledsl.model.check import check_rules
from ruledsl.players.seats import Greedy, Random
from ruledsl.table.table import Table
from tests.engine.programs import Maker


def table(name: str) -> Table:
    game = check_rules(Library().find(name), Library()).game
    assert game is not None
    return Table(game, game.players[0])


def test_a_game_depends_on_seed_and_number_alone() -> None:
    pig = table("pig")
    alone = play_one(pig, 5, 3)
    for number in range(3):
        play_one(pig, 5, number)
    assert play_one(pig, 5, 3) == alone
    assert play_one(pig, 6, 3) != alone
    assert play_one(pig, 5, 4) != alone


def test_any_players_can_be_mixed() -> None:
    line = table("tic_tac_toe")
    both = [play_one(line, 1, number, (Greedy(), Random())) for number in range(40)]
    assert both[7] == play_one(line, 1, 7, (Greedy(), Random()))
    assert sum(1 in row.winners for row in both) > 28
    swapped = [play_one(line, 1, number, (Random(), Greedy())) for number in range(40)]
    assert sum(2 in row.winners for row in swapped) > 16
    assert play_one(line, 1, 7) == play_one(line, 1, 7, (Random(), Random()))


def test_wins_are_shared_and_failures_counted() -> None:
    tally = Tally(2)
    tally.add(
        [
            GameRow(0, "win", (1, 2), (-1, -2), (1,), 5, 5, 20),
            GameRow(1, "end", (1, 1), (-1, -1), (1, 2), 7, 7, 20),
            GameRow(2, "end, drawn", (1, 1), (-1, -1), (), 9, 9, 20),
            GameRow(3, "failed", (), (), (), 1, 1, 3, "sticks.rules:4: stuck"),
        ]
    )
    summary = tally.summary()
    assert summary.games == 4
    assert [seat.wins.value for seat in summary.seats] == [1.5 / 3, 0.5 / 3]
    assert summary.draws.value == 1 / 3
    assert (summary.shortest, summary.longest) == (1, 9)
    assert summary.failures == (Failure("sticks.rules:4: stuck", 1, 3),)


def test_the_interval_holds_the_share_and_narrows() -> None:
    few, many = share(5, 10), share(500, 1000)
    assert few.low < few.value < few.high
    assert many.high - many.low < few.high - few.low
    assert share(0, 10).low == 0.0
    assert share(10, 10).high > 0.999


def test_a_guard_that_fires_is_reported_with_its_place() -> None:
    text = """\
game dead_end "Dead End"
    players 2

place box of Stone
piece Stone 2 in box

step setup
    set active = Player(1)

step play
    choose s in box where count(box) > 5 "Take a stone."
    move s to box
"""
    game = check_rules(Source("dead_end.rules", text), Library()).game
    assert game is not None
    row = play_one(Table(game, 2), 1, 1)
    assert row.failure is not None
    assert row.failure.startswith("dead_end.rules:11: ")


def all_rows(games: RandomGames, first: int, last: int) -> list[GameRow]:
    rows: list[GameRow] = []
    for each in games.play(first, last, keep=True):
        rows.extend([each] if isinstance(each, GameRow) else rows_of(each, first + len(rows)))
    return rows


@pytest.mark.parametrize("name", ["pig", "tic_tac_toe", "love_letter", "pied_piper", "sushi_draft"])
def test_the_engine_plays_the_games_of_the_interpreter(name: str) -> None:
    at = table(name)
    games = RandomGames(at, 9)
    assert all_rows(games, 3, 11) == [play_one(at, 9, number) for number in range(3, 11)]


@pytest.mark.parametrize("name", ["tic_tac_toe", "love_letter"])
def test_columns_add_up_like_rows(name: str) -> None:
    at = table(name)
    games = RandomGames(at, 2)
    rows = all_rows(games, 0, 200)
    by_rows, by_batches, merged = (Tally(len(at.things("Player"))) for _ in range(3))
    by_rows.add(rows)
    for batch in games.play(0, 200):
        assert isinstance(batch, Batch)
        by_batches.add_batch(batch)
    for first, last in ((0, 1), (1, 1), (1, 77), (77, 200)):
        part = Tally(by_rows.players)
        part.add(rows[first:last])
        merged.merge(part)
    assert by_rows == by_batches == merged
    assert by_rows.summary() == by_batches.summary() == merged.summary()


SURE = (
    "tic_tac_toe",
    "kuhn_poker",
    "connect_four",
    "breakthrough",
    "pig",
    "crazy_eights",
    "checkers",
    "hearts",
)


@pytest.mark.parametrize("name", SURE)
def test_where_options_are_counted_for_nothing_quick_games_are_those_with_lists(name: str) -> None:
    engine = Engine(table(name))
    assert engine.code.batches.always_counted
    assert engine.playouts(300, 5, quick=True) == engine.playouts(300, 5)


@pytest.mark.parametrize("name", ["othello", "nine_mens_morris", "hameln"])
def test_elsewhere_a_share_of_the_games_counts_them(name: str) -> None:
    at = table(name)
    games = RandomGames(at, 9)
    last = FIRST_COUNTED + 2 * COUNTED_SHARE
    rows = all_rows(games, FIRST_COUNTED - 3, last)
    counted = [row.number for row in rows if row.choices is not None]
    assert counted == [row.number for row in rows if games.is_listed(row.number)]
    assert rows[:3] == [play_one(at, 9, row.number) for row in rows[:3]]
    tally = Tally.of(at)
    tally.add(rows)
    assert tally.summary().counted == len(counted) == 5


def follow_notes(at: Table, games: int) -> int:
    """Interpreter and checks follow the choices of quick games; how many choices there were."""
    engine, close = Engine(at, checked=True, lightly=True), Engine(at, checked=True)
    made = 0
    for number in range(games):
        batch = engine.batch(1, 3, number, mode=QUICK, keep=True)
        if batch.error is not None:
            continue
        (quick,) = rows_of(batch, number)
        notes = noted(engine, 3, number)
        row = play_noted(engine, notes, 3, number)
        assert next(rows_of(followed(close, notes, 3, number), number)) == row
        assert row == attrs.evolve(quick, choices=row.choices, options=row.options)
        made += notes.number
    return made


@pytest.mark.parametrize(
    "name", ["hearts", "checkers", "nine_mens_morris", "love_letter", "sushi_draft", "pied_piper"]
)
def test_notes_of_a_quick_game_can_be_followed(name: str) -> None:
    assert follow_notes(table(name), 2) > 50


def test_notes_are_followed_in_made_up_programs() -> None:
    made = 0
    for seed in range(16):
        text = Maker(Random_(seed).randrange).program()
        game = check_rules(Source("made.rules", text), Library()).game
        if game is not None:
            at = Table(game, 2)
            engine = Engine(at)
            if engine.code.batches.always_counted:
                for number in range(20):
                    quick, listed = (
                        engine.batch(1, 5, number, mode=mode, keep=True) for mode in (QUICK, RANDOM)
                    )
                    assert quick.columns == listed.columns
            made += follow_notes(at, 4)
    assert made > 100


UNLUCKY = """\
game unlucky "Unlucky"
    players 2

place box of Stone
piece Stone 6 in box
state score: 0..20 = 0

step setup
    set active = Player(1)

step play
    repeat
        choose s in box "Take a stone."
        roll face in 1..6
        set score = score + face
        if score >= 18
            win you
        set active = active.next
"""


def test_games_in_which_the_rules_go_wrong_cost_no_others() -> None:
    game = check_rules(Source("unlucky.rules", UNLUCKY), Library()).game
    assert game is not None
    at = Table(game, 2)
    games = RandomGames(at, 4)
    rows = all_rows(games, 0, 60)
    assert rows == [play_one(at, 4, number) for number in range(60)]
    failed = [row for row in rows if row.failure is not None]
    assert 5 < len(failed) < 40
    tally = Tally(2)
    tally.add(rows)
    failures = tally.summary().failures
    assert all(each.message.startswith("unlucky.rules:15: ") for each in failures)
    assert sum(each.games for each in failures) == len(failed)
    assert min(each.first for each in failures) == failed[0].number


DRAWN = UNLUCKY.replace("piece Stone 6 in box", "piece Stone 6 in box\nstate Stone.size: 1..9 = 1")
DRAWN = DRAWN.replace(
    'choose s in box "Take a stone."',
    'choose s in box where s.size < 9 or sum(t.size for t in box) > s.size * 6 "Take a stone."\n'
    "        set s.size = (s.size + score) mod 9 + 1",
)


def test_a_quick_game_that_goes_wrong_is_told_by_the_interpreter() -> None:
    game = check_rules(Source("unlucky.rules", DRAWN), Library()).game
    assert game is not None
    games = RandomGames(Table(game, 2), 4)
    assert not games.engine.code.batches.always_counted
    rows = all_rows(games, 1, 600)
    late = [row for row in rows if row.number > FIRST_COUNTED]
    early = [row for row in rows if row.number <= FIRST_COUNTED]
    shares = [sum(row.failure is not None for row in part) / len(part) for part in (early, late)]
    assert 0.1 < shares[0] < 0.7
    assert abs(shares[0] - shares[1]) < 0.2
    for row in rows:
        if row.failure is not None:
            assert row.failure.startswith("unlucky.rules:17: ")
            assert row.choices
