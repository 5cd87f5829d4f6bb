"""Changes of the engine are made where they are judged, and what was not tried is counted."""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

from bench.mutation.changes import Change, changes
from bench.mutation.held import functions_held
from bench.mutation.judge import (
    LONGEST,
    Judge,
    Trial,
    exchange,
    exchangeable,
    import_changed,
)
from bench.mutation.tracing import Tracer

SOURCE = """\
LIMIT = 3


class Counter:
    def few(self, number: int) -> bool:
        def least(limit: int) -> bool:
            return number < limit

        return least(LIMIT)


def unused(number: int) -> int:
    return number + 1


class Child(Counter):
    def __init__(self) -> None:
        super().__init__()
"""


def module_of(path: Path) -> ModuleType:
    path.write_text(SOURCE)
    return loaded(path)


def loaded(path: Path) -> ModuleType:
    spec = spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


def change_in(path: Path, words: str) -> Change:
    (found,) = [each for each in changes(path) if each.words == words]
    return found


def test_a_change_in_a_function_reaches_who_holds_it(tmp_path: Path) -> None:
    path = tmp_path / "planted_function.py"
    module = module_of(path)
    held = module.Counter().few
    assert not held(3)
    exchange(change_in(path, "number < limit → number <= limit"), functions_held())
    assert held(3)
    assert not held(4)


def test_a_change_elsewhere_makes_no_difference(tmp_path: Path) -> None:
    path = tmp_path / "planted_elsewhere.py"
    module = module_of(path)
    exchange(change_in(path, "number + 1 → number - 1"), functions_held())
    assert not module.Counter().few(3)
    assert module.unused(3) == 2


def test_a_change_of_what_a_function_closes_over_is_not_exchanged(tmp_path: Path) -> None:
    path = tmp_path / "planted_closure.py"
    path.write_text(SOURCE)
    fits = {change.words: exchangeable(change) for change in changes(path)}
    assert fits == {
        "3 → 4": False,
        "number < limit → number <= limit": True,
        "number + 1 → number - 1": True,
        "1 → 2": True,
        "dropped: super().__init__()": False,
    }


def test_a_change_outside_functions_is_imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "planted_outside.py"
    assert not module_of(path).Counter().few(3)
    with monkeypatch.context() as patched:
        patched.setattr(SourceFileLoader, "get_code", SourceFileLoader.get_code)
        import_changed(change_in(path, "3 → 4"))
        assert loaded(path).Counter().few(3)
    assert not loaded(path).Counter().few(3)


TRACED = """\
def told(number: int, kind: str) -> str:
    if number < 0:
        return "less"
    elif number > 100:
        return "more"
    match kind:
        case "rat":
            return (
                "a rat"
            )
        case "mouse" if number > 1:
            return "mice"
        case _:
            names = [name
                     for name in ("a", "b")]
    while number > 3:
        number -= 1
    def inner() -> str:
        return names[0]
    return inner()
"""


def test_the_lines_that_run_are_noted(tmp_path: Path) -> None:
    path = tmp_path / "planted_lines.py"
    path.write_text(TRACED)
    module = loaded(path)
    tracer = Tracer()
    tracer.begin(tmp_path, functions_held())
    assert tracer.take() == {}
    assert module.told(-1, "rat") == "less"
    assert tracer.take() == {str(path): {2, 3}}
    assert module.told(1, "rat") == "a rat"
    assert tracer.take() == {str(path): {2, 4, 6, 7, 11, 13, 8, 9, 10}}
    assert module.told(3, "mole") == "a"
    assert tracer.take() == {str(path): {2, 4, 6, 7, 11, 13, 14, 15, 16, 18, 19, 20}}


def judge_of(folder: Path) -> Judge:
    judge = Judge(folder, lambda _: None, 3.0, defaultdict(Counter))
    judge.mapped = True
    return judge


def test_what_runs_the_line_is_tried_and_the_rest_counted(tmp_path: Path) -> None:
    path = tmp_path / "ruledsl" / "engine" / "planted.py"
    path.parent.mkdir(parents=True)
    path.write_text(SOURCE)
    change = change_in(path, "number < limit → number <= limit")
    file = "ruledsl/engine/planted.py"
    line, inside, outside = change.line, change.around.start, change.around.stop + 2

    def ran(name: str, seconds: float, number: int) -> Trial:
        return Trial(name, seconds, {}, {file: frozenset({number})})

    judge = judge_of(tmp_path)
    judge.trials = [
        ran("quick", 1.0, line),
        ran("in the same function", 1.0, inside),
        ran("slower", 1.5, line),
        ran("no time is left for this", 2.0, line),
        ran("broken off in the function", LONGEST, inside),
        ran("broken off elsewhere", LONGEST, outside),
    ]
    first, left = judge.reached(change)
    assert [each.name for each in first] == ["quick", "slower"]
    assert left == 2


def test_what_has_noticed_a_change_of_the_module_is_tried_first(tmp_path: Path) -> None:
    path = tmp_path / "ruledsl" / "engine" / "planted.py"
    path.parent.mkdir(parents=True)
    path.write_text(SOURCE)
    change = change_in(path, "number < limit → number <= limit")
    lines = {"ruledsl/engine/planted.py": frozenset({change.line})}
    judge = judge_of(tmp_path)
    judge.trials = [Trial(name, 1.0, {}, lines) for name in ("one", "two")]
    judge.noticing["ruledsl/engine/planted.py"]["two"] += 1
    assert [each.name for each in judge.reached(change)[0]] == ["two", "one"]


def test_only_who_searches_can_notice_a_change_of_the_search(tmp_path: Path) -> None:
    """All games are compiled with it."""
    engine = tmp_path / "ruledsl" / "engine"
    path = engine / "runtime" / "search.py"
    path.parent.mkdir(parents=True)
    path.write_text(SOURCE)
    (engine / "engine.py").write_text(ENGINE)
    change = change_in(path, "number < limit → number <= limit")
    compiled = {"ruledsl/engine/runtime/search.py": frozenset({change.line})}
    judge = judge_of(tmp_path)
    judge.trials = [
        Trial("plays", 1.0, {}, {**compiled, "ruledsl/engine/engine.py": frozenset({2, 3})}),
        Trial("searches", 1.0, {}, {**compiled, "ruledsl/engine/engine.py": frozenset({3, 6})}),
    ]
    first, left = judge.reached(change)
    assert [each.name for each in first] == ["searches"]
    assert left == 0


ENGINE = """\
class Engine:
    def __init__(self):
        self.made = True

    def search(self, iterations):
        return iterations
"""
