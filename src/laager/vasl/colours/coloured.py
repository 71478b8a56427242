"""A board without LOS data, with the ground that its picture shows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from laager.base import DataError, LaagerError, RefusedError
from laager.vasl.archive import Archive
from laager.vasl.boards.board import Board
from laager.vasl.boards.crossings import crossings
from laager.vasl.boards.derive import derive
from laager.vasl.colours.doubts import doubts_of, sureness_of
from laager.vasl.colours.houses import stairs_in, with_bars, with_levels
from laager.vasl.colours.margin import on_map
from laager.vasl.colours.markers import markers_of
from laager.vasl.colours.palette import Meaning
from laager.vasl.colours.pixels import Pixels, pixels_of
from laager.vasl.colours.reading import ground_of, with_heights
from laager.vasl.colours.streets import banked, on_bridge, through_dots, with_banks, without_roofs

if TYPE_CHECKING:
    from collections.abc import Callable

    from laager.vasl.boards.crossings import Points
    from laager.vasl.boards.losdata import LosData
    from laager.vasl.boards.metadata import Metadata

    Change = Callable[[LosData, Metadata, Points], LosData]
    """Makes other pixels of those that were read, whose hexes lie at the points."""

_WHOSE = {
    **{"legend": "a legend", "board": "its own colours", "shared": "VASL's colours", "texture": "speckled colours"},
    **{"alike": "similar colours", "guess": "guesses"},
}


def coloured(
    archive: Archive, board: Board, legend: Mapping[int, Meaning] | None = None, change: Change | None = None
) -> Board:
    """Return a board with the ground that the colours of its picture show.

    `legend` says what some of them mean, `change` makes other pixels of what was read, as of LOS data.
    Raises DataError if its picture can't be used, RefusedError if Pillow isn't installed.
    """
    seen = on_map(pixels_of(archive, board.metadata.picture), archive, board, legend)
    board, points, pixels = seen.board, seen.points, seen.pixels
    ground = ground_of(pixels, seen.meanings)
    stairs, banks = stairs_in(ground, points, pixels), banked(ground, points, pixels)
    sure = sureness_of(ground, points, pixels, banks)
    whose = _whose(pixels, seen.meanings)
    # The colours have told all but the levels, which take their memory.
    data = with_heights(ground, pixels)
    with_bars(data, points, sure.bars)
    names = [one.name for one in board.hexes]
    over = crossings(data, points)
    data = with_levels(data, points, stairs, over, [board.metadata.buildings.get(name, "") for name in names])
    through_dots(data, points, over)
    if change is not None:
        data = change(data, board.metadata, points)
        over, banks = crossings(data, points), {}
    grounds = [on_bridge(without_roofs(one)) for one in derive(data, board.metadata, names, points, over)]
    for at, level in banks.items():
        grounds[at] = with_banks(grounds[at], level)
    hexes = tuple(replace(one, ground=own) for one, own in zip(board.hexes, grounds, strict=True))
    return replace(
        board, hexes=hexes, by_colours=whose, doubts=doubts_of(hexes, points, sure, data), markers=markers_of(archive)
    )


def by_picture(
    archive: Archive, board: Board, legend: Mapping[int, Meaning] | None = None, change: Change | None = None
) -> tuple[Board, str]:
    """Return a board with the ground that it is known to have, and why there is none if so.

    A board that its archive tells of stays as it is; of another one the colours of its picture tell. Raises DataError
    or RefusedError only if a legend is given that can't be used.
    """
    if board.known:
        return board, ""
    try:
        return coloured(archive, board, legend, change), ""
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
