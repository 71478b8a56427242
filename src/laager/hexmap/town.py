"""The part of a map file that a town of Blocks has: Blocks, Entry Areas, named areas."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from laager.base.files import Where
from laager.hexmap.blocks import Blocks, derive_blocks
from laager.hexmap.hexmap import HexMap
from laager.hexmap.mapfile import HexList, MapFile
from laager.hexmap.values import EntryArrow

_SHOWN = 6


class Lookup(NamedTuple):
    """How to look hexes up and where to tell problems.

    `names` yields the main names of hexes and ranges, each with its place in the file; `one`
    returns that of a single hex. What is not on the map they tell themselves. `complain` takes a
    place, what is wrong, what would be right.
    """

    names: Callable[[Where, Sequence[str]], Iterator[tuple[Where, str]]]
    one: Callable[[Where, str], str | None]
    complain: Callable[[Where, str, str], None]


class Town(NamedTuple):
    """What a map file says of Blocks and areas, by main names."""

    block_lists: Mapping[str, frozenset[str]]
    block_names: Mapping[str, str]
    no_block: frozenset[str]
    entry_arrows: tuple[EntryArrow, ...]
    setup_areas: Mapping[str, frozenset[str]]


def read_town(file: MapFile, look: Lookup) -> Town:
    """Return what a file says of Blocks and areas; problems are told."""
    if file.blocks and file.block_names:
        look.complain(("block_names",), "stands beside blocks", "keep one of the two")
    named = {block: look.one(("block_names", block), text) for block, text in file.block_names.items()}
    return Town(
        _areas("blocks", file.blocks, look),
        {block: name for block, name in named.items() if name is not None},
        frozenset(name for _, name in look.names(("no_block",), file.no_block)),
        _arrows(file, look),
        _areas("setup_areas", file.setup_areas, look),
    )


def _areas(part: str, areas: Mapping[str, HexList], look: Lookup) -> dict[str, frozenset[str]]:
    found = {}
    for area, items in areas.items():
        if not items:
            look.complain((part, area), "has no hexes", "name some, or leave it out")
        found[area] = frozenset(name for _, name in look.names((part, area), items))
    return found


def _arrows(file: MapFile, look: Lookup) -> tuple[EntryArrow, ...]:
    found: dict[str, EntryArrow] = {}
    for i, entry in enumerate(file.entry_areas):
        where = ("entry_areas", i, "arrow")
        name = look.one(where, entry.arrow)
        if name is None:
            continue
        if name in found:
            look.complain(where, f"{name} has an arrow already", "one Entry Area for each arrow")
        found[name] = EntryArrow(name, entry.colour, entry.owner, entry.same_edge_only, entry.single)
    return tuple(found.values())


def check_town(map_: HexMap, file: MapFile, look: Lookup) -> None:
    """Tell what is wrong with Blocks and areas on the map that the file makes."""
    if file.blocks or file.block_names:
        derived = derive_blocks(map_)
        if file.blocks:
            _check_lists(map_, derived, file, look)
        else:
            _check_names(map_, derived, look)
    for i, arrow in enumerate(map_.entry_arrows):
        if not map_.mask([arrow.hex]) & map_.grid.rim:
            what = f"{arrow.hex} is not at the edge of the map"
            look.complain(("entry_areas", i, "arrow"), what, "an arrow stands on a map edge hex")
    for area, items in file.setup_areas.items():
        for where, name in look.names(("setup_areas", area), items):
            if name not in map_.playable:
                look.complain(where, f"{name} is not playable", "leave it out")


def _check_lists(map_: HexMap, derived: Blocks, file: MapFile, look: Lookup) -> None:
    taken: dict[str, str] = {}
    for block, items in file.blocks.items():
        for where, name in look.names(("blocks", block), items):
            if taken.setdefault(name, block) != block:
                look.complain(where, f"{name} is in Block {taken[name]} already", "keep one")
            elif derived.of(name) is None:
                what = f"{name} is {_why_outside(map_, derived, name)}"
                look.complain(where, what, "leave it out; it belongs to no Block")
    left = [name for own in derived.hexes.values() for name in own if name not in taken]
    if left:
        look.complain(
            ("blocks",), f"in no Block: {_shown(map_, left)}", "add them to Blocks, or list them under no_block"
        )


def _check_names(map_: HexMap, derived: Blocks, look: Lookup) -> None:
    named: dict[str, str] = {}
    for block, name in map_.block_names.items():
        where, there = ("block_names", block), derived.of(name)
        if there is None:
            what = f"{name} is {_why_outside(map_, derived, name)}"
            look.complain(where, what, "name a hex inside the Block")
        elif named.setdefault(there, block) != block:
            what = f"{name} is in the Block of {map_.block_names[named[there]]} ({named[there]})"
            look.complain(where, what, "one name for each Block")
    for there, hexes in derived.hexes.items():
        if there not in named:
            look.complain(
                ("block_names",),
                f"a Block without a name: {_shown(map_, hexes)}",
                "name one of its hexes here, or list them under no_block",
            )


def _why_outside(map_: HexMap, derived: Blocks, name: str) -> str:
    """Return why a hex is in no Block."""
    for hexes, why in (
        (derived.rivers, "river"),
        (derived.blockhouses, "the Blockhouse"),
        (derived.roads, "a road hex"),
        (map_.no_block, "listed under no_block"),
    ):
        if name in hexes:
            return why
    return "not playable"


def _shown(map_: HexMap, names: Iterable[str]) -> str:
    hexes = map_.in_order(names)
    more = f" and {len(hexes) - _SHOWN} more" if len(hexes) > _SHOWN else ""
    return ", ".join(hexes[:_SHOWN]) + more
