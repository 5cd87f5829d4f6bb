"""Figures in words, each with the interval that holds the true one in 95 of 100 cases."""

from __future__ import annotations

from ruledsl.lab.statistics import Estimate


def percent(share: Estimate) -> str:
    """`31.2 % (30.3 to 32.1)`"""
    low, high = 100 * share.low, 100 * share.high
    return f"{100 * share.value:.1f} % ({low:.1f} to {high:.1f})"


def figure(found: Estimate, digits: int = 1) -> str:
    """`36.6 (36.2 to 37.0)`"""
    return f"{found.value:.{digits}f} ({found.low:.{digits}f} to {found.high:.{digits}f})"


def change(found: Estimate, digits: int = 2) -> str:
    """`+0.31 (+0.12 to +0.50)`"""
    return f"{found.value:+.{digits}f} ({found.low:+.{digits}f} to {found.high:+.{digits}f})"


def points(share: Estimate) -> str:
    """`24.6 points (22.6 to 26.6)`, for a difference between shares"""
    low, high = 100 * share.low, 100 * share.high
    return f"{100 * share.value:.1f} points ({low:.1f} to {high:.1f})"


def changed_points(share: Estimate) -> str:
    """`+1.2 points (+0.8 to +1.6)`"""
    low, high = 100 * share.low, 100 * share.high
    return f"{100 * share.value:+.1f} points ({low:+.1f} to {high:+.1f})"


def opposite(found: Estimate) -> Estimate:
    """The same, seen from the other side."""
    return Estimate(-found.value, -found.high, -found.low)
