"""What is counted in the hexes of a picture is the same as hex by hex, also where its edge cuts them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from laager.vasl.boards.shapes import count_in_hexes, hex_windows
from laager.vasl.colours.margin import points_of_hexes

from .colour_boards import Painted, read


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("step", [1, 2])
def test_hexes_counted_together_have_the_counts_of_each(order: str, step: int, tmp_path: Path) -> None:
    board = read(Painted(columns=9, rows=7), tmp_path)
    points = points_of_hexes(board.hexes, board.geometry, board.size)
    kinds = np.random.default_rng(1).integers(0, 5, board.size).astype(np.uint8)
    counts = count_in_hexes(np.asfortranarray(kinds) if order == "F" else kinds, points, 5, step)
    for row, (box, mask) in zip(counts, hex_windows(points, board.size), strict=True):
        seen = kinds[box][::step, ::step][mask[::step, ::step]]
        assert row.tolist() == [(seen == kind).sum() for kind in range(5)]
    whole = 64.5 * 75 * 0.75 / step**2
    assert 0.9 * whole < counts.sum(axis=1).max() < 1.1 * whole
    assert counts.sum(axis=1).min() < 0.6 * whole, "hexes at the edge are cut"
