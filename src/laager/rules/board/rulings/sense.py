"""What can't be in a record, whatever the table decides; and what can, but contradicts something else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from laager.base import RefusedError
from laager.campaign import UMPIRE
from laager.catalogue import load_fortifications
from laager.hexmap import split_location
from laager.rules.board.card.parts import SIDES, other_side
from laager.rules.board.changes import cvp_of, holders
from laager.rules.board.context import CardContext
from laager.rules.board.places import ROOMS, can_enter, hex_of, hexside_faults, parse_hexsides, terrain_faults
from laager.rules.board.record import parts
from laager.rules.board.report.checks import HOLDERS, explain_holders
from laager.rules.board.report.marks import FITS, mark_problems
from laager.rules.board.state import MAX_ELR, MAX_SAN, BoardState
from laager.rules.board.units import HIDING, Fort, Mark, Place, Unit

COUNTS = (
    "cp", "fp", "cpp", "fpp", "cvp", "cvp_total", "tvp", "tvp_now", "patrols", "leaders_lost", "attacks", "idles",
    "secret_san",
)  # fmt: skip
"""Numbers of a side that are never below nothing."""
CHITS = ("attack", "idle")
"""The initiative chits, where there are any."""
BOUNDS = {"elr": MAX_ELR, "san": MAX_SAN, "ammunition": 5}
"""Numbers of a side that have a highest value, too."""


@dataclass(frozen=True)
class Mismatch:
    """Something in a record that doesn't fit, where, and the mend. `hard`: no record can have it."""

    part: str
    key: str
    field: str
    what: str
    mend: str
    hard: bool = True


def find_mismatches(cg: CardContext) -> Iterator[Mismatch]:
    """Yield all that doesn't fit in a record, as far as a viewer's state shows it."""
    yield from _numbers(cg.state)
    for unit in cg.state.units.values():
        yield from _unit(cg, unit)
    for fort in cg.state.forts.values():
        yield from _fort(cg, fort)
    yield from _ground(cg)
    yield from _groups(cg)
    yield from _areas(cg)
    for part in ("fight", "scenario", "past"):
        lines = parts.parts_of(type(cg.state))[part].lines(cg.state) if hasattr(cg.state, part) else {}
        for key, line in lines.items():
            yield from _battle(part, key, line)


def find_new_mismatches(before: CardContext, after: CardContext) -> list[Mismatch]:
    """Return what doesn't fit after a ruling and did before, hard ones first."""
    old = set(find_mismatches(before))
    fresh = [*(mismatch for mismatch in find_mismatches(after) if mismatch not in old), *_find_risen(before, after)]
    return sorted(fresh, key=lambda mismatch: not mismatch.hard)


def _numbers(state: BoardState) -> Iterator[Mismatch]:
    for side, own in state.sides.items():
        for name in COUNTS:
            value = getattr(own, name, 0)
            if value < 0:
                yield Mismatch("sides", side, name, f"{name.upper()} is {value}", "0 or more")
        for name, most in BOUNDS.items():
            value = getattr(own, name, 0)
            if not 0 <= value <= most:
                yield Mismatch("sides", side, name, f"{name.upper()} is {value}", f"0 to {most}")
        total = getattr(own, "cvp_total", None)
        if total is not None and own.cvp > total:
            wrong = f"{own.cvp} CVP of the scenario are more than the {total} in all"
            yield Mismatch("sides", side, "cvp_total", wrong, "put the total right too")
        for name in ("bought", "bought_now"):
            for line, count in getattr(own, name).items():
                if count < 0:
                    yield Mismatch("sides", side, name, f"{count} {line} were bought", "0 or more")


# Units --------------------------------------------------------------------------------------------


def _unit(cg: CardContext, unit: Unit) -> Iterator[Mismatch]:
    def mismatch(field: str, wrong: str, mend: str, hard: bool = True) -> Mismatch:
        return Mismatch("units", unit.id, field, f"{unit.label}: {wrong}", mend, hard)

    if unit.on_map:
        at = unit.at or ""
        if not _is_location(cg, unit.side, at):
            yield mismatch("at", f"the map has no Location {at or '(none)'}", "say where it stands")
        elif not can_enter(cg, unit, at):
            yield mismatch("at", f"it can't enter {at}", "say where it stands", hard=False)
    elif unit.in_play and unit.at is not None:
        yield mismatch("at", f"it is {unit.place.value} and in {unit.at}", "leave one of the two out")
    if unit.in_play and (unit.place is Place.POOL) != bool(unit.mlr):
        yield mismatch("mlr", "only what was pooled has the letter of an MLR", "name the MLR, or none")
    if unit.in_play and unit.with_unit:
        yield from _company(cg, unit)
    elif unit.in_play and unit.has(Mark.PRISONER) and not unit.has(Mark.UNGUARDED):
        yield mismatch("marks", "a prisoner has a Guard or is unguarded", "with: its Guard, or the marker unguarded")
    if unit.in_play:
        for problem in mark_problems(unit.kind, unit.label, [mark.value for mark in unit.marks & FITS.keys()]):
            yield Mismatch("units", unit.id, "marks", problem.what, problem.right)
    known_groups = cg.state.viewer in (UMPIRE, unit.side)
    if unit.group and known_groups and (unit.side, unit.group) not in cg.state.groups:
        yield mismatch("group", f"there is no group {unit.group}", "name a group of its side")


def _company(cg: CardContext, unit: Unit) -> Iterator[Mismatch]:
    """What is wrong with a unit's being with another."""

    def mismatch(wrong: str, mend: str, hard: bool = True) -> Mismatch:
        return Mismatch("units", unit.id, "with", f"{unit.label}: {wrong}", mend, hard)

    holder = cg.state.units.get(unit.with_unit)
    if holder is None:
        if cg.state.viewer in (UMPIRE, unit.side):
            yield mismatch(f"it is with {unit.with_unit}, which there is not", "say who has it")
        return
    if not holder.in_play:
        yield mismatch(f"it is with {holder.label}, which is {holder.place.value}", "say who has it now")
    elif (unit.place, unit.at) != (holder.place, holder.at) and holder.place is not Place.PATROL:
        here, there = unit.at or unit.place.value, holder.at or holder.place.value
        yield mismatch(f"it is in {here}, and {holder.label} in {there}", "both in one place, or with nobody")
    if holder.side != unit.side and not unit.has(Mark.PRISONER):
        yield mismatch(f"it is with the enemy {holder.label}", "mark it as a prisoner")
    elif holder.side != unit.side and unit.has(Mark.UNGUARDED):
        yield mismatch(f"it is unguarded, and {holder.label} guards it", "one of the two")
    elif holder.side == unit.side and holder.kind not in HOLDERS.get(unit.kind, frozenset()):
        yield mismatch(f"it can't be with {holder.label}", explain_holders(unit.kind))
    elif holder.side == unit.side and holder.has(Mark.PRISONER):
        yield mismatch(f"{holder.label} is a prisoner and has nothing", "with nobody")
    if unit.known and unit.side == holder.side and not holder.known and any(h.has(*HIDING) for h in holders(cg, unit)):
        yield mismatch(f"the enemy knows it, and not {holder.label}, which has it", "show both, or neither", hard=False)


def _is_location(cg: CardContext, side: str, at: str) -> bool:
    """True if the map has a Location now, or a fortification that the side can know is one."""
    try:
        name = hex_of(cg.map.main_location(at))
    except RefusedError:
        return False
    if name not in cg.map.playable:
        return False
    rooms = {fort.at for fort in cg.state.forts.values() if fort.kind in ROOMS}
    if at in cg.map.locations(name) or at in rooms:
        return True
    # A pillbox of the enemy that a viewer doesn't know.
    return split_location(at)[1] == "p" and cg.state.viewer not in (UMPIRE, side)


# Fortifications, the board, groups ------------------------------------------------------------------


def _fort(cg: CardContext, fort: Fort) -> Iterator[Mismatch]:
    if fort.at is None:
        return

    def mismatch(field: str, wrong: str, mend: str, hard: bool) -> Mismatch:
        return Mismatch("forts", fort.id, field, f"{fort.label} ({fort.id}): {wrong}", mend, hard)

    if hex_of(fort.at) not in cg.map.playable:
        yield mismatch("at", f"the map has no Location {fort.at}", "say where it is", hard=True)
        return
    # Counters that no one buys, such as Jungle Paths, have no row in the table.
    if fort.size == "dummy" or fort.kind not in load_fortifications():
        return
    for wrong, mend, field in terrain_faults(cg, fort.kind, fort.at.removesuffix(".p")):
        yield mismatch(field, wrong, mend, hard=False)
    wanted = max(len(parse_hexsides(fort.hexside)), 1)
    for wrong, mend, field in hexside_faults(cg, fort.kind, fort.at, fort.hexside, wanted):
        yield mismatch(field, wrong, mend, hard=False)


def _ground(cg: CardContext) -> Iterator[Mismatch]:
    ground = cg.state.ground
    for field, names in (
        ("control", ground.control), ("flames", ground.flames), ("blazes", ground.blazes), ("burnt", ground.burnt),
        ("changes", ground.changes), ("cleared", ground.cleared), ("crests", ground.crests),
    ):  # fmt: skip
        for name in sorted(names):
            if hex_of(name) not in cg.map:
                yield Mismatch("ground", "", field, f"the map has no {name}", "name a Location of the map")
    for at, side in ground.control.items():
        if side not in SIDES:
            yield Mismatch("ground", "", "control", f"there is no side {side}", "axis, allied or nobody")
        elif hex_of(at) in cg.map:
            yield from _control(cg, at, side)
    for name in sorted(ground.flames & ground.blazes):
        yield Mismatch("ground", "", "flames", f"{name} has a Flame and a Blaze", "one of the two", hard=False)
    for name in sorted((ground.flames | ground.blazes) & ground.burnt):
        yield Mismatch("ground", "", "burnt", f"{name} burns and has burnt down", "one of the two", hard=False)


def _control(cg: CardContext, at: str, side: str) -> Iterator[Mismatch]:
    """What speaks against a side's Control of a Location: nobody there but the enemy."""
    there = {unit.side for unit in cg.state.at(at) if not unit.has(Mark.PRISONER) and unit.kind not in ("sw", "gun")}
    if there == {other_side(side)}:
        wrong = f"{cg.people_of(side)} Control {at}, and only {cg.people_of(other_side(side))} stand there"
        yield Mismatch("ground", "", "control", wrong, "put Control right too, if it changed", hard=False)


def _groups(cg: CardContext) -> Iterator[Mismatch]:
    for (side, name), group in cg.state.groups.items():
        for field in ("black", "red", "cost", "dummies"):
            if getattr(group, field, 0) < 0:
                yield Mismatch("groups", f"{side}:{name}", field, f"{name}: {field} is negative", "0 or more")
        holder = cg.state.units.get(getattr(group, "holder", ""))
        if getattr(group, "holder", "") and (holder is None or not holder.in_play):
            wrong = f"{name}: {group.holder}, who has its radio or phone, isn't there"
            yield Mismatch("groups", f"{side}:{name}", "holder", wrong, "say who has it")


def _battle(part: str, key: str, line: Any) -> Iterator[Mismatch]:
    """What can't be in a line of the roster: sides and chits that there aren't."""
    for name in ("attacker", "moves_first", "sets_up_first", "last_player", "winner"):
        side = getattr(line, name, "")
        if side not in ("", *SIDES):
            yield Mismatch(part, key, name, f"there is no side {side}", "axis, allied or nobody")
    for side, chit in getattr(line, "chits", {}).items():
        if side not in SIDES or chit not in CHITS:
            yield Mismatch(part, key, "chits", f"there is no chit {chit} of {side}", f"{' or '.join(CHITS)} by side")
    for name in ("last_turn", "nvr"):
        if (getattr(line, name, 0) or 0) < 0:
            yield Mismatch(part, key, name, f"{name} is {getattr(line, name)}", "0 or more")


def _areas(cg: CardContext) -> Iterator[Mismatch]:
    held: dict[str, str] = {}
    for area in getattr(cg.state, "areas", ()):
        strange = [name for name in area.hexes if name not in cg.map]
        if strange:
            wrong = f"the map has no {strange[0]}"
            yield Mismatch("areas", f"{area.side}:{area.name}", "hexes", wrong, "name hexes of the map")
        for name in area.hexes:
            if name in held:
                wrong = f"{name} is in {held[name]} and in {area.name}"
                yield Mismatch("areas", f"{area.side}:{area.name}", "hexes", wrong, "in one Setup Area alone")
            held[name] = area.name


def _find_risen(before: CardContext, after: CardContext) -> Iterator[Mismatch]:
    """Units that are back: what the enemy scored for them still stands on the roster."""
    lost = (Place.ELIMINATED, Place.CAPTURED)
    back = _back(before.state.units.values(), after, lost)
    for unit in back:
        enemy = other_side(unit.side)
        wrong = f"{unit.label} is back, and the {cvp_of(after, unit)} CVP scored for it stand"
        yield Mismatch("sides", enemy, "cvp", wrong, "take them off too, if they were scored", hard=False)


def _back(units: Iterable[Unit], after: CardContext, lost: tuple[Place, ...]) -> Iterator[Unit]:
    for unit in units:
        now = after.state.units.get(unit.id)
        if unit.place in lost and now is not None and now.in_play:
            yield now
