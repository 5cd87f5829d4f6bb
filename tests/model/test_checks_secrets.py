"""What a chooser can't see, and what players do at the same time."""

from collections.abc import Callable

import pytest

TABLE = """
place deck of Card stack hidden
place purse per Player of Card private uncounted
place hand per Player of Card private
place table per Player of Card
place pool of Card
piece Card in deck | count | worth
    low    | 4 | 1
    high   | 4 | 9
    knight | 1 | 5
state Player.role: Role = good private
state Player.mark: 0..3 = 0
state trap: 1..6 = 1 hidden
state shared: 0..9 = 0
type Role = good, bad
define strong(c: Card) = c.worth > 5 or c is knight
define holds_knight(p: Player) = any(c in p.hand where c is knight)
define evil(p: Player) = p.role = bad or trap = 3
define rich(p: Player) = count(p.purse) + p.mark + shared
step setup
    set active = Player(1)
    for p in Player where p.holds_knight or p.evil and p.rich > 2
        move {c in p.hand + p.table + pool where c.strong} to deck
step play
    turn
"""

SNIPPETS = {
    "a requirement about the deck": f"""
{TABLE}
step turn
    choose
        draw
        wait
action draw
    let card = deck.top
    require not empty(deck) "no"
    require count(deck) > 3 "no"
    require deck.top.worth > 3 "no"  #! leak
    require card is high "no"  #! leak
    require not any(c in deck where c.strong) "no"  #! leak
    require knight not in deck "no"  #! leak
    require knight not in pool "no"
    skip
action wait
    if deck.lowest is low  #! leak
        require shared > 3 "no"
    skip
""",
    "somebody else's hand": f"""
{TABLE}
step turn
    choose
        rob
        guess
            require card is not low "no"  #! leak
            require not empty(victim.hand) "no"
        watch
        trust
action rob(victim in you.others)
    require not empty(victim.hand) "no"
    require victim.holds_knight "no"  #! leak
    skip
action guess(victim in Player, card in victim.hand)
    require card.worth > 3 "no"  #! leak
    move card to pool
action watch
    require any(c in you.hand where c is knight) "no"
    require you.holds_knight "no"
    require not any(c in you.next.hand where c.worth = 9) "no"  #! leak
    require not any(q in Player where q.holds_knight) "no"  #! leak
    require any(q in Player where q = you and q.holds_knight) "no"
    require any(q in Player where q != you and q.holds_knight) "no"  #! leak
    require any(c in active.hand where c is knight) "no"
    skip
action trust(friend in playing)
    require friend = you or friend.mark > 2 "no"
    if friend = you
        require friend.holds_knight "no"
    skip
""",
    "values": f"""
{TABLE}
step turn
    choose card in deck
    move card to pool
    choose other in you.next.hand where other.strong  #! leak
    move other to pool
    for p in Player
        choose mine in p.hand where mine.strong by p
        move mine to pool
        choose exactly count(c in p.hand where c is low) lost in p.hand by p
        move lost to pool
        choose theirs in p.next.hand by p
            require theirs is low "no"  #! leak
        move theirs to pool
        choose most in {{c in deck highest c.worth}} by p  #! leak
        move most to pool
""",
    "states and purses": f"""
{TABLE}
step turn
    choose
        accuse
        look
action accuse(victim in you.others)
    require victim.mark > 1 "no"
    require you.role = good "no"
    require victim.role = bad "no"  #! leak
    require victim.evil "no"  #! leak
    skip
action look
    require trap > 3 "no"  #! leak
    require rich(you) > 3 "no"
    require rich(you.next) > 3 "no"  #! leak
    require not empty(you.next.purse) "no"  #! leak
    skip
""",
    "shown first": f"""
{TABLE}
step turn
    reveal
    choose
        take_one
    choose other in Player(2).hand where other.strong
    move other to pool
step reveal
    show deck to active
    show Player(2).hand to active
action take_one(card in deck)
    require card.strong "no"
    move card to you.hand
""",
    "seen under a condition": """
place slot per Player of Card seen when viewer != here.player
place open of Card seen when it.turned
piece Card in open | count
    low  | 4
    high | 4
state Card.turned: flag = no
step play
    set active = Player(1)
    choose
        go(victim: active)
action go(victim in Player)
    require any(c in victim.slot where c is low) "no"
    require any(c in open where c is low and c.turned) "no"
    skip
""",
    "simultaneous play": f"""
{TABLE}
step turn
    together p in Player
        choose card in p.hand by p
        move card to p.table
        add 1 to shared
        set p.mark = count(p.table)
    together p in Player
        choose card in pool by p  #! together-reads
        move card to p.hand
    together p in Player
        if shared = 3  #! together-reads
            set shared = 4
    together p in Player
        bid(p)
    together p in Player
        bid_openly(p)
    together p in Player
        choose by p
            pass_on
            action stay
                set p.mark = 3
step bid(p: Player)
    choose p.mark in 0..3 by p
step bid_openly(p: Player)
    choose p.mark in 0..3 by p
        require not any(q in Player where q.mark = 3) "no"  #! together-reads
action pass_on(card in you.hand)  #! together-reads
    move card to you.next.hand
""",
    "who decides": f"""
{TABLE}
step turn
    together p in Player
        choose card in p.hand  #! together-chooser
        move card to p.table
    together p in Player
        choose  #! together-chooser
            action go
                set p.mark = 1
            action stop
                set p.mark = 2
""",
}


@pytest.mark.parametrize("name", SNIPPETS)
def test_findings(name: str, judge: Callable[[str], None]) -> None:
    judge(SNIPPETS[name])
