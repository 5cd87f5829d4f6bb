"""What `extend` and `replace` do to more than rows: languages, pictures, rankings."""

from collections.abc import Callable
from pathlib import Path

import pytest

from ruledsl.library import Library, read_path
from ruledsl.model.check import Checked, check_rules

BASE = """\
game pond
    players 2

place Leaf network of Frog
    a - b - c
    map
        a b c
piece Frog 1 in a

step play
    win Player(1)

ranking p in Player
    highest p.seat

language de
    pond "Teich"
    Leaf "Blatt"
    Frog "Frosch"
"""


@pytest.fixture
def check(tmp_path: Path) -> Callable[[str], Checked]:
    """Check a variant of the base."""

    def checked(changes: str) -> Checked:
        (tmp_path / "pond.rules").write_text(BASE, encoding="utf-8")
        path = tmp_path / "deep.rules"
        path.write_text(f'variant deep of pond "Deep"\n\n{changes}', encoding="utf-8")
        return check_rules(read_path(str(path)), Library())

    return checked


def codes(checked: Checked) -> list[str]:
    return [each.code.name for each in checked.diagnostics]


@pytest.mark.parametrize("word", ["", "extend "])
def test_texts_are_added(check: Callable[[str], Checked], word: str) -> None:
    checked = check(f'{word}language de\n    deep "Tief"\n    Frog "Kröte"\n')
    assert codes(checked) == []
    assert checked.game is not None
    labels = checked.game.languages["de"].labels
    assert labels == {"pond": "Teich", "Leaf": "Blatt", "Frog": "Kröte", "deep": "Tief"}


def test_texts_are_replaced(check: Callable[[str], Checked]) -> None:
    checked = check('replace language de\n    deep "Tief"\n    Frog "Kröte"\n')
    assert codes(checked) == []
    assert checked.game is not None
    assert checked.game.languages["de"].labels == {"deep": "Tief", "Frog": "Kröte"}


def test_a_language_that_is_not_there(check: Callable[[str], Checked]) -> None:
    checked = check('language de\n    deep "Tief"\n\nextend language fr\n    deep "Profond"\n')
    assert codes(checked) == ["unknown-target"]


def test_a_picture_with_more_places(check: Callable[[str], Checked]) -> None:
    checked = check(
        "extend place Leaf network of Frog\n    c - d\n    map\n        a b\n        d c\n\n"
        'language de\n    deep "Tief"\n'
    )
    assert codes(checked) == []
    assert checked.game is not None
    place = checked.game.kinds["Leaf"].place
    assert place is not None
    assert place.layout == (("a", "b"), ("d", "c"))


def test_a_ranking_with_more_keys(check: Callable[[str], Checked]) -> None:
    german = '\nlanguage de\n    deep "Tief"\n'
    checked = check(f"extend ranking p in Player\n    lowest p.seat\n{german}")
    assert codes(checked) == []
    assert checked.game is not None and checked.game.ranking is not None
    assert [key.way for key in checked.game.ranking.keys] == ["highest", "lowest"]
    assert codes(check(f"extend ranking q in Player\n    lowest q.seat\n{german}")) == [
        "cannot-extend"
    ]


def test_the_base_may_translate_what_a_variant_takes_away(tmp_path: Path) -> None:
    base = BASE.replace(
        "place Leaf network of Frog", 'place Leaf network of Frog assumed "three of them"'
    )
    base += '    "three of them" "Drei davon."\n'
    (tmp_path / "pond.rules").write_text(base, encoding="utf-8")
    path = tmp_path / "deep.rules"
    path.write_text(
        'variant deep of pond "Deep" assumed "not in the book"\n\n'
        "replace place Leaf network of Frog\n    a - b - c\n\n"
        'language de\n    deep "Tief"\n    "not in the book" "Nicht in der Anleitung."\n',
        encoding="utf-8",
    )
    assert codes(check_rules(read_path(str(path)), Library())) == []


def test_a_variant_translates_nothing_that_is_not_there(check: Callable[[str], Checked]) -> None:
    checked = check('language de\n    deep "Tief"\n    Toad "Kröte"\n')
    assert codes(checked) == ["unknown-label"]
