"""Buying reinforcement groups: prices, limits, places, OBA, what is refused and why."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laager.rules.board.facts import SanChanged
from laager.rules.board.hasl.buying.groups import join_given
from laager.rules.board.hasl.buying.offers import Cart, DateShop, Wanted
from laager.rules.board.hasl.buying.purchase import arrival_choice, cart_question, purchasing
from laager.rules.board.hasl.facts import AreasDetermined, CppChanged, DateBegun, FppChanged
from laager.rules.board.hasl.state import Area, GroupArrival
from tests.historical.buying import buy, island, only_for, problems, refused, row, town, written
from tests.historical.driver import run
from tests.historical.small import scene
from tests.tries import tries

GERMANS: list[dict[str, Any]] = [
    {
        "id": id_,
        "formation": formation,
        "name": f"{formation} {id_}",
        "kind": id_[0],
        "cost": price,
        "full": [{"type": "4-6-7" if id_[0] == "I" else "PzIVH", "count": 2}],
        "total": 2,
    }
    for formation, id_, price in (("B", "A4", 5), ("K", "I6", 3), ("K", "I7", 4), ("K", "A5", 4))
]
OBSERVER = {"id": "M1", "name": "Observer", "kind": "M", "cost": 1, "special": "observer"}
REGISTERED = {"id": "M2", "name": "Pre-Registered hex", "kind": "M", "cost": 1, "special": "pre-registration"}


def with_cpp(cg: Any, side: str, cpp: int) -> Any:
    cg.state = CppChanged(side=side, by=cpp - cg.state.side(side).cpp).apply(cg.state)
    return cg


# Walkthroughs -------------------------------------------------------------------------------------


def test_the_british_of_18am() -> None:
    """A4, 9.617: BI1 4 + O1 5 + F1 4 = 13 of 14 CPP, left 1; F1 gives 12 FPP."""
    cg = with_cpp(scene(), "allied", 14)
    played = buy(cg, "allied", row("I1", "enter", "A4"), row("O1", equipment="radio"), row("F1"))
    own = cg.state.side("allied")
    assert (own.cpp, own.fpp) == (1, 12)
    line = cg.state.scenario
    assert (line.start["allied"], line.spent["allied"], line.left["allied"]) == (14, 13, 1)
    module = cg.state.groups["allied", "O1/1"]
    assert (module.black, module.red, module.equipment) == (8, 2, "radio")
    assert [(r.id, r.area) for r in written(cg, "allied")] == [("I1/1", "A4"), ("O1/1", ""), ("F1/1", "")]
    assert only_for(played, "allied")


def test_the_germans_of_18am() -> None:
    """A4, 9.617: 5 + 7 + 7 + 5 + 3 + 4 + 4 = 35 of 38 CPP, left 3."""
    cg = with_cpp(town(axis=GERMANS), "axis", 38)
    rows = [row(f"K-{id_}", "enter", "G1") for id_ in ("I1", "A3", "I6", "I7", "A5")]
    rows += [row(f"B-{id_}", "enter", "L5") for id_ in ("I2", "A4")]
    assert DateShop(cg, "axis").cost(Cart.of({"groups": rows})) == 35
    buy(cg, "axis", *rows)
    assert cg.state.side("axis").cpp == 3
    with_cpp(cg, "axis", 34)
    assert problems(cg, "axis", *rows) == ["This costs 35 CPP, and you have 34"]


def test_the_japanese_of_13_september() -> None:
    """B2, 1.518: 4 + 4 + 5 + 5 + 3 = 21, 24 - 21 = 3 left; #P/#R of each line."""
    cg = island()
    played = buy(
        cg,
        "axis",
        row("I1", "enter", "G1", 2, objective="B4"),
        row("I2", "reserve", "NE", objective="B5"),
        row("HW1", "on-map", "NE"),
        row("M1"),
    )
    paid = [fact.by for fact in played.facts if isinstance(fact, CppChanged)]
    assert paid == [-4, -4, -5, -5, -3]
    assert cg.state.side("axis").cpp == 3
    record = written(cg, "axis")
    assert [(r.id, r.bought, r.left) for r in record] == [
        ("I1/1", 1, 7),
        ("I1/2", 2, 6),
        ("I2/1", 1, 1),
        ("HW1/1", 1, 1),
        ("M1/1", 1, 1),
    ]
    assert [(r.area, r.objective) for r in record] == [("G1", "B4"), ("G1", "B4"), ("NE", "B5"), ("NE", ""), ("", "")]
    assert played.of("cpp-changed")[2].why == "I2/1: Engineer Platoon, in Reserve: 6 -1 = 5 CPP"
    assert only_for(played, "axis")


def test_the_americans_of_13_september() -> None:
    """B2, 1.518: 7 + 4 + 7 + 4 + 2 = 24, 28 - 24 = 4 left."""
    cg = island()
    buy(
        cg,
        "allied",
        row("I1", "on-map", "W"),
        row("I2", "reserve", "W"),
        row("V1", "enter", "A4"),
        row("F1"),
        row("M2"),
    )
    assert (cg.state.side("allied").cpp, cg.state.side("allied").fpp) == (4, 20)
    record = written(cg, "allied")
    assert [(r.bought, r.left) for r in record] == [(1, 2), (1, 2), (1, 0), (1, 3), (1, 2)]
    assert [r.area for r in record] == ["W", "W", "A4", "", ""]


# Limits -------------------------------------------------------------------------------------------


def test_maxima_of_the_campaign_and_the_date() -> None:
    cg = with_cpp(scene(), "axis", 60)
    one = row("K-I1", "enter", "G1")
    assert problems(cg, "axis", row("K-I1", "enter", "G1", 3)) == [
        "groups: You want 3 K-I1; the limit is 2 for the campaign"
    ]
    assert problems(cg, "axis", row("S1", count=2)) == ["groups: You want 2 S1; the limit is 1 for one CG Date"]
    buy(cg, "axis", one, row("S1"))
    assert problems(cg, "axis", one) == []
    assert problems(cg, "axis", row("S1")) == ["groups: You want 1 S1; the limit is 1 for one CG Date"]
    cg.state = DateBegun(number=2).apply(cg.state)
    assert problems(cg, "axis", one, row("S1")) == []
    assert problems(cg, "axis", one, one) == ["groups: You want 2 K-I1; the limit is 2 for the campaign"]


def test_given_groups_are_not_counted() -> None:
    cg = with_cpp(scene(), "axis", 60)
    for fact in join_given(cg, "axis", cg.side("axis").ob, "given"):
        cg.state = fact.apply(cg.state)
    buy(cg, "axis", row("K-I1", "enter", "G1", 2))
    record = written(cg, "axis")
    assert [(r.id, r.given, r.bought, r.left) for r in record] == [
        ("K-I1/1", True, 0, 2),
        ("K-I1/2", False, 1, 1),
        ("K-I1/3", False, 2, 0),
    ]


def test_san_stays_within_seven() -> None:
    line = {"id": "S2", "name": "Snipers", "kind": "S", "cost": 1, "san": 3}
    cg = with_cpp(town(axis=[line]), "axis", 30)
    assert problems(cg, "axis", row("S2"), row("S1")) == []
    assert problems(cg, "axis", row("S2", count=2)) == ["groups: You want 2 S2; SAN can't exceed 7"]
    played = buy(cg, "axis", row("S2"), row("S1"))
    assert [f.by for f in played.facts if isinstance(f, SanChanged)] == [3, 1]
    assert cg.state.side("axis").san == 7
    assert {o.line.key: o.why_not for o in DateShop(cg, "axis").offers()}["S2"] == "SAN can't exceed 7"


def test_dates_on_which_a_line_is_available() -> None:
    late = {"id": "F2", "name": "Late FPP", "kind": "F", "cost": 1, "fpp": 6, "dates": ["18PM"]}
    cg = town(allied=[late])
    assert problems(cg, "allied", row("F2")) == ["groups[1].rg: F2 is available on 18PM; leave it out"]
    cg.state = DateBegun(number=3).apply(cg.state)
    assert problems(cg, "allied", row("F2")) == []


def test_offers_say_cost_bought_left_and_why_not() -> None:
    cg = scene()
    by_key = {offer.line.key: offer for offer in DateShop(cg, "allied").offers()}
    infantry = by_key["I1"]
    assert [(p.way, p.cost, p.why_not) for p in infantry.prices] == [
        (GroupArrival.ENTER, 4, ""),
        (GroupArrival.ON_MAP, 4, ""),
    ]
    assert (infantry.bought, infantry.left, infantry.why_not) == (0, 3, "")
    cart = Cart((Wanted("I1", GroupArrival.ENTER, 1, "A4"),))
    beside = {offer.line.key: offer for offer in DateShop(cg, "allied").offers(cart)}
    assert beside["I1"].why_not == "it costs 4 CPP, and you have 2 left"
    assert (beside["I1"].bought, beside["I1"].bought_now, beside["I1"].left) == (1, 1, 2)
    fields = cart_question(cg, "allied").describe()["form"]["fields"][0]["form"]["row"]["fields"]
    options = {option["value"]: option for option in fields[0]["form"]["options"]}
    assert options["I1"]["label"] == "Para Section: enters 4, on map 4 CPP; 0 bought, 3 left"
    assert "why_not" not in options["I1"]
    assert options["F1"]["label"] == "12 FPP: 4 CPP; 0 bought"


def ways_offered(cg: Any, side: str) -> list[str]:
    choice = arrival_choice(cg, side)
    return [option.value for option in choice.options]


def test_only_ways_that_the_rules_know_are_offered() -> None:
    assert ways_offered(scene(), "allied") == ["", "enter", "on-map"]
    assert ways_offered(island(), "axis") == ["", "enter", "on-map", "reserve"]
    bare = scene()
    bare.charts = bare.charts.model_copy(update={"sides": {}})
    assert bare.side_charts("allied").rg is None
    assert ways_offered(bare, "allied") == ["", "enter", "on-map"]


# Places -------------------------------------------------------------------------------------------


def isolate(cg: Any, name: str) -> None:
    areas = tuple(Area(**{**area.model_dump(), "isolated": area.name == name}) for area in cg.state.areas)
    cg.state = AreasDetermined(areas=areas).apply(cg.state)


@pytest.mark.parametrize(
    ("wanted", "told"),
    [
        (row("K-I1", "enter", "L5"), "groups[1].area: K-I1: 'L5' is not one of its Eligible Entry Areas"),
        (row("K-I1", "on-map", "W"), "groups[1].area: K-I1: 'W' is not a Setup Area of yours"),
        (row("K-I1", "enter"), "groups[1].area: K-I1 has no area; one of G1"),
        (row("K-I1"), "groups[1].arrival: K-I1 comes with units; say how: enter or on-map"),
        (row("K-I1", "reserve", "NE"), "groups[1].arrival: K-I1 can't come reserve"),
        (row("F1", "enter", "G1"), "groups[1].arrival: F1 brings no units"),
        (row("F1", area="NE"), "groups[1].area: F1 comes to no place; leave out the area"),
        (row("F1", objective="B4"), "groups[1].objective: no hex is recorded for F1"),
        (row("F1", equipment="radio"), "groups[1].equipment: nothing directs F1; leave it out"),
        (row("O1"), "groups[1].equipment: nothing can't direct O1; one of radio, phone"),
        (row("X9"), "groups[1].rg: X9 is not on the chart"),
    ],
)
def test_rows_that_are_refused(wanted: dict[str, Any], told: str) -> None:
    found = problems(scene(), "axis", wanted)
    assert len(found) == 1
    assert found[0].startswith(told)


def test_an_isolated_area_takes_no_groups() -> None:
    cg = scene()
    isolate(cg, "NE")
    assert problems(cg, "axis", row("K-I1", "on-map", "NE")) == [
        "groups[1].arrival: you have no Setup Area that is not Isolated; have it enter"
    ]
    assert problems(cg, "axis", row("K-I1", "enter", "G1")) == []


def test_without_entry_areas_nothing_enters() -> None:
    cg = scene({"sides": {"allied": {"arrows": []}}})
    assert problems(cg, "allied", row("I1", "enter", "A4")) == [
        "groups[1].arrival: I1 has no Eligible Entry Area; choose another way"
    ]


def test_a_line_may_have_entry_areas_of_its_own() -> None:
    own = {"id": "G1", "name": "Gun", "kind": "G", "cost": 1, "arrows": ["L5"]}
    cg = town(axis=[{**own, "full": [{"type": "75L AT PaK 40"}]}])
    assert problems(cg, "axis", row("G1", "enter", "L5")) == []
    assert len(problems(cg, "axis", row("G1", "enter", "G1"))) == 1


def test_objective_hexes_are_hexes_in_play() -> None:
    cg = island()
    assert problems(cg, "axis", row("I1", "enter", "G1")) == [
        "groups[1].objective: I1 has no objective hex: you named none; name a hex"
    ]
    assert problems(cg, "axis", row("I1", "enter", "G1", objective="ZZ9")) == [
        "groups[1].objective: I1 has no objective hex: 'ZZ9' is not a hex in play; name a hex"
    ]
    assert problems(cg, "allied", row("I1", "enter", "A4", objective="B4")) == [
        "groups[1].objective: no hex is recorded for I1; leave it out"
    ]


def test_all_problems_are_told_at_once() -> None:
    cg = scene()
    found = refused(
        cg, cart_question(cg, "axis"), {"groups": [row("K-I1", "enter", "L5", 3), row("O1", equipment="radio")]}
    )
    assert len(found) == 3
    assert found[-1] == "This costs 19 CPP, and you have 10"


# OBA ----------------------------------------------------------------------------------------------


def test_offboard_observers_go_to_modules() -> None:
    cg = with_cpp(town(axis=[OBSERVER, REGISTERED]), "axis", 40)
    assert problems(cg, "axis", row("O1", equipment="observer")) == [
        "groups: You want an Offboard Observer for 1 modules, and buy 0; buy one for each, or take a radio"
    ]
    assert problems(cg, "axis", row("M1")) == ["groups: You want 1 Offboard Observers; there are 0 modules for them"]
    buy(cg, "axis", row("O1", equipment="phone"))
    buy(cg, "axis", row("O1", equipment="observer"), row("M1"))
    # The observer goes to the module bought with it, and not to the one before.
    assert [g.equipment for g in cg.state.groups_of("axis") if g.kind == "O"] == ["phone", "observer"]
    played = buy(cg, "axis", row("M1"))
    assert [g.equipment for g in cg.state.groups_of("axis") if g.kind == "O"] == ["observer", "observer"]
    assert only_for(played, "axis")
    assert len(problems(cg, "axis", row("M1"))) == 1


def test_pre_registered_hexes_go_to_modules() -> None:
    cg = with_cpp(town(axis=[OBSERVER, REGISTERED]), "axis", 40)
    assert problems(cg, "axis", row("M2", objective="C5")) == [
        "groups: You want 1 Pre-Registered hexes; there are 0 modules without one"
    ]
    assert problems(cg, "axis", row("M2"), row("O1", equipment="radio")) == [
        "groups[1].objective: M2 has no Pre-Registered hex: you named none; name a hex"
    ]
    played = buy(cg, "axis", row("M2", objective="C5"), row("O1", equipment="radio"))
    assert cg.state.groups["axis", "O1/1"].pre_registered == ("C5",)
    assert cg.state.groups["axis", "M2/1"].objective == ""
    assert len(problems(cg, "axis", row("M2", objective="C5"))) == 1
    assert only_for(played, "axis")


# By chance ----------------------------------------------------------------------------------------


@tries(40)
@given(st.integers(0, 10**6), st.sampled_from(["town", "island"]), st.integers(0, 40))
def test_carts_by_chance_are_legal(seed: int, where: str, cpp: int) -> None:
    cg = town(axis=[OBSERVER, REGISTERED]) if where == "town" else island()
    for side in ("axis", "allied"):
        with_cpp(cg, side, cpp)
        question = cart_question(cg, side)
        answer = question.accept(DateShop(cg, side).suggest(Random(seed)))
        assert question.allows(question.default)
        run(purchasing, cg, side, {"purchases": answer})
        assert cg.state.side(side).cpp >= 0


CART_ROWS = st.lists(
    st.builds(
        Wanted,
        st.sampled_from(["K-I1", "B-I2", "K-A3", "O1", "F1", "S1"]),
        st.sampled_from([None, GroupArrival.ENTER, GroupArrival.ON_MAP]),
        st.integers(1, 3),
        st.sampled_from(["", "G1", "L5", "NE"]),
        st.just(""),
        st.sampled_from(["", "radio"]),
    ),
    max_size=4,
)


@tries(150)
@given(CART_ROWS, st.integers(0, 40))
def test_legal_carts_keep_to_cpp_and_maxima(rows: list[Wanted], cpp: int) -> None:
    """What is accepted never exceeds CPP or a maximum; what is refused for CPP alone does."""
    cg = with_cpp(scene(), "axis", cpp)
    cart = Cart(tuple(rows))
    prices = {"K-I1": 5, "B-I2": 7, "K-A3": 7, "O1": 4, "F1": 4, "S1": 2}
    most = {"K-I1": 2, "B-I2": 2, "K-A3": 2, "O1": 2, "F1": 99, "S1": 1}
    places = {"K-I1": ("G1", "NE"), "B-I2": ("L5", "NE"), "K-A3": ("G1", "NE")}
    total = sum(prices[wanted.key] * wanted.count for wanted in rows)
    counts = {key: sum(w.count for w in rows if w.key == key) for key in prices}
    legal = total <= cpp and all(counts[key] <= most[key] for key in prices)
    for wanted in rows:
        if wanted.key in places:
            area = places[wanted.key][wanted.way is GroupArrival.ON_MAP]
            legal &= wanted.way is not None and wanted.area == area
        else:
            legal &= wanted.way is None and not wanted.area
        legal &= wanted.equipment == ("radio" if wanted.key == "O1" else "")
    assert (not DateShop(cg, "axis").problems(cart)) == legal


def test_fpp_are_told_to_the_buyer_only() -> None:
    cg = scene()
    played = buy(cg, "allied", row("F1"))
    gained = [fact for fact in played.facts if isinstance(fact, FppChanged)]
    assert [(fact.by, fact.to) for fact in gained] == [(12, ("allied",))]
