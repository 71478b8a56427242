"""Maps made of VASL boards, and what the colours of their pictures mean.

It needs no database, so that a process of its own can do it.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from laager.base import DataError, Problem

if TYPE_CHECKING:
    from laager.hexmap import HexMap
    from laager.vasl import Archive, HexColours, Imported, LegendEntry, Meaning, PlacedBoard


def make_board(map_: HexMap) -> tuple[str, bytes]:
    """Return a map's VASL board: its file's name, and its content. Raises DataError for a map that can't be one."""
    from laager.vasl import board_file_name, make_board_archive

    archive = make_board_archive(map_, board_file_name(map_))
    return archive.name, archive.data


MOST_GUESSED = 0.1
"""The share of a map's hexes from which on its colours are asked about before its hexes."""


def colours(archive: Archive) -> list[tuple[tuple[LegendEntry, ...], str]]:
    """Return the commonest colours of a board's picture, shades together, each with a cut-out of it as data.

    Raises DataError if it can't be read.
    """
    from laager.vasl import board_of, group_shades, legend_cuts, legend_entries

    board = board_of(archive)
    groups = group_shades(legend_entries(archive, board))
    cuts = legend_cuts(archive, board, [shades[0] for shades in groups])
    return [(shades, f"data:image/png;base64,{b64encode(cuts[shades[0].colour]).decode()}") for shades in groups]


def is_doubtful(made: Imported) -> bool:
    """Return True if the colours of a map should be looked at: many hexes are in some that are only guessed."""
    from laager.vasl import UNKNOWN

    return sum(doubt.why == UNKNOWN for doubt in made.doubts) > MOST_GUESSED * len(made.map.hexes)


def legend(by_colour: Mapping[str, str], *, rest: bool = False) -> dict[int, Meaning]:
    """Return what somebody says of colours (such as #94b95f,#90b45c), with `rest` that what is left empty is right.

    Raises DataError with each that is wrong.
    """
    from laager.vasl import parse_meaning

    meanings: dict[int, Meaning] = {}
    problems: list[Problem] = []
    for shades, said in by_colour.items():
        try:
            words = said.strip() or ("right" if rest else "")
            for colour in re.findall("#([0-9a-f]{6})(?:,|$)", shades) if words else ():
                meanings[int(colour, 16)] = parse_meaning(words)
        except DataError as err:
            problems += [replace(problem, place=shades[:7]) for problem in err.problems]
    if problems:
        raise DataError(problems)
    return meanings


def import_map(
    archives: Sequence[Archive],
    layout: str,
    title: str,
    meanings: Mapping[int, Meaning] | None = None,
    rules: Sequence[str] = (),
) -> Imported:
    """Return a map made of boards; an empty layout puts them side by side. Raises DataError.

    `told` says what colours of boards without LOS data mean; `rules` are those of a scenario, for all boards.
    """
    from laager.vasl import import_boards, parse_layout, place_alone, read_changed, read_metadata, side_by_side

    names = [read_metadata(archive).name for archive in archives]
    if not names:
        raise DataError([Problem("no board arrived", "choose board files of at most 16 MB in all")])
    if len(set(names)) != len(names):
        right = "name each once; the layout says where it lies"
        raise DataError([Problem("a board is named twice", right)])
    boards = [read_changed(archive, rules, legend=meanings)[0] for archive in archives]
    by_name = {name: board for board in boards for name in (board.name, board.code)}

    def find(name: str) -> PlacedBoard | None:
        return place_alone(by_name[name]) if name in by_name else None

    arranged = parse_layout(layout or side_by_side(names), find, names)
    return import_boards(arranged, [by_name[board.name] for board in arranged.boards], title=title)


def colours_of_hexes(map_: HexMap, archives: Mapping[str, Archive]) -> HexColours:
    """Return the colours of a map's hexes on the pictures of its boards. Raises DataError."""
    from laager.vasl import hex_colours

    return hex_colours(map_, archives.__getitem__)
