"""What a shell offers for the words of a command line."""

from collections.abc import Callable
from pathlib import Path
from shutil import which

import pytest

from ruledsl.cli.main import COMMANDS

from .conftest import Run
from .keyboard import PROGRAM, Keyboard

Offered = Callable[[str, str], list[str]]


@pytest.fixture
def offered(run: Run, monkeypatch: pytest.MonkeyPatch) -> Offered:
    """What is offered behind some words for one that begins so."""

    def ask(before: str, begun: str) -> list[str]:
        words = f"ruledsl {before}".split()
        monkeypatch.setenv("_RULEDSL_COMPLETE", "bash_complete")
        monkeypatch.setenv("COMP_WORDS", " ".join([*words, begun]))
        monkeypatch.setenv("COMP_CWORD", str(len(words) - 1 + len(begun.split(" "))))
        result = run()
        assert result.stderr == ""
        return result.stdout.split()

    return ask


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_is_taught(run: Run, shell: str) -> None:
    assert f"_RULEDSL_COMPLETE={shell}_complete" in run("completion", shell).stdout


NO_GAMES = {"completion", "explain", "help", "history", "lsp", "new", "replay", "resume", "watch"}


@pytest.mark.parametrize("command", sorted(COMMANDS.keys() - NO_GAMES))
@pytest.mark.usefixtures("folder")
def test_games_or_else_files(offered: Offered, command: str) -> None:
    assert offered(command, "pied") == ["plain,pied_piper"]
    assert offered(command, "pied-p") == ["plain,pied_piper"]
    assert offered(command, "good/") == ["file,good/"]
    assert offered(command, "goo") == ["file,goo"], "a folder, and no game"


@pytest.mark.parametrize("command", ["history", "replay", "resume", "watch"])
def test_files(
    offered: Offered, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert offered(command, "pied") == ["file,pied"]


@pytest.mark.parametrize("command", ["history", "replay", "resume"])
def test_kept_games_or_else_files(
    offered: Offered, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    kept = tmp_path / "ruledsl" / "games"
    kept.mkdir(parents=True)
    (kept / "chess-1.game").touch()
    (kept / "over").mkdir()
    (kept / "over" / "chess-2.game").touch()
    looking = [] if command == "resume" else ["plain,chess-2"]
    assert offered(command, "ch") == ["plain,chess-1", *looking]
    assert offered(command, "./ch") == ["file,./ch"]
    assert offered(command, "go") == ["file,go"]


@pytest.mark.parametrize(
    "before",
    [
        "export chess --out",
        "export chess --runtime",
        "play chess --save",
        "play chess --moves",
        "report chess --out",
        "resume x --rules",
        "serve --tables",
        "simulate chess --out",
    ],
)
def test_values_that_are_files(offered: Offered, before: str) -> None:
    assert offered(before, "so") == ["file,so"]


def test_every_command_is_offered(offered: Offered) -> None:
    assert offered("", "") == [f"plain,{name}" for name in COMMANDS]
    assert offered("help", "") == [f"plain,{name}" for name in COMMANDS]
    assert offered("help", "pl") == ["plain,play"]


def test_codes(offered: Offered) -> None:
    assert "plain,unknown-name" in offered("explain", "unknown-n")
    assert offered("explain", "zzz") == []


@pytest.mark.parametrize("command", ["arena", "play", "simulate"])
def test_seats(offered: Offered, command: str) -> None:
    assert offered(f"{command} chess --seats", "gr") == ["plain,greedy"]
    assert offered(f"{command} chess --seats", "human,med") == ["plain,human,medium"]


def test_variants_and_options_of_the_game(offered: Offered, folder: Path) -> None:
    coin = str(folder / "good/coin.rules")
    assert offered(f"play {coin} --variant", "coin-") == ["plain,coin_long"]
    assert offered(f"play {coin} --option", "") == ["plain,goal="]
    assert offered(f"play {coin} --variant coin_long --option", "r") == ["plain,rounds="]
    assert offered(f"play {folder}/bad/broken.rules --option", "") == []
    sides = ["plain,front", "plain,back"]
    assert offered("play burg_appenzell --option", "side=") == sides
    assert offered("play burg_appenzell --option", "side = b") == sides[1:], "as bash parts it"
    assert offered("play --option", "") == []


SHELLS = {
    "bash": ('eval "$(ruledsl completion bash)"', "--norc", "-i"),
    "zsh": ('autoload -Uz compinit; compinit -D; eval "$(ruledsl completion zsh)"', "-f", "-i"),
    "fish": ("ruledsl completion fish | source", "--no-config", "-i"),
}
"""How each is taught, after it was begun with nothing of what its user has set."""


@pytest.mark.parametrize("name", SHELLS)
def test_in_a_shell(name: str, tmp_path: Path) -> None:
    """A game, a value behind its sign, and a file, as the shell itself completes them."""
    shell = which(name)
    if shell is None:
        pytest.skip(f"no {name} here")
    (tmp_path / "mine.rules").touch()
    learn, *alone = SHELLS[name]
    with Keyboard(*alone, cwd=tmp_path, program=Path(shell)) as keys:
        keys.send(f'export PATH="{PROGRAM.parent}:$PATH"; {learn}; echo rea""dy\r')
        keys.see("ready")
        for begun, whole in (
            ("ruledsl play pied_p", "pied_piper"),
            ("ruledsl play burg_appenzell --option side=ba", "side=back"),
            ("ruledsl check mi", "mine.rules"),
        ):
            keys.send(f"{begun}\t")
            keys.see(whole)
            keys.press("U")
