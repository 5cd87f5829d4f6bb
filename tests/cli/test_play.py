"""Playing without a terminal: choices are piped in, and everything is plain text."""

import re
from pathlib import Path

import pytest

from ruledsl.cli.saves import Save

from .conftest import Run

BREAKING = """\
game breaking "Breaking"
    players 2

option most in 1..3 = 1 "How many fit"

place Cell line 2 of Mark room most
place stock per Player of Mark
piece Mark 3 per Player in player.stock

step setup
    set active = Player(1)

step play
    repeat
        choose "Where to?"
            mark
            action stop "Stop"
                end game

action mark(cell in Cell) "Mark"
    move 1 from you.stock to cell
"""

SIMPLE = ("play", "tic_tac_toe", "--seed", "3", "--seats", "human,random")


PEEK = """\
game peek
    players 2

type Face = sun, moon

place spot of Tile room 1 seen when not turned
place box of Tile
piece Tile 1 per Face in box
state turned: flag = no

step setup
    set active = Player(1)
    move Tile(moon) to spot

step play
    choose k in 1..2 "Look?"
    set turned = yes
    choose j in 1..2 "And now?"
    if k = j
        win active
"""


def test_a_game_from_standard_input(run: Run) -> None:
    result = run(*SIMPLE, text="b2\nmark a1\n\n1\n")
    assert result.exit_code == 0
    assert result.stdout.startswith("Tic-Tac-Toe, 2 players, seed 3\n")
    assert "\n> b2\n" in result.stdout
    assert "The game is over.\nPlayer 2 wins.\n1. Player 2\n2. Player 1\n" in result.stdout
    assert "\x1b" not in result.stdout


def test_colours_can_be_forced(run: Run) -> None:
    assert "\x1b[" in run("play", "pig", "--color", "always", text="").stdout


@pytest.mark.parametrize("name", ["tic_tac_toe", "tic-tac-toe"])
def test_the_end_of_input_is_a_clear_message(run: Run, name: str) -> None:
    result = run("play", name, text="b2\n")
    assert result.exit_code == 1
    assert "The input ended before the game did, after 2 choices." in result.stdout


def test_computers_alone_play_to_the_end(run: Run) -> None:
    args = ("play", "hearts", "--option", "goal=1", "--seats", "random,random,random,random")
    first, second = run(*args, "--seed", "8"), run(*args, "--seed", "8")
    assert first.exit_code == 0
    assert "The game is over." in first.stdout
    assert "seed 8" in first.stdout
    assert "your turn" not in first.stdout
    assert first.stdout == second.stdout


def test_a_game_of_computers_is_printed(run: Run) -> None:
    shown = run("play", "tic_tac_toe", "--seats", "random,random", "--seed", "1").stdout
    moves = [line for line in shown.splitlines() if ": Mark: " in line]
    assert len(moves) == 7
    assert moves[0] == "  Player 1: Mark: a2."
    assert "(you)" not in shown


def test_what_was_seen_is_shown_on_request(run: Run, tmp_path: Path) -> None:
    rules = tmp_path / "peek.rules"
    rules.write_text(PEEK)
    args = ("play", str(rules), "--players", "2", "--seats", "human,human")
    _, _, later = run(*args, text="1\n").stdout.partition("Look?")
    assert "And now?" in later and "moon" not in later
    _, _, later = run(*args, "--remember", text="1\n").stdout.partition("Look?")
    assert "moon" in later


def test_computers_of_several_kinds(run: Run) -> None:
    args = ("play", "kuhn_poker", "--seats", "greedy,random", "--seed", "8")
    first, second = run(*args), run(*args)
    assert first.exit_code == 0
    assert "The game is over." in first.stdout
    assert first.stdout == second.stdout


def test_a_seed_is_drawn_and_shown(run: Run) -> None:
    shown = {run("play", "pig", "--seats", "random,random", text="").stdout for _ in range(2)}
    assert len({re.search(r"seed (\d+)", text)[1] for text in shown if text}) == 2  # type: ignore[index]


def test_three_kinds_of_wrong_input(run: Run) -> None:
    out = run("play", "tic_tac_toe", "--seed", "3", text="b2\nb2\nc\nzzz\n").stdout
    assert "Mark: b2 is not allowed:\n  That cell is taken.\n" in out
    assert "`c` can mean several choices:\n" in out
    assert "`zzz` is nothing that can be chosen here." in out


def test_a_refusal_cites_the_rulebook(run: Run) -> None:
    out = run("play", "pied_piper", "--seed", "5", text="1\nforward 2 character card 1\n").stdout
    assert "Your second card goes to a different character card. [§PP-21 §PP-22]" in out


def test_commands(run: Run) -> None:
    lines = ["help", "why", "why e2 e4", "why e2 e5", "log", "rules", "rules castle", "rules xyzzy"]
    result = run("play", "chess", "--seed", "1", text="\n".join([*lines, "look", "quit"]))
    out = result.stdout
    assert result.exit_code == 0
    for part in (
        "why MOVE",
        "That is allowed: Move: e2 → e4",
        "Move: e2 → e5 is not allowed:\n  A pawn does not move like that.",
        "  Castle (a wing)\n    Only if the wing is among your castles",
        "The rules don't speak of `xyzzy`.",
        "Goodbye.",
    ):
        assert part in out
    assert out.count("Move a piece.") == 2


def test_the_rules_tell_in_prose_how_one_wins_and_how_it_ends(run: Run) -> None:
    shown = run("play", "chess", text="rules win\nrules end\nrules\n").stdout
    win, end, usage = shown.split("> rules")[1:]
    assert "  Checkmate the king of your opponent.\n" in win
    assert "If the active player is in check:\n        The next player wins.\n" in win
    assert "judged after" not in win
    assert "The game ends.\n" in end
    assert "After 2000 decisions it is a draw." in end
    assert "`rules win` tells how one wins" in " ".join(usage.split())
    assert "repeat" not in shown and ".rules:" not in shown
    german = run("play", "pied_piper", "--lang", "de", text="regel ende\nregel sieg\n").stdout
    end, win = german.split("> regel")[1:3]
    assert "[§PP-59]" in end and "[§PP-59]" in win
    assert len(win.splitlines()) > len(end.splitlines()), "the aim goes first"


def test_the_rules_have_parts_and_speak_of_words_in_prose(run: Run) -> None:
    asked = ["rules", "rules places", "rules hand", "rules led"]
    shown = run("play", "hearts", text="\n".join(asked)).stdout
    parts, places, hand, led = shown.split("> rules")[1:]
    assert "Aim of the game" in parts and "Actions" in parts
    assert "Hand\n    one for each player" in places
    assert "  Play (a card in your hand)\n" in hand and "“Follow suit.”" in hand
    assert "See also: Deal (number), Pass cards" in hand
    assert "If there is no suit that was led" in led
    assert ".rules:" not in shown and "require" not in shown


def test_a_part_of_the_rulebook_is_told_whole_and_its_article_may_be_missing(run: Run) -> None:
    shown = run("play", "pied_piper", text="rules\nrules turn\nrules components\n").stdout
    parts, turn, components = shown.split("> rules")[1:]
    assert "Set-up, The turn, Movement" in " ".join(parts.split())
    assert "§PP-18" in turn and "§PP-33" in turn and "See also" not in turn
    assert "§PP-1 " in components


def test_a_word_is_told_in_the_words_of_the_book_under_their_heading(run: Run) -> None:
    asked = "regel laufen\nregel stehlen\nregel treppe\n"
    shown = run("play", "ratzentanz", "--lang", "de", text=asked).stdout
    ran, stolen, stairs = (" ".join(part.split()) for part in shown.split("> regel")[1:])
    assert "§RT-20 (Bewegung) Jedes Feld muss mit genauer Augenzahl erreicht werden." in ran
    assert ran.index("§RT-17") < ran.index("§RT-20") < ran.index("§RT-68")
    assert "§RT-53" in stolen
    assert "§RT-43 (Die magische Treppe) Eine Ratte" in stairs
    for told in (ran, stolen):
        assert "setzen" not in told and "Nur wenn" not in told and "ist nun" not in told
    piper = run("play", "pied_piper", text="rules melody\nrules set-up\n").stdout
    assert "§PP-66 (Variant: Rugrats) The cards +1 and Melody are not used." in piper
    assert "§PP-7 Each player" in piper, "a part of the book needs no headings"


def test_undo_takes_a_choice_back(run: Run) -> None:
    out = run("play", "pied_piper", "--seed", "5", text="1\nundo\n").stdout
    assert "Taken back." in out
    assert out.count("Your hand: 2 × Forward 1, 2 × Forward 2") == 2


def test_a_hint_with_its_chances_and_the_runner_up(run: Run) -> None:
    args = ("play", "tic_tac_toe", "--seed", "3", "--seats", "human,human")
    out = run(*args, text="a1\na3\nb1\nb3\nhint\n").stdout
    assert "\n  Perhaps: Mark: c1\n    Who would win: you 100 %, Player 2 0 %\n  Or: Mark: " in out
    second = re.search(r"Or: Mark: .*\n    Who would win: you (\d+) %, Player 2 (\d+) %", out)
    assert second is not None
    assert "Looking ahead" not in out


def test_a_hint_from_few_games_says_so(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ruledsl.cli.announcer.FEW_GAMES", 1_000_000_000)
    out = run("play", "pig", "--seed", "3", "--seats", "human,random", text="hint\n").stdout
    assert re.search(r"\n    \(a guess: games tried out: \d+\)\n", out)


def test_what_would_follow_is_shown_and_nothing_happens(run: Run) -> None:
    out = run("play", "chess", "--seed", "1", text="try e4\ntry e5\ntry\nlook\nquit\n").stdout
    assert "If you chose “Move: e2 → e4”:" in out
    assert "\n4 · · · ·[P]· · · 4\n" in out
    assert "Nothing of it has happened." in out
    assert "Move: e2 → e5 is not allowed:\n  A pawn does not move like that." in out
    assert "`try CHOICE` shows what would follow" in out
    assert out.count("2 P P P P P P P P 2") == 2
    german = run("play", "chess", "--seed", "1", "--lang", "de", text="probe e4\nende\n").stdout
    assert "Nichts davon ist geschehen." in german


def test_two_choices_in_one_line(run: Run) -> None:
    moves = "h4\ng5\nhxg5\nh6\ngxh6\nNf6\nh7\nRg8\nhxg8=Q\nlog\nquit\n"
    out = run("play", "chess", "--seats", "human,human", text=moves).stdout
    assert "Player 1: Move: h7 → g8 (hxg8)." in out
    assert "Player 1: Promote the pawn to: queen." in out


def test_a_hint_for_a_choice_of_several_has_all_picks(run: Run) -> None:
    args = ("play", "hearts", "--seed", "7", "--lang", "de")
    out = run(*args, text="tipp\n").stdout
    cards = r"\w+., \w+., \w+."
    assert re.search(rf"\n  Vielleicht: {cards}\n", out)
    # A game of Hearts takes longer than is tried out.
    told = " ".join(out.split())
    assert re.search(
        r"abgebrochen wurden: \d+ %. Es würde gewinnen oder bis dahin vorn liegen: du \d+ %, "
        r"Spieler 2 \d+ %",
        told,
    )
    # There is a runner-up only where the last pick is not forced by the ones before it.
    for other in re.findall(r"\n  Oder: (.*)\n", out):
        assert re.fullmatch(cards, other)
    assert "nach 0 Entscheidungen" in out


def test_the_computer_thinks_unless_another_is_named(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "game.save"
    result = run("play", "connect_four", "--seed", "3", "--save", str(file), text="d1\n")
    assert "Player 1: you   Player 2: computer (medium)\n" in result.stdout
    assert "Player 2: Drop: " in result.stdout
    assert "thinks …" not in result.stdout + result.stderr
    with Save.open(file) as save:
        assert save.header.seats == ("human", "medium")


@pytest.mark.parametrize("level", ["easy", "medium", "hard", "mcts:500", "mcts:0.1s"])
def test_no_level_loses_to_careless_moves(run: Run, level: str) -> None:
    # In one run, as a budget in seconds may choose otherwise in another: what is taken is refused.
    moves = ("a1", "c3", "b2", "a2", "c1", "b1", "b3", "a3", "c2")
    args = ("play", "tic_tac_toe", "--seats", f"human,{level}", "--seed", "3")
    out = run(*args, text="\n".join(moves)).stdout
    assert "The game is over." in out
    assert "Player 1 wins." not in out


def test_a_resumed_game_goes_on_as_it_would_have(run: Run, tmp_path: Path) -> None:
    whole, parts = str(tmp_path / "whole"), str(tmp_path / "parts")
    args = ("play", "love_letter", "--seed", "4", "--seats", "human,easy,medium,mcts:100")
    run(*args, "--save", whole, text="1\n1\n1\n")
    run(*args, "--save", parts, text="1\n")
    for _ in range(2):
        run("resume", parts, text="1\n")
    with Save.open(Path(whole)) as one, Save.open(Path(parts)) as other:
        assert one.choices == other.choices
        assert {choice.seat for choice in one.choices} >= {1, 2}


def test_several_in_one_line_in_any_order(run: Run) -> None:
    out = run("play", "hearts", "--seed", "7", text="spades ten, 2c, hearts q\n").stdout
    assert "Player 1: Pass three cards: 2♣, Q♥, 10♠." in out


def test_why_of_a_card_that_can_be_one_of_several(run: Run) -> None:
    """The last of a hand is no first pick, and a pick all the same."""
    out = run("play", "hearts", "--seed", "21", text="why q♠\nwhy 2♠\n").stdout
    assert "That is allowed: Q♠" in out
    assert "2♠ is not here: hand (Player 1)." in out


def test_several_one_by_one(run: Run) -> None:
    out = run("play", "hearts", "--seed", "7", text="13\nclubs two\nundo\n1\n2\n3\n").stdout
    assert "Taken so far: 10♠, 2♣" in out
    assert "1 more." in out
    assert "Player 1: Pass three cards: 2♣, 6♣, 7♣." in out


def test_several_in_one_line_are_all_or_nothing(run: Run) -> None:
    out = run("play", "hearts", "--seed", "7", text="1, 2, zebra\n1, 1, 2\n1,2,3,4\n").stdout
    assert "`zebra` is nothing that can be chosen here." in out
    assert "There are not so many of `1`." in out
    assert "That is too many: `1, 2, 3, 4`" in out
    assert "What happened:" not in out


def test_moves_from_a_file(run: Run, tmp_path: Path) -> None:
    moves = tmp_path / "moves.txt"
    moves.write_text("# an opening\nb2\n\na1\n1\n", encoding="utf-8")
    result = run(*SIMPLE, "--moves", str(moves), text="ignored\n")
    assert result.exit_code == 0
    assert "Player 2 wins." in result.stdout


def test_a_wrong_move_in_a_file_is_located(run: Run, tmp_path: Path) -> None:
    moves = tmp_path / "moves.txt"
    moves.write_text("b2\nb2\na1\n", encoding="utf-8")
    result = run("play", "tic_tac_toe", "--seed", "3", "--moves", str(moves))
    assert result.exit_code == 1
    told = " ".join(result.stdout.split())
    assert f"{moves}:2:" in told.replace(" ", "")
    assert "That cell is taken." in told
    assert "> a1" not in result.stdout


def test_german(run: Run) -> None:
    result = run("play", "pied_piper", "--seed", "5", "--lang", "de", text="hilfe\nverlauf\nende\n")
    assert result.exit_code == 0
    for part in ("Startzahl 5", "Was man eingeben kann:", "du bist dran", "Auf Wiedersehen."):
        assert part in result.stdout


def test_words_of_a_choice_go_before_further_words_for_commands(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "breaking.rules"
    file.write_text(f'{BREAKING}\nlanguage de\n    stop "Zug beenden"\n', encoding="utf-8")
    german = ("play", str(file), "--lang", "de")
    assert "Das Spiel ist zu Ende." in run(*german, text="beenden\n").stdout
    for text in ("/beenden\n", "ende\n"):
        assert "Auf Wiedersehen." in run(*german, text=text).stdout
    assert "Auf Wiedersehen." in run("play", "chess", "--lang", "de", text="beenden\n").stdout


def test_a_save_has_every_choice(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "game.save"
    result = run(*SIMPLE, "--save", str(file), text="b2\na1\n")
    assert result.exit_code == 1
    assert "ruledsl resume" in result.stdout
    with Save.open(file) as save:
        assert [choice.seat for choice in save.choices] == [1, 2, 1, 2]
        assert save.choices[0].code == "mark(Cell(2, 2))"
        assert save.header.seats == ("human", "random")
        assert save.header.seed == 3
    again = run("play", "tic_tac_toe", "--save", str(file), text="")
    assert again.exit_code == 2
    assert "exists already" in again.stderr


def test_saving_later_saves_what_was_before(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "game.save"
    text = f"1\nsave {file}\nundo\nforward 1 character 2\nsave\nquit\n"
    assert run("play", "pied_piper", "--seed", "5", text=text).exit_code == 0
    with Save.open(file) as save:
        assert save.choices[-1].code == "place(forward@hand(Player(1)), Spot(2))"


def test_a_saved_game_goes_on(run: Run, tmp_path: Path) -> None:
    file = str(tmp_path / "game.save")
    run(*SIMPLE, "--save", file, text="b2\na1\nquit\n")
    result = run("resume", file, "--lang", "de", text="1\n")
    assert result.exit_code == 0
    assert "Spieler 1: Zeichen setzen: a1" in result.stdout
    assert "Das Spiel ist zu Ende.\nSpieler 2 gewinnt." in result.stdout
    assert "Das Spiel ist zu Ende." in run("resume", file, "--lang", "de", text="").stdout


def test_rules_that_go_wrong_are_located(run: Run, tmp_path: Path) -> None:
    (tmp_path / "breaking.rules").write_text(BREAKING, encoding="utf-8")
    file = tmp_path / "game.save"
    result = run(
        "play",
        str(tmp_path / "breaking.rules"),
        "--save",
        str(file),
        "--seats",
        "human,human",
        text="mark 1\nmark 1\n",
    )
    assert result.exit_code == 1
    assert "The rules went wrong:" in result.stdout
    assert "move 1 from you.stock to cell" in result.stdout
    assert "breaking.rules:21" in "".join(result.stdout.split())
    with Save.open(file) as save:
        assert [choice.code for choice in save.choices] == ["mark(Cell(1))"]


def test_options_and_variants(run: Run) -> None:
    result = run("play", "pied_piper", "--variant", "rugrats", "--players", "3", text="quit\n")
    assert result.stdout.startswith("Rugrats, 3 players")
    result = run("play", "hex", "--option", "size=5", text="quit\n")
    assert "Length of a side: 5" in result.stdout


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["ches"], "error: no game is called `ches`\n  = hint: did you mean `chess`?\n"),
        (["chess", "--players", "3"], "error: Chess is for 2 players, not 3\n"),
        (["chess", "--seats", "humen"], "error: nobody called `humen` can sit there\n"),
        (["chess", "--seats", "human,meduim"], "error: nobody called `meduim` can sit there\n"),
        (["chess", "--seats", "human,mcts:0"], "error: `mcts:0`: a search has 1 to"),
        (["chess", "--seats", "human,mcts:-1s"], "error: `mcts:-1s`: a search takes more than 0"),
        (["chess", "--seats", "human,human,human"], "error: "),
        (["hex", "--option", "siz=5"], "error: Hex has no option called `siz`\n"),
        (["hex", "--option", "size"], "error: `size` is no option with a value\n"),
        (["hex", "--option", "size=4"], "error: "),
        (["pied_piper", "--variant", "rugrat"], "error: pied_piper has no variant rugrat\n"),
        (["chess", "--moves", "nowhere.txt"], "error: can't read `nowhere.txt`"),
        (["cards"], "error: "),
    ],
)
def test_what_can_not_begin(run: Run, args: list[str], message: str) -> None:
    result = run("play", *args, text="")
    assert result.exit_code == 2
    assert result.stderr.startswith(message)
    assert "Traceback" not in result.stderr


def test_a_file_with_mistakes_is_explained(run: Run, folder: Path) -> None:
    result = run("play", str(folder / "bad/broken.rules"), text="")
    assert result.exit_code == 2
    assert "broken.rules:5" in result.stderr


def test_texts_of_a_file_can_not_steer_the_terminal(run: Run, tmp_path: Path) -> None:
    text = BREAKING.replace('"Breaking"', '"Bad\x1b[2Jness"').replace('"Stop"', '"\x1b]0;x\x07"')
    (tmp_path / "breaking.rules").write_text(text, encoding="utf-8")
    result = run("play", str(tmp_path / "breaking.rules"), text="\x1b[31m\nquit\n")
    assert "\x1b" not in result.stdout + result.stderr


def test_two_people_without_a_terminal_need_not_press_enter(run: Run) -> None:
    text = "b2\na1\nc3\na2\na3\nc1\nb3\nb1\nc2\n"
    result = run("play", "tic_tac_toe", "--seats", "human,human", text=text)
    assert result.exit_code == 0
    assert "press Enter" not in result.stdout


# ------------------------------------------------------------ secrets


def test_a_drawn_seed_is_told_at_the_end_only(run: Run) -> None:
    seats = ("--seats", "human,random")
    assert "seed" not in run("play", "kuhn_poker", *seats, text="").stdout
    over = run("play", "kuhn_poker", *seats, text="1\n" * 5).stdout
    assert over.count("seed") == 1
    assert over.index("The game is over.") < over.index("seed")


def test_a_given_seed_is_said_and_warned_about(run: Run) -> None:
    alone = run("play", "kuhn_poker", "--seed", "7", "--seats", "human,random", text="")
    assert "2 players, seed 7" in alone.stdout
    assert alone.stderr == ""
    several = run("play", "kuhn_poker", "--seed", "7", "--seats", "human,human", text="")
    assert several.stderr == (
        "warning: whoever knows the seed can work out what is hidden from others\n"
    )
    assert run("play", "tic_tac_toe", "--seed", "7", "--seats", "human,human", text="").stderr == ""


def test_undo_before_the_first_choice(run: Run) -> None:
    result = run("play", "tic_tac_toe", "--seats", "random,human", text="undo\n")
    assert "You have not chosen anything yet." in result.stdout


def test_the_table_tells_what_others_know_of_their_cards(run: Run) -> None:
    args = ("play", "hanabi", "--players", "2", "--seats", "human,human", "--seed", "1")
    out = run(*args, text="green\nyellow\n").stdout
    second = out.split("your turn")[-2]
    assert "slot (1)  green four (green)" in second


def test_a_file_of_moves_may_be_written_as_players_do(run: Run, tmp_path: Path) -> None:
    moves = tmp_path / "moves"
    moves.write_text("e2e4\nNf6\nNf3\nd5\nexd5\nNxd5\nBb5\nc6\nO-O\n", encoding="utf-8")
    args = ("play", "chess", "--seats", "human,human", "--moves", str(moves))
    assert "Castle" in run(*args, text="").stdout
    moves.write_text("13/9 6/5\n", encoding="utf-8")
    seats = ("--seats", "human,random", "--seed", "3")
    out = run("play", "backgammon", *seats, "--moves", str(moves), text="").stdout
    assert "Man (Player 1): Point 13 → Point 9." in " ".join(out.split())
    assert "Man (Player 1): Point 6 → Point 5." in " ".join(out.split())
