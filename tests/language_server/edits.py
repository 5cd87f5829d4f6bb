"""Texts as people change them, at random."""

from collections.abc import Iterator
from random import Random

TYPED = ("a", " ", "\n", "\n    ", "(", ")", ".", '"', "#", "§", "0", "step x\n", "🎴", "ä", "\t")


def edits(text: str, chance: Random) -> Iterator[str]:
    """A text as somebody changes it: most of what they do, they take back in the end."""
    last = [text]
    while True:
        match chance.randrange(6):
            case 0 if len(last) > 1:
                last.pop()
            case 1:
                start = chance.randrange(len(text))
                last.append(last[-1][:start] + last[-1][start + chance.randrange(1, 12) :])
            case 2:
                lines = last[-1].split("\n")
                at, to = (chance.randrange(len(lines)) for _ in range(2))
                lines.insert(to, lines.pop(at))
                last.append("\n".join(lines))
            case _:
                at = chance.randrange(len(last[-1]) + 1)
                last.append(last[-1][:at] + chance.choice(TYPED) + last[-1][at:])
        if len(last) > 4:
            last[1:] = last[-1:] if chance.random() < 0.3 else []
        yield last[-1]
