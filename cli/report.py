"""`ruledsl report`: what a game is like, as a page with pictures or in the terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from time import monotonic, process_time
from typing import Any

import attrs
import click

from ruledsl.diagnostics.source import NOWHERE
from ruledsl.diagnostics.wording import printable
from ruledsl.engine.unsupported import Unsupported
from ruledsl.lab.arena import RoundRobin
from ruledsl.lab.counting import CountedGames, Observed
from ruledsl.lab.reporting.charts import pictures
from ruledsl.lab.reporting.finding import Finding
from ruledsl.lab.reporting.findings import findings_of
from ruledsl.lab.reporting.naming import about
from ruledsl.lab.reporting.page import page_of
from ruledsl.lab.reporting.rows import write_rows
from ruledsl.lab.reporting.seats_and_ends import who_plays
from ruledsl.lab.reporting.study import (
    USUAL_GAMES,
    USUAL_SECONDS,
    USUAL_SKILLED,
    Setting,
    Study,
    study_of,
)
from ruledsl.lab.statistics import proportion
from ruledsl.lab.tally import GameRow
from ruledsl.play.loading import Game
from ruledsl.players.seats import Computer
from ruledsl.table.errors import RulesError
from ruledsl.table.table import Table

from .citations import cited
from .completing import files, games
from .documents import plain, print_document, rated
from .game_arguments import given_options, option_option
from .pages import check_out, write_page
from .parallel_games import AllRandom, Series, cluster_option, played, shared
from .sides import named_game
from .terminal import Exit, Refused, json_option, undisturbed

SPARKS = "▁▂▃▄▅▆▇█"
BAR = 24


@click.command
@click.argument("game", shell_complete=games)
@click.option("--players", metavar="N,...", help="For how many; all that the game is for.")
@click.option(
    "--games",
    type=click.IntRange(min=10),
    help=f"For each number of players; {USUAL_GAMES:,}, or as many as there is time for.",
)
@click.option(
    "--skilled",
    type=click.IntRange(min=0),
    help=f"Games of better players; {USUAL_SKILLED}, or as time allows; 0: none.",
)
@click.option(
    "--time",
    "seconds",
    type=click.FloatRange(min=1),
    default=USUAL_SECONDS,
    show_default=True,
    metavar="SECONDS",
    help="For all whose number was not asked for.",
)
@click.option(
    "--personas",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="Games of each player with another aim than to win.",
)
@option_option
@click.option("--jobs", type=click.IntRange(min=1), default=1, show_default=True)
@cluster_option
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True, metavar="S")
@click.option(
    "--out",
    shell_complete=files,
    metavar="FILE",
    help="Write a page (.html) or rows (.parquet, .csv).",
)
@json_option
def command(
    game: str,
    players: str | None,
    games: int | None,
    skilled: int | None,
    seconds: float,
    personas: int,
    options: tuple[str, ...],
    jobs: int,
    cluster: str | None,
    seed: int,
    out: str | None,
    as_json: bool,
) -> int:
    """Say what a game is like: is it fair, how long, is skill of use, which rules never matter.

    GAME is a name, a path, or either with `:name=value` for other options and named numbers.
    What stands out comes first, in sentences; `--out report.html` writes a page with pictures that
    works offline (it needs `pip install 'tabletop-rules[lab]'`).

    Games, and games of better players, are as many as are asked for; all else takes about as long
    as `--time` says, of the processor, or by the clock with `--jobs` and `--cluster`. Where random
    games are mostly cut at the limit of decisions, players who look ahead play instead.

    The same seed gives the same games, however many processes or machines share the work, and the
    same numbers if there is time for all. Ctrl-C ends it and tells what there is.

    Exit code 0; 1 if there is a fault; 2 if it could not begin; 130 if interrupted.
    """
    found = named_game(game).game
    numbers, given = _numbers(found, players), given_options(found, options)
    setting = Setting(numbers, games, skilled, seed, given, personas=personas, seconds=seconds)
    if out is not None:
        check_out(out, ".html", ".parquet", ".csv")
    try:
        playing = Shared(game, given, jobs, cluster)
        study = study_of(found, setting, playing, _progress(found), playing.clock(found))
    except RulesError as error:
        raise Refused(error.message) from error
    except Unsupported as error:
        raise Refused(f"what can't be compiled can't be counted: {error.placed}") from error
    if study is None:
        click.echo("(interrupted before any game was over)", err=True)
        return Exit.INTERRUPTED
    findings = findings_of(study)
    if out is not None:
        _write(out, study, findings)
    if as_json:
        print_document("report", _document(study, findings))
    else:
        for line in _lines(study, findings):
            click.echo(printable(line))
        if out is not None:
            click.echo(f"written: {out}")
    if study.interrupted:
        return Exit.INTERRUPTED
    return Exit.FINDINGS if any(each.weight == "fault" for each in findings) else Exit.CLEAN


@attrs.frozen
class Counted:
    """Counts what happens in games where they are played."""

    who: Computer

    def begin(self, series: Series, table: Table) -> Callable[[int, int], Observed]:
        return CountedGames(table, series.seed, self.who).observe


@attrs.frozen
class Shared:
    """Games shared out among processes, or machines."""

    game: str
    options: dict[str, str]
    jobs: int
    cluster: str | None

    def observe(self, table: Table, seed: int, games: int, who: Computer) -> Iterator[Observed]:
        players = len(table.things("Player"))
        series = Series(self.game, None, players, self.options, seed, AllRandom(players))
        return shared(Counted(who), series, table, games, self.jobs, self.cluster)

    def play(self, table: Table, robin: RoundRobin, games: int) -> Iterator[list[GameRow]]:
        series = Series(self.game, None, robin.players, self.options, robin.seed, robin)
        return played(series, table, games, self.jobs, self.cluster)

    def undisturbed(self) -> AbstractContextManager[None]:
        return undisturbed()

    def clock(self, game: Game) -> Callable[[], float]:
        """Counts the time of the processor where this process does all: others may keep it busy."""
        alone = self.jobs == 1 and self.cluster is None and game.checked.limit is not None
        return process_time if alone else monotonic


def _progress(game: Game) -> Callable[[str], None]:
    """Tells what is done where somebody can see it, on a line that is written over."""

    def tell(what: str) -> None:
        if sys.stderr.isatty():
            click.echo(f"\r\033[K{game.title}: {what} …", nl=False, err=True)

    return tell


def _numbers(game: Game, players: str | None) -> tuple[int, ...]:
    if players is None:
        return game.players
    words = [word.strip() for word in players.split(",")]
    if not all(word.isdecimal() for word in words):
        raise Refused(f"`{players}` are no numbers of players", "write `--players 2,4`")
    numbers = tuple(dict.fromkeys(map(int, words)))
    for number in numbers:
        if number not in game.players:
            allowed = ", ".join(map(str, game.players))
            raise Refused(f"{game.title} is for {allowed} players, not {number}")
    return numbers


def _write(out: str, study: Study, findings: tuple[Finding, ...]) -> None:
    if out.endswith(".html"):
        write_page(out, lambda: page_of(study, findings, pictures(study)))
        return
    try:
        write_rows(out, study)
    except ImportError:
        raise Refused(
            "Parquet files need `pyarrow`, which is not installed",
            "install it with `pip install pyarrow`, or write `--out report.csv`",
        ) from None


# ---------------------------------------------------------------- in the terminal


def _lines(study: Study, findings: tuple[Finding, ...]) -> Iterator[str]:
    if study.interrupted:
        yield "(interrupted: this is what there is)"
    yield f"{study.game.title}: {study.games:,} games by {study.of_whom}, seed {study.setting.seed}"
    yield who_plays(study)
    yield ""
    for each in findings:
        where = "" if each.span == NOWHERE else f" {each.span.file}:{each.span.line}"
        yield f"{SIGNS[each.weight]} {each.topic}: {each.text}{where}{cited(each.trail)}"
    yield ""
    yield from _seat_lines(study)
    yield ""
    yield from _length_line(study)
    yield from _lead_line(study)
    yield ""
    yield from _usage_lines(study)


SIGNS = {"fault": "✗", "notable": "!", "note": "·"}


def _seat_lines(study: Study) -> Iterator[str]:
    yield "wins by seat (95 % interval)"
    for players, observed in study.observed.items():
        summary = observed.tally.summary()
        for seat in summary.seats:
            share = proportion(seat.wins.value * summary.finished, summary.finished)
            interval = f"{share.value:6.1%} ({share.low:.1%} to {share.high:.1%})"
            yield f"  {players} players, seat {seat.seat}  {_bar(share.value)} {interval}"


def _length_line(study: Study) -> Iterator[str]:
    lengths = study.main.lengths
    if lengths:
        low, high = min(lengths), max(lengths)
        bins = [0.0] * BAR
        for choices, games in lengths.items():
            bins[min(BAR - 1, (choices - low) * BAR // max(1, high - low + 1))] += games
        yield f"choices in a game   {low} {_spark(bins)} {high}"


def _lead_line(study: Study) -> Iterator[str]:
    lead = study.main.counts.lead
    if lead is not None:
        held = [share.value for share in lead.held]
        ends = f"from the first tenth ({held[0]:.0%}) to the last ({held[-1]:.0%})"
        yield f"does the leader win? {_spark(held)}  {ends}"


def _usage_lines(study: Study) -> Iterator[str]:
    labels = study.labels
    games = max(1, study.main.tally.games)
    for parameter, values in study.values().items():
        if not 1 < len(values) <= BAR:
            continue
        worths = {w.counter.name: w.points for w in study.worths if w.counter.of == parameter}
        last = "what it is worth, in wins of 100 games" if worths else "wins of who used it"
        yield f"{about(study, parameter)}: times in a game, {last}"
        most = max(used.uses for used in values.values()) or 1
        for name, used in values.items():
            if not used.uses:
                continue
            wins = f"{used.win_share.value:6.1%}" if used.seats else "     –"
            if worths:
                found = worths.get(name)
                wins = (
                    "" if found is None else f"{100 * found.value:+6.1f} ± {100 * found.half:.1f}"
                )
            label = labels.get(name, name)[:24]
            yield f"  {label:24} {_bar(used.uses / most)} {used.uses / games:7.2f} {wins}"


def _bar(share: float) -> str:
    full = round(BAR * min(1.0, share))
    return "█" * full + "░" * (BAR - full)


def _spark(values: list[float]) -> str:
    most = max(values) or 1
    return "".join(SPARKS[min(7, int(8 * value / most))] for value in values)


# ---------------------------------------------------------------- as JSON


def _document(study: Study, findings: tuple[Finding, ...]) -> dict[str, Any]:
    lead, agency = study.main.counts.lead, study.agency
    return {
        "game": study.table.game.name,
        "variant": study.table.game.variant,
        "options": {name: plain(value) for name, value in study.table.options.items()},
        "seed": study.setting.seed,
        "games": study.setting.wanted,
        "player": study.who.word,
        "interrupted": study.interrupted,
        "findings": [
            {
                "weight": each.weight,
                "topic": each.topic,
                "text": each.text,
                "file": each.span.file or None,
                "line": each.span.line or None,
            }
            for each in findings
        ],
        "players": {
            str(players): {
                "seats": [attrs.asdict(seat) for seat in observed.tally.summary().seats],
                "endings": dict(observed.tally.endings),
                "length": attrs.asdict(observed.length.estimate()),
                "lengths": {str(choices): n for choices, n in sorted(observed.lengths.items())},
            }
            for players, observed in study.observed.items()
        },
        "lead": None
        if lead is None
        else {
            "games": lead.games,
            "held": [attrs.asdict(share) for share in lead.held],
            "comebacks": [attrs.asdict(share) for share in lead.comebacks],
            "changes": attrs.asdict(lead.changes.estimate()),
            "settled": list(lead.settled),
            "ahead": list(lead.ahead),
        },
        "agency": None
        if agency is None
        else {
            "choices": agency.choices,
            "gain": attrs.asdict(agency.gain.estimate()),
            "matters": agency.matters,
        },
        "personas": [attrs.asdict(kind) for kind in study.personas],
        "worth": [
            {
                "sort": each.counter.sort,
                "of": each.counter.of,
                "name": each.counter.name,
                "points": attrs.asdict(each.points),
                "p": each.p,
            }
            for each in study.worths
        ],
        "ladder": None if study.ladder is None else rated(study.ladder),
        "triggers": [
            {"name": name, "line": trigger.span.line, "uses": study.line(trigger.body[0])}
            for name, trigger in study.checked.triggers.items()
            if trigger.body
        ],
        "counters": [
            {
                "sort": counter.sort,
                "of": counter.of,
                "name": counter.name,
                "line": counter.span.line or None,
                **attrs.asdict(study.main.counts.used(number)),
                "by_seat": [
                    attrs.asdict(study.main.counts.used(number, seat))
                    for seat in range(1, study.players + 1)
                ],
            }
            for number, counter in enumerate(study.main.counts.counters)
        ],
    }
