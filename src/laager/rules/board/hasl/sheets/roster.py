"""The record sheets of a HASL campaign: CG Roster, fortifications, order of battle, areas, what the card says."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from laager.campaign import Sheet
from laager.hexmap.coords import as_ranges
from laager.rules.board.card.parts import SIDES
from laager.rules.board.hasl.card.card import Condition
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.sheets.record import chart, purchases
from laager.rules.board.hasl.state import Round, Scenario
from laager.rules.board.sheets import records
from laager.rules.board.sheets.battle import KEY
from laager.rules.board.sheets.records import SECRET, SHORTAGE, listed, mine, side_table, table, unit_name, unit_rest
from laager.rules.board.units import Unit


def sheets(cg: Hasl) -> tuple[Sheet, ...]:
    """Return all sheets that the viewer's state fills."""
    found = [roster(cg, side) for side in SIDES]
    for side in SIDES:
        if mine(cg.state, side):
            found += [purchases(cg, side), fortifications(cg, side)]
        found.append(order_of_battle(cg, side))
    return (*found, areas(cg), special_rules(cg), about(cg))


def beside(cg: Hasl, key: str, side: str) -> tuple[Sheet, ...]:
    """Return what a side should have before it while it answers a question."""
    shown: Mapping[str, tuple[Callable[[], Sheet], ...]] = {
        "purchases": (lambda: chart(cg, side), lambda: purchases(cg, side)),
        "given-hexes": (lambda: purchases(cg, side),),
        "given-groups": (lambda: areas(cg), lambda: purchases(cg, side)),
        "strength": (lambda: purchases(cg, side),),
        "received": (lambda: purchases(cg, side),),
        "leaders": (lambda: purchases(cg, side),),
        "weapons": (lambda: purchases(cg, side),),
        "fortifications": (lambda: fortifications(cg, side),),
        "setup": (lambda: special_rules(cg), lambda: areas(cg), lambda: order_of_battle(cg, side)),
        "chit": (lambda: roster(cg, side), lambda: areas(cg)),
        "play": (lambda: special_rules(cg),),
        "play-ended": (lambda: special_rules(cg),),
        "block-control": (lambda: areas(cg),),
        "setup-areas": (lambda: areas(cg),),
        "isolated": (lambda: areas(cg),),
        "agreements": (lambda: about(cg),),
    }
    units = ("scenario-report", "shift", "escape", "isolated-units", "repair", "declared-guns")
    if key in units:
        return (areas(cg), order_of_battle(cg, side))
    if key == "setup-sheet":
        from laager.rules.board.hasl.setup.sheets import setup_sheets

        return setup_sheets(cg, side)
    if key == KEY:
        from laager.rules.board.hasl.sheets.battle import battle_sheets

        return battle_sheets(cg, side)
    return tuple(make() for make in shown.get(key, ()))


# The roster -------------------------------------------------------------------------------------


def roster(cg: Hasl, side: str) -> Sheet:
    """Return a side's CG Roster: one line per CG Date."""
    rows: list[dict[str, str]] = []
    total = 0
    for one in (*cg.state.past, cg.state.scenario):
        now = one is cg.state.scenario
        cvp = _scored(cg, side, one, total)
        total += cvp
        rows.append(
            {
                "CG Date": cg.card.dates[one.number - 1].title,
                "Scenario": one.kind,
                "Chit": one.chits.get(side, ""),
                **_points(cg, side, one),
                **_ratings(cg, side, one, now),
                "CVP": str(cvp),
                "Total": str(total),
                **_shortage(cg, side, one, now),
                "Weather": weather(one),
                **cg.variant.roster_cells(cg, side, one),
            }
        )
    return side_table(cg, side, "roster", "CG Roster", rows, _balance(cg, side))


def _scored(cg: Hasl, side: str, one: Scenario, before: int) -> int:
    """Return the CVP amassed in a scenario: of the present date, what the total has beyond."""
    if one is cg.state.scenario:
        return cg.state.side(side).cvp_total - before
    # On an Idle Date the tallies of the scenario before it still stand.
    return 0 if one.idle else one.cvp.get(side, 0)


def _points(cg: Hasl, side: str, one: Scenario) -> dict[str, str]:
    """CPP at the start of the date, spent and left, and FPP spent: the side's secret."""
    if not mine(cg.state, side):
        return dict.fromkeys(("CPP", "Spent", "Left", "FPP"), SECRET)
    held = one.left.get(side, one.start.get(side, 0) - one.spent.get(side, 0))
    return {
        "CPP": str(one.start.get(side, 0)),
        "Spent": str(one.spent.get(side, 0)),
        "Left": str(held),
        "FPP": str(one.fpp.get(side, 0)),
    }


def _ratings(cg: Hasl, side: str, one: Scenario, now: bool) -> dict[str, str]:
    own = cg.state.side(side)
    if now:
        return {"ELR": str(own.elr), "SAN": str(own.san)}
    return {"ELR": str(one.elr.get(side, "")), "SAN": str(one.san.get(side, ""))}


def _shortage(cg: Hasl, side: str, one: Scenario, now: bool) -> dict[str, str]:
    """The Ammunition Shortage level of a side to which card or dice ever gave one."""
    every = (*cg.state.past, cg.state.scenario)
    used = cg.side(side).ammunition or cg.state.side(side).ammunition
    if not used and not any(line.ammunition.get(side) for line in every):
        return {}
    level = cg.state.side(side).ammunition if now else one.ammunition.get(side, 0)
    return {SHORTAGE: str(level)}


def weather(one: Scenario) -> str:
    """Return the weather of a scenario as the roster has it: with EC, wind and NVR as far as they are known."""
    parts = [one.weather, f"EC {one.ec}" if one.ec else "", f"wind {one.wind}" if one.wind else ""]
    parts += [f"NVR {one.nvr}" if one.nvr is not None else ""]
    return ", ".join(part for part in parts if part)


def _balance(cg: Hasl, side: str) -> Iterator[str]:
    own, limits = cg.state.side(side), cg.side(side).chits
    if mine(cg.state, side):
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


def fortifications(cg: Hasl, side: str) -> Sheet:
    """Return a side's fortifications with their hexes, as its roster lists them."""
    notes = (f"FPP held: {cg.state.side(side).fpp}",) if mine(cg.state, side) else ()

    def when(number: int) -> str:
        return cg.card.dates[number - 1].title

    return records.fortifications(cg, side, "CG Date", "FPP", when, notes)


def order_of_battle(cg: Hasl, side: str) -> Sheet:
    """Return a side's units as the viewer knows them: by area, in it by group."""
    places = {area.name: number for number, area in enumerate(cg.state.areas_of(side))}
    found = sorted(
        ((_area(cg, unit), unit) for unit in cg.state.units_of(side)),
        key=lambda one: (places.get(one[0], len(places)), one[0], one[1].group),
    )
    rows = ((area or "-", unit.group, unit.id, unit_name(unit), unit.kind, *unit_rest(unit)) for area, unit in found)
    return records.order_of_battle(cg, side, ("Area", "Group", "ID", "Unit", "Kind"), rows)


def _area(cg: Hasl, unit: Unit) -> str:
    """Return the Setup or Entry Area that a unit is in, or Retained in."""
    if unit.on_map and unit.hex is not None:
        there = cg.state.area_at(unit.hex)
        if there is not None:
            return there.name
    return unit.area


def areas(cg: Hasl) -> Sheet:
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
    return table("areas", f"Areas on {cg.date.title}", ("Side", "What", "Name", "Hexes"), rows)


# What the card says -----------------------------------------------------------------------------


def special_rules(cg: Hasl) -> Sheet:
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
    rows += [(what, cg.side(who).name) for what, who in firsts if who]
    return listed("rules", f"Special rules on {date.title}", rows)


def about(cg: Hasl) -> Sheet:
    """Return what the card says about the campaign, with what it is fought for."""
    text, victory = cg.card.about, cg.card.victory
    rows = [("History", text.history), ("Play", text.play), ("Length", text.length), ("Notes", text.designer_notes)]
    rows += [("At once", _fought_for(cg, one)) for one in victory.sudden]
    rows += [("At the end", _fought_for(cg, one)) for one in victory.final]
    if victory.otherwise is not None:
        rows.append(("Otherwise", f"{cg.side(victory.otherwise).name} wins"))
    rows.append(("Victory", victory.text))
    rows.append(("Source", f"{cg.card.source}: {cg.card.source_note}"))
    rows.append(("Charts", f"{cg.charts.title}; {cg.charts.source}: {cg.charts.source_note}"))
    return listed("about", cg.card.title, rows, ("", ""))


def _fought_for(cg: Hasl, one: Condition) -> str:
    return f"{cg.side(one.side).name}: {one.text}"


# What holds now -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Reminder:
    """A sentence to keep in mind in this scenario, with its clause."""

    clause: str
    text: str


def rules_sheet(cg: Hasl, found: Iterable[Reminder]) -> Sheet:
    """Return the sheet of what holds in the scenario of this CG Date."""
    rows = ((one.clause, one.text) for one in found)
    return table("rules-now", f"Rules in force on {cg.date.title}", ("Rule", "What holds"), rows)
