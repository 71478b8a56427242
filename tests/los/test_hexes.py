"""Approximate LOS from the hexes of a Laager map: its geometry, its rules, and how near it comes to VASL."""

from __future__ import annotations

import csv
from math import sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from laager.base import DataError, RefusedError
from laager.hexmap import HexMap, axial_distance
from laager.los import Hindrance, location
from laager.los.approximate.hexes import HexLos
from laager.los.approximate.lines import line
from laager.vasl import arrange, import_boards, place_alone, read_board
from tests.hexmap.helpers import plain
from tests.vasl.test_board_oracle import BOARDS, needs_boards

quick = settings(deadline=None, max_examples=40)
steps = st.tuples(st.integers(-15, 15), st.integers(-15, 15)).filter(any)


def hex_at(x: float, y: float) -> tuple[int, int]:
    """Return the hex of a point, in axial steps: rounded in three coordinates that add up to 0."""
    rounded = [round(x), round(y), round(-x - y)]
    off = [abs(rounded[0] - x), abs(rounded[1] - y), abs(rounded[2] + x + y)]
    worst = off.index(max(off))
    if worst < 2:
        rounded[worst] = -sum(rounded) + rounded[worst]
    return rounded[0], rounded[1]


@quick
@given(steps)
def test_a_line_passes_the_hexes_of_its_points(step: tuple[int, int]) -> None:
    q, r = step
    found = line(q, r)
    assert found.range == axial_distance(q, r)
    inner = {at.at: at for at in found.passed}
    many = 200
    for k in range(1, many):
        at = hex_at(q * k / many, r * k / many)
        ranges = axial_distance(*at), axial_distance(q - at[0], r - at[1])
        if max(ranges) < found.range and 0 not in ranges:
            assert at in inner
            offset = abs(q * at[1] - r * at[0]) * sqrt(3) / sqrt(q * q + q * r + r * r)
            assert inner[at].offset == pytest.approx(offset)


@quick
@given(steps)
def test_a_line_back_passes_the_same(step: tuple[int, int]) -> None:
    q, r = step
    there, back = line(q, r), line(-q, -r)
    assert {one.at for one in there.passed} == {(q + one.at[0], r + one.at[1]) for one in back.passed}
    assert len(there.crossed) == len(back.crossed)


def asked(map_: HexMap, source: str, target: str, **changed: list[str]) -> str:
    sight = HexLos(map_, changed).compute_los(location(source), location(target))
    assert sight.approximate
    return sight.sentence.removesuffix(" (Approximate: from hexes, not from VASL's terrain data.)")


def test_open_ground_is_clear() -> None:
    map_ = plain(9, 9)
    los = HexLos(map_)
    for name in map_.hexes:
        for other in map_.hexes:
            assert los.compute_los(location(name), location(other)).clear is True


WOODS = {"terrain": {"woods": ["C4"]}}
HOUSE = {"buildings": [{"material": "stone", "levels": 1, "hexes": ["C4", "C5"]}]}
WALL = {"hexsides": {"wall": ["C3/C4"]}}
DOWN, UP = {"slopes": {"C2": ["C3"]}}, {"slopes": {"C6": ["C5"]}}
HILL = {"levels": {"1": ["C1", "C4"]}, "slopes": {"C1": ["C2"]}}
KNOLL = {"terrain": {"woods": ["C4"]}, "levels": {"1": ["C1"]}, "slopes": {"C1": ["C2"]}}
STREAM = {"watercourses": [{"kind": "gully", "along": ["C2", "C3", "C4", "C5"]}]}


@pytest.mark.parametrize(
    ("sections", "source", "target", "said"),
    [
        (WOODS, "C2", "C6", "C2 doesn't see C6 (range 4): blocked at C4 by woods higher than both ends (A6.2)."),
        (WOODS, "C4", "C6", "C4 sees C6 (range 2)."),
        (
            {"terrain": {"grain": ["C3"], "orchard": ["C4"]}}, "C1", "C6",
            "C1 sees C6 (range 5), hindered by +1 C3, +1 C4 (+2 in all).",
        ),
        (
            {"terrain": {"grain": [f"C{row}" for row in range(2, 8)]}}, "C1", "C8",
            "C1 doesn't see C8 (range 7): blocked at C7 by hindrances of +6 or more (B.10).",
        ),
        (WALL, "C2", "C6", "C2 doesn't see C6 (range 4): blocked at C3/C4 by a wall (B9.2)."),
        (WALL, "C3", "C6", "C3 sees C6 (range 3)."),
        (
            {"levels": {"2": ["C4"]}}, "C2", "C6",
            "C2 doesn't see C6 (range 4): blocked at C4 by higher ground (A6.2).",
        ),
        ({"levels": {"2": ["C1"]}, **WOODS}, "C1", "C9", "C1 sees C9 (range 8)."),
        (
            {"levels": {"2": ["C1"]}, **WOODS}, "C1", "C5",
            "C1 doesn't see C5 (range 4): blocked at C4 by woods with blind hexes behind it (A6.4).",
        ),
        (
            {"levels": {"1": ["C1"]}, **WOODS}, "C1", "C9",
            "C1 doesn't see C9 (range 8): blocked at C4 by woods as high as the higher end (A6.2).",
        ),
        (HOUSE, "C4 level 1", "C5", "C4 level 1 doesn't see C5 (range 1): "
         "blocked at C5 by another level of the same building (A6.8)."),
        (HOUSE, "C4 level 1", "C4", "C4 level 1 sees C4 (range 0)."),
        (HOUSE, "C4 roof", "C7", "C4 rooftop doesn't see C7 (range 3): "
         "blocked at C5 by a building as high as the higher end (A6.2)."),
        (STREAM, "C3", "C7", "C3 doesn't see C7 (range 4): blocked at C3 by the depression (A6.3)."),
        (STREAM, "C2", "C5", "C2 sees C5 (range 3)."),
        ({**STREAM, "levels": {"4": ["C8"]}}, "C8", "C4", "C8 sees C4 (range 4)."),
        ({"terrain": {"grain": ["C4"]}, **DOWN}, "C2", "C6", "C2 sees C6 (range 4)."),
        ({"terrain": {"grain": ["C4"]}, **UP}, "C2", "C6", "C2 sees C6 (range 4)."),
        ({"terrain": {"grain": ["C4"]}, **DOWN}, "C6", "C2", "C6 sees C2 (range 4)."),
        (
            {"terrain": {"grain": ["C4"]}, "slopes": {"C2": ["C1"], "C3": ["C4"]}}, "C2", "C6",
            "C2 sees C6 (range 4), hindered by +1 C4.",
        ),
        ({"terrain": {"grain": ["B4"]}, "slopes": {"A4": ["B3"]}}, "A4", "C4", "A4 sees C4 (range 2)."),
        (
            {"terrain": {"orchard": ["C4"]}, **DOWN}, "C2", "C6",
            "C2 doesn't see C6 (range 4): blocked at C4 by orchard higher than both ends (A6.2).",
        ),
        ({**WALL, **DOWN}, "C2", "C6", "C2 sees C6 (range 4)."),
        ({"hexsides": {"bocage": ["C3/C4"]}, **UP}, "C2", "C6", "C2 sees C6 (range 4)."),
        (
            {"hexsides": {"wall": ["C3/C4"], "hedge": ["C4/C5"]}, **DOWN}, "C2", "C7",
            "C2 doesn't see C7 (range 5): blocked at C4/C5 by a second wall or hedge on the slope (F6.4).",
        ),
        (HILL, "C1", "C9", "C1 sees C9 (range 8)."),
        (
            {**HILL, **DOWN}, "C1", "C9",
            "C1 doesn't see C9 (range 8): blocked at C4 by ground as high as the higher end (A6.2).",
        ),
        ({"terrain": {"grain": ["C4"]}, **HILL}, "C1", "C9", "C1 sees C9 (range 8), hindered by +1 C4."),
        (
            {"terrain": {"grain": ["C4", "C5"]}, **HILL, "levels": {"1": ["C1", "C4", "C5"]}}, "C1", "C9",
            "C1 sees C9 (range 8), hindered by +1 C4.",
        ),
        ({"terrain": {"grain": ["C4"]}, **HILL}, "C9", "C1", "C9 sees C1 (range 8)."),
        (KNOLL, "C1", "C6", "C1 sees C6 (range 5)."),
        (
            KNOLL, "C1", "C5",
            "C1 doesn't see C5 (range 4): blocked at C4 by woods on the slope (F2.3).",
        ),
        (
            {"terrain": {"unknown": ["C4"]}}, "C2", "C6",
            "No answer for C2 to C6: the terrain of C4 isn't known.",
        ),
    ],
)  # fmt: skip
def test_what_is_in_the_way(sections: dict[str, object], source: str, target: str, said: str) -> None:
    assert asked(plain(5, 9, **sections), source, target) == said


def test_what_has_changed_since_the_map_was_drawn() -> None:
    map_ = plain(5, 9, **HOUSE)
    assert "blocked at C4 by a building" in asked(map_, "C2", "C7")
    assert "blocked at C4 by rubble higher than both ends" in asked(map_, "C2", "C7", C4=["rubble"], C5=["burnt"])
    assert asked(map_, "C2", "C7", C4=["burnt"], C5=["burnt"]) == "C2 sees C7 (range 5)."


def test_locations_are_those_of_the_map() -> None:
    los = HexLos(plain(5, 9, **HOUSE))
    assert list(map(str, los.locations("C4"))) == ["C4", "C4 level 1", "C4 rooftop"]
    assert list(map(str, los.locations("C2"))) == ["C2"]
    with pytest.raises(DataError, match="there is no C4 level 2; its building has 1 levels above the ground"):
        los.end(location("C4:2"))
    with pytest.raises(RefusedError, match="there is no hex 'Z1'"):
        los.end(location("Z1"))


@settings(deadline=None, max_examples=15)
@given(st.sets(st.sampled_from([f"{column}{row}" for column in "ABCDEFG" for row in range(1, 8)]), max_size=12))
def test_more_obstacles_never_clear_a_line(woods: set[str]) -> None:
    few = HexLos(plain(7, 7, terrain={"woods": sorted(woods)[::2]} if len(woods) > 1 else {}))
    many = HexLos(plain(7, 7, terrain={"woods": sorted(woods)} if woods else {}))
    for one in ("A1", "D4", "G7"):
        for two in few.map.hexes:
            if many.compute_los(location(one), location(two)).clear:
                assert few.compute_los(location(one), location(two)).clear


def test_hindrances_name_their_hexes() -> None:
    sight = HexLos(plain(5, 9, terrain={"brush": ["C4"]})).compute_los(location("C2"), location("C7"))
    assert sight.hindrances == (Hindrance("C4", 1),)


@needs_boards
def test_it_agrees_with_vasl_on_board_01() -> None:
    """The figures of docs/guide/los-on-the-map.md: of 20,000 pairs, how many have VASL's answer."""
    oracle = BOARDS.parents[1] / "vasl" / "oracle" / "los" / "bd01.csv"
    if not oracle.exists():
        pytest.skip(f"there is no {oracle.name} in ../shared/vasl/oracle/los")
    board = read_board(BOARDS / "bd01")
    los = HexLos(import_boards(arrange([place_alone(board)]), [board]).map)
    same = {"0": 0, "1": 0}
    total = {"0": 0, "1": 0}
    hindrance = 0
    with oracle.open(newline="") as file:
        for row in csv.DictReader(file):
            sight = los.compute_los(location(f"1{row['source']}"), location(f"1{row['target']}"))
            total[row["blocked"]] += 1
            if sight.blocked is (row["blocked"] == "1"):
                same[row["blocked"]] += 1
                hindrance += sight.blocked or sight.hindrance == int(row["hindrance"])
    assert sum(same.values()) > 0.985 * sum(total.values())
    assert same["0"] > 0.9 * total["0"]
    assert same["1"] > 0.99 * total["1"]
    assert hindrance == sum(same.values())
