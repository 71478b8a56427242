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
from laager.vasl.colours.nearest import fill
from laager.vasl.colours.palette import NOTHING, ROADS, Meaning, Palette, code_of
from laager.vasl.colours.pixels import Pixels, room, told_by, translated
from laager.vasl.scenario.land import FARTHEST, strips

LOWEST, HIGHEST = -20, 60
FAR = 2000
"""How far away the level of a pixel is looked for: as far as pictures go."""
NEAR = 5
"""How far around a dot or a line the ground is looked for as VASL does, in pixels."""
BLOCK = 8
"""The side of blocks of pixels that are looked at as one first: longer than `NEAR`."""
DOTS = 0.15
"""The share of a picture up to which what has no meaning is dots and lines."""
HILLS = 0.0005
"""The share of a picture from which on a colour tells that there is a level."""
SPECKLED = 0.45
"""The share of its foreign neighbours from which on one other colour is what a colour speckles."""
COHERENT = 1.5
"""How many of its neighbours may be of the colour itself for each foreign one."""
COUNTED = 2_000_000
"""About how many pixels are looked at to see which colours lie next to which."""
UNTOLD = -128

Grid = NDArray[np.uint8]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Ground:
    """The pixels of a picture as ground, by x, then y; `meanings` are those of the picture's colours."""

    data: LosData
    meanings: tuple[Meaning, ...]


def ground_of(pixels: Pixels, meanings: tuple[Meaning, ...]) -> Ground:
    """Return the ground that a picture shows, by what its colours mean."""
    codes = _codes(pixels, meanings)
    levels = _levels(pixels, meanings, codes)
    return Ground(LosData(0, 0, levels.view(np.int8), codes, frozenset()), meanings)


def meanings_of(pixels: Pixels, palette: Palette) -> tuple[Meaning, ...]:
    """Return what each colour of a picture is taken for.

    An unknown colour that only speckles another, as grass is speckled, means what that one does; else it means what
    the colour most like it does.
    """
    found = _without_hills(pixels, _taken_for(pixels, palette))
    for at, colour in enumerate(pixels.colours):
        if colour in palette.right:
            found[at] = replace(found[at], origin="legend")
    return tuple(found)


def _without_hills(pixels: Pixels, found: list[Meaning]) -> list[Meaning]:
    """Return meanings without levels at a guess, unless colours that are sure tell them: a brown roof makes no hill."""
    sure = {
        one.level
        for at, one in enumerate(found)
        if one.level is not None and one.origin != "guess" and pixels.share(at) >= HILLS
    }
    if not sure:
        return found
    return [replace(one, level=None) if one.origin == "guess" and one.level not in sure else one for one in found]


def _taken_for(pixels: Pixels, palette: Palette) -> list[Meaning]:
    found = [palette.meaning(colour, pixels.share(at)) for at, colour in enumerate(pixels.colours)]
    unknown = [at for at, one in enumerate(found) if one is NOTHING and pixels.counts[at]]
    if not unknown:
        return found
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
    return found


def _beside(pixels: Pixels) -> NDArray[np.int64]:
    """Return how often each colour lies next to each other one, across and down, in a part of the picture's lines."""
    lines = pixels.numbers.T
    found = np.zeros(256 * 256, np.int64)
    step = max(1, lines.size // COUNTED)
    for one, other in ((lines[1::step], lines[:-1:step]), (lines[::step, 1:], lines[::step, :-1])):
        for part in strips(one):
            pairs = one[part].astype(np.uint16) << 8 | other[part]
            found += np.bincount(pairs.ravel(), minlength=256 * 256)
    counts = found.reshape(256, 256)
    return counts + counts.T


def _codes(pixels: Pixels, meanings: tuple[Meaning, ...]) -> Grid:
    """Return the code of each pixel's terrain: by its colour, else that of what lies around it."""
    by_colour = np.array([code_of(one) for one in meanings], np.int16)
    known = by_colour >= 0
    table = np.where(known, by_colour, by_name("Open Ground").code).astype(np.uint8)
    codes = translated(pixels.numbers, table)
    missing = int(pixels.counts[~known].sum())
    if not missing:
        return codes
    if missing <= DOTS * codes.size:
        # What fills its whole hex does not spread: next to an orchard's trees is open ground.
        sources = known & ~np.array([one.inherent for one in terrains()])[table]
        far = _from_around(codes, pixels, table, ~known, sources)
        if far is not None:
            fill(codes, far.T.__getitem__, FARTHEST)
    else:
        fill(codes, lambda rows: told_by(pixels.numbers.T[rows], ~known).view(np.bool_), FARTHEST)
    return codes


def _levels(pixels: Pixels, meanings: tuple[Meaning, ...], codes: Grid) -> Grid:
    """Return the level of each pixel: by its colour, else the nearest that one tells; sunk ground is a level lower."""
    # A road lies on the ground next to it: boards borrow the colours of roads on other levels.
    by_colour = np.array([UNTOLD if one.terrain in ROADS else _level(one) for one in meanings], np.int16)
    silent = by_colour == UNTOLD
    sunk = np.array([one.category == "depression" for one in terrains()])
    levels = translated(pixels.numbers, np.where(silent, 0, by_colour).astype(np.int8))
    there = set(by_colour[~silent & (pixels.counts > 0)].tolist())
    if len(there) == 1:
        levels[...] = np.int8(there.pop()).view(np.uint8)
    elif there:

        def untold(rows: slice) -> Mask:
            return (told_by(pixels.numbers.T[rows], silent) | told_by(codes.T[rows], sunk)).view(np.bool_)

        fill(levels, untold, FAR)
    for part in strips(codes.T):
        levels.T[part] -= told_by(codes.T[part], sunk)
    return levels


def _level(meaning: Meaning) -> int:
    return UNTOLD if meaning.level is None else min(max(meaning.level, LOWEST), HIGHEST)


def _from_around(codes: Grid, pixels: Pixels, table: Grid, wanted: Mask, sources: Mask) -> Mask | None:
    """Give pixels of wanted colours the code of the nearest pixel of a source's colour within `NEAR`.

    `table` has the code of each colour. Of equally near pixels the western counts, then the northern, as in VASL.
    Returns which have none; None if all have.
    """
    width, height = codes.shape
    numbers = pixels.numbers.T.ravel()
    flat = codes.T.ravel()
    assert np.shares_memory(flat, codes)
    far: Mask | None = None
    reach = _reach(pixels.numbers.T, sources)
    for part in strips(codes.T):
        start = part.start * width
        left = (np.flatnonzero(wanted[numbers[start : part.stop * width]]) + start).astype(np.int32)
        x = (left % width).astype(np.uint16)
        near = reach[left // np.int32(BLOCK * width), x // BLOCK]
        if not near.all():
            far = room((height, width)).view(np.bool_).T if far is None else far
            far.T.reshape(-1)[left[~near]] = True
            left, x = left[near], x[near]
        for across, down in _rings():
            if not len(left):
                break
            near = left + np.int32(down * width + across)
            colour = numbers.take(near, mode="clip")
            there = sources[colour]
            if across:
                # West of 0 lies 65535, farther than any picture reaches.
                there &= x + np.uint16(across % 65536) < width
            if down and (part.start < NEAR or part.stop > height - NEAR):
                there &= (near >= 0) & (near < flat.size)
            flat[left[there]] = table[colour[there]]
            rest = ~there
            left, x = left[rest], x[rest]
        if len(left):
            far = room((height, width)).view(np.bool_).T if far is None else far
            far.T.reshape(-1)[left] = True
    return far


def _reach(lines: Grid, sources: Mask) -> Mask:
    """Return for blocks of a picture's pixels whether a source is in them, or in one around them."""
    height, width = lines.shape
    there = np.zeros((-(-height // BLOCK) + 2, -(-width // BLOCK) + 2), np.bool_)
    table, across = sources.view(np.uint8), np.arange(0, width, BLOCK)
    step = BLOCK * max(1, 2**18 // (BLOCK * width))
    for top in range(0, height, step):
        found = told_by(lines[top : top + step], table)
        down = np.maximum.reduceat(found, np.arange(0, len(found), BLOCK), axis=0)
        first = 1 + top // BLOCK
        there[first : first + len(down), 1:-1] = np.maximum.reduceat(down, across, axis=1)
    there |= np.roll(there, 1, 0) | np.roll(there, -1, 0)
    there |= np.roll(there, 1, 1) | np.roll(there, -1, 1)
    return there[1:-1, 1:-1]


@cache
def _rings() -> tuple[tuple[int, int], ...]:
    """Return the steps to the pixels around one: ring by ring a pixel wide, from west to east, north to south."""
    around = range(-NEAR, NEAR + 1)
    apart = {(x, y): hypot(x, y) for x in around for y in around}
    rings = {step: int(np.ceil(far)) for step, far in apart.items() if 0 < far <= NEAR}
    return tuple(sorted(rings, key=lambda step: (rings[step], *step)))
