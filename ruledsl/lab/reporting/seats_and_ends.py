"""Who wins, and how games end: seats, endings, games that come to none."""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt

from ruledsl.engine.counters import endings
from ruledsl.lab.reporting.finding import (
    ENOUGH,
    LEVEL,
    Finding,
    Weight,
    hard_to_say,
    many,
    mostly_cut,
    plain_percent,
    rarely,
    share_cut,
)
from ruledsl.lab.reporting.naming import blocks_of, written
from ruledsl.lab.reporting.study import RANDOM, Study, cut_games
from ruledsl.lab.reporting.sureness import UNFAIR
from ruledsl.lab.statistics import critical, proportion
from ruledsl.lab.wording import percent
from ruledsl.model import core


def broken(study: Study) -> Iterator[Finding]:
    for players, observed in study.observed.items():
        for failure in observed.tally.summary().failures:
            share = proportion(failure.games, observed.tally.games)
            text = f"With {players} players the rules go wrong in {percent(share)} of games"
            yield Finding("fault", f"{text}: {failure.message}")


def seats(study: Study) -> Iterator[Finding]:
    """Seats that win too often or too seldom."""
    z = critical(sum(study.observed), LEVEL)
    unfair: list[str] = []
    doubtful: list[str] = []
    won = False
    for players, observed in study.observed.items():
        summary = observed.tally.summary()
        games = summary.finished
        total = sum(seat.wins.value for seat in summary.seats)
        if players < 2 or not games or not total:
            continue
        expected, won = total / players, True
        least = max(z * sqrt(expected * (1 - expected) / games), UNFAIR)
        shares = [(seat.seat, seat.wins.value) for seat in summary.seats]
        off = [(seat, won) for seat, won in shares if abs(won - expected) > least]
        if off:
            told = " and ".join(
                f"seat {seat} wins {percent(proportion(won * games, games))}" for seat, won in off
            )
            text = f"ith {players} players, {told} of games instead of {plain_percent(expected)}"
            unfair.append(text)
        seat, most = max(shares, key=lambda each: abs(each[1] - expected))
        share = proportion(most * games, games)
        if abs(most - expected) > UNFAIR and not share.low <= expected <= share.high:
            doubtful.append(f"with {players} players, seat {seat} wins {percent(share)}")
    if unfair:
        first, *others = unfair
        yield Finding("fault", f"W{first}.")
        if others:
            told = "; w".join(others)
            yield Finding("fault", f"Seats are not equal in these games either: w{told}.")
    elif won:
        games = min(each.tally.games for each in study.observed.values())
        text = f"No seat is better than another, as far as {many(games)} games for each number of "
        text += "players tell."
        if games < ENOUGH or doubtful:
            text = f"{many(games)} games for each number of players are too few to tell whether "
            text += "a seat is better than another"
            text += f"; in doubt: {', '.join(doubtful)}." if doubtful else "."
        yield Finding("note", text)


def first_choice(study: Study) -> Iterator[Finding]:
    """Where it is drawn who begins, seats are alike, whatever beginning is worth."""
    found = study.beginning
    if found is None or not found.drawn or found.games < ENOUGH:
        return
    fair = 1 / study.players
    share = proportion(found.wins, found.games)
    least = max(critical(1, LEVEL) * sqrt(fair * (1 - fair) / found.games), UNFAIR)
    text = f"With {study.players} players it is drawn who chooses first, so seats are alike in that"
    if abs(share.value - fair) > least:
        text += f". Whoever does wins {percent(share)} of games instead of {plain_percent(fair)}."
        yield Finding("notable", text)
    else:
        yield Finding("note", f"{text}; whoever does wins {percent(share)} of games.")


def told_endings(study: Study) -> Iterator[Finding]:
    never: list[core.Win | core.End] = []
    for _, block in blocks_of(study.checked):
        never += [each for each in endings(block) if not study.line(each)]
    weight: Weight = "notable" if hard_to_say(study) else "fault"
    for each in _once_per_line(never):
        text = f"No game ended by this: {written(study, each.span)}, {rarely(study.games)}."
        yield Finding(weight, text, each.span, each.trail)


def cut(study: Study) -> Iterator[Finding]:
    """Games that do not end by the rules, and what that means for all that is said."""
    shares = {players: share_cut(observed) for players, observed in study.observed.items()}
    often = [
        f"with {players} players {percent(share)}"
        for players, share in shares.items()
        if share.low > 0.01
    ]
    if often:
        told = ", ".join(often)
        text = (
            f"{told[0].upper()}{told[1:]} of games by {study.of_whom} never end by the rules: they "
        )
        text += "are cut at the limit of decisions."
        if shares[study.players].low > 0.01:
            text += _better_players_finish(study)
        yield Finding("fault", text)
    if mostly_cut(study):
        text = (
            "Random players hardly ever come to an end here, so seats, length and what goes with "
        )
        text += "winning tell little, and what never happened may just be out of their reach."
        yield Finding("notable", text)


def drawn(study: Study) -> Iterator[Finding]:
    """Wins of all seats add up to less than all games: where the rest went."""
    shares = []
    for players, observed in study.observed.items():
        summary = observed.tally.summary()
        drawn = proportion(observed.tally.drawn, summary.finished)
        if players > 1 and share_cut(observed).value < drawn.low:
            shares.append(f"{percent(drawn)} with {players} players")
    if shares:
        yield Finding("note", f"Games without a winner: {', '.join(shares)}.")


def _better_players_finish(study: Study) -> str:
    if study.who != RANDOM:
        return ""
    if study.tried:
        words = " and ".join(f"“{who.word}”" for who in study.tried)
        return f" Players who look ahead, {words}, do not finish either."
    ladder = study.ladder
    if ladder is None:
        more = "--skilled 8" if study.setting.skilled == 0 else "--time 900 --jobs 2"
        return (
            f" Do better players finish? `ruledsl report {study.checked.name} {more}` seats some."
        )
    among = ", ".join(f"“{kind.player}”" for kind in ladder.players)
    ended = ladder.games - ladder.cut
    return f" Of {many(ladder.games)} games among {among}, {many(ended)} ended by the rules."


def who_plays(study: Study) -> str:
    """For whom all figures hold; and whose games they are about, where these are not random."""
    if study.unfinished is None or study.who == RANDOM:
        return (
            "Players choose at random among all that the rules allow, and figures hold for such "
            "players: what they never do is hard to bring about, but what people would choose, "
            "they do not tell. Only “skill” is about players who look ahead."
        )
    cut, games = cut_games(study.unfinished), study.unfinished.tally.games
    return (
        f"Random players hardly ever come to an end here ({many(cut)} of {many(games)} games were "
        f"cut at the limit of decisions). So {study.of_whom}, who look ahead, play the games that "
        f"this is about: {many(study.games)}, as many as there was time for. Figures hold for them."
    )


def _once_per_line(nodes: list[core.Win | core.End]) -> list[core.Win | core.End]:
    return list({(each.span.file, each.span.line): each for each in nodes}.values())
