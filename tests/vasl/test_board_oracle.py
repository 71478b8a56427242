"""Decoded hexes against those of VASL's own classes, hex by hex, on all boards that are there."""

from __future__ import annotations

import json
import warnings
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from laager.vasl.boards.board import BoardHex, read_board

SHARED = Path(__file__).parents[3] / "shared"
ORACLE = SHARED / "vasl" / "oracle" / "boards"
BOARDS = SHARED / "data" / "boards"
NAMES = ("bd01", "bd10", "bd22", "bd6a", "bdABTF", "bdER", "bdPBR", "bdRBv2")
SIDES = ("N", "NE", "SE", "S", "SW", "NW")

ROUNDED = 0.0011
"""The oracle's fractions have three digits."""

EXCEPTIONS: dict[tuple[str, str], str] = {}
"""Hexes that are known to differ, by archive and name, and why. There is none."""

missing = not ORACLE.is_dir() or not BOARDS.is_dir()
needs_boards = pytest.mark.skipif(missing, reason="needs the example boards in ../shared, which are not part of Laager")


def ours(one: BoardHex, keys: set[str]) -> dict[str, Any]:
    """Return what we make of a hex in the oracle's words."""
    found: dict[str, Any] = {"name": one.name, "center": list(one.centre), "center_exact": list(one.exact)}
    ground = one.ground
    if ground is None:
        return found
    found |= {
        "grid_terrain_at_center": ground.at_centre.name,
        "center_terrain": ground.centre.name,
        "base_elevation": ground.base,
        "pixels": ground.area,
        "terrain": {kind.name: count for kind, count in ground.pixels.items()},
        "elevations": {level: count / ground.area for level, count in ground.elevations.items()},
        "hexsides": {SIDES[side]: kind.name for side, kind in ground.hexsides.items()},
        "cliff_sides": sorted(SIDES[side] for side in ground.cliffs),
        "slopes": sorted(SIDES[side] for side in ground.slopes),
        "stairway": ground.stairway,
        "levels": [[level.level, level.terrain] for level in ground.levels],
        "depression": ground.depression.name if ground.depression else None,
    }
    if "bridge" in keys:
        found["bridged"] = ground.bridged
    return found


def theirs(one: dict[str, Any]) -> dict[str, Any]:
    found = {key: one[key] for key in ("name", "center")}
    found["center_exact"] = pytest.approx(one["center_exact"], abs=ROUNDED)
    if "center_terrain" not in one:
        return found
    for key in ("grid_terrain_at_center", "center_terrain", "base_elevation", "pixels"):
        found[key] = one[key]
    found["terrain"] = {part["name"]: part["pixels"] for part in one["terrain"]}
    shares = {part["level"]: part["share"] for part in one["elevations"]}
    found["elevations"] = pytest.approx(shares, abs=ROUNDED)
    found["hexsides"] = one.get("hexsides", {})
    found["cliff_sides"] = sorted(one.get("cliff_sides", ()))
    found["slopes"] = sorted(one.get("slopes", ()))
    found["stairway"] = one.get("stairway", False)
    found["levels"] = [[part["level"], part["terrain"]] for part in one.get("levels", ())]
    found["depression"] = one.get("depression")
    if "bridge" in one:
        found["bridged"] = True
    return found


def differences(archive: str) -> tuple[int, dict[str, dict[str, Any]]]:
    """Return how many hexes were compared, and by name what differs."""
    oracle = json.loads((ORACLE / f"{archive}.json").read_text("utf-8"))
    board = read_board(BOARDS / archive)
    assert (board.name, list(board.size)) == (oracle["board"], oracle["image_size"])
    assert board.known is (oracle["los_data"] is not None)
    expected = {one["name"]: one for one in oracle["hexes"]}
    names = list(dict.fromkeys([*expected, *board.by_name]))
    found: dict[str, dict[str, Any]] = {}
    for name in names:
        if name not in expected or name not in board.by_name:
            found[name] = {"there": name in board.by_name}
            continue
        one, wanted = ours(board.by_name[name], set(expected[name])), theirs(expected[name])
        wrong = {key: (one.get(key), wanted[key]) for key in wanted if one.get(key) != wanted[key]}
        if wrong:
            found[name] = wrong
    return len(names), found


@needs_boards
def test_every_hex_of_every_board_is_what_vasl_says() -> None:
    hexes, wrong, kinds = 0, dict[tuple[str, str], Any](), Counter[str]()
    for archive in NAMES:
        count, found = differences(archive)
        hexes += count
        wrong |= {(archive, name): what for name, what in found.items()}
        kinds.update(key for what in found.values() for key in what)
    told = f"{hexes - len(wrong)} of {hexes} hexes of {len(NAMES)} boards equal"
    print(told, dict(kinds))
    assert set(wrong) == set(EXCEPTIONS), f"{told}; first: {list(wrong.items())[:5]}"
    assert hexes == 5973


@needs_boards
def test_no_board_is_missing_among_the_examples() -> None:
    there = {path.name for path in BOARDS.iterdir()}
    if there != set(NAMES):
        warnings.warn(f"boards without an oracle: {sorted(there - set(NAMES))}", stacklevel=1)
    assert there >= set(NAMES)
