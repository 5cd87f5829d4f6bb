"""A real browser, and a real server, for tests of the page."""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attrs
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

ROOT = Path(__file__).parents[2]
CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or "/usr/bin/chromium"
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PATIENCE = 90_000
"""Milliseconds that a busy machine may take for anything."""


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield running
        running.close()


@pytest.fixture(scope="session")
def axe() -> str:
    """The program that looks for barriers; `make test-web` fetches it."""
    return (ROOT / ".venv" / "axe" / "axe.min.js").read_text(encoding="utf-8")


@attrs.define
class RunningServer:
    """`ruledsl serve` in a process of its own."""

    folder: Path
    process: subprocess.Popen[str]
    address: str

    @classmethod
    def start(cls, folder: Path, *more: str) -> "RunningServer":
        program = str(Path(sys.executable).with_name("ruledsl"))
        words = ["serve", "--port", "0", "--pace", "0", "--tables", str(folder), *more]
        process = subprocess.Popen([program, *words], stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        line = process.stdout.readline()
        while line.startswith("seat"):
            line = process.stdout.readline()
        return cls(folder, process, line.split()[5])

    def create(self, **wish: Any) -> "MadeTable":
        body = json.dumps(wish).encode()
        request = urllib.request.Request(f"{self.address}api/tables", body)  # noqa: S310
        with urllib.request.urlopen(request) as answer:  # noqa: S310
            made = json.load(answer)
        return MadeTable(self, made["table"], made["seats"])

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self._gone()

    def stop(self) -> None:
        self.process.terminate()
        self._gone()

    def _gone(self) -> None:
        self.process.wait()
        if self.process.stdout is not None:
            self.process.stdout.close()


@attrs.frozen
class MadeTable:
    server: RunningServer
    id: str
    seats: dict[str, str]

    def link(self, seat: int | None) -> str:
        fragment = "" if seat is None else f"#{self.seats[str(seat)]}"
        return f"{self.server.address}table/{self.id}{fragment}"


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    running = RunningServer.start(tmp_path_factory.mktemp("tables"))
    yield running
    running.stop()


class Visitor:
    """Somebody with a browser; whatever goes wrong on the page is a failure."""

    def __init__(self, context: BrowserContext) -> None:
        self.context = context
        self.page: Page = context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.problems: list[str] = []
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.rng = random.Random(7)

    def visit(self, address: str) -> Page:
        self.page.goto(address)
        return self.page

    def wait(self, selector: str) -> None:
        self.page.wait_for_selector(selector)

    def asked_or_over(self) -> bool:
        """Whether there is something to choose; otherwise the game is over."""
        self.wait(".option, .ending")
        return self.page.query_selector(".ending") is None

    def turn(self) -> int:
        return int(self.page.evaluate("Number(document.documentElement.dataset.turn)"))

    def after(self, turn: int) -> None:
        """Wait until the position is another one."""
        self.page.wait_for_function(
            "turn => Number(document.documentElement.dataset.turn) !== turn", arg=turn
        )

    def click_option(self) -> None:
        """Choose anything from the list."""
        turn = self.turn()
        number = self.rng.randrange(self.page.locator(".option").count())
        self.page.locator(".option").nth(number).click()
        self.after(turn)

    def click_on_table(self) -> None:
        """Choose by pointing at what glows, until a choice is made; then the list has the rest."""
        turn = self.turn()
        for _ in range(6):
            glowing = self.page.locator(".my-turn .glow")
            count = glowing.count()
            if not count:
                break
            glowing.nth(self.rng.randrange(count)).click(force=True)
            self.page.wait_for_timeout(30)
            if self.turn() != turn or self.page.locator(".option").count() == 0:
                break
        if self.turn() == turn and self.page.locator(".my-turn .option").count():
            self.page.locator(".option").first.click()
        self.after(turn)


@pytest.fixture
def visitor(browser: Browser) -> Iterator[Visitor]:
    context = browser.new_context(viewport={"width": 1280, "height": 860}, locale="en-GB")
    somebody = Visitor(context)
    yield somebody
    context.close()
    assert somebody.problems == []
