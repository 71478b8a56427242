"""Victory of CG I as it was handed down: Blocks H to L and the ratio of CVP."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import laager
from laager.hexmap import load_map
from laager.rules.board.hasl.victory import is_fulfilled, standing_in_words
from laager.rules.board.state import evolve
from tests.bridge_too_far.scene import scene

MAP = Path(laager.__file__).parent / "packs" / "abtf" / "rijnoord-map.yaml"

BLOCKS = ["H", "I", "J", "K", "L"]

CARD: dict[str, Any] = {
    "sides": {"axis": {"controls": []}, "allied": {"controls": []}},
    "victory": {"final": [{"side": "allied", "text": "4 of 5", "controls": BLOCKS, "count": 4, "cvp_ratio": 3}]},
}


@pytest.mark.parametrize(("held", "amassed", "won"), [(4, 27, True), (4, 26, False), (3, 27, False), (5, 30, True)])
def test_cg_i(held: int, amassed: int, won: bool) -> None:
    cg = scene(CARD, map_=load_map(MAP).to_data())
    control = {name: "allied" if i < held else "axis" for i, name in enumerate(BLOCKS)}
    state = cg.state.with_side("allied", cvp_total=amassed).with_side("axis", cvp_total=9)
    cg.state = evolve(state, block_control=control)
    condition = cg.card.victory.final[0]
    assert is_fulfilled(cg, condition) is won
    assert f"Controls {held} of 4 needed" in standing_in_words(cg, condition)
