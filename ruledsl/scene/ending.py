"""How a game ended: places with all that decided them, pay-offs, and the rule that ended it."""

from __future__ import annotations

from collections.abc import Sequence

from ruledsl.model import core
from ruledsl.model.game import RankingInfo
from ruledsl.play.events import AnyEvent, Chosen, Triggered
from ruledsl.play.match import Match
from ruledsl.play.prose import Prose
from ruledsl.play.ranking import Result
from ruledsl.play.words import Words
from ruledsl.scene.data import Ending, Fact, Placing
from ruledsl.syntax import ast
from ruledsl.table.things import Thing


def ending_of(match: Match) -> Ending | None:
    result = match.result
    if result is None:
        return None
    ranking = match.game.ranking
    order = sorted(result.ranks.items(), key=lambda each: (each[1], each[0].index))
    return Ending(
        result.how,
        tuple(
            Placing(
                player.index + 1,
                rank,
                result.payoffs[player],
                player in result.won,
                () if ranking is None else _keys(match, ranking, player, result),
            )
            for player, rank in order
        ),
        drawn=not result.winners and not result.all_lost,
        lost=result.all_lost,
        paid=ranking is not None and ranking.payoff is not None,
        because=_because(match, match.interpreter.hands.events),
        cites=_cites(match.interpreter.hands.events),
    )


def _keys(match: Match, ranking: RankingInfo, player: Thing, result: Result) -> tuple[Fact, ...]:
    """What the ranking went by, the first before those that break ties."""
    return tuple(
        Fact(str(number), label_of(key.value, match.words), match.words.value(value))
        for number, (key, value) in enumerate(
            zip(ranking.keys, result.keys.get(player, ()), strict=False)
        )
    )


def label_of(node: core.Expr, words: Words) -> str:
    """What a value is called: a state, a definition, or the place whose pieces are counted."""
    match node:
        case core.ReadState(state=state):
            return words.name(state.rpartition(".")[2])
        case core.CallDefine(define=define):
            return words.name(words.game.defines[define].name)
        case core.ReadFeature(feature=feature):
            return Prose(words).telling.feature(feature)
        case core.Query(word="count", draws=(core.Draw(domain=domain),), where=None):
            match domain:
                case core.Contents(place=core.PlaceAt(place=place)):
                    return words.name(place)
                case core.CallDefine():
                    return label_of(domain, words)
                case _:
                    return _told(node, words)
        case _:
            return _told(node, words)


def _told(node: core.Expr, words: Words) -> str:
    """A value of the player whose place it decides."""
    prose, ranking = Prose(words), words.game.ranking
    telling = prose.telling if ranking is None else prose.telling.owning(ranking.local)
    return prose.polished(str(telling.said(node)))


def _last_trigger(events: Sequence[AnyEvent]) -> Triggered | None:
    """What happened by itself after the last choice, and so ended the game."""
    for event in reversed(events):
        if isinstance(event, Chosen):
            return None
        if isinstance(event, Triggered):
            return event
    return None


def _because(match: Match, events: Sequence[AnyEvent]) -> str:
    event = _last_trigger(events)
    if event is None:
        return ""
    title = match.game.triggers[event.trigger].title
    values = (
        {}
        if title is None
        else {
            draw.local.name: match.words.value(value)
            for draw, value in zip(
                match.game.triggers[event.trigger].picks, event.values, strict=True
            )
        }
    )
    return match.words.trigger(event.trigger, values)


def _cites(events: Sequence[AnyEvent]) -> tuple[str, ...]:
    event = _last_trigger(events)
    if event is None:
        return ()
    return tuple(mark.rule for mark in event.trail if isinstance(mark, ast.Cite))
