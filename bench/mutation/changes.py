"""Small changes of a module: one operator, number, condition or statement at a time."""

from __future__ import annotations

import ast
import builtins
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import CodeType

import attrs

OPERATIONS = {
    "lt_s": "le_s",
    "le_s": "lt_s",
    "gt_s": "ge_s",
    "ge_s": "gt_s",
    "lt_u": "le_u",
    "le_u": "lt_u",
    "gt_u": "ge_u",
    "ge_u": "gt_u",
    "eq": "ne",
    "ne": "eq",
    "add": "sub",
    "sub": "add",
    "and": "or",
    "or": "and",
    "xor": "or",
    "shl": "shr_u",
    "shr_u": "shl",
    "rem_u": "div_u",
    "div_u": "rem_u",
    "div_s": "rem_s",
    "ctz": "clz",
}
CALLS = {
    "add": "sub",
    "sub": "add",
    "both": "either",
    "either": "both",
    "eq": "ne",
    "ne": "eq",
    "min": "max",
    "max": "min",
    "any": "all",
    "all": "any",
}
COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
COMBINED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Add,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}


@attrs.frozen
class Change:
    """One change of a module: the number of the node it changes, and in words."""

    module: Path
    node: int
    line: int
    words: str
    function: str | None
    """the outermost function or method it is in, if in any"""
    around: range
    """the lines of that, or of the module"""
    name: str
    """tells it from others, also after lines were added above it"""


def changes(module: Path) -> Iterator[Change]:
    """Every small change of a module that is left to the tests to notice."""
    text = module.read_text("utf-8")
    lines = text.splitlines()
    tree = ast.parse(text)
    ignored, functions = _untested(tree) | _uncallable(tree), _functions(tree)
    outside = (None, range(1, len(lines) + 1))
    seen = Counter[str]()
    for number, node in enumerate(ast.walk(tree)):
        words = None if id(node) in ignored else _changed(node)
        if words is None:
            continue
        line = getattr(node, "lineno", 0)
        function, around = functions.get(id(node), outside)
        name = f"{function or 'module'} | {lines[line - 1].strip()} | {words}"
        seen[name] += 1
        if seen[name] > 1:
            name = f"{name} | {seen[name]}"
        yield Change(module, number, line, words, function, around, name)


def mutated(change: Change) -> CodeType:
    tree = ast.parse(change.module.read_text("utf-8"))
    for number, node in enumerate(ast.walk(tree)):
        if number == change.node:
            _changed(node)
    return compile(ast.fix_missing_locations(tree), str(change.module), "exec")


def _functions(tree: ast.Module) -> dict[int, tuple[str, range]]:
    """The outermost function that each node of a body is in, as Python names it, and its lines."""
    found: dict[int, tuple[str, range]] = {}
    todo: list[tuple[ast.stmt, str]] = [(each, "") for each in tree.body]
    while todo:
        node, outer = todo.pop()
        match node:
            case ast.ClassDef(name=name, body=body):
                todo.extend((each, f"{outer}{name}.") for each in body)
            case ast.FunctionDef(name=name, body=body, end_lineno=int(end)):
                first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
                inside = (outer + name, range(first, end + 1))
                parts = (part for each in body for part in ast.walk(each))
                found.update((id(part), inside) for part in parts)
            case _:
                pass
    return found


def body_of(module: Path, function: str) -> frozenset[int]:
    """The lines of a function's body."""
    for name, lines in _functions(ast.parse(module.read_text("utf-8"))).values():
        if name == function:
            return frozenset(lines[1:])
    raise KeyError(function)


def _untested(tree: ast.Module) -> set[int]:
    """Parts that mean nothing to a game: assertions, also of `zip`, texts, types, documentation."""
    found: set[int] = set()
    for node in ast.walk(tree):
        skipped: list[ast.AST] = []
        match node:
            case ast.Assert() | ast.Raise() | ast.JoinedStr():
                skipped = [node]
            case ast.FunctionDef():
                skipped = [node.args, *node.decorator_list]
                skipped += [] if node.returns is None else [node.returns]
            case ast.AnnAssign(annotation=annotation):
                skipped = [annotation]
            case ast.Expr(value=ast.Constant()) | ast.keyword(arg="strict"):
                skipped = [node]
            case _:
                pass
        for each in skipped:
            found.update(id(part) for part in ast.walk(each))
    return found


def _uncallable(tree: ast.Module) -> set[int]:
    """Calls whose neighbour the module does not know: any test would notice that."""
    known = {*dir(builtins)}
    for node in ast.walk(tree):
        match node:
            case ast.alias(name=name, asname=asname):
                known.add(asname or name)
            case ast.FunctionDef(name=name):
                known.add(name)
            case _:
                pass
    return {
        id(node)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and CALLS.get(node.func.id) not in known
    }


def _changed(node: ast.AST) -> str | None:
    """Change a node in place; in words what was done, or None where nothing can be."""
    match node:
        case ast.Compare(ops=[op]) if type(op) in COMPARED:
            before = ast.unparse(node)
            node.ops = [COMPARED[type(op)]()]
            return f"{before} → {ast.unparse(node)}"
        case ast.BinOp(op=op) if type(op) in COMBINED:
            before = ast.unparse(node)
            node.op = COMBINED[type(op)]()
            return f"{before} → {ast.unparse(node)}"
        case ast.BoolOp():
            before = ast.unparse(node)
            node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
            return f"{before} → {ast.unparse(node)}"
        case ast.Constant(value=bool(value)):
            node.value = not value
            return f"{value} → {node.value}"
        case ast.Constant(value=int(value)):
            node.value = value + 1
            return f"{value} → {value + 1}"
        case ast.Constant(value=str(value)):
            match = re.fullmatch(r"(i32|i64)\.(\w+)", value)
            if match is None or match[2] not in OPERATIONS:
                return None
            node.value = f"{match[1]}.{OPERATIONS[match[2]]}"
            return f"{value} → {node.value}"
        case ast.Call(func=ast.Name(id=name) as func) if name in CALLS:
            before = ast.unparse(node)
            func.id = CALLS[name]
            return f"{before} → {ast.unparse(node)}"
        case ast.If(test=test):
            before = ast.unparse(test)
            node.test = ast.UnaryOp(ast.Not(), test)
            return f"if {before} → if not"
        case ast.IfExp(body=body, orelse=orelse):
            before = ast.unparse(node)
            node.body, node.orelse = orelse, body
            return f"{before} → {ast.unparse(node)}"
        case ast.Expr(value=ast.Call()):
            before = ast.unparse(node)
            node.value = ast.Constant(None)
            return f"dropped: {before}"
        case _:
            return None
