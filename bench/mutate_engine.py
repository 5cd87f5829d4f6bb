"""Shows how well the tests guard the engine.

Makes one small change to a module of the engine at a time: flips a comparison, swaps `and` and
`or`, `+` and `-`, one operation of low-level code and its neighbour, adds one to a number, turns a
condition round, drops a statement. First some made-up programs are compiled: those whose code has
changed are played in both executors. What nobody notices there is left to the tests named below,
quick ones first, until one fails. Prints the share of changes that are noticed, and those that are
not. Changes that can make no difference are named in `bench/equivalent_changes.txt`, with a reason.

    python -m bench.mutate_engine --limit 200 --seed 1

Everything happens in a copy of the tree, in a process for each change that is forked from one in
which the parser is ready; so most changes are judged in a few seconds.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import importlib.machinery
import os
import re
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from itertools import count, product
from pathlib import Path
from random import Random
from types import CodeType
from typing import Any

import attrs
import pytest

ROOT = Path(__file__).parents[1]
PARTS = ("ruledsl", "cli", "games", "grammar", "tests", "docs", "bench", "pyproject.toml")
INSIDE = ("cli", "games", "grammar")
"""Folders that are installed as parts of the package."""

LOCKSTEP = "engine/test_lockstep.py::test_the_executors_agree"
GENERAL = (
    "engine/test_guards.py",
    "engine/test_corners.py",
    "engine/test_numbers.py",
    "engine/test_together.py",
    "engine/test_endings.py",
    "engine/test_sorted_loops.py",
    "engine/code/test_inline.py",
    "lab/test_examples.py",
    "lab/test_unsupported.py",
    f"{LOCKSTEP}[hearts-4]",
    f"{LOCKSTEP}[little_realm-3]",
    f"{LOCKSTEP}[hamlet-4]",
    f"{LOCKSTEP}[pied_piper-3]",
    f"{LOCKSTEP}[checkers-2]",
    "engine/test_programs.py::test_the_executors_agree_on_larger_programs",
    "engine/memory/test_boards.py",
    "engine/choices/test_drawing.py",
    "docs/test_blocks.py::test_rules",
    "engine/test_light_checks.py",
    "lab/test_perft.py",
)
"""From quick to slow; what takes longer is left out."""
QUICK = GENERAL.index(f"{LOCKSTEP}[hearts-4]") + 2
"""So many of them are done in seconds."""
SEARCHING = (
    "engine/runtime/test_dealing.py",
    "engine/runtime/test_worlds.py",
    "players/test_thinking.py",
    "players/test_search.py",
)
RUN_AS_PYTHON = ("engine/code/test_python.py",)
PROGRAMS = 16
"""Made-up programs that are compiled and played before any test is run."""
GAMES = 1
"""Games of each whose code has changed, with and without checks; with more, some take a minute."""
EQUIVALENT = Path(__file__).with_name("equivalent_changes.txt")
SPECIAL = {
    "runtime/tree.py": SEARCHING,
    "runtime/search.py": SEARCHING,
    "runtime/dealing.py": SEARCHING,
    "worlds.py": SEARCHING,
    "code/python.py": RUN_AS_PYTHON,
}
"""Tests of modules that games alone do not use."""

OPERATIONS = {
    "lt_s": "le_s",
    "le_s": "lt_s",
    "gt_s": "ge_s",
    "ge_s": "gt_s",
    "lt_u": "le_u",
    "le_u": "lt_u",
    "gt_u": "ge_u",
    "ge_u": "gt_u",
    "eq": "ne",
    "ne": "eq",
    "add": "sub",
    "sub": "add",
    "and": "or",
    "or": "and",
    "xor": "or",
    "shl": "shr_u",
    "shr_u": "shl",
    "rem_u": "div_u",
    "div_u": "rem_u",
    "div_s": "rem_s",
    "ctz": "clz",
}
CALLS = {
    "add": "sub",
    "sub": "add",
    "both": "either",
    "either": "both",
    "eq": "ne",
    "ne": "eq",
    "min": "max",
    "max": "min",
    "any": "all",
    "all": "any",
}
COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
COMBINED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Add,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}


@attrs.frozen
class Change:
    """One change of a module: the number of the node it changes, and in words."""

    module: Path
    node: int
    line: int
    words: str


# ---------------------------------------------------------------- changes


def changes(module: Path) -> Iterator[Change]:
    """Every small change of a module that is left to the tests to notice."""
    tree = ast.parse(module.read_text("utf-8"))
    ignored = _untested(tree)
    for number, node in enumerate(ast.walk(tree)):
        words = None if id(node) in ignored else _changed(node)
        if words is not None:
            yield Change(module, number, getattr(node, "lineno", 0), words)


def mutated(change: Change) -> CodeType:
    tree = ast.parse(change.module.read_text("utf-8"))
    for number, node in enumerate(ast.walk(tree)):
        if number == change.node:
            _changed(node)
    return compile(ast.fix_missing_locations(tree), str(change.module), "exec")


def _untested(tree: ast.Module) -> set[int]:
    """Parts that mean nothing to a game: assertions, error texts, types, documentation."""
    found: set[int] = set()
    for node in ast.walk(tree):
        skipped: list[ast.AST] = []
        match node:
            case ast.Assert() | ast.Raise() | ast.JoinedStr():
                skipped = [node]
            case ast.FunctionDef():
                skipped = [node.args, *node.decorator_list]
                skipped += [] if node.returns is None else [node.returns]
            case ast.AnnAssign(annotation=annotation):
                skipped = [annotation]
            case ast.Expr(value=ast.Constant()):
                skipped = [node]
            case _:
                pass
        for each in skipped:
            found.update(id(part) for part in ast.walk(each))
    return found


def _changed(node: ast.AST) -> str | None:
    """Change a node in place; in words what was done, or None where nothing can be."""
    match node:
        case ast.Compare(ops=[op]) if type(op) in COMPARED:
            before = ast.unparse(node)
            node.ops = [COMPARED[type(op)]()]
            return f"{before} → {ast.unparse(node)}"
        case ast.BinOp(op=op) if type(op) in COMBINED:
            before = ast.unparse(node)
            node.op = COMBINED[type(op)]()
            return f"{before} → {ast.unparse(node)}"
        case ast.BoolOp():
            before = ast.unparse(node)
            node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
            return f"{before} → {ast.unparse(node)}"
        case ast.Constant(value=bool(value)):
            node.value = not value
            return f"{value} → {node.value}"
        case ast.Constant(value=int(value)):
            node.value = value + 1
            return f"{value} → {value + 1}"
        case ast.Constant(value=str(value)):
            match = re.fullmatch(r"(i32|i64)\.(\w+)", value)
            if match is None or match[2] not in OPERATIONS:
                return None
            node.value = f"{match[1]}.{OPERATIONS[match[2]]}"
            return f"{value} → {node.value}"
        case ast.Call(func=ast.Name(id=name) as func) if name in CALLS:
            before = ast.unparse(node)
            func.id = CALLS[name]
            return f"{before} → {ast.unparse(node)}"
        case ast.If(test=test):
            before = ast.unparse(test)
            node.test = ast.UnaryOp(ast.Not(), test)
            return f"if {before} → if not"
        case ast.IfExp(body=body, orelse=orelse):
            before = ast.unparse(node)
            node.body, node.orelse = orelse, body
            return f"{before} → {ast.unparse(node)}"
        case ast.Expr(value=ast.Call()):
            before = ast.unparse(node)
            node.value = ast.Constant(None)
            return f"dropped: {before}"
        case _:
            return None


# ---------------------------------------------------------------- judging


@attrs.frozen
class Verdict:
    """How a change was noticed; `how` is empty if it was not."""

    change: Change
    how: str
    seconds: float


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


def prepare() -> None:
    """Import what no change touches, and have the parser ready."""
    source = import_module("ruledsl.diagnostics.source").Source
    library = import_module("ruledsl.library").Library
    check = import_module("ruledsl.play.check").check_source
    check(source("small.rules", 'game small "Small"\n    players 2\n'), library())
    assert not any(name.startswith("ruledsl.engine") for name in sys.modules)


def code_of(table: Any, checked: bool) -> str:
    """The module of a table, as a text that tells it from others."""
    compiled = import_module("ruledsl.engine.compiler").compiled
    program = compiled(table, checked=checked, lightly=False, trial=None).program
    return hashlib.sha256(import_module("ruledsl.engine.code.wasm").encoded(program)).hexdigest()


def made_up() -> Iterator[Any]:
    """Tables of made-up programs."""
    source = import_module("ruledsl.diagnostics.source").Source
    library = import_module("ruledsl.library").Library
    check = import_module("ruledsl.model.check").check_rules
    table = import_module("ruledsl.table.table").Table
    maker = import_module("tests.engine.programs").Maker
    seeds = count()
    for _ in range(PROGRAMS):
        game = None
        while game is None or "play" not in game.steps:
            text = maker(Random(next(seeds)).randrange).program()
            game = check(source("made.rules", text), library()).game
        yield table(game, game.players[0])


def play_changed(before: Sequence[str] | None, tables: Sequence[Any], output: Path) -> int:
    """Compile the programs, and play those whose code is not as before; or note their code."""
    codes = []
    for table, checked in product(tables, (True, False)):
        codes.append(code_of(table, checked))
        if before is not None and codes[-1] != before[len(codes) - 1]:
            play = import_module("tests.engine.lockstep").play_in_step
            engine = import_module("ruledsl.engine").Engine(table, checked=checked)
            for seed in range(GAMES):
                play(engine, seed)
    if before is None:
        output.write_text("\n".join(codes))
    return 0


def run_tests(change: Change | None, tests: Sequence[str] | Callable[[], int], output: Path) -> int:
    """In a process of its own: the exit code of the tests."""
    descriptor = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(descriptor, 1)
    os.dup2(descriptor, 2)
    if change is not None:
        changed = mutated(change)
        real = importlib.machinery.SourceFileLoader.get_code

        def get_code(self: importlib.machinery.SourceFileLoader, name: str) -> CodeType | None:
            return changed if Path(self.path) == change.module else real(self, name)

        importlib.machinery.SourceFileLoader.get_code = get_code  # type: ignore[method-assign,assignment]
    if callable(tests):
        return tests()
    paths = [f"tests/{test}" for test in tests]
    code = int(pytest.main(["-q", "-x", "--tb=line", "-p", "no:cacheprovider", *paths]))
    sys.stdout.flush()
    return code


def judge(
    change: Change | None,
    tests: Sequence[str] | Callable[[], int],
    patience: float,
    folder: Path,
) -> Verdict:
    """Run the tests on a change, or on none, and wait for them for so many seconds."""
    output = folder / "output.txt"
    begun = time.monotonic()
    child = os.fork()
    if child == 0:
        code = 70
        try:
            code = run_tests(change, tests, output)
        except Exception:  # noqa: BLE001 - whatever it is, the change is noticed
            traceback.print_exc()
            sys.stderr.flush()
        finally:
            os._exit(code)
    status = None
    while status is None and time.monotonic() - begun < patience:
        done, found = os.waitpid(child, os.WNOHANG)
        if done:
            status = found
        else:
            time.sleep(0.05)
    if status is None:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    seconds = time.monotonic() - begun
    how = "" if status == 0 else "endless" if status is None else _first_failure(output)
    return Verdict(change or Change(ROOT, 0, 0, "nothing"), how, seconds)


def _first_failure(output: Path) -> str:
    text = output.read_text("utf-8", "replace") if output.exists() else ""
    match = re.search(r"^(?:FAILED|ERROR) (\S+)", text, re.MULTILINE)
    if match is not None:
        return match[1]
    raised = re.findall(r"^[\w.]*?(\w+)(?:: .*)?$", text, re.MULTILINE)
    return f"made-up programs: {raised[-1]}" if raised else "it crashes"


def known_equivalents() -> set[str]:
    """Changes that can make no difference; a reason stands above them."""
    lines = EQUIVALENT.read_text("utf-8").splitlines()
    return {line for line in lines if line and not line.startswith("#")}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--limit", type=int, default=200, help="how many changes to make")
    parser.add_argument("--seed", type=int, default=1, help="which of all changes")
    parser.add_argument("--patience", type=float, default=300, help="seconds for one change")
    parser.add_argument("--only", default="", help="a part of the paths of modules to change")
    parser.add_argument("--quick", action="store_true", help="only the quickest tests, at once")
    parser.add_argument("--made-up", action="store_true", help="only the made-up programs")
    parser.add_argument("--skip", type=int, default=0, help="begin after so many changes")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        lay_out(folder)
        os.chdir(folder)
        sys.path.insert(0, str(folder))
        modules = sorted((folder / "ruledsl" / "engine").rglob("*.py"))
        found = [each for module in modules for each in changes(module)]
        found = [each for each in found if arguments.only in str(each.module.relative_to(folder))]
        chosen = Random(arguments.seed).sample(found, min(arguments.limit, len(found)))
        print(f"{len(found)} changes are possible in {len(modules)} modules", flush=True)
        prepare()
        general = GENERAL[:QUICK] if arguments.quick else GENERAL
        every = general if arguments.quick else (*GENERAL, *SEARCHING, *RUN_AS_PYTHON)
        every = every[:1] if arguments.made_up else every
        untouched = judge(None, every, 10 * arguments.patience, folder)
        print(f"without any, the tests take {untouched.seconds:.0f} s", flush=True)
        if untouched.how:
            print((folder / "output.txt").read_text("utf-8", "replace"))
            sys.exit(f"they fail: {untouched.how}")
        tables = list(made_up())
        noted = folder / "codes.txt"
        judge(None, lambda: play_changed(None, tables, noted), 10 * arguments.patience, folder)
        codes = noted.read_text().splitlines()
        equivalent = known_equivalents()
        killers = Counter[str]()
        survived = []
        for number, change in enumerate(chosen[arguments.skip :], arguments.skip + 1):
            within = str(change.module.relative_to(folder / "ruledsl" / "engine"))
            named = f"{within}: {change.words}"
            if named in equivalent:
                print(f"{number:4} {named}: can make no difference", flush=True)
                continue
            special = SPECIAL.get(within, () if arguments.made_up else general)
            verdict = judge(
                change, lambda: play_changed(codes, tables, noted), arguments.patience, folder
            )
            if not verdict.how and special:
                verdict = judge(change, special, arguments.patience, folder)
            where = f"{change.module.relative_to(folder)}:{change.line}"
            how = verdict.how or "SURVIVED"
            print(f"{number:4} {verdict.seconds:5.1f} s {where}: {change.words}: {how}", flush=True)
            killers[verdict.how.partition("[")[0]] += 1
            if not verdict.how:
                survived.append(f"{where}: {change.words}")
    judged = sum(killers.values())
    print(f"\n{judged - len(survived)} of {judged} changes are noticed")
    for killer, times in killers.most_common():
        print(f"{times:5}  {killer or 'not noticed'}")
    print("\n".join(["", "not noticed:", *survived]))


if __name__ == "__main__":
    main()
