"""Aims that a player may have beside winning: what it wants more of, right after its choice.

An aim is a word: `hoard:hand` for all that lies in one's own place or stands in one's own state of
that name, `spoiler` for the worst of whoever leads, `hurried` for an early end, and `aim:NAME` for
a definition of the rules with a player as its only parameter (`define NAME(p: Player) = …`), which
may stand in the game or in a variant made for the purpose; `aim:-NAME` for as little of it as can
be.
"""

from __future__ import annotations

import attrs

from ruledsl.diagnostics.suggest import did_you_mean
from ruledsl.model import core
from ruledsl.model.game import CheckedGame, FamilyShape
from ruledsl.model.types import NumberType, ThingType, plain
from ruledsl.play.ranking import Result
from ruledsl.table.position import Position
from ruledsl.table.table import Table
from ruledsl.table.things import Thing


@attrs.frozen
class Reached:
    """A position after an option, and the result if the game ended there."""

    table: Table
    pos: Position
    result: Result
    over: bool
    """whether it did"""


@attrs.frozen
class Aim:
    """What a word stands for; `worth` is for a game that has what it names."""

    word: str

    def worth(self, reached: Reached, seat: Thing) -> int:
        """How much of it a seat has."""
        sort, _, name = self.word.partition(":")
        match sort:
            case "spoiler":
                others = [player for player in reached.result.ranks if player is not seat]
                return -max((reached.result.ahead(other) for other in others), default=0)
            case "hurried":
                return int(reached.over)
            case "hoard":
                return _held(reached, seat, name)
            case _:
                return _defined(reached, seat, name)

    def missing_in(self, game: CheckedGame) -> tuple[str, str | None] | None:
        """Why a game has no such aim, and a hint; None if it has."""
        sort, _, name = self.word.partition(":")
        if sort == "hoard":
            known = hoards(game)
        elif sort == "aim":
            known, name = _definitions(game), name.removeprefix("-")
        else:
            return None
        if name in known:
            return None
        listed = f"there are: {', '.join(known)}" if known else "this game has none"
        what = "nothing to hoard" if sort == "hoard" else "no definition for one player"
        return f"{game.title} has {what} called `{name}`", did_you_mean(name, known) or listed


def is_aim(word: str) -> bool:
    sort, colon, name = word.partition(":")
    return word in ("spoiler", "hurried") or (sort in ("hoard", "aim") and bool(colon and name))


def hoards(game: CheckedGame) -> tuple[str, ...]:
    """What each player has of his own: places, and states with numbers."""
    places = [
        name
        for name, kind in game.kinds.items()
        if kind.place is not None
        and isinstance(kind.place.shape, FamilyShape)
        and [index.kind for index in kind.indexes] == ["Player"]
    ]
    states = [
        state.name
        for state in game.states.values()
        if state.owner == "Player" and isinstance(plain(state.type), NumberType)
    ]
    return (*places, *states)


def _held(reached: Reached, seat: Thing, name: str) -> int:
    value = reached.pos.slots.get((f"Player.{name}", seat))
    if isinstance(value, int):
        return value
    own = (place for place in reached.table.things(name) if seat in place.indexes.values())
    return sum(len(reached.pos.contents[place]) for place in own)


def _definitions(game: CheckedGame) -> tuple[str, ...]:
    return tuple(
        info.name
        for info in game.defines.values()
        if len(info.params) == 1
        and plain(info.params[0].type) == ThingType(frozenset({"Player"}))
        and isinstance(plain(info.type), NumberType)
    )


def _defined(reached: Reached, seat: Thing, name: str) -> int:
    wanted = name.removeprefix("-")
    for info in reached.table.game.defines.values():
        if info.name == wanted and len(info.params) == 1:
            player = core.Local("p", 0, type=info.params[0].type)
            call = core.CallDefine(info.key, (player,), type=info.type)
            value = reached.table.evaluator.compiled(call)(reached.pos, [seat])
            assert isinstance(value, int)
            return -value if name.startswith("-") else value
    raise AssertionError("somebody has looked whether there is such a definition")
