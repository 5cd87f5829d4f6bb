"""A study as one page of HTML that needs nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from ruledsl.diagnostics.source import NOWHERE, Source, Span
from ruledsl.diagnostics.wording import amount
from ruledsl.lab.reporting.charts import Picture
from ruledsl.lab.reporting.findings import Finding, many
from ruledsl.lab.reporting.study import Study
from ruledsl.syntax import ast

STYLE = """
:root{color-scheme:light}
body{font:16px/1.5 system-ui,sans-serif;color:#20303c;background:#fbfaf7;margin:0 auto;
max-width:60rem;padding:2rem 1.2rem}
h1{margin:0 0 .2rem}h2{margin:2.2rem 0 .6rem;border-bottom:1px solid #d9d4c7}
.sub{color:#5c6b75;margin:0 0 1.5rem}
ul.findings{list-style:none;padding:0;margin:0}
ul.findings li{padding:.45rem .7rem;margin:.35rem 0;border-left:.35rem solid #9fb3bf;
background:#fff}
ul.findings li.fault{border-color:#b42d2d}ul.findings li.notable{border-color:#d08a1e}
.tag{font-size:.75rem;font-weight:600;text-transform:uppercase;margin-right:.5rem}
.fault .tag{color:#b42d2d}.notable .tag{color:#8a5a0c}.note .tag{color:#5c6b75}
a{color:#1d5f8a}figure{margin:1.2rem 0;background:#fff;padding:.8rem;overflow-x:auto}
figcaption b{display:block}figcaption{margin-bottom:.5rem}
svg{max-width:100%;height:auto}
pre.rules{background:#fff;padding:.6rem;overflow-x:auto;font-size:.8rem;line-height:1.45}
pre.rules .n{display:inline-block;width:7rem;text-align:right;color:#5c6b75;padding-right:.8rem}
pre.rules .zero{background:#fbe9e7}pre.rules span:target{outline:2px solid #b4552d}
"""
NAMES = {"fault": "fault", "notable": "notable", "note": "note"}


def page_of(study: Study, findings: Sequence[Finding], pictures: Sequence[Picture]) -> str:
    """The whole page."""
    return "\n".join(_lines(study, findings, pictures)) + "\n"


def _lines(study: Study, findings: Sequence[Finding], pictures: Sequence[Picture]) -> Iterator[str]:
    title = escape(study.game.title)
    yield "<!doctype html>"
    yield '<html lang="en"><head><meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>{title}: report</title><style>{STYLE}</style></head><body>"
    yield f"<h1>{title}</h1>"
    yield f'<p class="sub">{escape(_subtitle(study))}</p>'
    yield "<h2>What stands out</h2>"
    if not any(each.weight == "fault" for each in findings):
        yield "<p>No fault was found.</p>"
    yield '<ul class="findings">'
    for each in findings:
        tag = f'<span class="tag">{NAMES[each.weight]}</span>'
        yield f'<li class="{each.weight}">{tag}{escape(each.text)}{_link(each)}</li>'
    yield "</ul>"
    yield "<h2>Pictures</h2>"
    for picture in pictures:
        caption = f"<b>{escape(picture.title)}</b>{escape(picture.caption)}"
        yield f"<figure><figcaption>{caption}</figcaption>{_svg(picture)}</figure>"
    yield "<h2>The rules, and how often each line was carried out</h2>"
    yield f"<p>In {many(study.games)} games by random players. Red lines never were.</p>"
    for source in study.checked.sources.values():
        if counted := _counted(study, source):
            yield f"<h3>{escape(source.name)}</h3>"
            yield from _rules(source, counted)
    yield "<h2>How to read this</h2>"
    yield (
        "<p>“± 0.9” is half a 95 % interval. A fault is told only if chance alone would show one "
        "in fewer than 1 of 1000 reports. Random players try everything the rules allow, so what "
        "never happened among them is hard to bring about; how people would choose, they don't "
        "tell. Who leads is looked at in one of 8 games, what requirements refuse in one of 64.</p>"
    )
    yield "</body></html>"


def _subtitle(study: Study) -> str:
    setting = study.setting
    numbers = ", ".join(map(str, setting.players))
    games = f"{amount(setting.games, 'game')} of random players for each of {numbers} players"
    skilled = "" if study.ladder is None else f", {study.ladder.games} of better ones"
    options = "".join(f", {name} = {value}" for name, value in setting.options.items())
    return f"{games}{skilled}; seed {setting.seed}{options}"


def _link(finding: Finding) -> str:
    rules = " ".join(f"§{mark.rule}" for mark in finding.trail if isinstance(mark, ast.Cite))
    cited = f" <small>{escape(rules)}</small>" if rules else ""
    if finding.span == NOWHERE:
        return cited
    anchor = _anchor(finding.span.file, finding.span.line)
    return f' <a href="#{anchor}">line {finding.span.line}</a>{cited}'


def _anchor(file: str, line: int) -> str:
    plain = "".join(sign if sign.isalnum() else "-" for sign in file)
    return f"{plain}-{line}"


def _svg(picture: Picture) -> str:
    """The chart as part of the page, with a name for those who can't see it."""
    start = picture.svg.index("<svg")
    label = escape(f"{picture.title} {picture.caption}", quote=True)
    return picture.svg[start:].replace("<svg", f'<svg role="img" aria-label="{label}"', 1)


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
