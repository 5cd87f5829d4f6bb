"""How shells ask what could come next, where click's own way falls short.

Bash parts words at `=` and `:`, so `--option goal=4` comes as four words, and what is offered has
to be the rest behind the sign.
"""

from __future__ import annotations

import re

from click.shell_completion import BashComplete, CompletionItem, add_completion_class

_PARTS = ("=", ":")


class Bash(BashComplete):
    """Bash, with words put together again."""

    _before = ""
    """what the shell keeps of the word that is completed"""

    def get_completion_args(self) -> tuple[list[str], str]:
        args, begun = super().get_completion_args()
        words: list[str] = []
        apart = False
        for word in (*args, begun):
            sign = word in _PARTS
            if words and (sign or apart):
                words[-1] += word
            else:
                words.append(word)
            apart = sign
        *args, begun = words
        self._before = re.split("[^=:]*$", begun)[0]
        return args, begun

    def format_completion(self, item: CompletionItem) -> str:
        return f"{item.type},{item.value.removeprefix(self._before)}"


def teach() -> None:
    """Let click ask in our way."""
    add_completion_class(Bash)
