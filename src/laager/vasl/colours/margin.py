"""The margin of a picture: what is printed around a map (a title, arrows, a coloured edge) and is no ground."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from laager.vasl.archive import Archive
from laager.vasl.boards.board import Board, BoardHex
from laager.vasl.boards.crossings import Points, codes_at
from laager.vasl.boards.layout import Geometry
from laager.vasl.colours.grid import points_on
from laager.vasl.colours.palette import Meaning, Palette
from laager.vasl.colours.pixels import Pixels, told_by
from laager.vasl.colours.reading import meanings_of

SURE = 0.5
"""The share of a picture in colours of sure meaning from which on its other edges can be a margin."""
BARE = 0.1
"""The share of a line of pixels in such colours up to which the line is margin."""
WIDEST = 1.5
"""How wide a margin can be, in heights of a hex."""
CROSSED = 0.25
"""The share of hexsides in a margin that are drawn: with more of them the edge is ground, such as a lake."""
INK = 60
INSET = 7
"""So many pixels inside the frame nothing of the margin counts as ground any more."""
_SURE = frozenset({"legend", "board", "shared", "texture"})


class Frame(NamedTuple):
    """The part of a picture that is map, in pixels."""

    left: int
    top: int
    right: int
    bottom: int

    def holds(self, one: BoardHex, geometry: Geometry) -> bool:
        """Return True if half of a hex or more is in the frame."""
        (x, y), near = one.exact, geometry.height / 5
        return self.left - near <= x <= self.right + near and self.top - near <= y <= self.bottom + near


@dataclass(frozen=True, eq=False)
class OnMap:
    """A picture without its margin, what its colours mean, its board, and where the board's hexes lie."""

    pixels: Pixels
    meanings: tuple[Meaning, ...]
    board: Board
    points: Points


def on_map(pixels: Pixels, archive: Archive, board: Board, legend: Mapping[int, Meaning] | None = None) -> OnMap:
    """Return what of a picture and its board is map; `legend` says what some colours mean."""
    palette = Palette(archive, pixels.present, legend)
    meanings, points = meanings_of(pixels, palette), points_on(board.hexes, board.geometry, board.size)
    frame = frame_of(pixels, meanings, points, board.geometry)
    if frame == (0, 0, *board.size):
        return OnMap(pixels, meanings, board, points)
    pixels = without_margin(pixels, frame)
    inside = tuple(one for one in board.hexes if frame.holds(one, board.geometry))
    board = replace(board, hexes=inside, frame=frame)
    return OnMap(pixels, meanings_of(pixels, palette), board, points_on(inside, board.geometry, board.size))


def frame_of(pixels: Pixels, meanings: tuple[Meaning, ...], points: Points, geometry: Geometry) -> Frame:
    """Return what of a picture is map: all of it, if no edge is surely a margin."""
    width, height = pixels.size
    told = np.array([one.origin in _SURE and one.terrain is not None for one in meanings], np.uint8)
    if int(pixels.counts[told.astype(np.bool_)].sum()) < SURE * pixels.numbers.size:
        return Frame(0, 0, width, height)
    most = int(WIDEST * geometry.height)
    across, down = pixels.numbers, pixels.numbers.T
    left, top = _bare(across[:most], told), _bare(down[:most], told)
    right, bottom = _bare(across[-most:][::-1], told), _bare(down[-most:][::-1], told)
    middle, drawn = _sides(pixels, points)
    x, y = middle[:, 0], middle[:, 1]
    return Frame(
        0 if _crossed(drawn[x < left - INSET]) else left,
        0 if _crossed(drawn[y < top - INSET]) else top,
        width if _crossed(drawn[x > width - right + INSET]) else width - right,
        height if _crossed(drawn[y > height - bottom + INSET]) else height - bottom,
    )


def _bare(lines: NDArray[np.uint8], told: NDArray[np.uint8]) -> int:
    """Return how many lines of pixels, from the first on, have hardly any ground in them; 0 if few or all have none."""
    ground = np.flatnonzero(told_by(np.ascontiguousarray(lines), told).mean(axis=1) > BARE)
    return int(ground[0]) if len(ground) and ground[0] > INSET else 0


def _sides(pixels: Pixels, points: Points) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return the middle of each hexside in the picture, and which are drawn: dark in half of their points."""
    outside = np.flatnonzero((points.near < 0).any(axis=1))
    corners = points.corners[outside].astype(np.float64)
    start, end = corners, np.roll(corners, -1, axis=1)
    line = start[:, :, None] + (end - start)[:, :, None] * np.linspace(0.15, 0.85, 15)[:, None]
    dark = np.array([max(rgb >> 16, rgb >> 8 & 255, rgb & 255) <= INK for rgb in pixels.colours] + [False])
    found = np.zeros(line.shape[:3], np.bool_)
    for step in ((0, 0), (-1, 0), (1, 0), (0, -1), (0, 1)):
        numbers = codes_at(pixels.numbers, np.floor(line + 0.5).astype(np.int64) + step)
        found |= dark[numbers]
    middle = line.mean(axis=2).reshape(-1, 2)
    return middle, (found.mean(axis=2) >= 0.5).reshape(-1)


def _crossed(drawn: NDArray[np.bool_]) -> bool:
    """Return True if hexsides are drawn in an edge of the picture: then it is ground, such as a lake."""
    return len(drawn) > 0 and float(drawn.mean()) > CROSSED


def without_margin(pixels: Pixels, frame: Frame) -> Pixels:
    """Return a picture that goes on in its margin as it is at the frame, so that hexes which it cuts are whole.

    It is the same memory.
    """
    (width, height), numbers = pixels.size, pixels.numbers
    left, top = frame.left + INSET * (frame.left > 0), frame.top + INSET * (frame.top > 0)
    right, bottom = frame.right - INSET * (frame.right < width), frame.bottom - INSET * (frame.bottom < height)
    numbers[:left] = numbers[left]
    numbers[right:] = numbers[right - 1]
    numbers[:, :top] = numbers[:, top, None]
    numbers[:, bottom:] = numbers[:, bottom - 1, None]
    counts = sum(np.bincount(part.ravel(), minlength=256) for part in np.array_split(numbers.T, 16))
    return replace(pixels, counts=np.asarray(counts, np.int64))
