"""`tell`: what happened, in sentences of the rules' own."""

import pytest

from ruledsl.diagnostics.source import Source
from ruledsl.library import Library
from ruledsl.play.check import check_source
from ruledsl.play.match import Match
from ruledsl.scene.data import Happening
from ruledsl.scene.scene import scene_of

RULES = """\
game barn "Barn"
    players 2..3
    limit 20 decisions

type Size = small, large

piece Animal in yard | count
    cow              | 1
    hen              | 1
    ram              | 1

piece Chip 3 in bowl
place yard of Animal
place bowl of Chip hidden
place pocket per Player of Chip private
place barn of Animal
place stall per Player of Animal
state milk: 0..9 = 0
state busy: flag = no

step play
    set active = Player(1)
    tidy
    repeat
        choose "What now?"
            bring
            grab
        set active = active.next

step tidy
    set busy = yes

action bring(animal in yard) "Bring in"
    move animal to you.stall
    add 1 to milk
    tell "The {animal} goes into the stall of {you}. In the barn: {{a in Animal where a in yard}}."
    count_them

step count_them
    add 2 to milk

action grab(chip in bowl) "Grab"
    move chip to you.pocket
    tell "{you} grabs the {chip}."

language en
    cow "cow" "cows"
    hen "hen" "hens"

language de
    barn "Scheune"
    Size "Größe"
    small "klein"
    large "groß"
    Animal "Tier" "das, Tiere"
    cow "Kuh" "die, Kühe"
    hen "Huhn" "das, Hühner"
    ram "Bock" "der, Böcke"
    Chip "Chip" "der, Chips"
    yard "Hof"
    bowl "Schale"
    pocket "Tasche"
    stall "Stall"
    milk "Milch"
    bring "Hereinbringen"
    grab "Greifen"
    "What now?" "Was nun?"
    "The {animal} goes into the stall of {you}. In the barn: {{a in Animal where a in yard}}." "{you} holt den {animal}. Übrig: der {{a in Animal where a in yard}}."
    "{you} grabs the {chip}." "{you} greift mit dem {chip} zu."

looks
    tidy bookkeeping
"""  # noqa: E501  a text stands on one line


def started(language: str = "en", rules: str = RULES) -> Match:
    checked = check_source(Source("barn", rules), Library())
    assert checked.game is not None, checked.diagnostics
    return Match(checked.game, 2, None, 1, language)


def told(match: Match, seat: int | None) -> list[Happening]:
    return [each for each in scene_of(match, seat).happenings if each.text is not None]


def choose(match: Match, label: str) -> None:
    match.choose(next(each for each in match.options if each.label.startswith(label)))


def test_an_action_tells_what_was_chosen_and_done_and_what_it_calls_tells_its_own() -> None:
    match = started()
    choose(match, "Bring in: cow")
    assert [each.text for each in told(match, 2)] == [
        "The cow goes into the stall of Player 1. In the barn: the hen and ram.",
        "Milk: 1 → 3.",
    ]


def test_a_value_takes_the_article_and_case_of_its_place_in_a_german_sentence() -> None:
    match = started("de")
    choose(match, "Hereinbringen: Bock")
    choose(match, "Hereinbringen: Huhn")
    texts = [each.text for each in told(match, None)]
    assert "Spieler 1 holt den Bock. Übrig: die Kuh und das Huhn." in texts
    assert "Spieler 2 holt das Huhn. Übrig: die Kuh." in texts


@pytest.mark.parametrize(
    ("animal", "texts"),
    [
        ("Kuh", ("holt eine Kuh mit einer Kuh.", "Eine Kuh geht.")),
        (
            "kleines Huhn",
            ("holt ein kleines Huhn mit einem kleinen Huhn.", "Ein kleines Huhn geht."),
        ),
        ("alter Bock", ("holt einen alten Bock mit einem alten Bock.", "Ein alter Bock geht.")),
    ],
)
def test_one_of_many_has_the_form_of_its_gender_and_case(
    animal: str, texts: tuple[str, str]
) -> None:
    rules = RULES.replace('"Huhn"', '"kleines Huhn"').replace('"Bock"', '"alter Bock"')
    said = "einen {animal} mit einem {animal}. Ein {animal} geht. Übrig: der"
    match = started("de", rules.replace("den {animal}. Übrig: der", said))
    choose(match, f"Hereinbringen: {animal}")
    assert (told(match, None)[0].text or "").startswith(f"Spieler 1 {' '.join(texts)}")


def test_an_english_word_for_one_of_many_stands_for_the_article() -> None:
    rules = RULES.replace('cow "cow" "cows"', 'cow "ox" "oxen"').replace(
        "The {animal}", "A {animal}"
    )
    match = started(rules=rules)
    choose(match, "Bring in: ox")
    assert (told(match, None)[0].text or "").startswith("An ox goes")


def test_an_article_may_begin_a_sentence_in_the_middle_of_a_text() -> None:
    match = started(
        "de", RULES.replace("holt den {animal}. Übrig: der", "holt. Der {animal} geht. Übrig:")
    )
    choose(match, "Hereinbringen: Kuh")
    assert told(match, None)[0].text == (
        "Spieler 1 holt. Die Kuh geht. Übrig: das Huhn und der Bock."
    )


FLOCK = (
    RULES.replace("hen              | 1", "hen              | 4")
    .replace("Chip 3", "Chip 9")
    .replace("0..9", "0..99")
    .replace("grabs the {chip}.", "has {{c in you.pocket}} and {{a in you.stall}}.")
)


@pytest.mark.parametrize(
    ("language", "first", "second", "last"),
    [
        ("en", "Bring in: hen", "Grab", "Player 1 has 2 chips and 2 hens."),
        ("de", "Hereinbringen: Huhn", "Greifen", "Spieler 1 hat 2 Chips und 2 Hühner."),
    ],
)
def test_what_is_called_alike_is_counted(language: str, first: str, second: str, last: str) -> None:
    german = FLOCK.replace(
        "{you} greift mit dem {chip} zu.", "{you} hat {{c in you.pocket}} und {{a in you.stall}}."
    )
    match = started(language, german)
    for label in (first, first, first, first, second, second, second):
        choose(match, label)
    # The chips are one of a kind to the others.
    assert told(match, 2)[-1].text == last


def test_a_sentence_about_nothing_is_left_out() -> None:
    match = started(rules=RULES.replace("repeat", "repeat 3 times"))
    for animal in ("cow", "hen", "ram"):
        choose(match, f"Bring in: {animal}")
    assert [each.text for each in told(match, None)] == [
        "The cow goes into the stall of Player 1. In the barn: the hen and ram.",
        "Milk: 1 → 3.",
        "The hen goes into the stall of Player 2. In the barn: ram.",
        "Milk: 4 → 6.",
        "Milk: 7 → 9.",
        "A draw.",
    ]


def test_it_is_a_headline_where_it_tells_a_choice() -> None:
    match = started()
    choose(match, "Bring in: cow")
    choose(match, "Grab")
    assert [each.headline for each in told(match, None)] == [True, False, True]


def test_a_piece_that_a_reader_cannot_tell_is_one_of_its_kind() -> None:
    match = started("de")
    choose(match, "Greifen")
    assert told(match, 2)[-1].text == "Spieler 1 greift mit einem Chip zu."


MIXED = """\
    show chip to Player
    tell "{you} grabs the {chip}."
    move all from bowl to bag
    mix

step mix
    shuffle bag
    move all from bag to bowl

place bag of Chip stack hidden
"""


def test_what_is_known_is_told_even_if_it_is_mixed_at_once() -> None:
    rules = RULES.partition("language")[0].replace(
        "piece Chip 3 in bowl", "piece Chip in bowl | count\n    gold | 1\n    clay | 2"
    )
    start = rules.index("    move chip to you.pocket\n")
    match = started(rules=rules[:start] + MIXED)
    choose(match, "Grab")
    grabbed = [each.text for each in told(match, 2) if each.text and "grabs" in each.text]
    assert grabbed in (["Player 1 grabs the gold."], ["Player 1 grabs the clay."])


def test_steps_that_are_bookkeeping_are_not_told() -> None:
    assert told(started(), None) == []
    assert [
        each.text
        for each in told(started(rules=RULES.replace("    tidy book", "    busy book")), 1)
    ] == []
    assert told(started(rules=RULES.partition("looks")[0]), None) != []


def test_an_action_that_is_bookkeeping_leaves_its_telling_to_what_it_calls() -> None:
    lines = [each for each in RULES.splitlines() if "The {animal} goes" not in each]
    match = started(rules="\n".join([*lines, "    bring bookkeeping", ""]))
    choose(match, "Bring in: cow")
    assert [each.text for each in told(match, 1)] == ["Milk: 1 → 3."]


def test_the_turn_of_the_next_player_begins_anew() -> None:
    rules = RULES.partition("language")[0].replace("    tidy\n", "", 1)
    match = started(
        rules=rules.replace("    repeat\n", '    repeat\n        tell "{active} looks around."\n')
    )
    choose(match, "Bring in: cow")
    assert [(each.text, each.headline) for each in told(match, None)] == [
        ("Player 1 looks around.", True),
        ("The cow goes into the stall of Player 1. In the barn: hen and ram.", True),
        ("Milk: 1 → 3.", False),
        ("Player 2 looks around.", True),
    ]


def test_a_value_that_cannot_be_worked_out_stops_nobody() -> None:
    match = started(
        rules=RULES.partition("language")[0].replace("{you} grabs", "{1 / (milk - milk)}")
    )
    choose(match, "Grab")
    assert told(match, 1)[-1].text == "{1 / (milk - milk)} the chip."


@pytest.mark.parametrize(
    ("before", "after", "secret"),
    [
        ("{you} grabs the {chip}.", "{count(c in you.pocket where c.price > 1)}.", True),
        ("{you} grabs the {chip}.", "{count(you.stall)}, {milk}.", False),
        ('    tell "{you} grabs', '    if chip.price > 1\n        tell "{you} grabs', True),
    ],
)
def test_everybody_reads_it_so_it_may_tell_no_secret(before: str, after: str, secret: bool) -> None:
    rules = RULES.partition("language")[0].replace(
        "bowl\n", "bowl\nstate Chip.price: 1..3 = 2 hidden\n", 1
    )
    checked = check_source(Source("barn", rules.replace(before, after)), Library())
    assert ("leak" in {each.code.name for each in checked.diagnostics}) is secret
