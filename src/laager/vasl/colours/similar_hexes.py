"""Hexes of the same colour on the pictures of a map's boards: what a flood of paint fills.

Of each hex a few hundred points around its centre are counted by colour, coarsely, so that woods are like woods
although they are of many greens. Two hexes are alike if most of their points are of the same colours.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from laager.hexmap import HexMap
from laager.hexmap.values import Picture
from laager.vasl.boards.metadata import read_metadata
from laager.vasl.boards.picture import Boards
from laager.vasl.colours.pixels import read_pixels

REACH = 0.40
"""Distance from the centre within which points are counted, in heights of a hex."""
POINTS = 24
"""Points counted each way."""
LIKE = 0.6
"""Share of two hexes that must be in the same colours for them to be alike."""
_SHADES = 8


@dataclass(frozen=True, eq=False)
class HexColours:
    """The share of each hex in each of 512 colours: a row for each hex, by its number in `rows`."""

    rows: Mapping[str, int]
    shares: NDArray[np.float32]

    def similar_to(self, name: str) -> frozenset[str]:
        """Return the hexes whose colours are like those of a hex, wherever they lie; none if it has no picture."""
        if name not in self.rows:
            return frozenset()
        common = np.minimum(self.shares, self.shares[self.rows[name]]).sum(axis=1)
        return frozenset(hex_name for hex_name, row in self.rows.items() if common[row] >= LIKE)


def hex_colours(map_: HexMap, boards: Boards) -> HexColours:
    """Return the colours of a map's hexes on the pictures of its boards.

    Raises DataError for a board that isn't valid.
    """
    rows: dict[str, int] = {}
    shares: list[NDArray[np.float32]] = []
    for picture in map_.pictures:
        archive = boards(picture.file)
        pixels = read_pixels(archive, read_metadata(archive).picture)
        coarse = np.array([_coarse_number(colour) for colour in pixels.colours], np.int64)
        for name, (x, y) in _hex_centres(map_, picture).items():
            hex_shares = _colour_shares(coarse, pixels.numbers, picture, x, y)
            if hex_shares is not None and name not in rows:
                rows[name] = len(shares)
                shares.append(hex_shares)
    whole = np.array(shares, np.float32) if shares else np.zeros((0, _SHADES**3), np.float32)
    return HexColours(rows, whole)


def _coarse_number(colour: int) -> int:
    coarse = 0
    for shift in (16, 8, 0):
        coarse = coarse * _SHADES + (colour >> shift & 255) * _SHADES // 256
    return coarse


def _hex_centres(map_: HexMap, picture: Picture) -> dict[str, tuple[float, float]]:
    """Return the centres of the hexes in a picture's part, in pixels."""
    pivot = map_.hex(picture.hex)
    across, high = picture.hex_size
    way = -1 if picture.reversed else 1
    left, top, width, height = picture.part
    centres = {}
    for name, hex_ in map_.hexes.items():
        columns, halves = hex_.q - pivot.q, 2 * (hex_.r - pivot.r) + hex_.q - pivot.q
        x, y = picture.at[0] + way * columns * across, picture.at[1] + way * halves * high / 2
        if left <= x <= left + width and top <= y <= top + height:
            centres[name] = (x, y)
    return centres


def _colour_shares(
    coarse: NDArray[np.int64], numbers: NDArray[np.uint8], picture: Picture, x: float, y: float
) -> NDArray[np.float32] | None:
    reach = REACH * picture.hex_size[1]
    steps = np.linspace(-reach, reach, POINTS)
    dx, dy = np.meshgrid(steps, steps, indexing="ij")
    round_ = dx**2 + dy**2 <= reach**2
    px, py = np.rint(x + dx[round_]).astype(int), np.rint(y + dy[round_]).astype(int)
    inside = (px >= 0) & (py >= 0) & (px < numbers.shape[0]) & (py < numbers.shape[1])
    if not inside.any():
        return None
    counts = np.bincount(coarse[numbers[px[inside], py[inside]]], minlength=_SHADES**3)
    return np.asarray(counts / counts.sum(), np.float32)
