"""Check a rules file as far as it can be checked without playing: rules, tables, set-up.

Every number of players the game declares is tried, and every value of its options.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import attrs

from ruledsl.diagnostics import ground as found
from ruledsl.diagnostics.diagnostic import Diagnostic
from ruledsl.diagnostics.source import Source, Span
from ruledsl.library import Library
from ruledsl.model import core
from ruledsl.model.addressed import Addressed, Rule
from ruledsl.model.allowance import USUAL
from ruledsl.model.check import Checked, check_rules
from ruledsl.model.facts import is_written
from ruledsl.model.game import CheckedGame, EdgesShape, ExampleInfo
from ruledsl.model.memory import Memory
from ruledsl.play.chance import Dice, Generator
from ruledsl.play.interpreter import Interpreter
from ruledsl.play.running import take_first_options
from ruledsl.table import mishaps
from ruledsl.table.errors import RulesError
from ruledsl.table.ranges import Ranges
from ruledsl.table.table import Table
from ruledsl.table.things import as_written

MOST_SETTINGS = 60
"""Combinations of players and option values that are tried."""
MOST_CHOICES = 300
"""Choices and rolls in set-up after which it is left alone."""
MOST_STATEMENTS_IN_ALL = 600_000
"""Statements in set-ups after which further settings are not tried."""
MOST_THINGS_IN_ALL = 400_000
"""Things and values of states on tables after which further settings are not tried."""
MOST_WORK = 1_000_000
"""Passes of queries in set-up after which it takes too long."""


@attrs.frozen
class _Setting:
    """For how many players a table is laid, and the options that are not as usual."""

    players: int
    options: tuple[tuple[str, str], ...] = ()

    def table(self, game: CheckedGame) -> Table:
        return Table(game, self.players, dict(self.options))

    def __str__(self) -> str:
        listed = "".join(f", {name} = {value}" for name, value in self.options)
        return f"{self.players} player{'s' * (self.players != 1)}{listed}"


def check_source(source: Source, library: Library, memory: Memory | None = None) -> Checked:
    """Check one file with everything it builds on, and the tables it stands for."""
    memory = Memory() if memory is None else memory
    checked = check_rules(source, library, memory)
    if checked.game is None:
        return checked
    is_library = "play" not in checked.game.steps
    broken = tuple(_tables(checked.game, memory, is_library=is_library))
    if not broken:
        return checked
    return attrs.evolve(checked, game=None, diagnostics=(*checked.diagnostics, *broken))


def _tables(game: CheckedGame, memory: Memory, *, is_library: bool) -> Iterator[Diagnostic]:
    """The first mistake of each place in the rules, over all settings."""
    broken: dict[Span, Diagnostic] = {}
    tables: dict[_Setting, Table] = {}
    left = MOST_THINGS_IN_ALL
    for setting in _settings(game, tables):
        if left <= 0 and (setting.options or setting.players != game.players[-1]):
            continue  # Who has seen so many tables has seen enough.
        try:
            table = setting.table(game)
            table.start()
            tables[setting] = table
            left -= table.size
            for node in Ranges(table).too_large():
                error = RulesError(mishaps.TOO_LARGE, node.span)
                broken.setdefault(node.span, _broken(error, setting))
        except RulesError as error:
            broken.setdefault(error.span, _broken(error, setting))
    missing = list(_missing_things(game, tables, memory))
    if not is_library and not missing:
        left = MOST_STATEMENTS_IN_ALL
        for setting, table in tables.items():
            if left <= 0:
                break  # Who has seen so many set-ups has seen enough.
            try:
                _set_up(table)
            except RulesError as error:
                broken.setdefault(error.span, _broken(error, setting))
            left -= USUAL.statements - table.evaluator.work
    yield from (*broken.values(), *missing)


def _broken(error: RulesError, setting: _Setting) -> Diagnostic:
    return found.broken_table(error.span, error.kind, error.message, str(setting))


def _settings(game: CheckedGame, tables: Mapping[_Setting, Table]) -> Iterator[_Setting]:
    """Each number of players with the usual options, then each other value of each option.

    What an option can be stands on the usual tables, which are laid by then, if they can be.
    """
    for players in game.players:
        yield _Setting(players)
    ends = [_Setting(players) for players in sorted({game.players[0], game.players[-1]})]
    count = len(game.players)
    for name in game.options:
        for end in ends:
            usual = tables.get(end)
            if usual is None:
                return
            for value in usual.option_values(name):
                if count == MOST_SETTINGS:
                    return
                if value != usual.options[name]:
                    count += 1
                    yield _Setting(end.players, ((name, as_written(value)),))


def _set_up(table: Table) -> None:
    """Carry out set-up with the first options; a deal that falls short is an error."""
    interpreter = Interpreter(table, Dice(Generator(1)))
    interpreter.hands.short_deals = "error"
    interpreter.most_decisions = MOST_CHOICES
    interpreter.refuels = False
    table.evaluator.fuel = MOST_WORK
    take_first_options(interpreter.set_up(), MOST_CHOICES)


def _missing_things(
    game: CheckedGame, laid: Mapping[_Setting, Table], memory: Memory
) -> Iterator[Diagnostic]:
    """`Cell(9, 9)` where no table has one; in a test, the test's table counts."""
    declared: tuple[Mapping[str, Rule], ...]
    declared = (game.defines, game.steps, game.actions, game.triggers)
    reported: set[object] = set()
    tables = tuple(laid.values())
    rules = (rule for named in declared for rule in named.values())
    for part in (part for rule in rules for part in memory.addressed(rule)):
        if part.span not in reported:
            missing = [table for table in tables if _is_missing(part, table)]
            if tables and len(missing) == len(tables):
                reported.add(part.span)
                yield _missing(part, missing[-1])
    known: dict[_Setting, Table | None] = {**laid}
    for test in game.tests if tables else ():
        table = _table_of(test, tables[0], known)
        if table is None:
            continue
        for part in memory.addressed(test):
            if _is_missing(part, table) and part.span not in reported:
                reported.add(part.span)
                yield _missing(part, table)


def _table_of(test: ExampleInfo, usual: Table, laid: dict[_Setting, Table | None]) -> Table | None:
    """The table of a test: its players, its options, the usual value of all others."""
    constant = usual.evaluator.constant
    game = usual.game
    players = game.players[0] if test.players is None else usual.number(test.players)
    options = tuple((name, as_written(constant(value))) for name, value in test.options)
    setting = _Setting(players, options)
    if setting not in laid:
        try:
            laid[setting] = setting.table(game) if players in game.players else None
        except RulesError:
            laid[setting] = None  # That is reported where tests are run.
    return laid[setting]


def _is_missing(part: Addressed, table: Table) -> bool:
    """Whether what is written out is not there, whatever its other indexes are."""
    if isinstance(part, core.Nth):
        numbers = _written_numbers(part.numbers)
        return len(numbers) == len(part.numbers) and table.nth(part.kind, numbers) is None
    info = table.game.kinds[part.place].place
    assert info is not None
    if isinstance(info.shape, EdgesShape):
        written = all(map(is_written, part.indexes))
        return written and table.evaluator.constant(part) is None
    numbers = _written_numbers(part.indexes[len(table.game.kinds[part.place].indexes) :])
    if not numbers or not table.boards.is_shaped(part.place):
        return False
    return all(
        table.boards.address(place)[-len(numbers) :] != numbers
        for place in table.things(part.place)
    )


def _written_numbers(nodes: tuple[core.Expr, ...]) -> tuple[int | bool | None, ...]:
    return tuple(node.value for node in nodes if isinstance(node, core.Constant))


def _missing(part: Addressed, table: Table) -> Diagnostic:
    kind, given = (
        (part.kind, part.numbers) if isinstance(part, core.Nth) else (part.place, part.indexes)
    )
    shown = ", ".join(
        str(node.value) if isinstance(node, core.Constant) else _shown(node, table)
        for node in given
    )
    things = table.things(kind)
    last = str(things[-1]) if things else "none"
    return found.no_such_thing(part.span, f"{kind}({shown})", last)


def _shown(node: core.Expr, table: Table) -> str:
    return str(table.evaluator.constant(node)) if is_written(node) else "…"
