"""What happened, in sentences: whose, from where to where, and no bookkeeping."""

import random
import re
from typing import Any

import attrs
import pytest

from ruledsl.diagnostics.source import Source
from ruledsl.library import Library
from ruledsl.play.check import check_source
from ruledsl.play.events import AnyEvent
from ruledsl.play.match import Match
from ruledsl.scene import happenings
from ruledsl.scene.data import Happening
from ruledsl.scene.happenings import Telling
from ruledsl.scene.scene import scene_of
from ruledsl.scene.stage import set_of

from ..play.table import loaded, shipped_games


def told(match: Match, seat: int | None = 1, since: int = 0) -> list[str]:
    return [each.text for each in scene_of(match, seat, since).happenings if each.text is not None]


def started(name: str, players: int | None = None, language: str = "en") -> Match:
    return loaded(name).start(players, seed=5, language=language)


def played(name: str, choices: int, language: str = "en") -> Match:
    match = started(name, language=language)
    rng = random.Random(3)
    for _ in range(choices):
        if match.seat is not None:
            match.choose(rng.randrange(len(match.options)))
    return match


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("name", shipped_games())
def test_sentences_say_no_bookkeeping_and_nothing_empty(name: str, language: str) -> None:
    match = played(name, 40, language)
    hidden = {
        match.words.name(key.rpartition(".")[2])
        for key, look in match.game.looks.items()
        if look.bookkeeping and key in match.game.states
    }
    shown = {
        match.words.name(state.name)
        for key, state in match.game.states.items()
        if key not in match.game.looks or not match.game.looks[key].bookkeeping
    }
    for text in told(match):
        assert text[-1] in ".!?", text
        assert not text.endswith((": none.", ": nichts.")), text
        words = {part.strip(" .") for part in text.replace(":", ";").split(";")}
        assert not words & (hidden - shown), text


LANE = """\
game lane "Lane"
    players 2
    limit 20 decisions

piece Cart 1 per Player in player.yard
piece Stone 5 in pit
piece Die 1 in tray
place yard per Player of Cart
place pit of Stone
place tray of Die
place Cell line 6 of Stone room 1
state Cart.weight: 0..9 = 0
state Die.pips: 1..6 = 1
type Weather = fair, foul
state weather: Weather = fair

step setup
    roll active in Player
    for c in Cell where c.index <= 5
        move 1 from pit to c

step play
    repeat
        for d in Die
            roll d.pips in 1..6
        roll weather in Weather
        choose "What now?"
            push
            load
            haul
        set active = active.next

action push "Push"
    for i in 1..5
        move all from Cell(6 - i) to Cell(7 - i)
    end game

action haul "Haul"
    let stone = the(Cell(5))
    move stone to Cell(6)
    move stone to pit
    end game

action load(other in you.others) "Load"
    for c in Cart where c.owner = other
        add 2 to c.weight
"""


def lane() -> Match:
    checked = check_source(Source("lane", LANE), Library())
    assert checked.game is not None, checked.diagnostics
    return Match(checked.game, 2, None, 5, "en")


def test_a_value_says_whose_it_is_from_where_to_where() -> None:
    match = lane()
    match.choose("Load")
    match.choose("Load")
    match.choose("Load")
    texts = told(match)
    assert "The cart of Player 2: weight 0 → 2." in texts
    assert "The cart of Player 1: weight 0 → 2." in texts
    assert sum("weight 2 → 4." in text for text in texts) == 1


def test_the_way_of_a_piece_is_one_sentence() -> None:
    match = lane()
    match.choose("Haul")
    assert "Stone: Cell 5 → Cell 6 → pit." in told(match)


def test_draws_are_called_so_and_hidden_ones_counted() -> None:
    texts = told(played("pied_piper", 10))
    assert "Player 2 draws an action card." in texts
    assert "Player 4 draws 2 action cards." in texts
    assert any(text.startswith("Player 1 draws ") and "Forward" in text for text in texts)
    german = told(played("pied_piper", 10, "de"))
    assert "Spieler 2 zieht eine Aktionskarte." in german
    assert "Spieler 4 zieht 2 Aktionskarten." in german


def test_rules_tell_what_they_do_and_it_is_not_told_again() -> None:
    texts = told(played("pied_piper", 10))
    played_, activated, ran, *_ = texts[texts.index("Player 4 draws 2 action cards.") + 2 :]
    assert played_ == "Player 1 plays Forward 2 under character card 3, the red rat."
    assert activated == "The yellow rat is activated: Sewer and Forward 1."
    assert ran == "The yellow rat runs through the sewer, under House 4."


def test_rolls_have_their_names() -> None:
    """But for those of dice, which are what they show."""
    lot, _, rolled, *_ = told(lane())
    assert re.fullmatch(r"By lot: Player [12]\.", lot)
    assert re.fullmatch(r"Rolled: [1-6], weather (fair|foul)\.", rolled)


def test_a_row_that_is_pushed_is_one_sentence() -> None:
    match = lane()
    match.choose("Push")
    assert "5 stones move on (Cell)." in told(match)


RENEWED = """\
game renewed
    players 2

place deck of Card stack hidden
place pile of Card stack
type Colour = red, blue, green
piece Card 2 per Colour in deck

step setup
    set active = Player(1)

step play
    repeat 2 times
        choose "What?"
            turn_up
            renew

action turn_up "Turn up"
    move all from deck to pile

action renew "Renew"
    move all from pile to deck
    shuffle deck
"""


def test_what_is_shuffled_at_once_is_counted_and_not_named() -> None:
    checked = check_source(Source("renewed", RENEWED), Library())
    assert checked.game is not None, checked.diagnostics
    match = Match(checked.game, 2, None, 5, "en")
    match.choose("Turn up")
    assert any("Card red" in text or "red" in text for text in told(match))
    since = scene_of(match, 1).told
    match.choose("Renew")
    texts = told(match, 1, since)
    assert "6 cards: pile → deck." in texts
    assert not any("red" in text for text in texts)


def test_what_a_choice_says_is_not_said_again() -> None:
    match = started("chess")
    since = scene_of(match, 1).told
    match.choose("e2 e4")
    assert told(match, 1, since) == ["Player 1: Move: e2 → e4."]


def test_what_a_choice_uses_up_is_not_told_to_go_away() -> None:
    match = played("backgammon", 1)
    before = len(told(match))
    match.choose(0)
    fresh = told(match)[before:]
    assert any("Die" in text for text in fresh), fresh
    assert not any("away from cup" in text for text in told(match))


def test_a_capture_is_told() -> None:
    match = started("chess")
    for move in ("e2 e4", "d7 d5"):
        match.choose(move)
    since = scene_of(match, 1).told
    match.choose("e4 d5")
    assert told(match, 1, since) == [
        "Player 1: Move: e4 → d5 (exd5).",
        "Man (Player 2): d5 → box (Player 2).",
    ]


def test_declining_is_not_told() -> None:
    match = played("ratzentanz", 60)
    chosen = [each for each in scene_of(match, 1).happenings if each.sort == "chosen"]
    assert any(each.text is None for each in chosen)
    assert not any(_says_none(each) for each in chosen)


def _says_none(event: Happening) -> bool:
    return event.text is not None and event.text.endswith(" none.")


def test_telling_bit_by_bit_is_the_same_as_at_once() -> None:
    """What was told before stays as it was told."""
    step_by_step = started("pied_piper")
    rng = random.Random(3)
    lines: list[str] = []
    seen = 0
    for _ in range(30):
        scene = scene_of(step_by_step, 1, seen)
        lines += [each.text for each in scene.happenings if each.text is not None]
        seen = scene.told
        step_by_step.choose(rng.randrange(len(step_by_step.options)))
    assert lines == told(played("pied_piper", 29))


@pytest.mark.parametrize(
    ("name", "said", "choices"),
    [
        ("burg_appenzell", "{value} of {goal}", 360),
        ("ratzentanz", "{value} of {goal}", 300),
        ("pied_piper", "floor {value}", 200),
    ],
)
def test_how_far_a_player_gets_is_told_when_it_happens(name: str, said: str, choices: int) -> None:
    match = loaded(name).start(2 if name == "ratzentanz" else None, seed=1)
    supplies = ("ham", "fish", "nest", "barn", "loft", "bakery", "dairy", "cellar", "wharf")
    rng = random.Random(1)
    since = changes = 0
    before = [seat.progress for seat in scene_of(match, None).seats]
    while match.seat is not None and len(match.history) < choices:
        # Who goes for supplies in Ratzentanz gets some; a name alone is no goal elsewhere.
        wanted = [o for o in match.options if any(word in o.label for word in supplies)]
        match.choose(rng.choice(wanted) if wanted else rng.randrange(len(match.options)))
        scene = scene_of(match, None, since)
        text = " ".join(each.text for each in scene.happenings if each.text is not None)
        since = scene.told
        now = [seat.progress for seat in scene.seats]
        for old, new in zip(before, now, strict=True):
            if old != new and new is not None:
                changes += 1
                assert said.format(value=new.value, goal=new.goal) in text
        before = now
    assert changes > 0


def test_the_points_of_a_round_are_told() -> None:
    match = started("hameln")
    while "points so far" not in " ".join(told(match)):
        match.choose(0)
    match = started("hameln", language="de")
    rounds = 0
    rng = random.Random(1)
    while match.seat is not None and rounds < 4:
        since = scene_of(match, None).told
        match.choose(rng.randrange(len(match.options)))
        text = " ".join(told(match, None, since))
        if "Eine Runde beginnt" in text:
            rounds += 1
            for seat in scene_of(match, None).seats:
                assert seat.progress is not None
                assert f"{seat.label} hat bisher {seat.progress.value} Punkte." in text
    assert rounds == 4


class Log(list[AnyEvent]):
    """Counts what is read of it."""

    read = 0

    def __getitem__(self, at: Any) -> Any:
        part = super().__getitem__(at)
        self.read += len(part) if isinstance(at, slice) else 1
        return part


def test_a_long_log_is_not_read_again_and_again_when_its_end_changes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(happenings, "BLOCK", 16)
    match = played("pied_piper", 60)
    events = match.interpreter.perspective(None).events
    telling = Telling(set_of(match.table, match.words), match.table.things("Player"))
    telling.happenings(events, 0)
    log = Log([*events[:-40], *(attrs.evolve(event, seen=frozenset()) for event in events[-40:])])
    log[-40] = events[-41]
    number, found = telling.happenings(log, 0)
    assert log.read < 2 * len(log)
    telling.set.told.clear()
    assert (number, found) == telling.happenings(list(log), 0)
