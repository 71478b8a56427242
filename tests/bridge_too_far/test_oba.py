"""OBA modules (CG6, CG10): limits per scenario and per day, phones, Security Areas."""

from __future__ import annotations

import pytest

from laager.rules.bridge_too_far.context import Abtf
from laager.rules.bridge_too_far.facts import ModulesUsed
from laager.rules.bridge_too_far.oba import (
    ends,
    equipment,
    in_play,
    left_today,
    module_problems,
    security_area_problems,
    used_today,
)
from laager.rules.bridge_too_far.steps.oba import marker_removal
from laager.rules.common.facts import FireChanged
from laager.rules.historical.facts import GroupChanged, GroupJoined
from laager.rules.historical.offers import Cart, Wanted, cart_problems
from laager.rules.historical.security import shut_to, some_way
from laager.rules.historical.units import Group
from tests.bridge_too_far.scene import apply, at_date, scene
from tests.historical.driver import run


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
    assert used_today(cg, "allied") == 3
    assert left_today(cg, "allied") == 0
    assert "4 OBA modules on this calendar day are too many" in wrong(cg, "allied", 1)[0]
    assert wrong(cg, "axis", 2) == []
    assert left_today(cg, "axis") == 2
    at_date(cg, "19AM")
    assert used_today(cg, "allied") == 0
    assert wrong(cg, "allied", 1) == []
    assert left_today(cg, "allied") == 1


def test_the_day_before_does_not_count() -> None:
    cg = used(scene(), "allied", 1, 1)
    assert used_today(at_date(cg, "18AM"), "allied") == 0
    used(cg, "allied", 2, 1)
    assert used_today(cg, "allied") == 0
    assert used_today(at_date(cg, "18PM"), "allied") == 1
    assert left_today(cg, "allied") == 1


def joined(cg: Abtf, side: str, name: str, **more: object) -> Abtf:
    group = Group(id=name, side=side, rg=name.partition("/")[0], kind="O", date=1, **more)
    return apply(cg, GroupJoined(group=group))


def test_usage_and_used_are_two_things() -> None:
    cg = joined(scene(), "allied", "O1/1", equipment="radio")
    joined(cg, "axis", "B-O1/1", equipment="phone")
    for side, name, fired in (("allied", "O1/1", True), ("axis", "B-O1/1", False)):
        change = {"in_play": True, "used": fired}
        apply(cg, GroupChanged(side=side, group=name, changes=change))
    assert in_play(cg, "allied") == ("O1/1",)
    assert in_play(cg, "axis") == ("B-O1/1",)
    assert ends(cg.state.groups["allied", "O1/1"])
    assert not ends(cg.state.groups["axis", "B-O1/1"])
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
    assert in_play(cg, "allied") == ()
    assert run(marker_removal, cg).of("modules-used") == []


def test_phones_are_german() -> None:
    assert equipment("axis") == ("radio", "phone")
    assert equipment("allied") == ("radio",)
    cg = scene()
    phone = Cart((Wanted("O1", equipment="phone"),))
    assert [p.field for p in cart_problems(cg, "allied", phone)] == ["groups[1].equipment"]
    assert not cart_problems(cg, "allied", Cart((Wanted("O1", equipment="radio"),)))
    assert not cart_problems(cg, "axis", Cart((Wanted("B-O1", equipment="phone"),)))


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
    assert "G1" in shut_to(cg, "axis").barred
    told = " ".join(map(str, security_area_problems(cg, "axis", ["G2", "G1", "F0"])))
    assert "G1" in told
    assert "G1" not in some_way(cg, "axis", "G2")


def test_a_security_area_avoids_fire() -> None:
    cg = scene()
    assert not cg.variant.security_problems(cg, "axis", ["G2", "G1", "F0"])
    cg.state = cg.state.with_ground(blazes=frozenset({"G1"}))
    assert security_area_problems(cg, "axis", ["G2", "G1", "F0"])
