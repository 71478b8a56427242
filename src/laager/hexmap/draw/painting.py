"""A map to be painted on: its empty sheet as SVG, and what is painted as data that a page draws itself.

A page that draws hex by hex shows a stroke at once, however large the map is; the fine drawing of a large map takes a
second. The data are plain JSON values; what a change alters is a part of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from laager.hexmap.coords import side_key
from laager.hexmap.draw import grid
from laager.hexmap.draw.lattice import Lattice
from laager.hexmap.draw.layers import Backdrop, draw_backdrop
from laager.hexmap.draw.markup import escape, number, tag
from laager.hexmap.draw.style import FONT, GROUNDS, LEVELS, PAPER, level_tint
from laager.hexmap.hexmap import HexMap
from laager.hexmap.terrain import TERRAINS
from laager.hexmap.values import Building, Hex

MARGIN = 14.0

PaintingData = dict[str, Any]


def draw_sheet(map_: HexMap, backdrop: Backdrop | None = None) -> str:
    """Return the sheet of a map as SVG: the boards' pictures, grid, names of hexes, an outline of each to click.

    What is painted goes into the empty group `layer-painting`, over the pictures and under the grid.
    """
    lattice = _lattice(map_)
    width, height = number(lattice.width + 2 * MARGIN), number(lattice.height + 2 * MARGIN)
    body = (
        tag("rect", id="layer-paper", width="100%", height="100%", fill=PAPER),
        draw_backdrop(lattice, backdrop) if backdrop else "",
        '<g id="layer-painting"></g>',
        grid.draw_grid(lattice),
        grid.draw_unplayable(lattice),
        grid.draw_frame(lattice),
        '<g id="layer-places"></g>',
        grid.draw_coordinates(lattice, printed=backdrop is not None),
        grid.draw_targets(lattice),
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" font-family="{FONT}" role="img">\n'
        f"<title>{escape(map_.title)}</title>\n{''.join(body)}</svg>\n"
    )


def painting_data(map_: HexMap) -> PaintingData:
    """Return everything on a map that a page paints.

    `hexes` are by name: x, y on the sheet, terrain, level, further terrain and features, whether in play. `ways` are
    the kinds of road and stream over each hexside (`A1/A2`), `sides` what runs along it; `houses` have material,
    storeys, name, cellar and hexes.
    """
    lattice = _lattice(map_)
    return {
        "hexes": {name: _cell(map_, lattice, hex_) for name, hex_ in map_.hexes.items()},
        "ways": _ways(map_),
        "sides": {"/".join(pair): sorted(kinds) for pair, kinds in map_.hexsides.items()},
        "houses": [_house(building) for building in map_.buildings],
        "places": _places(map_),
    }


def painting_changes(before: HexMap, after: HexMap) -> PaintingData:
    """Return the painting data that differ: hexes, ways and sides by name (None: no longer there), others whole."""
    old, new = painting_data(before), painting_data(after)
    changes: PaintingData = {}
    for part in ("hexes", "ways", "sides"):
        changed = {key: value for key, value in new[part].items() if old[part].get(key) != value}
        changed |= {key: None for key in old[part] if key not in new[part]}
        if changed:
            changes[part] = changed
    return changes | {part: new[part] for part in ("houses", "places") if old[part] != new[part]}


def palette() -> Mapping[str, Mapping[str, str]]:
    """Return the colours of every kind of terrain and of levels, for the page that paints."""
    ground = {kind: GROUNDS[kind].fill for kind in TERRAINS if kind in GROUNDS and GROUNDS[kind].fill != "none"}
    return {"terrain": ground | {"crag": "#b9b7ae"}, "levels": {str(level): level_tint(level) for level in LEVELS}}


def _lattice(map_: HexMap) -> Lattice:
    return Lattice(map_, MARGIN, MARGIN)


def _cell(map_: HexMap, lattice: Lattice, hex_: Hex) -> list[Any]:
    x, y = lattice.middle(hex_.name)
    more = [*sorted(hex_.also - {hex_.terrain}), *sorted(hex_.features)]
    return [round(x, 1), round(y, 1), hex_.terrain, hex_.level, more, hex_.name in map_.playable]


def _ways(map_: HexMap) -> dict[str, list[str]]:
    ways: dict[str, list[str]] = {}
    for course in (*map_.watercourses, *map_.roads):
        for a, b in pairwise(map(map_.main, course.along)):
            kinds = ways.setdefault("/".join(side_key(a, b)), [])
            if course.kind not in kinds:
                kinds.append(course.kind)
    return ways


def _house(house: Building) -> list[Any]:
    return [house.material, house.levels, house.name, house.cellar, list(house.hexes)]


def _places(map_: HexMap) -> dict[str, Any]:
    blocks = map_.blocks
    return {
        "names": dict(map_.names),
        "setup": {name: map_.in_order(hexes) for name, hexes in map_.setup_areas.items()},
        "blocks": {name: map_.in_order(hexes) for name, hexes in blocks.hexes.items()} if map_.roads else {},
        "lettered": blocks.lettered,
        "no-block": map_.in_order(map_.no_block),
        "strategic": map_.in_order(map_.strategic),
        "arrows": [
            [arrow.hex, arrow.colour, arrow.owner, arrow.single, arrow.same_edge_only] for arrow in map_.entry_arrows
        ],
    }
