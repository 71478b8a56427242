"""Work on the pixels of a picture strip by strip: large boards fill the memory."""

from __future__ import annotations

from collections.abc import Iterator
from mmap import mmap

import numpy as np
from numpy.typing import NDArray

STRIP = 2**17
"""Pixels of a strip, about; more would need much extra memory."""


def strips(array: NDArray[np.generic]) -> Iterator[slice]:
    """Yield parts of the first axis, one after the other, of about `STRIP` elements each."""
    step = max(1, STRIP // max(1, array.shape[1]))
    for start in range(0, array.shape[0], step):
        yield slice(start, min(start + step, array.shape[0]))


def allocate(shape: tuple[int, ...], bytes_each: int = 1) -> NDArray[np.uint8]:
    """Return memory for a picture's pixels that goes back to the system as soon as nobody needs it.

    What the C library frees between smaller things stays with the process.
    """
    size = shape[0] * shape[1] * bytes_each
    return np.frombuffer(mmap(-1, size), np.uint8, size).reshape(shape[0], -1)


def look_up(strip: NDArray[np.uint8], table: NDArray[np.generic]) -> NDArray[np.uint8]:
    """Return what a table of 256 values of one byte has for each pixel of a strip."""
    return np.frombuffer(strip.tobytes().translate(table.tobytes()), np.uint8).reshape(strip.shape)


def look_up_all(numbers: NDArray[np.uint8], table: NDArray[np.generic]) -> NDArray[np.uint8]:
    """Return what a table of 256 values of one byte has for each pixel (by x, then y).

    Strip by strip: NumPy's own way makes an index of eight bytes for each pixel first.
    """
    lines = numbers.T
    values = allocate(lines.shape)
    for part in strips(lines):
        values[part] = look_up(lines[part], table)
    return values.T
