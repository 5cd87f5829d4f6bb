"""Texts that players read: whole in every language, given their parts where they are said."""

import ast
import importlib
import pkgutil
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import attrs
import pytest

import ruledsl.texts
from ruledsl.texts import terminal
from ruledsl.texts.commands import (
    COMMANDS,
    Spellings,
    command_meant,
    commands_in,
    gives_way,
)
from ruledsl.texts.text import LANGUAGES, Phrases, Text

ROOT = Path(__file__).parents[2]


def texts() -> Iterator[tuple[str, Text]]:
    """All texts by module and name."""
    for info in pkgutil.iter_modules(ruledsl.texts.__path__):
        for name, value in vars(importlib.import_module(f"ruledsl.texts.{info.name}")).items():
            if isinstance(value, Text):
                yield f"{info.name}.{name}", value
            elif isinstance(value, dict):
                yield from (
                    (f"{info.name}.{name}.{key}", text)
                    for key, text in value.items()
                    if isinstance(text, Text)
                )


TEXTS = dict(texts())


def parts(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def test_there_are_texts_of_every_module() -> None:
    assert {name.split(".")[0] for name in TEXTS} == {
        "events",
        "own_words",
        "sentences",
        "sheets",
        "story",
        "terminal",
    }


@pytest.mark.parametrize("of", [Text, Spellings])
def test_a_text_has_a_field_for_each_language(of: type) -> None:
    assert tuple(field.name for field in attrs.fields(of)) == LANGUAGES


@pytest.mark.parametrize("name", TEXTS)
def test_a_text_says_the_same_in_every_language(name: str) -> None:
    text = TEXTS[name]
    for language in LANGUAGES:
        assert text.within(language) == getattr(text, language)
        assert text.within(language)
        assert parts(text.within(language)) == parts(text.en)


def test_no_text_is_given_twice_in_one_module() -> None:
    found: dict[tuple[str, Text], list[str]] = {}
    for name, text in TEXTS.items():
        module, key = name.split(".", 1)
        found.setdefault((key.split(".")[0] if "." in key else module, text), []).append(name)
    assert not [names for names in found.values() if len(names) > 1]


def _alternatives(node: ast.expr) -> tuple[ast.expr, ...]:
    match node:
        case ast.IfExp(body=body, orelse=orelse):
            return body, orelse
        case _:
            return (node,)


def said() -> Iterator[tuple[str, str, set[str | None]]]:
    """Where a text is said: the place, its name, and the parts it is given."""
    for folder in ("ruledsl", "cli"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            modules = {
                (alias.asname or alias.name): alias.name
                for node in ast.walk(tree)
                if isinstance(node, ast.ImportFrom) and node.module == "ruledsl.texts"
                for alias in node.names
            }
            for node in ast.walk(tree):
                match node:
                    case ast.Call(args=[first], keywords=keywords):
                        for each in _alternatives(first):
                            match each:
                                case ast.Attribute(value=ast.Name(module), attr=name):
                                    if module in modules:
                                        where = f"{path.relative_to(ROOT)}:{node.lineno}"
                                        given = {keyword.arg for keyword in keywords}
                                        yield where, f"{modules[module]}.{name}", given
                                case _:
                                    pass
                    case _:
                        pass


def test_a_text_is_given_its_parts() -> None:
    found = [(where, name, given) for where, name, given in said() if name in TEXTS]
    assert len(found) > 100
    assert not [
        (where, name, needed - given)
        for where, name, given in found
        if (needed := parts(TEXTS[name].en)) - given
    ]


def test_another_language_is_said_in_english() -> None:
    text = Text("one {n}", "eins {n}")
    assert [Phrases(word)(text, n="!") for word in ("en", "de", "fr")] == [
        "one !",
        "eins !",
        "one !",
    ]


def test_commands_have_words_of_their_own() -> None:
    for language in LANGUAGES:
        words = [word for each in COMMANDS.values() for word in getattr(each, language)]
        assert len(set(words)) == len(words)
        for name, each in COMMANDS.items():
            assert {command_meant(word, language) for word in getattr(each, language)} == {name}


@pytest.mark.parametrize("language", LANGUAGES)
def test_help_names_the_usual_words_of_all_commands(language: str) -> None:
    named = [Phrases(language)(text).split()[0] for text in terminal.HELP]
    assert sorted(named) == sorted(commands_in(language))


@pytest.mark.parametrize(
    ("typed", "command"),
    [("beenden", "quit"), ("Aufhören", "quit"), ("rückgängig", "undo"), ("wieso", "why")],
)
def test_germans_have_several_words_for_a_command(typed: str, command: str) -> None:
    assert command_meant(typed, "de") == command
    assert gives_way(typed, "de")
    assert not gives_way(f"/{typed}", "de")
    assert command_meant(typed, "en") is None


def test_english_commands_are_understood_everywhere() -> None:
    assert command_meant("/Undo", "de") == "undo"
    assert command_meant("zurück", "de") == "undo"
    assert command_meant("zurück", "en") is None
