"""What the extensions of editors are made of: the grammar for colouring, and beginnings of files.

Beginnings of declarations and statements are offered by the server, where they fit.
"""

from __future__ import annotations

import json

from ruledsl.language_server.kate import kate
from ruledsl.language_server.snippets import HEADERS
from ruledsl.language_server.textmate import textmate


def snippets() -> str:
    """The beginnings of files as VS Code reads them."""
    found = {
        name: {
            "prefix": name,
            "body": snippet.body.split("\n"),
            "description": snippet.about,
            "isFileTemplate": True,
        }
        for name, snippet in HEADERS.items()
    }
    return json.dumps(found, indent=2, ensure_ascii=False) + "\n"


def files() -> dict[str, str]:
    """The generated files of the extensions, by their place among them."""
    return {
        "vscode/rules.tmLanguage.json": textmate(),
        "vscode/snippets.json": snippets(),
        "kate/rules.xml": kate(),
    }
