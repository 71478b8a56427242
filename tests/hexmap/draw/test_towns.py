"""Towns of Blocks drawn: Setup Areas, names, front line, Entry Areas."""

from __future__ import annotations

from itertools import pairwise

import pytest

from laager.hexmap import HexMap, block_front
from laager.hexmap.draw import BlockLayer, EntryMark, Layers, block_layer, draw_png, draw_svg, entry_marks, plain_layers
from laager.hexmap.draw.front import colours, lanes
from laager.hexmap.draw.lattice import Lattice, runs
from tests.hexmap.draw.reading import SVG, find, layer_names, png_size, texts
from tests.hexmap.draw.sample import made
from tests.hexmap.towns import BRITISH, GERMAN, SIDES, twelve_columns

NAMED = {BRITISH: "British", GERMAN: "German"}


def layer(**control: str) -> BlockLayer:
    return block_layer(twelve_columns(), block_front(twelve_columns(), control, SIDES))


def drawn(town: BlockLayer | None = None, *, areas: bool = False, legend: bool = True) -> str:
    marks = entry_marks(twelve_columns()) if areas else ()
    layers = Layers(blocks=town, entry_areas=marks, sides=NAMED, legend=legend)
    return draw_svg(twelve_columns(), layers)


def sides_of(svg: str, name: str) -> list[str]:
    return [one.attrib["data-side"] for one in find(svg, name).iter() if "data-side" in one.attrib]


def test_a_front_shows_who_holds_what() -> None:
    svg = drawn(layer(W=BRITISH, NE=GERMAN))
    assert texts(svg, "layer-block-names") == ["W", "NE", "SE"]
    assert sides_of(svg, "layer-block-ground") == [BRITISH, GERMAN]
    assert sides_of(svg, "layer-block-front") == [BRITISH, GERMAN]
    shown = texts(svg, "layer-legend")
    for label in (
        *("Setup Areas: British", "Setup Areas: German", "Front line: British"),
        *("Front line: German", "Front line street", "Block of nobody"),
    ):
        assert label in shown


def test_blocks_alone_have_outlines_and_names() -> None:
    svg = drawn(block_layer(twelve_columns()))
    assert texts(svg, "layer-block-names") == ["W", "NE", "SE"]
    assert len(find(svg, "layer-block-outlines")) == 6
    assert not {"block-ground", "block-front"} & layer_names(svg)
    shown = texts(svg, "layer-legend")
    assert "Block" in shown
    assert "Block of nobody" not in shown


def test_a_map_without_the_layers_has_nothing_of_them() -> None:
    assert not {name for name in layer_names(drawn()) if "block" in name or "entry" in name}


def test_without_a_front_line_none_is_explained() -> None:
    svg = drawn(layer(W=BRITISH, NE=BRITISH, SE=BRITISH))
    shown = texts(svg, "layer-legend")
    assert "Setup Areas: British" in shown
    for label in ("Setup Areas: German", "Front line street", "Front line: British", "Block"):
        assert label not in shown
    assert "block-front" not in layer_names(svg)


def points_of(d: str) -> list[tuple[float, float]]:
    pairs = d.replace("L", " ").split()
    return [(float(x), float(y)) for x, y in zip(pairs[::2], pairs[1::2], strict=True)]


def inside(map_: HexMap, point: tuple[float, float]) -> str:
    """Return the hex whose centre is nearest to a point of the picture."""
    lattice = Lattice(map_, 40, 98)
    spots = {name: lattice.middle(name) for name in map_.hexes}
    x, y = point
    return min(spots, key=lambda name: (spots[name][0] - x) ** 2 + (spots[name][1] - y) ** 2)


def test_each_front_line_runs_inside_its_own_hexes_along_the_street() -> None:
    town = twelve_columns()
    front = block_front(town, {"W": BRITISH, "NE": GERMAN}, SIDES)
    svg = drawn(block_layer(town, front))
    for side in SIDES:
        (line,) = (one for one in find(svg, "layer-block-front") if one.attrib.get("data-side") == side)
        parts = [points_of(part) for part in line.attrib["d"].split("M")[1:]]
        # The lane D3 cuts the British line in two.
        assert len(parts) == (2 if side == BRITISH else 1)
        middles = [((a + c) / 2, (b + d) / 2) for part in parts for (a, b), (c, d) in pairwise(part)]
        assert {inside(town, middle) for middle in middles} == front.line[side]


def test_a_name_stands_deep_in_its_block_and_on_no_house() -> None:
    town = twelve_columns()
    svg = drawn(block_layer(town), legend=False)
    plates = [one for one in find(svg, "layer-block-names") if one.tag == f"{SVG}rect"]
    for plate, (name, own) in zip(plates, town.blocks.hexes.items(), strict=True):
        x = float(plate.attrib["x"]) + float(plate.attrib["width"]) / 2
        y = float(plate.attrib["y"]) + float(plate.attrib["height"]) / 2
        here = inside(town, (x, y))
        assert here in own, name
        assert set(town.neighbours(here)) <= own
    full = made([{"columns": 1, "rows": 1}], buildings=[{"material": "hut", "hexes": ["A1"]}])
    assert texts(draw_svg(full, Layers(blocks=block_layer(full))), "layer-block-names") == ["A"]


def test_entry_areas_have_an_arrow_and_a_bar_each() -> None:
    svg = drawn(areas=True)
    bars = [one for one in find(svg, "layer-entry-areas") if "data-arrow" in one.attrib]
    assert [one.attrib["data-arrow"] for one in bars] == ["A4", "G1", "L5"]
    arrows = [one for one in find(svg, "layer-entry-areas") if one.tag == f"{SVG}path"]
    assert len(arrows) == 3
    shown = texts(svg, "layer-legend")
    assert {"Entry: British", "Entry: German", "Entry: L5"} <= set(shown)


def test_colours_of_arrows() -> None:
    def of(tag: str) -> tuple[str, str | None]:
        return colours(EntryMark("A1", ("A1",), tag))

    assert of("grey and black") == of("grey-and-black") == of("Grey/Black")
    assert of("grey")[0] == of("grey and black")[0]
    assert of("black")[0] == of("grey and black")[1]
    assert len({of(word)[0] for word in ("red", "grey", "black", "blue", "green", "white")}) == 6
    assert of("mauve") == of("") == (of("")[0], None)


@pytest.mark.parametrize("colour", ["white", "grey and black", ""])
def test_every_colour_is_drawn_and_explained(colour: str) -> None:
    map_ = made()
    marks = [EntryMark("A1", ("A1", "A2"), colour)]
    svg = draw_svg(map_, Layers(entry_areas=marks))
    (bar,) = (one for one in find(svg, "layer-entry-areas") if "data-arrow" in one.attrib)
    assert len(bar) == (1 if not colour else 2)
    assert f"Entry: {colour or 'A1'}" in texts(svg, "layer-legend")


def test_areas_that_overlap_have_their_bars_side_by_side() -> None:
    marks = [
        EntryMark("A2", ("A1", "A2", "A3")),
        EntryMark("A3", ("A3", "A4")),
        EntryMark("A4", ("A4", "A5")),
        EntryMark("A3", ("A1", "A4")),
    ]
    assert lanes(marks) == [0, 1, 0, 2]
    assert lanes([]) == []


def test_runs_of_edges() -> None:
    a, b, c, d = (0, 0), (1, 0), (2, 0), (3, 0)
    assert runs([(b, c), (a, b)]) == [[a, b, c]]
    assert runs([(c, d), (a, b)]) == [[a, b], [c, d]]
    assert runs([(a, b), (b, a)]) == [[a, b, a]]
    assert runs([]) == []


def test_a_png_of_it() -> None:
    assert png_size(draw_png(drawn(layer(W=BRITISH, NE=GERMAN), areas=True), 500))[0] == 500


def test_what_a_map_shows_of_itself() -> None:
    town = twelve_columns()
    assert plain_layers(town) == Layers(blocks=block_layer(town), entry_areas=entry_marks(town))
    assert plain_layers(made()) == Layers()
    listed = made(blocks={"All": [f"{column}1-{column}5" for column in "ABCDE"]})
    assert plain_layers(listed).blocks == block_layer(listed)
