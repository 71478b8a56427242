"""Guns set up again and Snipers: the tables of the worked example A1, and all pairs counted."""

from __future__ import annotations

from itertools import combinations_with_replacement

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from laager.hexmap import (
    BlockFront,
    Ground,
    HexMap,
    block_front,
    gun_places,
    gun_problem,
    sniper_pair,
    sniper_problem,
    sniper_range,
)

from .helpers import hexes, made, plain
from .towns import BRITISH, GERMAN, SIDES, TWELVE, towns, twelve_columns


def front() -> BlockFront:
    return block_front(twelve_columns(), {"W": BRITISH, "NE": GERMAN, "SE": None}, SIDES)


GUNS = [
    ("D2", "A4", {}, None),
    ("D2", "D6", {}, "D6 is 4 hexes from D2; at most 3 in a Friendly Setup Area"),
    ("D2", "D6", {"free": True}, None),
    ("D2", "F2", {}, "F2 is in an Enemy Setup Area; set it up elsewhere"),
    ("D2", "F2", {"free": True}, "F2 is in an Enemy Setup Area; set it up elsewhere"),
    ("D6", "F6", {}, None),
    ("D6", "F8", {}, "F8 is 3 hexes from D6; at most 2 in Uncontrolled Territory"),
    ("D6", "F8", {"free": True}, "F8 is 3 hexes from D6; at most 2 in Uncontrolled Territory"),
    # Distance and area allow the street; that a Gun cannot be Emplaced there is another rule's.
    ("D6", "E7", {}, None),
    (
        "D2",
        "A4",
        {"locked": True},
        "the Gun is fixed in D2 and cannot set up in A4; it stays where it is unless it is dm",
    ),
    ("D2", "D2", {"locked": True}, None),
]


@pytest.mark.parametrize(("ended", "target", "flags", "told"), GUNS)
def test_the_worked_example(ended: str, target: str, flags: dict[str, bool], told: str) -> None:
    found = gun_problem(twelve_columns(), front(), BRITISH, ended, target, **flags)
    assert (str(found) if found else None) == told
    places = gun_places(twelve_columns(), front(), BRITISH, ended, **flags)
    assert (target in places) == (told is None)


def test_the_ranges_of_the_worked_example() -> None:
    town = twelve_columns()
    pairs = ("D2 A4", "D2 D6", "D2 F2", "D6 F6", "D6 F8", "D6 E7")
    assert [town.distance(*pair.split()) for pair in pairs] == [3, 4, 2, 2, 3, 1]
    assert front().ground(BRITISH, "E7") is Ground.UNCONTROLLED


def test_a_locked_gun_keeps_its_very_location() -> None:
    town = made(**TWELVE, buildings=[{"material": "stone", "levels": 1, "hexes": ["D2"]}])
    held = block_front(town, {"A": BRITISH}, SIDES)
    assert gun_problem(town, held, BRITISH, "D2.1", "D2.1", locked=True) is None
    assert gun_problem(town, held, BRITISH, "D2.1", "D2", locked=True) is not None
    assert gun_problem(town, held, BRITISH, "D2.1", "D2") is None


@given(towns(), st.data())
@settings(max_examples=30, deadline=None)
def test_places_and_problems_agree(town: HexMap, data: st.DataObject) -> None:
    who = st.sampled_from([BRITISH, GERMAN, None])
    held = block_front(town, {name: data.draw(who) for name in town.blocks.hexes}, SIDES)
    ended = data.draw(st.sampled_from(sorted(town.playable)))
    for flags in ({}, {"free": True}, {"locked": True}):
        places = gun_places(town, held, BRITISH, ended, **flags)
        for name in town.playable:
            problem = gun_problem(town, held, BRITISH, ended, name, **flags)
            assert (problem is None) == (name in places)


def test_snipers_of_the_worked_example() -> None:
    town = twelve_columns()
    everywhere = town.playable
    assert [town.distance(*pair.split()) for pair in ("A1 L8", "A1 L4", "A8 L0")] == [13, 11, 13]
    assert sniper_range(town, everywhere) == 12
    assert sniper_problem(town, "A1", "L8", everywhere) is None
    assert sniper_problem(town, "A8", "L0", everywhere) is None
    assert str(sniper_problem(town, "A1", "L4", everywhere)) == (
        "the Snipers in A1 and L4 are 11 hexes apart; at least 12"
    )
    assert sniper_problem(town, "A1", "L4", hexes("A1 L4 B2")) is None
    assert str(sniper_problem(town, "A1", "B2", hexes("A1 L4 B2"))) == (
        "the Snipers in A1 and B2 are 2 hexes apart; at least 11, the largest range that there is"
    )
    assert sniper_pair(town, everywhere) == ("A1", "H9")


def test_snipers_at_the_range_of_the_rule() -> None:
    """On the standard numbering O5 and R15 are 12 hexes apart, O6 and R15 are 11."""
    town = plain(20, 16)
    permitted = hexes("O5 O6 R15")
    assert sniper_problem(town, "O5", "R15", permitted) is None
    assert sniper_problem(town, "O6", "R15", permitted) is not None
    assert sniper_problem(town, "O6", "R15", hexes("O6 R15")) is None
    assert sniper_problem(town, "O6", "R15", permitted, least=10) is None


def test_few_permitted_hexes() -> None:
    town = twelve_columns()
    assert (sniper_range(town, []), sniper_pair(town, [])) == (0, None)
    assert (sniper_range(town, ["B2"]), sniper_pair(town, ["B2"])) == (0, ("B2", "B2"))
    assert sniper_problem(town, "B2", "B2", ["B2"]) is None
    assert sniper_pair(town, ["B2", "C2", "H5"]) == ("B2", "H5")


@given(towns(), st.data())
@settings(max_examples=30, deadline=None)
def test_the_range_is_that_of_all_pairs(town: HexMap, data: st.DataObject) -> None:
    names = st.lists(st.sampled_from(sorted(town.hexes)), min_size=1, unique=True)
    permitted, least = data.draw(names), data.draw(st.integers(0, 6))
    pairs = list(combinations_with_replacement(town.in_order(permitted), 2))
    most = max(town.distance(a, b) for a, b in pairs)
    assert sniper_range(town, permitted, least) == min(most, least)
    legal = [pair for pair in pairs if town.distance(*pair) >= min(most, least)]
    assert sniper_pair(town, permitted, least) == legal[0]
    for pair in pairs:
        assert (sniper_problem(town, *pair, permitted, least) is None) == (pair in legal)
