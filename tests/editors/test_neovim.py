"""The lines for Neovim in docs/editor.md, tried in Neovim itself."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.blocks import blocks
from tests.editors.game import GAME

HERE = Path(__file__).parent
NEOVIM = os.environ.get("NEOVIM") or shutil.which("nvim")


def version() -> tuple[int, int]:
    assert NEOVIM is not None
    shown = subprocess.run([NEOVIM, "--version"], capture_output=True, text=True, check=True)
    match = re.search(r"v(\d+)\.(\d+)", shown.stdout)
    assert match is not None
    return int(match[1]), int(match[2])


def settings() -> str:
    """The lines to paste, for the version that is here."""
    lines = [block.text for block in blocks("editor.md") if block.kind == "lua"]
    return lines[0] if version() >= (0, 8) else lines[1]


@pytest.mark.skipif(NEOVIM is None, reason="Neovim is not installed")
def test_the_lines_for_neovim_work(tmp_path: Path) -> None:
    assert NEOVIM is not None
    (tmp_path / "init.lua").write_text(settings(), "utf-8")
    (tmp_path / "small.rules").write_text(GAME, "utf-8")
    program = Path(sys.executable).parent
    env = {
        **os.environ,
        "PATH": f"{program}{os.pathsep}{os.environ['PATH']}",
        "TOLD": str(tmp_path / "told.json"),
        "XDG_DATA_HOME": str(tmp_path),
        "XDG_STATE_HOME": str(tmp_path),
        "XDG_CACHE_HOME": str(tmp_path),
    }
    script = str(HERE / "neovim.lua")
    subprocess.run(
        [NEOVIM, "--headless", "-u", "init.lua", "-c", f"luafile {script}", "small.rules"],
        cwd=tmp_path,
        env=env,
        check=True,
        capture_output=True,
    )
    told = json.loads((tmp_path / "told.json").read_text("utf-8"))
    assert "failure" not in told, told["failure"]
    (mistake,) = told["mistakes"]
    assert (mistake["line"], mistake["code"]) == (20, "unknown-name")
    assert "Write `heap`" in told["offered"][0]
    assert "place heap of Stone" in told["hover"] and "everybody may look" in told["hover"]
    assert {"heap", "box", "n"} <= set(told["completions"])
    assert {"▶ play", "simulate", "▶ run test"} <= set(told["lenses"])
    assert told["text"] == GAME.replace("hepa", "heap").replace("heap", "pile")
