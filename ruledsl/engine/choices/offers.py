"""What is offered to a player: what listing and drawing the options of an offer have in common."""

from __future__ import annotations

from ruledsl.engine.choices.candidates import MASKS, VALUES, Candidates, DecisionSites
from ruledsl.engine.choices.domains import Domain, Purpose
from ruledsl.engine.choices.indistinguishable import Indistinguishable
from ruledsl.engine.choices.legality import Legality, Refused
from ruledsl.engine.choices.plans import ActionPlan, Planner
from ruledsl.engine.code.instructions import Code, Writer, load, sub
from ruledsl.engine.context import Context, Part
from ruledsl.engine.expressions.environment import Env, Expressions, scope_of
from ruledsl.engine.memory.layout import category, element_of
from ruledsl.model import core
from ruledsl.model.game import ActionInfo
from ruledsl.model.types import Type


class Offers(Part):
    """Lowers what every way to choose among offers needs."""

    def __init__(
        self,
        context: Context,
        expressions: Expressions,
        candidates: Candidates,
        sites: DecisionSites,
        indistinguishable: Indistinguishable,
        planner: Planner,
        legality: Legality,
    ) -> None:
        super().__init__(context)
        self.expressions = expressions
        self.candidates = candidates
        self.sites = sites
        self.indistinguishable = indistinguishable
        self.planner = planner
        self.legality = legality

    def action(self, offer: core.Offer) -> ActionInfo:
        return self.game.actions[offer.action]

    def planned(self, offer: core.Offer, env: Env) -> ActionPlan:
        return self.planner.planned(self.action(offer), env)

    def around(self, offer: core.Offer, env: Env) -> Env:
        """What the action of an offer knows of the names where it is offered."""
        return env if self.action(offer).inline else {}

    def foreseen(
        self, offer: core.Offer, env: Env, fixed: list[bool], purpose: Purpose
    ) -> list[tuple[Domain, ...]]:
        """What the parameters that are not fixed are taken from, in each case."""
        around = scope_of(self.around(offer, env))
        return self.legality.domains.foreseen(self.planned(offer, env), fixed, around, purpose)

    def merged(self, offer: core.Offer) -> list[bool]:
        """Which parameters may have several values that are alike to whoever chooses."""
        mergeable = self.indistinguishable.mergeable
        return [mergeable(draw.domain.type) for draw in self.action(offer).picks]

    def fixed_values(self, w: Writer, offer: core.Offer, env: Env) -> list[Code | None]:
        """The values of an offer that are given."""
        fixed: list[Code | None] = []
        for argument, draw in zip(offer.arguments, self.action(offer).picks, strict=True):
            kind = category(element_of(draw.domain.type))
            fixed.append(
                None if argument is None else w.once(self.expressions.value(w, argument, env, kind))
            )
        return fixed

    def require(
        self,
        w: Writer,
        offer: core.Offer,
        values: list[Code],
        env: Env,
        skip: str,
        *,
        ahead: bool | None = None,
        refused: Refused | None = None,
    ) -> None:
        """What an offer adds to the requirements of its action; or only what does look `ahead`."""
        around = dict(env)
        for local, value in zip(offer.locals, values, strict=True):
            around[local.number] = value
        for requirement in offer.requirements:
            if ahead in (None, self.planner.looks_ahead(requirement.condition)):
                self.legality.check(w, requirement, around, skip, refused)

    # ------------------------------------------------------------ who looks

    def seen_by(self, w: Writer, seat: int) -> None:
        """In the function being written, `viewer` is the number of the seat in a cell."""
        w.function.locals["viewer"] = "i32"
        w.set("viewer", sub(load(seat), self.layout.first_player))

    def mark_named(self, w: Writer, domains: list[Type]) -> None:
        """Find the pieces that are named somewhere, before alike ones are looked for."""
        if any(self.indistinguishable.mergeable(of) for of in domains):
            w.emit("do", ("call", "mark_apart", "viewer"))

    def mark_offered(self, w: Writer, node: core.ChooseAction) -> None:
        """The same before actions are offered."""
        picks = (draw for offer in node.offers for draw in self.action(offer).picks)
        self.mark_named(w, [draw.domain.type for draw in picks])

    # ------------------------------------------------------------ what was drawn

    def drawn(self, w: Writer, number: int, values: list[Code]) -> None:
        """Give back one candidate, the only one that is kept: an offer with its values."""
        w.store(self.candidates.options, number)
        w.store(self.candidates.options, 0, MASKS)
        for at, value in enumerate(values):
            w.store(self.candidates.options, value, VALUES + 4 * at)
        w.give_back(self.candidates.options)
