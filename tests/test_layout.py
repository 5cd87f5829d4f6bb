"""What holds for the repository as a whole: its packages, the direction of imports, its texts."""

import ast
import re
import subprocess
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from ruledsl.library import SUFFIX, identifier

ROOT = Path(__file__).parents[1]

ORDER = (
    "packaged",
    "structural",
    "texts",
    "diagnostics",
    "library",
    "syntax",
    "model",
    "table",
    "play",
    "scene",
    "engine",
    "players",
    "lab",
    "language_server",
)
"""The parts of the package; each imports only itself and those before it."""

ROOMS = (
    "unsupported",
    "code",
    "memory",
    "counters",
    "somebody_active",
    "context",
    "sets",
    "expressions",
    "effects",
    "choices",
    "procedures",
    "runtime",
    "compiler",
    "played",
    "engine",
    "following",
    "counted",
    "worlds",
    "stage",
)
"""The rooms of the engine; each imports only itself and those before it."""

MAPPED = {
    "cli": "ruledsl.cli",
    "cli/drawing": "ruledsl.cli.drawing",
    "cli/web": "ruledsl.cli.web",
    "games": "ruledsl.games",
    "grammar": "ruledsl.grammar",
}


def modules(folder: str) -> list[Path]:
    found = sorted((ROOT / folder).rglob("*.py"))
    assert found, f"no modules in {folder}"
    return found


def imported(module: Path) -> Iterator[str]:
    """The full names of what a module imports, anywhere in it: of modules, or what is in them."""
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        match node:
            case ast.Import(names):
                yield from (name.name for name in names)
            case ast.ImportFrom(module=str(outer), names=names, level=0):
                yield from (f"{outer}.{name.name}" for name in names)
            case ast.ImportFrom():
                pytest.fail(f"{module}: imports inside the package name it in full")
            case _:
                pass


@pytest.mark.parametrize("module", modules("ruledsl"), ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_point_backwards(module: Path) -> None:
    part = module.relative_to(ROOT / "ruledsl").parts[0].removesuffix(".py")
    if part == "__init__":
        return
    assert part in ORDER, f"{part} has no place in the order"
    for name in imported(module):
        package, *inner = name.split(".")
        if package == "ruledsl":
            other = inner[0] if inner else ""
            assert other in ORDER, f"imports {name}"
            assert ORDER.index(other) <= ORDER.index(part), f"{part} imports {name}"


@pytest.mark.parametrize(
    "part", [*(part for part in ORDER if part not in ("packaged", "structural", "library")), "cli"]
)
def test_a_class_has_a_name_of_its_own(part: str) -> None:
    """Within one part of the package: whoever reads the name knows which is meant."""
    found: dict[str, list[str]] = {}
    for module in modules("cli" if part == "cli" else f"ruledsl/{part}"):
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                found.setdefault(node.name, []).append(str(module.relative_to(ROOT)))
    assert not {name: where for name, where in found.items() if len(where) > 1}


@pytest.mark.parametrize(
    "module", modules("ruledsl/engine"), ids=lambda path: str(path.relative_to(ROOT))
)
def test_imports_inside_the_engine_point_backwards(module: Path) -> None:
    room = module.relative_to(ROOT / "ruledsl/engine").parts[0].removesuffix(".py")
    if room == "__init__":
        return
    assert room in ROOMS, f"{room} has no place in the order"
    for name in imported(module):
        if name.split(".")[:2] == ["ruledsl", "engine"]:
            # What the package offers to others comes after all its rooms.
            other = ".".join(name.split(".")[2:3])
            assert other in ROOMS, f"imports {name}"
            assert ROOMS.index(other) <= ROOMS.index(room), f"{room} imports {name}"


@cache
def _classes() -> dict[str, ast.ClassDef]:
    """The classes of the engine by name; each has a name of its own."""
    return {
        node.name: node
        for module in modules("ruledsl/engine")
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef)
    }


def _bases(node: ast.ClassDef) -> set[str]:
    """The names of what a class is built on, however they are written: `Base`, `there.Base[T]`."""
    parts = [part for base in node.bases for part in ast.walk(base)]
    names = {part.id for part in parts if isinstance(part, ast.Name)}
    return names | {part.attr for part in parts if isinstance(part, ast.Attribute)}


MOST_ABOVE = 3
"""Classes of the engine that one of them inherits from, directly or not."""
MOST_METHODS = 40


def test_classes_of_the_engine_are_composed() -> None:
    classes = _classes()

    def above(name: str) -> set[str]:
        bases = _bases(classes[name]) & classes.keys()
        return bases.union(*map(above, bases))

    assert not [name for name in classes if len(above(name)) > MOST_ABOVE]
    large = {
        name: sum(isinstance(part, ast.FunctionDef) for part in node.body)
        for name, node in classes.items()
    }
    assert not {name: number for name, number in large.items() if number > MOST_METHODS}


def test_parts_of_the_compiler_are_not_built_on_each_other() -> None:
    """What a part may touch, its constructor says."""
    classes = _classes()
    parts = {name for name, node in classes.items() if "Part" in _bases(node)}
    assert len(parts) > 20
    for name, node in classes.items():
        assert not _bases(node) & parts, f"{name} is built on a part"


MOST_HANDED = 9


def test_a_part_of_the_compiler_is_handed_few_others() -> None:
    """What takes more is two parts, or wants a whole room."""
    handed = {
        name: len(part.args.args) - 1
        for name, node in _classes().items()
        for part in node.body
        if isinstance(part, ast.FunctionDef) and part.name == "__init__"
    }
    assert len(handed) > 40
    assert not {name: number for name, number in handed.items() if number > MOST_HANDED}


def test_a_name_of_a_file_has_few_meanings() -> None:
    """`check.py` may check rules, check tables, and be the command; a fourth has another name."""
    found: dict[str, list[str]] = {}
    for module in modules("ruledsl") + modules("cli"):
        if module.stem not in ("__init__", "__main__"):
            found.setdefault(module.stem, []).append(str(module.relative_to(ROOT)))
    assert not {name: where for name, where in found.items() if len(where) > 3}


def test_every_package_is_installed() -> None:
    listed = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]
    folders = {path.parent.relative_to(ROOT) for path in ROOT.glob("ruledsl/**/__init__.py")}
    inner = {".".join(folder.parts) for folder in folders}
    assert set(listed["packages"]) == inner | set(MAPPED.values())
    without = {path.parent for path in modules("ruledsl")} - {ROOT / folder for folder in folders}
    assert not without, "folders of modules without an __init__.py"


def test_no_game_is_named_in_the_engine() -> None:
    stems = (identifier(path.stem) for path in (ROOT / "games").rglob(f"*{SUFFIX}"))
    names = sorted(stem for stem in stems if len(stem) >= 6)
    if not names:
        pytest.skip("there are no games yet")
    pattern = re.compile(
        rf"\b({'|'.join(name.replace('_', '[_ -]?') for name in names)})\b", re.IGNORECASE
    )
    named = [
        f"{module.relative_to(ROOT)}:{number}: {match[0]}"
        for module in modules("ruledsl") + modules("cli")
        for number, line in enumerate(module.read_text("utf-8").splitlines(), 1)
        for match in pattern.finditer(line)
    ]
    assert not named, "names of games in the engine:\n" + "\n".join(named)


def test_no_paths_of_one_machine() -> None:
    listing = subprocess.run(
        ["git", "ls-files", "-z"],  # noqa: S607 (the git that is there)
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if listing.returncode:
        pytest.skip("not a clone")
    pattern = re.compile(r"(?<![\w.:/])/(?:home|Users|root|work|tmp)/[\w.-]")
    tracked = [name for name in listing.stdout.split("\0") if name and (ROOT / name).is_file()]
    named = [
        f"{name}:{number}: {line.strip()}"
        for name in tracked
        for number, line in enumerate((ROOT / name).read_text("utf-8", "replace").splitlines(), 1)
        if pattern.search(line)
    ]
    assert not named, "paths of one machine:\n" + "\n".join(named)
