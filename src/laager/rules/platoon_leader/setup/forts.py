"""Fortifications at setup: where each may stand, and who learns of it (PL 2.38 with its notes)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from laager.base import Problem, did_you_mean
from laager.campaign import Fact, implements
from laager.rules.board.card.parts import other
from laager.rules.board.facts import FortJoined
from laager.rules.board.places import PANJI, hex_of, hexside_faults, hexsides, terrain_faults
from laager.rules.board.setup.hiding import used_up
from laager.rules.board.setup.sites import dc_set, dummies_placed, shown_in_open, takes_dc
from laager.rules.board.units import Fort
from laager.rules.platoon_leader.buying.works import DUMMY, KNOWN, SET_DC, in_reserve
from laager.rules.platoon_leader.charts import charts
from laager.rules.platoon_leader.context import Cg

if TYPE_CHECKING:
    from laager.rules.platoon_leader.setup.plan import Plan, Site

MARK = "concealment"
CLOAKING = "cloaking"
"""The size of a "?" counter that stands in for a Dummy among the Reserves."""


def fort_problems(plan: Plan) -> Iterator[Problem]:
    """Return everything that the rules have against the fortifications of a plan."""
    seen: set[str] = set()
    for number, site in enumerate(plan.sites, 1):
        here = f"forts[{number}]"
        if site.fort is not None and site.fort.id in seen and site.kind != MARK:
            yield Problem(f"{site.fort.id} is placed twice", "once each", f"{here}.fort")
        seen |= {site.fort.id} if site.fort is not None else set()
        if not site.at:
            advice = did_you_mean(site.text, plan.cg.sort(plan.setting.ground.area), "there are")
            what = f"{site.text!r} is no Location of the map"
            yield Problem(what, advice, f"{here}.at")
            continue
        for what, right, field in site_faults(plan, site):
            yield Problem(what, right, f"{here}.{field}")
    yield from _count_problems(plan)


def site_faults(plan: Plan, site: Site) -> Iterator[tuple[str, str, str]]:
    """Return why a fortification can't stand where it is to: what, what is right, which field."""
    yield from _area_faults(plan, site)
    yield from terrain_faults(plan.cg, site.kind, site.at)
    wanted = site.fort.factors if site.fort is not None and site.kind == PANJI else 1
    yield from hexside_faults(plan.cg, site.kind, site.at, site.hexside, wanted)
    if site.kind == SET_DC:
        yield from _dc_faults(plan, site)
    elif site.dc:
        yield "only a Set DC takes a DC", "leave it out", "dc"


@implements("PL 2.38 note I", "PL 2.6")
def _area_faults(plan: Plan, site: Site) -> Iterator[tuple[str, str, str]]:
    """Friendly area, or an Isolated Location for what has mark I; Dummies of Reserves far back."""
    ground, name = plan.setting.ground, hex_of(site.at)
    row = charts().fortifications.row(site.kind)
    if site.cloaking and site.kind == MARK:
        if name not in ground.reserve:
            yield f"{name} is no place for a Reserve", "where Reserves may set up (PL 2.33)", "at"
        return
    if site.cloaking:
        yield f"{row.name} is no Dummy", 'only "?" may be Dummies (PL 2.38 note 2)', "cloaking"
    if name in ground.isolated and not row.isolated:
        right = "only foxholes, sangars, ? and fortified buildings may be added"
        yield f"{name} is Isolated", right, "at"
    elif name not in ground.area | ground.isolated:
        where = "the setup area" if plan.cg.front is None else "the friendly MLR"
        yield f"{name} is outside {where}", "a hex inside it", "at"


@implements("PL 2.38 note 8")
def _dc_faults(plan: Plan, site: Site) -> Iterator[tuple[str, str, str]]:
    """A DC of a unit that sets up on map (no Reserve), in friendly Controlled Terrain.

    In a building, hut, rubble, bridge, pillbox or trench Location.
    """
    name = hex_of(site.at)
    if name not in plan.setting.ground.controlled:
        yield f"{name} is not friendly Controlled Terrain", "a hex of a friendly cluster", "at"
    dug = {kind for at, kinds in plan.works.items() if hex_of(at) == name for kind in kinds}
    if not takes_dc(plan.cg, plan.side, site.at, dug):
        right = "a building, hut, rubble, bridge, pillbox or trench Location"
        yield f"no DC can be set in {site.at}", right, "at"
    dc = next((unit for unit in plan.setting.dcs if unit.id == site.dc), None)
    holder = plan.cg.state.units.get(plan.items.get(site.dc, dc.with_unit if dc else ""))
    if dc is None:
        yield "no DC is named", "the DC that is set", "dc"
    elif holder is None or not plan.place_of(holder.id) or in_reserve(plan.cg, holder):
        yield f"{dc.label} is with nobody on map", "a DC of a unit on map, not In Reserve", "dc"
    elif sum(other_.dc == site.dc for other_ in plan.sites) > 1:
        yield f"{dc.label} is set twice", "one DC for each", "dc"


@implements("PL 2.38 note 2", "PL 2.33")
def _count_problems(plan: Plan) -> Iterator[Problem]:
    """Not more of anything than there is: Dummies of Reserves; one of what is counted singly."""
    dummies = sum(site.count for site in plan.sites if site.fort is None)
    if dummies > plan.setting.dummies:
        right = f"{plan.setting.dummies} come with the Reserves (PL 2.33)"
        yield Problem(f"{dummies} Dummies", right, "forts")
    for number, site in enumerate(plan.sites, 1):
        if site.kind != MARK and site.count != 1:
            yield Problem(f"{site.count} of one", "each has a row of its own", f"forts[{number}].count")
    for fort in plan.setting.forts:
        used = sum(site.count for site in plan.sites if site.fort is fort)
        if fort.kind == MARK and used > fort.count:
            yield Problem(f'{used} "?" of {fort.id}', f"{fort.count} bought", "forts")


# What follows -----------------------------------------------------------------------------------


@implements("PL 2.38 note 7")
def placed_forts(plan: Plan) -> Iterator[Fact]:
    """Put the fortifications on the map, for their own side's eyes.

    Mines go beside those that are in the hex already; factors of both count together there.
    """
    for site in plan.sites:
        if site.fort is None or site.kind == MARK:
            yield from _question_marks_placed(plan, site)
            continue
        fort = plan.cg.state.forts[site.fort.id]
        hidden = not shown(plan.cg, site)
        change = {"at": site.room, "hexside": ", ".join(hexsides(site.hexside)), "hidden": hidden}
        why = f"{charts().fortifications.row(fort.kind).name} set up in {site.room}"
        yield FortJoined(fort=fort.model_copy(update=change), why=why, to=(plan.side,))
        if site.kind == SET_DC:
            yield from dc_set(plan.cg, site.dc, site.room)


def _question_marks_placed(plan: Plan, site: Site) -> Iterator[Fact]:
    """Dummies: "?" counters on the map, taken from those that were bought or come with Reserves."""
    if site.fort is not None:
        yield from used_up(plan.cg, site.fort.id, site.count, "placed on map")
    size, what = (CLOAKING, "Cloaking counters") if site.cloaking else ("", "?")
    yield dummies_placed(plan.cg, plan.side, site.at, site.count, size, what)


def shown(cg: Cg, site: Site) -> bool:
    """Whether the enemy sees a fortification: chosen, a Known minefield, or in the open."""
    in_open = shown_in_open(cg, site.kind, site.at)
    return site.show or in_open or (site.fort is not None and looks_known(site.fort))


def looks_known(fort: Fort) -> bool:
    """Whether a fortification stands on the map as a Known minefield, be it one or a Dummy."""
    return fort.known_minefield or fort.kind == DUMMY


def revealed_forts(plan: Plan) -> Iterator[Fact]:
    """Let the enemy see what stands openly; of Known minefields nobody sees what is in them."""
    enemy = other(plan.side)
    for site in plan.sites:
        if site.fort is None or site.kind == MARK or not shown(plan.cg, site):
            continue
        fort = plan.cg.state.forts[site.fort.id]
        if not looks_known(fort):
            yield FortJoined(fort=fort, why=f"it stands openly in {fort.at}")
            continue
        blank = {"kind": KNOWN, "size": "", "factors": 0, "known_minefield": True, "fp": 0}
        seen = fort.model_copy(update=blank)
        yield FortJoined(fort=seen, why=f"a Known minefield in {fort.at}", to=(enemy,))
        # The enemy's blank came last; the truth has to stand again for the owner and the umpire.
        yield FortJoined(fort=fort, why=f"a Known minefield in {fort.at}", to=(plan.side,))
