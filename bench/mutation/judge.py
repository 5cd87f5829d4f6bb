"""Judges changes: forks a process for each from one in which everything is imported and collected.

In the fork, the code of the changed function is exchanged, and whatever runs the changed line is
tried, cheapest first, until something fails. A change outside functions, or of what a function
closes over, can't be exchanged like that; it is made while the engine is imported anew, in a
process in which nothing is imported yet.
"""

from __future__ import annotations

import gc
import importlib.machinery
import json
import os
import signal
import sys
import time
import traceback
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from itertools import accumulate
from pathlib import Path
from types import CodeType
from typing import TYPE_CHECKING, Literal, TypeAlias

import attrs
import pytest
from _pytest.runner import runtestprotocol

from bench.mutation.changes import Change, body_of, mutated
from bench.mutation.held import Held, functions_held
from bench.mutation.tracing import Tracer

if TYPE_CHECKING:
    from bench.mutation.cases import Case

TESTS = (
    "engine",
    "mechanisms",
    "docs/test_blocks.py",
    "model/test_builtins.py",
    "model/test_giving.py",
    "play/test_kept_sets.py",
    "play/test_parameters.py",
    "lab/test_examples.py",
    "lab/test_unsupported.py",
    "lab/test_perft.py",
    "lab/test_counting.py",
    "lab/test_simulation.py",
    "players/test_thinking.py",
    "players/test_search.py",
    "cli/test_compile.py",
)
LEFT_OUT = (
    "test_lockstep.py::test_the_executors_agree[",
    "test_programs.py::",
    "test_published_counts.py",
    "test_compiles.py",
)
"""What the cases do already, or what takes too long."""
SEEN_BY_TESTS = frozenset(
    {f"runtime/{name}.py" for name in ("tree", "search", "dealing", "tallies", "notes", "perft")}
    | {f"runtime/{name}.py" for name in ("batches", "trials", "leads")}
    | {f"code/{name}.py" for name in ("python", "browser", "readable", "wasm_text")}
    | {"counters.py", "worlds.py"}
)
"""What a game that is followed choice by choice does not use."""
Use: TypeAlias = tuple[str, str]
"""A function by its file and name."""
SEARCHING: tuple[Use, ...] = (("engine.py", "Engine.search"),)
COUNTING: tuple[Use, ...] = (("engine.py", "Engine.batch"),)
TRYING: tuple[Use, ...] = (("stage.py", "Stage.__init__"),)
USED_BY: dict[str, tuple[Use, ...]] = {
    **{f"runtime/{name}.py": SEARCHING for name in ("tree", "search")},
    "runtime/dealing.py": (*SEARCHING, ("runtime/dealing.py", "Recipe.packed")),
    **{f"runtime/{name}.py": COUNTING for name in ("tallies", "notes", "batches", "leads")},
    "runtime/perft.py": (("engine.py", "Engine.perft"), ("engine.py", "Engine.perft_turns")),
    "runtime/trials.py": TRYING,
    "counters.py": COUNTING,
}
"""Every game is compiled with these, so all tests run their lines; only who runs one of these
functions uses what they write."""
LONGEST = 30.0
"""A test that takes more processor time while its lines are noted is left out."""
ENOUGH = 60.0
"""Seconds of processor time for the cases of a change, and as many for its tests."""
CODES, OUTPUT, TRIED, LEFT = "codes.json", "output.txt", "tried.txt", "left.txt"
PATIENCE = 20.0
"""Seconds of processor time after which a case or a test goes on for ever."""


Asked: TypeAlias = Literal["all", "programs", "tests", "these"]
"""What may notice a change: what runs its line, of all, of programs and games, or of tests; or some
tests, whatever they run."""


Noticing: TypeAlias = defaultdict[str, Counter[str]]
"""By file, what noticed earlier changes, and how many: that is tried first."""


@attrs.frozen
class Trial:
    """A case or a test: how long it took, which lines ran, by file.

    A case is told by its code that a line of `made` was changed. A test that took too long was
    broken off, and is not tried.
    """

    name: str
    seconds: float
    made: dict[str, frozenset[int]]
    ran: dict[str, frozenset[int]]

    @property
    def too_long(self) -> bool:
        return self.seconds >= LONGEST and not self.made

    def reaches(self, file: str, lines: frozenset[int]) -> bool:
        return bool(lines & (self.made.get(file, frozenset()) | self.ran.get(file, frozenset())))

    def plain(self) -> dict[str, object]:
        made, ran = ({f: sorted(lines) for f, lines in e.items()} for e in (self.made, self.ran))
        return {"name": self.name, "seconds": self.seconds, "made": made, "ran": ran}


@attrs.frozen
class Verdict:
    """What noticed a change; empty if nothing did."""

    change: Change
    how: str
    seconds: float
    tried: int
    left: int
    """how many that run the changed line were not tried, for lack of time"""

    @property
    def by(self) -> str:
        """The case or test that noticed it."""
        return self.how.partition(": ")[0]


@attrs.define
class Judge:
    """All that can be tried; a plugin of pytest, so that its tests are collected only once."""

    folder: Path
    """the copy of the tree that is changed"""
    work: Callable[[Judge], None]
    enough: float
    noticing: Noticing
    cases: list[Case] = attrs.field(factory=list, init=False)
    tests: dict[str, pytest.Item] = attrs.field(factory=dict, init=False)
    trials: list[Trial] = attrs.field(factory=list, init=False)
    codes: dict[str, str] = attrs.field(factory=dict, init=False)
    """of the cases, without any change"""
    mapped: bool = attrs.field(default=False, init=False)
    """whether it is known which lines are run by what"""

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        for item in session.items:
            if not any(part in item.nodeid for part in LEFT_OUT):
                self.tests[item.nodeid] = item
        self.work(self)
        return True

    # ------------------------------------------------------------ without any change

    def look_around(self, kept: Path, asked: Asked) -> None:
        """What every case and test runs, and how long it takes; what is not kept is noted."""
        if asked == "these":
            self.trials = [Trial(name, 0.0, {}, {}) for name in self.tests]
            self._in_fork(self._all_pass)
            return
        if asked == "programs":
            self.tests = {}
        # Not before: it imports the engine, which may first have to be changed.
        made_up = import_module("bench.mutation.cases").cases()
        self.cases = [] if asked == "tests" else list(made_up)
        codes = self.folder / CODES
        if not codes.exists():
            self._in_fork(partial(self._note_codes, codes))
        self.codes = json.loads(codes.read_text("utf-8"))
        kept.touch()
        self.mapped = True
        known = {each.name for each in _read(kept)}
        self._in_fork(partial(self._note, kept, known))
        there = {each.name for each in self.cases} | set(self.tests)
        found = (each for each in _read(kept) if each.name in there)
        self.trials = sorted(found, key=lambda each: each.seconds)

    def _in_fork(self, work: Callable[[], int]) -> None:
        if in_fork(work, self.folder / OUTPUT):
            sys.exit((self.folder / OUTPUT).read_text("utf-8", "replace"))

    def _all_pass(self) -> int:
        for item in self.tests.values():
            if failed := _failed(item):
                print(failed)
                return 1
        return 0

    def _note_codes(self, path: Path) -> int:
        path.write_text(json.dumps({case.name: case.code() for case in self.cases}))
        return 0

    def _note(self, kept: Path, known: set[str]) -> int:
        cases = [case for case in self.cases if case.name not in known]
        tests = {name: item for name, item in self.tests.items() if name not in known}
        tracer = Tracer()
        tracer.begin(self.folder / "ruledsl" / "engine", functions_held())
        with kept.open("a") as file:
            for case in cases:
                print(json.dumps(self._noted_case(case, tracer).plain()), file=file, flush=True)
            for item in tests.values():
                print(json.dumps(self._noted_test(item, tracer).plain()), file=file, flush=True)
        return 0

    def _noted_case(self, case: Case, tracer: Tracer) -> Trial:
        begun = time.process_time()
        case.code()
        seconds = time.process_time() - begun
        made = self._lines(tracer)
        case.follow()
        ran = {
            name: lines - made.get(name, frozenset()) for name, lines in self._lines(tracer).items()
        }
        return Trial(case.name, seconds, made, ran)

    def _noted_test(self, item: pytest.Item, tracer: Tracer) -> Trial:
        begun = time.process_time()
        signal.signal(signal.SIGPROF, _too_long)
        signal.setitimer(signal.ITIMER_PROF, LONGEST)
        failed = _failed(item)
        signal.setitimer(signal.ITIMER_PROF, 0)
        seconds = time.process_time() - begun
        if failed:
            assert TimeoutError.__name__ in failed, failed
            seconds = max(seconds, LONGEST)
        return Trial(item.nodeid, seconds, {}, self._lines(tracer))

    def _lines(self, tracer: Tracer) -> dict[str, frozenset[int]]:
        return {
            str(Path(name).relative_to(self.folder)): lines for name, lines in tracer.take().items()
        }

    # ------------------------------------------------------------ with a change

    def reached(self, change: Change) -> tuple[list[Trial], int]:
        """What runs the changed line, cheapest first, and how many more there would be.

        Of a test that was broken off it counts whether it called the changed function.
        """
        if not self.mapped:
            return self.trials, 0
        file = str(change.module.relative_to(self.folder))
        around = frozenset(change.around)
        # What is outside functions runs when it is imported, before anything is noted.
        line = around if change.function is None else frozenset({change.line})
        unseen = file.removeprefix("ruledsl/engine/") in SEEN_BY_TESTS
        cases = [
            each for each in self.trials if each.made and not unseen and each.reaches(file, line)
        ]
        whole = [each for each in self.trials if not each.made and not each.too_long]
        users = self._users(file)
        tests = [each for each in whole if each.reaches(file, line) and users(each)]
        before = self.noticing[file]
        cases.sort(key=lambda each: -before[each.name])
        tests.sort(key=lambda each: -before[each.name])
        long = [
            each
            for each in self.trials
            if each.too_long and each.reaches(file, around) and users(each)
        ]
        first = _first_of(cases, self.enough) + _first_of(tests, self.enough)
        return first, len(cases) + len(tests) + len(long) - len(first)

    def _users(self, file: str) -> Callable[[Trial], bool]:
        """Whether a test uses what a file writes, where all are compiled with it."""
        uses = USED_BY.get(file.removeprefix("ruledsl/engine/"))
        if uses is None:
            return lambda _: True
        engine = self.folder / "ruledsl" / "engine"
        bodies = [(f"ruledsl/engine/{used}", body_of(engine / used, name)) for used, name in uses]
        return lambda trial: any(trial.reaches(*body) for body in bodies)

    def try_all(self, change: Change) -> int:
        """Try what reaches the change, which was made, and note what is tried; 1 if one fails."""
        file = str(change.module.relative_to(self.folder))
        cases = {case.name: case for case in self.cases}
        with (self.folder / TRIED).open("w") as tried:
            first, left = self.reached(change)
            (self.folder / LEFT).write_text(str(left))
            for trial in first:
                print(trial.name, file=tried, flush=True)
                signal.setitimer(signal.ITIMER_PROF, PATIENCE + 3 * trial.seconds)
                case = cases.get(trial.name)
                if case is None:
                    if failed := _failed(self.tests[trial.name]):
                        print(failed, flush=True)
                        return 1
                    continue
                try:
                    runs = change.line in trial.ran.get(file, frozenset())
                    if runs or case.code() != self.codes[case.name]:
                        case.follow()
                except BaseException:  # noqa: BLE001 - whatever it is, the change is noticed
                    traceback.print_exc()
                    return 1
        return 0


def judged(change: Change, folder: Path, work: Callable[[], int]) -> Verdict:
    """What comes out when the change is made and everything tried in a process of its own."""
    (folder / TRIED).write_text("")
    (folder / LEFT).write_text("0")
    begun = _seconds()
    code = in_fork(work, folder / OUTPUT)
    seconds = _seconds() - begun
    tried = (folder / TRIED).read_text("utf-8").splitlines()
    if code == 0:
        return Verdict(change, "", seconds, len(tried), int((folder / LEFT).read_text("utf-8")))
    last = tried[-1] if tried else "the import"
    how = last if code == 1 else f"{last}: {_reason(code)}"
    return Verdict(change, how, seconds, len(tried), 0)


def _first_of(trials: list[Trial], enough: float) -> list[Trial]:
    """As many as there is time for."""
    spent = accumulate(each.seconds for each in trials)
    return [each for each, sum_ in zip(trials, spent, strict=True) if sum_ < enough]


def _seconds() -> float:
    times = os.times()
    return times.children_user + times.children_system


def in_fork(work: Callable[[], int], output: Path | None) -> int:
    """The exit code of work done in a process of its own; minus the signal that ended it."""
    child = os.fork()
    if child:
        _, status = os.waitpid(child, 0)
        return os.waitstatus_to_exitcode(status)
    code = 70
    try:
        if output is not None:
            descriptor = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            os.dup2(descriptor, 1)
            os.dup2(descriptor, 2)
        gc.disable()
        signal.signal(signal.SIGPROF, signal.SIG_DFL)
        code = work()
    except BaseException:  # noqa: BLE001 - whatever it is, the change is noticed
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def _read(kept: Path) -> Iterator[Trial]:
    for line in kept.read_text("utf-8").splitlines():
        data = json.loads(line)
        made, ran = (
            {file: frozenset(lines) for file, lines in data[key].items()} for key in ("made", "ran")
        )
        yield Trial(data["name"], data["seconds"], made, ran)


def _failed(item: pytest.Item) -> str:
    """What a test says if it fails."""
    reports = runtestprotocol(item, log=False, nextitem=None)
    return "\n".join(each.longreprtext for each in reports if each.failed)


def _too_long(_signal: int, _frame: object) -> None:
    raise TimeoutError


def _reason(code: int) -> str:
    return "endless" if code == -signal.SIGPROF else f"it crashes, {code}"


# ---------------------------------------------------------------- making a change


def exchangeable(change: Change) -> bool:
    """Whether the changed function can be put in place of the old one: both close over the same."""
    if change.function is None:
        return False
    path = change.module
    before = _code_of(change, compile(path.read_text("utf-8"), str(path), "exec"))
    after = _code_of(change, mutated(change))
    return before is not None and after is not None and before.co_freevars == after.co_freevars


def exchange(change: Change, held: Held) -> None:
    """Put the changed code into the function it belongs to."""
    new = _code_of(change, mutated(change))
    assert new is not None
    for each in held[str(change.module), new.co_qualname, new.co_firstlineno]:
        each.__code__ = new


def _code_of(change: Change, code: CodeType) -> CodeType | None:
    if code.co_qualname == change.function and code.co_firstlineno <= change.line:
        lines = [line for _, _, line in code.co_lines() if line is not None]
        if change.around.start <= max(lines) < change.around.stop:
            return code
    inner = (each for each in code.co_consts if isinstance(each, CodeType))
    return next((found for each in inner if (found := _code_of(change, each))), None)


def import_changed(change: Change) -> None:
    """Have the changed module imported instead of the real one, later."""
    changed = mutated(change)
    real = importlib.machinery.SourceFileLoader.get_code

    def get_code(self: importlib.machinery.SourceFileLoader, name: str) -> CodeType | None:
        return changed if Path(self.path) == change.module else real(self, name)

    importlib.machinery.SourceFileLoader.get_code = get_code  # type: ignore[method-assign,assignment]
