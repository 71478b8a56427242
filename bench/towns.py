"""A town of Blocks, and its Setup Areas and front: ours, and the plain way on networkx."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any

import networkx

from laager.base.files import Document
from laager.hexmap import HexMap, block_front, derive_blocks, map_from_document, sort_key
from laager.hexmap.coords import column_name

SIDES = ("axis", "allied")
_CORNERS = ((-2, 0), (-1, -1), (1, -1), (2, 0), (1, 1), (-1, 1))


@dataclass(frozen=True)
class Town:
    """A map of streets and who Controls which Block."""

    map: HexMap
    control: Mapping[str, str]


@cache
def big_town(columns: int = 40, rows: int = 25, seed: int = 1944) -> Town:
    """Return a random town: streets both ways, lanes that end anywhere, a river in the south."""
    dice = random.Random(seed)
    last = column_name(columns - 1)
    across = [[f"A{row}-{last}{row}"] for row in range(4, rows - 3, dice.choice((5, 6)))]
    down = [[f"{column_name(column)}1-{column_name(column)}{rows - 2}"] for column in range(5, columns, 6)]
    lanes = []
    for _ in range(30):
        column, row = column_name(dice.randrange(columns)), dice.randint(1, rows - 7)
        lanes.append([f"{column}{row}-{column}{row + dice.randint(1, 4)}"])
    data: dict[str, Any] = {
        "laager": "map/1",
        "id": f"town-{columns}-{rows}-{seed}",
        "title": f"Random town {columns} x {rows}",
        "source": "house",
        "source_note": "Made by chance for the benchmarks.",
        "boards": [{"columns": columns, "rows": rows}],
        "terrain": {"river": [f"A{row}-{last}{row}" for row in (rows - 1, rows)]},
        "roads": [{"kind": "paved", "along": along} for along in (*across, *down, *lanes)],
    }
    made = map_from_document(Document(data, "big town"))
    return Town(made, {name: dice.choice(SIDES) for name in made.blocks.hexes})


def ours(town: Town) -> tuple[set[frozenset[str]], set[str]]:
    """Return the Blocks, worked out anew, and the front line road hexes."""
    blocks = derive_blocks(town.map)
    return set(blocks.hexes.values()), set(block_front(town.map, town.control, SIDES).road_line)


def plain(town: Town) -> tuple[set[frozenset[str]], set[str]]:
    """Return the same from a graph of hexes and their corners."""
    map_ = town.map
    streets = {name for road in map_.roads for name in road.along}
    crossed = {frozenset(pair) for road in map_.roads for pair in pairwise(road.along)}
    river = {name for name, one in map_.hexes.items() if one.has("river")}
    roads = streets - river
    ground = map_.hexes.keys() - roads - river
    corner = {
        name: {(3 * one.q + dx, 2 * one.r + one.q + dy) for dx, dy in _CORNERS} for name, one in map_.hexes.items()
    }
    graph: networkx.Graph[Any] = networkx.Graph()
    graph.add_nodes_from(ground)
    graph.add_edges_from((name, point) for name in ground for point in corner[name])
    for name in roads:
        for near in map_.neighbours(name):
            if near in roads and frozenset((name, near)) not in crossed:
                graph.add_edge(*(corner[name] & corner[near]))
    pieces = [
        frozenset(name for name in piece if isinstance(name, str)) for piece in networkx.connected_components(graph)
    ]
    blocks = sorted((p for p in pieces if p), key=lambda piece: min(map(sort_key, piece)))
    held = {name: side for piece, side in zip(blocks, town.control.values(), strict=True) for name in piece}
    line = {name for name in roads if len({held[near] for near in map_.neighbours(name) if near in held}) == len(SIDES)}
    return set(blocks), line
