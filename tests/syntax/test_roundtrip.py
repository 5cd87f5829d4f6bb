"""Whatever tree is formatted and parsed comes out as it went in, and looks the same again."""

from typing import Any, get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ruledsl.diagnostics.source import Source
from ruledsl.syntax import ast
from ruledsl.syntax.format import format_file
from ruledsl.syntax.parser import Parsed, parse

from . import trees

calm = settings(
    max_examples=settings().max_examples // 8,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


def check(file: ast.File) -> None:
    text = format_file(Parsed(file, (), ()))
    parsed = parse(Source("generated", text))
    assert parsed.diagnostics == ()
    assert parsed.file == file
    assert format_file(parsed) == text


def classes(forms: dict[type, Any]) -> list[type]:
    return sorted(forms, key=lambda form: form.__name__)


def test_no_form_is_left_out() -> None:
    assert set(get_args(ast.Expr)) == trees.EXPRESSIONS.keys()
    assert set(get_args(ast.Statement)) == trees.STATEMENTS.keys()
    assert set(get_args(ast.Item)) == trees.ITEMS.keys()


@pytest.mark.parametrize("form", classes(trees.EXPRESSIONS))
@calm
@given(data=st.data())
def test_expression(form: type, data: st.DataObject) -> None:
    expr = data.draw(trees.EXPRESSIONS[form])
    name = ast.Name("a")
    statement = ast.Let(name, expr, ())
    check(ast.File((ast.Define(name, (), expr, ()), ast.Step(name, (), None, (), (statement,)))))


@pytest.mark.parametrize("form", classes(trees.STATEMENTS))
@calm
@given(data=st.data())
def test_statement(form: type, data: st.DataObject) -> None:
    statement = data.draw(trees.STATEMENTS[form])
    check(ast.File((ast.Step(ast.Name("a"), (), None, (), (statement, statement)),)))


@pytest.mark.parametrize("form", classes(trees.ITEMS))
@calm
@given(data=st.data())
def test_item(form: type, data: st.DataObject) -> None:
    item = data.draw(trees.ITEMS[form])
    check(ast.File((item, item)))


@calm
@given(file=trees.files)
def test_file(file: ast.File) -> None:
    check(file)
