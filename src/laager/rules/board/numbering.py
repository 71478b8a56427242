"""Units and fortifications as they come into an OB: their ids, crews of Guns.

The enemy meets ids as he meets counters. If they counted up, the first one that he sees would show how many
he does not see. That is why their numbers are drawn, in an order that only the campaign's key gives.
Campaigns begun without a key go on counting.

All functions return facts for their own side only; the caller yields them one by one, because each id follows
from what the state has counted before.
"""

from __future__ import annotations

from array import array
from collections.abc import Container, Iterable, Iterator, Sequence
from functools import lru_cache
from hashlib import sha256
from typing import Any

from laager.campaign import Fact
from laager.catalogue import GunType
from laager.rules.board.card.parts import UnitLine
from laager.rules.board.context import CardContext
from laager.rules.board.facts import FortJoined, UnitJoined
from laager.rules.board.units import Fort, Mark, Unit

SHORTEST = 3
"""How many digits drawn numbers have, until all of them are used up."""


def next_unit_id(cg: CardContext, side: str) -> str:
    """Return the id of the next unit of a side: the first letters of the side and a number."""
    return _free_id(cg, side[:2].upper(), cg.state.sides[side].next_unit, cg.state.units)


def join_unit(
    cg: CardContext,
    side: str,
    type_: str,
    kind: str,
    group: str = "",
    *,
    marks: Iterable[Mark] = (),
    with_unit: str = "",
    why: str = "",
) -> UnitJoined:
    """Return the fact that one new unit is in the OB, off the map and unknown to the enemy."""
    unit = Unit(
        id=next_unit_id(cg, side),
        side=side,
        nation=cg.side(side).nation,
        type=type_,
        kind=kind,
        group=group,
        marks=frozenset(marks),
        with_unit=with_unit,
        since=cg.state.number,
    )
    return UnitJoined(unit=unit, why=why, to=(side,))


def join_units(cg: CardContext, side: str, lines: Sequence[UnitLine], group: str = "", why: str = "") -> Iterator[Fact]:
    """Let all units of some lines come into the OB, every Gun with a crew.

    A Gun takes a crew that the lines list, in their order; where they list too few it brings its
    own from the catalogue.
    """
    nation = cg.nation(side)
    crews: list[str] = []
    guns: list[GunType] = []
    for line in lines:
        type_ = nation.unit(line.type)
        marks = (Mark.ENGINEERS,) if line.engineers else ()
        for _ in range(line.count):
            if isinstance(type_, GunType):
                guns.append(type_)
                continue
            fact = join_unit(cg, side, line.type, type_.kind.value, group, marks=marks, why=why)
            if type_.kind.value == "crew":
                crews.append(fact.unit.id)
            yield fact
    for gun in guns:
        if not crews and gun.crew is not None:
            fact = join_unit(cg, side, gun.crew, "crew", group, why=f"{why}; crew of {gun.type}")
            crews.append(fact.unit.id)
            yield fact
        crew = crews.pop(0) if crews else ""
        yield join_unit(cg, side, gun.type, "gun", group, with_unit=crew, why=why)


def next_group_id(cg: CardContext, side: str, key: str) -> str:
    """Return the id of the next group of a chart line: `I1/2` for the second I1 of the campaign."""
    return f"{key}/{1 + sum(group.rg == key for group in cg.state.groups_of(side))}"


def next_fort_id(cg: CardContext, side: str) -> str:
    """Return the id of the next fortification of a side: the letters, F and a number."""
    return _free_id(cg, f"{side[:2].upper()}F", cg.state.sides[side].next_fort, cg.state.forts)


def join_fort(cg: CardContext, side: str, kind: str, size: str = "", *, why: str = "", **more: Any) -> FortJoined:
    """Return the fact that one entry for new fortifications is in the OB, known to its own side only."""
    fort = Fort(id=next_fort_id(cg, side), side=side, kind=kind, size=size, firefight=cg.state.number, **more)
    return FortJoined(fort=fort, why=why, to=(side,))


def forts_of(cg: CardContext, side: str, kind: str) -> Iterator[Fort]:
    """Return a side's fortifications of a kind."""
    return (fort for fort in cg.state.forts.values() if fort.side == side and fort.kind == kind)


def _free_id(cg: CardContext, letters: str, count: int, taken: Container[str]) -> str:
    """Return the id of the `count`th thing with these letters, or of the next that a record hasn't given away."""
    while (name := f"{letters}{_number(cg, letters, count)}") in taken:
        count += 1
    return name


def _number(cg: CardContext, letters: str, count: int) -> int:
    """Return the number of the `count`th thing with these letters."""
    if not cg.drawn:
        return count
    digits = SHORTEST
    while count > (there := 9 * 10 ** (digits - 1)):
        count, digits = count - there, digits + 1
    return _draw_numbers(f"{cg.drawn} {letters}", digits)[count - 1]


@lru_cache(maxsize=4096)
def _draw_numbers(key: str, digits: int) -> Sequence[int]:
    """Return all numbers with this many digits in the order in which a key draws them."""
    numbers = range(10 ** (digits - 1), 10**digits)
    return array("I", sorted(numbers, key=lambda number: sha256(f"{key} {number}".encode()).digest()))
