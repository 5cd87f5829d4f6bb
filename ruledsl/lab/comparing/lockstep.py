"""Two games played in lock-step: the same choices, the same chance, until something differs.

Chance is coupled by name: what both decks have comes in the same order in both, and a roll gives
the same outcome wherever both have it. So only the rules make a difference.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from hashlib import blake2b
from math import log
from typing import TypeVar

import attrs

from ruledsl.diagnostics.source import Span
from ruledsl.play.chance import weight
from ruledsl.play.decisions import Decision, Option
from ruledsl.play.events import AnyEvent
from ruledsl.play.interpreter import Interpreter
from ruledsl.play.labels import Labels
from ruledsl.play.ranking import Result
from ruledsl.play.running import Run
from ruledsl.play.words import Words
from ruledsl.table.errors import RulesError
from ruledsl.table.table import Table
from ruledsl.table.things import Thing, Value

T = TypeVar("T")

_STATES = re.compile(r"\[[^\]]*\]")

FEW_OUTCOMES = 12
"""Rolls with so many outcomes are tried out one by one."""


class Undecided(Exception):
    """A roll that the script does not tell; each of its outcomes is a way to go on."""

    def __init__(self, outcomes: tuple[str, ...]) -> None:
        super().__init__()
        self.outcomes = outcomes


@attrs.define
class CoupledChance:
    """Outcomes that depend on the deal, the number of the roll, and names alone."""

    deal: int
    script: tuple[str, ...] | None
    """outcomes of the rolls after set-up; None if the deal decides these, too"""
    setting_up: bool = True
    asked: bool = False
    """whether anything but a scripted roll was left to chance"""
    rolls: int = 0
    scripted: int = 0

    def roll(self, outcomes: tuple[Value, ...], span: Span) -> Value:  # noqa: ARG002
        possible = [outcome for outcome in outcomes if weight(outcome)]
        few = len({*map(str, possible)}) <= FEW_OUTCOMES
        if self.script is not None and few and not self.setting_up:
            return self._told(possible, self.script)
        self.asked = True
        self.rolls += 1
        number = self.rolls

        def late(outcome: Value) -> float:
            """An exponential clock for each outcome, of the rate of its weight."""
            return -log(self._uniform("roll", number, str(outcome))) / weight(outcome)

        return min(possible, key=late)

    def _told(self, possible: list[Value], script: tuple[str, ...]) -> Value:
        if self.scripted == len(script):
            raise Undecided(tuple(dict.fromkeys(map(str, possible))))
        wanted = script[self.scripted]
        self.scripted += 1
        found = [outcome for outcome in possible if str(outcome) == wanted]
        return found[0] if found else possible[0]

    def shuffled(self, pieces: tuple[Thing, ...]) -> tuple[Thing, ...]:
        self.asked = True
        self.rolls += 1
        number = self.rolls
        seen: dict[str, int] = {}
        keys: dict[Thing, float] = {}
        for piece in sorted(pieces, key=lambda each: each.order):
            name = str(piece)
            copy = seen[name] = seen.get(name, 0) + 1
            keys[piece] = self._uniform("shuffle", number, f"{name} {copy}")
        return tuple(sorted(pieces, key=lambda piece: keys[piece]))

    def one_of(self, items: tuple[T, ...]) -> T:
        self.asked = True
        self.rolls += 1
        return items[int(self._uniform("one", self.rolls, "") * len(items))]

    def _uniform(self, what: str, number: int, name: str) -> float:
        """A number between 0 and 1, never one of them."""
        text = f"{self.deal} {what} {number} {name}".encode()
        mixed = int.from_bytes(blake2b(text, digest_size=7).digest(), "big")
        return (mixed + 0.5) / 2**56


@attrs.frozen
class Unlike:
    """What is not the same in both, each said in words."""

    what: str
    one: str
    other: str


@attrs.frozen
class Aspect:
    """Something on the table: its name for players, and its value for both."""

    name: str
    value: str
    shown: str


@attrs.define(eq=False)
class Side:
    """One of the games, at its next decision or over."""

    table: Table
    interpreter: Interpreter
    chance: CoupledChance
    words: Words
    run: Run
    decision: Decision | None = None
    failure: str | None = None
    events_before: int = 0
    """events of set-up"""

    def go_on(self, option: Option | None) -> None:
        try:
            self.decision = next(self.run) if option is None else self.run.send(option)
        except StopIteration:
            self.decision = None
        except RulesError as error:
            self.decision = None
            self.failure = f"the rules go wrong: {error.message} (line {error.span.line})"

    def codes(self) -> dict[str, Option]:
        if self.decision is None:
            return {}
        labels = Labels(self.words, self.interpreter, self.decision)
        whole = {labels.code(option): option for option in self.decision.options}
        # A state that only one of the games has makes no other option of a piece.
        plain = {_STATES.sub("", code): option for code, option in whole.items()}
        return plain if len(plain) == len(whole) else whole

    def label(self, option: Option) -> str:
        assert self.decision is not None
        return Labels(self.words, self.interpreter, self.decision).label(option)

    @property
    def events(self) -> Sequence[AnyEvent]:
        return self.interpreter.hands.events[self.events_before :]

    @property
    def result(self) -> Result | None:
        return self.interpreter.result

    def aspects(self) -> dict[str, Aspect]:
        """Where everything lies and what is kept track of, by what the rules call it."""
        pos, value = self.interpreter.pos, self.words.value
        found = {
            f"in {place}": Aspect(
                f"what lies in {value(place)}", str(pieces), _pieces(pieces, self.words)
            )
            for place, pieces in pos.contents.items()
        }
        for (key, owner), held in pos.slots.items():
            name = self.words.name(self.table.game.states[key].name)
            of = "" if owner is None else f" of {value(owner)}"
            who = "" if owner is None else f"{owner} {owner.index}"
            found[f"{key} {who}"] = Aspect(f"{name}{of}", str(held), value(held))
        found["active"] = Aspect("who is active", str(pos.active), value(pos.active))
        found["playing"] = Aspect("who plays", str(pos.playing), value(pos.playing))
        return found


def _pieces(pieces: tuple[Thing, ...], words: Words) -> str:
    names = [words.value(piece) for piece in pieces]
    if len(names) > 8:
        counted = {name: names.count(name) for name in names}
        names = [f"{number} × {name}" for name, number in counted.items()]
        if len(names) > 8:
            names = [*names[:7], f"and {len(names) - 7} other kinds"]
    return ", ".join(names) or "nothing"


def seated(table: Table, deal: int, script: tuple[str, ...] | None) -> Side:
    """A game from its set-up to the first decision."""
    chance = CoupledChance(deal, script)
    interpreter = Interpreter(table, chance)

    def run() -> Run:
        yield from interpreter.set_up()
        chance.setting_up = False
        side.events_before = len(interpreter.hands.events)
        if interpreter.result is None:
            yield from interpreter.finish_with(interpreter.run_step("play", ()))

    side = Side(table, interpreter, chance, Words(table.game), run())
    side.go_on(None)
    return side


def options_differ(one: Side, other: Side) -> Unlike | None:
    """What somebody at the table would notice without looking at the table."""
    if one.failure != other.failure:
        return Unlike(
            "How it goes on", one.failure or _stands(one), other.failure or _stands(other)
        )
    if one.decision is None or other.decision is None:
        if one.decision is not None or other.decision is not None:
            return Unlike("How it goes on", _stands(one), _stands(other))
        ends = [_result(side) for side in (one, other)]
        return None if ends[0] == ends[1] else Unlike("How it ends", *ends)
    if str(one.decision.seat) != str(other.decision.seat):
        seats = [side.words.value(side.decision.seat) for side in (one, other) if side.decision]
        return Unlike("Who chooses", *seats)
    mine, theirs = one.codes(), other.codes()
    if mine.keys() == theirs.keys():
        return None
    who = one.words.value(one.decision.seat)
    return Unlike(
        f"What {who} may choose in this game only",
        _only(one, mine, theirs),
        _only(other, theirs, mine),
    )


def _only(side: Side, mine: dict[str, Option], theirs: dict[str, Option]) -> str:
    """The options that the other game does not have."""
    labels = [side.label(option) for code, option in mine.items() if code not in theirs]
    only = [f"“{label}”" for label in dict.fromkeys(labels)]
    more = f", and {len(only) - 3} more" if len(only) > 3 else ""
    return ", ".join(only[:3]) + more if only else "nothing more"


def _stands(side: Side) -> str:
    if side.decision is None:
        return f"the game is over: {_result(side)}"
    return f"{side.words.value(side.decision.seat)} has to choose"


def _result(side: Side) -> str:
    result = side.result
    if result is None:
        return side.failure or "it stops"
    how = {"limit": "a draw at the limit of decisions", "draw": "a draw"}.get(result.how, "")
    if result.all_lost:
        return "all have lost"
    if not result.winners:
        return how or "a draw"
    ranks = sorted((rank, side.words.value(player)) for player, rank in result.ranks.items())
    won = side.words.value(result.won)
    return f"{won} won (ranks: {', '.join(f'{name} {rank}' for rank, name in ranks)})"


def table_differs(one: Side, other: Side, ignored: frozenset[str]) -> Unlike | None:
    """The first thing on the table that is not the same in both."""
    for key, difference in _unlike(one, other).items():
        if key not in ignored:
            name = difference.what
            return attrs.evolve(difference, what=name[0].upper() + name[1:])
    return None


def set_up_differences(one: Side, other: Side) -> dict[str, Unlike]:
    """What is not the same from the beginning, by what the rules call it."""
    return _unlike(one, other)


def _unlike(one: Side, other: Side) -> dict[str, Unlike]:
    mine, theirs = one.aspects(), other.aspects()
    found: dict[str, Unlike] = {}
    for key in dict.fromkeys([*mine, *theirs]):
        here, there = mine.get(key), theirs.get(key)
        if here is None or there is None:
            named = here or there
            assert named is not None
            shown = ["not there" if each is None else each.shown for each in (here, there)]
            found[key] = Unlike(named.name, *shown)
        elif here.value != there.value:
            found[key] = Unlike(here.name, here.shown, there.shown)
    return found


def setting(one: Side, other: Side) -> tuple[object, ...]:
    """What tells positions of a search apart: where both games are, and in which rules."""
    return _setting(one), _setting(other)


def _setting(side: Side) -> tuple[object, ...]:
    pos, decision = side.interpreter.pos, side.decision
    lies = tuple(tuple(piece.order for piece in pieces) for pieces in pos.contents.values())
    kept = tuple(map(str, pos.slots.values()))
    who = (str(pos.active), str(pos.playing), str(pos.out), tuple(sorted(pos.histories.items())))
    frames = tuple(str(frame) for frame, _ in side.interpreter.frames)
    asked = None if decision is None else (decision.span, str(decision.picked))
    return lies, kept, who, frames, asked, side.chance.rolls, side.chance.scripted
