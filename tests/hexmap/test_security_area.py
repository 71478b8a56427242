from __future__ import annotations

import pytest

from laager.base import RefusedError
from laager.hexmap import entry_area, security_area_problems
from laager.hexmap.coords import expand_ranges

from .edsons_ridge import JAPANESE, ridge

SOUTH = {"Entry Area L24": list(entry_area(ridge(), "L24").hexes)}
DOWN = expand_ranges(["K18-K24"])


def told(way: list[str], areas: dict[str, list[str]]) -> list[str]:
    return [str(one) for one in security_area_problems(ridge(), way, JAPANESE, areas)]


def test_a_way_to_an_edge_that_an_entry_area_holds() -> None:
    assert told(DOWN, SOUTH) == []
    assert told(["K24"], SOUTH) == []


@pytest.mark.parametrize(("hexes", "legal"), [("A24 B24 C24 D24 E24", True), ("A24 B24 C24 D24", False)])
def test_five_hexes_of_one_area(hexes: str, legal: bool) -> None:
    text = "no Entry Area has 5 hexes of the south edge; lead it to an edge where one has"
    assert told(DOWN, {"Entry Area C24": hexes.split()}) == ([] if legal else [text])
    # Two areas do not add up.
    halves = {"one": ["A24", "B24", "C24"], "other": ["D24", "E24", "F24"]}
    assert told(DOWN, halves) == [text]


def test_the_hexes_count_that_are_on_that_edge() -> None:
    column = {"Entry Area A22": expand_ranges(["A20-A24"])}
    text = "no Entry Area has 5 hexes of the south edge; lead it to an edge where one has"
    assert told(DOWN, column) == [text]
    assert told(["A24"], column) == []


def test_all_problems_are_told_together() -> None:
    assert told(["K4", "K5", "K7"], SOUTH) == [
        "[3]: K7 does not touch K5, the hex before it; name every hex on the way",
        "K4 is in an enemy Setup Area; set the phone up elsewhere",
        "K7 is not at the edge of the map; lead it to an edge",
    ]
    assert told(expand_ranges(["K6-K1"]), {}) == [
        *(f"[{n}]: K{6 - n + 1} is not Enterable; go round it" for n in range(3, 7)),
        "no Entry Area has 5 hexes of the north edge; lead it to an edge where one has",
    ]
    assert told([], SOUTH) == ["the way has no hexes; name every hex on it, in order"]
    with pytest.raises(RefusedError, match="there is no hex 'K30'"):
        told(["K30"], SOUTH)
