"""Decisions as code: listing the options, asking, and carrying out what was chosen."""

from __future__ import annotations

from collections.abc import Callable

from ruledsl.engine.code import (
    Code,
    Function,
    Width,
    Writer,
    add,
    both,
    eq,
    load,
    load64,
    mul,
    ne,
    no,
    op,
    sub,
)
from ruledsl.engine.layout import (
    ASK_ALWAYS,
    CANDIDATES,
    CHOOSER,
    DECISIONS,
    FRESH,
    GENERATOR,
    GROUPS,
    HOW,
    MODE,
    STOPS,
    VECTOR,
    WON,
    category,
    none_of,
)
from ruledsl.engine.legality import MOST_CANDIDATES
from ruledsl.engine.procedures import STOPPED, Machine, Scope
from ruledsl.engine.quick import QUICK, QuickChoices
from ruledsl.engine.sets import WORD, Filtered, Guarded, Listed, SetCode, Words
from ruledsl.engine.values import Env
from ruledsl.model import core
from ruledsl.model.game import ActionInfo
from ruledsl.model.types import SetType, Type, plain
from ruledsl.model.walk import walk


class Choices(QuickChoices):
    """Lowers the two forms of `choose`, and choosing together."""

    def prepare_choices(self) -> None:
        self.piece_mask = 0
        self.decisions: list[core.ChooseValue | core.ChooseAction] = []
        """the statements that ask, by the number of their site"""
        decisions = sum(
            isinstance(part, core.ChooseValue | core.ChooseAction)
            for block in self._blocks()
            for part in walk(block)
        )
        # A decision may be lowered twice: where triggers are tried, and where they are not.
        self.most_sites = 2 * decisions
        self.failures = self.layout.scratch(4 * self.most_sites)

    # ------------------------------------------------------------ listing

    def _seat_cell(self, m: Machine, site: int) -> int:
        return self.cell(m.frame, 20_000 + site, "seat")

    def _seat(self, m: Machine, by: core.Expr | None, env: Env) -> Code:
        if by is not None:
            return self.value(m.w, by, env)
        return self.you(m.w)

    def _lister(self, seat: int, name: str, *, exported: bool = False) -> Writer:
        """A function that lists candidates for the seat in a cell."""
        result: Width | None = "i32" if exported else None
        w = Writer(self.program.add(Function(name, [], result, exported=exported)))
        w.function.locals["viewer"] = "i32"
        w.set("viewer", sub(load(seat), self.layout.first_player))
        for local in ("end", "group", "from", "before"):
            w.function.locals[local] = "i32"
        w.set("end", self.options)
        w.set("before", load(CHOOSER))
        w.store(CHOOSER, load(seat))
        return w

    def _listed_all(self, w: Writer) -> None:
        w.store(CHOOSER, "before")
        w.store(GROUPS, "group")
        count = ("i32.div_u", sub("end", self.options), self.stride)
        w.store(CANDIDATES, count)
        w.store(FRESH, 1)
        w.give_back()

    def _append(
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
        with w.when(op("i32.ge_u", "end", self.options + self.stride * MOST_CANDIDATES)):
            self.fail(w, "size", "there is too much to choose from", None)
        w.store("end", offer)
        merged = sum(1 << at for at, piece in enumerate(pieces) if piece)
        w.store("end", merged | self.piece_mask << 16, 8)
        for at, value in enumerate(values):
            w.store("end", value, 12 + 4 * at)
        for at in range(len(values), self.width):
            w.store("end", 0, 12 + 4 * at)  # So that equal candidates have equal cells.
        if not any(pieces):
            w.store("end", "group", 4)
            if counted:
                w.store(add(mul("group", 4), self.sizes), 1)
            w.set("group", add("group", 1))
        else:
            own = w.variable("group")
            other = w.variable("from")
            with w.loop() as label:
                w.leave_if(label, op("i32.ge_u", other, "end"))
                same: Code = 1
                for at, piece in enumerate(pieces):
                    if not piece:
                        same = both(same, eq(load("end", 12 + 4 * at), load(other, 12 + 4 * at)))
                matched = w.variable(same)
                for at, piece in enumerate(pieces):
                    if piece:
                        pair = (load("end", 12 + 4 * at), load(other, 12 + 4 * at))
                        with w.when(matched):
                            w.set(matched, ("call", "alike", "viewer", *pair))
                with w.when(matched):
                    w.set(own, load(other, 4))
                    w.leave(label)
                w.set(other, add(other, self.stride))
            w.store("end", own, 4)
            size = add(mul(own, 4), self.sizes)
            with w.when(eq(own, "group")):
                if counted:
                    w.store(size, 0)
                w.set("group", add("group", 1))
                if unique:
                    w.set("end", add("end", self.stride))
            if counted:
                w.store(size, add(load(size), 1))
            if unique:
                return
        w.set("end", add("end", self.stride))

    def mask_of(self, domains: list[Type]) -> int:
        """A bit for each value that is a piece."""
        return sum(1 << at for at, of in enumerate(domains) if self._pieces_in(of))

    def _mark(self, w: Writer, domains: list[Type]) -> None:
        """Find the pieces that are named somewhere, before alike ones are looked for."""
        if any(self.mergeable(of) for of in domains):
            w.emit("do", ("call", "mark_apart", "viewer"))

    def _list_actions(self, site: int, node: core.ChooseAction, env: Env, seat: int) -> None:
        w = self._lister(seat, f"options_{site}")
        outer, self.chooser_set = self.chooser_set, True
        self._mark(
            w, [d.domain.type for o in node.offers for d in self.game.actions[o.action].picks]
        )
        for number, offer in enumerate(node.offers):
            info = self.game.actions[offer.action]
            w.set("from", "end")
            fixed = self._fixed(w, offer, env)
            self.piece_mask = self.mask_of([draw.domain.type for draw in info.picks])
            pieces = [self.mergeable(draw.domain.type) for draw in info.picks]

            def chosen(
                inner: Env,  # noqa: ARG001
                values: list[Code],
                offer: core.Offer = offer,
                number: int = number,
                pieces: list[bool] = pieces,
            ) -> None:
                with w.block() as skip:
                    around = dict(env)
                    for local, value in zip(offer.locals, values, strict=True):
                        around[local.number] = value
                    for requirement in offer.requirements:
                        w.leave_if(skip, no(self.condition(w, requirement.condition, around)))
                    self._append(w, number, values, pieces, counted=False)

            start = env if info.inline else {}
            self.legal(w, info, fixed, start, self._arranger(w), chosen)
        self._listed_all(w)
        self.chooser_set = outer

    def _fixed(self, w: Writer, offer: core.Offer, env: Env) -> list[Code | None]:
        """The values of an offer that are given."""
        fixed: list[Code | None] = []
        for argument, draw in zip(
            offer.arguments, self.game.actions[offer.action].picks, strict=True
        ):
            of = plain(draw.domain.type)
            assert isinstance(of, SetType)
            kind = category(of.element)
            fixed.append(None if argument is None else w.once(self.value(w, argument, env, kind)))
        return fixed

    def _arranger(self, w: Writer) -> Callable[[int, SetCode, Type, Callable[[Code], None]], None]:
        def choose(at: int, whole: SetCode, of: Type, one: Callable[[Code], None]) -> None:  # noqa: ARG001
            self.arranged(w, whole, of, "viewer").each(w, one)

        return choose

    def _list_values(self, site: int, node: core.ChooseValue, env: Env, seat: int) -> None:
        w = self._lister(seat, f"options_{site}")
        outer, self.chooser_set = self.chooser_set, True
        self._mark(w, [node.domain.type])
        w.set("from", "end")
        number = node.element.number
        of = plain(node.domain.type)
        assert isinstance(of, SetType)
        pieces = [self.mergeable(node.domain.type)]
        self.piece_mask = self.mask_of([node.domain.type])
        several = node.how_many.word not in ("one", "optional")

        def passes(w: Writer, x: Code) -> Code:
            inner = {**env, number: x}
            found = w.variable(1)
            with w.block() as label:
                conditions = [] if node.where is None else [node.where]
                conditions.extend(each.condition for each in node.requirements)
                for condition in conditions:
                    with w.when(no(self.condition(w, condition, inner))):
                        w.set(found, 0)
                        w.leave(label)
            return found

        whole: SetCode = self.set(w, node.domain, env)
        if node.where is not None or node.requirements:
            whole = Filtered(whole, passes, None)
        whole = self.arranged(w, whole, node.domain.type, "viewer")
        whole.each(w, lambda x: self._append(w, 0, [w.once(x)], pieces, counted=several))
        if node.how_many.word == "optional":
            self._append(w, 0, [none_of(category(of.element))], [False], counted=False)
        self._listed_all(w)
        self.chooser_set = outer

    # ------------------------------------------------------------ asking

    def _arrive(
        self, m: Machine, node: core.ChooseValue | core.ChooseAction, env: Env, scope: Scope
    ) -> tuple[int, int, int]:
        """Come to a decision; returns its site, the cell of its seat, and the resume point."""
        w = m.w
        site = len(self.decisions)
        self.decisions.append(node)
        self.count_decision(w, scope.leave)
        seat = self._seat_cell(m, site)
        w.store(seat, self._seat(m, node.by, env))
        w.store(FRESH, 0)
        point = self.stop_here(m, env, node.depth)
        return site, seat, point

    def _ask(self, m: Machine, site: int, seat: int, number: Code) -> Code:
        """The number of the option chosen; a single one is taken without asking."""
        w = m.w
        chosen = w.variable(0)
        several = op("i32.gt_s", number, 1)
        with w.when(("i32.or", several, load(ASK_ALWAYS))):
            self.know_stop(w)
            w.set(chosen, ("call", "decide", load(seat), site, number))
            with w.when(op("i32.lt_s", chosen, 0)):
                w.give_back(STOPPED)
            w.store(STOPS, add(load(STOPS), 1))
        return chosen

    def _entry(self, m: Machine, site: int, seat: int, nothing: int, quick: str | None) -> Code:
        """The candidate that was chosen, drawn quickly if nobody wants to know the options."""
        w = m.w
        entry = w.variable(0)
        if quick is not None:
            with w.when(eq(load(MODE), QUICK)):
                w.set(entry, ("call", quick))
                with w.when(entry):
                    w.store(STOPS, add(load(STOPS), 1))
        with w.when(no(entry)):
            with w.when(no(load(FRESH))):
                w.emit("do", ("call", f"options_{site}"))
            number = w.once(load(GROUPS))
            m.go_if(no(number), nothing)
            chosen = self._ask(m, site, seat, number)
            w.store(FRESH, 0)
            w.set(entry, ("call", "take", chosen))
        return entry

    def choose_action(self, m: Machine, node: core.ChooseAction, env: Env, scope: Scope) -> None:
        w = m.w
        site, seat, _ = self._arrive(m, node, env, scope)
        self._list_actions(site, node, env, seat)
        after, nothing = m.block(), m.block()
        entry = self._entry(m, site, seat, nothing, self.draw_action(site, node, env, seat))
        kind = w.once(load(entry))
        for at, offer in enumerate(node.offers):
            info = self.game.actions[offer.action]
            other = m.block()
            if at < len(node.offers) - 1:
                m.go_if(ne(kind, at), other)
            self._run_action(m, info, entry, seat, env, node.depth, scope)
            m.goto(after)
            m.start(other)
        w.emit("trap")
        m.start(nothing)
        w.store(FRESH, 0)
        if node.otherwise is None:
            self.fail(w, "stuck", "a choice must be made, but nothing is legal", node.span)
        else:
            self.block(m, node.otherwise, env, scope)
            m.goto(after)
        m.start(after)

    def _run_action(
        self,
        m: Machine,
        info: ActionInfo,
        entry: Code,
        seat: int,
        env: Env,
        depth: int,
        scope: Scope,
    ) -> None:
        w = m.w
        if info.inline:
            self._run_inline(m, info, entry, seat, env, scope)
            return
        name = self.action_function(info, scope.context)
        values = [load(entry, 12 + 4 * at) for at in range(len(info.picks))]
        if not self.stops("action", info.key, scope.context):
            status = w.variable(("call", name, load(seat), *values))
            self.pass_on(w, status, scope)
            return
        frame = self.frame("action", info.key, scope.context)
        for draw, value in zip(info.picks, values, strict=True):
            w.store(self.cell(frame, draw.local.number), value)
        w.store(self.cell(frame, -2, "seat"), load(seat))
        w.store(frame.resume, 0)
        self.stop_here(m, env, depth)
        self.call_stopping(m, name, scope)

    def _run_inline(
        self, m: Machine, info: ActionInfo, entry: Code, seat: int, env: Env, scope: Scope
    ) -> None:
        """An action written on the spot shares the names around it."""
        w = m.w
        before = self.cell(m.frame, 30_000 + len(self.decisions) * 100 + info.span.line, "before")
        inner = dict(env)
        self.bind_picks(info)
        for at, draw in enumerate(info.picks):
            of = plain(draw.domain.type)
            assert isinstance(of, SetType)
            value = load(entry, 12 + 4 * at)
            inner[draw.local.number] = self.keep_local(w, m.frame, draw.local, of.element, value)
        w.store(before, load(CHOOSER))
        w.store(CHOOSER, load(seat))
        end = m.block()

        def leave(status: Code) -> None:
            with w.when(ne(status, STOPPED)):
                w.store(CHOOSER, load(before))
            scope.leave(status)

        def restoring(out: Callable[[], None]) -> Callable[[], None]:
            def restore() -> None:
                w.store(CHOOSER, load(before))
                out()

            return restore

        ends = {name: restoring(out) for name, out in scope.ends.items()}
        ends[info.name] = lambda: m.goto(end)
        inner_scope = Scope(scope.context, ends, leave)
        for let in self.needed_lets(info):
            self._between(m, let, inner, inner_scope)
        self.block(m, info.body, inner, inner_scope)
        m.goto(end)
        m.start(end)
        w.store(CHOOSER, load(before))
        triggers = self.applicable(info.name) if scope.context == "main" else ()
        if triggers:
            function = self.checkpoint_function(triggers)
            if any(self.stops("trigger", each, "quiet") for each in triggers):
                w.store(self.checkpoint_frame(triggers).resume, 0)
                self.stop_here(m, env, 0)
            self.pass_on(w, w.variable(("call", function)), scope)

    def choose_value(self, m: Machine, node: core.ChooseValue, env: Env, scope: Scope) -> None:
        w = m.w
        several = node.how_many.word not in ("one", "optional")
        picks: dict[str, int] = {}
        if several:
            number = 40_000 + len(self.decisions)
            for name in ("at", "taken", "picked"):
                picks[name] = self.cell(m.frame, number, name)
                w.store(picks[name], 0)
            span = self._class_bound(node)
            picks["numbers"] = self.cell(m.frame, number, "numbers", span)
            with w.counting(0, span) as each:
                w.store(add(mul(each, 4), picks["numbers"]), 0)
        site, seat, point = self._arrive(m, node, env, scope)
        self._list_values(site, node, env, seat)
        after, nothing = m.block(), m.block()
        if several:
            with w.when(no(load(FRESH))):
                w.emit("do", ("call", f"options_{site}"))
            self._choose_several(m, node, env, site, seat, point, picks, nothing)
        else:
            entry = self._entry(m, site, seat, nothing, self.draw_value(site, node, env, seat))
            self._give(m, node, load(entry, 12), env)
        m.goto(after)
        m.start(nothing)
        w.store(FRESH, 0)
        if node.otherwise is not None:
            self.block(m, node.otherwise, env, scope)
            if isinstance(node.target, core.Local):
                of = self._target_type(node)
                if category(of) != "set":
                    self.keep_local(w, m.frame, node.target, of, none_of(category(of)))
                else:
                    chosen = env[node.target.number]
                    assert isinstance(chosen, SetCode)
                    there = self.cell(m.frame, node.target.number, "there")
                    w.store(there, 0)
                    env[node.target.number] = Guarded(load(there), chosen)
            m.goto(after)
        else:
            self.fail(w, "stuck", "a choice must be made, but nothing is legal", node.span)
        m.start(after)

    def _target_type(self, node: core.ChooseValue) -> Type:
        of = plain(node.domain.type)
        assert isinstance(of, SetType)
        several = node.how_many.word not in ("one", "optional")
        return SetType(of.element) if several else of.element

    def _class_bound(self, node: core.ChooseValue) -> int:
        of = plain(node.domain.type)
        assert isinstance(of, SetType)
        span = self.layout.span(of.element)
        return 256 if span is None else span[1]

    def _give(self, m: Machine, node: core.ChooseValue, value: Code | SetCode, env: Env) -> None:
        """Store what was chosen."""
        w = m.w
        target = node.target
        if isinstance(target, core.Local):
            of = self._target_type(node)
            env[target.number] = self.keep_local(w, m.frame, target, of, value)
            if isinstance(value, SetCode) and node.otherwise is not None:
                w.store(self.cell(m.frame, target.number, "there"), 1)
        elif isinstance(value, SetCode):
            self.assign_set(w, target, value, env)
        else:
            self.assign(w, target, value, env, node)

    def _choose_several(
        self,
        m: Machine,
        node: core.ChooseValue,
        env: Env,
        site: int,
        seat: int,
        point: int,
        picks: dict[str, int],
        nothing: int,
    ) -> None:
        """Pick after pick, never going back in the order; alike ones are taken by number."""
        w = m.w
        total = w.once(load(CANDIDATES))
        word = node.how_many.word
        if word in ("some", "exactly"):
            if word == "some" or node.otherwise is not None:
                m.go_if(no(total), nothing)
        amount: Code = 0
        if node.how_many.amount is not None:
            amount = w.once(self.number(w, node.how_many.amount, env))
            amount = w.once(("select", amount, 0, op("i32.gt_s", amount, 0)))
            amount = w.once(("select", amount, total, op("i32.lt_s", amount, total)))
        least: Code = {"any": 0, "some": 1, "exactly": amount, "up to": 0}[word]
        most: Code = {"any": total, "some": total, "exactly": amount, "up to": amount}[word]
        finished = m.block()
        m.go_if(op("i32.ge_s", load(picks["picked"]), most), finished)
        arguments = (load(picks["at"]), load(picks["taken"]), load(picks["picked"]), least)
        number = w.once(("call", "pick_options", *arguments))
        m.go_if(no(number), finished)
        chosen = self._ask(m, site, seat, number)
        group = w.once(("call", "pick_class", *arguments, chosen))
        m.go_if(op("i32.lt_s", group, 0), finished)
        same = eq(group, load(picks["at"]))
        w.store(picks["taken"], ("select", add(load(picks["taken"]), 1), 1, same))
        w.store(picks["at"], group)
        here = w.once(add(mul(group, 4), picks["numbers"]))
        w.store(here, add(load(here), 1))
        w.store(picks["picked"], add(load(picks["picked"]), 1))
        m.goto(point)
        m.start(finished)
        # The options are still in memory: nothing was changed since they were listed.
        found = self.layout.scratch(4 * (MOST_CANDIDATES + 2))
        w.store(found, 0)
        w.emit("do", ("call", "take_several", picks["numbers"], found))
        w.store(FRESH, 0)
        of = self._target_type(node)
        assert isinstance(of, SetType)
        span = self.layout.span(of.element)
        capacity = self._class_bound(node)
        self._give(m, node, Listed(found, capacity, True, span, live=True), env)

    def write_picking(self) -> None:
        """Functions for what was chosen among candidates."""
        params = [("at", "i32"), ("taken", "i32"), ("picked", "i32"), ("least", "i32")]
        for name in ("pick_options", "pick_class"):
            extra = [] if name == "pick_options" else [("chosen", "i32")]
            w = Writer(self.program.add(Function(name, [*params, *extra])))  # type: ignore[list-item]
            rest = w.variable(sub(0, "taken"))
            with w.counting("at", load(GROUPS)) as group:
                w.set(rest, add(rest, load(add(mul(group, 4), self.sizes))))
            number = w.variable(0)
            with w.counting("at", load(GROUPS)) as group:
                size = w.once(load(add(mul(group, 4), self.sizes)))
                left = w.variable(size)
                with w.when(eq(group, "at")):
                    w.set(left, sub(size, "taken"))
                enough = op("i32.ge_s", add("picked", rest), "least")
                with w.when(both(op("i32.gt_s", left, 0), enough)):
                    if extra:
                        with w.when(eq(number, "chosen")):
                            w.give_back(group)
                    w.set(number, add(number, 1))
                w.set(rest, sub(rest, left))
            if extra:
                w.give_back(-1)
            else:
                w.give_back(add(number, op("i32.ge_s", "picked", "least")))

        w = Writer(self.program.add(Function("take", [("group", "i32")])))
        entry = w.variable(self.options)
        with w.loop() as label:
            w.leave_if(label, eq(load(entry, 4), "group"))
            w.set(entry, add(entry, self.stride))
        mask = w.once(("i32.and", load(entry, 8), 0xFFFF))
        with w.when(no(mask)):
            w.give_back(entry)
        end = w.once(add(mul(load(CANDIDATES), self.stride), self.options))
        members = w.variable(0)
        differ = w.variable(0)
        other = w.variable(entry)
        with w.loop() as label:
            w.leave_if(label, op("i32.ge_u", other, end))
            with w.when(eq(load(other, 4), "group")):
                w.set(members, add(members, 1))
                for at in range(self.width):
                    with w.when(("i32.and", mask, 1 << at)):
                        pair = (load(entry, 12 + 4 * at), load(other, 12 + 4 * at))
                        with w.when(no(("call", "same", *pair))):
                            w.set(differ, 1)
            w.set(other, add(other, self.stride))
        with w.when(no(differ)):
            w.give_back(entry)
        left = w.variable(("call", "below", members))
        with w.loop() as label:
            with w.when(eq(load(entry, 4), "group")):
                w.leave_if(label, no(left))
                w.set(left, sub(left, 1))
            w.set(entry, add(entry, self.stride))
        w.give_back(entry)

        w = Writer(
            self.program.add(Function("take_several", [("numbers", "i32"), ("to", "i32")], None))
        )
        pieces = self.layout.scratch(4 * (MOST_CANDIDATES + 2))
        end = w.once(add(mul(load(CANDIDATES), self.stride), self.options))
        with w.counting(0, load(GROUPS)) as group:
            wanted = w.once(load(add(mul(group, 4), "numbers")))
            with w.when(wanted):
                entry = w.variable(self.options)
                count = w.variable(0)
                differ = w.variable(0)
                mask = w.variable(0)
                with w.loop() as label:
                    w.leave_if(label, op("i32.ge_u", entry, end))
                    with w.when(eq(load(entry, 4), group)):
                        value = w.once(load(entry, 12))
                        w.store(add(mul(count, 4), pieces), value)
                        w.set(mask, ("i32.and", load(entry, 8), 0xFFFF))
                        unlike = no(("call", "same", load(pieces), value))
                        with w.when(mask), w.when(unlike):
                            w.set(differ, 1)
                        w.set(count, add(count, 1))
                    w.set(entry, add(entry, self.stride))
                with w.when(both(differ, op("i32.lt_s", wanted, count))):
                    last = w.variable(sub(count, 1))
                    with w.loop() as label:
                        w.leave_if(label, op("i32.le_s", last, 0))
                        two = w.once(add(mul(("call", "below", add(last, 1)), 4), pieces))
                        one = w.once(add(mul(last, 4), pieces))
                        held = w.variable(load(one))
                        w.store(one, load(two))
                        w.store(two, held)
                        w.set(last, sub(last, 1))
                with w.counting(0, wanted) as first:
                    w.emit("do", ("call", "insert", "to", load(add(mul(first, 4), pieces))))

    # ------------------------------------------------------------ named pieces

    def write_mark_apart(self) -> None:
        """Find the pieces that a slot or a name in scope refers to, in order."""
        w = Writer(self.program.add(Function("mark_apart", [("viewer", "i32")], None)))
        number = w.variable(0)
        empty = self.layout.scratch(4 * (self.layout.pieces + 1))
        w.emit("copy", self.apart, empty, 4 * self.layout.pieces)

        def mark(x: Code) -> None:
            x = w.once(x)
            address = w.once(add(mul(x, 4), self.apart))
            is_piece = both(op("i32.ge_s", x, 0), op("i32.lt_s", x, self.layout.pieces))
            with w.when(is_piece), w.when(no(load(address))):
                w.set(number, add(number, 1))
                w.store(address, number)

        for key, info in self.game.states.items():
            slot = self.layout.states[key]
            inner = plain(info.type)
            element = inner.element if isinstance(inner, SetType) else inner
            if not self._names_pieces(element):
                continue
            with w.counting(0, slot.count) as at:
                address = w.once(add(mul(at, slot.stride), slot.base))
                seen: Code = 1
                if info.sight != "open":
                    seen = self.sees_state(w, key, w.once(add(at, slot.first)), "viewer")
                with w.when(seen):
                    if slot.words:
                        words = Words(address, slot.low, slot.words, slot.words * WORD)
                        words.each(w, mark)
                    else:
                        mark(load(address))
        for frame in self._frames.values():
            points = {
                point: names
                for point, names in frame.live.items()
                if any(self._may_name_pieces(of) for of, _ in names)
            }
            if not points:
                continue
            resume = w.once(load(frame.resume))
            for point, names in points.items():
                with w.when(eq(resume, point)):
                    for of, binding in names:
                        if not self._may_name_pieces(of):
                            continue
                        if isinstance(binding, SetCode):
                            binding.each(w, mark)
                        else:
                            mark(binding)

    def _may_name_pieces(self, of: Type) -> bool:
        inner = plain(of)
        return self._names_pieces(inner.element if isinstance(inner, SetType) else inner)

    def _names_pieces(self, of: Type) -> bool:
        kinds = self.layout.kinds_of(of)
        return any(k in self.game.kinds and self.game.kinds[k].sort == "piece" for k in kinds)

    # ------------------------------------------------------------ choosing together

    def act_together(self, m: Machine, node: core.Together, env: Env, scope: Scope) -> None:
        """Everybody acts on a copy of the same position; then all of it happens."""
        w = m.w
        number = 50_000 + node.span.line
        size = self.layout.table_end - VECTOR
        cells = -(-size // 8)
        copies = self.layout.players + 1
        base = self.cell(m.frame, number, "bits", cells * copies)
        players = self.cell(m.frame, number, "list", self.layout.players + 2)
        cursor = self.cell(m.frame, number, "cursor")
        whole = self.listed(w, self.set(w, node.domain, env))
        w.emit("copy", players, whole.address, mul(add(load(whole.address), 1), 4))
        self.know_stop(w)
        w.emit("copy", base, VECTOR, size)
        w.store(cursor, 0)
        head, after, done = m.block(), m.block(), m.block()
        m.goto(head)
        m.start(head)
        m.go_if(op("i32.ge_s", load(cursor), load(players)), after)
        player = load(add(mul(load(cursor), 4), players + 4))
        self._restore_table(w, base, size)
        inner = dict(env)
        of = plain(node.domain.type)
        assert isinstance(of, SetType)
        inner[node.local.number] = self.keep_local(w, m.frame, node.local, of.element, player)
        finish = m.block()

        def leave(status: Code) -> None:
            # Whoever ends the game takes back what was done together so far.
            with w.when(ne(status, STOPPED)):
                how, won = w.variable(load(HOW)), w.variable(load(WON))
                self._restore_table(w, base, size)
                w.store(HOW, how)
                w.store(WON, won)
            scope.leave(status)

        def back(out: Callable[[], None]) -> Callable[[], None]:
            def restore() -> None:
                self._restore_table(w, base, size)
                out()

            return restore

        ends = {name: back(out) for name, out in scope.ends.items()}
        inner_scope = Scope(scope.context, {**ends, "loop": lambda: m.goto(finish)}, leave)
        self.block(m, node.body, inner, inner_scope)
        m.goto(finish)
        m.start(finish)
        w.store(cursor, add(load(cursor), 1))
        mine = w.once(add(mul(load(cursor), cells * 8), base))
        w.emit("copy", mine, VECTOR, size)
        m.goto(head)
        m.start(after)
        self._restore_table(w, base, size)
        with w.counting(1, add(load(players), 1)) as at:
            self._merge(w, base, w.once(add(mul(at, cells * 8), base)))
        self.know_stop(w)
        m.goto(done)
        m.start(done)

    def _restore_table(self, w: Writer, base: Code, size: int) -> None:
        """Go back to the common position; chance and the number of decisions go on."""
        generator = w.variable(load64(GENERATOR), "i64")
        decisions = w.variable(load(DECISIONS))
        stops = w.variable(load(STOPS))
        w.emit("copy", VECTOR, base, size)
        w.store64(GENERATOR, generator)
        w.store(DECISIONS, decisions)
        w.store(STOPS, stops)

    def _merge(self, w: Writer, start: Code, mine: Code) -> None:
        """Bring into the position what one of several players changed."""
        layout = self.layout

        def in_copy(address: int, copy: Code) -> Code:
            return add(copy, address - VECTOR)

        moved = layout.scratch(4 * (layout.pieces + 2))
        for kind, at in layout.places.items():
            with w.counting(at.first, at.first + at.count) as place:
                count = w.variable(0)

                def note(piece: Code, place: Code = place, count: str = count) -> None:
                    piece = w.once(piece)
                    before = load(add(mul(piece, 4), in_copy(layout.place_of, start)))
                    with w.when(ne(before, place)):
                        w.set(count, add(count, 1))
                        w.store(add(mul(count, 4), moved), piece)

                self._in_copy(kind, mine, place, w, note)
                w.store(moved, count)
                with w.when(count):
                    self.touched(w, ("place", kind), *self._wherever(self._holds(kind)))
                    self._know_merged(w, moved, place)
                    w.emit("do", ("call", "move_quietly", moved, place))
        for key, slot in layout.states.items():
            self.touched(w, ("state", key))
            with w.counting(0, (slot.count * slot.stride) // 4) as cell:
                offset = w.once(mul(cell, 4))
                new = w.once(load(add(offset, in_copy(slot.base, mine))))
                with w.when(ne(new, load(add(offset, in_copy(slot.base, start))))):
                    w.store(add(offset, slot.base), new)

    def _holds(self, kind: str) -> list[str]:
        info = self.game.kinds[kind].place
        assert info is not None
        return list(info.holds)

    def _know_merged(self, w: Writer, moved: int, place: Code) -> None:
        with w.counting(0, load(moved)) as at:
            piece = w.once(load(add(mul(at, 4), moved + 4)))
            self.know_one_moving(w, piece, place)

    def _in_copy(
        self, kind: str, copy: Code, place: Code, w: Writer, body: Callable[[Code], None]
    ) -> None:
        """Go through what a place holds in a copy of the position."""
        at = self.layout.places[kind]
        address = w.once(add(at.address(place), sub(copy, VECTOR)))
        match at.form:
            case "cell":
                held = w.once(load(address))
                with w.when(op("i32.ge_s", held, 0)):
                    body(held)
            case "stack":
                Listed(address, at.capacity).each(w, body)
            case "bits":
                Words(address, at.low, at.words, at.words * WORD).each(w, body)

    def write_move_quietly(self) -> None:
        """Move pieces without anybody learning or forgetting more."""
        w = Writer(
            self.program.add(Function("move_quietly", [("list", "i32"), ("place", "i32")], None))
        )
        with w.counting(0, load("list")) as at:
            piece = w.once(load(add(add("list", mul(at, 4)), 4)))
            w.emit("do", ("call", "move", piece, "place", 0))
