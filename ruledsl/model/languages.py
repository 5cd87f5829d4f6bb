"""Translations: what a player reads, and which languages lack it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

import attrs

from ruledsl.diagnostics import names as found
from ruledsl.diagnostics import tables as declared
from ruledsl.diagnostics import texts
from ruledsl.diagnostics.diagnostic import Diagnostic
from ruledsl.diagnostics.source import Span
from ruledsl.model.forms import Forms
from ruledsl.model.game import LanguageInfo
from ruledsl.model.symbols import Symbols, columns, nameless, row_names
from ruledsl.syntax import ast
from ruledsl.syntax.expressions import written

BASE_LANGUAGE = "en"
"""The language the rules are written in: names and texts are their own labels."""


@attrs.frozen
class Readable:
    """Something a player reads: a name (dotted for a row), a text, or a name with a title.

    `values` are those in the text.
    """

    name: str | None
    text: str | None
    span: Span
    values: frozenset[str] = frozenset()

    @property
    def shown(self) -> str:
        return self.text or (self.name or "").rpartition(".")[2]


def readables(
    symbols: Symbols,
    header: ast.Game | ast.Variant | None,
    game: ast.Game | None,
    unseen: Collection[str] = (),
) -> Iterator[Readable]:
    """Everything a player of this game reads; no table shows states that are `unseen`."""
    if header is not None:
        yield _titled(header.name, header.title)
    for line in () if game is None else game.lines:
        if isinstance(line, ast.Aim):
            yield _text(line.text)
        elif isinstance(line, ast.Progress) and line.unit is not None:
            yield _text(line.unit)
    for kind in symbols.kinds.values():
        if not isinstance(kind, ast.TypeProduct):
            yield _titled(kind.name, None)
        for row in () if isinstance(kind, Forms) else row_names(kind):
            # Places on a board go by their names; one letter is the same in every language.
            if isinstance(kind, ast.Place) or row.text in nameless(kind):
                continue
            if len(row.text) > 1:
                yield Readable(f"{kind.name.text}.{row.text}", None, row.span)
    for option in symbols.options.values():
        yield _titled(option.name, option.title)
    for key, state in symbols.states.items():
        if key not in unseen and not isinstance(state.sight, ast.Hidden):
            yield Readable(key, None, state.name.span)
    for action in symbols.actions.values():
        yield _titled(action.name, action.title)
        yield from _texts(action.body)
    for steps in symbols.steps.values():
        for step in steps:
            yield from _texts(step.body)
    for trigger in symbols.triggers.values():
        if trigger.title is not None:
            yield _titled(trigger.name, trigger.title)
        yield from _texts(trigger.body)


def _titled(name: ast.Name, title: ast.Text | None) -> Readable:
    """A name that may have a title: either can be translated."""
    if title is None:
        return Readable(name.text, None, name.span)
    return Readable(name.text, title.value, title.span, _values(title))


def _text(text: ast.Text) -> Readable:
    return Readable(None, text.value, text.span, _values(text))


def _values(text: ast.Text) -> frozenset[str]:
    return frozenset(map(written, text.values))


def _texts(body: ast.Block) -> Iterator[Readable]:
    """Prompts and messages, and the names of actions on the spot."""
    for statement in body:
        match statement:
            case ast.Require(message=message):
                yield _text(message)
            case ast.Tell(text=text):
                yield _text(text)
            case ast.If(branches=branches):
                for branch in branches:
                    yield from _texts(branch.body)
            case ast.For(body=inner) | ast.Together(body=inner) | ast.Repeat(body=inner):
                yield from _texts(inner)
            case ast.ChooseValue():
                if statement.prompt is not None:
                    yield _text(statement.prompt)
                yield from _texts(statement.requirements)
                if statement.otherwise is not None:
                    yield from _texts(statement.otherwise.body)
            case ast.ChooseAction():
                if statement.prompt is not None:
                    yield _text(statement.prompt)
                for offer in statement.offers:
                    if isinstance(offer, ast.Action):
                        yield _titled(offer.name, offer.title)
                        yield from _texts(offer.body)
                    else:
                        yield from _texts(offer.requirements)
                if statement.otherwise is not None:
                    yield from _texts(statement.otherwise.body)
            case _:
                pass


def languages(
    symbols: Symbols,
    header: ast.Game | ast.Variant | None,
    game: ast.Game | None,
    names: tuple[str, ...],
    own_files: Collection[str],
    further: Iterable[str] = (),
    unseen: Collection[str] = (),
) -> tuple[dict[str, LanguageInfo], list[Diagnostic]]:
    """The languages with their texts; `names` may be translated too (the game, its variants),
    and `further` that only rule sheets tell, which are looked for when they are needed.

    What a library says in a language obliges nobody who uses it: texts are missing in those that
    one of `own_files` speaks.
    """
    diagnostics: list[Diagnostic] = []
    sheets = _Late(further)
    read = list(readables(symbols, header, game, unseen))
    known_names = {*names, *(item.name for item in read if item.name is not None)}
    known_names |= {name.rpartition(".")[2] for name in known_names}
    known_names |= {*symbols.kinds, *symbols.steps, *symbols.triggers, *symbols.states}
    known_names |= {*symbols.defines, *symbols.histories}
    known_names |= {key.rpartition(".")[2] for key in symbols.states}
    for kind in symbols.kinds.values():
        known_names |= {row.text for row in row_names(kind)}
        known_names |= {f"{kind.name.text}.{row.text}" for row in row_names(kind)}
        known_names |= {column.text for column in columns(kind)}
    steps = (_titled(step.name, step.title) for s in symbols.steps.values() for step in s)
    titled = [*read, *(step for step in steps if step.text is not None)]
    known_texts = {item.text for item in titled if item.text is not None}
    values = {key: item.values for item in titled for key in (item.name, item.text) if key}
    groups: list[tuple[str, Sequence[ast.Step | ast.Define]]] = [
        *symbols.steps.items(),
        *symbols.defines.items(),
    ]
    parameters = {
        name: frozenset(param.name.text for each in group for param in each.params or ())
        for name, group in groups
    }
    result: dict[str, LanguageInfo] = {}
    for block in symbols.languages:
        info = result.setdefault(block.code.text, LanguageInfo(block.code.text, {}, {}, {}))
        seen: dict[tuple[bool, str], Span] = {}
        for phrase in block.phrases:
            if isinstance(phrase.key, ast.Text):
                text, table, known = phrase.key.value, info.texts, known_texts
            else:
                text = ".".join(part.text for part in phrase.key.parts)
                table, known = info.labels, known_names
            # What a variant took away is still translated in the file it builds on.
            own = header is None or phrase.key.span.file == header.span.file
            there = text in known or _is_one_of(text, known) or text in sheets
            if own and not there:
                of_range = text in symbols.ranges
                diagnostics.append(found.unknown_label(phrase.key.span, text, known, of_range))
            key = isinstance(phrase.key, ast.Text), text
            if key in seen:
                diagnostics.append(found.duplicate_label(phrase.key.span, text, seen[key]))
            seen[key] = phrase.key.span
            wanted, given = values.get(text, frozenset()), _values(phrase.text)
            if wanted != given and not (text in parameters and given <= parameters[text]):
                lacks, has = sorted(wanted - given), sorted(given - wanted)
                diagnostics.append(texts.other_values(phrase.text.span, lacks, has))
            table[text] = phrase.text.value
            if phrase.forms is not None:
                info.forms[text] = phrase.forms.value
    for info in result.values():
        _label_states(symbols, info)
    spoken = {block.code.text for block in symbols.languages if block.span.file in own_files}
    for code, info in result.items():
        if code in spoken and code != BASE_LANGUAGE:
            diagnostics.extend(_missing(read, info))
    return result, diagnostics


def _is_one_of(text: str, known: Collection[str]) -> bool:
    """A piece, place or action of a value: `hall.male`."""
    of, _, value = text.rpartition(".")
    return "." not in of and of in known and value in known


class _Late:
    """A collection that is gone through when somebody first asks for something in it."""

    def __init__(self, names: Iterable[str]) -> None:
        self._names = names

    def __contains__(self, name: str) -> bool:
        if not isinstance(self._names, frozenset):
            self._names = frozenset(self._names)
        return name in self._names


TELLING = (
    *(ast.Assumed, ast.Rulebook, ast.Manner, ast.Map, ast.Index),
    *(ast.Param, ast.Draw, ast.Let, ast.Roll, ast.ChooseValue),
)
"""Forms in which there may be further names."""


def further_names(telling: Iterable[ast.Node]) -> Iterator[str]:
    """What only rule sheets tell: what the rulebook leaves open, and names bound in rules."""
    for node in telling:
        match node:
            case (
                ast.Assumed(reason=ast.Text(value=text)) | ast.Rulebook(title=ast.Text(value=text))
            ):
                yield text
            case ast.Manner(texts=signs):
                yield from (sign.value for sign in signs)
            case ast.Map(column=ast.Name() as name) | ast.Index(name=ast.Name() as name):
                yield name.text
            case ast.Param(name=name) | ast.Draw(name=name) | ast.Let(name=name):
                yield name.text
            case ast.Roll(target=ast.Ref(name=name)) | ast.ChooseValue(target=ast.Ref(name=name)):
                yield name.text
            case _:
                pass


def _label_states(symbols: Symbols, info: LanguageInfo) -> None:
    """What is said of `Player.coins` holds for `coins`, unless something else is called so."""
    actions = {*symbols.actions, *symbols.steps, *symbols.triggers, *symbols.options}
    for key in symbols.states:
        name = key.rpartition(".")[2]
        if key in info.labels and name not in actions and name not in symbols.defines:
            info.labels.setdefault(name, info.labels[key])
            if key in info.forms:
                info.forms.setdefault(name, info.forms[key])


def _missing(read: list[Readable], info: LanguageInfo) -> Iterator[Diagnostic]:
    reported: set[str] = set()
    for item in read:
        named = item.name is not None and (
            item.name in info.labels or item.name.rpartition(".")[2] in info.labels
        )
        if named or item.text in info.texts or item.shown in reported:
            continue
        reported.add(item.shown)
        yield declared.missing_translation(item.span, item.shown, info.code)
