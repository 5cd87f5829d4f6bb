"""Small games for the lab, whose figures can be worked out by hand."""

from __future__ import annotations

from ruledsl.diagnostics.source import Source
from ruledsl.library import Library
from ruledsl.play.loading import Game, load_source
from ruledsl.table.table import Table

COUNTING = """\
game counting "Counting"
    players 2
    limit 50 decisions

define goal = 5

state tally: 0..20 = 0

step play
    set active = Player(1)
    repeat
        choose "How far?"
            small
            large
        set active = active.next

action small "One"
    add 1 to tally
    if tally >= goal
        win you

action large "Two"
    add 2 to tally
    if tally >= goal
        win you
"""

DICE = """\
game dice "Dice"
    players 2
    limit 50 decisions

define bonus = 6

state Player.score: 0..200 = 0

step play
    set active = Player(1)
    repeat 4 times
        choose "Roll?"
            throw
            rest
        set active = active.next

action throw "Throw"
    roll pips in 1..6
    add pips to you.score
    if pips = bonus
        add 1 to you.score

action rest "Rest"
    skip

ranking p in Player
    highest p.score
"""


def game_of(text: str) -> Game:
    name = text.split()[1]
    return load_source(Source(f"{name}.rules", text), Library())


def table_of(text: str, players: int = 2) -> Table:
    return Table(game_of(text).checked, players)


DRAFT = """\
game draft "Draft"
    players 2

piece Stone in market | count | worth
    pebble            | 30    | 1
    gem               | 30    | 10

place market of Stone
place heap per Player of Stone

step play
    set active = Player(1)
    repeat 10 times
        choose stone in market "Which?"
        move stone to active.heap
        set active = active.next

ranking p in Player
    highest sum(s.worth for s in p.heap)
"""

FAIR = """\
game fair "Fair"
    players 2..3
    limit 200 decisions

place deck of Card stack hidden
place hand per Player of Card private
place pile of Card

piece Card in deck | count | points
    ant            | 6     | 1
    bee            | 6     | 2
    cat            | 6     | 3

state Player.score: 0..20 = 0

step setup
    shuffle deck
    for p in Player
        move 3 from deck to p.hand
    roll active in Player

step play
    repeat while any(p in Player where not empty(p.hand))
        turn
        set active = active.next

step turn
    choose "Play a card."
        use

action use(card in you.hand) "Play"
    move card to pile
    add card.points to you.score

trigger jackpot(p in Player)
    when p.score >= 9
    win p

ranking p in Player
    highest p.score
"""
