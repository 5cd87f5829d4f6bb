"""Measures how strong the computer players are, and writes it to bench/STRENGTH.md.

    python -m bench.strength [--games a,b] [--against K] [--seconds S] [--go-on]

One seat is taken by the player that is measured, all others by the other kind; from game to game it
moves on by a seat. Partners are measured as partners, and where all play together, all are alike.

A line is played until it is clear, or until its time is over. It is clear when an interval that
holds the truth in 999 of 1000 cases excludes the share of equal players: looked at after every
round, it deceives about as seldom as an interval of 95 % that is looked at once.

What was played is kept in bench/strength.json. A run measures its lines anew and leaves the others
as they are; with --go-on, it adds games to those there already.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from datetime import UTC, datetime
from math import sqrt
from pathlib import Path
from time import process_time

import attrs

import ruledsl
from bench.entries import ENTRIES
from bench.results import circumstances
from ruledsl.engine import Engine
from ruledsl.lab.simulation import play_one
from ruledsl.lab.tally import Share, share
from ruledsl.play.chance import Generator
from ruledsl.players.budget import Iterations
from ruledsl.players.follower import follower_of
from ruledsl.players.player import Player, Situation
from ruledsl.players.seats import LEVELS, Computer, computer_of, player_for
from ruledsl.table.table import Table

FILE = Path(__file__).with_name("STRENGTH.md")
ROWS = Path(__file__).with_name("strength.json")
SEED = 2024
LEAST_GAMES = 24
MOST_GAMES = 1000
CLEAR = 3.290527
"""standard errors of an interval that holds the truth in 999 of 1000 cases"""
USUAL = 1.959964

VARIANTS = ("rugrats", "secret_life", "secret_rugrats", "hameln_large")
"""shipped games that are not measured for speed"""
SKILL = (
    "tic_tac_toe",
    "connect_four",
    "breakthrough",
    "othello",
    "hex",
    "checkers",
    "chess",
    "nine_mens_morris",
    "go",
    "backgammon",
    "love_letter",
    "sushi_draft",
    "pied_piper",
    "hameln",
    "burg_appenzell",
    "ratzentanz",
    *VARIANTS,
)
"""games in which levels are compared with each other"""

PARTNERS = ("euchre",)
"""games in which those who sit opposite each other win together"""
PAYING = ("kuhn_poker", "hanabi")
"""games in which what is paid counts"""
COMMON = ("hanabi",)
"""games in which all are paid the same: all seats are taken by the player that is measured"""


@attrs.frozen
class Pairing:
    """Who is measured against whom in which game."""

    game: str
    players: int
    kind: str
    others: str

    @property
    def key(self) -> str:
        return f"{self.game} {self.players} {self.kind} {self.others}"

    @property
    def seats(self) -> int:
        """How many seats are taken by the player that is measured."""
        if self.game in COMMON:
            return self.players
        return 2 if self.game in PARTNERS else 1

    @property
    def fair(self) -> float:
        """The share of the wins that equal players would have."""
        return self.seats / self.players

    def measured(self, game: int) -> list[int]:
        """Where they sit in a game, at equal distances."""
        apart = self.players // self.seats
        return sorted((game + apart * at) % self.players for at in range(self.seats))


@attrs.define
class Row:
    """What the games of a pairing add up to so far."""

    games: int = 0
    won: float = 0.0
    """a win shared by k counts 1/k, a draw among all n players 1/n"""
    drawn: int = 0
    payoff: int = 0
    squares: int = 0
    """of pay-offs"""
    failed: int = 0
    decisions: int = 0
    seconds: float = 0.0
    """of thinking by the player that is measured"""
    spent: float = 0.0
    """seconds of whole games"""
    day: str = ""

    @property
    def counted(self) -> int:
        return self.games - self.failed

    @property
    def mean(self) -> float:
        """Of the pay-offs."""
        return self.payoff / max(1, self.counted)

    @property
    def error(self) -> float:
        """The standard error of the mean pay-off."""
        number = max(1, self.counted)
        return sqrt(max(0.0, self.squares / number - self.mean**2) / number)


@attrs.define
class Timed:
    """A player beside whom a clock runs."""

    player: Player
    row: Row

    def choose(self, situation: Situation) -> int:
        start = process_time()
        chosen = self.player.choose(situation)
        self.row.seconds += process_time() - start
        self.row.decisions += situation.count > 1
        return chosen


def pairings() -> Iterator[Pairing]:
    players = {entry.name: entry.players for entry in ENTRIES} | dict.fromkeys(VARIANTS, 4)
    for game, number in players.items():
        yield Pairing(game, number, "medium", "random")
    for kind, others in (("medium", "easy"), ("hard", "medium")):
        for game in SKILL:
            yield Pairing(game, players[game], kind, others)


# ---------------------------------------------------------------- playing


def measure(pairing: Pairing, row: Row, seconds: float) -> None:
    """Play whole rounds until it is clear who is stronger, or about so long."""
    table = Table(ruledsl.load(pairing.game).checked, pairing.players)
    follower_of(table)  # To compile takes long only once.
    random = random_payoff(table) if pairing.game in COMMON else 0.0
    begun = process_time()
    before = row.spent
    while row.games < MOST_GAMES and row.spent < before + seconds:
        play(pairing, table, row)
        row.spent = before + process_time() - begun
        whole = row.games >= LEAST_GAMES and row.games % pairing.players == 0
        if whole and clear(pairing, row, random):
            break
    row.day = f"{datetime.now(UTC):%Y-%m-%d}"


def clear(pairing: Pairing, row: Row, random: float) -> bool:
    """Whether it can be told already who is stronger."""
    if pairing.game in COMMON:
        return abs(row.mean - random) > CLEAR * row.error
    wins = share(row.won, row.counted, CLEAR)
    return not wins.low <= pairing.fair <= wins.high


def play(pairing: Pairing, table: Table, row: Row) -> None:
    at = pairing.measured(row.games)
    sitting = [pairing.kind if seat in at else pairing.others for seat in range(pairing.players)]

    def make(seat: Computer, generator: Generator) -> Player:
        player = player_for(seat, generator)
        return Timed(player, row) if seat.word == pairing.kind else player

    found = play_one(table, SEED, row.games, [computer_of(word) for word in sitting], make)
    row.games += 1
    if found.failure is not None:
        row.failed += 1
        return
    row.payoff += found.payoffs[at[0]]
    row.squares += found.payoffs[at[0]] ** 2
    if not found.winners:
        row.drawn += 1
        row.won += pairing.fair
    else:
        row.won += sum(seat + 1 in found.winners for seat in at) / len(found.winners)


def random_payoff(table: Table) -> float:
    """What random players are paid on average."""
    batch = Engine(table).batch(10_000, SEED, 0)
    payoffs = batch.sums["payoffs"]
    return sum(payoffs) / (len(payoffs) * len(batch))


# ---------------------------------------------------------------- the table


HEAD = (
    "| game | players | games | wins | 95 % interval | share | draws | clear | s per decision |",
    "|---|---:|---:|---:|---|---:|---:|---|---:|",
)
PAYOFF_HEAD = (
    "| game | player | others | games | mean pay-off | 95 % interval | of random players |",
    "|---|---|---|---:|---:|---|---:|",
)


def line(pairing: Pairing, row: Row) -> str:
    wins = share(row.won, row.counted)
    cells = (
        pairing.game + " (partners)" * (pairing.game in PARTNERS),
        str(pairing.players),
        str(row.counted),
        f"{wins.value:.1%}",
        f"{wins.low:.1%} to {wins.high:.1%}",
        f"{pairing.fair:.1%}",
        str(row.drawn),
        _told(wins, pairing, row),
        f"{row.seconds / max(1, row.decisions):.3f}",
    )
    return f"| {' | '.join(cells)} |"


def _told(wins: Share, pairing: Pairing, row: Row) -> str:
    """What the games show."""
    if clear(pairing, row, 0.0):
        return "yes" if wins.value > pairing.fair else "weaker"
    return "no" if wins.low <= pairing.fair <= wins.high else "at 95 %"


def payoff_line(pairing: Pairing, row: Row) -> str:
    """What was paid on average, beside what random players get."""
    table = Table(ruledsl.load(pairing.game).checked, pairing.players)
    low, high = row.mean - USUAL * row.error, row.mean + USUAL * row.error
    cells = (
        pairing.game,
        pairing.kind,
        "none: all are alike" if pairing.game in COMMON else pairing.others,
        str(row.counted),
        f"{row.mean:.2f}",
        f"{low:.2f} to {high:.2f}",
        f"{random_payoff(table):.2f}",
    )
    return f"| {' | '.join(cells)} |"


def shown(pairing: Pairing, row: Row) -> str:
    return (payoff_line if pairing.game in COMMON else line)(pairing, row)


EXPLAINED = """\
Written by `python -m bench.strength`. One seat, moving on from game to game, is taken by the player
that is measured, all others by the other kind; partners are measured as partners. A win shared by k
counts 1/k, a draw among n players 1/n; intervals are Wilson's. Seconds are those of the processor.

A line is played until the interval of 99.9 % excludes the fair share, which is looked at after each
round from 24 games on: then it is *clear*. Otherwise it is played until its time is over: *at 95 %*
says that the interval that is shown excludes the share, *no* that the games do not tell. Because of
this rule, wins in clear lines of few games look a little larger than they are. Lines come from
several runs, with whatever version there was; some were given more time than others."""


def report(rows: dict[str, Row], where: str) -> str:
    budgets = ", ".join(
        f"{word} {budget.number}"
        for word, budget in LEVELS.items()
        if isinstance(budget, Iterations)
    )
    lines = ["# How strong the players are", "", EXPLAINED, ""]
    lines += [f"Iterations of a search: {budgets}.", f"The last run: {where}"]
    title = ""
    for pairing in pairings():
        row = rows.get(pairing.key)
        if row is None or not row.counted or pairing.game in COMMON:
            continue
        if title != f"{pairing.kind} against {pairing.others}":
            title = f"{pairing.kind} against {pairing.others}"
            lines += ["", f"## {title.capitalize()}", "", *HEAD]
        lines.append(line(pairing, row))
    lines += ["", *_missing(rows)]
    paid = [each for each in pairings() if each.game in PAYING and each.key in rows]
    if paid:
        lines += ["", "## By pay-off", "", *PAYOFF_HEAD]
        lines += [payoff_line(pairing, rows[pairing.key]) for pairing in paid]
    return "\n".join(lines) + "\n"


def _missing(rows: dict[str, Row]) -> Iterator[str]:
    """Which lines there are not."""
    missing = [pairing for pairing in pairings() if pairing.key not in rows]
    if missing:
        yield (
            "Not measured: "
            + "; ".join(
                f"{pairing.game} ({pairing.kind} against {pairing.others})" for pairing in missing
            )
            + "."
        )


# ---------------------------------------------------------------- what was played


def read() -> dict[str, Row]:
    if not ROWS.exists():
        return {}
    return {key: Row(**value) for key, value in json.loads(ROWS.read_text()).items()}


def keep(rows: dict[str, Row], where: str) -> None:
    order = {pairing.key: at for at, pairing in enumerate(pairings())}
    known = sorted((key for key in rows if key in order), key=order.__getitem__)
    lines = [f"{json.dumps(key)}: {json.dumps(attrs.asdict(rows[key]))}" for key in known]
    ROWS.write_text("{\n" + ",\n".join(lines) + "\n}\n")
    FILE.write_text(report(rows, where))


def main() -> None:
    parser = argparse.ArgumentParser(description="How strong the computer players are.")
    parser.add_argument("--games", help="names with commas between; all without")
    parser.add_argument("--against", help="only games against these: random, easy, medium")
    parser.add_argument("--seconds", type=float, default=60.0, help="for each line, at most")
    parser.add_argument("--go-on", action="store_true", help="add to what was played before")
    asked = parser.parse_args()
    names = asked.games.split(",") if asked.games else None
    where = circumstances()
    for pairing in pairings():
        if names is not None and pairing.game not in names:
            continue
        if asked.against is not None and pairing.others not in asked.against.split(","):
            continue
        row = read().get(pairing.key, Row()) if asked.go_on else Row()
        measure(pairing, row, asked.seconds)
        print(f"{pairing.kind} against {pairing.others}: {shown(pairing, row)}", flush=True)
        # Another run may have written in the meantime.
        keep(read() | {pairing.key: row}, where)


if __name__ == "__main__":
    main()
