"""The hex map: coordinates, terrain, control, clusters, front lines, paths, drawing.

All values are immutable. Hexes and Locations are named by text (`H7`, `20F5`, `H7.1`). Lists, and choices among
equals, go by the stated order: column, row, board. Other packages import from here; `coords`, `ranges` and
`terrain` hold the vocabulary, `draw` makes pictures.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from laager.hexmap.areas.blast_area import BLAST_REACH, blast_area, blast_area_cover, blast_area_problems, blast_areas
from laager.hexmap.areas.blocks import (
    BlockFront,
    EntryArea,
    block_differences,
    block_front,
    block_locations,
    derive_blocks,
    entry_area,
    front_locations,
    single_blocks,
)
from laager.hexmap.areas.flood import flood_fill
from laager.hexmap.areas.naming import is_placeholder, update_block_lists, update_block_names
from laager.hexmap.areas.parallelogram import (
    Parallelogram,
    area_corners,
    bombardment_areas,
    bombardment_problems,
    parallelograms_between,
)
from laager.hexmap.coords import axial_distance, parse_name, sort_key, split_location
from laager.hexmap.frontline.clusters import FrontInputs
from laager.hexmap.frontline.front import Front, Situation, front
from laager.hexmap.frontline.links import FrontLink, LinkChoice, check_link, default_links, link_choices, link_hexes
from laager.hexmap.frontline.strategic import controlled_hexes, crest_holders, crest_name, crests, strategic_terrain
from laager.hexmap.hexmap import HexMap
from laager.hexmap.terrain import is_burnable, is_concealment_terrain, is_open_ground, is_water
from laager.hexmap.values import PICTURE_FILE, Building, Hex
from laager.hexmap.ways.distances import (
    recon_places,
    recon_problem,
    reserve_places,
    reserve_problems,
    sniper_pair,
    sniper_problem,
)
from laager.hexmap.ways.enterable import (
    EnterablePath,
    PathTerms,
    enterable_path,
    isolation_aid,
    path_problems,
    security_area_problems,
)
from laager.hexmap.ways.paths import EvenGround, Network, find_nearest, jungle_path_problems

if TYPE_CHECKING:
    from laager.hexmap.files.loading import load_map, map_from_document

__all__ = [
    "BLAST_REACH",
    "PICTURE_FILE",
    "BlockFront",
    "Building",
    "EnterablePath",
    "EntryArea",
    "EvenGround",
    "Front",
    "FrontInputs",
    "FrontLink",
    "Hex",
    "HexMap",
    "LinkChoice",
    "Network",
    "Parallelogram",
    "PathTerms",
    "Situation",
    "area_corners",
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
    "check_link",
    "controlled_hexes",
    "crest_holders",
    "crest_name",
    "crests",
    "default_links",
    "derive_blocks",
    "enterable_path",
    "entry_area",
    "find_nearest",
    "flood_fill",
    "front",
    "front_locations",
    "is_burnable",
    "is_concealment_terrain",
    "is_open_ground",
    "is_placeholder",
    "is_water",
    "isolation_aid",
    "jungle_path_problems",
    "link_choices",
    "link_hexes",
    "load_map",
    "map_from_document",
    "parallelograms_between",
    "parse_name",
    "path_problems",
    "recon_places",
    "recon_problem",
    "reserve_places",
    "reserve_problems",
    "security_area_problems",
    "single_blocks",
    "sniper_pair",
    "sniper_problem",
    "sort_key",
    "split_location",
    "strategic_terrain",
    "update_block_lists",
    "update_block_names",
]  # fmt: skip


if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        """Import what reads map files when it is first asked for.

        A campaign embeds its map; most commands never read a map file and don't need the model behind it.
        """
        if name not in ("load_map", "map_from_document"):
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from laager.hexmap.files import loading

        return getattr(loading, name)
