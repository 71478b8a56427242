"""SW, and what comes with each group of reinforcements (DYO H1.83, H1.84)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from laager.base import Problem
from laager.campaign import Choice, Field, Number, Option, Procedure, Question, Record, Rows, ask, step
from laager.catalogue.dyo import DyoNation, SwLine
from laager.rules.design_your_own.answers import Breach, Calculation, Reason
from laager.rules.design_your_own.context import Cg
from laager.rules.design_your_own.facts import ReinforcementShareTaken, SwAllotted
from laager.rules.design_your_own.lines.infantry import InfantryLine, part_of, rule_line, rule_lines
from laager.rules.design_your_own.lines.leaders import counts_of, engineer_equivalents, equivalency
from laager.rules.design_your_own.lines.pieces import plain
from laager.rules.design_your_own.lines.support import Share, share, share_breaches, sw_allotment
from laager.rules.design_your_own.ob import GroupShare, SwEntry
from laager.rules.design_your_own.steps.leaders import lg_factor

ENGINEERS = "assault-engineers"


@step("DYO H1.83", "SW", each_side=True)
def support_weapons(cg: Cg, side: str) -> Procedure[None]:
    """The chart gives SW for Equivalents; FT and DC for those of Assault Engineers."""
    found, reasons = [], []
    for chart in cg.nation(side).sw_chart(cg.month):
        number = allotted_to(cg, side, chart)
        if number is None or not number.value:
            continue
        found.append(SwEntry(type=chart.type, number=number.value))
        reasons.append(f"{chart.type}: {number.why}")
    why = "; ".join(reasons) or "no squads enough for any"
    yield SwAllotted(side=side, sw=tuple(found), why=why, to=(side,))


def allotted_to(cg: Cg, side: str, chart: SwLine) -> Calculation | None:
    """Return how many SW of a column a side gets for the squads of the nation that has it."""
    nation = cg.nation(side)
    entries = part_of(nation, nation.ally(chart.type), cg.ob(side).infantry)
    lines = rule_lines(nation, cg.month, entries)
    if chart.per == ENGINEERS:
        return allotted(cg, chart, engineer_equivalents(lines, chosen=cg.chosen).total)
    return allotted(cg, chart, equivalency(counts_of(lines), chosen=cg.chosen).total)


def allotted(cg: Cg, chart: SwLine, equivalents: int) -> Calculation | None:
    """Return how many SW of a column a side gets; None if nobody knows the ratio."""
    found = sw_allotment(
        equivalents,
        plain(chart.ratio),
        plain(chart.counters),
        name=chart.type,
        extra_pieces=cg.terms.agreements.extra_pieces,
        chosen=cg.chosen,
    )
    return found if isinstance(found, Calculation) else None


@step("DYO H1.84", "Reinforcement leaders and SW", each_side=True)
def reinforcement_share(cg: Cg, side: str) -> Procedure[None]:
    """The squads that enter later bring their share of leaders and SW out of the OB's own."""
    ob = cg.ob(side)
    if not ob.turns:
        return
    taken: list[GroupShare] = []
    reasons = []
    for turn in ob.turns:
        stock = stock_of(cg, side, taken)
        group = Group.of(cg, side, turn, stock)
        answer = yield from ask(_question(side, turn, stock, group))
        leaders = tuple(row["leader"] for row in answer["leaders"] for _ in range(row["number"]))
        sw = {row["sw"]: row["number"] for row in answer["sw"]}
        taken.append(GroupShare(turn=turn, leaders=leaders, sw=sw))
        reasons += [least.leaders.why for least in group.least.values()]
    brought = sum((Counter(one.sw) for one in taken), Counter[str]())
    sw_lines = tuple(one.model_copy(update={"reinforcement": brought[one.type]}) for one in ob.sw)
    yield ReinforcementShareTaken(
        side=side,
        leaders=tuple(leader for one in taken for leader in one.leaders),
        sw=sw_lines,
        groups=tuple(taken) if any(ob.turns) else (),
        why=f"leaders: {'; '.join(reasons)}",
        to=(side,),
    )


@dataclass(frozen=True)
class Stock:
    """The leaders and SW of a side that no group of reinforcements has yet."""

    leaders: Mapping[str, int]
    sw: Mapping[str, int]


def stock_of(cg: Cg, side: str, taken: Sequence[GroupShare]) -> Stock:
    """Return what is left after groups have taken their share."""
    ob = cg.ob(side)
    leaders, sw = Counter(ob.all_leaders), Counter({one.type: one.number for one in ob.sw})
    for one in taken:
        leaders.subtract(one.leaders)
        sw.subtract(one.sw)
    return Stock(
        {name: number for name, number in leaders.items() if number > 0},
        {name: number for name, number in sw.items() if number > 0},
    )


@dataclass(frozen=True)
class Group:
    """What must come with the squads of a turn at least, by the nation (`of`) they are of."""

    nation: DyoNation
    least: Mapping[str, Share]

    @staticmethod
    def of(cg: Cg, side: str, turn: int, stock: Stock) -> Group:
        """Return what the reinforcements of a turn need; no more than is left."""
        nation = cg.nation(side)
        least = {}
        for of in cg.nations(side):
            lines = group_lines(cg, side, turn, of)
            if lines:
                least[of] = share_of(cg, side, of, lines, stock)
        return Group(nation, least)

    def breaches(self, stock: Stock, leaders: Sequence[str], sw: Mapping[str, int]) -> Iterator[Breach]:
        """Yield what is lacking with the group, and what is not there to be brought."""
        for of, least in self.least.items():
            number = sum(self.nation.ally(leader) == of for leader in leaders)
            yield from share_breaches(least, number, self._own(of, sw), self._own(of, stock.sw))
        for name in sw:
            if self.nation.ally(name) not in self.least:
                one = Breach(
                    Reason.REINFORCEMENTS,
                    "DYO H1.84",
                    f"{name} without squads of its nation",
                    "SW of the nations that enter",
                )
                yield one

    def _own(self, of: str, sw: Mapping[str, int]) -> dict[str, int]:
        return {name: number for name, number in sw.items() if self.nation.ally(name) == of}


def group_lines(cg: Cg, side: str, turn: int, of: str = "") -> tuple[InfantryLine, ...]:
    """Return the reinforcements of a turn and nation as lines of their own."""
    nation = cg.nation(side)
    return tuple(
        replace(rule_line(nation, cg.month, entry), number=number)
        for entry in part_of(nation, of, cg.ob(side).infantry)
        if (number := entry.entering.get(turn, 0))
    )


def share_of(cg: Cg, side: str, of: str, group: Sequence[InfantryLine], stock: Stock) -> Share:
    """Return what must come with squads of a nation; no more leaders than there are."""
    nation = cg.nation(side)
    charts = [one for one in nation.sw_chart(cg.month) if nation.ally(one.type) == of]
    ratios = {chart.type: plain(chart.ratio) for chart in charts if chart.per != ENGINEERS}
    engineers = {chart.type: plain(chart.ratio) for chart in charts if chart.per == ENGINEERS}
    held = sum(number for name, number in stock.leaders.items() if nation.ally(name) == of)
    found = share(
        equivalency(counts_of(group), chosen=cg.chosen).total,
        lg_factor(cg, side, of) or 1,
        ratios,
        squads=sum((line.squads for line in group), Fraction(0)),
        engineers=engineers,
        engineer_equivalents=engineer_equivalents(group, chosen=cg.chosen).total,
        chosen=cg.chosen,
    )
    return replace(found, leaders=found.leaders.at_most(held, "leaders in the OB"))


def _question(side: str, turn: int, stock: Stock, group: Group) -> Question:
    leader_row = Record(
        (
            Field("leader", Choice(tuple(map(Option, stock.leaders))), "Leader"),
            Field("number", Number(1, max(stock.leaders.values(), default=1)), "How many", 1),
        )
    )
    sw_row = Record(
        (
            Field("sw", Choice(tuple(map(Option, stock.sw))), "SW"),
            Field("number", Number(1, max(stock.sw.values(), default=1)), "How many", 1),
        )
    )
    default = _least(stock, group)
    needed = sum(least.leaders.value for least in group.least.values())
    when = f" of turn {turn}" if turn else ""
    return Question(
        key=f"reinforcement-share-{turn}" if turn else "reinforcement-share",
        side=side,
        text=f"Which leaders and SW come with the reinforcements{when}?",
        form=Record(
            (
                Field("leaders", Rows(leader_row, most=max(1, len(stock.leaders))), "Leaders", []),
                Field("sw", Rows(sw_row, most=max(1, len(stock.sw))), "SW", []),
            )
        ),
        rule="DYO H1.84",
        secret=True,
        default=default,
        help=f"At least {needed} leaders, and SW by the chart for their Equivalents.",
        check=lambda answer: _problems(stock, group, answer),
        suggest=lambda rng: default,
    )


def _least(stock: Stock, group: Group) -> dict[str, list[dict[str, Any]]]:
    """Return the cheapest leaders and the fewest SW that will do, as an answer has them."""
    leaders = []
    for of, least in group.least.items():
        missing = least.leaders.value
        for leader, count in stock.leaders.items():
            number = min(missing, count) if group.nation.ally(leader) == of else 0
            missing -= number
            if number:
                leaders.append({"leader": leader, "number": number})
    sw = [
        {"sw": name, "number": number}
        for least in group.least.values()
        for name, found in least.sw.items()
        if isinstance(found, Calculation) and (number := min(found.value, stock.sw.get(name, 0)))
    ]
    return {"leaders": leaders, "sw": sw}


def _problems(stock: Stock, group: Group, answer: Mapping[str, Any]) -> list[Problem]:
    found = []
    for part, name in (("leaders", "leader"), ("sw", "sw")):
        named = [row[name] for row in answer[part]]
        for one in dict.fromkeys(named):
            if named.count(one) > 1:
                found.append(Problem(f"{one} is named twice", "name it once", part))
    for row in answer["leaders"]:
        have = stock.leaders[row["leader"]]
        if row["number"] > have:
            found.append(Problem(f"there are {have} {row['leader']}", f"{have} at most", "leaders"))
    leaders = [row["leader"] for row in answer["leaders"] for _ in range(row["number"])]
    brought = {row["sw"]: row["number"] for row in answer["sw"]}
    return [*found, *(breach.problem() for breach in group.breaches(stock, leaders, brought))]
