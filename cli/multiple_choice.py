"""A choice of several, collected in any order before it is made."""

from __future__ import annotations

import re

import attrs

from ruledsl.play.decisions import Decision, DoneOption, ValueOption
from ruledsl.play.match import Choice, Match
from ruledsl.play.typed import Typed, named
from ruledsl.table.things import Thing, Value

from .drawing.text import in_columns, safe, styled


@attrs.frozen
class Wrong:
    """Something that can't be picked; `typed` says why, unless there are no more of it."""

    text: str
    typed: Typed


@attrs.define
class Basket:
    """What was picked so far: numbers of `groups`, alike pieces as often as wanted."""

    match: Match
    decision: Decision
    taken: list[int] = attrs.Factory(list)
    groups: list[tuple[int, ...]] = attrs.field(init=False)
    """numbers of `decision.classes`, those together that nobody at the table can tell apart"""

    @groups.default
    def _grouped(self) -> list[tuple[int, ...]]:
        """Pieces that the rules have chosen together before are classes of their own, as they have
        a name by now. Whoever sees that they are the same takes one for the other."""
        interpreter, seat = self.match.interpreter, self.decision.seat
        found: dict[object, list[int]] = {}
        for number, (value, *_) in enumerate(self.decision.classes):
            pos = interpreter.pos
            mark: object = number
            if isinstance(value, Thing) and value in pos.place_of:
                if interpreter.knowledge.knows(pos, seat, value):
                    mark = interpreter.legality.signature(pos, seat, value, ())
            found.setdefault(mark, []).append(number)
        return [tuple(numbers) for numbers in found.values()]

    @property
    def values(self) -> list[tuple[Value, ...]]:
        """What each group is made of."""
        classes = self.decision.classes
        return [tuple(value for at in group for value in classes[at]) for group in self.groups]

    @property
    def labels(self) -> list[str]:
        return [self.match.labels.label(ValueOption(each[0], each)) for each in self.values]

    def menu(self, columns: int) -> list[str]:
        items = []
        for number, (label, group) in enumerate(zip(self.labels, self.values, strict=True), 1):
            copies = f" ({len(group)} ×)" if len(group) > 1 else ""
            items.append(f"{styled(f'{number})', 'dim')} {safe(label)}{copies}")
        return in_columns(items, columns, "  ")

    def taken_labels(self) -> str:
        labels = self.labels
        return ", ".join(safe(labels[number]) for number in self.taken)

    @property
    def enough(self) -> bool:
        return len(self.taken) >= self.decision.least

    @property
    def full(self) -> bool:
        return len(self.taken) >= self.decision.most

    def is_done(self, text: str) -> bool:
        """Whether somebody says that this is all, or none at all."""
        counting = any(isinstance(group[0], int) for group in self.values)
        if text == "0" and not self.taken and not self.decision.least and not counting:
            return True
        return text.casefold() in ("done", self.match.words.own("done").casefold())

    def add(self, texts: list[str]) -> Wrong | None:
        """Pick what is meant, all or nothing."""
        taken = list(self.taken)
        for text in texts:
            count, name = _counted(text)
            found = self._meant(name)
            if isinstance(found, Typed):
                return Wrong(name, found)
            taken += [found] * min(count, len(self.values[found]) + 1)
            if taken.count(found) > len(self.values[found]):
                return Wrong(name, Typed(None, "none left"))
        if len(taken) > self.decision.most:
            return Wrong(", ".join(texts), Typed(None, "too many"))
        self.taken = taken
        return None

    def meant(self, text: str) -> str | None:
        """What can be picked by this name."""
        found = self._meant(text)
        return None if isinstance(found, Typed) else self.labels[found]

    def _meant(self, text: str) -> int | Typed:
        groups = self.values
        counting = any(isinstance(group[0], int) for group in groups)
        if re.fullmatch(r"[0-9]{1,18}\)?", text) and (text.endswith(")") or not counting):
            number = int(text.removesuffix(")")) - 1
            return number if 0 <= number < len(groups) else Typed(None, "unknown")
        options = [ValueOption(group[0], group) for group in groups]
        noted = self.match.notation.read(text, options, closely=False)
        if len(noted) == 1:
            return noted[0]
        codes = [self.match.labels.code(option) for option in options]
        fitting = named(text, list(zip(self.labels, codes, strict=True)))
        if len(fitting) == 1:
            return fitting[0]
        if fitting:
            return Typed(None, "ambiguous", fitting)
        typed = self.match.read(text)
        return typed if typed.problem == "illegal" else Typed(None, "unknown")

    def next_choice(self) -> Choice | None:
        """The next option to take in the match for what was picked; None when all is done."""
        decision = self.match.decision
        if (
            decision is None
            or decision.statement is not self.decision.statement
            or decision.seat is not self.decision.seat
            or not decision.several
        ):
            return None
        classes = self.decision.classes
        wanted = sorted(
            at
            for number, group in enumerate(self.groups)
            for at in [at for at in group for _ in classes[at]][: self.taken.count(number)]
        )
        made = len(decision.picked)
        for choice in self.match.options:
            match choice.option:
                case ValueOption(value=value) if made < len(wanted):
                    if value in classes[wanted[made]]:
                        return choice
                case DoneOption() if made == len(wanted):
                    return choice
                case _:
                    pass
        return None


def _counted(text: str) -> tuple[int, str]:
    """`2 x penny` is two of them."""
    found = re.fullmatch(r"([0-9]{1,18})\s*[x×*]\s*(.+)", text)
    return (int(found[1]), found[2]) if found else (1, text)
