"""A map goes to the process that draws it, whatever has been worked out about it."""

from __future__ import annotations

import pickle

from laager.hexmap.hexmap import HexMap, kept_with_map
from laager.web.shared import processes  # noqa: F401 - teaches pickle what maps are made of
from tests.hexmap.draw.sample import sample_map


@kept_with_map
def _count_hexes(map_: HexMap) -> int:
    return len(map_.hexes)


def test_what_a_map_keeps_stays_behind() -> None:
    map_ = sample_map()
    assert _count_hexes(map_) == len(map_.hexes)
    map_.__dict__["_kept"][lambda: None] = 1
    there = pickle.loads(pickle.dumps(map_))
    assert there == map_
    assert "_kept" not in there.__dict__
