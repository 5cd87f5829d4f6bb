"""The lines for Emacs in docs/editor.md, tried in Emacs itself."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.blocks import blocks
from tests.editors.game import GAME

HERE = Path(__file__).parent
EMACS = os.environ.get("EMACS") or shutil.which("emacs")
BEGIN = ("--batch", "--no-init-file", "-f", "package-initialize", "--eval", "(require 'eglot)")


def has_eglot() -> bool:
    """It is part of Emacs from 29 on; before that it can be had as a package."""
    if EMACS is None:
        return False
    return subprocess.run([EMACS, *BEGIN], check=False, capture_output=True).returncode == 0


@pytest.mark.skipif(not has_eglot(), reason="Emacs with Eglot is not installed")
def test_the_lines_for_emacs_work(tmp_path: Path) -> None:
    assert EMACS is not None
    (lines,) = (block.text for block in blocks("editor.md") if block.kind == "elisp")
    (tmp_path / "init.el").write_text(lines, "utf-8")
    (tmp_path / "small.rules").write_text(GAME, "utf-8")
    program = Path(sys.executable).parent
    done = subprocess.run(
        [EMACS, *BEGIN, "-l", "init.el", "-l", str(HERE / "emacs.el")],
        cwd=tmp_path,
        env={
            **os.environ,
            "HOME": str(tmp_path),
            "PATH": f"{program}{os.pathsep}{os.environ['PATH']}",
        },
        check=True,
        capture_output=True,
        encoding="utf-8",
    )
    told = json.loads(done.stdout[done.stdout.index("{") :])
    (mistake,) = told["mistakes"]
    assert "nothing is called `hepa`" in mistake
    assert told["offered"] == ["Write `heap`"]
    assert {"heap", "box", "n"} <= set(told["completions"])
    assert told["column"] == 8
    assert told["text"] == GAME.replace("hepa", "heap").replace("heap", "pile")
