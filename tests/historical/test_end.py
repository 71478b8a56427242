"""The end of a scenario: Melee, markers, OBA, rally, unloading, Encirclement."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laager.campaign.facts import Fact
from laager.campaign.steps import Procedure
from laager.rules.board.card.parts import other_side
from laager.rules.board.changes import INFANTRY
from laager.rules.board.facts import UnitChanged, UnitGone
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.refit import end
from laager.rules.board.hasl.refit.blazes import blazes
from laager.rules.board.hasl.refit.equipment import equipment_possession
from laager.rules.board.hasl.refit.leaders import recombining_and_hardening, wounded_leaders
from laager.rules.board.hasl.refit.prisoners import prisoners
from laager.rules.board.hasl.report.report import scenario_report
from laager.rules.board.hasl.state import Group
from laager.rules.board.hasl.variant import Variant
from laager.rules.board.units import Mark, Place
from tests.historical.aftermath import aftermath
from tests.historical.driver import run
from tests.historical.small import add
from tests.historical.test_report import EXITS, Checked, Wet, secrets_kept, sound
from tests.report_rows import cvp, ours
from tests.tries import tries


def marked(cg: Any, unit: str, *marks: Mark, **more: Any) -> None:
    cg.state = cg.state.with_unit(unit, lambda u: u.but(marks=u.marks | set(marks), **more))


# Melee --------------------------------------------------------------------------------------------


def fight() -> Any:
    """Return the aftermath with a Melee in B4: AX1 and AX3 against AL1 and AL3."""
    cg = aftermath()
    for unit in ("AX1", "AX3", "AL1", "AL3"):
        marked(cg, unit, Mark.MELEE, at="B4")
    return cg


def test_who_is_left_alone_with_an_mmc_gains_control() -> None:
    cg = fight()
    rows = [{"unit": unit, "what": "eliminated"} for unit in ("AL1", "AL3")]
    rows.append({"unit": "AX1", "what": "reduced"})
    played = run(end.melee, cg, answers={"melee": {"rows": rows}})
    assert cg.state.ground.control["B4"] == "axis"
    assert cvp(cg) == (2 + cg.nation("allied").cvp("9-1"), 1)
    assert not any(unit.has(Mark.MELEE) for unit in cg.state.units.values() if unit.in_play)
    assert "AX1" in played.questions("melee")[0].text


def test_control_stays_where_both_or_no_mmc_are_left() -> None:
    cg = fight()
    played = run(end.melee, cg)
    assert cg.state.ground.control["B4"] == "allied"
    assert cg.state.notes == ("both sides are still in B4 after the Melee",)
    assert played.of("control-changed") == []
    cg = fight()
    rows = [{"unit": unit, "what": "eliminated"} for unit in ("AL1", "AL3", "AX1")]
    run(end.melee, cg, answers={"melee": {"rows": rows}})
    assert cg.state.ground.control["B4"] == "allied"


def test_a_prisoner_holds_nothing() -> None:
    cg = fight()
    rows = [{"unit": "AL1", "what": "captured", "by": "AX1"}, {"unit": "AL3", "what": "captured"}]
    run(end.melee, cg, answers={"melee": {"rows": rows}})
    assert cg.state.ground.control["B4"] == "axis"
    assert ours(cg, "AL1").with_unit == "AX1"
    assert cvp(cg) == (2 * cg.nation("allied").cvp("9-1"), 0)


def test_without_a_melee_nothing_is_asked() -> None:
    played = run(end.melee, aftermath())
    assert (played.asked, played.facts) == ([], [])


# Markers ------------------------------------------------------------------------------------------

TEMPORARY = {
    *(Mark.PIN, Mark.TI, Mark.CX, Mark.BERSERK, Mark.TANK_HUNTER, Mark.CLIMBING, Mark.MOTION),
    *(Mark.BUTTONED_UP, Mark.CREW_EXPOSED, Mark.HULL_DOWN, Mark.ACQUIRED),
}


def test_markers_of_passing_states_come_off_and_no_others() -> None:
    cg = aftermath()
    for mark in Mark:
        if mark not in (Mark.WRECK, Mark.PRISONER):
            marked(cg, "AX1", mark)
    before = ours(cg, "AX1").marks
    run(end.marker_removal, cg)
    assert before - ours(cg, "AX1").marks == TEMPORARY | {Mark.CLOAKED}
    assert ours(cg, "AX9").marks == {Mark.HIP, Mark.EMPLACED}


def test_tank_hunter_heroes_do_not_last() -> None:
    cg = aftermath()
    hero = add(cg, "axis", "1-4-9", "hero", "G2", Mark.TANK_HUNTER, known=True)
    plain = add(cg, "axis", "1-4-9", "hero", "G2", known=True)
    run(end.marker_removal, cg)
    assert ours(cg, hero.id).place is Place.REMOVED
    assert ours(cg, plain.id).on_map
    assert cvp(cg) == (0, 0)


class UsedUp(Variant[Any]):
    def module_loss(self, cg: Hasl, group: Group) -> str:
        return "an FFE:1 was placed" if group.used else ""


def module(cg: Any, side: str, **changes: Any) -> None:
    cg.state = cg.state.with_group(side, "O1/1", **changes)


def test_a_module_is_used_up_or_restored() -> None:
    cg = aftermath(variant=UsedUp())
    module(cg, "allied", in_play=True, used=True, pre_registered=("B4",))
    module(cg, "axis", in_play=True, black=6, red=1)
    played = run(end.marker_removal, cg)
    ours_, theirs = cg.state.groups["axis", "O1/1"], cg.state.groups["allied", "O1/1"]
    assert (ours_.lost, ours_.black, ours_.red) == ("", 8, 2)
    assert (theirs.lost, theirs.pre_registered) == ("an FFE:1 was placed", ())
    facts = played.of("group-changed")
    assert [fact.to for fact in facts] == [("axis",), ("allied",)]
    assert facts[0].why == "Retained: its Draw Pile is 8 black and 2 red again"
    assert facts[1].why == "radio and module are gone: an FFE:1 was placed"


def test_without_such_a_rule_every_module_is_retained() -> None:
    cg = aftermath()
    module(cg, "axis", in_play=True, used=True)
    played = run(end.marker_removal, cg)
    assert not cg.state.groups["axis", "O1/1"].used
    assert not cg.state.groups["axis", "O1/1"].lost
    # The other one was not in play: there is nothing to tell.
    assert len(played.of("group-changed")) == 1


def test_a_module_that_no_chart_lists_keeps_its_own_pile() -> None:
    cg = aftermath()
    module(cg, "axis", in_play=True, rg="O7", black=7, red=3)
    run(end.marker_removal, cg)
    group = cg.state.groups["axis", "O1/1"]
    assert (group.black, group.red) == (7, 3)


def test_cloaking_ends_with_the_scenario() -> None:
    cg = aftermath()
    cg.state = cg.state.with_unit("AX4", lambda u: u.but(marks=frozenset({Mark.CLOAKED})))
    cg.state = cg.state.with_unit("AX10", lambda u: u.but(marks=frozenset({Mark.CLOAKED})))
    run(end.marker_removal, cg)
    assert ours(cg, "AX4").marks == {Mark.CONCEALED}
    assert ours(cg, "AX10").marks == frozenset()


# Rally and unloading ------------------------------------------------------------------------------


def test_broken_units_rally_but_for_those_named() -> None:
    cg = aftermath()
    for unit in ("AX1", "AX3", "AX4", "AL5"):
        marked(cg, unit, Mark.BROKEN, Mark.DM)
    marked(cg, "AL6", Mark.BROKEN, Mark.PRISONER)
    rows = [{"unit": "ax1", "what": "stays"}, {"unit": "AX4", "what": "reduced"}]
    played = run(end.rally_and_unloading, cg, answers={"rally@axis": {"rows": rows}})
    assert [question.text.partition("It is about ")[2] for question in played.asked] == [
        "4-6-7 (AX1) in G2, 9-1 (AX3) in G2, 4-6-7 (AX4) in H3",
        "3-3-8 (AL5) in D2",
    ]
    assert ours(cg, "AX1").has(Mark.BROKEN)
    assert ours(cg, "AX4").type == "2-4-7"
    for unit in ("AX3", "AX4", "AL5"):
        assert not ours(cg, unit).has(Mark.BROKEN, Mark.DM)
    assert ours(cg, "AL6").has(Mark.BROKEN)
    assert cvp(cg) == (0, 1)
    ended = played.of("scenario-ended")[0]
    assert ended.why == "CVP amassed: German 0, British 1"
    assert cg.state.scenario.ended
    assert cg.state.scenario.cvp == {"axis": 0, "allied": 1}


def test_passengers_get_off_and_guns_are_unhooked() -> None:
    cg = aftermath()
    rider = add(cg, "axis", "4-6-7", "squad", "F3", with_unit="AX6", known=True)
    crew = add(cg, "axis", "2-2-8", "crew", "F3", with_unit="AX6", known=True, group="G1/1")
    gun = add(cg, *("axis", "37L AT PaK 35/36", "gun", "F3", Mark.HOOKED), with_unit="AX6", known=True, group="G1/1")
    captive = add(cg, "allied", "6-4-8", "squad", "F3", Mark.PRISONER, with_unit="AX6", known=True)
    run(end.rally_and_unloading, cg)
    assert ours(cg, rider.id).with_unit == ""
    assert ours(cg, crew.id).with_unit == ""
    assert ours(cg, gun.id).with_unit == crew.id
    assert not ours(cg, gun.id).has(Mark.HOOKED)
    assert ours(cg, "AX7").with_unit == "AX6"
    assert ours(cg, captive.id).with_unit == "AX6"


def test_who_is_off_the_map_stays_mounted() -> None:
    cg = aftermath()
    truck = add(cg, "axis", "PzIVH", "afv", area="G1")
    rider = add(cg, "axis", "4-6-7", "squad", area="G1", with_unit=truck.id)
    run(end.rally_and_unloading, cg)
    assert ours(cg, rider.id).with_unit == truck.id


def test_a_gun_without_a_free_crew_beside_it_is_with_nobody() -> None:
    cg = aftermath()
    # Crews elsewhere, on a vehicle or with a Gun of their own are no help.
    add(cg, "axis", "2-2-8", "crew", "F2", known=True)
    busy = add(cg, "axis", "2-2-8", "crew", "F3", known=True)
    add(cg, "axis", "75L AT PaK 40", "gun", "F3", with_unit=busy.id, known=True)
    gun = add(cg, "axis", "37L AT PaK 35/36", "gun", "F3", Mark.HOOKED, with_unit="AX6", known=True)
    run(end.rally_and_unloading, cg)
    assert ours(cg, gun.id).with_unit == ""


# Encirclement -------------------------------------------------------------------------------------


def test_encirclement_and_the_rest_are_told_by_each_side() -> None:
    cg = aftermath()
    marked(cg, "AX1", Mark.ENCIRCLED)
    marked(cg, "AX6", Mark.BOGGED)
    marked(cg, "AL7", Mark.SHOCK)
    axis = [{"unit": "AX1", "what": "captured"}, {"unit": "AX6", "what": "unmarked", "marker": "bogged"}]
    allied = [{"unit": "AL7", "what": "unmarked", "marker": "shock"}]
    answers = {"encirclement@axis": {"rows": axis}, "encirclement@allied": {"rows": allied}}
    played = run(end.encirclement, cg, answers=answers)
    assert "AX1" in played.asked[0].text
    assert "AX1" not in played.asked[1].text
    assert ours(cg, "AX1").place is Place.CAPTURED
    assert cvp(cg) == (0, 4)
    assert not ours(cg, "AX6").has(Mark.BOGGED)
    assert not ours(cg, "AL7").has(Mark.SHOCK)


def test_encircled_markers_come_off() -> None:
    cg = aftermath()
    marked(cg, "AX1", Mark.ENCIRCLED, Mark.WOUNDED)
    played = run(end.encircled_removal, cg)
    assert ours(cg, "AX1").marks == {Mark.WOUNDED}
    assert len(played.facts) == 1


# All of it by chance ------------------------------------------------------------------------------

STEPS = (
    *(scenario_report, end.melee, end.marker_removal, end.rally_and_unloading),
    *(end.encirclement, end.encircled_removal, equipment_possession, prisoners, blazes),
    *(wounded_leaders, recombining_and_hardening),
)


class All(Checked, Wet, UsedUp):
    immobile_stays = True


def chance(cg: Any, procedure: Procedure[None], rng: Random, facts: list[Fact]) -> None:
    """Run a procedure with suggested answers alone; every one must be legal."""
    send: Any = None
    while True:
        try:
            command = procedure.send(send)
        except StopIteration:
            return
        send = None
        if isinstance(command, Fact):
            facts.append(type(command).model_validate(command.body()))
            cg.state = facts[-1].apply(cg.state)
            continue
        send = {}
        for question in command.questions:  # type: ignore[union-attr]
            made = question.suggest(rng) if question.suggest else question.form.sample(rng)
            send[question.side, question.key] = question.accept(made)


@pytest.mark.parametrize("variant", [Variant(), All()])
@tries(25)
@given(seed=st.integers(0, 10**9))
def test_the_end_of_a_scenario_by_chance(variant: Variant[Any], seed: int) -> None:
    cg, rng = aftermath(EXITS, variant=variant), Random(seed)
    before = cg.state
    facts: list[Fact] = []
    for step in STEPS:
        chance(cg, step.run(cg), rng, facts)
    sound(cg)
    for side in ("axis", "allied"):
        secrets_kept(cg, facts, side)
    for side in ("axis", "allied"):
        assert cg.state.side(other_side(side)).cvp == worth(cg, before, facts, side)


def worth(cg: Any, state: Any, facts: list[Fact], side: str) -> int:
    """Add up what a side lost, fact by fact: whole units, halves of squads, prisoners twice."""
    total = 0
    for fact in facts:
        unit = state.units.get(getattr(fact, "unit", None))
        if isinstance(fact, UnitGone) and unit.side == side:
            value = cg.catalogue.nation(unit.nation).cvp(unit.type)
            captive = unit.kind in INFANTRY and not unit.has(Mark.UNGUARDED)
            times = {Place.ELIMINATED: 1, Place.CAPTURED: 2 if captive else 1}.get(fact.place, 0)
            total += times * value
        elif isinstance(fact, UnitChanged) and unit.side == side and fact.how == "Reduced":
            total += 1
        state = fact.apply(state)
    return total
