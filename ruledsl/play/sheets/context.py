"""What every part of a sheet is told with: the game, its words, its tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import attrs

from ruledsl.model import core
from ruledsl.model.game import CheckedGame, Kind
from ruledsl.model.giving import is_given
from ruledsl.play.inflection import Noun, fixed
from ruledsl.play.noun_phrases import NounPhrases
from ruledsl.play.prose import Prose, begun, ended
from ruledsl.play.words import Words
from ruledsl.table.table import Table
from ruledsl.texts import sheets
from ruledsl.texts.text import Phrases


@attrs.frozen
class SheetContext:
    """A game with the words of one language and the tables for some numbers of players."""

    game: CheckedGame
    words: Words
    phrase: Phrases
    prose: Prose
    telling: NounPhrases
    """words for expressions where no local is in scope"""
    tables: Mapping[int, Table]
    """by number of players"""

    def sentence(self, text: str) -> str:
        return ended(begun(self.prose.polished(text)))

    def numbers(self, players: tuple[int, ...]) -> str:
        """Numbers of players: `2–4`, or `2, 4`."""
        if len(players) > 1 and players[-1] - players[0] == len(players) - 1:
            return f"{players[0]}–{players[-1]}"
        return ", ".join(map(str, players))

    def at_tables(self, tell: Callable[[Table], str]) -> str:
        """What is told of the table, for all numbers of players."""
        return self.by_players({number: tell(table) for number, table in self.tables.items()})

    def by_players(self, texts: Mapping[int, str]) -> str:
        """One text if it is the same for any number of players, else each with its numbers."""
        groups: dict[str, list[int]] = {}
        for number, text in texts.items():
            groups.setdefault(text, []).append(number)
        if len(groups) == 1:
            return next(iter(groups))
        if all(text.isdecimal() for text in groups):
            numbers = self.phrase(sheets.PLAYERS, number=self.numbers(tuple(texts)))
            return f"{' / '.join(texts.values())} ({numbers})"
        return "; ".join(
            self.phrase(sheets.WITH, numbers=self.numbers(tuple(numbers)), text=text)
            for text, numbers in groups.items()
        )

    def indexes(self, kind: Kind) -> str:
        """What a kind is indexed by; a range of numbers has only the name of the index."""
        nouns = (self._index(index.kind, index.name) for index in kind.indexes)
        return str(self.telling.listed([fixed(noun.one) for noun in nouns]))

    def _index(self, kind: str, name: str) -> Noun:
        if kind == "Player" or kind in self.game.kinds:
            return self.telling.kind_noun(kind)
        return self.telling.own_noun(name) if name == "number" else self.telling.noun(name)

    def seen(self, own: core.Local, sight: core.Expr) -> str:
        """When a place or a value is seen."""
        return self.phrase(sheets.SEEN_WHEN, text=self.prose.seen_when(own, sight))

    def is_shown(self, key: str) -> bool:
        """Whether this is shown at a table, and not mere bookkeeping."""
        look = self.game.looks.get(key)
        return not is_given(key) and (look is None or not look.bookkeeping)


def context_of(game: CheckedGame, language: str, players: tuple[int, ...]) -> SheetContext:
    words = Words(game, language)
    prose = Prose(words)
    tables = {number: Table(game, number) for number in players}
    return SheetContext(game, words, Phrases(language), prose, prose.telling, tables)
