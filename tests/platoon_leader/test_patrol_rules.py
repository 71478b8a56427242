"""PL 2.72, 2.73, 2.74 DRM and 2.757: who may go on patrol and where, and every DRM."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laager.rules.board.facts import UnitMoved
from laager.rules.board.state import evolve
from laager.rules.board.units import Mark, Place, Unit
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.patrols import rules
from laager.rules.platoon_leader.patrols.forming import patrol_question
from laager.rules.platoon_leader.patrols.patrols import patrolling
from laager.rules.platoon_leader.patrols.rules import (
    Events,
    adjacent_enemies,
    can_carry,
    capacity,
    home,
    patrol_modifiers,
    return_modifiers,
)
from tests.platoon_leader.fight import RESERVE, bare, buy, join, later
from tests.platoon_leader.patrolling import allowed, bought, patrol_of, ready, refused, row, section
from tests.platoon_leader.small import card_data
from tests.steps import play
from tests.tries import tries

DETECTION, RETURN = "patrol-detection", "patrol-return"


def slots(night: dict[str, Any] | None) -> list[dict[str, Any]]:
    found = [dict(slot) for slot in card_data()["firefights"]]
    if night is not None:
        found[0]["night"] = night
    return found


def values(
    cg: Cg, units: list[Unit], hex_: str = "D7", type_: str = "raid", sw: tuple[Unit, ...] = ()
) -> dict[str, int]:
    """Return the DRM of a patrol on its way: the words of the table to the value."""
    patrol = patrol_of(type_, units, hex_, sw)
    for item in (*units, *sw):
        cg.state = UnitMoved(unit=item.id, place=Place.PATROL).apply(cg.state)
    now = [cg.state.units[unit.id] for unit in units]
    found = patrol_modifiers(cg, patrol, now, DETECTION)
    assert found == patrol_modifiers(cg, patrol, now, RETURN), "both tables share them"
    return {modifier.reason: modifier.value for modifier in found}


# Composition ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("squads", "halves", "fine"), [(0, 1, True), (1, 0, True), (3, 0, True), (2, 2, True), (3, 1, False), (4, 0, False)]
)
def test_from_one_half_squad_to_three_squads(squads: int, halves: int, fine: bool) -> None:
    cg, _, leader = ready(count=0)
    units = [join(cg, "axis", "4-6-7", "squad", "D4") for _ in range(squads)]
    units += [join(cg, "axis", "2-4-7", "half-squad", "D4") for _ in range(halves)]
    one = row("raid", units, leader, "D7")
    assert allowed(cg, "axis", one) is fine
    if not fine:
        said = refused(cg, "axis", one)
        assert f"[1].units: {2 * squads + halves} HS-equivalents; from 1 HS to 3 squads" in said


def test_a_crew_counts_as_a_half_squad() -> None:
    cg, _, leader = ready(count=3)
    crew = join(cg, "axis", "2-2-8", "crew", "D4")
    squads = [u for u in cg.state.units_of("axis", "squad") if u.at == "D4"]
    assert allowed(cg, "axis", row("raid", [crew], leader, "D7"))
    assert "7 HS-equivalents" in refused(cg, "axis", row("raid", [crew, *squads], leader, "D7"))


def test_one_leader_with_a_rank_up_to_lieutenant() -> None:
    cg, squads, leader = ready()
    for rank in ("corporal", "sergeant", "lieutenant"):
        assert allowed(cg, "axis", row("raid", squads, leader, "D7", rank=rank))
    said = refused(cg, "axis", row("raid", squads, leader, "D7", rank="captain"))
    assert "only a Corporal, Sergeant or Lieutenant can lead a patrol" in said
    missing = row("raid", squads, leader, "D7")
    del missing["leader"]
    assert "leader: is missing" in refused(cg, "axis", missing)


def test_the_wounded_stay_behind() -> None:
    cg, squads, leader = ready()
    hurt = join(cg, "axis", "9-1", "leader", "D4", marks=frozenset({Mark.WOUNDED}))
    hero = join(cg, "axis", "1-4-9", "hero", "D4", marks=frozenset({Mark.WOUNDED}))
    for smc, field in ((hurt, "leader"), (hero, "hero")):
        one = {**row("raid", squads, leader, "D7"), field: smc.id}
        assert f"[1].{field}: {smc.label} is Wounded" in refused(cg, "axis", one)
    alone = bought(bare(), axis=1)
    join(alone, "axis", "4-6-7", "squad", "D4")
    join(alone, "axis", "9-1", "leader", "D4", marks=frozenset({Mark.WOUNDED}))
    assert patrol_question(alone, "axis").empty


def test_a_hero_may_come_along() -> None:
    cg, squads, leader = ready()
    hero = join(cg, "axis", "1-4-9", "hero", "D4")
    assert allowed(cg, "axis", row("raid", squads, leader, "D7", hero=hero.id))


@pytest.mark.parametrize("mark", [Mark.BROKEN, Mark.PRISONER, Mark.ISOLATED, Mark.BERSERK, Mark.DISRUPTED])
def test_who_is_not_in_good_order_is_not_chosen_from(mark: Mark) -> None:
    cg, squads, leader = ready()
    unfit = join(cg, "axis", "4-6-7", "squad", "D4", marks=frozenset({mark}))
    one = row("raid", [unfit, *squads], leader, "D7")
    assert "is not one of the choices" in refused(cg, "axis", one)


def test_reserves_riders_and_units_outside_the_mlr_go_on_no_patrol() -> None:
    cg, _, leader = ready()
    group = buy(cg, "axis", "I1", RESERVE)
    reserve = join(cg, "axis", "4-6-7", "squad", "D4", group=group)
    tank = join(cg, "axis", "PzIVF2", "afv", "D4")
    rider = join(cg, "axis", "4-6-7", "squad", "D4", with_unit=tank.id)
    outside = join(cg, "axis", "4-6-7", "squad", "G6")
    off_map = join(cg, "axis", "4-6-7", "squad")
    for unit in (reserve, rider, outside, off_map, tank):
        one = row("raid", [unit], leader, "D7")
        assert f"{unit.id} is not one of the choices" in refused(cg, "axis", one)


def test_all_come_from_one_mlr_at_most_10_hexes_apart() -> None:
    cg, (squad,), leader = ready(at="A3")
    assert cg.map.distance("A3", "K4") == 10
    near, far = (join(cg, "axis", "4-6-7", "squad", at) for at in ("K4", "L4"))
    assert allowed(cg, "axis", row("raid", [squad, near], leader, "D7"))
    said = refused(cg, "axis", row("raid", [squad, far], leader, "D7"))
    assert "are 11 hexes apart; 10 at most" in said


def test_units_of_two_mlrs_do_not_patrol_together() -> None:
    cg = bare(sides={"allied": {"friendly_edges": []}})
    cg.state = cg.state.with_ground(control={"C4": "axis", "K4": "axis", "G2": "allied"})
    bought(later(cg), axis=1)
    assert cg.front is not None
    line = cg.state.line
    assert line is not None
    cg.state = evolve(cg.state, line=replace(line, links={"axis": ()}))
    assert len(cg.front.mlrs["axis"]) == 2
    (one,), leader = section(cg, "axis", "C4")
    other = join(cg, "axis", "4-6-7", "squad", "K4")
    assert allowed(cg, "axis", row("raid", [one], leader, "D7"))
    assert "they come from MLR A, B" in refused(cg, "axis", row("raid", [one, other], leader, "D7"))
    # PL 2.73 measures from the MLR that the patrol leaves, its DRM from the nearest one.
    assert "C4" in home(cg, leader)
    assert "K4" not in home(cg, leader)
    assert "K4" in home(cg, other)


def test_nobody_goes_on_two_patrols() -> None:
    cg, squads, leader = ready()
    bought(cg, axis=1)
    other = join(cg, "axis", "7-0", "leader", "D4")
    twice = (row("raid", squads, leader, "D7"), row("recon", squads, other, "D8"))
    assert f"[2].units: {squads[0].id} already goes on another patrol" in refused(cg, "axis", *twice)


# SW ---------------------------------------------------------------------------------------------


def test_sw_come_from_where_the_units_are() -> None:
    cg, squads, leader = ready()
    elsewhere = join(cg, "axis", "4-6-7", "squad", "D5")
    there = join(cg, "axis", "LMG", "sw", "D5", with_unit=elsewhere.id)
    lying = join(cg, "axis", "LMG", "sw", "D4")
    assert allowed(cg, "axis", row("raid", squads, leader, "D7", sw=[lying.id]))
    one = row("raid", squads, leader, "D7", sw=[there.id])
    assert f"{there.label} is in D5" in refused(cg, "axis", one)


def test_an_sw_that_lay_there_is_carried_by_one_of_the_patrol() -> None:
    cg, squads, leader = ready()
    lying = join(cg, "axis", "LMG", "sw", "D4")
    rows = [row("raid", squads, leader, "D7", sw=[lying.id])]
    play(patrolling, cg, answers={"patrols@axis": rows}, dice=[(3, 3), (1, 1)])
    assert cg.state.units[lying.id].with_unit == squads[0].id


@pytest.mark.parametrize(
    ("weapons", "fine"),
    [
        (("HMG",), True),
        (("HMG", "LMG"), True),
        (("HMG", "HMG"), True),
        (("HMG", "HMG", "LMG", "LMG"), True),
        (("HMG", "HMG", "HMG"), False),
        (("dm 81* MTR",), False),
        (("LMG",) * 8, True),
        (("LMG",) * 9, False),
    ],
)
def test_the_patrol_keeps_3_mf(weapons: tuple[str, ...], fine: bool) -> None:
    """A squad has 4 MF and carries 3 PP, a leader 6 MF and 1 PP: 4 PP each leave 3 MF."""
    cg, squads, leader = ready()
    sw = [join(cg, "axis", one, "sw", "D4", with_unit=squads[0].id).id for one in weapons]
    one = row("raid", squads, leader, "D7", sw=sw)
    assert allowed(cg, "axis", one) is fine
    if not fine:
        assert "the patrol must keep 3 MF" in refused(cg, "axis", one)


def test_capacity_falls_with_wounds_and_inexperience() -> None:
    cg = bare()
    squad, green = join(cg, "axis", "4-6-7", "squad"), join(cg, "axis", "4-3-6", "squad")
    leader = join(cg, "axis", "8-0", "leader")
    hurt = join(cg, "axis", "8-0", "leader", marks=frozenset({Mark.WOUNDED}))
    assert [capacity(cg, unit) for unit in (squad, green, leader, hurt)] == [4, 3, 4, 1]


@tries(150)
@given(st.lists(st.integers(0, 5), max_size=5), st.lists(st.integers(0, 6), max_size=4))
def test_sharing_out_loads_is_exact(loads: list[int], rooms: list[int]) -> None:
    def fits(choice: tuple[int, ...]) -> bool:
        sums = [0] * len(rooms)
        for load, bearer in zip(loads, choice, strict=True):
            sums[bearer] += load
        return all(total <= room for total, room in zip(sums, rooms, strict=True))

    every = product(range(len(rooms)), repeat=len(loads))
    assert can_carry(loads, rooms) is any(fits(choice) for choice in every)


# Mission Hex ------------------------------------------------------------------------------------


def test_the_mission_hex_is_10_hexes_off_at_most() -> None:
    cg, squads, leader = ready()
    ours = cg.setup_area("axis")
    away = {n: min(cg.map.distance(n, m) for m in ours) for n in cg.map.playable}
    assert max(away.values()) <= 10
    assert allowed(cg, "axis", row("raid", squads, leader, "G10"))
    small = bought(bare(sides={"axis": {"setup": ["A3-A5", "C4", "B3-B5"]}}), axis=1)
    units, chief = section(small, "axis", "C4")
    assert small.map.distance("M8", "C4") == 10
    assert allowed(small, "axis", row("raid", units, chief, "M8"))
    said = refused(small, "axis", row("raid", units, chief, "M10"))
    assert "M10 is 11 hexes from the patrol's MLR; 10 at most" in said


def test_the_mission_hex_is_a_hex_that_infantry_can_enter() -> None:
    cg, squads, leader = ready()
    assert "'X9' is not a hex in play" in refused(cg, "axis", row("raid", squads, leader, "X9"))
    cg.state = cg.state.with_ground(blazes=frozenset({"D7"}))
    assert "Infantry can't enter D7" in refused(cg, "axis", row("raid", squads, leader, "D7"))
    unsure = row("raid", squads, leader, "D8", accessible=False)
    assert "the hex must be Accessible" in refused(cg, "axis", unsure)


def test_an_ambush_needs_concealment_terrain() -> None:
    cg, squads, leader = ready()
    assert allowed(cg, "axis", row("ambush", squads, leader, "C8"))
    said = refused(cg, "axis", row("ambush", squads, leader, "D7"))
    assert "D7 is not Concealment Terrain" in said


def test_random_patrols_are_legal() -> None:
    cg = bought(bare(), axis=3)
    for at in ("C4", "D4", "K4", "L5"):
        units, _ = section(cg, "axis", at, count=2)
        join(cg, "axis", "MMG", "sw", at, with_unit=units[0].id)
        join(cg, "axis", "1-4-9", "hero", at)
    question = patrol_question(cg, "axis")
    assert question is not None
    rng = Random(11)
    samples = [question.sample(rng) for _ in range(40)]
    assert all(question.allows(sample) for sample in samples)
    assert any(len(sample) > 1 for sample in samples)


def test_no_hex_for_an_ambush_gives_no_suggestion() -> None:
    cg, _, _ = ready()
    names = [n for n in cg.map.playable if n not in cg.setup_area("axis")]
    cg.state = cg.state.with_ground(blazes=frozenset(names))
    question = patrol_question(cg, "axis")
    assert question is not None
    assert question.sample(Random(1)) == []


# DRM --------------------------------------------------------------------------------------------


def test_by_day_2_and_in_the_pto_none() -> None:
    cg, squads, leader = ready()
    assert values(cg, [*squads, leader]) == {"by day outside the PTO": 2}
    pto = bought(bare(pto=True), axis=1)
    units, chief = section(pto, "axis", "D4")
    assert values(pto, [*units, chief]) == {}


@pytest.mark.parametrize(
    ("pto", "moon", "total"),
    [(False, "half", 0), (False, "none", 1), (False, "full", 1), (True, "half", 2), (True, "full", 3)],
)
def test_night_and_moon(pto: bool, moon: str, total: int) -> None:
    cg = bought(bare(pto=pto, firefights=slots({"base_nvr": 1, "moon": moon})), axis=1)
    units, leader = section(cg, "axis", "D4")
    assert sum(values(cg, [*units, leader]).values()) == total


@pytest.mark.parametrize(("leader", "drm"), [("10-2", -2), ("8-0", 0), ("6+1", 1)])
def test_leadership(leader: str, drm: int) -> None:
    cg, squads, chief = ready(leader=leader)
    found = values(cg, [*squads, chief])
    assert found.get("leadership of the patrol's leader", 0) == drm


def test_a_wound_makes_leadership_worse_and_none_has_no_drm() -> None:
    cg, squads, _ = ready()
    hurt = join(cg, "axis", "9-1", "leader", "D4", marks=frozenset({Mark.WOUNDED}))
    assert "leadership of the patrol's leader" not in values(cg, [*squads, hurt])
    assert values(cg, squads) == {"by day outside the PTO": 2}


def test_only_recon_has_its_drm() -> None:
    cg, squads, leader = ready()
    assert values(cg, [*squads, leader], type_="recon")["Recon patrol"] == -1
    again, squads, leader = ready()
    assert "Recon patrol" not in values(again, [*squads, leader], type_="raid")


@pytest.mark.parametrize(("types", "elite"), [(["4-6-8", "4-6-8"], True), (["4-6-8", "4-6-7"], False)])
def test_elite_needs_all_mmc(types: list[str], elite: bool) -> None:
    cg, _, leader = ready()
    units = [join(cg, "axis", one, "squad", "D4") for one in types]
    found = values(cg, [*units, leader])
    assert ("every MMC of the patrol is Elite" in found) is elite


def test_stealthy_needs_all_and_lax_and_inexperienced_any_and_each_counts_once() -> None:
    cg, _, leader = ready()
    sly = [join(cg, "axis", "4-6-7", "squad", "D4", marks=frozenset({Mark.STEALTHY})) for _ in "ab"]
    plain = join(cg, "axis", "4-6-7", "squad", "D4")
    assert values(cg, [*sly, leader])["every MMC of the patrol is Stealthy"] == -1
    again, _, leader = ready()
    sly = [join(again, "axis", "4-6-7", "squad", "D4", marks=frozenset({Mark.STEALTHY}))]
    plain = join(again, "axis", "4-6-7", "squad", "D4")
    assert "every MMC of the patrol is Stealthy" not in values(again, [*sly, plain, leader])
    poor, _, leader = ready()
    weak = [join(poor, "axis", "4-3-6", "squad", "D4") for _ in "ab"]
    found = values(poor, [*weak, leader])
    assert found["an MMC of the patrol is Inexperienced"] == 1
    assert found["an MMC of the patrol is Lax"] == 1


def test_finns_are_stealthy_by_type() -> None:
    cg = bought(bare(sides={"axis": {"nation": "finnish", "ob": {"groups": []}}}), axis=1)
    units, leader = section(cg, "axis", "D4", "8-0", type_="6-4-8")
    assert values(cg, [*units, leader])["every MMC of the patrol is Stealthy"] == -1


@pytest.mark.parametrize(("away", "drm"), [(1, 0), (3, 0), (4, 1), (6, 1), (7, 2), (9, 2), (10, 3)])
def test_distance_from_the_nearest_mlr(away: int, drm: int) -> None:
    cg = bought(bare(sides={"axis": {"setup": ["A3"]}}), axis=1)
    units, leader = section(cg, "axis", "A3")
    names = [n for n in cg.sort(cg.map.playable) if cg.map.distance(n, "A3") == away]
    found = values(cg, [*units, leader], hex_=names[-1])
    words = "3 hexes (FRU) beyond the third from the friendly MLR"
    assert sum(v for k, v in found.items() if k.endswith(words)) == drm


@pytest.mark.parametrize(("squads", "halves", "drm"), [(1, 0, 0), (0, 1, 0), (2, 1, 3), (3, 0, 4)])
def test_every_half_squad_beyond_a_squad(squads: int, halves: int, drm: int) -> None:
    cg, _, leader = ready(count=0)
    units = [join(cg, "axis", "4-6-7", "squad", "D4") for _ in range(squads)]
    units += [join(cg, "axis", "2-4-7", "half-squad", "D4") for _ in range(halves)]
    found = values(cg, [*units, leader])
    assert sum(v for k, v in found.items() if k.endswith("one squad in the patrol")) == drm


@pytest.mark.parametrize(("weapons", "drm"), [((), 0), (("LMG",), 0), (("LMG", "MMG"), 2), (("HMG",), 2), (("PF",), 0)])
def test_dismantled_pp_beyond_the_first(weapons: tuple[str, ...], drm: int) -> None:
    cg, squads, leader = ready()
    sw = [join(cg, "axis", one, "sw", "D4", with_unit=squads[0].id) for one in weapons]
    found = values(cg, [*squads, leader], sw=tuple(sw))
    assert sum(v for k, v in found.items() if "PP of dismantled" in k) == drm


def test_each_adjacent_hex_with_a_known_enemy_counts_once() -> None:
    cg, squads, leader = ready()
    for _ in range(2):
        join(cg, "allied", "4-4-7", "squad", "D8", known=True)
    join(cg, "allied", "T-34 M41", "afv", "C7", known=True)
    join(cg, "allied", "4-4-7", "squad", "D7", known=True)
    join(cg, "allied", "4-4-7", "squad", "D9", known=True)
    found = values(cg, [*squads, leader])
    assert found["2 x enemy in a hex beside the Mission Hex"] == 2


def test_no_enemy_are_prisoners_wrecks_weapons_and_our_own() -> None:
    cg, squads, leader = ready()
    patrol = patrol_of("raid", [*squads, leader], "D7")
    join(cg, "allied", "4-4-7", "squad", "D8", marks=frozenset({Mark.PRISONER}))
    join(cg, "allied", "T-34 M41", "afv", "C7", marks=frozenset({Mark.WRECK}))
    join(cg, "allied", "T-34 M41", "afv", "C8", marks=frozenset({Mark.ABANDONED}))
    join(cg, "allied", "LMG", "sw", "E7")
    join(cg, "axis", "4-6-7", "squad", "D6", known=True)
    assert adjacent_enemies(cg, patrol) == (0, 0)
    join(cg, "allied", "4-4-7", "squad", "D6", marks=frozenset({Mark.HIP}))
    assert adjacent_enemies(cg, patrol) == (0, 1)


@pytest.mark.parametrize(
    ("events", "marks", "more"),
    [
        (Events(), frozenset(), []),
        (Events(attacked=True), frozenset(), [1]),
        (Events(trip_flares=True), frozenset(), [2]),
        (Events(), frozenset({Mark.PIN}), [1]),
        (Events(), frozenset({Mark.BROKEN}), [2]),
        (Events(attacked=True, trip_flares=True), frozenset({Mark.PIN, Mark.BROKEN}), [1, 1, 2, 2]),
    ],
)
def test_drm_of_the_return_only(events: Events, marks: frozenset[Mark], more: list[int]) -> None:
    cg, squads, leader = ready()
    squad = squads[0].model_copy(update={"marks": marks})
    patrol = patrol_of("raid", [squad, leader], "D7")
    found = return_modifiers(cg, patrol, [squad, leader], events)
    base = patrol_modifiers(cg, patrol, [squad, leader], RETURN)
    assert [modifier.value for modifier in found[len(base) :]] == more


@pytest.mark.parametrize("most", [1, 2])
def test_the_map_shows_the_hexes_to_which_a_patrol_can_go(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    cg, _, leader = ready()
    monkeypatch.setattr(type(cg), "charts", SimpleNamespace(limit=lambda _: most))
    right = {name for name in cg.map.playable if not list(rules.mission_hex_problems(cg, "raid", name, leader))}
    assert rules.mission_hexes(cg, leader) == right
    assert set(home(cg, leader)) < right < cg.map.playable
