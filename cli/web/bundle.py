"""A page that needs no server: its modules in one, with Python and all games packed into it."""

from __future__ import annotations

import ast
import base64
import gzip
import hashlib
import io
import json
import re
import zipfile
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from importlib import import_module
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path, PurePath
from typing import Any

from ruledsl.library import SUFFIX

VERSION = "314.0.7"
"""of Pyodide, which is Python for browsers"""
CDN = f"https://cdn.jsdelivr.net/npm/pyodide@{VERSION}/"
HASHES: Mapping[str, str] = {
    "pyodide.mjs": "sha384-Lp79fMwxa4n2BLtugpUAoQMlbxIdg8iCUiP1r3h7nJLkQjwlXT1JzZTeHVL+f4Dg",
    "pyodide.asm.mjs": "sha384-/2281iaC0Iimw0B3Kagy1DBfZcJG3W4KYW+EmOqhsdY3fR9BJ88FE2Zt6y0KQKpa",
    "pyodide.asm.wasm": "sha384-y++qrQ72KPA1fTjLIuGMP+jppgGxjbLCgfdb0zMrnNnQVhxRUXTOTF6rTxNzllSu",
    "python_stdlib.zip": "sha384-xW3A5jmenkrPXbsgrIaB1FCJh9OuLT7FRMagsJMgtlhVc19k/mSy3+7nMaF/d767",
}
"""The files of this version that a page needs, and what they must be."""
INFO = {
    "abi_version": "2026_0",
    "arch": "wasm32",
    "platform": "emscripten_5_0_3",
    "python": "3.14.2",
}

_IMPORT = re.compile(r'^import [^;]*?from "\./(\w+)\.js";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const|let) )", re.MULTILINE)
_PACKAGES = ("ruledsl", "ruledsl.cli.web", "ruledsl.games", "ruledsl.grammar")
_COMMAND_LINE = ("__init__.py", "hints.py")
"""What a page needs of the rest of the command line."""
_SKIPPED = ("__pycache__", "page", "pages", "lab", "language_server")
"""Folders that are no use in a page."""


class WrongRuntime(Exception):
    """A folder that has not what a page needs; the text says why."""


def bundled(entry: str) -> str:
    """A module of the page with all that it imports, in one text."""
    done: dict[str, str] = {}
    _gather(entry, done, ())
    return "\n".join(done.values())


def _gather(name: str, done: dict[str, str], above: tuple[str, ...]) -> None:
    if name in done:
        return
    assert name not in above, f"{name} imports itself"
    text = page_file(f"{name}.js").decode()
    for other in _IMPORT.findall(text):
        _gather(other, done, (*above, name))
    done[name] = _EXPORT.sub("", _IMPORT.sub("", text))


def page_file(name: str) -> bytes:
    return files("ruledsl.cli.web").joinpath("page").joinpath(name).read_bytes()


# ------------------------------------------------------------ Python for the page


def python_zip(games: Collection[str] | None = None) -> bytes:
    """The program itself, what it needs, and some games, or all of them."""
    buffer = io.BytesIO()
    # Not compressed: the whole is, later, which makes it smaller.
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for name, data in _python_files():
            stem = PurePath(name).stem
            if games is None or not name.endswith(SUFFIX) or stem in games:
                packed = _bare(data) if name.endswith(".py") else data
                archive.writestr(zipfile.ZipInfo(name), packed)
    return buffer.getvalue()


@cache
def _bare(source: bytes) -> bytes:
    """A module without what is for its readers, which is a quarter of it."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            node.body = [line for line in node.body if not _is_text(line)] or [ast.Pass()]
    return ast.unparse(tree).encode()


def _is_text(line: ast.stmt) -> bool:
    match line:
        case ast.Expr(value=ast.Constant(value=str())):
            return True
        case _:
            return False


def _python_files() -> Iterator[tuple[str, bytes]]:
    for package in _PACKAGES:
        yield from _walk(files(package), package.replace(".", "/"))
    for name in _COMMAND_LINE:
        yield f"ruledsl/cli/{name}", files("ruledsl.cli").joinpath(name).read_bytes()
    for package in ("attr", "attrs"):
        (folder,) = import_module(package).__path__
        yield from _walk(Path(folder), package)


def _walk(folder: Traversable, below: str) -> Iterator[tuple[str, bytes]]:
    for entry in sorted(folder.iterdir(), key=lambda each: each.name):
        name = f"{below}/{entry.name}"
        if entry.is_dir():
            if entry.name not in _SKIPPED:
                yield from _walk(entry, name)
        elif entry.name.endswith((".py", SUFFIX, ".json", ".lark")):
            yield name, entry.read_bytes()


# ------------------------------------------------------------ the runtime


def integrity(data: bytes) -> str:
    return "sha384-" + base64.b64encode(hashlib.sha384(data).digest()).decode()


def runtime(folder: Path) -> dict[str, bytes]:
    """The files of the runtime in a folder, each compared with what it must be."""
    found: dict[str, bytes] = {}
    for name, wanted in HASHES.items():
        try:
            found[name] = (folder / name).read_bytes()
        except OSError as error:
            raise WrongRuntime(f"`{folder}` has no `{name}`") from error
        if integrity(found[name]) != wanted:
            raise WrongRuntime(f"`{folder / name}` is not that of version {VERSION}")
    return found


# ------------------------------------------------------------ the page


def page(
    title: str,
    config: Mapping[str, Any],
    carried: Mapping[str, bytes],
    games: Collection[str] | None = None,
) -> str:
    """The whole page, with some games or all; the runtime is in it if it is `carried`."""
    settings = {
        "title": title,
        "cdn": CDN,
        "hashes": dict(HASHES),
        "info": INFO,
        "inlined": bool(carried),
        "files": list(HASHES),
        **config,
    }
    icon = base64.b64encode(page_file("icon.svg")).decode()
    parts = [
        "<!doctype html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="color-scheme" content="light dark">',
        f"<title>{_escaped(title)}</title>",
        f'<link rel="icon" href="data:image/svg+xml;base64,{icon}">',
        f"<style>\n{page_file('style.css').decode()}</style>",
        "</head>",
        "<body>",
        '<div id="app"></div>',
        "<noscript>This page needs JavaScript.</noscript>",
        # Rules may have anything in them: no text of theirs ends the element around it.
        _data("config", "application/json", json.dumps(settings).replace("<", "\\u003c")),
        _data("worker", "text/plain", page_file("worker.js").decode()),
        _data("python", "application/octet-stream", _packed(python_zip(games))),
        *(
            _data(f"runtime-{name}", "application/octet-stream", _packed(data))
            for name, data in carried.items()
        ),
        f'<script type="module">\n{bundled("alone")}</script>',
        "</body>",
        "</html>",
        "",
    ]
    return "\n".join(parts)


def _packed(data: bytes) -> str:
    return base64.b64encode(gzip.compress(data, 9, mtime=0)).decode()


def _data(name: str, of: str, text: str) -> str:
    assert "<!--" not in text and "</script" not in text, name
    return f'<script type="{of}" id="{name}">{text}</script>'


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
