"""Circles, loops, ends, triggers, reachability: the findings stand beside the mistakes."""

from collections.abc import Callable

import pytest

from ruledsl.diagnostics.source import Source
from ruledsl.library import Library
from ruledsl.model.check import check_rules

SNIPPETS = {
    "recursion of steps": """
step play
    one
step one
    two  #! recursion
step two
    one
""",
    "recursion of a step on itself": """
step play
    again(3)
step again(n: number)
    if n > 0
        again(n - 1)  #! recursion
""",
    "an action offered in its own body": """
step play
    set active = Player(1)
    choose
        jump
action jump
    choose
        jump  #! recursion
    else skip
""",
    "an action on the spot leads back to its step": """
step play
    set active = Player(1)
    turn
step turn
    choose
        action again  #! recursion
            turn
        action stop
            skip
""",
    "an action's requirement asks for the action": """
step play
    set active = Player(1)
    choose
        go
        wait
action go
    require can(wait) "no"  #! recursion
    skip
action wait
    require not can(go) "no"
    skip
""",
    "a definition asks for an action that uses it": """
step play
    set active = Player(1)
    choose
        go
define free(p: Player) = can(go by p)
action go
    require free(you) "no"  #! recursion
    skip
""",
    "an action may ask about itself in its body": """
state left: 0..3 = 3
step play
    set active = Player(1)
    choose
        go
action go
    require left > 0 "no"
    take 1 from left
    if can(go)
        skip
""",
    "the size of places depends on themselves": """
define houses = count(House) + 1
place House ring houses of Man  #! recursion
piece Man 1 in House(1)
step play
    for h in House where empty(h)
        skip
""",
    "options that need each other": """
option a in 1..b = 1  #! recursion
option b in 1..a = 1
step play
    repeat a + b times
        skip
""",
    "a loop that does nothing": """
step play  #! never-ends
    set active = Player(1)
    repeat  #! endless-loop
        set active = active.next
""",
    "a loop whose condition nothing changes": """
state done: flag = no
state n: number = 0
step play
    repeat while not done  #! endless-loop
        count_on
    set done = yes
step count_on
    add 1 to n
""",
    "a loop in a circle of guards that never change": """
option fast in {1, 2} = 1
step play
    set active = Player(1)
    repeat  #! endless-loop
        if fast = 2
            end game
        set active = active.next
""",
    "loops that end": """
state n: 0..10 = 0
state done: flag = no
step play
    set active = Player(1)
    repeat while n < 3
        add 1 to n
    repeat 3 times
        skip
    repeat
        if n = 5
            end loop
        step_on
    repeat while not done
        choose
            action go
                skip
            action halt
                set done = yes
    repeat
        for p in playing
            roll pips in 1..6
            if pips = 1
                end game
step step_on
    add 1 to n
""",
    "a loop that a name ends": """
state n: 0..10 = 0
step play
    repeat
        let far = n + 1
        judge(n)
        if far = 5
            end loop
        set n = far
    repeat
        add 1 to n
        judge(n)
step judge(m: number)
    if m = 9
        end play
""",
    "a loop that a trigger ends": """
state n: 0..10 = 0
state over: flag = no
step play
    repeat while not over
        go_on
step go_on
    add 1 to n
trigger enough
    when n = 10 and not over
    set over = yes
""",
    "a game without an end": """
step play  #! never-ends
    set active = Player(1)
    repeat
        roll pips in 1..6
        if pips = 1
            set active = active.next
""",
    "a game that a trigger ends": """
state n: 0..9 = 0
step play
    repeat
        turn
step turn
    roll n in 0..9
trigger enough
    when n = 9
    end game
""",
    "a game with a limit needs no end": """
game x
    players 2
    limit 10 decisions
step play
    repeat
        roll pips in 1..6
        if pips = 1
            skip
""",
    "never reached": """
state seen: flag = no
step play
    set active = Player(1)
    choose
        go
action go
    skip
action wait  #! never-reached
    idle
step idle  #! never-reached
    skip
trigger late after idle  #! never-reached
    when not seen
    set seen = yes
test "a test does not count"
    when idle
""",
    "a step for looking ahead is of use": """
state n: 0..3 = 0
step play
    set active = Player(1)
    choose
        go
action go
    require would(n after rise) > 0 "no"
    skip
step rise
    set n = 3
""",
    "reached by a trigger": """
state n: 0..3 = 0
step play
    turn
step turn
    roll n in 0..3
trigger fall after turn
    when n = 3
    drop
step drop
    set n = 0
trigger late after drop  #! never-reached
    when n = 2
    set n = 1
""",
    "behind the end": """
state n: 0..3 = 0
step play
    turn
    turn  #! unreachable
step turn
    if n = 3
        end game
        set n = 2  #! unreachable
    else
        win Player(1)
    set n = 1  #! unreachable
""",
    "behind a step that never returns": """
state n: 0..3 = 0
step play
    finish
    set n = 1  #! unreachable
step finish
    set n = 2
    end game
""",
    "behind a loop that is never left": """
step play
    repeat
        roll pips in 1..6
        if pips = 1
            end game
    win Player(1)  #! unreachable
""",
    "behind a loop that is left": """
step play
    repeat
        roll pips in 1..6
        if pips = 1
            end loop
        turn
    win Player(1)
step turn
    roll pips in 1..6
    if pips = 1
        end turn
    skip
""",
    "behind a choice of ends": """
step play
    set active = Player(1)
    choose
        action stop
            end play
        action halt
            win you
    skip  #! unreachable
""",
    "the end of a step around": """
step play
    set active = Player(1)
    turn
step turn
    choose
        go
action go
    roll pips in 1..6
    if pips = 1
        end turn
    deeper
step deeper
    roll pips in 1..6
    if pips = 1
        end go
    else
        end deeper
""",
    "the end of a step that is not always around": """
step play
    turn
    deeper
step turn
    deeper
step deeper
    roll pips in 1..6
    if pips = 1
        end turn  #! not-running
""",
    "the end of a step from set-up": """
step setup
    set active = Player(1)
    deeper
step play
    turn
step turn
    deeper
step deeper
    end turn  #! not-running
""",
    "a trigger that ends the turn around it": """
state n: 0..3 = 0
step play
    repeat 9 times
        turn
step turn
    throw
step throw
    roll n in 0..3
trigger out after throw
    when n = 3
    end turn
""",
    "a trigger that may come after the turn": """
state n: 0..3 = 0
step play
    repeat 9 times
        turn
step turn
    throw
step throw
    roll n in 0..3
trigger out
    when n = 3
    end turn  #! not-running
""",
    "a trigger that may come after play": """
state n: 0..3 = 0
step play
    repeat 9 times
        throw
step throw
    roll n in 0..3
trigger out
    when n = 3
    end play  #! not-running
trigger over after throw
    when n = 2
    end play
""",
    "a trigger that never stops": """
state n: 0..3 = 0
state m: 0..3 = 0
step play
    roll n in 0..3
    turn
step turn
    roll n in 0..3
trigger endless
    when n = 3  #! endless-trigger
    set m = 1
trigger calls
    when n = 2  #! endless-trigger
    mark
trigger stops
    when n = 1
    mark
    set n = 0
trigger ends
    when m = 3
    end game
trigger once after turn
    mark
trigger indirectly
    when n = 1
    unmark
step mark
    set m = 1
step unmark
    set n = 2
""",
    "a trigger whose parameter leaves its domain": """
place pile of Coin
place box of Coin
piece Coin 3 in pile
step play
    turn
step turn
    skip
trigger clear(c in pile)
    when yes  #! always-holds
    move c to box
""",
    "an end judged too late": """
state Player.score: 0..9 = 0
step play
    turn
step turn
    for p in Player
        roll p.score in 0..9
trigger out(p in playing)
    when p.score = 9
    eliminate p
trigger last_one  #! late-ending
    when count(playing) = 1
    end game
trigger high_score
    when any(p in Player where p.score = 8)
    end game
""",
    "an end judged in time": """
state Player.score: 0..9 = 0
step play
    turn
step turn
    for p in Player
        roll p.score in 0..9
trigger last_one
    when count(playing) = 1
    end game
trigger out(p in playing)
    when p.score = 9
    eliminate p
""",
    "looking ahead through a decision": """
state n: 0..3 = 0
step play
    set active = Player(1)
    choose
        one
        two
        three
action one
    require would(n after ask) > 0 "no"  #! would-decides
    skip
action two
    require would(n after risk) > 0 "no"  #! would-decides
    skip
action three
    require would(n after rise) > 0 "no"
    require not would(n = 1 after finish) "no"  #! would-decides
    skip
step ask
    inner
step inner
    choose n in 0..3
step risk
    roll n in 0..3
step rise
    repeat 3 times
        if n = 2
            end loop
        add 1 to n
step finish
    end finish
""",
    "nobody is active yet": """
step play
    turn
step turn
    choose  #! nobody-active
        action go
            skip
        action wait
            skip
""",
    "active is read to set it": """
step play
    set active = active.next  #! nobody-active
""",
    "active is read in a definition": """
state Player.score: 0..9 = 0
define mine = active.score
step setup
    if mine > 3  #! nobody-active
        skip
step play
    set active = Player(1)
""",
    "somebody may be active": """
state n: 0..3 = 0
step setup
    roll n in 0..3
    if n = 1
        begin
    for p in Player
        choose by p
            act
step begin
    roll active in Player
action act
    pass_on
step pass_on
    if you.next = Player(1)
        set n = 1
step play
    set active = active.next
""",
}


@pytest.mark.parametrize("name", SNIPPETS)
def test_findings(name: str, judge: Callable[[str], None]) -> None:
    judge(SNIPPETS[name])


def test_a_library_is_for_others_to_use(judge: Callable[[str], None]) -> None:
    judge(
        """
library x
type Suit = clubs, hearts
place deck of Card stack hidden
piece Card 1 per Suit in deck
define red(c: Card) = c.suit = hearts
step deal(n: number)
    shuffle deck
    if players = 7
        end game
    for p in Player where p.seat = n
        skip
action pick
    skip
"""
    )


def messages(rules: str) -> list[str]:
    text = "game x\n    players 2..4\n" + rules
    return [each.message for each in check_rules(Source("x", text), Library()).diagnostics]


def test_the_circle_is_shown() -> None:
    rules = "step play\n    one\nstep one\n    two\nstep two\n    one\n"
    assert messages(rules) == ["this leads back to itself: `one` → `two` → `one`"]


def test_the_way_past_what_is_ended_is_shown() -> None:
    rules = "step play\n    turn\n    out\nstep turn\n    out\nstep out\n    end turn\n"
    assert messages(rules) == ["`turn` may not be running here: `play` → `out`"]


def test_deep_chains_are_no_trouble() -> None:
    steps = "".join(f"step s{n}\n    s{n + 1}\n" for n in range(2000))
    defines = "define d0 = 1\n" + "".join(f"define d{n + 1} = d{n} + d{n}\n" for n in range(59))
    rules = f"step play\n    s0\n{steps}step s2000\n    repeat d59 times\n        skip\n{defines}"
    assert messages(rules) == []
