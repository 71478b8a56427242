"""Pictures of many colours in 256: as Pillow's fast octree chooses them, strip by strip.

Pillow itself needs eight bytes more for every pixel, and scanned boards have millions.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

MOST = 256
FINE, COARSE = 4, 2
"""Bits of each part of a colour by which colours are put into one bucket."""

Ints = NDArray[np.int64]
Strip = NDArray[np.uint8]
"""Lines of pixels in red, green and blue."""


def buckets(strip: Strip) -> NDArray[np.uint16]:
    """Return the fine bucket of each pixel."""
    high = (strip >> (8 - FINE)).astype(np.uint16)
    found: NDArray[np.uint16] = high[..., 0] << np.uint16(2 * FINE) | high[..., 1] << np.uint16(FINE) | high[..., 2]
    return found


def counted(strips: Iterable[Strip]) -> Ints:
    """Return for each fine bucket how many pixels are in it, and the sums of their red, green and blue."""
    size, low = 1 << 3 * FINE, (1 << 8 - FINE) - 1
    parts = np.zeros((3, size << 8 - FINE), np.int64)
    for strip in strips:
        key = buckets(strip).astype(np.uint32) << 8 - FINE
        for at in range(3):
            parts[at] += np.bincount((key | strip[..., at] & low).ravel(), minlength=parts.shape[1])
    by_low = parts.reshape(3, size, low + 1)
    found = np.zeros((size, 4), np.int64)
    found[:, 0] = by_low[0].sum(axis=1)
    for at in range(3):
        high = np.arange(size) >> (2 - at) * FINE & (1 << FINE) - 1
        found[:, 1 + at] = by_low[at] @ np.arange(low + 1) + (high << 8 - FINE) * found[:, 0]
    return found


def chosen(fine: Ints) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Return the colours for pixels that were counted, and the number of the colour of each fine bucket.

    The commonest fine buckets become colours of their own; what is left in coarse ones is one colour each.
    """
    coarse = np.zeros((1 << 3 * COARSE, 4), np.int64)
    np.add.at(coarse, _coarser(np.arange(len(fine))), fine)
    order = np.argsort(-fine[:, 0], kind="stable")
    few = min(int((coarse[:, 0] > 0).sum()), MOST)
    taken = 0
    while True:
        for own in order[taken : MOST - few]:
            if fine[own, 0]:
                coarse[_coarser(_at(_average(fine[own])))] -= fine[own]
        taken = MOST - few
        left = int((coarse[:, 0] > 0).sum())
        if few <= left:
            break
        few = left
    rest = np.argsort(-coarse[:, 0], kind="stable")[:few]
    colours = np.array([_average(one) for one in (*coarse[rest], *fine[order[:taken]])], np.uint8)
    table = np.zeros(len(coarse), np.int64)
    for number in reversed(range(few)):
        table[_coarser(_at(colours[number]))] = number
    numbers = table[_coarser(np.arange(len(fine)))]
    for number in reversed(range(few, MOST)):
        numbers[_at(colours[number])] = number
    return colours, numbers.astype(np.uint8)


def _average(bucket: Ints) -> NDArray[np.uint8]:
    """Return the average colour of a bucket, rounded down as Pillow does."""
    count = np.float32(bucket[0])
    if not count:
        return np.zeros(3, np.uint8)
    found: NDArray[np.uint8] = np.clip(bucket[1:].astype(np.float32) / count, 0, 255).astype(np.uint8)
    return found


def _at(colour: NDArray[np.uint8]) -> int:
    """Return the fine bucket of a colour."""
    return int(buckets(colour.reshape(1, 1, 3))[0, 0])


def _coarser(fine: Ints | int) -> Ints:
    """Return the coarse buckets that fine ones lie in."""
    parts = [np.asarray(fine) >> at * FINE + FINE - COARSE & (1 << COARSE) - 1 for at in (2, 1, 0)]
    found: Ints = parts[0] << 2 * COARSE | parts[1] << COARSE | parts[2]
    return found
