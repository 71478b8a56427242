"""FPF Barrages: bought for Idle, Blast Areas, play, what is kept."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from laager.base import DataError
from laager.rules.board.hasl.buying.offers import Cart, DateShop, Wanted
from laager.rules.edsons_ridge.context import Er
from laager.rules.edsons_ridge.reminders import barrages
from laager.rules.edsons_ridge.state import Barrage
from laager.rules.edsons_ridge.steps import after_play
from laager.rules.edsons_ridge.steps import fpf as rules
from laager.rules.edsons_ridge.steps.events import FPF_PLACED, FPF_REMOVAL, event_options
from laager.rules.edsons_ridge.steps.fpf import blast_areas_recorded, blast_question
from tests.edsons_ridge.scene import apply, at_date, chits, group, scene
from tests.historical.driver import run

GOOD = {"hexes": "H6, H7, H8, H9, H10, I6, I7, I8, I9, I10", "area": "Setup Area Ridge"}


def idle(count: int = 1, **more: Any) -> Er:
    cg = chits(at_date(scene(**more), "13D"), "attack", "idle")
    for _ in range(count):
        group(cg, "allied", "M2")
    return cg


def recorded(count: int = 1, **more: Any) -> Er:
    cg = idle(count, **more)
    rows = [{**GOOD, "los": True} for _ in range(count)]
    run(blast_areas_recorded, cg, None, {"blast-areas": rows})
    return cg


# Buying -------------------------------------------------------------------------------------------


def told(cg: Er, side: str, *keys: str) -> str:
    return "\n".join(map(str, DateShop(cg, side).problems(Cart(tuple(map(Wanted, keys))))))


def test_a_fpf_barrage_commits_to_idle_and_a_bombardment_to_attack() -> None:
    cg = at_date(scene(card={"sides": {"allied": {"cpp": 20}, "axis": {"cpp": 20}}}), "13D")
    assert told(cg, "allied", "M2", "M2") == ""
    assert told(cg, "allied", "M1") == ""
    assert "buy one or the other for a CG Date" in told(cg, "allied", "M1", "M2")
    lines = cg.card.sides["allied"].chits.model_copy(update={"idle": 0, "attack": 0})
    cg.card.sides["allied"] = cg.side("allied").model_copy(update={"chits": lines})
    assert "no Idle chit is left; leave it out" in told(cg, "allied", "M2")
    assert "no Attack chit is left; leave it out" in told(cg, "allied", "M1")


def test_the_chits_of_the_initial_scenario_are_fixed() -> None:
    cg = scene(card={"sides": {"allied": {"cpp": 20}, "axis": {"cpp": 20}}})
    assert told(cg, "axis", "M1") == ""
    assert "the Initial Scenario has them idle" in told(cg, "allied", "M1")
    assert told(cg, "allied", "M2") == ""


def test_it_is_for_the_u_s_alone() -> None:
    cg = at_date(scene(), "13D")
    line = cg.line("allied", "M2")
    assert line is not None
    own = cg.charts.sides["axis"]
    cg.charts.sides["axis"] = own.model_copy(update={"rg": (line,)})
    assert "a FPF Barrage is for the U.S." in told(cg, "axis", "M2")


# Blast Areas --------------------------------------------------------------------------------------


def test_a_blast_area_is_recorded_in_the_open() -> None:
    cg = idle()
    played = run(blast_areas_recorded, cg, None, {"blast-areas": [{**GOOD, "los": True}]})
    fact = played.of("blast-area-recorded")[0]
    assert fact.to is None
    assert cg.state.barrages_now()[0].corners == ("H6", "H10", "I6", "I10")
    assert cg.state.groups["allied", "M2/1"].placed
    assert played.of("group-changed")[0].to == ("allied",)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"hexes": "H5, H6, H7, H8, H9, I6, I7, I8, I9, I10"}, "H5 too far from Setup Area Ridge"),
        ({"hexes": "H6, H7, H8, H9, H10, I8, I9, I10, I11, I12"}, "not the shape of a Blast Area"),
        ({"hexes": "H6, XX1"}, "[1].hexes: XX1 is not on the map"),
        ({"hexes": "H6-H9, I7-H12"}, "[1].hexes: I7-H12 is neither along a column"),
        ({"los": False}, "no LOS from Setup Area Ridge"),
        ({"area": "Entry Area L24"}, "Entry Area L24 doesn't reach all of them; Setup Area Ridge"),
    ],
)
def test_blast_areas_refused(change: dict[str, Any], message: str) -> None:
    cg = idle()
    with pytest.raises(DataError) as found:
        blast_question(cg).accept([{**GOOD, "los": True, **change}])
    assert message in str(found.value)


@pytest.mark.parametrize("hexes", ["H6-H10, I6-I10", "H6 - H10\nI6–I10", "H6-H10 I6 I7 I8;I9 I10"])
def test_the_ten_hexes_are_typed_as_any_list_of_hexes(hexes: str) -> None:
    cg = idle()
    assert blast_question(cg).allows([{**GOOD, "hexes": hexes, "los": True}])
    run(blast_areas_recorded, cg, None, {"blast-areas": [{**GOOD, "hexes": hexes, "los": True}]})
    assert len(cg.state.barrages_now()[0].hexes) == 10


@pytest.mark.parametrize(
    ("barrages", "told"),
    [
        (0, "You have no FPF Barrage."),
        (1, "You have 1 FPF Barrage."),
        (2, "You have 2 FPF Barrages."),
        (3, "You have 3 FPF Barrages, and may record 2 of them now."),
    ],
)
def test_the_question_says_how_many_barrages_there_are(barrages: int, told: str) -> None:
    assert blast_question(idle(barrages)).text.endswith(told)


def test_two_at_most_for_a_scenario() -> None:
    cg = idle(3)
    assert rules.usable_barrages(cg) == 2
    with pytest.raises(DataError, match="3 rows are too many; 2 at most"):
        blast_question(cg).accept([{**GOOD, "los": True}] * 3)
    run(blast_areas_recorded, cg, None, {"blast-areas": [{**GOOD, "los": True}] * 2})
    assert [one.number for one in cg.state.barrages_now()] == [1, 2]
    assert rules.usable_barrages(cg) == 0


def test_only_the_idle_side_records_and_asking_tells_nothing() -> None:
    cg = chits(at_date(scene(), "13D"), "attack", "attack")
    group(cg, "allied", "M2")
    assert rules.usable_barrages(cg) == 0
    assert not run(blast_areas_recorded, cg).asked
    cg = idle(0)
    assert run(blast_areas_recorded, cg).questions("blast-areas")[0].secret
    none = [line for line in cg.lines("allied") if line.id != "M2"]
    own = cg.charts.sides["allied"]
    cg.charts.sides["allied"] = own.model_copy(update={"rg": tuple(none)})
    assert not run(blast_areas_recorded, cg).asked


def test_blast_areas_by_chance_are_legal() -> None:
    for more in ({}, {"readings": {"fpf-shape": "zigzag"}}):
        question = blast_question(idle(2, **more))
        assert all(question.allows(question.sample(Random(seed))) for seed in range(6))
        assert any(question.sample(Random(seed)) for seed in range(6))
    assert blast_question(idle(0)).sample(Random(1)) == []


def test_the_map_shows_the_hexes_within_five_of_some_area() -> None:
    cg = idle(1)
    placing = blast_question(cg).placing
    assert placing is not None
    shown = set(placing.allowed()["hexes"])
    near = {
        name
        for name in cg.map.playable
        if any(cg.map.distance(name, own) <= 5 for area in rules.covering_areas(cg).values() for own in area)
    }
    assert shown == near != set(cg.map.playable)


# In play ------------------------------------------------------------------------------------------


def events(cg: Er) -> set[str]:
    return {option.value for option in event_options(cg)}


def run_event(cg: Er, event: str, turn: int, dice: Any = (), answers: Any = ()) -> Any:
    def happens(_: Er) -> Any:
        yield from cg.variant.carry_out_event(cg, event, turn)

    return run(happens, cg, None, answers, dice)


@pytest.mark.parametrize(("faces", "accurate"), [([(4,)], True), ([(1,)], True), ([(5,), (3,)], False)])
def test_accuracy(faces: list[tuple[int, ...]], accurate: bool) -> None:
    cg = recorded()
    assert FPF_PLACED in events(cg)
    assert FPF_REMOVAL not in events(cg)
    played = run_event(cg, FPF_PLACED, 2, faces)
    assert not played.asked
    (one,) = cg.state.barrages_now()
    assert (one.placed, one.accurate) == (2, accurate)
    assert FPF_REMOVAL in events(cg)
    assert FPF_PLACED not in events(cg)
    why = played.of("barrage-changed")[0].why
    assert ("white 1, colored 3" in why) is not accurate
    assert "H6, H10, I6, I10" in why


@pytest.mark.parametrize(
    ("reading", "turn", "face", "over"),
    [
        ("plus-4", 6, 5, False), ("plus-4", 6, 6, True), ("plus-4", 7, 5, True),
        ("plus-4", 7, 4, False), ("plus-3", 5, 5, False), ("plus-3", 6, 5, True),
    ],
)  # fmt: skip
def test_how_long_it_lasts(reading: str, turn: int, face: int, over: bool) -> None:
    cg = recorded(readings={"fpf-fourth-turn": reading})
    run_event(cg, FPF_PLACED, 2, [(1,)])
    played = run_event(cg, FPF_REMOVAL, turn, [(face,)])
    assert (played.facts[0].tell() == "FPF Barrage 1 stays") is not over
    assert cg.state.barrages_now()[0].over is over
    assert (FPF_REMOVAL in events(cg)) is not over


def test_of_two_barrages_it_is_asked_which() -> None:
    cg = recorded(2)
    played = run_event(cg, FPF_PLACED, 3, [(1,)], {"fpf-placed": "2"})
    assert [one.text for one in played.asked] == ["Which FPF Barrage do you place?"]
    assert [one.placed for one in cg.state.barrages_now()] == [0, 3]
    assert not run_event(cg, FPF_REMOVAL, 3).asked


def test_no_dr_before_the_fourth_turn() -> None:
    cg = recorded()
    run_event(cg, FPF_PLACED, 2, [(1,)])
    played = run_event(cg, FPF_REMOVAL, 5)
    assert not played.rolls
    assert "in turn 5: it comes from turn 6 on" in played.facts[0].tell()


def test_reminders_tell_where_it_stands() -> None:
    cg = recorded()
    assert "counters in H6, H10, I6, I10" in next(barrages(cg)).text
    run_event(cg, FPF_PLACED, 2, [(1,)])
    assert "from turn 6 on" in next(barrages(cg)).text
    run_event(cg, FPF_REMOVAL, 7, [(6,)])
    assert "has been removed" in next(barrages(cg)).text


# After play ---------------------------------------------------------------------------------------


def report(cg: Er, *laid: str) -> None:
    told = {"units": [], "barrages": list(laid)}
    assert not list(after_play.report_problems(cg, "allied", told))
    run(lambda _: cg.variant.apply_report(cg, "allied", told), cg)


@pytest.mark.parametrize(
    ("reading", "laid", "lost", "kept"),
    [
        ("any-reason", ("1",), "laid down", False),
        ("any-reason", (), "", True),
        ("attack-only", (), "not placed in an Idle scenario", False),
    ],
)
def test_what_is_not_laid_down_is_kept(reading: str, laid: tuple[str, ...], lost: str, kept: bool) -> None:
    cg = recorded(readings={"fpf-unplaced": reading})
    (field,) = after_play.report_fields(cg, "allied")
    assert field.name == "barrages"
    assert not list(after_play.report_fields(cg, "axis"))
    report(cg, *laid)
    assert cg.state.groups["allied", "M2/1"].lost == lost
    at_date(cg, "13N1")
    chits(cg, "attack", "idle")
    assert rules.usable_barrages(cg) == int(kept)


def test_what_was_not_recorded_is_kept_too_unless_the_reading_says_otherwise() -> None:
    for reading, left in (("any-reason", 1), ("attack-only", 0)):
        cg = idle(readings={"fpf-unplaced": reading})
        report(cg)
        assert len(rules.retained_barrages(cg)) == left
    cg = chits(at_date(scene(readings={"fpf-unplaced": "attack-only"}), "13D"), "idle", "attack")
    group(cg, "allied", "M2")
    report(cg)
    assert len(rules.retained_barrages(cg)) == 1


def test_what_was_laid_down_in_play_must_be_named() -> None:
    cg = recorded()
    run_event(cg, FPF_PLACED, 2, [(1,)])
    problems = list(after_play.report_problems(cg, "allied", {"units": [], "barrages": []}))
    assert "FPF Barrage 1 was laid down in turn 2; name it" in str(problems[0])


def test_groups_that_no_chart_lists_go_by_their_names() -> None:
    cg = idle(0)
    made = group(cg, "allied", "M2").but(rg="Night FPF", name="Night FPF", id="Night FPF/1")
    assert rules.special_kind(cg, made) == rules.FPF
    assert rules.special_kind(cg, made.but(name="Bombardment")) == "bombardment"
    assert rules.special_kind(cg, made.but(name="Observer")) == ""
    apply(cg)
    assert Barrage(number=1, hexes=(), corners=(), area="x").accurate
