"""What a DR gives an AFV: Schuerzen, Gyrostabilizers, Armor Leaders (H1.42, H1.43)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from laager.campaign import implements
from laager.catalogue.dyo import UNKNOWN, Month
from laager.catalogue.model import parse_leader
from laager.dice import Modifier
from laager.rules.design_your_own.answers import Breach, Calculation, Reason
from laager.rules.design_your_own.context import Cg
from laager.rules.design_your_own.lines.pieces import LEADER, availability, availability_table
from laager.rules.design_your_own.nations import BURMA, Group, is_theatre
from laager.rules.design_your_own.ob import Trio, VehicleEntry
from laager.rules.design_your_own.rulebook import Rulebook
from laager.tables import Table

TABLE = "sz-gyro"
BOTH = "both"


class Fitting(StrEnum):
    """What an AFV can have; the value is the symbol of its wreck side."""

    SCHUERZEN = "Sz"
    GYRO = "G"

    @property
    def words(self) -> str:
        """What players call it."""
        return "Schuerzen" if self is Fitting.SCHUERZEN else "a Gyrostabilizer"


@dataclass(frozen=True, slots=True)
class Fitted:
    """What a Final dr gives an AFV: received or not, and the points to be paid if it is kept."""

    final: int
    received: bool
    cost: int


def fittings_table(rulebook: Rulebook) -> Table:
    """Return the table of Schuerzen and Gyrostabilizers."""
    return rulebook.tables[TABLE]


COLUMNS = (
    (Month(1941, 12), None),
    (Month(1942, 12), "1942"),
    (Month(1943, 6), "1943-jan-jun"),
    (Month(1943, 9), "1943-jul-sep"),
    (Month(1943, 12), "1943-oct-dec"),
    (Month(1944, 3), "1944-jan-mar"),
    (Month(1944, 6), "1944-apr-jun"),
    (Month(1944, 12), "1944-jul-dec"),
    (Month(1945, 12), "1945"),
)
"""The last month of each column of the table; before 1942 there is none."""


def column_of(month: Month) -> str | None:
    """Return the column of a month, None where there is neither."""
    return next((name for last, name in COLUMNS if month <= last), None)


@implements("DYO H1.42")
def fitting_modifiers(
    rulebook: Rulebook, fitting: Fitting, *, lend_lease: bool = False, us_crew: bool = False, other: int = 0
) -> tuple[Modifier, ...]:
    """Return the drm: +1 for the Gyrostabilizer of a Lend-Lease AFV with a crew not of the U.S (H1.42).

    `other` are modifiers of D11.1, which the players supply.
    """
    modifiers = []
    if fitting is Fitting.GYRO and lend_lease and not us_crew:
        modifiers.append(fittings_table(rulebook).modifier("lend-lease"))
    if other:
        modifiers.append(fittings_table(rulebook).modifier("other", value=other))
    return tuple(modifiers)


@implements("DYO H1.42", "DYO H1.42-T")
def fitting_result(rulebook: Rulebook, fitting: Fitting, month: Month, final_dr: int) -> Fitted:
    """Return what a final dr gives; who declines it pays nothing (H1.42)."""
    name = column_of(month)
    symbol = None if name is None else fittings_table(rulebook).result(final_dr, name)
    there = symbol in (BOTH, fitting.value)
    return Fitted(final_dr, there, rulebook.charts.fittings.prices[fitting.value] if there else 0)


@implements("DYO H1.42")
def fitting_breach(fitting: Fitting, symbols: Collection[str], name: str) -> Breach | None:
    """Return what is wrong if the wreck side of an AFV lacks the symbol (D11) (H1.42)."""
    if fitting.value in symbols:
        return None
    message = f"{name} can't have {fitting.words}"
    return Breach(Reason.CAPABILITY, "DYO H1.42", message, f"its wreck side shows no {fitting.value}")


@implements("DYO H1.42-T")
def odds_fitting(rulebook: Rulebook, fitting: Fitting, month: Month, drm: int = 0) -> Mapping[bool, Fraction]:
    """Return the probability that it is received, and that it is not (H1.42-T)."""
    name = column_of(month)
    rows = () if name is None else fittings_table(rulebook).odds(drm, name)
    ways = sum(row.ways for row in rows if row.value in (BOTH, fitting.value))
    return {True: Fraction(ways, 6), False: Fraction(6 - ways, 6)}


@implements("DYO H1.43")
def armor_leader_drs(rulebook: Rulebook, afv: int) -> Calculation:
    """Return how many Armor Leader DR a number of AFV earns: one for each complete three (H1.43)."""
    each = rulebook.charts.armor_leaders.afv_for_each
    return Calculation.of(afv, "AFV", "DYO H1.43").over(each, "", "DYO H1.43").frd("DYO H1.43")


@implements("DYO H1.43-n1")
def armor_leader_row(group: Group, year: int) -> Group:
    """Return the row that a group uses: Finns that of the Axis Minors, some the British one (H1.43-n1)."""
    if group is Group.FREE_FRENCH or (group is Group.ALLIED_MINOR and year > 1941):
        return Group.BRITISH
    return Group.AXIS_MINOR if group is Group.FINNISH else group


@implements("DYO H1.43-T", "DYO H1.43-n2", "DYO H1.43-n3")
def armor_leader_drm(rulebook: Rulebook, group: Group | None, year: int, theatre: str = "") -> Modifier | None:
    """Return the DRM of nation and year; None where there is no DR at all (H1.43-T).

    `group` is the row's, None without one; the Red Chinese have no row.
    """
    chart = rulebook.charts.armor_leaders
    if group is None:
        return None
    cell = chart.cell(armor_leader_row(group, year), year)
    if cell is None:
        return None
    burma = chart.burma if cell.note == "3" and is_theatre(theatre, BURMA) else 0
    return availability_table(rulebook).modifier("armor-leader", value=cell.number + burma)


@implements("DYO H1.43")
def armor_leader(rulebook: Rulebook, final_dr: int) -> str | None:
    """Return the Armor Leader of a Final DR, None for none (H1.43)."""
    return availability(rulebook, final_dr).armor_leader


@implements("DYO H1.43")
def substitute(leader: str, crews: Sequence[int], counters: Collection[str] | None = None) -> str:
    """Return the leader who may be taken instead of one whose morale is below all three crews' (H1.43).

    He has the lowest morale of the crews and the same DRM. `counters` are the Armor Leaders that
    exist, None if that is not known; without one of his type the leader stays who he is.
    """
    morale, drm = parse_leader(leader)
    lowest = min(crews, default=0)
    if lowest <= morale:
        return leader
    better = f"{lowest}{'+' if drm > 0 else '-'}{abs(drm)}"
    return leader if counters is not None and better not in counters else better


@implements("DYO H1.43")
def placement_breach(trio: Collection[str], afv: str) -> Breach | None:
    """Return what is wrong if an Armor Leader is in an AFV that did not earn his DR (H1.43)."""
    if afv in trio:
        return None
    names = ", ".join(trio)
    return Breach(Reason.TRIO, "DYO H1.43", f"the Armor Leader is in {afv}", f"he belongs in one of {names}")


@implements("DYO H1.43")
def trio_breaches(rulebook: Rulebook, trios: Sequence[Sequence[str]], afv: Collection[str]) -> tuple[Breach, ...]:
    """Return what is wrong with the threes that earn a DR: three AFV each, none of them twice (H1.43)."""
    each = rulebook.charts.armor_leaders.afv_for_each
    breaches = []
    seen: set[str] = set()
    for trio in trios:
        if len(set(trio)) != each or len(trio) != each:
            message = f"{', '.join(trio) or 'nothing'} earns no Armor Leader DR"
            breaches.append(Breach(Reason.TRIO, "DYO H1.43", message, f"name {each} different AFV"))
        strangers = [name for name in trio if name not in afv]
        if strangers:
            message = f"{', '.join(strangers)} is not an AFV of this purchase"
            breaches.append(Breach(Reason.TRIO, "DYO H1.43", message, "OP tanks don't count"))
        again = [name for name in trio if name in seen]
        if again:
            message = f"{', '.join(again)} is in two threes"
            breaches.append(Breach(Reason.TRIO, "DYO H1.43", message, "each AFV counts once"))
        seen |= set(trio)
    return tuple(breaches)


@implements("DYO H1.43-T")
def odds_armor_leader(rulebook: Rulebook, drm: int = 0) -> Mapping[str | None, Fraction]:
    """Return the probability of each Armor Leader, the best first, None for no leader last (H1.43-T)."""
    odds: dict[str | None, Fraction] = {}
    for row in availability_table(rulebook).odds(drm, LEADER):
        name = None if row.value is None else str(row.value)
        odds[name] = odds.get(name, Fraction(0)) + row.probability
    return odds


# AFV of an order of battle ----------------------------------------------------------------------


def wreck_fittings(cg: Cg, side: str, entry: VehicleEntry) -> tuple[Fitting, ...]:
    """Return what the wreck side of an AFV allows (D11); OP tanks carry none."""
    if entry.op or entry.without_dr:
        return ()
    shown = cg.nation(side).vehicle(entry.type).wreck
    return () if shown is UNKNOWN else tuple(fitting for fitting in Fitting if fitting.value in (shown or ()))


def modifiers(cg: Cg, side: str, entry: VehicleEntry, wanted: Iterable[Fitting], other: int) -> tuple[Modifier, ...]:
    """Return the drm of an AFV's dr, each once."""
    vehicle = cg.nation(side).vehicle(entry.type)
    modifiers = [
        modifier
        for fitting in wanted
        for modifier in fitting_modifiers(
            cg.rulebook,
            fitting,
            lend_lease=vehicle.lend_lease,
            us_crew=cg.group_of(side, entry.type) is Group.AMERICAN,
            other=other,
        )
    ]
    return tuple(dict.fromkeys(modifiers))


@implements("DYO H1.42")
def fitting_results(cg: Cg, side: str, entry: VehicleEntry, final: int, other: int = 0) -> dict[Fitting, Fitted]:
    """Return what the Final dr of an AFV gives for each of its signs; `other` is the drm of D11.1 (H1.42).

    The Lend-Lease drm is the Gyrostabilizer's alone.
    """
    shown = wreck_fittings(cg, side, entry)
    original = final - sum(each.value for each in modifiers(cg, side, entry, shown, other))
    return {
        fitting: fitting_result(
            cg.rulebook,
            fitting,
            cg.month,
            original + sum(each.value for each in modifiers(cg, side, entry, [fitting], other)),
        )
        for fitting in shown
    }


def afvs_of(cg: Cg, side: str) -> dict[str, VehicleEntry]:
    """Return the AFV that earn Armor Leader DR; OP tanks don't."""
    nation = cg.nation(side)
    transport = {item.type for item in nation.transport(cg.month)}
    return {
        entry.key: entry
        for entry in cg.ob(side).vehicles.entries
        if not entry.op and entry.type not in transport and nation.vehicle(entry.type).afv is True
    }


def trios_of(cg: Cg, side: str, of: str) -> tuple[Trio, ...]:
    """Return the threes of one nation of a side, by the AFV that come first in them."""
    nation = cg.nation(side)
    every = cg.ob(side).vehicles.trios
    return tuple(trio for trio in every if nation.ally(_first(trio)) == of)


def _first(trio: Trio) -> str:
    return next(iter(trio.vehicles), "").rpartition(":")[0]


def counters_left(cg: Cg, side: str, leader: str, of: str = "", more: int = 1) -> bool:
    """True if one game has `more` counters of an Armor Leader; an unknown number is not a limit."""
    if cg.terms.agreements.extra_pieces:
        return True
    total = cg.nation(side, of).armor_leaders.get(leader)
    held = [trio.leader for trio in trios_of(cg, side, of)].count(leader)
    return not isinstance(total, int) or held + more <= total


@implements("DYO H1.43")
def leader_choices(cg: Cg, side: str, of: str, trio: Trio) -> list[str]:
    """Return the Armor Leaders that a three can take by its DR: the given one, and one as its crews allow (H1.43)."""
    given = armor_leader(cg.rulebook, trio.dr.final)
    if given is None:
        return []
    nation = cg.nation(side)
    vehicles = [cg.ob(side).vehicles.find(key) for key in trio.vehicles]
    # The catalogue's list need not have OP tanks, nor what needed no DR.
    types = [vehicle.type for vehicle in vehicles if vehicle and not vehicle.without_dr and not vehicle.op]
    morale = [value for type_ in types if isinstance(value := nation.vehicle(type_).crew_morale, int)]
    if len(morale) != len(trio.vehicles):
        return [given]
    better = substitute(given, morale, cg.nation(side, of).armor_leaders or None)
    return list(dict.fromkeys([given, better]))
