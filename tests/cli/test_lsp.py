"""`ruledsl lsp` is for editors."""

from .keyboard import Keyboard


def test_nobody_talks_to_an_editor_by_hand() -> None:
    with Keyboard("lsp") as terminal:
        terminal.see("an editor starts this")
        assert terminal.leave() == 2
