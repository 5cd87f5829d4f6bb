"""One message for one cause."""

import pytest

from ruledsl.diagnostics.causes import by_cause
from ruledsl.diagnostics.diagnostic import Diagnostic
from ruledsl.diagnostics.source import Source
from ruledsl.library import Library
from ruledsl.play.check import check_source

RENAMED = """\
game hoard "Hoard"
    players 2

place heep of Coin
place chest per Player of Coin
piece Coin 9 in heap

step play
    set active = Player(1)
    repeat
        choose "Take one"
            take_one
        set active = active.next

action take_one "Take"
    require not empty(heap) "There is none."
    move 1 from heap to active.chest
    if empty(heap)
        win active
    set unheard = 3

language de
    game "Hort"
    heap "Haufen"
"""


def test_a_name_that_is_gone_is_one_mistake() -> None:
    checked = check_source(Source("hoard.rules", RENAMED), Library())
    found = by_cause(checked.diagnostics, checked.sources)
    gone = [each for each in found if "`heap`" in each.message or "“heap”" in each.message]
    (first,) = gone
    assert first.span.line == 6
    assert "4 more times (lines 16, 17, 18, 24)" in first.label
    assert any("unheard" in each.message for each in found), "another cause"
    assert not any(each.severity == "warning" and "heep" in each.message for each in found), (
        "what follows from the name that was meant"
    )
    assert len(found) < len(checked.diagnostics)


def test_a_place_of_each_player_that_is_gone_is_one_mistake() -> None:
    rules = RENAMED.replace("in heap", "in heep").replace("chest per", "chast per")
    rules = rules.replace("(heap)", "(heep)").replace("from heap", "from heep")
    rules = rules.replace('    heap "Haufen"', '    heep "Haufen"\n    chest "Truhe"')
    rules = rules.replace(
        "    if empty", "    move all from you.chest to Player(2).chest\n    if empty"
    )
    checked = check_source(Source("hoard.rules", rules), Library())
    found = by_cause(checked.diagnostics, checked.sources)
    (first,) = [each for each in found if "chest" in each.message or "chast" in each.message]
    assert first.message == "a `Player` has no `chest`"
    assert first.label == "asked for here, and 3 more times (lines 18, 26)"
    assert first.hint == "did you mean `chast`?"


FOLLOWED = """\
game hoard "Hoard"
    players 2

type Metal = gold, tin
place heap of Coin
place chest per Player of Coin
piece Coin 3 per Metal in heap
state Coin.worn: flag = no
define worth(coin: Coin, metal: Metal) = case coin.metal of (metal: 2, else: 1)

step play
    set active = Player(1)
    repeat
        choose "Take one"
            take_one
        set active = active.next

action take_one(coin in heap) "Take"
    require not coin.worn "It is worn."
    set coin.worn = yes
    if worth(coin, gold) > 1 and worth(coin, tin) < 2
        win active
    move coin to active.chest

language de
    "Hoard" "Hort"
    Metal "Metall"
    gold "Gold"
    tin "Zinn"
    heap "Haufen"
    chest "Truhe"
    Coin "Münze"
    worn "abgegriffen"
    take_one "Nimm"
    worth "Wert von {coin} in {metal}"
    "Take one" "Nimm eine"
    "It is worn." "Sie ist abgegriffen."

looks
    Metal.gold gold
    Coin       coin
    Coin.worn  bookkeeping
"""


@pytest.mark.parametrize(
    ("there", "renamed"),
    [
        ("type Metal", "type Metals"),
        ("piece Coin 3", "piece Coins 3"),
        ("state Coin.worn", "state Coin.warn"),
        ("define worth", "define worths"),
        ("action take_one(coin in heap)", "action take_ones(coin in heap)"),
        ("place heap", "place heaps"),
        ("place chest", "place chests"),
    ],
)
def test_whatever_is_renamed_is_one_mistake(there: str, renamed: str) -> None:
    """With its translations, its looks, and what only it made use of."""
    assert _found(FOLLOWED) == ()
    codes = [each.code.name for each in _found(FOLLOWED.replace(there, renamed))]
    assert len(codes) == 1 and codes[0].startswith("unknown-"), codes


def test_looks_of_what_has_only_a_translation_are_the_same_mistake() -> None:
    rules = FOLLOWED.replace("type Metal", "type Shines = dull\ntype Metal")
    rules = rules.replace(
        '    Metal "Metall"', '    Shine "Glanz"\n    dull "matt"\n    Metal "Metall"'
    )
    (found,) = (
        each for each in _found(f"{rules}    Shine.dull grey\n") if each.severity == "error"
    )
    assert found.code.name == "unknown-label" and "1 more time" in found.label


def test_a_look_of_something_else_is_another_mistake() -> None:
    rules = FOLLOWED.replace("type Metal", "type Metals").replace("Coin       coin", "Coyn coin")
    assert "look-of-nothing" in [each.code.name for each in _found(rules)]


def test_what_comes_of_something_unknown_is_no_mistake_of_its_own() -> None:
    rules = FOLLOWED.replace(
        "    move coin to", '    tell "{count({c.worth(gold) for c in heep})}"\n    move coin to'
    )
    rules += "\ndefine cost(metal: Metal, n: number) = first(c in heep where c.cost = n).cost\n"
    messages = [each.message for each in _found(rules)]
    assert "no place is called `heep`" in messages or "nothing is called `heep`" in messages
    assert not [text for text in messages if "takes 2" in text or "may be none" in text]


def _found(rules: str) -> tuple[Diagnostic, ...]:
    checked = check_source(Source("hoard.rules", rules), Library())
    return by_cause(checked.diagnostics, checked.sources)


def test_what_different_things_lack_are_different_mistakes() -> None:
    rules = RENAMED.replace("heap", "heep").replace(
        "    set unheard = 3", "    set you.rank = 1\n    move heep.top.rank to you.chest"
    )
    checked = check_source(Source("hoard.rules", rules), Library())
    found = by_cause(checked.diagnostics, checked.sources)
    assert len([each for each in found if "`rank`" in each.message]) == 2
