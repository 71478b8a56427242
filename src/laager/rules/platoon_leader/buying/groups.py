"""Groups and units as they come into an OB: their ids, their counters, what a group brings.

All functions return facts for their own side only; the caller yields them one by one, because
each id follows from what the state has counted before.
"""

from __future__ import annotations

from collections.abc import Iterator

from laager.campaign import Fact, implements
from laager.rules.board.card.parts import UnitLine
from laager.rules.board.facts import SanChanged
from laager.rules.board.numbering import join_unit, join_units, next_group_id
from laager.rules.board.units import Place, Unit
from laager.rules.platoon_leader.card.card import ReinforcementGroup, RgKind, Setup
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.facts import CpChanged, GroupJoined
from laager.rules.platoon_leader.state import Group


@implements("PL 2.33")
def reserve_dummies(cg: Cg, line: ReinforcementGroup) -> int:
    """Return how many Dummy Cloaking counters a group bought In Reserve brings (PL 2.33)."""
    return cg.charts.reserves.dummies_of(line.size)


def platoons_of(cg: Cg, line: ReinforcementGroup) -> int:
    """Return how many infantry platoons a group counts as, by the reading in force (PL 2.3)."""
    if line.size == "company" and cg.reading("company-platoons") == "none":
        return 0
    return line.platoons


# When units come ---------------------------------------------------------------------------------


def group_of(cg: Cg, unit: Unit) -> Group | None:
    """Return the reinforcement group of a unit; None for what the OB gives singly."""
    return cg.state.groups.get((unit.side, unit.group))


def is_new(cg: Cg, unit: Unit) -> bool:
    """True if a unit's group joined for the present firefight."""
    group = group_of(cg, unit)
    return group is not None and group.firefight == cg.state.fight.number


@implements("PL 2.32", "PL 2.34", "PL CG8")
def enters_because(cg: Cg, unit: Unit) -> str:
    """Say why a unit off the map can't set up there; "" if it can.

    It can if its group paid for On Map or In Reserve, or joined before this firefight (it waited
    off map, or its firefight was Idle). A leader generated since the last firefight enters. By the
    reading `exited-units`, a unit that left the map in the last firefight enters too.
    """
    number = cg.state.fight.number
    past = cg.state.past
    if past and unit.id in past[-1].exited and cg.reading("exited-units") == "enters":
        return "it left the map in the last firefight and enters as a reinforcement (PL CG8)"
    group = group_of(cg, unit)
    if group is None:
        generated = unit.id in cg.state.generated and unit.since == number - 1 and not unit.fought
        return "a generated leader enters as a reinforcement (PL 3.45)" if generated else ""
    fresh = group.firefight == number and not group.may_set_up
    if fresh and group.setup is Setup.OFF_MAP:
        return f"{group.id} was bought to enter (PL 2.34)"
    return ""


def in_reserve(cg: Cg, unit: Unit) -> bool:
    """True if a unit belongs to a group bought In Reserve for this firefight (PL 2.33)."""
    group = group_of(cg, unit)
    return group is not None and group.setup is Setup.RESERVE and group.firefight == cg.state.fight.number


def sets_up(cg: Cg, unit: Unit) -> bool:
    """True if a unit is on the map or can set up there in this firefight (PL 2.32)."""
    if unit.place is not Place.OFF_MAP:
        return unit.place in {Place.MAP, Place.POOL}
    return not (in_reserve(cg, unit) or enters_because(cg, unit))


# Joining ------------------------------------------------------------------------------------------


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
        id=next_group_id(cg, side, line.id),
        side=side,
        rg=line.id,
        firefight=cg.state.fight.number,
        setup=setup,
        cost=cost,
        given=given,
        dummies=reserve_dummies(cg, line) if setup is Setup.RESERVE else 0,
        equipment=equipment,
    )
    platoons = platoons_of(cg, line)
    troops = line.troops or ""
    yield GroupJoined(group=group, platoons=platoons, troops=troops, why=why, to=(side,))
    if cost:
        yield CpChanged(side=side, by=-cost, why=f"{group.id}: {why}", to=(side,))
    brought = f"{'given' if given else 'bought'} as {group.id}, {line.name}"
    yield from join_units(cg, side, line.units, group.id, brought)
    if line.op_vehicle is not None:
        extra = (UnitLine(type=line.op_vehicle),)
        yield from join_units(cg, side, extra, group.id, f"{brought}: observers' vehicle")
    if line.kind is RgKind.SAN:
        yield SanChanged(side=side, by=line.san, why=f"{group.id}: SAN +{line.san}", to=(side,))


def given_groups_join(cg: Cg, side: str) -> Iterator[Fact]:
    """The groups that the OB gives for the present firefight come at no cost, with the leaders that the card names."""
    for item in cg.side(side).given_for(cg.state.fight.number):
        line = cg.side(side).group(item.rg)
        assert line is not None, "the card was checked: every given group is on the chart"
        group = next_group_id(cg, side, item.rg)
        yield from group_joins(cg, side, line, item.setup, given=True, why=f"{line.name}, by the OB")
        for leader in item.leaders or ():
            kind = "armor-leader"
            if line.kind is not RgKind.AFV:
                kind = cg.nation(side).unit(leader).kind.value
            yield join_unit(cg, side, leader, kind, group, why=f"leader of {group}, named by the card")
