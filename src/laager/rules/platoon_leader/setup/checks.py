"""What the rules have against a setup, and what they only warn of (PL 2.6, 2.37, CG3, CG10)."""

from __future__ import annotations

from collections.abc import Iterator

from laager.base import Problem, did_you_mean
from laager.campaign import implements
from laager.rules.board.changes import INFANTRY, LEADERS, MMC, is_vehicle
from laager.rules.board.places import ITEMS, can_enter
from laager.rules.board.setup.hiding import CLOAKED, CONCEALED, HIDDEN, NO_CONCEALMENT, QUESTION_MARK, hip_size
from laager.rules.board.units import Mark, Unit
from laager.rules.platoon_leader.buying.groups import is_new
from laager.rules.platoon_leader.buying.works import carried_halves, hip_base, hip_halves, in_reserve
from laager.rules.platoon_leader.charts import charts
from laager.rules.platoon_leader.firefight.determination import may_cloak
from laager.rules.platoon_leader.setup.forts import fort_problems
from laager.rules.platoon_leader.setup.plan import Plan, Spot, allowances
from laager.rules.platoon_leader.setup.rights import barred
from laager.rules.platoon_leader.setup.security import line_problems


def setup_problems(plan: Plan) -> tuple[Problem, ...]:
    """Return everything that the rules have against a setup; nothing if it is legal."""
    return (
        *_unit_problems(plan),
        *fort_problems(plan),
        *_hip_problems(plan),
        *_question_mark_problems(plan),
        *_module_problems(plan),
        *line_problems(plan),
    )


# Units ------------------------------------------------------------------------------------------


def _unit_problems(plan: Plan) -> Iterator[Problem]:
    seen: set[str] = set()
    for number, spot in enumerate(plan.spots, 1):
        here = f"units[{number}]"
        if spot.unit.id in seen:
            yield Problem(f"{spot.unit.label} is set up twice", "once each", f"{here}.unit")
        seen.add(spot.unit.id)
        if spot.text and not spot.at:
            advice = did_you_mean(spot.text, plan.cg.sort(plan.setting.ground.area), "there are")
            yield Problem(f"{spot.text!r} is no Location of the map", advice, f"{here}.at")
            continue
        if spot.unit.kind in ITEMS:
            yield from _item_problems(plan, spot, here)
        elif spot.at:
            yield from _ground_problems(plan, spot, here)
            yield from _rider_problems(plan, spot, here)
            yield from _hide_problems(plan, spot, here)


def _item_problems(plan: Plan, spot: Spot, here: str) -> Iterator[Problem]:
    what = "Gun" if spot.unit.kind == "gun" else "SW"
    holder = plan.cg.state.units.get(spot.holder)
    if not spot.holder:
        if spot.at:
            right = f"name who possesses the {what}"
            yield Problem(f"{spot.unit.label} cannot set up alone", right, f"{here}.with")
        return
    able = holder is not None and holder.side == plan.side and holder.kind in INFANTRY
    if holder is None or not able or not plan.place_of(holder.id):
        right = "personnel of yours that set up now or are on map"
        yield Problem(f"{spot.holder} cannot possess {spot.unit.label}", right, f"{here}.with")
    elif spot.at and spot.at != plan.place_of(holder.id):
        right = f"{plan.place_of(holder.id)}, where {holder.label} is; or leave it out"
        yield Problem(f"{spot.unit.label} cannot be in {spot.at}", right, f"{here}.at")


def _ground_problems(plan: Plan, spot: Spot, here: str) -> Iterator[Problem]:
    if not can_enter(plan.cg, spot.unit, spot.at):
        right = "a Location that it can enter"
        yield Problem(f"{spot.unit.label} cannot stand in {spot.at}", right, f"{here}.at")
    why = barred(plan.cg, plan.setting.ground, spot.unit, spot.at, plan.dug)
    if why is not None and not _rides_into(plan, spot, why[0]):
        yield Problem(why[0], why[1], f"{here}.at")


def _rides_into(plan: Plan, spot: Spot, why: str) -> bool:
    """Whether a rider may be where others may not: an AFV in the open, no user of new works."""
    carrier = plan.cg.state.units.get(spot.holder)
    if carrier is None or not is_vehicle(carrier):
        return False
    return "entrenchment" in why or ("Open Ground" in why and carrier.kind == "afv")


def _rider_problems(plan: Plan, spot: Spot, here: str) -> Iterator[Problem]:
    if not spot.holder:
        if spot.unit.kind == "armor-leader":
            right = "name his AFV"
            yield Problem(f"{spot.unit.label} sets up in a vehicle", right, f"{here}.with")
        return
    carrier = plan.cg.state.units.get(spot.holder)
    legal = carrier is not None and carrier.side == plan.side and is_vehicle(carrier)
    if not legal or is_vehicle(spot.unit) or not plan.place_of(spot.holder):
        right = "a vehicle of yours that sets up now or is on map"
        yield Problem(f"{spot.unit.label} cannot ride {spot.holder}", right, f"{here}.with")
    elif plan.place_of(spot.holder) != spot.at:
        right = f"{plan.place_of(spot.holder)}, where it is; or leave it out"
        yield Problem(f"{spot.holder} is not in {spot.at}", right, f"{here}.at")


# Hiding -----------------------------------------------------------------------------------------


def _hide_problems(plan: Plan, spot: Spot, here: str) -> Iterator[Problem]:
    field = f"{here}.hide"
    if in_reserve(plan.cg, spot.unit):
        if spot.hide == HIDDEN:
            yield Problem(f"{spot.unit.label} is In Reserve", "it sets up Cloaked", field)
        return
    if spot.hide == CLOAKED and not may_cloak(plan.cg, plan.side):
        right = "Reserves are, and the attacker at night"
        yield Problem(f"{spot.unit.label} cannot be Cloaked", right, field)
    if spot.hide in {CONCEALED, HIDDEN} and spot.unit.has(*NO_CONCEALMENT):
        yield Problem(f"{spot.unit.label} can neither hide nor be concealed", "none", field)
    if spot.hide == HIDDEN and not plan.covered(spot.at) and not free_gun(plan, spot.unit):
        right = "Concealment Terrain or an entrenchment (A12.34)"
        yield Problem(f"{spot.unit.label} cannot hide in {spot.at}", right, field)


@implements("PL CG3")
def free_gun(plan: Plan, unit: Unit) -> bool:
    """Whether a unit mans a Gun that may hide without bought HIP: in the Initial Firefight.

    A Gun that was hidden and seen needs bought HIP from then on.
    """
    guns = tuple(plan.guns_of(unit))
    return plan.cg.initial and bool(guns) and not any(gun.has(Mark.WAS_REVEALED) for gun in guns)


def bought_hip(plan: Plan) -> dict[str, int]:
    """Return how many units of each size hide by bought HIP under a plan."""
    found: dict[str, int] = {}
    for spot in plan.placed:
        if plan.hide_of(spot) == HIDDEN and not free_gun(plan, spot.unit):
            size = hip_size(spot.unit)
            found[size] = found.get(size, 0) + 1
    return found


@implements("PL 2.38 note 3")
def _hip_problems(plan: Plan) -> Iterator[Problem]:
    used = bought_hip(plan)
    for size, wanted in used.items():
        left = allowances(plan.setting.hip, size)
        if wanted > left:
            yield Problem(f"HIP for {wanted} x {size}", f"{left} bought (PL 2.38)", "units")
    if plan.cg.slot.night is not None:
        return
    base = setup_squads(plan)
    japanese = plan.cg.nation(plan.side).group == "japanese"
    limit = charts().hip_squads(base, japanese=japanese)
    halves = hip_halves(used) + carried_halves(plan.cg, plan.side)
    if hip_halves(used) and halves > 2 * limit:
        what = f"{halves / 2:g} squads hidden"
        yield Problem(what, f"{limit} of {base} by day (PL 2.38 note 3)", "units")


def setup_squads(plan: Plan) -> int:
    """Return the squads of which a tenth may hide: on map after setup, not In Reserve.

    By the reading `hip-base` all of the OB that are not In Reserve.
    """
    if plan.cg.reading("hip-base") == "all":
        return sum(1 for _ in hip_base(plan.cg, plan.side))
    squads = plan.cg.state.units_of(plan.side, "squad")
    on_map = sum(unit.on_map and not unit.has(Mark.PRISONER, Mark.CLOAKED) for unit in squads)
    fresh = (s for s in plan.placed if s.unit.kind == "squad")
    return on_map + sum(not in_reserve(plan.cg, spot.unit) for spot in fresh)


def question_marks_needed(plan: Plan) -> int:
    """Return how many bought "?" a plan takes: Dummies, and Locations that CG10 does not cover."""
    paid = {spot.at for spot in plan.placed if plan.hide_of(spot) == CONCEALED and not plan.free_question_mark(spot)}
    return len(paid) + sum(site.count for site in plan.sites if site.fort and _is_mark(site.kind))


def _is_mark(kind: str) -> bool:
    return kind == QUESTION_MARK


@implements("PL CG10")
def _question_mark_problems(plan: Plan) -> Iterator[Problem]:
    needed, left = question_marks_needed(plan), allowances(plan.setting.forts)
    if needed > left:
        what = f'{needed} "?" are needed'
        right = (
            f"{left} bought; without one Infantry is concealed in Concealment Terrain and entrenchments only (PL CG10)"
        )
        yield Problem(what, right, "units")


# OBA --------------------------------------------------------------------------------------------


@implements("PL CG4")
def _module_problems(plan: Plan) -> Iterator[Problem]:
    most = charts().limit("oba-modules")
    if len(plan.modules) > most:
        yield Problem(f"{len(plan.modules)} OBA modules", f"{most} in one firefight", "modules")


# Warnings ---------------------------------------------------------------------------------------


def setup_warnings(plan: Plan) -> list[str]:
    """Return what the side should look at once more; it may let it stand."""
    return [*_ownership_warnings(plan), *_concealment_warnings(plan)]


@implements("PL 2.37")
def _ownership_warnings(plan: Plan) -> Iterator[str]:
    """SW, Guns and leaders of a group that takes part for the first time belong with it."""
    for item, name in plan.items.items():
        unit, holder = plan.cg.state.units[item], plan.cg.state.units[name]
        if is_new(plan.cg, unit) and holder.group != unit.group:
            yield f"{unit.label} of {unit.group} is with {holder.label} of another group (PL 2.37)"
    for spot in plan.placed:
        if spot.unit.kind in LEADERS and is_new(plan.cg, spot.unit) and not _among_own(plan, spot):
            troops = "AFV" if spot.unit.kind == "armor-leader" else "MMC or AFV"
            where = f"an {troops} of {spot.unit.group}"
            yield f"{spot.unit.label} is not stacked with {where} (PL 2.37)"


def _among_own(plan: Plan, leader: Spot) -> bool:
    """Whether a leader is stacked with an MMC or AFV of his group; in a vehicle, with that."""
    if leader.holder:
        carrier = plan.cg.state.units.get(leader.holder)
        return carrier is not None and carrier.group == leader.unit.group
    return any(
        spot.at == leader.at
        and spot.unit.group == leader.unit.group
        and (spot.unit.kind in MMC or spot.unit.kind == "afv")
        for spot in plan.placed
    )


def _concealment_warnings(plan: Plan) -> Iterator[str]:
    for spot in plan.placed:
        if plan.hide_of(spot) == CONCEALED and plan.doubtful(spot):
            rule = "E1" if plan.cg.slot.night is not None else "A12.12, out of enemy LOS"
            yield f"{spot.unit.label} is concealed in {spot.at}; see whether it may be ({rule})"
