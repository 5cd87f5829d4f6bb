"""How a game ended: places with all that decided them, pay-offs, and the rule that ended it."""

from __future__ import annotations

from collections.abc import Collection
from itertools import takewhile

from ruledsl.model import core
from ruledsl.model.endings import where_it_ends
from ruledsl.model.game import RankingInfo
from ruledsl.play.events import Chosen, Ended, Narrated
from ruledsl.play.log import Teller
from ruledsl.play.match import Match
from ruledsl.play.prose import Prose
from ruledsl.play.ranking import Result, scores_of
from ruledsl.play.words import Words
from ruledsl.scene.data import Ending, Fact, Placing
from ruledsl.syntax import ast
from ruledsl.table.things import Thing, Value
from ruledsl.texts import story as texts
from ruledsl.texts.text import Phrases


def ending_of(match: Match) -> Ending | None:
    result = match.result
    if result is None:
        return None
    ranking = match.game.ranking
    order = sorted(result.ranks.items(), key=lambda each: (each[1], each[0].index))
    ranked = _ranked(match, result)
    because, trail = _what_ended_it(match)
    deciding = () if ranking is None else _deciding(ranking, result, ranked)
    return Ending(
        result.how,
        tuple(_placing(match, player, rank, result, ranked) for player, rank in order),
        drawn=not result.winners and not result.all_lost,
        lost=result.all_lost,
        paid=ranking is not None and ranking.payoff is not None,
        because=because,
        cites=tuple(dict.fromkeys(_cites((*trail, *deciding)))),
    )


def _placing(
    match: Match, player: Thing, rank: int, result: Result, ranked: Collection[Thing]
) -> Placing:
    ranking, say = match.game.ranking, Phrases(match.words.language)
    keys: tuple[Fact, ...] = ()
    apart = ""
    if ranking is not None and player in ranked:
        keys = _keys(match, ranking, player, result)
    elif player in match.interpreter.pos.out:
        apart = say(texts.OUT)
    elif ranking is not None:
        apart = say(texts.NOT_RANKED)
    won = player in result.won
    return Placing(player.index + 1, rank, result.payoffs[player], won, keys, apart)


def _ranked(match: Match, result: Result) -> Collection[Thing]:
    """Whom the ranking is about; whoever has won without it is told what the others have."""
    named = result.won if result.how == "win" else ()
    return {*scores_of(match.table, match.interpreter.pos), *named}


def _deciding(ranking: RankingInfo, result: Result, ranked: Collection[Thing]) -> ast.Trail:
    """The marks of the keys that told the winners from the others, where the ranking did so."""
    if result.how not in ("end", "the rules"):
        return ()
    best = min(result.ranks[player] for player in ranked) if ranked else 1
    first = [result.keys[player] for player in ranked if result.ranks[player] == best]
    others = [result.keys[player] for player in ranked if result.ranks[player] != best]
    needed = max((_apart(mine, theirs) for mine in first for theirs in others), default=0)
    keys = ranking.keys[:needed] if others else ranking.keys
    return tuple(mark for key in keys for mark in key.trail)


def _apart(mine: tuple[Value, ...], theirs: tuple[Value, ...]) -> int:
    """So many keys are needed to tell two apart."""
    pairs = enumerate(zip(mine, theirs, strict=True), 1)
    return next((number for number, (one, other) in pairs if one != other), len(mine))


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
            return words.state(state)
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


def _what_ended_it(match: Match) -> tuple[str, ast.Trail]:
    """What is told where the rules end the game, or what happened there by itself."""
    events = match.interpreter.hands.events
    ended = next((event for event in reversed(events) if isinstance(event, Ended)), None)
    where = None if ended is None else where_it_ends(match.game, ended.span)
    if where is None:
        return "", ()
    teller = Teller(frozenset(match.table.things("Player")), match.words)
    since = takewhile(lambda event: not isinstance(event, Chosen), reversed(events))
    told = next((each for each in since if each.span in {*where.tells, where.within}), None)
    line = None if told is None else teller.line(told)
    if line is None:
        return "", where.trail
    if isinstance(told, Narrated):
        return line.text, where.trail
    return Phrases(match.words.language)(texts.BECAUSE, what=line.text), where.trail


def _cites(trail: ast.Trail) -> tuple[str, ...]:
    return tuple(mark.rule for mark in trail if isinstance(mark, ast.Cite))
