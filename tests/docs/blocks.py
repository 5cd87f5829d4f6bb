"""The fenced blocks of the documents, and the rules files they stand for.

The info string of a block of rules says what it is:

- ```` ```rules ```` is a whole file; others of the same document can build on it by its name.
- ```` ```rules of=orchard ```` is a part of that file: what it declares is added to it, or takes
  the place of what has the same name there.
- ```` ```rules file=storm.rules ```` is the next piece of a file that grows in the document.
- `error=code` and `warning=code` name the mistakes a block shows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import attrs

from ruledsl.diagnostics.source import Source
from ruledsl.model.changes import Key, key_of
from ruledsl.syntax import ast
from ruledsl.syntax.parser import parse

DOCS = Path(__file__).parents[2] / "docs"

FENCE = re.compile(
    r"^```(?P<kind>[a-z]+)(?P<marks>[^\n]*)\n(?P<text>.*?)^```$", re.DOTALL | re.MULTILINE
)
HEADER = re.compile(r"(?:game|library|variant) (\w+)")


@attrs.frozen
class Block:
    """What stands between two fences; `line` is where it begins in the document."""

    document: str
    line: int
    kind: str
    marks: dict[str, str]
    text: str

    def __str__(self) -> str:
        return f"{self.document}:{self.line}"

    @property
    def declared_name(self) -> str | None:
        """The name in the header of a whole file."""
        header = HEADER.match(self.text)
        return None if header is None else header[1]

    def declarations(self) -> Iterator[ast.Declaration]:
        """What can be declared once: neither changes nor texts and tests."""
        for item in parse(Source(str(self), self.text)).file.items:
            match item:
                case ast.Game() | ast.Library() | ast.Variant() | ast.Use():
                    pass
                case ast.Replace() | ast.Extend() | ast.Hook() | ast.Remove():
                    pass
                case ast.Language() | ast.Looks() | ast.Notation() | ast.RuleTexts() | ast.Test():
                    pass
                case _:
                    yield item


def blocks(document: str) -> list[Block]:
    """All blocks of a document, in order."""
    text = (DOCS / document).read_text(encoding="utf-8")
    return [
        Block(
            document,
            text.count("\n", 0, match.start()) + 1,
            match["kind"],
            dict(mark.split("=", 1) for mark in match["marks"].split()),
            match["text"],
        )
        for match in FENCE.finditer(text)
    ]


def rules_blocks(document: str) -> list[Block]:
    return [block for block in blocks(document) if block.kind == "rules"]


def write_file(block: Block, document: list[Block], folder: Path) -> Path:
    """Lay the file a block stands for into a folder, with all it may build on."""
    wholes = {name: other for other in document if (name := other.declared_name) is not None}
    for name, other in wholes.items():
        (folder / f"{name}.rules").write_text(other.text, encoding="utf-8")
    base = block.marks.get("of")
    if base is None:
        name = block.declared_name or "broken"
        text = block.text
    else:
        name = "example"
        text = f"variant example of {base}\n\n{_changing(block, wholes[base])}"
    path = folder / f"{name}.rules"
    path.write_text(text, encoding="utf-8")
    return path


def _changing(block: Block, base: Block) -> str:
    """The text of a part, with `replace` before what the whole file has already."""
    known = {key_of(declaration) for declaration in base.declarations()}
    lines = block.text.split("\n")
    for declaration in block.declarations():
        if key_of(declaration) in known:
            at = declaration.span.line - 1
            lines[at] = f"replace {lines[at]}"
    return "\n".join(lines)


def grown_files(document: list[Block]) -> dict[str, str]:
    """The files that the blocks of a document make, one after the other.

    What a file has already is exchanged where it stands, anything else comes at the end.
    """
    files: dict[str, dict[Key, str]] = {}
    for block in document:
        if "file" in block.marks:
            files.setdefault(block.marks["file"], {}).update(_chunks(block))
    return {name: "".join(chunks.values()).rstrip() + "\n" for name, chunks in files.items()}


def _chunks(block: Block) -> dict[Key, str]:
    """The text of each declaration by its key, with the blank lines after it."""
    lines = [*block.text.splitlines(keepends=True), "\n"]
    items = parse(Source(str(block), block.text)).file.items
    starts = [item.span.line - 1 for item in items]
    chunks: dict[Key, str] = {}
    for item, start, end in zip(items, starts, [*starts[1:], len(lines)], strict=True):
        match item:
            case ast.Game() | ast.Library() | ast.Variant():
                key: Key = ("header",)
            case ast.Replace() | ast.Extend() | ast.Hook() | ast.Remove() | ast.Use():
                key = ("change", str(start))
            case ast.Looks() | ast.Notation() | ast.RuleTexts():
                key = ("change", str(start))
            case _:
                key = key_of(item)
        chunks[key] = "".join(lines[start:end])
    return chunks
