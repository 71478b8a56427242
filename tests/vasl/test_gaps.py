"""The ground under dots and lines, against a search pixel by pixel."""

from __future__ import annotations

from math import ceil, hypot

import numpy as np
import pytest
from numpy.typing import NDArray

from laager.vasl.colours.gaps import BLANK, NEAR, fill_gaps

FILLING = 7
"""A code that does not spread."""


def plainly(codes: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the codes with the blank ones filled, by looking at every pixel near each."""
    width, height = codes.shape
    steps = [(x, y) for x in range(-NEAR, NEAR + 1) for y in range(-NEAR, NEAR + 1) if 0 < hypot(x, y) <= NEAR]
    steps.sort(key=lambda step: (ceil(hypot(*step)), *step))
    found = codes.copy()
    for x, y in np.argwhere(codes == BLANK).tolist():
        around = ((x + dx, y + dy) for dx, dy in steps if 0 <= x + dx < width and 0 <= y + dy < height)
        found[x, y] = next((codes[at] for at in around if codes[at] not in {BLANK, FILLING}), BLANK)
    return found


@pytest.mark.parametrize("strip", [1, 200, 2**18])
@pytest.mark.parametrize("share", [0.02, 0.3, 0.9])
def test_the_nearest_ground_counts(monkeypatch: pytest.MonkeyPatch, strip: int, share: float) -> None:
    """Whatever the strips: the ground in those above has changed when its neighbours below are looked at."""
    monkeypatch.setattr("laager.vasl.boards.strips.STRIP", max(strip, 5 * 31))
    dice = np.random.default_rng(17)
    codes = dice.choice(np.array([0, 3, FILLING], np.uint8), (23, 31)).T
    codes[dice.random(codes.shape) < share] = BLANK
    codes[4:20, 3:19] = BLANK
    wanted = plainly(codes)
    table = np.arange(256, dtype=np.uint8)
    table[FILLING] = BLANK
    assert fill_gaps(codes, table) == bool((wanted == BLANK).any())
    assert np.array_equal(codes, wanted)


def test_nothing_to_fill() -> None:
    codes = np.zeros((12, 9), np.uint8).T
    assert not fill_gaps(codes)
    assert not codes.any()
