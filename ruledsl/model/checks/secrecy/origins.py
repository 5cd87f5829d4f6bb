"""What is known of a value without running anything: whose it is, where it lies, what it tells."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Literal, TypeAlias

import attrs

from ruledsl.diagnostics.source import Span
from ruledsl.model import core

Sym: TypeAlias = tuple[Hashable, ...]
"""A player who stays the same: who is active, a name, the neighbour of another."""


@attrs.frozen
class Who:
    """A player, or one of several: who it is, if that is one, and who it is not."""

    sym: Sym | None = None
    nots: frozenset[Sym] = frozenset()

    def apart_from(self, other: Who) -> Who:
        return self if other.sym is None else Who(self.sym, self.nots | {other.sym})


ANYBODY = Who()


def is_player(*sym: Hashable) -> Who:
    return Who(sym)


def next_to(who: Who) -> Who:
    """The neighbour: somebody else."""
    if who.sym is None:
        return ANYBODY
    return Who(("next", who.sym), frozenset({who.sym}))


def others_of(who: Who) -> Who:
    return ANYBODY.apart_from(who)


def speaks_of(sym: Hashable, local: core.Local) -> bool:
    """Whether who is meant depends on what a name stands for."""
    if isinstance(sym, tuple):
        return any(speaks_of(part, local) for part in sym)
    return sym == local


def related(who: Who, viewer: Who) -> Literal["same", "other"] | None:
    """Whether somebody is the viewer, as far as that is known."""
    if who.sym is not None and who.sym == viewer.sym:
        return "same"
    if viewer.sym in who.nots or who.sym in viewer.nots:
        return "other"
    if who.sym and viewer.sym and who.sym[0] == viewer.sym[0] == "nth":
        return "other"
    return None


@attrs.frozen
class Where:
    """A place: its kind, the player among its indexes, and how it is called, if that is known."""

    kind: str
    whose: Who = ANYBODY
    at: core.Expr | None = None


@attrs.frozen
class Read:
    """Something was read that not everybody may see: what, of which place or state, and where."""

    what: str
    source: str
    whose: Who
    unless: core.Expr | None
    """what still has to hold for a viewer to see it; None: nothing helps but being the owner"""
    private: bool
    span: Span
    inner: Span | None = None
    """where a definition reads it"""


Reads: TypeAlias = frozenset[Read]
NOTHING_READ: Reads = frozenset()


@attrs.frozen
class Origin:
    """Of a player `who`, of a place `places`, of pieces where they are `lying`.

    `named` pieces are known by their look, so that where they lie is the secret; of others the
    look is. `reads` is what the value depends on, `told` where it was chosen for all to hear.
    """

    who: Who = ANYBODY
    places: frozenset[Where] = frozenset()
    lying: frozenset[Where] = frozenset()
    named: bool = False
    reads: Reads = NOTHING_READ
    told: frozenset[Span] = frozenset()

    def telling(self, reads: Reads) -> Origin:
        """The same value, which tells more."""
        return self if reads <= self.reads else attrs.evolve(self, reads=self.reads | reads)

    @property
    def bare(self) -> Origin:
        """What it is, apart from what it tells; names of places do not leave their procedure."""
        return attrs.evolve(
            self,
            places=frozenset(attrs.evolve(where, at=None) for where in self.places),
            lying=frozenset(attrs.evolve(where, at=None) for where in self.lying),
            reads=NOTHING_READ,
        )


PLAIN = Origin()


def either(origins: Iterable[Origin]) -> Origin:
    """A value that has one of these origins."""
    each = tuple(origins)
    if not each:
        return PLAIN
    syms = {origin.who.sym for origin in each}
    nots = frozenset.intersection(*(origin.who.nots for origin in each))
    return Origin(
        Who(syms.pop() if len(syms) == 1 else None, nots),
        frozenset(where for origin in each for where in origin.places),
        frozenset(where for origin in each for where in origin.lying),
        any(origin.named for origin in each),
        frozenset(read for origin in each for read in origin.reads),
        frozenset(span for origin in each for span in origin.told),
    )


def renamed_who(who: Who, rename: Callable[[Sym], Sym]) -> Who:
    sym = None if who.sym is None else rename(who.sym)
    return Who(sym, frozenset(map(rename, who.nots)))


def renamed(origin: Origin, rename: Callable[[Sym], Sym]) -> Origin:
    """The same with other symbols for players."""

    def where(of: Where) -> Where:
        return attrs.evolve(of, whose=renamed_who(of.whose, rename))

    return attrs.evolve(
        origin,
        who=renamed_who(origin.who, rename),
        places=frozenset(map(where, origin.places)),
        lying=frozenset(map(where, origin.lying)),
        reads=frozenset(renamed_read(read, rename) for read in origin.reads),
    )


def renamed_read(read: Read, rename: Callable[[Sym], Sym]) -> Read:
    return attrs.evolve(read, whose=renamed_who(read.whose, rename))
