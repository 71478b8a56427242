"""Night: roles, ELR, Cloaking, release, leaders; what players tell while they play."""

from __future__ import annotations

from typing import Any

import pytest

from laager.base import DataError
from laager.hexmap.ways.paths import path_gaps
from laager.rules.board.facts import MassacreInvoked
from laager.rules.board.units import Mark
from laager.rules.edsons_ridge.context import Er
from laager.rules.edsons_ridge.night import (
    attackers,
    defender,
    elr_in_force,
    free_leaders,
    is_held_back,
    releases_reinforcements,
)
from laager.rules.edsons_ridge.reminders import in_force, of_side
from laager.rules.edsons_ridge.steps.events import JUNGLE, REINFORCEMENT_DR, RELEASED, WIRE, event_options
from laager.rules.edsons_ridge.terrain import burns_as_jungle, is_concealing, jungle_hit
from tests.edsons_ridge.scene import add, apply, at_date, chits, fort, group, reserve, scene
from tests.historical.driver import run


def at(date: str, axis: str = "attack", allied: str = "idle", **more: Any) -> Er:
    return chits(at_date(scene(**more), date), axis, allied)


def happens(cg: Er, event: str, answers: Any = (), dice: Any = (), turn: int = 1) -> Any:
    def event_(_: Er) -> Any:
        yield from cg.variant.carry_out_event(cg, event, turn)

    return run(event_, cg, None, answers, dice)


def events(cg: Er) -> set[str]:
    return {option.value for option in event_options(cg)}


@pytest.mark.parametrize(
    ("date", "axis", "allied", "found"),
    [
        ("13D", "attack", "idle", (4, 3)),
        ("13N1", "attack", "idle", (4, 2)),
        ("13N1", "idle", "attack", (3, 3)),
        ("13N1", "attack", "attack", (4, 3)),
    ],
)
def test_elr_of_the_defender_at_night(date: str, axis: str, allied: str, found: tuple[int, int]) -> None:
    cg = at(date, axis, allied)
    assert (elr_in_force(cg, "axis"), elr_in_force(cg, "allied")) == found


def test_at_night_no_elr_falls_below_0() -> None:
    for printed in (1, 0):
        cg = at("13N1", "attack", "idle")
        cg.state = cg.state.with_side("allied", elr=printed)
        assert elr_in_force(cg, "allied") == 0


def test_nobody_defends_in_a_dual_attack() -> None:
    cg = at("13N1", "attack", "attack")
    assert attackers(cg) == ("axis", "allied")
    assert defender(cg) == ""
    assert not is_held_back(cg, "axis")
    assert not is_held_back(cg, "allied")
    assert cg.variant.game_end_roller(cg, "allied") == "allied"
    assert cg.variant.game_end_roller(cg, "axis") == "axis"
    assert at("13N1").variant.game_end_roller(cg, "allied") == "allied"
    single = at("13D", "idle", "attack")
    assert single.variant.game_end_roller(single, "axis") == "allied"


def test_massacre_and_elr_are_reminded() -> None:
    cg = at("13N1")
    apply(cg, MassacreInvoked(side="axis"))
    text = "\n".join(one.text for one in in_force(cg))
    assert "ELR of the U.S.: 2 (3 by day; Scenario Defender at night)" in text
    assert "Japanese: Massacre" in text
    assert "Game End dr after each Player Turn from turn 6 on, by Japanese" in text
    assert "turn 6: 2" in text
    assert "NVR" not in text
    assert "units off the map are held back until released" in text
    assert "eligible SW MG can Bore Sight" in text
    assert "no Bore Sighting" in "\n".join(one.text for one in in_force(at("13D")))


# Cloaking -----------------------------------------------------------------------------------------


def test_who_may_be_cloaked() -> None:
    for date, side, able in (("13N1", "axis", True), ("13N1", "allied", False), ("13D", "axis", False)):
        cg = at(date)
        squad = add(cg, side, "4-4-7" if side == "axis" else "6-6-6", "squad", "K12")
        assert (cg.variant.cloak_problem(cg, squad) == "") is able
    cg = at("13N1")
    gun = add(cg, "axis", "70* INF", "gun", "K3")
    assert "at night Infantry of the Scenario Attacker" in cg.variant.cloak_problem(cg, gun)
    _, (hidden,) = reserve(cg, "allied", "I2", "Ridge", "K14")
    assert cg.variant.cloak_problem(cg, hidden) == ""


def test_the_best_two_leaders_of_the_defender() -> None:
    cg = at("13N1")
    names = ("8-1", "9-2", "10-2", "8-0", "6+1")
    units = [add(cg, "allied", name, "leader", "K14") for name in names]
    made, _ = reserve(cg, "allied", "I2", "Ridge", "K15")
    add(cg, "allied", "10-3", "leader", "K15", Mark.CLOAKED, group=made.id)
    assert [unit.type for unit in free_leaders(cg, "allied")] == ["10-2", "9-2"]
    assert not free_leaders(cg, "axis")
    assert "10-2" in next(of_side(cg, "allied")).text
    assert units


# Release ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("face", "turn", "free"), [(3, 3, False), (3, 4, True), (1, 2, True)])
def test_a_dr_below_the_turn_releases(face: int, turn: int, free: bool) -> None:
    assert releases_reinforcements(face, turn) is free
    cg = at("13N1")
    assert {REINFORCEMENT_DR, RELEASED} <= events(cg)
    played = happens(cg, REINFORCEMENT_DR, dice=[(face,)], turn=turn)
    assert not played.asked
    assert is_held_back(cg, "allied") is not free
    can = "may enter" if free else "may not enter yet"
    assert [fact.tell() for fact in played.facts] == [f"reinforcements of allied {can}"]
    assert (REINFORCEMENT_DR in events(cg)) is not free
    assert all(fact.to is None for fact in played.facts)


def test_an_event_releases_without_a_dr() -> None:
    cg = at("13N1")
    happens(cg, RELEASED)
    assert not is_held_back(cg, "allied")
    assert is_held_back(chits(at_date(cg, "13N2"), "attack", "idle"), "allied")
    assert not {REINFORCEMENT_DR, RELEASED} & events(at("13D"))


def test_by_the_reading_a_dr_is_for_one_group_that_only_its_owner_knows() -> None:
    cg = at("13N1", readings={"night-release": "group"})
    made = group(cg, "allied", "I1")
    add(cg, "allied", "6-6-7", "squad", group=made.id, area="L24")
    missed = happens(cg, REINFORCEMENT_DR, {"reinforcement-dr": made.id}, [(6,)], turn=6)
    assert (missed.facts[0].tell(), missed.facts[0].to) == (
        f"reinforcements of {made.id} may not enter yet",
        ("allied",),
    )
    played = happens(cg, REINFORCEMENT_DR, {"reinforcement-dr": made.id}, [(2,)], turn=6)
    assert played.facts[0].to == ("allied",)
    assert played.questions("reinforcement-dr")[0].secret
    assert made.id in cg.state.released_now()
    assert is_held_back(cg, "allied")
    assert made.id not in played.rolls[0][0].label
    happens(cg, REINFORCEMENT_DR, {"reinforcement-dr": ""}, [(2,)], turn=6)
    assert "OB" in cg.state.released_now()


# Terrain ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "calibre", "change", "why"),
    [
        ("C3", 70, "shellholes", ""),
        ("B3", 105, "rubble", ""),
        ("C3", 60, "", "OBA of 60mm changes nothing; it takes 70mm"),
        ("M12", 80, "", "there is no jungle in M12"),
    ],
)
def test_heavy_oba_on_jungle(name: str, calibre: int, change: str, why: str) -> None:
    hit = jungle_hit(at("13D"), name, calibre)
    assert (hit.change, hit.why_not) == (change, why)


def test_jungle_that_was_hit_stays_changed() -> None:
    cg = at("13D")
    assert "C3" not in path_gaps(cg.map)
    for name in ("C3", "B3"):
        happens(cg, JUNGLE, {"jungle-hit": {"hex": name, "calibre": 80}})
    assert cg.map.hex("C3").contents >= {"palm"}
    assert "jungle" not in cg.map.hex("C3").contents
    assert "C3" in path_gaps(cg.map)
    assert "dense-jungle" not in cg.map.hex("B3").contents
    assert burns_as_jungle(cg, "B3")
    assert not burns_as_jungle(cg, "C3")
    assert is_concealing(cg, "B3")
    assert jungle_hit(cg, "B3", 80).why_not == "B3 has been changed already"
    text = "\n".join(one.text for one in in_force(cg))
    assert "wooden rubble that still burns as jungle: B3" in text
    with pytest.raises(DataError, match="has been changed already"):
        happens(cg, JUNGLE, {"jungle-hit": {"hex": "B3", "calibre": 80}})
    with pytest.raises(DataError, match="isn't on the map"):
        happens(cg, JUNGLE, {"jungle-hit": {"hex": "ZZ1", "calibre": 80}})
    assert not happens(cg, JUNGLE).facts


def test_what_conceals() -> None:
    cg = at("13D")
    assert is_concealing(cg, "C3")
    assert not is_concealing(cg, "M12")
    fort(cg, "allied", "trench", "M12")
    assert is_concealing(cg, "M12")


@pytest.mark.parametrize(("face", "mf"), [(1, 1), (2, 1), (3, 1), (4, 2), (5, 3), (6, 4)])
def test_wire(face: int, mf: int) -> None:
    cg = at("13D")
    played = happens(cg, WIRE, {"wire-side": "allied"}, [(face,)])
    (final,) = played.finals()
    assert cg.table("wire").result(final) == mf
    assert played.facts == []
