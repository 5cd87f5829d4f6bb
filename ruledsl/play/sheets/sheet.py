"""A game on a sheet: what there is, who sees it, set-up, turn, actions, what happens, the end.

Everything follows from the rules. A sheet is sections of lines; whoever prints it wraps them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import attrs

from ruledsl.model.game import CheckedGame
from ruledsl.play.sheets.book import Book
from ruledsl.play.sheets.components import Components
from ruledsl.play.sheets.context import SheetContext, context_of
from ruledsl.play.sheets.course import Course
from ruledsl.play.sheets.definitions import Definitions
from ruledsl.play.sheets.ending import Ending
from ruledsl.play.sheets.entries import Entry, Section, joined
from ruledsl.play.sheets.offers import Offers
from ruledsl.play.sheets.places import Places
from ruledsl.play.sheets.set_up import SetUp
from ruledsl.play.sheets.values import Values
from ruledsl.texts import sheets
from ruledsl.texts.commands import Topic


@attrs.frozen
class Sheet:
    """A game on a sheet."""

    title: str
    subtitle: str
    sections: tuple[Section, ...]


def sheet_of(
    game: CheckedGame,
    language: str,
    players: Iterable[int],
    variants: Iterable[tuple[str, str]],
    *,
    full: bool = False,
    example: bool = True,
) -> Sheet:
    """The sheet of a game for some numbers of players; variants come with their titles.

    The rules are those of its book in their words. Where there is none, or for a full sheet, they
    are told as they are written in the file. Unless it is for comparing, it has an example of how
    the table looks after set-up.
    """
    context = context_of(game, language, tuple(players))
    book = Book(context)
    told = tuple(book.sections())
    sections = [
        *_before(context, book, Offers(context, tuple(variants))),
        *_told(context, told, full=full),
        Section(context.phrase(sheets.ASSUMED), tuple(book.assumptions())),
    ]
    if full or not told:
        sections += _derived(context, book, example=example)
    filled = tuple(section for section in joined(sections) if section.entries)
    return Sheet(context.words.title(), _subtitle(context, book), filled)


def outcome_of(game: CheckedGame, language: str, topic: Topic) -> tuple[Entry, ...]:
    """How one wins, or how the game ends: in the words of the rulebook, else as the file says."""
    context = context_of(game, language, ())
    return tuple(Ending(context, Book(context), Course(context)).outcome(topic))


def _subtitle(context: SheetContext, book: Book) -> str:
    numbers = context.numbers(tuple(context.tables))
    one = numbers == "1"
    players = context.phrase(sheets.ONE_PLAYER if one else sheets.PLAYERS, number=numbers)
    return ". ".join(part for part in (players, book.names()) if part)


def _before(context: SheetContext, book: Book, offers: Offers) -> Iterator[Section]:
    yield Section(context.phrase(sheets.AIM), tuple(book.aim()))
    yield Section(context.phrase(sheets.OPTIONS), tuple(offers.options()))
    yield Section(context.phrase(sheets.VARIANTS), tuple(offers.variants()))


def _told(context: SheetContext, told: tuple[Section, ...], *, full: bool) -> Iterator[Section]:
    """What the book says, after what is in the box, which is told in any case."""
    title = context.phrase(sheets.COMPONENTS)
    box = tuple(entry for section in told if section.title == title for entry in section.entries)
    yield Section(title, tuple(Components(context).after(box, full=full)))
    yield from (section for section in told if section.title != title)


def _derived(context: SheetContext, book: Book, *, example: bool) -> Iterator[Section]:
    """What the file says."""
    course = Course(context)
    parts = (
        (sheets.PLACES, Places(context).entries()),
        (sheets.VALUES, Values(context).entries()),
        (sheets.WORDS, Definitions(context).entries()),
        (sheets.SET_UP, SetUp(context, course).entries(example=example)),
        (sheets.TURN, course.turn()),
        (sheets.ACTIONS, course.actions()),
        (sheets.TRIGGERS, course.triggers()),
        (sheets.END, Ending(context, book, course).entries()),
    )
    return (Section(context.phrase(title), tuple(entries)) for title, entries in parts)
