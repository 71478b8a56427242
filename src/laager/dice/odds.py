"""Exact odds: whole-number weights over one total; fractions only when asked for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm
from types import MappingProxyType

from laager.base import DataError, Problem
from laager.dice.values import SIDES, Dice


@dataclass(frozen=True)
class Distribution:
    """How often each final result comes: `weights` result -> ways, out of `total` ways.

    Results are in rising order and every one can happen. Raises DataError if a weight is negative
    or the weights do not add up to the total.
    """

    weights: Mapping[int, int] = field(hash=False)
    total: int

    def __post_init__(self) -> None:
        weights = {value: ways for value, ways in sorted(self.weights.items()) if ways}
        if any(ways < 0 for ways in weights.values()) or self.total < 1:
            raise DataError([Problem("a weight is negative or the total below 1", "count ways")])
        if sum(weights.values()) != self.total:
            message = f"the weights add up to {sum(weights.values())}, not to {self.total}"
            raise DataError([Problem(message, "the total counts every way once")])
        object.__setattr__(self, "weights", MappingProxyType(weights))

    def __reduce__(self) -> tuple[type[Distribution], tuple[dict[int, int], int]]:
        # A read-only view can't be copied to another process; what it shows can.
        return Distribution, (dict(self.weights), self.total)

    def probability(self, value: int) -> Fraction:
        """Return the probability of exactly this result."""
        return Fraction(self.weights.get(value, 0), self.total)

    def at_most(self, value: int) -> Fraction:
        """Return the probability of this result or less."""
        return Fraction(sum(w for v, w in self.weights.items() if v <= value), self.total)

    def at_least(self, value: int) -> Fraction:
        """Return the probability of this result or more."""
        return Fraction(sum(w for v, w in self.weights.items() if v >= value), self.total)

    @property
    def mean(self) -> Fraction:
        """The average result."""
        return Fraction(sum(v * w for v, w in self.weights.items()), self.total)

    def map(self, function: Callable[[int], int]) -> Distribution:
        """Return the distribution of a function of the result, such as a table of integers."""
        weights: Counter[int] = Counter()
        for value, ways in self.weights.items():
            weights[function(value)] += ways
        return Distribution(weights, self.total)

    def __add__(self, other: Distribution) -> Distribution:
        """Return the distribution of the sum of two independent results."""
        weights: Counter[int] = Counter()
        for value, ways in self.weights.items():
            for other_value, other_ways in other.weights.items():
                weights[value + other_value] += ways * other_ways
        return Distribution(weights, self.total * other.total)

    def chain(self, follow: Callable[[int], Distribution]) -> Distribution:
        """Return the result of a second roll that depends on the first, as `follow` says."""
        follows = [(ways, follow(value)) for value, ways in self.weights.items()]
        common = lcm(*(second.total for _, second in follows))
        weights: Counter[int] = Counter()
        for ways, second in follows:
            for value, second_ways in second.weights.items():
                weights[value] += ways * second_ways * (common // second.total)
        return Distribution(weights, self.total * common)


_ONE = Distribution(dict.fromkeys(range(1, SIDES + 1), 1), SIDES)
_THROWN = MappingProxyType({Dice.dr: _ONE, Dice.DR: _ONE + _ONE})


def distribution(dice: Dice, drm: int = 0) -> Distribution:
    """Return the distribution of the Final DR (out of 36) or dr (out of 6) with this modifier."""
    thrown = _THROWN[dice]
    return thrown.map(lambda value: value + drm) if drm else thrown
