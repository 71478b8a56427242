"""The counters of one game for two sides that buy of one nation (DYO H1.11).

In secret, and when both buy at once, each side has half of them. When one buys in the open before
the other, what it has bought is gone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from laager.campaign import implements
from laager.catalogue.dyo import DyoNation
from laager.rules.design_your_own.ob import OrderOfBattle
from laager.rules.design_your_own.terms import AXIS

COUNTED = (
    "squads", "leaders", "armor_leaders", "support_weapons", "guns", "vehicles", "armament",
    "transport",
)  # fmt: skip
"""The sections whose pieces have counters."""

Share = Callable[[str, str, int], int]
"""How many counters a side may use, of a section's piece of which one game has so many."""


def pooled(nation: DyoNation, share: Share) -> DyoNation:
    """Return a nation with the counters that one of two sides may use; unknown ones stay so."""
    sections: dict[str, Any] = {}
    for section in COUNTED:
        if nation.knows(section):
            sections[section] = [
                entry.model_copy(update={"counters": share(section, entry.key, counters)})
                if isinstance(counters := getattr(entry, "counters", None), int)
                else entry
                for entry in nation.found(section)
            ]
    return DyoNation(nation.file.model_copy(update=sections), nation.warnings)


@implements("DYO H1.11")
def half(side: str) -> Share:
    """Return the share of a side that cannot know what the other takes; Axis has an odd one."""

    def of(section: str, key: str, counters: int) -> int:
        return counters - counters // 2 if side == AXIS else counters // 2

    return of


@implements("DYO H1.11")
def rest(taken: Counter[str], side: str) -> Share:
    """Return what the other side has left of all that it has taken by section.

    `taken` counts `section/type`; of a section that is not in it each side has half.
    """
    known = {name.partition("/")[0] for name in taken}
    halved = half(side)

    def of(section: str, key: str, counters: int) -> int:
        if section not in known:
            return halved(section, key, counters)
        return max(counters - taken[f"{section}/{key}"], 0)

    return of


def taken_by(ob: OrderOfBattle, nation: DyoNation, of: str, *, whole: bool) -> Counter[str]:
    """Return the counters that an order of battle has of a nation (`of`), by section and type.

    `whole`: leaders, SW and bonus squads too, which no side shows before the Rosters are opened.
    """
    found: Counter[str] = Counter()
    for section, type_, number in _pieces(ob, whole=whole):
        if nation.ally(type_) == of:
            found[f"{section}/{nation.plain_type(type_)}"] += number
    for section in COUNTED if whole else ("squads", "guns", "vehicles", "armament", "transport"):
        found[f"{section}/"] += 0
    return found


def _pieces(ob: OrderOfBattle, *, whole: bool) -> Iterator[tuple[str, str, int]]:
    for entry in ob.infantry:
        if whole or entry.purchase != "bonus":
            yield "squads", entry.type, entry.number
    for gun in ob.ordnance.guns:
        yield "guns", gun.type, gun.number
    for vehicle in ob.vehicles.entries:
        yield "transport" if vehicle.without_dr else "vehicles", vehicle.type, 1
        for arm in vehicle.arms:
            yield "armament", f"{vehicle.type}: {arm.name}", 1
        if whole and vehicle.armor_leader:
            yield "armor_leaders", vehicle.armor_leader, 1
    if whole:
        for leader, number in ob.all_leaders.items():
            yield "leaders", leader, number
        for sw in ob.sw:
            yield "support_weapons", sw.type, sw.number
