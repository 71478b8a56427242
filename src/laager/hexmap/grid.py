"""The map as a set of bits: one bit per hex, so that sets of hexes are single numbers.

Bits are laid out by axial position, column by column: the six neighbours of a whole set are six
shifts, which is what makes clusters, lines and floods fast. Within a column there is one slot
that is never used, so that nothing runs over from one column into the next.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import compress
from typing import TYPE_CHECKING

from laager.hexmap.coords import DIRECTIONS, sort_key

if TYPE_CHECKING:
    from laager.hexmap.values import Hex

FEW = 12
"""Up to this many bits, looking for them one by one is faster."""
_ZERO_ONE = bytes(code & 1 for code in range(256))


class Grid:
    """The bit layout of one map.

    `shifts` are the six directions (clockwise from north) as distances between bits, `everything`
    and `playable` are masks, `rim` the playable hexes that touch the outside of the playable area
    (not of holes in it), `in_one_piece` whether that area is connected, `rank` the place of each
    bit in the stated order.
    """

    def __init__(self, hexes: Mapping[str, Hex], playable: frozenset[str]) -> None:
        top = min(hex_.r for hex_ in hexes.values())
        self._top = top
        self.height = max(hex_.r for hex_ in hexes.values()) - top + 2
        self.width = max(hex_.q for hex_ in hexes.values()) + 1
        self.shifts = tuple(dq * self.height + dr for dq, dr in DIRECTIONS.values())
        column = (1 << (self.height - 1)) - 1
        self.box = sum(column << (q * self.height) for q in range(self.width))
        self.at: dict[str, int] = {}
        slots: list[str] = [""] * (self.width * self.height)
        for hex_ in hexes.values():
            place = hex_.q * self.height + hex_.r - top
            slots[place] = hex_.name
            for name in (hex_.name, *hex_.aliases):
                self.at[name] = place
        self.slots: tuple[str, ...] = tuple(slots)
        self.bit: dict[str, int] = {name: 1 << place for name, place in self.at.items()}
        in_order = sorted(hexes, key=sort_key)
        self.rank: dict[int, int] = {self.at[name]: i for i, name in enumerate(in_order)}
        places = list(self.rank)
        self._aligned = places == sorted(places)
        self.everything = self.mask(hexes)
        self.playable = self.mask(playable)
        self.rim = self._find_rim()
        self.in_one_piece = self.flood(self.playable & -self.playable, self.playable) == (self.playable)

    def _find_rim(self) -> int:
        # Everything outside is one piece once the map lies in a box with a free border, but the
        # layout has no border: start from the edge of the box and from what lies beyond it.
        height, box = self.height, self.box
        column = (1 << (height - 1)) - 1
        edge_of_box = column | column << ((self.width - 1) * height)
        ends = 1 | 1 << (height - 2)
        for q in range(self.width):
            edge_of_box |= ends << (q * height)
        outside = edge_of_box & ~self.playable
        outside = self.flood(outside, box & ~self.playable)
        return self.playable & (edge_of_box | self.grow(outside))

    def mask(self, names: Iterable[str]) -> int:
        """Return the set of bits of hex names. Raises KeyError for a name not on the map."""
        bits, bit = 0, self.bit
        for name in names:
            bits |= bit[name]
        return bits

    def names_in_order(self, mask: int) -> list[str]:
        """Return the names of a set of bits in the stated order."""
        names = self.list_names(mask)
        if not self._aligned:
            names.sort(key=lambda name: self.rank[self.at[name]])
        return names

    def names(self, mask: int) -> frozenset[str]:
        """Return the names of a set of bits."""
        return frozenset(self.list_names(mask))

    def list_names(self, mask: int) -> list[str]:
        """Return the names of a set of bits, lowest first."""
        if mask.bit_count() <= FEW:
            return [self.slots[place] for place in places(mask)]
        return list(compress(self.slots, bin(mask)[:1:-1].encode().translate(_ZERO_ONE)))

    def first(self, mask: int) -> int:
        """Return the place of the bit that comes first in the stated order; mask is not 0."""
        if self._aligned:
            return (mask & -mask).bit_length() - 1
        return min(places(mask), key=self.rank.__getitem__)

    def in_order(self, masks: Iterable[int]) -> list[int]:
        """Return sets sorted by the hex that comes first in each."""
        return sorted(masks, key=lambda mask: self.rank[self.first(mask)])

    def grow(self, mask: int) -> int:
        """Return the set and all its neighbours within the box around the map."""
        h = self.height
        across = mask | mask << h | mask >> h
        # q and r opposite: the other two of the six directions
        aslant = mask << (h - 1) | mask >> (h - 1)
        return (across | aslant | mask << 1 | mask >> 1) & self.box

    def ball(self, mask: int, radius: int) -> int:
        """Return all positions within a distance, whether or not there are hexes in between."""
        for _ in range(radius):
            mask = self.grow(mask)
        return mask

    def flood(self, start: int, within: int) -> int:
        """Return what can be reached from the start through adjacent members of `within`."""
        reached = start & within
        edge = reached
        while edge:
            edge = self.grow(edge) & within & ~reached
            reached |= edge
        return reached

    def pieces(self, mask: int) -> list[int]:
        """Return the connected pieces of a set, in the stated order of their first hexes."""
        pieces = []
        while mask:
            piece = self.flood(mask & -mask, mask)
            pieces.append(piece)
            mask ^= piece
        return self.in_order(pieces)

    def step(self, mask: int, direction: int) -> int:
        """Return the set moved one hex in a direction (0 to 5), cut to the box."""
        by = self.shifts[direction]
        return (mask << by if by > 0 else mask >> -by) & self.box


def places(mask: int) -> Iterator[int]:
    """Yield the places of the bits of a set, lowest first."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def union(masks: Iterable[int]) -> int:
    """Return all members of several sets."""
    bits = 0
    for mask in masks:
        bits |= mask
    return bits
