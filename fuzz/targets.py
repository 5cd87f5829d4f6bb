"""What is fed with inputs, and what must hold whatever they are. Each raises what it finds."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache, partial
from pathlib import Path

import attrs

from ruledsl.cli.restore import restore
from ruledsl.cli.savefile import FORMAT, Header, SavedChoice, SaveError, begin, look
from ruledsl.cli.saves import rules_hash
from ruledsl.cli.terminal import Refused
from ruledsl.diagnostics.diagnostic import Diagnostic
from ruledsl.diagnostics.render import as_records, render_text
from ruledsl.diagnostics.source import Source
from ruledsl.engine import Engine, EngineError
from ruledsl.engine.code.instructions import Program
from ruledsl.engine.code.wasm import WasmRunner
from ruledsl.engine.unsupported import Unsupported
from ruledsl.lab.agreement import Difference, same, same_decision, same_position, same_result
from ruledsl.library import Library
from ruledsl.model import allowance
from ruledsl.model.game import CheckedGame
from ruledsl.model.memory import Memory
from ruledsl.play import check as checking
from ruledsl.play.chance import Dice, Generator
from ruledsl.play.decisions import Decision, Option
from ruledsl.play.interpreter import Interpreter
from ruledsl.play.loading import load
from ruledsl.syntax.parser import Stretch, parse, read_stretch
from ruledsl.table.errors import RulesError
from ruledsl.table.table import Table

LIBRARY = Library()
DECISIONS = 40
"""Of a game that is compared."""
PASSES = 40_000
"""Of queries, in the games of a file: after them no further decision is followed."""
LESS = 40
"""Rules may do so many times less than usual: whether they are stopped is seen sooner then."""
LEFT = ("slow", "size")
"""Where compiled rules are stopped so, the interpreter plays instead; where it is stopped so, they
may be quick enough."""
COMPARED = ("start", "run")
"""What a module has to offer to be compared choice by choice."""


class Broken(Exception):
    """A promise that was not kept."""


def lower_limits() -> None:
    """Stop rules that go on for ever early, in both executors alike."""
    allowance.MOST_STATEMENTS //= LESS
    allowance.MOST_QUERIES //= LESS
    checking.MOST_WORK //= LESS


# ------------------------------------------------------------ the checker

_read_once = lru_cache(maxsize=20_000)(read_stretch)
"""Parses what changed: most declarations of an input are those of the one it was made from."""


def _read(file: str, parts: Sequence[tuple[str, int]]) -> Sequence[Stretch]:
    return [_read_once(file, text, line) for text, line in parts]


def check(text: str) -> CheckedGame | None:
    """Checking ends in a game or in mistakes, each with words and a place."""
    checked = checking.check_source(
        Source("fuzz", text), LIBRARY, Memory(partial(parse, read=_read))
    )
    for diagnostic in checked.diagnostics:
        _in_place(diagnostic, checked.sources[diagnostic.span.file])
    render_text(checked.diagnostics, checked.sources)
    as_records(checked.diagnostics)
    errors = any(diagnostic.severity == "error" for diagnostic in checked.diagnostics)
    if errors == (checked.game is not None):
        raise Broken("a game with errors, or none without")
    return checked.game


def _in_place(diagnostic: Diagnostic, source: Source) -> None:
    span = diagnostic.span
    lines = source.text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    if not (
        diagnostic.message
        and 1 <= span.line <= span.end_line <= len(lines)
        and 1 <= span.column <= len(lines[span.line - 1]) + 1
        and 1 <= span.end_column <= len(lines[span.end_line - 1]) + 2
        and (span.line, span.column) <= (span.end_line, span.end_column)
    ):
        raise Broken(f"a mistake without a place: {diagnostic}")


# ------------------------------------------------------------ both executors


def play(game: CheckedGame, first: int, games: int = 1, *, whole: bool = True) -> int:
    """Play games at random in both executors; how many were compared.

    Unless the `whole` module is made, it has no functions for batches and searching.
    """
    if "play" not in game.steps:
        return 0
    try:
        table = Table(game, game.players[first % len(game.players)], {})
    except RulesError:
        return 0
    try:
        engine = Engine(table, checked=True, runner=None if whole else _bare)
    except Unsupported:
        return 0  # Then the interpreter plays alone, and says so.
    passes = 0
    for number in range(games):
        if passes > PASSES:
            return number
        passes += _compare(engine, first + number)
    return games


def _bare(program: Program) -> WasmRunner:
    functions = {
        name: attrs.evolve(function, exported=name in COMPARED)
        for name, function in program.functions.items()
    }
    return WasmRunner(attrs.evolve(program, functions=functions))


def _compare(engine: Engine, seed: int) -> int:
    """A game in both executors, decision by decision; how many passes it took."""
    interpreter = Interpreter(engine.table, Dice(generator := Generator(seed)))
    _follow(engine, interpreter, generator, seed)
    return interpreter.passes


def _follow(engine: Engine, interpreter: Interpreter, generator: Generator, seed: int) -> None:
    run, mind = interpreter.play(), Generator(seed ^ 0x5EED)
    decision: Decision | None = None
    chosen = -1
    for _ in range(DECISIONS):
        theirs: RulesError | None = None
        try:
            decision = next(run) if chosen < 0 else run.send(_option(decision, chosen))
        except StopIteration:
            decision = None
        except RulesError as error:
            if error.kind in LEFT or engine.table.evaluator.fuel < 0:
                return  # Compiled rules go through fewer passes of queries.
            theirs = error
        try:
            goes_on = engine.start(seed) if chosen < 0 else engine.choose(chosen)
        except EngineError as ours:
            if ours.kind in LEFT:
                return
            if theirs is None:
                raise Difference(f"only the engine stops: {ours.placed}") from ours
            same(ours.kind, theirs.kind, "the guard")
            return
        if theirs is not None:
            raise Difference(f"only the reference stops: {theirs}")
        same(goes_on, decision is not None, "whether it goes on")
        same_position(engine, interpreter, generator.state, over=decision is None)
        if decision is None:
            same_result(engine, interpreter)
            return
        same_decision(engine, decision)
        if interpreter.passes > PASSES:
            return
        chosen = mind.below(len(decision.options))


def _option(decision: Decision | None, number: int) -> Option:
    assert decision is not None
    return decision.options[number]


# ------------------------------------------------------------ saves


def whole_save(file: Path, game: str = "kuhn_poker") -> bytes:
    """A save to begin with."""
    match = load(game).start(2, seed=4)
    header = Header(FORMAT, game, None, {}, 2, ("human", "random"), 4, "en", rules_hash(match))
    choices = []
    while match.seat is not None:
        choice = match.options[0]
        choices.append(SavedChoice(choice.number, choice.code, match.seat))
        match.choose(choice)
    database, _ = begin(file, header, tuple(choices))
    database.close()
    return file.read_bytes()


def read_save(file: Path) -> None:
    """A save is read, or refused in words; looking at it leaves it as it is."""
    before = file.read_bytes()
    with suppress(SaveError, Refused):
        restore(look(file))
    if file.read_bytes() != before:
        raise Broken("looking at a save has changed it")
