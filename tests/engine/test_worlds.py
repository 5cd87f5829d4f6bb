"""Worlds: samples laid anew and roles exchanged in the vector are the same."""

from __future__ import annotations

import pytest

import ruledsl
from ruledsl.engine.worlds import World
from ruledsl.play.chance import Generator
from ruledsl.play.match import Match

from .test_dealing import worlds_of


@pytest.mark.parametrize(
    ("name", "players"),
    [
        ("love_letter", 4),
        ("pied_piper", 4),
        ("secret_life", 3),
        ("hanabi", 3),
        ("hameln", 4),
        ("little_realm", 2),
        ("burg_appenzell", 2),
    ],
)
def test_both_ways_to_make_a_world_agree(name: str, players: int) -> None:
    match = Match(ruledsl.load(name).checked, players, seed=4)
    mind = Generator(9)
    compared = 0
    for number in range(40):
        if match.decision is None:
            break
        worlds = worlds_of(match, number)
        engine, vector, sampler = worlds.engine, worlds.vector, worlds.sampler
        if sampler.roles_are_all and World(engine, vector).simple(sampler.unknown):
            sample = sampler.sample(Generator(number))
            laid = World(engine, vector)
            laid.lay(sample.pos, sample.known)
            laid.rename(sample.roles)
            roles = sampler.deal(Generator(number))
            exchanged = World(engine, vector)
            exchanged.rename(roles)
            exchanged.exchange(roles)
            assert laid.vector() == exchanged.vector()
            compared += 1
        match.choose(mind.below(len(match.options)))
    assert compared > 5
