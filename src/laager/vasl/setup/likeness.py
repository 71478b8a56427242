"""Whether the boards of a layout are those that a map shows: by their hexes' names, their size and their terrain.

A map without boards of its own is laid onto boards by its hexes' names, and most names are on most boards. Counters
on the wrong board would look like a battle.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from laager.base import DataError, Problem
from laager.hexmap import HexMap, parse_name
from laager.hexmap.values import Hex
from laager.vasl.archive import Archive
from laager.vasl.boards.layout import Layout

MOST_LEFT_OVER = 0.1
"""The share of whole hexes that map or boards may have alone: drawings differ at the edges, not by a tenth."""
LEAST_ALIKE = 0.5
"""The share of hexes with the same terrain, of those that aren't open on both.

Two different boards agree in at most 0.3 of them (measured on boards 01, 10, 22, 6a and Red Barricades, and on the
shipped maps), a map made from the board in all.
"""
BOARD_COMMAND = "laager vasl board -o boards/bdMine"
"""Makes a board of the campaign's map."""
_EXAMPLES = 3
_Place = tuple[str, int, int]


def check_likeness(map_: HexMap, layout: Layout, archives: Sequence[Archive], prefixes: Sequence[str]) -> None:
    """Raise DataError, saying what differs, if the hexes of boards aren't a map's.

    `archives` are the boards of the layout, `prefixes` what stands before their hexes' names on the map. Terrain is
    compared where the archives tell it.
    """
    from laager.vasl.boards.board import board_of
    from laager.vasl.maps.tomap import import_boards

    bare = import_boards(layout, [board_of(archive) for archive in archives]).map
    shown = _by_place(map_)
    # A single board's hexes may have another prefix on the map, or none.
    lying = _by_place(bare, prefixes[0] if len(prefixes) == 1 else None)
    difference = _different_hexes(shown, lying) or _different_terrain(shown, lying)
    if difference:
        boards = " ".join(board.name for board in layout.boards)
        problem = f"the map {map_.title} is not the map of {boards}: {difference}"
        right = f"lay it on the boards whose hexes and terrain it has, or make its own: {BOARD_COMMAND}"
        raise DataError([Problem(problem, right)])


def _by_place(map_: HexMap, prefix: str | None = None) -> dict[_Place, Hex]:
    """Return the hexes by each of their names; with a prefix as if all names had that one."""
    places = {}
    for hex_ in map_.hexes.values():
        for name in map(parse_name, (hex_.name, *hex_.aliases)):
            if name is not None:
                places[name.board if prefix is None else prefix, name.column, name.row] = hex_
    return places


def _different_hexes(shown: Mapping[_Place, Hex], lying: Mapping[_Place, Hex]) -> str:
    """Return in words which whole hexes only one of them has, if those are too many; else nothing."""
    for here, there, words in (
        (shown, lying, "of its {} hexes the boards lack {}"),
        (lying, shown, "of the boards' {} hexes it lacks {}"),
    ):
        known = {hex_.name for place, hex_ in here.items() if place in there}
        whole = [hex_.name for hex_ in {hex_.name: hex_ for hex_ in here.values()}.values() if not hex_.half]
        alone = [name for name in whole if name not in known]
        if len(alone) > MOST_LEFT_OVER * len(whole):
            return f"{words.format(len(whole), len(alone))}, such as {', '.join(alone[:_EXAMPLES])}"
    return ""


def _different_terrain(shown: Mapping[_Place, Hex], lying: Mapping[_Place, Hex]) -> str:
    """Return in words where the terrain differs, if it does in too many hexes; else nothing."""
    pairs = {hex_.name: (_terrain(hex_), _terrain(lying[place])) for place, hex_ in shown.items() if place in lying}
    compared = {name: pair for name, pair in pairs.items() if "unknown" not in pair and pair != ("open", "open")}
    other = [name for name, (here, there) in compared.items() if here != there]
    if len(compared) - len(other) >= LEAST_ALIKE * len(compared):
        return ""
    examples = "; ".join(f"{name} is {compared[name][0]}, there {compared[name][1]}" for name in other[:_EXAMPLES])
    share = f"{len(compared) - len(other)} of {len(compared)} hexes that aren't open on both"
    return f"the terrain is the same in {share}, at least {LEAST_ALIKE:.0%} would be ({examples})"


def _terrain(hex_: Hex) -> str:
    return "building" if hex_.printed.building else hex_.printed.terrain
