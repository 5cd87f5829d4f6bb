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
    "why": Spellings(("why",), ("warum",)),
    "try": Spellings(("try",), ("probe", "probiere")),
    "undo": Spellings(("undo",), ("zurück", "zurueck")),
    "hint": Spellings(("hint",), ("tipp", "hinweis")),
    "log": Spellings(("log",), ("verlauf",)),
    "rules": Spellings(("rules", "rule"), ("regel", "regeln")),
    "look": Spellings(("look",), ("zeigen",)),
    "list": Spellings(("list",), ("liste",)),
    "save": Spellings(("save",), ("speichern",)),
    "quit": Spellings(("quit", "exit"), ("ende",)),
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


def topic_meant(word: str, language: str) -> Topic | None:
    """What is asked of the rules, if it is what every game has."""
    return _meant(TOPICS, word.strip().casefold(), language)


Name = TypeVar("Name", bound=str)


def _meant(known: Mapping[Name, Spellings], typed: str, language: str) -> Name | None:
    for name, words in known.items():
        if typed in words.en or (language == "de" and typed in words.de):
            return name
    return None
