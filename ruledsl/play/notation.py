"""How the options of a decision are written by those who play the game, and read again."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import product

import attrs

from ruledsl.model import core
from ruledsl.model.game import MannerInfo
from ruledsl.model.types import ThingType, plain
from ruledsl.play.decisions import ActionOption, Decision, DoneOption, Option, ValueOption
from ruledsl.play.interpreter import Interpreter
from ruledsl.play.sayings import filled
from ruledsl.play.words import Words
from ruledsl.table.errors import RulesError
from ruledsl.table.evaluate import frame_size
from ruledsl.table.queries import Frame
from ruledsl.table.things import Thing, Value

MOST_WAYS = 64
"""Ways to write an option after which no more are looked for."""


@attrs.frozen
class Notation:
    """The notation at one decision; it tells no more than whoever decides knows."""

    words: Words
    interpreter: Interpreter
    decision: Decision
    _ways: dict[Option, tuple[tuple[str, ...], ...]] = attrs.Factory(dict)

    def ways(self, option: Option) -> tuple[tuple[str, ...], ...]:
        """All ways to write an option: for each text of the rules the usual one first."""
        if option not in self._ways:
            self._ways[option] = tuple(self._written(option))
        return self._ways[option]

    def written(self, option: ActionOption) -> str:
        """How an option is written: in the first way in which no other one is."""
        ways = [way[0] for way in self.ways(option) if way]
        others = [each for each in self.decision.options if each != option] if ways else []
        return next((way for way in ways if not self.read(way, others, closely=True)), "")

    def read(self, text: str, options: Iterable[Option], *, closely: bool) -> list[int]:
        """The numbers of the options that a text stands for; closely, to the letter."""
        wanted = text if closely else _loose(text)
        if not wanted:
            return []
        return [
            number
            for number, option in enumerate(options)
            if self._may_be(option, _loose(text))
            and any(
                wanted == (each if closely else _loose(each))
                for way in self.ways(option)
                for each in way
            )
        ]

    def _may_be(self, option: Option, text: str) -> bool:
        """Whether a loose text has in it what is always written; this is seen at a glance."""
        if not isinstance(option, ActionOption):
            return True
        needed = (option.values[at] for at in self._always(option.key))
        return all(any(_loose(sign) in text for sign in self.words.signs(each)) for each in needed)

    def _always(self, key: str) -> tuple[int, ...]:
        """The parameters that stand in every way to write an action."""
        info = self.interpreter.game.actions[key]
        texts = [text for manner in self._manners(key) for text in manner.texts]
        return tuple(
            at
            for at, draw in enumerate(info.picks)
            if all(draw.local in text.values for text in texts)
        )

    def _manners(self, key: str) -> tuple[MannerInfo, ...]:
        return self.interpreter.game.notation.actions.get(key, ())

    def beginnings(self, text: str) -> list[tuple[int, str]]:
        """The options that a text may begin with, and what remains of it, the shortest first."""
        found: list[tuple[int, str]] = []
        for number, option in enumerate(self.decision.options):
            for each in (each for way in self.ways(option) for each in way):
                rest = text[len(each) :]
                split = each[-1:].isdigit() and rest[:1].isdigit()
                if each and not split and text.casefold().startswith(each.casefold()):
                    found.append((number, re.sub(r"^[^\w]+", "", rest)))
        return sorted({each for each in found if each[1]}, key=lambda each: len(each[1]))

    # ------------------------------------------------------------ in which ways

    def _written(self, option: Option) -> Iterator[tuple[str, ...]]:
        match option:
            case ActionOption(key=key, values=values):
                if self._knows(values):
                    yield from self._action(key, values)
            case ValueOption(value=value):
                if self._knows((value,)):
                    yield self.words.signs(value)
            case DoneOption():
                return

    def _knows(self, values: Iterable[Value]) -> bool:
        """Whether the one who decides can tell all pieces among these."""
        pos, knowledge = self.interpreter.pos, self.interpreter.knowledge
        return all(
            knowledge.knows(pos, self.decision.seat, value)
            for value in values
            if isinstance(value, Thing) and value in pos.place_of
        )

    def _action(self, key: str, values: tuple[Value, ...]) -> Iterator[tuple[str, ...]]:
        interpreter = self.interpreter
        manners = self._manners(key)
        if not manners:
            return
        legality = interpreter.legality
        judged = legality.judged(key)
        frame = legality.frame_for(judged, [*self.decision.frame] if judged.info.inline else None)
        for number, value in zip(judged.numbers, values, strict=True):
            frame[number] = value
        with interpreter.as_chooser(self.decision.seat):
            for manner in manners:
                yield from self._manner(manner, frame)

    def _manner(self, manner: MannerInfo, frame: Frame) -> Iterator[tuple[str, ...]]:
        pos, compiled = self.interpreter.pos, self.interpreter.legality.compiled
        room = frame_size(*manner.texts, manner.where)
        frame = [*frame, *[None] * (room - len(frame))]
        try:
            if manner.where is not None and not compiled(manner.where)(pos, frame):
                return
            for said in manner.texts:
                signs = [self._signs(node, compiled(node)(pos, frame)) for node in said.values]
                ways = product(*signs)
                text = self.words.text(said.text)
                yield tuple(
                    filled(text, dict(zip(said.holes, way, strict=True)))
                    for way, _ in zip(ways, range(MOST_WAYS), strict=False)
                )
        except RulesError:
            return  # what can't be worked out is not written

    def _signs(self, node: core.Expr, value: Value) -> tuple[str, ...]:
        """The ways to write a value; of a column of a grid, its letter."""
        match node:
            case core.ReadFeature(feature="col", subject=subject) if isinstance(value, int):
                of = plain(subject.type)
                kinds = of.kinds if isinstance(of, ThingType) else ()
                return tuple(self.words.column(kind, value) for kind in kinds)
            case _:
                return self.words.signs(value)


def _loose(text: str) -> str:
    """A text without what many leave out or add: case, blanks, dashes, marks of praise."""
    return re.sub(r"[\s\-–—+#!?.:*=()]", "", text.casefold())
