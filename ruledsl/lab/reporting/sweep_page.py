"""A sweep as one page of HTML: what came of it, a map of the settings, and every figure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import Any

import attrs

from ruledsl.lab.reporting.html import figure, page
from ruledsl.lab.reporting.painting import ACCENT, INK, PALE, QUIET, Brush, Picture
from ruledsl.lab.sweep import VERDICTS, Goal, Tried, Varied, conclusions, named, shown

STYLE = """
table{border-collapse:collapse;background:#fff}
td,th{padding:.2rem .7rem;text-align:right;border-bottom:1px solid #eeeae0}
td:first-child,th:first-child{text-align:left}
tr.meets{background:#e8f2e6}
"""
SIGNS = {"meets": "✓", "open": "?", "misses": "", "impossible": "–"}


@attrs.frozen
class Swept:
    """A sweep that is over, or was interrupted."""

    title: str
    subtitle: str
    names: Sequence[Varied]
    tried: Sequence[Tried]
    aims: Sequence[Goal]


def sweep_page(swept: Swept) -> str:
    return page(swept.title, swept.subtitle, STYLE, _body(swept, tuple(pictures(swept))))


def _body(swept: Swept, drawn: Sequence[Picture]) -> Iterator[str]:
    yield "<h2>What came of it</h2>"
    for sentence in conclusions(swept.tried, swept.aims):
        yield f"<p>{escape(sentence[0].upper() + sentence[1:])}.</p>"
    yield "<h2>Pictures</h2>"
    yield from map(figure, drawn)
    yield "<h2>Every setting</h2>"
    heads = "".join(f"<th>{escape(goal.name)}</th>" for goal in swept.aims)
    yield f"<table><tr><th>setting</th><th>verdict</th><th>games</th>{heads}</tr>"
    for each in swept.tried:
        figures = "".join(f"<td>{escape(shown(each, goal))}</td>" for goal in swept.aims)
        if each.impossible is not None:
            figures = f'<td colspan="{len(swept.aims)}">{escape(each.impossible)}</td>'
        cells = (named(each), VERDICTS[each.verdict], str(each.games))
        row = "".join(f"<td>{escape(cell)}</td>" for cell in cells)
        yield f'<tr class="{each.verdict}">{row}{figures}</tr>'
    yield "</table>"
    yield "<p>In brackets: from where to where the true figure lies in 95 of 100 cases.</p>"


def pictures(swept: Swept) -> Iterator[Picture]:
    """For one name each figure by its values; for more a map of how far from the aim they are."""
    brush = Brush()
    if len(swept.names) == 1:
        yield from (_by_value(brush, swept, goal) for goal in swept.aims)
    else:
        yield _map(brush, swept)


def _by_value(brush: Brush, swept: Swept, goal: Goal) -> Picture:
    alt = brush.alt
    (varied,) = swept.names
    rows = [
        {"value": each.values[varied.name], **_interval(each, goal)}
        for each in swept.tried
        if each.games
    ]
    axis = alt.Axis(format="%") if goal.percent else alt.Axis()
    base = alt.Chart(brush.data(rows)).encode(x=alt.X("value:N", sort=None, title=varied.name))
    y = alt.Y("low:Q", title=goal.name, axis=axis, scale=alt.Scale(zero=False))
    layers = [
        base.mark_rule(color=ACCENT, strokeWidth=2).encode(y=y, y2="high:Q"),
        base.mark_circle(color=ACCENT, size=50).encode(y="mean:Q"),
    ]
    layers += [
        alt.Chart(brush.data([{"aim": limit}])).mark_rule(color=QUIET).encode(y="aim:Q")
        for limit in goal.limits
    ]
    chart = alt.layer(*layers).properties(width=max(200, 40 * len(rows)), height=200)
    caption = "With 95 % intervals; grey lines are the ends of what is aimed at."
    return Picture(f"{goal.name} by {varied.name}", caption, brush.svg(chart))


def _interval(tried: Tried, goal: Goal) -> dict[str, Any]:
    found = tried.figure(goal)
    return {"mean": found.value, "low": found.low, "high": found.high}


def _map(brush: Brush, swept: Swept) -> Picture:
    alt = brush.alt
    across, down, *others = swept.names
    rows = [
        {
            "across": each.values[across.name],
            "down": each.values[down.name],
            "others": ", ".join(f"{other.name}={each.values[other.name]}" for other in others),
            "miss": each.miss(swept.aims) if each.games else None,
            "sign": SIGNS[each.verdict],
        }
        for each in swept.tried
    ]
    base = alt.Chart(brush.data(rows)).encode(
        x=alt.X("across:N", sort=None, title=across.name, axis=alt.Axis(labelAngle=0)),
        y=alt.Y("down:N", sort=None, title=down.name),
    )
    shade = alt.Color(
        "miss:Q",
        title=["how far", "from the aim"],
        scale=alt.Scale(range=[PALE, ACCENT], domainMin=0),
    )
    size = {"width": 36 * len(across.values), "height": 30 * len(down.values)}
    chart = alt.layer(
        base.mark_rect(stroke="white").encode(color=shade),
        base.mark_text(color=INK, fontSize=14).encode(text="sign:N"),
    ).properties(**size)
    if others:
        chart = chart.facet(row=alt.Row("others:N", title=None, sort=None))
    return Picture(
        f"{across.name} and {down.name}",
        "The darker, the further from the aim. ✓ surely meets it, ? could not be told apart from "
        "those that do, – is no game.",
        brush.svg(chart),
    )
