"""Reminders for the scenario of the present CG Date, with figures."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from laager.campaign import implements
from laager.rules.board.card.parts import SIDES
from laager.rules.board.hasl.scenario.play import game_end_numbers
from laager.rules.board.hasl.sheets.roster import Reminder
from laager.rules.edsons_ridge.night import attackers, defender, elr_in_force, free_leaders, is_held_back
from laager.rules.edsons_ridge.steps.fpf import PLACING, removal_turn
from laager.rules.edsons_ridge.steps.notes import MARKER_RANGE
from laager.rules.edsons_ridge.steps.reserves import RELEASE_RANGE
from laager.rules.edsons_ridge.steps.works import detonator
from laager.rules.edsons_ridge.terrain import HEAVY_OBA_MM, burns_as_jungle

if TYPE_CHECKING:
    from laager.rules.edsons_ridge.context import Er


def in_force(cg: Er) -> Iterator[Reminder]:
    """Yield what the players keep in mind in this scenario. All of it is public."""
    yield from elr(cg)
    yield from game_end(cg)
    yield from at_night(cg)
    yield from bore_sighting(cg)
    yield from barrages(cg)
    yield from bombardments(cg)
    yield from reserves(cg)
    yield from snipers(cg)
    yield from ground(cg)


@implements("ER CG4")
def elr(cg: Er) -> Iterator[Reminder]:
    """Yield both ELR, and a Massacre that is in force."""
    for side in SIDES:
        name, now, printed = cg.side(side).name, elr_in_force(cg, side), cg.state.side(side).elr
        less = f" ({printed} by day; Scenario Defender at night)" if now != printed else ""
        yield Reminder("ER CG4", f"ELR of the {name}: {now}{less}")
        if cg.state.side(side).massacre:
            yield Reminder("ER CG4", f"{name}: Massacre, all of A20.3 and A20.4 is in force")


@implements("ER CG21", "ER CHART CVP/VP Tally")
def game_end(cg: Er) -> Iterator[Reminder]:
    """Yield when the Game End dr is made, by which side, with which numbers."""
    sides = attackers(cg)
    who = cg.side(sides[0]).name if len(sides) == 1 else "whose Player Turn it was"
    listed = ", ".join(f"turn {turn}: {number}" for turn, number in game_end_numbers(cg).items())
    text = f"Game End dr after each Player Turn from turn {cg.variant.game_end_from} on, by {who}"
    yield Reminder("ER CG21", f"{text}; circled: {listed}" if listed else text)


@implements("ER CG5", "ER CG5a", "ER CG5b", "ER CG5c", "ER CG5d", "ER CG5e")
def at_night(cg: Er) -> Iterator[Reminder]:
    """Yield roles, Cloaking, release and Freedom of Movement of a night scenario."""
    if not cg.date.night:
        return
    nvr = cg.state.scenario.nvr
    if nvr is not None:
        yield Reminder("ER CG5a", f"NVR {nvr} at the start")
    for side in attackers(cg):
        name = cg.side(side).name
        yield Reminder("ER CG5c", f"{name}: Scenario Attacker, Infantry can be Cloaked on map")
    side = defender(cg)
    if not side:
        return
    name = cg.side(side).name
    now = "are held back until released" if is_held_back(cg, side) else "are released"
    yield Reminder("ER CG5d", f"{name}, Scenario Defender: units off the map {now}")
    text = f"{name}: the two best leaders have Freedom of Movement after an enemy attack"
    yield Reminder("ER CG5b", f"{text} other than a successful ambush")
    yield Reminder("ER CG5e", "AFV with radio free each other, those in Reserve excepted")


@implements("ER CG11")
def bore_sighting(cg: Er) -> Iterator[Reminder]:
    """Yield which weapons can Bore Sight."""
    text = "eligible SW MG can Bore Sight" if cg.date.night else "no Bore Sighting"
    yield Reminder("ER CG11", text)


@implements("ER CG18a", "ER CG18c")
def barrages(cg: Er) -> Iterator[Reminder]:
    """Yield the FPF Barrages: where, when they can be placed, when they can end."""
    for barrage in cg.state.barrages_now():
        name = f"FPF Barrage {barrage.number}"
        if barrage.over:
            yield Reminder("ER CG18c", f"{name} has been removed")
        elif barrage.placed:
            text = f"{name}: dr for removal in each U.S. RPh from turn {removal_turn(cg, barrage)} on"
            yield Reminder("ER CG18c", f"{text}, 5 or more ends it (-1 the first time)")
        else:
            corners = ", ".join(barrage.corners)
            yield Reminder("ER CG18a", f"{name}: counters in {corners} at {', '.join(PLACING)}")


@implements("ER CG15")
def bombardments(cg: Er) -> Iterator[Reminder]:
    """Yield the Bombardments of this scenario."""
    for bombardment in cg.state.bombardments.get(cg.state.number, ()):
        areas, immune = " and ".join(bombardment.areas), ", ".join(bombardment.immune) or "no hex"
        yield Reminder(
            "ER CG15",
            f"Bombardment by the {cg.side(bombardment.side).name} of {areas}: {bombardment.mc}MC; immune: {immune}",
        )


@implements("ER CG7b", "ER GEO-11", "ER CG7b List")
def reserves(cg: Er) -> Iterator[Reminder]:
    """Yield when Reserves are released, where any counters stand, and the owner's own cases."""
    if any(cg.state.counters.values()):
        yield Reminder(
            "ER CG7b",
            f"Reserves stay Cloaked until an enemy ground unit in LOS is within {RELEASE_RANGE} "
            "hexes, or an attack costs them their concealment",
        )
        for case in cg.charts.reserve_cases:
            yield Reminder("ER CG7b List", case)
    for side, at in cg.state.counters.items():
        if at:
            yield Reminder("ER CG7a", f"{cg.side(side).name} Reserve counters: {', '.join(at)}")


@implements("ER CG13")
def snipers(cg: Er) -> Iterator[Reminder]:
    """Yield the option of two Snipers."""
    if cg.variant.snipers(cg) > 1:
        least = cg.variant.sniper_range(cg)
        yield Reminder("ER CG13", f"two Snipers a side, {least} hexes apart; a dr which attacks")


@implements("ER CG14(4)", "ER CG17")
def ground(cg: Er) -> Iterator[Reminder]:
    """Yield the rules for Wire, for OBA on jungle, and for rubble that was jungle."""
    yield Reminder("ER CG17", "below Wire: MF by the dr less 2, 1 at least")
    yield Reminder("ER CG14(4)", f"OBA of {HEAVY_OBA_MM}mm or more with an Original MA changes jungle")
    burning = [
        name
        for name, change in cg.state.ground.changes.items()
        if "rubble" in change and name in cg.map and burns_as_jungle(cg, name)
    ]
    if burning:
        text = f"wooden rubble that still burns as jungle: {', '.join(cg.sort(burning))}"
        yield Reminder("ER CG14(4)", text)


def of_side(cg: Er, side: str) -> Iterator[Reminder]:
    """Yield what a side keeps in mind for itself."""
    name = cg.side(side).name
    best = free_leaders(cg, side)
    if best:
        text = f"{name}, best leaders (Freedom of Movement): {', '.join(unit.label for unit in best)}"
        yield Reminder("ER CG5b", text)
    left = cg.state.recon_left(side)
    if left > 0:
        yield Reminder("ER 1.524", f"{name}: {left} Locations to inspect")
    for fort, unit in cg.state.set_dc.items():
        if fort in cg.state.forts and cg.state.forts[fort].side == side:
            gone = f"nobody sets off {fort}: {unit} is gone"
            text = gone if detonator(cg, fort) is None else f"{fort} is set off by {unit}"
            yield Reminder("ER 1.520 Note g", text)
    noted = [unit.id for unit in cg.state.units_of(side) if unit.id in cg.state.notes_on]
    if noted:
        text = f"{name}: true markers once unconcealed, enemy with LOS within {MARKER_RANGE} hexes"
        yield Reminder("ER CG9", f"{text}: {', '.join(noted)}")
