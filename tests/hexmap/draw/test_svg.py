from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from dataclasses import replace
from itertools import pairwise

import pytest

from laager.base import Refusal, RefusedError
from laager.hexmap.draw import FrontLayer, Layers, UnitMark, draw_svg
from laager.hexmap.draw.style import GROUNDS, LEVELS, side_styles
from laager.hexmap.terrain import FEATURES, HEXSIDES, MATERIALS, ROADS, TERRAINS, WATERCOURSES
from tests.hexmap.draw.reading import SVG, find, ids, layer_names, parsed, texts
from tests.hexmap.draw.sample import made, sample_layers, sample_map

HOSTILE = "</text><script>alert(1)</script> & \"q\" 'a' ]]> <!-- \x00\x08\ud800 é"
SHOWN = "</text><script>alert(1)</script> & \"q\" 'a' ]]> <!-- \ufffd\ufffd\ufffd é"

LAND = {"paper", "levels", "terrain", "contours", "water", "watercourses", "roads", "grid", "buildings"}
LAND |= {"hexsides", "features", "unplayable", "margin", "frame", "coordinates", "names"}
PAGE = {"title", "compass", "scale", "origin", "legend"}
FRONT = {"front-ground", "front-clusters", "front-isolated", "front-nml", "front-links"}
FRONT |= {"front-mlr", "front-letters"}
MARKS = {"control", "strategic", "entry", "tvp", "units", "highlight", "targets"}


def test_a_map_alone_shows_the_land_and_nothing_else() -> None:
    assert layer_names(draw_svg(sample_map())) == LAND | PAGE


def test_everything_at_once() -> None:
    svg = draw_svg(sample_map(), sample_layers())
    assert layer_names(svg) == LAND | PAGE | FRONT | MARKS


def test_each_layer_comes_with_what_it_shows() -> None:
    full = sample_layers()
    plain = layer_names(draw_svg(sample_map()))
    for part, names in {
        "control": {"control"},
        "strategic": {"strategic"},
        "entry": {"entry"},
        "tvp": {"tvp"},
        "units": {"units"},
        "highlight": {"highlight"},
        "targets": {"targets"},
        "front": FRONT,
    }.items():
        one = replace(Layers(), **{part: getattr(full, part)})
        assert layer_names(draw_svg(sample_map(), one)) - plain == names, part


def test_legend_and_coordinates_can_be_left_out() -> None:
    svg = draw_svg(sample_map(), Layers(legend=False, coordinates=False))
    assert layer_names(svg) == (LAND | PAGE) - {"legend", "coordinates"}


def test_ids_are_unique_and_every_reference_leads_somewhere() -> None:
    svg = draw_svg(sample_map(), sample_layers())
    found = ids(svg)
    assert len(found) == len(set(found))
    for one in parsed(svg).iter():
        if one.tag == f"{SVG}use":
            assert one.attrib["href"].removeprefix("#") in found
        if one.attrib.get("fill", "").startswith("url(#"):
            assert one.attrib["fill"][5:-1] in found


def test_a_page_may_forbid_inline_styles_and_scripts() -> None:
    svg = draw_svg(sample_map(), sample_layers())
    tags = {one.tag for one in parsed(svg).iter()}
    assert not tags & {f"{SVG}style", f"{SVG}script", f"{SVG}image", f"{SVG}foreignObject"}
    assert not any(name == "style" or name.startswith("on") for one in parsed(svg).iter() for name in one.attrib)


def test_a_large_map_stays_small_in_bytes() -> None:
    assert len(sample_map().hexes) == 500
    assert len(draw_svg(sample_map(), sample_layers()).encode()) < 600_000


def test_the_same_input_gives_the_same_bytes_whatever_the_order_of_sets() -> None:
    code = (
        "import hashlib\n"
        "from laager.hexmap.draw import draw_svg\n"
        "from tests.hexmap.draw.sample import sample_layers, sample_map\n"
        "print(hashlib.sha256(draw_svg(sample_map(), sample_layers()).encode()).hexdigest())\n"
    )
    here = hashlib.sha256(draw_svg(sample_map(), sample_layers()).encode()).hexdigest()
    for seed in ("1", "2"):
        run = subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        )
        assert run.stdout.strip() == here


def test_what_can_be_read_only_once_is_enough() -> None:
    once = Layers(strategic=iter(["M10"]), highlight=iter(["C3"]))
    assert draw_svg(sample_map(), once) == draw_svg(sample_map(), Layers(strategic=["M10"], highlight=["C3"]))
    nothing = Layers(strategic=iter(()), highlight=iter(()))
    assert draw_svg(made(), nothing) == draw_svg(made())


def test_hostile_names_stay_text() -> None:
    map_ = made(
        [{"columns": 14, "rows": 6}],
        title=HOSTILE.replace("\ud800", "").replace("\x00", ""),
        names={"C3": "<b onclick='x'>&amp;"},
        buildings=[{"name": "</svg>", "material": "stone", "hexes": ["B2"]}],
        source_note="<i>note</i>",
    )
    layers = Layers(
        title=HOSTILE,
        subtitle="<sub>",
        sides={HOSTILE: "<s1>"},
        control={"C3": HOSTILE},
        units=[UnitMark("D3", HOSTILE, "<u>")],
        entry={HOSTILE: frozenset({"A1"})},
    )
    svg = draw_svg(map_, layers)
    root = parsed(svg)
    assert SHOWN in texts(svg, "layer-title")
    assert root.findtext(f"{SVG}title") == SHOWN
    assert {"<b onclick='x'>&amp;", "</svg>"} <= set(texts(svg, "layer-names"))
    assert "Control: <s1>" in texts(svg, "layer-legend")
    assert "<u>" in texts(svg, "layer-units")
    assert "<i>note</i>" in " ".join(texts(svg, "layer-origin"))
    assert find(svg, "layer-units")[0].attrib["data-side"] == SHOWN
    assert not root.findall(f".//{SVG}script")


def test_where_a_map_comes_from_is_said() -> None:
    house = "House map, not a published one."
    assert texts(draw_svg(sample_map()), "layer-origin") == [f"{house} Made for the tests of the drawing."]
    retitled = draw_svg(sample_map(), Layers(title="After the battle"))
    assert texts(retitled, "layer-origin") == [f"{house} Sample valley. Made for the tests of the drawing."]
    assert texts(draw_svg(made()), "layer-origin") == [house]


def test_a_long_story_of_a_map_takes_two_lines_and_is_then_cut() -> None:
    first, second = texts(draw_svg(made(source_note="word " * 60)), "layer-origin")
    assert first.startswith("House map, not a published one. word")
    assert first.endswith("word")
    assert second.endswith("…")


def test_every_hex_is_named_and_can_be_clicked() -> None:
    map_ = made([{"board": "20", "columns": 5, "rows": 4, "half_rows": True}])
    svg = draw_svg(map_, Layers(targets=True))
    assert sorted(texts(svg, "layer-coordinates")) == sorted(map_.hexes)
    targets = find(svg, "layer-targets")
    assert [one.attrib["data-hex"] for one in targets] == list(map_.hexes)
    assert targets.attrib["pointer-events"] == "all"


def test_a_hex_is_told_in_words() -> None:
    map_ = made(
        terrain={"dense-jungle": ["C3"]},
        also={"marsh": ["C3"]},
        levels={"-1": ["C3"]},
        buildings=[{"material": "hut", "hexes": ["C3"]}],
    )
    svg = draw_svg(map_, Layers(targets=True))
    told = [one.findtext(f"{SVG}title") for one in find(svg, "layer-targets")]
    assert "C3: dense jungle, marsh, hut building, level -1" in told
    assert "A1: open ground" in told


def test_joined_boards_are_one_map_with_two_names_for_a_shared_hex() -> None:
    board = {"columns": 5, "rows": 4, "half_rows": True}
    map_ = made([{**board, "board": "1"}, {**board, "board": "2", "below": "1"}])
    shared = next(one for one in map_.hexes.values() if one.aliases)
    svg = draw_svg(map_, Layers(highlight=[shared.aliases[0]], tvp={shared.aliases[0]: 4}))
    same = draw_svg(map_, Layers(highlight=[shared.name], tvp={shared.name: 4}))
    assert svg == same
    assert texts(svg, "layer-coordinates").count(shared.name) == 1
    assert shared.aliases[0] not in texts(svg, "layer-coordinates")


UNKNOWN = [
    Layers(control={"Z99": "a"}),
    Layers(strategic=["Z99"]),
    Layers(entry={"a": frozenset({"Z99"})}),
    Layers(tvp={"Z99": 1}),
    Layers(units=[UnitMark("Z99", "a")]),
    Layers(highlight=["Z99"]),
    Layers(
        front=FrontLayer(
            ("a", "b"),
            {"a": (frozenset({"Z99"}),), "b": ()},
            {"a": (), "b": ()},
            {"a": (), "b": ()},
            {"a": frozenset(), "b": frozenset()},
            frozenset(),
            frozenset(),
        )
    ),
]


@pytest.mark.parametrize("layers", UNKNOWN)
def test_a_hex_that_is_not_on_the_map_is_refused(layers: Layers) -> None:
    with pytest.raises(RefusedError, match="there is no hex 'Z99'") as refused:
        draw_svg(made(), layers)
    assert refused.value.code is Refusal.NO_SUCH


@pytest.mark.parametrize("kind", TERRAINS)
def test_every_kind_of_terrain_is_drawn(kind: str) -> None:
    whole, patch = made(terrain={kind: ["C3"]}), made(also={kind: ["C3"]})
    if kind == "open":
        assert draw_svg(whole) == draw_svg(made())
        return
    assert GROUNDS[kind].label in texts(draw_svg(whole), "layer-legend")
    assert GROUNDS[kind].label in texts(draw_svg(patch), "layer-legend")
    bare = Layers(legend=False)
    pictures = {draw_svg(one, bare) for one in (made(), whole, patch)}
    assert len(pictures) == 3


@pytest.mark.parametrize("kind", FEATURES)
def test_every_feature_is_drawn(kind: str) -> None:
    bare = Layers(legend=False)
    assert draw_svg(made(features={kind: ["C3"]}), bare) != draw_svg(made(), bare)


@pytest.mark.parametrize("kind", HEXSIDES)
def test_everything_along_hexsides_is_drawn(kind: str) -> None:
    svg = draw_svg(made(hexsides={kind: ["C3/C4", "C3/D3"]}))
    assert len(find(svg, f"hexsides-{kind}"))


@pytest.mark.parametrize("kind", ROADS)
def test_every_road_is_drawn(kind: str) -> None:
    svg = draw_svg(made(roads=[{"kind": kind, "along": ["A3", "B2", "C3", "C4"]}]))
    assert len(find(svg, "layer-roads"))


@pytest.mark.parametrize("kind", WATERCOURSES)
def test_every_watercourse_is_drawn(kind: str) -> None:
    svg = draw_svg(made(watercourses=[{"kind": kind, "along": ["C1", "C2"]}]))
    assert len(find(svg, "layer-water"))
    assert ("watercourses" in layer_names(svg)) == (kind != "gully")


@pytest.mark.parametrize("material", MATERIALS)
@pytest.mark.parametrize("hexes", [["C3"], ["C3", "C4"], ["B2", "B3", "C3"]])
def test_every_building_is_drawn(material: str, hexes: list[str]) -> None:
    svg = draw_svg(made(buildings=[{"material": material, "levels": 2, "cellar": True, "hexes": hexes}]))
    assert texts(svg, "layer-buildings") == ["2"]


def test_a_course_of_one_hex_is_drawn_too() -> None:
    for where in ("C3", "A1"):
        svg = draw_svg(made(roads=[{"kind": "paved", "along": [where]}]))
        assert len(find(svg, "layer-roads"))


def brightness(colour: str) -> float:
    red, green, blue = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return 0.299 * red + 0.587 * green + 0.114 * blue


def test_levels_can_be_told_apart_in_grey() -> None:
    rising = [brightness(LEVELS[level]) for level in range(max(LEVELS) + 1)]
    assert all(a - b > 0.05 for a, b in pairwise(rising))
    falling = [brightness(LEVELS[level]) for level in range(0, min(LEVELS) - 1, -1)]
    assert all(a - b > 0.03 for a, b in pairwise(falling))


def test_two_sides_differ_in_brightness_line_hatching_and_shape() -> None:
    a, b = side_styles(["a", "b"]).values()
    assert abs(brightness(a.colour) - brightness(b.colour)) > 0.15
    assert a.dash != b.dash
    assert a.hatch != b.hatch
    assert a.shape != b.shape


def test_a_side_keeps_its_style_whatever_is_shown() -> None:
    sides = {"axis": "German", "allied": "Russian"}
    both = draw_svg(made(), Layers(sides=sides, control={"A1": "axis", "C3": "allied"}))
    one = draw_svg(made(), Layers(sides=sides, control={"C3": "allied"}))
    flag = find(one, "layer-control")[-2].attrib
    assert flag == find(both, "layer-control")[-2].attrib
