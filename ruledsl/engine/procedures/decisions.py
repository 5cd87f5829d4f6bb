"""Decisions: asking, and carrying out what was chosen."""

from __future__ import annotations

from collections.abc import Callable

import attrs

from ruledsl.engine.choices.candidates import MOST_CANDIDATES, VALUES
from ruledsl.engine.choices.choices import Choices
from ruledsl.engine.choices.listing import takes_several
from ruledsl.engine.code.instructions import (
    Code,
    Writer,
    add,
    both,
    cell_at,
    eq,
    item,
    load,
    mul,
    ne,
    no,
    op,
)
from ruledsl.engine.context import STOPPED, Context, Part
from ruledsl.engine.counters import Counter, has_lines
from ruledsl.engine.effects.effects import Effects
from ruledsl.engine.expressions.environment import Env, Expressions
from ruledsl.engine.memory.control import (
    ASK_ALWAYS,
    CANDIDATES,
    CHOICES,
    CHOOSER,
    DRAWN_FROM,
    FRESH,
    GROUPS,
    MODE,
    NOTEWORTHY,
    OPTIONS_SEEN,
    QUICK,
    RANDOM,
    STOPS,
)
from ruledsl.engine.memory.layout import category, element_of, none_of
from ruledsl.engine.procedures.frames import (
    Frames,
    Machine,
    Scope,
)
from ruledsl.engine.procedures.resumable import ResumableStatements
from ruledsl.engine.procedures.steps_and_actions import StepsAndActions
from ruledsl.engine.procedures.straight import StraightStatements
from ruledsl.engine.procedures.triggers import Triggers
from ruledsl.engine.sets.basic import SetCode
from ruledsl.engine.sets.derived import Guarded
from ruledsl.engine.sets.shapes import MANY
from ruledsl.engine.sets.stored import Listed
from ruledsl.model import core
from ruledsl.model.game import ActionInfo
from ruledsl.model.types import SetType, Type
from ruledsl.table import mishaps

MOST_DRAWS = 40
"""How often somebody who does without something draws again before he gives in."""


@attrs.frozen
class Picks:
    """The cells that tell what was picked so far in a decision of several picks."""

    at: int
    """the option of the last pick; picks never go back in their order"""
    taken: int
    """how many were picked of that option"""
    picked: int
    """how many were picked at all"""
    numbers: int
    """a cell for each option: how many were picked of it"""


class Decisions(Part):
    """Lowers the two forms of `choose`."""

    def __init__(
        self,
        context: Context,
        expressions: Expressions,
        effects: Effects,
        choices: Choices,
        frames: Frames,
        straight: StraightStatements,
        resumable: ResumableStatements,
        triggers: Triggers,
        steps: StepsAndActions,
    ) -> None:
        super().__init__(context)
        self.expressions = expressions
        self.effects = effects
        self.choices = choices
        self.frames = frames
        self.straight = straight
        self.resumable = resumable
        self.triggers = triggers
        self.steps = steps

    # ------------------------------------------------------------ asking

    def _arrive(
        self, m: Machine, node: core.ChooseValue | core.ChooseAction, env: Env, scope: Scope
    ) -> tuple[int, int, int]:
        """Come to a decision; returns its site, the cell of its seat, and the resume point."""
        w = m.w
        site = len(self.choices.sites.decisions)
        self.choices.sites.decisions.append(node)
        self.effects.slots.count_decision(w, scope.leave)
        self.effects.slots.stop_endless(w)
        seat = self.frames.own_cell(m.frame, node, "seat")
        w.store(
            seat,
            self.context.someone(w, self.context.you(w), node.span)
            if node.by is None
            else self.expressions.value(w, node.by, env),
        )
        w.store(FRESH, 0)
        point = self.frames.stop_here(m, env, node.depth)
        return site, seat, point

    def _ask(self, m: Machine, site: int, seat: int, number: Code) -> Code:
        """The number of the option chosen; a single one is taken without asking."""
        w = m.w
        chosen = w.variable(0)
        several = op("i32.gt_s", number, 1)
        with w.when(several):
            self.context.refuel(w)
        with w.when(("i32.or", several, load(ASK_ALWAYS))):
            self.effects.seeing.know_stop(w)
            w.set(chosen, ("call", "decide", load(seat), site, number))
            with w.when(op("i32.lt_s", chosen, 0)):
                w.give_back(STOPPED)
            w.store(STOPS, add(load(STOPS), 1))
        self._count_decision(w, site, seat, number)
        return chosen

    def _count_decision(self, w: Writer, site: int, seat: int, number: Code) -> None:
        """Somebody decided among so many: count it, and look around in some of the games."""
        counters = self.context.counters
        if counters is None:
            return
        with w.when(load(counters.listed)):
            counters.asked(w, number, load(seat))
            self._judge(w, site)
            if has_lines(self.game):
                with w.when(both(op("i32.gt_s", number, 1), load(counters.watching))):
                    w.emit("do", ("call", "note_leader"))
            with w.when(op("i32.le_s", number, 1)):
                counters.happened(w, Counter("forced", "", self.choices.sites.decisions[site].span))
        with w.otherwise():
            counters.decided(w, load(seat))

    def _judge(self, w: Writer, site: int) -> None:
        """Count what refuses values, in some of the games: it may leave one option, or none."""
        counters = self.context.counters
        if counters is not None and f"refused_{site}" in self.context.program.functions:
            with w.when(load(counters.judging)):
                w.emit("do", ("call", f"refused_{site}"))

    def _do_without(
        self,
        m: Machine,
        site: int,
        node: core.ChooseAction | core.ChooseValue,
        entry: Code,
        seat: int,
    ) -> None:
        """Draw again, as long as a seat that does without something would use it."""
        counters = self.context.counters
        if counters is None:
            return
        barred = self.context.function(f"barred_{site}", "entry")
        if isinstance(node, core.ChooseValue):
            barred.give_back(counters.is_barred_value(node, 0, load("entry", VALUES)))
        for at, offer in enumerate(node.offers if isinstance(node, core.ChooseAction) else ()):
            info = self.game.actions[offer.action]
            values = [load("entry", VALUES + 4 * pick) for pick in range(len(info.picks))]
            with barred.when(eq(load("entry"), at)):
                barred.give_back(counters.is_barred(info, values))
        barred.give_back(0)
        w = m.w
        assert isinstance(entry, str)
        restricted = eq(load(seat), load(counters.barred_seat))
        again = ("call", "take", ("call", "mind_below", load(GROUPS)))
        with w.when(both(restricted, eq(load(MODE), RANDOM))):
            drawing, barred_entry = w.counting(0, MOST_DRAWS), ("call", f"barred_{site}", entry)
            with drawing, w.when(barred_entry):
                w.set(entry, again)

    def _count_taken(self, w: Writer, info: ActionInfo, entry: Code, seat: int) -> None:
        """An action is carried out, with these values."""
        counters = self.context.counters
        if counters is None:
            return
        taken = counters.number(Counter("action", info.key, info.span))
        counters.note_seat(w, taken, load(seat))
        for at in range(len(info.picks)):
            counters.picked(w, info, at, load(entry, VALUES + 4 * at), load(seat))

    def _entry(self, m: Machine, site: int, seat: int, nothing: int, quick: str | None) -> Code:
        """The candidate that was chosen, drawn quickly if nobody wants to know the options."""
        w = m.w
        entry = w.variable(0)
        mode = w.once(load(MODE))
        if quick is not None:
            with w.when(eq(("i32.and", mode, QUICK), QUICK)):
                w.set(entry, ("call", quick))
                if site in self.choices.sites.unsure:
                    with w.when(entry):
                        self._note_stop(w)
                        if self.context.counters is not None:
                            self.context.counters.decided(w, load(seat))
                else:
                    with w.when(no(entry)):
                        self._judge(w, site)
                    m.go_if(no(entry), nothing)
                    number = w.once(load(DRAWN_FROM))
                    with w.when(op("i32.gt_s", number, 1)):
                        self._note_stop(w)
                        w.store(CHOICES, add(load(CHOICES), 1))
                        w.store(OPTIONS_SEEN, add(load(OPTIONS_SEEN), number))
                    self._count_decision(w, site, seat, number)
        with w.when(no(entry)):
            with w.when(no(load(FRESH))):
                w.emit("do", ("call", f"options_{site}"))
            number = w.once(load(GROUPS))
            with w.when(no(number)):
                self._judge(w, site)
            m.go_if(no(number), nothing)
            chosen = self._ask(m, site, seat, number)
            w.store(FRESH, 0)
            w.set(entry, ("call", "take", chosen))
        with w.when(("i32.and", mode, NOTEWORTHY)):
            w.set(entry, ("call", "noted", entry))
        return entry

    def _note_stop(self, w: Writer) -> None:
        """Somebody has decided: what follows has time of its own."""
        self.context.refuel(w)
        w.store(STOPS, add(load(STOPS), 1))

    # ------------------------------------------------------------ actions

    def choose_action(self, m: Machine, node: core.ChooseAction, env: Env, scope: Scope) -> None:
        w = m.w
        site, seat, _ = self._arrive(m, node, env, scope)
        self.choices.listing.list_actions(site, node, env, seat)
        if self.context.counters is not None:
            self.choices.listing.count_refusals(self.context.counters, site, node, env, seat)
        after, nothing = m.block(), m.block()
        entry = self._entry(
            m, site, seat, nothing, self.choices.drawing.draw_action(site, node, env, seat)
        )
        self._do_without(m, site, node, entry, seat)
        kind = w.once(load(entry))
        for at, offer in enumerate(node.offers):
            info = self.game.actions[offer.action]
            other = m.block()
            if at < len(node.offers) - 1:
                m.go_if(ne(kind, at), other)
            self._count_taken(w, info, entry, seat)
            self._run_action(m, info, entry, seat, env, node.depth, scope)
            m.goto(after)
            m.start(other)
        w.emit("trap")
        m.start(nothing)
        w.store(FRESH, 0)
        if node.otherwise is None:
            self.context.fail(w, mishaps.NOTHING_LEGAL, node.span)
        else:
            self.resumable.block(m, node.otherwise, env, scope)
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
        name = self.steps.action_function(info, scope.setting)
        values = [load(entry, VALUES + 4 * at) for at in range(len(info.picks))]
        if not self.frames.stops("action", info.key, scope.setting):
            status = w.variable(("call", name, load(seat), *values))
            self.straight.pass_on(w, status, scope)
            return
        frame = self.frames.frame("action", info.key, scope.setting)
        for draw, value in zip(info.picks, values, strict=True):
            w.store(self.frames.cell(frame, draw.local.number), value)
        w.store(self.frames.own_cell(frame, info, "seat"), load(seat))
        w.store(frame.resume, 0)
        self.frames.stop_here(m, env, depth)
        self.resumable.call_stopping(m, name, scope)

    def _run_inline(
        self, m: Machine, info: ActionInfo, entry: Code, seat: int, env: Env, scope: Scope
    ) -> None:
        """An action written on the spot shares the names around it."""
        w = m.w
        before = self.frames.own_cell(m.frame, info, "before")
        self.context.spend(w, info.body, info.span)
        inner = dict(env)
        self.frames.note_types(info.picks)
        for at, draw in enumerate(info.picks):
            of = element_of(draw.domain.type)
            value = load(entry, VALUES + 4 * at)
            inner[draw.local.number] = self.frames.keep_local(w, m.frame, draw.local, of, value)
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
        inner_scope = Scope(scope.setting, ends, leave)
        for let in self.steps.needed_lets(info):
            self.resumable.between(m, let, inner, inner_scope)
        self.resumable.block(m, info.body, inner, inner_scope)
        m.goto(end)
        m.start(end)
        w.store(CHOOSER, load(before))
        triggers = self.frames.applicable(info.name) if scope.setting == "main" else ()
        if triggers:
            function = self.triggers.checkpoint_function(triggers)
            if self.triggers.stops_at(triggers):
                w.store(self.triggers.checkpoint_frame(triggers).resume, 0)
                self.frames.stop_here(m, env, 0)
            self.straight.pass_on(w, w.variable(("call", function)), scope)

    # ------------------------------------------------------------ values

    def choose_value(self, m: Machine, node: core.ChooseValue, env: Env, scope: Scope) -> None:
        w = m.w
        picks = self._no_picks(m, node) if takes_several(node) else None
        site, seat, point = self._arrive(m, node, env, scope)
        self.choices.listing.list_values(site, node, env, seat)
        after, nothing = m.block(), m.block()
        if picks is not None:
            with w.when(no(load(FRESH))):
                w.emit("do", ("call", f"options_{site}"))
            self._choose_several(m, node, env, site, seat, point, picks, nothing)
        else:
            if self.context.counters is not None:
                self.choices.listing.count_values_refused(
                    self.context.counters, site, node, env, seat
                )
            entry = self._entry(
                m, site, seat, nothing, self.choices.drawing.draw_value(site, node, env, seat)
            )
            self._do_without(m, site, node, entry, seat)
            if self.context.counters is not None:
                self.context.counters.picked(w, node, 0, load(entry, VALUES), load(seat))
            self._give(m, node, load(entry, VALUES), env)
        m.goto(after)
        m.start(nothing)
        w.store(FRESH, 0)
        if node.otherwise is not None:
            self.resumable.block(m, node.otherwise, env, scope)
            if isinstance(node.target, core.Local):
                of = _target_type(node)
                if category(of) != "set":
                    self.frames.keep_local(w, m.frame, node.target, of, none_of(category(of)))
                else:
                    chosen = env[node.target.number]
                    assert isinstance(chosen, SetCode)
                    there = self.frames.cell(m.frame, node.target.number, "there")
                    w.store(there, 0)
                    env[node.target.number] = Guarded(load(there), chosen)
            m.goto(after)
        else:
            self.context.fail(w, mishaps.NOTHING_LEGAL, node.span)
        m.start(after)

    def _most_options(self, node: core.ChooseValue) -> int:
        span = self.layout.span_in(node.domain.type)
        return MANY if span is None else span[1]

    def _no_picks(self, m: Machine, node: core.ChooseValue) -> Picks:
        """Cells for the picks of a decision; none is made yet."""
        w = m.w
        at, taken, picked = (
            self.frames.own_cell(m.frame, node, name) for name in ("at", "taken", "made")
        )
        for address in (at, taken, picked):
            w.store(address, 0)
        most = self._most_options(node)
        numbers = self.frames.own_cell(m.frame, node, "numbers", most)
        with w.counting(0, most) as option:
            w.store(cell_at(numbers, option), 0)
        return Picks(at, taken, picked, numbers)

    def _give(self, m: Machine, node: core.ChooseValue, value: Code | SetCode, env: Env) -> None:
        """Store what was chosen."""
        w = m.w
        target = node.target
        if isinstance(target, core.Local):
            of = _target_type(node)
            env[target.number] = self.frames.keep_local(w, m.frame, target, of, value)
            if isinstance(value, SetCode) and node.otherwise is not None:
                w.store(self.frames.cell(m.frame, target.number, "there"), 1)
        elif isinstance(value, SetCode):
            self.effects.slots.assign_set(w, target, value, env, node)
        else:
            self.effects.slots.assign(w, target, value, env, node)

    def _choose_several(
        self,
        m: Machine,
        node: core.ChooseValue,
        env: Env,
        site: int,
        seat: int,
        point: int,
        picks: Picks,
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
            amount = w.once(self.expressions.number(w, node.how_many.amount, env))
            amount = w.once(("select", amount, 0, op("i32.gt_s", amount, 0)))
            amount = w.once(("select", amount, total, op("i32.lt_s", amount, total)))
        least: Code = {"any": 0, "some": 1, "exactly": amount, "up to": 0}[word]
        most: Code = {"any": total, "some": total, "exactly": amount, "up to": amount}[word]
        finished = m.block()
        m.go_if(op("i32.ge_s", load(picks.picked), most), finished)
        arguments = (load(picks.at), load(picks.taken), load(picks.picked), least)
        number = w.once(("call", "pick_options", *arguments))
        m.go_if(no(number), finished)
        chosen = w.variable(self._ask(m, site, seat, number))
        with w.when(("i32.and", load(MODE), NOTEWORTHY)):
            w.set(chosen, ("call", "noted_number", chosen))
        group = w.once(("call", "pick_class", *arguments, chosen))
        m.go_if(op("i32.lt_s", group, 0), finished)
        same = eq(group, load(picks.at))
        w.store(picks.taken, ("select", add(load(picks.taken), 1), 1, same))
        w.store(picks.at, group)
        here = w.once(add(mul(group, 4), picks.numbers))
        w.store(here, add(load(here), 1))
        w.store(picks.picked, add(load(picks.picked), 1))
        m.goto(point)
        m.start(finished)
        # The options are still in memory: nothing was changed since they were listed.
        found = self.layout.list_memory(MOST_CANDIDATES)
        w.store(found, 0)
        w.emit("do", ("call", "take_several", picks.numbers, found))
        counters = self.context.counters
        if counters is not None:
            with w.counting(0, load(found)) as each:
                counters.picked(w, node, 0, item(found, each), load(seat))
        w.store(FRESH, 0)
        span = self.layout.span_in(node.domain.type)
        self._give(m, node, Listed(found, self._most_options(node), True, span, live=True), env)


def _target_type(node: core.ChooseValue) -> Type:
    """The type of what is chosen."""
    of = element_of(node.domain.type)
    return SetType(of) if takes_several(node) else of
