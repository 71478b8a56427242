"""The nearest known pixels, beside a search through all of them."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from laager.vasl.boards.strips import look_up_all
from laager.vasl.colours.nearest import fill_from_nearest


@pytest.mark.parametrize("seed", range(5))
def test_the_nearest_known_pixel_counts(seed: int) -> None:
    dice = np.random.default_rng(seed)
    values = dice.integers(0, 9, (21, 34)).astype(np.uint8)
    # As many pixels as one looked at stands for have the same value.
    values = np.ascontiguousarray(values.repeat(2, 0).repeat(2, 1).T).T
    wanted = dice.random((21, 34)) < 0.9
    wanted = wanted.repeat(2, 0).repeat(2, 1)
    before = values.copy()
    fill_from_nearest(values, wanted.T.__getitem__, 100)
    known = [(x, y, before[x, y]) for x, y in zip(*np.nonzero(~wanted), strict=True) if x % 2 == y % 2 == 0]
    for x, y in zip(*np.nonzero(wanted), strict=True):
        a, b = x // 2 * 2, y // 2 * 2
        apart = [(abs(a - other) + abs(b - under), value) for other, under, value in known]
        assert values[x, y] == min(apart)[1]
    assert (values[~wanted] == before[~wanted]).all()


def test_what_is_too_far_away_stays() -> None:
    values = np.zeros((40, 4), np.uint8)
    values[0] = 7
    wanted = np.ones(values.shape, np.bool_)
    wanted[0] = False
    fill_from_nearest(values, wanted.T.__getitem__, 10)
    assert values[11, 0] == 7
    assert values[14, 0] == 0


def test_nothing_known_changes_nothing() -> None:
    values = np.full((5, 3), 4, np.uint8)
    fill_from_nearest(values, np.ones(values.T.shape, np.bool_).__getitem__, 50)
    assert (values == 4).all()


def test_a_table_of_a_byte_each() -> None:
    numbers = np.arange(256, dtype=np.uint8).reshape(16, 16)
    table = np.arange(256, dtype=np.uint8)[::-1].copy()
    assert (look_up_all(numbers, table) == table[numbers]).all()


def test_lines_of_a_large_picture_are_asked_for_part_by_part() -> None:
    values = np.zeros((900, 800), np.uint8)
    values[0, 0] = 9
    asked: list[int] = []

    def wanted(rows: slice) -> NDArray[np.bool_]:
        found: NDArray[np.bool_] = values.T[rows] == 0
        asked.append(found.size)
        return found

    fill_from_nearest(values, wanted, 2000)
    assert (values == 9).all()
    assert max(asked) <= values.size // 2
