"""Fortifications: prices, upgrades, the cap on HIP, DC that are Set."""

from __future__ import annotations

from dataclasses import asdict
from random import Random
from typing import Any

import pytest

from laager.base import DataError
from laager.rules.board.facts import ControlChanged, UnitGone
from laager.rules.board.hasl.buying.fortifications import FppShop, Work
from laager.rules.board.hasl.facts import AreasDetermined, FppChanged
from laager.rules.board.hasl.refit.shift import shift_options
from laager.rules.board.hasl.setup.setup import setting_up
from laager.rules.board.units import Fort, Mark, Place
from laager.rules.edsons_ridge.context import Er
from laager.rules.edsons_ridge.facts import DcSet
from laager.rules.edsons_ridge.steps.works import (
    dc_noted,
    dc_problem,
    dcs_without_unit,
    detonators,
    place_problems,
    upgrade_places,
    upgrades,
    upgrades_question,
)
from tests.edsons_ridge.scene import add, apply, at_date, chits, fort, reserve, scene
from tests.historical.driver import run
from tests.historical.setting import refusals, row


def day(**more: Any) -> Er:
    return at_date(scene(**more), "13D")


def told(cg: Er, side: str, *works: Work) -> str:
    apply(cg, FppChanged(side=side, by=100))
    return "\n".join(map(str, FppShop(cg, side).problems({"works": [asdict(work) for work in works]})))


def test_prices_of_the_rules_stand_unless_the_charts_have_their_own() -> None:
    cg = day()
    prices = {price.key: price.cost for price in cg.charts.fortifications or ()}
    assert prices == {
        "foxhole 3S": 3, "foxhole 2S": 2, "foxhole 1S": 1, "trench-upgrade": 6,
        "pillbox-upgrade": 10, "wire": 7, "jungle-path": 5, "concealment": 1, "hip squad": 3,
        "hip half-squad": 2, "hip crew": 2, "hip smc": 1, "set-dc": 5,
    }  # fmt: skip
    own = day(charts={"fortifications": [{"kind": "wire", "cost": 4}]})
    assert [price.cost for price in own.charts.fortifications or ()] == [4]


def test_upgrades_are_for_the_u_s() -> None:
    cg = day()
    assert told(cg, "allied", Work("trench-upgrade")) == ""
    assert "trench-upgrade is for the U.S. only" in told(cg, "axis", Work("trench-upgrade"))


def test_what_may_stand_in_an_isolated_location() -> None:
    for reading, allowed in (("warned", True), ("forbidden", False)):
        cg = day(readings={"pillbox-isolated": reading})
        isolated = {price.kind: price.isolated for price in cg.charts.fortifications or ()}
        assert isolated["pillbox-upgrade"] is allowed
        assert not isolated["jungle-path"]
        assert isolated["wire"]


# HIP ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("squads", "cap"), [(24, 3), (20, 2), (21, 3), (1, 1)])
def test_a_tenth_of_the_squads_by_day(squads: int, cap: int) -> None:
    cg = day()
    for _ in range(squads):
        add(cg, "axis", "4-4-7", "squad", "K3", area="Jungle")
    reserve(cg, "axis", "I2", "Jungle", "P1", "P2", "P3")
    assert told(cg, "axis", Work("hip", "squad", cap)) == ""
    assert "You want HIP" in told(cg, "axis", Work("hip", "squad", cap + 1))
    assert told(cg, "axis", Work("hip", "crew", 9), Work("hip", "smc", 9)) == ""
    assert at_date(cg, "13N1").variant.hip_cap(cg, "axis") is None


def test_hip_kept_from_an_earlier_date_is_used_within_the_limit_too() -> None:
    """No more than a tenth of the squads may use HIP (Note c), whenever it was bought."""
    cg = chits(day(readings={"unused-allowances": "kept"}), "attack", "idle")
    fort(cg, "allied", "hip", None, "squad", count=2)
    squads = [add(cg, "allied", "6-6-6", "squad", "L15", area="Ridge") for _ in range(10)]
    rows = [row(unit, "L15", hide="hip" if i < 2 else "none") for i, unit in enumerate(squads)]
    assert "units: 2 squads hidden; 1 of 10" in refusals(cg, "allied", *rows)
    rows[1] = row(squads[1], "L15")
    assert not [one for one in refusals(cg, "allied", *rows) if "squads hidden" in one]


def test_half_squads_by_the_reading() -> None:
    for reading, of, used in (("halves", 22, 1), ("ignored", 20, 0)):
        cg = day(readings={"hip-half-squads": reading})
        for _ in range(10):
            add(cg, "axis", "4-4-7", "squad", "K3")
        for _ in range(2):
            add(cg, "axis", "2-3-7", "half-squad", "K3")
        cap = cg.variant.hip_cap(cg, "axis")
        assert cap is not None
        assert cap.of == of
        assert cap.count_half_squads({"half-squad": 1}) == used


# Upgrades -----------------------------------------------------------------------------------------


def dug() -> Er:
    """Foxholes, a trench; the U.S. have bought three upgrades."""
    cg = day()
    fort(cg, "allied", "foxhole", "M12", "3S", hidden=False)
    fort(cg, "allied", "foxhole", "M13", "2S")
    fort(cg, "allied", "trench", "M14")
    fort(cg, "axis", "foxhole", "K3", "3S")
    for kind in ("trench-upgrade", "trench-upgrade", "pillbox-upgrade"):
        fort(cg, "allied", kind, None)
    return cg


def test_what_is_not_set_up_is_asked_for_when_setup_stands() -> None:
    cg = dug()
    assert upgrade_places(cg, "allied", "trench-upgrade") == ["M12"]
    assert upgrade_places(cg, "allied", "pillbox-upgrade") == ["M14"]
    played = run(upgrades, cg, "allied")
    works = {(one.kind, one.size, one.at) for one in cg.state.forts.values() if one.at}
    assert ("trench", "", "M12") in works
    assert ("pillbox", "1+3+5", "M14.p") in works
    assert ("foxhole", "3S", "M12") not in works
    assert not [one for one in cg.state.forts.values() if one.kind.endswith("upgrade")]
    # The foxhole was seen, so the trench is; the pillbox is as unknown as its trench was.
    seen = [fact.fort.kind for fact in played.of("fort-joined") if fact.to is None]  # type: ignore[attr-defined]
    assert seen == ["trench"]
    (question,) = run(upgrades, cg, "allied").asked
    assert question.empty


def upgrade_row(one: Fort, at: str) -> dict[str, Any]:
    return {"fort": one.id, "at": at}


def test_they_are_set_up_with_the_rest_and_used_at_once() -> None:
    cg = chits(dug(), "attack", "idle")
    squad = add(cg, "allied", "6-6-6", "squad", "M14", area="Ridge")
    digger = add(cg, "allied", "6-6-6", "squad", "M12", area="Ridge")
    add(cg, "allied", "DC", "sw", "M12", area="Ridge", with_unit=digger.id)
    dc = fort(cg, "allied", "set-dc", None)
    trench, _, pillbox = (f for f in cg.state.forts.values() if f.kind.endswith("upgrade"))
    answer = {
        "units": [row(squad, "M14.p")],
        "forts": [upgrade_row(trench, "M12"), upgrade_row(pillbox, "M14"), {"fort": dc.id, "at": "M12", "dc": "AL3"}],
    }
    run(setting_up, cg, answers={"setup@allied": answer})
    made = {(one.kind, one.size, one.at) for one in cg.state.forts.values() if one.at}
    assert {("trench", "", "M12"), ("pillbox", "1+3+5", "M14.p"), ("set-dc", "", "M12")} <= made
    assert not made & {("foxhole", "3S", "M12"), ("trench", "", "M14")}
    assert cg.state.units[squad.id].at == "M14.p"
    # One upgrade in a hex: the trench that was made now waits for another date.
    assert upgrade_places(cg, "allied", "pillbox-upgrade") == []


def test_a_foxhole_bought_now_may_be_made_better_at_once() -> None:
    cg = chits(day(), "attack", "idle")
    add(cg, "allied", "6-6-6", "squad", "M12", area="Ridge")
    new, small, one, two = (
        fort(cg, "allied", kind, None, size)
        for kind, size in (("foxhole", "3S"), ("foxhole", "1S"), ("trench-upgrade", ""),
                           ("trench-upgrade", ""))
    )  # fmt: skip
    rows = [upgrade_row(one, "M12"), upgrade_row(new, "M12"), upgrade_row(small, "M13")]
    assert refusals(cg, "allied", forts=[*rows, upgrade_row(two, "M13")]) == [
        "forts[4].at: you have no 3S foxhole in M13; one of yours that becomes a trench"
    ]
    run(setting_up, cg, answers={"setup@allied": {"forts": rows}})
    made = {(one.kind, one.at) for one in cg.state.forts.values() if one.at}
    assert made == {("trench", "M12"), ("foxhole", "M13")}


def test_a_pillbox_of_an_old_campaign_stands_at_its_hex_and_can_be_used() -> None:
    cg = chits(day(), "attack", "idle")
    fort(cg, "allied", "pillbox", "M14", "1+3+5")
    squad = add(cg, "allied", "6-6-6", "squad", "M13", area="Ridge")
    run(setting_up, cg, answers={"setup@allied": {"units": [row(squad, "M14.p")]}})
    assert cg.state.units[squad.id].at == "M14.p"


def test_upgrades_refused() -> None:
    cg = dug()
    one, two, pillbox = (f.id for f in cg.state.forts.values() if f.kind.endswith("upgrade"))
    question = upgrades_question(cg, "allied")
    with pytest.raises(DataError, match="2 upgrades in M12; one for each hex in a CG Scenario"):
        question.accept([{"upgrade": one, "at": "M12"}, {"upgrade": two, "at": "M12"}])
    with pytest.raises(DataError, match="no trench to upgrade in M12"):
        question.accept([{"upgrade": pillbox, "at": "M12"}])
    told_ = str(next(place_problems(cg, "allied", {one: "M13"})))
    assert "no foxhole to upgrade in M13; a Location of yours with a 3S foxhole" in told_
    both = {one: "M12", pillbox: "M12"}
    assert "no trench to upgrade in M12" in str(next(place_problems(cg, "allied", both)))
    assert question.sample(Random(1)) == question.default


@pytest.mark.parametrize(("reading", "refused"), [("warned", False), ("forbidden", True)])
def test_a_pillbox_in_an_isolated_location(reading: str, refused: bool) -> None:
    cg = day(readings={"pillbox-isolated": reading})
    fort(cg, "allied", "trench", "M14")
    upgrade = fort(cg, "allied", "pillbox-upgrade", None)
    areas = tuple(area.but(isolated=area.side == "allied") for area in cg.state.areas)
    apply(cg, AreasDetermined(areas=areas))
    found = list(place_problems(cg, "allied", {upgrade.id: "M14"}))
    assert bool(found) is refused
    if found:
        assert "M14 is Isolated" in str(found[0])


# Set DC -------------------------------------------------------------------------------------------


def test_where_a_dc_is_set() -> None:
    cg = dug()
    assert "in a trench or pillbox Location" in dc_problem(cg, "allied", "M12", frozenset())
    assert dc_problem(cg, "allied", "M12", frozenset({"trench"})) == ""
    assert dc_problem(cg, "allied", "M14", frozenset()) == ""
    apply(cg, ControlChanged(side="axis", locations=("M14",)))
    assert "in one that you Control" in cg.variant.dc_problem(cg, "allied", "M14", frozenset())


def test_who_sets_it_off_is_noted_in_secret() -> None:
    cg = dug()
    assert run(dc_noted, cg, "allied").asked[0].empty
    dc = fort(cg, "allied", "set-dc", "M14")
    squad = add(cg, "allied", "6-6-6", "squad", "M14")
    _, (hidden,) = reserve(cg, "allied", "I2", "Ridge", "M15")
    assert [unit.id for unit in detonators(cg, "allied")] == [squad.id]
    assert hidden.id not in [unit.id for unit in detonators(cg, "allied")]
    played = run(dc_noted, cg, "allied")
    assert cg.state.set_dc == {dc.id: squad.id}
    assert all(fact.to == ("allied",) for fact in played.facts)
    (question,) = played.questions("detonators")
    assert question.secret
    assert question.allows(question.sample(Random(1)))
    with pytest.raises(DataError, match="is named 0 times"):
        question.accept([])
    assert not dcs_without_unit(cg, "allied")


def test_a_bought_dc_is_one_that_is_there_and_not_in_reserve() -> None:
    cg = day()
    assert "You want to Set 1 DC" in told(cg, "allied", Work("set-dc"))
    made, _ = reserve(cg, "allied", "I2", "Ridge", "M15")
    add(cg, "allied", "DC", "sw", "M15", Mark.CLOAKED, group=made.id)
    assert "You want to Set 1 DC" in told(cg, "allied", Work("set-dc"))
    add(cg, "allied", "DC", "sw", "M12")
    assert told(cg, "allied", Work("set-dc")) == ""


@pytest.mark.parametrize(("reading", "asked"), [("nobody", False), ("another", True)])
def test_a_set_dc_whose_unit_is_gone(reading: str, asked: bool) -> None:
    cg = scene(readings={"set-dc-without-unit": reading})
    dead, alive = (add(cg, "allied", "6-6-6", "squad", "M12") for _ in range(2))
    dc = fort(cg, "allied", "set-dc", "M12")
    apply(cg, DcSet(fort=dc.id, unit=dead.id, to=("allied",)))
    assert not dcs_without_unit(cg, "allied")
    apply(cg, UnitGone(unit=dead.id, side="allied", type=dead.type, place=Place.ELIMINATED))
    assert bool(dcs_without_unit(cg, "allied")) is asked
    run(dc_noted, cg, "allied")
    assert cg.state.set_dc == {dc.id: alive.id if asked else dead.id}


@pytest.mark.parametrize(
    ("reading", "barred"), [("allowed", ""), ("barred", "Ridge is Isolated; only Escape leads out")]
)
def test_whether_isolated_units_shift(reading: str, barred: str) -> None:
    cg = scene(readings={"isolated-shift": reading})
    squad = add(cg, "allied", "6-6-6", "squad", "M12", area="Ridge")
    apply(cg, AreasDetermined(areas=tuple(area.but(isolated=True) for area in cg.state.areas)))
    assert {one.value: one.why_not for one in shift_options(cg, "allied")} == {squad.id: barred}


def test_the_squad_sets_off_what_its_half_was_to_set_off() -> None:
    cg = day()
    one, two = (add(cg, "allied", "3-4-6", "half-squad", "L15", area="Ridge") for _ in range(2))
    dc = fort(cg, "allied", "set-dc", "L15")
    apply(cg, DcSet(fort=dc.id, unit=two.id))
    apply(cg, *cg.variant.pass_on(cg, two, one))
    assert cg.state.set_dc == {dc.id: one.id}
