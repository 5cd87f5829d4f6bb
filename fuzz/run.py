"""Fuzz for a while: `python -m fuzz.run --seed 1 --inputs 20000 --mutants 200 --saves 2000`.

Inputs that take new ways through the program are changed further; those that check clean are played
in both executors. What breaks a promise is written to `--found`, by default `fuzz/found/`; once it
is mended it belongs into `tests/fuzz/corpus/`.
"""

from __future__ import annotations

import argparse
import gc
import hashlib
import random
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from fuzz import targets
from fuzz.caps import edges
from fuzz.edges import Edges
from fuzz.mutations import changed_bytes, changed_slightly, changed_text, words_of
from ruledsl.diagnostics.explain import all_codes, page
from ruledsl.library import SUFFIX, Library
from ruledsl.model.depth import allow_deep_rules
from ruledsl.model.game import CheckedGame

SECONDS = 30
"""Of the processor, for one input."""
MOST_KEPT = 3_000
WATCHED = 100
"""Of so many inputs, the ways of one are watched: that takes ten times as long as checking."""
SMALL = 600
"""Letters of most inputs for the checker: many small files find more than few large ones."""
LARGE = 200
"""Of so many inputs, one is made from a larger file."""
MOST_PLAYED = 4_000
"""Letters of a game that is played."""
GAMES = 3
"""With each file that checks clean."""
WHOLE = 10
"""Of so many files that are played, one with the whole module."""
RARELY = (100_000, 50, 1_000)
"""Garbage is looked for: what is kept from input to input is much, and none of it is garbage."""
ROUND = 10_000
"""Inputs after which there is a line about how far the run got."""


class TooLong(Exception):
    """An input took too much time."""


class Fuzzing:
    """A run: what was tried, what is worth changing, and what was found."""

    def __init__(self, seed: int, found: Path) -> None:
        self.rng = random.Random(seed)
        self.folder = found
        self.edges = Edges()
        self.tried: dict[str, int] = {}
        self.seconds: dict[str, float] = {}
        self.found: list[str] = []
        self.kept = _first_texts()
        self.small = [text for text in self.kept if len(text) <= SMALL]
        self.words = words_of(self.kept)
        self.seeds: list[str] = []
        self.played: set[bytes] = set()

    def first_checks(self) -> None:
        """The texts from which all others are made."""
        for text in list(self.kept):
            self._check(text, watched=True)

    def checker(self, inputs: int) -> None:
        """Damaged files for the checker; those that take new ways are changed further."""
        for number in range(inputs):
            kept = self.small if number % LARGE else self.kept
            text = self.rng.choice(kept[-200:] if self.rng.random() < 0.5 else kept)
            if self.rng.random() < 0.5:
                text = changed_slightly(text, self.rng)
            else:
                text = changed_text(text, self.small, self.words, self.rng)
            self._check(text, watched=number % WATCHED == 0)

    def _check(self, text: str, *, watched: bool) -> None:
        def examined() -> None:
            if watched:
                with self.edges.watched():
                    targets.check(text)
            else:
                targets.check(text)

        if self._try("checker", text.encode("utf-8", "replace"), SUFFIX, examined):
            if watched and self.edges.new and len(self.kept) < MOST_KEPT:
                self.kept.append(text)
                if len(text) <= SMALL:
                    self.small.append(text)

    def caps(self) -> None:
        """Programs at the edges of what is allowed."""
        for name, text in edges():
            self._try("caps", text.encode(), SUFFIX, partial(targets.check, text), name)

    def executors(self, mutants: int) -> None:
        """Slightly changed games that still check clean, played in both executors."""
        self.seeds = self.seeds or [text for text in self.kept if _game(text) is not None]
        left = mutants
        while left > 0:
            text = changed_slightly(self.rng.choice(self.seeds), self.rng)
            mark = hashlib.sha256(text.encode("utf-8", "replace")).digest()[:8]
            if len(text) > MOST_PLAYED or mark in self.played:
                continue
            self.played.add(mark)
            game = _game(text)
            if game is None:
                continue
            left -= 1
            first, whole = self.rng.randrange(1 << 30), left % WHOLE == 0
            played = partial(targets.play, game, first, GAMES, whole=whole)
            self._try("mutants", text.encode(), SUFFIX, played)
            # A change upon a change leads further from where the games began.
            self.seeds[self.rng.randrange(len(self.seeds) // 2, len(self.seeds))] = text

    def saves(self, inputs: int) -> None:
        """Damaged saves."""
        with TemporaryDirectory() as folder:
            file = Path(folder) / "game.save"
            whole = targets.whole_save(file)
            for _ in range(inputs):
                data = changed_bytes(whole, self.rng)
                file.write_bytes(data)
                self._try("saves", data, ".save", lambda: targets.read_save(file))
                for left in Path(folder).glob("game.save-*"):
                    left.unlink()

    def _try(
        self, target: str, data: bytes, end: str, attempt: Callable[[], object], name: str = ""
    ) -> bool:
        """Try an input; whether nothing was found."""
        self.tried[target] = self.tried.get(target, 0) + 1
        try:
            with _bounded():
                attempt()
        except Exception as error:  # noqa: BLE001 (whatever comes is what is looked for)
            what = f"{target}: {type(error).__name__}: {str(error)[:200]} {name}".strip()
            if what not in self.found:
                self.found.append(what)
                self.folder.mkdir(parents=True, exist_ok=True)
                mark = hashlib.sha256(data).hexdigest()[:12]
                (self.folder / f"{target}-{mark}{end}").write_bytes(data)
                print(f"found: {what} ({mark})", flush=True)
            return False
        return True

    def timed(self, target: str, part: Callable[[], None]) -> None:
        """A part of a run, and how long it took."""
        start = time.process_time()
        part()
        self.seconds[target] = self.seconds.get(target, 0.0) + time.process_time() - start

    def report(self) -> str:
        """How far the run got."""
        parts = [
            f"{target} {number} ({number / max(self.seconds.get(target, 0.0), 0.01):.0f}/s)"
            for target, number in self.tried.items()
        ]
        ways = f"{len(self.edges.known)} ways, {len(self.kept)} kept"
        return f"{', '.join(parts)}; {ways}; {len(self.found)} found"


def _game(text: str) -> CheckedGame | None:
    """A game that can be played; what breaks in checking is found by the checker's own turn."""
    try:
        with _bounded():
            game = targets.check(text)
    except Exception:  # noqa: BLE001
        return None
    return game if game is not None and "play" in game.steps and "choose" in text else None


@contextmanager
def _bounded() -> Iterator[None]:
    def stop(*_: object) -> None:
        raise TooLong(f"more than {SECONDS} s")

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _first_texts() -> list[str]:
    """The examples of mistakes, and the small games."""
    pages = [found for code in all_codes() if (found := page(code)) is not None]
    examples = [text for found in pages for text in (found.right, found.wrong)]
    games = sorted(source.text for source in Library().sources())
    return [*examples, *(text for text in games if len(text) < 3_000)]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m fuzz.run", description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--inputs", type=int, default=20_000, help="damaged files to check")
    parser.add_argument("--mutants", type=int, default=200, help="clean files to play")
    parser.add_argument("--saves", type=int, default=2_000, help="damaged saves to read")
    parser.add_argument("--found", type=Path, default=Path("fuzz/found"))
    given = parser.parse_args()
    allow_deep_rules()
    targets.lower_limits()
    fuzzing = Fuzzing(given.seed, given.found)
    gc.freeze()
    gc.set_threshold(*RARELY)
    fuzzing.timed("caps", fuzzing.caps)
    fuzzing.timed("checker", fuzzing.first_checks)
    parts = {
        "checker": (fuzzing.checker, given.inputs),
        "mutants": (fuzzing.executors, given.mutants),
        "saves": (fuzzing.saves, given.saves),
    }
    rounds = 1 + max(given.inputs, 20 * given.mutants) // ROUND
    for number in range(rounds):
        for target, (part, whole) in parts.items():
            share = whole * (number + 1) // rounds - whole * number // rounds
            if share:
                fuzzing.timed(target, partial(part, share))
        print(fuzzing.report(), flush=True)
    return 1 if fuzzing.found else 0


if __name__ == "__main__":
    sys.exit(main())
