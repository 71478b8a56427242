"""Fortifications at setup: where each can stand, what follows, who sees it, and where to propose them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from random import Random

from laager.base import Problem, did_you_mean
from laager.campaign import Fact
from laager.catalogue import load_fortifications
from laager.rules.board.changes import remove_unit
from laager.rules.board.context import CardContext
from laager.rules.board.facts import FortGone, FortJoined, UnitHidden
from laager.rules.board.numbering import next_fort_id
from laager.rules.board.places import ROADBLOCK, Fault, has_road_between, hex_of
from laager.rules.board.setup.hiding import CLOAKING, QUESTION_MARK, SET_DC, use_up
from laager.rules.board.setup.placements import SetupFortRow, Site
from laager.rules.board.setup.plan import BoardPlan, BoardSetting
from laager.rules.board.units import Fort, Place, fort_words

DC = "DC"

DC_PLACES = frozenset({"pillbox", "trench"})
"""Fortifications in whose Location a DC can be set."""


# Checks -------------------------------------------------------------------------------------------


def fort_problems(plan: BoardPlan) -> Iterator[Problem]:
    """Yield everything that the rules have against the fortifications of a plan."""
    seen: set[str] = set()
    for number, site in enumerate(plan.sites, 1):
        here, mark = f"forts[{number}]", site.fort.kind == QUESTION_MARK
        if site.fort.id in seen and not mark:
            yield Problem(f"{site.fort.id} is placed twice", "place each once", f"{here}.fort")
        seen.add(site.fort.id)
        if site.count != 1 and not mark:
            yield Problem(f"{site.count} of one", "give each a row of its own", f"{here}.count")
        if not site.at:
            advice = did_you_mean(site.text, plan.setting.names, "there are")
            yield Problem(f"{site.text!r} is not a Location of the map", advice, f"{here}.at")
            continue
        for message, right, field in site_faults(plan, site):
            yield Problem(message, right, f"{here}.{field}")
    for fort in plan.setting.to_place:
        used = sum(site.count for site in plan.sites if site.fort is fort)
        if fort.kind == QUESTION_MARK and used > fort.count:
            yield Problem(f'you place {used} "?" of {fort.id}', f"you have {fort.count}", "forts")


def site_faults(plan: BoardPlan, site: Site) -> Iterator[Fault]:
    """Yield why a fortification can't stand where it is to: what, what is right, which field."""
    yield from plan.area_faults(site)
    yield from plan.place_faults(site)
    if site.kind == SET_DC:
        yield from _dc_faults(plan, site)
    elif site.dc:
        yield "only a Set DC takes a DC", "leave it out", "dc"


def _dc_faults(plan: BoardPlan, site: Site) -> Iterator[Fault]:
    works = plan.works_in(hex_of(site.at))
    if not takes_dc(plan.cg, plan.side, site.at, works):
        right = "a building, hut, rubble, bridge, pillbox or trench Location"
        yield f"you can't set a DC in {site.at}", right, "at"
    elif barred := plan.dc_barred(site, works):
        yield f"you can't set a DC in {site.at}", barred, "at"
    dc = plan.cg.state.units.get(site.dc)
    if dc is None or dc.side != plan.side or dc.type != DC or not dc.in_play:
        yield "no DC is named", "name the DC that you set", "dc"
    elif not plan.is_dc_ready(dc):
        yield f"{dc.label} is with nobody on the map", "a DC of a unit on the map, not in Reserve", "dc"
    elif sum(other.dc == site.dc for other in plan.sites) > 1:
        yield f"{dc.label} is set twice", "set each DC once", "dc"


def takes_dc(cg: CardContext, side: str, at: str, new: Collection[str] = ()) -> bool:
    """True if a DC can be set in a Location: a building, rubble, bridge, pillbox or trench.

    `new` are the kinds of fortifications that are placed in the hex now.
    """
    name = hex_of(at)
    there = cg.map.hex(name)
    if there.building is not None or there.has("bridge") or there.has("rubble"):
        return True
    dug = {fort.kind for fort in cg.state.forts.values() if fort.hex == name and fort.side == side}
    return not DC_PLACES.isdisjoint(dug | set(new))


# What follows -------------------------------------------------------------------------------------


def place_forts(plan: BoardPlan) -> Iterator[Fact]:
    """Put the fortifications on the map, for their own side's eyes; "?" as Dummies."""
    # What is dug now can be made better at once.
    for site in sorted(plan.sites, key=lambda site: site.kind != site.fort.kind):
        if site.fort.kind == QUESTION_MARK:
            yield from _dummies_placed(plan, site)
            continue
        fort, old = plan.build_fort(site), plan.upgraded_fort(site)
        if old is not None:
            why = f"a {fort.kind} is made of it"
            yield FortGone(fort=old.id, why=why, to=(plan.side,) if old.hidden else None)
        yield FortJoined(fort=fort, why=f"{fort_words(fort.kind)} set up in {fort.at}", to=(plan.side,))
        if site.kind == SET_DC:
            yield from _dc_set(plan.cg, site.dc, site.room)


def _dummies_placed(plan: BoardPlan, site: Site) -> Iterator[Fact]:
    """Dummies are on the map: counters with nothing under them, bought or of the Reserves."""
    if site.fort.id in plan.cg.state.forts:
        yield from use_up(plan.cg, site.fort.id, site.count, "placed on map")
    dummy = Fort(
        id=next_fort_id(plan.cg, plan.side),
        side=plan.side,
        kind=QUESTION_MARK,
        size=CLOAKING if site.cloaking else "",
        count=site.count,
        at=site.at,
        firefight=plan.cg.state.number,
    )
    counters = "Cloaking counters" if site.cloaking else "?"
    yield FortJoined(fort=dummy, why=f"{site.count} Dummy {counters} in {site.at}", to=(plan.side,))


def _dc_set(cg: CardContext, name: str, at: str) -> Iterator[Fact]:
    """The DC leaves its unit; the enemy, if it knew of the DC, learns only that it is out of sight."""
    dc = cg.state.units[name]
    if dc.known:
        yield UnitHidden(unit=name, side=dc.side, why="out of sight at setup")
    yield from remove_unit(cg, cg.state.units[name], Place.REMOVED, f"set in {at}")


def reveal_forts(plan: BoardPlan) -> Iterator[Fact]:
    """Let the enemy see what stands openly."""
    for site in plan.sites:
        fort = plan.cg.state.forts.get(site.fort.id)
        if fort is not None and fort.kind != QUESTION_MARK and not fort.hidden:
            yield from plan.reveal_fort(fort)


# Places to propose --------------------------------------------------------------------------------


def propose_forts(setting: BoardSetting, rng: Random | None = None) -> list[SetupFortRow]:
    """Return places for what has none yet: near the enemy; by chance some of it, anywhere.

    Dummies are proposed by chance only; a DC is set by its owner.
    """
    rows: list[SetupFortRow] = []
    hexes = setting.facing()
    if rng is not None:
        rng.shuffle(hexes)
    for fort in setting.to_place:
        dummy = fort.kind == QUESTION_MARK
        if fort.kind == SET_DC or (rng is None and dummy) or (rng and rng.random() < 0.2):
            continue
        row = _first_site(setting, fort, hexes, rows)
        if row is not None:
            rows.append(row)
    return rows


def _first_site(
    setting: BoardSetting, fort: Fort, hexes: Sequence[str], rows: Sequence[SetupFortRow]
) -> SetupFortRow | None:
    used = {row["at"] for row in rows}
    for name in hexes:
        if name in used:
            continue
        for hexside in _hexsides(setting.cg, fort, name):
            row = fort_row(setting, fort, name, hexside)
            plan = setting.plan({"forts": [*rows, row]})
            if not any(site_faults(plan, plan.sites[-1])):
                return row
    return None


def _hexsides(cg: CardContext, fort: Fort, name: str) -> Sequence[str]:
    kind = load_fortifications().get(fort.kind)
    if kind is None or kind.place != "hexside":
        return [""]
    around = cg.map.neighbours(name)
    if fort.kind == ROADBLOCK:
        return [near for near in around if has_road_between(cg, name, near)]
    return [", ".join(around[: max(1, fort.factors)])]


def fort_row(setting: BoardSetting, fort: Fort, at: str, hexside: str = "") -> SetupFortRow:
    """Return the row of an answer that puts a fortification in a place."""
    row: SetupFortRow = {"fort": fort.id, "at": at, "hexside": hexside, "count": 1, "show": False, "dc": ""}
    if setting.cloaking:
        row["cloaking"] = False
    return row
