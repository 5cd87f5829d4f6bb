"""Small changes of the rules, one at a time."""

from ruledsl.diagnostics.source import Source
from ruledsl.lab.mutants import Mutants
from ruledsl.library import Library

RULES = """\
game hop "Hop"
    players 2
    limit 20 decisions

place pond of Frog
place bank of Frog
piece Frog 4 in bank

step play
    set active = Player(1)
    choose "How many?"
        leap
    end game

action leap(n in 1..3) "Leap"
    move n from bank to pond
    tell "{you} leaps {n + 1} times."
    if count(pond) > 1
        tell "It splashes {count(f in pond where f in pond)} times."
    for f in pond
        tell "Splash!"

test "they leap"
    when play
        leap(2)
    then
        count(pond) = 2
"""


def test_what_is_only_told_is_not_changed() -> None:
    mutants = Mutants(Source("hop", RULES), Library())
    mutants.begin()
    lines = RULES.splitlines()
    changed = {lines[mutants.judged(number).line - 1].strip() for number in range(len(mutants))}
    assert "move n from bank to pond" in changed
    assert not any(line.startswith(("tell", "if", "for")) for line in changed)
