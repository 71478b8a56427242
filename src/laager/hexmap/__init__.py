"""The hex map: coordinates, terrain, control, clusters, front lines, paths, drawing.

All values are immutable. Hexes and Locations are named by text (`H7`, `20F5`, `H7.1`); wherever
something is listed or decided among equals, it goes by the stated order: column, row, board.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from laager.hexmap.blast_area import (
    BLAST_REACH,
    BlastArea,
    blast_area,
    blast_area_cover,
    blast_area_problems,
    blast_areas,
)
from laager.hexmap.block_front import (
    BlockFront,
    Ground,
    SetupArea,
    block_front,
    front_locations,
    uncontrolled_locations,
)
from laager.hexmap.blocks import Blocks, block_differences, block_locations, derive_blocks, single_blocks
from laager.hexmap.clusters import CLUSTER_RADIUS, FrontInputs
from laager.hexmap.coords import axial_distance, column_name, parse_name, side_key, sort_key, split_location
from laager.hexmap.crest import crest_holders, crest_name, crests
from laager.hexmap.distances import (
    RECON_REACH,
    RESERVE_DISTANCE,
    range_to,
    recon_places,
    recon_problem,
    reserve_places,
    reserve_problems,
    too_far,
    too_near,
)
from laager.hexmap.enterable import (
    EnterablePath,
    Terms,
    enterable,
    enterable_path,
    isolation_aid,
    path_problems,
    reachable_hexes,
)
from laager.hexmap.entry_areas import ENTRY_RADIUS, EntryArea, entry_area, entry_areas, map_edge
from laager.hexmap.front import Front, Situation, front
from laager.hexmap.hexmap import HexMap
from laager.hexmap.jungle_paths import PATH_MARKERS, jungle_path_problems, path_cost, path_gaps, path_linked
from laager.hexmap.links import Link, LinkChoice, check_link, default_links, edge_links, link_choices
from laager.hexmap.mlr import Mlr
from laager.hexmap.parallelogram import (
    AREA_ADJACENT,
    Parallelogram,
    bombardment_areas,
    bombardment_problems,
    parallelograms_between,
    touching,
)
from laager.hexmap.paths import Nearest, Network, Path, nearest, reach_bound, reachable, shortest_path
from laager.hexmap.security_area import security_area_problems
from laager.hexmap.spacing import SNIPER_SPACING, sniper_pair, sniper_problem, sniper_range
from laager.hexmap.strategic import controlled_hexes, strategic_terrain
from laager.hexmap.terrain import burnable, concealment_terrain, open_ground, river, water
from laager.hexmap.values import Building, Course, EntryArrow, Hex, Picture
from laager.hexmap.woodsline import woods_line

if TYPE_CHECKING:
    from laager.hexmap.loading import load_map, map_from_document
    from laager.hexmap.mapfile import MapFile

__all__ = [
    "AREA_ADJACENT",
    "BLAST_REACH",
    "CLUSTER_RADIUS",
    "ENTRY_RADIUS",
    "PATH_MARKERS",
    "RECON_REACH",
    "RESERVE_DISTANCE",
    "SNIPER_SPACING",
    "BlastArea",
    "BlockFront",
    "Blocks",
    "Building",
    "Course",
    "EnterablePath",
    "EntryArea",
    "EntryArrow",
    "Front",
    "FrontInputs",
    "Ground",
    "Hex",
    "HexMap",
    "Link",
    "LinkChoice",
    "MapFile",
    "Mlr",
    "Nearest",
    "Network",
    "Parallelogram",
    "Path",
    "Picture",
    "SetupArea",
    "Situation",
    "Terms",
    "axial_distance",
    "blast_area",
    "blast_area_cover",
    "blast_area_problems",
    "blast_areas",
    "block_differences",
    "block_front",
    "block_locations",
    "bombardment_areas",
    "bombardment_problems",
    "burnable",
    "check_link",
    "column_name",
    "concealment_terrain",
    "controlled_hexes",
    "crest_holders",
    "crest_name",
    "crests",
    "default_links",
    "derive_blocks",
    "edge_links",
    "enterable",
    "enterable_path",
    "entry_area",
    "entry_areas",
    "front",
    "front_locations",
    "isolation_aid",
    "jungle_path_problems",
    "link_choices",
    "load_map",
    "map_edge",
    "map_from_document",
    "nearest",
    "open_ground",
    "parallelograms_between",
    "parse_name",
    "path_cost",
    "path_gaps",
    "path_linked",
    "path_problems",
    "range_to",
    "reach_bound",
    "reachable",
    "reachable_hexes",
    "recon_places",
    "recon_problem",
    "reserve_places",
    "reserve_problems",
    "river",
    "security_area_problems",
    "shortest_path",
    "side_key",
    "single_blocks",
    "sniper_pair",
    "sniper_problem",
    "sniper_range",
    "sort_key",
    "split_location",
    "strategic_terrain",
    "too_far",
    "too_near",
    "touching",
    "uncontrolled_locations",
    "water",
    "woods_line",
]


if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        """Fetch what reads map files when it is first asked for.

        A campaign embeds its map; most commands never read a map file nor need the model behind it.
        """
        if name in ("load_map", "map_from_document"):
            from laager.hexmap import loading

            return getattr(loading, name)
        if name == "MapFile":
            from laager.hexmap.mapfile import MapFile

            return MapFile
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
