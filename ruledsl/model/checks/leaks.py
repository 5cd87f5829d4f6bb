"""Choices that tell their player what he can't see.

The rules are followed from procedure to procedure. At each decision, whatever its options depend on
has to be visible to the chooser, and who is asked to everybody.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any, TypeAlias

import attrs

from ruledsl.diagnostics import flow as found
from ruledsl.diagnostics.diagnostic import Diagnostic
from ruledsl.diagnostics.source import Span
from ruledsl.model import core
from ruledsl.model.checks.graph import Node, edges_of, graph_of, parts, runs
from ruledsl.model.checks.lines import first_line
from ruledsl.model.checks.secrecy.ahead import LookingAhead
from ruledsl.model.checks.secrecy.assuming import Scene
from ruledsl.model.checks.secrecy.origins import (
    ANYBODY,
    NOTHING_READ,
    PLAIN,
    Origin,
    Read,
    Reads,
    Sym,
    Who,
    either,
    is_player,
    related,
    renamed,
    renamed_read,
    renamed_who,
)
from ruledsl.model.checks.secrecy.shown import Shown, sources
from ruledsl.model.checks.secrecy.sights import Sights, kinds_of
from ruledsl.model.checks.secrecy.tracing import Given, Telling, Tracer, meant
from ruledsl.model.elaborate import Elaborated
from ruledsl.model.game import CheckedGame, StepInfo, has_secrets
from ruledsl.model.giving import is_given
from ruledsl.model.symbols import PLAYER
from ruledsl.model.walk import statements
from ruledsl.syntax import ast

ToSome: TypeAlias = frozenset[tuple[str, Who]]
"""What was shown to whom, where that is one player, or some."""

MOST_READINGS = 40
"""Of a procedure with different arguments; further ones are taken together."""


def check_leaks(elaborated: Elaborated) -> Iterator[Diagnostic]:
    yield from _followed(elaborated.game).found


def asked_secretly(game: CheckedGame) -> frozenset[Span]:
    """The choices of which others must not know whose they are: that would tell a secret."""
    return _followed(game).asked_secretly


@attrs.frozen
class _Followed:
    """What came of following all rules of a game."""

    found: tuple[Diagnostic, ...] = ()
    asked_secretly: frozenset[Span] = frozenset()


@lru_cache(maxsize=8)
def _followed(game: CheckedGame) -> _Followed:
    if not has_secrets(game):
        return _Followed()
    following = _Following(game)
    found = tuple(following.findings())
    return _Followed(found, frozenset(following.secret))


@attrs.frozen
class _Ran:
    """What a procedure leaves: where its arguments lie then, and what it has shown."""

    arguments: tuple[Origin, ...]
    shown: ToSome = frozenset()


@attrs.frozen
class _At:
    """Where the rules are followed: a procedure, and what decided that it runs."""

    node: Node
    acting: bool
    """somebody chose an action that runs"""
    because: Reads = NOTHING_READ


class _Following:
    """Every procedure is followed with all it may be called with."""

    def __init__(self, game: CheckedGame) -> None:
        self.game = game
        self.sights = Sights(game)
        self.tracer = Tracer(self.sights)
        self.tracer.ahead = LookingAhead(game, self.tracer)
        self.shown = Shown(game)
        self.found: dict[tuple[str, Span], Diagnostic] = {}
        self.secret: set[Span] = set()
        self._read: dict[Node, dict[Any, _Ran]] = {}
        self._left: Reads = NOTHING_READ
        """What decided so far whether the rest of a procedure, or of a loop, was left."""
        self._sets_active = _setting_active(game)

    def findings(self) -> Iterator[Diagnostic]:
        called = {edge.target for edges in graph_of(self.game).edges.values() for edge in edges}
        for key, step in self.game.steps.items():
            if Node("step", key) not in called:
                self._root(Node("step", key), step)
        for key, trigger in self.game.triggers.items():
            scene = _scene_of(Node("trigger", key))
            because = NOTHING_READ
            for draw in trigger.picks:
                domain = self.tracer.trace(draw.domain, scene)
                because |= domain.reads
                scene = scene.naming(draw.local, self.tracer.drawn(draw, domain))
            if trigger.when is not None:
                because |= self.tracer.reads(trigger.when, scene)
                scene = self.tracer.assume(scene, trigger.when, True)
            self._apart(trigger.body, scene, _At(Node("trigger", key), False, because))
        self._progress()
        yield from self.found.values()

    def _progress(self) -> None:
        """Everybody sees how far everybody is."""
        info = self.game.progress
        if info is None:
            return
        node = Node("step", "play")
        whose = attrs.evolve(PLAIN, who=is_player("progress"))
        scene = _scene_of(node).naming(info.local, whose)
        told = [
            Telling(self.tracer.reads(part, scene), part.span, info.trail)
            for part in (info.value, info.goal)
            if part is not None
        ]
        self._noticed(told, ANYBODY, node, info.span)

    def _root(self, node: Node, step: StepInfo) -> None:
        arguments = tuple(
            attrs.evolve(
                self.sights.of_type(param.type),
                who=is_player("parameter", node, number)
                if kinds_of(param.type) == {PLAYER}
                else PLAIN.who,
            )
            for number, param in enumerate(step.params)
        )
        self._bodies(step, arguments, _scene_of(node), _At(node, False))

    # ------------------------------------------------------------ procedures

    def _call(self, key: str, arguments: tuple[Origin, ...], scene: Scene, at: _At) -> _Ran:
        """A step, followed once with each kind of arguments."""
        names: dict[Sym, Sym] = {}

        def rename(sym: Sym) -> Sym:
            return sym if sym[0] == "nth" else names.setdefault(sym, ("caller", len(names)))

        active, you = renamed_who(scene.active, rename), renamed_who(scene.you, rename)
        given = tuple(
            renamed(attrs.evolve(each.bare, reads=each.reads), rename) for each in arguments
        )
        because = frozenset(renamed_read(read, rename) for read in at.because)
        node = Node("step", key)
        inner = Scene({}, active, you, shown=_shown_as(scene.shown, rename))
        ran = self._followed(node, given, inner, _At(node, at.acting, because))
        back = {new: old for old, new in names.items()}

        def restore(sym: Sym) -> Sym:
            return back.get(sym, sym)

        after = tuple(renamed(each, restore) for each in ran.arguments)
        return _Ran(after, _shown_as(ran.shown, restore))

    def _followed(self, node: Node, arguments: tuple[Origin, ...], scene: Scene, at: _At) -> _Ran:
        known = self._read.setdefault(node, {})
        if len(known) >= MOST_READINGS:
            # Each of them may be anything that it ever was.
            arguments = tuple(
                self.sights.of_type(param.type) for param in self.game.steps[node.key].params
            )
            scene, at = _scene_of(node), attrs.evolve(at, because=NOTHING_READ)
        memo = (arguments, scene.active, scene.you, scene.shown, at.acting, at.because)
        if memo not in known:
            known[memo] = _Ran(arguments)
            known[memo] = self._bodies(self.game.steps[node.key], arguments, scene, at)
        return known[memo]

    def _bodies(self, step: StepInfo, arguments: tuple[Origin, ...], scene: Scene, at: _At) -> _Ran:
        moved, shown = arguments, scene.shown
        bodies = [] if step.body is None else [(step.params, step.body)]
        bodies += [(row.params, row.body) for row in step.rows]
        for params, body in bodies:
            locals_ = [param.local for param in params]
            inner = attrs.evolve(scene, names=dict(zip(locals_, arguments, strict=False)))
            after = self._apart(body, inner, at)
            moved = tuple(after.names.get(local, PLAIN).bare for local in locals_)
            shown |= after.shown
        return _Ran(moved, shown)

    def _apart(self, body: core.Block, scene: Scene, at: _At) -> Scene:
        """A whole procedure: what is left in it is no affair of those around it."""
        outside, self._left = self._left, NOTHING_READ
        after = self._block(body, scene, at)
        self._left = outside
        return after

    def _block(self, block: core.Block, scene: Scene, at: _At) -> Scene:
        for statement in block:
            scene = self._statement(statement, scene, at)
            at = attrs.evolve(at, because=at.because | self._left)
        return scene

    def _statement(self, statement: core.Statement, scene: Scene, at: _At) -> Scene:
        trace = self.tracer.trace
        match statement:
            case core.Let(local=local, value=value):
                return scene.naming(local, meant(trace(value, scene), statement.trail))
            case core.Assign(slot=slot, value=value):
                origin = trace(value, scene)
                if is_given(slot.state):
                    self._give(slot.state, meant(origin, statement.trail), at)
                    return scene
                self._kept_secret(slot, origin, statement)
                return _after_setting(slot, origin.who, scene, at)
            case core.Move(pieces=core.Local() as local, target=target):
                there = trace(target, scene).places
                return scene.naming(local, attrs.evolve(trace(local, scene), lying=there))
            case core.Call(step=key, arguments=given):
                origins = tuple(trace(each, scene) for each in given)
                ran = self._call(key, origins, scene, at)
                scene = attrs.evolve(scene, shown=scene.shown | ran.shown)
                for node, origin, after in zip(given, origins, ran.arguments, strict=True):
                    if isinstance(node, core.Local) and after.lying != origin.bare.lying:
                        now = attrs.evolve(trace(node, scene), lying=after.lying)
                        scene = scene.naming(node, now)
                return self._stale(scene, at, Node("step", key), statement.span)
            case core.If(branches=branches):
                return self._branches(branches, scene, at)
            case core.For() | core.Together() | core.Repeat():
                return self._loop(statement, scene, at)
            case core.ChooseValue():
                return self._choose_value(statement, scene, at)
            case core.ChooseAction():
                return self._choose_action(statement, scene, at)
            case core.Show(subject=subject, viewers=viewers):
                return self._show(subject, viewers, scene)
            case core.Shuffle(place=place):
                mixed = sources(self.game, place)
                shown = frozenset(each for each in scene.shown if each[0] not in mixed)
                return attrs.evolve(scene, shown=shown)
            case core.Tell(said=said):
                self._tell(said, statement, scene, at)
                return scene
            case core.Roll(target=core.Slot() as slot):
                return _after_setting(slot, PLAIN.who, scene, at)
            case _:
                return scene

    def _show(self, subject: core.Expr, viewers: core.Expr, scene: Scene) -> Scene:
        """Somebody knows from now on; what all are shown, `Shown` tells."""
        trace = self.tracer.trace
        match viewers:
            case core.AllThings():
                return scene
            case core.SetOf(items=items):
                named = (trace(item, scene).who for item in items)
                whom = [who for who in named if who.sym is not None]
            case _:
                whom = [Who(None, trace(viewers, scene).who.nots)]
        shown = ((source, who) for source in sources(self.game, subject) for who in whom)
        return attrs.evolve(scene, shown=scene.shown.union(shown))

    def _tell(self, said: core.Said, statement: core.Tell, scene: Scene, at: _At) -> None:
        """Everybody hears it; pieces that somebody can't tell from others are not named there."""
        reads = at.because
        told = [Telling(reads, statement.span, statement.trail)]
        told += [
            Telling(self.tracer.reads(value, scene), value.span, statement.trail)
            for value in said.values
        ]
        self._noticed(told, ANYBODY, at.node, statement.span)

    def _give(self, key: str, origin: Origin, at: _At) -> None:
        """What a step gives depends on the way to it, too; who is meant is its own affair."""

        def own(sym: Sym) -> Sym:
            return sym if sym[0] in ("nth", "given") else ("given", key, *sym)

        if origin == PLAIN and not at.because:
            return
        told = renamed(origin.telling(at.because), own)
        self.tracer.given[key] = either((self.tracer.given.get(key, told), told))

    def _branches(self, branches: tuple[core.Branch, ...], scene: Scene, at: _At) -> Scene:
        other, inside = scene, at
        after = scene
        for branch in branches:
            inner = other
            if branch.condition is not None:
                reads = meant(self.tracer.trace(branch.condition, other), branch.trail).reads
                inside = attrs.evolve(inside, because=inside.because | reads)
                inner = self.tracer.assume(other, branch.condition, True)
                other = self.tracer.assume(other, branch.condition, False)
            ended = self._block(branch.body, inner, inside)
            if any(map(_leaves, statements(branch.body))):
                self._left |= inside.because - at.because
            after = attrs.evolve(after, shown=after.shown | ended.shown)
            if ended.active != scene.active:
                after = _with_active(after, is_player("after", branch.span), at)
        return after

    def _loop(self, loop: core.For | core.Together | core.Repeat, scene: Scene, at: _At) -> Scene:
        trace, reads = self.tracer.trace, NOTHING_READ
        names: list[core.Local] = []
        if any(self._may_set_active(statement) for statement in statements(loop.body)):
            scene = _with_active(scene, is_player("round", loop.span), at)
        inner = attrs.evolve(scene, epoch=loop.span)
        match loop:
            case core.For(draws=draws, where=where):
                for draw in draws:
                    domain = trace(draw.domain, inner)
                    reads |= domain.reads
                    inner = inner.naming(draw.local, self.tracer.drawn(draw, domain))
                    names.append(draw.local)
                if where is not None:
                    reads |= self.tracer.reads(where, inner)
                    inner = self.tracer.assume(inner, where, True)
            case core.Together(local=local, domain=whole):
                domain = trace(whole, inner)
                reads = domain.reads
                inner = inner.naming(local, self.tracer.drawn(core.Draw(local, whole), domain))
                names.append(local)
            case core.Repeat(times=times, running=running):
                for part in (times, running):
                    if part is not None:
                        reads |= self.tracer.reads(part, inner)
                if running is not None:
                    inner = self.tracer.assume(inner, running, True)
        if isinstance(loop, core.For):
            for key in loop.order:
                # In which order they come can be noticed, too.
                reads |= self.tracer.reads(key.key, inner)
        if _is_meant(loop.trail):
            reads = NOTHING_READ
        for name in names:
            inner = inner.naming(name, inner.names[name].telling(reads))
        outside = self._left
        after = self._block(loop.body, inner, attrs.evolve(at, because=at.because | reads))
        if not self._left <= outside:
            # Whether there is a further pass is decided there, too.
            because = at.because | reads | self._left
            after = self._block(loop.body, inner, attrs.evolve(at, because=because))
        self._left = outside
        if after.active != scene.active:
            scene = _with_active(scene, is_player("after", loop.span), at)
        return attrs.evolve(scene, epoch=loop.span, shown=scene.shown | after.shown)

    def _may_set_active(self, statement: core.Statement) -> bool:
        match statement:
            case core.Assign(slot=slot) | core.Roll(target=core.Slot() as slot):
                return slot.state == "active"
            case core.ChooseValue(target=core.Slot() as slot):
                return slot.state == "active"
            case _:
                targets = (edge.target for edge in edges_of(_NOWHERE, (statement,)) if runs(edge))
                return any(target in self._sets_active for target in targets)

    def _stale(self, scene: Scene, at: _At, node: Node, span: Span) -> Scene:
        """After a procedure that may have changed who is active, and whom states name."""
        if node in self._sets_active:
            scene = _with_active(scene, is_player("after", span), at)
        return attrs.evolve(scene, epoch=span)

    # ------------------------------------------------------------ decisions

    def _chooser(self, choice: core.ChooseValue | core.ChooseAction, scene: Scene, at: _At) -> Who:
        by = scene.you if choice.by is None else self.tracer.trace(choice.by, scene).who
        viewer = by if by.sym is not None else Who(("chooser", choice.span), by.nots)
        reads = NOTHING_READ if choice.by is None else self.tracer.reads(choice.by, scene)
        reads |= at.because
        if not _is_meant(choice.trail):
            span = first_line(self.game, choice.span) if choice.by is None else choice.by.span
            shown = self.shown.before(at.node)
            for read in _one_each(frozenset(r for r in reads if r.source not in shown)):
                self._report(found.asked_openly, span, read)
                self.secret.add(choice.span)
        return viewer

    def _choose_value(self, choice: core.ChooseValue, scene: Scene, at: _At) -> Scene:
        viewer = self._chooser(choice, scene, at)
        inner = attrs.evolve(scene, you=viewer)
        domain = self.tracer.trace(choice.domain, inner)
        told = [Telling(domain.reads, choice.domain.span, choice.trail)]
        element = self.tracer.drawn(core.Draw(choice.element, choice.domain), domain)
        inner = inner.naming(choice.element, element)
        told += [
            Telling(self.tracer.reads(part, inner), part.span, choice.trail)
            for part in (choice.how_many.amount, choice.where)
            if part is not None
        ]
        told += self.tracer.said(choice.prompt, choice.trail, attrs.evolve(scene, you=viewer))
        if choice.where is not None:
            inner = self.tracer.assume(inner, choice.where, True)
        for require in choice.requirements:
            inner = self.tracer.required(require, inner, told)
        self._noticed(told, viewer, at.node, choice.span, scene.shown)
        if choice.otherwise is not None:
            self._block(choice.otherwise, scene, at)
        if isinstance(choice.target, core.Slot):
            return _after_setting(choice.target, PLAIN.who, scene, at)
        heard = frozenset[Span]() if element.lying else frozenset({choice.span})
        return scene.naming(choice.target, attrs.evolve(element, told=heard))

    def _choose_action(self, choice: core.ChooseAction, scene: Scene, at: _At) -> Scene:
        viewer = self._chooser(choice, scene, at)
        asking = attrs.evolve(scene, you=viewer)
        told = self.tracer.said(choice.prompt, choice.trail, asking)
        self._noticed(told, viewer, at.node, choice.span, scene.shown)
        shown = scene.shown
        for offer in choice.offers:
            shown |= self._offer(offer, asking, viewer, at)
            scene = self._stale(scene, at, Node("action", offer.action), choice.span)
        if choice.otherwise is not None:
            self._block(choice.otherwise, scene, at)
        return attrs.evolve(scene, shown=shown)

    def _offer(self, offer: core.Offer, scene: Scene, viewer: Who, at: _At) -> ToSome:
        """An action that is offered, and carried out; what was shown then."""
        info = self.game.actions[offer.action]
        given = [
            None if each is None else Given(self.tracer.trace(each, scene), each.span, offer.trail)
            for each in offer.arguments
        ]
        told: list[Telling] = []
        node = Node("action", offer.action)
        inner = scene if info.inline else attrs.evolve(scene, names={}, facts=())
        inner, decided = self.tracer.legality(offer.action, given, inner)
        self._noticed(decided, viewer, node, info.span, scene.shown)
        for manner in self.game.notation.actions.get(offer.action, ()):
            written = self.tracer.written(manner, inner)
            self._noticed(written, viewer, node, manner.span, scene.shown)
        asking = scene
        for local, draw in zip(offer.locals, info.picks, strict=True):
            asking = asking.naming(local, inner.names[draw.local])
        for require in offer.requirements:
            asking = self.tracer.required(require, asking, told)
        self._noticed(told, viewer, at.node, offer.span, scene.shown)
        memo = (
            tuple(inner.names[draw.local].bare for draw in info.picks),
            *(scene.active, viewer, scene.shown, at.because),
        )
        known = self._read.setdefault(node, {})
        if info.inline or (memo not in known and len(known) < MOST_READINGS):
            known[memo] = _Ran(())
            follow = self._block if info.inline else self._apart
            after = follow(info.body, inner, _At(node, True, at.because))
            known[memo] = _Ran((), after.shown)
        return known[memo].shown if memo in known else scene.shown

    # ------------------------------------------------------------ findings

    def _noticed(
        self,
        told: list[Telling],
        viewer: Who,
        node: Node,
        whole: Span,
        to_some: ToSome = frozenset(),
    ) -> None:
        says = found.leak_to_all if viewer == ANYBODY else found.leak
        for telling in told:
            if _is_meant(telling.trail):
                continue
            shown = self.shown.before(node) | {
                source for source, whom in to_some if _is_among(viewer, whom)
            }
            unseen = frozenset(
                read
                for read in telling.reads
                if read.source not in shown and not self.sights.sees(viewer, read)
            )
            for read in _one_each(unseen):
                self._report(says, telling.span, read, whole)

    def _report(self, says: Any, span: Span, read: Read, whole: Span | None = None) -> None:
        """At the place where it is read, if that is part of what is noticed."""
        place, inner = read.span, read.inner
        if not _within(place, span) and (whole is None or not _within(place, whole)):
            place, inner = span, read.inner or read.span
        diagnostic = says(place, read.what, inner)
        self.found.setdefault((diagnostic.code.name, place), diagnostic)

    def _kept_secret(self, slot: core.Slot, origin: Origin, statement: core.Assign) -> None:
        state = self.game.states.get(slot.state)
        if state is None or state.sight == "open" or _is_meant(statement.trail):
            return
        if origin.reads:
            # It is mixed with something that was not told.
            return
        for chosen in sorted(origin.told)[:1]:
            line = first_line(self.game, chosen)
            diagnostic = found.told_before(statement.value.span, state.name, line)
            self.found.setdefault((diagnostic.code.name, statement.span), diagnostic)


_NOWHERE = Node("step", "")


def _scene_of(node: Node) -> Scene:
    active = is_player("active", node)
    return Scene({}, active, active)


def _with_active(scene: Scene, active: Who, at: _At) -> Scene:
    """Another player is active; outside of actions that is `you`."""
    return attrs.evolve(scene, active=active, you=scene.you if at.acting else active)


def _after_setting(slot: core.Slot, who: Who, scene: Scene, at: _At) -> Scene:
    if slot.state == "active":
        known = who if who.sym is not None else Who(("set", slot.span), who.nots)
        return _with_active(scene, known, at)
    return attrs.evolve(scene, epoch=slot.span) if kinds_of(slot.type) == {PLAYER} else scene


def _setting_active(game: CheckedGame) -> set[Node]:
    """The procedures in which somebody else may become active."""
    graph = graph_of(game)

    def direct(node: Node) -> bool:
        for statement in statements(parts(game, node)):
            match statement:
                case core.Assign(slot=slot) | core.Roll(target=core.Slot() as slot):
                    if slot.state == "active":
                        return True
                case core.ChooseValue(target=core.Slot() as slot):
                    if slot.state == "active":
                        return True
                case _:
                    pass
        return False

    setting = {node for node in graph.edges if node.sort in ("step", "action") and direct(node)}
    grown = True
    while grown:
        more = {
            node
            for node, edges in graph.edges.items()
            if node not in setting and any(runs(edge) and edge.target in setting for edge in edges)
        }
        grown = bool(more)
        setting |= more
    return setting


def _leaves(statement: core.Statement) -> bool:
    """Whether it may keep others from being asked what stands behind it; all see a game end."""
    return isinstance(statement, core.End) and statement.target != "game"


def _is_among(viewer: Who, whom: Who) -> bool:
    """Whether a viewer was shown something: he is the one, or none of those who were left out."""
    relation = related(whom, viewer)
    return relation == "same" or (whom.sym is None and relation is None)


def _shown_as(shown: ToSome, rename: Callable[[Sym], Sym]) -> ToSome:
    """The same with other symbols for players."""
    return frozenset((source, renamed_who(whom, rename)) for source, whom in shown)


def _is_meant(trail: ast.Trail) -> bool:
    return any(isinstance(mark, ast.Reveals) for mark in trail)


def _one_each(reads: Reads) -> list[Read]:
    """In a fixed order, what is read in one place once."""
    ordered = sorted(reads, key=lambda read: (read.span, read.source, read.what))
    return list({read.span: read for read in reversed(ordered)}.values())[::-1]


def _within(inner: Span, outer: Span) -> bool:
    return inner.file == outer.file and outer.line <= inner.line <= outer.end_line
