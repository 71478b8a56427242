"""Groups and units as they come into an OB: their ids, their counters, what a group brings.

All functions return facts for their own side only; the caller yields them one by one, because
each id follows from what the state has counted before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from laager.campaign.clauses import implements
from laager.campaign.facts import Fact
from laager.catalogue import GunType
from laager.rules.platoon_leader.card import (
    ReinforcementGroup,
    RgKind,
    Setup,
    UnitLine,
)
from laager.rules.platoon_leader.charts import charts
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.facts import CpChanged, GroupJoined, SanChanged, UnitJoined
from laager.rules.platoon_leader.units import Group, Mark, Unit


def group_id(cg: Cg, side: str, rg: str) -> str:
    """Return the id of the next group of this RG: `I1/2` for the second I1 of the campaign."""
    return f"{rg}/{1 + sum(group.rg == rg for group in cg.state.groups_of(side))}"


def next_unit_id(cg: Cg, side: str) -> str:
    """Return the id of the next unit of a side: the first letters of the side and a number."""
    return f"{side[:2].upper()}{cg.state.side(side).next_unit}"


def unit_joins(
    cg: Cg,
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
        since=cg.state.fight.number,
    )
    return UnitJoined(unit=unit, why=why, to=(side,))


def units_join(
    cg: Cg, side: str, lines: Sequence[UnitLine], group: str = "", why: str = ""
) -> Iterator[Fact]:
    """All units of some lines come into the OB; every Gun with a crew.

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
            fact = unit_joins(cg, side, line.type, type_.kind.value, group, marks=marks, why=why)
            if type_.kind.value == "crew":
                crews.append(fact.unit.id)
            yield fact
    for gun in guns:
        if not crews and gun.crew is not None:
            fact = unit_joins(cg, side, gun.crew, "crew", group, why=f"{why}; crew of {gun.type}")
            crews.append(fact.unit.id)
            yield fact
        crew = crews.pop(0) if crews else ""
        yield unit_joins(cg, side, gun.type, "gun", group, with_unit=crew, why=why)


@implements("PL 2.33")
def reserve_dummies(line: ReinforcementGroup) -> int:
    """Return how many Dummy Cloaking counters a group bought In Reserve brings (PL 2.33)."""
    return charts().reserves.dummies_of(line.size)


def platoons_of(cg: Cg, line: ReinforcementGroup) -> int:
    """Return how many infantry platoons a group counts as, by the reading in force (PL 2.3)."""
    if line.size == "company" and cg.reading("company-platoons") == "none":
        return 0
    return line.platoons


@implements("PL 1.4 Reinforcement Groups", "PL 1.4 RG Purchase Record")
def group_joins(
    cg: Cg,
    side: str,
    line: ReinforcementGroup,
    setup: Setup,
    cost: int = 0,
    *,
    given: bool = False,
    equipment: str = "",
    why: str = "",
) -> Iterator[Fact]:
    """A group comes into the OB with its units; its CP are spent, its SAN increase counts."""
    group = Group(
        id=group_id(cg, side, line.id),
        side=side,
        rg=line.id,
        firefight=cg.state.fight.number,
        setup=setup,
        cost=cost,
        given=given,
        dummies=reserve_dummies(line) if setup is Setup.RESERVE else 0,
        equipment=equipment,
    )
    platoons = platoons_of(cg, line)
    troops = line.troops or ""
    yield GroupJoined(group=group, platoons=platoons, troops=troops, why=why, to=(side,))
    if cost:
        yield CpChanged(side=side, by=-cost, why=f"{group.id}: {why}", to=(side,))
    brought = f"{'given' if given else 'bought'} as {group.id}, {line.name}"
    yield from units_join(cg, side, line.units, group.id, brought)
    if line.op_vehicle is not None:
        extra = (UnitLine(type=line.op_vehicle),)
        yield from units_join(cg, side, extra, group.id, f"{brought}: observers' vehicle")
    if line.kind is RgKind.SAN:
        yield SanChanged(side=side, by=line.san, why=f"{group.id}: SAN +{line.san}", to=(side,))
