"""A game with other numbers: options and named numbers, set without editing its files.

`option roof in 7..8 = 7` and `define hand_size = 4` are numbers with names. Setting one gives the
text that the file would have, so all that is said about it points into the rules as they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import attrs

from ruledsl.diagnostics.source import Source, Span
from ruledsl.diagnostics.suggest import did_you_mean
from ruledsl.library import Library
from ruledsl.model.assemble import Assembly, assemble
from ruledsl.play.loading import Game, load_source
from ruledsl.syntax import ast


class SettingError(Exception):
    """A name that stands for no number of the game; `hint` says what to write."""

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.hint = hint


@attrs.frozen
class Named:
    """A number of the rules with a name: where it is written, and what it is there."""

    name: str
    written: str
    span: Span


def named_numbers(source: Source, library: Library) -> dict[str, Named]:
    """Every option of a game, and every definition that is a plain number."""
    assembly = assemble(source, library)
    if not isinstance(assembly, Assembly):
        return {}
    return {each.name: each for each in _named(assembly)}


def _named(assembly: Assembly) -> Iterator[Named]:
    for node in assembly.declarations:
        match node:
            case ast.Option(name=name, default=value):
                pass
            case ast.Define(name=name, params=(), body=value) if _is_number(value):
                pass
            case _:
                continue
        text = assembly.sources[value.span.file].line(value.span.line)
        yield Named(name.text, text[value.span.column - 1 : value.span.end_column - 1], value.span)


def _is_number(value: ast.Expr) -> bool:
    match value:
        case ast.Number():
            return True
        case ast.Negative(operand=ast.Number()):
            return True
        case _:
            return False


def set_to(source: Source, library: Library, values: Mapping[str, str]) -> Game:
    """The game with these values; what does not check then is a `LoadError`."""
    known = named_numbers(source, library)
    texts = dict(library.opened)
    edits: dict[str, list[tuple[Span, str]]] = {}
    for name, value in values.items():
        wanted = name.replace("-", "_")
        if wanted not in known:
            listed = f"there are: {', '.join(known)}" if known else "this game has none"
            hint = did_you_mean(wanted, known) or listed
            raise SettingError(f"no option or number of the game is called `{name}`", hint)
        span = known[wanted].span
        edits.setdefault(span.file, []).append((span, value))
    for file, changes in edits.items():
        before = source if file == source.name else _source(library, source, file)
        texts[file] = Source(file, _edited(before.text, changes))
    varied = attrs.evolve(library, opened=texts)
    return load_source(texts.get(source.name, source), varied)


def _source(library: Library, near: Source, file: str) -> Source:
    assembly = assemble(near, library)
    return assembly.sources[file]


def _edited(text: str, changes: list[tuple[Span, str]]) -> str:
    lines = text.split("\n")
    for span, value in sorted(changes, key=lambda change: change[0], reverse=True):
        line = lines[span.line - 1]
        lines[span.line - 1] = line[: span.column - 1] + value + line[span.end_column - 1 :]
    return "\n".join(lines)
