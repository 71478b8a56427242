"""Sections that nobody has entered: asked whole, of every nation, and nothing is lost in them."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laager.catalogue.dyo import DyoCatalogue, DyoNation, Month, load_dyo, shipped_nations
from laager.catalogue.dyo.write import to_yaml
from laager.rules.design_your_own.files import DraftTerms, draft_data
from laager.rules.design_your_own.steps import missing
from laager.rules.design_your_own.steps.oba import oba
from laager.rules.design_your_own.steps.vehicles import vehicles
from tests.steps import refusals
from tests.tries import tries

from .harness import by_chance, ob_of, play, proven, published_cg, purchase_of

NATIONS = shipped_nations("published")
MONTH = Month(1942, 6)
TANK = {"type": "Tank", "afv": "yes", "bpv": 40, "rf": "1.0"}


@tries(12)
@given(pair=st.tuples(st.sampled_from(NATIONS), st.sampled_from(NATIONS)), seed=st.integers(0, 999))
def test_any_two_nations_are_bought_by_values_that_the_sides_tell(
    tmp_path_factory: pytest.TempPathFactory, pair: tuple[str, str], seed: int
) -> None:
    draft = DraftTerms("any", "1942-06", pair, (800, 700), (3, 3), weather="Clear", catalogue="published")
    file = Path(tmp_path_factory.mktemp("any")) / "any.yaml"
    file.write_text(to_yaml(draft_data(draft)), encoding="utf-8")
    campaign = purchase_of(file)
    by_chance(campaign, Random(seed))
    proven(campaign)
    assert {side: ob_of(campaign, side).nation for side in ("axis", "allied")} == dict(
        zip(("axis", "allied"), pair, strict=True)
    )


@pytest.mark.parametrize("nation", NATIONS)
def test_every_section_of_a_form_is_known_once_it_is_told(nation: str) -> None:
    found = load_dyo(nation, set="published")[nation]
    wanted = missing.missing(found, MONTH, (*missing.ROWS, "oba"))
    form = missing.form_of(wanted, found)
    assert [field.name for field in form.fields] == list(wanted)
    assert form.parse({}) == {field.name: field.default for field in form.fields}
    assert not list(missing.values_of(form.parse({}), MONTH))


def test_transport_and_weapons_are_told_with_what_they_belong_to() -> None:
    cg = published_cg("italian", "british")
    told = {
        "vehicles": [TANK],
        "armament": [{"vehicle": "Tank", "type": "AAMG", "fp": 4, "rf": "1.2"}],
        "transport": [{"type": "Mule", "sort": "horse", "bpv": 2, "tows": "8"}],
        "armor_leaders": [{"type": "8-1", "counters": 2}],
    }
    asked = play(vehicles, cg, "axis", {"sections-vehicles": told}, dice=[(3, 4)])
    nation = cg.nation("axis")
    assert [one.fp for one in nation.armament("Tank", cg.month)] == [4]
    assert [(one.type, one.sort, one.bpv) for one in nation.transport(cg.month)] == [("Mule", "horse", 2)]
    question = asked.question("sections-vehicles")
    # Without a vehicle to buy no DR is proposed.
    fresh = play(vehicles, published_cg("italian", "british"), "axis")
    wrong = {**told, "vehicles": []}
    assert refusals(fresh.question("sections-vehicles"), wrong) == [
        "armament[1]: there is no vehicle 'Tank'; enter the vehicle too"
    ]
    assert question.warning({}).startswith("You leave out: vehicles, optional armament, ")
    assert question.warning(told) == ""


def test_a_further_cost_of_oba_needs_a_price() -> None:
    cg = published_cg("italian", "british")
    option = {"type": "harassing fire", "per": "battery"}
    bare = load_dyo("italian", set="published")["italian"].file.model_copy(update={"oba_options": None})
    cg.catalogue = DyoCatalogue({**cg.catalogue, "italian": DyoNation(bare)})
    question = play(oba, cg, "axis", {"oba-dr": False}).question("sections-oba")
    assert refusals(question, {"oba_options": [option]}) == [
        "oba_options[1]: an option of OBA needs its price; points or a percentage"
    ]
    assert not refusals(question, {"oba_options": [{**option, "percent": "20"}]})


def test_nothing_is_asked_of_a_whole_catalogue() -> None:
    house = load_dyo("german", "russian")
    for nation in ("german", "russian"):
        assert not missing.missing(house[nation], Month(1944, 9), (*missing.ROWS, "oba"))
