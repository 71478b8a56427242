"""A party that redeploys arrives: who goes where, what goes along, what happens on the way."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from laager.base import Problem
from laager.campaign import Choice, Fact, Field, Procedure, Question, Rows, Text, ask, implements
from laager.catalogue import Fortification, load_fortifications
from laager.rules.board.changes import MMC, SMC, change_marks, eliminate, is_vehicle, reduce_unit
from laager.rules.board.facts import FortJoined, UnitAttached
from laager.rules.board.moves import baggage, move_unit
from laager.rules.board.rows import unit_choice
from laager.rules.board.units import Fort, Mark, Unit
from laager.rules.board.wording import public_name, without_names, yield_facts
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.redeployment.parties import Party, StayTerms, members_now, riders

ELIMINATED, REDUCED, STOPPED, DISMOUNTED = "eliminated", "reduced", "stopped", "dismounted"

MARKS: Mapping[str, Mark] = {"immobilized": Mark.IMMOBILIZED, "bogged": Mark.BOGGED, "mired": Mark.MIRED}
"""Outcomes of a bog or mine hex that are markers on a vehicle."""


@cache
def fortification_sorts() -> Mapping[str, Fortification]:
    """Return the sorts of fortifications and what each is."""
    return load_fortifications()


def moving(cg: Cg, party: Party, why: str, terms: StayTerms) -> Procedure[None]:
    """The party goes where it wanted, unless mines or a bog stop it."""
    stopped: dict[str, str] = {}
    left = [unit for unit in party.units if cg.state.units[unit.id].on_map]
    mines = mines_on_the_way(cg, party)
    if left and (party.dangers or mines):
        yield from yield_facts(mines_known(mines))
        stopped = yield from met_on_the_way(cg, party, mines, terms)
    for unit, to in zip(party.units, party.to, strict=True):
        now = cg.state.units[unit.id]
        if now.on_map:
            yield from yield_facts(arrives(cg, party, now, stopped.get(unit.id, to), why))
    yield from yield_facts(possessions(cg, party))


# Bog and mines ----------------------------------------------------------------------------------


def mines_on_the_way(cg: Cg, party: Party) -> tuple[Fort, ...]:
    """Return the minefields, of either side, that a way of the party leads into."""
    entered = {name for way in party.ways for name in way[1:]}
    return tuple(
        fort
        for fort in cg.state.forts.values()
        if fort.hex in entered and fort.kind in fortification_sorts() and _is_mine(fort)
    )


def _is_mine(fort: Fort) -> bool:
    return fortification_sorts()[fort.kind].mine


def mines_known(mines: tuple[Fort, ...]) -> Iterator[Fact]:
    """Hidden mines that a unit enters are no longer hidden."""
    for fort in mines:
        if fort.hidden:
            known = fort.but(hidden=False)
            yield FortJoined(fort=known, why=f"entered in {fort.at}", rule="PL 3.12")


@implements("PL 3.12")
def met_on_the_way(cg: Cg, party: Party, mines: tuple[Fort, ...], terms: StayTerms) -> Procedure[dict[str, str]]:
    """Ask what a bog or mine hex did, apply it; return where units were stopped, by id."""
    rows = yield from ask(_question(cg, party, mines))
    stopped: dict[str, str] = {}
    for row in rows:
        unit = cg.state.units[row["unit"]]
        if row["at"]:
            stopped[unit.id] = row["at"]
        if unit.on_map:
            yield from yield_facts(without_names(unit, effect(cg, unit, row["outcome"], terms)))
    return stopped


def effect(cg: Cg, unit: Unit, outcome: str, terms: StayTerms) -> Iterator[Fact]:
    """Return what an outcome of a bog or mine hex does to a unit, at once."""
    why = f"bog or mines on the way: {outcome}"
    if outcome == ELIMINATED:
        for rider in riders(cg, unit):
            yield from without_names(rider, eliminate(cg, rider, why, firefight=terms.firefight))
        yield from eliminate(cg, unit, why, firefight=terms.firefight)
    elif outcome == REDUCED:
        yield from reduce_unit(cg, unit, why, firefight=terms.firefight)
    elif outcome == DISMOUNTED:
        for rider in riders(cg, unit):
            yield UnitAttached(unit=rider.id, why=why, to=rider.audience)
    elif outcome in MARKS:
        yield from change_marks(unit, add=[MARKS[outcome]], why=why)


def _question(cg: Cg, party: Party, mines: tuple[Fort, ...]) -> Question:
    units = members_now(cg, party)
    hexes = cg.sort({name for way in party.ways for name in way[1:]})
    vehicles = [unit for unit in units if is_vehicle(unit)]
    outcomes = [ELIMINATED, REDUCED, STOPPED, *([*MARKS, DISMOUNTED] if vehicles else [])]
    where = ", ".join(cg.sort({fort.hex or "" for fort in mines}))
    cause = f"mines in {where}" if mines else "a bog or mine hex"

    def check(rows: list[dict[str, Any]]) -> list[Problem]:
        by_id = {unit.id: unit for unit in units}
        return [
            problem.inside(f"[{i + 1}]")
            for i, row in enumerate(rows)
            for problem in _wrong_outcome(by_id[row["unit"]], row, hexes)
        ]

    names = unit_choice(units)
    form = Rows.of(
        Field("unit", names, "Unit"),
        Field("outcome", Choice.of(*outcomes), "What happened"),
        Field("at", Text(20), "Hex in which it stops; left out: it goes on", ""),
    )
    return Question(
        key="bog-and-mines",
        side=party.side,
        text=f"The way leads into {cause}. What happened there? Leave out units that came through.",
        form=form,
        rule="PL 3.12",
        secret=any(not unit.known for unit in units),
        check=check,
        help="Effects are immediate; passengers dismount if they must.",
    )


def _wrong_outcome(unit: Unit, row: Mapping[str, Any], hexes: list[str]) -> Iterator[Problem]:
    if row["at"] and row["at"] not in hexes:
        yield Problem(f"{row['at']} is not on the way", f"one of {', '.join(hexes)}", "at")
    if row["outcome"] in (*MARKS, STOPPED) and not row["at"]:
        yield Problem(f"{row['outcome']} where?", "name the hex in which it stops", "at")
    vehicles_only = row["outcome"] in (*MARKS, DISMOUNTED)
    if vehicles_only != is_vehicle(unit) and row["outcome"] not in (ELIMINATED, STOPPED):
        right = "vehicles are immobilized, bogged or mired, personnel Reduced"
        yield Problem(f"{unit.label} can't be {row['outcome']}", right, "outcome")


# Arriving ---------------------------------------------------------------------------------------


def arrives(cg: Cg, party: Party, unit: Unit, to: str, why: str) -> Iterator[Fact]:
    """A unit stands where it wanted to go, with all that goes along, and has redeployed for this RePh."""
    along = tuple(baggage(cg, unit, party.leave))
    yield from move_unit(cg, unit, to, why, leave=party.leave, emplaced=party.emplaced)
    for mover in (unit, *along):
        if mover.id == unit.id or mover.kind in MMC | SMC or is_vehicle(mover):
            yield from change_marks(cg.state.units[mover.id], add=[Mark.REDEPLOYED], why="has redeployed")


@implements("PL 3.21")
def possessions(cg: Cg, party: Party) -> Iterator[Fact]:
    """Units that have arrived can possess SW and Guns there; an armor leader mounts an AFV."""
    here = [unit for unit in members_now(cg, party) if unit.kind in MMC | SMC]
    for name in party.take:
        item = cg.state.units[name]
        there = [unit for unit in here if unit.at == item.at]
        taker = next((u for u in there if u.kind in _takers(item)), there[0] if there else None)
        if taker is None or not item.on_map:
            continue
        why = f"possessed by {public_name(taker)} on arrival"
        yield UnitAttached(unit=item.id, to_unit=taker.id, why=why, to=item.audience)
        if item.kind == "gun" and taker.kind == "crew" and party.emplaced:
            yield from change_marks(item, add=[Mark.EMPLACED], why=why)
    vehicle = cg.state.units.get(party.mount)
    for unit in here:
        if vehicle and unit.kind == "armor-leader" and vehicle.at == unit.at and vehicle.on_map:
            why = f"mounts {public_name(vehicle)}"
            yield UnitAttached(unit=unit.id, to_unit=vehicle.id, why=why, to=unit.audience)


def _takers(item: Unit) -> tuple[str, ...]:
    """Return the kinds that possess an item before others do."""
    return ("crew",) if item.kind == "gun" else ("squad", "half-squad", "crew")
