"""Which piece somebody is shown is told to nobody else, whoever knows the pieces."""

from typing import TypeAlias

import pytest

from ruledsl.diagnostics.source import Source
from ruledsl.library import Library
from ruledsl.play.check import check_source
from ruledsl.play.match import Match
from ruledsl.scene.data import Happening
from ruledsl.scene.scene import scene_of

RULES = """\
game clues "Clues"
    players 3
    limit 20 decisions

piece Card in Player(2).hand | count
    sun                     | 1
    moon                    | 1

place hand per Player of Card private

step setup
    show {c in Player(2).hand where c is sun} to Player(3)
    set active = Player(2)

step play
    choose card in active.hand "Which one do you show?"
    reveal(card)
    choose by Player(1) "Well?"
        action well "Well"
            skip
        action bad "Bad"
            skip

step reveal(card: Card)
    show card to Player(1)
"""
TOLD = '    tell "{Player(2)} shows {Player(1)} something."\n'


Told: TypeAlias = tuple[tuple[str, ...], tuple[Happening, ...]]


def texts(told: Told) -> list[str]:
    return [each.text for each in told[1] if each.text is not None]


def shown(card: str, rules: str, seat: int) -> Told:
    """The log and the happenings that a seat is told."""
    checked = check_source(Source("clues", rules), Library())
    assert checked.game is not None, checked.diagnostics
    match = Match(checked.game, 3, None, 1, "en")
    match.choose(next(each for each in match.options if each.label == card))
    log = tuple(line.text for line in match.log(seat))
    return log, tuple(scene_of(match, seat).happenings)


@pytest.mark.parametrize("rules", [RULES, RULES + TOLD])
def test_who_knows_a_card_does_not_learn_that_it_was_shown(rules: str) -> None:
    assert shown("sun", rules, 3) == shown("moon", rules, 3)
    assert shown("sun", rules, 1) != shown("moon", rules, 1)


def test_whoever_is_shown_it_reads_what_it_is_beside_what_all_are_told() -> None:
    heard, overheard = (texts(shown("sun", RULES + TOLD, seat)) for seat in (1, 3))
    assert heard[-2:] == ["You are shown: sun.", "Player 2 shows Player 1 something."]
    assert overheard[-1:] == ["Player 2 shows Player 1 something."]
    assert not any("looks at" in each for each in overheard)
