"""What the HASL family has against a setup: where, with whom, in which state, hidden, new groups."""

from __future__ import annotations

from collections.abc import Iterator

from laager.base import Problem
from laager.campaign import implements
from laager.catalogue import GunType, SwType, VehicleType
from laager.rules.board.changes import INFANTRY, LEADERS, is_vehicle
from laager.rules.board.hasl.buying.groups import arrived, sat_out, units_of_group
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.guns import is_fixed
from laager.rules.board.hasl.setup.plan import Plan, Setting
from laager.rules.board.places import ITEMS, Fault, can_dismantle, hex_of
from laager.rules.board.setup.hiding import CLOAKED, CONCEALED, HIDDEN, NO_CONCEALMENT, NONE, may_conceal
from laager.rules.board.setup.plan import Placed, carrier_of
from laager.rules.board.setup.proposal import TOW, can_have
from laager.rules.board.units import Mark, Unit


def unit_faults(plan: Plan, one: Placed) -> Iterator[Fault]:
    """Yield what is wrong with where a unit goes: what, what would be right, which field."""
    if one.at and one.entry:
        yield f"{one.unit.label} both sets up and enters", "name a Location or an arrow hex", "entry"
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
    """Return a Location where a unit can set up by itself, the present one first; "" if none."""
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
            yield f"{unit.label} cannot set up alone", "name the unit that has it", "with"
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
    there = plan.placed.get(one.holder) or Placed(holder, plan.place_of(holder.id))
    if not there.somewhere and one.somewhere:
        yield f"{holder.label} takes no part in the scenario", "a unit that does", "with"
    elif (there.at, there.entry) != (one.at, one.entry):
        right = f"{there.at or there.entry}, where {holder.label} is; or leave it out"
        yield f"{unit.label} cannot be in {one.at or one.entry}", right, "at"


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
    # A hook comes off by itself, and so does a state that never fitted.
    changed = ((one.marks ^ unit.marks) & TOW) - (unit.marks & {Mark.HOOKED, *barred})
    if changed and one.at and not _attended(plan, one):
        right = "it keeps its state while no Personnel are in its area"
        yield f"nobody can hook, limber or dismantle {unit.label}", right, "state"


@implements("ER CG8")
def unfit(cg: Hasl, one: Placed) -> Iterator[tuple[Mark, str]]:
    """Yield the states that a unit can't be in, and why."""
    type_ = cg.nation_of(one.unit).unit(one.unit.type)
    gun, vehicle = isinstance(type_, GunType), is_vehicle(one.unit)
    carrier = carrier_of(cg, one)
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
            yield Mark.ABANDONED, "only vehicles can be, in campaigns that allow it"
        elif not isinstance(type_, VehicleType) or type_.crew is None:
            yield Mark.ABANDONED, "it has no crew that could leave it"


def _attended(plan: Plan, one: Placed) -> bool:
    """True if Personnel are in the area of a Gun or SW."""
    return bool(one.holder) or any(
        unit.kind in INFANTRY and unit.area == one.unit.area and not unit.has(Mark.PRISONER)
        for unit in plan.cg.state.units_of(plan.side)
    )


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
            right = "it can be concealed"
            yield f"{gun.unit.label} was seen and never hides again", right, "hide"
        if hex_of(one.at) not in cg.state.friendly(plan.side) | plan.setting.home:
            right = "Guns hide in Friendly Setup Areas only"
            yield f"{gun.unit.label} cannot hide in {one.at}", right, "hide"
    if not plan.covered(one.at) and not plan.free_hip(one):
        right = "Concealment Terrain or an entrenchment (A12.34)"
        yield f"{one.unit.label} cannot hide in {one.at}", right, "hide"


def seen_before(gun: Unit) -> bool:
    """True if a Gun has been revealed since it was fixed in its place."""
    return gun.known or gun.has(Mark.WAS_REVEALED)


@implements("HASL 28", "HASL 23")
def hip_advice(plan: Plan, hiding: list[Placed]) -> Iterator[str]:
    """Yield how units could hide with a Gun at no cost."""
    yield from filter(None, (_free_with(plan, one) for one in hiding))


def _free_with(plan: Plan, one: Placed) -> str:
    """Say how a unit could hide with a Gun at no cost; "" if no Gun hides so where it is."""
    able = [
        gun.unit
        for gun in plan.placed.values()
        if gun.unit.kind == "gun" and plan.hides_free(gun, one.at, emplaced=True)
    ]
    if not able or one.unit.kind not in INFANTRY:
        return ""
    manned = [gun.unit.label for gun in plan.guns_of(one.unit.id)]
    if manned:
        return f"{one.unit.id} hides free if {' and '.join(manned)} is Emplaced there (C11.2)"
    return f"{one.unit.id} hides free with an Emplaced Gun whose row has with: {one.unit.id}"


# New groups ---------------------------------------------------------------------------------------


@implements("ER CG7(4)")
def group_problems(plan: Plan) -> Iterator[Problem]:
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
    """True if a piece of Equipment is for its own group: a unit is left that could have it."""
    if item.kind not in ITEMS:
        return False
    return any(can_have(unit, item) for unit in units_of_group(plan.cg, item.side, item.group))


def is_new(cg: Hasl, unit: Unit) -> bool:
    """True if a unit of a group takes part for the first time, whenever the group was bought.

    One that has Shifted or Escaped away from the area of its group is on its own.
    """
    group = cg.state.groups.get((unit.side, unit.group))
    if group is None or arrived(cg, unit) is not None:
        return False
    return not (group.area and unit.area and unit.area != group.area)


# Warnings -----------------------------------------------------------------------------------------


@implements("ABtF CG12", "ER CG10")
def setup_warnings(plan: Plan) -> Iterator[str]:
    """Yield what the side should look at once more; it can leave it as it is."""
    for one in plan.placed.values():
        concealed = one.hide == CONCEALED and one.at and not one.holder
        if concealed and not may_conceal(plan.cg, one.unit, one.at, plan.works):
            yield f"{one.unit.label} is concealed in {one.at}: out of enemy LOS? (A12.12)"
        if one.unit.kind in ITEMS and not one.somewhere:
            yield f"{one.unit.label} stays off the map"
