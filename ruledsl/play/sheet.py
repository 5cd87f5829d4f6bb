"""A game on a sheet: what there is, who sees it, set-up, turn, actions, what happens, the end.

Everything follows from the rules. A sheet is sections of lines; whoever prints it wraps them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

import attrs

from ruledsl.model import core
from ruledsl.model.game import (
    ActionInfo,
    CheckedGame,
    FamilyShape,
    GridShape,
    Kind,
    LineShape,
    NetworkShape,
    PlaceInfo,
    RingShape,
    StateInfo,
    TableShape,
)
from ruledsl.model.walk import walk
from ruledsl.play.chance import Dice, Generator
from ruledsl.play.interpreter import Interpreter
from ruledsl.play.prose import Prose, Sentence
from ruledsl.play.words import Words
from ruledsl.syntax import ast
from ruledsl.table.table import Table
from ruledsl.table.things import Thing

_PHRASES = {
    "en": {
        "players": "{number} players",
        "one player": "1 player",
        "components": "Components",
        "places": "Places",
        "values": "What is kept track of",
        "set-up": "Set-up",
        "turn": "Course of the game",
        "actions": "Actions",
        "triggers": "What happens by itself",
        "end": "The end",
        "rulebook": "The rulebook, rule by rule",
        "options": "Options",
        "variants": "Variants",
        "of each": "{number} for each {kinds}",
        "for each": "for each {kinds}",
        "starts": "starts in {place}",
        "with": "for {numbers} players: {text}",
        "grid": "{w} by {h}",
        "ring": "{n} in a ring",
        "line": "{n} in a row",
        "network": "{n}, joined by paths",
        "stack": "a stack",
        "room": "room for {n}",
        "holds": "for {kinds}",
        "refilled": "refilled from {place}",
        "open": "open to all",
        "hidden": "nobody sees them",
        "private": "only its player sees them",
        "uncounted": "their number is secret, too",
        "seen when": "seen when {text}",
        "state hidden": "secret",
        "state private": "seen by its player only",
        "each": "anew at each “{step}”",
        "usual": "{domain}, usually {default}",
        "when": "when {text}",
        "after": "after {steps}",
        "limit": "after {n} decisions it is a draw",
        "highest": "the highest {a} first",
        "lowest": "the lowest {a} first",
        "tie": "then {text}",
        "draw": "there is no ranking: somebody wins at once, or it is a draw",
        "team": "players share their result who have the same {a}",
        "no tie": "still a tie for the first place: nobody wins",
        "dealt": "Then the table looks like this, for example:",
        "everywhere": "{text} each",
        "number of places": "{n} places",
        "words": "Words",
        "at first": "{type}, at first {start}",
        "flag": "yes or no",
        "number": "a number",
    },
    "de": {
        "players": "{number} Spieler",
        "one player": "1 Spieler",
        "components": "Spielmaterial",
        "places": "Orte",
        "values": "Was festgehalten wird",
        "set-up": "Aufbau",
        "turn": "Ablauf",
        "actions": "Aktionen",
        "triggers": "Was von selbst geschieht",
        "end": "Spielende",
        "rulebook": "Das Regelheft, Regel für Regel",
        "options": "Optionen",
        "variants": "Varianten",
        "of each": "je {number} pro {kinds}",
        "for each": "für jedes: {kinds}",
        "starts": "beginnt in {place}",
        "with": "zu {numbers}: {text}",
        "grid": "{w} mal {h}",
        "ring": "{n} im Kreis",
        "line": "{n} in einer Reihe",
        "network": "{n}, durch Wege verbunden",
        "stack": "ein Stapel",
        "room": "Platz für {n}",
        "holds": "für {kinds}",
        "refilled": "wird aufgefüllt aus {place}",
        "open": "offen",
        "hidden": "niemand sieht sie",
        "private": "nur der eigene Spieler sieht sie",
        "uncounted": "auch ihre Zahl ist geheim",
        "seen when": "gesehen, wenn {text}",
        "state hidden": "geheim",
        "state private": "nur vom eigenen Spieler gesehen",
        "each": "neu bei jedem „{step}“",
        "usual": "{domain}, üblich {default}",
        "when": "wenn {text}",
        "after": "nach {steps}",
        "limit": "nach {n} Entscheidungen ist es unentschieden",
        "highest": "zuerst mit dem höchsten Wert: {a}",
        "lowest": "zuerst mit dem niedrigsten Wert: {a}",
        "tie": "dann {text}",
        "draw": "es gibt keine Rangfolge: jemand gewinnt sofort, oder unentschieden",
        "team": "das Ergebnis teilt, wer dasselbe hat: {a}",
        "no tie": "immer noch Gleichstand an der Spitze: niemand gewinnt",
        "dealt": "Dann sieht der Tisch zum Beispiel so aus:",
        "everywhere": "je {text}",
        "number of places": "{n} Orte",
        "words": "Begriffe",
        "at first": "{type}, anfangs {start}",
        "flag": "ja oder nein",
        "number": "eine Zahl",
    },
}

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
    game: CheckedGame, language: str, players: Iterable[int], variants: Iterable[tuple[str, str]]
) -> Sheet:
    """The sheet of a game for some numbers of players; variants come with their titles."""
    return _Writer(game, language, tuple(players), tuple(variants)).sheet()


class _Writer:
    def __init__(
        self,
        game: CheckedGame,
        language: str,
        players: tuple[int, ...],
        variants: tuple[tuple[str, str], ...],
    ) -> None:
        self.game = game
        self.words = Words(game, language)
        self.prose = Prose(self.words)
        self.tables = {number: Table(game, number) for number in players}
        self.variants = variants

    def phrase(self, name: str, **parts: str) -> str:
        return _PHRASES.get(self.words.language, _PHRASES["en"])[name].format(**parts)

    def sheet(self) -> Sheet:
        sections = [
            Section(self.phrase(name), tuple(entries))
            for name, entries in (
                ("options", self._options()),
                ("variants", self._variants()),
                ("components", self._components()),
                ("places", self._places()),
                ("values", self._values()),
                ("words", self._definitions()),
                ("set-up", self._set_up()),
                ("turn", self._turn()),
                ("actions", self._actions()),
                ("triggers", self._triggers()),
                ("end", self._end()),
                ("rulebook", self._rulebook()),
            )
        ]
        numbers = self._numbers(tuple(self.tables))
        players = self.phrase("players", number=numbers) if numbers != "1" else ""
        books = ", ".join(
            f"{book.title or book.prefix} (§{book.prefix}-{book.first} – {book.last})"
            for book in self.game.rulebooks
        )
        subtitle = ". ".join(part for part in (players or self.phrase("one player"), books) if part)
        filled = tuple(section for section in sections if section.entries)
        return Sheet(self.words.title(), subtitle, filled)

    def _rulebook(self) -> Iterator[Entry]:
        """What the numbered rules say, under the headings of their sections."""
        section = ""
        for rule in self.game.rule_texts:
            said = self.words.rule(rule)
            if said is not None:
                if said.section != section:
                    yield Entry(said.section, head=True)
                section = said.section
                yield Entry(f"§{rule} {said.text}", 1)

    # ------------------------------------------------------------ numbers of players

    def _numbers(self, players: tuple[int, ...]) -> str:
        if len(players) > 2 and players[-1] - players[0] == len(players) - 1:
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
            numbers = self.phrase("players", number=self._numbers(tuple(texts)))
            return f"{' / '.join(texts.values())} ({numbers})"
        return "; ".join(
            self.phrase("with", numbers=self._numbers(tuple(numbers)), text=text)
            for text, numbers in groups.items()
        )

    # ------------------------------------------------------------ what there is

    def _options(self) -> Iterator[Entry]:
        for option in self.game.options.values():
            domain, default = self.prose.said(option.domain), self.prose.said(option.default)
            usual = self.phrase("usual", domain=domain, default=default)
            name = self.words.name(option.name, None, option.title)
            yield Entry(f"{name}: {usual}", trail=option.trail)

    def _variants(self) -> Iterator[Entry]:
        for name, title in self.variants:
            yield Entry(title if title == name else f"{title} ({name})")

    def _components(self) -> Iterator[Entry]:
        for kind in self.game.kinds.values():
            if kind.piece is not None:
                number = self._by_players(
                    {n: str(len(table.things(kind.name))) for n, table in self.tables.items()}
                )
                yield Entry(f"{self.words.kind(kind.name)}: {number}", head=True, trail=kind.trail)
                yield from (Entry(text, 1) for text in self._details(kind) if text)

    def _details(self, kind: Kind) -> Iterator[str]:
        """The faces with their numbers, or for what there is one."""
        piece = kind.piece
        assert piece is not None
        if kind.rows:
            yield self._by_players(
                {number: self._faces(kind, table) for number, table in self.tables.items()}
            )
        elif kind.indexes:
            kinds = ", ".join(self.prose.name(index.kind) for index in kind.indexes)
            texts = {number: self._copies(kind, table) for number, table in self.tables.items()}
            yield self.phrase("of each", number=self._by_players(texts), kinds=kinds)
        if piece.start is not None:
            yield self.phrase("starts", place=self.prose.said(piece.start))

    def _copies(self, kind: Kind, table: Table) -> str:
        """How many there are of each combination of the indexes."""
        counts = Counter(tuple(piece.indexes.values()) for piece in table.things(kind.name))
        found = sorted(set(counts.values()))
        return str(found[0]) if len(found) == 1 else f"{found[0]}–{found[-1]}" if found else "0"

    def _faces(self, kind: Kind, table: Table) -> str:
        counts: dict[str, int] = {}
        for piece in table.things(kind.name):
            assert piece.face is not None
            label = self.words.name(piece.face.name, kind.name)
            counts[label] = counts.get(label, 0) + 1
        return ", ".join(label if n == 1 else f"{n} × {label}" for label, n in counts.items())

    def _places(self) -> Iterator[Entry]:
        for kind in self.game.kinds.values():
            if kind.place is not None:
                yield Entry(self.words.kind(kind.name), head=True, trail=kind.trail)
                yield Entry("; ".join(self._place(kind, kind.place)), 1)

    def _place(self, kind: Kind, info: PlaceInfo) -> Iterator[str]:
        number = self._by_players(
            {n: str(len(table.things(kind.name))) for n, table in self.tables.items()}
        )
        match info.shape:
            case GridShape(width=width, height=height):
                yield self.phrase("grid", w=self.prose.said(width), h=self.prose.said(height))
            case RingShape():
                yield self.phrase("ring", n=number)
            case LineShape():
                yield self.phrase("line", n=number)
            case NetworkShape():
                yield self.phrase("network", n=number)
            case TableShape():
                yield ", ".join(self.words.name(row, kind.name) for row in kind.rows) or number
            case FamilyShape():
                if kind.indexes:
                    kinds = ", ".join(self.prose.name(index.kind) for index in kind.indexes)
                    yield self.phrase("for each", kinds=kinds)
        yield self.phrase("holds", kinds=", ".join(map(self.words.kind, info.holds)))
        if info.stack:
            yield self.phrase("stack")
        if info.room is not None:
            yield self.phrase("room", n=self.prose.said(info.room))
        if info.refilled is not None:
            yield self.phrase("refilled", place=self.words.kind(info.refilled))
        if isinstance(info.sight, str):
            yield self.phrase(info.sight)
        else:
            yield self.phrase("seen when", text=self.prose.said(info.sight))
        if info.uncounted:
            yield self.phrase("uncounted")

    def _values(self) -> Iterator[Entry]:
        for state in self.game.states.values():
            owner = "" if state.owner is None else f" ({self.prose.name(state.owner)})"
            parts = "; ".join(self._value(state))
            yield Entry(f"{self.words.name(state.name)}{owner}: {parts}", trail=state.trail)

    def _value(self, state: StateInfo) -> Iterator[str]:
        line = self.prose.written(attrs.evolve(state.span, end_column=10_000))
        declared = line.partition(":")[2].partition("§")[0].partition(" assumed ")[0]
        for word in (" hidden", " private", " seen when", " each ", " clamped"):
            declared = declared.partition(word)[0]
        type_, _, start = declared.strip().partition(" = ")
        kind = self.phrase(type_) if type_ in ("flag", "number") else self.prose.labelled(type_)
        yield (
            self.phrase("at first", type=kind, start=self.prose.labelled(start)) if start else kind
        )
        if state.sight in ("hidden", "private"):
            yield self.phrase(f"state {state.sight}")
        elif isinstance(state.sight, core.Expression):
            yield self.phrase("seen when", text=self.prose.said(state.sight))
        if state.each is not None:
            yield self.phrase("each", step=self.prose.procedure(state.each))

    def _definitions(self) -> Iterator[Entry]:
        for info in self.game.defines.values():
            params = ", ".join(self.prose.name(each.local.name) for each in info.params)
            name = self.words.name(info.name) + (f" ({params})" if params else "")
            if info.body is not None:
                yield Entry(f"{name}: {self.prose.said(info.body)}", trail=info.trail)
            for row in info.rows:
                text = f"{name}, {self.prose.name(row.row)}: {self.prose.said(row.body)}"
                yield Entry(text, trail=row.trail)

    # ------------------------------------------------------------ set-up

    def _set_up(self) -> Iterator[Entry]:
        if "setup" in self.game.steps:
            yield from self._steps(self._called("setup"))
        dealt = {number: self._dealt(table) for number, table in self.tables.items()}
        places = list(dict.fromkeys(name for found in dealt.values() for name in found))
        if places:
            yield Entry(self.phrase("dealt"), head=True)
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
            if kind.place is not None:
                groups: dict[str, list[Thing]] = {}
                for place in table.things(kind.name):
                    text = self._counted(interpreter.pos.contents[place])
                    groups.setdefault(text, []).append(place)
                if groups.keys() != {""}:
                    found[self.words.kind(kind.name)] = self._laid(groups)
        return found

    def _laid(self, groups: dict[str, list[Thing]]) -> str:
        """Contents with their places; those of one place, or of all, without."""
        if len(groups) == 1:
            ((text, places),) = groups.items()
            return text if len(places) == 1 else self.phrase("everywhere", text=text)
        return "; ".join(
            f"{text} ({self._where(places)})" for text, places in groups.items() if text
        )

    def _where(self, places: list[Thing]) -> str:
        if len(places) > MOST_PLACES:
            return self.phrase("number of places", n=str(len(places)))
        return ", ".join(
            ", ".join(self.words.value(index) for index in place.indexes.values())
            or self.words.place(place)
            for place in places
        )

    def _counted(self, pieces: tuple[Thing, ...]) -> str:
        counts: dict[str, int] = {}
        for piece in pieces:
            label = self.words.kind(piece.kind)
            counts[label] = counts.get(label, 0) + 1
        return ", ".join(label if n == 1 else f"{n} × {label}" for label, n in counts.items())

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
                params = ", ".join(self.prose.name(each.local.name) for each in info.params)
                title = self.prose.procedure(name) + (f" ({params})" if params else "")
                if name not in ("setup", "play"):
                    yield Entry(title, head=True, trail=info.trail)
                yield from _under(self.prose.block(info.body))
            for row in info.rows:
                title = f"{self.prose.procedure(name)}: {self.prose.name(row.row)}"
                yield Entry(title, head=True, trail=row.trail)
                yield from _under(self.prose.block(row.body))

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
        title = self.words.action(info.key) + (f" ({picks})" if picks else "")
        yield Entry(title, head=True, trail=info.trail)
        yield from _under(self.prose.action(info))

    def _triggers(self) -> Iterator[Entry]:
        for trigger in self.game.triggers.values():
            picks = self.prose.picks(trigger.picks)
            title = self.words.name(trigger.name, None, trigger.title)
            title += f" ({picks})" if picks else ""
            if trigger.after:
                steps = ", ".join(self.prose.procedure(step) for step in trigger.after)
                title += f", {self.phrase('after', steps=steps)}"
            yield Entry(title, head=True, trail=trigger.trail)
            if trigger.when is not None:
                yield Entry(self.phrase("when", text=self.prose.said(trigger.when)) + ":", 1)
            yield from _under(self.prose.block(trigger.body), 1 + (trigger.when is not None))

    def _end(self) -> Iterator[Entry]:
        ranking = self.game.ranking
        if ranking is None:
            yield Entry(self.phrase("draw"))
        else:
            for number, key in enumerate(ranking.keys):
                text = self.phrase(key.way, a=self.prose.said(key.value))
                text = text if number == 0 else self.phrase("tie", text=text)
                yield Entry(text, trail=key.trail)
            if ranking.team is not None:
                yield Entry(self.phrase("team", a=self.prose.said(ranking.team)))
            if ranking.no_tie:
                yield Entry(self.phrase("no tie"))
        if self.game.limit is not None:
            yield Entry(self.phrase("limit", n=self.prose.said(self.game.limit)))


def _under(sentences: Iterable[Sentence], depth: int = 1) -> Iterator[Entry]:
    return (Entry(each.text, each.depth + depth, trail=each.trail) for each in sentences)
