"""What statements and expressions read and write, through calls and definitions.

Both are too large rather than too small: what is not listed is certainly not touched.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from ruledsl.model import core
from ruledsl.model.builtins import Reads, read_by
from ruledsl.model.checks.graph import Graph, Node, parts
from ruledsl.model.game import CheckedGame
from ruledsl.model.types import SetType, ThingType, Type, plain
from ruledsl.model.walk import walk

Atom: TypeAlias = tuple[str, str]
"""A state, the places of a kind, a history, or a word such as `active`."""

ACTIVE: Atom = ("word", "active")
PLAYING: Atom = ("word", "playing")


class ReadsWrites:
    """Reads and writes of a game's parts, each node worked out once."""

    def __init__(self, game: CheckedGame, graph: Graph) -> None:
        self.game = game
        self.graph = graph
        self._own: dict[Node, tuple[frozenset[Atom], frozenset[Atom]]] = {}
        self._each: dict[str, set[Atom]] = {}
        for key, state in game.states.items():
            if state.each is not None:
                self._each.setdefault(state.each, set()).add(("state", key))
        self._places = [name for name, kind in game.kinds.items() if kind.place is not None]

    def reads(self, *contents: Any) -> frozenset[Atom]:
        """Everything whose change may change what these do or give."""
        reads = {atom for part in walk(contents) for atom in self._read(part)}
        for node in self._led_to(contents):
            reads |= self._of(node)[0]
        return frozenset(reads)

    def writes(self, *contents: Any, checkpoints: bool = True) -> frozenset[Atom]:
        """Everything these may change; with checkpoints, what triggers then change too."""
        writes = {atom for part in walk(contents) for atom in self._written(part)}
        led = self._led_to(contents, thought=False)
        for node in led:
            writes |= self._of(node)[1]
            writes |= self._each.get(node.key, set()) if node.sort in ("step", "action") else set()
        if checkpoints and led:
            for name, trigger in self.game.triggers.items():
                writes |= self._of(Node("trigger", name))[1]
                writes |= self.writes(trigger.body, checkpoints=False)
        return frozenset(writes)

    def _led_to(self, contents: Any, *, thought: bool = True) -> set[Node]:
        """The nodes these lead to; without thought, only those that really happen."""
        roots: set[Node] = set()
        for part in walk(contents):
            match part:
                case core.Call(step=step):
                    roots.add(Node("step", step))
                case core.Offer(action=action):
                    roots.add(Node("action", action))
                    if thought:
                        roots.add(Node("legality", action))
                case core.Would(step=step) if thought:
                    roots.add(Node("step", step))
                case core.Can(action=action) if thought:
                    roots.add(Node("legality", action))
                case core.CallDefine(define=define) if thought:
                    roots.add(Node("define", define))
                case _:
                    pass
        found = self.graph.reached(roots, lambda edge: thought or edge.how in ("calls", "offers"))
        return set(found)

    def _of(self, node: Node) -> tuple[frozenset[Atom], frozenset[Atom]]:
        """What a node itself reads and writes."""
        if node not in self._own:
            contents = parts(self.game, node)
            reads = {atom for part in walk(contents) for atom in self._read(part)}
            writes = {atom for part in walk(contents) for atom in self._written(part)}
            self._own[node] = (frozenset(reads), frozenset(writes))
        return self._own[node]

    # ------------------------------------------------------------ single parts

    def _read(self, part: Any) -> set[Atom]:
        match part:
            case core.ReadState(state=state):
                return {("state", state)}
            case core.ReadHistory(history=history):
                return {("history", history)}
            case core.Contents(place=place):
                return self._place_atoms(place.type)
            case core.ReadFeature(feature=feature, subject=subject):
                return self._read_from(subject, read_by(feature))
            case core.Special(word="you" | "active"):
                return {ACTIVE}
            case core.Special(word="playing"):
                return {PLAYING}
            case core.MoveSome(source=source) | core.MoveAll(source=source):
                return self._moved_from(source.type)
            case _:
                return set()

    def _read_from(self, subject: core.Expr, reads: Reads) -> set[Atom]:
        match reads:
            case "nothing":
                return set()
            case "what lies there":
                return self._place_atoms(subject.type)
            case "where it lies":
                return self._holders(subject.type)
            case "who plays":
                return {PLAYING}

    def _written(self, part: Any) -> set[Atom]:
        match part:
            case core.Assign(slot=slot):
                return {_slot_atom(slot)}
            case core.Roll(target=core.Slot() as slot):
                return {_slot_atom(slot)}
            case core.ChooseValue(target=core.Slot() as slot):
                return {_slot_atom(slot)}
            case core.Move(pieces=pieces, target=target):
                return self._holders(pieces.type) | self._place_atoms(target.type)
            case core.MoveSome(source=source, target=target):
                return self._moved_from(source.type) | self._place_atoms(target.type)
            case core.MoveAll(source=source, target=target):
                return self._moved_from(source.type) | self._place_atoms(target.type)
            case core.Put():
                return {("place", name) for name in self._places}
            case core.Shuffle(place=place):
                return self._place_atoms(place.type)
            case core.Record(history=history):
                return {("history", history)}
            case core.Eliminate():
                return {PLAYING}
            case _:
                return set()

    def _place_atoms(self, of: Type) -> set[Atom]:
        inner = plain(of)
        kinds = inner.kinds if isinstance(inner, ThingType) else self._places
        atoms: set[Atom] = set()
        for name in kinds:
            kind = self.game.kinds.get(name)
            if kind is None or kind.place is None:
                continue
            atoms.add(("place", name))
            if kind.place.refilled is not None:
                atoms.add(("place", kind.place.refilled))
        return atoms

    def _moved_from(self, of: Type) -> set[Atom]:
        """Where pieces leave from: a place, or wherever the pieces of a set may lie."""
        return self._holders(of) if isinstance(plain(of), SetType) else self._place_atoms(of)

    def _holders(self, of: Type) -> set[Atom]:
        """The places that may hold pieces of a type."""
        inner = plain(of)
        if isinstance(inner, SetType):
            inner = plain(inner.element)
        pieces = inner.kinds if isinstance(inner, ThingType) else None
        atoms: set[Atom] = set()
        for name in self._places:
            place = self.game.kinds[name].place
            if place is not None and (pieces is None or pieces.intersection(place.holds)):
                atoms.add(("place", name))
        return atoms


def _slot_atom(slot: core.Slot) -> Atom:
    return ("word" if slot.state in ("active", "playing") else "state", slot.state)
