"""Two checkouts beside each other: here, one and the same."""

from bench.compare import HERE, Compared, lines


def test_a_checkout_beside_itself() -> None:
    _, row, *_, slower = lines(HERE, HERE, ["tic_tac_toe", "no_such_game"], 0.01, 1)
    assert "tic_tac_toe" in row and "other rules" not in row
    assert slower == "not in both, or not compiled: no_such_game"


def test_what_is_slower() -> None:
    assert not Compared("a", (1.0, 1.0), (99.0, 100.0), same_rules=True).slower
    assert Compared("a", (1.2, 1.0), (100.0, 100.0), same_rules=True).slower
    assert Compared("a", (1.0, 1.0), (80.0, 100.0), same_rules=True).slower
