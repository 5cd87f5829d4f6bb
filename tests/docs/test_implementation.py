"""What `implementation.md` names exists, and it names every part."""

import re

from .blocks import DOCS

ROOT = DOCS.parent
TEXT = (DOCS / "implementation.md").read_text(encoding="utf-8")
NAMED = set(re.findall(r"`((?:ruledsl|cli|grammar|games)/[\w/.]*)`", TEXT))


def test_what_is_named_exists() -> None:
    assert NAMED
    assert [path for path in sorted(NAMED) if not (ROOT / path).exists()] == []


def test_every_part_is_named() -> None:
    folders = {path.parent.relative_to(ROOT) for path in ROOT.glob("ruledsl/**/__init__.py")}
    missing = {f"{folder}/" for folder in folders if str(folder) != "ruledsl"} - NAMED
    assert missing == set()
