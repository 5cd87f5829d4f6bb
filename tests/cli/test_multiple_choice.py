"""Choices of several, collected before they are made."""

from pathlib import Path

import pytest

import ruledsl
from ruledsl.cli.drawing.text import finished
from ruledsl.cli.multiple_choice import Basket

RULES = """\
game stall
    players 1

piece Good in store | count
    meat   | 3
    cheese | 1

place store of Good
place sold of Good

step setup
    roll active in Player

step play
    choose any goods in store "What do you show?"
    choose any bought in goods "What of it do you sell?"
    move bought to sold
    win active
"""


def test_what_was_chosen_together_before_is_alike_all_the_same(tmp_path: Path) -> None:
    file = tmp_path / "stall.rules"
    file.write_text(RULES, encoding="utf-8")
    match = ruledsl.load(str(file)).start(seed=1)
    for number in range(2):
        assert match.decision is not None
        basket = Basket(match, match.decision)
        shown = [finished(line, color=False).strip() for line in basket.menu(79)]
        assert shown == ["1) meat (3 ×)  2) cheese"]
        assert basket.add(["cheese", "2 x meat"] if number else ["3 x meat", "2"]) is None
        while (choice := basket.next_choice()) is not None:
            match.choose(choice)
    assert match.result is not None
    table = match.interpreter.table
    (sold,) = table.family("sold").values()
    assert len(match.interpreter.pos.contents[sold]) == 3


@pytest.mark.parametrize(
    "text", ["999999999999999 x meat", "9" * 6000, "²", "9" * 6000 + " x meat"]
)
def test_no_number_is_too_large_to_be_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "stall.rules"
    file.write_text(RULES, encoding="utf-8")
    match = ruledsl.load(str(file)).start(seed=1)
    assert match.decision is not None
    basket = Basket(match, match.decision)
    assert basket.add([text]) is not None
    assert basket.add(["2)"]) is None and basket.taken_labels() == "cheese"


def test_none_of_several_may_be_typed_as_a_number(tmp_path: Path) -> None:
    file = tmp_path / "stall.rules"
    file.write_text(RULES, encoding="utf-8")
    match = ruledsl.load(str(file)).start(seed=1)
    assert match.decision is not None
    basket = Basket(match, match.decision)
    assert basket.is_done("0") and not basket.is_done("1")
    assert basket.add(["cheese"]) is None
    assert not basket.is_done("0"), "something was taken"
