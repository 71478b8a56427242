"""Vehicles bought to the last one of their type, and the armament that comes with them (H1.12)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from laager.campaign import implements
from laager.catalogue.dyo import DyoNation, Month
from laager.rules.design_your_own.ob import Arm, VehicleEntry
from laager.rules.design_your_own.pieces import plain, weapons_of
from laager.rules.design_your_own.vehicles import full_set, weapon_cost


@dataclass(frozen=True)
class SetArmament:
    """What a vehicle of a full set carries without a DR, and which weapons are Disabled on it."""

    arms: tuple[Arm, ...]
    disabled: tuple[str, ...]


@implements("DYO H1.12")
def full_sets(nation: DyoNation, month: Month, entries: Sequence[VehicleEntry]) -> Mapping[str, SetArmament]:
    """Return what every vehicle of a full set carries, by its key; others are left out.

    A weapon that only some counters show goes to the first vehicles of its type. One whose number
    or price nobody has entered is left out, as are OP tanks and what needed no DR.
    """
    found: dict[str, SetArmament] = {}
    counted = [entry for entry in entries if not entry.op and not entry.without_dr]
    for type_ in dict.fromkeys(entry.type for entry in counted):
        alike = [entry for entry in counted if entry.type == type_]
        weapons = weapons_of(nation.armament(type_), month)
        whole = full_set(len(alike), plain(nation.vehicle(type_).counters), weapons)
        if whole is None or not weapons:
            continue
        for place, entry in enumerate(alike):
            arms = tuple(
                Arm(name=weapon.name, cost=cost)
                for weapon, number in whole.weapons
                if isinstance(cost := weapon_cost(weapon), int) and place < (number or 0)
            )
            found[entry.key] = SetArmament(arms, whole.disabled)
    return found


def full_set_cost(nation: DyoNation, month: Month, entries: Sequence[VehicleEntry]) -> int:
    """Return the points that the armament of full sets costs; it can't be refused."""
    sets = full_sets(nation, month, entries)
    return sum(arm.cost for carried in sets.values() for arm in carried.arms)
