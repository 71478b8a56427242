"""Setup Areas, front line and Uncontrolled Territory: the worked example A1 and a slow reading."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laager.base import RefusedError
from laager.hexmap import BlockFront, HexMap, block_front, front_locations
from laager.hexmap.areas.blocks import GroundKind
from tests.tries import tries

from .helpers import hexes, made, plain
from .towns import BRITISH, GERMAN, SIDES, TWELVE, towns, twelve_columns

CONTROL = {"W": BRITISH, "NE": GERMAN, "SE": None}


def example() -> BlockFront:
    return block_front(twelve_columns(), CONTROL, SIDES)


def test_the_worked_example() -> None:
    front = example()
    assert front.road_line == hexes("E1 E2 E3 E4 E5")
    assert front.line == {BRITISH: hexes("D0 D1 D2 D4 D5"), GERMAN: hexes("F0 F1 F2 F3 F4")}
    assert len(front.uncontrolled) == 21 + 22 + 12 == 55
    blocks = twelve_columns().blocks
    assert front.uncontrolled == blocks.hexes["SE"] | blocks.roads | blocks.rivers
    assert front.friendly == {BRITISH: blocks.hexes["W"], GERMAN: blocks.hexes["NE"]}
    assert [(one.name, one.side, len(one.hexes)) for one in front.areas] == [("W", BRITISH, 32), ("NE", GERMAN, 27)]
    assert front.control == {"W": BRITISH, "NE": GERMAN}


def test_the_variant_in_which_the_germans_hold_the_south_too() -> None:
    front = block_front(twelve_columns(), {**CONTROL, "SE": GERMAN}, SIDES)
    assert front.road_line == hexes("E1 E2 E3 E4 E5 E6 E7 E8")
    assert front.line[BRITISH] == hexes("D0 D1 D2 D4 D5 D6 D7 D8")
    assert front.line[GERMAN] == hexes("F0 F1 F2 F3 F4 F6 F7 F8")
    assert len(front.uncontrolled) == 22 + 12


def test_what_a_location_is_to_a_side() -> None:
    front = example()
    assert front.ground(BRITISH, "A4") is GroundKind.FRIENDLY
    assert front.ground(GERMAN, "A4.1") is GroundKind.ENEMY
    for name in ("F6", "E7", "E9"):
        assert front.ground(BRITISH, name) is GroundKind.UNCONTROLLED
    assert front.area_at("B2.1") == front.areas[0]
    assert front.area_at("E3") is None
    assert (front.enemy(BRITISH), front.enemy(GERMAN)) == (GERMAN, BRITISH)
    with pytest.raises(RefusedError, match="there is no side 'polish' here"):
        front.enemy("polish")
    with pytest.raises(RefusedError, match="A99 is not a playable hex"):
        front.ground(BRITISH, "A99")


def test_every_location_at_the_front_counts() -> None:
    town = made(
        **TWELVE,
        buildings=[
            {"material": "stone", "levels": 2, "hexes": ["D2", "E3"]},
            {"material": "stone", "cellar": True, "hexes": ["C2", "B2"]},
        ],
    )
    front = block_front(town, {"A": BRITISH, "B": GERMAN}, SIDES)
    assert front_locations(town, front, BRITISH) == (*("D0", "D1", "D2", "D2.1", "D2.2", "D4", "D5"),)
    assert front_locations(town, front) == ("E1", "E2", "E3", "E3.1", "E3.2", "E4", "E5")
    assert sum(len(town.locations(name)) for name in front.uncontrolled) == 55 + 2
    with pytest.raises(RefusedError, match="there is no side"):
        front_locations(town, front, "polish")


def test_parallel_streets_have_no_front_line_between_them_unless_the_owner_adds_it() -> None:
    streets = [{"kind": "paved", "along": [f"{column}1-{column}5"]} for column in "CD"]
    town = plain(6, 5, roads=streets)
    control = {"A": BRITISH, "B": GERMAN}
    front = block_front(town, control, SIDES)
    assert not front.road_line
    assert front.line == {BRITISH: frozenset(), GERMAN: frozenset()}
    added = block_front(town, control, SIDES, also=["C3", "D2"])
    assert added.road_line == hexes("C3 D2")
    assert added.line == {BRITISH: hexes("B2 B3"), GERMAN: hexes("E2 E3")}
    with pytest.raises(RefusedError, match="B3 is not a road hex"):
        block_front(town, control, SIDES, also=["B3"])


def test_a_bridge_is_not_in_the_front_line() -> None:
    """E9 is river: it touches D8 and F8, but no street that counts."""
    front = block_front(twelve_columns(), {**CONTROL, "SE": GERMAN}, SIDES)
    assert "E9" not in front.road_line


def blockhouse_town() -> HexMap:
    return plain(
        5,
        5,
        roads=[{"kind": "paved", "along": ["C1-C5"]}],
        features={"blockhouse": ["C3"]},
        buildings=[{"material": "stone", "levels": 1, "hexes": ["C3"]}],
    )


def test_the_blockhouse_is_never_in_the_front_line() -> None:
    town = blockhouse_town()
    control = {"A": BRITISH, "B": GERMAN}
    front = block_front(town, control, SIDES)
    assert front.road_line == hexes("C1 C2 C4 C5")
    assert front.line == {BRITISH: hexes("B1 B2 B3 B4 B5"), GERMAN: hexes("D1 D2 D3 D4 D5")}
    assert front.ground(BRITISH, "C3") is GroundKind.UNCONTROLLED
    held = block_front(town, control, SIDES, blockhouse={"C3": BRITISH})
    assert held.ground(BRITISH, "C3.1") is GroundKind.FRIENDLY
    assert [(one.name, one.side) for one in held.areas] == [*(("A", BRITISH), ("Blockhouse", BRITISH), ("B", GERMAN))]
    assert held.line == front.line
    assert held.road_line == front.road_line


def test_the_blockhouse_alone_makes_a_front_of_the_streets_beside_it() -> None:
    front = block_front(blockhouse_town(), {"B": GERMAN}, SIDES, blockhouse={"C3": BRITISH})
    assert front.road_line == hexes("C2 C4")
    assert front.line == {BRITISH: frozenset(), GERMAN: hexes("D1 D2 D3 D4")}
    with pytest.raises(RefusedError, match="A1 is not a hex of the Blockhouse; it stands in C3"):
        block_front(blockhouse_town(), {}, SIDES, blockhouse={"A1": BRITISH})


def test_connected_blocks_may_make_one_area() -> None:
    control = {"W": BRITISH, "NE": GERMAN, "SE": GERMAN}
    front = block_front(twelve_columns(), control, SIDES, connected=True)
    assert [(one.name, one.side, len(one.hexes)) for one in front.areas] == [("W", BRITISH, 32), ("NE+SE", GERMAN, 48)]
    same = {**control, "W": GERMAN}
    (all_of_it,) = block_front(twelve_columns(), same, SIDES, connected=True).areas
    assert (all_of_it.name, len(all_of_it.hexes)) == ("NE+SE+W", 80)


def test_unknown_blocks_and_sides_are_refused() -> None:
    town = twelve_columns()
    with pytest.raises(RefusedError, match="there is no Block 'N' on this map; did you mean NE"):
        block_front(town, {"N": BRITISH}, SIDES)
    with pytest.raises(RefusedError, match="there is no side 'german '"):
        block_front(town, {"W": "german "}, SIDES)


@given(towns(), st.data())
@tries(25)
def test_the_front_is_what_its_definitions_say(town: HexMap, data: st.DataObject) -> None:
    blocks = town.blocks
    who = st.sampled_from([BRITISH, GERMAN, None])
    control = {name: data.draw(who) for name in blocks.hexes}
    front = block_front(town, control, SIDES)
    own = {side: {n for b, held in control.items() if held == side for n in blocks.hexes[b]} for side in SIDES}
    assert front.friendly == own
    line = {name for name in blocks.roads if all(own[side] & set(town.neighbours(name)) for side in SIDES)}
    assert front.road_line == line
    for side in SIDES:
        assert front.line[side] == {n for n in own[side] if line & set(town.neighbours(n))}
        for name in town.playable:
            ground = front.ground(side, name)
            assert (ground is GroundKind.FRIENDLY) == (name in own[side])
            assert (ground is GroundKind.UNCONTROLLED) == (name in front.uncontrolled)
    assert front.uncontrolled == town.playable - own[BRITISH] - own[GERMAN]
