"""Ground out of a picture: every pixel's terrain and level by its colour.

What is drawn over the ground (hex lines, dots, numbers) counts as what lies next to it. Levels come from the
colours that tell one; woods, roads and buildings without one lie on the level around them. The steps from pixels to
hexes are those for boards with LOS data.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from laager.vasl.boards.losdata import LosData, by_name, terrains
from laager.vasl.colours.around import BLANK, from_around
from laager.vasl.colours.nearest import fill
from laager.vasl.colours.palette import NOTHING, ROADS, Meaning, Palette, code_of
from laager.vasl.colours.pixels import Pixels, told_by, translated
from laager.vasl.scenario.land import FARTHEST, strips

LOWEST, HIGHEST = -20, 60
FAR = 2000
"""How far away the level of a pixel is looked for: as far as pictures go."""
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
    """The terrain codes of a picture's pixels, by x, then y; `meanings` are those of the picture's colours."""

    codes: Grid
    meanings: tuple[Meaning, ...]


def ground_of(pixels: Pixels, meanings: tuple[Meaning, ...]) -> Ground:
    """Return the ground that a picture shows, by what its colours mean."""
    return Ground(_codes(pixels, meanings), meanings)


def with_heights(ground: Ground, pixels: Pixels) -> LosData:
    """Return ground with the levels that a picture shows. They take the place of its colours in the memory."""
    levels = _levels(pixels, ground.meanings, ground.codes)
    return LosData(0, 0, levels.view(np.int8), ground.codes, frozenset())


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
    codes = translated(pixels.numbers, np.where(known, by_colour, BLANK).astype(np.uint8))
    missing = int(pixels.counts[~known].sum())
    if not missing:
        return codes
    blank = True
    if missing <= DOTS * codes.size:
        # What fills its whole hex does not spread: next to an orchard's trees is open ground.
        fills = np.array([one.inherent for one in terrains()])
        there = fills[by_colour[known & (pixels.counts > 0)]].any()
        blank = from_around(codes, np.where(fills, BLANK, np.arange(256)).astype(np.uint8) if there else None)
    if blank:
        fill(codes, lambda rows: codes.T[rows] == BLANK, FARTHEST)
        _replace(codes, BLANK, by_name("Open Ground").code)
    return codes


def _levels(pixels: Pixels, meanings: tuple[Meaning, ...], codes: Grid) -> Grid:
    """Return the level of each pixel: by its colour, else the nearest that one tells; sunk ground is a level lower."""
    # A road lies on the ground next to it: boards borrow the colours of roads on other levels.
    by_colour = np.array([UNTOLD if one.terrain in ROADS else _level(one) for one in meanings], np.int16)
    sunk = np.array([one.category == "depression" for one in terrains()])
    deep = any(sunk[code_of(one)] for one, count in zip(meanings, pixels.counts, strict=True) if count and one.terrain)
    there = set(by_colour[(by_colour != UNTOLD) & (pixels.counts > 0)].tolist())
    alone = there.pop() if len(there) == 1 else 0
    levels, untold = pixels.numbers, np.int8(UNTOLD).view(np.uint8)
    table = by_colour.astype(np.int8) if there else np.full(256, alone, np.int8)
    for part in strips(levels.T):
        levels.T[part] = told_by(levels.T[part], table)
    if there:

        def silent(rows: slice) -> Mask:
            found: Mask = levels.T[rows] == untold
            if deep:
                found |= told_by(codes.T[rows], sunk).view(np.bool_)
            return found

        fill(levels, silent, FAR)
        _replace(levels, untold, np.uint8(0))
    for part in strips(codes.T) if deep else ():
        levels.T[part] -= told_by(codes.T[part], sunk)
    return levels


def _replace(values: Grid, old: np.uint8 | int, new: np.uint8 | int) -> None:
    """Make one value another."""
    for part in strips(values.T):
        lines = values.T[part]
        lines[lines == old] = new


def _level(meaning: Meaning) -> int:
    return UNTOLD if meaning.level is None else min(max(meaning.level, LOWEST), HIGHEST)
