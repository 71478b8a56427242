from __future__ import annotations

import pytest

from laager.base import RefusedError
from laager.hexmap import entry_area
from laager.hexmap.areas.blocks import entry_areas, map_edge
from laager.hexmap.values import EntryArrow

from .helpers import hexes, plain
from .towns import edged, twelve_columns


def area(name: str, *, same_edge_only: bool = False, single: bool = False) -> str:
    arrow = EntryArrow(name, same_edge_only=same_edge_only, single=single)
    return " ".join(entry_area(edged(), arrow).hexes)


def test_the_worked_example() -> None:
    town = twelve_columns()
    west, north, single = entry_areas(town)
    assert (west.id, north.id, single.id) == ("A4", "G1", "L5")
    assert " ".join(west.hexes) == "A1 A2 A3 A4 A5 A6 A7 A8 B0 C1"
    assert " ".join(north.hexes) == "C1 D0 E1 F0 G1 H0 I1 J0 K1"
    assert single.hexes == ("L5",)
    same = entry_area(town, EntryArrow("A4", same_edge_only=True))
    assert " ".join(same.hexes) == "A1 A2 A3 A4 A5 A6 A7 A8"
    assert (west.edges, north.edges) == (hexes("west"), hexes("north"))
    assert (west.arrow.colour, west.arrow.owner) == ("red", "british")
    assert entry_area(town, "G1") == north


def test_the_arrows_of_the_module() -> None:
    """The arrows that the rules name, on a map of columns A to JJ and rows 0 or 1 to 23."""
    assert area("A6") == "A2 A3 A4 A5 A6 A7 A8 A9 A10"
    assert area("A18") == "A14 A15 A16 A17 A18 A19 A20 A21 A22"
    assert area("F0") == "B0 C1 D0 E1 F0 G1 H0 I1 J0"
    assert area("M1") == "I1 J0 K1 L0 M1 N0 O1 P0 Q1"
    assert area("GG1") == "CC1 DD0 EE1 FF0 GG1 HH0 II1 JJ0 JJ1 JJ2 JJ3"
    assert area("GG1", same_edge_only=True) == "CC1 DD0 EE1 FF0 GG1 HH0 II1 JJ0"
    assert area("JJ4") == "II1 JJ0 JJ1 JJ2 JJ3 JJ4 JJ5 JJ6 JJ7 JJ8"
    assert area("JJ4", same_edge_only=True) == "JJ0 JJ1 JJ2 JJ3 JJ4 JJ5 JJ6 JJ7 JJ8"
    assert area("R23", single=True) == "R23"


def test_a_corner_stands_on_two_edges() -> None:
    corner = entry_area(edged(), EntryArrow("A1", same_edge_only=True))
    assert corner.edges == hexes("north west")
    assert " ".join(corner.hexes) == "A1 A2 A3 A4 A5 B0 C1 D0 E1"


def test_the_map_edge() -> None:
    assert map_edge(plain(3, 3)) == hexes("A1 A2 A3 B1 B3 C1 C2 C3")
    assert map_edge(plain(3, 4, not_playable=["A1-C1"])) == hexes("A2 A3 A4 B2 B4 C2 C3 C4")
    assert len(map_edge(twelve_columns())) == 2 * 12 + 7 + 8


def test_arrows_that_are_none_are_refused() -> None:
    with pytest.raises(RefusedError, match="there is no Entry Area A5 on this map; one of A4, G1, L5"):
        entry_area(twelve_columns(), "A5")
    with pytest.raises(RefusedError, match="there is no hex 'Z1'"):
        entry_area(twelve_columns(), "Z1")
    with pytest.raises(RefusedError, match="C4 is not at the edge of the map"):
        entry_area(twelve_columns(), EntryArrow("C4"))
