"""From declarations to a resolved game: names, types, and what is wrong with them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

import attrs

from ruledsl.diagnostics import names as found
from ruledsl.diagnostics import tables as declared
from ruledsl.diagnostics.diagnostic import Diagnostic
from ruledsl.model import core
from ruledsl.model.assemble import Assembly, Header
from ruledsl.model.citations import check_citations
from ruledsl.model.examples import Examples
from ruledsl.model.game import CheckedGame, ProgressInfo, RulebookInfo, Sight
from ruledsl.model.languages import languages
from ruledsl.model.looks import looks
from ruledsl.model.memory import Memory
from ruledsl.model.notations import notation
from ruledsl.model.occurrences import Occurrences, declare_all
from ruledsl.model.rule_texts import rule_texts
from ruledsl.model.scope import Scope
from ruledsl.model.symbols import PLAYER, Symbols, collect
from ruledsl.model.types import NUMBER, thing
from ruledsl.syntax import ast

Line = TypeVar("Line", ast.Players, ast.Limit, ast.Aim, ast.Progress)

MOST_PLAYERS = 32
LIBRARY_PLAYERS = (2, 3, 4)
"""Numbers of players with which a library is tried on its own."""


@attrs.frozen
class Elaborated:
    """The game as far as it could be resolved, and what was found on the way.

    `header` is that of the file checked; `used` says what something refers to, as sort and name.
    """

    header: Header
    game: CheckedGame
    symbols: Symbols
    used: frozenset[tuple[str, str]]
    occurrences: Occurrences
    diagnostics: tuple[Diagnostic, ...]


def elaborate(assembly: Assembly, memory: Memory | None = None) -> Elaborated:
    """Resolve all names and types of an assembled game.

    A memory of the last time saves what would be resolved in the same way again.
    """
    symbols = collect(assembly.declarations)
    rules = Examples(symbols)
    declare_all(symbols, rules.occurrences)
    header = _Header(rules, assembly)
    ranges = {name: rules.range_bounds(node) for name, node in symbols.ranges.items()}
    kinds = {name: rules.kind(head) for name, head in tuple(rules.heads.items())}
    states = {key: rules.state(key, node) for key, node in symbols.states.items()}
    sights = [state.sight for state in states.values()]
    sights += [kind.place.sight for kind in kinds.values() if kind.place is not None]
    # What is given in a game with secrets may be one.
    given: Sight = "open" if all(sight == "open" for sight in sights) else "hidden"
    states |= {state.key: state for state in rules.given_states(given)}
    histories = {name: rules.history(node) for name, node in symbols.histories.items()}
    options = {name: rules.option(node) for name, node in symbols.options.items()}
    defines = {
        group.key: rules.define(group.key)
        for name in tuple(symbols.defines)
        for group in rules.define_groups(name)
    }
    memory = Memory() if memory is None else memory
    kept = memory.recall(rules)
    steps = {name: kept.step(name) for name in symbols.steps}
    actions = {name: kept.action(name) for name in symbols.actions}
    triggers = {name: kept.trigger(node) for name, node in symbols.triggers.items()}
    ranking = rules.ranking(symbols.ranking)
    tests = tuple(kept.example(node) for node in symbols.tests)
    actions |= rules.inline_actions
    if assembly.game is not None and "play" not in symbols.steps:
        rules.report(found.missing_step(assembly.game.name.span, "play"))
    reader = None if isinstance(assembly.header, ast.Library) else assembly.header
    headers = (assembly.header, *(() if assembly.game is None else (assembly.game,)))
    written = (*assembly.declarations, *assembly.notations, *headers)
    further = (name for item in written for name in memory.further_names(item))
    looked, odd = looks(symbols, assembly.looks, max(header.players), assembly.header.span.file)
    unseen = {key for key, look in looked.items() if look.bookkeeping}
    texts, missing = languages(
        symbols, reader, assembly.game, assembly.names, assembly.own_files, further, unseen
    )
    quoted, misquoted = rule_texts(assembly.rule_texts, header.rulebooks)
    game = CheckedGame(
        name=(assembly.game or assembly.header).name.text,
        title=header.title,
        variant=assembly.header.name.text if isinstance(assembly.header, ast.Variant) else None,
        players=header.players,
        rulebooks=header.rulebooks,
        rule_texts=quoted,
        limit=header.limit,
        aim=header.aim,
        progress=header.progress,
        options=options,
        ranges=ranges,
        kinds=kinds,
        states=states,
        histories=histories,
        defines=defines,
        steps=steps,
        actions=actions,
        triggers=triggers,
        ranking=ranking,
        languages=texts,
        looks=looked,
        notation=notation(rules, assembly.notations, actions, assembly.header.span.file),
        tests=tests,
        sources=assembly.sources,
    )
    citations = (
        () if assembly.game is None else check_citations(written, header.rulebooks, memory.marks)
    )
    return Elaborated(
        assembly.header,
        game,
        symbols,
        frozenset(rules.used),
        rules.occurrences,
        (*rules.diagnostics, *missing, *odd, *misquoted, *citations),
    )


class _Header:
    """The lines under `game`."""

    def __init__(self, rules: Examples, assembly: Assembly) -> None:
        self.rules = rules
        game = assembly.game
        shown = assembly.header.title or (game.title if game is not None else None)
        self.title = assembly.header.name.text if shown is None else shown.value
        self.players: tuple[int, ...] = LIBRARY_PLAYERS
        self.rulebooks: tuple[RulebookInfo, ...] = ()
        self.limit: core.Expr | None = None
        self.aim: str | None = None
        self.progress: ProgressInfo | None = None
        if game is None:
            return
        lines = game.lines
        for players in self._once([x for x in lines if isinstance(x, ast.Players)], "players"):
            self.players = self._players(players)
        for limit in self._once([x for x in lines if isinstance(x, ast.Limit)], "limit"):
            self.limit = rules.constant(limit.amount, Scope(), "the limit")
        for aim in self._once([x for x in lines if isinstance(x, ast.Aim)], "aim"):
            self.aim = aim.text.value
        for way in self._once([x for x in lines if isinstance(x, ast.Progress)], "progress"):
            self.progress = self._progress(way)
        books = [line for line in lines if isinstance(line, ast.Rulebook)]
        self.rulebooks = tuple(self._books(books))

    def _once(self, lines: list[Line], word: str) -> list[Line]:
        for line in lines[1:]:
            self.rules.report(
                declared.bad_line(line.span, f"a second line `{word}`", "keep one of them")
            )
        return lines[:1]

    def _players(self, line: ast.Players) -> tuple[int, ...]:
        bounds = _numbers(line.domain)
        if bounds is None:
            why = "the numbers of players must be written as numbers"
            self.rules.report(declared.bad_line(line.span, why, "such as `players 2..4`"))
            return LIBRARY_PLAYERS
        low, high = bounds
        if not 1 <= low <= high <= MOST_PLAYERS:
            why = f"between 1 and {MOST_PLAYERS} can play, the smaller number first"
            self.rules.report(declared.bad_line(line.domain.span, why, "such as `players 2..4`"))
            return LIBRARY_PLAYERS
        return tuple(range(low, high + 1))

    def _progress(self, line: ast.Progress) -> ProgressInfo:
        scope = Scope()
        local = self.rules.bind(line.name, thing(PLAYER), scope)
        value = self.rules.wanted(line.value, scope, NUMBER, "how far a player is")
        goal = (
            None
            if line.goal is None
            else self.rules.wanted(line.goal, scope, NUMBER, "how far a player has to come")
        )
        unit = None if line.unit is None else line.unit.value
        return ProgressInfo(local, value, goal, unit, line.span, line.trail)

    def _books(self, lines: list[ast.Rulebook]) -> Iterator[RulebookInfo]:
        for line in lines:
            bounds = _numbers(line.domain)
            if bounds is None or not 0 <= bounds[0] <= bounds[1] <= 10_000:
                why = "the rules of a book are numbered: the first and the last number"
                self.rules.report(declared.bad_line(line.span, why, "such as `rulebook PP 1..71`"))
                continue
            title = None if line.title is None else line.title.value
            yield RulebookInfo(line.prefix.text, *bounds, title)


def _numbers(node: ast.Expr) -> tuple[int, int] | None:
    match node:
        case ast.Number(value=value):
            return value, value
        case ast.Interval(low=ast.Number(value=low), high=ast.Number(value=high)):
            return low, high
        case _:
            return None
