"""Where the hexes of a board lie in its picture, and what they are called.

Pixels count from the top left, x to the right, y down. Columns and rows are numbers: column 0 is
A; a row is the number in a hex's name. `trunc` is toward zero, as Java's cast to int.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import floor, trunc

from laager.hexmap.coords import MAX_COLUMNS, column_name

EDGE_TOLERANCE = 3
"""How far outside the picture the centre of a half hex may lie, in pixels."""


@dataclass(frozen=True)
class Geometry:
    """The hex grid of a board in pixels; the defaults are those of a geomorphic board.

    `width` is from centre to centre of two columns, `height` that of a hex, `x` and `y` the centre
    of hex A1. `alternate`: the rows of B, D, F ... are numbered one higher.
    """

    width: float = 56.25
    height: float = 64.5
    x: float = 0.0
    y: float = 32.25
    alternate: bool = False

    def place(self, x: float, y: float) -> tuple[int, int]:
        """Return column and row of the hex at a pixel."""
        across = x - trunc(self.x)
        down = y + trunc(self.height / 2 - trunc(self.y))
        column = floor(across / self.width + 0.5)
        if column % 2 == 0:
            return column, floor(down / self.height) + 1
        return column, floor(down / self.height + 0.5) + self.alternate

    def name(self, x: float, y: float) -> str:
        """Return the name of the hex at a pixel, as VASL shows it."""
        return hex_name(*self.place(x, y))

    def centre(self, column: int, row: int) -> tuple[int, int]:
        """Return the pixel of a hex's centre; at the edges it may lie outside the picture."""
        x, y = self.exact(column, row)
        return floor(x), floor(y)

    def exact(self, column: int, row: int) -> tuple[float, float]:
        """Return a hex's centre in fractions of pixels; VASL takes the origin in whole ones."""
        up = 1.0 if column % 2 == 0 else 1.5 if self.alternate else 0.5
        return self.width * column + trunc(self.x), self.height * (row - up) + trunc(self.y)

    def hexside(self, x: int, y: int) -> str | None:
        """Return the hexside (A1/B1) if a pixel is exactly VASL's snap point of one, else None."""
        left, top = trunc(self.x), trunc(self.y)
        step = floor((x - left + self.width / 4) * 2 / self.width)
        snapped = trunc(self.width / 2 * step + left)
        half = self.height / 2
        if step % 2 == 0:
            down = trunc(half * floor((y - top + self.height / 4) * 2 / self.height) + top)
        else:
            down = trunc(half * floor((y - top) * 2 / self.height) + trunc(half / 2) + top)
        if (x, y) != (snapped, down):
            return None
        return self._between(x - left, y + trunc(half - top))

    def _between(self, across: int, down: int) -> str | None:
        """Return the two hexes of a hexside, given its snap point as X and Y of the naming rule."""
        column, beside = floor(across / self.width + 0.5), floor(2 * across / self.width + 0.5) % 2
        if beside:
            column = floor(across / self.width)
        low = column % 2
        row = floor(down / self.height + 0.5) if low else floor(down / self.height) + 1
        below = down > (row if low else row - 0.5) * self.height
        if beside:
            return self._pair((column, row), (column + 1, row - (not below) + low))
        if floor(2 * down / self.height + 0.5) % 2 != low:
            return None
        return self._pair(*sorted([(column, row), (column, row + 1 if below else row - 1)]))

    def _pair(self, *places: tuple[int, int]) -> str:
        return "/".join(hex_name(column, row + (self.alternate and column % 2 == 1)) for column, row in places)

    def within(self, width: int, height: int) -> Iterator[tuple[int, int]]:
        """Yield column and row of every hex of a picture, column by column, from the top.

        Half hexes count: those with their centre on the edge, or a little beyond it.
        """
        low, high = -EDGE_TOLERANCE, EDGE_TOLERANCE
        first, _ = self.place(low, 0)
        last, _ = self.place(width + high, 0)
        for column in range(first, last + 1):
            x, _ = self.centre(column, 1)
            if not low <= x < width + high:
                continue
            _, top = self.place(x, low)
            _, bottom = self.place(x, height + high)
            for row in range(top - 1, bottom + 2):
                _, y = self.centre(column, row)
                if low <= y < height + high:
                    yield column, row


def hex_name(column: int, row: int) -> str:
    """Return the name of a hex. What lies west of column A has a minus sign before its letters."""
    number = min(abs(column), MAX_COLUMNS - 1)
    return f"{'-' if column < 0 else ''}{column_name(number)}{row}"
