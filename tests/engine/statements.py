"""Statements made up from choices of numbers: what steps, actions and triggers do."""

from __future__ import annotations

from collections.abc import Callable

import attrs

from .expressions import COLOURS, Expressions, Scope


class Statements(Expressions):
    """Makes up blocks of statements."""

    pile: str
    """what is said of the pile beside what it is of"""
    hand_seen: bool
    """whether who has a hand may choose from it"""

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

    def _requirements(self, scope: Scope, indent: str) -> str:
        text = ""
        for number in range(self.below(3)):
            said = self._said(scope, f"No {number}")
            text += f'{indent}require {self.flag(scope)} "{said}."\n'
        return text

    def _said(self, scope: Scope, text: str) -> str:
        """A text, perhaps with values in it; they are only worked out where somebody reads it."""
        return f"{text} {{{self.number(scope, 0)}}}" if self.chance(3) else text
