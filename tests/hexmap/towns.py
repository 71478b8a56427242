"""The synthetic town of the worked example, and random small towns."""

from __future__ import annotations

from functools import cache
from typing import Any

from hypothesis import strategies as st

from laager.hexmap import HexMap

from .helpers import made, plain

BRITISH, GERMAN = SIDES = ("british", "german")
NAMES = {"W": "B4", "NE": "G2", "SE": "H7"}

# Even columns have rows 1 to 9, odd ones 0 to 9: the rows below are not in play.
TWELVE: dict[str, Any] = {
    "boards": [{"columns": 12, "rows": 9, "half_rows": True}],
    "terrain": {"river": ["A9-L9"]},
    "roads": [
        {"kind": "paved", "along": ["E1-E9"]},
        {"kind": "paved", "along": ["E5-L5"]},
        {"kind": "unpaved", "along": ["E3", "D3", "C3"]},
        {"kind": "unpaved", "along": ["J0-J4"]},
    ],
}
ARROWS = [
    {"arrow": "A4", "colour": "red", "owner": BRITISH},
    {"arrow": "G1", "colour": "grey", "owner": GERMAN},
    {"arrow": "L5", "single": True},
]


@cache
def twelve_columns() -> HexMap:
    """Return the map of the worked example A1: 114 hexes, 22 of them streets, 12 river."""
    return made(**TWELVE, block_names=NAMES, entry_areas=ARROWS)


def edged(**sections: Any) -> HexMap:
    """Return a map on which the arrows of A Bridge Too Far stand: A to JJ, rows 0 or 1 to 23."""
    return made(boards=[{"columns": 36, "rows": 23, "half_rows": True}], **sections)


@st.composite
def towns(draw: st.DrawFn) -> HexMap:
    """Return a small town with roads anywhere, some river, perhaps a Blockhouse."""
    columns, rows = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    half = draw(st.booleans())
    bare = made(boards=[{"columns": columns, "rows": rows, "half_rows": half}])
    names = sorted(bare.hexes)
    some = st.lists(st.sampled_from(names), max_size=6, unique=True)
    roads = []
    for _ in range(draw(st.integers(0, 7))):
        way = [draw(st.sampled_from(names))]
        for _ in range(draw(st.integers(0, 7))):
            way.append(draw(st.sampled_from(bare.neighbours(way[-1]) or (way[-1],))))
        along = [name for i, name in enumerate(way) if i == 0 or name != way[i - 1]]
        roads.append({"kind": draw(st.sampled_from(["paved", "unpaved", "path"])), "along": along})
    closed = draw(some)
    return made(
        boards=[{"columns": columns, "rows": rows, "half_rows": half}],
        roads=roads,
        terrain={"river": draw(some)},
        features={"blockhouse": draw(some)},
        no_block=draw(some),
        not_playable=closed if len(closed) < len(names) else [],
    )


__all__ = ["SIDES", "edged", "plain", "towns", "twelve_columns"]
