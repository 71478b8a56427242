"""The hexes of a LOS map in pixels, as VASL places them: centres, edge points, vertices, borders, the hex of a pixel.

Most maps begin with a whole hex in column A; those that begin with a half hex (cropped at an odd column) have the
parities of the columns exchanged.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from laager.vasl.boards.crossings import COS_30, pull_inside

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

FIRST_Y = 32.25
"""VASL's y of the first centres of a map that begins with a half hex, before it moves them up."""
_BORDER = ((-1, -1), (-1, 1), (1, 0), (1, 1), (-1, 1), (-1, 0))
"""Pixels by which VASL widens a hex at each vertex; the second was surely meant as (1, -1)."""


@dataclass(frozen=True, eq=False)
class PixelGrid:
    """Columns and rows of hexes in a picture of `width` x `height` pixels.

    `rows` are those of a short column, long ones have one more: the odd ones, or the even ones if `half`. `dx` is from
    column to column, `dy` the height of a hex, (`x`, `y`) the centre of A1; `top` is where the first centres of short
    columns lie, if not where VASL has them. Arrays are by hex, column by column.
    """

    columns: int
    rows: int
    dx: float
    dy: float
    x: float
    y: float
    width: int
    height: int
    half: bool = False
    top: float | None = None

    def column_rows(self, column: int) -> int:
        """Return how many hexes a column has."""
        return self.rows + (column % 2 == (0 if self.half else 1))

    @cached_property
    def starts(self) -> Ints:
        """The number of the first hex of each column, and at the end how many hexes there are."""
        counts = [self.column_rows(column) for column in range(self.columns)]
        return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)

    @property
    def count(self) -> int:
        """The number of hexes."""
        return int(self.starts[-1])

    @cached_property
    def spots(self) -> Ints:
        """Column and row of each hex, rows from 0 at the top."""
        places = [(c, r) for c in range(self.columns) for r in range(self.column_rows(c))]
        return np.array(places, np.int64).reshape(-1, 2)

    def number(self, column: int, row: int) -> int:
        """Return the number of a hex, -1 if it doesn't exist."""
        if 0 <= column < self.columns and 0 <= row < self.column_rows(column):
            return int(self.starts[column]) + row
        return -1

    def numbers(self, columns: Ints, rows: Ints) -> Ints:
        """Return the numbers of hexes, -1 for those that don't exist."""
        inside = (columns >= 0) & (columns < self.columns)
        safe = np.where(inside, columns, 0)
        inside = inside & (rows >= 0) & (rows < np.diff(self.starts)[safe])
        return np.where(inside, self.starts[safe] + rows, -1)

    @cached_property
    def up(self) -> NDArray[np.bool_]:
        """True for the hexes of long columns, which lie half a hex higher."""
        is_up: NDArray[np.bool_] = self.spots[:, 0] % 2 == (0 if self.half else 1)
        return is_up

    @cached_property
    def exact(self) -> Floats:
        """The centres in fractions of pixels."""
        columns, rows = self.spots.T
        x = max(self.x, 0.0) + self.dx * columns
        top = FIRST_Y if self.half else self.y if self.y > 0 else self.dy / 2
        if self.top is not None:
            top = self.top
        return np.stack([x, top + self.dy * rows - np.where(self.up, self.dy / 2, 0.0)], axis=-1)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the picture."""
        return self.width, self.height

    @cached_property
    def centre(self) -> Ints:
        """The centre pixels."""
        return np.trunc(pull_inside(self.exact, self.size)).astype(np.int64)

    @cached_property
    def _exact_vertices(self) -> Floats:
        s, v = 2 * self.dx / 3, self.dy / 2
        corners = [(-s / 2, -v), (s / 2, -v), (s, 0), (s / 2, v), (-s / 2, v), (-s, 0)]
        return pull_inside(self.exact[:, None, :] + np.array(corners), self.size)

    @cached_property
    def corners(self) -> Ints:
        """The six vertices of each hex's polygon."""
        return np.floor(self._exact_vertices + 0.5).astype(np.int64)

    @cached_property
    def vertices(self) -> Ints:
        """The six vertices, cut to whole pixels instead of rounded: where units in bypass stand."""
        return np.trunc(self._exact_vertices).astype(np.int64)

    @cached_property
    def borders(self) -> Ints:
        """The vertices of each hex's extended border."""
        widened: Ints = self.vertices + np.array(_BORDER)
        return widened

    @cached_property
    def edges(self) -> Ints:
        """The points just inside the six sides."""
        v = self.dy / 2
        h = COS_30 * v
        sides = [
            *((0.0, -v + 1), (h - 1, -v / 2 + 1), (h - 1, v / 2 - 1)),
            *((0.0, v - 1), (-h + 1, v / 2 - 1), (-h + 1, -v / 2 + 1)),
        ]
        return pull_inside(np.trunc(self.exact[:, None, :] + np.array(sides)), self.size).astype(np.int64)

    @cached_property
    def near(self) -> Ints:
        """The number of the hex beyond each side, -1 if there is none."""
        columns, rows = self.spots.T
        up = self.up.astype(np.int64)
        places = (
            *((columns, rows - 1), (columns + 1, rows - up), (columns + 1, rows + 1 - up)),
            *((columns, rows + 1), (columns - 1, rows + 1 - up), (columns - 1, rows - up)),
        )
        return np.stack([self.numbers(column, row) for column, row in places], axis=-1)

    @cached_property
    def on_map(self) -> NDArray[np.bool_]:
        """True for the sides that count as lying on the map; VASL goes by odd columns on maps of both kinds."""
        columns, rows = self.spots.T
        lies_on_map = np.ones((self.count, 6), np.bool_)
        odd = columns % 2 == 1
        for off, sides in (
            (columns == 0, (4, 5)),
            (columns == self.columns - 1, (1, 2)),
            (odd & (rows == 0), (0, 1, 5)),
            (odd & (rows == self.rows), (2, 3, 4)),
        ):
            for side in sides:
                lies_on_map[off, side] = False
        return lies_on_map

    @cached_property
    def axial(self) -> Ints:
        """Coordinates in which the range is the largest of both differences and of their sum."""
        columns, rows = self.spots.T
        return np.stack([columns, rows - ((columns + (not self.half)) >> 1)], axis=-1)

    def hexes_of_pixels(self) -> NDArray[np.int16]:
        """Return the number of the hex of each pixel (x, y), -1 where VASL has none."""
        tops, spans = spans_of(self.corners)
        y = np.arange(self.height)
        hexes = np.full((self.width, self.height), -1, np.int16)
        rows_of = (np.trunc(y / self.dy).astype(np.int64), np.trunc((y + self.dy / 2) / self.dy).astype(np.int64))
        z = np.trunc((np.arange(self.width) - max(self.x, 0.0)) / (self.dx / 3)).astype(np.int64)
        doubtful = (z - 1) % 3 == 0
        columns = np.where(doubtful, np.ceil((z - 1) / 3), np.ceil(z / 3)).astype(np.int64)
        for long in (False, True):
            rows = rows_of[int(long)]
            is_long = columns % 2 == (0 if self.half else 1)
            plain = np.flatnonzero(~doubtful & (is_long == long))
            hexes[plain] = self.numbers(columns[plain][:, None], rows[None, :])
            for x in np.array_split(np.flatnonzero(doubtful & (is_long == long)), 8):
                hexes[x] = self._search_hexes(x, columns[x], rows, tops, spans)
        return hexes

    def _search_hexes(
        self, x: Ints, columns: Ints, rows: Ints, tops: Ints, spans: NDArray[np.int32]
    ) -> NDArray[np.int16]:
        """Return the hexes of columns of pixels where two columns of hexes meet."""
        shape = (len(x), self.height)
        column = np.broadcast_to(columns[:, None], shape).ravel()
        row = np.broadcast_to(rows[None, :], shape).ravel()
        px = np.repeat(x, self.height)
        py = np.tile(np.arange(self.height), len(x))
        hexes = np.full(px.shape, -1, np.int16)
        left = np.flatnonzero(self.numbers(column, row) >= 0)
        for dc, dr in ((0, 0), (0, -1), (0, 1), (1, 0), (1, -1), (1, 1), (-1, 0), (-1, -1), (-1, 1)):
            number = self.numbers(column[left] + dc, row[left] + dr)
            hit = number >= 0
            hit &= contains(tops, spans, np.maximum(number, 0), px[left], py[left])
            hexes[left[hit]] = number[hit]
            left = left[~hit]
            if not len(left):
                break
        column, row = column[left], row[left]
        last = (row == self.rows) & (self.numbers(column - 1, row + 1) < 0) & ((column % 2 == 1) | self.half)
        hexes[left[last]] = self.numbers(column[last] + 1, row[last] - 1)
        return hexes.reshape(shape)


def spans_of(corners: Ints) -> tuple[Ints, NDArray[np.int32]]:
    """Return the top rows of some polygons, and for each of their rows of pixels from which x to which they reach.

    `corners` are (polygon, vertex, 2). A pixel is inside by the even-odd rule, half-open: with the left and the top
    edge, without the right and the bottom edge. Rows without a pixel have an empty span.
    """
    tops, bottoms = corners[..., 1].min(axis=1), corners[..., 1].max(axis=1)
    most = max(int((bottoms - tops).max(initial=0)), 1)
    y = tops[:, None] + np.arange(most)
    low = np.full(y.shape, np.iinfo(np.int32).max, np.int64)
    high = np.full(y.shape, np.iinfo(np.int32).min, np.int64)
    count = corners.shape[1]
    for i in range(count):
        first, other = corners[:, i], corners[:, (i + 1) % count]
        swap = first[:, 1] > other[:, 1]
        upper, lower = np.where(swap[:, None], other, first), np.where(swap[:, None], first, other)
        rise = lower[:, 1] - upper[:, 1]
        active = (y >= upper[:, 1:]) & (y < lower[:, 1:])
        slope = (y - upper[:, 1:]) / np.maximum(rise, 1)[:, None] * (lower[:, 0] - upper[:, 0])[:, None]
        x = upper[:, :1] + np.ceil(slope).astype(np.int64)
        low = np.where(active, np.minimum(low, x), low)
        high = np.where(active, np.maximum(high, x), high)
    empty = low >= high
    return tops, np.stack([np.where(empty, 1, low), np.where(empty, 0, high)], axis=-1).astype(np.int32)


def contains(tops: Ints, spans: NDArray[np.int32], numbers: Ints, x: Ints, y: Ints) -> NDArray[np.bool_]:
    """Return which pixels are in the polygons of those numbers."""
    rows = y - tops[numbers]
    inside = (rows >= 0) & (rows < spans.shape[1])
    span = spans[numbers, np.where(inside, rows, 0)]
    is_inside: NDArray[np.bool_] = inside & (x >= span[:, 0]) & (x < span[:, 1])
    return is_inside
