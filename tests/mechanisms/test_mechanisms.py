"""Games that nobody ships, written to see that the language has the words for them.

Each checks clean, passes its own tests in both executors, is laid out canonically, and comes to an
end in games of random players.
"""

from pathlib import Path
from random import Random

import pytest

from ruledsl import load
from ruledsl.diagnostics.source import Source
from ruledsl.lab.examples import run_in_both
from ruledsl.library import Library
from ruledsl.model.game import CheckedGame
from ruledsl.play.check import check_source
from ruledsl.syntax.format import format_file
from ruledsl.syntax.parser import parse

HERE = Path(__file__).parent
FILES = sorted(HERE.glob("*.rules"))


def checked(file: Path) -> CheckedGame:
    found = check_source(Source(file.name, file.read_text(encoding="utf-8")), Library())
    assert found.diagnostics == ()
    assert found.game is not None
    return found.game


def test_there_are_some() -> None:
    assert len(FILES) >= 3


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_its_own_tests_pass_in_both_executors(file: Path) -> None:
    outcomes = list(run_in_both(checked(file)))
    assert outcomes
    assert [outcome for outcome in outcomes if outcome.failure is not None] == []


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_it_is_laid_out_as_it_should_be(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    assert format_file(parse(Source(file.name, text))) == text


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_games_of_random_players_come_to_an_end(file: Path) -> None:
    for seed in range(3):
        match = load(str(file)).start(seed=seed)
        random = Random(seed)
        while match.seat is not None:
            match.choose(random.randrange(len(match.options)))
        assert match.result is not None
