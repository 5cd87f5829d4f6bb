"""The grammar for colouring that Kate reads, made from the one description."""

from __future__ import annotations

from xml.sax.saxutils import quoteattr

from ruledsl.syntax.colours import sorts

STYLES = {
    "Comment.Single": "dsComment",
    "String.Double": "dsString",
    "Name.Decorator": "dsAnnotation",
    "Number.Integer": "dsDecVal",
    "Keyword.Declaration": "dsKeyword",
    "Keyword": "dsControlFlow",
    "Keyword.Constant": "dsConstant",
    "Name.Builtin.Pseudo": "dsBuiltIn",
    "Name.Builtin": "dsBuiltIn",
    "Name.Attribute": "dsAttribute",
    "Keyword.Reserved": "dsKeyword",
    "Name.Class": "dsDataType",
    "Name.Function": "dsFunction",
    "Name": "dsNormal",
    "Operator": "dsOperator",
    "Punctuation": "dsNormal",
}
"""How Kate shows what Pygments calls so."""


def kate() -> str:
    """As a file. Kate looks at one line at a time, so `^` needs no flag there."""
    rules = (
        f"<RegExpr attribute={quoteattr(sort.token)} context='#stay'"
        f" String={quoteattr(sort.pattern.replace('(?m)', ''))}/>"
        for sort in sorts()
    )
    styles = (
        f"<itemData name={quoteattr(token)} defStyleNum='{style}' spellChecking='false'/>"
        for token, style in STYLES.items()
    )
    indent = "\n        "
    return f"""\
<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE language>
<language name="Rules" section="Other" extensions="*.rules" priority="20" version="1"
          kateversion="5.62" indenter="normal">
  <highlighting>
    <contexts>
      <context name="Normal" attribute="Name" lineEndContext="#stay">
        {indent.join(rules)}
      </context>
    </contexts>
    <itemDatas>
        {indent.join(styles)}
    </itemDatas>
  </highlighting>
  <general>
    <folding indentationsensitive="1"/>
    <comments><comment name="singleLine" start="#"/></comments>
  </general>
</language>
"""
