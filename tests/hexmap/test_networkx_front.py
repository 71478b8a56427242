"""The plain networkx analysis of the benchmarks gives what ours gives."""

from __future__ import annotations

import pytest
from bench.maps import BigMap, big_map
from bench.networkx_front import NetworkxFront

from laager.hexmap import Front, controlled_hexes, crests, front, strategic_terrain


def analysed(given: BigMap) -> Front:
    strategic, tops = strategic_terrain(given.map), crests(given.map)
    held = {side: controlled_hexes(given.map, strategic, tops, given.control, side) for side in given.edges}
    return front(given.map, held, given.control_of_ground, given.edges)


@pytest.mark.parametrize(
    ("columns", "rows", "seed", "controlled"),
    [(33, 45, 1943, 200), (12, 14, 1, 20), (12, 14, 2, 20), (16, 12, 3, 30), (20, 9, 4, 25)],
)
def test_the_networkx_front_agrees(columns: int, rows: int, seed: int, controlled: int) -> None:
    given = big_map(columns, rows, seed, controlled)
    ours = analysed(given)
    theirs = NetworkxFront(given.map).analyse(given.control, given.edges)
    assert theirs.strategic == frozenset(strategic_terrain(given.map))
    assert theirs.overlap == ours.overlap
    assert dict(theirs.clusters) == dict(ours.clusters)
    for side in ours.sides:
        assert list(theirs.chains[side]) == [link.hexes for link in ours.links[side]]
    assert dict(theirs.region) == dict(ours.region)
    assert dict(theirs.isolated) == dict(ours.isolated)
    assert theirs.second_nml == ours.second_nml
    assert theirs.uncontrolled == ours.uncontrolled


def test_the_big_map_is_big_and_always_the_same() -> None:
    given = big_map()
    assert len(given.map.hexes) == 33 * 45
    assert len(given.control) == 200
    assert set(given.control.values()) == {"axis", "allied"}
    assert given.map == big_map().map
    assert given.control == big_map().control
    assert given.map != big_map(seed=7).map
