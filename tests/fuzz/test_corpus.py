"""What fuzzing ever found stays mended, and a short run finds nothing new."""

import os
import signal
from pathlib import Path

import pytest

from fuzz import targets
from fuzz.caps import edges
from fuzz.run import Fuzzing, TooLong, _bounded
from ruledsl.model import allowance

CORPUS = Path(__file__).with_name("corpus")
RULES = sorted(CORPUS.glob("*.rules"))
SAVES = sorted(CORPUS.glob("*.save"))


@pytest.mark.parametrize("file", RULES, ids=lambda file: file.stem)
def test_rules_that_broke_something(file: Path) -> None:
    game = targets.check(file.read_bytes().decode("utf-8", "replace"))
    if game is not None:
        for seed in range(4):
            targets.play(game, seed)


def test_what_only_the_interpreter_goes_through(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where it runs out of passes, compiled rules may still see that nothing is legal."""
    monkeypatch.setattr(allowance, "MOST_QUERIES", allowance.MOST_QUERIES // targets.LESS)
    game = targets.check(CORPUS.with_name("more_passes_than_compiled.rules").read_text("utf-8"))
    assert game is not None
    assert targets.play(game, 0, whole=False) == 1


@pytest.mark.parametrize("file", SAVES, ids=lambda file: file.stem)
def test_saves_that_broke_something(file: Path, tmp_path: Path) -> None:
    copy = tmp_path / "game.save"
    copy.write_bytes(file.read_bytes())
    targets.read_save(copy)


@pytest.mark.parametrize(("name", "text"), list(edges()), ids=[name for name, _ in edges()])
def test_edges_of_caps(name: str, text: str) -> None:
    assert name
    targets.check(text)


def test_the_corpus_is_there() -> None:
    assert RULES
    assert SAVES


def test_a_short_run_finds_nothing_and_repeats_itself(tmp_path: Path) -> None:
    runs = []
    for _ in range(3):
        fuzzing = Fuzzing(3, tmp_path)
        fuzzing.kept = fuzzing.kept[:12] + [text for text in fuzzing.kept if "choose" in text][-2:]
        fuzzing.small = fuzzing.kept[:12]
        fuzzing.first_checks()
        fuzzing.checker(200)
        fuzzing.executors(3)
        fuzzing.saves(20)
        assert fuzzing.tried == {"checker": 214, "mutants": 3, "saves": 20}
        assert fuzzing.found == []
        runs.append(fuzzing.kept)
    # In the first run the program remembers what it need not find out again.
    assert runs[1] == runs[2]


def test_what_breaks_is_found_and_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(text: str) -> None:
        if "well" in text:
            raise KeyError(text[:10])

    monkeypatch.setattr(targets, "check", broken)
    fuzzing = Fuzzing(3, tmp_path / "found")
    fuzzing._check('game well "Well"\n', watched=False)
    fuzzing._check('game well "Well"\n', watched=False)
    fuzzing._check('game other "Other"\n', watched=False)
    assert len(fuzzing.found) == 1
    (file,) = (tmp_path / "found").iterdir()
    assert file.read_text() == 'game well "Well"\n'


def test_an_input_that_takes_too_long_is_stopped() -> None:
    with pytest.raises(TooLong), _bounded():
        os.kill(os.getpid(), signal.SIGVTALRM)
