"""Planted faults are named first; a fair game raises no alarm."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from itertools import count

import attrs
import pytest

from ruledsl.lab.counting import CountedGames, Observed
from ruledsl.lab.reporting.finding import Finding
from ruledsl.lab.reporting.findings import findings_of
from ruledsl.lab.reporting.seats_and_ends import who_plays
from ruledsl.lab.reporting.study import Here, Setting, study_of
from ruledsl.players.seats import Computer
from ruledsl.table.table import Table
from tests.lab.small_games import COUNTING, DRAFT, FAIR, game_of


def found_in(text: str, seed: int = 1, games: int = 10_000) -> tuple[Finding, ...]:
    game = game_of(text)
    study = study_of(game, Setting(game.players, games, 0, seed, sampled=0))
    assert study is not None
    return findings_of(study)


def planted(*changes: tuple[str, str]) -> str:
    text = FAIR
    for before, after in changes:
        assert before in text
        text = text.replace(before, after, 1)
    return text


@pytest.mark.parametrize("seed", range(20))
def test_no_false_alarm_in_a_fair_game(seed: int) -> None:
    alarms = [each for each in found_in(FAIR, seed, 3000) if each.weight != "note"]
    assert alarms == []


def test_a_seat_with_three_points_too_many() -> None:
    lucky = "    roll luck in 1..17\n    if luck = 1\n        win Player(1)\n    repeat while"
    first = found_in(planted(("    repeat while", lucky)))[0]
    assert first.weight == "fault"
    assert first.text.startswith("With 2 players, seat 1 wins ")


def test_a_seat_that_may_be_better_is_told_where_games_are_too_few() -> None:
    lucky = "    roll luck in 1..17\n    if luck = 1\n        win Player(1)\n    repeat while"
    found = found_in(planted(("    repeat while", lucky)), games=1200)
    told = next(each.text for each in found if each.topic == "seats")
    assert "too few to tell whether a seat is better than another; in doubt: " in told
    assert "with 2 players, seat 1 wins 44.9 % (42.1 to 47.7), with 3 players, seat 1 wins" in told


@pytest.mark.parametrize(
    ("goal", "weight", "share"),
    [("3", "notable", 0.25), ("2", "note", 0.5)],  # 1 then 1, of four ways; 2, of two
)
def test_what_choosing_first_is_worth_where_it_is_drawn(
    goal: str, weight: str, share: float
) -> None:
    """All seats win as often then, whatever it is worth."""
    always = COUNTING.replace("goal = 5", f"goal = {goal}")
    assert not any("who chooses first" in each.text for each in found_in(always))
    text = always.replace("set active = Player(1)", "roll active in Player")
    (found,) = (each for each in found_in(text) if "who chooses first" in each.text)
    assert found.weight == weight
    assert ("instead of 50" in found.text) == (weight == "notable")
    told = re.search(r"wins ([0-9.]+) %", found.text)
    assert told is not None
    assert abs(float(told[1]) / 100 - share) < 0.03


def test_a_dead_card() -> None:
    text = planted(
        ('"Play"\n', '"Play"\n    require card is not bee "No bees."\n'),
        ("        use\n", "        use\n    else\n        move all from active.hand to pile\n"),
    )
    first = found_in(text)[0]
    assert first.weight == "fault"
    assert "No one ever used “bee”" in first.text
    assert first.span.line == text.splitlines().index('action use(card in you.hand) "Play"') + 1


def test_a_card_that_is_hardly_ever_allowed() -> None:
    last = 'require card is not bee or count(you.hand) = 1 and you.score = 6 "Rare."'
    text = planted(
        ('"Play"\n', f'"Play"\n    {last}\n'),
        ("        use\n", "        use\n    else\n        move all from active.hand to pile\n"),
    )
    # Who comes to use it wins, so it matters who begins.
    (first,) = (each for each in found_in(text, games=2000)[:2] if each.topic == "use")
    assert first.weight == "notable"
    assert first.text.startswith("Hardly ever of use to whoever has it (Play: card): “bee” ")
    assert first.text.endswith("100.0 % is usual.")


@pytest.mark.parametrize(
    ("refusal", "weight", "said"),
    [
        ("stone is not gem", "fault", "No one ever used “gem” in 1,000 games"),
        # That is so at the last of ten choices.
        (
            "stone is not gem or count(market) < 82",
            "notable",
            "Hardly ever of use to whoever has it (Which?): “gem” ",
        ),
    ],
)
def test_what_is_chosen_without_an_action_may_be_dead_or_rare(
    refusal: str, weight: str, said: str
) -> None:
    gem = "    gem               | 30    | 10\n"
    text = DRAFT.replace(gem, f"{gem}    pearl             | 30    | 1\n")
    text = text.replace('"Which?"\n', f'"Which?"\n            require {refusal} "No gems."\n')
    assert text.count("pearl") == text.count("No gems.") == 1
    (first,) = (each for each in found_in(text, games=1000)[:2] if each.topic == "use")
    assert first.weight == weight
    assert first.text.startswith(said)
    assert "(Which?)" in first.text


def test_what_no_rule_asks_for() -> None:
    score = "state Player.score: 0..20 = 0\n"
    add = "    add card.points to you.score\n"
    text = planted(
        (score, f"{score}state Player.zeal: number = 0\n"), (add, f"{add}    add 1 to you.zeal\n")
    )
    first = found_in(text, games=500)[0]
    assert first.weight == "notable"
    assert first.text.startswith(
        "“zeal” is changed, but no rule ever asks for it: `add 1 to you.ze"
    )


def test_an_ending_out_of_reach() -> None:
    text = planted(("p.score >= 9", "p.score >= 10"))
    first, second = found_in(text)[:2]
    assert "No game ended by this: `win p`" in first.text
    assert "The trigger “jackpot” never fired" in second.text
    assert text.splitlines()[first.span.line - 1].strip() == "win p"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "    add card.points to you.score\n",
            "    add card.points to you.score\n    add 0 to you.score\n",
        ),
        ("        turn\n", "        turn\n        move all from pile to pile\n"),
    ],
)
def test_a_rule_that_changes_nothing(before: str, after: str) -> None:
    first = found_in(planted((before, after)))[0]
    assert first.weight == "fault"
    assert "never changed anything" in first.text
    assert after.splitlines()[-1].strip() in first.text


def test_a_requirement_that_changes_nothing() -> None:
    text = planted(('"Play"\n', '"Play"\n    require card in you.hand "Not yours."\n'))
    first = found_in(text)[0]
    assert first.weight == "notable"
    assert "`require card in you.hand" in first.text


def test_a_requirement_that_leaves_one_option_is_no_idle_one() -> None:
    text = planted(
        (
            '"Play"\n',
            '"Play"\n    require card is cat or not any(c in you.hand where c is cat) "Cats."\n',
        )
    )
    assert not any("refused nothing" in each.text for each in found_in(text, games=2000))


def test_a_condition_that_always_holds() -> None:
    before = "    add card.points to you.score\n"
    text = planted((before, f"    if you.score >= count(you.hand) - 99\n    {before}"))
    first = found_in(text, games=2000)[0]
    assert first.weight == "notable"
    assert first.text.startswith("This was so all ")
    assert "`if you.score >= count(you.hand) - 99`" in first.text


def test_a_line_of_the_ranking_that_tells_nobody_apart() -> None:
    text = planted(("    highest p.score\n", "    highest p.score\n    highest p.next.score * 0\n"))
    first = found_in(text, games=2000)[0]
    assert first.weight == "notable"
    assert "This line of the ranking never told two players apart" in first.text
    assert "`highest p.next.score * 0`" in first.text


def test_seats_are_told_in_two_sentences_at_most() -> None:
    lucky = "    roll luck in 1..3\n    if luck = 1\n        win Player(1)\n    repeat while"
    told = [
        each.text
        for each in found_in(planted(("    repeat while", lucky)))
        if each.topic == "seats" and each.weight == "fault"
    ]
    first, others = told
    assert first.startswith("With 2 players, seat 1 wins ")
    assert " and seat 2 wins " in first
    assert others.startswith(
        "Seats are not equal in these games either: with 3 players, seat 1 wins "
    )


SUITS = """\
game suits "Suits"
    players 2

type Suit = red, blue, green
type Rank = one, two

piece Card 1 per Suit, Rank in deck

place deck of Card stack hidden
place hand per Player of Card private
place table of Card

state laid: 0..9 = 0

step setup
    shuffle deck
    for p in Player
        move 3 from deck to p.hand

step play
    set active = Player(1)
    repeat 4 times
        choose "Which?"
            lay
        else
            skip
        set laid = 0
        set active = active.next
    choose named in Suit "Which suit?"
        require named != green "Not green."
    roll lucky in Player
    win lucky

action lay(card in you.hand) "Lay"
    require card.suit != green "Green is dead."
    move card to table
    if count(table) = 7
        set laid = 1
"""


def test_cards_told_apart_by_suit_and_rank_may_be_dead_a_word_that_is_refused_is_not() -> None:
    faults = [each for each in found_in(SUITS, games=1000) if each.weight == "fault"]
    (dead,) = faults
    assert dead.topic == "use"
    assert dead.text.startswith("No one ever used “")
    assert "though somebody had them to choose (Lay: card)" in dead.text


def test_what_undoes_something_that_never_happens_is_no_fault() -> None:
    found = found_in(SUITS, games=1000)
    (told,) = (each for each in found if "never changed anything" in each.text)
    assert told.weight == "note"
    assert "`set laid = 0`" in told.text
    assert "What it would undo never happened: `set laid = 1`" in told.text


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ((("0..20", "0..200"),), "“score” never got above"),
        (
            (("0..20", "0..200"), ("| 3\n", "| 30\n")),
            "Card: “points” of “cat” is 30, all others at most 2",
        ),
        (
            (("0..20", "0..200"), ("p.score >= 9", "p.score >= 90")),
            "The trigger “jackpot” never fired",
        ),
        (
            (("turn\n", "turn\n        move 30 from deck to pile\n"),),
            "there is less than this asks",
        ),
    ],
)
def test_a_number_ten_times_too_large(changes: tuple[tuple[str, str], ...], said: str) -> None:
    assert any(said in each.text for each in found_in(planted(*changes))[:3])


CORRIDOR = """\
game corridor "Corridor"
    players 2
    limit 60 decisions

state Player.depth: 0..24 = 0

step play
    set active = Player(1)
    repeat
        choose "Where to?"
            onward
            back
        set active = active.next

action onward "Onward"
    add 1 to you.depth
    if you.depth = 24
        win you

action back "Back"
    set you.depth = 0
"""


def test_where_random_players_never_come_to_an_end_it_says_what_that_means() -> None:
    first, *others = found_in(CORRIDOR, games=1000)
    assert first.weight == "fault"
    assert "never end by the rules" in first.text
    assert "`ruledsl report corridor --skilled 8`" in first.text
    # What they did not reach is no fault of the rules.
    assert [each.weight for each in others if each.weight == "fault"] == []
    assert any("out of their reach" in each.text for each in others)
    assert any("No game ended by this: `win you`" in each.text for each in others)


SHORT_CORRIDOR = CORRIDOR.replace("24", "4").replace("limit 60", "limit 8")


def test_where_random_games_are_cut_players_who_look_ahead_play() -> None:
    game = game_of(SHORT_CORRIDOR)
    study = study_of(game, Setting((2,), 30, 8, 1, sampled=0))
    assert study is not None
    assert study.who.word == "easy"
    assert study.main.tally.games == 30
    uses = {counter.name: used.uses for counter, used in study.main.counts.of_sort("action")}
    # They know the way: every game is counted, choice by choice.
    assert uses["onward"] > 5 * uses["back"]
    assert sum(uses.values()) == study.main.length.total
    told = who_plays(study)
    assert told is not None
    assert "So “easy” players, who look ahead, play the games" in told


def test_who_looks_ahead_plays_only_if_there_is_time() -> None:
    clock = count()  # Each look at it takes a second.
    setting = Setting((2,), None, None, 1, sampled=0, seconds=20)
    study = study_of(game_of(SHORT_CORRIDOR), setting, now=partial(next, clock))
    assert study is not None
    assert study.who.word == "random"
    assert study.ladder is None
    assert who_plays(study).startswith("Players choose at random ")
    (first, *_) = findings_of(study)
    assert "`ruledsl report corridor --time 900 --jobs 2`" in first.text


def test_where_nobody_comes_to_an_end_that_is_said() -> None:
    hopeless = CORRIDOR.replace("limit 60", "limit 6")
    study = study_of(game_of(hopeless), Setting((2,), 30, 4, 1, sampled=0))
    assert study is not None
    assert study.who.word == "random"
    (first, *_) = findings_of(study)
    assert "“easy” and “medium”, do not finish either" in first.text


def test_what_a_report_costs_follows_from_the_time() -> None:
    games = []
    for seconds in (60, 300):
        clock = count()
        setting = Setting((2, 3), None, None, 1, seconds=seconds)
        study = study_of(game_of(FAIR), setting, now=partial(next, clock))
        assert study is not None
        assert next(clock) < 1.5 * seconds
        games.append(study.games)
        (more,) = (each.text for each in findings_of(study) if each.topic == "more")
        assert "There was time for " in more
        assert "`--games 10000` plays all" in more
    assert games[1] > 4 * games[0]


def test_what_was_never_offered_is_told_apart() -> None:
    study = study_of(game_of(SHELVES), Setting((2,), 500, 0, 1))
    assert study is not None
    (told,) = (each.text for each in findings_of(study) if "Never chosen" in each.text)
    assert told.startswith("Never chosen, nor seen to be offered, in 500 games")
    assert told.endswith(": 4 (Take: shelf).")


SHELVES = """\
game shelves "Shelves"
    players 2

state taken: 0..3 = 0

step play
    set active = Player(1)
    repeat while taken < 3
        choose "Which?"
            take
        set active = active.next
    win active

action take(shelf in 1..4) "Take"
    require shelf < 4 "Too high."
    add 1 to taken
"""


class Impatient(Here):
    """Interrupts after the first games."""

    def __init__(self, observed: int) -> None:
        self.left = observed

    def observe(self, table: Table, seed: int, games: int, who: Computer) -> Iterator[Observed]:
        for first in range(0, games, 64):
            if not self.left:
                raise KeyboardInterrupt
            self.left -= 1
            yield CountedGames(table, seed, who).observe(first, first + 64)


def test_interrupted_it_tells_what_there_is() -> None:
    setting = Setting((2, 3), 200, 0, 1, sampled=0)
    whole = study_of(game_of(FAIR), attrs.evolve(setting, games=64), Here())
    cut = study_of(game_of(FAIR), setting, Impatient(1))
    assert whole is not None
    assert cut is not None
    assert cut.interrupted
    assert not whole.interrupted
    assert cut.players == 3
    assert [*cut.observed] == [3]
    assert cut.main.counts.cells == whole.observed[3].counts.cells
    assert findings_of(cut)
    assert study_of(game_of(FAIR), setting, Impatient(0)) is None


DRAWN = """\
game drawn "Drawn"
    players 2

step play
    set active = Player(1)
    choose "What?"
        stake
        leave

action stake "Stake"
    win you

action leave "Leave"
    end game
"""


def test_games_without_a_winner_are_told() -> None:
    texts = [each.text for each in found_in(DRAWN, games=400)]
    (told,) = (text for text in texts if text.startswith("Games without a winner: "))
    assert told.endswith(" with 2 players.")
    always = DRAWN.replace("end game", "win you")
    assert not any("without a winner" in each.text for each in found_in(always, games=400))


def test_what_goes_with_winning_is_told_once_for_each_choice() -> None:
    (told,) = (each for each in found_in(DRAWN, games=1000) if each.topic == "winning")
    assert "“Stake” 100.0 %" in told.text


WALK = """\
game walk "Walk"
    players 2..3

step play
    set active = Player(1)
    repeat 450 times
        choose "Which foot?"
            left
            right
        set active = active.next
    roll lucky in Player
    win lucky

action left "Left"
    skip

action right "Right"
    skip
"""


def test_a_long_game_is_told() -> None:
    (told,) = (each for each in found_in(WALK, games=60) if each.topic == "length")
    # 450 choices are many for two, and not so many for three, of whom it tells.
    assert told.weight == "note"
    two = WALK.replace("2..3", "2")
    (told,) = (each for each in found_in(two, games=60) if each.topic == "length")
    assert told.weight == "notable"
    assert told.text.endswith("That is long: 225 for each player.")


def test_few_games_tell_nothing_of_seats() -> None:
    (told,) = (each.text for each in found_in(WALK, games=60) if each.topic == "seats")
    assert told.startswith("60 games for each number of players are too few to tell")


def test_games_that_never_end_are_told_in_one_sentence() -> None:
    cut = WALK.replace("players 2..3", "players 2..3\n    limit 40 decisions")
    (told, *_) = (each.text for each in found_in(cut, games=60) if each.topic == "endings")
    assert told.startswith("With 2 players 100.0 % (94.0 to 100.0), with 3 players 100.0 % ")


def test_what_nobody_would_miss_is_told() -> None:
    # Whoever keeps a card lays it in the end: all have as many as before.
    study = study_of(game_of(FAIR), Setting((2,), 6000, 0, 1))
    assert study is not None
    (told,) = (each.text for each in findings_of(study) if "hardly matters" in each.text)
    assert told.endswith("give or take 2 of 100 games: Play: card (all 3).")


def test_a_card_ten_times_too_good_stands_in_the_first_lines() -> None:
    study = study_of(game_of(DRAFT), Setting((2,), 600, 0, 1))
    assert study is not None
    worth = [each for each in findings_of(study)[:3] if each.topic == "worth"]
    assert {each.weight for each in worth} == {"notable"}
    first = (
        "Much hangs on this: whoever never uses it wins so many fewer of 100 games: Which? – “gem” "
    )
    assert any(each.text.startswith(first) for each in worth)


def test_what_is_worth_something_is_not_said_to_go_with_winning() -> None:
    """Whoever has most gems wins: where it is known what that is worth, this tells nothing more."""
    told = {
        sampled: {
            each.topic
            for each in findings_of(study)
            if "“gem”" in each.text and each.topic in ("worth", "winning")
        }
        for sampled in (0, 1)
        if (study := study_of(game_of(LONE_GEM), Setting((2,), 600, 0, 1, sampled=sampled)))
    }
    assert told == {0: {"winning"}, 1: {"worth"}}


def test_what_is_chosen_with_others_has_no_worth_of_its_own() -> None:
    # Nobody is kept from a part of a set, so doing without it was never tried.
    text = DRAFT.replace("choose stone in market", "choose up to 2 stones in market")
    text = text.replace("move stone to", "move stones to")
    study = study_of(game_of(text), Setting((2,), 600, 0, 1, sampled=1))
    assert study is not None
    assert {used.uses > 0 for _, used in study.main.counts.of_sort("value")} == {True}
    assert study.worths == ()


LONE_GEM = DRAFT.replace("| 30    | 10", "| 1     | 100")


def test_it_says_which_numbers_can_be_tried() -> None:
    (told,) = (each.text for each in found_in(COUNTING, games=100) if each.topic == "to try")
    assert told.startswith("Numbers that can be tried otherwise without editing: goal = 5. ")
    assert '`ruledsl sweep counting --vary goal=4..6 --aim "fair"` looks for those' in told
    option = COUNTING.replace("define goal = 5", 'option goal in 5..7 = 5 "Goal"')
    (told,) = (each.text for each in found_in(option, games=100) if each.topic == "to try")
    assert "`ruledsl diff counting counting:goal=7` tells what one of them does." in told
    assert not any(each.topic == "to try" for each in found_in(FAIR, games=100))
