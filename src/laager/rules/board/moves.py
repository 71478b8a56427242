"""How a unit gets from one Location to another: what goes along, what stays, what changes on the way."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from laager.campaign import Fact
from laager.hexmap import split_location
from laager.rules.board.changes import carried_by, change_marks, is_vehicle, leave_alone, place_unit
from laager.rules.board.context import CardContext
from laager.rules.board.facts import FortGone, TerrainChanged, UnitAttached
from laager.rules.board.places import FORTIFIED, can_emplace
from laager.rules.board.report.marks import IMMOBILE
from laager.rules.board.units import Mark, Unit
from laager.rules.board.wording import public_name


def is_fixed(gun: Unit) -> bool:
    """True if a Gun stays where it is for the campaign; dismantled it can go."""
    return gun.kind == "gun" and gun.has(Mark.FIXED) and not gun.has(Mark.DISMANTLED)


def stays_behind(cg: CardContext, item: Unit, leave: frozenset[str] = frozenset()) -> bool:
    """True if something stays where the unit that has it leaves: it is in `leave`, or a Gun that is never moved."""
    return item.id in leave or (cg.fixes_guns and is_fixed(item))


def is_stuck(unit: Unit) -> bool:
    """True if a unit is a vehicle that can't leave its hex."""
    return is_vehicle(unit) and unit.has(*IMMOBILE)


def whole_load(cg: CardContext, unit: Unit) -> Iterator[Unit]:
    """Yield all that is with a unit, and what is with that: SW, Guns, riders with their SW, prisoners."""
    for item in carried_by(cg, unit):
        yield item
        yield from whole_load(cg, item)


def baggage(cg: CardContext, unit: Unit, leave: frozenset[str] = frozenset()) -> Iterator[Unit]:
    """Yield what of its load goes where a unit goes: neither what it leaves, nor Guns that can never be moved."""
    for item in carried_by(cg, unit):
        if not stays_behind(cg, item, leave):
            yield item
            yield from baggage(cg, item, leave)


def leave_behind(cg: CardContext, unit: Unit, leave: frozenset[str] = frozenset()) -> Iterator[Fact]:
    """What stays where a unit leaves is with nobody any longer: `leave`, and Guns that can never be moved."""
    for item in list(whole_load(cg, unit)):
        if stays_behind(cg, item, leave):
            yield from leave_alone(item, f"left behind in {item.at}")


def move_unit(
    cg: CardContext,
    unit: Unit,
    at: str,
    why: str,
    *,
    leave: frozenset[str] = frozenset(),
    remove: Iterable[Mark] = (),
    emplaced: bool = False,
) -> Iterator[Fact]:
    """A unit goes to another Location, of itself or not, with all that it carries; `remove` are markers that come off.

    What `leave` names stays behind, as do Guns that can never be moved. A unit that leaves its vehicle goes on foot.
    What moves is no longer Encircled, what was hidden is under a "?". A Gun is emplaced there only if `emplaced`, with
    its crew, on ground for it.
    """
    here = at == unit.at and unit.on_map
    if not here:
        yield from leave_behind(cg, unit, leave)
    along = tuple(baggage(cg, unit, leave))
    if not here:
        holder = cg.state.units.get(unit.with_unit)
        if unit.with_unit and (holder is None or holder.at != at):
            yield UnitAttached(unit=unit.id, why="goes on foot", to=unit.audience)
        yield place_unit(unit, at, why=why)
        for item in along:
            yield place_unit(item, at, why=f"with {public_name(unit)}")
    for mover in (unit, *along):
        hidden = not here and mover.has(Mark.HIP)
        arriving = frozenset[Mark]() if here else frozenset({Mark.ENCIRCLED, Mark.HIP})
        yield from change_marks(mover, add=[Mark.CONCEALED] * hidden, remove=arriving.union(remove), why=why)
        if mover.kind == "gun" and not here:
            yield from _emplacement(cg, cg.state.units[mover.id], at, wanted=emplaced)


def _emplacement(cg: CardContext, gun: Unit, at: str, *, wanted: bool) -> Iterator[Fact]:
    """A Gun that was moved is emplaced if its crew wants it and can dig there (PL 3.21); else it no longer is."""
    crew = cg.state.units.get(gun.with_unit)
    if wanted and crew is not None and crew.kind == "crew" and can_emplace(cg, at):
        yield from change_marks(gun, add=[Mark.EMPLACED], why="possessed by its crew: emplaced")
    else:
        yield from change_marks(gun, remove=[Mark.EMPLACED], why="was moved")


def collapse(cg: CardContext, at: str, why: str) -> Iterator[Fact]:
    """A Location becomes rubble. If it is the ground level, all falls: who stood upstairs stands on the rubble."""
    yield TerrainChanged(at=at, what="rubble", why=why)
    if not cg.fortified_rubble:
        yield from _fortified_lost(cg, at, why)
    if split_location(at)[1] is not None:
        return
    for unit in list(cg.state.units.values()):
        now = cg.state.units[unit.id]
        level = split_location(now.at)[1] if now.at else None
        if now.on_map and now.hex == at and level is not None and (level.isdigit() or level == "c"):
            yield from move_unit(cg, now, at, why)


def _fortified_lost(cg: CardContext, at: str, why: str) -> Iterator[Fact]:
    """What was fortified in a Location that is rubble now is gone; with the ground level, on all levels."""
    for fort in list(cg.state.forts.values()):
        if fort.kind == FORTIFIED and at in (fort.at, fort.hex):
            yield FortGone(fort=fort.id, why=why, to=(fort.side,) if fort.hidden else None)
