"""What is kept while somebody thinks, and what ends meanwhile, in programs made up of little else.

Names of each form over decisions, sets handed to steps that ask, triggers that ask or end the game
among others, and players who act at the same time and end something.
"""

from __future__ import annotations

from random import Random

import pytest

from ruledsl.diagnostics.source import Source
from ruledsl.engine import Engine
from ruledsl.library import Library
from ruledsl.play.check import check_source
from ruledsl.table.table import Table

from .lockstep import play_in_step
from .memory.guarded import guarded

HEAD = """\
game kept "Kept"
    players 2..3
    limit 30 decisions

place box of Stone
place Spot grid 3 by 2 of Stone room 1
place Field grid 9 by 8 of Stone room 1
place heap of Stone stack
place bag per Player of Stone
piece Stone 4 per Player in box

state level: 0..30 = 0 clamped
state count_of: number = 0
state Player.score: number = 0
state Player.mark: 0..9 or none = none
state Player.liked: set of Spot = {Spot(1, 1)}
state Spot.heat: 0..9 = 0 clamped
state marked: set of Spot
state far: set of Field
state numbers: set of 1..9 = {2, 3}
state favourite: Spot or none = none

step setup
    set active = Player(1)
    for p in Player
        move 2 from {s in box where s.owner = p} to p.bag

step play
    repeat
        turn
        set active = active.next

step look_at(spots: set of Spot, fields: set of Field, some: set of number)
    choose n in 1..2 "How many?"
    add count(spots) + count(fields) + n to count_of
    choose e in some "Which?"
    else skip
    add sum(x for x in some) to count_of
    for s in spots
        add 1 to s.heat
        set favourite = s

step count_all(spots: set of Spot, fields: set of Field, some: set of number)
    add count(spots) + 10 * count(fields) + sum(x for x in some) to count_of
    let cold = {s in spots where s.heat < 5}
    set favourite = first(cold)
    for e in some
        set level = e

step fetch(stones: set of Stone)
    choose s in stones "Which?"
    else skip
    add count(stones) to level
    for t in stones where t != s
        move t to heap

"""

STONES = ("box", "{o in box where o.owner = active}", "heap", "active.bag + heap")
SPOTS = (
    "marked",
    "Spot",
    "{o in Spot where empty(o)}",
    "{o in Spot where o.heat > 0} + active.liked",
    "Spot(1, 1).ray(east)",
    "{o in Spot highest o.heat}",
    "{o in Spot lowest abs(o.col - 2)}",
)
FIELDS = ("far", "{f in Field where f.col > level}", "{Field(2, 2), Field(1, 1)}", "Field")
NUMBERS = (
    "numbers",
    "{e in 1..9 highest abs(e - 4)}",
    "{e in 1..9 where e > level}",
    "{min(level + 1, 9), 3}",
    "{min(o.heat + 1, 9) for o in Spot}",
)
OVER = ("end game", "win active", "eliminate active.next", "end turn", "lose active")


class Steps:
    """Makes up what happens in a turn."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.names = 0

    def one(self, *forms: str) -> str:
        return self.random.choice(forms)

    def name(self) -> str:
        self.names += 1
        return f"n{self.names}"

    def ask(self) -> str:
        name = self.name()
        return self.one(
            f'choose {name} in 0..2 "How many?"\nadd {name} to level\n',
            f'choose {name} in Spot "Where?"\nset favourite = {name}\n'
            f"set marked = marked + {{{name}}}\n",
            f'choose any {name} in Spot "Where?"\nset marked = {name}\n',
            f'choose {name} in {self.one(*STONES)} "Which?"\nelse skip\n'
            f"if {name} != none\n    move {name} to {self.one('heap', 'active.bag')}\n",
        )

    def change(self) -> str:
        stone, empty = "first(o in box where o.owner = active)", "first(o in Spot where empty(o))"
        return self.one(
            "add 1 to level\n",
            "add 2 to active.next.score\n",
            f"set numbers = {self.one(*NUMBERS)}\n",
            f"set far = {self.one(*FIELDS)}\n",
            f"set active.liked = {self.one(*SPOTS)}\n",
            "set active.mark = 3\n",
            f"if {stone} != none and {empty} != none\n    move {stone} to {empty}\n",
            "move all from heap to box\n",
            f"for q in {self.one(*SPOTS)}\n    add 1 to q.heat\n",
        )

    def kept(self) -> str:
        """A name, a question, and what the name was."""
        name = self.name()
        value, use = self.random.choice(
            [
                ("level * 2", f"add {name} to count_of"),
                ("favourite", f"if {name} != none\n    add 1 to {name}.heat"),
                ("active.mark", f"if {name} != none\n    add {name} to count_of"),
                ("active.next", f"add 1 to {name}.score"),
                (f"{{s in {self.one(*SPOTS)}}}", f"add count({name}) to count_of"),
                (f"{{s in {self.one(*SPOTS)}}}", f"set marked = {name}"),
                (f"{{f in {self.one(*FIELDS)}}}", f"add count({name}) to count_of"),
                (f"{{f in {self.one(*FIELDS)}}}", f"set far = {name}"),
                (f"{{e in {self.one(*NUMBERS)}}}", f"add sum(x for x in {name}) to count_of"),
                (f"{{t in {self.one(*STONES)}}}", f"add count({name}) to count_of"),
            ]
        )
        return f"let {name} = {value}\n{self.ask()}{self.change()}{use}\n"

    def call(self) -> str:
        sets = f"{self.one(*SPOTS)}, {self.one(*FIELDS)}, {self.one(*NUMBERS)}"
        return self.one(
            f"look_at({sets})\n", f"count_all({sets})\n", f"fetch({self.one(*STONES)})\n"
        )

    def ending(self) -> str:
        over = self.one(*OVER)
        guard = " and count(playing) > 1" if "eliminate" in over else ""
        return f"if level > {2 + self.random.randrange(8)}{guard}\n    {over}\n"

    def loop(self) -> str:
        name, other = self.name(), self.name()
        head = self.one(
            f"for {name} in {self.one(*SPOTS)}, {other} in 1..2",
            f"for {name} in {self.one(*NUMBERS)}",
            f"for {name} in playing, {other} in {self.one(*SPOTS)} where {other}.heat < 3",
            "repeat 2 times",
        )
        end = self.one("", "if level > 3\n    end loop\n")
        return f"{head}\n{indented(self.ask() + end + self.change())}"

    def together(self) -> str:
        who = self.name()
        lines = ""
        for _ in range(1 + self.random.randrange(3)):
            name = self.name()
            lines += self.one(
                f'choose {name} in 1..3 by {who} "Bid?"\nadd {name} to {who}.score\n',
                f'choose {name} in 0..2 by {who} "All?"\nadd {name} to level\n',
                f'choose {name} in 1..2 by {who} "Last?"\nset {who}.next.mark = {name}\n',
                f'choose any {name} in Spot by {who} "Where?"\nset {who}.liked = {name}\n',
                f'choose {name} in 1..2 by {who} "Leave?"\nif {name} = 2 and count(playing) > 1\n'
                f"    {self.one(f'eliminate {who}', 'end loop', 'end turn', 'win active')}\n",
                f"move all from {who}.bag to heap\n",
                f"set Spot(1, {self.one('1', '2')}).heat = {self.random.randrange(4)}\n",
                f"let {name} = {self.one(*SPOTS)}\nadd count({name}) to {who}.score\n",
            )
        return f"together {who} in playing\n{indented(lines)}"

    def block(self, number: int) -> str:
        forms = (self.ask, self.change, self.kept, self.kept, self.call, self.loop, self.ending)
        return "".join(self.random.choice((*forms, self.together))() for _ in range(number))

    def trigger(self) -> str:
        name = self.name()
        picks, when = self.random.choice(
            [
                ("", "level > 9"),
                ("(s in Spot)", "s.heat > 2"),
                ("(p in playing)", "p.score > 4"),
                ("(p in playing, s in p.liked)", "s in marked and s.heat = 1"),
                ("", "count(marked) > 3"),
                (self.one("", "(p in playing)", "(s in marked)"), ""),
            ]
        )
        after = self.one(" after turn", " after acting", " after look_at")
        undo = {
            "level > 9": "set level = 0\n",
            "s.heat > 2": "set s.heat = 0\n",
            "p.score > 4": "set p.score = 0\n",
            "s in marked and s.heat = 1": "set s.heat = 0\n",
            "count(marked) > 3": "set marked = {}\n",
            "": "",
        }[when]
        body = self.one(self.change(), self.ask(), self.ending().replace("end turn", "end game"))
        head = f"trigger {name}{picks}{self.one('', after) if when else after}\n"
        return head + indented((f"when {when}\n" if when else "") + undo + body)

    def program(self) -> str:
        parts = [HEAD, "step turn\n", indented(self.block(2))]
        label = '    choose "What?"\n        acting\n        waiting\n'
        parts += [
            label,
            indented(self.block(1)),
            "\n",
            'action waiting "Wait"\n    add 1 to level\n',
        ]
        parts += ['\naction acting(k in 1..3) "Act"\n', indented(self.block(2)), "\n"]
        parts += [self.trigger() + "\n" for _ in range(3)]
        parts.append("ranking p in playing\n    highest p.score\n")
        return "".join(parts)


def indented(lines: str) -> str:
    return "".join(f"    {line}\n" for line in lines.splitlines())


@pytest.mark.parametrize("seed", range(24))
def test_the_executors_agree_on_what_is_kept(seed: int) -> None:
    text = Steps(Random(seed)).program()
    checked = check_source(Source("kept.rules", text), Library())
    assert checked.game is not None, checked.diagnostics
    with guarded():
        engine = Engine(Table(checked.game, 2 + seed % 2), checked=seed % 3 != 0)
    try:
        assert sum(play_in_step(engine, game) for game in range(2)) > 1
    except BaseException as error:
        error.add_note(text)
        raise
