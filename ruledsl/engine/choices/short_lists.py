"""Drawing one option where some requirements cost much: they are tested for few candidates.

What meets the cheap requirements is listed; then one after another is drawn from that list, until
one meets the others, too.
"""

from __future__ import annotations

from ruledsl.engine.choices.candidates import OFFER, VALUES
from ruledsl.engine.choices.listing import Listing
from ruledsl.engine.choices.offers import Offers
from ruledsl.engine.code.instructions import Code, add, eq, load, mul, no, sub
from ruledsl.engine.context import Context, Part
from ruledsl.engine.expressions.environment import Env
from ruledsl.engine.memory.control import CHOOSER
from ruledsl.model import core


class ShortLists(Part):
    """Lowers drawing from what meets the cheap requirements."""

    def __init__(self, context: Context, offers: Offers, listing: Listing) -> None:
        super().__init__(context)
        self.offers = offers
        self.listing = listing

    def write(self, site: int, node: core.ChooseAction, env: Env, seat: int) -> str:
        """A function that draws an action with its values, or gives back 0."""
        name = f"draw_{site}"
        candidates, planner = self.offers.candidates, self.offers.planner
        legality = self.offers.legality
        self.offers.sites.unsure.add(site)
        with self.context.chosen(True):
            w = self.listing.lister(seat, name, exported=True)
            self.offers.mark_offered(w, node)
            deferred: list[tuple[core.Require, ...]] = []
            for number, offer in enumerate(node.offers):
                info = self.offers.action(offer)
                deferred.append(planner.deferred(info))
                w.set("from", "end")
                fixed = self.offers.fixed_values(w, offer, env)
                pieces = self.offers.merged(offer)

                def chosen(
                    inner: Env,  # noqa: ARG001
                    values: list[Code],
                    offer: core.Offer = offer,
                    number: int = number,
                    pieces: list[bool] = pieces,
                ) -> None:
                    with w.block() as skip:
                        self.offers.require(w, offer, values, env, skip, ahead=False)
                        self.listing.append(w, number, values, pieces, counted=False, unique=True)

                around = self.offers.around(offer, env)
                cheap = planner.without_deferred(info, env)
                legality.legal(
                    w, cheap, fixed, around, lambda at, whole, of, x: whole.each(w, x), chosen
                )
            left = w.variable(("i32.div_u", sub("end", candidates.options), candidates.stride))
            with w.loop() as label:
                w.leave_if(label, no(left))
                drawn = mul(("call", "mind_below", left), candidates.stride)
                entry = w.once(add(drawn, candidates.options))
                with w.block() as refused:
                    for number, offer in enumerate(node.offers):
                        info = self.offers.action(offer)
                        with w.when(eq(load(entry, OFFER), number)), w.block() as fine:
                            with w.block() as skip:
                                values: list[Code] = [
                                    w.once(load(entry, VALUES + 4 * at))
                                    for at in range(len(info.picks))
                                ]
                                inner = dict(env) if info.inline else {}
                                for draw, value in zip(info.picks, values, strict=True):
                                    inner[draw.local.number] = value
                                pending = {
                                    each.local.number: each
                                    for each in info.requirements
                                    if isinstance(each, core.Let)
                                }
                                for each in deferred[number]:
                                    legality.bind_needed(w, each, pending, inner)
                                    legality.check(w, each, inner, skip)
                                self.offers.require(w, offer, values, env, skip, ahead=True)
                                w.leave(fine)
                            w.leave(refused)
                    w.emit("copy", candidates.options, entry, candidates.stride)
                    w.store(CHOOSER, "before")
                    w.give_back(candidates.options)
                w.set(left, sub(left, 1))
                last = add(mul(left, candidates.stride), candidates.options)
                w.emit("copy", entry, last, candidates.stride)
            w.store(CHOOSER, "before")
            w.give_back(0)
        return name
