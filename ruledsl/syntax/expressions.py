"""Expressions and types as text: as few brackets as the grammar allows, breaks inside brackets.

A level is how tightly a form binds; a form that binds less than its place wants gets brackets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias, assert_never

from ruledsl.syntax import ast
from ruledsl.syntax.layout import (
    BLANK,
    SOFT,
    Doc,
    Group,
    IfBroken,
    Nest,
    Wrap,
    cat,
    enclosed,
    flat,
    joined,
)

EXPR, EITHER, BOTH, NEGATION, COMPARISON, SPAN, SUM, PRODUCT, UNARY, POSTFIX = range(10)

SHORT = 20

Chain: TypeAlias = list[Doc]
"""Parts of an expression that may stand on a line each."""

Operand: TypeAlias = Callable[[ast.Expr, int], Doc]
"""`expression` or `within`"""


def level(expr: ast.Expr) -> int:
    """The rule of the grammar that the form belongs to."""
    match expr:
        case ast.Conditional():
            return EXPR
        case ast.Either():
            return EITHER
        case ast.Both():
            return BOTH
        case ast.Not():
            return NEGATION
        case ast.Comparison():
            return COMPARISON
        case ast.Interval():
            return SPAN
        case ast.Arithmetic():
            return SUM if expr.sign in ("+", "-") else PRODUCT
        case ast.Negative():
            return UNARY
        case _:
            return POSTFIX


def expression(expr: ast.Expr, least: int = EXPR) -> Doc:
    """An expression outside all brackets: it gets some where it must be broken."""
    if level(expr) < least:
        return bracketed(expr)
    parts = chain(expr)
    if not parts:
        return unbroken(expr, expression)
    inner = Nest(cat(SOFT, joined(parts, BLANK)))
    return Group(cat(IfBroken("("), inner, IfBroken(")")))


def within(expr: ast.Expr, least: int = EXPR) -> Doc:
    """An expression inside brackets, where it may be broken freely."""
    if level(expr) < least:
        return bracketed(expr)
    parts = chain(expr)
    return Group(Nest(joined(parts, BLANK))) if parts else unbroken(expr, within)


def bracketed(expr: ast.Expr) -> Doc:
    parts = chain(expr) or [unbroken(expr, within)]
    return enclosed("(", joined(parts, BLANK), ")")


def chain(expr: ast.Expr) -> Chain:
    """The parts of the outermost form between which it may be broken, if there are any."""
    match expr:
        case ast.Conditional():
            return conditional_chain(expr)
        case ast.Either():
            return operator_chain(expr, ast.Either, "or", BOTH)
        case ast.Both():
            return operator_chain(expr, ast.Both, "and", NEGATION)
        case ast.Arithmetic() if expr.sign in ("+", "-"):
            return sum_chain(expr)
        case _:
            return []


def conditional_chain(expr: ast.Conditional) -> Chain:
    parts: Chain = []
    word = "if"
    rest: ast.Expr = expr
    while isinstance(rest, ast.Conditional):
        condition, value = within(rest.condition, EITHER), within(rest.yes, EITHER)
        parts.append(cat(f"{word} ", condition, " then ", value))
        word = "else if"
        rest = rest.no
    return [*parts, cat("else ", within(rest))]


def operator_chain(
    expr: ast.Either | ast.Both, form: type[ast.Either | ast.Both], word: str, least: int
) -> Chain:
    rights: Chain = []
    left: ast.Expr = expr
    while isinstance(left, form):
        rights.append(cat(f"{word} ", within(left.right, least)))
        left = left.left
    return [within(left, least), *reversed(rights)]


def sum_chain(expr: ast.Arithmetic) -> Chain:
    rights: Chain = []
    left: ast.Expr = expr
    while isinstance(left, ast.Arithmetic) and left.sign in ("+", "-"):
        rights.append(cat(f"{left.sign} ", within(left.right, PRODUCT)))
        left = left.left
    return [within(left, SUM), *reversed(rights)]


def unbroken(expr: ast.Expr, operand: Operand) -> Doc:
    """A form that is only broken inside its operands and its own brackets."""
    match expr:
        case ast.Number():
            return str(expr.value)
        case ast.Flag():
            return "yes" if expr.value else "no"
        case ast.Nothing():
            return "none"
        case ast.Text():
            return text(expr)
        case ast.Ref():
            return cat(expr.name.text, arguments(expr.arguments))
        case ast.Attribute():
            return attribute(expr)
        case ast.FaceOf():
            return f"face of {expr.kind.text}"
        case ast.Negative():
            return cat("-", operand(expr.operand, UNARY))
        case ast.Arithmetic():
            return product(expr, operand)
        case ast.Interval():
            return cat(operand(expr.low, SUM), "..", operand(expr.high, SUM))
        case ast.Comparison():
            return cat(operand(expr.left, SPAN), f" {expr.sign} ", operand(expr.right, SPAN))
        case ast.Not():
            return cat("not ", operand(expr.operand, NEGATION))
        case ast.Case():
            return cat("case ", operand(expr.subject, SUM), " of ", cases(expr.arms))
        case ast.SetOf():
            return set_of(expr.items)
        case ast.Query():
            return query(expr)
        case ast.Over():
            return enclosed(f"{expr.word}(", within(expr.subject, SUM), ")")
        case ast.Extreme():
            items = joined((within(item, SUM) for item in expr.items), ",", BLANK)
            return enclosed(f"{expr.word}(", items, ")")
        case ast.Reach():
            return reach(expr)
        case ast.LongestTrail():
            return trail(expr)
        case ast.Would():
            step = cat("after ", expr.step.text, arguments(expr.arguments))
            return enclosed("would(", joined((within(expr.body), step), BLANK), ")")
        case ast.Can():
            by = "" if expr.by is None else cat(" by ", within(expr.by, SUM))
            return enclosed("can(", cat(expr.action.text, arguments(expr.arguments), by), ")")
        case ast.Conditional() | ast.Either() | ast.Both():
            return joined(chain(expr), BLANK)
        case _:
            assert_never(expr)


def written(expr: ast.Expr) -> str:
    """An expression on one line."""
    return flat(within(expr))


def text(node: ast.Text) -> str:
    return f'"{node.value}"'


def arguments(given: tuple[ast.Argument, ...] | None) -> Doc:
    if given is None:
        return ""
    if not given:
        return "()"
    return enclosed("(", joined((argument(each) for each in given), ",", BLANK), ")")


def argument(node: ast.Argument) -> Doc:
    value = within(node.value)
    return value if node.name is None else cat(f"{node.name.text}: ", value)


def attribute(expr: ast.Attribute) -> Doc:
    parts: Chain = []
    subject: ast.Expr = expr
    while isinstance(subject, ast.Attribute):
        parts.append(cat(f".{subject.name.text}", arguments(subject.arguments)))
        subject = subject.subject
    return cat(within(subject, POSTFIX), *reversed(parts))


def product(expr: ast.Arithmetic, operand: Operand) -> Doc:
    rights: Chain = []
    left: ast.Expr = expr
    while isinstance(left, ast.Arithmetic) and left.sign not in ("+", "-"):
        rights.append(cat(f" {left.sign} ", operand(left.right, UNARY)))
        left = left.left
    return cat(operand(left, PRODUCT), *reversed(rights))


def cases(nodes: tuple[ast.Arm, ...]) -> Doc:
    """One on a line, or several if all are short."""
    arms = [arm(node) for node in nodes]
    short = all(len(flat(each)) <= SHORT for each in arms)
    between: Chain = [Wrap(", ")] if short else [",", BLANK]
    return enclosed("(", joined(arms, *between), ")")


def arm(node: ast.Arm) -> Doc:
    key = "else" if node.key is None else within(node.key, SUM)
    return cat(key, ": ", within(node.value))


def set_of(items: tuple[ast.Expr, ...]) -> Doc:
    if not items:
        return "{}"
    return enclosed("{", joined((within(item, SUM) for item in items), Wrap(", ")), "}")


def query(expr: ast.Query) -> Doc:
    ranges = [
        draws(expr.draws, within),
        *narrowed(expr.where, expr.running, expr.order, within),
    ]
    match expr.word:
        case "filter":
            return enclosed("{", joined(ranges, BLANK), "}")
        case "count" | "any" | "the":
            return enclosed(f"{expr.word}(", joined(ranges, BLANK), ")")
        case "first" if expr.body is None:
            return enclosed("first(", joined(ranges, BLANK), ")")
        case "image" | "sum" | "max" | "min" | "first":
            assert expr.body is not None
            first, *others = ranges
            parts = [within(expr.body, SUM), cat("for ", first), *others]
            opening, closing = ("{", "}") if expr.word == "image" else (f"{expr.word}(", ")")
            return enclosed(opening, joined(parts, BLANK), closing)
        case "all":
            assert expr.body is not None
            return enclosed("all(", joined([*ranges, cat("have ", within(expr.body))], BLANK), ")")
        case _:
            assert_never(expr.word)


def draws(nodes: Iterable[ast.Draw], operand: Operand) -> Doc:
    return joined((draw(node, operand) for node in nodes), ", ")


def draw(node: ast.Draw, operand: Operand) -> Doc:
    return cat(f"{node.name.text} in ", operand(node.domain, SPAN))


def narrowed(
    where: ast.Expr | None,
    running: ast.Expr | None,
    order: Iterable[ast.Order],
    operand: Operand,
) -> Chain:
    parts: Chain = []
    if where is not None:
        parts.append(cat("where ", operand(where, EXPR)))
    if running is not None:
        parts.append(cat("while ", operand(running, EXPR)))
    parts.extend(cat(f"{key.way} ", operand(key.key, SUM)) for key in order)
    return parts


def reach(expr: ast.Reach) -> Doc:
    start = cat(f"{expr.name.text} from ", within(expr.start, SUM))
    parts = [start, cat("via ", within(expr.via, SUM)), *narrowed(expr.where, None, (), within)]
    if expr.exactly is not None:
        parts.append(cat("exactly ", within(expr.exactly, SUM)))
    return enclosed("reach(", joined(parts, BLANK), ")")


def trail(expr: ast.LongestTrail) -> Doc:
    parts: Chain = [within(expr.edges, SUM)]
    if expr.length is not None and expr.name is not None:
        drawn = cat(f"for {expr.name.text} in ", within(expr.edges, SPAN))
        parts = [within(expr.length, SUM), drawn, *narrowed(expr.where, None, (), within)]
    if expr.through is not None:
        parts.append(cat("through ", within(expr.through, SUM)))
    return enclosed("trail(", joined(parts, BLANK), ")")


def type_expression(node: ast.TypeExpr) -> Doc:
    match node:
        case ast.PlainType():
            return expression(node.domain, SPAN)
        case ast.SetType():
            return cat("set of ", expression(node.element, SPAN))
        case ast.OptionalType():
            return cat(expression(node.domain, SPAN), " or none")
        case _:
            assert_never(node)
