"""PL 2.74 step 2 to 2.758: missions, aborts, prisoners, weapons, ambushes."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from laager.base import DataError
from laager.rules.board.units import Mark, Place
from laager.rules.platoon_leader.context import Cg
from tests.platoon_leader.fight import bare, join, seen_by, told
from tests.platoon_leader.patrolling import DETECTED, SAFE, bought, lost, mission, ready, section
from tests.platoon_leader.small import card_data


def night(cg_changes: dict[str, Any] | None = None) -> Cg:
    slots = [dict(slot) for slot in card_data()["firefights"]]
    slots[0]["night"] = {"base_nvr": 2, "moon": "half"}
    cg = bought(bare(firefights=slots, **(cg_changes or {})), axis=1)
    section(cg, "axis", "D4")
    return cg


# The mission ------------------------------------------------------------------------------------


def test_a_patrol_on_its_mission_is_seen_as_a_cloaking_counter() -> None:
    _, played = mission("raid", "D7", {})
    text = told(played, "allied")
    assert "a patrol of the Germans is in D7, under a Cloaking counter" in text


def test_both_sides_tell_the_outcome_and_see_no_answer_of_the_other() -> None:
    cg, _, _ = ready()
    join(cg, "allied", "4-4-7", "squad", "M10")
    _, played = mission("raid", "D7", {}, cg=cg)
    own, enemy = (played.questions(key)[0] for key in ("patrol-outcome", "patrol-losses"))
    assert (own.side, own.secret, enemy.side, enemy.secret) == ("axis", True, "allied", True)


def test_the_enemy_is_asked_even_with_nothing_on_the_map() -> None:
    """PL 2.74: if it weren't, the patrol's side would learn that nothing hides."""
    _, played = mission("raid", "D7", {})
    (asked,) = played.questions("patrol-losses")
    assert (asked.side, asked.secret, asked.default) == ("allied", True, {"units": []})
    assert asked.form.sample(Random(1)) == {"units": []}


@pytest.mark.parametrize(
    ("type_", "words"),
    [
        ("recon", "An enemy is there: Ambush, then one round of CC"),
        ("ambush", "An enemy is there: Ambush, then one round of CC"),
        ("raid", "An enemy is there: Ambush, then two rounds of CC"),
        ("anti-vehicle", "An enemy is there: Ambush, then one round of CC"),
    ],
)
def test_who_meets_an_enemy_is_told_what_to_fight(type_: str, words: str) -> None:
    cg, _, _ = ready()
    join(cg, "allied", "4-4-7", "squad", "C8", marks=frozenset({Mark.HIP}))
    dice = [DETECTED, (1,), SAFE] if type_ == "recon" else [DETECTED, SAFE]
    _, played = mission(type_, "C8", {}, cg=cg, dice=dice)
    assert words in played.questions("patrol-outcome")[0].text


def test_recon_searches_as_many_hexes_as_its_dr() -> None:
    cg, _, _ = ready()
    join(cg, "allied", "4-4-7", "squad", "M10")
    _, played = mission("recon", "D7", {}, cg=cg, dice=[DETECTED, (5,), SAFE])
    for key in ("patrol-outcome", "patrol-losses"):
        assert "may Search 5 hexes, of D7 and those around it" in played.questions(key)[0].text


@pytest.mark.parametrize(
    ("reading", "words"), [("as-others", "if hidden enemies are there"), ("as-printed", "if no hidden enemy is there")]
)
def test_the_ambush_drm_goes_by_the_reading(reading: str, words: str) -> None:
    cg = bought(bare(readings={"ambush-hidden": reading}), axis=1)
    section(cg, "axis", "D4")
    _, played = mission("ambush", "C8", {}, cg=cg, dice=[DETECTED, (1,)])
    assert words in played.questions("patrol-outcome")[0].help
    other = bought(bare(readings={"ambush-hidden": reading}), axis=1)
    section(other, "axis", "D4")
    _, played = mission("raid", "C8", {}, cg=other)
    assert "if hidden enemies are there" in played.questions("patrol-outcome")[0].help


def test_an_attack_and_pinned_units_count_on_the_way_back() -> None:
    cg, squads, _ = ready()
    own = {"attacked": True, "units": [lost(squads[0], state="pinned")]}
    _, played = mission("raid", "D7", own, cg=cg)
    (back,) = [rolled for roll, rolled in played.rolls if "return" in roll.label]
    assert [modifier.value for modifier in back.modifiers] == [2, 1, 1]
    assert not cg.state.units[squads[0].id].has(Mark.PIN), "it is over when they are back"


def test_the_broken_come_back_broken() -> None:
    cg, squads, _ = ready()
    own = {"units": [lost(squads[0], state="broken")]}
    _, played = mission("raid", "D7", own, cg=cg)
    assert played.finals("return") == [2 + 2 + 2]
    now = cg.state.units[squads[0].id]
    assert now.has(Mark.BROKEN)
    assert not now.has(Mark.CONCEALED)


def test_losses_of_the_patrol_score_and_are_told_without_names() -> None:
    cg, squads, leader = ready(count=2)
    rows = [lost(squads[0], "reduced"), lost(squads[1], "eliminated"), lost(leader, "captured")]
    _, played = mission("raid", "D7", {"units": rows}, cg=cg)
    assert cg.state.side("allied").cvp == 1 + 2 + 2
    assert cg.state.units[leader.id].place is Place.CAPTURED
    whys = [fact.why for fact in played.of("cvp-scored")]
    assert all("(AX" not in why for why in whys)


def test_sw_may_be_used_up() -> None:
    cg, squads, _ = ready()
    charge = join(cg, "axis", "DC", "sw", "D4", with_unit=squads[0].id)
    mission("anti-vehicle", "D7", {"spent": [charge.id]}, cg=cg)
    assert cg.state.units[charge.id].place is Place.REMOVED


def test_a_patrol_that_dies_on_its_mission_does_not_return() -> None:
    cg, squads, leader = ready()
    rows = [lost(squads[0], "eliminated"), lost(leader, "eliminated")]
    _, played = mission("raid", "D7", {"units": rows}, cg=cg, dice=[DETECTED])
    assert played.questions("patrol-placement") == []


# Aborting (PL 2.751, 2.753, 2.755) --------------------------------------------------------------


@pytest.mark.parametrize("type_", ["raid", "anti-vehicle"])
def test_a_patrol_that_sees_the_enemy_may_call_it_off(type_: str) -> None:
    _, played = mission(type_, "D7", {"abort": "called-off"})
    assert played.finals("return") == [4]
    with pytest.raises(DataError, match="neither side attacks when it is called off"):
        mission(type_, "D7", {"abort": "called-off", "attacked": True})


@pytest.mark.parametrize("type_", ["recon", "ambush"])
def test_others_may_not(type_: str) -> None:
    dice = [DETECTED, (1,), SAFE]
    with pytest.raises(DataError, match="only for Raids and Anti-vehicle patrols"):
        mission(type_, "C8", {"abort": "called-off"}, dice=dice)


def test_a_ptc_from_mines_aborts_ambush_and_anti_vehicle_patrols() -> None:
    _, played = mission("ambush", "C8", {"abort": "mines"})
    assert played.finals("hides") == []
    assert played.finals("return") == [4]
    mission("anti-vehicle", "C8", {"abort": "mines"})


@pytest.mark.parametrize("type_", ["recon", "raid"])
def test_to_recon_and_raid_a_ptc_means_nothing(type_: str) -> None:
    dice = [DETECTED, *([(1,)] if type_ == "recon" else []), SAFE]
    with pytest.raises(DataError, match="Recon and Raid ignore a PTC"):
        mission(type_, "C8", {"abort": "mines"}, dice=dice)
    cg, _, leader = ready()
    own = {"abort": "mines", "units": [lost(leader, state="broken")]}
    mission(type_, "C8", own, cg=cg, dice=dice)


def test_trip_flares_send_a_patrol_home_at_night_with_2_more() -> None:
    with pytest.raises(DataError, match="only at night"):
        mission("raid", "D7", {"abort": "trip-flares"})
    _, played = mission("raid", "D7", {"abort": "trip-flares"}, cg=night())
    assert played.finals("return") == [2 + 2]


def test_a_unit_is_named_once() -> None:
    cg, squads, _ = ready()
    rows = [lost(squads[0], "reduced"), lost(squads[0], state="pinned")]
    with pytest.raises(DataError, match=f"{squads[0].id} is named twice"):
        mission("raid", "D7", {"units": rows}, cg=cg)


# The enemy --------------------------------------------------------------------------------------


def test_whom_a_patrol_finds_is_revealed_and_may_hide_again() -> None:
    cg, _, _ = ready()
    squad = join(cg, "allied", "4-4-7", "squad", "C8", marks=frozenset({Mark.HIP}))
    weapon = join(cg, "allied", "LMG", "sw", "C8", with_unit=squad.id, marks=frozenset({Mark.HIP}))
    open_ = join(cg, "allied", "4-4-7", "squad", "D7", marks=frozenset({Mark.CONCEALED}))
    rows = [lost(squad), lost(open_)]
    _, played = mission("recon", "C7", {}, rows, cg=cg, dice=[DETECTED, (6,), SAFE])
    reveals = [fact.body()["unit"]["id"] for fact in played.of("unit-revealed")]
    assert reveals[:3] == [squad.id, weapon.id, open_.id]
    (regain,) = played.questions("regain-concealment")
    assert regain.side == "allied"
    assert regain.default == [squad.id], "D7 is open ground"
    assert cg.state.units[squad.id].has(Mark.CONCEALED)
    assert not cg.state.units[squad.id].known
    assert not cg.state.units[weapon.id].known
    assert cg.state.units[open_.id].known
    seen = seen_by(played.facts, "axis").units
    assert open_.id in seen
    assert squad.id not in seen


def test_nobody_has_to_regain_concealment() -> None:
    cg, _, _ = ready()
    squad = join(cg, "allied", "4-4-7", "squad", "C8", marks=frozenset({Mark.CONCEALED}))
    mission("raid", "C8", {}, [lost(squad)], cg=cg, regain_concealment=[])
    assert cg.state.units[squad.id].known


def test_enemy_losses_score_for_the_patrol() -> None:
    cg, _, _ = ready()
    squad = join(cg, "allied", "4-4-7", "squad", "C8")
    leader = join(cg, "allied", "8-0", "leader", "C8")
    tank = join(cg, "allied", "T-34 M41", "afv", "M10")
    rows = [lost(squad, "reduced"), lost(leader, "eliminated"), lost(tank, state="immobilized")]
    mission("anti-vehicle", "C8", {}, rows, cg=cg)
    assert cg.state.side("axis").cvp == 1 + 1
    assert cg.state.units[tank.id].has(Mark.IMMOBILIZED)
    assert cg.state.units[tank.id].known


def test_a_hidden_gun_that_is_found_is_marked_as_seen() -> None:
    cg, _, _ = ready()
    crew = join(cg, "allied", "2-2-8", "crew", "C8", marks=frozenset({Mark.HIP}))
    gun = join(
        cg, "allied", "76L ART obr. 39", "gun", "C8", with_unit=crew.id,
        marks=frozenset({Mark.HIP}),
    )  # fmt: skip
    mission("raid", "C8", {}, [lost(crew)], cg=cg, regain_concealment=[])
    assert cg.state.units[gun.id].has(Mark.WAS_REVEALED)


@pytest.mark.parametrize(
    ("type_", "at", "kind", "fine"),
    [
        ("recon", "C8", "squad", True),
        ("recon", "C9", "squad", True),
        ("recon", "C10", "squad", False),
        ("raid", "C9", "squad", True),
        ("raid", "C10", "squad", False),
        ("ambush", "C8", "squad", True),
        ("ambush", "C9", "squad", False),
        ("anti-vehicle", "C9", "squad", False),
        ("anti-vehicle", "M10", "afv", True),
        ("raid", "M10", "afv", False),
    ],
)
def test_a_mission_reaches_so_far(type_: str, at: str, kind: str, fine: bool) -> None:
    cg, _, _ = ready()
    unit = join(cg, "allied", {"squad": "4-4-7", "afv": "T-34 M41"}[kind], kind, at)
    dice: list[Sequence[int]] = [DETECTED]
    dice += [(1,)] if type_ == "recon" else []
    dice += [(1,)] if type_ == "ambush" and at != "C8" else []
    if not (type_ == "ambush" and at != "C8"):
        dice += [SAFE]
    if fine:
        mission(type_, "C8", {}, [lost(unit)], cg=cg, dice=dice)
        return
    with pytest.raises(DataError, match="is out of reach"):
        mission(type_, "C8", {}, [lost(unit)], cg=cg, dice=dice)


def test_vehicles_are_neither_captured_nor_reduced() -> None:
    for how in ("captured", "reduced"):
        cg, _, _ = ready()
        tank = join(cg, "allied", "T-34 M41", "afv", "C8")
        with pytest.raises(DataError, match=r"units\[1\].lost: T-34 M41 .*; eliminated"):
            mission("raid", "C8", {}, [lost(tank, how)], cg=cg)
