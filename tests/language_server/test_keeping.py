"""Rules are kept while what they ask for stays as it was: what they mean is never out of date."""

import attrs
import pytest

from ruledsl.diagnostics.source import Source
from ruledsl.language_server.workspace import Workspace
from ruledsl.library import Library
from ruledsl.model.check import Checked
from ruledsl.model.game import CheckedGame
from ruledsl.model.memory import Memory
from ruledsl.play.check import check_source

GAME = """\
game small "Small"
    players 2

option goal in 3..5 = 4 "Goal"
type Suit = clubs, spades
type Ways = 1..3
place heap of Stone
place hand per Player of Stone
piece Stone 5 in heap
piece Card in box | suit
    jack | clubs
    queen | spades
place box of Card
state Player.score: 0..goal = 0

define few = 2
define good(c: Card) = c.suit = clubs

step setup
    set active = Player(1)
    move 1 from heap to active.hand

step play
    repeat
        choose "How many?"
            take_some
            show_card
        set active = active.next

action take_some(n in 1..few) "Take"
    require n <= count(heap) and heap.top != none    "Not so many."
    move n from heap to you.hand
    if empty(heap) or you.score = goal
        win you

action show_card(c in box) "Show"
    require good(c) and c.place = box    "Not this one."
    add count(x in box where x.suit = c.suit) to you.score
    move c to box
    if c is jack
        win you

test "it begins"
    then
        not finished
        count(heap) = 4
"""


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("type Ways", "type Colour = red, green\ntype Ways"),
        ("clubs, spades\n", "clubs, spades, hearts\n"),
        ("type Suit", "type Colour"),
        ("type Suit = clubs, spades", "type Suit | dark\n    clubs | 1\n    spades | 2"),
        ("    jack |", "    king | spades\n    jack |"),
        ("Card in box | suit", "Card in box | colour"),
        ("type Ways", "state Stone.worth: 0..3 = 0\ntype Ways"),
        ("type Ways", "place table per Stone of Card\ntype Ways"),
        ("type Ways", "place shelf of Card\ntype Ways"),
        ("place box of Card", "place box of Card, Stone"),
        ("place heap of Stone\n", "place heap of Stone stack\n"),
        ("type Ways", "type Other = clubs, diamonds\ntype Ways"),
        ("type Ways", "state Player.hearts: 0..3 = 0 each take_some\ntype Ways"),
        ("type Ways", "place jack of Stone\ntype Ways"),
        ("few = 2", "few = count(heap)"),
        ("3..5 = 4", "3..9 = 4"),
        ("piece Stone 5 in heap\n", ""),
        ("type Ways = 1..3\n", ""),
        ("place hand per Player", "place hand per Suit"),
    ],
)
def test_a_changed_declaration_changes_what_asks_for_it(before: str, after: str) -> None:
    """Also where a rule does not name it."""
    assert GAME.count(before) == 1
    workspace = Workspace()
    for text in (GAME, GAME.replace(before, after), GAME):
        source = Source("small.rules", text)
        workspace.open(source.name, text)
        kept = workspace.analysis(source.name)
        assert kept is not None
        new = check_source(source, Library(), Memory(kept.texts.parse))
        assert kept.checked.diagnostics == new.diagnostics
        assert meaning(kept.checked) == meaning(new)


def meaning(checked: Checked) -> object:
    if checked.elaborated is None:
        return None
    game = checked.elaborated.game
    fields = attrs.fields(CheckedGame)
    return {f.name: getattr(game, f.name) for f in fields if f.name != "sources"}


def test_what_does_not_ask_for_a_new_kind_is_kept() -> None:
    workspace = Workspace()
    rules = []
    for text in (GAME, GAME.replace("type Ways", "type Colour = red, green\ntype Ways")):
        workspace.open("small.rules", text)
        analysis = workspace.analysis("small.rules")
        assert analysis is not None and analysis.game is not None
        rules.append(analysis.game.steps | analysis.game.actions)
    before, after = rules
    kept = {name for name, rule in after.items() if rule is before[name]}
    # Where a card may lie, and whether stones are alike, is asked of all kinds.
    assert kept == {"setup", "play"}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("type Suit = clubs", "type New = red, greentype Suit = clubs"),
        ("action show_card(c in box)", "    # Not so often.action show_card(c in box)"),
        ("place heap of Stone\n", "place heap\n"),
        ("    win you\n\ntest", "    win yuo\n\ntest"),
        ('"Take"\n', '"Take\n'),
    ],
)
def test_what_is_mended_is_known_again(before: str, after: str) -> None:
    """Nothing is resolved anew after a slip, wherever else it was seen."""
    assert GAME.count(before) == 1
    workspace = Workspace()
    rules = []
    for text in (GAME, GAME.replace(before, after), GAME):
        workspace.open("small.rules", text)
        analysis = workspace.analysis("small.rules")
        assert analysis is not None
        rules.append(None if analysis.game is None else analysis.game.steps | analysis.game.actions)
    first, broken, mended = rules
    assert broken is None and first is not None and mended is not None
    assert all(rule is mended[name] for name, rule in first.items())
