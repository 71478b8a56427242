"""Marking maps by strokes: what leads on, joins, moves, is named, and is taken away again."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laager.base import DataError
from laager.base.files import parse_document
from laager.hexmap import HexMap, map_from_document, strategic_terrain
from laager.hexmap.terrain import ROADS
from laager.vasl.maps.marking import mark
from tests.tries import tries

MAP = """\
laager: map/1
id: mill
title: The Mill
source: own
boards: [{columns: 9, rows: 9}]
terrain:
  unknown: [A1-A9]   # the west
buildings:
  - {name: Mill, material: stone, levels: 2, levels_at: {C5: 1}, hexes: [C4-C6]}   # by the road
roads:
  # from the east
  - {kind: paved, along: [I4, H4, G4, F4]}
  - kind: unpaved
    along: [B9, B8]
names: {C4: The Mill}   # as printed
"""

TOWN = """\
laager: map/1
id: town
title: Town
source: own
boards: [{columns: 7, rows: 7}]
roads:
  - {kind: paved, along: [A4, B4, C4, D4, E4, F4, G4]}
"""


def map_of(text: str) -> HexMap:
    return map_from_document(parse_document(text, "a map"))


def marked(*changes: str, text: str = MAP) -> HexMap:
    new = mark(text, changes)
    assert mark(new, changes) == new, "once more changes nothing"
    return map_of(new)


def ways(map_: HexMap) -> set[tuple[str, str]]:
    return {(one.kind, "-".join(one.along)) for one in map_.roads}


def test_a_road_leads_on_from_where_it_ends() -> None:
    assert ways(marked("E5>F4=paved")) == {("paved", "I4-H4-G4-F4-E5"), ("unpaved", "B9-B8")}
    assert ways(marked("I4>I3>I2=paved")) == {("paved", "I2-I3-I4-H4-G4-F4"), ("unpaved", "B9-B8")}
    # What is there already is not led a second time; what is new is.
    assert ways(marked("G4>F4>E5=paved")) == {("paved", "I4-H4-G4-F4-E5"), ("unpaved", "B9-B8")}
    assert ways(marked("H4>G4=path")) == {
        ("paved", "I4-H4"), ("paved", "G4-F4"), ("path", "H4-G4"), ("unpaved", "B9-B8"),
    }  # fmt: skip


def test_a_road_is_taken_away() -> None:
    text = mark(MAP, ["H4>G4=-paved"])
    assert ways(map_of(text)) == {("paved", "I4-H4"), ("paved", "G4-F4"), ("unpaved", "B9-B8")}
    assert "# from the east" in text
    assert ways(marked("G4=-paved")) == {("paved", "I4-H4"), ("unpaved", "B9-B8")}
    assert ways(marked("B9>B8=-paved")) == ways(map_of(MAP)), "it is unpaved"
    text = mark(MAP, ["B9>B8=-unpaved", "I4>H4>G4>F4=-paved"])
    assert "roads" not in text
    assert "# from the east" in text
    assert "kind" not in text


def test_buildings_join_and_are_pulled_down() -> None:
    assert [one.hexes for one in marked("C6=joined").buildings] == [("C4", "C5", "C6")]
    house = marked("C6,C7,D7=joined").hex("D7").building
    assert house is not None
    assert (house.name, house.hexes, house.levels_in("C5"), house.levels_in("D7")) == (
        "Mill", ("C4", "C5", "C6", "C7", "D7"), 1, 2,
    )  # fmt: skip
    # Two buildings become one, each with its storeys.
    both = map_of(mark(MAP, ["E4=stone", "C4,D4,E4=joined"])).hex("E4").building
    assert both is not None
    assert (both.hexes, both.levels_in("E4"), both.levels_in("D4"), both.levels_in("C5")) == (
        ("C4", "C5", "C6", "D4", "E4"), 0, 2, 1,
    )  # fmt: skip
    apart = marked("C5=-building")
    assert [one.hexes for one in apart.buildings] == [("C4",), ("C6",)]
    assert [one.levels for one in apart.buildings] == [2, 2]
    text = mark(MAP, ["C4-C6=-building"])
    assert "buildings" not in text
    assert "# by the road" in text
    anew = map_of(mark(MAP, ["C4=-building", "C4,B4=stone:1"]))
    assert [one.hexes for one in anew.buildings] == [("C5", "C6"), ("B4", "C4")]
    assert marked("C4=storeys:3+cellar").hex("C5").building.levels_in("C5") == 3  # type: ignore[union-attr]


def test_what_lies_in_hexes_and_on_hexsides_is_taken_away() -> None:
    new = mark(MAP, ["D4-D6=woods+brush", "D4=bridge", "D4/D5,D5/D6=wall"])
    found = marked("D4,D5=-woods", "D6=-brush", "D4=-bridge", "D4/D5=-wall", text=new)
    assert [found.hex(name).terrain for name in ("D4", "D5", "D6")] == ["open", "open", "woods"]
    assert [set(found.hex(name).also) for name in ("D4", "D6")] == [{"brush"}, set()]
    assert not found.hex("D4").features
    assert list(found.hexsides) == [("D5", "D6")]


def test_the_rest_is_open_ground() -> None:
    found = marked("A1-A3=woods", "A9=unknown", "B1=unknown")
    assert found.hex("B1").terrain == "unknown"
    text = mark(MAP, ["A1-A3=woods"])
    found = marked("rest=open", text=text)
    assert [found.hex(f"A{row}").terrain for row in (1, 3, 4, 9)] == ["woods", "woods", "open", "open"]
    assert mark(mark(text, ["rest=open"]), ["rest=woods"]) == mark(text, ["rest=open"]), "there is none left"


def test_names_and_areas() -> None:
    text = mark(MAP, ["D4=name:The Ford", "D4-D6=setup:North", "E1,E2=setup:South", "D6=setup:South"])
    found = map_of(text)
    assert found.names == {"C4": "The Mill", "D4": "The Ford"}
    assert found.setup_areas == {"North": {"D4", "D5"}, "South": {"E1", "E2", "D6"}}
    assert "# as printed" in text
    found = map_of(mark(text, ["setup:North=Far North", "D6=-setup", "name:D4=D5", "C4=-name"]))
    assert found.setup_areas == {"Far North": {"D4", "D5"}, "South": {"E1", "E2"}}
    assert found.names == {"D5": "The Ford"}


def test_areas_go_away() -> None:
    text = mark(MAP, ["D4-D6=setup:North", "E1=setup:South"])
    assert "setup_areas" not in mark(text, ["setup:North=-", "E1=-setup"])
    assert list(map_of(mark(text, ["setup:North=-"])).setup_areas) == ["South"]


def test_strategic_locations_of_the_map() -> None:
    found = marked("F8,G8=strategic", "G8=-strategic")
    assert found.strategic == {"F8"}
    assert strategic_terrain(found)["F8"] == {"map"}
    assert "strategic" not in mark(mark(MAP, ["F8=strategic"]), ["F8=-strategic"])
    again = HexMap.from_data(found.to_data())
    assert again == found
    assert "strategic" not in map_of(MAP).to_data()


def test_arrows_stand_at_the_edge_and_move() -> None:
    text = mark(MAP, ["A5=arrow:red", "A5=owner:KG Harder", "A5=single", "I1=arrow"])
    arrow = map_of(text).entry_arrows[0]
    assert (arrow.hex, arrow.colour, arrow.owner, arrow.single) == ("A5", "red", "KG Harder", True)
    found = map_of(mark(text, ["arrow:A5=A7", "A7=-single", "I1=-arrow"]))
    assert [(one.hex, one.owner, one.single) for one in found.entry_arrows] == [("A7", "KG Harder", False)]
    assert "entry_areas" not in mark(text, ["A5,I1=-arrow"])
    with pytest.raises(DataError, match="D4 is not at the edge of the map"):
        mark(text, ["arrow:A5=D4"])


# Blocks -------------------------------------------------------------------------------------------


def test_blocks_are_named_one_by_one() -> None:
    text = mark(TOWN, ["B2=block:Mill"])
    assert map_of(text).block_names == {"Mill": "B2", "at A5": "A5"}
    assert map_of(mark(text, ["G7=block:Church"])).block_names == {"Mill": "B2", "Church": "G7"}
    both = mark(text, ["G7=block:Church"])
    # A name goes where it is put; the Block that had it is called by its first hex.
    assert map_of(mark(both, ["G6=block:Mill"])).block_names == {"Mill": "G6", "at A1": "A1"}
    assert map_of(mark(both, ["block:Mill=Church Hill"])).block_names == {"Church": "G7", "Church Hill": "B2"}
    assert map_of(mark(both, ["G1=-block"])).block_names == {"Church": "G7", "at A1": "A1"}
    assert "block_names" not in mark(both, ["block:Mill=-", "block:Church=-"])


def test_names_of_blocks_follow_the_streets() -> None:
    text = mark(TOWN, ["D2=block:North", "D6=block:South"])
    cut = mark(text, ["D4>D3>D2>D1=paved"])
    found = map_of(cut)
    assert found.block_names["South"] == "D6"
    assert found.blocks.block_at(found.block_names["North"]) == "North", "it moved off the road"
    assert len(found.blocks.hexes) == 3
    assert map_of(mark(cut, ["D4>D3>D2>D1=-paved"])).blocks.hexes == map_of(text).blocks.hexes
    # A gap makes one Block of two: the name that was given last stays.
    assert list(map_of(mark(text, ["C4>D4=-paved"])).block_names) == ["South"]


def test_listed_blocks_follow_the_streets() -> None:
    north = ", ".join(f"{c}1-{c}{4 if c in 'BDF' else 3}" for c in "ABCDEFG").replace("4", "3")
    south = ", ".join(f"{c}5-{c}7" for c in "ABCDEFG")
    text = TOWN + f"blocks:\n  N: [{north}]\n  S: [{south}]\n"
    cut = map_of(mark(text, ["D4>D3>D2>D1=paved"]))
    assert "D2" not in cut.block_lists["N"]
    back = map_of(mark(mark(text, ["D4>D3=paved"]), ["D4>D3=-paved"]))
    assert back.block_lists == map_of(text).block_lists
    moved = map_of(mark(text, ["A1-A3=block:West"]))
    assert moved.block_lists["West"] == {"A1", "A2", "A3"}
    assert moved.block_lists["N"] == map_of(text).block_lists["N"] - moved.block_lists["West"]
    free = map_of(mark(text, ["A1=no-block"]))
    assert "A1" not in free.block_lists["N"]
    assert "A1" in map_of(mark(mark(text, ["A1=no-block"]), ["A1=-no-block"])).block_lists["N"]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("C4=name:", "the name is missing"),
        ("C4=name:" + "x" * 61, "can't be a name"),
        ("C4=setup:a=b", "can't be a name"),
        ("C4=name:a\x01", "can't be a name"),
        ("C99=setup:North", "there is no hex C99"),
        ("setup:Nort=South", "there is no Setup Area 'Nort'"),
        ("block:B=C", "there is no Block with a name of its own 'B'"),
        ("arrow:A5=A6", "there is no arrow in A5"),
        ("name:D4=D5", "there is no name in D4"),
        ("A5=single", "there is no arrow in A5"),
        ("D4,E4=joined", "there is no building in these hexes"),
        ("C4,F4=joined", "not next to one another"),
        ("D4=storeys:2", "D4 has no building"),
        ("D4=-lava", "is nothing that a hex can be"),
        ("H4>G4=-wall", "leads from hex to hex nowhere"),
        ("H4/G4=-paved", "does not run along hexsides"),
        ("F4=block:Road", "F4 is in no Block"),
    ],
)
def test_what_will_not_do_is_refused(change: str, said: str) -> None:
    with pytest.raises(DataError, match=said):
        mark(MAP, [change])


HEX = st.sampled_from([f"{c}{r}" for c in "ABCDEFG" for r in range(1, 8)])
STEPS = st.one_of(
    st.tuples(HEX, st.sampled_from(["woods", "river", "-river", "no-block", "-no-block", "block:X", "-block",
                                    "-building", "-paved", "setup:N", "name:a: b", "strategic"])).map("=".join),
    st.tuples(HEX, st.sampled_from(ROADS), st.booleans()).map(
        lambda one: f"{one[0]}>{one[0][0]}{int(one[0][1:]) % 7 + 1}={'-' * one[2]}{one[1]}"
    ).filter(lambda one: "7>" not in one),
)  # fmt: skip


@given(st.lists(STEPS, max_size=8))
@tries(60)
def test_strokes_leave_a_map_that_can_be_read(steps: list[str]) -> None:
    text = mark(TOWN, ["D2=block:North", "D6=block:South", "B2,B3=stone:1"])
    for step in steps:
        with suppress(DataError):  # A Block's name on a road.
            text = mark(text, [step])
        map_ = map_of(text)
        assert all(map_.blocks.block_at(hex_) for hex_ in map_.block_names.values())
