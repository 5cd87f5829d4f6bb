"""The grammar on its own: without conflicts, and complete without the project's scanner."""

import re
from pathlib import Path

import lark
import pytest
from lark.indenter import Indenter

from ruledsl.diagnostics.source import NOWHERE, Source
from ruledsl.syntax.grammar_tables import grammar_text
from ruledsl.syntax.lalr import tables_of
from ruledsl.syntax.parser import parse, reader
from ruledsl.syntax.tokens import Token
from ruledsl.syntax.words import BLOCK_LINES, EXPRESSIONS, STATEMENTS

from .samples import FILES

GRAMMAR = grammar_text()
NO_BRACES = str.maketrans("{}", "()")


class Indentation(Indenter):
    NL_type = "_NL"
    OPEN_PAREN_types = ["LPAR", "LBRACE"]  # noqa: RUF012  as in the base class
    CLOSE_PAREN_types = ["RPAR", "RBRACE"]  # noqa: RUF012
    INDENT_type = "_INDENT"
    DEDENT_type = "_DEDENT"
    tab_len = 8


def test_no_conflicts() -> None:
    tables_of(GRAMMAR, strict=True)


def test_no_colliding_terminals() -> None:
    pytest.importorskip("interegular")
    lark.Lark(GRAMMAR, parser="lalr", postlex=Indentation(), strict=True)


@pytest.fixture(scope="module")
def plain() -> lark.Lark:
    return lark.Lark(GRAMMAR, parser="lalr", postlex=Indentation())


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_lark_alone_reads_the_same_files(plain: lark.Lark, path: Path) -> None:
    text = path.read_text("utf-8")
    # Which brace ends a value in a text and which a set, only our own scanner can tell.
    without_values = re.sub(r'"[^"\n]*"', lambda found: found[0].translate(NO_BRACES), text)
    tree = plain.parse(without_values + "\n")
    assert len(tree.children) == len(parse(Source(path.name, text)).file.items)


def test_word_lists_are_words_of_the_grammar() -> None:
    literals = reader().scanner.literals
    assert {*STATEMENTS, *EXPRESSIONS, *BLOCK_LINES} <= literals.keys()


def test_each_statement_word_begins_a_statement() -> None:
    machine = reader().automaton.start()
    for kind, text in (("STEP", "step"), ("NAME", "a"), ("_NL", ""), ("_INDENT", "")):
        machine.feed(Token.at(kind, text, NOWHERE))
    written = {name: literal for literal, name in reader().scanner.literals.items()}
    begins = {written.get(kind, kind) for kind in machine.accepts}
    assert begins == {*STATEMENTS, "NAME"}
