from __future__ import annotations

import math
from random import Random

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from laager.base import RefusedError
from laager.hexmap import EvenGround, Network, find_nearest, sort_key
from tests.tries import tries

from .helpers import hexes, plain

FIELD = plain(8, 7)
NAMES = sorted(FIELD.hexes, key=sort_key)
PAIRS = [(a, b) for a in NAMES for b in FIELD.neighbours(a)]
KINDS = [0.5, 1, 1, 2, 3, math.inf]
HEX = st.sampled_from(NAMES)


def test_nearest_targets_in_the_stated_order() -> None:
    assert find_nearest(FIELD, "D4", ["G4", "A4", "D7", "H7"]) == (("A4", "D7", "G4"), 3)
    assert find_nearest(FIELD, "D4", ["D4", "A1"]) == (("D4",), 0)
    assert find_nearest(FIELD, "D4", []) == ((), None)
    with pytest.raises(RefusedError, match="no hex 'Z1'"):
        find_nearest(FIELD, "D4", ["Z1"])


@given(HEX, st.lists(HEX, min_size=1, unique=True))
@tries(60)
def test_nearest_equals_trying_all(start: str, targets: list[str]) -> None:
    found = find_nearest(FIELD, start, targets)
    assert found.distance == min(FIELD.distance(start, one) for one in targets)
    expected = [one for one in targets if FIELD.distance(start, one) == found.distance]
    assert list(found.hexes) == sorted(expected, key=sort_key)


@given(st.randoms(use_true_random=False), HEX, HEX, st.sampled_from([math.inf, 4, 8]), st.lists(HEX, max_size=10))
@tries(60)
def test_cheapest_ways_equal_those_of_networkx(dice: Random, a: str, b: str, limit: float, closed: list[str]) -> None:
    price = {pair: dice.choice(KINDS) for pair in PAIRS}
    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_nodes_from(NAMES)
    for (here, there), cost in price.items():
        if cost < math.inf and there not in closed:
            graph.add_edge(here, there, weight=cost)
    network = Network(FIELD, frozenset(NAMES) - frozenset(closed), price)
    expected = nx.single_source_dijkstra_path_length(graph, a, cutoff=limit)
    assert network.reachable(a, limit) == expected
    assert list(network.reachable(a, limit)) == sorted(expected, key=sort_key)
    found = network.shortest(a, b, limit)
    if b not in expected:
        assert found is None
        return
    assert found is not None
    assert found.cost == expected[b]
    assert (found.hexes[0], found.hexes[-1]) == (a, b)
    steps = list(zip(found.hexes, found.hexes[1:], strict=False))
    assert sum(price[step] for step in steps) == found.cost
    ways = nx.all_shortest_paths(graph, a, b, weight="weight")
    first = min(ways, key=lambda way: [sort_key(name) for name in way])
    assert list(found.hexes) == first


def test_costs_by_function_and_hexes_by_predicate() -> None:
    def cost(_here: str, there: str) -> float | None:
        return None if there == "B2" else 2

    found = Network(FIELD, lambda name: name != "B1", cost).shortest("A2", "C2")
    assert found is not None
    assert found.cost == 2 * (len(found.hexes) - 1)
    assert not hexes("B1 B2") & frozenset(found.hexes)
    assert Network(FIELD, cost=lambda _a, _b: 3).shortest("A2", "C2", limit=5) is None
    assert Network(FIELD).shortest("A2", "A2", limit=0) == (("A2",), 0)


def test_a_mapping_costs_one_where_it_says_nothing() -> None:
    assert Network(FIELD, cost={("A1", "A2"): 2}).reachable("A1", 1) == {"A1": 0, "B1": 1}
    assert Network(FIELD, hexes("A2 A3")).reachable("A1", 2) == {"A1": 0, "A2": 1, "A3": 2}


def test_hexes_out_of_play_are_not_entered() -> None:
    field = plain(5, 3, not_playable=["C1-C3"])
    assert Network(field).shortest("A1", "E1") is None
    assert set(Network(field).reachable("A1")) == hexes("A1 A2 A3 B1 B2 B3")


def test_costs_must_be_more_than_nothing() -> None:
    with pytest.raises(ValueError, match="the step from A1 to B1 costs 0; more than 0"):
        Network(FIELD, cost={("A1", "B1"): 0})


@given(HEX, HEX, st.sampled_from([math.inf, 0, 3, 6]), st.lists(HEX, max_size=20))
@tries(80)
def test_even_ground_is_a_network_on_which_every_step_costs_one(
    a: str, b: str, limit: float, closed: list[str]
) -> None:
    """Two ways to find the same: sets of bits, and a graph."""
    passable = frozenset(NAMES) - frozenset(closed)
    ground, network = EvenGround(FIELD, passable), Network(FIELD, passable)
    assert list(ground.reachable(a, limit).items()) == list(network.reachable(a, limit).items())
    path = network.shortest(a, b, limit)
    assert ground.shortest(a, b, limit) == (None if path is None else path.hexes)
