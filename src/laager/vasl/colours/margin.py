"""The margin of a picture: print around a map (a title, arrows, a coloured edge) that is no ground."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from laager.vasl.archive import Archive
from laager.vasl.boards.board import Board, BoardHex
from laager.vasl.boards.crossings import HexPoints, codes_at, points_around
from laager.vasl.boards.layout import Geometry
from laager.vasl.boards.strips import look_up
from laager.vasl.colours.palette import Meaning, Palette
from laager.vasl.colours.pixel_ground import find_meanings
from laager.vasl.colours.pixels import Pixels

SURE = 0.5
"""Share of a picture in colours of sure meaning that it needs for its other edges to be a margin."""
BARE = 0.1
"""Largest share of a line of pixels in such colours for the line to be margin."""
WIDEST = 1.5
"""Widest margin, in heights of a hex."""
CROSSED = 0.25
"""Largest share of drawn hexsides in a margin: with more of them the edge is ground, such as a lake."""
INK = 60
"""Brightest colour of a drawn hexside, by its brightest part."""
INSET = 7
"""Pixels inside the frame that may still be blurred by the margin."""
_STEPS = ((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1))
"""The neighbour across each side: columns to the east, half hexes to the south."""
_SURE = frozenset({"legend", "board", "shared", "texture"})


class Frame(NamedTuple):
    """The part of a picture that is map, in pixels."""

    left: int
    top: int
    right: int
    bottom: int

    def holds(self, hex_: BoardHex, geometry: Geometry) -> bool:
        """Return True if half of a hex or more is in the frame."""
        (x, y), near = hex_.exact, geometry.height / 5
        return self.left - near <= x <= self.right + near and self.top - near <= y <= self.bottom + near


@dataclass(frozen=True, eq=False)
class MapPicture:
    """A picture without its margin, what its colours mean, its board, and where the board's hexes lie."""

    pixels: Pixels
    meanings: tuple[Meaning, ...]
    board: Board
    points: HexPoints


def crop_to_map(
    pixels: Pixels, archive: Archive, board: Board, legend: Mapping[int, Meaning] | None = None
) -> MapPicture:
    """Return the map part of a picture and its board; `legend` says what some colours mean."""
    palette = Palette(archive, pixels.present, legend)
    meanings, points = find_meanings(pixels, palette), points_of_hexes(board.hexes, board.geometry, board.size)
    frame = find_frame(pixels, meanings, points, board.geometry)
    if frame == (0, 0, *board.size):
        return MapPicture(pixels, meanings, board, points)
    pixels = paint_over_margin(pixels, frame)
    inside = tuple(hex_ for hex_ in board.hexes if frame.holds(hex_, board.geometry))
    board = replace(board, hexes=inside, frame=frame)
    return MapPicture(
        pixels, find_meanings(pixels, palette), board, points_of_hexes(inside, board.geometry, board.size)
    )


def points_of_hexes(hexes: Sequence[BoardHex], geometry: Geometry, size: tuple[int, int]) -> HexPoints:
    """Return the points of hexes in a picture of this size."""
    spots = tuple((hex_.column, hex_.row) for hex_ in hexes)
    low = 0 if geometry.alternate else 1
    heights = [(column, 2 * row + (column % 2 == low)) for column, row in spots]
    number = {place: i for i, place in enumerate(heights)}
    near = np.array(
        [[number.get((column + x, y + down), -1) for x, down in _STEPS] for column, y in heights], np.int64
    ).reshape(len(spots), 6)
    exact = np.array([hex_.exact for hex_ in hexes], np.float64)
    return points_around(spots, exact, geometry, size, near, np.ones(near.shape, np.bool_))


def find_frame(pixels: Pixels, meanings: tuple[Meaning, ...], points: HexPoints, geometry: Geometry) -> Frame:
    """Return the part of a picture that is map: all of it, if no edge is surely a margin."""
    width, height = pixels.size
    is_sure = np.array([meaning.origin in _SURE and meaning.terrain is not None for meaning in meanings], np.uint8)
    if int(pixels.counts[is_sure.astype(np.bool_)].sum()) < SURE * pixels.numbers.size:
        return Frame(0, 0, width, height)
    most = int(WIDEST * geometry.height)
    across, down = pixels.numbers, pixels.numbers.T
    left, top = _count_bare_lines(across[:most], is_sure), _count_bare_lines(down[:most], is_sure)
    right, bottom = _count_bare_lines(across[-most:][::-1], is_sure), _count_bare_lines(down[-most:][::-1], is_sure)
    middle, drawn = _edge_hexsides(pixels, points)
    x, y = middle[:, 0], middle[:, 1]
    return Frame(
        0 if _is_ground(drawn[x < left - INSET]) else left,
        0 if _is_ground(drawn[y < top - INSET]) else top,
        width if _is_ground(drawn[x > width - right + INSET]) else width - right,
        height if _is_ground(drawn[y > height - bottom + INSET]) else height - bottom,
    )


def _count_bare_lines(lines: NDArray[np.uint8], is_sure: NDArray[np.uint8]) -> int:
    """Return how many lines of pixels from the first have hardly any ground; 0 if few or all have none."""
    ground = np.flatnonzero(look_up(np.ascontiguousarray(lines), is_sure).mean(axis=1) > BARE)
    return int(ground[0]) if len(ground) and ground[0] > INSET else 0


def _edge_hexsides(pixels: Pixels, points: HexPoints) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return the middle of each hexside in the picture, and which are drawn: dark in half of their points."""
    outside = np.flatnonzero((points.near < 0).any(axis=1))
    corners = points.corners[outside].astype(np.float64)
    start, end = corners, np.roll(corners, -1, axis=1)
    line = start[:, :, None] + (end - start)[:, :, None] * np.linspace(0.15, 0.85, 15)[:, None]
    dark = np.array([max(rgb >> 16, rgb >> 8 & 255, rgb & 255) <= INK for rgb in pixels.colours] + [False])
    is_dark = np.zeros(line.shape[:3], np.bool_)
    for step in ((0, 0), (-1, 0), (1, 0), (0, -1), (0, 1)):
        numbers = codes_at(pixels.numbers, np.floor(line + 0.5).astype(np.int64) + step)
        is_dark |= dark[numbers]
    middle = line.mean(axis=2).reshape(-1, 2)
    return middle, (is_dark.mean(axis=2) >= 0.5).reshape(-1)


def _is_ground(drawn: NDArray[np.bool_]) -> bool:
    """Return True if hexsides are drawn in an edge of the picture: then it is ground, such as a lake."""
    return len(drawn) > 0 and float(drawn.mean()) > CROSSED


def paint_over_margin(pixels: Pixels, frame: Frame) -> Pixels:
    """Return a picture with its margin painted over by the pixels at the frame, so that the hexes there are whole.

    It uses the same memory.
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
