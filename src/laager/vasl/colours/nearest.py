"""Values from the nearest pixels that have one: the level of a wood, the ground under a road."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from laager.vasl.boards.strips import allocate, strips

_FAR = 2**29
"""The key of a pixel with no value in its line."""
_STRIP = 64
"""Columns in one step of the work."""
LARGE = 4_000_000
"""Pixels of a large picture: only every fourth is looked at each way, not every second, to save time."""

Keys = NDArray[np.int32]
Wanted = Callable[[slice], NDArray[np.bool_]]
"""Tells of some lines of a picture (by y, then x) which pixels are wanted: all at once would fill the memory."""


def fill_from_nearest(values: NDArray[np.uint8], wanted: Wanted, farthest: int) -> None:
    """Give wanted pixels of values (by x, then y) the value of the nearest other one, at most `farthest` pixels away.

    Steps go across and down. Of equally near values the smallest counts, by its byte.
    """
    lines = values.T
    every = 2 if lines.size < LARGE else 4
    keys = _distances_and_values(lines, wanted, every)
    limit = (farthest // every + 1) << 8
    step = max(1, 2**18 // max(1, lines.shape[1]) // every)
    for top in range(0, keys.shape[0], step):
        keys_here = keys[top : top + step]
        rows = slice(every * top, min(every * (top + step), lines.shape[0]))
        targets = wanted(rows)
        if not targets.any():
            continue
        size = (rows.stop - rows.start, lines.shape[1])
        reached = keys_here < limit
        if not reached.all():
            targets = targets & _enlarge(reached, size, every)
        np.copyto(lines[rows], _enlarge(keys_here.astype(np.uint8), size, every), where=targets)


def _enlarge(small: NDArray[Any], size: tuple[int, int], every: int) -> NDArray[Any]:
    """Return each pixel as a block of `every` by `every`, cut to a size."""
    return small.repeat(every, axis=1)[:, : size[1]].repeat(every, axis=0)[: size[0]]


def _distances_and_values(lines: NDArray[np.uint8], wanted: Wanted, every: int) -> Keys:
    """Return for each `every`th pixel each way the distance of the nearest known one, times 256, plus its value."""
    some = lines[::every, ::every]
    keys: Keys = allocate(some.shape, 4).view(np.int32)
    for part in strips(some):
        rows = slice(every * part.start, every * part.stop, every)
        keys[part] = some[part]
        keys[part][wanted(rows)[:, ::every]] = _FAR
    down = np.arange(keys.shape[0], dtype=np.int32)[:, None] << 8
    for left in range(0, keys.shape[1], _STRIP):
        _sweep(keys[:, left : left + _STRIP], down, 0)
    across = np.arange(keys.shape[1], dtype=np.int32)[None, :] << 8
    for part in strips(keys):
        _sweep(keys[part], across, 1)
    return keys


def _sweep(keys: Keys, steps: Keys, axis: int) -> None:
    """Spread known values both ways along an axis; each step adds 256 to the key."""
    back: Any = np.flip(keys + steps, axis)
    back = np.flip(np.minimum.accumulate(back, axis), axis) - steps
    keys -= steps
    np.minimum.accumulate(keys, axis, out=keys)
    keys += steps
    np.minimum(keys, back, out=keys)
