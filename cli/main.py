"""The command `ruledsl`: finds the sub-command and turns whatever happens into an exit code."""

from __future__ import annotations

import gc
import io
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any, NoReturn

import click

from ruledsl.diagnostics.unreadable import LibraryError

from .terminal import Exit, Refused, color_option, complain, unknown

COMMANDS = {
    "arena": "Let players of several kinds play against each other.",
    "check": "Say what is wrong in rules files.",
    "compile": "Show what becomes of rules on their way to a module.",
    "completion": "Make a shell complete commands and games.",
    "cover": "Compare a game with its numbered rulebook.",
    "diff": "Say what changed between two games, and what it does.",
    "explain": "Explain a kind of mistake.",
    "export": "Write a game as one page that plays without a server.",
    "fmt": "Lay out rules files in the one canonical way.",
    "help": "Show how to call a command.",
    "history": "List the choices of a saved game.",
    "list": "List games with their players, variants and options.",
    "lsp": "Answer an editor about rules files.",
    "new": "Begin a game or a variant.",
    "perft": "Count the ways to play on.",
    "play": "Play a game in the terminal.",
    "replay": "Play a saved game again and print what happened.",
    "report": "Say what a game is like, with pictures.",
    "resume": "Go on with a saved game.",
    "serve": "Play in the browser, alone or over the network.",
    "show": "Show a game on a sheet.",
    "simulate": "Play many games and add them up.",
    "sweep": "Try many settings of a game, and find those that meet an aim.",
    "test": "Run the tests in rules files.",
    "watch": "Check, test and measure a file whenever it is saved.",
}
"""Each is `command` in the module of its name, loaded when it is called: help stays fast."""

COMPLETION = "_RULEDSL_COMPLETE"
"""Set by a shell that asks what could come next."""


class Shell(click.Group):
    """The group of all commands. Nobody sees a traceback unless they ask for it."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 (click's signature)
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in COMMANDS:
            return None
        command = import_module(f".{cmd_name}", __package__).command
        assert isinstance(command, click.Command)
        if color_option not in command.params:
            command.params.append(color_option)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        word = args[0]
        if word not in COMMANDS and not word.startswith("-"):
            raise unknown("command", word, COMMANDS, "`ruledsl --help` lists them")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def main(self, args: Sequence[str] | None = None, *_: object, **__: object) -> NoReturn:
        """Run a command and exit."""
        # What a command makes it mostly keeps: looking for garbage is seldom worth it.
        gc.set_threshold(300_000, 20, 20)
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="replace")
        code = self._exit_code(args)
        # It all goes with the process: nobody has to look through it for garbage first.
        gc.freeze()
        sys.exit(code)

    def _exit_code(self, args: Sequence[str] | None) -> int:
        try:
            code = self._run(args)
            sys.stdout.flush()
        except BrokenPipeError:
            # Whoever read our output has gone; nothing may be flushed into the pipe at exit.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return Exit.BROKEN_PIPE
        except (KeyboardInterrupt, click.Abort):
            return Exit.INTERRUPTED
        except MemoryError:
            complain("this takes more memory than there is")
            return Exit.USAGE
        except OSError as error:
            complain(_trouble(error))
            # What is left to be written would fail again at exit.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return Exit.USAGE
        except Exception:  # noqa: BLE001 (the last resort)
            complain("this is a bug of ruledsl, not of your files; RULEDSL_DEBUG=1 shows details")
            if os.environ.get("RULEDSL_DEBUG"):
                sys.excepthook(*sys.exc_info())
            return Exit.BUG
        return code

    def _run(self, args: Sequence[str] | None) -> int:
        if COMPLETION in os.environ:
            from .shells import teach  # noqa: PLC0415 - wanted by shells only

            teach()
            # Ends the program: a shell asks what could come next.
            self._main_shell_completion({}, "ruledsl", COMPLETION)
        words = tuple(sys.argv[1:] if args is None else args)
        try:
            with self.make_context("ruledsl", list(words or ["--help"])) as ctx:
                result: Any = self.invoke(ctx)
                return int(result)
        except click.exceptions.Exit as exit_:
            return exit_.exit_code
        except Refused as error:
            complain(error.message, error.hint)
            return error.exit_code
        except LibraryError as error:
            complain(str(error), error.hint)
            return Exit.USAGE
        except click.UsageError as error:
            path = error.ctx.command_path if error.ctx else "ruledsl"
            message = error.format_message()
            if isinstance(error, click.MissingParameter):
                # What could be given comes as a list of lines.
                message = " ".join(message.split())
            complain(message, f"`{path} --help` shows how to call it")
            return Exit.USAGE


def _trouble(error: OSError) -> str:
    """What the system refused: a file, or somewhere to write to."""
    reason = (error.strerror or "unknown reason").lower()
    if error.filename is None:
        return f"not everything could be written: {reason}"
    return f"can't use `{os.fsdecode(error.filename)}`: {reason}"


@click.group(cls=Shell, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(None, "-V", "--version", package_name="tabletop-rules", prog_name="ruledsl")
def main() -> None:
    """Rules of tabletop games, written down so that a machine can read them."""
