"""What map files say of Blocks and areas, and what is said of broken ones."""

from __future__ import annotations

from typing import Any

import pytest

from laager.base import DataError
from laager.base.files import parse_document
from laager.hexmap import HexMap, map_from_document
from laager.hexmap.values import EntryArrow

from .helpers import hexes, made, plain

GOOD = """\
laager: map/1
id: town
title: Town
source: house
boards:
  - {columns: 5, rows: 5}
not_playable: [E5]
terrain: {river: [A5-D5]}
roads:
  - {kind: paved, along: [C1-C5]}
features: {blockhouse: [C4]}
blocks:
  Mill: [A1-A4, B1-B4]
  Church: [D1-D4, E1-E3]
no_block: [E4]
entry_areas:
  - {arrow: A2, colour: red, owner: British}
  - {arrow: C1, colour: grey and black, owner: Knaust, same_edge_only: true, single: true}
setup_areas:
  Ridge: [B1-D1, A2]
"""
NAMES = GOOD.replace(
    "blocks:\n  Mill: [A1-A4, B1-B4]\n  Church: [D1-D4, E1-E3]\n", "block_names:\n  Mill: B2\n  Church: D2\n"
)


def town(text: str) -> HexMap:
    return map_from_document(parse_document(text, "m.yaml"))


def told(text: str) -> list[str]:
    with pytest.raises(DataError) as caught:
        town(text)
    return [str(problem) for problem in caught.value.problems]


def changed(text: str, old: str, new: str) -> str:
    assert old in text
    return text.replace(old, new)


def test_a_town_is_read() -> None:
    found = town(GOOD)
    assert found.block_lists == {"Mill": hexes("A1 A2 A3 A4 B1 B2 B3 B4"), "Church": hexes("D1 D2 D3 D4 E1 E2 E3")}
    assert found.blocks.hexes == found.block_lists
    assert found.blocks.listed
    assert found.no_block == hexes("E4")
    assert found.entry_arrows == (
        EntryArrow("A2", "red", "British"),
        EntryArrow("C1", "grey and black", "Knaust", same_edge_only=True, single=True),
    )
    assert found.setup_areas == {"Ridge": hexes("A2 B1 C1 D1")}
    assert found.hex("C4").has("blockhouse")
    named = town(NAMES)
    assert named.block_names == {"Mill": "B2", "Church": "D2"}
    assert named.blocks.hexes == found.blocks.hexes
    assert not named.blocks.listed


@pytest.mark.parametrize("text", [GOOD, NAMES])
def test_a_town_comes_back_from_its_data(text: str) -> None:
    found = town(text)
    again = HexMap.from_data(found.to_data())
    assert again == found
    assert again.to_data() == found.to_data()
    assert again.blocks.hexes == found.blocks.hexes


def test_other_maps_have_no_word_of_it() -> None:
    data = plain(3, 3).to_data()
    assert data.keys() == {
        *("id", "title", "source", "source_note", "hexes", "not_playable", "hexsides", "roads"),
        *("watercourses", "buildings", "names"),
    }


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("blocks", {"Mill": ["A1-A5", "B1-B5", "C1-C5"]}),
        ("block_names", {"Mill": "A1"}),
        ("no_block", ["A1"]),
        ("entry_areas", [{"arrow": "A1"}]),
        ("entry_areas", [{"arrow": "A1", "single": True}]),
        ("entry_areas", [{"arrow": "A1", "owner": "Graebner"}]),
        ("setup_areas", {"Ridge": ["A1"]}),
    ],
)
def test_every_part_counts_for_the_digest(part: str, value: Any) -> None:
    assert plain(3, 5, **{part: value}).digest != plain(3, 5).digest


def test_names_of_boards_that_share_a_hex_are_understood() -> None:
    boards: list[dict[str, Any]] = [
        {"board": "1", "columns": 3, "rows": 3, "half_rows": True},
        {"board": "2", "columns": 3, "rows": 3, "half_rows": True, "right_of": "1"},
    ]
    found = made(
        boards=boards, block_names={"All": "2A2"}, entry_areas=[{"arrow": "2A1"}], setup_areas={"Seam": ["2A1-2A3"]}
    )
    assert found.block_names == {"All": "1C2"}
    assert found.entry_arrows[0].hex == "1C1"
    assert found.setup_areas == {"Seam": hexes("1C1 1C2 1C3")}


# fmt: off
BROKEN = [
    ("A1-A4", "A1-A9", "m.yaml:13: blocks.Mill[1]: A1-A9 has no hex A6 on this map; that column"),
    ("B1-B4", "B1-B4, C2", "m.yaml:13: blocks.Mill[3]: C2 is a road hex; leave it out; it belong"),
    ("B1-B4", "B1-B4, C4", "m.yaml:13: blocks.Mill[3]: C4 is the Blockhouse; leave it out"),
    ("B1-B4", "B1-B5", "m.yaml:13: blocks.Mill[2]: B5 is river; leave it out"),
    ("E1-E3", "E1-E3, E5", "m.yaml:14: blocks.Church[3]: E5 is not playable; leave it out"),
    ("E1-E3", "E1-E4", "m.yaml:14: blocks.Church[2]: E4 is listed under no_block; leave it out"),
    ("E1-E3", "E1-E3, B4", "m.yaml:14: blocks.Church[3]: B4 is in Block Mill already; keep one"),
    ("E1-E3", "E3", "m.yaml:12: blocks: in no Block: E1, E2; add them to Blocks, or list them un"),
    ("Mill: [A1-A4, B1-B4]", "Mill: []", "m.yaml:13: blocks.Mill: has no hexes; name some, or"),
    ("no_block: [E4]", "no_block: [E6]", "m.yaml:15: no_block[1]: no hex E6 on this map; that"),
    ("no_block: [E4]", "block_names: {Mill: B2}\nno_block: [E4]", "m.yaml:15: block_names: stands"),
    ("arrow: A2", "arrow: A9", "m.yaml:17: entry_areas[1].arrow: no hex A9 on this map; that col"),
    ("arrow: A2", "arrow: B2", "m.yaml:17: entry_areas[1].arrow: B2 is not at the edge of the m"),
    ("arrow: C1", "arrow: A2", "m.yaml:18: entry_areas[2].arrow: A2 has an arrow already; one En"),
    ("colour: red", "color: red", "m.yaml:17: entry_areas[1].color: is not known here; did you"),
    ("Ridge: [B1-D1, A2]", "Ridge: []", "m.yaml:20: setup_areas.Ridge: has no hexes; name some"),
    ("B1-D1, A2", "E5", "m.yaml:20: setup_areas.Ridge[1]: E5 is not playable; leave it out"),
]
BROKEN_NAMES = [
    ("Mill: B2", "Mill: B9", "m.yaml:13: block_names.Mill: no hex B9 on this map; that column run"),
    ("Mill: B2", "Mill: C2", "m.yaml:13: block_names.Mill: C2 is a road hex; name a hex inside"),
    ("Mill: B2", "Mill: D1", "m.yaml:14: block_names.Church: D2 is in the Block of D1 (Mill); one"),
    (
        "  Mill: B2\n", "",
        "m.yaml:12: block_names: a Block without a name: A1, A2, A3, A4, B1, B2 and 2 more; name",
    ),
]
# fmt: on


@pytest.mark.parametrize(("old", "new", "message"), BROKEN)
def test_what_is_wrong_is_told_with_its_place(old: str, new: str, message: str) -> None:
    assert [line for line in told(changed(GOOD, old, new)) if message in line]


@pytest.mark.parametrize(("old", "new", "message"), BROKEN_NAMES)
def test_what_is_wrong_with_names(old: str, new: str, message: str) -> None:
    assert [line for line in told(changed(NAMES, old, new)) if message in line]


def test_all_problems_are_told_at_once() -> None:
    text = changed(GOOD, "B1-B4]", "B1-B4, C1]").replace("arrow: A2", "arrow: B2")
    text = text.replace("B1-D1, A2", "E5")
    assert [line.split(": ")[0] for line in told(text)] == [f"m.yaml:{n}" for n in (13, 17, 20)]
