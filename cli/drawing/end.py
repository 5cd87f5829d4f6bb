"""The end of a game: who won, everybody's place, and what decided it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ruledsl.scene.data import Ending, Placing
from ruledsl.texts import terminal
from ruledsl.texts.text import Phrases

from .text import safe, styled, wrap


def ending_lines(
    ending: Ending, player: Callable[[int], str], say: Phrases, columns: int
) -> list[str]:
    """The ranking with every key; where the first ones are equal, what broke the tie."""
    lines = [styled(say(terminal.OVER), "bold")]
    lines += [line for text in _told(ending, player, say) for line in wrap(text, columns, "   ")]
    return lines


def _told(ending: Ending, player: Callable[[int], str], say: Phrases) -> Iterator[str]:
    if ending.how == "limit":
        yield say(terminal.LIMIT)
    elif ending.because:
        yield safe(ending.because)
    winners = [player(placing.seat) for placing in ending.placings if placing.won]
    if winners:
        wins = terminal.WINS if len(winners) == 1 else terminal.WIN
        yield say(wins, players=", ".join(winners))
    elif ending.lost:
        yield say(terminal.LOST)
    elif ending.paid and len({placing.payoff for placing in ending.placings}) == 1:
        reached = ", ".join(_keys(ending.placings[0], (), say))
        yield say(terminal.TOGETHER, keys=reached)
        return
    else:
        yield say(terminal.DRAW)
        yield from _level(ending, player, say)
        return
    for number, placing in enumerate(ending.placings):
        before = ending.placings[number - 1] if number else None
        after = ending.placings[number + 1] if number + 1 < len(ending.placings) else None
        keys = list(_keys(placing, (before, after), say))
        if placing.apart:
            keys.append(safe(placing.apart))
        if ending.paid:
            keys.append(say(terminal.PAYOFF, points=str(placing.payoff)))
        text = terminal.RANK_KEYS if keys else terminal.RANK
        who = player(placing.seat)
        yield say(text, rank=str(placing.rank), players=who, keys=", ".join(keys))


def _level(ending: Ending, player: Callable[[int], str], say: Phrases) -> Iterator[str]:
    """Nobody is before anybody: what each one reached, with all that could have broken the tie."""
    for placing in ending.placings:
        keys = [
            say(terminal.KEY, label=safe(fact.label), value=safe(fact.text))
            for fact in placing.keys
        ]
        if ending.paid:
            keys.append(say(terminal.PAYOFF, points=str(placing.payoff)))
        if keys:
            yield say(terminal.REACHED, player=player(placing.seat), keys=", ".join(keys))


def _keys(placing: Placing, beside: Sequence[Placing | None], say: Phrases) -> Iterator[str]:
    """The first key, and those that told a player from the next ones."""
    needed = 1
    for other in beside:
        if other is None:
            continue
        pairs = zip(placing.keys, other.keys, strict=False)
        apart = (at for at, (mine, theirs) in enumerate(pairs, 1) if mine.text != theirs.text)
        needed = max(needed, next(apart, 1))
    for number, fact in enumerate(placing.keys[:needed], 1):
        text = terminal.DECIDING_KEY if number == needed > 1 else terminal.KEY
        yield say(text, label=safe(fact.label), value=safe(fact.text))
