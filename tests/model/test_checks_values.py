"""Conditions, choices, ranges, room and unused names: the findings stand beside the mistakes."""

from collections.abc import Callable

import pytest

CARDS = """
place deck of Card stack hidden
place hand per Player of Card private
place table of Card room 3
piece Card in deck | count | worth
    low  | 4 | 1
    high | 4 | 9
state left: 0..4 = 4
state mood: Mood = calm
type Mood = calm, wild
step setup
    set active = Player(1)
    move 2 from deck to Player(1).hand
step play
    turn
    if left = 1 and mood = wild
        end game
ranking p in Player
    highest sum(c.worth for c in table)
"""

SNIPPETS = {
    "numbers written out": f"""
{CARDS}
step turn
    if 2 > 3  #! never-holds
        set left = 1
    if not 2 > 3  #! always-holds
        set mood = wild
    repeat 3 times while 1 = 1  #! always-holds
        move 1 from deck to table
    set left = if calm = wild then 1 else 2  #! never-holds
    for c in table where c in {{}}  #! never-holds
        move c to active.hand
    set left = sum(c.worth for c in table where 3 in 1..4)  #! always-holds
""",
    "limits of what is read": f"""
{CARDS}
step turn
    if left > 4  #! never-holds
        move 1 from deck to table
    if left >= 0  #! always-holds
        move 1 from deck to table
    if left = 4
        move 1 from deck to active.hand
    if count(table) > 3  #! never-holds
        set mood = wild
    if players = 5  #! never-holds
        set mood = wild
    if players < 4
        set mood = calm
    if any(c in table where c.worth = 9) or left < 9  #! always-holds
        set left = 1
""",
    "the same on both sides": f"""
{CARDS}
step turn
    let card = first(deck)
    if left = left  #! always-holds
        set mood = wild
    if card = card
        set mood = calm
    if card != none
        move card to table
    if left != none  #! always-holds
        set left = 2
    if mood < mood  #! never-holds
        set left = 3
""",
    "a requirement that its own domain settles": f"""
{CARDS}
step turn
    choose
        play_card
        keep
action play_card(card in you.hand, n in 1..3)
    require card in you.hand "no"  #! always-holds
    require n > 0 "no"  #! always-holds
    require n < left "no"
    move card to table
action keep(card in you.hand)
    require card not in you.hand "no"  #! never-holds
    move card to deck
""",
    "requirements that settle each other": f"""
{CARDS}
step turn
    choose
        one
        two
action one
    require left > 2 "no"
    require left >= 2 "no"  #! always-holds
    require left > 2 "no"  #! always-holds
    require left = 2 "no"  #! never-holds
    set mood = wild
action two
    if left = 3
        require left = 3 or mood = wild "no"  #! always-holds
    else
        require not left = 3 "no"  #! always-holds
    if mood = wild
        require left = 2 "no"
    else if mood = wild  #! never-holds
        require left = 1 "no"
""",
    "what changes in between": f"""
{CARDS}
step turn
    if left = 3
        set left = 2
        if left = 3
            set mood = wild
    if left = 3
        if left = 3  #! always-holds
            set mood = wild
""",
    "named numbers are there to be changed": f"""
{CARDS}
define hand_size = 4
define twice = yes
step turn
    if hand_size > 3
        set left = 2
    if twice
        set left = 3
    if left <= hand_size
        set mood = wild
""",
    "triggers": f"""
{CARDS}
step turn
    set mood = wild
trigger never(p in Player)
    when p.seat > 4 and left = 2  #! never-holds
    set left = 0
trigger always(n in 1..3)
    when n > 0  #! always-holds
    end game
""",
    "a choice from nothing": f"""
{CARDS}
step turn
    choose n in 3..1  #! empty-choice empty-range
    choose x in {{}}  #! empty-choice
    choose optional y in {{c in table where c.worth = 9 and no}} by Player(1)  #! never-holds
    roll z in {{m in Mood where no}}  #! empty-choice never-holds
    if empty(table)
        choose c in table  #! empty-choice
        move c to deck
    choose d in {{}}
    else
        end game
""",
    "more than there can be": f"""
{CARDS}
step turn
    choose exactly 4 some_cards in table  #! choice-too-large
    move some_cards to deck
    choose exactly 3 others in {{c in table where c.worth = 9}}
    move others to deck
    choose exactly 3 moods in Mood  #! choice-too-large
    choose exactly 0 - 1 several in Player  #! out-of-range
    if wild in moods and empty(several)
        set mood = wild
""",
    "an action that can never be taken": f"""
{CARDS}
step turn
    choose
        nothing
        something
action nothing(n in {{}}, c in you.hand)  #! empty-choice
    move c to deck
action something(c in you.hand)
    require c.worth = 9 "no"
    set mood = wild
    set left = 2
    move c to table
""",
    "values outside their range": """
define most = 3
state phase: 1..most = 0  #! out-of-range
state turned: 1..3 = 5 clamped
state low: players..9 = 1  #! out-of-range
state wrong: 4..2 = 3  #! empty-range out-of-range
option goal in 4..6 = 7  #! out-of-range
option kind in {1, 3} = 2  #! out-of-range
type Digit = 9..0  #! empty-range
step play
    set phase = 5  #! out-of-range
    set phase = most + 1  #! out-of-range
    set turned = 7
    set phase = turned
    add 1 to phase
    add 3 to phase  #! out-of-range
    roll phase in 0..3  #! out-of-range
    roll phase in {1, 2, 4}  #! out-of-range
    go(4)  #! out-of-range
    go(goal - 4)
    set low = wrong
    repeat kind - 4 times  #! out-of-range
        skip
    if double(9) > 3 and double(3) > 5 or empty(row(7)) and empty(row(2))  #! out-of-range
        set low = 8
define double(n: 0..3) = 2 * n
type Row = 1..3
place row per Row of Coin
piece Coin 1 per Row in row(1)
ranking p in Player
    highest p.seat
    payoff 7 in 0..3  #! out-of-range
step go(n: 0..3)
    for d in Digit where d > n
        set low = 9
""",
    "more pieces than fit": """
place board of Man, King room 3
place camp per Player of Soldier room 4
piece Man 2 per Player in board  #! overfull-place
piece King 1 in board  #! overfull-place
piece Soldier 5 per Player in player.camp  #! overfull-place
step play
    skip
""",
    "as many pieces as fit": """
place board of Man, King room 3 * players
place camp per Player of Soldier room 4
place Spot line 2 of Flag room 1
piece Man 2 per Player in board
piece King 1 in board
piece Soldier 4 per Player in player.camp
piece Flag 1 in Spot(1)
step play
    skip
""",
    "unused": """
type Mood = calm, wild  #! unused-name
type Digit = 0..9  #! unused-name
option goal in 4..6 = 4  #! unused-name
state n: 0..3 = 0  #! unused-name
place pile of Coin
piece Coin in pile | count | worth | back  #! unused-name
    penny | 4 | 1 | 2
    pound | 4 | 9 | 3
history h of pile  #! unused-name
define worth(p: Player) = p.seat  #! unused-name
define value(c: Coin) = c.worth
step play
    for c in pile where c.value = 3
        skip
""",
}


@pytest.mark.parametrize("name", SNIPPETS)
def test_findings(name: str, judge: Callable[[str], None]) -> None:
    judge(SNIPPETS[name])
