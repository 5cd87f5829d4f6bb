"""What may follow a text that breaks off."""

from __future__ import annotations

import pytest

from ruledsl.syntax.continuing import unfinished


def test_what_may_stand_at_the_end() -> None:
    found = unfinished("f.rules", "place box nobody", 1, "nobody")
    assert found is not None
    assert {"of", "per", "grid"} <= found.expected
    assert found.tokens[-1] == "nobody"


@pytest.mark.parametrize("stray", ["?", "2.5", "!"])
def test_nothing_follows_a_broken_line(stray: str) -> None:
    assert unfinished("f.rules", f"step play\n    add 1 to {stray} nobody", 1, "nobody") is None
