"""Armor Leaders: a DR for every three AFV (H1.43)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction

from laager.campaign import implements
from laager.catalogue.model import leader_factors
from laager.dice import Modifier
from laager.rules.design_your_own.availability import LEADER, availability, table
from laager.rules.design_your_own.charts import charts
from laager.rules.design_your_own.nations import Group
from laager.rules.design_your_own.reckoning import Breach, Reason, Reckoning
from laager.rules.design_your_own.theatres import BURMA, is_theatre


@implements("DYO H1.43")
def armor_leader_drs(afv: int) -> Reckoning:
    """Return how many Armor Leader DR so many AFV earn: one for each complete three."""
    each = charts().armor_leaders.afv_for_each
    return Reckoning.of(afv, "AFV", "DYO H1.43").over(each, "", "DYO H1.43").frd("DYO H1.43")


@implements("DYO H1.43-n1")
def armor_leader_row(group: Group, year: int) -> Group:
    """Return the row that a group uses: Finns that of the Axis Minors, some the British one."""
    if group is Group.FREE_FRENCH or (group is Group.ALLIED_MINOR and year > 1941):
        return Group.BRITISH
    return Group.AXIS_MINOR if group is Group.FINNISH else group


@implements("DYO H1.43-T", "DYO H1.43-n2", "DYO H1.43-n3")
def armor_leader_drm(group: Group | None, year: int, theatre: str = "") -> Modifier | None:
    """Return the DRM of nation and year; None where there is no DR at all.

    `group` is the row's, None without one; the Red Chinese have no row.
    """
    chart = charts().armor_leaders
    if group is None:
        return None
    cell = chart.cell(armor_leader_row(group, year), year)
    if cell is None:
        return None
    burma = chart.burma if cell.note == "3" and is_theatre(theatre, BURMA) else 0
    return table().modifier("armor-leader", value=cell.number + burma)


@implements("DYO H1.43")
def armor_leader(final_dr: int) -> str | None:
    """Return the Armor Leader of a Final DR, None for none."""
    return availability(final_dr).armor_leader


@implements("DYO H1.43")
def substitute(leader: str, crews: Sequence[int], counters: Collection[str] | None = None) -> str:
    """Return the leader who may be taken instead of one whose morale is below all three crews'.

    He has the lowest morale of the crews and the same DRM. `counters` are the Armor Leaders that
    exist, None if that is not known; without one of his type the leader stays who he is.
    """
    morale, drm = leader_factors(leader)
    lowest = min(crews, default=0)
    if lowest <= morale:
        return leader
    better = f"{lowest}{'+' if drm > 0 else '-'}{abs(drm)}"
    return leader if counters is not None and better not in counters else better


@implements("DYO H1.43")
def placement_breach(trio: Collection[str], afv: str) -> Breach | None:
    """Say whether an Armor Leader is in an AFV that did not earn his DR."""
    if afv in trio:
        return None
    names = ", ".join(trio)
    return Breach(Reason.TRIO, "DYO H1.43", f"the Armor Leader is in {afv}", f"he belongs in one of {names}")


@implements("DYO H1.43")
def trio_breaches(trios: Sequence[Sequence[str]], afv: Collection[str]) -> tuple[Breach, ...]:
    """Return what is wrong with the threes that earn a DR: three AFV each, none of them twice."""
    each = charts().armor_leaders.afv_for_each
    found = []
    seen: set[str] = set()
    for trio in trios:
        if len(set(trio)) != each or len(trio) != each:
            what = f"{', '.join(trio) or 'nothing'} earns no Armor Leader DR"
            found.append(Breach(Reason.TRIO, "DYO H1.43", what, f"name {each} different AFV"))
        strangers = [name for name in trio if name not in afv]
        if strangers:
            what = f"{', '.join(strangers)} is no AFV of this purchase"
            found.append(Breach(Reason.TRIO, "DYO H1.43", what, "OP tanks don't count"))
        again = [name for name in trio if name in seen]
        if again:
            what = f"{', '.join(again)} is in two threes"
            found.append(Breach(Reason.TRIO, "DYO H1.43", what, "each AFV counts once"))
        seen |= set(trio)
    return tuple(found)


@implements("DYO H1.43-T")
def odds_armor_leader(drm: int = 0) -> Mapping[str | None, Fraction]:
    """Return the probability of each Armor Leader, the best first, None for no leader last."""
    odds: dict[str | None, Fraction] = {}
    for row in table().odds(drm, LEADER):
        name = None if row.value is None else str(row.value)
        odds[name] = odds.get(name, Fraction(0)) + row.probability
    return odds
