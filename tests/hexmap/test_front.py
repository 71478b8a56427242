"""Single rules of the front, each on a map made for it."""

from __future__ import annotations

import itertools
import json
from math import comb

import pytest

from laager.base import DataError, RefusedError
from laager.hexmap import (
    Front,
    FrontInputs,
    FrontLink,
    HexMap,
    Situation,
    check_link,
    default_links,
    find_nearest,
    front,
    link_choices,
)
from laager.hexmap.frontline.clusters import ground
from laager.hexmap.frontline.links import edge_links
from laager.hexmap.frontline.outline import region

from .helpers import hexes, link, made, plain, to_edge, walkthrough_map

NOBODY: frozenset[str] = frozenset()


def told(*links: FrontLink, side: str = "axis") -> list[str]:
    field = walkthrough_map()
    inputs = FrontInputs(
        {"axis": hexes("C4 K4"), "allied": hexes("C8 K9 G2")},
        {},
        {"axis": field.edge("north"), "allied": field.edge("south")},
    )
    return [str(problem) for one in links for problem in check_link(field, inputs, side, one)]


def test_the_overlap_of_the_radii_is_nobodys() -> None:
    field = plain(9, 3)
    result = front(field, {"axis": hexes("B2"), "allied": hexes("E2")}, {}, {})
    assert result.overlap == hexes("C1 C2 C3 D1 D2 D3")
    assert result.no_mans_land == result.overlap
    assert not result.controlled["axis"] & result.overlap


def test_a_controlled_hex_in_the_enemys_radius_stays_its_sides() -> None:
    field = plain(9, 3)
    result = front(field, {"axis": hexes("B2"), "allied": hexes("C2")}, {}, {})
    assert "B2" in result.controlled["axis"]
    assert "C2" in result.controlled["allied"]
    assert result.overlap == hexes("A1 A2 A3 B1 B3 C1 C3 D1 D2 D3")


@pytest.mark.parametrize(("ground", "owner"), [({"E2": "axis"}, "axis"), ({"E2": "allied"}, "allied"), ({}, None)])
def test_the_ground_level_settles_a_hex_of_both(ground: dict[str, str], owner: str | None) -> None:
    field = plain(9, 3)
    both = {"axis": hexes("E2"), "allied": hexes("E2")}
    result = front(field, both, ground, {})
    for side in result.sides:
        assert ("E2" in result.controlled[side]) == (side == owner)
    assert ("E2" in result.overlap) == (owner is None)
    # Whoever holds the hex, a Location of the other side in it still gives a radius.
    assert result.raw["axis"] == result.raw["allied"]


def test_a_single_cluster_is_an_mlr_by_itself() -> None:
    field = plain(9, 9)
    result = front(field, {"axis": hexes("E5"), "allied": NOBODY}, {}, {})
    (mlr,) = result.mlrs["axis"]
    assert mlr.hexes == result.controlled["axis"] == field.hexes_within(["E5"], 2)
    assert result.mlrs["allied"] == ()
    assert result.situation("allied", "E5") is Situation.ENEMY_MLR
    assert result.situation("allied", "A1") is Situation.UNCONTROLLED


def test_one_missing_anchor_leaves_the_line_open() -> None:
    field = plain(9, 8)
    held = {"axis": hexes("E5"), "allied": NOBODY}
    edges = {"axis": field.edge("north")}
    west, east = to_edge("C4-C3-C2-C1"), to_edge("G4-G3-G2-G1")
    cluster = field.hexes_within(["E5"], 2)
    both = front(field, held, {}, edges, {"axis": [west, east]})
    inside = hexes("D1 D2 D3 E1 E2 F1 F2 F3") - cluster
    assert both.region["axis"] == cluster | hexes("C1 C2 C3 G1 G2 G3") | inside
    one = front(field, held, {}, edges, {"axis": [west]})
    assert one.region["axis"] == cluster | hexes("C1 C2 C3")
    # The map edge is a wall for the side whose friend it is, for no other.
    stranger = front(field, held, {}, {}, {"axis": [link("C4-D3-E3")]})
    assert stranger.region["axis"] == cluster


def test_a_horseshoe_can_be_closed_by_a_link_in_one_cluster() -> None:
    field = plain(13, 10)
    horseshoe = hexes("F3 E4 E5 E6 F6 G7 H6 I6 I5 I4 H3")
    held = {"axis": horseshoe, "allied": NOBODY}
    assert default_links(field, FrontInputs(held, radius=0), "axis") == ()
    gaping = front(field, held, {}, {}, {}, radius=0)
    assert gaping.region["axis"] == horseshoe
    closed = front(field, held, {}, {}, {"axis": [link("F3-G3-H3")]}, radius=0)
    assert closed.region["axis"] == horseshoe | hexes("G3 F4 F5 G4 G5 G6 H4 H5")
    assert len(closed.mlrs["axis"]) == 1


def test_upper_levels_count_for_their_hex() -> None:
    field = plain(13, 10)
    # Allied troops hold E5; the axis holds the level above, and more or less around it.
    held = {"axis": hexes("E5"), "allied": hexes("E5 K5")}
    ground = {"E5": "allied", "K5": "allied"}
    alone = front(field, held, ground, {}, {"axis": [], "allied": []}, radius=0)
    assert alone.region["axis"] == NOBODY
    assert alone.situation("axis", "E5.1", own_location=True) is Situation.ISOLATED
    assert alone.situation("axis", "E5.1") is Situation.ENEMY_MLR
    assert alone.situation("axis", "E5", own_location=True) is Situation.ENEMY_MLR
    near = {"axis": hexes("E5 E4"), "allied": hexes("E5 K5")}
    beside = front(field, near, ground, {}, {"axis": [], "allied": []}, radius=0)
    assert beside.situation("axis", "E5.1", own_location=True) is Situation.NO_MANS_LAND
    # Over the side's own ground it is as the ground is.
    assert beside.situation("axis", "E4.1", own_location=True) is Situation.FRIENDLY_MLR
    assert beside.situation("axis", "E4.1") is Situation.FRIENDLY_MLR


def pocket() -> Front:
    """An allied pocket around G5 inside a ring that the axis has drawn."""
    field = plain(13, 10)
    ring = ["E4", "E5", "E6", "F3", "F7", "G2", "H3", "I4", "I5", "I6", "H7", "G8"]
    held = {"axis": frozenset(ring), "allied": hexes("G5")}
    links = {"axis": [link(f"{a}-{m}-{b}") for a, m, b in _ring_links()], "allied": ()}
    return front(field, held, {}, {}, links, radius=0)


def _ring_links() -> list[tuple[str, str, str]]:
    return [("F3", "G3", "H3"), ("F7", "G7", "H7"), ("E6", "F6", "F7"), ("H7", "H6", "I6")]


def test_a_surrounded_pocket() -> None:
    result = pocket()
    assert result.isolated == {"axis": NOBODY, "allied": hexes("G5")}
    assert result.situation("allied", "G5") is Situation.ISOLATED
    assert result.situation("allied", "G5.1", own_location=True) is Situation.ISOLATED
    # A level above its own ground that it does not Control is none of its Controlled Terrain.
    assert result.situation("allied", "G5.1") is Situation.ENEMY_MLR
    assert result.situation("axis", "G5") is Situation.NO_MANS_LAND
    strict = result.situation("axis", "G5", pocket_is_no_mans_land=False)
    assert strict is Situation.ENEMY_MLR
    assert "G5" not in result.friendly_mlr["axis"]
    assert result.situation("axis", "G4") is Situation.FRIENDLY_MLR
    assert not result.mutual_isolation


def test_mutual_isolation_is_reported() -> None:
    field = plain(13, 10)
    # Each side's line of links runs around the other's single hexes.
    edges = {"axis": field.edge("north"), "allied": field.edge("south")}
    held = {"axis": hexes("A5 M5 G9"), "allied": hexes("A7 M7 G3")}
    result = front(field, held, {}, edges, None, radius=0)
    assert result.mutual_isolation
    assert result.isolated["axis"]
    assert result.isolated["allied"]
    fewer = front(field, held, {}, edges, {"axis": []}, radius=0)
    assert not fewer.mutual_isolation


def test_mlrs_are_lettered_in_the_stated_order() -> None:
    field = plain(30, 6)
    seeds = [f"{letter}3" for letter in "ADGJMPSVY"] + ["BB3"]
    held = {"axis": frozenset(seeds), "allied": NOBODY}
    result = front(field, held, {}, {}, {"axis": [link("D3-E3-F3-G3")]}, radius=0)
    assert [mlr.letter for mlr in result.mlrs["axis"]] == list("ABCDEFGHI")
    assert [result.mlr_of("axis", name) for name in ("A3", "G3", "E3", "J3", "A1")] == [*("A", "B", "B", "C", None)]


def test_an_inner_mlr_keeps_its_letter_inside_a_larger_one() -> None:
    field = plain(13, 10)
    ring = field.hexes_within(["G5"], 3) - field.hexes_within(["G5"], 2)
    held = {"axis": ring | {"G5"}, "allied": NOBODY}
    result = front(field, held, {}, {}, {"axis": []}, radius=0)
    assert [len(mlr.hexes) for mlr in result.mlrs["axis"]] == [37, 1]
    assert result.mlr_of("axis", "G5") == "B"
    assert result.mlr_of("axis", "G4") == "A"


def test_a_line_encloses_nothing_on_another_island() -> None:
    field = plain(7, 3, not_playable=["D1-D3"])
    edges = {"axis": field.edge("east") | hexes("E1 E2 E3 F1 F2 F3")}
    result = front(field, {"axis": hexes("A1"), "allied": NOBODY}, {}, edges, None, radius=0)
    assert result.region["axis"] == hexes("A1")


def test_aliases_are_understood_everywhere() -> None:
    geo = {"columns": 5, "rows": 6, "half_rows": True}
    field = made(boards=[{"board": "1", **geo}, {"board": "2", **geo, "right_of": "1"}])
    held = {"axis": hexes("1C3 2C3"), "allied": NOBODY}
    drawn = front(field, held, {}, {}, {"axis": [link("1C3-1D3-2A3-2B3-2C3")]}, radius=0)
    assert drawn.links["axis"][0].chain == ("1D3", "1E3", "2B3")
    assert drawn.region["axis"] == hexes("1C3 1D3 1E3 2B3 2C3")
    both = front(field, {"axis": hexes("2A3"), "allied": hexes("1E3")}, {"2A3": "axis"}, {})
    assert "1E3" in both.controlled["axis"]


def test_a_front_has_two_sides() -> None:
    with pytest.raises(RefusedError, match="exactly two sides; these are axis"):
        front(plain(3, 3), {"axis": NOBODY}, {}, {})
    result = front(plain(3, 3), {"axis": NOBODY, "allied": NOBODY}, {}, {})
    assert len(result.uncontrolled) == 9
    with pytest.raises(RefusedError, match="no side 'axsi' here; did you mean axis"):
        result.situation("axsi", "A1")
    with pytest.raises(RefusedError, match="Z1 is not a playable hex"):
        result.situation("axis", "Z1")


def test_illegal_links_are_refused_with_every_reason() -> None:
    field = walkthrough_map()
    held = {"axis": hexes("C4 K4"), "allied": hexes("C8 K9 G2")}
    with pytest.raises(DataError) as caught:
        front(field, held, {}, {}, {"axis": [link("E4-F3-G4-H3-I4"), link("A1-A2-A3")]})
    assert str(caught.value).splitlines() == [
        "axis.E4-I4: F3 is Controlled Terrain of the enemy; lead the chain around it, or leave it",
        "axis.E4-I4: G4 is Controlled Terrain of the enemy; lead the chain around it, or leave it",
        "axis.E4-I4: H3 is Controlled Terrain of the enemy; lead the chain around it, or leave it",
        "axis.A1-A3: A1 is not Controlled Terrain of axis; start in one of its clusters",
    ]


@pytest.mark.parametrize(
    ("chosen", "reason"),
    [
        (link("E4-F5-G5-H4-I4"), "F5 does not touch E4; name every hex of the chain in order"),
        (link("E5-E6-F6-G6-H5-I5"), "the chain has 5 steps, the distance is 4; a link is never"),
        (link("D5-C6-B5"), "C6 is No Man's Land; lead the chain around it"),
        (link("E4-F4-G5"), "G5 is not Controlled Terrain of axis; end in one of its clusters"),
        (to_edge("B2-C2-D1-E1"), "E1 is not a nearest Friendly Map Edge hex; B2 is 1 from that"),
        (to_edge("A5-A6"), "A6 is not on the Friendly Map Edge; end on a hex of that edge"),
        (FrontLink("B2", "B1", ("C2",), "edge"), "the chain ends at C2, not at B1; end it on the map"),
        (FrontLink("E4", "I4", (), "rope"), "'rope' is not a kind of link; one of cluster, edge"),
    ],
)
def test_why_a_link_is_not_legal(chosen: FrontLink, reason: str) -> None:
    assert any(reason in line for line in told(chosen))


def test_legal_links() -> None:
    assert told(link("E4-F4-G5-H4-I4"), link("E5-F5-G6-H5-I5"), to_edge("B2-B1")) == []
    assert told(link("E8-F7-G8-H7-I8"), to_edge("A9-A10"), side="allied") == []


def test_a_link_may_not_leave_the_playable_area() -> None:
    field = plain(9, 5, not_playable=["E1-E5"])
    held = {"axis": hexes("C3 G3"), "allied": NOBODY}
    inputs = FrontInputs(held, radius=0)
    assert default_links(field, inputs, "axis") == ()
    (problem,) = check_link(field, inputs, "axis", link("C3-D3-E4-F3-G3"))
    assert problem.what == "E4 is not playable"


def test_a_blocked_link_gives_way_to_the_next_longer_one() -> None:
    field = plain(9, 9)
    # Between D5 and F5 all is blocked by E5, E6; from D4 a chain of three steps is free.
    held = {"axis": hexes("C3 C4 C5 G3 G4 G5"), "allied": hexes("E4 E5 E6 E3")}
    inputs = FrontInputs(held, radius=0)
    (found,) = default_links(field, inputs, "axis")
    assert len(found.hexes) - 1 == field.distance(found.a, found.b)
    assert not frozenset(found.chain) & held["allied"]
    assert found.hexes == ("C3", "D2", "E2", "F2", "G3")


def test_the_walkthroughs_proposals() -> None:
    field = walkthrough_map()
    inputs = FrontInputs(
        {"axis": hexes("C4 K4"), "allied": hexes("C8 K9 G2")},
        {},
        {"axis": field.edge("north"), "allied": field.edge("south")},
    )
    assert default_links(field, inputs, "axis") == (link("E4-F4-G5-H4-I4"), to_edge("A3-A2-A1"), to_edge("M3-L2-L1"))
    # Without the link between them each cluster has two flanks of its own.
    assert edge_links(field, inputs, "axis", []) == (
        to_edge("A3-A2-A1"),
        to_edge("E4-D3-D2-D1"),
        to_edge("I4-J3-J2-J1"),
        to_edge("M3-L2-L1"),
    )
    between, *_ = link_choices(field, inputs, "axis")
    assert between.proposed == between.links[0] == link("E4-F4-G5-H4-I4")
    assert link("E5-F5-G6-H5-I5") in between.links
    assert between.count == len(between.links)


def test_many_choices_are_counted_but_not_all_listed() -> None:
    field = plain(16, 16)
    inputs = FrontInputs({"axis": hexes("A1 N13"), "allied": NOBODY}, radius=0)
    (choice,) = link_choices(field, inputs, "axis")
    assert len(choice.links) == 24
    assert choice.count == comb(field.distance("A1", "N13"), 13)
    assert len(set(choice.links)) == 24


def test_a_front_comes_back_from_its_data() -> None:
    result = pocket()
    again = Front.from_data(json.loads(json.dumps(result.to_data())))
    assert again == result
    assert again.mlrs == result.mlrs
    with pytest.raises(TypeError):
        again.region["axis"] = NOBODY  # type: ignore[index]


# Two Friendly Map Edges ---------------------------------------------------------------------------

TWO_EDGES = list(itertools.combinations(("north", "south", "west", "east"), 2))


def most(field: HexMap, inputs: FrontInputs) -> int:
    """How many hexes an MLR can hold: from every hex of a cluster all that lead to an edge."""
    land = ground(field, inputs)
    (cluster,) = front(field, inputs.controlled, {}, inputs.edges, {}, 2).clusters["axis"]
    wall = set(cluster)
    for edge, start in itertools.product(land.edges["axis"], cluster):
        near = find_nearest(field, start, field.grid.names(edge))
        for to in near.hexes if near.distance else ():
            on_one = (field.distance(start, h) + field.distance(h, to) for h in field.hexes)
            wall |= {h for h, way in zip(field.hexes, on_one, strict=True) if way == near.distance}
    return region(field, field.mask(wall), land.edge("axis")).bit_count()


@pytest.mark.parametrize("pair", TWO_EDGES, ids="-".join)
def test_with_two_edges_the_proposed_mlr_is_as_large_as_can_be(pair: tuple[str, str]) -> None:
    field = plain(11, 9)
    lines = tuple(field.edge(one) for one in pair)
    # Every fourth hex, so that all columns and all rows are among them.
    for seed in list(field.hexes)[::4]:
        held = {"axis": hexes(seed), "allied": NOBODY}
        inputs = FrontInputs(held, {}, {"axis": lines})
        proposed = front(field, held, {}, inputs.edges)
        assert len(proposed.region["axis"]) == most(field, inputs), seed


def test_a_link_may_end_on_the_nearest_hex_of_each_edge() -> None:
    field = plain(9, 9)
    held = {"axis": hexes("C5"), "allied": NOBODY}
    both = FrontInputs(held, {}, {"axis": (field.edge("west"), field.edge("south"))}, radius=0)
    west, south = to_edge("C5-B5-A6"), to_edge("C5-C6-C7-C8-C9")
    assert [check_link(field, both, "axis", one) for one in (west, south)] == [[], []]
    assert {one.b[0] for one in default_links(field, both, "axis")} == {"A", "C"}
    one = FrontInputs(held, {}, {"axis": field.edge("west") | field.edge("south")}, radius=0)
    assert check_link(field, one, "axis", west) == []
    assert check_link(field, one, "axis", south) != []
    picture = front(field, held, {}, both.edges, None, radius=0)
    assert hexes("A9 B8 C9") <= picture.region["axis"]
