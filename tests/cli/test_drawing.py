"""The table as text: boards, places, players, and the menu of choices."""

import re
from functools import cache
from pathlib import Path
from random import Random

import attrs
import pytest

import ruledsl
from ruledsl.cli.drawing.artist import Artist
from ruledsl.cli.drawing.mapped_places import shortened, stems
from ruledsl.cli.drawing.menu import menu_lines
from ruledsl.cli.drawing.short_names import short_names
from ruledsl.cli.drawing.text import (
    Depth,
    cut,
    finished,
    flow,
    in_columns,
    initials,
    plain,
    safe,
    shades,
    short,
    styled,
    width,
    wrap,
)
from ruledsl.cli.drawing.word_table import Row, table_lines
from ruledsl.diagnostics.source import Source
from ruledsl.library import Library
from ruledsl.play.loading import LoadError, load_source
from ruledsl.play.match import Match
from ruledsl.scene.data import Contents
from ruledsl.scene.scene import scene_of, stage_of
from ruledsl.texts.text import Phrases
from tests.play.test_typed import BIDS

SAY = Phrases("en")
load = cache(ruledsl.load)
"""Each game is checked once for all tests."""


def games() -> list[str]:
    library = Library()
    sources = {name: library.source(name) for name in library.names()}
    return [
        name
        for name, source in sources.items()
        if source is not None and not source.text.startswith(("library", "# library"))
    ]


def drawn(match: Match, columns: int = 79, seat: int = 1) -> str:
    scene = attrs.evolve(scene_of(match, seat), happenings=(), ask=None)
    lines = Artist(attrs.evolve(stage_of(match), aim=""), match.players).draw(scene, columns)
    return "\n".join(finished(line, color=False) for line in lines)


def played(name: str, moves: int, seed: int = 5, language: str = "en") -> Match:
    try:
        game = load(name)
    except LoadError as error:
        pytest.skip(f"{name} is no game: {error}")
    match = game.start(seed=seed, language=language)
    random = Random(seed)
    for _ in range(moves):
        if match.seat is not None:
            match.choose(random.randrange(len(match.options)))
    return match


@pytest.mark.parametrize("name", games())
def test_every_game_fits_every_terminal(name: str) -> None:
    match = played(name, 25, language="de")
    artist = Artist(stage_of(match), match.players)
    scene = scene_of(match, match.seat or 1)
    for columns in (24, 39, 79, 119):
        lines = artist.draw(scene, columns)
        lines += [] if scene.ask is None else menu_lines(scene.ask, columns, SAY)
        assert [line for line in lines if width(line) > columns] == []


@pytest.mark.parametrize("name", games())
def test_what_is_offered_can_be_found(name: str) -> None:
    """Places on boards are named in the picture, or by the letters and numbers at its margins."""
    match = played(name, 12)
    if match.seat is None:
        return
    text = drawn(match, seat=match.seat)
    words = set(text.replace(",", " ").replace(":", " ").split())
    ask = scene_of(match, match.seat).ask
    assert ask is not None
    parts = [part for option in ask.options for part in option.parts]
    offered = {touched.partition("/")[0] for part in parts for touched in part.touches}
    for place in stage_of(match).places:
        if place.id in offered and place.board is not None:
            letter, number = place.label[:1], place.label[1:]
            last = place.label.rpartition(" ")[2]
            assert place.label in text or {letter, number} <= words or last in words


def test_a_grid() -> None:
    match = load("tic_tac_toe").start(seed=1)
    for cell in ("b2", "a1", "c3"):
        match.choose(cell)
    assert drawn(match) == (
        "  a b c\n"
        "3 · · ● 3\n"
        "2 · ● · 2\n"
        "1 ○ · · 1\n"
        "  a b c\n"
        "○ ● = Mark   · = empty\n"
        "\n"
        "        ● Player 1 (you)  ▶ ○ Player 2\n"
        "supply  3 × Mark          4 × Mark\n"
        "\n"
        "▶ = plays now"
    )


def test_the_aim_is_on_the_table() -> None:
    match = load("tic_tac_toe").start(seed=1)
    artist = Artist(stage_of(match), match.players)
    first, *_ = artist.draw(scene_of(match, 1), 79)
    assert finished(first, color=False) == "The aim: Be the first to get three marks in a row."


def test_roles_have_letters_and_owners_capitals() -> None:
    text = drawn(load("chess").start(seed=1))
    assert "8 r n b q k b n r 8\n7 p p p p p p p p 7\n" in text
    assert "1 R N B Q K B N R 1" in text
    assert "K k = king   N n = knight" in text
    assert "CAPITALS Player 1, small Player 2" in text


def test_a_flag_shows() -> None:
    match = load("checkers").start(seed=1)
    man = match.interpreter.pos.contents[match.table.things("Square")[0]][0]
    match.interpreter.pos.slots["Man.king", man] = True
    text = drawn(match)
    assert "\n1 K · ● ·" in text
    assert "K = Man king" in text


def test_a_network() -> None:
    match = load("nine_mens_morris").start(seed=1)
    match.choose("place a7")
    text = drawn(match)
    assert text.startswith(
        "  a    b    c    d    e    f    g\n"
        "7 ●──────────────·──────────────·\n"
        "  │              │              │\n"
        "6 │    ·─────────·─────────·    │\n"
    )


def test_a_ring_with_what_belongs_to_it() -> None:
    text = drawn(played("pied_piper", 6))
    assert "House               1 " in text
    assert "After House 4 comes House 1 again." in text
    assert "\nfloor " in text
    assert "\nstreet on the left " in text
    assert "action deck: " in text


def test_a_picture_of_two_kinds_of_places() -> None:
    text = drawn(load("hameln").start(seed=1))
    (line,) = [line for line in text.splitlines() if line.startswith("9")]
    assert [word for word in ("bakery 1", "brewery 1", "·") if word in line]


def test_a_long_line_is_counted_from_where_it_begins() -> None:
    text = drawn(load("hameln").start(seed=1))
    assert "0 1 2 3 4 5 6 7 8 9 10 11 12" in text


def test_the_ground_of_a_grid() -> None:
    text = drawn(load("burg_appenzell").start(seed=1))
    assert "t = tower" in text
    assert "+----+" in text or "+---+" in text
    assert "hole" not in text, "what most fields are is not worth a letter"


def test_a_family_of_piles_with_its_table() -> None:
    text = drawn(load("little_realm").start(players=2, seed=1))
    assert "pile " in text
    assert "\nflorin: 40      treasure  3 " in text


def test_other_hands_are_counted_and_your_own_is_named() -> None:
    match = load("hearts").start(seed=7)
    text = drawn(match)
    assert "hand    13              13        13        13" in text
    assert "Your hand: 2♣, 6♣," in text
    assert "3♣" not in text


def test_the_last_card_of_a_deck_is_counted_like_many() -> None:
    match = load("pied_piper").start(seed=11, players=4)
    random = Random(2)
    artist = Artist(stage_of(match), match.players)
    while True:
        scene = attrs.evolve(scene_of(match, 1), happenings=(), ask=None)
        left = next(held.count for held in scene.contents if held.place == "characters")
        if left == 1:
            break
        match.choose(random.randrange(len(match.options)))
    assert "character deck: 1   " in "\n".join(map(plain, artist.draw(scene, 79, 14)))


def test_what_you_were_told_of_an_unknown_card_shows() -> None:
    match = load("hanabi").start(players=2, seed=1)
    while not (match.seat == 2 and any("Name" in choice.label for choice in match.options)):
        match.choose(0)
    clue = next(choice for choice in match.options if choice.label.startswith("Name a colour"))
    colour = clue.label.rpartition(" ")[2]
    match.choose(clue)
    assert f"Card ({colour})" in drawn(match, seat=1)


def test_the_menu_groups_by_action_and_first_part() -> None:
    ask = scene_of(load("chess").start(seed=1), 1).ask
    assert ask is not None
    lines = [finished(line, color=False) for line in menu_lines(ask, 79, SAY)]
    assert lines[0] == "Move:"
    assert lines[1].startswith("  b1 (knight) → 1) a3  2) c3 ")


WEDDINGS = """\
game weddings
    players 2

type Home = mill, inn

state left: 1..2 = 2

step setup
    set active = Player(1)

step play
    repeat
        choose "Who marries, and where?"
            wed

action wed(his in Player, hers in Player, home in Home) "Boy of {his}, girl of {hers}"
    require his != hers             "Of two families."
    require home = inn or left = 2  "That is taken."
    set left = 1
"""


def test_below_the_label_of_an_action_stands_what_it_does_not_tell() -> None:
    match = load_source(Source("weddings.rules", WEDDINGS), Library()).start(seed=1)
    assert _menu(match) == [
        "Boy of Player 1, girl of Player 2:",
        "  1) mill  2) inn",
        "Boy of Player 2, girl of Player 1:",
        "  3) mill  4) inn",
    ]
    match.choose(0)
    assert _menu(match) == [
        "Boy of Player 1, girl of Player 2:",
        "  1) inn",
        "Boy of Player 2, girl of Player 1:",
        "  2) inn",
    ]


def _menu(match: Match) -> list[str]:
    ask = scene_of(match, match.seat).ask
    assert ask is not None
    return [finished(line, color=False) for line in menu_lines(ask, 79, SAY)]


def test_many_fields_are_counted_not_listed() -> None:
    ask = scene_of(load("hex").start(seed=1), 1).ask
    assert ask is not None
    (line,) = [finished(line, color=False) for line in menu_lines(ask, 79, SAY)]
    assert line.startswith("Lay: 121 fields")
    assert len(menu_lines(ask, 79, SAY, everything=True)) > 10


def test_rows_of_hexagons_are_slanted() -> None:
    lines = drawn(load("hex").start(seed=1)).splitlines()
    # A cell's neighbours in the row above lie half a cell to its left and to its right.
    assert lines[1].startswith(" " * 10 + "╱ ·") and lines[1].endswith("· ╱ 11")
    assert lines[2].startswith(" " * 9 + "╱ ·") and lines[2].endswith("· ╱ 10")
    assert lines[13].split() == list("abcdefghijk")


def test_the_sides_of_players_are_drawn_with_their_signs() -> None:
    """Above and below the first player's, left and right the second's; not by colour alone."""
    lines = drawn(load("hex").start(seed=1)).splitlines()
    for edge in (lines[0], lines[12]):
        assert set(edge.split()) == {"━━━━━━━━━━●━━━━━━━━━━"}
    rows = [line.split() for line in lines[1:12]]
    assert [row[0] for row in rows] == ["╱"] * 5 + ["○"] + ["╱"] * 5
    assert [row[-2] for row in rows] == [row[0] for row in rows]
    assert any("● Player 1" in line and "○ Player 2" in line for line in lines[14:])
    narrow = drawn(load("hex").start(seed=1), 30)
    assert "━" not in narrow and "· 11" in narrow


@pytest.mark.parametrize("name", ["othello", "ratzentanz"])
def test_all_players_are_told_with_their_signs(name: str) -> None:
    """Also if nothing else is to say of them, or nothing of theirs is on the board."""
    match = played(name, 14)
    text = drawn(match)
    assert all(re.search(rf"[●○▲■◆] Player {seat}", text) for seat in range(1, match.players + 1))


def test_nobody_plays_when_the_game_is_over() -> None:
    match = played("tic_tac_toe", 20)
    assert match.result is not None
    assert "▶" not in drawn(match)


def test_what_a_label_says_is_not_said_again() -> None:
    lines = drawn(load("hameln").start(seed=1), 100).splitlines()
    assert any(line.split() == ["silver", "marker", "✓", *"––––––"] for line in lines)
    assert any(line.split() == ["rat", "trap", *"444"] for line in lines)
    assert "✓ = here" in lines[-1]
    assert "character card  character card" not in drawn(load("pied_piper").start(seed=1), 100)


def test_places_with_nothing_in_them_take_one_line() -> None:
    assert "\nfirework: –\n" in f"\n{drawn(load('hanabi').start(seed=1), 30)}"


def test_what_piles_cost_is_told_however_narrow_it_is() -> None:
    match = load("little_realm").start(seed=1)
    assert "crown: 30 (treasure, cost 6, coins 3)" in drawn(match, 39)
    assert re.search(r"crown: 30 +treasure 6 +3\n", drawn(match, 62))


def test_a_die_is_what_it_shows() -> None:
    match = load("backgammon").start(seed=5)
    cup = re.search(r"cup: (.*)", drawn(match))
    assert cup is not None and re.fullmatch("[1-6], [1-6]", cup[1])
    told = [each.text for each in scene_of(played("backgammon", 5), 1, 0).happenings if each.text]
    assert any(re.fullmatch(r"Rolled: [1-6], [1-6]\.", text) for text in told)


def test_menus_do_not_say_of_everything_whose_it_is() -> None:
    match = load("glass_garden").start(seed=1)
    ask = scene_of(match, match.seat).ask
    assert ask is not None and match.seat is not None
    mine, others = (
        "\n".join(menu_lines(ask, 79, SAY, chooser=f"Player {seat}"))
        for seat in (match.seat, match.seat % match.players + 1)
    )
    assert "(Player" not in mine and f"(Player {match.seat})" in others


def test_a_board_without_edges_is_cropped_to_what_is_there() -> None:
    lines = drawn(load("canals").start(seed=1)).splitlines()
    assert lines[0].split() == list("nop")
    assert "╬" in lines[2] and lines[2].startswith("15")


def test_boards_of_players_stand_side_by_side() -> None:
    lines = drawn(load("glass_garden").start(seed=1)).splitlines()
    assert "window (Player 1)" in lines[0] and "window (Player 2)" in lines[0]


def test_edges_of_a_map_are_listed_with_what_the_rules_say() -> None:
    text = drawn(load("mail_roads").start(seed=1))
    assert "harbour–castle (3, bay)" in text


def test_what_has_just_changed_is_marked() -> None:
    match = load("chess").start(seed=1)
    told = scene_of(match, 2).told
    match.choose("e2 e4")
    artist = Artist(stage_of(match), 2)
    text = "\n".join(
        finished(line, color=False) for line in artist.draw(scene_of(match, 2, told), 79)
    )
    assert "4 · · · ·[P]· · · 4" in text


def test_of_several_in_a_place_those_are_marked_that_came() -> None:
    match = load("sushi_draft").start(seed=5, players=3)
    while not any(len(held.pieces) > 1 for held in _tables(match)):
        match.choose(0)
    seen = scene_of(match, 1).told
    before = {held.place: {p.label for p in held.pieces} for held in _tables(match)}
    come: set[str] = set()
    while match.seat is not None and not come:
        match.choose(len(match.options) - 1)
        for held in _tables(match):
            come |= {p.label for p in held.pieces} - before.get(held.place, set())
    artist = Artist(stage_of(match), match.players)
    lines = artist.draw(scene_of(match, 1, seen), 119)
    (row,) = (text for line in lines if (text := finished(line, color=False)).startswith("table "))
    assert come and all(f"{label}*" in row for label in come)
    assert row.count("*") < sum(len(held.pieces) for held in _tables(match))


def _tables(match: Match) -> list[Contents]:
    return [held for held in scene_of(match, 1).contents if held.place.startswith("table")]


def test_pieces_of_others_are_named_among_ones_own() -> None:
    """`2 × Chip, Player 2` would be a riddle."""
    match = load("kuhn_poker").start(seed=1)
    match.choose("Bet")
    while match.seat is not None:
        match.choose(0)
    text = drawn(match)
    assert "Chip (Player " in text


@pytest.mark.parametrize("name", games())
def test_every_line_of_a_map_is_drawn_where_there_is_room(name: str) -> None:
    assert "Also joined" not in drawn(played(name, 8), 99)


@pytest.mark.parametrize("name", games())
def test_no_sign_means_two_things(name: str) -> None:
    match = played(name, 0)
    names = short_names(stage_of(match), match.players)
    signs = [*names.bodies.values(), *names.values.values()]
    assert len({sign.upper() for sign in signs}) == len(signs)


def _luminance(rgb: tuple[int, int, int]) -> float:
    parts = [c / 255 / 12.92 if c <= 10 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in rgb]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


@pytest.mark.parametrize("depth", ["few", "256", "all"])
def test_colours_can_be_read_on_dark_and_light(depth: Depth) -> None:
    for name, rgb in shades(depth).items():
        light = _luminance(rgb)
        assert (light + 0.05) / 0.05 >= 4.5, f"{name} on black"
        assert 1.05 / (light + 0.05) >= 4.5, f"{name} on white"


# ------------------------------------------------------------------ words in columns


def test_wrapping_keeps_columns_apart() -> None:
    text = "  hint    a suggestion and its chances"
    assert wrap(text, 24, "      ") == ["  hint    a suggestion", "      and its chances"]
    assert wrap("one   two", 5, " ") == ["one", " two"]


def test_wrapping() -> None:
    assert wrap("one two three", 8, "  ") == ["one two", "  three"]
    assert wrap("  one two three", 9, "    ") == ["  one two", "    three"]
    assert wrap("extraordinary", 6) == ["extrao", "rdinar", "y"]
    assert wrap("", 6) == [""]
    assert wrap("a  b", 6) == ["a  b"]


def test_styles_take_no_room() -> None:
    text = styled("two words", "bold")
    assert width(text) == 9
    assert finished(text, color=False) == "two words"
    assert finished(text, color=True) == "\x1b[1mtwo\x1b[0m \x1b[1mwords\x1b[0m"
    assert wrap(text, 5) == [styled("two", "bold"), styled("words", "bold")]


def test_wide_letters_take_two_columns() -> None:
    assert width("日本") == 4
    assert width("é") == 1
    assert cut("日本語", 5) == "日本…"


def test_shortened_names_keep_their_numbers() -> None:
    assert short("influence house 3", 6) == "influ3"
    assert short("dairy 1", 7) == "dairy 1"
    assert short("barn", 3) == "ba…"


def test_shortened_names_stay_apart() -> None:
    names = ["inn", "front gate", "front door", "influence house 1", "influence house 2"]
    called = shortened(names, 6)
    assert called["inn"] == "inn"
    assert called["front gate"] == "front…"
    assert called["influence house 2"] == "influ2"
    assert len(set(called.values())) == len(names)
    assert stems(called) == {
        "front…": "front gate",
        called["front door"]: "front door",
        "influ": "influence house",
    }


def test_a_map_tells_what_its_shortened_names_mean() -> None:
    text = drawn(load("hameln").start(seed=1, language="de"), 62)
    assert re.search(r"Schla\w*1", text) and re.search(r"Schla\w* = Schlachterei", text)
    assert "Einfluss1" in text or re.search(r"Einf\w* = Einfluss", text)
    assert "Molkerei = " not in text


def test_names_take_the_room_of_empty_neighbours() -> None:
    """So they are the same on every screen, and in the menu and the log."""
    match = load("ratzentanz").start(seed=1)
    for columns in (79, 62, 39):
        text = drawn(match, columns)
        for name in ("nest 1", "canal 2", "stair 3", "inn 4", "bakery", "cellar"):
            assert re.search(rf"(?<!\S){name}\b", re.sub("[─│╭╮╰╯╱╲·]", " ", text)), name


def test_a_map_stays_whole_where_much_lies_in_one_place() -> None:
    match = load("ratzentanz").start(seed=1)
    scene = scene_of(match, 1)
    rat = next(piece for held in scene.contents for piece in held.pieces if piece.kind == "Rat")
    (card, *_) = next(held.pieces for held in scene.contents if held.place == "barn")
    loaded = tuple(attrs.evolve(rat, owner=owner, inside=(card,)) for owner in (1, 2))
    for place in ("e10", "inn1"):
        full = attrs.evolve(scene, contents=(*scene.contents, Contents(place, 2, loaded)))
        lines = Artist(stage_of(match), match.players).draw(full, 62)
        text = "\n".join(finished(line, color=False) for line in lines)
        assert "●+G" in text and "▲+G" in text
        assert text.count("13 ") == 1 and "canal 1" in text


def test_flowing() -> None:
    assert flow(["aa", "bb", "cc"], 6, "  ") == ["aa  bb", "  cc"]
    assert in_columns(["a", "bbb", "c"], 8) == ["a    bbb", "c"]


def test_initials_are_unlike() -> None:
    roles = ["king", "queen", "rook", "bishop", "knight", "pawn"]
    assert list(initials(roles).values()) == ["K", "Q", "R", "B", "N", "P"]
    many = [f"aa{'b' * number}" for number in range(1, 30)]
    assert len(set(initials(many).values())) == len(many)
    assert initials(["1", "2", "A"]) == {"1": "1", "2": "2", "A": "A"}


def test_where_some_need_two_letters_none_has_one_from_within() -> None:
    """Gouda beside roofs called by letters is not `U`, Tilsit not `I` beside the traps."""
    found = short_names(stage_of(load("burg_appenzell").start(seed=1)), 4)
    bodies = {label: code for (_, label), code in found.bodies.items()}
    assert bodies["Gouda"] == "Go" and bodies["Tilsit"] == "Ti" and bodies["Stilton"] == "S"
    men = short_names(stage_of(load("chess").start(seed=1)), 2)
    assert men.bodies["Man", "knight"] == "N"


def test_texts_of_others_are_made_safe() -> None:
    assert "\x1b" not in safe("\x1b[2J\ue000")
    assert safe("a\n  b") == "a b"


def test_a_table_of_words() -> None:
    rows = [Row("first", ("one", "two")), Row("none", ("", "")), Row("last", ("", "a b c"))]
    assert table_lines(["A", "B"], rows, 79) == [
        "       A    B",
        f"{styled('first', 'dim')}  one  two",
        f"{styled('last', 'dim')}        a b c",
    ]


def test_names_beside_a_table_stay_whole_where_heads_can_be_broken() -> None:
    rows = [Row("mice outside", ("3", "3", "3")), Row("cheeses", ("0 of 4", "1 of 4", "2 of 4"))]
    lines = table_lines(["Player 1 (you)", "Player 2", "Player 3"], rows, 33)
    assert [finished(line, color=False) for line in lines] == [
        "                mice      cheeses",
        "                outside",
        "Player 1 (you)  3         0 of 4",
        "Player 2        3         1 of 4",
        "Player 3        3         2 of 4",
    ]


def test_a_wide_table_is_cut_into_bands_and_a_narrow_one_is_a_list() -> None:
    head = [f"column number {n}" for n in range(8)]
    rows = [Row("label", tuple("x" * 15 for _ in head))]
    assert all(width(line) <= 79 for line in table_lines(head, rows, 79))
    assert len(table_lines(head, rows, 79)) == 4
    narrow = [finished(line, color=False) for line in table_lines(head, rows, 39)]
    assert narrow[0] == f"column number 0: label: {'x' * 15}"


SHEET = """\
game sheet "Sheet"
    players 2

piece Cross 9 in cup
place cup of Cross
place Field per Player grid 3 by 2 of Cross room 1
    map value
        3 ~ 12
        1 2 3

step play
    set active = Player(1)
    move 1 from cup to Field(Player(1), 1, 1)
    choose field in Field where field.value != none "Where?"
    move 1 from cup to field
"""


def test_the_only_numbers_of_a_grid_are_printed_on_its_fields(tmp_path: Path) -> None:
    file = tmp_path / "sheet.rules"
    file.write_text(SHEET, encoding="utf-8")
    rows = drawn(ruledsl.load(str(file)).start(seed=1), seat=2).splitlines()
    second = rows.index(next(row for row in rows if row.startswith("2 ")))
    assert rows[second].split("2 ", 1)[1].split() == ["3", "·", "12", "2", "2", "3", "·", "12", "2"]
    assert "1–12 = value" in "\n".join(rows)
    one = SHEET.replace(
        "    map value", "    map cost\n        0 0 0\n        0 0 0\n    map value"
    )
    file.write_text(one, encoding="utf-8")
    assert "= value" not in drawn(ruledsl.load(str(file)).start(seed=1)), "which of the two?"


def menu(match: Match) -> list[str]:
    assert match.seat is not None
    ask = scene_of(match, match.seat).ask
    assert ask is not None
    return [finished(line, color=False) for line in menu_lines(ask, 79, SAY)]


def test_what_is_typed_as_a_number_has_no_other_before_it(tmp_path: Path) -> None:
    file = tmp_path / "bids.rules"
    file.write_text(BIDS.replace("0..9", "0..80"), encoding="utf-8")
    match = ruledsl.load(str(file)).start(2, seed=1)
    shown = menu(match)
    assert shown == ["  Bid 3 – Bid 80  Pass"]
    match.choose("bid 40")
    assert menu(match) == ["  4  5  6  7  8  none"]
    match.choose("none")
    assert menu(match) == ["  Bid 41 – Bid 80  Pass"]


def test_where_all_go_to_one_place_each_is_told_with_its_way() -> None:
    """A place alone could be where a mouse stands or where it goes."""
    match = load("burg_appenzell").start(3, seed=4)
    random = Random(4)
    seen = set()
    for _ in range(120):
        if match.seat is None:
            break
        shown = "\n".join(menu(match))
        found = re.search(r"^Run:\n(?:  \S.*\n?)+", shown, re.MULTILINE)
        if found:
            assert "→" in found[0], shown
            seen.add(found[0].count("→"))
        match.choose(random.randrange(len(match.options)))
    assert len(seen) > 1
