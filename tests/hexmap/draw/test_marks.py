from __future__ import annotations

import pytest

from laager.base.files import read_packaged
from laager.hexmap import Front, FrontInputs, default_links, front
from laager.hexmap.draw import FortMark, GroundMark, Layers, UnitMark, draw_svg, forts, front_layer, legend
from laager.hexmap.draw.counters import HIDDEN, Face
from laager.hexmap.draw.lattice import Lattice
from tests.hexmap.draw.reading import SVG, find, layer_names, parsed, texts
from tests.hexmap.draw.sample import SIDES, made, sample_front, sample_map


def sides_of(svg: str, layer: str) -> list[str]:
    return [one.attrib["data-side"] for one in find(svg, layer).iter() if "data-side" in one.attrib]


def test_only_the_units_passed_are_shown() -> None:
    mine = [UnitMark("C3", "axis", "4-6-7"), UnitMark("D3", "axis", "9-1")]
    svg = draw_svg(made(), Layers(sides=SIDES, units=mine))
    assert texts(svg, "layer-units") == ["4-6-7", "9-1"]
    assert sides_of(svg, "layer-units") == ["axis", "axis"]
    assert "Units: German" in texts(svg, "layer-legend")
    assert "allied" not in svg
    assert "Russian" not in svg


def test_the_label_of_a_concealed_unit_is_written_nowhere() -> None:
    hidden = UnitMark("C3", "axis", "Tiger", concealed=True)
    svg = draw_svg(made(), Layers(sides=SIDES, units=[hidden]))
    assert "Tiger" not in svg
    assert texts(svg, "layer-units") == ["?"]
    assert svg == draw_svg(made(), Layers(sides=SIDES, units=[UnitMark("C3", "axis", "", concealed=True)]))
    assert "Concealed: German" in texts(svg, "layer-legend")
    assert "Units: German" not in texts(svg, "layer-legend")


def test_the_owner_reads_a_concealed_unit() -> None:
    own = UnitMark("C3", "axis", "Tiger", concealed=True, own=True)
    svg = draw_svg(made(), Layers(sides=SIDES, units=[own]))
    assert texts(svg, "layer-units") == ["?", "Tiger"]
    assert "Units: German" in texts(svg, "layer-legend")
    assert "Concealed: German" not in texts(svg, "layer-legend")


def test_equal_counters_are_counted() -> None:
    svg = draw_svg(made(), Layers(units=[UnitMark("C3", "axis", "4-4-7", count=12)]))
    assert texts(svg, "layer-units") == ["4-4-7", "×12"]


def test_long_labels_go_on_two_lines_and_are_cut_if_they_must() -> None:
    layers = Layers(
        units=[
            UnitMark("A1", "axis", "PzKpfw IV"),
            UnitMark("C3", "axis", "Donaudampfschiff"),
            UnitMark("D3", "axis", "  "),
        ]
    )
    shown = texts(draw_svg(made(), layers), "layer-units")
    assert shown[:2] == ["PzKpfw", "IV"]
    assert len(shown) == 3
    assert shown[2].endswith("…")


def test_more_counters_than_a_hex_can_show_are_numbered() -> None:
    stack = [UnitMark("C3", "axis", f"u{i}") for i in range(11)]
    assert texts(draw_svg(made(), Layers(units=stack)), "layer-units") == [*(f"u{i}" for i in range(9)), "+2"]


@pytest.mark.parametrize("count", range(1, 10))
def test_counters_of_one_hex_lie_in_it_without_covering_each_other(count: int) -> None:
    map_ = made()
    marks = [UnitMark("C3", "axis", "x") for _ in range(count)]
    svg = draw_svg(map_, Layers(units=marks, legend=False))
    cx, cy = Lattice(map_, 40, 98).middle("C3")
    boxes = []
    for one in find(svg, "layer-units"):
        moved = one.attrib["transform"].replace("(", " ").replace(")", " ").split()
        x, y = float(moved[1]) - cx, float(moved[2]) - cy
        half = 16.5 * (float(moved[4]) if len(moved) > 3 else 1)
        boxes.append((x, y, half))
        assert abs(x) + half <= 30
        assert abs(y) + half <= 32
    for i, (ax, ay, half) in enumerate(boxes):
        for bx, by, _ in boxes[:i]:
            assert abs(ax - bx) >= 2 * half or abs(ay - by) >= 2 * half


def test_a_unit_upstairs_shows_its_level() -> None:
    map_ = made(buildings=[{"material": "stone", "levels": 2, "hexes": ["C3"]}])
    svg = draw_svg(map_, Layers(units=[UnitMark("C3.2", "axis", "8-0")]))
    assert texts(svg, "layer-units") == ["8-0", "2"]


def test_control_flies_a_flag_for_each_location() -> None:
    map_ = made(buildings=[{"material": "stone", "levels": 2, "cellar": True, "hexes": ["C3"]}])
    control = {"C3.2": "allied", "C3": "axis", "C3.c": "axis", "C3.1": "allied"}
    svg = draw_svg(map_, Layers(sides=SIDES, control=control))
    assert texts(svg, "layer-control") == ["1", "2", "c"]
    poles = [one for one in find(svg, "layer-control") if one.attrib.get("stroke-width") == "1.8"]
    assert len(poles) == 4
    legend = texts(svg, "layer-legend")
    assert legend[-2:] == ["Control: German", "Control: Russian"]


def test_a_side_without_a_name_is_called_by_its_id() -> None:
    legend = texts(draw_svg(made(), Layers(control={"C3": "reds"})), "layer-legend")
    assert "Control: reds" in legend


def test_worth_and_strategic_locations() -> None:
    svg = draw_svg(sample_map(), Layers(tvp={"M10": 3, "W5": -1}, strategic=["N9", "N9.1", "M10"]))
    assert texts(svg, "layer-tvp") == ["3", "−1"]
    assert len(find(svg, "layer-strategic")) == 2


def test_entry_has_an_arrow_for_each_hex() -> None:
    map_ = made(not_playable=["C3"])
    entry = {"axis": frozenset({"A1", "A2"}), "allied": frozenset({"D3", "B3"})}
    svg = draw_svg(map_, Layers(sides=SIDES, entry=entry))
    axis, allied = find(svg, "layer-entry")
    assert (axis.attrib["data-side"], allied.attrib["data-side"]) == ("axis", "allied")
    assert len(axis) == len(allied) == 3  # a bar and two arrows
    inside = draw_svg(made(), Layers(entry={"axis": frozenset({"C3"})}))
    assert [one.tag for one in find(inside, "layer-entry")[0]] == [f"{SVG}circle"]
    none = draw_svg(made(), Layers(sides=SIDES, entry={"axis": frozenset()}))
    assert "entry" not in layer_names(none)
    assert "Entry: German" not in texts(none, "layer-legend")


def test_entry_over_a_cut_edge() -> None:
    map_ = made([{"board": "1", "columns": 5, "rows": 4, "half_rows": True}])
    svg = draw_svg(map_, Layers(entry={"axis": frozenset({"1B0", "1A2", "1E2", "1D4"})}))
    arrows = [one for one in find(svg, "layer-entry")[0] if "fill-opacity" not in one.attrib]
    assert len(arrows) == 5
    assert all(one.tag == f"{SVG}path" for one in arrows)


def test_highlighted_hexes_that_touch_have_one_ring() -> None:
    svg = draw_svg(made(), Layers(highlight=["A1", "C3", "C4"]))
    black, bright = (one.attrib["d"] for one in find(svg, "layer-highlight"))
    assert black == bright
    assert black.count("M") == 2


def line_of_front() -> Front:
    map_ = made(
        [{"columns": 13, "rows": 10}], buildings=[{"material": "stone", "hexes": [name]} for name in ("C4", "C8", "K4")]
    )
    held = {"axis": frozenset({"C4", "K4"}), "allied": frozenset({"C8"})}
    edges = {"axis": map_.edge("north"), "allied": map_.edge("south")}
    assert default_links(map_, FrontInputs(held, {}, edges), "axis")
    return front(map_, held, {}, edges)


def test_a_front_becomes_a_layer() -> None:
    found = line_of_front()
    layer = front_layer(found)
    assert layer.sides == ("axis", "allied")
    assert layer.clusters == found.clusters
    assert layer.no_mans_land == found.no_mans_land
    assert layer.isolated == found.isolated
    assert layer.uncontrolled == found.uncontrolled
    assert [one.hexes for one in layer.lines["axis"]] == [one.hexes for one in found.mlrs["axis"]]
    assert [chain[0] for chain in layer.links["axis"]] == [one.a for one in found.links["axis"]]


def test_the_front_is_drawn_hex_for_hex() -> None:
    layer = sample_front()
    svg = draw_svg(sample_map(), Layers(sides=SIDES, front=layer, legend=False))
    lattice = Lattice(sample_map(), 40, 98)
    dotted = {
        (float(one.attrib["x"]), float(one.attrib["y"])) for one in find(svg, "layer-front-nml").iter(f"{SVG}use")
    }
    assert layer.no_mans_land
    expected = {lattice.middle(name) for name in layer.no_mans_land}
    assert dotted == {(round(x, 1), round(y, 1)) for x, y in expected}
    letters = [f"MLR {line.letter}" for side in layer.sides for line in layer.lines[side]]
    assert texts(svg, "layer-front-letters") == letters
    assert sides_of(svg, "layer-front-mlr") == ["axis", "allied"]
    assert layer.isolated["axis"]
    assert len(find(svg, "layer-front-isolated")) == sum(map(bool, layer.isolated.values()))
    stops = find(svg, "layer-front-links")[1][-1].attrib["d"]
    assert stops.count("M") == sum(map(len, layer.links["allied"]))


def test_dashes_tell_the_lines_of_the_sides_apart() -> None:
    svg = draw_svg(sample_map(), Layers(front=sample_front()))
    dashes = [
        {one.attrib.get("stroke-dasharray") for one in side if one.attrib["stroke-width"] == "4.4"}
        for side in find(svg, "layer-front-mlr")
    ]
    assert dashes == [{None}, {"13 6"}]


def test_an_empty_front_is_no_layer() -> None:
    map_ = made()
    nothing: dict[str, frozenset[str]] = {"axis": frozenset(), "allied": frozenset()}
    found = front(map_, nothing, {}, {"axis": map_.edge("west"), "allied": map_.edge("east")})
    svg = draw_svg(map_, Layers(front=front_layer(found)))
    assert not {name for name in layer_names(svg) if name.startswith("front")}
    assert parsed(svg) is not None


def forts_in(svg: str) -> list[tuple[str, str, bool]]:
    """Return kind and side of the plates on the map, and which frame is dashed."""
    return [
        (one.attrib["data-fort"], one.attrib["data-side"], any("stroke-dasharray" in part.attrib for part in one))
        for one in find(svg, "layer-forts").iter()
        if "data-fort" in one.attrib
    ]


def test_fortifications_are_drawn_in_their_hex_and_explained() -> None:
    works = [
        FortMark("C3", "foxhole", "axis", "foxhole 3", count=2),
        FortMark("C3", "wire", "allied", "wire", hidden=True),
        FortMark("D3", "panji", "allied", "panji", hexside="D3/D4"),
    ]
    svg = draw_svg(made(), Layers(sides=SIDES, forts=works))
    assert forts_in(svg) == [("foxhole", "axis", False), ("wire", "allied", True), ("panji", "allied", False)]
    assert "×2" in texts(svg, "layer-forts")
    assert {"Foxhole (by its room)", "Wire", "Panji"} <= set(texts(svg, "layer-legend"))
    assert "foxhole 3 x 2, C3" in [one.text for one in find(svg, "layer-forts").iter() if one.tag.endswith("title")]


def test_every_fortification_of_the_charts_has_a_drawing_and_a_name() -> None:
    kinds = {
        row["type"]
        for row in read_packaged("laager.rules.platoon_leader", "charts.yaml").data["fortifications"]["rows"]
    }
    assert kinds <= set(forts.DRAWINGS)
    assert set(forts.DRAWINGS) == set(legend.FORT_NAMES)
    svg = draw_svg(made(), Layers(forts=[FortMark("C3", "dragon-teeth", "axis", "dragon-teeth")]))
    assert "DT" in texts(svg, "layer-forts")


def test_many_fortifications_of_a_hex_are_counted() -> None:
    works = [FortMark("C3", kind, "axis", kind) for kind in list(forts.DRAWINGS)[:7]]
    assert "+3" in texts(draw_svg(made(), Layers(forts=works)), "layer-forts")


def test_fires_are_drawn_where_it_burns() -> None:
    svg = draw_svg(made(), Layers(flames=["C3"], blazes=["D3.1"]))
    assert len([one for one in find(svg, "layer-fires") if "transform" in one.attrib]) == 2
    assert {"Flame", "Blaze"} <= set(texts(svg, "layer-legend"))
    assert "layer-fires" not in draw_svg(made(), Layers())


def test_a_counter_with_a_face_is_made_of_symbols_that_the_drawing_has_once() -> None:
    face = Face.of("squad", "4-6-7", grade="first-line")
    marks = [UnitMark(at, "axis", "4-6-7", face=face, states=("broken", "dm")) for at in ("C3", "D3")]
    svg = draw_svg(made(), Layers(sides=SIDES, units=marks))
    symbols = [one.attrib["id"] for one in parsed(svg).iter(f"{SVG}symbol")]
    assert sorted(symbols) == sorted(set(symbols))
    assert {"counter-broken", "counter-dm"} < set(symbols)
    used = {one.attrib["href"].removeprefix("#") for one in find(svg, "layer-units").iter(f"{SVG}use")}
    assert used <= set(symbols)
    assert "Broken" in texts(svg, "layer-legend")


def test_a_hidden_counter_says_nothing_of_what_it_is() -> None:
    hidden = UnitMark("C3", "axis", "", concealed=True, face=HIDDEN)
    svg = draw_svg(made(), Layers(sides=SIDES, units=[hidden]))
    assert "squad" not in svg
    assert "Concealed: German" in texts(svg, "layer-legend")


def test_what_is_on_the_ground_and_what_belongs_to_oba_have_layers_and_lines_in_the_legend() -> None:
    marks = [
        GroundMark("C3", "rubble"),
        GroundMark("C3.1", "breach"),
        GroundMark("D3", "pre-registered", "axis", "Pre-Registered hex of O1/1"),
        GroundMark("C3", "security", "axis", line=("C3", "D3")),
    ]
    svg = draw_svg(made(), Layers(sides=SIDES, ground=marks))
    assert {"ground-changes", "oba"} <= layer_names(svg)
    assert {"Rubble", "Breach", "Pre-Registered hex", "Security Area"} <= set(texts(svg, "layer-legend"))
    assert "Pre-Registered hex of O1/1, D3" in svg
