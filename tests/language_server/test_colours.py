"""One description of words and signs: the editors' grammar and the lexer are made from it."""

import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from pygments.lexers import get_lexer_by_name
from pygments.token import Error, Keyword, Name

from ruledsl.language_server.extension import files
from ruledsl.language_server.lexer import RulesLexer
from ruledsl.syntax.colours import DECLARATIONS, keywords, sorts
from ruledsl.syntax.parser import reader

ROOT = Path(__file__).parents[2]
GAMES = sorted((ROOT / "games").rglob("*.rules"))


@pytest.mark.parametrize("name", sorted(files()))
def test_what_the_extensions_have_is_up_to_date(name: str) -> None:
    there = (ROOT / "editors" / name).read_text("utf-8")
    assert there == files()[name], "write it anew: make editors"


def scopes(line: str) -> list[str]:
    """What an editor makes of a line: at each place the first pattern that fits there."""
    patterns = json.loads(files()["vscode/rules.tmLanguage.json"])["patterns"]
    found: list[str] = []
    at = 0
    while at < len(line):
        tried = ((re.compile(each["match"]).search(line, at), each["name"]) for each in patterns)
        fitting = [(match.start(), number, match, name)
                   for number, (match, name) in enumerate(tried) if match and match[0]]  # fmt: skip
        if not fitting:
            break
        _, _, match, name = min(fitting, key=lambda each: each[:2])
        found.append(name)
        at = match.end()
    return found


def test_kate_tries_the_same_patterns_in_the_same_order() -> None:
    tree = ElementTree.fromstring(files()["kate/rules.xml"])  # noqa: S314 (our own)
    tried = [(each.get("attribute"), each.get("String")) for each in tree.iter("RegExpr")]
    assert tried == [(sort.token, sort.pattern.replace("(?m)", "")) for sort in sorts()]
    styled = {each.get("name") for each in tree.iter("itemData")}
    assert styled == {sort.token for sort in sorts()}


@pytest.mark.parametrize("path", GAMES[::5], ids=lambda path: path.stem)
def test_both_agree_on_every_line(path: Path) -> None:
    names = {sort.scope: sort.token for sort in sorts()}
    lexer = RulesLexer(stripnl=False, ensurenl=False)
    for line in path.read_text("utf-8").split("\n")[:120]:
        tokens = [kind for kind, text in lexer.get_tokens(line) if text.strip()]
        lexed = [str(kind).removeprefix("Token.") for kind in tokens]
        shown = [names[scope] for scope in scopes(line)]
        wanted = [kind.removeprefix("Literal.") for kind in lexed]
        assert shown == wanted, line


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_nothing_is_left_without_a_colour(path: Path) -> None:
    tokens = list(get_lexer_by_name("rules").get_tokens(path.read_text("utf-8")))
    assert not [text for kind, text in tokens if kind in Error]


def test_every_word_of_the_grammar_is_coloured() -> None:
    lexer = RulesLexer()
    plain = [
        word
        for word in keywords()
        if next(iter(lexer.get_tokens(f" {word} (")))[0] in Name
        and next(iter(lexer.get_tokens(f"{word} (")))[0] in (Name, Name.Function)
    ]
    assert not plain


def test_every_declaration_begins_with_a_word_that_is_known_here() -> None:
    expected = {reader().written.get(kind, kind) for kind in reader().automaton.start().accepts}
    assert {word for word in expected if word.isidentifier()} == set(DECLARATIONS)
    assert next(iter(RulesLexer().get_tokens("step play")))[0] in Keyword.Declaration
