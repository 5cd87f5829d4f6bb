"""What `implementation.md` names exists, it names every part, and the stages it shows are true."""

import re
from functools import cache

import pytest
from click.testing import CliRunner

from ruledsl.cli.compile import command

from .blocks import DOCS

ROOT = DOCS.parent
TEXT = (DOCS / "implementation.md").read_text(encoding="utf-8")
RECIPES = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
PATH = r"`((?:ruledsl|cli|grammar|games|tests|bench|docs)/[\w/.]*)`"
NAMED = set(re.findall(PATH, TEXT))


def test_what_is_named_exists() -> None:
    paths = NAMED | set(re.findall(PATH, RECIPES))
    assert len(NAMED) > 50
    assert len(paths - NAMED) > 10
    assert [path for path in sorted(paths) if not (ROOT / path).exists()] == []


def test_the_picture_of_the_engine_names_what_exists() -> None:
    (picture,) = re.findall(r"## The engine\n\n```text\n(.*?)```", TEXT, re.DOTALL)
    places = re.findall(r" ([a-z_/]+(?:/|\.py))$", picture, re.MULTILINE)
    assert len(places) == 7
    engine = ROOT / "ruledsl" / "engine"
    assert [place for place in places if not (engine / place).exists()] == []


INSIDE = re.findall(
    r"`((?:ruledsl|cli)/[\w/]+\.py)`,\s+(`\w+`(?:(?:,| and| or)\s+`\w+`)*)",
    TEXT + RECIPES,
)
"""Files, and what is named in them: ``x.py`, `one` and `other``."""


def test_what_is_named_in_a_file_is_there() -> None:
    assert len(INSIDE) > 10
    missing = [
        (path, name)
        for path, names in INSIDE
        for name in re.findall(r"\w+", names.replace(" and ", " ").replace(" or ", " "))
        if not re.search(
            rf"\b(?:def|class) {name}\b|^{name}\b.* = ",
            (ROOT / path).read_text(encoding="utf-8"),
            re.MULTILINE,
        )
    ]
    assert missing == []


def test_every_part_is_named() -> None:
    folders = {path.parent.relative_to(ROOT) for path in ROOT.glob("ruledsl/**/__init__.py")}
    missing = {f"{folder}/" for folder in folders if str(folder) != "ruledsl"} - NAMED
    assert missing == set()


STAGES = re.findall(
    r"^```text\n\$ ruledsl compile (\w+) --emit (\w+)\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL
)
PASSING = re.compile(r"\b(?:t\d+|L\d+|\d{4,})\b|(?<=local\.[gs]et )\d+")
"""Names and addresses that the compiler gives out as it goes on."""


@cache
def stage(game: str, emit: str) -> str:
    found = CliRunner().invoke(command, [game, "--emit", emit], standalone_mode=False)
    assert found.exception is None
    return "\n".join(line.strip() for line in found.output.splitlines())


def pattern(block: str) -> str:
    """The lines of a block, in a row; equal names stand for equal ones, whatever they are."""
    seen: set[str] = set()
    parts: list[str] = []
    lines = "\n".join(line.strip() for line in block.strip().splitlines())
    at = 0
    for match in PASSING.finditer(lines):
        group = f"n{match[0]}"
        parts.append(re.escape(lines[at : match.start()]))
        parts.append(f"(?P={group})" if group in seen else f"(?P<{group}>\\w+)")
        seen.add(group)
        at = match.end()
    return "".join((*parts, re.escape(lines[at:])))


def test_all_stages_are_shown() -> None:
    assert [emit for _, emit, _ in STAGES] == ["core", "plan", "code", "wasm"]


@pytest.mark.parametrize(("game", "emit", "block"), STAGES, ids=lambda part: part[:9].strip())
def test_stages_are_true(game: str, emit: str, block: str) -> None:
    assert re.search(f"^{pattern(block)}$", stage(game, emit), re.MULTILINE)


def test_a_stage_that_is_not_true_is_noticed() -> None:
    for game, emit, block in STAGES:
        wrong = block.replace("lt_s", "le_s").replace("(<,", "(<=,")
        assert wrong != block
        assert not re.search(f"^{pattern(wrong)}$", stage(game, emit), re.MULTILINE)
