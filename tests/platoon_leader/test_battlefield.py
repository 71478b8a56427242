"""PL 3.5: SAN, clearance of fortifications, the end of the RePh; and the Idle Firefight."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from laager.base import DataError
from laager.rules.board.facts import FortJoined
from laager.rules.board.units import Fort, Mark
from laager.rules.platoon_leader.card.card import Setup
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.facts import GroupJoined
from laager.rules.platoon_leader.reorganization.clearance import (
    casualty_candidates,
    clearable,
    clearance_modifiers,
    fortification_clearance,
)
from laager.rules.platoon_leader.reorganization.closing import (
    adjusted_san,
    closing_idle,
    closing_reorganization,
    idle_firefight,
    san_adjustment,
)
from laager.rules.platoon_leader.state import Group, Round, Type
from tests.platoon_leader.scene import add, draw, now, scene, set_ground, set_side
from tests.steps import play


@pytest.mark.parametrize(("san", "after"), [(5, 4), (0, 2), (3, 3), (2, 2), (4, 4), (1, 2), (7, 4)])
def test_san_is_brought_between_2_and_4(san: int, after: int) -> None:
    cg = scene()
    assert adjusted_san(cg, san) == after
    set_side(cg, "axis", san=san)
    played = play(san_adjustment, cg, "axis")
    assert cg.state.side("axis").san == after
    assert len(played.facts) == (san != after)


# Clearance (3.52) ---------------------------------------------------------------------------------


def fort(cg: Cg, side: str, kind: str, at: str, **more: Any) -> Fort:
    made = Fort(id=f"{side}F{cg.state.side(side).next_fort}", side=side, kind=kind, at=at, **more)
    cg.state = FortJoined(fort=made).apply(cg.state)
    return made


def attempt(*items: str, bulldozer: int = 0) -> dict[str, Any]:
    return {"clearance": [{"item": item, "bulldozer": bulldozer} for item in items]}


def test_the_walkthroughs_wire_is_cleared() -> None:
    cg = scene()
    fort(cg, "axis", "wire", "D5", hidden=False)
    played = play(fortification_clearance, cg, "axis", answers=attempt("wire D5"), dice=[(2,)])
    assert played.finals() == [3]
    assert cg.state.forts == {}


def test_the_walkthroughs_mines_stay() -> None:
    cg = scene()
    control = {"K4": "axis", "C4": "allied", "C8": "allied", "K9": "allied", "G2": "allied"}
    cg.state = cg.state.with_ground(control=control)

    draw(cg)
    fort(cg, "axis", "known-minefield", "K7", hidden=False, known_minefield=True)
    played = play(fortification_clearance, cg, "allied", answers=attempt("mines K7"), dice=[(5,)])
    assert played.finals() == [6]
    assert len(cg.state.forts) == 1


@pytest.mark.parametrize(("dr", "gone"), [(3, True), (4, False)])
def test_a_final_3_clears(dr: int, gone: bool) -> None:
    cg = scene()
    fort(cg, "axis", "wire", "C4", hidden=False)
    play(fortification_clearance, cg, "axis", answers=attempt("wire C4"), dice=[(dr,)])
    assert (cg.state.forts == {}) is gone


def test_a_failure_ends_the_tries_in_that_location_only() -> None:
    cg = scene()
    for kind, at in (("wire", "C4"), ("a-p-mines", "C4"), ("wire", "K4")):
        fort(cg, "axis", kind, at, hidden=False)
    answers = attempt("mines C4", "wire C4", "wire K4")
    played = play(fortification_clearance, cg, "axis", answers=answers, dice=[(5,), (1,)])
    assert len(played.rolls) == 2
    assert [f.at for f in cg.state.forts.values()] == ["C4", "C4"]


def test_all_mines_of_a_location_are_one_item() -> None:
    cg = scene()
    fort(cg, "axis", "a-p-mines", "C4")
    fort(cg, "axis", "a-t-mines", "C4")
    assert [item.name for item in clearable(cg, "axis")] == ["mines C4"]
    play(fortification_clearance, cg, "axis", answers=attempt("mines C4"), dice=[(1,)])
    assert cg.state.forts == {}


def test_rubble_and_flames_can_be_cleared() -> None:
    cg = scene()
    set_ground(cg, changes={"C4": frozenset({"rubble"})}, flames=frozenset({"D4", "F6"}))
    assert [item.name for item in clearable(cg, "axis")] == ["rubble C4", "flame D4"]
    play(fortification_clearance, cg, "axis", answers=attempt("rubble C4", "flame D4"), dice=[(1,), (1,)])
    assert cg.state.ground.changes["C4"] == frozenset()
    assert cg.state.ground.flames == {"F6"}


def test_what_is_hidden_from_a_side_or_elsewhere_is_not_offered() -> None:
    cg = scene()
    fort(cg, "allied", "a-p-mines", "C4", hidden=True)
    fort(cg, "axis", "wire", "F6", hidden=False)
    fort(cg, "axis", "foxhole", "C4", hidden=False)
    fort(cg, "axis", "wire", "", hidden=False)
    assert clearable(cg, "axis") == []
    (question,) = play(fortification_clearance, cg, "axis").asked
    assert question.empty, "asked all the same: the enemy must not learn that it hides no mines"


def test_nothing_is_named_twice() -> None:
    cg = scene()
    fort(cg, "axis", "wire", "C4", hidden=False)
    with pytest.raises(DataError, match="named twice"):
        play(fortification_clearance, cg, "axis", answers=attempt("wire C4", "wire C4"))


def values(cg: Cg, side: str, name: str, bulldozer: int = 0) -> dict[str, int]:
    (item,) = (one for one in clearable(cg, side) if one.name == name)
    return {m.reason[:9]: m.value for m in clearance_modifiers(cg, side, item, bulldozer)}


def test_roadblocks_near_the_enemy_and_other_drm() -> None:
    cg = scene()
    fort(cg, "axis", "roadblock", "C5", hexside="C6", hidden=False)
    fort(cg, "axis", "roadblock", "C3", hexside="C2", hidden=False)
    for _ in range(3):
        add(cg, "axis", "8-3-8", "squad", "C4", Mark.ENGINEERS)
    assert sorted(values(cg, "axis", "roadblock C5").values()) == [-1, 1]
    assert list(values(cg, "axis", "roadblock C3").values()) == [-1]
    assert sorted(values(cg, "axis", "roadblock C3", -2).values()) == [-2, -1]


def test_two_engineer_squads_or_isolated_ones_do_not_help() -> None:
    cg = scene()
    fort(cg, "axis", "wire", "C4", hidden=False)
    for mark in ((), (), (Mark.ISOLATED,)):
        add(cg, "axis", "8-3-8", "squad", "C4", Mark.ENGINEERS, *mark)
    assert values(cg, "axis", "wire C4") == {}


def test_fortifications_in_water_are_harder_to_clear() -> None:
    cg = scene()
    hexes = dict(cg.map.hexes)
    hexes["C4"] = replace(hexes["C4"], terrain="water")
    cg.replace_map(replace(cg.map, hexes=hexes))
    fort(cg, "axis", "wire", "C4", hidden=False)
    assert list(values(cg, "axis", "wire C4").values()) == [1]


def test_an_original_6_against_known_mines_reduces_an_mmc() -> None:
    cg = scene()
    fort(cg, "axis", "known-minefield", "C4", hidden=False, known_minefield=True)
    squad = add(cg, "axis", "4-6-7", "squad", "C4")
    play(fortification_clearance, cg, "axis", answers=attempt("mines C4"), dice=[(6,)])
    assert now(cg, squad).type == "2-4-7"
    assert cg.state.side("allied").cvp == 1


def test_an_original_6_against_wire_costs_nobody() -> None:
    cg = scene()
    fort(cg, "axis", "wire", "C4", hidden=False)
    squad = add(cg, "axis", "4-6-7", "squad", "C4")
    play(fortification_clearance, cg, "axis", answers=attempt("wire C4"), dice=[(6,)])
    assert now(cg, squad).type == "4-6-7"


def test_the_best_suffer_first_and_the_owner_chooses_among_equals() -> None:
    cg = scene()
    fort(cg, "axis", "panji", "C4", hidden=False)
    second = add(cg, "axis", "4-4-7", "squad", "C4")
    assert casualty_candidates(cg, "axis") == [second]
    one = add(cg, "axis", "5-4-8", "squad", "C4")
    two = add(cg, "axis", "5-4-8", "squad", "C4")
    away = add(cg, "axis", "5-4-8", "squad", "C4", Mark.ISOLATED)
    assert casualty_candidates(cg, "axis") == [one, two]
    answers = attempt("panji C4") | {"clearance-casualty": two.id}
    play(fortification_clearance, cg, "axis", answers=answers, dice=[(6,)])
    assert now(cg, two).kind == "half-squad"
    engineers = add(cg, "axis", "4-6-7", "squad", "C4", Mark.ENGINEERS)
    assert casualty_candidates(cg, "axis") == [engineers]
    assert away not in casualty_candidates(cg, "axis")


@pytest.mark.parametrize(("reading", "spared"), [("spared", True), ("alike", False)])
def test_isolated_clearers_are_spared_by_a_reading(reading: str, spared: bool) -> None:
    cg = scene({"isolated-clearers": reading})
    fort(cg, "axis", "panji", "C4", hidden=False)
    free = add(cg, "axis", "5-4-8", "squad", "C4")
    away = add(cg, "axis", "5-4-8", "squad", "C4", Mark.ISOLATED)
    assert casualty_candidates(cg, "axis") == ([free] if spared else [free, away])
    answers = attempt("panji C4") | ({} if spared else {"clearance-casualty": away.id})
    play(fortification_clearance, cg, "axis", answers=answers, dice=[(6,)])
    assert (now(cg, away).kind == "squad") is spared


def test_prisoners_clear_nothing_guarded_or_not() -> None:
    cg = scene()
    fort(cg, "axis", "panji", "C4", hidden=False)
    add(cg, "axis", "5-4-8", "squad", "C4", Mark.PRISONER, Mark.UNGUARDED)
    mine = add(cg, "axis", "4-4-7", "squad", "C4")
    assert casualty_candidates(cg, "axis") == [mine]


def mined(cg: Cg) -> tuple[Fort, Fort, Fort]:
    """A Known minefield of the Allies in an Axis hex, with hidden mines of both sides beside it."""
    known = fort(cg, "allied", "a-p-mines", "C4", hidden=False, known_minefield=True)
    theirs = fort(cg, "allied", "a-t-mines", "C4")
    return known, theirs, fort(cg, "axis", "a-p-mines", "C4")


def test_all_mines_go_with_a_known_minefield_the_enemys_hidden_ones_too() -> None:
    cg = scene()
    known, theirs, ours = mined(cg)
    wire = fort(cg, "allied", "wire", "C4")
    played = play(fortification_clearance, cg, "axis", answers=attempt("mines C4"), dice=[(1,)])
    assert list(cg.state.forts.values()) == [wire]
    told = {fact.body()["fort"]: fact.to for fact in played.of("fort-gone")}
    assert told == {known.id: None, theirs.id: ("allied",), ours.id: ("axis",)}


def test_hidden_mines_stay_when_no_known_minefield_is_cleared() -> None:
    cg = scene()
    theirs = fort(cg, "allied", "a-t-mines", "C4")
    fort(cg, "axis", "a-p-mines", "C4")
    play(fortification_clearance, cg, "axis", answers=attempt("mines C4"), dice=[(1,)])
    assert list(cg.state.forts.values()) == [theirs]


# A Dummy Minefield looks like a Known one (F.7B) --------------------------------------------------


def minefield(cg: Cg, kind: str) -> Fort:
    """What the Axis sees as a Known minefield of the Allies, in a hex of its own."""
    return fort(cg, "allied", kind, "C4", hidden=False, known_minefield=kind != "dummy-minefield")


@pytest.mark.parametrize("dr", range(1, 6))
def test_a_dummy_minefield_is_cleared_like_a_known_one(dr: int) -> None:
    seen = []
    for kind in ("a-p-mines", "dummy-minefield"):
        cg = scene()
        minefield(cg, kind)
        add(cg, "axis", "4-6-7", "squad", "C4")
        played = play(fortification_clearance, cg, "axis", answers=attempt("mines C4"), dice=[(dr,)])
        rolls = [(roll.label, rolled.final, roll.audience) for roll, rolled in played.rolls]
        asked = [question.describe() for question in played.asked]
        seen.append((asked, rolls, [(fact.tell(), fact.to) for fact in played.facts]))
    assert seen[0] == seen[1]


def test_an_original_6_gives_a_dummy_away_and_costs_nobody() -> None:
    cg = scene()
    minefield(cg, "dummy-minefield")
    squad = add(cg, "axis", "4-6-7", "squad", "C4")
    played = play(fortification_clearance, cg, "axis", answers=attempt("mines C4"), dice=[(6,)])
    assert cg.state.forts == {}
    assert [fact.to for fact in played.facts] == [None]
    assert now(cg, squad).type == "4-6-7"


def test_hidden_mines_are_not_cleared_with_a_dummy() -> None:
    cg = scene()
    minefield(cg, "dummy-minefield")
    theirs = fort(cg, "allied", "a-p-mines", "C4")
    play(fortification_clearance, cg, "axis", answers=attempt("mines C4"), dice=[(1,)])
    assert list(cg.state.forts.values()) == [theirs]


def test_a_dummy_beside_a_known_minefield_is_not_given_away() -> None:
    cg = scene()
    minefield(cg, "dummy-minefield")
    minefield(cg, "a-p-mines")
    play(fortification_clearance, cg, "axis", answers=attempt("mines C4"), dice=[(6,)])
    assert len(cg.state.forts) == 2


def test_without_mmc_nobody_suffers() -> None:
    cg = scene()
    fort(cg, "axis", "panji", "C4", hidden=False)
    played = play(fortification_clearance, cg, "axis", answers=attempt("panji C4"), dice=[(6,)])
    assert played.facts == []


# The end of the RePh, and Idle --------------------------------------------------------------------


def test_the_reorganization_ends_with_the_next_firefight() -> None:
    cg = scene()
    squad = add(cg, "axis", "4-6-8", "squad", "C4", Mark.HARDENED, Mark.FANATIC)
    set_side(cg, "axis", cvp=25, attack=True, leaders_lost=2)
    play(closing_reorganization, cg)
    state = cg.state
    assert (state.round, state.fight.number, state.since_idle) == (Round.NEW, 2, 1)
    assert state.past[0].completed
    assert state.past[0].cvp["axis"] == 25
    assert (state.side("axis").cvp, state.side("axis").attack, state.side("axis").leaders_lost) == (0, False, 0)
    assert now(cg, squad).marks == {Mark.FANATIC}


@pytest.mark.parametrize(("reading", "still"), [("apart", False), ("with-redeployment", True)])
def test_whether_2_5_still_knows_who_was_hardened(reading: str, still: bool) -> None:
    cg = scene(readings={"harden-once": reading})
    squad = add(cg, "axis", "4-6-8", "squad", "C4", Mark.HARDENED)
    play(closing_reorganization, cg)
    assert now(cg, squad).has(Mark.HARDENED) is still


def bought(cg: Cg, side: str, rg: str, firefight: int = 1) -> None:
    group = Group(id=f"{rg}/1", side=side, rg=rg, firefight=firefight, setup=Setup.OFF_MAP, cost=1)
    cg.state = GroupJoined(group=group).apply(cg.state)


def test_an_idle_firefight_loses_patrols_and_air_support() -> None:
    air = {"id": "AS1", "name": "Fighter-bombers", "kind": "air-support", "cost": 2}
    plain = scene()
    chart = [line.model_dump(mode="json") for line in plain.side("axis").chart] + [air]
    cg = scene(sides={"axis": {"chart": chart}})
    set_side(cg, "axis", patrols=1)
    bought(cg, "axis", "AS1")
    bought(cg, "axis", "I1")
    bought(cg, "axis", "I2", firefight=0)
    played = play(idle_firefight, cg, "axis")
    assert cg.state.side("axis").patrols == 0
    assert cg.state.groups["axis", "AS1/1"].lost == "the firefight was Idle"
    assert cg.state.groups["axis", "I1/1"].may_set_up
    assert not cg.state.groups["axis", "I2/1"].may_set_up
    assert all(fact.to == ("axis",) for fact in played.facts)


def test_an_idle_firefight_resets_the_count_and_goes_on() -> None:
    cg = scene()
    cg.state = replace(cg.state, since_idle=2)
    cg.state = cg.state.with_fight(type=Type.IDLE)
    play(closing_idle, cg)
    assert (cg.state.since_idle, cg.state.fight.number, cg.state.round) == (0, 2, Round.NEW)
    assert cg.state.past[0].type is Type.IDLE


def test_an_idle_firefight_may_be_the_last() -> None:
    cg = scene()
    cg.state = cg.state.with_fight(number=3, type=Type.IDLE)
    play(closing_idle, cg)
    assert cg.state.round is Round.OVER
