"""A small game with one slip in it, to be mended in an editor."""

GAME = """\
game small "Small"
    players 2

place heap of Stone
place box of Stone
piece Stone 5 in heap

step setup
    set active = Player(1)

step play
    repeat
        choose "How many?"
            take_some
        set active = active.next

action take_some(n in 1..2) "Take"
    require n <= count(heap)    "Not so many."
    move n from heap to box
    if empty(hepa)
        win you

test "one takes the last"
    players 2
    then
        count(heap) = 5
"""
