"""Apply the declarations and changes of one file after another, all by name."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias, assert_never

import attrs

from ruledsl.diagnostics import assembly as found
from ruledsl.diagnostics.diagnostic import Diagnostic
from ruledsl.diagnostics.source import Span
from ruledsl.syntax import ast

Key: TypeAlias = tuple[str, ...]
"""Sort and name; a definition or step also has the type of its first parameter."""


def key_of(declaration: ast.Declaration) -> Key:
    match declaration:
        case ast.TypeList() | ast.TypeRange() | ast.TypeProduct() | ast.TypeTable():
            return ("type", declaration.name.text)
        case ast.TypeForms():
            return ("type", declaration.name.text)
        case ast.State(owner=owner, name=name):
            return ("state", name.text if owner is None else f"{owner.text}.{name.text}")
        case ast.Define(name=name, params=params) | ast.Step(name=name, params=params):
            sort = "define" if isinstance(declaration, ast.Define) else "step"
            return (sort, name.text, *(type_name(param.type) for param in params[:1]))
        case ast.Ranking():
            return ("ranking", "ranking")
        case ast.Language(code=code):
            return ("language", code.text)
        case ast.Test(title=title):
            return ("test", title.value)
        case ast.Option() | ast.Piece() | ast.Place() | ast.History():
            return (type(declaration).__name__.lower(), declaration.name.text)
        case ast.Action() | ast.Trigger():
            return (type(declaration).__name__.lower(), declaration.name.text)
        case _:
            assert_never(declaration)


def type_name(of: ast.TypeExpr) -> str:
    """A type as the key of what is told apart by it."""
    domain = of.element if isinstance(of, ast.SetType) else of.domain
    match domain:
        case ast.Ref(name=name):
            text = name.text
        case ast.FaceOf(kind=kind):
            text = f"face of {kind.text}"
        case ast.Attribute(subject=ast.Ref(name=kind), name=row):
            text = f"{kind.text}.{row.text}"
        case _:
            text = "number"
    return f"set of {text}" if isinstance(of, ast.SetType) else text


def describe_key(key: Key) -> str:
    sort, name, *first = key
    if sort == "ranking":
        return "the ranking"
    if sort == "test":
        return f"the test “{name}”"
    sort = {"define": "definition"}.get(sort, sort)
    told_apart = (f" of `{kind}`" for kind in first if kind not in ("number", "flag"))
    return f"the {sort} `{name}`" + "".join(told_apart)


@attrs.define
class Changes:
    """The declarations so far, in order, and who changed them."""

    table: dict[Key, ast.Declaration] = attrs.Factory(dict)
    languages: list[ast.Language] = attrs.Factory(list)
    looks: list[ast.Looks] = attrs.Factory(list)
    notations: list[ast.Notation] = attrs.Factory(list)
    rule_texts: list[ast.RuleTexts] = attrs.Factory(list)
    changed: dict[Key, Span] = attrs.Factory(dict)
    settled: frozenset[Key] = frozenset()
    """what the last file replaces anyway"""
    diagnostics: list[Diagnostic] = attrs.Factory(list)

    def declarations(self) -> tuple[ast.Declaration, ...]:
        return (*self.table.values(), *self.languages)

    def apply(self, items: Iterable[ast.Item], *, below: frozenset[str], last: bool) -> None:
        """Apply one file after the files `below`, on which it builds.

        A file may change again what a file below it changed; the last file settles what two
        files that don't know each other both changed. Only the last file's tests count.
        """
        has_base = bool(self.table)
        self.changed = {k: span for k, span in self.changed.items() if span.file not in below}
        for item in items:
            match item:
                case ast.Game() | ast.Library() | ast.Variant() | ast.Use():
                    pass
                case ast.Replace() | ast.Extend() | ast.Hook() | ast.Remove() if not has_base:
                    word = item.when if isinstance(item, ast.Hook) else type(item).__name__.lower()
                    self.diagnostics.append(
                        found.change_without_base(item.span.first(len(word)), word)
                    )
                case ast.Replace(declaration=ast.Language() as language):
                    self._change_language(language, replaced=True)
                case ast.Extend(declaration=ast.Language() as language):
                    self._change_language(language, replaced=False)
                case ast.Replace(declaration=declaration):
                    self._replace(declaration)
                case ast.Extend(declaration=declaration):
                    self._extend(declaration)
                case ast.Hook():
                    self._hook(item)
                case ast.Remove():
                    for target in item.targets:
                        self._remove(target)
                case ast.Language():
                    self.languages.append(item)
                case ast.Looks():
                    self.looks.append(item)
                case ast.Notation():
                    self.notations.append(item)
                case ast.RuleTexts():
                    self.rule_texts.append(item)
                case _:
                    self._declare(item, has_base, last)

    def _declare(self, declaration: ast.Declaration, has_base: bool, last: bool) -> None:
        key = key_of(declaration)
        if key[0] == "test" and not last:
            return
        first = self.table.get(key)
        if first is not None:
            in_variant = has_base and first.span.file != declaration.span.file
            self.diagnostics.append(
                found.duplicate_declaration(
                    _name_span(declaration), describe_key(key), _name_span(first), in_variant
                )
            )
            return
        self.table[key] = declaration

    def _target(self, declaration: ast.Declaration) -> Key | None:
        """The key of what a change is about; reports when there is nothing."""
        key = key_of(declaration)
        if key in self.table:
            return key
        # A definition or step may be the only one of its name, with other parameters.
        alike = [other for other in self.table if other[:2] == key[:2]]
        if len(alike) == 1:
            return alike[0]
        known = [other[1] for other in self.table if other[0] == key[0]]
        self.diagnostics.append(
            found.unknown_target(_name_span(declaration), key[0], key[1], known)
        )
        return None

    def _mark(self, key: Key, span: Span) -> bool:
        """Note that a key is changed; two files or lines may not both change it."""
        first = self.changed.get(key)
        if first is not None and (key not in self.settled or first.file == span.file):
            self.diagnostics.append(found.changed_twice(span, describe_key(key), first))
            return False
        self.changed[key] = span
        return True

    def _replace(self, declaration: ast.Declaration) -> None:
        key = self._target(declaration)
        span = _name_span(declaration)
        if key is None or not self._mark(key, span):
            return
        old = self.table[key]
        if isinstance(old, ast.Step | ast.Define) and isinstance(
            declaration, ast.Step | ast.Define
        ):
            if old.params != declaration.params:
                self.diagnostics.append(
                    found.changed_parameters(span, describe_key(key), _name_span(old))
                )
                return
        self.table[key] = declaration

    def _change_language(self, language: ast.Language, *, replaced: bool) -> None:
        """Texts are added to those there are, or take the place of all of them."""
        code = language.code
        known = [each.code.text for each in self.languages]
        if code.text not in known:
            self.diagnostics.append(found.unknown_target(code.span, "language", code.text, known))
            return
        if replaced:
            self.languages = [each for each in self.languages if each.code != code]
        self.languages.append(language)

    def _extend(self, addition: ast.Declaration) -> None:
        key = self._target(addition)
        if key is None:
            return
        old = self.table[key]
        span = _name_span(addition)
        if not _same_columns(old, addition):
            self.diagnostics.append(found.other_columns(span, describe_key(key), _name_span(old)))
            return
        if isinstance(old, ast.Ranking) and isinstance(addition, ast.Ranking):
            if (old.name, old.domain) != (addition.name, addition.domain):
                self.diagnostics.append(found.other_players(addition.domain.span, old.domain.span))
                return
        extended = _extended(old, addition)
        if extended is None:
            hint = (
                "add to it with `before` or `after`, or write `replace`"
                if key[0] in ("step", "action")
                else "write `replace` to change it"
            )
            self.diagnostics.append(found.cannot_extend(span, describe_key(key), hint))
            return
        self.table[key] = extended

    def _hook(self, hook: ast.Hook) -> None:
        keys = [key for key in self.table if key[:2] == (hook.sort, hook.target.text)]
        if not keys:
            known = [key[1] for key in self.table if key[0] == hook.sort]
            self.diagnostics.append(
                found.unknown_target(hook.target.span, hook.sort, hook.target.text, known)
            )
        for key in keys:
            target = self.table[key]
            if isinstance(target, ast.Step):
                parts = (hook.body, target.body)
                body = parts[0] + parts[1] if hook.when == "before" else parts[1] + parts[0]
                self.table[key] = attrs.evolve(target, body=body)
            elif isinstance(target, ast.Action):
                self.table[key] = attrs.evolve(target, body=_hooked_body(hook, target.body))

    def _remove(self, target: ast.Dotted) -> None:
        name = ".".join(part.text for part in target.parts)
        keys = [key for key in self.table if key[1] == name and key[0] != "test"]
        if keys:
            for key in keys:
                if self._mark(key, target.span):
                    del self.table[key]
            return
        if len(target.parts) == 2:
            table, row = (part.text for part in target.parts)
            for key, declaration in self.table.items():
                if key[1] == table and _has_row(declaration, row):
                    if self._mark((*key, row), target.span):
                        self.table[key] = _without_row(declaration, row)
                        self._drop_bodies(table, row)
                    return
        known = [key[1] for key in self.table if key[0] not in ("test", "ranking")]
        known += [f"{key[1]}.{row}" for key, d in self.table.items() for row in _row_names(d)]
        self.diagnostics.append(found.unknown_target(target.span, "declaration", name, known))

    def _drop_bodies(self, table: str, row: str) -> None:
        """A removed row takes the steps and definitions written for it along."""
        for key in [key for key in self.table if key[0] in ("step", "define")]:
            if key[2:] in ((row,), (f"{table}.{row}",)):
                del self.table[key]


def _name_span(declaration: ast.Declaration) -> Span:
    match declaration:
        case ast.Ranking():
            return declaration.span.first(len("ranking"))
        case ast.Language():
            return declaration.code.span
        case ast.Test():
            return declaration.title.span
        case _:
            return declaration.name.span


def _columns(declaration: ast.Declaration) -> tuple[ast.Name, ...]:
    match declaration:
        case ast.TypeTable() | ast.Piece() | ast.Place():
            return declaration.columns
        case _:
            return ()


def _same_columns(old: ast.Declaration, addition: ast.Declaration) -> bool:
    return _columns(old) == _columns(addition)


def _extended(old: ast.Declaration, addition: ast.Declaration) -> ast.Declaration | None:
    """A list with what is added to it; None where there is no list."""
    match old, addition:
        case ast.TypeTable(), ast.TypeTable():
            return attrs.evolve(old, rows=_merged(old.name, old.rows, addition.rows))
        case ast.Piece(), ast.Piece():
            return attrs.evolve(old, rows=_merged(old.name, old.rows, addition.rows))
        case ast.Place(), ast.Place():
            named = _merged(old.name, _rows(old), _rows(addition))
            return attrs.evolve(old, rows=(*named, *_drawn(_others(old), _others(addition))))
        case ast.TypeList(), ast.TypeList():
            return attrs.evolve(old, values=(*old.values, *addition.values))
        case ast.Ranking(), ast.Ranking():
            return attrs.evolve(old, keys=(*old.keys, *addition.keys))
        case _:
            return None


def _rows(place: ast.Place) -> tuple[ast.Row, ...]:
    return tuple(line for line in place.rows if isinstance(line, ast.Row))


def _others(place: ast.Place) -> tuple[ast.Map | ast.Path, ...]:
    return tuple(line for line in place.rows if not isinstance(line, ast.Row))


def _drawn(
    old: tuple[ast.Map | ast.Path, ...], new: tuple[ast.Map | ast.Path, ...]
) -> tuple[ast.Map | ast.Path, ...]:
    """All paths and pictures; a new picture of the same column takes the old one's place."""
    pictured = [line.column for line in new if isinstance(line, ast.Map)]
    kept = (line for line in old if isinstance(line, ast.Path) or line.column not in pictured)
    return (*kept, *new)


def _merged(
    kind: ast.Name, old: tuple[ast.Row, ...], new: tuple[ast.Row, ...]
) -> tuple[ast.Row, ...]:
    """The old rows with those of the same name exchanged, then the new ones."""
    new = tuple(
        ast.called(row, kind.text, number) if row.nameless else row
        for number, row in enumerate(new, len(old) + 1)
    )
    named = {row.name.text: row for row in new}
    kept = tuple(named.pop(row.name.text, row) for row in old)
    return (*kept, *(row for row in new if row.name.text in named))


def _row_names(declaration: ast.Declaration) -> tuple[str, ...]:
    match declaration:
        case ast.TypeList(values=values):
            return tuple(value.text for value in values)
        case ast.TypeTable(rows=rows) | ast.Piece(rows=rows):
            return tuple(row.name.text for row in rows)
        case ast.Place(rows=lines):
            return tuple(row.name.text for row in lines if isinstance(row, ast.Row))
        case _:
            return ()


def _has_row(declaration: ast.Declaration, row: str) -> bool:
    return row in _row_names(declaration)


def _without_row(declaration: ast.Declaration, row: str) -> ast.Declaration:
    match declaration:
        case ast.TypeList():
            values = tuple(value for value in declaration.values if value.text != row)
            return attrs.evolve(declaration, values=values)
        case ast.TypeTable():
            kept = tuple(each for each in declaration.rows if each.name.text != row)
            return attrs.evolve(declaration, rows=kept)
        case ast.Place():
            lines = tuple(
                each
                for each in declaration.rows
                if not (isinstance(each, ast.Row) and each.name.text == row)
            )
            return attrs.evolve(declaration, rows=lines)
        case ast.Piece():
            return _without_copies(declaration, row)
        case _:
            return declaration


def _without_copies(piece: ast.Piece, row: str) -> ast.Piece:
    """A removed face keeps its row, so that comparisons still hold, but has no copies."""
    columns = [column.text for column in piece.columns]
    if "count" not in columns:
        counted = ast.Name("count", span=piece.name.span)
        rows = tuple(
            attrs.evolve(each, cells=(ast.Number(1, span=each.span), *each.cells))
            for each in piece.rows
        )
        piece = attrs.evolve(piece, columns=(counted, *piece.columns), rows=rows)
        columns.insert(0, "count")
    at = columns.index("count")
    rows = tuple(
        attrs.evolve(
            each,
            cells=(*each.cells[:at], ast.Number(0, span=each.span), *each.cells[at + 1 :]),
        )
        if each.name.text == row
        else each
        for each in piece.rows
    )
    return attrs.evolve(piece, rows=rows)


def leading_requirements(body: ast.Block) -> int:
    """How many statements of an action come before its first effect."""
    for number, statement in enumerate(body):
        if not _is_requirement(statement):
            return number
    return len(body)


def _is_requirement(statement: ast.Statement) -> bool:
    match statement:
        case ast.Let() | ast.Require():
            return True
        case ast.If(branches=branches):
            return all(_is_requirement(inner) for branch in branches for inner in branch.body)
        case _:
            return False


def _hooked_body(hook: ast.Hook, body: ast.Block) -> ast.Block:
    """Requirements added before an action come after its own: they may use its names."""
    if hook.when == "after":
        return body + hook.body
    own, added = leading_requirements(body), leading_requirements(hook.body)
    return body[:own] + hook.body[:added] + hook.body[added:] + body[own:]
