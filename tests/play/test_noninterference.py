"""What a seat can't see changes nothing for it: not its view, its choices, its log, nor a refusal.

In random positions two pieces that a seat can't tell apart change roles everywhere: where they lie,
in slots and locals, in what others know, in what happened. The seat must not notice.
"""

import os
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, partial
from itertools import combinations
from typing import Any

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ruledsl.diagnostics.source import Source, Span
from ruledsl.library import Library
from ruledsl.model import core
from ruledsl.model.assemble import Assembly, assemble
from ruledsl.model.elaborate import elaborate
from ruledsl.model.game import CheckedGame
from ruledsl.model.walk import statements
from ruledsl.play.check import check_source
from ruledsl.play.decisions import Decision
from ruledsl.play.events import AnyEvent, Moved
from ruledsl.play.knowledge import look
from ruledsl.play.match import Match
from ruledsl.scene.refusing import why
from ruledsl.scene.scene import scene_of
from ruledsl.table.errors import RulesError
from ruledsl.table.position import Position
from ruledsl.table.things import Thing, Value, in_order

from .table import games_with_secrets, loaded, shipped_games

SOAK = os.environ.get("HYPOTHESIS_PROFILE") == "soak"
EXAMPLES = 200 if SOAK else 2
CHOICES = 120 if SOAK else 60
"""The longest game that is played in an example."""
SWAPS = 6 if SOAK else 3
"""For each seat in each position that is looked at."""

Snapshot = dict[str, Any]


class Leak(AssertionError):
    """A seat would notice."""


# ------------------------------------------------------------ what a seat gets to see


def snapshot(match: Match, seat: int, typed: list[str]) -> Snapshot:
    """Everything the program tells a seat."""
    told: Snapshot = {
        "view": match.view(seat),
        "log": [line.text for line in match.log(seat)],
        "scene": scene_of(match, seat),
        "scene of an onlooker": scene_of(match, None),
    }
    if match.seat == seat:
        told["prompt"] = match.prompt
        told["options"] = [(choice.label, choice.code) for choice in match.options]
        for text in typed:
            told[f"typed {text}"] = match.read(text)
        for place in list(match.table.places())[:6]:
            told[f"pointed at {place}"] = why(match, [str(place)])
    return told


def options_again(match: Match) -> None:
    """Work out the options of the decision anew; the middle of a choice of several is left."""
    decision, interpreter = match.decision, match.interpreter
    match._choices = match._labels = None
    if decision is None or decision.picked:
        return
    statement = decision.statement
    if isinstance(statement, core.ChooseAction):
        with _quiet(match):
            options = interpreter.action_options(statement, decision.seat, decision.frame)
        match.decision = attrs.evolve(decision, options=options)
        return
    match.decision = next(_asked_again(match, statement, decision), decision)


def _asked_again(
    match: Match, statement: core.ChooseValue, decision: Decision
) -> Iterator[Decision]:
    """The first decision of a choice of a value."""
    interpreter = match.interpreter
    before = interpreter.ask_always, interpreter.decisions
    interpreter.ask_always = True
    with _quiet(match):
        run = interpreter._choose_value(statement, decision.frame)
        try:
            yield from run
        finally:
            run.close()
            interpreter.ask_always, interpreter.decisions = before


@contextmanager
def _quiet(match: Match) -> Iterator[None]:
    """Without the stop that asking is."""
    interpreter = match.interpreter
    settle = interpreter.settle
    interpreter.settle = lambda **_: None  # type: ignore[method-assign]
    try:
        yield
    finally:
        interpreter.settle = settle  # type: ignore[method-assign]


# ------------------------------------------------------------ two pieces change roles


def pairs(match: Match, seat: int) -> list[tuple[Thing, Thing]]:
    """Pieces that a seat can't tell apart by anything it sees, knows or was told."""
    interpreter = match.interpreter
    viewer = match.player(seat)
    seen = interpreter.perspective(viewer)
    knowledge, pos = interpreter.knowledge, seen.pos
    positions = _positions(match)

    def unknown(piece: Thing) -> bool:
        return (viewer, piece) not in seen.known and not any(
            knowledge.sees(each, viewer, piece) for each in (pos, *positions)
        )

    def told(piece: Thing) -> object:
        return [
            (key, pos.slots[key, piece])
            for key, state in interpreter.game.states.items()
            if state.owner == piece.kind and knowledge.sees_slot(pos, viewer, key, piece)
        ]

    def fits(piece: Thing, role: Thing) -> bool:
        looks = knowledge.narrowed.get((viewer, role))
        return looks is None or look(piece) in looks

    hidden = [piece for piece in pos.place_of if unknown(piece)]
    return [
        (one, other)
        for one, other in combinations(hidden, 2)
        if one.kind == other.kind
        and (look(one) != look(other) or pos.place_of[one] is not pos.place_of[other])
        and fits(one, other)
        and fits(other, one)
        and told(one) == told(other)
    ]


def _positions(match: Match) -> list[Position]:
    """The position, and those of players who choose at the same time."""
    interpreter = match.interpreter
    found = [interpreter.pos, *(each.pos for each in interpreter._apart.values())]
    return list({id(pos): pos for pos in found}.values())


def swap(match: Match, seat: int, one: Thing, other: Thing) -> None:
    """Give two pieces each other's role; once more, and all is as before."""
    roles = {one: other, other: one}
    interpreter = match.interpreter
    viewer = match.player(seat)

    def renamed(value: Any) -> Any:
        if isinstance(value, Thing):
            return roles.get(value, value)
        if isinstance(value, tuple):
            now = tuple(map(renamed, value))
            return value if now == value else now
        return value

    def told(event: AnyEvent) -> AnyEvent:
        """What happened, unless the seat could tell which piece it was."""
        if any((viewer, piece) in event.seen for piece in roles):
            return event
        fields = attrs.fields(type(event))
        values = {
            field.name: renamed(getattr(event, field.name))
            for field in fields
            if field.name not in ("span", "trail", "seen")
        }
        if isinstance(event, Moved) and not _is_stack(interpreter.game, event.source):
            values["pieces"] = in_order({*values["pieces"]})
        changed = any(getattr(event, name) != value for name, value in values.items())
        return attrs.evolve(event, **values) if changed else event

    for pos in _positions(match):
        _swap_in(pos, roles, renamed, interpreter.game)
    frames = [frame for frame, _ in interpreter.frames]
    if match.decision is not None:
        frames.append(match.decision.frame)
    for frame in {id(frame): frame for frame in frames}.values():
        frame[:] = [renamed(value) for value in frame]
    knowledge = interpreter.knowledge
    knowledge.known = frozenset((who, renamed(piece)) for who, piece in knowledge.known)
    knowledge.narrowed = {
        (who, renamed(piece)): looks for (who, piece), looks in knowledge.narrowed.items()
    }
    interpreter._apart = {
        who: attrs.evolve(
            each,
            known=frozenset((who, renamed(piece)) for who, piece in each.known),
            narrowed={(who, renamed(piece)): told for (who, piece), told in each.narrowed.items()},
            events=list(map(told, each.events)),
        )
        for who, each in interpreter._apart.items()
    }
    interpreter.hands.events[:] = map(told, interpreter.hands.events)


def _swap_in(pos: Position, roles: dict[Thing, Thing], renamed: Any, game: CheckedGame) -> None:
    for place, pieces in pos.contents.items():
        if any(piece in roles for piece in pieces):
            now = [roles.get(piece, piece) for piece in pieces]
            if not _is_stack(game, place):
                now.sort(key=lambda piece: piece.order)
            pos.contents[place] = tuple(now)
            for piece in now:
                pos.place_of[piece] = place
    pos.slots = {(key, owner): renamed(pos.slots[key, renamed(owner)]) for key, owner in pos.slots}
    pos.changed()


def _is_stack(game: CheckedGame, place: Thing) -> bool:
    info = game.kinds[place.kind].place
    assert info is not None
    return info.stack


def swap_slots(match: Match, seat: int, rng: random.Random) -> Iterator[str]:
    """Give slots that a seat can't see other values, one after the other, and back again."""
    interpreter = match.interpreter
    viewer, knowledge = match.player(seat), interpreter.knowledge
    pos = interpreter.perspective(viewer).pos
    for key, owner in list(pos.slots):
        value = pos.slots[key, owner]
        others = [other for other in _others(match, key, owner) if other != value]
        if others and not knowledge.sees_slot(pos, viewer, key, owner):
            pos.slots[key, owner] = rng.choice(others)
            pos.changed()
            yield f"{key} of {owner}"
            pos.slots[key, owner] = value
            pos.changed()


def _others(match: Match, key: str, owner: Thing | None) -> list[Value]:
    """Values that a slot could have."""
    slot = match.table.slots[key, owner]
    match match.interpreter.pos.slots[key, owner]:
        case bool():
            return [False, True]
        case int() if slot.low is not None and slot.high is not None:
            return list(range(slot.low, slot.high + 1))
        case Thing(kind=kind):
            return list(match.table.things(kind))
        case _:
            return []


# ------------------------------------------------------------ the check


def check_position(match: Match, rng: random.Random, typed: list[str]) -> int:
    """Look at a position from every seat; returns the number of exchanges tried."""
    tried = 0
    for seat in range(1, match.players + 1):
        options_again(match)
        before = snapshot(match, seat, typed)
        found = pairs(match, seat)
        for one, other in rng.sample(found, min(SWAPS, len(found))):
            tried += 1
            swap(match, seat, one, other)
            options_again(match)
            try:
                _compare(match, seat, before, snapshot(match, seat, typed), f"{one} and {other}")
            finally:
                swap(match, seat, one, other)
                options_again(match)
        for slot in swap_slots(match, seat, rng):
            tried += 1
            options_again(match)
            _compare(match, seat, before, snapshot(match, seat, typed), slot)
        options_again(match)
        _compare(match, seat, before, snapshot(match, seat, typed), "nothing")
    return tried


def _compare(match: Match, seat: int, before: Snapshot, after: Snapshot, what: str) -> None:
    for part, told in before.items():
        if after[part] != told:
            where = match.decision.span if match.decision is not None else None
            raise Leak(
                f"seat {seat} notices that {what} changed, by its {part}, at {where}:\n"
                f"{_difference(told, after[part])}"
            )


def _difference(before: Any, after: Any) -> str:
    if isinstance(before, list):
        missing = [each for each in before if each not in after]
        new = [each for each in after if each not in before]
        return f"  before: {missing or before}\n  after: {new or after}"
    if attrs.has(type(before)) and type(before) is type(after):
        return "\n".join(
            f"  {name}:\n{_difference(getattr(before, name), getattr(after, name))}"
            for name in (field.name for field in attrs.fields(type(before)))
            if getattr(before, name) != getattr(after, name)
        )
    if isinstance(before, tuple) and isinstance(after, tuple) and len(before) == len(after):
        return "\n".join(
            _difference(one, other)
            for one, other in zip(before, after, strict=True)
            if one != other
        )
    return f"  before: {before}\n  after: {after}"


def check_game(match: Match, rng: random.Random, choices: int, often: float = 0.06) -> int:
    """Play at random, with a look at some positions on the way and at the last."""
    tried = 0
    offered: list[str] = []
    while match.seat is not None and len(match.history) < choices:
        offered.extend(choice.label for choice in match.options)
        if rng.random() < often:
            tried += check_position(match, rng, rng.sample(offered, min(2, len(offered))))
        match.choose(rng.randrange(len(match.options)))
    return tried + check_position(match, rng, rng.sample(offered, min(2, len(offered))))


# ------------------------------------------------------------ from one decision to the next

AGAIN = 6 if SOAK else 2
"""Exchanges that are tried from one decision on."""


def check_onward(start: Callable[[], Match], rng: random.Random, choices: int) -> int:
    """Exchange pieces before a choice, make the same choice, and look at the next decision.

    As long as nothing that happens differs, what sentences of the rules tell must not either, nor
    who is asked and what may be chosen.
    """
    match, made, tried = start(), list[int](), 0
    while match.seat is not None and len(made) < choices:
        picked = rng.randrange(len(match.options))
        for seat in range(1, match.players + 1):
            found = pairs(match, seat)
            for one, other in rng.sample(found, min(AGAIN, len(found))):
                tried += _tried_onward(start, made, picked, seat, (one.order, other.order))
            tried += _chosen_otherwise(start, made, seat)
        match.choose(picked)
        made.append(picked)
    return tried


def _tried_onward(
    start: Callable[[], Match], made: list[int], picked: int, seat: int, orders: tuple[int, int]
) -> int:
    truth, other = _again(start, made), _again(start, made)
    pieces = {piece.order: piece for piece in other.interpreter.pos.place_of}
    one, two = (pieces[order] for order in orders)
    if any(piece in _mentioned(other.options[picked].option) for piece in (one, two)):
        # Then it would not be the same choice.
        return 0
    swap(other, seat, one, two)
    for each in (truth, other):
        try:
            each.choose(picked)
        except RulesError:
            return 0
    if _heard(truth, seat) != _heard(other, seat):
        return 1
    if _told(truth, seat) != _told(other, seat):
        raise Leak(f"seat {seat} is told a secret: {_told(truth, seat)} or {_told(other, seat)}")
    if truth.seat != other.seat:
        raise Leak(f"seat {seat} notices who is asked: {truth.seat} or {other.seat}")
    if truth.seat == seat and _asked(truth) != _asked(other):
        raise Leak(f"seat {seat} notices what it may choose: {_asked(truth)} or {_asked(other)}")
    return 1


def _chosen_otherwise(start: Callable[[], Match], made: list[int], seat: int) -> int:
    """Where only what a seat can't see comes of a choice, it must not hear which it was."""
    first = _again(start, made)
    if first.seat in (None, seat) or len(first.options) < 2:
        return 0
    last = _again(start, made)
    first.choose(0)
    last.choose(len(last.options) - 1)
    before, after = (
        {str(key): str(value) for key, value in match.interpreter.pos.slots.items()}
        for match in (first, last)
    )
    hidden = [key for key, value in before.items() if after[key] != value]
    (seen, heard), (seen_last, heard_last) = _heard(first, seat), _heard(last, seat)
    if not hidden or seen != seen_last:
        return 0
    if heard != heard_last:
        raise Leak(f"seat {seat} hears what is kept in {hidden[0]}")
    return 1


def _mentioned(value: Any) -> list[Thing]:
    """The things that an option is about."""
    if isinstance(value, Thing):
        return [value]
    if isinstance(value, tuple):
        return [thing for item in value for thing in _mentioned(item)]
    if attrs.has(type(value)):
        return _mentioned(tuple(getattr(value, each.name) for each in attrs.fields(type(value))))
    return []


def _again(start: Callable[[], Match], made: list[int]) -> Match:
    match = start()
    for number in made:
        match.choose(number)
    return match


def _heard(match: Match, seat: int) -> tuple[str, list[str]]:
    """What a seat sees and hears happen, comparable from match to match."""
    told = _sentences(match.game)
    return str(match.view(seat)), [line.text for line in match.log(seat) if line.span not in told]


def _told(match: Match, seat: int) -> list[str]:
    """What the rules tell a seat in sentences of their own."""
    told = _sentences(match.game)
    return [line.text for line in match.log(seat) if line.span in told]


@cache
def _sentences(game: CheckedGame) -> frozenset[Span]:
    """Where the rules have sentences of their own."""
    parts = (part for block in game.blocks() for part in statements(block))
    return frozenset(part.span for part in parts if isinstance(part, core.Tell))


def _asked(match: Match) -> list[str]:
    return [match.prompt, *(choice.label for choice in match.options)]


GAMES = games_with_secrets()


@pytest.mark.parametrize("name", GAMES)
def test_nobody_notices_at_the_next_decision(name: str) -> None:
    game = loaded(name)
    seeds = range(20 if SOAK else 1)
    choices = 40 if SOAK else 3
    players = min(game.players)
    tried = 0
    for seed in seeds:
        start = partial(game.start, players, seed=seed)
        tried += check_onward(start, random.Random(seed), choices)
    assert tried


@pytest.mark.parametrize("name", GAMES)
def test_nobody_notices_what_is_hidden(name: str) -> None:
    game = loaded(name)
    tried = 0

    @settings(max_examples=EXAMPLES)
    @given(
        players=st.sampled_from(game.players),
        seed=st.integers(0, 2**32 - 1),
        choices=st.integers(0, CHOICES),
    )
    def check(players: int, seed: int, choices: int) -> None:
        nonlocal tried
        tried += check_game(game.start(players, seed=seed), random.Random(seed), choices)

    check()
    assert tried


@pytest.mark.parametrize(
    ("name", "players", "choices"),
    [("hearts", 4, 75), ("little_realm", 2, 60), ("love_letter", 2, 30)],
)
def test_nobody_notices_what_was_shuffled_again(name: str, players: int, choices: int) -> None:
    """Neither at once nor when the same choices are made again, as for a replay."""
    match = loaded(name).start(players, seed=7)
    assert check_game(match, random.Random(name), choices, often=0)
    assert sum("shuffle" in line.text for line in match.log(1)) > 1
    match.replay(match.history)
    assert check_position(match, random.Random(name), [])


def test_open_games_have_no_secrets() -> None:
    """The suite can't silently become empty."""
    assert len(GAMES) >= 12
    others = set(shipped_games()) - set(GAMES)
    assert others


# ------------------------------------------------------------ planted leaks

RULES = """\
game peek "Peek"
    players 2

place deck of Card stack hidden
place hand per Player of Card private
place table of Card
place pile of Card hidden

piece Card in deck | count | rank
    low            | 6     | 1
    high           | 6     | 2

{states}

step setup
    shuffle deck
    for p in Player
        move 3 from deck to p.hand
    set active = Player(1)
    {setup}

step play
    repeat 4 times
        turn
        set active = active.next

step turn
    {turn}

action lay(card in you.hand) "Lay a card"
    {require}
    move card to table
"""

LAY = 'choose "Which card?"\n        lay\n    else skip'
TAKE = 'choose card in active.next.hand "Which of theirs?"\n    else skip'
SHOW_HIGH = "for c in Player(2).hand where c is high\n        show c to Player(1)"
ANY_OF_THEIRS = "sure(first(c in Player(2).hand))"


@cache
def game_of(require: str, turn: str, setup: str, states: str) -> CheckedGame:
    """A game put together without the checks that would refuse a leak."""
    text = RULES.format(require=require, turn=turn, setup=setup, states=states)
    assembly = assemble(Source("peek.rules", text), Library(()))
    assert isinstance(assembly, Assembly), assembly
    game = elaborate(assembly).game
    assert game is not None
    return game


def started(
    seed: int, *, require: str = "skip", turn: str = LAY, setup: str = "skip", states: str = ""
) -> Match:
    return Match(game_of(require, turn, setup, states), 2, seed=seed)


def leaks(**parts: str) -> bool:
    for seed in range(12):
        try:
            check_game(started(seed, **parts), random.Random(seed), 4, often=1)
            check_onward(partial(started, seed, **parts), random.Random(seed), 3)
        except Leak:
            return True
    return False


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param(
            {"require": 'require any(c in you.next.hand where c is high) "Not now."'},
            id="a requirement peeks into another hand",
        ),
        pytest.param(
            {"turn": "choose guess in {c.rank for c in you.next.hand}\n    else skip"},
            id="what can be chosen depends on another hand",
        ),
        pytest.param(
            {
                "states": "state wanted: 1..2 = 1 hidden",
                "require": 'require card.rank >= wanted "Not this one."',
            },
            id="a requirement depends on a hidden state",
        ),
        pytest.param(
            {"turn": "let best = sure(deck.top).rank\n    choose n in best..4\n    else skip"},
            id="a name",
        ),
        pytest.param(
            {
                "states": "step drawn\n    move 1 from deck to active.hand",
                "require": (
                    'require would(count(c in you.hand where c is high) > 1 after drawn) "Not now."'
                ),
            },
            id="a look ahead",
        ),
        pytest.param(
            {
                "states": "define weight(c: low) = 1\ndefine weight(c: high) = 2",
                "require": 'require weight(sure(deck.top)) = 2 "Not now."',
            },
            id="a definition by rows",
        ),
        pytest.param(
            {
                "states": 'action lay_high(card in you.hand)\n    require card is high "No."\n'
                "    move card to table",
                "require": 'require can(lay_high by you.next) "Not now."',
            },
            id="what another can do",
        ),
        pytest.param(
            {
                "require": (
                    'require count(c in Card where c is high and c.place = deck) > 3 "Not now."'
                )
            },
            id="where a piece lies",
        ),
        pytest.param(
            {
                "states": "action name(n in 1..2)\n    skip",
                "turn": "choose\n        name(sure(deck.top).rank)\n        lay",
            },
            id="an argument of an action that is offered",
        ),
        pytest.param(
            {
                "states": "step asked(n: 1..2)\n    choose m in n..4\n    else skip",
                "turn": "asked(sure(deck.top).rank)",
            },
            id="an argument of a step",
        ),
        pytest.param(
            {
                "turn": (
                    "let best = sure(deck.top).rank\n"
                    '    choose n in 1..4 "Is it {best}?"\n    else skip'
                )
            },
            id="a prompt",
        ),
        pytest.param(
            {
                "states": "state Player.bid: 0..3 = 0 private",
                "turn": "choose b in 1..3 by active\n    set active.bid = b",
            },
            id="a secret that everybody heard",
        ),
        pytest.param(
            {"turn": f'tell "It is {{sure(deck.top).rank}}."\n    {LAY}'},
            id="a sentence that is told",
        ),
        pytest.param(
            {"turn": f'if sure(deck.top).rank = 2\n        tell "Ha."\n    {LAY}'},
            id="whether a sentence is told",
        ),
        pytest.param(
            {
                "states": "step peek gives number\n    give sure(deck.top).rank",
                "turn": "let n = peek\n    choose m in n..4\n    else skip",
            },
            id="what a step gives",
        ),
        pytest.param(
            {
                "turn": (
                    "let first_one = sure(deck.top).rank = 2\n"
                    "    choose n in 1..4 by (if first_one then Player(1) else Player(2))\n"
                    "    else skip"
                )
            },
            id="who is asked",
        ),
        pytest.param(
            {
                "turn": (
                    "for p in Player highest sum(c.rank for c in p.hand)\n"
                    "        choose n in 1..3 by p"
                )
            },
            id="in which order players are asked",
        ),
        pytest.param(
            {
                "turn": (
                    "show sure(deck.top) to active.next\n"
                    "    choose n in 1..sure(deck.top).rank + 1\n    else skip"
                )
            },
            id="what another was shown",
        ),
    ],
)
def test_a_leak_in_the_rules_is_caught(parts: dict[str, str]) -> None:
    assert leaks(**parts)
    assert {"leak", "told-before", "asked-openly"} & set(complaints(**parts))


def complaints(
    *, require: str = "skip", turn: str = LAY, setup: str = "skip", states: str = ""
) -> list[str]:
    """What the checker says about the same rules."""
    text = RULES.format(require=require, turn=turn, setup=setup, states=states)
    found = check_source(Source("peek.rules", text), Library(())).diagnostics
    return [diagnostic.code.name for diagnostic in found]


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param({}, id="nothing special"),
        pytest.param({"setup": SHOW_HIGH, "turn": TAKE}, id="the order of options"),
        pytest.param(
            {"setup": SHOW_HIGH, "turn": "move all from active.next.hand to pile"},
            id="the order in a line of the log",
        ),
        pytest.param(
            {
                "states": "state secret: Card or none = none hidden",
                "setup": f"set secret = {ANY_OF_THEIRS}",
                "turn": TAKE,
            },
            id="a hidden state that names a piece",
        ),
        pytest.param(
            {
                "states": "state marked: Card or none = none",
                "setup": f"set marked = {ANY_OF_THEIRS}",
            },
            id="an open state that names a hidden piece",
        ),
        pytest.param(
            {
                "states": "state marked: set of Card = {}",
                "setup": "set marked = {c in Player(2).hand}",
                "turn": TAKE,
            },
            id="an open state that names several hidden pieces",
        ),
        pytest.param(
            {"turn": f"{TAKE.replace('card', 'one')}\n    {TAKE}"}, id="a piece chosen before"
        ),
    ],
)
def test_the_program_adds_no_leak(parts: dict[str, str]) -> None:
    assert not leaks(**parts)


# ------------------------------------------------------------ what was seen, and when


def lines(match: Match, seat: int, part: str) -> list[str]:
    return [line.text for line in match.log(seat) if part in line.text]


def test_a_secret_choice_is_told_to_its_chooser_alone() -> None:
    states = "state Player.secret: 0..3 = 0 private"
    match = started(1, states=states, turn='choose active.secret in 1..3 "Which number?"')
    match.choose(2)
    assert lines(match, 1, "Player 1:") == ["Player 1: 3"]
    assert lines(match, 1, "secret") == ["secret (Player 1) is now 3"]
    assert lines(match, 2, "chosen") == ["Player 1 has chosen"]
    assert lines(match, 2, "Player 1:") == lines(match, 2, "secret") == []


def test_what_is_seen_after_a_shuffle_was_not_seen_before() -> None:
    turn = """\
choose number in 1..2
    move all from active.hand to deck
    shuffle deck
    move all from deck to active.next.hand
    choose card in active.next.hand by active.next"""
    match = started(3, turn=turn)
    match.choose(0)
    assert lines(match, 2, "hand (Player 1) → deck") == ["3 × Card: hand (Player 1) → deck"]
    assert "Card" not in lines(match, 1, "hand (Player 1) → deck")[0]
    assert "Card" not in lines(match, 2, "deck → hand (Player 2)")[-1]


def test_a_card_played_could_be_the_one_that_was_shown() -> None:
    """A high card is shown, a high card is played: whether it was that one nobody can tell."""
    setup = """\
show sure(first(c in Player(2).hand where c is high)) to Player(1)
    set active = Player(2)"""
    played = 0
    for seed in range(40):
        try:
            match = started(seed, setup=setup)
        except RulesError:
            continue  # There is no high card to be shown.
        match.choose(next(choice for choice in match.options if "high" in choice.label))
        hand = match.table.family("hand")[match.player(2),]
        assert all(piece.piece is None for piece in match.view(1).at(hand))
        played += 1
    assert played > 20
