"""What can go wrong while a table is laid and rules are carried out: a guard and its message.

Both executors say it in these words. Compiled code has no values at hand to tell, so where a
message has some, they may be left out.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import attrs

from ruledsl.table.limits import MOST_OPTIONS, MOST_SLOTS, MOST_THINGS

Guard: TypeAlias = Literal[
    "active",
    "body",
    "circle",
    "count",
    "deal",
    "depth",
    "division",
    "endless",
    "large",
    "map",
    "mixed",
    "none",
    "option",
    "put",
    "range",
    "require",
    "room",
    "size",
    "slow",
    "stuck",
    "suspect",
    "the",
    "trap",
]
"""What was looked after when it went wrong."""


@attrs.frozen
class Mishap:
    """What went wrong."""

    guard: Guard
    message: str


# ------------------------------------------------------------ values

NO_NUMBER = Mishap("none", "a number is wanted, but there is none")
NO_THING = Mishap("none", "there is none")
TOO_LARGE = Mishap("large", "a number of more than nine digits")
DIVISION = Mishap("division", "a division by zero")
NOT_THERE = Mishap("the", "there is none, although the rules say `sure`")


def not_the_only(number: int | None) -> Mishap:
    """`the` of none, or of more than one."""
    there = "several" if number is None else "none" if number == 0 else str(number)
    return Mishap("the", f"the rules say `the`, but there are {there}")


def nothing_said(name: str, about: object = "this") -> Mishap:
    """A definition or step by rows that has none for what it is given."""
    return Mishap("body", f"{name} says nothing about {about}")


def read_too_early(word: str) -> Mishap:
    return Mishap("active", f"`{word}` is read before `active` is set")


# ------------------------------------------------------------ what takes too long

TOO_LONG = Mishap("endless", "this takes too long to work out")
TOO_SLOW = Mishap("slow", TOO_LONG.message)
"""in compiled code, which goes through other passes than the interpreter"""
GAME_TOO_LONG = Mishap("slow", "this game as a whole takes too long to work out")
"""only in the interpreter: compiled rules are quicker"""
NO_END = Mishap("endless", "this game goes on and on, and has no `limit`")
TOO_MANY_OPTIONS = Mishap("endless", f"there are more than {MOST_OPTIONS:,} options")
SAME_AGAIN = Mishap("endless", "the loop goes on although nothing changes")
TOO_MANY_POSITIONS = Mishap("endless", "more positions than can be kept")


def firing_without_end(trigger: str) -> Mishap:
    return Mishap("endless", f"triggers fire without end: {trigger}")


def still_holding(trigger: str, values: str | None = None) -> Mishap:
    given = "" if values is None else f"({values})"
    return Mishap("endless", f"the trigger {trigger}{given} leaves its own condition true")


# ------------------------------------------------------------ changes

NOTHING_TO_MOVE = Mishap("none", "there is nothing to move")
NO_ROOM = Mishap("room", "there is no room for so many pieces")


def no_room(place: object, room: int, number: int) -> Mishap:
    return Mishap("room", f"`{place}` has room for {room}, but {number} pieces would lie there")


def mixed(amount: int | None = None) -> Mishap:
    """Some of several pieces that are not alike."""
    if amount is None:
        return Mishap("mixed", "these pieces differ in face, index or state: which?")
    return Mishap(
        "mixed", f"{amount} of these pieces, but they differ in face, index or state: which?"
    )


def too_few(amount: int, there: int) -> Mishap:
    wanted = "1 piece is" if amount == 1 else f"{amount} pieces are"
    left = ("none", "only 1")[there] if there < 2 else f"only {there}"
    verb = "is" if there < 2 else "are"
    return Mishap("deal", f"{wanted} to be moved, but there {verb} {left}")


def no_copy(of: object) -> Mishap:
    return Mishap("put", f"there are not so many copies of {of}")


def set_to_none(state: str) -> Mishap:
    return Mishap("none", f"`{state}` would be set to none")


def outside(what: str, low: int | None, high: int | None, value: object = None) -> Mishap:
    """A number that a state, a parameter or a payoff can't hold."""
    would = "lie" if value is None else f"be {value},"
    return Mishap("range", f"{what} would {would} outside {low}..{high}")


# ------------------------------------------------------------ decisions

NOTHING_TO_ROLL = Mishap("stuck", "there is nothing to roll")
NOTHING_LEGAL = Mishap("stuck", "a choice must be made, but nothing is legal")
NOBODY_ACTIVE = Mishap("active", "nobody is active, so nobody can choose")


def not_met(message: str) -> Mishap:
    """A requirement in the middle of the rules."""
    return Mishap("require", message)


# ------------------------------------------------------------ only in compiled code

SET_TOO_LARGE = Mishap("size", "a set is larger than expected")
TOO_MUCH_TO_CHOOSE = Mishap("size", "there is too much to choose from")
NOT_AT_HAND = Mishap("trap", "the rules asked for what is not there")
SUSPICION = Mishap("suspect", "something looked wrong")


def too_deep(deepest: int) -> Mishap:
    return Mishap("depth", f"more than {deepest} decisions have to be counted through")


# ------------------------------------------------------------ laying the table

TOO_MANY_SLOTS = Mishap("size", f"there would be more than {MOST_SLOTS:,} slots")


def too_many_things(count: int, kind: str) -> Mishap:
    return Mishap(
        "size", f"there would be more than {MOST_THINGS:,} things, {count:,} of them `{kind}`"
    )


def no_such_value(option: str, allowed: str, value: object) -> Mishap:
    return Mishap("option", f"the option `{option}` is one of {allowed}, not {value}")


def no_such_option(name: str) -> Mishap:
    return Mishap("option", f"there is no option `{name}`")


def option_of_itself(option: str) -> Mishap:
    return Mishap("circle", f"the option `{option}` depends on itself, or on one below it")


def size_of_itself(kind: str, path: str) -> Mishap:
    return Mishap("circle", f"the size of `{kind}` depends on itself: {path}")


def wrong_copies(count: int, of: str) -> Mishap:
    return Mishap("count", f"there would be {count} copies of `{of}`")


def wrong_row(kind: str, first: int, last: int) -> Mishap:
    if first == 1:
        return Mishap("count", f"`{kind}` would have the size {last}")
    return Mishap("count", f"`{kind}` would count from {first} to {last}")


def wrong_grid(kind: str, width: int, height: int) -> Mishap:
    return Mishap("count", f"`{kind}` would be {width} by {height}")


def map_does_not_fit(column: str, cells: int, kind: str, places: int) -> Mishap:
    return Mishap("map", f"the map `{column}` has {cells} cells, `{kind}` {places}")


def picture_too_large(kind: str) -> Mishap:
    return Mishap("map", f"the picture of `{kind}` is larger than its grid")


def empty_range(low: int, high: int) -> Mishap:
    return Mishap("range", f"the range {low}..{high} is empty")


def starts_nowhere(kind: str) -> Mishap:
    return Mishap("none", f"`{kind}` starts nowhere")


def starts_overfull(number: int, place: object, room: int) -> Mishap:
    return Mishap("room", f"{number} pieces start in `{place}`, which has room for {room}")


def starts_outside(state: str, value: int, low: int, high: int) -> Mishap:
    return Mishap("range", f"`{state}` starts with {value}, outside {low}..{high}")
