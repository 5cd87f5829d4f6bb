"""What a game's rulebook says, and what it leaves open."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from ruledsl.model.coverage import coverage
from ruledsl.model.rule_texts import OWN
from ruledsl.play.prose import begun
from ruledsl.play.sheets.context import SheetContext
from ruledsl.play.sheets.entries import Entry, Section
from ruledsl.syntax.parser import parse


@attrs.frozen
class Book:
    context: SheetContext

    def names(self) -> str:
        """The rulebooks with their numbers."""
        return ", ".join(
            f"{self.context.words.text(book.title or book.prefix)} "
            f"(§{book.prefix}-{book.first} – {book.last})"
            for book in self.context.game.rulebooks
        )

    def aim(self) -> Iterator[Entry]:
        if self.context.game.aim is not None:
            yield Entry(self.context.words.text(self.context.game.aim))

    def sections(self) -> Iterator[Section]:
        """What the numbered rules say, under the headings of their sections."""
        sections: dict[str, list[Entry]] = {}
        for rule in self.context.game.rule_texts:
            said = self.context.words.rule(rule)
            if said is not None:
                sections.setdefault(said.section, []).append(Entry(f"{said.text} [§{rule}]"))
        return (Section(title, tuple(entries)) for title, entries in sections.items())

    def assumptions(self) -> Iterator[Entry]:
        """What the book leaves open, as this game takes it; only what is told in this language."""
        words = self.context.words
        files = [parse(source).file for source in self.context.game.sources.values()]
        cites: dict[str, dict[str, None]] = {}
        for each in coverage(files).assumptions:
            told = words.text(each.text) if each.text else ""
            if told and (words.language == OWN or told != each.text):
                cites.setdefault(begun(told), {}).update(dict.fromkeys(map(str, each.cites)))
        return (
            Entry(f"{text} [{' '.join(f'§{cite}' for cite in rules)}]" if rules else text)
            for text, rules in cites.items()
        )
