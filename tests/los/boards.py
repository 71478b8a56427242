"""Boards for the tests of lines of sight: those of ../shared, and small ones of our own."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from laager.los.exact import fields as f
from laager.los.exact.losmap import LosMap
from laager.los.exact.maps import board_map, boards_map
from laager.los.result import Location
from laager.vasl import Archive, arrange, open_archive, shape_of
from laager.vasl.boards.layout import Crop, PlacedBoard
from tests.vasl.board_writer import Draft, zip_bytes

SHARED = Path(__file__).parents[3] / "shared"
BOARDS = SHARED / "data" / "boards"
ORACLE = SHARED / "vasl" / "oracle"

needs_boards = pytest.mark.skipif(
    not (BOARDS / "bd01").exists(), reason="needs the example boards in ../shared, which are not part of Laager"
)
needs_oracle = pytest.mark.skipif(
    not (ORACLE / "los").exists(), reason="needs the oracles in ../shared, which are not part of Laager"
)


def archive_of(draft: Draft) -> Archive:
    return Archive(zip_bytes(draft.entries().items()), f"bd{draft.name}")


def drawn(draft: Draft, **wishes: Any) -> LosMap:
    """Return a board of our own, ready for lines of sight."""
    return board_map(archive_of(draft), **wishes)


def side_by_side(archives: Sequence[Archive], **wishes: Any) -> LosMap:
    """Return boards in one row; `turned` are the numbers of those that lie turned round, `crops` what is left."""
    turned, crops = wishes.pop("turned", ()), wishes.pop("crops", {})
    placed = []
    for i, archive in enumerate(archives):
        shape = shape_of(archive)
        crop = Crop(*crops[i]) if i in crops else None
        size = (shape.width, shape.height)
        placed.append(PlacedBoard(shape.name, shape.geometry, size, i, 0, i in turned, crop))
    return boards_map(archives, arrange(placed), **wishes)


def real(name: str) -> Archive:
    return open_archive(BOARDS / f"bd{name}")


def odd_pairs(on: LosMap, count: int) -> NDArray[np.int64]:
    """Return pairs by chance: any, those with an end beside cliffs and depressions, those with one above the ground."""
    chance = np.random.default_rng(count)
    ground, every = len(on.locations), len(on.locations) + 12 * len(on.names)
    odd = on.hexes.cliff.any(axis=1) | on.hexes.depressed
    beside = odd | (odd[on.grid.near] & (on.grid.near >= 0)).any(axis=1)
    rows = on.arrays.places[:every]
    near = np.flatnonzero(beside[rows[:, f.P_HEX]])
    high = np.array([i for i, one in enumerate(on.locations) if one.kind != "ground"])
    ends = [chance.choice(some, count) for some in (np.arange(every), near, high) if len(some)]
    found = np.concatenate([np.stack([one, chance.integers(0, ground, count)], axis=-1) for one in ends])
    return np.where(chance.random((len(found), 1)) < 0.5, found, found[:, ::-1])


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


_LEVELS = {"0": "ground", "roof": "rooftop", "below": "below bridge", "cellar": "cellar", "bridge": "bridge"}


def at_level(hex_name: str, level: str) -> Location:
    """Return a Location as the oracles write its level."""
    if level in _LEVELS:
        return Location(hex_name, _LEVELS[level])  # type: ignore[arg-type]
    return Location(hex_name, "level", int(level))
