"""OP tanks: a normal tank counter that carries the Observer of a battery (H1.46)."""

from __future__ import annotations

from laager.campaign import implements
from laager.rules.design_your_own.charts import OpTank, charts
from laager.rules.design_your_own.nations import Group
from laager.rules.design_your_own.reckoning import Breach, Reason, Unknown
from laager.rules.design_your_own.theatres import in_theatre

MOTORIZED = "DYO H1.46"


@implements("DYO H1.462", "DYO H1.463", "DYO H1.464", "DYO H1.4641", "DYO H1.465")
def op_tanks(group: Group) -> tuple[OpTank, ...]:
    """Return the OP tanks of a nation; what is None of them is lost and must be supplied."""
    return tuple(tank for tank in charts().op_tanks.rows if group in tank.groups)


def op_tank(id_: str) -> OpTank | None:
    """Return an OP tank of the charts, None if it is one of the owner's."""
    return next((tank for tank in charts().op_tanks.rows if tank.id == id_), None)


@implements("DYO H1.462", "DYO H1.464")
def op_tank_gaps(tank: OpTank) -> tuple[Unknown, ...]:
    """Return what must be supplied before an OP tank can be used."""
    found = []
    if tank.bpv is None:
        found.append(Unknown(f"the BPV of the {tank.name}", tank.rule))
    if tank.counter is None:
        found.append(Unknown(f"the counter of the {tank.name}", tank.rule))
    if tank.oba is None:
        what = f"which batteries the {tank.name} observes for"
        found.append(Unknown(what, tank.rule, "any of its side"))
    return tuple(found)


@implements("DYO H1.46", "DYO H1.463", "DYO H1.4641", "DYO H1.465")
def op_tank_breaches(
    tank: OpTank,
    *,
    group: Group,
    year: int,
    motorized: bool,
    battery: str | None,
    served: bool = False,
    theatre: str = "",
) -> tuple[Breach, ...]:
    """Return why an OP tank cannot be had.

    `battery` is the size and type of the battery bought for it (`80+M`), None for none; `served`
    says that the battery has an OP tank already. A lost list of batteries allows all.
    """
    found = []
    if group not in tank.groups:
        owners = " or ".join(each.words for each in tank.groups)
        found.append(Breach(Reason.NATION, tank.rule, f"{tank.name} for {group.words}", owners))
    if not motorized:
        what = f"{tank.name} without a motorized unit"
        found.append(Breach(Reason.MOTORIZED, MOTORIZED, what, "pay the tenth before vehicles"))
    if battery is None:
        what = f"{tank.name} without a battery"
        found.append(Breach(Reason.BATTERY, MOTORIZED, what, "buy the OBA first"))
    elif tank.oba is not None and battery not in tank.oba:
        what = f"{tank.name} for a {battery} battery"
        found.append(Breach(Reason.BATTERY, tank.rule, what, f"{' or '.join(tank.oba)} only"))
    if served:
        what = "the battery has an OP tank"
        found.append(Breach(Reason.BATTERY, MOTORIZED, what, "one for each battery"))
    if (tank.from_ is not None and year < tank.from_) or (tank.to is not None and year > tank.to):
        what = f"{tank.name} in {year}"
        found.append(Breach(Reason.DATE, tank.rule, what, f"{tank.from_} to {tank.to}"))
    if tank.theatre and theatre and not in_theatre(theatre, tank.theatre):
        what = f"{tank.name} in {theatre}"
        found.append(Breach(Reason.DATE, tank.rule, what, f"it served in {tank.theatre}"))
    return tuple(found)
