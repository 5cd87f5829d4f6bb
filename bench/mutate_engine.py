"""Shows how well the tests guard the engine.

Makes one small change to a module of the engine at a time: flips a comparison, swaps `and` and
`or`, `+` and `-`, one operation of low-level code and its neighbour, adds one to a number, turns a
condition round, drops a statement. Whatever runs the changed line is tried, cheapest first, until
something fails: programs that are made up and games in both executors, tests. Prints the share of
changes that are noticed, and those that are not. Changes that can make no difference are named in
`bench/equivalent_changes.txt`, with a reason.

    python -m bench.mutate_engine --limit 300 --seed 1

Everything happens in a copy of the tree, so work can go on. First it is noted which lines each
program, game and test runs, which takes some minutes; `--map` keeps that for the next time.
"""

from __future__ import annotations

import argparse
import gc
import os
import shutil
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

import attrs
import pytest

from bench.mutation.changes import Change, changes
from bench.mutation.held import functions_held
from bench.mutation.judge import (
    ENOUGH,
    TESTS,
    Asked,
    Judge,
    Noticing,
    Verdict,
    exchange,
    exchangeable,
    import_changed,
    in_fork,
    judged,
)

ROOT = Path(__file__).parents[1]
PARTS = (
    "ruledsl",
    "cli",
    "games",
    "grammar",
    "tests",
    "docs",
    "bench",
    "README.md",
    "pyproject.toml",
)
INSIDE = ("cli", "games", "grammar")
"""Folders that are installed as parts of the package."""
SLOWER = "Slower at most: "
"""So begins the reason of a change that makes no game go otherwise, but takes or saves time."""
EQUIVALENT = Path(__file__).with_name("equivalent_changes.txt")


def lay_out(folder: Path) -> None:
    """A copy of the tree, in which the package can be imported."""
    for part in PARTS:
        source = ROOT / part
        if source.is_dir():
            ignored = shutil.ignore_patterns("__pycache__", "*.egg-info")
            shutil.copytree(source, folder / part, ignore=ignored)
        else:
            shutil.copy(source, folder / part)
    for part in INSIDE:
        (folder / "ruledsl" / part).symlink_to(folder / part)


def known_equivalents() -> dict[str, str]:
    """Changes that can make no difference, and why: the comment above them."""
    found: dict[str, str] = {}
    reason = ""
    for line in EQUIVALENT.read_text("utf-8").splitlines():
        if line.startswith("# "):
            reason = line[2:]
        elif line:
            found[line] = reason
    return found


@attrs.define
class Session:
    """Changes to judge in a copy of the tree, and what came out."""

    folder: Path
    kept: Path
    """where it is noted which lines everything runs"""
    results: Path
    asked: Asked
    tests: Sequence[str]
    enough: float
    noticing: Noticing = attrs.field(factory=lambda: defaultdict(Counter), init=False)

    def judge(self, work: Callable[[Judge], None]) -> Judge:
        return Judge(self.folder, work, self.enough, self.noticing)

    def collect(self, judge: Judge) -> int:
        """Have pytest collect the tests and hand them to the judge."""
        paths = [f"tests/{test}" for test in self.tests]
        quiet = ["-q", "-s", "-p", "no:cacheprovider", "-p", "no:faulthandler"]
        return int(pytest.main([*quiet, *paths], plugins=[judge]))

    def all_at_once(self, inner: Sequence[tuple[int, Change]]) -> int:
        """Judge changes inside functions; everything is imported once."""

        def work(judge: Judge) -> None:
            judge.look_around(self.kept, self.asked)
            held = functions_held()
            gc.freeze()
            for number, change in inner:

                def in_child(change: Change = change) -> int:
                    exchange(change, held)
                    return judge.try_all(change)

                self.note(number, judged(change, self.folder, in_child))

        return self.collect(self.judge(work))

    def one(self, number: int, change: Change) -> None:
        """Judge a change that can't be exchanged; everything is imported with it."""

        def in_child() -> int:
            found = [1]

            def work(judge: Judge) -> None:
                judge.look_around(self.kept, self.asked)
                found[0] = judge.try_all(change)

            import_changed(change)
            self.collect(self.judge(work))
            return found[0]

        self.note(number, judged(change, self.folder, in_child))

    def note(self, number: int, verdict: Verdict) -> None:
        module = str(verdict.change.module.relative_to(self.folder))
        self.noticing[module][verdict.by] += 1
        where = f"{module}:{verdict.change.line}"
        how = verdict.how or (f"{verdict.left} NOT TRIED" if verdict.left else "SURVIVED")
        print(
            f"{number:4} {verdict.seconds:5.1f} s {verdict.tried:3} tried {where}: "
            f"{verdict.change.words}: {how}",
            flush=True,
        )
        with self.results.open("a") as file:
            print(number, verdict.left, verdict.how, sep="\t", file=file)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--limit", type=int, default=300, help="how many changes to make")
    parser.add_argument("--seed", type=int, default=1, help="which of all changes")
    parser.add_argument("--only", default="", help="a part of the names of changes to make")
    parser.add_argument("--these", type=Path, help="a file that names the changes to make")
    parser.add_argument("--skip", type=int, default=0, help="begin after so many changes")
    parser.add_argument(
        "--asking",
        choices=("all", "programs", "tests"),
        default="all",
        help="programs and games are sooner done, but notice less",
    )
    parser.add_argument(
        "--enough",
        type=float,
        default=ENOUGH,
        help="seconds for programs, and as many for tests, that a change is given",
    )
    parser.add_argument("--by", nargs="+", help="try only these tests, whatever they run")
    parser.add_argument("--map", type=Path, help="where to keep which lines everything runs")
    arguments = parser.parse_args()
    these = arguments.these and arguments.these.read_text("utf-8").splitlines()
    kept = arguments.map and arguments.map.resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        lay_out(folder)
        os.chdir(folder)
        sys.path.insert(0, str(folder))
        engine = folder / "ruledsl" / "engine"
        modules = sorted(engine.rglob("*.py"))
        named = {
            f"{module.relative_to(engine)} | {each.name}": each
            for module in modules
            for each in changes(module)
        }
        found = [each for each in named if arguments.only in each]
        chosen = Random(arguments.seed).sample(found, min(arguments.limit, len(found)))
        if these is not None:
            chosen = [each for each in these if each in named]
            unknown = [each for each in these if each and each not in named]
            print("\n".join(["there is no such change:", *unknown] if unknown else []))
        print(f"{len(found)} changes are possible in {len(modules)} modules", flush=True)
        equivalent = known_equivalents()
        gone = [each for each in equivalent if each not in named]
        print("\n".join([f"{EQUIVALENT.name} names what is gone:", *gone] if gone else []))
        numbered = list(enumerate(chosen, 1))[arguments.skip :]
        left = [(number, named[each]) for number, each in numbered if each not in equivalent]
        results = folder / "results.txt"
        results.touch()
        asked: Asked = "these" if arguments.by else arguments.asking
        tests = arguments.by or TESTS
        kept = kept or folder / "map.txt"
        session = Session(folder, kept, results, asked, tests, arguments.enough)
        inner = [(number, change) for number, change in left if exchangeable(change)]
        if code := in_fork(lambda: session.all_at_once(inner), None):
            sys.exit(code)
        for number, change in left:
            if not exchangeable(change):
                session.one(number, change)
        report(dict(numbered), results.read_text("utf-8").splitlines(), equivalent)


def report(chosen: dict[int, str], results: Sequence[str], equivalent: dict[str, str]) -> None:
    killers = Counter[str]()
    survived: list[str] = []
    open_: list[str] = []
    for line in results:
        number, left, how = line.split("\t", 2)
        killers[how.partition("[")[0]] += 1
        if not how:
            (open_ if int(left) else survived).append(chosen[int(number)])
    reasons = [equivalent[each] for each in chosen.values() if each in equivalent]
    slower = sum(reason.startswith(SLOWER) for reason in reasons)
    noticed = len(results) - len(survived) - len(open_)
    print(f"\n{noticed} of {len(results)} changes are noticed, {len(survived)} are not;", end=" ")
    print(f"{len(open_)} are not, but not everything that runs them was tried;", end=" ")
    print(f"{len(reasons) - slower} more can make no difference, {slower} only to speed")
    for killer, times in killers.most_common():
        print(f"{times:5}  {killer or 'not noticed'}")
    print("\n".join(["", "not noticed:", *survived]))
    print("\n".join(["", "not noticed, but not tried by all:", *open_]))


if __name__ == "__main__":
    main()
