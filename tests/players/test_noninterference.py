"""Players can't peek: what a seat can't see never changes what its player chooses.

Two pieces that a seat can't tell apart change roles everywhere, and slots that it can't see get
other values; with the same seed its player must choose the same.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import attrs
import pytest

from ruledsl.diagnostics.source import Source
from ruledsl.engine import Engine
from ruledsl.engine.worlds import World
from ruledsl.library import Library
from ruledsl.model.assemble import Assembly, assemble
from ruledsl.model.elaborate import elaborate
from ruledsl.play.chance import Generator
from ruledsl.play.decisions import Decision
from ruledsl.play.interpreter import Interpreter
from ruledsl.play.match import Match
from ruledsl.players.budget import Iterations
from ruledsl.players.follower import Follower, follower_of
from ruledsl.players.player import Player, Situation, Thinking, Thought
from ruledsl.players.sampler import Roles, Sample, Sampler
from ruledsl.players.search import SearchPlayer
from ruledsl.players.simple import GreedyPlayer, RandomPlayer
from ruledsl.players.situation import situation_of
from ruledsl.table.position import Position
from ruledsl.table.things import Thing

from ..play.table import games_with_secrets, loaded
from ..play.test_noninterference import options_again, pairs, swap, swap_slots

POSITIONS = 2
SWAPS = 3
CHOICES = 40
"""The longest game that is looked at."""

Make = Callable[[Generator], Player]


class Peeked(AssertionError):
    """A player chose otherwise because of something it can't know."""


def choice(match: Match, make: Make, roles: Roles | None = None) -> int:
    """What a player chooses where pieces have changed roles."""
    assert match.decision is not None
    follower = follower_of(match.table)
    assert isinstance(follower, Mirror)
    follower.exchanged = roles or {}
    return make(Generator(9)).choose(situation_of(match.interpreter, match.decision))


def exchange(match: Match, seat: int, one: Thing, other: Thing) -> None:
    """Let two pieces change roles, also in what lies before a simultaneous choice."""
    swap(match, seat, one, other)
    roles = {one: other, other: one}
    before = match.interpreter._outside
    if before is not None:
        match.interpreter._outside = attrs.evolve(
            before,
            known=frozenset((who, roles.get(piece, piece)) for who, piece in before.known),
            narrowed={
                (who, roles.get(piece, piece)): looks
                for (who, piece), looks in before.narrowed.items()
            },
        )
    options_again(match)


class Mirror(Follower):
    """Follows a match in which a test has exchanged pieces that nobody moved.

    A follower gets to know the table by making the same choices; what a test does to the
    interpreter it has to do to the engine, too, or both would be at different tables.
    """

    exchanged: Roles = {}  # noqa: RUF012 # replaced, never changed

    def think(self, interpreter: Interpreter, decision: Decision, generator: Generator) -> Thinking:
        self._follow(interpreter)
        real = self._saved
        known = interpreter.knowledge.known
        changed = self._changed(real.vector, interpreter.pos, known)
        self._saved = attrs.evolve(real, vector=changed)
        try:
            return super().think(interpreter, decision, generator)
        finally:
            self._saved = real

    def _changed(
        self, vector: bytes, pos: Position, known: frozenset[tuple[Thing, Thing]]
    ) -> bytes:
        world = World(self._engine, vector)
        world.rename(self.exchanged)
        world.lay(pos, known)
        return world.vector()


def check_position(match: Match, make: Make, random: Random) -> int:
    """Look at a decision; returns the number of exchanges tried."""
    assert match.seat is not None and match.decision is not None
    table = match.table
    if "follower" not in table.kept:
        table.kept["follower"] = Mirror(Engine(table))
    seat = match.seat
    options_again(match)
    before = choice(match, make)
    tried = 0
    found = pairs(match, seat)
    if match.decision.picked:
        # The options of a choice half made can't be worked out anew.
        offered = {value for members in match.decision.classes for value in members}
        found = [pair for pair in found if offered.isdisjoint(pair)]
    for one, other in random.sample(found, min(SWAPS, len(found))):
        tried += 1
        exchange(match, seat, one, other)
        after = choice(match, make, {one: other, other: one})
        exchange(match, seat, one, other)
        if after != before:
            raise Peeked(f"{one} and {other}: {before}, then {after}")
    for slot in swap_slots(match, seat, random):
        tried += 1
        options_again(match)
        if choice(match, make) != before:
            raise Peeked(slot)
    options_again(match)
    return tried


def check_game(match: Match, make: Make, seed: int, positions: int = POSITIONS) -> int:
    """Play at random, with a look at some decisions on the way."""
    random = Random(seed)
    looked_at = {*random.sample(range(CHOICES), min(CHOICES, 4 * positions))}
    tried = looks = 0
    while match.seat is not None and len(match.history) < CHOICES and looks < positions:
        if len(match.history) in looked_at or len(match.history) == 1:
            more = check_position(match, make, random)
            looks += bool(more)
            tried += more
        match.choose(random.randrange(len(match.options)))
    return tried


@attrs.define
class Foresight:
    """No player, but all that a player could make of a forecast."""

    generator: Generator

    def choose(self, situation: Situation) -> int:
        return hash(situation.forecast(self.generator).standings)


@pytest.mark.parametrize("name", games_with_secrets())
def test_forecasts_depend_on_nothing_hidden(name: str) -> None:
    tried = seed = 0
    while not tried and seed < 20:
        tried = check_game(loaded(name).start(seed=seed), Foresight, seed)
        seed += 1
    assert tried


ITERATIONS = 60


@attrs.define
class Foreboding:
    """No player, but all that a player could make of a search."""

    generator: Generator

    def choose(self, situation: Situation) -> int:
        player = SearchPlayer(Iterations(ITERATIONS), self.generator)
        thoughts: tuple[Thought, ...] = player.thoughts(situation)
        return hash(thoughts)


@pytest.mark.parametrize("name", games_with_secrets())
def test_searches_depend_on_nothing_hidden(name: str) -> None:
    tried = seed = 0
    while tried < 2 * SWAPS and seed < 20:
        tried += check_game(loaded(name).start(seed=seed), Foreboding, seed)
        seed += 1
    assert tried


@pytest.mark.parametrize("kind", [GreedyPlayer, RandomPlayer])
@pytest.mark.parametrize("name", ["kuhn_poker", "love_letter", "sushi_draft"])
def test_players_do_not_peek(name: str, kind: type[GreedyPlayer | RandomPlayer]) -> None:
    assert sum(check_game(loaded(name).start(seed=seed), kind, seed) for seed in range(4))


RULES = """\
game pilfer "Pilfer"
    players 2

place deck of Card stack hidden
place hand per Player of Card private
place bag per Player of Card hidden uncounted
place pile of Card hidden

piece Card in deck | count | rank
    low            | 4     | 1
    mid            | 4     | 3
    high           | 4     | 9

{state}

step setup
    shuffle deck
    for p in Player
        move 3 from deck to p.hand
        move 2 from deck to p.bag
    {setup}
    set active = Player(1)

step play
    repeat 3 times
        turn
        set active = active.next

step turn
    {turn}

ranking p in Player
    highest sum(c.rank for c in p.hand) + 2 * sum(c.rank for c in p.bag){more}
"""

ANY_HAND = "{c in Card where c in active.hand or c in active.next.hand}"


def pilfer(seed: int, turn: str, state: str = "", setup: str = "skip", more: str = "") -> Match:
    text = RULES.format(turn=turn, state=state, setup=setup, more=more)
    assembly = assemble(Source("pilfer.rules", text), Library(()))
    assert isinstance(assembly, Assembly), assembly
    game = elaborate(assembly).game
    assert game is not None
    return Match(game, 2, seed=seed)


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param(
            {"turn": f'choose card in {ANY_HAND} "Which?"\n    move card to active.hand'},
            id="a hidden card is taken",
        ),
        pytest.param(
            {"turn": f'choose any cards in {ANY_HAND} "Which?"\n    move cards to active.bag'},
            id="several",
        ),
        pytest.param(
            {"turn": f'choose some cards in {ANY_HAND} "Which?"\n    move cards to active.bag'},
            id="several of which none may be left",
        ),
        pytest.param(
            {
                "turn": f'choose exactly 2 cards in {ANY_HAND} "Which?"\n'
                "    move cards to active.bag"
            },
            id="two",
        ),
        pytest.param(
            {
                "state": "state Player.secret: 0..3 = 0 private",
                "turn": 'choose active.secret in 1..3 "Which?"\n    choose n in 1..2 "And?"',
                "more": " + 100 * p.secret",
            },
            id="hidden slots",
        ),
        pytest.param(
            {
                "state": "state marked: Card or none = none",
                "setup": "set marked = sure(first(c in Player(2).hand))",
                "turn": f'choose card in {ANY_HAND} "Which?"\n    move card to active.hand\n'
                "    if marked != none\n        move marked to active.bag",
            },
            id="a hidden card is named",
        ),
        pytest.param(
            {
                "turn": "let theirs = sure(first(c in active.next.hand))\n"
                '    choose n in 1..2 "Take it?"\n'
                "    if n = 1\n        move theirs to active.hand"
            },
            id="a hidden card is in a local",
        ),
        pytest.param(
            {
                "turn": 'choose n in 1..2 "Draw?"\n    if n = 1\n'
                "        shuffle deck\n        move 2 from deck to active.hand"
            },
            id="a shuffle",
        ),
    ],
)
@pytest.mark.parametrize("kind", [Foresight, Foreboding])
def test_secrets_of_all_sorts(kind: type[Foresight | Foreboding], parts: dict[str, str]) -> None:
    tried = sum(check_game(pilfer(seed, **parts), kind, seed) for seed in range(8))
    assert tried


# ---------------------------------------------------------------- planted cheats


@attrs.define
class Cheat:
    """Looks at the true position, which the type does not let it do."""

    generator: Generator

    def choose(self, situation: Situation) -> int:
        table: Any = situation
        contents: dict[Thing, tuple[Thing, ...]] = table._interpreter.pos.contents
        orders = [piece.order for held in contents.values() for piece in held]
        return sum(at * order for at, order in enumerate(orders)) % situation.count


def caught(name: str, make: Make) -> bool:
    for seed in range(20):
        try:
            check_game(loaded(name).start(seed=seed), make, seed)
        except Peeked:
            return True
    return False


@pytest.mark.parametrize("name", ["kuhn_poker", "love_letter", "hearts"])
def test_a_cheat_is_caught(name: str) -> None:
    assert caught(name, Cheat)


def test_a_greedy_player_with_the_true_position_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    def truth(self: Sampler, generator: Generator) -> Sample:
        generator.next()
        knowledge = self._knowledge
        return Sample(self._pos.copy(), knowledge.known, knowledge.narrowed, {})

    monkeypatch.setattr(Sampler, "sample", truth)
    assert caught("kuhn_poker", GreedyPlayer)


def test_a_search_with_the_true_position_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    def truth(self: Sampler, generator: Generator) -> dict[Thing, Thing]:
        generator.next()
        return {piece: piece for piece in self.unknown}

    monkeypatch.setattr(Sampler, "deal", truth)
    monkeypatch.setattr(World, "dealable", lambda _world, _pieces: False)
    for name in ("kuhn_poker", "love_letter"):
        assert caught(name, Foreboding)
        assert caught(name, lambda mind: SearchPlayer(Iterations(1_000), mind))


def test_a_situation_shows_no_more_than_it_says() -> None:
    """What a player may call is in the type, and nothing there leads to the table."""
    public = {name for name in dir(Situation) if not name.startswith("_")}
    assert public == {"view", "count", "options", "forecast", "think"}
    match = loaded("love_letter").start(seed=1)
    assert match.decision is not None
    found = situation_of(match.interpreter, match.decision)
    assert {name for name in dir(found) if not name.startswith("_")} == public
    assert len(set(found.options)) == found.count == len(match.options)
    assert found.view == match.view(match.decision.seat.index + 1)
