"""Roads between hexes: looked up once for each map, however often setups ask for them."""

from __future__ import annotations

import itertools
from typing import Any, cast

import pytest

from laager.rules.board import places
from laager.rules.board.context import CardContext
from laager.simulation.plan import read_plan
from laager.simulation.play import begin


@pytest.mark.parametrize("card", ["ripamare-cathedral", "rzhavets"])
def test_hexsides_with_roads_are_those_of_the_map_and_are_listed_once(
    card: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    cg = cast("CardContext", begin(read_plan(card), 1).context)
    listed: list[Any] = []
    pairs_of = itertools.pairwise

    def pairwise(along: Any) -> Any:
        listed.append(along)
        return pairs_of(along)

    crossed = {pair for road in cg.map.roads for pair in itertools.pairwise(road.along)}
    monkeypatch.setattr(itertools, "pairwise", pairwise)
    cg.map.__dict__.get("_kept", {}).clear()
    around = [(name, near) for name in cg.map.hexes for near in cg.map.neighbours(name)]
    assert {pair for pair in around if places.has_road_between(cg, *pair)} == {
        pair for pair in around if pair in crossed or pair[::-1] in crossed
    }
    assert 0 < len(listed) <= len(cg.map.roads)
