"""One side of `bench.compare`: measures with whatever `ruledsl` it is given.

It asks for little, so that older checkouts can answer, too: a line of JSON in, a line out.
"""

from __future__ import annotations

import hashlib
import json
import sys
from time import process_time
from typing import Any

import ruledsl
from ruledsl.engine import Engine
from ruledsl.table.table import Table


class Worker:
    """A game at the smallest table it can be played at, and its engine."""

    table: Table
    engine: Engine

    def load(self, name: str) -> str:
        """Reads a game; tells its rules from others."""
        game = ruledsl.load(name)
        self.table = Table(game.checked, min(game.checked.players))
        return hashlib.sha256(game.source.text.encode()).hexdigest()

    def compile(self) -> float:
        """How many seconds it takes."""
        begun = process_time()
        self.engine = Engine(self.table)
        return process_time() - begun

    def play(self, seconds: float, turn: int) -> float:
        """How many games are played in a second, for about so many."""
        done, count = 0, 1
        begun = process_time()
        while (passed := process_time() - begun) < seconds:
            self.engine.rollouts(count, turn * 1_000_000 + done)
            done += count
            count = max(1, min(2 * count, int(done / max(passed, 1e-6) * seconds / 20)))
        return done / passed


def main() -> None:
    worker = Worker()
    for line in sys.stdin:
        word, *others = json.loads(line)
        answer: Any = None
        try:
            answer = getattr(worker, word)(*others)
        except Exception as error:  # noqa: BLE001 - an older checkout may not know the game
            print(f"{word} {others}: {error!r}", file=sys.stderr)
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
