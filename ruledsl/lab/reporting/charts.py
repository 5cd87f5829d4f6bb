"""Pictures of a study."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import attrs

from ruledsl.lab.counting import Used
from ruledsl.lab.reporting.naming import about, used_in
from ruledsl.lab.reporting.painting import ACCENT, QUIET, Brush, Picture
from ruledsl.lab.reporting.study import Study
from ruledsl.lab.statistics import Estimate, proportion
from ruledsl.play.words import Words

MOST_BARS = 40
MOST_WORTHS = 16
"""Things whose worth is drawn."""
FINE = 0.05
"""Shares below which tenths of a point are told."""


def pictures(study: Study) -> tuple[Picture, ...]:
    """Every chart that the study has numbers for."""
    return tuple(_Painter(study).all())


class _Painter(Brush):
    def __init__(self, study: Study) -> None:
        super().__init__()
        self.study = study

    def all(self) -> Iterator[Picture]:
        yield self._fairness()
        yield self._lengths()
        yield from self._leads()
        yield from self._favourite()
        yield from self._ladder()
        yield from self._worths()
        yield from self._usage()

    def _shares(
        self, rows: list[dict[str, Any]], x: Any, *, expected: bool = False, width: int = 420
    ) -> Any:
        """Shares as points with their intervals, and the expected share as a line."""
        alt = self.alt
        base = alt.Chart(self.data(rows)).encode(x=x)
        percent = alt.Axis(format="%")
        bars = base.mark_rule(color=ACCENT, strokeWidth=2).encode(
            y=alt.Y("low:Q", title=None, axis=percent, scale=alt.Scale(zero=False)), y2="high:Q"
        )
        dots = base.mark_circle(color=ACCENT, size=50).encode(y="value:Q")
        layers = [bars, dots]
        if expected:
            layers.insert(0, base.mark_tick(color=QUIET, thickness=2, width=24).encode(y="fair:Q"))
        return alt.layer(*layers).properties(width=width, height=180)

    def _time(self) -> Any:
        """From the beginning to the end of a game."""
        alt = self.alt
        axis = alt.Axis(format="%", values=[part / 5 for part in range(6)])
        title = "part of the game that is over"
        return alt.X("time:Q", title=title, axis=axis, scale=alt.Scale(domain=[0, 1]))

    def _fairness(self) -> Picture:
        rows = []
        for players, observed in self.study.observed.items():
            summary = observed.tally.summary()
            fair = sum(seat.wins.value for seat in summary.seats) / max(1, players)
            for seat in summary.seats:
                share = proportion(seat.wins.value * summary.finished, summary.finished)
                gap = {key: value - fair for key, value in attrs.asdict(share).items()}
                rows.append({"at": f"{players} players, seat {seat.seat}", "fair": 0.0, **gap})
        x = self.alt.X("at:N", title=None, sort=None, axis=self.alt.Axis(labelAngle=-40))
        return Picture(
            "Is every seat as good as another?",
            "By how much each seat wins more or less than its fair share of games, with 95 % "
            "intervals; the grey mark is that share. Intervals that hold it tell nothing.",
            self.svg(self._shares(rows, x, expected=True, width=max(200, 34 * len(rows)))),
        )

    def _lengths(self) -> Picture:
        alt = self.alt
        rows = [
            {"choices": choices, "games": games}
            for choices, games in sorted(self.study.main.lengths.items())
        ]
        chart = (
            alt.Chart(self.data(rows))
            .mark_bar(color=QUIET)
            .encode(
                x=alt.X("choices:Q", bin=alt.Bin(maxbins=40), title="choices in a game"),
                y=alt.Y("sum(games):Q", title="games"),
            )
            .properties(width=420, height=180)
        )
        return Picture(
            "How long is a game?",
            f"Games of {self.study.players} by their choices with several options.",
            self.svg(chart),
        )

    def _leads(self) -> Iterator[Picture]:
        lead = self.study.main.counts.lead
        if lead is None:
            return
        alt = self.alt
        x = self._time()
        rows = [
            {"time": (at + 0.5) / 10, **attrs.asdict(share)}
            for at, share in enumerate(lead.held)
            if share.half < 0.25
        ]
        if rows:
            yield Picture(
                "Does the leader win?",
                "How often whoever leads alone at that time wins in the end: a flat line is a game "
                "open to its end, a high one is decided early.",
                self.svg(self._shares(rows, x)),
            )
        if any(lead.ahead):
            rows = [{"time": (at + 0.5) / 10, "ahead": far} for at, far in enumerate(lead.ahead)]
            line = alt.Chart(self.data(rows)).mark_line(color=QUIET, point=True)
            chart = line.encode(x=x, y=alt.Y("ahead:Q", title="ahead of the next"))
            yield Picture(
                "How far ahead is the leader?",
                "On average, by the first line of the ranking, while somebody leads alone.",
                self.svg(chart.properties(width=420, height=180)),
            )
        total = max(1, sum(lead.settled))
        names = [*(f"{10 * at}–{10 * at + 10} %" for at in range(10)), "at the end"]
        rows = [
            {"when": name, "share": games / total}
            for name, games in zip(names, lead.settled, strict=True)
        ]
        chart = (
            alt.Chart(self.data(rows))
            .mark_bar(color=QUIET)
            .encode(
                x=alt.X("when:N", sort=None, title=None, axis=alt.Axis(labelAngle=-40)),
                y=alt.Y("share:Q", title="winners", axis=alt.Axis(format="%")),
            )
            .properties(width=420, height=180)
        )
        yield Picture(
            "When does the winner take the lead for good?",
            f"By the part of the game that was over, in {lead.games} games.",
            self.svg(chart),
        )

    def _favourite(self) -> Iterator[Picture]:
        agency = self.study.agency
        if agency is None:
            return
        rows = [
            {"time": (at + 0.5) / len(agency.favourite), **attrs.asdict(each.estimate())}
            for at, each in enumerate(agency.favourite)
            if each.count > 2
        ]
        if len(rows) > 1:
            x = self._time()
            yield Picture(
                "How much is decided?",
                "The chance of the likeliest winner, if all play on at random.",
                self.svg(self._shares(rows, x)),
            )

    def _ladder(self) -> Iterator[Picture]:
        ladder = self.study.ladder
        if ladder is None:
            return
        rows = []
        for kind in ladder.players:
            share = proportion(kind.wins.value * kind.seats, kind.seats)
            rows.append({"at": kind.player, "fair": 1 / self.study.players, **attrs.asdict(share)})
        x = self.alt.X("at:N", title=None, sort=None, axis=self.alt.Axis(labelAngle=0))
        yield Picture(
            "Does skill pay?",
            f"Wins of players who look further and further ahead, in {ladder.games} games in which "
            "they change seats; the grey mark is the share of equals.",
            self.svg(self._shares(rows, x, expected=True, width=240)),
        )

    def _worths(self) -> Iterator[Picture]:
        """What most depends on, in either direction."""
        found = sorted(self.study.worths, key=lambda worth: -abs(worth.points.value))[:MOST_WORTHS]
        rows = [
            {"what": used_in(self.study, each.counter), **attrs.asdict(each.points)}
            for each in found
        ]
        if not rows:
            return
        alt = self.alt
        narrow = max(abs(end) for row in rows for end in (row["low"], row["high"])) < FINE
        marks = alt.Axis(format="+.1%" if narrow else "+.0%", tickCount=5)
        axis = alt.X("low:Q", title="wins that it brings", axis=marks)
        base = alt.Chart(self.data(rows)).encode(y=alt.Y("what:N", sort=None, title=None))
        layers = (
            alt.Chart(self.data([{"zero": 0}])).mark_rule(color=QUIET).encode(x="zero:Q"),
            base.mark_rule(color=ACCENT, strokeWidth=2).encode(x=axis, x2="high:Q"),
            base.mark_circle(color=ACCENT, size=40).encode(x="value:Q"),
        )
        yield Picture(
            "What is it worth to have it?",
            "How many more games a random player wins than one who does without it, with 95 % "
            "intervals: left of the line it hurts its user; on it, nobody would miss it.",
            self.svg(alt.layer(*layers).properties(width=360, height=18 * len(rows))),
        )

    def _usage(self) -> Iterator[Picture]:
        words, labels = Words(self.study.checked), self.study.labels
        counts = self.study.main.counts
        groups: dict[str, list[tuple[str, Used]]] = {}
        for counter, used in counts.of_sort("action"):
            groups.setdefault("Actions", []).append((words.action(counter.name), used))
        for counter, used in counts.of_sort("value"):
            label = labels.get(counter.name, counter.name)
            groups.setdefault(about(self.study, counter.of), []).append((label, used))
        for title, entries in groups.items():
            if 1 < len(entries) <= MOST_BARS:
                yield self._used(title, entries)

    def _used(self, title: str, entries: list[tuple[str, Used]]) -> Picture:
        alt = self.alt
        games = max(1, self.study.main.tally.games)
        rows = []
        for label, used in entries:
            share: Estimate = used.win_share
            rows.append(
                {
                    "what": label,
                    "uses": used.uses / games,
                    "known": used.seats > 0,
                    **attrs.asdict(share),
                }
            )
        y = alt.Y("what:N", sort=None, title=None)
        height = max(60, 18 * len(rows))
        data = self.data(rows)
        bars = (
            alt.Chart(data)
            .mark_bar(color=QUIET)
            .encode(y=y, x=alt.X("uses:Q", title="times in a game"))
            .properties(width=220, height=height)
        )
        known = alt.Chart(data).transform_filter("datum.known").encode(y=y)
        axis = alt.X("low:Q", title="wins of who used it", axis=alt.Axis(format="%"))
        rules = known.mark_rule(color=ACCENT, strokeWidth=2).encode(x=axis, x2="high:Q")
        dots = known.mark_circle(color=ACCENT, size=40).encode(x="value:Q")
        right = alt.layer(rules, dots).properties(width=220, height=height)
        return Picture(
            title,
            "How often each is used in a game, and how often a player who uses it at all wins: who "
            "is about to win may well use what is worth nothing.",
            self.svg(alt.hconcat(bars, right)),
        )
