"""Fortifications: upgrades, HIP, DC that are Set and who sets them off (1.520 Notes a, c, g)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING, Any

from laager.base import Problem
from laager.campaign import Choice, Fact, Field, Procedure, Rows, SecretQuestion, ask, implements, no_decision, step
from laager.rules.board.buying.works import HipCap
from laager.rules.board.facts import FortGone, FortJoined
from laager.rules.board.hasl.buying.fortifications import tenth_hidden, upgrade_problems
from laager.rules.board.numbering import next_fort_id
from laager.rules.board.places import room_of
from laager.rules.board.rows import unit_choice
from laager.rules.board.setup.hiding import SET_DC
from laager.rules.board.units import Fort, Mark, Unit
from laager.rules.board.wording import yield_facts
from laager.rules.edsons_ridge.charts import UPGRADES
from laager.rules.edsons_ridge.facts import DcSet

if TYPE_CHECKING:
    from laager.rules.edsons_ridge.context import Er

DC_WORKS = frozenset({"trench", "pillbox"})
"""Kinds of works in which a side can Set a DC."""


@implements("ER 1.520 Note c", "ER 1.2 FRU and squad-equivalent")
def hip_cap(cg: Er, side: str) -> HipCap | None:
    """Return how many squads may use HIP: by day a tenth of those Retained outside Reserve."""
    if cg.date.night:
        return None
    return tenth_hidden(cg, side, halves=cg.reading("hip-half-squads") == "halves")


def may_buy(cg: Er, side: str, *kinds: str) -> bool:
    """True if a side can buy fortifications of these kinds, by the chart that all can read (1.520)."""
    prices = cg.charts.fortifications
    if prices is None:
        return True
    return any(price.kind in kinds and (not price.sides or side in price.sides) for price in prices)


# Upgrades -----------------------------------------------------------------------------------------


def upgradable_works(cg: Er, side: str, kind: str, at: str = "") -> list[Fort]:
    """Return a side's works that an upgrade of this kind improves, in `at` or anywhere.

    Hexes with an upgrade of this CG Date are left out.
    """
    upgrade = UPGRADES[kind]
    used_hexes = hexes_upgraded_now(cg, side)
    return [
        fort
        for fort in cg.state.forts.values()
        if fort.side == side and fort.at is not None and fort.at in (at or fort.at,)
        if upgrade.fits(fort.kind, fort.size) and fort.hex not in used_hexes
    ]


@implements("ER 1.520 Note a")
def hexes_upgraded_now(cg: Er, side: str) -> frozenset[str]:
    """Return the hexes in which a side has made an upgrade on this CG Date."""
    sold = {price.kind for price in cg.charts.fortifications or ()}
    new = {upgrade.new for upgrade in UPGRADES.values()} - sold
    now = cg.state.number
    forts = (fort for fort in cg.state.forts.values() if fort.side == side and fort.firefight == now)
    return frozenset(fort.hex for fort in forts if fort.kind in new and fort.hex)


@implements("ER 1.520 Note a")
def upgrade_places(cg: Er, side: str, kind: str) -> list[str]:
    """Return the Locations with a work that an upgrade of this kind improves."""
    areas = list(cg.setup_hexes(side, isolated=True).values())
    own = {name for hexes in areas for name in hexes}
    places = [fort.at for fort in upgradable_works(cg, side, kind) if fort.at and fort.hex in own]
    return cg.sort(dict.fromkeys(places))


def unplaced_upgrades(cg: Er, side: str) -> list[Fort]:
    """Return a side's upgrades that have no place yet."""
    return [fort for fort in cg.state.forts.values() if fort.side == side and fort.kind in UPGRADES and not fort.at]


@implements("ER 1.520 Note a")
def place_problems(cg: Er, side: str, chosen: Mapping[str, str]) -> Iterator[Problem]:
    """Yield what is wrong with where upgrades are made: upgrade -> Location, one to a hex."""
    placed = []
    for name, at in chosen.items():
        fort = cg.state.forts[name]
        if at not in upgrade_places(cg, side, fort.kind):
            upgrade = UPGRADES[fort.kind]
            right = f"a Location of yours with a {upgrade.needs}"
            yield Problem(f"no {upgrade.old} to upgrade in {at}", right, name)
            continue
        placed.append((fort.kind, at.partition(".")[0]))
        if _is_barred_by_isolation(cg, side, fort.kind, at):
            yield Problem(f"{at} is Isolated", "no pillbox is made there (reading pillbox-isolated)", name)
    yield from upgrade_problems(placed)


def _is_barred_by_isolation(cg: Er, side: str, kind: str, at: str) -> bool:
    if kind != "pillbox-upgrade" or cg.reading("pillbox-isolated") == "warned":
        return False
    area = cg.state.area_at(at.partition(".")[0])
    return area is not None and area.isolated


@implements("ER 1.520 Note a")
def apply_upgrade(cg: Er, side: str, upgrade: Fort, at: str) -> Iterator[Fact]:
    """Yield that a foxhole becomes a trench, or a trench a 1+3+5 pillbox; the old work is gone."""
    change = UPGRADES[upgrade.kind]
    old = upgradable_works(cg, side, upgrade.kind, at)[0]
    why = f"{change.old} upgraded to {change.new} {change.new_size}".rstrip()
    seen = None if not old.hidden else (side,)
    yield FortGone(fort=old.id, why=why, to=seen)
    yield FortGone(fort=upgrade.id, why=why, to=(side,))
    new = Fort(
        id=next_fort_id(cg, side),
        side=side,
        kind=change.new,
        size=change.new_size,
        at=room_of(change.new, at),
        hidden=old.hidden,
        firefight=cg.state.number,
        fp=upgrade.fp,
    )
    yield FortJoined(fort=new, why=why, to=seen)


# DC that are Set ----------------------------------------------------------------------------------


@implements("ER 1.520 Note g")
def dcs_without_unit(cg: Er, side: str) -> list[Fort]:
    """Return a side's Set DC for which a unit has to be noted: none was, or (by the reading) it is gone."""
    anew = cg.reading("set-dc-without-unit") == "another"
    return [
        fort
        for fort in cg.state.forts.values()
        if fort.side == side and fort.kind == SET_DC and fort.at is not None
        if fort.id not in cg.state.set_dc or (anew and detonator(cg, fort.id) is None)
    ]


def detonator(cg: Er, fort: str) -> Unit | None:
    """Return the unit that sets off a Set DC; None if none is noted, or it is no longer in its side's hands."""
    unit = cg.state.units.get(cg.state.set_dc.get(fort, ""))
    return unit if unit is not None and unit.in_play and not unit.has(Mark.PRISONER) else None


@implements("ER 1.520 Note g")
def pass_on_dc(cg: Er, had: Unit, heir: Unit) -> Iterator[Fact]:
    """Yield that another unit sets off what one was to set off."""
    for fort, unit in cg.state.set_dc.items():
        if unit == had.id and fort in cg.state.forts:
            yield DcSet(fort=fort, unit=heir.id, why=f"{had.label} is part of it", to=(heir.side,))


@implements("ER 1.520 Note g")
def dc_problem(cg: Er, side: str, at: str, new: frozenset[str]) -> str:
    """Return why a DC isn't Set in a Location; "" if it is: in a trench or pillbox of its own side.

    `new` are the kinds of works that are placed there now.
    """
    name = at.partition(".")[0]
    works = {fort.kind for fort in cg.state.forts.values() if fort.side == side and fort.hex == name}
    if DC_WORKS.isdisjoint(works | new):
        return "in a trench or pillbox Location (ER 1.520 Note g)"
    held = cg.state.ground.control.get(cg.map.main_location(at), side)
    return "" if held == side else "in one that you Control (ER 1.520 Note g)"


@implements("ER 1.520 Note g")
def detonators(cg: Er, side: str) -> list[Unit]:
    """Return the units that can set off a DC: Personnel outside Reserve."""
    kinds = ("squad", "half-squad", "crew", "leader", "hero")
    return [unit for unit in cg.state.units_of(side, *kinds) if not cg.is_reserve(unit) and not unit.has(Mark.PRISONER)]


@step("ER 1.520 Note a", "Upgrades", each_side=True, edition=2)
def upgrades(cg: Er, side: str) -> Procedure[None]:
    """A side places the upgrades that it has yet to set up, one to a hex.

    An upgrade without a place is then lost, like unspent FPP.
    """
    bought = unplaced_upgrades(cg, side)
    if not bought:
        if may_buy(cg, side, *UPGRADES):
            text = "You have no upgrades left to place."
            yield from ask(no_decision("upgrades", side, text))
        return
    rows = yield from ask(upgrades_question(cg, side))
    chosen = {row["upgrade"]: row["at"] for row in rows}
    for fort in bought:
        if fort.id in chosen:
            yield from yield_facts(apply_upgrade(cg, side, fort, chosen[fort.id]))
        else:
            yield FortGone(fort=fort.id, why="no place is named for it", to=(side,))


def upgrades_question(cg: Er, side: str) -> SecretQuestion:
    """Return the secret question; as many as there are places for are proposed."""
    bought = unplaced_upgrades(cg, side)
    places = {fort.id: upgrade_places(cg, side, fort.kind) for fort in bought}
    all_places = cg.sort(dict.fromkeys(at for locations in places.values() for at in locations))
    names = {fort.id: fort.kind.replace("-", " ") for fort in bought}
    form = Rows.of(
        Field("upgrade", Choice.of_labels(names), "Upgrade"),
        Field("at", Choice.of(*all_places), "Location"),
        most=len(bought),
    )
    default: list[dict[str, str]] = []
    for fort in bought:
        for at in places[fort.id]:
            more = {row["upgrade"]: row["at"] for row in default} | {fort.id: at}
            if not list(place_problems(cg, side, more)):
                default.append({"upgrade": fort.id, "at": at})
                break
    return SecretQuestion(
        key="upgrades",
        side=side,
        text="Where are your upgrades made?",
        form=form,
        default=default,
        check=lambda rows: list(place_problems(cg, side, {row["upgrade"]: row["at"] for row in rows})),
        suggest=lambda rng: default,
        help="A 3S foxhole becomes a trench, a trench a 1+3+5 pillbox; one upgrade to a hex.",
    )


# DC that are Set ----------------------------------------------------------------------------------


@step("ER 1.520 Note g", "Set DC", each_side=True, edition=2)
def dc_noted(cg: Er, side: str) -> Procedure[None]:
    """A side notes in secret which unit sets off each DC that has been Set."""
    forts, units = dcs_without_unit(cg, side), detonators(cg, side)
    if not forts or not units:
        if may_buy(cg, side, SET_DC):
            text = "You have no Set DC for which a unit could be noted."
            yield from ask(no_decision("detonators", side, text))
        return
    rows = yield from ask(detonators_question(side, forts, units))
    for row in rows:
        fort = cg.state.forts[row["dc"]]
        why = f"it sets off the DC in {fort.at}"
        yield DcSet(fort=fort.id, unit=row["unit"], why=why, to=(side,))


def detonators_question(side: str, forts: Sequence[Fort], units: Sequence[Unit]) -> SecretQuestion:
    """Return the secret question which unit sets off each DC."""
    dcs = Choice.of_labels({fort.id: f"Set DC in {fort.at}" for fort in forts})
    who = unit_choice(units)
    names = [fort.id for fort in forts]

    def check(rows: Sequence[Mapping[str, Any]]) -> list[Problem]:
        named = [row["dc"] for row in rows]
        return [
            Problem(f"{name} is named {named.count(name)} times", "once each")
            for name in names
            if named.count(name) != 1
        ]

    def suggest(rng: Random) -> list[dict[str, str]]:
        return [{"dc": name, "unit": rng.choice(list(units)).id} for name in names]

    return SecretQuestion(
        key="detonators",
        side=side,
        text="Which unit sets off each DC that is Set?",
        form=Rows.of(Field("dc", dcs, "DC"), Field("unit", who, "Unit"), most=len(names)),
        default=[{"dc": name, "unit": units[0].id} for name in names],
        check=check,
        suggest=suggest,
        help="Searching can find a Set DC, and Random SW Destruction can remove it.",
    )
