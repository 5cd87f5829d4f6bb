"""Everything that was counted, as tables that fold away: by seat, and by third of the game."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from html import escape

from ruledsl.diagnostics.source import NOWHERE, Span
from ruledsl.engine.counters import Counter, Sort
from ruledsl.lab.reporting.finding import plain_percent
from ruledsl.lab.reporting.naming import about, written
from ruledsl.lab.reporting.study import Study
from ruledsl.lab.wording import percent
from ruledsl.play.words import Words

STYLE = """
details{background:#fff;padding:.4rem .8rem;margin:.5rem 0;overflow-x:auto}
summary{cursor:pointer;font-weight:600}
table{border-collapse:collapse;font-size:.85rem;margin:.5rem 0}
th,td{padding:.15rem .6rem;text-align:right;white-space:nowrap;border-top:1px solid #e8e4d9}
th:first-child,td:first-child{text-align:left;white-space:normal;min-width:9rem}
tr.zero td{background:#fbe9e7}
"""
Link = Callable[[Span], str]


def tables(study: Study, link: Link) -> Iterator[str]:
    """One for each thing that was asked, the most used first in each."""
    labels, words = study.labels, Words(study.checked)
    groups: dict[tuple[str, Span], list[tuple[str, int]]] = {}
    for number, counter in enumerate(study.main.counts.counters):
        title = _title(study, counter)
        if title is not None:
            name = _name(study, counter, labels, words)
            where = NOWHERE if counter.sort in TITLES else counter.span
            groups.setdefault((title, where), []).append((name, number))
    for (title, where), members in groups.items():
        if any(study.main.counts.used(number).uses for _, number in members):
            yield from _table(study, title + link(where), members, link)


TITLES: dict[Sort, str] = {
    "action": "Actions",
    "refused": "Requirements, and how often they refused",
    "out": "Players who left before the end",
}


def _title(study: Study, counter: Counter) -> str | None:
    match counter.sort:
        case "value":
            title = about(study, counter.of)
            return escape(title[0].upper() + title[1:])
        case "roll":
            return f"Rolled: {escape(written(study, counter.span))}"
        case sort:
            return TITLES.get(sort)


def _name(study: Study, counter: Counter, labels: dict[str, str], words: Words) -> str:
    match counter.sort:
        case "action":
            return words.action(counter.name)
        case "refused":
            return written(study, counter.span).rpartition(" (line ")[0]
        case "out":
            return "out"
        case _:
            return labels.get(counter.name, counter.name)


def _table(study: Study, title: str, members: list[tuple[str, int]], link: Link) -> Iterator[str]:
    counts, games = study.main.counts, max(1, study.main.tally.games)
    _, first = members[0]
    sort = counts.counters[first].sort
    chosen = sort in ("action", "value")
    heads = ["", "times in a game" if sort not in ("refused", "roll") else "times"]
    heads += ["in games", "wins of who used it"] if chosen else []
    heads += ["first third", "second", "last", *(f"seat {n}" for n in range(1, study.players + 1))]
    yield f"<details><summary>{title}</summary><table>"
    yield f"<tr>{''.join(f'<th>{escape(head)}</th>' for head in heads)}</tr>"
    used = {number: counts.used(number) for _, number in members}
    for name, number in sorted(members, key=lambda member: -used[member[1]].uses):
        found = used[number]
        cells = [f"{found.uses:,}"]
        if sort not in ("refused", "roll"):
            cells = [f"{found.uses / games:.2f}"]
        if chosen:
            cells.append(plain_percent(found.games / games))
            cells.append(percent(found.win_share) if found.seats else "–")
        cells += _shares(list(found.thirds))
        cells += _shares([counts.used(number, n).uses for n in range(1, study.players + 1)])
        where = link(counts.counters[number].span) if sort in TITLES else ""
        row = f"<td>{escape(name)}{where}</td>"
        row += "".join(f"<td>{escape(cell)}</td>" for cell in cells)
        mark = "" if found.uses else ' class="zero"'
        yield f"<tr{mark}>{row}</tr>"
    yield "</table></details>"


def _shares(uses: list[int]) -> list[str]:
    """Parts of all that is known by third, or by seat."""
    whole = sum(uses)
    return [f"{each / whole:.0%}".replace("%", " %") if whole else "–" for each in uses]
