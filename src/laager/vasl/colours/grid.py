"""Where the hexes of a board lie that is no more than a picture and a grid."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from laager.vasl.boards.board import BoardHex
from laager.vasl.boards.crossings import Points, points_around
from laager.vasl.boards.layout import Geometry

_STEPS = ((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1))
"""The neighbour across each side: columns to the east, half hexes to the south."""


def points_on(hexes: Sequence[BoardHex], geometry: Geometry, size: tuple[int, int]) -> Points:
    """Return where hexes lie in a picture of such a size."""
    spots = tuple((one.column, one.row) for one in hexes)
    low = 0 if geometry.alternate else 1
    heights = [(column, 2 * row + (column % 2 == low)) for column, row in spots]
    number = {place: i for i, place in enumerate(heights)}
    near = np.array(
        [[number.get((column + x, y + down), -1) for x, down in _STEPS] for column, y in heights], np.int64
    ).reshape(len(spots), 6)
    exact = np.array([one.exact for one in hexes], np.float64)
    return points_around(spots, exact, geometry, size, near, np.ones(near.shape, np.bool_))
