"""Check of what vehicles carry: armament, Schuerzen and gyros, Armor Leaders (H1.41 to H1.43)."""

from __future__ import annotations

from laager.base.files import Where
from laager.campaign import implements
from laager.catalogue.dyo import UNKNOWN
from laager.rules.design_your_own.answers import Reason
from laager.rules.design_your_own.check.review import Review, Thrown, check_dr, twice
from laager.rules.design_your_own.lines import fittings, pieces, vehicles
from laager.rules.design_your_own.ob import Trio, VehicleEntry

ARMS, FITTING, LEADER = "DYO H1.41", "DYO H1.42", "DYO H1.43"
FULL_SET = "DYO H1.12"


# Optional armament ------------------------------------------------------------------------------


@implements("DYO H1.41", "DYO H1.12")
def armament_rules(review: Review) -> None:
    """Note optional weapons that no DR gave, and full sets without what comes with them (H1.41, H1.12)."""
    entries = review.ob.vehicles.entries
    sets = vehicles.full_sets(review.cg.nation_with_all_counters(review.side), review.month, entries)
    for i, entry in enumerate(entries):
        if entry.op:
            continue
        where = review.at("vehicles", i)
        due = sets.get(entry.key)
        if due is not None:
            _full_set(review, where, entry, {arm.name: arm.cost for arm in due.arms}, due.disabled)
        elif entry.automatic:
            message = f"{entry.type} has armament without a DR"
            right = "only if all vehicles of the type were bought"
            review.broken((*where, "automatic"), Reason.COUNTERS, FULL_SET, message, right)
        else:
            _by_dr(review, where, entry)
    _on_counters(review)


def _full_set(
    review: Review, where: Where, entry: VehicleEntry, due: dict[str, int], disabled: tuple[str, ...]
) -> None:
    has = {arm.name: arm.cost for arm in entry.arms}
    if has != due or not entry.automatic:
        listed = ", ".join(f"{name} for {cost}" for name, cost in due.items()) or "no weapon"
        message = f"all {entry.type} were bought, and this one has {', '.join(has) or 'no weapon'}"
        review.broken((*where, "arms"), Reason.COUNTERS, FULL_SET, message, f"automatic: {listed}")
    if entry.disabled != disabled:
        message = f"{', '.join(entry.disabled) or 'nothing'} is marked as Disabled"
        review.broken((*where, "disabled"), Reason.COUNTERS, FULL_SET, message, ", ".join(disabled) or "nothing")


def _by_dr(review: Review, where: Where, entry: VehicleEntry) -> None:
    if entry.disabled:
        message = f"{', '.join(entry.disabled)} is marked as Disabled"
        right = "only if all vehicles of the type were bought"
        review.broken((*where, "disabled"), Reason.COUNTERS, FULL_SET, message, right)
    usable = check_dr(review, (*where, "arms_dr"), entry.arms_dr, Thrown(2, ARMS, table=pieces.TABLE))
    if not entry.arms:
        return
    if entry.arms_dr is None:
        message = f"{entry.type} has {', '.join(arm.name for arm in entry.arms)} without a DR"
        review.broken((*where, "arms"), Reason.RARITY, ARMS, message, "one Availability DR for it")
        return
    names = [arm.name for arm in entry.arms]
    for name in twice(names):
        review.broken((*where, "arms"), Reason.CAPABILITY, ARMS, f"{name} is named twice", "name it once")
    if usable:
        _weapons(review, where, entry, entry.arms_dr.final)
    if review.nation.armament(entry.type):
        # Only of these do the counters show an arrangement; a wagon is not a vehicle of the list.
        review.add((*where, "arms"), vehicles.weapons_apart(review.cg, review.side, entry.type, names))


def _weapons(review: Review, where: Where, entry: VehicleEntry, final: int) -> None:
    every = {arm.type: arm for arm in review.nation.armament(entry.type)}
    offered = {weapon.name: weapon for weapon in vehicles.weapons(review.cg, review.side, entry)}
    for i, arm in enumerate(entry.arms):
        here = (*where, "arms", i)
        weapon = offered.get(arm.name)
        if weapon is None and arm.name in every and every[arm.name].rf.at(review.month) is UNKNOWN:
            review.missing(here, f"the RF of the optional {arm.name}", ARMS)
        elif weapon is None:
            right = ", ".join(offered) or "none at this date"
            review.broken((*here, "name"), Reason.CAPABILITY, ARMS, f"{entry.type} with {arm.name}", right)
        else:
            review.add((*here, "name"), *vehicles.armament(review.cg.rulebook, final, [weapon]).refused)
            if arm.cost != vehicles.weapon_cost(weapon):
                message, right = f"cost is {arm.cost}", f"{vehicles.weapon_cost(weapon)} BPV"
                review.broken((*here, "cost"), Reason.PRICE, ARMS, message, right)


def _on_counters(review: Review) -> None:
    """Note more vehicles with a weapon than the counters of one game show."""
    having: dict[tuple[str, str], list[int]] = {}
    for i, entry in enumerate(review.ob.vehicles.entries):
        for arm in {arm.name: arm for arm in entry.arms}.values():
            having.setdefault((entry.type, arm.name), []).append(i)
    for (type_, name), places in having.items():
        for weapon in vehicles.weapons_of(review.nation.armament(type_), review.month):
            if weapon.name == name:
                short = vehicles.weapon_short(review.cg, weapon, len(places))
                review.add(review.at("vehicles", places[-1], "arms"), short)


# Schuerzen and Gyrostabilizers ------------------------------------------------------------------


@implements("DYO H1.42")
def fitting_rules(review: Review) -> None:
    """Note Schuerzen and Gyrostabilizers that no dr gave, or for a wrong price (H1.42)."""
    for i, entry in enumerate(review.ob.vehicles.entries):
        if not entry.op and (entry.fittings or entry.fitting_dr or entry.fitting_cost):
            _check_fittings(review, review.at("vehicles", i), entry)


def _check_fittings(review: Review, where: Where, entry: VehicleEntry) -> None:
    here = (*where, "fittings")
    for name in twice(entry.fittings):
        review.broken(here, Reason.CAPABILITY, FITTING, f"{name} is named twice", "name it once")
    wanted = [fitting for fitting in fittings.Fitting if fitting.value in entry.fittings]
    if entry.without_dr or review.nation.vehicle(entry.type).wreck is not UNKNOWN:
        shown = fittings.wreck_fittings(review.cg, review.side, entry)
        marks = [fitting.value for fitting in shown]
        review.add(here, *(fittings.fitting_breach(fitting, marks, entry.type) for fitting in wanted))
        wanted = [fitting for fitting in wanted if fitting in shown]
    else:
        review.missing(here, f"what the wreck side of {entry.type} shows", FITTING)
    if wanted and fittings.column_of(review.month) is None:
        message = f"{', '.join(entry.fittings)} in {review.month}"
        review.broken(here, Reason.DATE, FITTING, message, "from 1942 on")
        return
    usable = check_dr(review, (*where, "fitting_dr"), entry.fitting_dr, Thrown(1, FITTING, None))
    if wanted and entry.fitting_dr is None:
        message = f"{', '.join(entry.fittings)} without a dr"
        review.broken(here, Reason.RARITY, FITTING, message, "one dr for each AFV")
    if entry.fitting_dr is None or not usable:
        return
    given = fittings.fitting_results(review.cg, review.side, entry, entry.fitting_dr.final)
    cost = 0
    for fitting in wanted:
        result = given.get(fitting) or fittings.fitting_result(
            review.cg.rulebook, fitting, review.month, entry.fitting_dr.final
        )
        cost += result.cost
        if not result.received:
            message = f"{fitting.words} by a Final dr of {result.final}"
            review.broken(here, Reason.RARITY, FITTING, message, "the table gives none")
    if entry.fitting_cost != cost and len(wanted) == len(entry.fittings):
        message = f"fitting_cost is {entry.fitting_cost}"
        review.broken((*where, "fitting_cost"), Reason.PRICE, FITTING, message, f"{cost} BPV")


# Armor Leaders ----------------------------------------------------------------------------------


@implements("DYO H1.43")
def armor_leader_rules(review: Review) -> None:
    """Note Armor Leaders without a DR, of another kind than it gave, or in a wrong AFV (H1.43)."""
    section, cg, side = review.ob.vehicles, review.cg, review.side
    trios = section.trios
    earned = {key for trio in trios if trio.leader for key in (trio.vehicle,)}
    for i, entry in enumerate(section.entries):
        if entry.armor_leader and not entry.op and entry.key not in earned:
            message = f"{entry.key} has an Armor Leader without a DR"
            where = review.at("vehicles", i, "armor_leader")
            review.broken(where, Reason.TRIO, LEADER, message, "one DR for three AFV")
    if not trios:
        return
    where = ("vehicles", "trios")
    known = fittings.afvs_of(cg, side)
    every = {entry.key for entry in section.entries}
    strangers = [key for trio in trios for key in trio.vehicles if key not in every]
    for breach in fittings.trio_breaches(review.cg.rulebook, [trio.vehicles for trio in trios], [*known, *strangers]):
        review.add(where, breach)
    for key in strangers:
        right = "name vehicles of the list by type and letter, as PzIVH:A"
        review.broken(where, Reason.TRIO, LEADER, f"there is no {key}", right)
    for i, trio in enumerate(trios):
        ofs = list(dict.fromkeys(review.nation.ally(key.rpartition(":")[0]) for key in trio.vehicles))
        if len(ofs) > 1:
            message, right = "the three AFV are of several nations", "three of one nation"
            review.broken((*where, i, "vehicles"), Reason.TRIO, LEADER, message, right)
            continue
        of = ofs[0] if ofs else ""
        row = cg.row(side, "armor_leader_row", of)
        drm = fittings.armor_leader_drm(review.cg.rulebook, row, cg.month.year, cg.terms.theatre)
        if drm is None:
            message = f"an Armor Leader DR of the {cg.group(side, of).words} in {cg.month.year}"
            review.broken(where, Reason.DATE, LEADER, message, "they have none")
            continue
        usable = check_dr(review, (*where, i, "dr"), trio.dr, Thrown(2, LEADER, drm.value, pieces.TABLE))
        if trio.leader:
            _leader(review, (*where, i), of, trio, usable)
    for of in cg.nations(side):
        _leader_counters(review, of)


def _leader(review: Review, where: Where, of: str, trio: Trio, usable: bool) -> None:
    review.add((*where, "vehicle"), fittings.placement_breach(trio.vehicles, trio.vehicle))
    seat = review.ob.vehicles.find(trio.vehicle)
    if seat is not None and seat.armor_leader != trio.leader:
        message = f"{trio.vehicle} has the Armor Leader {seat.armor_leader or '(none)'}"
        review.broken((*where, "leader"), Reason.TRIO, LEADER, message, trio.leader)
    if not usable:
        return
    legal = fittings.leader_choices(review.cg, review.side, of, trio)
    if trio.leader not in legal:
        message = f"the Armor Leader {trio.leader} by a Final DR of {trio.dr.final}"
        right = " or ".join(legal) or "the DR gives none"
        review.broken((*where, "leader"), Reason.RARITY, LEADER, message, right)


@implements("DYO H1.11")
def _leader_counters(review: Review, of: str) -> None:
    """Note more Armor Leaders of a type than one game has."""
    led = (trio.leader for trio in fittings.trios_of(review.cg, review.side, of) if trio.leader)
    for leader in dict.fromkeys(led):
        if not fittings.counters_left(review.cg, review.side, leader, of, more=0):
            message = f"too many Armor Leaders {leader}"
            right = f"one game has {review.cg.nation(review.side, of).armor_leaders.get(leader)}"
            review.broken(("vehicles", "trios"), Reason.COUNTERS, "DYO H1.11", message, right)
