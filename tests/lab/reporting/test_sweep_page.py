"""The pictures of a sweep."""

from __future__ import annotations

import pytest

from ruledsl.lab.reporting.sweep_page import Swept, pictures
from ruledsl.lab.sweep import Tried, goals, settings_of, varied
from ruledsl.lab.tally import GameRow

pytestmark = pytest.mark.extra


def swept(*names: str) -> Swept:
    pytest.importorskip("altair")
    pytest.importorskip("vl_convert")
    several = [varied(name) for name in names]
    tried = [Tried(values) for values in settings_of(several)]
    for number, each in enumerate(tried[1:]):
        for choices in (5, 6, 7):
            each.add(GameRow(1, "win", (1, 2), (1, 0), (1,), 9, choices + number, 30))
    return Swept("Sweep", "2 players", several, tried, goals("choices below 8, fair"))


def test_one_name_gives_a_picture_of_each_figure() -> None:
    found = [*pictures(swept("goal=1..4"))]
    assert [each.title for each in found] == ["choices by goal", "unfairness by goal"]
    assert all("<svg" in each.svg for each in found)


def test_more_names_give_a_map_for_each_value_of_the_others() -> None:
    (found,) = pictures(swept("across=1..3", "down=1..2", "left=8..9"))
    assert found.title == "across and down"
    assert all(f"left={value}" in found.svg for value in (8, 9))
