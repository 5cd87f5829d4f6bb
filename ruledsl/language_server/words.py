"""What the language's own words mean, in a sentence each."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from ruledsl.model import builtins


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}."


def _attributes() -> Iterator[tuple[str, str]]:
    """What is said of an attribute; where several things have one of this name, each in turn,
    players first: the table of built-ins ends with them."""
    said: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for each in reversed(builtins.ATTRIBUTES):
        said[each.name][each.about].append(each.of)
    for name, meanings in said.items():
        owners = {about: ", ".join(of) for about, of in meanings.items()}
        sentences = (_sentence(f"of {of}: {about}") for about, of in owners.items())
        alone = [*owners] if len(owners) == 1 else []
        yield name, _sentence(alone[0]) if alone else " ".join(sentences)


ATTRIBUTES = {
    **dict(_attributes()),
    "owner": "The player it belongs to.",
    "reversed": "The same in the opposite order.",
    "times": "How often the last record of a history has occurred.",
}

SPECIALS = {
    "you": "The player who chooses here.",
    "active": "The player whose turn it is.",
    "playing": "The players who have not been eliminated.",
    "players": "How many sit at the table.",
    "viewer": "The player who looks.",
    "it": "The piece that is looked at.",
    "here": "The place that is looked into, or the thing whose state is asked for.",
    "finished": "Whether the game is over.",
    "winners": "Who has won.",
    "Orthogonal": "The four directions along rows and columns.",
    "Diagonal": "The four directions between them.",
    "Hexagonal": "The six directions from one hexagon to the next.",
    "Player": "Everybody at the table.",
    "Dir": "The eight directions.",
}

FUNCTIONS = {
    **{each.name: (each.form, _sentence(each.about)) for each in builtins.FUNCTIONS.values()},
    "count": ("count(x in S where c)", "How many there are."),
    "any": ("any(x in S where c)", "Whether there is one."),
    "all": ("all(x in S where c have d)", "Whether all have what is said."),
    "first": ("first(x in S where c highest e)", "The first there is, or none."),
    "sure": ("sure(e)", "What the rules guarantee to be there."),
    "the": ("the(x in S where c)", "The only one."),
    "sum": ("sum(e for x in S where c)", "All values added up."),
    "max": ("max(a, b)", "The largest value; also `max(e for x in S)`."),
    "min": ("min(a, b)", "The smallest value; also `min(e for x in S)`."),
    "trail": (
        "trail(e for r in S where c through T)",
        "The greatest sum along edges that meet, each taken once at most.",
    ),
    "reach": ("reach(x from S via T where c exactly n)", "All that can be got to step by step."),
    "would": ("would(e after step(arguments))", "What a value would be after a step."),
    "can": ("can(action(arguments) by p)", "Whether an action would be allowed."),
    "case": ("case x of (a: v, b: w, else: u)", "The value beside the first key that fits."),
}

STATEMENTS = {
    "let": "gives a value a name",
    "set": "gives a state a new value",
    "add": "raises a number",
    "take": "lowers a number",
    "move": "moves pieces to a place",
    "put": "puts pieces somewhere before a test",
    "shuffle": "mixes a stack",
    "roll": "draws a value by chance",
    "show": "lets players see something once",
    "tell": "says in a sentence of its own what happened",
    "record": "notes the position in a history",
    "eliminate": "takes a player out of the game",
    "win": "ends the game with these winners",
    "lose": "ends the game with these losers",
    "end": "ends the game, a loop or a step",
    "skip": "does nothing",
    "give": "ends a step with what it gives",
    "require": "says when an action is allowed, and why not",
    "if": "does something only if it holds",
    "for": "does something for each in turn",
    "together": "lets players act at the same time",
    "repeat": "does something again and again",
    "choose": "lets a player decide",
}
