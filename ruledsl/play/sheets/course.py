"""What is done in a game: steps, actions, and what happens by itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import attrs

from ruledsl.model import core
from ruledsl.model.game import ActionInfo, TriggerInfo
from ruledsl.model.walk import walk
from ruledsl.play.prose import begun
from ruledsl.play.sheets.context import SheetContext
from ruledsl.play.sheets.entries import Entry, under
from ruledsl.texts import sheets


@attrs.frozen
class Course:
    context: SheetContext

    def set_up(self) -> Iterator[Entry]:
        return self.steps(self._in_set_up())

    def turn(self) -> Iterator[Entry]:
        """The steps of the game, and then those that only actions and triggers call."""
        done = frozenset(self._in_set_up())
        shown = self._called("play", done)
        yield from self.steps(shown)
        steps = self.context.game.steps
        yield from self.steps(name for name in steps if name not in done and name not in shown)

    def _in_set_up(self) -> list[str]:
        return self._called("setup") if "setup" in self.context.game.steps else []

    def _called(self, start: str, without: frozenset[str] = frozenset()) -> list[str]:
        """A step and those it calls, in the order in which they are met."""
        found: dict[str, None] = {}
        todo = [start]
        while todo:
            name = todo.pop(0)
            if name in found or name in without:
                continue
            found[name] = None
            todo = [*self._calls(name), *todo]
        return list(found)

    def _calls(self, name: str) -> list[str]:
        info = self.context.game.steps[name]
        bodies = [info.body or (), *(row.body for row in info.rows)]
        return list(
            dict.fromkeys(part.step for part in walk(tuple(bodies)) if isinstance(part, core.Call))
        )

    def steps(self, names: Iterable[str]) -> Iterator[Entry]:
        prose = self.context.prose
        for name in names:
            info = self.context.game.steps[name]
            if info.body is not None:
                if name not in ("setup", "play"):
                    title = prose.heading(name, info.params)
                    yield Entry(title, head=True, trail=info.trail)
                yield from under(prose.block(info.body, prose.knowing(info.params)))
            for row in info.rows:
                title = f"{prose.procedure(name)}: {self.context.words.name(row.row)}"
                yield Entry(title, head=True, trail=row.trail)
                yield from under(prose.block(row.body, prose.knowing(row.params)))

    def actions(self) -> Iterator[Entry]:
        for info in self.context.game.actions.values():
            if not info.inline:
                yield from self._action(info)

    def _action(self, info: ActionInfo) -> Iterator[Entry]:
        picks = self.context.prose.picks(info.picks)
        title = begun(self.context.telling.action(info.key)) + (f" ({picks})" if picks else "")
        yield Entry(title, head=True, trail=info.trail)
        yield from under(self.context.prose.action(info))

    def triggers(self) -> Iterator[Entry]:
        for trigger in self.context.game.triggers.values():
            yield from self.trigger(trigger)

    def trigger(self, trigger: TriggerInfo) -> Iterator[Entry]:
        phrase, prose = self.context.phrase, self.context.prose
        picks = prose.picks(trigger.picks)
        title = self.context.words.trigger(trigger.name)
        title += f" ({picks})" if picks else ""
        if trigger.after:
            steps = ", ".join(map(prose.referred, trigger.after))
            title += f", {phrase(sheets.AFTER, steps=steps)}"
        yield Entry(title, head=True, trail=trigger.trail)
        if trigger.when is not None:
            when = phrase(sheets.WHEN, text=prose.condition(trigger))
            yield Entry(f"{begun(when)}:", 1)
        told = prose.block(trigger.body, prose.picked(trigger.picks))
        yield from under(told, 1 + (trigger.when is not None))
