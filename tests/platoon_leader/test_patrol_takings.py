"""PL 2.74 and 2.758: prisoners, weapons and ambushes of patrols; patrols by chance."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from laager.base import DataError
from laager.rules.board.units import Mark, Place, Unit
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.patrols.missions import hiding_modifiers, suffers
from laager.rules.platoon_leader.patrols.outcome import met_enemy
from laager.rules.platoon_leader.patrols.patrols import patrolling
from tests.platoon_leader.fight import bare, determined, fort, join, play_at_random
from tests.platoon_leader.patrolling import DETECTED, SAFE, bought, lost, mission, patrol_of, ready, section
from tests.steps import Played

# Prisoners --------------------------------------------------------------------------------------


def with_prisoner(dice: Sequence[Sequence[int]], **more: Any) -> tuple[Cg, Unit, Played]:
    cg, _, _ = ready()
    squad = join(cg, "allied", "4-4-7", "squad", "C8")
    join(cg, "allied", "LMG", "sw", "C8", with_unit=squad.id)
    _, played = mission("raid", "C8", {}, [lost(squad, "captured")], cg=cg, dice=dice, **more)
    return cg, squad, played


def test_prisoners_come_home_under_guard() -> None:
    cg, squad, _ = with_prisoner([DETECTED, (1, 2)])
    prisoner, guard = cg.state.units[squad.id], cg.state.units["AX5"]
    assert prisoner.has(Mark.PRISONER)
    assert (prisoner.with_unit, prisoner.at) == (guard.id, guard.at)
    assert cg.state.side("axis").cvp == 0, "they count when they are removed (PL 3.22)"


@pytest.mark.parametrize(("back", "more"), [((3, 4), []), ((6, 5), []), ((6, 6), [(6,), (1,)])])
def test_prisoners_are_lost_with_a_9_and_with_the_patrol(back: tuple[int, int], more: list[tuple[int]]) -> None:
    cg, squad, _ = with_prisoner([DETECTED, back, *more])
    prisoner = cg.state.units[squad.id]
    assert not prisoner.has(Mark.PRISONER)
    assert (prisoner.at, prisoner.place, prisoner.with_unit) == ("C8", Place.MAP, "")


def test_another_guards_the_prisoner_when_the_guard_is_lost() -> None:
    cg, squad, _ = with_prisoner([DETECTED, (4, 4), (6,), (1,)])
    # The squad that guarded was Reduced and still guards; let the half-squad be lost as well.
    assert cg.state.units[squad.id].has(Mark.PRISONER)
    half, _, _ = ready(count=0)
    join(half, "axis", "2-4-7", "half-squad", "D4")
    enemy = join(half, "allied", "4-4-7", "squad", "C8")
    # 10 or more on the way back: 4+4 +2; the half-squad is selected and lost, its leader guards.
    leader = next(half.state.units_of("axis", "leader"))
    mission("raid", "C8", {}, [lost(enemy, "captured")], cg=half, dice=[DETECTED, (4, 4), (6,), (1,)])
    now = half.state.units[enemy.id]
    assert (now.with_unit, now.at) == (leader.id, "D4")


def test_nobody_is_captured_by_a_patrol_that_is_dead() -> None:
    cg, squads, leader = ready()
    enemy = join(cg, "allied", "4-4-7", "squad", "C8")
    own = {"units": [lost(squads[0], "eliminated"), lost(leader, "eliminated")]}
    mission("raid", "C8", own, [lost(enemy, "captured")], cg=cg, dice=[DETECTED])
    assert not cg.state.units[enemy.id].has(Mark.PRISONER)
    assert cg.state.units[enemy.id].at == "C8"


# Equipment (PL 2.758) ---------------------------------------------------------------------------


def armed() -> tuple[Cg, Unit, Unit]:
    cg, _, _ = ready()
    light = join(cg, "allied", "LMG", "sw", "C8")
    gun = join(cg, "allied", "76L ART obr. 39", "gun", "C8")
    return cg, light, gun


def take(item: Unit, result: str) -> dict[str, str]:
    return {"item": item.id, "result": result}


def test_a_weapon_of_nobody_may_be_taken_home() -> None:
    cg, light, _ = armed()
    mission("raid", "C8", {}, cg=cg, patrol_equipment=take(light, "taken"))
    assert cg.state.units[light.id].place is Place.CAPTURED
    (new,) = cg.state.units_of("axis", "sw")
    assert (new.type, new.nation, new.at, new.with_unit) == ("LMG", "russian", "D4", "AX5")
    assert new.has(Mark.CAPTURED)
    assert new.place is Place.MAP


def test_or_destroyed_a_gun_for_its_cvp() -> None:
    cg, _, gun = armed()
    mission("raid", "C8", {}, cg=cg, patrol_equipment=take(gun, "destroyed"))
    assert cg.state.units[gun.id].place is Place.ELIMINATED
    assert cg.state.side("axis").cvp == 2


def test_a_gun_cannot_be_carried_nor_what_leaves_less_than_3_mf() -> None:
    cg, _, gun = armed()
    with pytest.raises(DataError, match="with 3 MF left; destroy it"):
        mission("raid", "C8", {}, cg=cg, patrol_equipment=take(gun, "taken"))


def test_only_one_may_be_tried_and_none_is_taken_by_default() -> None:
    cg, light, gun = armed()
    _, played = mission("raid", "C8", {}, cg=cg)
    (question,) = played.questions("patrol-equipment")
    assert question.secret
    assert cg.state.units[light.id].at == cg.state.units[gun.id].at == "C8"
    rng = Random(2)
    assert all(question.allows(question.sample(rng)) for _ in range(10))


def test_no_try_while_enemy_infantry_is_there_or_somebody_has_it() -> None:
    cg, light, _ = armed()
    join(cg, "allied", "4-4-7", "squad", "C8")
    _, played = mission("raid", "C8", {}, cg=cg)
    assert played.questions("patrol-equipment") == []
    other, _, _ = ready()
    crew = join(other, "allied", "2-2-8", "crew", "C9")
    join(other, "allied", "LMG", "sw", "C8", with_unit=crew.id)
    _, played = mission("raid", "C8", {}, cg=other)
    assert played.questions("patrol-equipment") == []
    assert light.at == "C8"


def test_whoever_is_broken_takes_nothing() -> None:
    cg, _, _ = armed()
    ours = [u for u in cg.state.units_of("axis") if u.at == "D4"]
    own = {"units": [lost(unit, state="broken") for unit in ours]}
    _, played = mission("raid", "C8", own, cg=cg)
    assert played.questions("patrol-equipment") == []


def test_the_weapon_of_a_prisoner_can_be_taken_and_ones_own_picked_up() -> None:
    weapon = {"item": "AL6", "result": "taken"}
    cg, squad, _ = with_prisoner([DETECTED, SAFE], patrol_equipment=weapon)
    assert cg.state.units[squad.id].has(Mark.PRISONER)
    assert [unit.type for unit in cg.state.units_of("axis", "sw")] == ["LMG"]
    own, _, _ = ready()
    lying = join(own, "axis", "MMG", "sw", "C8")
    mission("raid", "C8", {}, cg=own, patrol_equipment=take(lying, "taken"))
    now = own.state.units[lying.id]
    assert (now.at, now.with_unit, now.has(Mark.CAPTURED)) == ("D4", "AX5", False)


def test_what_is_carried_home_counts_on_the_way() -> None:
    cg, _, _ = ready()
    heavy = join(cg, "allied", "HMG", "sw", "C8")
    pp = cg.nation_of(heavy).pp("HMG", dismantled=True)
    _, played = mission("raid", "C8", {}, cg=cg, patrol_equipment=take(heavy, "taken"))
    assert played.finals("return") == [2 + 2 + pp - 1]


# Ambush -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("face", "stays"), [(1, True), (4, True), (5, False), (6, False)])
def test_an_mmc_hides_on_4_or_less(face: int, stays: bool) -> None:
    cg, squads, leader = ready()
    dice: list[Sequence[int]] = [DETECTED, (face,)]
    mission("ambush", "C8", {}, cg=cg, dice=dice if stays else [*dice, SAFE])
    assert cg.state.units[squads[0].id].at == ("C8" if stays else "D4")
    assert cg.state.units[leader.id].at == ("C8" if stays else "D4")
    assert cg.state.units[squads[0].id].has(Mark.CLOAKED) is stays


def test_smc_hide_by_themselves_and_only_who_failed_returns() -> None:
    cg, squads, leader = ready(count=2)
    weapon = join(cg, "axis", "LMG", "sw", "D4", with_unit=squads[0].id)
    _, played = mission("ambush", "C8", {}, cg=cg, dice=[DETECTED, (2,), (6,), SAFE])
    places = [cg.state.units[unit.id].at for unit in (*squads, leader, weapon)]
    assert places == ["C8", "D4", "C8", "C8"]
    (smc,) = played.questions("ambush-smc")
    assert smc.default == [leader.id]
    (back,) = [rolled for roll, rolled in played.rolls if "return" in roll.label]
    assert [modifier.value for modifier in back.modifiers] == [2], "one squad without a leader"


def test_a_leader_may_go_back_with_those_who_failed() -> None:
    cg, squads, leader = ready(count=2)
    dice = [DETECTED, (2,), (6,), SAFE]
    mission("ambush", "C8", {}, cg=cg, dice=dice, ambush_smc=[])
    assert [cg.state.units[unit.id].at for unit in (*squads, leader)] == ["C8", "D4", "D4"]


def test_who_meets_an_enemy_in_the_location_returns() -> None:
    cg, squads, _ = ready()
    join(cg, "allied", "4-4-7", "squad", "C8", marks=frozenset({Mark.HIP}))
    _, played = mission("ambush", "C8", {}, cg=cg)
    assert played.finals("hides") == []
    assert cg.state.units[squads[0].id].at == "D4"


def test_an_enemy_upstairs_is_not_met_by_an_ambush_but_by_others() -> None:
    cg, squads, leader = ready()
    join(cg, "allied", "4-4-7", "squad", "C8.1")
    assert not met_enemy(cg, patrol_of("ambush", [*squads, leader], "C8"))
    assert met_enemy(cg, patrol_of("raid", [*squads, leader], "C8"))


def test_the_pinned_return_and_all_do_with_their_leader() -> None:
    cg, squads, leader = ready(count=2)
    own = {"units": [lost(squads[0], state="pinned")]}
    mission("ambush", "C8", own, cg=cg, dice=[DETECTED, (1,), SAFE])
    assert [cg.state.units[unit.id].at for unit in (*squads, leader)] == ["D4", "C8", "C8"]
    cg, squads, leader = ready(count=2)
    own = {"units": [lost(leader, state="pinned")]}
    _, played = mission("ambush", "C8", own, cg=cg)
    assert played.finals("hides") == []
    assert {cg.state.units[unit.id].at for unit in (*squads, leader)} == {"D4"}


def test_drm_of_hiding() -> None:
    cg, _, _ = ready()
    leader = join(cg, "axis", "9-1", "leader", "D4")
    squad = join(cg, "axis", "4-6-7", "squad", "D4", marks=frozenset({Mark.STEALTHY}))
    weak = join(cg, "axis", "4-3-6", "squad", "D4")
    patrol = patrol_of("ambush", [squad, weak, leader], "C8")

    def found(unit: Unit, chief: Unit | None) -> list[int]:
        return [modifier.value for modifier in hiding_modifiers(cg, patrol, unit, chief)]

    assert found(squad, leader) == [-1, -1]
    assert found(weak, leader) == [-1, 1]
    assert found(weak, None) == [1]
    fort(cg, "allied", "wire", at="C8")
    assert found(squad, None) == [-1, 1]


def test_sw_without_a_bearer_stay_with_those_who_lie_in_wait() -> None:
    cg, squads, leader = ready(count=2)
    weapon = join(cg, "axis", "LMG", "sw", "D4", with_unit=squads[0].id)
    own = {"units": [lost(squads[0], "eliminated")]}
    mission("ambush", "C8", own, cg=cg, dice=[DETECTED, (1,)])
    assert cg.state.units[weapon.id].at == "C8"
    assert cg.state.units[weapon.id].with_unit in {squads[1].id, leader.id}


# Automatic play ---------------------------------------------------------------------------------


def test_nothing_happens_to_who_suffers_nothing() -> None:
    cg, squads, _ = ready()
    assert list(suffers(cg, squads[0], "none")) == []


@pytest.mark.parametrize("seed", range(12))
def test_random_answers_carry_patrols_to_their_end(seed: int) -> None:
    rng = Random(seed)
    cg = determined(bought(bare(intensity="high"), axis=3, allied=3))
    for side, places in (("axis", ("C4", "D4", "K4")), ("allied", ("C8", "D8", "K9"))):
        for at in places:
            units, _ = section(cg, side, at, count=2)
            join(cg, side, "LMG", "sw", at, with_unit=units[0].id)
            join(cg, side, "MMG", "sw", at, with_unit=units[1].id)
    asked = play_at_random(patrolling, cg, rng)
    assert asked > 2
    assert not [unit for unit in cg.state.units.values() if unit.place is Place.PATROL]
    assert cg.state.side("axis").patrols == cg.state.side("allied").patrols == 0
