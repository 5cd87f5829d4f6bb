"""A suggestion for whoever decides: the option that random games from here on like best.

Only what the seat sees may count: pieces that it can't identify are dealt anew, and chance is
drawn afresh, before each of these games.
"""

from __future__ import annotations

from random import Random
from time import monotonic

from ruledsl.play.chance import Dice
from ruledsl.play.knowledge import look
from ruledsl.play.match import Match
from ruledsl.table.errors import RulesError
from ruledsl.table.things import Thing

SECONDS = 4.0
"""How long to look ahead."""
LEAST_GAMES = 3
"""With fewer games for each option, chance would decide."""
MOST_GAMES = 60
ATTEMPTS = 20


class TooLong(Exception):
    """There is no time left."""


def suggestion(match: Match, seconds: float = SECONDS) -> int | None:
    """The number of the best option; None where this would take too long or can't be fair."""
    assert match.seat is not None
    random = Random()  # noqa: S311 (a suggestion need not be secret)
    scout = Match(match.game, match.players, match.settings, match.seed)
    until = monotonic() + seconds
    worth: list[list[int]] = [[] for _ in match.options]
    try:
        for _ in range(MOST_GAMES):
            for number, found in enumerate(worth):
                scout.replay(match.history)
                if not _deal_unknown(scout, match.seat, random):
                    return None
                result = _play_on(scout, number, match.seat, random, until)
                if result is not None:
                    found.append(result)
    except TooLong:
        pass
    if min(len(found) for found in worth) < LEAST_GAMES:
        return None
    return max(range(len(worth)), key=lambda number: sum(worth[number]) / len(worth[number]))


def _play_on(scout: Match, number: int, seat: int, random: Random, until: float) -> int | None:
    """What a random game after an option brings to the seat; None if it could not be played."""
    try:
        scout.choose(number)
        while scout.decision is not None:
            if monotonic() > until:
                raise TooLong
            scout.choose(random.randrange(len(scout.decision.options)))
    except RulesError:
        return None
    assert scout.result is not None
    return scout.result.payoffs[scout.player(seat)]


def _deal_unknown(scout: Match, seat: int, random: Random) -> bool:
    """Give everything the seat does not know another order; whether that was possible."""
    interpreter = scout.interpreter
    viewer = scout.player(seat)
    pos, knowledge = interpreter.pos, interpreter.knowledge
    if any(not knowledge.sees_slot(pos, viewer, key, owner) for key, owner in pos.slots):
        return False
    if isinstance(interpreter.chance, Dice):
        interpreter.chance.generator.state = random.getrandbits(64)
    unknown = [piece for piece in pos.place_of if not knowledge.knows(pos, viewer, piece)]
    if not unknown:
        return True
    if scout.decision is None or scout.decision.together:
        # The others act on copies of the position: they would not notice the new deal.
        return False
    swap: dict[Thing, Thing] = {}
    for kind in dict.fromkeys(piece.kind for piece in unknown):
        dealt = _dealt(scout, viewer, [piece for piece in unknown if piece.kind == kind], random)
        if dealt is None:
            return False
        swap |= dealt
    pos.contents.update(
        {
            place: tuple(swap.get(piece, piece) for piece in pieces)
            for place, pieces in pos.contents.items()
        }
    )
    pos.place_of.update({swap[piece]: pos.place_of[piece] for piece in unknown})
    pos.slots.update(
        {
            (key, swap[owner]): value
            for (key, owner), value in list(pos.slots.items())
            if owner in swap
        }
    )
    pos.changed()
    knowledge.known = frozenset((who, swap.get(piece, piece)) for who, piece in knowledge.known)
    knowledge.narrowed = {
        (who, swap.get(piece, piece)): looks for (who, piece), looks in knowledge.narrowed.items()
    }
    return True


def _dealt(
    scout: Match, viewer: Thing, pieces: list[Thing], random: Random
) -> dict[Thing, Thing] | None:
    """For each piece another one that could lie in its stead, as far as the viewer was told."""
    told = scout.interpreter.knowledge.narrowed
    for _ in range(ATTEMPTS):
        left = list(pieces)
        random.shuffle(left)
        dealt: dict[Thing, Thing] = {}
        for piece in sorted(pieces, key=lambda each: len(told.get((viewer, each), ())) or 1_000):
            looks = told.get((viewer, piece))
            fitting = [other for other in left if looks is None or look(other) in looks]
            if not fitting:
                break
            dealt[piece] = fitting[0]
            left.remove(fitting[0])
        if len(dealt) == len(pieces):
            return dealt
    return None
