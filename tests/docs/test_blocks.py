"""The documents are true: every block of rules is laid out well, checked, and its tests run."""

from pathlib import Path

import pytest

from ruledsl.diagnostics.source import Source
from ruledsl.lab.examples import run_in_both
from ruledsl.library import Library, read_path
from ruledsl.play.check import check_source
from ruledsl.syntax.format import format_file
from ruledsl.syntax.parser import parse

from .blocks import Block, rules_blocks, write_file

DOCUMENTS = ("language.md", "variants.md")
BLOCKS = {document: rules_blocks(document) for document in DOCUMENTS}
ALL = [block for blocks in BLOCKS.values() for block in blocks]

UNFINISHED = {"missing-translation", "never-reached", "unused-name"}
"""Warnings about a part of a file that shows one thing and leaves out what would use it."""


@pytest.mark.parametrize("block", ALL, ids=str)
def test_layout(block: Block) -> None:
    parsed = parse(Source(str(block), block.text))
    if "error" not in block.marks:
        assert parsed.diagnostics == ()
    if not parsed.diagnostics:
        assert format_file(parsed) == block.text


@pytest.mark.parametrize("block", ALL, ids=str)
def test_rules(block: Block, tmp_path: Path) -> None:
    path = write_file(block, BLOCKS[block.document], tmp_path)
    checked = check_source(read_path(str(path)), Library())
    found = {each.code.name: each.message for each in checked.diagnostics}
    expected = {block.marks[mark] for mark in ("error", "warning") if mark in block.marks}
    tolerated = UNFINISHED if "of" in block.marks and not expected else set()
    assert found.keys() - tolerated == expected, found
    if checked.game is not None:
        failures = {
            outcome.test.title: (outcome.failure.span.line, outcome.failure.message)
            for outcome in run_in_both(checked.game)
            if outcome.failure is not None
        }
        assert failures == {}


def test_there_are_blocks() -> None:
    assert len(BLOCKS["language.md"]) >= 40


@pytest.mark.parametrize("document", DOCUMENTS)
def test_names_are_given_once(document: str) -> None:
    names = [name for block in BLOCKS[document] if (name := block.declared_name) is not None]
    assert len(names) == len(set(names))
