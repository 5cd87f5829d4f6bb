"""The grammar for colouring that editors read: TextMate's, made from the one description."""

from __future__ import annotations

import json

from ruledsl.syntax.colours import sorts


def textmate() -> str:
    """As a file. Editors look at one line at a time, so `^` needs no flag there."""
    patterns = [{"name": sort.scope, "match": sort.pattern.replace("(?m)", "")} for sort in sorts()]
    document = {
        "name": "Rules",
        "scopeName": "source.rules",
        "patterns": patterns,
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"
