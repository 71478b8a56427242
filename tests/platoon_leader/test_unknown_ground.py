"""Terrain that nobody has told of: the players' word counts, and nothing happens by itself."""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path

import pytest

from laager.campaign.facts import UMPIRE
from laager.hexmap import HexMap, load_map
from laager.hexmap.terrain import describe_unknown, is_unknown, unknown_hexes
from laager.rules.board.places import can_burn, is_accessible, may_burn, terrain_faults
from laager.rules.board.setup.hiding import is_in_cover, is_in_the_open
from laager.rules.platoon_leader.card.loading import load_card
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.reorganization.fires import spread
from laager.rules.platoon_leader.state import PlState
from laager.vasl import mark
from tests.platoon_leader.small import card_data, map_data

CARDS = Path(__file__).parent / "cards"


@pytest.fixture
def cg() -> Cg:
    """The walkthrough on a map of which A1 to A3 are unknown, and A4 is open."""
    data = deepcopy(map_data())
    for one in data["hexes"]:
        if one[0] in ("A1", "A2", "A3"):
            one[3] = "unknown"
    found = Cg({"card": card_data(), "map": data, "readings": {}})
    found.state = PlState.empty(UMPIRE)
    return found


def test_who_says_that_somebody_hides_there_is_believed(cg: Cg) -> None:
    assert (is_in_cover(cg, "A1"), is_in_cover(cg, "A4")) == (True, False)
    assert (is_in_the_open(cg, "A1"), is_in_the_open(cg, "A4")) == (False, True)
    assert is_accessible(cg, "A1")
    assert not list(terrain_faults(cg, "a-b-mines", "A1"))
    assert list(terrain_faults(cg, "a-b-mines", "A4"))


def test_fire_does_not_spread_there_by_itself_but_may_be_reported(cg: Cg) -> None:
    assert (can_burn(cg, "A1"), may_burn(cg, "A1")) == (False, True)
    assert (can_burn(cg, "A4"), may_burn(cg, "A4")) == (False, False)
    lit = spread(cg, (), {"A2"}, same_date=False).flames
    assert not lit & {"A1", "A3"}
    burnt = cg.state.ground.burnt | {"A1"}
    cg.state = cg.state.with_ground(burnt=burnt)
    assert not may_burn(cg, "A1")
    assert not is_in_cover(cg, "A1")


def test_unknown_hexes_are_told(cg: Cg) -> None:
    assert unknown_hexes(cg.map) == ("A1", "A2", "A3")
    assert is_unknown(cg.map.hex("A1"))
    assert describe_unknown(cg.map) == "the terrain of 3 hexes is not known: A1-A3"
    assert describe_unknown(HexMap.from_data(map_data())) == ""


def test_a_card_on_such_a_map_warns(tmp_path: Path) -> None:
    for path in CARDS.glob("walkthrough*.yaml"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    ground = tmp_path / "walkthrough-map.yaml"
    assert not load_card(tmp_path / "walkthrough.yaml").warnings
    free = next(n for n, one in load_map(ground).hexes.items() if one.terrain == "open")
    ground.write_text(mark(ground.read_text(), [f"{free}=unknown"]))
    (warning,) = load_card(tmp_path / "walkthrough.yaml").warnings
    assert f"the terrain of one hex is not known: {free}" in str(warning)
    assert "laager vasl mark" in str(warning)
