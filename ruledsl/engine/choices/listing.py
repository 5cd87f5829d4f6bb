"""The options of a decision as a list of candidates; those that are alike form one option."""

from __future__ import annotations

from collections.abc import Callable

import attrs

from ruledsl.engine.choices.candidates import (
    MASKS,
    MOST_CANDIDATES,
    OPTION,
    VALUES,
)
from ruledsl.engine.choices.legality import Choose
from ruledsl.engine.choices.offers import Offers
from ruledsl.engine.code.instructions import (
    Code,
    Function,
    Width,
    Writer,
    add,
    both,
    cell_at,
    eq,
    load,
    op,
    sub,
)
from ruledsl.engine.context import Context, Part
from ruledsl.engine.counters import Counter, Counters
from ruledsl.engine.expressions.environment import Env
from ruledsl.engine.expressions.queries import Queries
from ruledsl.engine.memory.control import CANDIDATES, CHOOSER, FRESH, GROUPS
from ruledsl.engine.memory.layout import category, element_of, none_of
from ruledsl.engine.sets.basic import SetCode
from ruledsl.model import core
from ruledsl.model.game import ActionInfo
from ruledsl.model.names import conjuncts
from ruledsl.model.types import Type
from ruledsl.table import mishaps

MOST_JUDGED = 1000
"""Values that are tried in a choice to see what refuses them."""


class Listing(Part):
    """Lowers listing what may be chosen."""

    def __init__(self, context: Context, queries: Queries, offers: Offers) -> None:
        super().__init__(context)
        self.queries = queries
        self.offers = offers
        self.candidates = offers.candidates
        self.piece_mask = 0
        """which values of the candidates being listed are pieces"""

    # ------------------------------------------------------------ candidates

    def lister(self, seat: int, name: str, *, exported: bool = False) -> Writer:
        """A function that lists candidates for the seat in a cell."""
        result: Width | None = "i32" if exported else None
        w = Writer(self.context.program.add(Function(name, [], result, exported=exported)))
        self.offers.seen_by(w, seat)
        for local in ("end", "group", "from", "before"):
            w.function.locals[local] = "i32"
        w.set("end", self.candidates.options)
        w.set("before", load(CHOOSER))
        w.store(CHOOSER, load(seat))
        return w

    def listed_all(self, w: Writer) -> None:
        """The end of a function that lists."""
        w.store(CHOOSER, "before")
        w.store(GROUPS, "group")
        count = ("i32.div_u", sub("end", self.candidates.options), self.candidates.stride)
        w.store(CANDIDATES, count)
        w.store(FRESH, 1)
        w.give_back()

    def append(
        self,
        w: Writer,
        offer: int,
        values: list[Code],
        pieces: list[bool],
        *,
        counted: bool,
        unique: bool = False,
    ) -> None:
        """Add a candidate; it joins the first candidate of the same offer that it is like."""
        with w.when(
            op(
                "i32.ge_u",
                "end",
                self.candidates.options + self.candidates.stride * MOST_CANDIDATES,
            )
        ):
            self.context.fail(w, mishaps.TOO_MUCH_TO_CHOOSE, None)
        w.store("end", offer)
        merged = sum(1 << at for at, piece in enumerate(pieces) if piece)
        w.store("end", merged | self.piece_mask << 16, MASKS)
        for at, value in enumerate(values):
            w.store("end", value, VALUES + 4 * at)
        for at in range(len(values), self.candidates.width):
            w.store("end", 0, VALUES + 4 * at)  # So that equal candidates have equal cells.
        if not any(pieces):
            w.store("end", "group", OPTION)
            if counted:
                w.store(cell_at(self.candidates.sizes, "group"), 1)
            w.set("group", add("group", 1))
        else:
            own = w.variable("group")
            other = w.variable("from")
            with w.loop() as label:
                w.leave_if(label, op("i32.ge_u", other, "end"))
                same: Code = 1
                for at, piece in enumerate(pieces):
                    if not piece:
                        same = both(
                            same, eq(load("end", VALUES + 4 * at), load(other, VALUES + 4 * at))
                        )
                matched = w.variable(same)
                for at, piece in enumerate(pieces):
                    if piece:
                        pair = (load("end", VALUES + 4 * at), load(other, VALUES + 4 * at))
                        with w.when(matched):
                            w.set(matched, ("call", "alike", "viewer", *pair))
                with w.when(matched):
                    w.set(own, load(other, OPTION))
                    w.leave(label)
                w.set(other, add(other, self.candidates.stride))
            w.store("end", own, OPTION)
            size = cell_at(self.candidates.sizes, own)
            with w.when(eq(own, "group")):
                if counted:
                    w.store(size, 0)
                w.set("group", add("group", 1))
                if unique:
                    w.set("end", add("end", self.candidates.stride))
            if counted:
                w.store(size, add(load(size), 1))
            if unique:
                return
        w.set("end", add("end", self.candidates.stride))

    def mask_of(self, domains: list[Type]) -> int:
        """A bit for each value that is a piece."""
        return sum(
            1 << at for at, of in enumerate(domains) if self.layout.may_be_piece(element_of(of))
        )

    # ------------------------------------------------------------ actions and values

    def list_actions(self, site: int, node: core.ChooseAction, env: Env, seat: int) -> None:
        w = self.lister(seat, f"options_{site}")
        with self.context.chosen(True):
            self.offers.mark_offered(w, node)
            for number, offer in enumerate(node.offers):
                w.set("from", "end")
                fixed = self.offers.fixed_values(w, offer, env)
                plan = self.offers.planned(offer, env)
                self.piece_mask = self.mask_of([draw.domain.type for draw in plan.picks])
                pieces = self.offers.merged(offer)

                def chosen(
                    inner: Env,  # noqa: ARG001
                    values: list[Code],
                    offer: core.Offer = offer,
                    number: int = number,
                    pieces: list[bool] = pieces,
                ) -> None:
                    with w.block() as skip:
                        self.offers.require(w, offer, values, env, skip)
                        self.append(w, number, values, pieces, counted=False)

                start = self.offers.around(offer, env)
                self.offers.legality.legal(w, plan, fixed, start, self._arranger(w), chosen)
            self.listed_all(w)

    def count_refusals(
        self, counters: Counters, site: int, node: core.ChooseAction, env: Env, seat: int
    ) -> None:
        """A function that counts which requirement refuses what might be chosen."""
        if not any(self._requires(offer) for offer in node.offers):
            return
        w, judged = self._judge(counters, site, seat)
        with self.context.chosen(True):
            for offer in node.offers:
                info = self.offers.action(offer)

                def choose(
                    at: int,
                    whole: SetCode,
                    of: Type,  # noqa: ARG001
                    one: Callable[[Code], None],
                    info: ActionInfo = info,
                ) -> None:
                    def each(x: Code) -> None:
                        x = w.once(x)
                        judged.one_more()
                        counters.looked_at(w, "met", info, at, x, load(seat))
                        one(x)

                    whole.each(w, each)

                def legal(
                    inner: Env,  # noqa: ARG001
                    values: list[Code],
                    offer: core.Offer = offer,
                    info: ActionInfo = info,
                ) -> None:
                    with w.block() as skip:
                        self.offers.require(w, offer, values, env, skip, refused=judged.refused)
                        for at, value in enumerate(values):
                            counters.looked_at(w, "allowed", info, at, value, load(seat))

                start = self.offers.around(offer, env)
                plan = self.offers.planned(offer, env)
                fixed = self.offers.fixed_values(w, offer, env)
                self.offers.legality.legal(
                    w, plan, fixed, start, choose, legal, refused=judged.refused
                )
        judged.over()

    def count_values_refused(
        self, counters: Counters, site: int, node: core.ChooseValue, env: Env, seat: int
    ) -> None:
        """The same where a value is chosen."""
        if not node.requirements:
            return
        w, judged = self._judge(counters, site, seat)
        conditions = [] if node.where is None else conjuncts(node.where)

        def each(x: Code) -> None:
            judged.one_more()
            x = w.once(x)
            counters.looked_at(w, "met", node, 0, x, load(seat))
            around = {**env, node.element.number: x}
            with w.block() as skip:
                for requirement in node.requirements:
                    self.offers.legality.check(w, requirement, around, skip, judged.refused)
                counters.looked_at(w, "allowed", node, 0, x, load(seat))

        with self.context.chosen(True):
            draw = core.Draw(node.element, node.domain)
            self.queries.passing(w, draw, conditions, None, env).each(w, each)
        judged.over()

    def _judge(self, counters: Counters, site: int, seat: int) -> tuple[Writer, _Judging]:
        w = Writer(self.context.program.add(Function(f"refused_{site}", [], None)))
        before = w.variable(load(CHOOSER))
        w.store(CHOOSER, load(seat))
        return w, _Judging(counters, w, seat, before, w.variable(MOST_JUDGED))

    def _requires(self, offer: core.Offer) -> bool:
        return bool(offer.requirements or self.offers.action(offer).requirements)

    def _arranger(self, w: Writer) -> Choose:
        def choose(at: int, whole: SetCode, of: Type, one: Callable[[Code], None]) -> None:  # noqa: ARG001
            self.offers.indistinguishable.arranged(w, whole, of, "viewer").each(w, one)

        return choose

    def list_values(self, site: int, node: core.ChooseValue, env: Env, seat: int) -> None:
        w = self.lister(seat, f"options_{site}")
        with self.context.chosen(True):
            self.offers.mark_named(w, [node.domain.type])
            w.set("from", "end")
            pieces = [self.offers.indistinguishable.mergeable(node.domain.type)]
            self.piece_mask = self.mask_of([node.domain.type])
            several = takes_several(node)

            whole = self.values_offered(w, node, env)
            whole = self.offers.indistinguishable.arranged(w, whole, node.domain.type, "viewer")
            whole.each(w, lambda x: self.append(w, 0, [w.once(x)], pieces, counted=several))
            if node.how_many.word == "optional":
                self.append(
                    w, 0, [none_of(category(element_of(node.domain.type)))], [False], counted=False
                )
            self.listed_all(w)

    def values_offered(self, w: Writer, node: core.ChooseValue, env: Env) -> SetCode:
        """What may be chosen."""
        conditions = [] if node.where is None else conjuncts(node.where)
        conditions.extend(each.condition for each in node.requirements)
        return self.queries.passing(w, core.Draw(node.element, node.domain), conditions, None, env)


@attrs.frozen
class _Judging:
    """Writes what is done for each value that might be chosen, whether it may be or not."""

    counters: Counters
    w: Writer
    seat: int
    """the cell with who chooses"""
    before: str
    """who chose before"""
    left: str
    """values that are still tried"""

    def one_more(self) -> None:
        self.w.set(self.left, sub(self.left, 1))
        with self.w.when(op("i32.lt_s", self.left, 0)):
            self.over()
            self.w.give_back()

    def refused(self, requirement: core.Require) -> None:
        number = self.counters.number(Counter("refused", "", requirement.span))
        self.counters.note_seat(self.w, number, load(self.seat))

    def over(self) -> None:
        self.w.store(CHOOSER, self.before)


def takes_several(node: core.ChooseValue | core.ChooseAction) -> bool:
    """Whether a decision is made pick after pick."""
    return isinstance(node, core.ChooseValue) and node.how_many.word not in ("one", "optional")
