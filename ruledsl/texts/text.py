"""A text that people read, in every language the tool speaks."""

from __future__ import annotations

import attrs


@attrs.frozen
class Text:
    """A text once in each language, with `{parts}` to be filled in."""

    en: str
    de: str

    def within(self, language: str) -> str:
        """The text in a language; in any other than these it is English."""
        return self.de if language == "de" else self.en


LANGUAGES = ("en", "de")
"""Languages in which there are all texts; the first is that of whoever asks for another."""


@attrs.frozen
class Phrases:
    """The texts of one language: `say(TURN, player="Anna")`."""

    language: str

    def __call__(self, text: Text, /, **parts: str) -> str:
        return text.within(self.language).format(**parts)
