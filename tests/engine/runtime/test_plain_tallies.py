"""What the module adds up is what the games come to, added up in plain Python."""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

import pytest

import ruledsl
from ruledsl.diagnostics.source import Source
from ruledsl.engine import Engine, counters
from ruledsl.engine.counted import Taken, counters_of, take_counts, watch_every_game
from ruledsl.engine.counters import RECORD, THIRDS
from ruledsl.engine.memory.control import HOWS, QUICK, RANDOM, WINNERS
from ruledsl.engine.memory.layout import LARGE, Layout
from ruledsl.engine.played import Row
from ruledsl.engine.runtime.batches import ONE
from ruledsl.engine.runtime.leads import MOST_CHANGES, TENTHS
from ruledsl.engine.runtime.results import MOST_AHEAD
from ruledsl.engine.runtime.tallies import Sums
from ruledsl.lab.simulation import _STREAMS
from ruledsl.library import Library
from ruledsl.play.chance import Dice, Generator
from ruledsl.play.interpreter import Interpreter
from ruledsl.play.loading import load_source
from ruledsl.play.ranking import scores_of
from ruledsl.table.table import Table
from ruledsl.table.things import Thing

SEED = 3


def table_of(name: str, players: int) -> Table:
    return Table(ruledsl.load(name).checked, players)


# ---------------------------------------------------------------- tallies

FORTUNE = """\
game fortune "Fortune"
    players 2..3
    limit 20 decisions

state Player.gold: -90000..90000 = 0

step play
    set active = Player(1)
    repeat 3 times
        choose "How?"
            dig
            rest
        set active = active.next

action dig "Dig"
    roll depth in 1..6
    if depth < 3
        take 30000 * depth from you.gold
    else
        add 13000 * depth to you.gold

action rest "Rest"
    if you.gold > 0
        win you

ranking p in Player
    highest p.gold
    payoff p.gold in -90000..90000
"""


def added_up(rows: Sequence[Row], players: int, *, teams: bool) -> Sums:
    sums: dict[str, list[int]] = {
        "endings": [0] * 2 * len(HOWS),
        "won": [0] * players * (players + 1),
        "ranks": [0] * players,
        "payoffs": [0] * players,
        "payoff_squares": [0] * 2 * players,
    }
    for row in rows:
        sums["endings"][2 * HOWS.index(row.how) + bool(row.winners)] += 1
        among = 1 if teams or row.how == "win" else len(row.winners)
        for winner in row.winners:
            sums["won"][(winner - 1) * (players + 1) + among] += 1
        for seat, (rank, payoff) in enumerate(zip(row.ranks, row.payoffs, strict=True)):
            sums["ranks"][seat] += rank
            sums["payoffs"][seat] += payoff
            high, low = divmod(payoff**2, 1 << 32)
            sums["payoff_squares"][2 * seat] += low
            sums["payoff_squares"][2 * seat + 1] += high
    choices = [row.choices for row in rows if row.choices is not None]
    squares = [divmod(each**2, 1 << 32) for each in choices]
    sums["counted"] = [len(choices)]
    sums["choices"] = [sum(choices)]
    sums["choice_squares"] = [sum(low for _, low in squares), sum(high for high, _ in squares)]
    sums["shortest"] = [min(choices, default=0)]
    sums["longest"] = [max(choices, default=0)]
    sums["options"] = [sum(row.options for row in rows if row.options is not None)]
    return {name: tuple(words) for name, words in sums.items()}


def compare_tallies(table: Table, games: int) -> int:
    engine = Engine(table)
    ranking = table.game.ranking
    teams = ranking is not None and ranking.team is not None
    played = 0
    for mode in (RANDOM, QUICK):
        batch = engine.batch(games, SEED, 0, mode=mode, keep=True)
        rows = [*batch.rows()]
        assert len(rows) == batch.games
        assert batch.sums == added_up(rows, engine.layout.players, teams=teams)
        played += len(rows)
    return played


@pytest.mark.parametrize(
    ("name", "players"),
    [("tic_tac_toe", 2), ("pig", 3), ("love_letter", 4), ("euchre", 4), ("nine_mens_morris", 2)],
)
def test_tallies_are_sums_of_rows(name: str, players: int) -> None:
    assert compare_tallies(table_of(name, players), 50)


@pytest.mark.parametrize("players", [2, 3])
def test_sums_of_large_numbers_are_exact(players: int) -> None:
    game = load_source(Source("fortune.rules", FORTUNE), Library()).checked
    assert compare_tallies(Table(game, players), 200) == 400


# ---------------------------------------------------------------- who leads


def leader_of(interpreter: Interpreter) -> tuple[int, int]:
    """The seat that is first alone, or -1, and how far it is ahead."""
    pos = interpreter.pos
    scores = scores_of(interpreter.table, pos)
    players = interpreter.table.things("Player")
    out = len(players)

    def standing(player: Thing) -> tuple[int, ...]:
        if player in scores:
            return (1, *scores[player])
        return (3 + out - pos.out.index(player),) if player in pos.out else (2,)

    best = min(players, key=standing)
    if [standing(each) for each in players].count(standing(best)) > 1:
        return -1, 0
    first = {each: scores[each][0] if each in scores else 0 for each in players}
    ahead = min([MOST_AHEAD, *(first[each] - first[best] for each in players if each != best)])
    return best.index, max(0, ahead)


def leads_of(table: Table, games: int) -> list[int]:
    """The cells of the tally, from games of the interpreter."""
    games_led, alone = 0, 0
    led, held, ahead, settled = [0] * TENTHS, [0] * TENTHS, [0] * TENTHS, [0] * (TENTHS + 1)
    changes = [0] * MOST_CHANGES
    for number in range(games):
        base = SEED * _STREAMS + 2 * number
        dice, mind = (Generator((base + each) & (2**64 - 1)) for each in (0, 1))
        interpreter = Interpreter(table, Dice(Generator(dice.next())))
        mind = Generator(mind.next())
        run = interpreter.play()
        noted: list[tuple[int, int]] = []
        decision = next(run, None)
        while decision is not None:
            noted.append(leader_of(interpreter))
            option = decision.options[mind.below(len(decision.options))]
            try:
                decision = run.send(option)
            except StopIteration:
                decision = None
        assert interpreter.result is not None
        winners = [seat - 1 for seat in interpreter.result.winners]
        games_led += bool(noted)
        for tenth in range(TENTHS):
            leader, margin = noted[(2 * tenth + 1) * len(noted) // (2 * TENTHS)]
            if leader >= 0:
                led[tenth] += 1
                ahead[tenth] += margin
                held[tenth] += leader in winners
        leaders = [leader for leader, _ in noted if leader >= 0]
        changes[sum(one != other for one, other in pairwise(leaders))] += 1
        if len(winners) == 1:
            alone += 1
            since = len(noted)
            while since and noted[since - 1][0] == winners[0]:
                since -= 1
            settled[since * TENTHS // len(noted)] += 1
    return [games_led, *led, *held, *changes, alone, *settled, *ahead]


LEADING = """\
game leading "Leading"
    players 2..4
    limit 60 decisions

state Player.gold: -100..100 = 0
state Player.luck: 0..90 = 0

step setup
    roll active in Player

step play
    repeat 13 times
        choose "How?"
            dig
            bet
            leave
        set active = active.next

action dig "Dig"
    roll depth in 1..6
    add depth to you.gold

action bet "Bet"
    roll face in 1..6
    add face to you.luck
    take 2 from you.gold

action leave "Leave"
    require count(playing) > 2 and you.gold < 0 "Only the poor leave."
    eliminate you

ranking p in playing
    highest p.gold
    lowest p.luck
"""


@pytest.mark.parametrize("players", [2, 3, 4])
def test_who_leads(players: int) -> None:
    table = Table(load_source(Source("leading.rules", LEADING), Library()).checked, players)
    assert counted(Engine(table, counted=True), 40).leads == tuple(leads_of(table, 40))


def counted(engine: Engine, games: int) -> Taken:
    watch_every_game(engine)
    batch = engine.batch(games, SEED, 0, mode=RANDOM)
    assert batch.games == games
    return take_counts(engine)


# ---------------------------------------------------------------- what happens

NOTHING = (1 << 32) - 1


def logged(engine: Engine, most: int = 4_096) -> list[int]:
    """The events of the game that was played last, by where their records lie."""
    data = engine.runner.read(counters_of(engine).log, 4 * most)
    events = struct.unpack(f"<{most}I", data)
    return [*events[: events.index(NOTHING)]]


def records_of(engine: Engine, events: Sequence[int], records: dict[int, list[int]]) -> None:
    """Add the events of a game to records, which are made as they are needed."""
    found = counters_of(engine)
    players, stride = found.players, found.stride
    won = engine._cell(WINNERS)
    row = engine.result()
    part = ONE if row.how == "win" else ONE // max(1, len(row.winners))
    owners = [divmod(event // (4 * RECORD), stride) for event in events]
    ticks = sum(counter < found.deciding for counter, _ in owners)
    third, made = 0, 0
    used: set[tuple[int, int]] = set()
    for counter, who in owners:
        if counter < found.deciding:
            third = THIRDS * made // ticks
            made += 1
        record = records.setdefault(counter * stride + who, [0] * RECORD)
        record[third] += 1
        if (counter, who) not in used:
            used.add((counter, who))
            record[THIRDS + 1] += 1
            record[THIRDS + 2] += part if who < players and won >> who & 1 else 0
        if (counter, stride - 1) not in used:
            used.add((counter, stride - 1))
            records.setdefault(counter * stride + stride - 1, [0] * RECORD)[THIRDS + 1] += 1


@pytest.mark.parametrize(
    ("name", "players"), [("love_letter", 3), ("pig", 2), ("tic_tac_toe", 2), ("kuhn_poker", 2)]
)
def test_events_are_added_up_by_seat_and_third(name: str, players: int) -> None:
    engine = Engine(table_of(name, players), counted=True)
    watch_every_game(engine)
    records: dict[int, list[int]] = {}
    lengths: Counter[int] = Counter()
    for number in range(30):
        engine.runner.write(counters_of(engine).log, b"\xff" * 4 * 4_096)
        (row,) = engine.batch(1, SEED, number, keep=True).rows()
        assert row.choices is not None
        lengths[row.choices] += 1
        records_of(engine, logged(engine), records)
    taken = take_counts(engine)
    assert taken.lengths == lengths
    plain = {number * counters_of(engine).stride + players for number in counters_of(engine).plain}
    for number in range(len(taken.records) // RECORD):
        ours = taken.records[number * RECORD : (number + 1) * RECORD - 1]
        theirs = records.get(number, [0] * RECORD)[:-1]
        if number in plain:  # What is counted without being noted is added to these.
            ours, theirs = (
                ours[:THIRDS] + ours[THIRDS + 1 :],
                theirs[:THIRDS] + theirs[THIRDS + 1 :],
            )
        assert [*ours] == theirs, counters_of(engine).found[number // counters_of(engine).stride]


def test_a_long_game_counts_for_those_who_win_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its log is added up on the way, when nobody knows who will win."""
    table = table_of("pig", 2)
    whole = Engine(table, counted=True)
    monkeypatch.setattr(counters, "LOGGED", 16)
    short = Engine(table, counted=True)
    winners: set[int] = set()
    for number in range(6):
        found = []
        for engine in (whole, short):
            watch_every_game(engine)
            (row,) = engine.batch(1, SEED, number, keep=True).rows()
            records = take_counts(engine).records
            found.append([records[at : at + RECORD] for at in range(0, len(records), RECORD)])
        winners.update(row.winners)
        for one, other in zip(*found, strict=True):
            assert sum(one[: THIRDS + 1]) == sum(other[: THIRDS + 1])
            assert other[:THIRDS] == (0,) * THIRDS
            assert other[THIRDS + 1] <= one[THIRDS + 1]
            assert other[THIRDS + 2] in (0, one[THIRDS + 2])
    assert winners == {1, 2}


def test_there_is_room_for_the_records_of_all_counters(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: dict[int, int] = {}
    real = Layout.scratch

    def scratch(self: Layout, size: int, width: int = 4) -> int:
        address = real(self, size, width)
        sizes[address] = size
        return address

    monkeypatch.setattr(Layout, "scratch", scratch)
    text = FORTUNE.replace('action rest "Rest"', 'action rest(m in 1..400, n in 1..400) "Rest"')
    engine = Engine(
        Table(load_source(Source("fortune.rules", text), Library()).checked, 2), counted=True
    )
    found = counters_of(engine)
    needed = 4 * RECORD * found.stride * len(found.found)
    assert sizes[found.records] >= needed > LARGE


@pytest.mark.parametrize("players", [2, 3])
def test_refusals_are_counted_where_another_action_requires_nothing(players: int) -> None:
    table = Table(load_source(Source("leading.rules", LEADING), Library()).checked, players)
    engine = Engine(table, counted=True)
    watch_every_game(engine)
    rows = [*engine.batch(20, SEED, 0, keep=True).rows()]
    taken, found = take_counts(engine), counters_of(engine)
    refused = [at for at, each in enumerate(found.found) if each.sort == "refused"]
    anybody = range(found.stride - 1)
    starts = [RECORD * (number * found.stride + who) for number in refused for who in anybody]
    uses = sum(sum(taken.records[start : start + THIRDS + 1]) for start in starts)
    # Of three ways, two are always open; who may not leave is refused once.
    assert uses == sum(3 * (row.choices or 0) - (row.options or 0) for row in rows) > 0
