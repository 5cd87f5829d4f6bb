"""Pages without a server, in a real browser with its network off."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Route

from ruledsl.cli.export import _runtime
from ruledsl.cli.web.bundle import CDN, HASHES, VERSION, integrity
from ruledsl.cli.web.bundle import page as written

from .conftest import Visitor


@pytest.fixture(scope="module")
def carried() -> dict[str, bytes]:
    found: dict[str, bytes] = _runtime(None)
    return found


def opened(browser: Browser, file: Path) -> Visitor:
    context = browser.new_context(viewport={"width": 1280, "height": 860})
    context.set_offline(True)
    person = Visitor(context)
    person.visit(file.as_uri())
    return person


def test_a_file_plays_without_a_network(
    browser: Browser, tmp_path: Path, carried: dict[str, bytes]
) -> None:
    file = tmp_path / "tic_tac_toe.html"
    config = {"game": "connect_four", "pace": 0}
    file.write_text(written("Four in a Row", config, carried), encoding="utf-8")
    person = opened(browser, file)
    person.wait(".start")
    assert person.page.locator("[data-seat='2']").input_value() == "medium"
    person.page.click(".start")
    while person.asked_or_over():
        person.click_option()
    assert person.page.locator(".ending li").count() == 2
    assert person.problems == []
    person.context.close()


def served(browser: Browser, file: Path, carried: dict[str, bytes]) -> tuple[Visitor, list[str]]:
    """A page whose runtime comes from the network, here a folder; and what it asked for."""
    context = browser.new_context(viewport={"width": 1280, "height": 860}, locale="en-GB")
    asked: list[str] = []

    def answer(route: Route) -> None:
        asked.append(route.request.url)
        body = carried.get(route.request.url.removeprefix(CDN))
        if body is None:
            route.abort()
        else:
            route.fulfill(body=body, headers={"access-control-allow-origin": "*"})

    context.route(re.compile("^https?:"), answer)
    person = Visitor(context)
    person.visit(file.as_uri())
    return person, asked


def test_a_page_gets_its_runtime_from_the_network(
    browser: Browser, tmp_path: Path, carried: dict[str, bytes]
) -> None:
    """What `export` writes by default, from one address of one version, each part compared."""
    file = tmp_path / "tic_tac_toe.html"
    program = Path(sys.executable).with_name("ruledsl")
    subprocess.run([program, "export", "tic_tac_toe", "--out", file], check=True)
    assert file.stat().st_size < 1_000_000
    person, asked = served(browser, file, carried)
    person.wait(".start")
    assert sorted(asked) == sorted(f"{CDN}{name}" for name in HASHES)
    assert f"pyodide@{VERSION}/" in CDN
    person.page.click(".start")
    while person.asked_or_over():
        person.click_option()
    assert person.page.locator(".ending li").count() == 2
    assert person.problems == []
    person.context.close()


@pytest.mark.parametrize("wrong", ["changed", "missing"])
def test_a_runtime_that_is_not_the_pinned_one_is_not_run(
    browser: Browser, tmp_path: Path, carried: dict[str, bytes], wrong: str
) -> None:
    name = "pyodide.mjs"
    files = {each: data for each, data in carried.items() if each != name}
    if wrong == "changed":
        files[name] = carried[name] + b"\n"
        assert integrity(files[name]) != HASHES[name]
    file = tmp_path / "tic_tac_toe.html"
    file.write_text(written("Tic-Tac-Toe", {"game": "tic_tac_toe"}, {}), "utf-8")
    person, asked = served(browser, file, files)
    person.wait("[role=alert]")
    assert f"{CDN}{name}" in asked
    assert "--offline" in person.page.inner_text("[role=alert]")
    person.context.close()


def test_the_playground(browser: Browser, tmp_path: Path, carried: dict[str, bytes]) -> None:
    file = tmp_path / "index.html"
    file.write_text(written("ruledsl", {"playground": True, "pace": 0}, carried), "utf-8")
    person = opened(browser, file)
    page = person.page
    person.wait(".problems .good")
    rules = page.input_value("textarea")
    page.fill("textarea", rules.replace("place ", "plaec ", 1))
    person.wait(".problem.error")
    assert page.locator(".wrong").count()
    assert page.locator("#play").is_disabled()
    page.fill("textarea", rules)
    person.wait(".problems .good")
    page.click("#tests")
    person.wait(".report li")
    page.click("#play")
    person.wait(".option")
    person.click_option()
    page.click("text=Share")
    person.wait(".toast")
    link = page.url
    assert "#rules=" in link
    page.fill("textarea", "")
    person.visit("about:blank")
    person.visit(link)
    page.wait_for_function(
        "rules => document.querySelector('textarea')?.value === rules", arg=rules
    )
    assert person.problems == []
    person.context.close()
