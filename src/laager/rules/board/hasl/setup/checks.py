"""What the rules have against a setup, and what they only warn of. One judge, all at once."""

from __future__ import annotations

from collections.abc import Iterator

from laager.base import Problem, did_you_mean
from laager.campaign import implements
from laager.catalogue import GunType, SwType, VehicleType
from laager.rules.board.changes import INFANTRY, LEADERS, is_vehicle
from laager.rules.board.hasl.buying.groups import arrived, sat_out, units_of_group
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.guns import is_fixed
from laager.rules.board.hasl.setup.forts import fort_problems
from laager.rules.board.hasl.setup.oba import module_problems
from laager.rules.board.hasl.setup.plan import Placed, Plan, Setting, holder_of
from laager.rules.board.places import FIXING, ITEMS, can_dismantle, can_emplace, hex_of, works_at
from laager.rules.board.setup.hiding import (
    CLOAKED,
    CONCEALED,
    HIDDEN,
    NO_CONCEALMENT,
    NONE,
    entrenched,
    hip_size,
    in_cover,
    may_conceal,
)
from laager.rules.board.units import Mark, Unit

TOW = frozenset({Mark.HOOKED, Mark.LIMBERED, Mark.DISMANTLED})
"""The states of a Gun or SW that its owner chooses where Personnel are in its area."""


@implements("HASL 28")
def setup_problems(plan: Plan) -> tuple[Problem, ...]:
    """Return everything that the rules have against a setup; nothing if it is legal."""
    return (
        *_row_problems(plan),
        *(
            Problem(what, right, plan.where(one.unit.id, field))
            for one in plan.placed.values()
            for what, right, field in unit_faults(plan, one)
        ),
        *_hip_problems(plan),
        *_group_problems(plan),
        *fort_problems(plan),
        *module_problems(plan),
        *plan.cg.variant.setup_problems(plan.cg, plan.side, plan.placed),
    )


def _row_problems(plan: Plan) -> Iterator[Problem]:
    seen: set[str] = set()
    for number, row in enumerate(plan.rows, 1):
        if row["unit"] in seen:
            label = plan.own[row["unit"]].unit.label
            yield Problem(f"{label} is set up twice", "once each", f"units[{number}].unit")
        seen.add(row["unit"])


Fault = tuple[str, str, str]


def unit_faults(plan: Plan, one: Placed) -> Iterator[Fault]:
    """Yield what is wrong with where a unit goes: what, what would be right, which field."""
    if one.text and not one.at:
        advice = did_you_mean(one.text, plan.cg.sort(plan.setting.ground(one.unit)), "there are")
        yield f"{one.text!r} is no Location of the map", advice, "at"
        return
    if one.at and one.entry:
        yield f"{one.unit.label} both sets up and enters", "a Location or an arrow hex", "entry"
        return
    yield from _holder_faults(plan, one)
    yield from _where_faults(plan, one)
    yield from _state_faults(plan, one)
    if not one.holder and one.somewhere:
        yield from _hide_faults(plan, one)


def _where_faults(plan: Plan, one: Placed) -> Iterator[Fault]:
    setting, unit = plan.setting, one.unit
    if one.at:
        dm = Mark.DISMANTLED in one.marks
        fault = setting.place_fault(unit, one.at, towed=plan.towed(one), dm=dm)
        if fault is not None:
            yield (*fault, "at")
    elif one.entry:
        able = setting.entries(unit)
        if one.entry not in able:
            right = f"one of {', '.join(able)}" if able else "a Location of the map"
            yield f"{unit.label} does not enter by {one.entry}", right, "entry"
    elif unit.kind not in ITEMS | {"armor-leader"} and not one.holder:
        able, free = setting.entries(unit), first_place(setting, unit)
        if able or free:
            right = f"a Location such as {free}" if free else f"it enters by {', '.join(able)}"
            yield f"{unit.label} takes no part in the scenario", right, "at"


def first_place(setting: Setting, unit: Unit) -> str:
    """Return a Location where a unit may set up by itself, the present one first; "" if none."""
    if unit.on_map and unit.at and setting.place_fault(unit, unit.at) is None:
        return unit.at
    hexes = setting.cg.sort(setting.ground(unit) & setting.cg.map.playable)
    return next((name for name in hexes if setting.place_fault(unit, name) is None), "")


# With whom ----------------------------------------------------------------------------------------


def _holder_faults(plan: Plan, one: Placed) -> Iterator[Fault]:
    unit = one.unit
    if not one.holder:
        moved = one.somewhere and not (unit.on_map and one.at == unit.at)
        if unit.kind in ITEMS and moved:
            yield f"{unit.label} cannot set up alone", "name who has it", "with"
        if unit.kind == "armor-leader" and one.somewhere:
            yield f"{unit.label} sets up in a vehicle", "name his vehicle", "with"
        return
    holder = plan.carrier(one)
    if holder is None or not can_have(holder, unit):
        kinds = "personnel or a vehicle" if unit.kind in ITEMS else "a vehicle"
        yield f"{one.holder} cannot have {unit.label}", f"{kinds} of yours", "with"
        return
    if unit.kind == "gun" and is_vehicle(holder) and one.marks.isdisjoint(TOW):
        yield f"{unit.label} is with {holder.label} but not hooked up", "hooked, or dm", "state"
    there = plan.placed.get(one.holder) or Placed(holder, holder.at or "")
    if not there.somewhere and one.somewhere:
        yield f"{holder.label} takes no part in the scenario", "somebody who does", "with"
    elif (there.at, there.entry) != (one.at, one.entry):
        right = f"{there.at or there.entry}, where {holder.label} is; or leave it out"
        yield f"{unit.label} cannot be in {one.at or one.entry}", right, "at"


def can_have(holder: Unit, unit: Unit) -> bool:
    """Whether a unit may have another one with it: troops Equipment, vehicles anything but such."""
    if holder.id == unit.id or holder.has(Mark.PRISONER, Mark.WRECK):
        return False
    if unit.kind in ITEMS:
        return holder.kind in INFANTRY or is_vehicle(holder)
    return is_vehicle(holder) and not is_vehicle(unit)


# In which state -----------------------------------------------------------------------------------


@implements("ABtF CG5d")
def _state_faults(plan: Plan, one: Placed) -> Iterator[Fault]:
    unit = one.unit
    barred = dict(unfit(plan.cg, one))
    for mark, what in barred.items():
        if mark in one.marks:
            yield f"{unit.label} cannot be {mark.value}", what, "state"
    if {Mark.BUTTONED_UP, Mark.CREW_EXPOSED} <= one.marks:
        yield f"{unit.label} cannot be both BU and CE", "one of them", "state"
    # A hook comes off by itself, and so does what never fitted.
    changed = ((one.marks ^ unit.marks) & TOW) - (unit.marks & {Mark.HOOKED, *barred})
    if changed and one.at and not _attended(plan, one):
        right = "it keeps its state where no Personnel are in its area"
        yield f"nobody can hook, limber or dismantle {unit.label}", right, "state"


@implements("ER CG8")
def unfit(cg: Hasl, one: Placed) -> Iterator[tuple[Mark, str]]:
    """Yield the states that a unit can't be in, and why."""
    type_ = cg.nation_of(one.unit).unit(one.unit.type)
    gun, vehicle = isinstance(type_, GunType), is_vehicle(one.unit)
    carrier = holder_of(cg, one)
    if not gun or carrier is None or not is_vehicle(carrier):
        yield Mark.HOOKED, "a Gun is, to the vehicle that it is with"
    if not gun:
        yield Mark.LIMBERED, "Guns are"
    can = (isinstance(type_, GunType) and can_dismantle(type_)) or (
        isinstance(type_, SwType) and type_.dm_pp is not None
    )
    if not can:
        yield Mark.DISMANTLED, "light mortars, recoilless rifles and some SW can be"
    if not vehicle:
        for mark in (Mark.BUTTONED_UP, Mark.CREW_EXPOSED):
            yield mark, "vehicles are"
    if not one.unit.has(Mark.ABANDONED):
        if not vehicle or not cg.variant.may_abandon:
            yield Mark.ABANDONED, "no such start in this campaign, or it is no vehicle"
        elif not isinstance(type_, VehicleType) or type_.crew is None:
            yield Mark.ABANDONED, "it has no crew that could leave it"


def _attended(plan: Plan, one: Placed) -> bool:
    """Whether Personnel are in the area of a Gun or SW."""
    return bool(one.holder) or any(
        unit.kind in INFANTRY and unit.area == one.unit.area and not unit.has(Mark.PRISONER)
        for unit in plan.cg.state.units_of(plan.side)
    )


@implements("HASL 28")
def marks_at(plan: Plan, one: Placed) -> frozenset[Mark]:
    """Return the markers that a unit gets by its setup, beside those of how it hides."""
    found = set(one.marks)
    if one.unit.kind == "gun" and one.at:
        if emplaced(plan.setting, one):
            found.add(Mark.EMPLACED)
        there = works_at(plan.cg, plan.side, one.at) | plan.works.get(one.at, frozenset())
        if plan.cg.variant.guns_fixed and not FIXING.isdisjoint(there):
            found |= {Mark.FIXED} if Mark.DISMANTLED not in found else set()
        free = Mark.DISMANTLED in found and plan.cg.variant.dm_releases(plan.cg)
        if is_fixed(one.unit) and not free:
            found.add(Mark.FIXED)
            # Once seen it never hides again, whatever else it does.
            found |= {Mark.WAS_REVEALED} if one.unit.known else set()
    return frozenset(found)


def emplaced(setting: Setting, one: Placed) -> bool:
    """Whether a Gun is Emplaced where it sets up: neither hooked, limbered nor dm (C11.2)."""
    return bool(one.at) and one.marks.isdisjoint(TOW) and can_emplace(setting.cg, one.at)


# Hiding -------------------------------------------------------------------------------------------


def _hide_faults(plan: Plan, one: Placed) -> Iterator[Fault]:
    cg, unit = plan.cg, one.unit
    if one.hide == NONE or (one.at and cg.variant.must_hide(cg, unit) is not None):
        return
    if unit.has(*NO_CONCEALMENT):
        yield f"{unit.label} can neither hide nor be concealed", "none", "hide"
    elif one.hide == CLOAKED:
        why = cg.variant.cloak_problem(cg, unit, plan.placed)
        if why:
            yield f"{unit.label} cannot be Cloaked", why, "hide"
    elif one.entry:
        yield f"{unit.label} cannot be {one.hide} when it enters", "none", "hide"
    elif one.hide == HIDDEN:
        yield from _hip_faults(plan, one)


def _hip_faults(plan: Plan, one: Placed) -> Iterator[Fault]:
    cg = plan.cg
    guns = [gun for gun in (one, *plan.guns_of(one.unit.id)) if gun.unit.kind == "gun"]
    for gun in guns:
        if is_fixed(gun.unit) and seen_before(gun.unit):
            right = "it may be concealed"
            yield f"{gun.unit.label} was seen and never hides again", right, "hide"
        if hex_of(one.at) not in cg.state.friendly(plan.side) | plan.setting.home:
            right = "Guns hide in Friendly Setup Areas only"
            yield f"{gun.unit.label} cannot hide in {one.at}", right, "hide"
    if not covered(plan, one.at) and not free_hip(plan, one):
        right = "Concealment Terrain or an entrenchment (A12.34)"
        yield f"{one.unit.label} cannot hide in {one.at}", right, "hide"


def seen_before(gun: Unit) -> bool:
    """Whether a Gun has been revealed since it was fixed in its place."""
    return gun.known or gun.has(Mark.WAS_REVEALED)


def covered(plan: Plan, at: str) -> bool:
    """Whether somebody may hide in a Location: Concealment Terrain, an entrenchment, night."""
    if plan.cg.date.night or in_cover(plan.cg, hex_of(at)):
        return True
    return entrenched(plan.cg, plan.side, at, plan.works)


def free_hip(plan: Plan, one: Placed) -> bool:
    """Whether a unit hides at no cost: it mans (or is) a Gun that may."""
    guns = [gun for gun in (one, *plan.guns_of(one.unit.id)) if gun.unit.kind == "gun"]
    return bool(guns) and all(
        plan.cg.variant.hides_free(plan.cg, gun.unit, gun.at, emplaced=emplaced(plan.setting, gun)) for gun in guns
    )


def hip_paid(plan: Plan) -> dict[str, list[Placed]]:
    """Return by size who hides by HIP that has to be paid for."""
    found: dict[str, list[Placed]] = {}
    for one in plan.leads():
        if one.hide == HIDDEN and one.at and not free_hip(plan, one):
            found.setdefault(hip_size(one.unit), []).append(one)
    return found


@implements("HASL 28", "HASL 23")
def _hip_problems(plan: Plan) -> Iterator[Problem]:
    if plan.cg.variant.hip_vouched(plan.cg, plan.side):
        return
    for size, hiding in hip_paid(plan).items():
        left = sum(fort.count for fort in plan.setting.hip if fort.size == size)
        if len(hiding) > left:
            names = ", ".join(one.unit.id for one in hiding)
            advice = "; ".join([f"{left} bought", *filter(None, (_free_with(plan, one) for one in hiding))])
            yield Problem(f"HIP for {len(hiding)} x {size} ({names})", advice, "units")


def _free_with(plan: Plan, one: Placed) -> str:
    """Say how a unit could hide with a Gun at no cost; "" if no Gun hides so where it is."""
    able = [
        gun.unit
        for gun in plan.placed.values()
        if gun.unit.kind == "gun" and plan.cg.variant.hides_free(plan.cg, gun.unit, one.at, emplaced=True)
    ]
    if not able or one.unit.kind not in INFANTRY:
        return ""
    manned = [gun.unit.label for gun in plan.guns_of(one.unit.id)]
    if manned:
        return f"{one.unit.id} hides free if {' and '.join(manned)} is Emplaced there (C11.2)"
    return f"{one.unit.id} hides free with an Emplaced Gun whose row has with: {one.unit.id}"


# New groups ---------------------------------------------------------------------------------------


@implements("ER CG7(4)")
def _group_problems(plan: Plan) -> Iterator[Problem]:
    """A new group comes to one place, with its own leaders and Equipment."""
    if not plan.cg.variant.groups_together:
        return
    areas: dict[str, dict[str, None]] = {}
    for one in plan.placed.values():
        if not is_new(plan.cg, one.unit) or not one.somewhere:
            continue
        area = plan.cg.state.area_at(hex_of(one.at)) if one.at else None
        place = one.entry or (area.name if area is not None else hex_of(one.at))
        areas.setdefault(one.unit.group, {})[place] = None
        yield from _own_problems(plan, one)
    for group, places in areas.items():
        if len(places) > 1:
            what = f"{group} comes in {' and '.join(places)}"
            yield Problem(what, "all of a group in one area at first", "units")


def _own_problems(plan: Plan, one: Placed) -> Iterator[Problem]:
    unit, where = one.unit, plan.where(one.unit.id)
    holder = plan.carrier(one)
    if holder is not None and holder.group != unit.group and _bound_to_group(plan, unit):
        what = f"{unit.label} of {unit.group} is with {holder.label}"
        yield Problem(what, "a unit of its own group at first", where)
    mates = {
        (mate.at, mate.entry)
        for mate in plan.placed.values()
        if (mate.unit.group, mate.unit.area) == (unit.group, unit.area) and mate.unit.kind not in LEADERS | ITEMS
    } - {("", "")}
    late = sat_out(plan.cg, plan.cg.state.groups[unit.side, unit.group])
    if unit.kind in LEADERS and mates and not late and (one.at, one.entry) not in mates:
        what = f"{unit.label} is not with a unit of {unit.group}"
        yield Problem(what, "he sets up or enters with one the first time", where)


@implements("ER CG7(5)")
def _bound_to_group(plan: Plan, item: Unit) -> bool:
    """Whether a piece of Equipment is for its own group: somebody is left who could have it."""
    if item.kind not in ITEMS:
        return False
    return any(can_have(unit, item) for unit in units_of_group(plan.cg, item.side, item.group))


def is_new(cg: Hasl, unit: Unit) -> bool:
    """Whether a unit of a group takes part for the first time, whenever the group was bought.

    One that has Shifted or Escaped away from the area of its group is on its own.
    """
    group = cg.state.groups.get((unit.side, unit.group))
    if group is None or arrived(cg, unit) is not None:
        return False
    return not (group.area and unit.area and unit.area != group.area)


# Warnings -----------------------------------------------------------------------------------------


def setup_warnings(plan: Plan) -> list[str]:
    """Return what the side should look at once more; it may let it stand."""
    found = []
    for one in plan.placed.values():
        if one.hide == CONCEALED and one.at and not one.holder and not conceals(plan, one):
            found.append(f"{one.unit.label} is concealed in {one.at}: out of enemy LOS? (A12.12)")
        if one.unit.kind in ITEMS and not one.somewhere:
            found.append(f"{one.unit.label} stays off the map")
    return found


@implements("ABtF CG12", "ER CG10")
def conceals(plan: Plan, one: Placed) -> bool:
    """Whether a unit may be concealed whatever the LOS."""
    return may_conceal(plan.cg, one.unit, one.at, plan.works)
