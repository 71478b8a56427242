"""What Platoon Leader has against a setup, and what it only warns of (PL 2.6, 2.37, CG3, CG10)."""

from __future__ import annotations

from collections.abc import Iterator

from laager.base import Problem
from laager.campaign import implements
from laager.rules.board.changes import INFANTRY, LEADERS, MMC, is_vehicle
from laager.rules.board.places import ITEMS, Fault, can_enter
from laager.rules.board.setup.hiding import CLOAKED, CONCEALED, HIDDEN, NO_CONCEALMENT, QUESTION_MARK
from laager.rules.board.setup.plan import Placed, allowances
from laager.rules.board.units import Mark
from laager.rules.platoon_leader.buying.fortifications import carried_halves, hip_base, hip_cap
from laager.rules.platoon_leader.buying.groups import in_reserve, is_new
from laager.rules.platoon_leader.firefight.determination import may_cloak
from laager.rules.platoon_leader.setup.plan import Plan
from laager.rules.platoon_leader.setup.rights import barred


def unit_faults(plan: Plan, one: Placed) -> Iterator[Fault]:
    """Yield what is wrong with where a unit goes: what, what would be right, which field."""
    if one.unit.id not in plan.number:
        return
    if one.unit.kind in ITEMS:
        yield from _item_faults(plan, one)
    elif one.at:
        yield from _ground_faults(plan, one)
        yield from _rider_faults(plan, one)
        yield from _hide_faults(plan, one)


def _item_faults(plan: Plan, one: Placed) -> Iterator[Fault]:
    label, holder = one.unit.label, plan.carrier(one)
    if not one.holder:
        if one.at:
            what = "Gun" if one.unit.kind == "gun" else "SW"
            yield f"{label} cannot set up alone", f"name the unit that possesses the {what}", "with"
    elif holder is None or holder.kind not in INFANTRY or not plan.place_of(holder.id):
        yield f"{one.holder} cannot possess {label}", "personnel of yours that set up now or are on map", "with"
    elif one.at != plan.place_of(holder.id):
        right = f"{plan.place_of(holder.id)}, where {holder.label} is; or leave it out"
        yield f"{label} cannot be in {one.at}", right, "at"


def _ground_faults(plan: Plan, one: Placed) -> Iterator[Fault]:
    if not can_enter(plan.cg, one.unit, one.at):
        yield f"{one.unit.label} cannot stand in {one.at}", "a Location that it can enter", "at"
    why = barred(plan.cg, plan.setting.ground, one.unit, one.at, plan.dug)
    if why is not None and not _rides_into(plan, one, why[0]):
        yield (*why, "at")


def _rides_into(plan: Plan, one: Placed, why: str) -> bool:
    """True if a rider can be where others can't: an AFV in the open, no user of new works."""
    carrier = plan.carrier(one)
    if carrier is None or not is_vehicle(carrier):
        return False
    return "entrenchment" in why or ("Open Ground" in why and carrier.kind == "afv")


def _rider_faults(plan: Plan, one: Placed) -> Iterator[Fault]:
    label, carrier, there = one.unit.label, plan.carrier(one), plan.place_of(one.holder)
    if not one.holder:
        if one.unit.kind == "armor-leader":
            yield f"{label} sets up in a vehicle", "name his AFV", "with"
    elif carrier is None or not is_vehicle(carrier) or is_vehicle(one.unit) or not there:
        yield f"{label} cannot ride {one.holder}", "a vehicle of yours that sets up now or is on map", "with"
    elif there != one.at:
        yield f"{one.holder} is not in {one.at}", f"{there}, where it is; or leave it out", "at"


# Hiding -----------------------------------------------------------------------------------------


def _hide_faults(plan: Plan, one: Placed) -> Iterator[Fault]:
    label = one.unit.label
    if in_reserve(plan.cg, one.unit):
        if plan.own[one.unit.id].hide == HIDDEN:
            yield f"{label} is In Reserve", "it sets up Cloaked", "hide"
        return
    if one.hide == CLOAKED and not may_cloak(plan.cg, plan.side):
        yield f"{label} cannot be Cloaked", "Reserves are, and the attacker at night", "hide"
    if one.hide in {CONCEALED, HIDDEN} and one.unit.has(*NO_CONCEALMENT):
        yield f"{label} can neither hide nor be concealed", "none", "hide"
    if one.hide == HIDDEN and not plan.covered(one.at) and not plan.free_hip(one):
        yield f"{label} cannot hide in {one.at}", "Concealment Terrain or an entrenchment (A12.34)", "hide"


@implements("PL 2.38 note 3")
def hip_problems(plan: Plan) -> Iterator[Problem]:
    """By day a tenth of the squads that set up can hide by HIP."""
    cap = hip_cap(plan.cg, plan.side, setup_squads(plan))
    if cap is None:
        return
    used = cap.used({size: len(hiding) for size, hiding in plan.hip_paid().items()})
    halves = used + carried_halves(plan.cg, plan.side)
    if used and halves > 2 * cap.squads:
        yield Problem(f"{halves / 2:g} squads hidden", cap.words, "units")


def setup_squads(plan: Plan) -> int:
    """Return the squads of which a tenth can hide: on map after setup, not In Reserve.

    By the reading `hip-base` all of the OB that are not In Reserve.
    """
    if plan.cg.reading("hip-base") == "all":
        return sum(1 for _ in hip_base(plan.cg, plan.side))
    squads = plan.cg.state.units_of(plan.side, "squad")
    on_map = sum(unit.on_map and not unit.has(Mark.PRISONER, Mark.CLOAKED) for unit in squads)
    fresh = (one for one in plan.leads() if one.unit.kind == "squad")
    return on_map + sum(not in_reserve(plan.cg, one.unit) for one in fresh)


def question_marks_needed(plan: Plan) -> int:
    """Return how many bought "?" a plan takes: Dummies, and Locations that CG10 does not cover."""
    return len(_paid_locations(plan)) + dummies_bought(plan)


def _paid_locations(plan: Plan) -> set[str]:
    return {one.at for one in plan.leads() if one.hide == CONCEALED and not plan.free_question_mark(one)}


def dummies_bought(plan: Plan) -> int:
    """Return how many bought "?" a plan puts on the map as Dummies."""
    bought = (site for site in plan.sites if site.fort in plan.setting.forts)
    return sum(site.count for site in bought if site.kind == QUESTION_MARK)


@implements("PL CG10")
def question_mark_problems(plan: Plan) -> Iterator[Problem]:
    """Infantry outside cover and entrenchments is concealed by bought "?" only."""
    needed, left = question_marks_needed(plan), allowances(plan.setting.forts)
    if needed > left:
        cover = "without one Infantry is concealed in Concealment Terrain and entrenchments only (PL CG10)"
        yield Problem(f'you need {needed} "?"', f"you bought {left}; {cover}", "units")


# Warnings ---------------------------------------------------------------------------------------


@implements("PL 2.37")
def ownership_warnings(plan: Plan) -> Iterator[str]:
    """SW, Guns and leaders of a group that takes part for the first time belong with it."""
    for one in plan.placed.values():
        holder = plan.carrier(one)
        if one.unit.kind not in ITEMS or holder is None or not plan.place_of(holder.id):
            continue
        if is_new(plan.cg, one.unit) and holder.group != one.unit.group:
            yield f"{one.unit.label} of {one.unit.group} is with {holder.label} of another group (PL 2.37)"
    for one in plan.leads():
        if one.unit.kind in LEADERS and is_new(plan.cg, one.unit) and not _among_own(plan, one):
            troops = "AFV" if one.unit.kind == "armor-leader" else "MMC or AFV"
            yield f"{one.unit.label} is not stacked with an {troops} of {one.unit.group} (PL 2.37)"


def _among_own(plan: Plan, leader: Placed) -> bool:
    """True if a leader is stacked with an MMC or AFV of his group; in a vehicle, with that."""
    if leader.holder:
        carrier = plan.carrier(leader)
        return carrier is not None and carrier.group == leader.unit.group
    return any(
        one.at == leader.at and one.unit.group == leader.unit.group and one.unit.kind in MMC | {"afv"}
        for one in plan.leads()
    )


def concealment_warnings(plan: Plan) -> Iterator[str]:
    """It depends on LOS, and at night on E1, that some units are concealed."""
    rule = "E1" if plan.setting.night else "A12.12, out of enemy LOS"
    for one in plan.leads():
        if one.hide == CONCEALED and plan.doubtful(one):
            yield f"{one.unit.label} is concealed in {one.at}; check that it can be ({rule})"
