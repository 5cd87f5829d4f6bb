"""When colours are used."""

import sys

import click
import pytest

from ruledsl.cli.terminal import color_option, use_color


@pytest.mark.parametrize("err", [False, True])
@pytest.mark.parametrize(
    ("choice", "terminal", "environment", "expected"),
    [
        ("auto", True, {}, True),
        ("auto", False, {}, False),
        ("auto", True, {"NO_COLOR": "1"}, False),
        ("auto", True, {"NO_COLOR": ""}, True),
        ("auto", True, {"TERM": "dumb"}, False),
        ("always", False, {"NO_COLOR": "1"}, True),
        ("never", True, {}, False),
    ],
)
def test_colours(
    monkeypatch: pytest.MonkeyPatch,
    choice: str,
    terminal: bool,
    environment: dict[str, str],
    expected: bool,
    err: bool,
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: terminal is not err)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: terminal is err)
    command = click.Command("any", params=[color_option])
    with command.make_context("any", ["--color", choice]):
        assert use_color(err=err) is expected
