"""Boards out of their archives, ready for lines of sight."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from laager.base import DataError, Problem
from laager.los.exact.derive import Codes, Hexes, Levels, derive
from laager.los.exact.grid import PixelGrid
from laager.vasl.archive import Archive
from laager.vasl.boards.layout import hex_name
from laager.vasl.boards.losdata import LOS_DATA, LosData, read_los_data
from laager.vasl.boards.metadata import Metadata, read_metadata
from laager.vasl.boards.picture import picture_size

KNOWN_TOPS = (32.25, -612.75, 97.1, 0.0)
"""Distances of A1's centre from the top of the picture that VASL knows; of other boards VASL makes no LOS map."""


@dataclass(eq=False)
class LosBoard:
    """A board being made ready: its grid, pixels by x and y, stairways, and what was derived of them."""

    code: str
    metadata: Metadata
    data: LosData
    grid: PixelGrid
    codes: Codes
    levels: Levels
    stairways: NDArray[np.bool_]
    names: tuple[str, ...]
    hexes: Hexes
    sha256: str

    def derive_again(self) -> None:
        """Derive the hexes a second time on top of the first, as VASL does after a scenario's rules."""
        derive(self.grid, self.codes, self.levels, self.stairways, self.names, self.metadata.embankments, self.hexes)
        self.set_slopes()

    def set_slopes(self) -> None:
        """Take the slopes that the board lists."""
        for i, name in enumerate(self.names) if self.metadata.slopes else ():
            for side in self.metadata.slopes.get(name, ()):
                self.hexes.slope[i, side] = True


def read_los_board(archive: Archive) -> LosBoard:
    """Return the board in an archive. Raises DataError if it has no terrain data, or can't be trusted."""
    metadata = read_metadata(archive)
    if LOS_DATA not in archive or metadata.old:
        problem = "has no terrain data, so that VASL has no LOS on it"
        raise DataError([Problem(problem, "Laager's hex-level LOS may still help", file=archive.label)])
    size = picture_size(archive, metadata.picture)
    data = read_los_data(archive, *size)
    return los_board(archive.name.removeprefix("bd"), metadata, data, archive.sha256, archive.label)


def los_board(code: str, metadata: Metadata, data: LosData, sha256: str = "", label: str = "") -> LosBoard:
    """Return a board of its pixels. Raises DataError for a geometry with which VASL has no LOS."""
    given = metadata.geometry
    problems = []
    if metadata.columns is not None and (metadata.columns, metadata.rows) != (data.columns, data.rows):
        problem = f"has terrain data of {data.columns} x {data.rows} hexes"
        problems.append(Problem(problem, f"the board has {metadata.columns} x {metadata.rows}", LOS_DATA, file=label))
    if given.y not in KNOWN_TOPS or given.y == 0:
        problem = f"has A1 {given.y:g} pixels from the top, where VASL makes no LOS map"
        problems.append(Problem(problem, "32.25, -612.75 or 97.1", file=label))
    grid = PixelGrid(data.columns, data.rows, given.width, given.height, given.x, given.y, *data.size)
    if not problems and not _inside(grid):
        problems.append(
            Problem("has hexes outside the picture", "check hex size and A1's centre", LOS_DATA, file=label)
        )
    if problems:
        raise DataError(problems)
    names = tuple(hex_name(*given.place(x, y)) for x, y in grid.centre.tolist())
    stairways = np.zeros(grid.count, np.bool_)
    for column, row in data.stairways:
        stairways[grid.number(column, row)] = True
    hexes = derive(grid, data.codes, data.elevation, stairways, names, metadata.embankments)
    sheet = LosBoard(code, metadata, data, grid, data.codes, data.elevation, stairways, names, hexes, sha256)
    sheet.set_slopes()
    return sheet


def _inside(grid: PixelGrid) -> bool:
    centre = grid.centre
    return bool((centre >= 0).all() and (centre < np.array(grid.size)).all())
