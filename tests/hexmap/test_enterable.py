"""Enterable: single cases, and a breadth-first search on a plain graph beside it."""

from __future__ import annotations

from collections.abc import Iterable

import networkx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from laager.base import RefusedError
from laager.hexmap import (
    EnterablePath,
    HexMap,
    PathTerms,
    block_front,
    enterable_path,
    entry_area,
    isolation_aid,
    path_problems,
)
from laager.hexmap.coords import side_key
from tests.tries import tries

from .helpers import hexes, plain
from .towns import BRITISH, GERMAN, SIDES, towns, twelve_columns

BRIDGED = {
    "terrain": {"river": ["A3-E3"]},
    "roads": [{"kind": "paved", "along": ["C1-C5"]}],
    "features": {"bridge": ["C3"]},
}


def is_enterable(town: HexMap, terms: PathTerms, name: str) -> bool | None:
    """Return whether a step leads into a hex; None if the players have to be asked."""
    way = enterable_path(town, town.neighbours(name), [name], terms)
    if way is None:
        return False
    return None if way.doubts else True


def test_what_a_hex_is_by_itself() -> None:
    town = plain(5, 5, **BRIDGED, not_playable=["E5"])
    terms = PathTerms(barred=hexes("A1"), doubtful=hexes("B1 D1"), allowed=hexes("D1"))
    found = {name: is_enterable(town, terms, name) for name in ("A1", "B1", "C1", "D1", "A3", "E5")}
    assert found == {"A1": False, "B1": None, "C1": True, "D1": True, "A3": False, "E5": False}
    assert is_enterable(town, terms, "C3") is None
    assert is_enterable(town, PathTerms(allowed=hexes("C3 A3")), "C3") is True
    assert is_enterable(town, PathTerms(allowed=hexes("C3 A3")), "A3") is False
    assert is_enterable(town, PathTerms(barred=hexes("C3"), allowed=hexes("C3")), "C3") is False
    with pytest.raises(RefusedError, match="there is no hex 'Q1'"):
        is_enterable(town, PathTerms(), "Q1")


def test_the_first_of_the_shortest_ways() -> None:
    town = plain(5, 5)
    assert enterable_path(town, ["A1"], ["A3", "E1"]) == EnterablePath(("A1", "A2", "A3"), ())
    assert enterable_path(town, ["C1", "C3"], ["C3"]) == EnterablePath(("C3",), ())
    around = enterable_path(town, ["A1"], ["A3"], PathTerms(barred=hexes("A2")))
    assert around == EnterablePath(("A1", "B1", "B2", "A3"), ())
    wall = PathTerms(barred_hexsides=frozenset({("A2", "A1"), ("B1", "B2")}))
    beside = enterable_path(town, ["A1"], ["A3"], wall)
    assert beside == EnterablePath(("A1", "B1", "A2", "A3"), ())


def test_the_start_may_be_barred_and_the_goal_may_not() -> None:
    town = plain(3, 3)
    assert enterable_path(town, ["A1"], ["A2"], PathTerms(barred=hexes("A1"))) is not None
    assert enterable_path(town, ["A1"], ["A2"], PathTerms(barred=hexes("A2"))) is None
    assert enterable_path(town, [], ["A2"]) is None
    assert enterable_path(town, ["A1"], []) is None


def test_a_bridge_is_asked_about_and_the_answer_counts() -> None:
    town = plain(5, 5, **BRIDGED)
    way = ("C1", "C2", "C3", "C4", "C5")
    assert enterable_path(town, ["C1"], ["C5"]) == EnterablePath(way, ("C3",))
    yes = enterable_path(town, ["C1"], ["C5"], PathTerms(allowed=hexes("C3")))
    assert yes == EnterablePath(way, ())
    assert enterable_path(town, ["C1"], ["C5"], PathTerms(barred=hexes("C3"))) is None


def test_a_longer_way_without_doubts_goes_first() -> None:
    town = plain(5, 5, hexsides={"cliff": ["A1/A2", "A1/B1"], "wall": ["C1/C2"]})
    start = enterable_path(town, ["A2"], ["A1"])
    assert start == EnterablePath(("A2", "A1"), ("A1/A2",))
    one = plain(5, 5, hexsides={"cliff": ["A1/A2"]})
    assert enterable_path(one, ["A2"], ["A1"]) == EnterablePath(("A2", "B1", "A1"), ())
    sure = PathTerms(allowed_hexsides=frozenset({("A2", "A1")}))
    assert enterable_path(one, ["A2"], ["A1"], sure) == EnterablePath(("A2", "A1"), ())
    asked = PathTerms(doubtful_hexsides=frozenset({("C2", "C1"), ("B1", "C1"), ("C1", "D1")}))
    assert enterable_path(town, ["C1"], ["C2"], asked) == EnterablePath(("C1", "C2"), ("C1/C2",))


def test_a_way_that_players_draw() -> None:
    town = plain(5, 5, **BRIDGED)
    assert path_problems(town, ["C1", "C2", "C3", "C4"]) == ()
    terms = PathTerms(barred=hexes("A1 B2"), barred_hexsides=frozenset({("B1", "A2")}))
    told = [str(one) for one in path_problems(town, ["A1", "A2", "B1", "B2", "B3", "E4"], terms)]
    assert told == [
        "[3]: the hexside A2/B1 cannot be crossed; go round it",
        "[4]: B2 is not Enterable; go round it",
        "[5]: B3 is not Enterable; go round it",
        "[6]: E4 does not touch B3, the hex before it; name every hex on the way",
    ]
    assert [str(one) for one in path_problems(town, [])] == ["the way has no hexes; name every hex on it, in order"]
    with pytest.raises(RefusedError, match="there is no hex 'Q1'"):
        path_problems(town, ["A1", "Q1"])


def test_the_aid_for_isolation_avoids_enemy_areas() -> None:
    town = twelve_columns()
    control = {"W": BRITISH, "NE": GERMAN, "SE": None}
    front = block_front(town, control, SIDES)
    entry = entry_area(town, "A4").hexes
    blocks = town.blocks.hexes
    out = isolation_aid(town, front, BRITISH, blocks["W"], entry)
    assert out == EnterablePath(("A1",), ())
    assert isolation_aid(town, front, GERMAN, ["F6"], entry) is None
    south = isolation_aid(town, front, BRITISH, ["F6"], entry)
    assert south is not None
    assert not set(south.hexes) & blocks["NE"]
    assert (south.hexes[0], south.doubts) == ("F6", ())
    north = isolation_aid(town, front, GERMAN, ["L8"], entry_area(town, "G1").hexes)
    assert north is not None
    assert not set(north.hexes) & blocks["W"]


def by_graph(town: HexMap, terms: PathTerms, open_too: Iterable[str]) -> networkx.DiGraph[str]:
    """Return the steps that are open, hex by hex."""
    graph: networkx.DiGraph[str] = networkx.DiGraph()
    graph.add_nodes_from(town.hexes)
    shut = {side_key(a, b) for a, b in terms.barred_hexsides}
    for name in town.hexes:
        for there in town.neighbours(name):
            one = town.hex(there)
            dry = one.terrain != "river" and not one.watercourses
            fine = there in town.playable and there not in terms.barred and dry
            sure = there not in terms.doubtful or there in terms.allowed or there in open_too
            if fine and sure and side_key(name, there) not in shut:
                graph.add_edge(name, there)
    return graph


@given(towns(), st.data())
@tries(60)
def test_ways_are_those_of_a_plain_search(town: HexMap, data: st.DataObject) -> None:
    names = sorted(town.hexes)
    some = st.frozensets(st.sampled_from(names), max_size=6)
    sides = [side_key(a, b) for a in names for b in town.neighbours(a)]
    walls = st.frozensets(st.sampled_from(sides), max_size=6) if sides else st.just(frozenset())
    terms = PathTerms(
        barred=data.draw(some), barred_hexsides=data.draw(walls), allowed=data.draw(some), doubtful=data.draw(some)
    )
    starts, targets = data.draw(some), data.draw(some)
    sure = by_graph(town, terms, ())
    found = enterable_path(town, starts, targets, terms)
    for graph, doubts in ((sure, False), (by_graph(town, terms, terms.doubtful), True)):
        lengths = [
            networkx.shortest_path_length(graph, a, b)
            for a in starts
            for b in targets
            if networkx.has_path(graph, a, b)
        ]
        if not lengths:
            continue
        assert found is not None
        assert len(found.hexes) - 1 == min(lengths)
        assert found.hexes[0] in starts
        assert found.hexes[-1] in targets
        assert all(graph.has_edge(a, b) for a, b in zip(found.hexes, found.hexes[1:], strict=False))
        assert bool(found.doubts) == doubts
        open_questions = terms.doubtful - terms.allowed
        assert found.doubts == tuple(name for name in found.hexes[1:] if name in open_questions)
        assert path_problems(town, found.hexes, terms) == ()
        return
    assert found is None
