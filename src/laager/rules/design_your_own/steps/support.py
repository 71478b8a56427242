"""SW, and what comes with each group of reinforcements (DYO H1.83, H1.84)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from laager.base import Problem
from laager.campaign import Field, Procedure, Question, Record, Rows, ask, step
from laager.rules.design_your_own.answers import Calculation
from laager.rules.design_your_own.context import Cg
from laager.rules.design_your_own.facts import ReinforcementShareTaken, SwAllotted
from laager.rules.design_your_own.lines import support as rules
from laager.rules.design_your_own.ob import GroupShare
from laager.rules.design_your_own.spelling import spell_type
from laager.rules.design_your_own.steps.buying import named_twice, row_form


@step("DYO H1.83", "SW", each_side=True)
def support_weapons(cg: Cg, side: str) -> Procedure[None]:
    """The chart gives SW for Equivalents; FT and DC for those of Assault Engineers (H1.83)."""
    allotted = rules.sw_of(cg, side)
    why = "; ".join(f"{sw.type}: {number.why}" for sw, number in allotted) or "no squads enough for any"
    yield SwAllotted(side=side, sw=tuple(sw for sw, _ in allotted), why=why, to=(side,))


@step("DYO H1.84", "Reinforcement leaders and SW", each_side=True)
def reinforcement_share(cg: Cg, side: str) -> Procedure[None]:
    """The squads that enter later bring their share of leaders and SW out of the OB's own (H1.84)."""
    ob = cg.ob(side)
    if not ob.turns:
        return
    taken: list[GroupShare] = []
    reasons = []
    for turn in ob.turns:
        stock = rules.stock_of(cg, side, taken)
        group = rules.Needs.of(cg, side, turn, stock)
        answer = yield from ask(_question(side, turn, stock, group))
        leaders = tuple(row["leader"] for row in answer["leaders"] for _ in range(row["number"]))
        sw = {row["sw"]: row["number"] for row in answer["sw"]}
        taken.append(GroupShare(turn=turn, leaders=leaders, sw=sw))
        reasons += [least.leaders.why for least in group.least.values()]
    brought = sum((Counter(share.sw) for share in taken), Counter[str]())
    sw_lines = tuple(line.model_copy(update={"reinforcement": brought[line.type]}) for line in ob.sw)
    yield ReinforcementShareTaken(
        side=side,
        leaders=tuple(leader for share in taken for leader in share.leaders),
        sw=sw_lines,
        groups=tuple(taken) if any(ob.turns) else (),
        why=f"leaders: {'; '.join(reasons)}",
        to=(side,),
    )


def _question(side: str, turn: int, stock: rules.SupportStock, group: rules.Needs) -> Question:
    leader_row = row_form("leader", "Leader", stock.leaders, max(stock.leaders.values(), default=1), usual=1)
    sw_row = row_form(
        "sw",
        "SW",
        stock.sw,
        max(stock.sw.values(), default=1),
        usual=1,
        spell=lambda text: spell_type(group.nation, text, "support_weapons"),
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


def _least(stock: rules.SupportStock, group: rules.Needs) -> dict[str, list[dict[str, Any]]]:
    """Return the cheapest leaders and the fewest SW that are enough, as an answer has them."""
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
        for name, due in least.sw.items()
        if isinstance(due, Calculation) and (number := min(due.value, stock.sw.get(name, 0)))
    ]
    return {"leaders": leaders, "sw": sw}


def _problems(stock: rules.SupportStock, group: rules.Needs, answer: Mapping[str, Any]) -> list[Problem]:
    problems = []
    for part, name in (("leaders", "leader"), ("sw", "sw")):
        problems += named_twice([row[name] for row in answer[part]], part)
    for row in answer["leaders"]:
        have = stock.leaders[row["leader"]]
        if row["number"] > have:
            problems.append(Problem(f"there are {have} {row['leader']}", f"{have} at most", "leaders"))
    leaders = [row["leader"] for row in answer["leaders"] for _ in range(row["number"])]
    brought = {row["sw"]: row["number"] for row in answer["sw"]}
    return [*problems, *(breach.problem() for breach in group.breaches(stock, leaders, brought))]
