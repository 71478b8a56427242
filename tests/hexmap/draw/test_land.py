"""Where the land is drawn: areas over their hexes, courses through them, strokes on their side."""

from __future__ import annotations

import re
from itertools import pairwise
from math import sqrt
from typing import Any

import pytest

from laager.hexmap import HexMap
from laager.hexmap.draw import Layers, draw_svg
from laager.hexmap.draw.lattice import Lattice, Point
from laager.hexmap.draw.terrain import bends
from laager.hexmap.values import Course
from tests.hexmap.draw.reading import find, texts
from tests.hexmap.draw.sample import made, sample_map

HEX_AREA = 3 * sqrt(3) / 2 * 40**2
BARE = Layers(legend=False)


def outlines(d: str) -> list[list[Point]]:
    """Return the points of each part of a path, the control points of curves included."""
    found = []
    for part in d.split("M")[1:]:
        numbers = [float(one) for one in re.findall(r"-?\d+(?:\.\d+)?", part)]
        found.append(list(zip(numbers[::2], numbers[1::2], strict=True)))
    return found


def area(loop: list[Point]) -> float:
    pairs = zip(loop, [*loop[1:], loop[0]], strict=True)
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in pairs) / 2


def drawn_at(map_: HexMap) -> Lattice:
    """Return the lattice as it lies in a drawing."""
    return Lattice(map_, 40, 98)


def test_ground_of_a_level_covers_its_hexes() -> None:
    map_ = made([{"columns": 9, "rows": 9}], levels={"1": ["D4", "D6", "E5"], "2": ["D5"]})
    base, first, second = find(draw_svg(map_, BARE), "layer-levels")
    assert area(outlines(base.attrib["d"])[0]) == pytest.approx(81 * HEX_AREA, rel=0.001)
    assert area(outlines(first.attrib["d"])[0]) == pytest.approx(4 * HEX_AREA, rel=0.15)
    assert area(outlines(second.attrib["d"])[0]) == pytest.approx(HEX_AREA, rel=0.25)


def test_a_hollow_is_drawn_like_a_hill() -> None:
    map_ = made([{"columns": 9, "rows": 9}], levels={"-1": ["D4-D6", "E5"]})
    _, hollow = find(draw_svg(map_, BARE), "layer-levels")
    assert area(outlines(hollow.attrib["d"])[0]) == pytest.approx(4 * HEX_AREA, rel=0.15)
    assert texts(draw_svg(map_, BARE), "layer-contours") == ["−1"]


def test_terrain_that_touches_is_one_area() -> None:
    map_ = made([{"columns": 9, "rows": 9}], terrain={"grain": ["C3-C5", "D4", "G7"]})
    ground, *symbols = find(draw_svg(map_, BARE), "terrain-grain")
    first, second = outlines(ground.attrib["d"])
    assert area(first) == pytest.approx(4 * HEX_AREA, rel=0.15)
    assert area(second) == pytest.approx(HEX_AREA, rel=0.25)
    lattice = drawn_at(map_)
    assert {(float(one.attrib["x"]), float(one.attrib["y"])) for one in symbols} == {
        (round(x, 1), round(y, 1)) for x, y in map(lattice.middle, ["C3", "C4", "C5", "D4", "G7"])
    }


def test_further_terrain_is_a_patch_near_the_neighbour_that_has_it() -> None:
    map_ = made(terrain={"woods": ["C2"]}, also={"woods": ["C3"]})
    group = find(draw_svg(map_, BARE), "terrain-woods")
    moved = next(one.attrib["transform"] for one in group if "transform" in one.attrib)
    x, y = map(float, re.findall(r"translate\((\S+) (\S+)\)", moved)[0])
    cx, cy = drawn_at(map_).middle("C3")
    assert x == pytest.approx(cx, abs=0.1)
    assert -30 < y - cy < -10


def test_open_waters_of_every_kind_are_one() -> None:
    map_ = made(
        [{"columns": 9, "rows": 9}],
        terrain={"water": ["C3"], "river": ["C4"], "pond": ["C5"]},
        watercourses=[{"kind": "river", "along": ["C5", "C6"]}],
    )
    water = find(draw_svg(map_, BARE), "layer-water")
    covers = [one for one in water if one.attrib.get("fill-rule") == "evenodd"]
    assert [len(outlines(one.attrib["d"])) for one in covers] == [1]


def test_a_veil_lies_over_what_is_not_in_play() -> None:
    map_ = made([{"board": "1", "columns": 5, "rows": 4, "half_rows": True}],
                not_playable=["1A2", "1C3"])  # fmt: skip
    veil = find(draw_svg(map_, BARE), "layer-unplayable")[0]
    assert sum(map(area, outlines(veil.attrib["d"]))) == pytest.approx(1.5 * HEX_AREA, rel=0.01)


def test_the_margin_leaves_the_map_free() -> None:
    map_ = made()
    margin = find(draw_svg(map_, BARE), "layer-margin")[0]
    _, _, outline = margin.attrib["d"].split("M")
    assert area(outlines(f"M{outline}")[0]) == pytest.approx(25 * HEX_AREA, rel=0.001)


def along(map_: HexMap, *hexes: str, kind: str = "unpaved") -> list[tuple[Point, Point, Point]]:
    return bends(Lattice(map_), Course(kind, hexes))


def test_a_course_crosses_hexsides_and_runs_on_without_a_break() -> None:
    map_ = made([{"columns": 9, "rows": 9}])
    lattice = Lattice(map_)
    found = along(map_, "C3", "D3", "E4", "E5")
    assert [middle for _, middle, _ in found] == [lattice.middle(name) for name in ("C3", "D3", "E4", "E5")]
    for (_, here, out), (into, there, _) in pairwise(found):
        assert out == into
        for x, y in (here, there):
            # On the hexside: equally far from both centres, and not beyond its ends.
            assert (out[0] - x) ** 2 + (out[1] - y) ** 2 < 39**2
    assert found[0][0] == lattice.middle("C3"), "inside the map a course begins at a centre"
    assert found[-1][2] == lattice.middle("E5")


def test_a_course_runs_the_same_way_in_both_directions() -> None:
    map_ = made([{"columns": 9, "rows": 9}])
    there, back = along(map_, "C3", "D3", "E4"), along(map_, "E4", "D3", "C3")
    for (_, _, out), (into, _, _) in zip(there[:-1], back[:0:-1], strict=True):
        assert out == pytest.approx(into)


def test_a_course_leaves_the_map_straight_ahead() -> None:
    map_ = made([{"columns": 9, "rows": 9}])
    x, y = Lattice(map_).middle("C1")
    assert along(map_, "C2", "C1")[-1][2] == pytest.approx((x, y - 0.62 * 40 * sqrt(3)))
    west, _ = along(map_, "A5", "B4")[0][0], None
    assert west[0] < Lattice(map_).middle("A5")[0] - 30
    # Along the edge of the map there is no way out ahead, and none is made up to the side.
    assert along(map_, "C9", "D8", "E9", "F8")[-1][2] == Lattice(map_).middle("F8")


def test_a_course_ends_on_the_cut_of_a_half_hex() -> None:
    map_ = made([{"board": "1", "columns": 5, "rows": 4, "half_rows": True}])
    assert along(map_, "1A2", "1B2")[0][0] == Lattice(map_).middle("1A2")


@pytest.mark.parametrize(("high", "low"), [("C3", "C4"), ("C4", "C3")])
def test_the_strokes_of_a_cliff_point_down(high: str, low: str) -> None:
    map_ = made(levels={"2": [high]}, hexsides={"cliff": ["C3/C4"]})
    teeth = find(draw_svg(map_, BARE), "hexsides-cliff")[0]
    lattice = drawn_at(map_)
    for start, end in outlines(teeth.attrib["d"]):
        assert (end[1] > start[1]) == (lattice.middle(low)[1] > lattice.middle(high)[1])


def test_three_hexes_around_a_corner_make_one_solid_building() -> None:
    def parts(*hexes: str) -> int:
        map_ = made(buildings=[{"material": "stone", "hexes": list(hexes)}])
        walls = find(draw_svg(map_, BARE), "layer-buildings")[0][1]
        return len(outlines(walls.attrib["d"]))

    assert parts("C3", "C4") == 2 + 1
    assert parts("B2", "B3", "C3") == 3 + 3 + 1
    assert parts("C2", "C3", "C4") == 3 + 2


def test_a_house_by_the_road_stands_beside_it() -> None:
    house = {"buildings": [{"material": "stone", "hexes": ["C3"]}]}
    road = {"roads": [{"kind": "paved", "along": ["C2", "C3", "C4"]}]}

    def aside(map_: HexMap) -> float:
        walls = find(draw_svg(map_, BARE), "layer-buildings")[0][1]
        xs = [x for x, _ in outlines(walls.attrib["d"])[0]]
        return abs((min(xs) + max(xs)) / 2 - drawn_at(map_).middle("C3")[0])

    assert aside(made(**house)) < 4
    assert aside(made(**house, **road)) > 13


def test_a_bridge_crosses_the_water() -> None:
    def deck(**more: Any) -> tuple[float, float]:
        stream = [{"kind": "stream", "along": ["C2", "C3", "C4"]}]
        map_ = made(watercourses=stream, features={"bridge": ["C3"]}, **more)
        (loop,) = outlines(find(draw_svg(map_, BARE), "layer-features")[0].attrib["d"])
        xs, ys = [x for x, _ in loop], [y for _, y in loop]
        return max(xs) - min(xs), max(ys) - min(ys)

    wide, high = deck()
    assert wide > 1.5 * high
    wide, high = deck(roads=[{"kind": "path", "along": ["B2", "C3", "D2"]}])
    assert wide > 1.5 * high
    # A road along the stream would be odd, but it is the road that decides.
    wide, high = deck(roads=[{"kind": "path", "along": ["C2", "C3", "C4"]}])
    assert high > 1.5 * wide


def test_the_scale_counts_forty_metres_a_hex() -> None:
    assert texts(draw_svg(sample_map()), "layer-scale") == ["5 hexes = 200 m"]
    assert texts(draw_svg(made()), "layer-scale") == ["2 hexes = 80 m"]


def test_names_stay_on_the_map() -> None:
    map_ = made(names={"A3": "A long name at the western edge", "E3": "   "})
    (label,) = find(draw_svg(map_, BARE), "layer-names")
    assert float(label.attrib["x"]) > drawn_at(map_).middle("A3")[0] + 40


def test_a_named_building_is_labelled_once() -> None:
    map_ = made(
        buildings=[{"name": "Mill", "material": "wooden", "hexes": ["C3", "C4"]}], names={"C3": "Mill", "D4": "Ford"}
    )
    assert sorted(texts(draw_svg(map_, BARE), "layer-names")) == ["Ford", "Mill"]
