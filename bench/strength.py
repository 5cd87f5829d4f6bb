"""Measures how strong the computer players are, and writes it to bench/STRENGTH.md.

    python -m bench.strength [--games a,b] [--against K] [--seconds S] [--rows FILE]

One seat is taken by the player that is measured, all others by the other kind; from game to game it
moves on by a seat. How many games are played depends on how long the first takes, not on who wins.
Rows are kept in a file from run to run: games are added to those there already.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from math import sqrt
from pathlib import Path
from time import process_time

import attrs

import ruledsl
from bench.games import ENTRIES
from bench.results import circumstances
from ruledsl.engine import Engine
from ruledsl.lab.simulation import play_one, share
from ruledsl.play.chance import Generator
from ruledsl.players.budget import Iterations
from ruledsl.players.follower import follower_of
from ruledsl.players.player import Player, Situation
from ruledsl.players.seats import LEVELS, Computer, computer_of, player_for
from ruledsl.table.table import Table

FILE = Path(__file__).parent / "STRENGTH.md"
SEED = 2024
MOST_GAMES = 200

VARIANTS = ("rugrats", "secret_life", "secret_rugrats", "hameln_compact")
"""shipped games that are not measured for speed"""
SKILL = (
    "tic_tac_toe",
    "connect_four",
    "breakthrough",
    "othello",
    "hex",
    "checkers",
    "nine_mens_morris",
    "love_letter",
    "sushi_draft",
    "pied_piper",
)
"""games in which levels are compared with each other"""

PAYING = ("kuhn_poker", "hanabi")
"""games in which what is paid counts; in the second all are paid the same"""


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
    # All play together: who is measured needs partners who listen.
    yield Pairing("hanabi", players["hanabi"], "medium", "medium")
    for kind, others in (("medium", "easy"), ("hard", "medium")):
        for game in SKILL:
            yield Pairing(game, players[game], kind, others)


def measure(pairing: Pairing, row: Row, seconds: float) -> None:
    """Play about so long: whole rounds, unless a round takes longer."""
    table = Table(ruledsl.load(pairing.game).checked, pairing.players)
    follower_of(table)  # To compile takes long only once.
    begun = process_time()
    play(pairing, table, row)
    more = int(seconds / max(0.001, process_time() - begun))
    wanted = min(MOST_GAMES, row.games - 1 + max(1, more))
    if wanted > pairing.players:
        wanted -= wanted % pairing.players
    while row.games < wanted:
        play(pairing, table, row)


def play(pairing: Pairing, table: Table, row: Row) -> None:
    at = row.games % pairing.players
    sitting = [pairing.kind if seat == at else pairing.others for seat in range(pairing.players)]

    def make(seat: Computer, generator: Generator) -> Player:
        player = player_for(seat, generator)
        return Timed(player, row) if seat.word == pairing.kind else player

    found = play_one(table, SEED, row.games, [computer_of(word) for word in sitting], make)
    row.games += 1
    if found.failure is not None:
        row.failed += 1
        return
    row.payoff += found.payoffs[at]
    row.squares += found.payoffs[at] ** 2
    if not found.winners:
        row.drawn += 1
        row.won += 1 / pairing.players
    elif at + 1 in found.winners:
        row.won += 1 / len(found.winners)


# ---------------------------------------------------------------- the table


HEAD = (
    "| game | players | games | wins | 95 % interval | its share | draws | seconds per decision |",
    "|---|---:|---:|---:|---|---:|---:|---:|",
)
PAYOFF_HEAD = (
    "| game | player | others | games | mean pay-off | 95 % interval | of random players |",
    "|---|---|---|---:|---:|---|---:|",
)


def line(pairing: Pairing, row: Row) -> str:
    wins = share(row.won, row.games - row.failed)
    cells = (
        pairing.game,
        str(pairing.players),
        str(row.games - row.failed),
        f"{wins.value:.1%}",
        f"{wins.low:.1%} to {wins.high:.1%}",
        f"{1 / pairing.players:.1%}",
        str(row.drawn),
        f"{row.seconds / max(1, row.decisions):.3f}",
    )
    return f"| {' | '.join(cells)} |"


def payoffs(rows: dict[str, Row]) -> Iterator[str]:
    """What was paid on average, beside what random players get."""
    for pairing in pairings():
        row = rows.get(pairing.key)
        if pairing.game not in PAYING or row is None:
            continue
        mean = row.payoff / row.games
        half = 1.96 * sqrt(max(0.0, row.squares / row.games - mean**2) / row.games)
        interval = f"{mean - half:.2f} to {mean + half:.2f}"
        others = f"{random_payoff(pairing):.2f}"
        cells = (pairing.game, pairing.kind, pairing.others, str(row.games), f"{mean:.2f}")
        yield f"| {' | '.join((*cells, interval, others))} |"


def random_payoff(pairing: Pairing) -> float:
    table = Table(ruledsl.load(pairing.game).checked, pairing.players)
    batch = Engine(table).batch(10_000, SEED, 0)
    return sum(map(sum, batch.payoffs)) / (pairing.players * len(batch))


def report(rows: dict[str, Row]) -> str:
    budgets = ", ".join(
        f"{word} {budget.number}"
        for word, budget in LEVELS.items()
        if isinstance(budget, Iterations)
    )
    lines = [
        "# How strong the players are",
        "",
        "Written by `python -m bench.strength`. One seat, moving on from game to game, is taken by",
        "the player that is measured, all others by the other kind. A win shared by k counts 1/k,",
        "a draw among n players 1/n; intervals are Wilson's. Seconds are those of the processor.",
        "",
        f"Iterations of a search: {budgets}.",
        circumstances(),
    ]
    title = ""
    for pairing in pairings():
        row = rows.get(pairing.key)
        if row is None or row.games == row.failed or pairing.kind == pairing.others:
            continue
        if title != f"{pairing.kind} against {pairing.others}":
            title = f"{pairing.kind} against {pairing.others}"
            lines += ["", f"## {title.capitalize()}", "", *HEAD]
        lines.append(line(pairing, row))
    paid = [*payoffs(rows)]
    if paid:
        lines += ["", "## By pay-off", "", *PAYOFF_HEAD, *paid]
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description="How strong the computer players are.")
    parser.add_argument("--games", help="names with commas between; all without")
    parser.add_argument("--against", help="only games against these: random, easy, medium")
    parser.add_argument("--seconds", type=float, default=60.0, help="for each line, roughly")
    parser.add_argument("--rows", type=Path, help="a file that keeps what was played")
    asked = parser.parse_args()
    names = asked.games.split(",") if asked.games else None
    rows: dict[str, Row] = {}
    if asked.rows is not None and asked.rows.exists():
        rows = {key: Row(**value) for key, value in json.loads(asked.rows.read_text()).items()}
    for pairing in pairings():
        if names is not None and pairing.game not in names:
            continue
        if asked.against is not None and pairing.others not in asked.against.split(","):
            continue
        row = rows.setdefault(pairing.key, Row())
        measure(pairing, row, asked.seconds)
        print(f"{pairing.kind} against {pairing.others}: {line(pairing, row)}", flush=True)
        if asked.rows is not None:
            asked.rows.write_text(json.dumps({key: attrs.asdict(row) for key, row in rows.items()}))
        FILE.write_text(report(rows))


if __name__ == "__main__":
    main()
