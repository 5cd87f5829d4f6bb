"""Load a game by name or path, ready to be played."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Mapping

import attrs

from ruledsl.diagnostics.diagnostic import Diagnostic
from ruledsl.diagnostics.source import Source
from ruledsl.diagnostics.suggest import did_you_mean
from ruledsl.diagnostics.unreadable import LibraryError
from ruledsl.library import Library
from ruledsl.model.allowance import Allowance
from ruledsl.model.game import CheckedGame
from ruledsl.play.check import check_source
from ruledsl.play.match import Match
from ruledsl.syntax import ast
from ruledsl.syntax.parser import declared
from ruledsl.table.errors import RulesError
from ruledsl.table.things import Value

MOST_SEED = 2**53
"""Too many to be tried out, and exact in every JSON reader."""

_SAYS_VARIANT = re.compile("^variant", re.MULTILINE)
"""Other files need not be parsed to know that they are no variants."""


class LoadError(Exception):
    """A game that can't be played: not found, or its rules have mistakes (`diagnostics`)."""

    def __init__(
        self,
        message: str,
        diagnostics: tuple[Diagnostic, ...] = (),
        sources: Mapping[str, Source] | None = None,
    ) -> None:
        super().__init__(message)
        self.diagnostics = diagnostics
        for each in diagnostics:
            self.add_note(f"{each.span.file}:{each.span.line}: {each.message}")
        self.sources = dict(sources or {})


@attrs.frozen
class Game:
    """A game that passed the checks."""

    checked: CheckedGame
    source: Source
    library: Library

    @property
    def name(self) -> str:
        return self.checked.variant or self.checked.name

    @property
    def title(self) -> str:
        return self.checked.title

    @property
    def players(self) -> tuple[int, ...]:
        """The numbers of players it is for."""
        return self.checked.players

    def variants(self) -> tuple[str, ...]:
        """The variants of this game, by name."""
        return variants_of(self.name, self.library, self.source)

    def variant(self, name: str) -> Game:
        """A variant of this game."""
        wanted = name.replace("-", "_")
        known = self.variants()
        if wanted not in known:
            hint = did_you_mean(wanted, known)
            listed = f"; {hint}" if hint else ""
            raise LoadError(f"{self.name} has no variant {name}{listed}")
        source = self.library.source(wanted, near=self.source.name)
        assert source is not None
        return load_source(source, self.library).allowing(self.checked.allowance)

    def allowing(self, allowance: Allowance) -> Game:
        """The same game, whose rules may do more, or less."""
        return attrs.evolve(self, checked=attrs.evolve(self.checked, allowance=allowance))

    def start(
        self,
        players: int | None = None,
        variant: str | None = None,
        options: Mapping[str, Value | str] | None = None,
        seed: int | None = None,
        language: str = "en",
    ) -> Match:
        """Begin a match; without a seed, one is drawn."""
        if variant is not None:
            return self.variant(variant).start(players, None, options, seed, language)
        number = self.usual_players() if players is None else players
        if number not in self.players:
            allowed = ", ".join(str(each) for each in self.players)
            raise LoadError(f"{self.title} is for {allowed} players, not {number}")
        drawn = secrets.randbelow(MOST_SEED) if seed is None else seed
        try:
            return Match(self.checked, number, options, drawn, language)
        except RulesError as error:
            if error.kind == "option":
                raise LoadError(error.message) from error
            where = f"{error.span.file}:{error.span.line}"
            text = f"the rules go wrong before the first choice: {error.message} ({where})"
            raise LoadError(text) from error

    def usual_players(self) -> int:
        """Four where possible, otherwise as near to it as the game allows."""
        return min(self.players, key=lambda number: (abs(number - 4), -number))


def load(name_or_path: str, library: Library | None = None) -> Game:
    """Load a shipped game by name, or a rules file by path."""
    shelf = Library() if library is None else library
    return _found(shelf, lambda: shelf.find(name_or_path))


def load_named(name: str) -> Game:
    """Load a shipped game by its name, and nothing else."""
    shelf = Library()
    return _found(shelf, lambda: shelf.named(name))


def _found(shelf: Library, find: Callable[[], Source]) -> Game:
    try:
        source = find()
    except LibraryError as error:
        hint = f"; {error.hint}" if error.hint else ""
        raise LoadError(f"{error}{hint}") from error
    return load_source(source, shelf)


def load_source(source: Source, library: Library) -> Game:
    """Load a game from a text that was read already."""
    checked = check_source(source, library)
    if checked.game is None:
        errors = tuple(d for d in checked.diagnostics if d.severity == "error")
        message = f"{source.name} has {len(errors)} mistake{'s' * (len(errors) != 1)}"
        raise LoadError(message, errors, checked.sources)
    if "play" not in checked.game.steps:
        raise LoadError(f"{source.name} is a library, not a game")
    return Game(checked.game, source, library)


def variants_of(name: str, library: Library, near: Source) -> tuple[str, ...]:
    """The variants of a game or variant by name, found by their headers; indirect ones too."""
    bases: dict[str, tuple[str, ...]] = {}
    for other in library.names(near.name):
        try:
            source = library.source(other, near=near.name)
        except LibraryError:
            continue
        if source is None or not _SAYS_VARIANT.search(source.text):
            continue
        for item in declared(source, ("game", "variant", "library"))[:1]:
            if isinstance(item, ast.Variant):
                bases[item.name.text] = tuple(base.text for base in item.bases)
    found: set[str] = set()
    todo = {name}
    while todo:
        todo = {other for other, built_on in bases.items() if todo & {*built_on}} - found
        found |= todo
    return tuple(sorted(found))
