"""The check of orders of battle: what was bought is legal, what is missing is told, not guessed."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from laager.base.files import Document
from laager.rules.design_your_own.check.check import ObVerdict, as_problem, check_file, check_ob, describe_verdict
from laager.rules.design_your_own.check.infantry import bonus_words
from laager.rules.design_your_own.check.pieces import parse_letters
from laager.rules.design_your_own.context import Cg
from laager.rules.design_your_own.files import load_ob, ob_data
from laager.rules.design_your_own.ob import OrderOfBattle
from laager.rules.design_your_own.state import DyoState
from laager.rules.design_your_own.terms import SIDES
from tests.design_your_own.harness import by_chance, cg_of, new_purchase, published_cg

terms = st.fixed_dictionaries(
    {
        "date": st.sampled_from(["1941-07", "1942-05", "1943-08", "1944-09", "1945-03"]),
        "axis": st.fixed_dictionaries({"points": st.sampled_from([60, 1000, 3000, 6000])}),
        "allied": st.fixed_dictionaries({"points": st.sampled_from([250, 1300]), "elr": st.integers(0, 5)}),
        "weather": st.sampled_from(["", "Clear"]),
        "theatre": st.sampled_from(["", "eastern-front"]),
        "agreements": st.fixed_dictionaries({"extra_pieces": st.booleans()}),
        "readings": st.fixed_dictionaries(
            {},
            optional={
                "half-squads": st.just("yes"),
                "engineer-class": st.just("any"),
                "capability-rounding": st.just("each"),
                "san-limit": st.just("none"),
                "motorized-basis": st.just("remaining"),
                "bonus-dearer": st.just("any"),
                "equivalency-rounding": st.just("line"),
                "free-pieces": st.just("free"),
                "reinforcement-leaders": st.just("actual"),
            },
        ),
    }
)


def bought(seed: int, **agreed: Any) -> Cg:
    campaign = new_purchase(**agreed)
    by_chance(campaign, Random(seed))
    context = campaign.context
    assert isinstance(context, Cg)
    return context


def told(verdict: ObVerdict) -> list[str]:
    return [str(found) for found in (*verdict.broken, *verdict.unjudged)]


@given(terms, st.integers(0, 10**6))
@settings(max_examples=6, deadline=None)
def test_whatever_is_bought_in_laager_checks_clean(agreed: dict[str, Any], seed: int) -> None:
    cg = bought(seed, **agreed)
    for side in SIDES:
        for facing in (True, False):
            verdict = check_ob(cg, side, facing=facing)
            assert told(verdict) == []
            assert verdict.ob == cg.ob(side)


@pytest.mark.parametrize("seed", range(3))
def test_a_purchase_checks_clean_as_a_file_too(seed: int, tmp_path: Path) -> None:
    cg = bought(seed, axis={"points": 3000}, weather="", readings={"half-squads": "yes"})
    loaded = {}
    for side in SIDES:
        path = tmp_path / f"{side}.yaml"
        path.write_text(yaml.safe_dump(ob_data(cg, side), allow_unicode=True), encoding="utf-8")
        loaded[side] = load_ob(path)
        assert loaded[side].terms.terms.weather == cg.state.weather
    for side, enemy in (SIDES, SIDES[::-1]):
        assert told(check_file(loaded[side])) == []
        verdict = check_file(loaded[side], loaded[enemy])
        assert told(verdict) == []
        assert verdict.ob == cg.ob(side)


def test_told_values_are_in_the_file(tmp_path: Path) -> None:
    campaign = new_purchase(catalogue="published")
    by_chance(campaign, Random(3))
    cg = campaign.context
    assert isinstance(cg, Cg)
    cg.state = DyoState(**{**cg.state.__dict__, "given": {"axis": (_value("guns", "75L AT PaK 40", "bpv", 99),)}})
    path = tmp_path / "ob.yaml"
    path.write_text(yaml.safe_dump(ob_data(cg, "axis"), allow_unicode=True), encoding="utf-8")
    loaded = load_ob(path)
    assert [one.value for one in loaded.values] == [99]


def _value(section: str, type_: str, field: str, value: int) -> Any:
    from laager.rules.design_your_own.state import GivenValue

    return GivenValue(section=section, type=type_, field=field, value=value)


def russian(**parts: Any) -> OrderOfBattle:
    """An order of battle of the other side."""
    head = {"side": "allied", "nation": "russian", "allotment": 900}
    return OrderOfBattle.model_validate({**head, **parts})


# Prices -----------------------------------------------------------------------------------------


def of_hand(cg: Cg, **parts: Any) -> ObVerdict:
    """Check an order of battle of the Axis that was written by hand."""
    half = cg.terms.side("axis")
    data = {"side": "axis", "nation": half.nation, "allotment": half.points, **parts}
    cg.state = cg.state.having(OrderOfBattle.model_validate(data))
    return check_ob(cg, "axis")


def test_prices_that_are_left_out_are_filled_in() -> None:
    verdict = of_hand(
        cg_of(),
        infantry=[
            {"type": "4-6-8", "number": 4, "capabilities": ["sapper"]},
            {"type": "4-6-8", "number": 3},
            {"type": "4-6-7", "number": 12},
            {"type": "4-3-6", "number": 10},
            {"type": "8-3-8", "number": 3, "capabilities": ["assault-engineer"]},
        ],
        san=3,
        ordnance={"availability": {"final": 7}, "guns": [{"type": "75L AT PaK 40"}]},
        oba=[{"dr": {"final": 10}, "size": "70+", "bought": True, "contact": "radio"}],
        fortifications=[{"type": "wire", "number": 4}],
    )
    assert told(verdict) == []
    # The first purchase of the rules' own example comes to 449.
    assert dict(verdict.ob.spent) == {
        "infantry": 449,
        "san": 10,
        "ordnance": 45,
        "vehicles": 0,
        "oba": 63,
        "fortifications": 20,
        "second-infantry": 0,
    }
    assert verdict.ob.left == 1000 - 587
    assert verdict.ob.batteries[0].letter == "A"
    assert verdict.ob.equivalents == {"elite": 13, "line": 12, "conscript": 7}
    assert verdict.notes == (
        "leaders are not allotted yet: 32 Equivalents (DYO H1.8)",
        "no SW: 32 Equivalents (DYO H1.83)",
        "no ELR is announced yet, so there is no bonus (DYO H1.71)",
    )


def test_a_price_that_is_written_is_held_to_the_rules() -> None:
    verdict = of_hand(cg_of(), infantry=[{"type": "4-6-7", "number": 2, "each": 0}])
    assert told(verdict) == ["infantry[1].each: each is 0 (DYO H1.211); 10 BPV + 2 inherent AT range = 12"]
    assert verdict.ob.infantry[0].total == 24
    assert not verdict.legal


def test_an_empty_order_of_battle_is_legal() -> None:
    verdict = of_hand(cg_of())
    assert verdict.legal
    assert verdict.ob.left == 1000


# Missing values ---------------------------------------------------------------------------------


def test_values_that_the_catalogue_lacks_are_told() -> None:
    verdict = of_hand(
        published_cg(),
        infantry=[{"type": "4-6-7", "number": 2}],
        ordnance={"availability": {"final": 2}, "guns": [{"type": "75L AT PaK 40"}]},
        vehicles={"availability": {"final": 2}, "entries": [{"type": "PzIVH", "id": "A"}]},
        oba=[{"dr": {"final": 6}, "size": "150+", "bpv": 166, "bought": True}],
        leaders={"count": 1, "held": {"8-0": 1}},
        sw=[{"type": "LMG", "number": 1}],
    )
    unjudged = [str(found) for found in verdict.unjudged]
    assert any("is not known" in one and "enter it in a catalogue file" in one for one in unjudged)
    fields = {found.where[0] for found in verdict.unjudged}
    assert "oba" in fields
    assert len(unjudged) == len(set(unjudged))


def test_nothing_missing_is_taken_for_broken() -> None:
    verdict = of_hand(
        published_cg(), oba=[{"dr": {"final": 6}, "size": "150+", "bpv": 166, "bought": True, "total": 166}]
    )
    assert verdict.legal
    assert [found.breach.rule for found in verdict.unjudged] == ["DYO H1.51"]


# Against the other side -------------------------------------------------------------------------


def test_the_bonus_is_exact_against_the_other_side() -> None:
    cg = cg_of(axis={"elr": 3}, allied={"elr": 5})
    squads = {"type": "4-4-7", "number": 10, "each": 7, "total": 70}
    cg.state = cg.state.having(russian(infantry=[squads], announced_elr=5))
    parts = {"infantry": [{"type": "4-6-7", "number": 10}], "announced_elr": 3}
    assert of_hand(cg, **parts, bonus="3").legal
    assert of_hand(cg, **parts, bonus="1½").legal
    of_hand(cg, **parts, bonus="1½")
    facing = check_ob(cg, "axis", facing=True)
    assert [found.breach.rule for found in facing.broken] == ["DYO H1.71"]
    of_hand(cg, **parts, bonus="3")
    assert check_ob(cg, "axis", facing=True).legal


def test_limits_for_both_sides_together() -> None:
    cg = cg_of(readings={"limits-per-board": "both"})
    cg.state = cg.state.having(russian(fortifications=[{"type": "roadblock", "number": 4}]))
    assert of_hand(cg, fortifications=[{"type": "roadblock", "number": 2}]).legal
    found = of_hand(cg, fortifications=[{"type": "roadblock", "number": 3}])
    assert [one.breach.rule for one in found.broken] == ["DYO H1.6-n4"]


# Small parts ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "number"), [("5", 5.0), ("2½", 2.5), ("½", 0.5), ("0", 0.0), ("", None), ("two", None), ("2.5", None)]
)
def test_bonus_numbers(text: str, number: float | None) -> None:
    found = bonus_words(text)
    assert (None if found is None else float(found)) == number


@pytest.mark.parametrize(
    ("text", "letters"),
    [
        ("A", ["A"]),
        ("A-C", ["A", "B", "C"]),
        ("A, C-D", ["A", "C", "D"]),
        ("Z-BB", ["Z", "AA", "BB"]),
        ("C-A", None),
        ("AB", None),
        ("1", None),
        ("", None),
    ],
)
def test_letters(text: str, letters: list[str] | None) -> None:
    assert parse_letters(text) == letters


def test_a_verdict_for_programs() -> None:
    verdict = of_hand(cg_of(), infantry=[{"type": "4-6-7", "number": 100}])
    described = json.loads(json.dumps(describe_verdict(verdict)))
    assert described["legal"] is False
    assert described["points"]["left"] == -200
    assert {one["rule"] for one in described["broken"]} == {"DYO H1.11", "DYO H1.13"}
    assert {one["reason"] for one in described["broken"]} == {"counter limit", "points"}
    assert [one.field for one in verdict.problems()] == ["infantry", "infantry[1].number"]
    document = Document({}, "ob.yaml", {("ob", "infantry", 0, "number"): 12})
    assert str(as_problem(verdict.broken[1], document)).startswith("ob.yaml:12: ob.infantry[1].number:")
