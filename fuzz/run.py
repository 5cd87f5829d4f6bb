"""Fuzz for a while: `python -m fuzz.run --seed 1 --inputs 20000 --mutants 200 --saves 2000`.

Inputs that take new ways through the program are changed further. What breaks a promise is written
to `--found`, by default `fuzz/found/`; once it is mended it belongs into `tests/fuzz/corpus/`.
"""

from __future__ import annotations

import argparse
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
from fuzz.mutations import changed_bytes, changed_text, words_of
from ruledsl.diagnostics.explain import all_codes, page
from ruledsl.library import SUFFIX, Library
from ruledsl.model.depth import allow_deep_rules

SECONDS = 30
"""Of the processor, for one input."""
MOST_KEPT = 3_000


class TooLong(Exception):
    """An input took too much time."""


class Fuzzing:
    """A run: what was tried, what is worth changing, and what was found."""

    def __init__(self, seed: int, found: Path) -> None:
        self.rng = random.Random(seed)
        self.folder = found
        self.edges = Edges()
        self.tried: dict[str, int] = {}
        self.found: list[str] = []
        self.kept = _first_texts()
        self.words = words_of(self.kept)
        self.clean: list[str] = []

    def checker(self, inputs: int) -> None:
        """Damaged files for the checker; those that take new ways are changed further."""
        for text in list(self.kept):
            self._check(text)
        for _ in range(inputs):
            recent = self.kept[-200:] if self.rng.random() < 0.5 else self.kept
            self._check(changed_text(self.rng.choice(recent), self.kept, self.words, self.rng))

    def _check(self, text: str) -> None:
        def examined() -> None:
            with self.edges.watched():
                game = targets.check(text)
            if game is not None and len(text) < 4_000:
                self.clean.append(text)

        if self._try("checker", text.encode("utf-8", "replace"), SUFFIX, examined):
            if self.edges.new and len(self.kept) < MOST_KEPT:
                self.kept.append(text)

    def caps(self) -> None:
        """Programs at the edges of what is allowed."""
        for name, text in edges():
            self._try("caps", text.encode(), SUFFIX, partial(_checked, text), name)

    def executors(self, mutants: int) -> None:
        """Files that check clean, played in both executors."""
        self.rng.shuffle(self.clean)
        for number, text in enumerate(dict.fromkeys(self.clean)):
            if number == mutants:
                return

            def played(text: str = text, number: int = number) -> None:
                game = targets.check(text)
                assert game is not None
                for seed in range(2):
                    targets.play(game, 2 * number + seed)

            self._try("executors", text.encode(), SUFFIX, played)

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
        self, target: str, data: bytes, end: str, attempt: Callable[[], None], name: str = ""
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


def _checked(text: str) -> None:
    targets.check(text)


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
    parser.add_argument("--mutants", type=int, default=100, help="clean files to play")
    parser.add_argument("--saves", type=int, default=2_000, help="damaged saves to read")
    parser.add_argument("--found", type=Path, default=Path("fuzz/found"))
    given = parser.parse_args()
    allow_deep_rules()
    start = time.process_time()
    fuzzing = Fuzzing(given.seed, given.found)
    fuzzing.caps()
    fuzzing.checker(given.inputs)
    fuzzing.executors(given.mutants)
    fuzzing.saves(given.saves)
    for target, number in fuzzing.tried.items():
        print(f"{target}: {number} inputs")
    print(
        f"{len(fuzzing.edges.known)} ways between functions, {len(fuzzing.kept)} inputs kept, "
        f"{len(set(fuzzing.clean))} clean, {time.process_time() - start:.0f} s of the processor"
    )
    print(f"{len(fuzzing.found)} found")
    return 1 if fuzzing.found else 0


if __name__ == "__main__":
    sys.exit(main())
