from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laager.base import RefusedError
from laager.hexmap import HexMap, jungle_path_problems
from laager.hexmap.ways.paths import PATH_MARKERS, linked_markers, path_cost, path_gaps
from tests.tries import tries

from .helpers import plain

JUNGLE = plain(
    6,
    6,
    terrain={"jungle": ["A1-A6", "B1-B6", "C1-C6"], "dense-jungle": ["D1-D6"], "bamboo": ["E1-E3"], "palm": ["E4-E6"]},
)
HEXES = st.sampled_from(sorted(JUNGLE.hexes))


def linked(field: HexMap, markers: list[str], gaps: set[str], *, several: bool) -> set[str]:
    """Return what hangs together with the first marker, pair by pair and hex by hex."""

    def pair(a: str, b: str) -> bool:
        if field.are_adjacent(a, b):
            return True
        reached = {name for name in gaps if field.are_adjacent(a, name)}
        while several:
            more = {g for g in gaps if any(field.are_adjacent(g, name) for name in reached)}
            if more <= reached:
                break
            reached |= more
        return any(field.are_adjacent(b, name) for name in reached)

    found = {markers[0]}
    while more := {m for m in markers if m not in found and any(pair(m, f) for f in found)}:
        found |= more
    return found


@given(st.lists(HEXES, min_size=1, max_size=5, unique=True), st.sets(HEXES, max_size=12), st.booleans())
@tries(250)
def test_links_against_pairs(markers: list[str], gaps: set[str], several: bool) -> None:
    found = linked_markers(JUNGLE, markers, gaps, several=several)
    assert found == linked(JUNGLE, markers, gaps, several=several)


def test_gaps_are_open_ground_and_palm() -> None:
    assert path_gaps(JUNGLE) == {"E4", "E5", "E6", *(f"F{row}" for row in range(1, 7))}


@pytest.mark.parametrize(
    ("markers", "cost"), [([], 0), (["C3"], 1), (["C3", "C4", "C5"], 3), (["D3", "C3"], 3), (["D3", "E3"], 4)]
)
def test_what_markers_count_for(markers: list[str], cost: int) -> None:
    assert path_cost(JUNGLE, markers) == cost
    problems = [str(one) for one in jungle_path_problems(JUNGLE, markers)]
    assert (not problems) == (cost <= PATH_MARKERS)


def test_one_hex_between_or_several() -> None:
    """D4 and F5 have E4 and E5 between them; B4 and D4 have jungle between them."""
    assert jungle_path_problems(JUNGLE, ["D5", "F5"]) == ()
    field = plain(8, 3, terrain={"jungle": ["A2", "B2", "E2"]})
    apart = ["A2", "B2", "E2"]
    found = [str(one) for one in jungle_path_problems(field, apart)]
    right = "markers of a purchase are ADJACENT, or an Open Ground or Palm hex is between"
    assert found == [f"E2 apart from A2; {right}"]
    assert jungle_path_problems(field, apart, several=True) == ()
    assert jungle_path_problems(field, ["A2", "B2"]) == ()


def test_all_problems_are_told_together() -> None:
    field = plain(8, 3, terrain={"bamboo": ["A2"], "jungle": ["B2", "H2"]}, not_playable=["H2"])
    found = [str(one) for one in jungle_path_problems(field, ["A2", "B2", "A2", "H2"])]
    assert [text.partition(";")[0] for text in found] == [
        "A2 more than once",
        "the markers count for 4",
        "H2 not in play",
        "H2 apart from A2",
    ]
    with pytest.raises(RefusedError, match="there is no hex 'Q9'"):
        jungle_path_problems(field, ["Q9"])
