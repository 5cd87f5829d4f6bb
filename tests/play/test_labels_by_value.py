"""Labels for what belongs to a value, and what tells pieces on one field apart."""

from ruledsl.diagnostics.source import Source
from ruledsl.library import Library
from ruledsl.play.loading import load_source

CARAVAN = """\
game caravan "Caravan"
    players 2

type Sex = male, female
place Field line 2 of Camel
place pack per Camel of Fig
place tree of Fig
place tent per Sex of Kid
piece Camel 2 in Field(1)
piece Fig 1 in tree
piece Kid 1 per Sex in tent(kid_sex)
state Camel.tired: flag = no

step setup
    set active = Player(1)
    let loaded = sure(first(c in Camel))
    set loaded.tired = yes
    move tree to loaded.pack

step play
    choose "Which one?"
        go
        greet

action go(camel in Camel) "Go"
    move camel to Field(2)

action greet(sex in Sex) "Greet"
    skip

language en
    Kid.male "boy"
    tent.female "tent of the girls"
    greet.male "Greet a boy"

looks
    Camel.tired bookkeeping
""".replace("tent(kid_sex)", "sex.tent").replace("move tree to", "move all from tree to")


def options() -> list[str]:
    game = load_source(Source("caravan.rules", CARAVAN), Library())
    match = game.start(players=2, seed=1)
    return [match.labels.label(choice.option) for choice in match.options]


def test_loaded_and_empty_pieces_differ_and_bookkeeping_is_not_told() -> None:
    found = [text for text in options() if text.startswith("Go")]
    assert sorted(found) == [
        "Go: Camel (empty, Field 1)",
        "Go: Camel (with Fig, Field 1)",
    ]


def test_an_action_with_a_value_may_have_its_own_label() -> None:
    assert [text for text in options() if text.startswith("Greet")] == [
        "Greet a boy",
        "Greet: female",
    ]


def test_pieces_and_places_of_a_value_may_have_their_own_labels() -> None:
    match = load_source(Source("caravan.rules", CARAVAN), Library()).start(players=2, seed=1)
    words, table = match.words, match.table
    assert [words.piece(kid) for kid in table.things("Kid")] == ["boy", "Kid female"]
    assert [words.place(tent) for tent in table.things("tent")] == [
        "tent (male)",
        "tent of the girls",
    ]


def test_an_option_with_a_label_of_its_own_stands_under_no_other_label() -> None:
    match = load_source(Source("caravan.rules", CARAVAN), Library()).start(players=2, seed=1)
    parts = [match.labels.parts(choice.option) for choice in match.options]
    greetings = [each for each in parts if each[0].startswith("Greet")]
    assert greetings == [("Greet a boy", "male"), ("Greet", "female")]
