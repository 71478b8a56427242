"""The plain networkx analysis of towns in the benchmarks gives what ours gives."""

from __future__ import annotations

import pytest
from bench.towns import big_town, ours, plain


@pytest.mark.parametrize(("columns", "rows", "seed"), [(40, 25, 1944), (14, 12, 1), (14, 12, 2), (20, 16, 3)])
def test_the_networkx_town_agrees(columns: int, rows: int, seed: int) -> None:
    town = big_town(columns, rows, seed)
    assert len(town.map.blocks.hexes) > 3
    assert ours(town) == plain(town)
