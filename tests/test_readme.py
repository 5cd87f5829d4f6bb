"""The README is true: its rules file is checked, its commands print what it says."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from ruledsl import Match
from ruledsl.diagnostics.source import Source
from ruledsl.syntax.format import format_file
from ruledsl.syntax.parser import parse

README = Path(__file__).parents[1] / "README.md"

FENCE = re.compile(
    r"^```(?P<kind>rules|console|python)\n(?P<body>.*?)^```$", re.DOTALL | re.MULTILINE
)
COMMAND = re.compile(r"^\$ (?P<command>.*)\n(?P<output>(?:(?!\$ ).*\n)*)", re.MULTILINE)
REST = "...\n"
"""Ends an output of which only the beginning is shown."""

BLOCKS = [(match["kind"], match["body"]) for match in FENCE.finditer(README.read_text("utf-8"))]
COMMANDS = [
    (match["command"], match["output"])
    for kind, body in BLOCKS
    if kind == "console"
    for match in COMMAND.finditer(body)
]


@pytest.mark.parametrize(("command", "output"), COMMANDS)
def test_commands(tmp_path: Path, command: str, output: str) -> None:
    (rules,) = (body for kind, body in BLOCKS if kind == "rules")
    (tmp_path / "last_match.rules").write_text(rules, encoding="utf-8")
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    result = subprocess.run(  # noqa: S602 (the README's own commands)
        command,
        shell=True,
        cwd=tmp_path,
        env={**os.environ, "PATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    shown = result.stdout
    if output.endswith(REST):
        output = output.removesuffix(REST)
        shown = shown[: len(output)]
    assert shown == output


def test_the_python_runs() -> None:
    (program,) = (body for kind, body in BLOCKS if kind == "python")
    names: dict[str, object] = {}
    exec(compile(program, "README.md", "exec"), names)  # noqa: S102 (the README's own program)
    match = names["match"]
    assert isinstance(match, Match)
    assert match.result is not None


def test_there_are_commands() -> None:
    assert len(COMMANDS) >= 4


def test_the_rules_file_is_laid_out_well() -> None:
    (rules,) = (body for kind, body in BLOCKS if kind == "rules")
    assert format_file(parse(Source("last_match.rules", rules))) == rules
