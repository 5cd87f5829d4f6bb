"""Mistakes with names: unknown, duplicate, hidden, ambiguous, unused."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ruledsl.diagnostics.diagnostic import Diagnostic, Note, declare
from ruledsl.diagnostics.source import Span
from ruledsl.diagnostics.suggest import did_you_mean

UNKNOWN_NAME = declare("unknown-name", "error", "a name that nothing has")
UNKNOWN_PLACE = declare("unknown-place", "error", "no place has this name")
UNKNOWN_KIND = declare("unknown-kind", "error", "no type, piece or place has this name")
UNKNOWN_ATTRIBUTE = declare("unknown-attribute", "error", "an attribute that the thing lacks")
UNKNOWN_STEP = declare("unknown-step", "error", "no step has this name")
UNKNOWN_ACTION = declare("unknown-action", "error", "no action has this name")
UNKNOWN_PARAMETER = declare("unknown-parameter", "error", "no parameter has this name")
NAMED_ARGUMENT = declare(
    "named-argument", "error", "an argument by name where only the order counts"
)
UNKNOWN_OPTION = declare("unknown-option", "error", "no option has this name")
UNKNOWN_LABEL = declare("unknown-label", "error", "a translation of something that isn't there")
DUPLICATE_NAME = declare("duplicate-name", "error", "two things that can't be told apart by name")
DUPLICATE_ROW = declare("duplicate-row", "error", "two rows of one table with the same name")
DUPLICATE_PARAMETER = declare("duplicate-parameter", "error", "a parameter given twice")
DUPLICATE_LABEL = declare("duplicate-label", "error", "two translations of the same text")
BUILT_IN_NAME = declare("built-in-name", "error", "a declaration takes a word of the language")
SHADOWED_NAME = declare("shadowed-name", "error", "a local name that is visible already")
HIDDEN_NAME = declare("hidden-name", "warning", "a local name that hides a declared one")
AMBIGUOUS_NAME = declare("ambiguous-name", "error", "a value that several types have")
UNUSED_NAME = declare("unused-name", "warning", "a name that nothing uses")


def _listed(words: Sequence[str]) -> str:
    """`grids, rings and lines`."""
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last


def unknown_name(span: Span, name: str, known: Iterable[str]) -> Diagnostic:
    known = tuple(known)
    return Diagnostic(
        UNKNOWN_NAME,
        span,
        f"nothing is called `{name}`",
        "used here",
        _OTHER_WORDS.get(name) or did_you_mean(name, known),
        known=known,
    )


_OTHER_WORDS = {
    "true": "write `yes`",
    "false": "write `no`",
    "flag": "`flag` is a type; the set of its values is `{yes, no}`",
    "number": "`number` is a type; a set of numbers is a range such as `1..9`",
}
"""What is meant by words of other languages, and by a type where a set of values has to stand."""


def unknown_place(span: Span, name: str, known: Iterable[str]) -> Diagnostic:
    known = tuple(known)
    return Diagnostic(
        UNKNOWN_PLACE,
        span,
        f"no place is called `{name}`",
        "used here",
        did_you_mean(name, known),
        known=known,
    )


_DECLARED_BY = {
    "piece": "declare it with `piece`",
    "type": "declare it with `type`",
    "kind of things": "declare it with `type`, `piece` or `place`",
}


def unknown_kind(span: Span, name: str, wanted: str, known: Iterable[str]) -> Diagnostic:
    known = tuple(known)
    return Diagnostic(
        UNKNOWN_KIND,
        span,
        f"no {wanted} is called `{name}`",
        f"a {wanted} is wanted here",
        did_you_mean(name, known) or _DECLARED_BY.get(wanted),
        known=known,
    )


_WRITTEN_BEFORE = ("count", "first", "the", "empty")
"""Functions that are taken for attributes."""


def unknown_attribute(
    span: Span, name: str, subject: str, known: Iterable[str], having: Sequence[str] = ()
) -> Diagnostic:
    """`having` is what has an attribute of this name that the language supplies."""
    known = tuple(known)
    hint = did_you_mean(name, known)
    if name in _WRITTEN_BEFORE:
        hint = f"write it before: `{name}(…)`"
    elif name == "size":
        hint = f"only {_listed(having)} have it; or write `count(…)`"
    elif having:
        hint = f"only {_listed(having)} have it"
    return Diagnostic(
        UNKNOWN_ATTRIBUTE,
        span,
        f"{subject} has no `{name}`",
        "asked for here",
        hint,
        known=known,
    )


def unknown_step(span: Span, name: str, known: Iterable[str], is_action: bool) -> Diagnostic:
    known = tuple(known)
    hint = (
        f"`{name}` is an action: offer it in a `choose`" if is_action else did_you_mean(name, known)
    )
    return Diagnostic(
        UNKNOWN_STEP, span, f"no step is called `{name}`", "called here", hint, known=known
    )


def missing_step(span: Span, name: str) -> Diagnostic:
    return Diagnostic(
        UNKNOWN_STEP,
        span,
        f"the game has no step `{name}`",
        "every game needs one",
        f"add `step {name}`: it runs the whole game",
    )


def unknown_action(span: Span, name: str, known: Iterable[str], is_step: bool) -> Diagnostic:
    known = tuple(known)
    hint = (
        f"`{name}` is a step: call it in a block, or make it an action"
        if is_step
        else did_you_mean(name, known)
    )
    return Diagnostic(
        UNKNOWN_ACTION, span, f"no action is called `{name}`", "named here", hint, known=known
    )


def _listed_parameters(names: Sequence[str]) -> str:
    if not names:
        return "it takes none: leave out the brackets"
    return "it takes " + ", ".join(f"`{name}`" for name in names)


def unknown_parameter(span: Span, name: str, what: str, known: Sequence[str]) -> Diagnostic:
    return Diagnostic(
        UNKNOWN_PARAMETER,
        span,
        f"{what} has no parameter `{name}`",
        "named here",
        did_you_mean(name, known) or _listed_parameters(known),
        known=tuple(known),
    )


def named_argument(span: Span, what: str) -> Diagnostic:
    return Diagnostic(
        NAMED_ARGUMENT,
        span,
        f"`{what}` takes its arguments in order, without names",
        "the name of an argument",
        "leave the name and the colon out",
    )


def unknown_option(span: Span, name: str, known: Iterable[str]) -> Diagnostic:
    known = tuple(known)
    return Diagnostic(
        UNKNOWN_OPTION,
        span,
        f"no option is called `{name}`",
        "named here",
        did_you_mean(name, known),
        known=known,
    )


def unknown_label(
    span: Span, text: str, known: Iterable[str], of_range: bool = False
) -> Diagnostic:
    """A range has no label, but what its numbers are given to may have one."""
    known = tuple(known)
    hint: str | None
    if of_range:
        what = f"“{text}” is a range of numbers, which has no label"
        one = text[0].lower() + text[1:]
        hint = f"give one to what is one of them, such as a parameter: `{one}`"
    else:
        what, hint = f"nothing in the rules is called or says “{text}”", did_you_mean(text, known)
    return Diagnostic(
        UNKNOWN_LABEL,
        span,
        what,
        "translated here",
        hint,
        known=known,
    )


def duplicate_name(span: Span, name: str, first_kind: str | None, first: Span) -> Diagnostic:
    of = "" if first_kind is None else f" of `{first_kind}`"
    return Diagnostic(
        DUPLICATE_NAME,
        span,
        f"`{name}`{of} has two meanings",
        "declared again here",
        "give one of them another name",
        (Note(first, "first declared here"),),
    )


def duplicate_row(span: Span, name: str, kind: str) -> Diagnostic:
    return Diagnostic(
        DUPLICATE_ROW,
        span,
        f"`{kind}` has two rows called `{name}`",
        "the second one",
        "give it another name, or remove it",
    )


def duplicate_parameter(span: Span, name: str) -> Diagnostic:
    return Diagnostic(
        DUPLICATE_PARAMETER, span, f"`{name}` is given twice", "again here", "remove one of them"
    )


def duplicate_label(span: Span, text: str, first: Span) -> Diagnostic:
    return Diagnostic(
        DUPLICATE_LABEL,
        span,
        f"“{text}” is translated twice",
        "again here",
        "remove one of them",
        (Note(first, "first translated here"),),
    )


def built_in_name(span: Span, name: str) -> Diagnostic:
    return Diagnostic(
        BUILT_IN_NAME,
        span,
        f"`{name}` is a word of the language",
        "declared here",
        "choose another name",
    )


def shadowed_name(span: Span, name: str, first: Span) -> Diagnostic:
    return Diagnostic(
        SHADOWED_NAME,
        span,
        f"`{name}` is visible here already",
        "bound again here",
        "choose another name",
        (Note(first, "first bound here"),),
    )


def hidden_name(span: Span, name: str, what: str) -> Diagnostic:
    return Diagnostic(
        HIDDEN_NAME,
        span,
        f"the local `{name}` hides {what} that is called so",
        "bound here",
        "choose another name",
    )


def ambiguous_name(span: Span, name: str, kinds: Iterable[str]) -> Diagnostic:
    kinds = sorted(kinds)
    return Diagnostic(
        AMBIGUOUS_NAME,
        span,
        f"`{name}` is a value of several types: " + ", ".join(f"`{kind}`" for kind in kinds),
        "which one?",
        "write " + " or ".join(f"`{kind}.{name}`" for kind in kinds),
        known=tuple(f"{kind}.{name}" for kind in kinds),
    )


def unused_name(span: Span, what: str) -> Diagnostic:
    return Diagnostic(
        UNUSED_NAME, span, f"{what} is never used", "declared here", "remove it, or use it"
    )
