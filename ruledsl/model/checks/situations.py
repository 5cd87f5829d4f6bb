"""Go through statements with what is certainly known at each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import attrs

from ruledsl.model import core
from ruledsl.model.checks.graph import Node
from ruledsl.model.checks.values import NOTHING_KNOWN, Known, Values, conjuncts, negation
from ruledsl.model.facts import reads_table
from ruledsl.model.game import CheckedGame, ParamInfo
from ruledsl.model.intervals import Numbers
from ruledsl.model.types import plain


@attrs.frozen
class Situation:
    """Limits of the locals, and conditions that hold."""

    env: dict[core.Local, Numbers] = attrs.field(factory=dict)
    known: Known = NOTHING_KNOWN

    def bound(self, local: core.Local, numbers: Numbers) -> Situation:
        return attrs.evolve(self, env={**self.env, local: numbers})

    def knowing(self, condition: core.Expr) -> Situation:
        return attrs.evolve(self, known=self.known | conjuncts(condition))

    def excluding(self, condition: core.Expr) -> Situation:
        return attrs.evolve(self, known=self.known | conjuncts(negation(condition)))

    def forgetting(self) -> Situation:
        """The table has changed: only limits of locals are left."""
        return attrs.evolve(self, known=NOTHING_KNOWN)


class Situations:
    """Every statement of a game with its situation."""

    def __init__(self, game: CheckedGame, values: Values) -> None:
        self.game = game
        self.values = values

    def all(self) -> Iterator[tuple[Node, core.Statement, Situation]]:
        for key, step in self.game.steps.items():
            node = Node("step", key)
            if step.body is not None:
                yield from self._named(node, step.body, self.given(step.params))
            for row in step.rows:
                yield from self._named(node, row.body, self.given(row.params))
        for key, action in self.game.actions.items():
            start = self.drawn(action.picks, Situation())
            yield from self._named(Node("legality", key), action.requirements, start)
            after = self.drawn(action.picks, Situation()).forgetting()
            yield from self._named(Node("action", key), action.body, after)
        for key, trigger in self.game.triggers.items():
            start = self.drawn(trigger.picks, Situation())
            if trigger.when is not None:
                start = start.knowing(trigger.when)
            yield from self._named(Node("trigger", key), trigger.body, start)

    def _named(
        self, node: Node, block: core.Block, start: Situation
    ) -> Iterator[tuple[Node, core.Statement, Situation]]:
        return ((node, statement, here) for statement, here in self.through(block, start))

    def given(self, params: Iterable[ParamInfo]) -> Situation:
        limits = {param.local: self.values.bounded(param.bounds) for param in params}
        return Situation(limits)

    def drawn(self, draws: Iterable[core.Draw], here: Situation) -> Situation:
        """Each name is a member of what it is drawn from."""
        for draw in draws:
            here = here.bound(draw.local, self.values.elements(draw.domain, here.env))
            here = here.knowing(core.Member(draw.local, draw.domain))
        return here

    def through(
        self, block: core.Block, here: Situation
    ) -> Iterator[tuple[core.Statement, Situation]]:
        for statement in block:
            yield statement, here
            match statement:
                case core.Let(local=local, value=value):
                    here = here.bound(local, self.values.numbers(value, here.env))
                case core.Require(condition=condition):
                    here = here.knowing(condition)
                case core.If(branches=branches):
                    yield from self._branches(branches, here)
                    if not all(_only_asks(branch.body) for branch in branches):
                        here = here.forgetting()
                case core.For(draws=draws, where=where, body=body):
                    inner = self.drawn(draws, here.forgetting()).forgetting()
                    if where is not None and len(draws) == 1:
                        inner = self._kept(inner, where)
                    yield from self.through(body, inner)
                    here = here.forgetting()
                case core.Together(body=body) | core.Repeat(body=body):
                    yield from self.through(body, here.forgetting())
                    here = here.forgetting()
                case core.ChooseValue(otherwise=otherwise):
                    if otherwise is not None:
                        yield from self.through(otherwise, here)
                    here = self._stored(statement, here)
                case core.ChooseAction(otherwise=otherwise):
                    if otherwise is not None:
                        yield from self.through(otherwise, here)
                    here = here.forgetting()
                case core.Roll(target=target, domain=domain):
                    limits = self.values.elements(domain, here.env)
                    here = here.forgetting()
                    if isinstance(target, core.Local):
                        here = here.bound(target, limits)
                case core.Skip() | core.Show() | core.Tell():
                    pass
                case _:
                    here = here.forgetting()

    def _kept(self, here: Situation, where: core.Expr) -> Situation:
        """A filter holds for the first of what a loop runs over; the table may change then."""
        local_only = (each for each in conjuncts(where) if not reads_table(each))
        return attrs.evolve(here, known=here.known | frozenset(local_only))

    def _branches(
        self, branches: tuple[core.Branch, ...], here: Situation
    ) -> Iterator[tuple[core.Statement, Situation]]:
        for branch in branches:
            inner = here if branch.condition is None else here.knowing(branch.condition)
            yield from self.through(branch.body, inner)
            if branch.condition is not None:
                here = here.excluding(branch.condition)

    def _stored(self, choice: core.ChooseValue, here: Situation) -> Situation:
        here = here.forgetting()
        if isinstance(choice.target, core.Local) and choice.how_many.word == "one":
            limits = self.values.elements(choice.domain, here.env)
            if choice.otherwise is None and plain(choice.target.type) == choice.target.type:
                return here.bound(choice.target, limits)
        return here


def _only_asks(block: core.Block) -> bool:
    """Whether a block leaves the table as it is, and comes to its end."""
    return all(
        isinstance(statement, core.Let | core.Require | core.Skip | core.Show | core.Tell)
        or (
            isinstance(statement, core.If)
            and all(_only_asks(branch.body) for branch in statement.branches)
        )
        for statement in block
    )
