"""What may be chosen, as code: loops over an action's parameters, and which choices are alike."""

from __future__ import annotations

from collections.abc import Callable

import attrs

from ruledsl.engine.code import (
    Code,
    Function,
    Writer,
    add,
    both,
    either,
    eq,
    load,
    load64,
    mul,
    ne,
    no,
    op,
    sub,
)
from ruledsl.engine.effects import Effects
from ruledsl.engine.layout import CHOOSER, category
from ruledsl.engine.sets import WORD, Bits, Listed, SetCode
from ruledsl.engine.values import Env, bound_in
from ruledsl.model import core
from ruledsl.model.game import ActionInfo
from ruledsl.model.types import SetType, Type, plain
from ruledsl.model.walk import walk
from ruledsl.play.knowledge import look

MOST_CANDIDATES = 1 << 15


class Legality(Effects):
    """Lowers requirements."""

    def prepare_options(self) -> None:
        """Memory for the candidates of a decision: offer, group, mask of pieces, values."""
        widths = [len(action.picks) for action in self.game.actions.values()]
        self.width = max([1, *widths])
        self.stride = 4 * (3 + self.width)
        self.options = self.layout.scratch(self.stride * (MOST_CANDIDATES + 1))
        self.sizes = self.layout.scratch(4 * (MOST_CANDIDATES + 1))
        self.apart = self.layout.scratch(4 * (self.layout.pieces + 1))
        self._can: dict[tuple[str, tuple[bool, ...]], str] = {}

    # ------------------------------------------------------------ parameters

    def legal(
        self,
        w: Writer,
        info: ActionInfo,
        fixed: list[Code | None],
        env: Env,
        choose: Callable[[int, SetCode, Type, Callable[[Code], None]], None],
        body: Callable[[Env, list[Code]], None],
    ) -> None:
        """Write loops over every legal choice of an action's parameters.

        `choose` says how each parameter is taken from its domain: most often one after the other.
        """
        numbers = [draw.local.number for draw in info.picks]
        depends = {number: at + 1 for at, number in enumerate(numbers)}
        levels: list[list[core.Statement]] = [[] for _ in range(len(numbers) + 1)]
        level = 0
        for statement in info.requirements:
            level = max(level, _level(statement, depends))
            if isinstance(statement, core.Let):
                depends[statement.local.number] = level
            levels[level].append(statement)

        def descend(
            at: int,
            inner: Env,
            values: list[Code],
            lets: dict[int, core.Let],
            checks: list[list[core.Statement]],
        ) -> None:
            with w.block() as skip:
                pending = dict(lets)
                current = dict(inner)
                for statement in checks[0]:
                    if isinstance(statement, core.Let):
                        pending[statement.local.number] = statement
                        continue
                    self._bind_needed(w, statement, pending, current)
                    self._check(w, statement, current, skip)
                if at == len(numbers):
                    body(current, values)
                    return
                for later in checks[1:]:
                    for statement in later:
                        if not isinstance(statement, core.Let):
                            self._bind_needed(w, statement, pending, current)
                split = self._split(checks[1:], current) if at == 0 else None
                if split is not None:
                    test, without, with_other = split
                    holds = w.once(self.condition(w, test, current))
                    for condition, rest in ((holds, without), (no(holds), with_other)):
                        with w.when(condition):
                            descend(at, current, values, pending, [[], *rest])
                    return
                further, current = self._hoisted_checks(w, checks[1:], set(numbers[at:]), current)
                given = fixed[at]
                pick = info.picks[at]
                if given is not None:
                    whole = self.set(w, pick.domain, current)
                    w.leave_if(skip, no(whole.member(w, given)))
                    inner = {**current, numbers[at]: given}
                    descend(at + 1, inner, [*values, given], pending, further)
                    return
                whole, done = self._narrowed(w, pick, further[0], current)
                further[0] = [each for each in further[0] if each not in done]

                def one(x: Code) -> None:
                    descend(at + 1, {**current, numbers[at]: x}, [*values, x], pending, further)

                choose(at, whole, pick.domain.type, one)

        descend(0, dict(env), [], {}, levels)

    def _split(
        self, levels: list[list[core.Statement]], env: Env
    ) -> tuple[core.Expr, list[list[core.Statement]], list[list[core.Statement]]] | None:
        """`require A or B` where A is known beforehand: the requirements if A holds, and if not."""
        for at, level in enumerate(levels):
            for number, statement in enumerate(level):
                match statement:
                    case core.Require(condition=core.Either(left=left, right=right)):
                        for test, other in ((left, right), (right, left)):
                            free = {p.number for p in walk((test,)) if isinstance(p, core.Local)}
                            if not all(n in env for n in free - bound_in(test)):
                                continue
                            without = [list(each) for each in levels]
                            without[at].pop(number)
                            with_other = [list(each) for each in levels]
                            with_other[at][number] = attrs.evolve(statement, condition=other)
                            return test, without, with_other
                    case _:
                        pass
        return None

    def _hoisted_checks(
        self, w: Writer, levels: list[list[core.Statement]], changing: set[int], env: Env
    ) -> tuple[list[list[core.Statement]], Env]:
        """Requirements whose costly parts that do not depend on some names are worked out once."""
        found: list[list[core.Statement]] = []
        for level in levels:
            checks: list[core.Statement] = []
            for statement in level:
                if isinstance(statement, core.Require):
                    condition, env = self.hoisted(w, statement.condition, changing, env)
                    if condition is not statement.condition:
                        statement = attrs.evolve(statement, condition=condition)  # noqa: PLW2901
                checks.append(statement)
            found.append(checks)
        return found, env

    def _bind_needed(
        self, w: Writer, statement: core.Statement, pending: dict[int, core.Let], env: Env
    ) -> None:
        """Work out the names that a requirement uses, just before it."""
        for part in walk((statement,)):
            if isinstance(part, core.Local) and part.number in pending:
                let = pending[part.number]
                free = {p.number for p in walk((let.value,)) if isinstance(p, core.Local)}
                bound = bound_in(let.value)
                if all(number in env or number in pending for number in free - bound):
                    del pending[part.number]
                    self._bind_needed(w, let, pending, env)
                    env[let.local.number] = self.let_value(w, let, env)

    def let_value(self, w: Writer, let: core.Let, env: Env) -> Code | SetCode:
        if category(let.value.type) == "set":
            return self.kept(w, self.set(w, let.value, env))
        return w.once(self.value(w, let.value, env))

    def _check(self, w: Writer, statement: core.Statement, env: Env, skip: str) -> None:
        match statement:
            case core.Require(condition=condition):
                w.leave_if(skip, no(self.condition(w, condition, env)))
            case core.If(branches=branches):
                with w.block() as done:
                    for branch in branches:
                        test: Code = 1
                        if branch.condition is not None:
                            test = self.condition(w, branch.condition, env)
                        with w.when(test):
                            inner = dict(env)
                            for each in branch.body:
                                if isinstance(each, core.Let):
                                    inner[each.local.number] = self.let_value(w, each, inner)
                                else:
                                    self._check(w, each, inner, skip)
                            w.leave(done)
            case _:
                raise AssertionError("only `let`, `require` and `if` come before effects")

    def _narrowed(
        self, w: Writer, pick: core.Draw, checks: list[core.Statement], env: Env
    ) -> tuple[SetCode, list[core.Statement]]:
        """A domain, smaller by requirements that can be met beforehand, and those met so."""
        domain = pick.domain
        number = pick.local.number
        if not isinstance(domain, core.AllThings):
            return self.set(w, domain, env), []
        done: list[core.Statement] = []
        static: list[core.Expr] = []
        for each in checks:
            if not isinstance(each, core.Require):
                continue
            found = self.still(each.condition)
            if found is not None and number in found.locals:
                if all(n == number or n in env for n in found.locals):
                    static.append(each.condition)
                    done.append(each)
        if static:
            where = static[0]
            for condition in static[1:]:
                where = core.Both(where, condition, type=condition.type)
            query = core.Query(
                "filter", (pick,), where, None, (), None, type=domain.type, span=domain.span
            )
            tabled = self._tabled(w, query, env)
            if isinstance(tabled, Listed):
                of = plain(domain.type)
                assert isinstance(of, SetType)
                span = self.layout.span(of.element)
                return Listed(tabled.address, tabled.capacity, True, span), done
            done = []
        for each in checks:
            match each:
                case core.Require(
                    condition=core.Member(element=core.Local(number=name), whole=whole)
                ) if name == number:
                    free = {p.number for p in walk((whole,)) if isinstance(p, core.Local)}
                    bound = bound_in(whole)
                    if number in free or not all(n in env for n in free - bound):
                        continue
                    inner = self.set(w, whole, env)
                    if inner.ordered:
                        return self.kept(w, inner), [each]
                    if inner.span is not None and inner.span[1] <= WORD:
                        return Bits(w.once(inner.bits(w), "i64"), *inner.span), [each]
                case _:
                    pass
        return self.set(w, domain, env), []

    # ------------------------------------------------------------ can

    def can(self, w: Writer, node: core.Can, env: Env) -> Code:
        info = self.game.actions[node.action]
        given = tuple(each is not None for each in node.arguments)
        name = self._can_function(info, given)
        arguments: list[Code] = []
        for each, draw in zip(node.arguments, info.picks, strict=True):
            if each is not None:
                of = plain(draw.domain.type)
                kind = category(of.element) if isinstance(of, SetType) else "thing"
                arguments.append(self.value(w, each, env, kind))
        chooser = load(CHOOSER) if node.by is None else self.value(w, node.by, env)
        return ("call", name, chooser, *arguments)

    def _can_function(self, info: ActionInfo, given: tuple[bool, ...]) -> str:
        key = (info.key, given)
        if key in self._can:
            return self._can[key]
        name = self._can[key] = f"can_{len(self._can)}"
        params = [("chooser", "i32")]
        params.extend((f"p{n}", "i32") for n in range(sum(given)))
        w = Writer(self.program.add(Function(name, params)))  # type: ignore[arg-type]
        outer, self.chooser_set = self.chooser_set, False
        before = w.variable(load(CHOOSER))
        w.store(CHOOSER, "chooser")
        names = iter(f"p{n}" for n in range(sum(given)))
        fixed: list[Code | None] = [next(names) if each else None for each in given]

        def found(env: Env, values: list[Code]) -> None:  # noqa: ARG001
            w.store(CHOOSER, before)
            w.give_back(1)

        self.legal(w, info, fixed, {}, lambda at, whole, of, one: whole.each(w, one), found)
        w.store(CHOOSER, before)
        w.give_back(0)
        self.chooser_set = outer
        return name

    # ------------------------------------------------------------ order

    def arranged(self, w: Writer, whole: SetCode, of: Type, seat: Code) -> SetCode:
        """A domain in an order that tells the chooser nothing: unknown pieces come last."""
        if not self.track or not self._pieces_in(of):
            return whole
        pieces = self.listed(w, whole)
        address = self.layout.scratch(4 * (pieces.most() + 2))
        w.store(address, load(pieces.address))
        w.emit("do", ("call", "arrange", pieces.address, address, seat))
        return Listed(address, pieces.most(), False, whole.span)

    def _pieces_in(self, of: Type) -> bool:
        inner = plain(of)
        assert isinstance(inner, SetType)
        kinds = self.layout.kinds_of(inner.element)
        return any(k in self.game.kinds and self.game.kinds[k].sort == "piece" for k in kinds)

    def mergeable(self, of: Type) -> bool:
        """Whether some things of a set's type can be alike to whoever chooses among them."""
        if not self._pieces_in(of):
            return False
        if self.track:
            return True
        inner = plain(of)
        assert isinstance(inner, SetType)
        seen: set[object] = set()
        for kind in self.layout.kinds_of(inner.element):
            for thing in self.table.things(kind) if kind in self.game.kinds else ():
                if self.game.kinds[kind].sort == "piece":
                    mark = (kind, look(thing))
                    if mark in seen:
                        return True
                    seen.add(mark)
        return False

    def write_arrange(self) -> None:
        """Copies a list, known pieces first, the others by where they lie."""
        if not self.track:
            return
        layout = self.layout
        w = Writer(
            self.program.add(
                Function("arrange", [("list", "i32"), ("to", "i32"), ("seat", "i32")], None)
            )
        )
        number = w.once(load("list"))
        end = w.variable(add("to", 4))
        with w.counting(0, number) as at:
            piece = w.once(load(add(add("list", mul(at, 4)), 4)))
            with w.when(("call", "knows", "seat", piece)):
                w.store(end, piece)
                w.set(end, add(end, 4))
        start = w.variable(end)
        with w.counting(0, number) as at:
            piece = w.once(load(add(add("list", mul(at, 4)), 4)))
            with w.when(no(("call", "knows", "seat", piece))):
                here = w.variable(end)
                with w.loop() as label:
                    w.leave_if(label, op("i32.le_u", here, start))
                    before = w.once(load(sub(here, 4)))
                    w.leave_if(label, no(("call", "lies_before", piece, before)))
                    w.store(here, before)
                    w.set(here, sub(here, 4))
                w.store(here, piece)
                w.set(end, add(end, 4))

        w = Writer(self.program.add(Function("lies_before", [("one", "i32"), ("other", "i32")])))
        one = w.once(load(add(mul("one", 4), layout.place_of)))
        other = w.once(load(add(mul("other", 4), layout.place_of)))
        with w.when(ne(one, other)):
            w.give_back(op("i32.lt_s", one, other))
        first = w.once(("call", "depth", "one"))
        second = w.once(("call", "depth", "other"))
        with w.when(ne(first, second)):
            w.give_back(op("i32.lt_s", first, second))
        named = w.once(load(add(mul("one", 4), self.apart)))
        others = w.once(load(add(mul("other", 4), self.apart)))
        w.set(str(named), ("select", named, 2**30, named))
        w.set(str(others), ("select", others, 2**30, others))
        w.give_back(op("i32.lt_s", named, others))

    def write_depth(self) -> None:
        """Where in its stack a piece lies; 0 in any other place."""
        w = Writer(self.program.add(Function("depth", [("piece", "i32")])))
        stacks = [
            at.first + number
            for kind, at in self.layout.places.items()
            for number in range(at.count)
            if self._is_stack(kind)
        ]
        flags = [int(n in set(stacks)) for n in range(len(self.layout.things))]
        place = w.once(load(add(mul("piece", 4), self.layout.place_of)))
        with w.when(no(self.layout.lookup(self.layout.numbers(flags), place))):
            w.give_back(0)
        address = w.once(self.layout.lookup(self._address, place))
        with w.when(eq(self.layout.lookup(self._form, place), 0)):
            w.give_back(0)
        with (
            w.counting(0, load(address)) as at,
            w.when(eq(load(add(add(address, mul(at, 4)), 4)), "piece")),
        ):
            w.give_back(at)
        w.give_back(0)

    def _is_stack(self, kind: str) -> bool:
        info = self.game.kinds[kind].place
        assert info is not None
        return info.stack

    # ------------------------------------------------------------ alike

    def write_alike(self) -> None:
        """Whether two pieces are alike to a seat, and whether they are in truth."""
        layout = self.layout
        w = Writer(
            self.program.add(Function("alike", [("seat", "i32"), ("one", "i32"), ("other", "i32")]))
        )
        with w.when(eq("one", "other")):
            w.give_back(1)
        place = w.once(load(add(mul("one", 4), layout.place_of)))
        with w.when(ne(place, load(add(mul("other", 4), layout.place_of)))):
            w.give_back(0)
        marked = either(
            load(add(mul("one", 4), self.apart)), load(add(mul("other", 4), self.apart))
        )
        with w.when(marked):
            w.give_back(0)
        with w.when(ne(("call", "depth", "one"), ("call", "depth", "other"))):
            w.give_back(0)
        kinds = self._kind_table()
        with w.when(ne(layout.lookup(kinds, "one"), layout.lookup(kinds, "other"))):
            w.give_back(0)
        if self.track:
            known = w.once(("call", "knows", "seat", "one"))
            with w.when(ne(known, ("call", "knows", "seat", "other"))):
                w.give_back(0)
            with w.when(no(known)):
                self._compare_insides(w)
                w.give_back(1)
        with w.when(ne(layout.lookup(self.looks, "one"), layout.lookup(self.looks, "other"))):
            w.give_back(0)
        self._compare_states(w, seen_only=True)
        self._compare_insides(w)
        w.give_back(1)

        w = Writer(self.program.add(Function("same", [("one", "i32"), ("other", "i32")])))
        with w.when(ne(layout.lookup(self.looks, "one"), layout.lookup(self.looks, "other"))):
            w.give_back(0)
        self._compare_states(w, seen_only=False)
        w.give_back(1)

    def _compare_insides(self, w: Writer) -> None:
        """Give back 0 if something lies in a place of its own of one of two pieces.

        What lies there is told apart by where it lies, so only empty ones are alike.
        """
        for name, kind in self.game.kinds.items():
            if kind.sort != "place" or len(kind.indexes) != 1 or kind.indexes[0].faces:
                continue
            owner = self.game.kinds.get(kind.indexes[0].kind)
            if owner is None or owner.sort != "piece":
                continue
            first, inside = self.layout.first[owner.name], self.layout.first[name]
            with w.when(self._of_kind("one", owner.name)):
                for piece in ("one", "other"):
                    with w.when(("call", "held", add(sub(piece, first), inside))):
                        w.give_back(0)

    def _kind_table(self) -> int:
        numbers = {kind: at for at, kind in enumerate(self.game.kinds)}
        pieces = self.layout.things[: self.layout.pieces]
        return self.layout.numbers([numbers[piece.kind] for piece in pieces])

    def _compare_states(self, w: Writer, *, seen_only: bool) -> None:
        """Give back 0 if two pieces of a kind differ by a state."""
        for key, state in self.game.states.items():
            if state.owner is None or self.game.kinds[state.owner].sort != "piece":
                continue
            slot = self.layout.states[key]
            with w.when(self._of_kind("one", state.owner)):
                one, other = w.once(slot.address("one")), w.once(slot.address("other"))
                differ: Code = 0
                if slot.words:
                    for number in range(slot.words):
                        pair = (load64(one, 8 * number), load64(other, 8 * number))
                        differ = either(differ, ("i64.ne", *pair))
                else:
                    differ = ne(load(one), load(other))
                if seen_only and state.sight != "open":
                    sees_one = w.once(self.sees_state(w, key, "one", "seat"))
                    sees_other = w.once(self.sees_state(w, key, "other", "seat"))
                    with w.when(ne(sees_one, sees_other)):
                        w.give_back(0)
                    differ = both(differ, sees_one)
                with w.when(differ):
                    w.give_back(0)


def _level(statement: core.Statement, depends: dict[int, int]) -> int:
    """How many parameters must be known before a statement can be judged."""
    return max(
        (
            depends.get(part.number, 0)
            for part in walk((statement,))
            if isinstance(part, core.Local)
        ),
        default=0,
    )
