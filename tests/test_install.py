"""What a wheel installs: one package with all its data, and nothing beside it."""

import shutil
import subprocess
import sys
from importlib.resources import files
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).parents[1]
FOLDERS = ("ruledsl", "cli", "games", "grammar")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """The names of the files in a wheel built from a copy of the sources."""
    copy = tmp_path_factory.mktemp("copy")
    for folder in FOLDERS:
        shutil.copytree(ROOT / folder, copy / folder, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md"):
        shutil.copy(ROOT / name, copy)
    build = "import setuptools.build_meta as b; b.build_wheel('dist')"
    done = subprocess.run(
        [sys.executable, "-c", build], cwd=copy, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    (path,) = (copy / "dist").glob("*.whl")
    with ZipFile(path) as archive:
        return set(archive.namelist())


def test_nothing_is_installed_under_a_short_name(wheel: set[str]) -> None:
    tops = {name.split("/")[0] for name in wheel}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"ruledsl"}


@pytest.mark.parametrize(
    ("folder", "pattern", "inside"),
    [
        ("games", "**/*.rules", "ruledsl/games"),
        ("grammar", "*.lark", "ruledsl/grammar"),
        ("cli", "**/*.py", "ruledsl/cli"),
        ("ruledsl", "**/*.py", "ruledsl"),
        ("ruledsl", "**/*.md", "ruledsl"),
        ("ruledsl", "py.typed", "ruledsl"),
    ],
)
def test_everything_is_in_the_wheel(
    wheel: set[str], folder: str, pattern: str, inside: str
) -> None:
    there = {path.relative_to(ROOT / folder).as_posix() for path in (ROOT / folder).glob(pattern)}
    assert {f"{inside}/{name}" for name in there} <= wheel


@pytest.mark.parametrize("folder", ["games", "grammar", "cli"])
def test_the_editable_install_finds_the_folders(folder: str) -> None:
    assert (files(f"ruledsl.{folder}") / "__init__.py").is_file()
