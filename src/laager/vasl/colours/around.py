"""What lies around dots, numbers and hex lines: the ground under them is that of the nearest pixels, as VASL has it."""

from __future__ import annotations

from functools import cache
from math import hypot

import numpy as np
from numpy.typing import NDArray

from laager.vasl.colours.pixels import told_by
from laager.vasl.scenario.land import strips

NEAR = 5
"""How far around a dot or a line the ground is looked for, in pixels."""
BLANK = 255
"""What stands for no code: VASL has fewer."""

Grid = NDArray[np.uint8]
Mask = NDArray[np.bool_]


def from_around(codes: Grid, sources: Grid | None = None) -> bool:
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
        around = np.full((part.stop - part.start + 2 * NEAR, width + 2 * NEAR), BLANK, np.uint8)
        below = min(part.stop + NEAR, height)
        inner = around[:, NEAR:-NEAR]
        # The lines above have changed since.
        inner[:NEAR] = above
        inner[NEAR : NEAR + below - part.start] = lines[part.start : below]
        above = inner[-2 * NEAR : -NEAR].copy()
        wanted = lines[part] == BLANK
        if not wanted.any():
            continue
        if sources is not None:
            around = told_by(around, sources)
        near = wanted & _reached(around)
        _put(around, lines[part], near)
        blank = blank or bool((lines[part] == BLANK).any())
    return blank


def _put(around: Grid, lines: Grid, near: Mask) -> None:
    """Give wanted pixels of lines what lies nearest around them; there is a frame of `NEAR` around what lies around."""
    width, row = lines.shape[1], around.shape[1]
    flat, found = around.ravel(), lines.reshape(-1)
    own = np.flatnonzero(near).astype(np.int32)
    left = own + (own // np.int32(width)) * np.int32(2 * NEAR) + np.int32(NEAR * row + NEAR)
    for across, down in _steps():
        if not len(left):
            break
        code = flat.take(left + np.int32(down * row + across))
        there = code != BLANK
        found[own[there]] = code[there]
        rest = ~there
        own, left = own[rest], left[rest]


def _reached(around: Grid) -> Mask:
    """Return for each pixel within the frame whether any code is in the square of pixels up to `NEAR` away."""
    found: Mask = around != BLANK
    # Of two pixels, of four, of eight, of all eleven.
    steps = (1, 2, 4, 2 * NEAR - 7)
    for step in steps:
        found = found[:, step:] | found[:, :-step]
    for step in steps:
        found = found[step:] | found[:-step]
    return found


@cache
def _steps() -> tuple[tuple[int, int], ...]:
    """Return the steps to the pixels around one: ring by ring a pixel wide, from west to east, north to south."""
    around = range(-NEAR, NEAR + 1)
    apart = {(x, y): hypot(x, y) for x in around for y in around}
    rings = {step: int(np.ceil(far)) for step, far in apart.items() if 0 < far <= NEAR}
    return tuple(sorted(rings, key=lambda step: (rings[step], *step)))
