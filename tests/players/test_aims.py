"""Players with aims of their own."""

from __future__ import annotations

import pytest

from ruledsl.lab.arena import ArenaTally, RoundRobin
from ruledsl.lab.simulation import play_one
from ruledsl.play.loading import load
from ruledsl.players.aims import Aim, hoards
from ruledsl.players.seats import Aiming, Avoiding, SeatError, computer_of, seat_of
from ruledsl.table.table import Table
from tests.lab.small_games import DICE, FAIR, game_of, table_of

NOT_RESTING = "\ndefine worth(p: Player) = p.score\n"


def wins(text: str, word: str, games: int = 60) -> tuple[float, float]:
    """Of somebody with an aim against a random player, each in both seats."""
    table = table_of(text)
    robin = RoundRobin((computer_of(word), computer_of("random")), 2, 1)
    tally = ArenaTally(robin)
    tally.add(play_one(table, 1, number, robin.sitting(number)) for number in range(games))
    found = tally.summary().players
    return found[0].wins.value, found[1].wins.value


def test_words() -> None:
    assert computer_of("hoard:hand") == Aiming("hoard:hand")
    assert computer_of("avoid:melody") == Avoiding("avoid:melody")
    with pytest.raises(SeatError):
        seat_of("spoiler")  # At a table people play, or those who want to win.
    with pytest.raises(SeatError):
        computer_of("hoard:")


def test_what_can_be_hoarded() -> None:
    assert hoards(load("pied_piper").checked) == ("claimed", "hand")
    assert hoards(game_of(FAIR).checked) == ("hand", "score")
    missing = Aim("hoard:hands").missing_in(game_of(FAIR).checked)
    assert missing is not None
    assert "hand" in str(missing[1])
    assert Aim("aim:worth").missing_in(game_of(DICE + NOT_RESTING).checked) is None
    assert Aim("aim:worth").missing_in(game_of(DICE).checked) is not None


def test_whoever_hoards_points_beats_chance() -> None:
    hoarder, chance = wins(DICE, "hoard:score")
    assert hoarder > chance + 0.2


def test_a_definition_is_an_aim_and_its_opposite_is_too() -> None:
    high, _ = wins(DICE + NOT_RESTING, "aim:worth")
    low, _ = wins(DICE + NOT_RESTING, "aim:-worth")
    assert high > low + 0.4


def test_the_spoiler_leaves_the_leader_little() -> None:
    table = Table(load("pied_piper").checked, 2)
    assert play_one(table, 1, 0, (computer_of("spoiler"), computer_of("random"))).failure is None


def test_who_avoids_throwing_never_throws() -> None:
    resting, other = wins(DICE, "avoid:throw")
    assert resting == 0.0
    assert other > 0.6  # All but those games in which the other one rests twice, too.
