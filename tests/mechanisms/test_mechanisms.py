"""Games that nobody ships, written to see that the language has the words for them.

Each checks clean, passes its own tests in both executors, is laid out canonically, and comes to an
end in games of random players.
"""

from pathlib import Path
from random import Random

import pytest

from ruledsl import load
from ruledsl.diagnostics.source import Source
from ruledsl.engine import Engine
from ruledsl.lab.examples import run_in_both
from ruledsl.library import Library
from ruledsl.model.game import CheckedGame
from ruledsl.play.check import check_source
from ruledsl.play.match import Match
from ruledsl.syntax.format import format_file
from ruledsl.syntax.parser import parse
from ruledsl.table.table import Table
from tests.engine.lockstep import play_in_step

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
FILES = sorted(HERE.glob("*.rules"))


MECHANISMS = {
    "bluffing, with challenges": "games/originals/moonlit_wharf.rules",
    "sealed bids": "tests/mechanisms/sealed_bids.rules",
    "tiles laid onto a board that grows": "games/modern/canals.rules",
    "drafting tiles for a wall of one's own": "games/modern/glass_garden.rules",
    "building routes between towns": "games/modern/mail_roads.rules",
    "working together against the board": "games/originals/dyke_wardens.rules",
    "harvest by dice, roads and settlements": "tests/mechanisms/hill_farms.rules",
    "programmed movement": "games/originals/clockwork_couriers.rules",
    "hidden teams": "games/originals/wolves_in_the_fold.rules",
    "answers that happen last in, first out": "tests/mechanisms/spell_stack.rules",
    "poker in two rounds": "bench/games/leduc_poker.rules",
    "bids about hidden dice": "bench/games/liars_dice.rules",
    "sowing and capturing by a home": "bench/games/mancala.rules",
    "sowing and capturing by counts": "bench/games/oware.rules",
    "capturing until nobody can": "tests/mechanisms/clobber.rules",
    "edges of cells": "tests/mechanisms/dots_and_boxes.rules",
    "as far as there are pieces in line": "bench/games/lines_of_action.rules",
    "boards in a board": "tests/mechanisms/ultimate_tic_tac_toe.rules",
    "turning parts of a board": "bench/games/pentago.rules",
    "three sides of a triangle": "bench/games/y_game.rules",
    "rings, bridges and forks": "bench/games/havannah.rules",
    "walls between cells": "bench/games/quoridor.rules",
    "hexagons": "games/modern/thin_ice.rules",
    "tricks": "games/classics/euchre.rules",
    "building a deck": "games/classics/little_realm.rules",
    "placing workers": "games/classics/hamlet.rules",
    "shapes laid into a garden of one's own": "games/originals/raised_beds.rules",
    "shapes laid onto a common board": "games/classics/pentominoes.rules",
}
"""Where each is played."""


BENCH = sorted(file for file in MECHANISMS.values() if file.startswith("bench/"))
FIRST_OPTIONS = {
    "havannah": 3 * 4 * 3 + 1,
    "lines_of_action": 36,
    "mancala": 6,
    "oware": 6,
    "pentago": 36 * 4 * 2,
    "y_game": 9 * 10 // 2,
}
"""What may be done at first: any cell of so large a board, any pit of one's own, as published."""


@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_each_mechanism_has_a_game(mechanism: str) -> None:
    """Those that are shipped, or lie here, have tests of their own."""
    assert (ROOT / MECHANISMS[mechanism]).is_file()


@pytest.mark.parametrize("file", BENCH)
def test_what_is_only_measured_is_played_alike_by_both_executors(file: str) -> None:
    game = checked(ROOT / file)
    table = Table(game, game.players[0])
    engine = Engine(table)
    for seed in range(2):
        assert play_in_step(engine, seed, 12) > 0
    if (wanted := FIRST_OPTIONS.get(game.name)) is not None:
        assert len(Match(game, game.players[0], seed=1).options) == wanted


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
