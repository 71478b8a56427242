"""Checks of a card and its charts against the catalogue, and of what the OB gives: units, SW, leaders, groups."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from laager.base import OtherEnd, RefusedError, did_you_mean
from laager.base.files import Where
from laager.catalogue import Catalogue, Nation, load_fortifications
from laager.catalogue import Kind as UnitKind
from laager.rules.board.card.findings import CardFindings
from laager.rules.board.card.units import check_alliance, check_leaders, find_nation, find_type, group_types
from laager.rules.board.hasl.areas import INITIAL_AREA
from laager.rules.board.hasl.buying.groups import SW_KINDS
from laager.rules.board.hasl.buying.offers import OBSERVERS, REGISTRATION
from laager.rules.board.hasl.buying.strength import kind_of_leaders
from laager.rules.board.hasl.card.card import Given, GivenFort, GivenGroup, GivenUnit, SideCard
from laager.rules.board.hasl.card.ground import entries, refuse_letter
from laager.rules.board.hasl.charts import JUNGLE_PATH, WITH_UNITS, Kind, RgLine
from laager.rules.board.hasl.state import GroupArrival
from laager.rules.board.hasl.system import CheckedCard
from laager.rules.board.setup.hiding import HIP

HIDERS = ("squad", "half-squad", "crew", "smc")
"""Kinds of units that may use HIP, as prices and the OB name them."""

NEEDS: Mapping[Kind, str] = {
    Kind.INFANTRY: "squads",
    Kind.GUN: "Gun",
    Kind.AFV: "AFV",
    Kind.VEHICLE: "vehicle",
    Kind.TRANSPORT: "vehicle",
}
"""Units that a group of a kind must bring."""


def check_units(named: CheckedCard, nations: Catalogue) -> None:
    """Check that everything that card and charts name exists, and fits what brings it."""
    for side, half in named.card.sides.items():
        where: Where = ("sides", side)
        nation = find_nation(half.nation, (*where, "nation"), nations, named.found)
        for i, name in enumerate(half.nations):
            find_nation(name, (*where, "nations", i), nations, named.found)
        if nation is None:
            continue
        check_alliance(nation, side, (*where, "nation"), named.found)
        for i, line in enumerate(named.charts.side(side).rg or ()):
            end = named.found.end_at("sides", side, "nation")
            _check_line(line, nation, ("sides", side, "rg", i), named.inside, end)
    _check_given_leaders(named, nations)


# The charts ---------------------------------------------------------------------------------------


def _check_line(line: RgLine, nation: Nation, where: Where, findings: CardFindings, nation_at: OtherEnd) -> None:
    needs = NEEDS.get(line.kind, "")
    for part, units in (("full", line.full), ("depleted", line.depleted or ())):
        group_types(line.key, line.kind, units, nation, (*where, part), findings, needs=needs, nation_at=nation_at)
    for i, weapon in enumerate(line.sw):
        _check_weapon(weapon.type, nation, (*where, "sw", i, "type"), findings, nation_at)
    if line.kind is Kind.HEAVY_WEAPONS and not line.sw:
        findings.add_doubt((*where, "sw"), f"{line.key} brings no SW", "add one, or make it infantry")


def _check_weapon(name: str, nation: Nation, where: Where, findings: CardFindings, nation_at: OtherEnd) -> None:
    try:
        type_ = nation.unit(name)
    except RefusedError as err:
        findings.add_problem(where, err.problem.what, err.problem.right, nation_at)
        return
    if type_.kind not in SW_KINDS:
        findings.add_problem(where, f"{name} is {type_.kind.words}, not SW", "list it under full")


# What the OB gives --------------------------------------------------------------------------------


def _check_given_leaders(named: CheckedCard, nations: Catalogue) -> None:
    for where, side, given in all_given(named):
        nation = nations.get(named.card.sides[side].nation)  # type: ignore[index]
        if nation is None:
            continue
        for i, unit in enumerate(given.units):
            find_type(unit, nation, (*where, "units", i), named.found)
        for i, group in enumerate(given.groups):
            line = named.charts.side(side).line(group.rg)
            kind = kind_of_leaders(line.kind) if line is not None else UnitKind.LEADER
            here: Where = (*where, "groups", i, "leaders")
            check_leaders(group.leaders or (), kind, nation.types(kind), nation, here, named.found)


def all_given(named: CheckedCard) -> Iterator[tuple[Where, str, Given]]:
    """Yield everything that the card gives: at the start, then date by date."""
    for side, half in named.card.sides.items():
        yield ("sides", side, "ob"), side, half.ob
    for i, date in enumerate(named.card.dates):
        for side, given in date.given.items():
            yield ("dates", i, "given", side), side, given


def check_given(named: CheckedCard) -> None:
    """Check what the OB gives: groups against the charts, areas of single units, fortifications."""
    for where, side, given in all_given(named):
        chart = named.charts.side(side)
        for i, unit in enumerate(given.units):
            _check_unit_place(named, side, unit, (*where, "units", i))
        for i, work in enumerate(given.fortifications):
            _check_fort(named, work, (*where, "fortifications", i))
        for i, group in enumerate(given.groups):
            here: Where = (*where, "groups", i)
            line = chart.line(group.rg)
            if line is not None:
                _check_group(named, side, group, line, here)
                continue
            keys = [*(line.key for line in chart.rg or ()), *named.unread.get(side, ())]
            if group.rg in keys:
                continue
            advice = did_you_mean(group.rg, keys, "the chart has") if keys else "it has no groups"
            fault, end = f"gives {group.rg}, which is not on the chart", named.inside.end_at("sides", side, "rg")
            named.found.add_problem((*here, "rg"), fault, advice, end)


def _check_group(named: CheckedCard, side: str, group: GivenGroup, line: RgLine, where: Where) -> None:
    findings, half = named.found, named.card.sides[side]  # type: ignore[index]
    comes = line.kind in WITH_UNITS
    _check_module(group, line, where, findings)
    for name in ("arrival", "area", "setup"):
        if getattr(group, name) and not comes:
            findings.add_problem((*where, name), f"{group.rg} brings no units, so it comes to no place", "leave it out")
            return
    if (group.setup or group.arrival == GroupArrival.ON_MAP.value) and not line.on_map:
        findings.add_problem(
            (*where, "setup" if group.setup else "arrival"),
            f"{group.rg} may not set up on the map on its date",
            "arrival: enter, or on_map: true in the charts",
        )
    if group.setup and (group.area or group.arrival not in {None, GroupArrival.ON_MAP.value}):
        findings.add_problem(
            (*where, "setup"),
            f"{group.rg} sets up in its own hexes and comes to another place, too",
            "setup alone, or arrival and area",
        )
    if not group.area or not comes:
        return
    arrows, areas = list(entries(half, line)), _areas(named, half)
    known = arrows if group.arrival == GroupArrival.ENTER.value else areas
    if group.arrival is None:
        known = [*arrows, *areas]
    _check_place(named, group.rg, group.area, known, (*where, "area"))


def _check_place(named: CheckedCard, who: str, area: str, known: Sequence[str], where: Where) -> None:
    """Note an area that is none of those where a group or a unit can be."""
    if named.map is not None and refuse_letter(named.card, named.map, area, where, named.found):
        return
    if area in known:
        return
    advice = did_you_mean(area, known, "there are") if known else "it has no such place"
    wrong, listed = f"{who} can't be in {area!r}", named.card.areas == "listed"
    if listed and where[0] == "dates":
        # The players may have made one of that name by a later date.
        named.found.add_doubt(where, wrong, advice)
    else:
        other = (
            named.found.end_at("sides", where[1], "areas") if listed and where[0] == "sides" else named.found.map_end()
        )
        named.found.add_problem(where, wrong, advice, other)


def _check_module(group: GivenGroup, line: RgLine, where: Where, findings: CardFindings) -> None:
    """Refuse what belongs to a module on another group; doubt an observer or a hex without one."""
    for name in ("observer", "pre_registered"):
        if getattr(group, name) and line.kind is not Kind.OBA:
            findings.add_problem((*where, name), f"{group.rg} is not OBA", "say it with the module")
    if line.special in {OBSERVERS, REGISTRATION} and line.kind not in WITH_UNITS:
        field = "observer" if line.special == OBSERVERS else "pre_registered"
        findings.add_doubt(
            (*where, "rg"), f"{group.rg} by itself does nothing", f"{field}: true with the module that it is for"
        )


def _check_unit_place(named: CheckedCard, side: str, unit: GivenUnit, where: Where) -> None:
    """Check the area for which single units are: one of the side, and no hexes besides it."""
    half = named.card.sides[side]  # type: ignore[index]
    if not unit.area:
        return
    if unit.setup:
        named.found.add_problem(
            (*where, "setup"),
            f"{unit.type} sets up in its own hexes and comes to another place, too",
            "setup alone, or area",
        )
    arrows = [*half.arrows, *(name for formation in half.formations for name in formation.arrows)]
    known = [*dict.fromkeys(arrows), *_areas(named, half)]
    _check_place(named, unit.type, unit.area, known, (*where, "area"))


def _check_fort(named: CheckedCard, work: GivenFort, where: Where) -> None:
    """Check the kind of a fortification that the OB gives, and who hides by HIP."""
    known = [*load_fortifications(), JUNGLE_PATH]
    if work.kind not in known:
        advice = did_you_mean(work.kind, known, "there are")
        named.found.add_problem((*where, "kind"), f"there is no fortification {work.kind!r}", advice)
    hider_problem(work.kind, work.size, where, named.found)
    if work.setup and work.kind in {HIP, JUNGLE_PATH}:
        named.found.add_problem((*where, "setup"), f"{work.kind} is not set up in hexes", "leave it out")


def hider_problem(kind: str, size: str, where: Where, findings: CardFindings) -> None:
    """Tell if HIP doesn't say whose it is."""
    if kind == HIP and size not in HIDERS:
        findings.add_problem(
            (*where, "size"),
            (f"no unit can use HIP of {size!r}" if size else "whose HIP?"),
            f"size: one of {', '.join(HIDERS)}",
        )


def _areas(named: CheckedCard, half: SideCard) -> list[str]:
    """Return the names that a side's Setup Areas may have in the course of the campaign."""
    if named.card.areas == "listed":
        return list(half.areas)
    blocks = named.map.blocks.hexes if named.map is not None else half.controls
    return [*blocks, INITIAL_AREA]
