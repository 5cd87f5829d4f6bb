"""Rows whose name is `~` are called after their kind, and need no text in any language."""

from pathlib import Path

from ruledsl.library import Library, read_path
from ruledsl.model.check import check_rules
from ruledsl.play.words import Words

BASE = """\
game post "Post"
    players 2

type Stamp | worth
    ~      | 2
    rare   | 9
    ~      | 4

place box of Letter
piece Letter in box | worth
    ~               | 3

step play
    if all(l in box where any(s in Stamp where s.worth > l.worth) have l is letter_1)
        win Player(1)

language de
    post "Post"
    Stamp "Marke"
    rare "selten"
    box "Kasten"
    Letter "Brief"
"""


def test_they_are_counted_on_in_a_variant(tmp_path: Path) -> None:
    (tmp_path / "post.rules").write_text(BASE, encoding="utf-8")
    path = tmp_path / "late.rules"
    added = "extend type Stamp | worth\n    ~ | 5\n\nlanguage de\n"
    path.write_text(f'variant late of post "Late"\n\n{added}    late "Spät"\n', encoding="utf-8")
    checked = check_rules(read_path(str(path)), Library())
    assert checked.diagnostics == ()
    assert checked.game is not None
    assert checked.game.kinds["Stamp"].rows == ("stamp_1", "rare", "stamp_3", "stamp_4")
    german = Words(checked.game, "de")
    assert [german.name(row, "Stamp") for row in ("stamp_1", "rare", "stamp_4")] == [
        "Marke 1",
        "selten",
        "Marke 4",
    ]
    assert german.name("letter_1", "Letter") == "Brief 1"
