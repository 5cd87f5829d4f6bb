"""How things and actions are written by players, as the rules say."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ruledsl.diagnostics import notation as found
from ruledsl.diagnostics.source import Span
from ruledsl.model import core
from ruledsl.model.examples import Examples
from ruledsl.model.game import ActionInfo, MannerInfo, NotationInfo
from ruledsl.model.scope import Bound, Scope
from ruledsl.model.symbols import Symbols, row_names
from ruledsl.model.walk import walk
from ruledsl.syntax import ast

COLUMN = "col"


def notation(
    rules: Examples,
    blocks: Iterable[ast.Notation],
    actions: Mapping[str, ActionInfo],
    file: str,
) -> NotationInfo:
    """The notation of a game. Of two files, the later one says how something is written.

    What a file below writes may be removed by the `file` that is read: that is no mistake.
    """
    return _Reading(rules, actions, file).read(blocks)


class _Reading:
    def __init__(self, rules: Examples, actions: Mapping[str, ActionInfo], file: str) -> None:
        self.rules = rules
        self.actions = actions
        self.file = file
        self.info = NotationInfo()
        self.spans: dict[str, list[Span]] = {}

    def read(self, blocks: Iterable[ast.Notation]) -> NotationInfo:
        for block in blocks:
            lines: dict[str, list[ast.Manner]] = {}
            for line in block.lines:
                lines.setdefault(".".join(part.text for part in line.of.parts), []).append(line)
            for key, group in lines.items():
                self._lines(key, group)
        self._alike()
        return self.info

    def _lines(self, key: str, lines: list[ast.Manner]) -> None:
        rules, info = self.rules, self.info
        named = [action for action in self.actions.values() if action.name == key]
        of, _, name = key.partition(".")
        if named:
            for action in named:
                info.actions[action.key] = self._action(action, lines)
        elif name == COLUMN and of in rules.heads and rules.heads[of].sort == "place":
            info.columns[of] = self._letters(lines)
        elif key in rules.heads or key in _values(rules.symbols):
            info.things[key] = tuple(self._signs(key, lines))
        elif lines[0].span.file == self.file:
            rules.report(found.notation_of_nothing(lines[0].of.span, key, self._known()))

    def _known(self) -> frozenset[str]:
        names = (action.name for action in self.actions.values())
        return frozenset((*names, *self.rules.heads, *_values(self.rules.symbols)))

    # ------------------------------------------------------------ actions

    def _action(self, action: ActionInfo, lines: list[ast.Manner]) -> tuple[MannerInfo, ...]:
        scope = Scope()
        for draw in action.picks:
            scope.names[draw.local.name] = Bound(draw.local, draw.local.span, warn_unused=False)
            scope.depth = max(scope.depth, draw.local.number + 1)
        manners = tuple(self._manner(line, scope) for line in lines)
        told = {
            part
            for manner in manners
            for whole in (*(value for text in manner.texts for value in text.values), manner.where)
            if whole is not None
            for part in walk((whole,))
            if isinstance(part, core.Local)
        }
        for draw in action.picks:
            if draw.local not in told and lines[0].span.file == self.file:
                self.rules.report(found.left_out(lines[0].span, action.name, draw.local.name))
        return manners

    def _manner(self, line: ast.Manner, scope: Scope) -> MannerInfo:
        inner = scope.inner()
        where = None if line.where is None else self.rules.flag(line.where, inner, "`where`")
        if where is not None:
            inner.learn(where)
        texts = tuple(self.rules.said(text, inner) for text in line.texts)
        return MannerInfo(texts, where, line.span, line.trail)

    # ------------------------------------------------------------ things and columns

    def _signs(self, key: str, lines: list[ast.Manner]) -> Iterator[str]:
        self.spans[key] = [text.span for line in lines for text in line.texts]
        for line in lines:
            if line.where is not None:
                self.rules.report(found.value_in_sign(line.where.span, key))
            for text in line.texts:
                for value in text.values:
                    if not self._is_own(key, value):
                        self.rules.report(found.value_in_sign(value.span, key))
                yield text.value

    def _is_own(self, key: str, value: ast.Expr) -> bool:
        """Whether a value belongs to the things of a kind for ever: a column or an index."""
        if key not in self.rules.heads or not isinstance(value, ast.Ref) or value.arguments:
            return False
        head, name = self.rules.heads[key], value.name
        if name.text not in (*head.columns, *(index.name for index in head.indexes)):
            return False
        scope, _ = self.rules.own_scope(key)
        self.rules.expression(value, scope)
        return True

    def _letters(self, lines: list[ast.Manner]) -> str:
        first = lines[0]
        text = first.texts[0].value
        plain = not first.texts[0].values and first.where is None
        single = len(lines) == 1 and len(first.texts) == 1
        if not (single and plain and text.strip()) or len(set(text.casefold())) < len(text):
            self.rules.report(found.bad_letters(first.texts[0].span))
        return text

    def _alike(self) -> None:
        """Two values of a kind that are written in the same way can't be told apart."""
        seen: dict[tuple[str, str], tuple[str, Span]] = {}
        for key, signs in self.info.things.items():
            kind, _, name = key.partition(".")
            if not name:
                continue
            for sign, span in zip(signs, self.spans[key], strict=True):
                other, first = seen.setdefault((kind, sign), (name, span))
                if first is not span:
                    self.rules.report(found.written_alike(span, sign, name, other, first))


def _values(symbols: Symbols) -> Iterator[str]:
    for kind in symbols.kinds.values():
        yield from (f"{kind.name.text}.{row.text}" for row in row_names(kind))
