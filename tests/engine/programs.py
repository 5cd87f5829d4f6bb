"""Small rules programs made up from choices of numbers: valid, finite, and full of decisions.

Every line is written by a method that knows which names are in scope. Choosing 0 everywhere gives
the plainest program, so that what goes wrong shrinks well.
"""

from __future__ import annotations

from collections.abc import Callable

import attrs

from .expressions import COLOURS, Expressions, Scope, Step

PARAMETERS = {"Player": "Player", "number": "number", "Colour": "Colour", "cells": "set of Cell"}
"""Types of parameters of steps beside cells, as the scope and as the rules call them."""


class Maker(Expressions):
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

    def _requirements(self, scope: Scope, indent: str) -> str:
        text = ""
        for number in range(self.below(3)):
            said = self._said(scope, f"No {number}")
            text += f'{indent}require {self.flag(scope)} "{said}."\n'
        return text

    def _said(self, scope: Scope, text: str) -> str:
        """A text, perhaps with values in it; they are only worked out where somebody reads it."""
        return f"{text} {{{self.number(scope, 0)}}}" if self.chance(3) else text

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

    def _domain(self, scope: Scope) -> tuple[str, str]:
        """A set to choose from, and the type of what is in it."""
        domains: list[tuple[str, str]] = [
            ("Cell", "Cell"),
            (f"1..{1 + self.below(3)}", "number"),
            ("Colour", "Colour"),
            (self.players(scope), "Player"),
            (self.cells(scope), "Cell"),
            (f"{scope.chooser}.liked", "Colour"),
            ("box", "stone"),
            (f"{scope.chooser}.pot", "stone"),
        ]
        if self.hand_seen:
            domains.append((f"{scope.chooser}.hand", "card"))
        else:
            domains.append((f"{scope.chooser}.kept", "card"))
        return self.one(domains)

    # ------------------------------------------------------------ statements

    def _block(self, scope: Scope, length: int, indent: str = "    ") -> str:
        text = ""
        for _ in range(length):
            more, scope = self._statement(scope, indent)
            text += more
        return text

    def _statement(self, scope: Scope, indent: str) -> tuple[str, Scope]:
        """A statement, and the scope after it."""
        forms: list[Callable[[Scope, str], tuple[str, Scope]]] = [self._change, self._move]
        if scope.depth > 0:
            forms += [self._if, self._for, self._repeat, self._let]
        if scope.steps:
            forms.append(self._call_step)
        if not scope.plain:
            forms += [self._choose_value] * 4
            forms += [self._roll, self._special, self._choose_several, self._choose_several]
            forms.append(self._measured)
            if scope.depth > 0:
                forms.append(self._given)
                forms += [self._choose_action] * 4
                forms += [self._together, self._end, self._end]
        return self.one(forms)(scope, indent)

    def _given(self, scope: Scope, indent: str) -> tuple[str, Scope]:
        """A step that stops for nobody gives something, or nothing."""
        name = self.name("g")
        text = f"{indent}let {name} = neighbour({self.cell(scope)})\n{indent}if {name} != none\n"
        inner = scope.deeper.having(name, "Cell")
        return text + self._block(inner, 1, indent + "    "), scope

    def _measured(self, scope: Scope, indent: str) -> tuple[str, Scope]:
        """A step that may stop gives a number."""
        name = self.name("g")
        text = f"{indent}let {name} = measured({self.number(scope, 0)})\n"
        return text, scope.having(name, "number")

    def _change(self, scope: Scope, indent: str) -> tuple[str, Scope]:
        number = self.number(scope)
        line = self.one(
            (
                f"add {self.one(('1', number))} to {self.player(scope)}.score",
                f"set {self.player(scope)}.score = {number}",
                f"set level = clamp({number}, 0, 6)",
                "add 1 to level",
                f"add {1 + self.below(2)} to fresh",
                f"take 1 from {self.player(scope)}.score",
                f"set {self.cell(scope)}.heat = {self.one(('none', '0', '2', '3'))}",
                f"set {self.cell(scope)}.heat = clamp({number}, 0, 3)",
                f"set marked = {self.cells(scope)}",
                f"set {self.cell(scope)}.on = {self.flag(scope)}",
                f"set favourite = {self.one((*COLOURS, 'none'))}",
                f"set {self.player(scope)}.wish = {self.colour(scope)}",
                f"set {self.player(scope)}.liked = {{{self.colour(scope)}, {self.colour(scope)}}}",
                f"set numbers = {{{1 + self.below(5)}, {1 + self.below(5)}}}",
                f"set numbers = {{e in 1..5 where e {self.one('<>=')} {number}}}",
                "record past",
                f"record sown\n{indent}if sown.times > 1\n{indent}    add 1 to level",
            )
        )
        return f"{indent}{line}\n", scope

    def _move(self, scope: Scope, indent: str) -> tuple[str, Scope]:
        cell = self.cell(scope)
        player = self.player(scope)
        stones = scope.names("stone")
        cards = scope.names("card")
        stock = f"{{s in box where s.owner = {player}}}"
        lines = [
            f"if empty({cell})\n{indent}    move 1 from {stock} to {cell}",
            f"move all from {cell} to {self.one(('box', 'pile'))}",
            f"move {1 + self.below(2)} from {stock} to pile",
            "move all from pile to box",
            f"move 1 from {stock} to {player}.pot",
            f"move all from {player}.pot to pile",
            f"for s in {cell}\n{indent}    set s.turned = not s.turned",
            f"move 1 from {stock} to mix",
            f"move {1 + self.below(2)} from {player}.cairn to {self.player(scope)}.cairn",
            f"for s in mix\n{indent}    if s is Stone\n{indent}        move s to box",
            f"if empty({self.ring(scope)})\n{indent}    move 1 from {stock} to {self.ring(scope)}",
            f"if empty({self.yard(scope)})\n{indent}    move 1 from {stock} to {self.yard(scope)}",
            f"for s in {self.ring(scope)} + {self.yard(scope)}\n{indent}    move s to box",
            self._lay(self.shaped(scope), stock, indent),
            self._lay(self.shaped(scope), stock, indent),
            f"for s in {{q in {self.shaped(scope)}}}\n{indent}    move s to box",
        ]
        lines += [self._sow(scope, indent), self._sow(scope, indent)]
        lines += [self._lay(self.meadow(), f"{player}.fold", indent) for _ in range(3)]
        if self.pile != "":
            lines.append(f"move 1 from pile to box{self.one(('', ''))}")
            lines.append(f"move all from {player}.pot to pile at bottom")
        if not scope.plain:
            lines += [
                f"move {1 + self.below(2)} from deck to {player}.hand",
                f"move all from {player}.hand to junk",
                f"move all from {player}.kept to {player}.hand",
                f"move all from {player}.hand to {player}.kept",
                "move all from junk to deck at bottom",
                f"move 1 from junk to shelf({player}, {1 + self.below(2)})",
                "move 1 from junk to mix",
                f"for s in mix\n{indent}    if s is Card\n{indent}        move s to junk",
                f"for k in Size\n{indent}    move all from shelf({player}, k) to junk",
            ]
        if stones:
            lines += [f"move {self.one(stones)} to {self.one(('pile', 'box'))}"] * 2
            lines.append(f"set {self.one(stones)}.turned = yes")
        if cards and not scope.plain:
            to = self.one(("junk", "deck", f"{player}.kept", f"{player}.hand"))
            lines += [f"move {self.one(cards)} to {to}"] * 4
        return f"{indent}{self.one(lines)}\n", scope

    def _lay(self, place: str, stock: str, indent: str) -> str:
        """A stone onto a place that perhaps is not there."""
        there = f"if {place} != none and empty({place})"
        return f"{there}\n{indent}    move 1 from {stock} to {place}"

    def _sow(self, scope: Scope, indent: str) -> str:
        """Alike pieces one by one, or all at once; which of them is nothing to anybody."""
        pit, other = (f"Pit({1 + self.below(4)})" for _ in range(2))
        seeds = self.one(("s is Seed", f"s is Bean and s.owner = {self.player(scope)}"))
        return self.one(
            (
                f"move {1 + self.below(2)} from {{s in {pit} where {seeds}}} to {other}",
                f"move all from {pit} to {other}",
                (
                    f"repeat count({pit}) times\n"
                    f"{indent}    move 1 from {{s in {pit} where {seeds}}} to {other}.next"
                ),
            )
        )

    def _special(self, scope: Scope, indent: str) -> tuple[str, Scope]:
        player = self.player(scope)
        lines = [
            "shuffle deck",
            f"show {player}.hand to {self.player(scope)}",
            f"if count(playing) > 2\n{indent}    eliminate {player}",
            f"if deck.top != none\n{indent}    show deck.top to {player}",
            "set active = active.next",
            f'tell "{{{player}}} has {{count({player}.hand)}}."',
            f"if {self.flag(scope)}\n{indent}    eliminate {player}",
        ]
        if self.pile == "stack hidden":
            lines.append("shuffle pile")
        lines += [f"show {each} to {player}" for each in scope.names("card")] * 2
        return f"{indent}{self.one(lines)}\n", scope

    def _let(self, scope: Scope, indent: str) -> tuple[str, Scope]:
        name = self.name("v")
        type_ = self.one(("number", "cells", "Player", "Cell", "Colour"))
        value = self.cells(scope) if type_ == "cells" else self.value(scope, type_)
        if type_ == "cells":
            other = self.name("x")
            value = f"{{{other} in {value}}}"
        return f"{indent}let {name} = {value}\n", scope.having(name, type_)

    def _if(self, scope: Scope, indent: str) -> tuple[str, Scope]:
        inner = scope.deeper
        text = f"{indent}if {self.flag(scope)}\n"
        text += self._block(inner, 1 + self.below(2), indent + "    ")
        if self.chance(2):
            text += f"{indent}else\n" + self._block(inner, 1, indent + "    ")
        return text, scope

    def _for(self, scope: Scope, indent: str) -> tuple[str, Scope]:
        name = self.name("f")
        domain, type_ = self._loop_domain(scope)
        inner = attrs.evolve(scope.deeper.having(name, type_), ends=self._with_loop(scope))
        where = f" where {self.flag(scope.having(name, type_))}" if self.chance(3) else ""
        order = ""
        if self.chance(3):
            key = self.number(scope.having(name, type_))
            order = f" {self.one(('highest', 'lowest'))} {key}"
        if self.chance(4):
            other = self.name("f")
            second, second_type = self._loop_domain(scope)
            inner = inner.having(other, second_type)
            domain = f"{domain}, {other} in {second}"
        text = f"{indent}for {name} in {domain}{where}{order}\n"
        return text + self._block(inner, 1 + self.below(2), indent + "    "), scope

    def _loop_domain(self, scope: Scope) -> tuple[str, str]:
        return self.one(
            (
                (self.players(scope), "Player"),
                ("Colour", "Colour"),
                (self.cells(scope), "Cell"),
                (f"1..{1 + self.below(3)}", "number"),
                ("pile", "stone"),
                (f"{self.player(scope)}.liked", "Colour"),
                ("numbers", "number"),
                (self.rings(scope), "Ring"),
                (f"{self.yard(scope)}.beside", "Yard"),
                (f"{{q in {self.shaped_set(scope)}}}", "shaped"),
                ("Size", "number"),
            )
        )

    @staticmethod
    def _with_loop(scope: Scope) -> tuple[str, ...]:
        return (*(end for end in scope.ends if end != "loop"), "loop")

    def _repeat(self, scope: Scope, indent: str) -> tuple[str, Scope]:
        inner = attrs.evolve(scope.deeper, ends=self._with_loop(scope))
        running = f" while {self.flag(scope)}" if self.chance(2) else ""
        text = f"{indent}repeat {1 + self.below(3)} times{running}\n"
        return text + self._block(inner, 1 + self.below(2), indent + "    "), scope

    def _call_step(self, scope: Scope, indent: str) -> tuple[str, Scope]:
        return f"{indent}{self._call(self.one(scope.steps), scope)}\n", scope

    def _roll(self, scope: Scope, indent: str) -> tuple[str, Scope]:
        name = self.name("r")
        form = self.below(5)
        if form == 0:
            return f"{indent}roll {name} in 1..6\n", scope.having(name, "number")
        if form == 1:
            return f"{indent}roll {name} in Colour\n", scope.having(name, "Colour")
        if form == 2:
            return f"{indent}roll level in 0..3\n", scope
        if form == 3:
            return f"{indent}roll {name} in Cell\n", scope.having(name, "Cell")
        return f"{indent}roll {name} in playing\n", scope.having(name, "Player")

    def _end(self, scope: Scope, indent: str) -> tuple[str, Scope]:
        ends = [f"end {each}" for each in scope.ends] * 2
        ends += ["end game", f"win {self.player(scope)}"]
        return f"{indent}if {self.flag(scope)}\n{indent}    {self.one(ends)}\n", scope

    # ------------------------------------------------------------ decisions

    def _by(self, scope: Scope) -> tuple[str, Scope]:
        """Who decides, and the scope of the decision."""
        if not self.chance(3):
            return "", scope
        player = self.player(scope)
        return f" by {player}", attrs.evolve(scope, chooser=player)

    def _choose_value(self, scope: Scope, indent: str) -> tuple[str, Scope]:
        name = self.name("c")
        by, asked = self._by(scope)
        domain, type_ = self._domain(asked)
        inner = asked.having(name, type_)
        where = f" where {self.flag(inner)}" if self.chance(3) else ""
        form = self.below(4)
        said = self._said(asked, "Which")
        if form == 3:
            text = f'{indent}choose optional {name} in {domain}{where}{by} "{said}?"\n'
        else:
            text = f'{indent}choose {name} in {domain}{where}{by} "{said}?"\n'
        text += self._requirements(inner, indent + "    ")
        if form == 0 and type_ in {"Cell", "number", "Colour", "Player"} and not where:
            # What is stuck is stuck in both.
            return text, scope.having(name, type_)
        if form != 3:
            text += f"{indent}else skip\n"
        if scope.depth <= 0:
            return text, scope
        text += f"{indent}if {name} != none\n"
        return text + self._block(
            scope.deeper.having(name, type_), 1 + self.below(2), indent + "    "
        ), scope

    def _choose_several(self, scope: Scope, indent: str) -> tuple[str, Scope]:
        name = self.name("m")
        by, asked = self._by(scope)
        domain, type_ = self._domain(asked)
        form = self.one(("any", "some", "exactly 2", "up to 2", "up to level"))
        if domain == "1..1":
            domain = "1..4"
        inner = asked.having(name, type_)
        where = f" where {self.flag(inner)}" if self.chance(3) else ""
        text = f'{indent}choose {form} {name} in {domain}{where}{by} "Several?"\n'
        if self.chance(3):
            text += self._requirements(inner, indent + "    ")
        match type_:
            case "Cell":
                after = self.one((f"set marked = {name}", f"set marked = marked + {name}"))
            case "stone":
                after = f"move {name} to {self.one(('pile', 'box'))}"
            case "card":
                after = f"move {name} to {self.one(('junk', 'deck'))}"
            case "Colour":
                after = f"set {self.player(scope)}.liked = {name}"
            case "number":
                after = f"set numbers = {name}"
            case _:
                after = f"for w in {name}\n{indent}        add 1 to w.score"
        guard = form in {"some", "exactly 2"}
        if guard:
            text += f"{indent}else skip\n{indent}if {name} != none\n{indent}    {after}\n"
        else:
            some = self.one((f"not empty({name})", f"count({name}) > 0", f"any({name})"))
            text += f"{indent}if {some}\n{indent}    {after}\n"
        return text, scope

    def _choose_action(self, scope: Scope, indent: str) -> tuple[str, Scope]:
        by, asked = self._by(scope)
        text = f'{indent}choose{by} "{self._said(asked, "What")}?"\n'
        inner = indent + "    "
        for action in scope.actions[: 1 + self.below(2)]:
            text += f"{inner}{action}\n"
            if self.chance(4):
                text += f'{inner}    require {self.flag(asked)} "Not here."\n'
        for _ in range(1 + self.below(2)):
            name = self.name("act_")
            body = attrs.evolve(asked.deeper, chooser="you")
            params = param = ""
            if self.chance(2):
                param = self.name("b")
                domain, type_ = self._domain(attrs.evolve(body, chooser="you"))
                params = f"({param} in {domain})"
                body = body.having(param, type_)
            label = f"{name} {{{param}}}" if params and self.chance(3) else name
            text += f'{inner}action {name}{params} "{label}"\n'
            text += self._requirements(body, inner + "    ")
            text += self._block(body, 1 + self.below(2), inner + "    ")
        return text + f"{indent}else skip\n", scope

    def _together(self, scope: Scope, indent: str) -> tuple[str, Scope]:
        who = self.name("t")
        inner = indent + "    "
        text = f"{indent}together {who} in {self.one(('Player', 'playing'))}\n"
        forms = [
            f'{inner}choose {{}} in Colour by {who} "Secretly?"\n{inner}set {who}.wish = {{}}\n',
            f'{inner}choose any {{}} in Colour by {who} "Likes?"\n{inner}set {who}.liked = {{}}\n',
            f'{inner}choose {{}} in 1..3 by {who} "Bid?"\n{inner}add {{}} to {who}.score\n',
            f"{inner}add 1 to level\n",
            f"{inner}if {who}.score > {self.below(3)}\n{inner}    end loop\n",
        ]
        if self.hand_seen:
            forms.append(
                f'{inner}choose up to 2 {{}} in {who}.hand by {who} "Keep?"\n'
                f"{inner}move {{}} to {who}.kept\n"
            )
        for _ in range(1 + self.below(3)):
            name = self.name("g")
            text += self.one(forms).replace("{}", name)
        return text, scope
