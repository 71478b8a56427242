"""Ranges and Snipers: the tables of the worked example A1, and all pairs counted."""

from __future__ import annotations

from itertools import combinations_with_replacement

from hypothesis import given
from hypothesis import strategies as st

from laager.hexmap import BlockFront, HexMap, block_front, sniper_pair, sniper_problem
from laager.hexmap.areas.blocks import GroundKind
from laager.hexmap.ways.distances import sniper_range
from tests.tries import tries

from .helpers import hexes, plain
from .towns import BRITISH, GERMAN, SIDES, towns, twelve_columns


def front() -> BlockFront:
    return block_front(twelve_columns(), {"W": BRITISH, "NE": GERMAN, "SE": None}, SIDES)


def test_the_ranges_of_the_worked_example() -> None:
    town = twelve_columns()
    pairs = ("D2 A4", "D2 D6", "D2 F2", "D6 F6", "D6 F8", "D6 E7")
    assert [town.distance(*pair.split()) for pair in pairs] == [3, 4, 2, 2, 3, 1]
    assert front().ground(BRITISH, "E7") is GroundKind.UNCONTROLLED


def test_snipers_of_the_worked_example() -> None:
    town = twelve_columns()
    everywhere = town.playable
    assert [town.distance(*pair.split()) for pair in ("A1 L8", "A1 L4", "A8 L0")] == [13, 11, 13]
    assert sniper_range(town, everywhere) == 12
    assert sniper_problem(town, "A1", "L8", everywhere) is None
    assert sniper_problem(town, "A8", "L0", everywhere) is None
    assert str(sniper_problem(town, "A1", "L4", everywhere)) == (
        "the Snipers in A1 and L4 are 11 hexes apart; at least 12"
    )
    assert sniper_problem(town, "A1", "L4", hexes("A1 L4 B2")) is None
    assert str(sniper_problem(town, "A1", "B2", hexes("A1 L4 B2"))) == (
        "the Snipers in A1 and B2 are 2 hexes apart; at least 11, the largest range that there is"
    )
    assert sniper_pair(town, everywhere) == ("A1", "H9")


def test_snipers_at_the_range_of_the_rule() -> None:
    """On the standard numbering O5 and R15 are 12 hexes apart, O6 and R15 are 11."""
    town = plain(20, 16)
    permitted = hexes("O5 O6 R15")
    assert sniper_problem(town, "O5", "R15", permitted) is None
    assert sniper_problem(town, "O6", "R15", permitted) is not None
    assert sniper_problem(town, "O6", "R15", hexes("O6 R15")) is None
    assert sniper_problem(town, "O6", "R15", permitted, least=10) is None


def test_few_permitted_hexes() -> None:
    town = twelve_columns()
    assert (sniper_range(town, []), sniper_pair(town, [])) == (0, None)
    assert (sniper_range(town, ["B2"]), sniper_pair(town, ["B2"])) == (0, ("B2", "B2"))
    assert sniper_problem(town, "B2", "B2", ["B2"]) is None
    assert sniper_pair(town, ["B2", "C2", "H5"]) == ("B2", "H5")


@given(towns(), st.data())
@tries(30)
def test_the_range_is_that_of_all_pairs(town: HexMap, data: st.DataObject) -> None:
    names = st.lists(st.sampled_from(sorted(town.hexes)), min_size=1, unique=True)
    permitted, least = data.draw(names), data.draw(st.integers(0, 6))
    pairs = list(combinations_with_replacement(town.in_order(permitted), 2))
    most = max(town.distance(a, b) for a, b in pairs)
    assert sniper_range(town, permitted, least) == min(most, least)
    legal = [pair for pair in pairs if town.distance(*pair) >= min(most, least)]
    assert sniper_pair(town, permitted, least) == legal[0]
    for pair in pairs:
        assert (sniper_problem(town, *pair, permitted, least) is None) == (pair in legal)
