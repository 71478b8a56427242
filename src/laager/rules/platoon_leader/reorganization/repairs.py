"""Repairs, captured weapons, stun and recall (PL 3.46, 3.461)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from laager.base import Problem
from laager.campaign import Field, Procedure, Rows, SecretQuestion, ask, implements, roll, step
from laager.dice import Dice, Modifier
from laager.rules.board.changes import LEADERS, change_marks, is_vehicle, place_unit, remove_unit
from laager.rules.board.rows import unit_choice
from laager.rules.board.units import Mark, Place, Unit
from laager.rules.board.wording import public_name
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.quality import is_inexperienced, leadership

WEAPONS = frozenset({"sw", "gun"})


def holder(cg: Cg, unit: Unit) -> Unit | None:
    """Return the unit that possesses a weapon: the vehicle itself for its own armament."""
    return unit if is_vehicle(unit) else cg.state.units.get(unit.with_unit)


def best_leader(cg: Cg, unit: Unit) -> Unit | None:
    """Return the leader with the best DRM where a unit is; a vehicle's own armor leader for it."""
    here = [
        leader
        for leader in cg.state.units_of(unit.side, *LEADERS)
        if not leader.has(Mark.PRISONER) and _leads(cg, leader, unit)
    ]
    return min(here, key=lambda leader: leadership(cg, leader), default=None)


@implements("PL 3.46")
def _leads(cg: Cg, leader: Unit, unit: Unit) -> bool:
    """True if a leader is with a unit.

    Units that Option B took off the map are where they stood (PL 3.34); by the other reading of
    `off-map-leadership` all that were taken off one MLR are together.
    """
    if leader.with_unit == unit.id:
        return True
    if is_vehicle(unit) or leader.kind == "armor-leader" or leader.place is not unit.place:
        return False
    if unit.place is Place.POOL and cg.reading("off-map-leadership") == "its-mlr":
        return leader.mlr == unit.mlr
    return leader.spot is not None and leader.spot == unit.spot


def repair_modifiers(cg: Cg, unit: Unit, *names: str) -> list[Modifier]:
    """Return those of the named drm of PL 3.46 that apply: leadership, inexperience and so on."""
    table = cg.table("repair-disabled")
    who = holder(cg, unit) or unit
    modifiers = []
    leader = best_leader(cg, who)
    if "leadership" in names and leader is not None:
        modifiers.append(table.modifier("leadership", value=leadership(cg, leader)))
    if "inexperienced" in names and is_inexperienced(cg, who):
        modifiers.append(table.modifier("inexperienced"))
    if "captured-use" in names and unit.has(Mark.CAPTURED):
        modifiers.append(table.modifier("captured-use"))
    if "ammunition-shortage" in names and who.has(Mark.AMMUNITION_SHORTAGE):
        modifiers.append(table.modifier("ammunition-shortage"))
    return modifiers


@dataclass(frozen=True)
class RepairRoll:
    """A roll that is due: its table, the unit, the markers that come off if it is good.

    `what` names the weapon of a vehicle that has several.
    """

    table: str
    unit: Unit
    cures: frozenset[Mark] = frozenset()
    what: str = ""

    @property
    def label(self) -> str:
        """What is rolled for, in words."""
        return f"{self.unit.type}, {self.what}" if self.what else self.unit.type


@dataclass(frozen=True)
class Weapon:
    """The markers of one weapon: what a dr of 5 or less repairs, and what keeps it from that."""

    faults: frozenset[Mark]
    disabled: frozenset[Mark] = frozenset()
    what: str = ""


ITSELF = (Weapon(frozenset({Mark.MALFUNCTIONED, Mark.LOW_AMMO}), frozenset({Mark.DISABLED})),)
"""An SW or Gun is one weapon."""

ARMAMENT = (
    Weapon(frozenset({Mark.MA_MALFUNCTIONED, Mark.LOW_AMMO}), frozenset({Mark.MA_DISABLED}), "MA"),
    Weapon(frozenset({Mark.MALFUNCTIONED}), what="secondary armament"),
)
"""The weapons of a vehicle. Low Ammo is its MA's (D3.71); other weapons share their markers."""


@implements("PL 3.46")
def repairs_due(cg: Cg, side: str) -> Iterator[RepairRoll]:
    """Return what a side rolls for, in the order of the rule: each weapon by itself.

    Captured malfunctioned weapons are gone before; unpossessed ones and malfunctioned ones of
    Isolated units get no roll.
    """
    units = list(cg.state.units_of(side))
    for unit in units:
        who = holder(cg, unit)
        if who is not None and not who.has(Mark.ISOLATED):
            yield from _malfunctions_due(cg, unit)
    for unit in units:
        if unit.has(Mark.DISABLED) and holder(cg, unit) is not None:
            part = "secondary armament" if is_vehicle(unit) else ""
            yield RepairRoll("repair-disabled", unit, frozenset({Mark.DISABLED}), part)
    for unit in units:
        if is_vehicle(unit) and unit.has(Mark.IMMOBILIZED) and _may_be_mobilized(cg, unit):
            yield RepairRoll("repair-vehicle", unit, frozenset({Mark.IMMOBILIZED}))
    for unit in units:
        if unit.kind == "sw" and unit.has(Mark.CAPTURED):
            yield RepairRoll("retain-captured", unit)


def _malfunctions_due(cg: Cg, unit: Unit) -> Iterator[RepairRoll]:
    if unit.has(Mark.ABANDONED) and cg.reading("abandoned-armament") == "not-repaired":
        return
    for weapon in ARMAMENT if is_vehicle(unit) else ITSELF:
        if unit.has(*weapon.faults) and not unit.has(*weapon.disabled):
            yield RepairRoll("repair-malfunctioned", unit, weapon.faults, weapon.what)


def _may_be_mobilized(cg: Cg, unit: Unit) -> bool:
    """True if an Immobilized vehicle is in a friendly MLR and not next to an enemy cluster."""
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


@step("PL 3.46", "Repairs, ammunition, mobilizing vehicles", each_side=True, edition=2)
def repairs(cg: Cg, side: str) -> Procedure[None]:
    """One dr for each broken weapon, disabled weapon, immobilized vehicle and captured SW."""
    for unit in list(cg.state.units_of(side)):
        if unit.kind in WEAPONS and unit.has(Mark.CAPTURED) and unit.has(Mark.MALFUNCTIONED):
            yield from remove_unit(cg, unit, Place.REMOVED, "a captured weapon that malfunctions")
    for due in list(repairs_due(cg, side)):
        yield from _rolled_for(cg, side, due)


def _rolled_for(cg: Cg, side: str, due: RepairRoll) -> Procedure[None]:
    table, unit = cg.table(due.table), due.unit
    modifiers = repair_modifiers(cg, unit, *DRM_OF[due.table])
    label = f"{table.title}: {due.label}"
    rolled = yield from roll(side, label, Dice.dr, modifiers, secret=not unit.known, table=table.id)
    good = bool(table.result(rolled.final))
    why = f"{table.title}: final dr {rolled.final}"
    if good:
        yield from change_marks(unit, remove=due.cures, why=why)
    elif due.table == "retain-captured":
        yield from remove_unit(cg, unit, Place.REMOVED, f"{why}: not kept")


# Stun and recall --------------------------------------------------------------------------------


def find_stunned(cg: Cg, side: str) -> list[Unit]:
    """Return a side's vehicles and vehicle crews under a +1 (Stun) counter."""
    units = cg.state.units_of(side, "afv", "vehicle", "crew")
    return [unit for unit in units if unit.has(Mark.STUN)]


@step("PL 3.461", "Removing stun; Recalled vehicles", each_side=True, edition=2)
def stun_and_recall(cg: Cg, side: str) -> Procedure[None]:
    """A side can remove pairs of +1 counters at the price of a crew; Recalled vehicles can return."""
    units = find_stunned(cg, side)
    if len(units) >= 2:
        for row in (yield from ask(_stun_question(side, units))):
            kept, spent = cg.state.units[row["cured"]], cg.state.units[row["spent"]]
            why = f"the crews of {public_name(kept)} and {public_name(spent)} are combined"
            yield from change_marks(kept, remove=[Mark.STUN], why=why)
            if is_vehicle(spent):
                add, remove = [Mark.ABANDONED], [Mark.STUN]
                yield from change_marks(spent, add=add, remove=remove, why=why)
            else:
                yield from remove_unit(cg, spent, Place.REMOVED, why)
    yield from _reclaim_recalled(cg, side)


def _stun_question(side: str, units: list[Unit]) -> SecretQuestion:
    def check(rows: list[dict[str, Any]]) -> list[Problem]:
        named = [name for row in rows for name in (row["cured"], row["spent"])]
        return [
            Problem(f"{name} is named more than once", "each counter is used once")
            for name in sorted({name for name in named if named.count(name) > 1})
        ]

    options = unit_choice(units)
    return SecretQuestion(
        key="stun",
        side=side,
        text="Combine crews to remove +1 (Stun) counters? Name pairs: the cured and the spent one.",
        form=Rows.of(Field("cured", options, "Cured"), Field("spent", options, "Spent")),
        check=check,
        help="A spent vehicle is Abandoned, a spent crew counter is removed; neither scores CVP.",
    )


def find_recalled(cg: Cg, side: str) -> list[list[Unit]]:
    """Return a side's Recalled units, each vehicle first and with it what was aboard."""
    units = {unit.id: unit for unit in cg.state.units.values() if unit.side == side and unit.place is Place.RECALLED}
    parties: dict[str, list[Unit]] = {}
    for unit in units.values():
        head = unit
        while head.with_unit in units:
            head = units[head.with_unit]
        parties.setdefault(head.id, []).append(unit)
    return [sorted(party, key=lambda u: u.id != head) for head, party in parties.items()]


@implements("PL 3.461")
def _reclaim_recalled(cg: Cg, side: str) -> Procedure[None]:
    """One dr decides for a vehicle, its armor leader and whatever else is aboard."""
    table = cg.table("reclaim-recalled")
    for party in find_recalled(cg, side):
        head = party[0]
        names = ("inexperienced", "captured-use", "ammunition-shortage")
        modifiers = repair_modifiers(cg, head, *names)
        label, secret = f"Recalled {head.type}", not head.known
        rolled = yield from roll(side, label, Dice.dr, modifiers, secret=secret, table=table.id)
        for unit in party:
            yield from _settle(cg, unit, rolled.final, bool(table.result(rolled.final)))


def _settle(cg: Cg, unit: Unit, final: int, back: bool) -> Procedure[None]:
    if back:
        why, remove = "it returns", [Mark.RECALL, Mark.STUN, Mark.SHOCK]
        yield from change_marks(unit, remove=remove, why=why)
        yield place_unit(unit, None, Place.OFF_MAP, f"final dr {final}: it returns to the OB")
    else:
        why = f"final dr {final}: lost without CVP"
        yield from remove_unit(cg, unit, Place.REMOVED, why)
