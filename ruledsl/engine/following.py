"""The choices of a quick game, made by others: the interpreter, or an engine with more checks."""

from __future__ import annotations

import struct
from contextlib import suppress

import attrs

from ruledsl.engine.choices.candidates import VALUES
from ruledsl.engine.code.instructions import signed
from ruledsl.engine.engine import Engine, value_types
from ruledsl.engine.memory.control import FOLLOWED, NOTED
from ruledsl.engine.played import Batch, EngineError
from ruledsl.model import core
from ruledsl.play.decisions import ActionOption, Decision, DoneOption, ValueOption


@attrs.frozen
class Notes:
    """What was chosen, one choice after the other: candidates, or numbers of picks."""

    number: int
    data: bytes
    """as it lies in memory"""


def noted(engine: Engine, seed: int, number: int) -> Notes:
    """The choices of a quick game, up to where it ended or went wrong."""
    taking = engine.code.notes
    with suppress(EngineError):
        engine.call("playouts", signed(seed), number, 1, NOTED, 0)
    (made,) = struct.unpack("<i", engine.runner.read(taking.at, 4))
    data = engine.runner.read(taking.log, made * engine.code.candidates.stride)
    engine.clean_up()
    return Notes(made, data)


def followed(engine: Engine, notes: Notes, seed: int, number: int) -> Batch:
    """The game in which these choices were made, with its row; all options are listed."""
    taking = engine.code.notes
    engine.runner.write(taking.made, struct.pack("<i", notes.number))
    engine.runner.write(taking.log, notes.data)
    return engine.batch(1, seed, number, mode=FOLLOWED, keep=True)


def option_noted(engine: Engine, notes: Notes, at: int, decision: Decision) -> int:
    """Which option of the interpreter's decision a note is about."""
    start = at * engine.code.candidates.stride
    (first,) = struct.unpack_from("<i", notes.data, start)
    if decision.several:
        return int(first)
    of = value_types(engine.table.game, decision.statement)[first]
    cells = struct.unpack_from(f"<{len(of)}i", notes.data, start + VALUES)
    values = tuple(map(engine.decoded, cells, of))
    for number, option in enumerate(decision.options):
        match option:
            case ActionOption(key=key, members=members):
                assert isinstance(decision.statement, core.ChooseAction)
                if key == decision.statement.offers[first].action and values in members:
                    return number
            case ValueOption(members=found):
                if values[0] in found:
                    return number
            case DoneOption():
                pass
    raise AssertionError("the choice that was noted is no option")
