"""Pictures under maps: what they stand for, what is drawn over them, and what is not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from laager.hexmap import HexMap
from laager.hexmap.draw import Backdrop, Layers, UnitMark, as_data_url, draw_svg
from laager.hexmap.draw.lattice import Lattice
from laager.hexmap.values import Picture
from tests.hexmap.draw.reading import SVG, find, layer_names, parsed, texts
from tests.hexmap.draw.sample import made, sample_layers, sample_map

ADDRESS = "/board.png"
LAND = {"levels", "terrain", "contours", "water", "watercourses", "roads", "buildings"}
LAND |= {"hexsides", "features"}


def under(map_: HexMap, part: tuple[int, int, int, int], *, turned: bool = False) -> Backdrop:
    """Return a picture of hexes 60 pixels wide and 70 high, with its first hex at 100, 100."""
    first = next(iter(map_.hexes))
    picture = Picture("bd1", "a" * 64, first, (100.0, 100.0), (60.0, 70.0), part, turned)
    return Backdrop(((picture, ADDRESS),))


def whole(map_: HexMap) -> Backdrop:
    return under(map_, (0, 0, 9000, 9000))


def box(svg: str) -> list[float]:
    image = next(parsed(svg).iter(f"{SVG}image"))
    return [float(image.attrib[key]) for key in ("x", "y", "width", "height")]


def test_the_picture_stands_for_all_that_is_drawn_of_the_land() -> None:
    map_ = sample_map()
    plain, shown = draw_svg(map_), draw_svg(map_, None, whole(map_))
    assert layer_names(plain) >= LAND
    assert not layer_names(shown) & LAND
    assert layer_names(shown) - layer_names(plain) == {"backdrop"}
    assert {"grid", "coordinates", "names", "frame", "margin"} <= layer_names(shown)


def test_the_situation_lies_over_the_picture_and_is_explained_alone() -> None:
    map_ = sample_map()
    svg = draw_svg(map_, sample_layers(), whole(map_))
    order = [one.attrib["id"] for one in parsed(svg) if "id" in one.attrib]
    over = ["front-ground", "front-mlr", "control", "strategic", "units", "highlight"]
    assert all(order.index("layer-backdrop") < order.index(f"layer-{name}") for name in over)
    told = texts(svg, "layer-legend")
    assert "Situation" in told
    assert not {"Ground", "Roads and water", "Buildings and hexsides"} & set(told)


def test_land_is_drawn_under_pictures_that_do_not_reach_every_hex() -> None:
    map_ = sample_map()
    svg = draw_svg(map_, None, under(map_, (0, 0, 300, 300)))
    assert layer_names(svg) >= LAND | {"backdrop"}
    order = [one.attrib["id"] for one in parsed(svg) if "id" in one.attrib]
    assert order.index("layer-features") < order.index("layer-backdrop")
    assert "Ground" in texts(svg, "layer-legend")


def test_nothing_of_the_front_is_drawn_twice_where_land_lies_below() -> None:
    map_ = sample_map()
    layers = replace(sample_layers(), legend=False)
    svg = draw_svg(map_, layers, under(map_, (0, 0, 300, 300)))
    assert svg.count('id="layer-front-ground"') == 1


def test_a_hex_of_the_picture_is_as_large_as_one_of_the_map() -> None:
    map_ = made()
    lattice = Lattice(map_)
    (x1, y1), (x2, y2) = lattice.middle("A1"), lattice.middle("C3")
    x, y, width, height = box(draw_svg(map_, None, whole(map_)))
    scale_x, scale_y = width / 9000, height / 9000
    assert (scale_x * 60, scale_y * 70) == pytest.approx(((x2 - x1) / 2, (y2 - y1) / 2), abs=0.01)
    lattice = Lattice(map_, 40, 98)
    at = x + 100 * scale_x, y + 100 * scale_y
    assert at == pytest.approx(lattice.middle("A1"), abs=0.01)


def test_a_turned_picture_is_turned_about_its_known_hex() -> None:
    map_ = made()
    svg = draw_svg(map_, None, under(map_, (0, 0, 9000, 9000), turned=True))
    image = next(parsed(svg).iter(f"{SVG}image"))
    x, y = Lattice(map_, 40, 98).middle("A1")
    assert image.attrib["transform"] == f"rotate(180 {x:.3f} {y:.3f})"


def test_a_turned_picture_that_lies_the_other_way_does_not_reach_the_hexes() -> None:
    map_ = made()
    east = under(map_, (100, 100, 9000, 9000))
    assert not layer_names(draw_svg(map_, None, east)) & LAND
    west = under(map_, (100, 100, 9000, 9000), turned=True)
    assert layer_names(draw_svg(map_, None, west)) & LAND


def test_the_veil() -> None:
    map_ = made()
    veiled = find(draw_svg(map_, None, replace(whole(map_), veil=0.5)), "layer-backdrop")
    assert [one.attrib.get("fill-opacity") for one in veiled] == [None, "0.5"]
    bare = find(draw_svg(map_, None, replace(whole(map_), veil=0)), "layer-backdrop")
    assert [one.tag for one in bare] == [f"{SVG}image"]
    for wrong in (-0.1, 1.1, float("nan")):
        with pytest.raises(ValueError, match="isn't valid; from 0 to 1"):
            replace(whole(map_), veil=wrong)


def test_names_of_hexes_hide_the_printed_ones() -> None:
    map_ = made()
    printed = find(draw_svg(map_, None, whole(map_)), "layer-coordinates")
    plain = find(draw_svg(map_), "layer-coordinates")
    assert float(printed.attrib["stroke-width"]) > 2 * float(plain.attrib["stroke-width"])
    assert [one.text for one in printed] == [one.text for one in plain]


def test_concealed_units_stay_concealed_on_a_picture() -> None:
    map_ = made()
    layers = Layers(units=[UnitMark("B2", "axis", "Panther", concealed=True)])
    assert "Panther" not in draw_svg(map_, layers, whole(map_))


def test_embedded() -> None:
    assert as_data_url(b"\x00\xffpng", "image/png") == "data:image/png;base64,AP9wbmc="
