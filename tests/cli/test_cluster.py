"""`--cluster`: a real scheduler, and workers in processes of their own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import attrs
import pytest

from .conftest import Run

PROGRAM = str(Path(sys.executable).with_name("ruledsl"))


@attrs.define
class Cluster:
    """A scheduler, and workers that can be ended."""

    folder: Path
    processes: list[subprocess.Popen[bytes]] = attrs.Factory(list)

    def start(self, module: str, *words: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", f"distributed.cli.{module}", *words]
        quiet = {"DASK_DISTRIBUTED__ADMIN__SYSTEM_MONITOR__INTERVAL": "5s"}
        process = subprocess.Popen(
            command,
            cwd=self.folder,
            env={**os.environ, **quiet},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self.processes.append(process)
        return process

    @property
    def address(self) -> str:
        file = self.folder / "scheduler.json"
        until = time.monotonic() + 60
        while True:
            try:
                return str(json.loads(file.read_text())["address"])
            except (OSError, ValueError):
                assert time.monotonic() < until, "the scheduler does not start"
                time.sleep(0.2)

    def worker(self) -> subprocess.Popen[bytes]:
        return self.start(
            "dask_worker", self.address, "--nthreads", "1", "--no-nanny", "--no-dashboard"
        )

    def wait_until_all_work(self, workers: int) -> None:
        """Until each of so many workers has something to do."""
        with pytest.importorskip("distributed").Client(self.address) as client:
            until = time.monotonic() + 60
            while len(busy := client.processing()) < workers or not all(busy.values()):
                assert time.monotonic() < until, "the workers have nothing to do"
                time.sleep(0.05)


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    pytest.importorskip("distributed")
    found = Cluster(tmp_path)
    words = ("--port", "0", "--no-dashboard", "--scheduler-file", "scheduler.json")
    found.start("dask_scheduler", *words, "--host", "127.0.0.1")
    try:
        yield found
    finally:
        for process in reversed(found.processes):
            process.kill()
            process.wait()


def printed(*words: str) -> dict[str, object]:
    done = subprocess.run(
        [PROGRAM, *words], capture_output=True, text=True, check=False, timeout=280
    )
    assert done.returncode in (0, 1), done.stderr
    return dict(json.loads(done.stdout))


@pytest.mark.extra
@pytest.mark.parametrize(
    ("words", "same"),
    [
        (("simulate", "burg_appenzell", "--games", "4000", "--seed", "3"), None),
        # What is looked at besides depends on the time.
        (
            ("report", "burg_appenzell", "--games", "1500", "--skilled", "0", "--time", "1"),
            ("players", "triggers"),
        ),
        (("sweep", "burg_appenzell", "--vary", "goal=4..5", "--games", "1000"), None),
        (
            ("arena", "pied_piper", "--seats", "random,greedy", "--games", "30", "--seed", "1"),
            None,
        ),
    ],
)
def test_the_same_numbers_and_a_worker_is_lost(
    cluster: Cluster, words: tuple[str, ...], same: tuple[str, ...] | None
) -> None:
    first, _ = cluster.worker(), cluster.worker()
    whole = (*words, "--players", "2", "--json")
    shared = [PROGRAM, *whole, "--cluster", cluster.address]
    with subprocess.Popen(shared, stdout=subprocess.PIPE, text=True) as running:
        cluster.wait_until_all_work(2)
        assert running.poll() is None, "the games were over before a worker was lost"
        first.kill()
        assert running.stdout is not None
        found = json.loads(running.stdout.read())
    assert running.returncode in (0, 1)
    here = printed(*whole)
    for name in same or here:
        assert found[name] == here[name]


@pytest.mark.extra
def test_every_command_of_the_lab(cluster: Cluster, tmp_path: Path) -> None:
    cluster.worker()
    rules = (Path(__file__).parents[2] / "games/classics/pig.rules").read_text("utf-8")
    file = tmp_path / "elsewhere" / "pig.rules"
    file.parent.mkdir()
    file.write_text(rules, "utf-8")
    for words in (
        ("report", str(file), "--players", "2", "--games", "500", "--skilled", "6", "--json"),
        ("sweep", str(file), "--players", "2", "--vary", "goal=20..21", "--games", "100", "--json"),
        (
            "arena",
            str(file),
            "--players",
            "2",
            "--seats",
            "random,greedy",
            "--games",
            "6",
            "--seed",
            "1",
            "--json",
        ),
    ):
        here, there = (
            subprocess.run([PROGRAM, *words, *more], capture_output=True, text=True, check=False)
            for more in ((), ("--cluster", cluster.address))
        )
        assert here.stdout == there.stdout != ""
    # How far the search for a game comes depends on the time; the figures do not.
    diff = ("diff", str(file), f"{file}:goal=90", "--players", "2", "--games", "300", "--json")
    moved = [
        json.loads(
            subprocess.run([PROGRAM, *diff, *more], capture_output=True, check=False).stdout
        )["moved"]
        for more in (("--jobs", "2"), ("--cluster", cluster.address))
    ]
    assert moved[0] == moved[1] != []


@pytest.mark.extra
def test_nobody_answers(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr("ruledsl.cli.cluster.PATIENCE", 1)
    result = run("simulate", "pig", "--games", "5", "--cluster", "tcp://127.0.0.1:1")
    assert result.exit_code == 2
    assert "no cluster answers" in result.output


def test_without_the_extra_it_says_so(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    result = run("simulate", "pig", "--games", "5", "--cluster", "tcp://127.0.0.1:1")
    assert result.exit_code == 2
    assert "tabletop-rules[cluster]" in result.output
