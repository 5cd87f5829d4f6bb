"""The known word somebody probably meant."""

from __future__ import annotations

from collections.abc import Iterable

LONGEST = 60
"""Longer words are not compared: nobody mistypes them."""


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word most like this one, or None if none is much like it.

    Upper case and hyphens are no difference but between words that are as near, a plural is a small
    one. The same word is never proposed, and the order of `known` does not matter.
    """
    if len(word) > LONGEST:
        return None
    plain = _plain(word)
    scored = [
        (distance, word[:1].isupper() != other[:1].isupper(), other)
        for other in set(known)
        if other != word and (distance := _distance(plain, _plain(other))) is not None
    ]
    return min(scored)[-1] if scored else None


def did_you_mean(word: str, known: Iterable[str]) -> str | None:
    """A hint with the nearest known word, if there is one."""
    other = nearest(word, known)
    return None if other is None else f"did you mean `{other}`?"


def _plain(word: str) -> str:
    return word.casefold().replace("-", "_").replace(" ", "_").strip("_")


def _distance(word: str, other: str) -> float | None:
    """How far apart two plain words are; None if too far to be a slip."""
    if word == other:
        return 0
    if word in _plurals(other) or other in _plurals(word):
        return 0.5
    limit = min(max(len(word), len(other)) // 3, 3)
    # A slip makes at most two letters differ, so words of other letters need not be compared.
    if abs(len(word) - len(other)) <= limit and len({*word} ^ {*other}) <= 2 * limit:
        slips = _slips(word, other)
        if slips <= limit:
            return slips
    if "_" in word and sorted(word.split("_")) == sorted(other.split("_")):
        return 2.5
    if len(word) >= 3 and (other.startswith(word) or word in other.split("_")):
        return 3.5
    return None


def _plurals(word: str) -> tuple[str, ...]:
    regular = (f"{word}s", f"{word}es")
    return (*regular, f"{word[:-1]}ies") if word.endswith("y") else regular


def _slips(a: str, b: str) -> int:
    """Letters inserted, left out, changed or swapped with their neighbour."""
    before: list[int] = []
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        before, last, row = row, before, [i]
        for j, y in enumerate(b, 1):
            best = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and y == a[i - 2]:
                best = min(best, last[j - 2] + 1)
            row.append(best)
    return row[-1]
