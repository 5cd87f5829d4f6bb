"""Tree search inside the module: information-set Monte Carlo tree search for any number of seats.

Each iteration starts from one of several worlds, positions that agree with what the searching seat
knows. Down the tree each seat takes what has served it best so far, tempered by curiosity; from
the first new option on, chance plays to the end, or to a cut where the game's own ranking judges.
"""

from __future__ import annotations

from ruledsl.engine.choices.candidates import DecisionSites
from ruledsl.engine.code.instructions import (
    Code,
    Writer,
    add,
    both,
    cell_at,
    eq,
    load,
    load64,
    mul,
    op,
    select,
    sub,
)
from ruledsl.engine.context import Context, Part
from ruledsl.engine.memory.control import (
    ANSWER,
    ASK_ALWAYS,
    ASKED,
    CUR,
    CUT,
    CUTS,
    DEALS,
    DECISIONS,
    FRESH,
    GAINS,
    GENERATOR,
    HOW,
    HOWS,
    LEAST_REWARD,
    MIND,
    MODE,
    MOST_REWARD,
    PATH,
    PREFIX,
    REACH,
    ROOT_OPTION,
    ROOT_OPTIONS,
    ROOT_SEAT,
    SCRIPT_AT,
    SCRIPT_SIZE,
    SPREAD,
    STARTS_AHEAD,
    STOP,
    TREE,
    VECTOR,
    WINNERS,
    WORLD,
)
from ruledsl.engine.runtime.batches import ONE
from ruledsl.engine.runtime.dealing import DealingCode
from ruledsl.engine.runtime.results import Results
from ruledsl.engine.runtime.tree import TreeCode

MOST_WORLDS = 256
WIN_PART = 0.75
"""How much of a reward is for winning, the rest for those ranked behind; of two it is the same."""

MOST_LEAD = 15_000


class SearchCode(Part):
    """Writes the search."""

    def __init__(
        self,
        context: Context,
        sites: DecisionSites,
        results: Results,
        tree: TreeCode,
        dealing: DealingCode,
    ) -> None:
        super().__init__(context)
        self.sites = sites
        self.results = results
        self.tree = tree
        self.dealing = dealing

    def write_search(self) -> None:
        """Whole batches of iterations."""
        size = self.layout.vector_size
        self.worlds = self.layout.scratch(size * MOST_WORLDS, 8)
        self.rewards = self.layout.scratch(4 * self.layout.players)
        self.behind = self.layout.scratch(4 * self.layout.players)
        self.leads = self.layout.scratch(8 * self.layout.players, 8)
        self.dealing.write_dealing()
        self.tree.write_block_of_position()
        w = self.context.function("search_begin", exported=True)
        w.store64(MIND, load64(ASKED))
        for at, cell in enumerate((ROOT_SEAT, REACH, STARTS_AHEAD, SCRIPT_SIZE, DEALS)):
            w.store(cell, load(ASKED + 8 + 4 * at))
        self.tree.write_forget(w)
        w.store(WORLD, 0)
        w.store(ROOT_OPTIONS, 0)
        w.store(LEAST_REWARD, ONE)
        w.store(MOST_REWARD, 0)
        w.store(SPREAD, ONE)
        w.store(CUTS, 0)
        w.store64(GAINS, ("i64", 0))
        for seat in range(self.layout.players):
            w.store64(self.leads + 8 * seat, ("i64", 0))
        w.give_back(0)

        w = self.context.function("search", exported=True)
        worlds = w.once(load(ASKED + 4))
        with w.counting(0, load(ASKED)):
            world = w.once(load(WORLD))
            w.store(WORLD, ("i32.rem_u", add(world, 1), worlds))
            w.emit("copy", VECTOR, add(mul(world, size), self.worlds), size)
            with w.when(load(DEALS)):
                w.emit("do", ("call", "deal_again"))
            w.store64(GENERATOR, ("call", "mind_next"))
            w.store(MODE, TREE)
            w.store(FRESH, 0)
            w.store(ANSWER, -1)
            w.store(ASK_ALWAYS, 0)
            w.store(PREFIX, load(STARTS_AHEAD))
            w.store(SCRIPT_AT, 0)
            w.store(CUR, self.tree.tree)
            w.store(PATH, 0)
            w.store(ROOT_OPTION, -1)
            with w.counting(0, self.sites.most) as site:
                w.store(cell_at(self.sites.failures, site), 0)
            w.store(CUT, add(load(DECISIONS), load(REACH)))
            w.emit("do", ("drop", ("call", "run")))
            self._behind(w)
            self._reward(w)
            self._spread(w)
            self.tree.write_back_up(w, self.rewards)
            self._note_root(w)
        w.store(MODE, STOP)
        w.store(CUT, 2**31 - 1)
        w.give_back(0)

    def _behind(self, w: Writer) -> None:
        """For each seat, how many more are ranked behind it than before it, above the least."""
        players = self.layout.players
        for seat in range(players):
            better: Code = players - 1
            for other in range(players):
                if other != seat:
                    mine, theirs = (
                        load(self.results.ranks + 4 * seat),
                        load(self.results.ranks + 4 * other),
                    )
                    better = add(better, op("i32.lt_s", mine, theirs))
                    better = sub(better, op("i32.lt_s", theirs, mine))
            w.store(self.behind + 4 * seat, better)

    def _reward(self, w: Writer) -> None:
        """What the end of a game is worth to each seat, from 0 to `ONE`."""
        players = self.layout.players
        ranking = self.game.ranking
        if ranking is not None and ranking.payoff is not None:
            bounds = ranking.payoff.bounds
            low, high = self.table.number(bounds.low), self.table.number(bounds.high)
            for seat in range(players):
                above = ("i64.extend_i32_u", sub(load(self.results.payoffs + 4 * seat), low))
                part = ("i64.div_u", ("i64.mul", above, ("i64", ONE)), ("i64", max(1, high - low)))
                w.store(self.rewards + 4 * seat, ("i32.wrap_i64", part))
            return
        win_part = round(ONE * WIN_PART) if players > 2 else 0
        for seat in range(players):
            share = (ONE - win_part) // max(1, 2 * (players - 1))
            w.store(self.rewards + 4 * seat, mul(load(self.behind + 4 * seat), share))
        everybody = (1 << players) - 1
        if win_part:
            # A draw is a win shared by all.
            drawn = win_part // players
            win = w.once(select(load(WINNERS), self.results.part_of_win(w, win_part), drawn))
            winners = w.once(("select", load(WINNERS), everybody, load(WINNERS)))
            for seat in range(players):
                with w.when(("i32.and", winners, 1 << seat)):
                    reward = self.rewards + 4 * seat
                    w.store(reward, add(load(reward), win))
        for common, how, worth in ((everybody, "win", ONE), (0, "lose", 0)):
            with w.when(both(eq(load(WINNERS), common), eq(load(HOW), HOWS.index(how)))):
                for seat in range(players):
                    w.store(self.rewards + 4 * seat, worth)
        if self.results.scores and players > 1:
            with w.when(eq(load(HOW), HOWS.index("cut"))):
                self._judge(w)

    def _judge(self, w: Writer) -> None:
        """Where a playout was cut, half of a reward is for leading by more than usual.

        Otherwise whoever leads anyway would see no reason to go on. What is usual is seen in the
        playouts so far.
        """
        players = self.layout.players
        w.store(CUTS, add(load(CUTS), 1))
        number = w.once(("i64.extend_i32_u", load(CUTS)), "i64")
        gains = [w.once(self._gain(w, seat, number)) for seat in range(players)]
        for gain in gains:
            size = ("i64.extend_i32_u", _size(gain))
            w.store64(GAINS, ("i64.add", load64(GAINS), size))
        several = ("i64.mul", number, ("i64", players))
        usual = w.once(add(("i32.wrap_i64", ("i64.div_u", load64(GAINS), several)), 1))
        for seat, gain in enumerate(gains):
            reward = self.rewards + 4 * seat
            part = ("i32.div_s", mul(gain, ONE // 2), add(_size(gain), usual))
            judged = ("select", add(part, ONE // 2), 0, self._ranked(seat))
            w.store(reward, ("i32.shr_u", add(load(reward), judged), 1))

    def _gain(self, w: Writer, seat: int, number: Code) -> Code:
        """By how much more a seat leads than in the mean of so many playouts."""
        scores = self.results.scores[0]
        best = w.variable(MOST_LEAD)
        for other in range(self.layout.players):
            if other != seat:
                score = w.once(load(scores + 4 * other))
                closer = both(self._ranked(other), op("i32.lt_s", score, best))
                w.set(best, ("select", score, best, closer))
        lead = w.variable(sub(best, load(scores + 4 * seat)))
        w.set(lead, ("select", lead, MOST_LEAD, op("i32.lt_s", lead, MOST_LEAD)))
        w.set(lead, ("select", lead, -MOST_LEAD, op("i32.gt_s", lead, -MOST_LEAD)))
        total = self.leads + 8 * seat
        w.store64(total, ("i64.add", load64(total), ("i64.extend_i32_s", lead)))
        return sub(lead, ("i32.wrap_i64", ("i64.div_s", load64(total), number)))

    def _ranked(self, seat: int) -> Code:
        """Whether a seat is still one of those that are ranked."""
        return op("i32.le_s", load(self.results.tiers + 4 * seat), 1)

    def _spread(self, w: Writer) -> None:
        """How far rewards lie apart: where they are close together, so are hopes."""
        for seat in range(self.layout.players):
            reward = w.once(load(self.rewards + 4 * seat))
            with w.when(op("i32.lt_s", reward, load(LEAST_REWARD))):
                w.store(LEAST_REWARD, reward)
            with w.when(op("i32.gt_s", reward, load(MOST_REWARD))):
                w.store(MOST_REWARD, reward)
        apart = w.once(sub(load(MOST_REWARD), load(LEAST_REWARD)))
        w.store(SPREAD, ("select", apart, ONE, apart))

    def _note_root(self, w: Writer) -> None:
        """Keep, for each option of the decision that is searched, how it went for every seat."""
        players = self.layout.players
        option = w.once(load(ROOT_OPTION))
        with w.when(op("i32.ge_s", option, 0)):
            visits = w.once(cell_at(self.tree.root_visits, option))
            w.store(visits, add(load(visits), 1))
            cuts = w.once(cell_at(self.tree.root_cuts, option))
            w.store(cuts, add(load(cuts), eq(load(HOW), HOWS.index("cut"))))
            winners = w.once(load(WINNERS))
            share = w.once(self.results.part_of_win(w, ONE))
            for seat in range(players):
                at = w.once(mul(add(mul(option, players), seat), 8))
                sums = w.once(add(at, self.tree.root_sums))
                reward = ("i64.extend_i32_u", load(self.rewards + 4 * seat))
                w.store64(sums, ("i64.add", load64(sums), reward))
                order = w.once(add(at, self.tree.root_behind))
                behind = ("i64.extend_i32_u", load(self.behind + 4 * seat))
                w.store64(order, ("i64.add", load64(order), behind))
                with w.when(("i32.and", winners, 1 << seat)):
                    wins = w.once(add(at, self.tree.root_wins))
                    w.store64(wins, ("i64.add", load64(wins), ("i64.extend_i32_u", share)))


def _size(number: Code) -> Code:
    """A number without its sign."""
    return ("select", number, sub(0, number), op("i32.gt_s", number, 0))
