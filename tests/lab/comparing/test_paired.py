"""Figures of pairs of games."""

from __future__ import annotations

import pytest

from ruledsl.lab.comparing.elsewhere import Subject, failing_elsewhere
from ruledsl.lab.comparing.paired import compared, listed_games
from ruledsl.lab.comparing.sheets import sheet_changes
from ruledsl.lab.settings import SettingError, named_numbers, set_to
from ruledsl.library import Library
from ruledsl.play.loading import load
from tests.lab.small_games import COUNTING, game_of, table_of


def test_the_same_game_moves_nothing() -> None:
    table = table_of(COUNTING)
    moved = compared(listed_games(table, 1)(0, 500), listed_games(table, 1)(0, 500))
    assert moved
    assert all(each.p == 1.0 and each.change.value == 0 for each in moved)


def test_what_moved_is_told_and_what_did_not_is_not() -> None:
    longer = table_of(COUNTING.replace("goal = 5", "goal = 9"))
    moved = {
        each.name: each
        for each in compared(
            listed_games(table_of(COUNTING), 1)(0, 2000), listed_games(longer, 1)(0, 2000)
        )
    }
    assert moved["choices in a game"].significant
    assert moved["choices in a game"].change.low > 2
    assert not moved["options at a choice"].significant


def test_no_false_alarm_in_forty_comparisons_of_one_game() -> None:
    table = table_of(COUNTING)
    told = 0
    for seed in range(0, 80, 2):
        pairs = compared(listed_games(table, seed)(0, 300), listed_games(table, seed + 1)(0, 300))
        told += any(each.significant for each in pairs)
    assert told <= 2


def test_words_of_the_sheet() -> None:
    one, other = game_of(COUNTING), game_of(COUNTING.replace("goal = 5", "goal = 6"))
    (section,) = sheet_changes(one.checked, other.checked, (2,))
    assert section.title == "Actions"
    assert [(line.sign, line.entry.text) for line in section.lines][:3] == [
        (" ", "One"),
        ("-", "If the tally is at least 5:"),
        ("+", "If the tally is at least 6:"),
    ]


def test_tests_asked_elsewhere() -> None:
    one, other = load("pied_piper"), load("rugrats")
    found = failing_elsewhere(
        Subject(one.source, one.library), Subject(other.source, other.library)
    )
    assert found.asked == len(one.checked.tests)
    assert {"what is in the box"} < {each.title for each in found.failed}
    own = failing_elsewhere(Subject(one.source, one.library), Subject(one.source, one.library))
    assert own.failed == ()


def test_a_test_that_names_what_is_not_there_means_nothing() -> None:
    tested = COUNTING + '\ntest "two"\n    when play\n        large\n    then\n        tally = 2\n'
    other = COUNTING.replace("large", "vast")
    subjects = [Subject(game.source, game.library) for game in map(game_of, (tested, other))]
    (failed,) = failing_elsewhere(*subjects).failed
    assert failed.why == "means nothing"
    assert "large" in failed.message


def test_options_and_named_numbers_are_set_alike() -> None:
    found = load("pied_piper")
    names = named_numbers(found.source, found.library)
    assert {"roof", "hand_size", "copies"} <= names.keys()
    assert names["hand_size"].written == "4"
    varied = set_to(found.source, found.library, {"roof": "8", "hand-size": "5"})
    assert varied.source.text.count("\n") == found.source.text.count("\n")
    table = varied.start(4)
    assert table.table.options["roof"] == 8
    assert len(table.interpreter.pos.contents[next(p for p in table.table.things("hand"))]) == 5
    with pytest.raises(SettingError, match="hand_sise") as error:
        set_to(found.source, Library(), {"hand_sise": "5"})
    assert "hand_size" in str(error.value.hint)
