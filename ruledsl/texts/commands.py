"""What players type at a prompt besides their choices."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias, TypeVar

import attrs


@attrs.frozen
class Spellings:
    """The words for one command in each language, the usual one first."""

    en: tuple[str, ...]
    de: tuple[str, ...]


COMMANDS = {
    "why": Spellings(("why",), ("warum", "wieso", "weshalb")),
    "try": Spellings(("try",), ("probe", "probiere", "probieren", "versuche", "versuchen")),
    "undo": Spellings(
        ("undo",), ("zurück", "zurueck", "zurücknehmen", "rückgängig", "rueckgaengig")
    ),
    "hint": Spellings(("hint",), ("tipp", "hinweis", "vorschlag")),
    "log": Spellings(("log",), ("verlauf", "protokoll")),
    "rules": Spellings(("rules", "rule"), ("regel", "regeln")),
    "look": Spellings(("look",), ("zeigen", "zeige", "zeig")),
    "list": Spellings(("list",), ("liste",)),
    "save": Spellings(("save",), ("speichern", "speichere", "sichern")),
    "quit": Spellings(("quit", "exit"), ("ende", "beenden", "aufhören", "aufhoeren")),
    "help": Spellings(("help", "?"), ("hilfe",)),
}

Topic: TypeAlias = Literal["win", "end"]

TOPICS: dict[Topic, Spellings] = {
    "win": Spellings(("win", "wins", "winning"), ("sieg", "gewinnen")),
    "end": Spellings(("end", "ending"), ("ende", "spielende")),
}
"""What every game's rules are asked for, whatever they call it."""


def commands_in(language: str) -> tuple[str, ...]:
    """The usual word for each command."""
    return tuple((words.de if language == "de" else words.en)[0] for words in COMMANDS.values())


def command_meant(word: str, language: str) -> str | None:
    """The command that a word stands for; English ones are understood in every language."""
    return _meant(COMMANDS, word.casefold().removeprefix("/"), language)


def gives_way(text: str, language: str) -> bool:
    """Whether what is typed is a command only where nothing that can be chosen is called so: any
    word but the usual ones, unless it begins with a slash."""
    usual = {*commands_in("en"), *commands_in(language)}
    return not text.startswith("/") and text.casefold() not in usual


def topic_meant(word: str, language: str) -> Topic | None:
    """What is asked of the rules, if it is what every game has."""
    return _meant(TOPICS, word.strip().casefold(), language)


Name = TypeVar("Name", bound=str)


def _meant(known: Mapping[Name, Spellings], typed: str, language: str) -> Name | None:
    for name, words in known.items():
        if typed in words.en or (language == "de" and typed in words.de):
            return name
    return None
