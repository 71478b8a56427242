"""The five situations of PL 3.212: where a unit is, and which side acts first because of it."""

from __future__ import annotations

from collections.abc import Iterator

from laager.base import Problem, RefusedError
from laager.campaign import implements
from laager.hexmap import Front, Situation, split_location
from laager.rules.board.card.parts import SIDES, other_side
from laager.rules.board.changes import INFANTRY, is_vehicle
from laager.rules.board.units import Mark, Unit
from laager.rules.platoon_leader.charts import charts
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.state import Type

IMMOBILE = frozenset({Mark.ABANDONED, Mark.IMMOBILIZED, Mark.MIRED})
"""What makes a vehicle one of those that PL 3.23 is about; they have no column to roll on."""


def front_of(cg: Cg) -> Front:
    """Return the front in force. Only for steps after it was first drawn."""
    drawn = cg.front
    assert drawn is not None, "the front is drawn at the start of 3.2"
    return drawn


@implements("PL 3.212a", "PL 3.212b", "PL 3.212c", "PL 3.212d", "PL 3.212e")
def situation_of(cg: Cg, unit: Unit) -> Situation:
    """Return the situation of a unit on the map, by the front in force."""
    assert unit.at is not None, "only units on the map are in a situation"
    return situation_at(cg, unit.side, unit.at)


def situation_at(cg: Cg, side: str, location: str) -> Situation:
    """Return the situation that a unit of a side has in a Location (PL 3.212, PL GEO G11)."""
    return front_of(cg).situation(
        side,
        location,
        cg.state.ground.control.get(location) == side,
        pocket_is_no_mans_land=cg.reading("besieger") == "no-mans-land",
    )


def words(situation: Situation) -> str:
    """Return a situation as a player reads it, with the counter that serves as an aid."""
    row = charts().situations.of(situation.value)
    return f"{row.name} ({row.marker} counter as an aid)" if row.marker else row.name


@implements("PL 1.4 FMLR")
def in_friendly_mlr(cg: Cg, unit: Unit) -> bool:
    """True if a unit on the map is in its own MLR: situation e, so never if Isolated."""
    return situation_of(cg, unit) is Situation.FRIENDLY_MLR


def on_map(cg: Cg, side: str) -> Iterator[Unit]:
    """Return a side's units that stand on the map, without wrecks."""
    return (unit for unit in cg.state.units_of(side) if unit.on_map and unit.at and not unit.has(Mark.WRECK))


def is_guarded(unit: Unit) -> bool:
    """True if a unit is a prisoner under guard."""
    return unit.has(Mark.PRISONER) and bool(unit.with_unit) and not unit.has(Mark.UNGUARDED)


def immobile(unit: Unit) -> bool:
    """True if a unit is a vehicle left to PL 3.23: Abandoned, Immobilized or Mired."""
    return is_vehicle(unit) and unit.has(*IMMOBILE)


def aboard(cg: Cg, unit: Unit) -> Unit | None:
    """Return the vehicle on which a unit rides, if that can still drive."""
    carrier = cg.state.units.get(unit.with_unit)
    if carrier is None or not is_vehicle(carrier) or not carrier.on_map or immobile(carrier):
        return None
    return carrier


def movers(cg: Cg, side: str) -> Iterator[Unit]:
    """Return the units that can still redeploy by themselves (PL 3.211: once in a RePh).

    Personnel on foot and vehicles that can drive; riders go with their vehicle.
    """
    for unit in on_map(cg, side):
        if unit.has(Mark.REDEPLOYED) or is_guarded(unit) or immobile(unit):
            continue
        if is_vehicle(unit) or (unit.kind in INFANTRY and aboard(cg, unit) is None):
            yield unit


def enemy_seen_at(cg: Cg, side: str, location: str) -> bool:
    """True if enemy personnel or vehicles stand there, as far as a side can see.

    A counter under "?" can be seen, one that is hidden can't.
    """
    return any(
        unit.side == other_side(side)
        and (unit.kind in INFANTRY or is_vehicle(unit))
        and not unit.has(Mark.HIP, Mark.WRECK, Mark.ABANDONED, Mark.PRISONER)
        for unit in cg.state.at(location)
    )


def location_problems(cg: Cg, side: str, at: str, field: str) -> Iterator[Problem]:
    """Yield why a side's units can't go to a Location: it doesn't exist, or enemy units stand there.

    A pillbox is a Location that no map knows of. One that the enemy hides must not be given away.
    """
    try:
        name = cg.map.hex(split_location(at)[0]).name
    except RefusedError as err:
        yield err.at(field)
        return
    there = cg.map.locations(name)
    known = {fort.at for fort in cg.state.forts.values() if fort.side == side or not fort.hidden}
    if at not in there and at not in known:
        yield Problem(f"{at} is not a Location", f"in {name} there is {', '.join(there)}", field)
    elif enemy_seen_at(cg, side, at):
        yield Problem(f"{at} holds enemy units", "choose another Location", field)


@implements("PL 3.214", "PL 3.215", "PL 3.216", "PL 3.217")
def order_after_play(cg: Cg) -> tuple[str, str]:
    """Return the sides in the order in which they redeploy in 3.2: the attacker of the firefight just played first."""
    attacker = cg.state.fight.attacker or cg.state.fight.moves_first or cg.card.attacking_side
    return attacker, other_side(attacker)


@implements("PL 2.5")
def order_in_mlr(cg: Cg) -> tuple[str, str]:
    """Return the sides in the order in which they redeploy in 2.5: the defender of the coming firefight first.

    In a Dual Attack the side that attacked or moved first in the last firefight that was not Idle
    counts as the attacker.
    """
    fight, attacker = cg.state.fight, cg.state.fight.attacker
    if fight.type is Type.DUAL_ATTACK:
        last = cg.state.last_played()
        attacker = (last.attacker or last.moves_first) if last is not None else ""
    attacker = attacker or cg.card.attacking_side
    assert attacker in SIDES
    return other_side(attacker), attacker
