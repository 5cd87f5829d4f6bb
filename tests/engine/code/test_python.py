"""Both printers mean the same by every form of code, and by whole games."""

from __future__ import annotations

import sys
from random import Random
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ruledsl.engine import Engine
from ruledsl.engine.code.instructions import Code, Function, Program, Statement, Width
from ruledsl.engine.code.python import BINARY, UNARY, PythonRunner, Trap
from ruledsl.engine.code.wasm import WasmRunner
from ruledsl.library import Library
from ruledsl.model.check import check_rules
from ruledsl.table.table import Table

MEMORY = 4096
"""bytes that are compared"""


def program(
    body: list[Statement],
    locals_: dict[str, Width] | None = None,
    result: Width | None = "i32",
    params: tuple[tuple[str, Width], ...] = (("a", "i32"), ("b", "i32")),
) -> Program:
    made = Program(size=MEMORY, data=[(16, bytes(range(64)))])
    made.add(Function("main", list(params), result, locals_ or {}, body, exported=True))
    twice = [("set", "n", ("i32.add", "n", "n")), ("store", 0, 8, "n"), ("return", "n")]
    made.add(Function("twice", [("n", "i32")], "i32", {}, twice))
    whole = [("return", ("i64.mul", "n", "n"))]
    made.add(Function("square", [("n", "i64")], "i64", {}, whole))
    made.add(Function("note", [("n", "i32")], None, {}, [("store", 0, 12, "n")]))
    return made


def outcome(runner: PythonRunner | WasmRunner, *arguments: int) -> tuple[object, bytes]:
    """What a call gives back, or that it traps, and the memory after it."""
    result: object
    try:
        result = runner.call("main", *arguments)
    except Exception:  # noqa: BLE001 - wasmtime and Python trap in different ways
        result = "trap"
    return result, runner.read(0, MEMORY)


def agree(made: Program, *calls: tuple[int, ...]) -> list[object]:
    """Both runners give the same; returns what."""
    ours, theirs = PythonRunner(made), WasmRunner(made)
    found = []
    for arguments in calls or ((3, 5),):
        mine, other = outcome(ours, *arguments), outcome(theirs, *arguments)
        assert mine == other, f"{arguments}\n{ours.source}"
        found.append(mine[0])
    return found


# ---------------------------------------------------------------- expressions

EDGES = {
    "i32": [0, 1, -1, 2, 31, 32, 33, 2**31 - 1, -(2**31), 1 - 2**31],
    "i64": [0, 1, -1, 63, 64, 65, 2**31, 2**32, 2**63 - 1, -(2**63), -(2**32)],
}
FLAGS = {"eq", "ne", "lt_s", "le_s", "gt_s", "ge_s", "lt_u", "le_u", "gt_u", "ge_u", "eqz"}
CONVERSIONS = {"wrap_i64", "extend_i32_u", "extend_i32_s"}


@pytest.mark.parametrize("width", ["i32", "i64"])
@pytest.mark.parametrize("name", sorted(BINARY))
def test_operators_of_two(name: str, width: Width) -> None:
    made = program(
        [("return", (f"{width}.{name}", "a", "b"))],
        result="i32" if name in FLAGS else width,
        params=(("a", width), ("b", width)),
    )
    agree(made, *((a, b) for a in EDGES[width] for b in EDGES[width]))


@pytest.mark.parametrize("width", ["i32", "i64"])
@pytest.mark.parametrize("name", sorted(set(UNARY) - CONVERSIONS))
def test_operators_of_one(name: str, width: Width) -> None:
    made = program(
        [("return", (f"{width}.{name}", "a"))],
        result="i32" if name in FLAGS else width,
        params=(("a", width),),
    )
    agree(made, *((a,) for a in EDGES[width]))


@pytest.mark.parametrize(
    ("name", "given_width", "width"),
    [
        ("i32.wrap_i64", "i64", "i32"),
        ("i64.extend_i32_u", "i32", "i64"),
        ("i64.extend_i32_s", "i32", "i64"),
    ],
)
def test_conversions(name: str, given_width: Width, width: Width) -> None:
    made = program([("return", (name, "a"))], result=width, params=(("a", given_width),))
    agree(made, *((a,) for a in EDGES[given_width]))


def constants(width: Width) -> st.SearchStrategy[Code]:
    bits = 31 if width == "i32" else 63
    number = st.sampled_from(EDGES[width]) | st.integers(-(2**bits), 2**bits - 1)
    if width == "i32":
        return number
    return number.map(lambda n: ("i64", n))


def expressions(width: Width, depth: int) -> st.SearchStrategy[Code]:
    """Expressions of any form over the parameters a, b and the wide c, d."""
    leaf = constants(width) | st.sampled_from(["a", "b"] if width == "i32" else ["c", "d"])
    if not depth:
        return leaf
    narrow, wide = expressions("i32", depth - 1), expressions("i64", depth - 1)
    same = narrow if width == "i32" else wide
    plain = sorted(set(BINARY) - FLAGS)
    forms: list[st.SearchStrategy[Any]] = [
        leaf,
        st.tuples(st.sampled_from([f"{width}.{name}" for name in plain]), same, same),
        st.tuples(st.just("select"), same, same, narrow),
        st.tuples(st.sampled_from([f"{width}.{n}" for n in ("popcnt", "ctz", "clz")]), same),
    ]
    if width == "i32":
        flags = sorted(FLAGS - {"eqz"})
        forms += [
            st.tuples(st.sampled_from([f"i32.{name}" for name in flags]), narrow, narrow),
            st.tuples(st.sampled_from([f"i64.{name}" for name in flags]), wide, wide),
            st.tuples(st.just("i32.eqz"), narrow),
            st.tuples(st.just("i64.eqz"), wide),
            st.tuples(st.just("i32.wrap_i64"), wide),
            st.tuples(st.just("call"), st.just("twice"), narrow),
            st.tuples(st.just("load"), narrow.map(_cell), st.just(8)),
        ]
    else:
        forms += [
            st.tuples(st.sampled_from(["i64.extend_i32_u", "i64.extend_i32_s"]), narrow),
            st.tuples(st.just("call"), st.just("square"), wide),
            st.tuples(st.just("load64"), narrow.map(_word), st.just(16)),
        ]
    return st.one_of(forms)


def _cell(code: Code) -> Code:
    return ("i32.and", code, 252)


def _word(code: Code) -> Code:
    return ("i32.and", code, 248)


NARROW = st.sampled_from(EDGES["i32"]) | st.integers(-(2**31), 2**31 - 1)
WIDE = st.sampled_from(EDGES["i64"]) | st.integers(-(2**63), 2**63 - 1)
FOUR: tuple[tuple[str, Width], ...] = (("a", "i32"), ("b", "i32"), ("c", "i64"), ("d", "i64"))


@given(expressions("i32", 3), NARROW, NARROW, WIDE, WIDE)
@example(("i32.add", "a", ("call", "twice", "a")), 1 << 30, 0, 0, 0)
@example(("i32.lt_u", ("i32.sub", "a", 3), 4), 2, 0, 0, 0)
@example(("i32.eq", ("i32.lt_s", "a", "b"), ("i32.lt_s", "b", "a")), 2, 2, 0, 0)
def test_narrow_expressions(code: Code, a: int, b: int, c: int, d: int) -> None:
    agree(program([("return", code)], params=FOUR), (a, b, c, d))


@given(expressions("i64", 3), NARROW, NARROW, WIDE, WIDE)
def test_wide_expressions(code: Code, a: int, b: int, c: int, d: int) -> None:
    agree(program([("return", code)], result="i64", params=FOUR), (a, b, c, d))


# ---------------------------------------------------------------- statements


def test_set_and_locals_begin_with_nothing() -> None:
    body = [("set", "x", ("i32.add", "x", "a")), ("return", "x")]
    assert agree(program(body, {"x": "i32"})) == [3]


def test_names_that_mean_something_in_python() -> None:
    body = [("set", "from", "a"), ("set", "to", "b"), ("return", ("i32.add", "from", "to"))]
    assert agree(program(body, {"from": "i32", "to": "i32"})) == [8]


def test_memory() -> None:
    body = [
        ("store", 0, 256, "a"),
        ("store", ("i32.mul", "b", 4), 256, ("i32.mul", "a", 1 << 30)),
        ("store64", 0, 512, ("i64.extend_i32_s", ("i32.sub", 0, "a"))),
        ("store64", ("i32.mul", "b", 8), 512, ("load64", 0, 512)),
        ("copy", 1024, 256, 512),
        ("copy", 1028, 1024, 64),
        ("return", ("load", ("i32.mul", "b", 4), 1024)),
    ]
    agree(program(body))


def test_an_address_is_worked_out_before_the_value() -> None:
    body = [("store", ("load", 0, 8), 256, ("call", "twice", 20)), ("return", 0)]
    agree(program(body))


@pytest.mark.parametrize(
    "body",
    [
        [("trap",)],
        [],
        [("return", ("load", "a", 0))],
        [("store", "a", 4, 1), ("return", 0)],
        [("copy", "a", 0, 8), ("return", 0)],
        [("copy", 0, 0, "a"), ("return", 0)],
        [("return", ("i32.div_s", "a", 0))],
        [("return", ("select", ("load", "a", 0), 1, 0))],
    ],
)
def test_traps(body: list[Statement]) -> None:
    assert agree(program(body), (-4, 0)) == ["trap"]


def test_a_trap_is_raised() -> None:
    with pytest.raises(Trap):
        PythonRunner(program([("trap",)])).call("main", 0, 0)


def test_calls_without_a_result() -> None:
    body = [
        ("do", ("call", "note", "b")),
        ("do", ("drop", ("call", "twice", "a"))),
        ("if", "a", [("return", None)], []),
        ("do", ("call", "note", 99)),
    ]
    made = program(body, result=None)
    ours, theirs = PythonRunner(made), WasmRunner(made)
    for arguments in ((1, 7), (0, 7)):
        assert outcome(ours, *arguments)[1] == outcome(theirs, *arguments)[1]


def test_a_dispatch_runs_its_block_and_those_after_it() -> None:
    def marked(number: int) -> Statement:
        return ("set", "x", ("i32.add", ("i32.mul", "x", 10), number))

    blocks = [
        [marked(1), ("if", ("i32.lt_s", "x", 100), [("goto", "D", "pc", 2)], [])],
        [marked(2), ("if", "b", [("break", "D")], [])],
        [marked(3), ("if", ("i32.lt_s", "x", 1000), [("goto", "D", "pc", 0)], [])],
        [marked(4)],
    ]
    body = [("set", "pc", "a"), ("dispatch", "D", "pc", blocks), ("return", "x")]
    found = agree(program(body, {"x": "i32", "pc": "i32"}), (0, 0), (1, 1), (2, 0), (3, 0), (9, 0))
    assert found == [131234, 2, 3131234, 4, 4]


def control(random: Random, labels: list[tuple[str, str]], depth: int) -> list[Statement]:
    """Statements with jumps of every kind to every label around them."""
    body: list[Statement] = []
    for _ in range(random.randint(1, 3)):
        mark = random.randint(1, 1000)
        body.append(("set", "x", ("i32.add", ("i32.mul", "x", 31), mark)))
        label, pc = f"L{len(labels)}_{mark}", f"pc{depth}"
        kind = random.choice(["if", "block", "loop", "dispatch", "jump", "jump"])
        if kind == "jump" and labels:
            body.append(("if", _bit(random), [_jump(random, labels)], []))
        elif kind == "if" and depth:
            then, other = (control(random, labels, depth - 1) for _ in range(2))
            body.append(("if", _bit(random), then, other if random.random() < 0.5 else []))
        elif kind in ("block", "loop") and depth:
            inner = control(random, [*labels, (label, kind)], depth - 1)
            if kind == "loop":
                inner = [*_fuel(), *inner, ("if", _bit(random), [("break", label)], [])]
            body.append((kind, label, inner))
        elif kind == "dispatch" and depth:
            number = random.randint(1, 4)
            around = [*labels, (label, f"dispatch {number}")]
            blocks = [[*_fuel(), *control(random, around, depth - 1)] for _ in range(number)]
            body.append(("set", pc, random.randrange(number)))
            body.append(("dispatch", label, pc, _with_pc(blocks, label, pc)))
    return body


def _bit(random: Random) -> Code:
    return ("i32.and", ("i32.shr_u", "x", random.randrange(12)), 1)


def _fuel() -> list[Statement]:
    spent = ("set", "fuel", ("i32.add", "fuel", 1))
    return [spent, ("if", ("i32.gt_s", "fuel", 60), [("return", "x")], [])]


def _jump(random: Random, labels: list[tuple[str, str]]) -> Statement:
    label, kind = random.choice(labels)
    if kind == "block" or random.random() < 0.4:
        return ("break", label)
    if kind == "loop":
        return ("again", label)
    return ("goto", label, "", random.randrange(int(kind.split()[1])))


def _with_pc(blocks: Any, label: str, name: str) -> Any:
    """Fill in which local the jumps of a dispatch set."""
    match blocks:
        case ("goto", to, _, number) if to == label:
            return ("goto", to, name, number)
        case list() | tuple():
            return type(blocks)(_with_pc(each, label, name) for each in blocks)
        case _:
            return blocks


@given(st.integers(0, 2**32), NARROW)
def test_jumps_of_every_kind(seed: int, x: int) -> None:
    body = control(Random(seed), [], 4)
    names: dict[str, Width] = {"x": "i32", "fuel": "i32"}
    names |= {f"pc{depth}": "i32" for depth in range(5)}
    made = program([("set", "x", "a"), *body, ("return", "x")], names)
    agree(made, (x, 0), (~x, 0), (x ^ 0x5555, 0))


# ---------------------------------------------------------------- games

GAMES = [
    ("tic_tac_toe", 2, 40),
    ("checkers", 2, 4),
    ("breakthrough", 2, 10),
    ("nine_mens_morris", 2, 4),
    ("backgammon", 2, 1),
    ("hearts", 4, 3),
    ("love_letter", 4, 20),
    ("hanabi", 3, 10),
    ("kuhn_poker", 2, 40),
    ("pied_piper", 4, 10),
    ("secret_rugrats", 3, 10),
    ("hameln", 3, 4),
    ("burg_appenzell", 2, 1),
]


def table_of(name: str, players: int) -> Table:
    game = check_rules(Library().find(name), Library()).game
    assert game is not None
    return Table(game, players)


@pytest.mark.parametrize(("name", "players", "games"), GAMES)
def test_games(name: str, players: int, games: int) -> None:
    table = table_of(name, players)
    ours = Engine(table, checked=True, runner=PythonRunner)
    theirs = Engine(table, checked=True, runner=WasmRunner)
    assert ours.playouts(games, 7) == theirs.playouts(games, 7)
    assert ours.playouts(games, 7, quick=True) == theirs.playouts(games, 7, quick=True)
    random = Random(games)
    going = ours.start(11)
    assert theirs.start(11) == going
    for _ in range(60):
        assert ours.save() == theirs.save()
        if not going:
            assert ours.result() == theirs.result()
            break
        assert (ours.seat, ours.number) == (theirs.seat, theirs.number)
        assert list(ours.candidates()) == list(theirs.candidates())
        chosen = random.randrange(ours.number)
        going = ours.choose(chosen)
        assert theirs.choose(chosen) == going


@pytest.mark.parametrize("name", ["tic_tac_toe", "kuhn_poker", "pig"])
def test_search(name: str) -> None:
    table = table_of(name, 2)
    ours, theirs = (Engine(table, runner=each) for each in (PythonRunner, WasmRunner))
    ours.iterations(60, 4)
    theirs.iterations(60, 4)
    assert ours.found() == theirs.found()


def test_counting() -> None:
    engine = Engine(table_of("tic_tac_toe", 2), runner=PythonRunner)
    engine.start(1, ask_always=True)
    assert [engine.perft(depth) for depth in range(1, 5)] == [9, 72, 504, 3024]


def test_python_is_used_where_wasmtime_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "wasmtime", None)
    engine = Engine(table_of("tic_tac_toe", 2))
    assert isinstance(engine.runner, PythonRunner)
    assert len(engine.playouts(3, 1)) == 3
