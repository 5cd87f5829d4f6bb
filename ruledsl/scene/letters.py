"""Short names: a letter or two for each of several labels."""

from __future__ import annotations

from collections.abc import Sequence


def initials(labels: Sequence[str]) -> dict[str, str]:
    """A short name for each label, unlike all others: one letter where possible.

    The first letter if it is free, otherwise the next one in the label, so that knights beside a
    king are N.
    """
    found: dict[str, str] = {}
    taken: set[str] = set()
    for label in dict.fromkeys(labels):
        if len(label) <= 2 and label.upper() not in taken:
            found[label] = label.upper()
        else:
            letters = [letter for letter in label.upper() if letter.isalpha()] or ["?"]
            pairs = (letters[0] + letter.lower() for letter in letters[1:])
            numbers = (f"{letters[0]}{number}" for number in range(2, len(labels) + 3))
            found[label] = next(name for name in (*letters, *pairs, *numbers) if name not in taken)
        taken.add(found[label])
    return found
