"""The games that are measured, and under which name OpenSpiel has the same game."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import attrs

from ruledsl.table.things import Value

OTHERS = Path(__file__).parent / "games"
"""Games that OpenSpiel has and we don't ship, written from the rules before they were measured."""


@attrs.frozen
class Theirs:
    """A game of OpenSpiel, with the parameters that bring it closest to ours."""

    game: str
    opening: tuple[str, ...] = ()
    """chance outcomes at the start that our rules leave no choice about"""


@attrs.frozen
class Entry:
    """A game at a table of so many players."""

    name: str
    players: int = 2
    options: Mapping[str, Value | str] = attrs.Factory(dict)
    theirs: Theirs | None = None
    differs: str = ""
    """what still differs from OpenSpiel's rules"""
    shipped: bool = True
    """whether it is one of our games, or was written in `bench/games/` for comparison alone"""
    shown: str = ""
    """how it is called in the table, if not by its name"""

    @property
    def title(self) -> str:
        return self.shown or self.name

    @property
    def source(self) -> str:
        """What commands and `load` are given."""
        return self.name if self.shipped else str(OTHERS / f"{self.name}.rules")


ENTRIES = (
    Entry("tic_tac_toe", theirs=Theirs("tic_tac_toe")),
    Entry("connect_four", theirs=Theirs("connect_four")),
    Entry("breakthrough", theirs=Theirs("breakthrough(rows=8,columns=8)")),
    Entry("othello", theirs=Theirs("othello")),
    Entry("hex", options={"size": 11}, theirs=Theirs("hex(board_size=11)")),
    Entry(
        "checkers",
        theirs=Theirs("checkers"),
        differs="theirs is drawn after 40 moves without a capture, ours after 80 in which only "
        "kings move",
    ),
    Entry(
        "chess",
        theirs=Theirs("chess"),
        differs="a promotion is part of the move in theirs, a choice of its own in ours",
    ),
    Entry(
        "nine_mens_morris",
        theirs=Theirs("nine_mens_morris"),
        differs="theirs is drawn after 200 turns, ours at the third repetition or after 1000 "
        "choices",
    ),
    Entry(
        "backgammon",
        theirs=Theirs("backgammon"),
        differs="theirs moves two men in one choice, ours one",
    ),
    # OpenSpiel plays a single deal and draws where cards are passed to; our first deal passes left.
    Entry(
        "hearts",
        players=4,
        options={"goal": 1},
        theirs=Theirs("hearts(qs_breaks_hearts=False)", opening=("Left",)),
    ),
    Entry(
        "crazy_eights",
        players=5,
        theirs=Theirs("crazy_eights(players=5,max_draw_cards=1,reshuffle=True,max_turns=2000)"),
        differs="theirs is cut off after 2000 cards played, ours after 2000 choices; theirs never "
        "begins with an eight",
    ),
    Entry(
        "pig",
        theirs=Theirs("pig(players=2,horizon=20000)"),
        differs="in theirs one may hold without having thrown, and must hold with enough points",
    ),
    Entry(
        "go",
        options={"size": 9, "komi": 7},
        theirs=Theirs("go(board_size=9,komi=7.5,max_game_length=324)"),
        differs="theirs ends at any repetition, ours knows simple ko only; at 324 moves theirs is "
        "counted, ours drawn",
    ),
    Entry("kuhn_poker", theirs=Theirs("kuhn_poker(players=2)")),
    Entry("hanabi", players=4, theirs=Theirs("hanabi(players=4,random_start_player=True)")),
    # OpenSpiel's euchre is a single deal, ours is played to ten points: not to be compared.
    Entry("euchre", players=4),
    Entry("love_letter", players=4),
    Entry("sushi_draft", players=4),
    Entry("little_realm", players=4),
    Entry("hamlet", players=4),
    Entry("pied_piper", players=4),
    Entry("hameln", players=4),
    Entry("burg_appenzell", players=4),
    Entry("ratzentanz", players=4),
)

UNTUNED = (
    Entry("leduc_poker", theirs=Theirs("leduc_poker"), shipped=False),
    Entry("liars_dice", theirs=Theirs("liars_dice"), shipped=False),
    Entry("y_game", options={"size": 9}, theirs=Theirs("y(board_size=9)"), shipped=False),
    Entry(
        "y_game",
        options={"size": 19},
        theirs=Theirs("y(board_size=19)"),
        shipped=False,
        shown="y_game 19",
    ),
    Entry("havannah", options={"size": 4}, theirs=Theirs("havannah(board_size=4)"), shipped=False),
    Entry("quoridor", options={"size": 5}, theirs=Theirs("quoridor(board_size=5)"), shipped=False),
    Entry("pentago", theirs=Theirs("pentago"), shipped=False),
    Entry("oware", theirs=Theirs("oware"), shipped=False),
    Entry("lines_of_action", theirs=Theirs("lines_of_action"), shipped=False),
    Entry("clobber", theirs=Theirs("clobber(rows=5,columns=6)"), shipped=False),
    Entry("mancala", theirs=Theirs("mancala"), shipped=False),
)
