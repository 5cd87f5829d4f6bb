"""What would follow from an option, as far as the seat that decides may know.

It is tried out in positions that agree with what the seat sees, never in the real one. What comes
out alike in all of them is told; what depends on chance or on what is hidden is left open.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import attrs

from ruledsl.play.chance import Generator
from ruledsl.play.match import Match
from ruledsl.players.situation import scouting, stop_at
from ruledsl.scene.data import Contents, Happening, Piece, Scene
from ruledsl.scene.scene import news_of, scene_of
from ruledsl.scene.stage import set_of

SAMPLES = 24
"""Positions in which an option is tried out, where not all is known."""


@attrs.frozen
class Outlook:
    """What would happen, in sentences, and the table afterwards; all of it, or what is alike."""

    happenings: tuple[Happening, ...]
    then: tuple[tuple[str, int], ...]
    """what is told next where it is not alike, and in how many tries"""
    scene: Scene
    whole: bool
    tries: int = 1
    """in how many positions it was tried out: one, where all is known and nothing left to chance"""


def outlook(match: Match, number: int, generator: Generator, *, remember: bool = True) -> Outlook:
    """Try out an option of the decision that a match waits for."""
    told = set_of(match.table, match.words).told
    kept = dict(told)
    try:
        scenes = list(_scenes(match, number, generator, remember=remember))
    finally:
        told.clear()
        told.update(kept)
    common = _common([scene.happenings for scene in scenes])
    whole = all(scene == scenes[0] for scene in scenes)
    now, _ = news_of(match, match.seat)
    before = scene_of(match, match.seat, now, remember=remember)
    scene = scenes[0] if whole else _merged(before, scenes, common)
    then = () if whole else _then([scene.happenings[len(common) :] for scene in scenes])
    return Outlook(common, then, scene, whole, len(scenes))


def _scenes(match: Match, number: int, generator: Generator, *, remember: bool) -> Iterator[Scene]:
    assert match.decision is not None
    stop, sampler = stop_at(match.interpreter, match.decision)
    with scouting(match.table) as scout:
        for _ in range(SAMPLES):
            certain = scout.tried(sampler.sample(generator), stop, number, generator.next())
            seen = scene_of(match.as_if(scout), match.seat, remember=remember)
            yield attrs.evolve(seen, ask=None, prompt="")
            if certain and sampler.certain:
                return


def _common(told: Sequence[tuple[Happening, ...]]) -> tuple[Happening, ...]:
    """What happens in the same way everywhere, until something differs."""
    common: list[Happening] = []
    for same in zip(*told, strict=False):
        if any(each != same[0] for each in same):
            break
        common.append(same[0])
    return tuple(common)


def _then(told: Sequence[tuple[Happening, ...]]) -> tuple[tuple[str, int], ...]:
    """The first sentences of what differs, the most frequent first."""
    firsts = (next((each.text for each in rest if each.text is not None), None) for rest in told)
    counted = Counter(text for text in firsts if text is not None)
    return tuple(sorted(counted.items(), key=lambda each: (-each[1], each[0])))


def _merged(before: Scene, scenes: Sequence[Scene], common: tuple[Happening, ...]) -> Scene:
    """What is alike in all scenes; else what is there now, or something unknown."""
    first = scenes[0]
    tables = [{held.place: held for held in scene.contents} for scene in (before, *scenes)]
    places = dict.fromkeys(place for table in tables for place in table)
    contents = []
    for place in places:
        now, *others = (table.get(place, Contents(place, 0)) for table in tables)
        contents.append(_held(others, now))
    alike = {
        field: all(getattr(scene, field) == getattr(first, field) for scene in scenes)
        for field in ("stats", "seats")
    }
    return attrs.evolve(
        before,
        contents=tuple(contents),
        stats=first.stats if alike["stats"] else before.stats,
        seats=first.seats if alike["seats"] else before.seats,
        happenings=common,
        ask=None,
        prompt="",
    )


def _held(others: Sequence[Contents], now: Contents) -> Contents:
    """What lies in a place everywhere; the pieces that differ are unknown."""
    held = others[0]
    if all(other == held for other in others):
        return held
    if len({(other.count, len(other.pieces)) for other in others}) != 1:
        return now
    marks = [Counter(_look(piece) for piece in other.pieces) for other in others]
    common = marks[0].copy()
    for other in marks[1:]:
        common &= other
    pieces: list[Piece] = []
    for piece in held.pieces:
        if common[_look(piece)] > 0:
            common[_look(piece)] -= 1
            pieces.append(piece)
        else:
            pieces.append(Piece(piece.id, piece.kind, "?", piece.shape, known=False))
    return attrs.evolve(held, pieces=tuple(pieces))


def _look(piece: Piece) -> Piece:
    return attrs.evolve(piece, id="")
