"""What `would` tells: a step is made in thought, and what it brings to light is read."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from ruledsl.model import core
from ruledsl.model.checks.graph import Node, graph_of, own_expressions, parts, runs, values
from ruledsl.model.checks.secrecy.assuming import Scene
from ruledsl.model.checks.secrecy.origins import NOTHING_READ, Origin, Read, Reads
from ruledsl.model.checks.secrecy.tracing import Tracer
from ruledsl.model.game import CheckedGame
from ruledsl.model.walk import statements, walk


class LookingAhead:
    """What steps carry from places that somebody can't see to where a condition looks."""

    def __init__(self, game: CheckedGame, tracer: Tracer) -> None:
        self.game = game
        self.tracer = tracer
        self.graph = graph_of(game)

    def __call__(self, would: core.Would, arguments: list[Origin], scene: Scene) -> Reads:
        step = self.game.steps[would.step]
        names: dict[core.Local, Origin] = {}
        for params in (step.params, *(row.params for row in step.rows)):
            bare = (origin.bare for origin in arguments)
            names.update(zip((param.local for param in params), bare, strict=False))
        start = Node("step", would.step)
        written: set[str] = set()
        carried: set[Read] = set()
        for node in self.graph.reached([start], runs):
            # Names of other procedures stand for anything of their type.
            inner = attrs.evolve(scene, names=names if node == start else {}, facts=())
            for statement in statements(parts(self.game, node)):
                written.update(_written(self.game, statement))
                carried |= self._carried(statement, inner)
        if not written & set(_looked_at(self.game, would.body)):
            return NOTHING_READ
        return frozenset(
            attrs.evolve(read, span=would.span, inner=read.inner or read.span) for read in carried
        )

    def _carried(self, statement: core.Statement, scene: Scene) -> Reads:
        """What a statement moves unseen, or decides by what is unseen."""
        trace, what = self.tracer.trace, "what lies"
        match statement:
            case core.Move(pieces=pieces):
                return self.tracer.pry(trace(pieces, scene), what, pieces.span, pieces, scene)
            case core.MoveSome(source=source) | core.MoveAll(source=source):
                origin = trace(source, scene)
                lying = attrs.evolve(origin, lying=origin.lying | origin.places)
                return origin.reads | self.tracer.pry(lying, what, source.span, None, scene)
            case core.Put():
                return NOTHING_READ
            case _:
                reads = (self.tracer.reads(each, scene) for each in own_expressions(statement))
                conditions = (
                    self.tracer.reads(branch.condition, scene)
                    for branch in (statement.branches if isinstance(statement, core.If) else ())
                    if branch.condition is not None
                )
                return NOTHING_READ.union(*reads, *conditions)


def _written(game: CheckedGame, statement: core.Statement) -> Iterator[str]:
    match statement:
        case core.Move(target=target) | core.MoveSome(target=target) | core.MoveAll(target=target):
            yield from _looked_at(game, target)
        case core.Assign(slot=slot) | core.Roll(target=core.Slot() as slot):
            yield slot.state
        case _:
            pass


def _looked_at(game: CheckedGame, node: core.Expr) -> Iterator[str]:
    """The places and states that an expression reads, its definitions included."""
    stack: list[core.Expr] = [node]
    seen: set[str] = set()
    while stack:
        for part in walk((stack.pop(),)):
            match part:
                case core.PlaceAt(place=name) | core.Value(kind=name) | core.Nth(kind=name):
                    yield name
                case core.AllThings(kind=name) | core.PlacesOf(place=name):
                    yield name
                case core.ReadState(state=name):
                    yield name
                case core.Local() | core.ReadFeature():
                    kinds = getattr(part.type, "kinds", ())
                    yield from (kind for kind in kinds if game.kinds[kind].place is not None)
                case core.CallDefine(define=key) if key not in seen:
                    seen.add(key)
                    stack.extend(values(game.defines[key]))
                case _:
                    pass
