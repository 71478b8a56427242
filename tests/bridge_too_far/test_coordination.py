"""German attack coordination (CG22): every case of the worked example, and chance."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laager.rules.board.hasl.buying.offers import Cart, DateShop, Wanted
from laager.rules.board.hasl.buying.purchase import purchasing
from laager.rules.board.hasl.charts import Kind
from laager.rules.board.hasl.facts import GroupJoined
from laager.rules.board.hasl.state import Group, GroupArrival
from laager.rules.board.state import evolve
from laager.rules.bridge_too_far.context import Abtf
from laager.rules.bridge_too_far.coordination import Effort, coordination_problems, planned_efforts
from tests.bridge_too_far.scene import apply, scene
from tests.historical.driver import Played, run
from tests.tries import tries

TOTAL = 2
HARDER_I = {"H-I6": TOTAL, "H-I7": TOTAL}
HARDER_A = {"H-A5": TOTAL, "H-A6": TOTAL}

# number: purchase, its cost, CPP, bought on earlier dates, what the refusal says ("" if legal)
CASES: dict[int, tuple[str, int, int, Mapping[str, int], str]] = {
    1: ("", 0, 38, {}, ""),
    2: ("K-I1 B-I2 H-I6 G-I8", 21, 38, {}, ""),
    3: ("H-I6 H-I7", 7, 38, {}, "2 I type groups for KG H"),
    4: ("H-A5 H-A6", 8, 38, {}, "2 A type groups for KG H"),
    5: ("H-I6 H-A5", 7, 38, {}, ""),
    6: ("K-I1 K-A3 B-I2 B-A4 H-I6 H-I7 H-A5", 35, 38, {}, ""),
    7: ("K-I1 K-A3 B-I2 H-I6 H-I7 H-A5", 30, 38, {}, "so far K, H"),
    8: ("K-I1 K-A3 B-I2 B-A4 H-I6 H-I7", 31, 38, {}, "so far K, B"),
    9: ("K-I1 K-A3 B-I2 B-A4 H-I6 H-I7", 31, 38, HARDER_A, ""),
    10: ("K-I1 K-A3 B-I2 B-A4 H-I6 H-I7", 31, 38, {"H-A5": TOTAL}, "so far K, B"),
    11: ("K-I1 K-A4 K-A4 B-I2 B-A3 H-A6", 33, 36, HARDER_I, ""),
    12: ("K-I1 K-A4 K-A4 B-I2 B-A3", 29, 36, HARDER_I, "2 A type groups for KG K"),
    13: ("K-I1 K-A4 K-A4 B-I2 B-A3", 29, 36, {**HARDER_I, **HARDER_A}, ""),
    14: ("K-I1 K-A3 B-I2 B-A4 H-I6 H-A5 G-I8 G-I8", 43, 38, {}, "This costs 43 CPP, and you have 38"),
    15: ("K-I1 K-A3 B-I2 B-A4 H-I6 H-A5 G-I8 G-I8", 43, 43, {}, ""),
    16: ("K-I1 K-A4 K-G1 K-G1 B-I2 B-A4 B-O1", 32, 38, {}, ""),
    17: ("K-I1 K-I1 K-A4 B-I2 B-A4", 27, 38, {"H-I6": 1, "H-A5": 1}, "so far K, B"),
    18: ("H-I6", 3, 38, {}, ""),
    19: ("K-I1 K-I1 K-A4 B-I2 B-A4 H-I6 H-A5", 34, 38, {}, ""),
    20: ("K-I1 K-I1 K-A4 B-I2 B-A4 H-I6 H-A5", 34, 38, {"K-I1": 1}, "You want 2 K-I1"),
    21: ("K-I1 K-A4 K-A4 B-I2 B-A3 H-A6", 33, 38, {}, "so far K, B"),
    22: ("K-I1 K-A3 B-I2 B-A4 H-I6 H-I7 H-A5", 35, 34, {}, "This costs 35 CPP, and you have 34"),
    23: ("K-I1 K-A4 H-I6 H-I7 H-A5 G-I8 G-A9", 33, 38, {}, ""),
}

PLACE = {"K": "M1", "B": "JJ15", "H": "A17", "G": "R23"}


def wanted(cg: Abtf, keys: str) -> Cart:
    """Return a cart of groups that enter, one row each; a module has a radio."""
    rows = []
    for key in keys.split():
        line = cg.line("axis", key)
        assert line is not None
        if line.kind is Kind.OBA:
            rows.append(Wanted(key, equipment="radio"))
        else:
            rows.append(Wanted(key, GroupArrival.ENTER, area=PLACE[key[0]]))
    return Cart(tuple(rows))


def at_hand(cpp: int, before: Mapping[str, int], **more: object) -> Abtf:
    cg = scene(**more)  # type: ignore[arg-type]
    cg.state = cg.state.with_side("axis", cpp=cpp, bought=dict(before))
    return cg


@pytest.mark.parametrize("number", CASES)
def test_cases(number: int) -> None:
    keys, price, cpp, before, refused = CASES[number]
    cg = at_hand(cpp, before)
    if number == 18:
        apply(cg, GroupJoined(group=Group(id="x", side="axis", rg="H-I7", date=1, given=True)))
    cart = wanted(cg, keys)
    assert DateShop(cg, "axis").cost(cart) == price
    problems = [str(problem) for problem in DateShop(cg, "axis").problems(cart)]
    if refused:
        assert any(refused in problem for problem in problems), problems
        assert len(problems) == 1
    else:
        assert problems == []


def test_limit_of_a_scenario_is_no_waiver() -> None:
    """Case 21 with H-I6 and H-I7 stopped by the date and by the scenario's maximum."""
    cg = at_hand(38, {})
    stopped = [
        line.model_copy(update={"dates": ("18N",)} if line.id == "I6" else {"per_date": 1})
        if line.id in ("I6", "I7")
        else line
        for line in cg.lines("axis")
    ]
    charts = cg.charts.sides["axis"].model_copy(update={"rg": tuple(stopped)})
    cg.charts = cg.charts.model_copy(update={"sides": {**cg.charts.sides, "axis": charts}})
    problems = DateShop(cg, "axis").problems(wanted(cg, "K-I1 K-A4 K-A4 B-I2 B-A3 H-A6"))
    assert [problem.what for problem in problems] == ["2 A type groups for KG K are too many"]


def test_what_was_bought_earlier_on_the_date_counts() -> None:
    cg = at_hand(38, {"H-I6": 1})
    cg.state = cg.state.with_side("axis", bought_now={"H-I6": 1})
    assert DateShop(cg, "axis").problems(wanted(cg, "H-I7"))
    assert not DateShop(cg, "axis").problems(wanted(cg, "H-A5"))


@pytest.mark.parametrize(("reading", "legal"), [("met", True), ("unmet", False)])
def test_a_kg_whose_chart_has_no_group_of_a_type(reading: str, legal: bool) -> None:
    cg = at_hand(38, {}, readings={"missing-rg-type": reading})
    lines = tuple(line for line in cg.lines("axis") if line.key not in HARDER_A)
    charts = cg.charts.sides["axis"].model_copy(update={"rg": lines})
    cg.charts = cg.charts.model_copy(update={"sides": {**cg.charts.sides, "axis": charts}})
    assert (DateShop(cg, "axis").problems(wanted(cg, CASES[8][0])) == ()) is legal


def test_a_line_without_maximum_is_never_used_up() -> None:
    cg = at_hand(38, {**HARDER_A})
    lines = tuple(line.model_copy(update={"total": None}) if line.key == "H-A6" else line for line in cg.lines("axis"))
    charts = cg.charts.sides["axis"].model_copy(update={"rg": lines})
    cg.charts = cg.charts.model_copy(update={"sides": {**cg.charts.sides, "axis": charts}})
    assert not next(e for e in planned_efforts(cg, Cart()) if e.kg == "H").satisfied


def test_the_british_are_free() -> None:
    cg = scene()
    cg.state = evolve(cg.state, sides={**cg.state.sides})
    rows = (Wanted("I1", GroupArrival.ENTER, count=2, area="A6"),)
    assert not DateShop(cg, "allied").problems(Cart(rows))


def legal(efforts_: tuple[Effort, ...]) -> bool:
    """The rule again, told another way: over all choices of three KGs."""

    def both(effort: Effort) -> bool:
        i = effort.bought[Kind.INFANTRY] > 0 or Kind.INFANTRY in effort.met
        a = effort.bought[Kind.AFV] > 0 or Kind.AFV in effort.met
        return i and a

    threes = itertools.combinations(efforts_, 3)
    if any(all(map(both, three)) for three in threes):
        return True
    return max((n for effort in efforts_ for n in effort.bought.values()), default=0) <= 1


def some_efforts() -> st.SearchStrategy[tuple[Effort, ...]]:
    def effort(name: str) -> st.SearchStrategy[Effort]:
        return st.builds(
            lambda i, a, met: Effort(name, {Kind.INFANTRY: i, Kind.AFV: a}, met),
            st.integers(0, 3),
            st.integers(0, 3),
            st.frozensets(st.sampled_from((Kind.INFANTRY, Kind.AFV))),
        )

    return st.tuples(*(effort(name) for name in "HKBG"))


@tries(100)
@given(some_efforts())
def test_against_the_rule_told_another_way(efforts_: tuple[Effort, ...]) -> None:
    found: Iterator[object] = coordination_problems(efforts_)
    assert (next(found, None) is None) == legal(efforts_)


# Without a chart ----------------------------------------------------------------------------------


def platoon(kg: str, kind: str = "I", count: int = 1) -> dict[str, object]:
    units = {"I": "3 x 4-6-7", "A": "PzIVH"}[kind]
    found = {"name": f"{kind} of {kg}", "kind": kind, "cost": 3, "formation": kg, "units": units}
    return {**found, "count": count, "arrival": "enter", "area": PLACE[kg]}


def uncharted() -> Abtf:
    cg = scene(charts={"sides": {"axis": {"rg": None}}})
    cg.state = cg.state.with_side("axis", cpp=38)
    return cg


def bought(cg: Abtf, rows: list[dict[str, object]], *then: tuple[str, object]) -> Played:
    return run(purchasing, cg, "axis", [("purchases", {"groups": rows}), *then])


def test_groups_without_a_chart_are_judged_by_formation_and_type() -> None:
    cg = uncharted()
    again = ("purchases", {"groups": [platoon("H"), platoon("K")]})
    played = bought(cg, [platoon("H", count=2)], ("purchase-doubts", False), again)
    doubt = played.questions("purchase-doubts")[0]
    assert doubt.secret
    assert not doubt.default, "a bare Enter buys nothing"
    assert doubt.text.startswith("2 I type groups for KG H are too many; one, unless 3 KGs")
    assert "a type that has reached its CG Maximum counts as bought" in doubt.text
    assert list(cg.state.side("axis").bought) == ["H-I of H", "K-I of K"]


def test_the_owner_of_the_chart_may_say_that_it_allows_it() -> None:
    cg = uncharted()
    played = bought(cg, [platoon("H", count=2)], ("purchase-doubts", True))
    assert cg.state.side("axis").bought == {"H-I of H": 2}
    assert all(fact.to == ("axis",) for fact in played.facts)


def test_three_kgs_with_both_types_are_not_doubted() -> None:
    cg = uncharted()
    both = [platoon(kg, kind) for kg in "KBH" for kind in "IA"]
    played = bought(cg, [*both, platoon("H", "I")])
    assert not played.questions("purchase-doubts")
    assert sum(cg.state.side("axis").bought.values()) == 7


def test_the_british_coordinate_nothing() -> None:
    cg = scene(charts={"sides": {"allied": {"rg": None}}})
    row = {"name": "Platoon", "kind": "I", "cost": 1, "units": "3 x 6-4-8", "count": 3}
    row |= {"arrival": "enter", "area": "A6"}
    played = run(purchasing, cg, "allied", {"purchases": {"groups": [row]}})
    assert not played.questions("purchase-doubts")
    assert cg.state.side("allied").bought == {"Platoon": 3}
