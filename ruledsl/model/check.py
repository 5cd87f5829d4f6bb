"""Check a rules file: parse, assemble, resolve, look for mistakes."""

from __future__ import annotations

import attrs

from ruledsl.diagnostics.diagnostic import Diagnostic
from ruledsl.diagnostics.source import Source
from ruledsl.library import Library
from ruledsl.model.assemble import Unassembled, assemble
from ruledsl.model.base import Enough
from ruledsl.model.checks import ALL_CHECKS
from ruledsl.model.citations import uncited_rules
from ruledsl.model.depth import allow_deep_rules
from ruledsl.model.elaborate import Elaborated, elaborate
from ruledsl.model.game import CheckedGame
from ruledsl.model.memory import Memory
from ruledsl.syntax import ast


@attrs.frozen
class Checked:
    """What checking a source gave: the game if there is no error, and what was found.

    `sources` has every text the diagnostics point into.
    """

    game: CheckedGame | None
    diagnostics: tuple[Diagnostic, ...]
    sources: dict[str, Source]
    elaborated: Elaborated | None = attrs.field(default=None, eq=False, repr=False)
    """the game as far as it could be resolved, unless its files don't fit together"""


def check_rules(source: Source, library: Library, memory: Memory | None = None) -> Checked:
    """Check the rules of one file with everything it builds on."""
    allow_deep_rules()
    memory = Memory() if memory is None else memory
    assembly = assemble(source, library, memory.read)
    found = list(assembly.diagnostics)
    if isinstance(assembly, Unassembled) or _has_error(found):
        # What does not parse or fit together would only cause a flood of unknown names.
        return Checked(None, _arranged(found, source), assembly.sources)
    try:
        elaborated = elaborate(assembly, memory)
    except Enough as enough:
        return Checked(None, _arranged([*found, *enough.found], source), assembly.sources)
    found.extend(elaborated.diagnostics)
    if not _has_error(found):
        for check in ALL_CHECKS:
            found.extend(check(elaborated))
    if not _has_error(found) and isinstance(assembly.header, ast.Game):
        books = elaborated.game.rulebooks
        header, declarations = assembly.header, assembly.declarations
        found.extend(uncited_rules(header, declarations, books, library, memory.marks))
    game = None if _has_error(found) else elaborated.game
    return Checked(game, _arranged(found, source), assembly.sources, elaborated)


def _has_error(found: list[Diagnostic]) -> bool:
    return any(diagnostic.severity == "error" for diagnostic in found)


def _arranged(found: list[Diagnostic], source: Source) -> tuple[Diagnostic, ...]:
    """In the order of the text, each once; warnings about other files are those files' own."""
    own = (
        diagnostic
        for diagnostic in dict.fromkeys(found)
        if diagnostic.severity == "error" or diagnostic.span.file == source.name
    )
    return tuple(
        sorted(own, key=lambda each: (each.span.file != source.name, each.span, each.code.name))
    )
