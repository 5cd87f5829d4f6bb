"""Decisions: what may be chosen, asking for it, and carrying out what was chosen."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Generator, Iterator
from functools import partial
from itertools import accumulate
from typing import assert_never

from ruledsl.diagnostics.source import Span
from ruledsl.model import core
from ruledsl.model.allowance import GAME_QUERIES, GAME_STATEMENTS
from ruledsl.model.checks.leaks import asked_secretly
from ruledsl.model.game import ActionInfo, FamilyShape
from ruledsl.play.decisions import ActionOption, Decision, DoneOption, Option, ValueOption
from ruledsl.play.effects import Effects
from ruledsl.play.events import Chosen
from ruledsl.play.running import Answer, Run
from ruledsl.table import mishaps
from ruledsl.table.errors import RulesError
from ruledsl.table.limits import MOST_OPTIONS
from ruledsl.table.queries import Frame, as_set
from ruledsl.table.things import Thing, Value, in_order, is_nameless


class Choosing(Effects):
    """The two forms of `choose`."""

    @abstractmethod
    def run_action(
        self, info: ActionInfo, seat: Thing, values: tuple[Value, ...], around: Frame | None
    ) -> Run:
        """Carry out an action that was chosen."""

    def _ask(self, decision: Decision) -> Generator[Decision, Option, Option]:
        """The option chosen; a single one is taken without asking."""
        self._forced = len(decision.options) == 1
        if self._forced and not self.ask_always:
            if self.on_forced is not None:
                self.on_forced(decision)
            self.settle_unasked()
            return decision.options[0]
        if len(decision.options) > 1 and self.refuels:
            self._grant_more()
        self._asked += 1
        self.settle()
        chosen = yield decision
        number = decision.options.index(chosen)
        self.answers.append(Answer(number, decision.seat, self.together_number))
        return chosen

    def _grant_more(self) -> None:
        """Somebody decides: what follows has time of its own, but not for ever."""
        evaluator, allowance = self.table.evaluator, self.game.allowance
        self.statements += allowance.statements - evaluator.work
        self.passes += allowance.queries - evaluator.fuel
        if (
            self.statements > GAME_STATEMENTS * allowance.statements
            or self.passes > GAME_QUERIES * allowance.queries
        ):
            raise RulesError(mishaps.GAME_TOO_LONG, self.game.steps["play"].span)
        evaluator.refuel()

    def _choose_value(self, statement: core.ChooseValue, frame: Frame) -> Run:
        self._count_decision()
        seat = self._seat(statement.by, frame, statement.span)
        apart = self.legality.apart(self.pos, seat, [*self.frames, (frame, statement.depth)])
        with self.as_chooser(seat):
            found = self._candidates(statement, frame)
            candidates = self.legality.arranged(self.pos, seat, apart, tuple(found))
        groups: dict[object, list[Value]] = {}
        for value in candidates:
            mark = self.legality.signature(self.pos, seat, value, apart)
            groups.setdefault(mark, []).append(value)
        classes = [tuple(group) for group in groups.values()]
        chosen: Value
        match statement.how_many.word:
            case "one" | "optional":
                options: list[Option] = [ValueOption(group[0], group) for group in classes]
                if statement.how_many.word == "optional":
                    options.append(ValueOption(None, (None,)))
                if not options:
                    yield from self._nothing_legal(statement, frame)
                    if isinstance(statement.target, core.Local):
                        frame[statement.target.number] = None
                    return
                decision = self._decision(statement, seat, tuple(options), frame)
                option = yield from self._ask(decision)
                assert isinstance(option, ValueOption)
                chosen = self._one_of(option.members)
            case "any" | "some" | "exactly" | "up to":
                if statement.how_many.word in ("some", "exactly") and not candidates:
                    if statement.otherwise is not None:
                        yield from self.block(statement.otherwise, frame)
                        if isinstance(statement.target, core.Local):
                            frame[statement.target.number] = None
                        return
                    if statement.how_many.word == "some":
                        raise self._stuck(statement.span)
                chosen = yield from self._choose_several(statement, seat, classes, frame)
            case _:
                assert_never(statement.how_many.word)
        self.take_value(statement, seat, chosen, frame)

    def take_value(
        self, statement: core.ChooseValue, seat: Thing, chosen: Value, frame: Frame
    ) -> None:
        """Keep what was chosen where the statement says."""
        viewers = frozenset(self.table.things("Player"))
        if isinstance(statement.target, core.Local):
            frame[statement.target.number] = chosen
        else:
            self._assign(statement.target, chosen, frame, statement)
            viewers = self._viewers(statement.target, frame)
        values = chosen if isinstance(chosen, tuple) else (chosen,)
        self._log_choice(statement, seat, None, values, viewers | {seat})

    def _candidates(self, statement: core.ChooseValue, frame: Frame) -> list[Value]:
        number = statement.element.number
        before = frame[number]
        where = None if statement.where is None else self.legality.compiled(statement.where)
        required = [self.legality.compiled(each.condition) for each in statement.requirements]
        found: list[Value] = []
        for value in as_set(self.value(statement.domain, frame)):
            frame[number] = value
            if where is not None and not where(self.pos, frame):
                continue
            if all(condition(self.pos, frame) for condition in required):
                found.append(value)
                if len(found) > MOST_OPTIONS:
                    raise RulesError(mishaps.TOO_MANY_OPTIONS, statement.domain.span)
        frame[number] = before
        return found

    def _decision(
        self,
        statement: core.ChooseValue | core.ChooseAction,
        seat: Thing,
        options: tuple[Option, ...],
        frame: Frame,
        picked: tuple[Value, ...] = (),
        *,
        several: bool = False,
        least: int = 0,
        most: int = 0,
        classes: tuple[tuple[Value, ...], ...] = (),
    ) -> Decision:
        return Decision(
            seat=seat,
            options=options,
            prompt=statement.prompt,
            span=statement.span,
            trail=statement.trail,
            picked=picked,
            several=several,
            least=least,
            most=most,
            classes=classes,
            together=self._together,
            statement=statement,
            frame=frame,
        )

    def _one_of(self, members: tuple[Value, ...]) -> Value:
        """One of several that are alike to the chooser: by chance, if they differ in truth."""
        pieces = tuple(piece for piece in members if isinstance(piece, Thing))
        if len(pieces) < 2 or pieces[0] not in self.pos.place_of:
            return members[0]
        first = self._look(pieces[0])
        if all(self._look(piece) == first for piece in pieces):
            return pieces[0]
        return self.chance.one_of(pieces)

    def _choose_several(
        self,
        statement: core.ChooseValue,
        seat: Thing,
        classes: list[tuple[Value, ...]],
        frame: Frame,
    ) -> Generator[Decision, Option, tuple[Value, ...]]:
        """Pick after pick, never going back in the order; alike ones are taken by number."""
        behind = [*accumulate((len(group) for group in reversed(classes)), initial=0)][::-1]
        least, most = self._bounds(statement, frame, behind[0])
        whole = tuple(classes)
        picked: list[Value] = []
        at = 0
        taken = 0
        while len(picked) < most:
            options: list[Option] = []
            numbers: list[int] = []
            for number in range(at, len(classes)):
                left = classes[number][taken:] if number == at else classes[number]
                rest = behind[number] - (taken if number == at else 0)
                # Passing over what is needed to reach the least number is not possible.
                if len(picked) + rest < least:
                    break
                if left:
                    options.append(ValueOption(left[0], left))
                    numbers.append(number)
            if len(picked) >= least:
                options.append(DoneOption())
            decision = self._decision(
                statement,
                seat,
                tuple(options),
                frame,
                tuple(picked),
                several=True,
                least=least,
                most=most,
                classes=whole,
            )
            if not options:
                break
            option = yield from self._ask(decision)
            if isinstance(option, DoneOption):
                break
            assert isinstance(option, ValueOption)
            number = numbers[options.index(option)]
            taken = taken + 1 if number == at else 1
            at = number
            picked.append(option.value)
        return in_order(set(self._truly(picked, classes)))

    def _truly(self, picked: list[Value], classes: list[tuple[Value, ...]]) -> Iterator[Value]:
        """The pieces picked; among unlike ones that look alike, chance decides which."""
        taken = set(picked)
        for group in classes:
            number = sum(value in taken for value in group)
            pieces = tuple(piece for piece in group if isinstance(piece, Thing))
            if number and number < len(pieces) and pieces[0] in self.pos.place_of:
                first = self._look(pieces[0])
                if not all(self._look(piece) == first for piece in pieces):
                    yield from self.chance.shuffled(pieces)[:number]
                    continue
            yield from group[:number]

    def _bounds(self, statement: core.ChooseValue, frame: Frame, total: int) -> tuple[int, int]:
        """The least and the greatest number that can be chosen."""
        amount = statement.how_many.amount
        number = 0 if amount is None else max(0, self.number(amount, frame))
        match statement.how_many.word:
            case "any":
                return 0, total
            case "some":
                return 1, total
            case "exactly":
                return min(number, total), min(number, total)
            case _:
                return 0, min(number, total)

    def _stuck(self, span: Span) -> RulesError:
        return RulesError(mishaps.NOTHING_LEGAL, span)

    def _nothing_legal(self, statement: core.ChooseValue | core.ChooseAction, frame: Frame) -> Run:
        if statement.otherwise is None:
            raise self._stuck(statement.span)
        yield from self.block(statement.otherwise, frame)

    def _choose_action(self, statement: core.ChooseAction, frame: Frame) -> Run:
        self._count_decision()
        seat = self._seat(statement.by, frame, statement.span)
        options = self.action_options(statement, seat, frame)
        if not options:
            yield from self._nothing_legal(statement, frame)
            return
        option = yield from self._ask(self._decision(statement, seat, options, frame))
        assert isinstance(option, ActionOption)
        yield from self.take_action(statement, seat, option, frame)

    def take_action(
        self, statement: core.ChooseAction, seat: Thing, option: ActionOption, frame: Frame
    ) -> Run:
        """Carry out the action that was chosen."""
        values = self._true_member(option)
        info = self.game.actions[option.key]
        viewers = frozenset(self.table.things("Player"))
        self._log_choice(statement, seat, info, values, viewers, option.written)
        self.frames.append((frame, statement.depth))
        self.calls.append(statement)
        try:
            pieces = frozenset(value for value in values if isinstance(value, Thing))
            with self.knowledge.following(pieces):
                yield from self.run_action(info, seat, values, frame if info.inline else None)
        finally:
            self.frames.pop()
            self.calls.pop()

    def _true_member(self, option: ActionOption) -> tuple[Value, ...]:
        if len(option.members) < 2:
            return option.values
        looks = {
            tuple(
                self._look(value)
                if isinstance(value, Thing) and value in self.pos.place_of
                else (value,)
                for value in member
            )
            for member in option.members
        }
        if len(looks) == 1:
            return option.values
        return self.chance.one_of(option.members)

    def action_options(
        self, statement: core.ChooseAction, seat: Thing, frame: Frame
    ) -> tuple[Option, ...]:
        """Everything the player may do now, in the order of the rules."""
        apart = self.legality.apart(self.pos, seat, [*self.frames, (frame, statement.depth)])
        options: list[Option] = []
        with self.as_chooser(seat):
            for offer in statement.offers:
                fixed = tuple(
                    None if node is None else (self.value(node, frame),) for node in offer.arguments
                )
                options.extend(self._offered(offer, seat, fixed, frame, apart))
        return tuple(options)

    def _offered(
        self,
        offer: core.Offer,
        seat: Thing,
        fixed: tuple[tuple[Value] | None, ...],
        frame: Frame,
        apart: Collection[Value],
    ) -> list[ActionOption]:
        info = self.game.actions[offer.action]
        conditions = [self.legality.compiled(each.condition) for each in offer.requirements]

        def extra(values: tuple[Value, ...]) -> bool:
            self.bind_offer(offer, values, frame)
            return all(condition(self.pos, frame) for condition in conditions)

        legal = self.legality.legal_values(
            self.pos,
            info.key,
            fixed,
            frame if info.inline else None,
            extra if conditions else None,
            partial(self.legality.arranged, self.pos, seat, apart),
        )
        return self.legality.merged_actions(self.pos, seat, info.key, legal, apart)

    def bind_offer(self, offer: core.Offer, values: tuple[Value, ...], frame: Frame) -> None:
        """Give the offer's own requirements the action's parameters."""
        needed = max((local.number for local in offer.locals), default=-1) + 1
        if len(frame) < needed:
            frame.extend([None] * (needed - len(frame)))
        for local, value in zip(offer.locals, values, strict=True):
            frame[local.number] = value

    def _log_choice(
        self,
        statement: core.ChooseValue | core.ChooseAction,
        seat: Thing,
        info: ActionInfo | None,
        values: tuple[Value, ...],
        viewers: frozenset[Thing],
        written: str = "",
    ) -> None:
        self.hands.record(
            Chosen(
                seat,
                None if info is None else info.key,
                values,
                viewers,
                tuple(self._standing(values)),
                _told_to_all(statement.prompt),
                self._forced,
                written,
                span=statement.span if info is None else info.span,
                trail=statement.trail if info is None else (*statement.trail, *info.trail),
                seen=frozenset(self._watching(seat, values)),
                openly=statement.span not in asked_secretly(self.game),
            )
        )

    def _watching(self, seat: Thing, values: tuple[Value, ...]) -> Iterator[tuple[Thing, Thing]]:
        """Who sees which pieces are chosen; who only knows of them can't tell if it is these."""
        for value in values:
            if isinstance(value, Thing) and value in self.pos.place_of:
                for viewer in self.table.things("Player"):
                    sees = self.knowledge.sees(self.pos, viewer, value)
                    if sees or (viewer is seat and (viewer, value) in self.knowledge.known):
                        yield viewer, value

    def _standing(self, values: tuple[Value, ...]) -> Iterator[tuple[Thing, Thing]]:
        """The nameless pieces among some values that stand on a board, with their places."""
        for value in values:
            if isinstance(value, Thing) and value in self.pos.place_of and is_nameless(value):
                place = self.pos.place_of[value]
                info = self.game.kinds[place.kind].place
                if info is not None and not isinstance(info.shape, FamilyShape):
                    yield value, place


def _told_to_all(prompt: core.Said | None) -> str | None:
    """What everybody may read of a prompt: values in it are for the one who is asked."""
    return None if prompt is None or prompt.holes else prompt.text
