"""Intervals and tests, by the outside evidence of scipy and by simulation."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruledsl.lab.statistics import (
    Moments,
    critical,
    difference,
    holm,
    moments,
    proportion,
    seldomer_than,
    two_sided,
)

stats = pytest.importorskip("scipy.stats")


@given(whole=st.integers(1, 100_000), data=st.data())
def test_shares_have_wilsons_interval(whole: int, data: st.DataObject) -> None:
    part = data.draw(st.integers(0, whole))
    ours = proportion(part, whole)
    theirs = stats.binomtest(part, whole).proportion_ci(method="wilson")
    assert ours.low == pytest.approx(theirs.low, abs=1e-9)
    assert ours.high == pytest.approx(theirs.high, abs=1e-9)


@given(st.lists(st.integers(-50, 50), min_size=2, max_size=60))
def test_means_and_their_errors(values: list[int]) -> None:
    ours = moments(values)
    assert ours.error == pytest.approx(float(stats.sem(values)), abs=1e-9)
    halves = moments(values[:1]), moments(values[1:])
    halves[0].merge(halves[1])
    assert halves[0] == ours


@given(st.floats(-8, 8))
def test_p_values(z: float) -> None:
    assert two_sided(z) == pytest.approx(2 * float(stats.norm.sf(abs(z))), rel=1e-9)


def test_the_difference_of_two_means_is_welchs_for_large_samples() -> None:
    chance = Random(1)
    one = [chance.gauss(0, 1) for _ in range(3000)]
    other = [chance.gauss(0.05, 2) for _ in range(4000)]
    _, p = difference(moments(one), moments(other))
    assert p == pytest.approx(float(stats.ttest_ind(one, other, equal_var=False).pvalue), abs=1e-3)


def test_holms_correction_by_its_definition() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([]) == []
    assert holm([0.9, 0.8]) == [1.0, 1.0]


def test_what_was_never_seen() -> None:
    # The rule of three.
    assert seldomer_than(10_000) == pytest.approx(3 / 10_000, rel=0.01)
    assert critical(1, 0.05) == pytest.approx(1.96, abs=0.001)


@pytest.mark.parametrize("p", [0.02, 0.25, 0.5])
def test_the_intervals_hold_the_truth_in_95_of_100_cases(p: float) -> None:
    chance = Random(7)
    runs, games = 2000, 300
    held = held_mean = 0
    for _ in range(runs):
        wins = sum(chance.random() < p for _ in range(games))
        share = proportion(wins, games)
        held += share.low <= p <= share.high
        lengths = Moments()
        for _ in range(100):
            lengths.add(chance.expovariate(1 / 20))
        mean = lengths.estimate()
        held_mean += mean.low <= 20 <= mean.high
    assert 0.935 < held / runs < 0.975
    assert 0.92 < held_mean / runs < 0.965
