"""The SW of a side, and what comes with its reinforcements (DYO H1.83, H1.84)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from laager.base import Problem
from laager.campaign.questions import Choice, Field, Number, Option, Question, Record, Rows
from laager.campaign.steps import Procedure, ask, step
from laager.catalogue.dyo import SwLine
from laager.rules.design_your_own.context import Cg
from laager.rules.design_your_own.equivalency import counts_of, engineer_equivalents, equivalency
from laager.rules.design_your_own.facts import ReinforcementShareTaken, SwAllotted
from laager.rules.design_your_own.infantry import InfantryLine
from laager.rules.design_your_own.lines import rule_line, rule_lines
from laager.rules.design_your_own.ob import SwEntry
from laager.rules.design_your_own.pieces import plain
from laager.rules.design_your_own.reckoning import Reckoning
from laager.rules.design_your_own.reinforcements import Share, share, share_breaches
from laager.rules.design_your_own.steps.leaders import lg_factor
from laager.rules.design_your_own.sw import sw_allotment

ENGINEERS = "assault-engineers"


@step("DYO H1.83", "SW", each_side=True)
def support_weapons(cg: Cg, side: str) -> Procedure[None]:
    """The chart gives SW for Equivalents; FT and DC for those of Assault Engineers."""
    lines = rule_lines(cg.nation(side), cg.month, cg.ob(side).infantry)
    squads = equivalency(counts_of(lines), chosen=cg.chosen).total
    engineers = engineer_equivalents(lines, chosen=cg.chosen).total
    found, reasons = [], []
    for chart in cg.nation(side).sw_chart(cg.month):
        number = allotted(cg, chart, engineers if chart.per == ENGINEERS else squads)
        if number is None or not number.value:
            continue
        found.append(SwEntry(type=chart.type, number=number.value))
        reasons.append(f"{chart.type}: {number.why}")
    why = "; ".join(reasons) or "no squads enough for any"
    yield SwAllotted(side=side, sw=tuple(found), why=why, to=(side,))


def allotted(cg: Cg, chart: SwLine, equivalents: int) -> Reckoning | None:
    """Return how many SW of a column a side gets; None if nobody knows the ratio."""
    found = sw_allotment(
        equivalents,
        plain(chart.ratio),
        plain(chart.counters),
        name=chart.type,
        extra_pieces=cg.terms.agreements.extra_pieces,
        chosen=cg.chosen,
    )
    return found if isinstance(found, Reckoning) else None


# With the reinforcements ------------------------------------------------------------------------


@step("DYO H1.84", "Reinforcement leaders and SW", each_side=True)
def reinforcement_share(cg: Cg, side: str) -> Procedure[None]:
    """The squads that enter later bring their share of leaders and SW out of the OB's own."""
    group = group_lines(cg, side)
    if not group:
        return
    least = share_of(cg, side, group)
    answer = yield from ask(_question(cg, side, least))
    leaders = tuple(row["leader"] for row in answer["leaders"] for _ in range(row["number"]))
    brought = {row["sw"]: row["number"] for row in answer["sw"]}
    sw = tuple(
        entry.model_copy(update={"reinforcement": brought.get(entry.type, 0)})
        for entry in cg.ob(side).sw
    )
    why = f"leaders: {least.leaders.why}"
    yield ReinforcementShareTaken(side=side, leaders=leaders, sw=sw, why=why, to=(side,))


def group_lines(cg: Cg, side: str) -> tuple[InfantryLine, ...]:
    """Return the reinforcements of a side as lines of their own."""
    nation = cg.nation(side)
    return tuple(
        replace(rule_line(nation, cg.month, entry), number=entry.reinforcements)
        for entry in cg.ob(side).infantry
        if entry.reinforcements
    )


def share_of(cg: Cg, side: str, group: Sequence[InfantryLine]) -> Share:
    """Return what must come with the reinforcements; no more leaders than there are."""
    charts = cg.nation(side).sw_chart(cg.month)
    ratios = {chart.type: plain(chart.ratio) for chart in charts if chart.per != ENGINEERS}
    engineers = {chart.type: plain(chart.ratio) for chart in charts if chart.per == ENGINEERS}
    own = cg.ob(side).leaders
    held = own.total if own else 0
    found = share(
        equivalency(counts_of(group), chosen=cg.chosen).total,
        lg_factor(cg, side) or 1,
        ratios,
        squads=sum((line.squads for line in group), Fraction(0)),
        engineers=engineers,
        engineer_equivalents=engineer_equivalents(group, chosen=cg.chosen).total,
        chosen=cg.chosen,
    )
    return replace(found, leaders=found.leaders.at_most(held, "leaders in the OB"))


def _question(cg: Cg, side: str, least: Share) -> Question:
    own = cg.ob(side).leaders
    held = dict(own.held) if own else {}
    sw = {entry.type: entry.number for entry in cg.ob(side).sw}
    leader_row = Record(
        (
            Field("leader", Choice(tuple(map(Option, held))), "Leader"),
            Field("number", Number(1, max(held.values(), default=1)), "How many", 1),
        )
    )
    sw_row = Record(
        (
            Field("sw", Choice(tuple(map(Option, sw))), "SW"),
            Field("number", Number(1, max(sw.values(), default=1)), "How many", 1),
        )
    )
    default = {
        "leaders": _cheapest(held, least.leaders.value),
        "sw": [
            {"sw": name, "number": number}
            for name, found in least.sw.items()
            if isinstance(found, Reckoning) and (number := min(found.value, sw.get(name, 0)))
        ],
    }
    return Question(
        key="reinforcement-share",
        side=side,
        text="Which leaders and SW come with the reinforcements?",
        form=Record(
            (
                Field("leaders", Rows(leader_row, most=max(1, len(held))), "Leaders", []),
                Field("sw", Rows(sw_row, most=max(1, len(sw))), "SW", []),
            )
        ),
        rule="DYO H1.84",
        secret=True,
        default=default,
        help=f"At least {least.leaders.value} leaders, and SW by the chart for their Equivalents.",
        check=lambda answer: _problems(held, sw, least, answer),
        suggest=lambda rng: default,
    )


def _cheapest(held: Mapping[str, int], number: int) -> list[dict[str, Any]]:
    rows, missing = [], number
    for leader, count in held.items():
        taken = min(missing, count)
        missing -= taken
        if taken:
            rows.append({"leader": leader, "number": taken})
    return rows


def _problems(
    held: Mapping[str, int], sw: Mapping[str, int], least: Share, answer: Mapping[str, Any]
) -> list[Problem]:
    found = []
    for part, name in (("leaders", "leader"), ("sw", "sw")):
        named = [row[name] for row in answer[part]]
        for one in dict.fromkeys(named):
            if named.count(one) > 1:
                found.append(Problem(f"{one} is named twice", "name it once", part))
    for row in answer["leaders"]:
        if row["number"] > held[row["leader"]]:
            have = held[row["leader"]]
            found.append(Problem(f"there are {have} {row['leader']}", f"{have} at most", "leaders"))
    number = sum(row["number"] for row in answer["leaders"])
    brought = {row["sw"]: row["number"] for row in answer["sw"]}
    return [*found, *(breach.problem() for breach in share_breaches(least, number, brought, sw))]
