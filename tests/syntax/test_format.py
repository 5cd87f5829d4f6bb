"""The canonical layout: what it looks like, and that it is stable."""

from pathlib import Path
from textwrap import dedent

import pytest

from ruledsl.diagnostics.source import Source
from ruledsl.syntax.format import WIDTH, format_file
from ruledsl.syntax.parser import parse

from .samples import EXAMPLES, FILES


def formatted(text: str) -> str:
    return format_file(parse(Source("test", text)))


def becomes(before: str, after: str) -> None:
    """The first text is formatted to the second, which stays as it is."""
    wanted = dedent(after).lstrip("\n")
    assert formatted(dedent(before).lstrip("\n")) == wanted
    assert formatted(wanted) == wanted


def stays(text: str) -> None:
    becomes(text, text)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_examples_are_in_canonical_layout(path: Path) -> None:
    text = path.read_text("utf-8")
    assert formatted(text) == text


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_stable_and_faithful(path: Path) -> None:
    parsed = parse(Source(path.name, path.read_text("utf-8")))
    text = format_file(parsed)
    again = parse(Source(path.name, text))
    assert again.file == parsed.file
    assert [c.text for c in again.comments] == [c.text for c in parsed.comments]
    assert format_file(again) == text
    assert not any(line != line.rstrip() for line in text.split("\n"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_the_source_layout_does_not_matter(path: Path) -> None:
    text = path.read_text("utf-8")
    lines = [line if line.lstrip().startswith("#") else squeezed(line) for line in text.split("\n")]
    assert formatted("\n".join(lines)) == text


def squeezed(line: str) -> str:
    """Half the indentation, and single blanks outside texts and comments."""
    code, sharp, comment = line.partition("#")
    indent = (len(code) - len(code.lstrip())) // 2
    parts = code.split('"')
    parts[::2] = [" ".join(part.split()).join(edges(part)) for part in parts[::2]]
    return " " * indent + '"'.join(parts).strip() + (f" {sharp}{comment}" if sharp else "")


def edges(part: str) -> tuple[str, str]:
    return (" " if part.startswith(" ") else "", " " if part.endswith(" ") else "")


def test_a_file_with_mistakes_is_refused() -> None:
    with pytest.raises(ValueError, match="mistakes"):
        formatted("foo\n")


def test_tables_and_their_ends_are_aligned() -> None:
    becomes(
        """
        piece Card in deck | count | houses §PP-1
          forward | 14 | 1 §PP-2 # the first
          plus_one | green + 3 | none assumed
        """,
        """
        piece Card in deck | count     | houses         §PP-1
            forward        | 14        | 1              §PP-2  # the first
            plus_one       | green + 3 | none           assumed
        """,
    )


def test_rows_are_aligned_with_a_long_first_line() -> None:
    stays(
        """
        piece Marker 1 per Player in marker_box | count | rats
            one                                 | 5
            also                                | 19    | 2
        """
    )


def test_rows_are_aligned_without_a_first_line_that_is_too_long() -> None:
    stays(
        """
        piece Marker_of_somebody 1 per Player in the_box_of_markers_for_all_players | count | rats
            one  | 5
            also | 19 | 2
        """
    )


def test_maps_and_paths() -> None:
    becomes(
        """
        place Point network of Man
          a - b-c
          map
            a ~ long # north
            ~ 12 c
        """,
        """
        place Point network of Man
            a - b - c
            map
                a ~  long                               # north
                ~ 12 c
        """,
    )


def test_messages_are_aligned_in_a_run() -> None:
    becomes(
        """
        action a
            require x "One."
            require longer(x) "Two." §PP-2
            if y
                require z "Three."
            require x.is_a_condition_that_is.too_long.to_be_aligned(with_the, others) "Four."
            require y "Five."
        """,
        """
        action a
            require x           "One."
            require longer(x)   "Two."                                          §PP-2
            if y
                require z   "Three."
            require x.is_a_condition_that_is.too_long.to_be_aligned(with_the, others)  "Four."
            require y   "Five."
        """,
    )


def test_one_margin_in_a_block_with_citations() -> None:
    becomes(
        """
        step a §PP-1
            skip # one
            let x = a_long_name.with_a_part.and_another_part.and_a_last_part.indeed §PP-2
        step b
            skip # two
        """,
        """
        step a                                                                  §PP-1
            skip                                                                # one
            let x = a_long_name.with_a_part.and_another_part.and_a_last_part.indeed     §PP-2
        step b
            skip                                                                # two
        """,
    )
    stays(
        """
        step b
            skip                                        # two
        """
    )


def test_one_line_declarations_share_the_nearest_margin() -> None:
    becomes(
        """
        define a = 1 # one
        define b = first(x in a_place where x.value = 3) # two

        define c = 3 # three
        """,
        """
        define a = 1                                                            # one
        define b = first(x in a_place where x.value = 3)                        # two

        define c = 3                                    # three
        """,
    )


def test_blank_lines_are_kept_within_limits() -> None:
    becomes(
        """


        define a = 1



        define b = 2
        step c

            skip


            skip

            # end



        # behind
        """,
        """
        define a = 1


        define b = 2
        step c
            skip

            skip

            # end


        # behind
        """,
    )


def test_comments_stay_in_their_block() -> None:
    stays(
        """
        # above
        step a
            # first
            if x
                skip
                # in the branch
            # before the other
            else
                skip
            # after the branches

        # before b
        define b = 1
        """
    )


def test_comments_inside_a_broken_line_go_above_it() -> None:
    becomes(
        """
        define before = 0
        define a = f( # one
            x, # two
            y) # three
        """,
        """
        define before = 0
        # one
        # two
        define a = f(x, y)                              # three
        """,
    )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("((a))", "a"),
        ("(a + b) + c", "a + b + c"),
        ("a + (b + c)", "a + (b + c)"),
        ("(a * b) + (c mod d)", "a * b + c mod d"),
        ("a - (b - c)", "a - (b - c)"),
        ("(a or b) and c", "(a or b) and c"),
        ("a or (b and c)", "a or b and c"),
        ("not (a = b)", "not a = b"),
        ("(not a) = b", "(not a) = b"),
        ("not (a and b)", "not (a and b)"),
        ("-(-a)", "--a"),
        ("-(a.b)", "-a.b"),
        ("(-a).b", "(-a).b"),
        ("(if a then b else c) + 1", "(if a then b else c) + 1"),
        ("if a then b else (if c then d else e)", "if a then b else if c then d else e"),
        ("if a then (if b then c else d) else e", "if a then (if b then c else d) else e"),
        ("f((a), (b = c))", "f(a, b = c)"),
        ("{(a), (b in c)}", "{a, (b in c)}"),
        ("count((x in S))", "count((x in S))"),
        ("(1..3)", "1..3"),
        ("a in (1..3)", "a in 1..3"),
        ("f(   )", "f()"),
        ("{ }", "{}"),
        ("case (a) of (b: (c), else: (d))", "case a of (b: c, else: d)"),
    ],
)
def test_brackets(before: str, after: str) -> None:
    assert formatted(f"define x = {before}\n") == f"define x = {after}\n"


def test_long_queries_are_broken_at_their_words() -> None:
    becomes(
        """
        define can_jump(m: Man) = any(d in m.ways where victim(m, d).owner = m.owner.next and empty(landing(m, d)))
        """,  # noqa: E501
        """
        define can_jump(m: Man) = any(
            d in m.ways
            where victim(m, d).owner = m.owner.next and empty(landing(m, d)))
        """,
    )


def test_long_operations_get_brackets() -> None:
    becomes(
        """
        step a
            set x = the_first_rather_long_name + the_second_rather_long_name - the_third_rather_long_name * 3
            if the_first_rather_long_name = 3 or the_second_rather_long_name = 4 and the_third_name = 5 or xyz
                skip
            let y = if the_first_rather_long_name then the_second_rather_long_name else the_third_long_name_too
        """,  # noqa: E501
        """
        step a
            set x = (
                the_first_rather_long_name
                + the_second_rather_long_name
                - the_third_rather_long_name * 3)
            if (
                    the_first_rather_long_name = 3
                    or the_second_rather_long_name = 4 and the_third_name = 5
                    or xyz)
                skip
            let y = (
                if the_first_rather_long_name then the_second_rather_long_name
                else the_third_long_name_too)
        """,
    )


def test_long_sets_are_filled() -> None:
    names = ", ".join(f"place_{number}" for number in range(30))
    lines = formatted(f"define x = {{{names}}}\n").split("\n")
    assert len(lines) == 6
    assert all(len(line) <= WIDTH for line in lines)
    assert lines[0] == "define x = {"
    assert lines[1].startswith("    place_0, place_1, ")


def test_the_end_of_a_broken_line_holds_its_message_and_marks() -> None:
    becomes(
        """
        action marry
            require any(x in hall(boy), y in hall(girl), h in House where x.owner != y.owner and empty(h)) "No." §HA-2
            skip §HA-3
        """,  # noqa: E501
        """
        action marry
            require any(
                x in hall(boy), y in hall(girl), h in House
                where x.owner != y.owner and empty(h))  "No."                   §HA-2
            skip                                                                §HA-3
        """,
    )


def test_everything_else_on_one_line() -> None:
    stays(
        """
        game go "Go"
            players 2..4
            rulebook GO 1..20 "Rules"                   §GO-1
            limit 300 decisions                         assumed

        variant small of go, other "Small"

        use cards, dice
        remove Card.joker, draw
        option size in 5..19 = 9 "Size"
        type Stride per came: Field, at: Field, face of Card
        place hand per Player of Card stack room 2 seen when viewer != here.player
        place Cell grid size by size of Man, Stone uncounted refilled from discard private
        state Card.due: 0..2 = 0 clamped hidden each turn
        state used: set of Spot = {}
        state runner: Man or none
        history board of Point, active
        extend type Suit = stars

        replace step a(b: Card, c: 1..3) "Title"
            choose up to 2 x in S where y by p "Now"
                require x   "No."
            else skip
            choose by p
                jump(m: runner)
                action stop "Stop"
                    end loop
            else
                skip
            repeat 3 times while x
                move 2 from a to b at bottom
            for x in S, y in T where c highest e
                put a, b in c

        trigger t(x in S) after a, b
            when x
            win p

        ranking p in playing
            highest p.score
            payoff p.score in 0..25

        test "a"
            players 3
            with goal = 5
            given
                skip
            when turn(x)
                roll 4
                refuse place(x) "No."
            then
                x = 3

        language de
            Card.melody "Melodie"
            "No." "Nein."
        """
    )
