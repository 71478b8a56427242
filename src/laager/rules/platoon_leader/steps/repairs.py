"""Repairs, captured weapons, stun and recall (PL 3.46, 3.461)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from laager.base import Problem
from laager.campaign.clauses import implements
from laager.campaign.questions import Choice, Field, Option, Question, Record, Rows
from laager.campaign.steps import Procedure, ask, roll, step
from laager.dice import Dice, Modifier
from laager.rules.common.changes import LEADERS, gone, is_vehicle, marked, moved
from laager.rules.common.telling import named
from laager.rules.common.units import Mark, Place, Unit
from laager.rules.platoon_leader.context import Cg

BROKEN = frozenset({Mark.MALFUNCTIONED, Mark.LOW_AMMO, Mark.MA_MALFUNCTIONED})
"""What a dr of 5 or less repairs."""

WEAPONS = frozenset({"sw", "gun"})


def holder(cg: Cg, unit: Unit) -> Unit | None:
    """Return who possesses a weapon: the vehicle itself for its own armament."""
    return unit if is_vehicle(unit) else cg.state.units.get(unit.with_unit)


def best_leader(cg: Cg, unit: Unit) -> Unit | None:
    """Return the leader with the best DRM where a unit is; a vehicle's own armor leader for it."""
    place = (unit.at, unit.place, unit.mlr)
    here = []
    for leader in cg.state.units_of(unit.side, *LEADERS):
        aboard = leader.with_unit == unit.id
        beside = not is_vehicle(unit) and (leader.at, leader.place, leader.mlr) == place
        afoot = leader.kind != "armor-leader" or aboard
        if (
            (aboard or (beside and place[0] is not None))
            and afoot
            and not leader.has(Mark.PRISONER)
        ):
            here.append(leader)
    return min(here, key=lambda leader: _leadership(cg, leader), default=None)


def _leadership(cg: Cg, leader: Unit) -> int:
    return cg.nation_of(leader).leadership(leader.type)


def repair_modifiers(cg: Cg, unit: Unit, *names: str) -> list[Modifier]:
    """Return those of the named drm of PL 3.46 that apply: leadership, inexperience and so on."""
    table = cg.table("repair-disabled")
    who = holder(cg, unit) or unit
    found = []
    leader = best_leader(cg, who)
    if "leadership" in names and leader is not None:
        found.append(table.modifier("leadership", value=_leadership(cg, leader)))
    if "inexperienced" in names and who.has(Mark.INEXPERIENCED):
        found.append(table.modifier("inexperienced"))
    if "captured-use" in names and unit.has(Mark.CAPTURED):
        found.append(table.modifier("captured-use"))
    if "ammunition-shortage" in names and who.has(Mark.AMMUNITION_SHORTAGE):
        found.append(table.modifier("ammunition-shortage"))
    return found


@implements("PL 3.46")
def repairs_due(cg: Cg, side: str) -> Iterator[tuple[str, Unit]]:
    """Return what a side rolls for, as (table, unit), in the order of the rule.

    Captured malfunctioned weapons are gone before; unpossessed ones and malfunctioned ones of
    Isolated units get no roll.
    """
    units = list(cg.state.units_of(side))
    for unit in units:
        who = holder(cg, unit)
        broken = unit.has(*BROKEN) and not unit.has(Mark.DISABLED, Mark.MA_DISABLED)
        if broken and who is not None and not who.has(Mark.ISOLATED):
            yield "repair-malfunctioned", unit
    for unit in units:
        if unit.kind in WEAPONS and unit.has(Mark.DISABLED) and holder(cg, unit) is not None:
            yield "repair-disabled", unit
    for unit in units:
        if is_vehicle(unit) and unit.has(Mark.IMMOBILIZED) and _may_be_mobilized(cg, unit):
            yield "repair-vehicle", unit
    for unit in units:
        if unit.kind == "sw" and unit.has(Mark.CAPTURED):
            yield "retain-captured", unit


def _may_be_mobilized(cg: Cg, unit: Unit) -> bool:
    """Whether an Immobilized vehicle is in a friendly MLR and not next to an enemy cluster."""
    front = cg.front
    if front is None or unit.hex is None or unit.hex not in front.friendly_mlr[unit.side]:
        return False
    return front.controlled[front.enemy(unit.side)].isdisjoint(cg.map.neighbours(unit.hex))


DRM_OF = {
    "repair-malfunctioned": (),
    "repair-disabled": ("leadership", "inexperienced", "captured-use", "ammunition-shortage"),
    "repair-vehicle": ("leadership", "inexperienced", "captured-use"),
    "retain-captured": (),
}
"""Which drm each roll of PL 3.46 has."""

CURED = {
    "repair-malfunctioned": BROKEN,
    "repair-disabled": frozenset({Mark.DISABLED}),
    "repair-vehicle": frozenset({Mark.IMMOBILIZED}),
}


@step("PL 3.46", "Repairs, ammunition, mobilizing vehicles", each_side=True)
def repairs(cg: Cg, side: str) -> Procedure[None]:
    """One dr for each broken weapon, disabled weapon, immobilized vehicle and captured SW."""
    for unit in list(cg.state.units_of(side)):
        broken = unit.has(Mark.MALFUNCTIONED, Mark.DISABLED)
        if unit.kind in WEAPONS and unit.has(Mark.CAPTURED) and broken:
            for fact in gone(cg, unit, Place.REMOVED, "a captured weapon that is out of order"):
                yield fact
    for name, unit in list(repairs_due(cg, side)):
        table = cg.table(name)
        modifiers = repair_modifiers(cg, unit, *DRM_OF[name])
        label = f"{table.title}: {unit.type}"
        rolled = yield from roll(side, label, Dice.dr, modifiers, secret=not unit.known)
        good = bool(table.result(rolled.final))
        why = f"{table.title}: final dr {rolled.final}"
        if good and name in CURED:
            for fact in marked(unit, remove=CURED[name], why=why):
                yield fact
        if not good and name == "retain-captured":
            for fact in gone(cg, unit, Place.REMOVED, f"{why}: not kept"):
                yield fact


# Stun and recall --------------------------------------------------------------------------------


def stunned(cg: Cg, side: str) -> list[Unit]:
    """Return a side's vehicles and vehicle crews under a +1 (Stun) counter."""
    units = cg.state.units_of(side, "afv", "vehicle", "crew")
    return [unit for unit in units if unit.has(Mark.STUN)]


@step("PL 3.461", "Removing stun; Recalled vehicles", each_side=True)
def stun_and_recall(cg: Cg, side: str) -> Procedure[None]:
    """Pairs of +1 counters may be removed at the price of a crew; Recalled vehicles may return."""
    units = stunned(cg, side)
    if len(units) >= 2:
        for row in (yield from ask(_stun_question(side, units))):
            kept, spent = cg.state.units[row["cured"]], cg.state.units[row["spent"]]
            why = f"the crews of {named(kept)} and {named(spent)} are combined"
            for fact in marked(kept, remove=[Mark.STUN], why=why):
                yield fact
            if is_vehicle(spent):
                add, remove = [Mark.ABANDONED], [Mark.STUN]
                for fact in marked(spent, add=add, remove=remove, why=why):
                    yield fact
            else:
                for fact in gone(cg, spent, Place.REMOVED, why):
                    yield fact
    yield from _recalled(cg, side)


def _stun_question(side: str, units: list[Unit]) -> Question:
    def check(rows: list[dict[str, Any]]) -> list[Problem]:
        named = [name for row in rows for name in (row["cured"], row["spent"])]
        return [
            Problem(f"{name} is named more than once", "each counter is used once")
            for name in sorted({name for name in named if named.count(name) > 1})
        ]

    options = Choice(tuple(Option(unit.id, unit.label) for unit in units))
    return Question(
        key="stun",
        side=side,
        text="Combine crews to remove +1 (Stun) counters? Name pairs: who is cured, who is spent.",
        form=Rows(Record((Field("cured", options, "Cured"), Field("spent", options, "Spent")))),
        rule="PL 3.461",
        secret=True,
        default=[],
        check=check,
        help="A spent vehicle is Abandoned, a spent crew counter is removed; neither scores CVP.",
    )


def _recalled(cg: Cg, side: str) -> Procedure[None]:
    table = cg.table("reclaim-recalled")
    units = [u for u in cg.state.units.values() if u.side == side and u.place is Place.RECALLED]
    for unit in units:
        names = ("inexperienced", "captured-use", "ammunition-shortage")
        modifiers = repair_modifiers(cg, unit, *names)
        rolled = yield from roll(side, f"Recalled {unit.type}", Dice.dr, modifiers)
        if table.result(rolled.final):
            for fact in marked(unit, remove=[Mark.RECALL, Mark.STUN, Mark.SHOCK], why="it returns"):
                yield fact
            yield moved(unit, None, Place.OFF_MAP, f"final dr {rolled.final}: it returns to the OB")
        else:
            for fact in gone(cg, unit, Place.REMOVED, f"final dr {rolled.final}: lost without CVP"):
                yield fact
