"""How large the numbers in the rules can become, told before they are carried out.

Each expression is looked at once, with what is known about the names in scope. What it finds is
never too narrow: so an operator whose result can't have too many digits needs no guard, and one
whose result surely has is a mistake.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import prod
from typing import TYPE_CHECKING, Literal, TypeAlias, assert_never

from ruledsl.model import core
from ruledsl.model.builtins import FUNCTIONS
from ruledsl.model.game import Bounds, ParamInfo
from ruledsl.model.intervals import Numbers, around, computed, extreme, negated
from ruledsl.model.types import FaceType, NumberType, SetType, ThingType, Type, plain
from ruledsl.table.limits import LARGEST, MOST_THINGS
from ruledsl.table.things import Thing, Value

if TYPE_CHECKING:
    from ruledsl.table.table import Table


ANY = Numbers(-LARGEST, LARGEST)
"""Whatever passes its guard."""

Known: TypeAlias = dict[int, Numbers]
"""where the numbers in scope lie, by the numbers of their names"""


class Ranges:
    """Where the numbers of one table's rules lie."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self._results: dict[int, tuple[core.Expr, Numbers]] = {}
        """of operators that compute: what they can come to, by their identity"""
        self._by_zero: set[int] = set()
        """divisions whose divisor may be zero"""
        self._defines: dict[str, Numbers] = {}
        self._cells: dict[tuple[Type, str, str], Numbers] = {}
        self._walk_all()

    def may_fail(self, node: core.Arithmetic | core.Query | core.LongestTrail) -> bool:
        """Whether an operator, or a sum, may come to too many digits, or divide by zero."""
        found = self._results.get(id(node))
        if found is None:
            # Written by a later stage: nothing is known about its names.
            self.of(node, {})
            found = self._results[id(node)]
        return not found[1].within(ANY) or id(node) in self._by_zero

    def too_large(self) -> Iterator[core.Expr]:
        """Operators whose results surely have too many digits."""
        return (node for node, found in self._results.values() if found.apart(ANY))

    # ------------------------------------------------------------ all of the rules

    def _walk_all(self) -> None:
        game = self.table.game
        for key in game.defines:
            self._defined(key)
        for step in game.steps.values():
            self._block(step.body or (), self._given(step.params))
            for row in step.rows:
                self._block(row.body, self._given(row.params))
        for action in game.actions.values():
            # Locals around an action written on the spot are not known here.
            known = self._drawn(action.picks, {})
            self._block(action.requirements + action.body, known)
        for trigger in game.triggers.values():
            known = self._drawn(trigger.picks, {})
            self._each((trigger.when,), known)
            self._block(trigger.body, known)
        if game.ranking is not None:
            payoff = game.ranking.payoff
            self._each((key.value for key in game.ranking.keys), {})
            if payoff is not None:
                self._each((payoff.value, payoff.bounds.low, payoff.bounds.high), {})

    def _given(self, params: tuple[ParamInfo, ...]) -> Known:
        """What a step is given lies within the limits of its parameters; calls look after that."""
        return {
            param.local.number: self._between(param.bounds)
            for param in params
            if param.bounds is not None
        }

    def _block(self, block: core.Block, known: Known) -> None:
        known = dict(known)
        for statement in block:
            self._statement(statement, known)

    def _statement(self, node: core.Statement, known: Known) -> None:
        """Look at a statement; names it introduces are known from then on."""
        match node:
            case core.Let(local=local, value=value):
                known[local.number] = self.of(value, known)
            case core.Assign(slot=slot, value=value):
                self._each((slot.subject, value), known)
            case core.Move(pieces=pieces, target=target):
                self._each((pieces, target), known)
            case core.MoveSome(amount=amount, source=source, target=target):
                self._each((amount, source, target), known)
            case core.MoveAll(source=source, target=target):
                self._each((source, target), known)
            case core.Put(pieces=several, target=target):
                self._each((*several, target), known)
            case core.Shuffle(place=part) | core.Eliminate(player=part) | core.Win(players=part):
                self.of(part, known)
            case core.Roll(target=to, domain=domain):
                self._bind(to, self.of(domain, known), known)
            case core.Show(subject=subject, viewers=viewers):
                self._each((subject, viewers), known)
            case core.Tell(said=said):
                self._each(said.values, known)
            case core.Record() | core.End() | core.Skip():
                pass
            case core.Call(arguments=arguments):
                self._each(arguments, known)
            case core.If(branches=branches):
                for branch in branches:
                    self._each((branch.condition,), known)
                    self._block(branch.body, known)
            case core.For(draws=draws, where=where, order=order, body=body):
                inner = self._drawn(draws, known)
                self._each((where, *(each.key for each in order)), inner)
                self._block(body, inner)
            case core.Together(local=local, domain=domain, body=body):
                self._block(body, {**known, local.number: self.of(domain, known)})
            case core.Repeat(times=times, running=running, body=body):
                self._each((times, running), known)
                self._block(body, known)
            case core.Require(condition=condition):
                self.of(condition, known)
            case core.ChooseValue():
                self._choose_value(node, known)
            case core.ChooseAction(by=by, offers=offers, otherwise=otherwise):
                self._each((by,), known)
                for offer in offers:
                    self._each(offer.arguments, known)
                    inner = {**known, **{local.number: ANY for local in offer.locals}}
                    self._block(offer.requirements, inner)
                self._block(otherwise or (), known)
            case _:
                assert_never(node)

    def _choose_value(self, node: core.ChooseValue, known: Known) -> None:
        self._each((node.by, node.how_many.amount), known)
        found = self.of(node.domain, known)
        inner = {**known, node.element.number: found}
        self._each((node.where,), inner)
        self._block(node.requirements, inner)
        self._block(node.otherwise or (), known)
        self._bind(node.target, found, known)

    def _bind(self, target: core.Local | core.Slot, found: Numbers, known: Known) -> None:
        if isinstance(target, core.Local):
            known[target.number] = found
        else:
            self._each((target.subject,), known)

    def _drawn(self, draws: tuple[core.Draw, ...], known: Known) -> Known:
        inner = dict(known)
        for draw in draws:
            inner[draw.local.number] = self.of(draw.domain, inner)
        return inner

    def _each(self, nodes: Iterable[core.Expr | None], known: Known) -> list[Numbers]:
        return [self.of(node, known) for node in nodes if node is not None]

    def _joined(self, nodes: Iterable[core.Expr | None], known: Known) -> Numbers:
        found = self._each(nodes, known)
        return around(found) if found else ANY

    def _defined(self, key: str) -> Numbers:
        """Where the values of a definition lie, whatever it is given."""
        if key not in self._defines:
            self._defines[key] = ANY
            info = self.table.game.defines[key]
            self._defines[key] = self._joined((info.body, *(row.body for row in info.rows)), {})
        return self._defines[key]

    # ------------------------------------------------------------ expressions

    def of(self, node: core.Expr, known: Known) -> Numbers:
        """Where the value of an expression lies, if it is a number; of a set, its elements."""
        match node:
            case core.Constant(value=value):
                is_one = isinstance(value, int) and not isinstance(value, bool)
                return Numbers(value, value) if is_one else ANY  # type: ignore[arg-type]
            case core.Local(number=number):
                return known.get(number, ANY)
            case core.OptionValue(name=name):
                return _among([self.table.options[name]])
            case core.Special(word="players"):
                players = len(self.table.things("Player"))
                return Numbers(players, players)
            case core.ReadColumn(subject=subject, name=name):
                self.of(subject, known)
                return self._of_things(subject.type, "columns", name)
            case core.ReadIndex(subject=subject, name=name):
                self.of(subject, known)
                return self._of_things(subject.type, "indexes", name)
            case core.ReadState(state=state, subject=subject):
                self._each((subject,), known)
                return self._of_state(state, node.type)
            case core.ReadHistory():
                return Numbers(0, LARGEST)
            case core.ReadFeature(feature=feature, subject=subject, arguments=arguments):
                found = self.of(subject, known)
                self._each(arguments, known)
                if feature == "index":
                    things = map(self.table.boards.number, self._things(subject.type))
                    return around([Numbers(n, n) for n in things] or [ANY])
                if isinstance(plain(node.type), NumberType):
                    return Numbers(0, MOST_THINGS)
                return found if feature == "reversed" else ANY
            case core.ByKind(subject=subject, local=local, arms=arms):
                self.of(subject, known)
                return self._joined((arm for _, arm in arms), {**known, local.number: ANY})
            case core.CallDefine(define=key, arguments=arguments):
                self._each(arguments, known)
                return self._defined(key)
            case core.Negate(operand=operand):
                return negated(self.of(operand, known))
            case core.Arithmetic(sign=sign, left=left, right=right):
                one, other = self.of(left, known), self.of(right, known)
                if sign in ("/", "mod") and other.has(0):
                    self._by_zero.add(id(node))
                return self._note(node, computed(sign, one, other))
            case core.Combine(sign=sign, left=left, right=right):
                one, other = self.of(left, known), self.of(right, known)
                return around((one, other)) if sign == "+" else one
            case core.Interval(low=low, high=high):
                first, last = self.of(low, known), self.of(high, known)
                return Numbers(first.low, max(first.low, last.high))
            case core.Conditional(condition=condition, yes=yes, no=no):
                self.of(condition, known)
                return self._joined((yes, no), known)
            case core.Case(subject=subject, arms=cases, otherwise=otherwise):
                self._each((subject, *(key for key, _ in cases)), known)
                return self._joined((*(value for _, value in cases), otherwise), known)
            case core.SetOf(items=items):
                return self._joined(items, known)
            case core.Query():
                return self._query(node, known)
            case core.Sure(value=value):
                return self.of(value, known)
            case core.Extreme(word=word, items=items):
                return extreme(word, self._each(items, known))
            case core.Computed(function=name, operands=operands):
                ends = FUNCTIONS[name].ends
                assert ends is not None
                return ends(*self._each(operands, known))
            case core.Reach(local=local, start=start, via=via, where=where, exactly=exactly):
                self._each((start, exactly), known)
                self._each((via, where), {**known, local.number: ANY})
                return ANY
            case core.LongestTrail(edges=edges, local=local_, length=length, through=through):
                self._each((edges, through), known)
                inner = known if local_ is None else {**known, local_.number: ANY}
                each = Numbers(1, 1) if length is None else self.of(length, inner)
                of = plain(edges.type)
                most = len([*self._things(of.element)]) if isinstance(of, SetType) else 0
                return self._note(node, Numbers(0, max(0, each.high) * most))
            case core.Would(body=body, arguments=arguments):
                self._each(arguments, known)
                return self.of(body, known)
            case core.Can(arguments=given, by=by):
                self._each((*given, by), known)
                return ANY
            case core.Both(left=one_, right=other_) | core.Either(left=one_, right=other_):
                self._each((one_, other_), known)
                return ANY
            case core.Compare(left=one_, right=other_) | core.Member(element=one_, whole=other_):
                self._each((one_, other_), known)
                return ANY
            case core.IsFace(subject=one_, face=other_) | core.Knows(player=one_, piece=other_):
                self._each((one_, other_), known)
                return ANY
            case (
                core.Not(operand=part)
                | core.Empty(whole=part)
                | core.Contents(place=part)
                | core.IsKind(subject=part)
            ):
                self.of(part, known)
                return ANY
            case (
                core.PlaceAt(indexes=parts)
                | core.PlacesOf(indexes=parts)
                | core.Nth(numbers=parts)
                | core.Indexed(indexes=parts)
            ):
                self._each(parts, known)
                return ANY
            case (
                core.Value()
                | core.Face()
                | core.Copy()
                | core.Special()
                | core.AllThings()
                | core.AllFaces()
            ):
                return ANY
            case _:
                assert_never(node)

    def _note(self, node: core.Expr, found: Numbers) -> Numbers:
        """Keep what an operator can come to; what passes its guard is a number."""
        before = self._results.get(id(node))
        if before is not None:
            found = around((found, before[1]))
        self._results[id(node)] = (node, found)
        return _passed(found)

    def _query(self, node: core.Query, known: Known) -> Numbers:
        inner = self._drawn(node.draws, known)
        keys = (each.key for each in node.order)
        self._each((node.where, node.running, *keys), inner)
        body = ANY if node.body is None else self.of(node.body, inner)
        match node.word:
            case "count":
                return Numbers(0, min(LARGEST, self._most(node.draws, known)))
            case "sum":
                most = self._most(node.draws, known)
                return self._note(node, Numbers(min(0, body.low * most), max(0, body.high * most)))
            case "first" | "the" | "filter":
                return inner[node.draws[0].local.number]
            case "max" | "min" | "image":
                return body
            case "any" | "all":
                return ANY
            case _:
                assert_never(node.word)

    # ------------------------------------------------------------ what the table tells

    def _most(self, draws: tuple[core.Draw, ...], known: Known) -> int:
        """How many combinations of draws there are at most."""
        inner = dict(known)
        sizes = []
        for draw in draws:
            found = inner[draw.local.number] = self.of(draw.domain, inner)
            of = plain(draw.domain.type)
            element = plain(of.element) if isinstance(of, SetType) else of
            things = list(self._things(element))
            sizes.append(len(things) if things else int(found.high - found.low) + 1)
        return prod(sizes)

    def _things(self, of: Type) -> Iterator[Thing]:
        """All things of a type."""
        match plain(of):
            case ThingType(kinds=kinds):
                for kind in kinds:
                    yield from self.table.things(kind)
            case FaceType(kind=kind):
                yield from self.table.faces(kind)
            case _:
                pass

    def _of_things(self, of: Type, where: Literal["columns", "indexes"], name: str) -> Numbers:
        """Where a column or an index lies that things of a type have."""
        key = (of, where, name)
        if key not in self._cells:
            values = [getattr(thing, where).get(name) for thing in self._things(of)]
            self._cells[key] = _among(values)
        return self._cells[key]

    def _of_state(self, key: str, of: Type) -> Numbers:
        bounds = self.table.game.states[key].bounds if key in self.table.game.states else None
        if bounds is None or isinstance(plain(of), SetType):
            return ANY
        return self._between(bounds)

    def _between(self, bounds: Bounds) -> Numbers:
        return Numbers(self.table.number(bounds.low), self.table.number(bounds.high))


def _among(values: Iterable[Value]) -> Numbers:
    """Where the numbers among some values lie, and those in sets."""
    numbers: list[int] = []
    for value in values:
        several = value if isinstance(value, tuple) else (value,)
        numbers.extend(each for each in several if isinstance(each, int))
    return Numbers(min(numbers), max(numbers)) if numbers else ANY


def _passed(found: Numbers) -> Numbers:
    """What is left of numbers once their guard has passed."""
    if found.apart(ANY):
        return ANY
    return Numbers(max(found.low, ANY.low), min(found.high, ANY.high))
