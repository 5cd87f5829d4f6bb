"""Steps that give something: what they tell, and where it lies."""

from ruledsl.diagnostics.source import Source
from ruledsl.lab.examples import run_in_both
from ruledsl.library import Library
from ruledsl.play.check import check_source
from ruledsl.play.match import Match

RULES = """\
game peeking "Peeking"
    players 2
    limit 20 decisions

place deck of Card stack hidden
place hand per Player of Card private
piece Card in deck | count | worth
    low            | 6     | 1
    high           | 6     | 3

step setup
    shuffle deck
    for p in Player
        move 1 from deck to p.hand
    set active = Player(1)

step best(p: Player) gives number
    give sum(c.worth for c in p.hand){reveals}

step best_card(p: Player) gives Card or none
    give first(c in p.hand)

step play
    let mine = best(active)
    let card = best_card(active)
    choose n in 1..clamp(mine, 1, 3) "How many?"
    if card != none
        move card to deck
    best(active)
    move n from deck to active.hand
    end game
"""


def codes(reveals: str, player: str) -> set[str]:
    text = RULES.replace("{reveals}", reveals).replace("best(active)", f"best({player})")
    return {each.code.name for each in check_source(Source("x", text), Library()).diagnostics}


def test_what_is_given_may_be_a_secret() -> None:
    # Whose hand it was is forgotten on the way: only what all see is surely seen.
    assert "leak" in codes("", "active.next")
    assert "leak" not in codes('     reveals "It is shown."', "active.next")


def test_what_is_given_is_on_no_table_and_in_no_log() -> None:
    text = RULES.replace("{reveals}", ' reveals "It is shown."')
    checked = check_source(Source("x", text), Library())
    assert checked.game is not None, checked.diagnostics
    match = Match(checked.game, 2, None, 1)
    while match.seat is not None:
        match.choose(0)
    for seat in (None, 1, 2):
        assert all("()" not in key for key, _, _ in match.view(seat).slots)
        assert all("best" not in line.text for line in match.log(seat))
    assert all(value is None for (key, _), value in match.interpreter.pos.slots.items())


SETS = """\
game sharing "Sharing"
    players 2
    limit 20 decisions

place Yard network of Cat
    gate - lawn - shed
    lawn - tree
piece Cat 4 in gate
state most: 0..9 = 0

step setup
    set active = Player(1)

step far(k: number) gives set of Yard
    for path in lawn.paths where count(path) > k
        give path
    give {tree}

step play
    choose k in 2..3 "How far?"
    let there = far(k)
    set most = count(there)

test "a path"
    when play
        2
    then
        most = 3

test "none is so long"
    when play
        3
    then
        most = 1
"""


def test_a_set_may_be_given() -> None:
    checked = check_source(Source("x", SETS), Library())
    assert checked.game is not None, checked.diagnostics
    assert [outcome.failure for outcome in run_in_both(checked.game)] == [None, None]
