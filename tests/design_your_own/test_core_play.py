"""Whole purchases by chance: they balance, end, can be proven, taken up and taken back."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from laager.campaign import undo
from laager.campaign.log import MemoryStore
from laager.rules.design_your_own.files import shipped_terms
from laager.rules.design_your_own.state import DyoState
from laager.rules.design_your_own.terms import SIDES
from tests.design_your_own.harness import balanced, by_chance, new_purchase, opened, proven, purchase_of

terms = st.fixed_dictionaries(
    {
        "date": st.sampled_from(["1941-07", "1942-05", "1943-08", "1944-09", "1945-03"]),
        "axis": st.fixed_dictionaries({"points": st.sampled_from([1, 60, 400, 1000, 3000])}),
        "allied": st.fixed_dictionaries({"points": st.sampled_from([7, 250, 1300]), "elr": st.integers(0, 5)}),
        "weather": st.sampled_from(["", "Clear"]),
        "agreements": st.fixed_dictionaries({"extra_pieces": st.booleans()}),
    }
)
ways = st.sampled_from(
    [{"open": False}, {"open": True}, {"open": True, "first": "axis"}, {"open": True, "first": "allied"}]
)


@given(terms, ways, st.integers(0, 10**6))
@settings(max_examples=5, deadline=None)
def test_no_purchase_exceeds_its_allotment_and_every_one_ends(
    agreed: dict[str, Any], way: dict[str, Any], seed: int
) -> None:
    campaign = new_purchase(**agreed, **way)
    by_chance(campaign, Random(seed))
    state: DyoState = campaign.state
    assert state.over
    assert state.shown == set(SIDES)
    for side in SIDES:
        assert 0 <= state.ob(side).left <= agreed[side]["points"]
        assert state.closed[side] == tuple(state.ob(side).spent)
    proven(campaign)


@pytest.mark.soak
def test_hundreds_of_purchases() -> None:
    for seed in range(400):
        rng = Random(seed)
        campaign = new_purchase(axis={"points": rng.randint(1, 4000)}, allied={"points": rng.randint(1, 4000)})
        by_chance(campaign, rng)
        proven(campaign)


@pytest.mark.parametrize("nations", ["german russian", "finnish russian", "japanese american"])
def test_what_no_catalogue_has_is_asked_or_left(nations: str, tmp_path: Path) -> None:
    axis, allied = nations.split()
    text = shipped_terms()["vistula"].read_text(encoding="utf-8")
    text = text.replace("catalogue: house", "catalogue: published")
    text = text.replace("nation: german", f"nation: {axis}")
    text = text.replace("nation: russian", f"nation: {allied}")
    path = tmp_path / "sparse.yaml"
    path.write_text(text, encoding="utf-8")
    campaign = purchase_of(path)
    answered = by_chance(campaign, Random(3))
    assert any(one.key.startswith("values-") for one in answered)
    assert campaign.state.over
    proven(campaign)


def test_a_purchase_cut_off_after_any_answer_goes_on_the_same() -> None:
    campaign = new_purchase()
    by_chance(campaign, Random(11))
    answers = [entry for entry in campaign.entries if entry.type == "answer"]
    assert isinstance(campaign.store, MemoryStore)
    store = MemoryStore()
    store.append(campaign.entries[:2])
    again = opened(store)
    for number, entry in enumerate(answers):
        if number % 3 == 0:
            # Opened anew: nothing but the log carries over.
            again = opened(MemoryStore(store.data))
        again.answer(entry.body["side"], entry.body["key"], entry.body["value"])
        assert isinstance(again.store, MemoryStore)
        store = again.store
    assert again.state == campaign.state
    assert [entry.body for entry in again.entries] == [entry.body for entry in campaign.entries]


def test_what_is_taken_back_was_never_bought() -> None:
    campaign = new_purchase()
    rows = [{"type": "4-6-7", "number": 5}]
    before = campaign.version
    campaign.answer("axis", "infantry", {"lines": rows})
    assert campaign.state.ob("axis").total == 60
    assert undo.ask(campaign, "axis", before), "no dice were rolled, and only the axis has seen it"
    assert campaign.state.ob("axis").total == 0
    assert [one.key for one in campaign.pending()] == ["infantry", "infantry"]
    undo.redo(campaign, "axis")
    undo.consent_redo(campaign, "allied", True)
    assert campaign.state.ob("axis").total == 60
    by_chance(campaign, Random(5))
    balanced(campaign.state)
    proven(campaign)


def test_in_the_open_each_category_is_shown_before_the_next() -> None:
    campaign = new_purchase(open=True)
    campaign.answer("axis", "infantry", {"lines": [{"type": "4-6-7", "number": 5}]})
    campaign.answer("axis", "san", 3)
    assert not campaign.state.shown
    campaign.answer("allied", "infantry", {"lines": []})
    campaign.answer("allied", "san", 2)
    assert campaign.state.shown == set(SIDES)
    assert campaign.step is not None
    assert campaign.step.id == "buying-ordnance"


def test_in_the_open_one_side_can_buy_first() -> None:
    campaign = new_purchase(open=True, first="allied")
    assert [(one.side, one.key) for one in campaign.pending()] == [("allied", "infantry")]
    campaign.answer("allied", "infantry", {"lines": []})
    campaign.answer("allied", "san", 2)
    assert campaign.state.shown == {"allied"}
    assert [(one.side, one.key) for one in campaign.pending()] == [("axis", "infantry")]


def test_each_side_buys_at_its_own_time() -> None:
    campaign = new_purchase()
    for _ in range(40):
        mine = [one for one in campaign.pending() if one.side == "axis"]
        if not mine:
            break
        assert mine[0].question is not None
        campaign.answer("axis", mine[0].key, mine[0].question.default)
    assert [(one.side, one.key) for one in campaign.pending()] == [("allied", "infantry")]
    assert campaign.state.closed["axis"][-1] == "second-infantry"
    assert not campaign.state.announced
