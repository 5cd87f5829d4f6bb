"""`ruledsl compile` shows every stage of a game."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from ruledsl.cli.compile import command


def emitted(*arguments: str) -> str:
    found = CliRunner().invoke(command, list(arguments), standalone_mode=False)
    assert found.exception is None
    return found.output


@pytest.mark.parametrize(
    ("stage", "said"),
    [
        ("core", "action mark(cell.0 in AllThings(Cell))"),
        ("plan", "mark: counted"),
        ("code", "export function run() -> i32"),
        ("wasm", "(func $run"),
    ],
)
def test_stages(stage: str, said: str) -> None:
    assert said in emitted("tic_tac_toe", "--emit", stage)


def test_plans_are_shown_unless_another_stage_is_asked_for() -> None:
    assert emitted("tic_tac_toe") == emitted("tic_tac_toe", "--emit", "plan")


def test_limits_are_looked_after_unless_told_otherwise() -> None:
    checked, unchecked = (emitted("pig", "--emit", "code", *how) for how in ((), ("--unchecked",)))
    assert len(unchecked) < len(checked)
