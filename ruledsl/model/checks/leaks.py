"""Choices that tell their player what he can't see."""

from __future__ import annotations

from collections.abc import Iterator

from ruledsl.diagnostics import flow as found
from ruledsl.diagnostics.diagnostic import Diagnostic
from ruledsl.model import core
from ruledsl.model.checks.graph import Edge, Node, all_blocks, graph_of, parts, runs
from ruledsl.model.checks.sights import Env, Origin, Sights, shown_kinds
from ruledsl.model.elaborate import Elaborated
from ruledsl.model.game import ActionInfo, CheckedGame
from ruledsl.model.walk import statements, walk


def check_leaks(elaborated: Elaborated) -> Iterator[Diagnostic]:
    game = elaborated.game
    shows = _Shows(game)
    for node, block in all_blocks(game):
        for statement in statements(block):
            match statement:
                case core.ChooseValue(by=by):
                    sights = Sights(game, by)
                    _look_at_values(sights, statement)
                case core.ChooseAction(by=by, offers=offers):
                    sights = Sights(game, by)
                    for offer in offers:
                        _look_at_offer(sights, offer, _chooser_env(by))
                case _:
                    continue
            yield from _reported(sights, shows, node)
    for key, action in game.actions.items():
        sights = Sights(game, None)
        _look_at_action(sights, action)
        yield from _reported(sights, shows, Node("action", key))


def _reported(sights: Sights, shows: _Shows, node: Node) -> Iterator[Diagnostic]:
    for secret in sights.secrets:
        if secret.kind is None or secret.kind not in shows.before(node):
            yield found.leak(secret.span, secret.what, secret.inner)


def _chooser_env(by: core.Expr | None) -> Env:
    return {by: Origin(who="chooser")} if isinstance(by, core.Local) else {}


def _look_at_values(sights: Sights, choice: core.ChooseValue) -> None:
    env = _chooser_env(choice.by)
    env[choice.element] = sights.look(choice.domain, env)
    if choice.how_many.amount is not None:
        sights.look(choice.how_many.amount, env)
    if choice.where is not None:
        sights.look(choice.where, env)
        env = sights.assume(env, choice.where, True)
    for require in choice.requirements:
        sights.look(require.condition, env)
        env = sights.assume(env, require.condition, True)


def _look_at_offer(sights: Sights, offer: core.Offer, env: Env) -> None:
    """Further requirements know the action's parameters, open ones and fixed ones."""
    inner = dict(env)
    action = Sights(sights.game, None)
    chosen: Env = {}
    picks = sights.game.actions[offer.action].picks
    for draw, argument, local in zip(picks, offer.arguments, offer.locals, strict=True):
        chosen[draw.local] = action.look(draw.domain, chosen)
        inner[local] = chosen[draw.local] if argument is None else sights.look(argument, env)
    for require in offer.requirements:
        sights.look(require.condition, inner)
        inner = sights.assume(inner, require.condition, True)


def _look_at_action(sights: Sights, action: ActionInfo) -> None:
    env: Env = {}
    for draw in action.picks:
        env[draw.local] = sights.look(draw.domain, env)
    _look_at_requirements(sights, action.requirements, env)


def _look_at_requirements(sights: Sights, block: core.Block, env: Env) -> None:
    for statement in block:
        match statement:
            case core.Let(local=local, value=value):
                env = {**env, local: sights.look(value, env)}
            case core.Require(condition=condition):
                sights.look(condition, env)
                env = sights.assume(env, condition, True)
            case core.If(branches=branches):
                other = env
                for branch in branches:
                    inner = other
                    if branch.condition is not None:
                        sights.look(branch.condition, other)
                        inner = sights.assume(other, branch.condition, True)
                        other = sights.assume(other, branch.condition, False)
                    _look_at_requirements(sights, branch.body, inner)
            case _:
                pass


class _Shows:
    """What may have been shown to somebody on the way to a decision."""

    def __init__(self, game: CheckedGame) -> None:
        self.game = game
        self.graph = graph_of(game)
        self.shown = {
            node: {
                kind
                for part in walk(parts(game, node))
                if isinstance(part, core.Show)
                for kind in shown_kinds(game, part.subject)
            }
            for node in self.graph.edges
        }
        self._before: dict[Node, set[str]] = {}

    def before(self, node: Node) -> set[str]:
        """Places shown in what leads to a node, or in what that calls on the way."""
        if node not in self._before:
            callers = {node}
            waiting = [node]
            while waiting:
                target = waiting.pop()
                for source, edges in self.graph.edges.items():
                    if source not in callers and any(_leads(edge, target) for edge in edges):
                        callers.add(source)
                        waiting.append(source)
            near = self.graph.reached(callers, lambda edge: edge.how == "calls")
            self._before[node] = {kind for each in near for kind in self.shown[each]}
        return self._before[node]


def _leads(edge: Edge, target: Node) -> bool:
    return runs(edge) and edge.target == target
