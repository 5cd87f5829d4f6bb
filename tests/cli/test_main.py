"""The frame of all commands: help, unknown words, and whatever may go wrong."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from time import sleep
from types import SimpleNamespace

import click
import pytest

from ruledsl.cli import main as shell

from .conftest import Run

PROGRAM = Path(sys.executable).parent / "ruledsl"


@pytest.fixture
def fail(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[BaseException]]:
    """Makes `list` raise what is put into the list."""
    errors: list[BaseException] = []

    @click.command
    def command() -> int:
        raise errors[0]

    monkeypatch.setattr(shell, "import_module", lambda *_: SimpleNamespace(command=command))
    return iter([errors])


@pytest.mark.parametrize("flag", ["--version", "-V"])
def test_version(run: Run, flag: str) -> None:
    result = run(flag)
    assert result.exit_code == 0
    assert result.stdout.startswith("ruledsl, version ")


@pytest.mark.parametrize("flag", ["--help", "-h"])
def test_help_names_every_command(run: Run, flag: str) -> None:
    result = run(flag)
    assert result.exit_code == 0
    for name in shell.COMMANDS:
        assert f"\n  {name} " in result.stdout


@pytest.mark.parametrize("name", shell.COMMANDS)
def test_every_command_has_help(run: Run, name: str) -> None:
    result = run(name, "--help")
    assert result.exit_code == 0
    assert f"Usage: ruledsl {name}" in result.stdout


def test_called_with_nothing_it_shows_help(run: Run) -> None:
    result = run()
    assert result.exit_code == 0
    assert result.stdout == run("--help").stdout
    assert result.stderr == ""


def test_help_in_words_is_that_of_the_flag(run: Run) -> None:
    assert run("help").stdout == run("--help").stdout
    for name in shell.COMMANDS:
        result = run("help", name)
        assert result.exit_code == 0
        assert result.stdout == run(name, "--help").stdout


@pytest.mark.parametrize("name", shell.COMMANDS)
def test_every_command_takes_a_choice_of_colours(run: Run, name: str) -> None:
    assert "--color [auto|always|never]" in run(name, "--help").stdout
    result = run(name, "--color", "sometimes")
    assert result.exit_code == 2
    assert "'sometimes' is not one of" in result.stderr


def test_mistakes_in_the_game_of_any_command_are_coloured(run: Run, folder: Path) -> None:
    broken = str(folder / "bad/broken.rules")
    for name in ("simulate", "play", "compile"):
        assert "\x1b[1;31merror" in run(name, broken, "--color", "always").stderr
        for never in ([], ["--color", "never"]):
            result = run(name, broken, *never)
            assert result.exit_code == 2
            assert "error" in result.stderr
            assert "\x1b" not in result.stderr


def test_help_does_not_load_the_parser() -> None:
    code = (
        "import sys, ruledsl.cli.main as m\n"
        "try: m.main(['--help'])\n"
        "except SystemExit: sys.exit('lark' in sys.modules)"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert result.returncode == 0


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["chek"], "error: no command is called `chek`\n  = hint: did you mean `check`?\n"),
        (
            ["zebra"],
            "error: no command is called `zebra`\n  = hint: `ruledsl --help` lists them\n",
        ),
        (["help", "chek"], "error: no command is called `chek`\n  = hint: did you mean `check`?\n"),
        (["help", "--", "--check"], "error: No such option '--check'."),
        (["check"], "error: Missing argument 'GAME...'.\n  = hint: `ruledsl check --help` shows"),
        (["check", "--jso", "x"], "error: No such option '--jso'."),
        (["--verbose"], "error: No such option '--verbose'."),
        (["check", "\x1b[31m"], "error: no game, file or folder is called `␛[31m`\n"),
    ],
)
def test_wrong_calls(run: Run, args: list[str], message: str) -> None:
    result = run(*args)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith(message)


def test_what_could_be_given_is_told_on_one_line(run: Run) -> None:
    result = run("completion")
    assert result.exit_code == 2
    assert result.stderr.splitlines()[0].endswith("Choose from: bash, zsh, fish")
    assert "␊" not in result.stderr and "␉" not in result.stderr


@pytest.mark.parametrize("name", ["play", "show", "simulate"])
@pytest.mark.usefixtures("folder")
def test_a_folder_given_as_a_game(run: Run, name: str) -> None:
    result = run(name, "good")
    assert result.exit_code == 2
    assert result.stderr == (
        "error: `good` is a folder, not a file\n"
        "  = hint: games in it: `good/coin.rules`, `good/coin_long.rules`\n"
    )


def test_export_makes_no_folder_on_the_way(run: Run, tmp_path: Path) -> None:
    for args in (["chess", "--out", "dir/x.html"], ["--playground", "--out", "dir/site"]):
        *others, out = args
        result = run("export", *others, str(tmp_path / out))
        assert result.exit_code == 2
        assert result.stderr.startswith(f"error: there is no folder `{tmp_path}/dir`\n")
    assert not list(tmp_path.iterdir())


def test_a_bug_of_ours_is_one_line(
    run: Run, fail: Iterator[list[BaseException]], monkeypatch: pytest.MonkeyPatch
) -> None:
    next(fail).append(KeyError("x"))
    monkeypatch.delenv("RULEDSL_DEBUG", raising=False)
    result = run("list")
    assert result.exit_code == 70
    assert result.stderr.count("\n") == 1
    assert "a bug of ruledsl" in result.stderr
    monkeypatch.setenv("RULEDSL_DEBUG", "1")
    assert "KeyError: 'x'" in run("list").stderr


def test_an_interrupt_is_quiet(run: Run, fail: Iterator[list[BaseException]]) -> None:
    next(fail).append(KeyboardInterrupt())
    result = run("list")
    assert result.exit_code == 130
    assert result.output == ""


def test_an_interrupt_while_a_shell_completes_is_quiet(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setenv(shell.COMPLETION, "zsh_complete")
    monkeypatch.setattr(shell.Shell, "_main_shell_completion", interrupted)
    result = run("list")
    assert result.exit_code == 130
    assert result.output == ""


def test_an_interrupt_from_the_keyboard() -> None:
    with subprocess.Popen(
        [PROGRAM, "check", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdin
        # More than a pipe holds: once it is written, the program reads, and soon waits for more.
        process.stdin.write(b"#" * 200_000)
        process.stdin.flush()
        sleep(0.5)
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=20) == 130
        assert process.stdout
        assert process.stderr
        assert process.stdout.read() + process.stderr.read() == b""


def test_the_installed_program(folder: Path) -> None:
    result = subprocess.run([PROGRAM, "check", "bad"], cwd=folder, capture_output=True, check=False)
    assert result.returncode == 1
    assert result.stderr == b""
    assert b"bad/broken.rules:5" in result.stdout


@pytest.mark.parametrize("args", [["explain"], ["list", "--json"], ["--help"]])
def test_a_reader_who_leaves_is_no_error(args: list[str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        result = subprocess.run(
            [PROGRAM, *args], stdout=writing, stderr=subprocess.PIPE, check=False
        )
    finally:
        os.close(writing)
    assert result.stderr == b""
    assert result.returncode == 141


def test_a_terminal_that_lacks_characters(folder: Path) -> None:
    (folder / "bad/broken.rules").write_text("game → ö\n", encoding="utf-8")
    result = subprocess.run(
        [PROGRAM, "check", "bad"],
        env={**os.environ, "PYTHONIOENCODING": "latin-1"},
        capture_output=True,
        check=False,
    )
    assert result.returncode == 1
    assert result.stderr == b""
    assert "| game ? ö" in result.stdout.decode("latin-1")


ALWAYS = {"asyncio", "lark", "multiprocessing", "starlette", "uvicorn"}
"""What takes long to import, and what few commands need."""


@pytest.mark.parametrize(
    ("args", "unneeded"),
    [
        (
            ["--help"],
            {"attrs", "json", "tempfile", "ruledsl.library", "ruledsl.syntax", "ruledsl.model"},
        ),
        (["list"], {"ruledsl.model", "ruledsl.table", "ruledsl.play", "ruledsl.engine"}),
        (["explain", "unknown-name"], {"ruledsl.syntax", "ruledsl.model", "ruledsl.play"}),
        (
            ["check", "."],
            {"ruledsl.engine", "ruledsl.players", "ruledsl.lab", "sqlite3", "tempfile", "wasmtime"},
        ),
        (["show", "coin.rules"], {"ruledsl.lab", "sqlite3", "wasmtime"}),
        (["play", "coin.rules", "--seats", "human,human"], {"ruledsl.lab", "wasmtime"}),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_a_command_loads_only_what_it_needs(
    folder: Path, args: list[str], unneeded: set[str]
) -> None:
    code = (
        "import sys, ruledsl.cli.main as m\n"
        f"try: m.main({args!r})\n"
        "except SystemExit as end: assert end.code in (0, 1), end.code\n"
        f"loaded = sorted({unneeded | ALWAYS!r} & sys.modules.keys())\n"
        "sys.exit(f'loaded: {loaded}' if loaded else 0)"
    )
    result = subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder / "good",
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
