"""The longest trail, beside Euler's way to tell whether some edges are one."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from ruledsl.table.things import Thing
from ruledsl.table.trails import longest_trail

PLACES = [Thing("Town", n, f"town_{n}", n) for n in range(5)]
PAIRS = list(combinations(PLACES, 2))
GRAPHS = st.dictionaries(st.sampled_from(PAIRS), st.integers(0, 9), max_size=7)


def edges_of(lengths: dict[tuple[Thing, Thing], int]) -> dict[Thing, int]:
    return {
        Thing("road", n, f"road_{n}", n, ends=pair): length
        for n, (pair, length) in enumerate(lengths.items())
    }


def free(passes: int) -> None:
    """As long as it takes."""


def longest_walk(lengths: dict[Thing, int], passable: set[Thing]) -> int:
    """All ways from everywhere, edge by edge."""

    def beyond(place: Thing, left: frozenset[Thing]) -> int:
        best = 0
        for edge in left:
            if place in edge.ends:
                (across,) = {*edge.ends} - {place}
                further = beyond(across, left - {edge}) if across in passable else 0
                best = max(best, lengths[edge] + further)
        return best

    return max((beyond(place, frozenset(lengths)) for place in PLACES), default=0)


def is_trail(edges: tuple[Thing, ...]) -> bool:
    """Connected, and all but two places have an even number of edges."""
    if not edges:
        return True
    met = {edges[0].ends[0]}
    for _ in edges:
        met |= {end for edge in edges if met & {*edge.ends} for end in edge.ends}
    ends = [end for edge in edges for end in edge.ends]
    odd = [place for place in PLACES if ends.count(place) % 2]
    return met == {*ends} and len(odd) <= 2


@given(GRAPHS)
def test_it_is_the_longest_of_all_subsets_that_are_one_line(
    graph: dict[tuple[Thing, Thing], int],
) -> None:
    lengths = edges_of(graph)
    best = max(
        sum(lengths[edge] for edge in chosen)
        for many in range(len(lengths) + 1)
        for chosen in combinations(lengths, many)
        if is_trail(chosen)
    )
    assert longest_trail(lengths, None, free) == best


@given(GRAPHS, st.sets(st.sampled_from(PLACES)))
def test_it_is_the_longest_of_all_walks_and_fewer_places_to_go_through_make_it_no_longer(
    graph: dict[tuple[Thing, Thing], int], passable: set[Thing]
) -> None:
    lengths = edges_of(graph)
    through = longest_trail(lengths, passable, free)
    assert through == longest_walk(lengths, passable)
    assert max(lengths.values(), default=0) <= through
    assert through <= longest_trail(lengths, None, free)
    assert longest_trail(lengths, PLACES, free) == longest_trail(lengths, None, free)
