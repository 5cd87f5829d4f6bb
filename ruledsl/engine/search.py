"""Tree search inside the module: information-set Monte Carlo tree search for any number of seats.

Each iteration starts from one of several worlds, positions that agree with what the searching seat
knows. Down the tree each seat takes what has served it best so far, tempered by curiosity; from
the first new option on, chance plays to the end, or to a cut where the game's own ranking judges.
Options are known by labels that do not depend on which of several alike or unknown pieces they
are about, so that one tree serves all worlds; an option counts as available only where a world
allows it. Rolls have nodes of their own: what is rolled is there for all to see.

All numbers are whole: a reward of 1 is `ONE`.
"""

from __future__ import annotations

from math import log, sqrt

from ruledsl.engine.code import (
    GOLDEN,
    Code,
    Function,
    Width,
    Writer,
    add,
    both,
    cell_at,
    eq,
    load,
    load64,
    mul,
    ne,
    no,
    op,
    signed,
    sub,
)
from ruledsl.engine.layout import (
    ANSWER,
    ASK_ALWAYS,
    CANDIDATES,
    CUT,
    DECISIONS,
    FRESH,
    GENERATOR,
    MODE,
    QUICK,
    STOP,
    TREE,
    VECTOR,
    WINNERS,
)
from ruledsl.engine.legality import MASKS, MOST_CANDIDATES, OPTION, VALUES
from ruledsl.engine.listing import takes_several
from ruledsl.engine.runtime import ONE, Runtime

CURIOSITY = 0.7
MOST_NODES = 1 << 18
"""Nodes of the tree; beyond them it no longer grows."""
FEW_NODES = 1 << 14
"""So few are forgotten one by one."""
MOST_WORLDS = 256
MOST_DEPTH = 4096
MOST_SCRIPT = 64
TABLED = 1 << 12

# Cells of a search.
CUR = 80
PATH = 84
"""how many nodes the path has"""
NODES_END = 88
ROOT_SEAT = 92
PREFIX = 96
"""whether the decision that is searched is still ahead, behind those of others who choose too"""
STARTS_AHEAD = 100
SCRIPT_AT = 104
SCRIPT_SIZE = 108
ROOT_OPTION = 112
ROOT_OPTIONS = 116
WORLD = 124
REACH = 128
"""decisions after which a playout is cut"""

_FACTOR = signed(0x9FB21C651E98DF25)


def _mixed(w: Writer, mark: str, code: Code) -> None:
    word = ("i64.mul", ("i64.xor", mark, ("i64.extend_i32_s", code)), ("i64", _FACTOR))
    w.set(mark, word)
    w.set(mark, ("i64.xor", mark, ("i64.shr_u", mark, ("i64", 29))))


class SearchCode(Runtime):
    """Writes the search."""

    def prepare_search(self) -> None:
        players = self.layout.players
        self.node_size = 24 + 8 * players
        self.labels = self.layout.scratch(8 * (MOST_CANDIDATES + 1), 8)
        self.children = self.layout.scratch(4 * (MOST_CANDIDATES + 1))
        self.root_visits = self.layout.scratch(4 * (MOST_CANDIDATES + 1))
        self.root_sums = self.layout.scratch(8 * players * (MOST_CANDIDATES + 1), 8)
        self.root_wins = self.layout.scratch(8 * players * (MOST_CANDIDATES + 1), 8)
        self.rewards = self.layout.scratch(4 * players)
        self.path = self.layout.scratch(4 * (MOST_DEPTH + 1))
        self.script = self.layout.scratch(4 * MOST_SCRIPT)

    def write_tree(self) -> None:
        """What decisions and rolls ask of the tree."""
        self.prepare_search()
        self._several = self.layout.scratch(4 * self.most_sites)
        slots = 2 * MOST_NODES
        self._slots = slots
        self._hash = self.layout.scratch(4 * slots)
        self._nodes = self.layout.scratch(self.node_size * (MOST_NODES + 1), 8)
        self._piece_mark()
        self._find()
        self._create()
        self._label()
        self._tree_decide()
        self._tree_chance()
        self._tables_of_curiosity()

    def several_sites(self) -> bytes:
        """For each decision whether it is one of several picks."""
        flags = map(takes_several, self.decisions)
        return b"".join(int(flag).to_bytes(4, "little") for flag in flags)

    @property
    def several_address(self) -> int:
        return self._several

    # ------------------------------------------------------------ labels

    def _piece_mark(self) -> None:
        """What a piece looks like where it lies: the same for alike pieces."""
        params: list[tuple[str, Width]] = [("viewer", "i32"), ("piece", "i32")]
        w = Writer(self.program.add(Function("piece_mark", params, "i64")))
        mark = w.variable(("i64", 77), "i64")
        _mixed(w, mark, self.place_of("piece"))
        _mixed(w, mark, ("call", "depth", "piece"))
        if self.track:
            with w.when(no(("call", "knows", "viewer", "piece"))):
                w.give_back(mark)
        _mixed(w, mark, self.layout.lookup(self.looks, "piece"))
        for key, state in self.game.states.items():
            if state.owner is None or self.game.kinds[state.owner].sort != "piece":
                continue
            if state.sight != "open":
                continue
            slot = self.layout.states[key]
            if not slot.words:
                with w.when(self.of_kind("piece", state.owner)):
                    _mixed(w, mark, load(slot.address("piece")))
        w.give_back(mark)

    def _label(self) -> None:
        """Give each option of a decision its label."""
        params: list[tuple[str, Width]] = [("viewer", "i32"), ("site", "i32"), ("number", "i32")]
        w = Writer(self.program.add(Function("label", params, None)))
        with w.when(load(cell_at(self._several, "site"))):
            with w.counting(0, "number") as at:
                mark = w.variable(("i64", 5), "i64")
                _mixed(w, mark, "site")
                _mixed(w, mark, at)
                w.store64(add(mul(at, 8), self.labels), mark)
            w.give_back()
        entry = w.variable(self.options)
        end = w.once(add(mul(load(CANDIDATES), self.stride), self.options))
        wanted = w.variable(0)
        with w.loop() as label:
            w.leave_if(label, op("i32.ge_u", entry, end))
            with w.when(eq(load(entry, OPTION), wanted)):
                mark = w.variable(("i64", 3), "i64")
                _mixed(w, mark, "site")
                _mixed(w, mark, load(entry))
                pieces = w.once(("i32.shr_u", load(entry, MASKS), 16))
                for number in range(self.width):
                    value = w.once(load(entry, VALUES + 4 * number))
                    marked = ("i32.and", ("i32.shr_u", pieces, number), 1)
                    is_piece = both(marked, op("i32.ge_s", value, 0))
                    with w.when(is_piece):
                        mixed = ("call", "piece_mark", "viewer", value)
                        w.set(mark, ("i64.mul", ("i64.xor", mark, mixed), ("i64", _FACTOR)))
                    with w.when(no(is_piece)):
                        _mixed(w, mark, value)
                w.store64(add(mul(wanted, 8), self.labels), mark)
                w.set(wanted, add(wanted, 1))
            w.set(entry, add(entry, self.stride))

    # ------------------------------------------------------------ nodes

    def _slot_of(self, w: Writer, parent: Code = "parent", mark: Code = "mark") -> str:
        mixed = (
            "i64.mul",
            ("i64.xor", mark, ("i64.mul", ("i64.extend_i32_u", parent), ("i64", _FACTOR))),
            ("i64", GOLDEN),
        )
        slot = ("i32.wrap_i64", ("i64.shr_u", mixed, ("i64", 40)))
        return w.variable(("i32.and", slot, self._slots - 1))

    def _find(self) -> None:
        """The node below another with a label; 0 if there is none."""
        params: list[tuple[str, Width]] = [("parent", "i32"), ("mark", "i64")]
        w = Writer(self.program.add(Function("find_node", params)))
        slot = self._slot_of(w)
        with w.loop():
            node = w.once(load(cell_at(self._hash, slot)))
            with w.when(no(node)):
                w.give_back(0)
            same = both(eq(load(node), "parent"), ("i64.eq", load64(node, 8), "mark"))
            with w.when(same):
                w.give_back(node)
            w.set(slot, ("i32.and", add(slot, 1), self._slots - 1))

    def _create(self) -> None:
        """A new node; 0 if there is no more room."""
        params: list[tuple[str, Width]] = [("parent", "i32"), ("mark", "i64")]
        w = Writer(self.program.add(Function("new_node", params)))
        node = w.once(load(NODES_END))
        with w.when(op("i32.ge_u", node, self._nodes + self.node_size * MOST_NODES)):
            w.give_back(0)
        w.store(NODES_END, add(node, self.node_size))
        w.store(node, "parent")
        w.store(node, 0, 4)
        w.store64(node, "mark", 8)
        w.store(node, 0, 16)
        for seat in range(self.layout.players):
            w.store64(node, ("i64", 0), 24 + 8 * seat)
        slot = self._slot_of(w)
        with w.loop() as label:
            w.leave_if(label, no(load(cell_at(self._hash, slot))))
            w.set(slot, ("i32.and", add(slot, 1), self._slots - 1))
        w.store(cell_at(self._hash, slot), node)
        w.give_back(node)

    # ------------------------------------------------------------ going down

    def _tables_of_curiosity(self) -> None:
        """The square root of the logarithm, and one over the square root, as whole numbers."""
        roots = [0, *(round(CURIOSITY * ONE * sqrt(log(n))) for n in range(1, TABLED))]
        inverse = [ONE, *(round(ONE / sqrt(n)) for n in range(1, TABLED))]
        one, other = self.layout.numbers(roots), self.layout.numbers(inverse)
        params: list[tuple[str, Width]] = [("seen", "i32"), ("visits", "i32")]
        w = Writer(self.program.add(Function("curiosity", params, "i64")))
        # Beyond the table, a logarithm hardly grows, and a root halves with every fourth part.
        with w.when(op("i32.ge_u", "seen", TABLED)):
            w.set("seen", TABLED - 1)
        halved = w.variable(0)
        with w.loop() as label:
            w.leave_if(label, op("i32.lt_u", "visits", TABLED))
            w.set("visits", ("i32.shr_u", "visits", 2))
            w.set(halved, add(halved, 1))
        root = ("i64.extend_i32_u", self.layout.lookup(one, "seen"))
        part = ("i64.extend_i32_u", self.layout.lookup(other, "visits"))
        shift = ("i64.extend_i32_u", add(halved, 16))
        w.give_back(("i64.shr_u", ("i64.mul", root, part), shift))

    def _enter(self, w: Writer, node: Code) -> None:
        w.store(CUR, node)
        with w.when(op("i32.lt_s", load(PATH), MOST_DEPTH)):
            w.store(cell_at(self.path, load(PATH)), node)
            w.store(PATH, add(load(PATH), 1))

    def _tree_decide(self) -> None:
        """The option that a seat takes in the tree, or by chance below it."""
        params: list[tuple[str, Width]] = [("seat", "i32"), ("site", "i32"), ("number", "i32")]
        w = Writer(self.program.add(Function("tree_decide", params)))
        seat = w.once(sub("seat", self.layout.first_player))
        with w.when(load(PREFIX)):
            with w.when(ne(seat, load(ROOT_SEAT))):
                w.give_back(("call", "mind_below", "number"))
            at = w.once(load(SCRIPT_AT))
            with w.when(op("i32.lt_s", at, load(SCRIPT_SIZE))):
                w.store(SCRIPT_AT, add(at, 1))
                w.give_back(load(cell_at(self.script, at)))
            w.store(PREFIX, 0)
        w.emit("do", ("call", "label", seat, "site", "number"))
        at_root = w.once(no(load(PATH)))
        untried, chosen = w.variable(0), w.variable(0)
        with w.counting(0, "number") as option:
            mark = load64(add(mul(option, 8), self.labels))
            child = w.once(("call", "find_node", load(CUR), mark))
            w.store(cell_at(self.children, option), child)
            with w.when(child):
                w.store(child, add(load(child, 16), 1), 16)
            with w.when(no(child)):
                w.set(untried, add(untried, 1))
                with w.when(no(("call", "mind_below", untried))):
                    w.set(chosen, option)
        with w.when(untried):
            mark = load64(add(mul(chosen, 8), self.labels))
            node = w.once(("call", "new_node", load(CUR), mark))
            with w.when(node):
                w.store(node, 1, 16)
                self._enter(w, node)
            w.store(MODE, QUICK)
        with w.when(no(untried)):
            best = w.variable(("i64", -1), "i64")
            with w.counting(0, "number") as option:
                node = w.once(load(cell_at(self.children, option)))
                visits = w.once(load(node, 4))
                total = load64(add(node, mul(seat, 8)), 24)
                divisor = ("i64.extend_i32_u", ("select", visits, 1, visits))
                score = w.once(
                    (
                        "i64.add",
                        ("i64.div_u", total, divisor),
                        ("call", "curiosity", load(node, 16), visits),
                    ),
                    "i64",
                )
                with w.when(("i64.gt_s", score, best)):
                    w.set(best, score)
                    w.set(chosen, option)
            self._enter(w, load(cell_at(self.children, chosen)))
        with w.when(at_root):
            with w.counting(load(ROOT_OPTIONS), "number") as option:
                w.store(cell_at(self.root_visits, option), 0)
                with w.counting(0, self.layout.players) as other:
                    place = w.once(mul(add(mul(option, self.layout.players), other), 8))
                    w.store64(add(place, self.root_sums), ("i64", 0))
                    w.store64(add(place, self.root_wins), ("i64", 0))
            w.store(ROOT_OPTION, chosen)
            w.store(ROOT_OPTIONS, "number")
        w.give_back(chosen)

    def _tree_chance(self) -> None:
        """What is rolled in the tree leads to a node of its own."""
        w = self.function("tree_chance", "outcome", result=False)
        with w.when(load(PREFIX)):
            w.give_back()
        mark = w.variable(("i64", 11), "i64")
        _mixed(w, mark, "outcome")
        node = w.variable(("call", "find_node", load(CUR), mark))
        with w.when(no(node)):
            w.set(node, ("call", "new_node", load(CUR), mark))
        with w.when(node):
            w.store(CUR, node)

    # ------------------------------------------------------------ iterations

    def write_search(self) -> None:
        """Whole batches of iterations."""
        size = self.layout.vector_size
        players = self.layout.players
        self.worlds = self.layout.scratch(size * MOST_WORLDS, 8)
        empty = self.layout.scratch(4 * self._slots)
        w = self.function("search_begin", exported=True)
        self._forget(w, empty)
        w.store(NODES_END, self._nodes)
        w.store(WORLD, 0)
        w.store(ROOT_OPTIONS, 0)
        w.emit("do", ("drop", ("call", "new_node", 0, ("i64", 0))))
        w.give_back(0)

        w = self.function("search", "iterations", "worlds", exported=True)
        root = self._nodes
        with w.counting(0, "iterations"):
            world = w.once(load(WORLD))
            w.store(WORLD, ("i32.rem_u", add(world, 1), "worlds"))
            w.emit("copy", VECTOR, add(mul(world, size), self.worlds), size)
            w.store64(GENERATOR, ("call", "mind_next"))
            w.store(MODE, TREE)
            w.store(FRESH, 0)
            w.store(ANSWER, -1)
            w.store(ASK_ALWAYS, 0)
            w.store(PREFIX, load(STARTS_AHEAD))
            w.store(SCRIPT_AT, 0)
            w.store(CUR, root)
            w.store(PATH, 0)
            w.store(ROOT_OPTION, -1)
            with w.counting(0, self.most_sites) as site:
                w.store(cell_at(self.failures, site), 0)
            w.store(CUT, add(load(DECISIONS), load(REACH)))
            w.emit("do", ("drop", ("call", "run")))
            self._reward(w)
            w.store(root, add(load(root, 4), 1), 4)
            with w.counting(0, load(PATH)) as step:
                node = w.once(load(cell_at(self.path, step)))
                w.store(node, add(load(node, 4), 1), 4)
                for number in range(players):
                    reward = ("i64.extend_i32_u", load(self.rewards + 4 * number))
                    total = ("i64.add", load64(node, 24 + 8 * number), reward)
                    w.store64(node, total, 24 + 8 * number)
            self._note_root(w)
        w.store(MODE, STOP)
        w.store(CUT, 2**31 - 1)
        w.give_back(0)

    def _forget(self, w: Writer, empty: int) -> None:
        """Empty the table of nodes: all of it, or if they are few, where they stand."""
        used = w.once(sub(load(NODES_END), self._nodes))
        many = op("i32.gt_s", used, FEW_NODES * self.node_size)
        with w.when(many):
            w.emit("copy", self._hash, empty, 4 * self._slots)
        with w.when(no(many)):
            node = w.variable(self._nodes)
            with w.loop() as label:
                w.leave_if(label, op("i32.ge_s", node, load(NODES_END)))
                slot = self._slot_of(w, load(node), load64(node, 8))
                with w.loop() as found:
                    w.leave_if(found, eq(load(cell_at(self._hash, slot)), node))
                    w.set(slot, ("i32.and", add(slot, 1), self._slots - 1))
                w.store(cell_at(self._hash, slot), 0)
                w.set(node, add(node, self.node_size))

    def _reward(self, w: Writer) -> None:
        """What the end of a game is worth to each seat, from 0 to `ONE`."""
        players = self.layout.players
        ranking = self.game.ranking
        if ranking is not None and ranking.payoff is not None:
            bounds = ranking.payoff.bounds
            low, high = self.table.number(bounds.low), self.table.number(bounds.high)
            for seat in range(players):
                above = ("i64.extend_i32_u", sub(load(self.payoffs + 4 * seat), low))
                part = ("i64.div_u", ("i64.mul", above, ("i64", ONE)), ("i64", max(1, high - low)))
                w.store(self.rewards + 4 * seat, ("i32.wrap_i64", part))
            return
        for seat in range(players):
            better: Code = players - 1
            for other in range(players):
                if other != seat:
                    mine, theirs = load(self.ranks + 4 * seat), load(self.ranks + 4 * other)
                    better = add(better, op("i32.lt_s", mine, theirs))
                    better = sub(better, op("i32.lt_s", theirs, mine))
            share = mul(better, ONE // max(1, 2 * (players - 1)))
            w.store(self.rewards + 4 * seat, share)

    def _note_root(self, w: Writer) -> None:
        """Keep, for each option of the decision that is searched, how it went for every seat."""
        players = self.layout.players
        option = w.once(load(ROOT_OPTION))
        with w.when(op("i32.ge_s", option, 0)):
            visits = w.once(cell_at(self.root_visits, option))
            w.store(visits, add(load(visits), 1))
            winners = w.once(load(WINNERS))
            number = w.once(("i32.popcnt", winners))
            for seat in range(players):
                at = w.once(mul(add(mul(option, players), seat), 8))
                sums = w.once(add(at, self.root_sums))
                reward = ("i64.extend_i32_u", load(self.rewards + 4 * seat))
                w.store64(sums, ("i64.add", load64(sums), reward))
                with w.when(("i32.and", winners, 1 << seat)):
                    wins = w.once(add(at, self.root_wins))
                    share = ("i64.extend_i32_u", ("i32.div_u", ONE, number))
                    w.store64(wins, ("i64.add", load64(wins), share))
