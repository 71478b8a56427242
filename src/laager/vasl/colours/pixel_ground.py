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
from laager.vasl.boards.strips import look_up, look_up_all, strips
from laager.vasl.colours.gaps import BLANK, fill_gaps
from laager.vasl.colours.nearest import fill_from_nearest
from laager.vasl.colours.palette import NOTHING, ROADS, Meaning, Palette, terrain_code
from laager.vasl.colours.pixels import Pixels

LOWEST, HIGHEST = -20, 60
HEX_WIDTH = 60
"""Farthest pixel that gives another its terrain: about a hex, more than a number is wide."""
FAR = 2000
"""Farthest pixel that gives another its level: as far as pictures go."""
DOTS = 0.15
"""Largest share of a picture that pixels without a meaning can cover as dots and lines."""
HILLS = 0.0005
"""Share of a picture that a colour must cover for its level to be believed."""
SPECKLED = 0.45
"""Share of its foreign neighbours that one other colour must have to be what a colour speckles."""
COHERENT = 1.5
"""Most neighbours of the colour itself for each foreign one, for a colour that speckles another."""
COUNTED = 2_000_000
"""Pixels, about, that are looked at to see which colours lie next to which."""
UNTOLD = -128

Grid = NDArray[np.uint8]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class PixelGround:
    """The terrain codes of a picture's pixels, by x, then y; `meanings` are those of the picture's colours."""

    codes: Grid
    meanings: tuple[Meaning, ...]


def read_ground(pixels: Pixels, meanings: tuple[Meaning, ...]) -> PixelGround:
    """Return the ground that a picture shows, by what its colours mean."""
    return PixelGround(_terrain_codes(pixels, meanings), meanings)


def add_levels(ground: PixelGround, pixels: Pixels) -> LosData:
    """Return ground with the levels that a picture shows. They overwrite its colours in memory."""
    levels = _pixel_levels(pixels, ground.meanings, ground.codes)
    return LosData(0, 0, levels.view(np.int8), ground.codes, frozenset())


def find_meanings(pixels: Pixels, palette: Palette) -> tuple[Meaning, ...]:
    """Return what each colour of a picture is taken for.

    An unknown colour that only speckles another, as grass is speckled, means what that one does; else it means what
    the colour most like it does. On a painted board, where hardly any colour is known, likeness is chance: there the
    commonest colours are Open Ground, and the rest stay unknown.
    """
    meanings = _drop_guessed_levels(pixels, _guess_meanings(pixels, palette))
    for at, colour in enumerate(pixels.colours):
        if colour in palette.right:
            meanings[at] = replace(meanings[at], origin="legend")
    return tuple(meanings)


def _drop_guessed_levels(pixels: Pixels, meanings: list[Meaning]) -> list[Meaning]:
    """Return meanings without levels at a guess, unless colours that are sure tell them: a brown roof makes no hill."""
    sure = {
        meaning.level
        for at, meaning in enumerate(meanings)
        if meaning.level is not None and meaning.origin != "guess" and pixels.share(at) >= HILLS
    }
    if not sure:
        return meanings
    return [
        replace(meaning, level=None) if meaning.origin == "guess" and meaning.level not in sure else meaning
        for meaning in meanings
    ]


def _guess_meanings(pixels: Pixels, palette: Palette) -> list[Meaning]:
    meanings = [palette.meaning(colour, pixels.share(at)) for at, colour in enumerate(pixels.colours)]
    unknown = [at for at, meaning in enumerate(meanings) if meaning is NOTHING and pixels.counts[at]]
    if not unknown:
        return meanings
    neighbours = _count_neighbours(pixels)
    ground = palette.find_painted_ground(pixels.colours, pixels.counts)
    for at in sorted(unknown, key=lambda at: -int(pixels.counts[at])):
        meanings[at] = palette.most_similar(pixels.colours[at], pixels.share(at))
        if ground is not None and meanings[at].terrain is not None and not palette.is_close(pixels.colours[at]):
            meanings[at] = Meaning("Open Ground", None, "guess") if at in ground else NOTHING
        pairs = neighbours[at].copy()
        own_pairs, pairs[at] = int(pairs[at]), 0
        neighbour = int(pairs.argmax())
        foreign_pairs = max(int(pairs.sum()), 1)
        speckles = own_pairs < COHERENT * foreign_pairs and pairs[neighbour] >= SPECKLED * foreign_pairs
        drawn = meanings[at].origin == "alike" and meanings[at].terrain is None
        if (
            speckles
            and not drawn
            and pixels.counts[neighbour] > pixels.counts[at]
            and meanings[neighbour].terrain is not None
        ):
            meanings[at] = replace(meanings[neighbour], origin="texture")
    return meanings


def _count_neighbours(pixels: Pixels) -> NDArray[np.int64]:
    """Return how often each colour lies next to each other one, across and down, in a part of the picture's lines."""
    lines = pixels.numbers.T
    counts = np.zeros(256 * 256, np.int64)
    step = max(1, lines.size // COUNTED)
    for first, second in ((lines[1::step], lines[:-1:step]), (lines[::step, 1:], lines[::step, :-1])):
        for part in strips(first):
            pairs = first[part].astype(np.uint16) << 8 | second[part]
            counts += np.bincount(pairs.ravel(), minlength=256 * 256)
    pairs_of_colours = counts.reshape(256, 256)
    return pairs_of_colours + pairs_of_colours.T


def _terrain_codes(pixels: Pixels, meanings: tuple[Meaning, ...]) -> Grid:
    """Return the code of each pixel's terrain: by its colour, else that of what lies around it."""
    by_colour = np.array([terrain_code(meaning) for meaning in meanings], np.int16)
    known = by_colour >= 0
    codes = look_up_all(pixels.numbers, np.where(known, by_colour, BLANK).astype(np.uint8))
    missing = int(pixels.counts[~known].sum())
    if not missing:
        return codes
    blank = True
    if missing <= DOTS * codes.size:
        # What fills its whole hex does not spread: next to an orchard's trees is open ground.
        fills = np.array([terrain.inherent for terrain in terrains()])
        has_inherent = fills[by_colour[known & (pixels.counts > 0)]].any()
        blank = fill_gaps(codes, np.where(fills, BLANK, np.arange(256)).astype(np.uint8) if has_inherent else None)
    if blank:
        fill_from_nearest(codes, lambda rows: codes.T[rows] == BLANK, HEX_WIDTH)
        _replace(codes, BLANK, by_name("Open Ground").code)
    return codes


def _pixel_levels(pixels: Pixels, meanings: tuple[Meaning, ...], codes: Grid) -> Grid:
    """Return the level of each pixel: by its colour, else the nearest that one tells; sunk ground is a level lower."""
    # A road lies on the ground next to it: boards borrow the colours of roads on other levels.
    by_colour = np.array(
        [UNTOLD if meaning.terrain in ROADS else _level_within_bounds(meaning) for meaning in meanings], np.int16
    )
    sunk = np.array([terrain.category == "depression" for terrain in terrains()])
    deep = any(
        sunk[terrain_code(meaning)]
        for meaning, count in zip(meanings, pixels.counts, strict=True)
        if count and meaning.terrain
    )
    told_levels = set(by_colour[(by_colour != UNTOLD) & (pixels.counts > 0)].tolist())
    only_level = told_levels.pop() if len(told_levels) == 1 else 0
    levels, silent_level = pixels.numbers, np.int8(UNTOLD).view(np.uint8)
    table = by_colour.astype(np.int8) if told_levels else np.full(256, only_level, np.int8)
    for part in strips(levels.T):
        levels.T[part] = look_up(levels.T[part], table)
    if told_levels:

        def is_silent(rows: slice) -> Mask:
            silent_pixels: Mask = levels.T[rows] == silent_level
            if deep:
                silent_pixels |= look_up(codes.T[rows], sunk).view(np.bool_)
            return silent_pixels

        fill_from_nearest(levels, is_silent, FAR)
        _replace(levels, silent_level, np.uint8(0))
    for part in strips(codes.T) if deep else ():
        levels.T[part] -= look_up(codes.T[part], sunk)
    return levels


def _replace(values: Grid, old: np.uint8 | int, new: np.uint8 | int) -> None:
    """Replace a value, strip by strip."""
    for part in strips(values.T):
        lines = values.T[part]
        lines[lines == old] = new


def _level_within_bounds(meaning: Meaning) -> int:
    return UNTOLD if meaning.level is None else min(max(meaning.level, LOWEST), HIGHEST)
