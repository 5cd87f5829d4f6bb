"""Whether both executors are at the same point of a game: who decides, the options, the table."""

from __future__ import annotations

from ruledsl.engine import Engine
from ruledsl.play.decisions import ActionOption, Decision, ValueOption
from ruledsl.play.interpreter import Interpreter
from ruledsl.table.things import Value


class Difference(Exception):
    """The executors disagree."""


def same(ours: object, theirs: object, what: str) -> None:
    """What the engine has and what the interpreter has must be equal."""
    if ours != theirs:
        raise Difference(f"{what}: the engine has {ours!r}, the interpreter {theirs!r}")


def same_position(engine: Engine, interpreter: Interpreter, generator: int, *, over: bool) -> None:
    """Everything that a position consists of; nobody chooses when a game is over."""
    found = engine.position()
    pos = interpreter.pos
    contents = found["contents"]
    assert isinstance(contents, dict)
    for place, pieces in pos.contents.items():
        same(contents[place], pieces, f"what {place} holds")
    same(found["place_of"], pos.place_of, "where pieces lie")
    slots = found["slots"]
    assert isinstance(slots, dict)
    for key, value in pos.slots.items():
        same(slots[key], value, f"the slot {key}")
    for name in ("active", "playing", "out"):
        same(found[name], getattr(pos, name), name)
    if not over:
        same(found["chooser"], pos.chooser, "chooser")
    same(found["generator"], generator, "the generator")
    same(found["decisions"], interpreter.decisions, "the number of decisions")
    known = found["known"]
    if known is not None:
        same(known, interpreter.knowledge.known, "what is known")
    times = found["times"]
    assert isinstance(times, dict)
    for name, number in times.items():
        seen = pos.histories.get(name, ())
        same(number, seen.count(seen[-1]) if seen else 0, f"how often {name} occurred")


def same_decision(engine: Engine, decision: Decision) -> None:
    """Who decides about what, and all options with all that is alike in them."""
    same(engine.seat, decision.seat, "who decides")
    same(engine.statement.span, decision.span, "the decision")
    same(engine.number, len(decision.options), "how many options there are")
    groups: dict[int, list[tuple[Value, ...]]] = {}
    for candidate in engine.candidates():
        groups.setdefault(candidate.option, []).append(candidate.values)
    wanted: list[tuple[tuple[Value, ...], ...]] = []
    if decision.several:
        wanted = [tuple((value,) for value in group) for group in decision.classes]
    else:
        for option in decision.options:
            assert isinstance(option, ActionOption | ValueOption)
            if isinstance(option, ActionOption):
                wanted.append(option.members)
            else:
                wanted.append(tuple((value,) for value in option.members))
    same(len(groups), len(wanted), "how many groups there are")
    for number, members in enumerate(wanted):
        same(tuple(groups[number]), members, f"option {number}")


def same_result(engine: Engine, interpreter: Interpreter) -> None:
    """How a game ended, who won, ranks and pay-offs."""
    result = interpreter.result
    assert result is not None
    seats = engine.table.things("Player")
    found = engine.result()
    same(found.how, result.how, "how it ended")
    same(found.ranks, tuple(result.ranks[seat] for seat in seats), "ranks")
    same(found.payoffs, tuple(result.payoffs[seat] for seat in seats), "pay-offs")
    same(found.winners, result.winners, "winners")
