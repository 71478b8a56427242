"""A small picture of a map's ground, to its very edges, by which people tell maps apart."""

from __future__ import annotations

from dataclasses import replace

from laager.hexmap.draw import features, front, grid, terrain
from laager.hexmap.draw.lattice import Lattice
from laager.hexmap.draw.layers import plain_layers
from laager.hexmap.draw.markup import number, tag
from laager.hexmap.draw.style import GROUNDS, PAPER, WATERS
from laager.hexmap.hexmap import HexMap


def draw_preview(map_: HexMap) -> str:
    """Return a map as a small SVG document: levels, terrain in plain tints, water, roads, buildings, Blocks."""
    lattice = Lattice(map_, 0.0, 0.0)
    # Trees, stalks and slopes are too fine for it, and four fifths of the drawing.
    plain = {kind: replace(GROUNDS[kind], edge="none") for kind in terrain.kinds(lattice) if kind not in WATERS}
    wooden = any(building.material == "wooden" for building in map_.buildings)
    width, height = number(lattice.width), number(lattice.height)
    body = (
        tag("rect", width="100%", height="100%", fill=PAPER),
        terrain.draw_levels(lattice),
        *(terrain.draw_areas(lattice, [kind], style) for kind, style in plain.items()),
        terrain.draw_waters(lattice),
        front.draw_block_ground(lattice, plain_layers(map_).blocks, {}),
        terrain.draw_watercourses(lattice),
        terrain.draw_roads(lattice),
        features.draw_buildings(lattice),
        features.draw_hexsides(lattice),
        grid.draw_unplayable(lattice),
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}">\n<defs>{features.planks() if wooden else ""}</defs>\n{"".join(body)}</svg>\n'
    )
