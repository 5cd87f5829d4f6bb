"""Drawing one option at random without listing all of them.

A candidate is picked from a superset of known size, then only *its* requirements are tested; what
fails is thrown away. Whatever is accepted is equally likely, as if it had been drawn from the
list. After too many misses the list is made after all.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import TypeAlias

from ruledsl.engine.choices.candidates import MASKS, OFFER, VALUES, Candidates, DecisionSites
from ruledsl.engine.choices.choice_plans import ChoicePlan, Way
from ruledsl.engine.choices.domains import Domain, candidates_of
from ruledsl.engine.choices.drawing_by_count import DrawingByCount
from ruledsl.engine.choices.indistinguishable import Indistinguishable
from ruledsl.engine.choices.legality import Legality
from ruledsl.engine.choices.listing import Listing
from ruledsl.engine.choices.plans import ActionPlan, Planner
from ruledsl.engine.code.instructions import (
    Code,
    Function,
    Statement,
    Writer,
    add,
    both,
    eq,
    load,
    mul,
    no,
    op,
    select,
    sub,
)
from ruledsl.engine.context import Context, Part
from ruledsl.engine.effects.seeing import Seeing
from ruledsl.engine.expressions.environment import Env, Expressions, scope_of
from ruledsl.engine.expressions.sieving import Sieving
from ruledsl.engine.memory.control import CHOOSER, DECISIONS, DRAWN_FROM
from ruledsl.engine.memory.layout import category, element_of, none_of
from ruledsl.engine.sets import shapes
from ruledsl.engine.sets.basic import Bits, Chunks, Everything, Numbers, SetCode
from ruledsl.engine.sets.derived import Filtered, Guarded
from ruledsl.engine.sets.keeping import KeptSets
from ruledsl.engine.sets.shapes import WORD, Shape
from ruledsl.engine.sets.stored import InCell, Listed
from ruledsl.model import core
from ruledsl.model.types import Type

TRIES = 40
"""Misses after which the options are listed."""
MOST_DRAWN = 1 << 16
"""Decisions of a game after which options are listed: some rules ask for ever where nobody has a
choice, and only who counts options notices."""
PATIENCE = 3
"""Times in a row that drawing may fail in a game before it is given up for this decision."""

Take: TypeAlias = Callable[[Code, str], Code]
"""The element with a number; jumps to a label if there is none."""


class DrawingByTrial(Part):
    """Lowers drawing."""

    def __init__(
        self,
        context: Context,
        expressions: Expressions,
        keeping: KeptSets,
        sieving: Sieving,
        seeing: Seeing,
        candidates: Candidates,
        indistinguishable: Indistinguishable,
        planner: Planner,
        legality: Legality,
        sites: DecisionSites,
        listing: Listing,
        counted: DrawingByCount,
    ) -> None:
        super().__init__(context)
        self.expressions = expressions
        self.keeping = keeping
        self.sieving = sieving
        self.seeing = seeing
        self.candidates = candidates
        self.indistinguishable = indistinguishable
        self.planner = planner
        self.legality = legality
        self.sites = sites
        self.listing = listing
        self.counted = counted
        self.plans: list[ChoicePlan] = []
        """of all decisions between actions, as they are met"""

    # ------------------------------------------------------------ sampling

    def _sampling(self, w: Writer, whole: SetCode, outer: bool) -> tuple[Code, Take] | None:
        """How many numbers a set has, and the element of a number; None if that costs too much.

        The size may depend on the position for the outermost set only, so that all candidates
        stay equally likely.
        """
        match whole:
            case Everything(low=low, size=size):
                return size, lambda at, skip: add(at, low)
            case Numbers(low=int() as low, high=int() as high):
                return max(0, high - low + 1), lambda at, skip: add(at, low)
            case Filtered(running=None, whole=inner, passes=passes) if passes is not None:
                found = self._sampling(w, inner, outer)
                if found is None:
                    return None
                size_of, take = found

                def filtered(at: Code, skip: str) -> Code:
                    x = w.once(take(at, skip))
                    w.leave_if(skip, no(passes(w, x)))
                    return x

                return size_of, filtered
            case Guarded(condition=condition, whole=inner):
                found = self._sampling(w, inner, outer)
                if found is None:
                    return None
                size_of, take_inner = found
                if outer:
                    return w.once(select(condition, size_of, 0)), take_inner

                def guarded(at: Code, skip: str) -> Code:
                    w.leave_if(skip, no(condition))
                    return take_inner(at, skip)

                return size_of, guarded
            case InCell() if outer:
                only = w.once(whole.first(w, -1))
                return w.once(op("i32.ge_s", only, 0)), lambda at, skip: only
            case InCell():

                def held(at: Code, skip: str) -> Code:  # noqa: ARG001 - there is one at most
                    x = w.once(whole.first(w, -1))
                    w.leave_if(skip, op("i32.lt_s", x, 0))
                    return x

                return 1, held
            case Bits(low=low, size=size) | Chunks(low=low, size=size) if not outer:

                def there(at: Code, skip: str) -> Code:
                    x = w.once(add(at, low))
                    w.leave_if(skip, no(whole.member(w, x)))
                    return x

                return size, there
            case Bits(word=word, low=low, size=size):
                held_word = w.once(word, "i64")
                number = w.once(("i32.wrap_i64", ("i64.popcnt", held_word)))

                def nth(at: Code, skip: str) -> Code:  # noqa: ARG001 - there are so many
                    return w.once(add(self.sieving.nth_bit(held_word, at, size), low))

                return number, nth
            case Chunks():
                return w.once(whole.count(w)), lambda at, skip: self._nth(w, whole, at)
            case Listed(address=address, capacity=capacity):
                base = w.once(address)
                length = w.once(load(base))

                def item(at: Code, skip: str) -> Code:
                    if not outer:
                        w.leave_if(skip, op("i32.ge_u", at, length))
                    return load(add(add(base, 4), mul(at, 4)))

                return (length if outer else capacity), item
            case _:
                if not outer:
                    return None
                return self._sampling(w, self.keeping.listed(w, whole), outer)

    def _is_sure(self, whole: SetCode) -> bool:
        """Whether every number of the outermost set has an element, in the order of its list."""
        match whole:
            case Filtered(running=None, passes=passes) if passes is not None:
                return False
            case Guarded(whole=inner):
                return self._is_sure(inner)
            case _:
                return True

    def _nth(self, w: Writer, whole: Chunks, number: Code) -> Code:
        """The element of a number, from 0 on."""
        first, *others = whole.words
        word, low, rest = w.variable(first, "i64"), w.variable(whole.low), w.variable(number)
        for at, following in enumerate(others):
            held = w.once(("i32.wrap_i64", ("i64.popcnt", word)))
            here = eq(low, whole.low + WORD * at)
            with w.when(both(here, op("i32.ge_u", rest, held))):
                w.set(rest, sub(rest, held))
                w.set(word, following)
                w.set(low, whole.low + WORD * (at + 1))
        return w.once(add(self.sieving.nth_bit(word, rest, WORD), low))

    def _cases(self, offer: core.Offer, env: Env) -> list[tuple[Domain, ...]]:
        """What the parameters of an offer are taken from, in each case."""
        info = self.game.actions[offer.action]
        plan = self.planner.planned(info, env)
        around = scope_of(env if info.inline else {})
        return self.legality.domains.foreseen(plan, [False] * len(info.picks), around)

    def _can_sample(self, offer: core.Offer, env: Env) -> bool:
        """Whether all domains of an offer can be sampled."""
        return all(
            candidates_of(domain.shape) is not None
            for case in self._cases(offer, env)
            for domain in case[1:]
        )

    def given_up(self, w: Writer, site: int) -> int:
        """Give back at once where drawing has failed too often; the cell that counts it."""
        self.sites.unsure.add(site)
        cell = self.sites.failures + 4 * site
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
            return self._write_shortlist(site, node, env, seat)
        counted = [way == "counted" for way in plan.ways]
        with self.context.chosen(True):
            notes: list[dict[core.Expr, int]] = [{} for _ in node.offers]
            for number, offer in enumerate(node.offers):
                names = (f"size_{site}_{number}", f"try_{site}_{number}")
                if counted[number]:
                    self.counted.write_counted(number, offer, env, names)
                    continue
                for sized in (True, False):
                    self._write_offer(site, number, offer, env, seat, sized, notes[number])
            surely = all(counted)
            if site in self.counted.out_of_order:
                self.sites.unsure.add(site)
            return self._write_draw(site, node, seat, notes, surely=surely)

    def _planned(self, site: int, node: core.ChooseAction, env: Env) -> ChoicePlan:
        """How each offer of a decision is drawn; where one has to be listed, all are."""
        actions = [self.game.actions[offer.action] for offer in node.offers]
        offers = tuple(self.planner.planned(info, env) for info in actions)
        with self.context.chosen(True):
            ways = self._ways(node, offers, env)
            cases = tuple(tuple(self._cases(offer, env)) for offer in node.offers)
        return ChoicePlan(site, ways, offers, cases)

    def _ways(
        self, node: core.ChooseAction, plans: tuple[ActionPlan, ...], env: Env
    ) -> tuple[Way, ...]:
        listed: tuple[Way, ...] = tuple("listed" for _ in plans)
        if self.seeing.track:
            return listed
        ahead = (each for offer in node.offers for each in offer.requirements)
        if any(plan.deferred for plan in plans) or any(
            self.planner.looks_ahead(each.condition) for each in ahead
        ):
            return tuple("short list" for _ in plans)
        found: list[Way] = []
        for offer in node.offers:
            if self.counted.is_counted(offer, env):
                found.append("counted")
            elif any(each is not None for each in offer.arguments):
                return listed
            else:
                found.append("tried")
        for offer, way in zip(node.offers, found, strict=True):
            if way == "tried" and not self._can_sample(offer, env):
                return listed
        return tuple(found)

    # ------------------------------------------------------------ short lists

    def _write_shortlist(self, site: int, node: core.ChooseAction, env: Env, seat: int) -> str:
        """Lists what meets the cheap requirements, then tests the others for one after another."""
        name = f"draw_{site}"
        self.sites.unsure.add(site)
        with self.context.chosen(True):
            w = self.listing.lister(seat, name, exported=True)
            self.listing.mark_named(
                w, [d.domain.type for o in node.offers for d in self.game.actions[o.action].picks]
            )
            deferred: list[tuple[core.Require, ...]] = []
            for number, offer in enumerate(node.offers):
                info = self.game.actions[offer.action]
                deferred.append(self.planner.deferred(info))
                w.set("from", "end")
                fixed = self.listing.fixed_values(w, offer, env)
                pieces = [self.indistinguishable.mergeable(draw.domain.type) for draw in info.picks]

                def chosen(
                    inner: Env,  # noqa: ARG001
                    values: list[Code],
                    offer: core.Offer = offer,
                    number: int = number,
                    pieces: list[bool] = pieces,
                ) -> None:
                    with w.block() as skip:
                        self._check_offer(w, offer, values, env, skip, heavy=False)
                        self.listing.append(w, number, values, pieces, counted=False, unique=True)

                around = env if info.inline else {}
                cheap = self.planner.without_deferred(info, env)
                self.legality.legal(
                    w, cheap, fixed, around, lambda at, whole, of, x: whole.each(w, x), chosen
                )
            left = w.variable(
                ("i32.div_u", sub("end", self.candidates.options), self.candidates.stride)
            )
            with w.loop() as label:
                w.leave_if(label, no(left))
                entry = w.once(
                    add(
                        mul(("call", "mind_below", left), self.candidates.stride),
                        self.candidates.options,
                    )
                )
                with w.block() as refused:
                    for number, offer in enumerate(node.offers):
                        info = self.game.actions[offer.action]
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
                                    self.legality.bind_needed(w, each, pending, inner)
                                    self.legality.check(w, each, inner, skip)
                                self._check_offer(w, offer, values, env, skip, heavy=True)
                                w.leave(fine)
                            w.leave(refused)
                    w.emit("copy", self.candidates.options, entry, self.candidates.stride)
                    w.store(CHOOSER, "before")
                    w.give_back(self.candidates.options)
                w.set(left, sub(left, 1))
                w.emit(
                    "copy",
                    entry,
                    add(mul(left, self.candidates.stride), self.candidates.options),
                    self.candidates.stride,
                )
            w.store(CHOOSER, "before")
            w.give_back(0)
        return name

    def _check_offer(
        self,
        w: Writer,
        offer: core.Offer,
        values: list[Code],
        env: Env,
        skip: str,
        *,
        heavy: bool,
    ) -> None:
        """The requirements that an offer adds, the cheap ones or those that look ahead."""
        around = dict(env)
        for local, value in zip(offer.locals, values, strict=True):
            around[local.number] = value
        for requirement in offer.requirements:
            if self.planner.looks_ahead(requirement.condition) == heavy:
                w.leave_if(skip, no(self.expressions.condition(w, requirement.condition, around)))

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
        info = self.game.actions[offer.action]
        name = f"{'size' if sized else 'try'}_{site}_{number}"
        params = [] if sized else ["index"]
        w = Writer(self.context.program.add(Function(name, [(p, "i32") for p in params])))
        w.function.locals["viewer"] = "i32"
        if not sized:
            w.set("viewer", sub(load(seat), self.layout.first_player))
        merged = [self.indistinguishable.mergeable(draw.domain.type) for draw in info.picks]
        domains: list[SetCode] = []
        # Where an action has several cases, each begins with the domain of its first parameter.
        cases = iter(self._cases(offer, env))
        inner_sizes: list[int] = []

        def choose(at: int, whole: SetCode, of: Type, one: Callable[[Code], None]) -> None:  # noqa: ARG001
            if merged[at]:
                whole = self.keeping.kept(w, whole)
            found = self._sampling(w, whole, outer=at == 0)
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
                if len(info.picks) == 1:
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
                around = dict(env)
                for local, value in zip(offer.locals, values, strict=True):
                    around[local.number] = value
                for requirement in offer.requirements:
                    w.leave_if(
                        skip, no(self.expressions.condition(w, requirement.condition, around))
                    )
                for at, merge in enumerate(merged):
                    if merge:
                        self._first_of_its_kind(w, domains[at], values[at], skip)
                w.store(self.candidates.options, number)
                w.store(self.candidates.options, 0, MASKS)
                for at, value in enumerate(values):
                    w.store(self.candidates.options, value, VALUES + 4 * at)
                w.give_back(self.candidates.options)

        fixed: list[Code | None] = [None] * len(info.picks)
        around = env if info.inline else {}
        plan = self.planner.planned(info, env)
        self.legality.legal(w, plan, fixed, around, choose, accept, notes, drawn=True)
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
        w.function.locals["viewer"] = "i32"
        w.set("viewer", sub(load(seat), self.layout.first_player))
        before = w.variable(load(CHOOSER))
        given_up = None if surely else self.given_up(w, site)
        w.store(CHOOSER, load(seat))
        self.listing.mark_named(
            w, [d.domain.type for o in node.offers for d in self.game.actions[o.action].picks]
        )
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
            w.function.locals["viewer"] = "i32"
            w.set("viewer", sub(load(seat), self.layout.first_player))
            before = w.variable(load(CHOOSER))
            merged = self.indistinguishable.mergeable(node.domain.type)
            offered: list[Statement] = []
            with w.into(offered):
                whole = self.listing.values_offered(w, node, env)
            surely = not merged and self._is_sure(whole)
            given_up = None if surely else self.given_up(w, site)
            w.store(CHOOSER, load(seat))
            self.listing.mark_named(w, [node.domain.type])
            w.out.extend(offered)
            if merged:
                whole = self.keeping.kept(w, whole)
            found = self._sampling(w, whole, outer=True)
            assert found is not None
            size, take = found
            none = none_of(category(element_of(node.domain.type)))
            optional = node.how_many.word == "optional"
            total = w.once(add(size, 1) if optional else size)
            w.store(self.candidates.options, 0)
            w.store(self.candidates.options, 0, MASKS)
            with w.when(total):
                if surely:
                    w.store(DRAWN_FROM, total)
                tries = w.variable(TRIES)
                with w.loop() as label:
                    index = self._number_below(w, total)
                    with w.block() as skip:
                        if optional:
                            with w.when(eq(index, size)):
                                w.store(self.candidates.options, none, VALUES)
                                w.store(CHOOSER, before)
                                w.give_back(self.candidates.options)
                        x = w.once(take(index, skip))
                        if merged:
                            self._first_of_its_kind(w, whole, x, skip)
                        w.store(self.candidates.options, x, VALUES)
                        w.store(CHOOSER, before)
                        w.give_back(self.candidates.options)
                    w.set(tries, sub(tries, 1))
                    w.leave_if(label, no(tries))
            if given_up is not None:
                w.store(given_up, add(load(given_up), 1))
            w.store(CHOOSER, before)
            w.give_back(0)
        return name
