"""`ruledsl cover`: which rules of the numbered rulebook a game carries out and tests."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from textwrap import wrap

import attrs
import click

from ruledsl.diagnostics.source import Source
from ruledsl.diagnostics.wording import amount, printable
from ruledsl.library import Library
from ruledsl.model.coverage import Coverage, coverage
from ruledsl.model.rule_texts import OWN, rule_texts
from ruledsl.play.loading import variants_of
from ruledsl.syntax import ast
from ruledsl.syntax.parser import parse

from .completing import games
from .documents import print_document
from .terminal import Exit, Refused, json_option

WIDTH = 80


@click.command
@click.argument("game", shell_complete=games)
@json_option
def command(game: str, as_json: bool) -> int:
    """Compare a game with its numbered rulebook.

    A rule counts as cited if the game or one of its variants cites it anywhere, and as tested if
    a test does.

    Exit code 0; 2 if there is no such game.
    """
    library = Library()
    source, header = _game(library, library.find(game))
    variants = variants_of(header.name.text, library, source)
    found = (library.source(name, near=source.name) for name in variants)
    files = [parse(each).file for each in (source, *found) if each is not None]
    covered = coverage(files)
    texts = _texts(library, source, files[0])
    if as_json:
        print_document("cover", {"game": header.name.text, **_document(covered, texts)})
    else:
        title = header.name.text if header.title is None else header.title.value
        for line in _lines(title, covered, texts):
            click.echo(printable(line))
    return Exit.CLEAN


def _game(library: Library, source: Source) -> tuple[Source, ast.Game]:
    """The game a source is or is a variant of: the rulebook is the game's."""
    seen: set[str] = set()
    at: Source | None = source
    while at is not None and at.name not in seen:
        seen.add(at.name)
        match next(iter(parse(at).file.items), None):
            case ast.Game() as game:
                return at, game
            case ast.Variant(bases=(base, *_)):
                at = library.source(base.text, near=at.name)
            case _:
                break
    raise Refused(f"`{source.name}` is not a game", f"`ruledsl check {source.name}` says more")


def _texts(library: Library, source: Source, file: ast.File) -> dict[str, str]:
    """What the rules of the book say, as far as the game or a library it uses tells."""
    names = [name.text for item in file.items if isinstance(item, ast.Use) for name in item.names]
    found = (library.source(name, near=source.name) for name in names)
    files = (file, *(parse(each).file for each in found if each is not None))
    blocks = (item for each in files for item in each.items if isinstance(item, ast.RuleTexts))
    texts, _ = rule_texts(blocks, ())
    return {rule: said[OWN].text for rule, said in texts.items() if OWN in said}


def _document(covered: Coverage, texts: Mapping[str, str]) -> dict[str, object]:
    return {
        "total": len(covered.rules),
        "cited": len(covered.cited),
        "tested": len(covered.tested),
        "uncited": list(covered.uncited),
        "untested": list(covered.untested),
        "texts": dict(texts),
        "assumptions": [attrs.asdict(each) for each in covered.assumptions],
    }


def _lines(title: str, covered: Coverage, texts: Mapping[str, str]) -> Iterator[str]:
    if not covered.rules:
        yield f"{title}: no numbered rulebook is declared"
    else:
        yield f"{title}: {amount(len(covered.rules), 'rule')} in the book"
        only_cited = [rule for rule in covered.untested if rule in covered.cited]
        yield from _listed("cited and tested", len(covered.cited & covered.tested), ())
        yield from _listed("cited only", len(only_cited), only_cited)
        yield from _listed("not cited", len(covered.uncited), covered.uncited)
        yield from _quoted(texts, (*only_cited, *covered.uncited))
    yield ""
    yield amount(len(covered.assumptions), "assumption") + (":" if covered.assumptions else "")
    for each in covered.assumptions:
        about = f" ({', '.join(each.cites)})" if each.cites else ""
        text = f"{each.file}:{each.line}: {each.text}{about}"
        yield from wrap(text, WIDTH, initial_indent="  ", subsequent_indent="      ")


def _quoted(texts: Mapping[str, str], rules: Sequence[str]) -> Iterator[str]:
    """What the rules say that something is missing for."""
    for rule in rules:
        if rule in texts:
            yield from wrap(
                f"§{rule} {texts[rule]}",
                WIDTH,
                initial_indent="       ",
                subsequent_indent="         ",
            )


def _listed(what: str, number: int, rules: Sequence[str]) -> Iterator[str]:
    text = f"{what}{': ' if rules else ''}{', '.join(_runs(rules))}"
    yield from wrap(text, WIDTH, initial_indent=f"{number:4} ", subsequent_indent="         ")


def _runs(rules: Sequence[str]) -> Iterator[str]:
    """`PP-3, PP-5 to PP-8`"""
    start = 0
    for at, rule in enumerate(rules):
        prefix, _, number = rule.rpartition("-")
        follower = f"{prefix}-{int(number) + 1}"
        if at + 1 < len(rules) and rules[at + 1] == follower:
            continue
        if at - start < 2:
            yield from rules[start : at + 1]
        else:
            yield f"{rules[start]} to {rule}"
        start = at + 1
