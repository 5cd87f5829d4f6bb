"""What is distributed: a wheel of one package with all its data, and the sources with all else."""

import shutil
import subprocess
import sys
from importlib.resources import files
from pathlib import Path
from tarfile import TarFile
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
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, copy)
    build = "import setuptools.build_meta as b; b.build_wheel('dist')"
    done = subprocess.run(
        [sys.executable, "-c", build], cwd=copy, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    (path,) = (copy / "dist").glob("*.whl")
    with ZipFile(path) as archive:
        return set(archive.namelist())


def test_the_licence_comes_along(wheel: set[str]) -> None:
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in wheel)


def test_the_sources_have_everything_that_is_kept(tmp_path: Path) -> None:
    build = f"import setuptools.build_meta as b; b.build_sdist({str(tmp_path)!r})"
    listed = subprocess.run(
        ["git", "ls-files", "-z"],  # noqa: S607 (wherever it is)
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if listed.returncode:
        pytest.skip("not in a checkout")
    done = subprocess.run(
        [sys.executable, "-c", build], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    (path,) = tmp_path.glob("*.tar.gz")
    with TarFile.open(path) as archive:
        there = {name.partition("/")[2] for name in archive.getnames()}
    kept = {name for name in listed.stdout.split("\0") if name and (ROOT / name).exists()}
    assert {name for name in kept - there if not name.startswith(".")} == set()


def test_nothing_is_installed_under_a_short_name(wheel: set[str]) -> None:
    tops = {name.split("/")[0] for name in wheel}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"ruledsl"}


@pytest.mark.parametrize(
    ("folder", "pattern", "inside"),
    [
        ("games", "**/*.rules", "ruledsl/games"),
        ("grammar", "*.lark", "ruledsl/grammar"),
        ("grammar", "tables.json", "ruledsl/grammar"),
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
