"""The page's own words: each in both languages, and none that the page never says."""

import re
from importlib.resources import files

PAGE = files("ruledsl.cli.web").joinpath("page")
SERVER = files("ruledsl.cli.web")
_KEY = re.compile(r'(?:^|[{,])\s*(?:"([\w ]+)"|(\w+)): "((?:[^"\\\\]|\\\\.)*)"', re.MULTILINE)


def phrases() -> dict[str, dict[str, str]]:
    text = PAGE.joinpath("phrases.js").read_text("utf-8")
    body = text[text.index("const PHRASES") : text.index("export const LANGUAGES")]
    parts = re.split(r"\n  (\w\w): \{\n", body)[1:]
    return {
        code: {one or other: said for one, other, said in _KEY.findall(block)}
        for code, block in zip(parts[::2], parts[1::2], strict=True)
    }


def test_both_languages_say_the_same() -> None:
    found = phrases()
    assert set(found) == {"en", "de"} and len(found["en"]) > 80
    assert list(found["en"]) == list(found["de"])
    for name, said in found["en"].items():
        parts = [sorted(re.findall(r"\{\w+\}", text)) for text in (said, found["de"][name])]
        assert parts[0] == parts[1], name


def test_every_phrase_is_said() -> None:
    """By name in the page, or as the word for a problem that a server sends."""
    scripts = [each for each in PAGE.iterdir() if each.name.endswith(".js")]
    sources = [
        *(each for each in scripts if each.name != "phrases.js"),
        *(each for each in SERVER.iterdir() if each.name.endswith(".py")),
    ]
    text = "\n".join(each.read_text("utf-8") for each in sources)
    computed = ("as ",)  # how computers play, by their words
    kept = ("hamelin", "classics", "modern", "originals", "warning", "error", "greedy")
    unsaid = [
        name
        for name in phrases()["en"]
        if f'"{name}"' not in text and not name.startswith(computed) and name not in kept
    ]
    assert unsaid == []
