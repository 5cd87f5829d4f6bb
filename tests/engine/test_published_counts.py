"""The engine against counts and statistics that others have published.

Leaves so many decisions or turns below the start; games that are over earlier count nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from statistics import fmean, stdev

import pytest

from ruledsl.diagnostics.source import Source
from ruledsl.engine import Engine
from ruledsl.engine.engine import Saved
from ruledsl.engine.played import Row
from ruledsl.library import Library
from ruledsl.model.check import check_rules
from ruledsl.table.table import Table
from ruledsl.table.things import Thing


@cache
def engine_of(name: str) -> Engine:
    """A shipped game, or one of the variants below."""
    source = Source(f"{name}.rules", VARIANTS[name]) if name in VARIANTS else Library().find(name)
    checked = check_rules(source, Library())
    assert checked.game is not None, checked.diagnostics
    return Engine(Table(checked.game, checked.game.players[0]))


@pytest.fixture(scope="module", autouse=True)
def _engines() -> Iterator[None]:
    """Compiled games are let go before Python shuts down."""
    yield
    engine_of.cache_clear()


def leaves(name: str, depth: int, *, by_turn: bool = False) -> list[int]:
    engine = engine_of(name)
    count = engine.perft_turns if by_turn else engine.perft
    found = []
    for each in range(1, depth + 1):
        engine.start(1, ask_always=True)
        found.append(count(each))
    return found


# ------------------------------------------------------------ positions to start from


def board(name: str, rows: str, castles: str) -> str:
    """Chess from another position; capital letters are the men of the first player."""
    roles = {"k": "king", "q": "queen", "r": "rook", "b": "bishop", "n": "knight", "p": "pawn"}
    lines = []
    for row, line in zip(range(8, 0, -1), rows.split(), strict=True):
        for col, sign in enumerate(line, start=1):
            if sign != ".":
                seat = 1 if sign.isupper() else 2
                role = roles[sign.lower()]
                lines.append(f"    stand(Player({seat}), {role}, Square({col}, {row}))")
    return "\n".join(
        (
            f'variant {name} of chess "{name}"',
            "",
            "replace step setup",
            *lines,
            "    for p in Player",
            f"        set p.castles = {castles}",
            "    set active = Player(1)",
            "    record position",
            "",
        )
    )


VARIANTS = {
    "kiwipete": board(
        "kiwipete",
        "r...k..r p.ppqpb. bn..pnp. ...PN... .p..P... ..N..Q.p PPPBBPPP R...K..R",
        "Wing",
    ),
    "position_3": board(
        "position_3",
        "........ ..p..... ...p.... KP.....r .R...p.k ........ ....P.P. ........",
        "{}",
    ),
    "hold_at_20": """\
variant hold_at_20 of pig "Hold at 20"

define enough(p: Player) = pot >= 20 or p.score + pot >= goal

before action throw
    require not you.enough "Hold."

before action hold
    require you.enough "Throw."
""",
}


# ------------------------------------------------------------ perft


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("tic_tac_toe", [9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]),
        ("connect_four", [7, 49, 343, 2401, 16807, 117649, 823536, 5673234]),
        ("breakthrough", [22, 484, 11132, 256036, 6182818]),
        ("othello", [4, 12, 56, 244, 1396, 8200, 55092, 390216]),
        ("hex", [121, 14520, 1727880]),
        ("pentominoes", [2308]),
    ],
)
def test_the_number_of_moves_is_the_published_one(name: str, counts: list[int]) -> None:
    assert leaves(name, len(counts)) == counts


@pytest.mark.soak
@pytest.mark.parametrize(
    ("name", "depth", "count"),
    [
        ("connect_four", 9, 39394572),
        ("breakthrough", 6, 149264638),
        ("othello", 9, 3005288),
    ],
)
def test_deeper_the_number_of_moves_is_the_published_one(name: str, depth: int, count: int) -> None:
    engine = engine_of(name)
    engine.start(1, ask_always=True)
    assert engine.perft(depth) == count


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("checkers", [7, 49, 302, 1469, 7361, 36768, 179740, 845931]),
        ("nine_mens_morris", [24, 552, 12144, 255024, 5140800]),
        ("chess", [20, 400, 8902, 197281]),
        ("kiwipete", [48, 2039, 97862]),
        ("position_3", [14, 191, 2812, 43238]),
    ],
)
def test_the_number_of_turns_is_the_published_one(name: str, counts: list[int]) -> None:
    assert leaves(name, len(counts), by_turn=True) == counts


@pytest.mark.soak
@pytest.mark.parametrize(
    ("name", "depth", "count"),
    [
        ("checkers", 9, 3963680),
        ("chess", 5, 4865609),
        ("kiwipete", 4, 4085603),
        ("position_3", 5, 674624),
    ],
)
def test_deeper_the_number_of_turns_is_the_published_one(name: str, depth: int, count: int) -> None:
    engine = engine_of(name)
    engine.start(1, ask_always=True)
    assert engine.perft_turns(depth) == count


# ------------------------------------------------------------ distinct positions


def board_of(engine: Engine) -> str:
    """What lies where."""
    return str(engine.position()["contents"])


def positions_by_ply(name: str, plies: int) -> Iterator[int]:
    """How many different boards there are after so many moves."""
    engine = engine_of(name)
    assert engine.start(1, ask_always=True)
    now = {board_of(engine): (engine.save(), engine.number)}
    yield len(now)
    for _ in range(plies):
        later: dict[str, tuple[Saved, int]] = {}
        for vector, number in now.values():
            for option in range(number):
                engine.load(vector)
                going = engine.choose(option)
                later[board_of(engine)] = (engine.save(), engine.number if going else 0)
        now = later
        yield len(now)


def test_the_positions_and_the_games_of_tic_tac_toe() -> None:
    """For each position, in how many ways it is reached."""
    engine = engine_of("tic_tac_toe")
    engine.start(1, ask_always=True)
    now = {board_of(engine): (1, engine.save(), engine.number)}
    positions = 0
    ends = Counter[tuple[int, ...]]()
    while now:
        positions += len(now)
        later: dict[str, tuple[int, Saved, int]] = {}
        for ways, vector, number in now.values():
            for option in range(number):
                engine.load(vector)
                going = engine.choose(option)
                board = board_of(engine)
                before = later[board][0] if board in later else 0
                later[board] = (before + ways, engine.save(), engine.number if going else 0)
                if not going:
                    ends[engine.result().winners] += ways
        now = later
    assert positions == 5478
    assert ends == {(1,): 131184, (2,): 77904, (): 46080}


CONNECT_FOUR = [1, 7, 49, 238, 1120, 4263, 16422, 54859, 184275]


def test_the_positions_of_connect_four() -> None:
    assert list(positions_by_ply("connect_four", 4)) == CONNECT_FOUR[:5]


@pytest.mark.soak
def test_more_positions_of_connect_four() -> None:
    assert list(positions_by_ply("connect_four", 7)) == CONNECT_FOUR[:8]


OPENINGS = {
    (2, 1): 15,
    (3, 1): 16,
    (4, 1): 14,
    (5, 1): 8,
    (6, 1): 10,
    (3, 2): 17,
    (4, 2): 18,
    (5, 2): 8,
    (6, 2): 14,
    (4, 3): 17,
    (5, 3): 9,
    (6, 3): 14,
    (5, 4): 9,
    (6, 4): 14,
    (6, 5): 7,
}


def test_the_positions_after_an_opening_roll_in_backgammon() -> None:
    engine = engine_of("backgammon")
    points = engine.table.things("Point") + engine.table.things("bar")
    found: dict[tuple[int, int], int] = {}
    ends: set[str] = set()

    def men() -> str:
        contents = engine.position()["contents"]
        assert isinstance(contents, dict)
        return str([contents[point] for point in points])

    def follow(first: Thing) -> None:
        if engine.seat is not first:
            ends.add(men())
            return
        here, number = engine.save(), engine.number
        for option in range(number):
            engine.load(here)
            assert engine.choose(option)
            follow(first)

    for seed in range(200):
        engine.start(seed, ask_always=True)
        slots = engine.position()["slots"]
        assert isinstance(slots, dict)
        one, other = (slots["Player.opening", seat] for seat in engine.table.things("Player"))
        roll = max(one, other), min(one, other)
        if roll not in found:
            ends.clear()
            follow(engine.seat)
            found[roll] = len(ends)
    assert found == OPENINGS


# ------------------------------------------------------------ random play


def near(values: list[float], published: float, rounding: float) -> None:
    """Within four standard errors of the published value, which is rounded."""
    error = stdev(values) / len(values) ** 0.5
    assert abs(fmean(values) - published) < 4 * error + rounding / 2


def lengths(rows: list[Row]) -> list[float]:
    """A full board is found out by one more decision, in which nothing is legal."""
    return [float(row.decisions - (row.how == "end")) for row in rows]


def share(rows: list[Row], seat: int) -> list[float]:
    return [float(row.winners == (seat,)) for row in rows]


@pytest.mark.parametrize(
    ("name", "games", "shares", "length", "rounding"),
    [
        ("tic_tac_toe", 50_000, (0.585, 0.288), 7.627, 0.001),
        ("connect_four", 10_000, (0.556, 0.441), 21.31, 0.01),
        ("breakthrough", 4_000, (0.5095,), 64.09, 0.01),
        ("othello", 600, (), 60.40, 0.01),
        ("hex", 1_000, (), 107.6, 0.1),
    ],
)
def test_random_play_is_as_published(
    name: str, games: int, shares: tuple[float, ...], length: float, rounding: float
) -> None:
    rows = engine_of(name).playouts(games, seed=1)
    for seat, published in enumerate(shares, start=1):
        near(share(rows, seat), published, 0.001)
    near(lengths(rows), length, rounding)


def test_draws_are_as_rare_as_published() -> None:
    for name, games, published in (("tic_tac_toe", 50_000, 0.127), ("connect_four", 10_000, 0.003)):
        rows = engine_of(name).playouts(games, seed=2)
        near([float(not row.winners) for row in rows], published, 0.001)


def test_who_holds_at_20_in_pig_wins_as_often_as_published() -> None:
    rows = engine_of("hold_at_20").playouts(50_000, seed=1)
    near(share(rows, 1), 0.5347, 0.0001)
