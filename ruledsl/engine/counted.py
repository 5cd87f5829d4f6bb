"""What an engine has counted, read from its memory."""

from __future__ import annotations

import struct

import attrs

from ruledsl.engine.counters import LENGTHS, RECORD, THIRDS, Counters
from ruledsl.engine.engine import Engine


@attrs.frozen
class Taken:
    """What was counted since it was last taken."""

    records: tuple[int, ...]
    """for each counter and whoever it is about, the cells of its record"""
    leads: tuple[int, ...]
    highest: dict[str, int]
    """for each state with numbers, the highest that it was ever set to; 0 if that was less"""
    lengths: dict[int, int]
    """games by their number of choices, where that is known"""


def take_counts(engine: Engine) -> Taken:
    """Take what was counted; counting begins anew."""
    counters, leads = counters_of(engine), engine.code.leads
    records = [*_taken(engine, counters.records, RECORD * counters.stride * len(counters.found))]
    for number, address in counters.plain.items():
        nobody = number * counters.stride + counters.players
        records[RECORD * nobody + THIRDS] += _taken(engine, address, 1)[0]
    led = () if leads is None else _taken(engine, leads.tally, leads.tally_cells)
    highest = {
        state: int(struct.unpack("<i", engine.runner.read(address, 4))[0])
        for state, address in counters.highest.items()
    }
    lengths = {
        choices: games
        for choices, games in enumerate(_taken(engine, counters.lengths, LENGTHS))
        if games
    }
    return Taken(tuple(records), led, highest, lengths)


def _taken(engine: Engine, address: int, cells: int) -> tuple[int, ...]:
    data = engine.runner.read(address, 4 * cells)
    engine.runner.write(address, bytes(4 * cells))
    return struct.unpack(f"<{cells}I", data)


def watch_every_game(engine: Engine) -> None:
    """Look at who leads, and at what is refused, not only in some of the games."""
    counters = counters_of(engine)
    for bits in (counters.judged, counters.watched):
        engine.runner.write(bits, bytes(4))


def do_without(engine: Engine, counter: int, seat: int) -> None:
    """Let a seat, from 1 on, do without an action or a value in random games; -1 and 0: nobody."""
    counters = counters_of(engine)
    player = engine.layout.first_player + seat - 1 if seat else -1
    engine.runner.write(counters.barred, struct.pack("<i", counter))
    engine.runner.write(counters.barred_seat, struct.pack("<i", player))


def counters_of(engine: Engine) -> Counters:
    counters = engine.code.counters
    assert counters is not None, "nothing is counted"
    return counters
