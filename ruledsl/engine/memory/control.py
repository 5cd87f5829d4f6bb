"""The cells with a name: those that steer a run, and the head of every position.

All of them are here, and addresses are handed out in order, so no two of them overlap.
"""

from __future__ import annotations

STEERING = 1 << 10
"""bytes of cells that steer a run"""
VECTOR = 1 << 20
"""The position. Its address is large, so that even one read before it, whose value does not
matter, lies in memory."""
MOST_VECTOR = 1 << 20


class Cells:
    """Hands out memory from one address up to another."""

    def __init__(self, start: int, end: int) -> None:
        self.at = start
        self.end = end

    def take(self, size: int = 4) -> int:
        """So many bytes; a word of 64 bits lies where such words do."""
        width = 8 if size % 8 == 0 else 4
        address = -(-self.at // width) * width
        self.at = address + size
        assert self.at <= self.end, "too many cells"
        return address


# Cells that steer a run; they are no part of the position.
_steering = Cells(8, STEERING)
MODE = _steering.take()
STOP, RANDOM, TREE, QUICK = 0, 1, 2, 3
"""who answers decisions: the caller, chance, the search tree; or chance without listing options

Where chance answers, the lowest bit is set.
"""
NOTEWORTHY = 4
"""the bit of modes in which choices are noted, or taken from notes"""
NOTED, FOLLOWED = NOTEWORTHY | QUICK, NOTEWORTHY | RANDOM
"""a quick game whose choices are noted; a game that lists options and follows notes"""
SAMPLED = 8
"""asked of a batch: most games are quick, a small share of them is listed and counts options"""
ASK_ALWAYS = _steering.take()
FRESH = _steering.take()
"""whether the options in memory are those of the position"""
ERROR = _steering.take()
ANSWER = _steering.take()
SEAT = _steering.take()
GROUPS = _steering.take()
"""the number of options"""
CANDIDATES = _steering.take()
SITE = _steering.take()
CHOICES = _steering.take()
"""decisions with several options since the counter was reset"""
OPTIONS_SEEN = _steering.take()
DRAWN_FROM = _steering.take()
"""how many options there were when one was drawn, where that is known"""
GROUPS_ASKED = _steering.take()
"""the number of options of the decision that is asked"""
SUSPECT = _steering.take()
"""whether something looked wrong since it was reset"""
CUT = _steering.take()
"""after so many decisions a playout is judged where it stands"""
WORK = _steering.take(8)
"""statements that may still be carried out before somebody decides"""
PASSES = WORK + 4
"""passes of long queries that may still be made until then"""
MIND = _steering.take(8)
"""the generator of random players"""
ASKED = _steering.take(64)
"""what a call is about: written in one go, it takes less time than arguments"""

# Cells of a search.
CUR = _steering.take()
"""the entry that was taken last"""
PATH = _steering.take()
"""how many entries the path has"""
TREE_END = _steering.take()
ROOT_SEAT = _steering.take()
PREFIX = _steering.take()
"""whether the decision that is searched is still ahead, behind those of others who choose too"""
STARTS_AHEAD = _steering.take()
SCRIPT_AT = _steering.take()
SCRIPT_SIZE = _steering.take()
ROOT_OPTION = _steering.take()
ROOT_OPTIONS = _steering.take()
LEAST_REWARD = _steering.take()
MOST_REWARD = _steering.take()
SPREAD = _steering.take()
"""how far the rewards of this search lie apart"""
WORLD = _steering.take()
REACH = _steering.take()
"""decisions after which a playout is cut"""
DEALS = _steering.take()
"""whether a recipe is followed in each iteration"""
CUTS = _steering.take()
"""playouts that were cut and judged"""
GAINS = _steering.take(8)
"""how far they lay from the usual, added up"""

# The head of a position.
_head = Cells(VECTOR, VECTOR + MOST_VECTOR)
GENERATOR = _head.take(8)
ACTIVE = _head.take()
CHOOSER = _head.take()
PLAYING = _head.take()
"""a bit for each seat"""
OUT = _head.take()
"""how many were eliminated; who, in order, follows the header"""
DECISIONS = _head.take()
HOW = _head.take()
"""how the game ended: an index into `HOWS`, 0 while it goes on"""
WINNERS = _head.take()
WON = _head.take()
"""whom a `win` or a `lose` named, as bits"""
DIRTY = _head.take(8)
"""a bit for each trigger whose condition may have become true"""
STOPS = _head.take()
"""decisions asked and rolls made so far"""
HEADER = -(-(_head.at - VECTOR) // 8) * 8

HOWS = ("", "the rules", "end", "win", "limit", "cut", "draw", "lose")
