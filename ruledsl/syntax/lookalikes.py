"""Names that a reader takes for other names: letters of other scripts that look like Latin ones."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator

from ruledsl.diagnostics import syntax as mistakes
from ruledsl.diagnostics.diagnostic import Diagnostic
from ruledsl.syntax.tokens import Token

_DOUBLES = {
    "a": "аαɑ",
    "b": "Ьƅ",
    "c": "сϲ",
    "d": "ԁ",
    "e": "еҽ",
    "g": "ɡց",
    "h": "һհ",
    "i": "іιıɪ",
    "j": "јϳ",
    "k": "κк",
    "l": "ӏǀ",
    "m": "м",
    "n": "ոп",
    "o": "оοօσ",
    "p": "рρ",
    "q": "ԛզ",
    "r": "г",
    "s": "ѕ",
    "t": "т",
    "u": "υս",
    "v": "νѵ",
    "w": "ԝѡω",
    "x": "хχ",
    "y": "уγ",
    "A": "АΑ",
    "B": "ВΒ",
    "C": "СϹ",
    "E": "ЕΕ",
    "H": "НΗ",
    "I": "ІΙӀ",
    "J": "ЈͿ",
    "K": "КΚ",
    "M": "МΜ",
    "N": "Ν",
    "O": "ОΟՕ",
    "P": "РΡ",
    "S": "ЅՏ",
    "T": "ТΤ",
    "X": "ХΧ",
    "Y": "УΥҮ",
    "Z": "Ζ",
}
_LATIN = str.maketrans(
    {double: letter for letter, doubles in _DOUBLES.items() for double in doubles}
)
_SUSPECT = re.compile(r"[^\W\d_\u0041-\u024f]|[ıƅǀ]")
"""A letter that is not Latin, or a Latin one that looks like another; only then is there anything
to look for."""


def is_suspect(text: str) -> bool:
    return _SUSPECT.search(text) is not None


def skeleton(name: str) -> str:
    """What a name looks like: the same for names that can't be told apart by eye."""
    return unicodedata.normalize("NFKC", name).translate(_LATIN)


def look_alikes(names: Iterable[Token], words: Iterable[str]) -> Iterator[Diagnostic]:
    """Names that look like others in the text or like `words` of the language; each once."""
    places: dict[str, Token] = {}
    for name in names:
        places.setdefault(str(name), name)
    known = dict.fromkeys(words)
    plain = {skeleton(name): name for name in (*known, *places) if name == skeleton(name)}
    seen: dict[str, str] = {}
    for text, token in places.items():
        shape = skeleton(text)
        if shape == text:
            continue
        other = plain.get(shape) or seen.get(shape)
        if other is not None:
            first = places.get(other, token)
            yield mistakes.look_alike(
                token.span, text, other, _other_letter(text, other), first.span
            )
        elif (foreign := _foreign_letter(text)) is not None:
            yield mistakes.mixed_scripts(token.span, text, foreign)
        seen.setdefault(shape, text)


def _other_letter(name: str, other: str) -> str:
    """The first letter in which a name differs from another; its last if it is only shorter."""
    return next((own for own, its in zip(name, other, strict=False) if own != its), name[-1])


def _foreign_letter(name: str) -> str | None:
    """A letter of another script that looks like a Latin one, if it stands beside Latin ones."""
    if not any("a" <= letter.lower() <= "z" for letter in name):
        return None
    return next((each for each in name if ord(each) in _LATIN and not _is_latin(each)), None)


def _is_latin(letter: str) -> bool:
    return letter <= "\u024f"
