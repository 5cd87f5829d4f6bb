"""The tutorial is true: its files grow block by block, and its commands print what it shows."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from ruledsl.diagnostics.source import Source
from ruledsl.syntax.format import format_file
from ruledsl.syntax.parser import parse

from .blocks import Block, blocks, grown_files

BLOCKS = blocks("tutorial.md")
RULES = [block for block in BLOCKS if block.kind == "rules"]
COMMAND = re.compile(r"^\$ (?P<command>.*)\n(?P<output>(?:(?!\$ ).*\n)*)", re.MULTILINE)
REST = "...\n"
"""Ends an output of which only the beginning is shown."""


def run(command: str, folder: Path) -> str:
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    result = subprocess.run(  # noqa: S602 (the tutorial's own commands)
        command,
        shell=True,
        cwd=folder,
        env={**os.environ, "PATH": path, "NO_COLOR": "1"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return result.stdout


@pytest.mark.parametrize("block", [block for block in BLOCKS if block.kind == "console"], ids=str)
def test_commands(block: Block, tmp_path: Path) -> None:
    files = grown_files(BLOCKS[: BLOCKS.index(block)])
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    commands = list(COMMAND.finditer(block.text))
    assert commands
    for match in commands:
        shown, output = run(match["command"], tmp_path), match["output"]
        if output.endswith(REST):
            output = output.removesuffix(REST)
            shown = shown[: len(output)]
        assert shown == output, match["command"]


@pytest.mark.parametrize("block", RULES, ids=str)
def test_layout(block: Block) -> None:
    """Each block, and each file after each block, is in the canonical layout."""
    parts = grown_files(BLOCKS[: BLOCKS.index(block) + 1])
    for name, text in (("block", block.text), *parts.items()):
        parsed = parse(Source(name, text))
        assert parsed.diagnostics == ()
        assert format_file(parsed) == text


def test_there_are_blocks() -> None:
    assert len(RULES) >= 8
    assert {block.marks["file"] for block in RULES} == {"windfall.rules", "storm.rules"}
    assert {block.kind for block in BLOCKS} == {"rules", "console"}
