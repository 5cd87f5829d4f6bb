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
    choose card in deck  #! blind-choice
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
    "shown to somebody": f"""
{TABLE}
step turn
    show_top(active)
    choose a in pool where deck.top is high
    show_top(active.next)
    choose b in pool where deck.top is high
    shuffle deck
    choose o in pool where deck.top is high  #! leak
    show deck.top to active.next
    choose d in pool where deck.top is high  #! leak
    show deck.top to {{p in Player where p != active}}
    choose e in pool where deck.top is high  #! leak
    choose f in pool where deck.top is high by active.next
    show Player(2).hand to Player
    choose g in pool where count(x in Player(2).hand where x is low) > 1
    for p in Player highest p.mark
        choose h in pool by p
    for p in Player highest sum(x.worth for x in p.purse)
        choose i in pool by p  #! asked-openly
step show_top(p: Player)
    if not empty(deck)
        show deck.top to p
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
    require any(c in victim.slot where c is low) "no"  #! leak
    require any(c in you.next.slot where c is low) "no"
    require any(c in open where c is low and c.turned) "no"
    require any(c in open where c.turned and c is low) "no"
    require any(c in open where c is low) "no"  #! leak
    require any(c in open where c is low or c.turned) "no"  #! leak
    skip
""",
    "by way of a name": f"""
{TABLE}
step turn
    let best = sure(deck.top).worth
    let card = sure(deck.top)
    choose n in 1..best by active  #! leak
    choose
        bet
            require amount > best "no"  #! leak
            require card is not low "no"  #! leak
        wait
    move card to pool
    choose k in 1..card.worth by active
action bet(amount in 1..9)
    let secret = count(c in you.next.hand where c is low)
    require amount > secret "no"  #! leak
    skip
action wait
    skip
""",
    "by way of a look ahead": f"""
{TABLE}
step turn
    choose
        look
        lay
action look
    require would(any(c in you.hand where c is high) after draw(you)) "no"  #! leak
    require would(count(you.hand) > 3 after skip_turn) "no"
    skip
action lay(card in you.hand)
    require would(any(c in you.table where c is high) after laid(you, card)) "no"
    move card to you.table
step draw(p: Player)
    move 1 from deck to p.hand
step laid(p: Player, card: Card)
    move card to p.table
step skip_turn
    set shared = 3
""",
    "by way of a definition by rows": f"""
{TABLE}
define weight(c: low) = 1
define weight(c: high) = 3
define weight(c: knight) = 5
step turn
    choose
        go
action go
    require weight(sure(deck.top)) > 3 "no"  #! leak
    require all(c in you.hand have weight(c) > 1) "no"
    require all(c in you.next.hand have weight(c) > 1) "no"  #! leak
    skip
""",
    "beside something that is seen": f"""
{TABLE}
define lucky(p: Player, c: Card) = c.worth = p.mark and p.role = good
step turn
    choose
        go
action go
    require any(c in you.hand where lucky(you, c)) "no"
    require any(c in deck where lucky(you, c)) "no"  #! leak
    require any(c in you.hand where lucky(you.next, c)) "no"  #! leak
    skip
""",
    "by way of what others can do": f"""
{TABLE}
step turn
    choose
        go
        play_high
action go
    require can(play_high by you.next) "no"  #! leak
    require can(play_high) "no"
    skip
action play_high(card in you.hand)
    require card is high "no"
    move card to pool
""",
    "by way of where a piece lies": f"""
{TABLE}
step turn
    choose
        go
action go
    require knight.place != deck "no"  #! leak
    require knight.place = you.hand "no"
    require knight.place = you.next.hand "no"  #! leak
    require sure(first(c in pool)).place = pool "no"
    require not any(c in Card where c is high and c.place = deck) "no"  #! leak
    require any(c in Card where c.place = you.hand and c is high) "no"
    skip
""",
    "by way of an argument": f"""
{TABLE}
step turn
    choose
        bid(sure(deck.top).worth)  #! leak
        pick(knight)  #! leak
        pick(sure(deck.top))
        show_off(knight)
    offered(sure(deck.top).worth)
    offered(3)
    asked(count(Player(2).hand))
step asked(n: 0..9)
    choose m in 0..n
step offered(n: 1..9)
    choose m in 1..n by active  #! leak
action bid(n in 1..9)
    set shared = n
action pick(card in deck)
    move card to pool
action show_off(card in you.hand)
    move card to pool
""",
    "by way of a secret that everybody heard": f"""
{TABLE}
state Player.bid: 0..3 = 0 private
step turn
    for p in Player
        choose b in 1..3 by p
        set p.bid = b  #! told-before
    for p in Player
        choose p.bid in 1..3 by p
    for p in Player
        choose b in 1..3 by p
        set p.mark = b
    choose c in 1..3 by active
    keep(active, c)
step keep(p: Player, n: 1..3)
    set p.bid = n  #! told-before
""",
    "by way of who is asked": f"""
{TABLE}
state Player.wolf: flag = no private
define wolves = {{p in Player where p.wolf}}
step turn
    for p in Player where p.wolf
        choose n in 1..3 by p  #! asked-openly
    together p in wolves
        choose p.mark in 1..3 by p  #! asked-openly
    for p in Player where p.mark = 1
        choose n in 1..3 by p
    if deck.top is high
        choose n in 1..3  #! asked-openly
    for p in Player where p.wolf reveals "The wolves open their eyes."
        choose n in 1..3 by p
    ask
step ask
    for p in Player
        if p.wolf
            choose n in 1..3 by p  #! asked-openly
        if p.next.wolf
            choose n in 1..3 by p  #! asked-openly
""",
    "by way of who was left out": f"""
{TABLE}
state Player.wolf: flag = no private
step turn
    repeat
        choose n in 1..3  #! asked-openly
        if active.wolf
            end loop
        set active = active.next
    choose n in 1..3
    for p in Player
        if deck.top is high
            end game
        choose m in 1..3 by p
    ask(active)
    choose k in 1..3
step ask(who: Player)
    choose n in 1..3 by who
    if not who.wolf
        end ask
    choose m in 1..3 by who  #! asked-openly
    for p in Player
        choose k in 1..3 by p  #! asked-openly
""",
    "meant": f"""
{TABLE}
step turn
    choose
        rob
        guess
    let best = sure(deck.top).worth reveals "The player looks at it."
    choose n in 1..best
    choose other in you.next.hand where other.strong reveals "The strong ones are told."
    move other to pool
action rob(victim in you.others)
    require victim.holds_knight "no" reveals "Whoever robs in vain learns that."
    skip
action guess
    let n = deck.top.worth
    require n > 3 "no" reveals
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
        take_two(p)
    together p in Player
        move {{c in pool where c is low}} to p.hand  #! together-reads
    together p in Player
        move all from p.hand to p.table
        move {{c in p.table where c is low}} to p.hand
    together p in Player
        shuffle deck  #! together-reads
        move all from p.hand to deck
    together p in Player
        bid(p)
    together p in Player
        bid_openly(p)
    together p in Player
        choose by p
            pass_on
            action stay
                set p.mark = 3
step take_two(p: Player)
    move 2 from deck to p.hand  #! together-reads
step bid(p: Player)
    choose p.mark in 0..3 by p
step bid_openly(p: Player)
    choose p.mark in 0..3 by p
        require not any(q in Player where q.mark = 3) "no"  #! together-reads
action pass_on(card in you.hand)  #! together-reads
    move card to you.next.hand
""",
    "notes of one's own": f"""
{TABLE}
type Note per Player, c: Card
state Note.crossed: flag = no private
define notes(p: Player) = {{n in Note where n.player = p}}
define crossed_by(p: Player, c: Card) = Note(p, c).crossed
step turn
    choose any a in {{c in Card where not Note(active, c).crossed}}
    choose any b in {{n in Note where n.player = active and not n.crossed}}
    choose any d in active.notes where not d.crossed
    choose any e in Card where not active.crossed_by(e)
    choose any f in Note where active = f.player and f.c is low and not f.crossed
    for n in Note where n.player = active.next
        choose other in Card where not n.crossed by n.player
    choose any cards in {{n.c for n in Note where n.c is high and n.player = active}}
    choose any tops in {{n in Note where n.c = deck.top}}  #! leak
    choose any g in {{c in Card where not Note(active.next, c).crossed}}  #! leak
    choose any h in {{n in Note where n.player != active and not n.crossed}}  #! leak
    choose any i in active.next.notes where not i.crossed  #! leak
    choose any j in Note where not j.crossed  #! leak
    choose any k in Note where not k.crossed and (k.player = active or k.c is low)  #! leak
    for n in Note where n.player = active.next
        choose other in Card where not n.crossed  #! leak
""",
    "who decides": f"""
{TABLE}
step ask(who: Player)
    choose who.mark in 0..3 by who
step ask_plainly
    choose c in pool  #! together-chooser
step ask_others(who: Player)
    for other in who.others
        choose c in other.hand by other  #! together-chooser
action think
    choose who in Player
    set you.mark = who.seat
step turn
    together p in Player
        let me = p
        choose me.mark in 0..3 by me
        ask(me)
        choose by p
            think
            action wait
                choose you.mark in 0..3
    together p in Player
        choose n in 0..3 by p.next  #! together-chooser
    together p in Player
        choose n in 0..3 by Player(1)  #! together-chooser
    together p in Player
        ask_plainly
    together p in Player
        ask_others(p)
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
