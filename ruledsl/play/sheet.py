"""A game on a sheet: what there is, who sees it, set-up, turn, actions, what happens, the end.

Everything follows from the rules. A sheet is sections of lines; whoever prints it wraps them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

import attrs

from ruledsl.model import core
from ruledsl.model.coverage import coverage
from ruledsl.model.game import (
    ActionInfo,
    CheckedGame,
    EdgesShape,
    FamilyShape,
    GridShape,
    Kind,
    LineShape,
    NetworkShape,
    PlaceInfo,
    RingShape,
    StateInfo,
    TableShape,
    TriggerInfo,
)
from ruledsl.model.giving import is_given
from ruledsl.model.rule_texts import OWN
from ruledsl.model.types import FlagType, NumberType, SetType
from ruledsl.model.walk import walk
from ruledsl.play.chance import Dice, Generator
from ruledsl.play.inflection import fixed
from ruledsl.play.interpreter import Interpreter
from ruledsl.play.prose import Prose, Sentence, begun, ended
from ruledsl.play.words import Words
from ruledsl.syntax import ast
from ruledsl.syntax.parser import parse
from ruledsl.table.table import Table
from ruledsl.table.things import Thing
from ruledsl.texts import sheets
from ruledsl.texts.commands import Topic
from ruledsl.texts.text import Phrases

SIGHTS = {"open": sheets.OPEN, "hidden": sheets.HIDDEN, "private": sheets.PRIVATE}
STATE_SIGHTS = {"hidden": sheets.STATE_HIDDEN, "private": sheets.STATE_PRIVATE}
TYPES = {"flag": sheets.FLAG, "number": sheets.NUMBER}
WAYS = {"highest": sheets.HIGHEST, "lowest": sheets.LOWEST}
TIED = {"highest": sheets.HIGHEST_OF_TIED, "lowest": sheets.LOWEST_OF_TIED}

MOST_PLACES = 6
"""Places that are named one by one."""
MOST_CHOICES = 500
"""Choices in set-up after which it is left as it is."""


@attrs.frozen
class Entry:
    """A line of a section: a bold head, or text under it."""

    text: str
    depth: int = 0
    head: bool = False
    trail: ast.Trail = ()


@attrs.frozen
class Section:
    title: str
    entries: tuple[Entry, ...]


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
    return _Writer(game, language, tuple(players), tuple(variants), full, example).sheet()


def outcome_of(game: CheckedGame, language: str, topic: Topic) -> tuple[Entry, ...]:
    """How one wins, or how the game ends: in the words of the rulebook, else as the file says."""
    return tuple(_Writer(game, language, (), (), full=False, example=False).outcome(topic))


class _Writer:
    def __init__(
        self,
        game: CheckedGame,
        language: str,
        players: tuple[int, ...],
        variants: tuple[tuple[str, str], ...],
        full: bool,
        example: bool,
    ) -> None:
        self.full = full
        self.game = game
        self.example = example
        self.words = Words(game, language)
        self.phrase = Phrases(language)
        self.prose = Prose(self.words)
        self.telling = self.prose.telling
        self.tables = {number: Table(game, number) for number in players}
        self.variants = variants

    def sheet(self) -> Sheet:
        material = (
            (sheets.AIM, self._aim()),
            (sheets.OPTIONS, self._options()),
            (sheets.VARIANTS, self._variants()),
        )
        derived = (
            (sheets.PLACES, self._places()),
            (sheets.VALUES, self._values()),
            (sheets.WORDS, self._definitions()),
            (sheets.SET_UP, self._set_up()),
            (sheets.TURN, self._turn()),
            (sheets.ACTIONS, self._actions()),
            (sheets.TRIGGERS, self._triggers()),
            (sheets.END, self._end()),
        )
        sections = [Section(self.phrase(title), tuple(entries)) for title, entries in material]
        book = tuple(self._rulebook())
        title = self.phrase(sheets.COMPONENTS)
        told = [entry for section in book if section.title == title for entry in section.entries]
        sections.append(Section(title, tuple(self._components(told))))
        sections += [section for section in book if section.title != title]
        sections += self._assumptions()
        if self.full or not book:
            sections += [Section(self.phrase(title), tuple(entries)) for title, entries in derived]
        filled = tuple(section for section in _joined(sections) if section.entries)
        return Sheet(self.words.title(), self._subtitle(), filled)

    def _subtitle(self) -> str:
        numbers = self._numbers(tuple(self.tables))
        one = numbers == "1"
        players = self.phrase(sheets.ONE_PLAYER if one else sheets.PLAYERS, number=numbers)
        books = ", ".join(
            f"{self.words.text(book.title or book.prefix)} "
            f"(§{book.prefix}-{book.first} – {book.last})"
            for book in self.game.rulebooks
        )
        return ". ".join(part for part in (players, books) if part)

    def _rulebook(self) -> Iterator[Section]:
        """What the numbered rules say, under the headings of their sections."""
        sections: dict[str, list[Entry]] = {}
        for rule in self.game.rule_texts:
            said = self.words.rule(rule)
            if said is not None:
                sections.setdefault(said.section, []).append(Entry(f"{said.text} [§{rule}]"))
        return (Section(title, tuple(entries)) for title, entries in sections.items())

    def _assumptions(self) -> Iterator[Section]:
        """What the book leaves open, as this game takes it; only what is told in this language."""
        files = [parse(source).file for source in self.game.sources.values()]
        cites: dict[str, dict[str, None]] = {}
        for each in coverage(files).assumptions:
            told = self.words.text(each.text) if each.text else ""
            if told and (self.words.language == OWN or told != each.text):
                cites.setdefault(begun(told), {}).update(dict.fromkeys(map(str, each.cites)))
        entries = (
            Entry(f"{text} [{' '.join(f'§{cite}' for cite in rules)}]" if rules else text)
            for text, rules in cites.items()
        )
        yield Section(self.phrase(sheets.ASSUMED), tuple(entries))

    # ------------------------------------------------------------ numbers of players

    def _numbers(self, players: tuple[int, ...]) -> str:
        if len(players) > 1 and players[-1] - players[0] == len(players) - 1:
            return f"{players[0]}–{players[-1]}"
        return ", ".join(map(str, players))

    def _by_players(self, texts: dict[int, str]) -> str:
        """One text if it is the same for any number of players, else each with its numbers."""
        groups: dict[str, list[int]] = {}
        for number, text in texts.items():
            groups.setdefault(text, []).append(number)
        if len(groups) == 1:
            return next(iter(groups))
        if all(text.isdecimal() for text in groups):
            numbers = self.phrase(sheets.PLAYERS, number=self._numbers(tuple(texts)))
            return f"{' / '.join(texts.values())} ({numbers})"
        return "; ".join(
            self.phrase(sheets.WITH, numbers=self._numbers(tuple(numbers)), text=text)
            for text, numbers in groups.items()
        )

    # ------------------------------------------------------------ what there is

    def _aim(self) -> Iterator[Entry]:
        if self.game.aim is not None:
            yield Entry(self.words.text(self.game.aim))

    def _options(self) -> Iterator[Entry]:
        for option in self.game.options.values():
            domain, default = self._offered(option.domain), self.prose.said(option.default)
            usual = self.phrase(sheets.USUAL, domain=domain, default=default)
            name = self.words.name(option.name, None, option.title)
            yield Entry(f"{name}: {usual}", trail=option.trail)

    def _offered(self, domain: core.Expr) -> str:
        """What an option may be: one value or another."""
        match domain:
            case core.AllThings(kind=kind):
                rows = self.game.kinds[kind].rows
                names = [fixed(self.words.name(row, kind)) for row in rows]
            case core.SetOf(items=items):
                names = [fixed(self.prose.said(item)) for item in items]
            case _:
                names = []
        return str(self.telling.listed(names, "or")) if names else self.prose.said(domain)

    def _variants(self) -> Iterator[Entry]:
        for name, title in self.variants:
            yield Entry(title if title == name else f"{title} ({name})")

    def _components(self, told: list[Entry]) -> Iterator[Entry]:
        """What is in the box, first as the book has it; what begins where it tells by itself."""
        yield from told
        if told:
            yield Entry(self.phrase(sheets.IN_DETAIL), head=True)
        yield from self._counts() if told and not self.full else self._pieces()

    def _counts(self) -> Iterator[Entry]:
        for kind in self.game.kinds.values():
            if kind.piece is not None:
                named = self._number(kind)
                yield Entry(f"{named} – {self._kept(kind)}" if len(kind.rows) > 1 else named, 1)

    def _number(self, kind: Kind) -> str:
        """`Cards: 50`."""
        number = self._by_players(
            {n: str(len(table.things(kind.name))) for n, table in self.tables.items()}
        )
        noun = self.telling.kind_noun(kind.name)
        return f"{begun(noun.one if number == '1' else noun.many)}: {number}"

    def _pieces(self) -> Iterator[Entry]:
        for kind in self.game.kinds.values():
            if kind.piece is not None:
                yield Entry(self._number(kind), head=True, trail=kind.trail)
                yield from (Entry(text, 1) for text in self._details(kind) if text)

    def _details(self, kind: Kind) -> Iterator[str]:
        """The faces with their numbers, or for what there is one."""
        piece = kind.piece
        assert piece is not None
        if kind.rows:
            yield self._kept(kind)
        elif kind.indexes:
            kinds = self._kinds(kind)
            texts = {number: self._copies(kind, table) for number, table in self.tables.items()}
            yield self.phrase(sheets.OF_EACH, number=self._by_players(texts), kinds=kinds)
        if piece.start is not None:
            where = self.telling.owning(kind.own).lying(piece.start)
            yield self.prose.polished(self.phrase(sheets.STARTS, place=where))

    def _copies(self, kind: Kind, table: Table) -> str:
        """How many there are of each combination of the indexes."""
        counts = Counter(tuple(piece.indexes.values()) for piece in table.things(kind.name))
        found = sorted(set(counts.values()))
        return str(found[0]) if len(found) == 1 else f"{found[0]}–{found[-1]}" if found else "0"

    def _kept(self, kind: Kind) -> str:
        return self._by_players({n: self._faces(kind, table) for n, table in self.tables.items()})

    def _faces(self, kind: Kind, table: Table) -> str:
        counts: dict[str, int] = {}
        for piece in table.things(kind.name):
            assert piece.face is not None
            label = self.words.name(piece.face.name, kind.name)
            counts[label] = counts.get(label, 0) + 1
        return ", ".join(label if n == 1 else f"{n} × {label}" for label, n in counts.items())

    def _places(self) -> Iterator[Entry]:
        for kind in self.game.kinds.values():
            if kind.place is not None and self._shown(kind.name):
                yield Entry(begun(self.words.kind(kind.name)), head=True, trail=kind.trail)
                yield Entry("; ".join(self._place(kind, kind.place)), 1)

    def _place(self, kind: Kind, info: PlaceInfo) -> Iterator[str]:
        number = self._by_players(
            {n: str(_on_a_board(table, kind.name)) for n, table in self.tables.items()}
        )
        match info.shape:
            case GridShape(side=core.Expression() as side):
                yield self.phrase(sheets.HEXAGON, n=number, side=self.prose.said(side))
            case GridShape(width=width, height=height):
                form = sheets.HEXAGONS if info.shape.hexagonal else sheets.GRID
                yield self.phrase(form, w=self.prose.said(width), h=self.prose.said(height))
                if info.shape.wrapped:
                    yield self.phrase(sheets.WRAPPED)
            case RingShape():
                yield self.phrase(sheets.RING, n=number)
            case LineShape():
                yield self.phrase(sheets.LINE, n=number)
            case NetworkShape():
                yield self.phrase(sheets.NETWORK, n=number)
            case EdgesShape(of=of):
                yield self.phrase(sheets.EDGES, n=number, kind=self.words.kind(of))
            case TableShape():
                yield ", ".join(self.words.name(row, kind.name) for row in kind.rows) or number
            case FamilyShape():
                pass
        if kind.indexes:
            yield self.phrase(sheets.FOR_EACH, kinds=self._kinds(kind))
        held = ", ".join(self.telling.kind_noun(name).many for name in info.holds)
        yield self.phrase(sheets.HOLDS, kinds=held)
        if info.stack:
            yield self.phrase(sheets.STACK)
        if info.room is not None:
            room = self.telling.owning(kind.own).said(info.room)
            yield self.phrase(sheets.ROOM, n=str(room))
        if info.refilled is not None:
            source = self.telling.grammar.the(self.telling.kind_noun(info.refilled))
            yield self.phrase(sheets.REFILLED, place=format(source, "dat"))
        if isinstance(info.sight, str):
            yield self.phrase(SIGHTS[info.sight])
        else:
            yield self._seen(kind.own, info.sight)
        if info.uncounted:
            yield self.phrase(sheets.UNCOUNTED)

    def _kinds(self, kind: Kind) -> str:
        """What it is indexed by; a range of numbers has only the name of the index."""
        nouns = (
            self.telling.kind_noun(index.kind)
            if index.kind == "Player" or index.kind in self.game.kinds
            else self.telling.noun(index.name)
            for index in kind.indexes
        )
        return str(self.telling.listed([fixed(noun.one) for noun in nouns]))

    def _seen(self, own: core.Local, sight: core.Expr) -> str:
        return self.phrase(sheets.SEEN_WHEN, text=self.prose.seen_when(own, sight))

    def _shown(self, key: str) -> bool:
        """Whether this is shown at a table, and not mere bookkeeping."""
        look = self.game.looks.get(key)
        return not is_given(key) and (look is None or not look.bookkeeping)

    def _values(self) -> Iterator[Entry]:
        for state in self.game.states.values():
            if self._shown(state.key):
                noun = self.telling.noun(state.name).one
                owner = "" if state.owner is None else self.telling.kind_noun(state.owner).one
                named = f"{noun} ({owner})" if owner else noun
                parts = "; ".join(self._value(state))
                yield Entry(self._sentence(f"{named}: {parts}"), trail=state.trail)

    def _value(self, state: StateInfo) -> Iterator[str]:
        telling = self.telling.owning(state.own)
        match state.type:
            case FlagType():
                kind = self.phrase(sheets.FLAG)
            case NumberType() if state.bounds is not None:
                low, high = telling.said(state.bounds.low), telling.upper(state.bounds.high)
                kind = telling.part("range", a=low, b=high)
            case NumberType():
                kind = self.phrase(sheets.NUMBER)
            case SetType():
                kind = str(telling.grammar.some(telling.noun_of(state.type)))
            case _:
                kind = str(telling.grammar.a(telling.noun_of(state.type)))
        start = state.start
        if start is None or start == core.SetOf(()):
            yield kind
        else:
            yield self.phrase(sheets.AT_FIRST, type=kind, start=str(telling.said(start)))
        if isinstance(state.sight, str) and state.sight in STATE_SIGHTS:
            yield self.phrase(STATE_SIGHTS[state.sight])
        elif isinstance(state.sight, core.Expression):
            yield self._seen(state.own, state.sight)
        if state.each is not None:
            yield self.phrase(sheets.EACH, step=self.prose.referred(state.each))

    def _definitions(self) -> Iterator[Entry]:
        for info in self.game.defines.values():
            if info.body is not None and not isinstance(info.body, core.Constant):
                telling = self.prose.knowing(info.params)
                head = self.prose.defined(info, telling)
                text = f"{head}: {telling.said(info.body)}"
                if isinstance(info.type, FlagType):
                    meaning = telling.clause(info.body).told("main")
                    text = self.phrase(sheets.MEANS, a=head, b=meaning)
                yield Entry(self._sentence(text), trail=info.trail)
            for row in info.rows:
                telling = self.prose.knowing(row.params)
                name = f"{self.words.name(info.name)}, {self.words.name(row.row)}"
                yield Entry(self._sentence(f"{name}: {telling.said(row.body)}"), trail=row.trail)

    def _sentence(self, text: str) -> str:
        return ended(begun(self.prose.polished(text)))

    # ------------------------------------------------------------ set-up

    def _set_up(self) -> Iterator[Entry]:
        if "setup" in self.game.steps:
            yield from self._steps(self._called("setup"))
        if not self.example:
            return
        dealt = {number: self._dealt(table) for number, table in self.tables.items()}
        places = list(dict.fromkeys(name for found in dealt.values() for name in found))
        if places:
            yield Entry(self.phrase(sheets.DEALT), head=True)
        for place in places:
            texts = {number: found.get(place, "–") for number, found in dealt.items()}
            yield Entry(f"{place}: {self._by_players(texts)}", 1)

    def _dealt(self, table: Table) -> dict[str, str]:
        """What lies where after set-up, by kind of place."""
        interpreter = Interpreter(table, Dice(Generator(1)))
        run = interpreter.set_up()
        try:
            decision = next(run)
            for _ in range(MOST_CHOICES):
                decision = run.send(decision.options[0])
        except StopIteration:
            pass
        found: dict[str, str] = {}
        for kind in self.game.kinds.values():
            if kind.place is not None and self._shown(kind.name):
                groups: dict[str, list[Thing]] = {}
                for place in table.things(kind.name):
                    text = self._counted(interpreter.pos.contents[place])
                    groups.setdefault(text, []).append(place)
                if groups.keys() != {""}:
                    found[begun(self.words.kind(kind.name))] = self._laid(groups)
        return found

    def _laid(self, groups: dict[str, list[Thing]]) -> str:
        """Contents with their places; those of one place, or of all, without."""
        if len(groups) == 1:
            ((text, places),) = groups.items()
            return text if len(places) == 1 else self.phrase(sheets.EVERYWHERE, text=text)
        return "; ".join(
            f"{text} ({self._where(places)})" for text, places in groups.items() if text
        )

    def _where(self, places: list[Thing]) -> str:
        if len(places) > MOST_PLACES:
            return self.phrase(sheets.NUMBER_OF_PLACES, n=str(len(places)))
        return ", ".join(
            ", ".join(self.words.value(index) for index in place.indexes.values())
            or self.words.place(place)
            for place in places
        )

    def _counted(self, pieces: tuple[Thing, ...]) -> str:
        counts = Counter(piece.kind for piece in pieces)
        grammar = self.telling.grammar
        phrases = (
            grammar.some(self.telling.kind_noun(kind), str(number))
            for kind, number in counts.items()
        )
        return ", ".join(map(str, phrases))

    # ------------------------------------------------------------ procedures

    def _called(self, start: str, without: frozenset[str] = frozenset()) -> list[str]:
        """A step and those it calls, in the order in which they are met."""
        found: dict[str, None] = {}
        todo = [start]
        while todo:
            name = todo.pop(0)
            if name in found or name in without:
                continue
            found[name] = None
            todo = [*self._calls(name), *todo]
        return list(found)

    def _calls(self, name: str) -> list[str]:
        info = self.game.steps[name]
        bodies = [info.body or (), *(row.body for row in info.rows)]
        return list(
            dict.fromkeys(part.step for part in walk(tuple(bodies)) if isinstance(part, core.Call))
        )

    def _steps(self, names: Iterable[str]) -> Iterator[Entry]:
        for name in names:
            info = self.game.steps[name]
            if info.body is not None:
                if name not in ("setup", "play"):
                    title = self.prose.heading(name, info.params)
                    yield Entry(title, head=True, trail=info.trail)
                yield from _under(self.prose.block(info.body, self.prose.knowing(info.params)))
            for row in info.rows:
                title = f"{self.prose.procedure(name)}: {self.words.name(row.row)}"
                yield Entry(title, head=True, trail=row.trail)
                yield from _under(self.prose.block(row.body, self.prose.knowing(row.params)))

    def _turn(self) -> Iterator[Entry]:
        done = frozenset(self._called("setup")) if "setup" in self.game.steps else frozenset()
        shown = self._called("play", done)
        yield from self._steps(shown)
        rest = [name for name in self.game.steps if name not in done and name not in shown]
        yield from self._steps(rest)

    def _actions(self) -> Iterator[Entry]:
        for info in self.game.actions.values():
            if not info.inline:
                yield from self._action(info)

    def _action(self, info: ActionInfo) -> Iterator[Entry]:
        picks = self.prose.picks(info.picks)
        title = self.telling.action(info.key) + (f" ({picks})" if picks else "")
        yield Entry(title, head=True, trail=info.trail)
        yield from _under(self.prose.action(info))

    def _triggers(self) -> Iterator[Entry]:
        for trigger in self.game.triggers.values():
            yield from self._trigger(trigger)

    def _trigger(self, trigger: TriggerInfo) -> Iterator[Entry]:
        picks = self.prose.picks(trigger.picks)
        title = self.words.trigger(trigger.name)
        title += f" ({picks})" if picks else ""
        if trigger.after:
            steps = ", ".join(map(self.prose.referred, trigger.after))
            title += f", {self.phrase(sheets.AFTER, steps=steps)}"
        yield Entry(title, head=True, trail=trigger.trail)
        if trigger.when is not None:
            when = self.phrase(sheets.WHEN, text=self.prose.condition(trigger))
            yield Entry(f"{begun(when)}:", 1)
        told = self.prose.block(trigger.body, self.prose.picked(trigger.picks))
        yield from _under(told, 1 + (trigger.when is not None))

    def outcome(self, topic: Topic) -> Iterator[Entry]:
        if topic == "win":
            yield from self._aim()
        title = self.phrase(sheets.END)
        told = [part for part in self._rulebook() if part.title == title]
        if told:
            yield from told[0].entries
            return
        procedures = list(self._deciding(topic))
        if not procedures and topic == "end":
            yield Entry(self.phrase(sheets.COURSE_OVER), head=True)
            yield from self._steps(["play"])
        yield from procedures
        yield from self._ranking() if topic == "win" else self._limit()

    def _deciding(self, topic: Topic) -> Iterator[Entry]:
        """What is done where somebody wins, or where the game ends, without the rest of it."""
        for action in self.game.actions.values():
            body = tuple(part for part in action.body if _decides(part, topic))
            if body:
                title = begun(self.telling.action(action.key))
                yield Entry(title, head=True, trail=action.trail)
                yield from _under(self.prose.block(body, self.prose.picked(action.picks)))
        for step in self.game.steps.values():
            for block in (step.body or (), *(row.body for row in step.rows)):
                body = tuple(part for part in block if _decides(part, topic))
                if body:
                    title = begun(self.prose.procedure(step.name))
                    yield Entry(title, head=True, trail=step.trail)
                    yield from _under(self.prose.block(body, self.prose.knowing(step.params)))
        for trigger in self.game.triggers.values():
            if any(_decides(part, topic) for part in trigger.body):
                yield from self._trigger(trigger)

    def _end(self) -> Iterator[Entry]:
        yield from self._ranking()
        yield from self._limit()

    def _ranking(self) -> Iterator[Entry]:
        ranking = self.game.ranking
        if ranking is None:
            yield Entry(self._sentence(self.phrase(sheets.DRAW)))
        else:
            player = self.telling.owning(ranking.local)
            for number, key in enumerate(ranking.keys):
                way = (WAYS if number == 0 else TIED)[key.way]
                text = self.phrase(way, a=str(player.said(key.value)))
                yield Entry(self._sentence(text), trail=key.trail)
            if ranking.team is not None:
                team = self.phrase(sheets.TEAM, a=str(player.said(ranking.team)))
                yield Entry(self._sentence(team))
            if ranking.no_tie:
                yield Entry(self._sentence(self.phrase(sheets.NO_TIE)))

    def _limit(self) -> Iterator[Entry]:
        if self.game.limit is not None:
            limit = self.phrase(sheets.LIMIT, n=self.prose.said(self.game.limit))
            yield Entry(self._sentence(limit))


def _on_a_board(table: Table, kind: str) -> int:
    """How many places lie together, where each player, say, has a board."""
    places = table.things(kind)
    boards = {tuple(place.indexes.values()) for place in places}
    return len(places) // max(1, len(boards))


def _decides(statement: core.Statement, topic: Topic) -> bool:
    """Whether somebody wins or loses there, or, if that is asked, the game ends."""
    return any(
        isinstance(part, core.Win)
        or (topic == "end" and isinstance(part, core.End) and part.target == "game")
        for part in walk((statement,))
    )


def _joined(sections: Iterable[Section]) -> Iterator[Section]:
    """Sections of one title as one: the book's own words stand before what the file says."""
    entries: dict[str, tuple[Entry, ...]] = {}
    for section in sections:
        entries[section.title] = (*entries.get(section.title, ()), *section.entries)
    return (Section(title, parts) for title, parts in entries.items())


def _under(sentences: Iterable[Sentence], depth: int = 1) -> Iterator[Entry]:
    return (Entry(each.text, each.depth + depth, trail=each.trail) for each in sentences)
