"""Many made-up facts about one position: forms that hardly any made-up game would meet.

A module with a hundred facts compiles as fast as one with a game, and tells all of them at once.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import count
from random import Random

import attrs
import pytest

from ruledsl.diagnostics.source import Source
from ruledsl.engine.played import EngineError
from ruledsl.engine.runtime.trials import Trial
from ruledsl.engine.stage import Stage
from ruledsl.engine.unsupported import Unsupported
from ruledsl.lab.agreement import same
from ruledsl.library import Library
from ruledsl.model import core
from ruledsl.model.game import CheckedGame
from ruledsl.model.types import FlagType, NumberType, plain
from ruledsl.play.chance import Dice, Generator
from ruledsl.play.check import check_source
from ruledsl.play.interpreter import Interpreter
from ruledsl.table.errors import RulesError
from ruledsl.table.evaluate import frame_size
from ruledsl.table.position import Position
from ruledsl.table.table import Table
from ruledsl.table.things import Thing

from .expressions import Pick, Scope, Step
from .memory.guarded import guarded, spoil
from .programs import Maker

FACTS = 100
DEEP = 3
POSITIONS = 6


class FactMaker(Maker):
    """Remembers what the program has, so that facts can look ahead."""

    def __init__(self, pick: Pick) -> None:
        super().__init__(pick)
        self.known = Scope()

    def _step(
        self, steps: tuple[Step, ...], actions: tuple[str, ...], plain: bool
    ) -> tuple[Step, str]:
        step, text = super()._step(steps, actions, plain)
        self.known = attrs.evolve(self.known, steps=(*self.known.steps, step))
        return step, text

    def _action(self, steps: tuple[Step, ...], actions: tuple[str, ...]) -> tuple[str, str]:
        action, text = super()._action(steps, actions)
        self.known = attrs.evolve(self.known, actions=(*self.known.actions, action))
        return action, text

    def facts(self) -> list[str]:
        found = (self.flag(self.known, 1 + number % DEEP) for number in range(FACTS))
        # Positions are laid anew, without those before them.
        return [fact for fact in found if ".times" not in fact]


def made_up(seed: int) -> CheckedGame | None:
    """A made-up game with definitions that are facts, without those that mean nothing."""
    maker = FactMaker(Random(seed).randrange)
    program, facts = maker.program(), maker.facts()
    start = program.count("\n") + 2
    for _ in range(3):
        lines = [f"define fact_{number} = {fact}" for number, fact in enumerate(facts)]
        checked = check_source(Source("made.rules", "\n".join([program, *lines, ""])), Library())
        if checked.game is not None:
            return checked.game
        errors = [each for each in checked.diagnostics if each.severity == "error"]
        wrong = {each.span.line - start for each in errors}
        if min(wrong) < 0:
            return None
        facts = [fact for at, fact in enumerate(facts) if at not in wrong]
    return None


def scatter(pos: Position, table: Table, random: Random) -> None:
    """Lay pieces anywhere they may lie, and give states any value."""
    kinds = table.game.kinds
    places = [(each, info) for each in table.rooms if (info := kinds[each.kind].place) is not None]
    order = {place: at for at, place in enumerate(pos.contents)}
    held: dict[Thing, list[Thing]] = {place: [] for place in order}
    for piece, place in pos.place_of.items():
        free = [
            each
            for each, info in places
            if piece.kind in info.holds
            and ((room := table.rooms[each]) is None or len(held[each]) < room)
        ]
        there = random.choice(free) if random.random() < 0.8 else place
        held[there].append(piece)
    pieces = {piece: at for at, piece in enumerate(pos.place_of)}
    for place, found in held.items():
        info = kinds[place.kind].place
        if info is not None and not info.stack:
            found.sort(key=pieces.__getitem__)
        pos.contents[place] = tuple(found)
        for piece in found:
            pos.place_of[piece] = place
    for key, slot in table.slots.items():
        match plain(slot.state.type):
            case FlagType():
                pos.slots[key] = random.random() < 0.5
            case NumberType():
                low, high = (-9 if slot.low is None else slot.low, slot.high or 9)
                none = pos.slots[key] is None and random.random() < 0.3
                pos.slots[key] = None if none else random.randint(low, high)
            case _:
                pass
    pos.active = random.choice(pos.playing)
    pos.changed()


def facts_of(game: CheckedGame) -> tuple[core.Expr, ...]:
    bodies = (info.body for name, info in game.defines.items() if name.startswith("fact_"))
    return tuple(body for body in bodies if body is not None)


def staged(seed: int) -> Stage | None:
    """A module that tells all facts; None if that is more than a module can hold."""
    game = made_up(seed)
    if game is None:
        return None
    try:
        with guarded():
            return Stage(Table(game, 2 + seed % 2), Trial((), facts_of(game), ()))
    except Unsupported:
        return None


def compare(stage: Stage, seed: int) -> int:
    """Compare all facts in a few positions; how many times that was."""
    table = stage.engine.table
    facts = facts_of(table.game)
    random = Random(seed)
    for _ in range(POSITIONS):
        interpreter = Interpreter(table, Dice(generator := Generator(seed)))
        for _ in interpreter.set_up():
            raise AssertionError("nobody decides while it is set up")
        scatter(interpreter.pos, table, random)
        marks: dict[str, tuple[int, ...]] = dict.fromkeys(table.game.histories, ())
        lay = partial(
            stage.lay, interpreter.pos, interpreter.knowledge.known, generator.state, 0, marks
        )
        spoil(stage.engine)
        lay()
        for number, fact in enumerate(facts):
            told = outcome(partial(interpreter.value, fact, [None] * frame_size(fact)))
            held = outcome(partial(stage.holds, number, []))
            same(held, told, f"whether {fact} holds")
            if not isinstance(told, bool):
                lay()
    return POSITIONS * len(facts)


def outcome(ask: Callable[[], object]) -> object:
    """What comes out, or what goes wrong and where."""
    try:
        return bool(ask())
    except (RulesError, EngineError) as error:
        return error.kind, error.span


@pytest.mark.parametrize("seed", range(10))
def test_both_executors_agree_on_made_up_facts(seed: int) -> None:
    agree(seed)


@pytest.mark.soak
@pytest.mark.parametrize("ten", range(1, 21))
def test_both_executors_agree_on_many_made_up_facts(ten: int) -> None:
    for seed in range(10 * ten, 10 * (ten + 1)):
        agree(seed)


def agree(seed: int) -> None:
    stages = (staged(seed + 1_000 * at) for at in count())
    stage = next(stage for stage in stages if stage is not None)
    assert compare(stage, seed) > POSITIONS * FACTS // 2
