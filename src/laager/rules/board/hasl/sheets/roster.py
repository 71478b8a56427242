"""The record sheets of a HASL campaign: CG Roster, fortifications, order of battle, areas, what the card says."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from laager.campaign import Sheet
from laager.campaign.house.in_campaign import lines_on_sheet
from laager.hexmap.coords import as_ranges
from laager.rules.board.card.parts import SIDES
from laager.rules.board.hasl.card.card import Condition
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.sheets.record import chart_sheet, purchases_sheet
from laager.rules.board.hasl.state import Round, Scenario
from laager.rules.board.sheets import records
from laager.rules.board.sheets.battle import KEY
from laager.rules.board.sheets.records import (
    SECRET,
    SHORTAGE,
    make_sheet,
    make_side_sheet,
    sees_secrets,
    text_sheet,
    unit_name,
    unit_rest,
)
from laager.rules.board.units import Unit


def all_sheets(cg: Hasl) -> tuple[Sheet, ...]:
    """Return all sheets that the viewer's state fills."""
    lists = [roster_sheet(cg, side) for side in SIDES]
    for side in SIDES:
        if sees_secrets(cg.state, side):
            lists += [purchases_sheet(cg, side), fortifications_sheet(cg, side)]
        lists.append(order_of_battle_sheet(cg, side))
    return (*lists, areas_sheet(cg), special_rules_sheet(cg), about_sheet(cg))


def sheets_beside(cg: Hasl, key: str, side: str) -> tuple[Sheet, ...]:
    """Return the sheets that a side needs while it answers a question."""
    shown: Mapping[str, tuple[Callable[[], Sheet], ...]] = {
        "purchases": (lambda: chart_sheet(cg, side), lambda: purchases_sheet(cg, side)),
        "given-hexes": (lambda: purchases_sheet(cg, side),),
        "given-groups": (lambda: areas_sheet(cg), lambda: purchases_sheet(cg, side)),
        "strength": (lambda: purchases_sheet(cg, side),),
        "received": (lambda: purchases_sheet(cg, side),),
        "leaders": (lambda: purchases_sheet(cg, side),),
        "weapons": (lambda: purchases_sheet(cg, side),),
        "fortifications": (lambda: fortifications_sheet(cg, side),),
        "setup": (lambda: special_rules_sheet(cg), lambda: areas_sheet(cg), lambda: order_of_battle_sheet(cg, side)),
        "chit": (lambda: roster_sheet(cg, side), lambda: areas_sheet(cg)),
        "play": (lambda: special_rules_sheet(cg),),
        "play-ended": (lambda: special_rules_sheet(cg),),
        "block-control": (lambda: areas_sheet(cg),),
        "setup-areas": (lambda: areas_sheet(cg),),
        "isolated": (lambda: areas_sheet(cg),),
        "agreements": (lambda: about_sheet(cg),),
    }
    units = ("scenario-report", "shift", "escape", "isolated-units", "repair", "declared-guns")
    if key in units:
        return (areas_sheet(cg), order_of_battle_sheet(cg, side))
    if key == "setup-sheet":
        from laager.rules.board.hasl.setup.sheets import setup_sheets

        return setup_sheets(cg, side)
    if key == KEY:
        from laager.rules.board.hasl.sheets.battle import battle_sheets

        return battle_sheets(cg, side)
    return tuple(make() for make in shown.get(key, ()))


# The roster -------------------------------------------------------------------------------------


def roster_sheet(cg: Hasl, side: str) -> Sheet:
    """Return a side's CG Roster: one line per CG Date."""
    rows: list[dict[str, str]] = []
    total = 0
    for scenario in (*cg.state.past, cg.state.scenario):
        now = scenario is cg.state.scenario
        cvp = _cvp_of(cg, side, scenario, total)
        total += cvp
        rows.append(
            {
                "CG Date": cg.card.dates[scenario.number - 1].title,
                "Scenario": scenario.kind,
                "Chit": scenario.chits.get(side, ""),
                **_points(cg, side, scenario),
                **_ratings(cg, side, scenario, now),
                "CVP": str(cvp),
                "Total": str(total),
                **_shortage(cg, side, scenario, now),
                "Weather": weather_in_words(scenario),
                **cg.variant.roster_cells(cg, side, scenario),
            }
        )
    return make_side_sheet(cg, side, "roster", "CG Roster", rows, _balance(cg, side))


def _cvp_of(cg: Hasl, side: str, scenario: Scenario, before: int) -> int:
    """Return the CVP amassed in a scenario: of the present date, what the total has beyond."""
    if scenario is cg.state.scenario:
        return cg.state.side(side).cvp_total - before
    # On an Idle Date the tallies of the scenario before it still stand.
    return 0 if scenario.idle else scenario.cvp.get(side, 0)


def _points(cg: Hasl, side: str, scenario: Scenario) -> dict[str, str]:
    """CPP at the start of the date, spent and left, and FPP spent: the side's secret."""
    if not sees_secrets(cg.state, side):
        return dict.fromkeys(("CPP", "Spent", "Left", "FPP"), SECRET)
    held = scenario.left.get(side, scenario.start.get(side, 0) - scenario.spent.get(side, 0))
    return {
        "CPP": str(scenario.start.get(side, 0)),
        "Spent": str(scenario.spent.get(side, 0)),
        "Left": str(held),
        "FPP": str(scenario.fpp.get(side, 0)),
    }


def _ratings(cg: Hasl, side: str, scenario: Scenario, now: bool) -> dict[str, str]:
    own = cg.state.side(side)
    if now:
        return {"ELR": str(own.elr), "SAN": str(own.san)}
    return {"ELR": str(scenario.elr.get(side, "")), "SAN": str(scenario.san.get(side, ""))}


def _shortage(cg: Hasl, side: str, scenario: Scenario, now: bool) -> dict[str, str]:
    """The Ammunition Shortage level of a side to which card or dice ever gave one."""
    every = (*cg.state.past, cg.state.scenario)
    used = cg.side(side).ammunition or cg.state.side(side).ammunition
    if not used and not any(line.ammunition.get(side) for line in every):
        return {}
    level = cg.state.side(side).ammunition if now else scenario.ammunition.get(side, 0)
    return {SHORTAGE: str(level)}


def weather_in_words(scenario: Scenario) -> str:
    """Return the weather of a scenario as the roster has it: with EC, wind and NVR as far as they are known."""
    parts = [
        scenario.weather,
        f"EC {scenario.ec}" if scenario.ec else "",
        f"wind {scenario.wind}" if scenario.wind else "",
    ]
    parts += [f"NVR {scenario.nvr}" if scenario.nvr is not None else ""]
    return ", ".join(part for part in parts if part)


def _balance(cg: Hasl, side: str) -> Iterator[str]:
    own, limits = cg.state.side(side), cg.side(side).chits
    if sees_secrets(cg.state, side):
        yield f"CPP {own.cpp}, FPP {own.fpp}"
    else:
        yield f"CPP, FPP, purchases and fortifications: {SECRET}"
    chits = [
        f"{name} {chosen}" + (f" of {limit}" if limit is not None else "")
        for name, chosen, limit in (("Attack", own.attacks, limits.attack), ("Idle", own.idles, limits.idle))
    ]
    yield f"Chits chosen: {', '.join(chits)}"
    if own.exhaustion is not None:
        yield f"Campaign Exhaustion DRM {own.exhaustion:+d}"
    if own.snipers:
        yield f"Snipers in {', '.join(own.snipers)}"
    if own.massacre:
        yield "Massacre is in force"


# Fortifications, units, areas -------------------------------------------------------------------


def fortifications_sheet(cg: Hasl, side: str) -> Sheet:
    """Return a side's fortifications with their hexes, as its roster lists them."""
    notes = (f"FPP held: {cg.state.side(side).fpp}",) if sees_secrets(cg.state, side) else ()

    def date_title(number: int) -> str:
        return cg.card.dates[number - 1].title

    return records.fortifications(cg, side, "CG Date", "FPP", date_title, notes)


def order_of_battle_sheet(cg: Hasl, side: str) -> Sheet:
    """Return a side's units as the viewer knows them: by area, in it by group."""
    places = {area.name: number for number, area in enumerate(cg.state.areas_of(side))}
    placed = sorted(
        ((_area(cg, unit), unit) for unit in cg.state.units_of(side)),
        key=lambda area_and_unit: (places.get(area_and_unit[0], len(places)), area_and_unit[0], area_and_unit[1].group),
    )
    rows = ((area or "-", unit.group, unit.id, unit_name(unit), unit.kind, *unit_rest(unit)) for area, unit in placed)
    return records.order_of_battle(cg, side, ("Area", "Group", "ID", "Unit", "Kind"), rows)


def _area(cg: Hasl, unit: Unit) -> str:
    """Return the Setup or Entry Area that a unit is in, or Retained in."""
    if unit.on_map and unit.hex is not None:
        there = cg.state.area_at(unit.hex)
        if there is not None:
            return there.name
    return unit.area


def areas_sheet(cg: Hasl) -> Sheet:
    """Return the Setup Areas of both sides, the front line and the Entry Areas."""
    rows: list[tuple[str, str, str, str]] = []
    for area in cg.state.areas:
        kind = "Setup Area, Isolated" if area.isolated else "Setup Area"
        rows.append((cg.side(area.side).name, kind, area.name, as_ranges(area.hexes)))
    if cg.blocks and cg.state.block_control:
        front = cg.block_front()
        for side in SIDES:
            line = as_ranges(front.line[side])
            rows.append((cg.side(side).name, "Front line", "", line or "none"))
        rows.append(("", "Front line road", "", as_ranges(front.road_line)))
        free = [name for name in cg.map.blocks.hexes if name not in cg.state.block_control]
        rows.append(("", "Nobody's Blocks", ", ".join(free) or "none", ""))
    for side in SIDES:
        for arrow in cg.arrows(side):
            hexes = as_ranges(cg.entry_hexes(arrow))
            rows.append((cg.side(side).name, "Entry Area", arrow, hexes))
    return make_sheet("areas", f"Areas on {cg.date.title}", ("Side", "What", "Name", "Hexes"), rows)


# What the card says -----------------------------------------------------------------------------


def special_rules_sheet(cg: Hasl) -> Sheet:
    """Return the rules of the campaign and of the present CG Date, with its Game End numbers."""
    date, first = cg.date, cg.card.initial
    rows = [(f"Rule {i}", text) for i, text in enumerate(cg.card.rules, 1)]
    rows += [(f"{date.title} {i}", text) for i, text in enumerate(date.rules, 1)]
    if cg.state.round is Round.INITIAL:
        rows += [(f"Initial Scenario {i}", text) for i, text in enumerate(first.rules, 1)]
    circled = date.circled if date.circled is not None else cg.charts.circled
    ends = ", ".join(f"turn {turn}: {number}" for turn, number in (circled or {}).items())
    rows.append(("Game End", f"circled numbers ({ends})" if ends else "as the players look it up"))
    now = cg.state.scenario
    firsts = (("Sets up first", now.sets_up_first), ("Moves first", now.moves_first))
    rows += [(label, cg.side(who).name) for label, who in firsts if who]
    return text_sheet("rules", f"Special rules on {date.title}", rows)


def about_sheet(cg: Hasl) -> Sheet:
    """Return what the card says about the campaign, with what it is fought for."""
    text, victory = cg.card.about, cg.card.victory
    rows = [("History", text.history), ("Play", text.play), ("Length", text.length), ("Notes", text.designer_notes)]
    rows += [("At once", _fought_for(cg, condition)) for condition in victory.sudden]
    rows += [("At the end", _fought_for(cg, condition)) for condition in victory.final]
    if victory.otherwise is not None:
        rows.append(("Otherwise", f"{cg.side(victory.otherwise).name} wins"))
    rows.append(("Victory", victory.text))
    rows.append(("Source", f"{cg.card.source}: {cg.card.source_note}"))
    rows.append(("Charts", f"{cg.charts.title}; {cg.charts.source}: {cg.charts.source_note}"))
    return text_sheet("about", cg.card.title, rows, ("", ""))


def _fought_for(cg: Hasl, condition: Condition) -> str:
    return f"{cg.side(condition.side).name}: {condition.text}"


# What holds now -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Reminder:
    """A sentence to keep in mind in this scenario, with its clause."""

    clause: str
    text: str


def rules_sheet(cg: Hasl, reminders: Iterable[Reminder]) -> Sheet:
    """Return the sheet of what holds in the scenario of this CG Date."""
    rows = [*lines_on_sheet(cg)]
    rows += [(reminder.clause, reminder.text) for reminder in reminders if not cg.house.is_off(reminder.clause)]
    return make_sheet("rules-now", f"Rules in force on {cg.date.title}", ("Rule", "What holds"), rows)
