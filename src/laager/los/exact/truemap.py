"""The map as players see it: the boards' pixels joined where they lie, and all hexes made of them anew.

VASL doesn't do that (`laager.los.exact.joined`); this is the deviation `true-map`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import floor

import numpy as np
from numpy.typing import NDArray

from laager.los.exact.boards import LosBoard
from laager.los.exact.derive import derive
from laager.los.exact.grid import PixelGrid
from laager.los.exact.joined import names_of
from laager.los.exact.losmap import LosMap, los_map
from laager.vasl.boards.layout import EDGE, Layout, PlacedBoard


def true_map(sheets: Sequence[LosBoard], layout: Layout) -> LosMap:
    """Return the map of boards as they lie. `sheets` belong one by one to the boards of the layout."""
    corners = [(x - EDGE, y - EDGE) for x, y in layout.corners]
    width = max(x + placed.shown[0] for placed, (x, _) in zip(layout.boards, corners, strict=True))
    height = max(y + placed.shown[1] for placed, (_, y) in zip(layout.boards, corners, strict=True))
    codes, levels = np.zeros((width, height), np.uint8), np.zeros((width, height), np.int8)
    for sheet, placed, (left, top) in zip(sheets, layout.boards, corners, strict=True):
        for pixels, whole in ((codes, sheet.codes), (levels, sheet.levels)):
            part = _part(whole, placed)
            room = (slice(left, left + part.shape[0]), slice(top, top + part.shape[1]))
            pixels[room] = part[: width - left, : height - top]
    grid = _grid(sheets[0], layout.boards[0], corners[0], (width, height))
    names = tuple(names_of(grid, layout))
    several = len(sheets) > 1
    stairways = np.zeros(grid.count, np.bool_)
    embankments: dict[str, frozenset[int]] = {}
    slopes: dict[str, frozenset[int]] = {}
    number = {name: i for i, name in enumerate(names)}
    for sheet, placed in zip(sheets, layout.boards, strict=True):
        prefix = placed.name if several else ""
        for i in np.flatnonzero(sheet.stairways):
            at = number.get(f"{prefix}{sheet.names[i]}")
            if at is not None:
                stairways[at] = True
        for listed, by_name in ((sheet.metadata.embankments, embankments), (sheet.metadata.slopes, slopes)):
            for name, sides in listed.items():
                by_name[f"{prefix}{name}"] = frozenset((side + 3 * placed.reversed) % 6 for side in sides)
    hexes = derive(grid, codes, levels, stairways, names, embankments)
    for name, sides in slopes.items():
        if name in number:
            hexes.slope[number[name], list(sides)] = True
    title = ("Boards " if several else "Board ") + " ".join(sheet.metadata.name for sheet in sheets)
    return los_map(title, grid, names, (codes, levels), hexes, [(sheet.code, sheet.sha256) for sheet in sheets])


def _part(pixels: NDArray[np.generic], placed: PlacedBoard) -> NDArray[np.generic]:
    x, y, width, height = placed.part
    part = pixels[x : x + width, y : y + height]
    return part[::-1, ::-1] if placed.reversed else part


def _grid(sheet: LosBoard, placed: PlacedBoard, corner: tuple[int, int], size: tuple[int, int]) -> PixelGrid:
    """Return the hexes of the large map, found from one hex of the first board."""
    own = sheet.grid
    left, top, wide, high = placed.part
    middle = np.array([left + wide / 2, top + high / 2])
    middle_hex = int(((own.exact - middle) ** 2).sum(axis=1).argmin())
    shown = placed.as_shown(float(own.exact[middle_hex, 0]), float(own.exact[middle_hex, 1]))
    x, y = shown[0] + corner[0], shown[1] + corner[1]
    before = floor((x + 1) / own.dx)
    first_x = max(x - before * own.dx, 0.0)
    # Columns like that of the hex, and those between: the ones that begin higher are the long ones.
    alike, other = _first(y, own.dy), _first(y + own.dy / 2, own.dy)
    long_alike = alike < other
    half = long_alike == (before % 2 == 0)
    short, long = max(alike, other), min(alike, other)
    columns = floor((size[0] + 1 - first_x) / own.dx) + 1
    rows = max(floor((size[1] + 1 - short) / own.dy) + 1, floor((size[1] + 1 - long) / own.dy))
    return replace(own, columns=columns, rows=rows, x=first_x, width=size[0], height=size[1], half=half, top=short)


def _first(y: float, dy: float) -> float:
    """Return where the first centre of a column lies; half hexes at the top edge count."""
    return (y + 1) % dy - 1
