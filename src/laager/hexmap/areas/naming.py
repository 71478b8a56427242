"""The names of Blocks when the streets of a map change, or somebody names one of them.

A map file names all its Blocks or none. So that Blocks can be named one by one, a Block that nobody has named yet
is called by its first hex: `at C4`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from laager.hexmap.areas.blocks import Blocks
from laager.hexmap.coords import sort_key
from laager.hexmap.hexmap import HexMap

_PLACEHOLDER = "at "


def is_placeholder(name: str) -> bool:
    """Return whether a Block's name only says where it is, because nobody has named it."""
    return name.startswith(_PLACEHOLDER)


def update_block_names(
    map_: HexMap, derived: Blocks, named: Mapping[str, str], before: Mapping[str, Iterable[str]]
) -> dict[str, str]:
    """Return a hex inside each Block by its name, for the Blocks that the streets make now.

    `derived` are those Blocks, `named` the names in the order in which they count, each with a hex, `before` the
    hexes that the Blocks of those names had. A name whose hex is in no Block now goes to what is left of its
    Block; of two names in a Block the first stays. Without any name of somebody's own nothing is named.
    """
    hex_by_name: dict[str, str] = {}
    taken: set[str] = set()
    for name in sorted(named, key=is_placeholder):
        rest = sorted(before.get(name, ()), key=sort_key)
        inside = next((hex_ for hex_ in (named[name], *rest) if derived.block_at(hex_) not in {None, *taken}), None)
        block_of_hex = derived.block_at(named[name])
        if inside is None or (block_of_hex in taken and not is_placeholder(name)):
            continue
        taken.add(str(derived.block_at(inside)))
        hex_by_name[name] = inside
    if all(map(is_placeholder, hex_by_name)):
        return {}
    hex_by_name = {name: hex_ for name, hex_ in hex_by_name.items() if not is_placeholder(name)}
    named_blocks = {derived.block_at(hex_) for hex_ in hex_by_name.values()}
    for block, own_hexes in derived.hexes.items():
        if block not in named_blocks:
            first = map_.in_order(own_hexes)[0]
            hex_by_name[f"{_PLACEHOLDER}{first}"] = first
    return hex_by_name


def update_block_lists(map_: HexMap, derived: Blocks, lists: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """Return the hexes of each Block that a map lists, for the streets that there are now.

    Road and river fall out of the Blocks; ground that is in none joins the Block next to it that has the most
    hexes around it, or becomes one of its own.
    """
    updated = {name: [hex_ for hex_ in hexes if derived.block_at(hex_)] for name, hexes in lists.items()}
    holder = {hex_: name for name, hexes in updated.items() for hex_ in hexes}
    free = set(map_.in_order(hex_ for hexes in derived.hexes.values() for hex_ in hexes if hex_ not in holder))
    while free:
        joined = {
            hex_: max(near, key=near.count)
            for hex_ in map_.in_order(free)
            if (
                near := [
                    holder[n]
                    for n in map_.neighbours(hex_)
                    if n in holder and derived.block_at(n) == derived.block_at(hex_)
                ]
            )
        }
        if not joined:
            first = map_.in_order(free)[0]
            joined = {first: f"{_PLACEHOLDER}{first}"}
        for hex_, name in joined.items():
            updated.setdefault(name, []).append(hex_)
        holder |= joined
        free -= joined.keys()
    return {name: hexes for name, hexes in updated.items() if hexes}
