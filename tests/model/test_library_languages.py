"""What a library says in a language obliges nobody who uses it, and needs no repetition."""

from pathlib import Path

import pytest

from ruledsl.library import Library, read_path
from ruledsl.model.check import check_rules
from ruledsl.play.words import Words

DICE = """\
library dice "Dice"

place tray of Die
piece Die 2 in tray
state Die.pips: 1..6 = 1

language de
    Die "Würfel" "der, Würfel"
    tray "Ablage" "die"
    pips "Augen"
"""
RACE = """\
game race "Race"
    players 2

use dice

define best(die: Die) = die.pips = 6

step play
    if any(d in Die where d.best)
        win Player(1)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "dice.rules").write_text(DICE, encoding="utf-8")
    return tmp_path


def missing(path: Path) -> list[str]:
    return [found.message for found in check_rules(read_path(str(path)), Library()).diagnostics]


def test_a_game_in_english_may_use_it(folder: Path) -> None:
    path = folder / "race.rules"
    path.write_text(RACE, encoding="utf-8")
    assert missing(path) == []


def test_a_game_in_german_needs_what_the_library_lacks(folder: Path) -> None:
    path = folder / "race.rules"
    path.write_text(f'{RACE}\nlanguage de\n    best "eine Sechs"\n', encoding="utf-8")
    (lacks,) = missing(path)
    assert "“Race”" in lacks


def test_the_library_itself_is_complete(folder: Path) -> None:
    path = folder / "dice.rules"
    path.write_text(DICE.replace('    tray "Ablage" "die"\n', ""), encoding="utf-8")
    (lacks,) = missing(path)
    assert "“tray”" in lacks


def test_a_variant_of_a_game_in_german_is_german(folder: Path) -> None:
    german = f'{RACE}\nlanguage de\n    race "Rennen"\n'
    (folder / "race.rules").write_text(german, encoding="utf-8")
    path = folder / "relay.rules"
    path.write_text('variant relay of race "Relay"\n', encoding="utf-8")
    (lacks,) = missing(path)
    assert "“Relay”" in lacks


def test_what_is_called_like_a_kind_has_its_word(folder: Path) -> None:
    path = folder / "race.rules"
    path.write_text(RACE, encoding="utf-8")
    game = check_rules(read_path(str(path)), Library()).game
    assert game is not None
    assert Words(game, "de").name("die") == "Würfel"
    assert Words(game, "de").name("dies") == "dies"
    assert Words(game, "en").name("die") == "die"
