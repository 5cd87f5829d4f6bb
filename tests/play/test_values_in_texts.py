"""Values in prompts, messages and labels: in words, translated, and only what the reader knows."""

from ruledsl.diagnostics.source import Source
from ruledsl.library import Library
from ruledsl.play.check import check_source
from ruledsl.play.match import Match
from ruledsl.scene.scene import scene_of

RULES = """\
game masks "Masks"
    players 2
    limit 40 decisions

type Mask = fox, grey_owl

place deck of Card stack hidden
place hand per Player of Card private
piece Card 4 per Mask in deck

state coins: 0..9 = 3

step setup
    shuffle deck
    for p in Player
        move 1 from deck to p.hand
    set active = Player(1)

step play
    repeat
        choose "{active} has {{c in active.hand}}; {coins} coins, {1 / (coins - 3)}."
            claim
            show_all
            take
        set active = active.next

action claim(who in Player, mask in Mask) "Claim that {who} is a {mask}"
    require count(you.hand) > coins     "{who.seat}. player, {coins} coins."
    end game

action show_all(mask in Mask, coin in 1..2) "Bet {coin}"
    add coin to coins
    set active = (if mask = fox then you else you.next)

action take(card in you.next.hand) "Take {card}"
    move card to you.hand

trigger rich(p in Player) after show_all "{p} looks on"
    when p = active and coins > 5
    set coins = 1

language de
    masks "Masken"
    Mask "Maske"
    fox "Fuchs"
    grey_owl "Eule"
    deck "Stapel"
    hand "Hand"
    Card "Karte"
    coins "Münzen"
    "{active} has {{c in active.hand}}; {coins} coins, {1 / (coins - 3)}." "{coins} Münzen für {active} mit {{c in active.hand}}{1 / (coins - 3)}?"
    claim "Behaupten, dass {who} {mask} ist"
    "{who.seat}. player, {coins} coins." "{coins} Münzen hat {who.seat}."
    show_all "{coin} wetten"
    take "{card} nehmen"
    "{p} looks on" "{p} schaut zu"
"""  # noqa: E501  a text stands on one line


def match(language: str = "en") -> Match:
    checked = check_source(Source("masks", RULES), Library())
    assert checked.game is not None, checked.diagnostics
    assert not checked.diagnostics
    return Match(checked.game, 2, None, 1, language)


def test_a_prompt_has_values_in_words() -> None:
    english, german = match(), match("de")
    card = english.words.value(english.interpreter.pos.contents[_hand(english, 1)][0])
    # What can't be worked out is left as it is written, and stops nobody.
    assert english.prompt == f"Player 1 has {card}; 3 coins, {{1 / (coins - 3)}}."
    card = german.words.value(german.interpreter.pos.contents[_hand(german, 1)][0])
    assert german.prompt == f"3 Münzen für Spieler 1 mit {card}{{1 / (coins - 3)}}?"


def _hand(table: Match, seat: int):  # type: ignore[no-untyped-def]
    hands = (each for each in table.interpreter.pos.contents if each.kind == "hand")
    return next(hand for hand in hands if hand.indexes["player"] is table.player(seat))


def test_only_who_is_asked_reads_the_values() -> None:
    table = match()
    assert scene_of(table, 1).prompt == table.prompt
    assert scene_of(table, 2).prompt == ""
    assert scene_of(table, None).prompt == ""


def test_a_label_has_a_place_for_its_parameters() -> None:
    table = match()
    labels = [choice.label for choice in table.options]
    assert "Bet 2: grey owl" in labels
    # The other's card is not known: it is only a card.
    assert "Take Card" in labels
    table.choose("Bet 2: fox")
    assert any(line.text == "Player 1: Bet 2: fox" for line in table.log(2))
    table.choose(next(c for c in table.options if c.label.startswith("Take")))
    assert any(line.text.startswith("Player 2: Take Card ") for line in table.log(2))
    assert [choice.label for choice in match("de").options if "wetten" in choice.label] == [
        "1 wetten: Fuchs",
        "2 wetten: Fuchs",
        "1 wetten: Eule",
        "2 wetten: Eule",
    ]


def test_the_log_says_what_happened() -> None:
    table = match()
    table.choose("Bet 2: fox")
    table.choose("Bet 1: grey owl")
    assert any(line.text == "Player 1 looks on" for line in table.log(2))


def test_a_refusal_has_values_in_words() -> None:
    for language, said in (("en", "2. player, 3 coins."), ("de", "3 Münzen hat 2.")):
        table = match(language)
        refused = table.why_not("claim(Player(2), fox)")
        assert refused is not None
        assert [table.words.said(each.says) for each in refused if each.says] == [said]
