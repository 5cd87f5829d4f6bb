"""Where an expression stands, and what is known there: what follows when a condition holds."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import attrs

from ruledsl.diagnostics.source import Span
from ruledsl.model import core
from ruledsl.model.checks.secrecy.origins import Origin, Who
from ruledsl.model.checks.secrecy.sights import Facts, Sights, kinds_of
from ruledsl.model.symbols import PLAYER


@attrs.frozen
class Scene:
    """Where an expression stands: its names, who is active and who is `you`, and what holds."""

    names: Mapping[core.Local, Origin]
    active: Who
    you: Who
    facts: Facts = ()
    epoch: Span | None = None
    """what last may have changed whom a state names"""
    shown: frozenset[tuple[str, Who]] = frozenset()
    """the places and states of which something was shown to a player, or to some"""

    def naming(self, local: core.Local, origin: Origin) -> Scene:
        return attrs.evolve(self, names={**self.names, local: origin})

    def knowing(self, fact: core.Expr) -> Scene:
        return attrs.evolve(self, facts=(*self.facts, fact))


@attrs.frozen
class Assuming:
    """What a scene knows once a condition is taken to hold, or not to."""

    sights: Sights
    trace: Callable[[core.Expr, Scene], Origin]

    def assume(self, scene: Scene, condition: core.Expr, holds: bool) -> Scene:
        """What is known when a condition holds, or when it doesn't."""
        match condition:
            case core.Not(operand=operand):
                now = self.assume(scene, operand, not holds)
                return now.knowing(condition) if holds else now
            case core.Both(left=left, right=right) if holds:
                return self.assume(self.assume(scene, left, True), right, True)
            case core.Either(left=left, right=right) if not holds:
                return self.assume(self.assume(scene, left, False), right, False)
            case core.Compare(sign="=" | "!=" as sign, left=left, right=right):
                same = (sign == "=") == holds
                scene = scene.knowing(condition) if holds else scene.knowing(_opposite(condition))
                for one, other in ((left, right), (right, left)):
                    scene = self._assume_same(scene, one, other, same)
                return scene
            case core.Member(element=core.Local() as local, whole=core.Contents(place=place)) if (
                holds
            ):
                return self._assume_lying(scene.knowing(condition), local, place)
            case core.Member(
                element=core.ReadFeature(feature="place", subject=core.Local() as local),
                whole=places,
            ) if holds:
                return self._assume_lying(scene.knowing(condition), local, places)
            case _:
                return scene.knowing(condition) if holds else scene.knowing(core.Not(condition))

    def _assume_same(self, scene: Scene, one: core.Expr, other: core.Expr, same: bool) -> Scene:
        match one:
            case core.Local() if kinds_of(one.type) == {PLAYER}:
                before, who = self.trace(one, scene), self.trace(other, scene).who
                if not same:
                    who = before.who.apart_from(who)
                elif who.sym is None:
                    who = before.who
                return scene.naming(one, attrs.evolve(before, who=who))
            case core.ReadFeature(feature="place", subject=core.Local() as piece) if same:
                return self._assume_lying(scene, piece, other)
            case core.ReadIndex(subject=core.Local() as of, name=name) if self.sights.is_of(
                of, name
            ):
                before, who = self.trace(of, scene), self.trace(other, scene).who
                who = who if same else before.who.apart_from(who)
                return scene.naming(of, attrs.evolve(before, who=who))
            case _:
                return scene

    def _assume_lying(self, scene: Scene, piece: core.Local, place: core.Expr) -> Scene:
        places = self.trace(place, scene).places
        if not places:
            return scene
        return scene.naming(piece, attrs.evolve(self.trace(piece, scene), lying=places))


def _opposite(condition: core.Compare) -> core.Expr:
    return attrs.evolve(condition, sign="!=" if condition.sign == "=" else "=")
