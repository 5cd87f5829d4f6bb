"""What is foreseen of the code of expressions is what is written then."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from random import Random
from textwrap import dedent
from unittest.mock import patch

import pytest

from ruledsl.diagnostics.source import Source
from ruledsl.engine import Engine
from ruledsl.engine.code.instructions import Code, Statement, Writer
from ruledsl.engine.compiler import compiled
from ruledsl.engine.expressions.any_expression import AnyExpression
from ruledsl.engine.expressions.environment import Env, Scalar, scope_of
from ruledsl.engine.expressions.foresight import Foresight
from ruledsl.engine.expressions.sieves import Sieve, Siever
from ruledsl.engine.expressions.sieving import Sieving
from ruledsl.engine.expressions.word_conditions import WordConditions
from ruledsl.engine.expressions.word_planner import WordPlanner
from ruledsl.engine.sets.basic import SetCode
from ruledsl.library import Library
from ruledsl.model import core
from ruledsl.model.check import check_rules
from ruledsl.model.game import CheckedGame
from ruledsl.table.table import Table

from ..play.table import settings, shipped_games
from .lockstep import play_in_step
from .programs import Maker


@contextmanager
def looked_after() -> Iterator[Counter[str]]:
    """Compare each set with what was foreseen of it, and look for loops where none should be."""
    met: Counter[str] = Counter()
    lower, sieved, at_once = AnyExpression.set, Sieving.sieved, WordConditions.at_once

    def watched_set(self: AnyExpression, w: Writer, node: core.Expr, env: Env) -> SetCode:
        foreseen = self.foresight.shape(node, scope_of(env))
        found = lower(self, w, node, env)
        told, made = foreseen, found.shape
        assert (told.form, told.span, told.most) == (made.form, made.span, made.most), node
        assert (told.ordered, told.words) == (made.ordered, made.words), node
        assert (told.straight, told.lasting) == (made.straight, made.lasting), node
        assert found.most() == made.most, node
        met[made.form] += 1
        return found

    def watched_value(self: WordConditions, w: Writer, node: core.Expr, env: Env) -> Code:
        code: list[Statement] = []
        with w.into(code):
            found = at_once(self, w, node, env)
        assert not goes_far(code), node
        w.out.extend(code)
        met["at once"] += 1
        return found

    def watched_sieve(self: Sieving, w: Writer, whole: SetCode, sieve: Sieve, env: Env) -> SetCode:
        found = sieved(self, w, whole, sieve, env)
        told = sieve.shape
        assert (told.form, told.span, told.most) == (found.shape.form, found.span, found.most())
        met[sieve.way] += 1
        return found

    with (
        patch.object(AnyExpression, "set", watched_set),
        patch.object(Sieving, "sieved", watched_sieve),
        patch.object(WordConditions, "at_once", watched_value),
    ):
        yield met


def goes_far(statements: Iterable[Statement]) -> bool:
    """Whether code goes through something, or calls what may."""
    return any(
        statement[0] in ("loop", "do", "dispatch")
        or any(goes_far(part) if isinstance(part, list) else calls(part) for part in statement[1:])
        for statement in statements
    )


def calls(code: Code) -> bool:
    return isinstance(code, tuple) and (code[0] == "call" or any(map(calls, code[1:])))


@pytest.mark.parametrize("game", shipped_games())
def test_shapes_of_sets_in_games(game: str) -> None:
    table = next(iter(settings(game))).table()
    with looked_after() as met:
        compiled(table, checked=True, lightly=True, trial=None)
    assert met


def test_shapes_of_sets_in_made_up_programs() -> None:
    with looked_after() as met:
        for seed in range(40):
            text = Maker(Random(seed).randrange).program()
            game = check_rules(Source("made.rules", text), Library()).game
            if game is not None and "play" in game.steps:
                for checked in (True, False):
                    table = Table(game, game.players[0])
                    compiled(table, checked=checked, lightly=False, trial=None)
    assert len(met) > 11, met


BOARD = """
game board "Board"
    players 2

place Square grid 4 by 4 of Man room 1
place box per Player of Man
place pile of Man
piece Man 4 per Player in player.box
state marked: Square or none = none
state Man.bold: flag = no

define mine(s: Square) = s.top.player = you
define corner(s: Square) = s.col = 1 and s.row = 1

step setup
    set active = Player(1)

step play
    let n = count(s in Square where {condition})
    win you
"""


def checked(text: str) -> CheckedGame:
    found = check_rules(Source("board.rules", dedent(text)), Library())
    assert found.game is not None, found.diagnostics
    return found.game


def sieve_of(condition: str) -> list[str]:
    """How the squares that meet a condition are told, as text."""
    found: list[list[str]] = []
    planned = Siever.planned

    def noted(self: Siever, *given: object, **more: object) -> object:
        sieve = planned(self, *given, **more)  # type: ignore[arg-type]
        found.append([line.strip() for line in sieve.lines()])
        return sieve

    with patch.object(Siever, "planned", noted):
        table = Table(checked(BOARD.format(condition=condition)), 2)
        compiled(table, checked=False, lightly=False, trial=None)
    return found[0]


MEN = "word of at most 16, bits at hand"


@pytest.mark.parametrize(
    ("condition", "planned"),
    [
        pytest.param(
            "s.row = count(pile)",
            [MEN, "words by the value of Query(count, [_ in Contents(PlaceAt(pile))])"],
            id="what never changes",
        ),
        pytest.param("empty(s)", [MEN, "not", "a piece there"], id="empty"),
        pytest.param(
            "s.top.player = you",
            [MEN, "a piece there whose index player is Special(you)"],
            id="owner",
        ),
        pytest.param(
            "mine(s)", [MEN, "a piece there whose index player is Special(you)"], id="definition"
        ),
        pytest.param(
            "s.top != none and s.top.bold",
            [MEN, "not", "not", "a piece there", "a piece there whose state Man.bold is yes"],
            id="state of a piece",
        ),
        pytest.param(
            "count(x in s.ray(north) while mine(x)) >= 2",
            [
                MEN,
                "each of 2 places on, next to it, Value(Dir, north)",
                "a piece there whose index player is Special(you)",
            ],
            id="in a row",
        ),
        pytest.param(
            "s.go(north).top.player = you",
            [MEN, "a piece next to it, Value(Dir, north) whose index player is Special(you)"],
            id="neighbour",
        ),
        pytest.param(
            "s = marked or corner(s)",
            [
                MEN,
                "or",
                "the bit of ReadState(marked)",
                "words in a table: CallDefine(corner of Square, [s.0])",
            ],
            id="either",
        ),
        pytest.param(
            "count(pile) > 2 and not empty(s)",
            [
                MEN,
                "all or none: Compare(>, Query(count, [_ in Contents(PlaceAt(pile))]), 2)",
                "not",
                "not",
                "a piece there",
            ],
            id="the same for all",
        ),
        pytest.param(
            "any(t in Square where t.row = s.row and not empty(t))",
            ["everything of at most 16, bits at hand", "each by itself: …"],
            id="left to a loop",
        ),
    ],
)
def test_conditions_on_all_elements_at_once(condition: str, planned: list[str]) -> None:
    found = sieve_of(condition)
    if planned[-1].endswith("…"):
        assert found[0] == planned[0] and found[1].startswith(planned[-1][:-1])
    else:
        assert found == planned


def test_what_is_known_of_names() -> None:
    scope = scope_of({1: 5, 2: "t0"})
    assert scope[1] == Scalar(5)
    assert scope[2] == Scalar()
    assert set(scope) == {1, 2}


LOOP = """
game loop "Loop"
    players 2
    limit 4 decisions

state total: 0..99 = 0
state last: 0..99 = 0

step setup
    set active = Player(1)

step play
    for i in 1..4, j in 1..i
        add j to total
        set last = 10 * i + j
    choose n in 1..2 "Which?"
    win you
"""


def test_a_loop_whose_length_depends_on_another() -> None:
    """Nothing is known of how often it comes round, so it must not be cut short."""
    game = checked(LOOP)
    for is_checked in (True, False):
        assert play_in_step(Engine(Table(game, 2), checked=is_checked), 1)


WIDE = """
game wide "Wide"
    players 2
    limit 6 decisions

place Square grid 10 by 10 of Man room 1
place box of Man
piece Man 1 in box
state near: 0..99 = 0
state marks: set of Square = {}

step setup
    set active = Player(1)

step play
    repeat
        choose a in Square "Which?"
        set near = count(marks + a.around)
        set marks = a.beside
        set active = active.next
"""


def test_a_union_of_more_than_a_word_begins_empty_each_time() -> None:
    game = checked(WIDE)
    for is_checked in (True, False):
        assert play_in_step(Engine(Table(game, 2), checked=is_checked), 1) > 2


def test_foresight_writes_nothing() -> None:
    """Whoever foresees has no hold of what code is written with."""
    for part in (Foresight, Siever, WordPlanner):
        assert "Writer" not in vars(sys.modules[part.__module__])
