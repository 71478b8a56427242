"""The front on many random small maps, compared with the slow reference."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from laager.hexmap import (
    Front,
    FrontInputs,
    FrontLink,
    HexMap,
    Situation,
    check_link,
    default_links,
    front,
    link_choices,
    parse_name,
)
from laager.hexmap.frontline.clusters import Edge
from laager.hexmap.frontline.links import edge_links
from tests.tries import tries

from .helpers import made
from .reference import Chain, Reference, Spot, Spots, chains, pieces

SIDES = ("axis", "allied")
SIZES = (6, 7, 8, 9, 5, 4, 3, 2, 1)
EDGES = ("north", "south", "east", "west")


def spot(name: str) -> Spot:
    parts = parse_name(name)
    assert parts is not None
    return parts.column, parts.row


def spots(names: Any) -> Spots:
    return frozenset(spot(name) for name in names)


def name_of(one: Spot) -> str:
    return f"{chr(ord('A') + one[0])}{one[1]}"


def link_of(chain: Chain, kind: str = "cluster") -> FrontLink:
    return FrontLink.along([name_of(one) for one in chain], kind)


@dataclass(repr=False)
class Case:
    field: HexMap
    inputs: FrontInputs
    reference: Reference

    def __repr__(self) -> str:
        board = [(one.name, one.q, one.r) for one in self.field.hexes.values()]
        holes = sorted(set(self.field.hexes) - self.field.playable)
        return f"Case(from {board[0]} to {board[-1]}, holes {holes}, {self.inputs})"

    def front(self, links: Any = None) -> Front:
        held = self.inputs
        return front(
            *(self.field, held.controlled, held.ground_control, held.edges, links, held.radius),
            nearest_edge_only=held.nearest_edge_only,
        )


def lines_of(edge: Edge) -> tuple[frozenset[str], ...]:
    return edge if isinstance(edge, tuple) else (edge,)


@st.composite
def cases(draw: st.DrawFn) -> Case:
    columns, rows = draw(st.sampled_from(SIZES)), draw(st.sampled_from(SIZES))
    board = {"columns": columns, "rows": rows, "reversed": draw(st.booleans())}
    whole = made(boards=[board])
    names = list(whole.hexes)
    holes = draw(st.lists(st.sampled_from(names), max_size=len(names) // 4, unique=True))
    field = made(boards=[board], not_playable=holes) if len(holes) < len(names) else whole
    seeds = st.lists(st.sampled_from(names), max_size=7, unique=True)
    held = {side: frozenset(draw(seeds)) for side in SIDES}
    ground = draw(st.dictionaries(st.sampled_from(names), st.sampled_from(SIDES), max_size=4))
    edges: dict[str, Edge] = {}
    for side in SIDES:
        at = draw(st.lists(st.sampled_from(EDGES), max_size=2, unique=True))
        more = draw(st.lists(st.sampled_from(names), max_size=1))
        lines = (*(field.edge(one) for one in at), frozenset(more))
        edges[side] = lines if draw(st.booleans()) else frozenset[str]().union(*lines)
    radius = draw(st.sampled_from([0, 1, 1, 2, 2, 2, 3]))
    nearest = draw(st.booleans())
    inside = spots(field.playable)
    reference = Reference(
        inside,
        {side: spots(held[side]) & inside for side in SIDES},
        {spot(name): side for name, side in ground.items()},
        {side: [spots(one) & inside for one in lines_of(edges[side])] for side in SIDES},
        radius,
        nearest,
    )
    return Case(field, FrontInputs(held, ground, edges, radius, nearest), reference)


@given(cases())
@tries(60)
def test_clusters_and_proposed_links_equal_the_reference(case: Case) -> None:
    ours, theirs = case.front(), case.reference
    assert spots(ours.overlap) == theirs.overlap
    for side in SIDES:
        assert spots(ours.raw[side]) == theirs.raw[side]
        assert spots(ours.controlled[side]) == theirs.controlled[side]
        assert [spots(one) for one in ours.clusters[side]] == theirs.clusters[side]
        links = [tuple(map(spot, one.hexes)) for one in ours.links[side]]
        if not theirs.several_edges(side):
            assert sorted(links) == sorted(theirs.default_links(side))
        assert ours.links[side] == default_links(case.field, case.inputs, side)
        for one in ours.links[side]:
            assert check_link(case.field, case.inputs, side, one) == []


@given(cases())
@tries(60)
def test_links_to_several_edges_enclose_as_much_as_all_legal_ones(case: Case) -> None:
    theirs = case.reference
    for side in SIDES:
        if theirs.several_edges(side):
            ours = case.front()
            between = [tuple(map(spot, one.hexes)) for one in ours.links[side] if one.kind == "cluster"]
            assert sorted(between) == sorted(found[0] for found in theirs.cluster_choices(side))
            every = [(chain, False) for chain in between] + [(chain, True) for chain in theirs.edge_chains(side)]
            assert [spots(mlr.hexes) for mlr in ours.mlrs[side]] == theirs.line(side, every)
            for spare in (one for one in ours.links[side] if one.kind == "edge"):
                fewer = case.front({side: [one for one in ours.links[side] if one != spare]})
                assert fewer.region[side] < ours.region[side] or len(ours.mlrs[side]) > 1


def line_of(case: Case, links: dict[str, list[tuple[Chain, bool]]]) -> dict[str, list[Spots]]:
    return {side: case.reference.line(side, links[side]) for side in SIDES}


def same_front(case: Case, ours: Front, links: dict[str, list[tuple[Chain, bool]]]) -> None:
    """Compare regions and situations, and check what must hold of every front."""
    theirs = case.reference
    lines = line_of(case, links)
    area = {side: frozenset[Spot]().union(*lines[side]) for side in SIDES}
    nobodys = area["axis"] & area["allied"] - theirs.overlap
    assert spots(ours.second_nml) == nobodys.difference(*theirs.controlled.values())
    for side in SIDES:
        enemy = ours.enemy(side)
        assert [spots(mlr.hexes) for mlr in ours.mlrs[side]] == lines[side]
        assert spots(ours.region[side]) == area[side]
        for mlr in ours.mlrs[side]:
            assert len(pieces(spots(mlr.hexes))) == 1
            assert all(cluster <= mlr.hexes for cluster in mlr.clusters)
            for link in mlr.links:
                assert not frozenset(link.chain) & (ours.controlled[enemy] | ours.overlap)
                assert frozenset(link.hexes) <= mlr.hexes
        for name in case.field.playable:
            expected = theirs.situation(side, spot(name), area)
            assert ours.situation(side, name) == expected
        letters: dict[str, set[str]] = {letter: set() for letter in "abcde"}
        for name in case.field.playable:
            letters[ours.situation(side, name).value].add(name)
        assert letters["b"] == ours.isolated[side]
        assert letters["c"] == ours.uncontrolled
        assert letters["d"] == ours.no_mans_land | ours.isolated[enemy]
        assert letters["e"] == ours.friendly_mlr[side]
        assert sum(map(len, letters.values())) == len(case.field.playable)
    assert Front.from_data(json.loads(json.dumps(ours.to_data()))) == ours


@given(cases())
@tries(60)
def test_regions_and_situations_equal_the_reference(case: Case) -> None:
    ours = case.front()
    links = {side: [(tuple(map(spot, one.hexes)), one.kind == "edge") for one in ours.links[side]] for side in SIDES}
    same_front(case, ours, links)


@given(cases(), st.data())
@tries(60)
def test_links_that_the_owners_draw_make_the_line(case: Case, data: st.DataObject) -> None:
    drawn: dict[str, list[tuple[Chain, bool]]] = {side: [] for side in SIDES}
    for side in SIDES:
        own = sorted(case.reference.controlled[side])
        edges = [sorted(edge) for edge in case.reference.link_edges(side)]
        for _ in range(data.draw(st.integers(0, 4)) if own else 0):
            # Any two hexes may be joined, of one cluster too: a horseshoe can be closed.
            a = data.draw(st.sampled_from(own))
            to_edge = bool(edges) and data.draw(st.booleans())
            if to_edge:
                edge = data.draw(st.sampled_from(edges))
                b = min(edge, key=lambda one: (len(list(shortest(a, one))), one))
            else:
                b = data.draw(st.sampled_from(own))
            found = chains(a, b, case.reference.free(side), to_edge)
            if found and a != b:
                drawn[side].append((data.draw(st.sampled_from(found)), to_edge))
    links = {side: [link_of(chain, "edge" if edge else "cluster") for chain, edge in drawn[side]] for side in SIDES}
    same_front(case, case.front(links), drawn)


def shortest(a: Spot, b: Spot) -> range:
    from .reference import distance

    return range(distance(a, b))


def check_choices(case: Case, side: str) -> None:
    """With several edges each proposed link comes with all as short ones from where it starts."""
    for choice in link_choices(case.field, case.inputs, side):
        assert choice.links[0] == choice.proposed
        if choice.proposed.kind == "edge":
            start, length = spot(choice.proposed.a), len(choice.proposed.chain)
            every = (one for one in case.reference.edge_chains(side) if one[0] == start and len(one) == length + 1)
            offered = {link_of(one, "edge") for one in every}
            assert set(choice.links) <= offered
            assert min(choice.count, 24) == len(choice.links)
    assert tuple(one.proposed for one in link_choices(case.field, case.inputs, side)) == case.front().links[side]


@given(cases())
@tries(50)
def test_all_equally_short_links_are_offered(case: Case) -> None:
    for side in SIDES:
        if case.reference.several_edges(side):
            check_choices(case, side)
            continue
        between = case.reference.cluster_choices(side)
        to_edge = case.reference.edge_choices(side, [found[0] for found in between])
        offered = link_choices(case.field, case.inputs, side)
        by_first = {(one.proposed.kind, one.proposed.hexes): one for one in offered}
        assert len(offered) == len(between) + len(to_edge)
        for kind, found in [("cluster", one) for one in between] + [("edge", o) for o in to_edge]:
            links = tuple(link_of(chain, kind) for chain in found)
            choice = by_first[kind, links[0].hexes]
            assert choice.count == len(links)
            assert choice.links == links[:24]
        kept = [link_of(one[0]) for one in between]
        assert set(edge_links(case.field, case.inputs, side, kept)) == {link_of(one[0], "edge") for one in to_edge}


@given(cases(), st.data())
@tries(60)
def test_a_link_is_legal_exactly_if_the_definition_says_so(case: Case, data: st.DataObject) -> None:
    side = data.draw(st.sampled_from(SIDES))
    reference = case.reference
    everywhere = spots(case.field.hexes)
    a, b = (data.draw(st.sampled_from(sorted(everywhere))) for _ in range(2))
    ways = chains(a, b, everywhere, end_free=False)
    if a == b or not ways:
        return
    chain = data.draw(st.sampled_from(ways))
    own, free = reference.controlled[side], reference.free(side)
    legal = a in own and b in own and free.issuperset(chain[1:-1])
    assert (not check_link(case.field, case.inputs, side, link_of(chain))) == legal
    nearest = any(
        b in edge and len(chain) - 1 == min(len(shortest(a, one)) for one in edge)
        for edge in reference.link_edges(side)
    )
    legal = a in own and nearest and free.issuperset(chain[1:])
    assert (not check_link(case.field, case.inputs, side, link_of(chain, "edge"))) == legal


@given(cases())
@tries(25)
def test_both_sides_see_the_same_front(case: Case) -> None:
    held = case.inputs
    turned = {side: held.controlled[side] for side in reversed(SIDES)}
    ours = case.front()
    other = Case(case.field, replace(held, controlled=turned), case.reference).front()
    assert dict(other.region) == dict(ours.region)
    assert other.uncontrolled == ours.uncontrolled
    assert other.mutual_isolation == ours.mutual_isolation
    assert all(isinstance(ours.situation("axis", n), Situation) for n in case.field.playable)
