"""Whatever was bought by chance: each single change against the rules is found, its like is not."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from laager.base.files import field_path
from laager.rules.design_your_own.check.check import ObVerdict, check_ob
from laager.rules.design_your_own.context import Cg
from laager.rules.design_your_own.ob import OrderOfBattle
from laager.rules.design_your_own.terms import SIDES
from tests.design_your_own.harness import by_chance, new_purchase

Data = dict[str, Any]


def checked(cg: Cg, data: Data) -> ObVerdict:
    ob = OrderOfBattle.model_validate(data)
    seen = cg.with_state(cg.state.having(ob))
    return check_ob(seen, ob.side)


def set_(data: Data, path: str, value: Any) -> Data:
    made = deepcopy(data)
    at: Any = made
    *way, last = path.split(".")
    for name in way:
        at = at[int(name)] if isinstance(at, list) else at[name]
    at[int(last) if isinstance(at, list) else last] = value
    return made


def illegal(data: Data) -> Iterator[tuple[str, Data, str]]:
    """Yield changes that break a rule: name, what comes of it, and the rule."""
    yield "SAN 8", set_(data, "san", 8), "H1.29"
    yield "SAN 1", set_(data, "san", 1), "H1.29"
    yield "SAN cost", set_(data, "san_cost", data["san_cost"] + 10), "H1.29"
    yield "ELR", set_(data, "announced_elr", (data["announced_elr"] + 1) % 6), "H1.71"
    yield "bonus", set_(data, "bonus", "97½"), "H1.71"
    if data["vehicles"]["motorized"] is None:
        yield "points", {**data, "allotment": sum_of(data) - 1}, "H1.13"
    for i, line in enumerate(data["infantry"]):
        at, bonus = f"infantry.{i}", line["purchase"] == "bonus"
        yield "each", set_(data, f"{at}.each", line["each"] + 1), ""
        yield "total", set_(data, f"{at}.total", line["total"] + 1), ""
        yield "type", set_(data, f"{at}.type", "7-7-7"), "H1.2"
        yield "crowd", set_(data, f"{at}.number", 400), "H1.73" if bonus else "H1.11"
        yield "mark", set_(data, f"{at}.capabilities", ["stealth"]), "H1.21"
        more = set_(data, f"{at}.reinforcements", line["number"] + 1)
        yield "reinforcements", more, "H1.7"
    for i, gun in enumerate(data["ordnance"]["guns"]):
        at = f"ordnance.guns.{i}"
        yield "Gun each", set_(data, f"{at}.each", gun["each"] - 1), "H1.3"
        yield "Gun type", set_(data, f"{at}.type", "99 AT"), "H1.3"
        yield "Gun number", set_(data, f"{at}.number", 50), "H1.11"
        yield "Gun letters", set_(data, f"{at}.ids", "Q-A"), "H1.21"
        yield "no DR", set_(data, "ordnance.availability", None), "H1.3"
    for i, tank in enumerate(data["vehicles"]["entries"]):
        at = f"vehicles.entries.{i}"
        yield "vehicle bpv", set_(data, f"{at}.bpv", tank["bpv"] + 1), ""
        yield "vehicle type", set_(data, f"{at}.type", "Sherman"), ""
        arm = {"name": "death ray", "cost": 1}
        yield "weapon", set_(data, f"{at}.arms", [arm]), ""
        if not tank["op"]:
            yield "leader", set_(data, f"{at}.armor_leader", "8-1" if tank["armor_leader"] != "8-1"
                                 else "9-2"), "H1.43"  # fmt: skip
        twin = deepcopy(data)
        twin["vehicles"]["entries"].append(deepcopy(tank))
        yield "letter", twin, "H1.21"
    yield from illegal_support(data)


def illegal_support(data: Data) -> Iterator[tuple[str, Data, str]]:
    """Yield those of OBA, Air Support, fortifications, leaders and SW."""
    for i, battery in enumerate(data["oba"]):
        if battery["bought"]:
            yield "battery", set_(data, f"oba.{i}.size", "200+"), "H1.51"
            yield "total", set_(data, f"oba.{i}.total", battery["total"] - 1), "H1.53"
        else:
            yield "declined", set_(data, f"oba.{i}.total", 1), "H1.13"
    more = deepcopy(data)
    more["oba"] += [{"dr": {"final": 7}}] * 60
    yield "OBA DR", more, "H1.5"
    if data["air"] and data["air"]["bought"]:
        yield "air DR", set_(data, "air.dr", {"final": 12}), "H1.531"
        yield "air cost", set_(data, "air.cost", 1), "H1.531"
    for i, work in enumerate(data["fortifications"]):
        yield "work", set_(data, f"fortifications.{i}.total", work["total"] + 1), ""
        yield "work type", set_(data, f"fortifications.{i}.type", "moat"), "H1.6"
    leaders = data["leaders"]
    yield "leaders", set_(data, "leaders.count", leaders["count"] + 1), "H1.8"
    yield "leader type", set_(data, "leaders.held", {**leaders["held"], "11-4": 1}), "H1.81"
    if leaders["exchange"] is None:
        yield "exchange", set_(data, "leaders.gained", "10-3"), "H1.82"
    for i in range(len(data["sw"])):
        yield "SW", set_(data, f"sw.{i}.number", 90), "H1.83"
        yield "SW type", set_(data, f"sw.{i}.type", "BFG"), "H1.83"


def legal(data: Data) -> Iterator[tuple[str, Data]]:
    """Yield changes of the same kind that break nothing: prices left out, fewer of what is free."""
    spare = deepcopy(data)
    for line in spare["infantry"]:
        line.pop("each")
        line.pop("total")
    spare.pop("san_cost")
    for gun in spare["ordnance"]["guns"]:
        gun.pop("each")
        gun.pop("total")
    for work in spare["fortifications"]:
        work.pop("total")
    yield "no prices", spare
    yield "no equivalents", set_(data, "equivalents", {})
    if not any(line["reinforcements"] for line in data["infantry"]):
        yield "no SW", set_(data, "sw", [])
    if data["oba"] and not data["oba"][-1]["bought"]:
        yield "a DR less", set_(data, "oba", data["oba"][:-1])


def sum_of(data: Data) -> int:
    return OrderOfBattle.model_validate(data).total


def rules_of(verdict: ObVerdict) -> set[str]:
    return {found.breach.rule.removeprefix("DYO ") for found in verdict.broken}


@given(st.integers(0, 10**6), st.sampled_from(["1942-05", "1943-08", "1944-09"]))
@settings(max_examples=3, deadline=None)
def test_single_changes_of_random_purchases(seed: int, date: str) -> None:
    campaign = new_purchase(date=date, axis={"points": 2500}, allied={"points": 1200})
    by_chance(campaign, Random(seed))
    cg = campaign.context
    assert isinstance(cg, Cg)
    for side in SIDES:
        data = cg.ob(side).model_dump(mode="json")
        every = list(illegal(data))
        for name, changed, rule in Random(seed).sample(every, min(50, len(every))):
            if name == "points" and changed["allotment"] < 1:
                continue
            verdict = checked(cg, changed)
            told = [f"{field_path(one.where)}: {one.breach.rule}" for one in verdict.broken]
            assert not verdict.legal, f"{name} of {side} is not found"
            assert not rule or rule in rules_of(verdict), (name, told)
        for name, changed in legal(data):
            verdict = checked(cg, changed)
            assert verdict.legal, (name, [str(one) for one in verdict.broken])
