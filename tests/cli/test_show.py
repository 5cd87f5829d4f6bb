"""`ruledsl show`: a game on a sheet."""

import os
import re
from pathlib import Path

import pytest

from ruledsl.diagnostics.source import Source
from ruledsl.library import Library
from ruledsl.model.rule_texts import OWN
from ruledsl.play.loading import load
from ruledsl.play.sheets.sheet import outcome_of
from ruledsl.play.words import Words
from ruledsl.texts.commands import TOPICS
from ruledsl.texts.own_words import LABELS
from ruledsl.texts.text import LANGUAGES

from .conftest import Run

MARKET = """\
game market "Market Day"
    players 2..3
    rulebook MD 1..9 "The market book"
    limit 50 decisions

option price in 1..3 = 2 "Price of an apple"

place stall of Fruit stack hidden
place basket per Player of Fruit private room 4         §MD-2
place street of Fruit

piece Fruit in stall | count                            §MD-1
    apple            | 6
    pear             | players
piece Coin 3 per Player in player.purse
place purse per Player of Coin uncounted

state Player.bids: 0..9 = 0 private each turn

define fruits(p: Player) = count(p.basket)

step setup
    shuffle stall
    for p in Player
        move 1 from stall to p.basket                   §MD-3

step play
    set active = Player(1)
    repeat
        turn
        set active = active.next

step turn
    choose "What do you do?"
        buy
        action rest "Rest"
            skip
    if active.fruits = 4
        leave(active)

step leave(p: Player)
    move all from p.basket to street

action buy(coin in you.purse) "Buy a fruit"
    require not empty(stall)            "All is sold."   §MD-4
    require count(you.basket) < 4       "Your basket is full."
    move 1 from stall to you.basket
    add 1 to you.bids

trigger sold_out "Sold out"                             §MD-5
    when empty(stall)
    end game

ranking p in playing
    highest count(p.basket)                             §MD-6
    lowest p.seat

language de
    market "Markttag"
    apple "Apfel"
    basket "Korb"
    buy "Obst kaufen"
    "Your basket is full." "Dein Korb ist voll."
"""

SHEET = """\
Market Day
2–3 players. The market book (§MD-1 – 9)

OPTIONS
  Price of an apple: 1 to 3, usually 2

COMPONENTS
  Fruits: 8 / 9 (2–3 players) [§MD-1]
    for 2 players: 6 × apple, 2 × pear; for 3 players: 6 × apple, 3 × pear
    at first on the stall
  Coins: 6 / 9 (2–3 players)
    3 for each player
    at first in the purse of its player

PLACES
  Stall
    for fruits; a stack; nobody sees them
  Basket [§MD-2]
    one for each player; for fruits; room for 4; only its player sees them
  Street
    for fruits; open to all
  Purse
    one for each player; for coins; open to all; their number is secret, too

WHAT IS KEPT TRACK OF
  Bids (player): 0 to 9, at first 0; seen by its player only; anew at each
      “turn”.

WORDS
  The fruits of the player: the number of fruits in the basket of the player.

SET-UP
    Shuffle the stall.
    For each player:
      Move 1 fruit from the stall to the basket of this player. [§MD-3]
  Then the table looks like this, for example:
    Stall: 6 fruits
    Basket: 1 fruit each
    Purse: 3 coins each

COURSE OF THE GAME
    Player 1 is up.
    Again and again:
      → Turn
      The next player is up.
  Turn
    The active player chooses what to do: “What do you do?”
      • Buy a fruit
      • Rest
        Nothing happens.
    If the fruits of the active player are 4:
      → Leave (the active player)
  Leave (player)
    Move everything in the basket of the player to the street.

ACTIONS
  Buy a fruit (a coin in your purse)
    Only if the stall is not empty: “All is sold.” [§MD-4]
    Only if there are fewer than 4 fruits in your basket: “Your basket is
        full.”
    Move 1 fruit from the stall to your basket.
    Raise your bids by 1.

WHAT HAPPENS BY ITSELF
  Sold out [§MD-5]
    When the stall is empty:
      The game ends.

THE END
  The highest value wins: the number of fruits in its basket. [§MD-6]
  In case of a tie, the lowest value wins: its seat number.
  After 50 decisions it is a draw.
"""


@pytest.fixture
def market(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    file = tmp_path / "market.rules"
    file.write_text(MARKET, encoding="utf-8")
    return file


@pytest.mark.usefixtures("market")
def test_the_whole_sheet(run: Run) -> None:
    result = run("show", "market.rules")
    assert result.exit_code == 0, result.stderr
    assert result.stdout == SHEET


def test_boards_of_players_are_counted_for_one_player(run: Run, tmp_path: Path) -> None:
    rules = """\
game tracks "Tracks"
    players 2..3

piece Peg 1 per Player in Track(player, 1)
place Track per Player line 8 of Peg
place Loop per Player ring 5 of Peg

step play
    skip
"""
    (tmp_path / "tracks.rules").write_text(rules, encoding="utf-8")
    shown = run("show", str(tmp_path / "tracks.rules")).stdout
    assert "    8 in a row; one for each player" in shown
    assert "    5 in a ring; one for each player" in shown


@pytest.mark.usefixtures("market")
def test_for_one_number_of_players(run: Run) -> None:
    text = run("show", "market.rules", "--players", "3").stdout
    assert text.startswith("Market Day\n3 players. ")
    assert "  Fruits: 9 [§MD-1]\n    6 × apple, 3 × pear\n" in text
    refused = run("show", "market.rules", "--players", "4")
    assert refused.exit_code == 2
    assert "Market Day is for 2, 3 players, not 4" in refused.stderr


@pytest.mark.usefixtures("market")
def test_in_german(run: Run) -> None:
    text = run("show", "market.rules", "--lang", "de").stdout
    assert text.startswith("Markttag\n2–3 Spieler")
    assert "SPIELMATERIAL" in text
    assert "zu 2: 6 × Apfel, 2 × pear" in text
    assert "Obst kaufen" in text
    assert "„Dein Korb ist voll.“" in text


@pytest.mark.usefixtures("market")
def test_a_narrow_screen(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    lines = run("show", "market.rules").stdout.splitlines()
    assert max(map(len, lines)) <= 40


HAMELIN = ("pied_piper", "burg_appenzell", "ratzentanz", "hameln")
SHEETS = Path(__file__).parent / "sheets"
UPDATE = "UPDATE_SNAPSHOTS" in os.environ


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("game", HAMELIN)
def test_the_sheets_of_the_four_games(
    run: Run, game: str, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    result = run("show", game, "--full", "--lang", language)
    assert result.exit_code == 0, result.stderr
    shown = result.stdout
    file = SHEETS / f"{game}.{language}.txt"
    if UPDATE:
        file.parent.mkdir(exist_ok=True)
        file.write_text(shown, encoding="utf-8")
    assert file.is_file(), "no snapshot: set UPDATE_SNAPSHOTS=1 to write it, and read it"
    assert shown == file.read_text(encoding="utf-8")


def games() -> dict[str, Source]:
    found = [s for s in Library().sources() if not s.text.startswith("library ")]
    return {Path(source.name).stem: source for source in found}


CODE = re.compile(r"\b[a-z]\w*\.[a-z]|\b[a-z]\w*\([a-z]|\w_\w")


@pytest.mark.parametrize("game", sorted(games()))
def test_every_shipped_game(run: Run, game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    untranslated: set[str] = set()

    def own(words: Words, word: str) -> str:
        if words.language != OWN and word not in LABELS and len(word) > 1:
            untranslated.add(word)
        return declared(words, word)

    declared = Words.own
    monkeypatch.setattr(Words, "own", own)
    # Some have nothing but dice and numbers; all that have variants have more.
    has_things = re.search(r"^(piece|place|variant) ", games()[game].text, re.MULTILINE)
    for language, components in (("en", "COMPONENTS"), ("de", "SPIELMATERIAL")):
        result = run("show", game, "--lang", language)
        assert result.exit_code == 0, result.stderr
        assert max(map(len, result.stdout.splitlines())) <= 80
        assert (f"\n{components}\n" in result.stdout) == (has_things is not None)
        assert result.stdout.replace("\n", "").isprintable()
        told = " ".join(re.sub(r"[“„][^“”]*[”“]|\(\w+\)", "", result.stdout).split())
        assert re.search(r"\bvon d(u|ir)\b|\bof you\b", told) is None
        assert CODE.search(told) is None
        assert language == OWN or not untranslated & set(re.findall(r"\w+", told))


TOLD = {
    ("love_letter", "en"): (
        "Show to all players whether the card in the hand of this player is this card.",
        "Still in the game are now: all players.",
        "The player is no longer in the game.",
        "You are now safe.",
    ),
    ("love_letter", "de"): ("Du bist nun geschützt.", "Im Spiel sind nun: alle Spieler."),
    ("tic_tac_toe", "de"): ("Du gewinnst.",),
    ("chess", "en"): (
        "after “Shift (the square, the other square)” this holds: you are not in check",
        "the number of occurrences of the position is 3",
        "the other square is among all squares around the square",
    ),
    ("rope_team", "de"): (
        "(die Route ist mit einem Kletterer besetzt und die Höhe des Kletterers der Route ist",
        "Die Route und die zweite Route klettern",
    ),
    ("sushi_draft", "de"): (
        "die Makirollen des anderen Spielers sind höchstens die Makirollen dieses Spielers",
    ),
    ("backgammon", "de"): ("Wenn es nicht genau 2 Zahlen unter den Augen",),
    ("regatta", "en"): ("turned right by the shift of the helm sixths",),
}


@pytest.mark.parametrize(("game", "language"), TOLD)
def test_sentences_instead_of_code(
    run: Run, game: str, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    told = " ".join(run("show", game, "--full", "--lang", language).stdout.split())
    for sentence in TOLD[game, language]:
        assert sentence in told


GERMAN = """\
game tidy "Tidy"
    players 2

place box of Toy
place shelf per Player of Toy room 3
place pile of Toy stack
place pool of Toy stack hidden

piece Toy in box | count | worn
    bear         | 2     | no
    ball         | 2     | yes

state Player.tired: flag = no

define own(p: Player) = p.shelf
define best(p: Player, n: 1..9) = first(t in p.shelf where not t.worn)

step setup
    set active = Player(1)
    shuffle pool
    for t in Toy where t in box and not t.worn
        move t to pile
    repeat 2 times
        take_one(active)

step play
    repeat while any(t in pile where t is bear)
        choose toy in pile where not toy.worn "Which toy?"
        move toy to active.own
    set active.tired = yes
    move all from active.shelf to box
    if count(box) = 0 or not active.tired
        add_nothing
    end game

step take_one(p: Player)
    move 1 from pile to p.shelf

step add_nothing
    let chosen = best(active, 2)
    if chosen != none
        move chosen to pile at bottom

language de
    tidy "Aufräumen"
    box "Kiste" "die, Kisten"
    shelf "kleines Regal" "das, kleine Regale"
    pile "Haufen" "der, Haufen"
    pool "Vorrat" "der"
    Toy "Spielzeug" "das, Spielzeuge"
    bear "Bär" "der, Bären"
    ball "Ball" "der, Bälle"
    worn "abgenutzt"
    tired "müde"
    own "kleines Regal" "das"
    best "bestes Spielzeug von {p} für {n}" "das"
    chosen "gewähltes Spielzeug" "das"
    take_one "Ein Spielzeug für {p} nehmen"
    add_nothing "Nichts hinzufügen"
    "Which toy?" "Was?"
"""


def test_german_articles_cases_and_relative_clauses(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    file = tmp_path / "tidy.rules"
    file.write_text(GERMAN, encoding="utf-8")
    shown = run("show", str(file), "--lang", "de")
    lines = [line.strip() for line in shown.stdout.splitlines()]
    for expected in (
        "Den Vorrat mischen.",
        "Für jedes Spielzeug, das in der Kiste liegt und das nicht abgenutzt ist:",
        "Dieses Spielzeug auf den Haufen legen.",
        "2-mal:",
        "→ Ein Spielzeug für den Spieler am Zug nehmen",
        "Ein Spielzeug für den Spieler nehmen",
        "Ein Spielzeug vom Haufen ins kleine Regal des Spielers legen.",
        "Solange es ein Spielzeug auf dem Haufen gibt, das ein Bär ist:",
        "Der Spieler am Zug wählt ein Spielzeug auf dem Haufen, das nicht abgenutzt ist: „Was?“",
        "Dieses Spielzeug ins kleine Regal des Spielers am Zug legen.",
        "Der Spieler am Zug ist nun müde.",
        "Alles aus dem kleinen Regal des Spielers am Zug in die Kiste legen.",
        "Wenn es kein Spielzeug in der Kiste gibt oder der Spieler am Zug nicht müde ist:",
        "Das gewählte Spielzeug: das beste Spielzeug vom Spieler am Zug für 2.",
        "Wenn es ein gewähltes Spielzeug gibt:",
        "Das gewählte Spielzeug auf den Haufen legen, ganz nach unten.",
    ):
        assert expected in lines


SHAPES = """\
game shapes "Shapes"
    players 2

type Side = light, dark

place box of Toy
place shelf per Player line 5 of Toy seen when viewer != here.player or it.side = light
place pile of Toy stack refilled from heap hidden
place heap of Toy stack

piece Toy 6 in box

state Toy.side: Side = light
state Player.friend: Player or none
state Player.wealth: 0..9 = 0
state points: 0..99 = 0

step setup
    set active = Player(1)

step play
    choose up to active.wealth toys in box "Which?"
    set points = (active.wealth - active.next.wealth) mod players
    set points = sum(s.index for s in shelf, t in s where t.side = dark) - (points + 1)
    set points = min(points + 1, 12)
    if active.friend = none and not (points > 3 or active.wealth = 2)
        swap_places(active, active.next)
    let rich = first(p in Player highest p.wealth)
    roll points in 1..players
    choose "What?"
        visit
    move {t in box where t in (box - toys)} to shelf(rich, 1)
    end game

step swap_places(one: Player, other: Player)
    set one.wealth = other.wealth

action visit(host in Player, guest in host.others) "Visit of {guest} to {host}"
    require host != you "Not at home."
    skip

ranking p in Player
    highest p.wealth
    lowest p.seat
    else win none

language de
    shapes "Formen"
    Side "Seite" "die, Seiten"
    side "Seite" "die"
    light "hell"
    dark "dunkel"
    box "Kiste" "die"
    shelf "Regal" "das, Regale"
    pile "Stapel" "der"
    heap "abgelegte Karten" "plural"
    Toy "Spielzeug" "das, Spielzeuge"
    friend "Freund" "der"
    wealth "Reichtum" "der"
    points "Punkte" "plural"
    rich "reicher Spieler" "der"
    host "Gastgeber" "der"
    guest "Gast" "der"
    swap_places "Mit {one} und {other} tauschen"
    visit "Besuch von {guest} bei {host}"
    "Which?" "Welche?"
    "What?" "Was?"
    "Not at home." "Nicht daheim."
"""


SENTENCES = {
    "de": """\
ein Stapel; wird aufgefüllt aus den abgelegten Karten; niemand sieht sie
gesehen, wenn der Betrachter nicht der Spieler dieses Regals ist
oder die Seite dieses Spielzeugs hell ist
wählt bis zu (der Reichtum des Spielers am Zug) Spielzeuge in der Kiste: „Welche?“
auf den Rest von (der Reichtum des Spielers am Zug − der Reichtum des nächsten Spielers) ÷
deren Seite dunkel ist, − (die Punkte + 1) setzen.
auf die Punkte + 1, aber höchstens 12 setzen.
Wenn der Spieler am Zug keinen Freund hat und die Punkte nicht mehr als 3 sind
und der Reichtum des Spielers am Zug nicht 2 ist:
→ Mit dem Spieler am Zug und dem nächsten Spieler tauschen
Der reiche Spieler: der Spieler mit dem höchsten Wert: der Reichtum dieses Spielers.
Die Punkte würfeln: 1 bis zur Spielerzahl.
• Besuch vom Gast beim Gastgeber
Nur wenn der Gastgeber nicht du bist: „Nicht daheim.“
unter allen Spielzeugen in der Kiste ohne diese Spielzeuge
Bei Gleichstand gewinnt der niedrigste Wert: die jeweilige Sitznummer.
Steht es an der Spitze auch dann noch gleich, gewinnt niemand.
""",
    "en": """\
seen when the viewer is not the player of this shelf or the side of this toy is light
chooses up to (the wealth of the active player) toys in the box: “Which?”
to the remainder of (the wealth of the active player − the wealth of the next player) ÷
to the points + 1, but at most 12.
If the active player has no friend and
the player with the highest value: the wealth of this player.
• Visit of the player to the player
without these toys
""",
}


@pytest.mark.parametrize("language", SENTENCES)
def test_no_code_where_a_sentence_is_possible(run: Run, tmp_path: Path, language: str) -> None:
    file = tmp_path / "shapes.rules"
    file.write_text(SHAPES, encoding="utf-8")
    shown = " ".join(run("show", str(file), "--lang", language).stdout.split())
    assert [line for line in SENTENCES[language].splitlines() if line not in shown] == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ["chess", "hanabi", "hearts", "pied_piper", "tic_tac_toe"])
def test_how_one_wins_and_how_it_ends(name: str, language: str) -> None:
    game = load(name).checked
    for topic in TOPICS:
        assert outcome_of(game, language, topic)


BOOKED = """\
game fair "Fair"
    players 2..3
    rulebook FA 1..9 "The fair book"
    limit 50 decisions                      assumed "An endless fair is a draw."

type Side = sunny, shady

option side in Side = sunny "Side of the street"

rulebook FA "Components"
    1 "Six apples and two pears."

rulebook FA "Set-up"
    2 "All fruit lies on the stall."

place stall of Fruit
place basket per Player of Fruit

piece Fruit in stall | count
    apple            | 6
    pear             | players

step setup
    set active = Player(1)

step play
    repeat
        choose
            fill
            swap
        set active = active.next

action fill "Take a fruit"
    require any(f in you.basket)            "You have none."
    move all from stall to you.basket
    if side = sunny or empty(stall)
        end game

action swap(other in you.others) "Swap"
    require not tied(you, other)            "You are alike."
    for f in you.basket
        for g in other.basket where f.face != g.face
            move f to other.basket

define tied(p: Player, q: Player) = count(p.basket) = count(q.basket)

ranking p in Player
    highest count(p.basket)

language de
    Fruit "Frucht" "die, Früchte"
    basket "Früchte im Korb" "plural"
    tied "{p} gleichauf mit {q}"
"""


@pytest.fixture
def fair(tmp_path: Path) -> str:
    file = tmp_path / "fair.rules"
    file.write_text(BOOKED, encoding="utf-8")
    return str(file)


def test_what_the_book_says_of_the_box_stands_first(run: Run, fair: str) -> None:
    shown = run("show", fair).stdout
    box = shown[shown.index("COMPONENTS") : shown.index("SET-UP")]
    assert box == (
        "COMPONENTS\n  Six apples and two pears. [§FA-1]\n  In detail:\n"
        "    Fruits: 8 / 9 (2–3 players) – for 2 players: 6 × apple, 2 × pear; for 3\n"
        "        players: 6 × apple, 3 × pear\n\n"
    )
    assert "at first in the stall" in run("show", fair, "--full").stdout


def test_an_option_is_one_value_or_another(run: Run, fair: str) -> None:
    assert "Side of the street: sunny or shady, usually sunny" in run("show", fair).stdout


def test_what_is_assumed_without_a_rule_is_told(run: Run, fair: str) -> None:
    assert "  An endless fair is a draw.\n" in run("show", fair).stdout


def test_two_of_a_kind_are_told_apart_without_their_names(run: Run, fair: str) -> None:
    shown = run("show", fair, "--lang", "de", "--full").stdout
    assert "Der Spieler ist gleichauf mit dem anderen Spieler" in shown
    assert "das Bild dieser Frucht ist nicht das Bild der anderen Frucht" in " ".join(shown.split())
    assert "Spieler q" not in shown and "von dir" not in shown


def test_whose_turn_comes_last_is_told(run: Run, tmp_path: Path) -> None:
    rules = """\
game ask "Ask"
    players 2..3

state starter: Player = Player(1)

step play
    for p in starter.onward
        eliminate p
"""
    (tmp_path / "ask.rules").write_text(rules, encoding="utf-8")
    shown = run("show", str(tmp_path / "ask.rules")).stdout
    assert "For each player in turn, the starter last:" in shown
    german = run("show", str(tmp_path / "ask.rules"), "--lang", "de").stdout
    assert "Für jeden Spieler reihum, starter zuletzt:" in german


STANDING = """\
game standing "Standing"
    players 2

place hand per Player of Card
place box of Card
piece Card 4 in box

step setup
    move 1 from box to Player(1).hand
    set active = Player(1)

step play
    if not all(p in Player have empty(p.hand))
        win Player(1)
    if not all(p in Player where p in playing have empty(p.hand))
        win Player(2)
"""


def test_not_all_are_some_that_are_not(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "standing.rules"
    file.write_text(STANDING, encoding="utf-8")
    shown = run("show", str(file)).stdout
    assert "If there is a player whose hand is not empty:" in shown
    both = "a player that is still in the game and whose hand is not empty:"
    assert f"If there is {both}" in shown


def test_several_that_may_be_missing_are_not_told_as_one(run: Run) -> None:
    assert "Nur wenn es die Felder gibt:" in run("show", "raised_beds", "--lang", "de").stdout
