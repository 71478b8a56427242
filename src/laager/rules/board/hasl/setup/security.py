"""Security Areas of field phones: the way from the phone to a Friendly Entry Area (C1.23)."""

from __future__ import annotations

from collections.abc import Sequence

from laager.base import Problem
from laager.hexmap import Terms, enterable_path, path_problems
from laager.rules.board.card.parts import other
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.places import hex_of


def shut_to(cg: Hasl, side: str) -> Terms:
    """Return what no Security Area leads through: Enemy Setup Areas and terrain Blazes."""
    enemy = cg.state.friendly(other(side))
    # A Blaze may be told of an upper Location: it is in the way of the whole hex.
    blazes = frozenset(hex_of(name) for name in cg.state.ground.blazes)
    return Terms(barred=enemy | blazes)


def way_ends(cg: Hasl, side: str) -> frozenset[str]:
    """Return the hexes of the side's Entry Areas."""
    return frozenset(name for arrow in cg.arrows(side) for name in cg.entry_hexes(arrow))


def security_problems(cg: Hasl, side: str, way: Sequence[str]) -> tuple[Problem, ...]:
    """Return what is wrong with a Security Area: hexes in order, from the phone to the edge."""
    found = list(path_problems(cg.map, way, shut_to(cg, side)))
    if way and cg.map.main(way[-1]) not in way_ends(cg, side):
        found.append(Problem(f"{way[-1]} is in no Friendly Entry Area", "lead it to one"))
    return tuple(found)


def some_way(cg: Hasl, side: str, *starts: str) -> tuple[str, ...]:
    """Return the first way for a Security Area from one of these hexes; empty if there is none."""
    ends = way_ends(cg, side)
    path = enterable_path(cg.map, starts, cg.map.in_order(ends), shut_to(cg, side))
    return path.hexes if path is not None else ()
