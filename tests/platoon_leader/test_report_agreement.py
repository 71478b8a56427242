"""Two battle reports that must fit together, and who knows what afterwards (PL 2.9)."""

from __future__ import annotations

from random import Random

import pytest

from laager.campaign.facts import may_see
from laager.rules.board.facts import CvpScored, UnitJoined
from laager.rules.board.report.agreement import contradictions, reconcile
from laager.rules.board.report.flow import report_question
from laager.rules.board.state import evolve
from laager.rules.board.units import Mark, Place
from laager.rules.platoon_leader.report.form import BattleReport
from laager.rules.platoon_leader.report.report import firefight_end
from laager.rules.platoon_leader.state import PlState
from tests.platoon_leader.battle import Report, battle, report, wrong
from tests.report_rows import cvp, gone, ours, row
from tests.steps import Played, play

# Prisoners and captured weapons -----------------------------------------------------------------


def test_a_prisoner_is_with_the_enemy_who_stands_there() -> None:
    cg = battle()
    played = report(cg, {"units": [row("AX4", "D7", "prisoner", **{"with": "guard"})]})
    prisoner = ours(cg, "AX4")
    assert (prisoner.with_unit, prisoner.at) == ("AL1", "D7")
    assert len(played.questions("battle-report")) == 2, "asked once each"
    report(cg, {"units": [row("AX4", "K9", "prisoner", **{"with": "AL6"})]})
    assert ours(cg, "AX4").with_unit == "AL6"
    report(cg, {"units": [row("AX4", "K9", "prisoner", "unguarded", **{"with": ""})]})
    assert ours(cg, "AX4").with_unit == ""


def test_the_record_does_not_name_a_guard_whom_the_prisoners_side_does_not_see() -> None:
    cg = battle()
    report(cg, {"units": [row("AX4", "D7", "prisoner", **{"with": "guard"})]})
    guard = ours(cg, "AL1")
    cg.state = evolve(cg.state, units={**cg.state.units, "AL1": evolve(guard, known=False)})
    proposed = {one["unit"]: one for one in BattleReport.unchanged_answer(cg, "axis")["units"]}
    assert proposed["AX4"]["with"] == "guard"
    assert wrong(cg, "axis", units=list(proposed.values())) == []


def test_a_prisoner_may_be_guarded_by_a_unit_that_is_new() -> None:
    cg = battle()
    axis = {"units": [row("AX4", "B7", "prisoner", **{"with": "guard"})]}
    allied = {"new": [{"type": "1-4-9", "at": "B7", "marks": ["broken"][:0]}]}
    report(cg, axis, allied)
    assert ours(cg, "AX4").with_unit == "AL8"


def test_captured_weapons_come_under_a_number_of_their_captor() -> None:
    cg = battle()
    axis = {"taken": [{"type": "LMG", "by": "AX1", "marks": ["malfunctioned"]}]}
    report(cg, axis, {"units": [gone("AL2", "captured")]})
    taken = ours(cg, "AX11")
    assert (taken.type, taken.nation, taken.with_unit, taken.at) == ("LMG", "russian", "AX1", "C4")
    assert taken.marks == {Mark.CAPTURED, Mark.MALFUNCTIONED}
    assert taken.known
    assert ours(cg, "AL2").place is Place.CAPTURED
    back = {"taken": [{"type": "LMG", "by": "AL1"}]}
    report(cg, {"units": [gone("AX11", "captured")]}, back)
    won_back = ours(cg, "AL8")
    assert (won_back.nation, won_back.with_unit, won_back.marks) == ("russian", "AL1", frozenset())


def test_a_captured_tank_is_with_nobody() -> None:
    cg = battle()
    axis = {"taken": [{"type": "T-34 M41", "by": "AX1"}]}
    report(cg, axis, {"units": [gone("AL7", "captured")]})
    assert (ours(cg, "AX11").kind, ours(cg, "AX11").with_unit) == ("afv", "")
    assert cvp(cg) == (6, 0)


# Two reports that contradict each other -----------------------------------------------------------


CONTRADICTIONS: list[tuple[str, Report, Report, str]] = [
    (
        "Control",
        {"control": [{"location": "G2", "side": "axis"}]},
        {"control": [{"location": "G2", "side": "nobody"}]},
        "Control of G2: Germans: axis; Soviets: nobody",
    ),
    (
        "fires",
        {"fires": [{"at": "M2", "now": "flame"}]},
        {"fires": [{"at": "M2", "now": "blaze"}]},
        "fire in M2: Germans: flame; Soviets: blaze",
    ),
    (
        "terrain",
        {"terrain": [{"at": "G2", "what": "rubble"}]},
        {"terrain": [{"at": "G2", "what": "rubble", "gone": True}]},
        "rubble in G2: Germans: there; Soviets: gone",
    ),
    (
        "Melee",
        {"units": [row("AX1", "D8", "melee", "cx")], "new": [
            {"type": "1-4-9", "at": "D8", "marks": ["melee"]}]},
        {},
        "Melee in D8: Germans: units in Melee; Soviets: no unit that could fight there",
    ),
    (
        "Melee with a hidden unit",
        {"units": [row("AX1", "C8", "melee")]},
        {},
        "Melee in C8: Germans: units in Melee; Soviets: no unit that could fight there",
    ),
    (
        "prisoners",
        {"units": [row("AX4", "B1", "prisoner", "wounded", **{"with": "guard"})]},
        {},
        "prisoner in B1: Germans: 8-0 guarded by a guard; "
        "Soviets: no unit that could guard it there",
    ),
    (
        "another guard",
        {"units": [row("AX4", "D7", "prisoner", **{"with": "AL5"})]},
        {},
        "prisoner in D7: Germans: 8-0 guarded by AL5; Soviets: no unit that could guard it there",
    ),
    (
        "weapons",
        {"taken": [{"type": "LMG", "by": "AX1"}, {"type": "LMG", "by": "AX3"}]},
        {"units": [gone("AL2", "captured")]},
        "captured LMG: Germans: 2 taken; Soviets: 1 captured",
    ),
    (
        "weapons that nobody lost",
        {},
        {"taken": [{"type": "MMG", "by": "AL1"}]},
        "captured MMG: Germans: none captured; Soviets: 1 taken",
    ),
]  # fmt: skip


@pytest.mark.parametrize(
    ("axis", "allied", "said"), [case[1:] for case in CONTRADICTIONS], ids=[case[0] for case in CONTRADICTIONS]
)
def test_contradictions_are_asked_again_with_both_entries(axis: Report, allied: Report, said: str) -> None:
    cg = battle()
    cg.state = cg.state.with_ground(changes={"G2": frozenset({"rubble"})}) if "gone" in said else cg.state
    answers = [("battle-report@axis", axis), ("battle-report@allied", allied)]
    played = play(firefight_end, cg, answers=answers, dice=[(1,)])
    asked = played.questions("battle-report")
    assert [question.side for question in asked] == ["axis", "allied"] * 2
    for question in asked[2:]:
        assert question.text.splitlines() == [
            "The two reports contradict each other:",
            f"- {said}",
            "Talk it over, then enter yours again.",
        ]
        assert question.suggest is not None
        assert question.suggest(Random(1)) == question.default
    assert not any(unit.has(Mark.MELEE) for unit in cg.state.units.values())


def test_the_proposal_after_a_contradiction_keeps_the_rest() -> None:
    cg = battle()
    question = report_question(BattleReport, cg, "axis")
    axis = question.accept(
        {
            "units": [row("AX1", "D8", "melee", "cx"), row("AX4", "B1", "prisoner", **{"with": "guard"})],
            "control": [{"location": "G2", "side": "axis"}, {"location": "C8", "side": "axis"}],
        }
    )
    other = report_question(BattleReport, cg, "allied")
    allied = other.accept({"control": [{"location": "G2", "side": "allied"}]})
    pair = {side: BattleReport.of(cg, side, answer) for side, answer in (("axis", axis), ("allied", allied))}
    found = contradictions(pair)
    assert len(found) == 3
    proposal = reconcile(pair, found)
    assert proposal["axis"]["control"] == [{"location": "C8", "side": "axis"}]
    assert proposal["axis"]["units"][0]["marks"] == ["cx"]
    assert proposal["axis"]["units"][1]["marks"] == ["prisoner", "unguarded"]
    assert proposal["allied"]["control"] == []
    whole = {one.side: BattleReport.of(cg, one.side, one.accept(proposal[one.side])) for one in (question, other)}
    assert contradictions(whole) == []


def test_the_proposal_ends_a_melee_of_a_unit_that_no_row_names() -> None:
    cg = battle()
    cg.state = cg.state.with_unit("AX1", lambda u: u.model_copy(update={"marks": u.marks | {Mark.MELEE}, "at": "D8"}))
    questions = {side: report_question(BattleReport, cg, side) for side in ("axis", "allied")}
    pair = {side: BattleReport.of(cg, side, one.accept({})) for side, one in questions.items()}
    disputes = contradictions(pair)
    assert [item.about for item in disputes] == ["Melee in D8"]
    proposal = reconcile(pair, disputes)
    after = {side: BattleReport.of(cg, side, one.accept(proposal[side])) for side, one in questions.items()}
    assert contradictions(after) == []
    assert after["axis"].after["AX1"].marks == pair["axis"].after["AX1"].marks - {Mark.MELEE}


def test_a_prisoner_from_before_whose_guard_has_gone() -> None:
    cg = battle()
    marks = frozenset({Mark.PRISONER, Mark.WOUNDED})
    change = {"marks": marks, "at": "D7", "with_unit": "AL1"}
    cg.state = cg.state.with_unit("AX4", lambda u: u.model_copy(update=change))
    units = [gone("AL1"), gone("AL2")]
    answers = [("battle-report@axis", {}), ("battle-report@allied", {"units": units})]
    play(firefight_end, cg, answers=answers, dice=[(1,)])
    assert ours(cg, "AX4").marks == {Mark.PRISONER, Mark.WOUNDED, Mark.UNGUARDED}
    assert ours(cg, "AX4").with_unit == ""


def test_both_are_in_melee_if_one_says_so() -> None:
    cg = battle()
    report(cg, {"units": [row("AX1", "K9", "melee")]})
    for name, fights in (("AX1", True), ("AX2", False), ("AL5", True), ("AL6", True), ("AL7", False)):
        assert ours(cg, name).has(Mark.MELEE) == fights


# Who knows what ---------------------------------------------------------------------------------


def seen_by(side: str, start: PlState, played: Played) -> PlState:
    """Return a side's view: what it knew, and the facts it may see."""
    units = {k: u for k, u in start.units.items() if u.side == side or u.known}
    state = PlState.empty(side)
    for one in units.values():
        state = UnitJoined(unit=one).apply(state)
    for fact in played.facts:
        if may_see(fact.to, side):
            state = fact.apply(state)
    return state


def test_unconcealed_units_are_known_and_concealed_ones_not() -> None:
    cg = battle()
    start = cg.state
    units = [row("AX7", "D6"), row("AX1", "C5", "concealed"), row("AX9", "E1", "concealed")]
    units[0]["marks"] = []
    played = report(cg, {"units": units})
    enemy = seen_by("allied", start, played)
    assert (enemy.units["AX7"].at, enemy.units["AX8"].at) == ("D6", "D6")
    assert "AX1" not in enemy.units
    assert "AX2" not in enemy.units, "what a concealed unit holds is not known either"
    assert "AX9" not in enemy.units
    assert enemy.units["AX3"].at == "C4"
    own = seen_by("axis", start, played)
    assert own.units["AX1"] == ours(cg, "AX1")
    assert not own.units["AX1"].known


def test_facts_about_hidden_units_go_to_their_side_alone() -> None:
    cg = battle()
    allied = {"units": [row("AL3", "", "hip", "ti"), row("AL6", "K8", "concealed", "pin")]}
    played = report(cg, None, allied)
    for fact in played.facts:
        if may_see(fact.to, "axis"):
            told = fact.model_dump_json()
            assert "AL3" not in told
            assert "K8" not in told
    assert ours(cg, "AL3").has(Mark.HIP)


def test_the_cvp_for_a_concealed_unit_do_not_name_it() -> None:
    cg = battle()
    played = report(cg, {"units": [row("AX7", "D5", "concealed", type="2-3-8")]})
    (fact,) = [fact for fact in played.facts if isinstance(fact, CvpScored)]
    assert (fact.points, fact.to) == (1, None)
    assert "AX7" not in fact.why
    assert "5-4-8" not in fact.why
