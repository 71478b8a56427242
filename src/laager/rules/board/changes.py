"""What happens to units, as rules say it: Reduced, Replaced, hardened, eliminated.

Each function returns the facts that follow; the CVP that they score are among them (PL 3.11). They
are pure: the caller yields the facts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from laager.campaign import Fact, implements
from laager.catalogue import FANATIC, VehicleType
from laager.rules.board.card.parts import SIDES, other_side
from laager.rules.board.context import CardContext
from laager.rules.board.facts import (
    ControlChanged,
    CvpScored,
    UnitAttached,
    UnitChanged,
    UnitGone,
    UnitHidden,
    UnitJoined,
    UnitMarked,
    UnitMoved,
    UnitRevealed,
)
from laager.rules.board.numbering import next_unit_id
from laager.rules.board.units import HIDING, Mark, Place, Unit
from laager.rules.board.wording import public_name

LEADERS = frozenset({"leader", "commissar", "armor-leader"})
MMC = frozenset({"squad", "half-squad", "crew"})
SMC = LEADERS | {"hero"}
INFANTRY = MMC | SMC
VEHICLES = frozenset({"afv", "vehicle"})


def is_vehicle(unit: Unit) -> bool:
    """True if a unit is an AFV or another vehicle."""
    return unit.kind in VEHICLES


def cvp_of(cg: CardContext, unit: Unit) -> int:
    """Return the CVP that the enemy scores for a unit (single value).

    The crew of an Abandoned vehicle is no longer in it and counts by itself.
    """
    full = cg.nation_of(unit).cvp(unit.type)
    return full - crew_cvp(cg, unit) if unit.has(Mark.ABANDONED) else full


def crew_cvp(cg: CardContext, unit: Unit) -> int:
    """Return that part of a vehicle's CVP which is its inherent crew's; 0 for other units."""
    type_ = cg.nation_of(unit).unit(unit.type)
    return type_.crew_cvp if isinstance(type_, VehicleType) else 0


def carried_by(cg: CardContext, unit: Unit) -> Iterator[Unit]:
    """Return the SW, Guns and others that are with a unit."""
    return cg.state.carried_by(unit.id)


def holders(cg: CardContext, unit: Unit) -> list[Unit]:
    """Return the unit of its own side that has or carries a unit, the one that carries that, and so on."""
    chain: list[Unit] = []
    holder = cg.state.units.get(unit.with_unit)
    while holder is not None and holder.side == unit.side and holder not in chain:
        chain.append(holder)
        holder = cg.state.units.get(holder.with_unit)
    return chain


def sort_by_holder(cg: CardContext, units: Iterable[Unit]) -> list[Unit]:
    """Return units, each after the one that it is with.

    Units are revealed in this order: a counter that is with another one shows that the other one is there.
    """
    return sorted(units, key=lambda unit: len(holders(cg, unit)))


def is_unseen(cg: CardContext, unit: Unit) -> bool:
    """True if the enemy can't see a unit on the map: it hides, or is with one that hides."""
    return any(counter.has(*HIDING) for counter in (unit, *holders(cg, unit)))


def remove_unit(
    cg: CardContext, unit: Unit, place: Place, why: str, *, cvp: int | None = None, firefight: int | None = None
) -> Iterator[Fact]:
    """A unit leaves the OB, and what was with it is left alone. Its enemy scores `cvp`.

    None stands for its full value if it is eliminated or captured, else nothing.
    """
    points = cvp
    if points is None:
        points = cvp_of(cg, unit) if place in (Place.ELIMINATED, Place.CAPTURED) else 0
    kept = place is Place.REMOVED and unit.place is not Place.RECALLED
    back = place is Place.RECALLED and cg.recalled_return
    lost_leader = unit.kind in LEADERS and not (kept or back)
    # What the enemy took part in is public; what a side does among its own is not.
    audience = None if place in (Place.ELIMINATED, Place.CAPTURED) else unit.audience
    yield UnitGone(
        unit=unit.id, side=unit.side, type=unit.type, place=place, lost_leader=lost_leader, why=why, to=audience
    )
    for item in carried_by(cg, unit):
        yield from leave_alone(item, f"{public_name(unit) if item.known else unit.label} is gone")
    if points:
        yield CvpScored(side=other_side(unit.side), points=points, firefight=firefight, why=f"{unit.label}: {why}")


@implements("PL 3.22", "HASL 14")
def leave_alone(item: Unit, why: str) -> Iterator[Fact]:
    """The unit that had something has it no longer.

    Equipment lies there, a towed Gun is unhooked, a prisoner is unguarded (A20.5).
    """
    yield UnitAttached(unit=item.id, why=why, to=item.audience)
    unguarded = [Mark.UNGUARDED] if item.has(Mark.PRISONER) else []
    yield from change_marks(item, add=unguarded, remove=[Mark.HOOKED], why=why)


def put_under_guard(prisoner: Unit, guard: str, why: str) -> Iterator[Fact]:
    """A unit guards a prisoner from now on."""
    yield from change_marks(prisoner, remove=[Mark.UNGUARDED], why=why)
    yield UnitAttached(unit=prisoner.id, to_unit=guard, why=why, to=prisoner.audience)


def hand_to_guard(prisoner: Unit, guard: Unit, why: str) -> Iterator[Fact]:
    """A unit guards a prisoner from now on; the prisoner's side isn't told of one that it doesn't see."""
    if guard.known:
        yield UnitAttached(unit=prisoner.id, to_unit=guard.id, why=why, to=prisoner.audience)
        return
    if prisoner.with_unit:
        yield UnitAttached(unit=prisoner.id, why=why, to=(prisoner.side,))
    yield UnitAttached(unit=prisoner.id, to_unit=guard.id, why=why, to=(guard.side,))


def recall_unit(cg: CardContext, unit: Unit, why: str) -> Iterator[Fact]:
    """A unit is Recalled; with a vehicle go its armor leader and the SW on it, passengers and towed Guns stay."""
    crew = [item for item in carried_by(cg, unit) if is_vehicle(unit) and item.kind in {"armor-leader", "sw"}]
    for item in crew:
        yield from remove_unit(cg, item, Place.RECALLED, f"Recalled with {unit.type}")
    yield from remove_unit(cg, unit, Place.RECALLED, why)
    if cg.recalled_return:
        yield from (keep_aboard(item, unit) for item in crew)


def keep_aboard(unit: Unit, vehicle: Unit) -> Fact:
    """What left the map with a vehicle is still aboard: both share what becomes of it."""
    return UnitAttached(unit=unit.id, to_unit=vehicle.id, why=f"aboard {public_name(vehicle)}", to=unit.audience)


def eliminate(cg: CardContext, unit: Unit, why: str, *, firefight: int | None = None) -> Iterator[Fact]:
    """A unit is eliminated; a vehicle becomes a wreck with no crew survival."""
    if is_vehicle(unit) and unit.on_map:
        yield UnitMarked(unit=unit.id, add=frozenset({Mark.WRECK}), why=why, to=unit.audience)
    yield from remove_unit(cg, unit, Place.ELIMINATED, why, firefight=firefight)


def lose_vehicle(cg: CardContext, unit: Unit, why: str) -> Iterator[Fact]:
    """A vehicle becomes a wreck without crew survival; everyone and everything on it is lost too."""
    for item in list(carried_by(cg, unit)):
        for load in list(carried_by(cg, item)):
            yield from remove_unit(cg, load, Place.ELIMINATED, f"on {unit.type}: {why}")
        yield from remove_unit(cg, cg.state.units[item.id], Place.ELIMINATED, f"on {unit.type}: {why}")
    yield from eliminate(cg, cg.state.units[unit.id], why)


def lose_unit(cg: CardContext, unit: Unit, why: str) -> Iterator[Fact]:
    """A unit is eliminated; a vehicle on the map with all that is on it."""
    if is_vehicle(unit) and unit.on_map:
        yield from lose_vehicle(cg, unit, why)
    else:
        yield from remove_unit(cg, unit, Place.ELIMINATED, why)


def capture_unit(cg: CardContext, unit: Unit, by: str, why: str, *, kept: frozenset[Mark]) -> Iterator[Fact]:
    """Personnel become prisoners of a unit; weapons and vehicles become its own, with the markers `kept`."""
    if unit.kind not in INFANTRY:
        yield from remove_unit(cg, unit, Place.CAPTURED, f"{why}: captured")
        yield from change_hands(cg, unit, by, unit.marks & kept)
        return
    yield from reveal(unit, f"{why}: captured")
    unit = cg.state.units[unit.id]
    for item in list(carried_by(cg, unit)):
        yield from leave_alone(item, f"{why}: dropped")
    yield from change_marks(unit, add=[Mark.PRISONER], remove=[Mark.MELEE], why=f"{why}: captured")
    yield from put_under_guard(unit, by, f"{why}: guarded")


def reduce_unit(cg: CardContext, unit: Unit, why: str, *, firefight: int | None = None) -> Iterator[Fact]:
    """Casualty Reduction: a squad becomes its half-squad, an HS or crew is lost, an SMC is Wounded.

    A Wounded SMC is eliminated (A17). The enemy scores what was lost.
    """
    if unit.kind in SMC:
        if unit.has(Mark.WOUNDED) or unit.kind == "hero":
            yield from eliminate(cg, unit, f"{why}; already Wounded", firefight=firefight)
        else:
            yield UnitMarked(unit=unit.id, add=frozenset({Mark.WOUNDED}), why=why, to=unit.audience)
        return
    nation = cg.nation_of(unit)
    smaller = nation.reduced_type(unit.type)
    if smaller is None:
        yield from eliminate(cg, unit, why, firefight=firefight)
        return
    yield change_type(cg, unit, smaller, "Reduced", why)
    lost = nation.cvp(unit.type) - nation.cvp(smaller)
    if lost > 0:
        yield CvpScored(side=other_side(unit.side), points=lost, firefight=firefight, why=f"{public_name(unit)}: {why}")


def replace_unit(cg: CardContext, unit: Unit, why: str, *, firefight: int | None = None) -> Iterator[Fact]:
    """ELR replacement (A19.13): the next lower type, or Reduced if none (PL 3.21 note 2)."""
    nation = cg.nation_of(unit)
    armor = unit.kind == "armor-leader"
    lower = nation.leader_down(unit.type, armor) if armor else nation.replaced_type(unit.type)
    if lower is None:
        if unit.kind not in LEADERS:
            yield from reduce_unit(cg, unit, f"{why}; it cannot be Replaced further", firefight=firefight)
        return
    yield change_type(cg, unit, lower, "Replaced", why)


def change_type(cg: CardContext, unit: Unit, to_type: str, how: str, why: str) -> UnitChanged:
    """A unit becomes another type of its nation; leaders stay what they are."""
    kind = unit.kind if unit.kind in LEADERS else cg.nation_of(unit).unit(to_type).kind
    return UnitChanged(unit=unit.id, type=to_type, kind_of_unit=kind, how=how, why=why, to=unit.audience)


def harden(cg: CardContext, unit: Unit, why: str) -> Iterator[Fact]:
    """Battle Hardening to the next better type; an Elite MMC becomes Fanatic (PL 3.44)."""
    nation = cg.nation_of(unit)
    marks = {Mark.HARDENED}
    if unit.kind in LEADERS:
        better = nation.leader_up(unit.type, armor=unit.kind == "armor-leader")
        if better is not None:
            yield change_type(cg, unit, better, "Battle Hardened", why)
    else:
        hardened = nation.hardened_type(unit.type)
        if hardened == FANATIC:
            marks.add(Mark.FANATIC)
        elif hardened is not None:
            yield change_type(cg, unit, hardened, "Battle Hardened", why)
    yield UnitMarked(unit=unit.id, add=frozenset(marks), why=why, to=unit.audience)


def change_marks(unit: Unit, *, add: Iterable[Mark] = (), remove: Iterable[Mark] = (), why: str = "") -> Iterator[Fact]:
    """Put markers on and take them off; nothing if that changes nothing."""
    adding, removing = frozenset(add) - unit.marks, frozenset(remove) & unit.marks
    if adding or removing:
        yield UnitMarked(unit=unit.id, add=adding, remove=removing, why=why, to=unit.audience)


def place_unit(unit: Unit, at: str | None, place: Place = Place.MAP, why: str = "", mlr: str = "") -> Fact:
    """A unit stands elsewhere."""
    return UnitMoved(unit=unit.id, at=at, place=place, mlr=mlr, why=why, to=unit.audience)


def reveal(unit: Unit, why: str) -> Iterator[Fact]:
    """The enemy learns of a unit that loses HIP and concealment."""
    hiding = HIDING & unit.marks
    if hiding:
        yield UnitMarked(unit=unit.id, remove=frozenset(hiding), why=why, to=unit.audience)
    if not unit.known:
        yield UnitRevealed(unit=unit.but(marks=unit.marks - hiding, known=True), why=why)


def reveal_with_prisoners(cg: CardContext, unit: Unit, why: str) -> Iterator[Fact]:
    """The enemy learns of a unit, and who of his it guards."""
    yield from reveal(unit, why)
    if not unit.known:
        for prisoner in carried_by(cg, unit):
            if prisoner.side != unit.side:
                yield UnitAttached(unit=prisoner.id, to_unit=unit.id, why=why, to=prisoner.audience)


def hide(unit: Unit, mark: Mark, why: str) -> Iterator[Fact]:
    """A unit is concealed or hidden in one way: the enemy knows it no longer."""
    yield UnitMarked(
        unit=unit.id, add=frozenset({mark}), remove=(HIDING - {mark}) & unit.marks, why=why, to=(unit.side,)
    )
    if unit.known:
        yield UnitHidden(unit=unit.id, side=unit.side, why=why)


def change_hands(cg: CardContext, weapon: Unit, by: str, marks: frozenset[Mark]) -> Iterator[Fact]:
    """A captured weapon joins the OB of its captor, under a new number, where he is."""
    captor = cg.state.units[by]
    joined = join_captor(cg, weapon, captor.side, marks, at=captor)
    yield joined
    # A captured vehicle isn't with its captor.
    if not is_vehicle(joined.unit):
        why = "its captor"
        yield UnitAttached(unit=joined.unit.id, to_unit=by, why=why, to=captor.audience)


def join_captor(cg: CardContext, weapon: Unit, side: str, marks: frozenset[Mark], *, at: Unit) -> UnitJoined:
    """Return the fact that a weapon is in the OB of another side now, where a unit is."""
    foreign = weapon.nation != cg.side(side).nation
    unit = Unit(
        id=next_unit_id(cg, side),
        side=side,
        nation=weapon.nation,
        type=weapon.type,
        kind=weapon.kind,
        place=at.place,
        at=at.at,
        marks=marks | ({Mark.CAPTURED} if foreign else frozenset()),
        known=at.known,
        since=cg.state.number,
        fought=True,
    )
    return UnitJoined(unit=unit, why=f"{weapon.type} captured", to=unit.audience)


def change_control(cg: CardContext, changes: Mapping[str, str], why: str) -> Iterator[Fact]:
    """Locations come under the Control of a side ("" for nobody), unless they have been already."""
    held = cg.state.ground.control
    for side in (*SIDES, ""):
        gained = tuple(cg.sort(at for at, to in changes.items() if to == side != held.get(at, "")))
        if gained:
            yield ControlChanged(side=side, locations=gained, why=why)
