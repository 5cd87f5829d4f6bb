"""`ruledsl show`: a game on a sheet."""

from pathlib import Path

import pytest

from ruledsl.library import Library

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
2, 3 players. The market book (§MD-1 – 9)

OPTIONS
  Price of an apple: 1..3, usually 2

COMPONENTS
  Fruit: 8 / 9 (2, 3 players) [§MD-1]
    for 2 players: 6 × apple, 2 × pear; for 3 players: 6 × apple, 3 × pear
    starts in stall
  Coin: 6 / 9 (2, 3 players)
    3 for each player
    starts in purse of player

PLACES
  stall
    for Fruit; a stack; nobody sees them
  basket [§MD-2]
    for each player; for Fruit; room for 4; only its player sees them
  street
    for Fruit; open to all
  purse
    for each player; for Coin; open to all; their number is secret, too

WHAT IS KEPT TRACK OF
  bids (player): 0..9, at first 0; seen by its player only; anew at each “turn”

WORDS
  fruits (p): count(basket of p)

SET-UP
    shuffle stall
    for each p in player:
      move 1 from stall to basket of p [§MD-3]
  Then the table looks like this, for example:
    stall: for 2 players: 6 × Fruit; for 3 players: 6 × Fruit
    basket: Fruit each
    purse: 3 × Coin each

COURSE OF THE GAME
    the active player becomes player(1)
    again and again:
      → turn
      the active player becomes next of the active player
  turn
    the player chooses what to do: “What do you do?”
      • Buy a fruit
      • Rest
        nothing happens
    if fruits of the active player = 4:
      → leave (the active player)
  leave (p)
    move all from basket of p to street

ACTIONS
  Buy a fruit (coin in purse of the player)
    only if not empty(stall): “All is sold.” [§MD-4]
    only if count(basket of the player) < 4: “Your basket is full.”
    move 1 from stall to basket of the player
    bids of the player goes up by 1

WHAT HAPPENS BY ITSELF
  Sold out [§MD-5]
    when empty(stall):
      the game ends

THE END
  the highest count(basket of p) first [§MD-6]
  then the lowest seat of p first
  after 50 decisions it is a draw
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
    expected = SHEET.replace("for 2 players: 6 × Fruit; for 3 players: 6 × Fruit", "6 × Fruit")
    assert result.stdout == expected


@pytest.mark.usefixtures("market")
def test_for_one_number_of_players(run: Run) -> None:
    text = run("show", "market.rules", "--players", "3").stdout
    assert text.startswith("Market Day\n3 players. ")
    assert "  Fruit: 9 [§MD-1]\n    6 × apple, 3 × pear\n" in text
    refused = run("show", "market.rules", "--players", "4")
    assert refused.exit_code == 2
    assert "Market Day is for 2, 3 players, not 4" in refused.stderr


@pytest.mark.usefixtures("market")
def test_in_german(run: Run) -> None:
    text = run("show", "market.rules", "--lang", "de").stdout
    assert text.startswith("Markttag\n2, 3 Spieler")
    assert "SPIELMATERIAL" in text
    assert "zu 2: 6 × Apfel, 2 × pear" in text
    assert "Obst kaufen" in text
    assert "„Dein Korb ist voll.“" in text


@pytest.mark.usefixtures("market")
def test_a_narrow_screen(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    lines = run("show", "market.rules").stdout.splitlines()
    assert max(map(len, lines)) <= 40


def games() -> list[str]:
    found = [s for s in Library().sources() if not s.text.startswith("library ")]
    return sorted(Path(source.name).stem for source in found)


@pytest.mark.parametrize("game", games())
def test_every_shipped_game(run: Run, game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    for language, components in (("en", "COMPONENTS"), ("de", "SPIELMATERIAL")):
        result = run("show", game, "--lang", language)
        assert result.exit_code == 0, result.stderr
        assert max(map(len, result.stdout.splitlines())) <= 80
        if game != "pig":  # Nothing but a die.
            assert f"\n{components}\n" in result.stdout
        assert "\x1f" not in result.stdout
