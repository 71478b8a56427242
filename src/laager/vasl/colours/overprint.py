"""What is printed over hexes, such as a compass rose, a title or an arrow: colours that are in one place only.

Hexes are compared with those of the same ground. A colour without a sure meaning that covers more of a few hexes side
by side than it does of others, and is nowhere else, is print, or terrain that the board has once. A person can tell.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from laager.vasl.boards.crossings import HexPoints
from laager.vasl.colours.alike import cells_of_colours, count_colours, points_within
from laager.vasl.colours.pixel_ground import PixelGround
from laager.vasl.colours.pixels import Pixels

SURE = frozenset({"legend", "board", "shared", "texture"})
"""The origins of meanings that nobody needs to confirm."""
FEWEST_SURE = 0.5
"""Share of a board's hexes in colours of sure meaning: with less of them every place has colours of its own."""
GROUND = 0.15
"""Least share of a hex in colours of sure meaning for the commonest of them to be its ground."""
COMPARED = 25
"""Fewest hexes of the same ground that tell what is usual there."""
MORE = 0.04
"""Least share of a hex that a colour covers beyond what is usual, to tell anything."""
COVERED = 0.06
"""Least share of a hex in such colours."""
MOST_HEXES, MOST_PLACES = 15, 2
"""Most hexes that have a colour of print, and most places where they lie: a rose and a title may share one."""
_REACH, _ACROSS = 0.46, 24
"""Radius of the points counted, in heights of a hex; points across."""

_Near = NDArray[np.int64]


def find_printed(ground: PixelGround, points: HexPoints, pixels: Pixels) -> frozenset[int]:
    """Return the hexes with colours that are in one or two places only, by number."""
    heights = np.ptp(points.corners[:, :, 1], axis=1)
    if not len(heights):
        return frozenset()
    shares = count_colours(
        points.centre.astype(np.float64), points_within(_REACH * float(np.median(heights)), _ACROSS), pixels
    )
    drawn = np.array([meaning.terrain is None and meaning.origin in SURE for meaning in ground.meanings])
    sure = np.array([meaning.origin in SURE for meaning in ground.meanings]) & ~drawn
    if float((shares * sure).sum()) < FEWEST_SURE * float(shares.sum()):
        return frozenset()
    cells = cells_of_colours(pixels)
    of_ground, unsure = (shares * sure) @ cells, (shares * ~(sure | drawn)) @ cells
    commonest = np.where(of_ground.sum(axis=1) >= GROUND, of_ground.argmax(axis=1), -1)
    covered = np.zeros(len(shares))
    for cell in np.unique(commonest).tolist():
        here = np.flatnonzero(commonest == cell)
        if len(here) < COMPARED:
            continue
        more = unsure[here] - np.median(unsure[here], axis=0)
        for colour in np.flatnonzero((more > MORE).any(axis=0)).tolist():
            with_it = more[:, colour] > MORE / 2
            if with_it.sum() <= MOST_HEXES and _count_places(points.near, here[with_it]) <= MOST_PLACES:
                covered[here[with_it]] += more[with_it, colour]
    return frozenset(np.flatnonzero(covered >= COVERED).tolist())


def _count_places(near: _Near, hexes: _Near) -> int:
    """Return in how many places hexes lie; a hex between two of them parts nothing."""
    left, places = set(hexes.tolist()), 0
    while left:
        edge, places = [left.pop()], places + 1
        while edge:
            beside = near[edge.pop()]
            reached = left & {*beside.tolist(), *near[beside[beside >= 0]].ravel().tolist()}
            left -= reached
            edge += reached
    return places
