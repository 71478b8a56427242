"""A large map that looks like real ones, with Control of 200 Locations, for the benchmarks."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from laager.base.files import Document
from laager.hexmap import HexMap, map_from_document, sort_key, strategic_terrain
from laager.hexmap.coords import HexName, column_name

SIDES = ("axis", "allied")


@dataclass(frozen=True)
class BigMap:
    """A map, who Controls which Location, and the Friendly Map Edges."""

    map: HexMap
    control: Mapping[str, str]
    edges: Mapping[str, frozenset[str]]

    @property
    def control_of_ground(self) -> dict[str, str]:
        """Who Controls which ground-level Location."""
        return {name: side for name, side in self.control.items() if "." not in name}


def big_map(columns: int = 33, rows: int = 45, seed: int = 1943, controlled: int = 200) -> BigMap:
    """Return a random map of villages, woods, hills, fields, roads and a stream.

    The front winds from west to east across the middle; each side has a few Locations left
    behind the other's lines. The same seed gives the same map.
    """
    dice = random.Random(seed)
    blobs = _Blobs(dice, columns, rows)
    terrain = blobs.terrain()
    taken = {name for names in terrain.values() for name in names}
    data: dict[str, Any] = {
        "laager": "map/1",
        "id": f"big-{columns}-{rows}-{seed}",
        "title": f"Random map {columns} x {rows}",
        "source": "house",
        "source_note": "Made by chance for the benchmarks.",
        "boards": [{"columns": columns, "rows": rows}],
        "terrain": terrain,
        "levels": blobs.hills(),
        "buildings": blobs.villages(taken),
        "roads": [
            {"kind": "paved", "along": _across(columns, rows // 3)},
            {"kind": "unpaved", "along": _down(columns // 2, rows)},
            {"kind": "unpaved", "along": _across(columns, 2 * rows // 3)},
        ],
        "watercourses": [{"kind": "stream", "along": _across(columns, rows // 2)}],
        "features": {"bridge": [_name(columns // 2, rows // 2)]},
    }
    made = map_from_document(Document(data, "big map"))
    return BigMap(
        made, control_of(made, dice, rows, controlled), {SIDES[0]: made.edge("north"), SIDES[1]: made.edge("south")}
    )


def _name(column: int, row: int) -> str:
    return str(HexName("", column, row))


def _across(columns: int, row: int) -> list[str]:
    return [f"A{row}-{column_name(columns - 1)}{row}"]


def _down(column: int, rows: int) -> list[str]:
    return [f"{column_name(column)}1-{column_name(column)}{rows}"]


class _Blobs:
    """Patches of hexes around random places."""

    def __init__(self, dice: random.Random, columns: int, rows: int) -> None:
        self.dice, self.columns, self.rows = dice, columns, rows

    def patch(self, size: int) -> list[str]:
        column, row = self.dice.randrange(self.columns), self.dice.randint(1, self.rows)
        found = {(column, row)}
        for _ in range(50 * size):
            if len(found) == size:
                break
            c, r = self.dice.choice(sorted(found))
            c, r = c + self.dice.choice((-1, 0, 1)), r + self.dice.choice((-1, 0, 1))
            if 0 <= c < self.columns and 1 <= r <= self.rows:
                found.add((c, r))
        return sorted((_name(c, r) for c, r in found), key=sort_key)

    def terrain(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        taken: set[str] = set()
        area = self.columns * self.rows
        for kind, patches, size in (
            ("woods", area // 110, 12),
            ("orchard", area // 250, 5),
            ("brush", area // 200, 4),
            ("grain", area // 180, 9),
            ("marsh", area // 700, 5),
        ):
            for _ in range(patches):
                free = [name for name in self.patch(size) if name not in taken]
                taken.update(free)
                found.setdefault(kind, []).extend(free)
        return found

    def hills(self) -> dict[str, list[str]]:
        found: dict[str, int] = {}
        for _ in range(max(1, self.columns * self.rows // 400)):
            for level, size in ((1, 40), (2, 14)):
                for name in self.patch(size):
                    found[name] = max(level, found.get(name, 0))
        return {str(level): [name for name, height in found.items() if height == level] for level in (1, 2)}

    def villages(self, taken: set[str]) -> list[dict[str, Any]]:
        used, found = set(taken), []
        for number in range(max(1, self.columns * self.rows // 160)):
            for name in self.patch(16)[:: self.dice.choice((1, 2))]:
                if name not in used:
                    used.add(name)
                    found.append(
                        {
                            "name": f"House {number + 1}",
                            "material": self.dice.choice(("stone", "wooden")),
                            "levels": self.dice.choice((0, 0, 1, 1, 2)),
                            "hexes": [name],
                        }
                    )
        return found


def control_of(map_: HexMap, dice: random.Random, rows: int, count: int) -> dict[str, str]:
    """Return who Controls `count` Strategic Locations, the front winding through the middle."""
    line = float(rows)
    front: list[float] = []
    for _ in range(1 + max(one.q for one in map_.hexes.values())):
        line = min(1.4 * rows, max(0.6 * rows, line + dice.uniform(-2.5, 2.5)))
        front.append(line)
    locations = list(strategic_terrain(map_))
    chosen = dice.sample(locations, min(count, len(locations)))
    found = {}
    for location in sorted(chosen, key=sort_key):
        one = map_.hex(location.partition(".")[0])
        side = int(2 * one.r + one.q > front[one.q])
        found[location] = SIDES[side ^ (dice.random() < 0.03)]
    return found
