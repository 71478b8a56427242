"""Hexes of which nobody has told what they are: terrain `unknown`.

Rules do not guess. Where one depends on such a hex, the players' word counts, and nothing happens
there by itself: who says that a unit hides there is believed, fire does not spread to it.
"""

from __future__ import annotations

from laager.hexmap.hexmap import HexMap
from laager.hexmap.ranges import as_ranges
from laager.hexmap.values import Hex

UNKNOWN = "unknown"
_SHOWN = 20


def is_unknown(hex_: Hex) -> bool:
    """Return whether nobody has told what a hex is."""
    return UNKNOWN in hex_.contents


def unknown_hexes(map_: HexMap) -> tuple[str, ...]:
    """Return the hexes in play of which nobody has told what they are, in their stated order."""
    return tuple(name for name, one in map_.hexes.items() if is_unknown(one) and name in map_.playable)


def still_unknown(map_: HexMap) -> str:
    """Return words for the hexes that nobody has told of, of many the first; "" for none."""
    found = unknown_hexes(map_)
    if not found:
        return ""
    ranges = as_ranges(found).split(", ")
    more = f" and {len(ranges) - _SHOWN} more ranges" if len(ranges) > _SHOWN else ""
    hexes = "one hex" if len(found) == 1 else f"{len(found)} hexes"
    return f"the terrain of {hexes} is not known: {', '.join(ranges[:_SHOWN])}{more}"
