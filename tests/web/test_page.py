"""The page in a real browser: every way to choose, to look and to ask."""

import re

import pytest
from playwright.sync_api import Browser, expect

from .conftest import RunningServer, Visitor


def test_a_whole_game_by_clicks_on_the_table(server: RunningServer, visitor: Visitor) -> None:
    """The Pied Piper against computers, pointing at cards and places alone."""
    table = server.create(game="pied_piper", seats=["human", "easy", "random"], seed=11)
    visitor.visit(table.link(1))
    while visitor.asked_or_over():
        visitor.click_on_table()
    expect(visitor.page.locator(".ending li")).to_have_count(3)


def test_two_browsers_see_different_things(server: RunningServer, browser: Browser) -> None:
    table = server.create(game="burg_appenzell", seats=["human", "human"], seed=5)
    people = [Visitor(browser.new_context()) for _ in range(2)]
    for seat, person in enumerate(people, 1):
        person.visit(table.link(seat))
    for _ in range(12):
        for person in people:
            person.wait(".ask")
        asked = [person for person in people if person.page.locator(".my-turn .option").count()]
        assert len(asked) == 1
        turn = asked[0].turn()
        asked[0].page.locator(".option").first.click()
        for person in people:
            person.after(turn)
    # Tiles under roofs are nobody's to see; each may know of others which the other does not.
    for person in people:
        assert person.page.locator(".cover").count() > 10
        assert person.problems == []
        person.context.close()


def test_hands_are_only_ones_own(server: RunningServer, browser: Browser) -> None:
    table = server.create(game="hearts", seats=["human"] * 4, seed=5)
    hands = []
    for seat in (1, 2, None):
        person = Visitor(browser.new_context())
        page = person.visit(table.link(seat))
        page.wait_for_selector(".seat")
        page.wait_for_timeout(200)
        hands.append(page.locator(".own .one").count())
        text = page.inner_text("body")
        if seat is None:
            assert "You look on." in text
            assert page.locator(".piece.card:not(.back)").count() == 0
        person.context.close()
    assert hands == [13, 13, 0]


def test_why_by_clicking_an_illegal_place(server: RunningServer, visitor: Visitor) -> None:
    table = server.create(game="checkers", seats=["human", "human"], seed=1)
    page = visitor.visit(table.link(1))
    visitor.wait(".option")
    glowing = page.locator(".my-turn .cell.glow").first
    glowing.click(force=True)
    page.locator('[data-id="Square(4, 4)"], [data-id="Square(5, 4)"]').first.click(force=True)
    page.locator('.cell:not(.glow)[data-id^="Square"]').last.click(force=True)
    visitor.wait(".toast.why")
    assert "Not allowed" in page.inner_text(".toast.why")


def test_undo(server: RunningServer, visitor: Visitor) -> None:
    table = server.create(game="burg_appenzell", seats=["human", "random"], seed=3)
    page = visitor.visit(table.link(1))
    for _ in range(20):
        visitor.wait(".option")
        visitor.click_option()
        visitor.wait(".option")
        if page.locator("#undo").is_enabled():
            break
    turn = visitor.turn()
    page.click("#undo")
    visitor.after(turn)
    assert visitor.turn() < turn


def test_reload_in_mid_choice_loses_nothing(server: RunningServer, visitor: Visitor) -> None:
    table = server.create(game="pied_piper", seats=["human", "human"], seed=2)
    for seat in (1, 2):
        page = visitor.visit(table.link(seat))
        page.reload()
        visitor.wait(".ask")
        if page.locator(".option").count():
            break
    page.locator(".hand .glow").first.click()
    visitor.wait(".picked")
    before = visitor.turn(), page.locator(".hand .one").count()
    page.reload()
    visitor.wait(".option")
    assert (visitor.turn(), page.locator(".hand .one").count()) == before
    visitor.click_option()
    page.reload()
    visitor.wait(".ask")
    assert visitor.turn() == before[0] + 1


def test_a_server_that_is_killed_comes_back(
    browser: Browser, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("kept")
    server = RunningServer.start(folder)
    table = server.create(game="connect_four", seats=["human", "human"], seed=2)
    person = Visitor(browser.new_context())
    person.visit(table.link(1))
    person.wait(".option")
    person.click_option()
    port = server.address.rstrip("/").rpartition(":")[2]
    server.kill()
    person.wait(".banner:not([hidden])")
    again = RunningServer.start(folder, "--port", port)
    person.page.wait_for_selector(".banner", state="hidden")
    assert person.turn() == 1
    person.context.close()
    again.stop()


def test_german(server: RunningServer, browser: Browser) -> None:
    person = Visitor(browser.new_context(locale="de-DE"))
    page = person.visit(server.address)
    page.click("[data-game=pied_piper]")
    page.click(".start")
    person.wait(".area-table .seat")
    assert page.locator("html").get_attribute("lang") == "de"
    person.wait(".option")
    text = page.inner_text("body")
    assert "Der Rattenfänger von Hameln" in text and "Spieler 1" in text and "Regeln" in text
    assert not re.search(r"\bPlayer \d|\bTake back\b", text)
    page.select_option("header select", "en")
    page.wait_for_function("() => document.title === 'The Pied Piper'")
    person.context.close()


GLEANERS = """
game gleaners "Gleaners"
    players 2
    aim "Bring in the most ears."
    progress p: p.ears of 4 "ears"

place Patch grid 2 by 1 of Sheaf
piece Sheaf 1 in Patch(2, 1)

state Player.ears: number = 3
state Player.poppies: number = 0

step play
    set active = Player(2)
    choose "Where do you glean?"
        glean

action glean(patch in Patch) "Glean"
    add 2 to you.poppies

trigger dusk after glean "Night falls"
    when Player(2).poppies > 0
    end game

ranking p in Player
    highest p.ears
    highest p.poppies
    payoff p.poppies in 0..2

language de
    "Bring in the most ears." "Sammle die meisten Ähren."
    "ears" "Ähren"
    "Night falls" "Die Nacht bricht herein"
    ears "Ähren"
    poppies "Mohn"
"""


def test_how_far_players_are_without_a_goal(server: RunningServer, browser: Browser) -> None:
    person = Visitor(browser.new_context(locale="en-GB"))
    rules = GLEANERS.replace("p.ears of 4", "p.ears")
    page = person.visit(server.create(rules=rules, seats=["human", "human"]).link(2))
    person.wait(".option")
    expect(page.locator(".seat .progress")).to_have_text(["ears: 3", "ears: 3"])
    expect(page.locator("progress")).to_have_count(0)
    person.context.close()


@pytest.mark.parametrize(
    ("locale", "aim", "progress", "told"),
    [
        (
            "en-GB",
            "The aim: Bring in the most ears.",
            "3 of 4 ears",
            [
                "The game is over",
                "It ended by this: Night falls.",
                "Player 2 won",
                "1. Player 2: ears 3, poppies 2, pay-off 2, Tie broken by: poppies",
                "2. Player 1: ears 3, poppies 0, pay-off 0, Tie broken by: poppies",
            ],
        ),
        (
            "de-DE",
            "Das Ziel: Sammle die meisten Ähren.",
            "Ähren: 3 von 4",
            [
                "Das Spiel ist aus",
                "Dadurch endete es: Die Nacht bricht herein.",
                "Spieler 2 gewinnt",
                "1. Spieler 2: Ähren 3, Mohn 2, Auszahlung 2, Bei Gleichstand entscheidend: Mohn",
                "2. Spieler 1: Ähren 3, Mohn 0, Auszahlung 0, Bei Gleichstand entscheidend: Mohn",
            ],
        ),
    ],
)
def test_the_aim_the_way_to_it_and_what_decided(
    server: RunningServer, browser: Browser, locale: str, aim: str, progress: str, told: list[str]
) -> None:
    """To see, and to hear."""
    person = Visitor(browser.new_context(locale=locale))
    table = server.create(rules=GLEANERS, seats=["human", "human"])
    page = person.visit(table.link(2))
    person.wait(".option")
    live = page.locator("[aria-live]")
    expect(page.locator(".aim")).to_have_text(aim)
    assert aim in live.inner_text()
    expect(page.locator(".seat .progress")).to_have_text([progress, progress])
    assert progress in (page.locator(".seat.you header").get_attribute("aria-label") or "")
    expect(page.locator(".option")).to_have_text(["a1", "b1 (Sheaf)"])
    page.locator(".option").last.click()
    person.wait(".ending")
    over, cause, result, first, second = told
    assert live.locator("p").all_inner_texts()[-5:] == told
    ending = page.locator(".ending")
    expect(ending.locator("h2")).to_have_text(over)
    expect(ending.locator(".cause")).to_have_text(cause)
    expect(ending.locator(".result")).to_have_text(result)
    for place, line in zip(ending.locator(".places li").all(), (first, second), strict=True):
        who, _, facts = line.partition(": ")
        *keys, broken = facts.split(", ")
        expect(place.locator("strong")).to_have_text(who)
        expect(place.locator(".stat")).to_have_text(keys)
        expect(place.locator(".decisive")).to_have_text(keys[1])
        expect(place.locator("p")).to_have_text(broken)
    assert person.problems == []
    person.context.close()


def test_an_action_that_names_all_is_told_once(server: RunningServer, visitor: Visitor) -> None:
    table = server.create(game="dyke_wardens", seats=["human", "human"], seed=3)
    page = visitor.visit(table.link(1))
    visitor.wait(".option")
    expect(page.locator(".option", has_text="Walk to market")).to_have_text(
        "Walk to market (depot)"
    )
    expect(page.locator(".options h3", has_text="Walk")).to_have_count(0)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_lengths_of_roads_can_be_read(server: RunningServer, visitor: Visitor, theme: str) -> None:
    visitor.page.emulate_media(color_scheme="dark" if theme == "dark" else "light")
    table = server.create(game="mail_roads", seats=["human", "human"], seed=3)
    page = visitor.visit(table.link(1))
    visitor.wait(".milestone")
    colours = page.evaluate(
        "[...document.querySelectorAll('.milestone')].map(each => "
        "[each, each.nextElementSibling].map(part => getComputedStyle(part).fill).join(' under '))"
    )
    assert set(colours) == {"rgb(255, 253, 248) under rgb(43, 38, 32)"}


def test_a_phone(server: RunningServer, browser: Browser) -> None:
    context = browser.new_context(
        viewport={"width": 390, "height": 780}, has_touch=True, is_mobile=True
    )
    person = Visitor(context)
    table = server.create(game="hearts", seats=["human", *["random"] * 3], seed=3)
    page = person.visit(table.link(1))
    person.wait(".option")
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= 390, "nothing sticks out"
    turn = person.turn()
    page.locator(".own .one.glow").first.tap()
    person.after(turn)
    person.context.close()


@pytest.mark.parametrize(
    "game", ["pied_piper", "burg_appenzell", "hameln", "ratzentanz", "chess", "little_realm"]
)
def test_on_a_phone_the_question_is_always_in_sight(
    server: RunningServer, browser: Browser, game: str
) -> None:
    """With something to choose, wherever one has scrolled; the whole list is a touch away."""
    context = browser.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
    )
    person = Visitor(context)
    table = server.create(game=game, seats=["human", "random", "random"][: PLAYERS[game]], seed=3)
    page = person.visit(table.link(1))
    person.wait(".option")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    for at in ("0", "document.body.scrollHeight / 2", "document.body.scrollHeight"):
        page.evaluate(f"scrollTo(0, {at})")
        for selector in (".ask h2", ".ask .option"):
            expect(page.locator(selector).first).to_be_in_viewport(ratio=0.9)
    if page.locator(".ask .more").is_visible():
        folded = page.locator(".ask").bounding_box()
        page.locator(".ask .more").tap()
        unfolded = page.locator(".ask").bounding_box()
        assert folded and unfolded and unfolded["height"] > folded["height"]
        expect(page.locator(".ask .more")).to_have_attribute("aria-expanded", "true")
    assert person.problems == []
    person.context.close()


PLAYERS = {
    "pied_piper": 3,
    "burg_appenzell": 2,
    "hameln": 3,
    "ratzentanz": 2,
    "chess": 2,
    "little_realm": 2,
}


LANES = """
game lanes "Lanes"
    players 2

place Yard network of Cart
    old_lighthouse_keeper
    mill
    market_behind_the_abbey
    old_lighthouse_keeper - mill - market_behind_the_abbey
piece Cart 1 per Player in mill

step play
    set active = Player(1)
    choose "Where do you go?"
        drive

action drive(yard in Yard) "Drive"
    move Cart(you) to yard
    end game

looks
    Yard house
"""


def test_names_of_places_are_whole(server: RunningServer, visitor: Visitor) -> None:
    """Long ones are broken into lines that stay within their place; each can be hovered over."""
    table = server.create(rules=LANES, seats=["human", "human"], seed=3)
    page = visitor.visit(table.link(1))
    visitor.wait(".cell.s-house")
    houses = page.evaluate(
        "[...document.querySelectorAll('.cell.s-house')].map(cell => ["
        "cell.querySelector('title').textContent.split(':')[0], "
        "[...cell.querySelectorAll('.place-name')].map(each => each.textContent).join(' '), "
        "Math.max(...[...cell.querySelectorAll('.place-name')].map(each => each.getBBox().width)), "
        "cell.querySelector('.area').getBBox().width])"
    )
    names = ["old lighthouse keeper", "mill", "market behind the abbey"]
    assert [(title, name) for title, name, *_ in houses] == [(name, name) for name in names]
    assert all(wide <= room for *_, wide, room in houses)


def test_sides_have_colours_where_players_have_sides(
    server: RunningServer, visitor: Visitor
) -> None:
    for game, sides in (("hex", 4), ("thin_ice", 0), ("chess", 0)):
        table = server.create(game=game, seats=["human", "human"], seed=3)
        page = visitor.visit(table.link(1))
        visitor.wait(".option")
        expect(page.locator(".side")).to_have_count(sides)


def test_the_keyboard_alone(server: RunningServer, visitor: Visitor) -> None:
    table = server.create(game="tic_tac_toe", seats=["human", "random"], seed=3)
    page = visitor.visit(table.link(1))
    while visitor.asked_or_over():
        turn = visitor.turn()
        for _ in range(40):
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement.classList.contains('cell')"):
                break
        for key in ("ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp", "ArrowRight"):
            if page.evaluate("document.activeElement.classList.contains('glow')"):
                break
            page.keyboard.press(key)
        if not page.evaluate("document.activeElement.classList.contains('glow')"):
            page.locator(".option").first.focus()
        page.keyboard.press("Enter")
        visitor.after(turn)


def test_hints_rules_and_looking_back(server: RunningServer, visitor: Visitor) -> None:
    table = server.create(game="connect_four", seats=["human", "random"], seed=3)
    page = visitor.visit(table.link(1))
    visitor.wait(".option")
    visitor.click_option()
    visitor.wait(".option")
    page.click("#hint")
    visitor.wait(".toast.hint")
    page.click("#rules")
    visitor.wait("dialog .rules h3")
    page.keyboard.press("Escape")
    page.click("#replay")
    visitor.wait(".replay input")
    page.locator(".replay button").first.click()
    page.wait_for_function("() => document.querySelectorAll('.cell .piece').length === 0")
    page.click(".replay .now")
    visitor.wait(".option")
    assert page.locator(".cell .piece").count() > 0


def test_the_lobby_gives_a_link_for_every_seat(server: RunningServer, visitor: Visitor) -> None:
    page = visitor.visit(server.address)
    page.click("[data-game=go]")
    page.select_option("[data-seat='2']", "human")
    page.click(".start")
    visitor.wait(".links input")
    links = [each.input_value() for each in page.locator(".links input").all()]
    assert len(links) == len(set(links)) == 3
    page.goto(links[1])
    visitor.wait(".seat.you")


def test_the_lobby_says_how_many_play(server: RunningServer, visitor: Visitor) -> None:
    page = visitor.visit(server.address)
    visitor.wait(".game")
    expect(page.locator("[data-game=pied_piper]")).to_contain_text("2–5 players")
    expect(page.locator("[data-game=chess]")).to_contain_text("2 players")


def test_the_playground_of_a_server(server: RunningServer, visitor: Visitor) -> None:
    """The same page as without one: a typo, its mending, tests, some games, and the table."""
    page = visitor.visit(f"{server.address}playground")
    visitor.wait(".problems .good")
    rules = page.input_value("textarea")
    page.fill("textarea", rules.replace("place ", "plaec ", 1))
    visitor.wait(".problem.error")
    page.fill("textarea", rules)
    visitor.wait(".problems .good")
    page.click("#tests")
    visitor.wait(".report li")
    assert "✗" not in page.inner_text(".report")
    page.click("#simulate")
    expect(page.locator(".report li")).to_have_count(2)
    page.click("#play")
    visitor.wait(".play-area .option")
    visitor.click_option()


def test_a_rules_file_is_text_whatever_it_says(server: RunningServer, visitor: Visitor) -> None:
    evil = "<img src=x onerror=alert(1)>"
    rules = (
        f'game evil "{evil}"\n    players 2\n\nplace heap of Stone\npiece Stone 3 in heap\n\n'
        f'step play\n    set active = Player(1)\n    choose "{evil}"\n        grab\n'
        "    end game\n\n"
        f'action grab(n in 1..2) "{evil}"\n    move n from heap to heap\n'
    )
    table = server.create(rules=rules, seats=["human", "human"])
    page = visitor.visit(table.link(1))
    visitor.wait(".option")
    assert page.locator("#app img").count() == 0
    assert evil in page.inner_text("h1")


def test_nothing_serious_for_those_who_see_otherwise(
    server: RunningServer, visitor: Visitor, axe: str
) -> None:
    addresses = [server.address, f"{server.address}playground"]
    for game, players in (("pied_piper", 3), ("hearts", 4), ("go", 2), ("hameln", 3)):
        table = server.create(game=game, seats=["human", *["random"] * (players - 1)], seed=1)
        addresses.append(table.link(1))
    for theme in ("light", "dark"):
        visitor.page.emulate_media(color_scheme=theme)
        for address in addresses:
            page = visitor.visit(address)
            visitor.wait(".game, .option, .problems p")
            page.evaluate(axe)
            # Names on cards are broken into lines where they are drawn, and symbols stand among
            # them; the label has every word, but that rule compares letter by letter.
            found = page.evaluate(
                "axe.run(document, {resultTypes: ['violations'],"
                "rules: {'label-content-name-mismatch': {enabled: false}}}).then(r => r.violations"
                ".filter(v => ['serious', 'critical'].includes(v.impact))"
                ".map(v => [v.id, v.nodes.slice(0, 3).map(n => n.html.slice(0, 160))]))"
            )
            assert found == [], f"{address} in {theme}: {found}"
