"""What can be said about rules and positions without a table: mistakes, tests, hints, chances.

It needs neither processes nor files, so a page without a server has it, too.
"""

from __future__ import annotations

from typing import Any

from ruledsl.diagnostics.diagnostic import Diagnostic
from ruledsl.library import Library
from ruledsl.play.chance import Generator
from ruledsl.play.check import check_source
from ruledsl.play.examples import run_tests
from ruledsl.play.match import Match

from ..hints import ideas
from .desk import Objection
from .recipe import load_text, source_of

HINT_SECONDS = 1.5
MANY = 100
"""Games of a quick simulation."""


def hinted(match: Match) -> list[dict[str, Any]]:
    """What could be chosen, and what comes of it."""
    if len(match.options) == 1:
        return [{"moves": [match.options[0].label], "wins": [], "games": 0, "far": False}]
    found = ideas(match, chance_of(match), lambda _: None, HINT_SECONDS)
    return [
        {
            "moves": list(idea.moves),
            "wins": list(idea.wins),
            "games": idea.games,
            "far": idea.far,
        }
        for idea in found
    ]


def chance_of(match: Match) -> Generator:
    """Chance for a computer's choice: the same when a game is resumed."""
    return Generator(Generator(match.seed).next() ^ len(match.history))


def checked(rules: str) -> dict[str, Any]:
    """Diagnostics of rules that were sent, and if there is no error, how they can be played."""
    found = check_source(source_of(rules), Library())
    game = found.game
    return {
        "diagnostics": [_diagnostic(each) for each in found.diagnostics],
        "game": None
        if game is None or "play" not in game.steps
        else {"id": game.name, "title": game.title, "players": list(game.players)},
    }


def tested(rules: str) -> list[dict[str, Any]]:
    """What came of the tests in rules that were sent."""
    return [
        {
            "title": result.test.title,
            "passed": result.failure is None,
            "why": "" if result.failure is None else result.failure.message,
        }
        for result in run_tests(load_text(rules).checked)
    ]


def simulated(rules: str, players: int) -> dict[str, Any]:
    """Who wins how many of some games played at random."""
    game = load_text(rules)
    if players not in game.players:
        raise Objection("bad message")
    wins = [0] * players
    choices = 0
    for seed in range(MANY):
        match = game.start(players, seed=seed)
        chance = chance_of(match)
        while match.seat is not None:
            match.choose(chance.below(len(match.options)))
            choices += 1
        assert match.result is not None
        for winner in match.result.won:
            wins[winner.index] += 1
    return {"games": MANY, "wins": wins, "choices": choices}


def _diagnostic(found: Diagnostic) -> dict[str, Any]:
    return {
        "code": found.code.name,
        "severity": found.severity,
        "message": found.message,
        "label": found.label,
        "hint": found.hint,
        "line": found.span.line,
        "column": found.span.column,
        "endLine": found.span.end_line,
        "endColumn": found.span.end_column,
    }
