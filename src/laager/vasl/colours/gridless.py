"""Hexes without a drawn hex grid: title strips, turn tracks and margins, which are no map.

A hexside is drawn if the line differs from both sides of it, darker or lighter. What has hardly any drawn hexside,
reaches the edge of the picture so, and looks like no hex of the map, is print.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from laager.vasl.boards.crossings import AT_ONCE, NONE, HexPoints, codes_at
from laager.vasl.colours.alike import Looks
from laager.vasl.colours.pixels import Pixels

CONTRAST = 14
"""Least difference in brightness of a drawn line from the ground on both sides."""
DRAWN = 0.5
"""Share of a hexside's points that makes it drawn."""
PRINTED = 4
"""Fewest drawn hexsides of a hex of the map."""
BARE = 1
"""Most drawn hexsides of a hex outside it, where letters and boxes cross some."""
GRID, MARGIN = 0.2, 0.25
"""Least share of hexes with a drawn grid, and largest of bare ones, on a board whose bare hexes tell anything."""
UNLIKE = 0.8
"""How alike a hex outside and the hexes of the map are at most, from 0 to 1."""
_LIKE_MANY = 50
"""For a hex to be map, too, one in this many hexes of the map must be like it."""
SMALLEST = 6
"""Fewest hexes side by side that are print: a hex alone at the edge may be a bridge or a house."""
_OFF = 4
"""Distance of the ground compared to both sides of the line, in pixels."""
_POINTS = 16

Flags = NDArray[np.bool_]


def find_gridless(points: HexPoints, pixels: Pixels, looks: Looks) -> frozenset[int]:
    """Return the hexes that are print around the map, by number; none if hardly any grid is drawn on the board."""
    drawn = (_drawn_shares(points, pixels) >= DRAWN).sum(axis=1)
    printed = np.flatnonzero(drawn >= PRINTED)
    bare = drawn <= BARE
    if len(printed) < GRID * len(drawn) or bare.sum() > MARGIN * len(drawn):
        return frozenset()
    outside = _flood(points, bare & (points.near < 0).any(axis=1), bare)
    directions = looks / np.maximum(np.linalg.norm(looks, axis=1, keepdims=True), 1e-6)
    for at in np.flatnonzero(outside).tolist():
        likeness = np.sort(directions[printed] @ directions[at])
        outside[at] = likeness[-1 - min(len(printed) // _LIKE_MANY, len(printed) - 1)] < UNLIKE
    outside = _drop_small(points, outside)
    return frozenset(np.flatnonzero(_fill_letters(points, outside, drawn < PRINTED)).tolist())


def _drawn_shares(points: HexPoints, pixels: Pixels) -> NDArray[np.float64]:
    """Return what share of each hexside is drawn: a row for each hex, its six sides."""
    colours = np.array([*pixels.colours, 0], np.int64)
    bright = ((colours >> 16) + (colours >> 8 & 255) + (colours & 255)) / 3
    shares = np.zeros(points.corners.shape[:2])
    # A side between two hexes is looked at once.
    is_own = (points.near < 0) | (np.arange(6) < 3)
    hexes, sides = np.nonzero(is_own)
    corners = points.corners.astype(np.float64)
    for start in range(0, len(hexes), AT_ONCE):
        here, side = hexes[start : start + AT_ONCE], sides[start : start + AT_ONCE]
        ends = corners[here, side], corners[here, (side + 1) % 6]
        shares[here, side] = _are_drawn(*ends, pixels, bright).mean(axis=1)
    hexes, sides = np.nonzero(~is_own)
    shares[hexes, sides] = shares[points.near[hexes, sides], sides - 3]
    return shares


def _are_drawn(
    first: NDArray[np.float64], last: NDArray[np.float64], pixels: Pixels, bright: NDArray[np.float64]
) -> Flags:
    """Return which points of some sides, from corner to corner, are drawn; `bright` is the brightness of colours."""
    way = last - first
    across = np.stack([-way[:, 1], way[:, 0]], axis=-1)
    across /= np.maximum(np.hypot(way[:, 0], way[:, 1]), 1)[:, None]
    line = first[:, None] + way[:, None] * np.linspace(0.12, 0.88, _POINTS)[:, None]
    drawn = np.zeros(line.shape[:2], np.bool_)
    for off in (-1, 0, 1):
        spots = (line + across[:, None] * (off + aside) for aside in (0, -_OFF, _OFF))
        numbers = [codes_at(pixels.numbers, np.floor(spot + 0.5).astype(np.int64)) for spot in spots]
        inside = np.all([number != NONE for number in numbers], axis=0)
        here, left, right = (bright[number] for number in numbers)
        darker = (here < left - CONTRAST) & (here < right - CONTRAST)
        drawn |= inside & (darker | (here > left + CONTRAST) & (here > right + CONTRAST))
    return drawn


def _flood(points: HexPoints, start: Flags, through: Flags) -> Flags:
    """Return the hexes that are reached from some by going through others only."""
    reached = start.copy()
    edge = np.flatnonzero(start).tolist()
    while edge:
        for neighbour in points.near[edge.pop()].tolist():
            if neighbour >= 0 and through[neighbour] and not reached[neighbour]:
                reached[neighbour] = True
                edge.append(neighbour)
    return reached


def _drop_small(points: HexPoints, outside: Flags) -> Flags:
    """Return hexes outside without those of which only a few lie side by side."""
    kept, left = np.zeros_like(outside), outside.copy()
    while left.any():
        first = np.zeros_like(outside)
        first[left.argmax()] = True
        piece = _flood(points, first, outside)
        left &= ~piece
        if piece.sum() >= SMALLEST:
            kept |= piece
    return kept


def _fill_letters(points: HexPoints, outside: Flags, may_be: Flags) -> Flags:
    """Return hexes outside with those under letters and boxes, which lie between them and the edge."""
    inside = points.near >= 0
    for _ in range(6):
        beyond = inside & outside[points.near]
        more = ~outside & may_be & (beyond.sum(axis=1) >= 2) & ((beyond | ~inside).sum(axis=1) >= 5)
        if not more.any():
            break
        outside = outside | more
    return outside
