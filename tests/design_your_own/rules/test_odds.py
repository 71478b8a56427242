"""Odds of every roll of the purchase: against all falls of the dice, and many random ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laager.catalogue.dyo import Month
from laager.catalogue.kinds import Column
from laager.rules.design_your_own.lines import fittings, leaders, oba, pieces
from laager.rules.design_your_own.lines.fittings import Fitting
from laager.rules.design_your_own.nations import Group
from tests.design_your_own.rules.printed import PRINTED
from tests.tries import tries

FALLS = [a + b for a, b in product(range(1, 7), repeat=2)]
MONTHS = st.builds(Month, st.integers(1937, 1945), st.integers(1, 12))
LEADERS = {"8-0": 2, "8-1": 1, "9-1": 1}
OBA = {dr: f"battery {dr // 3}" if dr != 7 else None for dr in range(2, 13)}


def counted(outcomes: list[object]) -> dict[Any, Fraction]:
    return {each: Fraction(many, len(outcomes)) for each, many in Counter(outcomes).items()}


def real(odds: Mapping[Any, Fraction]) -> dict[Any, Fraction]:
    return {each: chance for each, chance in odds.items() if chance}


CASES: dict[str, tuple[Mapping[Any, Fraction], Callable[[int], object]]] = {
    "rf": (pieces.odds_rf(PRINTED), lambda dr: pieces.rf_limit(PRINTED, dr)),
    "rf motorized": (pieces.odds_rf(PRINTED, motorized=True), lambda dr: pieces.rf_limit(PRINTED, dr, motorized=True)),
    "armor leader": (fittings.odds_armor_leader(PRINTED, -1), lambda dr: fittings.armor_leader(PRINTED, dr - 1)),
    "exchange": (
        leaders.odds_exchange(PRINTED, LEADERS, Column.GENERAL),
        lambda dr: leaders.exchange(PRINTED, LEADERS, dr, Column.GENERAL).gained,
    ),
    "oba": (oba.odds_oba(OBA), lambda dr: OBA[dr]),
    "air": (oba.odds_air(oba.air_number(PRINTED, Group.GERMAN, 1941, Group.RUSSIAN)), lambda dr: dr <= 7),
}


@pytest.mark.parametrize("name", CASES)
def test_odds_are_those_of_all_falls_of_the_dice(name: str) -> None:
    odds, outcome = CASES[name]
    assert sum(odds.values()) == 1
    assert real(odds) == counted([outcome(dr) for dr in FALLS])


@pytest.mark.parametrize("name", CASES)
def test_odds_agree_with_two_hundred_thousand_rolls(name: str) -> None:
    odds, outcome = CASES[name]
    random, rolls = Random(1944), 200_000
    thrown = Counter(random.choices(FALLS, k=rolls))
    seen: Counter[object] = Counter()
    for dr, many in thrown.items():
        seen[outcome(dr)] += many
    for each, chance in odds.items():
        spread = float(chance * (1 - chance) / rolls) ** 0.5
        assert abs(seen[each] / rolls - float(chance)) <= 5 * spread, each


@tries(60)
@given(st.sampled_from(Fitting), MONTHS, st.integers(-2, 3))
def test_odds_of_fittings(fitting: Fitting, month: Month, drm: int) -> None:
    odds = fittings.odds_fitting(PRINTED, fitting, month, drm)
    received = [fittings.fitting_result(PRINTED, fitting, month, dr + drm).received for dr in range(1, 7)]
    assert real(odds) == counted(list(received))
    assert sum(odds.values()) == 1
    later = Month(month.year + 1, month.month)
    if later.year <= 1945:
        assert fittings.odds_fitting(PRINTED, fitting, later, drm)[True] >= odds[True], "it only gets better"


@tries(30)
@given(st.integers(-3, 3))
def test_odds_of_armor_leaders(drm: int) -> None:
    odds = fittings.odds_armor_leader(PRINTED, drm)
    assert sum(odds.values()) == 1
    assert real(odds) == counted([fittings.armor_leader(PRINTED, dr + drm) for dr in FALLS])
    assert list(odds)[-1] is None, "the best first, none last"
    assert odds[None] <= fittings.odds_armor_leader(PRINTED, drm + 1)[None]


@tries(40)
@given(st.dictionaries(st.sampled_from(["6+1", "7-0", "8-0", "8-1", "9-1", "9-2", "10-2"]), st.integers(0, 3)))
def test_odds_of_the_exchange(held: dict[str, int]) -> None:
    odds = leaders.odds_exchange(PRINTED, held, Column.GENERAL)
    assert sum(odds.values()) == 1
    ranks = ["6+1", "7-0", "8-0", "8-1", "9-1", "9-2", "10-2", "10-3"]
    best = leaders.best_leader(held)
    for gained in odds:
        if gained not in (None, "6+1"):
            assert best is not None
            assert ranks.index(gained) > ranks.index(best)


def test_the_chance_of_a_rarity() -> None:
    assert pieces.chance_of(PRINTED, ".9") == 1
    assert pieces.chance_of(PRINTED, 1.6) == Fraction(1, 36)
    assert pieces.chance_of(PRINTED, 1.7) == 0
    assert pieces.chance_of(PRINTED, 1.8, motorized=True) == Fraction(1, 36)
    assert pieces.chance_of(PRINTED, 1.0) == Fraction(28, 36)
    assert next(iter(pieces.odds_rf(PRINTED))) == pieces.rarity("1.6"), "the rarest first"


def test_without_a_number_there_is_no_chance() -> None:
    assert oba.odds_air(None) == {True: 0, False: 1}
    number = oba.air_number(PRINTED, Group.AXIS_MINOR, 1945, Group.BRITISH)
    assert number is not None
    assert int(number) == 0
    assert oba.odds_air(number) == {True: 0, False: 1}
