"""Beginnings of rules files, for `ruledsl new`: without mistakes, with a test and a next step."""

from __future__ import annotations

from ruledsl.model.game import CheckedGame
from ruledsl.model.languages import BASE_LANGUAGE

GAME = """\
game {name} "{title}"
    players 2..4

# Things on the table: pieces, and the places where they lie.
place heap of Token
place box of Token
piece Token 15 in heap

step setup
    set active = Player(1)

step play
    repeat
        choose "How many do you take?"
            take_some
        set active = active.next

action take_some(n in 1..3) "Take"
    require n <= count(heap)    "There are not so many left."
    move n from heap to box
    if empty(heap)
        win you

# Next: change what a player may do in `take_some`, and say below in `test` what should happen.
test "nobody takes what is not there"
    players 2
    given
        move 13 from heap to box
    when play
        refuse take_some(3) "There are not so many left."
        take_some(2)
    then
        winners = {{Player(1)}}
"""

VARIANT = """\
variant {name} of {base} "{title}"

# Next: change the base by name. `replace step …`, `before action …`, `extend …`, `remove …`
# An editor that runs `ruledsl lsp` completes what the base declares.

test "the variant can be set up"
    players {players}
    then
        not finished
{languages}"""


def new_game(name: str) -> str:
    return GAME.format(name=name, title=_title(name))


def new_variant(name: str, base: CheckedGame) -> str:
    """A variant that changes nothing yet."""
    return VARIANT.format(
        name=name,
        base=base.variant or base.name,
        title=_title(name),
        players=base.players[0],
        languages="".join(
            f'\nextend language {code}\n    {name} "{_title(name)}"\n'
            for code in base.languages
            if code != BASE_LANGUAGE
        ),
    )


def _title(name: str) -> str:
    return name.replace("_", " ").title()
