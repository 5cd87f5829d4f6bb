"""Makes the worlds that a search starts from, out of samples."""

from __future__ import annotations

from collections.abc import Mapping

import attrs

from ruledsl.engine import Engine
from ruledsl.engine.runtime.dealing import Recipe
from ruledsl.engine.worlds import World
from ruledsl.play.chance import Generator
from ruledsl.players.sampler import Sampler
from ruledsl.table.things import Thing


@attrs.frozen
class OneWorld:
    """The world of a seat that knows everything: where the game really is."""

    vector: bytes
    certain: bool = attrs.field(default=True, init=False)

    def first(self) -> tuple[bytes, None]:
        return self.vector, None

    def another(self) -> bytes:
        return self.vector


@attrs.frozen
class Worlds:
    """Worlds for one decision; the truth is there only in what the seat knows."""

    engine: Engine
    vector: bytes
    """where the game really is"""
    sampler: Sampler
    generator: Generator
    together: bool
    """whether others choose at the same time: then the table is that of before"""

    @property
    def certain(self) -> bool:
        """Whether there is but one."""
        return self.sampler.certain

    def first(self) -> tuple[bytes, Recipe | None]:
        """A world, and how to make all others from it; None if that takes more than dealing."""
        if self.certain and not self.together:
            return self.vector, None
        found, roles = self._made()
        sampler = self.sampler
        free = sampler.roles_are_all and not sampler.told and found.dealable(sampler.unknown)
        if free and not sampler.certain:
            recipe = found.recipe([[roles[role] for role in kind] for kind in sampler.kinds])
            if recipe.fits:
                return self._finished(found), recipe
        return self.another(), None

    def another(self) -> bytes:
        found, _ = self._made()
        return self._finished(found)

    def _made(self) -> tuple[World, Mapping[Thing, Thing]]:
        found = World(self.engine, self.vector)
        sampler = self.sampler
        # Samples that differ by roles alone are made in the vector; the others are laid anew.
        if not self.together and sampler.roles_are_all and found.simple(sampler.unknown):
            roles: Mapping[Thing, Thing] = sampler.deal(self.generator)
            found.rename(roles)
            found.exchange(roles)
            return found, roles
        sample = sampler.sample(self.generator)
        found.lay(sample.pos, sample.known)
        found.rename(sample.roles)
        return found, sample.roles

    def _finished(self, found: World) -> bytes:
        if self.together:
            found.gather_anew()
        return found.vector()
