"""OBA modules (CG6, CG10): limits per scenario and per day, phones, Security Areas."""

from __future__ import annotations

import pytest

from laager.rules.board.facts import FireChanged, GroupChanged, UnitMoved
from laager.rules.board.hasl.buying.offers import Cart, DateShop, Wanted
from laager.rules.board.hasl.facts import AreasDetermined, GroupJoined
from laager.rules.board.hasl.refit.areas import setup_areas
from laager.rules.board.hasl.setup.oba import closed_hexes, some_way
from laager.rules.board.hasl.setup.setup import setting_up
from laager.rules.board.hasl.state import Area, Group
from laager.rules.board.units import Mark, Place
from laager.rules.bridge_too_far.context import Abtf
from laager.rules.bridge_too_far.facts import ModulesUsed
from laager.rules.bridge_too_far.steps.oba import (
    marker_removal,
    module_problems,
    modules_in_play,
    modules_left_today,
    modules_used_today,
    security_area_problems,
)
from tests.bridge_too_far.scene import add, apply, at_date, chits, scene
from tests.historical.driver import run
from tests.historical.setting import question, refusals


def used(cg: Abtf, side: str, date: int, count: int) -> Abtf:
    names = tuple(f"O1/{number}" for number in range(count))
    return apply(cg, ModulesUsed(side=side, date=date, modules=names))


def wrong(cg: Abtf, side: str, count: int) -> list[str]:
    return [str(p) for p in module_problems(cg, side, [f"O{n}" for n in range(count)])]


def test_per_scenario() -> None:
    cg = scene()
    assert wrong(cg, "allied", 1) == []
    assert "1 a scenario for the British" in wrong(cg, "allied", 2)[0]
    assert wrong(cg, "axis", 2) == []
    assert "2 a scenario for the German" in wrong(cg, "axis", 3)[0]


def test_per_calendar_day() -> None:
    cg = at_date(scene(), "18N")
    for date in (2, 3, 4):
        used(cg, "allied", date, 1)
        used(cg, "axis", date, 2)
    assert modules_used_today(cg, "allied") == 3
    assert modules_left_today(cg, "allied") == 0
    assert "4 OBA modules on this calendar day are too many" in wrong(cg, "allied", 1)[0]
    assert wrong(cg, "axis", 2) == []
    assert modules_left_today(cg, "axis") == 2
    at_date(cg, "19AM")
    assert modules_used_today(cg, "allied") == 0
    assert wrong(cg, "allied", 1) == []
    assert modules_left_today(cg, "allied") == 1


@pytest.mark.parametrize(("reading", "counted"), [("each-date", 3), ("once", 1)])
def test_a_module_in_play_on_several_dates(reading: str, counted: int) -> None:
    cg = at_date(scene(readings={"module-days": reading}), "18N")
    joined(cg, "allied", "O1/1")
    for date in (2, 3, 4):
        apply(cg, ModulesUsed(side="allied", date=date, modules=("O1/1",)))
    assert modules_used_today(cg, "allied") == counted
    said = [str(one) for one in module_problems(cg, "allied", ["O1/1"])]
    assert (said == []) is (reading == "once")
    assert modules_left_today(cg, "allied") == (1 if reading == "once" else 0)


def test_the_day_before_does_not_count() -> None:
    cg = used(scene(), "allied", 1, 1)
    assert modules_used_today(at_date(cg, "18AM"), "allied") == 0
    used(cg, "allied", 2, 1)
    assert modules_used_today(cg, "allied") == 0
    assert modules_used_today(at_date(cg, "18PM"), "allied") == 1
    assert modules_left_today(cg, "allied") == 1


def joined(cg: Abtf, side: str, name: str, **more: object) -> Abtf:
    group = Group(id=name, side=side, rg=name.partition("/")[0], kind="O", date=1, **more)
    return apply(cg, GroupJoined(group=group))


def test_usage_and_used_are_two_things() -> None:
    cg = joined(scene(), "allied", "O1/1", equipment="radio")
    joined(cg, "axis", "B-O1/1", equipment="phone")
    for side, name, fired in (("allied", "O1/1", True), ("axis", "B-O1/1", False)):
        change = {"in_play": True, "used": fired}
        apply(cg, GroupChanged(side=side, group=name, changes=change))
    assert modules_in_play(cg, "allied") == ("O1/1",)
    assert modules_in_play(cg, "axis") == ("B-O1/1",)
    assert cg.variant.module_loss(cg, cg.state.groups["allied", "O1/1"])
    assert not cg.variant.module_loss(cg, cg.state.groups["axis", "B-O1/1"])
    played = run(marker_removal, cg)
    assert [(fact.to, fact.tell()) for fact in played.of("modules-used")] == [
        (("axis",), "axis OBA modules in play: B-O1/1"),
        (("allied",), "allied OBA modules in play: O1/1"),
    ]
    assert cg.state.usage == {("allied", 1): ("O1/1",), ("axis", 1): ("B-O1/1",)}
    british, german = cg.state.groups["allied", "O1/1"], cg.state.groups["axis", "B-O1/1"]
    assert british.lost
    assert not german.lost
    assert (german.black, german.red) == (8, 2)
    assert {fact.to for fact in played.facts} == {("axis",), ("allied",)}


def test_a_module_that_is_gone_counts_once() -> None:
    cg = joined(scene(), "allied", "O1/1", equipment="radio")
    apply(cg, GroupChanged(side="allied", group="O1/1", changes={"in_play": True, "used": True}))
    run(marker_removal, cg)
    run(marker_removal, at_date(cg, "18AM"))
    assert cg.state.usage == {("allied", 1): ("O1/1",)}


def test_a_report_of_too_many_modules_is_refused() -> None:
    cg = scene()
    rows = [{"group": f"O1/{n}", "in_play": n < 2} for n in range(3)]
    told = [str(p) for p in cg.variant.report_problems(cg, "allied", {"modules": rows})]
    assert told == ["2 OBA modules in play are too many; 1 a scenario for the British (ABtF CG6a)"]
    rows = [{"group": f"O1/{n}", "in_play": n < 1} for n in range(3)]
    assert list(cg.variant.report_problems(cg, "allied", {"modules": rows})) == []


def test_a_module_that_stayed_off_the_map_does_not_count() -> None:
    cg = joined(scene(), "allied", "O1/1")
    assert modules_in_play(cg, "allied") == ()
    assert run(marker_removal, cg).of("modules-used") == []


def test_phones_are_german() -> None:
    cg = scene()
    line = cg.lines("axis")[0]
    assert cg.variant.equipment(cg, "axis", line) == ("radio", "phone")
    assert cg.variant.equipment(cg, "allied", line) == ("radio",)
    phone = Cart((Wanted("O1", equipment="phone"),))
    assert [p.field for p in DateShop(cg, "allied").problems(phone)] == ["groups[1].equipment"]
    assert not DateShop(cg, "allied").problems(Cart((Wanted("O1", equipment="radio"),)))
    assert not DateShop(cg, "axis").problems(Cart((Wanted("B-O1", equipment="phone"),)))


@pytest.mark.parametrize(
    ("way", "told"),
    [
        (["G2", "G1", "F0"], ""),
        (["I2", "J1", "K1", "L0"], ""),
        (["G2", "F0"], "G2"),
        (["G2", "F1", "E1", "D0"], "D0"),
        (["B4", "B3"], "Enemy Setup Area"),
        (["G2", "G3"], "G3 is in no Friendly Entry Area"),
        ([], " "),
    ],
)
def test_security_areas(way: list[str], told: str) -> None:
    problems = [str(problem) for problem in security_area_problems(scene(), "axis", way)]
    assert bool(problems) is bool(told)
    assert told in " ".join(problems)


def test_a_blaze_upstairs_shuts_the_whole_hex() -> None:
    cg = scene()
    apply(cg, FireChanged(blazes=frozenset({"G1.1"}), flames=frozenset()))
    assert "G1" in closed_hexes(cg, "axis").barred
    told = " ".join(map(str, security_area_problems(cg, "axis", ["G2", "G1", "F0"])))
    assert "G1" in told
    assert "G1" not in some_way(cg, "axis", "G2")


def test_a_security_area_avoids_fire() -> None:
    cg = scene()
    assert not cg.variant.security_problems(cg, "axis", ["G2", "G1", "F0"])
    cg.state = cg.state.with_ground(blazes=frozenset({"G1"}))
    assert security_area_problems(cg, "axis", ["G2", "G1", "F0"])


# Radios and phones at setup -----------------------------------------------------------------------


def module(name: str, by: str, with_: str, way: str = "") -> dict[str, object]:
    return {"module": name, "equipment": by, "with": with_, "way": way}


def phones() -> tuple[Abtf, str, str]:
    """Return a scene where fire is all around G3 (area P), and a way leads out of I2 (area Q)."""
    cg = chits(at_date(scene(), "18AM"), "attack", "idle")
    areas = (Area(name=name, side="axis", hexes=(at,)) for name, at in (("P", "G3"), ("Q", "I2")))
    ring = frozenset(at for at in cg.map.playable if cg.map.distance("G3", at) == 1)
    fire = FireChanged(flames=frozenset(), blazes=ring, burnt=frozenset())
    apply(cg, AreasDetermined(areas=tuple(areas)), fire)
    here, there = (add(cg, "axis", "4-6-7", "squad", at, area=a) for at, a in (("G3", "P"), ("I2", "Q")))
    return cg, here.id, there.id


def test_a_phone_without_any_security_area_is_replaced_elsewhere() -> None:
    cg, here, there = phones()
    joined(cg, "axis", "B-O1/1", equipment="phone", area="P", holder=here)
    way = ", ".join(some_way(cg, "axis", "I2"))
    for by, text in (("phone", way), ("radio", "")):
        rows = [module("B-O1/1", by, there, text)]
        question(cg, "axis").accept({"units": [], "modules": rows})
    enters = add(cg, "axis", "4-6-7", "squad", area="F0")
    question(cg, "axis").accept({"units": [], "modules": [module("B-O1/1", "radio", enters.id)]})
    assert refusals(cg, "axis", modules=[module("B-O1/1", "radio", here)]) == [
        "modules[1].with: the phone of B-O1/1 is Eliminated: no Security Area leads out of P; "
        "a radio or phone in another area"
    ]
    played = run(setting_up, cg)
    changed = cg.state.groups["axis", "B-O1/1"]
    assert (changed.area, changed.holder, changed.equipment) == ("Q", there, "phone")
    assert {fact.to for fact in played.of("group-changed")} == {("axis",)}


def test_a_radio_and_a_phone_with_a_way_stay_in_their_area() -> None:
    cg, here, there = phones()
    joined(cg, "axis", "B-O1/1", equipment="radio", area="P", holder=here)
    assert "B-O1/1 is in P" in refusals(cg, "axis", modules=[module("B-O1/1", "radio", there)])[0]
    apply(cg, GroupChanged(side="axis", group="B-O1/1", changes={"equipment": "phone", "area": "Q"}))
    assert "B-O1/1 is in Q" in refusals(cg, "axis", modules=[module("B-O1/1", "radio", here)])[0]


@pytest.mark.parametrize("side", ["axis", "allied"])
def test_isolated_personnel_may_have_the_radio_of_a_new_module(side: str) -> None:
    cg = chits(scene(), "attack", "idle")
    type_, at, area, name = {"axis": ("4-6-7", "G3", "NE", "B-O1/1"), "allied": ("6-4-8", "B4", "W", "O1/1")}[side]
    squad = add(cg, side, type_, "squad", at, Mark.ISOLATED, area=area)
    joined(cg, side, name, equipment="radio")
    question(cg, side).accept({"units": [], "modules": [module(name, "radio", squad.id)]})
    run(setting_up, cg)
    assert cg.state.groups[side, name].holder == squad.id


def test_a_radio_follows_its_holder_to_another_block() -> None:
    cg = chits(at_date(scene(), "18AM"), "attack", "idle")
    squad = add(cg, "allied", "6-4-8", "squad", "B4", area="W")
    joined(cg, "allied", "O1/1", equipment="radio", area="W", holder=squad.id)
    apply(cg, UnitMoved(unit=squad.id, at="G7", place=Place.MAP))
    held = {"W": "axis", "NE": "axis", "SE": "allied"}
    run(setup_areas, cg, answers={"block-control": held})
    assert cg.state.groups["allied", "O1/1"].area == cg.state.units[squad.id].area == "SE"
    assert question(cg, "allied").default["modules"][0]["with"] == squad.id
