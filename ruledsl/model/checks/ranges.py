"""Values outside their range, and more pieces than fit, as far as that is known without playing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ruledsl.diagnostics import flow as found
from ruledsl.diagnostics.diagnostic import Diagnostic
from ruledsl.model import core
from ruledsl.model.checks.graph import nodes, parts
from ruledsl.model.checks.situations import Situation, Situations
from ruledsl.model.checks.values import Values
from ruledsl.model.elaborate import Elaborated
from ruledsl.model.game import Bounds, CheckedGame, Kind, ParamInfo
from ruledsl.model.intervals import Numbers
from ruledsl.model.types import ThingType, plain
from ruledsl.model.walk import walk


def check_ranges(elaborated: Elaborated) -> Iterator[Diagnostic]:
    game = elaborated.game
    ranges = _Ranges(game)
    yield from ranges.declarations()
    for _, statement, here in Situations(game, ranges.values).all():
        yield from ranges.statement(statement, here)
    for node in nodes(game):
        for part in walk(parts(game, node)):
            yield from ranges.expression(part)


class _Ranges:
    def __init__(self, game: CheckedGame) -> None:
        self.game = game
        self.values = Values(game, named=True)

    def declarations(self) -> Iterator[Diagnostic]:
        for state in self.game.states.values():
            yield from self._bounds(state.bounds)
            if state.start is not None and not state.clamped:
                what = f"the start of `{state.name}`"
                yield from self._within(state.start, state.bounds, what, Situation())
        for bounds in self.game.ranges.values():
            yield from self._bounds(bounds)
        for option in self.game.options.values():
            what = f"the usual value of `{option.name}`"
            if isinstance(option.domain, core.Interval):
                limits = Bounds(option.domain.low, option.domain.high)
                yield from self._bounds(limits)
                yield from self._within(option.default, limits, what, Situation())
            elif self.values.judged(core.Member(option.default, option.domain)) is False:
                yield found.out_of_range(option.default.span, what, "another", "one that it allows")
        for step in self.game.steps.values():
            for params in (step.params, *(row.params for row in step.rows)):
                yield from self._params(params)
        for define in self.game.defines.values():
            yield from self._params(define.params)
        if self.game.ranking is not None and self.game.ranking.payoff is not None:
            payoff = self.game.ranking.payoff
            yield from self._bounds(payoff.bounds)
            yield from self._within(payoff.value, payoff.bounds, "the payoff", Situation())

    def _params(self, params: Iterable[ParamInfo]) -> Iterator[Diagnostic]:
        for param in params:
            yield from self._bounds(param.bounds)

    def _bounds(self, bounds: Bounds | None) -> Iterator[Diagnostic]:
        if bounds is not None:
            low, high = self.values.numbers(bounds.low), self.values.numbers(bounds.high)
            if high.below(low):
                yield found.empty_range(bounds.low.span.to(bounds.high.span))

    def expression(self, part: Any) -> Iterator[Diagnostic]:
        here = Situation()
        match part:
            case core.Interval(
                low=core.Constant(value=int() as low), high=core.Constant(value=int() as high)
            ) if high < low:
                # `1..n` may well be empty for some n; numbers written out are a slip.
                # A named range is reported where it is declared, not where it is used.
                yield from self._bounds(Bounds(part.low, part.high))
            case core.CallDefine(define=key, arguments=arguments):
                info = self.game.defines[key]
                yield from self._given(info.name, info.params, arguments, here)
            case core.Would(step=step, arguments=arguments):
                yield from self._given(step, self.game.steps[step].params, arguments, here)
            case core.PlaceAt(place=kind, indexes=given) | core.Indexed(kind=kind, indexes=given):
                for index, value in zip(self.game.kinds[kind].indexes, given, strict=False):
                    bounds = self.game.ranges.get(index.kind)
                    what = f"the index `{index.name}` of `{kind}`"
                    yield from self._within(value, bounds, what, here)
            case _:
                pass

    def _given(
        self,
        name: str,
        params: Iterable[ParamInfo],
        arguments: Iterable[core.Expr],
        here: Situation,
    ) -> Iterator[Diagnostic]:
        for param, argument in zip(params, arguments, strict=False):
            what = f"`{param.local.name}` of `{name}`"
            yield from self._within(argument, param.bounds, what, here)

    def statement(self, statement: core.Statement, here: Situation) -> Iterator[Diagnostic]:
        match statement:
            case core.Assign(slot=slot, value=value):
                yield from self._stored(slot, value, here)
            case core.Roll(target=core.Slot() as slot, domain=domain):
                yield from self._every(slot, domain, here)
            case core.ChooseValue(target=core.Slot() as slot, domain=domain):
                if statement.where is None and not statement.requirements:
                    yield from self._every(slot, domain, here)
                yield from self._amount(statement.how_many, here)
            case core.ChooseValue(how_many=how_many):
                yield from self._amount(how_many, here)
            case core.Call(step=step, arguments=arguments):
                yield from self._given(step, self.game.steps[step].params, arguments, here)
            case core.MoveSome(amount=amount, target=target):
                yield from self._counted(amount, "how many are moved", here)
                yield from self._fitting(amount, target, here)
            case core.Repeat(times=core.Expression() as times):
                yield from self._counted(times, "how often it is repeated", here)
            case _:
                pass

    def _stored(self, slot: core.Slot, value: core.Expr, here: Situation) -> Iterator[Diagnostic]:
        state = self.game.states.get(slot.state)
        if state is not None and not state.clamped:
            yield from self._within(value, state.bounds, f"`{state.name}`", here)

    def _every(self, slot: core.Slot, domain: core.Expr, here: Situation) -> Iterator[Diagnostic]:
        """Each of the numbers may come up, so all must fit."""
        state = self.game.states.get(slot.state)
        if state is None or state.clamped or state.bounds is None:
            return
        match domain:
            case core.Interval(low=low, high=high):
                what = f"`{state.name}`"
                before = self._within(low, state.bounds, what, here)
                yield from (*before, *self._within(high, state.bounds, what, here))
            case core.SetOf(items=items):
                for item in items:
                    yield from self._within(item, state.bounds, f"`{state.name}`", here)
            case _:
                pass

    def _amount(self, how_many: core.HowMany, here: Situation) -> Iterator[Diagnostic]:
        if how_many.amount is not None:
            what = f"the number after `{how_many.word}`"
            yield from self._counted(how_many.amount, what, here)

    def _counted(self, node: core.Expr, what: str, here: Situation) -> Iterator[Diagnostic]:
        numbers = self.values.numbers(node, here.env)
        if numbers.below(Numbers(0, 0)):
            yield found.out_of_range(node.span, what, _shown(numbers), "0 or more")

    def _fitting(
        self, amount: core.Expr, target: core.Expr, here: Situation
    ) -> Iterator[Diagnostic]:
        """Not more pieces at a time than have room, wherever they may go."""
        of = plain(target.type)
        least = self.values.numbers(amount, here.env).least
        if least is None or not isinstance(of, ThingType):
            return
        rooms: list[tuple[int, Kind]] = []
        for kind in (self.game.kinds[name] for name in sorted(of.kinds)):
            room = None if kind.place is None else kind.place.room
            most = None if room is None else self.values.numbers(room).most
            if most is None or least <= most:
                return
            rooms.append((most, kind))
        if rooms:
            room_there, place = max(rooms, key=lambda each: each[0])
            name = f"`{place.name}`"
            yield found.overfull_move(amount.span, name, least, room_there, place.span)

    def _within(
        self, node: core.Expr, bounds: Bounds | None, what: str, here: Situation
    ) -> Iterator[Diagnostic]:
        if bounds is None:
            return
        numbers = self.values.numbers(node, here.env)
        low, high = self.values.numbers(bounds.low), self.values.numbers(bounds.high)
        if numbers.below(Numbers(low.low, low.low)) or Numbers(high.high, high.high).below(numbers):
            limits = _shown(Numbers(low.low, high.high))
            yield found.out_of_range(node.span, what, _shown(numbers), limits)


def _shown(numbers: Numbers) -> str:
    if numbers.least is None:
        return f"at most {numbers.most}"
    if numbers.most is None:
        return f"at least {numbers.least}"
    return f"in {numbers.least}..{numbers.most}" if numbers.only is None else str(numbers.only)


# ---------------------------------------------------------------- room


def check_room(elaborated: Elaborated) -> Iterator[Diagnostic]:
    """Pieces that start in a place they can't all fit into, whoever plays."""
    game = elaborated.game
    values = Values(game, named=True)
    started: dict[core.Expr, int] = {}
    for kind in game.kinds.values():
        piece = kind.piece
        if piece is None or piece.start is None:
            continue
        place = _place_of(game, piece.start)
        least = _fewest(kind, piece.start, values)
        if place is None or place.place is None or least is None:
            continue
        start = _without_own(piece.start)
        started[start] = started.get(start, 0) + least
        room = None if place.place.room is None else values.numbers(place.place.room).most
        if room is not None and started[start] > room:
            name = f"`{place.name}`"
            yield found.overfull_place(kind.span, name, started[start], room, place.span)


def _place_of(game: CheckedGame, start: core.Expr) -> Kind | None:
    match start:
        case core.PlaceAt(place=place):
            return game.kinds.get(place)
        case core.Value(kind=place) | core.Nth(kind=place, numbers=(core.Constant(), *_)):
            return game.kinds.get(place)
        case _:
            return None


def _without_own(start: core.Expr) -> core.Expr:
    """Starts in places of one family count together: `player.hand` of two kinds is one hand."""
    match start:
        case core.PlaceAt(place=place, indexes=indexes):
            names = tuple(
                core.ReadIndex(core.Local("", 0), index.name)
                if isinstance(index, core.ReadIndex)
                else index
                for index in indexes
            )
            return core.PlaceAt(place, names)
        case _:
            return start


def _fewest(kind: Kind, start: core.Expr, values: Values) -> int | None:
    """How many pieces of a kind at least start in each of its places."""
    assert kind.piece is not None
    spread = _spread(kind, start)
    if spread is None:
        return None
    counts = kind.column("count")
    if counts is not None and kind.rows:
        each = [values.numbers(cell).least for cell in counts.cells]
    elif kind.rows:
        each = [1] * len(kind.rows)
    else:
        each = [1 if kind.piece.count is None else values.numbers(kind.piece.count).least]
    if None in each:
        return None
    total = sum(max(0, number) for number in each if number is not None)
    for index in kind.indexes:
        if index.name in spread:
            continue
        size = _size(values.game, index.kind, index.faces)
        if size is None:
            return None
        total *= size
    return total


def _spread(kind: Kind, start: core.Expr) -> set[str] | None:
    """The indexes by which the pieces are spread over places; None where that is not clear."""
    if not isinstance(start, core.PlaceAt):
        return set()
    names: set[str] = set()
    for index in start.indexes:
        match index:
            case core.ReadIndex(subject=core.Local() as own, name=name) if own == kind.own:
                names.add(name)
            case core.Value() | core.Face():
                pass
            case _:
                return None
    return names


def _size(game: CheckedGame, name: str, faces: bool) -> int | None:
    """The least number of things of a kind."""
    if name in game.kinds:
        kind = game.kinds[name]
        if kind.sort == "player":
            return min(game.players) if "play" in game.steps else 1
        if kind.rows and (faces or kind.piece is None):
            return len(kind.rows)
    return None
