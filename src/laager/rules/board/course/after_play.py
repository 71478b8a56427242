"""The end of a battle: who holds a Location after a Melee, which markers go, who gets off vehicles."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from laager.campaign import Fact, implements
from laager.rules.board.changes import INFANTRY, MMC, carried_by, change_marks, is_vehicle, remove_unit
from laager.rules.board.context import CardContext
from laager.rules.board.markers import replacement_marks
from laager.rules.board.units import Mark, Place, Unit


def can_fight(unit: Unit) -> bool:
    """True if both sides know of a unit that can fight: personnel or a vehicle, not a prisoner or Abandoned."""
    able = unit.known and (unit.kind in INFANTRY or is_vehicle(unit))
    return able and not unit.has(Mark.PRISONER, Mark.ABANDONED)


@implements("PL 3.13", "HASL 11")
def sole_occupant(there: Iterable[Unit]) -> str:
    """Return the side that alone has units in a Location, an MMC among them (A26.11); "" if there is none.

    Leave out units that the enemy doesn't see: Control is public.
    """
    units = list(there)
    sides = {unit.side for unit in units}
    return sides.pop() if len(sides) == 1 and any(unit.kind in MMC for unit in units) else ""


@implements("PL 3.15", "HASL 11")
def take_markers_off(cg: CardContext, units: Iterable[Unit], markers: Iterable[Mark]) -> Iterator[Fact]:
    """Markers of play come off, or become what follows them, and Tank-Hunter Heroes go."""
    ending = frozenset(markers)
    for unit in list(units):
        if unit.kind == "hero" and unit.has(Mark.TANK_HUNTER):
            yield from remove_unit(cg, unit, Place.REMOVED, "Tank-Hunter Heroes do not last")
        else:
            yield from change_marks(unit, add=replacement_marks(unit, ending), remove=ending, why="the battle is over")


def mounted_units(cg: CardContext, side: str, kinds: Iterable[str] = INFANTRY) -> list[Unit]:
    """Return personnel of these kinds and towed Guns that are on a side's vehicles (PL 3.16, HASL 11)."""
    riders = []
    for unit in cg.state.units_of(side, *kinds, "gun"):
        vehicle = cg.state.units.get(unit.with_unit)
        on_one = vehicle is not None and is_vehicle(vehicle) and vehicle.on_map
        if on_one and unit.on_map and not unit.has(Mark.PRISONER):
            riders.append(unit)
    return riders


def free_crew(cg: CardContext, gun: Unit) -> str:
    """Return a crew on foot with a Gun that has no Gun yet, of its own group if possible; "" if there is none."""
    crews = [
        unit
        for unit in cg.state.units_of(gun.side, "crew")
        if unit.at == gun.at and not unit.with_unit and not any(item.kind == "gun" for item in carried_by(cg, unit))
    ]
    own = [crew for crew in crews if crew.group == gun.group]
    return next((crew.id for crew in (*own, *crews)), "")
