"""How a search goes about it: the same answer, its bounds, its tree, choices made together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from time import monotonic

import pytest

import ruledsl
from ruledsl.engine import Engine
from ruledsl.engine.memory.control import TREE_END
from ruledsl.engine.runtime import tree
from ruledsl.play.chance import Generator
from ruledsl.players.budget import Iterations, Seconds
from ruledsl.players.follower import EARLY_LOOK, LOOK, Follower
from ruledsl.players.player import Thought
from ruledsl.players.search import SearchPlayer, best
from ruledsl.players.situation import situation_of
from ruledsl.table.table import Table

from ..play.table import loaded
from .test_search import chosen, dropped, thinking, thoughts

# ---------------------------------------------------------------- the same answer


@pytest.mark.parametrize("name", ["connect_four", "love_letter", "pied_piper", "hearts", "pig"])
def test_the_same_seed_gives_the_same_answer(name: str) -> None:
    match, again = loaded(name).start(seed=4), loaded(name).start(seed=4)
    first = thoughts(match, 300, 7)
    assert thoughts(again, 300, 7) == first
    assert thoughts(again, 300, 8) != first
    # What was thought before, and about what, does not matter.
    assert thoughts(again, 300, 7) == first
    match.choose(0)
    thoughts(match, 50)
    assert thoughts(again, 300, 7) == first


@pytest.mark.parametrize("name", ["breakthrough", "love_letter", "sushi_draft", "pied_piper"])
@pytest.mark.parametrize("pieces", [[1] * 500, [499, 1], [3, 130, 7, 260, 100], [64, 256, 180]])
def test_pieces_of_a_search_are_one_search(name: str, pieces: Sequence[int]) -> None:
    match = loaded(name).start(seed=2)
    whole = thinking(match)
    whole.go_on(500)
    expected = whole.thoughts()
    assert sum(each.visits for each in expected) == 500
    parts = thinking(match)
    for piece in pieces:
        parts.go_on(piece)
    assert parts.thoughts() == expected


def test_where_chance_always_ends_badly_the_standing_soon_counts() -> None:
    """Random players burn all fuses, so playouts to the end are all worth nothing."""
    match = loaded("hanabi").start(players=4, seed=2)
    whole = thinking(match)
    whole.go_on(LOOK)
    assert {each.worth for each in whole.thoughts()} == {(0.0,) * 4}
    whole.go_on(400 - LOOK)
    expected = whole.thoughts()
    assert len({each.worth for each in expected}) > 1
    parts = thinking(match)
    for piece in (LOOK - 1, 2, 200, 400 - 201 - LOOK):
        parts.go_on(piece)
    assert parts.thoughts() == expected


def test_a_watcher_is_told_how_far_the_search_is() -> None:
    told: list[float] = []
    match = loaded("connect_four").start(seed=2)
    assert match.decision is not None
    player = SearchPlayer(Iterations(2_000), Generator(1), told.append)
    assert player.thoughts(situation_of(match.interpreter, match.decision)) == thoughts(
        match, 2_000
    )
    assert told == sorted(told)
    assert told[-1] == 1.0


def test_a_single_option_needs_no_thought() -> None:
    class Alone:
        count = 1

    assert SearchPlayer(Iterations(10), Generator(1)).choose(Alone()) == 0  # type: ignore[arg-type]


# ---------------------------------------------------------------- bounds


def test_a_tree_without_room_stops_growing_and_the_search_goes_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tree, "MOST_BYTES", 10_000)
    match = dropped("3344")
    match.table.kept["follower"] = Follower(Engine(match.table))
    going_on = thinking(match)
    going_on.go_on(20_000)
    found = going_on.thoughts()
    assert sum(each.visits for each in found) == 20_000
    assert match.options[best(found)].code[10] in "25"
    engine = match.table.kept["follower"]._engine
    used = engine._cell(TREE_END) - engine.code.tree.tree
    assert 9_000 < used <= 10_000


POSITIONS = 5478
"""of tic-tac-toe, as is well known"""


def blocks(table: Table, iterations: int) -> Iterator[tuple[int, int]]:
    """For each decision in the tree of a search from the start: its room, and its options."""
    engine = Engine(table)
    engine.start(1)
    engine.begin_search([engine.save().vector], engine.seat.index, seed=1)
    engine.search(iterations)
    at = engine.code.tree.tree + tree.ENTRY
    while at < engine._cell(TREE_END):
        room = engine._cell(at + tree.ROOM)
        yield room, engine._cell(at + tree.USED)
        at += tree.HEAD + tree.ENTRY * room


def test_a_position_is_known_again_however_it_came_about() -> None:
    """The tree never has more decisions than there are positions."""
    table = loaded("tic_tac_toe").start(seed=1).table
    assert 1_000 < len([*blocks(table, 50_000)]) <= POSITIONS


ROLLED = """
game rolled "Rolled"
    players 2
    limit 100 decisions

state Player.points: 0..100 = 0 clamped

step setup
    set active = Player(1)

step play
    repeat 3 times
        choose n in 1..2 "Whatever?"
        roll most in 2..6
        choose taken in 1..6 "How many?"
            require taken <= most "Too many."
        add taken to active.points
        set active = active.next

ranking p in Player
    highest p.points
"""


def test_what_was_rolled_belongs_to_the_position(tmp_path: Path) -> None:
    """Even if only a local of the rules knows it."""
    file = tmp_path / "rolled.rules"
    file.write_text(ROLLED)
    table = ruledsl.load(str(file)).start(players=2, seed=1).table
    found = [*blocks(table, 2_000)]
    assert {room for room, _ in found} == {2, 3, 4, 5, 6}
    assert all(room == used for room, used in found)


LONG_WAY = """
game long_way "A long way"
    players 2
    limit 5000 decisions

state Player.points: 0..1000 = 0 clamped

step setup
    set active = Player(1)
    add 300 to active.points

step play
    repeat
        choose "What now?"
            action idle "Wait"
                skip
            action go "Go on"
                add 1 to active.points
            action slip "Go back"
                add -1 to active.points
        set active = active.next

trigger there(p in Player)
    when p.points = 1000
    win p

ranking p in Player
    highest p.points
"""


@pytest.mark.parametrize("seed", range(3))
def test_whoever_leads_goes_on_though_no_playout_comes_to_the_end(
    tmp_path: Path, seed: int
) -> None:
    file = tmp_path / "long_way.rules"
    file.write_text(LONG_WAY)
    match = ruledsl.load(str(file)).start(players=2, seed=1)
    assert chosen(match, 400, seed) == "go()"


@pytest.mark.parametrize("name", ["tic_tac_toe", "chess", "pied_piper"])
def test_seconds_are_kept(name: str) -> None:
    match = loaded(name).start(seed=1)
    thoughts(match, 1)
    assert match.decision is not None
    begun = monotonic()
    player = SearchPlayer(Seconds(0.4), Generator(1))
    found = player.thoughts(situation_of(match.interpreter, match.decision))
    took = monotonic() - begun
    assert sum(each.visits for each in found) > 0
    assert 0.4 <= took < 2.0


# ---------------------------------------------------------------- simultaneous choices


@pytest.mark.parametrize("name", ["hearts", "sushi_draft"])
def test_what_others_choose_at_the_same_time_changes_nothing(name: str) -> None:
    """Seat by seat: whatever those before it have chosen, a search finds the same."""
    for seed in range(2):
        found: dict[int, tuple[Thought, ...]] = {}
        for others in range(3):
            match = loaded(name).start(players=4, seed=seed)
            mind = Generator(others)
            assert match.decision is not None
            assert len(match.decision.together) == 4
            asked: set[int] = set()
            while len(asked) < 4:
                assert match.seat is not None
                if match.seat not in asked:
                    asked.add(match.seat)
                    now = thoughts(match, 100)
                    assert found.setdefault(match.seat, now) == now
                match.choose(mind.below(len(match.options)))
            assert len(asked) == 4


def test_own_choices_made_before_count() -> None:
    """The second card to pass: the search knows which was the first."""
    match = loaded("hearts").start(players=4, seed=1)
    match.choose(3)
    assert match.decision is not None and match.decision.picked
    assert len(thoughts(match, 100)) == len(match.options)
    # Not counting those after which it was seen that no playout comes to an end.
    assert sum(each.visits for each in thoughts(match, 100)) == 100 - EARLY_LOOK


# ---------------------------------------------------------------- rules that go wrong

GOLD = """
game gold "Gold"
    players 2

place box of Token
place mat per Player of Token
piece Token in box | count | worth
    copper         | 5     | 1
    gold           | 1     | 5

step setup
    set active = Player(1)

step play
    repeat 4 times
        choose "What?"
            action grab "Grab"
                move the(t in box where t is gold) to you.mat
            action rest "Rest"
                skip
        set active = active.next

ranking p in Player
    highest sum(t.worth for t in p.mat)
"""


def test_a_search_through_rules_that_go_wrong_comes_to_an_end(tmp_path: Path) -> None:
    file = tmp_path / "gold.rules"
    file.write_text(GOLD, "utf-8")
    match = loaded(str(file)).start(seed=1)
    match.choose(0)
    assert match.decision is not None
    player = SearchPlayer(Seconds(1.5), Generator(1))
    assert player.choose(situation_of(match.interpreter, match.decision)) in (0, 1)
