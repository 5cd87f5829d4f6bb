"""`ruledsl report`: what a game is like, as a page with pictures or in the terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import attrs
import click

from ruledsl.diagnostics.source import NOWHERE
from ruledsl.diagnostics.wording import printable
from ruledsl.engine.unsupported import Unsupported
from ruledsl.lab.counting import CountedGames, Observed
from ruledsl.lab.reporting.charts import NoCharts, pictures
from ruledsl.lab.reporting.findings import Finding, findings_of
from ruledsl.lab.reporting.page import page_of
from ruledsl.lab.reporting.rows import write_rows
from ruledsl.lab.reporting.study import Observing, Setting, Study, observe_here, study_of
from ruledsl.lab.statistics import proportion
from ruledsl.play.loading import Game
from ruledsl.players.seats import Computer, Random
from ruledsl.table.errors import RulesError
from ruledsl.table.table import Table

from .citations import cited
from .completing import files, games
from .documents import plain, print_document, rated
from .game_arguments import given_options, option_option
from .parallel_games import Series, cluster_option, shared
from .sides import named_game
from .terminal import Exit, Refused, json_option

SPARKS = "▁▂▃▄▅▆▇█"
BAR = 24


@click.command
@click.argument("game", shell_complete=games)
@click.option("--players", metavar="N,...", help="For how many; all that the game is for.")
@click.option("--games", type=click.IntRange(min=10), default=10_000, show_default=True)
@click.option(
    "--skilled",
    type=click.IntRange(min=0),
    default=120,
    show_default=True,
    help="Games of better players; 0 leaves them out.",
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
    games: int,
    skilled: int,
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

    Exit code 0; 1 if there is a fault; 2 if it could not begin.
    """
    found = named_game(game).game
    numbers, given = _numbers(found, players), given_options(found, options)
    setting = Setting(numbers, games, skilled, seed, given, personas=personas)
    if out is not None:
        _check_out(out)
    try:
        observe = _observing(game, setting, jobs, cluster)
        study = study_of(found, setting, observe, _progress(found))
    except RulesError as error:
        raise Refused(error.message) from error
    except Unsupported as error:
        raise Refused(f"what can't be compiled can't be counted: {error.placed}") from error
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
    return Exit.FINDINGS if any(each.weight == "fault" for each in findings) else Exit.CLEAN


@attrs.frozen
class Counted:
    """Counts what happens in games where they are played."""

    def begin(self, series: Series, table: Table) -> Callable[[int, int], Observed]:
        return CountedGames(table, series.seed).observe


@attrs.frozen
class AllRandom:
    """Random players in all seats."""

    players: int

    def sitting(self, number: int) -> tuple[Computer, ...]:  # noqa: ARG002 - always the same
        return (Random(),) * self.players


def _observing(game: str, setting: Setting, jobs: int, cluster: str | None) -> Observing:
    """Games shared out among processes, or machines; here if there is nobody else."""
    if jobs == 1 and cluster is None:
        return observe_here

    def observe(table: Table, players: int, seed: int, games: int) -> Observed:
        series = Series(game, None, players, dict(setting.options), seed, AllRandom(players))
        found: Observed | None = None
        for part in shared(Counted(), series, table, games, jobs, cluster):
            if found is None:
                found = part
            else:
                found.merge(part)
        assert found is not None
        return found

    return observe


def _progress(game: Game) -> Callable[[str], None]:
    def tell(what: str) -> None:
        if sys.stderr.isatty():
            click.echo(f"\r\033[K{game.title}: {what} …", nl=what == "choices", err=True)

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


def _check_out(out: str) -> None:
    if Path(out).suffix not in (".html", ".parquet", ".csv"):
        raise Refused(f"`{out}` is no page and no table", "write `--out report.html` or `.parquet`")
    if Path(out).exists() and not Path(out).is_file():
        raise Refused(f"`{out}` is no file")


def _write(out: str, study: Study, findings: tuple[Finding, ...]) -> None:
    try:
        if out.endswith(".html"):
            page = page_of(study, findings, pictures(study))
            Path(out).write_text(page, encoding="utf-8")
        else:
            write_rows(out, study)
    except NoCharts:
        raise Refused(
            "pictures need altair and vl-convert, which are not installed",
            "`pip install 'tabletop-rules[lab]'` does it; without `--out` all is shown here",
        ) from None
    except ImportError:
        raise Refused(
            "Parquet files need `pyarrow`, which is not installed",
            "install it with `pip install pyarrow`, or write `--out report.csv`",
        ) from None


# ---------------------------------------------------------------- in the terminal


def _lines(study: Study, findings: tuple[Finding, ...]) -> Iterator[str]:
    yield f"{study.game.title}: {study.games} games by random players, seed {study.setting.seed}"
    yield ""
    for each in findings:
        where = "" if each.span == NOWHERE else f" {each.span.file}:{each.span.line}"
        yield f"{SIGNS[each.weight]} {each.text}{where}{cited(each.trail)}"
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
    labels = study.labels()
    games = max(1, study.main.tally.games)
    for parameter, values in study.values().items():
        if not 1 < len(values) <= BAR:
            continue
        yield f"{parameter}: times in a game, wins of who used it"
        most = max(used.uses for used in values.values()) or 1
        for name, used in values.items():
            wins = f"{used.win_share.value:6.1%}" if used.seats else "     –"
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
        "games": study.setting.games,
        "findings": [
            {
                "weight": each.weight,
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
            }
            for players, observed in study.observed.items()
        },
        "lead": None
        if lead is None
        else {
            "games": lead.games,
            "held": [attrs.asdict(share) for share in lead.held],
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
        "counters": [
            {
                "sort": counter.sort,
                "of": counter.of,
                "name": counter.name,
                "line": counter.span.line or None,
                **attrs.asdict(study.main.counts.used(number)),
            }
            for number, counter in enumerate(study.main.counts.counters)
        ],
    }
