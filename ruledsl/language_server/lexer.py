"""A lexer of rules files for Pygments, for documents and terminals; needs the extra `highlight`."""

from __future__ import annotations

from typing import ClassVar

from pygments.lexer import RegexLexer
from pygments.token import Text, Token, string_to_tokentype

from ruledsl.syntax.colours import sorts


class RulesLexer(RegexLexer):  # type: ignore[misc]  # it has no types
    """Made from the one description of words and signs."""

    name = "Rules"
    aliases: ClassVar = ["rules", "ruledsl"]
    filenames: ClassVar = ["*.rules"]
    url = ""
    version_added = ""

    tokens: ClassVar = {
        "root": [
            *(
                (sort.pattern.replace("(?m)", ""), string_to_tokentype(sort.token))
                for sort in sorts()
            ),
            (r"\s+", Text.Whitespace),
            (r".", Token.Error),
        ]
    }
