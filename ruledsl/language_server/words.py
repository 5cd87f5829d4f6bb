"""What the language's own words mean, in a sentence each."""

from __future__ import annotations

from ruledsl.model import builtins

ATTRIBUTES = {
    "place": "Where a piece lies.",
    "face": "Which row of its table a piece is.",
    "top": "The piece on top of a stack, or the only one where there is room for one.",
    "lowest": "The piece at the bottom of a stack.",
    "index": "Its number in the order of the declaration, counted from 1.",
    "col": "The column of a place on its grid, from the west.",
    "row": "The row of a place on its grid, from the south.",
    "go": "The neighbour in a direction, or none at the edge.",
    "ray": "All places in a direction, the nearest first.",
    "beside": "The places next to it: orthogonally on a grid, along paths in a network.",
    "around": "The places next to it, diagonally too.",
    "onward": "All others in order, beginning with the next one.",
    "backward": "All others against the order, beginning with the one before.",
    "paths": "The paths of a network that lead through it.",
    "ends": "The two places it lies between.",
    "after": "The next place of a ring or line; none at the end of a line.",
    "before": "The place before it on a ring or line; none at the beginning of a line.",
    "opposite": "The direction the other way.",
    "left": "The direction a quarter turn further to the left.",
    "right": "The direction a quarter turn further to the right.",
    "turned": "The direction so many eighths of a turn further to the right.",
    "sixths": "The direction so many sixths of a turn further to the right, on hexagons.",
    "seat": "The number of a player's seat, counted from 1.",
    "next": "The next player who still plays.",
    "round": "All of them in order, beginning with this one.",
    "others": "All other players who still play, in order.",
    "reversed": "The same in the opposite order.",
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
    "Player": "Everybody at the table.",
    "Dir": "The eight directions.",
}

FUNCTIONS = {
    **{
        each.name: (each.form, f"{each.about[:1].upper()}{each.about[1:]}.")
        for each in builtins.FUNCTIONS.values()
    },
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
