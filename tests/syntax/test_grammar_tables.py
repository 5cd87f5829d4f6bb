"""The shipped tables: those of the grammar, and never used for another one."""

import pytest

from ruledsl.diagnostics.source import Source
from ruledsl.syntax import grammar_tables
from ruledsl.syntax.grammar_tables import GRAMMAR, SHIPPED, grammar_text, read, tables, written
from ruledsl.syntax.lalr import tables_of
from ruledsl.syntax.parser import Reader, parse

_packaged = grammar_tables._packaged


def test_the_shipped_tables_are_those_of_the_grammar() -> None:
    made = written(tables_of(grammar_text()), grammar_text())
    assert _packaged(SHIPPED) == made, "the grammar has changed: `make tables` makes them anew"


def test_the_shipped_tables_are_used() -> None:
    assert read(_packaged(SHIPPED), grammar_text()) == tables()


def test_tables_come_back_as_they_were_written() -> None:
    made = tables_of(grammar_text())
    assert read(written(made, grammar_text()), grammar_text()) == made


def test_tables_of_another_grammar_are_not_used() -> None:
    edited = grammar_text().replace('"ring" span', '"circle" span')
    assert edited != grammar_text()
    assert read(_packaged(SHIPPED), edited) is None


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Whatever was read before is forgotten, and so is what a test reads."""
    made: list[Reader] = []

    def reader() -> Reader:
        if not made:
            made.append(Reader(tables()))
        return made[0]

    monkeypatch.setattr("ruledsl.syntax.parser.reader", reader)
    return monkeypatch


def test_an_edited_grammar_holds_at_once(fresh: pytest.MonkeyPatch) -> None:
    edited = grammar_text().replace('"ring" span', '"circle" span')
    fresh.setattr(
        grammar_tables, "_packaged", lambda name: edited if name == GRAMMAR else _packaged(name)
    )
    assert not parse(Source("test", "place spot circle 8\n")).diagnostics
    assert parse(Source("test", "place spot ring 8\n")).diagnostics


def test_without_shipped_tables_they_are_made(fresh: pytest.MonkeyPatch) -> None:
    def packaged(name: str) -> str:
        if name == SHIPPED:
            raise FileNotFoundError(name)
        return _packaged(name)

    fresh.setattr(grammar_tables, "_packaged", packaged)
    assert not parse(Source("test", "place spot ring 8\n")).diagnostics
