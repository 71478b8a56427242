"""Check of what vehicles carry: armament, Schuerzen and gyros, Armor Leaders (H1.41 to H1.43)."""

from __future__ import annotations

from laager.base.files import Where
from laager.campaign import implements
from laager.catalogue.dyo import UNKNOWN
from laager.rules.design_your_own.answers import Breach, Reason
from laager.rules.design_your_own.check.desk import Desk, Thrown, check_dr, twice
from laager.rules.design_your_own.dates import Month
from laager.rules.design_your_own.lines.fittings import (
    Fitting,
    armor_leader,
    armor_leader_drm,
    column_of,
    fitted,
    fitting_breach,
    placement_breach,
    substitute,
    trio_breaches,
)
from laager.rules.design_your_own.lines.pieces import armament_breach, arrangement_breach
from laager.rules.design_your_own.lines.vehicles import armament, full_sets, weapon_cost, weapons_of
from laager.rules.design_your_own.ob import Trio, VehicleEntry
from laager.rules.design_your_own.steps.fittings import (
    afv,
    arrangements,
    counters_left,
    modifiers,
    signs,
    trios_of,
    weapons,
)

ARMS, FITTING, LEADER = "DYO H1.41", "DYO H1.42", "DYO H1.43"
FULL_SET = "DYO H1.12"


# Optional armament ------------------------------------------------------------------------------


@implements("DYO H1.41", "DYO H1.12")
def armament_rules(desk: Desk) -> None:
    """Note optional weapons that no DR gave, and full sets without what comes with them."""
    entries = desk.ob.vehicles.entries
    sets = full_sets(desk.cg.printed(desk.side), desk.month, entries)
    for i, entry in enumerate(entries):
        if entry.op:
            continue
        where = desk.at("vehicles", i)
        due = sets.get(entry.key)
        if due is not None:
            _full_set(desk, where, entry, {arm.name: arm.cost for arm in due.arms}, due.disabled)
        elif entry.automatic:
            what = f"{entry.type} has armament without a DR"
            right = "only if all vehicles of the type were bought"
            desk.broken((*where, "automatic"), Reason.COUNTERS, FULL_SET, what, right)
        else:
            _by_dr(desk, where, entry)
    _on_counters(desk)


def _full_set(desk: Desk, where: Where, entry: VehicleEntry, due: dict[str, int], disabled: tuple[str, ...]) -> None:
    has = {arm.name: arm.cost for arm in entry.arms}
    if has != due or not entry.automatic:
        told = ", ".join(f"{name} for {cost}" for name, cost in due.items()) or "no weapon"
        what = f"all {entry.type} were bought, and this one has {', '.join(has) or 'no weapon'}"
        desk.broken((*where, "arms"), Reason.COUNTERS, FULL_SET, what, f"automatic: {told}")
    if entry.disabled != disabled:
        what = f"{', '.join(entry.disabled) or 'nothing'} is marked as Disabled"
        right = ", ".join(disabled) or "nothing"
        desk.broken((*where, "disabled"), Reason.COUNTERS, FULL_SET, what, right)


def _by_dr(desk: Desk, where: Where, entry: VehicleEntry) -> None:
    if entry.disabled:
        what = f"{', '.join(entry.disabled)} is marked as Disabled"
        right = "only if all vehicles of the type were bought"
        desk.broken((*where, "disabled"), Reason.COUNTERS, FULL_SET, what, right)
    usable = check_dr(desk, (*where, "arms_dr"), entry.arms_dr, Thrown(2, ARMS))
    if not entry.arms:
        return
    if entry.arms_dr is None:
        what = f"{entry.type} has {', '.join(arm.name for arm in entry.arms)} without a DR"
        desk.broken((*where, "arms"), Reason.RARITY, ARMS, what, "one Availability DR for it")
        return
    names = [arm.name for arm in entry.arms]
    for name in twice(names):
        right = "name it once"
        desk.broken((*where, "arms"), Reason.CAPABILITY, ARMS, f"{name} is named twice", right)
    if usable:
        _weapons(desk, where, entry, entry.arms_dr.final)
    if desk.nation.armament(entry.type):
        # Only of these do the counters show an arrangement; a wagon is no vehicle of the list.
        agreed = desk.cg.terms.agreements.any_arrangement
        shown = arrangements(desk.nation, entry.type)
        desk.add((*where, "arms"), arrangement_breach(frozenset(names), shown, agreed=agreed))


def _weapons(desk: Desk, where: Where, entry: VehicleEntry, final: int) -> None:
    every = {arm.type: arm for arm in desk.nation.armament(entry.type)}
    offered = {one.name: one for one in weapons(desk.cg, desk.side, entry)}
    for i, arm in enumerate(entry.arms):
        here = (*where, "arms", i)
        weapon = offered.get(arm.name)
        if weapon is None and arm.name in every and every[arm.name].rf.at(desk.month) is UNKNOWN:
            desk.missing(here, f"the RF of the optional {arm.name}", ARMS)
        elif weapon is None:
            right = ", ".join(offered) or "none at this date"
            what = f"{entry.type} with {arm.name}"
            desk.broken((*here, "name"), Reason.CAPABILITY, ARMS, what, right)
        else:
            desk.add((*here, "name"), *armament(final, [weapon]).refused)
            if arm.cost != weapon_cost(weapon):
                what, right = f"cost is {arm.cost}", f"{weapon_cost(weapon)} BPV"
                desk.broken((*here, "cost"), Reason.PRICE, ARMS, what, right)


def _on_counters(desk: Desk) -> None:
    """Note more vehicles with a weapon than the counters of one game show."""
    agreed = desk.cg.terms.agreements
    having: dict[tuple[str, str], list[int]] = {}
    for i, entry in enumerate(desk.ob.vehicles.entries):
        for arm in {arm.name: arm for arm in entry.arms}.values():
            having.setdefault((entry.type, arm.name), []).append(i)
    for (type_, name), places in having.items():
        known = {one.name: one for one in weapons_of(desk.nation.armament(type_), desk.month)}
        if name in known:
            short = armament_breach(
                name, 0, len(places), known[name].vehicles_with_it, agreed=agreed.extra_pieces or agreed.any_arrangement
            )
            where = desk.at("vehicles", places[-1], "arms")
            desk.add(where, short if isinstance(short, Breach) else None)


# Schuerzen and Gyrostabilizers ------------------------------------------------------------------


@implements("DYO H1.42")
def fitting_rules(desk: Desk) -> None:
    """Note Schuerzen and Gyrostabilizers that no dr gave, or for a wrong price."""
    for i, entry in enumerate(desk.ob.vehicles.entries):
        if not entry.op and (entry.fittings or entry.fitting_dr or entry.fitting_cost):
            _fitted(desk, desk.at("vehicles", i), entry)


def _fitted(desk: Desk, where: Where, entry: VehicleEntry) -> None:
    here = (*where, "fittings")
    for name in twice(entry.fittings):
        right = "name it once"
        desk.broken(here, Reason.CAPABILITY, FITTING, f"{name} is named twice", right)
    wanted = [one for one in Fitting if one.value in entry.fittings]
    if entry.without_dr or desk.nation.vehicle(entry.type).wreck is not UNKNOWN:
        shown = signs(desk.cg, desk.side, entry)
        marks = [one.value for one in shown]
        desk.add(here, *(fitting_breach(one, marks, entry.type) for one in wanted))
        wanted = [one for one in wanted if one in shown]
    else:
        desk.missing(here, f"what the wreck side of {entry.type} shows", FITTING)
    month = Month(*desk.month)
    if wanted and column_of(month) is None:
        what, right = f"{', '.join(entry.fittings)} in {month}", "from 1942 on"
        desk.broken(here, Reason.DATE, FITTING, what, right)
        return
    usable = check_dr(desk, (*where, "fitting_dr"), entry.fitting_dr, Thrown(1, FITTING, None))
    if wanted and entry.fitting_dr is None:
        what = f"{', '.join(entry.fittings)} without a dr"
        desk.broken(here, Reason.RARITY, FITTING, what, "one dr for each AFV")
        return
    cost = 0
    for one in wanted if usable else ():
        final = _final_of(desk, entry, one)
        result = fitted(one, month, final)
        cost += result.cost
        if not result.received:
            what = f"{one.words} by a Final dr of {final}"
            desk.broken(here, Reason.RARITY, FITTING, what, "the table gives none")
    if usable and entry.fitting_cost != cost and len(wanted) == len(entry.fittings):
        what = f"fitting_cost is {entry.fitting_cost}"
        desk.broken((*where, "fitting_cost"), Reason.PRICE, FITTING, what, f"{cost} BPV")


def _final_of(desk: Desk, entry: VehicleEntry, one: Fitting) -> int:
    """Return the Final dr for one of both: the Lend-Lease drm is the Gyrostabilizer's alone."""
    assert entry.fitting_dr is not None
    shown = signs(desk.cg, desk.side, entry)
    every = sum(each.value for each in modifiers(desk.cg, desk.side, entry, shown, 0))
    own = sum(each.value for each in modifiers(desk.cg, desk.side, entry, [one], 0))
    return entry.fitting_dr.final - every + own


# Armor Leaders ----------------------------------------------------------------------------------


@implements("DYO H1.43")
def armor_leader_rules(desk: Desk) -> None:
    """Note Armor Leaders without a DR, of another kind than it gave, or in a wrong AFV."""
    section, cg, side = desk.ob.vehicles, desk.cg, desk.side
    trios = section.trios
    earned = {key for trio in trios if trio.leader for key in (trio.vehicle,)}
    for i, entry in enumerate(section.entries):
        if entry.armor_leader and not entry.op and entry.key not in earned:
            what = f"{entry.key} has an Armor Leader without a DR"
            where = desk.at("vehicles", i, "armor_leader")
            desk.broken(where, Reason.TRIO, LEADER, what, "one DR for three AFV")
    if not trios:
        return
    where = ("vehicles", "trios")
    known = afv(cg, side)
    every = {entry.key for entry in section.entries}
    strangers = [key for trio in trios for key in trio.vehicles if key not in every]
    for breach in trio_breaches([trio.vehicles for trio in trios], [*known, *strangers]):
        desk.add(where, breach)
    for key in strangers:
        right = "name vehicles of the list by type and letter, as PzIVH:A"
        desk.broken(where, Reason.TRIO, LEADER, f"there is no {key}", right)
    for i, trio in enumerate(trios):
        ofs = list(dict.fromkeys(desk.nation.ally(key.rpartition(":")[0]) for key in trio.vehicles))
        if len(ofs) > 1:
            what, right = "the three AFV are of several nations", "three of one nation"
            desk.broken((*where, i, "vehicles"), Reason.TRIO, LEADER, what, right)
            continue
        of = ofs[0] if ofs else ""
        row = cg.row(side, "armor_leader_row", of)
        drm = armor_leader_drm(row, cg.month.year, cg.terms.theatre)
        if drm is None:
            what = f"an Armor Leader DR of the {cg.group(side, of).words} in {cg.month.year}"
            desk.broken(where, Reason.DATE, LEADER, what, "they have none")
            continue
        usable = check_dr(desk, (*where, i, "dr"), trio.dr, Thrown(2, LEADER, drm.value))
        if trio.leader:
            _leader(desk, (*where, i), of, trio, usable)
    for of in cg.nations(side):
        _leader_counters(desk, of)


def _leader(desk: Desk, where: Where, of: str, trio: Trio, usable: bool) -> None:
    desk.add((*where, "vehicle"), placement_breach(trio.vehicles, trio.vehicle))
    seat = desk.ob.vehicles.find(trio.vehicle)
    if seat is not None and seat.armor_leader != trio.leader:
        what = f"{trio.vehicle} has the Armor Leader {seat.armor_leader or '(none)'}"
        desk.broken((*where, "leader"), Reason.TRIO, LEADER, what, trio.leader)
    if not usable:
        return
    given = armor_leader(trio.dr.final)
    legal = [] if given is None else [given]
    vehicles = [desk.ob.vehicles.find(key) for key in trio.vehicles]
    # OP tanks and what needed no DR are no AFV of a three, nor surely of the catalogue's list.
    counted = [one for one in vehicles if one and not one.without_dr and not one.op]
    types = [entry.type for entry in counted]
    morale = [desk.nation.vehicle(type_).crew_morale for type_ in types]
    known = [value for value in morale if isinstance(value, int)]
    if given is not None and len(known) == len(trio.vehicles):
        legal.append(substitute(given, known, desk.cg.nation(desk.side, of).armor_leaders or None))
    if trio.leader not in legal:
        what = f"the Armor Leader {trio.leader} by a Final DR of {trio.dr.final}"
        right = " or ".join(dict.fromkeys(legal)) or "the DR gives none"
        desk.broken((*where, "leader"), Reason.RARITY, LEADER, what, right)


@implements("DYO H1.11")
def _leader_counters(desk: Desk, of: str) -> None:
    """Note more Armor Leaders of a type than one game has."""
    led = (trio.leader for trio in trios_of(desk.cg, desk.side, of) if trio.leader)
    for leader in dict.fromkeys(led):
        if not counters_left(desk.cg, desk.side, leader, of, more=0):
            what = f"too many Armor Leaders {leader}"
            right = f"one game has {desk.cg.nation(desk.side, of).armor_leaders.get(leader)}"
            desk.broken(("vehicles", "trios"), Reason.COUNTERS, "DYO H1.11", what, right)
