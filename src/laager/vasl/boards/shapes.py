"""The pixels of a hex: the box around it in the picture, and which pixels in it are its own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from laager.vasl.boards.crossings import HexPoints, polygon_mask

Window = tuple[tuple[slice, slice], NDArray[np.bool_]]


def hex_windows(points: HexPoints, size: tuple[int, int], hexes: Iterable[int] | None = None) -> Iterator[Window]:
    """Yield the box around each hex, by x and y, and the mask of its pixels in it; all hexes if none are named."""
    low, high = points.corners.min(axis=1), points.corners.max(axis=1)
    shapes = points.corners - low[:, None]
    first = np.maximum(low, 0)
    last = np.maximum(np.minimum(high, size), first)
    boxes = np.concatenate([first, last], axis=1).tolist()
    cuts = np.concatenate([first - low, last - low], axis=1).tolist()
    is_cut = ((first != low) | (last != high)).any(axis=1).tolist()
    masks: dict[bytes, NDArray[np.bool_]] = {}
    for at in range(len(points.spots)) if hexes is None else hexes:
        key = shapes[at].tobytes()
        if key not in masks:
            masks[key] = polygon_mask(shapes[at])
        mask = masks[key]
        if is_cut[at]:
            left, top, right, bottom = cuts[at]
            mask = mask[left:right, top:bottom]
        left, top, right, bottom = boxes[at]
        yield (slice(left, right), slice(top, bottom)), mask
