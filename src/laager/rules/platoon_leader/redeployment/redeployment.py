"""Redeployment after play: which units must leave where they stand, and which can (PL 3.214 to 3.24)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from laager.campaign import Fact, Procedure, ask, implements, step
from laager.catalogue import Kind
from laager.hexmap import Situation
from laager.rules.board.card.parts import SIDES
from laager.rules.board.changes import MMC, change_marks, is_vehicle, remove_unit
from laager.rules.board.units import Mark, Place, Unit
from laager.rules.board.wording import yield_facts
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.redeployment import situations
from laager.rules.platoon_leader.redeployment.hidden import concealment_lost_in
from laager.rules.platoon_leader.redeployment.orders import Orders, Task
from laager.rules.platoon_leader.redeployment.parties import StayTerms, riders
from laager.rules.platoon_leader.redeployment.redeploying import lose, redeploy

HELP = (
    "By answering you confirm that the units can take these ways: as in an MPh, with at most twice "
    "the MF or MP, without CX, by accessible Locations only. SW can count as dismantled. Nearest is "
    "counted in hexes. A vehicle that remains can change its VCA and TCA and try for Hull Down."
)


def due(cg: Cg, side: str, situation: Situation) -> list[Unit]:
    """Return a side's units that redeploy because of a situation."""
    return [unit for unit in situations.movers(cg, side) if situations.situation_of(cg, unit) is situation]


def in_situation(cg: Cg, situation: Situation, task: Task, *, known: bool) -> Procedure[None]:
    """Redeploy the units in a situation: the attacker's completely first, then the defender's.

    `known`: they lose HIP and concealment before.
    """
    for side in situations.order_after_play(cg):
        if known:
            yield from yield_facts(concealment_lost_in(cg, side, situation))
        units = due(cg, side, situation)
        if not units:
            continue
        orders = Orders(cg, side, units, task)
        rows = yield from ask(orders.question())
        for party in orders.parties(rows):
            yield from redeploy(cg, party, task.terms)
        stranded = {name for row in rows if not row["to"] for name in row["units"]}
        yield from yield_facts(out_of_reach(cg, [u for u in units if u.id in stranded], task.terms))


def out_of_reach(cg: Cg, units: Sequence[Unit], terms: StayTerms) -> Iterator[Fact]:
    """Units that can reach no friendly Location make no DR: eliminated or considered Isolated."""
    why = "no friendly-Controlled Location within range"
    for unit in units:
        now = cg.state.units[unit.id]
        if unit.has(Mark.PRISONER):
            continue
        if terms.fatal:
            yield from lose(cg, [now], why, terms)
        elif terms.isolates:
            yield from change_marks(now, add=[Mark.ISOLATED], why=why)


@step(
    "PL 3.214",
    "Redeployment of units in the enemy MLR",
    also=("PL 3.21 heading", "PL 3.211", "PL 1.4 Redeployment"),
    edition=3,
)
def in_enemy_mlr(cg: Cg) -> Procedure[None]:
    """They must try to reach the nearest friendly cluster; units that fail are eliminated."""
    task = Task(
        key="redeploy-from-enemy-mlr",
        rule="PL 3.214",
        text=f"{situations.words(Situation.ENEMY_MLR)}: these units must try to redeploy to the nearest "
        "friendly cluster. Units that can't reach one, or fail, are eliminated.",
        terms=StayTerms(fatal=True),
        help=HELP,
    )
    yield from in_situation(cg, Situation.ENEMY_MLR, task, known=True)


@step("PL 3.215", "Redeployment of Isolated units", edition=3)
def isolated(cg: Cg) -> Procedure[None]:
    """They can try to get out, and keep concealment meanwhile; units that try and fail are lost."""
    task = Task(
        key="redeploy-isolated",
        rule="PL 3.215",
        text=f"{situations.words(Situation.ISOLATED)}: which of these units try to redeploy? Units that try "
        "and fail are eliminated; units that stay are Isolated.",
        terms=StayTerms(fatal=True),
        must=False,
        help=HELP,
    )
    yield from in_situation(cg, Situation.ISOLATED, task, known=False)


@step("PL 3.216", "Redeployment of units in Uncontrolled Terrain", edition=3)
def in_uncontrolled_terrain(cg: Cg) -> Procedure[None]:
    """They must roll if they can reach a friendly cluster; units that stay are considered Isolated."""
    yield from in_situation(cg, Situation.UNCONTROLLED, _must_try(Situation.UNCONTROLLED, "PL 3.216"), known=True)


@step("PL 3.217", "Redeployment of units in No Man's Land", edition=3)
def in_no_mans_land(cg: Cg) -> Procedure[None]:
    """As in Uncontrolled Terrain."""
    yield from in_situation(cg, Situation.NO_MANS_LAND, _must_try(Situation.NO_MANS_LAND, "PL 3.217"), known=True)


def _must_try(situation: Situation, rule: str) -> Task:
    key = "uncontrolled" if situation is Situation.UNCONTROLLED else "no-mans-land"
    return Task(
        key=f"redeploy-from-{key}",
        rule=rule,
        text=f"{situations.words(situation)}: these units must roll to redeploy to the nearest friendly "
        "cluster if they can reach one. Units that stay are considered Isolated.",
        terms=StayTerms(isolates=True),
        help=HELP,
    )


# Prisoners --------------------------------------------------------------------------------------


@step("PL 3.22", "Removal of prisoners", edition=2)
def prisoners_removed(cg: Cg) -> Procedure[None]:
    """Guarded ones go for double CVP, others for their CVP unless they are in an MLR of theirs.

    Those whose Guards have left the map with them go too.
    """
    for side in SIDES:
        for unit in [unit for unit in cg.state.units_of(side) if unit.has(Mark.PRISONER)]:
            yield from yield_facts(prisoner_goes(cg, unit))


@implements("PL 3.22")
def prisoner_goes(cg: Cg, unit: Unit) -> Iterator[Fact]:
    """Return what becomes of a prisoner: removed, or free in an MLR of its own side."""
    double = situations.is_guarded(unit)
    if not double and unit.on_map and situations.in_friendly_mlr(cg, unit):
        why = "without guard in an MLR of its own side: free"
        yield from change_marks(unit, remove=[Mark.PRISONER, Mark.UNGUARDED], why=why)
        return
    cvp = cg.nation_of(unit).cvp(unit.type, Kind(unit.kind), prisoner=double)
    why = "a guarded prisoner: double CVP" if double else "a prisoner without guard"
    yield from remove_unit(cg, unit, Place.CAPTURED, why, cvp=cvp)


# Vehicles ---------------------------------------------------------------------------------------


@step("PL 3.23", "Abandoned and Immobilized vehicles", edition=2)
def vehicles_left_behind(cg: Cg) -> Procedure[None]:
    """Those without help near by and outside a friendly MLR become wrecks."""
    near = cg.charts.limit("vehicle-help")
    why = f"no friendly MMC, AFV or Gun-armed vehicle within {near} hexes, and no friendly MLR"
    doomed = [unit for side in SIDES for unit in forsaken(cg, side)]
    for unit in doomed:
        yield from yield_facts(lose(cg, (unit, *riders(cg, unit)), why, StayTerms()))


@implements("PL 3.23")
def forsaken(cg: Cg, side: str) -> list[Unit]:
    """Return a side's Abandoned, Immobilized or Mired vehicles that become wrecks."""
    stuck = [
        unit
        for unit in situations.on_map(cg, side)
        if is_vehicle(unit) and unit.has(Mark.ABANDONED, Mark.IMMOBILIZED, Mark.MIRED)
    ]
    friendly = situations.front_of(cg).friendly_mlr[side]
    outside = [unit for unit in stuck if unit.hex not in friendly]
    return [unit for unit in outside if not has_help(cg, unit)]


def has_help(cg: Cg, vehicle: Unit) -> bool:
    """True if a friendly MMC, AFV or Gun-armed vehicle, not this one, is within 3 hexes."""
    near = cg.charts.limit("vehicle-help")
    return any(
        unit.id != vehicle.id and _helps(cg, unit) and cg.map.distance(unit.hex or "", vehicle.hex or "") <= near
        for unit in situations.on_map(cg, vehicle.side)
    )


def _helps(cg: Cg, unit: Unit) -> bool:
    if unit.has(Mark.PRISONER, Mark.ABANDONED):
        return False
    if unit.kind in MMC or unit.kind == "afv":
        return True
    return unit.kind == "vehicle" and cg.nation_of(unit).vehicles[unit.type].gun_armed
