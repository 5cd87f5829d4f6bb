"""Hostile files that would be long to write out; what is expected of them stands in front."""

from __future__ import annotations

from itertools import combinations

LONG = "takes too long"
SETUP = "step setup\n    set active = Player(1)\n\n"
ASK = '    choose z in 1..3 "?"\n'
END = f"{ASK}    win Player(1)\n"
PLAY = f"step play\n{END}"
FOR_EVER = f"    repeat\n    {ASK}        set active = active.next\n"
MADE: dict[str, str] = {}


def _file(
    name: str,
    *parts: str,
    check: str = "in 1 file",
    play: str = LONG,
    simulate: str | None = None,
    head: str = "    players 2\n",
) -> None:
    answers = f"# check: {check}\n# play: {play}\n# simulate: {simulate or play}\n"
    MADE[name] = f'{answers}game {name} "Hostile"\n{head}\n' + "".join(parts)


def _broken(name: str, *parts: str, mistake: str) -> None:
    _file(name, *parts, check=mistake, play=mistake)


def _lines(line: str, number: int) -> str:
    """A line so many times, with its number in it."""
    return "".join(line.replace("#", str(at)).replace("&", str(at + 1)) for at in range(number))


WINS, WON = "Player 1 wins", "win 4"
NINE_DIGITS = "more than nine digits"
ENDLESS = "goes on and on"

# ------------------------------------------------------------ what is worked out in each pass

MANY_TERMS = " + ".join(["x"] * 66 + ["y"] * 66)
_file(
    "heavy_condition",
    "type N = 1..2200\n\n",
    SETUP,
    f"step play\n{ASK}    if count(x in N, y in N where {MANY_TERMS} = 1188) > 5\n",
    "        win Player(1)\n    win Player(2)\n",
)
_file(
    "heavy_requirement",
    "type T = 1..160\n\n",
    SETUP,
    'step play\n    choose "?"\n        go\n\naction go(x in T, y in T, z in T) "Go"\n',
    _lines(f'    require {MANY_TERMS} + z < 99999# "No."\n', 20),
    '    require x + y + z = 480 "Last."\n    win you\n',
)
_file(
    "no_pair_will_do",
    "place Cell grid 140 by 140 of Stone\nplace box of Stone\npiece Stone 10 in box\n\n",
    SETUP,
    'step play\n    choose "?"\n        go\n        rest\n\naction rest "Rest"\n    win you\n\n',
    'action go(c in Cell, d in Cell) "Go"\n',
    '    require c = Cell(140, 140) and d = Cell(140, 140) "No."\n    win you\n',
)
_file(
    "six_parameters",
    "type T = 1..60\n\n",
    SETUP,
    'step play\n    choose "?"\n        go\n\n',
    'action go(a in T, b in T, c in T, d in T, e in T, f in T) "Go"\n',
    '    require a + b + c + d + e + f = 360 "Only the last."\n    win you\n',
)
_file(
    "many_parameters",
    "type T = 1..2\n\n",
    SETUP,
    'step play\n    choose "?"\n        go\n\n',
    f'action go({", ".join(f"p{at} in T" for at in range(25))}) "Go"\n',
    f"    require {' + '.join(f'p{at}' for at in range(25))} = 50 ",
    '"Only the last."\n    win you\n',
)
_file(
    "can_go_nowhere",
    "type T = 1..60\n\n",
    SETUP,
    "step play\n    if can(go by Player(1))\n        win Player(1)\n",
    '    choose "?"\n        rest\n\n',
    'action rest "Rest"\n    win Player(2)\n\n',
    'action go(a in T, b in T, c in T, d in T, e in T, f in T) "Go"\n',
    '    require a + b + c + d + e + f = 360 and a < 60 "None."\n    win you\n',
)
_file(
    "remembered",
    "type N = 1..2200\nstate a: number = 0\n\ndefine f(x: number) = x mod 7 + 1\n",
    "define g(x: number) = x mod 7 + a\n\n",
    SETUP,
    f"step play\n{ASK}    if count(x in N, y in N where f(x * 2200 + y) + g(x * 2200 + y) > 9) ",
    "> 5\n",
    "        win Player(1)\n    win Player(2)\n",
)
_file(
    "nested_queries",
    f"type N = 1..30\n\ndefine q = count({', '.join(f'x{at} in N' for at in range(12))} ",
    "where x0 = x1)\n\n",
    SETUP,
    f"step play\n    if q > 3\n        win Player(1)\n{END}",
)
_file(
    "sums_of_sums",
    "type N = 1..100\n\ndefine d0(x: N) = x\n",
    _lines("define d&(x: N) = sum(d#(y) mod 7 for y in N where y < x)\n", 30),
    "\n",
    SETUP,
    f"step play\n    if d30(50) > 3\n        win Player(1)\n{END}",
    simulate=WON,
)
_file(
    "sorted_again_and_again",
    "type N = 1..20000\nstate a: number = 0\n\n",
    SETUP,
    "step play\n    repeat 1000 times\n        for n in N highest n mod 7 lowest n mod 11\n",
    f"            set a = n\n{END}",
)
_file(
    "all_rays",
    "place Cell grid 140 by 140 of Stone\nplace box of Stone\npiece Stone 10 in box\n\n",
    "define lines(c: Cell) = sum(count(c.ray(d)) for d in Dir)\n\n",
    SETUP,
    "step play\n    if any(x in Cell, y in Cell where x.lines + y.lines > 999999)\n",
    f"        win Player(1)\n{END}",
)

# ------------------------------------------------------------ ways through networks

TOWNS = [f"v{at}" for at in range(22)]
ROADS = "".join(f"    {one} - {other}\n" for one, other in combinations(TOWNS, 2))
_file(
    "dense_trail",
    f"place Town network of Cart\n{ROADS}place road edges of Town of Cart\npiece Cart 3 in v0\n\n",
    SETUP,
    f"step play\n    if trail(road) > 5\n        win Player(1)\n{END}",
)
_file(
    "dense_reach",
    f"place Town network of Cart\n{ROADS}piece Cart 3 in v0\n\n",
    "define r(t: Town) = reach(x from {t} via {y for z in x.beside, y in z.beside} ",
    "exactly 9000)\n\n",
    SETUP,
    f"step play\n    if all(t in Town have count(r(t)) > 5)\n        win Player(1)\n{END}",
)

# ------------------------------------------------------------ what doubles

_file(
    "doubling_arguments",
    "state a: number = 0\n\ndefine d0(x: number) = x\n",
    _lines("define d&(x: number) = d#(x) + d#(x + 1)\n", 40),
    "\n",
    SETUP,
    f"step play\n    if d40(a) > 3\n        win Player(1)\n{END}",
    play=NINE_DIGITS,
)
_file(
    "doubling_conditions",
    "state a: number = 0\n\ndefine d0 = a\n",
    _lines("define d& = if d# > 3 then d# else d# + 1\n", 40),
    "\n",
    SETUP,
    f"step play\n    if d40 > 3\n        win Player(1)\n{END}",
    play=WINS,
    simulate=WON,
)
_file(
    "doubling_sets",
    "type N = 1..9\n\ndefine d0 = {1}\n",
    _lines("define d& = d# + {n in N where n not in d#}\n", 40),
    "\n",
    SETUP,
    f"step play\n    if count(d40) > 3\n        win Player(1)\n{END}",
    play=WINS,
    simulate=WON,
)
_file(
    "doubling_can",
    SETUP,
    'step play\n    choose "?"\n        a30\n        a0\n\naction a0 "A"\n    win you\n\n',
    _lines(
        'action a& "A&"\n    require can(a#) or can(a# by you.next) "No."\n    win you\n\n',
        30,
    ),
    play=WINS,
    simulate=WON,
)
_file(
    "doubling_gives",
    "state a: number = 0\n\nstep s0 gives number\n    give a\n\n",
    _lines("step s& gives number\n    let x = s#\n    let y = s#\n    give x + y\n\n", 30),
    SETUP,
    f"step play\n    let z = s30\n{END.replace('z in', 'y in')}",
)
_file(
    "nested_choices",
    "state a: number = 0\n\n",
    _lines(
        'step s#\n    choose "?"\n        action a# "A"\n            s&\n            s&\n'
        '        action b# "B"\n            s&\n\n',
        19,
    ),
    'step s19\n    choose x in 1..2 "?"\n    add x to a\n\n',
    SETUP,
    "step play\n    s0\n    win Player(1)\n",
    play=ENDLESS,
)

# ------------------------------------------------------------ statements, events, memory

_file(
    "would_often",
    "type N = 1..2000\nstate a: number = 0\n\n",
    "step s\n    repeat 4000 times\n        set a = 1 - a\n\n",
    SETUP,
    f"step play\n{ASK}    if any(x in N where would(a > 3 after s))\n        win Player(1)\n",
    "    win Player(2)\n",
)
_file(
    "steps_in_loops",
    "type N = 1..2000\nstate a: number = 0\n\n",
    _lines("step s#(x: number)\n    for y in N\n        s&(x + y)\n\n", 5),
    "step s5(x: number)\n    set a = x\n\n",
    SETUP,
    f"step play\n    s0(1)\n{END}",
)
_file(
    "tells",
    "state a: number = 0\n\n",
    SETUP,
    "step play\n    repeat 99000 times\n        tell "
    f'"{{active}} has {{a}} and says that this is a rather long sentence."\n{END}',
)
_file(
    "back_and_forth",
    "place box of Stone\nplace bag of Stone\npiece Stone 2 in box\n\n",
    SETUP,
    "step play\n    repeat\n        repeat 40 times\n            move 1 from box to bag\n",
    f"            move 1 from bag to box\n    {ASK}        set active = active.next\n",
    play=ENDLESS,
)
_file(
    "refilled",
    "place deck of Card stack hidden refilled from discard\nplace discard of Card stack\n",
    "piece Card 19000 in deck\n\n",
    SETUP,
    f"step play\n    repeat\n        move 19000 from deck to discard\n    {ASK}",
)
_file(
    "many_eyes",
    "place box of Stone hidden\nplace bag of Stone hidden\npiece Stone 19000 in box\n\n",
    SETUP,
    f"step play\n    repeat 9000 times\n        move 1 from box to bag\n{END}",
    head="    players 32\n",
)
_file(
    "sets_of_everybody",
    "type N = 1..9000\nstate Player.s: set of N\n\n",
    SETUP,
    "step play\n    for p in Player\n        set p.s = {n in N where n > 3}\n",
    FOR_EVER,
    head="    players 10\n",
)
_file(
    "long_limit",
    SETUP,
    f"step play\n{FOR_EVER}",
    play="limit",
    simulate="limit",
    head="    players 2\n    limit 90 decisions\n",
)
_file(
    "positions_without_end",
    "history h of Cell\nplace Cell grid 12 by 12 of Stone\npiece Stone 900 in Cell(1, 1)\n\n",
    SETUP,
    f"step play\n    repeat\n    {ASK}        record h\n",
    "        move 1 from Cell(1, 1) to Cell(2, 1)\n        set active = active.next\n",
    play=ENDLESS,
)

# ------------------------------------------------------------ choices

_file(
    "many_numbers",
    SETUP,
    'step play\n    choose x in 1..100001 "?"\n    win Player(1)\n',
    play="more than 100,000 options",
)
_file(
    "any_of_many",
    "type N = 1..500\nplace box of Stone\npiece Stone per N in box\nplace bag of Stone\n\n",
    SETUP,
    'step play\n    choose any s in box "?"\n    move s to bag\n    win Player(1)\n',
    play=WINS,
    simulate=WON,
)
_file(
    "together",
    "state Player.b: number = 0\n\n",
    SETUP,
    'step play\n    together p in Player\n        choose x in 1..9000 by p "?"\n',
    "        set p.b = x\n    win Player(1)\n",
    play=WINS,
    simulate=WON,
    head="    players 31\n",
)
_file(
    "many_actions",
    SETUP,
    'step play\n    choose "?"\n',
    _lines("        a#\n", 1300),
    "\n",
    _lines('action a# "A#"\n    win you\n', 1300),
    play=WINS,
    simulate=WON,
)
_file(
    "ranked_by_much",
    "type N = 1..2000\nstate Player.s: number = 0\n\n",
    SETUP,
    f"step play\n{ASK}    end game\n\nranking best in Player\n",
    _lines("    highest count(x in N, y in N where x + y = best.s + #)\n", 30),
    head="    players 31\n",
)

# ------------------------------------------------------------ large declarations

_file(
    "many_options",
    _lines('option o# in 0..9 = 0 "O#"\n', 900),
    SETUP,
    PLAY,
    play=WINS,
    simulate=WON,
)
_broken(
    "wide_option",
    'option o in 0..999999999 = 0 "O"\nstate a: number = o\n\n',
    SETUP,
    PLAY,
    mistake=LONG,
)
_file(
    "options_multiply",
    _lines('option o# in 1..60 = 1 "O#"\n', 8),
    "state a: number = 0\n\nstep setup\n    set active = Player(1)\n",
    "    repeat o0 * o1 * 20 times\n        set a = 1 - a\n\n",
    PLAY,
    play=WINS,
    simulate=WON,
)
_file(
    "many_tables",
    'option o in 1..60 = 1 "O"\nplace box of Stone\nplace Cell grid 90 by 90 of Stone\n',
    "type N = 1..11000\npiece Stone per N in box\nstate Stone.a: number = 0\n",
    "state Cell.c: number = 0\n\n",
    SETUP,
    f"step play\n{ASK}    move sure(first(box)) to Cell(1, 1)\n    win Player(1)\n",
    play=WINS,
    simulate=WON,
    head="    players 2..32\n",
)
_file(
    "many_triggers",
    "state a: number = 1\n\n",
    _lines("trigger t#\n    when a = #\n    set a = &\n\n", 1300),
    SETUP,
    PLAY,
    play=WINS,
    simulate=WON,
)
_file(
    "columns_and_rows",
    f"type N {' '.join(f'| c{at}' for at in range(100))}\n",
    _lines(f"    r# {'| 1 ' * 100}\n", 150),
    "\n",
    SETUP,
    PLAY,
    play=WINS,
    simulate=WON,
)
_broken(
    "define_chain",
    _lines("define d# = d& + 1\n", 2000),
    "define d2000 = 1\n",
    SETUP,
    PLAY,
    mistake="build on each other too deeply",
)
_broken(
    "misspelt_names",
    _lines("define name_number_# = 1\n", 700),
    SETUP,
    "step play\n",
    _lines("    set nama_numbur_# = 1\n", 700),
    mistake="unknown-name",
)
_broken("open_brackets", f"step play\n    set a = {'(' * 30000}\n", mistake="error")
_broken("open_quotes", "step play\n", _lines('    choose "\n', 4000), mistake="error")
_broken("bad_declarations", _lines("foo bar\n\n", 6000), mistake="too-many-mistakes")
_broken(
    "stairs", "step play\n", "".join(f"{' ' * at}skip\n" for at in range(1, 340)), mistake="error"
)
