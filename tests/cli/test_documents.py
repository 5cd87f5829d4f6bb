"""What programs read: every command's document keeps to its schema."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from ruledsl.cli.main import COMMANDS, Shell, main

from .conftest import Run

DOCS = Path(__file__).parents[2] / "docs"
SCHEMAS = {
    file.stem: json.loads(file.read_text(encoding="utf-8"))
    for file in sorted((DOCS / "schemas").glob("*.json"))
}
REGISTRY: Registry[Any] = Registry().with_resources(
    (schema["$id"], Resource.from_contents(schema)) for schema in SCHEMAS.values()
)
DOCUMENTS = SCHEMAS.keys() - {"common"}

MATCHES = """\
game matches "Matches"
    players 2..3
    rulebook MA 1..2

option expert in {no, yes} = no
option most in 1..3 = 2

place heap of Match
place box of Match
piece Match 5 in heap

step setup
    set active = Player(1)

step play
    repeat
        choose "How many?"
            take_some
        set active = active.next

action take_some(n in 1..most) "Take"                 §MA-1 assumed "or three"
    require n <= count(heap) "There are not so many left."
    require n < 3 or expert "That is for experts."
    move n from heap to box
    if empty(heap)
        win you

test "the last one wins"
    players 2
    given
        move 4 from heap to box
    when play
        take_some(1)
    then
        winners = {Player(1)}

test "this one fails"
    players 2
    when play
        take_some(2)
    then
        count(heap) = 4
"""
BROKEN = MATCHES.replace("empty(heap)", "empty(hepa)")
STUCK = MATCHES.replace("set active = active.next", "set active = sure(Player(count(heap) + 9))")


@pytest.fixture
def matches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "matches.rules").write_text(MATCHES, encoding="utf-8")
    (tmp_path / "broken.rules").write_text(BROKEN, encoding="utf-8")
    fine = MATCHES.partition('test "this one fails"')[0]
    (tmp_path / "fine.rules").write_text(fine.replace("matches", "fine"), encoding="utf-8")
    return tmp_path


def validated(text: str, kind: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(text)
    Draft202012Validator(SCHEMAS[kind], registry=REGISTRY).validate(document)
    return document


@pytest.mark.parametrize("kind", sorted(SCHEMAS))
def test_schemas_are_schemas(kind: str) -> None:
    Draft202012Validator.check_schema(SCHEMAS[kind])


def test_every_command_for_programs_has_a_schema_and_a_line_in_the_documents() -> None:
    assert isinstance(main, Shell)
    offering = {
        name
        for name in COMMANDS
        if (command := main.get_command(main.make_context("ruledsl", ["help"]), name)) is not None
        and any("--json" in parameter.opts for parameter in command.params)
    }
    assert offering | {"mutants"} == DOCUMENTS
    text = (DOCS / "json.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE)) == DOCUMENTS


CALLS = {
    "arena": ("arena", "fine.rules", "--seats", "greedy,random", "--players", "2", "--games", "4"),
    "check": ("check", "broken.rules"),
    "cover": ("cover", "fine.rules"),
    "diff": ("diff", "fine.rules", "fine.rules:most=1", "--games", "20", "--seconds", "1"),
    "list": ("list", "fine.rules"),
    "mutants": ("test", "fine.rules", "--mutants", "--limit", "3"),
    "perft": ("perft", "fine.rules", "--depth", "2", "--option", "expert=yes"),
    "report": ("report", "fine.rules", "--games", "60", "--skilled", "2"),
    "simulate": ("simulate", "fine.rules", "--games", "20", "--option", "expert=yes"),
    "sweep": ("sweep", "fine.rules", "--vary", "most=1..2", "--games", "50"),
    "test": ("test", "matches.rules", "broken.rules"),
}


@pytest.mark.usefixtures("matches")
@pytest.mark.parametrize("kind", sorted(CALLS))
def test_documents_keep_to_their_schema(run: Run, kind: str) -> None:
    result = run(*CALLS[kind], "--json")
    document = validated(result.stdout, kind)
    assert (document["format"], document["document"]) == (1, kind)


def test_a_history_keeps_to_its_schema(run: Run, matches: Path) -> None:
    (matches / "moves").write_text("1\n1\n", encoding="utf-8")
    seats = ("--players", "2", "--seats", "human,human")
    played = ("play", "fine.rules", *seats, "--moves", "moves", "--save")
    run(*played, "half.save", "--option", "most=3")
    document = validated(run("history", "half.save", "--json").stdout, "history")
    assert document["options"] == {"expert": False, "most": 3}
    assert (document["seed"], document["result"]) == (None, None)
    (matches / "moves").write_text("2\n2\n1\n", encoding="utf-8")
    run(*played, "whole.save", "--seed", "3")
    document = validated(run("history", "whole.save", "--json").stdout, "history")
    assert document["seed"] == 3
    assert document["result"]["winners"] == [1]
    assert document["result"]["how"] == "win"


def test_options_are_told_as_what_they_are(run: Run, matches: Path) -> None:
    assert matches.exists()
    words = ("simulate", "fine.rules", "--games", "5", "--json", "--option", "expert=yes")
    assert json.loads(run(*words).stdout)["options"] == {"expert": True, "most": 2}
    (game, *_) = json.loads(run("list", "fine.rules", "--json").stdout)["games"]
    assert [option["default"] for option in game["options"]] == [False, 2]
    refused = run("simulate", "fine.rules", "--option", "expert=True")
    assert "`expert` is one of no, yes, not True" in refused.stderr


@pytest.mark.usefixtures("matches")
def test_what_went_wrong_keeps_to_the_schemas(run: Run) -> None:
    Path("stuck.rules").write_text(STUCK.replace("matches", "stuck"), encoding="utf-8")
    document = validated(
        run("simulate", "stuck.rules", "--games", "3", "--json").stdout, "simulate"
    )
    assert document["failures"][0]["games"] == 3
    assert document["draws"] is None
    document = validated(run("check", "matches.rules", "--json").stdout, "check")
    assert [each["code"] for each in document["mistakes"]] == ["uncited-rule"]
