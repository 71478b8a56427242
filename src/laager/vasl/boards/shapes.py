"""The pixels of a hex: the box around it in the picture, which pixels in it are its own, and what is counted there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from laager.vasl.boards.crossings import HexPoints, polygon_mask

Window = tuple[tuple[slice, slice], NDArray[np.bool_]]
_AT_ONCE = 256
"""Hexes whose pixels are counted at once."""


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


def count_in_hexes(pixels: NDArray[np.uint8], points: HexPoints, kinds: int, step: int) -> NDArray[np.int32]:
    """Return how often each kind of pixel is in each hex: a row for each hex, a column for each of `kinds`.

    Only every `step`th pixel each way counts. Hexes of one shape that lie whole in the picture are counted together.
    """
    counts = np.zeros((len(points.spots), kinds), np.int32)
    low, high = points.corners.min(axis=1), points.corners.max(axis=1)
    is_whole = ((low >= 0) & (high <= pixels.shape)).all(axis=1) & pixels.flags.forc
    shapes, shape_of = np.unique((points.corners - low[:, None]).reshape(len(low), 12), axis=0, return_inverse=True)
    # The place of a pixel in memory, by its x and y.
    places = np.array(pixels.strides)
    flat = pixels.ravel(order="K")
    for number, shape in enumerate(shapes):
        inside = np.argwhere(polygon_mask(shape.reshape(-1, 2))[::step, ::step]) * step @ places
        hexes = np.flatnonzero(is_whole & (shape_of.ravel() == number))
        for start in range(0, len(hexes), _AT_ONCE):
            some = hexes[start : start + _AT_ONCE]
            kind = flat.take((low[some] @ places)[:, None] + inside).astype(np.int64)
            kind += kinds * np.arange(len(some))[:, None]
            counts[some] = np.bincount(kind.ravel(), minlength=kinds * len(some)).reshape(-1, kinds)
    cut = np.flatnonzero(~is_whole).tolist()
    for at, (box, mask) in zip(cut, hex_windows(points, pixels.shape, cut), strict=True):
        counts[at] = np.bincount(pixels[box][::step, ::step][mask[::step, ::step]], minlength=kinds)
    return counts
