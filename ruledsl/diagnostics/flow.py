"""Mistakes in what happens: circles, loops, ends, triggers, requirements and choices."""

from __future__ import annotations

from collections.abc import Iterable

from ruledsl.diagnostics.diagnostic import Diagnostic, Note, declare
from ruledsl.diagnostics.source import Span

RECURSION = declare("recursion", "error", "something that is defined by itself")
ENDLESS_LOOP = declare("endless-loop", "error", "a loop without a bound")
NEVER_ENDS = declare("never-ends", "warning", "a game that nothing ends")
NEVER_REACHED = declare("never-reached", "warning", "a step, action or trigger that never runs")
UNREACHABLE = declare("unreachable", "warning", "statements behind the end of their block")
NEVER_HOLDS = declare("never-holds", "error", "a requirement or condition that can never hold")
ALWAYS_HOLDS = declare("always-holds", "warning", "a requirement or condition that always holds")
MISSING_GIVE = declare("missing-give", "error", "a step that may end without giving anything")
EMPTY_CHOICE = declare("empty-choice", "error", "a choice from nothing")
BLIND_CHOICE = declare("blind-choice", "warning", "a choice among pieces that nobody sees")
CHOICE_TOO_LARGE = declare("choice-too-large", "error", "more is chosen than there can be")
NOT_RUNNING = declare("not-running", "error", "the end of something that may not be running")
ENDLESS_TRIGGER = declare(
    "endless-trigger", "error", "a trigger that leaves its own condition true"
)
LATE_ENDING = declare(
    "late-ending", "warning", "an end of the game judged after one elimination too many"
)
WOULD_DECIDES = declare("would-decides", "error", "looking ahead through a decision, chance or end")
LEAK = declare("leak", "error", "a choice that depends on what its player can't see")
ASKED_OPENLY = declare(
    "asked-openly", "warning", "who is asked, or whether somebody is, tells a secret"
)
TOLD_BEFORE = declare("told-before", "error", "a value chosen for all to hear is kept as a secret")
TOGETHER_READS = declare(
    "together-reads", "error", "simultaneous play that depends on what the others do"
)
TOGETHER_CHOOSER = declare(
    "together-chooser", "error", "a simultaneous decision that asks the wrong player"
)
OUT_OF_RANGE = declare("out-of-range", "error", "a value outside the range it is for")
EMPTY_RANGE = declare("empty-range", "error", "a range that ends before it begins")
OVERFULL_PLACE = declare("overfull-place", "error", "more pieces in a place than it has room for")
NOBODY_ACTIVE = declare("nobody-active", "error", "a player whose turn it is before there is one")


def _listed(path: Iterable[str]) -> str:
    return " → ".join(f"`{name}`" for name in path)


def recursion(span: Span, path: Iterable[str]) -> Diagnostic:
    names = list(path)
    start = names.index(names[-1])
    return Diagnostic(
        RECURSION,
        span,
        f"this leads back to itself: {_listed(names[start:])}",
        "part of the circle",
        "use `reach`, `repeat` or a query instead",
    )


def circular_size(span: Span, path: Iterable[str]) -> Diagnostic:
    return Diagnostic(
        RECURSION,
        span,
        f"how many there are depends on itself: {_listed(path)}",
        "part of the circle",
        "give one of them a size that needs none of the others",
    )


def endless_loop(span: Span, has_condition: bool) -> Diagnostic:
    why = (
        "nothing in this loop changes what its `while` asks, and it may pass without a decision"
        if has_condition
        else "this loop may pass again and again without a decision or a roll"
    )
    return Diagnostic(
        ENDLESS_LOOP,
        span,
        why,
        "when does it end?",
        "give it a bound: `repeat … times`, or a `while` that its body can make false",
    )


def never_ends(span: Span) -> Diagnostic:
    return Diagnostic(
        NEVER_ENDS,
        span,
        "nothing ends this game",
        "`play` never comes to its end",
        "add `end game` or `win` where the rules say so, or a `limit`",
    )


def never_reached(span: Span, what: str, why: str, hint: str) -> Diagnostic:
    return Diagnostic(NEVER_REACHED, span, f"{what} {why}", "declared here", hint)


def unreachable(span: Span, after: Span) -> Diagnostic:
    return Diagnostic(
        UNREACHABLE,
        span,
        "this is never carried out",
        "never reached",
        "remove it, or put it before what leaves the block",
        (Note(after, "nothing goes on after this"),),
    )


def never_holds(span: Span, what: str) -> Diagnostic:
    return Diagnostic(
        NEVER_HOLDS, span, f"{what} can never hold", "always no", "remove it, or ask something else"
    )


def always_holds(span: Span, what: str) -> Diagnostic:
    return Diagnostic(
        ALWAYS_HOLDS, span, f"{what} always holds", "always yes", "remove it, or ask something else"
    )


def gives_nothing(span: Span, step: str) -> Diagnostic:
    return Diagnostic(
        MISSING_GIVE,
        span,
        f"`{step}` may end without giving anything",
        "this step `gives` something",
        "end every way through it with `give …`",
    )


def empty_choice(span: Span, what: str) -> Diagnostic:
    return Diagnostic(
        EMPTY_CHOICE,
        span,
        f"{what} has nothing to choose from",
        "always empty",
        "choose from something else, or add an `else`",
    )


def blind_choice(span: Span, place: str) -> Diagnostic:
    return Diagnostic(
        BLIND_CHOICE,
        span,
        f"nobody sees what is chosen from `{place}`",
        "hidden from everybody",
        "`show` the pieces to whoever chooses, or let chance decide with `roll`",
    )


def choice_too_large(span: Span, wanted: int, most: int) -> Diagnostic:
    return Diagnostic(
        CHOICE_TOO_LARGE,
        span,
        f"{wanted} are chosen where there are never more than {most}",
        "too many",
        "choose fewer, or say `up to`",
    )


def not_running(span: Span, name: str, path: Iterable[str]) -> Diagnostic:
    return Diagnostic(
        NOT_RUNNING,
        span,
        f"`{name}` may not be running here: {_listed(path)}",
        "ends something around it",
        f"make sure that every way here leads through `{name}`",
    )


def endless_trigger(span: Span, name: str) -> Diagnostic:
    return Diagnostic(
        ENDLESS_TRIGGER,
        span,
        f"the trigger `{name}` leaves its own condition true: it would run for ever",
        "nothing in the body changes this",
        "change what `when` asks about, or drop `when` to run once at each checkpoint",
    )


def late_ending(span: Span, name: str, other: str, cause: Span) -> Diagnostic:
    return Diagnostic(
        LATE_ENDING,
        span,
        f"`{name}` ends the game, but stands below `{other}`, which eliminates players",
        "judged only when nobody else is to be eliminated",
        f"move `{name}` above `{other}`",
        (Note(cause, "eliminates players first"),),
    )


def would_decides(span: Span, step: str, what: str, where: Span) -> Diagnostic:
    return Diagnostic(
        WOULD_DECIDES,
        span,
        f"`would` can't look through `{step}`: it contains {what}",
        "looks ahead",
        "look ahead through a step that only moves and sets",
        (Note(where, f"{what} stands here"),),
    )


def leak(span: Span, what: str, where: Span | None) -> Diagnostic:
    notes = () if where is None else (Note(where, "read here"),)
    return Diagnostic(
        LEAK,
        span,
        f"what may be chosen depends on {what}, which the chooser can't see",
        "tells a secret",
        "ask only about what the chooser sees, make it visible first, or mark it: `reveals`",
        notes,
    )


def leak_to_all(span: Span, what: str, where: Span | None) -> Diagnostic:
    notes = () if where is None else (Note(where, "read here"),)
    return Diagnostic(
        LEAK,
        span,
        f"everybody reads this, and it depends on {what}, which not everybody can see",
        "tells a secret",
        "tell only what everybody sees, make it visible first, or mark it: `reveals`",
        notes,
    )


def asked_openly(span: Span, what: str, where: Span | None) -> Diagnostic:
    notes = () if where is None else (Note(where, "read here"),)
    return Diagnostic(
        ASKED_OPENLY,
        span,
        f"who is asked depends on {what}, which not everybody can see",
        "asking tells a secret",
        "ask everybody, make it visible first, or say that it is meant: `reveals`",
        notes,
    )


def told_before(span: Span, state: str, chosen: Span) -> Diagnostic:
    return Diagnostic(
        TOLD_BEFORE,
        span,
        f"everybody was told what is kept in `{state}`, which not everybody can see",
        "kept as a secret",
        f"choose `{state}` itself: `choose p.{state} in …`",
        (Note(chosen, "chosen for all to hear"),),
    )


def together_reads(span: Span, what: str, player: str, written: Span) -> Diagnostic:
    return Diagnostic(
        TOGETHER_READS,
        span,
        f"{what} is read while others act at the same time and change it",
        "depends on what the others do",
        f"use only what belongs to `{player}`, or do it after the block",
        (Note(written, "changed here"),),
    )


def together_chooser(span: Span, player: str) -> Diagnostic:
    return Diagnostic(
        TOGETHER_CHOOSER,
        span,
        f"this does not ask `{player}`, whose part it is",
        "a decision of somebody else",
        f"say `by {player}`; a step that asks takes the player as a parameter",
    )


def out_of_range(span: Span, what: str, value: str, limits: str) -> Diagnostic:
    return Diagnostic(
        OUT_OF_RANGE,
        span,
        f"{what} must be {limits}",
        f"this is {value}",
        "use another value, or widen the range",
    )


def empty_range(span: Span) -> Diagnostic:
    return Diagnostic(
        EMPTY_RANGE,
        span,
        "this range ends before it begins",
        "no number lies in it",
        "write the smaller number first",
    )


def overfull_place(span: Span, place: str, pieces: int, room: int, declared: Span) -> Diagnostic:
    return Diagnostic(
        OVERFULL_PLACE,
        span,
        f"{pieces} pieces start in {place}, which has room for {room}",
        "start there",
        "start them somewhere else, or make more room",
        (Note(declared, "declared here"),),
    )


def overfull_move(span: Span, place: str, pieces: int, room: int, declared: Span) -> Diagnostic:
    return Diagnostic(
        OVERFULL_PLACE,
        span,
        f"{pieces} pieces are to be moved to {place}, which has room for {room}",
        "more than fit there",
        "move fewer, or make more room",
        (Note(declared, "declared here"),),
    )


def nobody_active(span: Span, path: Iterable[str]) -> Diagnostic:
    return Diagnostic(
        NOBODY_ACTIVE,
        span,
        f"nobody's turn has begun here: {_listed(path)}",
        "needs the active player",
        "say first who begins: `set active = …` or `roll active in Player` in `setup`",
    )
