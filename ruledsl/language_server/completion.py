"""What could stand at a cursor: words by the grammar, names by what the checker would accept.

The word at the cursor is exchanged for one that nobody has, the declaration around it is finished
in a simple way, and resolved. The names among which the checker then looks for what may have been
meant are the ones to offer.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import attrs

from ruledsl.diagnostics.diagnostic import Diagnostic
from ruledsl.diagnostics.source import Source, Span
from ruledsl.language_server import words
from ruledsl.language_server.analysis import Analysis
from ruledsl.language_server.facts import written
from ruledsl.language_server.snippets import DECLARATIONS, HEADERS, STATEMENTS
from ruledsl.language_server.texts import WORD, Place
from ruledsl.language_server.workspace import declared
from ruledsl.library import is_playable
from ruledsl.model.assemble import Unassembled, assemble
from ruledsl.model.citations import cited_rules
from ruledsl.model.elaborate import Elaborated
from ruledsl.model.occurrences import Symbol
from ruledsl.model.partial import mistakes_of
from ruledsl.model.symbols import DIRECTION, DIRECTIONS
from ruledsl.syntax import ast
from ruledsl.syntax.continuing import finished, unfinished
from ruledsl.syntax.parser import Parsed, stretches

NOBODY = "nobody_is_called_like_this"
"""The word put at the cursor."""

_CITATION = re.compile(r"§([A-Za-z]*)-?(\d*)$")
_TRANSLATED = re.compile(r'\s+"(?P<text>[^"]*)"\s+"[^"]*\{(?P<begun>[^"{}]*)$')
_VALUE = re.compile(r"\{([^{}]*)\}")
_TITLE = re.compile(r'^(?:game|variant|library)\b[^"\n]*"([^"\n]*)"', re.MULTILINE)
_ATTRIBUTES = ("column", "index", "state", "define", "kind", "word")


@attrs.frozen
class Completion:
    """A word to offer, in which order, and what is put in for it; `sort` is that of a symbol,
    `keyword`, `snippet`, `file` or `citation`."""

    label: str
    sort: str
    span: Span
    detail: str = ""
    insert: str | None = None
    is_snippet: bool = False
    order: int = 0


@attrs.frozen
class _Context:
    """The place of a completion: the word there, and the stretch of text up to it."""

    analysis: Analysis
    word: str
    span: Span
    stretch: str
    number: int
    """of the first line of the stretch, as lines are numbered for the check"""


def completions(analysis: Analysis, place: Place) -> tuple[Completion, ...]:
    """All that could stand at a place; the editor picks those that begin like the word there."""
    text = analysis.text
    before = text.line(place.line)[: place.column - 1]
    cited = _CITATION.search(before)
    if cited is not None:
        start = place.column - len(cited[0])
        return tuple(_citations(analysis, text.span(place.line, start, place.line, place.column)))
    translated = _TRANSLATED.match(before)
    if translated is not None:
        return tuple(_values(analysis, place, translated))
    if _in_text_or_comment(before):
        return ()
    context = _context(analysis, place, before)
    found = unfinished(analysis.name, f"{context.stretch}{NOBODY}", context.number, NOBODY)
    if found is None:
        return ()
    at_start = found.tokens[-1].span.column == 1
    offered: list[Completion] = []
    if "NAME" in found.expected:
        item = finished(found)
        if item is not None:
            offered.extend(_names(context, item, found.tokens[-1].span))
    offered.extend(_keywords(context, found.expected, at_start))
    return tuple(dict.fromkeys(offered))


def _in_text_or_comment(before: str) -> bool:
    """Whether the rules ask for nothing there; they do for a value in a text."""
    code, quote, text = re.sub(r'"[^"]*"', "", before).partition('"')
    in_value = text.rfind("{") > text.rfind("}")
    return "#" in code or (bool(quote) and not in_value)


def _values(analysis: Analysis, place: Place, line: re.Match[str]) -> Iterator[Completion]:
    """In a translation, the values of the text itself."""
    start = place.column - len(line["begun"])
    span = analysis.text.span(place.line, start, place.line, place.column)
    for order, value in enumerate(dict.fromkeys(_VALUE.findall(line["text"]))):
        yield Completion(value, "local", span, "a value of the text", order=order)


def _context(analysis: Analysis, place: Place, before: str) -> _Context:
    match = re.search(r"(?:[^\W\d]\w*)?$", before)
    start = match.start() if match else len(before)
    after = WORD.match(analysis.text.line(place.line), start)
    end = max(place.column, after.end() + 1 if after else 0)
    prefix = analysis.text.text[: analysis.text.offset(place.line, start + 1)]
    # What begins at the very left is a new declaration, also before its first letter is typed.
    stretch, line = ("", place.line) if start == 0 else list(stretches(prefix))[-1]
    return _Context(
        analysis,
        before[start:],
        analysis.text.span(place.line, start + 1, place.line, end),
        stretch,
        analysis.steady.source.numbers.number(line),
    )


# ---------------------------------------------------------------- names


def _names(context: _Context, item: ast.Item, at: Span) -> Iterator[Completion]:
    """The names among which the checker looks for the one at the cursor."""
    analysis = context.analysis
    mistakes = _mistakes(context, item)
    about = [each for each in mistakes if each.span == at or _is_last_part(each, at)]
    known = analysis.familiar
    code = about[0].code.name if about else ""
    names = dict.fromkeys(name for each in about for name in each.known)
    if isinstance(item, ast.Test) and _answers(item, at) and known is not None:
        names = dict.fromkeys((*(known.symbols.actions), *names))
    if code == "unknown-file":
        yield from _files(context, {*names}, wants_library=isinstance(item, ast.Use))
        return
    translated = _translated(item)
    for order, name in enumerate(names):
        if name not in (NOBODY, "unfinished"):
            yield _offered(context, known, name, code, order + 500 * (name in translated))


def _translated(item: ast.Item) -> set[str]:
    """What has its line in a language block already."""
    block = item.declaration if isinstance(item, ast.Extend | ast.Replace) else item
    phrases = block.phrases if isinstance(block, ast.Language) else ()
    keys = (phrase.key for phrase in phrases)
    return {
        ".".join(part.text for part in key.parts) for key in keys if isinstance(key, ast.Dotted)
    }


def _files(context: _Context, names: set[str], *, wants_library: bool) -> Iterator[Completion]:
    """What a file can build on: those in its own folder first."""
    analysis = context.analysis
    near = [*analysis.library.beside(analysis.name)]
    offered = {declared(analysis.source)}
    for order, source in enumerate((*near, *analysis.library.sources())):
        name = declared(source)
        if name in offered or name not in names or is_playable(source) == wants_library:
            continue
        offered.add(name)
        title = _TITLE.search(source.text)
        yield Completion(name, "file", context.span, title[1] if title else "", order=order)


def _is_last_part(mistake: Diagnostic, at: Span) -> bool:
    """A dotted name in a language block is judged as a whole."""
    return mistake.code.name == "unknown-label" and mistake.span.line == at.line


def _answers(test: ast.Test, at: Span) -> bool:
    runs = (part for part in test.parts if isinstance(part, ast.TestWhen))
    return any(answer.span.line == at.line for run in runs for answer in run.answers)


def _mistakes(context: _Context, item: ast.Item) -> tuple[Diagnostic, ...]:
    """What the checker would say if the declaration at the cursor were the finished one."""
    analysis = context.analysis
    parsed, first = analysis.steady, context.number
    others = [each for each in parsed.file.items if each.span.line not in (item.span.line, first)]
    later = [at for at, each in enumerate(others) if each.span.line > first]
    at = later[0] if later else len(others)
    items = (*others[:at], item, *others[at:])
    edited = attrs.evolve(parsed, file=attrs.evolve(parsed.file, items=items), diagnostics=())

    def read(source: Source) -> Parsed:
        return edited if source.name == analysis.name else analysis.texts.parse(source)

    assembly = assemble(analysis.source, analysis.library, read)
    if isinstance(assembly, Unassembled):
        return assembly.diagnostics
    return mistakes_of(assembly, item)


def _offered(
    context: _Context, known: Elaborated | None, name: str, code: str, order: int
) -> Completion:
    symbol = None if known is None else _symbol(context.analysis, name, code)
    is_direction = symbol is None and name in DIRECTIONS
    is_word = name in words.FUNCTIONS or name in words.ATTRIBUTES or name in words.SPECIALS
    sort: str = symbol.sort if symbol is not None else "word" if is_word else "local"
    # What the game declares is wanted more often than what every game has.
    order += 1000 * (is_word or is_direction)
    if is_direction:
        return Completion(name, "value", context.span, DIRECTION, order=order)
    detail, insert = "", None
    if known is not None and symbol is not None:
        detail = _detail(known, symbol)
        insert = _call(known, symbol, code)
    elif name in words.FUNCTIONS:
        _, detail = words.FUNCTIONS[name]
        insert = f"{name}($1)"
    elif name in words.ATTRIBUTES or name in words.SPECIALS:
        detail = words.ATTRIBUTES.get(name) or words.SPECIALS[name]
    return Completion(
        name, sort, context.span, detail, insert, is_snippet=insert is not None, order=order
    )


_WANTED = {
    "unknown-step": ("step", "action"),
    "unknown-action": ("action",),
    "unknown-kind": ("kind", "range", "value"),
    "unknown-option": ("option",),
    "unknown-parameter": ("local",),
    "unknown-attribute": _ATTRIBUTES,
    "unknown-place": ("kind", "local"),
}


def _symbol(analysis: Analysis, name: str, code: str) -> Symbol | None:
    """What an offered name stands for, as far as that can be told from where it is offered."""
    found: Iterable[Symbol] = analysis.familiar_names.get(name, ())
    wanted = _WANTED.get(code)
    if wanted is not None:
        found = sorted(
            (symbol for symbol in found if symbol.sort in wanted),
            key=lambda symbol: wanted.index(symbol.sort),
        )
    return next(iter(found), None)


def _detail(known: Elaborated, symbol: Symbol) -> str:
    game, key = known.game, symbol.key
    match symbol.sort:
        case "kind" if key in game.kinds:
            return game.kinds[key].sort
        case "value":
            return key.partition(".")[0]
        case "state" if key in game.states:
            return f"state: {written(game.states[key].type)}"
        case "option" if key in game.options:
            return f"option: {written(game.options[key].type)}"
        case "define" if key in game.defines:
            return written(game.defines[key].type)
        case "column":
            kind, _, name = key.partition(".")
            column = game.kinds[kind].column(name) if kind in game.kinds else None
            return "" if column is None else written(column.type)
        case "action" if key in game.actions:
            return game.actions[key].title or "action"
        case _:
            return symbol.sort


def _call(known: Elaborated, symbol: Symbol, code: str) -> str | None:
    """A name with places for its arguments, where it takes some that can't be told."""
    match symbol.sort:
        case "step" if symbol.key in known.game.steps and code == "unknown-step":
            names = [param.local.name for param in known.game.steps[symbol.key].params]
        case "define" if symbol.key in known.game.defines:
            names = [param.local.name for param in known.game.defines[symbol.key].params]
            names = names[1:] if code == "unknown-attribute" else names
        case "action" if symbol.key in known.game.actions and code == "unknown-name":
            names = [draw.local.name for draw in known.game.actions[symbol.key].picks]
        case _:
            return None
    if not names:
        return None
    holes = ", ".join(f"${{{number}:{name}}}" for number, name in enumerate(names, 1))
    return f"{symbol.name}({holes})"


# ---------------------------------------------------------------- words


def _keywords(context: _Context, expected: Iterable[str], at_start: bool) -> Iterator[Completion]:
    for word in sorted(expected):
        if not word.isidentifier() or word.isupper() or word.startswith("_"):
            continue
        if at_start and word in HEADERS and context.analysis.header is not None:
            continue
        meaning = words.STATEMENTS.get(word, "")
        if word in words.FUNCTIONS:
            _, meaning = words.FUNCTIONS[word]
            yield Completion(
                word, "function", context.span, meaning, f"{word}($1)", is_snippet=True, order=2500
            )
            continue
        yield Completion(word, "keyword", context.span, meaning, order=2600)
    if at_start:
        is_first = not context.analysis.steady.file.items
        for name, snippet in (HEADERS if is_first else DECLARATIONS).items():
            yield Completion(
                name, "snippet", context.span, snippet.about, snippet.body, is_snippet=True,
                order=2400,
            )  # fmt: skip
    elif "let" in expected:
        for name, snippet in STATEMENTS.items():
            yield Completion(
                name, "snippet", context.span, snippet.about, snippet.body, is_snippet=True,
                order=2550,
            )  # fmt: skip


# ---------------------------------------------------------------- citations


def _citations(analysis: Analysis, span: Span) -> Iterator[Completion]:
    """The rules of the declared books, those that nothing cites yet first."""
    known = analysis.familiar
    if known is None:
        return
    cited = cited_rules(analysis.steady.file.items)
    for book in known.game.rulebooks:
        for number in range(book.first, book.last + 1):
            is_new = (book.prefix, number) not in cited
            label = f"§{book.prefix}-{number}"
            detail = "not cited yet" if is_new else "cited elsewhere"
            yield Completion(label, "citation", span, detail, order=number + 10_000 * (not is_new))
