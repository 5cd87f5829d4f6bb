"""What is told of the end: what brought it about, and what decided who won."""

from __future__ import annotations

import pytest

import ruledsl
from ruledsl.diagnostics.source import Source
from ruledsl.library import Library
from ruledsl.play.check import check_source
from ruledsl.play.match import Match
from ruledsl.scene.data import Ending
from ruledsl.scene.scene import scene_of

WELL = """\
game well "Well"
    players 2..3
    limit 20 decisions
    rulebook WE 1..9 "Well"

state Player.coins: 0..9 = 0
state Player.stones: 0..9 = 0

step setup
    set active = Player(1)

step play
    repeat
        choose "What do you do?"
            throw
            win_at_once
            fall
            drown
        set active = active.next

action throw(n in 0..3, m in 0..3) "Throw"                  §WE-1
    set you.coins = n
    set you.stones = m

action win_at_once "Win at once"                            §WE-2
    win you

action fall "Fall"
    eliminate you

action drown "Drown"
    set well = yes

state well: flag = no

trigger full                                                §WE-3
    when well                                               §WE-4
    if players = 2
        tell "The well is full for {Player(1)}."
        end game                                            §WE-5
    else
        end game                                            §WE-6

trigger lonely
    when count(playing) = 1                                 §WE-7
    end game

ranking p in playing
    highest p.coins                                         §WE-8
    highest p.stones                                        §WE-9
"""


def ending(players: int, *choices: str) -> Ending:
    checked = check_source(Source("well", WELL), Library())
    assert checked.game is not None, checked.diagnostics
    match = Match(checked.game, players, {}, 1)
    for choice in choices:
        match.choose(choice)
    found = scene_of(match, None).ending
    assert found is not None
    return found


def test_only_the_line_that_ended_it_is_quoted_and_the_keys_that_decided() -> None:
    assert ending(2, "throw 2 0", "throw 1 3", "drown").cites == ("WE-5", "WE-8")
    assert ending(2, "throw 2 0", "throw 2 3", "drown").cites == ("WE-5", "WE-8", "WE-9")
    assert ending(3, "drown").cites == ("WE-6", "WE-8", "WE-9")


def test_a_line_without_a_citation_ends_it_by_the_nearest_around_it() -> None:
    assert ending(2, "win at once").cites == ("WE-2",)
    assert ending(2, "fall").cites == ("WE-7", "WE-8", "WE-9")


def test_what_the_rules_tell_there_is_why_it_ended() -> None:
    assert ending(2, "drown").because == "The well is full for Player 1."
    assert ending(3, "drown").because == ""


def test_whoever_is_out_has_no_values_that_decide() -> None:
    out, left = reversed(ending(2, "fall").placings)
    assert (left.apart, len(left.keys)) == ("", 2)
    assert (out.apart, out.keys) == ("out", ())


@pytest.mark.parametrize("players", [2, 4])
def test_no_rule_for_two_players_ends_a_game_of_four(players: int) -> None:
    match = ruledsl.load("pied_piper").start(players, seed=3)
    while match.seat is not None:
        match.choose(match.options[len(match.history) % len(match.options)])
    found = scene_of(match, None).ending
    assert found is not None
    assert ("PP-64" in found.cites) == (players == 2)
    assert ("PP-59" in found.cites) == (players == 4)


def test_points_so_far_do_not_stand_beside_those_at_the_end() -> None:
    match = ruledsl.load("hameln").start(3, seed=1)
    assert all(seat.progress is not None for seat in scene_of(match, None).seats)
    while match.seat is not None:
        match.choose(match.options[len(match.history) % len(match.options)])
    scene = scene_of(match, None)
    assert all(seat.progress is None for seat in scene.seats)
    assert scene.ending is not None
    assert [placing.keys[0].label for placing in scene.ending.placings] == ["points"] * 3
