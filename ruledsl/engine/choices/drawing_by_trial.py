"""Drawing one option at random without listing all of them.

A candidate is picked from a superset of known size, then only *its* requirements are tested; what
fails is thrown away. Whatever is accepted is equally likely, as if it had been drawn from the
list. After too many misses the list is made after all.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod

from ruledsl.engine.choices.choice_plans import ChoicePlan, Way
from ruledsl.engine.choices.domains import Domain, Purpose, candidates_of
from ruledsl.engine.choices.drawing_by_count import DrawingByCount
from ruledsl.engine.choices.drawing_in_pairs import DrawingInPairs
from ruledsl.engine.choices.listing import Listing
from ruledsl.engine.choices.offers import Offers
from ruledsl.engine.choices.pairs import Pairing
from ruledsl.engine.choices.plans import ActionPlan
from ruledsl.engine.choices.sampling import Sampling
from ruledsl.engine.choices.short_lists import ShortLists
from ruledsl.engine.code.instructions import (
    Code,
    Function,
    Statement,
    Writer,
    add,
    eq,
    load,
    mul,
    no,
    op,
    sub,
)
from ruledsl.engine.context import Context, Part
from ruledsl.engine.effects.seeing import Seeing
from ruledsl.engine.expressions.environment import Env
from ruledsl.engine.memory.control import CHOOSER, DECISIONS, DRAWN_FROM
from ruledsl.engine.memory.layout import category, element_of, none_of
from ruledsl.engine.sets import shapes
from ruledsl.engine.sets.basic import SetCode
from ruledsl.engine.sets.keeping import KeptSets
from ruledsl.engine.sets.shapes import Shape
from ruledsl.model import core
from ruledsl.model.types import Type
from ruledsl.table import mishaps
from ruledsl.table.limits import MOST_OPTIONS

TRIES = 40
"""Misses after which the options are listed."""
MOST_DRAWN = 1 << 16
"""Decisions of a game after which options are listed: some rules ask for ever where nobody has a
choice, and only who counts options notices."""
PATIENCE = 3
"""Times in a row that drawing may fail in a game before it is given up for this decision."""


class DrawingByTrial(Part):
    """Lowers drawing."""

    def __init__(
        self,
        context: Context,
        keeping: KeptSets,
        seeing: Seeing,
        offers: Offers,
        listing: Listing,
        sampling: Sampling,
        counted: DrawingByCount,
        pairs: DrawingInPairs,
        short_lists: ShortLists,
    ) -> None:
        super().__init__(context)
        self.keeping = keeping
        self.seeing = seeing
        self.offers = offers
        self.listing = listing
        self.sampling = sampling
        self.counted = counted
        self.pairs = pairs
        self.short_lists = short_lists
        self.plans: list[ChoicePlan] = []
        """of all decisions between actions, as they are met"""

    def _cases(
        self, offer: core.Offer, env: Env, purpose: Purpose = "tried"
    ) -> list[tuple[Domain, ...]]:
        """What the parameters of an offer are taken from, in each case."""
        return self.offers.foreseen(offer, env, [False] * len(offer.arguments), purpose)

    def _can_sample(self, offer: core.Offer, env: Env) -> bool:
        """Whether all domains of an offer can be sampled."""
        return all(
            candidates_of(domain.shape) is not None
            for case in self._cases(offer, env)
            for domain in case[1:]
        )

    def given_up(self, w: Writer, site: int) -> int:
        """Give back at once where drawing has failed too often; the cell that counts it."""
        self.offers.sites.unsure.add(site)
        cell = self.offers.sites.failures + 4 * site
        enough = op("i32.ge_s", load(cell), PATIENCE)
        limit = self.table.limit
        if limit is None or limit > MOST_DRAWN:
            enough = ("i32.or", enough, op("i32.gt_s", load(DECISIONS), MOST_DRAWN))
        with w.when(enough):
            w.give_back(0)
        return cell

    # ------------------------------------------------------------ actions

    def draw_action(self, site: int, node: core.ChooseAction, env: Env, seat: int) -> str | None:
        """A function that draws an action with its values, or gives back 0."""
        plan = self._planned(site, node, env)
        self.plans.append(plan)
        if "listed" in plan.ways:
            return None
        if "short list" in plan.ways:
            return self.short_lists.write(site, node, env, seat)
        with self.context.chosen(True):
            notes: list[dict[core.Expr, int]] = [{} for _ in node.offers]
            for number, offer in enumerate(node.offers):
                names = (f"size_{site}_{number}", f"try_{site}_{number}")
                pairing = plan.pairings[number]
                if pairing is not None:
                    self.pairs.write(number, offer, env, pairing, names)
                    continue
                if plan.ways[number] == "counted":
                    self.counted.write_counted(number, offer, env, names)
                    continue
                for sized in (True, False):
                    self._write_offer(site, number, offer, env, seat, sized, notes[number])
            surely = "tried" not in plan.ways
            return self._write_draw(site, node, seat, notes, surely=surely)

    def _planned(self, site: int, node: core.ChooseAction, env: Env) -> ChoicePlan:
        """How each offer of a decision is drawn; where one has to be listed, all are."""
        offers = tuple(self.offers.planned(offer, env) for offer in node.offers)
        with self.context.chosen(True):
            pairings = tuple(self.pairs.pairing(offer, env) for offer in node.offers)
            ways = self._ways(node, offers, pairings, env)
            purposes: list[Purpose] = [
                way if way in ("counted", "tried") else "listed" for way in ways
            ]
            cases = tuple(
                tuple(self._cases(offer, env, purpose))
                for offer, purpose in zip(node.offers, purposes, strict=True)
            )
            if "in pairs" not in ways:
                pairings = tuple(None for _ in ways)
        return ChoicePlan(site, ways, offers, cases, pairings)

    def _ways(
        self,
        node: core.ChooseAction,
        plans: tuple[ActionPlan, ...],
        pairings: tuple[Pairing | None, ...],
        env: Env,
    ) -> tuple[Way, ...]:
        listed: tuple[Way, ...] = tuple("listed" for _ in plans)
        if self.seeing.track:
            return listed
        ahead = (each for offer in node.offers for each in offer.requirements)
        if any(plan.deferred for plan in plans) or any(
            self.offers.planner.looks_ahead(each.condition) for each in ahead
        ):
            return tuple("short list" for _ in plans)
        found: list[Way] = []
        for offer, pairing in zip(node.offers, pairings, strict=True):
            if pairing is not None:
                found.append("in pairs")
            elif self.counted.is_counted(offer, env):
                found.append("counted")
            elif any(each is not None for each in offer.arguments):
                return listed
            else:
                found.append("tried")
        for offer, way in zip(node.offers, found, strict=True):
            if way == "tried" and not self._can_sample(offer, env):
                return listed
        return tuple(found)

    def _write_offer(
        self,
        site: int,
        number: int,
        offer: core.Offer,
        env: Env,
        seat: int,
        sized: bool,
        notes: dict[core.Expr, int],
    ) -> None:
        """How many candidates an offer has; or whether the candidate of a number is legal."""
        name = f"{'size' if sized else 'try'}_{site}_{number}"
        params = [] if sized else ["index"]
        w = Writer(self.context.program.add(Function(name, [(p, "i32") for p in params])))
        if not sized:
            self.offers.seen_by(w, seat)
        merged = self.offers.merged(offer)
        domains: list[SetCode] = []
        # Where an action has several cases, each begins with the domain of its first parameter.
        cases = iter(self._cases(offer, env))
        inner_sizes: list[int] = []

        def choose(at: int, whole: SetCode, of: Type, one: Callable[[Code], None]) -> None:  # noqa: ARG001
            if merged[at]:
                whole = self.keeping.kept(w, whole)
            found = self.sampling.numbered(w, whole, outer=at == 0)
            assert found is not None
            size, take = found
            if at == 0:
                _, *inner_domains = next(cases)
                inner_sizes[:] = [
                    self._candidates(domain.shape, merged[domain.at]) for domain in inner_domains
                ]
            rest = prod(inner_sizes)
            if sized:
                w.give_back(mul(size, rest))
                return
            del domains[at:]
            domains.append(whole)
            with w.block() as skip:
                if len(merged) == 1:
                    here: Code = "index"
                elif at == 0:
                    here = w.once(("i32.div_u", "index", rest))
                    w.set("index", ("i32.rem_u", "index", rest))
                else:
                    left = prod(inner_sizes[at:])
                    here = w.once(("i32.div_u", "index", left)) if left > 1 else "index"
                    if left > 1:
                        w.set("index", ("i32.rem_u", "index", left))
                one(w.once(take(here, skip)))

        def accept(inner: Env, values: list[Code]) -> None:  # noqa: ARG001
            if sized:
                w.give_back(1)
                return
            with w.block() as skip:
                self.offers.require(w, offer, values, env, skip)
                for at, merge in enumerate(merged):
                    if merge:
                        self._first_of_its_kind(w, domains[at], values[at], skip)
                self.offers.drawn(w, number, values)

        fixed: list[Code | None] = [None] * len(merged)
        around = self.offers.around(offer, env)
        plan = self.offers.planned(offer, env)
        self.offers.legality.legal(w, plan, fixed, around, choose, accept, notes, purpose="tried")
        w.give_back(0)

    def _candidates(self, shape: Shape, merged: bool) -> int:
        """How many candidates an inner parameter has; alike pieces are looked for in a kept set."""
        found = candidates_of(shapes.kept(shape) if merged else shape)
        assert found is not None
        return found

    def _first_of_its_kind(self, w: Writer, domain: SetCode, chosen: Code, skip: str) -> None:
        """Alike pieces are one option: only the first of them counts.

        Alike pieces lie together, look the same and have the same states, so that a requirement
        that admits one admits the other.
        """
        with w.block() as done:

            def earlier(x: Code) -> None:
                w.leave_if(done, eq(x, chosen))
                w.leave_if(skip, ("call", "alike", "viewer", x, chosen))

            domain.each(w, earlier)

    def _write_draw(
        self,
        site: int,
        node: core.ChooseAction,
        seat: int,
        notes: list[dict[core.Expr, int]],
        *,
        surely: bool,
    ) -> str:
        """Draws from all offers; surely if none of them is ever drawn from in vain."""
        name = f"draw_{site}"
        w = self.context.function(name, exported=True)
        for cells in notes:
            for cell in cells.values():
                w.store(cell, 0)
        self.offers.seen_by(w, seat)
        before = w.variable(load(CHOOSER))
        given_up = None if surely else self.given_up(w, site)
        w.store(CHOOSER, load(seat))
        self.offers.mark_offered(w, node)
        sizes = [w.once(("call", f"size_{site}_{number}")) for number in range(len(node.offers))]
        total: Code = sizes[0]
        for size in sizes[1:]:
            total = add(total, size)
        total = w.once(total)
        found = w.variable(0)
        with w.when(total):
            if surely:
                w.store(DRAWN_FROM, total)
                self._draw_one(w, site, sizes, total, found)
            else:
                tries = w.variable(TRIES)
                with w.loop() as label:
                    self._draw_one(w, site, sizes, total, found)
                    w.leave_if(label, found)
                    w.set(tries, sub(tries, 1))
                    w.leave_if(label, no(tries))
        if given_up is not None:
            w.store(given_up, ("select", 0, add(load(given_up), 1), found))
        w.store(CHOOSER, before)
        w.give_back(found)
        return name

    def _draw_one(self, w: Writer, site: int, sizes: list[Code], total: Code, found: str) -> None:
        """Draw a number, and try the candidate of the offer that it belongs to."""
        index = self._number_below(w, total)
        with w.block() as tried:
            for number, size in enumerate(sizes):
                inside = op("i32.lt_u", index, size)
                with w.when(inside if number < len(sizes) - 1 else 1):
                    w.set(found, ("call", f"try_{site}_{number}", index))
                    w.leave(tried)
                w.set(index, sub(index, size))

    def _number_below(self, w: Writer, total: Code) -> str:
        """A number drawn; where there is one option only, nothing is drawn."""
        index = w.variable(0)
        with w.when(op("i32.gt_u", total, 1)):
            w.set(index, ("call", "mind_below", total))
        return index

    # ------------------------------------------------------------ values

    def draw_value(self, site: int, node: core.ChooseValue, env: Env, seat: int) -> str | None:
        """A function that draws a value, or gives back 0."""
        if self.seeing.track:
            return None
        name = f"draw_{site}"
        with self.context.chosen(True):
            w = self.context.function(name, exported=True)
            self.offers.seen_by(w, seat)
            before = w.variable(load(CHOOSER))
            merged = self.offers.indistinguishable.mergeable(node.domain.type)
            offered: list[Statement] = []
            with w.into(offered):
                whole = self.listing.values_offered(w, node, env)
            surely = not merged and self.sampling.is_sure(whole)
            given_up = None if surely else self.given_up(w, site)
            w.store(CHOOSER, load(seat))
            self.offers.mark_named(w, [node.domain.type])
            w.out.extend(offered)
            if merged:
                whole = self.keeping.kept(w, whole)
            found = self.sampling.numbered(w, whole, outer=True)
            assert found is not None
            size, take = found
            if surely and not (isinstance(size, int) and size <= MOST_OPTIONS):
                with w.when(op("i32.gt_u", size, MOST_OPTIONS)):
                    self.context.fail(w, mishaps.TOO_MANY_OPTIONS, node.domain.span)
            none = none_of(category(element_of(node.domain.type)))
            optional = node.how_many.word == "optional"
            total = w.once(add(size, 1) if optional else size)
            with w.when(total):
                if surely:
                    w.store(DRAWN_FROM, total)
                tries = w.variable(TRIES)
                with w.loop() as label:
                    index = self._number_below(w, total)
                    with w.block() as skip:
                        if optional:
                            with w.when(eq(index, size)):
                                w.store(CHOOSER, before)
                                self.offers.drawn(w, 0, [none])
                        x = w.once(take(index, skip))
                        if merged:
                            self._first_of_its_kind(w, whole, x, skip)
                        w.store(CHOOSER, before)
                        self.offers.drawn(w, 0, [x])
                    w.set(tries, sub(tries, 1))
                    w.leave_if(label, no(tries))
            if given_up is not None:
                w.store(given_up, add(load(given_up), 1))
            w.store(CHOOSER, before)
            w.give_back(0)
        return name
