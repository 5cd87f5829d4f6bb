"""Worlds: samples laid anew and roles exchanged in the vector are the same."""

from __future__ import annotations

import pytest

from ruledsl.engine.worlds import World
from ruledsl.play.chance import Generator

from .test_dealing import along, worlds_of


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
        ("vault", 3),
    ],
)
def test_both_ways_to_make_a_world_agree(name: str, players: int) -> None:
    compared = 0
    for number, match in along(name, players):
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
    assert compared > 5
