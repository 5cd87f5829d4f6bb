"""A study as one page of HTML that needs nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import escape

from ruledsl.diagnostics.source import NOWHERE, Source, Span
from ruledsl.diagnostics.wording import amount
from ruledsl.engine.counters import FIRST_JUDGED, FIRST_WATCHED, JUDGED, WATCHED
from ruledsl.lab.reporting.counted_tables import STYLE as TABLES
from ruledsl.lab.reporting.counted_tables import tables
from ruledsl.lab.reporting.finding import Finding, Weight, many
from ruledsl.lab.reporting.html import figure, page
from ruledsl.lab.reporting.painting import Picture
from ruledsl.lab.reporting.seats_and_ends import who_plays
from ruledsl.lab.reporting.study import Study
from ruledsl.syntax import ast

STYLE = """
ul.findings{list-style:none;padding:0;margin:0}
ul.findings li{padding:.45rem .7rem;margin:.35rem 0;border-left:.35rem solid #9fb3bf;
background:#fff}
ul.findings li.fault{border-color:#b42d2d}ul.findings li.notable{border-color:#d08a1e}
.tag{font-size:.75rem;font-weight:600;text-transform:uppercase;margin-right:.5rem}
.fault .tag{color:#b42d2d}.notable .tag{color:#8a5a0c}.note .tag{color:#5c6b75}
pre.rules{background:#fff;padding:.6rem;overflow-x:auto;font-size:.8rem;line-height:1.45}
pre.rules .n{display:inline-block;width:7rem;text-align:right;color:#5c6b75;padding-right:.8rem}
pre.rules .zero{background:#fbe9e7}pre.rules span:target{outline:2px solid #b4552d}
"""
WEIGHTS: tuple[Weight, ...] = ("fault", "notable", "note")
WATCHING = (
    f"Who leads, how many options there are, and how the uses of a line of the rules spread over "
    f"seats and thirds, is looked at in the first {FIRST_WATCHED} games for each number of players "
    f"and one of {WATCHED} others; what requirements refuse in the first {FIRST_JUDGED} and one of "
    f"{JUDGED}. All else is counted in every game."
)


def page_of(study: Study, findings: Sequence[Finding], pictures: Sequence[Picture]) -> str:
    """The whole page."""
    return page(
        study.game.title, _subtitle(study), STYLE + TABLES, _body(study, findings, pictures)
    )


def _body(study: Study, findings: Sequence[Finding], pictures: Sequence[Picture]) -> Iterator[str]:
    yield "<h2>What stands out</h2>"
    yield f"<p>{escape(_verdict(study, findings))}</p>"
    yield f"<p>{escape(who_plays(study))}</p>"
    yield '<ul class="findings">'
    for each in findings:
        name = each.topic if each.weight == "note" else f"{each.weight} · {each.topic}"
        tag = f'<span class="tag">{escape(name)}</span>'
        yield f'<li class="{each.weight}">{tag}{_with_code(each.text)}{_link(each)}</li>'
    yield "</ul>"
    yield "<h2>Pictures</h2>"
    yield from map(figure, pictures)
    yield "<h2>Everything that was counted</h2>"
    yield f"<p>In games of {study.players}; open what you want to know. Red is what never was.</p>"
    yield from tables(study, _line)
    yield "<h2>The rules, and how often each line was carried out</h2>"
    yield f"<p>In {many(study.games)} games by {escape(study.of_whom)}. Red lines never were.</p>"
    for source in study.checked.sources.values():
        if counted := _counted(study, source):
            yield f"<h3>{escape(source.name)}</h3>"
            yield from _rules(source, counted)
    yield "<h2>How to read this</h2>"
    yield (
        "<p>In brackets: from where to where the true figure lies in 95 of 100 cases. A fault "
        "is told only if chance alone would show one in fewer than 1 of 1000 reports.</p>"
    )
    yield f"<p>{escape(WATCHING)}</p>"


def _verdict(study: Study, findings: Sequence[Finding]) -> str:
    """What to look at first, for those who have a minute."""
    number = {weight: sum(each.weight == weight for each in findings) for weight in WEIGHTS}
    told = f"{amount(number['fault'], 'fault')}: begin there. " if number["fault"] else ""
    told = told or "No fault was found. "
    if number["notable"]:
        told += f"{amount(number['notable'], 'thing')} may or may not be as you want it. "
    if study.interrupted:
        told += "It was interrupted: this is what there was. "
    return told + "The rest says what the game is like. Links lead to the line of the rules."


def _subtitle(study: Study) -> str:
    setting = study.setting
    played = {observed.tally.games for observed in study.observed.values()}
    games = many(min(played))
    if len(played) > 1:
        games += f" to {many(max(played))}"
    numbers = ", ".join(map(str, study.observed))
    games += f" games of {study.of_whom} for each of {numbers} players"
    skilled = "" if study.ladder is None else f", {study.ladder.games} of better ones"
    options = "".join(f", {name} = {value}" for name, value in setting.options.items())
    return f"{games}{skilled}; seed {setting.seed}{options}"


def _with_code(text: str) -> str:
    return re.sub("`([^`]+)`", r"<code>\1</code>", escape(text))


def _link(finding: Finding) -> str:
    rules = " ".join(f"§{mark.rule}" for mark in finding.trail if isinstance(mark, ast.Cite))
    cited = f" <small>{escape(rules)}</small>" if rules else ""
    return _line(finding.span) + cited


def _line(span: Span) -> str:
    if span == NOWHERE:
        return ""
    return f' <a href="#{_anchor(span.file, span.line)}">line {span.line}</a>'


def _anchor(file: str, line: int) -> str:
    plain = "".join(sign if sign.isalnum() else "-" for sign in file)
    return f"{plain}-{line}"


def _counted(study: Study, source: Source) -> dict[int, int]:
    """For each line of a file with statements, how often it was carried out."""
    found: dict[int, int] = {}
    for observed in study.observed.values():
        spans: dict[Span, int] = observed.counts.lines
        for span, number in spans.items():
            if span.file == source.name:
                uses = observed.counts.used(number).uses
                found[span.line] = found.get(span.line, 0) + uses
    return found


def _rules(source: Source, counted: dict[int, int]) -> Iterator[str]:
    yield '<pre class="rules">'
    for number, line in enumerate(source.text.split("\n"), 1):
        uses = counted.get(number)
        shown = "" if uses is None else many(uses)
        mark = ' class="zero"' if uses == 0 else ""
        anchor = _anchor(source.name, number)
        yield f'<span id="{anchor}"{mark}><span class="n">{shown}</span>{escape(line)}</span>'
    yield "</pre>"
