"""Characters that nobody sees, and that may steer whoever shows them."""

from __future__ import annotations

import re
import unicodedata

INVISIBLE = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    r"\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0d\ufeff\uffa0\ufff0-\ufffb"
    r"\U0001d173-\U0001d17a\U000e0000-\U000e0fff\ud800-\udfff]"
)
"""What takes no ink, or turns the direction of a text; of the selectors of variants only those
for text and for pictures are of use."""


def visible(char: str) -> str:
    """What is shown for a character, a tab aside."""
    if char < " ":
        return chr(0x2400 + ord(char))
    if char == "\x7f":
        return "\u2421"
    if INVISIBLE.match(char) or unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp"):
        return "\ufffd"
    return char
