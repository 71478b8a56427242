"""The map as play has left it."""

from __future__ import annotations

from typing import Any

import pytest

from laager.hexmap import HexMap, is_burnable, is_concealment_terrain, is_open_ground
from laager.hexmap.frontline.strategic import strategic_terrain, woods_line
from laager.hexmap.wear import Wear, worn_hexes, worn_map
from tests.hexmap.helpers import plain

PRINTED = plain(
    6,
    6,
    terrain={"woods": ["A1", "A2", "B1", "B2"], "rubble": ["F6"], "river": ["D4", "D5"]},
    features={"bridge": ["D4"], "graveyard": ["F1"]},
    buildings=[
        {"name": "Hall", "material": "stone", "levels": 2, "hexes": ["C3", "D3"]},
        {"material": "hut", "hexes": ["E5"]},
    ],
)


def worn(*, burnt: str = "", cleared: str = "", **changes: str) -> HexMap:
    """Return the map with hexes burnt, cleared and changed: `C3="rubble"`."""
    kinds = frozenset((at.replace("_", "."), frozenset({what})) for at, what in changes.items())
    return worn_map(PRINTED, Wear(kinds, frozenset(burnt.split()), frozenset(cleared.split())))


def test_without_a_change_it_is_the_printed_map() -> None:
    assert worn_map(PRINTED, Wear()) is PRINTED
    assert worn(A1="trailbreak", C3="breach", F6="rubble", C3_1="rubble") is PRINTED


@pytest.mark.parametrize(
    ("wear", "name", "contents"),
    [
        ({"burnt": "A1"}, "A1", {"open"}),
        ({"C3": "rubble"}, "C3", {"open", "rubble"}),
        ({"C3": "rubble", "burnt": "C3"}, "C3", {"open", "rubble"}),
        ({"burnt": "C3"}, "C3", {"open"}),
        ({"cleared": "C3"}, "C3", {"open"}),
        ({"cleared": "F6"}, "F6", {"open"}),
        ({"D4": "bridge-destroyed"}, "D4", {"river"}),
        ({"E5": "collapsed-hut"}, "E5", {"open"}),
    ],
)
def test_what_is_there_now(wear: dict[str, Any], name: str, contents: set[str]) -> None:
    now = worn(**wear)
    assert now.hex(name).contents == contents
    assert now.hex(name).printed is PRINTED.hex(name)
    assert now.printed is PRINTED
    assert worn_hexes(now) == {name}
    assert not worn_hexes(PRINTED)


def test_what_follows_from_it() -> None:
    now = worn(burnt="A1 B2", C3="rubble", D4="bridge-destroyed")
    assert (is_open_ground(now.hex("A1")), is_concealment_terrain(now.hex("A1")), is_burnable(now.hex("A1"))) == (
        True, False, False,
    )  # fmt: skip
    assert is_concealment_terrain(now.hex("C3"))
    assert now.locations("C3") == ("C3",)
    assert [(one.name, one.hexes) for one in now.buildings] == [("Hall", ("D3",)), ("", ("E5",))]
    assert not {"A1", "B2", "C3.1", "C3.2", "D4"} & strategic_terrain(now).keys()
    assert {"B2", "C3.1", "D4"} <= strategic_terrain(PRINTED).keys()
    assert woods_line(worn(burnt="A1 A2")) == set(), "two hexes of woods form no line"


def test_where_things_lie_stays() -> None:
    now = worn(burnt="A1 C3 D3")
    assert now.grid is PRINTED.grid
    assert now.blocks is PRINTED.blocks
    assert now.edge("north") == PRINTED.edge("north")
    assert now.distance("A1", "F6") == PRINTED.distance("A1", "F6")


def test_a_system_has_terrain_of_its_own() -> None:
    jungle = plain(2, 2, terrain={"jungle": ["A1"], "dense-jungle": ["B1"]})
    turns = frozenset({("shellholes", "jungle", "palm"), ("rubble", "dense-jungle", "rubble")})
    changes = frozenset({("A1", frozenset({"shellholes"})), ("B1", frozenset({"rubble"}))})
    now = worn_map(jungle, Wear(changes), turns)
    assert [now.hex(name).terrain for name in ("A1", "B1")] == ["palm", "rubble"]
    later = worn_map(jungle, Wear(changes, frozenset({"A1"})), turns)
    assert later.hex("A1").terrain == "open", "Palm burns"
    assert worn_map(jungle, Wear(changes), frozenset()).hex("A1").terrain == "jungle"
