"""Ground under dots, numbers and hex lines: that of the nearest pixels, as VASL has it."""

from __future__ import annotations

from functools import cache
from math import hypot

import numpy as np
from numpy.typing import NDArray

from laager.vasl.boards.strips import look_up, strips

NEAR = 5
"""Farthest pixel that gives its ground to a dot or a line."""
BLANK = 255
"""Stands for no code: VASL has fewer."""

Grid = NDArray[np.uint8]
Mask = NDArray[np.bool_]


def fill_gaps(codes: Grid, sources: Grid | None = None) -> bool:
    """Give pixels that are `BLANK` (by x, then y) the code of the nearest pixel within `NEAR`; True if some stay so.

    Of equally near pixels the western counts, then the northern, as in VASL. `sources` is a table with `BLANK` for the
    codes that do not spread.
    """
    lines = codes.T
    height, width = lines.shape
    blank = False
    above = np.full((NEAR, width), BLANK, np.uint8)
    for part in strips(lines):
        # A frame of nothing around all, so that steps over the edge find nothing.
        framed = np.full((part.stop - part.start + 2 * NEAR, width + 2 * NEAR), BLANK, np.uint8)
        below = min(part.stop + NEAR, height)
        inner = framed[:, NEAR:-NEAR]
        # The lines above have changed since.
        inner[:NEAR] = above
        inner[NEAR : NEAR + below - part.start] = lines[part.start : below]
        above = inner[-2 * NEAR : -NEAR].copy()
        wanted = lines[part] == BLANK
        if not wanted.any():
            continue
        if sources is not None:
            framed = look_up(framed, sources)
        near = wanted & _has_code_near(framed)
        _copy_nearest(framed, lines[part], near)
        blank = blank or bool((lines[part] == BLANK).any())
    return blank


def _copy_nearest(around: Grid, lines: Grid, near: Mask) -> None:
    """Give the pixels of lines in `near` the nearest code of `around`, which has a frame of `NEAR` pixels."""
    width, row = lines.shape[1], around.shape[1]
    flat, values = around.ravel(), lines.reshape(-1)
    pixels = np.flatnonzero(near).astype(np.int32)
    positions = pixels + (pixels // np.int32(width)) * np.int32(2 * NEAR) + np.int32(NEAR * row + NEAR)
    for across, down in _steps_outward():
        if not len(positions):
            break
        codes = flat.take(positions + np.int32(down * row + across))
        has_code = codes != BLANK
        values[pixels[has_code]] = codes[has_code]
        rest = ~has_code
        pixels, positions = pixels[rest], positions[rest]


def _has_code_near(framed: Grid) -> Mask:
    """Return for each pixel within the frame if any code lies in the square of pixels up to `NEAR` away."""
    near: Mask = framed != BLANK
    # Of two pixels, of four, of eight, of all eleven.
    steps = (1, 2, 4, 2 * NEAR - 7)
    for step in steps:
        near = near[:, step:] | near[:, :-step]
    for step in steps:
        near = near[step:] | near[:-step]
    return near


@cache
def _steps_outward() -> tuple[tuple[int, int], ...]:
    """Return the steps to the pixels around one: ring by ring a pixel wide, from west to east, north to south."""
    around = range(-NEAR, NEAR + 1)
    apart = {(x, y): hypot(x, y) for x in around for y in around}
    rings = {step: int(np.ceil(far)) for step, far in apart.items() if 0 < far <= NEAR}
    return tuple(sorted(rings, key=lambda step: (rings[step], *step)))
