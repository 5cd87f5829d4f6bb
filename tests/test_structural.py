"""Equality, hash and text of syntax forms: as attrs would write them."""

from typing import Any

import attrs

from ruledsl.diagnostics.source import Span
from ruledsl.syntax import ast
from ruledsl.syntax.ast import Name, Number, Text

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
