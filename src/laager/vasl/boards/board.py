"""A board: its picture, its hexes, and what they are where the archive tells."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from laager.base import DataError, Problem
from laager.vasl.archive import Archive, open_archive
from laager.vasl.boards.layout import Geometry, hex_name
from laager.vasl.boards.losdata import LOS_DATA, MAX_HEXES
from laager.vasl.boards.markers import find_block_markers
from laager.vasl.boards.metadata import Metadata, read_metadata
from laager.vasl.boards.picture import picture_size

if TYPE_CHECKING:
    from laager.vasl.boards.derive import HexGround
    from laager.vasl.boards.losdata import LosData

    Change = Callable[[LosData, Metadata], LosData]


@dataclass(frozen=True, slots=True)
class BoardHex:
    """A hex of a board: its name, column and row, the pixel of its centre, the centre exactly.

    `ground` is None where the archive has no LOS data: what is there is not known.
    """

    name: str
    column: int
    row: int
    centre: tuple[int, int]
    exact: tuple[float, float]
    ground: HexGround | None = None


@dataclass(frozen=True, slots=True)
class Doubt:
    """Why a person should look at a hex (C4) or a hexside (C4/C5) that was read by colours.

    `score` is from 1 to 100, the worst. Doubts with the same number `alike` look alike and are settled together; 0 is
    for one that is alone.
    """

    where: str
    score: int
    why: str
    alike: int = 0


@dataclass(frozen=True, eq=False)
class Board:
    """A board out of its archive. `hexes` are by column, from the top.

    `changes` are the scenario rules and overlays by which its ground differs from the archive's, `in_play` those that
    were asked for and change nothing here: of looks, or what Laager can't apply. `by_colours` says whose colours told
    its ground, if its picture did; then `doubts` are what a person should look at, the worst first, and `markers` the
    pixel of each Block's marker by its name, `frame` what of the picture is map (left, top, right, bottom), if it has
    a margin, `outside` the hexes under a title and the like, which are no map.
    """

    file: str
    sha256: str
    metadata: Metadata
    size: tuple[int, int]
    hexes: tuple[BoardHex, ...]
    changes: tuple[str, ...] = ()
    in_play: tuple[str, ...] = ()
    by_colours: str = ""
    doubts: tuple[Doubt, ...] = ()
    markers: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    frame: tuple[int, int, int, int] | None = None
    outside: frozenset[str] = frozenset()

    def __repr__(self) -> str:
        return f"<Board {self.name}: {len(self.hexes)} hexes>"

    @property
    def name(self) -> str:
        """The name that VASL shows."""
        return self.metadata.name

    @property
    def code(self) -> str:
        """The name of the archive without `bd`, by which saves and people name the board."""
        return self.file.removeprefix("bd")

    @property
    def geometry(self) -> Geometry:
        """The hex grid in pixels of the picture."""
        return self.metadata.geometry

    @property
    def known(self) -> bool:
        """True if the archive tells what is in the hexes."""
        return any(hex_.ground for hex_ in self.hexes)

    @property
    def is_empty(self) -> bool:
        """True if all of it is Open Ground on level 0, as of boards on which players park counters."""
        return all(hex_.ground is not None and hex_.ground.is_empty for hex_ in self.hexes)

    @cached_property
    def by_name(self) -> Mapping[str, BoardHex]:
        """The hexes by their names."""
        return MappingProxyType({hex_.name: hex_ for hex_ in self.hexes})


def read_board(path: Path) -> Board:
    """Read a board archive. Raises DataError if it isn't one, or can't be trusted."""
    return board_of(open_archive(path))


def board_of(archive: Archive, change: Change | None = None) -> Board:
    """Return the board in an archive. Raises DataError with what is wrong.

    `change` makes other LOS data of those that the archive holds, before hexes are made of them.
    """
    metadata = read_metadata(archive)
    size = picture_size(archive, metadata.picture)
    hexes: tuple[BoardHex, ...] | None = None
    if LOS_DATA in archive and not metadata.old:
        hexes = _hexes_with_ground(archive, metadata, size, change)
    if hexes is None:
        hexes = _hexes_of_grid(archive, metadata, size)
    if not hexes:
        raise DataError([Problem("has no hexes in its picture", "check the centre of A1", file=archive.label)])
    if len({hex_.name for hex_ in hexes}) != len(hexes):
        problem = "two hexes of it would have the same name"
        raise DataError([Problem(problem, "check its hex size and the centre of A1", file=archive.label)])
    # Boards without LOS data are read by their colours, and then their markers.
    markers = find_block_markers(archive) if hexes[0].ground is not None else {}
    return Board(archive.name, archive.sha256, metadata, size, hexes, markers=markers)


def _hexes_with_ground(
    archive: Archive, metadata: Metadata, size: tuple[int, int], change: Change | None
) -> tuple[BoardHex, ...]:
    """Return the hexes of a board with LOS data."""
    from laager.vasl.boards.crossings import points_of
    from laager.vasl.boards.derive import derive_ground
    from laager.vasl.boards.losdata import read_los_data

    if metadata.geometry.y == 0:
        problem = "belong to a board with A1 on the edge of the picture"
        archive.refuse(LOS_DATA, problem, "no such board is known, nor how its hexes are counted")
    data = read_los_data(archive, *size)
    if (metadata.columns, metadata.rows) != (data.columns, data.rows):
        archive.refuse(
            LOS_DATA, f"is of {data.columns} x {data.rows} hexes", f"the board has {metadata.columns} x {metadata.rows}"
        )
    if change is not None:
        data = change(data, metadata)
    points = points_of(data, metadata.geometry)
    centres = [(int(x), int(y)) for x, y in points.centre.tolist()]
    if any(not (0 <= x < size[0] and 0 <= y < size[1]) for x, y in centres):
        archive.refuse(LOS_DATA, "has hexes outside the picture", "check hex size and A1's centre")
    places = [metadata.geometry.place(x, y) for x, y in centres]
    names = [hex_name(*place) for place in places]
    return tuple(
        BoardHex(name, *place, centre, (exact[0], exact[1]), ground)
        for name, place, centre, exact, ground in zip(
            names, places, centres, points.exact.tolist(), derive_ground(data, metadata, names, points), strict=True
        )
    )


def _hexes_of_grid(archive: Archive, metadata: Metadata, size: tuple[int, int]) -> tuple[BoardHex, ...]:
    """Return the hexes of a board that is no more than a picture and a grid."""
    geometry, (width, height) = metadata.geometry, size
    if width * height > MAX_HEXES * geometry.width * geometry.height:
        raise DataError([Problem("has more hexes than any board", f"at most {MAX_HEXES}", file=archive.label)])
    hexes = []
    for column, row in geometry.within(width, height):
        x, y = geometry.centre(column, row)
        inside = (min(max(x, 0), width - 1), min(max(y, 0), height - 1))
        name = hex_name(column, row)
        hexes.append(BoardHex(name, column, row, inside, geometry.exact(column, row)))
    return tuple(hexes)
