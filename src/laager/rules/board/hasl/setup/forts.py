"""New fortifications at setup: where each may stand, and who learns of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from laager.base import Problem, did_you_mean
from laager.campaign import Fact, implements
from laager.catalogue import load_fortifications
from laager.rules.board.card.parts import other
from laager.rules.board.facts import FortGone, FortJoined
from laager.rules.board.hasl.buying.upgrades import UPGRADES
from laager.rules.board.hasl.buying.works import DC, SET_DC, upgrade_problems
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.setup.plan import Plan, Setting, Site
from laager.rules.board.places import ROADBLOCK, hex_of, hexside_faults, hexsides, road_between, terrain_faults
from laager.rules.board.setup.hiding import QUESTION_MARK, used_up
from laager.rules.board.setup.sites import dc_set, dummies_placed, shown_in_open, takes_dc
from laager.rules.board.units import Fort, Mark

Row = dict[str, Any]


@implements("HASL 28", "HASL 23")
def fort_problems(plan: Plan) -> Iterator[Problem]:
    """Yield everything that the rules have against the fortifications of a plan."""
    seen: set[str] = set()
    for number, site in enumerate(plan.sites, 1):
        here = f"forts[{number}]"
        if site.fort.id in seen and site.fort.kind != QUESTION_MARK:
            yield Problem(f"{site.fort.id} is placed twice", "once each", f"{here}.fort")
        seen.add(site.fort.id)
        if not site.at:
            advice = did_you_mean(site.text, plan.cg.sort(plan.setting.home), "there are")
            yield Problem(f"{site.text!r} is no Location of the map", advice, f"{here}.at")
            continue
        for what, right, field in site_faults(plan, site):
            yield Problem(what, right, f"{here}.{field}")
    yield from upgrade_problems((s.fort.kind, hex_of(s.at)) for s in plan.sites if s.at)
    yield from _count_problems(plan)


def site_faults(plan: Plan, site: Site) -> Iterator[tuple[str, str, str]]:
    """Yield why a fortification can't stand where it is to: what, what is right, which field."""
    kind = site.fort.kind
    yield from _area_faults(plan.setting, site)
    if kind in UPGRADES:
        yield from _upgrade_faults(plan, site)
    elif kind in load_fortifications():
        yield from terrain_faults(plan.cg, kind, site.at)
        wanted = max(1, site.fort.factors)
        yield from hexside_faults(plan.cg, kind, site.at, site.hexside, wanted)
    if kind == SET_DC:
        yield from _dc_faults(plan, site)
    elif site.dc:
        yield "only a Set DC takes a DC", "leave it out", "dc"


def _area_faults(setting: Setting, site: Site) -> Iterator[tuple[str, str, str]]:
    """In a Friendly Setup Area; in an Isolated one only what may be added there, in its turn."""
    cg, name = setting.cg, hex_of(site.at)
    if name not in setting.home | cg.state.friendly(setting.side):
        yield f"{name} is outside your Setup Areas", "a hex inside one", "at"
        return
    area = cg.state.area_at(name)
    isolated = area is not None and area.isolated
    if isolated and not _may_be_isolated(cg, site.fort):
        yield f"{name} is Isolated", f"no {site.fort.kind} may be added there", "at"
    if setting.isolated is not None and isolated is not setting.isolated:
        now = "Isolated areas" if setting.isolated else "areas that are not Isolated"
        yield f"{name} is set up at another time", f"now {now} are", "at"


def _may_be_isolated(cg: Hasl, fort: Fort) -> bool:
    prices = [price for price in cg.charts.fortifications or () if price.kind == fort.kind]
    return all(price.isolated for price in prices if price.size == fort.size or not price.size)


def _upgrade_faults(plan: Plan, site: Site) -> Iterator[tuple[str, str, str]]:
    if replaced(plan, site) is None:
        made = plan.cg.variant.upgrades[site.fort.kind]
        right = f"one of yours that becomes a {made.new}"
        yield f"there is no {made.needs} in {site.at}", right, "at"


def replaced(plan: Plan, site: Site) -> Fort | None:
    """Return the fortification that an upgrade makes a better one of; None if there is none.

    It is on the map, or set up by the same plan.
    """
    made = plan.cg.variant.upgrades[site.fort.kind]
    new = (one.fort.but(at=one.room, hidden=not shown(plan, one)) for one in _dug(plan))
    there = (fort for fort in plan.cg.state.forts.values() if fort.side == plan.side)
    able = (fort for fort in (*there, *new) if made.fits(fort.kind, fort.size))
    return next((fort for fort in able if fort.at == site.at), None)


def _dug(plan: Plan) -> Iterator[Site]:
    return (one for one in plan.sites if one.room and one.fort.kind not in UPGRADES)


def _dc_faults(plan: Plan, site: Site) -> Iterator[tuple[str, str, str]]:
    """A DC of a unit that sets up on the map, not in Reserve."""
    name = hex_of(site.at)
    new = {kind for at, kinds in plan.works.items() if hex_of(at) == name for kind in kinds}
    if not takes_dc(plan.cg, plan.side, site.at, new):
        right = "a building, rubble, bridge, pillbox or trench Location"
        yield f"no DC can be set in {site.at}", right, "at"
    elif barred := plan.cg.variant.dc_problem(plan.cg, plan.side, site.at, frozenset(new)):
        yield f"no DC can be set in {site.at}", barred, "at"
    dc = plan.placed.get(site.dc)
    if dc is None or dc.unit.type != DC:
        yield "no DC is named", "the DC that is set", "dc"
    elif not dc.at or plan.cg.variant.must_hide(plan.cg, dc.unit) is Mark.CLOAKED:
        yield f"{dc.unit.label} is with nobody on map", "a DC of a unit on map, no Reserve", "dc"
    elif sum(one.dc == site.dc for one in plan.sites) > 1:
        yield f"{dc.unit.label} is set twice", "one DC for each", "dc"


def _count_problems(plan: Plan) -> Iterator[Problem]:
    for number, site in enumerate(plan.sites, 1):
        if site.fort.kind != QUESTION_MARK and site.count != 1:
            right = "each has a row of its own"
            yield Problem(f"{site.count} of one", right, f"forts[{number}].count")
    for fort in plan.setting.forts:
        used = sum(site.count for site in plan.sites if site.fort is fort)
        if fort.kind == QUESTION_MARK and used > fort.count:
            yield Problem(f'{used} "?" of {fort.id}', f"{fort.count} bought", "forts")


# What follows -------------------------------------------------------------------------------------


def placed_forts(plan: Plan) -> Iterator[Fact]:
    """Put the fortifications on the map, for their own side's eyes; "?" as Dummies."""
    # What is dug now may be made better at once.
    for site in sorted(plan.sites, key=lambda one: one.fort.kind in UPGRADES):
        if site.fort.kind == QUESTION_MARK:
            yield from used_up(plan.cg, site.fort.id, site.count, "placed on map")
            yield dummies_placed(plan.cg, plan.side, site.at, site.count)
            continue
        fort = _built(plan, site)
        old = replaced(plan, site) if site.fort.kind in UPGRADES else None
        if old is not None:
            why = f"a {fort.kind} is made of it"
            yield FortGone(fort=old.id, why=why, to=(plan.side,) if old.hidden else None)
        why = f"{fort.kind} set up in {fort.at}"
        yield FortJoined(fort=fort, why=why, to=(plan.side,))
        if fort.kind == SET_DC:
            yield from dc_set(plan.cg, site.dc, site.room)


def _built(plan: Plan, site: Site) -> Fort:
    fort = plan.cg.state.forts[site.fort.id]
    made = plan.cg.variant.upgrades.get(fort.kind)
    return fort.but(
        kind=site.kind,
        size=(made.new_size if made is not None else "") or fort.size,
        at=site.room,
        hexside=", ".join(hexsides(site.hexside)),
        hidden=not shown(plan, site),
        # Of an upgrade this is the date on which it is made.
        firefight=plan.cg.state.number if made is not None else fort.firefight,
    )


def shown(plan: Plan, site: Site) -> bool:
    """Whether the enemy sees a fortification at setup: chosen, or it can't hide there."""
    if site.fort.kind in UPGRADES:
        old = replaced(plan, site)
        if old is not None and not old.hidden:
            return True
    return site.show or shown_in_open(plan.cg, site.kind, site.at)


def revealed_forts(plan: Plan) -> Iterator[Fact]:
    """Let the enemy see what stands openly."""
    for site in plan.sites:
        fort = plan.cg.state.forts.get(site.fort.id)
        if fort is not None and fort.kind != QUESTION_MARK and not fort.hidden:
            yield FortJoined(fort=fort, why=f"it stands openly in {fort.at}")


# Places to propose --------------------------------------------------------------------------------


def proposed_forts(setting: Setting, rng: Random | None = None) -> list[Row]:
    """Return places for what has none yet: near the enemy; by chance some of it, anywhere.

    "?" are proposed by chance only; a DC is Set by its owner.
    """
    rows: list[Row] = []
    hexes = _facing(setting)
    if rng is not None:
        rng.shuffle(hexes)
    for fort in setting.forts:
        dummy = fort.kind == QUESTION_MARK
        if fort.kind == SET_DC or (rng is None and dummy) or (rng and rng.random() < 0.2):
            continue
        row = _first_site(setting, fort, hexes, rows)
        if row is not None:
            rows.append(row)
    return rows


def _facing(setting: Setting) -> list[str]:
    """Return the hexes of the side's areas, those nearest the enemy's first."""
    cg = setting.cg
    enemy, left = cg.state.friendly(other(setting.side)), setting.home & cg.map.playable
    found: list[str] = []
    away = 0
    while left and enemy:
        away += 1
        near = cg.map.within(enemy, away) & left
        found += cg.sort(near)
        left -= near
    return found or cg.sort(left)


def _first_site(setting: Setting, fort: Fort, hexes: Sequence[str], rows: Sequence[Row]) -> Row | None:
    used = {row["at"] for row in rows}
    for name in hexes:
        if name in used:
            continue
        for hexside in _hexsides(setting.cg, fort, name):
            row = fort_row(fort, name, hexside)
            plan = Plan(setting, {"forts": [*rows, row]}, {})
            if not any(site_faults(plan, plan.sites[-1])):
                return row
    return None


def _hexsides(cg: Hasl, fort: Fort, name: str) -> Sequence[str]:
    kind = load_fortifications().get(fort.kind)
    if kind is None or kind.place != "hexside":
        return [""]
    around = cg.map.neighbours(name)
    if fort.kind == ROADBLOCK:
        return [near for near in around if road_between(cg, name, near)]
    return [", ".join(around[: max(1, fort.factors)])]


def fort_row(fort: Fort, at: str, hexside: str = "") -> Row:
    """Return the row of an answer that puts a fortification in a place."""
    return {"fort": fort.id, "at": at, "hexside": hexside, "count": 1, "show": False, "dc": ""}
