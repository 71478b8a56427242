"""Map files as a designer types them, and what is said of broken ones."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from laager.base import DataError
from laager.base.files import parse_document
from laager.hexmap import load_map, map_from_document
from laager.hexmap.files.mapfile import MapFile

from .helpers import hexes

GOOD = """\
laager: map/1
id: sample
title: Sample
source: house
boards:
  - {columns: 13, rows: 10}
terrain:
  woods: [M1, M2, A2-A5]
  grain: [F6-H6]
buildings:
  - {name: Church, material: stone, levels: 1, hexes: [H7, H8]}
roads:
  - kind: paved
    along: [A5, B5, C6]
hexsides: {wall: ["C4/C5"]}
features: {bridge: [C4]}
names: {H7: Church}
"""


def told(text: str) -> list[str]:
    with pytest.raises(DataError) as caught:
        map_from_document(parse_document(text, "m.yaml"))
    return [str(problem) for problem in caught.value.problems]


def changed(old: str, new: str) -> str:
    assert old in GOOD
    return GOOD.replace(old, new)


def test_a_map_file_is_read_from_disk(tmp_path: Path) -> None:
    path = tmp_path / "sample.yaml"
    path.write_text(GOOD, encoding="utf-8")
    field = load_map(path)
    assert (field.id, field.title, len(field.hexes)) == ("sample", "Sample", 130)
    assert {n for n, one in field.hexes.items() if one.has("woods")} == hexes("M1 M2 A2 A3 A4 A5")
    assert {n for n, one in field.hexes.items() if one.has("grain")} == hexes("F6 G6 H6")
    assert {n for n, one in field.hexes.items() if one.building} == hexes("H7 H8")


def test_a_list_of_playable_hexes() -> None:
    field = map_from_document(parse_document(GOOD + "playable: [C1-C5, D2]\n", "m.yaml"))
    assert field.playable == hexes("C1 C2 C3 C4 C5 D2")


# fmt: off
BROKEN = [
    ("id: sample", "id: Sample Map", 'm.yaml:2: id: "Sample Map" is not valid'),
    (
        "source: house",
        "source: mine",
        "m.yaml:4: source: \"mine\" is not known here; one of house",
    ),
    ("title: Sample", "titel: Sample", "m.yaml:3: titel: is not known here; did you mean title?"),
    ("rows: 10", "rows: 0", "m.yaml:6: boards[1].rows: 0 is too low; write 1 or more"),
    (
        "woods: [M1",
        "wood: [M1",
        "m.yaml:8: terrain.wood: 'wood' is not a terrain kind; did you mean woo",
    ),
    ("M1, M2", "M1, M20", "m.yaml:8: terrain.woods[2]: no hex M20 on this map; that column runs f"),
    ("A2-A5", "A8-A12", "m.yaml:8: terrain.woods[3]: A8-A12 has no hex A11 on this map; that c"),
    (
        "A2-A5",
        "A2-B5",
        "m.yaml:8: terrain.woods[3]: A2-B5 is neither along a column nor along a row",
    ),
    (
        "A2-A5",
        "A2:A5",
        "m.yaml:8: terrain.woods[3]: 'A2:A5' is neither a hex nor a range of hexes; ",
    ),
    ("A2-A5", "A2-A3-A4", "m.yaml:8: terrain.woods[3]: 'A2-A3-A4' is neither a hex nor a range"),
    ("M1, M2", "M1, 20E5", "m.yaml:8: terrain.woods[2]: no hex 20E5 on this map; its hexes run"),
    ("F6-H6", "A3", "m.yaml:9: terrain.grain[1]: A3 is woods already (line 8); keep one here"),
    (
        "[H7, H8]",
        "[H7, K7]",
        "m.yaml:11: buildings[1]: K7 is apart from the rest of Church; make it",
    ),
    (
        "[H7, H8]",
        "[H7, H7]",
        "m.yaml:11: buildings[1].hexes[2]: H7 has a building already (Church)",
    ),
    (
        "[H7, H8]}",
        "[H7, H8]}\n  - {hexes: [H8], material: stone}",
        "m.yaml:12: buildings[2].hexes[1]: H8 has a building already (Church)",
    ),
    (
        "stone",
        "brick",
        'm.yaml:11: buildings[1].material: "brick" is not known here; one of ston',
    ),
    (
        "A5, B5, C6",
        "A5, C6",
        "m.yaml:14: roads[1].along[2]: C6 does not touch A5, the hex before it",
    ),
    ("kind: paved", "kind: motorway", 'm.yaml:13: roads[1].kind: "motorway" is not known here'),
    ("C4/C5", "C4/C6", "m.yaml:15: hexsides.wall[1]: C4 and C6 do not touch; a hexside lies betw"),
    (
        "C4/C5",
        "C4-C5",
        "m.yaml:15: hexsides.wall[1]: 'C4-C5' is not a hexside; two hexes such as C4/C5",
    ),
    ("C4/C5", "C4/Q5", "m.yaml:15: hexsides.wall[1]: no hex Q5 on this map; its hexes run from A1"),
    (
        "{wall",
        "{fence",
        "m.yaml:15: hexsides.fence: 'fence' is not a hexside kind; one of wall, hedge",
    ),
    (
        "bridge:",
        "brigde:",
        "m.yaml:16: features.brigde: 'brigde' is not a feature kind; did you mean br",
    ),
    ("{H7: Church}", "{H17: Church}", "m.yaml:17: names.H17: no hex H17 on this map; that col"),
    (
        "names:",
        "playable: none\nnames:",
        'm.yaml:17: playable: "none" is not known here; ',
    ),
    (
        "names:",
        "playable: [A1]\nnot_playable: [A2]\nnames:",
        "m.yaml:18: not_playable: stands next to a list under playable; keep one of the two",
    ),
    (
        "names:",
        "not_playable: [A1-M1, A2-M2, A3-M3, A4-M4, A5-M5, A6-M6, A7-M7, A8-M8, A9-M9, A10-M10]"
        "\nnames:",
        "playable: no hex is playable; leave it out, or name some hexes",
    ),
    (
        "levels: 1",
        "levels: 1, levels_at: {A1: 0}",
        "levels_at.A1: A1 is not a hex of this building; leave it out",
    ),
    (
        "levels: 1",
        "levels: 1, levels_at: {H7: 1}",
        "levels_at.H7: 1 are not fewer than the building's 1; levels: the most",
    ),
    ("levels: 1", "levels: 1, levels_at: {Q9: 0}", "levels_at.Q9: no hex Q9 on this map; its"),
    ("names:", "levels: {top: [A1]}\nnames:", "m.yaml:17: levels.top: 'top' is not a level; a number"),
    ("names:", "levels: {99: [A1]}\nnames:", "m.yaml:17: levels.99: level 99 is out of bounds; -9"),
    (
        "names:",
        "levels: {1: [A1-A3], 2: [A3]}\nnames:",
        "m.yaml:17: levels.2[1]: A3 has level 1 already; keep one",
    ),
]
# fmt: on


@pytest.mark.parametrize(("old", "new", "message"), BROKEN)
def test_what_is_wrong_is_told_with_its_place(old: str, new: str, message: str) -> None:
    (found,) = [line for line in told(changed(old, new)) if message in line]
    assert found.count("; ") >= 1


def test_all_problems_are_told_at_once_in_the_order_of_the_file() -> None:
    text = changed("M1, M2", "M1, M20").replace("A5, B5", "A5, D5").replace("H7: C", "H77: C")
    lines = told(text)
    assert [line.split(": ")[0] for line in lines] == [f"m.yaml:{n}" for n in (8, 14, 17)]


def test_the_schema_accepts_what_the_reader_accepts() -> None:
    schema = MapFile.model_json_schema()
    jsonschema.validate(parse_document(GOOD, "m.yaml").data, schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(json.loads('{"laager": "map/1", "id": "x"}'), schema)
