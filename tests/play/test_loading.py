"""What loading a game says when there is none to be played."""

from pathlib import Path

import pytest

import ruledsl


def test_mistakes_are_told_with_their_lines(tmp_path: Path) -> None:
    file = tmp_path / "orchard.rules"
    file.write_text('game orchard "Orchard"\n    players 2\n\nstep play\n    moove apples\n')
    with pytest.raises(ruledsl.LoadError, match="has 1 mistake") as raised:
        ruledsl.load(str(file))
    (note,) = raised.value.__notes__
    assert note.startswith(f"{file}:5: ") and "moove" in note


def test_a_game_that_is_not_there_has_no_lines() -> None:
    with pytest.raises(ruledsl.LoadError) as raised:
        ruledsl.load("no_such_game")
    assert not hasattr(raised.value, "__notes__")
