"""The grid of a map as a VASL board has it: hexes of VASL's usual size, A1 where VASL reads LOS."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import ceil

import numpy as np

from laager.base import DataError, Problem
from laager.hexmap import HexMap, parse_name
from laager.hexmap.values import Hex
from laager.vasl.boards.crossings import HexPoints, points_of
from laager.vasl.boards.layout import Geometry
from laager.vasl.boards.losdata import MAX_HEXES, MAX_PIXELS, LosData

WHOLE = 38.0
"""Distance from the picture's edge to the centres of a column of whole hexes, in pixels."""
Spot = tuple[int, int]


@dataclass(frozen=True)
class BoardGrid:
    """The grid of a map on its board.

    `columns` and `rows` are those of VASL's layout, `rows` those of column A; `size` is that of the picture, `places`
    gives the hex at (column, row) by the numbers of its name, `prefix` what stands before all names.
    """

    columns: int
    rows: int
    size: tuple[int, int]
    geometry: Geometry
    places: Mapping[Spot, Hex]
    prefix: str

    @cached_property
    def points(self) -> HexPoints:
        """The places of all hexes of the board in its pixels."""
        return points_of(self.blank(), self.geometry)

    @cached_property
    def number(self) -> Mapping[Spot, int]:
        """The number among `points` of the hex with a column and row."""
        return {self.geometry.place(*centre): i for i, centre in enumerate(self.points.centre.tolist())}

    def blank(self) -> LosData:
        """Return the board's pixels, all Open Ground on level 0, to be drawn on."""
        return LosData(
            self.columns, self.rows, np.zeros(self.size, np.int8), np.zeros(self.size, np.uint8), frozenset()
        )


def board_grid(map_: HexMap) -> BoardGrid:
    """Return the grid of a map on a board of its own. Raises DataError for a map that no single board can show."""
    places, prefix = _places(map_)
    first = next(iter(places))
    alternate = _is_alternate(map_, *first, places[first])
    for (column, row), hex_ in places.items():
        if _height(column, row, alternate) - _height(*first, alternate) != _down(hex_) - _down(places[first]):
            _refuse(
                map_, f"its hexes {places[first].name} and {hex_.name} don't lie as on one board", "one board alone"
            )
        if hex_.q - places[first].q != column - first[0]:
            _refuse(
                map_, f"its columns from {places[first].name} to {hex_.name} don't go from west to east", "A, B, C …"
            )
    if min(column for column, _ in places) or min(row for _, row in places) > 1:
        _refuse(map_, f"its first hex is {next(iter(map_.hexes))}", "a VASL board begins with column A and row 1")
    for (column, row), hex_ in places.items():
        if row < (alternate or column % 2 == 0):
            _refuse(map_, f"its hex {hex_.name} lies above row 1", "a VASL board begins with A1")
    return _lay_out(map_, places, prefix, alternate)


def _places(map_: HexMap) -> tuple[dict[Spot, Hex], str]:
    places, prefixes = {}, set()
    for hex_ in map_.hexes.values():
        name = parse_name(hex_.name)
        assert name is not None, "a map's reader takes no other names"
        places[name.column, name.row] = hex_
        prefixes.add(name.board)
    if len(prefixes) > 1:
        boards = ", ".join(sorted(prefixes))
        _refuse(
            map_,
            f"it is made of several boards ({boards})",
            "one grid; a map made from VASL's boards is set up on those",
        )
    return places, prefixes.pop()


def _lay_out(map_: HexMap, places: Mapping[Spot, Hex], prefix: str, alternate: bool) -> BoardGrid:
    columns = max(column for column, _ in places) + 1
    lowest = {odd: max((row for column, row in places if column % 2 == odd), default=0) for odd in (0, 1)}
    # The last hex of B, D, F … lies half a hex lower than that of A; a whole one makes the picture so much higher.
    rows = max(lowest[0], lowest[1] - alternate)
    deep = any(not places[column, row].half for column, row in places if column % 2 and row == rows + alternate)
    west = 0.0 if _is_cut(places, 0) else WHOLE
    east = 0.0 if _is_cut(places, columns - 1) else WHOLE
    geometry = Geometry(x=west, alternate=alternate)
    width = ceil(west + geometry.width * (columns - 1) + east)
    height = ceil(geometry.height * (rows + deep / 2))
    if not width or not height:
        _refuse(map_, "it has no whole hex", "a whole column and a whole row")
    if columns * (rows + 1) > MAX_HEXES or width * height > MAX_PIXELS:
        _refuse(map_, f"it has {columns} columns of {rows} hexes", f"at most {MAX_PIXELS} pixels, {MAX_HEXES} hexes")
    return BoardGrid(columns, rows, (width, height), geometry, places, prefix)


def _is_cut(places: Mapping[Spot, Hex], column: int) -> bool:
    """True if a column at the map's edge has half hexes only."""
    return all(hex_.half for (of_column, _), hex_ in places.items() if of_column == column)


def _is_alternate(map_: HexMap, column: int, row: int, first: Hex) -> bool:
    """Return True if A, C, E … lie half a hex lower than B, D, F …, by a hex beside the first one."""
    for name in map_.neighbours(first.name):
        beside, named = map_.hexes[name], parse_name(name)
        assert named is not None, "a map's reader takes no other names"
        if named.column != column:
            normal = _height(named.column, named.row, False) - _height(column, row, False)
            return normal != _down(beside) - _down(first)
    return False


def _height(column: int, row: int, alternate: bool) -> int:
    return 2 * row + (column % 2 == (0 if alternate else 1))


def _down(hex_: Hex) -> int:
    return 2 * hex_.r + hex_.q


def _refuse(map_: HexMap, problem: str, right: str) -> None:
    raise DataError([Problem(f"the map {map_.title} can't be a VASL board: {problem}", right)])
