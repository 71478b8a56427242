"""Check of Fortifications, SAN, and of the points in all (H1.6, H1.29, H1.13)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from laager.base.files import Where
from laager.campaign import implements
from laager.rules.design_your_own.categories import points_breach
from laager.rules.design_your_own.charts import charts
from laager.rules.design_your_own.check_desk import Desk, reckoned
from laager.rules.design_your_own.fortifications import (
    Work,
    kind_breaches,
    size_breaches,
    work_totals,
    works_breaches,
    works_cost,
)
from laager.rules.design_your_own.ob import OrderOfBattle, WorkEntry
from laager.rules.design_your_own.san import san_breach, san_cost
from laager.rules.design_your_own.summary import TITLES
from laager.rules.design_your_own.terms import other

WORKS = "DYO H1.6"


def san_line(desk: Desk, ob: OrderOfBattle) -> OrderOfBattle:
    """Return an order of battle with the price of its SAN."""
    cost = san_cost(max(ob.san, charts().san.base))
    return desk.priced((), ob, "san_cost", cost.value, reckoned(cost), "DYO H1.29")


@implements("DYO H1.29")
def san_rules(desk: Desk) -> None:
    """Note a SAN that cannot be bought."""
    desk.add(("san",), san_breach(desk.ob.san, chosen=desk.cg.chosen))


# Fortifications ---------------------------------------------------------------------------------


def work_lines(desk: Desk, entries: Sequence[WorkEntry]) -> tuple[WorkEntry, ...]:
    """Return the Fortifications that there are, with the prices of the rules."""
    known = {}
    for i, entry in enumerate(entries):
        where: Where = ("fortifications", i)
        row = desk.look_up((*where, "type"), WORKS, charts().fortifications.row, entry.type)
        if row is not None:
            known[i] = entry
    totals = work_totals([work_of(entry) for entry in known.values()], desk.month.year)
    kept = []
    for (i, entry), due in zip(known.items(), totals, strict=True):
        cost = works_cost([work_of(entry)], desk.month.year)
        why = reckoned(cost)
        if due != cost.value:
            why = f"{due}: half points are rounded up once for all"
        rule = work_of(entry).row.rule
        kept.append(desk.priced(("fortifications", i), entry, "total", due, why, rule))
    desk.places["fortifications"] = tuple(known)
    return tuple(kept)


def work_of(entry: WorkEntry) -> Work:
    """Return a line of the Roster as the rules reckon it."""
    return Work(entry.type, entry.number, entry.capacity, entry.ca_drm, entry.nca_drm)


@implements("DYO H1.6", "DYO H1.6-n7")
def work_rules(desk: Desk) -> None:
    """Note every rule that the Fortifications break: line by line, then the limits."""
    cg, side, year = desk.cg, desk.side, desk.month.year
    works = [work_of(entry) for entry in desk.ob.fortifications]
    alone = []
    for i, work in enumerate(works):
        own = [*kind_breaches(work.row, cg.group(side), cg.enemy(side), year), *size_breaches(work)]
        desk.add(desk.at("fortifications", i), *own)
        alone += own
    enemy: dict[str, int] = {}
    for entry in cg.ob(other(side)).fortifications:
        enemy[entry.type] = enemy.get(entry.type, 0) + entry.number
    together = works_breaches(
        works,
        group=cg.group(side),
        enemy=cg.enemy(side),
        year=year,
        boards=cg.limit_boards,
        squads=_squads(desk),
        enemy_works=enemy,
        chosen=cg.chosen,
    )
    for breach in together:
        if breach not in alone:
            desk.add(("fortifications",), breach)


def _squads(desk: Desk) -> Fraction:
    """Return the squads of both purchases: those bought later count in the owner's favour."""
    return sum((line.squads for line in desk.lines if line.bought), Fraction(0))


# Points -----------------------------------------------------------------------------------------


@implements("DYO H1.13")
def points_rules(desk: Desk) -> None:
    """Note the first section that costs more points than were left for it."""
    left = desk.ob.allotment
    for section, spent in desk.ob.spent.items():
        breach = points_breach(spent, left, TITLES[section])
        if breach is not None:
            where = "infantry" if section == "second-infantry" else section
            desk.add((where,), breach)
            return
        left -= spent
