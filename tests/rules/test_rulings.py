"""Rulings: what the table decides otherwise, as facts; what can't be is refused, all of it at once."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from laager.base import DataError
from laager.base.files import parse_document
from laager.campaign import UMPIRE, rulings, undo
from laager.campaign.audit import audit
from laager.campaign.engine import Campaign
from laager.campaign.facts import may_see
from laager.campaign.log import MemoryStore
from laager.campaign.rulings import Ruling
from laager.rules.board.card.parts import other_side
from laager.rules.board.context import CardContext
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.rulings.facts import LoadSettled
from laager.rules.board.rulings.ruling import base_contexts, write_ruling
from laager.rules.board.rulings.sense import find_new_mismatches
from laager.rules.board.rulings.template import ruling_template
from laager.rules.board.state import evolve
from laager.rules.board.units import Fort, Mark, Place
from laager.rules.platoon_leader.state import PlState
from tests.historical import campaigns as historical
from tests.platoon_leader import campaigns as platoon
from tests.rulings import ruling_by_chance, written


def played(card: str, number: int, answers: int) -> Campaign:
    """A campaign of a card, so many answers old."""
    seed = number.to_bytes(32, "big")
    of_pl = card in ("walkthrough", "rzhavets")
    campaign = platoon.new_campaign(card, seed=seed) if of_pl else historical.new_campaign(card, seed=seed)
    rng = Random(number)
    for _ in range(answers):
        if not campaign.pending():
            break
        platoon.answer_by_chance(campaign, rng.choice(campaign.pending()), rng)
    return campaign


def faults(cg: CardContext) -> list[str]:
    """What can't be in a whole state."""
    if isinstance(cg, Hasl):
        return list(historical.faults_of(cg))
    assert isinstance(cg.state, PlState)
    return list(platoon.faults(cg.state, cg.map.playable))


@pytest.mark.parametrize("card", ["walkthrough", "rijnoord", "kokusa-ridge", "sorgiva"])
def test_whatever_is_ruled_the_record_makes_sense(card: str) -> None:
    rng = Random(card)
    campaign = played(card, 1, rng.randint(5, 45))
    counted = 0
    for _ in range(30):
        by = rng.choice(["axis", "allied", UMPIRE])
        data = ruling_by_chance(campaign, by, rng)
        before = campaign.state
        try:
            ruling = written(campaign, by, data)
        except DataError:
            continue
        finally:
            assert campaign.state is before
        counted += 1
        whole, seen = base_contexts(campaign, by)
        state, shown = whole.state, seen.state
        for fact in ruling.facts:
            state = fact.apply(state)
            if may_see(fact.to, by):
                shown = fact.apply(shown)
        whole.state = state
        assert not faults(whole), data
        if by != UMPIRE:
            assert shown.sides[by] == state.sides[by]
            for unit in state.units.values():
                if unit.side == by:
                    assert shown.units[unit.id] == unit, data
    assert counted > 5


# One by one ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def campaign() -> Campaign:
    """The worked card while both sides buy for their second firefight."""
    return played("walkthrough", 3, 30)


def ruled(campaign: Campaign, by: str, data: dict[str, Any]) -> CardContext:
    """The whole record after a ruling."""
    whole, _ = base_contexts(campaign, by)
    for fact in written(campaign, by, data).facts:
        whole.state = fact.apply(whole.state)
    return whole


def lines(campaign: Campaign, by: str, data: dict[str, Any]) -> list[str]:
    return [one.text for one in written(campaign, by, data).changes]


def refusals(campaign: Campaign, by: str, data: dict[str, Any]) -> list[str]:
    with pytest.raises(DataError) as caught:
        written(campaign, by, data)
    return [f"{problem.field}: {problem.what}" for problem in caught.value.problems]


def test_a_unit_moves_with_what_it_carries(campaign: Campaign) -> None:
    assert lines(campaign, "axis", {"units": {"ax2": {"at": "M5"}}}) == [
        "4-6-7 (AX2): in: L5 → M5",
        "LMG (AX4): in: L5 → M5",
    ]


def test_a_line_of_its_own_leaves_a_weapon_where_it_says(campaign: Campaign) -> None:
    state = ruled(campaign, "axis", {"units": {"AX2": {"at": "M5"}, "AX4": {"at": "L5"}}}).state
    assert (state.units["AX2"].at, state.units["AX4"].at, state.units["AX4"].with_unit) == ("M5", "L5", "")


def test_whoever_gets_a_weapon_has_it_where_they_stand(campaign: Campaign) -> None:
    weapon = ruled(campaign, "axis", {"units": {"AX4": {"with": "AX3"}}}).state.units["AX4"]
    assert (weapon.at, weapon.with_unit) == ("M5", "AX3")


def test_a_lost_unit_leaves_its_weapon_and_the_enemy_scores(campaign: Campaign) -> None:
    before = campaign.state.side("allied").cvp
    state = ruled(campaign, "allied", {"units": {"AX2": {"gone": "eliminated"}}}).state
    assert state.units["AX4"].with_unit == ""
    assert state.side("allied").cvp == before + 2
    quiet = ruled(campaign, "axis", {"units": {"AX2": {"gone": "removed"}}}).state
    assert quiet.side("allied").cvp == before


def test_what_the_enemy_carries_in_secret_is_settled_too(campaign: Campaign) -> None:
    facts = written(campaign, "allied", {"units": {"AX2": {"at": "M5"}}}).facts
    assert all(fact.to is None for fact in facts)
    (settled,) = (fact for fact in facts if isinstance(fact, LoadSettled))
    whole, _ = base_contexts(campaign, UMPIRE)
    moved = whole.state.with_unit("AX2", lambda unit: unit.but(at="M5"))
    assert settled.apply(moved).units["AX4"].at == "M5"
    gone = whole.state.with_unit("AX2", lambda unit: unit.but(place=Place.ELIMINATED))
    assert settled.apply(gone).units["AX4"].with_unit == ""
    own = written(campaign, "axis", {"units": {"AX2": {"at": "M5"}}}).facts
    assert not any(isinstance(fact, LoadSettled) for fact in own)


def test_new_units_get_the_next_numbers_and_can_be_with_one_another(campaign: Campaign) -> None:
    fresh = [{"side": "axis", "type": "4-6-7", "at": "M5", "as": "A"}, {"side": "axis", "type": "LMG", "with": "A"}]
    state = ruled(campaign, "axis", {"new": {"units": fresh}}).state
    squad, weapon = list(state.units.values())[-2:]
    assert (squad.type, squad.at, weapon.with_unit, weapon.at) == ("4-6-7", "M5", squad.id, "M5")
    assert not squad.known
    (line,) = refusals(campaign, "axis", {"new": {"units": [{"side": "allied", "type": "4-4-7"}]}})
    assert line == "new.units[1]: this is the enemy's record"


def test_a_prisoner_has_a_guard(campaign: Campaign) -> None:
    prisoner = ruled(campaign, "axis", {"units": {"AL3": {"with": "AX2"}}}).state.units["AL3"]
    assert prisoner.at == "L5"
    assert prisoner.has(Mark.PRISONER)


def test_fortifications_are_put_right_in_secret(campaign: Campaign) -> None:
    ruling = written(campaign, "axis", {"forts": {"AXF3": {"at": "E6"}, "AXF1": {"gone": True}}})
    assert [(fact.kind, fact.to) for fact in ruling.facts] == [("fort-gone", None), ("fort-joined", ("axis",))]
    state = ruled(campaign, "axis", {"forts": {"AXF1": {"hidden": True}}}).state
    assert state.forts["AXF1"].hidden


def test_what_was_bought_in_the_step_under_way_is_reopened_there(campaign: Campaign) -> None:
    (line,) = refusals(campaign, "axis", {"units": {"AX17": {"name": "B"}}})
    assert line == "units.AX17: AX17 came in the step that is under way"


def test_every_problem_comes_at_once_with_its_field(campaign: Campaign) -> None:
    found = refusals(
        campaign,
        "axis",
        {
            "units": {"AX2": {"at": "Z99"}, "AX1": {"marks": ["tired"]}, "ZZ1": {"name": "A"}, "AX3": {"cvp": 2}},
            "sides": {"axis": {"elr": 8, "morale": 3}, "allied": {"cp": 3}},
            "ground": {"control": {"Q99": "axis"}},
            "forts": {"AXF1": {"at": "M5", "count": 0}},
        },
    )
    assert sorted(line.partition(":")[0] for line in found) == [
        "forts.AXF1.count",
        "ground.control",
        "sides.allied.cp",
        "sides.axis.elr",
        "sides.axis.morale",
        "units.AX1.marks",
        "units.AX2.at",
        "units.AX3.cvp",
        "units.ZZ1",
    ]


def test_what_it_leaves_contradictory_is_said_with_the_mend(campaign: Campaign) -> None:
    back = written(campaign, "allied", {"units": {"AL1": {"at": "F8"}}})
    assert [(one.what, one.mend) for one in back.left] == [
        ("4-4-7 (AL1) is back, and the 2 CVP scored for it stand", "take them off too, if they were scored")
    ]


def test_numbers_and_groups_are_their_sides_own(campaign: Campaign) -> None:
    own = campaign.state.side("axis").cp
    base, _ = base_contexts(campaign, UMPIRE)
    ruling = written(campaign, "axis", {"sides": {"axis": {"cp": base.state.side("axis").cp + 2, "elr": 2}}})
    assert {fact.kind: fact.to for fact in ruling.facts} == {"cp-changed": ("axis",), "elr-changed": None}
    assert campaign.state.side("axis").cp == own
    group = written(campaign, "axis", {"groups": {"axis:I1/1": {"lost": "used up"}}})
    assert [fact.to for fact in group.facts] == [("axis",)]


def test_readings_are_others_from_now_on(campaign: Campaign) -> None:
    cg = ruled(campaign, "axis", {"readings": {"elr-ends": "strict"}})
    assert cg.reading("elr-ends") == "strict"
    assert "readings" in refusals(campaign, "axis", {"readings": {"elr-ends": "perhaps"}})[0]


@pytest.mark.parametrize("by", ["axis", UMPIRE])
def test_the_template_says_what_holds(campaign: Campaign, by: str) -> None:
    text = ruling_template(campaign, by)
    head, body = text[: text.index("# units:")], text[text.index("# units:") :]
    document = parse_document(
        head.replace('why: ""', "why: nothing") + "\n".join(line.removeprefix("# ") for line in body.splitlines()),
        "ruling.yaml",
    )
    document.data.pop("new")
    with pytest.raises(DataError) as caught:
        write_ruling(campaign, by, document)
    assert [problem.what for problem in caught.value.problems] == ["this ruling changes nothing"]
    assert ("AL14" in text) == (by == UMPIRE)


# In the log ---------------------------------------------------------------------------------------


def copied(campaign: Campaign) -> Campaign:
    """The same campaign in a store of its own."""
    assert isinstance(campaign.store, MemoryStore)
    copy = Campaign(MemoryStore(campaign.store.data), clock=lambda: platoon.NOON, ruleset=campaign.ruleset)
    copy.advance()
    return copy


def count(campaign: Campaign, by: str, data: dict[str, Any]) -> Ruling:
    """Let a ruling count: propose it, and agree for the other side."""
    found = written(campaign, by, data)
    ruling = Ruling(by, found.why, found.facts)
    if not rulings.propose(campaign, ruling):
        rulings.consent(campaign, other_side(by), agree=True)
    return ruling


def rule_by_chance(card: str, number: int) -> None:
    """Play a campaign by chance, put this and that right, take some of it back; look at all that must hold."""
    rng = Random(f"{card} {number}")
    campaign = played(card, number, rng.randint(15, 50))
    for _ in range(6):
        if campaign.over:
            break
        by = rng.choice(["axis", "allied", UMPIRE])
        data = ruling_by_chance(campaign, by, rng)
        before, version = campaign.state, campaign.version
        try:
            count(campaign, by, data)
        except DataError:
            assert campaign.version == version
            continue
        assert not [*faults_of(campaign), *view_faults(campaign)], data
        undo.ask(campaign, UMPIRE, undo.target(campaign, UMPIRE, version))
        campaign.advance()
        assert campaign.state == before, data
        undo.redo(campaign, UMPIRE)
        campaign.advance()
        for _ in range(rng.randint(0, 4)):
            if campaign.pending():
                platoon.answer_by_chance(campaign, rng.choice(campaign.pending()), rng)
        assert not [*faults_of(campaign), *view_faults(campaign)], data
    proof = audit(campaign)
    assert proof.sound, proof.findings
    assert copied(campaign).state == campaign.state


def faults_of(campaign: Campaign) -> list[str]:
    """What can't be in a campaign."""
    assert isinstance(campaign.context, CardContext)
    return faults(campaign.context)


@pytest.mark.parametrize("card", ["walkthrough", "rijnoord", "kokusa-ridge", "sorgiva"])
def test_rulings_by_chance_leave_campaigns_whole(card: str) -> None:
    rule_by_chance(card, 0)


def view_faults(campaign: Campaign) -> list[str]:
    """What a side's view holds otherwise than it is."""
    found = platoon.view_faults if isinstance(campaign.state, PlState) else historical.view_faults
    return list(found(campaign))


@pytest.mark.soak
@pytest.mark.parametrize("card", ["walkthrough", "rzhavets", "rijnoord", "kokusa-ridge", "sorgiva"])
@pytest.mark.parametrize("number", range(40))
def test_rulings_in_two_hundred_campaigns(card: str, number: int) -> None:
    rule_by_chance(card, number)


@pytest.fixture(scope="module")
def town() -> Campaign:
    """A HASL campaign of Blocks in its second date."""
    return played("sorgiva", 7, 70)


def test_areas_chits_and_weather_are_put_right(town: Campaign) -> None:
    base, _ = base_contexts(town, UMPIRE)
    area = base.state.areas[0]  # type: ignore[attr-defined]
    key = f"{area.side}:{area.name}"
    state = ruled(
        town,
        UMPIRE,
        {
            "areas": {key: {"hexes": [f"-{area.hexes[0]}"]}},
            "scenario": {"weather": "Rain", "moves_first": "axis", "chits": {"axis": "idle"}},
            "sides": {"axis": {"attacks": 1, "exhaustion": -1}},
            "campaign": {"block_control": {"A": "allied"}},
        },
    ).state
    assert state.areas[0].hexes == area.hexes[1:]  # type: ignore[attr-defined]
    assert (state.scenario.weather, state.scenario.chits["axis"]) == ("Rain", "idle")  # type: ignore[attr-defined]
    assert state.block_control["A"] == "allied"  # type: ignore[attr-defined]
    found = refusals(
        town,
        UMPIRE,
        {
            "areas": {key: {"hexes": ["+Q99"]}},
            "scenario": {"moves_first": "nobody", "chits": {"axis": "rest"}},
            "new": {"areas": [{"name": "Q9", "side": "axis", "hexes": [area.hexes[1]]}]},
        },
    )
    assert len(found) == 4


def test_groups_are_bought_struck_and_used(town: Campaign) -> None:
    base, _ = base_contexts(town, "allied")
    module = next(group for group in base.state.groups.values() if group.side == "allied" and group.black)
    before = base.state.side("allied").bought.get(module.rg, 0)
    key = f"allied:{module.id}"
    used = ruled(town, "allied", {"groups": {key: {"black": 1, "used": True, "holder": ""}}}).state
    assert used.groups["allied", module.id].black == 1
    gone = ruled(town, "allied", {"groups": {key: {"gone": True}}}).state
    assert ("allied", module.id) not in gone.groups
    assert gone.side("allied").bought[module.rg] == before - 1
    more = ruled(town, "allied", {"new": {"groups": [{"side": "allied", "rg": module.rg}]}}).state
    assert more.side("allied").bought[module.rg] == before + 1
    (line,) = refusals(town, "axis", {"groups": {key: {"black": 1}}})
    assert "no 'allied" in line


def test_counters_that_nobody_buys_are_no_hindrance() -> None:
    campaign = played("kokusa-ridge", 3, 30)
    whole, seen = base_contexts(campaign, UMPIRE)
    path = Fort(id="ALF9", side="allied", kind="jungle-path", at=min(seen.map.playable))
    before = seen.with_state(evolve(seen.state, forts={**seen.state.forts, path.id: path}))
    assert not find_new_mismatches(before, before)
    lost = whole.with_state(evolve(seen.state, forts={path.id: path.but(at="ZZ99")}))
    assert [mismatch.what for mismatch in find_new_mismatches(whole, lost) if mismatch.part == "forts"] == [
        "jungle path (ALF9): the map has no Location ZZ99"
    ]
