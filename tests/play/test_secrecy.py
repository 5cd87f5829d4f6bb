"""Rules that pass the check for leaks have none: made-up conditions, judged both ways."""

import os

from hypothesis import given, settings
from hypothesis import strategies as st

from ruledsl.model.depth import allow_deep_rules

from .test_noninterference import complaints, leaks

# Hypothesis watches the limit of recursion, so it is raised before its tests begin.
allow_deep_rules()

EXAMPLES = 60 if os.environ.get("HYPOTHESIS_PROFILE") == "soak" else 4

STATES = """\
state wanted: 1..2 = 1 hidden
state Player.mark: 1..2 = 1 private
state open_mark: 1..2 = 1
state marked: Card or none = none
define weight(c: low) = 1
define weight(c: high) = 2
define richest(p: Player) = max(c.rank for c in p.hand)
define lucky(p: Player, c: Card) = c.rank = p.mark
step drawn
    move 1 from deck to active.hand
step laid
    move 1 from deck to table
action lay_high(card in you.hand)
    require card is high "No."
    move card to table
action guess(n in 1..2, card in you.next.hand)
    skip"""

PLACES = ["you.hand", "you.next.hand", "deck", "table", "pile", "Card", "active.hand"]
OF_A_PIECE = [
    "c is high",
    "c.rank > 1",
    "c.place = deck",
    "c.place = you.hand",
    "c.place = you.next.hand",
    "c.place = table",
    "weight(c) = 2",
    "c in you.hand",
    "c in deck",
    "c.rank = wanted",
    "lucky(you, c)",
    "lucky(you.next, c)",
    "(marked != none and c = marked)",
]
PLAIN = [
    "wanted = 1",
    "you.mark = 1",
    "you.next.mark = 1",
    "active.mark = 1",
    "open_mark = 1",
    "empty(table)",
    "empty(deck)",
    "(not empty(deck) and sure(deck.top) is high)",
    "can(lay_high)",
    "can(lay_high by you.next)",
    "can(guess)",
    "would(any(c in you.hand where c is high) after drawn)",
    "would(count(c in you.hand where c is high) > 2 after drawn)",
    "would(count(c in table where c is high) > 0 after laid)",
    "would(count(table) > 1 after laid)",
    "(not empty(you.hand) and you.richest > 1)",
    "(not empty(you.next.hand) and you.next.richest > 1)",
    "any(p in Player where p.mark = 2)",
    "any(p in Player where p = you and p.mark = 2)",
    "any(p in Player where p != you and any(c in p.hand where c is high))",
]


@st.composite
def conditions(draw: st.DrawFn) -> str:
    def simple() -> str:
        if draw(st.booleans()):
            return draw(st.sampled_from(PLAIN))
        place, one, other = (
            draw(st.sampled_from(PLACES)),
            draw(st.sampled_from(OF_A_PIECE)),
            draw(st.sampled_from(OF_A_PIECE)),
        )
        link = draw(st.sampled_from(["and", "or"]))
        where = draw(st.sampled_from([one, f"{one} {link} {other}", f"not {one}"]))
        number = draw(st.integers(0, 3))
        return draw(
            st.sampled_from(
                [
                    f"any(c in {place} where {where})",
                    f"count(c in {place} where {where}) > {number}",
                ]
            )
        )

    text = simple()
    if draw(st.booleans()):
        text = f"({text} {draw(st.sampled_from(['and', 'or']))} {simple()})"
    return f"not {text}" if draw(st.booleans()) else text


LAY = 'choose "Which card?"\n        lay\n        lay_high\n        guess\n    else skip'


@settings(max_examples=EXAMPLES, deadline=None)
@given(conditions(), st.sampled_from(["require", "let", "argument"]))
def test_what_passes_tells_nothing(condition: str, how: str) -> None:
    parts = {"states": STATES, "setup": "set wanted = 2", "turn": LAY}
    if how == "require":
        parts["require"] = f'require {condition} "Not now."'
    elif how == "let":
        parts["turn"] = (
            f"let told = {condition}\n    choose n in (if told then {{1, 2}} else {{1, 2, 3}})\n"
            f"    {LAY}"
        )
    else:
        parts["states"] += (
            "\nstep asked(told: flag)\n    choose n in (if told then {1, 2} else {1, 2, 3})"
        )
        parts["turn"] = f"asked({condition})\n    {LAY}"
    found = set(complaints(**parts))
    errors = found - {"asked-openly", "unused-name", "never-reached", "always-holds"}
    if errors <= {"leak"} and "leak" not in found:
        assert not leaks(**parts), condition
