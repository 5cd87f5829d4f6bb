"""The search does what a slow search in plain Python does, iteration by iteration."""

from __future__ import annotations

import struct
from collections.abc import Callable, Hashable, Sequence

import pytest

import ruledsl
from ruledsl.diagnostics.source import Source
from ruledsl.engine import Engine
from ruledsl.engine.memory.control import PATH
from ruledsl.engine.runtime import tree
from ruledsl.engine.runtime.batches import ONE
from ruledsl.engine.runtime.dealing import Recipe
from ruledsl.library import Library
from ruledsl.play.chance import Generator
from ruledsl.play.loading import load_source
from ruledsl.play.match import Match
from ruledsl.table.table import Table
from ruledsl.table.things import Thing

from .plain_search import PlainSearch
from .test_dealing import worlds_of

ITERATIONS = 80
ENTRY = struct.Struct("<qqiiii")
"""of the tree: its label, the sum of rewards, visits, how often offered, what is below, its seat"""


def search_from(
    engine: Engine,
    worlds: Sequence[bytes],
    seed: int,
    *,
    reach: int = 1000,
    script: Sequence[int] | None = None,
    seat: int | None = None,
    recipe: Recipe | None = None,
    rolled: Callable[[Engine], Hashable] | None = None,
    named: Callable[[Engine], Sequence[Thing]] = lambda _: (),
    iterations: int = ITERATIONS,
) -> None:
    """Search, and compare every iteration."""
    seat = engine.seat.index if seat is None else seat
    engine.begin_search(worlds, seat, seed, reach=reach, script=script, recipe=recipe)
    plain = PlainSearch(
        searching=engine,
        beside=Engine(engine.table),
        worlds=[*worlds],
        seat=seat,
        reach=reach,
        memory=tree.MOST_BYTES,
        tabled=tree.TABLED,
        script=script,
        recipe=recipe,
        rolled=rolled,
        named=named,
    )
    compare(plain, iterations)


def compare(plain: PlainSearch, iterations: int) -> None:
    for _ in range(iterations):
        path = plain.iterate()
        assert path_of(plain.searching) == [
            (each.sum, each.visits, each.offered, each.seat) for each in path
        ]
        found = plain.searching.found()
        expected = plain.options[: plain.number]
        assert [each.visits for each in found] == [each.visits for each in expected]
        for ours, theirs in zip(found, expected, strict=True):
            scale = ONE * max(1, theirs.visits)
            assert ours.worth == tuple(each / scale for each in theirs.sums)
            assert ours.wins == tuple(each / scale for each in theirs.wins)
            tries = max(1, theirs.visits)
            places = [each / (2 * tries) for each in theirs.places]
            assert not theirs.visits or ours.places == pytest.approx(places)
            assert ours.cut == theirs.cuts / tries
    assert plain.searching.cuts == plain.cuts


def path_of(engine: Engine) -> list[tuple[int, int, int, int]]:
    """The options that were taken in the tree: the sum of each, visits, how often offered, seat."""

    def entry(number: int) -> tuple[int, int, int, int]:
        address = engine._cell(engine.code.tree.path + 4 * number)
        _, sum_, visits, offered, _, seat = ENTRY.unpack(engine.runner.read(address, ENTRY.size))
        return sum_, visits, offered, seat

    return [entry(number) for number in range(engine._cell(PATH))]


def begun(table: Table, seed: int = 4, choices: int = 0) -> Engine:
    """An engine a few random choices into a game."""
    engine = Engine(table)
    mind = Generator(seed)
    engine.start(seed)
    for _ in range(choices):
        engine.choose(mind.below(engine.number))
    return engine


def table_of(name: str, players: int) -> Table:
    return Table(ruledsl.load(name).checked, players)


# ---------------------------------------------------------------- where nothing is hidden


@pytest.mark.parametrize(
    ("name", "players", "reach"),
    [
        ("tic_tac_toe", 2, 1000),
        ("tic_tac_toe", 2, 5),
        ("othello", 2, 12),
        ("pig", 2, 1000),
        ("pig", 3, 40),
        ("pig", 4, 15),
        ("connect_four", 2, 9),
    ],
)
def test_open_games(name: str, players: int, reach: int) -> None:
    engine = begun(table_of(name, players))
    search_from(engine, [engine.save().vector], 77, reach=reach)


def test_a_search_begins_anew() -> None:
    """Nothing is left of the one before, also in a smaller decision, and with several worlds."""
    engine = begun(table_of("tic_tac_toe", 2))
    search_from(engine, [engine.save().vector], 5)
    worlds = []
    for seed in range(3):
        engine.start(seed)
        for _ in range(3):
            engine.choose(seed)
        worlds.append(engine.save().vector)
    search_from(engine, worlds, 6)


def test_before_the_decision_others_choose_by_chance_and_the_seat_by_its_script() -> None:
    engine = begun(table_of("tic_tac_toe", 2))
    search_from(engine, [engine.save().vector], 5, script=(4, 0))


def test_a_tree_that_is_full(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree, "MOST_BYTES", 2_000)
    engine = begun(table_of("tic_tac_toe", 2))
    search_from(engine, [engine.save().vector], 5)


def test_without_room_for_the_first_decision(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree, "MOST_BYTES", 200)
    engine = begun(table_of("tic_tac_toe", 2))
    search_from(engine, [engine.save().vector], 5, iterations=20)


def test_beyond_the_table_of_roots(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree, "TABLED", 8)
    tree._tabled.cache_clear()
    try:
        engine = begun(table_of("tic_tac_toe", 2), choices=2)
        search_from(engine, [engine.save().vector], 5, iterations=300)
    finally:
        tree._tabled.cache_clear()


# ---------------------------------------------------------------- where something is


@pytest.mark.parametrize(
    ("name", "players", "choices"),
    [
        ("kuhn_poker", 2, 1),
        ("love_letter", 3, 2),
        ("hanabi", 3, 4),
        ("pied_piper", 4, 3),
        ("euchre", 4, 5),
        ("sushi_draft", 3, 1),
        ("little_realm", 2, 6),
    ],
)
def test_hidden_games(name: str, players: int, choices: int) -> None:
    search_in(Table(ruledsl.load(name).checked, players), choices)


def search_in(
    table: Table,
    choices: int,
    *,
    rolled: Callable[[Engine], Hashable] | None = None,
    named: Callable[[Engine], Sequence[Thing]] = lambda _: (),
    worlds_known: int = 3,
    dealing: bool = True,
    reach: int = 1000,
    iterations: int = ITERATIONS,
) -> None:
    """Search for the seat that decides after so many choices, from what it knows."""
    match = Match(table.game, len(table.things("Player")), seed=4)
    mind = Generator(9)
    for _ in range(choices):
        match.choose(mind.below(len(match.options)))
    assert match.decision is not None
    worlds = worlds_of(match, 3)
    first, recipe = worlds.first()
    if not dealing:
        recipe = None
        first = worlds.another()
    known = [first, *(worlds.another() for _ in range(worlds_known - 1) if recipe is None)]
    script: list[int] | None = [] if match.decision.together else None
    search_from(
        worlds.engine,
        known,
        8,
        seat=match.decision.seat.index,
        reach=reach,
        script=script,
        recipe=recipe,
        rolled=rolled,
        named=named,
        iterations=iterations,
    )


LOTS = """\
game lots "Lots"
    players 2..3
    limit 40 decisions

place deck of Card stack hidden
place hand per Player of Card private
place row of Card
place pile of Card stack

piece Card in deck | count | worth
    ant            | 7     | 1
    bee            | 7     | 2

state Card.turned: flag = no
state rolled: 0..3 = 0
state Player.score: 0..90 = 0

step setup
    shuffle deck
    for p in Player
        move 3 from deck to p.hand
    move 2 from deck to row
    set active = Player(1)

step play
    repeat 5 times
        turned
        roll rolled in 1..3
        choose "What?"
            play
            swap
            rest
        set rolled = 0
        set active = active.next

step turned
    choose up to 2 shown in row "Which?"
    for card in shown
        set card.turned = yes

action play(card in you.hand) "Play"
    move card to pile
    add card.worth + rolled to you.score

action swap(mine in you.hand, other in row) "Swap"
    require rolled != 2 "Not with a two."
    move mine to row
    move other to you.hand
    add 1 to you.score

action rest "Rest"
    if rolled = 3 and deck.top != none
        move deck.top to row

ranking p in Player
    highest p.score
"""


def rolled_in_lots(engine: Engine) -> Hashable:
    slots = engine.position()["slots"]
    assert isinstance(slots, dict)
    return slots["rolled", None] or None


@pytest.mark.parametrize(("players", "choices"), [(2, 0), (2, 1), (3, 1), (3, 5)])
@pytest.mark.parametrize("dealing", [True, False])
def test_rolls_and_several_picks(players: int, choices: int, *, dealing: bool) -> None:
    table = Table(load_source(Source("lots.rules", LOTS), Library()).checked, players)
    search_in(table, choices, rolled=rolled_in_lots, dealing=dealing)


@pytest.mark.parametrize("room", [300, 3_000])
def test_a_tree_of_a_hidden_game_that_is_full(room: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree, "MOST_BYTES", room)
    table = Table(load_source(Source("lots.rules", LOTS), Library()).checked, 2)
    search_in(table, 1, rolled=rolled_in_lots, dealing=False)


def test_worlds_that_offer_more_later() -> None:
    """A decision that was met with few options may have many in another world."""
    table = Table(load_source(Source("lots.rules", LOTS), Library()).checked, 3)
    search_in(table, 1, rolled=rolled_in_lots, dealing=False, worlds_known=40)


PAIRS = """\
game pairs "Pairs"
    players 2..2
    limit 40 decisions

place deck of Card stack hidden
place hand per Player of Card private
place pile of Card stack

piece Card in deck | count | worth
    ant            | 5     | 1
    bee            | 4     | 2

state Player.score: -90..90 = 0

step setup
    shuffle deck
    for p in Player
        move 3 from deck to p.hand
    set active = Player(1)

step play
    repeat 4 times
        choose chosen in you.hand "Which first?"
        choose second in you.hand "Which then?"
        if second = chosen
            add chosen.worth to you.score
        else
            set you.score = you.score - second.worth
            if chosen in you.hand
                move chosen to pile
        set active = active.next

ranking p in Player
    highest p.score
"""


def named_in_pairs(engine: Engine) -> list[Thing]:
    """The card that `chosen` refers to, if it is in scope."""
    named = []
    for frame in engine.code.frames.values():
        for _, binding in frame.live.get(engine._cell(frame.resume), ()):
            match binding:
                case ("load", 0, int(address)):
                    named.append(engine.layout.things[engine._cell(address)])
                case _:
                    pass
    return named


@pytest.mark.parametrize("choices", [0, 1, 2, 3])
@pytest.mark.parametrize("dealing", [True, False])
def test_pieces_that_only_a_name_in_scope_tells_apart(choices: int, *, dealing: bool) -> None:
    table = Table(load_source(Source("pairs.rules", PAIRS), Library()).checked, 2)
    search_in(table, choices, named=named_in_pairs, dealing=dealing, worlds_known=12)
