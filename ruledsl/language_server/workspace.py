"""The files an editor works on: what is open, what it builds on, and what builds on it.

Everything is asked of the texts in the editor; files that are not open are read by the library.
What a check finds is exactly what `ruledsl check` would find in the same texts.
"""

from __future__ import annotations

import re
from collections import Counter

import attrs

from ruledsl.diagnostics.source import Source
from ruledsl.diagnostics.unreadable import LibraryError
from ruledsl.language_server.analysis import Analysis
from ruledsl.language_server.reading import KeptTexts
from ruledsl.library import Library
from ruledsl.model.memory import Memory, same
from ruledsl.play.check import check_source
from ruledsl.syntax import ast
from ruledsl.syntax.parser import Parsed

_NAMED = re.compile(r"^(?:use|variant\s+\w+\s+of)\s+(.*)", re.MULTILINE)
_WORD = re.compile(r"\w+")


class Workspace:
    """Open texts over a library of files. Sources go by the names the library gives them."""

    def __init__(self, library: Library | None = None) -> None:
        self._files = Library() if library is None else library
        self._opened: dict[str, Source] = {}
        self._texts = KeptTexts()
        self._memories: dict[str, Memory] = {}
        self._analyses: dict[str, Analysis] = {}
        self._changes = 0
        self._own_changes: Counter[str] = Counter()
        self._as_of: dict[str, int] = {}
        """after how many changes of other texts each analysis was made"""
        self._built_on: dict[str, dict[str, Source]] = {}

    @property
    def library(self) -> Library:
        return attrs.evolve(self._files, opened=self._opened)

    # ------------------------------------------------------------ texts

    def open(self, name: str, text: str) -> None:
        """A file is open with this text, whatever is on the disk."""
        source = Source(name, text)
        if self._opened.get(name) != source:
            self._opened[name] = source
            self._changes += 1
            self._own_changes[name] += 1

    def close(self, name: str) -> None:
        """What is on the disk counts again."""
        self._opened.pop(name, None)
        self._changes += 1
        self._texts.forget(name)
        self._memories.pop(name, None)
        self._analyses.pop(name, None)
        self._built_on.pop(name, None)

    def opened(self) -> tuple[str, ...]:
        return tuple(self._opened)

    def source(self, name: str) -> Source | None:
        """The text of a file, as far as there is one that can be read."""
        try:
            return self._opened.get(name) or self.library.find(name)
        except LibraryError:
            return None

    def copy(self) -> Workspace:
        """A workspace on the same texts, in which something can be tried out."""
        other = Workspace(self._files)
        other._opened = dict(self._opened)
        other._texts = self._texts.copy()
        other._memories = {
            name: memory.copy(other._texts.parse) for name, memory in self._memories.items()
        }
        return other

    # ------------------------------------------------------------ what is known

    def analysis(self, name: str) -> Analysis | None:
        """What is known about a file with everything it builds on, as of now."""
        source = self.source(name)
        if source is None:
            return None
        known = self._analyses.get(name)
        if known is not None and known.source == source and self._is_current(known):
            return known
        memory = self._memories.setdefault(name, Memory(self._texts.parse))
        library = self.library
        parsed = self._texts.parse(source)
        if known is not None and self._says_the_same(known, parsed):
            checked = known.checked
        else:
            checked = check_source(source, library, memory)
        if checked.game is not None:
            self._texts.is_sound(name)
        analysis = Analysis(source, checked, parsed, library, self._texts, known)
        self._analyses[name] = analysis
        self._as_of[name] = self._others(name)
        self._built_on[name] = self._read_by(analysis)
        return analysis

    def _read_by(self, analysis: Analysis) -> dict[str, Source]:
        """The other files that a check has read."""
        return {
            name: source
            for name, source in analysis.checked.sources.items()
            if name != analysis.name
        }

    def _says_the_same(self, known: Analysis, parsed: Parsed) -> bool:
        """Whether only blanks between declarations and comments have changed."""
        return (
            parsed.diagnostics == known.steady.diagnostics
            and same(parsed.file.items, known.steady.file.items)
            and self._is_current(known)
        )

    def _is_current(self, known: Analysis) -> bool:
        """Whether no other file that was read has another text now.

        A file that was looked for in vain may exist now: then it is looked for again. Rules are
        also cited in files beside a game, which it does not build on.
        """
        name = known.name
        if known.steady.diagnostics or (known.diagnostics and known.resolved is None):
            return not known.needs and self._others(name) == self._as_of[name]
        cites = isinstance(known.header, ast.Game) and any(
            isinstance(line, ast.Rulebook) for line in known.header.lines
        )
        if cites and self._others(name) != self._as_of[name]:
            return False
        return all(self.source(other) == text for other, text in self._built_on[name].items())

    def _others(self, name: str) -> int:
        """How often texts other than this one have changed."""
        return self._changes - self._own_changes[name]

    # ------------------------------------------------------------ other files

    def files(self) -> tuple[Source, ...]:
        """The files in the folders of what is open, and what is open itself."""
        found: dict[str, Source] = {}
        library = self.library
        for name in self._opened:
            for source in library.beside(name):
                found.setdefault(source.name, source)
        found.update(self._opened)
        return tuple(found.values())

    def items(self, source: Source) -> tuple[ast.Item, ...]:
        """What a file declares; it is not checked for that."""
        return self._texts.in_text(self._texts.parse(source)).file.items

    def dependents(self, name: str) -> tuple[str, ...]:
        """The files that build on this one, directly or not, found by their headers."""
        files = self.files()
        needs = {source.name: set(needed(source.text)) for source in files}
        stems = {source.name: declared(source) for source in files}
        here = self.source(name)
        reached = {declared(here)} if here is not None else set()
        found: list[str] = []
        todo = True
        while todo:
            todo = False
            for other, wanted in needs.items():
                if other != name and other not in found and wanted & reached:
                    found.append(other)
                    reached.add(stems[other])
                    todo = True
        return tuple(found)

    def related(self, name: str) -> tuple[str, ...]:
        """The files in which something may change when this one does: those that build on it,
        and those it builds on, whose rules it may cite."""
        known = self._analyses.get(name)
        below = () if known is None else tuple(known.checked.sources)
        return tuple(dict.fromkeys(n for n in (*self.dependents(name), *below) if n != name))

    def family(self, name: str) -> tuple[Analysis, ...]:
        """What is known about a file and all that build on it."""
        names = (name, *self.dependents(name))
        return tuple(found for each in names if (found := self.analysis(each)) is not None)


def needed(text: str) -> tuple[str, ...]:
    """The names of the files a text builds on, as far as its headers tell at a glance."""
    lines = (match[1].partition("#")[0].partition('"')[0] for match in _NAMED.finditer(text))
    return tuple(word for line in lines for word in _WORD.findall(line))


def declared(source: Source) -> str:
    """The name by which others build on a file: it is the file's."""
    stem = re.split(r"[/\\]", source.name)[-1]
    return stem.removesuffix(".rules").replace("-", "_")
