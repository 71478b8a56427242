from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laager.base import RefusedError
from laager.hexmap import recon_places, recon_problem, reserve_places, reserve_problems
from laager.hexmap.ways.distances import RECON_REACH, RESERVE_DISTANCE, range_to, too_far_problem, too_near_problems
from tests.tries import tries

from .helpers import plain

FIELD = plain(14, 14, not_playable=["A1", "G7"])
HEXES = st.sampled_from(sorted(FIELD.hexes))
SETS = st.sets(HEXES, max_size=6)


def nearest(name: str, *areas: set[str]) -> int:
    ranges = [FIELD.distance(name, hex_) for area in areas for hex_ in area]
    return min(ranges, default=99)


@given(SETS, SETS, SETS)
@tries(40)
def test_places_against_counting(own: set[str], first: set[str], second: set[str]) -> None:
    enemy = {"first": first, "second": second}
    reserves, recon = reserve_places(FIELD, own, enemy), recon_places(FIELD, {"own": own})
    for name in FIELD.hexes:
        playable = name in FIELD.playable
        far = nearest(name, first, second) >= RESERVE_DISTANCE
        assert (name in reserves) == (playable and name in own and far)
        problems = reserve_problems(FIELD, name, own, enemy)
        assert (not problems) == (name in own and far)
        near = nearest(name, own) <= RECON_REACH
        assert (name in recon) == (playable and near)
        assert (recon_problem(FIELD, name, {"own": own}) is None) == near


def test_ranges() -> None:
    assert range_to(FIELD, "C3", ["C9", "C5"]) == 2
    assert range_to(FIELD, "C3.1", ["C3"]) == 0
    assert range_to(FIELD, "C3", []) is None
    with pytest.raises(RefusedError, match="there is no hex 'ZZ1'"):
        range_to(FIELD, "ZZ1", ["C3"])


def test_every_area_that_is_too_near_is_told() -> None:
    areas = {"the Setup Area": ["C9"], "Entry Area C1": ["C1"], "Entry Area N1": ["N1"]}
    found = too_near_problems(FIELD, "C4", areas, 8)
    assert [str(one) for one in found] == [
        "C4 is 5 hexes from the Setup Area; 8 at least",
        "C4 is 3 hexes from Entry Area C1; 8 at least",
    ]
    assert too_near_problems(FIELD, "C4", {"none": []}, 8) == ()


def test_the_nearest_area_counts() -> None:
    areas = {"far": ["C14"], "near": ["C10"], "none": []}
    assert too_far_problem(FIELD, "C4", areas, 6) is None
    assert str(too_far_problem(FIELD, "C4", areas, 5)) == ("C4 is 6 hexes from near, the nearest area; 5 at most")
    text = "there is no area from which to reach C4; it needs one"
    assert str(too_far_problem(FIELD, "C4", {"none": []}, 5)) == text
