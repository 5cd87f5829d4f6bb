"""Files that never come to an end are not waited for."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ruledsl.cli.screen import MOST_MOVES, read_moves
from ruledsl.cli.terminal import Refused
from ruledsl.diagnostics.unreadable import LibraryError
from ruledsl.library import read_at_most, read_path


def test_a_pipe_is_no_rules_file(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.rules"
    os.mkfifo(pipe)
    with pytest.raises(LibraryError, match="a pipe or a device"):
        read_path(str(pipe))


def test_a_device_is_no_rules_file() -> None:
    with pytest.raises(LibraryError, match="a pipe or a device"):
        read_path("/dev/zero")


def test_moves_are_read_from_files_only(tmp_path: Path) -> None:
    pipe = tmp_path / "moves"
    os.mkfifo(pipe)
    for path in (str(pipe), "/dev/zero"):
        with pytest.raises(Refused, match="a pipe or a device"):
            read_moves(path)


def test_large_files_are_read_up_to_a_limit(tmp_path: Path) -> None:
    file = tmp_path / "moves"
    file.write_text("1\n" * MOST_MOVES)
    assert len(read_at_most(file, 1000)) == 1000
    assert sum(1 for _ in read_moves(str(file))) == MOST_MOVES // 2
