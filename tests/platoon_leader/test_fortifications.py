"""PL 2.38 with its notes: FP, prices, limits, what is recorded."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laager.base import DataError
from laager.rules.platoon_leader.buying.fortifications import FpShop, fortifying
from laager.rules.platoon_leader.buying.works import Work, fp_of, kind_refused, price_words
from laager.rules.platoon_leader.card.card import Setup
from laager.rules.platoon_leader.charts import charts
from tests.platoon_leader.fortified import build, buy, forts, hip_limit, problems_of, refusal, selling, squads, wanted
from tests.platoon_leader.harness import unit
from tests.platoon_leader.small import second_firefight, small_cg
from tests.steps import play
from tests.tries import tries

# The walkthrough --------------------------------------------------------------------------------


def test_allied_fortifications_of_the_walkthrough() -> None:
    """3 CP = 15 FP: Wire 10, three 1-squad foxholes, two "?"."""
    cg = selling()
    works = wanted("wire"), wanted("foxhole", size="1", count=3), wanted("concealment", count=2)
    played = build(cg, *works, cp=3)
    own = cg.state.side("allied")
    assert (own.cp, own.fp) == (15, 0)
    assert [(fort.id, fort.kind, fort.size, fort.count, fort.fp) for fort in forts(cg)] == [
        ("ALF1", "wire", "", 1, 10),
        ("ALF2", "foxhole", "1", 1, 1),
        ("ALF3", "foxhole", "1", 1, 1),
        ("ALF4", "foxhole", "1", 1, 1),
        ("ALF5", "concealment", "", 2, 2),
    ]
    assert all(fort.at is None and fort.hidden for fort in forts(cg)), "places come at setup"
    assert all(fact.to == ("allied",) for fact in played.facts)
    assert played.asked[0].secret


def test_its_pillbox_is_too_dear() -> None:
    cg = selling()
    assert refusal(cg, wanted("pillbox", size="2+3+5"), cp=3) == [
        "This costs 16 FP, and you have 15 FP with 3 CP turned into FP"
    ]


def test_its_hip_limit_is_nothing() -> None:
    """Axis: 3 squads of the OB and 3 bought On Map; those off map do not count."""
    cg = small_cg()
    buy(cg, "I1", Setup.ON_MAP, given=True)
    buy(cg, "I1", Setup.ON_MAP)
    buy(cg, "I2", Setup.OFF_MAP)
    assert hip_limit(cg, "axis") == 0


# Prices -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("work", "expected"),
    [
        (Work("foxhole", size="3"), 3),
        (Work("foxhole", size="2"), 2),
        (Work("foxhole", size="1"), 1),
        (Work("sangar"), 2),
        (Work("concealment"), 1),
        (Work("hip", size="afv"), 5),
        (Work("hip", size="squad"), 3),
        (Work("hip", size="half-squad"), 2),
        (Work("hip", size="crew"), 2),
        (Work("hip", size="smc"), 1),
        (Work("roadblock"), 12),
        (Work("wire"), 10),
        (Work("pillbox", size="2+3+5"), 16),
        (Work("pillbox", size="1+3+5"), 8),
        (Work("fortified-building"), 12),
        (Work("tunnel"), 20),
        (Work("booby-traps"), 15),
        (Work("a-t-ditch"), 18),
        (Work("a-p-mines", factors=6), 12),
        (Work("a-t-mines", factors=3), 15),
        (Work("a-b-mines", factors=3), 15),
        (Work("set-dc"), 25),
        (Work("known-minefield", size="a-p", factors=6), 10),
        (Work("known-minefield", size="a-t", factors=2), 8),
        (Work("known-minefield", size="a-b", factors=3), 12),
        (Work("cave"), 15),
        (Work("cave-complex"), 7),
        (Work("tetrahedrons"), 15),
        (Work("panji", factors=3), 6),
        (Work("trip-flares"), 1),
        (Work("dummy-minefield", fp=3), 3),
        (Work("dummy-minefield"), None),
        (Work("trench"), None),
        (Work("pillbox", size="4-2"), None),
    ],
)
def test_prices_of_the_rules(work: Work, expected: int | None) -> None:
    assert fp_of(selling(), "allied", work) == expected


def test_every_row_of_the_chart_was_priced_above() -> None:
    (mark,) = [
        mark
        for mark in test_prices_of_the_rules.pytestmark  # type: ignore[attr-defined]
        if mark.name == "parametrize"
    ]
    priced = {case[0].kind for case in mark.args[1]}
    assert priced == {row.type for row in charts().fortifications.rows}


def test_the_card_prices_what_it_likes() -> None:
    prices = {
        "trench": 8, "dummy-minefield": 2, "foxhole 3": 5, "a-p-mines": 3,
        "pillbox 1+5+7": 9, "cave": 20, "sangar": 0,
    }  # fmt: skip
    cg = selling(prices=prices)

    def fp(kind: str, **more: Any) -> int | None:
        return fp_of(cg, "allied", Work(kind, **more))

    assert (fp("trench"), fp("dummy-minefield"), fp("cave"), fp("sangar")) == (8, 2, 20, 0)
    assert (fp("foxhole", size="3"), fp("foxhole", size="2")) == (5, 2)
    assert (fp("pillbox", size="1+5+7"), fp("pillbox", size="1+3+5")) == (9, 8)
    assert fp("a-p-mines", factors=4) == 12
    assert fp("known-minefield", size="a-p", factors=4) == 10, "four fifths of 12, FRU"
    assert fp("dummy-minefield", fp=7) is None, "what has a price is not agreed on"
    build(cg, wanted("trench"), cp=2)
    assert (forts(cg)[0].kind, cg.state.side("allied").fp) == ("trench", 2)


def test_prices_in_words() -> None:
    cg = selling(prices={"foxhole 3": 5, "wire": 7, "a-p-mines": 3})
    rows = {row.type: price_words(cg, "allied", row) for row in charts().fortifications.rows}
    assert rows["foxhole"] == "3 5 FP, 2 2 FP, 1 1 FP"
    assert (rows["wire"], rows["a-p-mines"]) == ("7 FP", "3 FP per factor")
    assert (rows["panji"], rows["tunnel"]) == ("2 FP per hexside", "20 FP")
    assert rows["dummy-minefield"] == "as agreed"
    assert rows["pillbox"].startswith("capacity x")
    assert rows["known-minefield"].startswith("0.8 of")


# CP and FP --------------------------------------------------------------------------------------


def test_cp_become_fp_at_the_cards_rate_and_the_rest_is_kept() -> None:
    cg = selling(fp_per_cp=4)
    played = build(cg, wanted("sangar"), cp=2)
    own = cg.state.side("allied")
    assert (own.cp, own.fp) == (16, 6)
    assert FpShop(cg, "allied").points_held({"cp": 1}) == 10
    assert played.of("cp-changed")[0].why == "2 CP become 8 FP, 4 for each"
    build(cg, wanted("sangar", count=3))
    assert cg.state.side("allied").fp == 0, "kept FP are spent later"


@pytest.mark.parametrize(("reading", "left"), [("kept", 3), ("lost", 0)])
def test_fp_not_spent(reading: str, left: int) -> None:
    cg = selling(readings={"unspent-fp": reading})
    build(cg, wanted("sangar"), cp=1)
    assert cg.state.side("allied").fp == left


def test_a_bound_on_cp_for_fp() -> None:
    cg = selling(max_cp=2)
    assert FpShop(cg, "allied").question().allows({"cp": 2})
    assert refusal(cg, cp=3) == ["cp: You want to turn 3 CP into FP; the card allows 2"]
    problems = problems_of(cg, 19)
    assert problems[0].right == "you have 18"
    with pytest.raises(DataError, match="from 0 to 18"):
        FpShop(cg, "allied").question().accept({"cp": 19})


def test_a_side_whose_card_sells_none_is_not_asked() -> None:
    cg = small_cg(sides={"axis": {"fortifications": None}})
    assert play(fortifying, cg, "axis").asked == []
    assert "lets this side buy no" in kind_refused(cg, "axis", "wire")


def test_nothing_is_bought_by_default_and_the_question_is_asked_without_points() -> None:
    cg = selling()
    cg.state = cg.state.with_side("allied", cp=0)
    played = play(fortifying, cg, "allied")
    assert (len(played.asked), played.facts) == (1, [])


# Which ones -------------------------------------------------------------------------------------


INITIAL_ONLY = {
    "pillbox", "tunnel", "a-t-ditch", "known-minefield", "cave", "cave-complex", "tetrahedrons",
    "panji",
}  # fmt: skip


def test_those_marked_s_are_for_the_initial_firefight() -> None:
    cg = selling(booby_traps=True, prices={"trench": 5})
    kinds = [row.type for row in charts().fortifications.rows]
    assert [kind for kind in kinds if kind_refused(cg, "allied", kind)] == []
    second_firefight(cg)
    assert {kind for kind in kinds if kind_refused(cg, "allied", kind)} == INITIAL_ONLY
    assert "Initial Firefight only" in refusal(cg, wanted("tunnel"))[0]


def test_only_what_the_card_allows() -> None:
    cg = selling(allowed=["wire", "foxhole"])
    assert kind_refused(cg, "allied", "wire") == ""
    assert "the card does not allow Sangar" in refusal(cg, wanted("sangar"))[0]
    (problem,) = problems_of(cg, 5, Work("sangar"))
    assert (problem.field, problem.right) == ("works[1].type", "leave it out")


def test_no_trench_without_a_price_of_the_card() -> None:
    assert "only a card can give it one" in refusal(selling(), wanted("trench"))[0]


def test_limits_of_the_card_count_pieces_factors_and_hexsides() -> None:
    cg = selling(limits={"wire": 1, "a-p-mines": 12, "panji": 4}, fp_per_cp=20)
    works = (
        wanted("wire", count=2),
        wanted("a-p-mines", factors=6, count=2),
        wanted("a-p-mines", factors=1),
        wanted("panji", factors=4),
    )
    assert refusal(cg, *works, cp=10) == [
        "works: You want 2 x wire; the card allows 1 in one firefight",
        "works: You want 13 x a-p-mines; the card allows 12 in one firefight",
    ]


@pytest.mark.parametrize(
    ("work", "told"),
    [
        (wanted("foxhole"), "works[1].size: Foxhole has no size ''; one of 3, 2, 1"),
        (wanted("wire", size="2"), "works[1].size: Wire has no sizes; leave it out"),
        (wanted("hip", size="tank"), "works[1].size: HIP has no size 'tank'; one of afv, squad"),
        (wanted("pillbox", size="2+3"), "works[1].size: '2+3' is not a pillbox; capacity + CA"),
        (wanted("a-p-mines"), "works[1].factors: A-P Mines without factors; say how many"),
        (wanted("panji"), "works[1].factors: Panji without hexsides; say how many hexsides"),
        (wanted("wire", factors=2), "works[1].factors: Wire has no factors; leave them out"),
        (wanted("wire", fp=2), "works[1].fp: Wire has a price; leave it out"),
        (wanted("dummy-minefield"), "works[1].fp: neither rules nor card price Dummy Minefield; give the FP"),
        (wanted("known-minefield", factors=2), "works[1].size: Known Minefield has no size ''; one of a-p, a-t, a-b"),
    ],
)
def test_rows_that_do_not_fit(work: dict[str, Any], told: str) -> None:
    (text,) = refusal(selling(), work, cp=18)
    assert text.startswith(told)


def test_all_problems_are_told_together() -> None:
    cg = selling(limits={"wire": 0})
    told = refusal(cg, wanted("wire"), wanted("foxhole"), wanted("cave-complex"), cp=1)
    assert [text.split(";")[0] for text in told] == [
        "works[2].size: Foxhole has no size ''",
        "works: You want 1 x wire",
        "works: 1 Cave Complexes for 0 caves",
        "This costs 17 FP, and you have 5 FP with 1 CP turned into FP",
    ]


# Mines ------------------------------------------------------------------------------------------


def test_each_minefield_is_recorded_with_its_strength() -> None:
    cg = selling()
    build(cg, wanted("a-p-mines", factors=6, count=2), cp=5)
    assert [(fort.kind, fort.factors, fort.fp) for fort in forts(cg)] == [("a-p-mines", 6, 12)] * 2


def test_a_known_minefield_is_mines_that_are_not_hidden() -> None:
    cg = selling()
    played = build(cg, wanted("known-minefield", size="a-t", factors=2), cp=2)
    (fort,) = forts(cg)
    assert (fort.kind, fort.factors, fort.fp, fort.size) == ("a-t-mines", 2, 8, "")
    assert (fort.known_minefield, fort.hidden) == (True, False)
    assert played.of("fort-joined")[0].to == ("allied",), "secret until it is placed"


@tries(80)
@given(factors=st.integers(1, 99), mines=st.sampled_from([("a-p", 2), ("a-t", 5), ("a-b", 5)]))
def test_known_minefields_cost_four_fifths_rounded_up(factors: int, mines: tuple[str, int]) -> None:
    found = fp_of(selling(), "allied", Work("known-minefield", size=mines[0], factors=factors))
    assert found is not None
    full = factors * mines[1]
    assert 5 * (found - 1) < 4 * full <= 5 * found


# Properties -------------------------------------------------------------------------------------


@tries(60)
@given(seed=st.integers(0, 10**6), cp=st.integers(0, 20), fp=st.integers(0, 20))
def test_neither_cp_nor_fp_become_negative(seed: int, cp: int, fp: int) -> None:
    cg = selling(booby_traps=True, prices={"trench": 6})
    squads(cg, 20)
    cg.state = cg.state.with_side("allied", cp=cp, fp=fp)
    answer = FpShop(cg, "allied").suggest(Random(seed))
    played = build(cg, *answer["works"], cp=answer["cp"])
    held = {"cp-changed": cp, "fp-changed": fp}
    for fact in played.of(*held):
        held[fact.kind] += fact.by  # type: ignore[attr-defined]
        assert min(held.values()) >= 0
    own = cg.state.side("allied")
    assert (own.cp, own.fp) == (held["cp-changed"], held["fp-changed"])
    bought = FpShop(cg, "allied").cost([Work.of(row) for row in answer["works"]])
    assert bought == sum(fort.fp for fort in forts(cg))
    assert own.fp == fp + 5 * (cp - own.cp) - bought


def test_automatic_play_buys_everything_at_times() -> None:
    cg = selling(booby_traps=True, fp_per_cp=30, max_cp=17)
    squads(cg, 20)
    cg.state, _ = unit(cg.state, "allied", "DC", "sw", "C8")
    seen = {row["type"] for seed in range(60) for row in FpShop(cg, "allied").suggest(Random(seed))["works"]}
    kinds = {row.type for row in charts().fortifications.rows}
    assert seen == kinds - {"trench", "cave-complex"}
