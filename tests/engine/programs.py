"""Small rules programs made up from choices of numbers: valid, finite, and full of decisions.

Every line is written by a method that knows which names are in scope. Choosing 0 everywhere gives
the plainest program, so that what goes wrong shrinks well.
"""

from __future__ import annotations

from .expressions import COLOURS, Scope, Step
from .statements import Statements

PARAMETERS = {"Player": "Player", "number": "number", "Colour": "Colour", "cells": "set of Cell"}
"""Types of parameters of steps beside cells, as the scope and as the rules call them."""


class Maker(Statements):
    """Makes up one program."""

    # ------------------------------------------------------------ the file

    def program(self) -> str:
        parts = [self._table()]
        steps: tuple[Step, ...] = ()
        actions: tuple[str, ...] = ()
        for plain in [True] * (1 + self.below(2)) + [False] * (1 + self.below(3)):
            step, text = self._step(steps, actions, plain)
            steps = (step, *steps)
            parts.append(text)
            if not plain or self.chance(2):
                action, text = self._action(steps, actions)
                actions = (action, *actions)
                parts.append(text)
        scope = Scope(steps=steps, actions=actions, ends=("turn",), depth=3)
        parts.append("step turn\n" + self._block(scope, 2 + self.below(3)))
        parts.append(
            f"step play\n    repeat {2 + self.below(4)} times\n        turn\n"
            "        set active = active.next\n"
        )
        parts += [self._trigger(steps, actions) for _ in range(self.below(3))]
        parts.append(self._ranking())
        if actions and self.chance(2):
            parts[0] = parts[0].replace("each turn", f"each {self.one(actions)}")
        return "\n".join(parts)

    def _table(self) -> str:
        hand = self.one(("private", "", "seen when viewer != here.player", "hidden"))
        self.hand_seen = hand in {"", "private"}
        self.pile = self.one(("stack", "", "stack hidden"))
        refilled = self.one(("", " refilled from junk"))
        clamped = self.one((" clamped", ""))
        marked = self.one(("", " = {Cell(1, 2)}", " = {Cell(2, 1), Cell(2, 2)} each turn"))
        numbers = self.one(("", " = {2, 4} each turn", " = {5}"))
        liked = self.one(("", " = {green}", " = {red, blue} each turn"))
        room = self.one(("", " room 3"))
        # The last has more cells than a word has bits.
        grid = self.one(("2 by 2", "3 by 2", "2 by 3", "4 by 3", "9 by 8", "3 by 3 wrapped"))
        # Sheep only arrive; the second meadow is so large that it is kept which of them are joined.
        meadow = self.one(("3 by 3", "13 by 10"))
        return f"""\
game made "Made up"
    players 2..3
    limit 40 decisions

option size in 1..3 = 2 "Size"

type Colour = {", ".join(COLOURS)}
type Size = 1..2
type Shape
    bar
        o o
    hook
        o ~
        o o
type Form turns of Shape{self.one(("", " mirrored"))}
type Bend sixths of Shape mirrored

place box of Stone
place Cell grid {grid} of Stone room 1
place pot per Player of Stone{room}
place pile of Stone {self.pile}
place deck of Card stack hidden{refilled}
place junk of Card stack
place hand per Player of Card {hand}
place kept per Player of Card private
place shelf per Player, Size of Card room 1
place Ring ring 5 of Stone room 1
place Yard network of Stone room 1
    gate - lawn - shed
    lawn - tree
    gate - shed
place lane edges of Yard of Stone room 1 | length
    gate - shed | 3
    shed - lawn | 1
    lawn - gate | 2
    tree - lawn | 2
place Comb {self.one(("hexagon 2", "hexgrid 3 by 2", "hexgrid 3 by 3 wrapped"))} of Stone room 1
place Peg grid 3 by 3 of Stone room 1
    map
        ~ o o
        o o o
        o o ~
place fence edges of {self.one(("Peg", "Cell", "Ring"))} of Stone room 1
place plot per Player grid 2 by 2 of Stone room 1
place loop_of per Player ring 0..2 of Stone room 1
place belt per Yard, way: {self.one(("Orthogonal", "Diagonal", "Hexagonal"))} of Stone
place mix of Stone, Card
place Pit ring 4 of Seed, Bean
place cairn per Player of Pebble
place fold per Player of Sheep
place Meadow grid {meadow} of Sheep room 1

piece Stone 4 per Player in box
piece Card in deck | count | colour | worth
    ace            | 2     | red    | 1
    two            | 2     | green  | 2
    ten            | 2     | blue   | 9
piece Seed 6 in Pit(1)
piece Bean 2 per Player in sure(Pit(player.seat + 1))
piece Pebble {self.one(("5", "5", "66"))} in cairn(Player(1))
piece Sheep 5 per Player in player.fold

state level: 0..6 = 2{clamped}
state fresh: 0..6 = 1 clamped each turn
state favourite: Colour or none
state marked: set of Cell{marked}
state numbers: set of 1..5{numbers}
state Player.score: number = 0
state Player.wish: Colour = red
state Player.liked: set of Colour{liked}
state Cell.on: flag = no
state Cell.heat: 0..3 or none
state Stone.turned: flag = no

history past of Cell, active
history sown of Pit

define group(c: Cell) = reach(x from {{c}} via x.beside where x.top.owner = c.top.owner)
define flock(m: Meadow, p: Player) = reach(x from {{m}} via x.beside where x.top.owner = p)
define value(c: red) = 2
define value(c: green) = {self.below(4)}
define value(c: Colour) = c.index + 3
define fine(k: red, c: Cell) = empty(c)
define fine(k: Colour, c: Cell) = {self.one(("c.on", "c in marked", "not empty(c)"))}
define mild(c: Cell, n: number) = c.heat < n
define warmer(c: Cell, n: number) = not empty(c) and c.heat >= n
define fire(x: number, y: number, n: number) = any(
    c in Cell
    where c.col = x and c.row = y and warmer(c, n))
define taken(p: Player) = {{c in Cell where c.top.owner = p}}

step setup
    shuffle deck
    for p in Player
        move 2 from deck to p.hand
    set active = Player({1 + self.below(2)})

step measured(n: number) gives number
    if n > 2
        give level
    choose k in 1..3 by active "Measure?"
    give k + n

step neighbour(c: Cell) gives Cell or none
    for x in c.beside where not empty(x)
        give x
    give none
"""

    def _ranking(self) -> str:
        keys: tuple[str, ...] = (
            "highest p.score",
            "lowest count(p.hand)",
            "highest count(p.taken)",
        )
        keys += (f"highest count(flock({self.meadow()}, p))",)
        chosen = [self.one(keys) for _ in range(1 + self.below(2))]
        payoff = self.one(("", "    payoff clamp(p.score, 0, 9) in 0..9\n"))
        of = self.one(("Player", "playing"))
        body = "".join(f"    {key}\n" for key in dict.fromkeys(chosen))
        return f"ranking p in {of}\n{body}{payoff}"

    def _step(
        self, steps: tuple[Step, ...], actions: tuple[str, ...], plain: bool
    ) -> tuple[Step, str]:
        name = self.name("step_")
        kinds = [self.one(("Cell", *PARAMETERS)) for _ in range(self.below(3))]
        params = tuple((self.name("a"), kind) for kind in kinds)
        callable_ = tuple(step for step in steps if step.plain or not plain)
        scope = Scope(params, (name,), callable_, actions, plain)
        shown = ", ".join(f"{each}: {PARAMETERS.get(kind, kind)}" for each, kind in params)
        head = f"step {name}({shown})\n" if params else f"step {name}\n"
        return Step(name, params, plain), head + self._block(scope, 1 + self.below(3))

    def _action(self, steps: tuple[Step, ...], actions: tuple[str, ...]) -> tuple[str, str]:
        name = self.name("action_")
        scope = Scope((), (name,), steps, actions, chooser="you")
        if self.chance(4):
            return name, self._on_the_way(name, scope)
        params = []
        for _ in range(self.below(4)):
            param = self.name("b")
            domain, type_ = self._domain(scope)
            params.append(f"{param} in {domain}")
            scope = scope.having(param, type_)
        shown = f"({', '.join(params)})" if params else ""
        text = f'action {name}{shown} "Do {name}"\n' + self._requirements(scope, "    ")
        return name, text + self._block(scope, 1 + self.below(2))

    def _on_the_way(self, name: str, scope: Scope) -> str:
        """An action from a cell to another that lies in one of a few ways from it."""
        a, b = self.name("b"), self.name("b")
        whole = self.one(("Cell", "Cell", f"{a}.beside", f"{a}.around", "Peg"))
        goal = scope.having(b, "Peg" if whole == "Peg" else "Cell")
        from_, to = self.one((("row", "col"), ("col", "row")))
        lasting = (
            f"{b}.{from_} = {a}.{from_} and abs({b}.{to} - {a}.{to}) <= 1",
            f"{b}.{from_} = {a}.{from_} + (if you.seat = 1 then 1 else -1)",
            f"({b}.{from_} - {a}.{from_}) * ({b}.{to} - {a}.{to}) = 2",
        )
        asked = (
            f"not empty({a})",
            f"empty({b})",
            f"{b}.{to} != {a}.{to} or empty({b})",
            f"{b}.{to} > {a}.{to} or not ({a}.{from_} = 2 and {self.flag(goal)})",
            f"empty({a}) or {self.flag(goal.having(a, 'Cell'))}",
        )
        text = f'action {name}({a} in Cell, {b} in {whole}) "Go {name}"\n'
        for each in (self.one(lasting), *(self.one(asked) for _ in range(self.below(4)))):
            text += f'    require {each} "Not there."\n'
        return text + self._block(goal.having(a, "Cell"), 1 + self.below(2))

    def _trigger(self, steps: tuple[Step, ...], actions: tuple[str, ...]) -> str:
        name = self.name("trigger_")
        after = self.one(("", " after turn", *(f" after {each}" for each in actions)))
        form = self.below(5)
        if form == 4 and not after:
            form = 0
        scope = Scope((), (), steps, actions)
        if form == 0:
            head = f"trigger {name}(p in Player){after}\n    when p.score > {2 + self.below(3)}\n"
            head += "    set p.score = 0\n"
            scope = scope.having("p", "Player")
        elif form == 1:
            scope = scope.having("c", "Cell")
            head = f"trigger {name}(c in Cell){after}\n    when c.on and {self.flag(scope)}\n"
            head += "    set c.on = no\n"
        elif form == 2:
            head = f"trigger {name}{after}\n    when level = 5\n    set level = 1\n"
        elif form == 3:
            head = f"trigger {name}(p in active.round, c in p.taken){after}\n    when c in marked\n"
            head += "    set marked = marked - {c}\n"
            scope = scope.having("p", "Player").having("c", "Cell")
        else:
            head = f"trigger {name}{after}\n"
        return head + self._block(scope, 1 + self.below(2))
