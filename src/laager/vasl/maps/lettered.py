"""The printed names of Blocks: which Block of a map each marker of its board stands in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from laager.hexmap import HexMap, derive_blocks
from laager.hexmap.areas.naming import update_block_names


@dataclass(frozen=True)
class BlockLetters:
    """Which Blocks have which printed letters.

    `alone` is a hex in each Block that has one marker, by its letter; `together` are letters whose markers stand in
    one Block, `lost` those next to none, `unnamed` a hex of each Block without a marker. `names` are what the map
    calls its Blocks: the letters of `alone`, and `at C4` for the others. `outside` is the ground that is in no Block.
    """

    alone: Mapping[str, str]
    names: Mapping[str, str]
    together: tuple[tuple[str, ...], ...] = ()
    lost: tuple[str, ...] = ()
    unnamed: tuple[str, ...] = ()
    outside: tuple[str, ...] = ()

    @property
    def complete(self) -> bool:
        """True if every letter has a Block of its own; then ground without one is no Block."""
        return bool(self.alone) and not (self.together or self.lost)

    def __str__(self) -> str:
        """Say what was found, in sentences."""
        said = [f"{len(self.alone)} printed Blocks have a marker of their own: {', '.join(self.alone) or 'none'}."]
        said += [f"{' and '.join(group)} are one Block: a street between them is missing." for group in self.together]
        said += [f"The marker of {letter} is next to no Block." for letter in self.lost]
        if self.unnamed:
            about = "has no marker and is no Block" if self.complete else "may be Blocks: it has no marker"
            said.append(f"The ground between streets at {', '.join(self.unnamed)} {about}.")
        return " ".join(said)


def block_letters(map_: HexMap, placed: Mapping[str, str]) -> BlockLetters:
    """Return which Blocks of a map have which letters; `placed` is the hex of each marker by its letter.

    A marker stands in its Block or next to it: then it is that of the Block with the most hexes around it.
    """
    blocks = derive_blocks(map_)
    by_block: dict[str, list[tuple[str, str]]] = {}
    lost = []
    for letter, name in placed.items():
        block_at = blocks.block_at(name)
        inside = (
            [name] if block_at else [neighbour for neighbour in map_.neighbours(name) if blocks.block_at(neighbour)]
        )
        if not inside:
            lost.append(letter)
            continue
        near = [str(blocks.block_at(hex_name)) for hex_name in inside]
        block = max(dict.fromkeys(near), key=near.count)
        by_block.setdefault(block, []).append((letter, inside[near.index(block)]))
    alone = {block_at[0][0]: block_at[0][1] for block_at in by_block.values() if len(block_at) == 1}
    unmarked = {block: block_at for block, block_at in blocks.hexes.items() if block not in by_block}
    letters = BlockLetters(
        alone,
        update_block_names(map_, blocks, alone, {}),
        tuple(tuple(letter for letter, _ in block_at) for block_at in by_block.values() if len(block_at) > 1),
        tuple(lost),
        tuple(map_.in_order(block_at)[0] for block_at in unmarked.values()),
    )
    if not letters.complete:
        return letters
    names = {letter: letters.names[letter] for letter in alone}
    return replace(
        letters, names=names, outside=tuple(map_.in_order(name for block_at in unmarked.values() for name in block_at))
    )
