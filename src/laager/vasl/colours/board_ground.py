"""A board without LOS data, with the ground that its picture shows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from laager.base import DataError, LaagerError, RefusedError
from laager.vasl.archive import Archive
from laager.vasl.boards.board import Board
from laager.vasl.boards.crossings import find_crossings
from laager.vasl.boards.derive import derive_ground
from laager.vasl.boards.markers import find_block_markers
from laager.vasl.colours.alike import group_doubts, measure_looks
from laager.vasl.colours.calibrated import ORIGINS
from laager.vasl.colours.doubts import find_doubts, measure_sureness
from laager.vasl.colours.gridless import find_gridless
from laager.vasl.colours.houses import draw_rowhouse_walls, find_stairwells, set_storeys
from laager.vasl.colours.margin import crop_to_map
from laager.vasl.colours.palette import Meaning
from laager.vasl.colours.pixel_ground import add_levels, read_ground
from laager.vasl.colours.pixels import Pixels, read_pixels
from laager.vasl.colours.streets import (
    drop_streets_in_houses,
    put_on_road_level,
    raise_to_bridge,
    roads_between_banks,
    sink_dots,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from laager.vasl.boards.crossings import HexPoints
    from laager.vasl.boards.losdata import LosData
    from laager.vasl.boards.metadata import Metadata

    Change = Callable[[LosData, Metadata, HexPoints], LosData]
    """Makes other pixels of those that were read, whose hexes lie at the points."""

MAX_HEXES = 6000
"""Most hexes of a board that is read by its colours; the largest known has 5,554."""
UNNAMED = 0.5
"""Largest share of a hex in colours without a meaning: with more of them the hex stays unknown."""
_SOURCES = {
    **{"legend": "a legend", "board": "its own colours", "shared": "VASL's colours", "texture": "speckled colours"},
    **{"alike": "similar colours", "guess": "guesses"},
}


def read_ground_by_colours(
    archive: Archive, board: Board, legend: Mapping[int, Meaning] | None = None, change: Change | None = None
) -> Board:
    """Return a board with the ground that the colours of its picture show.

    `legend` says what some of them mean, `change` changes the pixels read, as it would LOS data.
    Raises DataError if its picture can't be used, RefusedError if Pillow isn't installed.
    """
    if len(board.hexes) > MAX_HEXES:
        archive.refuse(
            board.metadata.picture, f"has {len(board.hexes)} hexes", f"{MAX_HEXES} at most, to read its colours"
        )
    picture = crop_to_map(read_pixels(archive, board.metadata.picture), archive, board, legend)
    board, points, pixels = picture.board, picture.points, picture.pixels
    ground = read_ground(pixels, picture.meanings)
    stairs, banks = find_stairwells(ground, points, pixels), roads_between_banks(ground, points, pixels)
    sure = measure_sureness(ground, points, pixels, banks)
    sources, looks = _describe_sources(pixels, picture.meanings), measure_looks(board.hexes, board.geometry, pixels)
    outside = find_gridless(points, pixels, looks)
    # From here on only levels are read; they overwrite the colours in memory.
    data = add_levels(ground, pixels)
    draw_rowhouse_walls(data, points, sure.bar_shares)
    names = [hex_.name for hex_ in board.hexes]
    over = find_crossings(data, points)
    data = set_storeys(data, points, stairs, over, [board.metadata.buildings.get(name, "") for name in names])
    sink_dots(data, points, over)
    if change is not None:
        data = change(data, board.metadata, points)
        over, banks = find_crossings(data, points), {}
    grounds = [
        raise_to_bridge(drop_streets_in_houses(ground))
        for ground in derive_ground(data, board.metadata, names, points, over)
    ]
    for at, level in banks.items():
        grounds[at] = put_on_road_level(grounds[at], level)
    unnamed = sure.origins[:, ORIGINS.index("none")].tolist()
    hexes = tuple(
        replace(hex_, ground=ground if share <= UNNAMED and at not in outside else None)
        for at, (hex_, ground, share) in enumerate(zip(board.hexes, grounds, unnamed, strict=True))
    )
    names_outside = frozenset(names[at] for at in outside)
    doubts = [
        doubt
        for doubt in find_doubts(hexes, points, sure, data, looks)
        if names_outside.isdisjoint(doubt.where.split("/"))
    ]
    return replace(
        board,
        hexes=hexes,
        by_colours=sources,
        doubts=group_doubts(doubts, hexes, points, looks),
        markers=find_block_markers(archive),
        outside=names_outside,
    )


def try_ground_by_colours(
    archive: Archive, board: Board, legend: Mapping[int, Meaning] | None = None, change: Change | None = None
) -> tuple[Board, str]:
    """Return a board with its ground, read by colours if its archive has no LOS data; and the reason if that fails.

    Raises DataError or RefusedError only if a legend is given that can't be used.
    """
    if board.known:
        return board, ""
    try:
        return read_ground_by_colours(archive, board, legend, change), ""
    except (DataError, RefusedError) as err:
        if legend is not None:
            raise
        return board, _reason_without_folders(err)


def _reason_without_folders(err: LaagerError) -> str:
    """Return why a picture can't be read, without the folders of anybody's disk."""
    problems = [replace(problem, file="") for problem in err.problems]
    return "; ".join(map(str, problems)) if problems else str(err)


def _describe_sources(pixels: Pixels, meanings: tuple[Meaning, ...]) -> str:
    """Return the origins of the colours' meanings, each with its share of the picture, in words."""
    shares: Counter[str] = Counter()
    for at, meaning in enumerate(meanings):
        if meaning.origin in _SOURCES:
            shares[_SOURCES[meaning.origin]] += int(pixels.counts[at])
    size = max(pixels.numbers.size, 1)
    parts = ", ".join(
        f"{name} {100 * count / size:.0f} %" for name, count in shares.most_common() if count >= size / 200
    )
    return parts or "no colour with a meaning"
