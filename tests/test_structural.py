"""Equality, hash and text of syntax forms: as attrs would write them."""

from typing import Any

import attrs

from ruledsl.diagnostics.source import Span
from ruledsl.syntax import ast
from ruledsl.syntax.ast import Name, Number, Text
from ruledsl.syntax.walk import nodes

HERE = Span("here", 1, 1, 1, 2)


def test_fields_are_compared_and_places_are_not() -> None:
    assert Number(1, span=HERE) == Number(1)
    assert Number(1) != Number(2)
    assert hash(Number(1, span=HERE)) == hash(Number(1))


def test_classes_are_told_apart() -> None:
    others: list[object] = [Text("a"), "a"]
    assert all(Name("a") != other for other in others)
    assert len({Name("a"), Text("a"), Name("a", span=HERE)}) == 2


def test_the_text_shows_the_fields() -> None:
    assert repr(ast.Arithmetic("+", Number(1, span=HERE), Number(2))) == (
        "Arithmetic(sign='+', left=Number(value=1), right=Number(value=2))"
    )


def test_a_form_without_fields_is_like_any_other() -> None:
    without: list[Any] = [
        cls
        for cls in vars(ast).values()
        if isinstance(cls, type) and attrs.has(cls) and len(attrs.fields(cls)) == 1
    ]
    assert without
    for cls in without:
        assert cls() == cls(span=HERE)
        assert hash(cls()) == hash(cls(span=HERE))


def test_a_tree_is_gone_through_in_the_order_written() -> None:
    one, two = Number(1, span=HERE), Number(2)
    total = ast.Arithmetic("+", one, two)
    assert list(nodes((total, Name("a")))) == [total, one, two, Name("a")]
    assert list(nodes("no node")) == []


def test_only_fields_of_plain_types_are_passed_over_on_the_way_down() -> None:
    """What a field may hold is told by its type; what can hold a node is looked into."""
    kinds: list[Any] = [c for c in vars(ast).values() if isinstance(c, type) and attrs.has(c)]
    passed = {
        (kind.__name__, field.name): field.type
        for kind in kinds
        for field in attrs.fields(kind)
        if field.name not in nodes.fields(kind)
    }
    assert {str(of) for (_, name), of in passed.items() if name != "span"} == {"str", "int", "bool"}
