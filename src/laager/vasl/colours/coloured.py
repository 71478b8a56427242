"""A board without LOS data, with the ground that its picture shows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from laager.base import DataError, LaagerError, RefusedError
from laager.vasl.archive import Archive
from laager.vasl.boards.board import Board
from laager.vasl.boards.crossings import crossings
from laager.vasl.boards.derive import derive
from laager.vasl.colours.doubts import doubts_of
from laager.vasl.colours.grid import points_on
from laager.vasl.colours.houses import with_levels
from laager.vasl.colours.markers import markers_of
from laager.vasl.colours.palette import Meaning, Palette
from laager.vasl.colours.pixels import Pixels, pixels_of
from laager.vasl.colours.reading import ground_of
from laager.vasl.colours.streets import with_squares

_WHOSE = {
    **{"legend": "a legend", "board": "its own colours", "shared": "VASL's colours", "texture": "speckled colours"},
    **{"alike": "similar colours", "guess": "guesses"},
}


def coloured(archive: Archive, board: Board, legend: Mapping[int, Meaning] | None = None) -> Board:
    """Return a board with the ground that the colours of its picture show; `legend` says what some mean.

    Raises DataError if its picture can't be used, RefusedError if Pillow isn't installed.
    """
    pixels = pixels_of(archive, board.metadata.picture)
    ground = ground_of(pixels, Palette(archive, legend))
    points = points_on(board.hexes, board.geometry, board.size)
    names = [one.name for one in board.hexes]
    over = crossings(ground.data, points)
    data = with_levels(ground, points, pixels, over, [board.metadata.buildings.get(name, "") for name in names])
    grounds = with_squares(derive(data, board.metadata, names, points, over), points, data)
    hexes = tuple(replace(one, ground=own) for one, own in zip(board.hexes, grounds, strict=True))
    return replace(
        board,
        hexes=hexes,
        by_colours=_whose(pixels, ground.meanings),
        doubts=doubts_of(hexes, points, pixels, ground.meanings, data),
        markers=markers_of(archive),
    )


def by_picture(archive: Archive, board: Board, legend: Mapping[int, Meaning] | None = None) -> tuple[Board, str]:
    """Return a board with the ground that it is known to have, and why there is none if so.

    A board that its archive tells of stays as it is; of another one the colours of its picture tell. Raises DataError
    or RefusedError only if a legend is given that can't be used.
    """
    if board.known:
        return board, ""
    try:
        return coloured(archive, board, legend), ""
    except (DataError, RefusedError) as err:
        if legend is not None:
            raise
        return board, _reason(err)


def _reason(err: LaagerError) -> str:
    """Return why a picture can't be read, without the folders of anybody's disk."""
    problems = [replace(one, file="") for one in err.problems]
    return "; ".join(map(str, problems)) if problems else str(err)


def _whose(pixels: Pixels, meanings: tuple[Meaning, ...]) -> str:
    """Return whose colours told the ground, with the share of the picture that each told."""
    told: Counter[str] = Counter()
    for at, meaning in enumerate(meanings):
        if meaning.origin in _WHOSE:
            told[_WHOSE[meaning.origin]] += int(pixels.counts[at])
    size = max(pixels.numbers.size, 1)
    shares = ", ".join(
        f"{name} {100 * count / size:.0f} %" for name, count in told.most_common() if count >= size / 200
    )
    return shares or "no colour with a meaning"
