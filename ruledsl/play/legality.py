"""Which choices are legal, which are alike, and why others are not."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

import attrs

from ruledsl.model import core
from ruledsl.model.facts import Facts
from ruledsl.model.game import ActionInfo
from ruledsl.model.walk import expressions, walk
from ruledsl.play.decisions import ActionOption, Refusal
from ruledsl.play.knowledge import Knowledge, look
from ruledsl.play.sayings import Saying, saying
from ruledsl.table import mishaps
from ruledsl.table.costs import weight
from ruledsl.table.errors import RulesError
from ruledsl.table.evaluate import Evaluator, frame_size
from ruledsl.table.limits import MOST_OPTIONS
from ruledsl.table.position import Position
from ruledsl.table.queries import Evaluate, Frame, as_set
from ruledsl.table.table import Table
from ruledsl.table.things import Thing, Value

Check = Callable[[Position, Frame], bool]


@attrs.frozen
class Judged:
    """An action made ready: its parameters, and for each the checks that it completes."""

    info: ActionInfo
    numbers: tuple[int, ...]
    domains: tuple[Evaluate, ...]
    checks: tuple[tuple[Check, ...], ...]
    """checks[n] can be made once n parameters are known"""
    costs: tuple[int, ...]
    """what trying a value of a parameter costs, with the checks that it completes"""
    size: int


class Legality:
    """The options of a decision, for one table."""

    def __init__(self, table: Table, knowledge: Knowledge) -> None:
        self.table = table
        self.knowledge = knowledge
        self.evaluator: Evaluator = table.evaluator
        self._judged: dict[str, Judged] = table.kept.setdefault("judged", {})
        self._piece_places = self._places_by_piece()
        places = (kind.place for kind in table.game.kinds.values())
        self._has_secrets = any(place is not None and place.sight != "open" for place in places)

    def compiled(self, node: core.Expr) -> Evaluate:
        return self.evaluator.compiled(node)

    # ------------------------------------------------------------ actions

    def judged(self, key: str) -> Judged:
        if key not in self._judged:
            self._judged[key] = self._judge(self.table.game.actions[key])
        return self._judged[key]

    def _judge(self, info: ActionInfo) -> Judged:
        numbers = tuple(draw.local.number for draw in info.picks)
        levels: list[list[core.Statement]] = [[] for _ in range(len(numbers) + 1)]
        level = 0
        depends: dict[int, int] = {number: at + 1 for at, number in enumerate(numbers)}
        for statement in info.requirements:
            level = max(level, _level(statement, depends))
            if isinstance(statement, core.Let):
                depends[statement.local.number] = level
            levels[level].append(statement)
        return Judged(
            info,
            numbers,
            tuple(self.evaluator.compile(draw.domain) for draw in info.picks),
            tuple(tuple(map(self._check, statements)) for statements in levels),
            tuple(weight(*statements) for statements in levels[1:]),
            frame_size(*info.picks, *info.requirements, *info.body),
        )

    def _check(self, statement: core.Statement) -> Check:
        """A statement among an action's requirements as a check; `let` always passes."""
        match statement:
            case core.Let(local=local, value=node):
                value = self.evaluator.compile(node)
                number = local.number

                def bind(pos: Position, frame: Frame) -> bool:
                    frame[number] = value(pos, frame)
                    return True

                return bind
            case core.Require(condition=node):
                condition = self.evaluator.compile(node)
                return lambda pos, frame: bool(condition(pos, frame))
            case core.If(branches=branches):
                arms = [
                    (
                        None if branch.condition is None else self.compiled(branch.condition),
                        [self._check(inner) for inner in branch.body],
                    )
                    for branch in branches
                ]

                def guarded(pos: Position, frame: Frame) -> bool:
                    for test, checks in arms:
                        if test is None or test(pos, frame):
                            return all(check(pos, frame) for check in checks)
                    return True

                return guarded
            case _:
                raise AssertionError("only `let`, `require` and `if` come before effects")

    def frame_for(self, judged: Judged, around: Frame | None) -> Frame:
        """A frame for an action: the one around it for an action on the spot."""
        if judged.info.inline and around is not None:
            if len(around) < judged.size:
                around.extend([None] * (judged.size - len(around)))
            return around
        return [None] * judged.size

    def legal_values(
        self,
        pos: Position,
        key: str,
        fixed: tuple[tuple[Value] | None, ...],
        around: Frame | None,
        extra: Callable[[tuple[Value, ...]], bool] | None = None,
        arrange: Callable[[tuple[Value, ...]], tuple[Value, ...]] | None = None,
    ) -> Iterator[tuple[Value, ...]]:
        """Every legal choice of the parameters, in order; a fixed one comes in a tuple."""
        judged = self.judged(key)
        frame = self.frame_for(judged, around)
        numbers, domains, checks = judged.numbers, judged.domains, judged.checks
        evaluator, costs = self.evaluator, judged.costs
        count = len(numbers)

        def choose(at: int, values: tuple[Value, ...]) -> Iterator[tuple[Value, ...]]:
            for check in checks[at]:
                if not check(pos, frame):
                    return
            if at == count:
                if extra is None or extra(values):
                    yield values
                return
            domain = as_set(domains[at](pos, frame))
            given = fixed[at]
            if given is not None:
                domain = given if given[0] in domain else ()
            elif arrange is not None:
                domain = arrange(domain)
            evaluator.burn(len(domain) * costs[at], judged.info.span)
            for value in domain:
                frame[numbers[at]] = value
                yield from choose(at + 1, (*values, value))

        return choose(0, ())

    # ------------------------------------------------------------ why not

    def refusals(
        self,
        pos: Position,
        requirements: core.Block,
        frame: Frame,
        lacking: frozenset[core.Expr] = frozenset(),
    ) -> Iterator[Refusal]:
        """Each requirement that fails, judged on its own.

        One that cannot be judged because an earlier one failed is not named: `lacking` is what
        earlier ones wanted to be there.
        """
        for statement in requirements:
            try:
                match statement:
                    case core.Let(local=local, value=node):
                        frame[local.number] = self.compiled(node)(pos, frame)
                    case core.Require(condition=node, message=message):
                        if not self.compiled(node)(pos, frame):
                            if not self._lacks(node, lacking, pos, frame):
                                says = self.saying(pos, message, frame)
                                yield Refusal(says, statement.span, statement.trail)
                            lacking |= Facts().assume(node, True).known.keys()
                    case core.If(branches=branches):
                        for branch in branches:
                            test = branch.condition
                            if test is None or self.compiled(test)(pos, frame):
                                yield from self.refusals(pos, branch.body, frame, lacking)
                                break
                    case _:
                        pass
            except (RulesError, KeyError, TypeError):
                continue

    def saying(self, pos: Position, said: core.Said, frame: Frame) -> Saying:
        """What a text says to whoever is choosing."""
        seat = pos.chooser

        def is_known(thing: Thing) -> bool:
            if seat is None or thing not in pos.place_of:
                return True
            return self.knowledge.knows(pos, seat, thing)

        return saying(said, lambda node: self.compiled(node)(pos, frame), is_known)

    def _lacks(
        self, node: core.Expr, wanted: frozenset[core.Expr], pos: Position, frame: Frame
    ) -> bool:
        """Whether something that an expression reads was wanted to be there, and isn't."""
        return any(
            part in wanted and self.compiled(part)(pos, frame) is None for part in expressions(node)
        )

    # ------------------------------------------------------------ order

    def arranged(
        self, pos: Position, viewer: Thing, apart: Collection[Value], values: tuple[Value, ...]
    ) -> tuple[Value, ...]:
        """Values in an order that tells the viewer nothing: pieces it can't identify come last."""
        if not self._has_secrets:
            return values
        place_of, knows = pos.place_of, self.knowledge.knows
        unknown = [
            value
            for value in values
            if isinstance(value, Thing) and value in place_of and not knows(pos, viewer, value)
        ]
        if not unknown:
            return values
        named = list(apart)

        def by_place(piece: Thing) -> tuple[int, int, int]:
            place = place_of[piece]
            info = self.table.game.kinds[place.kind].place
            assert info is not None
            at = pos.contents[place].index(piece) if info.stack else 0
            return place.order, at, named.index(piece) if piece in named else len(named)

        hidden = set(unknown)
        return (*(v for v in values if v not in hidden), *sorted(unknown, key=by_place))

    # ------------------------------------------------------------ alike

    def _places_by_piece(self) -> dict[str, tuple[dict[tuple[Value, ...], Thing], ...]]:
        """The families of places that belong to a single piece, by kind of piece."""
        found: dict[str, list[dict[tuple[Value, ...], Thing]]] = {}
        for name, kind in self.table.game.kinds.items():
            if kind.sort == "place" and len(kind.indexes) == 1:
                index = kind.indexes[0]
                if index.kind in self.table.game.kinds and not index.faces:
                    if self.table.game.kinds[index.kind].sort == "piece":
                        found.setdefault(index.kind, []).append(self.table.family(name))
        return {kind: tuple(families) for kind, families in found.items()}

    def signature(
        self, pos: Position, viewer: Thing, value: Value, apart: Collection[Value]
    ) -> object:
        """Equal for values that are alike to the viewer."""
        if not isinstance(value, Thing) or value not in pos.place_of:
            return value
        if value in apart:
            return value
        place = pos.place_of[value]
        shown: object = None
        known = self.knowledge.knows(pos, viewer, value)
        if known:
            shown = (look(value), self._visible_states(pos, viewer, value))
        at = None
        info = self.table.game.kinds[place.kind].place
        if info is not None and info.stack:
            at = pos.contents[place].index(value)
        inside = tuple(
            tuple(
                self.signature(pos, viewer, piece, apart)
                for piece in pos.contents[family[(value,)]]
            )
            for family in self._piece_places.get(value.kind, ())
        )
        return (value.kind, place, shown, at, inside)

    def _visible_states(self, pos: Position, viewer: Thing, piece: Thing) -> tuple[Value, ...]:
        return tuple(
            pos.slots[(key, piece)]
            for key, state in self.table.game.states.items()
            if state.owner == piece.kind and self.knowledge.sees_slot(pos, viewer, key, piece)
        )

    def merged_actions(
        self,
        pos: Position,
        viewer: Thing,
        key: str,
        legal: Iterator[tuple[Value, ...]],
        apart: Collection[Value],
    ) -> list[ActionOption]:
        """Legal choices, those that differ only by alike pieces taken as one."""
        name = self.table.game.actions[key].name
        groups: dict[tuple[object, ...], list[tuple[Value, ...]]] = {}
        for number, values in enumerate(legal):
            if number == MOST_OPTIONS:
                raise RulesError(mishaps.TOO_MANY_OPTIONS, self.table.game.actions[key].span)
            marks = tuple(self.signature(pos, viewer, value, apart) for value in values)
            groups.setdefault(marks, []).append(values)
        return [ActionOption(key, name, members[0], tuple(members)) for members in groups.values()]

    def apart(
        self, pos: Position, viewer: Thing, frames: list[tuple[Frame, int]]
    ) -> Collection[Value]:
        """Pieces that a slot or a local in scope names: they are not alike to any other.

        What the viewer can't see of the slots does not count.
        """
        named: dict[Value, None] = {}
        sees = self.knowledge.sees_slot
        for (key, owner), value in pos.slots.items():
            if isinstance(value, Thing | tuple) and sees(pos, viewer, key, owner):
                named.update(dict.fromkeys(_things(value)))
        for frame, depth in frames:
            for value in frame[:depth]:
                named.update(dict.fromkeys(_things(value)))
        return named.keys()


def _things(value: Value) -> tuple[Thing, ...]:
    values = value if isinstance(value, tuple) else (value,)
    if values and isinstance(values[0], int):
        return ()  # and so are the others, of which there may be very many
    return tuple(each for each in values if isinstance(each, Thing))


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
