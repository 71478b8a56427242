"""The pixels of a hex: the box around it in the picture, and which pixels in it are its own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from laager.vasl.boards.crossings import HexPoints, polygon_mask

Window = tuple[tuple[slice, slice], NDArray[np.bool_]]


def hex_windows(points: HexPoints, size: tuple[int, int], hexes: Iterable[int] | None = None) -> Iterator[Window]:
    """Yield the box around each hex, by x and y, and the mask of its pixels in it; all hexes if none are named."""
    corners_low, corners_high = points.corners.min(axis=1), points.corners.max(axis=1)
    shapes = points.corners - corners_low[:, None]
    low, high = corners_low.tolist(), corners_high.tolist()
    masks: dict[bytes, NDArray[np.bool_]] = {}
    for at in range(len(points.spots)) if hexes is None else hexes:
        key = shapes[at].tobytes()
        if key not in masks:
            masks[key] = polygon_mask(shapes[at])
        (left, top), (right, bottom) = low[at], high[at]
        x1, y1, x2, y2 = max(left, 0), max(top, 0), min(right, size[0]), min(bottom, size[1])
        x2, y2 = max(x1, x2), max(y1, y2)
        yield (slice(x1, x2), slice(y1, y2)), masks[key][x1 - left : x2 - left, y1 - top : y2 - top]
