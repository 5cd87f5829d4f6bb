"""A state may be labelled by its owner and name, where something else is called so, too."""

from ruledsl.diagnostics.source import Source
from ruledsl.library import Library
from ruledsl.play.check import check_source
from ruledsl.play.match import Match
from ruledsl.scene.scene import scene_of

RULES = """\
game quay "Quay"
    players 2
    limit 9 decisions

type Good = tea, silk
state Good.put_up: 0..9 = 0
state Player.coins: number = 3
state seed: number = 0 hidden
state turns: number = 0

step play
    set active = Player(1)
    repeat
        add 1 to seed
        add 1 to turns
        choose "Which one?"
            put_up
        set active = active.next

action put_up(good in Good) "Put up {good}"
    add 1 to good.put_up
    take 1 from you.coins

looks
    turns bookkeeping

language de
    quay "Kai"
    "Which one?" "Was?"
    Good "Ware"
    tea "Tee"
    silk "Seide"
    put_up "{good} anbieten"
"""
LABELS = """\
    Good.put_up "angebotene Kisten"
    Player.coins "Münzen"
"""


def test_a_label_with_the_owner_is_that_of_the_state() -> None:
    found = check_source(Source("quay.rules", RULES + LABELS), Library())
    assert found.game is not None
    assert found.diagnostics == ()
    match = Match(found.game, 2, None, 1, "de")
    assert match.options[0].label == "Tee anbieten"
    match.choose(match.options[0])
    scene = scene_of(match, 1)
    shown = {stat.label for stat in scene.stats}
    assert "angebotene Kisten (Tee)" in shown
    assert {stat.label for seat in scene.seats for stat in seat.stats} == {"Münzen"}
    assert any(line.text == "Münzen (Spieler 1) ist jetzt 2" for line in match.log(1))
    assert any(line.text == "angebotene Kisten (Tee) ist jetzt 1" for line in match.log(1))


def test_states_that_are_shown_need_a_text() -> None:
    found = check_source(Source("quay.rules", RULES), Library()).diagnostics
    assert [each.code.name for each in found] == ["missing-translation"]
    assert "“coins”" in found[0].message
