"""Reminders for the scenario of the present CG Date, with figures."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from laager.campaign import Handling, Moment, implements
from laager.campaign.house.in_campaign import list_reminders
from laager.rules.board.card.parts import ALLIED, AXIS, SIDES
from laager.rules.board.hasl.scenario.play import game_end_numbers
from laager.rules.board.hasl.sheets.roster import Reminder
from laager.rules.board.units import Mark
from laager.rules.bridge_too_far.entry import must_enter
from laager.rules.bridge_too_far.night import attackers, cloaking_areas, is_held_back, night_role, worth_by_area
from laager.rules.bridge_too_far.shortage import PACKAGE, Water, is_exempt, shortage_level, water_supply
from laager.rules.bridge_too_far.steps.oba import modules_left_today

if TYPE_CHECKING:
    from laager.rules.bridge_too_far.context import Abtf

LV_TURNS = {"AM": (1, 3), "Eve": (4, 7)}
"""The Game Turns with a LV Hindrance, by the part of the day."""


def in_force(cg: Abtf) -> Iterator[Reminder]:
    """Yield what the players keep in mind in this scenario. All of it is public."""
    yield from twilight(cg)
    yield from game_end(cg)
    yield from ammunition(cg)
    yield from water_shortage(cg)
    yield from fanaticism(cg)
    yield from at_night(cg)
    yield Reminder("ABtF CG8", f"two Snipers a side, {cg.variant.sniper_range(cg)} hexes apart")
    stays = cg.reading("trench-counters")
    yield Reminder("ABtF CG13", f"units beneath a Trench stay there for the {stays}, unless dm")
    yield Reminder("ABtF CG9", "units off the map must enter, or are Eliminated for full CVP at the end")


@implements("ABtF CG20")
def twilight(cg: Abtf) -> Iterator[Reminder]:
    """Yield the LV Hindrance of a Dawn or Evening date."""
    turns = LV_TURNS.get(cg.date.part)
    if turns is not None:
        first, last = turns
        text = f"LV Hindrance +1 to all attacks but CC in Game Turns {first} to {last}"
        yield Reminder("ABtF CG20", text)


@implements("ABtF CHART Turn Record")
def game_end(cg: Abtf) -> Iterator[Reminder]:
    """Yield the Game End numbers."""
    listed = ", ".join(f"turn {turn}: {number}" for turn, number in game_end_numbers(cg).items())
    night = ", +2 at night" if cg.date.night else ""
    first = cg.variant.game_end_from
    text = f"Game End dr of the British from the end of turn {first} on{night}"
    yield Reminder("ABtF CG4", f"{text}; circled: {listed}" if listed else text)


def ammunition(cg: Abtf) -> Iterator[Reminder]:
    """Yield what the British Ammunition Shortage means for their own SW, Guns and vehicles."""
    level = shortage_level(cg)
    if level is not None:
        text = f"British Ammunition Shortage level {level.name}: {'; '.join(level.effects())}"
        yield Reminder("ABtF CG17", text)
        if level.note:
            fpf = level.note == "ABtF CG17 *" and cg.reading("level-four-fpf") == "barred"
            banned = "FPF is banned as well" if fpf else "FPF and OVR Prevention are excepted"
            yield Reminder(level.note, banned)


def water_shortage(cg: Abtf) -> Iterator[Reminder]:
    """Yield the shortage of water of the British, or that it is lifted."""
    now = water_supply(cg)
    if now is Water.SHORT:
        text = "British Personnel: no Double Time, Broken Morale Level one lower"
        yield Reminder("ABtF CG21", text)
    elif now is not Water.ENOUGH:
        yield Reminder("ABtF CG21", now.value)


def fanaticism(cg: Abtf) -> Iterator[Reminder]:
    """Yield the Balance in force, and the Headquarters as far as a viewer knows it."""
    chosen = cg.state.agreed.get("balance", ())
    for balance in cg.card.balance:
        if balance.id in chosen:
            yield Reminder("ABtF 9.31", balance.text)
    headquarters = cg.state.headquarters
    if headquarters is not None and headquarters.hexes:
        text = f"British Infantry is Fanatic in {headquarters.building} ({', '.join(headquarters.hexes)})"
        yield Reminder("ABtF CG23", text)


def at_night(cg: Abtf) -> Iterator[Reminder]:
    """Yield roles, Cloaking and what is held back in a night scenario."""
    if not cg.date.night:
        return
    for side in SIDES:
        if night_role(cg, side):
            yield Reminder("ABtF CG24b", f"{cg.side(side).name}: Scenario {night_role(cg, side)}")
    if attackers(cg):
        names = " and ".join(cg.side(side).name for side in attackers(cg))
        text = f"Cloaking for the {names}, in areas with a squad-equivalent or more"
        yield Reminder("ABtF CG24d", text)
    if night_role(cg, AXIS) == "defender":
        now = "are held back until released" if is_held_back(cg) else "are released"
        yield Reminder("ABtF CG24f", f"German units off the map {now}")
    if cg.reading("best-leaders-freedom") == "start" and night_role(cg, ALLIED) != night_role(cg, AXIS):
        text = "the Defender's two best leaders have Freedom of Movement from the start"
        yield Reminder("ABtF CG24c", text)
    for clause in list_reminders(cg, PACKAGE, Moment.NIGHT):
        if clause.handling is Handling.REMINDED:
            yield Reminder(clause.id, clause.text)


def of_side(cg: Abtf, side: str) -> Iterator[Reminder]:
    """Yield what a side keeps in mind for itself: modules, units off the map, Cloaking."""
    left, name = modules_left_today(cg, side), cg.side(side).name
    noun = "module" if left == 1 else "modules"
    yield Reminder("ABtF CG6a", f"{name}: {left} OBA {noun} in play at most in this scenario")
    waiting = [unit.label for unit in cg.state.units_of(side) if must_enter(unit)]
    if waiting:
        yield Reminder("ABtF CG9", f"{name}, still off the map: {', '.join(waiting)}")
    if side == ALLIED and shortage_level(cg) is not None:
        exempt = [
            unit.label
            for unit in cg.state.units_of(side, "sw", "gun")
            if is_exempt(unit.type, captured=unit.has(Mark.CAPTURED))
        ]
        if exempt:
            yield Reminder("ABtF CG17", f"{name}, free of the shortage: {', '.join(exempt)}")
    if night_role(cg, side) == "defender":
        worth = worth_by_area(cg.state.units_of(side))
        listed = ", ".join(f"{area} {float(count):g}" for area, count in worth.items() if area)
        listed = listed or "none is set up yet"
        text = f"{name}: HIP (E1.2) for each Setup Area by its squad-equivalents: {listed}"
        yield Reminder("ABtF CG24e", text)
    areas = sorted(filter(None, cloaking_areas(cg, side)))
    if areas:
        yield Reminder("ABtF CG24d", f"{name}: Cloaking counters in {', '.join(areas)}")
