"""Means of a side that both sides know, by RG charts and OB.

A side that could have something is asked about it even if it has none: the question must not tell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from laager.catalogue import GunType, Nation
from laager.rules.board.card.parts import UnitLine
from laager.rules.board.hasl.charts import Kind, RgLine
from laager.rules.board.hasl.context import Hasl

WITH_COUNTERS = frozenset({Kind.AFV, Kind.VEHICLE, Kind.GUN, Kind.TRANSPORT})
"""The types of groups that bring vehicles or Guns."""


def could_buy(cg: Hasl, side: str, fits: Callable[[RgLine], bool]) -> bool:
    """True if a line of a side's RG chart fits, or if the chart isn't filled in."""
    lines = cg.side_charts(side).rg
    return lines is None or any(map(fits, lines))


def given_units(cg: Hasl, side: str) -> Iterator[UnitLine]:
    """Yield the units that the OB gives a side at the start and later."""
    yield from cg.side(side).ob.units
    for date in cg.card.dates:
        given = date.given.get(side)  # type: ignore[call-overload]
        yield from given.units if given is not None else ()


def could_have_guns(cg: Hasl, side: str) -> bool:
    """True if a side can have Guns, which it can declare Strategic (HASL 5)."""
    nation = cg.nation(side)
    return could_buy(cg, side, lambda line: _guns(nation, line.full)) or _guns(nation, given_units(cg, side))


def _guns(nation: Nation, units: Iterable[UnitLine]) -> bool:
    return any(isinstance(nation.unit(unit.type), GunType) for unit in units)


def could_have_vehicles_or_guns(cg: Hasl, side: str) -> bool:
    """True if a side can have vehicles or Guns, of which it notes a secret status (ABtF CG18, ER CG9)."""
    nation = cg.nation(side)
    return could_buy(cg, side, lambda line: line.kind in WITH_COUNTERS) or any(
        nation.is_vehicle(unit.type) or nation.is_gun(unit.type) for unit in given_units(cg, side)
    )
