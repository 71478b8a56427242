"""Each question of the rules that asks about LOS: what it asks, from where, and the answer that follows."""

from __future__ import annotations

from typing import Any

from laager.campaign import Context, Question, SightFound
from laager.los.questions.requests import look_up_los, read_los_request, settle_answer
from laager.rules.board.hasl.setup.setup import setting_up
from laager.rules.board.los_requests import WATCHED_FROM, locations_in, observers
from laager.rules.board.setup.hiding import may_conceal
from laager.rules.board.units import Mark
from laager.rules.bridge_too_far.steps import headquarters as hq
from laager.rules.bridge_too_far.steps import records
from laager.rules.edsons_ridge.steps.fpf import blast_question
from laager.rules.edsons_ridge.steps.notes import notes_question
from laager.rules.platoon_leader.redeployment.in_mlr import conceal_question, concealable
from laager.rules.platoon_leader.setup.plan import Setting
from laager.rules.platoon_leader.setup.setup import PlSetup
from tests.bridge_too_far import scene as abtf
from tests.edsons_ridge import scene as er
from tests.edsons_ridge.test_fpf import GOOD, idle
from tests.hexmap.helpers import plain
from tests.historical.driver import run
from tests.historical.setting import folded, group, ready, views
from tests.historical.small import add
from tests.historical.small import scene as hasl
from tests.platoon_leader.fight import bare, join, later
from tests.platoon_leader.setups import by_night, row


def looked(cg: Context, question: Question, value: Any, state: Any = None) -> tuple[SightFound, ...]:
    """Return what is found for an answer; the side sees the whole state, unless another is given."""
    return look_up_los(read_los_request(cg, question, value, state or cg.state))


# Concealment at setup (A12.12; PL 2.6 and CG10) ---------------------------------------------------


def tank_in_cover(**watcher: Any) -> tuple[SightFound, ...]:
    cg = later(bare())
    tank = join(cg, "axis", "PzIVF2", "afv")
    if watcher:
        join(cg, "allied", "4-5-8", "squad", known=True, **watcher)
    question = PlSetup(Setting(cg, "axis")).question()
    return looked(cg, question, {"units": [row(tank, "C4", "concealed")]})


def test_a_vehicle_that_sets_up_concealed_is_out_of_los() -> None:
    (nobody,) = tank_in_cover()
    assert nobody.seen is False
    assert nobody.followed
    (near,) = tank_in_cover(at="C5")
    assert near.seen is True
    assert not near.followed
    assert near.proof.startswith("C5 sees C4 (range 1).")


def test_only_an_unbroken_enemy_that_is_seen_counts() -> None:
    for mark in (Mark.HIP, Mark.CONCEALED, Mark.CLOAKED, Mark.BROKEN, Mark.PRISONER):
        (one,) = tank_in_cover(at="C5", marks=frozenset({mark}))
        assert one.seen is False


def test_at_night_los_is_not_asked() -> None:
    cg = by_night()
    squad = join(cg, "axis", "4-6-7", "squad")
    question = PlSetup(Setting(cg, "axis")).question()
    assert looked(cg, question, {"units": [row(squad, "D4", "concealed")]}) == ()


# Concealment after redeployment (PL CG10) ---------------------------------------------------------


def test_concealment_before_the_enemy_looks() -> None:
    cg = later(bare())
    gun = join(cg, "axis", "4-6-7", "squad", at="D4")
    question = conceal_question(cg, "axis", [gun])
    assert question.default == []
    (one,) = looked(cg, question, [])
    assert (one.seen, one.asked.says) == (False, None)
    assert settle_answer(question, [], [one]) == [gun.id]
    join(cg, "allied", "4-5-8", "squad", at="D5", known=True)
    (one,) = looked(cg, question, [gun.id])
    assert (one.seen, one.followed) == (True, False)
    assert settle_answer(question, [gun.id], [one]) == []
    assert concealable(cg, "allied") == []
    hidden = join(cg, "axis", "4-6-7", "squad", at="C4")
    assert may_conceal(cg, hidden, "C4")
    question = conceal_question(cg, "axis", [gun, hidden])
    assert question.default == [hidden.id]
    assert [one.asked.key for one in looked(cg, question, [hidden.id])] == [gun.id], "CG10 conceals whatever the LOS"


# Observers ---------------------------------------------------------------------------------------


def test_observers_are_those_who_have_a_radio_or_phone() -> None:
    cg = hasl()
    leader = add(cg, "axis", "9-1", "leader", "C3")
    squad = add(cg, "axis", "4-6-7", "squad", "D4")
    gunner = add(cg, "axis", "8-1", "leader", "E5")
    theirs = add(cg, "allied", "9-1", "leader", "C8")
    add(cg, "axis", "Radio", "sw", "C3", with_unit=leader.id)
    add(cg, "axis", "Field Phone", "sw", "D4", with_unit=squad.id)
    add(cg, "axis", "LMG", "sw", "E5", with_unit=gunner.id)
    add(cg, "axis", "Radio", "sw", "C8", with_unit=theirs.id)
    add(cg, "allied", "Radio", "sw", "C8", with_unit=theirs.id)
    assert observers(cg.state, "axis") == ("C3", "D4")
    assert observers(cg.state, "allied") == ("C8",)
    assert observers(object(), "axis") == ()
    broken = add(cg, "axis", "8-0", "leader", "F6", Mark.BROKEN)
    add(cg, "axis", "Radio", "sw", "F6", with_unit=broken.id)
    assert "F6" not in observers(cg.state, "axis"), "who is broken directs nothing"


def test_who_has_the_radio_of_a_module_since_setup_observes() -> None:
    cg = ready(hasl(), "axis")
    add(cg, "axis", "4-6-7", "squad", "G3", area="NE")
    group(cg, "axis", "O1/1", "O", equipment="radio")
    assert observers(cg.state, "axis") == ()
    before = views(cg)
    facts = run(setting_up, cg).facts
    assert observers(cg.state, "axis") == ("G3",)
    assert observers(folded(before["allied"], facts), "axis") == (), "the enemy isn't told who it is"


# ER ----------------------------------------------------------------------------------------------


def test_a_blast_area_is_seen_from_its_area() -> None:
    cg = idle()
    question = blast_question(cg)
    (one,) = looked(cg, question, [{**GOOD, "los": True}])
    assert one.seen is not None
    assert one.asked.title == "Blast Area 1 from Setup Area Ridge"
    assert one.asked.targets[0] == "H6"
    for said in (True, False):
        assert settle_answer(question, [{**GOOD, "los": said}], [one])[0]["los"] is one.seen
    assert looked(cg, question, [{"hexes": "nowhere", "area": GOOD["area"], "los": True}]) == ()


def test_what_is_noted_shows_if_a_known_enemy_within_16_hexes_sees_it() -> None:
    cg = er.scene()
    gun = add(cg, "allied", "M1 75", "gun", "H6")
    question = notes_question(cg, "allied")
    value = [{"unit": gun.id, "note": "CE"}]
    (one,) = looked(cg, question, value)
    assert (one.asked.within, one.asked.says, one.seen) == (16, None, False)
    add(cg, "axis", "4-4-7", "squad", "H7", known=True)
    (one,) = looked(cg, question, value)
    assert one.seen is True


def test_in_er_infantry_hides_where_no_location_of_the_enemys_areas_sees_it() -> None:
    cg = er.at_date(er.scene(), "13D")
    squad = add(cg, "axis", "4-4-7", "squad", "H6")
    sources, counting = cg.variant.watchers_of(cg, squad, cg.state)
    hexes = {name for area in cg.state.areas_of("allied") for name in area.hexes}
    assert {at.partition(".")[0] for at in sources} == hexes
    assert counting == "every Location of the enemy's Setup Areas"
    tank = add(cg, "axis", "Type 95", "afv", "H6")
    assert cg.variant.watchers_of(cg, tank, cg.state) == ((), WATCHED_FROM)


def test_who_looks_from_a_building_looks_from_each_level_but_not_from_its_cellar() -> None:
    map_ = plain(4, 4, buildings=[{"hexes": ["B2"], "material": "stone", "levels": 1, "cellar": True}])
    assert list(locations_in(map_, ["B2", "Z9"])) == ["B2", "B2.1"]
    assert list(locations_in(map_, ["B2"], rooftops=True)) == ["B2", "B2.1", "B2.roof"]


# ABtF --------------------------------------------------------------------------------------------


def test_the_headquarters_sees_the_ramp() -> None:
    cg = abtf.at_date(abtf.scene(), "18AM")
    (question,) = run(hq.headquarters, cg).asked
    (one,) = looked(cg, question, {"building": "School", "los": True})
    assert one.asked.sources == ("B4", "B4.1", "B4.roof", "B5", "B5.1", "B5.roof")
    assert {at.partition(".")[0] for at in one.asked.targets} <= {f"R{row}" for row in range(15, 24)}
    assert one.followed is (one.seen is True)
    assert settle_answer(question, {"building": "School", "los": False}, [one]) == {"building": "School", "los": True}
    assert hq.resolve_los({"building": "School", "los": True}, {"School": False, "Villa": True})["building"] == "Villa"
    assert hq.resolve_los({"building": "School", "los": True}, {"School": False}) == {"building": "none", "los": False}


def test_what_vehicles_have_noted_shows_if_a_known_enemy_near_enough_sees_it() -> None:
    cg = ready(abtf.scene())
    tank = add(cg, "axis", "PzIVH", "afv", "C4")
    (question,) = run(records.vehicle_status, cg, side="axis").asked
    value = [{"unit": tank.id, "about": "status", "text": "CE"}]
    (one,) = looked(cg, question, value)
    assert (one.asked.within, one.asked.rule, one.seen) == (16, "ABtF CG18", False)
    add(cg, "allied", "6-4-8", "squad", "C5", known=True)
    (one,) = looked(cg, question, value)
    assert one.seen is True


def test_a_hex_on_level_1_is_a_level_1_location_itself() -> None:
    map_ = plain(18, 16, levels={"1": ["R16"]}, features={"bridge": ["R15"]})
    assert list(hq.ramp_locations(map_)) == ["R15.bridge", "R16"]
    assert list(hq.ramp_locations(plain(5, 5))) == []


def test_hasl_setup_asks_where_los_decides() -> None:
    cg = ready(hasl())
    cg.state = cg.state.with_scenario(number=2)
    squad = add(cg, "allied", "6-4-8", "squad", "C2", area="W")
    chosen = {"units": [{"unit": squad.id, "at": "C2", "hide": "concealed"}]}
    asked = run(setting_up, cg, answers=[("setup", chosen), ("setup-warnings", True)]).asked
    for question in asked[:2]:
        value = chosen if question.key == "setup" else True
        (one,) = looked(cg, question, value)
        assert (one.asked.key, one.asked.says, one.asked.targets) == (squad.id, False, ("C2",))
