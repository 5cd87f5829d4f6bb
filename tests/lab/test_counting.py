"""What the engine counts is what the interpreter sees happen."""

from __future__ import annotations

from collections import Counter

import pytest

from ruledsl.engine import Engine
from ruledsl.engine.counted import watch_every_game
from ruledsl.engine.counters import FIRST_WATCHED, is_watched, subject_of
from ruledsl.engine.memory.control import QUICK, RANDOM
from ruledsl.lab.counting import CountedGames, Counts
from ruledsl.lab.simulation import _STREAMS, rows_of
from ruledsl.play.chance import Dice, Generator
from ruledsl.play.events import Chosen, Eliminated, Rolled
from ruledsl.play.interpreter import Interpreter
from ruledsl.play.loading import load
from ruledsl.play.ranking import result_of
from ruledsl.table.table import Table
from ruledsl.table.things import Thing, Value
from tests.lab.small_games import COUNTING, DICE, table_of

SEED = 5
GAMES = 15


def name(value: Value) -> str:
    return subject_of(value) if isinstance(value, Thing) else str(value)


def seen(table: Table, games: int) -> tuple[Counter[tuple[str, str, int]], Counter[str]]:
    """Actions and their values by seat, and other happenings, as the interpreter has them."""
    chosen: Counter[tuple[str, str, int]] = Counter()
    other: Counter[str] = Counter()
    for number in range(games):
        base = SEED * _STREAMS + 2 * number
        dice, mind = (Generator((base + each) & (2**64 - 1)) for each in (0, 1))
        interpreter = Interpreter(table, Dice(Generator(dice.next())))
        mind = Generator(mind.next())
        run = interpreter.play()
        decision = next(run, None)
        while decision is not None:
            other["choices"] += 1
            option = decision.options[mind.below(len(decision.options))]
            try:
                decision = run.send(option)
            except StopIteration:
                decision = None
        for event in interpreter.hands.events:
            match event:
                case Chosen(seat=seat, action=str(action), values=values):
                    chosen["action", action, seat.index + 1] += 1
                    for value in values:
                        chosen["value", f"{action} {name(value)}", seat.index + 1] += 1
                case Eliminated(player=player):
                    other[f"out {player.index + 1}"] += 1
                case Rolled(value=value):
                    other[f"roll {name(value)}"] += 1
                case _:
                    pass
    return chosen, other


@pytest.mark.parametrize("game", ["pied_piper", "pig", "love_letter", "tic_tac_toe", "hearts"])
def test_as_the_interpreter_sees_it(game: str) -> None:
    found = load(game)
    compare(Table(found.checked, found.usual_players()))


BIDDING = """\
game bidding "Bidding"
    players 2..3

type Colour = red, green

state Player.gold: 0..90 = 0

step play
    set active = Player(1)
    repeat 4 times
        choose "What?"
            bid
            fold
        set active = active.next

action bid(n in 0..3, c in Colour) "Bid"
    roll luck in 0..2
    add n * luck to you.gold
    if c = green and count(playing) > 2
        eliminate you

action fold(m in 1..2) "Fold"
    add m to you.gold

ranking p in Player
    highest p.gold
"""


@pytest.mark.parametrize("players", [2, 3])
def test_numbers_from_nothing_on_are_told_apart(players: int) -> None:
    compare(table_of(BIDDING, players))


def compare(table: Table) -> None:
    chosen, other = seen(table, GAMES)
    counts = CountedGames(table, SEED).observe(0, GAMES).counts
    ours: Counter[tuple[str, str, int]] = Counter()
    happened: Counter[str] = Counter()
    for number, counter in enumerate(counts.counters):
        if counter.sort == "options" and counter.name != "1":
            happened["choices"] += counts.used(number).uses
        if counter.sort == "roll":
            happened[f"roll {counter.name}"] += counts.used(number).uses
        for seat in range(1, counts.players + 1):
            uses = counts.used(number, seat).uses
            if counter.sort == "action":
                ours["action", counter.name, seat] += uses
            elif counter.sort == "value" and not counter.of.startswith("choose "):
                action = counter.of.partition(".")[0]
                ours["value", f"{action} {counter.name}", seat] += uses
            elif counter.sort == "out":
                happened[f"out {seat}"] += uses
    told = {key for key in ours if ours[key]}
    assert {key: ours[key] for key in told} == {key: chosen[key] for key in told}
    assert {key for key in chosen if key[0] == "action"} <= told
    assert +happened == +other


def test_counting_changes_nothing() -> None:
    """Games that are watched are the listed ones, the others are drawn as `simulate` draws them."""
    table = Table(load("pied_piper").checked, 3)
    games, first = 64, FIRST_WATCHED - 32
    counted = CountedGames(table, 3)
    found = [
        row
        for batch in counted.play(first, first + games, keep=True)
        for row in rows_of(batch, first)  # type: ignore[arg-type]
    ]
    engine = Engine(table, checked=True, lightly=True)
    modes = {True: RANDOM, False: QUICK}
    for number, row in enumerate(found, first):
        listed = counted.is_listed(number)
        batch = engine.batch(1, 3, number, mode=modes[listed], keep=True)
        assert [row] == [*rows_of(batch, number)]
        assert (row.choices is not None) == listed
    assert {counted.is_listed(first + at) for at in range(games)} == {True, False}


def test_it_does_not_matter_how_games_are_shared_out() -> None:
    table = Table(load("pied_piper").checked, 3)
    whole = CountedGames(table, 3).observe(0, 400)
    parts = CountedGames(table, 3).observe(0, 150)
    parts.merge(CountedGames(table, 3).observe(150, 400))
    for number in range(len(whole.counts.counters)):
        assert whole.counts.used(number) == parts.counts.used(number)
    assert whole.lengths == parts.lengths
    assert whole.counts.leads == parts.counts.leads
    assert whole.counts.highest == parts.counts.highest


def test_thirds_and_what_goes_with_winning() -> None:
    games = CountedGames(table_of(COUNTING), 1)
    watch_every_game(games.engine)
    counts = games.observe(0, 1000).counts
    uses = {counter.name: used for counter, used in counts.of_sort("action")}
    for used in uses.values():
        assert sum(used.thirds) == used.uses
        assert all(used.thirds)
    endings = [used for counter, used in counts.of_sort("line") if counter.name == "Win"]
    assert len(endings) == 2
    # Whoever is there when it ends has won.
    assert all(used.won == used.seats == used.games == used.uses for used in endings)
    assert sum(used.games for used in endings) == 1000


def test_lines_are_counted_in_every_game_and_split_where_it_is_watched() -> None:
    games = 2 * FIRST_WATCHED
    counted, watched = (CountedGames(table_of(COUNTING), 1) for _ in range(2))
    watch_every_game(watched.engine)
    some, all_of_them = (each.observe(0, games).counts for each in (counted, watched))
    looked_at = sum(map(is_watched, range(games)))
    assert FIRST_WATCHED < looked_at < games
    for number, counter in enumerate(some.counters):
        one, other = some.used(number), all_of_them.used(number)
        assert one.uses == other.uses, counter
        if counter.sort == "line":
            assert sum(one.thirds) <= one.uses
            assert one.games <= min(looked_at, other.games)
        else:
            assert one == other, counter
    assert sum(some.lengths.values()) == games


LOOKING = """\
game looking "Looking"
    players 2

state Player.height: 0..20 = 0

step climb(p: Player)
    add 1 to p.height

step play
    set active = Player(1)
    repeat 3 times
        choose "Up"
            wait
            jump

action wait "Wait"
    require would(you.height after climb(you)) = 1 "Only at the bottom."
    add 0 to you.height

action jump "Jump"
    add 0 to you.height

ranking p in Player
    highest p.height
"""


@pytest.mark.parametrize("watched", [False, True])
def test_what_is_only_tried_out_is_not_counted(watched: bool) -> None:
    games = CountedGames(table_of(LOOKING), 1)
    if watched:
        watch_every_game(games.engine)
    counts = games.observe(0, 2 * FIRST_WATCHED).counts
    climb = LOOKING.splitlines().index("    add 1 to p.height") + 1
    for sort in ("line", "changed"):
        used = [used for counter, used in counts.of_sort(sort) if counter.span.line == climb]
        assert [each.uses for each in used] == [0]
    assert counts.highest["Player.height"] == 0


FAILING = COUNTING.replace(
    "    add 1 to tally\n",
    "    add 1 to tally\n    roll luck in 1..40\n    if luck = 1\n        add 19 to tally\n",
    1,
)


def test_what_was_counted_outlasts_games_that_go_wrong() -> None:
    games = CountedGames(table_of(FAILING), 1)
    found = games.observe(0, 400)
    assert found.tally.summary().failures
    begun = FAILING.splitlines().index("    set active = Player(1)") + 1
    (used,) = [
        used for counter, used in found.counts.of_sort("changed") if counter.span.line == begun
    ]
    assert used.uses == found.tally.games


def test_what_changes_nothing_is_known() -> None:
    text = COUNTING.replace("    add 1 to tally\n", "    add 0 to tally\n    add 1 to tally\n")
    counts = CountedGames(table_of(text), 1).observe(0, 200).counts
    line = text.splitlines().index("    add 0 to tally") + 1
    (changed,) = [used for counter, used in counts.of_sort("changed") if counter.span.line == line]
    assert changed.uses == 0
    (span,) = [span for span in counts.lines if span.line == line]
    carried_out = counts.line(span)
    assert carried_out is not None
    assert carried_out.uses > 0


def test_refusals_are_those_of_the_rules() -> None:
    table = Table(load("tic_tac_toe").checked, 2)
    engine = Engine(table, counted=True)
    watch_every_game(engine)
    engine.batch(100, 1, 0)
    counts = Counts.of(engine)
    counts.take(engine)
    ((_, refused),) = counts.of_sort("refused")
    rows = engine.playouts(100, 1)
    # k marks make k cells taken, also where one is left, or none: then it is a draw.
    asked = [row.decisions for row in rows]
    assert set(asked) >= {9, 10}
    assert refused.uses == sum(sum(range(times)) for times in asked)
    number = next(at for at, each in enumerate(counts.counters) if each.sort == "refused")
    for seat in (1, 2):
        own = sum(sum(range(seat - 1, times, 2)) for times in asked)
        assert counts.used(number, seat).uses == own


ONE_LEFT = """\
game one_left "One left"
    players 2

piece Card 1 per Rank in hand
type Rank = low, high

place hand of Card
place table of Card

step play
    set active = Player(1)
    repeat 2 times
        choose "What?"
            lay
        set active = active.next
    choose seen in table "Which?"
        require seen.rank = low "Low."

action lay(card in hand) "Lay"
    require card.rank = low or count(hand) = 1 "Low first."
    move card to table

ranking p in Player
    highest p.one
    lowest p.two
    highest p.three

define one(p: Player) = p.seat * 0
define two(p: Player) = p.seat
define three(p: Player) = p.seat
"""


def test_refusals_that_leave_one_option_are_counted_and_those_of_values() -> None:
    engine = Engine(table_of(ONE_LEFT), counted=True)
    watch_every_game(engine)
    engine.batch(10, 1, 0)
    counts = Counts.of(engine)
    counts.take(engine)
    assert [used.uses for _, used in counts.of_sort("refused")] == [10, 10]
    met, allowed = (
        {(counter.of.partition(" ")[0], counter.name): used.uses for counter, used in found}
        for found in (counts.of_sort("met"), counts.of_sort("allowed"))
    )
    low, high = "Card(low)", "Card(high)"
    assert met == {
        ("lay.card", low): 10,
        ("lay.card", high): 20,
        ("choose", low): 10,
        ("choose", high): 10,
    }
    assert allowed == {
        ("lay.card", low): 10,
        ("lay.card", high): 10,
        ("choose", low): 10,
        ("choose", high): 0,
    }


def test_which_lines_of_the_ranking_are_needed() -> None:
    engine = Engine(table_of(ONE_LEFT), counted=True)
    watch_every_game(engine)
    engine.batch(10, 1, 0)
    counts = Counts.of(engine)
    counts.take(engine)
    assert [used.uses for _, used in counts.of_sort("tied")] == [10, 10, 0]
    assert [used.uses for _, used in counts.of_sort("told apart")] == [0, 10, 0]


def test_who_leads_is_who_would_win() -> None:
    table = table_of(DICE)
    engine = Engine(table, counted=True)
    watch_every_game(engine)
    engine.batch(200, 1, 0)
    counts = Counts.of(engine)
    counts.take(engine)
    lead = counts.lead
    assert lead is not None
    assert lead.games == 200
    assert lead.led[0].value == 0  # All begin with nothing.
    interpreter = Interpreter(table, Dice(Generator(1)))
    assert result_of(table, interpreter.pos, "end", ()).winners == ()
    assert 0 < lead.changes.mean < 2
    assert lead.held[-1].value > 0.8


CLIMB = """\
game climb "Climb"
    players 2

state Player.height: 0..20 = 0

step play
    set active = Player(1)
    repeat 20 times
        choose "Up"
            left
            right

action left "Left"
    add 1 to you.height

action right "Right"
    add 1 to you.height

ranking p in Player
    highest p.height
"""


def test_how_far_the_leader_is_ahead() -> None:
    engine = Engine(table_of(CLIMB), counted=True)
    watch_every_game(engine)
    engine.batch(10, 1, 0)
    counts = Counts.of(engine)
    counts.take(engine)
    assert counts.lead is not None
    # In the middle of each tenth: two choices make a tenth, and each of them a step.
    assert counts.lead.ahead == tuple(range(1, 21, 2))


def test_many_changes_of_the_lead_are_all_counted() -> None:
    text = CLIMB.replace("0..20", "0..200").replace("repeat 20 times", "repeat 90 times")
    text = text.replace("add 1 to you.height", "add 2 to you.height")
    text = text.replace(
        "            right\n", "            right\n        set active = active.next\n"
    )
    text = text.replace("state Player.height: 0..200 = 0", HANDICAP)
    engine = Engine(table_of(text), counted=True)
    watch_every_game(engine)
    engine.batch(4, 1, 0)
    counts = Counts.of(engine)
    counts.take(engine)
    assert counts.lead is not None
    # One leads by one before the choices of the other, who then leads by one.
    assert counts.lead.changes.mean == 89


HANDICAP = """state Player.height: 0..200 = 0

step setup
    add 1 to Player(2).height"""


def test_games_by_others_can_be_counted_choice_by_choice() -> None:
    table = table_of(COUNTING)
    engine = Engine(table, counted=True)
    assert engine.start(1)
    choices = 1
    while engine.choose(1):
        choices += 1
    engine.call("count_game", choices)
    counts = Counts.of(engine)
    counts.take(engine)
    uses = {counter.name: used for counter, used in counts.of_sort("action")}
    assert uses["large"].uses == choices == 3
    assert uses["small"].uses == 0
    assert uses["large"].thirds == (1, 1, 1)
