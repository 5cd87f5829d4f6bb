"""What choices bring is looked into as long as there is time, and no longer."""

from ruledsl.lab.agency import GAMES, agency_of
from ruledsl.play.loading import load
from ruledsl.table.table import Table


def test_time_is_over_in_the_middle_of_a_choice() -> None:
    table = Table(load("tic_tac_toe").checked, 2)
    looks = iter([1.0] * (GAMES + 3))
    found = agency_of(table, 1, 7.0, left=lambda: next(looks, 0.0))
    assert found.choices == 0
    assert next(looks, None) is None
