"""Jungle Paths: where the markers of a purchase can be (CG16; GEO-5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from laager.base import Problem
from laager.campaign import implements
from laager.hexmap import jungle_path_problems
from laager.rules.board.hasl.buying.fortifications import JUNGLE_PATH
from laager.rules.board.units import Fort
from laager.rules.edsons_ridge.terrain import DENSE, contents, path_gaps

if TYPE_CHECKING:
    from laager.rules.edsons_ridge.context import Er

THICK = frozenset({"bamboo", DENSE})
"""Terrain in which a marker counts as two."""


def purchases(cg: Er, side: str) -> list[Fort]:
    """Return a side's purchases whose markers are not on the map yet."""
    return [
        fort for fort in cg.state.forts.values() if fort.side == side and fort.kind == JUNGLE_PATH and fort.at is None
    ]


def markers(cg: Er, side: str | None = None) -> list[Fort]:
    """Return the markers on the map, of one side or of both."""
    return [
        fort
        for fort in cg.state.forts.values()
        if fort.kind == JUNGLE_PATH and fort.at is not None and side in (None, fort.side)
    ]


@implements("ER CG16")
def worth(cg: Er, names: Sequence[str]) -> int:
    """Return how many markers these count for: two in Bamboo or jungle that is still dense."""
    return sum(2 if contents(cg, name) & THICK else 1 for name in names)


@implements("ER CG16", "ER 1.520 Note e", "ER GEO-5")
def problems(cg: Er, side: str, names: Sequence[str]) -> Iterator[Problem]:
    """Yield all that is wrong with where the markers of one purchase are."""
    isolated = {name for area in cg.state.areas_of(side) if area.isolated for name in area.hexes} & set(
        map(cg.map.main, names)
    )
    if isolated:
        what = f"{', '.join(cg.sort(isolated))} is Isolated"
        yield Problem(what, "no Jungle Path is placed there (ER 1.520 Note e)")
    several = cg.reading("jungle-path-gaps") == "several"
    cost = worth(cg, list(dict.fromkeys(map(cg.map.main, names))))
    yield from jungle_path_problems(cg.map, names, path_gaps(cg), several=several, cost=cost)
