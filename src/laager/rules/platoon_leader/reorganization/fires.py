"""Flames, Blazes and burning wrecks (PL 3.31, 3.311)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from laager.base import Problem
from laager.campaign import Choice, Fact, Field, Procedure, Rows, SecretQuestion, ask_all, implements, step
from laager.rules.board.card.parts import SIDES
from laager.rules.board.changes import INFANTRY, is_vehicle
from laager.rules.board.facts import FireChanged, UnitMarked
from laager.rules.board.moves import collapse, is_stuck, move_unit
from laager.rules.board.places import can_burn, can_enter
from laager.rules.board.rows import unit_choice, wrong_row_counts
from laager.rules.board.units import Mark, Unit
from laager.rules.platoon_leader.context import Cg


@dataclass(frozen=True)
class Spread:
    """Where it burns after a Reorganization Phase; all are hexes."""

    flames: frozenset[str]
    blazes: frozenset[str]
    burnt_out: frozenset[str]


@implements("PL 3.31")
def spread(cg: Cg, flames: Iterable[str], blazes: Iterable[str], same_date: bool) -> Spread:
    """Return how the fire goes on until the next firefight.

    On the same date each Flame becomes a Blaze, and only older Blazes burn out and spread; on
    another date every Flame counts as a Blaze, so all burn out. Flames spread to hexes next to a
    burnt-out Blaze that can burn and hold no fire.
    """
    new = frozenset(flames) if same_date else frozenset()
    old = frozenset(blazes) if same_date else frozenset(blazes) | frozenset(flames)
    reached = {near for name in old for near in cg.map.neighbours(name) if can_burn(cg, near)}
    lit = frozenset(reached) - new - old
    if not same_date and cg.reading("blaze-new-date") == "out":
        lit = frozenset()
    return Spread(flames=lit, blazes=new - old, burnt_out=old)


def same_date(cg: Cg) -> bool:
    """True if the next firefight on the card is on the same calendar date."""
    following = cg.next_slot
    return following is not None and following.date == cg.slot.date


def _hexes_with_building(cg: Cg, hexes: Iterable[str]) -> list[str]:
    """Return those of some hexes in which a building stands."""
    return [name for name in cg.sort(hexes) if cg.map.hex(name).building is not None]


def _burnt_down(cg: Cg, built: Iterable[str]) -> Iterator[Fact]:
    """Rubble lies where a building burnt out; everything else that did is Open Ground."""
    for name in built:
        yield from collapse(cg, name, f"the Blaze in {name} has burnt out")


@step("PL 3.31", "Flames and Blazes", edition=4)
def fires(cg: Cg) -> Procedure[None]:
    """Let fires go on to the next firefight, and move troops out of their way."""
    ground = cg.state.ground
    if not ground.flames and not ground.blazes:
        return
    soon = same_date(cg)
    result = spread(cg, ground.flames, ground.blazes, soon)
    when = "on the same date" if soon else "on another date"
    built = _hexes_with_building(cg, result.burnt_out)
    yield FireChanged(
        flames=result.flames, blazes=result.blazes, burnt=result.burnt_out, why=f"the next firefight is {when}"
    )
    yield from _burnt_down(cg, built)
    yield from _get_clear(cg)


def units_in_blaze(cg: Cg, side: str) -> list[Unit]:
    """Return a side's units that stand in a Blaze and can leave it."""
    return [
        unit
        for unit in cg.state.units_of(side)
        if unit.on_map and unit.hex in cg.state.ground.blazes and _flees_by_itself(cg, unit)
    ]


def _flees_by_itself(cg: Cg, unit: Unit) -> bool:
    """True if a unit leaves a Blaze by itself: Personnel, those on a vehicle that can't, and vehicles that can.

    What is with another unit goes with it. Crews and their leaders stay with a vehicle that isn't Abandoned.
    """
    if is_vehicle(unit):
        return not is_stuck(unit)
    if unit.kind not in INFANTRY:
        return False
    vehicle = cg.state.units.get(unit.with_unit)
    if vehicle is None:
        return True
    inherent = unit.kind == "armor-leader" and not vehicle.has(Mark.ABANDONED)
    return is_stuck(vehicle) and not inherent


def ways_out(cg: Cg, unit: Unit) -> list[str]:
    """Return the nearest hexes that it can enter, free of enemies, in the stated order."""
    assert unit.hex is not None
    enemies = {u.hex for u in cg.state.units.values() if u.on_map and u.side != unit.side and u.known}
    for distance in range(1, 12):
        ring = cg.map.hexes_within([unit.hex], distance) - cg.map.hexes_within([unit.hex], distance - 1)
        free = [name for name in cg.sort(ring - enemies) if can_enter(cg, unit, name)]
        if free:
            return free
    return []


def _get_clear(cg: Cg) -> Procedure[None]:
    """Ask each side where its units in a Blaze go; no DR, and it is not their redeployment."""
    questions = []
    for side in SIDES:
        units = [unit for unit in units_in_blaze(cg, side) if ways_out(cg, unit)]
        if units:
            questions.append(_where_to(cg, side, units))
    answers = yield from ask_all(questions)
    for side, rows in answers.items():
        for row in rows:
            unit = cg.state.units[row["unit"]]
            yield from move_unit(cg, unit, row["to"], f"{side} clears {unit.label} out of the Blaze", emplaced=True)


def _where_to(cg: Cg, side: str, units: list[Unit]) -> SecretQuestion:
    ways = {unit.id: ways_out(cg, unit) for unit in units}

    def check(rows: list[dict[str, str]]) -> list[Problem]:
        problems = wrong_row_counts(units, rows)
        for number, row in enumerate(rows, 1):
            if row["to"] not in ways.get(row["unit"], ()):
                right = "one of " + ", ".join(ways.get(row["unit"], ()))
                problems.append(Problem(f"{row['to']} is not among the nearest", right, f"[{number}].to"))
        return problems

    everywhere = cg.sort({name for names in ways.values() for name in names})
    form = Rows.of(Field("unit", unit_choice(units), "Unit"), Field("to", Choice.of(*everywhere), "To hex"))
    return SecretQuestion(
        key="out-of-the-fire",
        side=side,
        text="These units stand in a Blaze. Where do they go? (the nearest free hex; no DR)",
        form=form,
        default=[{"unit": unit.id, "to": ways[unit.id][0]} for unit in units],
        check=check,
        suggest=lambda rng: [{"unit": u.id, "to": rng.choice(ways[u.id])} for u in units],
    )


@step("PL 3.311", "Burning wrecks", edition=2)
def burning_wrecks(cg: Cg) -> Procedure[None]:
    """Burn wrecks out; what is around them may catch fire. Nothing flips or spreads again now."""
    wrecks = [unit for unit in cg.state.units.values() if unit.has(Mark.BURNING)]
    soon = same_date(cg)
    for wreck in sorted(wrecks, key=lambda unit: unit.id):
        yield UnitMarked(
            unit=wreck.id,
            add=frozenset({Mark.BURNT_OUT}),
            remove=frozenset({Mark.BURNING}),
            why="a Burning Wreck becomes a Burnt-Out Wreck",
        )
        name = wreck.hex
        if name is None or not can_burn(cg, name):
            continue
        ground = cg.state.ground
        if soon:
            if name not in ground.flames | ground.blazes:
                flames = ground.flames | {name}
                yield FireChanged(flames=flames, blazes=ground.blazes, why=f"the wreck in {name} burns on")
            continue
        result = spread(cg, (), {name}, same_date=False)
        built = _hexes_with_building(cg, result.burnt_out)
        yield FireChanged(
            flames=(ground.flames | result.flames) - {name},
            blazes=ground.blazes - {name},
            burnt=result.burnt_out,
            why=f"the wreck in {name} counts as a Blaze",
        )
        yield from _burnt_down(cg, built)
