"""What every game's module has: chance, lists, who decides, the run, its result, and batches."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator

import attrs

from ruledsl.engine.code.instructions import (
    GOLDEN,
    Code,
    Function,
    Width,
    Writer,
    add,
    both,
    cell_at,
    either,
    eq,
    item,
    load,
    load64,
    mul,
    ne,
    no,
    op,
    select,
    signed,
    sub,
)
from ruledsl.engine.expressions.lowering import OVER, STOPPED, Env
from ruledsl.engine.memory.layout import (
    ANSWER,
    ASK_ALWAYS,
    ASKED,
    CHOICES,
    CHOOSER,
    DECISIONS,
    ERROR,
    FRESH,
    GENERATOR,
    GROUPS_ASKED,
    HOW,
    HOWS,
    MIND,
    MODE,
    NO_NUMBER,
    OPTIONS_SEEN,
    OUT,
    PLAYING,
    RANDOM,
    SEAT,
    SITE,
    STOP,
    SUSPECT,
    TREE,
    VECTOR,
    WINNERS,
    WON,
    category,
    none_of,
)
from ruledsl.engine.procedures.frames import Context, Machine
from ruledsl.engine.procedures.together import Together
from ruledsl.engine.runtime.trials import TrialCode

ROWS = 4096
"""Games that one call plays at most."""
ONE = 1 << 16
"""A whole win, or the best reward: shares are counted in parts of it."""
SUSPICION = ("suspect", "something looked wrong", None)
"""The error of a game in which rules may have gone wrong."""
FEW_PLAYERS = 4
"""So few are ranked without a loop."""
DEEPEST = 64
"""Decisions that counting goes down at most."""

_STREAMS = 0xD1342543DE82EF95


@attrs.frozen
class Teams:
    """Where it is noted, by seat, what a team has in common, and which of its seats is best."""

    team: int
    best: int


class Runtime(Together):
    """Writes the functions that are the same for all games, and the run of this one."""

    trial: TrialCode | None = None
    """what tests ask for beside the game"""

    def write_all(self) -> None:
        """The whole program."""
        self._chance("next", "below", GENERATOR)
        self._chance("mind_next", "mind_below", MIND)
        if self.trial is not None:
            self.trial.write_fate()
        self._numbers_and_lists()
        self.write_nth_bits()
        self.write_seeing()
        self.write_shuffle()
        self.write_moving_functions()
        self.write_move_quietly()
        self.write_histories()
        self.write_depth()
        self.write_arrange()
        self.write_alike()
        self.write_picking()
        self._result()
        self.write_tree()
        self._decide()
        self._run()
        if self.trial is not None:
            self.trial.write_facts()
        self.write_mark_apart()
        self.write_boards()

    # ------------------------------------------------------------ chance

    def _chance(self, next_name: str, below_name: str, state: int) -> None:
        function = self.program.add(Function(next_name, [], "i64"))
        w = Writer(function)
        w.store64(state, ("i64.add", load64(state), ("i64", GOLDEN)))
        z = w.variable(load64(state), "i64")
        for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
            mixed = ("i64.xor", z, ("i64.shr_u", z, ("i64", shift)))
            w.set(z, ("i64.mul", mixed, ("i64", signed(factor))))
        w.give_back(("i64.xor", z, ("i64.shr_u", z, ("i64", 31))))

        w = self.function(below_name, "limit")
        limit = w.variable(("i64.extend_i32_u", "limit"), "i64")
        scaled = w.variable(("i64", 0), "i64")
        threshold = w.temp("i64")
        with w.loop() as label:
            upper = ("i64.shr_u", ("call", next_name), ("i64", 32))
            w.set(scaled, ("i64.mul", upper, limit))
            low = ("i64.and", scaled, ("i64", 0xFFFFFFFF))
            # The exact threshold is needed only where the lower half is small.
            w.leave_if(label, ("i64.ge_u", low, limit))
            w.set(threshold, ("i64.rem_u", ("i64", 1 << 32), limit))
            w.leave_if(label, ("i64.ge_u", low, threshold))
        w.give_back(("i32.wrap_i64", ("i64.shr_u", scaled, ("i64", 32))))

    # ------------------------------------------------------------ numbers and lists

    def _numbers_and_lists(self) -> None:
        w = self.function("fail", "site", result=False)
        w.store(ERROR, "site")

        w = self.function("divide", "left", "right")
        quotient = w.variable(("i32.div_s", "left", "right"))
        rest = sub("left", ("i32.mul", quotient, "right"))
        apart = op("i32.lt_s", ("i32.xor", "left", "right"), 0)
        with w.when(both(ne(rest, 0), apart)):
            w.set(quotient, sub(quotient, 1))
        w.give_back(quotient)

        w = self.function("modulo", "left", "right")
        w.give_back(sub("left", ("i32.mul", ("call", "divide", "left", "right"), "right")))

        w = self.function("append_new", "list", "value", result=False)
        number = w.once(load("list"))
        with (
            w.counting(0, number) as at,
            w.when(eq(item("list", at), "value")),
        ):
            w.give_back()
        w.store(add(add("list", mul(number, 4)), 4), "value")
        w.store("list", add(number, 1))

        w = self.function("insert", "list", "value", result=False)
        at = w.variable(load("list"))
        with w.loop() as label:
            w.leave_if(label, no(at))
            before = w.once(load(add("list", mul(at, 4))))
            with w.when(eq(before, "value")):
                # It is there already: move the others back.
                with w.counting(add(at, 1), add(load("list"), 1)) as back:
                    here = w.once(add("list", mul(back, 4)))
                    w.store(here, load(here, 4))
                w.give_back()
            w.leave_if(label, op("i32.lt_s", before, "value"))
            w.store(add(add("list", mul(at, 4)), 4), before)
            w.set(at, sub(at, 1))
        w.store(add(add("list", mul(at, 4)), 4), "value")
        w.store("list", add(load("list"), 1))

        w = self.function("next_player", "player")
        first, players = self.layout.first_player, self.layout.players
        with w.when(op("i32.lt_s", "player", 0)):
            w.give_back(-1)
        at = w.variable(sub("player", first))
        with w.counting(1, players):
            w.set(at, add(at, 1))
            with w.when(eq(at, players)):
                w.set(at, 0)
            with w.when(("i32.and", ("i32.shr_u", load(PLAYING), at), 1)):
                w.give_back(add(at, first))
        w.give_back("player")

    # ------------------------------------------------------------ decisions

    @abstractmethod
    def write_tree(self) -> None:
        """What decisions and rolls ask of the search tree."""

    def _decide(self) -> None:
        """The answer to a decision, or -1 to stop for it."""
        w = self.function("decide", "seat", "site", "number")
        with w.when(("i32.and", load(MODE), RANDOM)):
            w.store(CHOICES, add(load(CHOICES), 1))
            w.store(OPTIONS_SEEN, add(load(OPTIONS_SEEN), "number"))
            w.give_back(("call", "mind_below", "number"))
        with w.when(eq(load(MODE), TREE)):
            w.give_back(("call", "tree_decide", "seat", "site", "number"))
        answer = w.variable(load(ANSWER))
        w.store(ANSWER, -1)
        w.store(SEAT, "seat")
        w.store(SITE, "site")
        w.store(GROUPS_ASKED, "number")
        w.give_back(answer)

    # ------------------------------------------------------------ the run

    def _run(self) -> None:
        """From wherever the position is to the next stop, or to the end."""
        frame = self.frame("run", "", "main")
        function = self.program.add(Function("run", [], exported=True))
        w = Writer(function)
        m = Machine(w, frame)
        status = w.temp()
        if "setup" in self.game.steps:
            name = self.step_function(self.game.steps["setup"], "quiet")
            self._call_main(m, "setup", "quiet", name, status)
        name = self.step_function(self.game.steps["play"], "main")
        self._call_main(m, "play", "main", name, status)
        with w.when(no(load(HOW))):
            w.store(HOW, HOWS.index("the rules"))
        w.emit("do", ("call", "finish"))
        w.give_back(OVER)
        if self.trial is not None:
            self.trial.write_starts(m)

    def _call_main(self, m: Machine, step: str, context: Context, name: str, status: str) -> None:
        w = m.w
        if self.stops("step", step, context):
            w.store(self.frame("step", step, context).resume, 0)
            m.resume_point()
        w.set(status, ("call", name))
        with w.when(eq(status, STOPPED)):
            w.give_back(STOPPED)
        with w.when(eq(status, OVER)):
            w.emit("do", ("call", "finish"))
            w.give_back(OVER)

    # ------------------------------------------------------------ results

    def _result(self) -> None:
        """Ranks, pay-offs and winners of a game that is over."""
        players = self.layout.players
        first = self.layout.first_player
        self.ranks = self.layout.scratch(4 * players)
        self.payoffs = self.layout.scratch(4 * players)
        tiers = self.tiers = self.layout.scratch(4 * players)
        ranking = self.game.ranking
        keys = () if ranking is None else ranking.keys
        scores = self.scores = [self.layout.scratch(4 * players) for _ in keys]
        """for each line of the ranking, what each seat has; the lowest is best"""
        w = self.function("finish", result=False)
        w.store(CHOOSER, -1)
        self.know_stop(w)
        drawn = w.once(self._ended("limit", "draw"))
        teams = self._teams(w)
        # Tiers: those who won, those who are ranked, those who stayed, those who left.
        for seat in self._seats(w):
            w.store(cell_at(tiers, seat), 2)
            for base in scores:
                w.store(cell_at(base, seat), 0)
        with w.counting(0, load(OUT)) as at:
            seat_out = w.once(load(cell_at(self.layout.out_list, at)))
            w.store(cell_at(tiers, seat_out), sub(3 + players, at))
        if ranking is not None:

            def rank(player: Code) -> None:
                player = w.once(player)
                seat = w.once(sub(player, first))
                env: Env = {ranking.local.number: player}
                w.store(cell_at(tiers, seat), 1)
                for key, base in zip(keys, scores, strict=True):
                    value = w.once(self.number(w, key.value, env))
                    if key.way == "highest":
                        value = w.once(sub(0, value))
                    w.store(cell_at(base, seat), value)

            self.set(w, ranking.domain, {}).each(w, rank)
        last = w.once(select(self._ended("lose"), 4 + 2 * players, 0))
        for seat in self._seats(w):
            with w.when(("i32.and", ("i32.shr_u", load(WON), seat), 1)):
                w.store(cell_at(tiers, seat), last)
                for base in scores:
                    w.store(cell_at(base, seat), 0)
        if teams is not None:
            self._best_of_teams(w, teams)
        winners = w.variable(0)

        def best(seat: Code) -> Code:
            """Who stands for a seat: the best of its team."""
            return seat if teams is None else load(cell_at(teams.best, seat))

        for seat in self._seats(w):
            rank_of = w.variable(1)
            with w.when(no(drawn)):
                for other in self._seats(w):
                    if other == seat:
                        continue
                    w.set(rank_of, add(rank_of, self._better(best(other), best(seat))))
            w.store(cell_at(self.ranks, seat), rank_of)
            w.store(cell_at(self.payoffs, seat), sub(0, rank_of))
            with w.when(eq(rank_of, 1)):
                w.set(winners, ("i32.or", winners, ("i32.shl", 1, seat)))
        self._without_winners(w, winners, teams)
        if ranking is not None and ranking.payoff is not None:
            payoff = ranking.payoff
            low, high = self.table.number(payoff.bounds.low), self.table.number(payoff.bounds.high)
            for seat in self._seats(w):
                around: Env = {ranking.local.number: w.once(add(seat, first))}
                worth = w.once(self.number(w, payoff.value, around))
                if self.checked:
                    with w.when(("i32.gt_u", sub(worth, low), high - low)):
                        text = f"a payoff lies outside {low}..{high}"
                        self.fail(w, "range", text, payoff.value.span)
                w.store(cell_at(self.payoffs, seat), worth)
        w.store(WINNERS, winners)

    def _ended(self, *hows: str) -> Code:
        """Whether the game ended in one of these ways."""
        found: Code = 0
        for how in hows:
            found = either(found, eq(load(HOW), HOWS.index(how)))
        return found

    def _better(self, one: Code, other: Code) -> Code:
        """Whether one seat stands before another one, teams apart."""
        better: Code = 0
        for base in reversed([self.tiers, *self.scores]):
            left, right = load(cell_at(base, one)), load(cell_at(base, other))
            better = either(op("i32.lt_s", left, right), both(eq(left, right), better))
        return better

    def _teams(self, w: Writer) -> Teams | None:
        """What the players of a team have in common; who was named, was named for all of it."""
        ranking = self.game.ranking
        if ranking is None or ranking.team is None:
            return None
        players = self.layout.players
        teams = Teams(self.layout.scratch(4 * players), self.layout.scratch(4 * players))
        none = none_of(category(ranking.team.type))
        for seat in self._seats(w):
            env: Env = {ranking.local.number: w.once(add(seat, self.layout.first_player))}
            value = w.once(self.value(w, ranking.team, env))
            # Who has no team is one; no number of a thing or in a game is so low.
            alone = add(seat, NO_NUMBER + 1)
            w.store(cell_at(teams.team, seat), select(eq(value, none), alone, value))
        named = w.once(load(WON))
        for seat in self._seats(w):
            with w.when(("i32.and", ("i32.shr_u", named, seat), 1)):
                for mate in self._mates(w, teams, seat):
                    w.store(WON, ("i32.or", load(WON), ("i32.shl", 1, mate)))
        return teams

    def _mates(self, w: Writer, teams: Teams, seat: Code) -> Iterator[Code]:
        """All of the team of a seat."""
        mine = w.once(load(cell_at(teams.team, seat)))
        count = w.counting(0, self.layout.players)
        with count as other, w.when(eq(load(cell_at(teams.team, other)), mine)):
            yield other

    def _best_of_teams(self, w: Writer, teams: Teams) -> None:
        for seat in self._seats(w):
            best = w.variable(seat)
            for mate in self._mates(w, teams, seat):
                with w.when(self._better(mate, best)):
                    w.set(best, mate)
            w.store(cell_at(teams.best, seat), best)

    def _without_winners(self, w: Writer, winners: str, teams: Teams | None) -> None:
        """Where all share the first rank, or several do who must not, nobody has won."""
        players = self.layout.players
        everybody = eq(winners, (1 << players) - 1)
        ranking = self.game.ranking
        if ranking is not None and ranking.no_tie:
            decided = either(
                self._ended("win", "limit", "draw", "cut"), both(everybody, self._ended("lose"))
            )
            with w.when(both(self._tied(w, winners, teams), no(decided))):
                w.store(HOW, HOWS.index("draw"))
                w.set(winners, 0)
                self._all_rank(w, 1)
        with w.when(both(everybody, no(self._ended("win")))):
            w.set(winners, 0)
            with w.when(self._ended("lose")):
                self._all_rank(w, players)

    def _tied(self, w: Writer, winners: str, teams: Teams | None) -> Code:
        """Whether several share the first rank, who are not of one team."""
        if teams is None:
            return op("i32.gt_u", ("i32.popcnt", winners), 1)
        first = w.once(load(cell_at(teams.team, ("i32.ctz", winners))))
        apart = w.variable(0)
        for seat in self._seats(w):
            won = ("i32.and", ("i32.shr_u", winners, seat), 1)
            with w.when(both(won, ne(load(cell_at(teams.team, seat)), first))):
                w.set(apart, 1)
        return apart

    def part_of_win(self, w: Writer, whole: int) -> Code:
        """What a winner gets: all of it, or a part where the ranking left a tie."""
        ranking = self.game.ranking
        if ranking is not None and ranking.team is not None:
            return whole
        number = w.once(("i32.popcnt", load(WINNERS)))
        part = ("i32.div_u", whole, add(number, no(number)))
        return select(self._ended("win"), whole, part)

    def _all_rank(self, w: Writer, rank: int) -> None:
        for seat in self._seats(w):
            w.store(cell_at(self.ranks, seat), rank)
            w.store(cell_at(self.payoffs, seat), -rank)

    def _seats(self, w: Writer) -> Iterator[Code]:
        """Every seat: written out for a few, in a loop for more."""
        if self.layout.players <= FEW_PLAYERS:
            yield from range(self.layout.players)
        else:
            with w.counting(0, self.layout.players) as seat:
                yield seat

    # ------------------------------------------------------------ batches

    def write_batches(self, start: int) -> None:
        """Whole batches of games, and counting moves; `start` holds the first position."""
        size = self.layout.vector_size
        players = self.layout.players
        self.row_cells = 5 + 2 * players
        self.rows = self.layout.scratch(4 * self.row_cells * ROWS)
        self.played = self.layout.scratch(4)
        self.won = self.layout.scratch(8 * players, 8)
        """for each seat, the sum of its shares in games won"""
        params: list[tuple[str, Width]] = [("seed", "i64"), ("first", "i32")]
        params += [("games", "i32"), ("mode", "i32")]
        function = Function("playouts", params, exported=True)
        w = Writer(self.program.add(function))
        w.store(MODE, "mode")
        w.store(ASK_ALWAYS, 0)
        w.store(self.played, 0)
        row = w.variable(self.rows)
        with w.counting(0, "games") as game:
            stream = ("i64.mul", "seed", ("i64", signed(_STREAMS)))
            twice = ("i64.mul", ("i64.extend_i32_u", add("first", game)), ("i64", 2))
            base = w.once(("i64.add", stream, twice), "i64")
            w.emit("copy", VECTOR, start, size)
            # Chance and players have generators of their own, each started by a first draw.
            w.store64(GENERATOR, base)
            seeded = w.once(("call", "next"), "i64")
            w.store64(MIND, ("i64.add", base, ("i64", 1)))
            minded = w.once(("call", "mind_next"), "i64")
            w.store64(GENERATOR, seeded)
            w.store64(MIND, minded)
            w.store(CHOICES, 0)
            w.store(OPTIONS_SEEN, 0)
            with w.counting(0, self.most_sites) as site:
                w.store(cell_at(self.failures, site), 0)
            if self.lightly:
                w.store(SUSPECT, 0)
            w.emit("do", ("drop", ("call", "run")))
            if self.lightly:
                with w.when(load(SUSPECT)):
                    w.store(MODE, STOP)
                    w.give_back(0)
            w.store(row, load(HOW))
            w.store(row, load(WINNERS), 4)
            w.store(row, load(CHOICES), 8)
            w.store(row, load(OPTIONS_SEEN), 12)
            w.store(row, load(DECISIONS), 16)
            w.emit("copy", add(row, 20), self.ranks, 4 * players)
            w.emit("copy", add(row, 20 + 4 * players), self.payoffs, 4 * players)
            w.set(row, add(row, 4 * self.row_cells))
            w.store(self.played, add(game, 1))
            with w.when(load(WINNERS)):
                share = w.once(self.part_of_win(w, ONE))
                for player in range(players):
                    with w.when(("i32.and", load(WINNERS), 1 << player)):
                        wins = self.won + 8 * player
                        more = ("i64.add", load64(wins), ("i64.extend_i32_u", share))
                        w.store64(wins, more)
        w.store(MODE, STOP)
        w.give_back(0)

        w = self.function("start", exported=True)
        w.emit("copy", VECTOR, start, size)
        w.store64(GENERATOR, load64(ASKED))
        w.store(MODE, STOP)
        w.store(ASK_ALWAYS, load(ASKED + 8))
        w.store(SUSPECT, 0)
        w.store(ANSWER, -1)
        w.store(FRESH, 0)
        w.give_back(("call", "run"))

        # Leaves so many decisions below the position.
        self.stack = self.layout.scratch(size * (DEEPEST + 1), 8)
        function = Function("perft", [("depth", "i32"), ("level", "i32")], "i64", exported=True)
        w = Writer(self.program.add(function))
        with w.when(eq("depth", 1)):
            w.give_back(("i64.extend_i32_u", load(GROUPS_ASKED)))
        here = w.once(add(mul("level", size), self.stack))
        w.emit("copy", here, VECTOR, size)
        total = w.variable(("i64", 0), "i64")
        number = w.once(load(GROUPS_ASKED))
        with w.counting(0, number) as option:
            with w.when(option):
                w.emit("copy", VECTOR, here, size)
                w.store(FRESH, 0)
            w.store(ANSWER, option)
            with w.when(eq(("call", "run"), STOPPED)):
                deeper = ("call", "perft", sub("depth", 1), add("level", 1))
                w.set(total, ("i64.add", total, deeper))
        w.emit("copy", VECTOR, here, size)
        w.store(FRESH, 0)
        w.store(GROUPS_ASKED, number)
        w.give_back(total)

        # The same by turns: those of a seat end when another one has to decide, or nobody.
        params = [("depth", "i32"), ("level", "i32")]
        function = Function("perft_turns", params, "i64", exported=True)
        w = Writer(self.program.add(function))
        with w.when(op("i32.gt_s", "level", DEEPEST)):
            text = f"more than {DEEPEST} decisions have to be counted through"
            self.fail(w, "depth", text, None)
        here = w.once(add(mul("level", size), self.stack))
        w.emit("copy", here, VECTOR, size)
        total = w.variable(("i64", 0), "i64")
        number = w.once(load(GROUPS_ASKED))
        seat = w.once(load(SEAT))
        with w.counting(0, number) as option:
            with w.when(option):
                w.emit("copy", VECTOR, here, size)
                w.store(FRESH, 0)
            w.store(ANSWER, option)
            stopped = w.once(eq(("call", "run"), STOPPED))
            left = w.once(sub("depth", either(no(stopped), ne(load(SEAT), seat))))
            with w.when(no(left)):
                w.set(total, ("i64.add", total, ("i64", 1)))
            with w.when(both(stopped, ne(left, 0))):
                deeper = ("call", "perft_turns", left, add("level", 1))
                w.set(total, ("i64.add", total, deeper))
        w.emit("copy", VECTOR, here, size)
        w.store(FRESH, 0)
        w.store(GROUPS_ASKED, number)
        w.store(SEAT, seat)
        w.give_back(total)
