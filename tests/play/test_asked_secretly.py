"""Where it tells a secret who is asked, others see neither who decides nor that somebody did."""

import attrs

from ruledsl.cli.history import public_history
from ruledsl.diagnostics.source import Source
from ruledsl.library import Library
from ruledsl.play.check import check_source
from ruledsl.play.match import Match
from ruledsl.scene.scene import scene_of

RULES = """\
game wolves "Wolves"
    players 4
    limit 20 decisions

state moon: 1..4 = 1 hidden
state Player.wolf: flag = no private
state Player.votes: 0..9 = 0
state Player.bitten: 0..9 = 0 hidden

step setup
    roll moon in 1..4
    for p in Player where p.seat = moon
        set p.wolf = yes

step play
    for p in Player where p.wolf
        choose victim in p.others by p "Whom do you bite?"
        add 1 to victim.bitten
    for p in Player
        choose victim in p.others by p "Whom do you accuse?"
        add 1 to victim.votes
    end game

ranking p in playing
    lowest p.votes
"""


def wolves(seed: int) -> Match:
    checked = check_source(Source("wolves", RULES), Library())
    assert checked.game is not None, checked.diagnostics
    assert {each.code.name for each in checked.diagnostics} == {"asked-openly"}
    return Match(checked.game, 4, None, seed)


def by_wolf() -> dict[int, Match]:
    """A match for each wolf."""
    matches = [wolves(seed) for seed in range(40)]
    return {match.seat: match for match in matches if match.seat is not None}


def test_nobody_else_sees_who_is_asked() -> None:
    matches = by_wolf()
    assert set(matches) == {1, 2, 3, 4}
    for seat, match in matches.items():
        assert match.seats == (1, 2, 3, 4)
        assert not match.asks_openly
        for viewer in (None, 1, 2, 3, 4):
            scene = scene_of(match, viewer)
            asked = [each.number for each in scene.seats if each.asked]
            assert asked == ([seat] if viewer == seat else [])
            assert (scene.prompt != "") == (viewer == seat)


def test_the_same_is_seen_whoever_the_wolf_is() -> None:
    matches = by_wolf()
    for viewer in (1, None):
        seen = []
        for seat in (2, 3, 4):
            match = matches[seat]
            victim = next(c for c in match.options if c.label != match.words.value(match.player(1)))
            match.choose(victim)
            scene = scene_of(match, viewer)
            lines = [line.text for line in match.log(1 if viewer else None)]
            seen.append((attrs.evolve(scene, ask=None), lines, match.seats))
            match.undo() if match.can_undo() else match.replay(())
        assert seen[0] == seen[1] == seen[2]


def test_an_open_choice_shows_who_is_asked() -> None:
    match = wolves(3)
    match.choose(0)
    assert match.asks_openly
    assert match.seats == (1,)
    assert [each.number for each in scene_of(match, 2).seats if each.asked] == [1]
    assert scene_of(match, 2).prompt == "Whom do you accuse?"


def test_the_history_of_a_game_that_goes_on_tells_of_no_secret_asking() -> None:
    matches = by_wolf()
    told = []
    for seat in (2, 3, 4):
        match = matches[seat]
        match.choose(0)
        match.choose(0)
        told.append([(made.seat, made.option) for made in public_history(match)])
    assert told == [[(1, None)]] * 3
