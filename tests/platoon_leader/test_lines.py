"""PL 3.2, 3.212, 3.25: the option, the lines of both sides, who is where, who is Isolated."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from laager.base import DataError
from laager.campaign.facts import Fact
from laager.campaign.questions import Question
from laager.hexmap import Situation
from laager.rules.board.facts import ControlChanged
from laager.rules.board.units import Mark
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.redeployment.lines import crests_taken, final_positions, redeployment_phase
from laager.rules.platoon_leader.redeployment.situations import in_friendly_mlr, situation_of, words
from laager.rules.platoon_leader.state import Fight
from tests.platoon_leader.fronts import (
    ALLIED_LINKS,
    ALLIED_SECOND,
    AXIS_LINKS,
    FF2,
    WALKTHROUGH,
    add,
    asked_of,
    drawn,
    links,
    now,
    played,
)
from tests.platoon_leader.small import map_data, small_cg
from tests.steps import play


def refused(asked: Question, answer: Any) -> str:
    with pytest.raises(DataError) as caught:
        asked.accept(answer)
    return str(caught.value)


# The option ------------------------------------------------------------------------------------


def test_the_first_time_both_sides_are_asked_until_they_agree() -> None:
    cg = played()
    answers = [
        ("redeployment-option@axis", "A"), ("redeployment-option@allied", "B"),
        ("redeployment-option@axis", "B"), ("redeployment-option@allied", "B"),
    ]  # fmt: skip
    run = play(redeployment_phase, cg, answers=answers)
    asked = run.questions("redeployment-option")
    assert len(asked) == 4
    assert "Germans want A, Soviets want B" in asked[2].text
    (fact,) = run.of("agreed")
    assert (cg.state.option, fact.to) == ("B", None)


def test_disagreement_that_is_answered_by_chance_ends() -> None:
    cg = played()
    answers = [("redeployment-option@axis", "A"), ("redeployment-option@allied", "B")]
    run = play(redeployment_phase, cg, answers=answers)
    again = run.questions("redeployment-option")[2]
    assert {again.sample(Random(seed)) for seed in range(9)} == {"A"}


def test_an_option_agreed_before_is_not_asked_again() -> None:
    cg = played()
    cg.state = replace(cg.state, option="B")
    assert not play(redeployment_phase, cg).questions("redeployment-option")
    assert cg.state.option == "B"


def later() -> Cg:
    """A later firefight, with Option A in use."""
    cg = played()
    past = (Fight(number=1),)
    cg.state = replace(cg.state, option="A", past=past, fight=replace(cg.state.fight, number=2))
    return cg


@pytest.mark.parametrize(("axis", "allied", "option"), [("B", "B", "B"), ("B", "A", "A"), ("A", "A", "A")])
def test_the_option_changes_later_only_if_both_want_it(axis: str, allied: str, option: str) -> None:
    cg = later()
    answers = {
        "mlr-links@axis": {**links(*AXIS_LINKS), "option": axis},
        "mlr-links@allied": {**links(*ALLIED_LINKS), "option": allied},
    }
    run = play(redeployment_phase, cg, answers=answers)
    assert cg.state.option == option
    assert len(run.of("agreed")) == (option == "B")


# The lines of the walkthrough ------------------------------------------------------------------


def test_the_geometry_of_the_first_firefight() -> None:
    cg = played()
    run = play(redeployment_phase, cg, answers=WALKTHROUGH)
    front = cg.front
    assert front is not None
    assert front.overlap == {"C6", "E3", "I3"}
    assert [len(c) for c in front.clusters["axis"]] == [17, 18]
    assert sorted(len(c) for c in front.clusters["allied"]) == [14, 18, 18]
    assert {side: len(front.region[side]) for side in front.sides} == {"axis": 60, "allied": 68}
    assert (len(front.isolated["allied"]), len(front.isolated["axis"])) == (14, 0)
    assert front.second_nml == {"F4"}
    open_ground = "A1 A2 A6 F6 G6 G7 H5 H6 I6 I7 J6 L6 M1 M2 M6 M7"
    assert cg.sort(front.uncontrolled) == open_ground.split()
    (fact,) = run.of("front-drawn")
    assert fact.to is None
    assert cg.state.line is not None
    assert cg.state.line.stage == "redeployment"


def test_the_geometry_of_the_second_firefight() -> None:
    cg = played(FF2, "allied")
    answers = {
        "mlr-links@axis": links("J2-J1", "L2-L1"), "mlr-links@allied": links(*ALLIED_SECOND)
    }  # fmt: skip
    play(redeployment_phase, cg, answers=answers)
    front = cg.front
    assert front is not None
    assert front.overlap == {"I3"}
    assert [len(c) for c in front.clusters["axis"]] == [18]
    assert sorted(len(c) for c in front.clusters["allied"]) == [18, 51]
    assert {side: len(front.region[side]) for side in front.sides} == {"axis": 21, "allied": 84}
    assert front.isolated == {"axis": frozenset(), "allied": frozenset()}
    assert (front.second_nml, len(front.uncontrolled)) == (frozenset(), 24)


@pytest.mark.parametrize(
    ("side", "type_", "at", "where"),
    [
        ("axis", "5-4-8", "E7", Situation.ENEMY_MLR),
        ("allied", "4-4-7", "J2", Situation.ENEMY_MLR),
        ("allied", "4-4-7", "G2", Situation.ISOLATED),
        ("allied", "4-4-7", "G4", Situation.ISOLATED),
        ("axis", "2-4-7", "G6", Situation.UNCONTROLLED),
        ("axis", "4-6-7", "C6", Situation.NO_MANS_LAND),
        ("allied", "4-4-7", "F4", Situation.NO_MANS_LAND),
        ("axis", "4-6-7", "C5", Situation.FRIENDLY_MLR),
        ("axis", "4-6-7", "G5", Situation.FRIENDLY_MLR),
        ("axis", "4-6-7", "G2", Situation.NO_MANS_LAND),
    ],
)
def test_situations(side: str, type_: str, at: str, where: Situation) -> None:
    cg = drawn()
    one = add(cg, side, type_, "squad", at)
    assert situation_of(cg, one) is where
    assert in_friendly_mlr(cg, one) == (where is Situation.FRIENDLY_MLR)


def test_the_besieger_in_a_pocket_by_the_other_reading() -> None:
    cg = drawn(readings={"besieger": "enemy-mlr"})
    assert situation_of(cg, add(cg, "axis", "4-6-7", "squad", "G2")) is Situation.ENEMY_MLR


def test_a_location_upstairs_has_the_status_of_its_own_control() -> None:
    cg = drawn()
    one = add(cg, "axis", "4-6-7", "squad", "E7.1")
    assert situation_of(cg, one) is Situation.ENEMY_MLR
    cg.state = ControlChanged(side="axis", locations=("E7.1",)).apply(cg.state)
    assert situation_of(cg, one) is Situation.ISOLATED


def test_words_of_the_situations_name_the_counter_that_is_an_aid() -> None:
    assert [words(where) for where in Situation] == [
        "In the enemy MLR (Disrupted counter as an aid)",
        "Isolated in the enemy MLR (DM counter as an aid)",
        "In Uncontrolled Terrain (Pinned counter as an aid)",
        "In No Man's Land (TI counter as an aid)",
        "In the friendly MLR",
    ]


# Links -----------------------------------------------------------------------------------------


def test_links_are_asked_together_in_secret_and_the_proposal_is_legal() -> None:
    cg = played()
    run = play(redeployment_phase, cg)
    asked = run.questions("mlr-links")
    assert [one.side for one in asked] == ["axis", "allied"]
    assert all(one.secret and one.allows(one.default) for one in asked)
    assert "Instead of E4-F4-G5-H4-I4: E4-F4-G5-H4-I5" in asked[0].help
    assert "E5-F5-G6-H5-I5.\n" in asked[0].help


def test_links_drawn_by_chance_are_legal() -> None:
    for one in play(redeployment_phase, played()).questions("mlr-links"):
        drawn_links = [one.sample(Random(seed), tries=1) for seed in range(20)]
        assert all(one.allows(answer) for answer in drawn_links)
        assert any(answer != one.default for answer in drawn_links)


@pytest.mark.parametrize(
    ("rows", "complaints"),
    [
        ([{"hexes": "E4"}], ["links[1].hexes: 'E4' is not a link"]),
        ([{"hexes": "E4-Z99"}], ["links[1].hexes: there is no hex 'Z99'"]),
        ([{"hexes": "E4-F4-G5-H5-H4-I4"}], ["the chain has 5 steps, the distance is 4"]),
        ([{"hexes": "E4-F4-G4-H4-I4"}], ["G4 is Controlled Terrain of the enemy"]),
        ([{"hexes": "B2-B1", "kind": "edge"}] * 2, ["links[2].hexes: the same link twice"]),
        ([{"hexes": "E4-F4-G5-H4-I4"}, {"hexes": "I4 H4 G5 F4 E4"}], ["links[2].hexes: the same link twice"]),
        (
            [{"hexes": "A6-B5"}, {"hexes": "C4-D6", "kind": "edge"}],
            ["A6 is not Controlled Terrain", "links[2].hexes: D6 does not touch C4"],
        ),
    ],
)
def test_links_that_are_not_legal(rows: list[dict[str, str]], complaints: list[str]) -> None:
    asked = asked_of(play(redeployment_phase, played()), "mlr-links", "axis")
    told = refused(asked, {"links": rows})
    assert all(complaint in told for complaint in complaints), told


def test_a_side_may_draw_no_links_at_all() -> None:
    cg = played()
    answers = {"mlr-links@axis": {"links": []}, "mlr-links@allied": links(*ALLIED_LINKS)}
    play(redeployment_phase, cg, answers=answers)
    assert cg.front is not None
    assert [mlr.letter for mlr in cg.front.mlrs["axis"]] == ["A", "B"]


def test_a_side_without_clusters_is_not_asked() -> None:
    cg = played({"axis": (), "allied": ("C8", "G2")})
    run = play(redeployment_phase, cg)
    assert [one.side for one in run.questions("mlr-links")] == ["allied"]
    assert cg.front is not None
    assert cg.front.region["axis"] == frozenset()


# Mutual isolation ------------------------------------------------------------------------------

MUTUAL = {"axis": ("K3", "G8"), "allied": ("I4", "A5")}


def mutual() -> Cg:
    """Four Strategic hexes whose proposed links enclose a cluster of each side."""
    return played(MUTUAL, strategic=["K3", "G8", "I4", "A5"])


def test_mutual_isolation_is_shown_and_links_are_asked_again() -> None:
    cg = mutual()
    run = play(redeployment_phase, cg)
    asked = run.questions("mlr-links")
    assert cg.front is not None
    assert cg.front.mutual_isolation
    assert [one.side for one in asked] == ["axis", "allied"] * 2
    assert asked[2].text.startswith("These lines isolate both sides: Germans in ")
    assert "Germans in E7, E8" in asked[2].text
    assert "; Soviets in " in asked[2].text
    assert asked[2].default == asked[0].default
    assert asked[2].sample(Random(1)) == asked[2].default
    assert len(run.of("front-drawn")) == 1


def test_after_mutual_isolation_other_links_are_drawn() -> None:
    cg = mutual()
    answers: list[tuple[str, Any]] = [
        ("redeployment-option@axis", "A"), ("redeployment-option@allied", "A"),
    ]  # fmt: skip
    first = play(redeployment_phase, cg).questions("mlr-links")
    cg = mutual()
    answers += [("mlr-links@axis", first[0].default), ("mlr-links@allied", first[1].default)]
    answers += [("mlr-links@axis", {"links": []}), ("mlr-links@allied", first[1].default)]
    run = play(redeployment_phase, cg, answers=answers)
    assert cg.front is not None
    assert not cg.front.mutual_isolation
    assert len(run.questions("mlr-links")) == 4
    assert cg.state.line is not None
    assert cg.state.line.links is not None
    assert cg.state.line.links["axis"] == ()


# Crests ----------------------------------------------------------------------------------------


def crest_cg(control: dict[str, tuple[str, ...]]) -> Cg:
    """The map with a crest of two hexes (F6, F7) at level 2."""
    cg = small_cg()
    data = map_data()
    high = {"F6", "F7"}
    rows = [
        [*row[:4], {**(row[4] if len(row) > 4 else {}), "level": 2}] if row[0] in high else row for row in data["hexes"]
    ]
    cg = Cg({"card": cg.card.model_dump(mode="json"), "map": {**data, "hexes": rows}})
    cg.state = played().state
    for side, held in control.items():
        cg.state = ControlChanged(side=side, locations=held).apply(cg.state)
    return cg


def take(cg: Cg) -> list[Fact]:
    facts = list(crests_taken(cg))
    for fact in facts:
        cg.state = fact.apply(cg.state)
    return facts


def test_a_crest_is_gained_as_a_whole_and_kept_until_the_enemy_has_all_of_it() -> None:
    cg = crest_cg({"axis": ("F6",)})
    assert take(cg) == []
    cg.state = ControlChanged(side="axis", locations=("F7",)).apply(cg.state)
    (fact,) = take(cg)
    assert (cg.state.ground.crests, fact.to) == ({"F6": "axis"}, None)
    cg.state = ControlChanged(side="allied", locations=("F6",)).apply(cg.state)
    assert take(cg) == []
    # The single hex that the enemy has seeds no cluster of the old owner's any more.
    assert "F6" not in cg.line_now("x").controlled["axis"]
    assert "F7" in cg.line_now("x").controlled["axis"]
    cg.state = ControlChanged(side="allied", locations=("F7",)).apply(cg.state)
    take(cg)
    assert cg.state.ground.crests == {"F6": "allied"}


def test_crests_are_settled_before_the_lines_are_drawn() -> None:
    cg = crest_cg({"axis": ("F6", "F7")})
    run = play(redeployment_phase, cg)
    kinds = [fact.kind for fact in run.facts]
    assert kinds.index("crest-taken") < kinds.index("front-drawn")
    assert cg.front is not None
    assert {"F6", "F7"} <= cg.front.seeds["axis"]


# 3.25 ------------------------------------------------------------------------------------------


def test_final_positions_record_the_same_geometry_without_asking() -> None:
    cg = drawn()
    before = cg.front
    run = play(final_positions, cg)
    assert run.asked == []
    assert cg.state.line is not None
    assert cg.state.line.stage == "final"
    assert cg.front == before


def test_who_is_isolated_at_the_end() -> None:
    cg = drawn()
    out = [
        add(cg, "allied", "4-4-7", "squad", "G2"),
        add(cg, "axis", "4-6-7", "squad", "G6"),
        add(cg, "axis", "8-1", "leader", "C6"),
        add(cg, "axis", "PzIVF2", "afv", "E7", Mark.IMMOBILIZED),
    ]
    safe = add(cg, "axis", "4-6-7", "squad", "C4")
    weapon = add(cg, "axis", "LMG", "sw", "G6")
    off = add(cg, "axis", "4-6-7", "squad", None)
    run = play(final_positions, cg)
    marks = {Mark.ISOLATED, Mark.AMMUNITION_SHORTAGE}
    assert all(marks <= now(cg, one).marks for one in out)
    assert not any(now(cg, one).has(*marks) for one in (safe, weapon, off))
    assert "Isolated in G2" in [fact.why for fact in run.of("unit-marked")]


def test_who_is_no_longer_isolated_has_ammunition_again() -> None:
    cg = drawn()
    marks = (Mark.ISOLATED, Mark.AMMUNITION_SHORTAGE)
    free = add(cg, "axis", "4-6-7", "squad", "C4", *marks)
    gone_off = add(cg, "axis", "4-6-7", "squad", None, *marks)
    # Short of ammunition for another reason, by a special rule.
    other = add(cg, "axis", "4-6-7", "squad", "C4", Mark.AMMUNITION_SHORTAGE)
    play(final_positions, cg)
    assert now(cg, free).marks == frozenset()
    assert now(cg, gone_off).marks == frozenset()
    assert now(cg, other).marks == {Mark.AMMUNITION_SHORTAGE}


def test_isolation_of_a_concealed_unit_is_told_to_its_side_only() -> None:
    cg = drawn()
    add(cg, "allied", "4-4-7", "squad", "G2", known=False)
    (fact,) = play(final_positions, cg).of("unit-marked")
    assert fact.to == ("allied",)


def test_a_gun_emplaced_in_redeployment_redraws_the_front() -> None:
    cg = drawn()
    crew = add(cg, "allied", "2-2-8", "crew", "E7")
    add(cg, "allied", "76L ART obr. 39", "gun", "E7", Mark.EMPLACED, with_unit=crew.id)
    run = play(final_positions, cg)
    assert cg.state.ground.control["E7"] == "allied"
    assert cg.front is not None
    assert "E7" in cg.front.seeds["allied"]
    asked = {one.side: one for one in run.questions("mlr-links")}
    assert set(asked) == {"axis", "allied"}
    rows = [row["hexes"] for row in asked["allied"].default["links"]]
    # The link that is still legal stays, others are proposed beside it.
    assert "E8-F7-G8-H7-I8" in rows
    assert len(rows) > 2
    assert asked["allied"].allows(asked["allied"].default)


def test_hidden_guns_and_guns_elsewhere_change_no_control() -> None:
    cg = drawn()
    crew = add(cg, "allied", "2-2-8", "crew", "C9", Mark.HIP, known=False)
    add(
        cg, "allied", "76L ART obr. 39", "gun", "C9", Mark.EMPLACED, Mark.HIP,
        with_unit=crew.id, known=False,
    )  # fmt: skip
    add(cg, "allied", "76L ART obr. 39", "gun", "F6", Mark.EMPLACED, with_unit=crew.id)
    run = play(final_positions, cg)
    assert not run.of("control-changed")


# Two Friendly Map Edges ---------------------------------------------------------------------------


def test_with_two_friendly_edges_the_proposed_line_goes_to_both() -> None:
    one = played({"axis": ("K4",), "allied": ()}, sides={"axis": {"friendly_edges": ["north"]}})
    two = played({"axis": ("K4",), "allied": ()}, sides={"axis": {"friendly_edges": ["north", "west"]}})
    sizes = []
    for cg in (one, two):
        run = play(redeployment_phase, cg)
        question = asked_of(run, "mlr-links", "axis")
        assert question.allows(question.default)
        assert question.suggest is not None
        assert all(question.allows(question.suggest(Random(seed))) for seed in range(20))
        assert cg.front is not None
        sizes.append(len(cg.front.region["axis"]))
        ends = {row["hexes"].rpartition("-")[2] for row in question.default["links"]}
    assert {end[0] for end in ends} > {"A"}, "to the west edge"
    assert {end[1:] for end in ends} > {"1"}, "and to the north edge"
    assert two.edges("axis")[:2] == (two.map.edge("north"), two.map.edge("west"))
    corner = {f"{column}{row}" for column in "ABCDEFGHI" for row in range(1, 4)}
    assert two.front is not None
    assert corner <= two.front.region["axis"]
    assert sizes[1] > sizes[0]


# Several map edges -----------------------------------------------------------------------------


@pytest.mark.parametrize("reading", ["each", "nearest"])
def test_whether_links_lead_to_each_of_several_map_edges(reading: str) -> None:
    cg = played(readings={"edge-links": reading}, sides={"axis": {"friendly_edges": ["east", "south"]}})
    question = asked_of(play(redeployment_phase, cg), "mlr-links", "axis")
    to_east = {"links": [{"hexes": "D5-E6-F6-G7-H7-I7-J6-K6-L6-M7", "kind": "edge"}]}
    proposed = [row["hexes"] for row in question.default["links"]]
    assert (to_east["links"][0]["hexes"] in proposed) is (reading == "each")
    if reading == "each":
        assert question.allows(to_east)
    else:
        told = refused(question, to_east)
        assert "M7 is not a nearest Friendly Map Edge hex" in told
        assert "D5 is 5 from the nearest edge; end on a hex at that distance" in told
