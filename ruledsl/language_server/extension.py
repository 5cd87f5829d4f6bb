"""What the extensions of editors are made of: the grammar for colouring, and snippets."""

from __future__ import annotations

import json

from ruledsl.language_server.snippets import DECLARATIONS, HEADERS, STATEMENTS
from ruledsl.language_server.textmate import textmate


def snippets() -> str:
    """The snippets as VS Code reads them."""
    found = {
        name: {"prefix": name, "body": snippet.body.split("\n"), "description": snippet.about}
        for table in (HEADERS, DECLARATIONS, STATEMENTS)
        for name, snippet in table.items()
    }
    return json.dumps(found, indent=2, ensure_ascii=False) + "\n"


def files() -> dict[str, str]:
    """The generated files of the extension by name."""
    return {"rules.tmLanguage.json": textmate(), "snippets.json": snippets()}
