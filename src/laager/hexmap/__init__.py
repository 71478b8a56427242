"""The hex map: coordinates, terrain, control, clusters, front lines, paths, drawing.

All values are immutable. Hexes and Locations are named by text (`H7`, `20F5`, `H7.1`); wherever
something is listed or decided among equals, it goes by the stated order: column, row, board.
"""

from laager.hexmap.coords import (
    axial_distance,
    column_name,
    parse_name,
    side_key,
    sort_key,
    split_location,
)
from laager.hexmap.hexmap import HexMap
from laager.hexmap.loading import load_map, map_from_document
from laager.hexmap.mapfile import MapFile
from laager.hexmap.terrain import burnable, concealment_terrain, open_ground, water
from laager.hexmap.values import Building, Course, Hex

__all__ = [
    "Building",
    "Course",
    "Hex",
    "HexMap",
    "MapFile",
    "axial_distance",
    "burnable",
    "column_name",
    "concealment_terrain",
    "load_map",
    "map_from_document",
    "open_ground",
    "parse_name",
    "side_key",
    "sort_key",
    "split_location",
    "water",
]
