"""Dealing again in the module is the same as letting pieces change roles one by one."""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Iterator

import pytest

import ruledsl
from ruledsl.diagnostics.source import Source
from ruledsl.engine import Engine
from ruledsl.engine.engine import Saved
from ruledsl.engine.memory.control import MIND
from ruledsl.engine.runtime.dealing import LENGTHS, Recipe
from ruledsl.engine.worlds import World
from ruledsl.library import Library
from ruledsl.model.check import check_rules
from ruledsl.model.game import CheckedGame
from ruledsl.play.chance import Generator
from ruledsl.play.knowledge import Knowledge
from ruledsl.play.match import Match
from ruledsl.players.follower import follower_of, named_in
from ruledsl.players.sampler import Sampler
from ruledsl.players.worlds import Worlds
from ruledsl.table.things import Thing


def worlds_of(match: Match, seed: int) -> Worlds:
    """What a search would start from."""
    interpreter, decision = match.interpreter, match.decision
    assert decision is not None
    follower = follower_of(match.table)
    follower._follow(interpreter)
    engine, vector = follower._engine, follower._saved.vector
    frames = [*(frame for frame, _ in interpreter.frames), decision.frame]
    pos, knowledge = interpreter.pos, interpreter.knowledge
    if decision.together:
        common = interpreter.common_ground
        assert common is not None
        pos, knowledge = common.pos, Knowledge(match.table, common.known, common.narrowed)
    sampler = Sampler(match.table, pos, knowledge, decision.seat, named_in(frames))
    return Worlds(engine, vector, sampler, Generator(seed), bool(decision.together))


VAULT = """
game vault "Vault"
    players 3
    limit 40 decisions

place deck of Card stack hidden
place hand per Player of Card private
place vault per Player of Card hidden
piece Card in deck | count | worth
    low            | 20    | 1
    middle         | 30    | 2
    high           | 30    | 3

state favourite: Card or none
state marked: set of Card
state Player.kept: set of Card

step setup
    shuffle deck
    for p in Player
        move 6 from deck to p.hand
        move 2 from deck to p.vault
    set active = Player(2)

step play
    repeat
        turn
        set active = active.next

step turn
    let good = {c in active.hand where c.worth > 1}
    let shut = active.vault
    choose n in 1..2 "How many?"
    choose c in active.hand "Which?"
    set favourite = c
    set marked = good
    set active.kept = marked + {c}
    move c to active.vault
    if count(shut) > 0
        move 1 from deck to active.hand

ranking p in Player
    highest count(p.kept)
"""
"""Whatever may name a card that somebody does not know: more of them than a word has bits."""


def rules_of(name: str) -> CheckedGame:
    if name != "vault":
        return ruledsl.load(name).checked
    checked = check_rules(Source("vault.rules", VAULT), Library())
    assert checked.game is not None, checked.diagnostics
    return checked.game


def along(name: str, players: int) -> Iterator[tuple[int, Match]]:
    """The first decisions of a game, numbered."""
    match = Match(rules_of(name), players, seed=4)
    mind = Generator(9)
    for number in range(40):
        if match.decision is None:
            return
        yield number, match
        match.choose(mind.below(len(match.options)))


def dealt(engine: Engine, vector: bytes, recipe: Recipe, seed: int) -> tuple[bytes, list[int]]:
    """A world dealt again, and the pieces in their new roles."""
    engine.load(Saved(vector, {}))
    engine.runner.write(engine.code.dealing.recipe, recipe.packed())
    engine.runner.write(MIND, struct.pack("<q", seed))
    engine.runner.call("deal_again")
    start = engine.code.dealing.recipe + 4 * (LENGTHS + len(recipe.kinds))
    number = len(recipe.pieces)
    cells = struct.unpack(f"<{number}i", engine.runner.read(start, 4 * number))
    return engine.save().vector, list(cells)


@pytest.mark.parametrize(
    ("name", "players"),
    [
        ("kuhn_poker", 2),
        ("pied_piper", 4),
        ("secret_life", 3),
        ("crazy_eights", 3),
        ("euchre", 4),
        ("hearts", 4),
        ("sushi_draft", 3),
        ("hanabi", 3),
        ("hameln", 4),
        ("little_realm", 2),
        ("burg_appenzell", 2),
        ("vault", 3),
    ],
)
def test_what_is_dealt_again_could_have_been_exchanged(name: str, players: int) -> None:
    compared = 0
    for number, match in along(name, players):
        worlds = worlds_of(match, number)
        first, recipe = worlds.first()
        if recipe is not None:
            engine, things = worlds.engine, worlds.engine.layout.things
            before = worlds_of(match, number).another()
            again, pieces = dealt(engine, first, recipe, number)
            roles: dict[Thing, Thing] = {
                things[old]: things[new] for old, new in zip(recipe.pieces, pieces, strict=True)
            }
            expected = World(engine, before)
            expected.rename(roles)
            expected.exchange(roles)
            if worlds.together:
                expected.gather_anew()
            assert again == expected.vector()
            compared += 1
    assert compared > 1


def test_all_deals_are_equally_likely() -> None:
    """Chi-square: the other's card, and the one that nobody has."""
    match = Match(ruledsl.load("kuhn_poker").checked, 2, seed=3)
    worlds = worlds_of(match, 1)
    first, recipe = worlds.first()
    assert recipe is not None
    deals = 3_000
    found: Counter[tuple[int, ...]] = Counter()
    for seed in range(deals):
        _, pieces = dealt(worlds.engine, first, recipe, 1_000_003 * seed)
        found[tuple(pieces)] += 1
    ways = 2
    assert len(found) == ways
    expected = deals / ways
    assert sum((each - expected) ** 2 / expected for each in found.values()) < 10.8


def test_a_recipe_that_is_too_long_is_not_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    match = Match(ruledsl.load("pied_piper").checked, 4, seed=3)
    worlds = worlds_of(match, 1)
    monkeypatch.setattr(Recipe, "fits", False)
    world, recipe = worlds.first()
    assert recipe is None
    assert len(world) == worlds.engine.layout.vector_size
