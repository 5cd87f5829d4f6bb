"""Short names for what is drawn on boards: a sign never means two things at one table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import attrs

from ruledsl.scene.data import Piece, Seat, Stage, StagePlace
from ruledsl.texts import terminal
from ruledsl.texts.text import Phrases

from .piece_names import PieceNames
from .text import coloured, plain, safe, styled, together

MARKS = ("●", "○")
"""The pieces of two players that are alike but for their owners."""
_SHORT = 2
"""A name of so many letters is its own short name."""
_MOST = 60
"""With more to name than this there are no letters."""


@attrs.frozen
class ShortNames:
    """A letter or two for everything that may lie on the boards of a stage, and for its ground."""

    stage: Stage
    players: int
    bodies: dict[tuple[str, str], str]
    """by kind and label"""
    values: dict[str, str]
    """of the ground, and of what tells the places beside a field apart, by label"""

    def ground(self, label: str) -> str:
        return self.values.get(label, "")

    @property
    def taken(self) -> set[str]:
        return {name.upper() for name in (*self.bodies.values(), *self.values.values())}


def short_names(stage: Stage, players: int) -> ShortNames:
    """Names unlike each other whatever their case, for capitals may tell players apart."""
    boards = {board.id for board in stage.boards}
    fields = [place for place in stage.places if place.board in boards]
    ids = {place.id for place in fields}
    beside = [place for place in stage.places if place.host in ids]
    kinds = dict.fromkeys(kind for place in (*fields, *beside) for kind in place.holds)
    values = [*_grounds(fields), *dict.fromkeys(p.rest for p in beside if p.rest)]
    # Names as short as that are what they are; others look for what is left.
    wanted = sorted(dict.fromkeys(values), key=lambda label: len(label) > _SHORT)
    called = dict(stage.kinds)
    taken: set[str] = set()
    named = {label: _free(label, taken) for label in wanted}
    bodies: dict[tuple[str, str], str] = {}
    # What a piece carries may be of any kind: those that lie on boards come first.
    order = sorted(stage.bodies, key=lambda body: body.kind not in kinds)
    for kind in dict.fromkeys(body.kind for body in order):
        alike = [body for body in order if body.kind == kind]
        lines = {body.label: body.symbol or "" for body in alike if _is_line(body.symbol)}
        bodies |= {(kind, label): symbol for label, symbol in lines.items()}
        others = [body.label for body in alike if body.label not in lines]
        if len(alike) == 1:
            bodies |= {(kind, label): "" for label in others}
        elif len(alike) <= _MOST:
            short = _unlike([o.removeprefix(f"{called.get(kind)} ") for o in others], taken)
            bodies |= {(kind, o): code for o, code in zip(others, short, strict=True)}
    for (kind, label), letters in bodies.items():
        # What is alike but for its owner is seldom called by its letter.
        if not letters:
            bodies[kind, label] = _free(label, taken)
    return ShortNames(stage, players, bodies, named)


def _is_line(symbol: str | None) -> bool:
    """Whether a symbol is made of lines that go on in the next cell: it says more than letters."""
    return symbol is not None and all("\u2500" <= sign <= "\u257f" for sign in symbol)


def _grounds(fields: Iterable[StagePlace]) -> Iterator[str]:
    """What fields are like, but for what most of them are."""
    found: dict[str, int] = {}
    number = 0
    for place in fields:
        number += bool(place.grounds)
        for ground in place.grounds:
            found[ground.label] = found.get(ground.label, 0) + 1
    return (label for label, count in found.items() if count * 2 <= number)


def _unlike(labels: Sequence[str], taken: set[str]) -> list[str]:
    """A letter for each, first letters where they are free; if some need two, others have the first
    two rather than a letter from within."""
    tried = set(taken)
    letters = [_free(label, tried) for label in labels]
    if any(len(code) > 1 and code != label for code, label in zip(letters, labels, strict=True)):
        tried = set(taken)
        letters = [_free(label, tried, within=False) for label in labels]
    taken |= tried
    return letters


def _free(label: str, taken: set[str], *, within: bool = True) -> str:
    """The label itself if it is short, a letter of it, two letters, or one with a number; a letter
    from `within` the label only where that is wanted."""
    letters = [letter for letter in label.upper() if letter.isalpha()] or ["?"]
    pairs = (letters[0] + letter.lower() for letter in letters[1:])
    numbers = (f"{letters[0]}{number}" for number in range(2, len(taken) + 4))
    itself = (label,) if len(label) <= _SHORT else ()
    single = letters if within else letters[:1]
    found: str = next(n for n in (*itself, *single, *pairs, *numbers) if n.upper() not in taken)
    taken.add(found.upper())
    return found


@attrs.frozen
class Codes:
    """The pieces of one picture in short, and the legend of what was used."""

    short: ShortNames
    names: PieceNames
    used: dict[str, dict[str, None]] = attrs.Factory(dict)
    signs: dict[int, str] = attrs.Factory(dict)
    """the signs of players whose pieces are alike but for their owners"""
    cases: dict[int, str] = attrs.Factory(dict)
    """the players whose pieces are told apart by capital and small letters"""
    flags: dict[str, str] = attrs.Factory(dict)
    """the signs of what is just so with places"""
    counts: dict[str, None] = attrs.Factory(dict)
    """what the numbers beside pieces are"""

    def code(self, piece: Piece) -> str:
        """A piece in a letter or two: what it is, whose it is, and its numbers."""
        names = self.names
        if not piece.known:
            return self._note("?", styled(names.kind(piece.kind), "dim"))
        letter = self.short.bodies.get((piece.kind, piece.label), piece.letters)
        flags = [stat for stat in piece.stats if stat.flag]
        counts = [stat for stat in piece.stats if stat.number is not None and not stat.flag]
        numbers = "".join(str(stat.number) for stat in counts)
        self.counts.update((safe(stat.label), None) for stat in counts)
        label = names.short_label(piece.kind, piece.label)
        # A number says nothing of what it counts.
        label = names.kind(piece.kind) if label.isdigit() else label
        meaning = " ".join([label, *(safe(stat.label) for stat in flags)])
        marks = [safe(stat.label)[:1].upper() for stat in flags]
        bare = names.is_plain(piece.kind)
        if piece.owner is None:
            code = coloured(letter + "".join(marks).lower(), piece.colour)
            return self._note(code, meaning) + numbers
        seat = names.seats[piece.owner - 1]
        if self.short.players == len(MARKS) and (not bare or marks):
            code = marks.pop(0) if bare else letter
            code = code.upper() if piece.owner == 1 else code.lower()
            self.cases[piece.owner] = names.player(piece.owner)
        elif bare:
            code = self._sign(seat, MARKS if self.short.players == len(MARKS) else ())
        else:
            code = f"{letter}{self._sign(seat)}"
        code += "".join(marks).lower()
        return self._note(coloured(code, seat.colour), meaning) + numbers

    def _sign(self, seat: Seat, marks: Sequence[str] = ()) -> str:
        """The sign of a player; from then on, all players are told with theirs."""
        for each in self.names.seats:
            sign = marks[each.number - 1] if marks else safe(each.symbol)
            self.signs[each.number] = coloured(sign, each.colour)
        return plain(self.signs[seat.number])

    def explain(self, code: str, meaning: str) -> None:
        """Of something else that was drawn in short, say what it means."""
        self._note(code, meaning)

    def _note(self, code: str, meaning: str) -> str:
        self.used.setdefault(meaning, {})[code] = None
        return code

    def ground(self, label: str) -> str:
        """The sign of what a field is like; none of what most are like."""
        found = self.short.ground(label)
        if found and found != label:
            self._note(found.lower(), safe(label))
        return found if found == label else found.lower()

    def flag(self, label: str) -> str:
        """The sign of what is just so with a place."""
        if label not in self.flags:
            taken = self.short.taken | {sign.upper() for sign in self.flags.values()}
            self.flags[label] = _free(label, taken)
        return self._note(self.flags[label].lower(), safe(label))

    def beside(self, rest: str) -> str:
        """What tells a place beside a field from others of it."""
        return f"{self.ground(rest)}:" if rest else ""

    def counted(self, pieces: Iterable[Piece]) -> list[str]:
        """Pieces in letters, alike ones counted."""
        counts: dict[str, int] = {}
        for piece in pieces:
            code = self.code(piece)
            inside = self.counted(piece.inside)
            if inside:
                code += f"+{''.join(inside)}"
            if piece.remembered:
                code = self.names.remembered(code)
            counts[code] = counts.get(code, 0) + 1
        return [code if count == 1 else f"{count}×{code}" for code, count in counts.items()]

    def legend(self, say: Phrases) -> list[str]:
        """What the signs used so far mean."""
        lines = sorted(
            (
                f"{' '.join(sorted(codes, key=plain))} = {meaning}"
                for meaning, codes in self.used.items()
                if [plain(code) for code in codes] != [plain(meaning)]
            ),
            key=plain,
        )
        if len(self.cases) == len(MARKS):
            lines.append(say(terminal.CAPITALS, first=self.cases[1], second=self.cases[2]))
        if self.counts:
            lines.append(say(terminal.NUMBERS, names=", ".join(self.counts)))
        return [together(line) for line in lines]
