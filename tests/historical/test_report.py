"""The report on a scenario: what follows from it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laager.campaign.facts import Fact, may_see
from laager.campaign.forms import Field, YesNo
from laager.campaign.steps import Procedure, Roll
from laager.rules.board.card.parts import SIDES
from laager.rules.board.facts import Noted
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.report.form import ScenarioReport
from laager.rules.board.hasl.report.report import scenario_report
from laager.rules.board.hasl.state import HaslState, Round
from laager.rules.board.hasl.variant import Variant
from laager.rules.board.units import Mark, Place, Unit
from tests.historical.aftermath import aftermath
from tests.historical.driver import Played, run
from tests.historical.small import add
from tests.report_rows import cvp, gone, ours, row
from tests.tries import tries


def report(cg: Any, axis: Any = None, allied: Any = None, ground: Any = None, **more: Any) -> Played:
    answers = {
        "scenario-report@axis": axis or {},
        "scenario-report@allied": allied or {},
        "ground-report": ground or {},
    }
    return run(scenario_report, cg, answers=answers | more)


def units(*rows: Mapping[str, Any]) -> dict[str, Any]:
    return {"units": list(rows)}


# Units --------------------------------------------------------------------------------------------


def test_nothing_listed_leaves_all_as_it_was() -> None:
    cg = aftermath()
    before = cg.state.units
    played = report(cg)
    assert cg.state.units == before
    assert cvp(cg) == (0, 0)
    assert [fact.kind for fact in played.facts] == ["round-begun"]
    assert cg.state.round is Round.REFIT


def test_the_template_is_a_legal_report_that_changes_nothing() -> None:
    cg = aftermath()
    before = cg.state.units
    played = run(scenario_report, cg)
    assert [question.key for question in played.asked] == [
        *("scenario-report", "scenario-report", "ground-report", "ground-report-agreed")
    ]
    assert all(question.secret for question in played.questions("scenario-report"))
    assert cg.state.units == before


def test_losses_score_cvp_for_the_enemy() -> None:
    cg = aftermath()
    # A squad 2, an AFV by its own value; a 9-1 taken prisoner doubles his own.
    tank = cg.nation("axis").cvp("PzIVH")
    leader = cg.nation("axis").cvp("9-1")
    report(
        cg,
        units(gone("AX1"), gone("AX2"), gone("AX3", "captured"), gone("AX6"), gone("AX7")),
        units(row("AL1", type="3-3-8"), gone("AL5")),
    )
    crew = cg.nation("axis").cvp("8-1", None)
    assert cvp(cg) == (1 + 1, 2 + 2 * leader + tank + crew)
    assert ours(cg, "AX1").place is Place.ELIMINATED
    assert ours(cg, "AX6").has(Mark.WRECK)
    assert ours(cg, "AX6").at == "F3"
    assert ours(cg, "AL1").type == "3-3-8"
    assert cg.state.side("axis").leaders_lost == 2


def test_units_move_with_what_they_carry() -> None:
    cg = aftermath()
    report(cg, units(row("AX4", "I4", "broken", "dm"), row("AX10", "G1")), units(row("AL4", "C4")))
    assert (ours(cg, "AX4").at, ours(cg, "AX5").at) == ("I4", "I4")
    assert ours(cg, "AX4").marks == {Mark.BROKEN, Mark.DM}
    assert ours(cg, "AX4").known
    assert ours(cg, "AX5").known
    assert ours(cg, "AX10").on_map
    assert ours(cg, "AX11").at == "G1"


def test_what_is_hidden_stays_unknown_and_what_hides_is_forgotten() -> None:
    cg = aftermath()
    played = report(cg, units(row("AX1", "G2", "concealed")), units(row("AL4", "B5")))
    assert not ours(cg, "AX1").known
    assert not ours(cg, "AX2").known
    hidden = played.of("unit-hidden")
    assert {fact.unit for fact in hidden} == {"AX1", "AX2"}  # type: ignore[attr-defined]
    assert not ours(cg, "AX8").known


def test_captured_weapons_change_hands() -> None:
    cg = aftermath()
    report(
        cg,
        units(gone("AX1"), gone("AX2", "captured")),
        {"units": [row("AL1", "G2")], "taken": [{"type": "LMG", "by": "AL1"}]},
    )
    taken = [unit for unit in cg.state.units_of("allied", "sw") if unit.has(Mark.CAPTURED)]
    assert [(unit.type, unit.nation, unit.at) for unit in taken] == [("LMG", "german", "G2")]
    assert taken[0].with_unit == "AL1"


def test_prisoners_are_with_their_guards() -> None:
    cg = aftermath()
    prisoner = row("AX3", "B4", "prisoner", **{"with": "guard"})
    report(cg, units(prisoner), {})
    assert ours(cg, "AX3").with_unit == "AL1"
    assert cvp(cg) == (0, 0)


def test_a_prisoner_may_have_a_guard_whom_his_side_does_not_see() -> None:
    cg = aftermath()
    report(cg, units(row("AX3", "B5", "prisoner", **{"with": "guard"})), {})
    assert ours(cg, "AX3").with_unit == "AL4"
    assert not ours(cg, "AL4").known
    proposed = {one["unit"]: one for one in ScenarioReport.unchanged_answer(cg, "axis")["units"]}
    assert proposed["AX3"]["with"] == "guard"
    report(cg, {"units": list(proposed.values())}, {})
    assert ours(cg, "AX3").with_unit == "AL4"


def kept_off_the_map() -> Any:
    """AL8, who guards AX12 off the map."""
    cg = aftermath()
    guard = add(cg, "allied", "6-4-8", "squad", area="A4")
    add(cg, "axis", "2-4-7", "half-squad", None, Mark.PRISONER, with_unit=guard.id, known=True)
    return cg


def test_a_prisoner_comes_on_with_his_guard() -> None:
    cg = kept_off_the_map()
    report(cg, {}, units(row("AL8", "B5", entered=True)))
    assert (ours(cg, "AX12").at, ours(cg, "AX12").with_unit) == ("B5", "AL8")


def test_a_prisoner_whose_guard_is_gone_is_unguarded() -> None:
    cg = kept_off_the_map()
    report(cg, {}, units(gone("AL8")))
    assert ours(cg, "AX12").with_unit == ""
    assert {Mark.PRISONER, Mark.UNGUARDED} <= ours(cg, "AX12").marks


def test_reports_that_contradict_each_other_are_asked_again() -> None:
    cg = aftermath()
    answers = [("scenario-report@axis", units(row("AX1", "B4", "melee")))]
    answers += [("scenario-report@allied", units(row("AL1", "C4"), row("AL3", "C4")))]
    played = run(scenario_report, cg, answers=answers)
    again = played.questions("scenario-report")[2:]
    assert len(again) == 2
    assert "Melee in B4" in again[0].text
    assert not ours(cg, "AX1").has(Mark.MELEE)


# Entering and leaving the map ---------------------------------------------------------------------


class Lost(Variant[Any]):
    def place_if_never_entered(self, cg: Hasl, unit: Unit) -> Place:
        return Place.ELIMINATED


def test_what_never_entered_is_retained_or_lost_by_the_variant() -> None:
    cg = aftermath()
    report(cg)
    assert ours(cg, "AX10").place is Place.OFF_MAP
    assert cvp(cg) == (0, 0)
    cg = aftermath(variant=Lost())
    report(cg)
    assert ours(cg, "AX10").place is Place.ELIMINATED
    assert ours(cg, "AX11").place is Place.ELIMINATED
    assert cvp(cg) == (0, 2)
    cg = aftermath(variant=Lost())
    report(cg, units(row("AX10", "G1")))
    assert ours(cg, "AX10").on_map
    assert cvp(cg) == (0, 0)


def test_who_exits_is_retained_in_an_entry_area_on_that_edge() -> None:
    cg = aftermath({"sides": {"axis": {"exits": ["north"]}}})
    report(cg, units(gone("AX1", "exited", at="G1")))
    assert ours(cg, "AX1").place is Place.OFF_MAP
    assert ours(cg, "AX1").area == "G1"
    assert ours(cg, "AX2").place is Place.OFF_MAP
    assert ours(cg, "AX2").area == "G1"
    assert not ours(cg, "AX1").known
    assert cvp(cg) == (0, 0)


def test_any_entry_area_will_do_where_no_arrow_lies_on_the_edge() -> None:
    cg = aftermath({"sides": {"axis": {"exits": ["south"]}}})
    assert cg.variant.exit_areas(cg, ours(cg, "AX1"), "G9") == ("G1", "L5")
    assert cg.variant.exit_areas(cg, ours(cg, "AX1"), "G1") == ()
    report(cg, units(gone("AX1", "exited", at="G9", area="L5")))
    assert ours(cg, "AX1").area == "L5"


class Checked(Variant[Any]):
    exit_check = True


@pytest.mark.parametrize("failed", [(), ("AX1",), ("AX1", "AX3")])
def test_broken_personnel_that_leave_take_an_ntc(failed: tuple[str, ...]) -> None:
    cg = aftermath({"sides": {"axis": {"exits": ["north"]}}}, variant=Checked())
    played = report(
        cg,
        units(
            gone("AX1", "exited", at="G1", marks=["broken"]),
            gone("AX3", "exited", at="G1", marks=["broken", "wounded"]),
            gone("AX4", "exited", at="G1"),
        ),
        **{"exit-ntc": list(failed)},
    )
    options = played.questions("exit-ntc")[0].form.describe()["options"]
    assert [option["value"] for option in options] == ["AX1", "AX3"]
    assert ours(cg, "AX1").type == ("2-4-7" if "AX1" in failed else "4-6-7")
    lost = "AX3" in failed
    assert ours(cg, "AX3").place is (Place.ELIMINATED if lost else Place.OFF_MAP)
    assert cvp(cg) == (0, len(failed[:1]) + (cg.nation("axis").cvp("9-1") if lost else 0))


def test_a_broken_half_squad_that_fails_takes_its_weapon_with_it() -> None:
    cg = aftermath({"sides": {"allied": {"exits": ["north"]}}}, variant=Checked())
    report(
        cg,
        None,
        units(gone("AL5", "exited", at="D0", marks=["broken"]), gone("AL2", "exited", at="D0", **{"with": "AL5"})),
        **{"exit-ntc": ["AL5"]},
    )
    assert ours(cg, "AL5").place is Place.ELIMINATED
    assert ours(cg, "AL2").place is Place.ELIMINATED


# Artillery, works, what a system adds -------------------------------------------------------------


def test_modules_in_play_are_their_owners_secret_but_ffe_is_seen() -> None:
    cg = aftermath()
    modules = [{"group": "O1/1", "in_play": True, "placed": True}]
    played = report(cg, {"modules": modules}, {"modules": [{"group": "O1/1", "in_play": True}]})
    own = cg.state.groups
    assert (own["axis", "O1/1"].in_play, own["axis", "O1/1"].used) == (True, True)
    assert (own["allied", "O1/1"].in_play, own["allied", "O1/1"].used) == (True, False)
    assert {fact.to for fact in played.of("group-changed")} == {("axis",), ("allied",)}
    notes = [fact.text for fact in played.facts if isinstance(fact, Noted)]
    assert notes == ["German: FFE:1 of 1 OBA module was placed"]


def test_the_next_report_starts_afresh_and_an_exhausted_module_is_gone() -> None:
    cg = aftermath()
    report(cg, {"modules": [{"group": "O1/1", "in_play": True, "placed": True}]})
    report(cg)
    assert not cg.state.groups["axis", "O1/1"].in_play
    assert not cg.state.groups["axis", "O1/1"].used
    report(cg, {"modules": [{"group": "O1/1", "in_play": True, "exhausted": True}]})
    assert cg.state.groups["axis", "O1/1"].lost == "exhausted in play"


def test_own_hidden_works_come_to_light_or_are_gone() -> None:
    cg = aftermath()
    report(cg, {"revealed": ["AXF1"]})
    assert not cg.state.forts["AXF1"].hidden
    cg = aftermath()
    played = report(cg, {"lost_works": ["AXF1"]})
    assert "AXF1" not in cg.state.forts
    assert played.of("fort-gone")[0].to == ("axis",)


class More(Variant[Any]):
    def report_fields(self, cg: Hasl, side: str) -> Iterator[Field]:
        yield Field("boxed", YesNo(), "Boxed?", False)

    def apply_report(self, cg: Hasl, side: str, report: Mapping[str, Any]) -> Procedure[None]:
        if report["boxed"]:
            yield Noted(text=f"{side} boxed")


def test_a_system_may_ask_for_more() -> None:
    cg = aftermath(variant=More())
    report(cg, {"boxed": True})
    assert cg.state.notes == ("axis boxed",)


# The ground ---------------------------------------------------------------------------------------


class Wet(Variant[Any]):
    rain_turns = 3
    massacre_lasts = True


def test_the_ground_is_told_by_one_side_and_confirmed_by_the_other() -> None:
    cg = aftermath(variant=Wet())
    ground = {
        "control": [*({"location": "H3", "side": "allied"}, {"location": "B4", "side": "nobody"})],
        "fires": [{"at": "H3", "now": "blaze"}, {"at": "G7", "now": "flame"}],
        "terrain": [{"at": "G7", "what": "rubble"}, {"at": "D2", "what": "breach"}],
        "works": [
            {"do": "placed", "side": "allied", "kind": "foxhole", "size": "1S", "at": "C5"},
            {"do": "removed", "fort": "ALF1"},
        ],
        "cvp": [{"side": "axis", "points": 2, "why": "a wreck recovered"}],
        "rain": True,
        "massacre": ["axis"],
    }
    played = report(cg, ground=ground)
    told = played.questions("ground-report-agreed")[0].text
    assert "H3 is Controlled by British; B4 is Controlled by nobody; blaze in H3" in told
    assert "rubble in G7; breach in D2; foxhole of the British in C5 placed; ALF1 removed" in told
    assert "Germans +2 CVP (a wreck recovered); it rained long enough; Massacre by Germans" in told
    held = cg.state.ground
    assert held.control == {"B5": "allied", "D2": "allied", "H3": "allied"}
    assert (held.blazes, held.flames) == ({"H3"}, {"G7"})
    assert held.changes == {"G7": {"rubble"}, "D2": {"breach"}}
    assert "ALF1" not in cg.state.forts
    assert (cg.state.forts["ALF2"].at, cg.state.forts["ALF2"].factors) == ("C5", 0)
    assert cvp(cg) == (2, 0)
    assert cg.state.scenario.rain
    assert cg.state.side("axis").massacre
    assert len(report(cg, ground={"massacre": ["axis"]}).of("massacre-invoked")) == 0


def test_who_does_not_agree_enters_it_himself() -> None:
    cg = aftermath()
    first = {"control": [{"location": "H3", "side": "allied"}]}
    answers = [
        *(("ground-report@axis", first), ("ground-report-agreed@allied", False)),
        *(("ground-report@allied", {}), ("ground-report-agreed@axis", True)),
    ]
    played = run(scenario_report, cg, answers=answers)
    assert played.questions("ground-report")[1].default["control"][0]["location"] == "H3"
    assert cg.state.ground.control["H3"] == "axis"


def test_terrain_that_is_cleared_and_fires_that_went_out() -> None:
    cg = aftermath()
    report(cg, ground={"terrain": [{"at": "D3", "what": "rubble"}], "fires": [{"at": "D2", "now": "flame"}]})
    report(
        cg, ground={"terrain": [{"at": "D3", "what": "rubble", "gone": True}], "fires": [{"at": "D2", "now": "none"}]}
    )
    assert cg.state.ground.changes == {"D3": frozenset()}
    assert not cg.state.ground.flames


# By chance ----------------------------------------------------------------------------------------


def by_chance(cg: Any, seed: int) -> list[Fact]:
    """Run the step with suggested answers alone; every one must be legal."""
    rng, procedure = Random(seed), scenario_report.run(cg)
    facts: list[Fact] = []
    send: Any = None
    for _ in range(3000):
        try:
            command = procedure.send(send)
        except StopIteration:
            return facts
        send = None
        if isinstance(command, Fact):
            facts.append(type(command).model_validate(command.body()))
            cg.state = facts[-1].apply(cg.state)
        else:
            assert not isinstance(command, Roll)
            send = {}
            for question in command.questions:
                value = question.suggest(rng) if question.suggest else question.form.sample(rng)
                send[question.side, question.key] = question.accept(value)
    raise AssertionError("it does not end")


EXITS = {"sides": {"axis": {"exits": ["north"]}, "allied": {"exits": ["west", "north"]}}}


@tries(60)
@given(st.integers(0, 10**9))
def test_reports_by_chance_are_legal_and_leave_a_sound_record(seed: int) -> None:
    cg = aftermath(EXITS, variant=Checked())
    facts = by_chance(cg, seed)
    sound(cg)
    for side in SIDES:
        secrets_kept(cg, facts, side)


def sound(cg: Any) -> None:
    """Check what must hold of every record after a battle."""
    for one in cg.state.units.values():
        if one.on_map:
            assert one.hex in cg.map.playable
            assert not (one.known and one.has(Mark.HIP, Mark.CONCEALED, Mark.CLOAKED))
        holder = cg.state.units.get(one.with_unit)
        if one.in_play and one.with_unit:
            assert holder is not None
            assert (holder.place, holder.at) == (one.place, one.at)
            assert holder.side == one.side or one.has(Mark.PRISONER)
        if one.place is Place.OFF_MAP:
            assert not one.known
    assert all(cg.state.side(side).cvp >= 0 for side in SIDES)


def secrets_kept(cg: Any, facts: list[Fact], viewer: str) -> None:
    """What the viewer may see adds up to nothing that hides from him."""
    state = HaslState.empty(viewer)
    for fact in facts:
        if may_see(fact.to, viewer):
            state = fact.apply(state)
            hidden = {
                unit.id
                for unit in cg.state.units.values()
                if unit.side != viewer and unit.in_play and unit.has(Mark.HIP)
            }
            assert not any(f'"{name}"' in fact.model_dump_json() for name in hidden), fact
    for unit in state.units.values():
        real = cg.state.units[unit.id]
        assert real.side == viewer or real.known or not real.in_play


def test_chance_tells_all_sorts_of_stories() -> None:
    cg = aftermath(EXITS)
    fates = {line["fate"] for seed in range(300) for line in ScenarioReport.suggest(cg, "axis", Random(seed))["units"]}
    assert fates == {"on-map", "eliminated", "captured", "recalled", "exited"}


def test_chance_knows_no_hidden_enemy() -> None:
    cg, less = aftermath(EXITS), aftermath(EXITS)
    kept = {k: u for k, u in less.state.units.items() if u.side == "axis" or u.known}
    less.state = replace(less.state, units=kept)
    for seed in range(40):
        one = ScenarioReport.suggest(cg, "axis", Random(seed))
        assert one == ScenarioReport.suggest(less, "axis", Random(seed))
