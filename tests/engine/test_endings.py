"""How games end, in both executors: draws, losses of all, teams, ties that nobody wins."""

from __future__ import annotations

import pytest

from ruledsl.diagnostics.source import Source
from ruledsl.engine import Engine
from ruledsl.engine.played import Batch
from ruledsl.lab.simulation import RandomGames
from ruledsl.lab.tally import Tally
from ruledsl.library import Library
from ruledsl.play.chance import Dice, Generator
from ruledsl.play.check import check_source
from ruledsl.play.interpreter import Interpreter
from ruledsl.play.ranking import Result
from ruledsl.table.table import Table
from tests.engine.lockstep import play_in_step

RULES = """\
game x
    players 4
    limit 9 decisions

type Side = wolves, sheep

state Player.side: Side or none = if seat = 1 then wolves else if seat = 4 then none else sheep
state Player.points: number = 0

define seat_of(p: Player) = p.seat

step setup
    set active = Player(1)
    set Player(2).points = 3
    set Player(3).points = 3

step play
    choose k in 1..2 "How?"
    if k = 1
        {first}
    else
        {second}

ranking p in playing
    highest p.points
{lines}
"""


def table_of(first: str, second: str = "end game", lines: str = "") -> Table:
    text = RULES.replace("if seat = 1 then wolves else if seat = 4 then none else sheep", "sheep")
    text = text.replace(
        "    set Player(2).points = 3\n",
        "    set Player(1).side = wolves\n    set Player(4).side = none\n"
        "    set Player(2).points = 3\n",
    )
    text = text.replace("{first}", first).replace("{second}", second).replace("{lines}", lines)
    checked = check_source(Source("x", text), Library())
    assert checked.game is not None, checked.diagnostics
    return Table(checked.game, 4)


def result_of(table: Table) -> Result:
    interpreter = Interpreter(table, Dice(Generator(1)))
    run = interpreter.play()
    decision = next(run)
    with pytest.raises(StopIteration):
        run.send(decision.options[0])
    assert interpreter.result is not None
    return interpreter.result


TEAM = "    team p.side"
NO_TIE = "    else win none"
CASES: dict[str, tuple[str, str, str, list[int], list[int]]] = {
    "the ranking": ("end game", "", "end", [2, 3], [3, 1, 1, 3]),
    "a tie": ("end game", NO_TIE, "draw", [], [1, 1, 1, 1]),
    "nobody wins": ("win none", "", "draw", [], [1, 1, 1, 1]),
    "no set": ("win {p in Player where p.points > 9}", "", "draw", [], [1, 1, 1, 1]),
    "all win": ("win Player", "", "win", [1, 2, 3, 4], [1, 1, 1, 1]),
    "all lose": ("lose Player", "", "lose", [], [4, 4, 4, 4]),
    "one loses": ("lose Player(2)", "", "lose", [3], [2, 4, 1, 2]),
    "all lose, and are equal": ("lose Player", NO_TIE, "lose", [], [4, 4, 4, 4]),
    "a tie of those who did not lose": ("lose Player(1)", NO_TIE, "draw", [], [1, 1, 1, 1]),
    "a tie of all": (
        "set Player(2).points = 0\n        set Player(3).points = 0",
        f"{TEAM}\n{NO_TIE}",
        "draw",
        [],
        [1, 1, 1, 1],
    ),
    "teams": ("end game", TEAM, "end", [2, 3], [3, 1, 1, 3]),
    "a team that is not tied": (
        "end game",
        f"{TEAM}\n{NO_TIE}",
        "end",
        [2, 3],
        [3, 1, 1, 3],
    ),
    "a team wins": ("win Player(3)", TEAM, "win", [2, 3], [3, 1, 1, 3]),
    "a team loses": ("lose Player(3)", TEAM, "lose", [1, 4], [1, 3, 3, 1]),
    "a team that nobody is left of": (
        "eliminate Player(2)\n        win Player(3)",
        TEAM,
        "win",
        [2, 3],
        [3, 1, 1, 3],
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_results(case: str) -> None:
    first, lines, how, winners, ranks = CASES[case]
    table = table_of(first, lines=lines)
    result = result_of(table)
    assert result.how == how
    assert list(result.winners) == winners
    assert list(result.ranks.values()) == ranks
    engine = Engine(table)
    for seed in range(8):
        play_in_step(engine, seed)


def _tally(table: Table) -> Tally:
    tally = Tally.of(table)
    for each in RandomGames(table, 1).play(0, 400):
        assert isinstance(each, Batch)
        tally.add_batch(each)
    return tally


def test_a_common_win_is_a_whole_win() -> None:
    summary = _tally(table_of("win Player", "lose Player")).summary()
    assert [seat.wins.value for seat in summary.seats] == [summary.seats[0].wins.value] * 4
    assert 0.4 < summary.seats[0].wins.value < 0.6
    assert summary.draws.value == 0
    assert summary.lost.value == 1 - summary.seats[0].wins.value
    assert dict(summary.endings).keys() == {"win", "lose"}


def test_a_team_wins_as_a_whole() -> None:
    summary = _tally(table_of("end game", "win Player(1)", TEAM)).summary()
    assert summary.seats[1].wins.value == summary.seats[2].wins.value > 0.4
    assert summary.seats[0].wins.value + summary.seats[1].wins.value == 1


def test_the_search_plays_for_a_common_win() -> None:
    for best, (first, second) in enumerate(
        (("win Player", "lose Player"), ("lose Player", "win Player"))
    ):
        engine = Engine(table_of(first, second))
        engine.start(1)
        engine.iterations(200, 1)
        visits = [found.visits for found in engine.found()]
        assert visits.index(max(visits)) == best
