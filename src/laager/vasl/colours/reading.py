"""Ground out of a picture: every pixel's terrain and level by its colour.

What is drawn over the ground (hex lines, dots, numbers) counts as what lies next to it. Levels come from the
colours that tell one; woods, roads and buildings without one lie on the level around them. The steps from pixels to
hexes are those for boards with LOS data.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from math import hypot

import numpy as np
from numpy.typing import NDArray

from laager.vasl.boards.losdata import LosData, by_name, terrains
from laager.vasl.colours.palette import NOTHING, Meaning, Palette, code_of
from laager.vasl.colours.pixels import Pixels
from laager.vasl.scenario.land import spread, strips

LOWEST, HIGHEST = -20, 60
FAR = 2000
"""How far away the level of a pixel is looked for: as far as pictures go."""
NEAR = 5
"""How far around a dot or a line the ground is looked for as VASL does, in pixels."""
DOTS = 0.15
"""The share of a picture up to which what has no meaning is dots and lines."""
HILLS = 0.0005
"""The share of a picture from which on open ground above or below level 0 makes it a board with hills or valleys."""
SPECKLED = 0.45
"""The share of its foreign neighbours from which on one other colour is what a colour speckles."""
COHERENT = 1.5
"""How many of its neighbours may be of the colour itself for each foreign one."""
UNTOLD = -128
_ROADS = frozenset({"Dirt Road", "Paved Road"})

Grid = NDArray[np.uint8]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Ground:
    """The pixels of a picture as ground, by x, then y; `meanings` are those of the picture's colours."""

    data: LosData
    meanings: tuple[Meaning, ...]


def ground_of(pixels: Pixels, palette: Palette) -> Ground:
    """Return the ground that a picture shows."""
    meanings = meanings_of(pixels, palette)
    codes = _codes(pixels, meanings)
    sunk = np.array([one.category == "depression" for one in terrains()])[codes]
    levels = _levels(pixels, meanings, sunk)
    levels[sunk] -= 1
    return Ground(LosData(0, 0, levels, codes, frozenset()), meanings)


def meanings_of(pixels: Pixels, palette: Palette) -> tuple[Meaning, ...]:
    """Return what each colour of a picture is taken for.

    An unknown colour that only speckles another, as grass is speckled, means what that one does; else it means what
    the colour most like it does.
    """
    found = [palette.meaning(colour, pixels.share(at)) for at, colour in enumerate(pixels.colours)]
    unknown = [at for at, one in enumerate(found) if one is NOTHING and pixels.counts[at]]
    if not unknown:
        return tuple(found)
    beside = _beside(pixels)
    for at in sorted(unknown, key=lambda at: -int(pixels.counts[at])):
        found[at] = palette.like(pixels.colours[at], pixels.share(at))
        others = beside[at].copy()
        own, others[at] = int(others[at]), 0
        around = int(others.argmax())
        alone = max(int(others.sum()), 1)
        speckles = own < COHERENT * alone and others[around] >= SPECKLED * alone
        drawn = found[at].origin == "alike" and found[at].terrain is None
        if speckles and not drawn and pixels.counts[around] > pixels.counts[at] and found[around].terrain is not None:
            found[at] = replace(found[around], origin="texture")
    return tuple(found)


def _beside(pixels: Pixels) -> NDArray[np.int64]:
    """Return how often each colour lies next to each other one, across and down."""
    numbers = pixels.numbers
    found = np.zeros(256 * 256, np.int64)
    for one, other in ((numbers[1:], numbers[:-1]), (numbers[:, 1:], numbers[:, :-1])):
        for part in strips(one):
            pairs = one[part].astype(np.uint16) << 8 | other[part]
            found += np.bincount(pairs.ravel(), minlength=256 * 256)
    counts = found.reshape(256, 256)
    return counts + counts.T


def _codes(pixels: Pixels, meanings: tuple[Meaning, ...]) -> Grid:
    by_colour = np.array([code_of(one) for one in meanings], np.int16)
    known = (by_colour >= 0)[pixels.numbers]
    codes: Grid = np.where(by_colour >= 0, by_colour, 0).astype(np.uint8)[pixels.numbers]
    # What fills its whole hex does not spread: next to an orchard's trees is open ground.
    sources = known & ~np.array([one.inherent for one in terrains()])[codes]
    missing = ~known
    if missing.sum() <= DOTS * missing.size:
        missing = _from_around(codes, missing, sources)
    if missing.any():
        codes[missing] = by_name("Open Ground").code
        spread(~missing, missing, (codes,))
    return codes


def _levels(pixels: Pixels, meanings: tuple[Meaning, ...], sunk: Mask) -> NDArray[np.int8]:
    hilly = any(
        one.terrain == "Open Ground" and one.level and pixels.share(at) >= HILLS for at, one in enumerate(meanings)
    )
    # Some flat boards borrow the colour of a road on a hill.
    by_colour = np.array([_level(one) if hilly or one.terrain not in _ROADS else UNTOLD for one in meanings], np.int16)
    told = (by_colour != UNTOLD)[pixels.numbers] & ~sunk
    levels: NDArray[np.int8] = np.where(by_colour == UNTOLD, 0, by_colour).astype(np.int8)[pixels.numbers]
    if told.any():
        spread(told, ~told, (levels,), FAR)
    return levels


def _level(meaning: Meaning) -> int:
    return UNTOLD if meaning.level is None else min(max(meaning.level, LOWEST), HIGHEST)


def _from_around(values: NDArray[np.generic], wanted: Mask, sources: Mask) -> Mask:
    """Give wanted pixels the value of the nearest source within `NEAR`; return those that have none.

    Of equally near ones the western counts, then the northern, as in VASL.
    """
    width, height = values.shape
    missing = wanted.copy()
    x, y = np.nonzero(wanted)
    found = np.zeros(len(x), values.dtype)
    left = np.arange(len(x))
    for across, down in _rings():
        if not len(left):
            break
        px, py = x[left] + across, y[left] + down
        inside = (px >= 0) & (px < width) & (py >= 0) & (py < height)
        there = np.zeros(len(left), np.bool_)
        there[inside] = sources[px[inside], py[inside]]
        found[left[there]] = values[px[there], py[there]]
        left = left[~there]
    settled = np.ones(len(x), np.bool_)
    settled[left] = False
    values[x[settled], y[settled]] = found[settled]
    missing[x[settled], y[settled]] = False
    return missing


@cache
def _rings() -> tuple[tuple[int, int], ...]:
    """Return the steps to the pixels around one: ring by ring a pixel wide, from west to east, north to south."""
    around = range(-NEAR, NEAR + 1)
    apart = {(x, y): hypot(x, y) for x in around for y in around}
    rings = {step: int(np.ceil(far)) for step, far in apart.items() if 0 < far <= NEAR}
    return tuple(sorted(rings, key=lambda step: (rings[step], *step)))
