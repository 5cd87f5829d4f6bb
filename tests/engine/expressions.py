"""Expressions made up from choices of numbers, of names that are in scope."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias, TypeVar

import attrs

from ruledsl.model.builtins import NUMBER_FUNCTIONS, Function

T = TypeVar("T")
Pick: TypeAlias = Callable[[int], int]
"""a number below the one given"""

COMPARED = (">=", "<", "!=", "=")
COLOURS = ("red", "green", "blue")


@attrs.frozen
class Scope:
    """What can be written at a place."""

    locals: tuple[tuple[str, str], ...] = ()
    """names and their types"""
    ends: tuple[str, ...] = ()
    """what can be ended from here"""
    steps: tuple[Step, ...] = ()
    """what can be called"""
    actions: tuple[str, ...] = ()
    """what can be offered, and looked for with `can`"""
    plain: bool = False
    """no decision, no chance, no end"""
    depth: int = 2
    chooser: str = "active"

    def having(self, name: str, type_: str) -> Scope:
        return attrs.evolve(self, locals=(*self.locals, (name, type_)))

    def names(self, type_: str) -> list[str]:
        return [name for name, of in self.locals if of == type_]

    @property
    def deeper(self) -> Scope:
        return attrs.evolve(self, depth=self.depth - 1)


@attrs.frozen
class Step:
    name: str
    params: tuple[tuple[str, str], ...]
    plain: bool


class Expressions:
    """Makes up expressions."""

    def __init__(self, pick: Pick, *, risky: bool = False) -> None:
        """If it is risky, rules say `the` also where there may be none."""
        self._pick = pick
        self._risky = risky
        self._fresh = 0

    def below(self, limit: int) -> int:
        return self._pick(limit)

    def one(self, items: Sequence[T]) -> T:
        return items[self.below(len(items))]

    def chance(self, of: int) -> bool:
        """Once in so many times."""
        return self.below(of) == of - 1

    def name(self, stem: str) -> str:
        self._fresh += 1
        return f"{stem}{self._fresh}"

    # ------------------------------------------------------------ expressions

    def number(self, scope: Scope, deep: int = 1) -> str:
        simple: list[Callable[[], str]] = [
            lambda: str(self.below(4)),
            lambda: "level",
            lambda: f"{self.player(scope)}.score",
            lambda: self.one(scope.names("number") or ["1"]),
            lambda: f"count({self.cells(scope)})",
            lambda: f"count({self.one(('box', 'pile', 'deck', 'junk'))})",
            lambda: f"{self.cell(scope)}.row",
            lambda: f"{self.colour(scope)}.index",
            lambda: f"count({self.player(scope)}.{self.one(('hand', 'pot', 'kept'))})",
            lambda: "past.times",
            lambda: "count(numbers)",
            lambda: "fresh",
            lambda: "size",
            lambda: f"{self.player(scope)}.seat",
            lambda: f"value({self.colour(scope)})",
            lambda: f"count(mix) - {self.below(3)}",
            lambda: f"count(shelf({self.player(scope)}, {1 + self.below(2)}))",
            *[lambda: f"count({self.flock(scope)})"] * 2,
        ]
        if deep <= 0:
            return self.one(simple)()
        less = deep - 1
        var = self.name("x")
        inside = scope.having(var, "Cell")
        player = scope.having(var, "Player")
        simple += [
            lambda: f"({self.number(scope, less)} {self.one('+-*')} {self.number(scope, less)})",
            lambda: f"({self.number(scope, less)} {self.one(('mod', '/'))} {2 + self.below(3)})",
            lambda: f"count({var} in Cell where {self.flag(inside, less)})",
            lambda: (
                f"count({var} in {self.cell(scope)}.ray({self.way()}) "
                f"while {self.flag(inside, less)})"
            ),
            lambda: f"sum({self.number(player, less)} for {var} in {self.players(scope)})",
            lambda: f"max({self.number(player, less)} for {var} in Player)",
            lambda: f"min({self.number(scope, less)}, {self.number(scope, less)})",
            lambda: f"clamp({self.number(scope, less)}, 0, 4)",
            lambda: self.computed(self.one(NUMBER_FUNCTIONS), scope, less),
            lambda: f"(if {self.flag(scope, less)} then {self.number(scope, less)} else 0)",
            lambda: f"case {self.colour(scope)} of (red: 1, else: {self.number(scope, less)})",
            lambda: (
                f"case {self.colour(scope)} of (red: {self.number(scope, less)}, green: 2, blue: 0)"
            ),
            lambda: f"max({self.number(scope, less)}, level, {self.number(scope, less)})",
            lambda: f"min({self.number(player, less)} for {var} in Player)",
            *[lambda: f"(0 - {self.number(scope, less)})"] * 2,
            lambda: f"count({{{self.number(inside, less)} for {var} in {self.cells(scope)}}})",
            lambda: f"count({{{var}.row for {var} in {self.cells(scope)}}})",
            lambda: (
                f"count({var} in {self.cells(scope)}, {var}y in {var}.beside"
                f" where {self.flag(inside.having(f'{var}y', 'Cell'), 0)})"
            ),
            lambda: f"count({var} in {self.ring(scope)}.onward while empty({var}))",
            lambda: f"sum({var}.length for {var} in {self.yard(scope)}.lane where empty({var}))",
            lambda: f"trail({self.one(('lane', f'{self.yard(scope)}.lane'))})",
            lambda: (
                f"trail({self.one((f'{var}.length', self.number(scope, 0)))} for {var} in lane"
                f" where {self.one(('', 'not '))}empty({var}) through {{gate, {self.yard(scope)}}})"
            ),
            lambda: f"trail(2 for {var} in fence where not empty({var}))",
            lambda: f"count({var} in {self.shaped_set(scope)} while empty({var}))",
            lambda: f"count({var} in {self.covered(scope)} where empty({var}))",
            lambda: f"{self.form()}.size",
            lambda: (
                f"count(reach({var} from {self.cells(scope, less)} via {var}.beside"
                f" exactly {self.one(('1', '2', 'level'))}))"
            ),
            lambda: f"sum({var}.worth for {var} in {self.one(('junk', f'{scope.chooser}.kept'))})",
            lambda: f"count({var} in mix where {var} is {self.one(('Card', 'Stone', 'ace'))})",
        ]
        return self.one(simple)()

    def computed(self, function: Function, scope: Scope, deep: int) -> str:
        """A function of numbers, applied in one of its two spellings."""
        first, *others = (self.number(scope, deep) for _ in function.takes)
        if self.chance(2):
            return f"({first}).{function.name}({', '.join(others)})".replace("()", "")
        return f"{function.name}({', '.join((first, *others))})"

    def _low_row(self, scope: Scope) -> str:
        return f"min({self.cell(scope)}.row, 2)"

    def flag(self, scope: Scope, deep: int = 1) -> str:
        simple: list[Callable[[], str]] = [
            lambda: f"{self.number(scope, 0)} {self.one(COMPARED)} {self.number(scope, 0)}",
            lambda: f"empty({self.cell(scope)})",
            lambda: f"{self.cell(scope)}.on",
            lambda: f"{self.cell(scope)} in marked",
            lambda: f"{self.player(scope)}.wish = {self.colour(scope)}",
            lambda: f"favourite {self.one(('=', '!='))} {self.one((*COLOURS, 'none'))}",
            lambda: f"{self.player(scope)} = {self.player(scope)}",
            lambda: f"{self.colour(scope)} in {self.player(scope)}.liked",
            lambda: f"{self.cell(scope)}.top.owner = {self.player(scope)}",
            lambda: f"{self.player(scope)} in playing",
            lambda: f"{1 + self.below(5)} in numbers",
            lambda: self._turned(self.cell(scope)),
            lambda: f"{self.cell(scope)}.go({self.way()}).top.owner = {self.player(scope)}",
            lambda: f"{self.cell(scope)}.col {self.one(COMPARED)} {self.number(scope, 0)}",
            lambda: f"{self.one(scope.names('Cell') or ['Cell(level, 1)'])} != Cell(2, 2)",
        ]
        if deep <= 0:
            return self.one(simple)()
        less = deep - 1
        var = self.name("x")
        inside = scope.having(var, "Cell")
        held = self.one(("junk", f"{scope.chooser}.kept"))
        ray = f"{self.cell(scope)}.ray({self.way()})"
        simple += [
            lambda: (
                f"({self.flag(scope, less)} {self.one(('and', 'or'))} {self.flag(scope, less)})"
            ),
            lambda: f"any({var} in {held} where {var}.colour = {self.colour(scope)})",
            lambda: f"all({var} in {held} have {var}.worth {self.one(COMPARED)} level)",
            lambda: (
                f"first({var} in {ray} where {self.flag(inside, less)}).top.owner"
                f" = {self.player(scope)}"
            ),
            lambda: f"not ({self.flag(scope, less)})",
            lambda: f"any({var} in {self.cells(scope)} where {self.flag(inside, less)})",
            lambda: f"all({var} in {self.cells(scope)} have {self.flag(inside, less)})",
            lambda: self._would(scope, less),
            lambda: self._can(scope),
            lambda: f"{self.cells(scope, less)} = {self.cells(scope, less)}",
            lambda: f"{self.number(scope)} > {self.number(scope)}",
            lambda: (
                f"count({var} in {ray} while {self.flag(inside, less)}) {self.one(COMPARED)}"
                f" {1 + self.below(3)}"
            ),
            lambda: (
                f"count({var} in {self.ring(scope)}.{self.one(('onward', 'backward'))} while"
                f" empty({var})) {self.one(COMPARED)} {1 + self.below(3)}"
            ),
            lambda: (
                f"count({var} in {self.cells(scope)} where {self.flag(inside, less)})"
                f" {self.one(COMPARED)} {1 + self.below(3)}"
            ),
            lambda: self._in_a_row(scope, var, inside, less),
            lambda: self._first(scope, var, inside, less),
            lambda: f"first({{{var} in {self.cells(scope)}}}.reversed) = {self.cell(scope)}",
            lambda: f"any({var} in {self.yard(scope)}.beside where {self._on(var, scope)})",
            lambda: f"any({var} in {self.shaped_set(scope)} where {self._on(var, scope)})",
            lambda: f"{self.shaped(scope)}.top.owner = {self.player(scope)}",
            lambda: f"{self.covered(scope)} {self.one(('=', '!='))} none",
            lambda: f"{self.meadow()} in {self.flock(scope)}",
            *[lambda: f"any({var} in {self.flock(scope)} where {self._on_an_edge(var)})"] * 3,
            lambda: f"{self.cell(scope)}.cover({self.form()}) = {self.cells(scope, 0)}",
            lambda: f"{self.cell(scope)} in {self.cell(scope)}.cover({self.form()})",
            lambda: f"any({var} in Form where {self.cell(scope)}.cover({var}.right) != none)",
            lambda: f"any({var} in {self.yard(scope)}.lane where {self.yard(scope)} in {var}.ends)",
            lambda: f"any({var} in {self.yard(scope)}.paths where {self.yard(scope)} in {var})",
            lambda: f"all({var} in {self.rings(scope)} have {self._on(var, scope)})",
            lambda: f"{self.ring(scope)}.top.place = {self.ring(scope)}",
            lambda: f"{self._pebble(scope)} != none",
            lambda: f"{self._pebble(scope)}.place = {self.player(scope)}.cairn",
            lambda: f"junk.{self.one(('lowest', 'top'))}.worth {self.one(COMPARED)} level",
            lambda: f"(junk.top != none and junk.top is {self.one(('ace', 'two', 'ten'))})",
            lambda: f"junk.top.colour {self.one(('=', '!='))} {self.colour(scope)}",
            lambda: f"mild({self.cell(scope)}, {self.number(scope, 0)})",
            lambda: f"fine({self.colour(scope)}, {self.cell(scope)})",
            lambda: f"count({var} in Cell where fine({self.colour(scope)}, {var})) > level",
            lambda: f"fire({self.cell(scope)}.col, {self._low_row(scope)}, {self.below(3)})",
            lambda: f"{self.cell(scope)}.heat {self.one(COMPARED)} {1 + self.below(2)}",
            lambda: f"{self.cell(scope)}.heat {self.one(('=', '!='))} none",
            lambda: f"any({var} in mix where {var} is Card and {var}.worth > level)",
            lambda: (
                f"{self.number(scope, 0)} in {{{self.number(inside, 0)} for {var} in"
                f" {self.cells(scope, 0)}}}"
            ),
            lambda: f"{self.colour(scope)} in {{{var}.wish for {var} in {self.players(scope)}}}",
        ]
        return self.one(simple)()

    def _pebble(self, scope: Scope) -> str:
        """One of many that are alike."""
        return f"{self.player(scope)}.cairn.{self.one(('top', 'lowest'))}"

    def _first(self, scope: Scope, var: str, inside: Scope, deep: int) -> str:
        """The first in some order, by one key or two, of which one may be none."""
        keys = (self.number(inside, deep), f"{var}.heat", f"{var}.col")
        order = f"{self.one(('highest', 'lowest'))} {self.one(keys)}"
        if self.chance(2):
            order += f" {self.one(('highest', 'lowest'))} {self.one(keys)}"
        drawn = f"{var} in {self.cells(scope)} {order}"
        return self.one((f"first({drawn})", f"first({{{drawn}}})")) + f" = {self.cell(scope)}"

    def _in_a_row(self, scope: Scope, var: str, inside: Scope, deep: int) -> str:
        """So many in a row from some cell, in one of a few directions."""
        ways = self.one(("Orthogonal", "Diagonal", "{north, south_east}", "{west}"))
        row = f"count({var} in {var}c.ray({var}d) while {self.flag(inside, deep)})"
        test = f"{self._on(f'{var}c', scope)} and {row} {self.one(COMPARED)} {1 + self.below(3)}"
        drawn = [f"{var}c in {self.one(('Cell', 'Peg'))}", f"{var}d in {ways}"]
        return f"any({', '.join(drawn[:: self.one((1, -1))])} where {test})"

    def _on(self, place: str, scope: Scope) -> str:
        """Something about a place with room for one stone."""
        return self.one(
            (f"empty({place})", f"{place}.top.owner = {self.player(scope)}", self._turned(place))
        )

    def ring(self, scope: Scope) -> str:
        return self.one([*scope.names("Ring") * 3, *(f"Ring({n})" for n in range(1, 6))])

    def rings(self, scope: Scope) -> str:
        ring = self.ring(scope)
        return self.one(("Ring", f"{ring}.onward", f"{ring}.backward", f"{ring}.round"))

    def yard(self, scope: Scope) -> str:
        return self.one([*scope.names("Yard") * 3, "gate", "lawn", "shed", "tree"])

    def shaped(self, scope: Scope) -> str:
        """A place of another shape; there may be none."""
        player, yard = self.player(scope), self.yard(scope)
        comb = f"Comb({1 + self.below(3)}, {self.one(('level', '2'))})"
        ways = ("north_east", "east", "south_west", "north")
        return self.one(
            (
                *scope.names("shaped") * 3,
                *[f"lane({yard}, {self.yard(scope)})"] * 2,
                f"first({yard}.lane)",
                comb,
                f"{comb}.go({self.one(ways)})",
                *[f"{comb}.go({self.one(ways)}.sixths({self.below(9) - 4}))"] * 2,
                f"Peg(level, {1 + self.below(3)})",
                f"Peg(2, 2).go({self.way()}).go({self.way()})",
                f"plot({player}, {1 + self.below(2)}, level)",
                f"{player}.plot(2, 1).go({self.way()})",
                f"{player}.loop_of({self.below(3)}).{self.one(('next', 'previous'))}",
                *[f"belt({yard}, {self.way()})"] * 2,
                "first(fence)",
            )
        )

    def meadow(self) -> str:
        """One of a few cells, so that they are often joined."""
        return f"sure(Meadow({1 + self.below(3)}, {1 + self.below(2)}))"

    def flock(self, scope: Scope) -> str:
        return f"flock({self.meadow()}, {self.player(scope)})"

    def _on_an_edge(self, cell: str) -> str:
        return self.one((f"{cell}.col = 1", f"{cell}.row = 1", f"{cell}.col = 3"))

    def form(self) -> str:
        turned = self.one(("", ".left", ".right", ".opposite"))
        return f"Form.{self.one(('bar', 'bar_90', 'hook', 'hook_180', 'hook_270'))}{turned}"

    def covered(self, scope: Scope) -> str:
        """The cells below a form, if they are all there."""
        bend = self.one(("bar", "bar_60", "hook", "hook_120", "bar.mirrored"))
        if self.chance(2):
            bend += f".sixths({self.one((str(self.below(9) - 4), 'level', '0 - level'))})"
        return self.one(
            (
                *[f"{self.cell(scope)}.cover({self.form()})"] * 3,
                f"Peg(2, 2).cover({self.form()})",
                f"Peg(level, 1).cover({self.form()})",
                f"{self.player(scope)}.plot(1, 1).cover(Shape.{self.one(('bar', 'hook'))})",
                f"Comb(2, 2).cover(Bend.{bend})",
            )
        )

    def shaped_set(self, scope: Scope) -> str:
        player, yard = self.player(scope), self.yard(scope)
        return self.one(
            (
                f"{yard}.lane",
                f"first({yard}.lane).beside",
                "Comb(2, 2).beside",
                f"Comb(2, 2).ray({self.one(('north_east', 'east', 'south_west'))})",
                f"Peg(2, 2).ray({self.way()})",
                f"{player}.plot",
                f"{player}.plot(1, 1).beside",
                f"loop_of({player}, 1).{self.one(('onward', 'backward', 'round'))}",
                "lane",
                "first(fence).beside",
                self._flooded(scope),
            )
        )

    def _flooded(self, scope: Scope) -> str:
        """All that can be reached on a board of another shape."""
        var = self.name("x")
        kind = self.one(("Comb", "Peg", "Ring", "Yard", "lane"))
        start = self.one(
            (f"{{first({kind})}}", f"{{{var} in {kind} where {self._on(var, scope)}}}")
        )
        return f"reach({var} from {start} via {var}.beside where {self._on(var, scope)})"

    def _turned(self, cell: str) -> str:
        if self._risky and self.chance(3):
            return f"the({cell}).turned"
        return f"(not empty({cell}) and {cell}.top.turned)"

    def _would(self, scope: Scope, deep: int) -> str:
        plain = [step for step in scope.steps if step.plain]
        if not plain:
            return self.flag(scope, deep)
        step = self.one(plain)
        return f"would({self.flag(scope, deep)} after {self._call(step, scope)})"

    def _can(self, scope: Scope) -> str:
        if not scope.actions:
            return self.flag(scope, 0)
        return f"can({self.one(scope.actions)} by {self.player(scope)})"

    def player(self, scope: Scope) -> str:
        known = [*scope.names("Player")] * 2
        first = [scope.chooser]
        return self.one([*first, *known, "Player(1)", "Player(2)", "active.next", "active"])

    def players(self, scope: Scope) -> str:
        return self.one(("Player", "playing", f"{self.player(scope)}.others", "active.round"))

    def cell(self, scope: Scope) -> str:
        known = scope.names("Cell") * 3
        return self.one([*known, "Cell(1, 1)", "Cell(2, 1)", "Cell(1, 2)", "Cell(2, 2)"])

    def way(self) -> str:
        return self.one(("north", "east", "north_west", "south", "west", "south_east"))

    def cells(self, scope: Scope, deep: int = 1) -> str:
        simple: list[Callable[[], str]] = [
            lambda: "Cell",
            lambda: "marked",
            lambda: f"{self.player(scope)}.taken",
            lambda: f"{self.cell(scope)}.beside",
            lambda: self.one(scope.names("cells") or ["marked"]),
            lambda: f"{self.cell(scope)}.ray({self.way()})",
            lambda: f"{self.cell(scope)}.around",
        ]
        if deep <= 0:
            return self.one(simple)()
        less = deep - 1
        var = self.name("x")
        inside = scope.having(var, "Cell")
        simple += [
            lambda: f"{{{var} for {var}p in Player, {var} in {var}p.taken}}",
            lambda: (
                f"{{{var} in {self.cells(scope, less)} {self.one(('highest', 'lowest'))}"
                f" {self.number(inside, less)}}}"
            ),
            lambda: f"{{{var} in {self.cells(scope, less)} where {self.flag(inside, less)}}}",
            lambda: f"({self.cells(scope, less)} {self.one('+-')} {self.cells(scope, less)})",
            lambda: f"{self.cell(scope)}.group",
            lambda: f"{{{self.cell(scope)}, {self.cell(scope)}}}",
            lambda: (
                f"reach({var} from {self.cells(scope, less)} via {var}.beside "
                f"where {self.flag(inside, less)}{self.one(('', ' exactly 2'))})"
            ),
            lambda: f"{{{var} in {self.cells(scope, 0)} while {self.flag(inside, less)}}}",
            lambda: (
                f"(case {self.colour(scope)} of (red: {self.cells(scope, less)},"
                f" green: {self.cells(scope, 0)}, else: {self.cells(scope, less)}))"
            ),
            lambda: (
                f"(if {self.flag(scope, less)} then {self.cells(scope, less)}"
                f" else {self.cells(scope, less)})"
            ),
        ]
        return self.one(simple)()

    def colour(self, scope: Scope) -> str:
        return self.one([*scope.names("Colour") * 2, *COLOURS, f"{self.player(scope)}.wish"])

    def value(self, scope: Scope, type_: str) -> str:
        match type_:
            case "Cell":
                return self.cell(scope)
            case "cells":
                return self.cells(scope)
            case "Player":
                return self.player(scope)
            case "Colour":
                return self.colour(scope)
            case _:
                return self.number(scope)

    def _call(self, step: Step, scope: Scope) -> str:
        given = ", ".join(self.value(scope, type_) for _, type_ in step.params)
        return f"{step.name}({given})" if given else step.name
