from __future__ import annotations

import pickle
from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any

import icepool
import pytest
from hypothesis import given
from hypothesis import strategies as st

from laager.base import DataError
from laager.dice import Dice, Distribution, distribution
from tests.tries import tries

DICE = st.sampled_from(Dice)
DRM = st.integers(-12, 12)
ANY = st.dictionaries(st.integers(-20, 20), st.integers(1, 50), min_size=1, max_size=8).map(
    lambda weights: Distribution(weights, sum(weights.values()))
)


def brute(dice: Dice, drm: int) -> Counter[int]:
    return Counter(sum(faces) + drm for faces in product(range(1, 7), repeat=dice.count))


def oracle(dist: Distribution) -> Any:
    return icepool.Die(dict(dist.weights))


def same(dist: Distribution, die: Any) -> bool:
    return all(
        dist.probability(value) == die.probability("==", value) for value in set(die.outcomes()) | set(dist.weights)
    )


@given(DICE, DRM)
@tries(60)
def test_odds_of_a_modified_roll_against_two_oracles(dice: Dice, drm: int) -> None:
    dist = distribution(dice, drm)
    assert dist.weights == brute(dice, drm)
    assert dist.total == dice.ways
    die = (2 if dice is Dice.DR else 1) @ icepool.d6 + drm
    assert same(dist, die)
    assert dist.mean == Fraction(die.mean())
    for value in range(-14, 28):
        assert dist.at_most(value) == die.probability("<=", value)
        assert dist.at_least(value) == die.probability(">=", value)


def test_odds_are_exact_and_in_rising_order() -> None:
    dist = distribution(Dice.DR, -1)
    assert list(dist.weights.items()) == [
        (1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (6, 6), (7, 5), (8, 4), (9, 3), (10, 2), (11, 1),
    ]  # fmt: skip
    assert dist.probability(6) == Fraction(1, 6)
    assert dist.probability(12) == 0
    assert dist.at_most(3) == Fraction(1, 6)
    assert dist.mean == 6
    assert distribution(Dice.dr).mean == Fraction(7, 2)


@given(ANY, ANY)
@tries(80)
def test_sums_agree_with_the_oracle(one: Distribution, other: Distribution) -> None:
    total = one + other
    assert same(total, oracle(one) + oracle(other))
    assert total.mean == one.mean + other.mean
    assert total.total == one.total * other.total


@given(ANY, st.dictionaries(st.integers(0, 3), ANY, min_size=4, max_size=4))
@tries(80)
def test_a_roll_that_depends_on_another_agrees_with_the_oracle(
    first: Distribution, second: dict[int, Distribution]
) -> None:
    chained = first.chain(lambda value: second[value % 4])
    assert same(chained, oracle(first).map(lambda value: oracle(second[value % 4])))
    assert chained.mean == sum((first.probability(v) * second[v % 4].mean for v in first.weights), Fraction(0))


@given(ANY)
@tries(40)
def test_a_function_of_the_result(dist: Distribution) -> None:
    halves = dist.map(lambda value: value // 2)
    assert same(halves, oracle(dist).map(lambda value: value // 2))
    assert dist.map(lambda value: value) == dist


def test_a_chain_of_twelve_rolls_is_exact() -> None:
    def step(elr: int) -> Distribution:
        return distribution(Dice.DR).map(lambda final: elr - (final <= 3) + (final >= 11))

    level = Distribution({0: 1}, 1)
    for _ in range(12):
        level = level.chain(step)
    assert level.total == 36**12
    assert level.mean == 0
    assert level.probability(12) == Fraction(1, 12**12)


@pytest.mark.parametrize(
    ("weights", "total", "told"),
    [
        ({2: 1, 3: 2}, 4, "the weights add up to 3, not to 4; the total counts every way once"),
        ({2: -1, 3: 2}, 1, "a weight is negative"),
        ({}, 0, "the total below 1"),
    ],
)
def test_weights_that_do_not_fit_are_refused(weights: dict[int, int], total: int, told: str) -> None:
    with pytest.raises(DataError, match=told):
        Distribution(weights, total)


def test_a_distribution_is_a_value() -> None:
    weights = {3: 1, 2: 1, 4: 0}
    dist = Distribution(weights, 2)
    weights[9] = 1
    assert list(dist.weights) == [2, 3]
    assert dist == Distribution({2: 1, 3: 1}, 2)
    assert hash(dist) == hash(Distribution({2: 1, 3: 1}, 2))
    with pytest.raises(TypeError):
        dist.weights[2] = 5  # type: ignore[index]
    assert dist != distribution(Dice.dr)
    assert pickle.loads(pickle.dumps(dist)) == dist
