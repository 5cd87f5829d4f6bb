"""Samples: positions that a seat can't tell from the true one, each equally likely."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable
from itertools import permutations
from random import Random

import pytest

import ruledsl
from ruledsl.diagnostics.source import Source
from ruledsl.library import Library
from ruledsl.model.check import check_rules
from ruledsl.play.chance import Generator
from ruledsl.play.knowledge import look
from ruledsl.play.match import Match
from ruledsl.players import sampler
from ruledsl.players.sampler import Sample, Sampler
from ruledsl.table.position import Position
from ruledsl.table.things import Thing

from ..play.table import conserved, games_with_secrets


def sampler_of(match: Match, seat: int) -> Sampler:
    interpreter = match.interpreter
    viewer = match.player(seat)
    return Sampler(match.table, interpreter.pos, interpreter.knowledge, viewer)


def put(match: Match, sample: Sample) -> None:
    """Let a sample be the position."""
    match.interpreter.pos = sample.pos
    match.interpreter.knowledge.restore(sample.known, sample.narrowed)


def played(name: str, seed: int, choices: int) -> Match:
    match = ruledsl.load(name).start(seed=seed)
    random = Random(seed)
    while match.seat is not None and len(match.history) < choices:
        match.choose(random.randrange(len(match.options)))
    return match


# ---------------------------------------------------------------- legal, and the same view


@pytest.mark.parametrize("name", games_with_secrets())
def test_samples_are_whole_positions_with_the_same_view(name: str) -> None:
    match = played(name, 3, 14)
    if match.seat is None:
        match = played(name, 3, 1)
    if match.decision is not None and match.decision.together:
        match.choose(0)
    changed = 0
    for seat in range(1, match.players + 1):
        if match.decision is not None and match.decision.together and match.seat != seat:
            continue
        pos, knowledge = match.interpreter.pos, match.interpreter.knowledge
        known, narrowed, view = knowledge.known, knowledge.narrowed, match.view(seat)
        samples = sampler_of(match, seat)
        for seed in range(4):
            sample = samples.sample(Generator(seed))
            conserved(sample.pos)
            assert list(sample.pos.slots) == list(pos.slots)
            assert sorted(map(len, sample.pos.contents.values())) == sorted(
                map(len, pos.contents.values())
            )
            _rooms_and_order(match, sample.pos)
            put(match, sample)
            assert match.view(seat) == view
            changed += sample.pos.contents != pos.contents
            match.interpreter.pos = pos
            knowledge.restore(known, narrowed)
    assert changed


def _rooms_and_order(match: Match, pos: Position) -> None:
    for place, held in pos.contents.items():
        room = match.table.rooms[place]
        assert room is None or len(held) <= room
        info = match.table.game.kinds[place.kind].place
        assert info is not None
        if not info.stack:
            assert [*held] == sorted(held, key=lambda piece: piece.order)


def test_where_all_is_known_the_sample_is_the_position() -> None:
    match = played("tic_tac_toe", 1, 3)
    samples = sampler_of(match, 1)
    assert samples.certain
    sample = samples.sample(Generator(1))
    assert sample.pos.contents == match.interpreter.pos.contents
    assert sample.pos is not match.interpreter.pos
    assert not sampler_of(played("kuhn_poker", 1, 0), 1).certain


def test_what_others_know_goes_with_the_role() -> None:
    """Player 2 knows its card, whichever it is."""
    match = played("kuhn_poker", 1, 0)
    hand = match.table.family("hand")[match.player(2),]
    samples = sampler_of(match, 1)
    for seed in range(8):
        sample = samples.sample(Generator(seed))
        (card,) = sample.pos.contents[hand]
        (other,) = sample.pos.contents[match.table.family("deck")[()]]
        assert (match.player(2), card) in sample.known
        assert (match.player(2), other) not in sample.known


# ---------------------------------------------------------------- equally likely

SAMPLES = 3_000


def chi_square(counts: Counter[Hashable], cells: dict[Hashable, float], total: int) -> float:
    """How far counts are from what is expected, in standard deviations of the statistic.

    With k degrees of freedom it has mean k and variance 2k; Wilson and Hilferty's cube root makes
    it nearly normal.
    """
    assert set(counts) <= set(cells), "a sample that can't be"
    weight = sum(cells.values())
    statistic = sum(
        (counts[cell] - total * part / weight) ** 2 / (total * part / weight)
        for cell, part in cells.items()
    )
    free = len(cells) - 1
    middle = 1 - 2 / (9 * free)
    return float(((statistic / free) ** (1 / 3) - middle) / (2 / (9 * free)) ** 0.5)


def spread(match: Match, seat: int, of: Callable[[Position], Hashable]) -> Counter[Hashable]:
    samples, generator = sampler_of(match, seat), Generator(11)
    return Counter(of(samples.sample(generator).pos) for _ in range(SAMPLES))


def enumerated(
    match: Match, seat: int, of: Callable[[Position], Hashable]
) -> dict[Hashable, float]:
    """Every way to deal the unknown pieces, as far as the seat was told."""
    interpreter, viewer = match.interpreter, match.player(seat)
    pos, knowledge = interpreter.pos, interpreter.knowledge
    unknown = [piece for piece in pos.place_of if not knowledge.knows(pos, viewer, piece)]
    cells: Counter[Hashable] = Counter()
    for order in permutations(unknown):
        roles = dict(zip(unknown, order, strict=True))
        told = knowledge.narrowed
        if all(
            (looks := told.get((viewer, role))) is None or look(piece) in looks
            for role, piece in roles.items()
        ):
            dealt = pos.copy()
            for place, held in pos.contents.items():
                now = [roles.get(piece, piece) for piece in held]
                info = match.table.game.kinds[place.kind].place
                assert info is not None
                if not info.stack:
                    now.sort(key=lambda piece: piece.order)
                dealt.contents[place] = tuple(now)
            cells[of(dealt)] += 1
    return dict(cells)


def _contents(pos: Position) -> Hashable:
    return tuple(pos.contents.values())


def test_kuhn_poker_is_dealt_evenly() -> None:
    match = played("kuhn_poker", 1, 0)
    for seat in (1, 2):
        cells = enumerated(match, seat, _contents)
        assert len(cells) == 2
        assert abs(chi_square(spread(match, seat, _contents), cells, SAMPLES)) < 4


def late_letter() -> Match:
    """A round with few unknown cards left."""
    for seed in range(100):
        match = played("love_letter", seed, 0)
        random = Random(seed)
        while match.seat is not None and len(match.history) < 40:
            pos, knowledge = match.interpreter.pos, match.interpreter.knowledge
            viewer = match.player(match.seat)
            unknown = [p for p in pos.place_of if not knowledge.knows(pos, viewer, p)]
            if 4 <= len(unknown) <= 6 and len({look(piece) for piece in unknown}) > 3:
                return match
            match.choose(random.randrange(len(match.options)))
    raise AssertionError("there is always such a round")


def test_love_letter_is_dealt_evenly() -> None:
    match = late_letter()
    assert match.seat is not None

    def faces(pos: Position) -> Hashable:
        return tuple(tuple(piece.face for piece in held) for held in pos.contents.values())

    cells = enumerated(match, match.seat, faces)
    assert len(cells) > 20
    assert abs(chi_square(spread(match, match.seat, faces), cells, SAMPLES)) < 4


def test_a_biased_spread_is_noticed() -> None:
    match = played("kuhn_poker", 1, 0)
    cells = enumerated(match, 1, _contents)
    first, second = cells
    biased: Counter[Hashable] = Counter({first: 1_650, second: 1_350})
    assert chi_square(biased, cells, SAMPLES) > 4


TOLD = """\
game told "Told"
    players 2

type Suit = red, blue
place deck of Card stack hidden
place hand per Player of Card hidden
piece Card 3 per Suit in deck

step setup
    shuffle deck
    for p in Player
        move 2 from deck to p.hand
    for c in Player(1).hand
        show c.suit to Player(1)
    set active = Player(1)

step play
    choose n in 1..2 "Which?"
"""


def told() -> Match:
    """A seat that was told the suits of its own cards, and knows no card at all."""
    game = check_rules(Source("told.rules", TOLD), Library(())).game
    assert game is not None
    return Match(game, 2, seed=2)


@pytest.mark.parametrize("attempts", [sampler.ATTEMPTS, 0], ids=["drawn", "exchanged"])
def test_what_was_told_is_heeded_evenly(attempts: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sampler, "ATTEMPTS", attempts)
    match = told()
    assert match.interpreter.knowledge.narrowed
    cells = enumerated(match, 1, _contents)
    assert 1 < len(cells) < 180
    assert abs(chi_square(spread(match, 1, _contents), cells, SAMPLES)) < 4


# ---------------------------------------------------------------- slots and numbers

SECRETS = """\
game secrets "Secrets"
    players 2

place bag per Player of Stone hidden uncounted
place cup of Stone
piece Stone 6 in cup
state Player.bid: 1..4 = 1 private
state Player.rival: Player or none = none private
state Player.bold: flag = no private
state Player.said: 0..9 = 7

step setup
    move 4 from cup to Player(1).bag
    move 2 from cup to Player(2).bag
    set active = Player(1)

step play
    choose active.bid in 1..4 "Which?"
    choose n in 1..2 "Which?"
"""


def secrets() -> Match:
    game = check_rules(Source("secrets.rules", SECRETS), Library(())).game
    assert game is not None
    match = Match(game, 2, seed=2)
    match.choose(3)
    return match


def test_slots_that_cannot_be_seen_get_any_value() -> None:
    match = secrets()
    generator, samples = Generator(1), sampler_of(match, 2)
    one, two = match.player(1), match.player(2)
    found: dict[str, set[object]] = {"bid": set(), "rival": set(), "bold": set()}
    for _ in range(100):
        slots = samples.sample(generator).pos.slots
        for name, values in found.items():
            values.add(slots[f"Player.{name}", one])
            assert (
                slots[f"Player.{name}", two] == match.interpreter.pos.slots[f"Player.{name}", two]
            )
        assert slots["Player.said", one] == 7
    assert found == {"bid": {1, 2, 3, 4}, "rival": {None, one, two}, "bold": {False, True}}
    own = sampler_of(match, 1).sample(generator).pos
    assert own.slots["Player.bid", one] == 4


def test_where_nobody_may_count_any_number_is_possible() -> None:
    match = secrets()
    generator, samples = Generator(1), sampler_of(match, 2)
    bag = match.table.family("bag")[match.player(1),]
    sizes = set()
    for _ in range(200):
        pos = samples.sample(generator).pos
        conserved(pos)
        sizes.add(len(pos.contents[bag]))
    assert sizes == set(range(7))


def test_pieces_keep_their_kind() -> None:
    match = played("pied_piper", 2, 6)
    sample = sampler_of(match, 1).sample(Generator(3))

    def kinds(held: tuple[Thing, ...]) -> list[str]:
        return sorted(piece.kind for piece in held)

    for place, held in match.interpreter.pos.contents.items():
        assert kinds(sample.pos.contents[place]) == kinds(held)
