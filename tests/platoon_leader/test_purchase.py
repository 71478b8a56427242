"""PL 2.3 to 2.34, CG4: purchases, prices, limits."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laager.base import DataError
from laager.rules.board.facts import Agreed, GroupChanged, UnitJoined
from laager.rules.board.units import Place
from laager.rules.platoon_leader.buying.offers import Cart, FirefightShop, Offer, Wanted, patrol_limit
from laager.rules.platoon_leader.buying.purchase import cart_question, purchasing
from laager.rules.platoon_leader.card.card import RgKind, Setup
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.facts import AttackOptionTaken, GroupJoined
from laager.rules.platoon_leader.firefight.beginning import beginning
from tests.platoon_leader.small import second_firefight, small_cg
from tests.steps import Played, play
from tests.tries import tries

OFF, ON, RESERVE = Setup.OFF_MAP, Setup.ON_MAP, Setup.RESERVE


def row(rg: str, setup: str = "off-map", count: int = 1) -> dict[str, Any]:
    return {"rg": rg, "setup": setup, "count": count}


def start(cg: Cg) -> Cg:
    """Begin the campaign."""
    play(beginning, cg)
    return cg


def chart(side: str, **lines: dict[str, Any]) -> dict[str, Any]:
    """Return changes of the card that change lines of a side's chart."""
    known = small_cg().card.model_dump(mode="json", exclude_defaults=True)["sides"][side]["chart"]
    return {side: {"chart": [line | lines.get(line["id"], {}) for line in known]}}


def buy(cg: Cg, side: str, *rows: dict[str, Any], **more: Any) -> Played:
    return play(purchasing, cg, side, {"purchases": {"groups": list(rows), **more}})


def refusal(cg: Cg, side: str, *rows: dict[str, Any], **more: Any) -> list[str]:
    """Return the problems of a cart as texts; nothing may have been applied."""
    before = cg.state
    with pytest.raises(DataError) as caught:
        buy(cg, side, *rows, **more)
    assert cg.state is before
    return [str(problem) for problem in caught.value.problems]


def offer(cg: Cg, side: str, rg: str, cart: Cart | None = None) -> Offer:
    return next(found for found in FirefightShop(cg, side).offers(cart or Cart()) if found.line.id == rg)


# The walkthrough --------------------------------------------------------------------------------


def test_axis_of_the_first_firefight() -> None:
    cg = start(small_cg())
    rows = row("I1", "on-map"), row("I2"), row("O1")
    played = buy(cg, "axis", *rows, patrols=1)
    assert cg.state.side("axis").cp == 6
    assert FirefightShop(cg, "axis").platoons() == 2
    assert [(g.id, g.cost, g.given) for g in cg.state.groups_of("axis")] == [
        ("I1/1", 0, True),
        ("I1/2", 5, False),
        ("I2/1", 6, False),
        ("O1/1", 4, False),
    ]
    assert cg.state.side("axis").patrols == 1
    assert cg.state.groups["axis", "O1/1"].equipment == "radio"
    assert all(fact.to == ("axis",) for fact in played.facts)
    assert "4 +1 = 5 CP" in played.of("group-joined")[0].why


def test_allied_of_the_first_firefight() -> None:
    cg = start(small_cg())
    rows = row("I1", "on-map"), row("I1", "reserve"), row("G1", "on-map"), row("HW1", "reserve")
    buy(cg, "allied", *rows)
    assert cg.state.side("allied").cp == 8, "18 - 4 - 2 - 3 - 1; 3 more become FP"
    groups = list(cg.state.groups_of("allied"))[1:]
    assert [(group.rg, group.cost, group.dummies) for group in groups] == [
        ("I1", 4, 0), ("I1", 2, 1), ("G1", 3, 0), ("HW1", 1, 1),
    ]  # fmt: skip


def test_second_firefight() -> None:
    cg = second_firefight(small_cg())
    cg.state = cg.state.with_side("allied", cp=21)
    rows = row("A1"), row("I2", "on-map"), row("I1", "on-map")
    played = buy(cg, "allied", *rows, attack=True)
    own = cg.state.side("allied")
    assert (own.cp, own.attack) == (0, True)
    assert own.platoons == {"elite": 1, "first-line": 1}
    (attack,) = played.of("attack-option-taken")
    assert attack.to == ("allied",), "secret until 2.4"
    cg.state = cg.state.with_side("axis", cp=18)
    buy(cg, "axis", row("A1"), row("S1"))
    assert (cg.state.side("axis").cp, cg.state.side("axis").san) == (7, 4)


# Units ------------------------------------------------------------------------------------------


def test_units_of_a_group_are_off_the_map_unknown_and_numbered() -> None:
    cg = start(small_cg())
    played = buy(cg, "allied", row("G1", count=2))
    units = [fact.unit for fact in played.facts if isinstance(fact, UnitJoined)]
    assert [(unit.id, unit.type, unit.kind, unit.with_unit, unit.group) for unit in units] == [
        ("AL5", "2-2-8", "crew", "", "G1/1"),
        ("AL6", "76L ART obr. 39", "gun", "AL5", "G1/1"),
        ("AL7", "2-2-8", "crew", "", "G1/2"),
        ("AL8", "76L ART obr. 39", "gun", "AL7", "G1/2"),
    ]
    assert {unit.place for unit in units} == {Place.OFF_MAP}
    assert {unit.since for unit in units} == {1}


def test_the_vehicle_of_an_oba_module_joins_its_group() -> None:
    cg = start(small_cg(sides=chart("axis", O1={"op_vehicle": "SPW 250/1"})))
    played = buy(cg, "axis", row("O1") | {"equipment": "field-phone"})
    (fact,) = [fact for fact in played.facts if isinstance(fact, UnitJoined)]
    assert (fact.unit.type, fact.unit.kind, fact.unit.group) == ("SPW 250/1", "afv", "O1/1")
    assert cg.state.groups["axis", "O1/1"].equipment == "field-phone"


def test_san_rises_by_what_the_line_says_in_secret() -> None:
    cg = start(small_cg(sides=chart("axis", S1={"san": 2})))
    played = buy(cg, "axis", row("S1"))
    (fact,) = played.of("san-changed")
    assert (fact.to, cg.state.side("axis").san) == (("axis",), 5)


# Prices -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "base", "setup", "expected"),
    [
        ("infantry", 4, ON, 5),
        ("heavy-weapons", 1, RESERVE, 1),
        ("gun", 3, ON, 3),
        ("afv", 8, ON, 10),
        ("infantry", 3, RESERVE, 2),
        ("heavy-weapons", 2, ON, 3),
        ("gun", 3, RESERVE, 2),
        ("vehicle", 4, ON, 6),
        ("vehicle", 4, RESERVE, 3),
        ("afv", 8, RESERVE, 7),
        ("infantry", 4, OFF, 4),
        ("infantry", 1, RESERVE, 1),
        ("gun", 1, RESERVE, 1),
        ("oba", 4, OFF, 4),
        ("capability", 0, OFF, 0),
    ],
)
def test_prices_of_setup(kind: str, base: int, setup: Setup, expected: int) -> None:
    line = small_cg().side("axis").chart[0].model_copy(update={"kind": RgKind(kind), "cost": base})
    assert FirefightShop(small_cg(), "axis").price(line, setup) == expected


@pytest.mark.parametrize(
    ("reading", "setup", "paid"),
    [
        ("minimum", OFF, 1),
        ("minimum", RESERVE, 1),
        ("minimum", ON, 1),
        ("as-printed", OFF, 0),
        ("as-printed", RESERVE, 0),
        ("as-printed", ON, 1),
    ],
)
def test_what_a_group_priced_at_nothing_costs_is_a_reading(reading: str, setup: Setup, paid: int) -> None:
    cg = start(small_cg({"zero-price": reading}, sides=chart("axis", I1={"cost": 0})))
    cg.state = cg.state.with_side("axis", cp=2)
    buy(cg, "axis", row("I1", setup.value))
    assert cg.state.side("axis").cp == 2 - paid
    cg = small_cg({"zero-price": reading}, sides=chart("axis", I1={"cost": 1}))
    assert FirefightShop(cg, "axis").price(cg.side("axis").chart[0], RESERVE) == 1, "no price is reduced to zero"


def test_attack_option_and_patrols_cost_what_the_card_says() -> None:
    cg = second_firefight(small_cg(sides={"axis": {"attack_cost": 4, "patrol_cost": 2}}))
    cart = Cart((Wanted("I1", ON, 2), Wanted("X9", OFF, 5)), attack=True, patrols=3)
    assert FirefightShop(cg, "axis").cost(cart) == 2 * 5 + 4 + 3 * 2
    free = small_cg(sides={"axis": {"attack_cost": 0, "patrol_cost": 0}})
    second_firefight(free)
    played = buy(free, "axis", attack=True, patrols=1)
    assert (played.of("cp-changed"), free.state.side("axis").attack) == ([], True)


# Limits -----------------------------------------------------------------------------------------


def test_cp_can_be_spent_to_the_last_but_no_further() -> None:
    cg = start(small_cg(sides={"axis": {"cp": 10}}))
    assert refusal(cg, "axis", row("I1"), row("I2"), patrols=1) == ["This costs 11 CP, and you have 10"]
    buy(cg, "axis", row("I1"), row("I2"))
    assert cg.state.side("axis").cp == 0


def test_three_infantry_platoons_in_one_firefight() -> None:
    cg = start(small_cg())
    assert refusal(cg, "axis", row("I1", count=4)) == [
        "groups: You want 4 infantry platoons; the limit is 3 for one firefight (PL 2.3)"
    ]
    buy(cg, "axis", row("I1", count=2), row("I2"), row("HW1"))
    assert FirefightShop(cg, "axis").platoons() == 3, "sections and what the OB gives do not count"
    assert offer(cg, "axis", "I1").why_not == "the limit is 3 infantry platoons for one firefight"


def test_the_limit_of_infantry_platoons_may_be_for_the_campaign() -> None:
    cg = start(small_cg(readings={"platoon-limit": "campaign"}))
    buy(cg, "axis", row("I1", count=2))
    cg.state = cg.state.with_side("axis", platoons={})
    assert FirefightShop(cg, "axis").platoons() == 2, "those of earlier firefights count, what the OB gives doesn't"
    assert refusal(cg, "axis", row("I1", count=2)) == [
        "groups: You want 4 infantry platoons; the limit is 3 for the campaign (PL 2.3)"
    ]
    buy(cg, "axis", row("I1"))
    assert offer(cg, "axis", "I1").why_not == "the limit is 3 infantry platoons for the campaign"


def test_the_card_may_allow_another_number() -> None:
    cg = start(small_cg(sides={"axis": {"max_platoons": 1}}))
    assert len(refusal(cg, "axis", row("I1", count=2))) == 1
    buy(start(small_cg(sides={"axis": {"max_platoons": 4}})), "axis", row("I1", count=4))


@pytest.mark.parametrize(("reading", "allowed"), [("three", False), ("none", True)])
def test_a_company_counts_by_the_reading_in_force(reading: str, allowed: bool) -> None:
    sides = chart("axis", I2={"size": "company"})
    cg = start(small_cg({"company-platoons": reading}, sides=sides))
    question = cart_question(cg, "axis")
    assert question.allows({"groups": [row("I2"), row("I1")]}) is allowed
    assert question.allows({"groups": [row("I2")]})
    buy(cg, "axis", row("I2", "reserve"))
    assert cg.state.side("axis").platoons == ({} if allowed else {"elite": 3})
    assert cg.state.groups["axis", "I2/1"].dummies == 4


def test_maxima_of_a_line_per_firefight_and_in_the_campaign() -> None:
    cg = start(small_cg(sides=chart("axis", HW1={"per_firefight": 2, "total": 3})))
    assert refusal(cg, "axis", row("HW1", count=2), row("HW1", "on-map", 2)) == [
        "groups: You want 4 HW1; the limit is 3 for the campaign",
        "groups: You want 4 HW1; the limit is 2 for one firefight",
    ]
    buy(cg, "axis", row("HW1", count=2))
    assert offer(cg, "axis", "HW1").why_not == "the limit is 2 for one firefight"
    second_firefight(cg)
    cg.state = cg.state.with_side("axis", cp=9)
    found = offer(cg, "axis", "HW1")
    assert (found.bought, found.bought_now, found.left, found.why_not) == (2, 0, 1, "")
    buy(cg, "axis", row("HW1"))
    assert offer(cg, "axis", "HW1").why_not == "the limit is 3 for the campaign"


def test_groups_come_and_go_with_the_firefights() -> None:
    sides = chart("axis", HW1={"first": 2}, A1={"last": 1})
    cg = start(small_cg(sides=sides))
    assert "HW1 is available from firefight 2" in refusal(cg, "axis", row("HW1"))[0]
    assert cart_question(cg, "axis").allows({"groups": [row("A1")]}), "its last firefight"
    second_firefight(cg)
    cg.state = cg.state.with_side("axis", cp=9)
    assert cart_question(cg, "axis").allows({"groups": [row("HW1")]}), "its first"
    assert "A1 was available up to firefight 1" in refusal(cg, "axis", row("A1"))[0]
    (problem,) = FirefightShop(cg, "axis").problems(Cart((Wanted("A1", OFF, 0),)))
    assert (problem.field, problem.right) == ("groups[1].rg", "leave it out")


def test_who_may_be_in_reserve() -> None:
    known = small_cg().card.model_dump(mode="json", exclude_defaults=True)["sides"]["axis"]["chart"]
    truck = {"kind": "vehicle", "cost": 2, "units": [{"type": "Opel 6700"}]}
    lines = [*known, {"id": "V1", "name": "Trucks"} | truck]
    lines.append({"id": "V2", "name": "Staff", "reserve": True} | truck)
    cg = start(small_cg(sides={"axis": {"chart": lines}}))
    problems = refusal(cg, "axis", row("V1", "reserve"), row("O1", "reserve"), row("S1", "on-map"))
    assert problems == [
        "groups[1].setup: V1 can't be In Reserve; buy it off-map or on-map",
        "groups[2].setup: O1 does not set up; buy it off-map",
        "groups[3].setup: S1 does not set up; buy it off-map",
    ]
    question = cart_question(cg, "axis")
    assert question.allows({"groups": [row("V2", "reserve"), row("A1", "reserve")]})
    barred = start(small_cg(sides={"axis": {"reserves": False}}))
    assert "have no Reserves here" in refusal(barred, "axis", row("I1", "reserve"))[0]


@pytest.mark.parametrize(("level", "most"), [("low", 1), ("mid", 2), ("high", 3)])
def test_patrols_by_intensity(level: str, most: int) -> None:
    cg = start(small_cg(intensity=level))
    assert patrol_limit(cg, "axis") == most
    question = cart_question(cg, "axis")
    assert question.allows({"patrols": most})
    assert not question.allows({"patrols": most + 1})
    (problem,) = FirefightShop(cg, "axis").problems(Cart(patrols=most + 1))
    assert (problem.field, problem.right) == ("patrols", f"the limit is {most}")


def test_the_card_may_bar_patrols_or_say_how_many() -> None:
    cg = start(small_cg(sides={"axis": {"patrols": False}, "allied": {"max_patrols": 5}}))
    assert (patrol_limit(cg, "axis"), patrol_limit(cg, "allied")) == (0, 5)
    assert "patrols: is not known here; known are groups" in refusal(cg, "axis", patrols=1)[0]


def test_san_ends_at_seven() -> None:
    cg = start(small_cg(sides={"allied": {"san": 6}}))
    assert refusal(cg, "allied", row("S1", count=2)) == ["groups: You want 2 S1; SAN can't exceed 7"]
    buy(cg, "allied", row("S1"))
    assert offer(cg, "allied", "S1").why_not == "SAN can't exceed 7"


def test_all_problems_are_told_together() -> None:
    cg = start(small_cg(sides={"axis": {"cp": 5}}))
    rows = row("I1", "reserve", 4), row("S1", "reserve")
    assert refusal(cg, "axis", *rows) == [
        "groups[2].setup: S1 does not set up; buy it off-map",
        "groups: You want 4 infantry platoons; the limit is 3 for one firefight (PL 2.3)",
        "This costs 14 CP, and you have 5",
    ]


def test_a_side_without_reserves_is_not_offered_any() -> None:
    cg = start(small_cg(sides={"axis": {"cp": 5, "reserves": False}}))
    (told,) = refusal(cg, "axis", row("I1", "reserve"))
    assert told == "groups[1].setup: the Germans have no Reserves here; buy it off-map or on-map"
    ways = {ware.way for line in FirefightShop(cg, "axis").shop_lines({"groups": []}) for ware in line.wares}
    assert ways == {"off map", "On Map"}


def test_what_is_not_on_the_chart() -> None:
    cg = start(small_cg())
    (told,) = refusal(cg, "axis", row("I9"))
    assert told.startswith("groups[1].rg: I9 is not one of the choices")
    (problem,) = FirefightShop(cg, "axis").problems(Cart((Wanted("I9", OFF, 1),)))
    assert str(problem).startswith("groups[1].rg: I9 is not on the chart; it has I1, I2")


# The Attack Option ------------------------------------------------------------------------------


def test_nobody_buys_the_attack_of_the_initial_firefight() -> None:
    cg = start(small_cg())
    for side in ("axis", "allied"):
        assert "attack" not in cart_question(cg, side).default
        (problem,) = FirefightShop(cg, side).problems(Cart(attack=True))
        assert problem.what == "the card assigns the attack of the Initial Firefight"


def test_it_is_not_bought_twice() -> None:
    cg = second_firefight(small_cg())
    cg.state = cg.state.with_side("axis", cp=9)
    cg.state = AttackOptionTaken(side="axis").apply(cg.state)
    (problem,) = FirefightShop(cg, "axis").problems(Cart(attack=True))
    assert problem.what == "this side has the Attack Option already"


def following_history(attacker: str | None, cp: int = 9) -> Cg:
    slots = small_cg().card.model_dump(mode="json")["firefights"]
    slots[1]["historical_attacker"] = attacker
    cg = second_firefight(small_cg(firefights=slots))
    cg.state = Agreed(about="historical", value=["attacker"]).apply(cg.state)
    for side in ("axis", "allied"):
        cg.state = cg.state.with_side(side, cp=cp)
    return cg


def test_following_history_the_attacker_pays_and_nobody_else_attacks() -> None:
    cg = following_history("allied")
    assert refusal(cg, "allied", attack=False) == [
        "attack: you agreed to follow history, and this side is the ATTACKER; buy the Attack Option"
    ]
    assert cart_question(cg, "allied").default["attack"] is True
    play(purchasing, cg, "allied", answers={"purchases": {"groups": [], "attack": True}})
    assert (cg.state.side("allied").cp, cg.state.side("allied").attack) == (6, True)
    assert "attack" not in cart_question(cg, "axis").default
    (problem,) = FirefightShop(cg, "axis").problems(Cart(attack=True))
    assert "the ATTACKER is Soviets" in problem.what


def test_who_cannot_pay_does_not_attack() -> None:
    cg = following_history("axis", cp=2)
    assert cart_question(cg, "axis").default["attack"] is False
    play(purchasing, cg, "axis")
    assert not cg.state.side("axis").attack
    silent = following_history(None)
    assert cart_question(silent, "axis").default["attack"] is False


# Pre-registered hexes ---------------------------------------------------------------------------


def registered(cg: Cg) -> list[str]:
    return [group.pre_registered for group in cg.state.groups_of("axis") if group.rg == "O1"]


def test_pre_registered_hexes_go_to_the_modules_and_may_be_chosen_anew() -> None:
    cg = start(small_cg(sides={"axis": {"pre_registered": True, "cp": 40}}))
    hexes = [{"hex": "C8"}, {"hex": "K9"}]
    played = buy(cg, "axis", row("O1", count=3), pre_registered=hexes)
    assert registered(cg) == ["C8", "K9", ""]
    assert all(fact.to == ("axis",) for fact in played.of("group-changed"))
    second_firefight(cg)
    assert cart_question(cg, "axis").default["pre_registered"] == hexes
    buy(cg, "axis", pre_registered=[{"hex": "G2"}])
    assert registered(cg) == ["G2", "", ""]
    play(purchasing, cg, "axis")
    assert registered(cg) == ["G2", "", ""], "the default keeps them"


def test_a_used_module_has_no_pre_registered_hex() -> None:
    cg = start(small_cg(sides={"axis": {"pre_registered": True}}))
    buy(cg, "axis", row("O1"), pre_registered=[{"hex": "C8"}])
    used = GroupChanged(side="axis", group="O1/1", changes={"used": True})
    cg.state = used.apply(cg.state)
    assert cart_question(cg, "axis").default["pre_registered"] == []
    assert refusal(cg, "axis", pre_registered=[{"hex": "C8"}]) == [
        "pre_registered: You want 1 pre-registered hexes; the limit is one for each OBA module: 0"
    ]


def test_a_pre_registered_hex_must_be_on_the_map() -> None:
    cg = start(small_cg(sides={"axis": {"pre_registered": True}}))
    problems = refusal(cg, "axis", row("O1"), pre_registered=[{"hex": "Z99"}])
    assert problems[0].startswith("pre_registered[1].hex: 'Z99' is not a hex in play")
    assert "pre_registered" not in cart_question(cg, "allied").default


# The chart for screens --------------------------------------------------------------------------


def test_offers_tell_prices_and_why_not() -> None:
    cg = start(small_cg(sides={"axis": {"cp": 5}}))
    rifles = offer(cg, "axis", "I1")
    assert [(item.way, item.cost, item.why_not) for item in rifles.prices] == [
        (OFF, 4, ""), (ON, 5, ""), (RESERVE, 3, ""),
    ]  # fmt: skip
    assert (rifles.left, rifles.bought) == (3, 0)
    beside = offer(cg, "axis", "I1", Cart((Wanted("I1", OFF, 1),)))
    assert [item.why_not for item in beside.prices] == [f"it costs {n} CP, and you have 1 left" for n in (4, 5, 3)]
    assert (beside.bought, beside.bought_now, beside.left) == (1, 1, 2)
    assert [item.way for item in offer(cg, "axis", "O1").prices] == [OFF]
    assert offer(cg, "axis", "A1").why_not == "it costs 9 CP, and you have 5 left"
    assert offer(cg, "axis", "HW1").left is None, "nothing but CP limits it"


def test_the_question_shows_what_is_not_to_be_had() -> None:
    cg = start(small_cg(sides={"axis": {"cp": 5}}))
    form = cart_question(cg, "axis").form.describe()
    options = form["fields"][0]["form"]["row"]["fields"][0]["form"]["options"]
    labels = {option["value"]: option for option in options}
    assert labels["A1"]["why_not"] == "it costs 9 CP, and you have 5 left"
    assert labels["I1"]["label"] == "Rifle platoon: off map 4, On Map 5, In Reserve 3 CP; 0 bought, 3 left"


def test_the_question_is_secret_and_asked_without_cp_too() -> None:
    cg = start(small_cg(sides={"axis": {"cp": 0}}))
    (question,) = play(purchasing, cg, "axis").asked
    assert question.secret
    assert question.default == {"groups": [], "patrols": 0}


# Properties -------------------------------------------------------------------------------------


@tries(60)
@given(seed=st.integers(0, 10**6), cp=st.integers(0, 40), initial=st.booleans())
def test_no_legal_cart_makes_cp_negative(seed: int, cp: int, initial: bool) -> None:
    cg = small_cg() if initial else second_firefight(small_cg(intensity="high"))
    cg.state = cg.state.with_side("allied", cp=cp)
    answer = FirefightShop(cg, "allied").suggest(Random(seed))
    played = buy(cg, "allied", *answer.pop("groups"), **answer)
    left, spent = cp, 0
    for fact in played.of("cp-changed"):
        left += fact.by  # type: ignore[attr-defined]
        assert left >= 0
    spent = sum(fact.group.cost for fact in played.facts if isinstance(fact, GroupJoined))
    own = cg.state.side("allied")
    assert own.cp == left == cp - spent - 3 * own.attack - own.patrols


@tries(80)
@given(
    cp=st.integers(0, 30),
    wanted=st.lists(
        st.tuples(
            st.sampled_from(["I1", "I2", "A1", "HW1", "O1", "S1", "G1"]),
            st.sampled_from(list(Setup)),
            st.integers(1, 4),
        ),
        max_size=5,
    ),
    patrols=st.integers(0, 3),
    attack=st.booleans(),
)
def test_what_is_accepted_is_what_the_rules_allow(
    cp: int, wanted: list[tuple[str, Setup, int]], patrols: int, attack: bool
) -> None:
    """A second, plain judge of carts beside `cart_problems`."""
    cg = second_firefight(small_cg())
    cg.state = cg.state.with_side("allied", cp=cp)
    base = {"I1": 3, "I2": 5, "A1": 8, "HW1": 1, "O1": 4, "S1": 2, "G1": 3}
    change = {ON: {"I": 1, "H": 1, "G": 0, "A": 2}, RESERVE: {"I": -1, "H": -1, "G": -1, "A": -1}}
    total, platoons, san, legal = 3 * attack + patrols, 0, 0, patrols <= 1
    for rg, setup, count in wanted:
        if setup is not OFF and rg[0] in "OS":
            legal = False
        add = change.get(setup, {}).get(rg[0], 0)
        total += count * max(1, base[rg] + add)
        platoons += count * (rg[0] == "I")
        san += count * (rg[0] == "S")
    legal = legal and total <= cp and platoons <= 3 and 3 + san <= 7
    cart = Cart(tuple(Wanted(*item) for item in wanted), attack, patrols)
    assert (not FirefightShop(cg, "allied").problems(cart)) is legal
