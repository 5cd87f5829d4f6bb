"""What moves on the page: pieces glide, what is revealed turns over, dice roll; or nothing does."""

from typing import Literal

import pytest
from playwright.sync_api import Browser

from .conftest import RunningServer, Visitor

MEMORY = """
game memory "Memory"
    players 2

type Side = face_up, face_down

place row of Card seen when it.side = face_up
place won per Player of Card
piece Card in row
    sun
    moon
    star

state Card.side: Side = face_down

step play
    set active = Player(1)
    choose "Which card do you turn over?"
        reveal
        wait
    choose "Which card do you take?"
        grab
    end game

action reveal(card in row) "Turn over"
    set card.side = face_up

action wait "Wait"
    set active = you

action grab(card in row) "Take"
    move card to you.won
"""

WATCH = """
window.seen = [];
new MutationObserver((changes) => {
  const note = (element) => {
    for (const name of ["turning", "rolling", "ghost", "rolled"]) {
      if (element.classList?.contains(name)) seen.push(name);
    }
  };
  for (const change of changes) {
    note(change.target);
    change.addedNodes.forEach(note);
  }
}).observe(document, { subtree: true, childList: true, attributeFilter: ["class"] });
"""

Motion = Literal["no-preference", "reduce"]


def watching(browser: Browser, motion: Motion) -> Visitor:
    context = browser.new_context(viewport={"width": 1280, "height": 860}, reduced_motion=motion)
    context.add_init_script(WATCH)
    return Visitor(context)


def seen_and_gone(person: Visitor) -> set[str]:
    """What moved since it was last asked, once it is still again."""
    person.page.wait_for_function(
        "() => !document.querySelector('.ghost, .rolled, .turning, .rolling')"
    )
    found: list[str] = person.page.evaluate("seen.splice(0)")
    assert person.problems == []
    return set(found)


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_a_card_that_is_revealed_where_it_lies_turns_over(
    server: RunningServer, browser: Browser, motion: Motion
) -> None:
    person = watching(browser, motion)
    table = server.create(rules=MEMORY, seats=["human", "human"], seed=1)
    page = person.visit(table.link(1))
    person.wait(".option")
    assert page.locator(".piece.back").count() >= 1
    person.page.locator(".option").first.click()
    person.after(0)
    revealed = seen_and_gone(person)
    page.locator(".option").last.click()
    person.after(1)
    taken = seen_and_gone(person)
    if motion == "reduce":
        assert not revealed and not taken
    else:
        assert "turning" in revealed
        assert "ghost" in taken and "turning" not in taken
    person.context.close()


def test_discs_that_change_hands_turn_over(server: RunningServer, browser: Browser) -> None:
    person = watching(browser, "no-preference")
    table = server.create(game="othello", seats=["human", "human"], seed=1)
    person.visit(table.link(1))
    person.wait(".option")
    person.click_option()
    assert {"turning", "ghost"} <= seen_and_gone(person)
    person.context.close()


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
@pytest.mark.parametrize(("game", "moves"), [("backgammon", "rolling"), ("pig", "rolled")])
def test_dice_roll(
    server: RunningServer, browser: Browser, game: str, moves: str, motion: Motion
) -> None:
    """On the table if they lie there; otherwise above it, without moving if that is asked for."""
    person = watching(browser, motion)
    table = server.create(game=game, seats=["human", "random"], seed=3)
    person.visit(table.link(1))
    found: set[str] = set()
    for _ in range(12):
        if moves in found or not person.asked_or_over():
            break
        turn = person.turn()
        person.page.locator(".option").first.click()
        person.after(turn)
        if motion == "reduce" and game == "pig":
            turned = person.page.evaluate(
                "document.getAnimations().flatMap(each => each.effect.getKeyframes())"
                ".filter(frame => frame.transform || frame.rotate || frame.translate).length"
            )
            assert turned == 0
        found |= seen_and_gone(person)
    if motion == "no-preference":
        assert moves in found
    else:
        assert found <= {"rolled"}
    person.context.close()
